//! Posting a batch: ingredients leave the kitchen's stock, the output enters it as one lot.

use std::collections::{BTreeMap, HashMap};

use larder_domain::document::order::{MUCH_MORE, is_much_more};
use larder_domain::ledger::{Leg, Movement};

use super::*;
use crate::overrides::{self, Failed, LineCheck};
use crate::products;
use crate::typed_lots::{self, TakenLot, TypedLot};
use crate::write::{may_post, much_more, overridden, take_back};
use larder_ledgers::stock;
use larder_ledgers::stock::{Posting, lots};

pub(super) async fn post(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<Production>,
) -> ApiResult<()> {
    let overridden = overridden::<Production>(ctx, body, "Say why.")?;
    for line in &mut doc.lines {
        line.actual.get_or_insert(line.planned);
    }
    label(tx, ctx, doc).await?;
    refuse_recalled(tx, doc).await?;
    date_ingredients(tx, doc).await?;
    let place = kitchen(doc);
    let Some(made) = doc.lines.iter().find(|line| line.side == MADE).cloned() else {
        return Err(ApiError::internal(anyhow::anyhow!("a batch that makes nothing")));
    };
    if made.base()?.0 <= 0 {
        return Err(ApiError::field("made", "Say how much was made, or cancel the batch."));
    }
    let day = doc.head.on_date.min(BusinessDay::of(ctx.who.at));
    // Locked in the ledger's order, before anything is refused.
    let mut there = BTreeMap::new();
    let mut ids: Vec<&String> = doc.lines.iter().map(|line| &line.product_id).collect();
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        there.insert(id.clone(), stock::hold_balance(tx, &stock::product(id), &place).await?);
    }
    if !overridden && is_much_more(made.planned, made.actual.unwrap_or(made.planned)) {
        let words = format!(
            "This is more than {MUCH_MORE} times the {} {} that were planned. Check the quantity.",
            made.planned, made.uom_code
        );
        return Err(much_more(vec![FieldError::new("made", words)]));
    }
    let mut kept = Vec::new();
    let reason = overrides::reason_of(overridden, body.reason.as_deref());
    let mut short = missing(doc, there.clone())?;
    if short.is_empty() {
        short = short_of_lot(tx, doc, &place, &there).await?;
    }
    overrides::check(LineCheck::NotEnough, short, reason, &mut kept)?;
    overrides::check(LineCheck::Expired, expired(doc, day), reason, &mut kept)?;
    doc.details.overrides = kept;
    // After other overridable checks: a reason for the date must not silently allow negative stock.
    may_post::<Production>(tx, ctx, body, day).await?;
    if let Some(lot) = made.lot {
        let (field, product_id, expiry) = ("expiry".to_owned(), made.product_id, made.expiry);
        let typed = [TypedLot { field, product_id, lot, expiry }];
        typed_lots::register(tx, &typed, DocumentType::Production, &doc.head.id).await?;
    }
    let movements = movements(tx, doc, &place, day).await?;
    doc.details.postings += 1;
    let posting = Posting {
        document: document(doc, doc.details.postings),
        business_date: day,
        happened_at: None,
        reason: body.reason.as_deref().filter(|_| overridden),
        movements: &movements,
    };
    stock::post(tx, &posting).await?;
    Ok(())
}

pub(super) async fn reverse(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<Production>,
) -> ApiResult<()> {
    let overridden = overridden::<Production>(ctx, body, "Say why.")?;
    let place = kitchen(doc);
    let made = doc.lines.iter().find(|line| line.side == MADE);
    if let Some(line) = made.filter(|_| !overridden) {
        let total = stock::hold_balance(tx, &stock::product(&line.product_id), &place).await?;
        let there = match &line.lot {
            Some(lot) => lots::at(tx, &place, &line.product_id, lot).await?.min(total),
            None => total,
        };
        if there < line.base()? {
            let (there, uom) = (quantity::in_units(there, line.factor), &line.uom_code);
            let of_lot = line.lot.as_ref().map(|lot| format!(" of lot {lot}")).unwrap_or_default();
            let words = format!("Part of this batch has left already: only {there} {uom}{of_lot} on hand.");
            return Err(ApiError::conflict("notEnough", words));
        }
    }
    let posted = doc.details.postings;
    doc.details.postings += 1;
    let reversed = take_back(tx, (document(doc, posted), document(doc, posted + 1)), body).await?;
    doc.answer.reversed = Some(reversed);
    Ok(())
}

