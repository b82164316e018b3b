//! Query parameters of a path. Those missing from the contract are refused.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use axum::extract::Query;
use axum::http::{Method, Uri};
use utoipa::openapi::RefOr;
use utoipa::openapi::path::ParameterIn;

use super::guard::Described;
use super::{ApiError, FieldError};

/// The most unknown parameters listed in one error.
const MOST_NAMED: usize = 20;

/// The query parameters that the contract declares for each method of a path. Loaded on the first request
/// that has any.
pub(super) struct Declared {
    describe: Arc<Described>,
    /// See `Handlers::reads_all`.
    reads_all: bool,
    names: OnceLock<HashMap<&'static str, Vec<String>>>,
}

impl Declared {
    pub(super) fn new(describe: Arc<Described>, reads_all: bool) -> Self {
        Self { describe, reads_all, names: OnceLock::new() }
    }

    /// Those of a method; `None` if the path does not support it.
    fn of(&self, method: &Method) -> Option<&[String]> {
        let names = self.names.get_or_init(|| {
            let (_, paths) = (self.describe)();
            let mut all: HashMap<&'static str, Vec<String>> = HashMap::new();
            for item in paths.paths.into_values() {
                let operations = [
                    ("GET", item.get),
                    ("PUT", item.put),
                    ("POST", item.post),
                    ("PATCH", item.patch),
                    ("DELETE", item.delete),
                ];
                for (method, operation) in operations {
                    let Some(operation) = operation else { continue };
                    let asked = operation.parameters.unwrap_or_default().into_iter();
                    let asked = asked.filter_map(|one| match one {
                        RefOr::T(one) if one.parameter_in == ParameterIn::Query => Some(one.name),
                        _ => None,
                    });
                    all.entry(method).or_default().extend(asked);
                }
            }
            all
        });
        let method = if method == Method::HEAD { "GET" } else { method.as_str() };
        names.get(method).map(Vec::as_slice)
    }

    /// Refuses undeclared parameters: a misspelled filter would return all records, and they would be taken
    /// for the filtered ones.
    pub(super) fn refuse_unknown(&self, method: &Method, uri: &Uri) -> Result<(), ApiError> {
        if self.reads_all || uri.query().is_none_or(str::is_empty) {
            return Ok(());
        }
        // The handler refuses a malformed query string, the router an unsupported method.
        let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else { return Ok(()) };
        let Some(known) = self.of(method) else { return Ok(()) };
        let mut wrong: Vec<FieldError> = Vec::new();
        for (name, _) in pairs {
            if wrong.len() == MOST_NAMED {
                break;
            }
            if known.contains(&name) || wrong.iter().any(|error| error.field == name) {
                continue;
            }
            let said = match known {
                [] => "This address takes no parameters; leave it out.".to_owned(),
                known => format!("There is no such parameter here; there are {}.", known.join(", ")),
            };
            let shown: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
            wrong.push(FieldError::new(shown, said));
        }
        if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
    }
}
