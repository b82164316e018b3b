//! Imports receipts. Their quantities are part of the products' opening stock.

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::Qty;
use larder_domain::document::receipt::{Reason, ReceiptState, ReceiptStep, Resolution};
use larder_domain::document::shipment::ShipmentState;

use super::deliveries::is_line;
use super::members::{Members, Named, Names, end};
use super::orders::number;
use super::{Former, Unread};
use larder_documents::history;
use larder_documents::orders::StoreOrder;
use larder_documents::receipts::{Receipt, ReceiptLine};
use larder_documents::shipments::{Delivery, ShipmentLine};
use larder_documents::{Doc, Document};
use larder_platform::http::ApiError;

impl Former for Receipt {
    fn read<'a>(
        tx: &'a mut Tx<'_>,
        names: &'a Names,
        from: &'a mut Members<'_>,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, Result<(), Unread>> {
        Box::pin(async move {
            let was = from.text(&["status", "state"]).ok_or("It has no status.")?;
            let word = from.state(&["status", "state"]).unwrap_or_default();
            let open = matches!(word.as_str(), "draft" | "new" | "pending");
            let state = match word.as_str() {
                "posted" | "received" | "completed" | "complete" | "reconciled" | "closed" => {
                    ReceiptState::Reconciled
                }
                "reversed" => ReceiptState::Reversed,
                "cancelled" | "canceled" | "void" | "voided" => ReceiptState::Cancelled,
                _ if open => ReceiptState::Cancelled,
                _ => return Err(format!("No receipt has the status «{was}».").into()),
            };
            doc.head.state = state;
            doc.head.number = number(from, &["receiptNo", "receiptNumber", "grNo", "number"], &doc.head.id);
            doc.head.store_id = Some(names.store(from)?);
            let details = &mut doc.details;
            details.received_at = from.moment(&["receivedAt"]);
            let day = from.day(&["businessDate", "receivedDate", "date", "receivedAt"])?;
            doc.head.on_date = day.unwrap_or(doc.head.on_date);
            details.supplier_dr_no = from.text(&["supplierDrNo", "drNo"]);
            details.temp_c = from.number(&["tempC"]);
            details.signature_name = from.text(&["signatureName"]);
            from.steps(
                &mut doc.head,
                &[
                    (ReceiptStep::Post, "postedAt", "postedBy"),
                    (ReceiptStep::Reconcile, "reconciledAt", "reconciledBy"),
                    (ReceiptStep::Reverse, "reversedAt", "reversedBy"),
                    (ReceiptStep::Cancel, "cancelledAt", "cancelledBy"),
                ],
            );
            let sent = source(tx, names, from, doc).await?;
            let mut used = Vec::new();
            for (at, mut line) in (1..).zip(from.lines()?) {
                let read = taken_in(names, &mut line, &doc.head.id, at, &sent, &mut used);
                doc.lines.push(read.map_err(|words| format!("Line {at}: {words}"))?);
                from.read(line, at);
            }
            if open {
                end(&mut doc.head, tx.actor(), ReceiptStep::Cancel, &was);
                from.notes.push(format!("It was still «{was}» and is discarded here."));
            }
            Ok(())
        })
    }

    fn settle<'a>(tx: &'a mut Tx<'_>, doc: &'a Doc<Self>) -> BoxFuture<'a, Result<(), ApiError>> {
        Box::pin(async move {
            let of_delivery = doc.head.source_type.as_deref() == Some(Delivery::KIND.as_str());
            match &doc.head.source_id {
                Some(id) if of_delivery => history::settle_delivery(tx, id).await,
                _ => Ok(()),
            }
        })
    }
}

/// Source: an imported delivery, whose lines are answered, or a supplier.
async fn source(
    tx: &mut Tx<'_>,
    names: &Names,
    from: &mut Members<'_>,
    doc: &mut Doc<Receipt>,
) -> Result<Vec<ShipmentLine>, Unread> {
    let kind = from.state(&["sourceType"]);
    let delivery = from.text(&["deliveryId"]);
    let delivery = delivery.or_else(|| {
        let is_delivery =
            kind.as_deref().is_some_and(|kind| kind.ends_with("delivery") || kind == "commissary");
        is_delivery.then(|| from.text(&["sourceId"])).flatten()
    });
    if let Some(order) = from.text(&["orderId"]) {
        match history::known::<StoreOrder>(tx, &order).await? {
            Some((head, _)) if head.store_id == doc.head.store_id => doc.details.order_id = Some(order),
            _ => from.notes.push(format!("There is no order «{order}» of this store; it was left out.")),
        }
    }
    let Some(id) = delivery else {
        if kind.as_deref() == Some("transfer") {
            return Err(
                "Transfers of the former system are kept, so what was taken in of them is too.".into()
            );
        }
        let (kind, id) = names.source(from)?;
        if kind != "supplier" {
            return Err("It names no delivery and no supplier that it came from.".into());
        }
        (doc.head.source_type, doc.head.source_id) = (Some(kind), Some(id));
        return Ok(Vec::new());
    };
    let id = id.rsplit('/').next().unwrap_or_default().to_owned();
    let Some((head, lines)) = history::known::<Delivery>(tx, &id).await? else {
        return Err(format!("There is no delivery «{id}».").into());
    };
    if head.store_id != doc.head.store_id {
        return Err(format!("The delivery «{id}» is of another store.").into());
    }
    if head.state != ShipmentState::Reconciled {
        return Err(format!("The delivery «{id}» is not finished.").into());
    }
    (doc.head.source_type, doc.head.source_id) = (Some(Delivery::KIND.as_str().to_owned()), Some(id));
    Ok(lines)
}

