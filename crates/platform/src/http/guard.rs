//! The permission of a route: declared beside it, checked before its handler, written into the contract.

#[cfg(feature = "contract")]
use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use larder_domain::{Action, Permission, access};
use serde_json::{Value, json};
use utoipa::openapi::path::Paths;
#[cfg(feature = "contract")]
use utoipa::openapi::path::{Operation, PathItem};
#[cfg(feature = "contract")]
use utoipa::openapi::{Components, OpenApi, OpenApiBuilder};
use utoipa::openapi::{RefOr, schema::Schema};

use super::parameters::Declared;
use super::{ApiError, Who};
use crate::AppState;

/// What a route requires of its caller.
#[derive(Debug, Clone, Copy)]
struct Guard {
    requirement: Requirement,
    /// Whether recent authentication is required.
    fresh: bool,
}

/// Who is admitted.
#[derive(Debug, Clone, Copy)]
enum Requirement {
    /// Everyone, for a stated reason.
    Public,
    /// Signed-in users, even with a pending password change or second factor: it is their own account.
    OwnAccount,
    /// Signed-in users (any role or none).
    SignedIn,
    /// Users with any role.
    AnyRole,
    /// Users with a permission.
    Can(Permission),
}

/// Schemas and operations of the contract.
pub type Description = (Vec<(String, RefOr<Schema>)>, Paths);
#[cfg(feature = "contract")]
pub(super) type Described = dyn Fn() -> Description + Send + Sync;

/// The handlers of one path. Their part of the contract is built lazily: for all of them it takes longer than
/// the rest of the startup.
pub struct Handlers {
    path: String,
    router: MethodRouter<AppState>,
    #[cfg(feature = "contract")]
    describe: Box<Described>,
    reads_all: bool,
}

impl Handlers {
    /// Handlers of `path`. `describe` builds their part of the contract; without the feature `contract` it is dropped,
    /// and no schema is compiled into the binary.
    pub fn new(
        path: impl Into<String>,
        router: MethodRouter<AppState>,
        describe: impl Fn() -> Description + Send + Sync + 'static,
    ) -> Self {
        #[cfg(not(feature = "contract"))]
        drop(describe);
        Self {
            path: path.into(),
            router,
            #[cfg(feature = "contract")]
            describe: Box::new(describe),
            reads_all: false,
        }
    }

    /// For handlers that check every query parameter themselves, to report unknown ones with the other errors.
    #[must_use]
    pub fn reading_all(mut self) -> Self {
        self.reads_all = true;
        self
    }

