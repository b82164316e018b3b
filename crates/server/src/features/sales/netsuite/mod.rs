//! `/sales/netsuite`: stores' days as records that NetSuite takes.
//!
//! | file | what it does |
//! |---|---|
//! | `mapping` | the columns and words of a layout |
//! | `days` | each store's day: its record, and what holds it up |
//! | `rows` | a record as rows of a file |
//! | `list` | the days of a range, and how one of them would look |
//! | `export` | files within NetSuite's limits |
//! | `results` | what NetSuite said of them |

mod days;
mod export;
mod list;
mod mapping;
mod model;
mod queries;
mod results;
mod rows;

use larder_domain::Action::{Edit, Export, Import, View};

use crate::AppState;
use crate::http::erased::routes;
use crate::http::guard::Routes;

/// The page's right.
const PAGE: &str = "sales/netsuite";

/// The routes of this feature.
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
        .can(PAGE, Import, routes!(results::take_netsuite_results))
}
