//! Totals of a file that depend on decisions and other batches.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use larder_db::Json as Column;
use larder_domain::sales::nights::Nights;
use larder_domain::{BusinessDay, plural};

use super::existing::refused;
use super::import::{LINES, SalesImport};
use super::jobs::post::kept_lines;
use super::midnight::{ASKS, Ground};
use super::model::{Batch, BatchState, Subject, Summary};
use super::queries;
use super::queries::findings::NameRow;
use larder_ledgers::sales_names::Directory;
use larder_lists::imports::batches::find_in;
use larder_lists::imports::set_summary;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Who};

/// Recalculates the totals that depend on decisions and other batches. Two names of one store are one store; an unknown
/// name is a store of its own until it is resolved.
pub async fn refresh(
    state: &AppState,
    id: &str,
    summary: &mut Summary,
    subject: Subject,
    directory: &Directory,
) -> ApiResult<()> {
    let names = queries::findings::names(&state.db, id).await?;
    let mut of_store: BTreeMap<String, HashSet<BusinessDay>> = BTreeMap::new();
    let mut dates: BTreeSet<i32> = BTreeSet::new();
    (summary.unmapped_items, summary.unmapped_stores, summary.replaces) = (0, 0, 0);
    let mut unknown_days = 0;
    for name in &names {
        match name.kind.as_str() {
            "item" if directory.item_by(&name.name_key, &name.name).is_none() => summary.unmapped_items += 1,
            "store" => {
                let store = store_of(name, directory);
                let days = name.days.as_ref().map(|days| days.0.as_slice()).unwrap_or_default();
                dates.extend(days);
                match store {
                    None => {
                        summary.unmapped_stores += 1;
                        unknown_days += many(days.len());
                    }
                    Some(store) => {
                        of_store.entry(store).or_default().extend(days.iter().map(|day| BusinessDay(*day)));
                    }
                }
            }
            _ => {}
        }
    }
    summary.stores = many(of_store.len()) + summary.unmapped_stores;
    summary.days = many(dates.len());
    summary.store_days = of_store.values().map(|days| many(days.len())).sum::<i64>() + unknown_days;
    for (store, days) in &of_store {
        let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) else { continue };
        let known =
            queries::days::imported_days(&state.db, id, store, subject.source(), *first, *last).await?;
        summary.replaces += many(known.iter().filter(|day| days.contains(day)).count());
    }
    summary.warnings.clear();
    match summary.unmapped_items {
        0 => {}
        n if subject == Subject::RootItems => {
            summary.warnings.push(format!("{} not known.", plural(n, "root item is", "root items are")));
        }
        n => summary.warnings.push(format!("{} not mapped.", plural(n, "item is", "items are"))),
    }
    if subject == Subject::RootItems {
        let mut both = 0;
        for (store, days) in &of_store {
            let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) else { continue };
            let sold = queries::days::sold_days(&state.db, store, subject.source(), *first, *last).await?;
            both += sold.iter().filter(|day| days.contains(day)).count();
        }
        if both > 0 {
            summary.warnings.push(format!(
                "{} sales of POS items too. What both use of a root item is added up.",
                plural(both, "store day has", "store days have")
            ));
        }
    }
    let unknown = summary.terminals.iter().filter(|terminal| !terminal.known);
    summary.warnings.extend(unknown.map(|terminal| format!("Unknown terminal {}.", terminal.id)));
    Ok(())
}

/// The store that a name means.
fn store_of(name: &NameRow, directory: &Directory) -> Option<String> {
    match &name.store_id {
        Some(fixed) if name.name_key.is_empty() => Some(fixed.clone()),
        _ => directory.store_with_code(&name.name, name.code.as_deref()).map(|id| id.to_string()),
    }
}

/// A checked file with its business days and the questions about them as of now, if store names were `resolved`, or mean
/// other stores than at the check because they were resolved for another file. When a day begins is set on the store.
pub(super) async fn placed_again(
    state: &AppState,
    who: &Who,
    mut batch: Batch,
    resolved: bool,
) -> ApiResult<Batch> {
    if batch.state == BatchState::Posted {
        return Ok(batch);
    }
    let (Some(summary), Some(mapping)) = (&batch.summary, &batch.mapping) else { return Ok(batch) };
    let directory = Directory::of(&state.db, batch.subject).await?;
    if directory.day_starts().is_empty() && mapping.0.day_starts.is_empty() {
        return Ok(batch);
    }
    let id = batch.id.as_str();
    let names = queries::findings::names(&state.db, id).await?;
    let moved: Vec<(&str, Option<String>)> = names
        .iter()
        .filter(|name| name.kind == "store")
        .map(|name| (name, store_of(name, &directory)))
        .filter(|(name, store)| *store != name.store_id)
        .map(|(name, store)| (name.name_key.as_str(), store))
        .collect();
    if !resolved && moved.is_empty() {
        return Ok(batch);
    }
    let kept = kept_lines(state, &format!("{}{LINES}", batch.file_key)).await.map_err(refused)?;
    let Some((lines, tables)) = kept else { return Ok(batch) };
    let seeing = tokio::task::spawn_blocking(move || {
        let mut nights = Nights::default();
        lines.iter().filter(|line| !line.is_carrier()).for_each(|line| nights.see(line));
        nights.finish();
        nights
    });
    let nights = seeing.await.map_err(ApiError::internal)?;
    let layout = batch.layout.as_ref().map(|layout| &layout.0);
    let ground = Ground { mapping: &mapping.0, layout, tables: &tables, directory: &directory };
    let mut summary = summary.0.clone();
    summary.asks.retain(|ask| !ASKS.contains(&ask.id.as_str()));
    summary.asks.extend(ground.asks(&nights, (summary.good_lines, summary.qty, summary.net)));
    let days: Vec<(String, Vec<i32>)> = ground
        .business_days(&nights)
        .into_iter()
        .map(|(store, days)| (ground.key(store), days.into_iter().collect()))
        .collect();
    let dates = || days.iter().flat_map(|(_, days)| days).copied();
    (summary.first_day, summary.last_day) = (dates().min().map(BusinessDay), dates().max().map(BusinessDay));
    let (days, moved) = (&days, &moved);
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            find_in::<SalesImport>(tx, who, id).await?;
            for (key, days) in days {
                queries::findings::set_name_days(tx, id, key, days).await?;
            }
            for (key, store) in moved {
                queries::findings::set_name_store(tx, id, key, store.as_deref()).await?;
            }
            Ok(())
        })
        .await?;
    refresh(state, id, &mut summary, batch.subject, &directory).await?;
    let now = &summary;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            find_in::<SalesImport>(tx, who, id).await?;
            Ok(set_summary::<SalesImport>(tx, id, now).await?)
        })
        .await?;
    batch.summary = Some(Column(summary));
    Ok(batch)
}

fn many(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
