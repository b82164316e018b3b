use larder_domain::{Money, Qty};
use larder_planning::Refusal;
use larder_planning::replay::{
    ChunkResult, Cushion, Forecast, Item, Known, Orders, Past, Policy, Replay, Scratch,
};
use larder_planning::replenish::{NO_DAYS, Safety};
use rstest::rstest;

use super::support::{ITEM, RULE, advised, paths};

/// Two days of history of 4 each, then a week.
const SOLD: [f64; 9] = [4.0, 4.0, 3.0, 5.0, 6.0, f64::NAN, 2.0, 9.0, 1.0];
const LOST: [f64; 9] = [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0];

fn past(items: &[Item]) -> Past<'_> {
    Past { days: 9, start: 2, sold: &SOLD, lost: &LOST, items, ..Past::default() }
}

#[test]
fn a_week_worked_by_hand() {
    // Ordered every second day for three days, on the shelf a day later, in sixes; nothing lasts longer than three
    // days.
    let item = Item { pack: 6.0, shelf_life_days: Some(3), ..ITEM };
    let given = |known: Known<'_>, out: &mut [f64]| out.fill(known.day as f64);
    let policy = advised(crate::support::advised_rule(&given));
    let items = [item];
    let days = paths(past(&items), &[policy]).remove(0);
    let found: Vec<_> = days
        .iter()
        .map(|day| {
            [day.arrived, day.ordered, day.available, day.demand, day.served, day.expired, day.closing]
        })
        .collect();
    // Day 2: three days of 2 each are 6, and 10 are on hand. Day 4: 10 of 12 are needed, two packs, but only 12 can be
    // sold in three days, so one. Day 6: 12 of 18, two packs. Day 8: 17 of 24, three packs, but only 24 can be sold:
    // two.
    assert_eq!(
        found,
        [
            [0.0, 0.0, 10.0, 3.0, 3.0, 0.0, 7.0],
            [0.0, 0.0, 7.0, 5.0, 5.0, 0.0, 2.0],
            [0.0, 6.0, 2.0, 8.0, 2.0, 0.0, 0.0],
            [6.0, 0.0, 6.0, 0.0, 0.0, 0.0, 6.0],
            [0.0, 12.0, 6.0, 2.0, 2.0, 0.0, 4.0],
            [12.0, 0.0, 16.0, 9.0, 9.0, 0.0, 7.0],
            [0.0, 12.0, 7.0, 1.0, 1.0, 0.0, 6.0],
        ]
    );
    let policies = [policy];
    let replay = Replay::new(past(&items), &policies).expect("sound");
    let result = replay.chunk(0..1, &mut Scratch::default()).expect("there");
    let figures = result.totals[0];
    let qty = |whole: i64| Qty(whole * 1_000_000);
    assert_eq!((figures.series, figures.days, figures.unknown_days, figures.out_days), (1, 7, 1, 1));
    assert_eq!((figures.demand, figures.estimated, figures.served), (qty(28), qty(2), qty(22)));
    assert_eq!(
        (figures.served_estimated, figures.lost),
        (qty(0), qty(6)),
        "what was really sold is served first"
    );
    assert_eq!((figures.orders, figures.ordered, figures.received), (3, qty(30), qty(18)));
    assert_eq!((figures.opening, figures.closing, figures.expired), (qty(10), qty(6), qty(0)));
    assert_eq!(figures.average_stock, Qty(4_571_429), "32 over 7 days");
    assert_eq!(figures.average_stock_cost, Money(1_143));
    assert_eq!(figures.service_level(), Some(22.0 / 28.0));
    assert_eq!(figures.service_level_of_sold(), Some(22.0 / 26.0));
    assert_eq!(result.of(0), Some(&[figures][..]));
    assert_eq!(result.of(1), None);
    let closing: Vec<i64> = result.stock(0).iter().map(|(stock, _)| stock.0 / 1_000_000).collect();
    assert_eq!(closing, [7, 2, 0, 6, 4, 7, 6]);
    assert_eq!(result.stock(0)[0].1, Money(1_750));
}

