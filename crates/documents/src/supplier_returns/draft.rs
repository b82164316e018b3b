//! Creating and changing a supplier return, and writing down what the supplier says of it.

use super::*;
use crate::orders;
use crate::products::{LineDraft, Wanted};
use crate::write::{MAX_LOT, MAX_NAME, may_be_dated, note, short, short_text};
use larder_platform::http::question::{date, known_id};
use larder_platform::http::scope;
use larder_platform::http::text::said;

/// A line to save.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SupplierReturnLineDraft {
    /// The line to change; absent for a new one.
    #[serde(default)]
    id: Option<String>,
    /// The line of the receipt that it came with: its product, unit, lot and price.
    #[serde(default)]
    receipt_line_id: Option<String>,
    /// Whether that receipt refused it.
    #[serde(default)]
    refused: bool,
    #[serde(default)]
    product_id: Option<String>,
    #[serde(default)]
    uom_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    qty: Option<Value>,
    #[serde(default)]
    #[schema(value_type = Option<ReturnReason>)]
    reason: Option<String>,
    #[serde(default)]
    note: Option<String>,
    /// An empty text for none; the receipt's order or the price level says it when absent.
    #[serde(default)]
    #[schema(value_type = Option<Money>)]
    unit_price: Option<Value>,
    #[serde(default)]
    lot: Option<String>,
}

/// A draft of a supplier return, or a partial change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SupplierReturnDraft {
    /// The receipt that the goods came with: its store and supplier, and without `lines` what it refused.
    /// New lines of its products get their unit, lot and price.
    #[serde(default)]
    receipt_id: Option<String>,
    /// `store`, `commissary`, `warehouse` or `coldStorage`.
    #[serde(default)]
    place_kind: Option<String>,
    #[serde(default)]
    place_id: Option<String>,
    #[serde(default)]
    supplier_id: Option<String>,
    #[serde(default)]
    #[schema(format = Date)]
    return_date: Option<String>,
    #[serde(default)]
    notes: Option<String>,
    #[serde(default)]
    lines: Option<Vec<SupplierReturnLineDraft>>,
    /// Once it is sent: how the supplier settled it, `credited` or `replaced`.
    #[serde(default)]
    settlement: Option<String>,
    /// An empty text for none.
    #[serde(default)]
    #[schema(value_type = Option<Money>)]
    credited_amount: Option<Value>,
    #[serde(default)]
    credit_memo_no: Option<String>,
    #[serde(default)]
    settlement_note: Option<String>,
}

impl SupplierReturnDraft {
    fn says_what_goes_back(&self) -> bool {
        let texts = [
            &self.receipt_id,
            &self.place_kind,
            &self.place_id,
            &self.supplier_id,
            &self.return_date,
            &self.notes,
        ];
        self.lines.is_some() || texts.into_iter().any(Option::is_some)
    }

    fn says_how_it_was_settled(&self) -> bool {
        self.credited_amount.is_some()
            || [&self.settlement, &self.credit_memo_no, &self.settlement_note]
                .into_iter()
                .any(Option::is_some)
    }
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &SupplierReturnDraft,
    doc: &mut Doc<SupplierReturn>,
) -> ApiResult<()> {
    let sent = doc.head.state == ReturnState::Sent;
    if sent && draft.says_what_goes_back() {
        let words = "This supplier return is sent; only what the supplier says of it can be changed.";
        return Err(ApiError::conflict("wrongStep", words).with("state", doc.head.state.as_str().into()));
    }
    if !sent && draft.says_how_it_was_settled() {
        return Err(ApiError::field("settlement", "Send it first, then say how the supplier settled it."));
    }
    if sent {
        return write_settlement(draft, doc);
    }
    if let Some(id) = given(&draft.receipt_id).filter(|_| doc.is_new()) {
        of_receipt(tx, ctx, &id, doc).await?;
    }
    let price_level = write_ends(tx, ctx, draft, doc).await?;
    let mut wrong = Vec::new();
    match date("returnDate", draft.return_date.as_deref()) {
        Ok(Some(day)) => {
            if day != doc.head.on_date {
                may_be_dated::<SupplierReturn>(tx, ctx, day).await?;
            }
            doc.head.on_date = day;
        }
        Ok(None) => {}
        Err(error) => wrong.push(error),
    }
    note(&mut wrong, "notes", draft.notes.as_deref(), &mut doc.head.notes);
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    match &draft.lines {
        Some(lines) => write_lines(tx, ctx, lines, price_level.as_deref(), doc).await,
        None if doc.is_new() && doc.details.receipt_id.is_some() => {
            claim(tx, ctx, price_level.as_deref(), doc).await
        }
        None => Ok(()),
    }
}

