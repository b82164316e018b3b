//! Creating, changing and deleting records.

use larder_db::{Actor, Change, ChangeAction, Db, DbError, Tx, Violation, ViolationKind};
use larder_domain::with_article;
use serde_json::{Map, Value};

use super::define::{Kind, ListDef};
use super::draft::{Draft, drop_kept, take_options, wrong};
use super::fields::Editor;
use super::given::{self, refuse_other, refuse_parts, refuse_unknown_members, take_fixed};
use super::position;
use super::queries::{self, Frame};
use super::record::{AnyRecord, Record};
use super::retry::{self, Key};
use super::untyped::{self, Made};
use super::uses;
use larder_platform::http::error::{ApiError, FieldError};
use larder_platform::http::revision;

/// Creates a record from `body` with a new id; an imported or restored one with its own times and revision.
///
/// # Errors
/// Invalid or taken fields.
pub async fn create(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    id: &str,
    mut body: Map<String, Value>,
    made: Option<Made>,
) -> Result<AnyRecord, ApiError> {
    let hooks = def.hooks();
    drop_kept(def, &mut body);
    (hooks.begin)(&mut body);
    let options = take_options(def.options, &mut body).map_err(ApiError::invalid)?;
    (hooks.before_write)(tx, id, &body).await?;
    let mut draft = read(def, body).map_err(ApiError::invalid)?;
    (hooks.prepare)(tx, &mut draft).await?;
    position::append(tx, &mut draft).await?;
    let made = made.unwrap_or_else(|| Made {
        created_at: tx.actor().at,
        updated_at: tx.actor().at,
        revision: 1,
        editor: None,
    });
    let editor = made.editor.unwrap_or_else(|| Editor::from(tx.actor()));
    let (created_at, at) = (made.created_at, made.updated_at);
    let frame = Frame { id, editor: &editor, created_at, at, revision: made.revision };
    let record = queries::insert(tx, &draft, &frame).await.map_err(|error| explain(def, &draft, error))?;
    (hooks.after_write)(tx, None, &*record, &options).await?;
    tx.record(change(def, &*record, ChangeAction::Created, None)).await?;
    Ok(record)
}

/// Changes the fields in `patch`; `null` clears one.
///
/// # Errors
/// Invalid fields, 404, or 409 if the revision is not the latest.
pub async fn update(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    id: &str,
    mut patch: Map<String, Value>,
) -> Result<AnyRecord, ApiError> {
    let hooks = def.hooks();
    let revision = take_revision(&mut patch)?;
    drop_kept(def, &mut patch);
    let options = take_options(def.options, &mut patch).map_err(ApiError::invalid)?;
    let before = existing(tx, def, id).await?;
    if before.frame().revision != revision {
        return Err(stale(tx, def, &*before).await?);
    }
    let kept = body_of(&*before);
    let merged = merge(kept.clone(), patch);
    if merged == kept && options.is_empty() {
        return Ok(before);
    }
    (hooks.before_write)(tx, id, &merged).await?;
    let mut draft = read(def, merged).map_err(ApiError::invalid)?;
    (hooks.prepare)(tx, &mut draft).await?;
    let editor = Editor::from(tx.actor());
    let (at, created_at) = (tx.actor().at, before.frame().created_at);
    let frame = Frame { id, editor: &editor, created_at, at, revision: revision + 1 };
    let written =
        queries::update(tx, &draft, &frame, revision).await.map_err(|error| explain(def, &draft, error))?;
    let Some(after) = written else {
        // Another node wrote it between the two statements.
        let current = existing(tx, def, id).await?;
        return Err(stale(tx, def, &*current).await?);
    };
    refuse_circle(tx, def, id).await?;
    (hooks.after_write)(tx, Some(&*before), &*after, &options).await?;
    tx.record(change(def, &*after, ChangeAction::Updated, Some(&*before))).await?;
    Ok(after)
}

/// The record with this id, or 404.
pub async fn existing(tx: &mut Tx<'_>, def: &'static ListDef, id: &str) -> Result<AnyRecord, ApiError> {
    queries::get_in(tx, def, id).await?.ok_or_else(|| ApiError::not_found(def.one))
}

