//! Reads the facts of a plan: from stored sums where possible, else grouped by the database.

use std::collections::HashMap;
use std::pin::pin;

use futures::TryStreamExt;
use larder_domain::sales::ALL_STORES;
use larder_domain::sales::names::QuickMap;
use larder_domain::sales::rollup::Grain;
use larder_domain::span::{Run, next};
use larder_domain::{BusinessDay, Span};

use super::datasets::sales::{SALES_BY_DAY, by_day as of_days};
use super::fields::{Of, Part, Source, Sql};
use super::keys::{FIGURES, Fact, OWN, Shift, Texts, first_alike};
use super::names::Names;
use super::plan::Plan;
use super::queries::{self, Wanted};
use super::{forecast, paid, queries::expression};
use larder_ledgers::sales::{numbers, sums};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Maximum number of sums or rows read synchronously; more are read by a job.
pub const READ_AT_ONCE: i64 = 2_000_000;
/// Maximum number of rows the database groups synchronously.
pub const ROWS_AT_ONCE: i64 = 250_000;

/// A consumer of facts.
pub trait Takes: FnMut(&Fact, &mut Texts) -> ApiResult<()> + Send {}
impl<T: FnMut(&Fact, &mut Texts) -> ApiResult<()> + Send> Takes for T {}

/// Where a plan's facts are stored.
pub enum From<'a> {
    Pos,
    Root,
    Forecast,
    Paid(&'a Sql),
    Sql(&'a Sql, Vec<&'static str>),
}

/// Where to read a plan's facts.
pub fn from(plan: &Plan) -> From<'_> {
    match &plan.dataset.source {
        Source::Pos if !plan.needs_items() => {
            let words = plan.figures.iter().map(|field| of_days(expression(field))).collect();
            From::Sql(&SALES_BY_DAY, words)
        }
        Source::Pos => From::Pos,
        Source::Root => From::Root,
        Source::Forecast => From::Forecast,
        Source::Paid(payments) => From::Paid(payments),
        Source::Sql(sql) => From::Sql(sql, plan.figures.iter().map(|field| expression(field)).collect()),
    }
}

/// The stores to read: those filtered for, else the accessible ones, else all.
pub fn stores(plan: &Plan, names: &Names) -> Vec<String> {
    if let Some(only) = &plan.only_stores {
        return only.clone();
    }
    let mut stores = match &plan.stores {
        Some(stores) => stores.clone(),
        None => names.stores().map(|store| store.id.clone()).collect(),
    };
    stores.sort_unstable();
    stores
}

/// Whether rows outside stores are read too.
fn besides(plan: &Plan) -> bool {
    plan.stores.is_none() && plan.only_stores.is_none()
}

/// Whether all stores can be read as one.
fn as_one(plan: &Plan) -> bool {
    besides(plan) && !plan.needs_stores()
}

/// Estimated size of a query relative to the synchronous limit: above 1 it needs a job.
///
/// # Errors
/// When the database does not answer.
pub async fn weight(state: &AppState, plan: &Plan, names: &Names) -> ApiResult<f64> {
    let stores = stores(plan, names);
    let spans: Vec<Span> =
        [Some(plan.span), plan.before.map(|(before, _)| before)].into_iter().flatten().collect();
    let days: i64 = spans.iter().map(|span| i64::from(span.days())).sum();
    let many = |stores: usize| i64::try_from(stores).unwrap_or(i64::MAX);
    let read = match from(plan) {
        From::Pos | From::Root => {
            let items = many(names.items().count());
            let periods = if !plan.needs_days() || plan.only_parts(&[Part::Month, Part::Quarter, Part::Year])
            {
                days / 30 + 60
            } else {
                days
            };
            let stores = if as_one(plan) { 1 } else { many(stores.len()) };
            stores.saturating_mul(periods).saturating_mul(items) as f64 / READ_AT_ONCE as f64
        }
        From::Forecast => {
            let items = many(names.items().count());
            many(stores.len()).saturating_mul(days).saturating_mul(items) as f64 / READ_AT_ONCE as f64
        }
        From::Sql(sql, _) | From::Paid(sql) => {
            let mut rows = 0;
            for span in spans {
                let most = ROWS_AT_ONCE + 1;
                rows += queries::weight(&state.db, sql, span, &stores, besides(plan), most).await?;
            }
            rows as f64 / ROWS_AT_ONCE as f64
        }
    };
    Ok(read)
}

/// Reads the facts of a range; with a shift, those of the previous period. Days the plan does not distinguish
/// may be combined under the first of them.
///
/// # Errors
/// When the database does not answer; errors of the consumer.
pub async fn read(
    state: &AppState,
    plan: &Plan,
    names: &Names,
    texts: &mut Texts,
    (span, shift): (Span, Option<Shift>),
    takes: impl Takes,
) -> ApiResult<()> {
    read_from(state, plan, texts, (span, shift), (&stores(plan, names), false), takes).await
}

