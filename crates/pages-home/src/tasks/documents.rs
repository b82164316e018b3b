//! Inbox tasks about orders, waste, deliveries, receipts and stock-takes.

use std::collections::{BTreeSet, HashMap};

use futures::FutureExt as _;
use larder_db::{DbError, Json, Query};
use larder_domain::document::batch::BatchState;
use larder_domain::document::order::{OrderState, OrderStep};
use larder_domain::document::receipt::{ReceiptState, ReceiptStep};
use larder_domain::document::shipment::ShipmentState;
use larder_domain::document::stock_take::StockTakeState;
use larder_domain::document::waste::{WasteState, WasteStep};
use larder_domain::document::{DocumentKind, Stage, kind};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::{Action, BusinessDay, Money, Timestamp, plural};

use super::model::{Arisen, Rings, Task, TaskContext, TaskSummary, TaskType, day_end, day_start, day_words};
use larder_documents::{Taken, receipts, shipments};
use larder_ledgers::stock;
use larder_platform::audit::Editor;
use larder_platform::http::ApiResult;

/// Days in which a difference or a waste report is to be decided on, its own day included.
const SOON: i32 = 3;
/// Days after which a late delivery is urgent.
const DELIVERY_URGENT_DAYS: i64 = 1;

/// Orders awaiting approval.
pub(super) static ORDERS: TaskType = TaskType {
    name: "ordersToApprove",
    title: "Orders to approve",
    needs: &[(kind::ORDERS_PAGE, Action::Approve)],
    rings: Rings::Always,
    on_home: true,
    of_stores: true,
    changes: &[DocumentKind::StoreOrder.as_str()],
    read: |context| orders(context).boxed(),
};

/// Waste reports whose value requires approval.
pub(super) static WASTE: TaskType = TaskType {
    name: "wasteToApprove",
    title: "Waste to approve",
    needs: &[(kind::TRANSACTIONS_PAGE, Action::Approve)],
    rings: Rings::Always,
    on_home: true,
    of_stores: true,
    changes: &[DocumentKind::Waste.as_str()],
    read: |context| waste(context).boxed(),
};

/// Shipments that left a kitchen, a warehouse or a store and have not arrived.
pub(super) static DELIVERIES: TaskType = TaskType {
    name: "onTheWay",
    title: "Deliveries on the way",
    needs: &[(kind::DELIVERIES_PAGE, Action::View), (kind::RECEIPTS_PAGE, Action::View)],
    rings: Rings::WhenLate,
    on_home: true,
    of_stores: true,
    changes: &[
        DocumentKind::Delivery.as_str(),
        DocumentKind::Transfer.as_str(),
        DocumentKind::Receipt.as_str(),
    ],
    read: |context| deliveries(context).boxed(),
};

/// Receipts with unresolved differences.
pub(super) static DIFFERENCES: TaskType = TaskType {
    name: "receiptDifferences",
    title: "Differences to settle",
    needs: &[(kind::RECEIPTS_PAGE, Action::Post), (kind::RECEIPTS_PAGE, Action::Approve)],
    rings: Rings::Always,
    on_home: true,
    of_stores: true,
    changes: &[DocumentKind::Receipt.as_str()],
    read: |context| differences(context).boxed(),
};

/// Stock-takes that are planned or being counted. Like their list, they are of all places.
pub(super) static STOCK_TAKES: TaskType = TaskType {
    name: "stockTakesOpen",
    title: "Stock-takes to finish",
    needs: &[(kind::KITCHEN_PAGE, Action::Edit), (kind::KITCHEN_PAGE, Action::Post)],
    rings: Rings::WhenLate,
    on_home: true,
    of_stores: false,
    changes: &[DocumentKind::StockTake.as_str()],
    read: |context| stock_takes(context).boxed(),
};

/// Batches that are planned or being made. Like their list, they are of all kitchens.
pub(super) static BATCHES: TaskType = TaskType {
    name: "batchesDue",
    title: "Batches to make",
    needs: &[(kind::KITCHEN_PAGE, Action::Edit), (kind::KITCHEN_PAGE, Action::Post)],
    rings: Rings::WhenLate,
    on_home: true,
    of_stores: false,
    changes: &[DocumentKind::Production.as_str()],
    read: |context| batches(context).boxed(),
};

