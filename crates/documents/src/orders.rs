//! Store orders to a commissary, a warehouse or a supplier.

use std::collections::HashMap;

use futures::future::BoxFuture;
use larder_db::{Json, Tx};
use larder_domain::document::order::{self, FLOW, OrderState, OrderStep};
use larder_domain::document::standing::{Figures, Standing};
use larder_domain::document::{DocumentKind, Flow, kind};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::define::{Ctx, Doc, Document, Head, Line, Nothing, Own, Seen, TakeStep};
use super::products::{self, LineDraft, Product, Wanted};
use super::write::note;
use super::{store, write};
use crate::document_line_frame;
use crate::document_lines;
use larder_ledgers::delivery_calendar;
use larder_ledgers::delivery_calendar::Source;
use larder_ledgers::stock;
use larder_platform::http::export::Cell;
use larder_platform::http::question::date;
use larder_platform::http::{ApiError, ApiResult, FieldError};

mod answer;
pub mod coming;
mod grant;
pub mod kitchen;
mod planned;
pub mod short;
pub mod suggestion;

pub use grant::{Grant, changed_since, grant};
pub use larder_ledgers::plans::Why;
pub use planned::{Planned, PlannedLine, PlannedOrder, order_planned};

use answer::{approve, close_short, refuse_while_delivered};
use suggestion::Situation;

/// How a scarce product was allocated to a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OrderShare)]
pub struct Share {
    pub method: ShareMethod,
    /// Total available, in base units.
    pub available: Qty,
    /// Total wanted, in base units.
    pub wanted: Qty,
    /// Days everyone's stock then lasts, in tenths; only for equal cover.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub days: Option<Qty>,
    /// The most to be dispatched until it is shared again, in the line's unit. The rest stays short.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub up_to: Option<Qty>,
}

/// Method of allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ShareMethod {
    /// In proportion to the ordered quantities.
    #[default]
    Proportional,
    /// So that everyone's stock lasts equally long.
    EqualCover,
    /// Set by a user.
    ByHand,
}

document_lines! {
    /// A line of a store order; quantities are in its unit.
    OrderLine in "order_lines" {
        /// What was suggested when it was ordered.
        qty_suggested: Option<Qty>,
        qty_ordered: Qty,
        /// The quantity granted; null until answered.
        qty_approved: Option<Qty>,
        qty_dispatched: Qty,
        /// Of that, no longer in transit.
        qty_arrived: Qty,
        /// Accepted by the store.
        qty_received: Qty,
        /// Closed without being sent.
        qty_short_closed: Qty,
        /// Unit price for the store.
        unit_price: Option<Money>,
        /// Why the granted quantity differs.
        reason: Option<String>,
        /// The figures behind the suggestion.
        #[schema(value_type = Vec<Why>)]
        why: Json<Vec<Why>>,
        /// The receipt line that requests this to be sent again.
        backorder_of: Option<String>,
        /// The allocation, if there was too little.
        #[schema(value_type = Option<Share>)]
        share: Option<Json<Share>>,
        /// The plan behind the suggestion.
        plan_run_id: Option<String>,
    }
}

impl OrderLine {
    /// Its figures, for the rules.
    #[must_use]
    pub fn figures(&self) -> order::Line {
        order::Line {
            approved: self.qty_approved.unwrap_or_default(),
            dispatched: self.qty_dispatched,
            arrived: self.qty_arrived,
            short_closed: self.qty_short_closed,
        }
    }

    /// Where it stands, in its unit.
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing::of(&Figures {
            ordered: self.qty_ordered,
            approved: self.qty_approved,
            dispatched: self.qty_dispatched,
            short_closed: self.qty_short_closed,
            shared_up_to: self.share.as_ref().and_then(|share| share.0.up_to),
        })
    }

    /// A new line for a wanted product.
    #[must_use]
    pub fn of(id: String, wanted: &Wanted, price_level: Option<&str>) -> Self {
        Self {
            id,
            document_id: String::new(),
            position: 0,
            product_id: wanted.product.id.clone(),
            sku: wanted.product.sku.clone(),
            name: wanted.product.name.clone(),
            uom_id: wanted.unit.uom_id.clone(),
            uom_code: wanted.uom_code.clone(),
            factor: wanted.unit.factor,
            qty_suggested: None,
            qty_ordered: wanted.qty,
            qty_approved: None,
            qty_dispatched: Qty::ZERO,
            qty_arrived: Qty::ZERO,
            qty_received: Qty::ZERO,
            qty_short_closed: Qty::ZERO,
            unit_price: wanted.product.price(price_level, &wanted.unit.uom_id),
            reason: None,
            why: Json(Vec::new()),
            backorder_of: None,
            share: None,
            plan_run_id: None,
        }
    }
}

