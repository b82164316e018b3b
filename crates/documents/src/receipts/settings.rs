//! Receiving tolerance.

use larder_domain::{Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::rules::{Kept, Rule, ignored};
use larder_platform::audit::Editor;
use larder_platform::http::FieldError;

/// Twice the expected quantity.
const MOST: Qty = Qty(100_000_000);

/// Receiving settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceivingSettings {
    /// Accepted excess in percent of the expected quantity without an override; 0 to 100.
    #[serde(default)]
    pub over_tolerance: Qty,
    /// The revision being changed.
    #[serde(default)]
    pub revision: i64,
    #[serde(default, deserialize_with = "ignored")]
    #[schema(read_only)]
    pub updated_at: Option<Timestamp>,
    #[serde(default, deserialize_with = "ignored")]
    #[schema(read_only)]
    pub updated_by: Option<Editor>,
}

impl From<Kept> for ReceivingSettings {
    fn from(kept: Kept) -> Self {
        Self {
            over_tolerance: Qty(kept.value.unwrap_or_default()),
            revision: kept.revision,
            updated_at: kept.updated_at,
            updated_by: kept.updated_by.map(|by| by.0),
        }
    }
}

impl Rule for ReceivingSettings {
    const ID: &'static str = "receiving";
    const KIND: &'static str = "receivingSettings";

    fn value(&self) -> Option<i64> {
        Some(self.over_tolerance.0)
    }

    fn revision(&self) -> i64 {
        self.revision
    }

    fn refusal(&self) -> Option<FieldError> {
        let outside = self.over_tolerance < Qty::ZERO || self.over_tolerance > MOST;
        outside.then(|| FieldError::new("overTolerance", "Enter a percentage from 0 to 100."))
    }

    fn told(&self) -> Value {
        json!({ "overTolerance": self.over_tolerance })
    }
}
