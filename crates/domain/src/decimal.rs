//! Exact decimals: text to scaled integer and back, without binary floating point.

/// Why a text is not a decimal of the required precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// Not a number at all.
    #[error("Enter a number, for example 12.5.")]
    NotANumber,
    /// More decimal places than are stored; rounding silently would lose information.
    #[error("Use at most {0} decimal places.")]
    TooPrecise(u32),
    /// A comma that may group thousands or mark decimals.
    #[error("Write this number without a comma: 1250 or 1.25.")]
    Undecided,
    #[error("This number is too large.")]
    TooLarge,
}

/// The decimal mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `1234.5`; commas group thousands.
    Point,
    /// `1234,5`; points group thousands.
    Comma,
    /// As the text suggests; a lone comma is a decimal comma.
    Either,
}

/// Reads `text` as an integer count of 10^-`places`.
///
/// Surrounding spaces are ignored, thousands may be grouped (`1,234.5`, `1.234,5`, `1 234,5`), the minus may be a
/// hyphen or U+2212. Trailing zeros past `places` are allowed; other digits are an error.
///
/// # Errors
/// [`DecimalError`] names the problem.
pub fn parse_scaled(text: &str, places: u32, mark: Mark) -> Result<i64, DecimalError> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-').or_else(|| text.strip_prefix('\u{2212}')) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.trim_start();
    let decimal = decimal_mark(digits, mark);
    let mut whole: i128 = 0;
    let mut fraction: i128 = 0;
    let mut fraction_places = 0;
    let mut seen = false;
    let mut past_mark = false;
    let mut group = 0usize; // digits since the last grouping character
    let mut grouped = false;
    for c in digits.chars() {
        match c {
            '0'..='9' => {
                seen = true;
                let digit = i128::from(c as u8 - b'0');
                if past_mark {
                    if fraction_places == places {
                        if digit != 0 {
                            return Err(DecimalError::TooPrecise(places));
                        }
                    } else {
                        fraction = fraction * 10 + digit;
                        fraction_places += 1;
                    }
                } else {
                    whole = whole * 10 + digit;
                    if whole > i128::from(i64::MAX) {
                        return Err(DecimalError::TooLarge);
                    }
                    group += 1;
                }
            }
            c if Some(c) == decimal && !past_mark => {
                if grouped && group != 3 {
                    return Err(DecimalError::NotANumber);
                }
                past_mark = true;
            }
            ',' | '.' | ' ' | '\u{a0}' | '\u{202f}' | '\'' if !past_mark && seen => {
                if (grouped && group != 3) || group > 3 {
                    return Err(DecimalError::NotANumber);
                }
                grouped = true;
                group = 0;
            }
            _ => return Err(DecimalError::NotANumber),
        }
    }
    if !seen || (grouped && !past_mark && group != 3) {
        return Err(DecimalError::NotANumber);
    }
    let scaled = whole * 10i128.pow(places) + fraction * 10i128.pow(places - fraction_places);
    let signed = if negative { -scaled } else { scaled };
    i64::try_from(signed).map_err(|_| DecimalError::TooLarge)
}

/// The meaning of a single comma before exactly three digits and after one to three digits that do not begin with 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoneComma {
    /// «100,000» is a hundred thousand, as in money.
    Groups,
    /// «1,250» is 1.25, as in factors.
    Decimal,
    /// Ambiguous.
    Undecided,
}

/// The text, if its only mark is such a comma.
#[must_use]
pub fn lone_comma(text: &str) -> Option<&str> {
    let text = text.trim();
    let digits = text.trim_start_matches(['-', '+', '\u{2212}']).trim_start();
    let (whole, rest) = digits.split_once(',')?;
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is = all_digits(whole)
        && all_digits(rest)
        && whole.len() <= 3
        && !whole.starts_with('0')
        && rest.len() == 3;
    is.then_some(text)
}

