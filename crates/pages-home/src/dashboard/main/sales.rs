//! Sales of the day and its week against last week.

use std::collections::{BTreeMap, HashMap};

use larder_domain::{BusinessDay, Money, Span};

use super::model::HomeSales;
use super::queries::{self, Sold, Store};
use larder_ledgers::day_starts;
use larder_ledgers::paired_days::PairedDays;
use larder_ledgers::sales::days;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Days in the chart.
const DRAWN: i32 = 14;
/// How many days back to look for the last sales.
const LOOKED: i32 = 7;
const WEEK: i32 = 7;

/// Recent sales, read once for both the total and the stores of the day.
pub(super) struct Lately {
    /// The last day with sales.
    pub day: BusinessDay,
    pub today: BusinessDay,
    pub stores: Vec<Store>,
    sold: HashMap<(String, BusinessDay), Sold>,
    /// For stores whose sales have times: last week's sales up to the time of the day's last receipt.
    until: HashMap<String, Money>,
    /// Time of the last receipt, in seconds of the day.
    last: Option<i32>,
    /// The same sales, with the days that are missing.
    paired: PairedDays,
}

impl Lately {
    /// Reads recent sales.
    pub(super) async fn read(
        state: &AppState,
        within: Option<&[String]>,
        today: BusinessDay,
    ) -> ApiResult<Self> {
        let db = &state.db;
        let stores = queries::stores(db, within).await?;
        let ids: Vec<String> = stores.iter().map(|store| store.id.clone()).collect();
        let span = Span { from: today.plus(1 - DRAWN - LOOKED), to: today };
        let rows = queries::sold(db, &ids, span.from, span.to).await?;
        let newest = rows.iter().map(|row| row.business_date).max();
        let day = newest.filter(|day| *day > today.plus(-LOOKED)).unwrap_or(today.plus(-1));
        let sold = rows.into_iter().map(|row| ((row.store_id.clone(), row.business_date), row)).collect();
        let paired = PairedDays::read(db, &ids, span).await?;
        let mut lately = Self { day, today, stores, sold, until: HashMap::new(), last: None, paired };
        if day >= today.plus(-1) {
            lately.read_times(state).await?;
        }
        Ok(lately)
    }

    /// Compares an unfinished day with the same part of the day last week.
    async fn read_times(&mut self, state: &AppState) -> ApiResult<()> {
        let before = self.day.plus(-7);
        let timed = |id: &str, day| self.sold.get(&(id.to_owned(), day)).is_some_and(|row| row.receipts > 0);
        let ids: Vec<String> = self.stores.iter().map(|store| store.id.clone()).collect();
        let starts = day_starts::of_stores(&state.db, Some(&ids)).await?;
        let (now, today) = (state.now(), self.today);
        let present = |id: &str| starts.get(id).map_or(today, |starts| starts.day_at(now));
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let unfinished = |id: &&str| present(id) == self.day && timed(id, self.day) && timed(id, before);
        let ids: Vec<&str> = ids.into_iter().filter(unfinished).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let mut lines: BTreeMap<(String, BusinessDay), Vec<(i32, i64)>> = BTreeMap::new();
        for (store, day, packed) in queries::lines(&state.db, &ids, [self.day, before]).await? {
            let unpacked = days::unpack(&packed)?;
            let of_day = lines.entry((store, day)).or_default();
            for line in unpacked.lines.iter().filter(|line| line.counts()) {
                let of_receipt = usize::try_from(line.receipt).ok().and_then(|at| unpacked.receipts.get(at));
                let seconds = Some(line.seconds).filter(|at| *at >= 0);
                let seconds = seconds.or(of_receipt.map(|receipt| receipt.seconds)).unwrap_or(-1);
                of_day.push((seconds, line.net));
            }
        }
        for id in ids {
            let of = |day| lines.get(&(id.to_owned(), day)).map_or(&[][..], Vec::as_slice);
            let Some(last) = of(self.day).iter().map(|(at, _)| *at).max().filter(|at| *at >= 0) else {
                continue;
            };
            if of(before).is_empty() || of(before).iter().any(|(at, _)| *at < 0) {
                continue;
            }
            let net = of(before).iter().filter(|(at, _)| *at <= last).map(|(_, net)| net).sum();
            self.until.insert(id.to_owned(), Money(net));
            self.last = self.last.max(Some(last));
        }
        Ok(())
    }

    /// A store's net sales on a day; `None` if there are none.
    pub(super) fn net(&self, store: &str, day: BusinessDay) -> Option<Money> {
        self.sold.get(&(store.to_owned(), day)).map(|row| row.net)
    }