fn given(text: &Option<String>) -> Option<String> {
    said(text.as_deref()).map(str::to_owned)
}

/// An amount; nothing for an empty text.
fn amount(value: &Value) -> Result<Option<Money>, String> {
    if value.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Ok(None);
    }
    match serde_json::from_value::<Money>(value.clone()) {
        Ok(amount) if amount.0 < 0 => Err("Enter zero or more.".to_owned()),
        Ok(amount) => Ok(Some(amount)),
        Err(error) => Err(error.to_string()),
    }
}

/// Writes what the supplier says of it.
fn write_settlement(draft: &SupplierReturnDraft, doc: &mut Doc<SupplierReturn>) -> ApiResult<()> {
    let mut wrong = Vec::new();
    let details = &mut doc.details;
    match draft.settlement.as_deref().map(str::trim) {
        None => {}
        Some("") => details.settlement = None,
        Some(text) => match ReturnSettlement::parse(text) {
            Some(settlement) => details.settlement = Some(settlement),
            None => wrong.push(FieldError::new("settlement", "Choose how the supplier settled it.")),
        },
    }
    if let Some(value) = &draft.credited_amount {
        match amount(value) {
            Ok(amount) => details.credited_amount = amount,
            Err(message) => wrong.push(FieldError::new("creditedAmount", message)),
        }
    }
    short(&mut wrong, "creditMemoNo", draft.credit_memo_no.as_deref(), MAX_LOT, &mut details.credit_memo_no);
    note(&mut wrong, "settlementNote", draft.settlement_note.as_deref(), &mut details.settlement_note);
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// Takes store and supplier from a receipt.
async fn of_receipt(tx: &mut Tx<'_>, ctx: Ctx<'_>, id: &str, doc: &mut Doc<SupplierReturn>) -> ApiResult<()> {
    let found = store::head_in::<Receipt>(tx, known_id(id, "receipt")?).await?;
    let (receipt, _) = found.ok_or_else(|| ApiError::field("receiptId", "This receipt does not exist."))?;
    scope::check(receipt.store_id.as_deref(), &ctx.who.scope)?;
    if receipt.source_type.as_deref() != Some("supplier") {
        return Err(ApiError::field("receiptId", "Choose a receipt of a supplier's goods."));
    }
    refuse_open(&receipt)?;
    doc.details.receipt_id = Some(receipt.id);
    doc.details.place_kind = Some(PlaceKind::Store);
    doc.details.place_id = receipt.store_id;
    doc.head.source_id = receipt.source_id;
    Ok(())
}

/// Writes the place that the goods leave and the supplier that gets them. Returns the place's price level.
async fn write_ends(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &SupplierReturnDraft,
    doc: &mut Doc<SupplierReturn>,
) -> ApiResult<Option<String>> {
    let kind = match given(&draft.place_kind) {
        None => doc.details.place_kind,
        Some(kind) => Some(
            PlaceKind::parse(&kind)
                .filter(|kind| *kind != PlaceKind::InTransit)
                .ok_or_else(|| ApiError::field("placeKind", "Choose a store or a kitchen."))?,
        ),
    };
    let id = given(&draft.place_id).or_else(|| doc.details.place_id.clone());
    let (Some(kind), Some(id)) = (kind, id) else {
        return Err(ApiError::field("placeId", "Choose where the goods are."));
    };
    let supplier = given(&draft.supplier_id).or_else(|| doc.head.source_id.clone());
    let supplier = supplier.ok_or_else(|| ApiError::field("supplierId", "Choose the supplier."))?;
    let same = doc.details.place_kind == Some(kind)
        && doc.details.place_id.as_ref() == Some(&id)
        && doc.head.source_id.as_ref() == Some(&supplier);
    if doc.details.receipt_id.is_some() && !same {
        let words = "These goods came with a receipt: its store sends them back to its supplier.";
        return Err(ApiError::field("placeId", words));
    }
    let place = Place { kind, id };
    let price_level = if place.kind == PlaceKind::Store {
        // Check the scope first: reveal nothing about a store the user may not see, not even its existence.
        scope::check(Some(&place.id), &ctx.who.scope)?;
        let found = orders::find_store(tx, &place.id).await;
        let at_place = |error: ApiError| match error.fields.first() {
            Some(wrong) => ApiError::field("placeId", wrong.message.clone()),
            None => error,
        };
        found.map_err(at_place)?.price_level_id
    } else {
        if !matches!(ctx.who.scope, StoreScope::All) {
            return Err(ApiError::out_of_scope());
        }
        if !stock::find_place(tx, &place).await? {
            return Err(ApiError::field("placeId", "Choose where the goods are."));
        }
        None
    };
    let query = tx.sql("select cast(count(*) as bigint) from suppliers where id = $1");
    if query.bind(&supplier).scalar::<i64>().await? == 0 {
        return Err(ApiError::field("supplierId", "Choose the supplier."));
    }
    doc.head.store_id = (place.kind == PlaceKind::Store).then(|| place.id.clone());
    doc.head.source_type = Some("supplier".to_owned());
    doc.head.source_id = Some(supplier);
    doc.details.place_kind = Some(place.kind);
    doc.details.place_id = Some(place.id);
    Ok(price_level)
}

/// Puts in what the receipt refused and no other return has; nothing where it refused nothing.
async fn claim(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    price_level: Option<&str>,
    doc: &mut Doc<SupplierReturn>,
) -> ApiResult<()> {
    let receipt_id = doc.details.receipt_id.clone().unwrap_or_default();
    let came: Vec<ReceiptLine> = store::lines_in(tx, &receipt_id).await?;
    let others = of_others(tx, doc, &receipt_id, true).await?;
    let prices = prices_of(tx, &came, price_level).await?;
    for line in &came {
        let elsewhere = others.get(&(line.id.clone(), true)).map_or(0, |qty| qty.0);
        let rest = Qty(claimed(line.figures()).0 - elsewhere);
        if rest.0 <= 0 {
            continue;
        }
        let reason = ReturnReason::of(line.figures().reason);
        let other = reason == ReturnReason::Other;
        doc.lines.push(SupplierReturnLine {
            id: ctx.new_id(),
            document_id: String::new(),
            position: 0,
            product_id: line.product_id.clone(),
            sku: line.sku.clone(),
            name: line.name.clone(),
            uom_id: line.uom_id.clone(),
            uom_code: line.uom_code.clone(),
            factor: line.factor,
            receipt_line_id: Some(line.id.clone()),
            refused: true,
            qty: rest,
            reason: reason.as_str().to_owned(),
            note: other.then(|| "Refused on arrival".to_owned()),
            unit_price: prices.get(&line.id).copied(),
            lot: line.lot.clone(),
        });
    }
    Ok(())
}

/// The prices of a receipt's lines, by line: as ordered, else as the place's price level says.
async fn prices_of(
    tx: &mut Tx<'_>,
    came: &[ReceiptLine],
    price_level: Option<&str>,
) -> ApiResult<HashMap<String, Money>> {
    let ordered: Vec<&str> = came.iter().filter_map(|line| line.order_line_id.as_deref()).collect();
    let query = tx.sql("select id, unit_price from order_lines where unit_price is not null and id in ");
    let ordered: HashMap<String, Money> =
        query.push_ids(&ordered).all::<(String, Money)>().await?.into_iter().collect();
    let ids: Vec<&str> = came.iter().map(|line| line.product_id.as_str()).collect();
    let known = products::by_id(tx, &ids).await?;
    let price = |line: &ReceiptLine| {
        let of_order = line.order_line_id.as_ref().and_then(|id| ordered.get(id)).copied();
        let of_product = || known.get(&line.product_id)?.price(price_level, &line.uom_id);
        Some((line.id.clone(), of_order.or_else(of_product)?))
    };
    Ok(came.iter().filter_map(price).collect())
}

/// Where a line comes from: as it was saved, and the line of the receipt.
#[derive(Clone, Copy)]
struct Origin<'a> {
    saved: Option<&'a SupplierReturnLine>,
    came: Option<&'a ReceiptLine>,
}

