//! A till's file → rows of cells, whatever delimiter, encoding or workbook it came in, in bounded
//! memory and with a clear sentence for everything that is no table.

mod book;
mod csv;
mod inflate;
mod layout;
mod scan;
mod text;
mod xlsx;
mod xml;
mod zip;

use std::fs::File;
use std::io::{Read, Seek};
use std::ops::ControlFlow;

use larder_domain::sales::line::Row;

pub use layout::{Layout, describe, fingerprint};

/// Why a file cannot be read as a table, in words for the person who chose it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The longest line of a text file that is still one.
pub const MAX_LINE: usize = 1 << 20;
/// More columns than any till writes.
pub const MAX_COLUMNS: usize = 500;
/// More rows than one file may hold; a year of a busy group comes in parts.
pub const MAX_ROWS: u32 = 3_000_000;

/// What a file is, found by looking into it.
#[derive(Debug, Clone)]
pub enum Source {
    /// Text with a delimiter.
    Csv(text::Style),
    /// A workbook and its sheets.
    Xlsx {
        /// The names of its sheets, in order.
        sheets: Vec<String>,
    },
}

impl Source {
    /// What an earlier look found; `None` when that must be done again.
    #[must_use]
    pub fn of(layout: &Layout) -> Option<Self> {
        match layout.format {
            layout::LayoutFormat::Xlsx => Some(Self::Xlsx { sheets: layout.sheets.clone()? }),
            layout::LayoutFormat::Csv => Some(Self::Csv(text::Style {
                encoding: encoding_rs::Encoding::for_label(layout.encoding.as_ref()?.as_bytes())?,
                delimiter: *layout.delimiter.as_ref()?.as_bytes().first()?,
            })),
        }
    }
}

/// Is handed the rows of a file, first to last.
pub trait Visitor {
    /// One row and its number, as a spreadsheet counts (from 1).
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()>;
}

/// Finds out what a file is.
///
/// # Errors
/// When it is no table, or damaged.
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
        return Err(Refusal::new("The file is empty. Choose a file with sales."));
    }
    if head.starts_with(b"PK") {
        zip::check(file)?;
        return Ok(Source::Xlsx { sheets: xlsx::sheets(file)? });
    }
    refuse_other_kinds(&head)?;
    Ok(Source::Csv(text::style(file, &head)?))
}

/// Hands every row to `visitor`. `wanted` names the columns somebody will look at (all, if `None`).
///
/// # Errors
/// When the file breaks off or stops being a table half-way.
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

fn rewind(file: &mut File) -> Result<(), Refusal> {
    file.rewind().map_err(|error| unreadable(&error))
}

fn unreadable(error: &std::io::Error) -> Refusal {
    tracing::warn!(%error, "an uploaded file cannot be read");
    Refusal::new("The file could not be read. Upload it again.")
}

/// Refuses what is plainly something else, by its first bytes.
fn refuse_other_kinds(head: &[u8]) -> Result<(), Refusal> {
    const SIGNS: [(&[u8], &str); 14] = [
        (b"%PDF", "This is a PDF document. Export the sales as CSV or Excel (.xlsx) instead."),
        (b"\x89PNG", "This is a picture. Export the sales as CSV or Excel (.xlsx) instead."),
        (b"\xff\xd8\xff", "This is a picture. Export the sales as CSV or Excel (.xlsx) instead."),
        (b"GIF8", "This is a picture. Export the sales as CSV or Excel (.xlsx) instead."),
        (
            b"\xd0\xcf\x11\xe0",
            "This is an old or password-protected Excel file. Open it and save it as .xlsx without a password, or as CSV.",
        ),
        (b"\x1f\x8b", "This is a compressed file. Unpack it and upload the file inside."),
        (b"Rar!", "This is a compressed file. Unpack it and upload the file inside."),
        (b"7z\xbc\xaf", "This is a compressed file. Unpack it and upload the file inside."),
        (b"{\\rtf", "This is a text document. Export the sales as CSV or Excel (.xlsx) instead."),
        (b"SQLite format 3", "This is a database. Export the sales as CSV or Excel (.xlsx) instead."),
        (b"\x7fELF", "This is a program, not a table. Export the sales as CSV or Excel (.xlsx)."),
        (b"MZ\x90", "This is a program, not a table. Export the sales as CSV or Excel (.xlsx)."),
        (b"RIFF", "This is a picture or sound. Export the sales as CSV or Excel (.xlsx) instead."),
        (b"PAR1", "This is a Parquet file. Export the sales as CSV or Excel (.xlsx) instead."),
    ];
    if let Some((_, words)) = SIGNS.iter().find(|(sign, _)| head.starts_with(sign)) {
        return Err(Refusal::new(*words));
    }
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let lower = start[..start.len().min(200)].to_ascii_lowercase();
    if [&b"<!doctype"[..], b"<html", b"<table", b"<head", b"<body"].iter().any(|sign| lower.starts_with(sign))
    {
        return Err(Refusal::new(
            "This is a web page, though its name may end in .xls. Open it in Excel and save it as .xlsx, or export CSV.",
        ));
    }
    if lower.starts_with(b"<?xml") {
        return Err(Refusal::new("This is an XML file. Export the sales as CSV or Excel (.xlsx) instead."));
    }
    if lower.starts_with(b"{\"") || lower.starts_with(b"[{") || lower.starts_with(b"{\n") {
        return Err(Refusal::new("This is a JSON file. Export the sales as CSV or Excel (.xlsx) instead."));
    }
    Ok(())
}
