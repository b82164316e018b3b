//! Counts due in stores, and their completion. Read-only.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::count::{Hours, Session, Settings};
use larder_domain::{BusinessDay, Span, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::open_days::OpenDays;
use super::store_items;

/// Completion of a due count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComplianceState {
    /// Finished explicitly, or every item counted.
    Done,
    /// The same, but partly after its window, or sent after it.
    Late,
    Partial,
    /// No item counted.
    Missing,
    /// Its window has not ended.
    Open,
}

impl ComplianceState {
    /// The label.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "Done",
            Self::Late => "Late",
            Self::Partial => "Partial",
            Self::Missing => "Missing",
            Self::Open => "Open",
        }
    }
}

/// A due count.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionCompliance {
    /// The session; empty if the day has only one count.
    pub session: Session,
    pub state: ComplianceState,
    /// Number of items counted.
    pub counted: i64,
    /// Of these, after the window.
    pub late: i64,
    /// Time of the first count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_at: Option<Timestamp>,
    /// Time of the last count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_at: Option<Timestamp>,
    /// When it was finished explicitly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
}

/// An open store.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Store {
    pub id: String,
    pub name: String,
}

/// Open stores by name: all, or those given.
///
/// # Errors
/// If the database fails.
pub async fn open_stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<Store>, DbError> {
    let query = db.sql("select id, name from locations where not inactive");
    let query = match wished {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// Totals of a store's session. A count without a session is assigned by time of day.
#[derive(Debug, Clone, sqlx::FromRow)]
struct SessionSum {
    store_id: String,
    date: BusinessDay,
    session: String,
    /// Whether it was counted in the afternoon.
    afternoon: bool,
    /// Number of items counted.
    counted: i64,
    /// Of these, after the window.
    late: i64,
    /// Time of the first count.
    first_at: Timestamp,
    /// Time of the last count.
    last_at: Timestamp,
}

/// Session totals of some stores.
async fn sessions(db: &Db, stores: &[String], span: Span) -> Result<Vec<SessionSum>, DbError> {
    // 14:00 in UTC+8 is 06:00 UTC.
    db.sql(
        "select store_id, date, session, afternoon, cast(count(*) as bigint) as counted, \
         cast(sum(case when late then 1 else 0 end) as bigint) as late, min(stands_at) as first_at, \
         max(stands_at) as last_at from (select store_id, date, session, late, stands_at, \
         stands_at >= date * 86400000 + 21600000 as afternoon from store_counts \
         where qty is not null and date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(") c group by store_id, date, session, afternoon")
    .all()
    .await
}

/// Explicitly finished sessions: store, day, session, time.
async fn finished(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<Vec<(String, BusinessDay, String, Timestamp)>, DbError> {
    db.sql(
        "select store_id, date, session, finished_at from store_count_sessions \
         where finished_at is not null and date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .all()
    .await
}

#[derive(sqlx::FromRow)]
struct SettingsRow {
    store_id: String,
    auto_session_by_time: bool,
    opening_from: i64,
    opening_to: i64,
    closing_from: i64,
    closing_to: i64,
}

/// Count settings of stores that differ from the default.
async fn settings(db: &Db, stores: &[String]) -> Result<Vec<(String, Settings)>, DbError> {
    let rows: Vec<SettingsRow> = db
        .sql(
            "select store_id, auto_session_by_time, opening_from, opening_to, closing_from, closing_to \
             from store_count_settings where store_id in ",
        )
        .push_ids(stores)
        .all()
        .await?;
    let settings = |row: SettingsRow| {
        let settings = Settings {
            auto_session_by_time: row.auto_session_by_time,
            opening: Hours { from: row.opening_from, to: row.opening_to },
            closing: Hours { from: row.closing_from, to: row.closing_to },
            ..Settings::default()
        };
        (row.store_id, settings)
    };
    Ok(rows.into_iter().map(settings).collect())
}

type Key = (String, BusinessDay, Session);

/// Counts of some stores and days.
#[derive(Debug)]
pub struct Known {
    sums: HashMap<Key, Sum>,
    finished: HashMap<Key, Timestamp>,
    settings: HashMap<String, Settings>,
    of: HashMap<String, i64>,
    open: OpenDays,
    now: Timestamp,
}

#[derive(Debug, Clone, Copy)]
struct Sum {
    counted: i64,
    late: i64,
    first_at: Timestamp,
    last_at: Timestamp,
}

/// Reads the counts of some stores and days, as of a time.
///
/// # Errors
/// If the database fails.
pub async fn read(db: &Db, stores: &[Store], span: Span, now: Timestamp) -> Result<Known, DbError> {
    let ids: Vec<String> = stores.iter().map(|store| store.id.clone()).collect();
    let settings: HashMap<String, Settings> = settings(db, &ids).await?.into_iter().collect();
    let sums = sessions(db, &ids, span).await?;
    let finished = finished(db, &ids, span).await?;
    let parted = |store: &str| settings.get(store).is_none_or(|settings| settings.auto_session_by_time);
    let finished = finished
        .into_iter()
        .map(|(store, day, session, at)| {
            let session = Session::parse(&session).unwrap_or_default();
            let session = if parted(&store) { session } else { Session::Whole };
            ((store, day, session), at)
        })
        .collect();
    Ok(Known {
        sums: gather(sums, parted),
        finished,
        of: store_items::how_many(db, &ids).await?,
        open: OpenDays::read(db, &ids, span).await?,
        settings,
        now,
    })
}

/// Counts by session; one without a session is assigned by time of day.
fn gather(sums: Vec<SessionSum>, parted: impl Fn(&str) -> bool) -> HashMap<Key, Sum> {
    let mut gathered: HashMap<Key, Sum> = HashMap::new();
    for one in sums {
        let session = match Session::parse(&one.session).unwrap_or_default() {
            _ if !parted(&one.store_id) => Session::Whole,
            Session::Whole if one.afternoon => Session::Closing,
            Session::Whole => Session::Opening,
            session => session,
        };
        let SessionSum { counted, late, first_at, last_at, .. } = one;
        let sum = Sum { counted, late, first_at, last_at };
        gathered
            .entry((one.store_id, one.date, session))
            .and_modify(|known| {
                known.counted += counted;
                known.late += late;
                known.first_at = known.first_at.min(first_at);
                known.last_at = known.last_at.max(last_at);
            })
            .or_insert(sum);
    }
    gathered
}

impl Known {
    /// Number of items a store counts today.
    #[must_use]
    pub fn of(&self, store_id: &str) -> i64 {
        self.of.get(store_id).copied().unwrap_or_default()
    }

    /// End of a store's count window.
    #[must_use]
    pub fn end(&self, store_id: &str, day: BusinessDay, session: Session) -> Timestamp {
        self.settings.get(store_id).cloned().unwrap_or_default().window(day, session).to
    }

    /// Counts due in a store on a day: none where it has nothing to count, before it started, and on a closed day,
    /// unless it was counted.
    #[must_use]
    pub fn due(&self, store: &Store, day: BusinessDay) -> Vec<SessionCompliance> {
        let settings = self.settings.get(&store.id).cloned().unwrap_or_default();
        let sessions: &[Session] = match settings.auto_session_by_time {
            true => &[Session::Opening, Session::Closing],
            false => &[Session::Whole],
        };
        let is_counted = |session: &Session| self.sums.contains_key(&(store.id.clone(), day, *session));
        let is_due = self.of(&store.id) > 0 && self.open.is_open(&store.id, day);
        if !self.open.has_started(&store.id, day) || (!is_due && !sessions.iter().any(is_counted)) {
            return Vec::new();
        }
        sessions.iter().map(|session| self.session(store, day, *session, &settings)).collect()
    }

    fn session(
        &self,
        store: &Store,
        day: BusinessDay,
        session: Session,
        settings: &Settings,
    ) -> SessionCompliance {
        let key = (store.id.clone(), day, session);
        let (sum, finished_at) = (self.sums.get(&key).copied(), self.finished.get(&key).copied());
        let end = settings.window(day, session).to;
        let of = self.of.get(&store.id).copied().unwrap_or_default();
        let state = match sum {
            Some(sum) if finished_at.is_some() || sum.counted >= of => {
                if sum.late > 0 || sum.last_at >= end {
                    ComplianceState::Late
                } else {
                    ComplianceState::Done
                }
            }
            _ if self.now < end => ComplianceState::Open,
            Some(_) => ComplianceState::Partial,
            None => ComplianceState::Missing,
        };
        SessionCompliance {
            session,
            state,
            counted: sum.map_or(0, |sum| sum.counted),
            late: sum.map_or(0, |sum| sum.late),
            first_at: sum.map(|sum| sum.first_at),
            last_at: sum.map(|sum| sum.last_at),
            finished_at,
        }
    }
}
