//! The job of a large query, and its cached result.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::Json as Stored;
use larder_domain::{BusinessDay, Span, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::compute::{Ground, compute};
use super::model::{InsightsState, KeptInsights};
use super::queries::{self, InsightsRequest};
use super::question::{self, Daypart, InsightsFilter, InsightsQuery, MOST_DAYS};
use larder_engines::reports::{Question, ReportQuery as Range};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::jobs::{JobCtx, JobError, JobState, NewJob};

/// Type of the job.
pub const JOB: &str = "insights.answer";
/// How long a result is kept.
const KEPT_MS: i64 = 7 * 24 * 3_600_000;

/// Queries older than this are deleted.
pub fn oldest(now: Timestamp) -> Timestamp {
    now.plus_ms(-KEPT_MS)
}

#[derive(Debug, Serialize, Deserialize)]
struct Args {
    key: String,
    from: BusinessDay,
    to: BusinessDay,
    stores: Option<Vec<String>>,
    part: Option<Daypart>,
    against: Option<(BusinessDay, BusinessDay)>,
}

/// Start the calculation of a large query. If it is already running, the caller shares its result.
#[utoipa::path(post, path = "/api/tools/transaction-insights/work", tag = "reports", params(Range, InsightsQuery),
    responses((status = 202)))]
pub(crate) async fn work_out_transaction_insights(
    State(state): State<AppState>,
    who: Who,
    Query(range): Query<Range>,
    Query(query): Query<InsightsQuery>,
) -> ApiResult<StatusCode> {
    let filter = query.read()?;
    let question = range.check(&state, &who).await?;
    question.at_most(MOST_DAYS)?;
    Ground::read(&state.db, &question, &filter).await?.check()?;
    let key = question::key(&question, &filter);
    let address =
        InsightsRequest { asked: address(&range, &query), from: question.span.from, to: question.span.to };
    let args = Args {
        key: key.clone(),
        from: question.span.from,
        to: question.span.to,
        stores: question.stores,
        part: filter.part,
        against: filter.against,
    };
    let args = serde_json::to_value(args).map_err(ApiError::internal)?;
    let (id, key, address, args) = (&state.new_id(), &key, &address, &args);
    let actor = who.actor();
    let begun = state.db.write(&actor, async |tx| {
        queries::prune(tx, oldest(who.at)).await?;
        if queries::kept_in(tx, key).await?.is_some_and(|kept| kept.is_open()) {
            return Ok(());
        }
        let job = NewJob { kind: JOB, unique_key: Some(format!("{JOB}:{key}")), args: args.clone() };
        state.jobs.enqueue(tx, id.clone(), job).await?;
        queries::begin(tx, key, id, address.clone()).await?;
        Ok::<_, ApiError>(())
    });
    begun.await?;
    state.jobs.wake();
    Ok(StatusCode::ACCEPTED)
}

/// Query parameters by name.
fn address(range: &Range, query: &InsightsQuery) -> BTreeMap<String, String> {
    let given = [
        ("from", &range.from),
        ("to", &range.to),
        ("storeIds", &range.store_ids),
        ("areaIds", &range.area_ids),
        ("daypart", &query.daypart),
        ("againstFrom", &query.against_from),
        ("againstTo", &query.against_to),
    ];
    let given =
        given.into_iter().filter_map(|(name, text)| Some((name, text.clone().filter(|it| !it.is_empty())?)));
    given.map(|(name, text)| (name.to_owned(), text)).collect()
}

/// Your large queries of the last week.
#[utoipa::path(get, path = "/api/tools/transaction-insights/kept", tag = "reports",
    responses((status = 200, body = [KeptInsights])))]
pub(crate) async fn list_kept_transaction_insights(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<Vec<KeptInsights>>> {
    let kept = queries::of_person(&state.db, &who.uid, oldest(who.at)).await?;
    let items = kept.into_iter().map(|one| KeptInsights {
        asked: one.asked.0.asked,
        from: one.asked.0.from,
        to: one.asked.0.to,
        state: match one.state {
            JobState::Queued | JobState::Running => InsightsState::Working,
            _ if one.made_at.is_some() => InsightsState::Ready,
            JobState::Cancelled => InsightsState::Stopped,
            _ => InsightsState::Failed,
        },
        asked_at: one.asked_at,
    });
    Ok(Json(items.collect()))
}

/// Computes the result. It only reads, so an interrupted job starts over.
pub async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let args: Args = ctx.args()?;
    let db = &ctx.state.db;
    let began = ctx.state.now();
    let span = Span { from: args.from, to: args.to };
    let question = Question { span, stores: args.stores, at: began };
    let filter = InsightsFilter { part: args.part, against: args.against };
    let ground = Ground::read(db, &question, &filter).await?;
    let answer = compute(db, &ground, &filter, |done, total, name| {
        ctx.progress(done as u64, total as u64, name);
        ctx.go_on()
    })
    .await?;
    let answer = Stored(answer);
    let actor = ctx.actor();
    let put = ctx.state.db.write(&actor, async |tx| {
        queries::put(tx, &args.key, answer.clone(), began).await.map_err(JobError::from)
    });
    put.await?;
    Ok(json!({}))
}
