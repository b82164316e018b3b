//! Coverage of sales on the wire.

use larder_domain::sales_coverage::State;
use larder_domain::{BusinessDay, Money};
use serde::Serialize;
use utoipa::ToSchema;

/// How a store-day stands.
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
    /// What is missing; none where all is there.
    pub why: Option<String>,
}

/// A store's days.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SalesCoverageStore)]
pub(crate) struct CoverageStore {
    pub store_id: String,
    /// One for each date.
    pub days: Vec<CoverageDay>,
    pub complete: i64,
    /// Days on which it should have traded.
    pub expected: i64,
    /// Complete of expected; none where nothing was expected.
    pub percent: Option<f64>,
}

/// The days of the stores within reach.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SalesCoverage)]
pub(crate) struct Coverage {
    pub dates: Vec<BusinessDay>,
    pub stores: Vec<CoverageStore>,
    /// Of all of them together.
    pub percent: Option<f64>,
}
