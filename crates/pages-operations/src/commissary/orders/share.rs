//! Allocates the available stock: computed over all demand, written to all orders or none.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use axum::http::HeaderMap;
use larder_domain::decimal::div_round;
use larder_domain::document::quantity;
use larder_domain::document::share::{Ask, days_of_cover, equal_cover, proportional};
use larder_domain::{BusinessDay, Factor, Qty, plural};
use serde_json::{Map, Value};

use super::matrix::OpenOrders;
use super::model::{ShareBody, SharedLine, SharedOrder, SharedOut, SharedProduct};
use larder_documents::orders;
use larder_documents::orders::kitchen::OpenLine;
use larder_documents::orders::suggestion::Situation;
use larder_documents::orders::{Grant, Share, ShareMethod};
use larder_documents::products;
use larder_documents::products::Product;
use larder_documents::{Ctx, typed};
use larder_platform::AppState;
use larder_platform::http::retry::{Key, once};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Allocate a commissary's stock to store orders. Without `dryRun` the shares are written to the orders, which approves
/// submitted ones: all of them or none. What a store does not get stays short until it is sent or closed short.
#[utoipa::path(post, path = "/api/commissary/orders/share", tag = "commissary orders", request_body = ShareBody,
    responses((status = 200, body = SharedOut)))]
pub(crate) async fn share_commissary_orders(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Json(body): Json<Map<String, Value>>,
) -> ApiResult<Json<SharedOut>> {
    let key = Key::of(&headers, "share orders".to_owned(), &body)?;
    let body: ShareBody = typed(body)?;
    let open_orders = OpenOrders::read(&state, &who, &body.commissary_id, &body.needed_date).await?;
    let products = shares(&state, &open_orders, &body).await?;
    if body.dry_run {
        return Ok(Json(SharedOut { written: false, products, orders: Vec::new() }));
    }
    let grants = grants(&open_orders, &products, body.method);
    let seen: Vec<(String, i64)> =
        open_orders.orders.iter().map(|order| (order.id.clone(), order.revision)).collect();
    let products = serde_json::to_value(&products).map_err(ApiError::internal)?;
    let actor = who.actor();
    let written = once(&state.db, &actor, key.as_ref(), async |tx| {
        refuse_changed(&open_orders, &body)?;
        let heads = orders::grant(tx, Ctx::new(&state, &who), &seen, &grants).await?;
        let orders: Vec<SharedOrder> = heads
            .into_iter()
            .map(|head| SharedOrder {
                id: head.id,
                order_no: head.number,
                status: head.state.as_str().to_owned(),
                revision: head.revision,
            })
            .collect();
        Ok(serde_json::json!({ "written": true, "products": products, "orders": orders }))
    });
    serde_json::from_value(written.await?).map(Json).map_err(ApiError::internal)
}

/// Refuses if an order was changed, added or removed since the caller read them.
fn refuse_changed(open_orders: &OpenOrders, body: &ShareBody) -> ApiResult<()> {
    let seen: HashMap<&str, i64> =
        body.orders.iter().map(|order| (order.id.as_str(), order.revision)).collect();
    let changed: Vec<&str> = open_orders
        .orders
        .iter()
        .filter(|order| seen.get(order.id.as_str()) != Some(&order.revision))
        .map(|order| order.number.as_str())
        .collect();
    let gone = body.orders.iter().any(|seen| open_orders.orders.iter().all(|order| order.id != seen.id));
    if changed.is_empty() && !gone { Ok(()) } else { Err(orders::changed_since(&changed)) }
}

/// What is still to be sent of a line, in its unit: what it claims.
fn wanted_of(line: &OpenLine) -> Qty {
    line.standing().to_send
}

/// A line that claims part of the stock.
struct Wish<'a> {
    line: &'a OpenLine,
    store_id: &'a str,
    /// Tie-breaker between equal claims: store, then line.
    name: String,
    /// The smallest step it is sent in, in its unit.
    step: Qty,
    /// The manual allocation, in its unit.
    by_hand: Option<Qty>,
    position: Option<Qty>,
    daily_use: Option<Qty>,
}

