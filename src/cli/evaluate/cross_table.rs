//! Every model's top-1 on every range of ratings, as CSV and as a picture.
//!
//! After Fig. 1 of the XQSV paper, which crosses every net with every range.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, anyhow};
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::Measured;
use crate::{cli::output, evaluation::Metrics};

/// Sizes in the picture, in pixels.
const CELL: (i32, i32) = (86, 34);
const NAMES: i32 = 170;
const TITLES: i32 = 44;
const FONT: i32 = 14;
/// The colors of the least and the greatest share: from white to blue, as in a heat map.
const LEAST: RGBColor = RGBColor(247, 251, 255);
const GREATEST: RGBColor = RGBColor(66, 146, 198);

/// Writes the picture, and the numbers to a CSV file beside it.
///
/// # Errors
/// When a file cannot be written.
pub fn write(file: &Path, measured: &Measured) -> anyhow::Result<()> {
    output::write(&file.with_extension("csv"), &table(measured)?)?;
    output::write(file, picture(measured)?.as_bytes())
}

fn table(measured: &Measured) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["model", "range", "games", "n", "top1", "top1_se"])?;
    for (name, counts) in measured {
        let all = counts.all().map(|metrics| ("all".to_owned(), metrics));
        let ranges = counts.ranges().map(|(range, metrics)| (range.to_string(), metrics));
        for (range, metrics) in ranges.chain(all) {
            let Metrics { games, plies, .. } = metrics;
            let top_1 = metrics.top_1();
            let [games, plies] = [games, plies].map(|count| count.to_string());
            let [mean, error] = [top_1.mean, top_1.standard_error].map(|number| number.to_string());
            writer.write_record([name, &range, &games, &plies, &mean, &error])?;
        }
    }
    writer.into_inner().context("writing CSV")
}

fn picture(measured: &Measured) -> anyhow::Result<String> {
    let rows: Vec<(&str, BTreeMap<u16, Metrics>)> =
        measured.iter().map(|(name, counts)| (name.as_str(), counts.ranges().collect())).collect();
    let columns: Vec<u16> = {
        let all: std::collections::BTreeSet<u16> =
            rows.iter().flat_map(|(_, ranges)| ranges.keys().copied()).collect();
        all.into_iter().collect()
    };
    let shares = || rows.iter().flat_map(|(_, ranges)| ranges.values()).map(|m| m.top_1().mean);
    let least = shares().fold(f64::INFINITY, f64::min);
    let greatest = shares().fold(f64::NEG_INFINITY, f64::max);
    let width = NAMES + CELL.0 * columns.len() as i32 + 12;
    let height = TITLES + CELL.1 * rows.len() as i32 + 12;
    let mut svg = String::new();
    {
        let root =
            SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        root.fill(&WHITE).map_err(drawing)?;
        let font = |h, v| ("sans-serif", FONT).into_font().color(&BLACK).pos(Pos::new(h, v));
        let centered = font(HPos::Center, VPos::Center);
        let text = |text: String, at: (i32, i32), style: &TextStyle| {
            root.draw_text(&text, style, at).map_err(drawing)
        };
        text("top-1, %".to_owned(), (8, TITLES / 2), &font(HPos::Left, VPos::Center))?;
        for (column, low) in columns.iter().enumerate() {
            let x = NAMES + CELL.0 * column as i32 + CELL.0 / 2;
            text(format!("{low}"), (x, TITLES / 2), &centered)?;
        }
        for (row, (name, ranges)) in rows.iter().enumerate() {
            let top = TITLES + CELL.1 * row as i32;
            let middle = top + CELL.1 / 2;
            text((*name).to_owned(), (8, middle), &font(HPos::Left, VPos::Center))?;
            // the best net of a range is what the picture is looked at for
            for (column, low) in columns.iter().enumerate() {
                let Some(metrics) = ranges.get(low) else { continue };
                let left = NAMES + CELL.0 * column as i32;
                let mean = metrics.top_1().mean;
                let shade = (mean - least) / (greatest - least).max(f64::EPSILON);
                let corners = [(left + 1, top + 1), (left + CELL.0 - 1, top + CELL.1 - 1)];
                root.draw(&Rectangle::new(corners, between(shade).filled())).map_err(drawing)?;
                let best = rows
                    .iter()
                    .filter_map(|(_, ranges)| Some(ranges.get(low)?.top_1().mean))
                    .fold(f64::NEG_INFINITY, f64::max);
                if mean == best && rows.len() > 1 {
                    let frame = Rectangle::new(corners, BLACK.stroke_width(2));
                    root.draw(&frame).map_err(drawing)?;
                }
                text(format!("{:.1}", 100.0 * mean), (left + CELL.0 / 2, middle), &centered)?;
            }
        }
        root.present().map_err(drawing)?;
    }
    Ok(svg)
}

/// The color of a share of the way from the least to the greatest.
fn between(share: f64) -> RGBColor {
    let mix = |least: u8, greatest: u8| {
        (f64::from(least) + share * (f64::from(greatest) - f64::from(least))).round() as u8
    };
    RGBColor(mix(LEAST.0, GREATEST.0), mix(LEAST.1, GREATEST.1), mix(LEAST.2, GREATEST.2))
}

fn drawing(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("drawing the cross table: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{ByRange, Observation};

    #[test]
    fn every_model_is_crossed_with_every_range() {
        let counts = |played| {
            let mut counts = ByRange::default();
            let observation = Observation::new(&[0.5, 0.25, 0.25], played);
            counts.add(1, Some(1_250), &observation);
            counts.add(2, Some(1_310), &observation);
            counts
        };
        let measured = vec![("first".to_owned(), counts(0)), ("second".to_owned(), counts(1))];
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cross.svg");
        write(&file, &measured).unwrap();
        let picture = std::fs::read_to_string(&file).unwrap();
        for text in ["first", "second", "1200", "1300", "100.0", "0.0"] {
            assert!(picture.contains(text), "{text}");
        }
        let table = std::fs::read_to_string(folder.path().join("cross.csv")).unwrap();
        assert_eq!(table.lines().count(), 1 + 2 * 3);
        assert!(table.contains("\nsecond,1300,1,1,0,NaN\n"), "{table}");
    }
}
