//! Plays stories on a server: lets things happen, has the staff tell Larder, and reads the pages every evening.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

use crate::calendar::{Calendar, Minute, day_of, shown};
use crate::catalogue::kitchen;
use crate::client::{Client, Done};
use crate::days::{Act, CASH, Step, Story, reading_time};
use crate::pages::{self, Figure, Reader, Row};
use crate::quantity::ONE;
use crate::staff::Staff;
use crate::truth::{Count, Load, Order, Receipt, Session, Settlement, Truck, Truth};

/// Minutes from a count within which Larder asks about goods.
const CLOSE: Minute = 180;

/// The server that worlds are played on, and its clock.
pub trait Host {
    /// The server's time, in milliseconds since 1970 UTC.
    fn now(&self) -> i64;

    /// Advances the server's clock to a time unless it is later already, and returns a user who may do everything.
    fn reach(&mut self, at_ms: i64) -> impl Future<Output = Done<Client>>;
}

/// A figure that differs from the truth, or something the staff could not do.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The evening on which it was seen.
    pub day: usize,
    pub row: Row,
    pub text: String,
}

/// What became of a story.
#[derive(Debug, Default)]
pub struct Outcome {
    pub differences: Vec<Difference>,
    /// What the pages said on each evening.
    pub said: BTreeMap<(usize, Row, String), Option<i64>>,
    /// Number of figures compared.
    pub compared: usize,
    /// What happened, in sentences.
    pub journal: Vec<String>,
    /// What customers bought: store, till, number and centavos of each receipt.
    pub receipts: Vec<(usize, usize, usize, i64)>,
}

/// A story under way.
struct Group<'a> {
    story: &'a Story,
    truth: Truth,
    staff: Staff,
    outcome: Outcome,
    /// It has failed, and its remaining steps are left out.
    over: bool,
    /// The server's time.
    now: i64,
    /// The day of the step under way.
    today: usize,
}

/// What is read of stories, and until when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// All pages, every evening, until something differs.
    UntilItDiffers,
    /// All pages, every evening.
    EveryEvening,
    /// The pages of one row, on the evening of one day: quick, for stories that are shortened.
    Once(Row, usize),
}

impl Look {
    fn reads(self, day: usize) -> bool {
        match self {
            Self::UntilItDiffers | Self::EveryEvening => true,
            Self::Once(_, on) => day == on,
        }
    }
}

/// Plays stories side by side, since a clock only goes forward. `tag` makes their names unique on the server.
///
/// # Errors
/// If the server cannot be reached, or refuses to set a group up.
pub async fn play<H: Host>(host: &mut H, stories: &[&Story], tag: &str, look: Look) -> Done<Vec<Outcome>> {
    let calendar = Calendar::after(host.now());
    let mut client = host.reach(calendar.ms(0)).await?;
    let mut groups = Vec::with_capacity(stories.len());
    for (at, story) in stories.iter().enumerate() {
        let staff = Staff::set_up(&client, &story.catalogue, &format!("{tag}{at}"), calendar).await?;
        let truth = Truth::new(story.catalogue.clone());
        groups.push(Group {
            story,
            truth,
            staff,
            outcome: Outcome::default(),
            over: false,
            now: 0,
            today: 0,
        });
    }
    let moments = order(stories, look);
    for (number, (at, group, moment)) in moments.iter().enumerate() {
        let (at, group) = (*at, &mut groups[*group]);
        if group.over {
            continue;
        }
        // A server with a real clock is restarted to advance it.
        if !matches!(moment, Moment::Step(step) if step.act.is_silent()) {
            client = host.reach(calendar.ms(at)).await?;
        }
        group.now = host.now();
        match moment {
            Moment::Step(step) => group.perform(&client, step).await,
            Moment::Evening(day) => {
                group.read(&client, *day, look).await?;
                // After the last group, what all of them did.
                let is_last = moments.get(number + 1).is_none_or(|(next, ..)| *next > at);
                if is_last && !matches!(look, Look::Once(..)) {
                    group.read_home(&client, *day).await?;
                }
            }
        }
        let differs = !group.outcome.differences.is_empty();
        group.over |= differs && look != Look::EveryEvening;
    }
    Ok(groups.into_iter().map(Group::end).collect())
}

