//! Reads the columns that say whether a row counts.

use std::collections::BTreeMap;

use crate::sales::line::shown;
use crate::sales::mapping::{Field, Flag, Mapping, Word};
use crate::sales::names::key;
use crate::sheet::Row;

/// Different words remembered per column.
const KEPT: usize = 300;

/// The status columns of a file.
#[derive(Debug, Default)]
pub(super) struct Statuses {
    columns: Vec<Column>,
    words: BTreeMap<String, Word>,
    /// The column of the receipt, if an empty cell stands for that of the receipt's line above.
    receipt: Option<usize>,
    last_receipt: Vec<u8>,
}

#[derive(Debug)]
struct Column {
    at: usize,
    flag: Option<Flag>,
    seen: Vec<Seen>,
    last: usize,
    above: Option<usize>,
}

#[derive(Debug)]
struct Seen {
    text: Vec<u8>,
    word: Option<Word>,
    /// The key and the first spelling of a word that is not known by itself.
    unknown: Option<(String, String)>,
    rows: u64,
}

/// What the status columns say of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Status {
    /// The strictest meaning of its known words.
    pub word: Option<Word>,
    /// The column (from 0) of a word that is not known.
    pub unknown: Option<usize>,
    /// A word that is not known by itself leaves the row out, as the mapping says.
    pub told: bool,
}

/// A word of a status column that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    /// By [`key`].
    pub key: String,
    /// Its first spelling.
    pub text: String,
    /// Number of rows with it.
    pub rows: u64,
}

impl Statuses {
    pub fn new(mapping: &Mapping) -> Self {
        let columns = mapping.status_columns().map(|at| Column {
            at,
            flag: mapping.flags.get(&at).copied(),
            seen: Vec::new(),
            last: 0,
            above: None,
        });
        let down = mapping.fill_down.iter().flatten().any(|field| *field == Field::Kind);
        Self {
            columns: columns.collect(),
            words: mapping.words.clone(),
            receipt: mapping.column(Field::Receipt).filter(|_| down),
            last_receipt: Vec::new(),
        }
    }

    /// Reads a row. Words that are not known leave nothing out here.
    pub fn read(&mut self, cells: &impl Row) -> Status {
        let mut status = Status::default();
        if self.columns.is_empty() {
            return status;
        }
        let mut same = false;
        if let Some(receipt) = self.receipt {
            let text = cells.cell(receipt).text;
            same = !text.is_empty() && self.last_receipt == text;
            if !same {
                self.last_receipt.clear();
                self.last_receipt.extend_from_slice(text);
            }
        }
        for column in &mut self.columns {
            let text = cells.cell(column.at).text.trim_ascii();
            if !same {
                column.above = None;
            }
            let at = if text.is_empty() {
                let Some(above) = column.above else { continue };
                above
            } else {
                column.place(text, &self.words)
            };
            if self.receipt.is_some() {
                column.above = Some(at);
            }
            let Some(seen) = column.seen.get_mut(at) else { continue };
            seen.rows += 1;
            match seen.word {
                None if column.flag == Some(Flag::CancelledAt) => {}
                None => status.unknown = Some(column.at),
                Some(Word::LeaveOut) if seen.unknown.is_some() => status.told = true,
                Some(Word::LeaveOut) => status.word = Some(Word::LeaveOut),
                Some(Word::Returns) if status.word != Some(Word::LeaveOut) => {
                    status.word = Some(Word::Returns)
                }
                Some(Word::Counts) if status.word.is_none() => status.word = Some(Word::Counts),
                Some(_) => {}
            }
        }
        status
    }

    /// The words that are not known by themselves, whether the mapping says what they mean or not, most frequent first.
    pub fn unknown(&self) -> Vec<UnknownWord> {
        let mut found: BTreeMap<&str, UnknownWord> = BTreeMap::new();
        for seen in self.columns.iter().flat_map(|column| &column.seen) {
            let Some((key, text)) = &seen.unknown else { continue };
            let word = UnknownWord { key: key.clone(), text: text.clone(), rows: 0 };
            found.entry(key).or_insert(word).rows += seen.rows;
        }
        let mut words: Vec<UnknownWord> = found.into_values().collect();
        words.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.key.cmp(&b.key)));
        words
    }
}

impl Column {
    /// The place of a word among those seen.
    fn place(&mut self, text: &[u8], words: &BTreeMap<String, Word>) -> usize {
        if self.seen.get(self.last).is_some_and(|seen| seen.text == text) {
            return self.last;
        }
        let known = self.seen.iter().position(|seen| seen.text == text);
        let at = known.unwrap_or_else(|| {
            let seen = Seen::new(text, self.flag, words);
            if self.seen.len() < KEPT {
                self.seen.push(seen);
                self.seen.len() - 1
            } else {
                // A column with so many words is no status; the last place serves for the rest.
                let last = self.seen.len() - 1;
                self.seen[last] = seen;
                last
            }
        });
        self.last = at;
        at
    }
}

impl Seen {
    fn new(text: &[u8], flag: Option<Flag>, words: &BTreeMap<String, Word>) -> Self {
        let key = key(&String::from_utf8_lossy(text));
        let plain = match flag {
            Some(Flag::Paid) => match key.as_str() {
                "yes" | "y" | "true" | "1" => Some(Word::Counts),
                "no" | "n" | "false" | "0" => Some(Word::LeaveOut),
                _ => None,
            },
            Some(Flag::CancelledAt) => match key.as_str() {
                "no" | "n" | "false" | "0" | "-" | "none" | "null" | "n/a" | "na" => None,
                _ => Some(Word::LeaveOut),
            },
            None => None,
        };
        let of_itself =
            if flag == Some(Flag::CancelledAt) { plain } else { plain.or_else(|| Word::of_key(&key)) };
        let unknown = of_itself.is_none() && flag != Some(Flag::CancelledAt);
        Self {
            text: text.to_vec(),
            word: words.get(&key).copied().or(of_itself),
            unknown: unknown.then(|| (key, shown(text))),
            rows: 0,
        }
    }
}
