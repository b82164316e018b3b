//! A store's plan.

use larder_db::{Db, DbError, Json};
use larder_domain::opening_days::OpeningDays;
use larder_domain::{BusinessDay, Money, Span};
use larder_planning::Refusal;
use larder_planning::method::Method;

use super::super::queries::{self, Store};
use super::context::BySchedule;
use super::explanation::why;
use super::forecasts::{Ask, Expected, Forecasts};
use super::line::{Choice, Need, Part, choices, cover, days as lead_and_review, need};
use super::position::{Besides, Position, positions};
use super::storage_fit::keep_within;
use super::{AHEAD, Delivery, MOST_ESTIMATED, PlanContext, number, quantity};
use larder_ledgers::open_days::OpenDays;
use larder_ledgers::plans::{Ahead, Line, StoreRun, Trucks};
use larder_platform::http::text::fold;

/// Days without sales after which a store's stock is reported as uncertain.
const LATE_DAYS: i32 = 2;
/// Days back in which missing sales are looked for.
const MISSED_DAYS: i32 = 62;

/// Input of a store's plan.
#[derive(Clone, Copy)]
pub struct PlanInput<'a> {
    pub run_id: &'a str,
    pub store: &'a Store,
    pub besides: Besides<'a>,
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
    let last_sales = queries::last_sales(db, &store.id).await?;
    let opening = context.opening(&store.id);
    let days = Days::of(context.day, last_sales, &opening);
    let by_schedule = context.by_schedule(&store.id, days.first);
    let mut wanted: Vec<(String, Vec<Choice<'_>>, u32, u32)> = Vec::new();
    let mut asks = Vec::new();
    let mut without_days = 0;
    for root in context.of_root.keys() {
        let from = choices(context, store, root);
        let Some(leading) = from.first() else { continue };
        let terms = match &by_schedule {
            Some(BySchedule { window, .. }) => Ok((whole(window.lead()), whole(window.review()))),
            None => lead_and_review(&leading.effective),
        };
        let Ok((lead, review)) = terms else {
            without_days += 1;
            continue;
        };
        let cover = lead as usize + review.max(1) as usize;
        asks.push(Ask {
            root_item_id: root.clone(),
            days: days.estimated() + cover,
            horizon: days.estimated() + cover.max(AHEAD),
            service_level: number(leading.effective.service_level.value),
            method: leading.effective.method.value.as_deref().and_then(Method::parse),
        });
        wanted.push((root.clone(), from, lead, review));
    }
    let mut notes = Vec::new();
    if without_days > 0 {
        notes.push(format!("Set lead and review days for {}.", store.name));
    }
    if let Some(last) = last_sales.filter(|last| *last < context.day.plus(-LATE_DAYS)) {
        let stock = if days.estimated() > 0 {
            "what was used since is estimated"
        } else {
            "actual stock may be lower"
        };
        notes.push(format!("Sales are known until {}: {stock}.", last.display()));
    }
    let mut expected = if asks.is_empty() {
        Default::default()
    } else {
        let missed = missed(db, &store.id, last_sales, context.day).await?;
        forecasts.of_store(&store.id, days.from, asks, opening.clone(), missed).await?
    };
    let sold_today =
        if days.part_day { forecasts.sold_on(&store.id, days.first).await? } else { Default::default() };
    let next = by_schedule.as_ref().map(|it| it.trucks.next);
    let mut stock = positions(db, context, &store.id, input.besides, next).await?;
    let mut needs: Vec<Need<'_>> = Vec::new();
    for (root, from, lead, review) in wanted {
        let Some(expected) = expected.remove(&root) else { continue };
        let mut position: Position = stock.remove(&root).unwrap_or_default();
        let planned = expected.and_then(|mut expected| {
            days.take_in(&mut position, &mut expected, sold_today.get(&root), &opening);
            need(&root, from, position, expected, (days.first, lead, review))
        });
        match planned {
            Ok(need) => needs.push(need),
            Err(refusal) => plan.failed.push((root, words(&refusal))),
        }
    }
    let delivered = |need: &Need<'_>| match &by_schedule {
        Some(by_schedule) => by_schedule.delivery.clone(),
        None => context.by_days(&store.id, need.lead_days),
    };
    if needs.iter().any(|need| !delivered(need).found) {
        notes.push(format!("Say when {} is delivered, or add a commissary.", store.name));
    }
    let arrives = |need: &Need<'_>| delivered(need).needed;
    if let Err(refusal) = keep_within(context, store, &mut needs, arrives, days.first) {
        notes.push(words(&refusal));
    }
    let trucks = by_schedule.as_ref().map(|it| &it.trucks);
    for need in &needs {
        let supply = LineSupply { delivery: delivered(need), trucks, first: days.first };
        plan.lines.extend(need.from.iter().map(|part| line(context, &input, need, part, &supply)));
    }
    plan.lines.sort_by(|a, b| a.search_key.cmp(&b.search_key).then_with(|| a.id.cmp(&b.id)));
    if plan.lines.is_empty() && notes.is_empty() {
        notes.push("Nothing that is ordered here was sold in the last year.".to_owned());
    }
    plan.run.note = (!notes.is_empty()).then(|| notes.join(" "));
    sum(&mut plan);
    Ok(plan)
}

/// The days of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Days {
    /// The first day whose sales are not known; days from it up to `first` are estimated.
    from: BusinessDay,
    /// The first day planned: today.
    first: BusinessDay,
    /// Whether some of today's sales are known, and already deducted from stock.
    part_day: bool,
    /// The first of so many days without sales until today that none is estimated.
    unknown_from: Option<BusinessDay>,
}

