//! Settings of tills: how they calculate and what they print.

use std::collections::BTreeMap;

use axum::extract::State;
use larder_domain::BusinessDay;
use larder_domain::zreading::{Basis, VatForm};
use larder_tillread::{Field, Template};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::readings::terminals;
use larder_ledgers::readings::terminals::Kept;
use larder_ledgers::readings::{list, write};
use larder_platform::AppState;
use larder_platform::audit::Editor;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::date;
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Query parameters: the store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct TerminalsQuery {
    pub store_id: Option<String>,
}

/// The accessible tills.
#[derive(Debug, Serialize, ToSchema)]
pub struct ZTerminals {
    pub items: Vec<ZTerminalRow>,
}

/// A till with its store's name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ZTerminalRow {
    #[serde(flatten)]
    pub terminal: Kept,
    pub store_name: String,
}

/// A till's settings to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ZTerminalDraft)]
pub struct TerminalDraft {
    /// `net` or `gross`.
    pub basis: String,
    /// `inclusive` or `exclusive`.
    pub vat: String,
    #[serde(default)]
    pub min: Option<String>,
    #[serde(default)]
    pub serial: Option<String>,
    #[serde(default)]
    pub ptu: Option<String>,
    #[serde(default)]
    pub tin: Option<String>,
    /// The taught layout; null deletes it, omitted keeps it.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Object>)]
    pub template: Option<Option<Value>>,
    /// The day from which it is no longer used; null while it is, omitted keeps it.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = Date)]
    pub off_from: Option<Option<String>>,
    /// Whether it prints readings; false for a delivery app's. Omitted keeps it.
    #[serde(default)]
    pub prints: Option<bool>,
    /// The revision the caller saw; 0 for the first.
    pub revision: i64,
}

/// Distinguishes null from an omitted field.
fn given<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(from).map(Some)
}

/// Meaning of a till's label.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TeachTerminal)]
pub struct Teach {
    /// As printed by the till.
    pub label: String,
    /// `gross`, `net`, `sc` …: a field of a picture; with `absent`, the field the till does not print.
    pub field: String,
    /// Whether the till does not print the field at all.
    #[serde(default)]
    pub absent: bool,
}

/// Tills with their settings, including tills only known from the store list or readings.
#[utoipa::path(get, path = "/api/sales/z-reading/terminals", tag = "z-readings", params(TerminalsQuery),
    responses((status = 200, body = ZTerminals)))]
pub(crate) async fn list_z_terminals(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<TerminalsQuery>,
) -> ApiResult<Json<ZTerminals>> {
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(wished.as_deref())?;
    let names: BTreeMap<String, String> =
        list::stores(&state.db, stores.as_deref()).await?.into_iter().collect();
    let kept = terminals::all(&state.db, stores.as_deref()).await?;
    let nobody = Editor { uid: String::new(), name: String::new(), email: String::new() };
    let mut items = Vec::new();
    for (store_id, terminal_id) in terminals::known(&state.db, stores.as_deref()).await? {
        let terminal = kept.iter().find(|kept| kept.store_id == store_id && kept.terminal_id == terminal_id);
        items.push(ZTerminalRow {
            terminal: terminal
                .cloned()
                .unwrap_or_else(|| Kept::unset(&store_id, &terminal_id, nobody.clone())),
            store_name: names.get(&store_id).cloned().unwrap_or_default(),
        });
    }
    Ok(Json(ZTerminals { items }))
}

/// Save a till's settings and machine number.
#[utoipa::path(put, path = "/api/sales/z-reading/terminals/{storeId}/{terminalId}", tag = "z-readings",
    params(("storeId" = String, Path), ("terminalId" = String, Path)), request_body = TerminalDraft,
    responses((status = 200, body = Kept)))]
