//! Sales pushed by a till: CSV with a header or JSON lines. Receipts are added to their days, whole days are
//! replaced; invalid rows are reported and the rest is posted.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use larder_db::{Actor, Tx};
use larder_domain::sales::{Field, StoreDay};
use larder_domain::{BusinessDay, Span, plural};
use serde::Serialize;
use serde_json::{Map, json};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::queries;
use larder_engines::connectors::{
    How, Reading, Table, is_open, left_out, open_days, other_senders, received, spend, suggested, table, take,
};
use larder_ledgers::sales::senders::batches_of;
use larder_ledgers::sales::{Outcome, Sent, post_sent};
use larder_ledgers::sales_names::Directory;
use larder_platform::AppState;
use larder_platform::http::retry::{Key, once};
use larder_platform::http::session::{bearer, token_hash};
use larder_platform::http::{ApiError, ApiResult, Json};

/// Maximum number of problems returned.
const MAX_PROBLEMS: usize = 100;

/// The result of a push.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ingested {
    /// Number of posted lines.
    pub accepted: usize,
    /// Number of their store-days.
    pub store_days: usize,
    /// Rejected rows, at most 100.
    pub problems: Vec<IngestProblem>,
}

/// A rejected row.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct IngestProblem {
    /// Row number, from 1, without the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    pub message: String,
}

/// Push sales of a till: CSV with a header, or JSON lines, with the key in `Authorization: Bearer`. With
/// receipt numbers, each receipt is added to its day or replaces itself; without, what the key
/// sent of a store's day is replaced as a whole. A day of which another key sent sales that may be the same is left out
/// and reported. A retry with the same `Idempotency-Key` returns the first response. Days too old or
/// in the future are rejected; lines and new names are limited per hour.
#[utoipa::path(post, path = "/api/tools/import-sales-product/ingest", tag = "import sales",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Ingested)))]
pub(crate) async fn ingest_sales(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Json<serde_json::Value>> {
    let refused = || {
        ApiError::new(
            axum::http::StatusCode::UNAUTHORIZED,
            "unknownKey",
            "This key is not known, or was revoked.",
        )
    };
    let token = bearer(&headers).ok_or_else(refused)?;
    let kept = queries::by_hash(&state.db, &token_hash(token)).await?.ok_or_else(refused)?;
    if kept.revoked_at.is_some() {
        return Err(refused());
    }
    let stores = if kept.all_stores { None } else { Some(queries::stores_of(&state.db, &kept.id).await?) };
    let bytes = received(body).await?;
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let said = Map::from_iter([("sha256".to_owned(), json!(digest))]);
    let key = Key::of(&headers, "ingest sales".to_owned(), &said)?;
    let actor = Actor {
        uid: format!("till:{}", kept.id),
        name: kept.name.clone(),
        email: String::new(),
        from: "till".into(),
        at: state.now(),
    };
    // Checked first, so that a retry does not count against the hourly limit.
    if let Some(key) = &key
        && let Some(first) = state.db.write(&actor, async |tx| key.answered(tx).await).await?
    {
        return Ok(Json(first));
    }
    let directory = Directory::load(&state.db).await?;
    let open = open_days(&state);
    let worked = tokio::task::spawn_blocking(move || {
        let read = read(&bytes, stores.as_deref(), &directory, open);
        (read, directory)
    });
    let (read, directory) = worked.await.map_err(ApiError::internal)?;
    let (days, receipts, answer) = read?;
    spend(&state, &format!("till {}", kept.id), &days).await?;
    let (days, answer, id, directory) = (&days, &answer, kept.id.as_str(), &directory);
    let posted = once(&state.db, &actor, key.as_ref(), async |tx: &mut Tx<'_>| {
        queries::used(tx, id).await?;
        let batches = batches_of(tx, days).await?;
        let others = other_senders(tx, &batches, id).await?;
        let sent = Sent { days, receipts, batch_id: id, others: &others, adds: false };
        let Outcome { asked, .. } = post_sent(tx, sent).await?;
        Ok(json!(answer.without(days, &asked, directory)))
    });
    Ok(Json(posted.await?))
}

