//! Which lines belong to others, where a file gives its lines ids and says so by them: the parts of a combo, and
//! modifiers with rows of their own.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::sales::line::{Line, NONE};
use crate::sales::mapping::{Field, Mapping};
use crate::sales::names::{QuickMap, spoiled};
use crate::sales::receipt_level_figures::Key;
use crate::sheet::Row;

/// How often the held lines are gone through, in turns from the last and from the first: a line may belong to one that
/// belongs to another.
const ROUNDS: usize = 4;

/// The ids of lines, and the lines held until their parents are read. Ids are kept as hashes.
#[derive(Debug)]
pub(super) struct Families {
    line_id: usize,
    parent_line: usize,
    /// The id and the parent's id of each row that has any of them.
    of_row: QuickMap<u32, Ids>,
    /// By receipt and id, the row of the line that it means, or of the line which that belongs to.
    found: QuickMap<(Key, u64), u32>,
    held: Vec<Line>,
}

#[derive(Debug, Clone, Copy)]
struct Ids {
    own: Option<u64>,
    parent: Option<u64>,
}

impl Families {
    /// For files with columns of these ids.
    pub fn of(mapping: &Mapping) -> Option<Self> {
        let (line_id, parent_line) = (mapping.column(Field::LineId)?, mapping.column(Field::ParentLine)?);
        let (of_row, found) = (QuickMap::default(), QuickMap::default());
        Some(Self { line_id, parent_line, of_row, found, held: Vec::new() })
    }

    /// Remembers the ids of a row.
    pub fn see(&mut self, row: u32, cells: &impl Row) {
        let id = |column: usize| {
            let text = cells.cell(column).text.trim_ascii();
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            // One that a spreadsheet rounded is the id of many lines.
            (!text.is_empty() && !spoiled(text)).then(|| hasher.finish())
        };
        let own = id(self.line_id);
        // Some tills name the line itself where it belongs to none, or 0.
        let none = cells.cell(self.parent_line).text.trim_ascii() == b"0";
        let parent = id(self.parent_line).filter(|parent| Some(*parent) != own && !none);
        if own.is_some() || parent.is_some() {
            self.of_row.insert(row, Ids { own, parent });
        }
    }

    /// Emits a line with its parent, or holds it until that is read.
    pub fn take(&mut self, line: Line, take: &mut impl FnMut(Line)) {
        let ids = self.of_row.get(&line.row).copied().filter(|_| !line.is_carrier());
        let Some(Ids { own, parent }) = ids else { return take(line) };
        let Some(parent) = parent else {
            self.name(&line, own, line.row);
            return take(line);
        };
        let key = (line.store, line.day, line.terminal, line.receipt);
        match self.found.get(&(key, parent)).copied() {
            Some(row) => {
                self.name(&line, own, row);
                take(Line { parent: row, ..line });
            }
            None => self.held.push(line),
        }
    }

    /// Remembers which row the id of a line means; a modifier has none.
    fn name(&mut self, line: &Line, own: Option<u64>, row: u32) {
        if let Some(own) = own.filter(|_| line.parent == NONE) {
            let key = (line.store, line.day, line.terminal, line.receipt);
            self.found.insert((key, own), row);
        }
    }

