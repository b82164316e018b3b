//! Locates a sheet's table and turns its rows into rows of a plain table.
//!
//! Reports may have a header naming store and day, several heading rows, a column per day, and a row above the lines of
//! each store or receipt. Values outside the cells become further columns of each row, so that readers see a plain
//! table.

mod find;
mod labels;
#[cfg(test)]
mod tests;

pub use find::{Peeked, find};
pub use labels::{Month, day_of, month_of, names_said, one_day};

use super::detect::bare;
use super::totals::says_total;
use crate::sheet::{Cell, Row};

/// A value outside a row's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Beside {
    Sheet,
    /// «Branch: Makati», above the table or between its rows.
    Store,
    /// «Date: 2026-11-01».
    Date,
    /// «Terminal: 3».
    Terminal,
    /// «Receipt: 1001».
    Receipt,
    /// A row with a single text, which applies to the rows below.
    Heading,
}

impl Beside {
    /// The title of its column.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Sheet => "Sheet name",
            Self::Store => "Store (said above)",
            Self::Date => "Date (said above)",
            Self::Terminal => "Terminal (said above)",
            Self::Receipt => "Receipt number (said above)",
            Self::Heading => "Heading row",
        }
    }

    fn of_key(key: &str) -> Option<Self> {
        let key = bare(key);
        let is = |words: &[&str]| words.contains(&key.as_str());
        if is(&[
            "store",
            "storename",
            "branch",
            "branchname",
            "outlet",
            "location",
            "site",
            "shop",
            "restaurant",
        ]) {
            Some(Self::Store)
        } else if is(&[
            "date",
            "businessdate",
            "salesdate",
            "reportdate",
            "transactiondate",
            "businessday",
            "day",
            "period",
            "daterange",
            "datecovered",
        ]) {
            Some(Self::Date)
        } else if is(&["terminal", "terminalno", "terminalid", "register", "till", "pos", "posno", "machine"])
        {
            Some(Self::Terminal)
        } else if is(&[
            "receipt",
            "receiptno",
            "receiptnumber",
            "invoice",
            "invoiceno",
            "sino",
            "orno",
            "ticket",
            "ticketno",
            "order",
            "orderno",
            "transactionno",
            "check",
            "checkno",
            "bill",
            "billno",
        ]) {
            Some(Self::Receipt)
        } else {
            None
        }
    }
}

/// The date columns of a sheet.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Days {
    /// Index of the first, from 0.
    pub from: usize,
    /// The content under each day: one column, or several with these names.
    pub names: Vec<String>,
}

/// The layout of a table in its sheet. The default is a table that begins with the first row.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Shape {
    /// The normalised names that identify the first heading row; empty where the table begins with the first row.
    pub titles: Vec<String>,
    pub heading_rows: usize,
    /// The number of columns, without date columns.
    pub width: usize,
    /// The values outside the cells; one column each, after the table's own.
    pub beside: Vec<Beside>,
    /// The date columns; they become one column for the day and one for each figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<Days>,
}

impl Shape {
    /// Whether the file's rows are the table itself.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.titles.is_empty()
    }

    /// The names of the columns after the table's own.
    #[must_use]
    pub fn further(&self) -> Vec<String> {
        let mut titles: Vec<String> = self.beside.iter().map(|beside| beside.title().to_owned()).collect();
        if let Some(days) = &self.days {
            titles.push("Day".to_owned());
            titles.extend(
                days.names
                    .iter()
                    .map(|name| if name.is_empty() { "Figure".to_owned() } else { name.clone() }),
            );
        }
        titles
    }

    /// Whether a row is the first heading row.
    fn begins(&self, row: &impl Row) -> bool {
        let known = self.titles.iter().take(if self.days.is_some() { self.width } else { usize::MAX });
        known.clone().any(|title| !title.is_empty())
            && known
                .enumerate()
                .all(|(at, title)| bare(&String::from_utf8_lossy(row.cell(at).text)) == *title)
            || self.begins_with_days(row)
    }

    /// The same, where the first row has only dates and the other column names are below.
    fn begins_with_days(&self, row: &impl Row) -> bool {
        let Some(days) = &self.days else { return false };
        if self.titles.iter().take(self.width).any(|title| !title.is_empty()) {
            return false;
        }
        let blank = (0..self.width).all(|at| row.cell(at).text.trim_ascii().is_empty());
        let texts: Vec<String> = (days.from..row.width())
            .map(|at| String::from_utf8_lossy(row.cell(at).text).trim().to_owned())
            .filter(|text| !text.is_empty())
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        blank && labels::days_of(&texts, Some((2000, 1))).iter().flatten().count() >= 2
    }
}

