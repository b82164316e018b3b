//! Z-readings: a till's end-of-day figures, and whether they agree with each other, with the previous reading and with
//! the day's receipts.

pub mod chain;
pub mod checks;
pub mod flow;

pub use chain::{Gap, GapKind, Link};
pub use checks::{Check, Neighbour, Side, Sold};
pub use flow::FLOW;

use crate::Money;
use crate::words::words;

words! {
    /// The basis of a till's accumulated grand total.
    #[serde(rename_all = "camelCase")]
    Basis {
        Net = "net",
        Gross = "gross",
    }
}

words! {
    /// Whether a till's VATable figure includes the tax.
    #[serde(rename_all = "camelCase")]
    VatForm {
        /// VAT is 12/112 of it.
        Inclusive = "inclusive",
        /// VAT is 12% of it.
        Exclusive = "exclusive",
    }
}

/// How a till computes its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub basis: Basis,
    pub vat: VatForm,
}

impl Default for Terms {
    fn default() -> Self {
        Self { basis: Basis::Net, vat: VatForm::Exclusive }
    }
}

/// Tolerance between two amounts, for a till's rounding: five centavos.
pub const TOLERANCE: Money = Money(5);

/// Days before its own that a reading may cover.
pub const MAX_COVERED: i32 = 7;

/// The maximum of a till's accumulator, after which it restarts from zero: 9,999,999,999.99.
pub const LAST_TOTAL: Money = Money(999_999_999_999);

/// The figures of a reading. Discounts, voids and returns are positive; a figure is `None` if the till does not print
/// it or it was not read yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// First and last invoice of the day, as printed.
    pub first_si: Option<String>,
    pub last_si: Option<String>,
    pub transactions: Option<i64>,
    pub z_counter: Option<i64>,
    pub reset_counter: i64,
    /// The accumulated grand total before and after the day.
    pub previous_total: Option<Money>,
    pub present_total: Option<Money>,
    pub gross: Option<Money>,
    pub net: Option<Money>,
    pub vatable: Option<Money>,
    pub vat: Option<Money>,
    pub exempt: Option<Money>,
    pub zero_rated: Option<Money>,
    pub senior: Option<Money>,
    pub pwd: Option<Money>,
    pub naac: Option<Money>,
    pub solo_parent: Option<Money>,
    pub valor: Option<Money>,
    pub other_discount: Option<Money>,
    pub voids: Option<Money>,
    pub returns: Option<Money>,
    pub vat_adjustment: Option<Money>,
    pub service_charge: Option<Money>,
    /// Payments, one amount per tender.
    pub tenders: Vec<Money>,
}

impl Figures {
    /// All deductions from gross sales, in centavos.
    #[must_use]
    pub fn deductions(&self) -> i128 {
        let all = [
            self.senior,
            self.pwd,
            self.naac,
            self.solo_parent,
            self.valor,
            self.other_discount,
            self.voids,
            self.returns,
            self.vat_adjustment,
        ];
        all.into_iter().flatten().map(|amount| i128::from(amount.0)).sum()
    }

    /// The growth of the grand total on the day.
    #[must_use]
    pub fn sales(&self, basis: Basis) -> Option<Money> {
        match basis {
            Basis::Net => self.net,
            Basis::Gross => self.gross,
        }
    }
}

/// The number of an invoice, voucher or return: its digits, without prefix and suffix.
#[must_use]
pub fn number_of(printed: &str) -> Option<i64> {
    let digits: String = printed.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The next number, on a till that prints as many digits: 99999999 is followed by 1.
#[must_use]
pub fn next_number(printed: &str) -> Option<i64> {
    let digits = printed.chars().filter(char::is_ascii_digit).count();
    let number = number_of(printed)?;
    let most = 10_i64.checked_pow(u32::try_from(digits).ok()?)?.checked_sub(1)?;
    // A short number is printed without leading zeros.
    if digits >= 6 && number == most { Some(1) } else { number.checked_add(1) }
}

/// The grand total after a day's sales, restarted where it exceeds [`LAST_TOTAL`].
#[must_use]
pub fn grown(previous: Money, sales: Money) -> Money {
    let sum = (i128::from(previous.0) + i128::from(sales.0)).rem_euclid(i128::from(LAST_TOTAL.0) + 1);
    Money(i64::try_from(sum).unwrap_or(i64::MAX))
}

/// Whether the grand total exceeded [`LAST_TOTAL`] on the day.
#[must_use]
pub fn wrapped(previous: Money, sales: Money) -> bool {
    i128::from(previous.0) + i128::from(sales.0) > i128::from(LAST_TOTAL.0)
}