    /// The stores to show for the day: those in use that have started, and any other with sales.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Store> {
        self.stores.iter().filter(|store| {
            let in_use = !store.inactive && self.paired.open().has_started(&store.id, self.day);
            in_use || self.net(&store.id, self.day).is_some()
        })
    }

    /// Whether a store that is shown is open on the day.
    pub(super) fn is_open(&self, store: &str) -> bool {
        self.net(store, self.day).is_some() || self.paired.open().is_open(store, self.day)
    }

    /// A store's net sales a week before the day, up to the same time if known.
    pub(super) fn before(&self, store: &str) -> Option<Money> {
        self.until.get(store).copied().or_else(|| self.net(store, self.day.plus(-7)))
    }

    /// A store's net sales on a day and a week before, up to the same time if known; `None` if one is missing.
    fn pair(&self, store: &str, day: BusinessDay) -> Option<(Money, Money)> {
        let (now, before) = self.paired.pair(store, day, WEEK)?;
        let until = self.until.get(store).filter(|_| day == self.day);
        Some((now, until.copied().unwrap_or(before)))
    }

    /// The total of all stores. A store without sales on the day is left out of the comparison unless it is closed.
    pub(super) fn together(&self) -> HomeSales {
        // On a Monday without sales so far the week is empty, and the day shown is of the week before.
        let monday = self.today.week();
        let open = self.shown().filter(|store| self.is_open(&store.id)).count();
        let mut sales = HomeSales {
            day: self.day,
            is_today: self.day == self.today,
            net: Money::default(),
            net_compared: Money::default(),
            before: None,
            stores_compared: 0,
            stores_left_out: 0,
            until: self.last.map(|at| format!("{:02}:{:02}", at / 3600 % 24, at / 60 % 60)),
            whole_days: 0,
            stores: 0,
            of: count(open),
            week_from: monday,
            week: Money::default(),
            week_compared: Money::default(),
            week_before: None,
            week_days: 0,
            week_left_out: 0,
            days: (1 - DRAWN..=0).map(|days| self.whole(self.day.plus(days))).collect(),
            up_to: None,
        };
        for store in &self.stores {
            let id = store.id.as_str();
            if let Some(net) = self.net(id, self.day) {
                sales.stores += 1;
                more(&mut sales.net, net);
                let whole =
                    self.day == self.today && self.before(id).is_some() && !self.until.contains_key(id);
                sales.whole_days += i64::from(whole);
            }
            match self.pair(id, self.day) {
                Some((now, before)) if self.has_either(id, self.day) => {
                    sales.stores_compared += 1;
                    more(&mut sales.net_compared, now);
                    more(sales.before.get_or_insert_default(), before);
                }
                Some(_) => {}
                None => sales.stores_left_out += 1,
            }
            for day in (0..WEEK).map(|days| monday.plus(days)).take_while(|day| *day <= self.day) {
                more(&mut sales.week, self.net(id, day).unwrap_or_default());
                match self.pair(id, day) {
                    Some((now, before)) if self.has_either(id, day) => {
                        sales.week_days += 1;
                        more(&mut sales.week_compared, now);
                        more(sales.week_before.get_or_insert_default(), before);
                    }
                    Some(_) => {}
                    None => sales.week_left_out += 1,
                }
            }
        }
        let of_day = self.sold.values().filter(|row| row.business_date == self.day);
        sales.up_to = of_day.map(|row| row.posted_at).max();
        sales
    }

    /// Whether a store sold something on a day or a week before.
    fn has_either(&self, store: &str, day: BusinessDay) -> bool {
        self.net(store, day).is_some() || self.net(store, day.plus(-WEEK)).is_some()
    }

    fn whole(&self, day: BusinessDay) -> Money {
        let of_day = self.sold.values().filter(|row| row.business_date == day);
        Money(of_day.fold(0, |sum, row| sum.saturating_add(row.net.0)))
    }

    pub(super) fn ids(&self) -> Vec<String> {
        self.stores.iter().map(|store| store.id.clone()).collect()
    }
}

fn more(sum: &mut Money, amount: Money) {
    sum.0 = sum.0.saturating_add(amount.0);
}

fn count(of: usize) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use larder_domain::Timestamp;
    use larder_ledgers::open_days::OpenDays;

    use super::*;

    fn sold(store: &str, day: i32, net: i64) -> Sold {
        Sold {
            store_id: store.to_owned(),
            business_date: BusinessDay(day),
            net: Money(net),
            receipts: 0,
            posted_at: Timestamp(day.into()),
        }
    }

    fn lately(day: BusinessDay, today: BusinessDay, stores: &[&str], rows: Vec<Sold>) -> Lately {
        let nets = rows.iter().map(|row| ((row.store_id.clone(), row.business_date), row.net)).collect();
        let store = |id: &&str| Store { id: (*id).into(), name: (*id).into(), code: None, inactive: false };
        Lately {
            day,
            today,
            stores: stores.iter().map(store).collect(),
            sold: rows.into_iter().map(|row| ((row.store_id.clone(), row.business_date), row)).collect(),
            until: HashMap::new(),
            last: None,
            paired: PairedDays::of(OpenDays::default(), nets),
        }
    }

    #[test]
    fn excludes_stores_without_sales_from_the_comparison() {
        // A Wednesday.
        let day = BusinessDay::from_ymd(2026, 11, 25).expect("a day");
        let rows = vec![
            sold("a", day.0, 100),
            sold("a", day.0 - 7, 80),
            sold("b", day.0 - 7, 900),
            sold("b", day.0 - 1, 5),
        ];
        let sales = lately(day, day.plus(1), &["a", "b"], rows).together();
        assert_eq!((sales.net, sales.before, sales.stores, sales.of), (Money(100), Some(Money(80)), 1, 2));
        assert_eq!((sales.net_compared, sales.stores_compared, sales.stores_left_out), (Money(100), 1, 1));
        // What b sold on Tuesday has nothing to be compared with.
        assert_eq!((sales.week, sales.week_compared), (Money(105), Money(100)));
        assert_eq!((sales.week_before, sales.week_days, sales.week_left_out), (Some(Money(80)), 1, 5));
        assert_eq!(sales.days.iter().map(|net| net.0).sum::<i64>(), 1085);
        assert_eq!(sales.whole_days, 0);
    }

    #[test]
    fn a_monday_without_sales_begins_an_empty_week() {
        let sunday = BusinessDay::from_ymd(2026, 11, 22).expect("a day");
        let rows = vec![sold("a", sunday.0, 100), sold("a", sunday.0 - 7, 80)];
        let today = sunday.plus(1);
        let sales = lately(sunday, today, &["a"], rows).together();
        assert_eq!((sales.day, sales.net), (sunday, Money(100)));
        assert_eq!((sales.week_from, sales.week, sales.week_before), (today, Money(0), None));
    }
}
