//! Pictures that wait for review, judged again once more is known of their till.

use larder_db::{Json, Tx};
use larder_domain::BusinessDay;
use larder_tillread::{Votes, judge};

use super::judging::{context_of, day_of, judged_after, template_of};
use super::{KIND, Reading, Seen, filling, list, store, terminals, write};
use larder_platform::http::ApiResult;

/// Pictures of a till judged again at once: those of the next days first, the others follow when these are verified.
const MOST: i64 = 20;

/// Judges the pictures of a till that wait for review with what is known of it now: its machine number, and the reading
/// verified before each; `of` is the day of the reading that a step was taken of. A reading whose figures a user changed
/// or ever verified is left alone. Pictures of the store that show the till's machine number, and no other till's, become
/// the till's.
///
/// # Errors
/// If the database fails, or the till's layout cannot be read.
pub async fn judge_again(
    tx: &mut Tx<'_>,
    store_id: &str,
    terminal_id: &str,
    of: BusinessDay,
) -> ApiResult<()> {
    let Some(kept) = terminals::find_in(tx, store_id, terminal_id).await? else { return Ok(()) };
    let mut query = tx
        .sql(
            "select r.id from z_readings r join z_reading_votes v on v.reading_id = r.id
             where r.state = 'needsReview' and r.store_id = ",
        )
        .push_bind(store_id)
        .push(" and (r.terminal_id = ")
        .push_bind(terminal_id);
    if let Some(min) = &kept.min {
        query = query
            .push(" or (r.terminal_id = '' and r.min = ")
            .push_bind(min.clone())
            .push(
                " and not exists (select 1 from z_terminals o where o.store_id = r.store_id and o.min = r.min
                    and o.terminal_id <> ",
            )
            .push_bind(terminal_id)
            .push("))");
    }
    let ids: Vec<(String,)> = query
        .push(") order by case when r.business_date > ")
        .push_bind(of)
        .push(" then 0 else 1 end, r.business_date, r.id limit ")
        .push_bind(MOST)
        .all()
        .await?;
    for (id,) in ids {
        judge_one(tx, &id, &kept).await?;
    }
    Ok(())
}

async fn judge_one(tx: &mut Tx<'_>, id: &str, kept: &terminals::Kept) -> ApiResult<()> {
    let was_verified = |reading: &Reading| reading.steps.0.iter().any(|taken| taken.step == "verify");
    let waits = |reading: &Reading| reading.state == "needsReview" && !was_verified(reading);
    let Some(reading) = store::hold(tx, id).await?.filter(waits) else { return Ok(()) };
    let votes: Option<(Option<BusinessDay>, Json<Votes>)> = tx
        .sql("select business_date, votes from z_reading_votes where reading_id = ")
        .push_bind(id)
        .optional()
        .await?;
    let (Some(Json(seen)), Some((day, Json(votes)))) = (reading.read.clone(), votes) else { return Ok(()) };
    let today = BusinessDay::of(tx.actor().at);
    if !is_as_read(&reading, &seen, today) {
        return Ok(());
    }
    let (template, context) = (template_of(Some(kept))?, context_of(Some(kept), day));
    let first = judge(&votes, &template, &context);
    let before = list::verified_before_in(tx, &kept.store_id, &kept.terminal_id, day_of(&first)).await?;
    let judgement = judged_after(&votes, &template, &context, first, before.as_ref());
    let now = Seen::of(&judgement, seen.lines.clone(), seen.advice.clone());
    if now == seen && !reading.terminal_id.is_empty() {
        return Ok(());
    }
    let mut changed = reading.clone();
    changed.terminal_id.clone_from(&kept.terminal_id);
    filling::fill(&mut changed, &now, today);
    filling::yield_counter(tx, &mut changed).await?;
    let snapshot = reading.audit_snapshot();
    if changed.audit_snapshot() == snapshot {
        // Only its doubts changed: a reviewer who has it open goes on with the same revision.
        let query = tx.sql("update z_readings set read = $1 where id = $2").bind(Json(now)).bind(id);
        query.execute().await?;
        tx.announce(KIND, id, Some(&reading.store_id));
        return Ok(());
    }
    changed.read = Some(Json(now));
    write::write(tx, snapshot, &mut changed).await
}

/// Whether a reading still has the figures of its picture. Its counter may be missing: another reading has it.
fn is_as_read(reading: &Reading, seen: &Seen, today: BusinessDay) -> bool {
    let mut as_read = reading.clone();
    filling::fill(&mut as_read, seen, today);
    if reading.z_counter.is_none() {
        as_read.z_counter = None;
    }
    as_read.audit_snapshot() == reading.audit_snapshot()
}
