//! Transaction insights: requests and responses.

use std::collections::BTreeMap;

use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::question::Daypart;
use larder_engines::reports::gaps::StoreGap;
use larder_platform::jobs::JobState;

/// State of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum InsightsState {
    /// Available.
    Ready,
    /// Too many tickets for a synchronous result; no job was started yet.
    Large,
    /// A job is running.
    Working,
    /// The job failed.
    Failed,
    /// The job was stopped.
    Stopped,
}

/// Receipt coverage of the queried sales.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptCoverage {
    /// Number of store-days with sales.
    pub store_days: i64,
    /// Number of store-days with receipts.
    pub with_receipts: i64,
    /// Number of receipts.
    pub receipts: i64,
}

/// A job computing a result, or how it ended without one.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsightsWork {
    /// The job; the user who started it and super admins may follow and stop it.
    pub job_id: String,
    pub state: JobState,
    /// Account that started it.
    pub started_by: String,
    /// Name of that user.
    pub started_by_name: String,
    /// Stores completed …
    pub done: i64,
    /// … of this many; 0 while queued.
    pub total: i64,
    /// Current step.
    pub message: String,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The result, or the progress of the job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionInsights {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    pub state: InsightsState,
    pub coverage: ReceiptCoverage,
    /// Coverage of the comparison range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_before: Option<ReceiptCoverage>,
    /// Stores with open days without sales, up to yesterday.
    pub stores_without_sales: Vec<StoreGap>,
    /// The same of the comparison range.
    pub stores_without_sales_before: Vec<StoreGap>,
    /// The job, while running, failed or stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<InsightsWork>,
    /// When a cached result was computed; omitted if computed now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_at: Option<Timestamp>,
    /// Whether sales were posted or corrected since.
    pub stale: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Insights>,
}

/// The result.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Insights {
    /// Totals.
    pub figures: TicketFigures,
    /// Totals of the comparison range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<TicketFigures>,
    /// By weekday and hour, for hours a store was open.
    pub hours: Vec<HourCell>,
    /// The hour in which the earliest store opens: those before it come after midnight.
    #[serde(default)]
    pub first_hour: u8,
    /// Number of tickets by number of items, from 1; the last entry includes all larger ones.
    pub sizes: Vec<TicketSize>,
    /// By store, sorted by name.
    pub stores: Vec<StoreTickets>,
    /// By daypart, in order; only the requested ones.
    pub dayparts: Vec<DaypartTickets>,
    /// Pairs of items bought together.
    pub pairs: Sets,
    /// Triples of items.
    pub triples: Sets,
}

/// Ticket totals. A ticket is a receipt with at least one sold item that was not voided.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketFigures {
    pub tickets: i64,
    /// Excluding refunds.
    pub net: Money,
    /// Net per ticket.
    pub average: Option<Money>,
    /// Number of items.
    pub units: i64,
    /// Items per ticket.
    pub items_a_ticket: Option<f64>,
    /// Number of receipts with refunds.
    pub refunds: i64,
    /// Amount refunded.
    pub refunded: Money,
    /// Tickets without a known time.
    pub untimed: i64,
    /// Opening hours of stores, from the hour of each day's first ticket to that of its last.
    pub open_hours: i64,
    /// Tickets per opening hour, for tickets with a known time.
    pub an_hour: Option<f64>,
}

/// An hour of a weekday.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HourCell {
    /// Of the business date; 1 is Monday.
    pub weekday: u8,
    /// 0 to 23, UTC+8.
    pub hour: u8,
    pub tickets: i64,
    pub net: Money,
    /// Number of store-days the store was open in this hour.
    pub open_hours: i64,
    /// Tickets per opening hour.
    pub an_hour: f64,
}

/// Number of tickets by number of items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketSize {
    /// Number of items; in the last entry, this many or more.
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

/// The tickets of a daypart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DaypartTickets {
    pub daypart: Daypart,
    pub figures: TicketFigures,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<TicketFigures>,
}

/// Item sets bought together more often than by chance.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sets {
    /// Sets of the range, in the requested order; at most 500 on a page, 5,000 in a file.
    pub items: Vec<BoughtTogether>,
    /// Total number.
    pub total: i64,
    /// Sets of the comparison range that are no longer among them.
    pub went: Vec<BoughtTogether>,
}

/// An item set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoughtTogether {
    /// Two or three POS items.
    pub items: Vec<BoughtItem>,
    /// Number of tickets with all of them.
    pub count: i64,
    /// Share of all tickets.
    pub support: f64,
    /// Frequency relative to chance.
    pub lift: f64,
    /// In the comparison range; omitted if not among its sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<TogetherBefore>,
}

/// An item of a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoughtItem {
    /// POS item id, or the key of an unmapped name.
    pub id: String,
    pub name: String,
    /// Share of tickets with all other items that also have this one.
    pub confidence: f64,
}

/// Values in the comparison range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TogetherBefore {
    pub count: i64,
    pub support: f64,
    pub lift: f64,
}

/// A large query, answered or running.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptInsights {
    /// Query parameters by name.
    pub asked: BTreeMap<String, String>,
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    pub state: InsightsState,
    pub asked_at: Timestamp,
}
