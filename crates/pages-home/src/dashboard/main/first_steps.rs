//! The first steps of a new group: what is done of them, for users who may do them.

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::{Action, BusinessDay, StoreScope};
use serde::Serialize;
use utoipa::ToSchema;

use super::queries;
use larder_platform::AppState;
use larder_platform::example::{self, Wish};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// The first steps of a new group, in their order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FirstSteps {
    /// Only those that the caller may do; none for users of some stores.
    pub items: Vec<FirstStep>,
    /// The last day with sales, for the first report; none for users of some stores.
    pub sales_through: Option<BusinessDay>,
    /// What there is of the example group; null for users who may not decide about it.
    pub example: Option<ExampleState>,
}

/// What there is of the example group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ExampleState {
    /// It can be loaded: the group has nothing yet.
    Offered,
    /// The group is the example, and can be thrown away.
    Loaded,
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

/// The permission to load the example and to throw it away.
pub(super) const EXAMPLE: (&str, Action) = ("manageUsers/users", Action::Edit);

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
    if theirs.is_empty() && !may_decide(&who) {
        return Ok(Json(FirstSteps { items: Vec::new(), sales_through: None, example: None }));
    }
    let found = queries::first_steps(&state.db).await?;
    let example = if may_decide(&who) { example_of(&state, &found).await? } else { None };
    let done = |key| match key {
        FirstStepKey::Company => found.companies > 0,
        FirstStepKey::Store => found.stores > 0,
        FirstStepKey::People => found.people > 1,
        FirstStepKey::Sales => found.sales_through.is_some(),
    };
    let items = theirs.into_iter().map(|key| FirstStep { key, done: done(key) }).collect();
    Ok(Json(FirstSteps { items, sales_through: found.sales_through, example }))
}

/// Whether this user may replace everything by the example: they may change users, and have access to all stores.
fn may_decide(who: &Who) -> bool {
    let (page, action) = EXAMPLE;
    who.scope == StoreScope::All && who.can(page, action)
}

async fn example_of(state: &AppState, found: &queries::FirstFound) -> ApiResult<Option<ExampleState>> {
    if !state.example().is_offered() {
        return Ok(None);
    }
    if example::is_there(&state.config.data_dir) {
        return Ok(Some(ExampleState::Loaded));
    }
    // The other lists are read only where there is no store.
    let empty = found.stores == 0 && queries::has_no_lists(&state.db).await?;
    Ok(empty.then_some(ExampleState::Offered))
}

/// Fill a group that has nothing yet with the example. The server is away for about a minute.
#[utoipa::path(post, path = "/api/dashboard/main/example", tag = "home", responses((status = 202)))]
pub(crate) async fn load_example(State(state): State<AppState>, who: Who) -> ApiResult<StatusCode> {
    ask(
        &state,
        &who,
        ExampleState::Offered,
        Wish::Load,
        "The example needs a group without stores, items and units.",
    )
    .await
}

/// Throw the example away, with all that was entered since. The group is then as it was before it.
#[utoipa::path(delete, path = "/api/dashboard/main/example", tag = "home", responses((status = 202)))]
pub(crate) async fn discard_example(State(state): State<AppState>, who: Who) -> ApiResult<StatusCode> {
    ask(&state, &who, ExampleState::Loaded, Wish::Discard, "This group is not an example.").await
}

async fn ask(
    state: &AppState,
    who: &Who,
    wanted: ExampleState,
    wish: Wish,
    otherwise: &str,
) -> ApiResult<StatusCode> {
    if !may_decide(who) {
        return Err(ApiError::out_of_scope());
    }
    let found = queries::first_steps(&state.db).await?;
    if example_of(state, &found).await? != Some(wanted) {
        return Err(ApiError::conflict("state", otherwise));
    }
    let (example, folder) = (state.example(), state.config.data_dir.clone());
    let asked = tokio::task::spawn_blocking(move || example.ask(&folder, wish)).await;
    asked.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    Ok(StatusCode::ACCEPTED)
}
