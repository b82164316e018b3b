//! What really is and happened: shelves by lot, trucks on the road, receipts, and what the staff told Larder of it.
//!
//! A change of a shelf is an [`Event`] with what happened and what was told. All expected figures follow from events
//! and counts: a page shows the shelf, off by what was told differently since the last count and by what that count
//! got wrong.

use std::collections::{BTreeMap, BTreeSet};

use crate::calendar::{DAY, Minute, day_of};
use crate::catalogue::Catalogue;
use crate::quantity::ONE;

/// A lot of a product; `None` for stock without one.
pub type Lot = Option<(usize, String)>;

/// Why a shelf changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Came from the kitchen.
    Received,
    CarriedIn,
    CarriedOut,
    Wasted,
    Sold,
    /// Stolen, or more in a portion than its recipe says. Nobody tells.
    Vanished,
}

/// A change of a root item's stock at a store, in millionths.
#[derive(Debug, Clone)]
pub struct Event {
    pub at: Minute,
    pub store: usize,
    pub root: usize,
    pub kind: Kind,
    pub happened: i64,
    /// As told to Larder; 0 until then.
    pub told: i64,
    /// When it happened as Larder takes it, if not at its time.
    pub told_at: Option<Minute>,
    /// Its lot.
    pub lot: Lot,
}

impl Event {
    /// A change at a time, of a store and root item, that Larder was not told.
    #[must_use]
    pub fn of((at, store, root): (Minute, usize, usize), kind: Kind, happened: i64, lot: Lot) -> Self {
        Self { at, store, root, kind, happened, told: 0, told_at: None, lot }
    }
}

/// A session of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Session {
    Opening,
    Closing,
}

impl Session {
    /// As in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Closing => "closing",
        }
    }
}

/// A count of a root item at a store, in millionths.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    pub at: Minute,
    pub store: usize,
    pub root: usize,
    pub session: Session,
    pub counted: i64,
    /// What was there.
    pub shelf: i64,
    /// Whether it was made on the phone without a signal.
    pub offline: bool,
    /// Whether it has reached Larder.
    pub sent: bool,
}

/// Packs of a product of a lot.
#[derive(Debug, Clone)]
pub struct Load {
    pub product: usize,
    pub packs: i64,
    pub lot: Option<String>,
}

/// What a store says of packs that did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// Nobody knows yet: they are still on the road.
    Pending,
    /// Lost, and credited to the store.
    Credit,
    /// Lost.
    WriteOff,
    /// Found at the kitchen.
    Return,
}

impl Settlement {
    /// As in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Credit => "credit",
            Self::WriteOff => "writeOff",
            Self::Return => "return",
        }
    }
}

/// A delivery from the kitchen, or a transfer from another store.
#[derive(Debug, Clone)]
pub struct Truck {
    /// The sending store; `None` for the kitchen.
    pub from: Option<usize>,
    pub to: usize,
    pub load: Load,
    /// When it left, and the event of leaving a store.
    pub left: (Minute, Option<usize>),
    /// When its goods reached the shelf, and the event of that.
    pub unloaded: Option<(Minute, usize)>,
    /// Packs that did not arrive.
    pub missing: i64,
    /// Whether Larder knows that it left.
    pub sent: bool,
    /// Whether Larder knows that it arrived.
    pub received: bool,
    /// Whether Larder was told what became of the missing packs.
    pub settled: bool,
}

impl Truck {
    /// A truck with a load, before it is told.
    #[must_use]
    pub fn leaving(from: Option<usize>, to: usize, load: Load, left: (Minute, Option<usize>)) -> Self {
        let (unloaded, missing) = (None, 0);
        Self { from, to, load, left, unloaded, missing, sent: false, received: false, settled: false }
    }

    /// Packs that Larder knows to be on the road.
    #[must_use]
    pub fn on_the_road(&self) -> i64 {
        match (self.sent, self.received, self.settled) {
            (false, ..) | (true, true, true) => 0,
            (true, true, false) => self.missing,
            (true, false, _) => self.load.packs,
        }
    }
}

