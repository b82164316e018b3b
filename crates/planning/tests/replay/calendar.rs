use larder_planning::replay::{Cushion, Cycle, Forecast, Item, Past, Replay, Rule, Scratch};
use proptest::prelude::*;

use super::support::{ITEM, Made, RULE, advised, made, paths};

const WEEK: usize = 7;
/// Sundays; day 0 is a Monday.
const CLOSED: [bool; 21] = {
    let mut closed = [false; 21];
    (closed[6], closed[13], closed[20]) = (true, true, true);
    closed
};

/// Ten a day in two weeks, nothing known of Sundays.
fn sold() -> Vec<f64> {
    (0..2 * WEEK).map(|day| if day % WEEK == 6 { f64::NAN } else { 10.0 }).collect()
}

/// Trucks on Monday, Wednesday and Friday; orders close the day before.
fn cycles(days: usize) -> Vec<Option<Cycle>> {
    let cycle = |day: usize| {
        let (arrives, until) = match day % WEEK {
            6 => (day + 1, day + 3),
            1 => (day + 1, day + 3),
            3 => (day + 1, day + 4),
            _ => return None,
        };
        Some(Cycle { arrives, until })
    };
    (0..days).map(cycle).collect()
}

#[test]
fn a_week_with_three_trucks_worked_by_hand() {
    let (sold, cycles, items) = (sold(), cycles(2 * WEEK), [Item { opening: 25.0, ..ITEM }]);
    let past = Past {
        days: 2 * WEEK,
        start: WEEK,
        sold: &sold,
        items: &items,
        cycles: &cycles,
        closed: &CLOSED,
        ..Past::default()
    };
    let policies = [advised(RULE)];
    let found: Vec<_> = paths(past, &policies)
        .remove(0)
        .iter()
        .map(|day| [day.arrived, day.forecast, day.ordered, day.served, day.closing])
        .collect();
    assert_eq!(
        found,
        [
            [0.0, 0.0, 0.0, 10.0, 15.0],
            // For Wednesday's truck, to last until Friday: three days.
            [0.0, 30.0, 15.0, 10.0, 5.0],
            [15.0, 0.0, 0.0, 10.0, 10.0],
            // For Friday's, to last until Monday: three days and a Sunday.
            [0.0, 30.0, 20.0, 10.0, 0.0],
            [20.0, 0.0, 0.0, 10.0, 10.0],
            [0.0, 0.0, 0.0, 10.0, 0.0],
            // For Monday's, to last until Wednesday: a Sunday and two days.
            [0.0, 20.0, 20.0, 0.0, 0.0],
        ]
    );
    let result = Replay::new(past, &policies)
        .and_then(|replay| replay.chunk(0..1, &mut Scratch::default()))
        .expect("sound");
    assert_eq!(result.orders(0), [0, 1, 0, 1, 0, 0, 1]);
    let figures = result.totals[0];
    assert_eq!((figures.out_days, figures.unknown_days, figures.days), (0, 1, 7));
    // A store that is expected to open on Sunday orders for it.
    let open = paths(Past { closed: &[], ..past }, &policies).remove(0);
    assert_eq!((open[3].forecast, open[3].ordered), (40.0, 30.0));
}

#[test]
fn closed_days_leave_no_gap_in_the_errors_of_a_week() {
    // Twelve weeks of orders that have to last for a week: every sum contains a Sunday.
    let days = 13 * WEEK;
    let sold: Vec<f64> = (0..days)
        .map(|day| if day % WEEK == 6 { f64::NAN } else { 10.0 + (day / WEEK % 2) as f64 })
        .collect();
    let closed: Vec<bool> = (0..days + WEEK).map(|day| day % WEEK == 6).collect();
    let cycles: Vec<_> =
        (0..days).map(|day| (day % WEEK == 0).then_some(Cycle { arrives: day, until: day + WEEK })).collect();
    let items = [ITEM];
    let rule =
        Rule { forecast: Forecast::Weekday { weeks: 1, decay: 1.0 }, cushion: Cushion::Level(0.95), ..RULE };
    let past = Past {
        days,
        start: 12 * WEEK,
        sold: &sold,
        items: &items,
        cycles: &cycles,
        closed: &closed,
        ..Past::default()
    };
    let path = paths(past, &[advised(rule)]).remove(0);
    // Six open days that are one short in every second week.
    assert_eq!((path[0].forecast, path[0].safety_stock), (66.0, 6.0));
    let open = paths(Past { closed: &[], ..past }, &[advised(rule)]).remove(0);
    assert!(open[0].forecast > 66.0 && open[0].safety_stock != 6.0, "{:?}", open[0]);
}

