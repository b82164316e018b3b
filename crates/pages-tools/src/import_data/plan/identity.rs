//! Finds the record of a row.

use serde_json::{Map, json};

use super::super::fields::{Destination, PATH};
use super::super::model::{ImportMatch, ImportProblem};
use super::row::{Planner, Row};
use larder_lists::engine::{Kind, fold};
use larder_lists::imports::records::Found;

/// The record of a row.
#[derive(Debug, Default)]
pub struct Identity {
    /// An existing one.
    pub existing: Option<String>,
    /// The id for a new one.
    pub keeps: Option<String>,
}

impl Identity {
    fn is(id: &str) -> Self {
        Self { existing: Some(id.to_owned()), keeps: None }
    }
}

impl Planner<'_> {
    /// Finds a row's record by the chosen field or, if that is empty, by id.
    pub fn identify(&self, row: &Row<'_>) -> Result<Identity, ImportProblem> {
        let id = self.text_of(row, "id").unwrap_or_default();
        let by_id = self.snapshot.records.contains_key(id);
        match self.request.by {
            ImportMatch::Id => {}
            ImportMatch::Code => {
                let code = self.request.def.code.unwrap_or("id");
                match self.text_of(row, code).filter(|text| !text.is_empty()) {
                    Some(text) => return self.by_code(code, text, id),
                    None if by_id => return Ok(Identity::is(id)),
                    None => {}
                }
            }
            ImportMatch::Name => match self.by_name(row, id)? {
                Some(found) => return Ok(found),
                None if by_id && self.name_of(row).is_none() => return Ok(Identity::is(id)),
                None => return self.new_one(id),
            },
        }
        if by_id { Ok(Identity::is(id)) } else { self.new_one(id) }
    }

    fn by_code(&self, field: &str, code: &str, id: &str) -> Result<Identity, ImportProblem> {
        let (directory, table) = (&self.snapshot.directory, self.request.def.table);
        // A record may have been created with the apostrophe that marks its code as text.
        let code =
            if directory.with_code(table, code) == Found::None { super::read::code(code) } else { code };
        match directory.with_code(table, code) {
            Found::One(found) if self.holds(found, field, code) => Ok(Identity::is(found)),
            Found::Several => Err(self.several(field, code)),
            _ => self.new_one(id),
        }
    }

    /// Whether a record still has this value after the previous rows.
    fn holds(&self, id: &str, field: &str, text: &str) -> bool {
        let held = self.snapshot.records.get(id).and_then(|current| current.body.get(field));
        held.and_then(|value| value.as_str()).is_some_and(|held| fold(held) == fold(text))
    }

    fn by_name(&self, row: &Row<'_>, id: &str) -> Result<Option<Identity>, ImportProblem> {
        let def = self.request.def;
        let (directory, table) = (&self.snapshot.directory, def.table);
        if def.field(def.name).is_some_and(|field| matches!(field.kind, Kind::Ref)) {
            return Ok(self.by_pair(row).map(|id| Identity::is(&id)));
        }
        if let Some(path) = self.text_of(row, PATH).filter(|path| path.contains(':')) {
            return Ok(match directory.with_path(table, path) {
                Found::One(found) => Some(Identity::is(found)),
                _ => None,
            });
        }
        let Some(name) = self.name_of(row) else { return Ok(None) };
        if let Some(found) = self.below_its_parent(row, name) {
            return Ok(found.map(|id| Identity::is(&id)));
        }
        let named = directory.with_name(table, name).iter().filter(|id| self.holds(id, def.name, name));
        let named: Vec<&String> = named.collect();
        match named[..] {
            [] => Ok(None),
            [one] => Ok(Some(Identity::is(one))),
            _ if named.iter().any(|known| known.as_str() == id) => Ok(Some(Identity::is(id))),
            _ => Err(self.several(def.name, name)),
        }
    }

    /// Records without a name are identified by the pair they join: a store and a root item.
    fn by_pair(&self, row: &Row<'_>) -> Option<String> {
        let def = self.request.def;
        let fields = def.unique.first()?;
        let mut body = Map::new();
        for name in *fields {
            let field = def.field(name)?;
            match self.snapshot.directory.find(field.to, self.text_of(row, name)?) {
                Found::One(id) => body.insert((*name).to_owned(), json!(id)),
                _ => return None,
            };
        }
        self.snapshot.uniques.holder(def, fields, &body).map(str::to_owned)
    }

    /// In a tree, names are unique among siblings: a parent in the file decides. An empty cell only means the
    /// top level if such a record exists.
    fn below_its_parent(&self, row: &Row<'_>, name: &str) -> Option<Option<String>> {
        let def = self.request.def;
        let tree = def.tree?;
        let text = self.text_of(row, tree)?;
        let mut body = Map::from_iter([(def.name.to_owned(), json!(name))]);
        if !text.is_empty() && !super::read::empties(text) {
            match self.snapshot.directory.find(def.table, text) {
                Found::One(parent) => body.insert(tree.to_owned(), json!(parent)),
                _ => return Some(None),
            };
        }
        let found = self.snapshot.uniques.holder(def, &[tree, def.name], &body).map(str::to_owned);
        if found.is_none() && text.is_empty() { None } else { Some(found) }
    }

    fn new_one(&self, id: &str) -> Result<Identity, ImportProblem> {
        if id.is_empty() {
            return Ok(Identity::default());
        }
        let problem = |message: String| ImportProblem { field: "id".into(), value: id.into(), message };
        if let Some(current) = self.snapshot.records.get(id) {
            let name = self.title(&current.body);
            return Err(problem(format!("This id is of «{name}»; match by id to change that record.")));
        }
        if larder_platform::http::question::is_id(id) {
            return Ok(Identity { existing: None, keeps: Some(id.to_owned()) });
        }
        Err(problem(
            "An id has at most 100 letters, digits, hyphens and underscores; leave it empty.".to_owned(),
        ))
    }

    fn several(&self, field: &str, text: &str) -> ImportProblem {
        let many = self.request.def.many.to_lowercase();
        let message = format!("Several {many} are called «{text}»; match by id or code.");
        ImportProblem { field: field.to_owned(), value: text.to_owned(), message }
    }

    /// The name a row gives its record.
    pub fn name_of<'r>(&self, row: &Row<'r>) -> Option<&'r str> {
        let last = |path: &'r str| path.rsplit(':').next().unwrap_or(path).trim();
        let named = self.text_of(row, self.request.def.name).filter(|text| !text.is_empty());
        named.or_else(|| self.text_of(row, PATH).map(last).filter(|text| !text.is_empty()))
    }

    /// The cell of a target, trimmed and without the apostrophe of our exports; `None` if no column is mapped
    /// to it.
    pub fn text_of<'r>(&self, row: &Row<'r>, target: &str) -> Option<&'r str> {
        let (known, at) = self.request.columns.iter().find(|(known, _)| known.name == target)?;
        let text = row.cell(*at);
        Some(if matches!(known.destination, Destination::Id) {
            text
        } else {
            super::read::unquoted(text, &self.request.style)
        })
    }
}
