//! Runs a definition in parts, as a job if it takes long.

use larder_domain::Span;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::answer::CustomAnswer;
use super::definition::CustomDefinition;
use super::kept_queries as store;
use super::keys::{Fact, Shift, Texts};
use super::left_out::LeftOut;
use super::load;
use super::names::Names;
use super::pivot::Pivot;
use super::plan::{self, Plan};
use super::table::{Extent, table};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Who};
use larder_platform::jobs::{JobCtx, JobError, NewJob};
use larder_platform::people::authentication;

/// Type of the job that runs large queries.
pub const JOB: &str = "reports.custom";

/// A table, or the job that produces it.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomOutcome {
    /// The table, if it was produced synchronously.
    pub answer: Option<CustomAnswer>,
    /// The job that produces it, for large queries.
    pub job_id: Option<String>,
}

/// Parameters of the job.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RunArgs {
    definition: CustomDefinition,
    user_id: String,
}

/// Runs synchronously or starts a job.
///
/// # Errors
/// 422, 403.
pub(crate) async fn at_once_or_later(
    state: &AppState,
    who: &Who,
    definition: &CustomDefinition,
) -> ApiResult<CustomOutcome> {
    let names = plan::names(state, definition).await?;
    let plan = Plan::of(definition, who, &names)?;
    if load::weight(state, &plan, &names).await? > 1.0 {
        let job = begin(state, who, definition).await?;
        return Ok(CustomOutcome { job_id: Some(job), ..CustomOutcome::default() });
    }
    let answer = compute::<ApiError>(state, &plan, &names, Extent::PAGE, &[plan.span], |_, _| Ok(())).await?;
    Ok(CustomOutcome { answer: Some(answer), ..CustomOutcome::default() })
}

/// Starts one job per definition and user.
async fn begin(state: &AppState, who: &Who, definition: &CustomDefinition) -> ApiResult<String> {
    let asked = json!(definition).to_string();
    let key = format!("{JOB}:{}:{}", who.uid, larder_platform::http::session::token_hash(&asked));
    let args = json!(RunArgs { definition: definition.clone(), user_id: who.user_id.clone() });
    let (key, args, id) = (&key, &args, state.new_id());
    let id = &id;
    let job = state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<String> {
            if let Some(open) = store::open_job(tx, key).await? {
                return Ok(open);
            }
            let new = NewJob { kind: JOB, unique_key: Some(key.clone()), args: args.clone() };
            Ok(state.jobs.enqueue(tx, id.clone(), new).await?)
        })
        .await?;
    state.jobs.wake();
    Ok(job)
}

/// The job.
pub async fn work(ctx: JobCtx) -> Result<Value, JobError> {
    let RunArgs { definition, user_id } = ctx.args()?;
    let who = authentication::standing_of_user(&ctx.state, &user_id).await?;
    let who = who.ok_or_else(|| JobError::Failed("You can no longer sign in.".to_owned()))?;
    if !who.can(larder_engines::reports::PAGE, larder_domain::Action::View) {
        return Err(JobError::Failed("You can no longer see reports.".to_owned()));
    }
    let names = plan::names(&ctx.state, &definition).await?;
    let plan = Plan::of(&definition, &who, &names)?;
    let parts = months(plan.span);
    let answer = compute(&ctx.state, &plan, &names, Extent::PAGE, &parts, |done, all| {
        ctx.go_on()?;
        ctx.progress(done, all, "Reading");
        Ok::<(), JobError>(())
    })
    .await?;
    Ok(json!(answer))
}

/// Splits a range by month.
fn months(span: Span) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut from = span.from;
    while from <= span.to {
        let last = from.month().plus(31).month().plus(-1);
        parts.push(Span { from, to: last.min(span.to) });
        from = last.plus(1);
    }
    parts
}

/// Reads the parts of the range and, if compared, of the previous period, and builds the table.
async fn compute<E: From<ApiError>>(
    state: &AppState,
    plan: &Plan,
    names: &Names,
    extent: Extent,
    parts: &[Span],
    mut step: impl FnMut(u64, u64) -> Result<(), E> + Send,
) -> Result<CustomAnswer, E> {
    let mut texts = Texts::default();
    let mut pivot = Pivot::new(plan, names);
    pivot.left_out = LeftOut::read(state, (plan, names), (&mut texts, &mut pivot)).await?;
    let mut read: Vec<_> = parts.iter().map(|part| (*part, None)).collect();
    if let Some((before, shift)) = plan.before {
        let before = if parts.len() > 1 { months(before) } else { vec![before] };
        read.extend(before.into_iter().map(|part| (part, Some(shift))));
    }
    let all = read.len() as u64;
    if !plan.measures.is_empty() {
        for (done, (part, shift)) in (0u64..).zip(read) {
            step(done, all)?;
            read_part(state, plan, names, (&mut texts, &mut pivot), (part, shift)).await?;
        }
    }
    Ok(table(plan, names, &texts, pivot, extent)?)
}

/// Adds the facts of a part to a table; with a shift, of the previous period. Those of store-days that changes leave
/// out are read again, day by day, and taken out of the changes.
///
/// # Errors
/// When the database does not answer; 422 if the table becomes too large.
pub(super) async fn read_part(
    state: &AppState,
    plan: &Plan,
    names: &Names,
    (texts, pivot): (&mut Texts, &mut Pivot<'_>),
    (part, shift): (Span, Option<Shift>),
) -> ApiResult<()> {
    let takes = |fact: &Fact, texts: &mut Texts| pivot.take(fact, texts, shift);
    load::read(state, plan, names, &mut *texts, (part, shift), takes).await?;
    let Some((stores, part)) = pivot.left_out.within(part, shift) else { return Ok(()) };
    let takes = |fact: &Fact, texts: &mut Texts| pivot.leave_out(fact, texts, shift);
    load::read_apart(state, plan, texts, (part, shift), &stores, takes).await
}
