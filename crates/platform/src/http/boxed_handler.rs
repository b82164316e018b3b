//! Handlers with their types erased at registration.
//!
//! axum wraps a handler in five generic layers, and for each of them the compiler proves again that the
//! handler's futures are `Send`. With some four hundred handlers that took more than half of the server's
//! compile time. So only the call is kept, behind one pointer.

use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter};
use futures::future::BoxFuture;

use crate::AppState;

type Call = dyn Fn(Request, AppState) -> BoxFuture<'static, Response> + Send + Sync;

/// A type-erased handler.
#[derive(Clone)]
struct BoxedHandler(Arc<Call>);

/// Marker that tells [`BoxedHandler`] from axum's own handler impls.
struct Whole;

impl Handler<Whole, AppState> for BoxedHandler {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, state: AppState) -> Self::Future {
        (self.0)(request, state)
    }
}

/// Adds a handler for these methods to a router.
pub fn on<H, T>(router: MethodRouter<AppState>, filter: MethodFilter, handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    let call = move |request, state| handler.clone().call(request, state);
    add(router, filter, BoxedHandler(Arc::new(call)))
}

fn add(
    router: MethodRouter<AppState>,
    filter: MethodFilter,
    handler: BoxedHandler,
) -> MethodRouter<AppState> {
    router.on(filter, handler)
}

/// A router for GET.
pub fn get<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    on(MethodRouter::new(), MethodFilter::GET, handler)
}

/// A router for POST.
pub fn post<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    on(MethodRouter::new(), MethodFilter::POST, handler)
}

/// A router for PATCH.
pub fn patch<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    on(MethodRouter::new(), MethodFilter::PATCH, handler)
}

/// A router for DELETE.
pub fn delete<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    on(MethodRouter::new(), MethodFilter::DELETE, handler)
}

/// Input of [`Routes`](super::guard::Routes): the handlers of one path, annotated with `#[utoipa::path]`.
#[macro_export]
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut router = axum::routing::MethodRouter::new();
        $(
            for method in &utoipa_axum::paste! { utoipa_axum::routes!(@path [methods()] of $handler) } {
                router = $crate::http::boxed_handler::on(router, method.to_method_filter(), $handler);
            }
        )+
        let [path, ..] = [$(utoipa_axum::paste! { utoipa_axum::routes!(@path [path()] of $handler) }),+];
        $crate::http::guard::Handlers::new(path, router, || {
            let mut paths = utoipa::openapi::path::Paths::new();
            let mut schemas: Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)> = Vec::new();
            $(
                let (path, item, methods) = utoipa_axum::routes!(@resolve_types $handler : schemas);
                paths.add_path_operation(&path, methods, item);
            )+
            (schemas, paths)
        })
    }};
}
pub use routes;
