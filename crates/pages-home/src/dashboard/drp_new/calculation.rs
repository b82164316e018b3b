//! The scheduled calculation: plans store by store and resumes where it was stopped.

use std::collections::HashMap;

use larder_domain::schedule::Schedule;
use larder_domain::{Money, Qty};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::plan::{Besides, Forecasts, PlanContext, PlanInput, Planned, plan};
use super::queries;
use larder_documents::orders::coming::{Coming, coming, committed};
use larder_ledgers::place_stock;
use larder_ledgers::plans;
use larder_ledgers::plans::{Note, Run};
use larder_platform::AppState;
use larder_platform::calculations::{Ask, Calculation, Failed, Failures, Outcome, Work};
use larder_platform::http::{ApiError, ApiResult, FieldError};
use larder_platform::jobs::JobError;

/// The replenishment plan's calculation.
pub struct ReplenishmentPlan;

/// Number of stores whose documents are read at once.
const AT_ONCE: usize = 50;
/// Number range reserved for each store's notes.
const NOTES: i64 = 10_000;

/// Progress of a run.
#[derive(Default, Serialize, Deserialize)]
struct Progress {
    /// Number of stores planned, and the last of them.
    stores: usize,
    after: Option<String>,
    lines: i64,
    to_order: i64,
    at_risk: i64,
    capped: i64,
    amount: Money,
    failures: Failures,
}

impl Calculation for ReplenishmentPlan {
    const NAME: &'static str = "replenishment-plan";
    const TITLE: &'static str = "Replenishment plan";
    const ANSWERS: &'static str = "What should each store order today, and why?";
    const PAGE: &'static str = "/dashboard/drp-new";
    const NIGHTLY: Option<Schedule> = Some(Schedule::daily(3, 0));
    const AFTER: Option<&'static str> = Some("advanced-forecast");

    async fn check(_state: &AppState, ask: &Ask) -> ApiResult<()> {
        let unknown = [
            ("itemIds", ask.item_ids.is_some()),
            ("from", ask.from.is_some()),
            ("to", ask.to.is_some()),
            ("horizon", ask.horizon.is_some()),
            ("method", ask.method.is_some()),
        ];
        let wrong: Vec<FieldError> = unknown
            .iter()
            .filter(|(_, said)| *said)
            .map(|(field, _)| FieldError::new(*field, "A plan is made for today; its settings say the rest."))
            .collect();
        if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
    }

    async fn run(work: Work) -> Result<Outcome, JobError> {
        let state = work.state().clone();
        let db = &state.db;
        let run = match plans::find_run(db, work.run_id()).await? {
            Some(run) => run,
            None => begin(&work).await?,
        };
        let forecasts = Forecasts::open(db, run.forecast_run_id.as_deref()).await?;
        let context = PlanContext::read(db, run.plan_date, run.made_at).await?;
        let stores = queries::stores(db, work.asked().store_ids.as_deref()).await?;
        let mut progress: Progress = work.checkpoint().unwrap_or_default();
        let (total, after) = (stores.len(), progress.after.clone());
        let left: Vec<_> =
            stores.iter().filter(|store| after.as_ref().is_none_or(|done| store.id > *done)).collect();
        for chunk in left.chunks(AT_ONCE) {
            let ids: Vec<String> = chunk.iter().map(|store| store.id.clone()).collect();
            let mut coming_to: HashMap<String, Vec<Coming>> = HashMap::new();
            for it in coming(db, &ids, None, run.plan_date).await? {
                coming_to.entry(it.store_id.clone()).or_default().push(it);
            }
            let mut promised: HashMap<String, Vec<(String, Qty)>> = HashMap::new();
            for (store, product, qty) in committed(db, &ids).await? {
                promised.entry(store).or_default().push((product, qty));
            }
            let unusable = place_stock::unusable_of_stores(db, &ids, run.plan_date).await?;
            for store in chunk {
                let nth = progress.stores + 1;
                work.progress(nth - 1, total, &format!("{}: store {nth} of {total}", store.name));
                let input = PlanInput {
                    run_id: &run.id,
                    store,
                    besides: Besides {
                        coming: coming_to.get(&store.id).map(Vec::as_slice).unwrap_or_default(),
                        committed: promised.get(&store.id).map(Vec::as_slice).unwrap_or_default(),
                        unusable: unusable.get(&store.id),
                    },
                };
                let planned = plan(db, &context, &forecasts, input).await?;
                let notes = progress.take_in(&context, &run.id, store, &planned);
                put(&work, &progress, planned, notes).await?;
            }
        }
        finish(&work, &context, &run, &progress).await?;
        let words = if progress.stores == 1 {
            "1 store planned.".to_owned()
        } else {
            format!("{} stores planned.", progress.stores)
        };
        let amount = progress.amount.0 as f64 / 100.0;
        Ok(Outcome::of(words, progress.failures)
            .count("Lines", progress.lines)
            .count("To order", progress.to_order)
            .figure("Amount", amount, Some("PHP"))
            .count("Run out before delivery", progress.at_risk)
            .count("Held back", progress.capped))
    }
}