pub(crate) async fn set_z_terminal(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, terminal_id)): Path<(String, String)>,
    Json(draft): Json<TerminalDraft>,
) -> ApiResult<Json<Kept>> {
    let off_from = check(&draft, &terminal_id)?;
    let trimmed = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let (actor, draft, store_id, terminal_id) = (who.actor(), &draft, &store_id, &terminal_id);
    let saved = state.db.write(&actor, async |tx| {
        let mut till = load(tx, store_id, terminal_id).await?;
        let before = (till.revision > 0).then(|| till.audit_snapshot());
        if draft.revision != till.revision {
            let now = serde_json::to_value(&till).map_err(ApiError::internal)?;
            return Err(ApiError::stale(&till.updated_by.name, now));
        }
        (till.basis, till.vat) = (draft.basis.clone(), draft.vat.clone());
        (till.min, till.serial) = (trimmed(&draft.min), trimmed(&draft.serial));
        (till.ptu, till.tin) = (trimmed(&draft.ptu), trimmed(&draft.tin));
        if draft.off_from.is_some() {
            till.off_from = off_from;
        }
        till.prints = draft.prints.or(till.prints);
        if let Some(template) = &draft.template {
            till.template = template.clone().map(larder_db::Json);
        }
        write::set_terminal(tx, till, before).await
    });
    Ok(Json(saved.await?))
}

async fn load(tx: &mut larder_db::Tx<'_>, store_id: &str, terminal_id: &str) -> ApiResult<Kept> {
    if !list::store_exists(tx, store_id).await? {
        return Err(ApiError::not_found("store"));
    }
    let by = Editor::from(tx.actor());
    let kept = terminals::find_in(tx, store_id, terminal_id).await?;
    Ok(kept.unwrap_or_else(|| Kept::unset(store_id, terminal_id, by)))
}

fn check(draft: &TerminalDraft, terminal_id: &str) -> ApiResult<Option<BusinessDay>> {
    let mut wrong = Vec::new();
    if terminal_id.chars().count() > 50 || has_unseen(terminal_id) || terminal_id.trim() != terminal_id {
        wrong.push(FieldError::new("terminalId", "Use at most 50 visible characters."));
    }
    if Basis::parse(&draft.basis).is_none() {
        wrong.push(FieldError::new("basis", "Choose net or gross."));
    }
    if VatForm::parse(&draft.vat).is_none() {
        wrong.push(FieldError::new("vat", "Choose inclusive or exclusive."));
    }
    for (field, text) in
        [("min", &draft.min), ("serial", &draft.serial), ("ptu", &draft.ptu), ("tin", &draft.tin)]
    {
        if text.as_deref().is_some_and(|text| text.chars().count() > 40 || has_unseen(text)) {
            wrong.push(FieldError::new(field, "Use at most 40 visible characters."));
        }
    }
    if let Some(Some(template)) = &draft.template
        && let Err(error) = serde_json::from_value::<Template>(template.clone())
    {
        wrong.push(FieldError::new("template", format!("This is no layout: {error}.")));
    }
    let off_from =
        date("offFrom", draft.off_from.as_ref().and_then(Option::as_deref)).unwrap_or_else(|error| {
            wrong.push(error);
            None
        });
    if wrong.is_empty() { Ok(off_from) } else { Err(ApiError::invalid(wrong)) }
}

/// Teach a till's layout: the field of a printed label, or a field the till does not print.
#[utoipa::path(post, path = "/api/sales/z-reading/terminals/{storeId}/{terminalId}/teach", tag = "z-readings",
    params(("storeId" = String, Path), ("terminalId" = String, Path)), request_body = Teach,
    responses((status = 200, body = Kept)))]
pub(crate) async fn teach_z_terminal(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, terminal_id)): Path<(String, String)>,
    Json(teach): Json<Teach>,
) -> ApiResult<Json<Kept>> {
    let field = Field::ALL.into_iter().find(|field| field.as_str() == teach.field);
    let field = field.ok_or_else(|| ApiError::field("field", "Choose what the label stands for."))?;
    if !teach.absent && (teach.label.trim().is_empty() || has_unseen(&teach.label)) {
        return Err(ApiError::field("label", "Choose the words that the till prints."));
    }
    let (actor, teach, store_id, terminal_id) = (who.actor(), &teach, &store_id, &terminal_id);
    let saved = state.db.write(&actor, async |tx| {
        let mut till = load(tx, store_id, terminal_id).await?;
        let before = (till.revision > 0).then(|| till.audit_snapshot());
        let known =
            till.template.as_ref().and_then(|known| serde_json::from_value::<Template>(known.0.clone()).ok());
        let known = known.unwrap_or_default();
        let taught = if teach.absent { known.without(field) } else { known.teach(&teach.label, field) };
        till.template = Some(larder_db::Json(json!(taught)));
        write::set_terminal(tx, till, before).await
    });
    Ok(Json(saved.await?))
}
