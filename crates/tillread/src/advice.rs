//! What to do for a picture that can be read.

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
    /// In words for the person with the camera.
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
/// Paper darker than this, of 255, is a picture taken in the dark.
const DARK: f32 = 50.0;
/// Edges of strokes less steep than this are blurred.
const BLURRED: f32 = 2.6;
/// Ink of less strength than this is faint.
const FAINT: f32 = 0.12;
/// Less than this is no ink at all.
const BLANK: f32 = 0.03;
/// Strokes that stand out less than this from the grain drown in it.
const GRAINY: f32 = 4.0;

/// What to say of a page. Of one that could not be made out something is always said: `found` tells whether it is a
/// till reading at all, and if it is, what is wrong with its picture most.
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

/// Of what is still within its limits, what is nearest to them.
fn worst(page: &Page) -> Advice {
    let quality = page.quality;
    let room = [
        (page.pitch / LOW, Advice::TooSmall),
        (f64::from(quality.sharpness / BLURRED), Advice::TooBlurred),
        (f64::from((quality.contrast / FAINT).min(quality.clarity / GRAINY)), Advice::TooFaint),
    ];
    room.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(Advice::TooBlurred, |it| it.1)
}
