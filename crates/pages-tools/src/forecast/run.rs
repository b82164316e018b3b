//! Runs a forecast service: store by store, on all processors, resuming from the checkpoint.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use larder_db::{Json, Tx};
use larder_domain::{BusinessDay, Span};
use larder_planning::method::Workspace;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::kinds::{Kind, level_of};
use larder_ledgers::demand::{Demand, Panel};
use larder_ledgers::forecasts::events::Calendar;
use larder_ledgers::forecasts::make::{Days, Spec, make};
use larder_ledgers::forecasts::night::Night;
use larder_ledgers::forecasts::runs;
use larder_ledgers::forecasts::runs::ForecastRun;
use larder_ledgers::forecasts::series;
use larder_ledgers::forecasts::series::KeptSeries;
use larder_ledgers::forecasts::{VERSION, overrides};
use larder_platform::calculations::{Failed, Failures, Outcome, Work};
use larder_platform::jobs::JobError;

/// An item without sales for this many days is not forecast.
const GONE_DAYS: usize = 56;
/// If the last sales are older than this, the forecast starts after them instead of today.
const LATE_DAYS: i32 = 14;
/// Number of runs pruned per transaction.
const PRUNED_AT_ONCE: i64 = 3;

/// Progress of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    /// First and last day of the history, fixed when the run started.
    days: Option<(i32, i32)>,
    /// Stores up to this id are done; stores are processed by id.
    last_store: String,
    stores: usize,
    series: i64,
    forecast: i64,
    short: i64,
    gone: i64,
    failures: Failures,
}

/// The store being processed.
struct StoreWork {
    panel: Panel,
    days: Days,
    night: Arc<Night>,
    spec: Spec,
    run_id: String,
}

/// The result for a store.
#[derive(Default)]
struct StoreDone {
    series: Vec<KeptSeries>,
    failed: Vec<Failed>,
    gone: i64,
}