impl Line for OrderLine {
    type Shown = Nothing;

    document_line_frame!();

    fn shown(&self) -> Nothing {
        Nothing {}
    }

    fn told(&self) -> String {
        let mut told = format!("{} {}", self.qty_ordered, self.uom_code);
        if let Some(approved) = self.qty_approved {
            told.push_str(&format!(", approved {approved}"));
        }
        for (figure, word) in [
            (self.qty_dispatched, "dispatched"),
            (self.qty_received, "received"),
            (self.qty_short_closed, "closed short"),
        ] {
            if !figure.is_zero() {
                told.push_str(&format!(", {word} {figure}"));
            }
        }
        told
    }

    fn cells(&self) -> Vec<Cell> {
        let maybe = |qty: Option<Qty>| qty.map_or(Cell::Empty, Cell::Qty);
        vec![
            maybe(self.qty_suggested),
            Cell::Qty(self.qty_ordered),
            maybe(self.qty_approved),
            Cell::Qty(self.qty_dispatched),
            Cell::Qty(self.qty_received),
            Cell::Qty(self.qty_short_closed),
            self.unit_price.map_or(Cell::Empty, Cell::Money),
            self.reason.clone().map_or(Cell::Empty, Cell::Text),
            Cell::Factor(self.factor),
        ]
    }
}

/// Fields of an order's head.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OrderDetails {
    /// The day it was made.
    pub order_date: Option<BusinessDay>,
    /// Submission deadline; absent if there is none.
    pub cutoff_at: Option<Timestamp>,
    /// The plan run it was created from.
    pub plan_run_id: Option<String>,
    pub submitted_at: Option<Timestamp>,
    pub approved_at: Option<Timestamp>,
    pub reject_reason: Option<String>,
    /// Why it is asked for after its cut-off. Such an order is urgent: approving it needs the override right.
    pub urgent_reason: Option<String>,
}

/// A draft of an order, or a partial change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = StoreOrderDraft)]
pub struct OrderDraft {
    #[serde(default)]
    store_id: Option<String>,
    /// `commissary`, `warehouse` or `supplier`.
    #[serde(default)]
    source_type: Option<String>,
    #[serde(default)]
    source_id: Option<String>,
    #[serde(default)]
    #[schema(format = Date)]
    needed_date: Option<String>,
    #[serde(default)]
    notes: Option<String>,
    /// Asks for it after the cut-off, with the reason. Dropped while the day can be ordered for.
    #[serde(default)]
    urgent_reason: Option<String>,
    #[serde(default)]
    lines: Option<Vec<LineDraft>>,
    /// Suggestions by product and unit; computed before the transaction, since it takes a while.
    #[serde(skip)]
    advice: HashMap<(String, String), Advised>,
    /// The plan it is created from.
    #[serde(skip)]
    plan_run_id: Option<String>,
}

/// Suggestion for a line.
#[derive(Debug, Clone, Default)]
struct Advised {
    suggested: Option<Qty>,
    why: Vec<Why>,
    plan_run_id: Option<String>,
}

/// Derived members of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderShown {
    /// Whether an ordered quantity differs from its suggestion.
    differs_from_suggestion: bool,
}

/// The type of store orders.
pub struct StoreOrder;

/// The page of store orders.
pub const PAGE: &str = kind::ORDERS_PAGE;

