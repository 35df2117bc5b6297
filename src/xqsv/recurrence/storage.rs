//! The numbers within candle's tensors.

use candle_core::{CpuStorage, Device, Layout, Result, Storage, Tensor, bail};

/// The numbers of a contiguous argument of an operation.
pub fn numbers<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(numbers), Some((from, to))) => Ok(&numbers[from..to]),
        (CpuStorage::F32(_), None) => bail!("numbers are scattered, wanted contiguous ones"),
        _ => bail!("an argument of type {:?}, wanted F32", storage_kind(storage)),
    }
}

fn storage_kind(storage: &CpuStorage) -> candle_core::DType {
    candle_core::backend::BackendStorage::dtype(storage)
}

/// What `of` makes of a tensor's numbers; they are brought into this computer's memory first.
pub fn with_numbers<R>(tensor: &Tensor, of: impl FnOnce(&[f32]) -> R) -> Result<R> {
    let tensor = tensor.to_device(&Device::Cpu)?.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(storage) => Ok(of(numbers(storage, layout)?)),
        _ => bail!("a tensor that is not in this computer's memory"),
    }
}
