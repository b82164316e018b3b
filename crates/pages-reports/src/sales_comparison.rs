//! `/reports/sales-comparison`: sales against the preceding period and the previous year on the same
//! weekdays, for all stores and like for like. Changes are over the days that both ranges have.

use std::collections::HashMap;

use larder_domain::{BusinessDay, Money, Span};
use serde::Serialize;
use utoipa::ToSchema;

use super::store_queries::{self as queries, Place, Traded};
use super::store_rows::{self, ByStore, Row};
use larder_engines::reports::figures::{add, change};
use larder_engines::reports::gaps::StoreGap;
use larder_engines::reports::queries::without_sales;
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::paired_days::{Paired, PairedDays};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Days back to the same weekday a year ago.
const YEAR: i32 = 364;
const WEEK: i32 = 7;
/// Most missing days named per store.
const NAMED: usize = 3;

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
    /// Stores with days left out of the comparison, most days first.
    pub left_out: Vec<LeftOut>,
    /// Stores with sales in one of the ranges that are not like for like, by name.
    pub unlike: Vec<UnlikeStore>,
}

/// A store with days that are not compared.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    pub id: String,
    pub name: String,
    /// Number of pairs of days left out.
    pub days: i64,
    /// Number of days without sales in the two ranges on which the store was open.
    pub missing: i64,
    /// The first three of these.
    pub first: Vec<BusinessDay>,
}

/// Why a store is not like for like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Unlike {
    /// It opened after the earlier range began.
    New,
    /// It closed for good before the range ended.
    Closed,
    /// It has no two days to compare with sales on both.
    NoSales,
}

/// A store that is not like for like.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnlikeStore {
    pub id: String,
    pub name: String,
    pub why: Unlike,
    /// Its first day if it is new, its last if it closed.
    pub on: Option<BusinessDay>,
}

/// Sales against an earlier range. Changes are over the store-days that both ranges have: a day on which a store was
/// open without sales is left out with its counterpart, a closed day counts as zero.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Against {
    /// Net sales of all stores in the earlier range, on all its days.
    pub before: Money,
    /// Net sales on the days compared.
    pub compared_net: Money,
    /// Net sales on their counterparts in the earlier range.
    pub compared_before: Money,
    /// Number of store-days compared.
    pub compared_days: i64,
    /// Number of store-days left out, because they or their counterparts are missing.
    pub left_out: i64,
    /// Change on the days compared; null if there were no sales then.
    pub change: Option<f64>,
    /// Number of like-for-like stores: open since before the earlier range began, not closed for good before the
    /// range ended, and with sales on a day of both.
    pub like_stores: usize,
    /// Their net sales on the days compared.
    pub like_net: Money,
    /// Their net sales on the counterparts of these days.
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
    /// Stores with open days without sales, up to yesterday.
    pub stores_without_sales: Vec<StoreGap>,
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
        let both = |earlier: Span| Span { from: earlier.from, to: span.to };
        let (now, then, long_ago, of_previous, of_year) = tokio::try_join!(
            queries::traded(db, &ids, span),
            queries::traded(db, &ids, previous),
            queries::traded(db, &ids, year),
            queries::daily_nets(db, &ids, previous),
            queries::daily_nets(db, &ids, year),
        )?;
        let (with_previous, with_year) = tokio::try_join!(
            PairedDays::read(db, &ids, both(previous)),
            PairedDays::read(db, &ids, both(year))
        )?;
        let side = |earlier, then, days: &PairedDays| Side::of((&places, span), earlier, then, days);
        let known = Known {
            places: &places,
            now: by_store(now),
            before: [side(previous, then, &with_previous), side(year, long_ago, &with_year)],
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
            previous: known.compared(0, &of_previous),
            year: known.compared(1, &of_year),
            items,
            total: known.row(&store_rows::all(&places))?,
            stores_without_sales: without_sales(db, question).await?,
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
                Col::money(format!("Net sales on days compared, against {when}"), 16, move |row| {
                    side(row).compared_net
                }),
                Col::money(format!("Net sales on days compared, {when}"), 16, move |row| {
                    side(row).compared_before
                }),
                Col::count(format!("Days compared, {when}"), 12, move |row| side(row).compared_days),
                Col::count(format!("Days left out, {when}"), 12, move |row| side(row).left_out),
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

/// An earlier range: each store's sales in it, and on the days that both ranges have.
struct Side {
    earlier: Span,
    then: HashMap<String, Traded>,
    /// In the order of the stores, like the next.
    paired: Vec<Paired>,
    /// Why a store is not like for like; `None` if it is.
    unlike: Vec<Option<(Unlike, Option<BusinessDay>)>>,
}

impl Side {
    fn of((places, now): (&[Place], Span), earlier: Span, then: Vec<Traded>, days: &PairedDays) -> Self {
        let back = now.from.0 - earlier.from.0;
        let paired: Vec<Paired> = places.iter().map(|place| days.over(&place.id, now, back)).collect();
        let unlike = places.iter().zip(&paired).map(|(place, paired)| {
            let opened = place.opening_date.into_iter().chain(place.first_sold).min();
            let ended = days.ended(&place.id).filter(|last| *last < now.to);
            if opened.is_none_or(|day| day > earlier.from) {
                Some((Unlike::New, opened))
            } else if ended.is_some() {
                Some((Unlike::Closed, ended))
            } else {
                (!paired.has_both).then_some((Unlike::NoSales, None))
            }
        });
        let unlike = unlike.collect();
        Self { earlier, then: by_store(then), paired, unlike }
    }
}

struct Known<'a> {
    places: &'a [Place],
    now: HashMap<String, Traded>,
    before: [Side; 2],
}