impl Document for StoreOrder {
    const KIND: DocumentKind = DocumentKind::StoreOrder;
    type State = OrderState;
    type Step = OrderStep;
    const FLOW: &'static Flow<OrderState, OrderStep> = &FLOW;
    const OPEN: &'static [OrderState] = &[OrderState::Draft];
    const COLUMNS: &'static [Own] = &[
        ("Suggested", 11),
        ("Ordered", 11),
        ("Approved", 11),
        ("Dispatched", 11),
        ("Received", 11),
        ("Closed short", 12),
        ("Unit price", 12),
        ("Reason", 24),
        ("Base units in one", 14),
    ];
    const SIGNED: &'static [(&'static str, OrderStep, &'static str)] =
        &[("submittedBy", OrderStep::Submit, "Submitted"), ("approvedBy", OrderStep::Approve, "Approved")];
    type Details = OrderDetails;
    type Line = OrderLine;
    type Shown = OrderShown;
    type Draft = OrderDraft;

    fn amount(lines: &[OrderLine]) -> Option<Money> {
        lines.iter().try_fold(Money::ZERO, |sum, line| {
            let qty = line.qty_approved.unwrap_or(line.qty_ordered);
            sum.checked_add(line.unit_price.map_or(Some(Money::ZERO), |price| qty.times(price))?)
        })
    }

    fn prepare<'a>(
        ctx: Ctx<'a>,
        seen: Option<Seen<'a>>,
        draft: OrderDraft,
    ) -> BoxFuture<'a, ApiResult<OrderDraft>> {
        Box::pin(advise(ctx, seen, draft))
    }

    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a OrderDraft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(write_order(tx, ctx, draft, doc))
    }

    fn before_step<'a>(
        tx: &'a mut Tx<'_>,
        head: &'a Head<OrderState>,
        to: OrderState,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match to {
                OrderState::Draft => refuse_second_draft(tx, head).await,
                _ => Ok(()),
            }
        })
    }

    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: OrderStep,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step {
                OrderStep::Submit => submit(tx, ctx, doc).await,
                OrderStep::Approve => approve(tx, ctx, body, doc).await,
                OrderStep::Reject => {
                    doc.details.reject_reason = body.reason.clone();
                    Ok(())
                }
                OrderStep::Withdraw => withdraw(ctx, doc),
                OrderStep::Reopen => Ok(()),
                OrderStep::CloseShort => close_short(tx, doc).await,
                OrderStep::Cancel => refuse_while_delivered(tx, doc).await,
            }
        })
    }

    fn shown(doc: &Doc<Self>) -> OrderShown {
        let differs =
            |line: &OrderLine| line.qty_suggested.is_some_and(|suggested| suggested != line.qty_ordered);
        OrderShown { differs_from_suggestion: doc.lines.iter().any(differs) }
    }
}

/// Source types of an order, and their tables.
const SOURCES: &[(&str, &str)] =
    &[("commissary", "commissaries"), ("warehouse", "warehouses"), ("supplier", "suppliers")];

/// The source of an order, if it keeps stock.
#[must_use]
pub fn source_place(source_type: Option<&str>, source_id: Option<&str>) -> Option<Place> {
    let kind = PlaceKind::parse(source_type?)?;
    matches!(kind, PlaceKind::Commissary | PlaceKind::Warehouse | PlaceKind::ColdStorage)
        .then(|| Place { kind, id: source_id.unwrap_or_default().to_owned() })
}

/// Computes suggestions for the lines of a draft.
async fn advise(ctx: Ctx<'_>, seen: Option<Seen<'_>>, mut draft: OrderDraft) -> ApiResult<OrderDraft> {
    let Some(lines) = &draft.lines else { return Ok(draft) };
    let db = &ctx.state.db;
    // Refuse first: reading all orderable products is expensive.
    let kept = match seen {
        Some(seen) => write::may_change::<StoreOrder>(ctx, seen).await?.store_id,
        None => None,
    };
    let store = draft.store_id.clone().filter(|id| !id.is_empty()).or(kept);
    let id = seen.map(|seen| seen.id);
    let Some(store) = store.filter(|store| ctx.who.scope.contains(store)) else { return Ok(draft) };
    let products = products::orderable(db).await?;
    let now = ctx.who.at;
    let situation = Situation::read(db, &store, (BusinessDay::of(now), now), &products, id).await?;
    let by_id: HashMap<&str, &Product> =
        products.iter().map(|product| (product.id.as_str(), product)).collect();
    let mut advice = HashMap::new();
    for line in lines {
        let Some(product) = line.product_id.as_deref().and_then(|id| by_id.get(id)) else { continue };
        let unit = line.uom_id.as_deref().map_or_else(|| product.usual_unit(), |id| product.unit(id));
        let Some(unit) = unit else { continue };
        let advised = situation.advise(product, &unit).map(|advice| Advised {
            suggested: advice.suggested,
            why: advice.why,
            plan_run_id: advice.plan_run_id,
        });
        advice.insert((product.id.clone(), unit.uom_id), advised.unwrap_or_default());
    }
    draft.advice = advice;
    Ok(draft)
}

