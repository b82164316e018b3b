//! Picking, packing and dispatching: proposes lots, sets quantities, and moves stock into transit.

use super::*;
use crate::overrides::{self, Failed, LineCheck};
use crate::products;
use crate::typed_lots::{self, TakenLot, TypedLot};
use crate::write::{may_override, may_post, overridden};
use larder_ledgers::place_stock::{self, AtPlace};
use larder_ledgers::stock;
use larder_ledgers::stock::{Posting, lots};

/// Proposes lots for picking, earliest expiry first, never expired ones. A line that needs several is split; stock without a lot
/// stays without.
pub(super) async fn propose_lots<D: Shipment>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    doc: &mut Doc<D>,
) -> ApiResult<()> {
    let Some(place) = D::source(&doc.head) else { return Ok(()) };
    refuse_recalled(tx, &doc.lines, |_| true).await?;
    // It has to be good on the day it comes.
    let used_on = doc.head.on_date.max(BusinessDay::of(ctx.who.at));
    let ids: BTreeSet<&str> = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let found = lots::first_to_expire(tx, &place, &ids, Some(used_on)).await?;
    let mut left: HashMap<String, Vec<lots::LotStock>> = HashMap::new();
    for lot in found {
        left.entry(lot.product_id.clone()).or_default().push(lot);
    }
    let mut lines = Vec::with_capacity(doc.lines.len());
    for line in std::mem::take(&mut doc.lines) {
        if line.lot.is_some() {
            lines.push(line);
            continue;
        }
        let of_product = left.entry(line.product_id.clone()).or_default();
        let (mut rest, first) = (line.ordered, lines.len());
        for lot in of_product.iter_mut().filter(|lot| lot.qty.0 > 0) {
            if rest.is_zero() {
                break;
            }
            // Whole units of the line, as far as the lot has them.
            let whole = i128::from(lot.qty.0) * 1_000_000_000 / i128::from(line.factor.0.max(1)) / 1_000_000;
            let most = if rest.0 % 1_000_000 == 0 {
                Qty(i64::try_from(whole * 1_000_000).unwrap_or(i64::MAX))
            } else if quantity::base(rest, line.factor).is_some_and(|base| base <= lot.qty) {
                rest
            } else {
                Qty::ZERO
            };
            let part = Qty(rest.0.min(most.0));
            let Some(base) = quantity::base(part, line.factor).filter(|base| base.0 > 0) else { continue };
            lot.qty = Qty(lot.qty.0 - base.0);
            rest = Qty(rest.0 - part.0);
            let id = if lines.len() > first { ctx.new_id() } else { line.id.clone() };
            lines.push(ShipmentLine {
                id,
                ordered: part,
                lot: Some(lot.lot.clone()),
                expiry: lot.expiry,
                ..line.clone()
            });
        }
        if !rest.is_zero() {
            let id = if lines.len() > first { ctx.new_id() } else { line.id.clone() };
            lines.push(ShipmentLine { id, ordered: rest, ..line.clone() });
        }
        share_picked(line.picked, &mut lines[first..]);
    }
    doc.lines = lines;
    Ok(())
}

/// Distributes the picked quantity among the split lines: up to the quantity of each, the rest to the last.
fn share_picked(picked: Option<Qty>, parts: &mut [ShipmentLine]) {
    let Some(mut rest) = picked else { return };
    let Some(last) = parts.len().checked_sub(1) else { return };
    for (at, part) in parts.iter_mut().enumerate() {
        let share = if at == last { rest } else { Qty(rest.0.min(part.ordered.0)) };
        rest = Qty(rest.0 - share.0);
        part.picked = Some(share);
    }
}

