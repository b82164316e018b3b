//! Sales far from the forecast.

use std::collections::{BTreeMap, HashMap};

use futures::FutureExt as _;
use larder_domain::{Action, BusinessDay, Qty};

use super::model::{Rings, Task, TaskContext, TaskSummary, TaskType, day_end, day_words, listed};
use larder_ledgers::forecasts::accuracy;
use larder_ledgers::forecasts::accuracy::Outside;
use larder_ledgers::store_items::root_units;
use larder_platform::http::ApiResult;

/// Store items whose sales yesterday fell outside the range of the latest forecast made before that day.
pub(super) static MISSES: TaskType = TaskType {
    name: "forecastMisses",
    title: "Forecast misses",
    needs: &[("tools/services", Action::View)],
    rings: Rings::Never,
    on_home: true,
    of_stores: true,
    changes: &["serviceRun", "salesDay"],
    read: |context| misses(context).boxed(),
};

async fn misses(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let db = context.db();
    let day = context.today.plus(-1);
    let mut judged = accuracy::outside(db, context.stores.as_deref(), day).await?;
    let mut summary = TaskSummary {
        href: listed(MISSES.name),
        of: Some(judged.iter().map(|one| one.judged).sum()),
        count: judged.iter().map(|one| one.outside).sum(),
        ..TaskSummary::default()
    };
    summary.arose(context, day_end(day), (summary.count, false));
    if summary.of == Some(0) {
        summary.empty = true;
        summary.words = "Yesterday cannot be compared yet".to_owned();
        return Ok(summary);
    }
    let of = summary.of.unwrap_or_default();
    summary.words = format!("of {of} items and stores, {}", day_words(day));
    judged.retain(|one| one.outside > 0);
    judged.sort_by(|a, b| b.outside.cmp(&a.outside).then_with(|| a.store_id.cmp(&b.store_id)));
    if context.each {
        summary.items = each(context, judged, day).await?;
        return Ok(summary);
    }
    judged.truncate(context.most);
    let ids: Vec<&str> = judged.iter().map(|one| one.store_id.as_str()).collect();
    let names: BTreeMap<String, String> = db
        .sql("select id, name from locations where id in ")
        .push_ids(&ids)
        .all()
        .await?
        .into_iter()
        .collect();
    let items = judged.into_iter().map(|one| Task {
        id: format!("{}:{day}", one.store_id),
        title: names.get(&one.store_id).cloned().unwrap_or_default(),
        text: format!("{} of {} items", one.outside, one.judged),
        at: day_end(day),
        count: one.outside,
        late: false,
        urgent: false,
        href: format!("/tools/services/accuracy?from={day}&to={day}&by=series&store={}", one.store_id),
        store_id: Some(one.store_id),
    });
    summary.items = items.collect();
    Ok(summary)
}

/// Every item outside, by store.
async fn each(context: &TaskContext<'_>, judged: Vec<Outside>, day: BusinessDay) -> ApiResult<Vec<Task>> {
    let db = context.db();
    let names: HashMap<String, String> = db
        .sql("select id, name from locations union all select id, name from root_items")
        .all()
        .await?
        .into_iter()
        .collect();
    let units = root_units(db).await?;
    let name = |id: &str| names.get(id).cloned().unwrap_or_default();
    let qty = |figure: f64| Qty((figure * 1_000.0).round() as i64 * 1_000);
    let mut items = Vec::new();
    for store in judged {
        for miss in store.misses {
            let item = &miss.root_item_id;
            let unit = units.get(item).cloned().unwrap_or_default();
            let (sold, lower, upper) = (qty(miss.actual), qty(miss.lower), qty(miss.upper));
            items.push(Task {
                id: format!("{}:{item}:{day}", store.store_id),
                title: format!("{} · {}", name(item), name(&store.store_id)),
                text: format!("Sold {sold} {unit}, forecast {lower} to {upper}"),
                at: day_end(day),
                count: 1,
                late: false,
                urgent: false,
                href: format!(
                    "/tools/services/accuracy?from={day}&to={day}&store={0}&row={0}/{item}",
                    store.store_id
                ),
                store_id: Some(store.store_id.clone()),
            });
        }
    }
    items.truncate(context.most);
    Ok(items)
}
