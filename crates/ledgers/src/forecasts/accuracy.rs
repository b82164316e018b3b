//! Forecast accuracy: forecasts against actual sales. A run is judged on the days from its first one that
//! have been imported. Closed and unknown days are ignored.

use std::collections::{BTreeMap, HashMap};

use futures::TryStreamExt;
use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Span};

use super::packed::Ahead;
use super::series::{self, Said};
use super::tally::{Day, Tally};
use crate::demand::Demand;

/// Method name of manual overrides.
pub const OVERRIDE: &str = "override";
/// The most runs of a service compared: the newest of each week first.
const MOST_RUNS: usize = 12;
/// The most runs compared in all.
const MOST_RUNS_IN_ALL: usize = 40;
/// Stores compared at once.
const STORES_AT_ONCE: usize = 16;

/// Grouping of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Series,
    Store,
    Item,
    Method,
}

/// Query parameters.
#[derive(Debug, Clone)]
pub struct AccuracyFilter {
    pub by: By,
    /// The stores to compare; `None` is all.
    pub stores: Option<Vec<String>>,
    pub root_item_id: Option<String>,
    pub method: Option<String>,
    pub service: Option<String>,
    /// Days ahead, counted from 1.
    pub ahead: std::ops::RangeInclusive<i32>,
    /// The days compared.
    pub span: Span,
}

/// Accuracy of a group of forecasts.
#[derive(Debug, Clone)]
pub struct Judged {
    pub store_id: Option<String>,
    pub root_item_id: Option<String>,
    pub method: Option<String>,
    pub days: i64,
    pub actual: f64,
    pub forecast: f64,
    pub wape: Option<f64>,
    pub bias: Option<f64>,
    pub mase: Option<f64>,
    pub coverage: Option<f64>,
}

/// A run to compare.
#[derive(Debug, Clone, larder_db::FromRow)]
struct Run {
    run_id: String,
    service: String,
    method: String,
    first_day: BusinessDay,
}

/// The runs covering a span: of two runs by the same method for the same days the later one, and of many the
/// newest per week.
async fn runs(db: &Db, span: Span, service: Option<&str>) -> Result<Vec<String>, DbError> {
    let mut query = db.sql(
        "select run_id, service, method, first_day from forecast_runs
         where finished = $1 and first_day <= $2 and first_day + horizon > $3",
    );
    query = query.bind(true).bind(span.to).bind(span.from);
    if let Some(service) = service {
        query = query.push(" and service = ").push_bind(service);
    }
    let all: Vec<Run> = query.push(" order by first_day desc, run_id desc").all().await?;
    let mut of_service: BTreeMap<(String, String), Vec<Run>> = BTreeMap::new();
    for run in all {
        let list = of_service.entry((run.service.clone(), run.method.clone())).or_default();
        if list.last().is_none_or(|last| last.first_day != run.first_day) {
            list.push(run);
        }
    }
    let mut chosen = Vec::new();
    for mut list in of_service.into_values() {
        if list.len() > MOST_RUNS {
            list.dedup_by_key(|run| run.first_day.week());
        }
        list.truncate(MOST_RUNS);
        chosen.extend(list);
    }
    chosen.sort_by(|a, b| (b.first_day, &b.run_id).cmp(&(a.first_day, &a.run_id)));
    chosen.truncate(MOST_RUNS_IN_ALL);
    Ok(chosen.into_iter().map(|run| run.run_id).collect())
}

/// Sales by store and item, one value per day; NaN if unknown.
type Sold = HashMap<(String, String), Vec<f64>>;

async fn sold(demand: &Demand, stores: &[String], span: Span) -> Result<Sold, DbError> {
    let panel = demand.panel(stores, span).await?;
    let key = |row: &crate::demand::Row<'_>| (row.store_id.to_owned(), row.root_item_id.to_owned());
    let mut sold: Sold = panel.rows().map(|row| (key(&row), row.values.to_vec())).collect();
    // An item without sales in the span sold zero on the store's open days.
    for (store, open) in panel.stores() {
        let zero = open.iter().map(|&open| if open { 0.0 } else { f64::NAN }).collect();
        sold.insert((store.to_owned(), String::new()), zero);
    }
    Ok(sold)
}

