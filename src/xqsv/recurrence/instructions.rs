//! Which vector instructions this processor has.

/// The instruction sets for which kernels are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "they are x86's"))]
pub enum InstructionSet {
    /// AVX-512 (F, BW, DQ, VL) with AVX2, FMA and F16C.
    Avx512,
    /// AVX2 with FMA and F16C.
    Avx2,
    /// Whatever the program was compiled for.
    Portable,
}

/// The best instruction set that this processor has.
#[cfg(target_arch = "x86_64")]
pub fn instruction_set() -> InstructionSet {
    if !(is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c"))
    {
        InstructionSet::Portable
    } else if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
    {
        InstructionSet::Avx512
    } else {
        InstructionSet::Avx2
    }
}

/// The best instruction set that this processor has.
#[cfg(not(target_arch = "x86_64"))]
pub fn instruction_set() -> InstructionSet {
    InstructionSet::Portable
}
