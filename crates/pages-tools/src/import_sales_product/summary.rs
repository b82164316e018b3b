//! Totals of a file that depend on decisions and other batches.

use std::collections::{BTreeMap, HashSet};

use larder_domain::{BusinessDay, plural};

use super::model::{Subject, Summary};
use super::queries;
use larder_ledgers::sales_names::Directory;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Recalculates the totals that depend on decisions and other batches.
pub async fn refresh(
    state: &AppState,
    id: &str,
    summary: &mut Summary,
    subject: Subject,
    directory: &Directory,
) -> ApiResult<()> {
    let names = queries::findings::names(&state.db, id).await?;
    let mut of_store: BTreeMap<String, HashSet<BusinessDay>> = BTreeMap::new();
    (summary.unmapped_items, summary.unmapped_stores, summary.replaces) = (0, 0, 0);
    for name in &names {
        match name.kind.as_str() {
            "item" if directory.item_by(&name.name_key, &name.name).is_none() => summary.unmapped_items += 1,
            "store" => {
                let store = match &name.store_id {
                    Some(fixed) if name.name_key.is_empty() => Some(fixed.clone()),
                    _ => directory.store(&name.name).map(|id| id.to_string()),
                };
                match store {
                    None => summary.unmapped_stores += 1,
                    Some(store) => {
                        let days = name.days.iter().flat_map(|d| &d.0).map(|day| BusinessDay(*day));
                        of_store.entry(store).or_default().extend(days);
                    }
                }
            }
            _ => {}
        }
    }
    for (store, days) in &of_store {
        let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) else { continue };
        let known =
            queries::days::imported_days(&state.db, id, store, subject.source(), *first, *last).await?;
        summary.replaces += i64::try_from(known.iter().filter(|day| days.contains(day)).count()).unwrap_or(0);
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
