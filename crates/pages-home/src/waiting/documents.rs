//! Inbox tasks about orders, waste, deliveries and receipts.

use futures::FutureExt as _;
use larder_db::DbError;
use larder_domain::{Action, BusinessDay, Money, Timestamp};

use super::model::{Asked, DayCount, Kind, Rings, Waiting, WaitingItem, day_words, so_many};
use larder_documents::shipments;
use larder_platform::http::ApiResult;

/// Days after which an undecided difference or waste report is overdue.
const SOON: i32 = 3;

/// Orders awaiting approval.
pub(super) static ORDERS: Kind = Kind {
    name: "ordersToApprove",
    title: "Orders to approve",
    needs: &[("stores/storeOrders", Action::Approve)],
    rings: Rings::Always,
    on_home: true,
    changes: &["storeOrder"],
    read: |asked| orders(asked).boxed(),
};

/// Waste reports whose value requires approval.
pub(super) static WASTE: Kind = Kind {
    name: "wasteToApprove",
    title: "Waste to approve",
    needs: &[("stores/storeTransactions", Action::Approve)],
    rings: Rings::Always,
    on_home: true,
    changes: &["waste"],
    read: |asked| waste(asked).boxed(),
};

/// Shipments that left a kitchen, a warehouse or a store and have not arrived.
pub(super) static DELIVERIES: Kind = Kind {
    name: "onTheWay",
    title: "Deliveries on the way",
    needs: &[("commissary/deliveries", Action::View), ("stores/storeReceive", Action::View)],
    rings: Rings::WhenLate,
    on_home: true,
    changes: &["delivery", "transfer", "receipt"],
    read: |asked| deliveries(asked).boxed(),
};

/// Receipts with unresolved differences.
pub(super) static DIFFERENCES: Kind = Kind {
    name: "receiptDifferences",
    title: "Differences to settle",
    needs: &[("stores/storeReceive", Action::Post), ("stores/storeReceive", Action::Approve)],
    rings: Rings::Always,
    on_home: true,
    changes: &["receipt"],
    read: |asked| differences(asked).boxed(),
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
    asked: &Asked<'_>,
    kind: &'static str,
    state: &'static str,
    last_late: BusinessDay,
    more: &'static str,
) -> Result<(Waiting, Vec<Document>), DbError> {
    let query = asked
        .db()
        .sql("select d.on_date, cast(count(*) as bigint) from documents d where d.kind = ")
        .push_bind(kind)
        .push(" and d.state = ")
        .push_bind(state)
        .push(more);
    let days: Vec<(BusinessDay, i64)> =
        asked.within(query, "d.store_id").push(" group by d.on_date order by d.on_date").all().await?;
    let mut waiting = Waiting::default();
    for (day, count) in days {
        let late = day <= last_late;
        waiting.count += count;
        waiting.late += if late { count } else { 0 };
        waiting.days.push(DayCount { day, count, late });
    }
    if waiting.count == 0 || asked.most == 0 {
        return Ok((waiting, Vec::new()));
    }
    let query = asked
        .db()
        .sql(
            "select d.id, d.number, d.on_date, d.store_id, s.name as store_name, d.amount, d.updated_at
             from documents d left join locations s on s.id = d.store_id where d.kind = ",
        )
        .push_bind(kind)
        .push(" and d.state = ")
        .push_bind(state)
        .push(more);
    let found = asked.within(query, "d.store_id").push(" order by d.on_date, d.id limit ");
    let found = found.push_bind(asked.limit()).all().await?;
    Ok((waiting, found))
}