async fn write_order(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &OrderDraft,
    doc: &mut Doc<StoreOrder>,
) -> ApiResult<()> {
    let mut wrong = Vec::new();
    let new = doc.is_new();
    if let Some(store) = draft.store_id.as_deref().filter(|id| !id.is_empty()) {
        doc.head.store_id = Some(store.to_owned());
    }
    if doc.head.store_id.is_none() {
        wrong.push(FieldError::new("storeId", "Choose a store."));
    }
    for (said, kept) in
        [(&draft.source_type, &mut doc.head.source_type), (&draft.source_id, &mut doc.head.source_id)]
    {
        if let Some(text) = said.as_ref().filter(|text| !text.is_empty()) {
            *kept = Some(text.clone());
        }
    }
    if doc.head.source_type.is_none() && doc.head.source_id.is_none() && new {
        // Most groups have one kitchen.
        if let Some((place, _)) = stock::default_commissary(tx).await? {
            doc.head.source_type = Some(place.kind.as_str().to_owned());
            doc.head.source_id = Some(place.id);
        }
    }
    match date("neededDate", draft.needed_date.as_deref()) {
        Ok(Some(day)) => doc.head.on_date = day,
        Ok(None) if new => wrong.push(FieldError::new("neededDate", "Choose the day you need it.")),
        Ok(None) => {}
        Err(error) => wrong.push(error),
    }
    note(&mut wrong, "notes", draft.notes.as_deref(), &mut doc.head.notes);
    note(&mut wrong, "urgentReason", draft.urgent_reason.as_deref(), &mut doc.details.urgent_reason);
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    doc.details.order_date.get_or_insert(BusinessDay::of(ctx.who.at));
    if draft.plan_run_id.is_some() {
        doc.details.plan_run_id.clone_from(&draft.plan_run_id);
    }
    // Check the scope first: reveal nothing about a store the user may not see, not even its existence.
    larder_platform::http::scope::check(doc.head.store_id.as_deref(), &ctx.who.scope)?;
    let store = find_store(tx, doc.head.store_id.as_deref().unwrap_or_default()).await?;
    find_source(tx, &doc.head).await?;
    let asks = draft.urgent_reason.is_some() && doc.details.urgent_reason.is_some();
    if new || asks || draft.needed_date.is_some() || draft.source_id.is_some() || draft.store_id.is_some() {
        meet_deadline(tx, doc).await?;
        refuse_second_draft(tx, &doc.head).await?;
    }
    if let Some(drafts) = &draft.lines {
        let wanted = products::read_ordered(tx, drafts).await?;
        let lines = lines_of(ctx, doc, &wanted, store.price_level_id.as_deref());
        let before = std::mem::replace(&mut doc.lines, lines);
        for line in &mut doc.lines {
            let advised = draft.advice.get(&(line.product_id.clone(), line.uom_id.clone()));
            suggest(line, &before, advised);
        }
    }
    Ok(())
}

/// Writes the suggestion into a line. A plan's suggestion is kept, however often the order is changed.
fn suggest(line: &mut OrderLine, before: &[OrderLine], advised: Option<&Advised>) {
    let known = before.iter().find(|known| known.id == line.id && known.uom_id == line.uom_id);
    let Advised { suggested, why, plan_run_id } = match known.filter(|known| known.plan_run_id.is_some()) {
        Some(known) => Advised {
            suggested: known.qty_suggested,
            why: known.why.0.clone(),
            plan_run_id: known.plan_run_id.clone(),
        },
        None => advised.cloned().unwrap_or_default(),
    };
    line.qty_suggested = suggested;
    line.why = Json(why);
    line.plan_run_id = plan_run_id;
}