/// As [`read`], for some stores, with their days kept apart.
///
/// # Errors
/// As [`read`].
pub async fn read_apart(
    state: &AppState,
    plan: &Plan,
    texts: &mut Texts,
    days: (Span, Option<Shift>),
    stores: &[String],
    takes: impl Takes,
) -> ApiResult<()> {
    read_from(state, plan, texts, days, (stores, true), takes).await
}

async fn read_from(
    state: &AppState,
    plan: &Plan,
    texts: &mut Texts,
    (span, shift): (Span, Option<Shift>),
    (stores, apart): (&[String], bool),
    mut takes: impl Takes,
) -> ApiResult<()> {
    let runs = if apart { by_day(span) } else { runs(plan, span, shift) };
    let days = Days { runs, alike: alike(plan, shift, apart), apart };
    match from(plan) {
        From::Sql(sql, figures) => {
            of_query(state, plan, (sql, &figures), texts, span, (stores, apart), takes).await
        }
        From::Pos => {
            let places: Vec<usize> = plan.figures.iter().map(|field| place(expression(field))).collect();
            let wanted = std::array::from_fn(|at| {
                places.contains(&at) || (1..=2).contains(&at) && places.contains(&DISCOUNT)
            });
            packed(
                state,
                plan,
                (sums::POS, wanted),
                texts,
                days,
                stores,
                |sum: [i64; 4]| {
                    let all = [sum[0], sum[1], sum[2], sum[3], sum[1] - sum[2]];
                    let mut figures = [0; FIGURES];
                    figures.iter_mut().zip(&places).for_each(|(figure, at)| *figure = all[*at]);
                    figures
                },
                takes,
            )
            .await
        }
        From::Root => {
            let whole = |[qty]: [i64; 1]| [qty; FIGURES];
            packed(state, plan, (sums::ROOT, [true]), texts, days, stores, whole, takes).await
        }
        From::Forecast => forecast::read(state, plan, texts, span, stores, &mut takes).await,
        From::Paid(_) => paid::read(state, plan, texts, span, stores, &mut takes).await,
    }
}

/// Days, as runs of stored sums, and the key that distinguishes them.
struct Days<K> {
    runs: Vec<Run>,
    alike: K,
    /// Whether stores and days are kept apart even if the plan does not distinguish them.
    apart: bool,
}

/// The days a plan does not distinguish from a given day; these can be added up.
fn alike(plan: &Plan, shift: Option<Shift>, apart: bool) -> impl Fn(BusinessDay) -> Vec<BusinessDay> {
    let mut parts: Vec<Part> = Vec::new();
    for dim in plan.dims() {
        if let Of::Date(part) = dim.of
            && !parts.contains(&part)
        {
            parts.push(part);
        }
    }
    let shift = shift.unwrap_or(Shift::Days(0));
    let of_parts = move |day| parts.iter().map(|part| first_alike(*part, day, shift)).collect();
    move |day| if apart { vec![day] } else { of_parts(day) }
}

/// Index of the discount, gross less net, after the four stored measures.
const DISCOUNT: usize = 4;

/// Index of a stored measure of POS items.
fn place(figure: &str) -> usize {
    match figure {
        "qty" => 0,
        "gross" => 1,
        "net" => 2,
        "lines" => 3,
        _ => DISCOUNT,
    }
}

