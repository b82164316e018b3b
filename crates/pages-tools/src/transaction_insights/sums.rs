//! Ticket totals by store, hour and daypart.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use larder_domain::day_starts::DayStarts;
use larder_domain::decimal::div_round;
use larder_domain::sales::day::Unpacked;
use larder_domain::sales::ticket::{self, Refund, Seen, Ticket};
use larder_domain::{BusinessDay, Money};
use larder_planning::basket::Baskets;

use super::model::{HourCell, TicketFigures};
use super::question::Daypart;

/// Tickets with this many items or more are combined.
pub const LARGEST: usize = 10;

/// Ticket sums, before averages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub tickets: i64,
    pub net: i64,
    pub units: i64,
    pub refunds: i64,
    pub refunded: i64,
    pub untimed: i64,
    pub open_hours: i64,
}

impl Tally {
    fn ticket(&mut self, ticket: &Ticket<'_>) {
        self.tickets += 1;
        self.net = self.net.saturating_add(ticket.net);
        self.units = self.units.saturating_add(ticket.units);
        self.untimed += i64::from(ticket.seconds.is_none());
    }

    fn refund(&mut self, refund: &Refund) {
        self.refunds += 1;
        self.refunded = self.refunded.saturating_add(refund.amount);
    }

    /// As figures.
    #[must_use]
    pub fn figures(&self) -> TicketFigures {
        let tickets = (self.tickets > 0).then_some(self.tickets);
        let average = tickets.and_then(|tickets| div_round(self.net.into(), tickets.into())).map(Money);
        TicketFigures {
            tickets: self.tickets,
            net: Money(self.net),
            average,
            units: self.units,
            items_a_ticket: ratio(self.units, self.tickets),
            refunds: self.refunds,
            refunded: Money(self.refunded),
            untimed: self.untimed,
            open_hours: self.open_hours,
            an_hour: ratio(self.tickets - self.untimed, self.open_hours),
        }
    }
}

/// Rounded to four decimals; `None` if `whole` is 0.
fn ratio(part: i64, whole: i64) -> Option<f64> {
    (whole > 0).then(|| (part as f64 / whole as f64 * 1e4).round() / 1e4)
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    tickets: i64,
    net: i64,
    open: i64,
}

/// The tickets of a range.
#[derive(Debug, Default)]
pub struct Sums {
    pub all: Tally,
    pub by_store: BTreeMap<String, Tally>,
    pub by_part: BTreeMap<Daypart, Tally>,
    /// By number of items minus one.
    pub sizes: [i64; LARGEST],
    hours: Vec<[Cell; 24]>,
    /// The earliest hour of a business day in which a store was open, past 23 after midnight.
    first_hour: Option<usize>,
    items: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
    baskets: Baskets,
}

/// First and last hour of a store's business day, past 23 after midnight.
type Open = Option<(usize, usize)>;

impl Sums {
    /// Empty sums.
    #[must_use]
    pub fn new() -> Self {
        Self { hours: vec![[Cell::default(); 24]; 7], ..Self::default() }
    }

