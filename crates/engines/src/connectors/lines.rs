//! Turns rows into store days, with the same parser, name mapping and rules as files.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use larder_domain::day_starts::clock;
use larder_domain::sales::LineReader;
use larder_domain::sales::calendar::names_business_date;
use larder_domain::sales::day::{Resolved, sort};
use larder_domain::sales::detect::{Guess, SplitEvidence, SplitFound};
use larder_domain::sales::line::{Cell, Line, NONE, Problem, Row};
use larder_domain::sales::mapping::{Flag, Word};
use larder_domain::sales::names::key;
use larder_domain::sales::nights::Nights;
use larder_domain::sales::{DateFormat, Field, Mapping, StoreDay};
use larder_domain::{BusinessDay, Money, Qty, Span, plural};

use super::asked::Asked;
use super::settings::Reading;
use super::trial::guess;
use larder_ledgers::sales_names::Directory;

/// Rows of a source, one cell per column.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Number of its rows that a workbook hides.
    pub hidden: usize,
    /// The columns (from 0) with cells that a workbook shows as dates.
    pub dated: BTreeSet<usize>,
}

impl Table {
    /// Removes duplicate rows by a key column; returns their number.
    pub fn once(&mut self, key: Option<&str>) -> usize {
        let Some(at) = key.and_then(|key| self.columns.iter().position(|column| column == key)) else {
            return 0;
        };
        let (mut seen, before) = (HashSet::new(), self.rows.len());
        self.rows.retain(|row| seen.insert(row.get(at).cloned().unwrap_or_default()));
        before - self.rows.len()
    }
}

/// The most bytes kept of a unit's rows.
pub const MOST_KEPT: usize = 192 << 20;

/// Approximate memory of a row, in bytes.
#[must_use]
pub fn memory_of(row: &[String]) -> usize {
    24 + row.iter().map(|cell| 40 + cell.len()).sum::<usize>()
}

/// The result of parsing rows.
#[derive(Debug, Default)]
pub struct Taken {
    pub days: Vec<StoreDay>,
    pub lines: usize,
    /// Lines of days that were not requested.
    pub outside: usize,
    /// Unknown store names, with their number of lines.
    pub unknown: BTreeMap<String, usize>,
    /// Errors in rows.
    pub problems: Vec<Problem>,
    pub problem_count: usize,
    /// Indexes of rows with errors, from 0.
    pub problem_rows: BTreeSet<usize>,
    /// The first lines, for previews.
    pub shown: Vec<Shown>,
    /// What has to be asked before any of the rows is posted.
    pub questions: Vec<Question>,
    /// What has to be asked about stores that sell past midnight. Their lines are not in `days`, except in a preview.
    pub nights: Vec<String>,
    /// Sums of the lines that count: quantity in millionths, net in centavos.
    pub sums: (i64, i64),
    /// Whether receipts after midnight may belong to the day before. Such a day comes with two calendar days, so its
    /// receipts are added to it, and it is not replaced whole.
    pub in_parts: bool,
}

/// A question about all rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// It, and how the rows can be sent so that it does not arise.
    pub words: String,
    /// Whether the rows are known to be wrong as they are, so that no retry without an answer takes them.
    pub stands: bool,
    /// What a user can answer; `None` if the rows have to be sent in another way.
    pub asked: Option<Asked>,
}

/// A line as it would be posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub day: BusinessDay,
    pub store: String,
    pub store_id: Option<Arc<str>>,
    pub item: String,
    pub item_id: Option<Arc<str>>,
    pub receipt: String,
    pub qty: i64,
    pub net: i64,
}

const PROBLEMS_KEPT: usize = 200;

struct Texts<'a>(&'a [&'a str]);

impl Row for Texts<'_> {
    fn width(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        Cell::of(self.0.get(column).map_or(b"", |text| text.as_bytes()))
    }
}

/// How rows are parsed.
#[derive(Clone, Copy)]
pub struct How<'a> {
    pub reading: &'a Reading,
    /// `api`, `w3p` or `bigquery`.
    pub source: &'a str,
    /// The days requested.
    pub asked: Option<Span>,
    /// Number of preview lines.
    pub look: usize,
    /// Whether the lines of a receipt are known to be repeated for each of its tenders, so that one set counts.
    pub once: bool,
}

