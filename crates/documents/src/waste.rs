//! Waste: goods a store threw away, gave away or used as staff meals, with reasons.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::document::waste::{WASTE, WasteReason, WasteState, WasteStep, needs_approval};
use larder_domain::document::{DocumentKind, Flow};
use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub mod settings;

use settings::WasteSettings;

use super::define::{Ctx, Doc, Document, Line, Nothing, Own, TakeStep};
use super::photos::{self, Photos};
use super::products::{self, LineDraft};
use super::write::{
    MAX_LOT, MAX_NAME, SentHead, date_and_notes, may_be_dated, may_post, short_text, take_back,
};
use super::{beyond, happened, orders, rules};
use crate::document_line_frame;
use crate::document_lines;
use larder_ledgers::place_stock;
use larder_ledgers::stock;
use larder_ledgers::stock::Posting;
use larder_platform::http::export::Cell;
use larder_platform::http::text::said;
use larder_platform::http::{ApiError, ApiResult, FieldError, scope};

document_lines! {
    /// A line of a waste report, in its unit.
    WasteLine in "waste_lines" {
        qty: Qty,
        #[schema(value_type = WasteReason)]
        reason: String,
        note: Option<String>,
        /// Unit price for the store.
        unit_price: Option<Money>,
        lot: Option<String>,
    }
}

impl Line for WasteLine {
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

/// Fields of a waste report's head.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WasteDetails {
    /// Pictures: ids of uploaded files.
    pub photos: Vec<String>,
    /// When it was thrown away: as given, else set when it is submitted.
    pub happened_at: Option<Timestamp>,
    /// The approval threshold when it was submitted.
    pub approval_above: Option<Money>,
    /// Number of postings to the ledger.
    pub postings: i64,
}

/// A line to save.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WasteLineDraft {
    /// The line to change; absent for a new one.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    product_id: Option<String>,
    #[serde(default)]
    uom_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    qty: Option<Value>,
    #[serde(default)]
    #[schema(value_type = Option<WasteReason>)]
    reason: Option<String>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    lot: Option<String>,
}

/// A draft of a waste report, or a partial change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WasteDraft {
    #[serde(default)]
    store_id: Option<String>,
    #[serde(default)]
    #[schema(format = Date)]
    business_date: Option<String>,
    /// When it was thrown away, if that is known; the business date is that of this time, unless given.
    #[serde(default)]
    happened_at: Option<Timestamp>,
    /// The time on the device's clock, to correct `happenedAt`.
    #[serde(default)]
    sent_at: Option<Timestamp>,
    #[serde(default)]
    notes: Option<String>,
    #[serde(default)]
    photos: Option<Vec<String>>,
    #[serde(default)]
    lines: Option<Vec<WasteLineDraft>>,
}

/// The type of waste reports.
pub struct Waste;

impl Document for Waste {
    const KIND: DocumentKind = DocumentKind::Waste;
    type State = WasteState;
    type Step = WasteStep;
    const FLOW: &'static Flow<WasteState, WasteStep> = &WASTE;
    const OPEN: &'static [WasteState] = &[WasteState::Draft];
    const CLOSE: &'static [WasteStep] = &[WasteStep::Submit, WasteStep::Approve];
    const COLUMNS: &'static [Own] =
        &[("Quantity", 11), ("Reason", 14), ("Note", 24), ("Unit price", 12), ("Lot", 14)];
    type Details = WasteDetails;
    type Line = WasteLine;
    type Shown = Nothing;
    type Draft = WasteDraft;

    fn shown(_doc: &Doc<Self>) -> Nothing {
        Nothing {}
    }

    fn amount(lines: &[WasteLine]) -> Option<Money> {
        lines.iter().try_fold(Money::ZERO, |sum, line| {
            sum.checked_add(line.unit_price.map_or(Some(Money::ZERO), |price| line.qty.times(price))?)
        })
    }

    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a WasteDraft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(write(tx, ctx, draft, doc))
    }

    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: WasteStep,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step {
                WasteStep::Submit => {
                    may_post::<Self>(tx, ctx, body, doc.head.on_date).await?;
                    submit(tx, ctx, body, doc).await
                }
                WasteStep::Approve => {
                    may_post::<Self>(tx, ctx, body, doc.head.on_date).await?;
                    post(tx, None, doc).await
                }
                WasteStep::Reverse => reverse(tx, body, doc).await,
                WasteStep::Reject | WasteStep::Reopen | WasteStep::Cancel => Ok(()),
            }
        })
    }
}

