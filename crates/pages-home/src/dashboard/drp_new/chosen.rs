//! Which plan a query refers to: each store's latest of a day, or one run.

use larder_domain::{BusinessDay, Timestamp};

use super::queries;
use larder_ledgers::plans;
use larder_ledgers::plans::StoreRun;
use larder_platform::AppState;
use larder_platform::http::question::{date, known_id};
use larder_platform::http::{ApiError, ApiResult, Who};

/// The plans of the selected stores.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub date: Option<BusinessDay>,
    pub stores: Vec<StoreRun>,
}

/// Resolves a query: one store or all accessible ones; a day or a run, defaulting to the latest day with a
/// plan.
///
/// # Errors
/// 403 for a store the caller may not access, 404 for an unknown run, 422 for an invalid date.
pub(super) async fn chosen(
    state: &AppState,
    who: &Who,
    store_id: Option<&str>,
    day: Option<&str>,
    run_id: Option<&str>,
) -> ApiResult<Chosen> {
    let db = &state.db;
    let wished = store_id.filter(|id| !id.is_empty()).map(|id| vec![id.to_owned()]);
    let stores = who.stores(wished.as_deref())?;
    let stores = stores.as_deref();
    if let Some(id) = run_id.filter(|id| !id.is_empty()) {
        let run = plans::find_run(db, known_id(id, "plan")?).await?;
        let run = run.ok_or_else(|| ApiError::not_found("plan"))?;
        return Ok(Chosen { date: Some(run.plan_date), stores: plans::of_run(db, id, stores).await? });
    }
    let day = match date("date", day).map_err(|error| ApiError::invalid(vec![error]))? {
        Some(day) => Some(day),
        None => plans::last_date(db, stores).await?,
    };
    let Some(day) = day else { return Ok(Chosen::default()) };
    Ok(Chosen { date: Some(day), stores: plans::newest_of_stores(db, day, stores).await? })
}

impl Chosen {
    /// Id of the latest run.
    pub fn run_id(&self) -> Option<String> {
        self.stores.iter().map(|store| store.run_id.clone()).max()
    }

    /// When the latest run was made.
    pub fn made_at(&self) -> Option<Timestamp> {
        self.stores.iter().map(|store| store.made_at).max()
    }

    /// Pairs of run and store.
    pub fn pairs(&self) -> Vec<(String, String)> {
        self.stores.iter().map(|store| (store.run_id.clone(), store.store_id.clone())).collect()
    }

    /// Why the plan should be recalculated; `None` if it is current.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn stale(&self, state: &AppState, today: BusinessDay) -> ApiResult<Option<String>> {
        let Some((day, oldest)) = self.date.zip(self.stores.iter().map(|store| store.made_at).min()) else {
            return Ok(None);
        };
        if day < today {
            return Ok(Some(format!("This is the plan of {}. Run it again for today.", day.display())));
        }
        let ids: Vec<String> = self.stores.iter().map(|store| store.store_id.clone()).collect();
        let changed = queries::changed_since(&state.db, &ids, oldest).await?;
        let words = "Counts, orders or deliveries came in since. Run the plan again to take them in.";
        Ok(changed.then(|| words.to_owned()))
    }
}