/// As [`update`], for a body from a client: values a form requires cannot be cleared, and values that cannot
/// be stored are refused instead of dropped. If the list merges by id, scalar fields may be changed without a
/// revision: this transaction sees the latest one.
///
/// # Errors
/// As [`update`], and 422 for values that cannot be stored.
pub async fn update_given(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    id: &str,
    mut patch: Map<String, Value>,
) -> Result<AnyRecord, ApiError> {
    let hooks = def.hooks();
    let before = existing(tx, def, id).await?;
    let known = before.json();
    refuse_unknown_members(def, &patch).map_err(ApiError::invalid)?;
    if patch.get("revision").is_none_or(Value::is_null) {
        patch.remove("revision");
        refuse_parts(def, &patch, &known).map_err(ApiError::invalid)?;
        patch.insert("revision".to_owned(), before.frame().revision.into());
    }
    let frame: Vec<&str> = FRAME.into_iter().filter(|name| *name != "revision").collect();
    let said = take_fixed(def, &mut patch, &frame);
    let kept = body_of(&*before);
    let missing = (hooks.missing)(&merge(kept.clone(), patch.clone()));
    if !missing.is_empty() && (hooks.missing)(&kept).is_empty() {
        return Err(ApiError::invalid(missing));
    }
    let after = update(tx, def, id, patch).await?;
    refuse_other(def, &said, &[&known, &after.json()]).map_err(ApiError::invalid)?;
    Ok(after)
}

/// All errors of a new record entered in a form.
fn refuse_missing(def: &'static ListDef, body: &Map<String, Value>) -> Result<(), ApiError> {
    let missing = (def.hooks().missing)(body);
    if missing.is_empty() {
        return Ok(());
    }
    let mut body = body.clone();
    drop_kept(def, &mut body);
    let options = take_options(def.options, &mut body);
    let mut refusal = match options.and_then(|_| read(def, body)) {
        Ok(_) => return Err(ApiError::invalid(missing)),
        Err(findings) => ApiError::invalid(findings),
    };
    let known: Vec<String> = refusal.fields.iter().map(|field| field.field.clone()).collect();
    refusal.fields.extend(missing.into_iter().filter(|field| !known.contains(&field.field)));
    Err(refusal)
}

/// Deletes a record without references.
///
/// # Errors
/// 404, or 409 naming the references.
pub async fn delete(tx: &mut Tx<'_>, def: &'static ListDef, id: &str) -> Result<(), ApiError> {
    let before = existing(tx, def, id).await?;
    uses::refuse_used(tx, def, id).await?;
    (def.hooks().before_delete)(tx, &*before).await?;
    queries::delete(tx, def, id).await.map_err(|error| uses::explain(def, error))?;
    let mut gone = change(def, &*before, ChangeAction::Deleted, None);
    gone.before = gone.after.take();
    tx.record(gone).await?;
    Ok(())
}

/// Parses a body, and applies the list's rules across fields.
///
/// # Errors
/// Every invalid field, with what to do about it.
pub fn read(def: &'static ListDef, body: Map<String, Value>) -> Result<Draft, Vec<FieldError>> {
    let draft = Draft::read(def, body)?;
    let mut findings = Vec::new();
    (def.hooks().check)(&draft, &mut findings);
    if findings.is_empty() { Ok(draft) } else { Err(findings) }
}

fn take_revision(patch: &mut Map<String, Value>) -> Result<i64, ApiError> {
    match patch.remove("revision").and_then(|value| value.as_i64()) {
        Some(revision) => Ok(revision),
        None => Err(ApiError::field("revision", revision::MISSING)),
    }
}

/// Members no body sets.
pub const FRAME: [&str; 6] = ["id", "createdAt", "createdBy", "updatedAt", "updatedBy", "revision"];

/// A record as the body that would recreate it.
pub fn body_of(record: &dyn Record) -> Map<String, Value> {
    let Value::Object(mut body) = record.json() else { return Map::new() };
    for name in FRAME {
        body.remove(name);
    }
    body
}

