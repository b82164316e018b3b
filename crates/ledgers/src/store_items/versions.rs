//! What products, counted items and mixes consisted of before they were changed. Goods and counts are converted by what
//! was in force when they moved or were made, so a change never touches the days before it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::mix::{self, Batch, Split};
use larder_domain::on_hand::Versions;
use larder_domain::{Factor, Qty, Timestamp};
use serde::{Deserialize, Serialize};

/// How much of a root item is in a base unit of a product.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conversion {
    pub root_item_id: String,
    pub factor: Factor,
}

/// Root items, and how much of each is in one unit.
pub type Parts = Vec<(String, Factor)>;

/// A recipe's line, as stored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    root_item_id: String,
    qty: Qty,
}

/// As stored: nothing stands for a mix that was not there.
type Stored = Option<Json<Vec<Conversion>>>;

fn read(stored: Json<Vec<Conversion>>) -> Parts {
    stored.0.into_iter().map(|part| (part.root_item_id, part.factor)).collect()
}

fn stored(parts: Parts) -> Json<Vec<Conversion>> {
    let part = |(root_item_id, factor)| Conversion { root_item_id, factor };
    Json(parts.into_iter().map(part).collect())
}

/// The root item of a counted item without a mix. The factor defaults to one.
#[must_use]
pub fn own_parts(root: Option<&str>, factor: Option<Factor>) -> Parts {
    let factor = factor.filter(|factor| factor.0 > 0).unwrap_or(Factor(1_000_000_000));
    root.map(|root| (root.to_owned(), factor)).into_iter().collect()
}

/// What ends now: kind, store, id, and its parts.
type Ending<'a> = (&'static str, &'a str, &'a str, Option<Parts>);

async fn note(tx: &mut Tx<'_>, ending: Vec<Ending<'_>>) -> Result<(), DbError> {
    if ending.is_empty() {
        return Ok(());
    }
    let until = tx.actor().at;
    let rows = ending.into_iter().map(|(kind, store, id, parts)| (kind, store, id, until, parts.map(stored)));
    let rows: Vec<_> = rows.collect();
    let columns = &["kind", "store_id", "id", "until", "parts"];
    // Of several changes at one time, only what was in force before the first of them ever was.
    let then = "on conflict (kind, store_id, id, until) do nothing";
    tx.insert_rows("former_parts", columns, rows, then).await?;
    Ok(())
}

/// Whether parts ended that were in force. What had none takes those that it gets first.
fn ended(before: &Parts, after: &Parts) -> bool {
    let sorted = |parts: &Parts| parts.iter().cloned().collect::<BTreeMap<String, Factor>>();
    !before.is_empty() && sorted(before) != sorted(after)
}

/// Notes what a product consisted of before a change.
///
/// # Errors
/// If the database fails.
pub async fn note_product(tx: &mut Tx<'_>, id: &str, before: Parts, after: &Parts) -> Result<(), DbError> {
    if !ended(&before, after) {
        return Ok(());
    }
    note(tx, vec![("product", "", id, Some(before))]).await
}

/// Notes the root item that a counted item represented before a change.
///
/// # Errors
/// If the database fails.
pub async fn note_item(tx: &mut Tx<'_>, id: &str, before: Parts, after: &Parts) -> Result<(), DbError> {
    if !ended(&before, after) {
        return Ok(());
    }
    note(tx, vec![("item", "", id, Some(before))]).await
}

