//! Preview of a connector: the response, columns to choose from, the first twenty lines. Nothing is posted.

use std::collections::BTreeMap;

use larder_domain::sales::Field;
use larder_domain::sales::detect::{ColumnProfile, Guess, Together, suggest};
use larder_domain::{BusinessDay, Money, Qty, Span, plural};
use serde_json::Value;

use super::api::{Api, distinct};
use super::bigquery::{BigQuery, ServiceAccount};
use super::fetch::{Budget, Fault, Journal, Patient};
use super::lines::{How, Table, take};
use super::model::{ConnectorColumn, ConnectorFound, ConnectorLine, ConnectorTrial};
use super::path::{Path, rows, text};
use super::settings::ConnectorSettings;
use super::{Family, feed, store};
use larder_ledgers::sales_names::Directory;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Who};
use larder_platform::jobs::JobError;

/// Lines shown.
const SHOWN: usize = 20;
/// Rows requested from BigQuery.
const ROWS: usize = 200;
/// Elements of a list and characters of a text shown of a response.
const ELEMENTS: usize = 20;
const LETTERS: usize = 500;

/// Runs a preview.
///
/// # Errors
/// 403 for users of some stores, 422 for invalid settings.
pub(super) async fn run<F: Family>(
    state: &AppState,
    who: &Who,
    trial: &ConnectorTrial,
) -> ApiResult<ConnectorFound> {
    store::whole_house(who)?;
    if trial.settings.kind() != F::KIND {
        return Err(ApiError::field("settings", "These are the settings of another kind of connector."));
    }
    let faults = trial.settings.faults(false);
    if !faults.is_empty() {
        return Err(ApiError::invalid(faults));
    }
    let kept = match &trial.id {
        Some(id) => Some(store::find::<F>(state, who, id).await?),
        None => None,
    };
    let feed = matches!(trial.settings, ConnectorSettings::W3p(_));
    let secrets = store::secrets(state, kept.as_ref(), &trial.settings, &trial.secrets, !feed)?;
    let yesterday = BusinessDay::of(who.at).plus(-1);
    let day = trial.day.unwrap_or(yesterday);
    let span = Span { from: day, to: day };
    let journal = Journal::default();
    secrets.values().for_each(|secret| journal.hide(secret));
    let caller = store::caller(state)?;
    let go_on = || Ok::<(), JobError>(());
    let budget = Budget::of_mib(state.config.connector_run_mib);
    let patient = Patient {
        caller: &caller,
        journal: &journal,
        tries: 2,
        wait_ms: 3_000,
        go_on: &go_on,
        now: who.at,
        budget: &budget,
    };
    let mut found = ConnectorFound::default();
    let table = match &trial.settings {
        ConnectorSettings::Api(api) => match Api::new(api, &secrets).first(&patient, span).await {
            Ok(answer) => {
                let table = of_answer(&answer, trial);
                found.answer = Some(cut(&answer, &journal));
                Ok(table)
            }
            Err(fault) => Err(fault),
        },
        ConnectorSettings::Bigquery(its) => {
            let account = secrets.get("serviceAccount").map(String::as_str).unwrap_or_default();
            let account = ServiceAccount::parse(account)
                .map_err(|words| ApiError::field("secrets.serviceAccount", words))?;
            BigQuery::new(its, account, &state.config.bigquery_url).read(&patient, span, Some(ROWS)).await
        }
        ConnectorSettings::W3p(its) => {
            let sample = trial.sample.as_deref().unwrap_or_default();
            feed::table(
                sample.as_bytes(),
                &super::Reading { fields: Default::default(), ..its.reading.clone() },
            )
            .map_err(|words| Fault::Aside { words, raw: Vec::new() })
        }
    };
    match table {
        Ok(table) => fill(state, trial, span, &table, &mut found).await?,
        Err(fault) => found.problem = Some(journal.clean(&words_of(fault)?)),
    }
    found.log = journal.drain().into_iter().map(|(_, words)| words).collect();
    Ok(found)
}

fn words_of(fault: Fault) -> ApiResult<String> {
    match fault {
        Fault::Stop(words) | Fault::Later { words, .. } => Ok(words),
        Fault::Aside { words, raw } => {
            let said = String::from_utf8_lossy(&raw[..raw.len().min(300)]).replace('\0', "␀");
            Ok(if said.trim().is_empty() { words } else { format!("{words} It says: {said}") })
        }
        Fault::Job(_) => Err(ApiError::internal(anyhow::anyhow!("a preview is not a job"))),
    }
}

/// The records of a response with every path.
fn of_answer(answer: &Value, trial: &ConnectorTrial) -> Table {
    let chosen = trial.settings.reading();
    let leaves = feed::leaves(answer);
    let records = chosen.records().ok().filter(|records| !records.0.is_empty());
    let records = records
        .unwrap_or_else(|| leaves.iter().map(Path::list).max_by_key(|list| list.0.len()).unwrap_or_default());
    let columns: Vec<Path> = leaves.into_iter().filter(|leaf| records.begins_with(&leaf.list())).collect();
    let found = rows(answer, &records, &columns).unwrap_or_default();
    Table { columns: columns.iter().map(ToString::to_string).collect(), rows: found, ..Table::default() }
}

