//! `/reports/count-compliance`: which counts were taken, by store and day.

use larder_domain::count::Session;
use larder_domain::{BusinessDay, Span};
use serde::Serialize;
use utoipa::ToSchema;

use larder_engines::reports::figures::share;
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::count_days;
use larder_ledgers::count_days::{ComplianceState, Known, SessionCompliance, Store};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Counts due, by result.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountTally {
    /// Counts due; those whose window is still open are excluded.
    pub due: i64,
    /// Done in time.
    pub done: i64,
    /// Done late.
    pub late: i64,
    /// Done partially.
    pub partial: i64,
    /// Missed.
    pub missing: i64,
    /// Share done in time, 0 to 1; null if none was due.
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

/// A store's counts by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreCompliance {
    /// Store id.
    pub id: String,
    pub name: String,
    /// Number of items it counts today.
    pub of: i64,
    /// The counts due, one list per day of the range.
    pub days: Vec<Vec<SessionCompliance>>,
    /// Total of the store.
    pub totals: CountTally,
}

/// The counts of one session across all stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionTotals {
    /// The session.
    pub session: Session,
    /// Total of the session.
    pub totals: CountTally,
}

/// Count compliance.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountCompliance {
    /// First day.
    pub from: BusinessDay,
    /// Last day; future days are excluded.
    pub to: BusinessDay,
    /// The days of the range.
    pub days: Vec<BusinessDay>,
    /// Sorted by name.
    pub stores: Vec<StoreCompliance>,
    /// By day, all stores.
    pub by_day: Vec<CountTally>,
    /// By session, all stores and days.
    pub by_session: Vec<SessionTotals>,
    /// Total.
    pub totals: CountTally,
}

/// Report definition.
pub struct CountComplianceReport;

impl Report for CountComplianceReport {
    const NAME: &'static str = "count-compliance";
    const SUMMARY: &'static str = "Which counts were taken, late or missed.";
    /// One quarter.
    const MOST_DAYS: i32 = 92;
    type Params = NoParams;
    type ExportParams = NoParams;
    type Answer = CountCompliance;

    async fn answer(state: &AppState, question: &Question, _: &NoParams) -> ApiResult<CountCompliance> {
        answer(state, question).await
    }

    fn sheet(report: &CountCompliance, _: &NoParams, _: &NoParams) -> ApiResult<Sheet> {
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
        let span = Span { from: report.from, to: report.to };
        let CountTally { done, due, .. } = report.totals;
        Ok(Sheet::of(span, &rows, columns)
            .with_totals()?
            .in_total("State", format!("{done} of {due} in time")))
    }
}

const fn word(session: Session) -> &'static str {
    match session {
        Session::Whole => "Day",
        Session::Opening => "Opening",
        Session::Closing => "Closing",
    }
}

/// Count compliance of the range.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn answer(state: &AppState, question: &Question) -> ApiResult<CountCompliance> {
    let (db, now) = (&state.db, question.at);
    // Nothing is due on future days.
    let span = Span { from: question.span.from, to: question.span.to.min(BusinessDay::of(now)) };
    let stores = count_days::open_stores(db, question.stores.as_deref()).await?;
    let known = count_days::read(db, &stores, span, now).await?;
    Ok(report(span, stores, &known))
}

fn report(span: Span, stores: Vec<Store>, known: &Known) -> CountCompliance {
    let days: Vec<BusinessDay> = (0..span.days()).map(|day| span.from.plus(day)).collect();
    let mut by_day = vec![CountTally::default(); days.len()];
    let mut by_session = Session::ALL.map(|session| SessionTotals { session, totals: CountTally::default() });
    let mut totals = CountTally::default();
    let mut of_stores = Vec::with_capacity(stores.len());
    for store in stores {
        let mut of_store = StoreCompliance {
            of: known.of(&store.id),
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