/// Lines without a picked quantity count as picked in full. Expired lots are packed only with the reason of an override,
/// which then stands at dispatch too.
pub(super) async fn pack<D: Shipment>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<D>,
) -> ApiResult<()> {
    let picked = |line: &ShipmentLine| line.picked.is_none_or(|qty| qty.0 > 0);
    may_override::<D>(ctx, body)?;
    refuse_recalled(tx, &doc.lines, picked).await?;
    let expired = expired(tx, &doc.lines, BusinessDay::of(ctx.who.at), picked).await?;
    let overridden = overridden::<D>(ctx, body, overrides::ask_why(false, !expired.is_empty()))?;
    let reason = overrides::reason_of(overridden, body.reason.as_deref());
    doc.details.overrides.clear();
    overrides::check(LineCheck::Expired, expired, reason, &mut doc.details.overrides)?;
    for line in &mut doc.lines {
        line.picked.get_or_insert(line.ordered);
    }
    if doc.lines.iter().all(|line| line.picked.is_none_or(|qty| qty.is_zero())) {
        return Err(ApiError::field("lines", "Nothing was picked. Pick something, or cancel the delivery."));
    }
    Ok(())
}

/// Dispatches what was picked.
pub(super) async fn dispatch<D: Shipment>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<D>,
) -> ApiResult<()> {
    let from = D::source(&doc.head)
        .ok_or_else(|| ApiError::internal(anyhow::anyhow!("a shipment without a source")))?;
    let store_id = doc.head.store_id.clone().unwrap_or_default();
    let to = transit_place(&store_id, &doc.head.id);
    for (at, line) in doc.lines.iter_mut().enumerate() {
        line.dispatched = line.picked.unwrap_or(line.ordered);
        line.dispatched_base = products::base_of_line(at, "picked", line.dispatched, line.factor)?;
    }
    if doc.lines.iter().all(|line| line.dispatched_base.0 <= 0) {
        return Err(ApiError::field("lines", "Nothing was picked. Pick something, or cancel the delivery."));
    }
    refuse_recalled(tx, &doc.lines, |line| line.dispatched.0 > 0).await?;
    let sent = of_orders(&doc.lines);
    orders::change(tx, &doc.details.order_ids, |order| add_to_order(order, &sent)).await?;
    may_override::<D>(ctx, body)?;
    let ids: BTreeSet<&str> = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
    let there = place_stock::at(tx, &ctx.state.db, &from, &ids, BusinessDay::of(ctx.who.at)).await?;
    register_lots(tx, doc).await?;
    let mut short = missing(&doc.lines, &there);
    if short.is_empty() {
        short = short_of_lot(tx, &from, &doc.lines, &there).await?;
    }
    let overridden = insisted(tx, ctx, body, doc, short).await?;
    let beyond = beyond::ask(&there, &taking(&doc.lines), "Send", body)?;
    let happened_at = when(ctx, body, doc, &from).await?;
    let today = BusinessDay::of(ctx.who.at);
    let day = happened_at.map_or(today, BusinessDay::of);
    let labelled = labelled(tx, &from, &doc.lines).await?;
    doc.details.postings += 1;
    doc.details.dispatched_at = happened_at.or(Some(ctx.who.at));
    let movements = movements(&doc.lines, &from, &to, labelled);
    let posting = Posting {
        document: document(doc),
        business_date: day,
        happened_at,
        reason: body.reason.as_deref().filter(|_| overridden || !beyond.is_empty()),
        movements: &movements,
    };
    stock::post(tx, &posting).await?;
    place_stock::mark(tx, &from.id, &doc.head.id, &there, &beyond).await?;
    // After other overridable checks: a reason for the date must not silently allow them.
    if day != today {
        may_post::<D>(tx, ctx, body, day).await?;
    }
    Ok(())
}

/// Refuses lines that are `short` or send an expired lot, unless that is overridden with a reason. Whether it is.
async fn insisted<D: Shipment>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<D>,
    short: Vec<Failed>,
) -> ApiResult<bool> {
    // An expired lot that was packed with a reason may leave.
    doc.details.overrides.retain(|kept| kept.check == LineCheck::Expired);
    let sent = |line: &ShipmentLine| line.dispatched.0 > 0;
    let mut expired = expired(tx, &doc.lines, BusinessDay::of(ctx.who.at), sent).await?;
    let kept = &mut doc.details.overrides;
    expired.retain(|(line_id, _)| !kept.iter().any(|packed| packed.line_id == *line_id));
    let words = overrides::ask_why(!short.is_empty(), !expired.is_empty());
    let overridden = overridden::<D>(ctx, body, words)?;
    let reason = overrides::reason_of(overridden, body.reason.as_deref());
    overrides::check(LineCheck::NotEnough, short, reason, kept)?;
    overrides::check(LineCheck::Expired, expired, reason, kept)?;
    Ok(overridden)
}

