//! A store's past sales, receipts and stock per root item, for the days replayed and a year before.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::on_hand::movement::Movement;
use larder_domain::{BusinessDay, Money, Qty, Span};
use larder_planning::replay::{Cycle, Item, Past, cycles};

use super::items::{Ground, Reason, Terms};
use super::queries::Store;
use larder_ledgers::demand::Demand;
use larder_ledgers::snapshots;

/// Days of sales before the first day, used for forecasts.
pub const HISTORY: i32 = 364;
/// Days averaged to estimate the opening stock without a count.
const RECENT: usize = 28;
/// Days after the last one whose opening is known: as far as orders and shelf lives usually reach.
const BEYOND: usize = 92;
/// Weeks averaged by weekday to estimate demand on days out of stock.
const WEEKS: usize = 8;

/// A root item to replay.
#[derive(Debug, Clone)]
pub struct Series {
    pub root_item_id: String,
    pub price: Option<Money>,
}

/// A store's past, in flat buffers of root items × days.
#[derive(Debug, Default)]
pub struct StorePast {
    pub series: Vec<Series>,
    /// First day of the buffers, in days since 1970-01-01.
    pub from: i32,
    pub days: usize,
    pub start: usize,
    sold: Vec<f64>,
    lost: Vec<f64>,
    received: Vec<f64>,
    due: Vec<f64>,
    items: Vec<Item>,
    /// The orders of the delivery calendar, per day; empty without one.
    cycles: Vec<Option<Cycle>>,
    /// The days on which the store is closed, beyond the last one too; empty if it opens every day.
    closed: Vec<bool>,
    /// Root items left out, with the reason.
    pub left_out: Vec<(String, Reason)>,
    /// Number with an estimated opening stock.
    pub estimated: usize,
}

/// What to read.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub span: Span,
    /// Only items counted before, because actual receipts are replayed too.
    pub actual: bool,
    /// A single root item.
    pub only: Option<&'a str>,
}

impl StorePast {
    /// Reads it.
    ///
    /// # Errors
    /// When the database does not answer; on overflow.
    pub async fn read(
        db: &Db,
        (demand, ground): (&Demand, &Ground),
        store: &Store,
        wanted: Wanted<'_>,
    ) -> Result<Self, DbError> {
        let span = wanted.span;
        let whole = Span { from: span.from.plus(-HISTORY), to: span.to };
        let panel = demand.panel(std::slice::from_ref(&store.id), whole).await?;
        let periods: Vec<Span> =
            (0..span.days()).map(|n| span.from.plus(n)).map(|day| Span { from: day, to: day }).collect();
        let mut movements = snapshots::of_store(db, &store.id, &periods).await?;
        let movements: HashMap<String, Vec<Movement>> =
            movements.roots.drain(..).map(|root| root.id).zip(movements.figures.drain(..)).collect();
        let days = usize::try_from(whole.days()).unwrap_or(0);
        let start = usize::try_from(HISTORY).unwrap_or(0);
        let calendar = ground.calendar(store);
        let opening = ground.opening(store);
        let closed: Vec<bool> = (0..days + BEYOND)
            .zip(whole.from.0..)
            .map(|(_, day)| opening.is_closed(BusinessDay(day)))
            .collect();
        let mut past = Self {
            from: whole.from.0,
            days,
            start,
            cycles: calendar.map(|rule| cycles(rule, whole.from, days)).unwrap_or_default(),
            closed: if closed.contains(&true) { closed } else { Vec::new() },
            ..Self::default()
        };
        for row in panel.rows() {
            let root = row.root_item_id;
            if wanted.only.is_some_and(|only| only != root) {
                continue;
            }
            if row.values[start..].iter().all(|sold| sold.is_nan() || *sold <= 0.0) {
                continue;
            }
            let moved = movements.get(root).map(Vec::as_slice).unwrap_or_default();
            match ground.terms(store, root, !past.cycles.is_empty()) {
                Ok(terms) => past.take_in(root, terms, row.values, (moved, wanted.actual)),
                Err(why) => past.left_out.push((root.to_owned(), why)),
            }
        }
        Ok(past)
    }

    fn take_in(&mut self, root: &str, terms: Terms, sold: &[f64], (moved, actual): (&[Movement], bool)) {
        let Terms { mut item, price, .. } = terms;
        let counted = moved.first().and_then(|day| day.opening);
        if actual && counted.is_none() {
            self.left_out.push((root.to_owned(), Reason::NotCounted));
            return;
        }
        item.opening = match counted {
            Some(qty) => number(qty).max(0.0),
            None => {
                self.estimated += 1;
                estimated_opening(&sold[..self.start], &item, self.cover_days(&item))
            }
        };
        let replayed = self.days - self.start;
        let mut received: Vec<f64> = moved.iter().map(|day| number(arrived(day)).max(0.0)).collect();
        received.resize(replayed, 0.0);
        let before = vec![0.0; self.start];
        // Orders placed before the first day arrive in any case.
        let lead = self.first_arrival(&item);
        let due = received.iter().enumerate().map(|(day, qty)| if day < lead { *qty } else { 0.0 });
        self.due.extend(before.iter().copied().chain(due));
        self.lost.extend(&before);
        self.lost.extend((0..replayed).map(|day| lost(sold, self.start + day, moved.get(day))));
        self.received.extend(&before);
        self.received.extend(received);
        self.sold.extend_from_slice(sold);
        self.items.push(item);
        self.series.push(Series { root_item_id: root.to_owned(), price });
    }

