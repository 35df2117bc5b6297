//! Golden numbers: what PyTorch makes of the same parameters, forward and backward.

use std::sync::Arc;

use candle_core::{DType, Device, Tensor};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{
    Bags, Batch, Logits, Network, Parameters, Predictor, Structure, Told, View,
    parameters::{Specification, specifications},
};

const HISTORIES: [&[u16]; 4] = [&[], &[3], &[5, 700, 9, 31], &[754, 1, 2, 3, 4, 5, 6]];
const TARGETS: [u16; 4] = [0, 10, 754, 31];
/// Men and ratings of the same four positions, for structures with the senses for them.
const MEN: [&[u16]; 4] = [&[0, 3_779], &[], &[7, 7, 1_234], &[100, 200, 300]];
const RATINGS: [[Option<u16>; 2]; 4] =
    [[None, None], [Some(1_225), Some(800)], [Some(3_000), None], [Some(1_600), Some(1_650)]];
/// The legal moves of each, over which half of the loss is where something is seen.
const LEGAL: [&[u16]; 4] = [&[0, 1], &[10], &[3, 754, 9], &[30, 31, 32, 33]];

/// The place of the move played among them.
const PLAYED: [u16; 4] = [0, 0, 1, 1];
/// The attributes of each of them, for structures with look-ahead.
const MOVES: [&[&[u16]]; 4] =
    [&[&[0, 5], &[7]], &[&[1]], &[&[2, 3], &[], &[0, 1, 2, 3]], &[&[4], &[5, 6], &[7], &[0, 7]]];

/// The moves of each position.
fn moves() -> [Bags; 4] {
    MOVES.map(|moves| {
        let mut bags = Bags::default();
        moves.iter().for_each(|numbers| bags.push(numbers.iter().copied()));
        bags
    })
}

fn views(moves: &[Bags; 4]) -> [View<'_>; 4] {
    std::array::from_fn(|at| View {
        history: HISTORIES[at],
        men: MEN[at],
        ratings: RATINGS[at],
        moves: Some(&moves[at]),
    })
}

/// The gradients are weighted with the tensor of this rank and summed.
const WEIGHTS: usize = 17;

/// The tensor of one rank among a structure's: any numbers that both programs can make.
fn numbers(rank: usize, Specification { name, shape, .. }: &Specification) -> Tensor {
    let plus = if name.ends_with("variance") { 1.0 } else { 0.0 };
    let count = shape.iter().product();
    let numbers: Vec<f32> = (0..count)
        .map(|i| (((i * 7919 + rank * 104_729) % 997) as f64 / 997.0 - 0.5 + plus) as f32)
        .collect();
    Tensor::from_vec(numbers, shape.as_slice(), &Device::Cpu).unwrap()
}

fn parameters(structure: Structure) -> Parameters {
    let tensors =
        specifications(&structure).unwrap().into_iter().enumerate().map(|(rank, specification)| {
            (specification.name.clone(), numbers(rank, &specification))
        });
    Parameters::new(structure, tensors.collect::<Vec<_>>()).unwrap()
}

fn close(got: f32, wanted: f32) -> bool {
    (got - wanted).abs() < 2e-5 * wanted.abs().max(1.0)
}

#[test]
fn forward_and_backward_agree_with_pytorch() {
    for &(text, wanted) in GOLDEN {
        let structure: Structure = format!("{text} RDP=0 DP=0").parse().unwrap();
        let network = Network::new(&parameters(structure)).unwrap();
        let told = Told::of(&structure, &views(&moves()));
        let Logits { labels, ahead } = network.logits(&told).unwrap();
        let logits = labels.to_vec2::<f32>().unwrap();
        let legal = (structure.sight || structure.ahead).then(|| {
            let mut bags = Bags::default();
            LEGAL.iter().for_each(|legal| bags.push(legal.iter().copied()));
            (Arc::new(bags), 0.5)
        });
        let batch = Batch { told, targets: Arc::new(TARGETS), legal, played: Arc::new(PLAYED) };
        let loss = network.loss(&batch, &mut ChaCha8Rng::seed_from_u64(0)).unwrap();
        let gradients = loss.backward().unwrap();
        let mut got = vec![loss.to_scalar().unwrap(), logits[0][0], logits[2][700], logits[3][31]];
        if let Some(ahead) = ahead {
            let ahead = ahead.to_vec1::<f32>().unwrap();
            got.extend([ahead[0], ahead[4], ahead[9]]);
        }
        for (name, variable, _) in network.trainable() {
            let gradient = gradients.get(&variable).unwrap();
            let all = specifications(&structure).unwrap();
            let specification = all.iter().find(|specification| specification.name == name);
            let weights = numbers(WEIGHTS, specification.unwrap());
            let sum = (gradient * weights).unwrap().sum_all().unwrap();
            got.push(sum.to_scalar().unwrap());
        }
        assert_eq!(got.len(), wanted.len());
        for (rank, (&got, &wanted)) in got.iter().zip(wanted).enumerate() {
            assert!(close(got, wanted), "{text}, number {rank}: {got}, wanted {wanted}");
        }
    }
}

