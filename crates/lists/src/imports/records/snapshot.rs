//! A list's records, ready for comparison.

use std::collections::{HashMap, HashSet};

use larder_db::Db;
use serde_json::{Map, Value};

use super::body::body_of;
use super::directory::Directory;
use super::hooks;
use super::unique::Uniques;
use crate::engine::ListDef;
use crate::imports::queries;
use larder_platform::http::ApiResult;

/// A record with its revision.
#[derive(Debug, Clone)]
pub struct Current {
    pub body: Map<String, Value>,
    pub revision: i64,
}

/// Everything a row is compared with: the records as stored, and as they will be after the rows so far.
#[derive(Debug, Default)]
pub struct Snapshot {
    pub records: HashMap<String, Current>,
    /// Names of these and all records that fields refer to.
    pub directory: Directory,
    /// Owners of unique keys.
    pub uniques: Uniques,
    /// Accounts that products refer to: their type is fixed.
    pub used_accounts: HashSet<String>,
    /// For each record, the number of those below it in a tree, or of its variants.
    pub parents: HashMap<String, u32>,
}

impl Snapshot {
    /// From the database.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn load(db: &Db, def: &'static ListDef) -> ApiResult<Self> {
        let records = (def.ops().all)(db).await?;
        Self::over(db, def, records).await
    }

    /// From the records of a list.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn over(db: &Db, def: &'static ListDef, records: Vec<Value>) -> ApiResult<Self> {
        let directory = Directory::load(db, def, &records).await?;
        let used_accounts = match def.kind {
            "account" => queries::used_accounts(db).await?.into_iter().collect(),
            _ => HashSet::new(),
        };
        let mut snapshot = Self { directory, used_accounts, ..Self::default() };
        for record in records {
            let Value::Object(record) = record else { continue };
            let id = record.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
            let revision = record.get("revision").and_then(Value::as_i64).unwrap_or(0);
            snapshot.put(def, &id, Current { body: body_of(record), revision });
        }
        Ok(snapshot)
    }

    /// Applies a row to a record, with its side effects.
    pub fn apply(&mut self, def: &'static ListDef, id: &str, current: Current) {
        let text = |name: Option<&str>| name.and_then(|name| current.body.get(name)).and_then(Value::as_str);
        let (name, code, parent) = (text(Some(def.name)).unwrap_or_default(), text(def.code), text(def.tree));
        self.directory.add(def, id, name, code, parent);
        hooks::follow(self, def, id, &current.body);
        self.put(def, id, current);
    }

    /// Replaces a record.
    fn put(&mut self, def: &'static ListDef, id: &str, current: Current) {
        self.forget(def, id);
        self.uniques.put(def, id, &current.body);
        if let Some(parent) = belongs_to(def, &current.body) {
            *self.parents.entry(parent.to_owned()).or_default() += 1;
        }
        self.records.insert(id.to_owned(), current);
    }

    fn forget(&mut self, def: &'static ListDef, id: &str) {
        let Some(before) = self.records.remove(id) else { return };
        self.uniques.remove(def, &before.body);
        if let Some(count) = belongs_to(def, &before.body).and_then(|parent| self.parents.get_mut(parent)) {
            *count -= 1;
        }
    }
}

/// The record of the same list that a record refers to.
fn belongs_to<'a>(def: &ListDef, body: &'a Map<String, Value>) -> Option<&'a str> {
    body.get(def.own_field()?.name).and_then(Value::as_str)
}

/// The parent record, in a tree.
pub fn above<'a>(def: &ListDef, body: &'a Map<String, Value>) -> Option<&'a str> {
    body.get(def.tree?).and_then(Value::as_str)
}
