//! What a suggestion is made of.

use larder_domain::{BusinessDay, Qty};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One of the figures that a suggestion was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    /// What it is: `Par level`, `On hand` …
    pub figure: String,
    /// In `unit`, or as it is.
    pub value: Qty,
    /// `kg`, `days`, `%` …
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unit: Option<String>,
    /// The day it stands for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<BusinessDay>,
    /// Where it comes from.
    pub source: String,
}
