//! Sales of every store, dish and day, before they become till files.

use larder_domain::{BusinessDay, Money};

use super::calendar::{self, CalendarDay, PROMOTION_LIFT};
use super::menu::{Dish, dishes};
use super::rng::{Rng, key};
use super::stores::{Kitchen, Place, Trading, places};

/// The extent of the demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Stores that are open to the end.
    pub stores: usize,
    /// Days of sales.
    pub days: i32,
    /// Days at the end for which some stores have receipts.
    pub receipt_days: i32,
    /// Stores with receipts.
    pub receipt_stores: usize,
    /// Products of the commissary.
    pub products: usize,
}

/// The group over the time of the demo.
#[derive(Debug)]
pub struct World {
    /// The seed of all random figures.
    pub seed: u64,
    pub extent: Extent,
    /// First day of sales.
    pub first: BusinessDay,
    /// Last day of sales: yesterday.
    pub last: BusinessDay,
    pub places: Vec<Place>,
    pub dishes: Vec<Dish>,
    /// Each dish's share of a store's sales.
    shares: Vec<Vec<f64>>,
}

/// Items per receipt.
const PER_RECEIPT: [(Kitchen, f64); 3] =
    [(Kitchen::Kiosk, 1.9), (Kitchen::Express, 2.6), (Kitchen::Full, 3.1)];
/// Days that new dishes are sold, and that dropped ones are no longer.
const NEW_FOR: i32 = 75;
const DROPPED_FOR: i32 = 50;
/// Probability that a store runs out of a dish, for two days.
const RUNS_OUT: f64 = 0.0015;

impl World {
    /// The group as of its last day of sales.
    pub fn new(seed: u64, extent: Extent, last: BusinessDay) -> Self {
        let (places, dishes) = (places(extent.stores), dishes());
        let shares = places.iter().map(|place| shares(seed, place, &dishes)).collect();
        Self { seed, extent, first: last.plus(1 - extent.days), last, places, dishes, shares }
    }

    /// All days, the first to the last.
    pub fn days(&self) -> impl Iterator<Item = BusinessDay> + use<> {
        (self.first.0..=self.last.0).map(BusinessDay)
    }

    /// A store's opening day.
    pub fn opened(&self, place: &Place) -> BusinessDay {
        if place.trading == Trading::Opened {
            let third = self.extent.days / 3;
            return self.first.plus(third + i32::try_from(key(place.code) % 20).unwrap_or(0).min(third));
        }
        let days_before = 400 + i32::try_from(key(place.code) % 2600).unwrap_or(0);
        self.first.plus(-days_before)
    }

    /// A store's last trading day.
    pub fn closed(&self, place: &Place) -> BusinessDay {
        match place.trading {
            Trading::Closed => self.first.plus(self.extent.days * 2 / 3),
            _ => self.last,
        }
    }

    /// Expected receipts of a store; `None` when it is closed.
    pub fn receipts(&self, store: usize, day: BusinessDay) -> Option<f64> {
        let place = &self.places[store];
        let age = day.0 - self.opened(place).0;
        if age < 0 || day > self.closed(place) {
            return None;
        }
        let weather = calendar::weather(self.seed, place.region(), day)?;
        let trade = CalendarDay::of(day).trade(place)?;
        let novelty = match (place.trading, age) {
            (Trading::Opened, ..=13) => 1.3,
            (Trading::Opened, 14..=60) => 0.75 + f64::from(age) / 240.0,
            (Trading::Closed, _) => 0.8,
            _ => 1.0,
        };
        let before_the_end = f64::from(self.last.0 - day.0) / 365.0;
        let growth = 1.0 - 0.045 * before_the_end;
        let mut week =
            Rng::of(self.seed, &[key("week"), key(place.code), u64::from(day.week().0.unsigned_abs())]);
        let mut noise = Rng::of(self.seed, &[key("day"), key(place.code), u64::from(day.0.unsigned_abs())]);
        let luck = (1.0 + 0.035 * week.normal()) * (1.0 + 0.055 * noise.normal());
        let seats = f64::from(i32::try_from(self.places[store].receipts).unwrap_or(0));
        Some((seats * trade * weather * novelty * growth * luck).max(5.0))
    }

