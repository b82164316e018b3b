//! Approval threshold of waste.

use larder_domain::{Money, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::rules::{Kept, Rule, ignored};
use larder_platform::audit::Editor;
use larder_platform::http::FieldError;

/// Waste settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WasteSettings {
    /// Waste above this value requires approval; none does when absent.
    #[serde(default)]
    pub approval_above: Option<Money>,
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

impl From<Kept> for WasteSettings {
    fn from(kept: Kept) -> Self {
        Self {
            approval_above: kept.value.map(Money),
            revision: kept.revision,
            updated_at: kept.updated_at,
            updated_by: kept.updated_by.map(|by| by.0),
        }
    }
}

impl Rule for WasteSettings {
    const ID: &'static str = "waste";
    const KIND: &'static str = "wasteSettings";

    fn value(&self) -> Option<i64> {
        self.approval_above.map(|above| above.0)
    }

    fn revision(&self) -> i64 {
        self.revision
    }

    fn refusal(&self) -> Option<FieldError> {
        let below = self.approval_above.is_some_and(|above| above.0 < 0);
        below.then(|| FieldError::new("approvalAbove", "Enter zero or more."))
    }

    fn told(&self) -> Value {
        json!({ "approvalAbove": self.approval_above })
    }
}