/// Lines of the draft with the id of the line each changes: the given one, or that of its product.
fn lines_of(
    ctx: Ctx<'_>,
    doc: &Doc<StoreOrder>,
    wanted: &[Wanted],
    price_level: Option<&str>,
) -> Vec<OrderLine> {
    let known = |wanted: &Wanted| {
        let by_id = doc.lines.iter().find(|line| Some(&line.id) == wanted.id.as_ref());
        let line = by_id.or_else(|| doc.lines.iter().find(|line| line.product_id == wanted.product.id));
        line.filter(|line| line.product_id == wanted.product.id).map(|line| line.id.clone())
    };
    let line = |wanted| OrderLine::of(known(wanted).unwrap_or_else(|| ctx.new_id()), wanted, price_level);
    wanted.iter().map(line).collect()
}

/// A store, as an order needs it.
#[derive(larder_db::FromRow)]
pub(super) struct Store {
    pub name: String,
    pub inactive: bool,
    pub price_level_id: Option<String>,
}

pub(super) async fn find_store(tx: &mut Tx<'_>, id: &str) -> ApiResult<Store> {
    let found: Option<Store> = tx
        .sql("select name, inactive, price_level_id from locations where id = $1")
        .bind(id)
        .optional()
        .await?;
    match found {
        Some(store) if store.inactive => {
            Err(ApiError::field("storeId", format!("{} is closed; choose another store.", store.name)))
        }
        Some(store) => Ok(store),
        None => Err(ApiError::field("storeId", "This store does not exist; choose one from the list.")),
    }
}

async fn find_source(tx: &mut Tx<'_>, head: &super::Head<OrderState>) -> ApiResult<()> {
    let Some((_, table)) = SOURCES.iter().find(|(kind, _)| Some(*kind) == head.source_type.as_deref()) else {
        return Err(ApiError::field("sourceType", "Choose a commissary, a warehouse or a supplier."));
    };
    let query = tx.sql("select cast(count(*) as bigint) from ").push(table).push(" where id = ");
    let count: i64 = query.push_bind(head.source_id.clone().unwrap_or_default()).scalar().await?;
    match count {
        0 => Err(ApiError::field("sourceId", "Choose where it comes from.")),
        _ => Ok(()),
    }
}

/// Checks the submission deadline for its date. Before the deadline nothing is urgent.
async fn meet_deadline(tx: &mut Tx<'_>, doc: &mut Doc<StoreOrder>) -> ApiResult<()> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let (store_id, source_type) = (text(&doc.head.store_id), text(&doc.head.source_type));
    let source_id = text(&doc.head.source_id);
    let source = Source { store_id: &store_id, source_type: &source_type, source_id: &source_id };
    let urgent = doc.details.urgent_reason.is_some();
    let deadline = delivery_calendar::check(tx, source, doc.head.on_date, urgent).await?;
    doc.details.cutoff_at = deadline.cutoff;
    if !deadline.passed {
        doc.details.urgent_reason = None;
    }
    Ok(())
}

/// Takes a submitted order back, to change it. The kitchen counts on what stands at the cut-off; an urgent order was not
/// granted yet.
fn withdraw(ctx: Ctx<'_>, doc: &mut Doc<StoreOrder>) -> ApiResult<()> {
    let passed = doc.details.cutoff_at.filter(|cutoff| *cutoff <= ctx.who.at);
    if let Some(cutoff) = passed.filter(|_| doc.details.urgent_reason.is_none()) {
        let words = delivery_calendar::passed(doc.head.on_date, cutoff);
        let words = format!("{words} Head office can still reject the order.");
        return Err(
            ApiError::conflict("cutoffPassed", words).with("state", OrderState::Submitted.as_str().into())
        );
    }
    doc.details.submitted_at = None;
    Ok(())
}

/// One open draft per store, source and day: the error names the existing one, so that it can be opened
/// instead.
async fn refuse_second_draft(tx: &mut Tx<'_>, head: &Head<OrderState>) -> ApiResult<()> {
    let other: Option<(String, String)> = tx
        .sql(
            "select id, number from documents where kind = 'storeOrder' and state = 'draft' and store_id = $1
               and source_type = $2 and source_id = $3 and on_date = $4 and id <> $5",
        )
        .bind(head.store_id.as_deref())
        .bind(head.source_type.as_deref())
        .bind(head.source_id.as_deref())
        .bind(head.on_date)
        .bind(&head.id)
        .optional()
        .await?;
    match other {
        None => Ok(()),
        Some((id, number)) => {
            let day = head.on_date.display();
            let words = format!("There is a draft for {day} already, {number}. Continue that one.");
            Err(ApiError::conflict("draftExists", words).with("id", id.into()).with("orderNo", number.into()))
        }
    }
}