/// The fields of a document that a task shows.
#[derive(larder_db::FromRow)]
struct Document {
    id: String,
    number: String,
    state: String,
    on_date: BusinessDay,
    /// An order's cut-off as RFC 3339.
    cutoff_at: Option<String>,
    /// Why an order is asked for after its cut-off.
    urgent_reason: Option<String>,
    source_type: Option<String>,
    source_id: Option<String>,
    store_id: Option<String>,
    store_name: Option<String>,
    amount: Option<Money>,
    steps: Json<Vec<Taken>>,
    created_at: Timestamp,
    created_by: Json<Editor>,
}

/// Documents of a type in some states, those of stores within the user's.
struct Wanted<'a> {
    kind: DocumentKind,
    states: &'a [&'static str],
    /// A further condition on `d`, or nothing.
    more: &'static str,
    /// When a document of a day, with or without a cut-off, is due.
    due: fn(BusinessDay, Option<Timestamp>) -> Timestamp,
    /// The step that makes it a task. Without one its creation does, and again that it becomes late.
    raised_by: Option<&'static str>,
}

impl Wanted<'_> {
    fn push<'q>(&self, context: &TaskContext<'_>, query: Query<'q>) -> Query<'q> {
        let query = query.push(" where d.kind = ").push_bind(self.kind).push(" and d.state in ");
        let query = query.push_in(self.states.iter().copied()).push(self.more);
        if self.kind.declared().of_stores { context.within(query, "d.store_id") } else { query }
    }

    fn due_of(&self, day: BusinessDay, cutoff: Option<&str>) -> Timestamp {
        (self.due)(day, cutoff.and_then(Timestamp::parse))
    }
}

/// Their number per day, and the first of them.
async fn open_documents(
    context: &TaskContext<'_>,
    wanted: &Wanted<'_>,
) -> Result<(TaskSummary, Vec<Document>), DbError> {
    let query = context
        .db()
        .sql("select d.on_date, d.details->>'cutoffAt', cast(count(*) as bigint) from documents d");
    let days: Vec<(BusinessDay, Option<String>, i64)> = wanted
        .push(context, query)
        .push(" group by d.on_date, d.details->>'cutoffAt' order by d.on_date")
        .all()
        .await?;
    let mut summary = TaskSummary { arisen: Some(Arisen::default()), ..TaskSummary::default() };
    for (day, cutoff, count) in days {
        summary.add(day, count, context.lateness(wanted.due_of(day, cutoff.as_deref()), None));
    }
    if let Some(since) = context.since.filter(|_| summary.count > 0) {
        // What arose since was changed since, or its day has passed since.
        let query = wanted.push(context, context.db().sql(DOCUMENT)).push(" and (d.updated_at > ");
        let query =
            query.push_bind(since).push(" or d.on_date between ").push_bind(BusinessDay::of(since).plus(-1));
        let changed: Vec<Document> = query.push(" and ").push_bind(context.today).push(")").all().await?;
        for one in changed {
            let (at, by) = one.raised(context, wanted);
            if by != Some(&context.who.uid) {
                summary.arose(context, at, (1, false));
            }
        }
    }
    if summary.count == 0 || context.most == 0 {
        return Ok((summary, Vec::new()));
    }
    let query = wanted.push(context, context.db().sql(DOCUMENT)).push(" order by d.on_date, d.id limit ");
    Ok((summary, query.push_bind(context.limit()).all().await?))
}

const DOCUMENT: &str =
    "select d.id, d.number, d.state, d.on_date, d.details->>'cutoffAt' as cutoff_at, \
       d.details->>'urgentReason' as urgent_reason, d.source_type, d.source_id, d.store_id, s.name as store_name, d.amount, d.steps, d.created_at, d.created_by
     from documents d left join locations s on s.id = d.store_id";

impl Document {
    fn is_late(&self, context: &TaskContext<'_>, wanted: &Wanted<'_>) -> bool {
        context.lateness(wanted.due_of(self.on_date, self.cutoff_at.as_deref()), None).late
    }

    /// When it became a task, and the user who made it one.
    fn raised(&self, context: &TaskContext<'_>, wanted: &Wanted<'_>) -> (Timestamp, Option<&String>) {
        let created = (self.created_at, Some(&self.created_by.0.uid));
        match wanted.raised_by {
            Some(step) => {
                let taken = self.steps.0.iter().rev().find(|taken| taken.step == step);
                taken.map_or(created, |taken| (taken.at, Some(&taken.by.uid)))
            }
            None if self.is_late(context, wanted) => {
                (wanted.due_of(self.on_date, self.cutoff_at.as_deref()), None)
            }
            None => created,
        }
    }

