//! Modifiers of a row: «2x Extra shot, Oat milk (+₱20)». They are sold with their item, as lines of
//! their own without amounts that belong to its line.

use std::sync::Arc;

use super::LineReader;
use super::names::name;
use crate::sales::control::{Control, Reason};
use crate::sales::line::{FileTotals, Line, MAX_ITEMS, NONE, Problem, SeenItem, shown};
use crate::sales::mapping::Field;
use crate::sales::names::{Interner, key, tidy};
use crate::sheet::Row;

/// The largest number of one modifier in a cell.
const MOST: i64 = 99;

/// Texts of cells that name no modifier.
const NOTHING: [&str; 3] = ["none", "n/a", "null"];

/// The modifiers of one cell: items, and how many of each.
pub(super) type Named = Arc<[(u32, i64)]>;

/// The modifiers read so far.
#[derive(Debug, Default)]
pub(super) struct Modifiers {
    cells: Interner,
    /// Of each of these cells.
    named: Vec<Named>,
    names: Interner,
    pub found: ModifiersFound,
}

/// The modifiers that the cells of a file name, counted or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModifiersFound {
    /// Rows with a modifier.
    pub rows: u64,
    /// Number of different names.
    pub names: usize,
    /// The first name, as written.
    pub first: String,
}

impl LineReader {
    /// The modifiers of a row, if they are counted.
    ///
    /// # Errors
    /// A name that cannot be one, or too many of them.
    pub(super) fn modifiers(&mut self, row: u32, cells: &impl Row) -> Result<Option<Named>, Problem> {
        let Some(column) = self.column(Field::Modifiers) else { return Ok(None) };
        let text = cells.cell(column).text.trim_ascii();
        if text.is_empty() {
            return Ok(None);
        }
        let counted = self.mapping.modifiers == Some(true);
        let named = match self.modifiers.cells.find(text) {
            Some(known) => self.modifiers.named[known as usize].clone(),
            None => self.named(text, counted).map_err(|(code, message)| Problem {
                row,
                field: Some(Field::Modifiers),
                value: shown(text),
                code,
                message,
            })?,
        };
        self.modifiers.found.rows += u64::from(!named.is_empty());
        Ok(Some(named).filter(|named| counted && !named.is_empty()))
    }

    /// Reads a cell that was not seen before. Modifiers that are not counted are no items.
    fn named(&mut self, text: &[u8], counted: bool) -> Result<Named, (&'static str, String)> {
        let mut named: Vec<(u32, i64)> = Vec::new();
        for (written, count) in parts(&String::from_utf8_lossy(text)) {
            if self.modifiers.found.first.is_empty() {
                self.modifiers.found.first.clone_from(&written);
            }
            if self.modifiers.names.len() < MAX_ITEMS {
                self.modifiers.names.intern(key(&written).as_bytes());
            }
            let mut item = NONE;
            if counted {
                if self.tables.items.len() >= MAX_ITEMS {
                    let words =
                        format!("The file names more than {MAX_ITEMS} items. Check which column was chosen.");
                    return Err(("tooMany", words));
                }
                item = self.item_called(name(written.as_bytes())?);
            }
            match named.iter_mut().find(|(known, _)| *known == item) {
                Some((_, sum)) => *sum += count,
                None => named.push((item, count)),
            }
        }
        self.modifiers.found.names = self.modifiers.names.len();
        let named: Named = named.into();
        if self.modifiers.cells.len() < 4 * MAX_ITEMS {
            self.modifiers.cells.intern(text);
            self.modifiers.named.push(named.clone());
        }
        Ok(named)
    }
}

/// Emits the modifiers of a line, each as often as the line's quantity says. No cell has their quantities, so what is
/// posted beyond the file's cells is left out with a minus.
pub(super) fn take_modifiers(
    named: &Named,
    line: &Line,
    items: &[SeenItem],
    control: &mut Control,
    take: &mut impl FnMut(Line),
) {
    if line.qty == 0 {
        return;
    }
    let mut posted = FileTotals::default();
    for (item, count) in named.iter() {
        let qty = line.qty.saturating_mul(*count);
        posted.add(qty, 0);
        let parent = if line.parent == NONE { line.row } else { line.parent };
        take(Line { item: *item, qty, unit_price: 0, discount: 0, net: 0, beside: NONE, parent, ..*line });
    }
    if line.counts() {
        let names = || {
            let names: Vec<&str> =
                named.iter().map(|(item, _)| items[*item as usize].name.as_str()).collect();
            names.join(", ")
        };
        control.leave(line.row, Reason::Modifier, FileTotals::default().less(posted), names);
    }
}

