//! What places answered about recalled lots.

use larder_db::{Change, ChangeAction, DbError, Json, Tx};
use larder_domain::Qty;
use larder_domain::ledger::{Place, PlaceKind};
use serde_json::json;

use larder_platform::audit::Editor;

/// What a place found of a recalled lot.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    pub product_id: &'a str,
    pub lot: &'a str,
    pub place: &'a Place,
    /// In base units.
    pub found: Qty,
    pub note: Option<&'a str>,
    /// The waste report that answers.
    pub document_id: Option<&'a str>,
}

/// What came of a lot to a place, in base units; `None` if it never was there.
///
/// # Errors
/// If the database fails.
pub async fn came(
    tx: &mut Tx<'_>,
    product_id: &str,
    lot: &str,
    place: &Place,
) -> Result<Option<Qty>, DbError> {
    let found: Option<(Qty,)> = tx
        .sql("select came from lot_balances where product_id = $1 and lot = $2 and place_kind = $3 and place_id = $4")
        .bind(product_id)
        .bind(lot)
        .bind(place.kind.as_str())
        .bind(&place.id)
        .optional()
        .await?;
    Ok(found.map(|(came,)| came))
}

/// Stores an answer; a later one replaces it. `false` if the lot never was at the place.
///
/// # Errors
/// If the database fails.
pub async fn answer(tx: &mut Tx<'_>, answer: &Answer<'_>) -> Result<bool, DbError> {
    let Answer { product_id, lot, place, found, note, document_id } = *answer;
    let kind = place.kind.as_str();
    let Some(came) = came(tx, product_id, lot, place).await? else { return Ok(false) };
    let before: Option<(Qty, Option<String>, Qty, Option<String>)> = tx
        .sql(
            "select found, note, came, document_id from recall_answers
             where product_id = $1 and lot = $2 and place_kind = $3 and place_id = $4",
        )
        .bind(product_id)
        .bind(lot)
        .bind(kind)
        .bind(&place.id)
        .optional()
        .await?;
    let after = (found, note.map(str::to_owned), came, document_id.map(str::to_owned));
    if before.as_ref() == Some(&after) {
        return Ok(true);
    }
    let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
    tx.insert_rows(
        "recall_answers",
        &[
            "product_id",
            "lot",
            "place_kind",
            "place_id",
            "found",
            "note",
            "came",
            "answered_at",
            "answered_by",
            "document_id",
        ],
        [(product_id, lot, kind, place.id.as_str(), found, note, came, at, by, document_id)],
        "on conflict (product_id, lot, place_id, place_kind) do update set found = excluded.found, \
         note = excluded.note, came = excluded.came, answered_at = excluded.answered_at, \
         answered_by = excluded.answered_by, document_id = excluded.document_id",
    )
    .await?;
    tx.record(Change {
        kind: "lot",
        id: format!("{product_id}_{lot}"),
        store_id: match place.kind {
            PlaceKind::Store => Some(place.id.clone()),
            PlaceKind::InTransit => super::going_to(&place.id).map(str::to_owned),
            PlaceKind::Commissary | PlaceKind::Warehouse | PlaceKind::ColdStorage => None,
        },
        action: ChangeAction::Updated,
        before: before.map(|(found, note, ..)| json!({ "found": found, "note": note })),
        after: Some(json!({ "found": found, "note": note })),
    })
    .await?;
    Ok(true)
}

/// Withdraws the answers of a waste report that is reversed.
///
/// # Errors
/// If the database fails.
pub async fn withdraw(tx: &mut Tx<'_>, document_id: &str) -> Result<(), DbError> {
    let query = tx.sql("delete from recall_answers where document_id = $1");
    query.bind(document_id).execute().await.map(drop)
}

/// Withdraws all answers about a lot: every place is asked again.
pub(super) async fn ask_again(tx: &mut Tx<'_>, product_id: &str, lot: &str) -> Result<(), DbError> {
    let query = tx.sql("delete from recall_answers where product_id = $1 and lot = $2");
    query.bind(product_id).bind(lot).execute().await.map(drop)
}
