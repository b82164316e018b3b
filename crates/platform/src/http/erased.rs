//! Handlers whose types end where they are registered.
//!
//! axum wraps a handler in five generic layers, and the compiler proves for each of them anew that everything the
//! handler ever waits for may move between threads. With some four hundred handlers that took more than half of the
//! time the whole service takes to compile. So only the call is kept, behind one pointer.

use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter};
use futures::future::BoxFuture;

use crate::AppState;

type Call = dyn Fn(Request, AppState) -> BoxFuture<'static, Response> + Send + Sync;

/// A handler of which only the call is left.
#[derive(Clone)]
struct Erased(Arc<Call>);

/// Tells [`Erased`] from the functions that axum takes for handlers by themselves.
struct Whole;

impl Handler<Whole, AppState> for Erased {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, state: AppState) -> Self::Future {
        (self.0)(request, state)
    }
}

/// The router with this handler for these methods.
pub fn on<H, T>(router: MethodRouter<AppState>, filter: MethodFilter, handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    let call = move |request, state| handler.clone().call(request, state);
    add(router, filter, Erased(Arc::new(call)))
}

fn add(router: MethodRouter<AppState>, filter: MethodFilter, handler: Erased) -> MethodRouter<AppState> {
    router.on(filter, handler)
}

/// A router that answers GET with this handler.
pub fn get<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    on(MethodRouter::new(), MethodFilter::GET, handler)
}

/// The same for POST.
pub fn post<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    on(MethodRouter::new(), MethodFilter::POST, handler)
}

/// The same for PATCH.
pub fn patch<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    on(MethodRouter::new(), MethodFilter::PATCH, handler)
}

/// The same for DELETE.
pub fn delete<H, T>(handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    on(MethodRouter::new(), MethodFilter::DELETE, handler)
}

/// What [`Routes`](super::guard::Routes) take: handlers that `#[utoipa::path]` describes, all of one path.
#[macro_export]
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut router = axum::routing::MethodRouter::new();
        $(
            for method in &utoipa_axum::paste! { utoipa_axum::routes!(@path [methods()] of $handler) } {
                router = $crate::http::erased::on(router, method.to_method_filter(), $handler);
            }
        )+
        let [path, ..] = [$(utoipa_axum::paste! { utoipa_axum::routes!(@path [path()] of $handler) }),+];
        $crate::http::guard::Handlers {
            path,
            router,
            reads_all: false,
            describe: Box::new(|| {
                let mut paths = utoipa::openapi::path::Paths::new();
                let mut schemas: Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)> = Vec::new();
                $(
                    let (path, item, methods) = utoipa_axum::routes!(@resolve_types $handler : schemas);
                    paths.add_path_operation(&path, methods, item);
                )+
                (schemas, paths)
            }),
        }
    }};
}
pub use routes;