enum Moment<'a> {
    Step(&'a Step),
    Evening(usize),
}

/// The steps and evenings of stories in order of time.
fn order<'a>(stories: &[&'a Story], look: Look) -> Vec<(Minute, usize, Moment<'a>)> {
    let mut all = Vec::new();
    for (group, story) in stories.iter().enumerate() {
        let within = story.steps.iter().filter(|step| day_of(step.at) < story.days);
        all.extend(within.map(|step| (step.at, group, Moment::Step(step))));
        let evenings = (0..story.days).filter(|day| look.reads(*day));
        all.extend(evenings.map(|day| (reading_time(day), group, Moment::Evening(day))));
    }
    all.sort_by_key(|(at, group, _)| (*at, *group));
    all
}

impl Group<'_> {
    fn end(mut self) -> Outcome {
        let bought = |receipt: &Receipt| (receipt.store, receipt.till, receipt.number, receipt.net);
        self.outcome.receipts = self.truth.receipts.iter().map(bought).collect();
        self.outcome
    }

    async fn perform(&mut self, client: &Client, step: &Step) {
        self.outcome.journal.push(self.story.sentence(step));
        self.today = day_of(step.at);
        if let Err(failure) = self.act(client, step.at, &step.act).await {
            let text = format!("{} failed: {failure}", self.story.sentence(step));
            self.outcome.differences.push(Difference { day: day_of(step.at), row: Row::Staff, text });
            self.over = true;
        }
    }

    /// Lets a step happen, and has the staff tell Larder.
    async fn act(&mut self, client: &Client, at: Minute, act: &Act) -> Done<()> {
        let details = self.truth.happen(at, act);
        self.add(&details);
        match act {
            Act::Mix { batch, packs } | Act::Make { batch, planned: packs, .. } => {
                self.make(client, *batch, *packs).await
            }
            Act::RecallBatch { batch } => match self.truth.recall_mix(*batch) {
                Some(code) => self.staff.recall(client, &self.staff.ids.mix, &code).await,
                None => Ok(()),
            },
            Act::Load { truck, .. } => self.load(client, *truck).await,
            Act::Buy { truck, .. } => self.buy(client, *truck).await,
            Act::Order { truck, store, product, packs, cut } => {
                let (product, approved) = (self.truth.now(*product), packs - cut);
                let order = Order { store: *store, product, ordered: *packs, approved, ..Order::default() };
                self.order(client, (*truck, *store), (order, at)).await
            }
            Act::CloseShort { truck } => self.close_short(client, *truck).await,
            Act::Receive { truck, settlement, timed } => {
                self.receive(client, *truck, *settlement, (!timed).then_some(at)).await
            }
            Act::Answer { store, day } => self.answer(client, (*store, *day)).await,
            Act::Choose { store, day } => self.choose(client, (*store, *day)).await,
            Act::Settle { truck, settlement } => self.settle(client, *truck, *settlement).await,
            Act::Send { truck } => self.send(client, *truck).await,
            Act::Count { store, session, wrong, offline } => {
                let found = self.truth.find(*store, *wrong);
                let same = |count: &Count| {
                    (count.store, day_of(count.at), count.session) == (*store, day_of(at), *session)
                };
                let again = self.truth.counts.iter().any(same);
                self.staff.type_count((*store, *session), &found, (at, again), *offline);
                let details = self.truth.count((*store, *session), &found, (at, *offline));
                self.add(&details);
                if *offline { Ok(()) } else { self.sync(client, *store, false).await }
            }
            Act::Sync { store } => self.sync(client, *store, true).await,
            Act::Upload { store, day, till } => self.upload(client, (*store, *day), *till).await,
            Act::TypeReadings { store, day } => self.type_readings(client, (*store, *day)).await,
            Act::Declare { store, day, short } => self.declare(client, (*store, *day), *short, at).await,
            Act::Deposit { store, day } => self.deposit(client, (*store, *day), at).await,
            Act::Recall { truck } => match self.truth.recall(*truck) {
                Some((product, code)) => {
                    self.staff.recall(client, &self.staff.ids.products[product], &code).await
                }
                None => Ok(()),
            },
            Act::Price { root, from, price } => {
                self.staff.price(client, (*root, *from), *price, day_of(at)).await?;
                self.truth.prices.push((*root, *from, *price));
                Ok(())
            }
            Act::Merge => {
                let twins = self.truth.catalogue.twins();
                if self.staff.merge(client, twins).await? {
                    self.truth.merge(twins);
                } else {
                    self.add(&["It is still in a document, so it is not.".to_owned()]);
                }
                Ok(())
            }
            Act::WriteDown { waste, packs } => self.write_down(client, *waste, *packs).await,
            Act::Unload { .. }
            | Act::Carry { .. }
            | Act::Sell { .. }
            | Act::Throw { .. }
            | Act::Close { .. }
            | Act::Vanish { .. } => Ok(()),
        }
    }

    async fn make(&mut self, client: &Client, number: usize, planned: i64) -> Done<()> {
        let Some(batch) = self.truth.batches.get(&number) else { return Ok(()) };
        let of = batch.mix.and_then(|mix| self.truth.batches.get(&mix));
        let of = of.map(|mix| (mix.lot.as_str(), planned * kitchen::MIX_IN_KIT));
        let product = match of {
            Some(_) => &self.staff.ids.products[self.truth.catalogue.kit()],
            None => &self.staff.ids.mix,
        };
        self.staff.make(client, (product, batch), planned, of).await
    }

    async fn load(&mut self, client: &Client, number: usize) -> Done<()> {
        let Some(truck) = self.truth.trucks.get_mut(&number) else { return Ok(()) };
        truck.sent = true;
        let truck = truck.clone();
        let product = truck.load.product;
        // A lot that the kitchen made brings its own.
        let is_own = product == self.truth.catalogue.kit();
        let expires = day_of(truck.left.0) + self.truth.catalogue.products[product].shelf_life;
        self.staff.load(client, number, &truck, (!is_own).then_some(expires)).await
    }

    async fn buy(&mut self, client: &Client, number: usize) -> Done<()> {
        let Some(truck) = self.truth.trucks.get_mut(&number) else { return Ok(()) };
        (truck.sent, truck.received, truck.settled) = (true, true, true);
        let truck = truck.clone();
        let (at, shelf_life) = (truck.left.0, self.truth.catalogue.products[truck.load.product].shelf_life);
        self.staff.buy(client, (number, truck.to), &truck.load, (at, day_of(at) + shelf_life)).await?;
        self.tell(truck.unloaded.map(|(_, event)| event));
        Ok(())
    }

    async fn order(
        &mut self,
        client: &Client,
        (number, store): (usize, usize),
        (order, at): (Order, Minute),
    ) -> Done<()> {
        self.staff.order(client, (number, store), &order, day_of(at) + 1).await?;
        self.truth.orders.insert(number, order);
        Ok(())
    }

    async fn close_short(&mut self, client: &Client, number: usize) -> Done<()> {
        let Some(order) = self.truth.orders.get_mut(&number) else { return Ok(()) };
        let left = order.approved - order.sent - order.closed_short;
        if left > 0 {
            order.closed_short += left;
            self.staff.close_short(client, number).await?;
        }
        Ok(())
    }

    async fn send(&mut self, client: &Client, number: usize) -> Done<()> {
        let truck = self.truth.trucks.get_mut(&number).filter(|truck| !truck.sent);
        let Some(truck) = truck else { return Ok(()) };
        truck.sent = true;
        let truck = truck.clone();
        self.staff.send(client, number, &truck).await?;
        self.tell(truck.left.1);
        Ok(())
    }

    /// `told_at` is given if the time of typing stands for the time of arrival.
    async fn receive(
        &mut self,
        client: &Client,
        number: usize,
        settlement: Settlement,
        told_at: Option<Minute>,
    ) -> Done<()> {
        let truck = self.truth.trucks.get(&number).filter(|truck| truck.sent && !truck.received).cloned();
        let Some((truck, (at, event))) = truck.and_then(|truck| Some((truck.clone(), truck.unloaded?)))
        else {
            return Ok(());
        };
        self.staff.receive(client, (number, &truck), (at, told_at), settlement).await?;
        self.tell(Some(event));
        self.truth.events[event].told_at = told_at;
        let settled = settlement != Settlement::Pending || truck.missing == 0;
        self.found(&truck, settlement);
        self.truth.trucks.insert(number, Truck { received: true, settled, ..truck });
        Ok(())
    }

    /// Says of all that is asked about an opening count whether it was counted. Everything received that is within three
    /// hours of it, and nothing else, must be asked.
    async fn answer(&mut self, client: &Client, (store, day): (usize, usize)) -> Done<()> {
        let of_count = |count: &&Count| {
            let of = (count.store, day_of(count.at), count.session);
            count.sent && of == (store, day, Session::Opening)
        };
        let Some(counted) = self.truth.counts.iter().rfind(of_count).map(|count| count.at) else {
            return Ok(());
        };
        let (mut close, mut answers) = (Vec::new(), Vec::new());
        for (number, truck) in self.truth.trucks.iter().filter(|(_, truck)| truck.received) {
            let Some((came, event)) = truck.unloaded else { continue };
            let told_at = self.truth.events[event].told_at.unwrap_or(came);
            if truck.to == store && truck.missing < truck.load.packs && (told_at - counted).abs() <= CLOSE {
                close.push((*number, came <= counted));
                answers.push(((event, day, Session::Opening), came <= counted));
            }
        }
        self.staff.answer(client, (store, day), &close).await?;
        self.truth.answers.extend(answers);
        self.truth.told_today(store, counted, self.today);
        Ok(())
    }

    /// What was typed wrong in an opening count had been counted right on another phone: that is chosen.
    async fn choose(&mut self, client: &Client, (store, day): (usize, usize)) -> Done<()> {
        let is_wrong = |count: &&mut Count| {
            let of = (count.store, day_of(count.at), count.session);
            count.sent && of == (store, day, Session::Opening) && count.counted != count.shelf
        };
        let Some(count) = self.truth.counts.iter_mut().find(is_wrong) else { return Ok(()) };
        count.counted = count.shelf;
        let (root, at, shelf) = (count.root, count.at, count.shelf);
        self.truth.told_today(store, at, self.today);
        let packs = self.truth.catalogue.items[2 * root + 1].per_unit;
        let found = [(2 * root, shelf % packs), (2 * root + 1, shelf / packs * ONE)];
        self.staff.choose(client, (store, day), &found, (at - 2, self.now)).await
    }

    async fn settle(&mut self, client: &Client, number: usize, settlement: Settlement) -> Done<()> {
        let truck = self.truth.trucks.get(&number).filter(|truck| truck.received && !truck.settled).cloned();
        let Some(truck) = truck else { return Ok(()) };
        self.staff.settle(client, number, settlement).await?;
        self.found(&truck, settlement);
        self.truth.trucks.insert(number, Truck { settled: true, ..truck });
        Ok(())
    }

    async fn type_readings(&mut self, client: &Client, (store, day): (usize, usize)) -> Done<()> {
        for reading in
            self.truth.readings.iter_mut().filter(|reading| (reading.store, reading.day) == (store, day))
        {
            if !reading.told {
                reading.told = true;
                self.staff.type_reading(client, &self.truth.catalogue, reading).await?;
            }
        }
        Ok(())
    }

    async fn declare(
        &mut self,
        client: &Client,
        (store, day): (usize, usize),
        short: i64,
        at: Minute,
    ) -> Done<()> {
        let mut declared = [0; 3];
        for receipt in self.truth.receipts_of(store, day) {
            declared[receipt.tender] += receipt.net;
        }
        declared[CASH] -= short.min(declared[CASH]);
        if declared.iter().sum::<i64>() > 0 {
            self.staff.declare(client, (store, day), &declared, at).await?;
            self.truth.money.entry((store, day)).or_default().declared = declared;
        }
        Ok(())
    }

    async fn deposit(&mut self, client: &Client, (store, day): (usize, usize), at: Minute) -> Done<()> {
        let Some(money) = self.truth.money.get_mut(&(store, day)) else { return Ok(()) };
        let amount = money.declared[CASH] - money.deposited;
        if amount > 0 {
            money.deposited += amount;
            self.staff.deposit(client, (store, day), amount, at).await?;
        }
        Ok(())
    }

    /// Missing packs that are found at the kitchen.
    fn found(&mut self, truck: &Truck, settlement: Settlement) {
        if settlement == Settlement::Return && truck.from.is_none() {
            self.truth.kitchen[truck.load.product] += truck.missing;
        }
    }

    /// A phone sends what it holds. Of two phones' counts of a session the later one is valid, whichever is sent first.
    async fn sync(&mut self, client: &Client, store: usize, offline: bool) -> Done<()> {
        let session = |count: &Count| (day_of(count.at), count.session);
        let is_sent = |count: &&Count| count.store == store && count.sent;
        let is_held = |count: &&mut Count| count.store == store && !count.sent && count.offline == offline;
        let sent: Vec<Count> = self.truth.counts.iter().filter(is_sent).copied().collect();
        let (mut counted, mut late) = (Vec::new(), BTreeSet::new());
        for count in self.truth.counts.iter_mut().filter(is_held) {
            count.sent = true;
            counted.push(count.at);
            if sent.iter().any(|other| session(other) == session(count) && other.at > count.at) {
                late.insert(session(count));
            }
        }
        self.staff.sync(client, (store, offline), &late, self.now).await?;
        for at in counted {
            self.truth.told_today(store, at, self.today);
        }
        Ok(())
    }

    async fn upload(
        &mut self,
        client: &Client,
        (store, day): (usize, usize),
        till: Option<usize>,
    ) -> Done<()> {
        let of_file = |receipt: &Receipt| {
            receipt.store == store
                && day_of(receipt.at) == day
                && till.is_none_or(|till| receipt.till == till)
        };
        let receipts: Vec<&Receipt> = self.truth.receipts.iter().filter(|receipt| of_file(receipt)).collect();
        if receipts.is_empty() {
            return Ok(());
        }
        self.staff.import(client, &self.truth.catalogue, (store, day), &receipts).await?;
        let mut events = Vec::new();
        for receipt in self.truth.receipts.iter_mut().filter(|receipt| of_file(receipt)) {
            receipt.told = true;
            events.extend(receipt.events.iter().copied());
        }
        self.tell(events);
        Ok(())
    }

    async fn write_down(&mut self, client: &Client, number: usize, packs: i64) -> Done<()> {
        let Some(waste) = self.truth.waste.get(&number).cloned() else { return Ok(()) };
        let load = Load { product: waste.product, packs, lot: waste.lot };
        self.staff.write_down(client, waste.store, &load, waste.at).await?;
        self.truth.told_today(waste.store, waste.at, self.today);
        // Waste written down twice counts twice.
        self.truth.events[waste.event].told -= packs * self.truth.catalogue.products[waste.product].per_pack;
        Ok(())
    }

    /// Adds details to the last sentence of the journal.
    fn add(&mut self, details: &[String]) {
        if let Some(last) = self.outcome.journal.last_mut() {
            for detail in details {
                last.push(' ');
                last.push_str(detail);
            }
        }
    }

    /// These events were told as they happened.
    fn tell(&mut self, events: impl IntoIterator<Item = usize>) {
        for event in events {
            let event = &mut self.truth.events[event];
            event.told = event.happened;
            let (store, of) = (event.store, event.at);
            self.truth.told_today(store, of, self.today);
        }
    }

    /// Reads Home, which is of all groups.
    async fn read_home(&mut self, client: &Client, day: usize) -> Done<()> {
        for figure in pages::home(client).await? {
            self.outcome.note(day, figure);
        }
        Ok(())
    }

    /// Reads the pages and keeps what differs.
    async fn read(&mut self, client: &Client, day: usize, look: Look) -> Done<()> {
        let reader = Reader { client, truth: &self.truth, staff: &self.staff };
        let rows = match look {
            Look::Once(row, _) => Some(row),
            Look::UntilItDiffers | Look::EveryEvening => None,
        };
        let figures = match reader.read(day, rows).await {
            Ok(figures) => figures,
            Err(failure) => {
                let text = format!("{}: {failure}", shown(reading_time(day)));
                self.outcome.differences.push(Difference { day, row: Row::Staff, text });
                return Ok(());
            }
        };
        for figure in figures {
            self.outcome.note(day, figure);
        }
        Ok(())
    }
}

impl Outcome {
    fn note(&mut self, day: usize, figure: Figure) {
        self.compared += 1;
        if figure.differs() {
            self.differences.push(Difference { day, row: figure.row, text: figure.sentence() });
        }
        self.said.insert((day, figure.row, figure.about), figure.said);
    }
}
