//! Imports which items stores count, and how items are split over recipes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::Db;
use larder_domain::mix::{Split, percent};
use larder_domain::{StoreScope, Timestamp};
use serde_json::{Map, Value};

use super::Run;
use super::convert::{moment, reference};
use super::file::{Documents, Line, id_of};
use larder_ledgers::store_items as book;
use larder_ledgers::store_items::{Chosen, GroupChange};
use larder_lists::catalog::{Location, Recipe, StoreInventoryItem};
use larder_lists::imports::records::Directory;
use larder_platform::http::ApiError;
use larder_platform::http::question::is_id;

/// The stores that documents refer to, one document each.
pub struct Stores {
    directory: Directory,
    seen: HashMap<String, u64>,
}

impl Stores {
    /// Loads what the documents of stores refer to.
    pub async fn load(db: &Db) -> anyhow::Result<Self> {
        let mut directory = Directory::default();
        for table in [Location::DEF.table, StoreInventoryItem::DEF.table, Recipe::DEF.table] {
            directory.load_table(db, table).await?;
        }
        Ok(Self { directory, seen: HashMap::new() })
    }

    fn named(&self, table: &str, value: &Value) -> Result<String, String> {
        let id = reference(table, value, &self.directory)?;
        Ok(id.as_str().unwrap_or_default().to_owned())
    }

    /// Line number, store (by `storeId`, else by id) and document; errors are reported.
    pub fn of(&mut self, run: &mut Run<'_>, line: Line) -> Option<(u64, String, Map<String, Value>)> {
        let (number, document) = run.document(line)?;
        let id = id_of(&document);
        let named = document.get("storeId").filter(|value| !value.is_null()).cloned();
        let Some(named) = named.or_else(|| id.clone().map(Value::from)) else {
            run.broken(number, "", "The document names no store.");
            return None;
        };
        let store = match self.named(Location::DEF.table, &named) {
            Ok(store) => store,
            Err(words) => {
                run.broken(number, &id.unwrap_or_default(), words);
                return None;
            }
        };
        self.once(run, number, &store).then_some((number, store, document))
    }

    fn once(&mut self, run: &mut Run<'_>, number: u64, id: &str) -> bool {
        let first = self.seen.insert(id.to_owned(), number);
        if let Some(first) = first {
            run.broken(number, id, format!("Line {first} is about the same."));
        }
        first.is_none()
    }

    /// The distinct ids of a list; missing records are dropped with a note. Numbers are read as text.
    fn ids(&self, run: &mut Run<'_>, (line, id): (u64, &str), table: &str, list: &Value) -> BTreeSet<String> {
        let mut ids = BTreeSet::new();
        for value in list.as_array().into_iter().flatten() {
            match self.named(table, value) {
                Ok(id) => drop(ids.insert(id)),
                Err(words) => run.note(line, id, format!("{words} It was left out.")),
            }
        }
        ids
    }
}

/// Whether a document was written after `than`.
pub fn newer(document: &Map<String, Value>, than: Timestamp) -> bool {
    document.get("updatedAt").and_then(moment).is_some_and(|at| at > than)
}

/// A list in a document; `None` if absent, an error if it is something else.
fn list<'d>(document: &'d Map<String, Value>, name: &str) -> Result<Option<&'d Value>, String> {
    match document.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(list @ Value::Array(_)) => Ok(Some(list)),
        Some(_) => Err(format!("{name} is no list.")),
    }
}

/// Counts what was written, or reports why it was not.
fn tell(
    run: &mut Run<'_>,
    (line, id): (u64, &str),
    new: bool,
    done: Result<(), ApiError>,
) -> anyhow::Result<()> {
    match done {
        Ok(()) if new => run.tally.created += 1,
        Ok(()) => run.tally.updated += 1,
        Err(error) if error.status.is_server_error() => return Err(error.into()),
        Err(error) => run.broken(line, id, error.detail),
    }
    Ok(())
}

/// Imports groups of stores that count the same items.
pub(crate) async fn take_groups(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let mut stores = Stores::load(&run.state.db).await?;
    while let Some(lines) = run.lines(&mut documents)? {
        for line in lines {
            let Some((number, document)) = run.document(line) else { continue };
            let Some(id) = id_of(&document).filter(|id| is_id(id)) else {
                run.broken(number, "", "The document has no id of letters, digits, hyphens and underscores.");
                continue;
            };
            if stores.once(run, number, &id) {
                group(run, &stores, (number, &id), &document).await?;
            }
        }
    }
    Ok(())
}

async fn group(
    run: &mut Run<'_>,
    stores: &Stores,
    (number, id): (u64, &str),
    document: &Map<String, Value>,
) -> anyhow::Result<()> {
    let (items, members) = match (list(document, "itemIds"), list(document, "storeIds")) {
        (Ok(items), Ok(members)) => (items, members),
        (Err(words), _) | (_, Err(words)) => {
            run.broken(number, id, words);
            return Ok(());
        }
    };
    let items = items.map(|list| stores.ids(run, (number, id), StoreInventoryItem::DEF.table, list));
    let members = members.map(|list| stores.ids(run, (number, id), Location::DEF.table, list));
    let name = ["name", "title"].iter().find_map(|name| document.get(*name).and_then(Value::as_str));
    let name = name.map(str::trim).filter(|name| !name.is_empty()).unwrap_or(id);
    let change = &GroupChange {
        name: Some(name.to_owned()),
        item_ids: Some(items.unwrap_or_default()),
        store_ids: Some(members.unwrap_or_default()),
    };
    let known = book::group(&run.state.db, id).await?;
    let revision = known.as_ref().map(|group| group.revision);
    if let Some(known) = &known {
        if (&change.item_ids, &change.store_ids, name)
            == (&Some(known.item_ids.clone()), &Some(known.store_ids.clone()), known.name.as_str())
        {
            run.tally.unchanged += 1;
            return Ok(());
        }
        if !newer(document, known.updated_at) {
            run.tally.left_alone += 1;
            return Ok(());
        }
    }
    let done = run
        .state
        .db
        .write(run.actor, async |tx| book::change_group(tx, &StoreScope::All, id, revision, change).await)
        .await;
    tell(run, (number, id), known.is_none(), done)
}