async fn write(tx: &mut Tx<'_>, ctx: Ctx<'_>, draft: &WasteDraft, doc: &mut Doc<Waste>) -> ApiResult<()> {
    let said = draft.store_id.clone().filter(|id| !id.is_empty());
    doc.head.store_id = said.or(doc.head.store_id.take());
    let Some(store_id) = doc.head.store_id.clone() else {
        return Err(ApiError::field("storeId", "Choose a store."));
    };
    // Check the scope first: reveal nothing about a store the user may not see, not even its existence.
    scope::check(Some(&store_id), &ctx.who.scope)?;
    let store = orders::find_store(tx, &store_id).await?;
    doc.head.source_type = Some(PlaceKind::Store.as_str().to_owned());
    doc.head.source_id = Some(store_id.clone());
    let (before, mut wrong) = (doc.head.on_date, Vec::new());
    if let Some(at) = draft.happened_at {
        match happened::corrected("happenedAt", at, draft.sent_at, ctx.who.at) {
            Ok(at) => {
                doc.details.happened_at = Some(at);
                doc.head.on_date = BusinessDay::of(at);
                if doc.head.on_date != before && draft.business_date.is_none() {
                    may_be_dated::<Waste>(tx, ctx, doc.head.on_date).await?;
                }
            }
            Err(error) => wrong.push(error),
        }
    }
    let dated = SentHead { date: draft.business_date.as_deref(), notes: draft.notes.as_deref() };
    date_and_notes::<Waste>(tx, ctx, dated, &mut doc.head, &mut wrong).await?;
    // Moved to another day, it happened at an unknown time of that.
    doc.details.happened_at = doc.details.happened_at.filter(|at| happened::is_on(doc.head.on_date, *at));
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    if let Some(ids) = &draft.photos {
        doc.details.photos = photos::check(tx, Photos { store_id: &store_id, ids }).await?;
    }
    match &draft.lines {
        Some(lines) => write_lines(tx, ctx, lines, store.price_level_id.as_deref(), doc).await,
        None if doc.is_new() => Err(ApiError::field("lines", "Add at least one item.")),
        None if doc.head.on_date != before => price_lines(tx, store.price_level_id.as_deref(), doc).await,
        None => Ok(()),
    }
}

/// Gives the lines the prices of the document's day.
async fn price_lines(tx: &mut Tx<'_>, price_level: Option<&str>, doc: &mut Doc<Waste>) -> ApiResult<()> {
    let ids: Vec<&str> = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
    let mut known = products::by_id(tx, &ids).await?;
    products::price_on(tx, doc.head.on_date, known.values_mut()).await?;
    for line in &mut doc.lines {
        if let Some(product) = known.get(&line.product_id) {
            line.unit_price = product.price(price_level, &line.uom_id);
        }
    }
    Ok(())
}

