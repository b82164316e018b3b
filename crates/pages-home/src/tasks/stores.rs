//! What stores still owe for their days: counts, Z-readings, cash.

use std::collections::BTreeMap;

use futures::FutureExt as _;
use larder_db::DbError;
use larder_domain::count::Session;
use larder_domain::tender::Kind as Paying;
use larder_domain::{Action, BusinessDay, Money, Span, Timestamp, plural};

use super::documents::day_end;
use super::model::{DayCount, Rings, Task, TaskContext, TaskSummary, TaskType, day_words};
use larder_ledgers::count_days;
use larder_ledgers::count_days::ComplianceState;
use larder_ledgers::paid;
use larder_platform::http::ApiResult;

/// How many days back cash is checked.
const CASH_SPAN: i32 = 14;
/// Days after which an unverified reading is overdue.
const READING_DAYS: i32 = 2;

/// Counts of yesterday and today past their deadline.
pub(super) static COUNTS: TaskType = TaskType {
    name: "countsMissing",
    title: "Counts missing",
    needs: &[("stores/storeCount", Action::View)],
    rings: Rings::Always,
    on_home: true,
    of_stores: true,
    changes: &["storeCount", "storeCountSession", "storeCountSettings"],
    read: |context| counts(context).boxed(),
};

/// Counts that broke a rule and await a decision.
pub(super) static HELD: TaskType = TaskType {
    name: "countsHeld",
    title: "Counts held",
    needs: &[("stores/storeCount", Action::Approve)],
    rings: Rings::Together,
    on_home: true,
    of_stores: true,
    changes: &["storeCountHeld"],
    read: |context| held(context).boxed(),
};

/// Unverified Z-readings.
pub(super) static READINGS: TaskType = TaskType {
    name: "readingsToVerify",
    title: "Z-readings to verify",
    needs: &[("sales/zReading", Action::Approve), ("sales/zReading", Action::Edit)],
    rings: Rings::Never,
    on_home: true,
    of_stores: true,
    changes: &["zReading"],
    read: |context| to_verify(context).boxed(),
};

/// Disputed Z-readings.
pub(super) static DISPUTED: TaskType = TaskType {
    name: "readingsDisputed",
    title: "Z-readings disputed",
    needs: &[("sales/zReading", Action::View)],
    rings: Rings::Always,
    on_home: true,
    of_stores: true,
    changes: &["zReading"],
    read: |context| disputed(context).boxed(),
};

/// Cash that should be in the bank by now.
pub(super) static CASH: TaskType = TaskType {
    name: "cashMissing",
    title: "Cash not deposited",
    needs: &[("sales/tenderReport", Action::View)],
    rings: Rings::Together,
    on_home: true,
    of_stores: true,
    changes: &["cashDeclaration", "cashDeposit", "zReading", "salesDay"],
    read: |context| cash(context).boxed(),
};

const fn session_words(session: Session) -> &'static str {
    match session {
        Session::Whole => "Count",
        Session::Opening => "Opening count",
        Session::Closing => "Closing count",
    }
}

/// One notification per session and day, however many stores did not count.
async fn counts(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let (first, today) = (context.today.plus(-1), context.today);
    let stores = count_days::open_stores(context.db(), context.stores.as_deref()).await?;
    let span = Span { from: first, to: today };
    let known = count_days::read(context.db(), &stores, span, context.who.at).await?;
    let mut summary = TaskSummary {
        href: format!("/reports/count-compliance?from={first}&to={today}"),
        ..TaskSummary::default()
    };
    if !context.who.can("reports/reports", Action::View) {
        summary.href = "/stores/count".to_owned();
    }
    let mut due = 0_i64;
    let mut missing: BTreeMap<(BusinessDay, Session), (Vec<String>, Timestamp)> = BTreeMap::new();
    for day in [first, today] {
        let mut of_day = 0;
        for store in &stores {
            for one in known.due(store, day) {
                due += i64::from(one.state != ComplianceState::Open);
                if matches!(one.state, ComplianceState::Missing | ComplianceState::Partial) {
                    of_day += 1;
                    let end = known.end(&store.id, day, one.session);
                    let (names, at) = missing.entry((day, one.session)).or_insert_with(|| (Vec::new(), end));
                    names.push(store.name.clone());
                    *at = end.max(*at);
                }
            }
        }
        summary.count += of_day;
        if of_day > 0 {
            summary.days.push(DayCount { day, count: of_day, late: day < today });
            summary.late += if day < today { of_day } else { 0 };
        }
    }
    summary.of = Some(due);
    if due > 0 {
        summary.words = format!("of {due} due since yesterday");
    } else {
        summary.empty = true;
        summary.words = "No count was due since yesterday".to_owned();
    }
    let href = summary.href.clone();
    let items = missing.into_iter().rev().take(context.most).map(|((day, session), (names, at))| Task {
        id: format!("{day}:{}", session.as_str()),
        title: format!("{} of {}", session_words(session), day_words(day)),
        text: listed(&names),
        store_id: None,
        at,
        late: day < today,
        href: href.clone(),
    });
    summary.items = items.collect();
    Ok(summary)
}

