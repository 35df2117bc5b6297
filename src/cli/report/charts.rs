//! Charts of a page.

use anyhow::Context;
use plotters::{
    chart::ChartBuilder,
    drawing::IntoDrawingArea,
    element::{ErrorBar, PathElement, Rectangle, Text},
    prelude::SVGBackend,
    style::{
        Color as _, IntoTextStyle as _, RGBColor, ShapeStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::comparison::Comparison;
use crate::{chess::Phase, evaluation::Metrics};

const OWN: RGBColor = RGBColor(200, 80, 30);
const OTHERS: RGBColor = RGBColor(43, 93, 155);
const INK: RGBColor = RGBColor(60, 60, 60);
const FONT: &str = "sans-serif";
/// How many standard errors a bar of error reaches: about 95 %.
const REACH: f64 = 2.0;

/// Bits of the moves of a phase.
pub struct PhaseBits {
    /// The phase.
    pub phase: Phase,
    /// How well its moves are predicted.
    pub metrics: Metrics,
    /// The bits a move that they are set beside.
    pub others: f64,
}

/// Each weight on a scale of its own: the player's with bars of two standard errors, the others'
/// as a mark.
///
/// # Errors
/// When it cannot be drawn.
pub fn weights(comparisons: &[Comparison]) -> anyhow::Result<String> {
    const ROW: u32 = 64;
    draw((680, ROW * comparisons.len().max(1) as u32), |area| {
        for (area, row) in area.split_evenly((comparisons.len(), 1)).iter().zip(comparisons) {
            let ends = [row.own - REACH * row.error, row.own + REACH * row.error, 0.0];
            let all = || ends.iter().copied().chain(row.others);
            let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
            let room = 0.06 * (high - low).max(f64::EPSILON);
            let from = if low < 0.0 { low - room } else { 0.0 };
            let mut chart = ChartBuilder::on(area)
                .margin_right(20)
                .set_label_area_size(plotters::chart::LabelAreaPosition::Left, 90)
                .set_label_area_size(plotters::chart::LabelAreaPosition::Bottom, 22)
                .build_cartesian_2d(from..high + room, -1.0..1.0)?;
            chart
                .configure_mesh()
                .disable_y_mesh()
                .disable_y_axis()
                .light_line_style(plotters::style::TRANSPARENT)
                .bold_line_style(INK.mix(0.15))
                .axis_style(INK.mix(0.5))
                .x_labels(8)
                .x_label_style((FONT, 12).into_text_style(area))
                .draw()?;
            if let Some(others) = row.others {
                let mark = PathElement::new(vec![(others, -0.8), (others, 0.8)], thick(OTHERS, 4));
                chart.draw_series([mark])?;
            }
            let bar = ErrorBar::new_horizontal(0.0, ends[0], row.own, ends[1], thick(OWN, 3), 14);
            chart.draw_series([bar])?;
            area.draw(&Text::new(row.name, (4, 12), (FONT, 15).into_text_style(area)))?;
        }
        Ok(())
    })
}

/// Bits a move by phase, beside others.
///
/// # Errors
/// When it cannot be drawn.
pub fn phases(phases: &[PhaseBits]) -> anyhow::Result<String> {
    const HEIGHT: u32 = 260;
    draw((680, HEIGHT), |area| {
        let higher = |phase: &PhaseBits| phase.others.max(phase.metrics.bits.mean);
        let highest = phases.iter().map(higher).fold(1.0, f64::max);
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .set_label_area_size(plotters::chart::LabelAreaPosition::Left, 36)
            .set_label_area_size(plotters::chart::LabelAreaPosition::Bottom, 26)
            .build_cartesian_2d(0.0..phases.len().max(1) as f64, 0.0..highest * 1.12)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .light_line_style(plotters::style::TRANSPARENT)
            .bold_line_style(INK.mix(0.15))
            .axis_style(INK.mix(0.5))
            .y_labels(6)
            .y_label_style((FONT, 12).into_text_style(area))
            .draw()?;
        for (number, PhaseBits { phase, metrics, others }) in phases.iter().enumerate() {
            let left = number as f64;
            let bar = |from: f64, to: f64, height: f64, style: ShapeStyle| {
                Rectangle::new([(left + from, 0.0), (left + to, height)], style)
            };
            let (bits, others) = (metrics.bits.mean, *others);
            chart.draw_series([
                bar(0.2, 0.5, bits, OWN.mix(0.85).filled()),
                bar(0.5, 0.8, others, OTHERS.mix(0.45).filled()),
            ])?;
            let reach = REACH * metrics.bits.standard_error;
            if reach.is_finite() {
                let (low, high) = (bits - reach, bits + reach);
                let bar = ErrorBar::new_vertical(left + 0.35, low, bits, high, thick(INK, 1), 10);
                chart.draw_series([bar])?;
            }
            let style = (FONT, 13).into_text_style(area).pos(Pos::new(HPos::Center, VPos::Bottom));
            chart.draw_series([
                Text::new(
                    format!("{bits:.2}"),
                    (left + 0.35, 0.25),
                    style.clone().color(&plotters::style::WHITE),
                ),
                Text::new(format!("{others:.2}"), (left + 0.65, 0.25), style.clone()),
            ])?;
            let (x, y) = chart.backend_coord(&(left + 0.5, 0.0));
            let (left, top) = area.get_base_pixel();
            area.draw(&Text::new(phase.name(), (x - left, y - top + 22), style))?;
        }
        Ok(())
    })
}

/// Something that someone does so many times as often as others would.
pub struct Rate {
    /// What.
    pub text: String,
    /// How many times as often.
    pub times: f64,
    /// The standard error of that.
    pub error: f64,
}

/// How many times as often someone does what, with bars of two standard errors, each on a line of
/// its own; those who do it as often as others stand at the mark.
///
/// # Errors
/// When it cannot be drawn.
pub fn rates(rates: &[Rate]) -> anyhow::Result<String> {
    const ROW: u32 = 26;
    /// Larger rates are drawn at the end.
    const LARGEST: f64 = 2.5;
    /// The share of the width that is for words.
    const WORDS: f64 = 1.2;
    draw((760, ROW * rates.len().max(1) as u32 + 40), |area| {
        let largest = |rate: &Rate| rate.times + REACH * rate.error;
        let end = rates.iter().map(largest).fold(1.5, f64::max).min(LARGEST);
        let from = -WORDS * end;
        let rows = rates.len().max(1) as f64;
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .set_label_area_size(plotters::chart::LabelAreaPosition::Bottom, 24)
            .build_cartesian_2d(from..end, rows..0.0)?;
        let label = |times: &f64| if *times < 0.0 { String::new() } else { format!("{times:.1}") };
        chart
            .configure_mesh()
            .disable_mesh()
            .disable_y_axis()
            .axis_style(INK.mix(0.5))
            .x_labels(12)
            .x_label_formatter(&label)
            .x_label_style((FONT, 12).into_text_style(area))
            .draw()?;
        chart.draw_series([PathElement::new(vec![(1.0, 0.0), (1.0, rows)], thick(OTHERS, 2))])?;
        let words = (FONT, 14).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
        for (row, Rate { text, times, error }) in rates.iter().enumerate() {
            let row = row as f64 + 0.5;
            let within = |times: f64| times.clamp(0.0, end);
            let ends = [times - REACH * error, *times, times + REACH * error].map(within);
            let bar = ErrorBar::new_horizontal(row, ends[0], ends[1], ends[2], thick(OWN, 2), 8);
            chart.draw_series([bar])?;
            chart.draw_series([Text::new(text.clone(), (from, row), words.clone())])?;
        }
        Ok(())
    })
}

type Area<'a> = plotters::drawing::DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw(
    size: (u32, u32),
    onto: impl FnOnce(&Area<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        onto(&area).context("drawing a chart")?;
        area.present().context("drawing a chart")?;
    }
    Ok(svg)
}

fn thick(color: RGBColor, width: u32) -> ShapeStyle {
    color.stroke_width(width).filled()
}
