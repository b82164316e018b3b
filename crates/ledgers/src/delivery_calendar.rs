//! Delivery calendars: rules per store and source. The only writer of `delivery_calendars`.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::delivery_calendar::{self, Refused, Rule};
use larder_domain::{BusinessDay, Timestamp};

use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, ApiResult};

/// A stored rule.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Kept {
    pub store_id: String,
    pub source_type: String,
    pub source_id: String,
    pub weekdays: i64,
    pub cutoff_days: i64,
    pub cutoff_minutes: i64,
    pub skip_holidays: bool,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

impl Kept {
    /// The domain rule.
    #[must_use]
    pub fn rule(&self) -> Rule {
        Rule {
            weekdays: u8::try_from(self.weekdays & 127).unwrap_or(0),
            cutoff_days: self.cutoff_days,
            cutoff_minutes: self.cutoff_minutes,
            skip_holidays: self.skip_holidays,
        }
    }
}

/// The source that a store is usually supplied from, of its calendars: the usual commissary, else another commissary,
/// else the first.
#[must_use]
pub fn usual<'a>(known: &'a [Kept], usual_commissary: Option<&str>) -> Option<&'a Kept> {
    let kitchen = |kept: &&Kept| kept.source_type == "commissary";
    let usual = |kept: &&Kept| kitchen(kept) && Some(kept.source_id.as_str()) == usual_commissary;
    known.iter().find(usual).or_else(|| known.iter().find(kitchen)).or_else(|| known.first())
}

/// A store and its source of deliveries.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub store_id: &'a str,
    pub source_type: &'a str,
    pub source_id: &'a str,
}

const SELECT: &str = "select store_id, source_type, source_id, weekdays, cutoff_days, cutoff_minutes, skip_holidays, \
     revision, updated_at, updated_by from delivery_calendars c";

const ONE: &str = " where store_id = $1 and source_type = $2 and source_id = $3";

/// All rules, or those of some stores.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db, stores: Option<&[String]>) -> Result<Vec<Kept>, DbError> {
    let mut query = db.sql(SELECT);
    if let Some(stores) = stores {
        query = query.push(" where store_id in ").push_ids(stores);
    }
    query.push(" order by store_id, source_type, source_id").all().await
}

/// A store's rule for a source.
///
/// # Errors
/// If the database fails.
pub async fn of(db: &Db, source: Source<'_>) -> Result<Option<Kept>, DbError> {
    let query = db.sql(SELECT).push(ONE).bind(source.store_id);
    query.bind(source.source_type).bind(source.source_id).optional().await
}

/// As [`of`], inside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn of_in(tx: &mut Tx<'_>, source: Source<'_>) -> Result<Option<Kept>, DbError> {
    let query = tx.sql(SELECT).push(ONE).bind(source.store_id);
    query.bind(source.source_type).bind(source.source_id).optional().await
}

/// Until when an order for a day can be sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deadline {
    /// The cut-off; `None` if the store has no calendar.
    pub cutoff: Option<Timestamp>,
    /// Whether it has passed, so that the order is urgent.
    pub passed: bool,
}

/// The deadline of an order for a day. An urgent order can also be for a day before the next truck that can still be
/// ordered for.
///
/// # Errors
/// 422 at `neededDate`: «Cut-off for {date} was {time}.», or the days that can be chosen.
pub async fn check(
    tx: &mut Tx<'_>,
    source: Source<'_>,
    day: BusinessDay,
    urgent: bool,
) -> ApiResult<Deadline> {
    let now = tx.actor().at;
    if day < BusinessDay::of(now) {
        return Err(ApiError::field("neededDate", "Choose today or a later day."));
    }
    let Some(kept) = of_in(tx, source).await? else { return Ok(Deadline::default()) };
    let rule = kept.rule();
    match delivery_calendar::check(rule, day, now) {
        Ok(cutoff) => Ok(Deadline { cutoff: Some(cutoff), passed: false }),
        Err(_) if urgent && rule.is_urgent(day, now) => {
            Ok(Deadline { cutoff: Some(rule.cutoff(day).min(now)), passed: true })
        }
        Err(Refused::Closed(cutoff)) => Err(ApiError::field("neededDate", passed(day, cutoff))),
        Err(Refused::NotDelivered(next)) => {
            let next: Vec<String> = next.into_iter().map(BusinessDay::display).collect();
            let choose = match next.as_slice() {
                [] => "no day can be chosen in the next weeks".to_owned(),
                days => format!("choose one of {}", days.join(", ")),
            };
            let words = format!("Nothing is delivered on {}; {choose}.", day.display());
            Err(ApiError::field("neededDate", words))
        }
    }
}

/// «Cut-off for {date} was {time}.»
#[must_use]
pub fn passed(day: BusinessDay, cutoff: Timestamp) -> String {
    format!("Cut-off for {} was {}.", day.display(), clock(cutoff))
}

/// A time in UTC+8: `23 Nov 2026, 16:00`.
fn clock(at: Timestamp) -> String {
    let minutes =
        (at.0 / 60_000 + larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS * 60).rem_euclid(1_440);
    format!("{}, {:02}:{:02}", BusinessDay::of(at).display(), minutes / 60, minutes % 60)
}

/// Writes a rule; `seen` is the revision being changed, `None` for a new one. Returns `false` if it has
/// changed meanwhile.
///
/// # Errors
/// If the statement fails.
pub async fn set(
    tx: &mut Tx<'_>,
    source: Source<'_>,
    rule: Rule,
    seen: Option<i64>,
) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    let written = tx
        .sql(
            "insert into delivery_calendars (store_id, source_type, source_id, weekdays, cutoff_days, cutoff_minutes, \
               skip_holidays, revision, created_at, updated_at, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8, $9)
             on conflict (store_id, source_type, source_id) do update set weekdays = excluded.weekdays,
               cutoff_days = excluded.cutoff_days, cutoff_minutes = excluded.cutoff_minutes,
               skip_holidays = excluded.skip_holidays, revision = delivery_calendars.revision + 1,
               updated_at = excluded.updated_at, updated_by = excluded.updated_by
             where delivery_calendars.revision = $10",
        )
        .bind(source.store_id)
        .bind(source.source_type)
        .bind(source.source_id)
        .bind(i64::from(rule.weekdays))
        .bind(rule.cutoff_days)
        .bind(rule.cutoff_minutes)
        .bind(rule.skip_holidays)
        .bind(at)
        .bind(by)
        .bind(seen.unwrap_or(-1))
        .execute()
        .await?;
    Ok(written == 1)
}

/// Removes a rule; returns whether there was one.
///
/// # Errors
/// If the statement fails.
pub async fn remove(tx: &mut Tx<'_>, source: Source<'_>) -> Result<bool, DbError> {
    let query = tx.sql("delete from delivery_calendars").push(ONE).bind(source.store_id);
    Ok(query.bind(source.source_type).bind(source.source_id).execute().await? == 1)
}