/// The modifiers in a cell, each with how many. A comma in parentheses separates nothing.
fn parts(text: &str) -> Vec<(String, i64)> {
    let mut depth = 0u32;
    let separates = |c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, ',' | ';' | '+' | '\n' | '\r')
    };
    text.split(separates).filter_map(part).collect()
}

fn part(text: &str) -> Option<(String, i64)> {
    let (count, name) = counted(without_price(text.trim()));
    let name = tidy(name);
    let is_name = name.chars().any(char::is_alphabetic) && !is_price(&name);
    (is_name && !NOTHING.contains(&key(&name).as_str())).then_some((name, count))
}

/// How many there are, and the rest: «2x Extra shot», «Extra shot x2».
fn counted(text: &str) -> (i64, &str) {
    let number = |digits: &str| digits.parse::<i64>().ok().filter(|count| (1..=MOST).contains(count));
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let spaced = |name: &&str| name.starts_with(char::is_whitespace);
    let times = rest.trim_start();
    let named = times.strip_prefix('×').or_else(|| times.strip_prefix(['x', 'X']).filter(spaced));
    if let (Some(count), Some(name)) = (number(&text[..text.len() - rest.len()]), named) {
        return (count, name);
    }
    let behind = text.rsplit_once(char::is_whitespace);
    let behind = behind.and_then(|(name, last)| Some((number(last.strip_prefix(['x', 'X', '×'])?)?, name)));
    behind.unwrap_or((1, text))
}

/// A name without the price behind it: «Oat milk (+₱20)», «Oat milk ₱20».
fn without_price(text: &str) -> &str {
    let inside = text.strip_suffix([')', ']']).and_then(|text| text.rsplit_once(['(', '[']));
    let behind = text.rsplit_once(char::is_whitespace).filter(|(_, last)| last.starts_with('₱'));
    match inside.or(behind) {
        Some((name, price)) if is_price(price) => name.trim_end(),
        _ => text,
    }
}

/// Whether a text is an amount: «+₱20», «20.00», «PHP 20». A bare whole number may be part of a name.
fn is_price(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let unsigned = text.trim_start_matches(['+', '-']).trim_start();
    let currency = ["₱", "php", "p"].into_iter().find_map(|mark| unsigned.strip_prefix(mark));
    let number = currency.unwrap_or(unsigned).trim();
    let marked = currency.is_some() || unsigned.len() < text.len() || number.contains(['.', ',']);
    marked
        && number.contains(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Extra shot", &[("Extra shot", 1)])]
    #[case("Extra shot, Oat  milk", &[("Extra shot", 1), ("Oat milk", 1)])]
    #[case("2x Extra shot; Oat milk (+₱20)", &[("Extra shot", 2), ("Oat milk", 1)])]
    #[case("Extra shot + Oat milk\nLess ice", &[("Extra shot", 1), ("Oat milk", 1), ("Less ice", 1)])]
    #[case("3 × Pearls (+1,000.00), Nata x2", &[("Pearls", 3), ("Nata", 2)])]
    #[case("Oat milk +₱20, Cheese ₱15.00", &[("Oat milk", 1), ("Cheese", 1)])]
    #[case("Sauce (garlic, mayo), Sugar (50)", &[("Sauce (garlic, mayo)", 1), ("Sugar (50)", 1)])]
    #[case("7up, 3xl cup, 50% sugar", &[("7up", 1), ("3xl cup", 1), ("50% sugar", 1)])]
    #[case("-, None, 0.00, PHP 20", &[])]
    fn a_cell_names_modifiers(#[case] text: &str, #[case] named: &[(&str, i64)]) {
        let read = parts(text);
        let read: Vec<(&str, i64)> = read.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        assert_eq!(read, named);
    }
}
