//! Changes without a revision: single values are merged into the latest record, values with parts are not.

use serde_json::Value;

use super::FieldError;

/// What is said where the revision is missing.
pub const MISSING: &str = "Send the revision of the record you changed.";

/// Whether a value has parts: of two changes made to them at once, one would be lost without notice.
#[must_use]
pub fn has_parts(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// Refuses a change without a revision that names these fields with parts, each given with its label.
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
