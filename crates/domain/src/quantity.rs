//! Exact quantities, money and conversion factors.

use crate::decimal::{DecimalError, LoneComma, Mark, div_round, format_scaled, parse_scaled, settle_comma};

/// An exact number of more than this many smallest units would not survive as a JSON number.
pub const MOST: i64 = 1 << 53;

macro_rules! exact {
    ($(#[$doc:meta])* $name:ident, $places:literal, $comma:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub i64);

        impl $name {
            pub const ZERO: Self = Self(0);
            pub const PLACES: u32 = $places;

            /// Reads a typed decimal, with a decimal point or comma.
            ///
            /// # Errors
            /// What is wrong with the text, worded for the user.
            pub fn parse(text: &str) -> Result<Self, DecimalError> {
                Self::parse_with(text, Mark::Either)
            }

            /// Reads a typed decimal like [`Self::parse`], but gives a single comma before exactly three digits the
            /// meaning it has for this type of number.
            ///
            /// # Errors
            /// As [`Self::parse`]; [`DecimalError::Undecided`] if the comma is ambiguous.
            pub fn typed(text: &str) -> Result<Self, DecimalError> {
                settle_comma(text, $comma).and_then(|text| Self::parse(&text))
            }

            /// Reads a decimal with a known decimal mark, as in a file.
            ///
            /// # Errors
            /// As [`Self::parse`].
            pub fn parse_with(text: &str, mark: Mark) -> Result<Self, DecimalError> {
                parse_scaled(text, $places, mark).map(Self)
            }

            /// Sum, or `None` on overflow.
            #[must_use]
            pub fn checked_add(self, other: Self) -> Option<Self> {
                self.0.checked_add(other.0).map(Self)
            }

            /// Difference, or `None` on overflow.
            #[must_use]
            pub fn checked_sub(self, other: Self) -> Option<Self> {
                self.0.checked_sub(other.0).map(Self)
            }

            /// Whether it is zero.
            #[must_use]
            pub fn is_zero(self) -> bool {
                self.0 == 0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&format_scaled(self.0, $places))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                decimal_json(self.0, $places).serialize(s)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let value = serde_json::Value::deserialize(d)?;
                let text = decimal_text(&value).ok_or_else(|| serde::de::Error::custom(DecimalError::NotANumber))?;
                Self::typed(&text).map_err(serde::de::Error::custom)
            }
        }

        #[cfg(feature = "schema")]
        impl utoipa::ToSchema for $name {}

        #[cfg(feature = "schema")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::SchemaType::Type(utoipa::openapi::schema::Type::Number))
                    .into()
            }
        }
    };
}

exact!(
    /// A quantity in some unit of measure: a count of millionths.
    Qty,
    6,
    LoneComma::Undecided
);
exact!(
    /// An amount in pesos: a count of centavos.
    Money,
    2,
    LoneComma::Groups
);
exact!(
    /// A conversion factor or multiplier: up to nine decimal places, kept as entered.
    Factor,
    9,
    LoneComma::Decimal
);

/// A JSON number with exactly the digits of the decimal; whole numbers stay whole.
fn decimal_json(value: i64, places: u32) -> serde_json::Number {
    let unit = 10i64.pow(places);
    if value % unit == 0 {
        return (value / unit).into();
    }
    // 15 significant digits survive binary64; beyond that the shortest form still reads back the
    // same decimal for every amount the product can meet (up to 8·10^15 scaled units: eight billion cases, eighty trillion pesos).
    let text = format_scaled(value, places);
    text.parse::<f64>().ok().and_then(serde_json::Number::from_f64).unwrap_or_else(|| (value / unit).into())
}

/// The decimal text of a JSON number or string.
fn decimal_text(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::Number(n) => plain(&n.to_string()),
        serde_json::Value::String(s) => Some(s.clone()),
        _ => None,
    }
}

