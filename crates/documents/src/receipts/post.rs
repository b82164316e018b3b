//! Posting a receipt, settling its differences, and reversing it. Stock in transit goes to the store, back to
//! the source, or is written off; the delivery and its orders get the same figures in the same transaction.

use larder_domain::document::order::{MUCH_MORE, is_much_more};
use larder_domain::document::quantity;
use larder_domain::document::shipment::ShipmentState;
use larder_domain::document::supplier_return;
use larder_domain::document::supplier_return::ReturnState;
use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};

use super::draft::{not_on_its_way, pending_of};
use super::*;
use crate::orders::{OrderLine, StoreOrder};
use crate::products::base_of_line;
use crate::receipts::settings::ReceivingSettings;
use crate::rules;
use crate::shipments::{is_on_its_way, transit_place};
use crate::typed_lots::{self, TypedLot};
use crate::write::{may_post, much_more, overridden, take_back};
use larder_ledgers::backdating;
use larder_ledgers::stock;
use larder_ledgers::stock::{Posting, lots};
use larder_platform::http::text::said;

/// Effect of one line and the destination of its stock.
struct Move {
    /// The line's index in the receipt.
    at: usize,
    effect: Effect,
}

pub(super) async fn post(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<Receipt>,
) -> ApiResult<()> {
    if doc.lines.is_empty() {
        return Err(ApiError::field("lines", "Add at least one item."));
    }
    let overridden = overridden::<Receipt>(ctx, body, "Say why.")?;
    let tolerance = rules::read::<ReceivingSettings>(tx).await?.over_tolerance;
    let moves = effects(doc, tolerance, overridden)?;
    let mut held = hold_shipment(tx, doc).await?;
    if let Some(held) = &held {
        if !is_on_its_way(held.doc.head.state) {
            return Err(not_on_its_way(&held.doc.head));
        }
        let pending = pending_of(tx, &held.doc.head.id, &doc.head.id).await?;
        refuse_changed(doc, held, &pending)?;
    }
    register_lots(tx, doc).await?;
    if !overridden {
        ask_recalled(tx, body, doc, held.as_ref()).await?;
    }
    when(ctx, body, doc, held.as_ref()).await?;
    let day = doc.head.on_date;
    apply(tx, doc, &mut held, &moves, overridden, day).await?;
    // After other overridable checks: a reason for the date must not silently allow them.
    may_post::<Receipt>(tx, ctx, body, day).await?;
    prices::propose(tx, ctx, doc).await
}

/// Asks before goods of a recalled lot are taken in: 409 `recalledArrives`, unless a reason says what becomes of them. The
/// place is then asked for what it found, as all places that have some.
async fn ask_recalled(
    tx: &mut Tx<'_>,
    body: &TakeStep,
    doc: &Doc<Receipt>,
    held: Option<&Held>,
) -> ApiResult<()> {
    let sent = held.map(|held| held.doc.lines.as_slice()).unwrap_or_default();
    let lot_of = |line: &ReceiptLine| {
        let of_line = || sent.iter().find(|sent| Some(&sent.id) == line.source_line_id.as_ref());
        line.lot.clone().or_else(|| of_line()?.lot.clone())
    };
    let mut arriving: Vec<(usize, (String, String))> = Vec::new();
    for (at, line) in doc.lines.iter().enumerate().filter(|(_, line)| line.accepted.0 > 0) {
        arriving.extend(lot_of(line).map(|lot| (at, (line.product_id.clone(), lot))));
    }
    let named: Vec<(String, String)> = arriving.iter().map(|(_, lot)| lot.clone()).collect();
    let recalled = lots::recalled(tx, &named).await?;
    let ask = |(at, (product, lot)): &(usize, (String, String))| {
        let is_recalled = recalled.iter().any(|(id, code)| id == product && code == lot);
        let name = &doc.lines[*at].name;
        let words = format!("Lot {lot} of {name} is recalled. Reject it, or take it in and put it aside?");
        is_recalled.then(|| FieldError::new(format!("lines.{at}.received"), words))
    };
    let asked: Vec<FieldError> = arriving.iter().filter_map(ask).collect();
    let Some(first) = asked.first() else { return Ok(()) };
    if !body.anyway {
        return Err(ApiError::conflict("recalledArrives", first.message.clone()).at(asked));
    }
    match said(body.reason.as_deref()) {
        Some(_) => Ok(()),
        None => Err(ApiError::field("reason", "Say what becomes of the recalled lot.")),
    }
}