    fn task(self, context: &TaskContext<'_>, wanted: &Wanted<'_>, text: String, base: &str) -> Task {
        let late = self.is_late(context, wanted);
        let (at, _) = self.raised(context, wanted);
        let store = self.store_name.unwrap_or_default();
        Task {
            href: format!("{base}/{}", self.id),
            title: format!("{} · {store}", self.number),
            text,
            store_id: self.store_id,
            at,
            count: 1,
            late,
            urgent: false,
            id: self.id,
        }
    }
}

async fn orders(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let wanted = Wanted {
        kind: DocumentKind::StoreOrder,
        states: &[OrderState::Submitted.as_str()],
        more: "",
        // Without a cut-off it has to be answered before the day it is needed.
        due: |day, cutoff| cutoff.unwrap_or(day_start(day)),
        raised_by: Some(OrderStep::Submit.as_str()),
    };
    let (mut summary, found) = open_documents(context, &wanted).await?;
    summary.href = "/stores/orders?status=submitted".to_owned();
    if summary.late > 0 {
        summary.words = format!("{} past their cut-off", summary.late);
    }
    let items = found.into_iter().map(|order| {
        let worth = order.amount.map(|amount| format!(", {}", amount.pesos())).unwrap_or_default();
        let needed = if order.urgent_reason.is_some() { "Urgent, needed" } else { "Needed" };
        let text = format!("{needed} {}{worth}", day_words(order.on_date));
        order.task(context, &wanted, text, "/stores/orders")
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn waste(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let wanted = Wanted {
        kind: DocumentKind::Waste,
        states: &[WasteState::Submitted.as_str()],
        more: "",
        due: |day, _| day_end(day.plus(SOON - 1)),
        raised_by: Some(WasteStep::Submit.as_str()),
    };
    let (mut summary, found) = open_documents(context, &wanted).await?;
    summary.href = "/stores/transactions?tab=waste&status=submitted".to_owned();
    if summary.late > 0 {
        summary.words = format!("{} older than {} days", summary.late, SOON - 1);
    }
    let items = found.into_iter().map(|report| {
        let worth = report.amount.map_or_else(|| "Waste".to_owned(), Money::pesos);
        let text = format!("{worth} of {}", day_words(report.on_date));
        report.task(context, &wanted, text, "/stores/transactions/waste")
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn differences(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let wanted = Wanted {
        kind: DocumentKind::Receipt,
        states: &[ReceiptState::Posted.as_str()],
        more: receipts::UNDECIDED,
        due: |day, _| day_end(day.plus(SOON - 1)),
        raised_by: Some(ReceiptStep::Post.as_str()),
    };
    let (mut summary, found) = open_documents(context, &wanted).await?;
    summary.href = "/stores/receive?undecided=true".to_owned();
    if summary.late > 0 {
        summary.words = format!("{} older than {} days", summary.late, SOON - 1);
    }
    let items = found.into_iter().map(|receipt| {
        let text = format!("Came otherwise than sent on {}", day_words(receipt.on_date));
        receipt.task(context, &wanted, text, "/stores/receive")
    });
    summary.items = items.collect();
    Ok(summary)
}

/// Only late deliveries are worth a notification. A kitchen that receives nothing lists its own deliveries only.
async fn deliveries(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let kitchen = context.who.can(kind::DELIVERIES_PAGE, Action::View);
    let receives = context.who.can(kind::RECEIPTS_PAGE, Action::View);
    let mut shipments = shipments::expected(context.db(), context.stores.as_deref()).await?;
    let mut summary = TaskSummary { href: "/stores/receive".to_owned(), ..TaskSummary::default() };
    if !receives {
        summary.href = "/commissary/deliveries?status=dispatched".to_owned();
        let is_listed = |kind: &str, status: &str| {
            kind == DocumentKind::Delivery.as_str() && status == ShipmentState::Dispatched.as_str()
        };
        shipments.retain(|one| is_listed(&one.kind, &one.status));
    }
    let lateness = |day| context.lateness(day_end(day), Some(DELIVERY_URGENT_DAYS));
    for one in &shipments {
        summary.add(one.planned_date, 1, lateness(one.planned_date));
    }
    if summary.late > 0 {
        summary.words = format!("{} late", plural(summary.late, "is", "are"));
    }
    let items = shipments.into_iter().take(context.most).map(|one| {
        let is = lateness(one.planned_date);
        let from = one.source_name.unwrap_or_default();
        let due = day_words(one.planned_date);
        let transfer = one.kind == DocumentKind::Transfer.as_str();
        let href = match transfer {
            true if context.who.can(kind::TRANSACTIONS_PAGE, Action::View) => {
                format!("/stores/transactions/transfers/{}", one.id)
            }
            false if kitchen => format!("/commissary/delivery/{}", one.id),
            _ => "/stores/receive".to_owned(),
        };
        Task {
            title: format!("{} · {}", one.delivery_no, one.store_name.unwrap_or_default()),
            text: if is.late {
                format!("Was due {due}, from {from}")
            } else {
                format!("Due {due}, from {from}")
            },
            store_id: Some(one.store_id),
            // It becomes late when its day is over.
            at: day_end(one.planned_date),
            count: 1,
            late: is.late,
            urgent: is.urgent,
            href,
            id: one.id,
        }
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn stock_takes(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let open = DocumentKind::StockTake.states_at(Stage::Open);
    let wanted = Wanted {
        kind: DocumentKind::StockTake,
        states: &open,
        more: "",
        due: |day, _| day_end(day),
        raised_by: None,
    };
    let (mut summary, found) = open_documents(context, &wanted).await?;
    summary.href = format!("/commissary/stock-takes?status={}", open.join(","));
    if summary.late > 0 {
        summary.words = format!("{} from earlier days", summary.late);
    }
    let place_of = |take: &Document| {
        let kind = PlaceKind::parse(take.source_type.as_deref()?)?;
        Some(Place { kind, id: take.source_id.clone()? })
    };
    let places: BTreeSet<Place> = found.iter().filter_map(place_of).collect();
    let names = stock::place_names(context.db(), &places).await?;
    let items = found.into_iter().map(|take| {
        let place = place_of(&take).and_then(|place| names.get(&place).cloned()).unwrap_or_default();
        let started = take.state == StockTakeState::Counting.as_str();
        let when = if started { "counted on" } else { "planned for" };
        let late = take.is_late(context, &wanted);
        Task {
            href: format!("/commissary/stock-takes/{}", take.id),
            title: format!("Finish stock-take {}", take.number),
            text: format!("{place}, {when} {}", day_words(take.on_date)),
            store_id: None,
            at: take.raised(context, &wanted).0,
            count: 1,
            late,
            urgent: false,
            id: take.id,
        }
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn batches(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let open = DocumentKind::Production.states_at(Stage::Open);
    let wanted = Wanted {
        kind: DocumentKind::Production,
        states: &open,
        more: "",
        due: |day, _| day_end(day),
        raised_by: None,
    };
    let (mut summary, found) = open_documents(context, &wanted).await?;
    summary.href = format!("/commissary/production?status={}", open.join(","));
    if summary.late > 0 {
        summary.words = format!("{} from earlier days", summary.late);
    }
    let ids: Vec<&str> = found.iter().map(|batch| batch.id.as_str()).collect();
    let mut made: HashMap<String, Vec<String>> = HashMap::new();
    if !ids.is_empty() {
        let lines: Vec<(String, String)> = context
            .db()
            .sql("select document_id, name from production_lines where side = 'made' and document_id in ")
            .push_ids(&ids)
            .push(" order by document_id, position")
            .all()
            .await?;
        for (batch, name) in lines {
            made.entry(batch).or_default().push(name);
        }
    }
    let items = found.into_iter().map(|batch| {
        let late = batch.is_late(context, &wanted);
        let names = made.remove(&batch.id).unwrap_or_default().join(", ");
        let started = batch.state == BatchState::InProgress.as_str();
        Task {
            href: format!("/commissary/production/{}", batch.id),
            title: format!("{} · {names}", batch.number),
            text: if started {
                format!("Being made, planned for {}", day_words(batch.on_date))
            } else {
                format!("Planned for {}", day_words(batch.on_date))
            },
            store_id: None,
            at: batch.raised(context, &wanted).0,
            count: 1,
            late,
            urgent: false,
            id: batch.id,
        }
    });
    summary.items = items.collect();
    Ok(summary)
}
