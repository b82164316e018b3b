//! Two years of till files: their content, their imports, and errors in some.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use larder_domain::sales::day::LineChange;
use larder_domain::{BusinessDay, Money};
use larder_ledgers::sales::{DayKey, Prepared, correct_lines, replace_store_days, revert_batch};
use larder_platform::http::ApiError;

use super::batches::{self, Batch, BatchState};
use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::Ids;
use super::people::BOOKKEEPER;
use super::receipts::{SENIORS, receipts, twentieths};
use super::rng::{Rng, key};
use super::till::{Entry, RECEIPTS, Slip, TOTALS, TillFile};

/// Probability that a store-day is missing.
const FORGOTTEN: f64 = 1.0 / 170.0;
/// The till that was borrowed for two days.
pub const BORROWED: &str = "77";
/// A store whose last day is not imported yet; one whose till sells unlisted items; one with a quantity typed with a
/// zero too many. Store indexes.
const WAITING: usize = 2;
const UNLISTED: usize = 4;
const MISTYPED: usize = 3;
const MISTYPED_ITEM: &str = "Extra Rice";

/// Dishes on trial that were not listed on that day.
const UNLISTED_ITEMS: &[(&str, &str, i64, f64)] = &[
    ("TRY-01", "Sisig Burrito (trial)", 14_900, 21.0),
    ("TRY-02", "Ube Champorado (trial)", 9_200, 14.0),
    ("TRY-03", "Calamansi Slush (trial)", 7_800, 17.0),
];

/// Imports everything.
pub async fn post(
    demo: &mut DemoActor<'_>,
    world: &World,
    ids: &Ids,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Result<(), ApiError> {
    let mut book = Book::new(world, ids);
    let mut weeks: Vec<BusinessDay> = world.days().map(BusinessDay::week).collect();
    weeks.dedup();
    for (nth, week) in weeks.iter().enumerate() {
        tell(nth, weeks.len());
        let days: Vec<BusinessDay> =
            (0..7).map(|n| week.plus(n)).filter(|day| (world.first..=world.last).contains(day)).collect();
        let label = week.iso_week_label();
        let totals = book.totals(format!("Sales {label}.csv"), &days, false);
        match weeks.len() - nth {
            3 => {
                // Exported before the evening's sales; replaced by the complete file.
                let early = book.totals(format!("Sales {label} draft.csv"), &days, true);
                book.post(demo, early, &days, 0, BatchState::Superseded).await?;
            }
            4 => {
                let wrong = book.totals(format!("Copy of Sales {label}.csv"), &days, false);
                book.post(demo, wrong, &days, 0, BatchState::Reverted).await?;
            }
            _ => {}
        }
        book.post(demo, totals, &days, 25, BatchState::Posted).await?;
        for store in 0..world.extent.receipt_stores {
            let file =
                book.receipts(format!("{} receipts {label}.csv", world.places[store].code), store, &days);
            book.post(demo, file, &days, 32 + 4 * i64::try_from(store).unwrap_or(0), BatchState::Posted)
                .await?;
        }
    }
    book.correct(demo).await?;
    let place = &world.places[WAITING % world.extent.stores];
    let mut waiting = TillFile::new(format!("{} {}.csv", place.code, world.last), TOTALS);
    book.add_totals(&mut waiting, WAITING % world.extent.stores, world.last, false);
    book.post(demo, waiting, &[world.last], 50, BatchState::Uploaded).await
}

struct Book<'a> {
    world: &'a World,
    stores: HashMap<String, Arc<str>>,
    dishes: HashMap<String, Arc<str>>,
    ids: &'a Ids,
    branches: Vec<String>,
    /// The next receipt number of each till.
    numbers: HashMap<(usize, usize), u32>,
    mistyped: Option<BusinessDay>,
    /// Posted store-days.
    posted: HashSet<(Arc<str>, i32)>,
}

