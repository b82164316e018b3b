//! The import record of a file.

use std::collections::HashMap;
use std::sync::Arc;

use larder_db::{Change, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::Timestamp;
use larder_domain::sales::StoreDay;
use larder_domain::sales::day::Unpacked;
use larder_ledgers::sales::{DayKey, Prepared};
use larder_platform::http::ApiError;
use serde_json::{Value, json};

use super::demo_actor::DemoActor;
use super::file_summary::{Named, layout, names, summary};
use super::people::{BOOKKEEPER, PEOPLE};
use super::till::TillFile;

/// The state of an import record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchState {
    /// Uploaded, not yet analysed.
    Uploaded,
    Posted,
    /// Replaced by a later one.
    Superseded,
    Reverted,
}

/// An import record.
#[derive(Debug, Clone)]
pub struct Batch {
    pub id: String,
    name: String,
    file_key: String,
    size: i64,
    sha256: String,
    state: BatchState,
    layout: Value,
    mapping: Option<Value>,
    summary: Option<Value>,
    names: Vec<Named>,
    at: Timestamp,
    by: Value,
    by_uid: String,
}

/// Larger than any file of the demo.
const LARGEST: u64 = 1 << 30;

impl Batch {
    /// Stores the file and describes it.
    pub async fn new(
        demo: &DemoActor<'_>,
        id: &str,
        file: &TillFile,
        days: &[Prepared],
        stores: &HashMap<String, Arc<str>>,
        replaces: usize,
        (state, at): (BatchState, Timestamp),
    ) -> Result<Self, ApiError> {
        let file_key = format!("sales/{id}");
        let body = axum::body::Body::from(file.text.clone()).into_data_stream();
        let stored = demo.state.files.put_stream(&file_key, body, LARGEST).await?;
        let person = PEOPLE[BOOKKEEPER];
        let by_uid = demo.uids[BOOKKEEPER].clone();
        let read = state != BatchState::Uploaded;
        Ok(Self {
            id: id.to_owned(),
            name: file.name.clone(),
            file_key,
            size: i64::try_from(stored.size).unwrap_or(i64::MAX),
            sha256: stored.sha256,
            state,
            layout: layout(file),
            mapping: read.then(|| json!(file.reader.mapping())),
            summary: read.then(|| summary(file, days, replaces)),
            names: if read { names(file, stores) } else { Vec::new() },
            at: demo.not_later(at),
            by: json!({ "uid": by_uid, "name": person.name, "email": person.email }),
            by_uid,
        })
    }
}

/// Writes an import record.
pub async fn insert(tx: &mut Tx<'_>, batch: &Batch) -> Result<(), DbError> {
    let state = match batch.state {
        BatchState::Uploaded => "uploaded",
        BatchState::Posted => "posted",
        BatchState::Superseded => "superseded",
        BatchState::Reverted => "reverted",
    };
    let posted_at = (batch.state != BatchState::Uploaded).then(|| tx.actor().at);
    let reverted_at = (batch.state == BatchState::Reverted).then(|| tx.actor().at.plus_seconds(605));
    tx.sql(
        "insert into sales_batches (id, file_name, file_key, size, sha256, state, layout, mapping, summary,
                                    problem_count, created_at, created_by, created_by_uid, posted_at,
                                    reverted_at, revision)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12, $13, $14, 1)",
    )
    .bind(&batch.id)
    .bind(&batch.name)
    .bind(&batch.file_key)
    .bind(batch.size)
    .bind(&batch.sha256)
    .bind(state)
    .bind(Json(batch.layout.clone()))
    .bind(batch.mapping.clone().map(Json))
    .bind(batch.summary.clone().map(Json))
    .bind(batch.at)
    .bind(Json(batch.by.clone()))
    .bind(&batch.by_uid)
    .bind(posted_at)
    .bind(reverted_at)
    .execute()
    .await?;
    let columns = [
        "batch_id",
        "kind",
        "name_key",
        "name",
        "code",
        "price",
        "store_id",
        "lines",
        "qty",
        "net",
        "first_day",
        "last_day",
        "days",
    ];
    let rows = batch.names.iter().map(|named| {
        let (first, last) = (named.days.first().copied(), named.days.last().copied());
        let days = (named.kind == "store").then(|| Json(named.days.iter().copied().collect::<Vec<i32>>()));
        (
            batch.id.as_str(),
            named.kind,
            named.key.as_str(),
            named.name.as_str(),
            named.code.as_deref(),
            named.price,
            named.store_id.as_deref(),
            named.lines,
            named.qty,
            named.net,
            first,
            last,
            days,
        )
    });
    tx.insert_rows("sales_batch_names", &columns, rows, "").await?;
    let after =
        json!({ "fileName": batch.name, "size": batch.size, "sha256": batch.sha256, "state": "uploaded" });
    record(tx, batch, ChangeAction::Created, None, after).await?;
    if posted_at.is_some() {
        let before = Some(json!({ "state": "uploaded" }));
        record(tx, batch, ChangeAction::Updated, before, json!({ "state": "posted" })).await?;
    }
    Ok(())
}

async fn record(
    tx: &mut Tx<'_>,
    batch: &Batch,
    action: ChangeAction,
    before: Option<Value>,
    after: Value,
) -> Result<(), DbError> {
    let id = batch.id.clone();
    tx.record(Change { kind: "salesBatch", id, store_id: None, action, before, after: Some(after) }).await
}

/// The line of an item on a posted store-day: the day's revision, the line's number, and its quantity in millionths.
pub async fn line_of(db: &Db, day: &DayKey, pos_item_id: &str) -> Result<Option<(i64, u32, i64)>, DbError> {
    let packed: Option<(i64, Vec<u8>)> = db
        .sql(
            "select d.revision, l.packed from sales_days d
             join sales_lines l on l.store_id = d.store_id and l.business_date = d.business_date
               and l.source = d.source
             where d.store_id = $1 and d.business_date = $2 and d.source = $3",
        )
        .bind(&*day.store_id)
        .bind(day.day)
        .bind(&*day.source)
        .optional()
        .await?;
    let Some((revision, packed)) = packed else { return Ok(None) };
    let unpacked = StoreDay::unpack(&packed)
        .ok_or_else(|| DbError::Invalid("a store-day's lines cannot be read".to_owned()))?;
    let Unpacked { items, lines, .. } = unpacked;
    let found = lines.iter().find(|line| items[line.item as usize].pos_item_id.as_ref() == pos_item_id);
    Ok(found.map(|line| (revision, line.line_no, line.qty)))
}
