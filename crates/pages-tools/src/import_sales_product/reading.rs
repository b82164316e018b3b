//! The rows of a file as a plain table, wherever it is in the sheets.

use std::fs::File;
use std::ops::ControlFlow;

use larder_domain::sales::Mapping;
use larder_domain::sales::shape::{Peeked, Shape, Shaper};
use larder_domain::sheet::Row;

use larder_platform::sheets;
use larder_platform::sheets::{MAX_COLUMNS, Refusal, Source, Style, Visitor};

/// Number of rows searched for the table.
const PEEKED: usize = 90;
/// Maximum number of sheets searched for the same table: one per day of a year, and some more.
const MOST_SHEETS: usize = 400;

/// The format of a file as a mapping reads it.
#[must_use]
pub fn as_read(source: &Source, mapping: &Mapping) -> Source {
    match source {
        Source::Csv(style) => Source::Csv(Style { quotes: mapping.quotes.unwrap_or_default(), ..*style }),
        other => other.clone(),
    }
}

/// Passes on the table rows of the given sheets, sheet by sheet; without sheets, of the only or first one.
/// `wanted` are the columns to read, if the table is in plain form.
///
/// # Errors
/// As [`sheets::read`].
pub fn each(
    file: &mut File,
    source: &Source,
    shape: &Shape,
    names: &[String],
    wanted: Option<&[usize]>,
    visitor: &mut impl Visitor,
) -> Result<(), Refusal> {
    if shape.is_plain() {
        return sheets::read(file, source, names.first().map(String::as_str), wanted, visitor);
    }
    let mut through =
        Through { shaper: Shaper::new(shape.clone()), visitor, before: 0, last: 0, stopped: false };
    let only = [sheets_of(source).first().cloned().unwrap_or_default()];
    let workbook = matches!(source, Source::Xlsx { .. });
    for name in if names.is_empty() { &only } else { names } {
        through.shaper.sheet(name);
        through.visitor.sheet(name);
        // Row numbers continue over sheets, so that they are unique.
        through.before = through.last;
        sheets::read(file, source, workbook.then_some(name.as_str()), None, &mut through)?;
        if through.stopped {
            return Ok(());
        }
        if !through.shaper.found {
            return Err(Refusal::new(format!(
                "The sheet «{name}» has no table with the columns of the others."
            )));
        }
    }
    Ok(())
}

struct Through<'v, V> {
    shaper: Shaper,
    visitor: &'v mut V,
    before: u32,
    last: u32,
    stopped: bool,
}

impl<V: Visitor> Visitor for Through<'_, V> {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        self.last = self.before.saturating_add(number);
        let (last, visitor, stopped) = (self.last, &mut *self.visitor, &mut self.stopped);
        self.shaper.row(row, &mut |row| {
            *stopped = *stopped || visitor.row(last, row).is_break();
        });
        if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The sheets of a workbook; empty for other files.
pub(crate) fn sheets_of(source: &Source) -> &[String] {
    match source {
        Source::Xlsx { sheets } => sheets,
        _ => &[],
    }
}

/// The first rows of a sheet.
///
/// # Errors
/// As [`sheets::read`].
pub(crate) fn peek(file: &mut File, source: &Source, sheet: Option<&str>) -> Result<Vec<Peeked>, Refusal> {
    struct First(Vec<Peeked>);
    impl Visitor for First {
        fn row<R: Row>(&mut self, _: u32, row: &R) -> ControlFlow<()> {
            self.0.push(Peeked::of(row, MAX_COLUMNS));
            if self.0.len() >= PEEKED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let mut first = First(Vec::new());
    sheets::read(file, source, sheet, None, &mut first)?;
    Ok(first.0)
}

/// The sheets of a workbook with the given table, including this one.
///
/// # Errors
/// As [`sheets::read`], and if there are more sheets than are searched, because the rest would be lost
/// silently.
pub fn alike(file: &mut File, source: &Source, shape: &Shape, sheet: &str) -> Result<Vec<String>, Refusal> {
    let mut found = Vec::new();
    let sheets = sheets_of(source);
    if sheets.len() > MOST_SHEETS {
        return Err(Refusal::new(format!(
            "The workbook has {} sheets; at most {MOST_SHEETS} are read. Split it into smaller workbooks.",
            sheets.len()
        )));
    }
    for name in sheets {
        let mut shaper = Shaper::new(shape.clone());
        shaper.sheet(name);
        let mut rows = 0;
        if name != sheet {
            let peeked = peek(file, source, Some(name))?;
            peeked.iter().for_each(|row| shaper.row(row, &mut |_| rows += 1));
        }
        if name == sheet || (shaper.found && rows > 0) {
            found.push(name.clone());
        }
    }
    Ok(found)
}
