//! Creating and changing a delivery before departure.

use larder_domain::document::order::OrderState;

use super::*;
use crate::orders::{OrderLine, StoreOrder, source_place};
use crate::products;
use crate::products::{LineDraft, Product};
use crate::write::{MAX_LOT, MAX_NAME, note, short};
use larder_platform::http::question::date;
use larder_platform::http::scope;

/// A delivery line to save.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShipmentLineDraft {
    /// The line to change; absent for a new one.
    #[serde(default)]
    id: Option<String>,
    /// The order line it is sent for: a second lot of the same.
    #[serde(default)]
    order_line_id: Option<String>,
    #[serde(default)]
    product_id: Option<String>,
    #[serde(default)]
    uom_id: Option<String>,
    /// Quantity to send, in the unit.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    qty: Option<Value>,
    /// Picked quantity, in the unit; null clears it.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    picked: Option<Value>,
    #[serde(default)]
    lot: Option<String>,
    #[serde(default)]
    #[schema(format = Date)]
    expiry: Option<String>,
}

/// A draft of a delivery, or a partial change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryDraft {
    /// Approved orders of one store: everything still to be sent of them.
    #[serde(default)]
    pub(super) order_ids: Option<Vec<String>>,
    /// The commissary it leaves from; a warehouse if `sourceType` says so.
    #[serde(default)]
    pub(super) commissary_id: Option<String>,
    /// `commissary` or `warehouse`.
    #[serde(default)]
    pub(super) source_type: Option<String>,
    #[serde(default)]
    pub(super) store_id: Option<String>,
    #[serde(default)]
    #[schema(format = Date)]
    pub(super) planned_date: Option<String>,
    #[serde(default)]
    pub(super) vehicle: Option<String>,
    #[serde(default)]
    pub(super) driver: Option<String>,
    #[serde(default)]
    pub(super) seal_no: Option<String>,
    /// In °C.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    pub(super) depart_temp_c: Option<Value>,
    #[serde(default)]
    pub(super) signature_name: Option<String>,
    #[serde(default)]
    pub(super) notes: Option<String>,
    #[serde(default)]
    pub(super) lines: Option<Vec<ShipmentLineDraft>>,
}

impl DeliveryDraft {
    /// A delivery of everything that is still to be sent of some orders.
    #[must_use]
    pub fn of_orders(order_ids: Vec<String>) -> Self {
        Self { order_ids: Some(order_ids), ..Self::default() }
    }
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &DeliveryDraft,
    doc: &mut Doc<Delivery>,
) -> ApiResult<()> {
    write_head(draft, doc)?;
    match (&draft.order_ids, doc.is_new()) {
        (Some(order_ids), true) if !order_ids.is_empty() => from_orders(tx, ctx, order_ids, doc).await?,
        (_, true) => from_nothing(tx, ctx, draft, doc).await?,
        _ => {}
    }
    if let Some(lines) = &draft.lines {
        if doc.head.state == ShipmentState::Packed {
            let words =
                "This delivery is packed; its lines can no longer be changed. Its vehicle and driver can.";
            return Err(ApiError::conflict("wrongStep", words).with("state", doc.head.state.as_str().into()));
        }
        write_lines(tx, ctx, lines, doc).await?;
    }
    Ok(())
}

pub(super) fn write_head<D: Shipment>(draft: &DeliveryDraft, doc: &mut Doc<D>) -> ApiResult<()> {
    let mut wrong = Vec::new();
    let details = &mut doc.details;
    for (name, sent, kept) in [
        ("vehicle", &draft.vehicle, &mut details.vehicle),
        ("driver", &draft.driver, &mut details.driver),
        ("sealNo", &draft.seal_no, &mut details.seal_no),
        ("signatureName", &draft.signature_name, &mut details.signature_name),
    ] {
        short(&mut wrong, name, sent.as_deref(), MAX_NAME, kept);
    }
    if let Some(value) = &draft.depart_temp_c {
        match temperature(value) {
            Ok(temperature) => details.depart_temp_c = temperature,
            Err(message) => wrong.push(FieldError::new("departTempC", message)),
        }
    }
    match date("plannedDate", draft.planned_date.as_deref()) {
        Ok(Some(day)) => doc.head.on_date = day,
        Ok(None) => {}
        Err(error) => wrong.push(error),
    }
    note(&mut wrong, "notes", draft.notes.as_deref(), &mut doc.head.notes);
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// Parses a temperature in °C; empty is none.
pub(crate) fn temperature(value: &Value) -> Result<Option<Qty>, String> {
    if value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Ok(None);
    }
    match products::qty(Some(value))? {
        Qty(-90_000_000..=150_000_000) => Ok(products::qty(Some(value)).ok()),
        _ => Err("Enter a temperature in °C, for example -18.".to_owned()),
    }
}