    /// Expected sales of each dish on a day; `None` when the store is closed.
    pub fn expected(&self, store: usize, day: BusinessDay) -> Option<Vec<f64>> {
        let receipts = self.receipts(store, day)?;
        let place = &self.places[store];
        let per_receipt =
            PER_RECEIPT.iter().find(|(kitchen, _)| *kitchen == place.kitchen()).map_or(2.5, |(_, n)| *n);
        let calendar_day = CalendarDay::of(day);
        let promoted = calendar::promotion(self.seed, day, &self.dishes);
        let left = self.last.0 - day.0;
        let sold_out = self.sold_out(place, day);
        let shares = self.shares[store].iter().zip(&self.dishes).enumerate();
        Some(
            shares
                .map(|(at, (share, dish))| {
                    let gone = (dish.is('n') && left >= NEW_FOR)
                        || (dish.is('d') && left < DROPPED_FOR)
                        || sold_out == Some(at);
                    if gone || *share == 0.0 {
                        return 0.0;
                    }
                    let lift = if promoted == Some(at) { PROMOTION_LIFT } else { 1.0 };
                    receipts * per_receipt * share * calendar_day.demand(dish) * lift
                })
                .collect(),
        )
    }

    /// The dish a store has run out of.
    fn sold_out(&self, place: &Place, day: BusinessDay) -> Option<usize> {
        [day, day.plus(-1)].into_iter().find_map(|day| {
            let mut rng = Rng::of(self.seed, &[key("out"), key(place.code), u64::from(day.0.unsigned_abs())]);
            let often = RUNS_OUT * f64::from(i32::try_from(self.dishes.len()).unwrap_or(0));
            rng.happens(often).then(|| rng.below(self.dishes.len()))
        })
    }

    /// The price of a dish on a day: whole pesos, slightly lower for each February still to come.
    pub fn price(&self, dish: usize, day: BusinessDay) -> Money {
        let rises = CalendarDay::of(day).price_rises_until(&CalendarDay::of(self.last));
        let now = self.dishes[dish].price.0;
        if rises == 0 { Money(now) } else { Money((now * (100 - 4 * rises) / 100 + 50) / 100 * 100) }
    }

    /// Whether a store's tills exported receipts, not totals, on a day.
    pub fn has_receipts(&self, store: usize, day: BusinessDay) -> bool {
        store < self.extent.receipt_stores && self.last.0 - day.0 < self.extent.receipt_days
    }
}

fn shares(seed: u64, place: &Place, dishes: &[Dish]) -> Vec<f64> {
    let weights: Vec<f64> = dishes
        .iter()
        .map(|dish| {
            if dish.kitchen > place.kitchen() {
                return 0.0;
            }
            let taste = Rng::of(seed, &[key("taste"), key(place.code), key(&dish.code)]).between(0.6, 1.5);
            dish.weight * taste
        })
        .collect();
    let all: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent { stores: 8, days: 182, receipt_days: 42, receipt_stores: 2, products: 80 };

    fn world() -> World {
        World::new(1, EXTENT, BusinessDay::from_ymd(2026, 11, 19).expect("a day"))
    }

    #[test]
    fn a_store_sells_only_its_kitchens_dishes() {
        let world = world();
        let kiosk = world.places.iter().position(|p| p.kitchen() == Kitchen::Kiosk).expect("a kiosk");
        let expected = world.expected(kiosk, world.last.plus(-10)).expect("open");
        let cooked = expected.iter().zip(&world.dishes).filter(|(n, _)| **n > 0.0);
        assert!(cooked.clone().count() > 40);
        assert!(cooked.into_iter().all(|(_, dish)| dish.kitchen == Kitchen::Kiosk));
    }

    #[test]
    fn figures_of_a_day_do_not_depend_on_the_extent() {
        let (small, large) =
            (world(), World::new(1, Extent { stores: 40, days: 730, ..EXTENT }, world().last));
        let day = world().last.plus(-20);
        assert_eq!(small.expected(0, day), large.expected(0, day));
        assert_ne!(small.expected(0, day), World::new(2, EXTENT, world().last).expected(0, day));
    }

    #[test]
    fn stores_open_and_close_within_the_extent() {
        let world = world();
        let with = |trading| world.places.iter().position(|p| p.trading == trading).expect("one");
        let (opened, closed) = (with(Trading::Opened), with(Trading::Closed));
        assert_eq!(world.receipts(opened, world.first), None);
        assert!(world.receipts(opened, world.last).is_some());
        assert!(world.receipts(closed, world.first.plus(2)).is_some());
        assert_eq!(world.receipts(closed, world.last), None);
        assert_eq!(world.price(0, world.last), world.dishes[0].price);
    }
}
