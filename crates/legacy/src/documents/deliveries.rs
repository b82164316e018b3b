//! Imports deliveries. One still on its way is not finished: it is stored and reported.

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::Qty;
use larder_domain::document::quantity;
use larder_domain::document::shipment::{ShipmentState, ShipmentStep};
use serde_json::Value;

use super::members::{Members, Named, Names, end};
use super::orders::number;
use super::{Former, Unread};
use crate::file::id_of;
use larder_documents::Doc;
use larder_documents::history;
use larder_documents::orders::{OrderLine, StoreOrder};
use larder_documents::shipments::{Delivery, ShipmentLine};
use larder_platform::http::ApiError;

/// Final state of a delivery.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Received,
    Cancelled,
    /// Never dispatched.
    Prepared,
    /// Dispatched; some of it may still be on its way.
    Left,
}

fn ended(state: &str) -> Option<Ended> {
    Some(match state {
        "received" | "delivered" | "completed" | "complete" | "reconciled" | "closed" => Ended::Received,
        "cancelled" | "canceled" | "void" | "voided" => Ended::Cancelled,
        "draft" | "new" | "pending" | "picking" | "picked" | "packed" => Ended::Prepared,
        "dispatched" | "intransit" | "partiallyreceived" | "partial" => Ended::Left,
        _ => return None,
    })
}

impl Former for Delivery {
    fn read<'a>(
        tx: &'a mut Tx<'_>,
        names: &'a Names,
        from: &'a mut Members<'_>,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, Result<(), Unread>> {
        Box::pin(async move {
            let was = from.text(&["status", "state"]).ok_or("It has no status.")?;
            let state = from.state(&["status", "state"]).unwrap_or_default();
            let ended = ended(&state).ok_or_else(|| format!("No delivery has the status «{was}»."))?;
            doc.head.number = number(from, &["deliveryNo", "deliveryNumber", "drNo", "number"], &doc.head.id);
            doc.head.store_id = Some(names.store(from)?);
            let (kind, source) = names.source(from)?;
            if kind == "supplier" {
                return Err(
                    "A supplier's delivery is taken in with a receipt; there is none of it before.".into()
                );
            }
            (doc.head.source_type, doc.head.source_id) = (Some(kind), Some(source));
            let details = &mut doc.details;
            details.dispatched_at = from.moment(&["dispatchedAt"]);
            let planned = from.day(&["plannedDate", "deliveryDate", "dispatchedAt"])?;
            doc.head.on_date = planned.unwrap_or(doc.head.on_date);
            details.vehicle = from.text(&["vehicle", "plateNo"]);
            details.driver = from.text(&["driver"]);
            details.seal_no = from.text(&["sealNo"]);
            details.depart_temp_c = from.number(&["departTempC"]);
            details.signature_name = from.text(&["signatureName"]);
            from.steps(
                &mut doc.head,
                &[
                    (ShipmentStep::Pick, "pickedAt", "pickedBy"),
                    (ShipmentStep::Pack, "packedAt", "packedBy"),
                    (ShipmentStep::Dispatch, "dispatchedAt", "dispatchedBy"),
                    (ShipmentStep::Cancel, "cancelledAt", "cancelledBy"),
                    (ShipmentStep::Reconcile, "reconciledAt", "reconciledBy"),
                ],
            );
            let ordered = orders(tx, from, doc).await?;
            let mut gone = Qty::ZERO;
            for (at, mut line) in (1..).zip(from.lines()?) {
                let read = sent(names, &mut line, &doc.head.id, at, ended, &ordered);
                let (sent, rest) = read.map_err(|words| format!("Line {at}: {words}"))?;
                gone = Qty(gone.0 + rest.0);
                doc.lines.push(sent);
                from.read(line, at);
            }
            if !gone.is_zero() {
                from.notes.push("Unaccounted quantities are written off.".to_owned());
            }
            let left = matches!(ended, Ended::Received | Ended::Left);
            doc.head.state = if left { ShipmentState::Reconciled } else { ShipmentState::Cancelled };
            if ended == Ended::Prepared {
                end(&mut doc.head, tx.actor(), ShipmentStep::Cancel, &was);
                from.notes.push(format!("It was still «{was}» and is cancelled here."));
            }
            Ok(())
        })
    }

    fn settle<'a>(tx: &'a mut Tx<'_>, doc: &'a Doc<Self>) -> BoxFuture<'a, Result<(), ApiError>> {
        // Its receipts may have been imported before.
        Box::pin(history::settle_delivery(tx, &doc.head.id))
    }
}

