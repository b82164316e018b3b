//! A till's readings in counter order, and the errors between them.

use axum::extract::State;
use larder_domain::zreading::{Gap, GapKind, chain};
use larder_domain::{BusinessDay, Span};

use super::model::{ChainDay, ChainLink, ChainNext, ChainQuery, ZReadingChain};
use larder_ledgers::completeness::{Completeness, Day};
use larder_ledgers::readings::{list, terminals};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::date;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who, scope};

/// Maximum number of days.
const MOST_DAYS: i32 = 800;

/// The requested range, or the default.
pub(super) fn span(
    from: Option<&str>,
    to: Option<&str>,
    last: BusinessDay,
    usual: i32,
    most: i32,
) -> ApiResult<Span> {
    let (from, to) = (date("from", from), date("to", to));
    let (from, to) = match (from, to) {
        (Ok(from), Ok(to)) => (from, to.unwrap_or(last)),
        (from, to) => return Err(ApiError::invalid([from.err(), to.err()].into_iter().flatten().collect())),
    };
    let from = from.unwrap_or_else(|| to.plus(1 - usual));
    if from > to {
        return Err(ApiError::field("from", "Choose a first day that is not after the last one."));
    }
    let span = Span { from, to };
    if span.days() > most {
        return Err(ApiError::field("from", format!("Choose a range of at most {most} days.")));
    }
    Ok(span)
}

/// A till's readings in counter order, with gaps.
#[utoipa::path(get, path = "/api/sales/z-reading/chain", tag = "z-readings", params(ChainQuery),
    responses((status = 200, body = ZReadingChain)))]
pub(crate) async fn get_z_reading_chain(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ChainQuery>,
) -> ApiResult<Json<ZReadingChain>> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let (Some(store_id), Some(terminal_id)) = (given(&query.store_id), given(&query.terminal_id)) else {
        return Err(ApiError::invalid(vec![FieldError::new("terminalId", "Choose a store and a till.")]));
    };
    scope::check(Some(&store_id), &who.scope)?;
    let span = span(query.from.as_deref(), query.to.as_deref(), BusinessDay::of(who.at), 90, MOST_DAYS)?;
    let names = list::stores(&state.db, Some(std::slice::from_ref(&store_id))).await?;
    let (_, store_name) = names.into_iter().next().ok_or_else(|| ApiError::not_found("store"))?;
    let terms = terminals::find(&state.db, &store_id, &terminal_id)
        .await?
        .map(|kept| kept.terms())
        .unwrap_or_default();
    let (links, states): (Vec<_>, Vec<_>) =
        list::chain(&state.db, &store_id, &terminal_id, span).await?.into_iter().unzip();
    let mut gaps = chain::gaps(&links, terms.basis);
    for reading in list::uncounted(&state.db, &store_id, &terminal_id, span).await? {
        let printed = reading.read.as_ref().and_then(|read| read.value("z")?.parse::<i64>().ok());
        let Some(holder) = links.iter().find(|link| link.figures.z_counter == printed && printed.is_some())
        else {
            continue;
        };
        let words = format!(
            "Z counter {} is on two readings: of {} and on a picture filed for {}.",
            printed.unwrap_or_default(),
            holder.business_date.display(),
            reading.business_date.display(),
        );
        gaps.push(Gap {
            kind: GapKind::Doubled,
            before: Some(holder.id.clone()),
            from: printed,
            to: printed,
            id: reading.id,
            words,
        });
    }
    let days = match links.iter().map(|link| link.business_date).min() {
        Some(first) => {
            let since = Span { from: first.max(span.from), ..span };
            days(&state, (&store_id, &terminal_id), since, BusinessDay::of(who.at)).await?
        }
        None => Vec::new(),
    };
    let next = links.last().map(ChainNext::after);
    let after = match links.last() {
        Some(last) => list::link_after(&state.db, (&store_id, &terminal_id), last).await?,
        None => None,
    };
    let after = after.map(ChainLink::of);
    let links = links.into_iter().zip(states).map(ChainLink::of).collect();
    Ok(Json(ZReadingChain { links, store_id, store_name, terminal_id, gaps, days, next, after }))
}

/// The days of a span up to yesterday for which the till must have a verified reading and has none.
async fn days(
    state: &AppState,
    (store_id, terminal_id): (&str, &str),
    span: Span,
    today: BusinessDay,
) -> ApiResult<Vec<ChainDay>> {
    let span = Span { to: span.to.min(today.plus(-1)), ..span };
    let known = Completeness::read(&state.db, &[store_id.to_owned()], span, today).await?;
    let of_day = |(date, day): (BusinessDay, &Day)| {
        let till = day.tills.iter().find(|till| *till.terminal_id == *terminal_id)?;
        let reason = till.reason()?;
        let words = format!("{}: {reason}", date.display());
        Some(ChainDay { date, why: till.why, state: till.state, words })
    };
    Ok(known.days(store_id).filter_map(of_day).collect())
}
