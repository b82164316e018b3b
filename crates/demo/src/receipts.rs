//! A day at a store's counter: guests by time, and their orders.

use larder_domain::{BusinessDay, Money};

use super::demand::World;
use super::masters::terminals;
use super::menu::{Dish, DishKind};
use super::rng::{Rng, key};
use super::stores::Site;

/// A receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Seconds since midnight.
    pub seconds: i64,
    /// Index of the till.
    pub terminal: usize,
    /// Dine-in, take-out, delivery.
    pub service: &'static str,
    pub lines: Vec<ReceiptLine>,
}

/// A line of a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiptLine {
    /// Index into the menu.
    pub dish: usize,
    pub qty: i64,
    /// Unit price.
    pub price: Money,
    pub discount: Money,
    /// `SALE`, `VOID` or `RETURN`.
    pub kind: &'static str,
}

/// Dishes of one kind to choose from, by weight, and how many a guest takes.
struct Choice {
    dishes: Vec<usize>,
    weights: Vec<f64>,
    often: f64,
}

impl Choice {
    fn pick(&self, rng: &mut Rng) -> Option<usize> {
        self.dishes.get(rng.pick(&self.weights)).copied()
    }

    fn serve(&self, rng: &mut Rng, taken: &mut Vec<usize>) {
        let mut left = self.often;
        while left > 0.0 {
            if rng.happens(left) {
                taken.extend(self.pick(rng));
            }
            left -= 1.0;
        }
    }
}

const KINDS: [DishKind; 5] =
    [DishKind::Main, DishKind::Sharing, DishKind::Side, DishKind::Drink, DishKind::Sweet];

/// Meals, mornings and afternoons: demand factors for each kind of dish.
const PARTS: [[f64; 5]; 3] =
    [[1.06, 1.1, 0.95, 0.97, 0.75], [1.0, 0.2, 0.7, 1.1, 0.4], [0.66, 0.6, 1.35, 1.05, 2.2]];
const MEAL: usize = 0;
const MORNING: usize = 1;
const AFTERNOON: usize = 2;

fn part(hour: i64) -> usize {
    match hour {
        ..=9 => MORNING,
        14..=16 => AFTERNOON,
        _ => MEAL,
    }
}

/// Distribution of party sizes: one, two, three, four.
const PARTIES: [f64; 4] = [0.6, 0.26, 0.08, 0.06];
/// From this size on a party may share, and a shared dish feeds this many.
const SHARING: usize = 3;
const FED: usize = 2;

/// Pairings: prefix of a main's code, the side dish, its frequency.
const TOGETHER: &[(&str, &str, f64)] = &[
    ("GR", "Extra Rice", 0.32),
    ("SL", "Barako Coffee Regular", 0.34),
    ("SZ", "Beer", 0.14),
    ("SZ", "Extra Rice", 0.22),
    ("NS", "Lumpiang Shanghai, 6 Pieces", 0.16),
    ("SW", "French Fries", 0.36),
    ("CD", "Extra Rice", 0.3),
];

/// The receipts of a store and day in order of time; empty when it is closed.
pub fn receipts(world: &World, store: usize, day: BusinessDay) -> Vec<Receipt> {
    let (Some(expected), Some(guests)) = (world.expected(store, day), world.receipts(store, day)) else {
        return Vec::new();
    };
    let place = &world.places[store];
    let mut rng = Rng::of(world.seed, &[key("counter"), key(place.code), u64::from(day.0.unsigned_abs())]);
    let hours = hours(place.site);
    let guests_at_counter = Guests::new(world, day, &expected, guests, &hours);
    let mut all: Vec<Receipt> = (0..rng.times(guests))
        .map(|_| {
            let hour = i64::try_from(rng.pick(&hours)).unwrap_or(12) + FIRST_HOUR;
            let seconds = hour * 3600 + i64::try_from(rng.below(3600)).unwrap_or(0);
            let service = ["Dine-in", "Take-out", "Delivery"][rng.pick(&[0.56, 0.29, 0.15])];
            let terminal = rng.below(terminals(place));
            Receipt { seconds, terminal, service, lines: guests_at_counter.order(&mut rng, part(hour)) }
        })
        .filter(|receipt| !receipt.lines.is_empty())
        .collect();
    all.sort_by_key(|receipt| (receipt.seconds, receipt.terminal));
    all
}