#[test]
fn first_expired_is_sold_first_and_the_rest_is_discarded() {
    let item = Item { opening: 10.0, opening_life_days: Some(2), shelf_life_days: Some(4), ..ITEM };
    let received = [0.0, 0.0, 8.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0];
    let sold = [0.0, 0.0, 3.0, 4.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    let items = [item];
    let past = Past { sold: &sold, lost: &[], received: &received, ..past(&items) };
    let days = paths(past, &[Policy { orders: Orders::Actual }]).remove(0);
    // The opening 10 are sold on two days, of which 3 are left; the 8 last to the end of day 5 (2 sold), the 5 to that
    // of day 8.
    let expired: Vec<f64> = days.iter().map(|day| day.expired).collect();
    assert_eq!(expired, [0.0, 3.0, 0.0, 6.0, 0.0, 0.0, 2.0]);
    assert_eq!(days.iter().map(|day| day.closing).collect::<Vec<_>>(), [15.0, 8.0, 7.0, 5.0, 4.0, 3.0, 0.0]);
    assert_eq!(
        days.iter().filter(|day| day.ordered > 0.0).count(),
        2,
        "a day with a receipt counts as an order"
    );
}

#[test]
fn due_orders_count_and_an_order_without_lead_time_arrives_the_same_day() {
    let items = [Item { opening: 0.0, lead: 0, review: 1, ..ITEM }];
    let mut due = [0.0; 9];
    due[4] = 5.0;
    let given = |_: Known<'_>, out: &mut [f64]| out.fill(6.0);
    let rule = crate::support::advised_rule(&given);
    let days = paths(Past { due: &due, lost: &[], ..past(&items) }, &[advised(rule)]).remove(0);
    assert_eq!(
        (days[0].ordered, days[0].arrived, days[0].served),
        (1.0, 1.0, 1.0),
        "5 of 6 are on their way"
    );
    let capped = advised(larder_planning::replay::Rule { most_days: Some(0.5), pack: Some(2.0), ..rule });
    let days = paths(past(&items), &[capped]).remove(0);
    assert_eq!(days[0].ordered, 4.0, "half a day's use are 3, in packs of 2");
}

#[test]
fn service_levels_come_from_summed_forecast_errors() {
    // Zero for 40 days, then 10 every fourth day: an average of one day is wrong by 10 or 0, never by more.
    let sold: Vec<f64> = (0..80).map(|day| if day >= 40 && day % 4 == 0 { 10.0 } else { 0.0 }).collect();
    let items = [Item { lead: 0, review: 1, ..ITEM }];
    let rule = |level| {
        let forecast = Forecast::Average { days: 1 };
        advised(larder_planning::replay::Rule { forecast, cushion: Cushion::Level(level), ..RULE })
    };
    let past = Past { days: 80, start: 79, sold: &sold, items: &items, ..Past::default() };
    let days = paths(past, &[rule(0.5), rule(0.95)]);
    assert_eq!((days[0][0].safety_stock, days[1][0].safety_stock), (0.0, 10.0));
}

#[rstest]
#[case::no_days(|past: &mut Past<'_>| past.start = 9, "There is no day to replay.")]
#[case::short(|past: &mut Past<'_>| past.sold = &SOLD[..8], "Every buffer needs one figure for each series and day.")]
#[case::uneven(|past: &mut Past<'_>| past.due = &SOLD[..8], "Every buffer needs one figure for each series and day.")]
#[case::endless(|past: &mut Past<'_>| past.sold = &[f64::INFINITY; 9], "A day's quantity is out of range.")]
#[case::lost(|past: &mut Past<'_>| past.lost = &SOLD,
    "A day's quantity is not a number, below nothing or out of range.")]
