//! Unique fields of a list. The schema enforces them; here violations are predicted.

use std::collections::HashMap;

use larder_domain::barcode;
use serde_json::{Map, Value};

use crate::engine::{ListDef, fold};

/// Owners of unique keys.
#[derive(Debug, Default)]
pub struct Uniques {
    taken: Vec<HashMap<String, String>>,
    terminals: HashMap<(String, String), String>,
    barcodes: HashMap<String, String>,
}

/// A key owned by another record.
pub struct Taken<'a> {
    /// The field of the error.
    pub field: &'static str,
    pub by: &'a str,
}

impl Uniques {
    /// Takes the keys of a record.
    pub fn put(&mut self, def: &ListDef, id: &str, body: &Map<String, Value>) {
        let keys = def.unique;
        self.taken.resize_with(keys.len(), HashMap::new);
        for (taken, fields) in self.taken.iter_mut().zip(keys) {
            if let Some(key) = key(def, fields, body) {
                taken.insert(key, id.to_owned());
            }
        }
        for till in terminals(def, body) {
            self.terminals.insert(till, id.to_owned());
        }
        for code in barcodes(def, body) {
            self.barcodes.insert(code, id.to_owned());
        }
    }

    /// Frees the keys of a record.
    pub fn remove(&mut self, def: &ListDef, body: &Map<String, Value>) {
        for (taken, fields) in self.taken.iter_mut().zip(def.unique) {
            if let Some(key) = key(def, fields, body) {
                taken.remove(&key);
            }
        }
        for till in terminals(def, body) {
            self.terminals.remove(&till);
        }
        for code in barcodes(def, body) {
            self.barcodes.remove(&code);
        }
    }

    /// The owner of a key, named by its fields.
    pub fn holder(&self, def: &ListDef, fields: &[&str], body: &Map<String, Value>) -> Option<&str> {
        let at = def.unique.iter().position(|known| *known == fields)?;
        self.taken.get(at)?.get(&key(def, fields, body)?).map(String::as_str)
    }

    /// A key of this body owned by another record.
    pub fn taken(&self, def: &ListDef, id: &str, body: &Map<String, Value>) -> Option<Taken<'_>> {
        for (taken, fields) in self.taken.iter().zip(def.unique) {
            let holder = key(def, fields, body).and_then(|key| taken.get(&key)).filter(|by| *by != id);
            if let Some(by) = holder {
                return Some(Taken { field: fields[fields.len() - 1], by });
            }
        }
        let tills = terminals(def, body);
        let mut others = tills.iter().filter_map(|till| self.terminals.get(till)).filter(|by| *by != id);
        if let Some(by) = others.next() {
            return Some(Taken { field: "posTerminals", by });
        }
        let codes = barcodes(def, body);
        let mut others = codes.iter().filter_map(|code| self.barcodes.get(code)).filter(|by| *by != id);
        others.next().map(|by| Taken { field: "barcodes", by })
    }
}

/// A record's key, unless a part of it is missing; the root of a tree counts as a parent.
fn key(def: &ListDef, fields: &[&str], body: &Map<String, Value>) -> Option<String> {
    let mut key = String::new();
    for name in fields {
        let field = def.field(name)?;
        match body.get(*name).and_then(Value::as_str) {
            Some(text) if field.keyed => key.push_str(&fold(text)),
            Some(text) => key.push_str(text),
            None if def.tree == Some(*name) => {}
            None => return None,
        }
        key.push('\u{1f}');
    }
    Some(key)
}

/// The barcodes of a product, as they are compared.
fn barcodes(def: &ListDef, body: &Map<String, Value>) -> Vec<String> {
    if def.field("barcodes").is_none() {
        return Vec::new();
    }
    let listed = body.get("barcodes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    listed.iter().filter_map(|line| line["code"].as_str().map(barcode::key)).collect()
}

/// The till numbers of a store that no other store may have, in the format of the store list.
fn terminals(def: &ListDef, body: &Map<String, Value>) -> Vec<(String, String)> {
    if !def.stores {
        return Vec::new();
    }
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let own = (text(body.get("posCode")), text(body.get("terminalId")));
    let listed = body.get("posTerminals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut all: Vec<_> =
        listed.iter().map(|till| (text(till.get("posCode")), text(till.get("terminalId")))).collect();
    let covered = all.iter().any(|till| *till == own || (own.1.is_empty() && till.0 == own.0));
    if (!own.0.is_empty() || !own.1.is_empty()) && !covered {
        all.push(own);
    }
    // Without a POS code a number is the store's own.
    all.retain(|(code, _)| !code.is_empty());
    all
}
