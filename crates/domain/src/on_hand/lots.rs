//! Lots of a root item in a store: the stock, allocated to the lots that documents brought there.
//!
//! Sales and counts do not name lots. A lot can hold at most what came of it less what left, and the stock is known. It
//! is assumed that the lot that expires first is used up first, so the stock is what remains of those that expire last.
//! How much of a lot can be there at most and at least does not depend on that assumption.

use super::Passed;
use crate::{BusinessDay, Qty};

/// When a lot is used up, compared with others: the one that expires first; lots without an expiry date after all
/// others, the one received first before the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    expiry: BusinessDay,
    received: BusinessDay,
}

/// A lot as documents know it, in units of the root item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lot {
    /// What came less what left. Below zero if more left than came.
    pub came_less_left: Qty,
    pub expiry: Option<BusinessDay>,
    /// When it was first received in the store.
    pub received: Option<BusinessDay>,
    /// In days; stands in for an unknown expiry date, from the day it was received.
    pub shelf_life: Option<i32>,
}

impl Lot {
    /// What can be there at most, whatever the stock.
    #[must_use]
    pub fn room(&self) -> Qty {
        self.came_less_left.max(Qty::ZERO)
    }

    /// The expiry date, or the one that the shelf life gives.
    #[must_use]
    pub fn expires(&self) -> Option<BusinessDay> {
        self.expiry.or_else(|| Some(self.received?.plus(self.shelf_life.filter(|days| *days > 0)?)))
    }

    fn turn(&self) -> Turn {
        Turn {
            expiry: self.expires().unwrap_or(BusinessDay(i32::MAX)),
            received: self.received.unwrap_or(BusinessDay(i32::MIN)),
        }
    }
}

/// How much of a lot is in a store, in units of the root item. Never negative: at least ≤ likely ≤ at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    pub likely: Qty,
    pub at_least: Qty,
    pub at_most: Qty,
}

/// The stock of a root item, by lot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Allocation {
    /// In the order of the lots.
    pub lots: Vec<Share>,
    pub without_lot: Share,
    /// Whether there is more than documents brought, so that it is unknown what it is.
    pub unexplained: bool,
}

/// A count of all of a root item, or its stock now, and what happened since the count before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recount {
    pub counted: Qty,
    pub passed: Passed,
    /// What came without a lot, whatever left.
    pub came_without_lot: Qty,
}

/// What can be there without a lot at most, after the last of some counts. All of the `first` one can be without: nothing
/// says what a store began with. Since then came what documents brought without a lot and what was counted beyond what was
/// expected; and it never was more than the whole stock.
#[must_use]
pub fn most_without_lot(first: Qty, then: &[Recount]) -> Qty {
    let (mut stock, mut most) = (i128::from(first.0), i128::from(first.0.max(0)));
    for count in then {
        let expected = stock + i128::from(count.passed.moved.0) - i128::from(count.passed.used.0);
        stock = count.counted.0.into();
        let beyond = (stock - expected).max(0);
        most = (most + i128::from(count.came_without_lot.0.max(0)) + beyond).min(stock.max(0));
    }
    qty(most)
}

