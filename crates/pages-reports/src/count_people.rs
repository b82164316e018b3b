//! `/reports/count-people`: counts by person, with late counts and recounts.

use larder_domain::{BusinessDay, Span, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::count_queries as queries;
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_platform::AppState;
use larder_platform::http::ApiResult;
use larder_platform::http::export::Cell;

/// A person who counted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountPerson {
    pub uid: String,
    pub name: String,
    /// Number of counts.
    pub counts: i64,
    /// Number of recounts.
    pub corrections: i64,
    /// Number of both taken after their window.
    pub late: i64,
    /// Number of store-days.
    pub days: i64,
    /// Number of stores.
    pub stores: i64,
    /// First count.
    pub first_at: Timestamp,
    /// Last count.
    pub last_at: Timestamp,
}

/// Counts by person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountPeople {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// Most counts first.
    pub items: Vec<CountPerson>,
    /// All counts.
    pub counts: i64,
    /// All recounts.
    pub corrections: i64,
    /// All taken after their window.
    pub late: i64,
}

/// Report definition.
pub struct CountPeopleReport;

impl Report for CountPeopleReport {
    const NAME: &'static str = "count-people";
    const SUMMARY: &'static str = "Who counted.";
    const MOST_DAYS: i32 = 366;
    type Params = NoParams;
    type ExportParams = NoParams;
    type Answer = CountPeople;

    async fn answer(state: &AppState, question: &Question, _: &NoParams) -> ApiResult<CountPeople> {
        answer(state, question).await
    }

    fn sheet(report: &CountPeople, _: &NoParams, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, CountPerson>;
        let columns = vec![
            Col::text("Name", 24, |person| person.name.clone()),
            Col::count("Counts", 10, |person| person.counts),
            Col::count("Corrections", 12, |person| person.corrections),
            Col::count("Late", 8, |person| person.late),
            // Several people may have counted on the same day, so these do not add up.
            Col::any("Days", 8, |person| Cell::Int(person.days)),
            Col::any("Stores", 8, |person| Cell::Int(person.stores)),
            Col::time("First", 20, |person| person.first_at),
            Col::time("Last", 20, |person| person.last_at),
        ];
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

async fn answer(state: &AppState, question: &Question) -> ApiResult<CountPeople> {
    let stores = queries::open_stores(&state.db, question.stores.as_deref()).await?;
    let stores: Vec<String> = stores.into_iter().map(|store| store.id).collect();
    let people = queries::people(&state.db, &stores, question.span).await?;
    let sum = |of: fn(&queries::Person) -> i64| people.iter().map(of).sum::<i64>();
    let (counts, corrections, late) =
        (sum(|one| one.counts), sum(|one| one.corrections), sum(|one| one.late));
    let person = |one: queries::Person| CountPerson {
        name: one.name.filter(|name| !name.is_empty()).unwrap_or_else(|| one.uid.clone()),
        uid: one.uid,
        counts: one.counts,
        corrections: one.corrections,
        late: one.late,
        days: one.days,
        stores: one.stores,
        first_at: one.first_at,
        last_at: one.last_at,
    };
    Ok(CountPeople {
        from: question.span.from,
        to: question.span.to,
        items: people.into_iter().map(person).collect(),
        counts,
        corrections,
        late,
    })
}
