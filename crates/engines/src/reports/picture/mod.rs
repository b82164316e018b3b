//! Charts as images for emails: drawn as SVG with the console's colours and rendered to PNG, with an embedded
//! font. A [`Drawing`] holds everything shown.
//!
//! `Inter-*.ttf`: Inter 4 (SIL Open Font License 1.1), Latin letters and signs only. A font with all scripts has
//! tens of megabytes, so names in other scripts are numbered ([`numbered`]) and listed beside the picture.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};
use skrifa::{FontRef, MetadataProvider as _};

/// Of all text but the title.
const REGULAR: &[u8] = include_bytes!("Inter-Regular.ttf");
/// Of the title.
const SEMI_BOLD: &[u8] = include_bytes!("Inter-SemiBold.ttf");

/// Width and height in points; two pixels per point.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 380.0;
const DOTS: f32 = 2.0;

const INK: &str = "#1f2933";
const SOFT: &str = "#52606d";
const GRID: &str = "#e8e6e0";
/// The console's series colours, and the one for the remainder.
const SERIES: [&str; 6] = ["#0b6f6b", "#f2b544", "#b8331b", "#3f74a3", "#5d7a24", "#7a4b86"];
const SHADES: [&str; 6] = ["#eef3f2", "#cfe8e5", "#9fd0cb", "#55aaa4", "#1b807b", "#084b49"];

/// The most series, points and shaded rows of a chart.
pub const MOST_SERIES: usize = SERIES.len();
/// The most bars side by side or below each other.
pub const MOST_BARS: usize = 14;
/// The most shaded rows.
pub const MOST_SHADED: usize = 16;

/// Type of chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// One horizontal bar per name.
    Names,
    /// Vertical bars over points, several series stacked.
    Bars,
    Lines,
    Heat,
}

/// A named series of values over the points.
#[derive(Debug, Clone)]
pub struct Series {
    pub label: String,
    pub values: Vec<Option<f64>>,
}

/// The data of a chart.
#[derive(Debug, Clone)]
pub struct Drawing {
    pub title: String,
    pub subtitle: String,
    pub style: Style,
    pub points: Vec<String>,
    pub series: Vec<Series>,
    /// Formats a number on an axis.
    pub short: fn(f64) -> String,
}

/// A number in few characters: 1.2M, 35k, 0.5.
#[must_use]
pub fn short(value: f64) -> String {
    let size = value.abs();
    let sign = if value < 0.0 { "−" } else { "" };
    let plain = |value: f64| {
        let text = if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.1}") };
        text.trim_end_matches(".0").to_owned()
    };
    if size >= 1e9 {
        format!("{sign}{}B", plain(size / 1e9))
    } else if size >= 1e6 {
        format!("{sign}{}M", plain(size / 1e6))
    } else if size >= 1e4 {
        format!("{sign}{}k", plain(size / 1e3))
    } else if size >= 1.0 || size == 0.0 {
        format!("{sign}{}", plain(size))
    } else {
        format!("{sign}{size:.2}")
    }
}

/// Formats a share for an axis.
#[must_use]
pub fn percent(value: f64) -> String {
    format!("{:.0}%", value * 100.0)
}

/// A chart whose text the embedded font can write.
#[derive(Debug, Clone)]
pub struct Numbered {
    pub drawing: Drawing,
    /// What stands for which name in the chart, for a table beside it; empty if the chart has the names.
    pub names: Vec<(String, String)>,
}

/// Replaces names the embedded font lacks letters of: points by numbers, series by letters, all or none of each.
/// A title or subtitle it cannot write is left out.
#[must_use]
pub fn numbered(mut drawing: Drawing) -> Numbered {
    let mut names = Vec::new();
    let lacks = |text: &str| !has_all_letters(REGULAR, text);
    if drawing.points.iter().any(|point| lacks(point)) {
        for (number, point) in (1..).zip(&mut drawing.points) {
            names.push((number.to_string(), std::mem::replace(point, number.to_string())));
        }
    }
    // The name of a single series is shown in a heat map only.
    let shown = drawing.series.len() > 1 || drawing.style == Style::Heat;
    if shown && drawing.series.iter().any(|series| lacks(&series.label)) {
        for (letter, series) in ('A'..='Z').zip(&mut drawing.series) {
            names.push((letter.to_string(), std::mem::replace(&mut series.label, letter.to_string())));
        }
    }
    if lacks(&drawing.subtitle) {
        drawing.subtitle.clear();
    }
    if !has_all_letters(SEMI_BOLD, &drawing.title) {
        drawing.title.clear();
    }
    Numbered { drawing, names }
}