    /// Permissions the handlers check beside the route's own, and what for; a second call adds to the first.
    /// They are written into the contract, and a test compares all permissions in it with those that can be
    /// granted.
    ///
    /// # Panics
    /// At startup, if no role can grant it.
    #[must_use]
    pub fn also(self, why: &str, rights: &[(&'static str, Action)]) -> Self {
        let said = rights.iter().map(|(page, action)| {
            requirement(page, *action);
            json!({ "page": page, "action": action.as_str(), "why": why })
        });
        let said = json!({ "x-also-permission": said.collect::<Vec<_>>() });
        self.declaring(said)
    }

    /// With these extensions at each of their operations in the contract.
    #[cfg(feature = "contract")]
    fn declaring(self, said: Value) -> Self {
        let describe = self.describe;
        let describe = move || {
            let (schemas, mut paths) = describe();
            declare(&mut paths, &said);
            (schemas, paths)
        };
        Self { describe: Box::new(describe), ..self }
    }

    #[cfg(not(feature = "contract"))]
    fn declaring(self, _: Value) -> Self {
        self
    }
}

/// Routes, each with its guard. None can be added without.
#[derive(Default)]
pub struct Routes {
    state: Option<AppState>,
    router: Router<AppState>,
    #[cfg(feature = "contract")]
    described: Vec<Arc<Described>>,
}

impl Routes {
    #[must_use]
    pub fn new(state: &AppState) -> Self {
        Self { state: Some(state.clone()), ..Self::default() }
    }

    /// Open to everyone; `why` goes into the contract.
    #[must_use]
    pub fn public(self, why: &str, routes: Handlers) -> Self {
        self.add(Requirement::Public, false, json!({ "x-public": why }), routes)
    }

    /// Open to signed-in users, even with a pending password change or second factor.
    #[must_use]
    pub fn own_account(self, why: &str, routes: Handlers) -> Self {
        self.add(Requirement::OwnAccount, false, json!({ "x-permission": { "signedIn": why } }), routes)
    }

    /// As [`Routes::own_account`], for operations that require recent authentication.
    #[must_use]
    pub fn own_account_afresh(self, why: &str, routes: Handlers) -> Self {
        let said = json!({ "x-permission": { "signedIn": why, "fresh": true } });
        self.add(Requirement::OwnAccount, true, said, routes)
    }

    /// Open to signed-in users; `why` goes into the contract.
    #[must_use]
    pub fn signed_in(self, why: &str, routes: Handlers) -> Self {
        self.add(Requirement::SignedIn, false, json!({ "x-permission": { "signedIn": why } }), routes)
    }

    /// Open to users with a role; `why` goes into the contract.
    #[must_use]
    pub fn any_role(self, why: &str, routes: Handlers) -> Self {
        self.add(Requirement::AnyRole, false, json!({ "x-permission": { "anyRole": why } }), routes)
    }

    /// Open to users with this permission. A path with `{storeId}` is also checked against the user's stores.
    ///
    /// # Panics
    /// At startup, if no role can grant it.
    #[must_use]
    pub fn can(self, page: &'static str, action: Action, routes: Handlers) -> Self {
        let said = json!({ "x-permission": { "page": page, "action": action.as_str() } });
        self.add(requirement(page, action), false, said, routes)
    }

    /// As [`Routes::can`], for operations that require recent authentication: others are asked for their
    /// password again (403 `reauthenticate`).
    ///
    /// # Panics
    /// As [`Routes::can`].
    #[must_use]
    pub fn can_afresh(self, page: &'static str, action: Action, routes: Handlers) -> Self {
        let said = json!({ "x-permission": { "page": page, "action": action.as_str(), "fresh": true } });
        self.add(requirement(page, action), true, said, routes)
    }

    /// Adds the routes of another set.
    #[must_use]
    pub fn merge(mut self, other: Routes) -> Self {
        self.router = self.router.merge(other.router);
        #[cfg(feature = "contract")]
        self.described.extend(other.described);
        self
    }

    fn add(mut self, requirement: Requirement, fresh: bool, said: Value, handlers: Handlers) -> Self {
        let handlers = handlers.declaring(said);
        let state = self.state.clone().expect("routes are made with a state");
        #[cfg(feature = "contract")]
        let declared = {
            let describe: Arc<Described> = Arc::from(handlers.describe);
            self.described.push(Arc::clone(&describe));
            Declared::described(describe, handlers.reads_all)
        };
        #[cfg(not(feature = "contract"))]
        let declared = Declared::committed(handlers.path.clone(), handlers.reads_all);
        let guarded = (state, Guard { requirement, fresh }, Arc::new(declared));
        let router = handlers.router.layer(from_fn_with_state(guarded, check));
        self.router = self.router.route(&handlers.path, router);
        self
    }

    /// The axum router, without the contract.
    pub fn into_router(self) -> Router<AppState> {
        self.router
    }

    /// The contract of these routes.
    ///
    /// # Panics
    /// If two different schemas share a name: the contract would silently keep one.
    #[cfg(feature = "contract")]
    #[must_use]
    pub fn contract(&self) -> OpenApi {
        let mut schemas: BTreeMap<String, RefOr<Schema>> = BTreeMap::new();
        let mut all = Paths::new();
        for describe in &self.described {
            let (theirs, paths) = describe();
            for (name, schema) in theirs {
                if let Some(known) = schemas.get(&name) {
                    assert!(*known == schema, "two different shapes are called {name} in the contract");
                }
                schemas.insert(name, schema);
            }
            for (path, item) in paths.paths {
                match all.paths.get_mut(&path) {
                    Some(known) => known.merge_operations(item),
                    None => {
                        all.paths.insert(path, item);
                    }
                }
            }
        }
        let mut components = Components::new();
        components.schemas.extend(schemas);
        OpenApiBuilder::new().paths(all).components(Some(components)).build()
    }
}

fn requirement(page: &'static str, action: Action) -> Requirement {
    let permission = Permission { page, action };
    assert!(
        access::meaningful(page).contains(&action),
        "no role can grant {permission}: see access::CATALOGUE"
    );
    Requirement::Can(permission)
}

#[cfg(feature = "contract")]
fn declare(paths: &mut Paths, said: &Value) {
    for item in paths.paths.values_mut() {
        for operation in operations(item) {
            let mut all = operation.extensions.take().unwrap_or_default();
            for (name, value) in said.as_object().into_iter().flatten() {
                let mut value = value.clone();
                if let (Some(Value::Array(known)), Value::Array(more)) = (all.get(name), &mut value) {
                    *more = [known.as_slice(), more.as_slice()].concat();
                }
                all.insert(name.clone(), value);
            }
            operation.extensions = Some(all);
        }
    }
}

#[cfg(feature = "contract")]
fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch]
        .into_iter()
        .filter_map(Option::as_mut)
}

