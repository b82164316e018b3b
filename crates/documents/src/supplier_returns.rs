//! Supplier returns: goods that a store or a kitchen sends back to a supplier, with or without their receipt, and the
//! supplier's settlement.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::document::order::MUCH_MORE;
use larder_domain::document::receipt::ReceiptState;
use larder_domain::document::supplier_return::{
    RETURN, ReturnReason, ReturnSettlement, ReturnState, ReturnStep, claimed, unit_cost,
};
use larder_domain::document::{DocumentKind, Flow, quantity};
use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Factor, Money, Qty, StoreScope, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::define::{Ctx, Doc, Document, Head, Line, Nothing, Own, TakeStep};
use super::overrides::{Failed, LineCheck, LineOverride};
use super::receipts::{Receipt, ReceiptLine};
use super::write::{may_override, may_post, overridden, take_back};
use super::{beyond, happened, overrides, products, store};
use crate::document_line_frame;
use crate::document_lines;
use larder_ledgers::place_stock::{self, AtPlace};
use larder_ledgers::stock;
use larder_ledgers::stock::{Posting, lots};
use larder_platform::http::export::Cell;
use larder_platform::http::{ApiError, ApiResult, FieldError};

mod draft;

pub use draft::{SupplierReturnDraft, SupplierReturnLineDraft};

document_lines! {
    /// An item of a supplier return.
    SupplierReturnLine in "supplier_return_lines" {
        /// Line of the receipt that the goods came with.
        receipt_line_id: Option<String>,
        /// Whether the receipt refused it. Refused goods were never in stock, so returning them posts no movement.
        refused: bool,
        qty: Qty,
        /// Base units taken out of stock when it was sent.
        moved: Qty,
        #[schema(value_type = ReturnReason)]
        reason: String,
        note: Option<String>,
        /// Price of a unit, for the credit.
        unit_price: Option<Money>,
        lot: Option<String>,
    }
}

impl Line for SupplierReturnLine {
    type Shown = Nothing;

    document_line_frame!();

    fn named_lot(&mut self) -> Option<(&str, &mut String)> {
        Some((&self.product_id, self.lot.as_mut()?))
    }

    fn shown(&self) -> Nothing {
        Nothing {}
    }

    fn told(&self) -> String {
        let mut told = format!("{} {}, {}", self.qty, self.uom_code, self.reason);
        if let Some(lot) = &self.lot {
            told.push_str(&format!(", lot {lot}"));
        }
        told
    }

    fn cells(&self) -> Vec<Cell> {
        let text = |text: &Option<String>| text.clone().map_or(Cell::Empty, Cell::Text);
        vec![
            Cell::Qty(self.qty),
            Cell::Text(self.reason.clone()),
            text(&self.note),
            self.unit_price.map_or(Cell::Empty, Cell::Money),
            text(&self.lot),
        ]
    }
}

/// Fields of a supplier return's head.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SupplierReturnDetails {
    /// The kind of place that returns the goods.
    pub place_kind: Option<PlaceKind>,
    pub place_id: Option<String>,
    /// The receipt that the goods came with.
    pub receipt_id: Option<String>,
    pub sent_at: Option<Timestamp>,
    /// The supplier's settlement.
    pub settlement: Option<ReturnSettlement>,
    /// In pesos.
    pub credited_amount: Option<Money>,
    pub credit_memo_no: Option<String>,
    pub settlement_note: Option<String>,
    /// Checks of lines that were overridden when it was sent.
    pub overrides: Vec<LineOverride>,
    /// Number of postings to the ledger.
    pub postings: i64,
}

/// The type.
pub struct SupplierReturn;

impl Document for SupplierReturn {
    const KIND: DocumentKind = DocumentKind::SupplierReturn;
    type State = ReturnState;
    type Step = ReturnStep;
    const FLOW: &'static Flow<ReturnState, ReturnStep> = &RETURN;
    /// The settlement is entered while it is sent.
    const OPEN: &'static [ReturnState] = &[ReturnState::Draft, ReturnState::Sent];
    const CLOSE: &'static [ReturnStep] = &[ReturnStep::Send];
    const COLUMNS: &'static [Own] =
        &[("Quantity", 11), ("Reason", 14), ("Note", 24), ("Unit price", 12), ("Lot", 14)];
    const HEAD_COLUMNS: &'static [Own] =
        &[("Sent at", 18), ("Settlement", 12), ("Credited", 12), ("Credit memo", 16)];
    type Details = SupplierReturnDetails;
    type Line = SupplierReturnLine;
    type Shown = Nothing;
    type Draft = SupplierReturnDraft;