fn document(doc: &Doc<Production>, posting: i64) -> stock::Document<'_> {
    stock::Document { kind: DocumentType::Production, id: &doc.head.id, posting }
}

/// Output with a shelf life gets a lot and an expiry date: by default the batch's number.
async fn label(tx: &mut Tx<'_>, ctx: Ctx<'_>, doc: &mut Doc<Production>) -> ApiResult<()> {
    let known = products::by_id(tx, &[&doc.details.product_id]).await?;
    let shelf_life = known.get(&doc.details.product_id).and_then(|product| product.shelf_life);
    let number = doc.head.number.clone();
    let Some(line) = doc.lines.iter_mut().find(|line| line.side == MADE) else { return Ok(()) };
    let Some(days) = shelf_life.filter(|days| *days > 0) else { return Ok(()) };
    let lot = line.lot.get_or_insert(number).clone();
    if line.expiry.is_none() {
        let known = lots::expiries(tx, &[(line.product_id.clone(), lot)]).await?;
        line.expiry = known.into_values().next().flatten();
    }
    let days = i32::try_from(days).unwrap_or(i32::MAX).min(36_500);
    line.expiry.get_or_insert(BusinessDay::of(ctx.who.at).plus(days));
    Ok(())
}

/// The ingredients that are not in stock.
fn missing(doc: &Doc<Production>, mut there: BTreeMap<String, Qty>) -> ApiResult<Vec<Failed>> {
    let mut wrong = Vec::new();
    for (at, line) in doc.lines.iter().filter(|line| line.side == USED).enumerate() {
        let rest = there.entry(line.product_id.clone()).or_default();
        let base = line.base()?;
        if base > *rest {
            let units = quantity::in_units(*rest, line.factor);
            let words = format!("Only {units} {} on hand.", line.uom_code);
            wrong.push((line.id.clone(), FieldError::new(format!("lines.{at}.qty"), words)));
        }
        *rest = Qty(rest.0.saturating_sub(base.0));
    }
    Ok(wrong)
}

/// The ingredients of which the named lot is not in stock.
async fn short_of_lot(
    tx: &mut Tx<'_>,
    doc: &Doc<Production>,
    place: &Place,
    there: &BTreeMap<String, Qty>,
) -> ApiResult<Vec<Failed>> {
    let mut taken = Vec::new();
    for (at, line) in doc.lines.iter().filter(|line| line.side == USED).enumerate() {
        let Some(lot) = line.lot.as_deref() else { continue };
        taken.push(TakenLot {
            line_id: &line.id,
            field: format!("lines.{at}.qty"),
            product_id: &line.product_id,
            lot,
            base: line.base()?,
            factor: line.factor,
            uom_code: &line.uom_code,
        });
    }
    let balances = there.iter().map(|(id, qty)| (id.as_str(), *qty)).collect();
    Ok(typed_lots::short_of_lot(tx, place, &taken, &balances).await?)
}

/// The lots that lines of ingredients name.
fn named(doc: &Doc<Production>) -> Vec<(String, String)> {
    let used = doc.lines.iter().filter(|line| line.side == USED);
    used.filter_map(|line| Some((line.product_id.clone(), line.lot.clone()?))).collect()
}

