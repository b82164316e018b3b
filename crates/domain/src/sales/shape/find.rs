//! Finding the table in the first rows of a sheet.

use super::{Beside, Days, Shape, heading, labels, month_of, sayings};
use crate::sales::DateFormat;
use crate::sales::detect::{bare, is_title};
use crate::sales::numbers::{Decimal, millionths};
use crate::sheet::{Cell, Row};

/// Rows within which a table must begin.
const WITHIN: usize = 45;
/// Minimum number of date columns.
const LEAST_DAYS: usize = 2;

/// A copy of one of the first rows of a sheet.
#[derive(Debug, Clone, Default)]
pub struct Peeked {
    cells: Vec<(String, bool)>,
}

impl Peeked {
    /// A copy of a row of at most `most` columns.
    #[must_use]
    pub fn of(row: &impl Row, most: usize) -> Self {
        let cells = (0..row.width().min(most)).map(|at| {
            let cell = row.cell(at);
            (String::from_utf8_lossy(cell.text).trim().chars().take(300).collect(), cell.number)
        });
        Self { cells: cells.collect() }
    }

    /// Its filled cells.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|(text, _)| text.as_str()).filter(|text| !text.is_empty())
    }

    /// Whether a cell has a column title, without case, spaces and punctuation.
    #[must_use]
    pub fn holds(&self, title: &str) -> bool {
        self.texts().any(|text| bare(text) == title)
    }

    fn text(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", |(text, _)| text)
    }

    fn filled(&self) -> usize {
        self.cells.iter().filter(|(text, _)| !text.is_empty()).count()
    }

    /// The end of its last filled cell.
    fn end(&self) -> usize {
        self.cells.iter().rposition(|(text, _)| !text.is_empty()).map_or(0, |at| at + 1)
    }

    fn has_number(&self) -> bool {
        self.cells.iter().any(|(text, _)| is_number(text))
    }
}

impl Row for Peeked {
    fn width(&self) -> usize {
        self.cells.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        self.cells
            .get(column)
            .map_or(Cell::of(b""), |(text, number)| Cell { number: *number, ..Cell::of(text.as_bytes()) })
    }
}

fn is_number(text: &str) -> bool {
    [Decimal::Point, Decimal::Comma].iter().any(|mark| millionths(text.as_bytes(), *mark).is_ok())
}

/// The layout of the table in the first rows of a named sheet, and its column titles; the plain layout where it begins
/// with the first row, unless titles are `always` needed.
#[must_use]
pub fn find(rows: &[Peeked], sheet: Option<&str>, always: bool) -> (Shape, Vec<String>) {
    let plain = (Shape::default(), Vec::new());
    let head = rows.iter().take(WITHIN);
    let mut month = sheet.and_then(month_of);
    let mut best: Option<(usize, usize)> = None;
    for (at, row) in head.enumerate() {
        let days = day_columns(row, month);
        let figures =
            (0..row.cells.len()).filter(|at| !days.contains(at) && is_number(row.text(*at))).count();
        let (dated, days) = (days.len() >= LEAST_DAYS && figures == 0, days.len());
        let titles = row.cells.iter().filter(|(text, _)| is_title(text)).count();
        let numbers = row.cells.iter().filter(|(text, _)| is_number(text)).count();
        let titled = best.is_some();
        let fits = if dated && titles == 0 && titled {
            // Two dates below column names are those of a sale.
            false
        } else if dated {
            titles >= 1 || at + 1 < rows.len()
        } else {
            titles >= 2 && numbers == 0
        };
        let followed = rows[at + 1..].iter().any(|row| row.filled() >= 2);
        let score = titles + if dated { days + 2 } else { 0 };
        if fits && followed && best.is_none_or(|(_, known)| score > known) {
            best = Some((at, score));
        }
        if month.is_none() {
            month = row.cells.iter().find_map(|(text, _)| month_of(text));
        }
    }
    let Some((at, _)) = best else { return plain };
    table(rows, at, month, sheet.is_some(), always).unwrap_or(plain)
}

/// The date columns of a row.
fn day_columns(row: &Peeked, month: Option<super::Month>) -> Vec<usize> {
    let labels: Vec<(usize, &str)> = (0..row.cells.len())
        .map(|at| (at, row.text(at)))
        .filter(|(_, text)| !text.is_empty() && text.len() <= 30)
        .collect();
    let texts: Vec<&str> = labels.iter().map(|(_, text)| *text).collect();
    let days = labels::days_of(&texts, month);
    let found: Vec<(usize, i32)> =
        labels.iter().zip(days).filter_map(|((at, _), day)| Some((*at, day?))).collect();
    // A sale has one date or two; headings continue from day to day.
    let on = found.windows(2).filter(|pair| pair[1].1 > pair[0].1).count();
    let whole = |at: usize| {
        labels::day_of(row.text(at), DateFormat::Dmy, None).is_some()
            || labels::day_of(row.text(at), DateFormat::Mdy, None).is_some()
    };
    let whole = found.iter().filter(|(at, _)| whole(*at)).count();
    if whole != 0 && whole != found.len() {
        return Vec::new();
    }
    let bare = found.iter().all(|(at, _)| row.text(*at).len() <= 2);
    let in_a_row = found.windows(2).all(|pair| pair[1].1 - pair[0].1 == 1);
    if bare && (found.len() < 3 || !in_a_row) {
        return Vec::new();
    }
    if found.len() >= LEAST_DAYS && on + 1 == found.len() {
        found.into_iter().map(|(at, _)| at).collect()
    } else {
        Vec::new()
    }
}

