//! `/reports/count-compliance`: which counts were taken, store by store and day by day.

use std::collections::HashMap;

use larder_domain::count::{Session, Settings};
use larder_domain::{BusinessDay, Span, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::count_queries::{self as queries, SessionSum, Store};
use crate::AppState;
use crate::books::store_items;
use crate::http::ApiResult;
use crate::reports::figures::share;
use crate::reports::{Column, Nothing, Question, Report, Sheet};

/// What became of a count that was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComplianceState {
    /// It was said to be done, or everything was counted.
    Done,
    /// The same, but some of it after its window, or sent after it.
    Late,
    /// Some of it was counted.
    Partial,
    /// Nothing was.
    Missing,
    /// Its window lasts still.
    Open,
}

impl ComplianceState {
    const fn word(self) -> &'static str {
        match self {
            Self::Done => "Done",
            Self::Late => "Late",
            Self::Partial => "Partial",
            Self::Missing => "Missing",
            Self::Open => "Open",
        }
    }
}

/// A count that was due.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionCompliance {
    /// Which count of the day; empty where the day is not parted.
    pub session: Session,
    /// What became of it.
    pub state: ComplianceState,
    /// How many items were counted.
    pub counted: i64,
    /// How many of them came after the window.
    pub late: i64,
    /// When the first was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_at: Option<Timestamp>,
    /// When the last was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_at: Option<Timestamp>,
    /// When somebody said that it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
}

/// How many counts were due, and what became of them.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountTally {
    /// How many were due; those whose window lasts still are not.
    pub due: i64,
    /// How many were done in time.
    pub done: i64,
    /// How many late.
    pub late: i64,
    /// How many in part.
    pub partial: i64,
    /// How many not at all.
    pub missing: i64,
    /// What was done in time of what was due, from 0 to 1; null where nothing was due.
    pub share: Option<f64>,
}

impl CountTally {
    fn add(&mut self, state: ComplianceState) {
        let one = match state {
            ComplianceState::Done => &mut self.done,
            ComplianceState::Late => &mut self.late,
            ComplianceState::Partial => &mut self.partial,
            ComplianceState::Missing => &mut self.missing,
            ComplianceState::Open => return,
        };
        *one += 1;
        self.due += 1;
        self.share = share(self.done, self.due);
    }
}

/// A store, day by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreCompliance {
    /// The store.
    pub id: String,
    pub name: String,
    /// How many items it counts today.
    pub of: i64,
    /// The counts that were due, one list a day of the range.
    pub days: Vec<Vec<SessionCompliance>>,
    /// All of them.
    pub totals: CountTally,
}

/// The counts of one session in all stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionTotals {
    /// Which count of the day.
    pub session: Session,
    /// What became of them.
    pub totals: CountTally,
}

/// Which counts were taken.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountCompliance {
    /// First day.
    pub from: BusinessDay,
    /// Last day; days to come are left out.
    pub to: BusinessDay,
    /// Every day.
    pub days: Vec<BusinessDay>,
    /// The stores by name.
    pub stores: Vec<StoreCompliance>,
    /// Each day, all stores together.
    pub by_day: Vec<CountTally>,
    /// Each session, all stores and days together.
    pub by_session: Vec<SessionTotals>,
    /// Everything together.
    pub totals: CountTally,
}

/// The declaration.
pub struct CountComplianceReport;

impl Report for CountComplianceReport {
    const NAME: &'static str = "count-compliance";
    const SUMMARY: &'static str = "Which counts were taken, late or missed.";
    /// A quarter.
    const MOST_DAYS: i32 = 92;
    type Asks = Nothing;
    type InFile = Nothing;
    type Answer = CountCompliance;

    async fn answer(state: &AppState, question: &Question, _: &Nothing) -> ApiResult<CountCompliance> {
        answer(state, question).await
    }

