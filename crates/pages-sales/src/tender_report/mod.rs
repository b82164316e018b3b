//! `/sales/tender-report`: how days were paid, from the till to the bank.
//!
//! | file | what it does |
//! |---|---|
//! | `report` | store × day × kind of paying, as JSON and as a file |
//! | `pos` | which sources' receipts count where several tell of the same sales |
//! | `sources` | what one of its figures is made of |
//! | `declarations`, `deposits` | what stores say they have and pay in, and its correction |
//! | `settlements`, `file` | acquirers' files, and how their rows are read |

mod declarations;
mod deposits;
mod file;
mod model;
mod queries;
mod report;
mod settlements;
mod sources;

use larder_domain::Action::{self, Edit, Import, Override, View};

use larder_platform::AppState;
use larder_platform::http::erased::routes;
use larder_platform::http::guard::Routes;

/// The page's right.
const PAGE: &str = "sales/tenderReport";

/// What dating cash further back than the rule asks for.
const OVERRIDE: &[(&str, Action)] = &[(PAGE, Override)];
const TOO_FAR_BACK: &str = "`override`: a day too far back, with a reason";

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .merge(larder_engines::reports::routes::<report::TenderReport>(state))
        .can(PAGE, View, routes!(sources::get_tender_sources))
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
