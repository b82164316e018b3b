//! Creating and changing a supplier return, and recording its settlement.

use super::*;
use crate::orders;
use crate::products::{LineDraft, Wanted};
use crate::write::{MAX_LOT, MAX_NAME, SentHead, amount, date_and_notes, note, short};
use larder_platform::http::question::known_id;
use larder_platform::http::scope;
use larder_platform::http::text::said;

/// A line to save.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SupplierReturnLineDraft {
    /// The line to change; absent for a new one.
    #[serde(default)]
    id: Option<String>,
    /// Line of the receipt that the goods came with; gives product, unit, lot and price.
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
    /// An empty text for none; if omitted, the price on the receipt's order or of the price level.
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
    /// The receipt that the goods came with. Gives store and supplier and, if `lines` is omitted, the refused goods as
    /// lines. New lines of its products take unit, lot and price from it.
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
    /// `credited` or `replaced`; accepted once it is sent.
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
    if let Some(id) = given(&draft.receipt_id) {
        if doc.is_new() {
            of_receipt(tx, ctx, &id, doc).await?;
        } else if doc.details.receipt_id.as_ref() != Some(&id) {
            let words = "A return keeps its receipt. Start another one for these goods.";
            return Err(ApiError::field("receiptId", words));
        }
    }
    let price_level = write_ends(tx, ctx, draft, doc).await?;
    let mut wrong = Vec::new();
    let dated = SentHead { date: draft.return_date.as_deref(), notes: draft.notes.as_deref() };
    date_and_notes::<SupplierReturn>(tx, ctx, dated, &mut doc.head, &mut wrong).await?;
    if let Some(id) = &doc.details.receipt_id
        && let Some((receipt, _)) = store::head_in::<Receipt>(tx, id).await?
    {
        wrong.extend(refuse_before(doc.head.on_date, &receipt));
    }
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

/// Writes the settlement.
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
    if details.settlement == Some(ReturnSettlement::Replaced) {
        if draft.credited_amount.is_some() && details.credited_amount.is_some() {
            wrong.push(FieldError::new("creditedAmount", "Goods that were replaced are not credited."));
        }
        details.credited_amount = None;
        details.credit_memo_no = None;
    }
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

/// Writes place and supplier. Returns the place's price level.
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
        let at = if doc.head.source_id.as_ref() == Some(&supplier) { "placeId" } else { "supplierId" };
        let words = "These goods came with a receipt: its store sends them back to its supplier.";
        return Err(ApiError::field(at, words));
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

/// Adds the goods that the receipt refused and that are on no other return.
async fn claim(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    price_level: Option<&str>,
    doc: &mut Doc<SupplierReturn>,
) -> ApiResult<()> {
    let receipt_id = doc.details.receipt_id.clone().unwrap_or_default();
    let came: Vec<ReceiptLine> = store::lines_in(tx, &receipt_id).await?;
    let others = of_others(tx, doc, &receipt_id, true).await?;
    let prices = prices_of(tx, &came, (price_level, doc.head.on_date)).await?;
    for line in &came {
        let elsewhere = others.get(&(line.id.clone(), true)).map_or(0, |sent| sent.qty.0);
        let rest = Qty(claimed(line.figures()).0 - elsewhere);
        if rest.0 <= 0 {
            continue;
        }
        let reason = ReturnReason::of(line.figures().reason);
        let other = reason == ReturnReason::Other;
        doc.lines.push(SupplierReturnLine {
            qty: rest,
            reason: reason.as_str().to_owned(),
            note: other.then(|| "Refused on arrival".to_owned()),
            ..of_receipt_line(ctx, line, true, prices.get(&line.id).copied())
        });
    }
    Ok(())
}

/// Prices of a receipt's lines, by line: as ordered, otherwise of the place's price level on the day of the return.
async fn prices_of(
    tx: &mut Tx<'_>,
    came: &[ReceiptLine],
    (price_level, day): (Option<&str>, BusinessDay),
) -> ApiResult<HashMap<String, Money>> {
    let ordered: Vec<&str> = came.iter().filter_map(|line| line.order_line_id.as_deref()).collect();
    let query = tx.sql("select id, unit_price from order_lines where unit_price is not null and id in ");
    let ordered: HashMap<String, Money> =
        query.push_ids(&ordered).all::<(String, Money)>().await?.into_iter().collect();
    let ids: Vec<&str> = came.iter().map(|line| line.product_id.as_str()).collect();
    let mut known = products::by_id(tx, &ids).await?;
    products::price_on(tx, day, known.values_mut()).await?;
    let price = |line: &ReceiptLine| {
        let of_order = line.order_line_id.as_ref().and_then(|id| ordered.get(id)).copied();
        let of_product = || known.get(&line.product_id)?.price(price_level, &line.uom_id);
        Some((line.id.clone(), of_order.or_else(of_product)?))
    };
    Ok(came.iter().filter_map(price).collect())
}

