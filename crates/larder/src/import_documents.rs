//! `larder import-documents`: legacy import.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use larder_app as app;
use larder_legacy as import_documents;
use larder_legacy::{Options, Report, Tally};
use larder_platform::AppState;

use crate::{ImportDocuments, admin, config};

/// Maximum failed documents printed on the terminal; the report has them all.
const SHOWN: usize = 20;

/// Imports a folder and prints the result.
pub async fn command(args: &ImportDocuments) -> anyhow::Result<()> {
    let config = config::load(&args.common)?;
    let report = args.report.clone().unwrap_or_else(|| config.data_dir.join("import-report.json"));
    let state = app::open(config).await?;
    let outcome = run(&state, args, &report).await;
    state.db.close().await;
    println!("{}", outcome?);
    Ok(())
}

async fn run(state: &AppState, args: &ImportDocuments, path: &PathBuf) -> anyhow::Result<String> {
    let options = Options { send_reset_links: args.send_reset_links };
    let report_tally = |tally: &Tally| println!("{}: {} documents", tally.collection, tally.documents);
    let actor = admin::actor(state);
    let report = match &args.folder {
        Some(folder) => import_documents::import(state, &actor, folder, options, report_tally).await?,
        None => import_documents::take_over(state, &actor, options, report_tally).await?,
    };
    let json = serde_json::to_string_pretty(&report)?;
    std::fs::write(path, json).with_context(|| format!("the report {} cannot be written", path.display()))?;
    Ok(words(&report, path, args.send_reset_links))
}

/// The table, the first failed documents and what to do next.
fn words(report: &Report, path: &Path, sent: bool) -> String {
    let mut words = table(&report.collections);
    for found in report.broken.iter().take(SHOWN) {
        let id = if found.id.is_empty() { "-" } else { &found.id };
        let _ = write!(words, "\n{}:{} {id}: {}", found.file, found.line, found.reason);
    }
    if report.broken.len() > SHOWN {
        let _ = write!(words, "\n… and {} more broken documents", report.broken.len() - SHOWN);
    }
    let _ = write!(words, "\n\nThe report with every line is in {}.", path.display());
    let users: u64 =
        report.collections.iter().filter(|t| t.collection == "appUsers").map(|t| t.created).sum();
    if users > 0 && !sent {
        let _ = write!(
            words,
            "\nNo password was taken over. The {users} new users sign in with Google, ask for a reset link at the \
             sign-in page, or get one from you under Manage users (--send-reset-links mails it to all of them)."
        );
    }
    words
}

fn table(collections: &[Tally]) -> String {
    const HEADS: [&str; 8] = [
        "collection",
        "documents",
        "created",
        "updated",
        "unchanged",
        "left alone",
        "kept for later",
        "broken",
    ];
    let mut rows: Vec<[String; 8]> = vec![HEADS.map(str::to_owned)];
    for t in collections {
        let numbers =
            [t.documents, t.created, t.updated, t.unchanged, t.left_alone, t.kept_for_later, t.broken];
        let mut row: [String; 8] = Default::default();
        row[0].clone_from(&t.collection);
        for (cell, number) in row[1..].iter_mut().zip(numbers) {
            *cell = number.to_string();
        }
        rows.push(row);
    }
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    let line = |row: &[String; 8]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
