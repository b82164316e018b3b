//! Advice for an unreadable picture.

use serde::Serialize;

use crate::picture::page::Page;

/// What is wrong with a picture, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Advice {
    TooSmall,
    TooDark,
    TooBlurred,
    TooFaint,
    NoReading,
}

impl Advice {
    /// The message for the photographer.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::TooSmall => "Too small: go closer, fill the frame with the paper.",
            Self::TooDark => "Too dark: find better light or use the flash.",
            Self::TooBlurred => "Too blurred: hold the phone still, fill the frame.",
            Self::TooFaint => "Too faint: light the paper evenly, or print the reading again.",
            Self::NoReading => "No till reading found: photograph the whole Z-reading, upright and flat.",
        }
    }
}

/// A line lower than this many pixels loses its digits.
const LOW: f64 = 15.0;
/// Paper darker than this, of 255, was photographed in the dark.
const DARK: f32 = 50.0;
/// Stroke edges less steep than this are blurred.
const BLURRED: f32 = 2.6;
/// Ink weaker than this is faint.
const FAINT: f32 = 0.12;
/// Weaker than this is no ink at all.
const BLANK: f32 = 0.03;
/// Strokes with less contrast to the grain than this are lost in it.
const GRAINY: f32 = 4.0;

/// The advice for a page. An unreadable one always gets some: `found` tells whether it is a till reading at all, and if
/// so, the advice is its worst problem.
pub fn advice(page: &Page, unreadable: bool, found: bool) -> Option<Advice> {
    let quality = page.quality;
    match () {
        () if page.rhythm && page.pitch < LOW => Some(Advice::TooSmall),
        () if quality.light < DARK => Some(Advice::TooDark),
        () if (!page.rhythm || quality.contrast < BLANK) && unreadable => Some(Advice::NoReading),
        () if quality.sharpness < BLURRED => Some(Advice::TooBlurred),
        () if quality.contrast < FAINT || quality.clarity < GRAINY => Some(Advice::TooFaint),
        () if unreadable && found => Some(worst(page)),
        () if unreadable => Some(Advice::NoReading),
        () => None,
    }
}

/// Of the values within their limits, the one closest to its limit.
fn worst(page: &Page) -> Advice {
    let quality = page.quality;
    let room = [
        (page.pitch / LOW, Advice::TooSmall),
        (f64::from(quality.sharpness / BLURRED), Advice::TooBlurred),
        (f64::from((quality.contrast / FAINT).min(quality.clarity / GRAINY)), Advice::TooFaint),
    ];
    room.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(Advice::TooBlurred, |it| it.1)
}
