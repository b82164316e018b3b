//! Inputs of the store scorecard: each store's sums, and missing data by store.

use std::collections::HashMap;

use larder_domain::{BusinessDay, Money, Qty, Worth};
use serde::Serialize;
use utoipa::ToSchema;

use super::count_compliance;
use super::store_queries::{self as queries, Place};
use larder_engines::reports::Question;
use larder_engines::reports::figures::add;
use larder_ledgers::forecasts::accuracy;
use larder_ledgers::forecasts::accuracy::By;
use larder_ledgers::sales::tickets::{self, Tickets};
use larder_ledgers::snapshots;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Forecast horizon evaluated, in days.
const AHEAD: i32 = 7;

/// Sums over stores. The base of each ratio only includes stores with complete data for it.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    pub net: Money,
    /// Net sales of stores with known floor area.
    pub net_on_floor: Money,
    /// Square metres.
    pub floor: Qty,
    /// Net sales of stores with seats.
    pub net_on_seats: Money,
    pub seats: i64,
    pub tickets: Tickets,
    pub counts_due: i64,
    pub counts_in_time: i64,
    /// In millionths.
    pub lines_ordered: i64,
    /// The share received of each, added up, in millionths.
    pub shares_received: i64,
    /// Quantity sold on forecast days, as the methods use it.
    pub actual: f64,
    /// Absolute forecast error, summed over days.
    pub missed: f64,
    pub waste: Money,
    /// Waste of stores with sales.
    pub waste_of_sales: Money,
    /// `None` if no week was counted.
    pub variance: Option<Worth>,
}

/// Data a store may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Lacks {
    Floor,
    /// Number of seats; 0 counts as known.
    Seats,
    Receipts,
    /// Counts due.
    Counts,
    /// Completed orders.
    Orders,
    Forecasts,
    /// Counted weeks.
    Snapshots,
}

impl Lacks {
    pub const ALL: [Self; 7] = [
        Self::Floor,
        Self::Seats,
        Self::Receipts,
        Self::Counts,
        Self::Orders,
        Self::Forecasts,
        Self::Snapshots,
    ];

    /// Whether a store lacks it.
    pub fn holds(self, place: &Place, sums: &Sums) -> bool {
        match self {
            Self::Floor => sums.floor <= Qty::ZERO,
            Self::Seats => place.dining_capacity_pax.is_none(),
            Self::Receipts => sums.tickets.receipts == 0,
            Self::Counts => sums.counts_due == 0,
            Self::Orders => sums.lines_ordered == 0,
            Self::Forecasts => sums.actual <= 0.0,
            Self::Snapshots => sums.variance.is_none(),
        }
    }
}

/// Each store's sums.
pub struct Known {
    pub places: Vec<Place>,
    sums: Vec<Sums>,
    /// Number of waste lines without a price.
    pub waste_without_price: i64,
}

impl Known {
    /// Reads the data of a range.
    ///
    /// # Errors
    /// When the database does not answer; on overflow.
    pub async fn read(state: &AppState, question: &Question) -> ApiResult<Self> {
        let places = queries::places(&state.db, question.stores.as_deref()).await?;
        let mut known = Self { sums: vec![Sums::default(); places.len()], places, waste_without_price: 0 };
        let ids: Vec<String> = known.places.iter().map(|place| place.id.clone()).collect();
        known.sales(state, question, &ids).await?;
        known.supply(state, question, &ids).await?;
        known.counts(state, question, &ids).await?;
        known.forecasts(state, question, &ids).await?;
        Ok(known)
    }

