//! Plans a row: its content and its changes.

use std::cell::RefCell;
use std::collections::HashMap;

use larder_domain::sheet::CellState;
use larder_domain::{StoreScope, with_article};
use serde_json::{Map, Value};

use super::super::fields::{Destination, PRICES};
use super::super::model::{ImportChange, ImportOutcome, ImportProblem};
use super::identity::Identity;
use super::parents::{LIKE_THOSE_BELOW, Made};
use super::show::{for_people, shown};
use super::{Plan, PlanRequest, Planned, RawRow};
use larder_lists::engine::{Field, Kind, ListDef};
use larder_lists::imports::records::{Current, Snapshot, differences, refused, settled, written_of};

/// Plans rows one after the other.
pub struct Planner<'a> {
    /// Parsing settings.
    pub request: &'a PlanRequest,
    /// Existing records.
    pub snapshot: Snapshot,
    ids: RefCell<&'a mut dyn FnMut() -> String>,
    /// The row each record was referred to in.
    seen: HashMap<String, u32>,
}

/// A row being planned.
pub struct Row<'r> {
    pub raw: &'r RawRow,
    /// Errors so far.
    pub problems: Vec<ImportProblem>,
    /// The fields it sets; null clears one.
    pub sets: Map<String, Value>,
    /// Records created for it.
    pub made: Vec<Made>,
    /// The record's current values of fields its parents take over.
    pub stands: Map<String, Value>,
}

impl<'r> Row<'r> {
    /// A trimmed cell.
    pub fn cell(&self, at: usize) -> &'r str {
        self.raw.cells.get(at).map_or("", |cell| cell.trim())
    }

    /// What a workbook says about a cell.
    pub fn state(&self, at: usize) -> CellState {
        self.raw.states.get(at).copied().unwrap_or_default()
    }

    /// Adds an error.
    pub fn wrong(&mut self, field: &str, value: &str, message: String) {
        let value = value.chars().take(200).collect();
        self.problems.push(ImportProblem { field: field.to_owned(), value, message });
    }

    /// The record's future value of a field its parents take over.
    pub fn holds(&self, field: &str) -> Option<&Value> {
        self.sets.get(field).or_else(|| self.stands.get(field)).filter(|value| value.is_string())
    }

    /// Sets a field.
    pub fn set(&mut self, field: &str, value: Value) {
        self.sets.insert(field.to_owned(), value);
    }
}

impl<'a> Planner<'a> {
    /// Plans against the given records.
    pub fn new(request: &'a PlanRequest, snapshot: Snapshot, ids: &'a mut dyn FnMut() -> String) -> Self {
        Self { request, snapshot, ids: RefCell::new(ids), seen: HashMap::new() }
    }

    /// A new record's id.
    pub fn new_id(&self) -> String {
        (self.ids.borrow_mut())()
    }

    /// Plans a row and the records created for it.
    pub fn row(&mut self, raw: &RawRow, out: &mut Vec<Planned>) {
        let mut row =
            Row { raw, problems: Vec::new(), sets: Map::new(), made: Vec::new(), stands: Map::new() };
        let identity = self.identify(&row).unwrap_or_else(|problem| {
            row.problems.push(problem);
            Identity::default()
        });
        let before = identity.existing.as_ref().and_then(|id| self.snapshot.records.get(id));
        if let Some(first) = identity.existing.as_ref().and_then(|id| self.seen.get(id)) {
            let (field, message) =
                (self.matched(), format!("Row {first} is about the same {}.", self.request.def.one));
            row.wrong(field, "", message);
        }
        if let Some(current) = before.filter(|_| self.request.def.tree.is_some()) {
            let held = |field: &&str| Some(((*field).to_owned(), current.body.get(*field)?.clone()));
            row.stands = LIKE_THOSE_BELOW.iter().filter_map(held).collect();
        }
        self.read_cells(&mut row, before.map(|current| &current.body));
        if let Some(current) = before.filter(|_| row.problems.is_empty() && row.sets.is_empty()) {
            let name = self.title(&current.body);
            out.push(planned(raw, self.request.def, ImportOutcome::Unchanged, identity.existing, name));
            self.see(out);
            return;
        }
        self.settle(row, identity, out);
        self.see(out);
    }

