//! Weekly snapshots: requests and responses.

use larder_domain::{BusinessDay, Money, Qty, Timestamp, Worth};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::snapshots::{Difference, Week, WeekSum};

/// Query parameters: the year.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WeeksQuery {
    /// ISO 8601 year: a week belongs to the year of its Thursday; defaults to the current year.
    pub year: Option<i32>,
}

/// Query parameters of differences.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DifferencesQuery {
    /// Page size, 1 to 1,000; default 200.
    pub limit: Option<i64>,
    /// Number of rows to skip.
    pub offset: Option<i64>,
}

/// State of a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SnapshotState {
    /// No snapshot yet.
    NotMade,
    /// Has a snapshot, which can be recalculated.
    Open,
    /// Its figures are final.
    Frozen,
}

/// A week.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotWeek {
    /// Its Monday.
    pub week: BusinessDay,
    /// Its Sunday.
    pub to: BusinessDay,
    /// ISO week, `2026-W47`.
    pub label: String,
    pub state: SnapshotState,
    /// Whether its last day is over, so that a snapshot can be made.
    pub over: bool,
    /// When its figures were computed.
    pub made_at: Option<Timestamp>,
    /// Who created it.
    pub made_by: Option<String>,
    /// When they were last compared with current data.
    pub compared_at: Option<Timestamp>,
    pub frozen_at: Option<Timestamp>,
    /// Who froze it.
    pub frozen_by: Option<String>,
    /// Number of rows of accessible stores.
    pub rows: i64,
    /// Number of those stores.
    pub stores: i64,
    /// Number of figures that differ from the previous calculation or, if frozen, from current data.
    pub differences: i64,
    /// Total value of the variances; null if no root item with a price was counted.
    pub variance_value: Option<Money>,
}

/// The weeks of a year.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotWeeks {
    pub year: i32,
    /// Newest first; future weeks are left out.
    pub items: Vec<SnapshotWeek>,
}

/// A figure that changed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotDifference {
    pub store_id: String,
    pub store_name: Option<String>,
    pub root_item_id: String,
    pub root_item_name: Option<String>,
    /// Unit of the root item, if known.
    pub unit: Option<String>,
    /// `opening`, `received`, `transfersIn`, `transfersOut`, `waste`, `theoreticalUse`, `closing`, `actualUse` or
    /// `variance`.
    pub figure: String,
    /// Before the recalculation, or as frozen; null if unknown or missing.
    pub was: Option<Qty>,
    /// Now, or as it would be.
    pub now: Option<Qty>,
}

/// Differences of a week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotDifferences {
    /// Sorted by store and root item.
    pub items: Vec<SnapshotDifference>,
    /// Number on all pages.
    pub total: i64,
}

/// Reason for reopening a frozen week.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ReopenWeek {
    pub reason: String,
}

impl SnapshotWeek {
    /// A week with its state and totals.
    pub fn of(monday: BusinessDay, today: BusinessDay, week: Option<Week>, sum: Option<WeekSum>) -> Self {
        let sum = sum.unwrap_or_default();
        let state = match &week {
            None => SnapshotState::NotMade,
            Some(week) if week.frozen_at.is_some() => SnapshotState::Frozen,
            Some(_) => SnapshotState::Open,
        };
        Self {
            week: monday,
            to: monday.plus(6),
            label: monday.iso_week_label(),
            state,
            over: monday.plus(6) < today,
            made_at: week.as_ref().map(|week| week.made_at),
            made_by: week.as_ref().map(|week| week.made_by.0.name.clone()),
            compared_at: week.as_ref().and_then(|week| week.compared_at),
            frozen_at: week.as_ref().and_then(|week| week.frozen_at),
            frozen_by: week.and_then(|week| Some(week.frozen_by?.0.name)),
            rows: sum.rows,
            stores: sum.stores,
            differences: sum.differences,
            variance_value: sum.variance.and_then(Worth::money),
        }
    }
}

impl SnapshotDifference {
    /// A difference with its root item's unit.
    pub fn of(it: Difference, unit: Option<String>) -> Self {
        let Difference { store_id, store_name, root_item_id, root_item_name, figure, was, now } = it;
        Self { store_id, store_name, root_item_id, root_item_name, unit, figure, was, now }
    }
}