/// Allocates the stock of a root item to its lots, and to `without_lot`: what documents brought without one. `most_without`
/// is what can be there without a lot at most: what a store began with is in no document. The likely quantities add up
/// to the stock, or to zero if that is negative.
#[must_use]
pub fn allocate(stock: Qty, lots: &[Lot], without_lot: &Lot, most_without: Qty) -> Allocation {
    let stock = i128::from(stock.0.max(0));
    let room: Vec<i128> = lots.iter().map(|lot| i128::from(lot.room().0)).collect();
    let in_lots: i128 = room.iter().sum();
    let known_without = i128::from(without_lot.room().0);
    let unexplained = in_lots + known_without < stock;
    let could_be = known_without.max(most_without.0.into());
    // Nothing limits what that does not explain: it can be instead of any lot.
    let room_without = if in_lots + could_be < stock { stock } else { could_be };
    let all = in_lots + room_without;
    let bounds = |room: i128| (room.min(stock), (stock - (all - room)).max(0));

    // What expires last is left; among equals, what comes later in the list.
    let mut order: Vec<Option<usize>> = (0..lots.len()).map(Some).collect();
    order.push(None);
    let turn = |at: &Option<usize>| at.map_or_else(|| without_lot.turn(), |at| lots[at].turn());
    order.sort_by_key(|at| (turn(at), at.is_some()));
    let mut likely = vec![0; lots.len()];
    let (mut left, mut likely_without) = (stock, 0);
    for at in order.iter().rev() {
        let room = at.map_or(known_without, |at| room[at]);
        let part = room.min(left);
        left -= part;
        match at {
            Some(at) => likely[*at] = part,
            None => likely_without = part,
        }
    }
    likely_without += left;

    let share = |likely: i128, room: i128| {
        let (at_most, at_least) = bounds(room);
        Share { likely: qty(likely), at_least: qty(at_least), at_most: qty(at_most) }
    };
    Allocation {
        lots: likely.iter().zip(&room).map(|(likely, room)| share(*likely, *room)).collect(),
        without_lot: share(likely_without, room_without),
        unexplained,
    }
}

