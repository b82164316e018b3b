//! A store's plan.

use larder_db::{Db, DbError, Json};
use larder_domain::{BusinessDay, Money, Qty};
use larder_planning::Refusal;
use larder_planning::method::Method;

use super::super::queries::{self, Store};
use super::explanation::why;
use super::forecasts::{Ask, Forecasts};
use super::line::{Choice, Need, Part, choices, cover, days, need};
use super::position::{Position, positions};
use super::storage_fit::keep_within;
use super::{AHEAD, Delivery, PlanContext, number, quantity};
use larder_documents::orders::coming::Coming;
use larder_ledgers::plans::{Ahead, Line, StoreRun};
use larder_platform::http::text::fold;

/// Days without sales after which a store's stock is reported as uncertain.
const LATE_DAYS: i32 = 2;

/// Input of a store's plan.
#[derive(Clone, Copy)]
pub struct PlanInput<'a> {
    pub run_id: &'a str,
    pub store: &'a Store,
    /// Expected deliveries to the store.
    pub coming: &'a [Coming],
    /// Committed to other stores: product, quantity in base units.
    pub committed: &'a [(String, Qty)],
}

/// Result of a store's plan.
#[derive(Debug)]
pub struct Planned {
    pub run: StoreRun,
    pub lines: Vec<Line>,
    /// Root items that could not be planned, with the reason.
    pub failed: Vec<(String, String)>,
}