/// Registers the lots that are sent.
async fn register_lots<D: Shipment>(tx: &mut Tx<'_>, doc: &mut Doc<D>) -> ApiResult<()> {
    let (mut places, mut typed) = (Vec::new(), Vec::new());
    for (at, line) in doc.lines.iter().enumerate().filter(|(_, line)| line.dispatched.0 > 0) {
        let Some(lot) = line.lot.clone() else { continue };
        places.push(at);
        typed.push(TypedLot {
            field: format!("lines.{at}.expiry"),
            product_id: line.product_id.clone(),
            lot,
            expiry: line.expiry,
        });
    }
    let expiries = typed_lots::register(tx, &typed, D::POSTS, &doc.head.id).await?;
    for (at, expiry) in places.into_iter().zip(expiries) {
        doc.lines[at].expiry = expiry;
    }
    Ok(())
}

fn document<D: Shipment>(doc: &Doc<D>) -> stock::Document<'_> {
    stock::Document { kind: D::POSTS, id: &doc.head.id, posting: doc.details.postings }
}

/// When the goods left a store, if that was given.
async fn when<D: Shipment>(
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &Doc<D>,
    from: &Place,
) -> ApiResult<Option<Timestamp>> {
    if from.kind != PlaceKind::Store {
        return Ok(None);
    }
    let given = happened::given(ctx, body)?;
    let leaving = doc.lines.iter().filter(|line| line.dispatched.0 > 0);
    let moving = happened::Moving {
        store_id: &from.id,
        day: BusinessDay::of(given.unwrap_or(ctx.who.at)),
        due: doc.head.created_at,
        entered: ctx.who.at,
        products: leaving.map(|line| line.product_id.as_str()).collect(),
    };
    happened::check(ctx, given, &moving).await?;
    Ok(given)
}

/// Lots that have expired are packed and dispatched only with an override: those of the lines that are `sent`.
async fn expired(
    tx: &mut Tx<'_>,
    lines: &[ShipmentLine],
    today: BusinessDay,
    sent: impl Fn(&ShipmentLine) -> bool,
) -> ApiResult<Vec<Failed>> {
    let named: Vec<(String, String)> =
        lines.iter().filter_map(|line| Some((line.product_id.clone(), line.lot.clone()?))).collect();
    let expiries = lots::expiries(tx, &named).await?;
    let sent = lines.iter().enumerate().filter(|(_, line)| sent(line));
    let wrong = sent.filter_map(|(at, line)| {
        let lot = line.lot.clone()?;
        let expiry =
            expiries.get(&(line.product_id.clone(), lot.clone())).copied().flatten().or(line.expiry)?;
        let words = format!("Lot {lot} of {} expired on {}. Pick another lot.", line.name, expiry.display());
        (expiry < today).then(|| (line.id.clone(), FieldError::new(format!("lines.{at}.lot"), words)))
    });
    Ok(wrong.collect())
}

/// Recalled lots are neither picked nor dispatched: those of the lines that are `sent`.
async fn refuse_recalled(
    tx: &mut Tx<'_>,
    lines: &[ShipmentLine],
    sent: impl Fn(&ShipmentLine) -> bool,
) -> ApiResult<()> {
    let named: Vec<(String, String)> = lines
        .iter()
        .filter(|line| sent(line))
        .filter_map(|line| Some((line.product_id.clone(), line.lot.clone()?)))
        .collect();
    let recalled = lots::recalled(tx, &named).await?;
    let wrong: Vec<FieldError> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| sent(line))
        .filter_map(|(at, line)| {
            let lot = line.lot.as_ref()?;
            let found = recalled.iter().any(|(product, code)| *product == line.product_id && code == lot);
            let words =
                format!("Lot {lot} of {} is recalled and cannot be sent. Pick another lot.", line.name);
            found.then(|| FieldError::new(format!("lines.{at}.lot"), words))
        })
        .collect();
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(ApiError::conflict("recalled", first.message.clone()).at(wrong)),
    }
}

