//! What happens on the days of a world, drawn from its seed: what people do with goods, and what they tell Larder.

use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::calendar::{DAY, Minute, at, day_of};
use crate::catalogue::Catalogue;
use crate::quantity::{ONE, money, shown};
use crate::truth::{Session, Settlement, Sold};

/// Words of tills for ways of paying, and their kind in reports.
pub const TENDERS: [(&str, &str); 3] = [("Cash", "cash"), ("Visa", "card"), ("GCASH", "eWallet")];

/// The place of cash in [`TENDERS`].
pub const CASH: usize = 0;

/// Something that happens, or that a person enters in Larder.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// A store orders what a truck is to bring, and the kitchen grants it, less a cut.
    Order { truck: usize, store: usize, product: usize, packs: i64, cut: i64 },
    /// The kitchen closes what it did not send of an order.
    CloseShort { truck: usize },
    /// The kitchen makes a lot of mix of flour.
    Mix { batch: usize, packs: i64 },
    /// The kitchen makes a lot of kits of a lot of mix: not always as many as it planned.
    Make { batch: usize, mix: usize, planned: i64, packs: i64 },
    /// The lot of a batch is recalled.
    RecallBatch { batch: usize },
    /// The kitchen loads a truck, and Larder learns that it left. A load that was ordered is at most what was granted; one
    /// of a lot that the kitchen made is at most what is left of it.
    Load { truck: usize, store: usize, product: usize, packs: i64, lot: Option<String> },
    /// A truck or a transfer reaches the shelf, without some of its packs.
    Unload { truck: usize, missing: i64 },
    /// The store receives it in Larder, and says what became of missing packs, and when it came unless it takes the time
    /// of typing for that.
    Receive { truck: usize, settlement: Settlement, timed: bool },
    /// A supplier brings packs to a store, which receives them at once.
    Buy { truck: usize, store: usize, product: usize, packs: i64, lot: Option<String> },
    /// The store settles a difference that was pending.
    Settle { truck: usize, settlement: Settlement },
    /// Packs leave a store's shelf for another store.
    Carry { truck: usize, from: usize, to: usize, product: usize, packs: i64 },
    /// The sending store sends the transfer in Larder.
    Send { truck: usize },
    /// A store's staff counts every item; `wrong` is an item and how many units too many were typed. `offline` means that
    /// it is on a phone without a signal, which holds it; other counts are made on another phone and sent at once.
    Count { store: usize, session: Session, wrong: Option<(usize, i64)>, offline: bool },
    /// The phone without a signal has one again and sends what it holds.
    Sync { store: usize },
    /// A store says of each delivery close to its opening count of a day whether it was counted.
    Answer { store: usize, day: usize },
    /// Another phone had counted what was typed wrong in an opening count, and its number is chosen.
    Choose { store: usize, day: usize },
    /// A receipt; dishes that cannot be made are left out. `hand` says which lot is at hand first.
    Sell { store: usize, till: usize, number: usize, dishes: Vec<Sold>, tender: usize, hand: usize },
    /// A file of the day's receipts is imported: of all tills, or of one.
    Upload { store: usize, day: usize, till: Option<usize> },
    /// Packs are thrown away.
    Throw { waste: usize, store: usize, product: usize, packs: i64 },
    /// It is written down, with as many packs as given here: those thrown away, unless a wrong number is entered.
    WriteDown { waste: usize, packs: i64 },
    /// The lot that a truck brought is recalled.
    Recall { truck: usize },
    /// The tills of a store that sold something print their readings.
    Close { store: usize, day: usize },
    /// They are typed into Larder and verified.
    TypeReadings { store: usize, day: usize },
    /// The day's money is counted and declared; `short` centavos of the cash are not there.
    Declare { store: usize, day: usize, short: i64 },
    /// The declared cash is brought to the bank, and that is entered.
    Deposit { store: usize, day: usize },
    /// A root item costs something else from a day on, in centavos: today or a past one.
    Price { root: usize, from: usize, price: i64 },
    /// The product that was entered twice becomes one.
    Merge,
    /// Something is gone that nobody writes down.
    Vanish { store: usize, root: usize, qty: i64, hand: usize },
}

/// An act and its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub at: Minute,
    pub act: Act,
}

/// A world from its beginning: the group and everything that happens.
#[derive(Debug, Clone)]
pub struct Story {
    pub seed: u64,
    pub days: usize,
    pub catalogue: Catalogue,
    /// In order of time.
    pub steps: Vec<Step>,
}

