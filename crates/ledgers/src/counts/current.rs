//! The current value as reported to devices and reviewers.

use larder_domain::{Qty, Timestamp};

use super::rows::Value;

/// The current value of a count.
#[derive(Debug, Clone)]
pub struct Current {
    /// Quantity; `None` if cleared.
    pub qty: Option<Qty>,
    /// When it was counted.
    pub at: Timestamp,
    pub by: String,
    /// Device it was counted on.
    pub device_id: String,
    /// Number of changes.
    pub revision: i64,
}

impl Current {
    pub(super) fn of(value: &Value) -> Self {
        Self {
            qty: value.content.qty,
            at: value.stands_at,
            by: value.told_by(),
            device_id: value.device_id.clone(),
            revision: value.revision,
        }
    }
}
