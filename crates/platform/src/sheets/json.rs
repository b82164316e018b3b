//! Rows of a JSON file: an array of records, an object containing one, or one record per line. A record's own
//! values are repeated on each of its lines; a column is a path within the record.

use std::cell::Cell as Shared;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::rc::Rc;

use larder_domain::sales::detect::bare;
use larder_domain::sheet::{Cell, Row};
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor as Seed,
};
use serde_json::{Map, Value};

use super::{MAX_COLUMNS, MAX_LINE, MAX_ROWS, Refusal, Visitor, unreadable};

/// The largest record, in bytes; a receipt is a thousandth of it.
const MAX_RECORD: u64 = MAX_LINE as u64;
/// Nesting depth at which lists of records are found.
const MAX_DEPTH: usize = 4;
/// Entries of a secondary list that get columns of their own: payments of a receipt.
const BESIDE: usize = 4;
/// Names of lists that hold the lines of a record, likelier ones first.
const LINES: [&str; 14] = [
    "lines",
    "items",
    "lineitems",
    "orderlines",
    "orderitems",
    "products",
    "details",
    "entries",
    "receipts",
    "orders",
    "transactions",
    "sales",
    "checks",
    "selections",
];

/// Whether a file that begins like this is JSON.
pub fn is_json(head: &[u8]) -> bool {
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let mut next = start.iter().skip(1).filter(|b| !b.is_ascii_whitespace());
    match start.first() {
        Some(b'{') => matches!(next.next(), Some(b'"' | b'}')),
        Some(b'[') => matches!(next.next(), Some(b'{' | b'[' | b']')),
        _ => false,
    }
}

/// The columns of a file: the paths of its records' values, in order of appearance.
pub fn columns(file: &mut File) -> Result<Vec<String>, Refusal> {
    let mut known = Columns::default();
    let mut rows = 0u32;
    each(file, &mut |record| {
        spread(record, &mut |row| {
            rows = rows.saturating_add(1);
            for (path, _) in row {
                known.place(path);
            }
            ControlFlow::Continue(())
        })
    })?;
    if known.names.is_empty() {
        return Err(Refusal::new("The file holds no list of records. Choose a file with sales."));
    }
    Ok(known.names)
}

/// Passes the column names to the visitor as the first row, then every line of every record.
pub fn read(file: &mut File, columns: &[String], visitor: &mut impl Visitor) -> Result<(), Refusal> {
    let places: BTreeMap<&str, usize> =
        columns.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let mut cells = Cells { cells: columns.iter().map(|name| (name.clone(), false)).collect() };
    if visitor.row(1, &cells).is_break() {
        return Ok(());
    }
    let mut number = 1;
    let mut many = false;
    each(file, &mut |record| {
        spread(record, &mut |row| {
            number += 1;
            if number > MAX_ROWS {
                many = true;
                return ControlFlow::Break(());
            }
            for (text, is_number) in &mut cells.cells {
                text.clear();
                *is_number = false;
            }
            for (path, value) in row {
                let Some(cell) = places.get(path.as_str()).and_then(|at| cells.cells.get_mut(*at)) else {
                    continue;
                };
                write(value, cell);
            }
            visitor.row(number, &cells)
        })
    })?;
    if many { Err(super::csv::too_many()) } else { Ok(()) }
}

#[derive(Default)]
struct Columns {
    names: Vec<String>,
    known: std::collections::HashSet<String>,
}

impl Columns {
    fn place(&mut self, path: &str) {
        if self.names.len() < MAX_COLUMNS && !self.known.contains(path) {
            self.known.insert(path.to_owned());
            self.names.push(path.to_owned());
        }
    }
}

struct Cells {
    cells: Vec<(String, bool)>,
}

impl Row for Cells {
    fn width(&self) -> usize {
        self.cells.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        self.cells
            .get(column)
            .map_or(Cell::of(b""), |(text, number)| Cell { number: *number, ..Cell::of(text.as_bytes()) })
    }
}