impl Act {
    /// The store it is of; `None` if it is of several, or of a truck or waste that another act names.
    #[must_use]
    pub fn store(&self) -> Option<usize> {
        match self {
            Self::Load { store, .. }
            | Self::Order { store, .. }
            | Self::Buy { store, .. }
            | Self::Count { store, .. }
            | Self::Sync { store }
            | Self::Answer { store, .. }
            | Self::Choose { store, .. }
            | Self::Sell { store, .. }
            | Self::Upload { store, .. }
            | Self::Throw { store, .. }
            | Self::Close { store, .. }
            | Self::TypeReadings { store, .. }
            | Self::Declare { store, .. }
            | Self::Deposit { store, .. }
            | Self::Vanish { store, .. } => Some(*store),
            Self::Mix { .. }
            | Self::Make { .. }
            | Self::RecallBatch { .. }
            | Self::Unload { .. }
            | Self::Receive { .. }
            | Self::Settle { .. }
            | Self::CloseShort { .. }
            | Self::Recall { .. }
            | Self::Carry { .. }
            | Self::Send { .. }
            | Self::Price { .. }
            | Self::Merge
            | Self::WriteDown { .. } => None,
        }
    }

    /// Whether nobody tells Larder at that time: it only happens.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        matches!(
            self,
            Self::Unload { .. }
                | Self::Carry { .. }
                | Self::Count { offline: true, .. }
                | Self::Sell { .. }
                | Self::Throw { .. }
                | Self::Close { .. }
                | Self::Vanish { .. }
        )
    }
}

impl Story {
    /// The story of a seed.
    #[must_use]
    pub fn of(seed: u64, days: usize) -> Self {
        let mut chance = StdRng::seed_from_u64(seed);
        let (stores, roots) = (chance.random_range(1..4), chance.random_range(1..4));
        let catalogue = Catalogue::of(stores, roots, &mut chance);
        let mut draft = Draft {
            chance,
            catalogue,
            steps: Vec::new(),
            trucks: 0,
            wastes: 0,
            numbers: Vec::new(),
            lots: Vec::new(),
            batches: 0,
            mixes: Vec::new(),
            kits: Vec::new(),
            uploads_from: vec![0; stores],
        };
        draft.numbers = draft.catalogue.stores.iter().map(|store| vec![0; store.tills.len()]).collect();
        for day in 0..days {
            draft.kitchen(day);
            for store in 0..stores {
                draft.day(day, store);
            }
            draft.recall(day);
        }
        if draft.happens(50) {
            let day = draft.below(days);
            draft.put(at(day, 9, 40), Act::Merge);
        }
        let Draft { catalogue, mut steps, .. } = draft;
        steps.extend(prices(seed, days, catalogue.roots.len()));
        sort(&mut steps);
        Self { seed, days, catalogue, steps }
    }

    /// Puts the steps in order of time again.
    pub fn sort(&mut self) {
        sort(&mut self.steps);
    }
}

/// Changes of prices, at most one from each day on. They have draws of their own: another price changes nothing that
/// happens.
fn prices(seed: u64, days: usize, roots: usize) -> Vec<Step> {
    let mut chance = StdRng::seed_from_u64(seed.wrapping_add(1));
    let mut steps = Vec::new();
    let mut taken = BTreeSet::new();
    for day in 0..days {
        if !chance.random_ratio(30, 100) {
            continue;
        }
        let root = chance.random_range(0..roots);
        let from = match chance.random_range(0..10) {
            0..4 => day.saturating_sub(chance.random_range(1..5)),
            _ => day,
        };
        let price = chance.random_range(500..20_000);
        if taken.insert((root, from)) {
            steps.push(Step { at: at(day, 11, 10), act: Act::Price { root, from, price } });
        }
    }
    steps
}

fn sort(steps: &mut [Step]) {
    steps.sort_by_key(|step| step.at);
}

struct Draft {
    chance: StdRng,
    catalogue: Catalogue,
    steps: Vec<Step>,
    trucks: usize,
    wastes: usize,
    /// Receipt numbers by store and till.
    numbers: Vec<Vec<usize>>,
    /// The day before which no sales of a store are uploaded.
    uploads_from: Vec<usize>,
    /// Trucks with a lot, and the day they left.
    lots: Vec<(usize, usize)>,
    batches: usize,
    /// Batches of mix and of kits, and the day they were made.
    mixes: Vec<(usize, usize)>,
    kits: Vec<(usize, usize)>,
}

