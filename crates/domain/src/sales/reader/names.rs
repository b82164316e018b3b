//! The names in a row: its store and its item.

use super::LineReader;
use super::marked::unmarked;
use crate::sales::line::{MAX_ITEMS, MAX_NAME, MAX_STORES, SeenItem, shown};
use crate::sales::mapping::Field;
use crate::sales::names::{self, key, tidy};
use crate::sheet::{CellState, Row};

/// Between a name and its variant in the spellings remembered.
const UNIT: u8 = 0x1f;

impl LineReader {
    /// The number of a store's name; an empty name is replaced by its code.
    pub(super) fn store(&mut self, text: &[u8], code: &[u8]) -> Result<u32, (&'static str, String)> {
        let text = if text.trim_ascii().is_empty() { code } else { text };
        if let Some(raw) = self.raw_stores.find(text) {
            return Ok(self.store_ids[raw as usize]);
        }
        let name = name(text)?;
        let key = key(&name);
        let id = match self.store_keys.find(key.as_bytes()) {
            Some(id) => id,
            None if self.tables.stores.len() >= MAX_STORES => {
                return Err((
                    "tooMany",
                    format!("The file names more than {MAX_STORES} stores. Check which column was chosen."),
                ));
            }
            None => {
                self.tables.stores.push(name);
                self.tables.store_codes.push(tidy(&shown(code)));
                self.store_keys.intern(key.as_bytes())
            }
        };
        // Spellings are limited too, or a hostile file could fill memory with spaces.
        if self.raw_stores.len() < 4 * MAX_STORES {
            self.raw_stores.intern(text);
            self.store_ids.push(id);
        }
        Ok(id)
    }

    /// The number of the row's item. A variant is part of an item without a code of its own; the mark of a part is none of
    /// its name.
    pub(super) fn item(
        &mut self,
        cells: &impl Row,
        is_part: bool,
    ) -> Result<u32, (Field, &'static str, String)> {
        if let Some((_, first)) = self.products.first() {
            return Ok(*first);
        }
        let text = |field: Field| self.column(field).map_or(&b""[..], |at| cells.cell(at).text);
        let (code_column, name_column) = (self.column(Field::Item), self.column(Field::ItemName));
        let bare = |field: Field| match text(field) {
            text if is_part => unmarked(text).unwrap_or(text),
            text => text,
        };
        let (spelled, variant) = (bare(Field::ItemName), text(Field::Variant).trim_ascii());
        let code = names::code(bare(Field::Item).trim_ascii());
        let taken_for_date = code_column.is_some_and(|at| cells.cell(at).state == CellState::Date);
        let spoiled = taken_for_date || (code_column.is_some() && names::spoiled(code));
        let named = name_column.is_some() && !spelled.trim_ascii().is_empty();
        let has_code = !(code.is_empty() || (spoiled && named));
        let (text, field) =
            if has_code || name_column.is_none() { (code, Field::Item) } else { (spelled, Field::ItemName) };
        // A code says which variant it is; a name does not.
        let coded = has_code && name_column.is_some();
        let varied = !coded && !variant.is_empty();
        let mut whole = Vec::new();
        let spelling = if varied {
            whole.extend_from_slice(text);
            whole.push(UNIT);
            whole.extend_from_slice(variant);
            &whole[..]
        } else {
            text
        };
        if spoiled && field == Field::Item {
            let words = "A spreadsheet spoiled this code; export it again as text.".to_owned();
            return Err((Field::Item, "spoiled", words));
        }
        if let Some(raw) = self.raw_items.find(spelling) {
            return Ok(self.item_ids[raw as usize]);
        }
        let with_variant = |name: String| match variant.is_empty() {
            true => name,
            false => format!("{name} ({})", tidy(&String::from_utf8_lossy(variant))),
        };
        let mut word = name(text).map_err(|(code, message)| (field, code, message))?;
        if varied {
            word = with_variant(word);
        }
        let key = key(&word);
        let id = match self.item_keys.find(key.as_bytes()) {
            Some(id) => id,
            None if self.tables.items.len() >= MAX_ITEMS => {
                return Err((
                    field,
                    "tooMany",
                    format!("The file names more than {MAX_ITEMS} items. Check which column was chosen."),
                ));
            }
            None => {
                let full = if coded { name(spelled).ok().map(with_variant) } else { None };
                let whose = if coded { spelled } else { text };
                let parent = if variant.is_empty() { None } else { name(whose).ok() };
                let category = self
                    .column(Field::Category)
                    .and_then(|c| name(cells.cell(c).text).ok())
                    .unwrap_or_default();
                self.tables.items.push(SeenItem {
                    key: key.clone(),
                    code: coded.then(|| word.clone()),
                    name: full.unwrap_or(word),
                    category,
                    price: 0,
                    parent: parent.map(|parent| names::key(&parent)),
                });
                self.item_keys.intern(key.as_bytes())
            }
        };
        if self.raw_items.len() < 4 * MAX_ITEMS {
            self.raw_items.intern(spelling);
            self.item_ids.push(id);
        }
        Ok(id)
    }
}

/// A name in a cell; else a code and a message.
pub(super) fn name(text: &[u8]) -> Result<String, (&'static str, String)> {
    let text = String::from_utf8_lossy(text);
    if text.contains('\0') {
        return Err(("control", "Holds a NUL character. Remove it.".to_owned()));
    }
    let name = tidy(&text);
    if name.is_empty() {
        return Err(("empty", "The name is empty. Fill it in or remove the row.".to_owned()));
    }
    if name.chars().count() > MAX_NAME {
        return Err((
            "tooLong",
            format!("Longer than {MAX_NAME} characters. Check the quotes around this row."),
        ));
    }
    Ok(name)
}