fn table(
    rows: &[Peeked],
    mut at: usize,
    month: Option<super::Month>,
    sheet: bool,
    always: bool,
) -> Option<(Shape, Vec<String>)> {
    let is_heading =
        |row: &Peeked| row.filled() >= 2 && !row.has_number() && sayings(row, 8, false).is_none();
    let mut last = at;
    let mut days = day_columns(&rows[at], month);
    // Names below: all words, where the first row has gaps, or dates.
    while last < at + 2
        && let Some(next) = rows.get(last + 1).filter(|next| is_heading(next))
    {
        let gaps =
            (0..next.end()).any(|column| rows[last].text(column).is_empty() && !next.text(column).is_empty());
        let titled = next.cells.iter().filter(|(text, _)| is_title(text)).count();
        if titled == 0 || (!gaps && days.is_empty()) {
            break;
        }
        last += 1;
    }
    // Names above, where these repeat.
    let names: Vec<&str> = (0..rows[at].end()).map(|column| rows[at].text(column)).collect();
    let repeats = names.iter().enumerate().any(|(n, name)| !name.is_empty() && names[..n].contains(name));
    if days.is_empty()
        && repeats
        && let Some(above) = at.checked_sub(1)
        && rows[above].filled() >= 2
    {
        let above_days = day_columns(&rows[above], month);
        if !above_days.is_empty() || is_heading(&rows[above]) {
            at = above;
            days = above_days;
        }
    }
    let headings = &rows[at..=last];
    let body = &rows[last + 1..];
    let width = body.iter().chain(headings).map(Peeked::end).max().unwrap_or(0);
    let mut titles = joined(headings, width);
    let mut beside = Vec::new();
    if sheet {
        beside.push(Beside::Sheet);
    }
    let said = |rows: &[Peeked], above: bool| -> Vec<Beside> {
        rows.iter().filter_map(|row| sayings(row, 12, above)).flatten().map(|(what, _)| what).collect()
    };
    let reported: Vec<Beside> = said(&rows[..at], true).into_iter().chain(said(body, false)).collect();
    for what in [Beside::Store, Beside::Date, Beside::Terminal, Beside::Receipt] {
        if reported.contains(&what) {
            beside.push(what);
        }
    }
    let mostly = body.iter().filter(|row| row.filled() >= 3 && row.has_number()).count();
    let alone = body.windows(2).filter(|pair| heading(&pair[0]).is_some() && pair[1].filled() >= 2).count();
    if alone > 0 && mostly * 2 > body.len() && width >= 3 {
        beside.push(Beside::Heading);
    }
    let plain = at == 0 && last == 0 && days.is_empty();
    if plain && !always && (beside.is_empty() || beside == [Beside::Sheet]) {
        return None;
    }
    let first = &headings[0];
    let keys = (0..width).map(|column| bare(first.text(column))).collect();
    let mut shape = Shape { titles: keys, heading_rows: headings.len(), width, beside, days: None };
    if let Some(&from) = days.first() {
        let each = days.get(1).map_or(1, |next| next - from);
        let names = match headings.len() {
            1 => vec![String::new()],
            _ => (0..each).map(|n| headings[headings.len() - 1].text(from + n).to_owned()).collect(),
        };
        shape.days = Some(Days { from, names });
        shape.width = from;
        titles.truncate(from);
    }
    titles.extend(shape.further());
    Some((shape, titles))
}

/// Column titles under several heading rows: «Senior Discount» where «Discount» is below «Senior».
fn joined(headings: &[Peeked], width: usize) -> Vec<String> {
    let Some((below, above)) = headings.split_last() else { return Vec::new() };
    let mut group = String::new();
    let mut titles = Vec::with_capacity(width);
    for column in 0..width {
        let mut parts: Vec<&str> = Vec::new();
        let own = below.text(column);
        let top = above.first().map_or("", |row| row.text(column));
        if !top.is_empty() {
            group = top.to_owned();
        } else if own.is_empty() {
            group.clear();
        }
        let alone = top.is_empty() && column == 0;
        if !group.is_empty() && !alone && own != group {
            parts.push(&group);
        }
        parts.extend(above.iter().skip(1).map(|row| row.text(column)).filter(|text| !text.is_empty()));
        if !own.is_empty() {
            parts.push(own);
        }
        titles.push(parts.join(" "));
    }
    titles
}