#[derive(Debug)]
enum Stand {
    Seeking,
    Headings(usize),
    Rows,
}

/// Converts rows of sheets into rows of a plain table, one by one.
#[derive(Debug)]
pub struct Shaper {
    shape: Shape,
    stand: Stand,
    said: Vec<Vec<u8>>,
    days: Vec<(usize, String)>,
    month: Option<Month>,
    /// Whether the table of the sheet was found.
    pub found: bool,
}

impl Shaper {
    /// For sheets of this shape.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let said = vec![Vec::new(); shape.beside.len()];
        Self { shape, stand: Stand::Seeking, said, days: Vec::new(), month: None, found: false }
    }

    /// Starts a sheet.
    pub fn sheet(&mut self, name: &str) {
        self.stand = Stand::Seeking;
        self.found = false;
        self.days.clear();
        self.month = month_of(name);
        for (beside, said) in self.shape.beside.iter().zip(&mut self.said) {
            said.clear();
            if *beside == Beside::Sheet {
                said.extend_from_slice(name.as_bytes());
            }
        }
    }

    fn say(&mut self, what: Beside, text: &str) {
        if let Some(at) = self.shape.beside.iter().position(|beside| *beside == what) {
            self.said[at] = text.as_bytes().to_vec();
        }
    }

    /// Processes a sheet's row; `take` receives the result.
    pub fn row<R: Row>(&mut self, row: &R, take: &mut impl FnMut(&Shaped<'_, R>)) {
        match self.stand {
            Stand::Headings(left) if left > 0 => {
                self.stand = Stand::Headings(left - 1);
                self.day_columns(row);
                return;
            }
            Stand::Headings(_) => self.stand = Stand::Rows,
            _ => {}
        }
        if self.shape.begins(row) {
            // Printed reports repeat their headings on each page.
            self.stand = Stand::Headings(self.shape.heading_rows.saturating_sub(1));
            self.found = true;
            self.days.clear();
            self.day_columns(row);
            return;
        }
        let above = matches!(self.stand, Stand::Seeking);
        if let Some(said) = sayings(row, self.shape.width.max(8), above) {
            for (what, text) in said {
                self.say(what, &text);
            }
            if above {
                self.look_for_month(row);
            }
            return;
        }
        if above {
            self.look_for_month(row);
            return;
        }
        if self.shape.beside.contains(&Beside::Heading)
            && let Some(text) = heading(row)
        {
            self.say(Beside::Heading, &text);
            return;
        }
        self.emit(row, take);
    }

    fn look_for_month(&mut self, row: &impl Row) {
        if self.month.is_none() {
            let texts =
                (0..row.width().min(8)).map(|at| String::from_utf8_lossy(row.cell(at).text).into_owned());
            self.month = texts.into_iter().find_map(|text| month_of(&text));
        }
    }

    fn day_columns(&mut self, row: &impl Row) {
        let Some(days) = &self.shape.days else { return };
        if !self.days.is_empty() {
            return;
        }
        let labels: Vec<(usize, String)> = (days.from..row.width())
            .map(|at| (at, String::from_utf8_lossy(row.cell(at).text).trim().to_owned()))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let texts: Vec<&str> = labels.iter().map(|(_, text)| text.as_str()).collect();
        let read = labels::days_of(&texts, self.month);
        for ((at, _), day) in labels.iter().zip(read) {
            let Some(day) = day else { continue };
            self.days.push((*at, crate::BusinessDay(day).to_string()));
        }
    }

    fn emit<R: Row>(&self, row: &R, take: &mut impl FnMut(&Shaped<'_, R>)) {
        let shape = &self.shape;
        let Some(days) = &shape.days else {
            take(&Shaped { row, width: shape.width, said: &self.said, day: None });
            return;
        };
        let each = days.names.len().max(1);
        for (at, day) in &self.days {
            let blank = |at: usize| matches!(row.cell(at).text.trim_ascii(), b"" | b"-" | b"0");
            if !(*at..at + each).all(blank) {
                take(&Shaped { row, width: shape.width, said: &self.said, day: Some((day, *at, each)) });
            }
        }
    }
}

/// A row with the values outside its cells.
#[derive(Debug)]
pub struct Shaped<'a, R> {
    row: &'a R,
    width: usize,
    said: &'a [Vec<u8>],
    /// The day, its first column and its number of columns.
    day: Option<(&'a str, usize, usize)>,
}

impl<R: Row> Shaped<'_, R> {
    fn own(&self) -> usize {
        self.width + self.said.len() + self.day.map_or(0, |(_, _, each)| each + 1)
    }

    /// The first filled cell past the table.
    fn past(&self) -> Option<usize> {
        if self.day.is_some() {
            return None;
        }
        (self.width..self.row.width()).find(|at| !self.row.cell(*at).text.trim_ascii().is_empty())
    }
}

