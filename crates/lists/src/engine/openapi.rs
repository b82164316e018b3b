//! A list's schemas and operations in the contract, generated from its declaration.
//!
//! Built from utoipa's parts because `#[utoipa::path]` describes one function with its struct: a list's fields are known
//! at run time only, from [`ListDef`], and its routes are shared by all lists.

use larder_domain::with_article;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, Object, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{Content, KnownFormat, Ref, RefOr, Required, ResponseBuilder, SchemaFormat};

use super::actions::{BulkBody, BulkFailure, Known, MergeBody, MoveBody, RestoreBody, UndoBody};
use super::define::{Field, Form, Kind, ListDef, Origin};
use super::filter::{ALL_ROWS, MAX_PAGE_SIZE, PAGE_SIZE};
use super::merge::MovedUses;
use super::used_by::{RecordUses, Referring, UseCount, UsedBy, UsesOfKind};
use larder_platform::audit::{Editor, FieldChange, HistoryEntry, HistoryPage};
use larder_platform::http::error::FieldError;
use larder_platform::http::export::MAX_ROWS;

/// Schemas by name.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// Variant of a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// In responses.
    Record,
    /// To create one.
    Draft,
    /// To change one.
    Patch,
}

/// The schemas of a list.
#[must_use]
pub fn schemas(def: &ListDef) -> Schemas {
    let mut schemas = shared();
    schemas.extend([
        (format!("{}Bulk", def.schema), RefOr::T(bulk(def).into())),
        (format!("{}Merged", def.schema), RefOr::T(merged(def).into())),
        (def.schema.to_owned(), RefOr::T(record(def).into())),
        (format!("{}Draft", def.schema), RefOr::T(body(def, Shape::Draft).into())),
        (format!("{}Patch", def.schema), RefOr::T(body(def, Shape::Patch).into())),
        (format!("{}Page", def.schema), RefOr::T(page(def).into())),
    ]);
    schemas
}

/// The schemas that every list shares.
fn shared() -> Schemas {
    fn one<T: ToSchema>() -> (String, RefOr<Schema>) {
        (T::name().into_owned(), T::schema())
    }
    vec![
        one::<Editor>(),
        one::<FieldChange>(),
        one::<HistoryEntry>(),
        one::<HistoryPage>(),
        one::<UseCount>(),
        one::<UsedBy>(),
        one::<Referring>(),
        one::<UsesOfKind>(),
        one::<RecordUses>(),
        one::<MovedUses>(),
        one::<RestoreBody>(),
        one::<UndoBody>(),
        one::<Known>(),
        one::<BulkBody>(),
        one::<BulkFailure>(),
        one::<FieldError>(),
        one::<MergeBody>(),
        one::<MoveBody>(),
    ]
}

fn bulk(def: &ListDef) -> Object {
    ObjectBuilder::new()
        .description(Some(format!("Result of a bulk change of {}.", def.many.to_lowercase())))
        .property("done", ArrayBuilder::new().items(Ref::from_schema_name(def.schema)))
        .required("done")
        .property("failed", ArrayBuilder::new().items(Ref::from_schema_name("BulkFailure")))
        .required("failed")
        .build()
}

fn merged(def: &ListDef) -> Object {
    ObjectBuilder::new()
        .description(Some(format!("The {} that stayed, and what moved to it.", def.one)))
        .property("record", Ref::from_schema_name(def.schema))
        .required("record")
        .property("moved", ArrayBuilder::new().items(Ref::from_schema_name("MovedUses")))
        .required("moved")
        .build()
}

/// The schema of a record: declared fields, common members, custom fields.
#[must_use]
pub fn record(def: &ListDef) -> Object {
    let mut object = ObjectBuilder::new()
        .description(Some(format!("Fields of {}. Other members are custom fields.", with_article(def.one))))
        .property("id", string())
        .required("id");
    for field in def.fields {
        object = object.property(field.name, field_schema(field, Shape::Record));
        if field.required || matches!(field.kind, Kind::Items(_)) {
            object = object.required(field.name);
        }
    }
    object = object
        .property("createdAt", moment())
        .required("createdAt")
        .property("updatedAt", moment())
        .required("updatedAt");
    if def.tells_maker {
        object = object.property("createdBy", Ref::from_schema_name(Editor::name()));
    }
    if def.tells_editor {
        object = object.property("updatedBy", Ref::from_schema_name(Editor::name()));
    }
    object
        .property("revision", ObjectBuilder::new().schema_type(SchemaType::Type(Type::Integer)))
        .required("revision")
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .build()
}