    fn sheet(report: &CountCompliance, _: &Nothing, _: &Nothing) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, (&'a str, BusinessDay, &'a SessionCompliance)>;
        let mut rows = Vec::new();
        for store in &report.stores {
            for (day, sessions) in report.days.iter().zip(&store.days) {
                rows.extend(sessions.iter().map(|one| (store.name.as_str(), *day, one)));
            }
        }
        let columns = vec![
            Col::text("Store", 24, |(store, ..)| (*store).to_owned()),
            Col::day("Date", 12, |(_, day, _)| *day),
            Col::text("Count", 10, |(.., one)| word(one.session).to_owned()),
            Col::text("State", 10, |(.., one)| one.state.word().to_owned()),
            Col::count("Items", 8, |(.., one)| one.counted),
            Col::count("Late items", 10, |(.., one)| one.late),
            Col::time("First", 20, |(.., one)| one.first_at),
            Col::time("Last", 20, |(.., one)| one.last_at),
            Col::time("Done at", 20, |(.., one)| one.finished_at),
        ];
        Ok(Sheet::of(Span { from: report.from, to: report.to }, &rows, columns))
    }
}

const fn word(session: Session) -> &'static str {
    match session {
        Session::Whole => "Day",
        Session::Opening => "Opening",
        Session::Closing => "Closing",
    }
}

type Key = (String, BusinessDay, Session);

/// What is known of sessions.
struct Known {
    sums: HashMap<Key, Sum>,
    finished: HashMap<Key, Timestamp>,
    settings: HashMap<String, Settings>,
    of: HashMap<String, i64>,
    now: Timestamp,
}

#[derive(Clone, Copy)]
struct Sum {
    counted: i64,
    late: i64,
    first_at: Timestamp,
    last_at: Timestamp,
}

/// Which counts were taken.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn answer(state: &AppState, question: &Question) -> ApiResult<CountCompliance> {
    let (db, now) = (&state.db, question.at);
    // Nothing was due on days to come.
    let span = Span { from: question.span.from, to: question.span.to.min(BusinessDay::of(now)) };
    let stores = queries::open_stores(db, question.stores.as_deref()).await?;
    let ids: Vec<String> = stores.iter().map(|store| store.id.clone()).collect();
    let settings: HashMap<String, Settings> = queries::settings(db, &ids).await?.into_iter().collect();
    let sums = queries::sessions(db, &ids, span).await?;
    let finished = queries::finished(db, &ids, span).await?;
    let parted = |store: &str| settings.get(store).is_none_or(|settings| settings.auto_session_by_time);
    let finished = finished
        .into_iter()
        .map(|(store, day, session, at)| {
            let session = Session::parse(&session).unwrap_or_default();
            let session = if parted(&store) { session } else { Session::Whole };
            ((store, day, session), at)
        })
        .collect();
    let known = Known {
        sums: gather(sums, parted),
        finished,
        of: store_items::how_many(db, &ids).await?,
        settings,
        now,
    };
    Ok(report(span, stores, &known))
}

/// The counts of each session; one without a session belongs to that of its time of day.
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

fn report(span: Span, stores: Vec<Store>, known: &Known) -> CountCompliance {
    let days: Vec<BusinessDay> = (0..span.days()).map(|day| span.from.plus(day)).collect();
    let mut by_day = vec![CountTally::default(); days.len()];
    let mut by_session = Session::ALL.map(|session| SessionTotals { session, totals: CountTally::default() });
    let mut totals = CountTally::default();
    let mut of_stores = Vec::with_capacity(stores.len());
    for store in stores {
        let mut of_store = StoreCompliance {
            of: known.of.get(&store.id).copied().unwrap_or_default(),
            id: store.id.clone(),
            name: store.name.clone(),
            days: Vec::with_capacity(days.len()),
            totals: CountTally::default(),
        };
        for (at, day) in days.iter().enumerate() {
            let sessions = known.due(&store, *day);
            for one in &sessions {
                of_store.totals.add(one.state);
                by_day[at].add(one.state);
                totals.add(one.state);
                for session in by_session.iter_mut().filter(|of| of.session == one.session) {
                    session.totals.add(one.state);
                }
            }
            of_store.days.push(sessions);
        }
        of_stores.push(of_store);
    }
    CountCompliance {
        from: span.from,
        to: span.to,
        days,
        stores: of_stores,
        by_day,
        by_session: by_session.into_iter().filter(|of| of.totals.due > 0).collect(),
        totals,
    }
}

impl Known {
    /// The counts that were due in a store on a day.
    fn due(&self, store: &Store, day: BusinessDay) -> Vec<SessionCompliance> {
        if store.opening_date.is_some_and(|opening| day < opening) {
            return Vec::new();
        }
        let settings = self.settings.get(&store.id).cloned().unwrap_or_default();
        let sessions: &[Session] = match settings.auto_session_by_time {
            true => &[Session::Opening, Session::Closing],
            false => &[Session::Whole],
        };
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