#[test]
fn trucks_out_of_order_are_refused() {
    let (sold, items, policies) = (sold(), [ITEM], [advised(RULE)]);
    let refused = |cycles: &[Option<Cycle>], closed: &[bool]| {
        let past = Past {
            days: 2 * WEEK,
            start: WEEK,
            sold: &sold,
            items: &items,
            cycles,
            closed,
            ..Past::default()
        };
        Replay::new(past, &policies).err().map(|refusal| refusal.to_string())
    };
    let good = cycles(2 * WEEK);
    assert_eq!(refused(&good, &CLOSED), None);
    assert!(refused(&good[1..], &CLOSED).is_some());
    assert!(refused(&good, &CLOSED[..9]).is_some());
    let mut back = good.clone();
    back[8] = Some(Cycle { arrives: 7, until: 9 });
    assert!(refused(&back, &CLOSED).is_some());
    back[8] = Some(Cycle { arrives: 9, until: 9 });
    assert!(refused(&back, &CLOSED).is_some());
}

fn rules() -> [Rule<'static>; 3] {
    let level = |forecast| Rule { forecast, cushion: Cushion::Level(0.9), ..RULE };
    [
        level(Forecast::Average { days: 28 }),
        level(Forecast::Weekday { weeks: 8, decay: 0.8 }),
        Rule { most_days: Some(3.0), ..level(Forecast::Weekday { weeks: 4, decay: 1.0 }) },
    ]
}

fn by_calendar<'a>(made: &'a Made, cycles: &'a [Option<Cycle>], closed: &'a [bool]) -> Past<'a> {
    Past { cycles, closed, ..made.past() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_truck_every_day_is_lead_and_review_of_days(made in made(), lead in 0u32..4) {
        let cycles: Vec<_> = (0..made.days)
            .map(|day| Some(Cycle { arrives: day + lead as usize, until: day + lead as usize + 1 }))
            .collect();
        let by_days: Vec<_> = rules()
            .into_iter()
            .map(|rule| advised(Rule { lead: Some(lead), review: Some(1), ..rule }))
            .collect();
        let by_trucks: Vec<_> = rules().into_iter().map(advised).collect();
        prop_assert_eq!(paths(by_calendar(&made, &cycles, &[]), &by_trucks), paths(made.past(), &by_days));
        // A rule with days of its own ignores the calendar.
        prop_assert_eq!(paths(by_calendar(&made, &cycles, &[]), &by_days), paths(made.past(), &by_days));
    }

    #[test]
    fn orders_arrive_on_truck_days_and_closed_days_need_nothing(made in made(), weekday in 0usize..WEEK) {
        let (mut made, cycles) = (made.clone(), cycles(made.days));
        made.due.fill(0.0);
        for (day, sold) in made.sold.iter_mut().enumerate() {
            if day % made.days % WEEK == weekday {
                *sold = f64::NAN;
            }
        }
        let closed: Vec<bool> = (0..made.days + 40).map(|day| day % WEEK == weekday).collect();
        let policies: Vec<_> = rules().into_iter().map(advised).collect();
        let open = paths(by_calendar(&made, &cycles, &[]), &policies);
        let paths = paths(by_calendar(&made, &cycles, &closed), &policies);
        for (path, open) in paths.iter().zip(&open) {
            for (day, open) in path.iter().zip(open) {
                prop_assert!(day.arrived == 0.0 || matches!(day.day % WEEK, 0 | 2 | 4));
                let cycle = cycles[day.day];
                prop_assert!(day.ordered == 0.0 || cycle.is_some());
                // A forecast without the closed weekday is the same, less that day.
                prop_assert!(day.forecast <= open.forecast + 1e-9);
                let closed_within = cycle.is_some_and(|it| (day.day..it.until).any(|day| closed[day]));
                prop_assert!(closed_within || (day.forecast - open.forecast).abs() < 1e-9);
            }
        }
    }
}
