"""How many samples a second PyTorch learns from: the networks of benches/training.rs, on two threads.

Both form the same gates, cross-entropy and AdamW on the same shapes; run one after the other on an
idle machine:

    cargo bench --bench training
    python3 benches/pytorch.py

PyTorch's layer is given an embedding of 128 in place of our table of input rows, which is what it
does best with; one-hot inputs would cost it more.
"""

import statistics
import time

import torch

THREADS = 2
BATCH = 256
LABELS = 755
AT_LEAST = 4.0
NETWORKS = [("GRU-512, m=10", torch.nn.GRU, 512, 10), ("LSTM-1024, m=20", torch.nn.LSTM, 1024, 20)]


class Net(torch.nn.Module):
    def __init__(self, layer, hidden):
        super().__init__()
        self.embedding = torch.nn.Embedding(LABELS, 128)
        self.layer = layer(128, hidden, batch_first=True)
        self.output = torch.nn.Linear(hidden, LABELS)

    def forward(self, window):
        states, _ = self.layer(self.embedding(window))
        return self.output(states[:, -1])


def samples_per_second(layer, hidden, memory, bfloat):
    torch.manual_seed(1)
    net = Net(layer, hidden)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, fused=True)
    windows = torch.randint(LABELS, (BATCH, memory))
    targets = torch.randint(LABELS, (BATCH,))
    times, start = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < AT_LEAST:
        began = time.perf_counter()
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bfloat):
            loss = torch.nn.functional.cross_entropy(net(windows), targets)
        loss.backward()
        optimizer.step()
        times.append(time.perf_counter() - began)
    return BATCH / statistics.median(times[1:])


if __name__ == "__main__":
    torch.set_num_threads(THREADS)
    for name, layer, hidden, memory in NETWORKS:
        for bfloat in (False, True):
            kind = "Bfloat" if bfloat else "Single"
            print(f"{name:16} {kind}: {samples_per_second(layer, hidden, memory, bfloat):.0f} samples/s")