/// Accuracy by group, and the number of runs compared.
///
/// # Errors
/// If the database fails.
pub async fn judge(db: &Db, filter: &AccuracyFilter) -> Result<(Vec<Judged>, usize), DbError> {
    let runs = runs(db, filter.span, filter.service.as_deref()).await?;
    let items = filter.root_item_id.clone().map(|item| vec![item]);
    let demand = Demand::open(db, items.as_deref()).await?;
    let stores = demand.stores(filter.stores.as_deref()).await?;
    let mut tallies: HashMap<(String, String, String), Tally> = HashMap::new();
    for part in stores.chunks(STORES_AT_ONCE) {
        if runs.is_empty() {
            break;
        }
        let sold = sold(&demand, part, filter.span).await?;
        let wanted = series::Wanted {
            stores: Some(part.to_vec()),
            root_item_id: filter.root_item_id.clone(),
            like: None,
        };
        let mut said = std::pin::pin!(series::said(db, &runs, &wanted).stream::<Said>());
        while let Some(said) = said.try_next().await? {
            add(&mut tallies, filter, &sold, &said)?;
        }
        tokio::task::yield_now().await;
    }
    let judged = tallies.into_iter().map(|((store, item, method), tally)| {
        let named = |text: String| (!text.is_empty()).then_some(text);
        Judged {
            store_id: named(store),
            root_item_id: named(item),
            method: named(method),
            days: tally.days,
            actual: tally.actual,
            forecast: tally.forecast,
            wape: tally.wape(),
            bias: tally.bias(),
            mase: tally.mase(),
            coverage: tally.coverage(),
        }
    });
    Ok((judged.collect(), runs.len()))
}

/// Number of a store's items with sales outside the forecast interval.
#[derive(Debug, Clone)]
pub struct Outside {
    pub store_id: String,
    /// Items with an interval and known sales.
    pub judged: i64,
    /// Of those, above or below the interval.
    pub outside: i64,
    /// The items outside.
    pub misses: Vec<Missed>,
}

/// An item whose sales were outside the forecast interval.
#[derive(Debug, Clone)]
pub struct Missed {
    pub root_item_id: String,
    pub actual: f64,
    pub lower: f64,
    pub upper: f64,
}

/// Sales of a day against the latest full forecast made before it, by store. Empty if there is none, or sales
/// are unknown.
///
/// # Errors
/// If the database fails.
pub async fn outside(db: &Db, stores: Option<&[String]>, day: BusinessDay) -> Result<Vec<Outside>, DbError> {
    let run: Option<(String,)> = db
        .sql(
            "select run_id from forecast_runs where finished = $1 and whole = $1 and first_day <= $2
               and first_day + horizon > $2 order by first_day desc, run_id desc limit 1",
        )
        .bind(true)
        .bind(day)
        .optional()
        .await?;
    let Some((run,)) = run else { return Ok(Vec::new()) };
    let span = Span { from: day, to: day };
    let demand = Demand::open(db, None).await?;
    let stores = demand.stores(stores).await?;
    let sold = sold(&demand, &stores, span).await?;
    let wanted = series::Wanted { stores: Some(stores), root_item_id: None, like: None };
    let runs = [run];
    let mut said = std::pin::pin!(series::said(db, &runs, &wanted).stream::<Said>());
    let mut of_store: BTreeMap<String, Outside> = BTreeMap::new();
    while let Some(said) = said.try_next().await? {
        let Some(actual) = actual_of(&sold, &said.store_id, &said.root_item_id) else { continue };
        for compared in days(span, &(1..=i32::MAX), actual, &said)? {
            let Some((lower, upper)) = compared.day.bounds.filter(|_| compared.replaced.is_none()) else {
                continue;
            };
            let one = of_store.entry(said.store_id.clone()).or_insert_with(|| Outside {
                store_id: said.store_id.clone(),
                judged: 0,
                outside: 0,
                misses: Vec::new(),
            });
            one.judged += 1;
            let actual = compared.day.actual;
            if actual < lower || actual > upper {
                one.outside += 1;
                let root_item_id = said.root_item_id.clone();
                one.misses.push(Missed { root_item_id, actual, lower, upper });
            }
        }
    }
    Ok(of_store.into_values().collect())
}

fn actual_of<'a>(sold: &'a Sold, store: &str, item: &str) -> Option<&'a Vec<f64>> {
    let of = |item: &str| sold.get(&(store.to_owned(), item.to_owned()));
    of(item).or_else(|| of(""))
}