/// A store's order to the kitchen, in packs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Order {
    pub store: usize,
    pub product: usize,
    pub ordered: i64,
    pub approved: i64,
    pub sent: i64,
    pub closed_short: i64,
}

/// A dish on a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sold {
    pub dish: usize,
    pub pieces: i64,
}

/// A receipt.
#[derive(Debug, Clone)]
pub struct Receipt {
    pub at: Minute,
    pub store: usize,
    /// Index of the till.
    pub till: usize,
    pub number: usize,
    pub dishes: Vec<Sold>,
    /// Centavos.
    pub net: i64,
    /// Index into [`crate::days::TENDERS`].
    pub tender: usize,
    /// Its events.
    pub events: Vec<usize>,
    /// Whether it is in Larder.
    pub told: bool,
}

/// A till: what its next reading goes on from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Till {
    pub counter: i64,
    /// Accumulated sales, in centavos.
    pub total: i64,
    /// Number of invoices so far.
    pub invoices: i64,
}

/// A till's reading of a day.
#[derive(Debug, Clone)]
pub struct Reading {
    pub store: usize,
    pub till: usize,
    pub day: usize,
    /// The till after it.
    pub after: Till,
    pub receipts: i64,
    /// Centavos by tender.
    pub paid: [i64; 3],
    /// Whether it is verified in Larder.
    pub told: bool,
}

impl Reading {
    /// Net sales, in centavos.
    #[must_use]
    pub fn net(&self) -> i64 {
        self.paid.iter().sum()
    }
}

/// A store's money of a day, in centavos.
#[derive(Debug, Clone, Copy, Default)]
pub struct Money {
    /// By tender, as declared.
    pub declared: [i64; 3],
    pub deposited: i64,
}

/// What the kitchen made at once: a lot of mix, or of kits.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The batch of mix in kits; `None` for mix.
    pub mix: Option<usize>,
    pub day: usize,
    pub lot: String,
    /// Packs of mix, or kits.
    pub packs: i64,
    /// What is left of it at the kitchen, in millionths of packs.
    pub left: i64,
}

/// A waste report.
#[derive(Debug, Clone)]
pub struct Waste {
    pub at: Minute,
    pub store: usize,
    pub product: usize,
    pub lot: Option<String>,
    /// Its event.
    pub event: usize,
}

/// A group's truth.
#[derive(Debug, Clone)]
pub struct Truth {
    pub catalogue: Catalogue,
    pub events: Vec<Event>,
    pub counts: Vec<Count>,
    pub trucks: BTreeMap<usize, Truck>,
    /// By the truck that is to bring it.
    pub orders: BTreeMap<usize, Order>,
    pub waste: BTreeMap<usize, Waste>,
    pub receipts: Vec<Receipt>,
    /// By store and till.
    pub tills: Vec<Vec<Till>>,
    pub readings: Vec<Reading>,
    /// By store and day.
    pub money: BTreeMap<(usize, usize), Money>,
    /// Prices that were changed, in the order of being told: root item, the day from which they hold, centavos.
    pub prices: Vec<(usize, usize, i64)>,
    /// A product that is gone, and the one it was merged into.
    pub merged: Option<(usize, usize)>,
    /// Whether a count included an event, as people answered: by event, day and session.
    pub answers: BTreeMap<(usize, usize, Session), bool>,
    /// Of which earliest day Larder was told something on a day, by store and that day.
    reaches_back: BTreeMap<(usize, usize), usize>,
    /// Recalled lots.
    pub recalled: BTreeSet<(usize, String)>,
    /// What the kitchen made.
    pub batches: BTreeMap<usize, Batch>,
    /// Batches of mix that are recalled.
    pub recalled_mixes: BTreeSet<usize>,
    /// Flour at the kitchen, in millionths of packs.
    pub flour: i64,
    /// Packs at the kitchen, by product.
    pub kitchen: Vec<i64>,
    /// By store and root item: stock of each lot, in millionths.
    shelves: Vec<Vec<BTreeMap<Lot, i64>>>,
}

