//! What was measured, as a table, as JSON and as CSV.

use std::io::Write;

use anyhow::Context;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::Measured;
use crate::{
    cli::table::Table,
    evaluation::{Estimate, Metrics, RANGE_WIDTH, TOP_K, TOP_P},
};

/// How what was measured is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people to read: the most telling numbers.
    Table,
    /// One object with everything.
    Json,
    /// A line for each row, with everything.
    Csv,
}

/// What was measured: a row for each model and range, and one for all ranges of each model.
#[derive(Debug, Serialize)]
pub struct Report {
    rows: Vec<Row>,
    #[serde(skip)]
    has_unfiltered: bool,
}

#[derive(Debug)]
struct Row {
    model: String,
    /// The lower end of the mover's range; `None` for all.
    range: Option<u16>,
    metrics: Metrics,
    has_unfiltered: bool,
}

/// A value of a row.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Count(usize),
    /// Where it is not a number, JSON has null and CSV nothing.
    Number(f64),
}

impl Report {
    /// A report; `has_unfiltered` adds what was predicted before illegal moves were removed.
    pub fn new(measured: &Measured, has_unfiltered: bool) -> Self {
        let mut rows = Vec::new();
        for (model, counts) in measured {
            let row = |range, metrics| Row { model: model.clone(), range, metrics, has_unfiltered };
            rows.extend(counts.ranges().map(|(range, metrics)| row(Some(range), metrics)));
            rows.extend(counts.all().map(|metrics| row(None, metrics)));
        }
        Self { rows, has_unfiltered }
    }

    /// Prints it.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&self, form: Form, out: &mut impl Write) -> anyhow::Result<()> {
        match form {
            Form::Json => writeln!(out, "{}", serde_json::to_string(self)?)?,
            Form::Csv => out.write_all(&self.csv()?)?,
            Form::Table => write!(out, "{}", self.table())?,
        }
        Ok(())
    }

    fn csv(&self) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for (rank, row) in self.rows.iter().enumerate() {
            let values = row.values();
            if rank == 0 {
                writer.write_record(values.iter().map(|(name, _)| name))?;
            }
            writer.write_record(values.iter().map(|(_, value)| match value {
                Value::Text(text) => text.clone(),
                Value::Count(count) => count.to_string(),
                Value::Number(number) if number.is_nan() => String::new(),
                Value::Number(number) => number.to_string(),
            }))?;
        }
        writer.into_inner().context("writing CSV")
    }

    fn table(&self) -> Table {
        let mut titles = vec!["model", "mover's Elo", "games", "moves", "bits", "of uniform"];
        titles.extend(["top-1", "top-2", "top-3", "top-5", "top-10", "p 0.3", "p 0.5", "p 0.8"]);
        if self.has_unfiltered {
            titles.extend(["top-1 unfiltered", "legal"]);
        }
        let has_one_model = self.rows.iter().all(|row| row.model == self.rows[0].model);
        let mut table = Table::new(titles.into_iter().skip(usize::from(has_one_model)));
        for row in &self.rows {
            table.push(row.cells().into_iter().skip(usize::from(has_one_model)));
        }
        table
    }
}

impl Row {
    /// Everything, by name. Shares are between zero and one.
    fn values(&self) -> Vec<(String, Value)> {
        let Metrics { games, plies, bits, uniform_bits, top_k, top_p, .. } = &self.metrics;
        let range = match self.range {
            Some(range) => Value::Count(range.into()),
            None => Value::Text("all".to_owned()),
        };
        let mut values = vec![
            ("model".to_owned(), Value::Text(self.model.clone())),
            ("range".to_owned(), range),
            ("n".to_owned(), Value::Count(*plies)),
            ("games".to_owned(), Value::Count(*games)),
        ];
        let mut push = |name: String, estimate: Estimate| {
            values.push((format!("{name}_se"), Value::Number(estimate.standard_error)));
            let rank = values.len() - 1;
            values.insert(rank, (name, Value::Number(estimate.mean)));
        };
        for (k, &estimate) in TOP_K.iter().zip(top_k) {
            push(format!("top{k}"), estimate);
        }
        for (p, &estimate) in TOP_P.iter().zip(top_p) {
            push(format!("top_p{p}"), estimate);
        }
        push("bits".to_owned(), *bits);
        push("uniform_bits".to_owned(), *uniform_bits);
        if self.has_unfiltered {
            let unknown = Estimate { mean: f64::NAN, standard_error: f64::NAN };
            push("unfiltered_top1".to_owned(), self.metrics.unfiltered_top_1.unwrap_or(unknown));
            push("legal_mass".to_owned(), self.metrics.legal_mass.unwrap_or(unknown));
        }
        values.push(("compression".to_owned(), Value::Number(self.metrics.compression())));
        values
    }

