//! Reads the fields of a till's Z-reading from a picture, each with its evidence. No database, no clock, no network;
//! the only external part is the OCR engine, a child process with limits.
//!
//! - [`read`] reads a Z-reading: [`Reading`] has the fields with their positions on the picture, the checks with both
//!   sides, a verdict and advice for a better picture.
//! - [`read_text`] reads any picture: lines of words with their positions, and a guess at the table in them.
//! - [`judge`] judges the readings of passes; it is the last step of [`read`], and can be called without a picture:
//!   [`Votes`] can be stored. [`judge_next`] does, where the reading of the day before is known.
//! - [`Template`] describes how a terminal prints; [`Template::teach`] makes a new one from a label and its field.
//! - [`Context`] is prior knowledge: without it the best verdict is [`Verdict::Review`], for nothing on the picture
//!   proves a TIN, a MIN, a date, a Z counter or the ends of the chain.
//!
//! A reading takes one to two seconds of processor time on two threads: call it where blocking is allowed.

mod advice;
mod engine;
mod fields;
mod judge;
mod picture;
mod reader;
mod tesseract;
mod text;

pub use advice::Advice;
pub use engine::{Engine, EngineError, Mode, RawWord};
pub use fields::field::{Field, Kind, Value};
pub use fields::parse::DateOrder;
pub use fields::template::{Basis, Template, VatForm};
pub use fields::usual::usual_labels;
pub use judge::checks::{Check, Context, Previous};
pub use judge::verdict::{Doubt, FieldReading, Judgement, Verdict, judge, judge_next};
pub use judge::votes::{Candidate, Votes};
pub use picture::decode::{LONGEST_SIDE, MOST_BYTES};
pub use reader::{Picture, Reading, Text};
pub use tesseract::Tesseract;
pub use text::{Area, Line, Word};

/// Why there is no reading at all. A picture that can be opened but not read is no refusal: its reading is
/// [`Verdict::Unreadable`] and has advice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not a picture, or one that cannot be opened.
    #[error(transparent)]
    Picture(#[from] larder_pictures::Refusal),
    #[error("A picture has at most 20 MiB.")]
    TooLarge,
    /// The engine is missing, was too slow or failed; the picture may be fine.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Reads a picture of a Z-reading. Blocks for one to two seconds, at worst for the engine's time limit in each of up to
/// eight passes.
///
/// # Errors
/// [`Refusal`]: the file cannot be opened as a picture, or the engine failed.
pub fn read(
    bytes: &[u8],
    template: &Template,
    context: &Context,
    engine: &dyn Engine,
) -> Result<Reading, Refusal> {
    read_picture(&Picture::open(bytes)?, template, context, engine)
}

/// Reads the text of any picture. Blocks for about half a second.
///
/// # Errors
/// As [`read`].
pub fn read_text(bytes: &[u8], engine: &dyn Engine) -> Result<Text, Refusal> {
    read_picture_text(&Picture::open(bytes)?, engine)
}

/// As [`read`], for an opened picture.
///
/// # Errors
/// [`Refusal`]: the engine failed.
pub fn read_picture(
    picture: &Picture,
    template: &Template,
    context: &Context,
    engine: &dyn Engine,
) -> Result<Reading, Refusal> {
    reader::read(picture, template, context, engine)
}

/// As [`read_text`], for an opened picture.
///
/// # Errors
/// As [`read_picture`].
pub fn read_picture_text(picture: &Picture, engine: &dyn Engine) -> Result<Text, Refusal> {
    reader::read_text(picture, engine)
}