    /// Emits the lines held. Those whose parent is missing belong to none.
    pub fn finish(&mut self, take: &mut impl FnMut(Line)) {
        for _ in 0..ROUNDS {
            let held = std::mem::take(&mut self.held);
            let before = held.len();
            held.into_iter().rev().for_each(|line| self.take(line, take));
            if self.held.len() == before {
                break;
            }
        }
        let mut held = std::mem::take(&mut self.held);
        held.sort_by_key(|line| line.row);
        for line in held {
            let own = self.of_row.get(&line.row).and_then(|ids| ids.own);
            // What belongs to such a line does still.
            self.take(line, take);
            if self.held.pop().is_some() {
                self.name(&line, own, line.row);
                take(line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::LineReader;
    use super::*;
    use crate::sales::line::Cell;

    struct Texts<'a>(Vec<&'a str>);

    impl Row for Texts<'_> {
        fn width(&self) -> usize {
            self.0.len()
        }
        fn cell(&self, column: usize) -> Cell<'_> {
            Cell::of(self.0.get(column).map_or(b"", |text| text.as_bytes()))
        }
    }

    const FIELDS: [Field; 8] = [
        Field::Date,
        Field::Receipt,
        Field::Item,
        Field::Modifiers,
        Field::Quantity,
        Field::Net,
        Field::LineId,
        Field::ParentLine,
    ];

    /// The lines of rows from 2 on, with the columns of ids or without.
    fn read(rows: &[String], ids: bool) -> Vec<Line> {
        let columns: BTreeMap<Field, usize> =
            FIELDS.into_iter().zip(0..).take(if ids { 8 } else { 6 }).collect();
        let mapping = Mapping { columns, modifiers: Some(true), ..Mapping::default() };
        let mut reader = LineReader::new(mapping, 8).asking(crate::BusinessDay(20_783));
        let mut lines = Vec::new();
        for (number, row) in (2..).zip(rows) {
            let row = Texts(row.split('|').collect());
            reader.read_each(number, &row, &mut |_| {}, &mut |line| lines.push(line));
        }
        reader.finish(&mut |line| lines.push(line));
        lines.sort_by_key(|line| (line.row, line.parent != NONE));
        lines
    }

    /// The parent of each line, given the receipt, the modifier, the id and the parent's id of each row.
    fn parents(rows: &[[&str; 4]]) -> Vec<(u32, u32)> {
        let row = |[receipt, modifier, own, parent]: &[&str; 4]| {
            format!("2026-11-13|{receipt}|Rice|{modifier}|1|0|{own}|{parent}")
        };
        let rows: Vec<String> = rows.iter().map(row).collect();
        read(&rows, true).iter().map(|line| (line.row, line.parent)).collect()
    }

    #[test]
    fn a_line_belongs_to_the_one_whose_id_it_names() {
        let combo = [["1", "", "a", ""], ["1", "", "b", "a"], ["1", "", "c", "a"], ["1", "", "d", ""]];
        assert_eq!(parents(&combo), [(2, NONE), (3, 2), (4, 2), (5, NONE)]);
        let backwards = [["1", "", "c", "b"], ["1", "", "b", "a"], ["1", "", "a", "a"]];
        assert_eq!(
            parents(&backwards),
            [(2, 4), (3, 4), (4, NONE)],
            "to the outermost, which may name itself"
        );
        // Its modifiers belong to the same line.
        let extra = [["1", "Ice", "a", "0"], ["1", "Ice", "b", "a"]];
        assert_eq!(parents(&extra), [(2, NONE), (2, 2), (3, 2), (3, 2)]);
        let extra = [["1", "Ice", "b", "a"], ["1", "Ice", "a", "0"]];
        assert_eq!(parents(&extra), [(2, 3), (2, 3), (3, NONE), (3, 3)]);
    }

    #[test]
    fn a_line_without_its_parent_is_one_of_its_own() {
        let other = [["1", "", "a", ""], ["2", "", "b", "a"], ["2", "", "", "b"], ["2", "", "", "c"]];
        assert_eq!(parents(&other), [(2, NONE), (3, NONE), (4, 3), (5, NONE)]);
        let round = [["1", "", "a", "b"], ["1", "", "b", "a"]];
        assert_eq!(parents(&round), [(2, NONE), (3, 2)]);
        // Each receipt numbers its lines from 1.
        let numbered = [["1", "", "1", ""], ["1", "", "2", "1"], ["2", "", "1", ""], ["2", "", "2", "1"]];
        assert_eq!(parents(&numbered), [(2, NONE), (3, 2), (4, NONE), (5, 4)]);
        let rounded = [["1", "", "4.8E+12", ""], ["1", "", "4.8E+12", "4.8E+12"], ["1", "", "b", "4.8E+12"]];
        assert_eq!(parents(&rounded), [(2, NONE), (3, NONE), (4, NONE)]);
    }

    proptest! {
        #[test]
        fn ids_change_nothing_but_parents(
            rows in proptest::collection::vec((0u8..3, "Ice|", -1i64..3, "[a-e]?", "[a-e]?"), 0..20)
        ) {
            let row = |(receipt, modifier, qty, own, parent): &(u8, String, i64, String, String)| {
                format!("2026-11-13|{receipt}|Rice|{modifier}|{qty}|{}|{own}|{parent}", qty * 50)
            };
            let rows: Vec<String> = rows.iter().map(row).collect();
            let (with, without) = (read(&rows, true), read(&rows, false));
            let own: Vec<u32> = with.iter().filter(|line| line.parent == NONE).map(|line| line.row).collect();
            for line in &with {
                prop_assert!(line.parent == NONE || own.contains(&line.parent));
            }
            let bare = |lines: &[Line]| -> Vec<(u32, u32, i64, i64)> {
                let mut all: Vec<_> = lines.iter().map(|line| (line.row, line.item, line.qty, line.net)).collect();
                all.sort_unstable();
                all
            };
            prop_assert_eq!(bare(&with), bare(&without));
        }
    }
}
