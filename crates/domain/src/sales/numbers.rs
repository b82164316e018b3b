//! Parses decimals as tills write them, exactly, into millionths.

/// A file's decimal mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Decimal {
    /// `1234.5`
    #[serde(rename = ".")]
    Point,
    /// `1234,5`
    #[serde(rename = ",")]
    Comma,
}

/// Why a cell is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    Empty,
    NotANumber,
    /// More than six decimal places that are not zero.
    TooManyDecimals,
    /// Out of range.
    TooLarge,
}

const MILLION: i64 = 1_000_000;
/// A trillion units: far above any sale, far below an overflow of sums.
const LIMIT: i64 = 1_000_000_000_000 * MILLION;

/// Parses a decimal into millionths.
///
/// Accepts currency signs, spaces, thousands separators, a trailing minus and parentheses (for minus), as spreadsheets
/// write them.
///
/// # Errors
/// What is wrong with the cell. A lone dash is empty, as in spreadsheets.
pub fn millionths(text: &[u8], decimal: Decimal) -> Result<i64, NumberError> {
    let mark = match decimal {
        Decimal::Point => b'.',
        Decimal::Comma => b',',
    };
    match plain(text, mark) {
        Ok(value) => Ok(value),
        Err(NumberError::TooLarge) => Err(NumberError::TooLarge),
        Err(NumberError::TooManyDecimals) => Err(NumberError::TooManyDecimals),
        Err(_) => dressed(text, mark),
    }
}

/// The plain form `-12.5`, used by nearly every cell.
fn plain(text: &[u8], mark: u8) -> Result<i64, NumberError> {
    let (negative, digits) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        Some(_) => (false, text),
        None => return Err(NumberError::Empty),
    };
    let mut whole: i64 = 0;
    let mut seen = false;
    let mut rest = digits;
    while let Some((&byte, tail)) = rest.split_first() {
        if !byte.is_ascii_digit() {
            break;
        }
        whole = whole * 10 + i64::from(byte - b'0');
        if whole >= LIMIT / MILLION {
            return Err(NumberError::TooLarge);
        }
        seen = true;
        rest = tail;
    }
    let mut value = whole * MILLION;
    if let Some((&byte, tail)) = rest.split_first() {
        if byte != mark {
            return Err(NumberError::NotANumber);
        }
        let mut unit = MILLION / 10;
        for &digit in tail {
            if !digit.is_ascii_digit() {
                return Err(NumberError::NotANumber);
            }
            if unit == 0 && digit != b'0' {
                return Err(NumberError::TooManyDecimals);
            }
            value += i64::from(digit - b'0') * unit;
            unit /= 10;
            seen = true;
        }
    }
    if !seen {
        return Err(NumberError::NotANumber);
    }
    Ok(if negative { -value } else { value })
}

/// Currency signs before or after an amount, the longer ones first.
const SIGNS: [&str; 32] = [
    "PHP", "Php", "php", "IDR", "MYR", "SGD", "HKD", "THB", "VND", "CNY", "RMB", "JPY", "KRW", "AUD", "EUR",
    "USD", "NT$", "HK$", "S$", "US$", "Rp.", "Rp", "RM ", "₱", "P", "$", "€", "£", "¥", "₫", "฿", "₩",
];

/// Words for pieces after a quantity. Weights and measures are excluded: a column may mix two units.
const PIECES: [&str; 14] =
    ["pcs.", "pcs", "pc.", "pc", "pieces", "piece", "pza", "pzas", "ea", "each", "units", "unit", "stk", "x"];

/// `2 pcs` → `2`, ignoring case.
fn without_pieces(text: &str) -> &str {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.').trim_end();
    let word = text[number.len()..].trim();
    let known = !number.is_empty() && PIECES.iter().any(|piece| word.eq_ignore_ascii_case(piece));
    if known { number } else { text }
}

