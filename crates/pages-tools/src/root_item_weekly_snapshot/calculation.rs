//! Calculates weekly snapshots, store by store.

use std::collections::BTreeSet;

use larder_db::{DbError, Tx};
use larder_domain::schedule::Schedule;
use larder_domain::{BusinessDay, Span, StoreScope, plural};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::queries;
use super::queries::Store;
use larder_ledgers::snapshots;
use larder_ledgers::snapshots::SnapshotRow;
use larder_platform::AppState;
use larder_platform::calculations::{Ask, Calculation, Failed, Failures, Outcome, Work};
use larder_platform::http::{ApiError, ApiResult};
use larder_platform::jobs::JobError;

/// Maximum number of weeks per run: one year.
const MOST_WEEKS: i32 = 53;
/// Bit mask of Monday.
const MONDAYS: u8 = 1;

/// Weekly movement of root items. Calculates all weeks that overlap the requested days; by default last week.
pub struct WeeklySnapshot;

impl Calculation for WeeklySnapshot {
    const NAME: &'static str = "root-item-weekly-snapshot";
    const TITLE: &'static str = "Root item weekly snapshot";
    const ANSWERS: &'static str =
        "What did each store have, receive, use and lose of each root item, week by week?";
    const PAGE: &'static str = "/tools/root-item-weekly-snapshot";
    const NIGHTLY: Option<Schedule> = Some(Schedule { minutes: 4 * 60, weekdays: MONDAYS });

    async fn check(state: &AppState, ask: &Ask) -> ApiResult<()> {
        if ask.item_ids.is_some() {
            return Err(ApiError::field("itemIds", "A snapshot is made of all root items."));
        }
        let today = BusinessDay::of(state.now());
        let mondays = mondays(ask, today);
        if mondays.last().is_some_and(|monday| monday.plus(6) >= today) {
            return Err(ApiError::field("to", "This week is not over yet. Choose weeks before it."));
        }
        if i32::try_from(mondays.len()).is_ok_and(|weeks| weeks > MOST_WEEKS) {
            return Err(ApiError::field("to", format!("Choose at most {MOST_WEEKS} weeks.")));
        }
        Ok(())
    }

    async fn run(work: Work) -> Result<Outcome, JobError> {
        let db = &work.state().db;
        let mondays = mondays(work.asked(), work.day());
        let (Some(first), Some(last)) = (mondays.first().copied(), mondays.last().copied()) else {
            return Err(JobError::Failed("There is no whole week in this range.".into()));
        };
        let stores = queries::stores(db, work.asked().store_ids.as_deref(), (first, last)).await?;
        let mut so_far: SoFar = work.checkpoint().unwrap_or_default();
        for store in &stores {
            if so_far.done.contains(&store.id) {
                continue;
            }
            let at = so_far.done.len();
            let name = &store.name;
            work.progress(at, stores.len(), &format!("{name}, store {} of {}", at + 1, stores.len()));
            so_far = of_store(&work, store, &mondays, so_far).await?;
        }
        let scope = match &work.asked().store_ids {
            None => StoreScope::All,
            Some(ids) => StoreScope::Only(ids.iter().cloned().collect()),
        };
        let sums = snapshots::sums(db, (first, last), &scope).await?;
        let differences: i64 = sums.values().map(|sum| sum.differences).sum();
        let frozen = snapshots::weeks(db, (first, last)).await?;
        let differ = frozen.values().any(|week| {
            week.frozen_at.is_some() && sums.get(&week.week).is_some_and(|sum| sum.differences > 0)
        });
        let mut words = format!(
            "{}: {} of {}.",
            label(first, last),
            plural(whole(so_far.rows), "root item", "root items"),
            plural(whole(stores.len()), "store", "stores")
        );
        if differ {
            words.push_str(" Frozen figures would be others now; nothing of them was changed.");
        }
        Ok(Outcome::of(words, so_far.failures)
            .count("Stores", whole(stores.len()))
            .count("Rows", whole(so_far.rows))
            .count("Differences", differences))
    }
}

/// Progress of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct SoFar {
    /// Completed stores.
    done: BTreeSet<String>,
    rows: usize,
    failures: Failures,
}

/// Calculates the weeks of one store in one transaction.
async fn of_store(
    work: &Work,
    store: &Store,
    mondays: &[BusinessDay],
    mut so_far: SoFar,
) -> Result<SoFar, JobError> {
    so_far.done.insert(store.id.clone());
    let weeks = match compute(work, store, mondays).await {
        Ok(weeks) => weeks,
        // An overflow only fails this store, not the others.
        Err(DbError::Invalid(why)) => {
            let (what, store_id) = (store.name.clone(), Some(store.id.clone()));
            so_far.failures.add(Failed { what, store_id, root_item_id: None, why });
            Vec::new()
        }
        Err(error) => return Err(error.into()),
    };
    so_far.rows += weeks.iter().map(|(_, rows)| rows.len()).sum::<usize>();
    let weeks = &weeks;
    work.part(json!(so_far), async |tx: &mut Tx<'_>| {
        for (monday, rows) in weeks {
            snapshots::make(tx, *monday, &store.id, rows).await?;
        }
        Ok(())
    })
    .await?;
    Ok(so_far)
}

async fn compute(
    work: &Work,
    store: &Store,
    mondays: &[BusinessDay],
) -> Result<Vec<(BusinessDay, Vec<SnapshotRow>)>, DbError> {
    let periods: Vec<Span> = mondays.iter().map(|from| Span { from: *from, to: from.plus(6) }).collect();
    let movements = snapshots::of_store(&work.state().db, &store.id, &periods).await?;
    let week = |(at, monday): (usize, &BusinessDay)| (*monday, snapshots::rows_of(&movements, at));
    let is_wanted = |monday: &BusinessDay| store.only.as_ref().is_none_or(|only| only.contains(monday));
    Ok(mondays.iter().enumerate().filter(|(_, monday)| is_wanted(monday)).map(week).collect())
}

/// The Mondays of the weeks to calculate: those that overlap the requested days, else last week.
fn mondays(ask: &Ask, today: BusinessDay) -> Vec<BusinessDay> {
    let before = today.week().plus(-7);
    let first = ask.from_day().or(ask.to_day()).unwrap_or(before).week();
    let last = ask.to_day().or(ask.from_day()).unwrap_or(before).week();
    (0..=(last.0 - first.0) / 7).map(|week| first.plus(week * 7)).collect()
}

fn label(first: BusinessDay, last: BusinessDay) -> String {
    if first == last {
        first.iso_week_label()
    } else {
        format!("{} to {}", first.iso_week_label(), last.iso_week_label())
    }
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> BusinessDay {
        text.parse().expect("a date")
    }

    #[test]
    fn calculates_whole_weeks() {
        let today = day("2026-11-25");
        let asked = |from: Option<&str>, to: Option<&str>| {
            let ask = Ask { from: from.map(str::to_owned), to: to.map(str::to_owned), ..Ask::default() };
            mondays(&ask, today)
        };
        assert_eq!(asked(None, None), [day("2026-11-16")]);
        assert_eq!(asked(Some("2026-11-11"), None), [day("2026-11-09")]);
        assert_eq!(
            asked(Some("2026-11-08"), Some("2026-11-16")),
            [day("2026-11-02"), day("2026-11-09"), day("2026-11-16")]
        );
        assert_eq!(label(day("2026-11-02"), day("2026-11-16")), "2026-W45 to 2026-W47");
    }
}