/// Plans a store.
///
/// # Errors
/// When the database does not answer.
pub async fn plan(
    db: &Db,
    context: &PlanContext,
    forecasts: &Forecasts,
    input: PlanInput<'_>,
) -> Result<Planned, DbError> {
    let store = input.store;
    let mut plan = Planned { run: empty(context, &input), lines: Vec::new(), failed: Vec::new() };
    let mut wanted: Vec<(String, Vec<Choice<'_>>)> = Vec::new();
    let mut asks = Vec::new();
    let mut without_days = 0;
    for root in context.of_root.keys() {
        let from = choices(context, store, root);
        let Some(leading) = from.first() else { continue };
        let Ok((lead, review)) = days(&leading.effective) else {
            without_days += 1;
            continue;
        };
        let cover = lead as usize + review.max(1) as usize;
        asks.push(Ask {
            root_item_id: root.clone(),
            days: cover,
            horizon: cover.max(AHEAD),
            service_level: number(leading.effective.service_level.value),
            method: leading.effective.method.value.as_deref().and_then(Method::parse),
        });
        wanted.push((root.clone(), from));
    }
    let mut notes = Vec::new();
    if without_days > 0 {
        notes.push(format!("Set lead and review days for {}.", store.name));
    }
    let last_sales = queries::last_sales(db, &store.id).await?;
    // Today's sales are already deducted from stock, so the forecast starts tomorrow.
    let sold_today = last_sales.is_some_and(|last| last >= context.day);
    let first = if sold_today { context.day.plus(1) } else { context.day };
    if let Some(last) = last_sales.filter(|last| *last < context.day.plus(-LATE_DAYS)) {
        notes.push(format!("Sales are known until {}: actual stock may be lower.", last.display()));
    }
    let mut expected = if asks.is_empty() {
        Default::default()
    } else {
        forecasts.of_store(&store.id, (context.day, first), asks).await?
    };
    let mut stock = positions(db, context, &store.id, input.coming, input.committed).await?;
    let mut needs: Vec<Need<'_>> = Vec::new();
    for (root, from) in wanted {
        let Some(expected) = expected.remove(&root) else { continue };
        let position: Position = stock.remove(&root).unwrap_or_default();
        match expected.and_then(|expected| need(&root, from, position, expected, first)) {
            Ok(need) => needs.push(need),
            Err(refusal) => plan.failed.push((root, words(&refusal))),
        }
    }
    let delivered = |need: &Need<'_>| context.delivery(&store.id, need.lead_days);
    if needs.iter().any(|need| !delivered(need).found) {
        notes.push(format!("Say when {} is delivered, or add a commissary.", store.name));
    }
    if let Err(refusal) = keep_within(context, store, &mut needs, |need| delivered(need).needed, first) {
        notes.push(words(&refusal));
    }
    for need in &needs {
        let delivery = delivered(need);
        plan.lines.extend(need.from.iter().map(|part| line(context, &input, need, part, &delivery, first)));
    }
    plan.lines.sort_by(|a, b| a.search_key.cmp(&b.search_key).then_with(|| a.id.cmp(&b.id)));
    if plan.lines.is_empty() && notes.is_empty() {
        notes.push("Nothing that is ordered here was sold in the last year.".to_owned());
    }
    plan.run.note = (!notes.is_empty()).then(|| notes.join(" "));
    sum(&mut plan);
    Ok(plan)
}

fn empty(context: &PlanContext, input: &PlanInput<'_>) -> StoreRun {
    StoreRun {
        run_id: input.run_id.to_owned(),
        store_id: input.store.id.clone(),
        plan_date: context.day,
        made_at: context.now,
        note: None,
        lines: 0,
        to_order: 0,
        at_risk: 0,
        capped: 0,
        amount: Money::ZERO,
        revision: 1,
    }
}

fn sum(plan: &mut Planned) {
    let count = |which: &dyn Fn(&&Line) -> bool| plan.lines.iter().filter(which).count() as i64;
    let amount = plan
        .lines
        .iter()
        .filter_map(|line| line.amount)
        .fold(Money::ZERO, |sum, amount| sum.checked_add(amount).unwrap_or(sum));
    let (lines, to_order) = (count(&|_| true), count(&|line| line.suggested.0 > 0));
    let (at_risk, capped) = (count(&|line| line.at_risk), count(&|line| !line.caps.0.is_empty()));
    plan.run = StoreRun { lines, to_order, at_risk, capped, amount, ..plan.run.clone() };
}

fn words(refusal: &Refusal) -> String {
    let words = refusal.to_string();
    if words.ends_with('.') { words } else { format!("{words}.") }
}

fn line(
    context: &PlanContext,
    input: &PlanInput<'_>,
    need: &Need<'_>,
    part: &Part<'_>,
    delivery: &Delivery,
    first: BusinessDay,
) -> Line {
    let (store, product, unit) = (input.store, part.choice.product, &part.choice.unit);
    let advice = &need.advice;
    let caps = [
        (advice.caps.min, "min"),
        (advice.caps.max, "max"),
        (advice.caps.shelf_life, "shelfLife"),
        (part.packs_off > 0, "storage"),
    ];
    let stock_out_date = need.stock_out(first, AHEAD);
    let price = product.price(store.price_level_id.as_deref(), &unit.uom_id);
    let codes = context.codes.get(&unit.uom_id).cloned();
    Line {
        id: format!("{}_{}_{}", input.run_id, store.id, product.id),
        run_id: input.run_id.to_owned(),
        store_id: store.id.clone(),
        product_id: product.id.clone(),
        name: product.name.clone(),
        sku: product.sku.clone(),
        root_item_id: need.root_item_id.clone(),
        unit: context.units.get(&need.root_item_id).cloned(),
        uom_id: unit.uom_id.clone(),
        uom_code: codes.unwrap_or_default(),
        factor: unit.factor,
        root_factor: product.root_item_conversions.first().map(|part| part.factor).unwrap_or_default(),
        lead_days: need.lead_days,
        review_days: need.review_days,
        service_level: part.choice.effective.service_level.value,
        method: need.expected.method.clone(),
        forecast: quantity(advice.demand),
        safety_stock: quantity(advice.safety_stock),
        target: quantity(advice.target),
        on_hand: need.position.on_hand(),
        in_transit: need.position.in_transit,
        on_order: need.position.on_order,
        committed: need.position.committed,
        position: need.position.total(),
        pack: part.choice.pack,
        share: part.choice.share,
        suggested: part.suggested(),
        cover_days: cover(need),
        stock_out_date,
        at_risk: stock_out_date.is_some_and(|day| day < delivery.needed),
        caps: Json(caps.iter().filter(|(held, _)| *held).map(|(_, cap)| (*cap).to_owned()).collect()),
        needed_date: delivery.needed,
        source_type: delivery.source_type.clone(),
        source_id: delivery.source_id.clone(),
        amount: price.and_then(|price| part.suggested().times(price)),
        why: Json(why(context, need, part, first)),
        ahead: Json(Ahead {
            from: first,
            forecast: need.expected.daily.clone(),
            arrivals: need.arrivals.clone(),
        }),
        note: (need.position.on_hand().0 < 0).then(|| "Stock is below zero: count it.".to_owned()),
        search_key: fold(&format!("{} {}", product.name, product.sku.as_deref().unwrap_or_default())),
        order_id: None,
    }
}
