//! Sales coverage: requests and responses.

use larder_domain::sales_coverage::State;
use larder_domain::{BusinessDay, Money};
use serde::Serialize;
use utoipa::ToSchema;

/// Coverage of a store-day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SalesCoverageState)]
pub(crate) enum DayState {
    Complete,
    Partial,
    Missing,
    Mismatch,
    Closed,
}

impl From<State> for DayState {
    fn from(state: State) -> Self {
        match state {
            State::Complete => Self::Complete,
            State::Partial => Self::Partial,
            State::Missing => Self::Missing,
            State::Mismatch => Self::Mismatch,
            State::Closed => Self::Closed,
        }
    }
}

/// A store-day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SalesCoverageDay)]
pub(crate) struct CoverageDay {
    pub state: DayState,
    pub lines: i64,
    pub net: Money,
    /// What is missing; null if complete.
    pub why: Option<String>,
}

/// A store's days.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SalesCoverageStore)]
pub(crate) struct CoverageStore {
    pub store_id: String,
    /// One per date.
    pub days: Vec<CoverageDay>,
    pub complete: i64,
    /// Days with expected sales.
    pub expected: i64,
    /// Percentage of expected days that are complete; null if none was expected.
    pub percent: Option<f64>,
}

/// The days of accessible stores.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SalesCoverage)]
pub(crate) struct Coverage {
    pub dates: Vec<BusinessDay>,
    pub stores: Vec<CoverageStore>,
    /// Over all stores.
    pub percent: Option<f64>,
}
