//! What stores still owe for their days: counts, Z-readings, pictures of them that name no store, cash.

use std::collections::BTreeMap;

use futures::FutureExt as _;
use larder_db::Json;
use larder_domain::count::Session;
use larder_domain::tender::Kind as Paying;
use larder_domain::zreading::flow::ReadingState;
use larder_domain::{Action, BusinessDay, Money, Span, StoreScope, Timestamp, plural};

use super::model::{
    Lateness, Rings, Task, TaskContext, TaskSummary, TaskType, day_end, day_words, listed as all_of,
};
use larder_ledgers::count_days;
use larder_ledgers::count_days::ComplianceState;
use larder_ledgers::paid;
use larder_ledgers::readings::{Taken, unsorted};
use larder_platform::audit::Editor;
use larder_platform::http::ApiResult;

/// How many days back cash is checked.
const CASH_SPAN: i32 = 14;
/// Days after which late cash is urgent.
const CASH_URGENT_DAYS: i64 = 7;
/// Days after which an unverified reading is overdue, and a disputed one that was not settled.
pub(super) const READING_DAYS: i32 = 2;

/// Where pictures get their store.
const PICTURES_PAGE: &str = "/tools/services/zreading-ocr";

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

/// Unverified Z-readings: those to review, and pictures that are not read yet.
pub(super) static READINGS: TaskType = TaskType {
    name: "readingsToVerify",
    title: "Z-readings to verify",
    needs: &[("sales/zReading", Action::Approve), ("sales/zReading", Action::Edit)],
    rings: Rings::WhenLate,
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

/// Till pictures whose machine number told no store: the user's own, or all for a user of all stores.
pub(super) static PICTURES: TaskType = TaskType {
    name: "picturesWithoutStore",
    title: "Till pictures without a store",
    needs: &[("tools/zReadingOcr", Action::Create)],
    rings: Rings::Together,
    on_home: true,
    of_stores: false,
    changes: &[unsorted::KIND],
    read: |context| pictures(context).boxed(),
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

/// Missing counts of a day's session.
struct MissingCounts {
    /// Ids and names of the stores.
    stores: Vec<(String, String)>,
    /// When the last of their windows ended.
    end: Timestamp,
}

/// One notification per session and day, however many stores did not count; in the list an item per store.
async fn counts(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let (first, today) = (context.today.plus(-1), context.today);
    let stores = count_days::open_stores(context.db(), context.stores.as_deref()).await?;
    let span = Span { from: first, to: today };
    let known = count_days::read(context.db(), &stores, span, context.who.at).await?;
    let mut summary = TaskSummary { href: all_of(COUNTS.name), ..TaskSummary::default() };
    let mut due = 0_i64;
    let mut missing: BTreeMap<(BusinessDay, Session), MissingCounts> = BTreeMap::new();
    for day in [first, today] {
        for store in &stores {
            for one in known.due(store, day) {
                due += i64::from(one.state != ComplianceState::Open);
                if matches!(one.state, ComplianceState::Missing | ComplianceState::Partial) {
                    let end = known.end(&store.id, day, one.session);
                    let of = missing
                        .entry((day, one.session))
                        .or_insert_with(|| MissingCounts { stores: Vec::new(), end });
                    of.stores.push((store.id.clone(), store.name.clone()));
                    of.end = end.max(of.end);
                    let is = lateness_of_count(context, day);
                    summary.add(day, 1, is);
                    summary.arose(context, end, (1, is.urgent));
                }
            }
        }
    }
    summary.of = Some(due);
    if due > 0 {
        summary.words = format!("of {due} due since yesterday");
    } else {
        summary.empty = true;
        summary.words = "No count was due since yesterday".to_owned();
    }
    let mut items = Vec::new();
    for ((day, session), of) in missing.into_iter().rev() {
        let is = lateness_of_count(context, day);
        let what = format!("{} of {}", session_words(session), day_words(day));
        if context.each {
            items.extend(of.stores.into_iter().map(|(id, name)| Task {
                href: format!("/stores/count?store={id}&date={day}"),
                title: name,
                text: what.clone(),
                at: known.end(&id, day, session),
                count: 1,
                late: is.late,
                urgent: is.urgent,
                id: format!("{day}:{}:{id}", session.as_str()),
                store_id: Some(id),
            }));
            continue;
        }
        let names: Vec<String> = of.stores.into_iter().map(|(_, name)| name).collect();
        items.push(Task {
            id: format!("{day}:{}", session.as_str()),
            title: what,
            text: listed(&names),
            store_id: None,
            at: of.end,
            count: i64::try_from(names.len()).unwrap_or(i64::MAX),
            late: is.late,
            urgent: is.urgent,
            href: summary.href.clone(),
        });
    }
    items.truncate(context.most);
    summary.items = items;
    Ok(summary)
}

/// A count is missing once its time is over, so it is late. From the next day on it is urgent.
fn lateness_of_count(context: &TaskContext<'_>, day: BusinessDay) -> Lateness {
    Lateness { late: true, urgent: day < context.today, new: false }
}

/// Store id and name, day, number of held counts, time of the latest, number of those that others sent since the last visit.
type HeldDay = (String, String, BusinessDay, i64, Timestamp, i64);

/// One item per store. Stock is wrong until a held count is decided on, so those from before yesterday are
/// overdue.
async fn held(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let query = context
        .db()
        .sql(
            "select e.store_id, coalesce(min(l.name), e.store_id), e.date, cast(count(*) as bigint), max(e.received_at),
               cast(count(case when e.received_at > $1 and e.sent_by->>'uid' <> $2 then 1 end) as bigint)
             from store_count_events e left join locations l on l.id = e.store_id where e.outcome = 'held'",
        )
        .bind(context.since.unwrap_or(context.who.at))
        .bind(&context.who.uid);
    let query =
        context.within(query, "e.store_id").push(" group by e.store_id, e.date order by e.date, e.store_id");
    let found: Vec<HeldDay> = query.all().await?;
    let mut summary = TaskSummary { href: "/stores/count?held=1".to_owned(), ..TaskSummary::default() };
    let mut stores: Vec<(Task, BusinessDay)> = Vec::new();
    for (store_id, name, day, count, at, new) in found {
        let is = context.lateness(day_end(day.plus(1)), None);
        summary.add(day, count, is);
        summary.arose(context, context.who.at, (new, false));
        match stores.iter_mut().find(|(item, _)| item.id == store_id) {
            Some((item, _)) => {
                item.count += count;
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
                    count,
                    late: is.late,
                    urgent: false,
                };
                stores.push((item, day));
            }
        }
    }
    if let [(only, _)] = stores.as_slice() {
        summary.href.clone_from(&only.href);
    }
    if summary.count > 0 {
        let many = i64::try_from(stores.len()).unwrap_or(i64::MAX);
        summary.words = format!("of {}", plural(many, "store", "stores"));
    }
    let items = stores.into_iter().take(context.most).map(|(item, oldest)| Task {
        text: format!("{}, the oldest of {}", plural(item.count, "count", "counts"), day_words(oldest)),
        ..item
    });
    summary.items = items.collect();
    Ok(summary)
}

/// The first three names and the number of the others.
fn listed(names: &[String]) -> String {
    match names.len().saturating_sub(3) {
        0 | 1 if names.len() <= 4 => names.join(", "),
        more => format!("{} and {more} more stores", names[..3].join(", ")),
    }
}

/// A reading in its state.
#[derive(larder_db::FromRow)]
struct Reading {
    id: String,
    store_id: String,
    store: String,
    terminal_id: String,
    business_date: BusinessDay,
    steps: Json<Vec<Taken>>,
    created_at: Timestamp,
    created_by: Json<Editor>,
}

impl Reading {
    /// Since when it is in its state: its last step, else its creation; and the user who brought it there.
    fn raised(&self) -> (Timestamp, &str) {
        let created = (self.created_at, self.created_by.0.uid.as_str());
        self.steps.0.last().map_or(created, |taken| (taken.at, &taken.by.uid))
    }
}

/// Readings in some states. `due`: when one of a day, in its state since a time, is due.
async fn readings(
    context: &TaskContext<'_>,
    states: &[&'static str],
    due: fn(BusinessDay, Timestamp) -> Timestamp,
) -> ApiResult<TaskSummary> {
    let query = context
        .db()
        .sql(
            "select r.id, r.store_id, s.name as store, r.terminal_id, r.business_date, r.steps, r.created_at, r.created_by
             from z_readings r join locations s on s.id = r.store_id where r.state in ",
        )
        .push_ids(states);
    let found: Vec<Reading> =
        context.within(query, "r.store_id").push(" order by r.business_date, r.id").all().await?;
    let lateness = |one: &Reading| context.lateness(due(one.business_date, one.raised().0), None);
    let mut summary = TaskSummary {
        href: format!("/sales/z-reading?state={}", states.join(",")),
        ..TaskSummary::default()
    };
    for one in &found {
        summary.add(one.business_date, 1, lateness(one));
        let (at, by) = one.raised();
        summary.arose(context, at, (i64::from(by != context.who.uid), false));
    }
    let items = found.into_iter().take(context.most).map(|one| Task {
        href: format!("/sales/z-reading/{}", one.id),
        text: format!("Z-reading of {}", day_words(one.business_date)),
        at: one.raised().0,
        count: 1,
        late: lateness(&one).late,
        urgent: false,
        title: if one.terminal_id.is_empty() {
            one.store
        } else {
            format!("{}, till {}", one.store, one.terminal_id)
        },
        store_id: Some(one.store_id),
        id: one.id,
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn to_verify(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let states = [ReadingState::Captured.as_str(), ReadingState::NeedsReview.as_str()];
    let mut summary = readings(context, &states, |day, _| day_end(day.plus(READING_DAYS))).await?;
    if summary.late > 0 {
        summary.words = format!("{} older than {READING_DAYS} days", summary.late);
    }
    Ok(summary)
}

async fn disputed(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let due = |_: BusinessDay, raised: Timestamp| raised.plus_ms(i64::from(READING_DAYS) * 86_400_000);
    let mut summary = readings(context, &[ReadingState::Disputed.as_str()], due).await?;
    if summary.late > 0 {
        summary.words = format!("{} for more than {READING_DAYS} days", summary.late);
    }
    Ok(summary)
}

/// Those that were read and wait for a store, the oldest first. They are due at no time.
async fn pictures(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let own = (context.who.scope != StoreScope::All).then_some(context.who.uid.as_str());
    let mut open = unsorted::open(context.db(), own).await?;
    open.retain(|picture| picture.state == "asks");
    let mut summary = TaskSummary { href: PICTURES_PAGE.to_owned(), ..TaskSummary::default() };
    for picture in &open {
        summary.add(BusinessDay::of(picture.created_at), 1, Lateness::default());
        let by_others = i64::from(picture.sent_by != context.who.uid);
        summary.arose(context, picture.created_at, (by_others, false));
    }
    if let Some(oldest) = open.first() {
        summary.words = format!("since {}", day_words(BusinessDay::of(oldest.created_at)));
    }
    let items = open.into_iter().take(context.most).map(|picture| Task {
        id: picture.id,
        title: picture.file_name,
        text: picture.min.map_or_else(|| "No machine number read".to_owned(), |min| format!("MIN {min}")),
        store_id: None,
        at: picture.created_at,
        count: 1,
        late: false,
        urgent: false,
        href: PICTURES_PAGE.to_owned(),
    });
    summary.items = items.collect();
    Ok(summary)
}

/// Late cash of a store.
struct StoreCash {
    missing: Money,
    /// Number of days.
    days: i64,
    oldest: BusinessDay,
    newest: BusinessDay,
}

/// What is listed is late: cash of a day is due by the end of the next one. One notification for the latest day,
/// however many store days are overdue.
async fn cash(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let db = context.db();
    let span = Span { from: context.today.plus(-CASH_SPAN), to: context.today.plus(-1) };
    let ids = context.store_ids().await?;
    let types = paid::Types::read(db).await?;
    let mut late = paid::late(db, &types, (ids.as_slice(), span), context.today).await?;
    late.retain(|one| one.kind == Paying::Cash);
    late.sort_by_key(|one| one.day);
    let mut summary = TaskSummary {
        href: format!("/sales/tender-report?only=late&kind=cash&from={}&to={}", span.from, span.to),
        ..TaskSummary::default()
    };
    let lateness = |day: BusinessDay| context.lateness(day_end(day.plus(1)), Some(CASH_URGENT_DAYS));
    let mut sum = 0_i64;
    let mut of_store: BTreeMap<String, StoreCash> = BTreeMap::new();
    for one in late {
        summary.add(one.day, 1, lateness(one.day));
        sum = sum.saturating_add(one.missing.0);
        let of = of_store.entry(one.store_id).or_insert(StoreCash {
            missing: Money(0),
            days: 0,
            oldest: one.day,
            newest: one.day,
        });
        of.missing = Money(of.missing.0.saturating_add(one.missing.0));
        of.days += 1;
        of.newest = one.day;
    }
    if summary.count == 0 {
        return Ok(summary);
    }
    summary.amount = Some(Money(sum));
    let store_count = plural(i64::try_from(of_store.len()).unwrap_or(i64::MAX), "store", "stores");
    summary.words = format!("{} of {store_count}", plural(summary.count, "day", "days"));
    let ids: Vec<&str> = of_store.keys().map(String::as_str).collect();
    let names = context.store_names(&ids).await?;
    let mut items: Vec<(i64, Task)> = of_store
        .into_iter()
        .map(|(store, of)| {
            let is = lateness(of.oldest);
            let item = Task {
                id: format!("{store}:{}", of.newest),
                title: names.get(&store).cloned().unwrap_or_default(),
                text: format!("{} since {}", of.missing.pesos(), day_words(of.oldest)),
                href: format!("{}&stores={store}", summary.href),
                store_id: Some(store),
                at: day_end(of.newest.plus(1)),
                count: of.days,
                late: is.late,
                urgent: is.urgent,
            };
            (of.missing.0, item)
        })
        .collect();
    items.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    summary.items = items.into_iter().map(|(_, item)| item).take(context.most).collect();
    Ok(summary)
}
