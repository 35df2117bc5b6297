//! What was measured beside what the XQSV paper published: the counterparts of its Table II, of
//! the last column of its Table III, and of its Table IV.

use std::io::Write;

use super::Measured;
use crate::{
    cli::{published, table::Table},
    evaluation::{Estimate, Metrics, TOP_K, TOP_P},
};

/// Prints the tables for each model.
///
/// # Errors
/// When the output cannot be written.
pub fn write(measured: &Measured, out: &mut impl Write) -> anyhow::Result<()> {
    let titles = ["model", "mover's Elo", "games", "moves", "top-1", "the paper's"];
    let mut by_range =
        Table::new(titles.into_iter().chain(["top-1 unfiltered", "the paper's unfiltered"]));
    for (model, counts) in measured {
        for (range, metrics) in counts.ranges() {
            let paper = |column| published::top_1(range, column).map_or(String::new(), percent);
            by_range.push([
                model.clone(),
                range.to_string(),
                metrics.games.to_string(),
                metrics.plies.to_string(),
                exact(&metrics.top_1()),
                paper(published::WHOLE),
                metrics.unfiltered_top_1.as_ref().map_or(String::new(), exact),
                paper(published::NO_FILTER),
            ]);
        }
    }
    write!(out, "{by_range}")?;
    for (model, counts) in measured {
        let relaxed = counts.ranges().find(|&(range, _)| range == published::RELAXED_RANGE);
        if let Some((range, metrics)) = relaxed {
            write!(out, "\n{model} on {range}\n{}", table_4(&metrics))?;
        }
    }
    Ok(())
}

fn table_4(metrics: &Metrics) -> Table {
    let mut table = Table::new(["k", "top-k", "the paper's", "p", "top-p", "the paper's"]);
    let rows = metrics.top_k.iter().zip(&metrics.top_p).zip(TOP_K.iter().zip(TOP_P));
    let published = published::TOP_K.iter().zip(published::TOP_P);
    for (((top_k, top_p), (k, p)), (paper_k, paper_p)) in rows.zip(published) {
        table.push([
            k.to_string(),
            exact(top_k),
            percent(paper_k / 100.0),
            p.to_string(),
            exact(top_p),
            percent(paper_p / 100.0),
        ]);
    }
    table
}

fn exact(estimate: &Estimate) -> String {
    let Estimate { mean, standard_error } = estimate;
    if standard_error.is_nan() {
        return percent(*mean);
    }
    format!("{:.2} ± {:.2} %", 100.0 * mean, 100.0 * standard_error)
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{ByRange, Observation};

    #[test]
    fn the_papers_figures_stand_beside_those_of_their_range() {
        let mut counts = ByRange::default();
        for game in 0..2 {
            counts.add(game, Some(1_250), &Observation::new(&[0.5, 0.25, 0.25], game as usize));
            counts.add(game, Some(1_050), &Observation::new(&[0.5, 0.25, 0.25], 0));
        }
        let mut text = Vec::new();
        write(&vec![("net".to_owned(), counts)], &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        for wanted in ["50.00 ± 50.00 %", "39.74 %", "24.43 %", "76.38 %", "97.38 %"] {
            assert!(text.contains(wanted), "{wanted} is not in {text}");
        }
        let line = text.lines().find(|line| line.contains("1000")).unwrap();
        assert!(line.contains("100.00 ± 0.00 %") && !line.contains("39.74"), "{line}");
    }
}