/// Whether a font has a glyph for every visible letter of a text.
fn has_all_letters(font: &[u8], text: &str) -> bool {
    let Ok(font) = FontRef::new(font) else { return false };
    let known = font.charmap();
    text.chars().filter(|c| !c.is_control() && !c.is_whitespace()).all(|c| known.map(c).is_some())
}

/// The chart as PNG.
///
/// # Errors
/// If it cannot be rendered.
pub fn png(drawing: &Drawing) -> anyhow::Result<Vec<u8>> {
    static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(REGULAR.to_vec());
        fonts.load_font_data(SEMI_BOLD.to_vec());
        fonts.set_sans_serif_family("Inter");
        Arc::new(fonts)
    });
    let options =
        usvg::Options { font_family: "Inter".to_owned(), fontdb: FONTS.clone(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(&svg(drawing), &options)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are constants")]
    let (width, height) = ((WIDTH * f64::from(DOTS)) as u32, (HEIGHT * f64::from(DOTS)) as u32);
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| anyhow::anyhow!("a picture of no size"))?;
    resvg::render(&tree, Transform::from_scale(DOTS, DOTS), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

/// The chart as SVG.
#[must_use]
pub fn svg(drawing: &Drawing) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"Inter\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>"
    );
    text(&mut out, (20.0, 30.0), &cut(&drawing.title, 70), "font-size=\"16\" font-weight=\"600\"", INK);
    text(&mut out, (20.0, 48.0), &cut(&drawing.subtitle, 100), "font-size=\"11\"", SOFT);
    let top = if drawing.series.len() > 1 && drawing.style != Style::Heat {
        legend(&mut out, drawing);
        86.0
    } else {
        64.0
    };
    match drawing.style {
        Style::Names => names(&mut out, drawing, top),
        Style::Heat => heat(&mut out, drawing, top),
        Style::Bars | Style::Lines => plot(&mut out, drawing, top),
    }
    out.push_str("</svg>");
    out
}

fn text(out: &mut String, (x, y): (f64, f64), words: &str, how: &str, colour: &str) {
    let _ = write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" {how} fill=\"{colour}\">{}</text>", escape(words));
}