fn add(
    tallies: &mut HashMap<(String, String, String), Tally>,
    filter: &AccuracyFilter,
    sold: &Sold,
    said: &Said,
) -> Result<(), DbError> {
    let Some(actual) = actual_of(sold, &said.store_id, &said.root_item_id) else { return Ok(()) };
    let mut mine = Tally::default();
    let mut instead = Tally::default();
    for day in days(filter.span, &filter.ahead, actual, said)? {
        match day.replaced {
            Some(forecast) => {
                instead.add(Day { forecast, bounds: None, ..day.day });
                if filter.by == By::Method {
                    mine.add(day.day);
                }
            }
            None => mine.add(day.day),
        }
    }
    let of_method = |method: &str| filter.method.as_deref().is_none_or(|wanted| wanted == method);
    for (method, tally) in [(said.method.as_str(), mine), (OVERRIDE, instead)] {
        if tally.days == 0 || !of_method(method) {
            continue;
        }
        let key = match filter.by {
            By::Series => (said.store_id.clone(), said.root_item_id.clone(), String::new()),
            By::Store => (said.store_id.clone(), String::new(), String::new()),
            By::Item => (String::new(), said.root_item_id.clone(), String::new()),
            By::Method => (String::new(), String::new(), method.to_owned()),
        };
        tallies.entry(key).or_default().join(&tally);
    }
    Ok(())
}

/// A day to compare.
struct Compared {
    at: usize,
    day: Day,
    /// The manual override.
    replaced: Option<f64>,
}

fn days(
    span: Span,
    ahead: &std::ops::RangeInclusive<i32>,
    actual: &[f64],
    said: &Said,
) -> Result<Vec<Compared>, DbError> {
    let figures = Ahead::unpack(&said.packed)?;
    let mut found = Vec::new();
    for (step, forecast) in figures.forecast.iter().enumerate() {
        let day = said.first_day.plus(step as i32);
        if !ahead.contains(&(step as i32 + 1)) || day < span.from || day > span.to {
            continue;
        }
        let Ok(at) = usize::try_from(day.0 - span.from.0) else { continue };
        let Some(actual) = actual.get(at).copied().filter(|actual| !actual.is_nan()) else { continue };
        let bounds = figures.lower.as_ref().zip(figures.upper.as_ref());
        found.push(Compared {
            at,
            day: Day {
                // As in the methods: more returns than sales count as no demand.
                actual: actual.max(0.0),
                forecast: *forecast,
                bounds: bounds.and_then(|(lower, upper)| Some((*lower.get(step)?, *upper.get(step)?))),
                scale: said.scale,
            },
            replaced: said.replaced.as_ref().and_then(|it| it.0.get(step).copied().flatten()),
        });
    }
    Ok(found)
}

/// A series day by day: sales, and the latest forecast made before each day.
#[derive(Debug, Clone, Default)]
pub struct Line {
    pub actual: Vec<Option<f64>>,
    pub forecast: Vec<Option<f64>>,
    pub lower: Vec<Option<f64>>,
    pub upper: Vec<Option<f64>>,
    /// Empty without a forecast.
    pub method: Vec<String>,
}

/// A series for the chart.
///
/// # Errors
/// If the database fails.
pub async fn line(db: &Db, filter: &AccuracyFilter, store: &str, item: &str) -> Result<Line, DbError> {
    let runs = runs(db, filter.span, filter.service.as_deref()).await?;
    let (store, item) = (store.to_owned(), item.to_owned());
    let demand = Demand::open(db, Some(std::slice::from_ref(&item))).await?;
    let stores = vec![store.clone()];
    let sold = sold(&demand, &stores, filter.span).await?;
    let actual = actual_of(&sold, &store, &item).cloned().unwrap_or_default();
    let length = usize::try_from(filter.span.days()).unwrap_or(0);
    let mut line = Line {
        actual: actual.iter().map(|it| (!it.is_nan()).then_some(*it)).collect(),
        forecast: vec![None; length],
        lower: vec![None; length],
        upper: vec![None; length],
        method: vec![String::new(); length],
    };
    let wanted = series::Wanted { stores: Some(stores), root_item_id: Some(item), like: None };
    let mut said: Vec<Said> = series::said(db, &runs, &wanted).all().await?;
    // Newest last, so that it wins.
    said.sort_by(|a, b| (a.first_day, &a.run_id).cmp(&(b.first_day, &b.run_id)));
    let known = vec![0.0; length];
    for said in &said {
        for day in days(filter.span, &filter.ahead, &known, said)? {
            let at = day.at;
            line.forecast[at] = Some(day.replaced.unwrap_or(day.day.forecast));
            let bounds = day.day.bounds.filter(|_| day.replaced.is_none());
            (line.lower[at], line.upper[at]) = bounds.unzip();
            line.method[at] = if day.replaced.is_some() { OVERRIDE.to_owned() } else { said.method.clone() };
        }
    }
    Ok(line)
}