/// Writes the lines as sent. Lines of the same product stay separate, since each has its reason and lot.
async fn write_lines(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    drafts: &[SupplierReturnLineDraft],
    price_level: Option<&str>,
    doc: &mut Doc<SupplierReturn>,
) -> ApiResult<()> {
    let came: Vec<ReceiptLine> = match &doc.details.receipt_id {
        Some(id) => store::lines_in(tx, id).await?,
        None => Vec::new(),
    };
    let saved = std::mem::take(&mut doc.lines);
    let mut wrong = Vec::new();
    let (mut origins, mut plain) = (Vec::with_capacity(drafts.len()), Vec::with_capacity(drafts.len()));
    for (at, draft) in drafts.iter().enumerate() {
        let origin = origin_of(draft, &saved, &came);
        if origin.came.is_none() && given(&draft.receipt_line_id).is_some() {
            let words = "The receipt has no such line. Reload to continue.";
            wrong.push(FieldError::new(format!("lines.{at}.receiptLineId"), words));
        }
        wrong.extend(refuse(at, draft, origin));
        plain.push(plain_of(draft, origin));
        origins.push(origin);
    }
    let read = match products::read_each(tx, &plain).await {
        Ok(read) => read,
        Err(error) if error.code == "invalid" => {
            wrong.extend(error.fields);
            return Err(ApiError::invalid(wrong));
        }
        Err(error) => return Err(error),
    };
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let prices = prices_of(tx, &came, price_level).await?;
    let lines = drafts.iter().zip(origins).zip(read).map(|((draft, origin), wanted)| {
        let of_list = wanted.product.price(price_level, &wanted.unit.uom_id);
        let usual = match origin.came {
            Some(line) => prices.get(&line.id).copied(),
            None => of_list,
        };
        line_of(ctx, draft, origin, wanted, usual)
    });
    doc.lines = lines.collect();
    Ok(())
}