/// Writes the lines as sent, at the prices of the document's day. Lines of the same product stay separate, since each has its reason and lot.
async fn write_lines(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    drafts: &[WasteLineDraft],
    price_level: Option<&str>,
    doc: &mut Doc<Waste>,
) -> ApiResult<()> {
    if drafts.is_empty() {
        return Err(ApiError::field("lines", "Add at least one item."));
    }
    let plain: Vec<LineDraft> = drafts
        .iter()
        .map(|draft| LineDraft {
            id: None,
            product_id: draft.product_id.clone(),
            uom_id: draft.uom_id.clone(),
            qty: draft.qty.clone(),
            reason: None,
        })
        .collect();
    let read = products::read_each(tx, &plain).await;
    let mut wrong = Vec::new();
    for (at, draft) in drafts.iter().enumerate() {
        wrong.extend(refuse(at, draft));
    }
    let mut read = match read {
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
    products::price_on(tx, doc.head.on_date, read.iter_mut().map(|wanted| &mut wanted.product)).await?;
    let known: Vec<String> = doc.lines.iter().map(|line| line.id.clone()).collect();
    let text = |text: &Option<String>| said(text.as_deref()).map(str::to_owned);
    doc.lines = drafts
        .iter()
        .zip(read)
        .map(|(draft, wanted)| WasteLine {
            id: draft.id.clone().filter(|id| known.contains(id)).unwrap_or_else(|| ctx.new_id()),
            document_id: String::new(),
            position: 0,
            unit_price: wanted.product.price(price_level, &wanted.unit.uom_id),
            product_id: wanted.product.id,
            sku: wanted.product.sku,
            name: wanted.product.name,
            uom_id: wanted.unit.uom_id,
            uom_code: wanted.uom_code,
            factor: wanted.unit.factor,
            qty: wanted.qty,
            reason: draft.reason.clone().unwrap_or_default(),
            note: text(&draft.note),
            lot: text(&draft.lot),
        })
        .collect();
    Ok(())
}

/// Errors of a line beside its product and quantity.
fn refuse(at: usize, draft: &WasteLineDraft) -> Vec<FieldError> {
    let field = |name: &str| format!("lines.{at}.{name}");
    let mut wrong = Vec::new();
    match draft.reason.as_deref().and_then(WasteReason::parse) {
        None => wrong.push(FieldError::new(field("reason"), "Choose why it was thrown away.")),
        Some(WasteReason::Other) if said(draft.note.as_deref()).is_none() => {
            wrong.push(FieldError::new(field("note"), "Say what happened."));
        }
        Some(_) => {}
    }
    wrong.extend(short_text(field("note"), draft.note.as_deref(), MAX_NAME).err());
    wrong.extend(short_text(field("lot"), draft.lot.as_deref(), MAX_LOT).err());
    wrong
}

/// Posts it at once if its value is within the approval threshold.
async fn submit(tx: &mut Tx<'_>, ctx: Ctx<'_>, body: &TakeStep, doc: &mut Doc<Waste>) -> ApiResult<()> {
    let beyond = ask(tx, ctx, body, doc).await?;
    doc.details.happened_at = when(ctx, body, doc).await?;
    doc.details.approval_above = rules::read::<WasteSettings>(tx).await?.approval_above;
    // An overflowing value is not zero, which would need no approval.
    let worth = Waste::amount(&doc.lines).ok_or_else(|| {
        ApiError::field("lines", "This is worth more than can be stored. Check the quantities and prices.")
    })?;
    if needs_approval(worth, doc.details.approval_above) {
        return Ok(());
    }
    doc.head.state = WasteState::Posted;
    post(tx, body.reason.as_deref().filter(|_| beyond), doc).await
}

/// When it was thrown away: as given with the step or before, or now. A report of an earlier day happened at an unknown
/// time of it.
async fn when(ctx: Ctx<'_>, body: &TakeStep, doc: &Doc<Waste>) -> ApiResult<Option<Timestamp>> {
    let (day, now) = (doc.head.on_date, ctx.who.at);
    let is_today = day == BusinessDay::of(now);
    let given = happened::given(ctx, body)?.or(doc.details.happened_at);
    let moving = happened::Moving {
        store_id: doc.head.store_id.as_deref().unwrap_or_default(),
        day,
        due: if is_today { doc.head.created_at } else { happened::midnight(day) },
        entered: now,
        products: doc.lines.iter().map(|line| line.product_id.as_str()).collect(),
    };
    happened::check(ctx, given, &moving).await?;
    Ok(given.or(is_today.then_some(now)))
}

/// Asks before more is thrown away than the store is expected to have, and marks it for counting. Whether it is more.
async fn ask(tx: &mut Tx<'_>, ctx: Ctx<'_>, body: &TakeStep, doc: &Doc<Waste>) -> ApiResult<bool> {
    let place = Place { kind: PlaceKind::Store, id: doc.head.store_id.clone().unwrap_or_default() };
    let ids: BTreeSet<&str> = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
    let there = place_stock::at(tx, &ctx.state.db, &place, &ids, BusinessDay::of(ctx.who.at)).await?;
    let mut taking = Vec::with_capacity(doc.lines.len());
    for (at, line) in doc.lines.iter().enumerate() {
        taking.push(beyond::Taking {
            field: format!("lines.{at}.qty"),
            product_id: &line.product_id,
            name: &line.name,
            qty: line.qty,
            uom_code: &line.uom_code,
            base: products::base_of_line(at, "qty", line.qty, line.factor)?,
        });
    }
    let beyond = beyond::ask(&there, &taking, "Throw away", body)?;
    place_stock::mark(tx, &place.id, &doc.head.id, &there, &beyond).await?;
    Ok(!beyond.is_empty())
}

/// Takes it out of the store's stock. It has happened, so it may exceed what is expected there.
async fn post(tx: &mut Tx<'_>, reason: Option<&str>, doc: &mut Doc<Waste>) -> ApiResult<()> {
    let place = Place { kind: PlaceKind::Store, id: doc.head.store_id.clone().unwrap_or_default() };
    let mut movements = Vec::with_capacity(doc.lines.len());
    for (at, line) in doc.lines.iter().enumerate() {
        let base = products::base_of_line(at, "qty", line.qty, line.factor)?;
        if base.0 <= 0 {
            continue;
        }
        movements.push(Movement {
            item: stock::product(&line.product_id),
            place: place.clone(),
            qty: Qty(-base.0),
            unit_cost: None,
            line: line.position,
            leg: Leg::Only,
            lot: line.lot.clone(),
        });
    }
    for line in &doc.lines {
        if let Some(code) = &line.lot {
            let lot = stock::lots::Lot { code: code.clone(), expiry: None };
            stock::lots::register(tx, &line.product_id, &lot, DocumentType::Waste, &doc.head.id).await?;
        }
    }
    doc.details.postings += 1;
    let posting = Posting {
        document: document(doc, doc.details.postings),
        business_date: doc.head.on_date,
        happened_at: doc.details.happened_at,
        reason,
        movements: &movements,
    };
    stock::post(tx, &posting).await?;
    answer_recalls(tx, &place, doc).await
}

/// Thrown away as recalled, a lot that is recalled is what the store found of it.
async fn answer_recalls(tx: &mut Tx<'_>, place: &Place, doc: &Doc<Waste>) -> ApiResult<()> {
    let mut found: BTreeMap<(String, String), Qty> = BTreeMap::new();
    for (at, line) in doc.lines.iter().enumerate() {
        let recalled = WasteReason::parse(&line.reason) == Some(WasteReason::Recalled);
        let Some(lot) = line.lot.as_ref().filter(|_| recalled) else { continue };
        let base = products::base_of_line(at, "qty", line.qty, line.factor)?;
        let sum = found.entry((line.product_id.clone(), lot.clone())).or_default();
        *sum = Qty(sum.0.saturating_add(base.0));
    }
    let named: Vec<(String, String)> = found.keys().cloned().collect();
    for (product_id, lot) in stock::lots::recalled(tx, &named).await? {
        let answer = stock::recall_answers::Answer {
            found: found.get(&(product_id.clone(), lot.clone())).copied().unwrap_or_default(),
            product_id: &product_id,
            lot: &lot,
            place,
            note: None,
            document_id: Some(&doc.head.id),
        };
        stock::recall_answers::answer(tx, &answer).await?;
    }
    Ok(())
}

async fn reverse(tx: &mut Tx<'_>, body: &TakeStep, doc: &mut Doc<Waste>) -> ApiResult<()> {
    let posted = doc.details.postings;
    doc.details.postings += 1;
    let reversed = take_back(tx, (document(doc, posted), document(doc, posted + 1)), body).await?;
    doc.answer.reversed = Some(reversed);
    stock::recall_answers::withdraw(tx, &doc.head.id).await?;
    Ok(())
}

fn document(doc: &Doc<Waste>, posting: i64) -> stock::Document<'_> {
    stock::Document { kind: DocumentType::Waste, id: &doc.head.id, posting }
}
