use larder_domain::delivery_calendar::{IN_VIEW, Rule};
use larder_domain::{BusinessDay, Span};

use super::Cycle;

/// The orders of a delivery calendar, for [`super::Past::cycles`]: each closes on its day, arrives with its truck and has
/// to last until the next one. `first` is the first day of the past. Empty if no order closes on any of the days.
#[must_use]
pub fn cycles(rule: Rule, first: BusinessDay, days: usize) -> Vec<Option<Cycle>> {
    let at = |day: BusinessDay| usize::try_from(day.0 - first.0).ok();
    let ahead = i32::try_from(days).unwrap_or(i32::MAX).saturating_add(IN_VIEW);
    let trucks: Vec<BusinessDay> = rule.trucks(Span { from: first, to: first.plus(ahead) }).collect();
    let mut cycles = vec![None; days];
    for two in trucks.windows(2) {
        if let (Some(closes), Some(arrives), Some(until)) = (at(rule.closes(two[0])), at(two[0]), at(two[1]))
            && let Some(cycle) = cycles.get_mut(closes)
        {
            *cycle = Some(Cycle { arrives, until });
        }
    }
    if cycles.iter().all(Option::is_none) {
        cycles.clear();
    }
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_closes_on_its_day() {
        // From Monday 23 November 2026 on: Mondays, Wednesdays and Fridays, until the day before; the 30th is a
        // holiday.
        let first = BusinessDay::from_ymd(2026, 11, 23).expect("a day");
        let rule = Rule { weekdays: 0b001_0101, cutoff_days: 1, cutoff_minutes: 960, skip_holidays: true };
        let found: Vec<(usize, usize, usize)> = cycles(rule, first, 9)
            .into_iter()
            .enumerate()
            .filter_map(|(day, cycle)| cycle.map(|it| (day, it.arrives, it.until)))
            .collect();
        // Monday's own order closed before the first day.
        assert_eq!(found, [(1, 2, 4), (3, 4, 9), (8, 9, 11)]);
        assert!(cycles(Rule { weekdays: 0, ..rule }, first, 9).is_empty());
    }
}