fn body(def: &ListDef, shape: Shape) -> Object {
    let said = match shape {
        Shape::Patch => format!("The fields of {} to change; null clears one.", with_article(def.one)),
        _ => format!("A new {}. Other members are stored as custom fields.", def.one),
    };
    let mut object = ObjectBuilder::new().description(Some(said));
    let opening = |field: &Field| shape == Shape::Draft && def.opening == Some(field.name);
    for field in def.fields.iter().filter(|field| field.origin == Origin::Given || opening(field)) {
        object = object.property(
            field.name,
            field_schema(&Field { required: field.required && !opening(field), ..*field }, shape),
        );
        let asked = field.required && field.usual.is_none() && !opening(field);
        if shape == Shape::Draft && asked && !matches!(field.kind, Kind::Bool | Kind::Int) {
            object = object.required(field.name);
        }
    }
    for option in def.options {
        let schema = match option.kind {
            Kind::Bool => typed(&[Type::Boolean, Type::Null]),
            _ => {
                typed(&[Type::String, Type::Null]).format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
            }
        };
        object = object.property(option.name, schema.description(Some(option.label)));
    }
    if shape == Shape::Patch {
        let said = if def.merges {
            "The revision being changed. Without it scalar fields are merged into the latest one."
        } else {
            "The revision being changed."
        };
        let types: &[Type] = if def.merges { &[Type::Integer, Type::Null] } else { &[Type::Integer] };
        object = object.property("revision", typed(types).description(Some(said)));
        if !def.merges {
            object = object.required("revision");
        }
    }
    object.additional_properties(Some(AdditionalProperties::FreeForm(true))).build()
}

fn page(def: &ListDef) -> Object {
    ObjectBuilder::new()
        .description(Some(format!("A page of {}.", def.many.to_lowercase())))
        .property("items", ArrayBuilder::new().items(Ref::from_schema_name(def.schema)))
        .required("items")
        .property("total", typed(&[Type::Integer]).description(Some("Total on all pages.")))
        .required("total")
        .build()
}

fn field_schema(field: &Field, shape: Shape) -> Schema {
    let writes = shape != Shape::Record;
    let mut types = match field.kind {
        Kind::Text | Kind::Lines | Kind::Day | Kind::Ref => vec![Type::String],
        Kind::Qty | Kind::Money | Kind::Factor if writes => vec![Type::Number, Type::String],
        Kind::Qty | Kind::Money | Kind::Factor => vec![Type::Number],
        Kind::Int => vec![Type::Integer],
        Kind::Bool => vec![Type::Boolean],
        Kind::Items(_) => vec![Type::Array],
    };
    let defaulted = matches!(field.kind, Kind::Bool | Kind::Int | Kind::Items(_));
    // Without a value the field gets its usual one.
    let may_be_empty = !field.required || field.usual.is_some();
    if writes && (may_be_empty || (shape == Shape::Patch && defaulted)) {
        types.push(Type::Null);
    }
    if let Kind::Items(items) = field.kind {
        return ArrayBuilder::new()
            .items((items.schema)())
            .schema_type(types_of(&types))
            .description(Some(field.label))
            .build()
            .into();
    }
    let follows = field.follows.filter(|_| shape == Shape::Draft);
    let said = follows.map_or_else(|| field.label.to_owned(), |words| format!("{}. {words}", field.label));
    let mut object = typed(&types).description(Some(said));
    if let Form::OneOf(words) = field.form {
        let none = types.contains(&Type::Null).then_some(Value::Null);
        let words = words.iter().map(|word| Value::from(*word)).chain(none);
        return object.enum_values(Some(words.collect::<Vec<_>>())).build().into();
    }
    if writes {
        object = match field.kind {
            Kind::Text | Kind::Lines => {
                object.max_length(Some(field.max)).min_length((!may_be_empty).then_some(1))
            }
            Kind::Qty | Kind::Money | Kind::Factor if !field.signed => object.minimum(Some(0)),
            Kind::Int => object.minimum(Some(0)).maximum(Some(1_000_000)),
            _ => object,
        };
    }
    if matches!(field.kind, Kind::Day) {
        object = object.format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)));
    }
    if matches!(field.kind, Kind::Bool) && writes && follows.is_none() {
        object = object.default(Some(json!(field.on)));
    }
    object.build().into()
}

