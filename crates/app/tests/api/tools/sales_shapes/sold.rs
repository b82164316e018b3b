//! Random sales of one or two stores, and what they come to.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

/// Code, name, price of one in centavos, and whether it is sold by weight. Each weight times its price is whole
/// centavos.
const ITEMS: [(&str, &str, i64, bool); 9] = [
    ("A100", "Tapsilog", 12_000, false),
    ("A101", "Half Chicken", 26_500, false),
    ("A102", "Garlic Rice", 3_500, false),
    ("B200", "Piña Shake", 11_000, false),
    ("B201", "Iced Latte", 14_550, false),
    ("B202", "Soda, large", 6_500, false),
    ("C300", "Pork Belly", 32_000, true),
    ("C301", "Lechon", 64_000, true),
    ("D400", "Leche Flan", 9_575, false),
];

/// In thousandths.
const WEIGHTS: [i64; 6] = [250, 500, 750, 1_250, 1_500, 2_750];

pub const TENDERS: [&str; 3] = ["Cash", "GCash", "Card"];

/// The first of the days in November 2026: after the twelfth, so that days and months cannot be mistaken for each
/// other, and before the tests' clock.
pub const FIRST_DAY: u32 = 13;

/// The code of what belongs to the first line of its receipt.
pub const PART: &str = "Z900";

/// A line of a receipt.
#[derive(Debug, Clone)]
pub struct Line {
    pub code: &'static str,
    pub name: &'static str,
    /// In thousandths.
    pub qty: i64,
    /// Of one, in centavos.
    pub price: i64,
    /// In centavos.
    pub discount: i64,
    /// Whether it is an item sold; else a discount or rounding of its receipt.
    pub sold: bool,
}

impl Line {
    pub fn gross(&self) -> i64 {
        self.qty * self.price / 1_000
    }

    pub fn net(&self) -> i64 {
        self.gross() - self.discount
    }
}

/// What became of a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Sold,
    /// A receipt of its own that gives back what was sold before.
    Refund,
    Voided,
    Cancelled,
    /// Its status is a word that nobody knows.
    Unsure,
}

#[derive(Debug, Clone)]
pub struct Receipt {
    /// The place of its store in [`Sales::stores`].
    pub store: usize,
    /// 0 or 1.
    pub till: usize,
    pub number: u32,
    /// The business day, of November 2026.
    pub day: u32,
    /// Since midnight of the business day: 1,480 is 00:40 of the next calendar day.
    pub minute: u32,
    pub lines: Vec<Line>,
    /// The tenders and their amounts in centavos.
    pub paid: Vec<(&'static str, i64)>,
    pub state: State,
}

impl Receipt {
    pub fn total(&self) -> i64 {
        self.lines.iter().map(Line::net).sum()
    }
}

/// All receipts of a file.
#[derive(Debug, Clone)]
pub struct Sales {
    pub stores: Vec<String>,
    pub receipts: Vec<Receipt>,
    /// Whether receipts with an unknown status were sold.
    pub unsure_counts: bool,
}

/// What a store sold on a day.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Day {
    /// In thousandths.
    pub qty: i64,
    /// In centavos.
    pub net: i64,
    /// Quantity and net of each item, by name.
    pub items: BTreeMap<&'static str, (i64, i64)>,
    /// Amounts by tender; those of zero are left out.
    pub tenders: BTreeMap<&'static str, i64>,
    /// Whether lines take something off the receipt, so that the net of single items is not known.
    pub spread: bool,
}

impl Sales {
    /// Three or four receipts a day and store, on two days. `discounts`: some lines have one.
    pub fn random(seed: u64, stores: Vec<String>, discounts: bool) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let mut receipts = Vec::new();
        for store in 0..stores.len() {
            for day in [FIRST_DAY + 1, FIRST_DAY + 2 + random.random_range(0..4)] {
                let mut minute = 10 * 60 + random.random_range(0..40);
                for _ in 0..random.random_range(3..=4) {
                    let lines = lines(&mut random, discounts);
                    let tender = *TENDERS.choose(&mut random).expect("tenders");
                    let mut receipt = Receipt {
                        store,
                        till: 0,
                        number: 0,
                        day,
                        minute,
                        lines,
                        paid: Vec::new(),
                        state: State::Sold,
                    };
                    let total = receipt.total();
                    receipt.paid.push((tender, total));
                    receipts.push(receipt);
                    minute += random.random_range(20..120);
                }
            }
        }
        Self { stores, receipts, unsure_counts: random.random_bool(0.5) }
    }

    /// Numbers the receipts of each till in the order of time, and sorts them as a till's memory is printed.
    pub fn number(&mut self) {
        self.receipts.sort_by_key(|receipt| (receipt.store, receipt.day, receipt.minute));
        let mut next: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for receipt in &mut self.receipts {
            let number = next.entry((receipt.store, receipt.till)).or_insert_with(|| {
                // Tills of one store begin anew, so that numbers occur twice.
                1_000 * (u32::try_from(receipt.store).expect("few") + 1)
            });
            *number += 1;
            receipt.number = *number;
        }
    }

    /// Whether a receipt counts as sold.
    pub fn counts(&self, receipt: &Receipt) -> bool {
        match receipt.state {
            State::Sold | State::Refund => true,
            State::Voided | State::Cancelled => false,
            State::Unsure => self.unsure_counts,
        }
    }

    /// What was sold, by store and day.
    pub fn days(&self) -> BTreeMap<(usize, u32), Day> {
        let mut days: BTreeMap<(usize, u32), Day> = BTreeMap::new();
        for receipt in self.receipts.iter().filter(|receipt| self.counts(receipt)) {
            let day = days.entry((receipt.store, receipt.day)).or_default();
            for line in &receipt.lines {
                day.net += line.net();
                day.spread |= !line.sold;
                if line.sold {
                    day.qty += line.qty;
                    let item = day.items.entry(line.name).or_default();
                    *item = (item.0 + line.qty, item.1 + line.net());
                }
            }
            for (tender, amount) in &receipt.paid {
                *day.tenders.entry(*tender).or_default() += amount;
            }
        }
        for day in days.values_mut() {
            day.tenders.retain(|_, amount| *amount != 0);
        }
        days
    }

    /// Quantity in thousandths and net in centavos of everything sold.
    pub fn sums(&self) -> (i64, i64) {
        self.days().values().fold((0, 0), |(qty, net), day| (qty + day.qty, net + day.net))
    }
}

/// One to three lines of different items.
fn lines(random: &mut StdRng, discounts: bool) -> Vec<Line> {
    let count = random.random_range(1..=3);
    let items: Vec<_> = ITEMS.sample(random, count).copied().collect();
    items
        .into_iter()
        .map(|(code, name, price, weighed)| {
            let qty = match weighed {
                true => *WEIGHTS.choose(random).expect("weights"),
                false => random.random_range(1..=6) * 1_000,
            };
            let mut line = Line { code, name, qty, price, discount: 0, sold: true };
            if discounts && random.random_bool(0.2) {
                line.discount = line.gross() / 10;
            }
            line
        })
        .collect()
}
