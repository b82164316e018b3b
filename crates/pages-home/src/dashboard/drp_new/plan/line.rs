//! A root item's requirement, as packs of the products that supply it.

use larder_domain::replenishment::Effective;
use larder_domain::{BusinessDay, Qty};
use larder_planning::Refusal;
use larder_planning::replenish::products::{Source, by_percent};
use larder_planning::replenish::{Advice, NO_DAYS, Question, Safety};
use larder_planning::supply::{ends, first_below_zero};

use super::super::queries::Store;
use super::forecasts::Expected;
use super::position::Position;
use super::{PlanContext, number, quantity};
use larder_documents::products::{Product, Unit};

/// A product that supplies a root item in a store.
#[derive(Debug, Clone)]
pub struct Choice<'a> {
    pub product: &'a Product,
    pub unit: Unit,
    pub effective: Effective,
    /// Content of one unit, in root units.
    pub pack: Qty,
    /// Its share of the requirement, in percent.
    pub share: Qty,
}

/// The products that supply a root item in a store, with their shares: if rules give percentages that add up
/// to 100, those; otherwise only the product with the lowest priority, then the first by name.
pub fn choices<'a>(context: &'a PlanContext, store: &Store, root: &str) -> Vec<Choice<'a>> {
    let products = context.of_root.get(root).map(Vec::as_slice).unwrap_or_default();
    let mut all: Vec<Choice<'a>> = products
        .iter()
        .filter_map(|at| {
            let product = &context.products[*at];
            let unit = product.usual_unit()?;
            let [part] = product.root_item_conversions.as_slice() else { return None };
            let pack = Qty(1_000_000).scaled(unit.factor)?.scaled(part.factor)?;
            let effective = context.effective(store, product);
            (pack.0 > 0).then_some(Choice { product, unit, effective, pack, share: Qty::ZERO })
        })
        .collect();
    let percent = |choice: &Choice<'_>| choice.effective.percent.value.unwrap_or_default();
    // Already sorted by name; the sort is stable.
    all.sort_by_key(|choice| choice.effective.priority.value.unwrap_or(i64::MAX));
    if all.iter().map(|choice| percent(choice).0).sum::<i64>() == WHOLE.0 {
        for choice in &mut all {
            choice.share = percent(choice);
        }
        all.retain(|choice| choice.share.0 > 0);
    } else {
        all.truncate(1);
        all.iter_mut().for_each(|choice| choice.share = WHOLE);
    }
    all
}

/// 100 percent.
const WHOLE: Qty = Qty(100_000_000);

/// A root item's requirement in a store, and the products to order.
#[derive(Debug, Clone)]
pub struct Need<'a> {
    pub root_item_id: String,
    pub position: Position,
    pub expected: Expected,
    pub advice: Advice,
    /// By a delivery calendar the days until the order's truck, and from it to the next one.
    pub lead_days: i64,
    /// As applied: at least 1.
    pub review_days: i64,
    /// Expected arrivals per day.
    pub arrivals: Vec<f64>,
    pub from: Vec<Part<'a>>,
}

/// The suggested order of one product.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    pub choice: Choice<'a>,
    pub packs: i64,
    /// Packs removed for lack of storage.
    pub packs_off: i64,
    /// Storage available for it and its unit, if packs were removed.
    pub free: Option<(Qty, &'static str)>,
}

impl Need<'_> {
    /// The first of the next `days` days projected to end below zero.
    pub fn stock_out(&self, first: BusinessDay, days: usize) -> Option<BusinessDay> {
        let out = first_below_zero(self.ends(days))?;
        Some(first.plus(i32::try_from(out).ok()?))
    }

    /// Projected stock at the end of each day without the suggested order.
    pub fn ends(&self, days: usize) -> Vec<f64> {
        let days = days.min(self.expected.daily.len());
        let stock = number(self.position.expected_on_hand()) - number(self.position.committed);
        ends(stock, &self.expected.daily[..days], &self.arrivals[..days]).collect()
    }

    /// The suggestions of all products together, in root units.
    pub fn ordered(&self) -> f64 {
        self.from.iter().map(Part::quantity).sum()
    }

    /// Use per day: D ÷ days.
    pub fn rate(&self) -> f64 {
        self.advice.demand / (self.lead_days + self.review_days) as f64
    }
}