fn origin_of<'a>(
    draft: &SupplierReturnLineDraft,
    saved: &'a [SupplierReturnLine],
    came: &'a [ReceiptLine],
) -> Origin<'a> {
    let saved = saved.iter().find(|line| draft.id.as_ref() == Some(&line.id));
    let of = saved.map_or_else(|| given(&draft.receipt_line_id), |line| line.receipt_line_id.clone());
    let came = match of {
        Some(id) => came.iter().find(|line| line.id == id),
        None if saved.is_some() => None,
        None => came.iter().find(|line| is_named(line, draft)),
    };
    Origin { saved, came }
}

/// Whether a new line names what a receipt's line took in: the same product, and no other unit or lot.
fn is_named(line: &ReceiptLine, draft: &SupplierReturnLineDraft) -> bool {
    let (uom, lot) = (given(&draft.uom_id), given(&draft.lot));
    given(&draft.product_id).as_ref() == Some(&line.product_id)
        && line.accepted.0 > 0
        && uom.is_none_or(|uom| uom == line.uom_id)
        && lot.is_none_or(|lot| line.lot.as_ref() == Some(&lot))
}

/// Product, unit and quantity of a line; a receipt's line says product and unit itself.
fn plain_of(draft: &SupplierReturnLineDraft, origin: Origin<'_>) -> LineDraft {
    let of_receipt = origin.came.map(|line| (line.product_id.clone(), line.uom_id.clone()));
    let of_saved = || origin.saved.map(|line| (line.product_id.clone(), line.uom_id.clone()));
    let (product, uom) = match of_receipt {
        Some((product, uom)) => (Some(product), Some(uom)),
        None => match (given(&draft.product_id), of_saved()) {
            (Some(product), _) => (Some(product), given(&draft.uom_id)),
            (None, Some((product, uom))) => (Some(product), Some(uom)),
            (None, None) => (None, None),
        },
    };
    let saved = || origin.saved.and_then(|line| serde_json::to_value(line.qty).ok());
    LineDraft {
        id: None,
        product_id: product,
        uom_id: uom,
        qty: draft.qty.clone().or_else(saved),
        reason: None,
    }
}

