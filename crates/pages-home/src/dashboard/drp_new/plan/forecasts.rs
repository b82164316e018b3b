//! Expected demand of root items in a store: the planner's only source of forecasts.
//!
//! Uses the latest run of the advanced forecast if it is at most three days old, with manual overrides.
//! Without a run, for a series missing from it, and where a rule names another method, it is computed here
//! from the past year's sales: by that method, else as the weekday average.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::opening_days::OpeningDays;
use larder_domain::{BusinessDay, Span};
use larder_planning::demand::clean_into;
use larder_planning::method::{Input, Method, Workspace};
use larder_planning::outlook::{Ask as Outlook, outlook};
use larder_planning::replenish::{Safety, quantile};
use larder_planning::short::History;
use larder_planning::{Refusal, errors};

use larder_ledgers::demand::Demand;
use larder_ledgers::forecasts::overrides;
use larder_ledgers::forecasts::overrides::Override;
use larder_ledgers::forecasts::runs;
use larder_ledgers::forecasts::runs::ForecastRun;
use larder_ledgers::forecasts::series;
use larder_ledgers::forecasts::series::KeptSeries;

/// The scheduled calculation that supplies forecasts.
const SERVICE: &str = "advanced-forecast";
/// Maximum age of a run, in days.
const RUN_DAYS: i32 = 3;
/// Days of sales history used.
const HISTORY_DAYS: i32 = 364;
/// Coverage of prediction intervals; not used by the planner itself.
const LEVEL: f64 = 0.8;

/// The forecast required for a root item.
#[derive(Debug, Clone)]
pub struct Ask {
    pub root_item_id: String,
    /// The days that the order has to last, estimated ones included: the safety stock covers them.
    pub days: usize,
    /// Days to forecast, at least `days`.
    pub horizon: usize,
    /// Share of cover periods without a stock-out.
    pub service_level: f64,
    /// Overrides the default method.
    pub method: Option<Method>,
}

/// The forecast in the root item's unit, to six decimals.
#[derive(Debug, Clone)]
pub struct Expected {
    /// One value per day.
    pub daily: Vec<f64>,
    /// Days before them whose sales are missing, though later ones are known.
    pub missed: Vec<(BusinessDay, f64)>,
    pub method: String,
    /// Σ|error| ÷ Σ sold over past days.
    pub wape: Option<f64>,
    pub safety_stock: f64,
    pub safety: Safety,
    /// The method whose errors the safety stock covers.
    pub safety_method: String,
    /// The days that the safety stock covers, and the open ones among them.
    pub covered: (usize, usize),
}

/// Source of forecasts.
pub struct Forecasts {
    db: Db,
    demand: Demand,
    run: Option<ForecastRun>,
}

/// By root item; items never sold in the store are missing.
pub type OfStore = HashMap<String, Result<Expected, Refusal>>;

/// A store's forecasts from a run, with later manual overrides.
struct Said {
    first_day: BusinessDay,
    series: HashMap<String, KeptSeries>,
    overrides: Vec<Override>,
}