/// Rewrites `1e-7` and `1.5E3` without exponent, so that only the exact parser decides.
fn plain(number: &str) -> Option<String> {
    let Some((mantissa, exponent)) = number.split_once(['e', 'E']) else {
        return Some(number.to_owned());
    };
    let exponent: i32 = exponent.parse().ok()?;
    if exponent.abs() > 40 {
        return None;
    }
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).ok()? + exponent;
    Some(if point <= 0 {
        format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize))
    } else if point as usize >= digits.len() {
        format!("{sign}{digits}{}", "0".repeat(point as usize - digits.len()))
    } else {
        format!("{sign}{}.{}", &digits[..point as usize], &digits[point as usize..])
    })
}

impl Qty {
    /// This quantity at `price` each, rounded half away from zero to the centavo.
    #[must_use]
    pub fn times(self, price: Money) -> Option<Money> {
        div_round(i128::from(self.0) * i128::from(price.0), 1_000_000).map(Money)
    }

    /// This quantity times `factor`, rounded half away from zero to the millionth.
    #[must_use]
    pub fn scaled(self, factor: Factor) -> Option<Qty> {
        div_round(i128::from(self.0) * i128::from(factor.0), 1_000_000_000).map(Qty)
    }
}

impl Money {
    /// Formatted for a sentence: `₱1,234.50`.
    #[must_use]
    pub fn pesos(self) -> String {
        let whole = (self.0.unsigned_abs() / 100).to_string();
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let sign = if self.0 < 0 { "−" } else { "" };
        format!("{sign}₱{grouped}.{:02}", self.0.unsigned_abs() % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_price_times_a_quantity_rounds_to_the_centavo() {
        let qty = Qty::parse("3").expect("a number");
        assert_eq!(qty.times(Money::parse("12.95").expect("a number")), Some(Money(3885)));
        let half = Qty::parse("0.5").expect("a number");
        assert_eq!(half.times(Money(5)), Some(Money(3)));
        assert_eq!(half.times(Money(-5)), Some(Money(-3)));
    }

    #[test]
    fn json_takes_numbers_and_typed_text() {
        assert_eq!(serde_json::from_str::<Qty>("12.5").ok(), Some(Qty(12_500_000)));
        assert_eq!(serde_json::from_str::<Qty>("\"1,5\"").ok(), Some(Qty(1_500_000)));
        assert_eq!(serde_json::from_str::<Factor>("1e-7").ok(), Some(Factor(100)));
        assert_eq!(serde_json::from_str::<Money>("1.5E3").ok(), Some(Money(150_000)));
        assert!(serde_json::from_str::<Money>("1.005").is_err());
        // A lone comma before three digits: groups in money, a decimal mark in factors, refused in quantities.
        assert_eq!(serde_json::from_str::<Money>("\"100,000\"").ok(), Some(Money(10_000_000)));
        assert_eq!(serde_json::from_str::<Money>("\"-1,250\"").ok(), Some(Money(-125_000)));
        assert_eq!(serde_json::from_str::<Money>("\"1,25\"").ok(), Some(Money(125)));
        assert_eq!(serde_json::from_str::<Factor>("\"1,250\"").ok(), Some(Factor(1_250_000_000)));
        assert_eq!(serde_json::from_str::<Qty>("\"0,500\"").ok(), Some(Qty(500_000)));
        assert_eq!(serde_json::from_str::<Qty>("\"1250\"").ok(), Some(Qty(1_250_000_000)));
        let refused = serde_json::from_str::<Qty>("\"1,250\"").expect_err("either");
        assert!(refused.to_string().starts_with("Write this number without a comma"));
        assert_eq!(serde_json::to_string(&Money(123_450)).ok().as_deref(), Some("1234.5"));
        assert_eq!(serde_json::to_string(&Money(-100)).ok().as_deref(), Some("-1"));
    }

    proptest! {
        #[test]
        fn json_round_trips(value in -8_000_000_000_000_000i64..8_000_000_000_000_000) {
            let text = serde_json::to_string(&Qty(value)).expect("numbers serialise");
            prop_assert_eq!(serde_json::from_str::<Qty>(&text).ok(), Some(Qty(value)));
        }
    }
}