const FIRST_HOUR: i64 = 7;

/// The share of each hour from seven in the morning.
fn hours(site: Site) -> [f64; 15] {
    match site {
        Site::Mall => [0.0, 0.0, 0.3, 2.0, 5.0, 9.0, 8.0, 5.0, 5.0, 5.5, 6.0, 8.0, 8.5, 5.0, 1.0],
        Site::Office => [3.0, 4.0, 3.0, 3.0, 7.0, 11.0, 7.0, 3.0, 4.0, 3.5, 4.0, 4.5, 3.0, 1.5, 0.3],
        _ => [2.0, 3.0, 2.5, 2.5, 5.0, 8.5, 7.0, 4.0, 4.5, 4.5, 5.0, 7.0, 7.0, 4.0, 1.5],
    }
}

struct Guests<'a> {
    world: &'a World,
    day: BusinessDay,
    /// For each part of the day: mains, shared dishes, sides, drinks, sweets.
    choices: Vec<[Choice; 5]>,
    together: Vec<(&'static str, usize, f64)>,
}

impl<'a> Guests<'a> {
    /// Calibrated so that all guests together order the expected quantity of each dish.
    fn new(world: &'a World, day: BusinessDay, expected: &[f64], guests: f64, hours: &[f64]) -> Self {
        let (together, left) = together(world, expected);
        let of = |kind: DishKind| (0..left.len()).filter(move |at| world.dishes[*at].kind == kind);
        let sum = |kind: DishKind| of(kind).map(|at| left[at]).sum::<f64>();
        let all: f64 = hours.iter().sum();
        let busy = |wanted: usize| {
            let within = hours.iter().zip(FIRST_HOUR..).filter(|(_, hour)| part(*hour) == wanted);
            within.map(|(weight, _)| weight).sum::<f64>() / all
        };
        let busy = [busy(MEAL), busy(MORNING), busy(AFTERNOON)];
        let party: f64 = PARTIES.iter().zip([1.0, 2.0, 3.0, 4.0]).map(|(weight, size)| weight * size).sum();
        let sharing: f64 = PARTIES[SHARING - 1..].iter().sum();
        let eaters = guests * party - 2.0 * sum(DishKind::Sharing);
        let choices = (0..PARTS.len()).map(|part| {
            let mut nth = 0;
            KINDS.map(|kind| {
                let even: f64 = PARTS.iter().zip(busy).map(|(leans, weight)| leans[nth] * weight).sum();
                let takers = if kind == DishKind::Sharing { guests * sharing } else { eaters };
                let often = sum(kind) / takers * PARTS[part][nth] / even;
                nth += 1;
                let dishes: Vec<usize> = of(kind).filter(|at| left[*at] > 0.0).collect();
                let weights =
                    dishes.iter().map(|at| left[*at] * leaning(&world.dishes[*at], part, busy)).collect();
                Choice { dishes, weights, often }
            })
        });
        Self { world, day, choices: choices.collect(), together }
    }

    /// The order of a party.
    fn order(&self, rng: &mut Rng, part: usize) -> Vec<ReceiptLine> {
        let [mains, shares, sides, drinks, sweets] = &self.choices[part];
        let mut party = 1 + rng.pick(&PARTIES);
        let mut taken: Vec<usize> = Vec::new();
        if party >= SHARING && rng.happens(shares.often) {
            taken.extend(shares.pick(rng));
            party -= FED;
        }
        for _ in 0..party {
            let mut plates = Vec::new();
            mains.serve(rng, &mut plates);
            for main in &plates {
                let code = &self.world.dishes[*main].code;
                for (prefix, beside, often) in &self.together {
                    if code.starts_with(prefix) && rng.happens(*often) {
                        taken.push(*beside);
                    }
                }
            }
            taken.extend(plates);
            for choice in [sides, drinks, sweets] {
                choice.serve(rng, &mut taken);
            }
        }
        self.lines(rng, &taken)
    }