    /// Adds one source's part of a store's day. Extends `open` by its hours. `starts`: when the store's days begin.
    pub fn add(
        &mut self,
        store: &mut Tally,
        (day, starts): (BusinessDay, &DayStarts),
        unpacked: &Unpacked,
        part: Option<Daypart>,
        open: &mut Open,
    ) {
        let numbers: Vec<u32> = unpacked.items.iter().map(|item| self.number(&item.pos_item_id)).collect();
        let mut basket: Vec<u32> = Vec::new();
        ticket::each(unpacked, |seen| match seen {
            Seen::Ticket(ticket) => {
                let place = ticket.seconds.map(|at| hour_of(starts.seconds_within(day, at)));
                let hour = place.map(|place| place % 24);
                if let Some(place) = place {
                    *open = Some(open.map_or((place, place), |(from, to)| (from.min(place), to.max(place))));
                }
                if !asked_for(hour, part) {
                    return;
                }
                store.ticket(&ticket);
                let size = usize::try_from(ticket.units).unwrap_or(1).clamp(1, LARGEST);
                self.sizes[size - 1] += 1;
                if let Some(hour) = hour {
                    let cell = &mut self.hours[usize::from(day.weekday())][hour];
                    cell.tickets += 1;
                    cell.net = cell.net.saturating_add(ticket.net);
                    self.by_part.entry(Daypart::of(hour)).or_default().ticket(&ticket);
                }
                basket.clear();
                basket.extend(ticket.items.iter().map(|item| numbers[*item as usize]));
                self.baskets.push(&basket);
            }
            Seen::Refund(refund) => {
                let hour = refund.seconds.map(|at| hour_of(at) % 24);
                if asked_for(hour, part) {
                    store.refund(&refund);
                    if let Some(hour) = hour {
                        self.by_part.entry(Daypart::of(hour)).or_default().refund(&refund);
                    }
                }
            }
        });
    }

    /// Completes a store's day: the hours from its first ticket to its last were open.
    pub fn close(&mut self, store: &mut Tally, day: BusinessDay, open: &mut Open, part: Option<Daypart>) {
        let Some((from, to)) = open.take() else { return };
        self.first_hour = Some(self.first_hour.map_or(from, |first| first.min(from)));
        for hour in (from..=to).map(|place| place % 24) {
            if asked_for(Some(hour), part) {
                self.hours[usize::from(day.weekday())][hour].open += 1;
                self.by_part.entry(Daypart::of(hour)).or_default().open_hours += 1;
                store.open_hours += 1;
            }
        }
    }

    /// Adds a completed store.
    pub fn take(&mut self, store_id: &str, tally: Tally) {
        let Tally { tickets, net, units, refunds, refunded, untimed, open_hours } = tally;
        let all = &mut self.all;
        all.tickets += tickets;
        all.net = all.net.saturating_add(net);
        all.units = all.units.saturating_add(units);
        all.refunds += refunds;
        all.refunded = all.refunded.saturating_add(refunded);
        all.untimed += untimed;
        all.open_hours += open_hours;
        if tickets > 0 || refunds > 0 {
            self.by_store.insert(store_id.to_owned(), tally);
        }
    }

    fn number(&mut self, item: &Arc<str>) -> u32 {
        if let Some(number) = self.items.get(item) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(item.clone());
        self.items.insert(item.clone(), number);
        number
    }

    /// The items of all tickets, and the item of each number.
    #[must_use]
    pub fn baskets(&mut self) -> (Baskets, Vec<Arc<str>>) {
        (std::mem::take(&mut self.baskets), std::mem::take(&mut self.names))
    }

    /// The clock hour in which the earliest store opens.
    #[must_use]
    pub fn first_hour(&self) -> u8 {
        u8::try_from(self.first_hour.unwrap_or_default() % 24).unwrap_or_default()
    }

    /// The hours in which stores were open.
    #[must_use]
    pub fn hours(&self) -> Vec<HourCell> {
        let mut all = Vec::new();
        for (weekday, cells) in (1u8..).zip(&self.hours) {
            for (hour, cell) in (0u8..).zip(cells).filter(|(_, cell)| cell.open > 0) {
                let Cell { tickets, net, open } = *cell;
                let an_hour = ratio(tickets, open).unwrap_or_default();
                all.push(HourCell { weekday, hour, tickets, net: Money(net), open_hours: open, an_hour });
            }
        }
        all
    }
}

/// The hour of a time of a business day, past 23 after midnight.
fn hour_of(seconds: i32) -> usize {
    usize::try_from(seconds / 3600).unwrap_or(0)
}

/// Tickets without a known time only count for the whole day.
fn asked_for(hour: Option<usize>, part: Option<Daypart>) -> bool {
    part.is_none_or(|part| hour.is_some_and(|hour| Daypart::of(hour) == part))
}
