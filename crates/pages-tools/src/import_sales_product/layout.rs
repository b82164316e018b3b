//! Layout of a file: columns, suggested fields, date format.

use std::fs::File;
use std::ops::ControlFlow;

use larder_domain::sales::detect::{ColumnProfile, Together, is_header, suggest};
use larder_domain::sales::line::shown;
use larder_domain::sales::mapping::{Field, Mapping, PriceMeans, TenderColumn};
use larder_domain::sales::numbers::{Decimal, DecimalEvidence};
use larder_domain::sales::shape::{self, Beside, Shape};
use larder_domain::sales::{DateFormat, names};
use larder_domain::sheet::{Quotes, Row};
use larder_domain::{BusinessDay, Qty};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::with;
use super::questions::{Ask, FileUnderTest, Found};
use super::reading;
use super::sayings::Sayings;
use larder_lists::imports::layout;
use larder_lists::imports::layout::FileKind;
use larder_platform::sheets;
use larder_platform::sheets::{MAX_COLUMNS, Refusal, Source, Visitor};

/// File format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LayoutFormat {
    /// Delimited text.
    Csv,
    Xlsx,
    /// JSON records.
    Json,
    /// Fixed-width text.
    Fixed,
}

/// Layout of a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    /// File format.
    pub format: LayoutFormat,
    /// Delimiter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// Character encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether there is a header row.
    pub has_header: bool,
    /// The sheets of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheets: Option<Vec<String>>,
    /// The described sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    pub columns: Vec<LayoutColumn>,
    /// Detected date formats.
    pub date_formats: Vec<DateReading>,
    /// Detected decimal mark.
    pub decimal: Decimal,
    /// The decimal mark that the cells prove, if any; known only while the file is looked at.
    #[serde(skip)]
    pub proven_decimal: Option<Decimal>,
    /// The earlier file whose mapping is suggested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remembered_from: Option<String>,
    /// Number of rows without the header, if all were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// Columns that each look like a product, in a file with one column per product; needs confirmation.
    #[serde(default)]
    pub product_columns: Vec<usize>,
    /// The first rows of such a file, to preview how cells are read.
    #[serde(default)]
    pub first_rows: Vec<Vec<String>>,
    /// Who confirmed that mapping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remembered_by: Option<String>,
    /// Differences from that file.
    #[serde(default)]
    pub differences: Vec<String>,
    /// Position of the table in its sheets.
    #[serde(default)]
    pub shape: Shape,
    /// Where the suggested store is named, if no column holds one: «the title «Larkspur Mall»».
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store_from: Option<String>,
    /// The texts outside the table; known only while the file is looked at.
    #[serde(skip)]
    pub sayings: Sayings,
    /// Suggested mapping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Mapping>,
    /// Questions to answer before it is posted.
    #[serde(default)]
    pub asks: Vec<Ask>,
}

impl Layout {
    /// The detected file format; `None` if it must be detected again.
    #[must_use]
    pub fn source(&self) -> Option<Source> {
        layout::source(self.sheets.as_ref(), self.delimiter.as_ref(), self.encoding.as_ref())
    }
}

impl Layout {
    /// The sheets a mapping reads, in order.
    #[must_use]
    pub fn read_sheets(&self, mapping: &Mapping) -> Vec<String> {
        match (&mapping.sheets, &mapping.sheet) {
            (Some(sheets), _) if !sheets.is_empty() && !self.shape.is_plain() => sheets.clone(),
            (_, Some(sheet)) => vec![sheet.clone()],
            _ => self.sheet.clone().into_iter().collect(),
        }
    }

    /// What a mapping must say before the file can be read: field and text.
    #[must_use]
    pub fn faults(&self, mapping: &Mapping) -> Vec<(&'static str, String)> {
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

/// A column of a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LayoutColumn {
    /// Index, from 0.
    pub index: usize,
    /// Title; may be empty.
    pub header: String,
    /// The title, with the column's letter where another column has the same one.
    #[serde(default)]
    pub label: String,
    /// Its first distinct values.
    pub samples: Vec<String>,
    /// Suggested field.
    pub suggested: Option<Field>,
    /// Whether its numbers may be quantities. Without a quantity column, it has to be confirmed that each row
    /// counts as one.
    #[serde(default)]
    pub may_be_quantity: bool,
    /// Total of its numbers, if all rows were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<Qty>,
}

/// Date format of some columns.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DateReading {
    pub columns: Vec<usize>,
    /// Order of day, month and year.
    pub format: DateFormat,
    /// A cell and the date it is read as.
    pub example: Example,
    /// Whether the cells prove it; otherwise it should be checked.
    pub certain: bool,
}

