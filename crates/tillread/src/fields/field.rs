//! The fields of a Z-reading and what their values look like.

use larder_domain::{BusinessDay, Money};
use serde::{Deserialize, Serialize};

/// A field of a Z-reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// The business date.
    Date,
    /// The taxpayer's number.
    Tin,
    /// The machine's identification number.
    Min,
    /// The counter of Z-readings.
    Z,
    /// The first invoice of the day.
    Beg,
    /// The last one.
    End,
    /// How many transactions there were.
    Tx,
    Gross,
    Vatable,
    Vat,
    Exempt,
    /// Zero-rated sales.
    Zero,
    /// Discounts of senior citizens.
    Sc,
    Pwd,
    /// All other discounts.
    Other,
    Void,
    Refund,
    /// The adjustment of VAT for discounted sales.
    Vadj,
    Net,
    /// The accumulated grand total before the day.
    Old,
    /// The same after it.
    New,
    Cash,
    Card,
    /// Electronic wallets.
    Ewal,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Date,
    /// Digits that name something.
    Digits,
    /// A whole number.
    Count,
    Money,
}

impl Field {
    /// All fields, in the order in which tills print them.
    pub const ALL: [Self; 24] = [
        Self::Date,
        Self::Tin,
        Self::Min,
        Self::Z,
        Self::Beg,
        Self::End,
        Self::Tx,
        Self::Gross,
        Self::Vatable,
        Self::Vat,
        Self::Exempt,
        Self::Zero,
        Self::Sc,
        Self::Pwd,
        Self::Other,
        Self::Void,
        Self::Refund,
        Self::Vadj,
        Self::Net,
        Self::Old,
        Self::New,
        Self::Cash,
        Self::Card,
        Self::Ewal,
    ];

    /// What it holds.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Date => Kind::Date,
            Self::Tin | Self::Min => Kind::Digits,
            Self::Z | Self::Beg | Self::End | Self::Tx => Kind::Count,
            _ => Kind::Money,
        }
    }

    /// As it is written in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::Tin => "tin",
            Self::Min => "min",
            Self::Z => "z",
            Self::Beg => "beg",
            Self::End => "end",
            Self::Tx => "tx",
            Self::Gross => "gross",
            Self::Vatable => "vatable",
            Self::Vat => "vat",
            Self::Exempt => "exempt",
            Self::Zero => "zero",
            Self::Sc => "sc",
            Self::Pwd => "pwd",
            Self::Other => "other",
            Self::Void => "void",
            Self::Refund => "refund",
            Self::Vadj => "vadj",
            Self::Net => "net",
            Self::Old => "old",
            Self::New => "new",
            Self::Cash => "cash",
            Self::Card => "card",
            Self::Ewal => "ewal",
        }
    }
}

/// The value of a field, in its one form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Date(BusinessDay),
    /// A TIN or MIN: its digits alone.
    Digits(String),
    /// A counter as printed, with its leading zeros; at most 18 digits.
    Count(String),
    Money(Money),
}

impl Value {
    /// An amount in centavos, or a counter as a number; what equations reckon with.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Money(money) => Some(money.0),
            Self::Count(digits) => digits.parse().ok(),
            Self::Date(_) | Self::Digits(_) => None,
        }
    }

    /// The value of a field from its plain form: an ISO date, digits, or a decimal with two places (thousands may be
    /// grouped by commas). `None` where it is not that.
    #[must_use]
    pub fn plain(field: Field, text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = || text.chars().filter(char::is_ascii_digit).collect::<String>();
        match field.kind() {
            Kind::Date => text.parse().ok().map(Self::Date),
            Kind::Digits => {
                let clean = text.chars().all(|c| c.is_ascii_digit() || c == '-' || c == ' ');
                (clean && !digits().is_empty()).then(|| Self::Digits(digits()))
            }
            Kind::Count => {
                let clean = text.chars().all(|c| c.is_ascii_digit()) && (1..=18).contains(&text.len());
                clean.then(|| Self::Count(text.to_owned()))
            }
            Kind::Money => Money::parse(&text.replace(',', "")).ok().map(Self::Money),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Date(day) => day.fmt(f),
            Self::Digits(digits) | Self::Count(digits) => f.write_str(digits),
            Self::Money(Money(centavos)) => {
                let sign = if *centavos < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", centavos.unsigned_abs() / 100, centavos.unsigned_abs() % 100)
            }
        }
    }
}

impl Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}