impl Ingested {
    /// The result without store-days that were not posted, since another sender's sales are there.
    fn without(&self, days: &[StoreDay], asked: &[usize], directory: &Directory) -> Self {
        let mut answer = self.clone();
        for day in asked.iter().filter_map(|at| days.get(*at)) {
            answer.accepted -= day.lines.len();
            answer.store_days -= 1;
            let store = directory.store_name(&day.store_id).unwrap_or(&day.store_id);
            let message = format!(
                "Sales of {store} on {} were sent by another key or connector too, and may be the same: {} left out. \
                 Send them with a column «terminal» that names the till, and with receipt numbers.",
                BusinessDay(day.day).display(),
                plural(day.lines.len(), "line", "lines")
            );
            answer.problems.insert(0, IngestProblem { row: None, message });
        }
        answer.problems.truncate(MAX_PROBLEMS);
        answer
    }
}

fn read(
    bytes: &[u8],
    stores: Option<&[String]>,
    directory: &Directory,
    open: Span,
) -> ApiResult<(Vec<StoreDay>, bool, Ingested)> {
    let wrong = |words: String| ApiError::unprocessable("notATable", words);
    let mut found = table(bytes, &Reading::default()).map_err(wrong)?;
    let mut reading = Reading { fields: suggested(&found), ..Reading::default() };
    if !reading.fields.contains_key(&Field::Store)
        && let Some([only]) = stores
    {
        reading.store_id = Some(only.clone());
    }
    let missing: Vec<&str> = [Field::Date, Field::Store, Field::Item, Field::Quantity]
        .into_iter()
        .filter(|field| !reading.fields.contains_key(field))
        .filter(|field| *field != Field::Store || reading.store_id.is_none())
        .filter(|field| *field != Field::Item || !reading.fields.contains_key(&Field::ItemName))
        .map(Field::label)
        .collect();
    if !missing.is_empty() {
        return Err(wrong(format!(
            "There is no column for: {}. Name the columns as the documentation says.",
            missing.join(", ")
        )));
    }
    let place = |field: Field| {
        reading.fields.get(&field).and_then(|name| found.columns.iter().position(|it| it == name))
    };
    let of_receipt = [Field::Store, Field::Terminal, Field::Receipt].map(place);
    let receipts = of_receipt[2]
        .is_some_and(|at| found.rows.iter().all(|row| row.get(at).is_some_and(|it| !it.trim().is_empty())));
    // A receipt, or without numbers a store's day, is accepted as a whole or not at all.
    let group = |row: &Vec<String>| -> Vec<String> {
        let places = if receipts { &of_receipt[..] } else { &of_receipt[..1] };
        places.iter().map(|at| at.and_then(|at| row.get(at)).cloned().unwrap_or_default()).collect()
    };
    let how = How { reading: &reading, source: "api", asked: None, look: 0, once: false };
    let mut taken = take(&how, &found, directory);
    let mut problems: Vec<IngestProblem> = taken
        .problems
        .iter()
        .take(MAX_PROBLEMS)
        .map(|it| IngestProblem { row: Some(it.row), message: it.message.clone() })
        .collect();
    if !taken.problem_rows.is_empty() {
        let bad: BTreeSet<Vec<String>> =
            taken.problem_rows.iter().map(|at| group(&found.rows[*at])).collect();
        let rows = std::mem::take(&mut found.rows);
        found = Table { rows: rows.into_iter().filter(|row| !bad.contains(&group(row))).collect(), ..found };
        taken = take(&how, &found, directory);
    }
    if let Some(question) = taken.questions.into_iter().next() {
        return Err(ApiError::unprocessable("asks", question.words));
    }
    for night in &taken.nights {
        problems.push(IngestProblem { row: None, message: format!("{night} Its lines are left out.") });
    }
    for name in taken.unknown.keys() {
        problems.push(IngestProblem { row: None, message: format!("The store «{name}» is not known.") });
    }
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut days, others): (Vec<StoreDay>, Vec<StoreDay>) = taken
        .days
        .into_iter()
        .partition(|day| stores.is_none_or(|stores| stores.iter().any(|id| **id == *day.store_id)));
    for day in &others {
        *refused.entry(&day.store_id).or_default() += day.lines.len();
    }
    for (id, lines) in refused {
        let name = directory.store_name(id).unwrap_or(id);
        problems.push(IngestProblem {
            row: None,
            message: format!("This key may not send {name}: {} left out.", plural(lines, "line", "lines")),
        });
    }
    if let Some(message) = left_out(open, &days) {
        days.retain(|day| is_open(open, day));
        problems.insert(0, IngestProblem { row: None, message });
    }
    problems.truncate(MAX_PROBLEMS);
    let answer =
        Ingested { accepted: days.iter().map(|day| day.lines.len()).sum(), store_days: days.len(), problems };
    Ok((days, receipts, answer))
}