/// The order lines a delivery was sent for; missing orders are reported.
async fn orders(
    tx: &mut Tx<'_>,
    from: &mut Members<'_>,
    doc: &mut Doc<Delivery>,
) -> Result<Vec<OrderLine>, Unread> {
    let named: Vec<&Value> = match from.get(&["orderIds", "orders", "orderId"]) {
        Some(Value::Array(named)) => named.iter().collect(),
        one => one.into_iter().collect(),
    };
    let mut lines = Vec::new();
    for value in named {
        let id = match value {
            Value::Object(order) => id_of(order),
            Value::String(id) => Some(id.trim().rsplit('/').next().unwrap_or_default().to_owned()),
            _ => None,
        };
        let id = id.unwrap_or_default();
        match history::known::<StoreOrder>(tx, &id).await? {
            Some((head, of_order)) if head.store_id == doc.head.store_id => {
                if !doc.details.order_ids.contains(&id) {
                    doc.details.order_ids.push(id);
                    lines.extend(of_order);
                }
            }
            Some(_) => from.notes.push(format!("The order «{id}» is of another store; it was left out.")),
            None => from.notes.push(format!("There is no order «{id}»; it was left out.")),
        }
    }
    Ok(lines)
}

/// A line, and its unaccounted quantity.
fn sent(
    names: &Names,
    from: &mut Members<'_>,
    document: &str,
    at: usize,
    ended: Ended,
    ordered: &[OrderLine],
) -> Result<(ShipmentLine, Qty), String> {
    let id = from.line_id(document, at);
    let Named { product, uom_id, uom_code, factor } = names.line(from)?;
    let order_line = from.text(&["orderLineId"]);
    let of_order =
        ordered.iter().find(|line| order_line.as_ref().is_some_and(|named| is_line(&line.id, named)));
    let of_order = of_order.or_else(|| ordered.iter().find(|line| line.product_id == product.id));
    let picked = from.qty(&["picked", "qtyPicked"])?;
    let said = from.qty(&["dispatched", "qtyDispatched"])?;
    let wanted = from.qty(&["ordered", "qtyOrdered", "qty", "quantity"])?;
    let accepted = from.qty(&["accepted", "qtyAccepted", "received", "qtyReceived"])?;
    let returned = from.qty(&["returned", "qtyReturned"])?.unwrap_or_default();
    let written_off = from.qty(&["writtenOff", "qtyWrittenOff"])?.unwrap_or_default();
    let left = matches!(ended, Ended::Received | Ended::Left);
    let dispatched = said.or(picked).or(wanted).ok_or("It has no quantity.")?;
    let most = wanted.unwrap_or(dispatched);
    let base = quantity::base(dispatched, factor).ok_or("Its quantity is too large.")?;
    let mut line = ShipmentLine {
        id,
        document_id: String::new(),
        position: 0,
        product_id: product.id.clone(),
        sku: from.text(&["sku"]).or_else(|| product.sku.clone()),
        name: from.text(&["name", "productName"]).unwrap_or_else(|| product.name.clone()),
        uom_id,
        uom_code,
        factor,
        order_line_id: of_order.map(|line| line.id.clone()),
        ordered: most,
        picked,
        dispatched: if left { dispatched } else { Qty::ZERO },
        overage: Qty::ZERO,
        accepted: Qty::ZERO,
        returned: Qty::ZERO,
        written_off: Qty::ZERO,
        dispatched_base: if left { base } else { Qty::ZERO },
        settled_base: Qty::ZERO,
        lot: from.text(&["lot", "lotNo", "lotCode"]),
        expiry: from.day(&["expiry", "expiryDate"])?,
    };
    if !left {
        return Ok((line, Qty::ZERO));
    }
    let settled = accepted.unwrap_or_default().0 + returned.0 + written_off.0;
    if ended == Ended::Left && settled < dispatched.0 {
        let words = "of it is still on its way; finish it in the former system and import it again.";
        return Err(format!("{} {} {words}", Qty(dispatched.0 - settled), line.uom_code));
    }
    // A received delivery without further figures was accepted as dispatched.
    let accepted = accepted.unwrap_or(Qty((dispatched.0 - returned.0 - written_off.0).max(0)));
    let rest = history::settle(&mut line, accepted, returned, written_off);
    Ok((line, rest))
}

/// Whether a line is the one the legacy system calls `named`.
pub fn is_line(id: &str, named: &str) -> bool {
    id == named || id.strip_suffix(named).is_some_and(|rest| rest.ends_with('_'))
}
