//! A store-day: its lines and their corrections.

use larder_domain::sales::Kind;
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Figure;

/// A store-day with its lines.
#[derive(Debug, Serialize, ToSchema)]
pub struct SalesDay {
    pub store: DayStore,
    /// The business date.
    pub date: BusinessDay,
    /// Sources of its sales.
    pub sources: Vec<DaySource>,
    pub lines: Vec<SalesLine>,
    /// Totals.
    pub totals: DayTotals,
    /// Receipt data besides lines, by source and till; empty if the sources only have lines.
    pub facts: Vec<DayFacts>,
    /// Tenders of the receipts.
    pub tenders: Vec<DayTender>,
}

/// Receipt data of a till besides lines: gross − discounts − returns − voids = net.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayFacts {
    pub source: String,
    /// The till; empty if the file has none.
    pub terminal_id: String,
    pub receipts: i64,
    /// Number of guests.
    pub pax: i64,
    pub gross: Money,
    /// Total discounts.
    pub discounts: Money,
    pub returns: Money,
    pub voids: Money,
    pub net: Money,
    /// Discounts, taxes and charges by name; zero ones are left out.
    pub figures: Vec<Figure>,
}

/// A tender of a store-day's receipts.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayTender {
    pub source: String,
    /// Cash, card, …
    pub name: String,
    pub amount: Money,
    /// Number of payments.
    pub payments: i64,
}

/// A store's id and name.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayStore {
    pub id: String,
    pub name: String,
}

/// A source of a store-day's sales.
#[derive(Debug, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DaySource {
    /// `file`, `api`, ….
    pub source: String,
    pub batch_id: Option<String>,
    pub file_name: Option<String>,
    pub posted_at: Timestamp,
    /// When it was last corrected.
    pub corrected_at: Option<Timestamp>,
    /// Send it back with a correction.
    pub revision: i64,
    /// The source that counts instead, because it reports the same sales; null if this one counts.
    pub counted_source: Option<String>,
}

/// A line of a store-day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalesLine {
    /// Source.
    pub source: String,
    /// Row number in the file. Lines of one row share it.
    pub line_no: u32,
    /// Place among the lines of its source, from 0. Send it back with a correction.
    pub place: u32,
    /// The place of the line that it belongs to, as the part of a combo or a modifier: one of the same source and receipt,
    /// which belongs to none itself.
    pub parent: Option<u32>,
    pub receipt_no: Option<String>,
    /// Dine in, take out, delivery.
    pub service_type: Option<String>,
    /// Order channel.
    pub channel: Option<String>,
    /// Time of sale.
    pub sold_at: Option<Timestamp>,
    /// The POS item, if mapped.
    pub pos_item_id: Option<String>,
    pub pos_item_name: Option<String>,
    /// The name in the file.
    pub source_item: String,
    /// Sale, return or void.
    pub kind: Kind,
    pub qty: Qty,
    /// Price per unit.
    pub unit_price: Money,
    pub discount: Money,
    pub net: Money,
    /// Revision of its store-day.
    pub revision: i64,
}

/// Totals of lines.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct DayTotals {
    pub lines: i64,
    pub receipts: i64,
    pub qty: Qty,
    /// Before discounts.
    pub gross: Money,
    pub discount: Money,
    pub net: Money,
}

/// Corrections of a store-day.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectRequest {
    /// Source of the lines.
    #[serde(default = "file")]
    pub source: String,
    /// The revision the caller saw.
    pub revision: i64,
    /// Lines to change.
    pub lines: Vec<CorrectLine>,
}

fn file() -> String {
    "file".to_owned()
}

/// A correction of one line.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CorrectLine {
    /// Line number.
    pub line_no: u32,
    /// The line's place, as it was read; without it the first line with the number.
    #[serde(default)]
    pub place: Option<u32>,
    /// Corrected quantity. Those of the lines that belong to it change in proportion, unless they are corrected too.
    #[serde(default)]
    pub qty: Option<Qty>,
    /// Corrected unit price.
    #[serde(default)]
    pub unit_price: Option<Money>,
    /// Corrected discount.
    #[serde(default)]
    pub discount: Option<Money>,
    /// Corrected POS item.
    #[serde(default)]
    pub pos_item_id: Option<String>,
    /// Whether to delete the line, with the lines that belong to it.
    #[serde(default)]
    pub remove: bool,
}
