//! `/sales/netsuite`: store days as records for import into NetSuite.
//!
//! | file | what it does |
//! |---|---|
//! | `mapping` | columns and names of a layout |
//! | `days` | each store's day: its record, and what blocks it |
//! | `sent` | what of a day went, in any layout |
//! | `rows` | a record as rows of a file |
//! | `list` | the days of a range, and a preview of a record |
//! | `export` | files within NetSuite's limits |
//! | `results` | NetSuite's import results |
//! | `withdraw` | exported days that may go again, in any layout |

mod days;
mod export;
mod list;
mod mapping;
mod model;
mod queries;
mod results;
mod rows;
mod sent;
mod withdraw;

use larder_db::Actor;
use larder_domain::Action::{Edit, Export, Import, View};
use larder_domain::netsuite::Layout;
use larder_domain::{Span, StoreScope};

use larder_platform::AppState;
use larder_platform::http::ApiResult;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

/// The page whose permission is required.
const PAGE: &str = "sales/netsuite";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(list::list_netsuite_days))
        .can(PAGE, View, routes!(list::preview_netsuite_record))
        .can(PAGE, View, routes!(mapping::get_netsuite_mapping))
        .can(PAGE, Edit, routes!(mapping::set_netsuite_mapping))
        .can(PAGE, Export, routes!(export::export_netsuite))
        .can(PAGE, View, routes!(export::list_netsuite_exports))
        .can(PAGE, Export, routes!(export::get_netsuite_file))
        .can(PAGE, Export, routes!(export::get_netsuite_zip))
        .can(PAGE, Import, routes!(results::take_netsuite_results))
        .can(PAGE, Export, routes!(withdraw::withdraw_netsuite_days))
}

/// Exports the ready days of all stores and returns the External IDs of the range.
///
/// # Errors
/// 422 if there are none.
pub async fn export_all(
    state: &AppState,
    actor: &Actor,
    layout: Layout,
    span: Span,
) -> ApiResult<Vec<String>> {
    let body = model::ExportNetsuite {
        layout,
        from: span.from.to_string(),
        to: span.to.to_string(),
        store_ids: Vec::new(),
        days: None,
        again: false,
    };
    export::export(state, actor, (layout, None, span), &body).await?;
    Ok(queries::names(&state.db, layout.as_str(), span).await?)
}

/// Saves NetSuite's results of records: `None` on success, else the error message.
///
/// # Errors
/// 422 if none of them was exported from here.
pub async fn answered(
    state: &AppState,
    actor: &Actor,
    file: &str,
    said: impl IntoIterator<Item = (String, Option<String>)>,
) -> ApiResult<()> {
    let said = said.into_iter().collect();
    results::take(state, actor, &StoreScope::All, (file, &said)).await?;
    Ok(())
}