async fn check(
    State((state, guard, declared)): State<(AppState, Guard, Arc<Declared>)>,
    request: Request,
    next: Next,
) -> Response {
    match admit(&state, guard, &declared, request).await {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

async fn admit(
    state: &AppState,
    guard: Guard,
    declared: &Declared,
    request: Request,
) -> Result<Request, ApiError> {
    let (mut parts, body) = request.into_parts();
    if !matches!(guard.requirement, Requirement::Public) {
        let who = state.authenticator.authenticate(state, &parts, false).await?;
        if !matches!(guard.requirement, Requirement::OwnAccount) {
            who.settled()?;
        }
        allow(guard.requirement, &who)?;
        if guard.fresh {
            who.fresh()?;
        }
        if let Some(store_id) = path_parameter(&mut parts, "storeId").await
            && !who.scope.contains(&store_id)
        {
            return Err(ApiError::out_of_scope());
        }
        parts.extensions.insert(who);
        declared.refuse_unknown(state, &parts.method, &parts.uri)?;
    }
    Ok(Request::from_parts(parts, body))
}

/// The role first: a user without one can do nothing, whatever their stores.
fn allow(requirement: Requirement, who: &Who) -> Result<(), ApiError> {
    let granted = match requirement {
        Requirement::Public | Requirement::OwnAccount | Requirement::SignedIn => true,
        Requirement::AnyRole => who.super_admin || who.role_id.is_some(),
        Requirement::Can(permission) if who.may(permission) => true,
        Requirement::Can(permission) => return Err(ApiError::lacks(permission)),
    };
    if granted { Ok(()) } else { Err(ApiError::forbidden()) }
}

async fn path_parameter(parts: &mut axum::http::request::Parts, name: &str) -> Option<String> {
    use axum::extract::{FromRequestParts, RawPathParams};
    let params = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    params.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

#[cfg(all(test, feature = "contract"))]
mod tests {
    use utoipa::openapi::path::{HttpMethod, OperationBuilder};

    use super::*;

    #[test]
    fn permissions_of_two_calls_are_both_in_the_contract() {
        let describe = || {
            let mut paths = Paths::new();
            paths.add_path_operation("/x", vec![HttpMethod::Get], OperationBuilder::new().build());
            (Vec::new(), paths)
        };
        let router = MethodRouter::new();
        let handlers = Handlers::new("/x", router, describe)
            .also("one", &[("apps/backOffice", Action::View)])
            .also("two", &[("apps/storeCount", Action::View)]);
        let (_, mut paths) = (handlers.describe)();
        let item = paths.paths.get_mut("/x").expect("the path");
        let said: Vec<Value> = operations(item)
            .filter_map(|operation| operation.extensions.take())
            .map(|all| all["x-also-permission"].clone())
            .collect();
        let right = |page: &str, why: &str| json!({ "page": page, "action": "view", "why": why });
        assert_eq!(said, [json!([right("apps/backOffice", "one"), right("apps/storeCount", "two")])]);
    }
}
