//! Ids and names of records, for references on other screens.

use larder_db::{Db, DbError};
use serde::Serialize;
use utoipa::ToSchema;

use super::define::ListDef;

/// A record as a reference shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Name {
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Whether it is out of use: a closed store, a discontinued product.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub inactive: bool,
    /// For a unit of measure: whether only whole numbers are allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_only: Option<bool>,
}

/// Every record of a list, including hidden ones, which old documents still refer to.
///
/// # Errors
/// If the database fails.
pub async fn names(db: &Db, def: &'static ListDef) -> Result<Vec<Name>, DbError> {
    let column = |name: &str| def.field(name).map_or("id", |field| field.column);
    let named = def.field(def.name);
    let mut query = db.sql("select id, ").push(column(def.name)).push(" as name, ");
    query = match def.code {
        Some(code) => query.push(column(code)),
        None => query.push("cast(null as text)"),
    };
    // Records that are only hidden from a list are still in use.
    let retired = def.hidden.filter(|hidden| matches!(hidden.column, "inactive" | "active"));
    query = match retired {
        Some(hidden) => query.push(" as code, ").push(hidden.column).push(" = ").push_bind(hidden.when),
        None => query.push(" as code, ").push_bind(false),
    };
    query = match def.field("wholeOnly") {
        Some(whole) => query.push(" as inactive, ").push(whole.column),
        None => query.push(" as inactive, ").push_bind(None::<bool>),
    };
    query
        .push(" as whole_only from ")
        .push(def.table)
        .push(" order by ")
        .push(named.and_then(|field| field.key()).unwrap_or("id"))
        .push(", id")
        .all()
        .await
}