/// The sources of a line: the saved one and that of the receipt.
#[derive(Clone, Copy)]
struct Origin<'a> {
    saved: Option<&'a SupplierReturnLine>,
    came: Option<&'a ReceiptLine>,
}

/// Writes the lines as sent. Lines of the same product stay separate, since each has its reason and lot. A line keeps
/// product, unit and factor of its receipt or of its last save, even if the product changed since.
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
    let prices = prices_of(tx, &came, (price_level, doc.head.on_date)).await?;
    let saved = std::mem::take(&mut doc.lines);
    let (mut wrong, mut lines, mut fresh) = (Vec::new(), Vec::with_capacity(drafts.len()), Vec::new());
    for (at, draft) in drafts.iter().enumerate() {
        let origin = origin_of(draft, &saved, &came);
        let errors = refuse(at, draft, origin, doc.details.receipt_id.is_some());
        let line = match (origin.saved, origin.came) {
            (Some(saved), _) if saved.receipt_line_id.is_some() || keeps_item(draft, saved) => {
                Some(saved.clone())
            }
            (None, Some(came)) => {
                Some(of_receipt_line(ctx, came, draft.refused, prices.get(&came.id).copied()))
            }
            // Its product and unit are checked only if the line may have any.
            _ if errors.is_empty() => {
                fresh.push((at, plain_of(draft, origin)));
                None
            }
            _ => None,
        };
        wrong.extend(errors);
        lines.push(line);
    }
    match products::read_some(tx, &fresh).await {
        Ok(mut read) => {
            products::price_on(tx, doc.head.on_date, read.iter_mut().map(|wanted| &mut wanted.product))
                .await?;
            for wanted in read {
                let at = wanted.at;
                let id = drafts[at].id.clone().filter(|id| saved.iter().any(|line| line.id == *id));
                lines[at] = Some(of_product(id.unwrap_or_else(|| ctx.new_id()), wanted, price_level));
            }
        }
        Err(error) if error.code == "invalid" => wrong.extend(error.fields),
        Err(error) => return Err(error),
    }
    let ids: Vec<&str> = lines.iter().flatten().map(|line| line.product_id.as_str()).collect();
    let known = products::by_id(tx, &ids).await?;
    for (at, (line, draft)) in lines.iter_mut().zip(drafts).enumerate() {
        if let Some(line) = line {
            let whole = products::comes_whole(&known, &line.product_id, &line.uom_id);
            change_qty(at, draft, line, whole, &mut wrong);
        }
        // A line whose item is wrong has its other errors told too.
        change(at, draft, line.get_or_insert_with(|| blank(String::new())), &mut wrong);
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    doc.lines = lines.into_iter().flatten().collect();
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

/// Whether a new line means this line of the receipt: same product, accepted or refused as sent, and no other unit or
/// lot.
fn is_named(line: &ReceiptLine, draft: &SupplierReturnLineDraft) -> bool {
    let (uom, lot) = (given(&draft.uom_id), given(&draft.lot));
    let some = if draft.refused { line.rejected } else { line.accepted };
    given(&draft.product_id).as_ref() == Some(&line.product_id)
        && some.0 > 0
        && uom.is_none_or(|uom| uom == line.uom_id)
        && lot.is_none_or(|lot| line.lot.as_ref() == Some(&lot))
}

/// Whether a saved line keeps its product and unit.
fn keeps_item(draft: &SupplierReturnLineDraft, saved: &SupplierReturnLine) -> bool {
    given(&draft.product_id).is_none_or(|id| id == saved.product_id)
        && given(&draft.uom_id).is_none_or(|id| id == saved.uom_id)
}

/// Product, unit and quantity of a new line, or of a saved one with another product or unit.
fn plain_of(draft: &SupplierReturnLineDraft, origin: Origin<'_>) -> LineDraft {
    let saved = origin.saved;
    LineDraft {
        product_id: given(&draft.product_id).or_else(|| saved.map(|line| line.product_id.clone())),
        uom_id: given(&draft.uom_id),
        qty: draft.qty.clone().or_else(|| serde_json::to_value(saved?.qty).ok()),
        ..LineDraft::default()
    }
}

/// Errors of a line beside its product, quantity and texts.
fn refuse(
    at: usize,
    draft: &SupplierReturnLineDraft,
    origin: Origin<'_>,
    of_receipt: bool,
) -> Vec<FieldError> {
    let mut wrong = Vec::new();
    let mut error =
        |name: &str, words: &str| wrong.push(FieldError::new(format!("lines.{at}.{name}"), words));
    let receipt_line = given(&draft.receipt_line_id);
    match (origin.saved, origin.came) {
        (Some(saved), _) if saved.receipt_line_id.is_some() => {
            if receipt_line.is_some() && receipt_line != saved.receipt_line_id {
                error("receiptLineId", "A line keeps its line of the receipt. Add another line instead.");
            }
            if !keeps_item(draft, saved) {
                error("productId", "A line keeps the item of its receipt. Add another line instead.");
            }
        }
        (_, None) if receipt_line.is_some() => {
            error("receiptLineId", "The receipt has no such line. Reload to continue.");
        }
        (None, Some(came)) => {
            let other = |sent: &Option<String>, known: &String| given(sent).is_some_and(|id| id != *known);
            if other(&draft.product_id, &came.product_id) {
                error("productId", "This line of the receipt has another item.");
            }
            if other(&draft.uom_id, &came.uom_id) {
                error("uomId", "This line of the receipt is in another unit.");
            }
        }
        (None, None) if of_receipt => {
            let words = "The receipt has no such item in this unit. Send it back without a receipt.";
            error("productId", words);
        }
        (_, None) if draft.refused => {
            error("refused", "Only goods of a receipt can have been refused. Choose their receipt.");
        }
        _ => {}
    }
    wrong
}

/// A new line for goods of a receipt's line.
fn of_receipt_line(
    ctx: Ctx<'_>,
    line: &ReceiptLine,
    refused: bool,
    price: Option<Money>,
) -> SupplierReturnLine {
    SupplierReturnLine {
        product_id: line.product_id.clone(),
        sku: line.sku.clone(),
        name: line.name.clone(),
        uom_id: line.uom_id.clone(),
        uom_code: line.uom_code.clone(),
        factor: line.factor,
        receipt_line_id: Some(line.id.clone()),
        refused,
        unit_price: price,
        lot: line.lot.clone(),
        ..blank(ctx.new_id())
    }
}

/// A line without a receipt, at the price of the place's price level.
fn of_product(id: String, wanted: Wanted, price_level: Option<&str>) -> SupplierReturnLine {
    SupplierReturnLine {
        unit_price: wanted.product.price(price_level, &wanted.unit.uom_id),
        product_id: wanted.product.id,
        sku: wanted.product.sku,
        name: wanted.product.name,
        uom_id: wanted.unit.uom_id,
        uom_code: wanted.uom_code,
        factor: wanted.unit.factor,
        qty: wanted.qty,
        ..blank(id)
    }
}

fn blank(id: String) -> SupplierReturnLine {
    SupplierReturnLine {
        id,
        document_id: String::new(),
        position: 0,
        product_id: String::new(),
        sku: None,
        name: String::new(),
        uom_id: String::new(),
        uom_code: String::new(),
        factor: Factor(0),
        receipt_line_id: None,
        refused: false,
        qty: Qty::ZERO,
        moved: Qty::ZERO,
        reason: String::new(),
        note: None,
        unit_price: None,
        lot: None,
    }
}

/// Writes the quantity of a line.
fn change_qty(
    at: usize,
    draft: &SupplierReturnLineDraft,
    line: &mut SupplierReturnLine,
    whole: bool,
    wrong: &mut Vec<FieldError>,
) {
    if draft.qty.is_some() || line.qty == Qty::ZERO {
        let qty = products::qty(draft.qty.as_ref()).and_then(|qty| {
            let checked = quantity::check(qty, line.factor, whole);
            checked.map(|()| qty).map_err(|error| error.message(&line.uom_code))
        });
        match qty {
            Ok(qty) => line.qty = qty,
            Err(message) => wrong.push(FieldError::new(format!("lines.{at}.qty"), message)),
        }
    }
}

/// Writes reason, note, lot and price of a line.
fn change(
    at: usize,
    draft: &SupplierReturnLineDraft,
    line: &mut SupplierReturnLine,
    wrong: &mut Vec<FieldError>,
) {
    let field = |name: &str| format!("lines.{at}.{name}");
    short(wrong, field("note"), draft.note.as_deref(), MAX_NAME, &mut line.note);
    short(wrong, field("lot"), draft.lot.as_deref(), MAX_LOT, &mut line.lot);
    if let Some(reason) = &draft.reason {
        line.reason = given(&Some(reason.clone())).unwrap_or_default();
    }
    match ReturnReason::parse(&line.reason) {
        None => wrong.push(FieldError::new(field("reason"), "Choose why it goes back.")),
        Some(ReturnReason::Other) if line.note.is_none() => {
            wrong.push(FieldError::new(field("note"), "Say what is wrong with it."));
        }
        Some(_) => {}
    }
    match draft.unit_price.as_ref().map(amount) {
        None => {}
        Some(Ok(price)) => line.unit_price = price,
        Some(Err(message)) => wrong.push(FieldError::new(field("unitPrice"), message)),
    }
}