/// The code of a lot that the kitchen made.
#[must_use]
pub fn lot_of(batch: usize) -> String {
    format!("B{batch:03}")
}

impl Draft {
    fn put(&mut self, at: Minute, act: Act) {
        self.steps.push(Step { at, act });
    }

    fn happens(&mut self, percent: u32) -> bool {
        self.chance.random_ratio(percent, 100)
    }

    fn below(&mut self, most: usize) -> usize {
        self.chance.random_range(0..most.max(1))
    }

    fn pick_product(&mut self) -> usize {
        let products = self.catalogue.products.len();
        self.below(products)
    }

    fn day(&mut self, day: usize, store: usize) {
        self.deliveries(day, store);
        if self.catalogue.stores[store].is_closed(day) {
            return;
        }
        if self.happens(12) {
            self.supplier(day, store);
        }
        self.counts(day, store);
        self.sales(day, store);
        self.losses(day, store);
        if self.catalogue.stores.len() > 1 && self.happens(20) {
            self.transfer(day, store);
        }
    }

    fn deliveries(&mut self, day: usize, store: usize) {
        for root in 0..self.catalogue.roots.len() {
            if !self.happens(45) {
                continue;
            }
            let truck = self.trucks;
            self.trucks += 1;
            let product = 2 * root + self.below(2);
            let (stays, twin) = self.catalogue.twins();
            let product = if product == stays && self.happens(40) { twin } else { product };
            let packs = self.chance.random_range(1..7);
            let lot = self.happens(80).then(|| format!("L{day:02}-{truck}"));
            if day > 0 && self.happens(70) {
                let (cut, short) = (i64::from(self.happens(20)), i64::from(self.happens(15)));
                let ordered = packs + cut + short;
                self.put(at(day - 1, 17, 0), Act::Order { truck, store, product, packs: ordered, cut });
                self.put(at(day, 18, 0), Act::CloseShort { truck });
            }
            let has_lot = lot.is_some();
            if has_lot {
                self.lots.push((truck, day));
            }
            self.put(at(day, 4, 0), Act::Load { truck, store, product, packs, lot });
            self.arrival(day, truck, has_lot);
        }
    }

    /// A truck that left the kitchen comes, and is received.
    fn arrival(&mut self, day: usize, truck: usize, has_lot: bool) {
        // At dawn, before an opening count, or at noon.
        let arrives = if self.happens(60) { at(day, 5, 20) } else { at(day, 12, 0) };
        let missing = i64::from(self.happens(12));
        self.put(arrives, Act::Unload { truck, missing });
        let told = if self.happens(80) { arrives + 15 } else { at(day, 13, 30) };
        // Typed in after an opening count that included it, as if it came only then.
        let timed = !self.happens(25);
        let told = if timed || arrives > at(day, 7, 0) { told } else { at(day, 7, 10) };
        // What is found at the kitchen goes back among what has no lot there.
        let found = if has_lot { Settlement::WriteOff } else { Settlement::Return };
        let settlement =
            [Settlement::Pending, Settlement::Credit, Settlement::WriteOff, found][self.below(4)];
        self.put(told, Act::Receive { truck, settlement, timed });
        if missing > 0 && settlement == Settlement::Pending {
            self.put(at(day + 1, 11, 0), Act::Settle { truck, settlement: Settlement::WriteOff });
        }
    }

    /// The kitchen makes mix, and kits of it, and sends kits to stores.
    fn kitchen(&mut self, day: usize) {
        let recent =
            |made: &[(usize, usize)]| made.last().filter(|(_, of)| of + 4 > day).map(|(batch, _)| *batch);
        if self.happens(35) {
            let packs = self.chance.random_range(6..16);
            self.mixes.push((self.batches, day));
            self.put(at(day, 2, 30), Act::Mix { batch: self.batches, packs });
            self.batches += 1;
        }
        if let Some(mix) = recent(&self.mixes)
            && self.happens(50)
        {
            let planned = self.chance.random_range(3..9);
            let packs = planned - i64::from(self.happens(20));
            self.kits.push((self.batches, day));
            self.put(at(day, 3, 10), Act::Make { batch: self.batches, mix, planned, packs });
            self.batches += 1;
        }
        if let Some(kit) = recent(&self.kits) {
            for store in 0..self.catalogue.stores.len() {
                if !self.happens(22) {
                    continue;
                }
                let (truck, product) = (self.trucks, self.catalogue.kit());
                self.trucks += 1;
                let packs = self.chance.random_range(1..6);
                self.lots.push((truck, day));
                let lot = Some(lot_of(kit));
                self.put(at(day, 4, 10), Act::Load { truck, store, product, packs, lot });
                self.arrival(day, truck, true);
            }
        }
        if let Some(batch) = recent(&self.mixes)
            && self.happens(6)
        {
            self.put(at(day, 10, 20), Act::RecallBatch { batch });
        }
    }

