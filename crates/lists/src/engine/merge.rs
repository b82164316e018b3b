//! Merges two records: every reference moves to the one that stays.

use larder_db::Tx;
use larder_domain::{Factor, Money, Qty};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::define::{Field, Kind, ListDef};
use super::record::AnyRecord;
use super::{queries, uses, write};
use larder_platform::http::error::ApiError;

/// References of one kind that moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MovedUses {
    pub kind: &'static str,
    pub label: &'static str,
    pub count: i64,
}

/// Members of items that are amounts: if both records are in one field, they are added.
const AMOUNTS: [&str; 2] = ["qty", "multiplier"];
/// The member of items that tells those of the same record apart.
const TELLING: &str = "code";

/// Moves every reference from `id` to `into`, then deletes `id`, or retires it where the list says so.
///
/// # Errors
/// 404, 409 if one of them was changed since or a reference cannot move, 422 if both are the same record.
pub async fn merge(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    (id, revision): (&str, i64),
    (into, into_revision): (&str, i64),
) -> Result<(AnyRecord, Vec<MovedUses>), ApiError> {
    if id == into {
        return Err(ApiError::field("into", "Choose another record to merge into."));
    }
    for (one, expected, field) in [(id, revision, "id"), (into, into_revision, "into")] {
        match queries::get_in(tx, def, one).await? {
            None if field == "into" => {
                return Err(ApiError::field("into", format!("This {} does not exist any more.", def.one)));
            }
            None => return Err(ApiError::not_found(def.one)),
            Some(record) if record.frame().revision != expected => {
                return Err(write::stale(tx, def, &*record).await?);
            }
            Some(_) => {}
        }
    }
    (def.hooks().before_merge)(tx, id, into).await?;
    keep_in_tree(tx, def, id, into).await?;
    add_amounts(tx, def, id, into).await?;
    let mut moved = Vec::new();
    for (other, fields) in referring(def) {
        let count = move_uses(tx, other, &fields, id, into).await?;
        if count > 0 {
            moved.push(MovedUses { kind: other.kind, label: other.many, count });
        }
    }
    moved.extend((def.hooks().move_uses)(tx, id, into).await?);
    let gone = write::existing(tx, def, id).await?;
    match def.retires {
        Some(retires) if retires.always || uses::is_used(tx, def, id).await? => {
            let patch = Map::from_iter([
                (retires.field.to_owned(), json!(retires.value)),
                ("revision".to_owned(), json!(gone.frame().revision)),
            ]);
            write::update(tx, def, id, patch).await?;
        }
        _ => write::delete(tx, def, id).await?,
    }
    Ok((write::existing(tx, def, into).await?, moved))
}

/// Adds the amounts of both records to the one that stays.
async fn add_amounts(tx: &mut Tx<'_>, def: &'static ListDef, id: &str, into: &str) -> Result<(), ApiError> {
    let amounts: Vec<&Field> = def.fields.iter().filter(|field| field.added).collect();
    if amounts.is_empty() {
        return Ok(());
    }
    let [going, staying] = [get(tx, def, id).await?, get(tx, def, into).await?];
    let (mut emptied, mut filled) = (Map::new(), Map::new());
    for field in amounts {
        let Some(amount) = going.get(field.name) else { continue };
        let amount = match staying.get(field.name) {
            None => amount.clone(),
            Some(held) => sum::<Money>(amount, held, |a, b| a.checked_add(b)).ok_or_else(|| {
                ApiError::field("into", format!("The sum of both is too large ({}).", field.in_sentence()))
            })?,
        };
        filled.insert(field.name.to_owned(), amount);
        emptied.insert(field.name.to_owned(), Value::Null);
    }
    for (id, record, mut patch) in [(id, going, emptied), (into, staying, filled)] {
        patch.insert("revision".to_owned(), record.get("revision").cloned().unwrap_or_default());
        write::update(tx, def, id, patch).await?;
    }
    Ok(())
}

async fn get(tx: &mut Tx<'_>, def: &'static ListDef, id: &str) -> Result<Map<String, Value>, ApiError> {
    match write::existing(tx, def, id).await?.json() {
        Value::Object(record) => Ok(record),
        _ => Err(ApiError::not_found(def.one)),
    }
}

/// If the one that stays is below the one that is removed, it first takes its place.
async fn keep_in_tree(tx: &mut Tx<'_>, def: &'static ListDef, id: &str, into: &str) -> Result<(), ApiError> {
    let Some(parent) = def.tree.and_then(|name| def.field(name)) else { return Ok(()) };
    let mut above = into.to_owned();
    // A tree has no cycles, so the walk ends.
    while let Some(next) = parent_of(tx, def, parent, &above).await? {
        if next == id {
            let staying = write::existing(tx, def, into).await?;
            let place = parent_of(tx, def, parent, id).await?;
            let patch = Map::from_iter([
                (parent.name.to_owned(), json!(place)),
                ("revision".to_owned(), json!(staying.frame().revision)),
            ]);
            write::update(tx, def, into, patch).await?;
            break;
        }
        above = next;
    }
    Ok(())
}

async fn parent_of(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    parent: &'static Field,
    id: &str,
) -> Result<Option<String>, ApiError> {
    let query = tx.sql("select ").push(parent.column).push(" from ").push(def.table).push(" where id = ");
    let found: Option<(Option<String>,)> = query.push_bind(id).optional().await?;
    Ok(found.and_then(|(above,)| above))
}

