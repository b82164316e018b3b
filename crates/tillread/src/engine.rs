//! What turns a picture into words. [`crate::Tesseract`] does; another engine can take its place.

use image::GrayImage;

/// How the engine looks for lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// One column of text of any sizes (tesseract's psm 4).
    Column,
    /// One block of even text (psm 6).
    Block,
    /// One line (psm 7).
    Line,
}

/// A word as an engine saw it, in pixels of the picture it was given.
#[derive(Debug, Clone, PartialEq)]
pub struct RawWord {
    pub text: String,
    /// 0 to 1.
    pub confidence: f32,
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    /// Words of one line have the same number.
    pub line: u32,
}

/// Why an engine gave no words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The program is not there.
    #[error("tesseract is not installed: install tesseract-ocr")]
    NotInstalled,
    /// It took longer than it may, in seconds.
    #[error("Reading the picture took longer than {0} seconds and was stopped.")]
    TimedOut(u64),
    /// It ended without an answer; holds what it said.
    #[error("The reading program failed: {0}")]
    Failed(String),
}

/// Reads words off a prepared grey picture, dark on light. Blocks for up to seconds; not for an async thread.
pub trait Engine: Sync {
    /// The words of the picture, line by line.
    ///
    /// # Errors
    /// That the engine is missing, was too slow or failed.
    fn words(&self, picture: &GrayImage, mode: Mode) -> Result<Vec<RawWord>, EngineError>;
}