fn escape(words: &str) -> String {
    let plain: String = words.chars().filter(|c| !c.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Truncates to `most` characters.
fn cut(words: &str, most: usize) -> String {
    if words.chars().count() <= most {
        return words.to_owned();
    }
    let mut short: String = words.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

fn legend(out: &mut String, drawing: &Drawing) {
    let mut x = 20.0;
    for (at, series) in drawing.series.iter().enumerate() {
        let label = cut(&series.label, 18);
        let _ = write!(
            out,
            "<rect x=\"{x:.1}\" y=\"58\" width=\"10\" height=\"10\" rx=\"2\" fill=\"{}\"/>",
            SERIES[at % SERIES.len()]
        );
        text(out, (x + 14.0, 67.0), &label, "font-size=\"11\"", INK);
        x += 26.0 + label.chars().count() as f64 * 6.2;
    }
}

/// An axis with round steps over all values: from, to and step.
fn scale(least: f64, most: f64) -> (f64, f64, f64) {
    let (least, most) = (least.min(0.0), most.max(0.0));
    let span = if most - least > 0.0 { most - least } else { 1.0 };
    let rough = span / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|by| by * power >= rough).unwrap_or(10.0) * power;
    ((least / step).floor() * step, (most / step).ceil() * step, step)
}

fn names(out: &mut String, drawing: &Drawing, top: f64) {
    let Some(series) = drawing.series.first() else { return };
    let (left, right, foot) = (190.0, 70.0, 16.0);
    let many = drawing.points.len().max(1) as f64;
    let height = ((HEIGHT - top - foot) / many).min(34.0);
    let all = || series.values.iter().filter_map(|value| *value);
    let (least, most) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let span = if most - least > 0.0 { most - least } else { 1.0 };
    let x = |value: f64| left + (value - least) / span * (WIDTH - left - right);
    for (at, (point, value)) in drawing.points.iter().zip(&series.values).enumerate() {
        let y = top + at as f64 * height;
        let middle = y + height / 2.0 + 4.0;
        text(out, (left - 8.0, middle), &cut(point, 28), "font-size=\"11\" text-anchor=\"end\"", INK);
        let Some(value) = *value else { continue };
        let (from, to) = (x(value.min(0.0)), x(value.max(0.0)));
        let _ = write!(
            out,
            "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" fill=\"{}\"/>",
            y + 3.0,
            (to - from).max(1.0),
            (height - 6.0).max(2.0),
            SERIES[0]
        );
        text(out, (to + 6.0, middle), &(drawing.short)(value), "font-size=\"11\"", SOFT);
    }
}

fn plot(out: &mut String, drawing: &Drawing, top: f64) {
    let (left, right, foot) = (58.0, 20.0, 40.0);
    let stacked = drawing.style == Style::Bars;
    let many = drawing.points.len();
    let of = |series: &Series, at: usize| series.values.get(at).copied().flatten();
    let (mut least, mut most) = (0f64, 0f64);
    for at in 0..many {
        let values = || drawing.series.iter().filter_map(|series| of(series, at));
        if stacked {
            most = most.max(values().filter(|value| *value > 0.0).sum());
            least = least.min(values().filter(|value| *value < 0.0).sum());
        } else {
            most = values().fold(most, f64::max);
            least = values().fold(least, f64::min);
        }
    }
    let (from, to, step) = scale(least, most);
    let y = |value: f64| top + (1.0 - (value - from) / (to - from)) * (HEIGHT - top - foot);
    let width = (WIDTH - left - right) / many.max(1) as f64;
    let mut tick = from;
    while tick <= to + step / 2.0 {
        let at = y(tick);
        let _ = write!(
            out,
            "<line x1=\"{left}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"{GRID}\"/>",
            WIDTH - right
        );
        text(
            out,
            (left - 8.0, at + 4.0),
            &(drawing.short)(tick),
            "font-size=\"11\" text-anchor=\"end\"",
            SOFT,
        );
        tick += step;
    }
    let letters = (width / 6.0).max(3.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    let (every, letters) =
        (((52.0 / width).ceil() as usize).max(1), (letters * (52.0 / width).ceil().max(1.0)) as usize);
    for (at, point) in drawing.points.iter().enumerate().step_by(every) {
        let middle = left + (at as f64 + 0.5) * width;
        text(
            out,
            (middle, HEIGHT - foot + 18.0),
            &cut(point, letters),
            "font-size=\"11\" text-anchor=\"middle\"",
            SOFT,
        );
    }
    if stacked {
        for at in 0..many {
            let (mut up, mut down) = (0.0, 0.0);
            for (nth, series) in drawing.series.iter().enumerate() {
                let Some(value) = of(series, at) else { continue };
                let base = if value >= 0.0 { &mut up } else { &mut down };
                let (one, other) = (y(*base), y(*base + value));
                *base += value;
                let _ = write!(
                    out,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
                    left + at as f64 * width + width * 0.15,
                    one.min(other),
                    width * 0.7,
                    (one - other).abs().max(0.5),
                    SERIES[nth % SERIES.len()]
                );
            }
        }
        return;
    }
    for (nth, series) in drawing.series.iter().enumerate() {
        let colour = SERIES[nth % SERIES.len()];
        let mut path = String::new();
        let mut open = false;
        for at in 0..many {
            let Some(value) = of(series, at) else {
                open = false;
                continue;
            };
            let (x, y) = (left + (at as f64 + 0.5) * width, y(value));
            let _ = write!(path, "{}{x:.1} {y:.1}", if open { "L" } else { "M" });
            open = true;
            if many <= 32 {
                let _ = write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>");
            }
        }
        let _ = write!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
    }
}

fn heat(out: &mut String, drawing: &Drawing, top: f64) {
    let (left, right, foot) = (170.0, 20.0, 34.0);
    let rows = drawing.series.len().max(1) as f64;
    let height = ((HEIGHT - top - foot) / rows).min(26.0);
    let width = ((WIDTH - left - right) / drawing.points.len().max(1) as f64).min(64.0);
    let most = drawing
        .series
        .iter()
        .flat_map(|series| &series.values)
        .filter_map(|value| *value)
        .fold(0.0, f64::max);
    for (at, series) in drawing.series.iter().enumerate() {
        let y = top + at as f64 * height;
        text(
            out,
            (left - 8.0, y + height / 2.0 + 4.0),
            &cut(&series.label, 25),
            "font-size=\"11\" text-anchor=\"end\"",
            INK,
        );
        for (nth, value) in series.values.iter().enumerate() {
            let part = value.filter(|value| *value > 0.0).map_or(0.0, |value| value / most * 4.999);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 5")]
            let shade = if part > 0.0 { part as usize + 1 } else { 0 };
            let _ = write!(
                out,
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
                left + nth as f64 * width,
                (width - 1.0).max(1.0),
                height - 1.0,
                SHADES[shade.min(5)]
            );
        }
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    let every = ((56.0 / width).ceil() as usize).max(1);
    for (nth, point) in drawing.points.iter().enumerate().step_by(every) {
        let x = left + (nth as f64 + 0.5) * width;
        let y = top + rows * height + 16.0;
        text(out, (x, y), &cut(point, 9), "font-size=\"11\" text-anchor=\"middle\"", SOFT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(style: Style, series: usize) -> Drawing {
        let one = |at: usize| Series {
            label: format!("Store <{at}> & more"),
            values: vec![Some(at as f64 + 1.0), None, Some(-2.0), Some(1e6)],
        };
        Drawing {
            title: "Net sales ₱ by store".into(),
            subtitle: "1 to 7 Nov 2026".into(),
            style,
            points: ["Mon", "Tue", "Wed", "Thu"].map(str::to_owned).to_vec(),
            series: (0..series).map(one).collect(),
            short,
        }
    }

    #[test]
    fn every_style_is_drawn_with_much_and_no_data() {
        for style in [Style::Names, Style::Bars, Style::Lines, Style::Heat] {
            for series in [0, 1, 5] {
                let picture = png(&drawing(style, series)).expect("a picture");
                assert!(picture.starts_with(b"\x89PNG"), "{style:?}");
            }
        }
    }

    #[test]
    fn text_is_rendered() {
        let (with, without) =
            (drawing(Style::Lines, 1), Drawing { title: String::new(), ..drawing(Style::Lines, 1) });
        assert_ne!(png(&with).expect("a picture"), png(&without).expect("a picture"), "the font is there");
        assert!(svg(&drawing(Style::Heat, 1)).contains("Store &lt;0&gt; &amp; more"));
    }

    #[test]
    fn letters_of_other_scripts_are_missing() {
        for font in [REGULAR, SEMI_BOLD] {
            for known in ["", "Mga benta — Ñ", "Piña Colada Ñoño, ₱ 1,234.50…", "Crème\u{a0}brûlée\n«Łódź»"]
            {
                assert!(has_all_letters(font, known), "{known}");
            }
            for lacking in ["Mga benta — 报告 Ñ", "扬州炒饭", "ผัดไทย", "شاي", "Soup 🍲"]
            {
                assert!(!has_all_letters(font, lacking), "{lacking}");
            }
        }
    }

    #[test]
    fn names_that_cannot_be_written_are_numbered() {
        let mut one = drawing(Style::Names, 1);
        one.title = "Mga benta — 报告 Ñ".into();
        one.points[2] = "扬州炒饭".into();
        let Numbered { drawing: shown, names } = numbered(one);
        assert_eq!((shown.title.as_str(), shown.subtitle.as_str()), ("", "1 to 7 Nov 2026"));
        assert_eq!(shown.points, ["1", "2", "3", "4"]);
        let pair = |short: &str, name: &str| (short.to_owned(), name.to_owned());
        assert_eq!(names, [pair("1", "Mon"), pair("2", "Tue"), pair("3", "扬州炒饭"), pair("4", "Thu")]);
        assert!(png(&shown).expect("a picture").starts_with(b"\x89PNG"));

        let mut several = drawing(Style::Bars, 2);
        several.series[0].label = "ชา".into();
        let Numbered { drawing: shown, names } = numbered(several);
        assert_eq!((shown.points[0].as_str(), shown.series[1].label.as_str()), ("Mon", "B"));
        assert_eq!(names, [pair("A", "ชา"), pair("B", "Store <1> & more")]);

        let Numbered { drawing: shown, names } = numbered(drawing(Style::Names, 1));
        assert_eq!((shown.points[0].as_str(), names.len()), ("Mon", 0));
    }

    #[test]
    fn axes_have_round_steps() {
        assert_eq!(scale(0.0, 87.0), (0.0, 100.0, 25.0));
        assert_eq!(
            (short(1_234_567.0), short(-45_000.0), short(0.25)),
            ("1.2M".into(), "−45k".into(), "0.25".into())
        );
    }
}