    /// The first order of the days replayed, counted from the first of them: its arrival, and the next truck.
    fn first_order(&self) -> Option<(usize, usize)> {
        let cycle = self.cycles.get(self.start..)?.iter().flatten().next()?;
        Some((cycle.arrives - self.start, cycle.until - self.start))
    }

    /// The first replayed day on which an order can arrive that was placed on a replayed day.
    fn first_arrival(&self, item: &Item) -> usize {
        self.first_order().map_or(item.lead as usize, |(arrives, _)| arrives)
    }

    /// The days that an order has to last.
    fn cover_days(&self, item: &Item) -> u32 {
        let days = item.lead + item.review.max(1);
        self.first_order().map_or(days, |(_, until)| u32::try_from(until).unwrap_or(days))
    }

    /// The estimated part of demand on the days replayed.
    pub fn lost_of(&self, series: usize) -> &[f64] {
        &self.lost[series * self.days + self.start..(series + 1) * self.days]
    }

    /// As input of the replay.
    pub fn past(&self) -> Past<'_> {
        Past {
            days: self.days,
            start: self.start,
            sold: &self.sold,
            lost: &self.lost,
            received: &self.received,
            ordered: &[],
            due: &self.due,
            items: &self.items,
            cycles: &self.cycles,
            closed: &self.closed,
        }
    }
}

fn number(qty: Qty) -> f64 {
    qty.0 as f64 / 1e6
}

/// Net arrivals of a day.
fn arrived(day: &Movement) -> Qty {
    let came = day.received.0.saturating_add(day.transfers_in.0);
    Qty(came.saturating_sub(day.transfers_out.0).saturating_sub(day.waste.0))
}

/// The period covered by an order at the recent average: the stock on an ordinary morning.
fn estimated_opening(before: &[f64], item: &Item, cover_days: u32) -> f64 {
    let recent = before.iter().rev().take(RECENT).filter(|sold| !sold.is_nan());
    let (sum, days) = recent.fold((0.0, 0u32), |(sum, days), sold| (sum + sold.max(0.0), days + 1));
    if days == 0 {
        return 0.0;
    }
    let needed = sum / f64::from(days) * f64::from(cover_days);
    ((needed / item.pack).ceil() * item.pack).max(item.min)
}

/// Unserved demand on a day whose closing count was zero: the weekday's earlier average less actual sales.
/// Uses earlier days only.
fn lost(sold: &[f64], day: usize, moved: Option<&Movement>) -> f64 {
    let empty = moved.is_some_and(|it| it.closing == Some(Qty::ZERO) && it.variance.is_some());
    if !empty || sold[day].is_nan() {
        return 0.0;
    }
    let weekdays = (1..=WEEKS).filter_map(|week| day.checked_sub(7 * week)).map(|day| sold[day]);
    let known: Vec<f64> = weekdays.filter(|sold| !sold.is_nan()).collect();
    if known.is_empty() {
        return 0.0;
    }
    let usual = known.iter().sum::<f64>() / known.len() as f64;
    (usual - sold[day]).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: Item = Item {
        opening: 0.0,
        opening_life_days: None,
        pack: 5.0,
        min: 0.0,
        max: None,
        lead: 1,
        review: 2,
        shelf_life_days: None,
        unit_cost: 1.0,
    };

    #[test]
    fn an_uncounted_opening_is_the_period_of_an_order() {
        assert_eq!(estimated_opening(&[4.0, f64::NAN, 6.0], &ITEM, 3), 15.0);
        assert_eq!(estimated_opening(&[f64::NAN], &ITEM, 3), 0.0);
    }

    #[test]
    fn demand_out_of_stock_is_the_weekday_average() {
        let mut sold = vec![0.0; 21];
        (sold[6], sold[13], sold[20]) = (8.0, 12.0, 3.0);
        let ended =
            |closing| Movement { closing: Some(Qty(closing)), variance: Some(Qty(0)), ..Movement::default() };
        assert_eq!(lost(&sold, 20, Some(&ended(0))), 7.0);
        assert_eq!(lost(&sold, 20, Some(&ended(1))), 0.0);
        assert_eq!(lost(&sold, 20, None), 0.0);
        // More sold than usual: nothing counts as lost.
        sold[20] = 30.0;
        assert_eq!(lost(&sold, 20, Some(&ended(0))), 0.0);
    }
}
