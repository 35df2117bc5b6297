//! The values among which structures are searched, those of Table I and ours.

use super::{Activation, Recurrence, Structure, Variable, text::YES_NO};

const MEMORIES: [usize; 4] = [5, 10, 15, 20];
const DROPOUTS: [f64; 4] = [0.0, 0.05, 0.1, 0.2];
const HIDDEN: [usize; 3] = [512, 1024, 2048];
const FC_LAYERS: [usize; 5] = [0, 1, 2, 3, 5];
const FC_REGULARIZATIONS: [f64; 4] = [0.0, 0.001, 0.002, 0.005];
const AHEAD_HIDDENS: [usize; 3] = [32, 64, 128];
const ALL_BLOCKS: [usize; 3] = [2, 3, 5];
const ALL_CHANNELS: [usize; 3] = [16, 32, 64];

impl Structure {
    /// This structure with each candidate value of `variable` in turn, in the order of Table I.
    pub fn candidates(&self, variable: Variable) -> Vec<Self> {
        fn each<T: Copy>(values: &[T], with: impl Fn(T) -> Structure) -> Vec<Structure> {
            values.iter().map(|&value| with(value)).collect()
        }
        let base = *self;
        match variable {
            Variable::Memory => each(&MEMORIES, |memory| Self { memory, ..base }),
            Variable::Recurrence => {
                each(&Recurrence::ALL, |recurrence| Self { recurrence, ..base })
            }
            Variable::InputDropout => {
                each(&DROPOUTS, |input_dropout| Self { input_dropout, ..base })
            }
            Variable::Hidden => each(&HIDDEN, |hidden| Self { hidden, ..base }),
            Variable::Activation => {
                each(&Activation::ALL, |activation| Self { activation, ..base })
            }
            Variable::BatchNorm => each(&YES_NO, |batch_norm| Self { batch_norm, ..base }),
            Variable::Dropout => each(&DROPOUTS, |dropout| Self { dropout, ..base }),
            Variable::FcLayers => each(&FC_LAYERS, |fc_layers| Self { fc_layers, ..base }),
            Variable::FcRegularization => {
                each(&FC_REGULARIZATIONS, |fc_regularization| Self { fc_regularization, ..base })
            }
            Variable::FcActivation => {
                each(&Activation::ALL, |fc_activation| Self { fc_activation, ..base })
            }
            Variable::Sight => each(&YES_NO, |sight| Self { sight, ..base }),
            Variable::Rating => each(&YES_NO, |rating| Self { rating, ..base }),
            Variable::Ahead => each(&YES_NO, |ahead| Self { ahead, ..base }),
            Variable::AheadHidden => {
                each(&AHEAD_HIDDENS, |ahead_hidden| Self { ahead_hidden, ..base })
            }
            Variable::Blocks => each(&ALL_BLOCKS, |blocks| Self { blocks, ..base }),
            Variable::Channels => each(&ALL_CHANNELS, |channels| Self { channels, ..base }),
        }
    }
}
