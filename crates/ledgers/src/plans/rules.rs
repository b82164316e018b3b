//! Planning rules for stores, categories and products. The only writer of `plan_rules`.

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::replenishment::{Place, Rule, Rules, Says};
use larder_domain::{Qty, Timestamp};

use larder_platform::audit::Editor;

/// A stored rule.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Kept {
    pub id: String,
    pub store_id: Option<String>,
    pub category_id: Option<String>,
    pub product_id: Option<String>,
    pub service_level: Option<Qty>,
    pub min_qty: Option<Qty>,
    pub max_qty: Option<Qty>,
    pub review_days: Option<i64>,
    pub lead_days: Option<i64>,
    pub shelf_life_days: Option<i64>,
    pub method: Option<String>,
    pub priority: Option<i64>,
    pub percent: Option<Qty>,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

impl Kept {
    /// The domain rule.
    #[must_use]
    pub fn rule(&self) -> Rule {
        let place = Place {
            store_id: self.store_id.clone(),
            category_id: self.category_id.clone(),
            product_id: self.product_id.clone(),
        };
        let says = Says {
            service_level: self.service_level,
            min: self.min_qty,
            max: self.max_qty,
            review_days: self.review_days,
            lead_days: self.lead_days,
            shelf_life_days: self.shelf_life_days,
            method: self.method.clone(),
            priority: self.priority,
            percent: self.percent,
        };
        Rule { id: self.id.clone(), place, says }
    }
}

const SELECT: &str = "select id, store_id, category_id, product_id, service_level, min_qty, max_qty, review_days, \
     lead_days, shelf_life_days, method, priority, percent, revision, updated_at, updated_by from plan_rules r";

/// All rules, global ones first, then by subject.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db) -> Result<Vec<Kept>, DbError> {
    let order = " order by coalesce(store_id, ''), coalesce(category_id, ''), coalesce(product_id, '')";
    db.sql(SELECT).push(order).all().await
}

/// All rules, for look-ups.
///
/// # Errors
/// If the database fails.
pub async fn read(db: &Db) -> Result<Rules, DbError> {
    Ok(all(db).await?.iter().map(Kept::rule).collect())
}

/// A rule by id.
///
/// # Errors
/// If the database fails.
pub async fn find(tx: &mut Tx<'_>, id: &str) -> Result<Option<Kept>, DbError> {
    tx.sql(SELECT).push(" where id = ").push_bind(id).optional().await
}

/// The rule for a subject.
///
/// # Errors
/// If the database fails.
pub async fn at(tx: &mut Tx<'_>, place: &Place) -> Result<Option<Kept>, DbError> {
    let query = tx.sql(SELECT).push(" where ");
    let query = same(query, "coalesce(store_id, '') = ", place.store_id.as_deref());
    let query = same(query, " and coalesce(category_id, '') = ", place.category_id.as_deref());
    same(query, " and coalesce(product_id, '') = ", place.product_id.as_deref()).optional().await
}

fn same<'q>(query: Query<'q>, text: &'static str, id: Option<&str>) -> Query<'q> {
    query.push(text).push_bind(id.unwrap_or_default().to_owned())
}

/// Writes the rule for a subject; `seen` is the revision being changed, `None` for a new rule with this `id`.
/// Returns `false` if it has changed meanwhile.
///
/// # Errors
/// If the statement fails, such as for an unknown store, category or product.
pub async fn set(
    tx: &mut Tx<'_>,
    id: &str,
    place: &Place,
    says: &Says,
    seen: Option<i64>,
) -> Result<bool, DbError> {
    let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
    let written = tx
        .sql(
            "insert into plan_rules (id, store_id, category_id, product_id, service_level, min_qty, max_qty, review_days, \
               lead_days, shelf_life_days, method, priority, percent, revision, created_at, updated_at, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1, $14, $14, $15)
             on conflict (coalesce(store_id, ''), coalesce(category_id, ''), coalesce(product_id, '')) do update set
               service_level = excluded.service_level, min_qty = excluded.min_qty, max_qty = excluded.max_qty,
               review_days = excluded.review_days, lead_days = excluded.lead_days,
               shelf_life_days = excluded.shelf_life_days, method = excluded.method, priority = excluded.priority,
               percent = excluded.percent, revision = plan_rules.revision + 1, updated_at = excluded.updated_at,
               updated_by = excluded.updated_by
             where plan_rules.revision = $16",
        )
        .bind(id)
        .bind(place.store_id.as_deref())
        .bind(place.category_id.as_deref())
        .bind(place.product_id.as_deref())
        .bind(says.service_level)
        .bind(says.min)
        .bind(says.max)
        .bind(says.review_days)
        .bind(says.lead_days)
        .bind(says.shelf_life_days)
        .bind(says.method.as_deref())
        .bind(says.priority)
        .bind(says.percent)
        .bind(at)
        .bind(by)
        .bind(seen.unwrap_or(-1))
        .execute()
        .await?;
    Ok(written == 1)
}

/// Deletes a rule.
///
/// # Errors
/// If the statement fails.
pub async fn remove(tx: &mut Tx<'_>, id: &str) -> Result<(), DbError> {
    tx.sql("delete from plan_rules where id = $1").bind(id).execute().await?;
    Ok(())
}
