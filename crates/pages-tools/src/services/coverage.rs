//! Missing sales by store and day. The rule is `larder_domain::sales_coverage`.

use std::collections::HashMap;

use axum::extract::State;
use larder_domain::sales_coverage::{Day, LOOK_BACK, judge};
use larder_domain::schedule::Schedule;
use larder_domain::{BusinessDay, Money, Span};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::IntoParams;

use super::model::{Coverage, CoverageDay, CoverageStore, DayState};
use super::queries;
use larder_ledgers::completeness;
use larder_ledgers::completeness::{Completeness, TillState};
use larder_ledgers::open_days::OpenDays;
use larder_ledgers::sales_settings;
use larder_platform::AppState;
use larder_platform::calculations::{Ask, Calculation, Failed, Failures, Outcome, Work};
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::jobs::JobError;

/// Number of days shown, default and maximum.
const DAYS: i32 = 28;
const MOST_DAYS: i32 = 92;
/// Number of stores evaluated at once.
const STORES_AT_ONCE: usize = 50;

/// Reports missing sales every morning.
pub(super) struct DailySalesCoverage;

impl Calculation for DailySalesCoverage {
    const NAME: &'static str = "daily-sales-coverage";
    const TITLE: &'static str = "Daily sales coverage";
    const ANSWERS: &'static str = "Which sales of which store and day are missing, or only there in part?";
    const PAGE: &'static str = "/tools/services/daily-sales-coverage";
    const NIGHTLY: Option<Schedule> = Some(Schedule::daily(2, 0));

    async fn check(_: &AppState, ask: &Ask) -> ApiResult<()> {
        match ask.span() {
            Some(span) if span.days() > MOST_DAYS => Err(too_long()),
            _ => Ok(()),
        }
    }

    async fn run(work: Work) -> Result<Outcome, JobError> {
        let to = work.asked().to_day().unwrap_or(work.day().plus(-1)).min(work.day());
        let from = work.asked().from_day().unwrap_or(to.plus(1 - DAYS)).max(to.plus(1 - MOST_DAYS));
        let span = Span { from: from.min(to), to };
        let stores = queries::stores(&work.state().db, work.asked().store_ids.as_deref()).await?;
        let mut progress: Progress = work.checkpoint().unwrap_or_default();
        while progress.stores < stores.len() {
            work.progress(
                progress.stores,
                stores.len(),
                &format!("Store {} of {}", progress.stores + 1, stores.len()),
            );
            let part = &stores[progress.stores..stores.len().min(progress.stores + STORES_AT_ONCE)];
            let judged = judged(work.state(), part, span).await?;
            judged.iter().for_each(|store| progress.take(store, span));
            progress.stores += part.len();
            work.part(json!(progress), async |_| Ok(())).await?;
        }
        work.progress(stores.len(), stores.len(), "");
        Ok(progress.outcome(span))
    }
}

/// Results of a run so far.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Progress {
    stores: usize,
    complete: i64,
    expected: i64,
    partial: i64,
    missing: i64,
    mismatch: i64,
    failures: Failures,
}

impl Progress {
    fn take(&mut self, store: &CoverageStore, span: Span) {
        self.complete += store.complete;
        self.expected += store.expected;
        for (state, count, what) in [
            (DayState::Missing, &mut self.missing, "Missing"),
            (DayState::Partial, &mut self.partial, "There in part"),
            (DayState::Mismatch, &mut self.mismatch, "Not as the Z-reading says"),
        ] {
            let days: Vec<BusinessDay> = store
                .days
                .iter()
                .zip(span.from.0..)
                .filter(|(day, _)| day.state == state)
                .map(|(_, day)| BusinessDay(day))
                .collect();
            *count += days.len() as i64;
            if !days.is_empty() {
                let what = format!("{what}: {} {}", days.len(), if days.len() == 1 { "day" } else { "days" });
                let why = days.iter().take(5).map(|day| day.display()).collect::<Vec<_>>().join(", ");
                let more =
                    if days.len() > 5 { format!(" and {} more", days.len() - 5) } else { String::new() };
                let (store_id, why) = (Some(store.store_id.clone()), format!("{why}{more}."));
                self.failures.add(Failed { what, store_id, root_item_id: None, why });
            }
        }
    }

    fn outcome(self, span: Span) -> Outcome {
        let words = match percent(self.complete, self.expected) {
            Some(percent) => format!(
                "{percent:.1}% of the store-days from {} to {} are complete.",
                span.from.display(),
                span.to.display()
            ),
            None => "No store was expected to trade on these days.".to_owned(),
        };
        let share = percent(self.complete, self.expected).unwrap_or(f64::NAN);
        Outcome::of(words, self.failures)
            .figure("Complete", share, Some("%"))
            .count("Expected store-days", self.expected)
            .count("Missing", self.missing)
            .count("Partial", self.partial)
            .count("Not as the Z-reading says", self.mismatch)
    }
}

/// Query parameters: range and store.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct CoverageQuery {
    /// At most 92 days; defaults to the last four weeks.
    from: Option<String>,
    to: Option<String>,
    store_id: Option<String>,
}