    fn shown(_doc: &Doc<Self>) -> Nothing {
        Nothing {}
    }

    fn amount(lines: &[SupplierReturnLine]) -> Option<Money> {
        lines.iter().try_fold(Money::ZERO, |sum, line| {
            sum.checked_add(line.unit_price.map_or(Some(Money::ZERO), |price| line.qty.times(price))?)
        })
    }

    fn head_cells(_head: &Head<ReturnState>, details: &SupplierReturnDetails) -> Vec<Cell> {
        let settlement = details.settlement.map(|settlement| settlement.as_str().to_owned());
        vec![
            details.sent_at.map_or(Cell::Empty, Cell::Time),
            settlement.map_or(Cell::Empty, Cell::Text),
            details.credited_amount.map_or(Cell::Empty, Cell::Money),
            details.credit_memo_no.clone().map_or(Cell::Empty, Cell::Text),
        ]
    }

    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a SupplierReturnDraft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(draft::write(tx, ctx, draft, doc))
    }

    fn written<'a>(tx: &'a mut Tx<'_>, doc: &'a Doc<Self>) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            let origins: Vec<String> = doc.details.receipt_id.iter().cloned().collect();
            store::link(tx, &doc.head.id, &origins).await?;
            keep_place(tx, doc).await
        })
    }

    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: ReturnStep,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step {
                ReturnStep::Send => send(tx, ctx, body, doc).await,
                ReturnStep::Settle => settle(doc),
                ReturnStep::Reverse => reverse(tx, body, doc).await,
                ReturnStep::Cancel => Ok(()),
            }
        })
    }
}

/// Records the place as a use of it, so that a kitchen with returns is not deleted.
async fn keep_place(tx: &mut Tx<'_>, doc: &Doc<SupplierReturn>) -> ApiResult<()> {
    let Some(place) = place(doc) else { return Ok(()) };
    tx.sql("insert into supplier_return_places (document_id, place_kind, place_id) values ($1, $2, $3) on conflict (document_id) do update set place_kind = excluded.place_kind, place_id = excluded.place_id")
        .bind(&doc.head.id)
        .bind(place.kind.as_str())
        .bind(&place.id)
        .execute()
        .await?;
    Ok(())
}

