//! A sales line as a till's file has it, the names that lines refer to, and what may be wrong with a row.

use super::Kind;
use super::mapping::Field;
use super::names::Interner;
pub use crate::sheet::{Cell, Row};

/// A line of a sales file. Names are numbers of the reader's tables; `NONE` is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The row in the file, as a spreadsheet counts (from 1).
    pub row: u32,
    /// Business date, in days since 1970-01-01.
    pub day: i32,
    /// Seconds since midnight, or -1.
    pub seconds: i32,
    /// Number of the store's name.
    pub store: u32,
    /// Number of the terminal.
    pub terminal: u32,
    /// Number of the receipt number.
    pub receipt: u32,
    /// Number of the item.
    pub item: u32,
    /// Number of the service type.
    pub service: u32,
    /// Sale, return or void.
    pub kind: Kind,
    /// Millionths.
    pub qty: i64,
    /// Centavos, rounded.
    pub unit_price: i64,
    /// Centavos.
    pub discount: i64,
    /// Centavos.
    pub net: i64,
    /// Where [`Tables::beside`] says what stands beside it, or `NONE`.
    pub beside: u32,
}

/// No name.
pub const NONE: u32 = u32::MAX;

/// What is wrong with a row, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The row in the file (from 1).
    pub row: u32,
    /// The column's field, if one cell is at fault.
    pub field: Option<Field>,
    /// The cell as written, cut when long.
    pub value: String,
    /// A word for machines.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
}

/// What a file says about one of its items.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SeenItem {
    /// The form it is recognised by: the code when there is one, else the name.
    pub key: String,
    /// The code as written.
    pub code: Option<String>,
    /// The name as written.
    pub name: String,
    /// The category as written.
    pub category: String,
    /// The first price seen, in centavos.
    pub price: i64,
}

/// More different names than any group has; a column with more holds something else.
pub const MAX_ITEMS: usize = 100_000;
/// More stores than any group has.
pub const MAX_STORES: usize = 10_000;
/// More terminals than any group has.
pub const MAX_TERMINALS: usize = 50_000;
/// Names longer than this are not names.
pub const MAX_NAME: usize = 200;
/// The largest quantity of one line, in millionths: ten million.
pub const MAX_QTY: i64 = 10_000_000_000_000;
/// The largest amount of one line, in centavos: ten billion pesos.
pub const MAX_AMOUNT: i64 = 1_000_000_000_000;
/// A receipt number this long is something else.
pub(super) const MAX_RECEIPT: usize = 60;

/// The names that lines refer to by number.
#[derive(Debug, Default)]
pub struct Tables {
    /// Store names, by key.
    pub stores: Vec<String>,
    /// Their codes as written, where the file has both; empty otherwise.
    pub store_codes: Vec<String>,
    /// Terminals as written.
    pub terminals: Interner,
    /// Receipt numbers as written.
    pub receipts: Interner,
    /// Service types as written.
    pub services: Interner,
    pub items: Vec<SeenItem>,
    /// Channels as written.
    pub channels: Interner,
    /// Ways of paying as written.
    pub tenders: Interner,
    /// What lines say of their receipts, end to end; see [`super::facts::Beside`].
    pub beside: Vec<u8>,
}

/// What a file's own columns add up to, over all rows whose figures can be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileTotals {
    /// Millionths.
    pub qty: i64,
    /// Centavos.
    pub net: i64,
}

impl FileTotals {
    pub(super) fn add(&mut self, qty: i64, net: i64) {
        self.qty = self.qty.saturating_add(qty);
        self.net = self.net.saturating_add(net);
    }
}

/// A cell for showing: cut, and without control characters.
#[must_use]
pub fn shown(text: &[u8]) -> String {
    let text = &text[..text.len().min(400)];
    String::from_utf8_lossy(text).chars().map(|c| if c.is_control() { ' ' } else { c }).take(100).collect()
}
