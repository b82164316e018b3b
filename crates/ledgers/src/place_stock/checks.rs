//! What a document may take from a place.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::on_hand::in_unit::in_unit;
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::products::{Content, contents};
use super::stores::of_stores;
use crate::stock;
use crate::store_items::root_units;

/// What is known of a product at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtPlace {
    /// The balance in base units, locked until the transaction ends. Nothing beyond it can leave.
    Balance(Qty),
    /// What a store's counts say. More can leave: a person may have found it.
    Expected {
        /// In base units.
        base: Qty,
        root_item_id: String,
        /// In units of the root item.
        root: Qty,
        /// The code of that unit.
        unit: Option<String>,
    },
    /// Never counted in this store, or the product does not consist of exactly one root item.
    Unknown,
}

/// What is at a place of some products. Balances are locked in the ledger's order; a store's stock is computed from what
/// is committed, as of the end of `day`.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn at(
    tx: &mut Tx<'_>,
    db: &Db,
    place: &Place,
    products: &BTreeSet<&str>,
    day: BusinessDay,
) -> Result<BTreeMap<String, AtPlace>, DbError> {
    if place.kind != PlaceKind::Store {
        let mut found = BTreeMap::new();
        for id in products {
            let balance = stock::hold_balance(tx, &stock::product(id), place).await?;
            found.insert((*id).to_owned(), AtPlace::Balance(balance));
        }
        return Ok(found);
    }
    let contents = contents(db).await?;
    let of = |id: &str| contents.iter().find(|content| content.id == id).and_then(Content::only);
    let roots: BTreeSet<&str> = products.iter().filter_map(|id| Some(of(id)?.0)).collect();
    let stores = [place.id.clone()];
    let stock = if roots.is_empty() {
        None
    } else {
        of_stores(db, &stores, Some(&roots), day).await?.remove(&place.id)
    };
    let units = root_units(db).await?;
    let expected = |id: &str| {
        let (root, factor) = of(id)?;
        let on_hand = stock.as_ref()?.get(root)?.on_hand?;
        let base = in_unit(on_hand, factor)?.qty;
        let (root_item_id, unit) = (root.to_owned(), units.get(root).cloned());
        Some(AtPlace::Expected { base, root_item_id, root: on_hand, unit })
    };
    Ok(products.iter().map(|id| ((*id).to_owned(), expected(id).unwrap_or(AtPlace::Unknown))).collect())
}

/// What a line takes of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub product_id: String,
    pub asked: Asked,
}

/// A quantity in the unit of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = MarkedQty)]
pub struct Asked {
    pub qty: Qty,
    /// The code of the unit.
    pub unit: String,
}

/// Marks the root items of some lines to be counted in a store, since they took more than expected.
///
/// # Errors
/// If the database fails.
pub async fn mark(
    tx: &mut Tx<'_>,
    store_id: &str,
    document_id: &str,
    there: &BTreeMap<String, AtPlace>,
    taken: &[Taken],
) -> Result<(), DbError> {
    let at = tx.actor().at;
    // A product of several lines, or several of one root item: one mark.
    let mut roots: BTreeMap<&str, (Qty, Vec<Asked>)> = BTreeMap::new();
    for line in taken {
        let Some(AtPlace::Expected { root_item_id, root, .. }) = there.get(&line.product_id) else {
            continue;
        };
        let (_, asked) = roots.entry(root_item_id).or_insert_with(|| (*root, Vec::new()));
        match asked.iter_mut().find(|one| one.unit == line.asked.unit) {
            Some(one) => one.qty = Qty(one.qty.0.saturating_add(line.asked.qty.0)),
            None => asked.push(line.asked.clone()),
        }
    }
    let row = |(root, (expected, asked))| (store_id, root, at, document_id, expected, Json(asked));
    let rows: Vec<_> = roots.into_iter().map(row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    tx.insert_rows(
        "count_marks",
        &["store_id", "root_item_id", "marked_at", "document_id", "expected", "asked"],
        &rows,
        "on conflict (store_id, root_item_id) do update set marked_at = excluded.marked_at, \
         document_id = excluded.document_id, expected = excluded.expected, asked = excluded.asked",
    )
    .await?;
    Ok(())
}

/// A root item to be counted.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct CountMark {
    pub root_item_id: String,
    pub marked_at: Timestamp,
    /// The document that took more than expected.
    pub document_id: String,
    pub document_kind: Option<String>,
    pub document_no: Option<String>,
    /// What was expected then, in root units.
    pub expected: Qty,
    /// What was taken, one for each unit; unknown for old marks.
    pub asked: Option<Json<Vec<Asked>>>,
}

/// The root items of a store that were marked and not counted since.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn marked(db: &Db, store_id: &str, day: BusinessDay) -> Result<Vec<CountMark>, DbError> {
    let marks: Vec<CountMark> = db
        .sql(
            "select m.root_item_id, m.marked_at, m.document_id, d.kind document_kind, d.number document_no,
                    m.expected, m.asked
             from count_marks m left join documents d on d.id = m.document_id
             where m.store_id = $1 order by m.root_item_id",
        )
        .bind(store_id)
        .all()
        .await?;
    if marks.is_empty() {
        return Ok(marks);
    }
    let roots: BTreeSet<&str> = marks.iter().map(|mark| mark.root_item_id.as_str()).collect();
    let stock = of_stores(db, &[store_id.to_owned()], Some(&roots), day).await?;
    let counted = |mark: &CountMark| {
        let last = stock.get(store_id).and_then(|roots| roots.get(&mark.root_item_id)?.last.as_ref());
        last.is_some_and(|last| last.at > mark.marked_at)
    };
    let open: Vec<bool> = marks.iter().map(|mark| !counted(mark)).collect();
    Ok(marks.into_iter().zip(open).filter(|(_, open)| *open).map(|(mark, _)| mark).collect())
}
