//! Imports orders, deliveries and receipts in their final state. Each original document is stored as well, so
//! that nothing is lost and a second run recognises it; a document that cannot be converted is only stored,
//! with a note that says why.

use std::collections::{BTreeMap, HashMap};

use futures::future::BoxFuture;
use larder_db::{Actor, DbError, Tx};
use serde_json::{Map, Value};

mod deliveries;
mod members;
mod orders;
mod receipts;

use super::file::{Documents, Line, id_of};
use super::{Run, queries};
use larder_documents::history;
use larder_documents::history::Brought;
use larder_documents::{Doc, Document};
use larder_platform::http::ApiError;
use larder_platform::http::question::is_id;
use members::{Members, Names};

/// Documents per transaction.
const AT_ONCE: usize = 300;

/// A document type in the legacy format.
pub(super) trait Former: Document {
    /// Converts a document. The error says what prevents it.
    fn read<'a>(
        tx: &'a mut Tx<'_>,
        names: &'a Names,
        from: &'a mut Members<'_>,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, Result<(), Unread>>;

    /// Effects on other documents.
    fn settle<'a>(tx: &'a mut Tx<'_>, doc: &'a Doc<Self>) -> BoxFuture<'a, Result<(), ApiError>>;
}

/// Why a document was not converted.
pub(super) enum Unread {
    /// What prevents it.
    Words(String),
    Failed(ApiError),
}

impl From<String> for Unread {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<&str> for Unread {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl From<ApiError> for Unread {
    fn from(error: ApiError) -> Self {
        if error.status.is_server_error() { Self::Failed(error) } else { Self::Words(words(&error)) }
    }
}

impl From<DbError> for Unread {
    fn from(error: DbError) -> Self {
        ApiError::from(error).into()
    }
}

fn words(error: &ApiError) -> String {
    let of_fields: Vec<&str> = error.fields.iter().map(|found| found.message.as_str()).collect();
    if of_fields.is_empty() { error.detail.clone() } else { of_fields.join(" ") }
}

/// Result of a document.
enum Became {
    Written(Brought),
    Unchanged,
    /// Only stored, now or before, since it cannot be converted.
    Kept {
        new: bool,
        words: String,
    },
}

struct Came {
    line: u64,
    id: String,
    document: Map<String, Value>,
}

/// Result, notes, and fields its type does not have.
struct Outcome {
    became: Became,
    notes: Vec<String>,
    unknown: Vec<String>,
}

/// Imports every document of a collection.
pub(super) async fn take<D: Former>(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let names = Names::load(&run.state.db).await?;
    let mut seen: HashMap<String, u64> = HashMap::new();
    let mut unknown: BTreeMap<String, (u64, String, u64)> = BTreeMap::new();
    while let Some(lines) = run.lines(&mut documents)? {
        let came: Vec<Came> = lines.into_iter().filter_map(|line| came(run, &mut seen, line)).collect();
        for batch in came.chunks(AT_ONCE) {
            let (collection, actor, names) = (run.tally.collection.clone(), run.actor, &names);
            let outcomes = run
                .state
                .db
                .write(actor, async |tx| write::<D>(tx, actor, names, &collection, batch).await)
                .await?;
            for (one, outcome) in batch.iter().zip(outcomes) {
                for name in &outcome.unknown {
                    unknown.entry(name.clone()).or_insert_with(|| (one.line, one.id.clone(), 0)).2 += 1;
                }
                tell(run, one, outcome);
            }
        }
    }
    let one = D::FLOW.one;
    for (name, (line, id, count)) in unknown {
        let words = format!(
            "No {one} here has the field «{name}»; it stays with what was kept ({count} of them, the first here)."
        );
        run.note(line, &id, words);
    }
    Ok(())
}

/// The document of a line; duplicates are reported.
fn came(run: &mut Run<'_>, seen: &mut HashMap<String, u64>, line: Line) -> Option<Came> {
    let (line, document) = run.document(line)?;
    let id = id_of(&document).unwrap_or_else(|| format!("line {line}"));
    if let Some(first) = seen.insert(id.clone(), line) {
        run.broken(line, &id, format!("Line {first} has the same id."));
        return None;
    }
    Some(Came { line, id, document })
}

fn tell(run: &mut Run<'_>, one: &Came, outcome: Outcome) {
    let tally = &mut run.tally;
    match outcome.became {
        Became::Written(Brought::Created) => tally.created += 1,
        Became::Written(Brought::Updated) => tally.updated += 1,
        Became::Written(Brought::LeftAlone) => tally.left_alone += 1,
        Became::Unchanged => tally.unchanged += 1,
        Became::Kept { new, words } => {
            *(if new { &mut tally.kept_for_later } else { &mut tally.unchanged }) += 1;
            return run.note(one.line, &one.id, format!("{words} It is kept as it came."));
        }
    }
    for words in outcome.notes {
        run.note(one.line, &one.id, words);
    }
}

async fn write<D: Former>(
    tx: &mut Tx<'_>,
    actor: &Actor,
    names: &Names,
    collection: &str,
    batch: &[Came],
) -> Result<Vec<Outcome>, ApiError> {
    let ids: Vec<&str> = batch.iter().map(|one| one.id.as_str()).collect();
    let kept = queries::kept_of(tx, collection, &ids).await?;
    let written = queries::written(tx, &ids).await?;
    let mut outcomes = Vec::with_capacity(batch.len());
    for one in batch {
        let came = Value::Object(one.document.clone());
        let same = kept.get(&one.id) == Some(&came);
        if same && written.contains(&one.id) {
            outcomes.push(Outcome { became: Became::Unchanged, notes: Vec::new(), unknown: Vec::new() });
            continue;
        }
        let mut from = Members::of(&one.document);
        let brought =
            tx.savepoint(async |tx| import_document::<D>(tx, actor, names, &one.id, &mut from).await).await;
        let became = match brought {
            Ok(brought) => Became::Written(brought),
            Err(Unread::Words(words)) => Became::Kept { new: !same, words },
            Err(Unread::Failed(error)) => return Err(error),
        };
        // One left alone is stored only the first time, so that the next run compares it again.
        let left_alone = matches!(became, Became::Written(Brought::LeftAlone));
        let asked_again = left_alone && kept.contains_key(&one.id);
        if !(same || asked_again) {
            queries::keep(tx, collection, &[(one.id.clone(), came)]).await?;
        }
        outcomes.push(Outcome { unknown: from.unknown(), notes: from.notes, became });
    }
    Ok(outcomes)
}

async fn import_document<D: Former>(
    tx: &mut Tx<'_>,
    actor: &Actor,
    names: &Names,
    id: &str,
    from: &mut Members<'_>,
) -> Result<Brought, Unread> {
    if !is_id(id) {
        return Err("An id has at most 100 letters, digits, hyphens and underscores.".into());
    }
    let mut doc = Doc::<D>::of(from.head(id, actor), D::Details::default(), Vec::new());
    D::read(tx, names, from, &mut doc).await?;
    let brought = history::import_legacy(tx, &mut doc).await?;
    if brought != Brought::LeftAlone {
        D::settle(tx, &doc).await?;
    }
    Ok(brought)
}
