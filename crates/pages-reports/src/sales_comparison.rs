//! `/reports/sales-comparison`: sales against the preceding period and the previous year on the same
//! weekdays, for all stores and like for like.

use std::collections::HashMap;

use larder_domain::{BusinessDay, Money, Span};
use serde::Serialize;
use utoipa::ToSchema;

use super::store_queries::{self as queries, Place, Traded};
use super::store_rows::{self, ByStore, Row};
use larder_engines::reports::figures::{add, change};
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Days back to the same weekday a year ago.
const YEAR: i32 = 364;
const WEEK: i32 = 7;

/// A range to compare with.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedRange {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// Net sales of all stores by day.
    pub nets: Vec<Money>,
}

/// Sales against an earlier range.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Against {
    /// Net sales of all stores in the earlier range.
    pub before: Money,
    /// Change since; null if there were no sales then.
    pub change: Option<f64>,
    /// Number of like-for-like stores: opened before the earlier range began, and with sales up to the last
    /// week of both.
    pub like_stores: usize,
    /// Their net sales.
    pub like_net: Money,
    /// Their net sales in the earlier range.
    pub like_before: Money,
    /// Their change.
    pub like_change: Option<f64>,
}

/// A store, an area, a region or a format.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonRow {
    /// Id of the row's group; empty for stores without one.
    pub id: String,
    pub name: String,
    /// Its stores.
    pub store_ids: Vec<String>,
    /// Net sales.
    pub net: Money,
    /// Number of store-days.
    pub days: i64,
    /// Against the preceding period.
    pub previous: Against,
    /// Against the previous year.
    pub year: Against,
}

/// Sales against earlier periods.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalesComparison {
    /// First day.
    pub from: BusinessDay,
    /// Last day: of the range, or the last with sales of any of the stores.
    pub to: BusinessDay,
    /// Net sales of all stores by day.
    pub nets: Vec<Money>,
    /// The same weekdays just before: shifted by the number of weeks in the range, rounded up.
    pub previous: ComparedRange,
    /// The same weekdays 52 weeks earlier.
    pub year: ComparedRange,
    /// Largest net sales first.
    pub items: Vec<ComparisonRow>,
    /// All stores together.
    pub total: ComparisonRow,
}

/// Report definition.
pub struct SalesComparisonReport;

impl Report for SalesComparisonReport {
    const NAME: &'static str = "sales-comparison";
    const SUMMARY: &'static str = "Sales against the weeks before and the year before.";
    const MOST_DAYS: i32 = 366;
    type Params = ByStore;
    type ExportParams = NoParams;
    type Answer = SalesComparison;

    async fn answer(state: &AppState, question: &Question, params: &ByStore) -> ApiResult<SalesComparison> {
        let db = &state.db;
        let places = queries::trading_places(db, question.stores.as_deref()).await?;
        let ids: Vec<String> = places.iter().map(|place| place.id.clone()).collect();
        let days = queries::daily_nets(db, &ids, question.span).await?;
        // A day whose sales are not in yet is excluded.
        let last = days.last().map_or(question.span.to, |(day, _)| *day);
        let span = Span { to: last, ..question.span };
        let weeks = (span.days() + WEEK - 1) / WEEK;
        let previous = earlier(span, weeks * WEEK);
        let year = earlier(span, YEAR);
        let (now, then, long_ago, of_previous, of_year) = tokio::try_join!(
            queries::traded(db, &ids, span),
            queries::traded(db, &ids, previous),
            queries::traded(db, &ids, year),
            queries::daily_nets(db, &ids, previous),
            queries::daily_nets(db, &ids, year),
        )?;
        let known = Known {
            places: &places,
            span,
            now: by_store(now),
            before: [(previous, by_store(then)), (year, by_store(long_ago))],
        };
        let mut items = Vec::new();
        for row in store_rows::rows(&places, params.by) {
            let row = known.row(&row)?;
            if row.days > 0 || !row.previous.before.is_zero() || !row.year.before.is_zero() {
                items.push(row);
            }
        }
        items.sort_by(|a, b| b.net.cmp(&a.net).then_with(|| a.name.cmp(&b.name)));
        Ok(SalesComparison {
            from: span.from,
            to: span.to,
            nets: spread(span, &days),
            previous: compared(previous, &of_previous),
            year: compared(year, &of_year),
            items,
            total: known.row(&store_rows::all(&places))?,
        })
    }

