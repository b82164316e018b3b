//! Columns and names of a layout.

use axum::extract::State;
use larder_db::{Change, ChangeAction, Db};
use larder_domain::netsuite::Layout;
use serde_json::{Value, json};

use super::model::{LayoutQuery, NetsuiteField, NetsuiteLayoutMapping, NetsuiteMapping};
use super::queries;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum number of columns.
const MOST_COLUMNS: usize = 60;
/// Maximum length of a title, name, code or constant, in characters.
const MOST_TEXT: usize = 200;

/// A layout's mapping, or the default.
pub(super) async fn of(db: &Db, layout: Layout) -> ApiResult<NetsuiteMapping> {
    let kept = queries::mapping(db, layout.as_str()).await?;
    Ok(kept.map_or_else(
        || NetsuiteMapping::usual(layout),
        |(mapping, revision)| NetsuiteMapping { revision, ..mapping.0 },
    ))
}

/// The mapping of a layout.
#[utoipa::path(get, path = "/api/sales/netsuite/mapping", tag = "netsuite", params(LayoutQuery),
    responses((status = 200, body = NetsuiteLayoutMapping)))]
pub(crate) async fn get_netsuite_mapping(
    State(state): State<AppState>,
    _who: Who,
    Query(query): Query<LayoutQuery>,
) -> ApiResult<Json<NetsuiteLayoutMapping>> {
    let layout = query.layout.unwrap_or_default();
    Ok(Json(NetsuiteLayoutMapping { layout, mapping: of(&state.db, layout).await? }))
}

/// Set the mapping of a layout: columns with order and content, and NetSuite's names for our lines.
#[utoipa::path(put, path = "/api/sales/netsuite/mapping", tag = "netsuite", request_body = NetsuiteLayoutMapping,
    responses((status = 200, body = NetsuiteLayoutMapping)))]
pub(crate) async fn set_netsuite_mapping(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<NetsuiteLayoutMapping>,
) -> ApiResult<Json<NetsuiteLayoutMapping>> {
    check(&body.mapping)?;
    let (actor, body) = (who.actor(), &body);
    let name = body.layout.as_str();
    let written = state.db.write(&actor, async |tx| {
        let before = queries::mapping_in(tx, name).await?;
        if !queries::set_mapping(tx, name, &body.mapping).await? {
            let now = queries::mapping_in(tx, name).await?.ok_or_else(|| ApiError::not_found("layout"))?;
            return Err(ApiError::stale(
                &now.2.name.clone(),
                json!(NetsuiteMapping { revision: now.1, ..now.0.0 }),
            ));
        }
        let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
        tx.record(Change {
            kind: "netsuiteMapping",
            id: name.to_owned(),
            store_id: None,
            action,
            before: before.map(|(mapping, ..)| audit_snapshot(&mapping.0)),
            after: Some(audit_snapshot(&body.mapping)),
        })
        .await?;
        Ok::<_, ApiError>(())
    });
    written.await?;
    Ok(Json(NetsuiteLayoutMapping { layout: body.layout, mapping: of(&state.db, body.layout).await? }))
}

/// Refuses a mapping that cannot produce a file.
///
/// # Errors
/// 422 with all invalid fields.
pub(super) fn check(mapping: &NetsuiteMapping) -> ApiResult<()> {
    let mut wrong = Vec::new();
    let mut say = |field: String, words: String| wrong.push(FieldError::new(field, words));
    let long = |text: &str| has_unseen(text) || text.chars().count() > MOST_TEXT;
    let most = format!("Enter at most {MOST_TEXT} visible characters.");
    if mapping.columns.is_empty() || mapping.columns.len() > MOST_COLUMNS {
        say("mapping.columns".into(), format!("Choose 1 to {MOST_COLUMNS} columns."));
    }
    for (at, column) in mapping.columns.iter().enumerate() {
        let field = format!("mapping.columns.{at}.title");
        let title = column.title.trim();
        if title.is_empty() {
            say(field, "Name the column.".into());
        } else if long(title) {
            say(field, most.clone());
        } else if mapping.columns[..at].iter().any(|before| before.title.trim() == title) {
            say(field, format!("«{title}» is there twice."));
        }
        if long(&column.value) {
            say(format!("mapping.columns.{at}.value"), most.clone());
        }
    }
    if !mapping.columns.iter().any(|column| column.field == NetsuiteField::ExternalId) {
        say("mapping.columns".into(), "One column has to be the External ID.".into());
    }
    let words = mapping.names.iter().map(|(kind, text)| (format!("mapping.names.{}", kind.as_str()), text));
    let codes = mapping.tax_codes.values().map(|text| ("mapping.taxCodes".to_owned(), text));
    for (field, text) in words.chain(codes) {
        if long(text) {
            say(field, most.clone());
        }
    }
    if !(0..=365).contains(&mapping.due_days) {
        say("mapping.dueDays".into(), "Enter 0 to 365 days.".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

fn audit_snapshot(mapping: &NetsuiteMapping) -> Value {
    let columns: Vec<&str> = mapping.columns.iter().map(|column| column.title.as_str()).collect();
    let names: Vec<String> =
        mapping.names.iter().map(|(kind, name)| format!("{} is {name}", kind.title())).collect();
    json!({ "columns": columns.join(", "), "names": names.join("; "), "taxCodes": mapping.tax_codes, "dates": mapping.dates, "dueDays": mapping.due_days })
}
