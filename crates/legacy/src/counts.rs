//! Imports counts under their original ids and times, and count settings.

use std::collections::HashMap;

use larder_domain::count::Settings;
use serde_json::{Map, Value};

use super::Run;
use super::convert::truth;
use super::counted::{Names, read};
use super::file::{Documents, id_of};
use super::store_items::{Stores, newer};
use larder_ledgers::counts as book;
use larder_ledgers::counts::{ImportOutcome, ImportedCount};

/// Imports counts.
pub async fn take(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let names = Names::load(&run.state.db).await?;
    let mut seen: HashMap<String, u64> = HashMap::new();
    while let Some(lines) = run.lines(&mut documents)? {
        let mut counts = Vec::with_capacity(lines.len());
        for line in lines {
            let Some((number, document)) = run.document(line) else { continue };
            match read(&document, &names, run.actor.at) {
                Ok(count) => match seen.insert(count.id.clone(), number) {
                    None => counts.push((number, count)),
                    Some(first) => {
                        run.broken(number, &count.id, format!("Line {first} has the same id."));
                    }
                },
                Err(words) => run.broken(number, &id_of(&document).unwrap_or_default(), words),
            }
        }
        write(run, counts).await?;
    }
    Ok(())
}

async fn write(run: &mut Run<'_>, counts: Vec<(u64, ImportedCount)>) -> anyhow::Result<()> {
    let (lines, counts): (Vec<u64>, Vec<ImportedCount>) = counts.into_iter().unzip();
    let counts = counts.as_slice();
    let became = run.state.db.write(run.actor, async |tx| book::take_imported(tx, counts).await).await?;
    for ((line, count), became) in lines.into_iter().zip(counts).zip(became) {
        match became {
            ImportOutcome::Applied => run.tally.created += 1,
            ImportOutcome::Known => run.tally.unchanged += 1,
            ImportOutcome::Superseded => {
                run.tally.left_alone += 1;
                run.note(line, &count.id, "It was counted again later; this count is in the history.");
            }
            ImportOutcome::Other => {
                run.tally.left_alone += 1;
                run.note(
                    line,
                    &count.id,
                    "It came before with another quantity of the same time; that stays.",
                );
            }
        }
    }
    Ok(())
}

type Switch = fn(&mut Settings, bool);

/// Settings of the legacy system.
const SWITCHES: [(&str, Switch); 5] = [
    ("restrictDate", |settings, on| settings.restrict_date = on),
    ("timeLockEnabled", |settings, on| settings.time_lock_enabled = on),
    ("enforceTimeWindow", |settings, on| settings.enforce_time_window = on),
    ("autoSessionByTime", |settings, on| settings.auto_session_by_time = on),
    ("userLockEnabled", |settings, on| settings.user_lock_enabled = on),
];

/// Imports count settings.
pub(crate) async fn take_settings(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let mut stores = Stores::load(&run.state.db).await?;
    while let Some(lines) = run.lines(&mut documents)? {
        for line in lines {
            let Some((number, store, document)) = stores.of(run, line) else { continue };
            match switched(&document) {
                Ok(switched) => settle(run, &store, &document, &switched).await?,
                Err(words) => run.broken(number, &store, words),
            }
        }
    }
    Ok(())
}

fn switched(document: &Map<String, Value>) -> Result<Vec<(Switch, bool)>, String> {
    let mut switched = Vec::new();
    for (name, switch) in SWITCHES {
        let Some(value) = document.get(name).filter(|value| !value.is_null()) else { continue };
        let on = truth(value.clone()).map_err(|words| format!("{name}: {words}"))?;
        switched.push((switch, on == Value::Bool(true)));
    }
    Ok(switched)
}

async fn settle(
    run: &mut Run<'_>,
    store: &str,
    document: &Map<String, Value>,
    switched: &[(Switch, bool)],
) -> anyhow::Result<()> {
    let stored = book::settings_of(&run.state.db, store).await?;
    let mut after = stored.settings.clone();
    switched.iter().for_each(|(switch, on)| switch(&mut after, *on));
    match &stored.updated {
        _ if after == stored.settings => run.tally.unchanged += 1,
        Some((at, _)) if !newer(document, *at) => run.tally.left_alone += 1,
        updated => {
            let tally = if updated.is_none() { &mut run.tally.created } else { &mut run.tally.updated };
            *tally += 1;
            let change = |settings: &mut Settings| settings.clone_from(&after);
            let stores = [store];
            run.state
                .db
                .write(run.actor, async |tx| book::change_settings(tx, &stores, None, change).await)
                .await?;
        }
    }
    Ok(())
}