    /// The sums of the stores at these indexes.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn sums(&self, stores: &[usize]) -> ApiResult<Sums> {
        let mut all = Sums::default();
        for sums in stores.iter().filter_map(|at| self.sums.get(*at)) {
            all.join(sums)?;
        }
        Ok(all)
    }

    async fn sales(&mut self, state: &AppState, question: &Question, ids: &[String]) -> ApiResult<()> {
        let (db, span) = (&state.db, question.span);
        let (sold, tickets) =
            tokio::try_join!(queries::traded(db, ids, span), tickets::by_store(db, ids, span))?;
        let place = places(ids);
        for one in sold {
            let Some(&at) = place.get(one.store_id.as_str()) else { continue };
            let (store, sums) = (&self.places[at], &mut self.sums[at]);
            sums.net = one.net;
            if let Some(floor) = store.store_area_m2.filter(|area| *area > Qty::ZERO) {
                (sums.net_on_floor, sums.floor) = (one.net, floor);
            }
            if let Some(seats) = store.dining_capacity_pax.filter(|seats| *seats > 0) {
                (sums.net_on_seats, sums.seats) = (one.net, seats);
            }
        }
        for (store, tickets) in tickets {
            if let Some(&at) = place.get(store.as_str()) {
                self.sums[at].tickets = tickets;
            }
        }
        Ok(())
    }

    async fn supply(&mut self, state: &AppState, question: &Question, ids: &[String]) -> ApiResult<()> {
        let (db, span) = (&state.db, question.span);
        let (wasted, bare, filled) = tokio::try_join!(
            queries::waste(db, ids, span),
            queries::waste_without_price(db, ids, span),
            queries::filled(db, ids, span)
        )?;
        let place = places(ids);
        for (store, worth) in wasted {
            if let Some(&at) = place.get(store.as_str()) {
                self.sums[at].waste = worth;
                if self.places[at].first_sold.is_some() {
                    self.sums[at].waste_of_sales = worth;
                }
            }
        }
        self.waste_without_price = bare.into_iter().map(|(_, lines)| lines).sum();
        for (store, lines, parts) in filled {
            if let Some(&at) = place.get(store.as_str()) {
                let sums = &mut self.sums[at];
                (sums.lines_ordered, sums.shares_received) = (lines, parts);
            }
        }
        Ok(())
    }

    async fn counts(&mut self, state: &AppState, question: &Question, ids: &[String]) -> ApiResult<()> {
        let place = places(ids);
        if question.span.from <= BusinessDay::of(question.at) {
            let of = Question { stores: Some(ids.to_vec()), ..question.clone() };
            for store in count_compliance::answer(state, &of).await?.stores {
                if let Some(&at) = place.get(store.id.as_str()) {
                    let sums = &mut self.sums[at];
                    (sums.counts_due, sums.counts_in_time) = (store.totals.due, store.totals.done);
                }
            }
        }
        let span = question.span;
        let first = if span.from.is_monday() { span.from } else { span.from.week().plus(7) };
        let last = span.to.plus(-6);
        for row in snapshots::rows(&state.db, (first, last), Some(ids)).await? {
            let Some((&at, worth)) = place.get(row.store_id.as_str()).zip(row.variance_worth()) else {
                continue;
            };
            self.sums[at].add_variance(Some(worth));
        }
        Ok(())
    }

    async fn forecasts(&mut self, state: &AppState, question: &Question, ids: &[String]) -> ApiResult<()> {
        let filter = accuracy::AccuracyFilter {
            by: By::Store,
            stores: Some(ids.to_vec()),
            root_item_id: None,
            method: None,
            service: None,
            ahead: 1..=AHEAD,
            span: question.span,
        };
        let place = places(ids);
        let (judged, _) = accuracy::judge(&state.db, &filter).await?;
        for one in judged {
            let at = one.store_id.as_deref().and_then(|id| place.get(id));
            if let (Some(&at), Some(wape)) = (at, one.wape) {
                let sums = &mut self.sums[at];
                (sums.actual, sums.missed) = (one.actual, wape * one.actual);
            }
        }
        Ok(())
    }
}

fn places(ids: &[String]) -> HashMap<&str, usize> {
    ids.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect()
}

impl Sums {
    /// Whether there was no activity and nothing was due.
    pub fn is_empty(&self) -> bool {
        self.net.is_zero()
            && self.waste.is_zero()
            && self.lines_ordered == 0
            && self.counts_due == 0
            && self.variance.is_none()
    }

    fn join(&mut self, more: &Self) -> ApiResult<()> {
        let money = [
            (&mut self.net, more.net),
            (&mut self.net_on_floor, more.net_on_floor),
            (&mut self.net_on_seats, more.net_on_seats),
            (&mut self.waste, more.waste),
            (&mut self.waste_of_sales, more.waste_of_sales),
        ];
        for (sum, more) in money {
            add(sum, more)?;
        }
        let counts = [
            (&mut self.seats, more.seats),
            (&mut self.counts_due, more.counts_due),
            (&mut self.counts_in_time, more.counts_in_time),
            (&mut self.lines_ordered, more.lines_ordered),
            (&mut self.shares_received, more.shares_received),
        ];
        for (sum, more) in counts {
            add(sum, more)?;
        }
        self.tickets.add(more.tickets);
        add(&mut self.floor, more.floor)?;
        self.actual += more.actual;
        self.missed += more.missed;
        self.add_variance(more.variance);
        Ok(())
    }

    fn add_variance(&mut self, more: Option<Worth>) {
        self.variance = [self.variance, more].into_iter().flatten().reduce(Worth::plus);
    }
}