/// `text` with its lone comma resolved.
///
/// # Errors
/// [`DecimalError::Undecided`] if it is ambiguous.
pub fn settle_comma(text: &str, comma: LoneComma) -> Result<std::borrow::Cow<'_, str>, DecimalError> {
    match (lone_comma(text), comma) {
        (None, _) | (_, LoneComma::Decimal) => Ok(text.into()),
        (Some(text), LoneComma::Groups) => Ok(text.replace(',', "").into()),
        (Some(_), LoneComma::Undecided) => Err(DecimalError::Undecided),
    }
}

fn decimal_mark(digits: &str, mark: Mark) -> Option<char> {
    match mark {
        Mark::Point => Some('.'),
        Mark::Comma => Some(','),
        Mark::Either => {
            let (commas, points) = (digits.matches(',').count(), digits.matches('.').count());
            match (commas, points) {
                (0, 1) => Some('.'),
                (1, 0) => Some(','),
                (0, _) | (_, 0) => None,
                _ if digits.rfind(',') > digits.rfind('.') => Some(','),
                _ => Some('.'),
            }
        }
    }
}

/// Writes a count of 10^-`places` as a plain decimal without trailing zeros: `-12.5`, `3`.
#[must_use]
pub fn format_scaled(value: i64, places: u32) -> String {
    let unit = 10u64.pow(places);
    let magnitude = value.unsigned_abs();
    let (whole, fraction) = (magnitude / unit, magnitude % unit);
    let sign = if value < 0 { "-" } else { "" };
    if fraction == 0 {
        return format!("{sign}{whole}");
    }
    let fraction = format!("{fraction:0width$}", width = places as usize);
    format!("{sign}{whole}.{}", fraction.trim_end_matches('0'))
}

/// `numerator / denominator`, rounded half away from zero; `None` when it does not fit an i64.
///
/// The only rounding rule of the product, for money and stock.
#[must_use]
pub fn div_round(numerator: i128, denominator: i128) -> Option<i64> {
    let half = denominator.abs() / 2;
    let adjusted = if (numerator < 0) == (denominator < 0) {
        numerator + half * denominator.signum()
    } else {
        numerator - half * denominator.signum()
    };
    i64::try_from(adjusted / denominator).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_typed_numbers() {
        for (text, want) in [
            ("12.5", 12_500_000),
            ("1,5", 1_500_000),
            ("1,234.5", 1_234_500_000),
            ("1.234,5", 1_234_500_000),
            ("-3", -3_000_000),
            ("\u{2212}3", -3_000_000),
            ("1,234,567", 1_234_567_000_000),
            (" 7 ", 7_000_000),
            (".5", 500_000),
            ("2.5000000000", 2_500_000),
        ] {
            assert_eq!(parse_scaled(text, 6, Mark::Either), Ok(want), "{text}");
        }
    }

    #[test]
    fn refuses_the_rest() {
        for text in ["", "-", "abc", "1.2.3,4,5", "12e3", "1,23,4.5", "0x10", "NaN", "."] {
            assert_eq!(parse_scaled(text, 6, Mark::Either), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(parse_scaled("0.0000001", 6, Mark::Either), Err(DecimalError::TooPrecise(6)));
        assert_eq!(parse_scaled("99999999999999999999", 2, Mark::Either), Err(DecimalError::TooLarge));
    }

    #[test]
    fn rounds_half_away_from_zero() {
        assert_eq!(div_round(5, 2), Some(3));
        assert_eq!(div_round(-5, 2), Some(-3));
        assert_eq!(div_round(4, 3), Some(1));
        assert_eq!(div_round(-4, 3), Some(-1));
    }

    proptest! {
        #[test]
        fn written_and_read_again_is_the_same(value: i64, places in 0u32..=9) {
            prop_assert_eq!(parse_scaled(&format_scaled(value, places), places, Mark::Point), Ok(value));
        }
    }
}
