//! `/reports/store-scorecard`: stores ranked by productivity, each against the median of its group.

use std::collections::BTreeMap;

use larder_domain::decimal::div_round;
use larder_domain::{BusinessDay, Money, Span};
use serde::Serialize;
use utoipa::ToSchema;

use super::score_parts::{Known, Lacks, Sums};
use super::store_rows::{self, ByStore, NamedStore, StoreRows};
use larder_engines::reports::figures::{share, too_large};
use larder_engines::reports::gaps::StoreGap;
use larder_engines::reports::queries::without_sales;
use larder_engines::reports::worths::pesos;
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Minimum number of stores for a median; with fewer it would reveal a single store.
const LEAST_STORES: usize = 3;

/// Ranking figures; null if required data is missing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScoreFigures {
    /// Net sales per m² of floor area.
    pub per_m2: Option<Money>,
    /// Net sales per seat.
    pub per_seat: Option<Money>,
    /// Net sales per receipt.
    pub ticket: Option<Money>,
    /// Share of due counts taken in time, 0 to 1.
    pub count_compliance: Option<f64>,
    /// Share of the ordered quantity received on completed orders, averaged over lines, 0 to 1.
    pub fill_rate: Option<f64>,
    /// WAPE of seven-day forecasts.
    pub forecast_error: Option<f64>,
    /// Waste as a share of net sales.
    pub waste_share: Option<f64>,
    /// Value of the counted surplus; negative for a shortage.
    pub variance: Option<Money>,
}

/// A store, an area, a region or a format.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScoreRow {
    pub id: String,
    pub name: String,
    /// Its stores.
    pub store_ids: Vec<String>,
    /// The operational area of a store.
    pub area: Option<String>,
    /// The format of a store.
    pub format: Option<String>,
    pub net: Money,
    /// Number of receipts.
    pub receipts: i64,
    /// Of these, with at least one item sold and not voided. The average ticket is their net sales without returns.
    pub tickets: i64,
    /// Waste.
    pub waste: Money,
    #[serde(flatten)]
    pub figures: ScoreFigures,
}

/// Median of a group of stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScoreMedian {
    /// `all` stores in the response, those of an `area` or of a `format`.
    pub of: MedianOf,
    /// Name of the area or format; empty for all.
    pub name: String,
    /// Number of stores.
    pub stores: usize,
    /// The median of each figure; null if fewer than three stores have it.
    #[serde(flatten)]
    pub figures: ScoreFigures,
}

/// Group of a median.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MedianOf {
    All,
    Area,
    Format,
}

/// Data that some stores lack.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScoreGap {
    pub lacks: Lacks,
    pub stores: Vec<NamedStore>,
}

/// Stores with their figures.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scorecard {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// Largest net sales first.
    pub items: Vec<ScoreRow>,
    /// All stores.
    pub total: ScoreRow,
    /// Medians of the stores in this response only.
    pub medians: Vec<ScoreMedian>,
    /// Missing data, with the stores.
    pub gaps: Vec<ScoreGap>,
    /// Number of waste lines without a price, excluded from all totals.
    pub waste_without_price: i64,
    /// Stores with open days without sales, up to yesterday.
    pub stores_without_sales: Vec<StoreGap>,
}

/// Report definition.
pub struct StoreScorecard;

impl Report for StoreScorecard {
    const NAME: &'static str = "store-scorecard";
    const SUMMARY: &'static str =
        "Stores by sales for their room, ticket, counts, supply, waste and variance.";
    /// One quarter.
    const MOST_DAYS: i32 = 92;
    type Params = ByStore;
    type ExportParams = NoParams;
    type Answer = Scorecard;

    async fn answer(state: &AppState, question: &Question, params: &ByStore) -> ApiResult<Scorecard> {
        let known = Known::read(state, question).await?;
        let mut items = Vec::new();
        for row in store_rows::rows(&known.places, params.by) {
            let sums = known.sums(&row.stores)?;
            if !sums.is_empty() {
                items.push(score_row(&known, &row, &sums, params.by == StoreRows::Store)?);
            }
        }
        items.sort_by(|a, b| b.net.cmp(&a.net).then_with(|| a.name.cmp(&b.name)));
        let all = store_rows::all(&known.places);
        Ok(Scorecard {
            from: question.span.from,
            to: question.span.to,
            items,
            total: score_row(&known, &all, &known.sums(&all.stores)?, false)?,
            medians: medians(&known)?,
            gaps: gaps(&known)?,
            waste_without_price: known.waste_without_price,
            stores_without_sales: without_sales(&state.db, question).await?,
        })
    }

    fn sheet(report: &Scorecard, params: &ByStore, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, ScoreRow>;
        let mut columns = vec![Col::text(params.by.word(), 24, |row| row.name.clone())];
        if params.by == StoreRows::Store {
            columns.push(Col::text("Area", 16, |row| row.area.clone()));
            columns.push(Col::text("Format", 20, |row| row.format.clone()));
        }
        columns.extend([
            Col::money("Net sales", 14, |row| row.net),
            Col::count("Receipts", 10, |row| row.receipts),
            Col::count("Tickets", 10, |row| row.tickets),
            Col::price("Net sales a m²", 12, |row| row.figures.per_m2),
            Col::price("Net sales a seat", 12, |row| row.figures.per_seat),
            Col::price("Average ticket", 12, |row| row.figures.ticket),
            Col::share("Counts in time", 12, |row| row.figures.count_compliance),
            Col::share("Fill rate", 12, |row| row.figures.fill_rate),
            Col::share("Forecast error (WAPE)", 12, |row| row.figures.forecast_error),
            Col::money("Waste", 14, |row| row.waste),
            Col::share("Waste, of net sales", 12, |row| row.figures.waste_share),
            Col::money("Variance (PHP)", 14, |row| row.figures.variance),
        ]);
        let span = Span { from: report.from, to: report.to };
        Ok(Sheet::of_whole(span, &report.items, &report.total, columns))
    }
}