/// Parses rows. Their order does not matter: the same rows give the same store days.
#[must_use]
pub fn take(how: &How<'_>, table: &Table, directory: &Directory) -> Taken {
    let Reading { fields, .. } = how.reading;
    let mut places: Vec<(Field, Option<usize>)> = fields
        .iter()
        .map(|(field, column)| (*field, table.columns.iter().position(|known| known == column)))
        .collect();
    let day = how.asked.map(|asked| asked.from.to_string());
    let dated = !fields.contains_key(&Field::Date);
    if dated {
        places.push((Field::Date, None));
    }
    let statuses = Statuses::of(table, fields);
    let width = places.len() + statuses.columns.len();
    let mapping = statuses.within(mapping(how.reading, &places, dated, how.once), places.len());
    let cells = |row: &'_ [String]| -> Vec<String> {
        places
            .iter()
            .map(|(field, place)| match place {
                Some(at) => row.get(*at).cloned().unwrap_or_default(),
                None if *field == Field::Date && dated => day.clone().unwrap_or_default(),
                None => String::new(),
            })
            .chain(statuses.columns.iter().map(|at| row.get(*at).cloned().unwrap_or_default()))
            .collect()
    };
    let mut rows: Vec<(usize, Vec<String>)> = table.rows.iter().map(|row| cells(row)).enumerate().collect();
    rows.sort_by(|one, two| one.1.cmp(&two.1));

    let mut taken = Taken { questions: workbook_question(how, table), ..Taken::default() };
    let split = SplitEvidence::of(&mapping).filter(|_| !how.once).map(|mut split| {
        for row in &table.rows {
            let cells = cells(row);
            let texts: Vec<&str> = cells.iter().map(String::as_str).collect();
            split.see(&Texts(&texts));
        }
        split.found()
    });
    // What one row says about others.
    let by_rows = how.once || fields.contains_key(&Field::ParentLine);
    let mut reader = LineReader::new(mapping, width);
    let mut lines: Vec<Line> = Vec::with_capacity(rows.len());
    for (at, (place, cells)) in rows.iter().enumerate() {
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let texts: Vec<&str> = cells.iter().map(String::as_str).collect();
        let mut found = Vec::new();
        if by_rows {
            let mut tell = |problem| found.push(problem);
            reader.read_each(number, &Texts(&texts), &mut tell, &mut |line| lines.push(line));
        } else {
            lines.extend(reader.read(number, &Texts(&texts), &mut |problem| found.push(problem)));
        }
        if !found.is_empty() {
            taken.problem_rows.insert(*place);
            taken.problem_count += found.len();
            for mut problem in found {
                problem.row = u32::try_from(place + 1).unwrap_or(u32::MAX);
                if taken.problems.len() < PROBLEMS_KEPT {
                    taken.problems.push(problem);
                }
            }
        }
    }
    if by_rows {
        reader.finish(&mut |line| lines.push(line));
    }
    taken.sums = sums(&lines);
    if let Some(found) = split {
        let once = || take(&How { once: true, look: 0, ..*how }, table, directory).sums;
        taken.questions.extend(split_question(found, || [once(), taken.sums]));
    }
    settle(how, &mut taken, lines, &reader, directory);
    taken
}

/// The columns of a table that say whether a row counts, besides those that are mapped.
struct Statuses {
    /// In the table, from 0.
    columns: Vec<usize>,
    flags: BTreeMap<usize, Flag>,
    words: BTreeMap<String, Word>,
}

impl Statuses {
    fn of(table: &Table, fields: &BTreeMap<Field, String>) -> Self {
        let Guess { fields: guessed, statuses, flags, words, .. } = guess(table);
        let kind = guessed.iter().position(|field| *field == Some(Field::Kind));
        let mut columns: Vec<usize> = kind.into_iter().chain(statuses).collect();
        let mapped =
            |at: usize| table.columns.get(at).is_none_or(|name| fields.values().any(|it| it == name));
        columns.retain(|at| !mapped(*at));
        Self { columns, flags, words }
    }

