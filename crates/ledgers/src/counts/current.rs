//! What whoever sends or decides is told about what stands.

use larder_domain::{Qty, Timestamp};

use super::rows::Value;

/// A count that stands.
#[derive(Debug, Clone)]
pub struct Current {
    /// How many; nothing where it was emptied.
    pub qty: Option<Qty>,
    /// When that was counted.
    pub at: Timestamp,
    pub by: String,
    /// On which device.
    pub device_id: String,
    /// How often it was set.
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
