//! Creating and changing a receipt before it is posted.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::document::quantity;
use larder_domain::document::shipment::{DELIVERY, ShipmentState};

use super::*;
use crate::orders::{OrderLine, StoreOrder};
use crate::photos;
use crate::photos::Photos;
use crate::products;
use crate::products::{LineDraft, Wanted};
use crate::shipments::is_on_its_way;
use crate::write::{MAX_LOT, MAX_NAME, amount, may_be_dated, note, short};
use larder_platform::http::question::{date, known_id};
use larder_platform::http::scope;

/// A receipt line to save.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReceiptLineDraft {
    /// The line to change.
    #[serde(default)]
    id: Option<String>,
    /// The delivery line.
    #[serde(default)]
    source_line_id: Option<String>,
    #[serde(default)]
    product_id: Option<String>,
    #[serde(default)]
    uom_id: Option<String>,
    /// Quantity on the supplier's note, without an order.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    expected: Option<Value>,
    /// Quantity received.
    #[serde(default, alias = "qty")]
    #[schema(value_type = Option<Qty>)]
    received: Option<Value>,
    /// Of that, rejected.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    rejected: Option<Value>,
    /// Of that, accepted; instead of `rejected`.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    accepted: Option<Value>,
    /// `short`, `over`, `damaged`, `expired`, `wrongItem`, `temperature` or `notOrdered`.
    #[serde(default)]
    reason: Option<String>,
    /// `pending`, `backorder`, `credit`, `return`, `writeOff` or `acceptOver`.
    #[serde(default)]
    resolution: Option<String>,
    #[serde(default)]
    lot: Option<String>,
    #[serde(default)]
    #[schema(format = Date)]
    expiry: Option<String>,
    /// What the supplier charges for one of the unit; only for supplier goods. An empty text for none.
    #[serde(default)]
    #[schema(value_type = Option<Money>)]
    unit_price: Option<Value>,
}

/// A draft of a receipt, or a partial change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReceiptDraft {
    #[serde(default)]
    store_id: Option<String>,
    /// `delivery`, `transfer` or `supplier`.
    #[serde(default)]
    source_type: Option<String>,
    #[serde(default)]
    source_id: Option<String>,
    /// The supplier order it answers.
    #[serde(default)]
    order_id: Option<String>,
    #[serde(default)]
    supplier_dr_no: Option<String>,
    #[serde(default)]
    received_at: Option<Timestamp>,
    /// The time on the device's clock, to correct `receivedAt`. The business date is then that of the corrected time,
    /// unless given.
    #[serde(default)]
    sent_at: Option<Timestamp>,
    #[serde(default)]
    #[schema(format = Date)]
    business_date: Option<String>,
    /// In °C.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    temp_c: Option<Value>,
    #[serde(default)]
    photos: Option<Vec<String>>,
    /// The products of its lines that pictures show, by picture. Sent, it replaces what was said before.
    #[serde(default)]
    photo_products: Option<BTreeMap<String, String>>,
    #[serde(default)]
    signature_name: Option<String>,
    #[serde(default)]
    notes: Option<String>,
    #[serde(default)]
    lines: Option<Vec<ReceiptLineDraft>>,
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &ReceiptDraft,
    doc: &mut Doc<Receipt>,
) -> ApiResult<()> {
    let before = doc.head.on_date;
    write_head(ctx, draft, doc)?;
    if doc.head.on_date != before {
        may_be_dated::<Receipt>(tx, ctx, doc.head.on_date).await?;
    }
    if doc.is_new() {
        match draft.source_type.as_deref() {
            Some("supplier") => from_supplier(tx, ctx, draft, doc).await?,
            source if Held::is_source(source) => from_shipment(tx, ctx, draft, doc).await?,
            _ => {
                let words = "Choose what it comes from: a delivery, a transfer or a supplier.";
                return Err(ApiError::field("sourceType", words));
            }
        }
    }
    if let (Some(ids), Some(store_id)) = (&draft.photos, doc.head.store_id.as_deref()) {
        doc.details.photos = photos::check(tx, Photos { store_id, ids }).await?;
    }
    if let Some(drafts) = &draft.lines {
        write_lines(tx, ctx, drafts, doc).await?;
    }
    write_photo_products(draft, doc)
}

