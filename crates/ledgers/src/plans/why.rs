//! The figures behind a suggestion.

use larder_domain::{BusinessDay, Qty};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A figure behind a suggestion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    /// Its label: `Par level`, `On hand` …
    pub figure: String,
    /// In `unit`, or dimensionless.
    pub value: Qty,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unit: Option<String>,
    /// Its date.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<BusinessDay>,
    /// Where it comes from.
    pub source: String,
}
