//! The run: store by store, resuming where it was stopped.

use std::sync::Arc;

use larder_db::Json;
use larder_domain::{BusinessDay, Money, Span, plural};
use larder_planning::replay::{Compared, LeftOut};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::items::Ground;
use super::past::{StorePast, Wanted};
use super::play::{self, Results};
use super::policies::{self, ReplayPolicy};
use super::queries::{self, Played, Reasons, Store, StorePart};
use super::sums::Sums;
use larder_ledgers::demand::Demand;
use larder_platform::AppState;
use larder_platform::calculations::{Ask, Calculation, Failed, Failures, Outcome, Work};
use larder_platform::http::{ApiError, ApiResult};
use larder_platform::jobs::JobError;

/// Default number of days: one quarter.
const USUAL_DAYS: i32 = 91;
/// Maximum number of days.
const MOST_DAYS: i32 = 366;
/// Root items between checks for cancellation.
const AT_ONCE: usize = 16;

/// The replay of past days under policies.
pub struct Replay;

impl Calculation for Replay {
    const NAME: &'static str = "replay";
    const TITLE: &'static str = "Replay";
    const ANSWERS: &'static str = "What would have happened if orders had followed another policy?";
    const PAGE: &'static str = "/tools/services/replay";
    const ASKS: &'static [&'static str] = &[policies::FIELD];

    async fn check(state: &AppState, ask: &Ask) -> ApiResult<()> {
        let mut wrong = policies::of(ask).err().unwrap_or_default();
        let today = BusinessDay::of(state.now());
        for (field, said) in [("horizon", ask.horizon.is_some()), ("method", ask.method.is_some())] {
            if said {
                wrong
                    .push(larder_platform::http::FieldError::new(field, "Each policy says this for itself."));
            }
        }
        if ask.to_day().is_some_and(|to| to >= today) {
            wrong.push(larder_platform::http::FieldError::new("to", "Choose days that are over."));
        }
        if ask.span().is_some_and(|span| span.days() > MOST_DAYS) {
            let words = format!("Choose at most {MOST_DAYS} days.");
            wrong.push(larder_platform::http::FieldError::new("to", words));
        }
        if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
    }

    async fn run(work: Work) -> Result<Outcome, JobError> {
        let db = &work.state().db;
        let asked = policies::of(work.asked()).unwrap_or_default();
        let demand = Demand::open(db, work.asked().item_ids.as_deref()).await?;
        let Some(span) = span(&demand, work.asked(), work.day()).await? else {
            return Err(JobError::Failed("There are no sales yet to be played again.".into()));
        };
        let ground = Ground::read(db).await?;
        let stores = queries::stores(db, work.asked().store_ids.as_deref()).await?;
        let mut so_far: SoFar = work.checkpoint().unwrap_or_default();
        so_far.sums.resize(asked.len(), Sums::default());
        let asked = Arc::new(asked);
        begin(&work, &so_far, span, &asked).await?;
        let after = so_far.after.clone();
        let left = stores.iter().filter(|store| after.as_ref().is_none_or(|done| store.id > *done));
        for store in left {
            work.progress(so_far.stores, stores.len(), &store.name);
            let wanted = Wanted { span, actual: asked.iter().any(|policy| policy.actual), only: None };
            let past = StorePast::read(db, (&demand, &ground), store, wanted).await?;
            so_far = of_store(&work, (store, &ground), Arc::new(past), &asked, so_far).await?;
        }
        Ok(outcome(&asked, span, so_far))
    }
}

/// Progress of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct SoFar {
    stores: usize,
    /// The last completed store.
    after: Option<String>,
    left_out: i64,
    #[serde(default)]
    left_out_why: Reasons,
    estimated: i64,
    /// One per policy.
    sums: Vec<Sums>,
    failures: Failures,
}

