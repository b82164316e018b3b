//! What a price of past days changes: frozen weeks refuse it, the snapshots of the others are made again.

use larder_db::Tx;
use larder_domain::{BusinessDay, Span};
use serde_json::{Map, json};

use super::model::PastChange;
use super::queries;
use larder_ledgers::{prices, snapshots};
use larder_lists::catalog::RootItem;
use larder_lists::engine;
use larder_platform::AppState;
use larder_platform::calculations;
use larder_platform::calculations::Ask;
use larder_platform::http::{ApiError, ApiResult};

/// The calculation that makes weekly snapshots.
const SNAPSHOTS: &str = "root-item-weekly-snapshot";
/// The most weeks that one run of it makes.
const MOST_WEEKS: i32 = 53;

/// Mondays of weekly snapshots.
#[derive(Debug, Default)]
pub(super) struct Weeks {
    pub open: Vec<BusinessDay>,
    pub frozen: Vec<BusinessDay>,
}

impl Weeks {
    /// The snapshots that overlap these days.
    ///
    /// # Errors
    /// If the database fails.
    pub(super) async fn of(tx: &mut Tx<'_>, days: Span) -> ApiResult<Self> {
        let (frozen, open): (Vec<_>, Vec<_>) =
            snapshots::made_in(tx, days).await?.into_iter().partition(|(_, frozen)| *frozen);
        let mondays = |weeks: Vec<(BusinessDay, bool)>| weeks.into_iter().map(|(week, _)| week).collect();
        Ok(Self { open: mondays(open), frozen: mondays(frozen) })
    }

    /// Refuses if a run could not make them: another is under way, or they are too many.
    ///
    /// # Errors
    /// 409 `running`, 422.
    pub(super) async fn refuse_unmakeable(&self, tx: &mut Tx<'_>) -> ApiResult<()> {
        let (Some(first), Some(last)) = (self.open.first(), self.open.last()) else { return Ok(()) };
        if last.0 - first.0 >= 7 * MOST_WEEKS {
            let words = "More than a year of weekly snapshots would be made again. Choose a later day.";
            return Err(ApiError::field("from", words));
        }
        if calculations::is_running(tx, SNAPSHOTS).await? {
            let words =
                "Weekly snapshots are being made at this moment. Wait until that is done, or stop it.";
            return Err(ApiError::conflict("running", words));
        }
        Ok(())
    }

    /// Adds others.
    pub(super) fn add(&mut self, others: Self) {
        for (all, more) in [(&mut self.open, others.open), (&mut self.frozen, others.frozen)] {
            all.extend(more);
            all.sort_unstable();
            all.dedup();
        }
    }

    /// Has the open ones made again, of all stores that have them. In the transaction that changes a price, so that no
    /// snapshot stays at the old one; wake the workers after its commit.
    ///
    /// # Errors
    /// 409 while they are being made.
    pub(super) async fn make_again(&self, tx: &mut Tx<'_>, state: &AppState) -> ApiResult<()> {
        let (Some(first), Some(last)) = (self.open.first(), self.open.last()) else { return Ok(()) };
        let ask = Ask { from: Some(first.to_string()), to: Some(last.plus(6).to_string()), ..Ask::default() };
        calculations::start_in(tx, state, SNAPSHOTS, &ask).await?;
        Ok(())
    }

    /// 409 `frozen`, naming the frozen weeks.
    pub(super) fn refusal(&self) -> ApiError {
        let named: Vec<String> = self.frozen.iter().map(|week| week.iso_week_label()).collect();
        let words = match named.as_slice() {
            [one] => format!("{one} is frozen: reopen it first, or choose a later day."),
            [one, .., last] => {
                format!(
                    "{} weeks from {one} to {last} are frozen: reopen them first, or choose a later day.",
                    named.len()
                )
            }
            [] => "A week is frozen.".to_owned(),
        };
        ApiError::conflict("frozen", words).with("frozenWeeks", json!(self.frozen))
    }
}

/// Checks that the price from a day may change, and returns the snapshots that then have to be made again.
///
/// # Errors
/// 422 for a day that has not come, 409 `frozen`, 409 `past` until confirmed, 422 without a reason, 409 while snapshots
/// are being made.
pub(super) async fn may_change(
    tx: &mut Tx<'_>,
    id: &str,
    from: BusinessDay,
    past: PastChange<'_>,
) -> ApiResult<Weeks> {
    let today = BusinessDay::of(tx.actor().at);
    if from > today {
        return Err(ApiError::field("from", "Choose a day up to today."));
    }
    if from == today {
        return Ok(Weeks::default());
    }
    let to = prices::until(tx, id, from, today).await?;
    let weeks = Weeks::of(tx, Span { from, to }).await?;
    if !weeks.frozen.is_empty() {
        return Err(weeks.refusal());
    }
    if !past.recompute {
        let since = if from == prices::START { "the start".to_owned() } else { from.display() };
        let words = format!("This changes food cost from {since}. Recompute from then?");
        let refusal = ApiError::conflict("past", words).with("from", json!(from));
        return Err(refusal.with("weeks", json!(weeks.open)));
    }
    if past.reason.is_none() {
        return Err(ApiError::field("reason", "Say why past days change."));
    }
    weeks.refuse_unmakeable(tx).await?;
    Ok(weeks)
}

/// Gives the record of a root item the price of today.
///
/// # Errors
/// If a statement fails.
pub(super) async fn follow(tx: &mut Tx<'_>, id: &str) -> ApiResult<()> {
    let today = BusinessDay::of(tx.actor().at);
    let record = queries::root_item(tx, id).await?.ok_or_else(|| ApiError::not_found("root item"))?;
    let price = prices::on(tx, id, today).await?.and_then(|kept| kept.price);
    if record.price != price {
        let patch = Map::from_iter([
            ("price".to_owned(), json!(price)),
            ("revision".to_owned(), json!(record.revision)),
        ]);
        engine::update::<RootItem>(tx, id, patch).await?;
    }
    Ok(())
}
