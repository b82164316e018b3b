//! `/stores/count`: counting stores, online and offline.
//!
//! Devices upload counts when they are online ([`batch`]); the count ledger applies each save once and
//! decides which count is current. Every route needs access to its stores.

mod batch;
mod close;
mod entries;
mod held;
mod model;
mod photos;
mod queries;
mod sessions;
mod settings;
mod warm_up;

use larder_domain::Action::{Approve, Count, Edit, Unlock, View};
use larder_domain::BusinessDay;
use larder_domain::count::Session;

use larder_platform::AppState;
use larder_platform::http::question::{date, is_id};
use larder_platform::http::{ApiError, ApiResult, FieldError, Routes, Who, routes};

const PAGE: &str = "stores/storeCount";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, Count, routes!(batch::send_counts))
        .can(PAGE, View, routes!(entries::list_count_entries))
        .can(PAGE, Count, routes!(entries::choose_count))
        .can(PAGE, View, routes!(entries::list_count_range))
        .can(PAGE, View, routes!(entries::summarise_counts))
        .can(PAGE, View, routes!(entries::list_count_history))
        .can(PAGE, View, routes!(settings::get_count_settings))
        .can(PAGE, Edit, routes!(settings::put_count_settings))
        .can(PAGE, Edit, routes!(settings::change_count_settings))
        .can(PAGE, View, routes!(sessions::get_count_state))
        .can(PAGE, Count, routes!(sessions::lease_count))
        .can(PAGE, Count, routes!(sessions::finish_count))
        .can(PAGE, View, routes!(close::list_close_goods))
        .can(PAGE, View, routes!(close::list_open_close_goods))
        .can(PAGE, Count, routes!(close::answer_close_goods))
        .can(PAGE, Unlock, routes!(sessions::unlock_count))
        .can(PAGE, Approve, routes!(held::list_held_counts))
        .can(PAGE, Approve, routes!(held::apply_held_counts))
        .can(PAGE, Approve, routes!(held::decline_held_counts))
        .can(PAGE, View, routes!(warm_up::warm_up_counts))
        .can(PAGE, View, routes!(warm_up::list_count_expected))
        .can(PAGE, Count, routes!(photos::upload_count_photo))
        .can(PAGE, View, routes!(photos::get_count_photo))
}

/// The requested store.
fn store<'a>(who: &Who, id: Option<&'a str>) -> ApiResult<&'a str> {
    let id = id.filter(|id| !id.is_empty()).ok_or_else(|| ApiError::field("storeId", "Choose a store."))?;
    who.check_store(id)?;
    if is_id(id) { Ok(id) } else { Err(ApiError::not_found("store")) }
}

/// The requested day.
fn day(field: &str, text: Option<&str>) -> Result<BusinessDay, FieldError> {
    date(field, text)?.ok_or_else(|| FieldError::new(field, "Enter a date as YYYY-MM-DD."))
}

/// The requested session; the whole day if omitted.
fn session(text: Option<&str>) -> Result<Session, FieldError> {
    Session::parse(text.unwrap_or_default())
        .ok_or_else(|| FieldError::new("session", "Choose opening or closing."))
}

/// Store, day and session.
fn place<'a>(
    who: &Who,
    store_id: Option<&'a str>,
    date: Option<&str>,
    name: Option<&str>,
) -> ApiResult<(&'a str, BusinessDay, Session)> {
    let store_id = store(who, store_id)?;
    match (day("date", date), session(name)) {
        (Ok(date), Ok(name)) => Ok((store_id, date, name)),
        (date, name) => Err(ApiError::invalid([date.err(), name.err()].into_iter().flatten().collect())),
    }
}