/// Notes what an item's mix in a store consisted of before a change.
///
/// # Errors
/// If the database fails.
pub(super) async fn note_mix(
    tx: &mut Tx<'_>,
    (store, item): (&str, &str),
    before: Option<&[Split]>,
    after: &[Split],
) -> Result<(), DbError> {
    let Some(before) = before else {
        // Only counts are converted by mixes: what was never counted has no past.
        let counted: Option<(i64,)> = tx
            .sql(
                "select cast(1 as bigint) from store_counts c join store_inventory_items i on i.id = c.item_id \
                 where c.store_id = $1 and c.item_id = $2 and i.root_item_id is not null limit 1",
            )
            .bind(store)
            .bind(item)
            .optional()
            .await?;
        let ending = counted.map(|_| ("mix", store, item, None));
        return note(tx, ending.into_iter().collect()).await;
    };
    let recipes: Vec<&str> = before.iter().chain(after).map(|split| split.recipe_id.as_str()).collect();
    let batches = batches(tx, &recipes).await?;
    let parts = |splits: &[Split]| parts_of(splits, |id| batches.get(id).cloned());
    let (was, is) = (parts(before), parts(after));
    if !ended(&was, &is) {
        return Ok(());
    }
    note(tx, vec![("mix", store, item, Some(was))]).await
}

/// Notes what mixes consisted of before a change of a recipe in them.
///
/// # Errors
/// If the database fails.
pub async fn note_recipe(tx: &mut Tx<'_>, id: &str, before: &Batch, after: &Batch) -> Result<(), DbError> {
    if before == after {
        return Ok(());
    }
    let rows: Vec<(String, String, String, Qty)> = tx
        .sql(
            "select s.store_id, s.item_id, s.recipe_id, s.percent from store_item_mix_splits s where exists \
             (select 1 from store_item_mix_splits o where o.store_id = s.store_id and o.item_id = s.item_id \
             and o.recipe_id = $1) order by s.store_id, s.item_id, s.line_no",
        )
        .bind(id)
        .all()
        .await?;
    let mut mixes: BTreeMap<(String, String), Vec<Split>> = BTreeMap::new();
    for (store, item, recipe_id, percent) in rows {
        mixes.entry((store, item)).or_default().push(Split { recipe_id, percent });
    }
    let recipes: Vec<&str> = mixes.values().flatten().map(|split| split.recipe_id.as_str()).collect();
    let batches = batches(tx, &recipes).await?;
    let with = |own: &Batch, recipe: &str| {
        if recipe == id { Some(own.clone()) } else { batches.get(recipe).cloned() }
    };
    let mut ending = Vec::new();
    for ((store, item), splits) in &mixes {
        let was = parts_of(splits, |recipe| with(before, recipe));
        let is = parts_of(splits, |recipe| with(after, recipe));
        if ended(&was, &is) {
            ending.push(("mix", store.as_str(), item.as_str(), Some(was)));
        }
    }
    note(tx, ending).await
}

/// What was too much to be stored was never in force.
fn parts_of(splits: &[Split], batch: impl Fn(&str) -> Option<Batch>) -> Parts {
    mix::roots(splits, batch).unwrap_or_default().into_iter().collect()
}

async fn batches(tx: &mut Tx<'_>, recipes: &[&str]) -> Result<HashMap<String, Batch>, DbError> {
    if recipes.is_empty() {
        return Ok(HashMap::new());
    }
    read_batches(tx.sql(BATCHES).push(" where id in ").push_ids(recipes)).await
}

/// The batches of recipes; a condition may follow.
pub(super) const BATCHES: &str = "select id, yield_qty, root_items from recipes";

pub(super) async fn read_batches(query: Query<'_>) -> Result<HashMap<String, Batch>, DbError> {
    let rows: Vec<(String, Option<Qty>, Json<Vec<Line>>)> = query.all().await?;
    let batch = |(id, yields, lines): (String, Option<Qty>, Json<Vec<Line>>)| {
        let lines = lines.0.into_iter().map(|line| (line.root_item_id, line.qty)).collect();
        (id, Batch { yields, lines })
    };
    Ok(rows.into_iter().map(batch).collect())
}

