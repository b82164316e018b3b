//! The store-days of a file that have to be asked about before it is posted.

use std::collections::HashMap;
use std::sync::Arc;

use larder_domain::sales::day::{StoreDay, Totals, sort};
use larder_domain::sales::existing::{How, Outcomes, distinct};
use larder_domain::{BusinessDay, Money, Qty};

use super::import::LINES;
use super::jobs::post::{kept_lines, resolve};
use super::kept_days::keep_days;
use super::midnight::Ground;
use super::model::{AskedDay, Batch, Comes, DayChoice, Overlap, There};
use super::queries;
use larder_ledgers::sales::existing::{Question, Side, known_days, questions};
use larder_ledgers::sales_names::Directory;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Who};
use larder_platform::jobs::JobError;

/// Maximum number of store-days described.
const MOST_DESCRIBED: usize = 50;

/// Maximum number of store-days held in memory at once.
const DAYS_AT_ONCE: usize = 200;

/// What has to be asked.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Number of store-days.
    pub count: usize,
    /// The first of them.
    pub days: Vec<AskedDay>,
}

/// The store-days of a checked file that have to be asked about. A file whose lines are not kept, as those posted by
/// earlier versions, is asked about as a whole, without descriptions.
pub(super) async fn asked(state: &AppState, who: &Who, batch: &Batch) -> ApiResult<Asked> {
    let key = format!("{}{LINES}", batch.file_key);
    let Some((mut lines, tables)) = kept_lines(state, &key).await.map_err(refused)? else {
        let replaces = batch.summary.as_ref().map_or(0, |summary| summary.replaces);
        return Ok(Asked { count: usize::try_from(replaces).unwrap_or(0), days: Vec::new() });
    };
    let Some(mapping) = &batch.mapping else { return Ok(Asked::default()) };
    let directory = Directory::of(&state.db, batch.subject).await?;
    let mut resolved = resolve(&lines, &tables, &mapping.0, &directory, &who.scope).map_err(refused)?;
    let layout = batch.layout.as_ref().map(|layout| &layout.0);
    Ground { mapping: &mapping.0, layout, tables: &tables, directory: &directory }
        .place(&lines, &mut resolved);
    let source: Arc<str> = batch.subject.source().into();
    keep_days(&state.db, &mut lines, &tables, &mut resolved, &source).await?;
    let sorting = tokio::task::spawn_blocking(move || (sort(lines, &tables, &resolved), tables));
    let (sorted, tables) = sorting.await.map_err(ApiError::internal)?;
    let keys: Vec<(&str, BusinessDay)> =
        sorted.keys().map(|(store, day)| (store.as_ref(), BusinessDay(day))).collect();
    let known = known_days(&state.db, &keys, &source).await?;
    let contested =
        |at: &usize| keys.get(*at).is_some_and(|(store, day)| known.contains(&((*store).to_owned(), *day)));
    let contested: Vec<usize> = (0..keys.len()).filter(contested).collect();
    let mut outcomes: Vec<Outcomes> = Vec::new();
    let mut found: Vec<(StoreDay, Question)> = Vec::new();
    for chunk in contested.chunks(DAYS_AT_ONCE) {
        let comes: Vec<StoreDay> = chunk.iter().map(|at| sorted.store_day(*at, &tables, &source)).collect();
        let questions = questions(&state.db, &comes, &batch.id).await?;
        let asked = comes.into_iter().zip(questions).filter_map(|(day, question)| Some((day, question?)));
        for asked in asked {
            outcomes.push(asked.1.outcomes.clone());
            if found.len() < MOST_DESCRIBED {
                found.push(asked);
            }
        }
    }
    let batches: Vec<&str> =
        found.iter().flat_map(|(_, question)| &question.batches).map(String::as_str).collect();
    let files = queries::batches::file_names(&state.db, &batches).await?;
    // One choice is made for all days, so that each day shows the same ones.
    let offered = distinct(&outcomes);
    let days = found
        .iter()
        .map(|(comes, question)| described(comes, question, &offered, &files, &directory))
        .collect();
    Ok(Asked { count: outcomes.len(), days })
}

fn described(
    comes: &StoreDay,
    question: &Question,
    offered: &[How],
    files: &HashMap<String, String>,
    directory: &Directory,
) -> AskedDay {
    let many = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let store_id = comes.store_id.to_string();
    let store_name = directory.store_name(&store_id).unwrap_or(&store_id).to_owned();
    let (again, sums) = question.overlap;
    let choice = |(id, sums): (How, Totals)| DayChoice { id, qty: Qty(sums.qty), net: Money(sums.net) };
    let choices = question.outcomes.sums().filter(|(id, _)| offered.contains(id));
    let Side { tills, receipts, totals } = question.there.clone();
    let new = question.comes.clone();
    AskedDay {
        store_id,
        store_name,
        day: BusinessDay(comes.day),
        there: There {
            files: question.batches.iter().filter_map(|id| files.get(id).cloned()).collect(),
            tills,
            receipts: many(receipts),
            qty: Qty(totals.qty),
            net: Money(totals.net),
        },
        comes: Comes {
            tills: new.tills,
            receipts: many(new.receipts),
            qty: Qty(new.totals.qty),
            net: Money(new.totals.net),
        },
        overlap: Overlap { receipts: many(again), qty: Qty(sums.qty), net: Money(sums.net) },
        choices: choices.map(choice).collect(),
    }
}

/// Why the lines of a file cannot be used, outside its job.
pub(super) fn refused(error: JobError) -> ApiError {
    match error {
        JobError::Failed(words) => ApiError::conflict("state", words),
        JobError::Broken(error) => ApiError::internal(error),
        JobError::Cancelled | JobError::Interrupted | JobError::Again { .. } | JobError::Later { .. } => {
            ApiError::conflict("state", "The file is being worked on. Reload to see its state.")
        }
    }
}