    /// The lines of an order; occasionally with a discount, a void, a return.
    fn lines(&self, rng: &mut Rng, taken: &[usize]) -> Vec<ReceiptLine> {
        let mut lines: Vec<ReceiptLine> = Vec::new();
        for dish in taken {
            match lines.iter_mut().find(|line| line.dish == *dish) {
                Some(line) => line.qty += 1,
                None => lines.push(ReceiptLine {
                    dish: *dish,
                    qty: 1,
                    price: self.world.price(*dish, self.day),
                    discount: Money::ZERO,
                    kind: "SALE",
                }),
            }
        }
        if rng.happens(SENIORS)
            && let Some(line) = lines.first_mut()
        {
            line.discount = twentieths(line.price, 4);
        }
        if rng.happens(0.008)
            && let Some(line) = lines.last().copied()
        {
            // Rung up twice, voided once.
            lines.push(ReceiptLine { qty: 1, discount: Money::ZERO, kind: "VOID", ..line });
        } else if rng.happens(0.0025)
            && let Some(line) = lines.first().copied()
        {
            lines = vec![ReceiptLine { qty: -1, discount: Money::ZERO, kind: "RETURN", ..line }];
        }
        lines
    }
}

/// Share of receipts with a senior citizen or a person with disability.
pub const SENIORS: f64 = 0.09;

/// Some twentieths of a price.
pub fn twentieths(price: Money, parts: i64) -> Money {
    Money((price.0 * parts + 10) / 20)
}

/// The pairings of this day, and the remaining expected quantity of each dish.
fn together(world: &World, expected: &[f64]) -> (Vec<(&'static str, usize, f64)>, Vec<f64>) {
    let mut left = expected.to_vec();
    let mut pairs = Vec::new();
    for (prefix, name, often) in TOGETHER {
        let Some(beside) = world.dishes.iter().position(|dish| dish.name == *name) else { continue };
        let mains: f64 = world
            .dishes
            .iter()
            .zip(expected)
            .filter(|(dish, _)| dish.code.starts_with(prefix))
            .map(|(_, n)| n)
            .sum();
        // Some are always ordered alone.
        let most = left[beside] * 0.8;
        if mains > 0.0 && most > 0.0 {
            let taken = (mains * often).min(most);
            left[beside] -= taken;
            pairs.push((*prefix, beside, taken / mains));
        }
    }
    (pairs, left)
}

/// The demand for a dish in a part of the day relative to the whole day.
fn leaning(dish: &Dish, part: usize, busy: [f64; 3]) -> f64 {
    let wanted = match (dish.is('b'), dish.is('m')) {
        (true, _) => [0.6, 4.0, 0.7],
        (_, true) => [0.85, 0.5, 2.2],
        _ => [1.0, 0.4, 0.75],
    };
    let even: f64 = wanted.iter().zip(busy).map(|(lean, weight)| lean * weight).sum();
    wanted[part] / even
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demand::Extent;

    #[test]
    fn a_day_at_the_counter_is_plausible() {
        let extent = Extent { stores: 2, days: 30, receipt_days: 14, receipt_stores: 1, products: 40 };
        let world = World::new(1, extent, "2026-11-19".parse().expect("a day"));
        let day = world.last.plus(-2);
        let all = receipts(&world, 0, day);
        assert_eq!(all, receipts(&world, 0, day));
        let guests = world.receipts(0, day).expect("open");
        assert!((all.len() as f64 - guests).abs() < guests / 4.0, "{} of {guests}", all.len());
        let items: i64 = all.iter().flat_map(|r| &r.lines).filter(|l| l.kind == "SALE").map(|l| l.qty).sum();
        let per_receipt = items as f64 / all.len() as f64;
        assert!((2.6..3.6).contains(&per_receipt), "{per_receipt}");
        let expected = world.expected(0, day).expect("open");
        for kind in KINDS {
            let of = |at: &usize| world.dishes[*at].kind == kind;
            let wanted: f64 = (0..expected.len()).filter(of).map(|at| expected[at]).sum();
            let lines =
                all.iter().flat_map(|r| &r.lines).filter(|line| line.kind == "SALE" && of(&line.dish));
            let taken = lines.map(|line| line.qty).sum::<i64>() as f64;
            assert!(
                (taken - wanted).abs() < 0.1 * wanted + 3.0 * wanted.sqrt(),
                "{kind:?}: {taken} of {wanted}"
            );
        }
        let lunch = all.iter().filter(|r| (11..14).contains(&(r.seconds / 3600))).count();
        assert!(lunch > all.len() / 4);
    }
}
