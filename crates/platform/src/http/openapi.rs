//! The contract `openapi.json`, generated from the routes.

use serde_json::Value;
use utoipa::OpenApi;

use super::error::Problem;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Larder",
        description = "Operations console of a food retail and commissary group. Numbers are exact decimals; \
                       dates are business dates (UTC+8); every error is a problem (RFC 9457)."
    ),
    components(schemas(Problem, super::codes::ProblemCode, super::FieldError))
)]
struct Base;

/// The contract before routes are added.
#[must_use]
pub fn base() -> utoipa::openapi::OpenApi {
    Base::openapi()
}

/// As text: two spaces, one trailing newline, members in a fixed order.
#[must_use]
pub fn to_text(api: &utoipa::openapi::OpenApi) -> String {
    let mut value = serde_json::to_value(api).unwrap_or(Value::Null);
    add_problems(&mut value);
    sort_extensions(&mut value);
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}

/// Extensions are kept in an unordered map; the committed contract needs an order.
fn sort_extensions(api: &mut Value) {
    let Some(paths) = api.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()) {
        let Some(members) = operation.as_object_mut() else { continue };
        let names = members.keys().filter(|name| name.starts_with("x-")).cloned();
        for name in names.collect::<std::collections::BTreeSet<String>>() {
            // Moves it to the end.
            let said = members.shift_remove(&name);
            members.extend(said.map(|said| (name, said)));
        }
    }
}

/// Every operation can fail; added here once instead of at each handler.
fn add_problems(api: &mut Value) {
    let Some(paths) = api.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()) {
        if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
            responses.entry("default").or_insert_with(|| {
                serde_json::json!({
                    "description": "Error response.",
                    "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } }
                })
            });
        }
    }
}
