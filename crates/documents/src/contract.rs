//! The contract of a document type's routes, generated from its declaration.
//!
//! Paths, steps and the schema of a whole document come from [`Document`], which `#[utoipa::path]` and
//! `#[derive(ToSchema)]` cannot read: they take literals and one struct.

use axum::routing::MethodRouter;
use larder_domain::document::Step;
use larder_domain::{Word, with_article};
use serde_json::Value;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ArrayItems, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{Content, Ref, RefOr, Required, ResponseBuilder};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::define::{Document, Frame, Line, LineFrame, StepAnswer, StepLine, TakeStep, Taken, wire_name};
use super::list::Asked;
use larder_platform::AppState;
use larder_platform::audit::Editor;
use larder_platform::http::guard::Handlers;

type Schemas = Vec<(String, RefOr<Schema>)>;
type Router = MethodRouter<AppState>;

/// The operation that lists documents.
pub fn list<D: Document>(router: Router) -> Handlers {
    let operation = || {
        let said = format!("List {}, latest first, with the number per status.", many(D::FLOW.one));
        answer(
            operation::<D>("list", &said).parameters(Some(asked())),
            "200",
            &format!("{}Page", D::DECLARED.schema),
        )
    };
    at::<D>(D::DECLARED.base.to_owned(), HttpMethod::Get, router, operation)
}

/// The operation that reads a document.
pub fn read<D: Document>(router: Router) -> Handlers {
    let operation = || {
        let operation =
            operation::<D>("get", &format!("{} with its lines.", upper(&with_article(D::FLOW.one))));
        answer(operation.parameter(id()), "200", D::DECLARED.schema)
    };
    at::<D>(format!("{}/{{id}}", D::DECLARED.base), HttpMethod::Get, router, operation)
}

/// The operation that exports documents.
pub fn file<D: Document>(router: Router) -> Handlers {
    let operation = || {
        let response = ResponseBuilder::new().content("text/csv", Content::new(Some(text())));
        let operation = operation::<D>("export", "Export as a file, one row per line.");
        operation.parameters(Some(asked())).response("200", response)
    };
    at::<D>(format!("{}/export", D::DECLARED.base), HttpMethod::Get, router, operation)
}

/// The operation that creates a document.
pub fn create<D: Document>(router: Router) -> Handlers {
    let operation = || {
        let operation =
            operation::<D>("create", &format!("Create a draft of {}.", with_article(D::FLOW.one)));
        answer(body(operation, &D::Draft::name()), "201", D::DECLARED.schema)
    };
    at::<D>(D::DECLARED.base.to_owned(), HttpMethod::Post, router, operation)
}

/// The operation that changes a document.
pub fn update<D: Document>(router: Router) -> Handlers {
    let operation = || {
        let said = format!(
            "Change {} that is still open. Lines sent replace the existing ones.",
            with_article(D::FLOW.one)
        );
        answer(
            body(operation::<D>("update", &said).parameter(id()), &patch::<D>()),
            "200",
            D::DECLARED.schema,
        )
    };
    at::<D>(format!("{}/{{id}}", D::DECLARED.base), HttpMethod::Patch, router, operation)
}

/// The operation that takes a step.
pub fn step<D: Document>(step: &'static Step<D::State, D::Step>, router: Router) -> Handlers {
    let operation = move || {
        let name = step.step.as_str().replace('-', "_");
        let said = format!("{}: a step of {}.", upper(step.label), with_article(D::FLOW.one));
        let operation = operation::<D>(&name, &said).parameter(id());
        answer(body(operation, &TakeStep::name()), "200", D::DECLARED.schema)
    };
    at::<D>(
        format!("{}/{{id}}/{}", D::DECLARED.base, step.step.as_str()),
        HttpMethod::Post,
        router,
        operation,
    )
}

fn at<D: Document>(
    path: String,
    method: HttpMethod,
    router: Router,
    operation: impl Fn() -> OperationBuilder + Send + Sync + 'static,
) -> Handlers {
    let of = path.clone();
    let describe = move || {
        let mut paths = Paths::new();
        let tag = D::DECLARED.base.trim_start_matches("/api/").replace('/', " ");
        paths.add_path_operation(&of, vec![method.clone()], operation().tag(tag).build());
        (schemas::<D>(), paths)
    };
    Handlers::new(path, router, describe)
}

fn operation<D: Document>(verb: &str, summary: &str) -> OperationBuilder {
    let id = format!("{verb}_{}", snake(D::DECLARED.schema));
    OperationBuilder::new().operation_id(Some(id)).summary(Some(summary))
}

fn answer(operation: OperationBuilder, status: &str, schema: &str) -> OperationBuilder {
    let content = Content::new(Some(Ref::from_schema_name(schema)));
    operation.response(status, ResponseBuilder::new().content("application/json", content))
}

fn body(operation: OperationBuilder, schema: &str) -> OperationBuilder {
    let content = Content::new(Some(Ref::from_schema_name(schema)));
    let body = RequestBodyBuilder::new().content("application/json", content).required(Some(Required::True));
    operation.request_body(Some(body.build()))
}

fn asked() -> Vec<Parameter> {
    Asked::into_params(|| Some(ParameterIn::Query))
}

fn id() -> Parameter {
    ParameterBuilder::new()
        .name("id")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(text()))
        .build()
}

