//! The contract of a report's routes, generated from its declaration.
//!
//! Paths and summaries come from [`Report`], which `#[utoipa::path]` cannot read: it takes literals.

use axum::routing::MethodRouter;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Content, Ref, RefOr, Required, ResponseBuilder};
use utoipa::{IntoParams, PartialSchema as _, ToSchema as _};

use super::{Report, ReportQuery};
use larder_platform::AppState;
use larder_platform::http::guard::Handlers;

/// The route for JSON.
pub fn page<R: Report>(router: MethodRouter<AppState>) -> Handlers {
    let path = format!("{}/{}", R::BASE, R::NAME);
    let at = path.clone();
    let describe = move || {
        let mut schemas = vec![(R::Answer::name().into_owned(), R::Answer::schema())];
        R::Answer::schemas(&mut schemas);
        let mut parameters = query::<ReportQuery>();
        parameters.extend(query::<R::Params>());
        let body = Content::new(Some(Ref::from_schema_name(R::Answer::name())));
        let response = ResponseBuilder::new().content("application/json", body);
        let operation = OperationBuilder::new()
            .operation_id(Some(id::<R>()))
            .summary(Some(R::SUMMARY))
            .parameters(Some(parameters));
        (schemas, path_of(&at, operation.response("200", response)))
    };
    Handlers::new(path, router, describe)
}

/// The route for the file.
pub fn file<R: Report>(router: MethodRouter<AppState>) -> Handlers {
    let path = format!("{}/{}/export", R::BASE, R::NAME);
    let at = path.clone();
    let describe = move || {
        let mut parameters = query::<ReportQuery>();
        parameters.extend(query::<R::Params>());
        parameters.extend(query::<R::ExportParams>());
        if !parameters.iter().any(|one| one.name == "format") {
            parameters.push(format_parameter());
        }
        let response = ResponseBuilder::new().content("text/csv", Content::new(Some(text())));
        let operation = OperationBuilder::new()
            .operation_id(Some(format!("export_{}", id::<R>())))
            .summary(Some("Export as a file."))
            .parameters(Some(parameters));
        (Vec::new(), path_of(&at, operation.response("200", response)))
    };
    Handlers::new(path, router, describe)
}

fn id<R: Report>() -> String {
    R::NAME.replace('-', "_")
}

fn query<P: IntoParams>() -> Vec<Parameter> {
    P::into_params(|| Some(ParameterIn::Query))
}

fn path_of(path: &str, operation: OperationBuilder) -> Paths {
    let mut paths = Paths::new();
    paths.add_path_operation(path, vec![HttpMethod::Get], operation.tag("reports").build());
    paths
}

fn format_parameter() -> Parameter {
    ParameterBuilder::new()
        .name("format")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some("File format: `csv` or `xlsx`."))
        .schema(Some(text()))
        .build()
}

fn text() -> RefOr<utoipa::openapi::schema::Schema> {
    RefOr::T(ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)).build().into())
}