/// When the goods came: as given, or when the receipt was begun.
async fn when(ctx: Ctx<'_>, body: &TakeStep, doc: &mut Doc<Receipt>, held: Option<&Held>) -> ApiResult<()> {
    if let Some(at) = happened::given(ctx, body)? {
        doc.details.received_at = Some(at);
        doc.details.received_at_given = true;
    }
    let (day, entered) = (doc.head.on_date, doc.details.received_at.unwrap_or(ctx.who.at));
    let planned = happened::midnight(day);
    let due = match held.map(|held| &held.doc) {
        // It cannot have come before it left, and rarely before its day.
        Some(sent) => {
            let left = sent.details.dispatched_at.unwrap_or(planned);
            let due = happened::midnight(sent.head.on_date).max(left);
            if due < entered { due } else { left }
        }
        // Nothing says when a supplier came: the goods can have been there since midnight.
        None => planned,
    };
    let accepted = doc.lines.iter().filter(|line| line.accepted.0 > 0);
    let moving = happened::Moving {
        store_id: doc.head.store_id.as_deref().unwrap_or_default(),
        day,
        due,
        entered: if day == BusinessDay::of(entered) { entered } else { ctx.who.at },
        products: accepted.map(|line| line.product_id.as_str()).collect(),
    };
    let given = doc.details.received_at.filter(|_| doc.details.received_at_given);
    happened::check(ctx, given, &moving).await
}

