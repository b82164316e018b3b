//! Predicts what the hooks of some lists will refuse. The hooks themselves are with their lists and run again
//! when a row is written.

use serde_json::{Map, Value};

use super::snapshot::{Snapshot, above};
use crate::catalog::{HAS_VARIANTS, IS_VARIANT};
use crate::engine::ListDef;
use larder_platform::http::FieldError;

/// What a hook would refuse of this body.
pub fn refused(
    snapshot: &Snapshot,
    def: &'static ListDef,
    id: &str,
    body: &Map<String, Value>,
) -> Option<FieldError> {
    let lies_below_itself = circle(snapshot, def, id, body);
    lies_below_itself.or_else(|| match def.kind {
        "account" => account(snapshot, def, id, body),
        "posItem" => variant(snapshot, id, body),
        _ => None,
    })
}

fn variant(snapshot: &Snapshot, id: &str, body: &Map<String, Value>) -> Option<FieldError> {
    let of = body.get("variantOf").and_then(Value::as_str)?;
    let item = snapshot.records.get(of);
    let is_variant = item.is_some_and(|item| item.body.get("variantOf").is_some_and(Value::is_string));
    if is_variant || of == id {
        return problem("variantOf", IS_VARIANT.to_owned());
    }
    let has_variants = snapshot.parents.get(id).is_some_and(|variants| *variants > 0);
    has_variants.then(|| FieldError::new("variantOf", HAS_VARIANTS.to_owned()))
}

fn circle(
    snapshot: &Snapshot,
    def: &'static ListDef,
    id: &str,
    body: &Map<String, Value>,
) -> Option<FieldError> {
    let mut at = above(def, body);
    for _ in 0..=snapshot.records.len() {
        match at {
            None => return None,
            Some(parent) if parent == id => break,
            Some(parent) => at = snapshot.records.get(parent).and_then(|current| above(def, &current.body)),
        }
    }
    problem(def.tree?, format!("This {} cannot be below itself.", def.one))
}

fn account(
    snapshot: &Snapshot,
    def: &'static ListDef,
    id: &str,
    body: &Map<String, Value>,
) -> Option<FieldError> {
    let kind = |body: &Map<String, Value>| body.get("type").and_then(Value::as_str).map(str::to_owned);
    let ours = kind(body);
    if let Some(parent) = above(def, body).and_then(|parent| snapshot.records.get(parent)) {
        let theirs = kind(&parent.body);
        if theirs != ours {
            let theirs = theirs.unwrap_or_default();
            let words = format!("Choose a parent of the same type; this one is of the type {theirs}.");
            return problem("parentId", words);
        }
    }
    let before = kind(&snapshot.records.get(id)?.body)?;
    let used =
        snapshot.used_accounts.contains(id) || snapshot.parents.get(id).is_some_and(|below| *below > 0);
    if Some(&before) != ours.as_ref() && used {
        return problem("type", format!("The type of a used account is fixed ({before})."));
    }
    None
}

fn problem(field: &str, message: String) -> Option<FieldError> {
    Some(FieldError::new(field, message))
}

/// Side effects of a change: at most one commissary is the default, so the previous one is reset.
pub fn follow(snapshot: &mut Snapshot, def: &'static ListDef, id: &str, body: &Map<String, Value>) {
    if def.kind != "commissary" || body.get("isDefault") != Some(&Value::Bool(true)) {
        return;
    }
    for (other, current) in &mut snapshot.records {
        if other != id && current.body.get("isDefault") == Some(&Value::Bool(true)) {
            current.body.insert("isDefault".to_owned(), Value::Bool(false));
            current.revision += 1;
        }
    }
}