/// A number with currency, separators or an accounting minus.
fn dressed(text: &[u8], mark: u8) -> Result<i64, NumberError> {
    let text = std::str::from_utf8(text).map_err(|_| NumberError::NotANumber)?;
    let mut text = text.trim();
    if text.is_empty() {
        return Err(NumberError::Empty);
    }
    if text.len() > 60 {
        return Err(NumberError::NotANumber);
    }
    let mut negative = false;
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        negative = true;
        text = inner.trim();
    }
    if let Some(rest) = text.strip_suffix('-') {
        negative = !negative;
        text = rest.trim_end();
    }
    if let Some(rest) = text.strip_prefix(['-', '\u{2212}']) {
        negative = !negative;
        text = rest.trim_start();
    }
    for sign in SIGNS {
        if let Some(rest) = text.strip_prefix(sign) {
            text = rest.trim_start();
            break;
        }
        if let Some(rest) = text.strip_suffix(sign) {
            text = rest.trim_end();
            break;
        }
    }
    if let Some(rest) = text.strip_prefix(['-', '\u{2212}']) {
        negative = !negative;
        text = rest.trim_start();
    }
    let text = without_pieces(text);
    let mark = char::from(mark);
    let (whole, fraction) = match text.split_once(mark) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let mut bare = String::with_capacity(text.len() + 1);
    let groups: Vec<&str> = whole
        .split(|c: char| c != mark && matches!(c, ',' | '.' | ' ' | '\'' | '\u{a0}' | '\u{202f}'))
        .collect();
    for (at, group) in groups.iter().enumerate() {
        let fits =
            if at == 0 { groups.len() == 1 || (1..=3).contains(&group.len()) } else { group.len() == 3 };
        if !fits || !group.bytes().all(|b| b.is_ascii_digit()) {
            return Err(NumberError::NotANumber);
        }
        bare.push_str(group);
    }
    if let Some(fraction) = fraction {
        bare.push('.');
        bare.push_str(fraction);
    }
    let value = plain(bare.as_bytes(), b'.')?;
    Ok(if negative { -value } else { value })
}

/// `numerator / denominator` (positive), rounded half away from zero.
pub(super) fn rounded(numerator: i128, denominator: i128) -> Option<i64> {
    if denominator == 0 {
        return None;
    }
    let half = denominator / 2;
    let shifted = if numerator < 0 { numerator - half } else { numerator + half };
    i64::try_from(shifted / denominator).ok()
}

/// Millionths of a peso to centavos, half away from zero.
#[must_use]
pub fn centavos(millionths: i64) -> i64 {
    let rest = millionths % 10_000;
    millionths / 10_000 + i64::from(rest >= 5_000) - i64::from(rest <= -5_000)
}

/// The price of `qty` millionths at `price` millionths each, in centavos.
#[must_use]
pub fn extended(qty: i64, price: i64) -> Option<i64> {
    rounded(i128::from(qty) * i128::from(price), 10_000_000_000)
}

/// Counts the cells that fit only one decimal mark.
#[derive(Debug, Clone, Copy, Default)]
pub struct DecimalEvidence {
    point: u32,
    comma: u32,
    either: u32,
}

impl DecimalEvidence {
    /// Adds a cell.
    pub fn see(&mut self, text: &[u8]) {
        let marks = text.iter().filter(|b| matches!(b, b'.' | b',')).count();
        if marks == 0 {
            return;
        }
        let point = millionths(text, Decimal::Point);
        let comma = millionths(text, Decimal::Comma);
        match (point, comma) {
            (Ok(_), Err(_)) => self.point += 1,
            (Err(_), Ok(_)) => self.comma += 1,
            // 1.234 and 1,234 fit both; three digits after one mark suggest thousands.
            (Ok(_), Ok(_))
                if marks == 1 && text.iter().rev().position(|b| matches!(b, b'.' | b',')) == Some(3) =>
            {
                self.either += 1;
                // Three digits after a comma suggest thousands, after a point decimals: both mean a decimal point.
            }
            (Ok(_), Ok(_)) if text.contains(&b',') && !text.contains(&b'.') => {
                if text.iter().rev().position(|b| *b == b',') != Some(3) {
                    self.comma += 1;
                }
            }
            (Ok(_), Ok(_)) => self.point += 1,
            (Err(_), Err(_)) => {}
        }
    }

    /// Adds another column's evidence.
    pub fn merge(&mut self, other: Self) {
        self.point += other.point;
        self.comma += other.comma;
        self.either += other.either;
    }

