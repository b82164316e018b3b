//! Implicitly creates records a row refers to, if a name is all they need.

use serde_json::{Map, Value, json};

use super::row::{Planner, Row};
use larder_lists::engine::{ListDef, fold};
use larder_lists::imports::records::{Found, fold_path, list_of, refused, settled};

/// Fields a created parent takes from its child.
pub const LIKE_THOSE_BELOW: &[&str] = &["type", "currency"];

/// A record created for a row.
#[derive(Debug, Clone)]
pub struct Made {
    pub def: &'static ListDef,
    pub id: String,
    /// Its folded name with ancestors.
    pub path: String,
    pub body: Map<String, Value>,
}

impl Planner<'_> {
    /// The record a cell refers to, in this or another list. Errors are added at `field`.
    pub fn reference(
        &self,
        row: &mut Row<'_>,
        field: &str,
        table: &'static str,
        text: &str,
    ) -> Option<String> {
        match self.snapshot.directory.find(table, text) {
            Found::One(id) => return Some(id.to_owned()),
            Found::Several => {
                let message = format!("Several records are called «{text}»; use the id or the code.");
                row.wrong(field, text, message);
                return None;
            }
            Found::None => {
                if let Found::One(id) = self.snapshot.directory.find(table, super::read::code(text)) {
                    return Some(id.to_owned());
                }
            }
        }
        let known = row.problems.len();
        let made = list_of(table).and_then(|def| self.make_path(row, def, text));
        if made.is_none() && row.problems.len() == known {
            let one = list_of(table).map_or("record", |def| def.one);
            row.wrong(field, text, format!("There is no {one} «{text}»."));
        }
        made
    }

    /// The record at the end of a path; missing ones along it are created.
    fn make_path(&self, row: &mut Row<'_>, def: &'static ListDef, text: &str) -> Option<String> {
        if !self.request.makes.contains(&def.kind) {
            return None;
        }
        let names: Vec<&str> = match def.tree {
            Some(_) => text.split(':').map(str::trim).collect(),
            None => vec![text],
        };
        let mut above: Option<String> = None;
        let mut path = String::new();
        for name in names {
            path = if path.is_empty() { fold_path(name) } else { format!("{path}:{}", fold(name)) };
            let there = match (def.tree, self.snapshot.directory.with_path(def.table, &path)) {
                (Some(_), Found::One(id)) => Some(id.to_owned()),
                _ => row.made.iter().find(|m| m.def.kind == def.kind && m.path == path).map(|m| m.id.clone()),
            };
            above = Some(match there {
                Some(id) => id,
                None => self.make(row, def, name, path.clone(), above)?,
            });
        }
        above
    }

    fn make(
        &self,
        row: &mut Row<'_>,
        def: &'static ListDef,
        name: &str,
        path: String,
        above: Option<String>,
    ) -> Option<String> {
        let mut body = Map::from_iter([(def.name.to_owned(), json!(name))]);
        if let (Some(tree), Some(above)) = (def.tree, above) {
            body.insert(tree.to_owned(), json!(above));
        }
        // A unit's code defaults to its name; an account takes the type of its children.
        if let Some(code) = def.code.filter(|code| def.field(code).is_some_and(|field| field.required)) {
            body.insert(code.to_owned(), json!(name));
        }
        if def.kind == self.request.def.kind {
            for field in LIKE_THOSE_BELOW {
                if let Some(value) = row.holds(field) {
                    body.insert((*field).to_owned(), value.clone());
                }
            }
        }
        let draft = (def.ops().read)(body).ok()?;
        let body = settled(&draft);
        let id = self.new_id();
        if def.kind == self.request.def.kind
            && let Some(problem) = refused(&self.snapshot, def, &id, &body)
        {
            row.wrong(&problem.field, "", problem.message);
            return None;
        }
        row.made.push(Made { def, id: id.clone(), path, body });
        Some(id)
    }
}
