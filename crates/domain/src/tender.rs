//! How a day was paid, from the till's figures to the bank's.

mod pairs;

use crate::decimal::div_round;
use crate::{Money, Qty};

pub use pairs::{
    Base, Pair, PairKind, PairState, Part, Terms, last_difference, missing, pairs, read_later, summary,
};

/// A kind of tender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Cash,
    Card,
    EWallet,
    Voucher,
    OnAccount,
}

/// All kinds, in report order.
pub const KINDS: [Kind; 5] = [Kind::Cash, Kind::Card, Kind::EWallet, Kind::Voucher, Kind::OnAccount];

/// Words that tills print for each kind. A word without a match was not paid at once.
const WORDS: &[(Kind, &[&str])] = &[
    (Kind::Cash, &["cash", "peso"]),
    (Kind::Card, &["card", "visa", "master", "jcb", "amex", "bancnet", "credit", "debit", "eftpos"]),
    (
        Kind::EWallet,
        &[
            "ewallet",
            "e-wallet",
            "gcash",
            "maya",
            "paymaya",
            "grabpay",
            "shopeepay",
            "alipay",
            "wechat",
            "qr",
        ],
    ),
    (Kind::Voucher, &["voucher", "gift", "coupon", "gc", "sodexo", "pluxee", "meal"]),
];

/// Names under which delivery apps report sales, in lower case and without spaces or signs.
const DELIVERY_APPS: [&str; 8] =
    ["grab", "grabfood", "foodpanda", "panda", "pickaroo", "lalafood", "shopeefood", "metromart"];

/// Whether a till or channel of this name is a delivery app: it sells without a till of the store.
#[must_use]
pub fn is_delivery_app(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    DELIVERY_APPS.contains(&plain.as_str())
}

impl Kind {
    /// The wire and stored name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cash => "cash",
            Self::Card => "card",
            Self::EWallet => "eWallet",
            Self::Voucher => "voucher",
            Self::OnAccount => "onAccount",
        }
    }

    /// Its display name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Cash => "Cash",
            Self::Card => "Card",
            Self::EWallet => "E-wallet",
            Self::Voucher => "Voucher",
            Self::OnAccount => "On account",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The kind of a till's word: «GCASH», «Visa», «cash».
    #[must_use]
    pub fn of_label(label: &str) -> Self {
        let label = label.trim();
        if let Some(kind) = Self::parse(label) {
            return kind;
        }
        let lower = label.to_lowercase();
        // «GCASH» contains «cash»: whole words take precedence over parts.
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
        let whole = |known: &&str| words.contains(known);
        let found = WORDS.iter().find(|(_, known)| known.iter().any(&whole));
        let longer = || {
            WORDS
                .iter()
                .rev()
                .find(|(_, known)| known.iter().any(|word| word.len() > 3 && lower.contains(word)))
        };
        found.or_else(longer).map_or(Self::OnAccount, |(kind, _)| *kind)
    }
}

/// Notes and coins, largest first. ₱20 is a note and a coin: both are counted together.
pub const DENOMINATIONS: [Money; 13] = [
    Money(100_000),
    Money(50_000),
    Money(20_000),
    Money(10_000),
    Money(5_000),
    Money(2_000),
    Money(1_000),
    Money(500),
    Money(100),
    Money(25),
    Money(10),
    Money(5),
    Money(1),
];

/// Maximum pieces of one denomination.
pub const MOST_PIECES: i64 = 1_000_000;

/// What is wrong with counted cash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CashError {
    /// No such note or coin.
    NoSuchPiece(Money),
    /// Duplicate.
    Twice(Money),
    /// Negative, or more than [`MOST_PIECES`].
    Pieces(Money),
}

/// The sum of counted notes and coins.
///
/// # Errors
/// The invalid denomination, and why.
pub fn cash(counts: &[(Money, i64)]) -> Result<Money, CashError> {
    let mut sum = 0_i64;
    for (at, (piece, pieces)) in counts.iter().enumerate() {
        if !DENOMINATIONS.contains(piece) {
            return Err(CashError::NoSuchPiece(*piece));
        }
        if counts[..at].iter().any(|(before, _)| before == piece) {
            return Err(CashError::Twice(*piece));
        }
        if !(0..=MOST_PIECES).contains(pieces) {
            return Err(CashError::Pieces(*piece));
        }
        // At most 13 × 10^5 centavos × 10^6 pieces.
        sum += piece.0 * pieces;
    }
    Ok(Money(sum))
}

/// An acquirer's fee at a percentage of an amount, rounded half away from zero to the centavo.
#[must_use]
pub fn fee(amount: Money, percent: Qty) -> Option<Money> {
    div_round(i128::from(amount.0) * i128::from(percent.0), 100_000_000).map(Money)
}

/// The figures of a store-day and kind of tender; `None` where unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// From imported sales.
    pub pos: Option<Money>,
    /// From verified Z-readings.
    pub z: Option<Money>,
    pub declared: Option<Money>,
    pub deposited: Option<Money>,
    /// Before the acquirer's fee.
    pub settled: Option<Money>,
    /// The acquirer's fee.
    pub fee: Option<Money>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delivery_apps_are_known_by_name() {
        assert!(["GrabFood", "food panda", "PICK.A.ROO"].into_iter().all(is_delivery_app));
        assert!(!["GRABPAY", "T1", "01", ""].into_iter().any(is_delivery_app));
    }

    #[test]
    fn a_tills_words_map_to_kinds() {
        for (label, kind) in [
            ("CASH", Kind::Cash),
            ("cash", Kind::Cash),
            ("GCASH", Kind::EWallet),
            ("Visa credit", Kind::Card),
            ("BPI MasterCard", Kind::Card),
            ("eWallet", Kind::EWallet),
            ("Meal voucher", Kind::Voucher),
            ("Foodpanda", Kind::OnAccount),
            ("", Kind::OnAccount),
        ] {
            assert_eq!(Kind::of_label(label), kind, "{label}");
        }
        for kind in KINDS {
            assert_eq!(Kind::parse(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn a_drawer_is_counted_by_its_pieces() {
        assert_eq!(cash(&[(Money(100_000), 12), (Money(25), 3)]), Ok(Money(1_200_075)));
        assert_eq!(cash(&[(Money(30), 1)]), Err(CashError::NoSuchPiece(Money(30))));
        assert_eq!(cash(&[(Money(25), 1), (Money(25), 1)]), Err(CashError::Twice(Money(25))));
        assert_eq!(cash(&[(Money(25), -1)]), Err(CashError::Pieces(Money(25))));
        assert_eq!(cash(&DENOMINATIONS.map(|piece| (piece, MOST_PIECES))).map(|sum| sum.0 > 0), Ok(true));
    }

    #[test]
    fn a_fee_is_rounded_once() {
        // 2.5% of 1,165.79 is 29.14475.
        assert_eq!(fee(Money(116_579), Qty(2_500_000)), Some(Money(2_914)));
        assert_eq!(fee(Money(100), Qty(1_500_000)), Some(Money(2)));
    }
}