/// Recalled lots are not used, whatever the permissions.
async fn refuse_recalled(tx: &mut Tx<'_>, doc: &Doc<Production>) -> ApiResult<()> {
    let recalled = lots::recalled(tx, &named(doc)).await?;
    let used = doc.lines.iter().filter(|line| line.side == USED).enumerate();
    let wrong = used.filter_map(|(at, line)| {
        let lot = line.lot.as_ref()?;
        let found = recalled.iter().any(|(product, code)| *product == line.product_id && code == lot);
        let words = format!("Lot {lot} of {} is recalled and cannot be used. Use another lot.", line.name);
        found.then(|| FieldError::new(format!("lines.{at}.lot"), words))
    });
    let wrong: Vec<FieldError> = wrong.collect();
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(ApiError::conflict("recalled", first.message.clone()).at(wrong)),
    }
}

/// Ingredients of a named lot get its expiry date.
async fn date_ingredients(tx: &mut Tx<'_>, doc: &mut Doc<Production>) -> ApiResult<()> {
    let expiries = lots::expiries(tx, &named(doc)).await?;
    for line in doc.lines.iter_mut().filter(|line| line.side == USED) {
        let lot = line.lot.clone().map(|lot| (line.product_id.clone(), lot));
        line.expiry = lot.and_then(|lot| expiries.get(&lot).copied().flatten());
    }
    Ok(())
}

/// Ingredients of a lot that has expired are used only with an override: their lines.
fn expired(doc: &Doc<Production>, day: BusinessDay) -> Vec<Failed> {
    let used = doc.lines.iter().filter(|line| line.side == USED).enumerate();
    let wrong = used.filter_map(|(at, line)| {
        let (lot, expiry) = (line.lot.as_ref()?, line.expiry?);
        let words = format!("Lot {lot} of {} expired on {}. Use another lot.", line.name, expiry.display());
        (expiry < day).then(|| (line.id.clone(), FieldError::new(format!("lines.{at}.lot"), words)))
    });
    wrong.collect()
}

/// Offset of movement line numbers for parts from other lots: a thousand for each line.
const PARTS: i64 = 1_000;

/// Ingredients leave by lot, earliest expiry first, unless the line names one; stock without a lot leaves
/// without. A lot that has expired is used only if a line names it.
async fn movements(
    tx: &mut Tx<'_>,
    doc: &Doc<Production>,
    place: &Place,
    day: BusinessDay,
) -> ApiResult<Vec<Movement>> {
    let ids: Vec<&str> =
        doc.lines.iter().filter(|line| line.side == USED).map(|line| line.product_id.as_str()).collect();
    let found = lots::first_to_expire(tx, place, &ids, None).await?;
    let mut left: HashMap<&str, Vec<(String, Qty, bool)>> = HashMap::new();
    for lot in &found {
        left.entry(&lot.product_id).or_default().push((
            lot.lot.clone(),
            lot.qty,
            lot.expiry.is_some_and(|expiry| expiry < day),
        ));
    }
    let mut movements = Vec::new();
    for line in &doc.lines {
        let base = line.base()?;
        if base.0 <= 0 {
            continue;
        }
        let mut part = 0;
        let mut push = |qty: Qty, lot: Option<String>| {
            movements.push(Movement {
                item: stock::product(&line.product_id),
                place: place.clone(),
                qty,
                unit_cost: None,
                line: line.position * PARTS + part,
                leg: Leg::Only,
                lot,
            });
            part += 1;
        };
        if line.side == MADE {
            push(base, line.lot.clone());
            continue;
        }
        let mut rest = base.0;
        for (lot, qty, expired) in left.get_mut(line.product_id.as_str()).into_iter().flatten() {
            let named = line.lot.as_ref().map_or(!*expired, |wished| wished == lot);
            let taken = rest.min(qty.0);
            if !named || taken <= 0 {
                continue;
            }
            *qty = Qty(qty.0 - taken);
            rest -= taken;
            push(Qty(-taken), Some(lot.clone()));
        }
        if rest > 0 {
            push(Qty(-rest), None);
        }
    }
    Ok(movements)
}
