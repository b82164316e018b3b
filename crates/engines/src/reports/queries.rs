//! Stores and item names for sales reports.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::sales::UNMAPPED;
use larder_domain::{BusinessDay, Span};
use larder_ledgers::open_days::OpenDays;
use larder_ledgers::sales::numbers;

use super::Question;
use super::gaps::{StoreGap, stores_without_sales};

/// Name and type of an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemName {
    pub id: String,
    pub name: String,
    /// A root item's type or a POS item's category.
    pub kind: Option<String>,
}

/// Item names by id.
#[derive(Debug, Default)]
pub struct ItemNames {
    items: HashMap<String, ItemName>,
    /// Unmapped names as files and tills wrote them, by item id.
    written: HashMap<String, String>,
}

impl ItemNames {
    /// Name of an item; unmapped ones go by the name as a file or till wrote it.
    pub fn name(&self, id: &str) -> String {
        let unmapped = || unmapped_name(id, self.written.get(id).map(String::as_str));
        self.items.get(id).map_or_else(unmapped, |item| item.name.clone())
    }

    /// Its type or category.
    pub fn kind(&self, id: &str) -> Option<String> {
        self.items.get(id).and_then(|item| item.kind.clone())
    }

    /// The name and type of an item by id.
    pub fn get(&self, id: &str) -> Option<&ItemName> {
        self.items.get(id)
    }
}

/// Display name of an unmapped item: as a file or till wrote it, else its key.
#[must_use]
pub fn unmapped_name(id: &str, written: Option<&str>) -> String {
    let name = written.or_else(|| id.strip_prefix(UNMAPPED)).unwrap_or(id);
    format!("{name} (not mapped)")
}

/// Names of all root items by id.
pub async fn root_names(db: &Db) -> Result<ItemNames, DbError> {
    Ok(by_id(db.sql("select id, name, item_type as kind from root_items").all().await?))
}

/// Names of all POS items and unmapped names by id.
pub async fn pos_names(db: &Db) -> Result<ItemNames, DbError> {
    let items = db
        .sql(
            "select id, description as name, category as kind from pos_items
             union all select id, name, 'Root item' as kind from root_items",
        )
        .all();
    let (items, written) = tokio::try_join!(items, numbers::written(db))?;
    Ok(ItemNames { written, ..by_id(items) })
}

fn by_id(items: Vec<ItemName>) -> ItemNames {
    let items = items.into_iter().map(|item| (item.id.clone(), item)).collect();
    ItemNames { items, written: HashMap::new() }
}

/// Id and name of stores with sales, by name.
pub async fn stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<(String, String)>, DbError> {
    let query = db.sql(
        "select id, name from locations l
         where exists (select 1 from sales_days d where d.store_id = l.id)",
    );
    let query = match wished {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// The stores in use with open days without sales, up to yesterday.
///
/// # Errors
/// If the database fails.
pub async fn without_sales(db: &Db, question: &Question) -> Result<Vec<StoreGap>, DbError> {
    let Question { span, stores, at } = question;
    let span = Span { to: span.to.min(BusinessDay::of(*at).plus(-1)), ..*span };
    if span.from > span.to {
        return Ok(Vec::new());
    }
    let query = db.sql("select id, name from locations where not inactive");
    let query = match stores {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    let stores: Vec<(String, String)> = query.push(" order by name_key, id").all().await?;
    let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
    let open = OpenDays::read(db, &ids, span).await?;
    Ok(stores_without_sales(&open, stores.iter().map(|(id, name)| (id.as_str(), name.as_str(), span))))
}

/// Stores in regional areas, or in operational areas and their descendants.
pub(crate) async fn stores_in_areas(db: &Db, areas: &[String]) -> Result<Vec<String>, DbError> {
    let found: Vec<(String,)> = db
        .sql(
            "with recursive area (id) as (
               select id from operational_areas where id in ",
        )
        .push_ids(areas)
        .push(
            " union select o.id from operational_areas o join area on o.parent_id = area.id
             )
             select id from locations
             where operational_area_id in (select id from area) or regional_area_id in ",
        )
        .push_ids(areas)
        .push(" order by id")
        .all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The shares received of order lines `l`, added up: of each at most all of it, in millionths. A redelivery counts towards
/// the line that was ordered.
pub const SHARES_RECEIVED: &str = "sum(case when l.qty_ordered <= 0 or l.backorder_of is not null then 0
    when l.qty_received >= l.qty_ordered then 1000000
    else cast(round(cast(l.qty_received as double precision) / l.qty_ordered * 1000000) as bigint) end)";

/// The number of lines that [`SHARES_RECEIVED`] is of, in millionths.
pub const LINES_ORDERED: &str =
    "sum(case when l.qty_ordered <= 0 or l.backorder_of is not null then 0 else 1000000 end)";
