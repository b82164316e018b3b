//! Imports the documents of a list.

use std::collections::HashMap;

use larder_db::Tx;
use larder_domain::Timestamp;
use serde_json::{Map, Value, json};

use super::convert::{Taken, convert};
use super::file::{Documents, Line, id_of};
use super::{Run, stock};
use larder_lists::engine::{ListDef, Made, fold};
use larder_lists::imports::records::{Current, Snapshot, difference, settled};
use larder_platform::http::ApiError;
use larder_platform::http::question::is_id;

/// Documents per transaction.
const AT_ONCE: usize = 300;
/// A document to be written.
pub struct Write {
    line: u64,
    pub id: String,
    action: Action,
}

enum Action {
    Create { body: Map<String, Value>, made: Made, quantity: Option<larder_domain::Qty> },
    Update(Map<String, Value>),
}

/// Imports every document of a list.
pub async fn take(run: &mut Run<'_>, def: &'static ListDef, mut documents: Documents) -> anyhow::Result<()> {
    let records = (def.ops().all)(&run.state.db).await?;
    let written: HashMap<String, Timestamp> = records.iter().filter_map(last_written).collect();
    let mut taking = Taking {
        def,
        snapshot: Snapshot::over(&run.state.db, def, records).await?,
        written,
        seen: HashMap::new(),
        batch: Vec::new(),
    };
    let mut lines = Vec::new();
    while let Some(more) = run.lines(&mut documents)? {
        if def.tree.is_some() {
            // Parents may come after their children.
            lines.extend(more);
            continue;
        }
        for line in more {
            taking.line(run, line).await?;
        }
    }
    for at in parents_first(def, &lines) {
        let line = std::mem::replace(&mut lines[at], Line { number: 0, document: Err(String::new()) });
        taking.line(run, line).await?;
    }
    taking.flush(run).await
}

fn last_written(record: &Value) -> Option<(String, Timestamp)> {
    let at = record.get("updatedAt").and_then(Value::as_str).and_then(Timestamp::parse)?;
    Some((record.get("id")?.as_str()?.to_owned(), at))
}

/// An order of a tree's documents with parents first.
fn parents_first(def: &ListDef, lines: &[Line]) -> Vec<usize> {
    let text = |line: &Line, name: &str| {
        let document = line.document.as_ref().ok()?;
        document.get(name).and_then(Value::as_str).map(fold)
    };
    let mut called: HashMap<String, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let names = ["id", def.code.unwrap_or("id"), def.name];
        for name in names.iter().filter_map(|name| text(line, name)) {
            called.entry(name).or_insert(at);
        }
    }
    let (mut order, mut placed) = (Vec::with_capacity(lines.len()), vec![false; lines.len()]);
    let mut chain = Vec::new();
    for start in 0..lines.len() {
        let mut at = Some(start);
        while let Some(line) = at.filter(|line| !placed[*line]) {
            placed[line] = true;
            chain.push(line);
            at = def
                .tree
                .and_then(|tree| text(&lines[line], tree))
                .and_then(|above| called.get(&above).copied());
        }
        order.extend(chain.drain(..).rev());
    }
    order
}

struct Taking {
    def: &'static ListDef,
    snapshot: Snapshot,
    /// When each record was last written.
    written: HashMap<String, Timestamp>,
    /// The line of each id.
    seen: HashMap<String, u64>,
    batch: Vec<Write>,
}

impl Taking {
    async fn line(&mut self, run: &mut Run<'_>, line: Line) -> anyhow::Result<()> {
        let Some((number, document)) = run.document(line) else { return Ok(()) };
        let Some(id) = id_of(&document) else {
            run.broken(number, "", "The document has no id.");
            return Ok(());
        };
        if !is_id(&id) {
            run.broken(number, &id, "An id has at most 100 letters, digits, hyphens and underscores.");
            return Ok(());
        }
        if let Some(first) = self.seen.insert(id.clone(), number) {
            run.broken(number, &id, format!("Line {first} has the same id."));
            return Ok(());
        }
        match convert(self.def, document, &self.snapshot.directory, run.actor.at) {
            Ok(taken) => self.compare(run, number, id, taken),
            Err(wrong) => run.broken(number, &id, wrong.join(" ")),
        }
        if self.batch.len() >= AT_ONCE { self.flush(run).await } else { Ok(()) }
    }

