//! Unknown names in a file, and resolving them.

use std::collections::{BTreeSet, HashMap};

use axum::extract::State;
use larder_db::Tx;
use larder_domain::sales::names::key;
use larder_domain::{Action, Money, Qty, StoreScope};
use serde_json::json;

use super::batches::fresh;
use super::import::SalesImport;
use super::model::{
    Batch, BatchState, MapStarted, ResolveItem, ResolveRequest, ResolveStore, StoreSuggestion, Subject,
    UnknownItem, UnknownStore, Unknowns,
};
use super::queries;
use super::queries::findings::NameRow;
use super::summary::{placed_again, refresh};
use larder_ledgers::sales_names::Directory;
use larder_lists as lists;
use larder_lists::catalog::{Location, PosItem, RootItem};
use larder_lists::imports::batches::{find, find_in};
use larder_lists::imports::{State as _, set_summary};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};
use larder_platform::jobs::NewJob;

/// Unknown store and item names in a file, with suggestions.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches/{id}/unknowns", tag = "import sales",
    params(("id" = String, Path)), responses((status = 200, body = Unknowns)))]
pub(crate) async fn list_sales_unknowns(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Unknowns>> {
    let batch = find::<SalesImport>(&state, &who, &id).await?;
    let directory = Directory::of(&state.db, batch.subject).await?;
    let names = queries::findings::names(&state.db, &id).await?;
    let suggester = directory.suggester();
    let codes = Codes::of(&names, &directory);
    let within = |id: &str| who.scope.contains(id);
    let mut unknowns = Unknowns { stores: Vec::new(), items: Vec::new() };
    for name in &names {
        let code = name.code.as_deref();
        if name.kind == "store"
            && !name.name_key.is_empty()
            && directory.store_with_code(&name.name, code).is_none()
        {
            let (code_of, suggestion) = match codes.holder(&name.name_key, within) {
                Some((holder, suggestion)) => (Some(holder), suggestion),
                None => (None, directory.suggest_store(&name.name, code, within)),
            };
            unknowns.stores.push(UnknownStore {
                code_of,
                suggestion,
                name: name.name.clone(),
                code: name.code.clone(),
                lines: name.lines,
                net: Money(name.net),
                first: name.first_day,
                last: name.last_day,
            });
        } else if name.kind == "item" && directory.item_by(&name.name_key, &name.name).is_none() {
            let parent = name.parent.as_deref().filter(|_| batch.subject == Subject::PosItems);
            unknowns.items.push(UnknownItem {
                suggestion: suggester.item_or_parent(&name.name, parent),
                key: name.name_key.clone(),
                name: name.name.clone(),
                code: name.code.clone(),
                lines: name.lines,
                qty: Qty(name.qty),
            });
        }
    }
    Ok(Json(unknowns))
}

/// The codes of stores: in a file, beside their names, and in the list of stores.
struct Codes<'a> {
    of_file: HashMap<String, Vec<&'a NameRow>>,
    directory: &'a Directory,
}

impl<'a> Codes<'a> {
    fn of(names: &'a [NameRow], directory: &'a Directory) -> Self {
        let mut of_file: HashMap<String, Vec<&NameRow>> = HashMap::new();
        for row in names.iter().filter(|row| row.kind == "store") {
            let code = row.code.as_deref().map(key).unwrap_or_default();
            if !code.is_empty() && code != row.name_key {
                of_file.entry(code).or_default().push(row);
            }
        }
        Self { of_file, directory }
    }

    /// What a code stands for: in words, and as a store if it is one that is known. The names in the file come first.
    fn holder(&self, code: &str, within: impl Fn(&str) -> bool) -> Option<(String, Option<StoreSuggestion>)> {
        let directory = self.directory;
        let (names, ids): (Vec<&str>, BTreeSet<Option<String>>) = match self.of_file.get(code) {
            Some(rows) => rows
                .iter()
                .map(|row| {
                    let id = directory.store_with_code(&row.name, row.code.as_deref());
                    (row.name.as_str(), id.map(|id| id.to_string()))
                })
                .unzip(),
            None => directory
                .stores_of_code(code)
                .filter(|(id, _)| within(id))
                .map(|(id, name)| (name, Some(id.to_owned())))
                .unzip(),
        };
        if names.is_empty() {
            return None;
        }
        let mut ids = ids.into_iter();
        let only = match (ids.next(), ids.next()) {
            (Some(only), None) => only.filter(|id| within(id)),
            _ => None,
        };
        let suggestion = only.and_then(|store_id| {
            let name = directory.store_name(&store_id)?.to_owned();
            Some(StoreSuggestion { store_id, name })
        });
        Some((names.join(" or "), suggestion))
    }
}

