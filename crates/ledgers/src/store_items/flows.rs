//! Daily receipts, issues and use of root items in stores.

use std::collections::{BTreeSet, HashMap, HashSet};

use larder_db::{Db, DbError, Json};
use larder_domain::on_hand::{Flow, Passed};
use larder_domain::{BusinessDay, Factor, Qty, Span};
use serde::Deserialize;

use crate::sales::{numbers, sums};

/// How much of a root item is in a base unit of a product.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conversion {
    pub root_item_id: String,
    pub factor: Factor,
}

/// By store and root item; of `wanted` root items, or of all with any flow.
pub type Flows = HashMap<String, HashMap<String, Flow>>;

type Happened = HashMap<String, HashMap<String, Vec<(BusinessDay, Passed)>>>;

/// Flows in some stores. Product movements count by the root items in them; use is sales times bills of
/// materials.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn flows(
    db: &Db,
    stores: &[String],
    span: Span,
    wanted: Option<&BTreeSet<&str>>,
) -> Result<Flows, DbError> {
    let mut happened = Happened::new();
    if !stores.is_empty() && span.from <= span.to {
        moved(db, stores, span, wanted, &mut happened).await?;
        used(db, stores, span, wanted, &mut happened).await?;
    }
    let flow = |(root, days): (String, Vec<(BusinessDay, Passed)>)| (root, Flow::of(days));
    Ok(happened.into_iter().map(|(store, roots)| (store, roots.into_iter().map(flow).collect())).collect())
}

async fn moved(
    db: &Db,
    stores: &[String],
    span: Span,
    wanted: Option<&BTreeSet<&str>>,
    happened: &mut Happened,
) -> Result<(), DbError> {
    // Merges are not movements.
    let rows: Vec<(String, String, String, BusinessDay, Qty)> = db
        .sql(
            "select place_id, item_kind, item_id, business_date, cast(sum(qty) as bigint) from stock_movements \
             where place_kind = 'store' and document_type <> 'merge' and business_date between $1 and $2 \
             and place_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(" group by place_id, item_kind, item_id, business_date")
        .all()
        .await?;
    let sums = rows.into_iter().map(|(store, kind, item, day, qty)| Sum { store, kind, item, qty, of: day });
    for sum in in_roots(db, sums.collect()).await? {
        if wanted.is_none_or(|wanted| wanted.contains(sum.item.as_str())) {
            let passed = Passed { moved: sum.qty, used: Qty::ZERO };
            happened.entry(sum.store).or_default().entry(sum.item).or_default().push((sum.of, passed));
        }
    }
    Ok(())
}

/// Movements of an item in a store.
pub(super) struct Sum<T> {
    pub store: String,
    pub kind: String,
    pub item: String,
    pub qty: Qty,
    /// Date and further keys.
    pub of: T,
}

/// Converts movements to root items, products by their contents.
pub(super) async fn in_roots<T: Copy>(db: &Db, sums: Vec<Sum<T>>) -> Result<Vec<Sum<T>>, DbError> {
    let products: BTreeSet<&str> =
        sums.iter().filter(|sum| sum.kind == "product").map(|sum| sum.item.as_str()).collect();
    let products: Vec<&str> = products.into_iter().collect();
    let converted: Vec<(String, Json<Vec<Conversion>>)> = if products.is_empty() {
        Vec::new()
    } else {
        let query = db.sql("select id, root_item_conversions from products where id in ");
        query.push_ids(&products).all().await?
    };
    let converted: HashMap<String, Vec<Conversion>> =
        converted.into_iter().map(|(id, list)| (id, list.0)).collect();
    let mut in_roots = Vec::with_capacity(sums.len());
    for sum in sums {
        if sum.kind != "product" {
            in_roots.push(sum);
            continue;
        }
        for conversion in converted.get(&sum.item).into_iter().flatten() {
            let words = || DbError::Invalid("a movement comes to more than can be stored".to_owned());
            in_roots.push(Sum {
                store: sum.store.clone(),
                kind: "rootItem".to_owned(),
                item: conversion.root_item_id.clone(),
                qty: sum.qty.scaled(conversion.factor).ok_or_else(words)?,
                of: sum.of,
            });
        }
    }
    Ok(in_roots)
}

async fn used(
    db: &Db,
    stores: &[String],
    span: Span,
    wanted: Option<&BTreeSet<&str>>,
    happened: &mut Happened,
) -> Result<(), DbError> {
    let ids = numbers::all(db).await?;
    let known: Option<HashSet<u32>> = wanted.map(|wanted| {
        let named = ids.iter().filter(|(_, id)| wanted.contains(id.as_ref()));
        named.map(|(number, _)| *number).collect()
    });
    let is_wanted = |item: u32| known.as_ref().is_none_or(|known| known.contains(&item));
    for (store, day, item, [qty]) in sums::days(db, sums::ROOT, span, stores, is_wanted).await? {
        let Some(root) = ids.get(&item) else { continue };
        let passed = Passed { moved: Qty::ZERO, used: Qty(qty) };
        happened.entry(store).or_default().entry(root.to_string()).or_default().push((day, passed));
    }
    Ok(())
}
