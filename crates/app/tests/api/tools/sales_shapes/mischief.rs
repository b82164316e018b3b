//! What happens at tills, one kind at a time.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::sold::{Line, PART, Receipt, Sales, State, TENDERS};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mischief {
    /// A receipt is paid in two ways, or in two equal parts, and its lines are repeated for each.
    SplitTender,
    /// A receipt is struck off by its status.
    Voided,
    /// An order is cancelled.
    Cancelled,
    /// A status says a word that nobody knows.
    UnknownWord,
    /// Something sold is given back on a receipt of its own.
    Refund,
    /// A store sells after midnight.
    Midnight,
    /// Parts of a combo are lines without a price.
    ComboChildren,
    /// A store has a second till with a numbering of its own.
    SecondTill,
    /// A line takes something off its receipt.
    DiscountLine,
    /// A line rounds its receipt.
    Rounding,
}

impl Mischief {
    pub const ALL: [Self; 10] = [
        Self::SplitTender,
        Self::Voided,
        Self::Cancelled,
        Self::UnknownWord,
        Self::Refund,
        Self::Midnight,
        Self::ComboChildren,
        Self::SecondTill,
        Self::DiscountLine,
        Self::Rounding,
    ];

    /// Makes it happen. Kinds that mark receipts take different ones, so that they can be combined.
    pub fn commit(self, sales: &mut Sales, seed: u64) {
        let mut random = StdRng::seed_from_u64(seed ^ 0x5eed);
        match self {
            Self::SplitTender => split(sales),
            Self::Voided => mark(sales, 1, State::Voided),
            Self::Cancelled => mark(sales, 2, State::Cancelled),
            Self::UnknownWord => mark(sales, 5, State::Unsure),
            Self::Refund => refund(sales),
            Self::Midnight => midnight(sales),
            Self::ComboChildren => {
                let sold =
                    sales.receipts.iter_mut().filter(|receipt| !matches!(receipt.state, State::Refund));
                for receipt in sold.step_by(2) {
                    receipt.lines.push(line(PART, "Combo Drink", 0, true));
                }
            }
            Self::SecondTill => {
                for receipt in sales.receipts.iter_mut().skip(1).step_by(2) {
                    receipt.till = 1;
                }
            }
            Self::DiscountLine => take_off(sales, "DISC", "Promo less 20", -2_000),
            Self::Rounding => take_off(sales, "RND", "Rounding", -random.random_range(1..=3) * 25),
        }
    }
}

fn line(code: &'static str, name: &'static str, price: i64, sold: bool) -> Line {
    Line { code, name, qty: 1_000, price, discount: 0, sold }
}

fn mark(sales: &mut Sales, at: usize, state: State) {
    if let Some(receipt) = sales.receipts.get_mut(at) {
        receipt.state = state;
    }
}

/// The receipts 3, 6 and 9 are paid in two ways: of different amounts, or, the second, with halves of the same tender.
fn split(sales: &mut Sales) {
    for (at, receipt) in sales.receipts.iter_mut().skip(3).step_by(3).take(3).enumerate() {
        let total = receipt.total();
        let first = if at == 1 { total / 2 } else { total / 300 * 100 };
        let (tender, other) = (receipt.paid[0].0, receipt.paid[0].0 == TENDERS[0]);
        let other = if at == 1 { tender } else { TENDERS[usize::from(other)] };
        receipt.paid = vec![(tender, total - first), (other, first)];
    }
}

/// The first line of the first receipt comes back at the end of its day, at the full price.
fn refund(sales: &mut Sales) {
    let first = sales.receipts[0].clone();
    let sold = &first.lines[0];
    let back = Line { qty: -sold.qty, discount: 0, ..sold.clone() };
    let mut receipt = Receipt {
        minute: 20 * 60 + 45,
        lines: vec![back],
        paid: Vec::new(),
        state: State::Refund,
        ..first.clone()
    };
    let total = receipt.total();
    receipt.paid.push((first.paid[0].0, total));
    sales.receipts.push(receipt);
}

/// The first store sells from 21:30 of its first day to 02:10, and opens at ten the next day as always.
fn midnight(sales: &mut Sales) {
    let first = sales.receipts[0].clone();
    for (at, minute) in
        [21 * 60 + 30, 22 * 60 + 40, 23 * 60 + 50, 24 * 60 + 40, 26 * 60 + 10].into_iter().enumerate()
    {
        let like = &sales.receipts[at % 3];
        let mut receipt = Receipt {
            minute,
            day: first.day,
            till: 0,
            lines: like.lines.iter().filter(|line| line.sold).cloned().collect(),
            paid: Vec::new(),
            state: State::Sold,
            ..like.clone()
        };
        let total = receipt.total();
        receipt.paid.push((TENDERS[at % TENDERS.len()], total));
        sales.receipts.push(receipt);
    }
}

/// The receipts 0 and 4, which nothing else strikes off, have a line with a negative amount.
fn take_off(sales: &mut Sales, code: &'static str, name: &'static str, amount: i64) {
    for at in [0, 4] {
        let Some(receipt) = sales.receipts.get_mut(at) else { continue };
        receipt.lines.push(line(code, name, amount, false));
        receipt.paid[0].1 += amount;
    }
}
