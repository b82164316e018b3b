//! Totals of a file that depend on decisions and other batches.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use larder_domain::{BusinessDay, plural};

use super::model::{Subject, Summary};
use super::queries;
use larder_ledgers::sales_names::Directory;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

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
                let store = match &name.store_id {
                    Some(fixed) if name.name_key.is_empty() => Some(fixed.clone()),
                    _ => directory.store_with_code(&name.name, name.code.as_deref()).map(|id| id.to_string()),
                };
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

fn many(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
