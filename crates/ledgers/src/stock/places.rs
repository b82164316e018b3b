//! Places of stock: existence and names.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, DbError, Tx};
use larder_domain::ledger::{Place, PlaceKind};

/// The store to which goods in transit go, by the id of their place: it begins with the store's.
#[must_use]
pub fn going_to(place_id: &str) -> Option<&str> {
    place_id.split('_').next().filter(|store| !store.is_empty())
}

/// The table for a kind of place. Stock in transit belongs to its delivery, which keeps its own records.
const fn table(kind: PlaceKind) -> Option<&'static str> {
    match kind {
        PlaceKind::Store => Some("locations"),
        PlaceKind::Commissary => Some("commissaries"),
        PlaceKind::Warehouse => Some("warehouses"),
        PlaceKind::ColdStorage => Some("cold_storages"),
        PlaceKind::InTransit => None,
    }
}

/// Noun for a kind of place.
pub(super) const fn one(kind: PlaceKind) -> &'static str {
    match kind {
        PlaceKind::Store => "store",
        PlaceKind::Commissary => "commissary",
        PlaceKind::Warehouse => "warehouse",
        PlaceKind::ColdStorage => "cold storage",
        PlaceKind::InTransit => "delivery",
    }
}

/// Whether the place exists.
///
/// # Errors
/// If the database fails.
pub async fn find(tx: &mut Tx<'_>, place: &Place) -> Result<bool, DbError> {
    let Some(table) = table(place.kind) else { return Ok(true) };
    let query = tx.sql("select cast(count(*) as bigint) from ").push(table).push(" where id = ");
    Ok(query.push_bind(&place.id).scalar::<i64>().await? > 0)
}

/// A place with its name.
pub type Named = (Place, String);

const DEFAULT: &str = "select id, name from commissaries order by is_default desc, created_at, id limit 1";

/// The commissary used by default: the default one, else the oldest.
///
/// # Errors
/// If the database fails.
pub async fn default_commissary(tx: &mut Tx<'_>) -> Result<Option<Named>, DbError> {
    Ok(tx.sql(DEFAULT).optional().await?.map(commissary))
}

/// As [`default_commissary`], outside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn usual_commissary(db: &Db) -> Result<Option<Named>, DbError> {
    Ok(db.sql(DEFAULT).optional().await?.map(commissary))
}

fn commissary((id, name): (String, String)) -> Named {
    (Place { kind: PlaceKind::Commissary, id }, name)
}

/// Names of places, except those in transit.
///
/// # Errors
/// If the database fails.
pub async fn names(db: &Db, places: &BTreeSet<Place>) -> Result<BTreeMap<Place, String>, DbError> {
    let mut names = BTreeMap::new();
    for &kind in PlaceKind::ALL {
        let ids: Vec<&str> = places.iter().filter(|p| p.kind == kind).map(|p| p.id.as_str()).collect();
        let (Some(table), false) = (table(kind), ids.is_empty()) else { continue };
        let query = db.sql("select id, name from ").push(table).push(" where id in ").push_ids(&ids);
        let found: Vec<(String, String)> = query.all().await?;
        names.extend(found.into_iter().map(|(id, name)| (Place { kind, id }, name)));
    }
    Ok(names)
}