fn patch<D: Document>() -> String {
    format!("{}Patch", D::DECLARED.schema)
}

/// The schemas of a type: the document, its drafts and patches, a page.
fn schemas<D: Document>() -> Schemas {
    fn one<T: ToSchema>(all: &mut Schemas) {
        all.push((T::name().into_owned(), T::schema()));
        T::schemas(all);
    }
    let mut all = Vec::new();
    let mut lines: Schemas = Vec::new();
    one::<D::Line>(&mut lines);
    <D::Line as Line>::Shown::schemas(&mut lines);
    if let Some((_, RefOr::T(Schema::Object(line)))) = lines.first_mut() {
        for more in [LineFrame::schema(), <D::Line as Line>::Shown::schema()] {
            let Parts { properties, required } = parts(more);
            line.properties.extend(properties);
            line.required.extend(required);
        }
    }
    all.extend(lines);
    one::<D::Draft>(&mut all);
    one::<TakeStep>(&mut all);
    one::<StepLine>(&mut all);
    one::<Taken>(&mut all);
    one::<Editor>(&mut all);
    Frame::schemas(&mut all);
    LineFrame::schemas(&mut all);
    D::Details::schemas(&mut all);
    D::Shown::schemas(&mut all);
    StepAnswer::schemas(&mut all);
    let lines = ArrayBuilder::new().items(Ref::from_schema_name(<D::Line as ToSchema>::name()));
    let mut whole = head::<D>().property("lines", lines).required("lines");
    let Parts { properties, required } = parts(D::Shown::schema());
    for (name, property) in properties {
        whole = whole.property(name, property);
    }
    for name in required {
        whole = whole.required(name);
    }
    for (name, property) in parts(StepAnswer::schema()).properties {
        whole = whole.property(name, property);
    }
    let whole = whole.description(Some(format!("{}.", upper(&with_article(D::FLOW.one)))));
    all.push((D::DECLARED.schema.to_owned(), RefOr::T(whole.into())));
    let listed =
        head::<D>().description(Some(format!("{} without its lines.", upper(&with_article(D::FLOW.one)))));
    all.push((format!("{}Head", D::DECLARED.schema), RefOr::T(listed.into())));
    let counts = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::RefOr(RefOr::T(typed(&[Type::Integer]).into()))));
    let page = ObjectBuilder::new()
        .property(
            "items",
            ArrayBuilder::new().items(Ref::from_schema_name(format!("{}Head", D::DECLARED.schema))),
        )
        .required("items")
        .property("total", typed(&[Type::Integer]))
        .required("total")
        .property("counts", counts.description(Some("Number per status, ignoring the status filter.")))
        .required("counts");
    all.push((format!("{}Page", D::DECLARED.schema), RefOr::T(page.into())));
    let mut change = ObjectBuilder::new().property("revision", typed(&[Type::Integer])).required("revision");
    for (name, property) in parts(D::Draft::schema()).properties {
        change = change.property(name, property);
    }
    let change = change.additional_properties(Some(AdditionalProperties::FreeForm(false)));
    all.push((patch::<D>(), RefOr::T(change.into())));
    all
}

/// The schema of a head: the common members and the type's own.
fn head<D: Document>() -> ObjectBuilder {
    let states: Vec<Value> = D::FLOW.states.iter().map(|said| said.state.as_str().into()).collect();
    let steps: Vec<Value> = D::FLOW.steps.iter().map(|step| step.step.as_str().into()).collect();
    let mut head = ObjectBuilder::new();
    let Parts { properties, required } = parts(Frame::schema());
    for (name, mut property) in properties {
        match (name.as_str(), &mut property) {
            ("status", RefOr::T(Schema::Object(status))) => status.enum_values = Some(states.clone()),
            ("can", RefOr::T(Schema::Array(can))) => {
                let one = typed(&[Type::String]).enum_values(Some(steps.clone())).build();
                can.items = ArrayItems::RefOrSchema(Box::new(RefOr::T(one.into())));
            }
            _ => {}
        }
        head = head.property(wire_name::<D>(&name), property);
    }
    for name in required {
        head = head.required(wire_name::<D>(&name));
    }
    for (name, property) in parts(D::Details::schema()).properties {
        head = head.property(name, property);
    }
    for (name, _, _) in D::SIGNED {
        let unsigned = typed(&[Type::Null]);
        let signed = Ref::from_schema_name(Editor::name());
        head = head.property(*name, OneOfBuilder::new().item(unsigned).item(signed)).required(*name);
    }
    head
}

/// The members of a struct's schema.
#[derive(Default)]
struct Parts {
    properties: Vec<(String, RefOr<Schema>)>,
    required: Vec<String>,
}

fn parts(schema: RefOr<Schema>) -> Parts {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            Parts { properties: object.properties.into_iter().collect(), required: object.required }
        }
        _ => Parts::default(),
    }
}

fn typed(types: &[Type]) -> ObjectBuilder {
    let kind = match types {
        [one] => SchemaType::Type(one.clone()),
        many => SchemaType::Array(many.to_vec()),
    };
    ObjectBuilder::new().schema_type(kind)
}

fn text() -> RefOr<Schema> {
    RefOr::T(typed(&[Type::String]).build().into())
}

/// A noun in the plural.
fn many(one: &str) -> String {
    match one.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if one.ends_with("ch") => format!("{one}es"),
        None => format!("{one}s"),
    }
}

fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