/// The days to replay: as requested, else the last quarter with sales.
pub(super) async fn span(
    demand: &Demand,
    ask: &Ask,
    today: BusinessDay,
) -> Result<Option<Span>, larder_db::DbError> {
    let Some(last) = demand.last_day(today.plus(-1)).await? else { return Ok(None) };
    let to = ask.to_day().unwrap_or(last).min(today.plus(-1));
    let from = ask.from_day().unwrap_or_else(|| to.plus(1 - USUAL_DAYS));
    Ok((from <= to).then_some(Span { from, to }))
}

async fn begin(
    work: &Work,
    so_far: &SoFar,
    span: Span,
    asked: &Arc<Vec<ReplayPolicy>>,
) -> Result<(), JobError> {
    let run_id = work.run_id().to_owned();
    let policies = Vec::clone(asked);
    work.part(json!(so_far), async move |tx| {
        let played = Played { first_day: span.from, last_day: span.to, policies: Json(policies.clone()) };
        queries::begin(tx, &run_id, played).await?;
        Ok(())
    })
    .await
}

async fn of_store(
    work: &Work,
    (store, ground): (&Store, &Ground),
    past: Arc<StorePast>,
    asked: &Arc<Vec<ReplayPolicy>>,
    mut so_far: SoFar,
) -> Result<SoFar, JobError> {
    let mut sums = vec![Sums::default(); asked.len()];
    let mut orders = Results::default();
    let mut at = 0;
    while at < past.series.len() {
        work.ctx.go_on()?;
        let until = (at + AT_ONCE).min(past.series.len());
        let (of, by) = (past.clone(), asked.clone());
        let played = tokio::task::spawn_blocking(move || play::play(&of, &by, at..until));
        let played = played.await.map_err(|error| JobError::Broken(error.into()))?;
        let played = played.map_err(|refused| JobError::Failed(refused.to_string()))?;
        orders.add_orders(&played.orders);
        for (series, figures) in past.series[at..until].iter().zip(played.figures) {
            for (sum, figures) in sums.iter_mut().zip(figures) {
                sum.add(&Sums::of(&figures, series.price));
            }
        }
        at = until;
    }
    for (sum, days) in sums.iter_mut().zip(orders.order_days()) {
        sum.order_days = whole(days);
    }
    so_far.take_in(store, ground, &past, &sums);
    let part = StorePart {
        store_id: store.id.clone(),
        series: whole(past.series.len()),
        left_out: whole(past.left_out.len()),
        estimated: whole(past.estimated),
        root_items: Json(past.series.iter().map(|series| series.root_item_id.clone()).collect()),
        figures: Json(sums),
        left_out_why: Some(Json(reasons(&past))),
    };
    let run_id = work.run_id().to_owned();
    work.part(json!(so_far), async move |tx| {
        queries::put(tx, &run_id, part.clone()).await?;
        Ok(())
    })
    .await?;
    Ok(so_far)
}

/// How many root items are left out for each reason.
fn reasons(past: &StorePast) -> Reasons {
    let mut reasons = Reasons::new();
    for (_, reason) in &past.left_out {
        *reasons.entry(*reason).or_default() += 1;
    }
    reasons
}

impl SoFar {
    fn take_in(&mut self, store: &Store, ground: &Ground, past: &StorePast, sums: &[Sums]) {
        self.stores += 1;
        self.after = Some(store.id.clone());
        self.left_out += whole(past.left_out.len());
        add_reasons(&mut self.left_out_why, &reasons(past));
        self.estimated += whole(past.estimated);
        for (sum, other) in self.sums.iter_mut().zip(sums) {
            sum.add(other);
        }
        for (root, why) in &past.left_out {
            self.failures.add(Failed {
                what: format!("{}, {}", ground.name(root), store.name),
                store_id: Some(store.id.clone()),
                root_item_id: Some(root.clone()),
                why: why.sentence(),
            });
        }
    }
}

