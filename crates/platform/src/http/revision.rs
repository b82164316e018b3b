//! Updates without a revision: scalar values are merged into the latest record, composite values are refused.

use serde_json::Value;

use super::FieldError;

/// Message for a missing revision.
pub const MISSING: &str = "Send the revision of the record you changed.";

/// Whether a value is composite: of two concurrent changes to it, one would be lost unnoticed.
#[must_use]
pub fn has_parts(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// Refuses an update without a revision to these composite fields, each given with its label.
///
/// # Errors
/// 422 at `revision`, and at each of the fields.
pub fn refuse_parts(fields: &[(&str, &str)]) -> Result<(), Vec<FieldError>> {
    if fields.is_empty() {
        return Ok(());
    }
    let labels: Vec<&str> = fields.iter().map(|(_, label)| *label).collect();
    let words = format!(
        "Send the revision of the record you changed: without one only single values are changed, and this names {}.",
        labels.join(", ")
    );
    let mut wrong = vec![FieldError::new("revision", words)];
    let of_fields = fields.iter().map(|(name, _)| *name);
    wrong
        .extend(of_fields.map(|name| FieldError::new(name, "Send the revision that this was changed from.")));
    Err(wrong)
}