/// Settles open differences.
pub(super) async fn resolve(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<Receipt>,
) -> ApiResult<()> {
    let overridden = overridden::<Receipt>(ctx, body, "Say why.")?;
    let (mut moves, mut wrong) = (Vec::new(), Vec::new());
    for (number, said) in body.lines.iter().enumerate() {
        let field = |name: &str| format!("lines.{number}.{name}");
        let Some(at) = doc.lines.iter().position(|line| line.id == said.id) else {
            wrong.push(FieldError::new(field("id"), "This receipt has no such line. Reload to continue."));
            continue;
        };
        let line = &mut doc.lines[at];
        let resolution = said.resolution.as_deref().and_then(Resolution::parse);
        let Some(resolution) = resolution.filter(|resolution| *resolution != Resolution::Pending) else {
            wrong.push(FieldError::new(field("resolution"), "Choose what becomes of the difference."));
            continue;
        };
        if line.pending().is_zero() {
            wrong.push(FieldError::new(field("id"), "Nothing of this line is open any more."));
            continue;
        }
        if resolution == Resolution::WriteOff
            && let Some(number) = sent_back(tx, &line.id).await?
        {
            let words = format!("{number} sends these goods back to the supplier; reverse it first.");
            wrong.push(FieldError::new(field("resolution"), words));
            continue;
        }
        let before = line.figures().effect(Qty::ZERO, true);
        line.resolution = Some(resolution.as_str().to_owned());
        match (before, line.figures().effect(Qty::ZERO, true)) {
            (Ok(before), Ok(after)) => moves.push(Move { at, effect: difference(before, after) }),
            (_, Err(error)) | (Err(error), _) => {
                wrong.push(FieldError::new(field("resolution"), error.message(Qty::ZERO)));
            }
        }
    }
    if moves.is_empty() && wrong.is_empty() {
        wrong.push(FieldError::new("lines", "Say what becomes of at least one difference."));
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let mut held = hold_shipment(tx, doc).await?;
    // A settlement after the week was frozen, or beyond the limit, is dated today; the receipt keeps its date.
    let day = backdating::day_of_follow_up(tx, BusinessDay::of(ctx.who.at), doc.head.on_date).await?;
    apply(tx, doc, &mut held, &moves, overridden, day).await
}

/// The number of a sent supplier return with refused goods of a line.
async fn sent_back(tx: &mut Tx<'_>, line_id: &str) -> ApiResult<Option<String>> {
    let sent = [ReturnState::Sent.as_str(), ReturnState::Settled.as_str()];
    let found = tx
        .sql("select d.number from supplier_return_lines l join documents d on d.id = l.document_id where l.receipt_line_id = ")
        .push_bind(line_id)
        .push(" and l.refused = ")
        .push_bind(true)
        .push(" and d.state in ")
        .push_ids(&sent)
        .push(" order by d.id limit 1")
        .optional::<(String,)>()
        .await?;
    Ok(found.map(|(number,)| number))
}

/// Undoes everything received and settled.
pub(super) async fn reverse(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<Receipt>,
) -> ApiResult<()> {
    let overridden = overridden::<Receipt>(ctx, body, "Say why.")?;
    if let Some(number) = store::built_on(tx, &doc.head.id).await? {
        let words = format!("{number} goes back to this receipt; take that back first.");
        return Err(ApiError::conflict("inUse", words));
    }
    let mut held = hold_shipment(tx, doc).await?;
    if let Some(held) = &held
        && held.doc.head.state == ShipmentState::Reconciled
    {
        let (one, number) = (held.one(), &held.doc.head.number);
        let words = format!("This {one}, {number}, is reconciled; nothing of it can be taken back.");
        return Err(ApiError::conflict("reconciled", words));
    }
    let totals = effects_of_all(doc)?;
    let order_ids = order_ids(doc, &held);
    let supplied = held.is_none();
    let lines = doc.lines.clone();
    orders::change(tx, &order_ids, |order| take_from_order(order, &lines, &totals, supplied)).await?;
    if let Some(held) = &mut held {
        let from = held.source()?;
        let delivery = &mut held.doc;
        let back: Vec<&Move> = totals.iter().filter(|it| it.effect.returned.0 > 0).collect();
        if !overridden && !back.is_empty() {
            refuse_returned_away(tx, doc, &from, &back).await?;
            refuse_lots_sent(tx, doc, delivery, &from, &back).await?;
        }
        for it in &totals {
            let line = &doc.lines[it.at];
            if let Some(sent) =
                delivery.lines.iter_mut().find(|sent| Some(&sent.id) == line.source_line_id.as_ref())
            {
                sent.accepted = Qty(sent.accepted.0 - it.effect.accepted.0);
                sent.overage = Qty(sent.overage.0 - it.effect.over.0);
                sent.returned = Qty(sent.returned.0 - it.effect.returned.0);
                sent.written_off = Qty(sent.written_off.0 - it.effect.written_off.0);
                sent.settled_base = Qty(sent.settled_base.0 - line.settled_base.0);
            }
        }
        let others = store::linked::<Receipt>(tx, &delivery.head.id).await?;
        let taken_in = others.iter().any(|(id, state)| *id != doc.head.id && is_taken_in(*state));
        held.save(tx, taken_in).await?;
    }
    let posted = doc.details.postings;
    for posting in 1..=posted {
        let pair = (document(doc, posting), document(doc, posted + posting));
        let reversed = take_back(tx, pair, body).await?;
        // Several postings: the one whose week is frozen is named.
        if doc.answer.reversed.is_none_or(|known| known.frozen_week.is_none()) {
            doc.answer.reversed = Some(reversed);
        }
    }
    larder_ledgers::prices::proposals::withdraw(tx, &doc.head.id).await?;
    doc.details.postings = posted * 2;
    for line in &mut doc.lines {
        line.settled_base = Qty::ZERO;
        line.backorder_line_id = None;
    }
    Ok(())
}

/// Refuses while differences are unsettled.
pub(super) async fn reconcile(tx: &mut Tx<'_>, doc: &Doc<Receipt>) -> ApiResult<()> {
    if doc.lines.iter().any(|line| !line.pending().is_zero()) {
        let words = "Settle every difference first.";
        return Err(ApiError::conflict("pending", words).with("state", "posted".into()));
    }
    let held = hold_shipment(tx, doc).await?;
    orders::change(tx, &order_ids(doc, &held), |_| Ok(())).await
}

/// Whether a receipt is posted and not reversed.
fn is_taken_in(state: ReceiptState) -> bool {
    match state {
        ReceiptState::Posted | ReceiptState::Reconciled => true,
        ReceiptState::Draft | ReceiptState::Reversed | ReceiptState::Cancelled => false,
    }
}

fn document(doc: &Doc<Receipt>, posting: i64) -> stock::Document<'_> {
    stock::Document { kind: DocumentType::Receipt, id: &doc.head.id, posting }
}