#[case::pack(|past: &mut Past<'_>| past.items = &[Item { pack: 0.0, ..ITEM }],
    "An item's stock, pack, least or cost is not a number, or below nothing.")]
#[case::most(|past: &mut Past<'_>| past.items = &[Item { min: 3.0, max: Some(2.0), ..ITEM }],
    "An item's most is not a number, or below its least.")]
#[case::life(|past: &mut Past<'_>| past.items = &[Item { shelf_life_days: Some(0), ..ITEM }],
    "A shelf life has to be a day at least.")]
#[case::days(|past: &mut Past<'_>| past.items = &[Item { lead: 0, review: 0, ..ITEM }], "Set lead and review days.")]
fn an_invalid_past_is_refused_with_a_message(#[case] spoil: fn(&mut Past<'_>), #[case] words: &str) {
    let mut past = past(&[ITEM]);
    assert!(Replay::new(past, &[advised(RULE)]).is_ok());
    spoil(&mut past);
    assert_eq!(Replay::new(past, &[advised(RULE)]).expect_err("refused").to_string(), words);
}

#[test]
fn an_invalid_policy_is_refused_with_a_message() {
    use larder_planning::replay::Rule;
    let refused = |rule| Replay::new(past(&[ITEM]), &[advised(rule)]).expect_err("refused").to_string();
    assert_eq!(refused(Rule { lead: Some(0), review: Some(0), ..RULE }), NO_DAYS.to_string());
    let words = "A service level has to be between 0 and 1, a safety stock a number.";
    for cushion in [0.0, 1.0, f64::NAN].map(Cushion::Level) {
        assert_eq!(refused(Rule { cushion, ..RULE }), words);
    }
    assert_eq!(refused(Rule { cushion: Cushion::Fixed(Safety::Quantile(f64::NAN)), ..RULE }), words);
    let words = "A policy's pack or most is not a number, or below nothing.";
    assert_eq!(refused(Rule { pack: Some(0.0), ..RULE }), words);
    assert_eq!(refused(Rule { most_days: Some(-1.0), ..RULE }), words);
    let words = "An average needs a day or a week at least, and a weight up to 1.";
    assert_eq!(refused(Rule { forecast: Forecast::Average { days: 0 }, ..RULE }), words);
    assert_eq!(refused(Rule { forecast: Forecast::Weekday { weeks: 8, decay: 1.5 }, ..RULE }), words);
    let actual = Replay::new(past(&[ITEM]), &[Policy { orders: Orders::Actual }]);
    assert_eq!(actual.expect_err("refused").to_string(), "What really arrived is not known.");
    let bad = |_: Known<'_>, out: &mut [f64]| out.fill(f64::NAN);
    let policies = [advised(crate::support::advised_rule(&bad))];
    let items = [ITEM];
    let replay = Replay::new(past(&items), &policies).expect("not known before it is asked");
    let words = Refusal::Invalid("A forecast is not a number, or below nothing.");
    assert_eq!(replay.chunk(0..1, &mut Scratch::default()), Err(words));
    let words = Refusal::Invalid("There are fewer series.");
    assert_eq!(replay.chunk(0..2, &mut Scratch::default()), Err(words));
}

#[test]
fn results_that_do_not_belong_together_are_not_merged() {
    let (items, policies) = ([ITEM], [advised(RULE)]);
    let replay = Replay::new(past(&items), &policies).expect("sound");
    let chunk = || replay.chunk(0..1, &mut Scratch::default()).expect("there");
    assert_eq!(chunk().merge(chunk()), Err(Refusal::Invalid("A series is in both results.")));
    let other = ChunkResult::empty(2, 7, 0);
    assert_eq!(chunk().merge(other), Err(Refusal::Invalid("These are results of different replays.")));
    assert_eq!(ChunkResult::empty(1, 7, 0).merge(chunk()), Ok(chunk()));
}
