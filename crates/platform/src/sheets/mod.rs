//! Reads an uploaded file into rows of cells, for any delimiter, encoding or workbook, in bounded memory and
//! with a clear message for everything that is not a table.

mod csv;
mod cuts;
mod fixed;
mod guard;
mod json;
mod kinds;
mod text;
mod xlsx;

use std::fs::File;
use std::io::{Read, Seek};
use std::ops::ControlFlow;

use larder_domain::sheet::Row;

pub use csv::Swallowed;
pub use text::Style;

/// Why a file cannot be read as a table, worded for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The longest line of a text file, in bytes.
pub const MAX_LINE: usize = 1 << 20;
/// More columns than any of our tables has.
pub const MAX_COLUMNS: usize = 500;
/// The most rows per file; a year of a busy group comes in parts.
pub const MAX_ROWS: u32 = 3_000_000;

/// The detected format of a file.
#[derive(Debug, Clone)]
pub enum Source {
    /// Delimited text.
    Csv(Style),
    /// Fixed-width text.
    Fixed {
        encoding: &'static encoding_rs::Encoding,
        /// Start of each column, in characters from 0.
        cuts: Vec<usize>,
    },
    /// JSON records; the first row holds the column names.
    Json {
        /// The paths of their values.
        columns: Vec<String>,
    },
    /// An Excel workbook.
    Xlsx {
        /// Sheet names, in order.
        sheets: Vec<String>,
    },
}

/// Receives the rows of a file in order.
pub trait Visitor {
    /// One row with its number as in a spreadsheet (from 1).
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()>;

    /// The following rows belong to this sheet.
    fn sheet(&mut self, _: &str) {}
}

/// Detects the format of a file.
///
/// # Errors
/// If it is not a table, or damaged.
pub fn inspect(file: &mut File) -> Result<Source, Refusal> {
    let mut head = vec![0; 64 * 1024];
    rewind(file)?;
    let mut filled = 0;
    while filled < head.len() {
        match file.read(&mut head[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) => return Err(unreadable(&error)),
        }
    }
    head.truncate(filled);
    if head.is_empty() {
        return Err(Refusal::new("The file is empty. Choose another file."));
    }
    if head.starts_with(b"PK") {
        guard::check(file)?;
        return Ok(Source::Xlsx { sheets: xlsx::sheets(file)? });
    }
    if json::is_json(&head) {
        return Ok(Source::Json { columns: json::columns(file)? });
    }
    kinds::refuse(&head)?;
    text::source(file, &head)
}

/// Passes every row to `visitor`. `wanted` lists the columns needed (`None`: all).
///
/// # Errors
/// If the file breaks off or stops being a table midway.
pub fn read(
    file: &mut File,
    source: &Source,
    sheet: Option<&str>,
    wanted: Option<&[usize]>,
    visitor: &mut impl Visitor,
) -> Result<(), Refusal> {
    rewind(file)?;
    match source {
        Source::Csv(style) => csv::read(file, style, visitor),
        Source::Fixed { encoding, cuts } => fixed::read(file, encoding, cuts, visitor),
        Source::Json { columns } => json::read(file, columns, visitor),
        Source::Xlsx { sheets } => {
            let sheet = match sheet {
                Some(name) if sheets.iter().any(|s| s == name) => name,
                Some(name) => {
                    return Err(Refusal::new(format!("The workbook has no sheet «{name}». Choose another.")));
                }
                None => sheets.first().map_or("", String::as_str),
            };
            xlsx::read(file, sheet, wanted, visitor)
        }
    }
}

/// The first quoted cell of a delimited text that holds rows of the file, because its quote is not closed on its line:
/// what [`larder_domain::sheet::Quotes`] decides. `None` for any other file. Reads the file once.
///
/// # Errors
/// If the file breaks off or has too long lines.
pub fn swallowed(file: &mut File, source: &Source) -> Result<Option<Swallowed>, Refusal> {
    let Source::Csv(style) = source else { return Ok(None) };
    rewind(file)?;
    csv::swallowed(file, style)
}

fn rewind(file: &mut File) -> Result<(), Refusal> {
    file.rewind().map_err(|error| unreadable(&error))
}

fn unreadable(error: &std::io::Error) -> Refusal {
    tracing::warn!(%error, "an uploaded file cannot be read");
    Refusal::new("The file could not be read. Upload it again.")
}