async fn shares(
    state: &AppState,
    open_orders: &OpenOrders,
    body: &ShareBody,
) -> ApiResult<Vec<SharedProduct>> {
    let mut ids: Vec<&str> = open_orders.lines.iter().map(|line| line.product_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let known = products::by_id_now(&state.db, &ids).await?;
    let store_of: HashMap<&str, &str> =
        open_orders.orders.iter().map(|order| (order.id.as_str(), order.store_id.as_str())).collect();
    let by_hand = by_hand(open_orders, body, &known)?;
    let mut of_product: BTreeMap<&str, Vec<Wish<'_>>> = BTreeMap::new();
    for line in &open_orders.lines {
        let wished = body.product_ids.as_ref().is_none_or(|ids| ids.contains(&line.product_id));
        if !wished {
            continue;
        }
        let store_id = store_of.get(line.document_id.as_str()).copied().unwrap_or_default();
        let whole = known
            .get(&line.product_id)
            .and_then(|product| product.unit(&line.uom_id))
            .is_none_or(|unit| unit.whole)
            // Two bags ordered means whole bags, even if the unit is divisible.
            || wanted_of(line).0 % 1_000_000 == 0;
        of_product.entry(&line.product_id).or_default().push(Wish {
            line,
            store_id,
            name: format!("{store_id} {}", line.id),
            step: if whole { Qty(1_000_000) } else { Qty(1_000) },
            by_hand: by_hand.get(line.id.as_str()).map(|(_, qty)| *qty),
            position: None,
            daily_use: None,
        });
    }
    let there = |product: &str| {
        let (on_hand, incoming) = open_orders.there(product);
        Qty(on_hand.0.max(0).saturating_add(if body.with_incoming { incoming.0 } else { 0 }))
    };
    if body.method == ShareMethod::EqualCover {
        let short = of_product.iter_mut().filter(|(id, wishes)| wanted(wishes) > there(id));
        cover(state, open_orders, &known, short.map(|(id, wishes)| (*id, wishes)).collect()).await?;
    }
    let mut wrong = Vec::new();
    let mut shared = Vec::with_capacity(of_product.len());
    for (id, wishes) in &of_product {
        let name = known.get(*id).map_or("", |product| product.name.as_str());
        refuse_too_much(wishes, there(id), name, &by_hand, &mut wrong);
        let mut product = share(id, wishes, there(id), body.method);
        name.clone_into(&mut product.name);
        tell(open_orders, &mut product);
        shared.push(product);
    }
    if wrong.is_empty() { Ok(shared) } else { Err(ApiError::invalid(wrong)) }
}

/// The manually allocated lines, with their indexes in the body.
fn by_hand<'a>(
    open_orders: &'a OpenOrders,
    body: &ShareBody,
    known: &HashMap<String, Product>,
) -> ApiResult<HashMap<&'a str, (usize, Qty)>> {
    let (mut found, mut wrong) = (HashMap::new(), Vec::new());
    for (at, said) in body.lines.iter().enumerate() {
        let field = |name: &str| format!("lines.{at}.{name}");
        let Some(line) = open_orders.lines.iter().find(|line| line.id == said.order_line_id) else {
            let words = "No order has this line any more. Reload to continue.";
            wrong.push(FieldError::new(field("orderLineId"), words));
            continue;
        };
        let qty = products::qty(Some(&said.qty)).and_then(|qty| {
            // The full ordered quantity may always be granted, even if the unit became whole-only since.
            let whole =
                qty != wanted_of(line) && products::comes_whole(known, &line.product_id, &line.uom_id);
            quantity::check_some(qty, line.factor, whole)
                .map(|()| qty)
                .map_err(|error| error.message(&line.uom_code))
        });
        match qty {
            Ok(qty) => {
                found.insert(line.id.as_str(), (at, qty));
            }
            Err(message) => wrong.push(FieldError::new(field("qty"), message)),
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(ApiError::invalid(wrong)) }
}

fn base(line: &OpenLine, qty: Qty) -> Qty {
    quantity::base(qty, line.factor).unwrap_or_default()
}