/// Packs of each product at the kitchen before the world begins, and of flour; it has to make kits and mix.
pub const KITCHEN_BEGINS_WITH: i64 = 100_000;

impl Truth {
    /// What a unit of a root item costs on a day, in centavos: the price that was set from the latest day until then.
    #[must_use]
    pub fn price_on(&self, root: usize, day: usize) -> i64 {
        let set = self.prices.iter().filter(|(of, from, _)| *of == root && *from <= day);
        set.max_by_key(|(_, from, _)| *from).map_or(self.catalogue.roots[root].price, |(.., price)| *price)
    }

    /// A group before anything happened.
    #[must_use]
    pub fn new(catalogue: Catalogue) -> Self {
        let mut kitchen = vec![KITCHEN_BEGINS_WITH; catalogue.products.len()];
        kitchen[catalogue.kit()] = 0;
        let shelf = |begins_with: &i64| BTreeMap::from([(None, *begins_with)]);
        let shelves =
            catalogue.stores.iter().map(|store| store.begins_with.iter().map(shelf).collect()).collect();
        Self {
            events: Vec::new(),
            counts: Vec::new(),
            trucks: BTreeMap::new(),
            orders: BTreeMap::new(),
            waste: BTreeMap::new(),
            receipts: Vec::new(),
            tills: catalogue.stores.iter().map(|store| vec![Till::default(); store.tills.len()]).collect(),
            readings: Vec::new(),
            money: BTreeMap::new(),
            answers: BTreeMap::new(),
            reaches_back: BTreeMap::new(),
            prices: Vec::new(),
            merged: None,
            recalled: BTreeSet::new(),
            batches: BTreeMap::new(),
            recalled_mixes: BTreeSet::new(),
            flour: KITCHEN_BEGINS_WITH * ONE,
            kitchen,
            shelves,
            catalogue,
        }
    }

    /// The product that stands for a product now.
    #[must_use]
    pub fn now(&self, product: usize) -> usize {
        self.merged.filter(|(goes, _)| *goes == product).map_or(product, |(_, stays)| stays)
    }

    /// Merges a product into another: everything that was of the one is of the other. No shelf changes.
    pub fn merge(&mut self, (stays, goes): (usize, usize)) {
        self.merged = Some((goes, stays));
        let rename = |product: &mut usize| *product = if *product == goes { stays } else { *product };
        let rename_lot =
            |lot: Lot| lot.map(|(product, code)| (if product == goes { stays } else { product }, code));
        self.kitchen[stays] += std::mem::take(&mut self.kitchen[goes]);
        self.trucks.values_mut().for_each(|truck| rename(&mut truck.load.product));
        self.orders.values_mut().for_each(|order| rename(&mut order.product));
        self.waste.values_mut().for_each(|waste| rename(&mut waste.product));
        for event in &mut self.events {
            event.lot = rename_lot(event.lot.take());
        }
        let recalled = std::mem::take(&mut self.recalled);
        self.recalled = recalled.into_iter().filter_map(|lot| rename_lot(Some(lot))).collect();
        for shelf in self.shelves.iter_mut().flatten() {
            for (lot, qty) in std::mem::take(shelf) {
                *shelf.entry(rename_lot(lot)).or_default() += qty;
            }
        }
    }

    /// What is on a shelf now.
    #[must_use]
    pub fn shelf(&self, store: usize, root: usize) -> i64 {
        self.shelves[store][root].values().sum()
    }

    /// The lots on a shelf now.
    pub fn lots(&self, store: usize, root: usize) -> impl Iterator<Item = (&Lot, i64)> {
        self.shelves[store][root].iter().map(|(lot, qty)| (lot, *qty))
    }

