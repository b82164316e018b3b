//! The first steps of a new group: what is done of them, for users who may do them.

use axum::extract::State;
use larder_domain::{Action, BusinessDay, StoreScope};
use serde::Serialize;
use utoipa::ToSchema;

use super::queries;
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Json, Who};

/// The first steps of a new group, in their order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FirstSteps {
    /// Only those that the caller may do; none for users of some stores.
    pub items: Vec<FirstStep>,
    /// The last day with sales, for the first report; none for users of some stores.
    pub sales_through: Option<BusinessDay>,
}

/// A first step.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstStep {
    pub key: FirstStepKey,
    pub done: bool,
}

/// What a new group needs first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FirstStepKey {
    /// A company.
    Company,
    /// A store.
    Store,
    /// A second active user.
    People,
    /// Sales of a day.
    Sales,
}

/// The permission that each step needs.
const STEPS: &[(FirstStepKey, &str, Action)] = &[
    (FirstStepKey::Company, "lists/allLists", Action::Create),
    (FirstStepKey::Store, "stores/storeList", Action::Create),
    (FirstStepKey::People, "manageUsers/users", Action::Create),
    (FirstStepKey::Sales, "tools/importSalesProduct", Action::Import),
];

/// What is done of the first steps of a new group.
#[utoipa::path(get, path = "/api/dashboard/main/first-steps", tag = "home",
    responses((status = 200, body = FirstSteps)))]
pub(crate) async fn list_first_steps(State(state): State<AppState>, who: Who) -> ApiResult<Json<FirstSteps>> {
    let theirs: Vec<FirstStepKey> = STEPS
        .iter()
        .filter(|(_, page, action)| who.scope == StoreScope::All && who.can(page, *action))
        .map(|(key, ..)| *key)
        .collect();
    if theirs.is_empty() {
        return Ok(Json(FirstSteps { items: Vec::new(), sales_through: None }));
    }
    let found = queries::first_steps(&state.db).await?;
    let done = |key| match key {
        FirstStepKey::Company => found.companies > 0,
        FirstStepKey::Store => found.stores > 0,
        FirstStepKey::People => found.people > 1,
        FirstStepKey::Sales => found.sales_through.is_some(),
    };
    let items = theirs.into_iter().map(|key| FirstStep { key, done: done(key) }).collect();
    Ok(Json(FirstSteps { items, sales_through: found.sales_through }))
}
