//! `/lists/companies/{id}`: a company's documents: registrations and permits, with their expiry dates.

mod model;
mod queries;
mod routes;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "lists/allLists";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(routes::list_company_documents))
        .can(PAGE, View, routes!(routes::get_company_document_file))
        .can(PAGE, Edit, routes!(routes::add_company_document))
        .can(PAGE, Edit, routes!(routes::update_company_document))
        .can(PAGE, Edit, routes!(routes::delete_company_document))
}
