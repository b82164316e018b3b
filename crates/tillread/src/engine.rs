//! OCR engines. [`crate::Tesseract`] is one; it can be replaced.

use image::GrayImage;

/// The engine's page segmentation mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// One column of text of any sizes (tesseract's psm 4).
    Column,
    /// One block of even text (psm 6).
    Block,
    /// One line (psm 7).
    Line,
}

/// A word from an engine, in pixels of its input.
#[derive(Debug, Clone, PartialEq)]
pub struct RawWord {
    pub text: String,
    /// 0 to 1.
    pub confidence: f32,
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    /// Words of one line share a number.
    pub line: u32,
}

/// Why an engine returned no words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The program is missing.
    #[error("tesseract is not installed: install tesseract-ocr")]
    NotInstalled,
    /// It spent its limit of processor time, in seconds.
    #[error("Reading the picture took more than {0} seconds of processor time and was stopped.")]
    TimedOut(u64),
    /// It did not end within the limit of elapsed time, in seconds.
    #[error("Reading the picture did not end within {0} seconds and was stopped.")]
    Stuck(u64),
    /// It failed; contains its error output.
    #[error("The reading program failed: {0}")]
    Failed(String),
}

/// Reads words from a prepared grey picture, dark on light. Blocks for up to seconds; not for an async thread.
pub trait Engine: Sync {
    /// The words of the picture, line by line.
    ///
    /// # Errors
    /// The engine is missing, was too slow or failed.
    fn words(&self, picture: &GrayImage, mode: Mode) -> Result<Vec<RawWord>, EngineError>;
}
