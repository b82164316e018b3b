//! Names of the changed records.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};

use larder_platform::audit::Row;
use larder_platform::entity_types::EntityTypes;

/// Names by entity type and id, of records that still exist.
pub async fn names(
    db: &Db,
    kinds: &EntityTypes,
    rows: &[Row],
) -> Result<HashMap<(String, String), String>, DbError> {
    let mut wanted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows {
        wanted.entry(&row.kind).or_default().insert(&row.record_id);
    }
    let mut names = HashMap::new();
    for (kind, ids) in wanted {
        let ids: Vec<&str> = ids.into_iter().collect();
        let Some((table, column)) = kinds.get(kind).and_then(|kind| kind.named) else { continue };
        let query = db.sql("select id, ").push(column).push(" from ").push(table).push(" where id in ");
        let found: Vec<(String, String)> = query.push_ids(&ids).all().await?;
        names.extend(found.into_iter().map(|(id, name)| ((kind.to_owned(), id), name)));
    }
    Ok(names)
}