/// Every part is at most the stock, which is one of these.
fn qty(millionths: i128) -> Qty {
    Qty(i64::try_from(millionths).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn qty(whole: i64) -> Qty {
        Qty(whole * 1_000_000)
    }

    fn lot(whole: i64, expiry: i32) -> Lot {
        Lot { came_less_left: qty(whole), expiry: Some(BusinessDay(expiry)), ..Lot::default() }
    }

    fn share(likely: i64, at_least: i64, at_most: i64) -> Share {
        Share { likely: qty(likely), at_least: qty(at_least), at_most: qty(at_most) }
    }

    #[test]
    fn the_lot_that_expires_first_is_used_up_first() {
        // 350 of A and 100 of B came, 195 are left. B expires later, so all of it is likely there.
        let found = allocate(qty(195), &[lot(350, 5), lot(100, 9)], &Lot::default(), Qty::ZERO);
        assert_eq!(found.lots, [share(95, 95, 195), share(100, 0, 100)]);
        assert_eq!((found.without_lot, found.unexplained), (Share::default(), false));
        // Alone, the lot is the stock: 195, not the 350 that came.
        let found = allocate(qty(195), &[lot(350, 5)], &Lot::default(), Qty::ZERO);
        assert_eq!(found.lots, [share(195, 195, 195)]);
    }

    #[test]
    fn a_used_up_lot_can_still_be_there() {
        let found = allocate(qty(80), &[lot(100, 5), lot(100, 9)], &Lot::default(), Qty::ZERO);
        assert_eq!(found.lots, [share(0, 0, 80), share(80, 0, 80)]);
    }

    #[test]
    fn a_lot_without_an_expiry_date_goes_by_its_shelf_life_or_by_when_it_came() {
        let received = |day: i32, shelf_life: Option<i32>| Lot {
            came_less_left: qty(10),
            received: Some(BusinessDay(day)),
            shelf_life,
            expiry: None,
        };
        assert_eq!(received(3, Some(4)).expires(), Some(BusinessDay(7)));
        assert_eq!(received(3, Some(0)).expires(), None);
        // Expires on the 8th; on the 7th by its shelf life; never, received on the 3rd and on the 1st.
        let lots = [lot(10, 8), received(3, Some(4)), received(3, None), received(1, None)];
        let likely = |stock: i64| {
            let found = allocate(qty(stock), &lots, &Lot::default(), Qty::ZERO);
            found.lots.iter().map(|share| share.likely.0 / 1_000_000).collect::<Vec<_>>()
        };
        assert_eq!(likely(10), [0, 0, 10, 0]);
        assert_eq!(likely(20), [0, 0, 10, 10]);
        assert_eq!(likely(30), [10, 0, 10, 10]);
        assert_eq!(likely(35), [10, 5, 10, 10]);
        // One that came at an unknown time is used up before those that came at a known one.
        let unknown = Lot { came_less_left: qty(10), ..Lot::default() };
        let found = allocate(qty(10), &[received(1, None), unknown], &Lot::default(), Qty::ZERO);
        assert_eq!(found.lots, [share(10, 0, 10), share(0, 0, 10)]);
    }

    #[test]
    fn goods_without_a_lot_take_their_turn() {
        let plain = |expiry| Lot { came_less_left: qty(50), expiry, ..Lot::default() };
        // Unlabelled goods that expire before the lot are used up before it.
        let found = allocate(qty(60), &[lot(40, 9)], &plain(Some(BusinessDay(5))), Qty::ZERO);
        assert_eq!((found.lots[0], found.without_lot), (share(40, 10, 40), share(20, 20, 50)));
        // And after it, if they expire later.
        let found = allocate(qty(60), &[lot(40, 9)], &plain(Some(BusinessDay(12))), Qty::ZERO);
        assert_eq!((found.lots[0], found.without_lot), (share(10, 10, 40), share(50, 20, 50)));
    }

    #[test]
    fn more_than_documents_brought_can_be_instead_of_any_lot() {
        let found = allocate(qty(120), &[lot(40, 9)], &Lot::default(), Qty::ZERO);
        assert!(found.unexplained);
        assert_eq!((found.lots[0], found.without_lot), (share(40, 0, 40), share(80, 80, 120)));
    }

    #[test]
    fn what_a_store_began_with_can_be_instead_of_a_lot() {
        // 20 were counted before the lot of 40 came. 30 are left, and the 30 used were of either.
        let passed = Passed { moved: qty(40), used: qty(30) };
        let most = most_without_lot(qty(20), &[Recount { counted: qty(30), passed, ..Recount::default() }]);
        assert_eq!(most, qty(20));
        let found = allocate(qty(30), &[lot(40, 9)], &Lot::default(), most);
        assert_eq!(found.lots, [share(30, 10, 30)]);
        // Never counted before it came: it can all be something else.
        let found = allocate(qty(30), &[lot(40, 9)], &Lot::default(), qty(30));
        assert_eq!(found.lots, [share(30, 0, 30)]);
        // Counted as empty before it came: all of it is the lot.
        let passed = Passed { moved: qty(40), used: qty(10) };
        let most = most_without_lot(qty(0), &[Recount { counted: qty(30), passed, ..Recount::default() }]);
        assert_eq!(allocate(qty(30), &[lot(40, 9)], &Lot::default(), most).lots, [share(30, 30, 30)]);
        // 5 more than expected, which no document brought, can be anything.
        let more = Recount { counted: qty(35), ..Recount::default() };
        assert_eq!(most_without_lot(qty(30), &[Recount { counted: qty(4), ..more }, more]), qty(35));
        assert_eq!(most_without_lot(qty(0), &[Recount { counted: qty(30), passed, ..more }, more]), qty(5));
        // Stock that no document explains, and a lot that cannot all be that.
        let found = allocate(qty(120), &[lot(40, 9)], &Lot::default(), qty(100));
        assert_eq!((found.lots[0], found.unexplained), (share(40, 20, 40), true));
    }

    #[test]
    fn nothing_is_there_of_a_lot_that_left_or_without_stock() {
        let found = allocate(qty(-5), &[lot(40, 9), lot(-3, 4)], &Lot::default(), Qty::ZERO);
        assert_eq!(found, Allocation { lots: vec![Share::default(); 2], ..Allocation::default() });
        // Three left under the wrong lot: the other one can hold no more than came of it.
        let found = allocate(qty(37), &[lot(40, 9), lot(-3, 4)], &Lot::default(), Qty::ZERO);
        assert_eq!(found.lots, [share(37, 37, 37), Share::default()]);
    }

    fn lots(most: i64) -> impl Strategy<Value = Vec<Lot>> {
        let day = || prop::option::of((0i32..9).prop_map(BusinessDay));
        let one = (-1..most, day(), day(), prop::option::of(0i32..5));
        let one = one.prop_map(|(came_less_left, expiry, received, shelf_life)| Lot {
            came_less_left: Qty(came_less_left),
            expiry,
            received,
            shelf_life,
        });
        prop::collection::vec(one, 1..5)
    }

    /// Every way in which the stock can consist of these lots.
    fn ways(stock: i64, room: &[i64]) -> Vec<Vec<i64>> {
        match room {
            [] => (stock == 0).then(Vec::new).into_iter().collect(),
            [first, rest @ ..] => (0..=stock.min(*first))
                .flat_map(|part| {
                    ways(stock - part, rest).into_iter().map(move |way| [vec![part], way].concat())
                })
                .collect(),
        }
    }

    /// What happens to a shelf: the first lots of it are `0`, without a lot.
    #[derive(Debug, Clone)]
    enum Event {
        /// By document: a lot, a quantity.
        Came(usize, i64),
        /// In no document.
        Found(i64),
        /// Up to so much of a lot is used, with more or less of it recorded as a sale.
        Used(usize, i64, i64),
        Counted,
    }

    fn event() -> impl Strategy<Value = Event> {
        prop_oneof![
            (0usize..4, 1i64..50).prop_map(|(lot, came)| Event::Came(lot, came)),
            (1i64..20).prop_map(Event::Found),
            (0usize..4, 1i64..40, -9i64..10).prop_map(|(lot, used, off)| Event::Used(lot, used, off)),
            Just(Event::Counted),
        ]
    }

    /// The parts of a shelf by lot (the first one without), what came by document, and the counts.
    struct Shelf {
        there: [i64; 4],
        came: [i64; 4],
        since: Recount,
        counts: Vec<Recount>,
    }

    impl Shelf {
        fn after(began: [i64; 4], events: &[Event]) -> Self {
            let there = began;
            let mut shelf = Self { there, came: began, since: Recount::default(), counts: Vec::new() };
            shelf.came[0] = 0;
            for event in events {
                shelf.pass(event);
            }
            shelf
        }

        fn pass(&mut self, event: &Event) {
            match *event {
                Event::Came(lot, qty) => {
                    self.there[lot] += qty;
                    self.came[lot] += qty;
                    self.since.passed.moved.0 += qty;
                    self.since.came_without_lot.0 += if lot == 0 { qty } else { 0 };
                }
                Event::Found(qty) => self.there[0] += qty,
                Event::Used(lot, qty, off) => {
                    let used = qty.min(self.there[lot]);
                    self.there[lot] -= used;
                    self.since.passed.used.0 += (used + off).max(0);
                }
                Event::Counted => {
                    self.since.counted = Qty(self.there.iter().sum());
                    self.counts.push(std::mem::take(&mut self.since));
                }
            }
        }
    }

    proptest! {
        /// Whatever a store began with, found, used without recording it, and counted: what is there of a lot is never less
        /// than «at least» nor more than «at most».
        #[test]
        fn the_true_quantity_is_within_the_bounds(
            began in prop::array::uniform4(0i64..40),
            before in prop::collection::vec(event(), 0..9),
            after in prop::collection::vec(event(), 0..30),
            unrecorded in any::<bool>(),
        ) {
            let mut events = [before, vec![Event::Counted], after, vec![Event::Counted]].concat();
            // Of goods found and as much used between the same two counts, both in no record, no count shows anything.
            events.retain(|event| !unrecorded || !matches!(event, Event::Found(_)));
            for event in &mut events {
                if let Event::Used(_, _, off) = event {
                    *off = if unrecorded { *off } else { (*off).max(0) };
                }
            }
            let shelf = Shelf::after(began, &events);
            let known = |lot: usize| Lot { came_less_left: Qty(shelf.came[lot]), ..Lot::default() };
            let lots: Vec<Lot> = (1..4).map(known).collect();
            let most = most_without_lot(shelf.counts[0].counted, &shelf.counts[1..]);
            prop_assert!(shelf.there[0] <= most.0);
            let found = allocate(Qty(shelf.there.iter().sum()), &lots, &known(0), most);
            for (share, there) in found.lots.iter().chain([&found.without_lot]).zip([1, 2, 3, 0]) {
                let there = Qty(shelf.there[there]);
                prop_assert!(share.at_least <= there && there <= share.at_most, "{share:?} {there:?}");
            }
        }

        /// Likely quantities add up to the stock, between the bounds and within what came.
        #[test]
        fn likely_quantities_add_up_to_the_stock(
            stock in -1_000_000i64..4_000_000,
            lots in lots(1_000_000),
            without in lots(1_000_000),
        ) {
            let found = allocate(Qty(stock), &lots, &without[0], Qty::ZERO);
            let all: Vec<Share> = found.lots.iter().copied().chain([found.without_lot]).collect();
            prop_assert_eq!(all.iter().map(|share| share.likely.0).sum::<i64>(), stock.max(0));
            for share in &all {
                prop_assert!(Qty::ZERO <= share.at_least && share.at_least <= share.likely);
                prop_assert!(share.likely <= share.at_most && share.at_most.0 <= stock.max(0));
            }
            for (share, lot) in found.lots.iter().zip(&lots) {
                prop_assert!(share.at_most <= lot.room());
            }
        }

        /// The bounds are exactly the least and the most over all ways in which the stock can consist of the lots.
        #[test]
        fn bounds_are_those_of_every_possible_shelf(
            stock in 0i64..12,
            lots in lots(6),
            without in lots(6),
            most_without in 0i64..12,
        ) {
            let found = allocate(Qty(stock), &lots, &without[0], Qty(most_without));
            let mut room: Vec<i64> = lots.iter().map(|lot| lot.room().0).collect();
            let could_be = without[0].room().0.max(most_without);
            let explained = room.iter().sum::<i64>() + could_be >= stock;
            room.push(if explained { could_be } else { stock });
            let ways = ways(stock, &room);
            prop_assert!(!ways.is_empty());
            let shares = found.lots.iter().copied().chain([found.without_lot]);
            for (at, share) in shares.enumerate() {
                prop_assert_eq!(Some(share.at_least.0), ways.iter().map(|way| way[at]).min());
                prop_assert_eq!(Some(share.at_most.0), ways.iter().map(|way| way[at]).max());
            }
        }

        /// Using up units one by one, always of the lot whose turn it is, leaves the likely quantities.
        #[test]
        fn likely_is_what_using_up_in_turn_leaves(used in 0usize..24, lots in lots(6), without in lots(6)) {
            let all: Vec<Lot> = lots.iter().copied().chain([without[0]]).collect();
            let mut left: Vec<i64> = all.iter().map(|lot| lot.room().0).collect();
            // Among equals, goods without a lot go first, then lots in their order.
            let mut turns: Vec<usize> = (0..all.len()).collect();
            turns.sort_by_key(|at| (all[*at].turn(), *at < lots.len(), *at));
            for _ in 0..used {
                if let Some(at) = turns.iter().find(|at| left[**at] > 0) {
                    left[*at] -= 1;
                }
            }
            let found = allocate(Qty(left.iter().sum()), &lots, &without[0], Qty::ZERO);
            let likely = found.lots.iter().chain([&found.without_lot]).map(|share| share.likely.0);
            prop_assert_eq!(likely.collect::<Vec<_>>(), left);
        }

        /// Less stock never makes more of any lot likely.
        #[test]
        fn less_stock_is_no_more_of_any_lot(
            stock in 0i64..4_000_000,
            less in 0i64..4_000_000,
            lots in lots(1_000_000),
        ) {
            let before = allocate(Qty(stock), &lots, &Lot::default(), Qty::ZERO);
            let after = allocate(Qty(stock - less), &lots, &Lot::default(), Qty::ZERO);
            for (before, after) in before.lots.iter().zip(&after.lots) {
                prop_assert!(after.likely <= before.likely);
                prop_assert!(after.at_most <= before.at_most);
            }
        }
    }
}
