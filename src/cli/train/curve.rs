//! The learning curve of a run, as CSV and as a picture.

use std::{ops::Range, path::Path};

use anyhow::{Context, anyhow};
use plotters::prelude::*;

use crate::{cli::output, xqsv::EpochReport};

/// Width and height of the picture, in pixels.
const SIZE: (u32, u32) = (900, 420);
/// The colors of what was learnt and of what was validated on, told apart by everybody.
const LEARNT: RGBColor = RGBColor(213, 94, 0);
const VALIDATED: RGBColor = RGBColor(0, 114, 178);
const GREY: RGBColor = RGBColor(158, 158, 158);

/// Writes `curve.csv` and `curve.svg` into a run's folder.
///
/// # Errors
/// When a file cannot be written.
pub fn write(folder: &Path, epochs: &[EpochReport]) -> anyhow::Result<()> {
    output::write(&folder.join("curve.csv"), &table(epochs)?)?;
    if !epochs.is_empty() {
        output::write(&folder.join("curve.svg"), picture(epochs)?.as_bytes())?;
    }
    Ok(())
}

fn table(epochs: &[EpochReport]) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "epoch",
        "train_bits",
        "valid_bits",
        "valid_bits_se",
        "top1",
        "top1_se",
        "unfiltered_top1",
        "legal_mass",
    ])?;
    for EpochReport { epoch, train_bits, valid } in epochs {
        let mut row = vec![(epoch + 1).to_string(), train_bits.to_string()];
        row.extend(match valid {
            None => vec![String::new(); 6],
            Some(metrics) => [
                metrics.bits.mean,
                metrics.bits.standard_error,
                metrics.top_1().mean,
                metrics.top_1().standard_error,
                metrics.unfiltered_top_1.map_or(f64::NAN, |share| share.mean),
                metrics.legal_mass.map_or(f64::NAN, |share| share.mean),
            ]
            .map(|number| number.to_string())
            .to_vec(),
        });
        writer.write_record(row)?;
    }
    writer.into_inner().context("writing CSV")
}

/// Bits a move to the left, top-1 to the right.
fn picture(epochs: &[EpochReport]) -> anyhow::Result<String> {
    let points = |value: &dyn Fn(&EpochReport) -> Option<f64>| -> Vec<(f64, f64)> {
        let point = |epoch: &EpochReport| Some((f64::from(epoch.epoch + 1), value(epoch)?));
        epochs.iter().filter_map(point).collect()
    };
    let learnt = points(&|epoch| Some(epoch.train_bits));
    let valid = points(&|epoch| Some(epoch.valid.as_ref()?.bits.mean));
    let top_1 = points(&|epoch| Some(100.0 * epoch.valid.as_ref()?.top_1().mean));
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(drawing)?;
        let (left, right) = root.split_horizontally(SIZE.0 / 2);
        let last = epochs.len() as f64;
        let learnt = Line { name: "learnt, without the filter", color: LEARNT, points: learnt };
        let line = |points| Line { name: "validation", color: VALIDATED, points };
        draw(&left, "bits a move", last, &[learnt, line(valid)])?;
        draw(&right, "top-1, %", last, &[line(top_1)])?;
        root.present().map_err(drawing)?;
    }
    Ok(svg)
}

/// A line of a chart: values by epoch.
struct Line<'a> {
    name: &'a str,
    color: RGBColor,
    points: Vec<(f64, f64)>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw(area: &Area<'_>, title: &str, last: f64, lines: &[Line<'_>]) -> anyhow::Result<()> {
    let all = lines.iter().flat_map(|line| line.points.iter().map(|&(_, value)| value));
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .caption(title, ("sans-serif", 18))
        .build_cartesian_2d(0.5..last + 0.5, around(all))
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GREY.mix(0.3))
        .x_desc("epoch")
        .x_labels(10)
        .x_label_formatter(&|&epoch| whole(epoch))
        .y_label_formatter(&|value| format!("{value:.2}"))
        .draw()
        .map_err(drawing)?;
    for &Line { name, color, ref points } in lines {
        chart
            .draw_series(
                LineSeries::new(points.iter().copied(), color.stroke_width(2)).point_size(3),
            )
            .map_err(drawing)?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(GREY)
        .draw()
        .map_err(drawing)
}

/// The number of an epoch; nothing between two.
fn whole(epoch: f64) -> String {
    const CLOSE: f64 = 1e-6;
    if (epoch - epoch.round()).abs() < CLOSE { format!("{epoch:.0}") } else { String::new() }
}

/// A range that holds all values, with some room.
fn around(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    if low > high {
        return 0.0..1.0;
    }
    let room = (0.05 * (high - low)).max(0.01);
    low - room..high + room
}

fn drawing(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("drawing the learning curve: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_validation_has_a_curve_too() {
        let epochs =
            [0, 1].map(|epoch| EpochReport { epoch, train_bits: 5.0, valid: None }).to_vec();
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &epochs).unwrap();
        let table = std::fs::read_to_string(folder.path().join("curve.csv")).unwrap();
        assert_eq!(table.lines().count(), 3);
        assert!(table.ends_with("2,5,,,,,,\n"), "{table}");
        let picture = std::fs::read_to_string(folder.path().join("curve.svg")).unwrap();
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    }
}