impl<'a> Book<'a> {
    fn new(world: &'a World, ids: &'a Ids) -> Self {
        let branches: Vec<String> =
            world.places.iter().map(|p| format!("HK {}", p.name).to_uppercase()).collect();
        let codes = world.places.iter().map(|place| place.code.to_owned());
        let named = branches.iter().cloned().zip(&ids.stores).chain(codes.zip(&ids.stores));
        let low = |text: &str| larder_domain::sales::names::key(text);
        Self {
            world,
            stores: named.map(|(name, id)| (name, id.clone())).collect(),
            dishes: world.dishes.iter().map(|dish| low(&dish.code)).zip(ids.dishes.iter().cloned()).collect(),
            ids,
            branches,
            numbers: HashMap::new(),
            mistyped: Some(world.last.plus(-9)).filter(|day| *day > world.first),
            posted: HashSet::new(),
        }
    }

    /// The totals of all stores without receipts. `early`: of the morning only.
    fn totals(&self, name: String, days: &[BusinessDay], early: bool) -> TillFile {
        let mut file = TillFile::new(name, TOTALS);
        for store in 0..self.world.places.len() {
            for day in days.iter().filter(|day| !self.is_missing(store, **day)) {
                if !self.world.has_receipts(store, *day) {
                    self.add_totals(&mut file, store, *day, early);
                }
            }
        }
        file
    }

    /// Whether the store-day was not imported.
    fn is_missing(&self, store: usize, day: BusinessDay) -> bool {
        let left = self.world.last.0 - day.0;
        let place = &self.world.places[store];
        let key = [key("forgotten"), key(place.code), u64::from(day.0.unsigned_abs())];
        // The first store's files are all there, so that its month can be certified.
        let forgotten = left > 6 && store > 0 && Rng::of(self.world.seed, &key).happens(FORGOTTEN);
        forgotten || (left == 0 && store == WAITING % self.world.extent.stores)
    }

    fn add_totals(&self, file: &mut TillFile, store: usize, day: BusinessDay, early: bool) {
        let world = self.world;
        let Some(expected) = world.expected(store, day) else { return };
        let code = world.places[store].code;
        let mut rng = Rng::of(world.seed, &[key("totals"), key(code), u64::from(day.0.unsigned_abs())]);
        let mut entry = Entry {
            day,
            store: &self.branches[store],
            item: ("", ""),
            qty: 0,
            price: Money::ZERO,
            discount: Money::ZERO,
            kind: "SALE",
            receipt: None,
        };
        let mut best = (0, 0);
        for (at, mean) in expected.iter().enumerate() {
            let sold = rng.times(*mean);
            let reduced = rng.times(mean * SENIORS / 3.0).min(sold);
            let qty = if early { sold / 2 } else { sold };
            if qty == 0 {
                continue;
            }
            let dish = &world.dishes[at];
            let price = world.price(at, day);
            let typed =
                if self.is_mistyped(store, day) && dish.name == MISTYPED_ITEM { qty * 10 } else { qty };
            let discount = Money(twentieths(price, 4).0 * reduced.min(qty));
            entry = Entry { item: (&dish.code, &dish.name), qty: typed, price, discount, ..entry };
            file.add(&entry);
            best = best.max((qty, at));
        }
        for (kind, qty, often) in [("VOID", 1, 0.3), ("RETURN", -1, 0.12)] {
            if rng.happens(often) {
                let dish = &world.dishes[best.1];
                let price = world.price(best.1, day);
                file.add(&Entry {
                    item: (&dish.code, &dish.name),
                    qty,
                    price,
                    discount: Money::ZERO,
                    kind,
                    ..entry
                });
            }
        }
        if store == UNLISTED % world.extent.stores && day == world.last.plus(-2) {
            for (code, name, price, mean) in UNLISTED_ITEMS {
                let qty = rng.times(*mean).max(1);
                let discount = Money::ZERO;
                file.add(&Entry {
                    item: (code, name),
                    qty,
                    price: Money(*price),
                    discount,
                    kind: "SALE",
                    ..entry
                });
            }
        }
    }

    fn is_mistyped(&self, store: usize, day: BusinessDay) -> bool {
        store == MISTYPED % self.world.extent.stores && self.mistyped == Some(day)
    }