/// Dispatched quantities by order line.
fn of_orders(lines: &[ShipmentLine]) -> HashMap<String, Qty> {
    let mut sums: HashMap<String, Qty> = HashMap::new();
    for line in lines {
        if let Some(id) = &line.order_line_id {
            let sum = sums.entry(id.clone()).or_default();
            *sum = Qty(sum.0 + line.dispatched.0);
        }
    }
    sums
}

/// Never more than granted and not sent yet.
fn add_to_order(order: &mut Doc<orders::StoreOrder>, sent: &HashMap<String, Qty>) -> ApiResult<()> {
    if !orders::can_be_delivered(order.head.state) {
        let label = orders::StoreOrder::FLOW.label(order.head.state);
        let words = format!("Order {} is {label}; nothing more is sent for it.", order.head.number);
        return Err(ApiError::conflict("wrongStep", words).with("state", order.head.state.as_str().into()));
    }
    let number = order.head.number.clone();
    for line in &mut order.lines {
        let Some(qty) = sent.get(&line.id) else { continue };
        let rest = line.figures().to_send();
        if *qty > rest {
            let words = format!(
                "Only {rest} {} of {} are still to be sent for order {number}.",
                line.uom_code, line.name
            );
            return Err(ApiError::field("lines", words));
        }
        line.qty_dispatched = Qty(line.qty_dispatched.0 + qty.0);
    }
    Ok(())
}

fn taking(lines: &[ShipmentLine]) -> Vec<beyond::Taking<'_>> {
    let sent = lines.iter().enumerate().filter(|(_, line)| line.dispatched_base.0 > 0);
    sent.map(|(at, line)| beyond::Taking {
        field: format!("lines.{at}.picked"),
        product_id: &line.product_id,
        name: &line.name,
        qty: line.dispatched,
        uom_code: &line.uom_code,
        base: line.dispatched_base,
    })
    .collect()
}

/// A dispatch cannot exceed a balance: the lines that do.
fn missing(lines: &[ShipmentLine], there: &BTreeMap<String, AtPlace>) -> Vec<Failed> {
    let mut left: BTreeMap<&str, Qty> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.dispatched_base.0 > 0) {
        let Some(AtPlace::Balance(balance)) = there.get(&line.product_id) else { continue };
        let rest = left.entry(&line.product_id).or_insert(*balance);
        if line.dispatched_base > *rest {
            let unit = quantity::in_units(*rest, line.factor);
            let words = format!("Only {unit} {} on hand.", line.uom_code);
            wrong.push((line.id.clone(), FieldError::new(format!("lines.{at}.picked"), words)));
        }
        *rest = Qty(rest.0.saturating_sub(line.dispatched_base.0));
    }
    wrong
}

/// Nor can it take more of a lot than a place with a balance has: the lines that do.
async fn short_of_lot(
    tx: &mut Tx<'_>,
    from: &Place,
    lines: &[ShipmentLine],
    there: &BTreeMap<String, AtPlace>,
) -> ApiResult<Vec<Failed>> {
    let balances: BTreeMap<&str, Qty> = there
        .iter()
        .filter_map(|(id, at)| match at {
            AtPlace::Balance(balance) => Some((id.as_str(), *balance)),
            _ => None,
        })
        .collect();
    let taken: Vec<TakenLot<'_>> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.dispatched_base.0 > 0 && balances.contains_key(line.product_id.as_str()))
        .filter_map(|(at, line)| {
            Some(TakenLot {
                line_id: &line.id,
                field: format!("lines.{at}.picked"),
                product_id: &line.product_id,
                lot: line.lot.as_deref()?,
                base: line.dispatched_base,
                factor: line.factor,
                uom_code: &line.uom_code,
            })
        })
        .collect();
    Ok(typed_lots::short_of_lot(tx, from, &taken, &balances).await?)
}