impl<R: Row> Row for Shaped<'_, R> {
    fn width(&self) -> usize {
        self.own() + usize::from(self.past().is_some())
    }

    fn part(&self) -> Option<usize> {
        self.day.map(|(_, first, _)| first)
    }

    fn hidden(&self) -> bool {
        self.row.hidden()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(further) = column.checked_sub(self.width) else { return self.row.cell(column) };
        if let Some(said) = self.said.get(further) {
            return Cell::of(said);
        }
        match (self.day, further - self.said.len()) {
            (Some((day, ..)), 0) => Cell::of(day.as_bytes()),
            (Some((_, first, each)), at) if at <= each => self.row.cell(first + at - 1),
            _ if column == self.own() => self.past().map_or(Cell::of(b""), |at| self.row.cell(at)),
            _ => Cell::of(b""),
        }
    }
}

/// A row's values for the rows below: «Branch: Makati», in one cell or two; `None` for a row of the table.
fn sayings(row: &impl Row, width: usize, above: bool) -> Option<Vec<(Beside, String)>> {
    let cells: Vec<String> = (0..row.width().min(width))
        .map(|at| String::from_utf8_lossy(row.cell(at).text).trim().to_owned())
        .collect();
    let filled: Vec<&String> = cells.iter().filter(|text| !text.is_empty()).collect();
    if filled.is_empty() || filled.len() > 8 || filled.iter().any(|text| text.len() > 200) {
        return None;
    }
    let mut said = Vec::new();
    let mut at = 0;
    while at < filled.len() {
        let text = filled[at];
        match text.split_once(':') {
            Some((key, value)) if !value.trim().is_empty() => {
                // 10:05 is a time.
                if key.trim().bytes().all(|b| b.is_ascii_digit()) && !above {
                    return None;
                }
                said.extend(Beside::of_key(key).map(|what| (what, value.trim().to_owned())));
            }
            Some((key, _)) if at + 1 < filled.len() => {
                said.extend(Beside::of_key(key).map(|what| (what, filled[at + 1].clone())));
                at += 1;
            }
            Some(_) => {}
            None if above && filled.len() == 2 && at == 0 && Beside::of_key(text).is_some() => {
                said.extend(Beside::of_key(text).map(|what| (what, filled[1].clone())));
                at += 1;
            }
            None if !above => return None,
            None => {}
        }
        at += 1;
    }
    let said: Vec<_> = said
        .into_iter()
        .filter_map(|(what, text)| {
            if what == Beside::Date { Some((what, labels::single_day(&text)?)) } else { Some((what, text)) }
        })
        .collect();
    (!said.is_empty()).then_some(said)
}

/// The only text of a row, in its first column.
fn heading(row: &impl Row) -> Option<String> {
    let first = row.cell(0).text.trim_ascii();
    let alone = !first.is_empty() && (1..row.width()).all(|at| row.cell(at).text.trim_ascii().is_empty());
    let words = alone && !says_total(first) && !row.cell(0).number;
    words.then(|| String::from_utf8_lossy(first).into_owned())
}
