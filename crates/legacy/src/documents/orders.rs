//! Imports store orders.

use futures::future::BoxFuture;
use larder_db::{Json, Tx};
use larder_domain::document::order::{OrderState, OrderStep};
use larder_domain::{Money, Qty};

use super::members::{Members, Named, Names, end};
use super::{Former, Unread};
use larder_documents::Doc;
use larder_documents::orders::{OrderLine, StoreOrder};
use larder_platform::http::ApiError;

/// Final state of an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// Everything due arrived.
    Received,
    Closed,
    Rejected,
    Cancelled,
    /// Not received, and never answered.
    Requested,
    /// Not received, and something was still due.
    Granted,
}

fn ended(state: &str) -> Option<Ended> {
    Some(match state {
        "received" | "delivered" | "completed" | "complete" | "fulfilled" => Ended::Received,
        "closed" => Ended::Closed,
        "rejected" | "declined" => Ended::Rejected,
        "cancelled" | "canceled" | "void" | "voided" => Ended::Cancelled,
        "draft" | "new" | "pending" | "open" | "submitted" | "forapproval" => Ended::Requested,
        "approved" | "infulfilment" | "infulfillment" | "processing" | "dispatched" | "partiallyreceived"
        | "partial" => Ended::Granted,
        _ => return None,
    })
}

impl Former for StoreOrder {
    fn read<'a>(
        tx: &'a mut Tx<'_>,
        names: &'a Names,
        from: &'a mut Members<'_>,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, Result<(), Unread>> {
        Box::pin(async move {
            let was = from.text(&["status", "state"]).ok_or("It has no status.")?;
            let state = from.state(&["status", "state"]).unwrap_or_default();
            let ended = ended(&state).ok_or_else(|| format!("No order has the status «{was}»."))?;
            doc.head.number = number(from, &["orderNo", "orderNumber", "number"], &doc.head.id);
            doc.head.store_id = Some(names.store(from)?);
            let (kind, source) = names.source(from)?;
            (doc.head.source_type, doc.head.source_id) = (Some(kind), Some(source));
            let ordered = from.day(&["orderDate", "dateOrdered"])?;
            doc.details.order_date = ordered.or(Some(doc.head.on_date));
            let needed = from.day(&["neededDate", "dateNeeded", "deliveryDate"])?;
            doc.head.on_date = needed.or(ordered).unwrap_or(doc.head.on_date);
            doc.details.cutoff_at = from.moment(&["cutoffAt"]);
            doc.details.plan_run_id = from.text(&["planRunId"]);
            doc.details.submitted_at = from.moment(&["submittedAt"]);
            doc.details.approved_at = from.moment(&["approvedAt"]);
            doc.details.reject_reason = from.text(&["rejectReason"]);
            from.steps(
                &mut doc.head,
                &[
                    (OrderStep::Submit, "submittedAt", "submittedBy"),
                    (OrderStep::Approve, "approvedAt", "approvedBy"),
                    (OrderStep::Reject, "rejectedAt", "rejectedBy"),
                    (OrderStep::Cancel, "cancelledAt", "cancelledBy"),
                    (OrderStep::CloseShort, "closedAt", "closedBy"),
                ],
            );
            for (at, mut line) in (1..).zip(from.lines()?) {
                let read = order_line(names, &mut line, &doc.head.id, at, ended);
                doc.lines.push(read.map_err(|words| format!("Line {at}: {words}"))?);
                from.read(line, at);
            }
            let (state, step) = match ended {
                Ended::Received | Ended::Closed => (OrderState::Closed, None),
                Ended::Rejected => (OrderState::Rejected, None),
                Ended::Cancelled => (OrderState::Cancelled, None),
                Ended::Requested => (OrderState::Cancelled, Some(OrderStep::Cancel)),
                Ended::Granted => (OrderState::Closed, Some(OrderStep::CloseShort)),
            };
            doc.head.state = state;
            if let Some(step) = step {
                end(&mut doc.head, tx.actor(), step, &was);
                from.notes.push(format!(
                    "It was still «{was}» and is {} here; order anew what is still to come.",
                    state.as_str()
                ));
            }
            Ok(())
        })
    }

    fn settle<'a>(_tx: &'a mut Tx<'_>, _doc: &'a Doc<Self>) -> BoxFuture<'a, Result<(), ApiError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// A document's own number, else its id.
pub fn number(from: &mut Members<'_>, names: &[&'static str], id: &str) -> String {
    from.text(names).unwrap_or_else(|| id.to_owned())
}

/// A line. Without other figures, a received order arrived as granted; what was granted and never sent is
/// closed short.
fn order_line(
    names: &Names,
    from: &mut Members<'_>,
    document: &str,
    at: usize,
    ended: Ended,
) -> Result<OrderLine, String> {
    let id = from.line_id(document, at);
    let Named { product, uom_id, uom_code, factor } = names.line(from)?;
    let ordered = from.qty(&["qtyOrdered", "qty", "quantity", "orderedQty"])?.ok_or("It has no quantity.")?;
    let approved = from.qty(&["qtyApproved", "approvedQty"])?;
    let received = from.qty(&["qtyReceived", "receivedQty"])?;
    let dispatched = from.qty(&["qtyDispatched", "dispatchedQty", "qtyDelivered"])?;
    let short = from.qty(&["qtyShortClosed"])?;
    let granted = approved
        .or_else(|| matches!(ended, Ended::Received | Ended::Closed | Ended::Granted).then_some(ordered));
    let as_granted = granted.filter(|_| ended == Ended::Received);
    let dispatched = dispatched.or(received).or(as_granted).unwrap_or_default();
    let rest = Qty((granted.unwrap_or_default().0 - dispatched.0).max(0));
    Ok(OrderLine {
        id,
        document_id: String::new(),
        position: 0,
        product_id: product.id.clone(),
        sku: from.text(&["sku"]).or_else(|| product.sku.clone()),
        name: from.text(&["name", "productName"]).unwrap_or_else(|| product.name.clone()),
        uom_id,
        uom_code,
        factor,
        qty_suggested: from.qty(&["qtySuggested", "suggestedQty"])?,
        qty_ordered: ordered,
        qty_approved: granted,
        qty_dispatched: dispatched,
        qty_arrived: dispatched,
        qty_received: received.or(as_granted).unwrap_or(dispatched),
        qty_short_closed: short.unwrap_or(rest),
        unit_price: from.money(&["unitPrice", "price"]).filter(|price| *price >= Money::ZERO),
        reason: from.text(&["reason"]),
        why: Json(Vec::new()),
        plan_run_id: None,
        backorder_of: None,
        share: None,
    })
}