/// Resolve names, for this and all future files.
#[utoipa::path(post, path = "/api/tools/import-sales-product/batches/{id}/resolve", tag = "import sales",
    params(("id" = String, Path)), request_body = ResolveRequest, responses((status = 200, body = Batch)))]
pub(crate) async fn resolve_sales_unknowns(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(request): Json<ResolveRequest>,
) -> ApiResult<Json<Batch>> {
    let batch = find::<SalesImport>(&state, &who, &id).await?;
    refuse_while_running(&batch)?;
    let subject = batch.subject;
    let names = queries::findings::names(&state.db, &id).await?;
    let of_kind = |kind: &str| -> HashMap<&str, &NameRow> {
        names.iter().filter(|n| n.kind == kind).map(|n| (n.name_key.as_str(), n)).collect()
    };
    let (stores, items) = (&of_kind("store"), &of_kind("item"));
    check(&who, &request)?;
    let (request, directory) = (&request, &Directory::of(&state.db, subject).await?);
    state
        .db
        .write(&who.actor(), async |tx| {
            refuse_while_running(&find_in::<SalesImport>(tx, &who, &id).await?)?;
            for (at, store) in request.stores.iter().enumerate() {
                resolve_store(tx, &state, &who, &id, at, store, stores).await?;
            }
            resolve_items(tx, &state, subject, &request.items, items, directory).await?;
            Ok::<_, ApiError>(())
        })
        .await?;
    let batch = fresh(&state, &who, &id).await?;
    let mut batch = placed_again(&state, &who, batch, !request.stores.is_empty()).await?;
    if let (Some(summary), Some(_)) = (&mut batch.summary, &batch.mapping) {
        let directory = Directory::of(&state.db, subject).await?;
        refresh(&state, &id, &mut summary.0, subject, &directory).await?;
        let summary = &summary.0;
        state
            .db
            .write(&who.actor(), async |tx| -> ApiResult<()> {
                find_in::<SalesImport>(tx, &who, &id).await?;
                Ok(set_summary::<SalesImport>(tx, &id, summary).await?)
            })
            .await?;
    }
    Ok(Json(batch))
}

fn refuse_while_running(batch: &Batch) -> ApiResult<()> {
    match BatchState::RUNNING.contains(&batch.state) {
        true => Err(ApiError::conflict("state", "A job is at work on this file. Wait until it is done.")),
        false => Ok(()),
    }
}

/// Creating a record needs its list's permission; choosing one needs access to the store.
fn check(who: &Who, request: &ResolveRequest) -> ApiResult<()> {
    if request.stores.iter().any(|store| store.create) && !who.can("stores/storeList", Action::Create) {
        return Err(ApiError::may_not("You may not add stores."));
    }
    if request.items.iter().any(|item| item.create) && !who.can("lists/allLists", Action::Create) {
        return Err(ApiError::may_not("You may not add items."));
    }
    let limited = matches!(who.scope, StoreScope::Only(_));
    if limited && request.stores.iter().any(|store| store.create) {
        return Err(ApiError::out_of_scope());
    }
    request.stores.iter().filter_map(|store| store.store_id.as_deref()).try_for_each(|id| who.check_store(id))
}

async fn resolve_store(
    tx: &mut Tx<'_>,
    state: &AppState,
    who: &Who,
    batch_id: &str,
    at: usize,
    choice: &ResolveStore,
    known: &HashMap<&str, &NameRow>,
) -> ApiResult<()> {
    let name_key = key(&choice.name);
    let Some(row) = known.get(name_key.as_str()).filter(|_| !name_key.is_empty()) else {
        return Err(ApiError::field(format!("stores.{at}.name"), "The file has no such store name."));
    };
    let target = match &choice.store_id {
        Some(id) if queries::directory::store_exists(tx, id).await? => id.clone(),
        None if choice.create => {
            let id = state.new_id();
            let mut body = json!({ "name": row.name });
            // Another system may give one code to several names, or to a store that is not ours.
            if let Some(code) = row.code.as_ref().filter(|code| code.chars().count() <= 50)
                && !queries::directory::is_pos_code(tx, code).await?
            {
                body["posCode"] = json!(code);
            }
            lists::insert::<Location>(tx, &id, body).await.map_err(|e| at_field(e, "stores", at))?;
            id
        }
        _ => return Err(ApiError::field(format!("stores.{at}.storeId"), "Choose a store that exists.")),
    };
    who.check_store(&target)?;
    queries::directory::set_alias(tx, "store", &name_key, &row.name, &target).await?;
    queries::findings::set_name_store(tx, batch_id, &name_key, Some(&target)).await?;
    Ok(())
}

