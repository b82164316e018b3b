//! A count of the legacy system. Its id encodes `storeId_date_[session_]itemId`.

use std::collections::HashMap;

use larder_db::Db;
use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::count::{Key, Session, quantity};
use larder_domain::{BusinessDay, Factor, Timestamp};
use serde_json::{Map, Value};

use super::convert::{day, editor, moment, reference};
use super::file::id_of;
use super::queries;
use larder_ledgers::counts::ImportedCount;
use larder_lists::catalog::{Location, RootItem, StoreInventoryItem};
use larder_lists::imports::records::{Directory, Found};

const ITEMS: &str = StoreInventoryItem::DEF.table;
/// One for one, in billionths.
const ONE: Factor = Factor(1_000_000_000);

/// References of counts: stores, items, and in older ones root items.
pub struct Names {
    directory: Directory,
    /// The items of each root item, and how much of it is in a unit.
    of_root: HashMap<String, Vec<(String, Option<Factor>)>>,
}

impl Names {
    /// Loads all records that can be referred to.
    pub async fn load(db: &Db) -> anyhow::Result<Self> {
        let mut directory = Directory::default();
        for table in [Location::DEF.table, ITEMS, RootItem::DEF.table] {
            directory.load_table(db, table).await?;
        }
        let mut of_root: HashMap<String, Vec<_>> = HashMap::new();
        for (item, root, qty) in queries::count_item_mapping(db).await? {
            of_root.entry(root).or_default().push((item, qty));
        }
        Ok(Self { directory, of_root })
    }

    fn text(&self, table: &str, value: &Value) -> Result<String, String> {
        let id = reference(table, value, &self.directory)?;
        Ok(id.as_str().unwrap_or_default().to_owned())
    }

    /// The item of an older count. It referred to the root item, so it means the item mapped to it one to
    /// one.
    fn older(&self, value: &Value) -> Result<String, String> {
        if let Some(Found::One(id)) = value.as_str().map(|named| self.directory.find(ITEMS, named.trim())) {
            return Ok(id.to_owned());
        }
        let root = self.text(RootItem::DEF.table, value)?;
        match self.of_root.get(&root).map_or(&[][..], Vec::as_slice) {
            [(item, qty)] if qty.is_none_or(|qty| qty == ONE) => Ok(item.clone()),
            [_] => Err(format!("The item of the root item «{root}» is another unit of it.")),
            [] => Err(format!("No item is linked to the root item «{root}».")),
            _ => Err(format!("Several items are linked to the root item «{root}».")),
        }
    }
}

/// Parses a count.
///
/// # Errors
/// What is wrong with the document.
pub fn read(document: &Map<String, Value>, names: &Names, now: Timestamp) -> Result<ImportedCount, String> {
    let id = id_of(document);
    let parts = id.as_deref().and_then(IdParts::of).unwrap_or_default();
    let value = |name: &str| document.get(name).filter(|value| !value.is_null());
    let store = value("storeId").cloned().or(parts.store_id.map(Value::from));
    let store_id = names.text(Location::DEF.table, &store.ok_or("The document names no store.")?)?;
    let date = match value("date") {
        Some(date) => serde_json::from_value(day(date)?).map_err(|_| "This is no date.")?,
        None => parts.date.ok_or("The document has no date.")?,
    };
    if date > BusinessDay::of(now) {
        return Err(format!("{} has not begun.", date.display()));
    }
    let session =
        value("session").map_or(Some(parts.session), |session| Session::parse(session.as_str()?.trim()));
    let session = session.ok_or("The session is neither opening nor closing.")?;
    let item_id = match (value("itemId"), value("rootProductId"), parts.item_id) {
        (Some(item), ..) => names.text(ITEMS, item)?,
        (None, Some(root), _) => names.older(root)?,
        (None, None, Some(named)) => names.older(&named.into())?,
        (None, None, None) => return Err("The document names no item.".to_owned()),
    };
    let qty = value("qty").map_or(Ok(None), quantity).map_err(|words| format!("qty: {words}"))?;
    let qty = qty.ok_or("The document has no quantity.")?;
    let key = Key { store_id, date, session, item_id };
    let at = ["updatedAt", "createdAt"].iter().find_map(|name| value(name).and_then(moment));
    Ok(ImportedCount {
        id: id.unwrap_or_else(|| key.id()),
        at: at.unwrap_or_else(|| supposed(&key)).min(now),
        by: value("updatedBy").and_then(editor),
        key,
        qty,
    })
}

/// Assumed time of a count without one: morning for an opening count, otherwise the end of the day.
fn supposed(key: &Key) -> Timestamp {
    let hour = if key.session == Session::Opening { 7 } else { 23 };
    Timestamp((i64::from(key.date.0) * 24 - BUSINESS_UTC_OFFSET_HOURS + hour) * 3_600_000)
}

/// The parts of an id.
#[derive(Debug, Default, PartialEq)]
struct IdParts {
    store_id: Option<String>,
    date: Option<BusinessDay>,
    session: Session,
    item_id: Option<String>,
}

impl IdParts {
    /// The parts around the date may contain underscores.
    fn of(id: &str) -> Option<Self> {
        id.match_indices('_').find_map(|(at, _)| {
            let (store, rest) = (&id[..at], &id[at + 1..]);
            let (date, rest) = rest.split_once('_')?;
            let date: BusinessDay = (date.len() == 10).then(|| date.parse().ok())??;
            let of_session = [Session::Opening, Session::Closing]
                .into_iter()
                .find_map(|session| Some((session, rest.strip_prefix(session.as_str())?.strip_prefix('_')?)));
            let (session, item) = of_session.unwrap_or((Session::Whole, rest));
            let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            Some(Self { store_id: filled(store), date: Some(date), session, item_id: filled(item) })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_parsed() {
        let parts = |store: &str, session, item: &str| {
            let date = "2024-01-31".parse().ok();
            Some(IdParts { store_id: Some(store.into()), date, session, item_id: Some(item.into()) })
        };
        assert_eq!(IdParts::of("s1_2024-01-31_opening_i1"), parts("s1", Session::Opening, "i1"));
        assert_eq!(IdParts::of("s_1_2024-01-31_i_1"), parts("s_1", Session::Whole, "i_1"));
        assert_eq!(IdParts::of("s1_2024-01-31_closing"), parts("s1", Session::Whole, "closing"));
        for nothing in ["", "s1", "s1_2024-13-31_i1", "s1_2024-01-31", "Kj3f_9d"] {
            assert_eq!(IdParts::of(nothing), None, "{nothing}");
        }
    }
}