    /// The lot from which a person takes whole packs of a product: the one with most of them on the shelf, else stock
    /// without a lot, and never a recalled one. `None` if none has this much.
    #[must_use]
    pub fn lot_with(&self, store: usize, product: usize, qty: i64) -> Option<Lot> {
        let root = self.catalogue.products[product].root;
        let may_go =
            |lot: &Lot| lot.as_ref().is_none_or(|lot| lot.0 == product && !self.recalled.contains(lot));
        let enough = self.lots(store, root).filter(|(lot, there)| *there >= qty && may_go(lot));
        enough.max_by_key(|(lot, there)| (lot.is_some(), *there)).map(|(lot, _)| lot.clone())
    }

    /// Changes a shelf, and returns the event's number.
    pub fn change(&mut self, event: Event) -> usize {
        let shelf = &mut self.shelves[event.store][event.root];
        *shelf.entry(event.lot.clone()).or_default() += event.happened;
        self.events.push(event);
        self.events.len() - 1
    }

    /// Takes a quantity from the lots of a shelf in turn, beginning with `first`: customers and cooks take what is at
    /// hand. Takes nothing and returns `None` if there is less.
    pub fn take(
        &mut self,
        (at, store, root): (Minute, usize, usize),
        qty: i64,
        kind: Kind,
        first: usize,
    ) -> Option<Vec<usize>> {
        if self.shelf(store, root) < qty {
            return None;
        }
        let mut lots: Vec<(Lot, i64)> = self
            .lots(store, root)
            .filter(|(_, there)| *there > 0)
            .map(|(lot, qty)| (lot.clone(), qty))
            .collect();
        let turn = first % lots.len().max(1);
        lots.rotate_left(turn);
        let (mut rest, mut events) = (qty, Vec::new());
        for (lot, there) in lots {
            let part = rest.min(there);
            if part > 0 {
                events.push(self.change(Event::of((at, store, root), kind, -part, lot)));
                rest -= part;
            }
        }
        Some(events)
    }

    /// Larder was told something of a store today, as of a time.
    pub fn told_today(&mut self, store: usize, of: Minute, today: usize) {
        let first = self.reaches_back.entry((store, today)).or_insert(today);
        *first = (*first).min(day_of(of));
    }

    /// The days whose figures Larder can know on the evening of a day, as far as something was told on it that changes
    /// them, and in any case the last one: sales are complete up to it. What is told late is so asked for, even if a
    /// count came since.
    #[must_use]
    pub fn days_to_ask(&self, store: usize, today: usize) -> Vec<usize> {
        let Some(last) = (0..=today).rev().find(|day| self.sales_are_complete(store, *day)) else {
            return Vec::new();
        };
        let first = self.reaches_back.get(&(store, today)).copied().unwrap_or(last);
        (first.min(last)..=last).collect()
    }