/// The delivery or transfer of a receipt, locked; `None` for supplier goods.
async fn hold_shipment(tx: &mut Tx<'_>, doc: &Doc<Receipt>) -> ApiResult<Option<Held>> {
    let kind = doc.head.source_type.as_deref();
    if !Held::is_source(kind) {
        return Ok(None);
    }
    let held = Held::take(tx, kind, doc.head.source_id.as_deref().unwrap_or_default()).await?;
    held.map(Some).ok_or_else(|| ApiError::not_found("delivery"))
}

fn order_ids(doc: &Doc<Receipt>, held: &Option<Held>) -> Vec<String> {
    match held {
        Some(held) => held.doc.details.order_ids.clone(),
        None => doc.details.order_id.iter().cloned().collect(),
    }
}

/// Effect of every line; `tolerance` is the accepted excess in percent of the expected quantity.
fn effects(doc: &Doc<Receipt>, tolerance: Qty, overridden: bool) -> ApiResult<Vec<Move>> {
    let supplied = doc.head.source_type.as_deref() == Some("supplier");
    let (mut moves, mut wrong, mut much) = (Vec::new(), Vec::new(), Vec::new());
    for (at, line) in doc.lines.iter().enumerate() {
        let backorder = line.resolution.as_deref() == Some(Resolution::Backorder.as_str());
        if backorder && line.order_line_id.is_none() {
            let words = "This was not ordered, so it cannot be sent again; choose another way.";
            wrong.push(FieldError::new(format!("lines.{at}.resolution"), words));
            continue;
        }
        // A supplier may exceed the expected quantity without a tolerance; far more counts as a typing error.
        if supplied && !overridden && is_much_more(line.expected, line.received) {
            let words = format!(
                "This is more than {MUCH_MORE} times the {} {} that are expected. Check the quantity.",
                line.expected, line.uom_code
            );
            much.push(FieldError::new(format!("lines.{at}.received"), words));
        }
        match line.figures().effect(tolerance, overridden || supplied) {
            Ok(effect) => moves.push(Move { at, effect }),
            Err(error) => {
                let name = match error {
                    receipt::Wrong::RejectedTooMuch => "rejected",
                    receipt::Wrong::NoReason => "reason",
                    receipt::Wrong::NotForThis => "resolution",
                    receipt::Wrong::Over(_) => "received",
                };
                wrong.push(FieldError::new(format!("lines.{at}.{name}"), error.message(tolerance)));
            }
        }
    }
    if !wrong.is_empty() {
        wrong.extend(much);
        return Err(ApiError::invalid(wrong));
    }
    if much.is_empty() { Ok(moves) } else { Err(much_more(much)) }
}