impl Days {
    /// Days without sales since the last ones are estimated, unless they are so many that nothing is known any more. A
    /// closed day is known to have sold nothing.
    fn of(today: BusinessDay, last_sales: Option<BusinessDay>, opening: &OpeningDays) -> Self {
        let (from, unknown_from) = match last_sales {
            Some(last) if usize::try_from(today.0 - last.0).is_ok_and(|days| days <= MOST_ESTIMATED + 1) => {
                let mut days = (last.0 + 1..today.0).map(BusinessDay);
                (days.find(|day| !opening.is_closed(*day)).unwrap_or(today), None)
            }
            last => (today, last.filter(|last| *last < today).map(|last| last.plus(1))),
        };
        Self { from, first: today, part_day: last_sales.is_some_and(|last| last >= today), unknown_from }
    }

    fn estimated(self) -> usize {
        usize::try_from(self.first.0 - self.from.0).unwrap_or(0)
    }

    /// Takes the forecast of days whose sales are not known out of the stock, and leaves of today what is still to be
    /// used.
    fn take_in(
        self,
        position: &mut Position,
        expected: &mut Expected,
        sold_today: Option<&f64>,
        opening: &OpeningDays,
    ) {
        position.estimate(expected.missed.iter().copied());
        if let Some(from) = self.unknown_from {
            let days = (from.0..self.first.0).map(BusinessDay);
            position.lack(days.filter(|day| !opening.is_closed(*day)));
        }
        let estimated = self.estimated().min(expected.daily.len());
        let since = (self.from.0..).map(BusinessDay).zip(expected.daily.drain(..estimated));
        position.estimate(since.filter(|(day, used)| !opening.is_closed(*day) || *used > 0.0));
        let Some(today) = expected.daily.first_mut() else { return };
        if position.counted_after(self.first) {
            *today = 0.0;
        } else if let Some(sold) = sold_today {
            *today = number(quantity((*today - sold).max(0.0)));
        }
    }
}

/// Open days without sales before the last ones: their sales are missing.
async fn missed(
    db: &Db,
    store_id: &str,
    last_sales: Option<BusinessDay>,
    today: BusinessDay,
) -> Result<Vec<BusinessDay>, DbError> {
    let from = today.plus(-MISSED_DAYS);
    let Some(to) = last_sales.map(|last| last.min(today).plus(-1)).filter(|to| *to >= from) else {
        return Ok(Vec::new());
    };
    let open = OpenDays::read(db, &[store_id.to_owned()], Span { from, to }).await?;
    let days = (from.0..=to.0).map(BusinessDay);
    Ok(days.filter(|day| open.is_open(store_id, *day) && !open.has_sales(store_id, *day)).collect())
}

fn whole(days: usize) -> u32 {
    u32::try_from(days).unwrap_or(u32::MAX)
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

/// How a line is supplied.
struct LineSupply<'a> {
    delivery: Delivery,
    /// The delivery calendar; `None` where lead and review days apply.
    trucks: Option<&'a Trucks>,
    /// The first day planned.
    first: BusinessDay,
}

fn line(
    context: &PlanContext,
    input: &PlanInput<'_>,
    need: &Need<'_>,
    part: &Part<'_>,
    LineSupply { delivery, trucks, first }: &LineSupply<'_>,
) -> Line {
    let first = *first;
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
        why: Json(why(context, need, part, (first, *trucks))),
        ahead: Json(Ahead {
            from: first,
            forecast: need.expected.daily.clone(),
            arrivals: need.arrivals.clone(),
            trucks: trucks.cloned(),
            ordered: need.ordered(),
            estimated_days: need.position.estimated_days,
            estimated: need.position.estimated,
            in_transit_later: need.position.in_transit_later,
            later: need.position.later,
            short: need.position.short,
            unusable: need.position.unusable,
            close: need.position.stock.as_ref().map_or(0, |stock| stock.close),
        }),
        note: (need.position.on_hand().0 < 0).then(|| "Stock is below zero: count it.".to_owned()),
        search_key: fold(&format!("{} {}", product.name, product.sku.as_deref().unwrap_or_default())),
        order_id: None,
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::opening_days::Change;

    use super::*;

    #[test]
    fn days_without_sales_are_estimated_up_to_two_weeks() {
        let today = BusinessDay::from_ymd(2026, 11, 30).expect("a Monday");
        let every_day = OpeningDays::default();
        let estimated = |last: Option<i32>, opening: &OpeningDays| {
            let days = Days::of(today, last.map(|back| today.plus(-back)), opening);
            assert_eq!((days.first, days.part_day), (today, last.is_some_and(|back| back <= 0)));
            let unknown = last.filter(|back| *back > 15).map(|back| today.plus(1 - back));
            assert_eq!(days.unknown_from, unknown);
            days.estimated()
        };
        let found: Vec<usize> = [0, 1, 2, 3, 15, 16].map(|back| estimated(Some(back), &every_day)).into();
        assert_eq!(found, [0, 0, 1, 2, 14, 0]);
        assert_eq!(estimated(None, &every_day), 0);
        // Nothing was sold on Sunday, since the store was closed: everything is known.
        let opening = OpeningDays::new([Change { from: today.plus(-60), weekdays: 0b011_1111 }]);
        assert_eq!(estimated(Some(2), &opening), 0);
        assert_eq!(estimated(Some(3), &opening), 2);
    }
}
