//! The change history of all entity types: who, when, what, field by field.

mod queries;

use std::collections::HashMap;

use axum::extract::State;
use larder_domain::{Action, StoreScope};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_lists::catalog;
use larder_platform::AppState;
use larder_platform::audit;
use larder_platform::audit::{Filter, HistoryEntry, Within};
use larder_platform::entity_types::{EntityTypes, SeenBy};
use larder_platform::http::json::Query;
use larder_platform::http::question::{between, like};
use larder_platform::http::{ApiError, ApiResult, Json, Routes, Who, routes};
use larder_platform::people::applications;
use larder_platform::people::visible_people::VisiblePeople;

/// Rows per page, default and maximum.
const PAGE_SIZE: i64 = 50;
const MAX_PAGE_SIZE: i64 = 200;

/// Filters of the history.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuestion {
    /// Entity type.
    pub kind: Option<String>,
    /// Record id.
    pub id: Option<String>,
    /// Account that made the change.
    pub uid: Option<String>,
    /// `created`, `updated` or `deleted`.
    pub action: Option<String>,
    /// Search text in the actor's name or email address.
    pub q: Option<String>,
    /// First date, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub from: Option<String>,
    /// Last date, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub to: Option<String>,
    /// Page number, from 1.
    #[param(minimum = 1, maximum = 1_000_000)]
    pub page: Option<i64>,
    /// Rows per page: 1 to 200 (50).
    #[param(minimum = 1, maximum = 200)]
    pub page_size: Option<i64>,
}

/// A change and the record it belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordChange {
    #[serde(flatten)]
    pub entry: HistoryEntry,
    /// Entity type.
    pub kind: String,
    /// Label of the entity type.
    pub kind_label: String,
    pub record_id: String,
    /// Its name now, or when it was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_name: Option<String>,
    /// The store it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_id: Option<String>,
}

/// An entity type with a history.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RecordKind {
    /// Its key in events and history.
    pub kind: &'static str,
    pub label: &'static str,
}

/// A page of the history.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordChanges {
    /// Newest first.
    pub items: Vec<RecordChange>,
    /// Number of matching changes on all pages.
    pub total: i64,
    /// The entity types whose history the caller may see.
    pub kinds: Vec<RecordKind>,
}

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .any_role("Only returns entity types and stores the caller may see.", routes!(list_history))
}

/// Changes to records, newest first.
#[utoipa::path(get, path = "/api/history", tag = "history", params(HistoryQuestion),
    responses((status = 200, body = RecordChanges)))]
pub(crate) async fn list_history(
    State(state): State<AppState>,
    who: Who,
    Query(question): Query<HistoryQuestion>,
) -> ApiResult<Json<RecordChanges>> {
    let known = state.entity_types;
    let kinds = kinds_of(known, &who);
    let mut filter = question.read()?;
    filter.kinds = match question.kind.as_deref().filter(|kind| !kind.is_empty()) {
        None => kinds.iter().map(|one| one.kind).collect(),
        Some(kind) => match kinds.iter().find(|one| one.kind == kind) {
            Some(one) => vec![one.kind],
            None if known.with_history().any(|(one, _)| one.name == kind) => {
                return Err(ApiError::may_not("You may not see the history of these records."));
            }
            None => return Err(ApiError::field("kind", "There is no such kind of record.")),
        },
    };
    filter.within = within(&state, &who, &filter.kinds).await?;
    let (rows, total) = audit::everything(&state.db, &filter).await?;
    let names = queries::names(&state.db, known, &rows).await?;
    let items = rows.into_iter().map(|row| record_change(known, row, &names)).collect();
    Ok(Json(RecordChanges { items, total, kinds }))
}

fn record_change(
    kinds: &EntityTypes,
    row: audit::Row,
    names: &HashMap<(String, String), String>,
) -> RecordChange {
    let label = kinds.get(&row.kind).map_or("", |kind| kind.many);
    let named = names.get(&(row.kind.clone(), row.record_id.clone())).cloned();
    RecordChange {
        record_name: named.or_else(|| named_then(&row)),
        kind: row.kind.clone(),
        kind_label: label.to_owned(),
        record_id: row.record_id.clone(),
        store_id: row.store_id.clone(),
        entry: row.into(),
    }
}

/// A record's name when it was deleted.
fn named_then(row: &audit::Row) -> Option<String> {
    let field = catalog::ALL.iter().find(|def| def.kind == row.kind).map_or("name", |def| def.name);
    let pair = row.changes.0.get(field).or_else(|| row.changes.0.get("title"))?;
    let text = |at: usize| pair.get(at).and_then(|value| value.as_str()).map(str::to_owned);
    text(1).or_else(|| text(0))
}

fn kinds_of(kinds: &'static EntityTypes, who: &Who) -> Vec<RecordKind> {
    kinds
        .with_history()
        .filter(|(kind, _)| kind.open || who.can(kind.page, Action::View))
        .map(|(kind, _)| RecordKind { kind: kind.name, label: kind.many })
        .collect()
}

/// Restricts the history of these entity types to the stores of a store-limited user.
async fn within(state: &AppState, who: &Who, asked: &[&str]) -> ApiResult<Option<Within>> {
    let StoreScope::Only(stores) = &who.scope else { return Ok(None) };
    let kinds = state.entity_types;
    let of = |by| kinds.with_history().filter(|(_, seen)| *seen == by).map(|(kind, _)| kind.name).collect();
    let mut people = Vec::new();
    if kinds.with_history().any(|(kind, seen)| seen == SeenBy::People && asked.contains(&kind.name)) {
        let visible = VisiblePeople::of(&state.db, who).await?;
        people.push(("application", applications::seen(&state.db, &visible).await?));
        if let VisiblePeople::Only { users, .. } = visible {
            people.push(("user", users.into_iter().collect()));
        }
    }
    Ok(Some(Within {
        stores: stores.iter().cloned().collect(),
        everybodys: of(SeenBy::Everybody),
        own: of(SeenBy::Maker),
        uid: who.uid.clone(),
        people,
    }))
}

impl HistoryQuestion {
    fn read(&self) -> ApiResult<Filter> {
        let text = |value: &Option<String>| value.clone().filter(|text| !text.is_empty());
        let action = text(&self.action);
        if action.as_deref().is_some_and(|action| !["created", "updated", "deleted"].contains(&action)) {
            return Err(ApiError::field("action", "Choose created, updated or deleted."));
        }
        let (page, size) = (self.page.unwrap_or(1), self.page_size.unwrap_or(PAGE_SIZE));
        if !(1..=1_000_000).contains(&page) || !(1..=MAX_PAGE_SIZE).contains(&size) {
            return Err(ApiError::field(
                "page",
                format!("Ask for a page from 1 of 1 to {MAX_PAGE_SIZE} rows."),
            ));
        }
        let (from, to) = between(self.from.as_deref(), self.to.as_deref())?;
        Ok(Filter {
            record_id: text(&self.id),
            uid: text(&self.uid),
            action,
            like: like(self.q.as_deref())?,
            from,
            to,
            limit: size,
            offset: (page - 1) * size,
            ..Filter::default()
        })
    }
}