/// Effects of the lines so far.
fn effects_of_all(doc: &Doc<Receipt>) -> ApiResult<Vec<Move>> {
    let moves = doc.lines.iter().enumerate().map(|(at, line)| {
        let effect = line.figures().effect(Qty::ZERO, true);
        // It was posted with the same figures.
        let broken = |error: receipt::Wrong| {
            ApiError::internal(anyhow::anyhow!("line {at} of a posted receipt: {error:?}"))
        };
        effect.map(|effect| Move { at, effect }).map_err(broken)
    });
    moves.collect()
}

fn difference(before: Effect, after: Effect) -> Effect {
    Effect {
        accepted: Qty(after.accepted.0 - before.accepted.0),
        over: Qty(after.over.0 - before.over.0),
        returned: Qty(after.returned.0 - before.returned.0),
        written_off: Qty(after.written_off.0 - before.written_off.0),
        pending: Qty::ZERO,
        backordered: Qty(after.backordered.0 - before.backordered.0),
        credited: Qty(after.credited.0 - before.credited.0),
    }
}

/// Another receipt may have received part of the delivery since this one was written.
fn refuse_changed(doc: &Doc<Receipt>, held: &Held, pending: &HashMap<String, Qty>) -> ApiResult<()> {
    let changed = doc.lines.iter().any(|line| {
        let sent = held.doc.lines.iter().find(|sent| Some(&sent.id) == line.source_line_id.as_ref());
        sent.is_some_and(|sent| {
            let theirs = pending.get(&sent.id).map_or(0, |qty| qty.0);
            sent.sent().in_transit().0 - theirs != line.expected.0
        })
    });
    if !changed {
        return Ok(());
    }
    let words = format!(
        "Part of this {} was taken in meanwhile. Discard this receipt and begin a new one.",
        held.one()
    );
    Err(ApiError::conflict("takenInMeanwhile", words))
}

/// Registers the lots the store entered.
async fn register_lots(tx: &mut Tx<'_>, doc: &mut Doc<Receipt>) -> ApiResult<()> {
    let (mut places, mut typed) = (Vec::new(), Vec::new());
    for (at, line) in doc.lines.iter().enumerate().filter(|(_, line)| line.accepted.0 > 0) {
        let Some(lot) = line.lot.clone() else { continue };
        places.push(at);
        typed.push(TypedLot {
            field: format!("lines.{at}.expiry"),
            product_id: line.product_id.clone(),
            lot,
            expiry: line.expiry,
        });
    }
    let expiries = typed_lots::register(tx, &typed, DocumentType::Receipt, &doc.head.id).await?;
    for (at, expiry) in places.into_iter().zip(expiries) {
        doc.lines[at].expiry = expiry;
    }
    Ok(())
}

/// Numbers of a line's movements: ten for each line.
const KEPT: i64 = 0;
const BEYOND: i64 = 1;
const BACK: i64 = 2;
const GONE: i64 = 3;