/// Runs a forecast service.
pub(super) async fn run(work: Work, kind: Kind) -> Result<Outcome, JobError> {
    let (db, asked) = (work.state().db.clone(), work.asked().clone());
    let spec = Spec {
        method: kind.method_of(&asked)?,
        horizon: usize::try_from(asked.horizon.unwrap_or(kind.horizon)).unwrap_or(14),
        level: level_of(&asked)?,
    };
    let items = asked.item_ids.as_deref();
    let demand = match kind.source {
        Some(source) => Demand::of_source(&db, items, source).await?,
        None => Demand::open(&db, items).await?,
    };
    let mut progress: Progress = work.checkpoint().unwrap_or_default();
    let (from, to) = match progress.days {
        Some((from, to)) => (BusinessDay(from), BusinessDay(to)),
        None => span_of(&work, &demand, kind).await?,
    };
    progress.days = Some((from.0, to.0));
    let first_day = to.plus(1);
    let head = ForecastRun {
        run_id: work.run_id().to_owned(),
        service: kind.service.to_owned(),
        method: spec.method.to_string(),
        version: VERSION.to_owned(),
        made_on: work.day(),
        history_from: from,
        first_day,
        horizon: spec.horizon as i64,
        level: spec.level,
        whole: asked.store_ids.is_none() && asked.item_ids.is_none(),
        finished: false,
    };
    work.part(json!(progress), async |tx: &mut Tx<'_>| Ok(runs::begin(tx, &head).await?)).await?;
    let stores = demand.stores(asked.store_ids.as_deref()).await?;
    let night = Arc::new(Night::read(&db, &demand, to).await?);
    let ahead = Span { from: first_day, to: first_day.plus(spec.horizon as i32 - 1) };
    let calendar = Calendar::read(&db, Span { from, to: ahead.to }).await?;
    let total = stores.len();
    let begun = progress.last_store.clone();
    for store in stores.into_iter().filter(|store| *store > begun) {
        work.progress(progress.stores, total, &format!("Store {} of {total}", progress.stores + 1));
        work.ctx.go_on()?;
        let one = vec![store.clone()];
        let panel = demand.panel(&one, Span { from, to }).await?;
        let entered = overrides::of_stores(&db, &one, ahead).await?;
        let at_hand = StoreWork {
            panel,
            days: calendar.days(&store, from, first_day, spec.horizon, kind.events),
            night: night.clone(),
            spec,
            run_id: work.run_id().to_owned(),
        };
        let mut done = tokio::task::spawn_blocking(move || at_hand.make())
            .await
            .map_err(|stopped| JobError::Broken(stopped.into()))?;
        for series in &mut done.series {
            let mine = entered.iter().filter(|it| it.root_item_id == series.root_item_id);
            series.replaced = overrides::replaced(mine, first_day, spec.horizon).map(Json);
        }
        progress.last_store = store;
        progress.stores += 1;
        progress.take(&mut done);
        let series = &done.series;
        work.part(json!(progress), async |tx: &mut Tx<'_>| Ok(series::insert(tx, series).await?)).await?;
    }
    work.progress(total, total, "Clearing away old runs");
    work.part(json!(progress), async |tx: &mut Tx<'_>| Ok(runs::finish(tx, work.run_id()).await?)).await?;
    while work.part(json!(progress), async |tx: &mut Tx<'_>| Ok(prune(tx, work.day()).await?)).await? {}
    let median = series::median_wape(&db, work.run_id()).await?;
    Ok(outcome(progress, ahead, median))
}

async fn prune(tx: &mut Tx<'_>, today: BusinessDay) -> Result<bool, JobError> {
    Ok(runs::prune(tx, today, PRUNED_AT_ONCE).await? > 0)
}

/// The history: the requested range, else the days up to yesterday or, if imports are late, up to the last
/// sales.
async fn span_of(work: &Work, demand: &Demand, kind: Kind) -> Result<(BusinessDay, BusinessDay), JobError> {
    let yesterday = work.day().plus(-1);
    let to = match work.asked().to_day() {
        Some(day) => day.min(yesterday),
        None => match demand.last_day(yesterday).await? {
            Some(last) if yesterday.0 - last.0 > LATE_DAYS => last,
            _ => yesterday,
        },
    };
    let from = work.asked().from_day().unwrap_or(to.plus(1 - kind.history));
    if from > to {
        let words =
            format!("There is no day to forecast from between {} and {}.", from.display(), to.display());
        return Err(JobError::Failed(words));
    }
    Ok((from, to))
}

impl Progress {
    fn take(&mut self, done: &mut StoreDone) {
        self.series += done.series.len() as i64;
        self.forecast += done.series.iter().filter(|it| !it.method.is_empty()).count() as i64;
        self.short +=
            done.series.iter().filter(|it| it.short_history && !it.method.is_empty()).count() as i64;
        self.gone += done.gone;
        done.failed.drain(..).for_each(|failed| self.failures.add(failed));
    }
}

impl StoreWork {
    /// Processes all items of the store on several threads; results are in panel order.
    fn make(&self) -> StoreDone {
        let rows: Vec<_> = self.panel.rows().collect();
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(rows.len().max(1));
        let work = || {
            let (mut ws, mut made) = (Workspace::default(), Vec::new());
            while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                made.push(self.row(row, &mut ws));
            }
            made
        };
        let mut all: Vec<Row> = std::thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for worker in workers {
                match worker.join() {
                    Ok(made) => all.extend(made),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        });
        all.sort_by(|a, b| a.item.cmp(&b.item));
        let mut done = StoreDone::default();
        for row in all {
            done.series.extend(row.series);
            done.failed.extend(row.failed);
            done.gone += i64::from(row.gone);
        }
        done
    }

    fn row(&self, row: &larder_ledgers::demand::Row<'_>, ws: &mut Workspace) -> Row {
        let item = row.root_item_id.to_owned();
        let none = Row { item: item.clone(), series: None, failed: None, gone: false };
        let recent = &row.values[row.values.len().saturating_sub(GONE_DAYS)..];
        let known = recent.iter().filter(|it| !it.is_nan());
        if row.values.len() >= GONE_DAYS && known.clone().count() > 0 && known.clone().all(|it| *it <= 0.0) {
            return Row { gone: true, ..none };
        }
        let from = self.panel.span().from.0;
        let elsewhere = || self.night.elsewhere(row.store_id, row.root_item_id);
        let failed = |why: String| Failed {
            what: "Not forecast".to_owned(),
            store_id: Some(row.store_id.to_owned()),
            root_item_id: Some(item.clone()),
            why,
        };
        match make(from, row.values, &self.days, &self.spec, elsewhere, ws) {
            Ok(made) => {
                let why = made.method.is_none().then(|| made.note.clone()).flatten();
                let series = KeptSeries::of(&self.run_id, row.store_id, row.root_item_id, from, made);
                Row { series: Some(series), failed: why.map(failed), ..none }
            }
            Err(why) => Row { failed: Some(failed(why.to_string())), ..none },
        }
    }
}

/// The result for an item.
struct Row {
    item: String,
    series: Option<KeptSeries>,
    failed: Option<Failed>,
    gone: bool,
}

fn outcome(progress: Progress, ahead: Span, median: Option<f64>) -> Outcome {
    let words = match (progress.stores, progress.forecast) {
        (0, _) => "No store has sales yet. Import sales, then run this again.".to_owned(),
        (stores, forecast) => format!(
            "{forecast} {} of {stores} {} forecast from {} to {}.",
            if forecast == 1 { "item" } else { "items" },
            if stores == 1 { "store" } else { "stores" },
            ahead.from.display(),
            ahead.to.display()
        ),
    };
    let not = progress.failures.total();
    Outcome::of(words, progress.failures)
        .count("Stores", progress.stores as i64)
        .count("Forecast", progress.forecast)
        .count("Short history", progress.short)
        .count("Not forecast", not)
        .count("No longer sold", progress.gone)
        .figure("Typical error (WAPE)", median.map_or(f64::NAN, |wape| wape * 100.0), Some("%"))
}