    /// Whether some cells fit both, and none decides: 1.234 and 1,234.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.either > 0 && self.point == 0 && self.comma == 0
    }

    /// The decimal mark of the cells; a point without other evidence.
    #[must_use]
    pub fn verdict(self) -> Decimal {
        if self.comma > self.point { Decimal::Comma } else { Decimal::Point }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("12.95", Decimal::Point, Ok(12_950_000))]
    #[case("12,95", Decimal::Comma, Ok(12_950_000))]
    #[case("1,234.50", Decimal::Point, Ok(1_234_500_000))]
    #[case("1.234,50", Decimal::Comma, Ok(1_234_500_000))]
    #[case("1 234,50", Decimal::Comma, Ok(1_234_500_000))]
    #[case("₱1,234.50", Decimal::Point, Ok(1_234_500_000))]
    #[case("PHP 8", Decimal::Point, Ok(8_000_000))]
    #[case("Rp 50.000", Decimal::Comma, Ok(50_000_000_000))]
    #[case("1.234,50 €", Decimal::Comma, Ok(1_234_500_000))]
    #[case("2 pcs", Decimal::Point, Ok(2_000_000))]
    #[case("3PC.", Decimal::Point, Ok(3_000_000))]
    #[case("2 kg", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("pcs", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("(3.5)", Decimal::Point, Ok(-3_500_000))]
    #[case("3.5-", Decimal::Point, Ok(-3_500_000))]
    #[case("-₱3", Decimal::Point, Ok(-3_000_000))]
    #[case(".5", Decimal::Point, Ok(500_000))]
    #[case(" 7 ", Decimal::Point, Ok(7_000_000))]
    #[case("1.0000000", Decimal::Point, Ok(1_000_000))]
    #[case("0.1234567", Decimal::Point, Err(NumberError::TooManyDecimals))]
    #[case("12,95", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("12.95", Decimal::Comma, Err(NumberError::NotANumber))]
    #[case("", Decimal::Point, Err(NumberError::Empty))]
    #[case("  ", Decimal::Point, Err(NumberError::Empty))]
    #[case("-", Decimal::Point, Err(NumberError::Empty))]
    #[case("1e5", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("NaN", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("1\u{0}2", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("99999999999999999999", Decimal::Point, Err(NumberError::TooLarge))]
    fn cells_read_as_written(
        #[case] text: &str,
        #[case] decimal: Decimal,
        #[case] expected: Result<i64, NumberError>,
    ) {
        assert_eq!(millionths(text.as_bytes(), decimal), expected);
    }

    #[test]
    fn a_price_with_four_decimals_extends_before_it_rounds() {
        assert_eq!(extended(3_000_000, 1_234_500), Some(370));
        assert_eq!(extended(-3_000_000, 1_235_000), Some(-371));
        assert_eq!(centavos(1_235_000), 124);
        assert_eq!(centavos(-1_235_000), -124);
    }

    #[test]
    fn the_mark_is_found_from_the_cells() {
        let mut seen = DecimalEvidence::default();
        for cell in ["12,50", "3", "1,234"] {
            seen.see(cell.as_bytes());
        }
        assert_eq!(seen.verdict(), Decimal::Comma);
        let mut seen = DecimalEvidence::default();
        for cell in ["1,234", "2,000.5", "7.25"] {
            seen.see(cell.as_bytes());
        }
        assert_eq!(seen.verdict(), Decimal::Point);
    }

    proptest! {
        #[test]
        fn every_decimal_reads_back(value in -999_999_999_999i64..999_999_999_999) {
            let sign = if value < 0 { "-" } else { "" };
            let text = format!("{sign}{}.{:06}", value.abs() / MILLION, value.abs() % MILLION);
            prop_assert_eq!(millionths(text.as_bytes(), Decimal::Point), Ok(value));
            let text = text.replace('.', ",");
            prop_assert_eq!(millionths(text.as_bytes(), Decimal::Comma), Ok(value));
        }

        #[test]
        fn nothing_panics(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = millionths(&bytes, Decimal::Point);
            let _ = millionths(&bytes, Decimal::Comma);
        }
    }
}
