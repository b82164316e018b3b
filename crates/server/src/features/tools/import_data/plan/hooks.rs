//! What the hooks of some lists will refuse, known beforehand. The hooks themselves stand with their lists and
//! are asked again when a row is written.

use serde_json::{Map, Value};

use super::world::{World, above};
use crate::features::tools::import_data::model::ImportProblem;
use crate::lists::engine::ListDef;

/// What a hook would refuse of this body.
pub fn refused(
    world: &World,
    def: &'static ListDef,
    id: &str,
    body: &Map<String, Value>,
) -> Option<ImportProblem> {
    let lies_below_itself = circle(world, def, id, body);
    lies_below_itself.or_else(|| if def.kind == "account" { account(world, def, id, body) } else { None })
}

fn circle(
    world: &World,
    def: &'static ListDef,
    id: &str,
    body: &Map<String, Value>,
) -> Option<ImportProblem> {
    let mut at = above(def, body);
    for _ in 0..=world.records.len() {
        match at {
            None => return None,
            Some(parent) if parent == id => break,
            Some(parent) => at = world.records.get(parent).and_then(|standing| above(def, &standing.body)),
        }
    }
    problem(def.tree?, format!("A {} cannot lie below itself.", def.one))
}

fn account(
    world: &World,
    def: &'static ListDef,
    id: &str,
    body: &Map<String, Value>,
) -> Option<ImportProblem> {
    let kind = |body: &Map<String, Value>| body.get("type").and_then(Value::as_str).map(str::to_owned);
    let ours = kind(body);
    if let Some(parent) = above(def, body).and_then(|parent| world.records.get(parent)) {
        let theirs = kind(&parent.body);
        if theirs != ours {
            let theirs = theirs.unwrap_or_default();
            let words = format!("Choose a parent of the same type; this one is of the type {theirs}.");
            return problem("parentId", words);
        }
    }
    let before = kind(&world.records.get(id)?.body)?;
    let used = world.used_accounts.contains(id) || world.parents.get(id).is_some_and(|below| *below > 0);
    if Some(&before) != ours.as_ref() && used {
        return problem("type", format!("The type of a used account is fixed ({before})."));
    }
    None
}

fn problem(field: &str, message: String) -> Option<ImportProblem> {
    Some(ImportProblem { field: field.to_owned(), value: String::new(), message })
}

/// What else changes with a record: one commissary at most is the default, so the one before steps down.
pub fn follow(world: &mut World, def: &'static ListDef, id: &str, body: &Map<String, Value>) {
    if def.kind != "commissary" || body.get("isDefault") != Some(&Value::Bool(true)) {
        return;
    }
    for (other, standing) in &mut world.records {
        if other != id && standing.body.get("isDefault") == Some(&Value::Bool(true)) {
            standing.body.insert("isDefault".to_owned(), Value::Bool(false));
            standing.revision += 1;
        }
    }
}