    fn supplier(&mut self, day: usize, store: usize) {
        let truck = self.trucks;
        self.trucks += 1;
        // Kits are the kitchen's.
        let product =
            Some(self.pick_product()).filter(|product| *product != self.catalogue.kit()).unwrap_or(0);
        let packs = self.chance.random_range(1..4);
        let lot = self.happens(70).then(|| format!("S{day:02}-{truck}"));
        if lot.is_some() {
            self.lots.push((truck, day));
        }
        self.put(at(day, 9, 20), Act::Buy { truck, store, product, packs, lot });
    }

    /// Recalls a lot that came in the last days.
    fn recall(&mut self, day: usize) {
        let recent: Vec<usize> =
            self.lots.iter().filter(|(_, of)| *of < day && of + 4 > day).map(|(truck, _)| *truck).collect();
        if !recent.is_empty() && self.happens(7) {
            let truck = recent[self.below(recent.len())];
            self.put(at(day, 10, 10), Act::Recall { truck });
        }
    }

    fn counts(&mut self, day: usize, store: usize) {
        // The first count gives Larder the stock the store begins with.
        if day == 0 || self.happens(35) {
            // A late opening count falls among the first sales.
            let late = day > 0 && self.happens(15);
            let time = if late { at(day, 10, 40) } else { at(day, 6, 30) };
            let wrong = self.count(time, store, Session::Opening, day > 0);
            if wrong && self.happens(50) {
                self.put(at(day, 13, 50), Act::Choose { store, day });
            }
            match self.below(10) {
                0 => {}
                1 | 2 => self.put(at(day + 1, 9, 5), Act::Answer { store, day }),
                _ => self.put(at(day, 14, 10), Act::Answer { store, day }),
            }
        }
        if self.happens(55) {
            let early = self.happens(15);
            let time = if early { at(day, 20, 30) } else { at(day, 22, 30) };
            self.count(time, store, Session::Closing, true);
            if self.happens(12) {
                // They count once more.
                self.count(at(day, 23, 0), store, Session::Closing, false);
            }
        }
    }

    fn count(&mut self, time: Minute, store: usize, session: Session, may_err: bool) -> bool {
        let items = self.catalogue.items.len();
        let wrong = (may_err && self.happens(12)).then(|| (self.below(items), [-1, 1, 2][self.below(3)]));
        let offline = may_err && self.happens(20);
        self.put(time, Act::Count { store, session, wrong, offline });
        if offline {
            let sent = match self.below(4) {
                0 => time + 50,
                1 => time + 4 * 60 + 10,
                // The next morning, before or after the other phone has counted.
                2 => at(day_of(time) + 1, 5, 50),
                _ => at(day_of(time) + 1, 8, 40),
            };
            self.put(sent, Act::Sync { store });
        }
        wrong.is_some()
    }

    fn sales(&mut self, day: usize, store: usize) {
        if self.happens(6) {
            self.uploads_from[store] = day + 3;
        }
        let tills = self.catalogue.stores[store].tills.len();
        for _ in 0..self.chance.random_range(4..10) {
            let till = self.below(tills);
            let minute = self.chance.random_range(8 * 60..21 * 60 + 50);
            self.numbers[store][till] += 1;
            let number = self.numbers[store][till];
            let mut dishes: Vec<Sold> = Vec::new();
            for _ in 0..self.chance.random_range(1..4) {
                let dish = self.below(self.catalogue.dishes.len());
                let pieces = self.chance.random_range(1..4);
                match dishes.iter_mut().find(|sold| sold.dish == dish) {
                    Some(sold) => sold.pieces += pieces,
                    None => dishes.push(Sold { dish, pieces }),
                }
            }
            let (tender, hand) = (self.below(TENDERS.len()), self.below(5));
            // Never at the minute of a delivery or a count.
            let time = at(day, 0, minute) + i64::from(minute % 10 == 0);
            self.put(time, Act::Sell { store, till, number, dishes, tender, hand });
        }
        let comes = match self.below(10) {
            // Nobody uploads for some days.
            _ if day < self.uploads_from[store] => at(self.uploads_from[store], 10, 15),
            0 => at(day + 1, 10, 15),
            1 => at(day + 2, 10, 15),
            _ => at(day, 23, 10),
        };
        self.put(comes, Act::Upload { store, day, till: None });
        self.money(day, store);
    }