    /// The events of a root item at a store, in order of entry.
    pub fn of(&self, store: usize, root: usize) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.store == store && event.root == root)
    }

    /// The last two counts of a root item at a store that Larder has, up to a time: the earlier one, and the last.
    #[must_use]
    pub fn last_counts(&self, store: usize, root: usize, until: Minute) -> (Option<Count>, Option<Count>) {
        let mut counts: Vec<Count> = self
            .counts
            .iter()
            .filter(|count| (count.store, count.root) == (store, root) && count.sent && count.at <= until)
            .copied()
            .collect();
        counts.sort_by_key(|count| count.at);
        // A session has one count of an item: the last one.
        let session = |count: &Count| (day_of(count.at), count.session);
        let last = counts.pop();
        let earlier =
            counts.into_iter().rev().find(|count| last.as_ref().map(session) != Some(session(count)));
        (earlier, last)
    }

    /// Whether a count includes an event as Larder knows it: by what people answered, else by its time.
    fn includes(&self, count: &Count, (number, event): (usize, &Event)) -> bool {
        let answer = self.answers.get(&(number, day_of(count.at), count.session));
        answer.copied().unwrap_or(event.told_at.unwrap_or(event.at) <= count.at)
    }

    /// What was told of a root item, up to a count or up to a time.
    fn told(&self, (store, root): (usize, usize), until: Result<&Count, Minute>) -> i64 {
        let events = (0..).zip(&self.events);
        let of = events.filter(|(_, event)| (event.store, event.root) == (store, root));
        let within = of.filter(|(number, event)| match until {
            Ok(count) => self.includes(count, (*number, event)),
            Err(until) => event.at <= until,
        });
        within.map(|(_, event)| event.told).sum()
    }

    /// What Larder must show as stock at the end of a day; `None` if it was never counted.
    #[must_use]
    pub fn stock_in_larder(&self, store: usize, root: usize, day: usize) -> Option<i64> {
        let until = end_of(day);
        let last = self.last_counts(store, root, until).1?;
        Some(last.counted + self.told((store, root), Err(until)) - self.told((store, root), Ok(&last)))
    }

    /// How much more Larder must show at the end of a day, which is today, than there is.
    #[must_use]
    pub fn book_error(&self, store: usize, root: usize, day: usize) -> Option<i64> {
        Some(self.stock_in_larder(store, root, day)? - self.shelf(store, root))
    }

    /// The variance that Larder must show at the last count up to a day: what was counted, less what the count before
    /// and all that was told between them make.
    #[must_use]
    pub fn variance_in_larder(&self, store: usize, root: usize, day: usize) -> Option<i64> {
        let (earlier, last) = self.last_counts(store, root, end_of(day));
        let (earlier, last) = (earlier?, last?);
        let between = self.told((store, root), Ok(&last)) - self.told((store, root), Ok(&earlier));
        Some(last.counted - earlier.counted - between)
    }

    /// What was told of one kind of event on a day.
    #[must_use]
    pub fn told_on(&self, store: usize, root: usize, day: usize, kind: Kind) -> i64 {
        let of_day = self.of(store, root).filter(|event| event.kind == kind && day_of(event.at) == day);
        of_day.map(|event| event.told).sum()
    }

    /// What was told to have come and gone of a lot, except by sales.
    #[must_use]
    pub fn told_of_lot(&self, store: usize, root: usize, lot: &Lot) -> i64 {
        let by_document = |event: &&Event| event.lot == *lot && event.kind != Kind::Sold;
        self.of(store, root).filter(by_document).map(|event| event.told).sum()
    }

    /// The receipts of a store on a day.
    pub fn receipts_of(&self, store: usize, day: usize) -> impl Iterator<Item = &Receipt> {
        self.receipts.iter().filter(move |receipt| receipt.store == store && day_of(receipt.at) == day)
    }

    /// The tills of a store that sold something on a day print their readings.
    pub fn close(&mut self, store: usize, day: usize) {
        for till in 0..self.tills[store].len() {
            let (mut paid, mut receipts) = ([0; 3], 0);
            for receipt in self.receipts_of(store, day).filter(|receipt| receipt.till == till) {
                paid[receipt.tender] += receipt.net;
                receipts += 1;
            }
            if receipts > 0 {
                let state = &mut self.tills[store][till];
                state.counter += 1;
                state.total += paid.iter().sum::<i64>();
                state.invoices += receipts;
                let after = *state;
                self.readings.push(Reading { store, till, day, after, receipts, paid, told: false });
            }
        }
    }

    /// Whether every sale of a store up to the end of a day is in Larder.
    #[must_use]
    pub fn sales_are_complete(&self, store: usize, day: usize) -> bool {
        self.receipts.iter().all(|receipt| receipt.store != store || receipt.told || day_of(receipt.at) > day)
    }
}

/// The last minute of a day.
#[must_use]
pub fn end_of(day: usize) -> Minute {
    (i64::try_from(day).unwrap_or(0) + 1) * DAY - 1
}