/// A cell and the date it is read as.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    /// As written.
    pub raw: String,
    /// As read: `3 Aug 2019`.
    pub reads: String,
}

/// Number of rows examined: enough to reveal ambiguities, fast enough for a request.
const SAMPLE_CSV: u32 = 100_000;
const SAMPLE_XLSX: u32 = 20_000;

/// Maximum number of candidates for the net amount.
const MOST_AMOUNTS: usize = 6;

/// Number of rows previewed of a file with one column per product.
const SHOWN_ROWS: usize = 6;

struct Sample {
    most: u32,
    rows: u32,
    whole: bool,
    /// Whether the first row is known to be the header.
    titled: bool,
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
        if self.rows == 1 && !self.titled {
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

/// Detects the layout of a file or sheet, the likely content of its columns, and open questions. `name` is the file's name;
/// sales after `today` are errors.
///
/// # Errors
/// If it is not a table.
pub fn describe(
    file: &mut File,
    source: &Source,
    sheet: Option<&str>,
    name: &str,
    today: BusinessDay,
) -> Result<Layout, Refusal> {
    let most = match source {
        Source::Xlsx { .. } => SAMPLE_XLSX,
        _ => SAMPLE_CSV,
    };
    // What cannot be read to its end is reported by the check, with its line.
    let swallowed = sheets::swallowed(file, source).unwrap_or_default();
    let mut found = Found { swallowed, ..Found::default() };
    let quotes = found.swallowed.map(|_| Quotes::Rows);
    let source = &reading::as_read(source, &Mapping { quotes, ..Mapping::default() });
    let sheet = sheet.or_else(|| reading::sheets_of(source).first().map(String::as_str));
    let peeked = reading::peek(file, source, sheet)?;
    let (mut shape, mut titles) = shape::find(&peeked, sheet, false);
    if let Some(name) = sheet.filter(|_| reading::sheets_of(source).len() > 1) {
        let (known, names) = shape::find(&peeked, sheet, true);
        let alike = if known.is_plain() { Vec::new() } else { reading::alike(file, source, &known, name)? };
        if alike.len() > 1 {
            (shape, titles) = (known, names);
            found.sheets = alike;
        }
    }
    let names: Vec<String> = match found.sheets.is_empty() {
        true => sheet.map(str::to_owned).into_iter().collect(),
        false => found.sheets.clone(),
    };
    let mut sample = Sample {
        most,
        rows: 0,
        whole: true,
        titled: !shape.is_plain(),
        first: Vec::new(),
        columns: Vec::new(),
        together: Together::default(),
        shown: Vec::new(),
        widths: std::collections::BTreeMap::new(),
    };
    reading::each(file, source, &shape, &names, None, &mut sample)?;
    if sample.rows == 0 {
        return Err(Refusal::new("The sheet is empty. Choose a file with sales."));
    }
    if sample.titled {
        sample.first = titles.iter().map(|title| title.as_bytes().to_vec()).collect();
        sample.rows += 1;
    }
    let mut layout = described(sample, shape, FileKind::of(source, sheet), &mut found, (source, today))?;
    layout.sayings = Sayings::of(&layout.shape, &peeked, sheet, name);
    let day = layout.sayings.day();
    if let Some(suggestion) = &mut layout.suggestion {
        suggestion.quotes = quotes;
        if suggestion.column(Field::Date).is_none() {
            suggestion.day = day;
        }
    }
    let mut tested =
        FileUnderTest { file, source, layout: &layout, most, today, known: std::sync::Arc::default() };
    let split = tested.split()?;
    if split.is_proven() {
        found.repeated.retain(|field| *field != Field::TenderAmount);
        layout.suggestion.iter_mut().for_each(|suggestion| suggestion.split_tenders = Some(true));
    }
    if split.pays_receipts() && found.repeated == [Field::TenderAmount] {
        let once = std::mem::take(&mut found.repeated);
        layout.suggestion.iter_mut().for_each(|suggestion| suggestion.once = Some(once.clone()));
    }
    let mut tested =
        FileUnderTest { file, source, layout: &layout, most, today, known: std::sync::Arc::default() };
    let asks = tested.questions(&found)?;
    // Until they are answered, the file is read as the first choices say.
    let first = asks.iter().filter_map(|ask| ask.choices.first());
    layout.suggestion = layout.suggestion.map(|way| first.fold(way, |way, choice| with(&way, &choice.set)));
    layout.asks = asks;
    Ok(layout)
}

fn described(
    mut sample: Sample,
    shape: Shape,
    kind: FileKind,
    found: &mut Found,
    (source, today): (&Source, BusinessDay),
) -> Result<Layout, Refusal> {
    let first: Vec<&[u8]> = sample.first.iter().map(Vec::as_slice).collect();
    let has_header = sample.titled || is_header(&first, &sample.columns);
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
            "The file has only one column. Export it with a comma, semicolon or tab between columns.",
        ));
    }
    sample.columns.resize_with(width, ColumnProfile::default);
    let headers: Option<Vec<String>> = has_header.then(|| first.iter().map(|cell| shown(cell)).collect());
    let mut guess = suggest(headers.as_deref(), &sample.columns, &sample.together);
    found.figure = said_beside(&shape, &sample, found.sheets.len(), &mut guess.fields);
    let suggested = guess.fields;
    let mut decimals = DecimalEvidence::default();
    let mut date_formats: Vec<DateReading> = Vec::new();
    for (index, (column, field)) in sample.columns.iter().zip(&suggested).enumerate() {
        let amount = field.is_some_and(|field| field.may_count_once() && field != Field::Pax);
        if amount || matches!(field, Some(Field::Quantity | Field::UnitPrice)) {
            decimals.merge(column.decimals);
        }
        if *field != Some(Field::Date) && !column.is_date() {
            continue;
        }
        let Some(verdict) = column.dates.verdict_until(today.0) else { continue };
        if *field == Some(Field::Date)
            && let Some(turned) = verdict.turned
            && let Some(other) = verdict.format.turned()
        {
            let read = [(verdict.format, verdict.reads), (other, turned)];
            found.dates = Some((
                shown(verdict.example.as_bytes()),
                read.map(|(format, day)| (format, BusinessDay(day))),
            ));
        }
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
    let title = |at: usize| headers.as_ref().and_then(|h| h.get(at).cloned()).unwrap_or_default();
    let named = |at: usize| told_apart(headers.as_deref().unwrap_or_default(), at);
    let rows = u64::from(sample.rows - u32::from(has_header));
    let at = |wanted: Field| suggested.iter().position(|field| *field == Some(wanted));
    found.repeated = guess.repeated;
    found.gaps = (0..width).filter(|at| sample.columns[*at].filled < rows).collect();
    if !guess.may_be_net.is_empty() {
        let all = at(Field::Net).into_iter().chain(guess.may_be_net);
        found.nets = all.map(|at| (at, named(at))).collect();
    }
    if found.figure.is_none() {
        found.amounts = guess.may_be_amount.iter().take(MOST_AMOUNTS).map(|at| (*at, named(*at))).collect();
    }
    // With column titles, a store column is recognized by its title.
    if !has_header && at(Field::Store).is_none() && at(Field::StoreCode).is_none() {
        let open = (0..width).find(|at| suggested[*at].is_none() && sample.columns[*at].may_be_stores(rows));
        found.store = open.map(|at| (at, sample.columns[at].samples.iter().take(3).cloned().collect()));
    }
    if guess.price_is_open {
        found.price = at(Field::UnitPrice).and_then(|at| sample.columns[at].samples.first().cloned());
    }
    // Numbers in a workbook always use a point.
    let typed = matches!(source, Source::Xlsx { .. } | Source::Json { .. });
    if !typed && guess.decimals.is_empty() {
        let marked = |text: &&String| text.contains(['.', ',']);
        let example = |field: Field| sample.columns[at(field)?].samples.iter().find(marked).cloned();
        if decimals.is_open() {
            let amounts = [Field::Net, Field::UnitPrice, Field::Quantity, Field::Discount];
            found.decimal = amounts.into_iter().find_map(example);
        } else if at(Field::UnitPrice).is_none() && decimals.verdict() == Decimal::Comma {
            // Scales write 1.250 beside amounts like 320,00. Without a price nothing tells what that is.
            let open = at(Field::Quantity).is_some_and(|at| sample.columns[at].decimals.is_open());
            let doubted = example(Field::Quantity).filter(|text| open && text.contains('.'));
            found.only_quantities = doubted.is_some();
            found.decimal = doubted;
        }
    }
    let date = at(Field::Date);
    let dates = date_formats.iter().find(|read| date.is_some_and(|date| read.columns.contains(&date)));
    let suggestion = Mapping {
        has_header,
        sheet: kind.sheet.clone(),
        columns: suggested.iter().enumerate().filter_map(|(at, field)| Some(((*field)?, at))).collect(),
        date_format: dates.or(date_formats.first()).map_or(DateFormat::Ymd, |read| read.format),
        decimal: decimals.verdict(),
        price_means: if guess.price_is_line { PriceMeans::Line } else { PriceMeans::Unit },
        tenders: guess
            .tenders
            .iter()
            .map(|at| TenderColumn { column: *at, name: tender_name(&title(*at)) })
            .collect(),
        negative_discounts: guess.negative_discounts,
        statuses: guess.statuses,
        flags: guess.flags,
        words: guess.words,
        fill_down: guess.status_of_receipts.then(|| vec![Field::Kind]),
        decimals: guess.decimals,
        sheets: (found.sheets.len() > 1).then(|| found.sheets.clone()),
        ..Mapping::default()
    };
    let columns = sample
        .columns
        .into_iter()
        .zip(suggested)
        .enumerate()
        .map(|(index, (profile, suggested))| LayoutColumn {
            index,
            header: title(index),
            label: named(index),
            may_be_quantity: guess.may_be_quantity.contains(&index),
            sum: profile.sum().filter(|_| sample.whole).map(Qty),
            samples: profile.samples,
            suggested,
        })
        .collect();
    Ok(Layout {
        format: match source {
            Source::Xlsx { .. } => LayoutFormat::Xlsx,
            Source::Json { .. } => LayoutFormat::Json,
            Source::Fixed { .. } => LayoutFormat::Fixed,
            Source::Csv(_) => LayoutFormat::Csv,
        },
        delimiter: kind.delimiter,
        encoding: kind.encoding,
        has_header,
        sheet: kind.sheet,
        sheets: kind.sheets,
        columns,
        date_formats,
        decimal: decimals.verdict(),
        proven_decimal: decimals.proven(),
        remembered_from: None,
        remembered_by: None,
        store_from: None,
        sayings: Sayings::default(),
        differences: Vec::new(),
        rows: sample.whole.then(|| sample.rows - u32::from(has_header)),
        first_rows: if guess.products.is_empty() { Vec::new() } else { sample.shown },
        product_columns: guess.products,
        shape,
        suggestion: Some(suggestion),
        asks: Vec::new(),
    })
}