    fn money(&mut self, day: usize, store: usize) {
        self.put(at(day, 22, 10), Act::Close { store, day });
        let short = if self.happens(10) { 2_000 } else { 0 };
        self.put(at(day, 22, 50), Act::Declare { store, day, short });
        let typed = if self.happens(90) { at(day, 23, 20) } else { at(day + 1, 9, 30) };
        self.put(typed, Act::TypeReadings { store, day });
        let later = usize::from(self.happens(20));
        self.put(at(day + 1 + later, 15, 20), Act::Deposit { store, day });
    }

    fn losses(&mut self, day: usize, store: usize) {
        if self.happens(25) {
            let waste = self.wastes;
            self.wastes += 1;
            let product = self.pick_product();
            let packs = self.chance.random_range(1..3);
            self.put(at(day, 14, 0), Act::Throw { waste, store, product, packs });
            let told = if self.happens(85) { at(day, 14, 20) } else { at(day + 1, 9, 10) };
            self.put(told, Act::WriteDown { waste, packs });
        }
        if self.happens(15) {
            let root = self.below(self.catalogue.roots.len());
            let (qty, hand) = (self.chance.random_range(1..9) * ONE / 4, self.below(5));
            self.put(at(day, 15, 0), Act::Vanish { store, root, qty, hand });
        }
    }

    fn transfer(&mut self, day: usize, from: usize) {
        let stores = self.catalogue.stores.len();
        let to = (from + 1 + self.below(stores - 1)) % stores;
        let (truck, product) = (self.trucks, self.pick_product());
        self.trucks += 1;
        let packs = self.chance.random_range(1..3);
        self.put(at(day, 15, 30), Act::Carry { truck, from, to, product, packs });
        self.put(at(day, 15, 40), Act::Send { truck });
        let next_day = self.happens(15);
        let arrives = if next_day { at(day + 1, 8, 30) } else { at(day, 16, 30) };
        self.put(arrives, Act::Unload { truck, missing: 0 });
        self.put(arrives + 20, Act::Receive { truck, settlement: Settlement::Pending, timed: true });
    }
}