/// How much of each line comes from stock with its lot. At a place that keeps a balance, the rest gets the lot by being
/// dispatched. What a store sends had the lot before, whether or not its receipt is already entered.
async fn labelled(tx: &mut Tx<'_>, from: &Place, lines: &[ShipmentLine]) -> ApiResult<Vec<Qty>> {
    if from.kind == PlaceKind::Store {
        let of_lot = |line: &ShipmentLine| line.lot.as_ref().map_or(Qty::ZERO, |_| line.dispatched_base);
        return Ok(lines.iter().map(of_lot).collect());
    }
    let ids: BTreeSet<&str> = lines.iter().map(|line| line.product_id.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    // A line may name an expired lot.
    let found = lots::first_to_expire(tx, from, &ids, None).await?;
    let mut left: HashMap<(String, String), Qty> =
        found.into_iter().map(|lot| ((lot.product_id, lot.lot), lot.qty)).collect();
    Ok(lines
        .iter()
        .map(|line| {
            let key = line.lot.as_ref().map(|lot| (line.product_id.clone(), lot.clone()));
            let Some(rest) = key.and_then(|key| left.get_mut(&key)) else { return Qty::ZERO };
            let part = Qty(rest.0.min(line.dispatched_base.0));
            *rest = Qty(rest.0 - part.0);
            part
        })
        .collect())
}

/// Offset of movement line numbers for stock without a lot.
const UNLABELLED: i64 = 1_000_000;

fn movements(lines: &[ShipmentLine], from: &Place, to: &Place, labelled: Vec<Qty>) -> Vec<Movement> {
    let mut movements = Vec::with_capacity(lines.len() * 2);
    for (number, (line, labelled)) in (1..).zip(lines.iter().zip(labelled)) {
        let rest = Qty(line.dispatched_base.0 - labelled.0);
        for (qty, number, lot) in [(labelled, number, line.lot.clone()), (rest, number + UNLABELLED, None)] {
            if qty.0 <= 0 {
                continue;
            }
            let side = |place: &Place, qty, leg, lot| Movement {
                item: stock::product(&line.product_id),
                place: place.clone(),
                qty,
                unit_cost: None,
                line: number,
                leg,
                lot,
            };
            movements.push(side(from, Qty(-qty.0), Leg::From, lot));
            movements.push(side(to, qty, Leg::To, line.lot.clone()));
        }
    }
    movements
}

/// Undoes a dispatch: stock, figures and orders.
pub(super) async fn take_back<D: Shipment>(
    tx: &mut Tx<'_>,
    body: &TakeStep,
    doc: &mut Doc<D>,
) -> ApiResult<()> {
    let sent = of_orders(&doc.lines);
    orders::change(tx, &doc.details.order_ids, |order| {
        for line in &mut order.lines {
            if let Some(qty) = sent.get(&line.id) {
                line.qty_dispatched = Qty(line.qty_dispatched.0 - qty.0);
            }
        }
        Ok(())
    })
    .await?;
    let posted = doc.details.postings;
    doc.details.postings += 1;
    let original = stock::Document { posting: posted, ..document(doc) };
    let reversed = write::take_back(tx, (original, document(doc)), body).await?;
    doc.answer.reversed = Some(reversed);
    doc.details.dispatched_at = None;
    // A packed delivery keeps the reasons of its expired lots; the lines of a draft can change.
    let packed = doc.head.state == ShipmentState::Packed;
    doc.details.overrides.retain(|kept| packed && kept.check == LineCheck::Expired);
    for line in &mut doc.lines {
        line.dispatched = Qty::ZERO;
        line.dispatched_base = Qty::ZERO;
    }
    Ok(())
}