/// Applies effects to the ledger, the delivery and the orders.
async fn apply(
    tx: &mut Tx<'_>,
    doc: &mut Doc<Receipt>,
    held: &mut Option<Held>,
    moves: &[Move],
    overridden: bool,
    day: BusinessDay,
) -> ApiResult<()> {
    let store = doc.head.store_id.clone().unwrap_or_default();
    let home = Place { kind: PlaceKind::Store, id: store.clone() };
    let ids: HashMap<usize, String> = moves
        .iter()
        .filter(|it| it.effect.backordered.0 > 0)
        .map(|it| (it.at, format!("{}b", doc.lines[it.at].id)))
        .collect();
    let supplied = held.is_none();
    let order_ids = order_ids(doc, held);
    let (lines, number) = (doc.lines.clone(), doc.head.number.clone());
    orders::change(tx, &order_ids, |order| {
        add_to_order(order, &lines, moves, supplied);
        if !supplied {
            backorder(order, &lines, moves, &ids, &number);
        }
        Ok(())
    })
    .await?;
    let mut movements = Vec::new();
    match held {
        None => {
            for it in moves {
                let line = &doc.lines[it.at];
                let qty = base_of_line(it.at, "received", it.effect.accepted, line.factor)?;
                push(&mut movements, line, KEPT, qty, None, Some((&home, line.lot.clone())));
            }
        }
        Some(held) => {
            let from = held.source()?;
            let delivery = &mut held.doc;
            let transit = transit_place(&store, &delivery.head.id);
            if !overridden {
                refuse_overage(tx, doc, &from, moves).await?;
            }
            for it in moves {
                let line = &mut doc.lines[it.at];
                if let Some(id) = ids.get(&it.at) {
                    line.backorder_line_id = Some(id.clone());
                }
                let sent =
                    delivery.lines.iter_mut().find(|sent| Some(&sent.id) == line.source_line_id.as_ref());
                let beyond = base_of_line(it.at, "received", it.effect.over, line.factor)?;
                let Some(sent) = sent else {
                    // Overage was never in transit: it comes from the delivery's source.
                    push(
                        &mut movements,
                        line,
                        BEYOND,
                        beyond,
                        Some((&from, None)),
                        Some((&home, line.lot.clone())),
                    );
                    continue;
                };
                let lot = sent.lot.clone();
                let kept_lot = line.lot.clone().or_else(|| lot.clone());
                let kept = settle(it.at, sent, line, Qty(it.effect.accepted.0 - it.effect.over.0))?;
                sent.accepted = Qty(sent.accepted.0 + it.effect.accepted.0);
                sent.overage = Qty(sent.overage.0 + it.effect.over.0);
                let way = Some((&transit, lot.clone()));
                push(&mut movements, line, KEPT, kept, way.clone(), Some((&home, kept_lot.clone())));
                push(&mut movements, line, BEYOND, beyond, Some((&from, None)), Some((&home, kept_lot)));
                let back = settle(it.at, sent, line, it.effect.returned)?;
                sent.returned = Qty(sent.returned.0 + it.effect.returned.0);
                push(&mut movements, line, BACK, back, way.clone(), Some((&from, lot)));
                let gone = settle(it.at, sent, line, it.effect.written_off)?;
                sent.written_off = Qty(sent.written_off.0 + it.effect.written_off.0);
                push(&mut movements, line, GONE, gone, way, None);
            }
            held.save(tx, true).await?;
        }
    }
    if movements.is_empty() {
        return Ok(());
    }
    doc.details.postings += 1;
    let posting = Posting {
        document: document(doc, doc.details.postings),
        business_date: day,
        happened_at: doc.details.received_at.filter(|at| {
            BusinessDay::of(*at) == day || doc.details.received_at_given && happened::is_on(day, *at)
        }),
        reason: None,
        movements: &movements,
    };
    stock::post(tx, &posting).await?;
    Ok(())
}

/// Base units leaving transit for `qty` of a line; the last part absorbs rounding.
fn settle(at: usize, sent: &mut ShipmentLine, line: &mut ReceiptLine, qty: Qty) -> ApiResult<Qty> {
    if qty.is_zero() {
        return Ok(Qty::ZERO);
    }
    let rest = Qty(sent.dispatched_base.0 - sent.settled_base.0);
    let way = sent.sent().in_transit();
    let base = if qty == way { rest } else { base_of_line(at, "received", qty, sent.factor)?.min(rest) };
    sent.settled_base = Qty(sent.settled_base.0 + base.0);
    line.settled_base = Qty(line.settled_base.0 + base.0);
    Ok(base)
}

type End<'a> = Option<(&'a Place, Option<String>)>;

fn push(movements: &mut Vec<Movement>, line: &ReceiptLine, which: i64, qty: Qty, from: End<'_>, to: End<'_>) {
    if qty.0 <= 0 {
        return;
    }
    let both = from.is_some() && to.is_some();
    for (end, qty, leg) in [(from, Qty(-qty.0), Leg::From), (to, qty, Leg::To)] {
        let Some((place, lot)) = end else { continue };
        movements.push(Movement {
            item: stock::product(&line.product_id),
            place: place.clone(),
            qty,
            // Only supplier goods have a price, and they have one end.
            unit_cost: line.unit_price.and_then(|price| supplier_return::unit_cost(price, line.factor)),
            line: line.position * 10 + which,
            leg: if both { leg } else { Leg::Only },
            lot,
        });
    }
}