    /// A mapping with these columns behind `width` others.
    fn within(&self, mut mapping: Mapping, width: usize) -> Mapping {
        mapping.statuses = (width..width + self.columns.len()).collect();
        let flag = |(place, at): (usize, &usize)| Some((width + place, *self.flags.get(at)?));
        mapping.flags = self.columns.iter().enumerate().filter_map(flag).collect();
        let own = std::mem::take(&mut mapping.words);
        mapping.words = self.words.clone();
        mapping.words.extend(own);
        mapping
    }
}

/// What has to be asked about a workbook.
fn workbook_question(how: &How<'_>, table: &Table) -> Vec<Question> {
    let item = how.reading.fields.get(&Field::Item);
    let spoiled = table.dated.iter().filter_map(|at| table.columns.get(*at)).find(|name| Some(*name) == item);
    if let Some(name) = spoiled {
        let words =
            format!("A spreadsheet took codes of the column «{name}» for dates. Export it again as text.");
        return vec![Question { words, stands: true, asked: None }];
    }
    if table.hidden == 0 {
        return Vec::new();
    }
    let words = format!(
        "{} in the workbook. Are they sales? Send it with them shown, or without them.",
        plural(table.hidden, "row is hidden", "rows are hidden")
    );
    vec![Question { words, stands: false, asked: Some(Asked::Hidden) }]
}

/// What has to be asked about receipts whose lines are the same for each of their tenders.
/// `sums` are those of one set, and of each line: quantity and net.
fn split_question(found: SplitFound, sums: impl FnOnce() -> [(i64, i64); 2]) -> Option<Question> {
    (found.is_open() || found.is_proven()).then(|| {
        let receipts = plural(usize::try_from(found.receipts).unwrap_or(usize::MAX), "receipt", "receipts");
        let said = |(qty, net): (i64, i64)| {
            let pieces = if qty == 1_000_000 { "piece" } else { "pieces" };
            format!("{} {pieces} and {}", Qty(qty), Money(net).pesos())
        };
        let [once, each] = sums().map(said);
        let words = format!(
            "The lines of {receipts} are the same for each way of paying. Are they one set, repeated for each tender? One \
             set comes to {once}, each line to {each}. Import them as a file, where this is asked, or send each line once."
        );
        Question { words, stands: found.is_proven(), asked: Some(Asked::SplitTenders) }
    })
}

/// The sums of the lines that count: quantity and net.
fn sums(lines: &[Line]) -> (i64, i64) {
    let counting = lines.iter().filter(|line| line.counts());
    counting.fold((0, 0), |(qty, net): (i64, i64), line| {
        (qty.saturating_add(line.qty), net.saturating_add(line.net))
    })
}

/// What has to be asked about stores that sell past midnight and whose days were never set, by store.
fn nights(lines: &[Line], resolved: &Resolved, directory: &Directory) -> BTreeMap<Arc<str>, String> {
    let mut seen = Nights::default();
    lines.iter().for_each(|line| seen.see(line));
    seen.finish();
    let mut asked: BTreeMap<Arc<str>, String> = BTreeMap::new();
    for store in seen.stores() {
        let id = match store {
            NONE => resolved.fixed.as_ref(),
            at => resolved.stores.get(at as usize).and_then(Option::as_ref),
        };
        let Some(id) = id.filter(|id| !directory.day_starts().contains_key(*id)) else { continue };
        let Some(night) = seen.past_midnight(store) else { continue };
        let name = directory.store_name(id).unwrap_or(id);
        let until = clock(night.until);
        asked.entry(Arc::clone(id)).or_insert_with(|| {
            format!("{name} sold until {until} after midnight. Does its day end then? Say on its page when its day begins.")
        });
    }
    asked
}