/// The text that a line gets: as sent, else as saved.
fn text_of(sent: &Option<String>, saved: Option<&String>) -> Option<String> {
    match sent {
        Some(_) => given(sent),
        None => saved.cloned(),
    }
}

fn reason_of(draft: &SupplierReturnLineDraft, origin: Origin<'_>) -> Option<String> {
    text_of(&draft.reason, origin.saved.map(|line| &line.reason))
}

fn note_of(draft: &SupplierReturnLineDraft, origin: Origin<'_>) -> Option<String> {
    text_of(&draft.note, origin.saved.and_then(|line| line.note.as_ref()))
}

/// Errors of a line beside its product and quantity.
fn refuse(at: usize, draft: &SupplierReturnLineDraft, origin: Origin<'_>) -> Vec<FieldError> {
    let field = |name: &str| format!("lines.{at}.{name}");
    let mut wrong = Vec::new();
    match reason_of(draft, origin).as_deref().and_then(ReturnReason::parse) {
        None => wrong.push(FieldError::new(field("reason"), "Choose why it goes back.")),
        Some(ReturnReason::Other) if note_of(draft, origin).is_none() => {
            wrong.push(FieldError::new(field("note"), "Say what is wrong with it."));
        }
        Some(_) => {}
    }
    wrong.extend(short_text(field("note"), draft.note.as_deref(), MAX_NAME).err());
    wrong.extend(short_text(field("lot"), draft.lot.as_deref(), MAX_LOT).err());
    if let Some(Err(message)) = draft.unit_price.as_ref().map(amount) {
        wrong.push(FieldError::new(field("unitPrice"), message));
    }
    wrong
}

/// A line without errors; `usual` is its price unless another one was sent or saved.
fn line_of(
    ctx: Ctx<'_>,
    draft: &SupplierReturnLineDraft,
    origin: Origin<'_>,
    wanted: Wanted,
    usual: Option<Money>,
) -> SupplierReturnLine {
    let unit_price = match (&draft.unit_price, origin.saved) {
        (Some(value), _) => amount(value).ok().flatten(),
        (None, Some(saved)) => saved.unit_price,
        (None, None) => usual,
    };
    let known_lot = match origin.saved {
        Some(saved) => saved.lot.as_ref(),
        None => origin.came.and_then(|line| line.lot.as_ref()),
    };
    SupplierReturnLine {
        id: origin.saved.map_or_else(|| ctx.new_id(), |line| line.id.clone()),
        document_id: String::new(),
        position: 0,
        product_id: wanted.product.id,
        sku: wanted.product.sku,
        name: wanted.product.name,
        uom_id: wanted.unit.uom_id,
        uom_code: wanted.uom_code,
        factor: wanted.unit.factor,
        receipt_line_id: origin.came.map(|line| line.id.clone()),
        refused: origin.came.is_some() && origin.saved.map_or(draft.refused, |line| line.refused),
        qty: wanted.qty,
        reason: reason_of(draft, origin).unwrap_or_default(),
        note: note_of(draft, origin),
        unit_price,
        lot: text_of(&draft.lot, known_lot),
    }
}