/// Everything still to be sent of some orders that no other delivery carries; of shared lines their share.
async fn from_orders(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    order_ids: &[String],
    doc: &mut Doc<Delivery>,
) -> ApiResult<()> {
    let found = store::hold::<StoreOrder>(tx, order_ids).await?;
    let distinct: BTreeSet<&String> = order_ids.iter().collect();
    if found.len() != distinct.len() {
        return Err(ApiError::field("orderIds", "One of these orders does not exist, or no longer does."));
    }
    for order in &found {
        scope::check(order.head.store_id.as_deref(), &ctx.who.scope)?;
        if !orders::can_be_delivered(order.head.state) {
            let label = StoreOrder::FLOW.label(order.head.state);
            let words =
                format!("Order {} is {label}; only approved orders are delivered.", order.head.number);
            return Err(
                ApiError::conflict("wrongStep", words).with("state", order.head.state.as_str().into())
            );
        }
    }
    let first = &found[0].head;
    let same = |head: &crate::Head<OrderState>| {
        head.store_id == first.store_id
            && head.source_type == first.source_type
            && head.source_id == first.source_id
    };
    if !found.iter().all(|order| same(&order.head)) {
        let words = "Put only orders of one store and one source into a delivery.";
        return Err(ApiError::field("orderIds", words));
    }
    if source_place(first.source_type.as_deref(), first.source_id.as_deref()).is_none() {
        let words = "Suppliers deliver by themselves; take in what they bring under Receiving.";
        return Err(ApiError::field("orderIds", words));
    }
    doc.head.store_id.clone_from(&first.store_id);
    doc.head.source_type.clone_from(&first.source_type);
    doc.head.source_id.clone_from(&first.source_id);
    doc.head.on_date = found.iter().map(|order| order.head.on_date).min().unwrap_or(doc.head.on_date);
    doc.details.order_ids = found.iter().map(|order| order.head.id.clone()).collect();
    let carried = carried(tx, &doc.details.order_ids).await?;
    for line in found.iter().flat_map(|order| &order.lines) {
        let rest = line.standing().sendable.0 - carried.get(&line.id).map_or(0, |qty| qty.0);
        if rest > 0 {
            doc.lines.push(of_order_line(ctx.new_id(), line, Qty(rest)));
        }
    }
    if doc.lines.is_empty() {
        let short = found.iter().flat_map(|order| &order.lines).any(|line| {
            let it = line.standing();
            it.to_send > it.sendable
        });
        let words = if short {
            "Nothing is left to send of these orders but what sharing leaves short. Share again when there is more."
        } else {
            "Nothing is left to send of these orders: it was dispatched, or another delivery carries it."
        };
        return Err(ApiError::conflict("nothingToSend", words));
    }
    Ok(())
}

fn of_order_line(id: String, line: &OrderLine, qty: Qty) -> ShipmentLine {
    ShipmentLine {
        id,
        document_id: String::new(),
        position: 0,
        product_id: line.product_id.clone(),
        sku: line.sku.clone(),
        name: line.name.clone(),
        uom_id: line.uom_id.clone(),
        uom_code: line.uom_code.clone(),
        factor: line.factor,
        order_line_id: Some(line.id.clone()),
        ordered: qty,
        picked: None,
        dispatched: Qty::ZERO,
        overage: Qty::ZERO,
        accepted: Qty::ZERO,
        returned: Qty::ZERO,
        written_off: Qty::ZERO,
        dispatched_base: Qty::ZERO,
        settled_base: Qty::ZERO,
        lot: None,
        expiry: None,
    }
}

/// Quantities of orders carried by deliveries before departure, by line: picked, else planned.
async fn carried(tx: &mut Tx<'_>, order_ids: &[String]) -> ApiResult<HashMap<String, Qty>> {
    let found: Vec<(String, Qty)> = tx
        .sql(
            "select s.order_line_id, cast(sum(coalesce(s.picked, s.ordered)) as bigint)
             from order_lines o join shipment_lines s on s.order_line_id = o.id
             join documents d on d.id = s.document_id
             where d.state in ('draft', 'picking', 'packed') and o.document_id in ",
        )
        .push_ids(order_ids)
        .push(" group by s.order_line_id")
        .all()
        .await?;
    Ok(found.into_iter().collect())
}