fn add_to_order(order: &mut Doc<StoreOrder>, lines: &[ReceiptLine], moves: &[Move], supplied: bool) {
    for it in moves {
        let ordered = lines[it.at].order_line_id.as_ref();
        let Some(line) = order.lines.iter_mut().find(|line| Some(&line.id) == ordered) else { continue };
        change_order_line(line, it.effect, supplied, 1);
    }
}

/// Adds a receipt to an order line, or subtracts it.
fn change_order_line(line: &mut OrderLine, effect: Effect, supplied: bool, sign: i64) {
    let kept = effect.accepted.0 - effect.over.0;
    let arrived = if supplied { effect.accepted.0 } else { kept + effect.returned.0 + effect.written_off.0 };
    line.qty_received = Qty(line.qty_received.0 + sign * effect.accepted.0);
    line.qty_arrived = Qty(line.qty_arrived.0 + sign * arrived);
    if supplied {
        line.qty_dispatched = Qty(line.qty_dispatched.0 + sign * effect.accepted.0);
    }
}

/// Adds backordered quantities as lines of the same order.
fn backorder(
    order: &mut Doc<StoreOrder>,
    lines: &[ReceiptLine],
    moves: &[Move],
    ids: &HashMap<usize, String>,
    receipt: &str,
) {
    for it in moves {
        let Some(id) = ids.get(&it.at) else { continue };
        let line = &lines[it.at];
        let Some(first) = order.lines.iter().find(|known| Some(&known.id) == line.order_line_id.as_ref())
        else {
            continue;
        };
        let again = OrderLine {
            id: id.clone(),
            qty_suggested: None,
            qty_ordered: it.effect.backordered,
            qty_approved: Some(it.effect.backordered),
            qty_dispatched: Qty::ZERO,
            qty_arrived: Qty::ZERO,
            qty_received: Qty::ZERO,
            qty_short_closed: Qty::ZERO,
            reason: Some(format!("Backorder of {receipt}")),
            backorder_of: Some(line.id.clone()),
            share: None,
            ..first.clone()
        };
        order.lines.push(again);
    }
}

fn take_from_order(
    order: &mut Doc<StoreOrder>,
    lines: &[ReceiptLine],
    totals: &[Move],
    supplied: bool,
) -> ApiResult<()> {
    for it in totals {
        let line = &lines[it.at];
        if let Some(id) = &line.backorder_line_id {
            let again = order.lines.iter().find(|known| known.id == *id);
            if again.is_some_and(|again| again.qty_dispatched.0 > 0) {
                let words =
                    format!("{} was sent again already, so this receipt can't be taken back.", line.name);
                return Err(ApiError::conflict("backorderSent", words));
            }
            order.lines.retain(|known| known.id != *id);
        }
        let ordered = line.order_line_id.as_ref();
        if let Some(line) = order.lines.iter_mut().find(|line| Some(&line.id) == ordered) {
            change_order_line(line, it.effect, supplied, -1);
        }
    }
    Ok(())
}

/// Overage was still counted at the source, so it must be in stock there.
async fn refuse_overage(tx: &mut Tx<'_>, doc: &Doc<Receipt>, from: &Place, moves: &[Move]) -> ApiResult<()> {
    let over: Vec<(usize, Qty)> =
        moves.iter().map(|it| (it.at, it.effect.over)).filter(|(_, qty)| qty.0 > 0).collect();
    let Some((at, there)) = below_zero(tx, doc, from, &over).await? else { return Ok(()) };
    let ReceiptLine { expected, received, uom_code, .. } = &doc.lines[at];
    let sender = sender(from);
    let words = format!(
        "{expected} {uom_code} were expected and {received} came, but {sender} has only {there} {uom_code} left for the \
         rest. Reject what is too much, or ask {sender} to correct its stock."
    );
    Err(ApiError::field(format!("lines.{at}.received"), words))
}

