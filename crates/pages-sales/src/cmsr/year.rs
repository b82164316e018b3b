//! Overview of all stores and months, with what blocks each.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use larder_domain::{BusinessDay, Span};

use super::model::{CmsrGlance, CmsrStoreYear, CmsrYear, YearQuery, month_text};
use super::month::{Blocking, days_of, made_of};
use super::queries::{self, Store, Version};
use larder_ledgers::completeness::{Completeness, Day};
use larder_ledgers::till_days;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// A year of every accessible store: the state of each month and what blocks it.
#[utoipa::path(get, path = "/api/sales/cmsr/year", tag = "cmsr", params(YearQuery),
    responses((status = 200, body = CmsrYear)))]
pub(crate) async fn get_cmsr_year(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<YearQuery>,
) -> ApiResult<Json<CmsrYear>> {
    let year = query.year;
    let bounds = (2000..=2200).contains(&year).then_some(year);
    let bound = |month, day| bounds.and_then(|year| BusinessDay::from_ymd(year, month, day));
    let (Some(from), Some(to)) = (bound(1, 1), bound(12, 31)) else {
        return Err(ApiError::field("year", "Enter a year from 2000 to 2200."));
    };
    let wished: Option<Vec<String>> = query
        .store_ids
        .as_deref()
        .filter(|ids| !ids.is_empty())
        .map(|ids| ids.split(',').map(str::to_owned).collect());
    let (db, span) = (&state.db, Span { from, to });
    let stores = queries::stores(db, who.stores(wished.as_deref())?.as_deref()).await?;
    let ids: Vec<String> = stores.iter().map(|store| store.id.clone()).collect();
    let today = BusinessDay::of(who.at);
    let known = Completeness::read(db, &ids, span, today).await?;
    let versions: BTreeMap<(String, BusinessDay), Version> = queries::latest(db, &ids, span)
        .await?
        .into_iter()
        .map(|one| ((one.store_id.clone(), one.month), one))
        .collect();
    let several = till_days::stores_of_several(db, &ids, span).await?;
    let undecided: BTreeSet<(String, BusinessDay)> = till_days::read(db, &several, span)
        .await?
        .into_iter()
        .filter(|(_, day)| day.sources.open())
        .map(|(key, _)| key)
        .collect();
    let of_store = |store: &Store| {
        let months = (1..=12).filter_map(|month| BusinessDay::from_ymd(year, month, 1)).map(|month| {
            let key = (store.id.clone(), month);
            glance(store, month, today, (&known, &undecided, versions.get(&key)))
        });
        CmsrStoreYear {
            store_id: store.id.clone(),
            store_name: store.name.clone(),
            lessor: store.lessor.clone(),
            months: months.collect(),
        }
    };
    Ok(Json(CmsrYear { year, items: stores.iter().map(of_store).collect() }))
}

type Days = BTreeSet<(String, BusinessDay)>;
type Known<'a> = (&'a Completeness, &'a Days, Option<&'a Version>);

fn glance(store: &Store, month: BusinessDay, today: BusinessDay, known: Known<'_>) -> CmsrGlance {
    let (known, undecided, version) = known;
    let span = days_of(month);
    let days: Vec<(BusinessDay, &Day)> =
        known.days(&store.id).filter(|(day, _)| (span.from..=span.to).contains(day)).collect();
    let twice = |day: &BusinessDay| undecided.contains(&(store.id.clone(), *day));
    let blocking =
        Blocking::of(days.iter().map(|(_, day)| *day), days.iter().filter(|(day, _)| twice(day)).count());
    let missing = days.iter().filter(|(_, day)| day.over && !day.is_complete()).count();
    let kept = version.filter(|one| one.state != "amended");
    let differs = kept.is_some_and(|one| {
        let was: BTreeSet<(String, i64)> =
            one.made_of.iter().map(|one| (one.id.clone(), one.revision)).collect();
        was != made_of(days.iter().copied())
    });
    let is_read = days.iter().any(|(_, day)| day.held().next().is_some());
    let not_open = days.last().is_none_or(|(_, day)| !day.started);
    let state = match kept {
        Some(one) => one.state.as_str(),
        None if span.from > today || not_open || (store.inactive && !is_read) => "none",
        None if span.to >= today => "running",
        None => "draft",
    };
    let says = match state {
        "certified" | "submitted" if differs => Some("Readings changed since it was certified.".to_owned()),
        "certified" | "submitted" | "none" => None,
        _ => blocking.words(),
    };
    CmsrGlance {
        month: month_text(month),
        state: state.to_owned(),
        version: version.map_or(1, |one| if kept.is_some() { one.version } else { one.version + 1 }),
        missing_days: if state == "none" { 0 } else { i64::try_from(missing).unwrap_or(i64::MAX) },
        undecided_days: if state == "none" {
            0
        } else {
            i64::try_from(blocking.undecided).unwrap_or(i64::MAX)
        },
        says,
        net_sales: kept.map(|one| one.net_sales),
        rent: kept.map(|one| one.rent),
        differs,
    }
}