/// Resolves items, variants after the others: what they are variants of may be new too. Returns what they are, by key.
async fn resolve_items(
    tx: &mut Tx<'_>,
    state: &AppState,
    subject: Subject,
    choices: &[ResolveItem],
    known: &HashMap<&str, &NameRow>,
    directory: &Directory,
) -> ApiResult<HashMap<String, String>> {
    let mut rows = Vec::with_capacity(choices.len());
    for (at, choice) in choices.iter().enumerate() {
        let Some(row) = known.get(choice.key.as_str()).copied() else {
            return Err(ApiError::field(format!("items.{at}.key"), "The file has no such item."));
        };
        rows.push((at, choice, row));
    }
    rows.sort_by_key(|(.., row)| row.parent.is_some());
    let mut targets: HashMap<String, String> = HashMap::new();
    for (at, choice, row) in rows {
        let parent = row.parent.as_ref().and_then(|key| {
            targets.get(key).cloned().or_else(|| directory.item_by(key, key).map(|id| id.to_string()))
        });
        let target = resolve_item(tx, state, subject, at, choice, row, parent).await?;
        targets.insert(choice.key.clone(), target);
    }
    Ok(targets)
}

/// Resolves an item; a new one may be a variant of `parent`.
async fn resolve_item(
    tx: &mut Tx<'_>,
    state: &AppState,
    subject: Subject,
    at: usize,
    choice: &ResolveItem,
    row: &NameRow,
    parent: Option<String>,
) -> ApiResult<String> {
    let target = match &choice.pos_item_id {
        Some(id) if subject == Subject::RootItems && queries::directory::root_item_exists(tx, id).await? => {
            id.clone()
        }
        None if choice.create && subject == Subject::RootItems => {
            let id = state.new_id();
            let body = json!({ "name": row.name });
            lists::insert::<RootItem>(tx, &id, body).await.map_err(|e| at_field(e, "items", at))?;
            id
        }
        _ if subject == Subject::RootItems => {
            return Err(ApiError::field(format!("items.{at}.posItemId"), "Choose a root item that exists."));
        }
        Some(id) if queries::directory::item_exists(tx, id).await? => id.clone(),
        None if choice.create => {
            let id = state.new_id();
            let mut body = json!({ "description": row.name });
            if let Some(code) = &row.code {
                body["posItemId"] = json!(code);
            }
            if let Some(category) = row.category.as_ref().filter(|c| !c.is_empty()) {
                body["category"] = json!(category);
            }
            if let Some(price) = row.price.filter(|price| *price > 0) {
                body["price"] = json!(Money(price));
            }
            if let Some(parent) = parent
                && let Some(parent) = queries::directory::item_of_variants(tx, &parent).await?
            {
                body["variantOf"] = json!(parent);
            }
            lists::insert::<PosItem>(tx, &id, body).await.map_err(|e| at_field(e, "items", at))?;
            id
        }
        _ => return Err(ApiError::field(format!("items.{at}.posItemId"), "Choose a POS item that exists.")),
    };
    queries::directory::set_alias(tx, subject.alias(), &row.name_key, &row.name, &target).await?;
    Ok(target)
}

/// Moves a list engine error to the request's entry for the record.
fn at_field(mut error: ApiError, list: &str, at: usize) -> ApiError {
    for field in &mut error.fields {
        *field = FieldError::new(format!("{list}.{at}.{}", field.field), field.message.clone());
    }
    error
}

/// Resolve posted names; a job then maps the lines posted with them.
#[utoipa::path(post, path = "/api/tools/import-sales-product/unmapped/resolve", tag = "import sales",
    request_body = ResolveRequest, responses((status = 200, body = MapStarted)))]
pub(crate) async fn resolve_unmapped_sales_items(
    State(state): State<AppState>,
    who: Who,
    Json(request): Json<ResolveRequest>,
) -> ApiResult<Json<MapStarted>> {
    // A name maps to the same item in every store.
    if matches!(who.scope, StoreScope::Only(_)) {
        return Err(ApiError::out_of_scope());
    }
    if request.items.is_empty() || !request.stores.is_empty() {
        return Err(ApiError::field("items", "Say which items are meant."));
    }
    check(&who, &request)?;
    let posted = super::unmapped::posted_names(&state.db, &request.items).await?;
    let posted: HashMap<&str, &NameRow> = posted.iter().map(|(key, row)| (key.as_str(), row)).collect();
    let directory = Directory::load(&state.db).await?;
    let job_id = state.new_id();
    let (request, job, posted, directory) = (&request, &job_id, &posted, &directory);
    state
        .db
        .write(&who.actor(), async |tx| {
            let targets =
                resolve_items(tx, &state, Subject::PosItems, &request.items, posted, directory).await?;
            let new = NewJob { kind: "sales.map", unique_key: None, args: json!({ "targets": targets }) };
            state.jobs.enqueue(tx, job.clone(), new).await?;
            Ok::<_, ApiError>(())
        })
        .await?;
    state.jobs.wake();
    Ok(Json(MapStarted { job_id }))
}