fn write(value: &Value, (text, number): &mut (String, bool)) {
    match value {
        Value::String(word) => text.push_str(word),
        Value::Number(amount) => {
            *text = amount.to_string();
            *number = true;
        }
        Value::Bool(yes) => text.push_str(if *yes { "true" } else { "false" }),
        _ => {}
    }
}

type Pair<'a> = (String, &'a Value);

/// Passes on the lines of a record, each with the record's own values.
fn spread(record: &Value, take: &mut impl FnMut(&[Pair<'_>]) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut row = Vec::new();
    lines(record, "", &mut row, 0, take)
}

fn lines<'a>(
    record: &'a Value,
    path: &str,
    row: &mut Vec<Pair<'a>>,
    depth: usize,
    take: &mut impl FnMut(&[Pair<'_>]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let kept = row.len();
    let within = match record {
        Value::Object(members) => {
            let within = list_of_lines(members).filter(|_| depth < MAX_DEPTH);
            for (name, value) in members {
                if within != Some(name.as_str()) {
                    flat(value, &under(path, name), row, 0);
                }
            }
            within.and_then(|name| Some((name, members.get(name)?.as_array()?)))
        }
        other => {
            flat(other, path, row, 0);
            None
        }
    };
    let gone_on = match within {
        Some((name, entries)) => {
            entries.iter().try_for_each(|entry| lines(entry, &under(path, name), row, depth + 1, take))
        }
        None if row.is_empty() => ControlFlow::Continue(()),
        None => take(row),
    };
    row.truncate(kept);
    gone_on
}

fn under(path: &str, name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    if path.is_empty() { name } else { format!("{path} {name}") }
}

/// The list that holds the lines of a record: by its name, else the only list of records.
fn list_of_lines(members: &Map<String, Value>) -> Option<&str> {
    let lists: Vec<&str> = members
        .iter()
        .filter(|(_, value)| value.as_array().is_some_and(|list| list.first().is_some_and(Value::is_object)))
        .map(|(name, _)| name.as_str())
        .collect();
    let called = LINES.iter().find_map(|word| lists.iter().find(|name| bare(name) == *word));
    let payments = |name: &str| {
        ["pay", "tender", "tax", "discount", "modifier"].iter().any(|word| bare(name).contains(word))
    };
    called.copied().or_else(|| match lists[..] {
        [only] if !payments(only) => Some(only),
        _ => None,
    })
}

/// The values of a member; for a secondary list, its first few entries.
fn flat<'a>(value: &'a Value, path: &str, row: &mut Vec<Pair<'a>>, depth: usize) {
    if row.len() >= MAX_COLUMNS || depth > 6 {
        return;
    }
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| flat(value, &under(path, name), row, depth + 1))
        }
        Value::Array(entries) => {
            for (at, entry) in entries
                .iter()
                .take(if depth == 0 && path.is_empty() { MAX_COLUMNS } else { BESIDE })
                .enumerate()
            {
                flat(entry, &under(path, &(at + 1).to_string()), row, depth + 1);
            }
        }
        Value::Null => {}
        plain => row.push((path.to_owned(), plain)),
    }
}

/// Counts the bytes of the current record, and stops at one that is too large.
struct Bounded<R> {
    inner: R,
    of_record: Rc<Shared<Option<u64>>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(out)?;
        if let Some(before) = self.of_record.get() {
            let all = before + read as u64;
            self.of_record.set(Some(all));
            if all > MAX_RECORD + 64 * 1024 {
                return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "a record is too large"));
            }
        }
        Ok(read)
    }
}

type Take<'t> = &'t mut dyn FnMut(&Value) -> ControlFlow<()>;

