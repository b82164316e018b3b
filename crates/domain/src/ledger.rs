//! The stock ledger's rules: places, movements and balances.

use std::collections::BTreeMap;

pub use crate::document::kind::DocumentType;
use crate::words::words;
use crate::{Money, Qty};

words! {
    /// What is kept in stock.
    #[serde(rename_all = "camelCase")]
    ItemKind {
        /// Produced or stocked by a commissary.
        Product = "product",
        /// An ingredient; the unit of usage.
        RootItem = "rootItem",
    }
}

words! {
    /// Where stock can be.
    #[serde(rename_all = "camelCase")]
    PlaceKind {
        Store = "store",
        Commissary = "commissary",
        Warehouse = "warehouse",
        ColdStorage = "coldStorage",
        /// In transit: the place is the delivery that carries it.
        InTransit = "inTransit",
    }
}

impl PlaceKind {
    /// Whether stock there is part of a product's own quantity: what can still be sent out.
    #[must_use]
    pub const fn counts_to_product(self) -> bool {
        matches!(self, Self::Commissary | Self::Warehouse | Self::ColdStorage)
    }
}

words! {
    /// Which side of a document's line a movement is.
    #[serde(rename_all = "camelCase")]
    Leg {
        /// The only side: stock appears or disappears.
        Only = "only",
        /// Leaves a place for another.
        From = "from",
        /// Arrives there.
        To = "to",
    }
}

/// A product or root item in stock.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    pub kind: ItemKind,
    pub id: String,
}

/// A place that holds stock.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub kind: PlaceKind,
    pub id: String,
}

/// The movement of one side of one line of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    pub item: Item,
    /// The place it enters or leaves.
    pub place: Place,
    /// Base units in; negative out.
    pub qty: Qty,
    /// Cost per base unit, where known.
    pub unit_cost: Option<Money>,
    /// The line of the document, counted from one.
    pub line: i64,
    pub leg: Leg,
    /// The lot, for lot-tracked products.
    pub lot: Option<String>,
}

/// A balance: an item at a place.
pub type ItemAt = (Item, Place);

/// Movement totals per balance, in the order in which balances are locked: two writers that touch the same ones cannot
/// deadlock. `None` on overflow.
#[must_use]
pub fn sums(movements: &[Movement]) -> Option<BTreeMap<ItemAt, Qty>> {
    let mut sums: BTreeMap<ItemAt, Qty> = BTreeMap::new();
    for movement in movements {
        let sum = sums.entry((movement.item.clone(), movement.place.clone())).or_default();
        *sum = sum.checked_add(movement.qty)?;
    }
    Some(sums)
}

/// What those totals add to the products' own quantities, in the order of their ids.
#[must_use]
pub fn product_sums(sums: &BTreeMap<ItemAt, Qty>) -> Option<BTreeMap<&str, Qty>> {
    let mut products: BTreeMap<&str, Qty> = BTreeMap::new();
    for ((item, place), qty) in sums {
        if item.kind == ItemKind::Product && place.kind.counts_to_product() {
            let sum = products.entry(&item.id).or_default();
            *sum = sum.checked_add(*qty)?;
        }
    }
    Some(products)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn movement() -> impl Strategy<Value = Movement> {
        let item = (prop::sample::select(ItemKind::ALL), "[ab]").prop_map(|(kind, id)| Item { kind, id });
        let place = (prop::sample::select(PlaceKind::ALL), "[xy]").prop_map(|(kind, id)| Place { kind, id });
        let leg = prop::sample::select(Leg::ALL);
        (item, place, -1_000_000_000i64..1_000_000_000, 1i64..9, leg).prop_map(
            |(item, place, qty, line, leg)| Movement {
                item,
                place,
                qty: Qty(qty),
                unit_cost: None,
                line,
                leg,
                lot: None,
            },
        )
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for kind in PlaceKind::ALL {
            assert_eq!(PlaceKind::parse(kind.as_str()), Some(*kind));
            assert_eq!(serde_json::to_value(kind).ok(), Some(kind.as_str().into()));
        }
        assert_eq!(DocumentType::parse("letter"), None);
    }

    #[test]
    fn a_product_counts_what_can_still_be_sent_out() {
        let counted: Vec<&str> =
            PlaceKind::ALL.iter().filter(|kind| kind.counts_to_product()).map(|kind| kind.as_str()).collect();
        assert_eq!(counted, ["commissary", "warehouse", "coldStorage"]);
    }

    #[test]
    fn a_sum_that_overflows_is_none() {
        let full = Movement {
            item: Item { kind: ItemKind::Product, id: "a".into() },
            place: Place { kind: PlaceKind::Store, id: "x".into() },
            qty: Qty(i64::MAX),
            unit_cost: None,
            line: 1,
            leg: Leg::Only,
            lot: None,
        };
        assert!(sums(&[full.clone(), full]).is_none());
    }

    proptest! {
        #[test]
        fn sums_are_what_adding_gives(movements in prop::collection::vec(movement(), 0..20)) {
            let sums = sums(&movements).expect("small numbers");
            for ((item, place), sum) in &sums {
                let of_spot = movements.iter().filter(|m| m.item == *item && m.place == *place);
                prop_assert_eq!(of_spot.map(|m| m.qty.0).sum::<i64>(), sum.0);
            }
            let products = product_sums(&sums).expect("small numbers");
            let counted = movements.iter()
                .filter(|m| m.item.kind == ItemKind::Product && m.place.kind.counts_to_product());
            prop_assert_eq!(counted.map(|m| m.qty.0).sum::<i64>(), products.values().map(|sum| sum.0).sum::<i64>());
        }
    }
}
