//! Ids with the names people know them by, for references on other screens.

use larder_db::{Db, DbError};
use serde::Serialize;
use utoipa::ToSchema;

use super::define::ListDef;

/// A record as a reference shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Name {
    /// The record's id.
    pub id: String,
    pub name: String,
    /// Its code, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Whether nothing new is made with it: a store that is closed, a product that is not sold any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub inactive: bool,
    /// Of a unit of measure: whether it comes whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_only: Option<bool>,
}

/// Every record of a list, hidden ones too: old documents still refer to them.
///
/// # Errors
/// When the database does not answer.
pub async fn names(db: &Db, def: &'static ListDef) -> Result<Vec<Name>, DbError> {
    let column = |name: &str| def.field(name).map_or("id", |field| field.column);
    let named = def.field(def.name);
    let mut query = db.sql("select id, ").push(column(def.name)).push(" as name, ");
    query = match def.code {
        Some(code) => query.push(column(code)),
        None => query.push("cast(null as text)"),
    };
    // What is merely hidden from a list is in use.
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
