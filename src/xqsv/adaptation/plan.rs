//! What a search tries: the variables of each phase, with their values.

use serde::{Deserialize, Serialize};

use crate::xqsv::{NetworkError, Plan, Structure, TrainingError, Variable};

/// How many phases the paper's search has, and how many variables each.
const PHASES: usize = 5;
const TOGETHER: usize = 2;

/// What a search tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPlan {
    /// How many minutes each trial trains, validation included; none for all epochs of its plan.
    /// At least one epoch is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// The variables of each phase, with the values to try.
    pub phases: Vec<Vec<Choice>>,
    /// How each trial is trained. Its structure has the values of variables that no phase has
    /// reached.
    pub training: Plan,
}

/// A variable and the values to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The variable.
    pub variable: Variable,
    /// Its values, as [`Structure`]'s text form writes them.
    pub values: Vec<String>,
}

impl SearchPlan {
    /// The paper's search: the ten variables of Table I in its order, two a phase, with all their
    /// candidate values.
    ///
    /// ```
    /// use errare::xqsv::{Plan, SearchPlan};
    ///
    /// let plan = SearchPlan::five_phases(Plan::default());
    /// let trials = |phase: usize| plan.phases[phase].iter().map(|c| c.values.len()).product::<usize>();
    /// assert_eq!([0, 1, 2, 3, 4].map(trials), [16, 12, 8, 20, 16]);
    /// ```
    pub fn five_phases(training: Plan) -> Self {
        let choice = |&variable: &Variable| Choice {
            variable,
            values: training
                .structure
                .candidates(variable)
                .iter()
                .map(|structure| structure.value(variable))
                .collect(),
        };
        let phases = Variable::ALL
            .chunks(TOGETHER)
            .take(PHASES)
            .map(|variables| variables.iter().map(choice).collect())
            .collect();
        Self { minutes: None, phases, training }
    }

    /// The trials of a phase, given what is known of the variables of all others. Of structures
    /// that mean the same network the first is tried.
    pub(super) fn trials(
        &self,
        number: usize,
        base: Structure,
    ) -> Result<Vec<(String, Structure)>, TrainingError> {
        let mut names = vec![String::new()];
        for Choice { variable, values } in &self.phases[number - 1] {
            names = names
                .iter()
                .flat_map(|name| {
                    let gap = if name.is_empty() { "" } else { " " };
                    let abbreviation = variable.abbreviation();
                    values.iter().map(move |value| format!("{name}{gap}{abbreviation}={value}"))
                })
                .collect();
        }
        let mut trials: Vec<(String, Structure)> = Vec::new();
        for name in names {
            let structure: Structure =
                format!("{base} {name}").parse().map_err(NetworkError::from)?;
            if !trials.iter().any(|(_, other)| other.is_same_network(&structure)) {
                trials.push((name, structure));
            }
        }
        Ok(trials)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_no_account_is_not_tried() {
        let plan = SearchPlan::five_phases(Plan::default());
        let trials = |base: Structure| plan.trials(5, base).unwrap().len();
        assert_eq!(trials(Structure::default()), 16);
        assert_eq!(trials(Structure { fc_layers: 0, ..Structure::default() }), 1);
    }
}
