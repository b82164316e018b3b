//! Explains each suggestion: every figure, in the order of calculation.

use larder_domain::replenishment::{Origin, Said};
use larder_domain::{BusinessDay, Qty, plural};
use larder_planning::replenish::Safety;

use super::line::{Need, Part};
use super::{PlanContext, quantity};
use larder_documents::orders::suggestion::how_known;
use larder_ledgers::plans::{Trucks, Why};

struct Explanation<'a> {
    why: Vec<Why>,
    /// The root item's unit.
    unit: Option<&'a str>,
}

impl Explanation<'_> {
    fn add(&mut self, figure: &str, value: Qty, date: Option<BusinessDay>, source: impl Into<String>) {
        let unit = self.unit.map(str::to_owned);
        self.why.push(Why { figure: figure.to_owned(), value, unit, date, source: source.into() });
    }

    fn add_in(&mut self, figure: &str, value: Qty, unit: &str, source: impl Into<String>) {
        let unit = Some(unit.to_owned());
        self.why.push(Why { figure: figure.to_owned(), value, unit, date: None, source: source.into() });
    }
}

/// All figures of a product in a store. `first` is the first forecast day; `trucks` is the delivery calendar, if it
/// applies.
pub fn why(
    context: &PlanContext,
    need: &Need<'_>,
    part: &Part<'_>,
    (first, trucks): (BusinessDay, Option<&Trucks>),
) -> Vec<Why> {
    let (advice, expected, says) = (&need.advice, &need.expected, &part.choice.effective);
    let days = need.lead_days + need.review_days;
    let (covered, open_days) = expected.covered;
    let last = first.plus(i32::try_from(days - 1).unwrap_or(0));
    let mut explanation =
        Explanation { why: Vec::new(), unit: context.units.get(&need.root_item_id).map(String::as_str) };
    let (lead, review) = match trucks {
        Some(trucks) => {
            let truck = first.plus(i32::try_from(need.lead_days).unwrap_or(0));
            (
                format!("by the delivery calendar: the delivery of {}", truck.display()),
                format!("by the delivery calendar: the next delivery is on {}", trucks.next.display()),
            )
        }
        None => (origin(&says.lead_days).to_owned(), origin(&says.review_days).to_owned()),
    };
    explanation.add_in("Lead days", whole(need.lead_days), "days", lead);
    explanation.add_in("Review days", whole(need.review_days), "days", review);
    let error = expected
        .wape
        .map_or_else(String::new, |wape| format!("; on earlier days it missed by {:.1}%", wape * 100.0));
    let words = format!("{} to {}, by {}{error}", first.display(), last.display(), spoken(&expected.method));
    explanation.add("Forecast", quantity(advice.demand), Some(last), words);
    let level = Qty(says.service_level.value.0.saturating_mul(100));
    explanation.add_in("Service level", level, "%", origin(&says.service_level));
    let words = match expected.safety {
        Safety::Quantile(_) => {
            format!(
                "what forecasts of {covered} days by {} were short by, at that level",
                spoken(&expected.safety_method)
            )
        }
        Safety::Normal { z, sigma } => format!("{z:.3} × {sigma:.2} a day × √{open_days}"),
    };
    explanation.add("Safety stock", quantity(advice.safety_stock), None, words);
    if says.min.value.0 > 0 {
        explanation.add("Least", says.min.value, None, origin(&says.min));
    }
    if let Some(most) = says.max.value {
        explanation.add("Most", most, None, origin(&says.max));
    }
    let words = match (advice.caps.min, advice.caps.max) {
        (true, _) => "raised to the least",
        (_, true) => "lowered to the most",
        _ => "forecast + safety stock",
    };
    explanation.add("Target", quantity(advice.target), None, words);
    let stock = need.position.stock.as_ref();
    let mut known = how_known(stock);
    if need.position.unknown_days > 0 {
        let days = plural(need.position.unknown_days as u64, "day", "days");
        known.push_str(&format!("; the sales of {days} since are not known and not estimated"));
    }
    explanation.add("On hand", need.position.on_hand(), Some(context.day), known);
    if need.position.unusable.0 > 0 {
        let words = "of this, recalled or expired lots that are likely still there";
        explanation.add("Not usable", need.position.unusable, Some(context.day), words);
    }
    if need.position.estimated_days > 0 {
        let days = plural(need.position.estimated_days as u64, "day", "days");
        let words = format!("forecast of {days} whose sales are not known yet");
        explanation.add("Estimated use", need.position.estimated, Some(first.plus(-1)), words);
    }
    explanation.add("In transit", need.position.in_transit, Some(context.day), "deliveries on their way");
    if need.position.in_transit_later.0 > 0 {
        let words = "of this, arrives with the next delivery or later: does not count yet";
        let next = trucks.map(|trucks| trucks.next);
        explanation.add("In transit, later", need.position.in_transit_later, next, words);
    }
    explanation.add(
        "On order",
        need.position.on_order,
        Some(context.day),
        "orders that are not dispatched yet",
    );
    if need.position.later.0 > 0 {
        let words = "due, but not before the next delivery: does not count yet";
        explanation.add("Later", need.position.later, trucks.map(|trucks| trucks.next), words);
    }
    if need.position.short.0 > 0 {
        let words = "ordered, but on no delivery: does not count";
        explanation.add("Short", need.position.short, Some(context.day), words);
    }
    if need.position.committed.0 > 0 {
        let words = "being made ready for other stores";
        explanation.add("Committed", need.position.committed, Some(context.day), words);
    }
    let unusable = if need.position.unusable.0 > 0 { " − not usable" } else { "" };
    let estimated = if need.position.estimated_days > 0 { " − estimated use" } else { "" };
    let late = if need.position.in_transit_later.0 > 0 { " − in transit, later" } else { "" };
    let words = format!("on hand{unusable}{estimated} + in transit{late} + on order − committed");
    explanation.add("Position", need.position.total(), Some(context.day), words);
    explanation.add("Need", quantity(advice.need), None, "target − position, not below nothing");
    if part.choice.share.0 < 100_000_000 {
        explanation.add_in("Share", part.choice.share, "%", "several products bring this root item");
    }
    explanation.add("Pack", part.choice.pack, None, "the unit it is ordered in");
    if let (Some(life), Some(sold)) = (says.shelf_life_days.value, advice.shelf_life_demand) {
        explanation.add_in("Shelf life", whole(life), "days", origin(&says.shelf_life_days));
        let words = if advice.caps.shelf_life {
            "forecast over the shelf life: rounded down, more could not be sold in time"
        } else {
            "forecast over the shelf life"
        };
        explanation.add("Sold in time", quantity(sold), None, words);
    }
    let code = context.codes.get(&part.choice.unit.uom_id).map_or("packs", String::as_str);
    if let Some((free, unit)) = part.free {
        explanation.add_in("Room", free, unit, "free in the store when the order arrives");
        explanation.add_in(
            "Without room",
            whole(part.packs_off),
            code,
            "taken off: this one is covered longest",
        );
    }
    let words = format!("plan of {}", context.day.display());
    explanation.add_in("Suggested", part.suggested(), code, words);
    if let Some(last) = explanation.why.last_mut() {
        last.date = Some(context.day);
    }
    explanation.why
}