/// Store id and name, day, number of held counts, time of the latest.
type HeldDay = (String, String, BusinessDay, i64, Timestamp);

/// One item per store. Stock is wrong until a held count is decided on, so those from before yesterday are
/// overdue.
async fn held(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let query = context.db().sql(
        "select e.store_id, coalesce(min(l.name), e.store_id), e.date, cast(count(*) as bigint), max(e.received_at)
         from store_count_events e left join locations l on l.id = e.store_id where e.outcome = 'held'",
    );
    let query =
        context.within(query, "e.store_id").push(" group by e.store_id, e.date order by e.date, e.store_id");
    let found: Vec<HeldDay> = query.all().await?;
    let mut summary = TaskSummary { href: "/stores/count?held=1".to_owned(), ..TaskSummary::default() };
    let mut days: BTreeMap<BusinessDay, i64> = BTreeMap::new();
    let mut stores: Vec<(Task, i64, BusinessDay)> = Vec::new();
    for (store_id, name, day, count, at) in found {
        summary.count += count;
        *days.entry(day).or_default() += count;
        let late = is_held_long(context, day);
        summary.late += if late { count } else { 0 };
        match stores.iter_mut().find(|(item, ..)| item.id == store_id) {
            Some((item, held, _)) => {
                *held += count;
                item.at = item.at.max(at);
            }
            None => {
                let item = Task {
                    id: store_id.clone(),
                    title: name,
                    text: String::new(),
                    href: format!("/stores/count?store={store_id}&held=1"),
                    store_id: Some(store_id),
                    at,
                    late,
                };
                stores.push((item, count, day));
            }
        }
    }
    summary.days = days
        .into_iter()
        .map(|(day, count)| DayCount { day, count, late: is_held_long(context, day) })
        .collect();
    if let [(only, ..)] = stores.as_slice() {
        summary.href.clone_from(&only.href);
    }
    if summary.count > 0 {
        let many = i64::try_from(stores.len()).unwrap_or(i64::MAX);
        summary.words = format!("of {}", plural(many, "store", "stores"));
    }
    let items = stores.into_iter().take(context.most).map(|(item, count, oldest)| Task {
        text: format!("{}, the oldest of {}", plural(count, "count", "counts"), day_words(oldest)),
        ..item
    });
    summary.items = items.collect();
    Ok(summary)
}

fn is_held_long(context: &TaskContext<'_>, day: BusinessDay) -> bool {
    day < context.today.plus(-1)
}

/// The first three names and the number of the others.
fn listed(names: &[String]) -> String {
    match names.len().saturating_sub(3) {
        0 | 1 if names.len() <= 4 => names.join(", "),
        more => format!("{} and {more} more stores", names[..3].join(", ")),
    }
}