#[test]
fn the_predictor_gives_the_networks_logits_in_either_precision() {
    for &(text, _) in GOLDEN {
        let structure: Structure = text.parse().unwrap();
        let parameters = parameters(structure);
        let network = Network::new(&parameters).unwrap();
        let moves = moves();
        let told = Told::of(&structure, &views(&moves));
        let Logits { labels, ahead } = network.logits(&told).unwrap();
        let logits = labels.to_vec2::<f32>().unwrap();
        let ahead = ahead.map_or_else(Vec::new, |ahead| ahead.to_vec1::<f32>().unwrap());
        let halved = parameters.halved().unwrap();
        assert_eq!(halved.tensor("output.bias").dtype(), DType::F16);
        for (parameters, tolerance) in [(&parameters, 1e-5), (&halved, 2e-2)] {
            let mut predictor = Predictor::new(parameters).unwrap();
            let mut added = Vec::new();
            for (view, wanted) in views(&moves).iter().zip(&logits) {
                for (got, wanted) in predictor.logits(view).iter().zip(wanted) {
                    assert!((got - wanted).abs() < tolerance, "{text}: {got}, wanted {wanted}");
                }
                added.extend_from_slice(predictor.ahead());
            }
            assert_eq!(added.len(), ahead.len());
            for (got, wanted) in added.iter().zip(&ahead) {
                assert!((got - wanted).abs() < tolerance, "{text}: {got}, wanted {wanted}");
            }
        }
    }
}

