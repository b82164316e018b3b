//! Inbox tasks about orders, waste, deliveries and receipts.

use futures::FutureExt as _;
use larder_db::DbError;
use larder_domain::document::order::OrderState;
use larder_domain::document::receipt::ReceiptState;
use larder_domain::document::shipment::ShipmentState;
use larder_domain::document::waste::WasteState;
use larder_domain::document::{DocumentKind, kind};
use larder_domain::{Action, BusinessDay, Money, Timestamp, plural};

use super::model::{DayCount, Rings, Task, TaskContext, TaskSummary, TaskType, day_words};
use larder_documents::{receipts, shipments};
use larder_platform::http::ApiResult;

/// Days after which an undecided difference or waste report is overdue.
const SOON: i32 = 3;

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

/// The fields of a document that a task shows.
#[derive(larder_db::FromRow)]
struct Document {
    id: String,
    number: String,
    on_date: BusinessDay,
    store_id: Option<String>,
    store_name: Option<String>,
    amount: Option<Money>,
    updated_at: Timestamp,
}

/// Documents of a type in a state: counts per day, and the first of them.
async fn in_state(
    context: &TaskContext<'_>,
    kind: DocumentKind,
    state: &'static str,
    last_late: BusinessDay,
    more: &'static str,
) -> Result<(TaskSummary, Vec<Document>), DbError> {
    let query = context
        .db()
        .sql("select d.on_date, cast(count(*) as bigint) from documents d where d.kind = ")
        .push_bind(kind)
        .push(" and d.state = ")
        .push_bind(state)
        .push(more);
    let days: Vec<(BusinessDay, i64)> =
        context.within(query, "d.store_id").push(" group by d.on_date order by d.on_date").all().await?;
    let mut summary = TaskSummary::default();
    for (day, count) in days {
        let late = day <= last_late;
        summary.count += count;
        summary.late += if late { count } else { 0 };
        summary.days.push(DayCount { day, count, late });
    }
    if summary.count == 0 || context.most == 0 {
        return Ok((summary, Vec::new()));
    }
    let query = context
        .db()
        .sql(
            "select d.id, d.number, d.on_date, d.store_id, s.name as store_name, d.amount, d.updated_at
             from documents d left join locations s on s.id = d.store_id where d.kind = ",
        )
        .push_bind(kind)
        .push(" and d.state = ")
        .push_bind(state)
        .push(more);
    let found = context.within(query, "d.store_id").push(" order by d.on_date, d.id limit ");
    let found = found.push_bind(context.limit()).all().await?;
    Ok((summary, found))
}

impl Document {
    fn task(self, text: String, last_late: BusinessDay, base: &str) -> Task {
        let store = self.store_name.unwrap_or_default();
        Task {
            href: format!("{base}/{}", self.id),
            title: format!("{} · {store}", self.number),
            text,
            store_id: self.store_id,
            at: self.updated_at,
            late: self.on_date <= last_late,
            id: self.id,
        }
    }
}

async fn orders(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    // What is needed tomorrow has to leave the kitchen today.
    let last_late = context.today.plus(1);
    let (mut summary, found) =
        in_state(context, DocumentKind::StoreOrder, OrderState::Submitted.as_str(), last_late, "").await?;
    summary.href = "/stores/orders?status=submitted".to_owned();
    if summary.late > 0 {
        summary.words = format!("{} needed by tomorrow", summary.late);
    }
    let items = found.into_iter().map(|order| {
        let worth = order.amount.map(|amount| format!(", {}", amount.pesos())).unwrap_or_default();
        let text = format!("Needed {}{worth}", day_words(order.on_date));
        order.task(text, last_late, "/stores/orders")
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn waste(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let last_late = context.today.plus(-SOON);
    let (mut summary, found) =
        in_state(context, DocumentKind::Waste, WasteState::Submitted.as_str(), last_late, "").await?;
    summary.href = "/stores/transactions?tab=waste&status=submitted".to_owned();
    if summary.late > 0 {
        summary.words = format!("{} older than {} days", summary.late, SOON - 1);
    }
    let items = found.into_iter().map(|report| {
        let worth = report.amount.map_or_else(|| "Waste".to_owned(), Money::pesos);
        let text = format!("{worth} of {}", day_words(report.on_date));
        report.task(text, last_late, "/stores/transactions/waste")
    });
    summary.items = items.collect();
    Ok(summary)
}

async fn differences(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let last_late = context.today.plus(-SOON);
    let (mut summary, found) = in_state(
        context,
        DocumentKind::Receipt,
        ReceiptState::Posted.as_str(),
        last_late,
        receipts::UNDECIDED,
    )
    .await?;
    summary.href = "/stores/receive?undecided=true".to_owned();
    if summary.late > 0 {
        summary.words = format!("{} older than {} days", summary.late, SOON - 1);
    }
    let items = found.into_iter().map(|receipt| {
        let text = format!("Came otherwise than sent on {}", day_words(receipt.on_date));
        receipt.task(text, last_late, "/stores/receive")
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
    for of_day in shipments.chunk_by(|a, b| a.planned_date == b.planned_date) {
        let day = of_day[0].planned_date;
        let (count, late) = (i64::try_from(of_day.len()).unwrap_or(i64::MAX), day < context.today);
        summary.count += count;
        summary.late += if late { count } else { 0 };
        summary.days.push(DayCount { day, count, late });
    }
    if summary.late > 0 {
        summary.words = format!("{} late", plural(summary.late, "is", "are"));
    }
    let items = shipments.into_iter().take(context.most).map(|one| {
        let late = one.planned_date < context.today;
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
            text: if late {
                format!("Was due {due}, from {from}")
            } else {
                format!("Due {due}, from {from}")
            },
            store_id: Some(one.store_id),
            // It becomes late when its day is over.
            at: day_end(one.planned_date),
            late,
            href,
            id: one.id,
        }
    });
    summary.items = items.collect();
    Ok(summary)
}

/// Midnight after a day, in UTC+8.
pub(super) fn day_end(day: BusinessDay) -> Timestamp {
    Timestamp((i64::from(day.0) + 1) * 86_400_000 - 8 * 3_600_000)
}