async fn by_day(
    context: &TaskContext<'_>,
    states: &[&'static str],
    last_late: BusinessDay,
) -> Result<TaskSummary, DbError> {
    let query = context
        .db()
        .sql("select r.business_date, cast(count(*) as bigint) from z_readings r where r.state in ")
        .push_ids(states);
    let days: Vec<(BusinessDay, i64)> = context
        .within(query, "r.store_id")
        .push(" group by r.business_date order by r.business_date")
        .all()
        .await?;
    let mut summary = TaskSummary::default();
    for (day, count) in days {
        let late = day <= last_late;
        summary.count += count;
        summary.late += if late { count } else { 0 };
        summary.days.push(DayCount { day, count, late });
    }
    Ok(summary)
}

/// Reading id, store id, store name, till, day, last change.
type Reading = (String, String, String, String, BusinessDay, Timestamp);

async fn readings(
    context: &TaskContext<'_>,
    states: &[&'static str],
    last_late: BusinessDay,
) -> ApiResult<TaskSummary> {
    let mut summary = by_day(context, states, last_late).await?;
    if summary.count == 0 || context.most == 0 {
        return Ok(summary);
    }
    let query = context
        .db()
        .sql(
            "select r.id, r.store_id, s.name, r.terminal_id, r.business_date, r.updated_at
             from z_readings r join locations s on s.id = r.store_id where r.state in ",
        )
        .push_ids(states);
    let found: Vec<Reading> = context
        .within(query, "r.store_id")
        .push(" order by r.business_date, r.id limit ")
        .push_bind(context.limit())
        .all()
        .await?;
    let items = found.into_iter().map(|(id, store_id, name, till, day, at)| Task {
        href: format!("/sales/z-reading/{id}"),
        title: if till.is_empty() { name } else { format!("{name}, till {till}") },
        text: format!("Z-reading of {}", day_words(day)),
        store_id: Some(store_id),
        at,
        late: day <= last_late,
        id,
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn to_verify(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let last_late = context.today.plus(-READING_DAYS - 1);
    let mut summary = readings(context, &["needsReview"], last_late).await?;
    summary.href = "/sales/z-reading?state=needsReview".to_owned();
    if summary.late > 0 {
        summary.words = format!("{} older than {READING_DAYS} days", summary.late);
    }
    Ok(summary)
}

async fn disputed(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let mut summary = readings(context, &["disputed"], context.today).await?;
    summary.href = "/sales/z-reading?state=disputed".to_owned();
    Ok(summary)
}

/// One notification for the latest overdue day, however many store days are overdue.
async fn cash(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let db = context.db();
    let span = Span { from: context.today.plus(-CASH_SPAN), to: context.today.plus(-1) };
    let ids = match &context.stores {
        Some(ids) => ids.clone(),
        None => {
            let all: Vec<(String,)> = db.sql("select id from locations").all().await?;
            all.into_iter().map(|(id,)| id).collect()
        }
    };
    let types = paid::Types::read(db).await?;
    let cells = paid::cells(db, &types, &ids, span).await?;
    let mut summary = TaskSummary {
        href: format!("/sales/tender-report?only=late&kind=cash&from={}&to={}", span.from, span.to),
        ..TaskSummary::default()
    };
    let (mut sum, mut days) = (0_i64, BTreeMap::<BusinessDay, i64>::new());
    let mut of_store: BTreeMap<String, (i64, BusinessDay, BusinessDay)> = BTreeMap::new();
    for ((store, day, kind), cell) in cells {
        let Some(missing) = cell.figures.missing(kind).filter(|_| kind == Paying::Cash) else { continue };
        if i64::from(context.today.0) - i64::from(day.0) <= types.days(kind) {
            continue;
        }
        summary.count += 1;
        sum = sum.saturating_add(missing.0);
        *days.entry(day).or_default() += 1;
        let (amount, oldest, newest) = of_store.entry(store).or_insert((0, day, day));
        *amount = amount.saturating_add(missing.0);
        (*oldest, *newest) = ((*oldest).min(day), (*newest).max(day));
    }
    let week = context.today.plus(-7);
    summary.late = days.iter().filter(|(day, _)| **day < week).map(|(_, count)| count).sum();
    summary.days =
        days.iter().map(|(day, count)| DayCount { day: *day, count: *count, late: *day < week }).collect();
    if summary.count == 0 {
        return Ok(summary);
    }
    summary.amount = Some(Money(sum));
    let store_count = plural(i64::try_from(of_store.len()).unwrap_or(i64::MAX), "store", "stores");
    summary.words = format!("{} of {store_count}", plural(summary.count, "day", "days"));
    let ids: Vec<&str> = of_store.keys().map(String::as_str).collect();
    let names: BTreeMap<String, String> = db
        .sql("select id, name from locations where id in ")
        .push_ids(&ids)
        .all()
        .await?
        .into_iter()
        .collect();
    let mut items: Vec<(i64, Task)> = of_store
        .into_iter()
        .map(|(store, (amount, oldest, newest))| {
            let item = Task {
                id: format!("{store}:{newest}"),
                title: names.get(&store).cloned().unwrap_or_default(),
                text: format!("{} since {}", Money(amount).pesos(), day_words(oldest)),
                href: format!(
                    "/sales/tender-report?only=late&kind=cash&stores={store}&from={}&to={}",
                    span.from, span.to
                ),
                store_id: Some(store),
                at: day_end(newest.plus(1)),
                late: oldest < week,
            };
            (amount, item)
        })
        .collect();
    items.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    summary.items = items.into_iter().map(|(_, item)| item).take(context.most).collect();
    Ok(summary)
}