/// A delivery without an order.
async fn from_nothing(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &DeliveryDraft,
    doc: &mut Doc<Delivery>,
) -> ApiResult<()> {
    let store = draft.store_id.as_deref().filter(|id| !id.is_empty());
    let Some(store) = store else { return Err(ApiError::field("storeId", "Choose a store.")) };
    scope::check(Some(store), &ctx.who.scope)?;
    orders::find_store(tx, store).await?;
    doc.head.store_id = Some(store.to_owned());
    let source_type = draft.source_type.as_deref().filter(|text| !text.is_empty()).unwrap_or("commissary");
    let place = source_place(Some(source_type), draft.commissary_id.as_deref().filter(|id| !id.is_empty()));
    let Some(place) = place else {
        return Err(ApiError::field("sourceType", "Choose a commissary or a warehouse."));
    };
    if place.id.is_empty() || !larder_ledgers::stock::find_place(tx, &place).await? {
        return Err(ApiError::field("commissaryId", "Choose where it leaves from."));
    }
    doc.head.source_type = Some(place.kind.as_str().to_owned());
    doc.head.source_id = Some(place.id);
    if draft.lines.as_ref().is_none_or(Vec::is_empty) {
        return Err(ApiError::field("lines", "Add at least one item."));
    }
    Ok(())
}

/// Writes the lines as sent: those with an id change, others are new, missing ones are deleted.
pub(super) async fn write_lines<D: Shipment>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    drafts: &[ShipmentLineDraft],
    doc: &mut Doc<D>,
) -> ApiResult<()> {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    // New lines and their places. Two lots of a product are two lines.
    let (mut fresh, mut places) = (Vec::new(), Vec::new());
    for (at, draft) in drafts.iter().enumerate() {
        let known = doc.lines.iter().find(|line| Some(&line.id) == draft.id.as_ref());
        let of_order = draft.order_line_id.as_ref().filter(|id| !id.is_empty());
        let twin =
            of_order.and_then(|id| doc.lines.iter().find(|line| line.order_line_id.as_ref() == Some(id)));
        let line = match (known, twin) {
            (Some(line), _) => line.clone(),
            (None, Some(line)) => ShipmentLine {
                id: ctx.new_id(),
                ordered: Qty::ZERO,
                picked: None,
                lot: None,
                expiry: None,
                ..line.clone()
            },
            (None, None) if draft.id.is_some() || of_order.is_some() => {
                let words = format!("This {} has no such line. Reload to continue.", D::FLOW.one);
                wrong.push(FieldError::new(format!("lines.{at}.id"), words));
                continue;
            }
            (None, None) => {
                fresh.push((at, plain(draft)));
                places.push(lines.len());
                lines.push((at, None));
                continue;
            }
        };
        lines.push((at, Some(line)));
    }
    let mut seen = BTreeSet::new();
    for (place, read) in places.into_iter().zip(products::read_some(tx, &fresh).await?) {
        seen.insert(read.at);
        let line = OrderLine::of(ctx.new_id(), &read, None);
        let line = ShipmentLine { order_line_id: None, ..of_order_line(line.id.clone(), &line, read.qty) };
        lines[place].1 = Some(line);
    }
    let ids: Vec<&str> = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
    let known = products::by_id(tx, &ids).await?;
    let mut kept = Vec::with_capacity(lines.len());
    for (at, line) in lines {
        let Some(mut line) = line else { continue };
        change_line(&mut line, &drafts[at], at, seen.contains(&at), &known, &mut wrong);
        kept.push(line);
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    if kept.is_empty() {
        return Err(ApiError::field("lines", "Add at least one item."));
    }
    doc.lines = kept;
    Ok(())
}

fn plain(draft: &ShipmentLineDraft) -> LineDraft {
    LineDraft {
        id: None,
        product_id: draft.product_id.clone(),
        uom_id: draft.uom_id.clone(),
        qty: draft.qty.clone().or_else(|| draft.picked.clone()),
        reason: None,
    }
}

/// Writes picked quantity and lot of a line.
fn change_line(
    line: &mut ShipmentLine,
    draft: &ShipmentLineDraft,
    at: usize,
    new: bool,
    known: &HashMap<String, Product>,
    wrong: &mut Vec<FieldError>,
) {
    let field = |name: &str| format!("lines.{at}.{name}");
    if let (Some(value), None, false) = (&draft.qty, &line.order_line_id, new) {
        match products::qty(Some(value)).and_then(|qty| {
            // An existing quantity can stay even if the unit was limited to whole numbers since.
            let whole = qty != line.ordered && products::comes_whole(known, &line.product_id, &line.uom_id);
            quantity::check(qty, line.factor, whole)
                .map(|()| qty)
                .map_err(|error| error.message(&line.uom_code))
        }) {
            Ok(qty) => line.ordered = qty,
            Err(message) => wrong.push(FieldError::new(field("qty"), message)),
        }
    }
    match &draft.picked {
        None | Some(Value::Null) => line.picked = None,
        Some(value) => match products::qty(Some(value)).and_then(|qty| {
            let kept = [Some(line.ordered), line.picked].contains(&Some(qty));
            let whole = !kept && products::comes_whole(known, &line.product_id, &line.uom_id);
            quantity::check_some(qty, line.factor, whole)
                .map(|()| qty)
                .map_err(|error| error.message(&line.uom_code))
        }) {
            Ok(qty) => line.picked = Some(qty),
            Err(message) => wrong.push(FieldError::new(field("picked"), message)),
        },
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
