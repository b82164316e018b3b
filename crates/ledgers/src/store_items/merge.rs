//! Merges two records in visibility and mixes.

use std::collections::BTreeSet;

use larder_db::{DbError, Tx};
use larder_domain::mix::Split;

use super::mixes::{self, Mix, MixRow};
use larder_platform::http::ApiError;

/// Replaces one item by another in visibility and mixes. An existing mix of the other is kept. Returns the
/// number of lists and mixes.
///
/// # Errors
/// If the database fails.
pub async fn replace_item(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<i64, ApiError> {
    let mut moved = 0u64;
    for (add, remove) in [
        (
            "insert into store_item_choices (store_id, item_id) select store_id, $2 from store_item_choices \
             where item_id = $1 on conflict (store_id, item_id) do nothing",
            "delete from store_item_choices where item_id = $1",
        ),
        (
            "insert into store_item_group_items (group_id, item_id) select group_id, $2 \
             from store_item_group_items where item_id = $1 on conflict (group_id, item_id) do nothing",
            "delete from store_item_group_items where item_id = $1",
        ),
    ] {
        tx.sql(add).bind(id).bind(into).execute().await?;
        moved += tx.sql(remove).bind(id).execute().await?;
    }
    for mix in of(tx, "item_id", id).await? {
        let kept: Option<(String,)> = tx
            .sql("select item_id from store_item_mixes where store_id = $1 and item_id = $2")
            .bind(&mix.row.store_id)
            .bind(into)
            .optional()
            .await?;
        if kept.is_none() {
            mixes::write(tx, &mix.row.store_id, into, None, &mix.splits).await?;
        }
        mixes::write(tx, &mix.row.store_id, id, Some(&mix), &[]).await?;
        moved += 1;
    }
    Ok(i64::try_from(moved).unwrap_or(i64::MAX))
}

/// Replaces one recipe by another in every mix; percentages of both in one mix are added. Returns their
/// number.
///
/// # Errors
/// If the database fails.
pub async fn replace_recipe(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<i64, ApiError> {
    let found = of(tx, "recipe_id", id).await?;
    for mix in &found {
        let mut splits: Vec<Split> = Vec::with_capacity(mix.splits.len());
        for split in &mix.splits {
            let recipe = if split.recipe_id == id { into } else { &split.recipe_id };
            match splits.iter_mut().find(|known| known.recipe_id == recipe) {
                Some(known) => {
                    known.percent = known.percent.checked_add(split.percent).unwrap_or(known.percent);
                }
                None => splits.push(Split { recipe_id: recipe.to_owned(), percent: split.percent }),
            }
        }
        mixes::write(tx, &mix.row.store_id, &mix.row.item_id, Some(mix), &splits).await?;
    }
    Ok(i64::try_from(found.len()).unwrap_or(i64::MAX))
}

/// The mixes of an item, or those containing a recipe.
async fn of(tx: &mut Tx<'_>, column: &'static str, id: &str) -> Result<Vec<Mix>, DbError> {
    let rows: Vec<MixRow> = tx
        .sql(
            "select store_id, item_id, revision, updated_at, updated_by from store_item_mixes m where exists \
             (select 1 from store_item_mix_splits s where s.store_id = m.store_id and s.item_id = m.item_id and s.",
        )
        .push(column)
        .push(" = ")
        .push_bind(id)
        .push(") order by store_id, item_id")
        .all()
        .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let splits: Vec<(String, larder_domain::Qty)> = tx
            .sql(
                "select recipe_id, percent from store_item_mix_splits where store_id = $1 and item_id = $2 \
                 order by line_no",
            )
            .bind(&row.store_id)
            .bind(&row.item_id)
            .all()
            .await?;
        let splits = splits.into_iter().map(|(recipe_id, percent)| Split { recipe_id, percent }).collect();
        found.push(Mix { row, splits });
    }
    Ok(found)
}

/// Refuses to delete an item that was counted: its counts would lose their meaning.
///
/// # Errors
/// 409 `inUse`.
pub async fn refuse_counted(tx: &mut Tx<'_>, id: &str) -> Result<(), ApiError> {
    let stores: Vec<(String,)> = tx
        .sql(
            "select l.id from locations l where exists \
             (select 1 from store_counts c where c.store_id = l.id and c.item_id = $1) order by l.id",
        )
        .bind(id)
        .all()
        .await?;
    let stores: BTreeSet<String> = stores.into_iter().map(|(id,)| id).collect();
    if stores.is_empty() {
        return Ok(());
    }
    let uses = serde_json::json!([{ "kind": "storeCount", "label": "stores that counted it", "count": stores.len() }]);
    let words = "This item was counted; take it out of production instead.";
    Err(ApiError::in_use(words, uses))
}