    /// Remembers the record of the last row.
    fn see(&mut self, out: &[Planned]) {
        if let Some(last) = out.last().filter(|last| last.outcome != ImportOutcome::Failed)
            && let Some(id) = &last.record_id
        {
            self.seen.insert(id.clone(), last.row);
        }
    }

    fn matched(&self) -> &'static str {
        use super::super::model::ImportMatch;
        match self.request.by {
            ImportMatch::Id => "id",
            ImportMatch::Code => self.request.def.code.unwrap_or("id"),
            ImportMatch::Name => self.request.def.name,
        }
    }

    /// Title of a record: its name, or the pair it joins.
    pub fn title(&self, body: &Map<String, Value>) -> String {
        let def = self.request.def;
        let text = |field: &Field| shown(field, body.get(field.name), &self.snapshot.directory);
        match def.field(def.name) {
            Some(field) if matches!(field.kind, Kind::Ref) => {
                let refs = def.fields.iter().filter(|field| matches!(field.kind, Kind::Ref));
                refs.map(text).collect::<Vec<_>>().join(" · ")
            }
            Some(field) => text(field),
            None => String::new(),
        }
    }

    /// Validates the complete record and adds it to the plan if valid.
    fn settle(&mut self, mut row: Row<'_>, identity: Identity, out: &mut Vec<Planned>) {
        let def = self.request.def;
        let current = identity.existing.as_ref().and_then(|id| self.snapshot.records.get(id));
        let mut body = current.map(|current| current.body.clone()).unwrap_or_default();
        for (name, value) in &row.sets {
            match value {
                Value::Null => drop(body.shift_remove(name)),
                value => drop(body.insert(name.clone(), value.clone())),
            }
        }
        let settled = match (def.ops().read)(body) {
            Ok(draft) => settled(&draft),
            Err(findings) => {
                for found in findings {
                    self.note(&mut row, &found.field, found.message);
                }
                Map::new()
            }
        };
        let id = identity.existing.clone().or(identity.keeps).unwrap_or_else(|| self.new_id());
        if row.problems.is_empty() {
            self.refuse(&mut row, &id, identity.existing.is_none(), &settled);
        }
        let raw = row.raw;
        if !row.problems.is_empty() {
            let name = self.name_of(&row).unwrap_or_default().to_owned();
            let mut failed = planned(raw, def, ImportOutcome::Failed, identity.existing, name);
            (failed.problems, failed.cells) = (row.problems, Some(raw.cells.clone()));
            return out.push(failed);
        }
        let current = self.snapshot.records.get(&id);
        let held = current.map(|current| written_of(def, &current.body)).unwrap_or_default();
        let (patch, back) = differences(&held, &settled);
        if let Some(revision) = current.map(|current| current.revision).filter(|_| patch.is_empty()) {
            debug_assert!(revision > 0);
            let name = self.title(&settled);
            return out.push(planned(raw, def, ImportOutcome::Unchanged, Some(id), name));
        }
        let (outcome, plan, revision) = match current {
            None => (ImportOutcome::Created, Plan::Create(settled.clone()), 1),
            Some(current) => {
                let revision = current.revision;
                let plan = Plan::Update { revision, patch: patch.clone(), back: back.clone() };
                (ImportOutcome::Updated, plan, revision + 1)
            }
        };
        for made in std::mem::take(&mut row.made) {
            out.push(self.apply_made(made));
        }
        let changes = self.for_people(&patch, &back);
        self.apply(&id, Current { body: settled, revision });
        let name = self.title(&self.snapshot.records[&id].body);
        let mut done = planned(raw, def, outcome, Some(id), name);
        (done.plan, done.changes) = (Some(plan), changes);
        out.push(done);
    }

    /// Adds a field's error at the column it was read from.
    fn note(&self, row: &mut Row<'_>, path: &str, message: String) {
        let field = path.split('.').next().unwrap_or(path);
        let columns = &self.request.columns;
        let column = columns.iter().find(|(target, _)| target.name == field).or_else(|| {
            columns.iter().find(|(target, _)| match &target.destination {
                Destination::Price(_) => field == PRICES,
                Destination::Custom => self.request.def.field(field).is_none(),
                Destination::Path => field == self.request.def.name,
                Destination::Not(of) => field == of.name,
                _ => false,
            })
        });
        let name = column.map_or(field, |(target, _)| target.name.as_str());
        if !row.problems.iter().any(|known| known.field == name) {
            let value = column.map_or("", |(_, at)| row.cell(*at));
            row.wrong(name, value, message);
        }
    }

    /// Checks what the database and the list's hooks would refuse.
    fn refuse(&self, row: &mut Row<'_>, id: &str, is_new: bool, body: &Map<String, Value>) {
        let def = self.request.def;
        if let Some(problem) = self.outside_scope(id, is_new, body) {
            row.problems.push(problem);
        }
        if let Some(taken) = self.snapshot.uniques.taken(def, id, body) {
            let other = self.snapshot.records.get(taken.by).map(|current| self.title(&current.body));
            let other = other.unwrap_or_default();
            let text = body.get(taken.field).and_then(Value::as_str).unwrap_or_default();
            let message = match taken.field {
                "posTerminals" => format!("A terminal of this store belongs to «{other}»."),
                "barcodes" => format!("One of these barcodes belongs to «{other}»."),
                _ if def.field(taken.field).is_some_and(|f| matches!(f.kind, Kind::Ref)) => {
                    format!("There is {} for this already.", with_article(def.one))
                }
                _ => format!("«{text}» is already taken by «{other}»."),
            };
            self.note(row, taken.field, message);
        }
        if let Some(problem) = refused(&self.snapshot, def, id, body) {
            self.note(row, &problem.field, problem.message);
        }
    }

    fn outside_scope(&self, id: &str, is_new: bool, body: &Map<String, Value>) -> Option<ImportProblem> {
        let (def, scope) = (self.request.def, &self.request.scope);
        if *scope == StoreScope::All {
            return None;
        }
        let field = def.store_field().map_or("id", |field| field.name);
        let store = |body: &Map<String, Value>| body.get(field).and_then(Value::as_str).map(str::to_owned);
        let within = if def.stores {
            !is_new && scope.contains(id)
        } else if def.store.is_some() {
            let before = self.snapshot.records.get(id).and_then(|current| store(&current.body));
            [before, store(body)].iter().flatten().all(|store| scope.contains(store))
        } else {
            true
        };
        let message = "You don't have access to this store.".to_owned();
        (!within).then(|| ImportProblem { field: field.to_owned(), value: String::new(), message })
    }

    fn for_people(&self, patch: &Map<String, Value>, back: &Map<String, Value>) -> Vec<ImportChange> {
        let def = self.request.def;
        let change = |(name, after): (&String, &Value)| {
            let field = def.field(name);
            let (before, after) = for_people(field, (&back[name], after), &self.snapshot.directory);
            ImportChange { field: name.clone(), before, after }
        };
        patch.iter().map(change).collect()
    }

    fn apply(&mut self, id: &str, current: Current) {
        self.snapshot.apply(self.request.def, id, current);
    }

    fn apply_made(&mut self, made: Made) -> Planned {
        let Made { def, id, body, .. } = made;
        let text = |name: Option<&str>| name.and_then(|name| body.get(name)).and_then(Value::as_str);
        let name = text(Some(def.name)).unwrap_or_default().to_owned();
        let changes = body.iter().map(|(field, after)| ImportChange {
            field: field.clone(),
            before: Value::Null,
            after: after.clone(),
        });
        let planned = Planned {
            row: 0,
            def,
            outcome: ImportOutcome::Created,
            record_id: Some(id.clone()),
            name: name.clone(),
            plan: Some(Plan::Create(body.clone())),
            changes: changes.collect(),
            problems: Vec::new(),
            cells: None,
        };
        if def.kind == self.request.def.kind {
            self.apply(&id, Current { body, revision: 1 });
        } else {
            self.snapshot.directory.add(def, &id, &name, text(def.code), text(def.tree));
        }
        planned
    }
}

fn planned(
    raw: &RawRow,
    def: &'static ListDef,
    outcome: ImportOutcome,
    record_id: Option<String>,
    name: String,
) -> Planned {
    let (changes, problems) = (Vec::new(), Vec::new());
    Planned { row: raw.number, def, outcome, record_id, name, plan: None, changes, problems, cells: None }
}
