//! What a file looks like: its columns, what they likely hold, how its dates are written.

use std::fs::File;
use std::ops::ControlFlow;

use larder_domain::sales::detect::{ColumnProfile, Together, is_header, suggest};
use larder_domain::sales::line::shown;
use larder_domain::sales::mapping::{Field, Mapping};
use larder_domain::sales::numbers::{Decimal, DecimalEvidence};
use larder_domain::sales::{DateFormat, names};
use larder_domain::sheet::Row;
use larder_domain::{BusinessDay, Qty};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::imports::layout::{self, FileKind};
use crate::sheets::{MAX_COLUMNS, Refusal, Source, Visitor, read};

/// A text file or a workbook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LayoutFormat {
    /// Text with a delimiter.
    Csv,
    /// A workbook.
    Xlsx,
}

/// What a file looks like.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    /// Text or workbook.
    pub format: LayoutFormat,
    /// What stands between cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// How letters are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether the first row names the columns.
    pub has_header: bool,
    /// The sheets of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheets: Option<Vec<String>>,
    /// The sheet described here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    pub columns: Vec<LayoutColumn>,
    /// How dates are written, as far as the cells tell.
    pub date_formats: Vec<DateReading>,
    /// The decimal mark, as far as the cells tell.
    pub decimal: Decimal,
    /// The file whose mapping is offered again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remembered_from: Option<String>,
    /// How many rows there are, without the header, when all were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// The columns that each look like a product, in a file that has one column for each. Somebody must
    /// say whether they are.
    #[serde(default)]
    pub product_columns: Vec<usize>,
    /// The first rows of such a file, to show what each cell would be read as.
    #[serde(default)]
    pub first_rows: Vec<Vec<String>>,
}

impl Layout {
    /// What the file was found to be; `None` when it must be looked at again.
    #[must_use]
    pub fn source(&self) -> Option<Source> {
        layout::source(self.sheets.as_ref(), self.delimiter.as_ref(), self.encoding.as_ref())
    }
}

impl Layout {
    /// What nobody has said yet about reading the file so, and must: field and sentence.
    #[must_use]
    pub fn questions(&self, mapping: &Mapping) -> Vec<(&'static str, String)> {
        let mut open = Vec::new();
        if !self.product_columns.is_empty() && mapping.products.is_none() {
            let words = format!(
                "{} columns look like one product each. Say whether each is a product.",
                self.product_columns.len()
            );
            open.push(("products", words));
        }
        let counted = mapping.column(Field::Quantity).is_some() || !mapping.products().is_empty();
        let free = |column: &&LayoutColumn| {
            column.may_be_quantity && !mapping.columns.values().any(|used| *used == column.index)
        };
        if !counted
            && !mapping.each_row_is_one
            && let Some(column) = self.columns.iter().find(free)
        {
            let words = format!(
                "«{}» may be the quantity. Choose it, or say that each row counts as one.",
                column.header
            );
            open.push(("columns.quantity", words));
        }
        open
    }
}

/// A column.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LayoutColumn {
    /// Its place, from 0.
    pub index: usize,
    /// Its name in the header, or empty.
    pub header: String,
    /// Its first different cells.
    pub samples: Vec<String>,
    /// What it likely holds.
    pub suggested: Option<Field>,
    /// Whether its numbers may be the quantity. Where no column is chosen for the quantity, somebody
    /// must say that each row is one.
    #[serde(default)]
    pub may_be_quantity: bool,
    /// What its numbers add up to, when all rows were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<Qty>,
}

/// How the dates of some columns are written.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DateReading {
    pub columns: Vec<usize>,
    /// The order of day, month and year.
    pub format: DateFormat,
    /// A cell, and the day it reads as.
    pub example: Example,
    /// Whether the cells prove it; otherwise a person should look.
    pub certain: bool,
}

/// A cell, and the day it reads as.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    /// As written.
    pub raw: String,
    /// As understood: `3 Aug 2019`.
    pub reads: String,
}

/// Rows looked at: enough for any ambiguity to show, quick enough to wait for.
const SAMPLE_CSV: u32 = 100_000;
const SAMPLE_XLSX: u32 = 20_000;

/// Rows shown of a file with one column a product.
const SHOWN_ROWS: usize = 6;

struct Sample {
    most: u32,
    rows: u32,
    whole: bool,
    first: Vec<Vec<u8>>,
    columns: Vec<ColumnProfile>,
    together: Together,
    shown: Vec<Vec<String>>,
    widths: std::collections::BTreeMap<usize, u32>,
}

