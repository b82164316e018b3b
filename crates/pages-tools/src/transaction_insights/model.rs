//! Wire shapes of transaction insights.

use std::collections::BTreeMap;

use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::question::Daypart;
use larder_platform::jobs::JobState;

/// Whether there is an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum InsightsState {
    /// It is here.
    Ready,
    /// So many tickets are read by a job, which nobody has started yet.
    Large,
    /// A job is at it.
    Working,
    /// The job could not do it.
    Failed,
    /// The job was stopped before it came to an answer.
    Stopped,
}

/// How much of what is asked about has receipts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptCoverage {
    /// Store-days with sales.
    pub store_days: i64,
    /// Store-days with receipts.
    pub with_receipts: i64,
    /// How many receipts there are.
    pub receipts: i64,
}

/// A job at work on an answer, or how it ended without one.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsightsWork {
    /// The job; whoever started it, and a super admin, may follow and stop it.
    pub job_id: String,
    pub state: JobState,
    /// The account of whoever started it.
    pub started_by: String,
    /// What they are called.
    pub started_by_name: String,
    /// Stores that are done …
    pub done: i64,
    /// … of how many; 0 while it waits for its turn.
    pub total: i64,
    /// What it is at.
    pub message: String,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What tickets say, or how far the work on it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionInsights {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    pub state: InsightsState,
    pub coverage: ReceiptCoverage,
    /// Of the range that is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_before: Option<ReceiptCoverage>,
    /// The job, while there is one, or where it failed or was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<InsightsWork>,
    /// When a kept answer was made; missing where it was made just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_at: Option<Timestamp>,
    /// Whether sales were posted or corrected since then.
    pub stale: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Insights>,
}

/// The answer.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Insights {
    /// All of it together.
    pub figures: TicketFigures,
    /// The same of the range that is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<TicketFigures>,
    /// By weekday and hour, where a store was open.
    pub hours: Vec<HourCell>,
    /// How many items were on how many tickets, from one item on; the last stands for all larger ones.
    pub sizes: Vec<TicketSize>,
    /// By store, by name.
    pub stores: Vec<StoreTickets>,
    /// By part of the day, in its order; only what was asked for.
    pub dayparts: Vec<DaypartTickets>,
    /// What is bought together: two items.
    pub pairs: Sets,
    /// Three items.
    pub triples: Sets,
}

/// What tickets come to. A ticket is a receipt on which something was sold and not struck off again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketFigures {
    pub tickets: i64,
    /// Without what was given back.
    pub net: Money,
    /// Net by ticket.
    pub average: Option<Money>,
    /// Items on them.
    pub units: i64,
    /// Items by ticket.
    pub items_a_ticket: Option<f64>,
    /// Receipts on which something was given back.
    pub refunds: i64,
    /// What that was worth.
    pub refunded: Money,
    /// Tickets of which nobody knows the hour.
    pub untimed: i64,
    /// Hours that stores were open, each from the hour of its first ticket of a day to that of its last.
    pub open_hours: i64,
    /// Tickets by open hour, of those whose hour is known.
    pub an_hour: Option<f64>,
}

/// An hour of a weekday.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HourCell {
    /// Of the business date: 1 is Monday.
    pub weekday: u8,
    /// 0 to 23, UTC+8.
    pub hour: u8,
    pub tickets: i64,
    pub net: Money,
    /// On how many store-days the store was open in this hour.
    pub open_hours: i64,
    /// Tickets by open hour.
    pub an_hour: f64,
}

/// How many tickets have so many items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketSize {
    /// The last one: this many or more.
    pub items: i64,
    pub tickets: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
}

/// A store's tickets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreTickets {
    pub store_id: String,
    pub name: String,
    pub figures: TicketFigures,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<TicketFigures>,
}

/// The tickets of a part of the day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DaypartTickets {
    pub daypart: Daypart,
    pub figures: TicketFigures,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<TicketFigures>,
}

/// Sets of items that are bought together more than by chance.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sets {
    /// Those of the range, in the order that was asked for; a page has at most 500 of them, a file 5,000.
    pub items: Vec<BoughtTogether>,
    /// How many there are.
    pub total: i64,
    /// Those of the range that is compared with which are not among them.
    pub went: Vec<BoughtTogether>,
}

/// Items that are bought together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoughtTogether {
    /// Two or three POS items.
    pub items: Vec<BoughtItem>,
    /// Tickets with all of them.
    pub count: i64,
    /// Their share of all tickets.
    pub support: f64,
    /// How many times as often as by chance.
    pub lift: f64,
    /// In the range that is compared with; missing where it was not among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<TogetherBefore>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoughtItem {
    /// The POS item, or the key of a name that is not mapped.
    pub id: String,
    pub name: String,
    /// Of the tickets with all the others the share that has this one too.
    pub confidence: f64,
}

/// What it was in the other range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TogetherBefore {
    pub count: i64,
    pub support: f64,
    pub lift: f64,
}

/// A large question that was answered, or is being answered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptInsights {
    /// What was asked, by name.
    pub asked: BTreeMap<String, String>,
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    pub state: InsightsState,
    pub asked_at: Timestamp,
}
