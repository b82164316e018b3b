use super::{Grid, Place, check};
use crate::Refusal;
use crate::replenish::packs_up;

/// A truck that a planned order can still make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truck {
    /// The bucket in which it arrives.
    pub arrives: usize,
    /// The bucket in which its orders close; not after its arrival.
    pub closes: usize,
}

/// Plans a place that is supplied on some days only: planned receipts arrive with trucks, and each lasts until the next
/// truck, or to the last bucket. Releases fall on the days on which orders close. Before the first truck nothing can be
/// planned, so stock may fall below the safety stock and below zero there; nothing is past due. `place.lead` is not
/// used.
///
/// NET is what the stock lacks at its lowest until the next truck; in a bucket without a truck what it lacks at the end
/// of that bucket.
///
/// # Errors
/// As [`super::plan`]; trucks that are not in order of arrival and of closing, or that arrive before their orders
/// close.
pub fn plan_by_trucks(place: &Place<'_>, trucks: &[Truck]) -> Result<Grid, Refusal> {
    check(place)?;
    let in_order = |two: &[Truck]| two[0].arrives < two[1].arrives && two[0].closes <= two[1].closes;
    if !trucks.windows(2).all(in_order) || trucks.iter().any(|truck| truck.closes > truck.arrives) {
        return Err(Refusal::Invalid("The trucks are not in order."));
    }
    let buckets = place.gross.len();
    let mut grid = Grid {
        gross: place.gross.to_vec(),
        scheduled: place.scheduled.to_vec(),
        on_hand: Vec::with_capacity(buckets),
        net: Vec::with_capacity(buckets),
        receipt: vec![0.0; buckets],
        release: vec![0.0; buckets],
        past_due: Vec::new(),
    };
    let change = |at: usize| place.scheduled[at] - place.gross[at];
    let mut coming = trucks.iter().peekable();
    let mut on_hand = place.on_hand;
    for at in 0..buckets {
        let truck = coming.next_if(|truck| truck.arrives == at);
        let until = match truck {
            Some(_) => coming.peek().map_or(buckets, |next| next.arrives.min(buckets)),
            None => at + 1,
        };
        let mut left = on_hand;
        let lowest = (at..until).fold(f64::INFINITY, |lowest, at| {
            left += change(at);
            lowest.min(left)
        });
        let net = (place.safety_stock - lowest).max(0.0);
        let receipt = if truck.is_some() { packs_up(net, place.pack) * place.pack } else { 0.0 };
        if let Some(truck) = truck {
            grid.receipt[at] = receipt;
            grid.release[truck.closes] += receipt;
        }
        on_hand += change(at) + receipt;
        if !on_hand.is_finite() {
            return Err(Refusal::Invalid("The figures are past what can be worked out."));
        }
        grid.net.push(net);
        grid.on_hand.push(on_hand);
    }
    Ok(grid)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Friday to Thursday; trucks on Monday, Wednesday and Friday, whose orders close the day before.
    const WEEK: Place<'static> = Place {
        gross: &[10.0, 14.0, 12.0, 8.0, 8.0, 9.0, 9.0],
        scheduled: &[6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        on_hand: 40.0,
        safety_stock: 5.0,
        lead: 1,
        pack: 4.0,
    };
    const TRUCKS: [Truck; 2] = [Truck { arrives: 3, closes: 2 }, Truck { arrives: 5, closes: 4 }];

    #[test]
    fn receipts_come_with_trucks_and_last_until_the_next_one() {
        let grid = plan_by_trucks(&WEEK, &TRUCKS).expect("sound");
        // Sunday ends with 10. Without the truck Tuesday would end with −6: 11 short of the safety stock.
        assert_eq!(grid.on_hand, [36.0, 22.0, 10.0, 14.0, 6.0, 17.0, 8.0]);
        assert_eq!(grid.receipt, [0.0, 0.0, 0.0, 12.0, 0.0, 20.0, 0.0]);
        assert_eq!(grid.release, [0.0, 0.0, 12.0, 0.0, 20.0, 0.0, 0.0]);
        assert_eq!(grid.net, [0.0, 0.0, 0.0, 11.0, 0.0, 17.0, 0.0]);
        assert!(grid.past_due.is_empty());
    }

    #[test]
    fn what_no_truck_can_bring_shows_as_missing() {
        let grid = plan_by_trucks(&Place { on_hand: 20.0, ..WEEK }, &TRUCKS).expect("sound");
        assert_eq!(grid.on_hand[..4], [16.0, 2.0, -10.0, 14.0]);
        assert_eq!(grid.net[..4], [0.0, 3.0, 15.0, 31.0]);
        let without = plan_by_trucks(&WEEK, &[]).expect("sound");
        assert_eq!(without.on_hand.last(), Some(&-24.0));
        assert!(without.receipt.iter().all(|qty| *qty == 0.0));
    }

    #[test]
    fn trucks_out_of_order_are_refused() {
        let [first, second] = TRUCKS;
        assert!(plan_by_trucks(&WEEK, &[second, first]).is_err());
        assert!(plan_by_trucks(&WEEK, &[Truck { closes: 4, ..first }]).is_err());
    }

    proptest! {
        #[test]
        fn receipts_fall_on_truck_days_only_and_the_safety_stock_holds_between_trucks(
            days in prop::collection::vec((0u32..40, prop_oneof![3 => Just(0u32), 1 => 1u32..40]), 1..40),
            weekdays in 0u8..128, on_hand in -30i32..200, safety_stock in 0u32..30, pack in 1u32..25,
            closes in 0usize..3,
        ) {
            let (gross, scheduled): (Vec<f64>, Vec<f64>) =
                days.iter().map(|(gross, scheduled)| (f64::from(*gross), f64::from(*scheduled))).unzip();
            let place = Place {
                gross: &gross,
                scheduled: &scheduled,
                on_hand: f64::from(on_hand),
                safety_stock: f64::from(safety_stock),
                lead: 0,
                pack: f64::from(pack),
            };
            let trucks: Vec<Truck> = (closes..days.len() + 7)
                .filter(|day| weekdays & (1 << (day % 7)) != 0)
                .map(|arrives| Truck { arrives, closes: arrives - closes })
                .collect();
            let grid = plan_by_trucks(&place, &trucks).expect("sound");
            let first = trucks.first().map_or(usize::MAX, |truck| truck.arrives);
            let mut left = place.on_hand;
            for day in 0..days.len() {
                let receipt = grid.receipt[day];
                let is_truck = trucks.iter().any(|truck| truck.arrives == day);
                prop_assert!(receipt == 0.0 || is_truck);
                prop_assert_eq!(receipt % place.pack, 0.0);
                left += scheduled[day] - gross[day] + receipt;
                prop_assert!((left - grid.on_hand[day]).abs() < 1e-9);
                if day >= first {
                    prop_assert!(grid.on_hand[day] >= place.safety_stock - 1e-9);
                }
                let closing = trucks.iter().filter(|truck| truck.closes == day && truck.arrives < days.len());
                let released: f64 = closing.map(|truck| grid.receipt[truck.arrives]).sum();
                prop_assert_eq!(grid.release[day], released);
            }
            prop_assert!(grid.past_due.is_empty());
        }
    }
}