/// Returned goods must still be at the source; they may have been sent on since.
async fn refuse_returned_away(
    tx: &mut Tx<'_>,
    doc: &Doc<Receipt>,
    from: &Place,
    back: &[&Move],
) -> ApiResult<()> {
    let back: Vec<(usize, Qty)> = back.iter().map(|it| (it.at, it.effect.returned)).collect();
    let Some((at, there)) = below_zero(tx, doc, from, &back).await? else { return Ok(()) };
    let ReceiptLine { name, uom_code, .. } = &doc.lines[at];
    let words = format!(
        "{name} went back and was sent on: {} has only {there} {uom_code} left, so this receipt can't be taken back.",
        sender(from)
    );
    Err(ApiError::field(format!("lines.{at}.received"), words))
}

/// What a store calls the place that its goods come from.
fn sender(from: &Place) -> &'static str {
    match from.kind {
        PlaceKind::Commissary => "the kitchen",
        PlaceKind::Warehouse => "the warehouse",
        PlaceKind::Store | PlaceKind::ColdStorage | PlaceKind::InTransit => "the sender",
    }
}

/// As [`refuse_returned_away`], per lot: returned goods carry their lot.
async fn refuse_lots_sent(
    tx: &mut Tx<'_>,
    doc: &Doc<Receipt>,
    delivery: &Doc<crate::shipments::Delivery>,
    from: &Place,
    back: &[&Move],
) -> ApiResult<()> {
    let mut wanted: std::collections::BTreeMap<(&str, &str), (usize, i64)> =
        std::collections::BTreeMap::new();
    for it in back {
        let line = &doc.lines[it.at];
        let sent = delivery.lines.iter().find(|sent| Some(&sent.id) == line.source_line_id.as_ref());
        let Some(lot) = sent.and_then(|sent| sent.lot.as_deref()) else { continue };
        let base = base_of_line(it.at, "received", it.effect.returned, line.factor)?;
        let sum = &mut wanted.entry((&line.product_id, lot)).or_insert((it.at, 0)).1;
        *sum = sum.saturating_add(base.0);
    }
    if from.kind == PlaceKind::Store {
        return Ok(());
    }
    for ((product, lot), (at, base)) in wanted {
        if base > lots::at(tx, from, product, lot).await?.0 {
            let words = format!(
                "Lot {lot} of {} was sent again, so its return can't be taken back.",
                doc.lines[at].name
            );
            return Err(ApiError::field(format!("lines.{at}.received"), words));
        }
    }
    Ok(())
}

/// The first line that takes more of a product from a place than it has, and what it has in the line's unit.
async fn below_zero(
    tx: &mut Tx<'_>,
    doc: &Doc<Receipt>,
    from: &Place,
    taken: &[(usize, Qty)],
) -> ApiResult<Option<(usize, Qty)>> {
    let mut wanted: std::collections::BTreeMap<&str, (usize, i64)> = std::collections::BTreeMap::new();
    for (at, qty) in taken {
        let line = &doc.lines[*at];
        let base = base_of_line(*at, "received", *qty, line.factor)?;
        let sum = &mut wanted.entry(&line.product_id).or_insert((*at, 0)).1;
        *sum = sum.saturating_add(base.0);
    }
    // A store keeps no balance: what arrived elsewhere has left it.
    if from.kind == PlaceKind::Store {
        return Ok(None);
    }
    for (product, (at, base)) in wanted {
        let there = stock::hold_balance(tx, &stock::product(product), from).await?;
        if base > there.0 {
            return Ok(Some((at, quantity::in_units(there, doc.lines[at].factor))));
        }
    }
    Ok(None)
}