fn settle(
    how: &How<'_>,
    taken: &mut Taken,
    mut lines: Vec<Line>,
    reader: &LineReader,
    directory: &Directory,
) {
    let tables = &reader.tables;
    let fixed: Option<Arc<str>> = how.reading.store_id.as_deref().map(Arc::from);
    let stores: Vec<Option<Arc<str>>> =
        tables.coded_stores().map(|(name, code)| directory.store_with_code(name, code)).collect();
    let items: Vec<Option<Arc<str>>> = tables.items.iter().map(|item| directory.item(item)).collect();
    let title = how.reading.fields.get(&Field::Date);
    let by_calendar = title.is_some_and(|title| !names_business_date(title));
    let mut resolved = Resolved { stores, fixed, items, ..Resolved::default() };
    // Without receipt numbers a day can only be replaced whole, so it stays that of the calendar.
    if !by_calendar || lines.iter().all(|line| line.receipt != NONE) {
        resolved.calendar_days = by_calendar;
        resolved.starts = directory.day_starts().clone();
    }
    // Some sources are asked for calendar days, others for business dates.
    if let Some(asked) = how.asked {
        let found = lines.len();
        let within = |line: Line| (asked.from.0..=asked.to.0).contains(&line.day);
        lines.retain(|line| within(*line) || within(resolved.placed(*line)));
        taken.outside = found - lines.len();
    }
    if resolved.calendar_days {
        let asked = nights(&lines, &resolved, directory);
        // A preview shows all lines.
        if how.look == 0 && !asked.is_empty() {
            lines.retain(|line| resolved.store_of(line).is_none_or(|id| !asked.contains_key(id)));
        }
        taken.nights = asked.into_values().collect();
    }
    let sells_past_midnight = |line: &Line| {
        let starts = resolved.store_of(line).and_then(|store| resolved.starts.get(store));
        starts.is_some_and(|starts| starts.start_on(BusinessDay(line.day)) > 0)
    };
    taken.in_parts = resolved.calendar_days && lines.iter().any(sells_past_midnight);
    for line in &lines {
        let store = resolved.store_of(line);
        if store.is_none() {
            let name = tables.stores.get(line.store as usize).cloned().unwrap_or_default();
            *taken.unknown.entry(name).or_default() += 1;
        } else {
            taken.lines += usize::from(!line.is_carrier());
        }
        if taken.shown.len() < how.look {
            let item = &tables.items[line.item as usize];
            taken.shown.push(Shown {
                day: BusinessDay(resolved.placed(*line).day),
                store: tables.stores.get(line.store as usize).cloned().unwrap_or_default(),
                store_id: store.cloned(),
                item: item.name.clone(),
                item_id: resolved.items.get(line.item as usize).cloned().flatten(),
                receipt: if line.receipt == NONE {
                    String::new()
                } else {
                    tables.receipts.text(line.receipt).into_owned()
                },
                qty: line.qty,
                net: line.net,
            });
        }
    }
    let sorted = sort(lines, tables, &resolved);
    let source: Arc<str> = how.source.into();
    taken.days = (0..sorted.len())
        .map(|at| {
            let mut day = sorted.store_day(at, tables, &source);
            // Numbered within the day, so that other days in the delivery do not change it.
            for (at, line) in day.lines.iter_mut().enumerate() {
                line.line_no = u32::try_from(at + 1).unwrap_or(u32::MAX);
            }
            day
        })
        .collect();
}

fn mapping(reading: &Reading, places: &[(Field, Option<usize>)], dated: bool, once: bool) -> Mapping {
    Mapping {
        has_header: false,
        columns: places.iter().enumerate().map(|(at, (field, _))| (*field, at)).collect(),
        date_format: if dated { DateFormat::Ymd } else { reading.date_format },
        decimal: reading.decimal,
        price_means: reading.price_means,
        words: reading.words.iter().map(|(word, means)| (key(word), *means)).collect(),
        split_tenders: once.then_some(true),
        ..Mapping::default()
    }
}

/// Columns in the field mapping that the source lacks.
#[must_use]
pub fn missing<'r>(reading: &'r Reading, table: &Table) -> Vec<&'r str> {
    let known: HashSet<&str> = table.columns.iter().map(String::as_str).collect();
    reading.fields.values().map(String::as_str).filter(|column| !known.contains(column)).collect()
}