async fn submit(tx: &mut Tx<'_>, ctx: Ctx<'_>, doc: &mut Doc<StoreOrder>) -> ApiResult<()> {
    if doc.lines.is_empty() {
        return Err(ApiError::field("lines", "Add at least one item."));
    }
    meet_deadline(tx, doc).await?;
    refuse_inactive(tx, doc.lines.iter().map(|line| (line.product_id.as_str(), line.name.as_str()))).await?;
    doc.details.submitted_at = Some(ctx.who.at);
    doc.details.reject_reason = None;
    Ok(())
}

/// Refuses products that were made inactive since their lines were written.
async fn refuse_inactive<'a>(
    tx: &mut Tx<'_>,
    lines: impl Iterator<Item = (&'a str, &'a str)>,
) -> ApiResult<()> {
    let lines: Vec<(&str, &str)> = lines.collect();
    let ids: Vec<&str> = lines.iter().map(|(id, _)| *id).collect();
    let known = products::by_id(tx, &ids).await?;
    let wrong: Vec<FieldError> = lines
        .iter()
        .enumerate()
        .filter(|(_, (id, _))| known.get(*id).is_none_or(|product| product.inactive))
        .map(|(at, (_, name))| {
            FieldError::new(format!("lines.{at}.productId"), format!("{name} is inactive."))
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// Whether all deliveries and receipts of the order are settled.
async fn is_reconciled(tx: &mut Tx<'_>, order_id: &str) -> ApiResult<bool> {
    let open: i64 = tx
        .sql(
            "select cast(count(*) as bigint) from document_links l join documents d on d.id = l.document_id
             where l.origin_id = $1 and (
               (d.kind = 'delivery' and d.state not in ('reconciled', 'cancelled'))
               or (d.kind = 'receipt' and d.state in ('draft', 'posted')))",
        )
        .bind(order_id)
        .scalar()
        .await?;
    Ok(open == 0)
}

/// Derives the state from the lines, for approved orders.
fn derive(doc: &mut Doc<StoreOrder>, reconciled: bool) {
    let lines: Vec<order::Line> = doc.lines.iter().map(OrderLine::figures).collect();
    doc.head.state = order::progress(&lines, reconciled);
}

/// Whether an order was approved and is not cancelled: deliveries and receipts may change its figures.
#[must_use]
pub fn is_approved(state: OrderState) -> bool {
    match state {
        OrderState::Approved
        | OrderState::InFulfilment
        | OrderState::PartiallyReceived
        | OrderState::Received
        | OrderState::Closed => true,
        OrderState::Draft | OrderState::Submitted | OrderState::Rejected | OrderState::Cancelled => false,
    }
}

/// Whether deliveries can still be created from the order.
#[must_use]
pub(super) fn can_be_delivered(state: OrderState) -> bool {
    match state {
        OrderState::Approved | OrderState::InFulfilment | OrderState::PartiallyReceived => true,
        OrderState::Draft
        | OrderState::Submitted
        | OrderState::Rejected
        | OrderState::Received
        | OrderState::Closed
        | OrderState::Cancelled => false,
    }
}

/// Changes orders on behalf of a delivery or a receipt, and derives their states. Orders are locked by id.
///
/// # Errors
/// Those of `change`, or if the database fails.
pub(super) async fn change(
    tx: &mut Tx<'_>,
    order_ids: &[String],
    mut change: impl FnMut(&mut Doc<StoreOrder>) -> ApiResult<()> + Send,
) -> ApiResult<()> {
    for mut doc in store::hold::<StoreOrder>(tx, order_ids).await? {
        let before = doc.told();
        change(&mut doc)?;
        settle(tx, &mut doc, before).await?;
    }
    Ok(())
}

async fn settle(tx: &mut Tx<'_>, doc: &mut Doc<StoreOrder>, before: Value) -> ApiResult<()> {
    if is_approved(doc.head.state) {
        let reconciled = is_reconciled(tx, &doc.head.id).await?;
        derive(doc, reconciled);
    }
    doc.head.revision += 1;
    store::save(tx, doc).await?;
    write::record(tx, Some(before), doc).await
}
