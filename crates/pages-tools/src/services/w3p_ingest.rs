//! `/tools/services/w3p-ingest`: a POS feed pushed over HTTP or dropped into a folder.

use larder_domain::Action;

use larder_engines::connectors;
use larder_engines::connectors::{Family, Kind};
use larder_platform::AppState;
use larder_platform::calculations::PAGE;
use larder_platform::http::Routes;

struct Feed;

impl Family for Feed {
    const KIND: Kind = Kind::W3p;
    const NAME: &'static str = "w3p_feed";
    const TITLE: &'static str = "POS feed";
    const BASE: &'static str = "/api/tools/services/w3p-ingest";
    const PAGE: &'static str = PAGE;
    const EDIT: Action = Action::Edit;
}

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    connectors::routes::<Feed>(state).merge(
        Routes::new(state)
            .public("the sender signs each delivery with the feed's secret", connectors::push_route()),
    )
}
