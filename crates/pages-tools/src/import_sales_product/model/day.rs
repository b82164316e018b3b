//! One store-day: its lines, and corrections of them.

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
    /// Where its sales came from.
    pub sources: Vec<DaySource>,
    pub lines: Vec<SalesLine>,
    /// What they add up to.
    pub totals: DayTotals,
    /// What receipts say beside their lines, by source and till; none where the sources have lines only.
    pub facts: Vec<DayFacts>,
    /// How receipts were paid.
    pub tenders: Vec<DayTender>,
}

/// What the receipts of a till say beside their lines: gross − discounts − returns − voids = net.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayFacts {
    pub source: String,
    /// The till; empty where the file names none.
    pub terminal_id: String,
    pub receipts: i64,
    /// How many people ate.
    pub pax: i64,
    pub gross: Money,
    /// All that was taken off.
    pub discounts: Money,
    pub returns: Money,
    pub voids: Money,
    pub net: Money,
    /// What was taken off, what was taxed and what was charged, each by name; what is nothing is left out.
    pub figures: Vec<Figure>,
}

/// How receipts of a store-day were paid.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayTender {
    pub source: String,
    /// Cash, card, …
    pub name: String,
    pub amount: Money,
    /// How many payments.
    pub payments: i64,
}

/// A store by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayStore {
    /// The store's id.
    pub id: String,
    pub name: String,
}

/// Where the sales of a store-day came from.
#[derive(Debug, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DaySource {
    /// `file`, `api`, ….
    pub source: String,
    pub batch_id: Option<String>,
    pub file_name: Option<String>,
    pub posted_at: Timestamp,
    /// When somebody corrected it last.
    pub corrected_at: Option<Timestamp>,
    /// Send it back with a correction.
    pub revision: i64,
}

/// A line of a store-day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalesLine {
    /// Where it came from.
    pub source: String,
    /// The row in the file.
    pub line_no: u32,
    /// The receipt's number.
    pub receipt_no: Option<String>,
    /// Dine in, take out, delivery.
    pub service_type: Option<String>,
    /// Where the order came from.
    pub channel: Option<String>,
    /// When it was sold.
    pub sold_at: Option<Timestamp>,
    /// The POS item, if it is known.
    pub pos_item_id: Option<String>,
    /// Its description.
    pub pos_item_name: Option<String>,
    /// The name in the file.
    pub source_item: String,
    /// Sale, return or void.
    pub kind: Kind,
    pub qty: Qty,
    /// The price of one.
    pub unit_price: Money,
    /// Taken off.
    pub discount: Money,
    pub net: Money,
    /// The revision of its store-day.
    pub revision: i64,
}

/// What lines add up to.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct DayTotals {
    pub lines: i64,
    pub receipts: i64,
    pub qty: Qty,
    /// Before discounts.
    pub gross: Money,
    /// Taken off.
    pub discount: Money,
    pub net: Money,
}

/// Corrections of a store-day.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectRequest {
    /// Which source's lines.
    #[serde(default = "file")]
    pub source: String,
    /// The revision they were read at.
    pub revision: i64,
    /// The lines that change.
    pub lines: Vec<CorrectLine>,
}

fn file() -> String {
    "file".to_owned()
}

/// A correction of one line.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CorrectLine {
    /// Which line.
    pub line_no: u32,
    /// The right quantity.
    #[serde(default)]
    pub qty: Option<Qty>,
    /// The right price of one.
    #[serde(default)]
    pub unit_price: Option<Money>,
    /// The right discount.
    #[serde(default)]
    pub discount: Option<Money>,
    /// The POS item it was in truth.
    #[serde(default)]
    pub pos_item_id: Option<String>,
    /// Whether the line goes.
    #[serde(default)]
    pub remove: bool,
}
