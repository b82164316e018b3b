//! Lots of a root item in a store: the stock, allocated to the lots that documents brought there.
//!
//! Sales and counts do not name lots. A lot can hold at most what came of it less what left, and the stock is known. It
//! is assumed that the lot that expires first is used up first, so the stock is what remains of those that expire last.
//! How much of a lot can be there at most and at least does not depend on that assumption.

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

/// Allocates the stock of a root item to its lots, and to `without_lot`: what came without one. The likely quantities
/// add up to the stock, or to zero if that is negative.
#[must_use]
pub fn allocate(stock: Qty, lots: &[Lot], without_lot: &Lot) -> Allocation {
    let stock = i128::from(stock.0.max(0));
    let room: Vec<i128> = lots.iter().map(|lot| i128::from(lot.room().0)).collect();
    let in_lots: i128 = room.iter().sum();
    let known_without = i128::from(without_lot.room().0);
    let unexplained = in_lots + known_without < stock;
    // Nothing limits what is not explained: it can be instead of any lot.
    let room_without = if unexplained { stock } else { known_without };
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
        let found = allocate(qty(195), &[lot(350, 5), lot(100, 9)], &Lot::default());
        assert_eq!(found.lots, [share(95, 95, 195), share(100, 0, 100)]);
        assert_eq!((found.without_lot, found.unexplained), (Share::default(), false));
        // Alone, the lot is the stock: 195, not the 350 that came.
        let found = allocate(qty(195), &[lot(350, 5)], &Lot::default());
        assert_eq!(found.lots, [share(195, 195, 195)]);
    }

    #[test]
    fn a_used_up_lot_can_still_be_there() {
        let found = allocate(qty(80), &[lot(100, 5), lot(100, 9)], &Lot::default());
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
            let found = allocate(qty(stock), &lots, &Lot::default());
            found.lots.iter().map(|share| share.likely.0 / 1_000_000).collect::<Vec<_>>()
        };
        assert_eq!(likely(10), [0, 0, 10, 0]);
        assert_eq!(likely(20), [0, 0, 10, 10]);
        assert_eq!(likely(30), [10, 0, 10, 10]);
        assert_eq!(likely(35), [10, 5, 10, 10]);
        // One that came at an unknown time is used up before those that came at a known one.
        let unknown = Lot { came_less_left: qty(10), ..Lot::default() };
        let found = allocate(qty(10), &[received(1, None), unknown], &Lot::default());
        assert_eq!(found.lots, [share(10, 0, 10), share(0, 0, 10)]);
    }

    #[test]
    fn goods_without_a_lot_take_their_turn() {
        let plain = |expiry| Lot { came_less_left: qty(50), expiry, ..Lot::default() };
        // Unlabelled goods that expire before the lot are used up before it.
        let found = allocate(qty(60), &[lot(40, 9)], &plain(Some(BusinessDay(5))));
        assert_eq!((found.lots[0], found.without_lot), (share(40, 10, 40), share(20, 20, 50)));
        // And after it, if they expire later.
        let found = allocate(qty(60), &[lot(40, 9)], &plain(Some(BusinessDay(12))));
        assert_eq!((found.lots[0], found.without_lot), (share(10, 10, 40), share(50, 20, 50)));
    }

    #[test]
    fn more_than_documents_brought_can_be_instead_of_any_lot() {
        let found = allocate(qty(120), &[lot(40, 9)], &Lot::default());
        assert!(found.unexplained);
        assert_eq!((found.lots[0], found.without_lot), (share(40, 0, 40), share(80, 80, 120)));
    }

    #[test]
    fn nothing_is_there_of_a_lot_that_left_or_without_stock() {
        let found = allocate(qty(-5), &[lot(40, 9), lot(-3, 4)], &Lot::default());
        assert_eq!(found, Allocation { lots: vec![Share::default(); 2], ..Allocation::default() });
        // Three left under the wrong lot: the other one can hold no more than came of it.
        let found = allocate(qty(37), &[lot(40, 9), lot(-3, 4)], &Lot::default());
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

    proptest! {
        /// Likely quantities add up to the stock, between the bounds and within what came.
        #[test]
        fn likely_quantities_add_up_to_the_stock(
            stock in -1_000_000i64..4_000_000,
            lots in lots(1_000_000),
            without in lots(1_000_000),
        ) {
            let found = allocate(Qty(stock), &lots, &without[0]);
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
        ) {
            let found = allocate(Qty(stock), &lots, &without[0]);
            let mut room: Vec<i64> = lots.iter().map(|lot| lot.room().0).collect();
            room.push(if found.unexplained { stock } else { without[0].room().0 });
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
            let found = allocate(Qty(left.iter().sum()), &lots, &without[0]);
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
            let before = allocate(Qty(stock), &lots, &Lot::default());
            let after = allocate(Qty(stock - less), &lots, &Lot::default());
            for (before, after) in before.lots.iter().zip(&after.lots) {
                prop_assert!(after.likely <= before.likely);
                prop_assert!(after.at_most <= before.at_most);
            }
        }
    }
}