fn merge(mut body: Map<String, Value>, patch: Map<String, Value>) -> Map<String, Value> {
    for (name, value) in patch {
        if value.is_null() {
            body.remove(&name);
        } else {
            body.insert(name, value);
        }
    }
    body
}

/// The error for a write based on an old revision.
pub async fn stale(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    current: &dyn Record,
) -> Result<ApiError, DbError> {
    let editor = queries::editor(tx, def, current.key()).await?;
    let name = editor.map_or_else(|| "someone".to_owned(), |editor| editor.name);
    Ok(ApiError::stale(&name, current.json()))
}

fn change(def: &ListDef, record: &dyn Record, action: ChangeAction, before: Option<&dyn Record>) -> Change {
    let after = record.json();
    Change {
        kind: def.kind,
        id: record.key().to_owned(),
        store_id: untyped::store_of(def, &after).map(str::to_owned),
        action,
        before: before.map(|before| before.json()),
        after: Some(after),
    }
}

async fn refuse_circle(tx: &mut Tx<'_>, def: &'static ListDef, id: &str) -> Result<(), ApiError> {
    let Some(parent) = def.tree.and_then(|name| def.field(name)) else { return Ok(()) };
    if queries::is_own_ancestor(tx, def, parent.column, id).await? {
        let message =
            format!("This {} cannot be below itself; choose another {}.", def.one, parent.in_sentence());
        return Err(ApiError::field(parent.name, message));
    }
    Ok(())
}

/// A violated constraint as an error at its field.
fn explain(def: &'static ListDef, draft: &Draft, error: DbError) -> ApiError {
    let DbError::Violation(violation) = &error else { return error.into() };
    let Some(field) = field_of(def, violation) else { return error.into() };
    match violation.kind {
        ViolationKind::Unique => {
            let text = draft.text(field.name).unwrap_or_default();
            let message = match (field.taken, field.kind) {
                (Some(words), _) => words.to_owned(),
                (None, Kind::Ref) => {
                    format!("There is {} for this already; change that one.", with_article(def.one))
                }
                _ => format!("«{text}» is already taken; enter another {}.", field.in_sentence()),
            };
            let mut refusal = ApiError::conflict("duplicate", message.clone());
            refusal.fields.push(wrong(field.name, message));
            refusal
        }
        ViolationKind::ForeignKey => ApiError::field(
            field.name,
            format!("This {} does not exist; choose one from the list.", field.in_sentence()),
        ),
        _ => error.into(),
    }
}

/// The field of a constraint; of several columns, the one with the name.
fn field_of(def: &'static ListDef, violation: &Violation) -> Option<&'static super::Field> {
    let about =
        |column: &String| def.fields.iter().find(|f| f.column == column || f.key() == Some(column.as_str()));
    let mut fields: Vec<_> = violation.fields.iter().filter_map(about).collect();
    if fields.is_empty() && violation.kind == ViolationKind::ForeignKey {
        fields = def.fields.iter().filter(|field| matches!(field.kind, Kind::Ref)).collect();
    }
    fields.iter().copied().find(|field| field.key().is_some()).or_else(|| fields.first().copied())
}

/// Runs a create once per key: a retry with the same body gets the first response.
///
/// # Errors
/// Those of the create, or 422 if the key was used for another body.
pub async fn create_once(
    db: &Db,
    def: &'static ListDef,
    actor: &Actor,
    key: Option<Key>,
    id: &str,
    body: Map<String, Value>,
) -> Result<Value, ApiError> {
    refuse_missing(def, &body)?;
    refuse_unknown_members(def, &body).map_err(ApiError::invalid)?;
    let said = take_fixed(def, &mut body.clone(), &[]);
    let opening = given::opening(def, &body).map_err(ApiError::invalid)?;
    retry::once(db, actor, key.as_ref(), async |tx| {
        let mut record = create(tx, def, id, body.clone(), None).await?;
        if let Some(opening) = opening {
            (def.hooks().open)(tx, &*record, opening).await?;
            record = existing(tx, def, id).await?;
        }
        let record = record.json();
        refuse_other(def, &said, &[&record]).map_err(ApiError::invalid)?;
        Ok(record)
    })
    .await
}
