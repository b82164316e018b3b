//! A picture of a till's Z-reading → its fields, each with what proves it. No database, no clock, no network; the only
//! thing outside is the engine that turns a picture into words, a child process with limits.
//!
//! - [`read`] reads a Z-reading: [`Reading`] holds the fields with their places on the picture, the checks with both
//!   sides, a verdict and what to do for a better picture.
//! - [`read_text`] reads any picture: lines of words with their places, and a guess at the table in them.
//! - [`judge`] judges values as passes read them; [`read`] ends with it, and it can be asked without a picture.
//! - [`Template`] says how a terminal prints; [`Template::teach`] makes a new one out of a label and its field.
//! - [`Context`] is what is known beforehand: without it the best verdict is [`Verdict::Review`], for nothing on the
//!   picture proves a TIN, a MIN, a date, a Z counter or the ends of the chain.
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
pub use judge::verdict::{Doubt, FieldReading, Judgement, Verdict, judge};
pub use judge::votes::{Candidate, Votes};
pub use picture::decode::{LONGEST_SIDE, MOST_BYTES};
pub use reader::{Picture, Reading, Text};
pub use tesseract::Tesseract;
pub use text::{Area, Line, Word};

/// Why there is no reading at all. A picture that can be opened and not made out is no refusal: its reading is
/// [`Verdict::Unreadable`] and carries advice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is no picture, or one that cannot be opened.
    #[error(transparent)]
    Picture(#[from] larder_pictures::Refusal),
    #[error("A picture has at most 20 MiB.")]
    TooLarge,
    /// The engine is missing, was too slow or failed: nothing is wrong with the picture.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Reads a picture of a Z-reading. Blocks for one to two seconds, in a bad case as long as the engine's time limit
/// allows for each of up to eight passes.
///
/// # Errors
/// [`Refusal`]: the file is no picture that can be opened, or the engine gave nothing.
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

/// As [`read`], of a picture that is open already.
///
/// # Errors
/// [`Refusal`]: the engine gave nothing.
pub fn read_picture(
    picture: &Picture,
    template: &Template,
    context: &Context,
    engine: &dyn Engine,
) -> Result<Reading, Refusal> {
    reader::read(picture, template, context, engine)
}

/// As [`read_text`], of a picture that is open already.
///
/// # Errors
/// As [`read_picture`].
pub fn read_picture_text(picture: &Picture, engine: &dyn Engine) -> Result<Text, Refusal> {
    reader::read_text(picture, engine)
}