/// A line. Without other figures, the accepted quantity is the expected one; unsettled differences are
/// written off.
fn taken_in(
    names: &Names,
    from: &mut Members<'_>,
    document: &str,
    at: usize,
    sent: &[ShipmentLine],
    used: &mut Vec<String>,
) -> Result<ReceiptLine, String> {
    let id = from.line_id(document, at);
    let Named { product, uom_id, uom_code, factor } = names.line(from)?;
    let lot = from.text(&["lot", "lotNo", "lotCode"]);
    let named = from.text(&["sourceLineId", "deliveryLineId"]);
    let free = |line: &&ShipmentLine| {
        line.product_id == product.id && line.uom_id == uom_id && !used.contains(&line.id)
    };
    let of_delivery = sent
        .iter()
        .find(|line| named.as_ref().is_some_and(|named| is_line(&line.id, named)))
        .or_else(|| sent.iter().filter(free).find(|line| line.lot == lot))
        .or_else(|| sent.iter().find(free));
    used.extend(of_delivery.map(|line| line.id.clone()));
    let rejected = from.qty(&["rejected", "qtyRejected"])?;
    let accepted = from.qty(&["accepted", "qtyAccepted"])?;
    let received = from.qty(&["received", "qtyReceived", "qty", "quantity"])?;
    let expected = from.qty(&["expected", "qtyExpected"])?;
    let sum = accepted.map(|accepted| Qty(accepted.0 + rejected.unwrap_or_default().0));
    let received = received.or(sum).or(expected).ok_or("It has no quantity.")?;
    let kept = Qty(received.0 - rejected.unwrap_or_default().0);
    let accepted = accepted.unwrap_or(kept);
    let rejected = rejected.unwrap_or(Qty(received.0 - accepted.0));
    if rejected.0 < 0 || accepted.0 + rejected.0 != received.0 {
        return Err("What was kept and refused is not what came.".to_owned());
    }
    let expected = expected.unwrap_or_else(|| of_delivery.map_or(received, |line| line.dispatched));
    let word = from.state(&["reason"]);
    let reason = word.as_deref().and_then(|word| known(Reason::ALL, Reason::as_str, word));
    if reason.is_none()
        && let Some(text) = from.text(&["reason"])
    {
        from.notes.push(format!("No difference has the reason «{text}»; it was left out."));
    }
    let word = from.state(&["resolution"]);
    let resolution = word.as_deref().and_then(|word| known(Resolution::ALL, Resolution::as_str, word));
    let open = received < expected || !rejected.is_zero();
    let settled =
        resolution.filter(|it| !matches!(it, Resolution::Pending)).filter(|_| open || received > expected);
    let resolution = settled.or(open.then_some(Resolution::WriteOff));
    Ok(ReceiptLine {
        id,
        document_id: String::new(),
        position: 0,
        product_id: product.id.clone(),
        sku: from.text(&["sku"]).or_else(|| product.sku.clone()),
        name: from.text(&["name", "productName"]).unwrap_or_else(|| product.name.clone()),
        uom_id,
        uom_code,
        factor,
        source_line_id: of_delivery.map(|line| line.id.clone()),
        order_line_id: of_delivery.and_then(|line| line.order_line_id.clone()),
        expected,
        received,
        accepted,
        rejected,
        reason: reason.map(|reason| reason.as_str().to_owned()),
        resolution: resolution.map(|resolution| resolution.as_str().to_owned()),
        backorder_line_id: None,
        settled_base: Qty::ZERO,
        lot,
        expiry: from.day(&["expiry", "expiryDate"])?,
        unit_price: None,
    })
}

/// The enum value with this name, ignoring case and hyphens.
fn known<T: Copy + 'static>(all: &[T], name: fn(T) -> &'static str, word: &str) -> Option<T> {
    all.iter().copied().find(|one| name(*one).eq_ignore_ascii_case(word))
}