    /// The receipts of one store.
    fn receipts(&mut self, name: String, store: usize, days: &[BusinessDay]) -> TillFile {
        let mut file = TillFile::new(name, RECEIPTS);
        let world = self.world;
        let place = &world.places[store];
        for day in days.iter().filter(|day| world.has_receipts(store, **day)) {
            if self.is_missing(store, *day) {
                continue;
            }
            for receipt in receipts(world, store, *day) {
                let start = 100_000 + u32::try_from(key(place.code) % 400_000).unwrap_or(0);
                let number = self.numbers.entry((store, receipt.terminal)).or_insert(start);
                *number += 1;
                // For two days a borrowed, unlisted till was used.
                let borrowed =
                    store == 1 && receipt.terminal == 1 && (11..13).contains(&(world.last.0 - day.0));
                let terminal =
                    if borrowed { BORROWED.to_owned() } else { format!("{:02}", receipt.terminal + 1) };
                let slip = Slip {
                    seconds: receipt.seconds,
                    terminal: &terminal,
                    number: *number,
                    service: receipt.service,
                    first: true,
                };
                for (nth, line) in receipt.lines.iter().enumerate() {
                    let dish = &world.dishes[line.dish];
                    file.add(&Entry {
                        day: *day,
                        store: place.code,
                        item: (&dish.code, &dish.name),
                        qty: line.qty,
                        price: line.price,
                        discount: line.discount,
                        kind: line.kind,
                        receipt: Some(Slip { first: nth == 0, ..slip }),
                    });
                }
            }
        }
        file
    }

    /// Imports a file on the Monday after its days, some minutes past nine.
    async fn post(
        &mut self,
        demo: &mut DemoActor<'_>,
        file: TillFile,
        days: &[BusinessDay],
        minute: i64,
        state: BatchState,
    ) -> Result<(), ApiError> {
        let Some(last) = days.last().filter(|_| file.rows() > 0) else { return Ok(()) };
        let monday = last.week().plus(7).min(self.world.last.plus(1));
        let at = demo.not_later(moment(monday, 9, minute));
        let store_days =
            file.store_days(|name| self.stores.get(name).cloned(), |code| self.dishes.get(code).cloned());
        let days: Vec<Prepared> = store_days.into_iter().map(Prepared::new).collect();
        let id = demo.id(at);
        let keys: Vec<(Arc<str>, i32)> =
            days.iter().map(|d| (d.day().store_id.clone(), d.day().day)).collect();
        let replaces = keys.iter().filter(|key| self.posted.contains(*key)).count();
        let batch = Batch::new(demo, &id, &file, &days, &self.stores, replaces, (state, at)).await?;
        let posted = demo.actor(BOOKKEEPER, at.plus_seconds(95));
        let (batch, days) = (&batch, &days);
        demo.state
            .db
            .write(&posted, async |tx| {
                batches::insert(tx, batch).await?;
                if state != BatchState::Uploaded {
                    replace_store_days(tx, days, Some(&batch.id)).await?;
                }
                Ok::<_, ApiError>(())
            })
            .await?;
        if matches!(state, BatchState::Posted | BatchState::Superseded) {
            self.posted.extend(keys);
        }
        if state == BatchState::Reverted {
            let reverted = demo.actor(BOOKKEEPER, at.plus_seconds(700));
            let all = i64::try_from(days.len()).unwrap_or(i64::MAX);
            demo.state
                .db
                .write(&reverted, async |tx| revert_batch(tx, &batch.id, all).await.map(drop))
                .await?;
        }
        Ok(())
    }

    /// Corrects the quantity with a zero too many.
    async fn correct(&self, demo: &DemoActor<'_>) -> Result<(), ApiError> {
        let store = MISTYPED % self.world.extent.stores;
        let Some(day) = self
            .mistyped
            .filter(|day| !self.is_missing(store, *day) && !self.world.has_receipts(store, *day))
        else {
            return Ok(());
        };
        let key = DayKey { store_id: self.ids.stores[store].clone(), day, source: Arc::from("file") };
        let Some(rice) = self.world.dishes.iter().position(|dish| dish.name == MISTYPED_ITEM) else {
            return Ok(());
        };
        let found = batches::line_of(&demo.state.db, &key, &self.ids.dishes[rice]).await?;
        let Some((revision, line, qty)) = found else { return Ok(()) };
        let change = LineChange { line_no: line, qty: Some(qty / 10), ..LineChange::default() };
        let actor = demo.actor(BOOKKEEPER, moment(day.week().plus(8), 10, 12));
        let (key, change) = (&key, &change);
        demo.state
            .db
            .write(&actor, async |tx| correct_lines(tx, key, revision, std::slice::from_ref(change)).await)
            .await
    }
}