/// Replaces one root item by another in all that was in force: they were the same all along. Where both were in it, the
/// other stays.
///
/// # Errors
/// If the database fails.
pub async fn replace_root(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), DbError> {
    let rows: Vec<(String, String, String, Timestamp, Stored)> = tx
        .sql("select kind, store_id, id, until, parts from former_parts where cast(parts as text) like ")
        .push_bind(format!("%\"{id}\"%"))
        .all()
        .await?;
    for (kind, store, of, until, parts) in rows {
        let mut parts = parts.map(read).unwrap_or_default();
        let has_both = parts.iter().any(|(root, _)| root == into);
        parts.retain(|(root, _)| root != id || !has_both);
        for (root, _) in parts.iter_mut().filter(|(root, _)| root == id) {
            into.clone_into(root);
        }
        tx.sql(
            "update former_parts set parts = $1 where kind = $2 and store_id = $3 and id = $4 and until = $5",
        )
        .bind(stored(parts))
        .bind(kind)
        .bind(store)
        .bind(of)
        .bind(until)
        .execute()
        .await?;
    }
    Ok(())
}

/// Until when parts were in force; nothing stands for a mix that was not there.
type Former = Vec<(Timestamp, Option<Parts>)>;

const FORMER: &str = "select store_id, id, until, parts from former_parts where kind = ";

/// By store and id.
async fn former(query: Query<'_>) -> Result<HashMap<(String, String), Former>, DbError> {
    let rows: Vec<(String, String, Timestamp, Stored)> = query.all().await?;
    let mut found: HashMap<(String, String), Former> = HashMap::new();
    for (store, id, until, parts) in rows {
        found.entry((store, id)).or_default().push((until, parts.map(read)));
    }
    Ok(found)
}

fn versions(now: Parts, former: Former) -> Versions<Parts> {
    let former = former.into_iter().map(|(until, parts)| (until, parts.unwrap_or_default()));
    Versions::new(now).with_former(former.collect())
}

/// What counted items represented before.
pub(super) struct FormerItems(HashMap<(String, String), Former>);

/// What the counted items of some stores represented before.
pub(super) async fn of_items(db: &Db, stores: &[String]) -> Result<FormerItems, DbError> {
    let query = db.sql(FORMER).push("'item' or kind = 'mix' and store_id in ").push_ids(stores);
    Ok(FormerItems(former(query).await?))
}

impl FormerItems {
    /// What an item of a store represents and represented, from its own root item and its mix there. What had nothing
    /// takes what it gets first.
    pub fn with(&self, (store, item): (&str, &str), own: Parts, mix: Option<Parts>) -> Versions<Parts> {
        if self.0.is_empty() {
            return Versions::new(mix.unwrap_or(own));
        }
        let former = |store: &str| self.0.get(&(store.to_owned(), item.to_owned())).cloned();
        let (of_item, of_mix) = (former(""), former(store));
        if of_item.is_none() && of_mix.is_none() {
            return Versions::new(mix.unwrap_or(own));
        }
        let own = versions(own, of_item.unwrap_or_default());
        let mix = Versions::new(mix).with_former(of_mix.unwrap_or_default());
        let at = |time: Timestamp| mix.at(time).clone().unwrap_or_else(|| own.at(time).clone());
        let now = mix.now().clone().unwrap_or_else(|| own.now().clone());
        let ends: BTreeSet<Timestamp> = own.ends().chain(mix.ends()).collect();
        let former = ends.into_iter().map(|until| (until, at(until.plus_ms(-1))));
        Versions::new(now).with_former(former.filter(|(_, parts)| !parts.is_empty()).collect())
    }
}

/// What some products consist of, and consisted of. Those that were deleted are left out.
pub(super) async fn of_products(db: &Db, ids: &[&str]) -> Result<HashMap<String, Versions<Parts>>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let query = db.sql("select id, root_item_conversions from products where id in ");
    let now: Vec<(String, Json<Vec<Conversion>>)> = query.push_ids(ids).all().await?;
    let mut former =
        former(db.sql(FORMER).push("'product' and store_id = '' and id in ").push_ids(ids)).await?;
    let of = |(id, now): (String, Json<Vec<Conversion>>)| {
        let former = former.remove(&(String::new(), id.clone())).unwrap_or_default();
        (id, versions(read(now), former))
    };
    Ok(now.into_iter().map(of).collect())
}