fn types_of(types: &[Type]) -> SchemaType {
    match types {
        [one] => SchemaType::Type(one.clone()),
        several => SchemaType::Array(several.to_vec()),
    }
}

fn typed(types: &[Type]) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(types_of(types))
}

fn string() -> Object {
    typed(&[Type::String]).build()
}

fn moment() -> Object {
    typed(&[Type::String]).format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))).build()
}

/// An operation of a list.
#[derive(Clone, Copy)]
pub enum Verb {
    List,
    Get,
    Create,
    Update,
    Delete,
    /// The list as a file.
    Export,
    /// Number of references to some records.
    UsesOfMany,
    /// References to a record.
    Uses,
    History,
    /// Restores an earlier version.
    Restore,
    /// Undoes the last change.
    Undo,
    Bulk,
    /// Merges a record into another.
    Merge,
    /// Moves a record in its tree.
    Move,
}

/// The operation in the contract, at its path.
#[must_use]
pub fn paths(def: &ListDef, verb: Verb) -> Paths {
    let (path, method) = place(def, verb);
    let mut paths = Paths::new();
    paths.add_path_operation(path, vec![method], operation(def, verb));
    paths
}

/// Path and method of an operation.
#[must_use]
pub fn place(def: &ListDef, verb: Verb) -> (String, HttpMethod) {
    let one = def.path.to_owned() + "/" + if def.stores { "{storeId}" } else { "{id}" };
    match verb {
        Verb::List => (def.path.to_owned(), HttpMethod::Get),
        Verb::Create => (def.path.to_owned(), HttpMethod::Post),
        Verb::Get => (one, HttpMethod::Get),
        Verb::Update => (one, HttpMethod::Patch),
        Verb::Delete => (one, HttpMethod::Delete),
        Verb::Export => (format!("{}/export", def.path), HttpMethod::Get),
        Verb::UsesOfMany => (format!("{}/uses", def.path), HttpMethod::Get),
        Verb::Bulk => (format!("{}/bulk", def.path), HttpMethod::Post),
        Verb::Uses => (one + "/uses", HttpMethod::Get),
        Verb::History => (one + "/history", HttpMethod::Get),
        Verb::Restore => (one + "/restore", HttpMethod::Post),
        Verb::Undo => (one + "/undo", HttpMethod::Post),
        Verb::Merge => (one + "/merge", HttpMethod::Post),
        Verb::Move => (one + "/move", HttpMethod::Post),
    }
}