/// Passes on each record of a file.
fn each(file: &mut File, take: Take<'_>) -> Result<(), Refusal> {
    let size = file.metadata().map_err(|error| unreadable(&error))?.len();
    let begin = start(file)?;
    if is_record_a_line(file)? {
        begin_at(file, begin)?;
        return record_a_line(file, take);
    }
    begin_at(file, begin)?;
    // A small file is parsed whole, so that the order of its members does not matter.
    if size <= MAX_RECORD {
        let root: Value = serde_json::from_reader(BufReader::new(&*file)).map_err(|error| refuse(&error))?;
        let _enough = match &root {
            Value::Array(entries) => entries.iter().try_for_each(take),
            record => take(record),
        };
        return Ok(());
    }
    let mut lists = Vec::new();
    let skim = Skim { path: Vec::new(), lists: &mut lists };
    let mut reading = serde_json::Deserializer::from_reader(BufReader::with_capacity(64 * 1024, &*file));
    skim.deserialize(&mut reading).and_then(|_| reading.end()).map_err(|error| refuse(&error))?;
    let Some(path) = list_of_records(lists) else { return Ok(()) };
    begin_at(file, begin)?;
    let of_record = Rc::new(Shared::new(None));
    let inner = BufReader::with_capacity(64 * 1024, &*file);
    let mut reading = serde_json::Deserializer::from_reader(Bounded { inner, of_record: of_record.clone() });
    let mut broke = false;
    let walk = Walk { path: &path, of_record, take, said: &mut Vec::new(), broke: &mut broke };
    match walk.deserialize(&mut reading) {
        Err(error) if !broke => Err(refuse(&error)),
        _ => Ok(()),
    }
}

/// Start of the text, after the byte order mark.
fn start(file: &mut File) -> Result<u64, Refusal> {
    begin_at(file, 0)?;
    let mut mark = [0u8; 3];
    let marked = file.read_exact(&mut mark).is_ok() && mark == [0xef, 0xbb, 0xbf];
    let begin = if marked { 3 } else { 0 };
    begin_at(file, begin)?;
    Ok(begin)
}

fn begin_at(file: &mut File, at: u64) -> Result<(), Refusal> {
    file.seek(SeekFrom::Start(at)).map(|_| ()).map_err(|error| unreadable(&error))
}

/// The next line that is not blank, read up to the record limit; `None` at the end.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Option<bool>> {
    loop {
        line.clear();
        let read = reader.by_ref().take(MAX_RECORD + 1).read_until(b'\n', line)?;
        if read == 0 {
            return Ok(None);
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(read as u64 <= MAX_RECORD));
        }
    }
}

fn is_record_a_line(file: &File) -> Result<bool, Refusal> {
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let whole = next_line(&mut reader, &mut line).map_err(|error| unreadable(&error))?;
    let one = whole == Some(true) && serde_json::from_slice::<Map<String, Value>>(&line).is_ok();
    Ok(one && next_line(&mut reader, &mut line).map_err(|error| unreadable(&error))?.is_some())
}

fn record_a_line(file: &File, take: Take<'_>) -> Result<(), Refusal> {
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    let mut line = Vec::new();
    let mut number = 0u64;
    while let Some(fits) = next_line(&mut reader, &mut line).map_err(|error| unreadable(&error))? {
        number += 1;
        if !fits {
            return Err(too_large(number));
        }
        let record: Value = serde_json::from_slice(&line).map_err(|_| {
            Refusal::new(format!("Record {number} of the file is no valid JSON. Export it again."))
        })?;
        if take(&record).is_break() {
            return Ok(());
        }
    }
    Ok(())
}

fn too_large(line: u64) -> Refusal {
    Refusal::new(format!(
        "A record of the JSON file (line {line}) is larger than 1 MiB. Export it in smaller parts."
    ))
}

fn refuse(error: &serde_json::Error) -> Refusal {
    match error.classify() {
        serde_json::error::Category::Io => too_large(error.line() as u64),
        serde_json::error::Category::Eof => Refusal::new("The JSON file was cut off. Export it again."),
        _ => Refusal::new(format!("The file is no valid JSON (line {}). Export it again.", error.line())),
    }
}