    /// Compares a document with its record: skipped if the record is equal or newer.
    fn compare(&mut self, run: &mut Run<'_>, line: u64, id: String, taken: Taken) {
        let body = match (self.def.ops().read)(taken.body) {
            Ok(draft) => settled(&draft),
            Err(findings) => {
                let words: Vec<String> =
                    findings.iter().map(|found| format!("{}: {}", found.field, found.message)).collect();
                return run.broken(line, &id, words.join(" "));
            }
        };
        let action = match self.snapshot.records.get(&id) {
            None => Action::Create { body: body.clone(), made: taken.made, quantity: taken.quantity },
            Some(current) => {
                let mut patch = difference(self.def, &current.body, &body);
                let newer =
                    self.written.get(&id).is_some_and(|at| taken.is_dated && taken.made.updated_at > *at);
                if patch.is_empty() {
                    run.tally.unchanged += 1;
                    return;
                }
                if !newer {
                    run.tally.left_alone += 1;
                    return;
                }
                patch.insert("revision".to_owned(), json!(current.revision));
                Action::Update(patch)
            }
        };
        for note in taken.notes {
            run.note(line, &id, note);
        }
        self.snapshot.apply(self.def, &id, Current { body, revision: 1 });
        self.batch.push(Write { line, id, action });
    }

    /// Writes the pending documents: all at once, or one by one if any of them is refused.
    async fn flush(&mut self, run: &mut Run<'_>) -> anyhow::Result<()> {
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        let (def, writes) = (self.def, batch.as_slice());
        let together = run
            .state
            .db
            .write(run.actor, async |tx| -> Result<(), ApiError> {
                for one in writes {
                    write(tx, def, one).await?;
                }
                Ok(())
            })
            .await;
        let refused = match together {
            Ok(()) => HashMap::new(),
            Err(error) if error.status.is_server_error() => return Err(error.into()),
            Err(_) => one_by_one(run, def, writes).await?,
        };
        for one in writes {
            match (refused.get(&one.line), &one.action) {
                (Some(words), _) => run.broken(one.line, &one.id, words.clone()),
                (None, Action::Create { .. }) => run.tally.created += 1,
                (None, Action::Update(_)) => run.tally.updated += 1,
            }
        }
        stock::open(run, def, &openings(writes, &refused)).await
    }
}

/// Stock quantities of the imported records: (line, id, quantity).
fn openings(writes: &[Write], refused: &HashMap<u64, String>) -> Vec<(u64, String, larder_domain::Qty)> {
    let opening = |one: &Write| match &one.action {
        Action::Create { quantity: Some(quantity), .. } if !quantity.is_zero() => {
            Some((one.line, one.id.clone(), *quantity))
        }
        _ => None,
    };
    writes.iter().filter(|one| !refused.contains_key(&one.line)).filter_map(opening).collect()
}

async fn one_by_one(
    run: &Run<'_>,
    def: &'static ListDef,
    writes: &[Write],
) -> anyhow::Result<HashMap<u64, String>> {
    let refused = run
        .state
        .db
        .write(run.actor, async |tx| -> Result<HashMap<u64, String>, ApiError> {
            let mut refused = HashMap::new();
            for one in writes {
                match tx.savepoint(async |tx| write(tx, def, one).await).await {
                    Ok(()) => {}
                    Err(error) if error.status.is_server_error() => return Err(error),
                    Err(error) => drop(refused.insert(one.line, words(&error))),
                }
            }
            Ok(refused)
        })
        .await?;
    Ok(refused)
}

fn words(error: &ApiError) -> String {
    if error.fields.is_empty() {
        return error.detail.clone();
    }
    let words: Vec<String> =
        error.fields.iter().map(|found| format!("{}: {}", found.field, found.message)).collect();
    words.join(" ")
}

async fn write(tx: &mut Tx<'_>, def: &'static ListDef, one: &Write) -> Result<(), ApiError> {
    match &one.action {
        Action::Create { body, made, .. } => {
            (def.ops().create)(tx, &one.id, body.clone(), Some(made.clone())).await.map(drop)
        }
        Action::Update(patch) => (def.ops().update)(tx, &one.id, patch.clone()).await.map(drop),
    }
}