/// A column's title, with its letter where another column has the same title: «Total (column H)».
#[must_use]
pub fn told_apart(titles: &[String], at: usize) -> String {
    let title = titles.get(at).cloned().unwrap_or_default();
    let key = names::key(&title);
    let twice = !key.is_empty() && titles.iter().filter(|other| names::key(other) == key).count() > 1;
    if twice { format!("{title} (column {})", letters(at)) } else { title }
}

/// A column as spreadsheets call it: A, B, …, Z, AA.
fn letters(at: usize) -> String {
    let (before, last) = (at / 26, at % 26);
    let last = char::from(b'A' + u8::try_from(last).unwrap_or(0));
    if before == 0 { last.to_string() } else { format!("{}{last}", letters(before - 1)) }
}

/// Uses values given outside the table for fields without a column; returns the unnamed value column under
/// date headings.
fn said_beside(shape: &Shape, sample: &Sample, sheets: usize, fields: &mut [Option<Field>]) -> Option<usize> {
    let dated = |at: usize| sample.columns.get(at).is_some_and(ColumnProfile::is_date);
    for (n, beside) in shape.beside.iter().enumerate() {
        let at = shape.width + n;
        let field = match beside {
            Beside::Store => Field::Store,
            Beside::Date => Field::Date,
            Beside::Terminal => Field::Terminal,
            Beside::Receipt => Field::Receipt,
            Beside::Heading if dated(at) => Field::Date,
            Beside::Heading => Field::Store,
            Beside::Sheet if sheets > 1 && dated(at) => Field::Date,
            Beside::Sheet if sheets > 1 => Field::Store,
            Beside::Sheet => continue,
        };
        let months = sample
            .columns
            .get(at)
            .is_some_and(|column| column.samples.iter().all(|text| shape::month_of(text).is_some()));
        if at < fields.len() && fields[at].is_none() && !fields.contains(&Some(field)) && !months {
            fields[at] = Some(field);
        }
    }
    let days = shape.days.as_ref()?;
    let day = shape.width + shape.beside.len();
    if day < fields.len() && !fields.contains(&Some(Field::Date)) {
        fields[day] = Some(Field::Date);
    }
    let figure = day + 1;
    let unnamed = days.names.iter().all(String::is_empty) && figure < fields.len();
    if unnamed {
        fields[figure] = Some(Field::Quantity);
    }
    unnamed.then_some(figure)
}

/// Name of a tender type from its column title.
fn tender_name(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let kept =
        words.filter(|word| !["amount", "amt", "sales", "payment"].contains(&word.to_lowercase().as_str()));
    let name = kept.collect::<Vec<_>>().join(" ");
    if name.is_empty() { title.trim().to_owned() } else { name }
}

/// The same for all files with the same columns, whatever their rows.
#[must_use]
pub fn fingerprint(of: &Layout) -> String {
    let workbook = of.format == LayoutFormat::Xlsx;
    let columns = of.columns.iter();
    let columns = columns.map(|column| (names::key(&column.header), format!("{:?}", column.suggested)));
    layout::fingerprint(of.has_header, workbook, columns)
}