impl Progress {
    /// Counts a store as planned, and collects notes on what could not be planned there.
    fn take_in(
        &mut self,
        context: &PlanContext,
        run_id: &str,
        store: &queries::Store,
        planned: &Planned,
    ) -> Vec<Note> {
        self.stores += 1;
        self.after = Some(store.id.clone());
        let nth = self.stores as i64;
        self.lines += planned.run.lines;
        self.to_order += planned.run.to_order;
        self.at_risk += planned.run.at_risk;
        self.capped += planned.run.capped;
        self.amount = self.amount.checked_add(planned.run.amount).unwrap_or(self.amount);
        let mut notes = Vec::new();
        let mut tell = |root: Option<&String>, why: String| {
            notes.push(Note {
                run_id: run_id.to_owned(),
                position: NOTES * nth + notes.len() as i64,
                store_id: Some(store.id.clone()),
                product_id: None,
                root_item_id: root.cloned(),
                why,
            });
        };
        if let Some(why) = &planned.run.note {
            self.failures.add(Failed {
                what: store.name.clone(),
                store_id: Some(store.id.clone()),
                root_item_id: None,
                why: why.clone(),
            });
            tell(None, why.clone());
        }
        for (root, why) in &planned.failed {
            let name = context.names.get(root).cloned().unwrap_or_default();
            self.failures.add(Failed {
                what: name.clone(),
                store_id: Some(store.id.clone()),
                root_item_id: Some(root.clone()),
                why: why.clone(),
            });
            tell(Some(root), format!("{name}: {why}"));
        }
        notes
    }
}

/// Records that the run started.
async fn begin(work: &Work) -> Result<Run, JobError> {
    let run = Run {
        id: work.run_id().to_owned(),
        plan_date: work.day(),
        made_at: work.state().now(),
        forecast_run_id: Forecasts::newest(&work.state().db, work.day()).await?,
    };
    let kept = run.clone();
    work.part(json!(Progress::default()), async move |tx| {
        plans::begin(tx, kept.clone()).await?;
        Ok(())
    })
    .await?;
    Ok(run)
}

/// Saves a store's plan.
async fn put(work: &Work, progress: &Progress, planned: Planned, notes: Vec<Note>) -> Result<(), JobError> {
    let Planned { run, lines, .. } = planned;
    work.part(json!(progress), async move |tx| {
        let (run_id, store_id) = (run.run_id.clone(), run.store_id.clone());
        plans::put_store(tx, run.clone(), lines.clone()).await?;
        plans::put_notes(tx, &run_id, Some(&store_id), notes.clone()).await?;
        tx.announce("replenishmentPlan", &run_id, Some(&store_id));
        Ok(())
    })
    .await
}

/// Adds notes that apply to all stores, and removes old plans.
async fn finish(work: &Work, context: &PlanContext, run: &Run, progress: &Progress) -> Result<(), JobError> {
    let notes: Vec<Note> = context
        .products
        .iter()
        .filter_map(|product| Some((product, unplanned(product)?)))
        .enumerate()
        .map(|(at, (product, why))| Note {
            run_id: run.id.clone(),
            position: at as i64,
            store_id: None,
            product_id: Some(product.id.clone()),
            root_item_id: None,
            why: format!("{}: {why}", product.name),
        })
        .collect();
    let (run_id, today) = (run.id.clone(), context.day);
    work.part(json!(progress), async move |tx| {
        plans::put_notes(tx, &run_id, None, notes.clone()).await?;
        plans::forget_old(tx, today).await?;
        tx.announce("replenishmentPlan", &run_id, None);
        Ok(())
    })
    .await
}

/// Why a product cannot be planned.
fn unplanned(product: &larder_documents::products::Product) -> Option<&'static str> {
    match product.root_item_conversions.as_slice() {
        [] => Some("say which root item it brings, and how much."),
        [part] if part.factor.0 <= 0 => Some("say how much of its root item it brings."),
        [_] if product.usual_unit().is_none() => Some("its selling unit does not convert to its base unit."),
        [_] => None,
        _ => Some("it brings several root items; order it by hand."),
    }
}
