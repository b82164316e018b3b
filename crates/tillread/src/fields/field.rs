//! The fields of a Z-reading and the format of their values.

use larder_domain::{BusinessDay, Money};
use serde::{Deserialize, Serialize};

/// A field of a Z-reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    Date,
    /// The taxpayer identification number.
    Tin,
    /// The machine identification number.
    Min,
    /// The counter of Z-readings.
    Z,
    /// The first invoice number of the day.
    Beg,
    /// The last invoice number of the day.
    End,
    /// Number of transactions.
    Tx,
    Gross,
    Vatable,
    Vat,
    Exempt,
    Zero,
    /// Senior citizen discounts.
    Sc,
    Pwd,
    /// All other discounts.
    Other,
    Void,
    Refund,
    /// VAT adjustment for discounted sales.
    Vadj,
    Net,
    /// The accumulated grand total before the day.
    Old,
    /// The accumulated grand total after the day.
    New,
    Cash,
    Card,
    /// Electronic wallets.
    Ewal,
}

/// The type of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Date,
    /// An identifier of digits.
    Digits,
    /// A whole number.
    Count,
    Money,
}

impl Field {
    /// All fields, in the order tills print them.
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

    /// The type of its value.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Date => Kind::Date,
            Self::Tin | Self::Min => Kind::Digits,
            Self::Z | Self::Beg | Self::End | Self::Tx => Kind::Count,
            _ => Kind::Money,
        }
    }

    /// The JSON name.
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

/// A field's value in its normal form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Date(BusinessDay),
    /// A TIN or MIN: digits only.
    Digits(String),
    /// A counter as printed, with its leading zeros; at most 18 digits.
    Count(String),
    Money(Money),
}

impl Value {
    /// An amount in centavos, or a counter as a number; used by equations.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Money(money) => Some(money.0),
            Self::Count(digits) => digits.parse().ok(),
            Self::Date(_) | Self::Digits(_) => None,
        }
    }

    /// Parses a plain value: an ISO date, digits, or a decimal with two places (commas may group thousands). `None` on
    /// anything else.
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