fn wanted(wishes: &[Wish<'_>]) -> Qty {
    Qty(wishes.iter().fold(0, |sum, wish| sum.saturating_add(base(wish.line, wanted_of(wish.line)).0)))
}

/// Each store's stock and daily use of the products in shortage.
async fn cover(
    state: &AppState,
    open_orders: &OpenOrders,
    known: &HashMap<String, Product>,
    short: Vec<(&str, &mut Vec<Wish<'_>>)>,
) -> ApiResult<()> {
    if short.is_empty() {
        return Ok(());
    }
    // Other products may map to the same root items; a store's stock of those counts too.
    let all = products::orderable(&state.db).await?;
    let mut situations: HashMap<String, Situation> = HashMap::new();
    for (id, wishes) in short {
        for wish in wishes {
            let Some(product) = known.get(id) else { continue };
            if !situations.contains_key(wish.store_id) {
                let now = state.now();
                let day = open_orders.until.min(BusinessDay::of(now));
                let read = Situation::read(&state.db, wish.store_id, (day, now), &all, None).await?;
                situations.insert(wish.store_id.to_owned(), read);
            }
            let (Some(unit), [part]) =
                (product.unit(&wish.line.uom_id), product.root_item_conversions.as_slice())
            else {
                continue;
            };
            let advice = situations[wish.store_id].advise(product, &unit);
            let in_base = |root: i64| {
                div_round(i128::from(root) * 1_000_000_000, i128::from(part.factor.0.max(1))).map(Qty)
            };
            wish.position = advice.as_ref().and_then(|advice| {
                let usable = advice.on_hand.unwrap_or_default().0.saturating_sub(advice.unusable.0);
                in_base(usable.saturating_add(advice.due.in_transit.0))
            });
            wish.daily_use = advice.and_then(|advice| in_base(advice.daily_use.0));
        }
    }
    Ok(())
}

/// Refuses manual allocations above the quantity ordered, or above the stock in total.
fn refuse_too_much(
    wishes: &[Wish<'_>],
    there: Qty,
    name: &str,
    by_hand: &HashMap<&str, (usize, Qty)>,
    wrong: &mut Vec<FieldError>,
) {
    let mut left = there.0;
    for wish in wishes {
        let Some(qty) = wish.by_hand else { continue };
        let at = by_hand.get(wish.line.id.as_str()).map_or(0, |(at, _)| *at);
        let (most, code) = (wanted_of(wish.line), &wish.line.uom_code);
        let message = if qty > most {
            Some(format!("At most {most} {code} were ordered."))
        } else if base(wish.line, qty).0 > left {
            let units = quantity::in_units(Qty(left), wish.line.factor);
            Some(format!("Only {units} {code} are left of {name}."))
        } else {
            None
        };
        left -= base(wish.line, qty).0;
        wrong.extend(message.map(|words| FieldError::new(format!("lines.{at}.qty"), words)));
    }
}

fn share(product_id: &str, wishes: &[Wish<'_>], there: Qty, method: ShareMethod) -> SharedProduct {
    let decided: i64 =
        wishes.iter().filter_map(|wish| Some(base(wish.line, wish.by_hand?).0)).fold(0, i64::saturating_add);
    let open: Vec<&Wish<'_>> = wishes.iter().filter(|wish| wish.by_hand.is_none()).collect();
    let asks: Vec<Ask<'_>> = open
        .iter()
        .map(|wish| Ask {
            store: &wish.name,
            need: base(wish.line, wanted_of(wish.line)),
            pack: base(wish.line, wish.step),
            position: wish.position.unwrap_or_default(),
            rate: wish.daily_use.unwrap_or_default(),
        })
        .collect();
    let left = Qty((there.0 - decided).max(0));
    let (given, days) = match method {
        ShareMethod::EqualCover => (equal_cover(&asks, left), days_of_cover(&asks, left)),
        _ => (proportional(&asks, left), None),
    };
    let mut parts: HashMap<&str, Qty> = HashMap::with_capacity(open.len());
    for ((wish, ask), given) in open.iter().zip(&asks).zip(given) {
        let want = wanted_of(wish.line);
        // In whole steps of the line's unit; a fully granted line gets its full quantity, ignoring rounding
        // of factors.
        let steps = if ask.pack.0 > 0 { given.0 / ask.pack.0 } else { 0 };
        let qty = Qty(steps.saturating_mul(wish.step.0)).min(want);
        parts.insert(&wish.line.id, qty);
    }
    let lines: Vec<SharedLine> = wishes
        .iter()
        .map(|wish| SharedLine {
            store_id: wish.store_id.to_owned(),
            order_id: wish.line.document_id.clone(),
            order_line_id: wish.line.id.clone(),
            wanted: wanted_of(wish.line),
            before: wish.line.standing().sendable,
            share: wish
                .by_hand
                .unwrap_or_else(|| parts.get(wish.line.id.as_str()).copied().unwrap_or_default()),
            short: Qty::ZERO,
            by_hand: wish.by_hand.is_some(),
            position: wish.position,
            daily_use: wish.daily_use,
        })
        .map(|line| SharedLine { short: Qty(line.wanted.0 - line.share.0), ..line })
        .collect();
    let given = wishes.iter().zip(&lines).fold(0, |sum, (wish, line)| sum + base(wish.line, line.share).0);
    let tenths = days.map(|days| Qty((days.clamp(0.0, 100_000.0) * 10.0).round() as i64 * 100_000));
    let wanted = wanted(wishes);
    SharedProduct {
        product_id: product_id.to_owned(),
        name: String::new(),
        uom_code: String::new(),
        available: there,
        wanted,
        given: Qty(given),
        short: Qty(wanted.0 - given),
        words: None,
        days: tenths,
        lines,
    }
}

/// Says what changes for a product, store by store, and how much stays short, in the unit most of it is ordered in.
fn tell(open_orders: &OpenOrders, product: &mut SharedProduct) {
    let Some(usual) = open_orders.usual_line(&product.product_id) else { return };
    let factor = usual.factor;
    product.uom_code.clone_from(&usual.uom_code);
    let factors: HashMap<&str, Factor> =
        open_orders.lines.iter().map(|line| (line.id.as_str(), line.factor)).collect();
    let mut of_store: HashMap<&str, (i64, i64, i64)> = HashMap::new();
    for line in &product.lines {
        let Some(factor) = factors.get(line.order_line_id.as_str()) else { continue };
        let base = |qty: Qty| quantity::base(qty, *factor).unwrap_or_default().0;
        let sums = of_store.entry(&line.store_id).or_default();
        sums.0 += base(line.wanted);
        sums.1 += base(line.before);
        sums.2 += base(line.share);
    }
    let unit = |base: i64| {
        Qty(div_round(i128::from(base) * 1_000_000_000, i128::from(factor.0.max(1))).unwrap_or_default())
    };
    let (mut sharing, mut changes) = (0_u32, Vec::new());
    // Orders are sorted by store.
    for orders in open_orders.orders.chunk_by(|a, b| a.store_id == b.store_id) {
        let store = &orders[0];
        let Some((wanted, before, after)) = of_store.get(store.store_id.as_str()) else { continue };
        sharing += u32::from(*wanted > 0);
        if before != after {
            changes.push(format!("{} {} → {}", store.store, unit(*before), unit(*after)));
        }
    }
    if changes.is_empty() && product.short.0 <= 0 {
        return;
    }
    let code = &product.uom_code;
    let mut words = format!(
        "Shared {} {code} of {} over {}",
        unit(product.given.0),
        product.name,
        plural(sharing, "store", "stores")
    );
    if !changes.is_empty() {
        words.push_str(": ");
        words.push_str(&changes.join(", "));
    }
    words.push('.');
    if product.short.0 > 0 {
        let why = if product.available < product.wanted {
            format!("there were {} {code} for {}", unit(product.available.0), unit(product.wanted.0))
        } else {
            "the kitchen decided".to_owned()
        };
        words.push_str(&format!(" {} {code} stay short: {why}.", unit(product.short.0)));
    }
    product.words = Some(words);
}

/// The quantities to write to the lines; only lines in shortage carry a share.
fn grants(
    open_orders: &OpenOrders,
    products: &[SharedProduct],
    method: ShareMethod,
) -> HashMap<String, Grant> {
    let before: HashMap<&str, &OpenLine> =
        open_orders.lines.iter().map(|line| (line.id.as_str(), line)).collect();
    let mut grants = HashMap::new();
    for product in products {
        for line in &product.lines {
            let known = before.get(line.order_line_id.as_str());
            let shared_before = known.is_some_and(|known| known.share.is_some());
            if line.share == line.wanted && !line.by_hand && !shared_before {
                // Granted as ordered, or as set manually before.
                continue;
            }
            let share = (line.share != line.wanted).then_some(Share {
                method: if line.by_hand { ShareMethod::ByHand } else { method },
                available: product.available,
                wanted: product.wanted,
                days: product.days,
                // Known once the order is held.
                up_to: None,
            });
            grants.insert(line.order_line_id.clone(), Grant { qty: line.share, share });
        }
    }
    grants
}