fn score_row(known: &Known, row: &store_rows::Row, sums: &Sums, one: bool) -> ApiResult<ScoreRow> {
    let place = row.stores.first().and_then(|at| known.places.get(*at)).filter(|_| one);
    Ok(ScoreRow {
        id: row.id.clone(),
        name: row.name.clone(),
        store_ids: row.ids(&known.places),
        area: place.and_then(|place| place.area.clone()),
        format: place.and_then(|place| place.format.clone()),
        net: sums.net,
        receipts: sums.tickets.receipts,
        tickets: sums.tickets.tickets,
        waste: sums.waste,
        figures: figures(sums)?,
    })
}

/// The figures from sums; `None` if the base is incomplete.
fn figures(sums: &Sums) -> ApiResult<ScoreFigures> {
    let each = |net: Money, of: i64, scale: i128| match of {
        0 => Ok(None),
        of => div_round(i128::from(net.0) * scale, i128::from(of))
            .map(|net| Some(Money(net)))
            .ok_or_else(too_large),
    };
    Ok(ScoreFigures {
        per_m2: each(sums.net_on_floor, sums.floor.0, 1_000_000)?,
        per_seat: each(sums.net_on_seats, sums.seats, 1)?,
        ticket: sums.tickets.average(),
        count_compliance: share(sums.counts_in_time, sums.counts_due),
        fill_rate: share(sums.shares_received, sums.lines_ordered),
        forecast_error: (sums.actual > 0.0).then(|| rounded(sums.missed / sums.actual)),
        waste_share: share(sums.waste_of_sales, sums.net),
        variance: pesos(sums.variance)?,
    })
}

fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// Medians of all stores, and by area and format.
fn medians(known: &Known) -> ApiResult<Vec<ScoreMedian>> {
    let mut groups: BTreeMap<(MedianOf, String), Vec<ScoreFigures>> = BTreeMap::new();
    for (at, place) in known.places.iter().enumerate() {
        let sums = known.sums(&[at])?;
        if sums.is_empty() {
            continue;
        }
        let figures = figures(&sums)?;
        let of = [
            Some((MedianOf::All, String::new())),
            place.area.clone().map(|area| (MedianOf::Area, area)),
            place.format.clone().map(|format| (MedianOf::Format, format)),
        ];
        for key in of.into_iter().flatten() {
            groups.entry(key).or_default().push(figures.clone());
        }
    }
    let median = |((of, name), stores): ((MedianOf, String), Vec<ScoreFigures>)| ScoreMedian {
        of,
        name,
        stores: stores.len(),
        figures: middle(&stores),
    };
    Ok(groups.into_iter().map(median).collect())
}

fn middle(stores: &[ScoreFigures]) -> ScoreFigures {
    let money = |of: fn(&ScoreFigures) -> Option<Money>| {
        let mut known: Vec<i64> = stores.iter().filter_map(of).map(|one| one.0).collect();
        known.sort_unstable();
        let (low, high) = around(&known)?;
        div_round(i128::from(low) + i128::from(high), 2).map(Money)
    };
    let part = |of: fn(&ScoreFigures) -> Option<f64>| {
        let mut known: Vec<f64> = stores.iter().filter_map(of).collect();
        known.sort_by(f64::total_cmp);
        around(&known).map(|(low, high)| rounded(f64::midpoint(low, high)))
    };
    ScoreFigures {
        per_m2: money(|one| one.per_m2),
        per_seat: money(|one| one.per_seat),
        ticket: money(|one| one.ticket),
        count_compliance: part(|one| one.count_compliance),
        fill_rate: part(|one| one.fill_rate),
        forecast_error: part(|one| one.forecast_error),
        waste_share: part(|one| one.waste_share),
        variance: money(|one| one.variance),
    }
}

/// The two middle values, or the single one twice; `None` if there are too few.
fn around<T: Copy>(sorted: &[T]) -> Option<(T, T)> {
    let n = sorted.len();
    (n >= LEAST_STORES).then(|| (sorted[(n - 1) / 2], sorted[n / 2]))
}

fn gaps(known: &Known) -> ApiResult<Vec<ScoreGap>> {
    let mut gaps = Vec::new();
    for lacks in Lacks::ALL {
        let mut stores = Vec::new();
        for (at, place) in known.places.iter().enumerate() {
            let sums = known.sums(&[at])?;
            if !sums.is_empty() && lacks.holds(place, &sums) {
                stores.push(NamedStore::from(place));
            }
        }
        if !stores.is_empty() {
            gaps.push(ScoreGap { lacks, stores });
        }
    }
    Ok(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_needs_three_stores() {
        let of = |ticket| ScoreFigures { ticket: Some(Money(ticket)), ..ScoreFigures::default() };
        assert_eq!(middle(&[of(1), of(9)]).ticket, None);
        assert_eq!(middle(&[of(9), of(1), of(4)]).ticket, Some(Money(4)));
        assert_eq!(middle(&[of(9), of(1), of(4), of(5)]).ticket, Some(Money(5)), "4.5 away from zero");
        assert_eq!(middle(&[of(9), of(1), of(4)]).per_m2, None);
    }
}