impl Story {
    /// A step as a plain sentence.
    #[must_use]
    pub fn sentence(&self, step: &Step) -> String {
        let names = &self.catalogue;
        let store = |at: &usize| names.stores[*at].name;
        let goods = |product: &usize, packs: &i64| {
            let product = &names.products[*product];
            let unit = names.roots[product.root].unit;
            format!("{packs} × {} ({} {unit} each)", product.name, shown(product.per_pack))
        };
        let what = match &step.act {
            Act::Mix { batch, packs } => {
                format!("The kitchen makes {packs} packs of mix of flour, lot {}.", lot_of(*batch))
            }
            Act::Make { batch, mix, planned, packs } => {
                let (lot, mix) = (lot_of(*batch), lot_of(*mix));
                format!("The kitchen plans {planned} kits of mix {mix} and makes {packs}, lot {lot}.")
            }
            Act::RecallBatch { batch } => format!("Lot {} is recalled.", lot_of(*batch)),
            Act::Load { truck, store: to, product, packs, lot } => {
                let lot = lot.as_ref().map_or_else(|| "no lot".to_owned(), |lot| format!("lot {lot}"));
                format!(
                    "The kitchen sends {} to {} on truck {truck}, {lot}.",
                    goods(product, packs),
                    store(to)
                )
            }
            Act::Buy { truck, store: of, product, packs, lot } => {
                let lot = lot.as_ref().map_or_else(|| "no lot".to_owned(), |lot| format!("lot {lot}"));
                format!(
                    "A supplier brings {} to {} (truck {truck}), {lot}.",
                    goods(product, packs),
                    store(of)
                )
            }
            Act::Order { truck, store: of, product, packs, cut } => {
                let (of, goods) = (store(of), goods(product, packs));
                format!("{of} orders {goods} for truck {truck}; the kitchen grants {}.", packs - cut)
            }
            Act::CloseShort { truck } => {
                format!("What was not sent of truck {truck}’s order is closed short.")
            }
            Act::Unload { truck, missing: 0 } => format!("Truck {truck} is unloaded."),
            Act::Unload { truck, missing } => {
                format!("Truck {truck} is unloaded; {missing} packs are missing.")
            }
            Act::Receive { truck, settlement, timed } => {
                let time = if *timed { "" } else { " as if it came now" };
                format!("Truck {truck} is received in Larder{time}; what is missing: {}.", settlement.name())
            }
            Act::Answer { store: of, day } => {
                let of = store(of);
                format!("{of} answers which deliveries its opening count of day {} included.", day + 1)
            }
            Act::Choose { store: of, day } => {
                let of = store(of);
                format!(
                    "Another phone of {of} had the right number at the opening of day {}: it is chosen.",
                    day + 1
                )
            }
            Act::Settle { truck, settlement } => {
                format!("What was missing on truck {truck} is settled: {}.", settlement.name())
            }
            Act::Carry { truck, from, to, product, packs } => {
                let (from, to) = (store(from), store(to));
                format!("{from} carries {} to {to} (truck {truck}).", goods(product, packs))
            }
            Act::Send { truck } => format!("Truck {truck} is sent in Larder."),
            Act::Count { store: of, session, wrong, offline } => {
                let mut text = format!("{} takes its {} count", store(of), session.name());
                if let Some((item, units)) = wrong {
                    text.push_str(&format!(", with {units:+} of {}", names.items[*item].name));
                }
                text.push_str(if *offline { ", without a signal." } else { "." });
                text
            }
            Act::Sync { store: of } => format!("{}’s phone has a signal and sends its counts.", store(of)),
            Act::Sell { store: of, till, number, dishes, tender, .. } => {
                let dish = |sold: &Sold| format!("{} × {}", sold.pieces, names.dishes[sold.dish].name);
                let dishes: Vec<String> = dishes.iter().map(dish).collect();
                let till = &names.stores[*of].tills[*till];
                let (of, paid) = (store(of), TENDERS[*tender].0);
                format!("{of} sells {} on {till}, receipt {number}, {paid}.", dishes.join(", "))
            }
            Act::Upload { store: of, day, till } => {
                let till = till.map_or_else(String::new, |till| format!(", till {}", till + 1));
                format!("{}’s sales of day {}{till} are imported.", store(of), day + 1)
            }
            Act::Throw { store: of, product, packs, .. } => {
                format!("{} throws away {}.", store(of), goods(product, packs))
            }
            Act::WriteDown { waste, packs } => format!("Waste {waste} is written down: {packs} packs."),
            Act::Close { store: of, day } => format!("{} closes its tills of day {}.", store(of), day + 1),
            Act::TypeReadings { store: of, day } => {
                format!("{}’s readings of day {} are typed and verified.", store(of), day + 1)
            }
            Act::Declare { store: of, day, short } => {
                let short = if *short > 0 { format!(", ₱{} short", money(*short)) } else { String::new() };
                format!("{} declares its money of day {}{short}.", store(of), day + 1)
            }
            Act::Deposit { store: of, day } => {
                format!("{} deposits its cash of day {}.", store(of), day + 1)
            }
            Act::Price { root, from, price } => {
                let root = &names.roots[*root];
                let price = money(*price);
                format!("{} costs ₱{price} a {} from day {} on.", root.name, root.unit, from + 1)
            }
            Act::Merge => {
                let (stays, twin) = names.twins();
                format!("{} is merged into {}.", names.products[twin].name, names.products[stays].name)
            }
            Act::Recall { truck } => format!("The lot of truck {truck} is recalled."),
            Act::Vanish { store: of, root, qty, .. } => {
                let root = &names.roots[*root];
                format!("{} {} of {} vanish at {}.", shown(*qty), root.unit, root.name, store(of))
            }
        };
        format!("{}  {what}", crate::calendar::shown(step.at))
    }
}

/// The time at which the pages are read on a day: after everything else.
#[must_use]
pub fn reading_time(day: usize) -> Minute {
    i64::try_from(day).unwrap_or(0) * DAY + 23 * 60 + 50
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_tells_the_same_story_each_time() {
        let (one, two) = (Story::of(7, 5), Story::of(7, 5));
        assert_eq!(one.steps, two.steps);
        assert!(one.steps.is_sorted_by_key(|step| step.at));
        assert_ne!(one.steps, Story::of(8, 5).steps);
        assert!(one.steps.iter().all(|step| one.sentence(step).starts_with("Day ")));
    }
}
