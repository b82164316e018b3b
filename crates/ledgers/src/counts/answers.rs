//! What people answered about goods that came close to a count.

use std::collections::HashSet;

use larder_db::{Change, ChangeAction, Db, DbError, Tx};
use larder_domain::BusinessDay;
use larder_domain::count::Session;
use serde_json::json;

use super::rows::editor;
use super::sessions::id;

/// An answer about a line of goods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// Line of the receipt, or of the delivery or transfer if it was not received yet.
    pub line_id: String,
    /// Whether the count included it.
    pub included: bool,
}

/// The tables of lines that move a store's goods.
const LINES: [&str; 4] = ["receipt_lines", "shipment_lines", "waste_lines", "supplier_return_lines"];

/// Which of some lines are of documents that move a store's goods, or bring them to it.
///
/// # Errors
/// If the database fails.
pub async fn lines_of(db: &Db, store_id: &str, ids: &[&str]) -> Result<HashSet<String>, DbError> {
    let mut found = HashSet::with_capacity(ids.len());
    for lines in LINES {
        let rows: Vec<(String,)> = db
            .sql("select l.id from ")
            .push(lines)
            .push(" l join documents d on d.id = l.document_id where (d.store_id = ")
            .push_bind(store_id)
            .push(" or d.source_id = ")
            .push_bind(store_id)
            .push(") and l.id in ")
            .push_ids(ids)
            .all()
            .await?;
        found.extend(rows.into_iter().map(|(id,)| id));
    }
    Ok(found)
}

/// Stores answers about a count; later ones replace earlier ones.
///
/// # Errors
/// If the database fails.
pub async fn answer(
    tx: &mut Tx<'_>,
    (store_id, date, session): (&str, BusinessDay, Session),
    answers: &[Answered],
) -> Result<(), DbError> {
    let (now, by) = (tx.actor().at, editor(tx.actor()));
    let rows: Vec<_> = answers
        .iter()
        .map(|one| (store_id, date, session.as_str(), &one.line_id, one.included, now, by.clone()))
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    tx.insert_rows(
        "count_answers",
        &["store_id", "date", "session", "line_id", "included", "answered_at", "answered_by"],
        &rows,
        "on conflict (store_id, date, session, line_id) do update set included = excluded.included, \
         answered_at = excluded.answered_at, answered_by = excluded.answered_by",
    )
    .await?;
    let said: Vec<_> =
        answers.iter().map(|one| json!({ "line": one.line_id, "included": one.included })).collect();
    tx.record(Change {
        kind: "storeCountSession",
        id: id(store_id, date, session),
        store_id: Some(store_id.to_owned()),
        action: ChangeAction::Updated,
        before: None,
        after: Some(json!({ "answers": said })),
    })
    .await
}