async fn of_query(
    state: &AppState,
    plan: &Plan,
    (sql, figures): (&Sql, &[&'static str]),
    texts: &mut Texts,
    span: Span,
    (stores, apart): (&[String], bool),
    mut takes: impl Takes,
) -> ApiResult<()> {
    let unit = plan.has_units() && sql.unit.is_some();
    let wanted = Wanted {
        days: apart || plan.needs_days(),
        stores: apart || plan.needs_stores(),
        items: plan.needs_items(),
        unit,
        own: &plan.own,
        figures,
    };
    let mut rows = pin!(queries::facts(&state.db, sql, wanted, span, stores, !apart && besides(plan)));
    while let Some(row) = rows.try_next().await? {
        let own = [&row.own0, &row.own1, &row.own2, &row.own3];
        let fact = Fact {
            day: i32::try_from(row.day).unwrap_or_default(),
            store: texts.stores.of(&row.store),
            item: texts.items.of(&row.item),
            unit: texts.units.of(&row.unit),
            own: std::array::from_fn(|at| texts.own[at].of(own[at])),
            figures: [
                row.f0, row.f1, row.f2, row.f3, row.f4, row.f5, row.f6, row.f7, row.f8, row.f9, row.f10,
                row.f11,
            ],
        };
        takes(&fact, texts)?;
    }
    Ok(())
}

/// The coarsest runs of stored sums that keep the days the plan distinguishes apart. With a shift, a stored week or
/// month is used only if it is moved to a week or month.
fn runs(plan: &Plan, span: Span, shift: Option<Shift>) -> Vec<Run> {
    if !plan.needs_days() {
        return span.runs();
    }
    let shift = shift.unwrap_or(Shift::Days(0));
    let months = matches!(shift, Shift::Days(0) | Shift::Months(_));
    let weeks = matches!(shift, Shift::Days(days) if days % 7 == 0);
    if months && plan.only_parts(&[Part::Month, Part::Quarter, Part::Year]) {
        whole(span, Grain::Month)
    } else if weeks && plan.only_parts(&[Part::Week]) {
        whole(span, Grain::Week)
    } else {
        by_day(span)
    }
}

fn by_day(span: Span) -> Vec<Run> {
    vec![Run { grain: Grain::Day, first: span.from, last: span.to }]
}

/// The whole periods of a range, and its days before and after them.
fn whole(span: Span, grain: Grain) -> Vec<Run> {
    let days = |first: BusinessDay, last: BusinessDay| Run { grain: Grain::Day, first, last };
    let (begun, ended) = (grain.period(span.from), grain.period(span.to));
    let first = if begun == span.from { begun } else { next(grain, begun) };
    let past = if next(grain, ended).plus(-1) == span.to { next(grain, ended) } else { ended };
    if first >= past {
        return vec![days(span.from, span.to)];
    }
    let mut runs = Vec::new();
    if span.from < first {
        runs.push(days(span.from, first.plus(-1)));
    }
    runs.push(Run { grain, first, last: grain.period(past.plus(-1)) });
    if past <= span.to {
        runs.push(days(past, span.to));
    }
    runs
}

#[expect(clippy::too_many_arguments, reason = "shared by both kinds of stored sums")]
async fn packed<const N: usize>(
    state: &AppState,
    plan: &Plan,
    (table, wanted): (sums::Table<N>, [bool; N]),
    texts: &mut Texts,
    days: Days<impl Fn(BusinessDay) -> Vec<BusinessDay>>,
    stores: &[String],
    figures: impl Fn([i64; N]) -> [i64; FIGURES] + Send,
    mut takes: impl Takes,
) -> ApiResult<()> {
    let db = &state.db;
    let ids = numbers::all(db).await?;
    let items: QuickMap<u32, u32> = ids.iter().map(|(number, id)| (*number, texts.items.of(id))).collect();
    let all = [ALL_STORES.to_owned()];
    let stores = if !days.apart && as_one(plan) { &all[..] } else { stores };
    let places: HashMap<&str, u32> = stores.iter().map(|id| (id.as_str(), texts.stores.of(id))).collect();
    let (unit, own) = (texts.units.of(""), std::array::from_fn::<u32, OWN, _>(|at| texts.own[at].of("")));
    let mut failed = Ok(());
    // Sums arrive store by store.
    let mut last: Option<(&str, u32)> = None;
    let seen = |id: &str, day: BusinessDay, item: u32, sum: [i64; N]| {
        if last.is_none_or(|(store, _)| store != id) {
            last = places.get_key_value(id).map(|(id, place)| (*id, *place));
        }
        let (Some((_, store)), Some(item)) = (last, items.get(&item)) else { return };
        if failed.is_ok() {
            let fact = Fact { day: day.0, store, item: *item, unit, own, figures: figures(sum) };
            failed = takes(&fact, texts);
        }
    };
    sums::each_together(db, table, &days.runs, stores, (wanted, days.alike), seen).await?;
    failed
}

/// The query and expression to look up values of a text dimension, if possible.
pub fn own_of(plan_source: &Source, of: Of) -> Option<(&Sql, &'static str)> {
    match (plan_source, of) {
        (Source::Sql(sql) | Source::Paid(sql), Of::Own(part, _)) => Some((sql, part)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_periods_are_read_as_such_and_the_days_around_them_as_days() {
        let day = |text: &str| text.parse::<BusinessDay>().expect("a date");
        let shown = |from: &str, to: &str, grain: Grain| -> Vec<String> {
            let runs = whole(Span { from: day(from), to: day(to) }, grain);
            runs.iter().map(|run| format!("{:?} {} {}", run.grain, run.first, run.last)).collect()
        };
        // The week from January 26 to February 1, 2026 is of two months.
        assert_eq!(shown("2026-01-26", "2026-02-22", Grain::Month), ["Day 2026-01-26 2026-02-22"]);
        assert_eq!(
            shown("2026-01-30", "2026-04-02", Grain::Month),
            ["Day 2026-01-30 2026-01-31", "Month 2026-02-01 2026-03-01", "Day 2026-04-01 2026-04-02"]
        );
        assert_eq!(shown("2026-01-26", "2026-02-22", Grain::Week), ["Week 2026-01-26 2026-02-16"]);
        assert_eq!(
            shown("2026-01-25", "2026-02-02", Grain::Week),
            ["Day 2026-01-25 2026-01-25", "Week 2026-01-26 2026-01-26", "Day 2026-02-02 2026-02-02"]
        );
    }
}