impl Forecasts {
    /// The forecast run to use for a plan of this day; `None` if there is none or it is too old.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn newest(db: &Db, day: BusinessDay) -> Result<Option<String>, DbError> {
        let run = runs::latest(db, SERVICE).await?;
        let run = run.filter(|run| run.made_on >= day.plus(-RUN_DAYS) && run.made_on <= day);
        Ok(run.map(|run| run.run_id))
    }

    /// Forecasts of the given run; computed here without one.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn open(db: &Db, run_id: Option<&str>) -> Result<Self, DbError> {
        let run = match run_id {
            Some(id) => runs::find(db, id).await?,
            None => None,
        };
        Ok(Self { db: db.clone(), demand: Demand::open(db, None).await?, run })
    }

    /// Expected demand in a store from `first` on, based on sales before. Closed days are 0, unless a user set the day
    /// by hand. `missed`: earlier days to estimate as well.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn of_store(
        &self,
        store_id: &str,
        first: BusinessDay,
        asks: Vec<Ask>,
        opening: OpeningDays,
        missed: Vec<BusinessDay>,
    ) -> Result<OfStore, DbError> {
        let last = first.plus(-1);
        let span = Span { from: last.plus(1 - HISTORY_DAYS), to: last };
        let panel = self.demand.panel(&[store_id.to_owned()], span).await?;
        let said =
            self.said(store_id, missed.first().map_or(first, |day| first.min(*day)), first, &asks).await?;
        let made = tokio::task::spawn_blocking(move || {
            let mut made = OfStore::new();
            let mut ws = Workspace::default();
            let rows: HashMap<&str, _> = panel.rows().map(|row| (row.root_item_id, row)).collect();
            for ask in asks {
                let Some(row) = rows.get(ask.root_item_id.as_str()) else { continue };
                let mut expected = expected(span.from, row.values, &ask, &opening, &mut ws);
                if ask.method.is_none()
                    && let Some(said) = &said
                {
                    expected = said.instead_of(expected, first, &ask, &opening);
                }
                let expected = expected.map(|expected| {
                    let missed = on_weekdays(&expected.daily, first, &missed);
                    overridden(Expected { missed, ..expected }, said.as_ref(), first, &ask)
                });
                made.insert(ask.root_item_id, expected);
            }
            made
        });
        made.await.map_err(|error| DbError::Invalid(error.to_string()))
    }

    /// Sold on one day in a store, by root item.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn sold_on(&self, store_id: &str, day: BusinessDay) -> Result<HashMap<String, f64>, DbError> {
        let panel = self.demand.panel(&[store_id.to_owned()], Span { from: day, to: day }).await?;
        let sold = panel.rows().map(|row| (row.root_item_id.to_owned(), row.values.iter().sum::<f64>()));
        Ok(sold.filter(|(_, sold)| sold.is_finite()).collect())
    }

    /// `since`: the first day of which manual overrides are needed.
    async fn said(
        &self,
        store_id: &str,
        since: BusinessDay,
        first: BusinessDay,
        asks: &[Ask],
    ) -> Result<Option<Said>, DbError> {
        let stores = [store_id.to_owned()];
        let days = asks.iter().map(|ask| ask.horizon).max().unwrap_or(1);
        let span = Span { from: since, to: first.plus(i32::try_from(days).unwrap_or(0)) };
        let overrides = overrides::of_stores(&self.db, &stores, span).await?;
        let (first_day, series) = match &self.run {
            Some(run) => (run.first_day, series::of_stores(&self.db, &run.run_id, &stores).await?),
            None if overrides.is_empty() => return Ok(None),
            None => (first, Vec::new()),
        };
        let series = series.into_iter().map(|series| (series.root_item_id.clone(), series)).collect();
        Ok(Some(Said { first_day, series, overrides }))
    }
}

impl Said {
    /// The run's forecast, if any; days beyond its horizon repeat the preceding week.
    fn instead_of(
        &self,
        own: Result<Expected, Refusal>,
        first: BusinessDay,
        ask: &Ask,
        opening: &OpeningDays,
    ) -> Result<Expected, Refusal> {
        let Some(series) = self.series.get(&ask.root_item_id).filter(|series| !series.method.is_empty())
        else {
            return own;
        };
        let Ok(ahead) = series.ahead() else { return own };
        if ahead.forecast.is_empty() {
            return own;
        }
        let begins = first.0 - self.first_day.0;
        let mut daily: Vec<f64> = Vec::with_capacity(ask.horizon);
        for nth in 0..ask.horizon {
            let at = i32::try_from(nth).ok().and_then(|nth| usize::try_from(nth + begins).ok());
            let said = at.and_then(|at| ahead.forecast.get(at)).copied();
            let week_before = || nth.checked_sub(7).and_then(|before| daily.get(before)).copied();
            let of_own = || own.as_ref().ok().and_then(|own| own.daily.get(nth)).copied();
            let day = said.or_else(week_before).or_else(of_own).unwrap_or(series.per_day);
            daily.push(to_millionth(day.max(0.0)));
        }
        opening.close(&mut daily, first);
        let (safety, safety_stock, safety_method) = match own {
            Ok(own) => (own.safety, own.safety_stock, own.safety_method),
            // Not enough history for empirical errors: assume a Poisson process.
            Err(_) => {
                let z = quantile(ask.service_level).unwrap_or_default();
                let safety = Safety::Normal { z, sigma: series.per_day.max(0.0).sqrt() };
                let days = opening.open_days(first, ask.days);
                (safety, to_millionth(safety.over(days)), String::new())
            }
        };
        Ok(Expected {
            covered: (ask.days, opening.open_days(first, ask.days)),
            daily,
            missed: Vec::new(),
            method: series.method.clone(),
            wape: series.wape,
            safety_stock,
            safety,
            safety_method,
        })
    }
}

