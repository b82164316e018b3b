//! Wire shapes of weekly snapshots.

use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::snapshots::{Difference, Week, WeekSum};

/// Which weeks are asked for.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WeeksQuery {
    /// Of this year by ISO 8601: a week belongs to the year that its Thursday is in (this year).
    pub year: Option<i32>,
}

/// A page of differences.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DifferencesQuery {
    /// At most so many: 1 to 1,000 (200).
    pub limit: Option<i64>,
    /// So many are left out first.
    pub offset: Option<i64>,
}

/// Where a week stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SnapshotState {
    /// Nobody had it made yet.
    NotMade,
    /// Made, and made anew whenever somebody asks.
    Open,
    /// Its figures stay as they are.
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
    /// Its ISO name, `2026-W47`.
    pub label: String,
    pub state: SnapshotState,
    /// Whether its last day is over, so that it can be made.
    pub over: bool,
    /// When its figures were reckoned.
    pub made_at: Option<Timestamp>,
    /// Who had it made.
    pub made_by: Option<String>,
    /// When they were last held against what they would be now.
    pub compared_at: Option<Timestamp>,
    pub frozen_at: Option<Timestamp>,
    /// Who froze it.
    pub frozen_by: Option<String>,
    /// Root items of stores within reach.
    pub rows: i64,
    /// How many stores those are.
    pub stores: i64,
    /// How many figures are other than before the week was made again, or than the frozen ones.
    pub differences: i64,
    /// What the variances are worth together.
    pub variance_value: Money,
}

/// The weeks of a year.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotWeeks {
    pub year: i32,
    /// The newest first; weeks to come are left out.
    pub items: Vec<SnapshotWeek>,
}

/// A figure that is other than it was.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotDifference {
    pub store_id: String,
    pub store_name: Option<String>,
    pub root_item_id: String,
    pub root_item_name: Option<String>,
    /// The unit the root item is reckoned in, where it is known.
    pub unit: Option<String>,
    /// `opening`, `received`, `transfersIn`, `transfersOut`, `waste`, `theoreticalUse`, `closing`, `actualUse` or
    /// `variance`.
    pub figure: String,
    /// Before the week was made again, or as it is frozen; null where it was not known or not there.
    pub was: Option<Qty>,
    /// What it is now, or would be.
    pub now: Option<Qty>,
}

/// What is other than it was in a week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotDifferences {
    /// By store and root item.
    pub items: Vec<SnapshotDifference>,
    /// How many there are without paging.
    pub total: i64,
}

/// Why a frozen week is opened again.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ReopenWeek {
    pub reason: String,
}

impl SnapshotWeek {
    /// A week as it stands.
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
            variance_value: sum.variance_value,
        }
    }
}

impl SnapshotDifference {
    /// A difference with the unit of its root item.
    pub fn of(it: Difference, unit: Option<String>) -> Self {
        let Difference { store_id, store_name, root_item_id, root_item_name, figure, was, now } = it;
        Self { store_id, store_name, root_item_id, root_item_name, unit, figure, was, now }
    }
}