/// Currently missing sales.
#[utoipa::path(get, path = "/api/tools/services/daily-sales-coverage/days", tag = "services", params(CoverageQuery),
    responses((status = 200, body = Coverage)))]
pub(crate) async fn list_sales_coverage_days(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CoverageQuery>,
) -> ApiResult<Json<Coverage>> {
    let day =
        |field: &str, text: Option<String>, otherwise: BusinessDay| match text.filter(|it| !it.is_empty()) {
            None => Ok(otherwise),
            Some(text) => match text.parse::<BusinessDay>() {
                Ok(day) if (1900..=2200).contains(&day.date().year()) => Ok(day),
                Ok(_) => Err(ApiError::field(field, "Enter a year between 1900 and 2200.")),
                Err(why) => Err(ApiError::field(field, why)),
            },
        };
    let to = day("to", query.to, BusinessDay::of(who.at).plus(-1))?;
    let from = day("from", query.from, to.plus(1 - DAYS))?;
    let span = Span { from, to };
    if from > to {
        return Err(ApiError::field("to", "The last day must not come before the first."));
    }
    if span.days() > MOST_DAYS {
        return Err(too_long());
    }
    let store = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(store.as_deref())?;
    let stores = queries::stores(&state.db, stores.as_deref()).await?;
    let stores = judged(&state, &stores, span).await?;
    let (complete, expected) = stores
        .iter()
        .fold((0, 0), |(complete, expected), it| (complete + it.complete, expected + it.expected));
    Ok(Json(Coverage {
        dates: (from.0..=to.0).map(BusinessDay).collect(),
        percent: percent(complete, expected),
        stores,
    }))
}

fn too_long() -> ApiError {
    ApiError::field("to", format!("Choose a range of at most {MOST_DAYS} days."))
}

fn percent(complete: i64, expected: i64) -> Option<f64> {
    (expected > 0).then(|| complete as f64 * 100.0 / expected as f64)
}

/// Coverage of the given stores' days.
async fn judged(state: &AppState, stores: &[queries::StoreRow], span: Span) -> ApiResult<Vec<CoverageStore>> {
    let wide = Span { from: span.from.plus(-(LOOK_BACK as i32)), to: span.to };
    let ids: Vec<String> = stores.iter().map(|store| store.id.clone()).collect();
    let days = queries::days(&state.db, &ids, wide).await?;
    let tills = queries::tills(&state.db, &ids, wide).await?;
    let open = OpenDays::read(&state.db, &ids, wide).await?;
    let known = Completeness::read(&state.db, &ids, span, BusinessDay::of(state.now())).await?;
    let tolerance = sales_settings::read(&state.db).await?.tolerance;
    let mut sold: HashMap<(&str, i32), (i64, i64)> = HashMap::new();
    for day in &days {
        sold.insert((&day.store_id, day.business_date.0), (day.lines, day.net));
    }
    let mut tills_of: HashMap<(&str, i32), Vec<&str>> = HashMap::new();
    for (store, day, till) in &tills {
        tills_of.entry((store, day.0)).or_default().push(till);
    }
    let judged = stores.iter().map(|store| {
        let expected: Vec<Vec<&str>> = (wide.from.0..=wide.to.0)
            .map(|day| expected_tills(known.day(&store.id, BusinessDay(day))))
            .collect();
        let all: Vec<Day<'_>> = (wide.from.0..=wide.to.0)
            .zip(&expected)
            .map(|(day, expected)| {
                let (lines, _) = sold.get(&(store.id.as_str(), day)).copied().unwrap_or_default();
                let closed = !open.is_open(&store.id, BusinessDay(day));
                let tills = tills_of.get(&(store.id.as_str(), day)).map(Vec::as_slice).unwrap_or_default();
                let apart = known.day(&store.id, BusinessDay(day)).apart();
                Day { lines, tills, expected, apart, closed }
            })
            .collect();
        let shown: Vec<CoverageDay> = (LOOK_BACK..all.len())
            .zip(span.from.0..)
            .map(|(at, day)| {
                let (state, why) = judge(&all[at], &all[..at], tolerance);
                let (lines, net) = sold.get(&(store.id.as_str(), day)).copied().unwrap_or_default();
                CoverageDay { state: state.into(), lines, net: Money(net), why }
            })
            .collect();
        let count = |of: fn(DayState) -> bool| shown.iter().filter(|day| of(day.state)).count() as i64;
        let complete = count(|state| state == DayState::Complete);
        let expected = count(|state| state != DayState::Closed);
        CoverageStore {
            store_id: store.id.clone(),
            complete,
            expected,
            percent: percent(complete, expected),
            days: shown,
        }
    });
    Ok(judged.collect())
}

/// The tills that must have sold on a day: those that need a reading, but for the ones that read no sales.
fn expected_tills(day: &completeness::Day) -> Vec<&str> {
    let sold = day.tills.iter().filter(|till| {
        let read_nothing = till.state == TillState::Verified
            && till.readings.iter().all(|one| one.covers || one.net == Some(Money(0)));
        !till.terminal_id.is_empty() && till.state != TillState::Absent && !read_nothing
    });
    sold.map(|till| &*till.terminal_id).collect()
}
