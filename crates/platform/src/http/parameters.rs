//! Query parameters of a path. Those missing from the contract are refused.

use std::collections::HashMap;
#[cfg(feature = "contract")]
use std::sync::Arc;
use std::sync::OnceLock;

use axum::extract::Query;
use axum::http::{Method, Uri};

#[cfg(feature = "contract")]
use super::guard::Described;
use super::{ApiError, FieldError};
use crate::AppState;

/// The most unknown parameters listed in one error.
const MOST_NAMED: usize = 20;

/// Names of query parameters by method.
type Names = HashMap<&'static str, Vec<String>>;

/// The methods a path can have.
const METHODS: [&str; 5] = ["GET", "PUT", "POST", "PATCH", "DELETE"];

/// The query parameters that the contract declares for each method of a path. Loaded on the first request
/// that has any.
pub(super) struct Declared {
    #[cfg(feature = "contract")]
    describe: Arc<Described>,
    #[cfg(not(feature = "contract"))]
    path: String,
    /// See `Handlers::reading_all`.
    reads_all: bool,
    names: OnceLock<Names>,
}

impl Declared {
    /// As the handlers describe themselves.
    #[cfg(feature = "contract")]
    pub(super) fn described(describe: Arc<Described>, reads_all: bool) -> Self {
        Self { describe, reads_all, names: OnceLock::new() }
    }

    /// As the committed contract says of this path.
    #[cfg(not(feature = "contract"))]
    pub(super) fn committed(path: String, reads_all: bool) -> Self {
        Self { path, reads_all, names: OnceLock::new() }
    }

    #[cfg(feature = "contract")]
    fn load(&self, _: &AppState) -> Names {
        use utoipa::openapi::RefOr;
        use utoipa::openapi::path::ParameterIn;

        let (_, paths) = (self.describe)();
        let mut all = Names::new();
        for item in paths.paths.into_values() {
            let operations =
                METHODS.into_iter().zip([item.get, item.put, item.post, item.patch, item.delete]);
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
    }

    #[cfg(not(feature = "contract"))]
    fn load(&self, state: &AppState) -> Names {
        /// The names of all paths: the contract is read once.
        static ALL: OnceLock<HashMap<String, Names>> = OnceLock::new();
        let all = ALL.get_or_init(|| committed(&(state.contract)(state)));
        all.get(&self.path).cloned().unwrap_or_default()
    }

    /// Those of a method; `None` if the path does not support it.
    fn of(&self, state: &AppState, method: &Method) -> Option<&[String]> {
        let names = self.names.get_or_init(|| self.load(state));
        let method = if method == Method::HEAD { "GET" } else { method.as_str() };
        names.get(method).map(Vec::as_slice)
    }

    /// Refuses undeclared parameters: a misspelled filter would return all records, and they would be taken
    /// for the filtered ones.
    pub(super) fn refuse_unknown(
        &self,
        state: &AppState,
        method: &Method,
        uri: &Uri,
    ) -> Result<(), ApiError> {
        if self.reads_all || uri.query().is_none_or(str::is_empty) {
            return Ok(());
        }
        // The handler refuses a malformed query string, the router an unsupported method.
        let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else { return Ok(()) };
        let Some(known) = self.of(state, method) else { return Ok(()) };
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

/// The query parameters in the text of a contract, by path.
#[cfg(any(test, not(feature = "contract")))]
fn committed(contract: &str) -> HashMap<String, Names> {
    #[derive(serde::Deserialize)]
    struct Contract {
        paths: HashMap<String, HashMap<String, Operation>>,
    }
    #[derive(serde::Deserialize)]
    struct Operation {
        #[serde(default)]
        parameters: Vec<Parameter>,
    }
    #[derive(serde::Deserialize)]
    struct Parameter {
        name: String,
        r#in: String,
    }
    let Ok(contract) = serde_json::from_str::<Contract>(contract) else { return HashMap::new() };
    let of = |operations: HashMap<String, Operation>| {
        let known = operations.into_iter().filter_map(|(method, operation)| {
            let method = METHODS.into_iter().find(|known| known.eq_ignore_ascii_case(&method))?;
            let asked = operation.parameters.into_iter().filter(|one| one.r#in == "query");
            Some((method, asked.map(|one| one.name).collect()))
        });
        known.collect::<Names>()
    };
    contract.paths.into_iter().map(|(path, operations)| (path, of(operations))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_contract_has_the_parameters_of_each_path() {
        let text = include_str!("../../../../openapi.json");
        let all = committed(text);
        let names = &all["/api/lists/uoms"];
        assert!(names["GET"].iter().any(|name| name == "page"));
        assert_eq!(names["POST"], Vec::<String>::new());
        assert!(!names.contains_key("DELETE"));
    }
}
