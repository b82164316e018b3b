//! `/tools/import-sales-product-bq`: sales from Google BigQuery. Viewing needs no permission: every signed-in
//! user sees their accessible stores. Changes need the import's permission.

use larder_domain::Action;

use larder_engines::connectors;
use larder_engines::connectors::{Family, Kind};
use larder_platform::AppState;
use larder_platform::http::Routes;

struct BigQuery;

impl Family for BigQuery {
    const KIND: Kind = Kind::Bigquery;
    const NAME: &'static str = "bigquery_import";
    const TITLE: &'static str = "BigQuery import";
    const BASE: &'static str = "/api/tools/import-sales-product-bq";
    const PAGE: &'static str = "tools/importSalesProduct";
    const EDIT: Action = Action::Import;
    const OPEN: Option<&'static str> = Some("The page has no guard: everyone signed in reads it.");
}

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    connectors::routes::<BigQuery>(state)
}
