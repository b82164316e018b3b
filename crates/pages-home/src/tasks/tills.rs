//! Tills whose Z-reading of a day is missing, as the calendar of readings says.

use std::collections::BTreeMap;

use futures::FutureExt as _;
use larder_domain::{Action, BusinessDay, Span, plural};

use super::model::{Rings, Task, TaskContext, TaskSummary, TaskType, day_end, day_words};
use super::stores::READING_DAYS;
use larder_ledgers::completeness::Completeness;
use larder_platform::http::ApiResult;

/// How many days back readings are checked.
const MISSING_SPAN: i32 = 14;

/// Tills without a reading of a day that is over. Those that wait for review, or are disputed, are tasks of their own.
pub(super) static MISSING: TaskType = TaskType {
    name: "readingsMissing",
    title: "Z-readings missing",
    needs: &[("sales/zReading", Action::View)],
    rings: Rings::Together,
    on_home: true,
    of_stores: true,
    changes: &["zReading", "zTerminal", "zAbsence", "salesDay", "cmsrDay", "openingDays"],
    read: |context| missing(context).boxed(),
};

/// A store's missing readings.
struct StoreTills {
    /// Number of tills, each day's counted.
    count: i64,
    oldest: BusinessDay,
    newest: BusinessDay,
}

async fn missing(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let span = Span { from: context.today.plus(-MISSING_SPAN), to: context.today.plus(-1) };
    let ids = context.store_ids().await?;
    let known = Completeness::read(context.db(), &ids, span, context.today).await?;
    let mut days: BTreeMap<BusinessDay, i64> = BTreeMap::new();
    let mut of_store: BTreeMap<&str, StoreTills> = BTreeMap::new();
    for store in &ids {
        for (day, of_day) in known.days(store) {
            let count = of_day.missing();
            if count == 0 {
                continue;
            }
            *days.entry(day).or_default() += count;
            let of = of_store.entry(store).or_insert(StoreTills { count: 0, oldest: day, newest: day });
            of.count += count;
            of.newest = day;
        }
    }
    let mut summary = TaskSummary {
        href: format!("/sales/z-reading?view=calendar&only=missing&from={}&to={}", span.from, span.to),
        ..TaskSummary::default()
    };
    let lateness = |day: BusinessDay| context.lateness(day_end(day.plus(READING_DAYS)), None);
    for (day, count) in days {
        summary.add(day, count, lateness(day));
        summary.arose(context, day_end(day), (count, false));
    }
    if summary.count == 0 {
        return Ok(summary);
    }
    let stores: Vec<&str> = of_store.keys().copied().collect();
    let many = i64::try_from(stores.len()).unwrap_or(i64::MAX);
    summary.words = format!("of {}", plural(many, "store", "stores"));
    let names = context.store_names(&stores).await?;
    let mut items: Vec<Task> = of_store
        .into_iter()
        .map(|(store, of)| Task {
            id: format!("{store}:{}", of.newest),
            title: names.get(store).cloned().unwrap_or_default(),
            text: format!("{} since {}", plural(of.count, "reading", "readings"), day_words(of.oldest)),
            href: format!("{}&stores={store}", summary.href),
            store_id: Some(store.to_owned()),
            at: day_end(of.newest),
            count: of.count,
            late: lateness(of.oldest).late,
            urgent: false,
        })
        .collect();
    items.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.id.cmp(&b.id)));
    items.truncate(context.most);
    summary.items = items;
    Ok(summary)
}
