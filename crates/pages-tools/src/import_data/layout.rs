//! Layout of a file: header row, suggested mapping, number and date formats.

use std::fs::File;
use std::ops::ControlFlow;

use larder_domain::sales::DateFormat;
use larder_domain::sales::detect::ColumnProfile;
use larder_domain::sales::numbers::{Decimal, DecimalEvidence};
use larder_domain::sheet::Row;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::fields::{ImportKind, Target, suggest};
use larder_lists::engine::ListDef;
use larder_lists::imports::layout;
use larder_lists::imports::layout::FileKind;
use larder_platform::sheets;
use larder_platform::sheets::{MAX_COLUMNS, Refusal, Source, Visitor};

/// A text file or a workbook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportFormat {
    /// Delimited text.
    Csv,
    Xlsx,
}

/// Layout of a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportLayout {
    /// Text or workbook.
    pub format: ImportFormat,
    /// Delimiter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// Character encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether there is a header row.
    pub has_header: bool,
    /// The header row, numbered as in a spreadsheet; rows above it are titles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_row: Option<u32>,
    /// The sheets of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheets: Option<Vec<String>>,
    /// The described sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Number of rows without the header.
    pub rows: u32,
    /// Likely decimal mark.
    pub decimal: Decimal,
    /// Likely date format.
    pub date_format: DateFormat,
    pub columns: Vec<ImportColumn>,
}

/// A column of a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportColumn {
    /// Index, from 0.
    pub index: usize,
    /// Title; may be empty.
    pub header: String,
    /// Its first distinct values.
    pub samples: Vec<String>,
    /// Suggested field, by its key in a mapping.
    pub suggested: Option<String>,
}

impl ImportLayout {
    /// The detected file format; `None` if it must be detected again.
    #[must_use]
    pub fn source(&self) -> Option<Source> {
        layout::source(self.sheets.as_ref(), self.delimiter.as_ref(), self.encoding.as_ref())
    }
}

/// Maximum number of rows.
pub const MOST_ROWS: u32 = 100_000;
/// The header is among the first rows; reports have titles and dates above it.
const TOP: usize = 15;
/// Number of rows examined for number and date formats.
const PROFILED: u32 = 5_000;

struct Sample {
    top: Vec<(u32, Vec<String>)>,
    columns: Vec<ColumnProfile>,
    rows: u32,
    width: usize,
}

impl Visitor for Sample {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        let width = row.width().min(MAX_COLUMNS);
        self.rows += 1;
        self.width = self.width.max(width);
        if self.top.len() < TOP {
            let cell = |at| String::from_utf8_lossy(row.cell(at).text).trim().to_owned();
            self.top.push((number, (0..width).map(cell).collect()));
        } else if self.rows < PROFILED {
            self.columns.resize_with(self.columns.len().max(width), ColumnProfile::default);
            for (at, column) in self.columns.iter_mut().enumerate().take(width) {
                column.see(row.cell(at).text);
            }
        }
        if self.rows > MOST_ROWS + 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Detects the layout of a file or sheet for records of a list.
///
/// # Errors
/// If it is not a table, or too long.
pub fn describe(
    file: &mut File,
    source: &Source,
    sheet: Option<&str>,
    def: &ListDef,
    targets: &[Target],
) -> Result<ImportLayout, Refusal> {
    let mut sample = Sample { top: Vec::new(), columns: Vec::new(), rows: 0, width: 0 };
    sheets::read(file, source, sheet, None, &mut sample)?;
    if sample.rows > MOST_ROWS + 1 {
        let words = format!("The file has more than {MOST_ROWS} rows. Split it and import the parts.");
        return Err(Refusal::new(words));
    }
    if sample.rows == 0 {
        return Err(Refusal::new("The sheet is empty. Choose another file."));
    }
    let header = header(def, &sample.top, targets);
    let below = header.map_or(0, |at| at + 1);
    if below >= sample.top.len() && sample.rows as usize <= below {
        return Err(Refusal::new("The file has column names but no rows. Fill it in first."));
    }
    let titles: Vec<String> = header.map_or_else(Vec::new, |at| sample.top[at].1.clone());
    sample.columns.resize_with(sample.width, ColumnProfile::default);
    // The first rows were buffered until the header was found; they are the samples.
    let mut columns = vec![ColumnProfile::default(); sample.width];
    for (_, cells) in &sample.top[below..] {
        for (column, cell) in columns.iter_mut().zip(cells) {
            column.see(cell.as_bytes());
        }
    }
    let mut padded = titles;
    padded.resize(sample.width, String::new());
    let suggested = suggest(def, &padded, targets);
    let (decimal, date_format) = writes(&suggested, &columns, &sample.columns);
    let columns = padded.into_iter().zip(columns).zip(suggested).enumerate();
    let columns = columns.map(|(index, ((header, column), suggested))| ImportColumn {
        index,
        header: header.chars().filter(|c| !c.is_control()).take(100).collect(),
        samples: column.samples,
        suggested: suggested.map(|target| target.name.clone()),
    });
    let kind = FileKind::of(source, sheet);
    Ok(ImportLayout {
        format: if kind.workbook { ImportFormat::Xlsx } else { ImportFormat::Csv },
        delimiter: kind.delimiter,
        encoding: kind.encoding,
        has_header: header.is_some(),
        header_row: header.map(|at| sample.top[at].0),
        sheet: kind.sheet,
        sheets: kind.sheets,
        rows: sample.rows - u32::try_from(below).unwrap_or(0),
        decimal,
        date_format,
        columns: columns.collect(),
    })
}

/// The header row: the one with the most known titles, else the first one if it is all text.
fn header(def: &ListDef, top: &[(u32, Vec<String>)], targets: &[Target]) -> Option<usize> {
    let known = |cells: &[String]| suggest(def, cells, targets).iter().flatten().count();
    let best = top.iter().map(|(_, cells)| known(cells)).enumerate().rev().max_by_key(|(_, known)| *known);
    match best {
        Some((at, known)) if known >= 2 => Some(at),
        Some((at, 1)) if filled(&top[at].1) <= 2 => Some(at),
        _ => top.first().filter(|(_, cells)| all_words(cells)).map(|_| 0),
    }
}

fn filled(cells: &[String]) -> usize {
    cells.iter().filter(|cell| !cell.is_empty()).count()
}

fn all_words(cells: &[String]) -> bool {
    let word = |cell: &String| cell.chars().any(char::is_alphabetic) && cell.chars().count() < 60;
    cells.len() > 1 && cells.iter().all(word)
}

/// Number and date formats, from the columns that likely contain them.
fn writes(
    suggested: &[Option<&Target>],
    first: &[ColumnProfile],
    rest: &[ColumnProfile],
) -> (Decimal, DateFormat) {
    let mut decimals = DecimalEvidence::default();
    let mut dates = None;
    for (target, column) in suggested.iter().zip(first).chain(suggested.iter().zip(rest)) {
        let Some(target) = target else { continue };
        match target.kind() {
            ImportKind::Quantity | ImportKind::Money | ImportKind::Factor => decimals.merge(column.decimals),
            ImportKind::Date => match (&dates, column.dates.verdict()) {
                (None, Some(verdict)) => dates = Some(verdict),
                (Some(known), Some(verdict)) if verdict.certain && !known.certain => dates = Some(verdict),
                _ => {}
            },
            _ => {}
        }
    }
    (decimals.verdict(), dates.map_or(DateFormat::Ymd, |verdict| verdict.format))
}
