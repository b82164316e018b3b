//! What a layout keeps of the kind of file it is of, so that the file need not be looked at again.

use sha2::{Digest, Sha256};

use larder_platform::sheets::{Source, Style};

/// The kind of a file.
pub struct FileKind {
    /// A workbook; else text.
    pub workbook: bool,
    pub delimiter: Option<String>,
    pub encoding: Option<String>,
    pub sheets: Option<Vec<String>>,
    /// The sheet that was looked at: the first, where none was wished.
    pub sheet: Option<String>,
}

impl FileKind {
    /// Of what a file was found to be.
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

/// What a file was found to be, by what its layout kept; `None` when it must be looked at again.
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
    }))
}

/// The same for every file with the same columns, whatever its rows say: the titles as they compare, and what is
/// said for a column that has none.
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
