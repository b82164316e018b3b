//! Engines that several pages declare things on: connectors to other systems, reports, text recognition.

pub mod connectors;
pub mod ocr;
pub mod reports;