impl Visitor for Sample {
    fn row<R: Row>(&mut self, _: u32, row: &R) -> ControlFlow<()> {
        let width = row.width().min(MAX_COLUMNS);
        if self.rows >= self.most {
            self.whole = false;
            return ControlFlow::Break(());
        }
        self.rows += 1;
        *self.widths.entry(width).or_default() += 1;
        if self.rows == 1 {
            self.first = (0..width).map(|column| row.cell(column).text.to_vec()).collect();
            return ControlFlow::Continue(());
        }
        if self.columns.len() < width {
            self.columns.resize_with(width, ColumnProfile::default);
        }
        for (column, profile) in self.columns.iter_mut().enumerate().take(width) {
            profile.see(row.cell(column).text);
        }
        self.together.see((0..width).map(|column| row.cell(column).text));
        if self.shown.len() < SHOWN_ROWS {
            self.shown.push((0..width).map(|column| shown(row.cell(column).text)).collect());
        }
        ControlFlow::Continue(())
    }
}

/// Looks at a file (or one sheet of it) and says what its columns likely hold.
///
/// # Errors
/// When it is no table.
pub fn describe(file: &mut File, source: &Source, sheet: Option<&str>) -> Result<Layout, Refusal> {
    let most = match source {
        Source::Csv(_) => SAMPLE_CSV,
        Source::Xlsx { .. } => SAMPLE_XLSX,
    };
    let mut sample = Sample {
        most,
        rows: 0,
        whole: true,
        first: Vec::new(),
        columns: Vec::new(),
        together: Together::default(),
        shown: Vec::new(),
        widths: std::collections::BTreeMap::new(),
    };
    read(file, source, sheet, None, &mut sample)?;
    if sample.rows == 0 {
        return Err(Refusal::new("The sheet is empty. Choose a file with sales."));
    }
    let first: Vec<&[u8]> = sample.first.iter().map(Vec::as_slice).collect();
    let has_header = is_header(&first, &sample.columns);
    let common = sample.widths.iter().max_by_key(|(_, n)| **n).map_or(0, |(width, _)| *width);
    let width = if has_header { first.len() } else { common };
    if !has_header {
        sample.columns.resize_with(width.max(sample.columns.len()), ColumnProfile::default);
        for (column, cell) in sample.columns.iter_mut().zip(&first) {
            column.see(cell);
        }
    } else if sample.rows == 1 {
        return Err(Refusal::new("The file has column names but no rows. Choose a file with sales."));
    }
    if width < 2 {
        return Err(Refusal::new(
            "The file has only one column; sales need at least a date and an item, in columns apart. Export them as CSV or Excel (.xlsx).",
        ));
    }
    sample.columns.resize_with(width, ColumnProfile::default);
    let headers: Option<Vec<String>> = has_header.then(|| first.iter().map(|cell| shown(cell)).collect());
    let guess = suggest(headers.as_deref(), &sample.columns, &sample.together);
    let suggested = guess.fields;
    let mut decimals = DecimalEvidence::default();
    let mut date_formats: Vec<DateReading> = Vec::new();
    for (index, (column, field)) in sample.columns.iter().zip(&suggested).enumerate() {
        if matches!(field, Some(Field::Quantity | Field::UnitPrice | Field::Discount | Field::Net)) {
            decimals.merge(column.decimals);
        }
        if *field != Some(Field::Date) && !column.is_date() {
            continue;
        }
        let Some(verdict) = column.dates.verdict() else { continue };
        match date_formats
            .iter_mut()
            .find(|known| known.format == verdict.format && known.certain == verdict.certain)
        {
            Some(known) => known.columns.push(index),
            None => date_formats.push(DateReading {
                columns: vec![index],
                format: verdict.format,
                certain: verdict.certain,
                example: Example {
                    raw: shown(verdict.example.as_bytes()),
                    reads: BusinessDay(verdict.reads).display(),
                },
            }),
        }
    }
    let columns = sample
        .columns
        .into_iter()
        .zip(suggested)
        .enumerate()
        .map(|(index, (profile, suggested))| LayoutColumn {
            index,
            header: headers.as_ref().and_then(|h| h.get(index).cloned()).unwrap_or_default(),
            may_be_quantity: guess.may_be_quantity.contains(&index),
            sum: profile.sum().filter(|_| sample.whole).map(Qty),
            samples: profile.samples,
            suggested,
        })
        .collect();
    let kind = FileKind::of(source, sheet);
    Ok(Layout {
        format: if kind.workbook { LayoutFormat::Xlsx } else { LayoutFormat::Csv },
        delimiter: kind.delimiter,
        encoding: kind.encoding,
        has_header,
        sheet: kind.sheet,
        sheets: kind.sheets,
        columns,
        date_formats,
        decimal: decimals.verdict(),
        remembered_from: None,
        rows: sample.whole.then(|| sample.rows - u32::from(has_header)),
        first_rows: if guess.products.is_empty() { Vec::new() } else { sample.shown },
        product_columns: guess.products,
    })
}

/// The same for every file with the same columns, whatever its rows say.
#[must_use]
pub fn fingerprint(of: &Layout) -> String {
    let workbook = of.format == LayoutFormat::Xlsx;
    let columns = of.columns.iter();
    let columns = columns.map(|column| (names::key(&column.header), format!("{:?}", column.suggested)));
    layout::fingerprint(of.has_header, workbook, columns)
}
