//! `/tools/services/get-sales-api`: sales from any JSON API.

use larder_domain::Action;

use larder_engines::connectors;
use larder_engines::connectors::{Family, Kind};
use larder_platform::AppState;
use larder_platform::calculations::PAGE;
use larder_platform::http::Routes;

struct SalesApi;

impl Family for SalesApi {
    const KIND: Kind = Kind::Api;
    const NAME: &'static str = "sales_api";
    const TITLE: &'static str = "API connector";
    const BASE: &'static str = "/api/tools/services/get-sales-api";
    const PAGE: &'static str = PAGE;
    const EDIT: Action = Action::Edit;
}

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    connectors::routes::<SalesApi>(state)
}