/// Computes a root item's requirement. Its first product sets the limits. `lead` and `review`: the days until the order
/// arrives, and from then until the next one.
///
/// # Errors
/// [`NO_DAYS`] if both are zero; invalid figures.
pub fn need<'a>(
    root: &str,
    from: Vec<Choice<'a>>,
    position: Position,
    expected: Expected,
    (first, lead, review): (BusinessDay, u32, u32),
) -> Result<Need<'a>, Refusal> {
    let leading = from.first().ok_or(Refusal::Invalid("No product brings it."))?;
    let says = &leading.effective;
    let question = Question {
        forecast: &expected.daily,
        lead,
        review,
        safety: Safety::Quantile(expected.safety_stock),
        min: number(says.min.value),
        max: says.max.value.map(number),
        on_hand: number(position.expected_on_hand()),
        in_transit: number(position.in_time()),
        on_order: number(position.on_order),
        committed: number(position.committed),
        pack: number(leading.pack),
        shelf_life_days: says.shelf_life_days.value.and_then(|days| u32::try_from(days).ok()),
    };
    let mut advice = question.advise()?;
    let part = |choice: Choice<'a>, packs: i64| Part { choice, packs, packs_off: 0, free: None };
    let from = if from.len() == 1 {
        let packs = (advice.quantity / number(leading.pack)).round() as i64;
        from.into_iter().map(|choice| part(choice, packs)).collect()
    } else {
        let room = advice.shelf_life_demand.map(|most| (most - advice.position).max(0.0));
        let sources: Vec<(Source<'_>, f64)> = from.iter().map(source).collect();
        let shares = by_percent(advice.need, &sources, room)?;
        advice.caps.shelf_life = shares.uncovered > 0.0;
        advice.quantity =
            from.iter().zip(&shares.packs).map(|(it, packs)| number(it.pack) * *packs as f64).sum();
        let packs: Vec<i64> = shares.packs.iter().map(|packs| i64::try_from(*packs).unwrap_or(0)).collect();
        from.into_iter().zip(packs).map(|(choice, packs)| part(choice, packs)).collect()
    };
    let arrivals = position.arrivals(first, expected.daily.len());
    Ok(Need {
        root_item_id: root.to_owned(),
        arrivals,
        position,
        expected,
        advice,
        lead_days: i64::from(lead),
        review_days: i64::from(review.max(1)),
        from,
    })
}

fn source<'a>(choice: &'a Choice<'_>) -> (Source<'a>, f64) {
    let factor = choice.product.root_item_conversions.first().map_or(0, |part| part.factor.0) as f64 / 1e9;
    let source =
        Source { product: &choice.product.id, factor, pack: choice.unit.factor.0 as f64 / 1e9, most: None };
    (source, number(choice.share))
}

/// Lead time and review period of a product in a store, in days.
///
/// # Errors
/// [`NO_DAYS`] if both are zero.
pub fn days(says: &Effective) -> Result<(u32, u32), Refusal> {
    let day = |days: i64| u32::try_from(days).unwrap_or(0);
    let (lead, review) = (day(says.lead_days.value), day(says.review_days.value));
    if lead == 0 && review == 0 { Err(NO_DAYS) } else { Ok((lead, review)) }
}

impl Part<'_> {
    /// The suggested quantity, in root units.
    pub fn quantity(&self) -> f64 {
        number(self.choice.pack) * self.packs as f64
    }

    /// The suggested quantity, in its unit.
    pub fn suggested(&self) -> Qty {
        Qty(self.packs.saturating_mul(1_000_000))
    }
}

/// Days that the position plus the suggestions of all products last; `None` if nothing is used.
pub fn cover(need: &Need<'_>) -> Option<Qty> {
    let rate = need.rate();
    (rate > 0.0)
        .then(|| {
            Qty(((number(need.position.total()) + need.ordered()) / rate * 10.0).round() as i64 * 100_000)
        })
        .map(|days| days.min(quantity(1e9)))
}
