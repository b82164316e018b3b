//! Sales of two ranges, compared only over the days that both have. Read-only.
//!
//! A day is missing if its store is open and sold nothing: its sales are not in yet. A closed day is a known zero. A
//! day and its counterpart are compared unless one of them is missing.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Money, Span};

use crate::open_days::OpenDays;
use crate::sales::sums::{self, Table};
use crate::sales_count;

/// Net sales of some stores by day, with the days that are missing.
#[derive(Debug, Default)]
pub struct PairedDays {
    open: OpenDays,
    nets: HashMap<(String, BusinessDay), Money>,
    /// Stores no longer in use, with the last day that they sold something, if they ever did.
    ended: HashMap<String, Option<BusinessDay>>,
}

/// A store's sales on the days that it has in both of two ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paired {
    pub now: Money,
    pub before: Money,
    /// Number of days compared: those on which the store sold something in one of the ranges, or in both.
    pub days: i64,
    /// Number of days left out, because they or their counterparts are missing.
    pub left_out: i64,
    /// The missing days of both ranges, in order.
    pub missing: Vec<BusinessDay>,
    /// Whether the store sold something on both days of a pair.
    pub has_both: bool,
}

/// On which side of a comparison a store's day is left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sides {
    /// As a day of the range.
    pub now: bool,
    /// As the counterpart of one.
    pub before: bool,
}

/// What a comparison leaves out.
#[derive(Debug, Default)]
pub struct LeftOutDays {
    /// Number of pairs of store-days.
    pub pairs: i64,
    /// Those of these days with sales.
    sold: HashMap<(String, BusinessDay), Sides>,
}

impl LeftOutDays {
    /// Reads what a comparison of a span with the days `back` earlier leaves out.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, stores: &[String], span: Span, back: i32) -> Result<Self, DbError> {
        let both = Span { from: span.from.plus(-back), to: span.to };
        Ok(PairedDays::read(db, stores, both).await?.left_out(stores, span, back))
    }

    /// A stored figure of each item that was sold or used on these days, by its number.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn figures<const N: usize>(
        &self,
        db: &Db,
        table: Table<N>,
        figure: usize,
    ) -> Result<Vec<(BusinessDay, u32, i64, Sides)>, DbError> {
        let days = || self.sold.keys().map(|(_, day)| *day);
        let (Some(from), Some(to)) = (days().min(), days().max()) else { return Ok(Vec::new()) };
        let stores: BTreeSet<&String> = self.sold.keys().map(|(store, _)| store).collect();
        let stores: Vec<String> = stores.into_iter().cloned().collect();
        let mut found = Vec::new();
        sums::each_day(db, table, Span { from, to }, &stores, |store, day, item, figures| {
            if let Some(sides) = self.sold.get(&(store.to_owned(), day)) {
                found.push((day, item, figures[figure], *sides));
            }
        })
        .await?;
        Ok(found)
    }
}