fn outcome(asked: &[ReplayPolicy], span: Span, so_far: SoFar) -> Outcome {
    let days = span.days();
    let (days, stores) = (plural(days, "day", "days"), plural(so_far.stores, "store", "stores"));
    let words = [
        Some(format!("{days} of {stores}.")),
        verdict(asked, &so_far.sums),
        conclusion(asked, &so_far.sums, span, &so_far.left_out_why),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    let words = words.join(" ");
    let series = so_far.sums.first().map_or(0, |sum| sum.series);
    let mut outcome = Outcome::of(words, so_far.failures).count("Root items in stores", series);
    for (policy, sum) in asked.iter().zip(&so_far.sums) {
        outcome = outcome.count(&format!("Days out of stock, {}", policy.name), sum.out_days);
    }
    outcome
}

/// Whether a policy would have done better than the actual orders; `None` if not compared, or nothing could
/// be replayed.
pub(super) fn verdict(asked: &[ReplayPolicy], sums: &[Sums]) -> Option<String> {
    let (_, actual) = asked.iter().zip(sums).find(|(policy, sum)| policy.actual && sum.series > 0)?;
    let others = asked.iter().zip(sums).filter(|(policy, _)| !policy.actual);
    let best = others.filter(|(_, sum)| sum.beats(actual)).min_by_key(|(_, sum)| (sum.out_days, sum.stock));
    Some(match best {
        Some((policy, sum)) => format!(
            "“{}” would have had {} out of stock instead of {}, at no more stock.",
            policy.name,
            plural(sum.out_days, "day", "days"),
            actual.out_days
        ),
        None => {
            "No policy had fewer days out of stock than what was really ordered at no more stock.".to_owned()
        }
    })
}

/// The policy that did best beside the actual orders, and what was left out: ‹With 95% service: 31 fewer empty days of
/// 5,461 item-days, …. Left out: 772 of 1,267 items, because ….›
pub(super) fn conclusion(
    asked: &[ReplayPolicy],
    sums: &[Sums],
    span: Span,
    left_out: &Reasons,
) -> Option<String> {
    let others = || asked.iter().zip(sums).filter(|(policy, sum)| !policy.actual && sum.series > 0);
    let actual = asked.iter().zip(sums).find(|(policy, sum)| policy.actual && sum.series > 0);
    let compared = actual.and_then(|(_, actual)| {
        // As for the verdict; if no policy needed no more stock, the one with the fewest empty days.
        let (policy, _) = others().min_by_key(|(_, sum)| (!sum.beats(actual), sum.out_days, sum.stock))?;
        compared(policy, asked, sums, span)
    });
    let reasons: Vec<(&str, i64)> = left_out.iter().map(|(why, items)| (why.clause(), *items)).collect();
    let replayed = sums.first().map_or(0, |sum| sum.series);
    let items = replayed + left_out.values().sum::<i64>();
    let words = [compared, LeftOut { reasons: &reasons, items }.words()];
    let words: Vec<String> = words.into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A policy beside the actual orders as a sentence; `None` if they are not compared.
pub(super) fn compared(
    policy: &ReplayPolicy,
    asked: &[ReplayPolicy],
    sums: &[Sums],
    span: Span,
) -> Option<String> {
    let of = |wanted: &dyn Fn(&ReplayPolicy) -> bool| {
        asked.iter().zip(sums).find(|(it, sum)| wanted(it) && sum.series > 0).map(|(_, sum)| sum)
    };
    let actual = of(&|it| it.actual)?;
    let sum = of(&|it| !it.actual && it.name == policy.name)?;
    Some(
        Compared {
            policy: policy.name.trim(),
            days: u32::try_from(span.days()).unwrap_or(1),
            item_days: sum.days - sum.unknown_days,
            empty_days: [sum.out_days, actual.out_days],
            stock: [Money(sum.stock), Money(actual.stock)],
            orders: [sum.order_days, actual.order_days],
        }
        .words(),
    )
}

/// Adds reasons of another store.
pub(super) fn add_reasons(sum: &mut Reasons, other: &Reasons) {
    for (reason, items) in other {
        *sum.entry(*reason).or_default() += items;
    }
}

pub(super) fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