    fn sheet(report: &SalesComparison, params: &ByStore, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, ComparisonRow>;
        let mut columns = vec![
            Col::text(params.by.word(), 24, |row| row.name.clone()),
            Col::money("Net sales", 14, |row| row.net),
            Col::count("Days sold", 10, |row| row.days),
        ];
        type Side = fn(&ComparisonRow) -> &Against;
        let sides: [(&str, Side); 2] = [("before", |row| &row.previous), ("a year before", |row| &row.year)];
        for (when, side) in sides {
            columns.extend([
                Col::money(format!("Net sales {when}"), 16, move |row| side(row).before),
                Col::share(format!("Change, {when}"), 12, move |row| side(row).change),
                Col::count(format!("Stores like for like, {when}"), 12, move |row| {
                    i64::try_from(side(row).like_stores).unwrap_or(i64::MAX)
                }),
                Col::money(format!("Like for like, against {when}"), 16, move |row| side(row).like_net),
                Col::money(format!("Like for like {when}"), 16, move |row| side(row).like_before),
                Col::share(format!("Like for like change, {when}"), 12, move |row| side(row).like_change),
            ]);
        }
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

fn earlier(span: Span, days: i32) -> Span {
    Span { from: span.from.plus(-days), to: span.to.plus(-days) }
}

fn by_store(traded: Vec<Traded>) -> HashMap<String, Traded> {
    traded.into_iter().map(|one| (one.store_id.clone(), one)).collect()
}

fn compared(span: Span, days: &[(BusinessDay, Money)]) -> ComparedRange {
    ComparedRange { from: span.from, to: span.to, nets: spread(span, days) }
}

/// One amount per day.
fn spread(span: Span, days: &[(BusinessDay, Money)]) -> Vec<Money> {
    let mut nets = vec![Money::ZERO; usize::try_from(span.days()).unwrap_or_default()];
    for (day, net) in days {
        if let Some(place) = usize::try_from(day.0 - span.from.0).ok().and_then(|at| nets.get_mut(at)) {
            *place = *net;
        }
    }
    nets
}

struct Known<'a> {
    places: &'a [Place],
    span: Span,
    now: HashMap<String, Traded>,
    before: [(Span, HashMap<String, Traded>); 2],
}

impl Known<'_> {
    fn row(&self, row: &Row) -> ApiResult<ComparisonRow> {
        let mut made = ComparisonRow {
            id: row.id.clone(),
            name: row.name.clone(),
            store_ids: row.ids(self.places),
            ..ComparisonRow::default()
        };
        let stores = || row.stores.iter().filter_map(|at| self.places.get(*at));
        for now in stores().filter_map(|place| self.now.get(&place.id)) {
            add(&mut made.net, now.net)?;
            made.days += now.days;
        }
        let sides = [&mut made.previous, &mut made.year];
        for (side, (span, then)) in sides.into_iter().zip(&self.before) {
            for place in stores() {
                let Some(then) = then.get(&place.id) else { continue };
                add(&mut side.before, then.net)?;
                let Some(now) = self.now.get(&place.id) else { continue };
                if self.alike(place, *span, now, then) {
                    side.like_stores += 1;
                    add(&mut side.like_net, now.net)?;
                    add(&mut side.like_before, then.net)?;
                }
            }
            side.change = change(made.net, side.before);
            side.like_change = change(side.like_net, side.like_before);
        }
        Ok(made)
    }

    /// Whether a store opened before the earlier range began and has sales up to the last week of both.
    fn alike(&self, place: &Place, earlier: Span, now: &Traded, then: &Traded) -> bool {
        let opened = place.opening_date.into_iter().chain(place.first_sold).min();
        let to_the_end = |one: &Traded, span: Span| one.last > span.to.plus(-WEEK);
        opened.is_some_and(|day| day <= earlier.from)
            && to_the_end(now, self.span)
            && to_the_end(then, earlier)
    }
}
