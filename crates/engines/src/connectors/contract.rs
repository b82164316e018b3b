//! The contract of a connector kind's routes.
//!
//! Paths and summaries come from [`Family`], which `#[utoipa::path]` cannot read: it takes literals.

use axum::routing::MethodRouter;
use larder_domain::with_article;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Content, Ref, RefOr, Required, ResponseBuilder, Schema};
use utoipa::{IntoParams, ToSchema};

use super::Family;
use super::model::ConnectorPage;
use larder_platform::AppState;
use larder_platform::http::guard::Handlers;

/// No request or response body.
pub struct NoBody;

/// A body that may be absent.
pub trait Shape {
    /// Adds its schemas and returns its name.
    fn gather(all: &mut Vec<(String, RefOr<Schema>)>) -> Option<String>;
}

impl<T: ToSchema> Shape for T {
    fn gather(all: &mut Vec<(String, RefOr<Schema>)>) -> Option<String> {
        all.push((T::name().into_owned(), T::schema()));
        T::schemas(all);
        Some(T::name().into_owned())
    }
}

impl Shape for NoBody {
    fn gather(_: &mut Vec<(String, RefOr<Schema>)>) -> Option<String> {
        None
    }
}

/// An operation for the contract.
pub struct Said {
    pub method: HttpMethod,
    /// After the base: `/{id}/runs`.
    pub path: &'static str,
    pub verb: &'static str,
    /// With `{}` for the title of the kind.
    pub summary: &'static str,
    pub status: &'static str,
    /// Whether it has paging parameters.
    pub paged: bool,
}

/// An operation with its request and response bodies.
pub fn handlers<F: Family, Req: Shape, Res: Shape>(said: Said, router: MethodRouter<AppState>) -> Handlers {
    let path = format!("{}{}", F::BASE, said.path);
    let of = path.clone();
    let describe = move || {
        let mut schemas = Vec::new();
        let (asks, answers) = (Req::gather(&mut schemas), Res::gather(&mut schemas));
        schemas.sort_by(|one, two| one.0.cmp(&two.0));
        schemas.dedup_by(|one, two| one.0 == two.0);
        let mut operation = OperationBuilder::new()
            .operation_id(Some(format!("{}_{}", said.verb, F::NAME)))
            .summary(Some(said.summary.replace("an {}", &with_article(F::TITLE)).replace("{}", F::TITLE)))
            .tag("connectors");
        for name in said.path.split(['{', '}']).skip(1).step_by(2) {
            operation = operation.parameter(place(name));
        }
        if said.paged {
            operation = operation.parameters(Some(ConnectorPage::into_params(|| Some(ParameterIn::Query))));
        }
        if let Some(name) = asks {
            let content = Content::new(Some(Ref::from_schema_name(name)));
            let body =
                RequestBodyBuilder::new().content("application/json", content).required(Some(Required::True));
            operation = operation.request_body(Some(body.build()));
        }
        let mut answer = ResponseBuilder::new();
        if let Some(name) = answers {
            answer = answer.content("application/json", Content::new(Some(Ref::from_schema_name(name))));
        }
        let mut paths = Paths::new();
        paths.add_path_operation(
            &of,
            vec![said.method.clone()],
            operation.response(said.status, answer).build(),
        );
        (schemas, paths)
    };
    Handlers::new(path, router, describe)
}

fn place(name: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(ObjectBuilder::new().schema_type(SchemaType::Type(Type::String))))
        .build()
}
