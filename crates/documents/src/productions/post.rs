//! Posting a batch: ingredients leave the kitchen's stock, the output enters it as one lot.

use std::collections::{BTreeMap, HashMap};

use larder_domain::document::order::{MUCH_MORE, is_much_more};
use larder_domain::ledger::{Leg, Movement};

use super::*;
use crate::products;
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
    let place = kitchen(doc);
    let Some(made) = doc.lines.iter().find(|line| line.side == MADE).cloned() else {
        return Err(ApiError::internal(anyhow::anyhow!("a batch that makes nothing")));
    };
    if made.base()?.0 <= 0 {
        return Err(ApiError::field("made", "Say how much was made, or cancel the batch."));
    }
    // Locked in the ledger's order, before anything is refused.
    let mut there = BTreeMap::new();
    let mut ids: Vec<&String> = doc.lines.iter().map(|line| &line.product_id).collect();
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        there.insert(id.clone(), stock::hold_balance(tx, &stock::product(id), &place).await?);
    }
    if !overridden {
        if is_much_more(made.planned, made.actual.unwrap_or(made.planned)) {
            let words = format!(
                "This is more than {MUCH_MORE} times the {} {} that were planned. Check the quantity.",
                made.planned, made.uom_code
            );
            return Err(much_more(vec![FieldError::new("made", words)]));
        }
        refuse_missing(doc, there)?;
        refuse_expired(tx, doc, BusinessDay::of(ctx.who.at)).await?;
    }
    // After other overridable checks: a reason for the date must not silently allow negative stock.
    let day = doc.head.on_date.min(BusinessDay::of(ctx.who.at));
    may_post::<Production>(tx, ctx, body, day).await?;
    if let Some(code) = &made.lot {
        let lot = lots::Lot { code: code.clone(), expiry: made.expiry };
        lots::register(tx, &made.product_id, &lot, DocumentType::Production, &doc.head.id).await?;
    }
    let movements = movements(tx, doc, &place, (!overridden).then_some(day)).await?;
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
        let there = stock::hold_balance(tx, &stock::product(&line.product_id), &place).await?;
        let made = line.base()?;
        let gone = match &line.lot {
            Some(lot) => lots::at(tx, &place, &line.product_id, lot).await?.min(there) < made,
            None => there < made,
        };
        if gone {
            let words =
                format!("Part of this batch has left already: only {there} {} on hand.", line.uom_code);
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
    line.lot.get_or_insert(number);
    let days = i32::try_from(days).unwrap_or(i32::MAX).min(36_500);
    line.expiry.get_or_insert(BusinessDay::of(ctx.who.at).plus(days));
    Ok(())
}

/// Refuses ingredients that are not in stock.
fn refuse_missing(doc: &Doc<Production>, mut there: BTreeMap<String, Qty>) -> ApiResult<()> {
    let mut wrong = Vec::new();
    for (at, line) in doc.lines.iter().filter(|line| line.side == USED).enumerate() {
        let rest = there.entry(line.product_id.clone()).or_default();
        let base = line.base()?;
        if base > *rest {
            let units = i128::from(rest.0.max(0)) * 1_000_000_000 / i128::from(line.factor.0.max(1));
            let units = Qty(i64::try_from(units).unwrap_or(0));
            let words = format!("Only {units} {} on hand.", line.uom_code);
            wrong.push(FieldError::new(format!("lines.{at}.qty"), words));
        }
        *rest = Qty(rest.0.saturating_sub(base.0));
    }
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(ApiError::conflict("notEnough", first.message.clone()).at(wrong)),
    }
}

/// Ingredients of a lot that has expired are used only with an override.
async fn refuse_expired(tx: &mut Tx<'_>, doc: &Doc<Production>, today: BusinessDay) -> ApiResult<()> {
    let used = || doc.lines.iter().filter(|line| line.side == USED).enumerate();
    let named: Vec<(String, String)> =
        used().filter_map(|(_, line)| Some((line.product_id.clone(), line.lot.clone()?))).collect();
    let expiries = lots::expiries(tx, &named).await?;
    let wrong = used().filter_map(|(at, line)| {
        let lot = line.lot.clone()?;
        let expiry = expiries.get(&(line.product_id.clone(), lot.clone())).copied().flatten()?;
        let words = format!("Lot {lot} of {} expired on {}. Use another lot.", line.name, expiry.display());
        (expiry < today).then(|| FieldError::new(format!("lines.{at}.lot"), words))
    });
    let wrong: Vec<FieldError> = wrong.collect();
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(ApiError::conflict("expired", first.message.clone()).at(wrong)),
    }
}

/// Offset of movement line numbers for parts from other lots: a thousand for each line.
const PARTS: i64 = 1_000;

/// Ingredients leave by lot, earliest expiry first, unless the line names one; stock without a lot leaves
/// without. Lots expired on a day are left.
async fn movements(
    tx: &mut Tx<'_>,
    doc: &Doc<Production>,
    place: &Place,
    usable_on: Option<BusinessDay>,
) -> ApiResult<Vec<Movement>> {
    let ids: Vec<&str> =
        doc.lines.iter().filter(|line| line.side == USED).map(|line| line.product_id.as_str()).collect();
    let found = lots::first_to_expire(tx, place, &ids, usable_on).await?;
    let mut left: HashMap<&str, Vec<(String, Qty)>> = HashMap::new();
    for lot in &found {
        left.entry(&lot.product_id).or_default().push((lot.lot.clone(), lot.qty));
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
        for (lot, qty) in left.get_mut(line.product_id.as_str()).into_iter().flatten() {
            let named = line.lot.as_ref().is_none_or(|wished| wished == lot);
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