fn operation(def: &ListDef, verb: Verb) -> Operation {
    let tag = if def.stores { "stores" } else { "lists" };
    let one = snake(def.kind);
    let (id, summary) = match verb {
        Verb::List => {
            (format!("list_{}", def.table), format!("{}, filtered, sorted, page by page.", def.many))
        }
        Verb::Get => (format!("get_{one}"), format!("One {}.", def.one)),
        Verb::Create => (format!("create_{one}"), format!("Create {}.", with_article(def.one))),
        Verb::Update => {
            let asks = if def.merges { "composite fields require" } else { "requires" };
            (
                format!("update_{one}"),
                format!("Change {}; {asks} its latest revision.", with_article(def.one)),
            )
        }
        Verb::Delete => (format!("delete_{one}"), format!("Delete an unused {}.", def.one)),
        Verb::Export => (
            format!("export_{}", def.table),
            format!("{}, filtered, as a file of at most {MAX_ROWS} rows.", def.many),
        ),
        Verb::UsesOfMany => (
            format!("count_uses_of_{}", def.table),
            format!("Count references to some {}.", def.many.to_lowercase()),
        ),
        Verb::Uses => {
            (format!("list_uses_of_{one}"), format!("List references to {}.", with_article(def.one)))
        }
        Verb::History => (
            format!("list_history_of_{one}"),
            format!("List the history of {}, newest first.", with_article(def.one)),
        ),
        Verb::Restore => {
            (format!("restore_{one}"), format!("Restore {} to an earlier version.", with_article(def.one)))
        }
        Verb::Undo => (format!("undo_{one}"), format!("Undo the last change of {}.", with_article(def.one))),
        Verb::Bulk => (
            format!("change_{}", def.table),
            format!("Apply one change to many {}.", def.many.to_lowercase()),
        ),
        Verb::Merge => (
            format!("merge_{one}"),
            format!("Merge {} into another, moving all references.", with_article(def.one)),
        ),
        Verb::Move => (format!("move_{one}"), format!("Move {} in the tree.", with_article(def.one))),
    };
    let operation = OperationBuilder::new().operation_id(Some(id)).summary(Some(summary)).tag(tag);
    let draft = format!("{}Draft", def.schema);
    let patch = format!("{}Patch", def.schema);
    match verb {
        Verb::List => operation
            .parameters(Some(query(def, true)))
            .response("200", answer(&format!("{}Page", def.schema))),
        Verb::Get => operation.parameter(path_id(def)).response("200", answer(def.schema)),
        Verb::Create => operation
            .parameter(
                ParameterBuilder::new()
                    .name("Idempotency-Key")
                    .parameter_in(ParameterIn::Header)
                    .required(Required::False)
                    .description(Some("A retry with the same key and body gets the first response."))
                    .schema(Some(typed(&[Type::String]).min_length(Some(1)).max_length(Some(200)))),
            )
            .request_body(Some(json_body(&draft)))
            .response("201", answer(def.schema)),
        Verb::Update => operation
            .parameter(path_id(def))
            .request_body(Some(json_body(&patch)))
            .response("200", answer(def.schema)),
        Verb::Delete => {
            operation.parameter(path_id(def)).response("204", ResponseBuilder::new().description("Removed."))
        }
        Verb::Export => operation.parameters(Some(query(def, false))).response(
            "200",
            ResponseBuilder::new()
                .description("The file.")
                .content("text/csv", Content::new(Some(string())))
                .content(
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                    Content::new(Some(
                        typed(&[Type::String]).format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary))),
                    )),
                ),
        ),
        Verb::UsesOfMany => operation
            .parameter(
                ParameterBuilder::from(with_schema(
                    "ids",
                    "Record ids, comma-separated.",
                    typed(&[Type::String]).build().into(),
                ))
                .required(Required::True),
            )
            .response(
                "200",
                ResponseBuilder::new().description("The response.").content(
                    "application/json",
                    Content::new(Some(ArrayBuilder::new().items(Ref::from_schema_name("UsedBy")).build())),
                ),
            ),
        Verb::Uses => operation.parameter(path_id(def)).response("200", answer("RecordUses")),
        Verb::History => {
            let whole = || typed(&[Type::Integer]).minimum(Some(1));
            operation
                .parameter(path_id(def))
                .parameter(parameter("page", "Counted from 1.", whole().maximum(Some(1_000_000))))
                .parameter(parameter("pageSize", "Page size.", whole().maximum(Some(200))))
                .response("200", answer("HistoryPage"))
        }
        Verb::Restore => operation
            .parameter(path_id(def))
            .request_body(Some(json_body("RestoreBody")))
            .response("200", answer(def.schema)),
        Verb::Undo => operation
            .parameter(path_id(def))
            .request_body(Some(json_body("UndoBody")))
            .response("200", answer(def.schema))
            .response(
                "204",
                ResponseBuilder::new().description("The change had created the record; it was deleted."),
            ),
        Verb::Bulk => operation
            .request_body(Some(json_body("BulkBody")))
            .response("200", answer(&format!("{}Bulk", def.schema))),
        Verb::Merge => operation
            .parameter(path_id(def))
            .request_body(Some(json_body("MergeBody")))
            .response("200", answer(&format!("{}Merged", def.schema))),
        Verb::Move => operation
            .parameter(path_id(def))
            .request_body(Some(json_body("MoveBody")))
            .response("200", answer(def.schema)),
    }
    .build()
}

