//! A sales line as read from a till's file, the names lines refer to, and the problems of a row.

use super::Kind;
use super::mapping::Field;
use super::names::Interner;
pub use crate::sheet::{Cell, Row};

/// A line of a sales file. Names are numbers of the reader's tables; `NONE` is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The row in the file (from 1).
    pub row: u32,
    /// The date as written, in days since 1970-01-01.
    pub day: i32,
    /// Seconds since its midnight, past 86,400 where a till writes 24:15; -1 if unknown.
    pub seconds: i32,
    pub store: u32,
    pub terminal: u32,
    pub receipt: u32,
    pub item: u32,
    pub service: u32,
    pub kind: Kind,
    /// Millionths.
    pub qty: i64,
    /// Centavos, rounded.
    pub unit_price: i64,
    /// Centavos.
    pub discount: i64,
    /// Centavos.
    pub net: i64,
    /// Position of its receipt-level values in [`Tables::beside`], or `NONE`.
    pub beside: u32,
    /// The row of the line it belongs to, as the part of a combo or a modifier does, or `NONE`. A modifier's is its own row;
    /// that line belongs to none itself.
    pub parent: u32,
}

impl Line {
    /// Whether it is included in sums.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.kind != Kind::Void || self.qty < 0
    }

    /// Whether it is a discount of its receipt and nothing that was sold.
    #[must_use]
    pub fn is_discount(&self) -> bool {
        self.qty == 0 && self.discount > 0 && self.net == -self.discount && self.kind == Kind::Sale
    }

    /// Whether nothing of it counts but its receipt-level values.
    #[must_use]
    pub fn is_carrier(&self) -> bool {
        self.kind == Kind::Void
            && self.qty == 0
            && self.net == 0
            && self.unit_price == 0
            && self.discount == 0
    }

    /// The same receipt-level values, and nothing sold.
    pub(super) fn carrier(self) -> Self {
        Self { kind: Kind::Void, qty: 0, unit_price: 0, discount: 0, net: 0, ..self }
    }
}

/// No name.
pub const NONE: u32 = u32::MAX;

/// What is wrong with a row, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The row in the file (from 1).
    pub row: u32,
    /// The column's field, if one cell is the cause.
    pub field: Option<Field>,
    /// The cell as written, truncated.
    pub value: String,
    /// A machine-readable code.
    pub code: &'static str,
    /// A message for users.
    pub message: String,
}

/// An item as a file describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SeenItem {
    /// The key it is recognised by: the code if there is one, else the name.
    pub key: String,
    /// The code as written.
    pub code: Option<String>,
    /// The name as written.
    pub name: String,
    /// The category as written.
    pub category: String,
    /// The first price seen, in centavos.
    pub price: i64,
    /// Of a variant, the key of its item: the name without the variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}

/// A column with more different names contains something else.
pub const MAX_ITEMS: usize = 100_000;
/// Maximum number of stores.
pub const MAX_STORES: usize = 10_000;
/// Maximum number of terminals.
pub const MAX_TERMINALS: usize = 50_000;
/// Maximum length of a name.
pub const MAX_NAME: usize = 200;
/// The largest quantity of one line, in millionths: ten million.
pub const MAX_QTY: i64 = 10_000_000_000_000;
/// The largest amount of one line, in centavos: ten billion pesos.
pub const MAX_AMOUNT: i64 = 1_000_000_000_000;
/// Maximum length of a receipt number.
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
    /// Tenders as written.
    pub tenders: Interner,
    /// The lines' receipt-level values, concatenated; see [`super::facts::Beside`].
    pub beside: Vec<u8>,
}

impl Tables {
    /// The store names in order, each with its code where the file has both.
    pub fn coded_stores(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        (0..self.stores.len()).map(move |at| self.coded_store(at))
    }

    /// The store name at a place, with its code where the file has both; empty if there is none.
    #[must_use]
    pub fn coded_store(&self, at: usize) -> (&str, Option<&str>) {
        let code = self.store_codes.get(at).map(String::as_str).filter(|code| !code.is_empty());
        (self.stores.get(at).map_or("", String::as_str), code)
    }
}

/// Sums of quantities and amounts.
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

    pub(super) fn less(self, other: Self) -> Self {
        Self { qty: self.qty.saturating_sub(other.qty), net: self.net.saturating_sub(other.net) }
    }
}

/// A cell for display: truncated, and without control characters.
#[must_use]
pub fn shown(text: &[u8]) -> String {
    let text = &text[..text.len().min(400)];
    String::from_utf8_lossy(text).chars().map(|c| if c.is_control() { ' ' } else { c }).take(100).collect()
}