fn whole(count: i64) -> Qty {
    Qty(count.saturating_mul(1_000_000))
}

fn origin<T>(said: &Said<T>) -> &'static str {
    match (said.origin, &said.rule_id) {
        (Origin::Location, _) => "set for the store",
        (Origin::Default, None) => "usual",
        (Origin::Default, Some(_)) => "rule for everything",
        (Origin::Store, _) => "rule for the store",
        (Origin::Category, _) => "rule for the category",
        (Origin::Product, None) => "the product's own",
        (Origin::Product, Some(_)) => "rule for the product",
        (Origin::StoreProduct, _) => "rule for the product in this store",
    }
}

/// Display name of a forecast method; a suffix after a comma is kept.
fn spoken(explanation: &str) -> String {
    let (method, more) = explanation.split_at(explanation.find(',').unwrap_or(explanation.len()));
    format!("{}{more}", named(method))
}

fn named(method: &str) -> String {
    let known = match method {
        "naive" => "the last day repeated",
        "rw_drift" => "the last day and the trend",
        "snaive" => "last week repeated",
        "hist_avg" => "the mean of all days",
        "dow_ma" => "the weekday average",
        "dow_ma_weighted" => "the weekday average, newer weeks count more",
        "weekly" => "the average of whole weeks",
        "monthly" => "the month, adjusted by last year",
        "combined" => "the mean of several methods",
        "croston" | "croston_opt" => "Croston’s method",
        "sba" => "Croston’s method, corrected",
        "adida" => "blocks of days",
        "imapa" => "blocks of days of several sizes",
        "override" => "the override",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    let after = |start: &str| method.strip_prefix(start);
    match (after("sma"), after("swa_").or_else(|| after("dow_ma"))) {
        (Some("1"), _) => "the average of 1 day".to_owned(),
        (_, Some("1")) => "the weekday average of 1 week".to_owned(),
        (Some(days), _) => format!("the average of {days} days"),
        (_, Some(weeks)) => format!("the weekday average of {weeks} weeks"),
        _ if method.starts_with("dow_level") => "the level and share of each weekday".to_owned(),
        _ if method.starts_with("tsb") => "the chance and size of a sale".to_owned(),
        _ if method.starts_with("ets") || method.starts_with("s") => "smoothing".to_owned(),
        _ if method.starts_with('h') => "smoothing with a trend".to_owned(),
        _ if method.contains("otm") || method.contains("theta") => "theta".to_owned(),
        _ => method.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn methods_have_display_names() {
        assert_eq!(spoken("dow_ma"), "the weekday average");
        assert_eq!(spoken("dow_ma, with days set by hand"), "the weekday average, with days set by hand");
        assert_eq!(spoken("dow_ma4"), "the weekday average of 4 weeks");
        assert_eq!(spoken("sma28"), "the average of 28 days");
        assert_eq!(spoken("ses_opt"), "smoothing");
        assert_eq!(spoken("ets_ANA"), "smoothing");
        assert_eq!(spoken("dotm"), "theta");
        assert_eq!(spoken("tsb_0.1_0.1"), "the chance and size of a sale");
    }
}
