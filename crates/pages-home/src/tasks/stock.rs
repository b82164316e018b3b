//! Recalled stock, stock about to run out, what kitchens leave short, and what they have to share out.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt as _;
use larder_domain::document::{DocumentKind, kind};
use larder_domain::{Action, BusinessDay, Timestamp, plural};

use super::model::{
    Arisen, DayCount, Rings, Task, TaskContext, TaskSummary, TaskType, day_start, day_words, listed,
};
use larder_documents::orders::short;
use larder_ledgers::{place_stock, plans};
use larder_platform::http::ApiResult;

/// Record types whose changes change what a kitchen has or is asked for.
const KITCHEN_STOCK: &[&str] = &[
    DocumentKind::StoreOrder.as_str(),
    DocumentKind::Delivery.as_str(),
    DocumentKind::Production.as_str(),
    DocumentKind::StockTake.as_str(),
    "stock",
    "lot",
];

/// Recalled lots still in stock.
pub(super) static RECALLS: TaskType = TaskType {
    name: "recalls",
    title: "Recalled lots in stock",
    needs: &[("stores/storeReceive", Action::View), ("products/products", Action::View)],
    rings: Rings::Always,
    on_home: true,
    of_stores: true,
    changes: &["lot", "stock"],
    read: |context| recalls(context).boxed(),
};

/// Items the newest plan expects to run out before the next delivery.
pub(super) static AT_RISK: TaskType = TaskType {
    name: "stockAtRisk",
    title: "Stock at risk",
    needs: &[("dashboard/drpNew", Action::View)],
    rings: Rings::Together,
    on_home: true,
    of_stores: true,
    changes: &["replenishmentPlan"],
    read: |context| at_risk(context).boxed(),
};

/// Approved order lines that neither stock nor production of their kitchen covers.
pub(super) static SHORT: TaskType = TaskType {
    name: "shortAtKitchen",
    title: "Short at the kitchen",
    needs: &[(kind::KITCHEN_PAGE, Action::View)],
    // Every order of an evening is short until the morning's batches are planned.
    rings: Rings::Never,
    on_home: true,
    of_stores: true,
    changes: KITCHEN_STOCK,
    read: |context| left_short(context).boxed(),
};

/// Products of which stores ask a kitchen for more than it has, until it shares out what there is.
pub(super) static SHARE: TaskType = TaskType {
    name: "ordersToShare",
    title: "Orders to share out",
    needs: &[(kind::KITCHEN_PAGE, Action::Approve)],
    rings: Rings::WhenLate,
    on_home: true,
    of_stores: true,
    changes: KITCHEN_STOCK,
    read: |context| to_share(context).boxed(),
};