async fn fill(
    state: &AppState,
    trial: &ConnectorTrial,
    span: Span,
    table: &Table,
    found: &mut ConnectorFound,
) -> ApiResult<()> {
    found.columns = columns(table);
    found.line_count = i64::try_from(table.rows.len()).unwrap_or(i64::MAX);
    let reading = trial.settings.reading();
    let has = |field: Field| reading.fields.contains_key(&field);
    if !(has(Field::Item) || has(Field::ItemName)) || !(has(Field::Store) || reading.store_id.is_some()) {
        return Ok(());
    }
    let directory = Directory::load(&state.db).await?;
    let dated =
        trial.settings.days_at_once().is_some() && !matches!(trial.settings, ConnectorSettings::W3p(_));
    let how = How {
        reading,
        source: trial.settings.kind().as_str(),
        asked: dated.then_some(span),
        look: SHOWN,
        once: false,
    };
    let taken = take(&how, table, &directory);
    found.lines = taken
        .shown
        .iter()
        .map(|line| ConnectorLine {
            day: line.day,
            store: line.store.clone(),
            store_name: line.store_id.as_ref().and_then(|id| directory.store_name(id)).map(str::to_owned),
            item: line.item.clone(),
            item_known: line.item_id.is_some(),
            receipt: line.receipt.clone(),
            qty: Qty(line.qty),
            net: Money(line.net),
        })
        .collect();
    found.problems = taken
        .problems
        .iter()
        .take(SHOWN)
        .map(|problem| format!("Row {}: {} It says «{}».", problem.row, problem.message, problem.value))
        .collect();
    found.problems.extend(taken.questions.into_iter().map(|question| question.words).chain(taken.nights));
    if taken.outside > 0 {
        found.problems.push(format!(
            "{} of a day that was not asked for.",
            plural(taken.outside, "line is", "lines are")
        ));
    }
    Ok(())
}

/// Suggests a field for each column, by exact or similar name.
#[must_use]
pub fn suggested(table: &Table) -> BTreeMap<Field, String> {
    let named = |column: &str| {
        let last = column.rsplit(['.', ']']).next().unwrap_or(column);
        Field::ALL.into_iter().find(|field| serde_json::to_value(field).is_ok_and(|it| it == last))
    };
    let mut fields: BTreeMap<Field, String> = BTreeMap::new();
    for column in &table.columns {
        if let Some(field) = named(column) {
            fields.entry(field).or_insert_with(|| column.clone());
        }
    }
    for column in columns(table) {
        if let Some(field) = column.suggested
            && !fields.values().any(|used| *used == column.column)
        {
            fields.entry(field).or_insert(column.column);
        }
    }
    fields
}

/// What the columns probably hold, by their names and first rows.
pub(super) fn guess(table: &Table) -> Guess {
    let mut profiles: Vec<ColumnProfile> = Vec::new();
    profiles.resize_with(table.columns.len(), ColumnProfile::default);
    let mut together = Together::default();
    for row in table.rows.iter().take(5_000) {
        for (profile, cell) in profiles.iter_mut().zip(row) {
            profile.see(cell.as_bytes());
        }
        together.see(row.iter().map(String::as_bytes));
    }
    // `data[].lines[].unit_price` is treated like a column «unit price».
    let headers: Vec<String> = table
        .columns
        .iter()
        .map(|column| {
            let last = column.rsplit(['.', ']']).next().unwrap_or(column);
            let mut words = String::new();
            for c in last.chars() {
                if c.is_uppercase() && words.ends_with(|before: char| before.is_lowercase()) {
                    words.push(' ');
                }
                words.push(if c == '_' { ' ' } else { c });
            }
            words
        })
        .collect();
    suggest(Some(&headers), &profiles, &together)
}

/// Columns to choose from, with the field each probably holds.
fn columns(table: &Table) -> Vec<ConnectorColumn> {
    let guess = guess(table);
    let samples = |at: usize| {
        distinct(
            table.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().take(80).collect()),
            4,
        )
    };
    table
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| ConnectorColumn {
            column: column.clone(),
            samples: samples(at),
            suggested: guess.fields.get(at).copied().flatten(),
        })
        .collect()
}

/// A response for display: long lists and texts cut, secrets masked.
fn cut(value: &Value, journal: &Journal) -> Value {
    match value {
        Value::Object(map) => {
            map.iter().take(200).map(|(name, value)| (name.clone(), cut(value, journal))).collect()
        }
        Value::Array(all) => all.iter().take(ELEMENTS).map(|value| cut(value, journal)).collect(),
        Value::String(_) => {
            let whole = journal.clean(&text(value)).replace('\0', "␀");
            if whole.chars().count() > LETTERS {
                whole.chars().take(LETTERS).chain(['…']).collect::<String>().into()
            } else {
                whole.into()
            }
        }
        other => other.clone(),
    }
}