#[rustfmt::skip]
// The numbers are loss, three logits and the weighted sum of each tensor's gradient, made by:
//
// import torch
// F = torch.nn.functional
// L = 755
// HISTORIES = [[], [3], [5, 700, 9, 31], [754, 1, 2, 3, 4, 5, 6]]
// TARGETS = torch.tensor([0, 10, 754, 31])
// MEN = [[0, 3779], [], [7, 7, 1234], [100, 200, 300]]
// RATINGS = [[(0, 1.0), (18, 1.0)], [(5, 0.75), (6, 0.25), (19, 1.0)], [(17, 1.0), (18, 1.0)],
//            [(9, 1.0), (27, 0.5), (28, 0.5)]]
// LEGAL = [[0, 1], [10], [3, 754, 9], [30, 31, 32, 33]]
// MOVES = [[[0, 5], [7]], [[1]], [[2, 3], [], [0, 1, 2, 3]], [[4], [5, 6], [7], [0, 7]]]
// PLAYED = [0, 0, 1, 1]
// VALUES = 4000  # any number above those of MOVES
// ACTIVATION = {"ReLU": torch.relu, "softmax": lambda x: torch.softmax(x, -1),
//               "linear": lambda x: x, "tanh": torch.tanh}
//
// def tensor(rank, shape, plus=0.0):
//     i = torch.arange(int(torch.tensor(shape).prod()), dtype=torch.float64)
//     return (((i * 7919 + rank * 104729) % 997) / 997 - 0.5 + plus).reshape(shape)
//
// def read(rnn, act, m, table, kernel, bias):
//     h, rows = kernel.shape[1], []
//     for history in HISTORIES:
//         window = history[-m:]
//         state = cell = torch.zeros(h, dtype=torch.float64)
//         for label in reversed(window) if rnn.startswith("backward") else window:
//             x, u = table[label], kernel @ state
//             if rnn.endswith("GRU"):
//                 r = torch.sigmoid(x[:h] + u[:h] + bias[:h])
//                 z = torch.sigmoid(x[h:2*h] + u[h:2*h] + bias[h:2*h])
//                 n = act(x[2*h:] + bias[3*h:] + r * (u[2*h:] + bias[2*h:3*h]))
//                 state = (1 - z) * n + z * state
//             else:
//                 i, f, g, o = (x + u + bias).chunk(4)
//                 cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * act(g)
//                 state = torch.sigmoid(o) * act(cell)
//         rows.append(state)
//     return torch.stack(rows)
//
// def own_layer(rnn, m, table, kernel, bias):
//     h = kernel.shape[1]
//     own = (torch.nn.GRU if rnn == "GRU" else torch.nn.LSTM)(L, h).double()
//     z = torch.zeros(h, dtype=torch.float64)
//     own.weight_ih_l0.data, own.weight_hh_l0.data = table.T.contiguous(), kernel
//     if rnn == "GRU":
//         own.bias_ih_l0.data = torch.cat([z, z, bias[3*h:]])
//         own.bias_hh_l0.data = bias[:3*h]
//     else:
//         own.bias_ih_l0.data, own.bias_hh_l0.data = bias, torch.zeros(4*h, dtype=torch.float64)
//     out = []
//     for history in HISTORIES:
//         if not history: out.append(z); continue
//         x = F.one_hot(torch.tensor(history[-m:]), L).double()
//         out.append(own(x)[0][-1])
//     return torch.stack(out)
//
// def golden(text):
//     s = dict(word.split("=") for word in text.split())
//     m, h, rnn = int(s["m"]), int(s["RHD"]), s["RNN"]
//     g = 3 if rnn.endswith("GRU") else 4
//     names, p = [], {}
//     def add(name, shape, plus=0.0):
//         p[name] = tensor(len(names), shape, plus).requires_grad_(); names.append(name)
//     add("recurrent.table", [L, g*h]); add("recurrent.kernel", [g*h, h]); add("recurrent.bias", [4*h])
//     if s["BN"] == "yes":
//         add("normalization.scale", [h]); add("normalization.shift", [h])
//         add("normalization.mean", [h]); add("normalization.variance", [h], 1.0)
//     for n in range(int(s["#FC"])):
//         add(f"hidden.{n}.kernel", [h, h]); add(f"hidden.{n}.bias", [h])
//     add("output.kernel", [L, h]); add("output.bias", [L])
//     see, rat = s.get("SEE") == "yes", s.get("RAT") == "yes"
//     if see: add("sight.table", [3780, h])
//     if rat: add("rating.table", [36, h])
//     lah, k = s.get("LAH") == "yes", int(s.get("LHD", 64))
//     if lah:
//         add("ahead.rows", [VALUES, k]); add("ahead.kernel", [k, h]); add("ahead.bias", [k])
//         add("ahead.out", [k, 1]); add("ahead.weights", [VALUES, 1])
//     def forward(training):
//         x = read(rnn, ACTIVATION[s["RA"]], m, *(p["recurrent." + n] for n in ("table", "kernel", "bias")))
//         if rnn in ("GRU", "LSTM") and s["RA"] == "tanh":
//             own = own_layer(rnn, m, *(p["recurrent." + n].detach() for n in ("table", "kernel", "bias")))
//             assert torch.allclose(own, x), (own, x)
//         if s["BN"] == "yes":
//             n = [p["normalization." + n] for n in ("mean", "variance", "scale", "shift")]
//             x = F.batch_norm(x, n[0].detach().clone(), n[1].detach().clone(), n[2], n[3], training)
//         if see: x = x + torch.stack([p["sight.table"][men].sum(0) for men in MEN])
//         if rat: x = x + torch.stack([sum(w * p["rating.table"][r] for r, w in rows) for rows in RATINGS])
//         if see: x = torch.relu(x)
//         for n in range(int(s["#FC"])):
//             y = ACTIVATION[s["FCA"]](F.linear(x, p[f"hidden.{n}.kernel"], p[f"hidden.{n}.bias"]))
//             x = x + y if see else y
//         added = []
//         for row, moves in enumerate(MOVES if lah else []):
//             a = F.linear(x[row], p["ahead.kernel"], p["ahead.bias"])
//             hidden = [torch.relu(a + p["ahead.rows"][f].sum(0)) for f in moves]
//             added.append(torch.cat([u @ p["ahead.out"] + p["ahead.weights"][f].sum(0) for u, f in zip(hidden, moves)]))
//         return F.linear(x, p["output.kernel"], p["output.bias"]), added
//     logits, ahead = forward(False)
//     z, added = forward(True)
//     loss = F.cross_entropy(z, TARGETS)
//     if lah:
//         loss = -sum(torch.log_softmax(z[i, LEGAL[i]] + added[i], 0)[PLAYED[i]] for i in range(4)) / 4
//     elif see:
//         legal = [z[i, t] - torch.logsumexp(z[i, LEGAL[i]], 0) for i, t in enumerate(TARGETS)]
//         loss = loss / 2 - sum(legal) / 8
//     loss.backward()
//     out = [loss.item(), logits[0, 0].item(), logits[2, 700].item(), logits[3, 31].item()]
//     if lah: out += [torch.cat(ahead)[i].item() for i in (0, 4, 9)]
//     for name in names:
//         if "mean" in name or "variance" in name: continue
//         d = p[name].grad
//         out.append((d * tensor(17, list(d.shape))).sum().item())
//     return out
//
// STRUCTURES = [f"m=5 RNN={rnn} RHD=8 RA={ra} BN=no #FC=0 FCA=tanh" for rnn in ("GRU", "LSTM") for ra in ("tanh", "ReLU", "softmax", "linear")]
// STRUCTURES += [f"m=5 RNN={rnn} RHD=8 RA=tanh BN=no #FC=0 FCA=tanh" for rnn in ("backward-GRU", "backward-LSTM")]
// STRUCTURES += [f"m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC={n} FCA={a}" for n, a in ((0, "tanh"), (1, "ReLU"), (1, "softmax"), (2, "linear"), (3, "tanh"))]
// STRUCTURES += [f"m=10 RNN=GRU RHD=8 RA=tanh BN={bn} #FC=2 FCA={a} SEE={see} RAT={rat}" for bn, a, see, rat in (("no", "ReLU", "yes", "yes"), ("yes", "tanh", "yes", "no"), ("yes", "softmax", "no", "yes"))]
// STRUCTURES += [f"m=10 RNN=GRU RHD=8 RA=tanh BN={bn} #FC=2 FCA=ReLU SEE={see} RAT={see} LAH=yes LHD={k}" for bn, see, k in (("no", "yes", 24), ("yes", "no", 3))]
// for text in STRUCTURES:
//     print(f'    ("{text}", &[{", ".join(f"{x:.6}" for x in golden(text))}]),')
const GOLDEN: &[(&str, &[f32])] = &[
    ("m=5 RNN=GRU RHD=8 RA=tanh BN=no #FC=0 FCA=tanh", &[6.87574, -0.32347, -0.360789, 0.113963, -0.111919, 0.0131242, 0.020308, -0.00231288, -0.170015]),
    ("m=5 RNN=GRU RHD=8 RA=ReLU BN=no #FC=0 FCA=tanh", &[6.82366, -0.32347, -0.141405, 0.338043, -0.0846966, 0.0314802, -0.0163584, -0.0158791, -0.168547]),
    ("m=5 RNN=GRU RHD=8 RA=softmax BN=no #FC=0 FCA=tanh", &[6.83493, -0.32347, -0.0737842, 0.15331, -0.0170333, 0.000107077, 0.00174507, -0.0276903, -0.169406]),
    ("m=5 RNN=GRU RHD=8 RA=linear BN=no #FC=0 FCA=tanh", &[6.87553, -0.32347, -0.362729, 0.126777, -0.126084, 0.0165911, 0.0159842, -0.00133031, -0.169967]),
    ("m=5 RNN=LSTM RHD=8 RA=tanh BN=no #FC=0 FCA=tanh", &[6.80399, -0.32347, -0.6558, -0.142981, -0.056155, -0.00516462, -0.0199666, 0.034276, -0.172856]),
    ("m=5 RNN=LSTM RHD=8 RA=ReLU BN=no #FC=0 FCA=tanh", &[6.81384, -0.32347, -0.281478, 0.0831507, -0.0134726, 0.00449492, -0.0133854, 0.0190721, -0.170405]),
    ("m=5 RNN=LSTM RHD=8 RA=softmax BN=no #FC=0 FCA=tanh", &[6.85237, -0.32347, -0.187123, 0.0346573, 0.00555182, 0.000394876, 0.000296, -0.0179274, -0.170042]),
    ("m=5 RNN=LSTM RHD=8 RA=linear BN=no #FC=0 FCA=tanh", &[6.78753, -0.32347, -0.726855, -0.136709, -0.0753394, -0.00999868, -0.0165788, 0.0455813, -0.173158]),
    ("m=5 RNN=backward-GRU RHD=8 RA=tanh BN=no #FC=0 FCA=tanh", &[6.79126, -0.32347, -0.378465, -0.0851698, -0.0745077, 0.022427, 0.0302419, 0.0211491, -0.171759]),
    ("m=5 RNN=backward-LSTM RHD=8 RA=tanh BN=no #FC=0 FCA=tanh", &[6.90122, -0.32347, -0.41757, -0.384482, 0.0167063, -0.00230986, -0.0205551, -0.0546509, -0.172787]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC=0 FCA=tanh", &[6.63257, 0.359435, 0.651095, 1.07969, -0.081986, -0.016599, -0.00180155, -0.0256444, -0.020665, -0.401864, -0.164322]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC=1 FCA=ReLU", &[6.57489, 0.254392, 0.0789105, 0.343656, -0.0417877, -0.0579799, -0.0520238, 0.0221472, -0.0109462, 0.0353838, -0.0126834, 0.0135106, -0.157023]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC=1 FCA=softmax", &[6.62564, -0.0824261, -0.109629, 0.220194, -0.0171451, -0.0122595, -0.010966, -0.00580401, 0.00701041, 0.0109524, 0.00306928, -0.033248, -0.161799]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC=2 FCA=linear", &[6.25922, 0.872079, 0.524849, 0.835389, -0.0306311, 0.0275936, 0.0439821, -0.000586175, 0.0130094, -0.0240598, -0.0122132, 0.206717, -0.00192725, -0.176297, -0.145835]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC=3 FCA=tanh", &[6.80381, 0.53427, 0.778454, 0.403397, -0.00615754, -0.00759073, 0.00253861, -0.00116615, -0.00493268, 0.0105376, 0.00484535, 0.0400391, 0.0138043, -0.125579, -0.00237184, -0.0449032, -0.116928]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=no #FC=2 FCA=ReLU SEE=yes RAT=yes", &[5.38101, -0.246897, 1.87932, 1.32779, -0.166198, -0.0101302, -0.309429, -0.544283, 0.0049635, -0.773787, 0.0110562, -1.30331, -0.119198, -1.03655, -0.137706]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC=2 FCA=tanh SEE=yes RAT=no", &[3.78502, 0.307039, 0.976978, 0.981103, -0.0518305, 0.107605, 0.10718, 0.0511825, -0.011533, -0.224525, -0.109078, -0.141837, -0.0466437, 0.104719, -0.123917, -0.151916]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC=2 FCA=softmax SEE=no RAT=yes", &[6.56105, -0.163329, -0.143456, 0.0849483, 6.08608e-05, -0.000141321, 0.000549591, 0.000122234, 0.00110829, -0.000826655, -0.000451061, -0.00150927, -0.00687451, -0.0303797, -0.14917, 0.0018188]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=no #FC=2 FCA=ReLU SEE=yes RAT=yes LAH=yes LHD=24", &[2.46279, -0.246897, 1.87932, 1.32779, 1.52979, -0.262594, 0.572658, -0.164871, -0.0109902, -0.290589, -0.542644, -0.00936743, -0.656355, 0.00870004, -0.908966, -0.0810333, -1.01259, -0.146884, -0.000540241, 0.0671049, 0.000900324, 0.199674, 0.109572]),
    ("m=10 RNN=GRU RHD=8 RA=tanh BN=yes #FC=2 FCA=ReLU SEE=no RAT=no LAH=yes LHD=3", &[0.812482, 0.0208588, -0.0537805, 0.174498, 0.355252, 0.0512275, 0.131743, 0.0330196, 0.00984164, 0.024147, -0.0139365, -0.0108232, -0.0438466, 0.00668961, 0.0333902, 0.0206823, -0.0525869, -0.140825, -0.0805656, -0.000929839, -0.023324, -0.0300485, 0.0684401]),
];