async fn to_share(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let products = short::to_share(context.db(), context.today, context.stores.as_deref()).await?;
    let mut summary = TaskSummary { href: listed(SHARE.name), ..TaskSummary::default() };
    // A truck leaves with what it has.
    let lateness = |day| context.lateness(day_start(day), None);
    for one in &products {
        summary.add(one.needed_date, 1, lateness(one.needed_date));
        summary.arose(context, one.asked_at, (1, false));
    }
    if summary.late > 0 {
        summary.words = format!("{} needed by today", summary.late);
    }
    let items = products.into_iter().take(context.most).map(|one| Task {
        title: format!("{} · {}", one.name, one.commissary),
        text: format!(
            "Not enough for {}, needed {}",
            plural(one.stores, "store", "stores"),
            day_words(one.needed_date)
        ),
        href: format!(
            "/commissary/orders?commissaryId={}&neededDate={}&only=short",
            one.commissary_id, one.needed_date
        ),
        store_id: None,
        at: one.asked_at,
        count: 1,
        late: lateness(one.needed_date).late,
        urgent: false,
        id: format!("{}_{}", one.commissary_id, one.product_id),
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn left_short(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let lines = short::short_lines(context.db(), context.today, context.stores.as_deref()).await?;
    let mut summary =
        TaskSummary { href: "/commissary/orders?tab=short".to_owned(), ..TaskSummary::default() };
    // What is short on the morning of the day it is needed is urgent.
    let lateness = |day| context.lateness(day_start(day), Some(0));
    for line in &lines {
        let is = lateness(line.needed_date);
        summary.add(line.needed_date, 1, is);
        summary.arose(context, line.approved_at, (1, is.urgent));
    }
    if summary.late > 0 {
        summary.words = format!("{} needed by today", summary.late);
    }
    let items = lines.into_iter().take(context.most).map(|line| Task {
        title: format!("{} · {}", line.name, line.store),
        text: format!(
            "{} of {} {} short, needed {}",
            line.short,
            line.to_send,
            line.uom_code,
            day_words(line.needed_date)
        ),
        href: format!(
            "/commissary/orders?commissaryId={}&neededDate={}&only=short",
            line.commissary_id, line.needed_date
        ),
        store_id: Some(line.store_id),
        at: line.approved_at,
        count: 1,
        late: lateness(line.needed_date).late,
        urgent: lateness(line.needed_date).urgent,
        id: line.id,
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn recalls(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    // The newest come first: all of them, to count those recalled since the last visit.
    let most = if context.since.is_some() { usize::MAX } else { context.most };
    let asked = place_stock::recalled_lots(context.db(), &context.who.scope, most).await?;
    let mut summary = TaskSummary { href: "/stock/lots?only=recalled".to_owned(), ..TaskSummary::default() };
    // The list of lots is for users who may see products.
    if !context.who.can("products/products", Action::View) {
        summary.href = listed(RECALLS.name);
    }
    summary.count = i64::try_from(asked.total).unwrap_or(i64::MAX);
    (summary.late, summary.urgent) = (summary.count, summary.count);
    // Where the lot is taken out of use.
    let page = if context.who.can("products/products", Action::View) {
        "/stock/lots?only=recalled"
    } else {
        "/stores/receive"
    };
    for (lot, at) in asked.lots {
        summary.arose(context, lot.recalled_at, (1, true));
        if summary.items.len() == context.most {
            continue;
        }
        let more = at.len().saturating_sub(3);
        let mut text = format!("At {}", at[..at.len() - more].join(", "));
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        summary.items.push(Task {
            id: format!("{}_{}", lot.product_id, lot.lot),
            title: format!("{}, lot {}", lot.name, lot.lot),
            text,
            store_id: None,
            at: lot.recalled_at,
            count: 1,
            late: true,
            urgent: true,
            href: page.to_owned(),
        });
    }
    if summary.count > 0 {
        summary.words = "Take them out of use".to_owned();
    }
    Ok(summary)
}

async fn at_risk(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let db = context.db();
    let mut summary = TaskSummary { href: listed(AT_RISK.name), ..TaskSummary::default() };
    let stores = context.stores.as_deref();
    let Some(day) = plans::last_date(db, stores).await? else {
        summary.empty = true;
        summary.words = "No plan yet".to_owned();
        return Ok(summary);
    };
    if day < context.today.plus(-1) {
        summary.empty = true;
        summary.words = format!("No plan since {}", day_words(day));
        return Ok(summary);
    }
    let mut of_stores = plans::newest_of_stores(db, day, stores).await?;
    summary.of = Some(of_stores.iter().map(|run| run.lines).sum());
    of_stores.retain(|run| run.at_risk > 0);
    summary.count = of_stores.iter().map(|run| run.at_risk).sum();
    if of_stores.is_empty() {
        return Ok(summary);
    }
    let store_count = i64::try_from(of_stores.len()).unwrap_or(i64::MAX);
    summary.words = format!("at {}", plural(store_count, "store", "stores"));
    let pairs: Vec<(String, String)> =
        of_stores.iter().map(|run| (run.run_id.clone(), run.store_id.clone())).collect();
    let mut days: BTreeMap<BusinessDay, i64> = BTreeMap::new();
    // Stores with items that run out today at the latest. These are urgent.
    let mut out_today: BTreeSet<String> = BTreeSet::new();
    for (store, out, count) in out_by_day(context, &pairs).await? {
        *days.entry(out.max(context.today)).or_default() += count;
        if out <= context.today {
            out_today.insert(store);
        }
    }
    summary.late = days.get(&context.today).copied().unwrap_or_default();
    summary.urgent = summary.late;
    let new = match context.since {
        Some(since) => newly_at_risk(context, &of_stores, since).await?,
        None => 0,
    };
    summary.arisen = Some(Arisen { count: new, urgent: new > 0 && summary.urgent > 0 });
    let of_day = |(day, count): (BusinessDay, i64)| {
        let late = day <= context.today;
        DayCount { day, count, late, urgent: late }
    };
    summary.days = days.into_iter().map(of_day).collect();
    if let [only] = of_stores.as_slice() {
        summary.href = plan_of(&only.store_id);
    }
    if context.each {
        summary.items = lines_at_risk(context, &pairs, &of_stores).await?;
        return Ok(summary);
    }
    of_stores.sort_by(|a, b| b.at_risk.cmp(&a.at_risk).then_with(|| a.store_id.cmp(&b.store_id)));
    of_stores.truncate(context.most);
    let ids: Vec<&str> = of_stores.iter().map(|run| run.store_id.as_str()).collect();
    let names = context.store_names(&ids).await?;
    let items = of_stores.into_iter().map(|run| Task {
        id: format!("{}:{day}", run.store_id),
        title: names.get(&run.store_id).cloned().unwrap_or_default(),
        text: format!("{} will run out", plural(run.at_risk, "item", "items")),
        href: plan_of(&run.store_id),
        at: run.made_at,
        count: run.at_risk,
        late: out_today.contains(&run.store_id),
        urgent: out_today.contains(&run.store_id),
        store_id: Some(run.store_id),
    });
    summary.items = items.collect();
    Ok(summary)
}

/// The items at risk of a store's plan.
fn plan_of(store: &str) -> String {
    format!("/dashboard/drp-new?store={store}&only=risk")
}

/// Every item at risk, those first that run out first.
async fn lines_at_risk(
    context: &TaskContext<'_>,
    pairs: &[(String, String)],
    runs: &[plans::StoreRun],
) -> Result<Vec<Task>, larder_db::DbError> {
    let lines: Vec<(String, String, String, String, Option<BusinessDay>)> = context
        .db()
        .sql("select l.id, l.name, l.store_id, s.name, l.stock_out_date from ")
        .push_rows(&["run_id", "store_id"], pairs)
        .push(
            " w join plan_lines l on l.run_id = w.run_id and l.store_id = w.store_id \
               join locations s on s.id = l.store_id \
             where l.at_risk order by l.stock_out_date, l.store_id, l.name, l.id limit ",
        )
        .push_bind(context.limit())
        .all()
        .await?;
    let made: BTreeMap<&str, Timestamp> =
        runs.iter().map(|run| (run.store_id.as_str(), run.made_at)).collect();
    let items = lines.into_iter().map(|(id, name, store_id, store, out)| {
        let is_out = out.is_some_and(|day| day <= context.today);
        Task {
            title: format!("{name} · {store}"),
            text: out.map_or_else(|| "Runs out".to_owned(), |day| format!("Runs out {}", day_words(day))),
            href: plan_of(&store_id),
            at: made.get(store_id.as_str()).copied().unwrap_or(context.who.at),
            count: 1,
            late: is_out,
            urgent: is_out,
            store_id: Some(store_id),
            id,
        }
    });
    Ok(items.collect())
}

/// The number of items at risk in plans made since a time that were not in the store's plan before.
async fn newly_at_risk(
    context: &TaskContext<'_>,
    runs: &[plans::StoreRun],
    since: Timestamp,
) -> Result<i64, larder_db::DbError> {
    let new = runs.iter().filter(|run| run.made_at > since);
    let pairs: Vec<(String, String)> = new.map(|run| (run.run_id.clone(), run.store_id.clone())).collect();
    if pairs.is_empty() {
        return Ok(0);
    }
    context
        .db()
        .sql("select cast(count(*) as bigint) from ")
        .push_rows(&["run_id", "store_id"], &pairs)
        .push(
            " w join plan_lines l on l.run_id = w.run_id and l.store_id = w.store_id \
             where l.at_risk and not exists (select 1 from plan_lines o where o.at_risk and o.store_id = l.store_id \
               and o.product_id = l.product_id and o.run_id = (select max(p.run_id) from plan_stores p \
                 where p.store_id = l.store_id and p.made_at <= ",
        )
        .push_bind(since)
        .push("))")
        .scalar()
        .await
}

/// Lines at risk by store and day on which they run out.
async fn out_by_day(
    context: &TaskContext<'_>,
    pairs: &[(String, String)],
) -> Result<Vec<(String, BusinessDay, i64)>, larder_db::DbError> {
    context
        .db()
        .sql("select l.store_id, l.stock_out_date, cast(count(*) as bigint) from ")
        .push_rows(&["run_id", "store_id"], pairs)
        .push(
            " w join plan_lines l on l.run_id = w.run_id and l.store_id = w.store_id \
             where l.at_risk and l.stock_out_date is not null group by l.store_id, l.stock_out_date",
        )
        .all()
        .await
}