/// Imports the items each store counts: those of its group if equal, else its own.
pub(crate) async fn take_visibility(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let mut stores = Stores::load(&run.state.db).await?;
    let groups = book::groups(&run.state.db).await?;
    let groups: BTreeMap<&str, &BTreeSet<String>> =
        groups.iter().map(|group| (group.id.as_str(), &group.item_ids)).collect();
    while let Some(lines) = run.lines(&mut documents)? {
        for line in lines {
            let Some((number, store, document)) = stores.of(run, line) else { continue };
            let items = match list(&document, "itemIds") {
                Ok(items) => items,
                Err(words) => {
                    run.broken(number, &store, words);
                    continue;
                }
            };
            let items =
                items.map(|list| stores.ids(run, (number, &store), StoreInventoryItem::DEF.table, list));
            let shown = book::visibility_of(&run.state.db, &store).await?;
            let named =
                document.get("groupId").and_then(Value::as_str).map(str::trim).filter(|id| !id.is_empty());
            let group = named.filter(|id| groups.contains_key(id));
            if let Some(unknown) = named.filter(|_| group.is_none()) {
                run.note(number, &store, format!("There is no group «{unknown}». It was left out."));
            }
            // A group may list a store whose document does not refer to it.
            let group = group.or(shown.chosen.group_id.as_deref());
            let same = group.and_then(|id| groups.get(id)).copied();
            let chosen = Chosen {
                item_ids: items.filter(|items| same != Some(items)),
                group_id: group.map(str::to_owned),
            };
            if chosen == shown.chosen {
                run.tally.unchanged += 1;
                continue;
            }
            // Only the import of its group wrote it.
            let untouched = shown.chosen.item_ids.is_none() && shown.revision <= 1;
            let known = shown.updated.as_ref().filter(|_| !untouched);
            if known.is_some_and(|(at, _)| !newer(&document, *at)) {
                run.tally.left_alone += 1;
                continue;
            }
            let new = known.is_none();
            let (one, chosen) = ([store.as_str()], &chosen);
            let set = async |tx: &mut larder_db::Tx<'_>| book::set_visibility(tx, &one, chosen, None).await;
            let done = run.state.db.write(run.actor, set).await;
            tell(run, (number, &store), new, done)?;
        }
    }
    Ok(())
}

/// Imports how items are split over recipes; a document's id is `storeId_itemId`.
pub(crate) async fn take_mixes(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let mut stores = Stores::load(&run.state.db).await?;
    while let Some(lines) = run.lines(&mut documents)? {
        for line in lines {
            let Some((number, document)) = run.document(line) else { continue };
            let id = id_of(&document).unwrap_or_default();
            match mix(run, &stores, &id, &document).await {
                Ok((store, item, splits)) => {
                    if stores.once(run, number, &book::mix_id(&store, &item)) {
                        put_mix(run, number, (&store, &item), &splits, &document).await?;
                    }
                }
                Err(words) => run.broken(number, &id, words),
            }
        }
    }
    Ok(())
}

/// Store, item and parts of a document.
async fn mix(
    run: &Run<'_>,
    stores: &Stores,
    id: &str,
    document: &Map<String, Value>,
) -> Result<(String, String, Vec<Split>), String> {
    let member = |name: &str| document.get(name).filter(|value| !value.is_null());
    let (store, item) = match (member("storeId"), member("itemId")) {
        (Some(store), Some(item)) => {
            (stores.named(Location::DEF.table, store)?, stores.named(StoreInventoryItem::DEF.table, item)?)
        }
        _ => {
            let named = book::mix_named(&run.state.db, id).await.map_err(|error| error.to_string())?;
            named.ok_or("The document names no store and item.")?
        }
    };
    let mut splits: Vec<Split> = Vec::new();
    for (line, part) in (1..).zip(list(document, "splits")?.and_then(Value::as_array).into_iter().flatten()) {
        let recipe = part.get("recipeId").unwrap_or(&Value::Null);
        let recipe_id =
            stores.named(Recipe::DEF.table, recipe).map_err(|words| format!("Part {line}: {words}"))?;
        let percent = percent(part.get("percent")).map_err(|words| format!("Part {line}: {words}"))?;
        if splits.iter().any(|known| known.recipe_id == recipe_id) {
            return Err(format!("Part {line}: «{recipe_id}» is a part already."));
        }
        splits.push(Split { recipe_id, percent });
    }
    Ok((store, item, splits))
}

async fn put_mix(
    run: &mut Run<'_>,
    number: u64,
    (store, item): (&str, &str),
    splits: &[Split],
    document: &Map<String, Value>,
) -> anyhow::Result<()> {
    let known = book::mixes(&run.state.db, &[store], Some(item)).await?.pop();
    let same = known.as_ref().map_or(&[][..], |mix| &mix.splits) == splits;
    match &known {
        _ if same => {
            run.tally.unchanged += 1;
            return Ok(());
        }
        Some(known) if !newer(document, known.row.updated_at) => {
            run.tally.left_alone += 1;
            return Ok(());
        }
        _ => {}
    }
    let stores = [store];
    let done = run
        .state
        .db
        .write(run.actor, async |tx| book::set_mixes(tx, &stores, item, splits, None).await)
        .await;
    tell(run, (number, &book::mix_id(store, item)), known.is_none(), done)
}