/// Days before the forecast, each as its first day of the same weekday.
fn on_weekdays(daily: &[f64], first: BusinessDay, days: &[BusinessDay]) -> Vec<(BusinessDay, f64)> {
    let of_day = |day: &BusinessDay| {
        let at = usize::try_from((day.0 - first.0).rem_euclid(7)).ok()?;
        Some((*day, *daily.get(at)?))
    };
    days.iter().filter_map(of_day).collect()
}

/// Applies manual overrides of single days.
fn overridden(mut expected: Expected, said: Option<&Said>, first: BusinessDay, ask: &Ask) -> Expected {
    let instead = |first: BusinessDay, days: usize| {
        let of_item = said
            .into_iter()
            .flat_map(|said| &said.overrides)
            .filter(|entered| entered.root_item_id == ask.root_item_id);
        overrides::replaced(of_item, first, days).unwrap_or_default()
    };
    for (day, used) in &mut expected.missed {
        if let Some(Some(instead)) = instead(*day, 1).first() {
            *used = to_millionth(instead.max(0.0));
        }
    }
    let mut changed = false;
    for (day, instead) in expected.daily.iter_mut().zip(instead(first, ask.horizon)) {
        if let Some(instead) = instead {
            *day = to_millionth(instead.max(0.0));
            changed = true;
        }
    }
    if changed {
        expected.method.push_str(", with days set by hand");
    }
    expected
}

/// Forecasts one series.
fn expected(
    from: BusinessDay,
    raw: &[f64],
    ask: &Ask,
    opening: &OpeningDays,
    ws: &mut Workspace,
) -> Result<Expected, Refusal> {
    let (mut y, mut masked) = (Vec::new(), Vec::new());
    let before = clean_into(raw.iter().copied(), &mut y, &mut masked)?;
    let first_day = from.0 + i32::try_from(before).unwrap_or(0);
    let input = Input { masked: &masked, ..Input::new(&y, first_day) };
    let known = input.known();
    let short = History::of(known).method(known)?;
    let method = short.unwrap_or(ask.method.unwrap_or(Method::DowAverage));
    let question = Outlook {
        method,
        horizon: ask.horizon,
        level: LEVEL,
        protect: Some((ask.days, ask.service_level)),
        opening: Some(opening),
    };
    let found = outlook(&input, &question, ws)?;
    let safety = match found.shortfall {
        Some(stock) => Safety::Quantile(stock),
        None => Safety::Normal {
            z: quantile(ask.service_level).unwrap_or_default(),
            sigma: deviation(&y, &masked),
        },
    };
    let first = from.plus(i32::try_from(raw.len()).unwrap_or(0));
    let covered = (ask.days, opening.open_days(first, ask.days));
    Ok(Expected {
        covered,
        daily: found.forecast.into_iter().map(to_millionth).collect(),
        missed: Vec::new(),
        method: found.method.to_string(),
        wape: found.errors.wape,
        safety_stock: to_millionth(safety.over(covered.1)),
        safety,
        safety_method: found.method.to_string(),
    })
}

/// Standard deviation of the unmasked days.
fn deviation(y: &[f64], masked: &[bool]) -> f64 {
    let known =
        || y.iter().enumerate().filter(|(t, _)| !errors::is_masked(masked, *t)).map(|(_, value)| *value);
    let count = known().count() as f64;
    if count < 2.0 {
        return 0.0;
    }
    let mean = known().sum::<f64>() / count;
    (known().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()
}

/// Rounds to the precision of a quantity, so that later sums are exact.
fn to_millionth(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
