use larder_planning::replay::{Cushion, Day, Forecast, Item, Orders, Past, Policy, Replay, Rule, Scratch};
use larder_planning::replenish::Safety;
use proptest::prelude::*;

pub const ITEM: Item = Item {
    opening: 10.0,
    opening_life_days: None,
    pack: 1.0,
    min: 0.0,
    max: None,
    lead: 1,
    review: 2,
    shelf_life_days: None,
    unit_cost: 2.5,
};

pub const RULE: Rule<'static> = Rule {
    forecast: Forecast::Average { days: 28 },
    cushion: Cushion::Fixed(Safety::Quantile(0.0)),
    lead: None,
    review: None,
    first_review: 0,
    pack: None,
    most_days: None,
};

pub fn advised(rule: Rule<'_>) -> Policy<'_> {
    Policy { orders: Orders::Advised(rule) }
}

/// The days of each series under each policy.
pub fn paths(past: Past<'_>, policies: &[Policy<'_>]) -> Vec<Vec<Day>> {
    let replay = Replay::new(past, policies).expect("sound");
    let mut scratch = Scratch::default();
    (0..replay.series())
        .flat_map(|series| (0..policies.len()).map(move |policy| (series, policy)))
        .map(|(series, policy)| replay.path(series, policy, &mut scratch).expect("there"))
        .collect()
}

/// Generated data of some series.
#[derive(Debug, Clone)]
pub struct Made {
    pub days: usize,
    pub start: usize,
    pub sold: Vec<f64>,
    pub lost: Vec<f64>,
    pub received: Vec<f64>,
    pub due: Vec<f64>,
    pub items: Vec<Item>,
}

impl Made {
    pub fn past(&self) -> Past<'_> {
        let Self { days, start, sold, lost, received, due, items } = self;
        Past { days: *days, start: *start, sold, lost, received, due, items, ..Past::default() }
    }
}

pub fn item() -> impl Strategy<Value = Item> {
    let bounds = (0u32..20, prop::option::of(20u32..200));
    let life = (prop::option::of(1u32..30), prop::option::of(1u32..9));
    (0u32..90, 1u32..13, bounds, 0u32..5, 1u32..8, life).prop_map(
        |(opening, pack, (min, max), lead, review, (life, left))| Item {
            opening: f64::from(opening),
            opening_life_days: life.and(left),
            pack: f64::from(pack) / 2.0,
            min: f64::from(min),
            max: max.map(f64::from),
            lead,
            review,
            shelf_life_days: life,
            unit_cost: 2.5,
        },
    )
}

/// Up to four series of 90 days, some days unknown; most of them have a history.
pub fn made() -> impl Strategy<Value = Made> {
    (prop::collection::vec(item(), 1..5), prop_oneof![Just(0usize), 1usize..80])
        .prop_flat_map(|(items, start)| made_of(items, 90, start, 1))
}

/// A series with a history so long that the oldest errors of its forecasts no longer count.
pub fn long() -> impl Strategy<Value = Made> {
    item().prop_flat_map(|item| made_of(vec![item], 180, 168, 0))
}

fn made_of(items: Vec<Item>, days: usize, start: usize, unknown: u32) -> impl Strategy<Value = Made> {
    let sold = prop_oneof![unknown => Just(f64::NAN), 2 => Just(0.0), 9 => (0u32..40).prop_map(f64::from)];
    let rarely = |most: u32| prop_oneof![5 => Just(0.0), 1 => (0u32..most).prop_map(f64::from)];
    let row = items.len() * days;
    (
        prop::collection::vec(sold, row),
        prop::collection::vec(rarely(9), row),
        prop::collection::vec(rarely(90), row),
        prop::collection::vec(rarely(20), row),
    )
        .prop_map(move |(sold, lost, received, due)| Made {
            days,
            start,
            sold,
            lost,
            received,
            due,
            items: items.clone(),
        })
}

/// A rule with supplied forecasts.
pub fn advised_rule<'a>(given: &'a dyn larder_planning::replay::Forecaster) -> Rule<'a> {
    Rule { forecast: Forecast::Given(given), ..RULE }
}
