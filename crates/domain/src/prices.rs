//! What root items cost, each price from a day on.

use std::collections::{BTreeSet, HashMap};

use crate::in_force::InForce;
use crate::{BusinessDay, Money, Span};

/// Prices per unit by id. A price counts from its day until the day before the next one; there is none before the first.
#[derive(Debug, Clone, Default)]
pub struct Prices(HashMap<String, InForce<Option<Money>>>);

impl Prices {
    /// From id, first day and price, in any order; `None`: it has no price from that day on.
    #[must_use]
    pub fn new(prices: impl IntoIterator<Item = (String, BusinessDay, Option<Money>)>) -> Self {
        let mut of: HashMap<String, Vec<(BusinessDay, Option<Money>)>> = HashMap::new();
        for (id, from, price) in prices {
            of.entry(id).or_default().push((from, price));
        }
        Self(of.into_iter().map(|(id, prices)| (id, InForce::new(prices))).collect())
    }

    /// The price in force on a day.
    #[must_use]
    pub fn on(&self, id: &str, day: BusinessDay) -> Option<Money> {
        self.0.get(id)?.on(day)?.1
    }

    /// The parts of a span, earliest first, with the price of each: they cover it without gap, and neighbours have
    /// different prices.
    #[must_use]
    pub fn within(&self, id: &str, span: Span) -> Vec<(Span, Option<Money>)> {
        let (mut part, mut price) = (span, self.on(id, span.from));
        let mut parts = Vec::new();
        let days = self.0.get(id).into_iter().flat_map(InForce::days);
        for day in days.filter(|day| span.from < *day && *day <= span.to) {
            let next = self.on(id, day);
            if next != price {
                parts.push((Span { to: day.plus(-1), ..part }, price));
                (part.from, price) = (day, next);
            }
        }
        parts.push((part, price));
        parts
    }

    /// The days of a span, after its first, from which the price of any of these is another than on the day before.
    #[must_use]
    pub fn change_days<'a>(
        &self,
        ids: impl IntoIterator<Item = &'a str>,
        span: Span,
    ) -> BTreeSet<BusinessDay> {
        let of = |id: &'a str| self.within(id, span).into_iter().skip(1).map(|(part, _)| part.from);
        ids.into_iter().flat_map(of).collect()
    }

    /// Whether its price changes within a span.
    #[must_use]
    pub fn changes(&self, id: &str, span: Span) -> bool {
        self.within(id, span).len() > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span(from: i32, to: i32) -> Span {
        Span { from: BusinessDay(from), to: BusinessDay(to) }
    }

    #[test]
    fn a_price_counts_from_its_day() {
        let of = |day, price: Option<i64>| ("rice".to_owned(), BusinessDay(day), price.map(Money));
        let prices = Prices::new([of(9, None), of(0, Some(50)), of(5, Some(60)), of(7, Some(60))]);
        let on = |day| prices.on("rice", BusinessDay(day));
        assert_eq!((on(-1), on(0), on(4), on(5)), (None, Some(Money(50)), Some(Money(50)), Some(Money(60))));
        assert_eq!((on(8), on(9), prices.on("salt", BusinessDay(5))), (Some(Money(60)), None, None));
        assert_eq!(
            prices.within("rice", span(3, 9)),
            [(span(3, 4), Some(Money(50))), (span(5, 8), Some(Money(60))), (span(9, 9), None)]
        );
        assert!(prices.changes("rice", span(4, 5)) && !prices.changes("rice", span(5, 8)));
        assert_eq!(prices.within("salt", span(1, 2)), [(span(1, 2), None)]);
        let days =
            |from, to| prices.change_days(["rice", "salt"], span(from, to)).into_iter().map(|day| day.0);
        assert_eq!(days(0, 20).collect::<Vec<_>>(), [5, 9]);
        assert_eq!(days(5, 8).count(), 0, "not the first day of a span");
    }

    proptest! {
        #[test]
        fn the_parts_of_a_span_have_the_price_of_each_day(
            changes in proptest::collection::vec((0..40, proptest::option::of(1i64..4)), 0..8),
            from in 0..40,
            days in 1..20,
        ) {
            // The last of several prices from one day counts.
            let newest = |day: i32| {
                let before = changes.iter().filter(|(from, _)| *from <= day);
                let last = before.map(|(from, _)| *from).max()?;
                changes.iter().rev().find(|(from, _)| *from == last)?.1.map(Money)
            };
            let rows = changes.iter().map(|(from, price)| ("a".to_owned(), BusinessDay(*from), price.map(Money)));
            let prices = Prices::new(rows);
            let asked = span(from, from + days - 1);
            let parts = prices.within("a", asked);
            let each: Vec<(i32, Option<Money>)> = parts
                .iter()
                .flat_map(|(part, price)| (part.from.0..=part.to.0).map(|day| (day, *price)))
                .collect();
            let expected: Vec<(i32, Option<Money>)> = (from..from + days).map(|day| (day, newest(day))).collect();
            prop_assert_eq!(each, expected);
            prop_assert!(parts.windows(2).all(|two| two[0].1 != two[1].1));
            prop_assert_eq!(prices.changes("a", asked), parts.len() > 1);
        }
    }
}
