//! When goods came or left, and the counts close to that.

use std::collections::BTreeSet;

use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::count::stands_at;
use larder_domain::on_hand::timeline::asks_for_time;
use larder_domain::{BusinessDay, Timestamp};
use larder_ledgers::{counts, place_stock};
use larder_platform::http::{ApiError, ApiResult, FieldError};
use serde_json::json;

use super::define::{CloseTo, Ctx, TakeStep};

const HOUR_MS: i64 = 3_600_000;

/// Movements of a business date happen from its midnight until noon of the next day.
const HOURS: i64 = 36;

/// Midnight (UTC+8) at the beginning of a date.
pub(super) fn midnight(day: BusinessDay) -> Timestamp {
    Timestamp((i64::from(day.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * HOUR_MS)
}

/// A time in UTC+8: `06:06`.
fn clock(at: Timestamp) -> String {
    let minutes = (at.0 / 60_000 + BUSINESS_UTC_OFFSET_HOURS * 60).rem_euclid(1_440);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// A time that a person gave, corrected for the clock of the device: `sent_at` is what that showed when it sent it.
pub(super) fn corrected(
    field: &str,
    at: Timestamp,
    sent_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<Timestamp, FieldError> {
    if at > sent_at.unwrap_or(now) {
        return Err(FieldError::new(field, "Choose a time that has passed."));
    }
    Ok(sent_at.map_or(at, |sent_at| stands_at(at, sent_at, now)))
}

/// The time given with a step.
///
/// # Errors
/// 422 for one that has not come yet.
pub(super) fn given(ctx: Ctx<'_>, body: &TakeStep) -> ApiResult<Option<Timestamp>> {
    let at = body.happened_at.map(|at| corrected("happenedAt", at, body.sent_at, ctx.who.at));
    at.transpose().map_err(|error| ApiError::invalid(vec![error]))
}

/// Whether a movement of a business date can have happened at a time.
pub(super) fn is_on(day: BusinessDay, at: Timestamp) -> bool {
    let begins = midnight(day).0;
    (begins..begins + HOURS * HOUR_MS).contains(&at.0)
}

/// Goods that come to or leave a store.
pub(super) struct Moving<'a> {
    pub store_id: &'a str,
    /// Their business date.
    pub day: BusinessDay,
    /// The earliest time that they can have moved.
    pub due: Timestamp,
    /// When that was entered.
    pub entered: Timestamp,
    pub products: BTreeSet<&'a str>,
}

/// Checks the time that was given. If none was, it is asked for where a count falls between the due time and the
/// entering: the time decides whether that includes the goods.
///
/// # Errors
/// 422 for a time not of the business date; 422 `whenNeeded` with `countedAt`, the time of the count.
pub(super) async fn check(ctx: Ctx<'_>, given: Option<Timestamp>, moving: &Moving<'_>) -> ApiResult<()> {
    const FIELD: &str = "happenedAt";
    let Moving { day, due, entered, .. } = *moving;
    if let Some(at) = given {
        if is_on(day, at) {
            return Ok(());
        }
        let words = format!(
            "Choose a time on {}, or until noon of the day after it, or change the date to {}.",
            day.display(),
            BusinessDay::of(at).display()
        );
        return Err(ApiError::field(FIELD, words));
    }
    if due >= entered {
        return Ok(());
    }
    let db = &ctx.state.db;
    let counts = place_stock::counted_between(db, moving.store_id, &moving.products, (due, entered)).await?;
    if !asks_for_time(due, entered, counts.iter().copied()) {
        return Ok(());
    }
    let Some(counted_at) = counts.last().copied() else { return Ok(()) };
    let words = format!("These items were counted at {}. Enter when this happened.", clock(counted_at));
    let asked = ApiError::unprocessable("whenNeeded", words.clone());
    Err(asked.at(vec![FieldError::new(FIELD, words)]).with("countedAt", json!(counted_at)))
}

/// The lines of a posted document close to counts of stores that the user may see, not answered yet.
///
/// # Errors
/// If the database fails.
pub(super) async fn close(ctx: Ctx<'_>, document_id: &str) -> ApiResult<Vec<CloseTo>> {
    let db = &ctx.state.db;
    let mut close = Vec::new();
    for store_id in place_stock::stores_moved(db, document_id).await? {
        let found = place_stock::close_of(db, &store_id, document_id).await?;
        if found.is_empty() || !ctx.who.scope.includes(Some(&store_id)) {
            continue;
        }
        let blind = counts::settings_of(db, &store_id).await?.settings.blind;
        close.extend(found.into_iter().map(|line| CloseTo {
            line_id: line.line_id,
            store_id: store_id.clone(),
            date: line.date,
            session: line.session,
            product_id: line.product_id,
            name: line.name,
            qty: (!blind).then_some(line.qty),
            uom_code: line.uom_code,
            happened_at: line.happened_at,
            counted_at: line.counted_at,
            included_by_time: line.before,
        }));
    }
    Ok(close)
}
