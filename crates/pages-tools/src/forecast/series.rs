//! A series of a run, for its chart.

use axum::extract::State;
use larder_domain::{BusinessDay, Span};
use larder_planning::demand::clean_into;
use larder_planning::events::{Kind as Learned, learn};
use larder_planning::method::Input;

use super::kinds::{self, Kind};
use super::model::{Candidate, ErrorFigures, Override, Series, SeriesEvent, SeriesQuery};
use larder_ledgers::demand::Demand;
use larder_ledgers::forecasts::events::Calendar;
use larder_ledgers::forecasts::overrides;
use larder_ledgers::forecasts::runs;
use larder_ledgers::forecasts::runs::ForecastRun;
use larder_ledgers::forecasts::series;
use larder_ledgers::forecasts::series::KeptSeries;
use larder_ledgers::store_items::root_units;
use larder_platform::AppState;
use larder_platform::calculations;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// A store and item of a run: sales, forecast, and its basis.
#[utoipa::path(get, path = "/api/tools/services/{service}/runs/{id}/series", tag = "forecasts",
    params(("service" = String, Path), ("id" = String, Path), SeriesQuery),
    responses((status = 200, body = Series)))]
pub(crate) async fn get_forecast_series(
    State(state): State<AppState>,
    who: Who,
    Path((service, id)): Path<(String, String)>,
    Query(query): Query<SeriesQuery>,
) -> ApiResult<Json<Series>> {
    let kind = kinds::of(&service)?;
    calculations::find(&state, &who, &service, &id).await?;
    who.check_store(&query.store_id)?;
    let none = || ApiError::not_found("series");
    let run = runs::find(&state.db, &id).await?.ok_or_else(none)?;
    let kept = series::find(&state.db, &id, &query.store_id, &query.root_item_id).await?.ok_or_else(none)?;
    Ok(Json(shown(&state, kind, &run, kept).await?))
}

async fn shown(state: &AppState, kind: Kind, run: &ForecastRun, kept: KeptSeries) -> ApiResult<Series> {
    let db = &state.db;
    let horizon = usize::try_from(run.horizon).unwrap_or(0);
    let to = run.first_day.plus(i32::try_from(horizon).unwrap_or(0) - 1);
    let span = Span { from: run.history_from, to };
    let (stores, items) = ([kept.store_id.clone()], [kept.root_item_id.clone()]);
    let demand = match kind.source {
        Some(source) => Demand::of_source(db, Some(&items), source).await?,
        None => Demand::open(db, Some(&items)).await?,
    };
    let panel = demand.panel(&stores, span).await?;
    let days = usize::try_from(span.days()).unwrap_or(0);
    let values = panel.rows().next().map_or_else(|| vec![f64::NAN; days], |row| row.values.to_vec());
    // Days before the first known sales are left out.
    let history = days - horizon;
    let begins = values[..history].iter().position(|it| !it.is_nan()).unwrap_or(history);
    let ahead = kept.ahead()?;
    let line = |figures: Option<&Vec<f64>>| -> Vec<Option<f64>> {
        let said = (0..horizon).map(|at| figures.and_then(|it| it.get(at).copied()));
        std::iter::repeat_n(None, history - begins).chain(said).collect()
    };
    let calendar = Calendar::read(db, span).await?;
    let entered = overrides::Wanted {
        stores: Some(stores.to_vec()),
        root_item_id: Some(kept.root_item_id.clone()),
        span: Some(Span { from: run.first_day, to }),
    };
    let entered = overrides::page(db, &entered, (200, 0)).await?;
    let events = events(kind, run, &kept, &calendar, &values[..history]);
    let details = kept.details.0;
    Ok(Series {
        unit: root_units(db).await?.remove(&kept.root_item_id),
        dates: (begins..days).map(|at| span.from.plus(i32::try_from(at).unwrap_or(0))).collect(),
        actual: values[begins..].iter().map(|it| (!it.is_nan()).then_some(*it)).collect(),
        masked: (begins..days).map(|at| at < history && values[at].is_nan()).collect(),
        forecast: line(Some(&ahead.forecast)),
        lower: line(ahead.lower.as_ref()),
        upper: line(ahead.upper.as_ref()),
        level: run.level,
        method: kept.method,
        klass: kept.klass,
        errors: (details.origins > 0).then_some(ErrorFigures {
            wape: kept.wape,
            bias: kept.bias,
            mase: kept.mase,
            rmsse: details.rmsse,
            coverage: kept.coverage,
            origins: details.origins,
        }),
        candidates: details.candidates.into_iter().map(|(method, wape)| Candidate { method, wape }).collect(),
        events,
        overrides: entered.into_iter().map(Override::from).collect(),
        note: kept.note,
        store_id: kept.store_id,
        root_item_id: kept.root_item_id,
    })
}

/// Events of the forecast days and the eight weeks before, with their factors for this series.
fn events(
    kind: Kind,
    run: &ForecastRun,
    kept: &KeptSeries,
    calendar: &Calendar,
    raw: &[f64],
) -> Vec<SeriesEvent> {
    let horizon = usize::try_from(run.horizon).unwrap_or(0);
    let days = calendar.days(&kept.store_id, run.history_from, run.first_day, horizon, kind.events);
    let (mut y, mut masked, mut base) = (Vec::new(), Vec::new(), Vec::new());
    let factors = days.events.as_ref().and_then(|events| {
        let skipped = clean_into(raw.iter().copied(), &mut y, &mut masked).ok()?;
        let first = run.history_from.0 + i32::try_from(skipped).ok()?;
        let input = Input { masked: &masked, ..Input::new(&y, first) };
        Some(learn(&input, events, &mut base))
    });
    let learned = |of: &str| {
        let kind = match of {
            "payday" => Learned::Payday,
            "holiday" => Learned::Holiday,
            "promotion" => Learned::Promo,
            _ => return None,
        };
        factors.as_ref().map(|factors| factors.of(kind))
    };
    let from = run.first_day.plus(-56);
    let to = run.first_day.plus(i32::try_from(horizon).unwrap_or(0) - 1);
    let mut shown = Vec::new();
    for event in calendar.of(&kept.store_id) {
        for day in event.from.0.max(from.0)..=event.to.0.min(to.0) {
            let set = usize::try_from(day - run.first_day.0)
                .ok()
                .and_then(|at| days.set.get(at).copied().flatten());
            let factor = set.or_else(|| learned(&event.kind));
            shown.push(SeriesEvent { date: BusinessDay(day), name: event.name.clone(), factor });
        }
    }
    shown.sort_by(|a, b| (a.date, &a.name).cmp(&(b.date, &b.name)));
    shown
}