impl Document {
    fn told(self, text: String, last_late: BusinessDay, base: &str) -> WaitingItem {
        let store = self.store_name.unwrap_or_default();
        WaitingItem {
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

async fn orders(asked: &Asked<'_>) -> ApiResult<Waiting> {
    // What is needed tomorrow has to leave the kitchen today.
    let last_late = asked.today.plus(1);
    let (mut waiting, found) = in_state(asked, "storeOrder", "submitted", last_late, "").await?;
    waiting.href = "/stores/orders?status=submitted".to_owned();
    if waiting.late > 0 {
        waiting.words = format!("{} needed by tomorrow", waiting.late);
    }
    let told = found.into_iter().map(|order| {
        let worth = order.amount.map(|amount| format!(", {}", amount.pesos())).unwrap_or_default();
        let text = format!("Needed {}{worth}", day_words(order.on_date));
        order.told(text, last_late, "/stores/orders")
    });
    waiting.items = told.collect();
    Ok(waiting)
}

async fn waste(asked: &Asked<'_>) -> ApiResult<Waiting> {
    let last_late = asked.today.plus(-SOON);
    let (mut waiting, found) = in_state(asked, "waste", "submitted", last_late, "").await?;
    waiting.href = "/stores/transactions?tab=waste&status=submitted".to_owned();
    if waiting.late > 0 {
        waiting.words = format!("{} older than {} days", waiting.late, SOON - 1);
    }
    let told = found.into_iter().map(|report| {
        let worth = report.amount.map_or_else(|| "Waste".to_owned(), Money::pesos);
        let text = format!("{worth} of {}", day_words(report.on_date));
        report.told(text, last_late, "/stores/transactions/waste")
    });
    waiting.items = told.collect();
    Ok(waiting)
}

/// Receipts with a line that differs from what was expected and has no resolution.
const UNDECIDED: &str = " and exists (select 1 from receipt_lines l where l.document_id = d.id
     and (l.received <> l.expected or l.rejected <> 0) and coalesce(l.resolution, 'pending') = 'pending')";

async fn differences(asked: &Asked<'_>) -> ApiResult<Waiting> {
    let last_late = asked.today.plus(-SOON);
    let (mut waiting, found) = in_state(asked, "receipt", "posted", last_late, UNDECIDED).await?;
    waiting.href = "/stores/receive?status=posted".to_owned();
    if waiting.late > 0 {
        waiting.words = format!("{} older than {} days", waiting.late, SOON - 1);
    }
    let told = found.into_iter().map(|receipt| {
        let text = format!("Came otherwise than sent on {}", day_words(receipt.on_date));
        receipt.told(text, last_late, "/stores/receive")
    });
    waiting.items = told.collect();
    Ok(waiting)
}

/// Only late deliveries are worth a notification.
async fn deliveries(asked: &Asked<'_>) -> ApiResult<Waiting> {
    let days = shipments::expected_days(asked.db(), asked.stores.as_deref()).await?;
    let kitchen = asked.who.can("commissary/deliveries", Action::View);
    let mut waiting = Waiting {
        href: if kitchen { "/commissary/deliveries?status=dispatched" } else { "/stores/receive" }.to_owned(),
        ..Waiting::default()
    };
    for (day, count) in days {
        let late = day < asked.today;
        waiting.count += count;
        waiting.late += if late { count } else { 0 };
        waiting.days.push(DayCount { day, count, late });
    }
    if waiting.late > 0 {
        waiting.words = format!("{} late", so_many(waiting.late, "is", "are"));
    }
    if waiting.count == 0 || asked.most == 0 {
        return Ok(waiting);
    }
    let first = shipments::expected(asked.db(), asked.stores.as_deref(), Some(asked.limit())).await?;
    let told = first.into_iter().map(|one| {
        let late = one.planned_date < asked.today;
        let from = one.source_name.unwrap_or_default();
        let due = day_words(one.planned_date);
        let transfer = one.kind == "transfer";
        let href = match transfer {
            true if asked.who.can("stores/storeTransactions", Action::View) => {
                format!("/stores/transactions/transfers/{}", one.id)
            }
            false if kitchen => format!("/commissary/delivery/{}", one.id),
            _ => "/stores/receive".to_owned(),
        };
        WaitingItem {
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
    waiting.items = told.collect();
    Ok(waiting)
}

/// Midnight after a day, in UTC+8.
pub(super) fn day_end(day: BusinessDay) -> Timestamp {
    Timestamp((i64::from(day.0) + 1) * 86_400_000 - 8 * 3_600_000)
}