impl PairedDays {
    /// Reads the days of a span that covers both ranges.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, stores: &[String], span: Span) -> Result<Self, DbError> {
        let nets: Vec<(String, BusinessDay, Money)> = db
            .sql(
                "select store_id, business_date, cast(sum(net) as bigint) as net from sales_days
                 where lines > 0 and business_date between $1 and $2 and store_id in ",
            )
            .bind(span.from)
            .bind(span.to)
            .push_ids(stores)
            .push(sales_count!("sales_days"))
            .push(" group by store_id, business_date")
            .all()
            .await?;
        let ended: Vec<(String, Option<BusinessDay>)> = db
            .sql(
                "select l.id, (select max(d.business_date) from sales_days d where d.store_id = l.id and d.lines > 0)
                 from locations l where l.inactive and l.id in ",
            )
            .push_ids(stores)
            .all()
            .await?;
        let nets = nets.into_iter().map(|(store, day, net)| ((store, day), net)).collect();
        let open = OpenDays::read(db, stores, span).await?;
        Ok(Self { open, nets, ended: ended.into_iter().collect() })
    }

    /// From the net sales of each store and day that has sales.
    #[must_use]
    pub fn of(open: OpenDays, nets: HashMap<(String, BusinessDay), Money>) -> Self {
        Self { open, nets, ended: HashMap::new() }
    }

    /// Which stores are open.
    #[must_use]
    pub fn open(&self) -> &OpenDays {
        &self.open
    }

    /// The last day with sales of a store that is no longer in use.
    #[must_use]
    pub fn ended(&self, store: &str) -> Option<BusinessDay> {
        self.ended.get(store).copied().flatten()
    }

    /// Whether a store sold something on a day.
    #[must_use]
    pub fn has_sales(&self, store: &str, day: BusinessDay) -> bool {
        self.nets.contains_key(&(store.to_owned(), day))
    }

    /// A store's net sales on a day, zero if it is closed; `None` if they are missing.
    #[must_use]
    pub fn net(&self, store: &str, day: BusinessDay) -> Option<Money> {
        if let Some(net) = self.nets.get(&(store.to_owned(), day)) {
            return Some(*net);
        }
        let ended = self.ended.get(store).is_some_and(|last| last.is_none_or(|last| day > last));
        (ended || !self.open.is_open(store, day)).then_some(Money::ZERO)
    }

    /// A store's net sales on a day and `back` days earlier; `None` if one of them is missing.
    #[must_use]
    pub fn pair(&self, store: &str, day: BusinessDay, back: i32) -> Option<(Money, Money)> {
        Some((self.net(store, day)?, self.net(store, day.plus(-back))?))
    }

    /// The store-days that a comparison of a span with the days `back` earlier leaves out.
    #[must_use]
    pub fn left_out(&self, stores: &[String], span: Span, back: i32) -> LeftOutDays {
        let mut left_out = LeftOutDays::default();
        for store in stores {
            for day in span.each() {
                let earlier = day.plus(-back);
                if self.pair(store, day, back).is_some() {
                    continue;
                }
                left_out.pairs += 1;
                for (day, is_now) in [(day, true), (earlier, false)] {
                    if self.has_sales(store, day) {
                        let sides = left_out.sold.entry((store.clone(), day)).or_default();
                        sides.now |= is_now;
                        sides.before |= !is_now;
                    }
                }
            }
        }
        left_out
    }

    /// A store's sales in a span and in the one `back` days earlier.
    #[must_use]
    pub fn over(&self, store: &str, span: Span, back: i32) -> Paired {
        let mut paired = Paired::default();
        let mut missing_now = Vec::new();
        for day in span.each() {
            let earlier = day.plus(-back);
            let (now, before) = (self.net(store, day), self.net(store, earlier));
            paired.missing.extend(before.is_none().then_some(earlier));
            missing_now.extend(now.is_none().then_some(day));
            let Some((now, before)) = now.zip(before) else {
                paired.left_out += 1;
                continue;
            };
            let (sold_now, sold_then) = (self.has_sales(store, day), self.has_sales(store, earlier));
            paired.days += i64::from(sold_now || sold_then);
            paired.has_both |= sold_now && sold_then;
            paired.now.0 = paired.now.0.saturating_add(now.0);
            paired.before.0 = paired.before.0.saturating_add(before.0);
        }
        paired.missing.extend(missing_now);
        paired
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(nets: &[(&str, i32, i64)]) -> PairedDays {
        let net = |&(store, day, net): &(&str, i32, i64)| ((store.to_owned(), BusinessDay(day)), Money(net));
        PairedDays::of(OpenDays::default(), nets.iter().map(net).collect())
    }

    #[test]
    fn a_day_that_one_range_lacks_is_left_out_of_both() {
        // Of the pairs 1 and 8, 2 and 9, 3 and 10, 4 and 11 only the first has sales on both days.
        let known = days(&[("a", 1, 100), ("a", 8, 130), ("a", 9, 900), ("a", 3, 50), ("b", 10, 7)]);
        let span = Span { from: BusinessDay(8), to: BusinessDay(11) };
        let paired = known.over("a", span, 7);
        assert_eq!((paired.now, paired.before), (Money(130), Money(100)));
        assert_eq!((paired.days, paired.left_out, paired.has_both), (1, 3, true));
        assert_eq!(paired.missing, [2, 4, 10, 11].map(BusinessDay));
        assert_eq!(known.pair("a", BusinessDay(9), 7), None);
    }

    #[test]
    fn what_is_left_out_is_known_by_side() {
        // The pairs 8 and 1, 9 and 2 of a week; then of a day, where 9 is a day and the counterpart of one.
        let known = days(&[("a", 1, 100), ("a", 2, 60), ("a", 8, 130)]);
        let stores = ["a".to_owned()];
        let left = known.left_out(&stores, Span { from: BusinessDay(8), to: BusinessDay(9) }, 7);
        assert_eq!(left.pairs, 1);
        let sides = |now, before| Sides { now, before };
        assert_eq!(left.sold, HashMap::from([(("a".to_owned(), BusinessDay(2)), sides(false, true))]));
        let known = days(&[("a", 9, 100)]);
        let left = known.left_out(&stores, Span { from: BusinessDay(9), to: BusinessDay(10) }, 1);
        assert_eq!(left.pairs, 2);
        assert_eq!(left.sold, HashMap::from([(("a".to_owned(), BusinessDay(9)), sides(true, true))]));
    }

    #[test]
    fn a_store_that_ended_sells_nothing_from_then_on() {
        let mut known = days(&[("a", 1, 100), ("a", 2, 60), ("a", 8, 130)]);
        known.ended.insert("a".to_owned(), Some(BusinessDay(8)));
        let paired = known.over("a", Span { from: BusinessDay(8), to: BusinessDay(10) }, 7);
        assert_eq!((paired.now, paired.before), (Money(130), Money(160)));
        // The third day is missing a week earlier.
        assert_eq!((paired.days, paired.left_out), (2, 1));
        assert_eq!(paired.missing, [BusinessDay(3)]);
    }
}
