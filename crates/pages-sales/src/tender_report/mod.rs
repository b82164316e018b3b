//! `/sales/tender-report`: tenders from the till to the bank.
//!
//! | file | what it does |
//! |---|---|
//! | `report` | store × day × tender type, as JSON and as a file |
//! | `sources` | the sources of a figure |
//! | `declarations`, `deposits` | cash declarations and deposits of stores, and their corrections |
//! | `settings` | the tolerance of comparisons |
//! | `settlements`, `file` | acquirers' files, and parsing their rows |

mod declarations;
mod deposits;
mod file;
mod model;
mod queries;
mod report;
mod settings;
mod settlements;
mod sources;

use larder_domain::Action::{self, Edit, Import, Override, View};

use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

/// The page whose permission is required.
const PAGE: &str = "sales/tenderReport";

/// The permission to backdate cash beyond the limit.
const OVERRIDE: &[(&str, Action)] = &[(PAGE, Override)];
const TOO_FAR_BACK: &str = "`override`: a day too far back, with a reason";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .merge(larder_engines::reports::routes::<report::TenderReport>(state))
        .can(PAGE, View, routes!(sources::get_tender_sources))
        .can(PAGE, View, routes!(settings::get_tender_settings))
        .can(PAGE, Override, routes!(settings::put_tender_settings))
        .can(PAGE, Edit, routes!(declarations::create_cash_declaration).also(TOO_FAR_BACK, OVERRIDE))
        .can(PAGE, View, routes!(declarations::get_cash_declaration))
        .can(PAGE, Edit, routes!(declarations::update_cash_declaration).also(TOO_FAR_BACK, OVERRIDE))
        .can(PAGE, Edit, routes!(declarations::void_cash_declaration).also(TOO_FAR_BACK, OVERRIDE))
        .can(PAGE, Edit, routes!(deposits::create_cash_deposit).also(TOO_FAR_BACK, OVERRIDE))
        .can(PAGE, View, routes!(deposits::get_cash_deposit))
        .can(PAGE, Edit, routes!(deposits::update_cash_deposit).also(TOO_FAR_BACK, OVERRIDE))
        .can(PAGE, Edit, routes!(deposits::void_cash_deposit).also(TOO_FAR_BACK, OVERRIDE))
        .can(PAGE, View, routes!(settlements::list_settlements))
        .can(PAGE, Import, routes!(settlements::look_at_settlement))
        .can(PAGE, Import, routes!(settlements::import_settlement).also(TOO_FAR_BACK, OVERRIDE))
        .can(PAGE, Import, routes!(settlements::assign_settlement_terminal))
}