/// The list of records: by its name, else the one with most entries.
fn list_of_records(lists: Vec<(Vec<String>, u64)>) -> Option<Vec<String>> {
    let place = |path: &[String]| {
        let last = path.last().map(|name| bare(name));
        LINES.iter().position(|word| last.as_deref() == Some(*word)).unwrap_or(LINES.len())
    };
    lists
        .into_iter()
        .filter(|(_, entries)| *entries > 0)
        .min_by_key(|(path, entries)| (place(path), std::cmp::Reverse(*entries)))
        .map(|(path, _)| path)
}

/// Finds the lists of a large file without keeping anything else.
struct Skim<'l> {
    path: Vec<String>,
    lists: &'l mut Vec<(Vec<String>, u64)>,
}

impl<'de> DeserializeSeed<'de> for Skim<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reading: D) -> Result<(), D::Error> {
        reading.deserialize_any(self)
    }
}

/// Scalars contain no lists.
macro_rules! nothing_said {
    () => {
        fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<(), E> {
            Ok(())
        }

        fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<(), E> {
            Ok(())
        }

        fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<(), E> {
            Ok(())
        }

        fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<(), E> {
            Ok(())
        }

        fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<(), E> {
            Ok(())
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
            Ok(())
        }
    };
}

impl<'de> Seed<'de> for Skim<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut entries = 0;
        while list.next_element::<IgnoredAny>()?.is_some() {
            entries += 1;
        }
        if self.lists.len() < 1_000 {
            self.lists.push((self.path, entries));
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<String>()? {
            if self.path.len() >= MAX_DEPTH {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            let mut path = self.path.clone();
            path.push(name);
            members.next_value_seed(Skim { path, lists: &mut *self.lists })?;
        }
        Ok(())
    }

    nothing_said!();
}

/// Descends to the list of records and passes them on one by one, each with the values above the list.
struct Walk<'w, 't> {
    path: &'w [String],
    of_record: Rc<Shared<Option<u64>>>,
    take: Take<'t>,
    said: &'w mut Vec<(String, Value)>,
    broke: &'w mut bool,
}

impl<'de> DeserializeSeed<'de> for Walk<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reading: D) -> Result<(), D::Error> {
        reading.deserialize_any(self)
    }
}

impl<'de> Seed<'de> for Walk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the list of records")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.of_record.set(Some(0));
        while let Some(mut record) = list.next_element::<Value>()? {
            if let Value::Object(members) = &mut record {
                for (name, value) in self.said.iter() {
                    members.entry(name.clone()).or_insert_with(|| value.clone());
                }
            }
            if (self.take)(&record).is_break() {
                *self.broke = true;
                return Err(A::Error::custom("enough"));
            }
            self.of_record.set(Some(0));
        }
        self.of_record.set(None);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Some((next, below)) = self.path.split_first() else { return Err(A::Error::custom("no list")) };
        while let Some(name) = members.next_key::<String>()? {
            if name == *next {
                members.next_value_seed(Walk {
                    path: below,
                    of_record: self.of_record.clone(),
                    take: &mut *self.take,
                    said: &mut *self.said,
                    broke: &mut *self.broke,
                })?;
            } else if let Some(value) = members.next_value_seed(Plain)?
                && self.said.len() < 50
            {
                self.said.push((name, value));
            }
        }
        Ok(())
    }

    nothing_said!();
}

/// A scalar.
struct Plain;

impl<'de> DeserializeSeed<'de> for Plain {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, reading: D) -> Result<Option<Value>, D::Error> {
        reading.deserialize_any(self)
    }
}

impl<'de> Seed<'de> for Plain {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<Value>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Option<Value>, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Option<Value>, E> {
        Ok(Some(text.chars().take(300).collect::<String>().into()))
    }

    fn visit_bool<E: serde::de::Error>(self, yes: bool) -> Result<Option<Value>, E> {
        Ok(Some(yes.into()))
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Option<Value>, E> {
        Ok(Some(number.into()))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Option<Value>, E> {
        Ok(Some(number.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Option<Value>, E> {
        Ok(Some(number.into()))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Option<Value>, E> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