fn answer(schema: &str) -> ResponseBuilder {
    ResponseBuilder::new()
        .description("The response.")
        .content("application/json", Content::new(Some(Ref::from_schema_name(schema))))
}

fn json_body(schema: &str) -> utoipa::openapi::request_body::RequestBody {
    RequestBodyBuilder::new()
        .content("application/json", Content::new(Some(Ref::from_schema_name(schema))))
        .required(Some(Required::True))
        .build()
}

fn path_id(def: &ListDef) -> Parameter {
    ParameterBuilder::new()
        .name(if def.stores { "storeId" } else { "id" })
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(string()))
        .build()
}

fn query(def: &ListDef, paged: bool) -> Vec<Parameter> {
    let mut all = vec![parameter("q", "Records with this text in a searched field.", typed(&[Type::String]))];
    let sorts =
        def.fields.iter().filter(|field| !matches!(field.kind, Kind::Items(_))).map(|field| field.name);
    let sorts: Vec<Value> = sorts
        .chain(["createdAt", "updatedAt"])
        .flat_map(|name| [Value::from(name), Value::from(format!("-{name}"))])
        .collect();
    all.push(parameter(
        "sort",
        "Sort order; - for descending.",
        typed(&[Type::String]).enum_values(Some(sorts)),
    ));
    if paged {
        let number =
            typed(&[Type::Integer]).minimum(Some(1)).maximum(Some(1_000_000)).default(Some(json!(1)));
        all.push(parameter("page", "Counted from 1.", number));
        let size = OneOfBuilder::new()
            .item(typed(&[Type::Integer]).minimum(Some(1)).maximum(Some(MAX_PAGE_SIZE)))
            .item(typed(&[Type::String]).enum_values(Some(["all"])))
            .default(Some(json!(PAGE_SIZE)));
        let said = format!("Page size; «all» is up to {ALL_ROWS}.");
        all.push(with_schema("pageSize", &said, size.build().into()));
    } else {
        let formats = typed(&[Type::String]).enum_values(Some(["csv", "xlsx"])).default(Some(json!("csv")));
        all.push(parameter("format", "File format.", formats));
    }
    if let Some(hidden) = def.hidden {
        all.push(parameter(hidden.unless, "Include hidden records.", typed(&[Type::Boolean])));
    }
    for field in def.fields.iter().filter(|field| !matches!(field.kind, Kind::Items(_) | Kind::Lines)) {
        let schema = match field.kind {
            Kind::Bool => typed(&[Type::Boolean]),
            Kind::Int => typed(&[Type::Integer]).minimum(Some(0)).maximum(Some(1_000_000)),
            Kind::Qty | Kind::Money | Kind::Factor if field.signed => typed(&[Type::Number]),
            Kind::Qty | Kind::Money | Kind::Factor => typed(&[Type::Number]).minimum(Some(0)),
            Kind::Day => typed(&[Type::String]).format(Some(SchemaFormat::KnownFormat(KnownFormat::Date))),
            _ => typed(&[Type::String]).max_length(Some(field.max)),
        };
        let said = format!("{}: exactly this, empty for none. Repeated: any of these.", field.label);
        // Every text may be empty; a number or a day only if the schema says so.
        let schema = match field.kind {
            Kind::Int | Kind::Qty | Kind::Money | Kind::Factor | Kind::Day => {
                let none = typed(&[Type::String]).enum_values(Some([""]));
                OneOfBuilder::new().item(schema).item(none).build().into()
            }
            _ => schema.build().into(),
        };
        all.push(with_schema(field.name, &said, schema));
    }
    all
}

fn parameter(name: &str, said: &str, schema: ObjectBuilder) -> Parameter {
    with_schema(name, said, schema.build().into())
}

fn with_schema(name: &str, said: &str, schema: Schema) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(said))
        .schema(Some(schema))
        .build()
}

/// `rootItem` → `root_item`.
fn snake(kind: &str) -> String {
    let mut out = String::with_capacity(kind.len() + 2);
    for c in kind.chars() {
        if c.is_uppercase() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