/// Says of which products its pictures are. What names a picture or a product that the receipt no longer has is dropped.
fn write_photo_products(draft: &ReceiptDraft, doc: &mut Doc<Receipt>) -> ApiResult<()> {
    let on_it: BTreeSet<&str> = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
    if let Some(sent) = &draft.photo_products {
        if sent.values().any(|product| !on_it.contains(product.as_str())) {
            let words = "A picture shows a product that is not on this receipt.";
            return Err(ApiError::field("photoProducts", words));
        }
        doc.details.photo_products.clone_from(sent);
    }
    let photos = &doc.details.photos;
    let known = |photo: &str, product: &str| photos.iter().any(|id| id == photo) && on_it.contains(product);
    doc.details.photo_products.retain(|photo, product| known(photo, product));
    Ok(())
}

fn write_head(ctx: Ctx<'_>, draft: &ReceiptDraft, doc: &mut Doc<Receipt>) -> ApiResult<()> {
    let mut wrong = Vec::new();
    for (name, sent, kept) in [
        ("supplierDrNo", &draft.supplier_dr_no, &mut doc.details.supplier_dr_no),
        ("signatureName", &draft.signature_name, &mut doc.details.signature_name),
    ] {
        short(&mut wrong, name, sent.as_deref(), MAX_NAME, kept);
    }
    if let Some(value) = &draft.temp_c {
        match shipments::temperature(value) {
            Ok(temperature) => doc.details.temp_c = temperature,
            Err(message) => wrong.push(FieldError::new("tempC", message)),
        }
    }
    if let Some(at) = draft.received_at {
        match happened::corrected("receivedAt", at, draft.sent_at, ctx.who.at) {
            Ok(at) => {
                doc.details.received_at = Some(at);
                doc.details.received_at_given = true;
                if draft.sent_at.is_some() {
                    doc.head.on_date = BusinessDay::of(at);
                }
            }
            Err(error) => wrong.push(error),
        }
    }
    match date("businessDate", draft.business_date.as_deref()) {
        Ok(Some(day)) => doc.head.on_date = day,
        Ok(None) => {}
        Err(error) => wrong.push(error),
    }
    doc.details.received_at.get_or_insert(ctx.who.at);
    note(&mut wrong, "notes", draft.notes.as_deref(), &mut doc.head.notes);
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// The error for a shipment that is not in transit.
pub(super) fn not_on_its_way(shipment: &crate::Head<ShipmentState>) -> ApiError {
    let label = DELIVERY.label(shipment.state);
    let words = format!("{} is not on its way: it is {label}.", shipment.number);
    ApiError::conflict("notOnItsWay", words).with("state", shipment.state.as_str().into())
}

/// Everything in transit of a delivery or transfer, as fully received.
async fn from_shipment(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &ReceiptDraft,
    doc: &mut Doc<Receipt>,
) -> ApiResult<()> {
    let kind = draft.source_type.as_deref();
    let id = known_id(draft.source_id.as_deref().unwrap_or_default(), "delivery")?;
    let found = shipments::head(tx, kind, id).await?;
    let head = found.ok_or_else(|| ApiError::field("sourceId", "This delivery does not exist."))?;
    scope::check(head.store_id.as_deref(), &ctx.who.scope)?;
    if draft.store_id.as_ref().is_some_and(|store| !store.is_empty() && Some(store) != head.store_id.as_ref())
    {
        return Err(ApiError::field("storeId", "This delivery goes to another store."));
    }
    if !is_on_its_way(head.state) {
        return Err(not_on_its_way(&head));
    }
    doc.head.store_id = head.store_id;
    doc.head.source_type = kind.map(str::to_owned);
    doc.head.source_id = Some(head.id.clone());
    let lines: Vec<ShipmentLine> = store::lines_in(tx, &head.id).await?;
    let pending = pending_of(tx, &head.id, &doc.head.id).await?;
    for line in &lines {
        let expected = Qty(line.sent().in_transit().0 - pending.get(&line.id).map_or(0, |qty| qty.0));
        if expected.0 > 0 {
            doc.lines.push(of_shipment_line(ctx.new_id(), line, expected));
        }
    }
    if doc.lines.is_empty() {
        let words = format!("All of {} was taken in; settle the differences of its receipts.", head.number);
        return Err(ApiError::conflict("takenIn", words).with("state", head.state.as_str().into()));
    }
    Ok(())
}

/// Differences of other posted receipts of a delivery that are still unsettled, by delivery line.
pub(super) async fn pending_of(
    tx: &mut Tx<'_>,
    delivery_id: &str,
    but: &str,
) -> ApiResult<HashMap<String, Qty>> {
    let mut pending: HashMap<String, Qty> = HashMap::new();
    for (id, state) in store::linked::<Receipt>(tx, delivery_id).await? {
        if state != ReceiptState::Posted || id == but {
            continue;
        }
        for line in store::lines_in::<ReceiptLine>(tx, &id).await? {
            let open = line.pending();
            if let Some(source) = line.source_line_id.filter(|_| !open.is_zero()) {
                let sum = pending.entry(source).or_default();
                *sum = Qty(sum.0 + open.0);
            }
        }
    }
    Ok(pending)
}

fn of_shipment_line(id: String, line: &ShipmentLine, expected: Qty) -> ReceiptLine {
    ReceiptLine {
        id,
        document_id: String::new(),
        position: 0,
        product_id: line.product_id.clone(),
        sku: line.sku.clone(),
        name: line.name.clone(),
        uom_id: line.uom_id.clone(),
        uom_code: line.uom_code.clone(),
        factor: line.factor,
        source_line_id: Some(line.id.clone()),
        order_line_id: line.order_line_id.clone(),
        expected,
        received: expected,
        accepted: expected,
        rejected: Qty::ZERO,
        reason: None,
        resolution: None,
        backorder_line_id: None,
        settled_base: Qty::ZERO,
        lot: line.lot.clone(),
        expiry: line.expiry,
        unit_price: None,
    }
}

/// Supplier goods: the open quantities of an order, or the lines as sent.
async fn from_supplier(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &ReceiptDraft,
    doc: &mut Doc<Receipt>,
) -> ApiResult<()> {
    let store = draft.store_id.as_deref().filter(|id| !id.is_empty());
    let Some(store) = store else { return Err(ApiError::field("storeId", "Choose a store.")) };
    scope::check(Some(store), &ctx.who.scope)?;
    orders::find_store(tx, store).await?;
    let supplier = draft.source_id.as_deref().unwrap_or_default();
    let known: i64 = tx
        .sql("select cast(count(*) as bigint) from suppliers where id = $1")
        .bind(supplier)
        .scalar()
        .await?;
    if known == 0 {
        return Err(ApiError::field("sourceId", "Choose the supplier."));
    }
    doc.head.store_id = Some(store.to_owned());
    doc.head.source_type = Some("supplier".to_owned());
    doc.head.source_id = Some(supplier.to_owned());
    let Some(order_id) = draft.order_id.as_deref().filter(|id| !id.is_empty()) else {
        if draft.lines.as_ref().is_none_or(Vec::is_empty) {
            return Err(ApiError::field("lines", "Add at least one item."));
        }
        return Ok(());
    };
    let found = store::head_in::<StoreOrder>(tx, order_id).await?;
    let (head, _) = found.ok_or_else(|| ApiError::field("orderId", "This order does not exist."))?;
    let same = head.store_id.as_deref() == Some(store)
        && head.source_type.as_deref() == Some("supplier")
        && head.source_id.as_deref() == Some(supplier);
    if !same || !orders::is_approved(head.state) {
        return Err(ApiError::field("orderId", "Choose an approved order of this store to this supplier."));
    }
    doc.details.order_id = Some(order_id.to_owned());
    let lines: Vec<OrderLine> = store::lines_in(tx, order_id).await?;
    for line in lines.iter().filter(|line| line.figures().to_send().0 > 0) {
        let id = ctx.new_id();
        doc.lines.push(of_order_line(id, line));
    }
    Ok(())
}

fn of_order_line(id: String, line: &OrderLine) -> ReceiptLine {
    let expected = line.figures().to_send();
    ReceiptLine {
        id,
        document_id: String::new(),
        position: 0,
        product_id: line.product_id.clone(),
        sku: line.sku.clone(),
        name: line.name.clone(),
        uom_id: line.uom_id.clone(),
        uom_code: line.uom_code.clone(),
        factor: line.factor,
        source_line_id: None,
        order_line_id: Some(line.id.clone()),
        expected,
        received: expected,
        accepted: expected,
        rejected: Qty::ZERO,
        reason: None,
        resolution: None,
        backorder_line_id: None,
        settled_base: Qty::ZERO,
        lot: None,
        expiry: None,
        unit_price: None,
    }
}

/// An unexpected line.
fn of_nothing(id: String, wanted: &Wanted) -> ReceiptLine {
    let line = OrderLine::of(id.clone(), wanted, None);
    ReceiptLine { order_line_id: None, expected: Qty::ZERO, ..of_order_line(id, &line) }
}

/// Writes the lines as sent. Omitted lines of a delivery or an order stay; others are deleted.
async fn write_lines(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    drafts: &[ReceiptLineDraft],
    doc: &mut Doc<Receipt>,
) -> ApiResult<()> {
    if drafts.len() > products::MOST_LINES {
        return Err(ApiError::field("lines", format!("Send at most {} lines.", products::MOST_LINES)));
    }
    let mut wrong = Vec::new();
    let mut lines: Vec<ReceiptLine> = Vec::with_capacity(drafts.len());
    let mut announced: Vec<ReceiptLine> = Vec::new();
    let mut own: Vec<ReceiptLine> = Vec::new();
    for line in std::mem::take(&mut doc.lines) {
        let expected = line.source_line_id.is_some() || line.order_line_id.is_some();
        if expected { announced.push(line) } else { own.push(line) }
    }
    for (at, draft) in drafts.iter().enumerate() {
        let same = |line: &ReceiptLine| {
            if let Some(id) = draft.id.as_ref().filter(|id| !id.is_empty()) {
                return line.id == *id;
            }
            if let Some(id) = draft.source_line_id.as_ref().filter(|id| !id.is_empty()) {
                return line.source_line_id.as_ref() == Some(id);
            }
            let lot = draft.lot.as_deref().filter(|lot| !lot.is_empty());
            draft.product_id.as_deref() == Some(&line.product_id)
                && draft.uom_id.as_deref().is_none_or(|uom| uom.is_empty() || uom == line.uom_id)
                && (lot.is_none() || line.lot.is_none() || lot == line.lot.as_deref())
        };
        let place = announced.iter().position(same);
        let (mut line, fresh) = if let Some(place) = place {
            (announced.remove(place), false)
        } else if let Some(place) = own.iter().position(|line| draft.id.as_ref() == Some(&line.id)) {
            (own.remove(place), true)
        } else {
            match new_line(tx, ctx, at, draft).await {
                Ok(line) => (line, true),
                Err(error) if error.code == "invalid" => {
                    wrong.extend(error.fields);
                    continue;
                }
                Err(error) => return Err(error),
            }
        };
        let of_supplier = doc.head.source_type.as_deref() == Some("supplier");
        change_line(&mut line, draft, at, fresh && of_supplier, &mut wrong);
        write_price(&mut line, draft, at, of_supplier, &mut wrong);
        lines.push(line);
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    lines.extend(announced);
    doc.lines = lines;
    Ok(())
}

async fn new_line(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    at: usize,
    draft: &ReceiptLineDraft,
) -> ApiResult<ReceiptLine> {
    let plain = LineDraft {
        id: None,
        product_id: draft.product_id.clone(),
        uom_id: draft.uom_id.clone(),
        qty: draft.received.clone(),
        reason: None,
    };
    match products::read_lines(tx, &[plain]).await {
        Ok(wanted) => {
            let wanted = wanted.first().ok_or_else(|| ApiError::field("lines", "Add at least one item."))?;
            Ok(of_nothing(ctx.new_id(), wanted))
        }
        Err(error) => {
            let fields = error.fields.iter().map(|field| {
                let rest = field.field.strip_prefix("lines.0.").unwrap_or(&field.field);
                let name = if rest == "qty" { "received" } else { rest };
                FieldError::new(format!("lines.{at}.{name}"), field.message.clone())
            });
            let fields = fields.collect();
            Err(error.at(fields))
        }
    }
}

/// Writes the values of a line. Supplier goods are expected as on the note, or as received.
fn change_line(
    line: &mut ReceiptLine,
    draft: &ReceiptLineDraft,
    at: usize,
    supplied: bool,
    wrong: &mut Vec<FieldError>,
) {
    let field = |name: &str| format!("lines.{at}.{name}");
    let factor = line.factor;
    let unit = line.uom_code.clone();
    let mut read = |name: &str, value: &Option<Value>, kept: Qty| match value {
        None | Some(Value::Null) => kept,
        Some(value) => {
            let qty = products::qty(Some(value)).and_then(|qty| {
                quantity::check_some(qty, factor, false).map(|()| qty).map_err(|error| error.message(&unit))
            });
            qty.unwrap_or_else(|message| {
                wrong.push(FieldError::new(field(name), message));
                kept
            })
        }
    };
    let received = read("received", &draft.received, line.received);
    let expected = read("expected", &draft.expected, if supplied { received } else { line.expected });
    let rejected =
        read("rejected", &draft.rejected, if draft.received.is_some() { Qty::ZERO } else { line.rejected });
    let accepted = read("accepted", &draft.accepted, Qty(received.0 - rejected.0));
    line.received = received;
    if supplied {
        line.expected = expected;
    }
    line.rejected = Qty(received.0 - accepted.0);
    line.accepted = accepted;
    if line.rejected.0 < 0 || line.accepted.0 < 0 {
        wrong.push(FieldError::new(field("rejected"), receipt::Wrong::RejectedTooMuch.message(Qty::ZERO)));
    }
    match draft.reason.as_deref().map(str::trim) {
        None => {}
        Some("") => line.reason = None,
        Some(text) if Reason::parse(text).is_some() => line.reason = Some(text.to_owned()),
        Some(_) => wrong.push(FieldError::new(field("reason"), "Choose a reason.")),
    }
    match draft.resolution.as_deref().map(str::trim) {
        None => {}
        Some("") => line.resolution = None,
        Some(text) if Resolution::parse(text).is_some() => line.resolution = Some(text.to_owned()),
        Some(_) => wrong.push(FieldError::new(field("resolution"), "Choose what becomes of the difference.")),
    }
    if !line.figures().differs() {
        line.reason = None;
        line.resolution = None;
    }
    let lot = line.lot.clone();
    short(wrong, field("lot"), draft.lot.as_deref(), MAX_LOT, &mut line.lot);
    if draft.expiry.is_some() {
        match date(&field("expiry"), draft.expiry.as_deref()) {
            Ok(day) => line.expiry = day,
            Err(error) => wrong.push(error),
        }
    } else if line.lot != lot {
        // Another lot has its own expiry date.
        line.expiry = None;
    }
}

/// Writes the price of a line, which only supplier goods have.
fn write_price(
    line: &mut ReceiptLine,
    draft: &ReceiptLineDraft,
    at: usize,
    of_supplier: bool,
    wrong: &mut Vec<FieldError>,
) {
    let mut refuse = |message: String| {
        wrong.push(FieldError::new(format!("lines.{at}.unitPrice"), message));
    };
    match draft.unit_price.as_ref().map(amount) {
        None => {}
        Some(Ok(Some(_))) if !of_supplier => refuse("Only supplier goods have a price.".to_owned()),
        Some(Ok(price)) => line.unit_price = price,
        Some(Err(message)) => refuse(message),
    }
}