/// The lists and fields that may refer to records of this one.
fn referring(def: &'static ListDef) -> Vec<(&'static ListDef, Vec<&'static Field>)> {
    let refers = |field: &&'static Field| match field.kind {
        Kind::Ref => field.to == def.table,
        Kind::Items(items) => items.refs.iter().any(|(_, table)| *table == def.table),
        _ => false,
    };
    let all = def.catalogue().lists.iter().copied();
    all.map(|other| (other, other.fields.iter().filter(refers).collect::<Vec<_>>()))
        .filter(|(_, fields)| !fields.is_empty())
        .collect()
}

async fn move_uses(
    tx: &mut Tx<'_>,
    other: &'static ListDef,
    fields: &[&'static Field],
    id: &str,
    into: &str,
) -> Result<i64, ApiError> {
    let mut query = tx.sql("select id from ").push(other.table).push(" where false");
    for field in fields {
        query = match field.kind {
            Kind::Ref => query.push(" or ").push(field.column).push(" = ").push_bind(id),
            _ => {
                query.push(" or cast(").push(field.column).push(" as text) like ").push_bind(uses::quoted(id))
            }
        };
    }
    let users: Vec<(String,)> = query.push(" order by id").all().await?;
    let mut count = 0;
    for (user,) in users {
        let Some(Value::Object(record)) = (other.ops().get)(tx, &user).await? else { continue };
        let mut patch = Map::new();
        for field in fields {
            let Some(value) = record.get(field.name) else { continue };
            let moved = match field.kind {
                Kind::Items(items) => move_items(value, items.refs, id, into),
                _ if value == id => Some(json!(into)),
                _ => None,
            };
            patch.extend(moved.map(|value| (field.name.to_owned(), value)));
        }
        if patch.is_empty() {
            continue;
        }
        patch.insert("revision".to_owned(), record.get("revision").cloned().unwrap_or_default());
        (other.ops().update)(tx, &user, patch).await.map_err(|error| unmovable(other, &record, error))?;
        count += 1;
    }
    Ok(count)
}

/// Items with one id replaced by another; `None` if it does not occur.
fn move_items(value: &Value, refs: &[(&str, &str)], id: &str, into: &str) -> Option<Value> {
    let mut found = false;
    let mut moved: Vec<Map<String, Value>> = Vec::new();
    for item in value.as_array()? {
        let mut item = item.as_object()?.clone();
        for (member, _) in refs {
            if item.get(*member).is_some_and(|value| value == id) {
                item.insert((*member).to_owned(), json!(into));
                found = true;
            }
        }
        let same = |known: &&mut Map<String, Value>| {
            known.get(TELLING) == item.get(TELLING)
                && refs.iter().all(|(member, _)| known.get(*member) == item.get(*member))
        };
        match moved.iter_mut().find(same) {
            Some(known) => add_up(known, &item),
            None => moved.push(item),
        }
    }
    found.then(|| json!(moved))
}

/// Adds the amounts of an item to another for the same record; other members stay.
fn add_up(known: &mut Map<String, Value>, item: &Map<String, Value>) {
    for member in AMOUNTS {
        let (Some(a), Some(b)) = (known.get(member), item.get(member)) else { continue };
        let sum = match member {
            "qty" => sum::<Qty>(a, b, |a, b| a.checked_add(b)),
            _ => sum::<Factor>(a, b, |a, b| a.checked_add(b)),
        };
        if let Some(sum) = sum {
            known.insert(member.to_owned(), sum);
        }
    }
}

fn sum<T: serde::de::DeserializeOwned + Serialize>(
    a: &Value,
    b: &Value,
    add: impl Fn(T, T) -> Option<T>,
) -> Option<Value> {
    let read = |value: &Value| serde_json::from_value::<T>(value.clone()).ok();
    add(read(a)?, read(b)?).map(|sum| json!(sum))
}

/// Names the reference that prevents the merge.
fn unmovable(other: &ListDef, record: &Map<String, Value>, mut error: ApiError) -> ApiError {
    let name = record.get(other.name).and_then(Value::as_str).unwrap_or("one of them");
    let why = error.fields.first().map_or_else(|| error.detail.clone(), |field| field.message.clone());
    error.detail = format!("The {} «{name}» cannot follow the merge: {why}", other.one);
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFS: &[(&str, &str)] = &[("rootItemId", "root_items")];

    #[test]
    fn amounts_of_both_are_added() {
        let items = json!([{ "rootItemId": "a", "qty": 1.5 }, { "rootItemId": "c", "qty": 1 }, { "rootItemId": "b", "qty": 2 }]);
        let moved = move_items(&items, REFS, "b", "a").expect("a change");
        assert_eq!(moved, json!([{ "rootItemId": "a", "qty": 3.5 }, { "rootItemId": "c", "qty": 1 }]));
        assert_eq!(move_items(&items, REFS, "x", "a"), None);
    }

    #[test]
    fn codes_of_one_unit_stay_apart() {
        let items = json!([{ "code": "1", "uomId": "box" }, { "code": "2", "uomId": "case" }]);
        let moved = move_items(&items, &[("uomId", "uoms")], "case", "box").expect("a change");
        assert_eq!(moved, json!([{ "code": "1", "uomId": "box" }, { "code": "2", "uomId": "box" }]));
    }
}
