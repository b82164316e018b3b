//! Resolves records from an id, a code, a name or a name with its parents.

use std::collections::HashMap;

use larder_db::Db;
use serde_json::Value;

use crate::catalog;
use crate::engine::{Kind, ListDef, fold, names};
use larder_platform::http::ApiResult;

/// The list stored in a table.
pub fn list_of(table: &str) -> Option<&'static ListDef> {
    catalog::ALL.iter().copied().find(|def| def.table == table)
}

/// The result of resolving a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found<'a> {
    One(&'a str),
    None,
    /// Ambiguous.
    Several,
}

/// The records of one table by their names.
#[derive(Debug, Default)]
pub struct Known {
    names: HashMap<String, String>,
    by_code: HashMap<String, Vec<String>>,
    by_name: HashMap<String, Vec<String>>,
    paths: HashMap<String, String>,
    by_path: HashMap<String, Vec<String>>,
}

/// The records of some tables by their names.
#[derive(Debug, Default)]
pub struct Directory(HashMap<&'static str, Known>);

impl Directory {
    /// The records that fields of a list can refer to, and the list's own `records`.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn load(db: &Db, def: &'static ListDef, records: &[Value]) -> ApiResult<Self> {
        let mut directory = Self::default();
        directory.add_records(def, records);
        for table in tables(def) {
            directory.load_table(db, table).await?;
        }
        Ok(directory)
    }

    /// Loads a table unless it is loaded.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn load_table(&mut self, db: &Db, table: &'static str) -> ApiResult<()> {
        let Some(def) = list_of(table).filter(|_| !self.0.contains_key(table)) else { return Ok(()) };
        if def.tree.is_some() {
            self.add_records(def, &(def.ops().all)(db).await?);
            return Ok(());
        }
        let known = self.0.entry(table).or_default();
        for name in names(db, def).await? {
            known.add(&name.id, &name.name, name.code.as_deref(), None);
        }
        Ok(())
    }

    fn add_records(&mut self, def: &'static ListDef, records: &[Value]) {
        let known = self.0.entry(def.table).or_default();
        let parents: HashMap<&str, &Value> = records.iter().map(|r| (text(r, "id"), r)).collect();
        for record in records {
            let mut above = Vec::new();
            let mut at = parent(def, record);
            // A tree in the database has no cycles, but it may be deep.
            while let Some(record) = at.and_then(|id| parents.get(id)).filter(|_| above.len() < 100) {
                above.push(text(record, def.name));
                at = parent(def, record);
            }
            above.reverse();
            let path = def.tree.map(|_| above.iter().map(|name| fold(name) + ":").collect::<String>());
            let code = def.code.and_then(|code| record.get(code)).and_then(Value::as_str);
            known.add(text(record, "id"), text(record, def.name), code, path.as_deref());
        }
    }

    /// Adds or renames a record. `parent` is the record above it.
    pub fn add(
        &mut self,
        def: &'static ListDef,
        id: &str,
        name: &str,
        code: Option<&str>,
        parent: Option<&str>,
    ) {
        let known = self.0.entry(def.table).or_default();
        let above = parent.map_or(String::new(), |parent| {
            known.paths.get(parent).map_or(String::new(), |path| format!("{path}:"))
        });
        known.add(id, name, code, def.tree.map(|_| above.as_str()));
    }

    /// Resolves a text in a table: an id, a code, a name, a name with its parents.
    #[must_use]
    pub fn find(&self, table: &str, text: &str) -> Found<'_> {
        let Some(known) = self.0.get(table) else { return Found::None };
        if let Some((id, _)) = known.names.get_key_value(text) {
            return Found::One(id);
        }
        let folded = fold(text);
        match pick(known.by_code.get(&folded)) {
            Found::None => {}
            found => return found,
        }
        match pick(known.by_name.get(&folded)) {
            Found::None => pick(known.by_path.get(&fold_path(text))),
            found => found,
        }
    }

    /// The records with this code.
    #[must_use]
    pub fn with_code(&self, table: &str, code: &str) -> Found<'_> {
        self.0.get(table).map_or(Found::None, |known| pick(known.by_code.get(&fold(code))))
    }

    /// The ids of records with this name.
    #[must_use]
    pub fn with_name(&self, table: &str, name: &str) -> &[String] {
        self.0.get(table).and_then(|known| known.by_name.get(&fold(name))).map_or(&[], Vec::as_slice)
    }

    /// The record with this path of names.
    #[must_use]
    pub fn with_path(&self, table: &str, path: &str) -> Found<'_> {
        self.0.get(table).map_or(Found::None, |known| pick(known.by_path.get(&fold_path(path))))
    }

    /// The name of a record.
    #[must_use]
    pub fn name(&self, table: &str, id: &str) -> Option<&str> {
        self.0.get(table).and_then(|known| known.names.get(id)).map(String::as_str)
    }
}

impl Known {
    fn add(&mut self, id: &str, name: &str, code: Option<&str>, above: Option<&str>) {
        let put = |map: &mut HashMap<String, Vec<String>>, key: String| {
            let ids = map.entry(key).or_default();
            if !ids.iter().any(|known| known == id) {
                ids.push(id.to_owned());
            }
        };
        put(&mut self.by_name, fold(name));
        if let Some(code) = code {
            put(&mut self.by_code, fold(code));
        }
        if let Some(above) = above {
            let path = format!("{above}{}", fold(name));
            put(&mut self.by_path, path.clone());
            self.paths.insert(id.to_owned(), path);
        }
        self.names.insert(id.to_owned(), name.to_owned());
    }
}

fn pick(ids: Option<&Vec<String>>) -> Found<'_> {
    match ids.map_or(&[][..], Vec::as_slice) {
        [] => Found::None,
        [id] => Found::One(id),
        _ => Found::Several,
    }
}

/// `A : B` and `a:b` are the same path.
pub fn fold_path(path: &str) -> String {
    path.split(':').map(fold).collect::<Vec<_>>().join(":")
}

/// The tables that fields of a list refer to.
pub fn tables(def: &'static ListDef) -> Vec<&'static str> {
    let mut tables = Vec::new();
    for field in def.fields {
        match field.kind {
            Kind::Ref => tables.push(field.to),
            Kind::Items(items) => tables.extend(items.refs.iter().map(|(_, table)| *table)),
            _ => {}
        }
    }
    tables.sort_unstable();
    tables.dedup();
    tables
}

fn text<'a>(record: &'a Value, name: &str) -> &'a str {
    record.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn parent<'a>(def: &ListDef, record: &'a Value) -> Option<&'a str> {
    record.get(def.tree?).and_then(Value::as_str)
}
