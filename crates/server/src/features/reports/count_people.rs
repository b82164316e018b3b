//! `/reports/count-people`: who counted, how much of it late or again.

use axum::extract::State;
use axum::response::Response;
use larder_domain::{BusinessDay, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::count_compliance::{FileShape, at_most};
use super::count_queries as queries;
use super::question::{Asked, Question};
use crate::AppState;
use crate::http::Who;
use crate::http::error::ApiResult;
use crate::http::export::{self, Cell, Column, Format};
use crate::http::json::{Json, Query};

/// The longest range: a year.
const MAX_DAYS: i32 = 366;

/// Somebody who counted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountPerson {
    /// Their account.
    pub uid: String,
    /// Their name.
    pub name: String,
    /// How many counts they took.
    pub counts: i64,
    /// How many they took that had been taken before.
    pub corrections: i64,
    /// How many of both came after their window.
    pub late: i64,
    /// On how many days, each store's apart.
    pub days: i64,
    /// In how many stores.
    pub stores: i64,
    /// When they counted first.
    pub first_at: Timestamp,
    /// When they counted last.
    pub last_at: Timestamp,
}

/// Who counted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountPeople {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// The people, who counted most first.
    pub items: Vec<CountPerson>,
    /// All counts.
    pub counts: i64,
    /// All that had been taken before.
    pub corrections: i64,
    /// All that came after their window.
    pub late: i64,
}

/// Who counted.
#[utoipa::path(get, path = "/api/reports/count-people", tag = "reports", params(Asked),
    responses((status = 200, body = CountPeople)))]
pub(crate) async fn count_people(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
) -> ApiResult<Json<CountPeople>> {
    let question = asked.check(&state, &who).await?;
    Ok(Json(answer(&state, &question).await?))
}

/// The same as a file.
#[utoipa::path(get, path = "/api/reports/count-people/export", tag = "reports", params(Asked, FileShape),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_count_people(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
    Query(shape): Query<FileShape>,
) -> ApiResult<Response> {
    let format = Format::read(shape.format.as_deref())?;
    let question = asked.check(&state, &who).await?;
    let report = answer(&state, &question).await?;
    let columns = [
        ("Name", 24),
        ("Counts", 10),
        ("Corrections", 12),
        ("Late", 8),
        ("Days", 8),
        ("Stores", 8),
        ("First", 20),
        ("Last", 20),
    ];
    let columns = columns.into_iter().map(|(title, width)| Column::new(title, width)).collect();
    let row = |person: CountPerson| {
        vec![
            Cell::Text(person.name),
            Cell::Int(person.counts),
            Cell::Int(person.corrections),
            Cell::Int(person.late),
            Cell::Int(person.days),
            Cell::Int(person.stores),
            Cell::Time(person.first_at),
            Cell::Time(person.last_at),
        ]
    };
    let rows: Vec<Vec<Cell>> = report.items.into_iter().map(row).collect();
    let name = format!("count-people-{}-{}", report.from, report.to);
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

async fn answer(state: &AppState, question: &Question) -> ApiResult<CountPeople> {
    at_most(question.span, MAX_DAYS)?;
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
