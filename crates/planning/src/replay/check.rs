use super::{Cushion, Cycle, Forecast, Item, Orders, Past, Policy};
use crate::Refusal;
use crate::demand::MOST;
use crate::replenish::{NO_DAYS, at_least_nothing};

/// The longest time from an order to the truck after its own, in days.
const MOST_DAYS: usize = 366;

pub(super) fn past(past: &Past<'_>) -> Result<(), Refusal> {
    if past.start >= past.days {
        return Err(Refusal::Invalid("There is no day to replay."));
    }
    let cells = past.days.checked_mul(past.items.len());
    let fits =
        |buffer: &[f64], may_miss: bool| (may_miss && buffer.is_empty()) || Some(buffer.len()) == cells;
    let extra = [past.lost, past.received, past.ordered, past.due];
    if !(fits(past.sold, false) && extra.iter().all(|buffer| fits(buffer, true))) {
        return Err(Refusal::Invalid("Every buffer needs one figure for each series and day."));
    }
    if past.sold.iter().any(|sold| sold.abs() > MOST) {
        return Err(Refusal::Invalid("A day's quantity is out of range."));
    }
    let sound = |figure: &f64| at_least_nothing(*figure) && *figure <= MOST;
    if !extra.iter().all(|buffer| buffer.iter().all(sound)) {
        return Err(Refusal::Invalid("A day's quantity is not a number, below nothing or out of range."));
    }
    if !(past.closed.is_empty() || past.closed.len() >= past.days) {
        return Err(Refusal::Invalid("Every day needs to be open or closed."));
    }
    if !(past.cycles.is_empty() || past.cycles.len() == past.days) {
        return Err(Refusal::Invalid("A delivery calendar needs one entry for each day."));
    }
    let orders = past.cycles.iter().enumerate().filter_map(|(day, cycle)| Some((day, (*cycle)?)));
    let mut before = 0;
    for (day, Cycle { arrives, until }) in orders {
        if arrives < day || until <= arrives || arrives < before || until - day > MOST_DAYS {
            return Err(Refusal::Invalid("The trucks of a delivery calendar are not in order."));
        }
        before = arrives;
    }
    past.items.iter().try_for_each(item)
}

fn item(item: &Item) -> Result<(), Refusal> {
    let Item { opening, min, unit_cost, .. } = *item;
    if !(pack(item.pack) && [opening, min, unit_cost].into_iter().all(at_least_nothing) && opening <= MOST) {
        return Err(Refusal::Invalid(
            "An item's stock, pack, least or cost is not a number, or below nothing.",
        ));
    }
    if item.max.is_some_and(|max| !at_least_nothing(max) || max < min) {
        return Err(Refusal::Invalid("An item's most is not a number, or below its least."));
    }
    if item.shelf_life_days == Some(0) || item.opening_life_days == Some(0) {
        return Err(Refusal::Invalid("A shelf life has to be a day at least."));
    }
    Ok(())
}

pub(super) fn policy(policy: &Policy<'_>, past: &Past<'_>) -> Result<(), Refusal> {
    let Orders::Advised(rule) = &policy.orders else {
        let there = !past.received.is_empty() || past.items.is_empty();
        return there.then_some(()).ok_or(Refusal::Invalid("What really arrived is not known."));
    };
    let without_days =
        |item: &Item| rule.lead.unwrap_or(item.lead) == 0 && rule.review.unwrap_or(item.review) == 0;
    let by_calendar = !past.cycles.is_empty() && rule.lead.is_none() && rule.review.is_none();
    if !by_calendar && past.items.iter().any(without_days) {
        return Err(NO_DAYS);
    }
    let cushion = match rule.cushion {
        Cushion::Level(level) => level > 0.0 && level < 1.0,
        Cushion::Fixed(safety) => safety.is_sound(),
    };
    if !cushion {
        return Err(Refusal::Invalid("A service level has to be between 0 and 1, a safety stock a number."));
    }
    if !(rule.pack.is_none_or(pack) && rule.most_days.is_none_or(at_least_nothing)) {
        return Err(Refusal::Invalid("A policy's pack or most is not a number, or below nothing."));
    }
    let forecast = match rule.forecast {
        Forecast::Average { days } => days > 0,
        Forecast::Weekday { weeks, decay } => weeks > 0 && decay > 0.0 && decay <= 1.0,
        Forecast::Given(_) => true,
    };
    forecast
        .then_some(())
        .ok_or(Refusal::Invalid("An average needs a day or a week at least, and a weight up to 1."))
}

fn pack(pack: f64) -> bool {
    pack.is_finite() && pack > 0.0
}