impl Known<'_> {
    fn row(&self, row: &Row) -> ApiResult<ComparisonRow> {
        let mut made = ComparisonRow {
            id: row.id.clone(),
            name: row.name.clone(),
            store_ids: row.ids(self.places),
            ..ComparisonRow::default()
        };
        for now in row.stores.iter().filter_map(|at| self.now.get(&self.places.get(*at)?.id)) {
            add(&mut made.net, now.net)?;
            made.days += now.days;
        }
        for (against, side) in [&mut made.previous, &mut made.year].into_iter().zip(&self.before) {
            for &at in &row.stores {
                let (Some(place), Some(paired)) = (self.places.get(at), side.paired.get(at)) else {
                    continue;
                };
                if let Some(then) = side.then.get(&place.id) {
                    add(&mut against.before, then.net)?;
                }
                add(&mut against.compared_net, paired.now)?;
                add(&mut against.compared_before, paired.before)?;
                against.compared_days += paired.days;
                against.left_out += paired.left_out;
                if side.unlike[at].is_none() {
                    against.like_stores += 1;
                    add(&mut against.like_net, paired.now)?;
                    add(&mut against.like_before, paired.before)?;
                }
            }
            against.change = change(against.compared_net, against.compared_before);
            against.like_change = change(against.like_net, against.like_before);
        }
        Ok(made)
    }

    /// The earlier range at this index, with its net sales by day.
    fn compared(&self, at: usize, days: &[(BusinessDay, Money)]) -> ComparedRange {
        let side = &self.before[at];
        let mut left_out: Vec<LeftOut> = (self.places.iter().zip(&side.paired))
            .filter(|(_, paired)| paired.left_out > 0)
            .map(|(place, paired)| LeftOut {
                id: place.id.clone(),
                name: place.name.clone(),
                days: paired.left_out,
                missing: i64::try_from(paired.missing.len()).unwrap_or(i64::MAX),
                first: paired.missing.iter().take(NAMED).copied().collect(),
            })
            .collect();
        left_out.sort_by_key(|one| std::cmp::Reverse(one.days));
        let traded = |place: &Place| self.now.contains_key(&place.id) || side.then.contains_key(&place.id);
        let unlike = self.places.iter().zip(&side.unlike).filter(|(place, _)| traded(place));
        let unlike = unlike.filter_map(|(place, unlike)| {
            let (why, on) = (*unlike)?;
            Some(UnlikeStore { id: place.id.clone(), name: place.name.clone(), why, on })
        });
        let Span { from, to } = side.earlier;
        ComparedRange { from, to, nets: spread(side.earlier, days), left_out, unlike: unlike.collect() }
    }
}
