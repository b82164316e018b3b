//! The file format stored with a layout, so that the file need not be inspected again.

use sha2::{Digest, Sha256};

use larder_domain::sheet::Quotes;
use larder_platform::sheets::{Source, Style};

/// How a file is read: its format, encoding and delimiter.
pub struct FileKind {
    /// A workbook; otherwise text.
    pub workbook: bool,
    pub delimiter: Option<String>,
    pub encoding: Option<String>,
    pub sheets: Option<Vec<String>>,
    /// The sheet inspected: the first, unless another was requested.
    pub sheet: Option<String>,
}

impl FileKind {
    /// From the detected format.
    pub fn of(source: &Source, sheet: Option<&str>) -> Self {
        match source {
            Source::Csv(style) => Self {
                workbook: false,
                delimiter: Some(char::from(style.delimiter).to_string()),
                encoding: Some(style.encoding.name().to_owned()),
                sheets: None,
                sheet: None,
            },
            Source::Fixed { encoding, .. } => Self {
                workbook: false,
                delimiter: None,
                encoding: Some(encoding.name().to_owned()),
                sheets: None,
                sheet: None,
            },
            Source::Json { .. } => {
                Self { workbook: false, delimiter: None, encoding: None, sheets: None, sheet: None }
            }
            Source::Xlsx { sheets } => Self {
                workbook: true,
                delimiter: None,
                encoding: None,
                sheets: Some(sheets.clone()),
                sheet: sheet.map(str::to_owned).or_else(|| sheets.first().cloned()),
            },
        }
    }
}

/// The format from the stored layout; `None` if the file must be inspected again.
pub fn source(
    sheets: Option<&Vec<String>>,
    delimiter: Option<&String>,
    encoding: Option<&String>,
) -> Option<Source> {
    if let Some(sheets) = sheets {
        return Some(Source::Xlsx { sheets: sheets.clone() });
    }
    Some(Source::Csv(Style {
        encoding: encoding_rs::Encoding::for_label(encoding?.as_bytes())?,
        delimiter: *delimiter?.as_bytes().first()?,
        quotes: Quotes::Cells,
    }))
}

/// Equal for every file with the same columns, whatever its rows: a hash of the titles in comparison form,
/// with a placeholder for untitled columns.
pub fn fingerprint(
    has_header: bool,
    workbook: bool,
    columns: impl IntoIterator<Item = (String, String)>,
) -> String {
    let mut hash = Sha256::new();
    hash.update([u8::from(has_header), u8::from(workbook)]);
    for (title, guess) in columns {
        hash.update(title.as_bytes());
        hash.update([0]);
        if !has_header {
            hash.update(guess.as_bytes());
        }
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