    /// The most telling numbers, shares in per cent.
    fn cells(&self) -> Vec<String> {
        let Metrics { games, plies, bits, top_k, top_p, .. } = &self.metrics;
        let range = self.range.map_or("all".to_owned(), |range| {
            format!("{range}..{}", range.saturating_add(RANGE_WIDTH - 1))
        });
        let share = |estimate: &Estimate| format!("{:.1}", 100.0 * estimate.mean);
        let exact = |estimate: &Estimate| {
            let Estimate { mean, standard_error } = estimate;
            with_error(100.0 * mean, 100.0 * standard_error, 2) + " %"
        };
        let mut cells = vec![
            self.model.clone(),
            range,
            games.to_string(),
            plies.to_string(),
            with_error(bits.mean, bits.standard_error, 3),
            format!("{:.1} %", 100.0 * self.metrics.compression()),
        ];
        cells.extend(top_k.first().map(exact));
        cells.extend([2, 3, 5, 10].iter().filter_map(|k| top_k.get(k - 1)).map(share));
        cells.extend([3, 5, 8].iter().filter_map(|&p| top_p.get(p)).map(share));
        if self.has_unfiltered {
            cells.push(self.metrics.unfiltered_top_1.as_ref().map_or(String::new(), exact));
            cells.push(self.metrics.legal_mass.as_ref().map_or(String::new(), exact));
        }
        cells
    }
}

/// A number with its standard error, where there is one.
fn with_error(number: f64, error: f64, decimals: usize) -> String {
    if error.is_nan() {
        return format!("{number:.decimals$}");
    }
    format!("{number:.decimals$} ± {error:.decimals$}")
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.values();
        let mut map = serializer.serialize_map(Some(values.len()))?;
        for (name, value) in &values {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{ByRange, Observation, Unfiltered};

    fn measured() -> Measured {
        let unfiltered = Unfiltered { top_1: 0.0, legal_mass: 0.5 };
        let observation = Observation::new(&[0.5, 0.25, 0.25], 0).with_unfiltered(unfiltered);
        let mut counts = ByRange::default();
        counts.add(1, Some(1_510), &observation);
        counts.add(2, None, &Observation::new(&[0.5, 0.25, 0.25], 1).with_unfiltered(unfiltered));
        vec![("net".to_owned(), counts)]
    }

    fn written(form: Form, has_unfiltered: bool) -> String {
        let mut text = Vec::new();
        Report::new(&measured(), has_unfiltered).write(form, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn the_object_has_a_row_for_each_range_and_one_for_all() {
        let object: serde_json::Value = serde_json::from_str(&written(Form::Json, false)).unwrap();
        let rows = object["rows"].as_array().unwrap();
        assert_eq!(object.as_object().unwrap().len(), 1);
        assert_eq!(rows.len(), 2);
        assert_eq!((&rows[0]["range"], &rows[0]["n"]), (&1_500.into(), &1.into()));
        assert!(rows[0]["top1_se"].is_null(), "one game has no error");
        assert_eq!((&rows[1]["range"], &rows[1]["n"]), (&"all".into(), &2.into()));
        assert_eq!((&rows[1]["top1"], &rows[1]["bits"]), (&0.5.into(), &1.5.into()));
        assert_eq!(rows[1]["bits_se"], 0.5);
        assert!(rows[1].get("legal_mass").is_none());
    }

    #[test]
    fn every_form_says_the_same() {
        let csv = written(Form::Csv, true);
        let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let titles = lines.next().unwrap();
        let all = lines.next_back().unwrap();
        let value = |name| all[titles.iter().position(|title| *title == name).unwrap()];
        assert_eq!((value("range"), value("top1"), value("legal_mass")), ("all", "0.5", "0.5"));
        let table = written(Form::Table, true);
        let line = table.lines().last().unwrap();
        assert!(line.starts_with("all") && line.contains("50.00 ± 50.00 %"), "{table}");
        assert!(!table.contains("net"), "one model need not be named");
    }
}