/// Checks that the settlement is complete and plausible.
fn settle(doc: &Doc<SupplierReturn>) -> ApiResult<()> {
    let details = &doc.details;
    let mut wrong = Vec::new();
    match details.settlement {
        None => wrong.push(FieldError::new("settlement", "Say how the supplier settled it.")),
        Some(ReturnSettlement::Replaced) => {}
        Some(ReturnSettlement::Credited) => {
            if details.credited_amount.is_none_or(|amount| amount.0 <= 0) {
                wrong.push(FieldError::new("creditedAmount", "Enter the amount credited."));
            }
            let worth = SupplierReturn::amount(&doc.lines).filter(|worth| worth.0 > 0);
            if let (Some(worth), Some(credited)) = (worth, details.credited_amount)
                && credited.0 > worth.0.saturating_mul(MUCH_MORE)
            {
                let words = format!(
                    "This is more than {MUCH_MORE} times what the goods are worth. Check the amount."
                );
                wrong.push(FieldError::new("creditedAmount", words));
            }
            if details.credit_memo_no.is_none() {
                wrong.push(FieldError::new("creditMemoNo", "Enter the number of the credit memo."));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// Reverses its movements.
async fn reverse(tx: &mut Tx<'_>, body: &TakeStep, doc: &mut Doc<SupplierReturn>) -> ApiResult<()> {
    let posted = doc.details.postings;
    // Refused goods were never in stock.
    if posted == 0 {
        return Ok(());
    }
    doc.details.postings += 1;
    let reversed = take_back(tx, (document(doc, posted), document(doc, posted + 1)), body).await?;
    doc.answer.reversed = Some(reversed);
    Ok(())
}

fn document(doc: &Doc<SupplierReturn>, posting: i64) -> stock::Document<'_> {
    stock::Document { kind: DocumentType::SupplierReturn, id: &doc.head.id, posting }
}

/// Where the goods are.
fn place(doc: &Doc<SupplierReturn>) -> Option<Place> {
    Some(Place { kind: doc.details.place_kind?, id: doc.details.place_id.clone()? })
}

/// The receipt must be posted: neither a draft nor taken back.
fn refuse_open(receipt: &Head<ReceiptState>) -> ApiResult<()> {
    match receipt.state {
        ReceiptState::Posted | ReceiptState::Reconciled => Ok(()),
        ReceiptState::Draft | ReceiptState::Reversed | ReceiptState::Cancelled => {
            let label = Receipt::FLOW.label(receipt.state);
            let words = format!("Receipt {} is {label}; nothing of it goes back.", receipt.number);
            Err(ApiError::conflict("wrongStep", words).with("state", receipt.state.as_str().into()))
        }
    }
}

/// Refuses to send goods back before their receipt.
fn refuse_before(day: BusinessDay, receipt: &Head<ReceiptState>) -> Option<FieldError> {
    (day < receipt.on_date).then(|| {
        let words =
            format!("These goods came on {}; they cannot go back earlier.", receipt.on_date.display());
        FieldError::new("returnDate", words)
    })
}

/// What returns sent of a receipt's line: quantity in its unit, and base units taken out of stock.
#[derive(Debug, Clone, Copy, Default)]
struct Sent {
    qty: Qty,
    moved: Qty,
}

impl Sent {
    fn add(&mut self, line: &SupplierReturnLine) {
        self.qty = Qty(self.qty.0.saturating_add(line.qty.0));
        self.moved = Qty(self.moved.0.saturating_add(line.moved.0));
    }
}

/// What other returns have of a receipt's lines, by line and whether refused; `drafts` includes drafts.
async fn of_others(
    tx: &mut Tx<'_>,
    doc: &Doc<SupplierReturn>,
    receipt_id: &str,
    drafts: bool,
) -> ApiResult<HashMap<(String, bool), Sent>> {
    let mut sums: HashMap<(String, bool), Sent> = HashMap::new();
    for (id, state) in store::linked::<SupplierReturn>(tx, receipt_id).await? {
        let counts = match state {
            ReturnState::Draft => drafts,
            ReturnState::Sent | ReturnState::Settled => true,
            ReturnState::Reversed | ReturnState::Cancelled => false,
        };
        if !counts || id == doc.head.id {
            continue;
        }
        for line in store::lines_in::<SupplierReturnLine>(tx, &id).await? {
            if let Some(of) = line.receipt_line_id.clone() {
                sums.entry((of, line.refused)).or_default().add(&line);
            }
        }
    }
    Ok(sums)
}

/// Posts the goods out of the place's stock.
async fn send(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<SupplierReturn>,
) -> ApiResult<()> {
    if doc.lines.is_empty() {
        return Err(ApiError::field("lines", "Add at least one item."));
    }
    if SupplierReturn::amount(&doc.lines).is_none() {
        let words = "This is worth more than can be stored. Check the quantities and prices.";
        return Err(ApiError::field("lines", words));
    }
    refuse_split(tx, &doc.lines).await?;
    weigh(tx, doc).await?;
    let insists = may_override::<SupplierReturn>(ctx, body)?;
    let place =
        place(doc).ok_or_else(|| ApiError::internal(anyhow::anyhow!("a supplier return without a place")))?;
    let movements = movements(&doc.lines, &place);
    let ids: BTreeSet<&str> = movements.iter().map(|movement| movement.item.id.as_str()).collect();
    let there = place_stock::at(tx, &ctx.state.db, &place, &ids, BusinessDay::of(ctx.who.at)).await?;
    let mut failed = missing(&doc.lines, &there);
    if place.kind != PlaceKind::Store && (insists || failed.is_empty()) {
        failed.extend(other_lots(tx, &doc.lines, &place).await?);
    }
    let words = overrides::ask_why(!failed.is_empty(), false);
    let overridden = overridden::<SupplierReturn>(ctx, body, words)?;
    doc.details.overrides.clear();
    let reason = overrides::reason_of(overridden, body.reason.as_deref());
    overrides::check(LineCheck::NotEnough, failed, reason, &mut doc.details.overrides)?;
    let beyond = beyond::ask(&there, &taking(&doc.lines), "Send back", body)?;
    if place.kind == PlaceKind::Store {
        ask_for_lots(ctx, body, &doc.lines, &place).await?;
    }
    let happened_at = when(ctx, body, doc, &place).await?;
    doc.details.sent_at = Some(ctx.who.at);
    if !movements.is_empty() {
        doc.details.postings += 1;
        let posting = Posting {
            document: document(doc, doc.details.postings),
            business_date: doc.head.on_date,
            happened_at,
            reason: body.reason.as_deref().filter(|_| overridden || !beyond.is_empty()),
            movements: &movements,
        };
        stock::post(tx, &posting).await?;
        place_stock::mark(tx, &place.id, &doc.head.id, &there, &beyond).await?;
    }
    // After other overridable checks: a reason for the date must not silently allow them.
    may_post::<SupplierReturn>(tx, ctx, body, doc.head.on_date).await
}

/// When the goods left a store, if that was given.
async fn when(
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &Doc<SupplierReturn>,
    place: &Place,
) -> ApiResult<Option<Timestamp>> {
    if place.kind != PlaceKind::Store {
        return Ok(None);
    }
    let (day, now) = (doc.head.on_date, ctx.who.at);
    let given = happened::given(ctx, body)?;
    let leaving = doc.lines.iter().filter(|line| !line.refused && line.moved.0 > 0);
    let moving = happened::Moving {
        store_id: &place.id,
        day,
        due: if day == BusinessDay::of(now) { doc.head.created_at } else { happened::midnight(day) },
        entered: now,
        products: leaving.map(|line| line.product_id.as_str()).collect(),
    };
    happened::check(ctx, given, &moving).await?;
    Ok(given)
}

/// Units that come whole go back whole, even if the receipt accepted part of one.
async fn refuse_split(tx: &mut Tx<'_>, lines: &[SupplierReturnLine]) -> ApiResult<()> {
    let ids: Vec<&str> = lines.iter().map(|line| line.product_id.as_str()).collect();
    let known = products::by_id(tx, &ids).await?;
    let wrong = lines.iter().enumerate().filter_map(|(at, line)| {
        let whole = products::comes_whole(&known, &line.product_id, &line.uom_id);
        let error = quantity::check(line.qty, line.factor, whole).err()?;
        Some(FieldError::new(format!("lines.{at}.qty"), error.message(&line.uom_code)))
    });
    let wrong: Vec<FieldError> = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// Sets the base units that each line takes out of stock, and checks that together with other sent returns no more goes
/// back than the receipt accepted or refused. Parts of a receipt's line add up exactly to what it brought into stock.
async fn weigh(tx: &mut Tx<'_>, doc: &mut Doc<SupplierReturn>) -> ApiResult<()> {
    let Some(id) = doc.details.receipt_id.clone() else {
        for (at, line) in doc.lines.iter_mut().enumerate() {
            line.moved = products::base_of_line(at, "qty", line.qty, line.factor)?;
        }
        return Ok(());
    };
    let Some(receipt) = store::hold::<Receipt>(tx, std::slice::from_ref(&id)).await?.pop() else {
        return Err(ApiError::not_found("receipt"));
    };
    refuse_open(&receipt.head)?;
    let mut sums = of_others(tx, doc, &id, false).await?;
    let mut wrong: Vec<FieldError> = refuse_before(doc.head.on_date, &receipt.head).into_iter().collect();
    for (at, line) in doc.lines.iter_mut().enumerate() {
        let came = receipt.lines.iter().find(|came| Some(&came.id) == line.receipt_line_id.as_ref());
        let Some(came) = came else {
            let words = format!("{} has no such item.", receipt.head.number);
            wrong.push(FieldError::new(format!("lines.{at}.productId"), words));
            continue;
        };
        let most = if line.refused { claimed(came.figures()) } else { came.accepted };
        let sent = sums.entry((came.id.clone(), line.refused)).or_default();
        let rest = Qty((most.0 - sent.qty.0).max(0));
        if line.qty > rest {
            let did = if line.refused { "refused" } else { "took in" };
            let words = format!(
                "Only {rest} {} of what {} {did} can still be sent back.",
                line.uom_code, receipt.head.number
            );
            wrong.push(FieldError::new(format!("lines.{at}.qty"), words));
            continue;
        }
        line.moved = Qty::ZERO;
        if !line.refused {
            let after = Qty(sent.qty.0 + line.qty.0);
            let base = products::base_of_line(at, "qty", after, came.factor)?;
            line.moved = Qty((base.0 - sent.moved.0).max(0));
        }
        sent.add(line);
    }
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

fn movements(lines: &[SupplierReturnLine], place: &Place) -> Vec<Movement> {
    let leaving = lines.iter().filter(|line| !line.refused && line.moved.0 > 0);
    let movement = |line: &SupplierReturnLine| Movement {
        item: stock::product(&line.product_id),
        place: place.clone(),
        qty: Qty(-line.moved.0),
        unit_cost: line.unit_price.and_then(|price| unit_cost(price, line.factor)),
        line: line.position,
        leg: Leg::Only,
        lot: line.lot.clone(),
    };
    leaving.map(movement).collect()
}

fn taking(lines: &[SupplierReturnLine]) -> Vec<beyond::Taking<'_>> {
    let sent = lines.iter().enumerate().filter(|(_, line)| !line.refused && line.moved.0 > 0);
    sent.map(|(at, line)| beyond::Taking {
        field: format!("lines.{at}.qty"),
        product_id: &line.product_id,
        name: &line.name,
        qty: line.qty,
        uom_code: &line.uom_code,
        base: line.moved,
    })
    .collect()
}

/// A balance must cover the return: the lines that it does not.
fn missing(lines: &[SupplierReturnLine], there: &BTreeMap<String, AtPlace>) -> Vec<Failed> {
    let mut left: BTreeMap<&str, Qty> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.refused) {
        let Some(AtPlace::Balance(balance)) = there.get(&line.product_id) else { continue };
        let rest = left.entry(&line.product_id).or_insert(*balance);
        if line.moved > *rest {
            let words = format!("Only {} {} on hand.", quantity::in_units(*rest, line.factor), line.uom_code);
            wrong.push((line.id.clone(), FieldError::new(format!("lines.{at}.qty"), words)));
        }
        *rest = Qty(rest.0.saturating_sub(line.moved.0));
    }
    wrong
}

/// Asks before more of a lot leaves a store than can be there.
async fn ask_for_lots(
    ctx: Ctx<'_>,
    body: &TakeStep,
    lines: &[SupplierReturnLine],
    place: &Place,
) -> ApiResult<()> {
    let named = || lines.iter().enumerate().filter(|(_, line)| !line.refused && line.moved.0 > 0);
    let spot =
        |line: &SupplierReturnLine| Some(((line.product_id.clone(), line.lot.clone()?), place.clone()));
    let spots = named().filter_map(|(_, line)| spot(line)).collect();
    let found = place_stock::lots_of_spots(&ctx.state.db, &spots, BusinessDay::of(ctx.who.at)).await?;
    let mut left: HashMap<(String, String), Qty> =
        found.into_iter().map(|lot| ((lot.product_id, lot.lot), lot.at_most)).collect();
    let mut beyond = Vec::new();
    for (at, line) in named() {
        let Some(lot) = line.lot.clone() else { continue };
        let rest = left.entry((line.product_id.clone(), lot.clone())).or_default();
        if line.moved > *rest {
            let (most, unit) = (quantity::in_units(*rest, line.factor), &line.uom_code);
            let words = format!(
                "Larder expects at most {most} {unit} of lot {lot} here. Send back {} {unit} anyway?",
                line.qty
            );
            let line = beyond::Beyond {
                field: format!("lines.{at}.lot"),
                name: line.name.clone(),
                asked: line.qty,
                asked_unit: unit.clone(),
                expected: most,
                unit: Some(unit.clone()),
                lot: Some(lot),
            };
            beyond.push((line, words));
        }
        *rest = Qty(rest.0.saturating_sub(line.moved.0));
    }
    beyond::answered(body, beyond)
}

/// The place must have the lots, expired and recalled ones included: the lines of lots that it does not have. Its balances
/// are locked.
async fn other_lots(tx: &mut Tx<'_>, lines: &[SupplierReturnLine], place: &Place) -> ApiResult<Vec<Failed>> {
    let mut left: BTreeMap<(&str, &str), Qty> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.refused) {
        let Some(lot) = line.lot.as_deref() else { continue };
        let key = (line.product_id.as_str(), lot);
        let rest = match left.get(&key) {
            Some(rest) => *rest,
            None => lots::at(tx, place, key.0, key.1).await?,
        };
        if line.moved > rest {
            let words = format!(
                "Only {} {} of lot {lot} on hand.",
                quantity::in_units(rest, line.factor),
                line.uom_code
            );
            wrong.push((line.id.clone(), FieldError::new(format!("lines.{at}.lot"), words)));
        }
        left.insert(key, Qty(rest.0.saturating_sub(line.moved.0)));
    }
    Ok(wrong)
}
