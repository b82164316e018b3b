//! Parses decimals as tills write them, exactly, into millionths.

use std::borrow::Cow;

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
/// Accepts currency signs, spaces, thousands separators, a trailing minus, parentheses and `CR` (for minus), `DR` (for
/// plus), digits of full width and one leading apostrophe, as tills and spreadsheets write them.
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

/// Full-width digits, letters and marks in their usual width.
fn narrow(text: &str) -> Cow<'_, str> {
    let wide =
        |c: char| matches!(c, '\u{ff01}'..='\u{ff5e}' | '\u{3000}' | '\u{ffe5}' | '\u{ffe1}' | '\u{ffe6}');
    if text.is_ascii() || !text.contains(wide) {
        return Cow::Borrowed(text);
    }
    let usual = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        '\u{ffe5}' => '¥',
        '\u{ffe1}' => '£',
        '\u{ffe6}' => '₩',
        c => c,
    };
    Cow::Owned(text.chars().map(usual).collect())
}

/// Whether a character is a minus sign.
fn is_minus(c: char) -> bool {
    matches!(c, '-' | '\u{2212}')
}

/// `120.00 CR` and `120.00 DR`: the number before it, and whether it is a credit (minus).
fn without_side(text: &str) -> Option<(&str, bool)> {
    let bare = text.strip_suffix('.').unwrap_or(text);
    let (number, side) = bare.split_at_checked(bare.len().checked_sub(2)?)?;
    let credit = side.eq_ignore_ascii_case("CR");
    let number = number.trim_end();
    (!number.is_empty() && (credit || side.eq_ignore_ascii_case("DR"))).then_some((number, credit))
}

/// A number without its currency sign.
fn without_currency(text: &str) -> Option<&str> {
    SIGNS.iter().find_map(|sign| {
        let before = text.strip_prefix(sign).map(str::trim_start);
        before.or_else(|| text.strip_suffix(sign).map(str::trim_end))
    })
}

/// The digits of a number and their marks, without apostrophe, currency, parentheses, minus and `CR` or `DR` in any
/// order, and whether it is negative. `None` if one of these occurs twice or contradicts another.
///
/// A minus within parentheses is the same minus.
fn undressed(text: &str) -> Option<(&str, bool)> {
    let mut text = text.strip_prefix('\'').unwrap_or(text).trim();
    let (mut enclosed, mut minus, mut currency, mut side) = (false, false, false, None);
    while let (Some(first), Some(last)) = (text.bytes().next(), text.bytes().next_back()) {
        if first.is_ascii_digit() && last.is_ascii_digit() {
            break;
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            if enclosed {
                return None;
            }
            enclosed = true;
            text = inner.trim();
        } else if let Some(rest) = text.strip_prefix(is_minus).or_else(|| text.strip_suffix(is_minus)) {
            if minus {
                return None;
            }
            minus = true;
            text = rest.trim();
        } else if let Some((rest, credit)) = without_side(text).filter(|_| side.is_none()) {
            side = Some(credit);
            text = rest;
        } else if let Some(rest) = without_currency(text).filter(|_| !currency) {
            currency = true;
            text = rest;
        } else {
            break;
        }
    }
    let negative = enclosed || minus;
    if negative && side.is_some() { None } else { Some((text, negative || side == Some(true))) }
}

/// A number of a list's cell in its usual width, with a minus in front of its digits if it is negative, as
/// [`millionths`] understands it. Anything else is returned as it is.
#[must_use]
pub fn bare(text: &str) -> Cow<'_, str> {
    match narrow(text) {
        Cow::Borrowed(text) => match undressed(text.trim()) {
            Some((digits, false)) => Cow::Borrowed(digits),
            Some((digits, true)) => Cow::Owned(format!("-{digits}")),
            None => Cow::Borrowed(text),
        },
        Cow::Owned(text) => match undressed(text.trim()) {
            Some((digits, negative)) => Cow::Owned(format!("{}{digits}", if negative { "-" } else { "" })),
            None => Cow::Owned(text),
        },
    }
}

/// A number with currency, separators or an accounting minus.
fn dressed(text: &[u8], mark: u8) -> Result<i64, NumberError> {
    let text = std::str::from_utf8(text).map_err(|_| NumberError::NotANumber)?;
    let text = text.trim();
    if text.chars().all(is_minus) {
        return Err(NumberError::Empty);
    }
    if text.len() > 60 {
        return Err(NumberError::NotANumber);
    }
    let usual = narrow(text);
    let (text, negative) = undressed(&usual).ok_or(NumberError::NotANumber)?;
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
        let usual = if text.is_ascii() { None } else { std::str::from_utf8(text).ok().map(narrow) };
        let text = usual.as_ref().map_or(text, |usual| usual.as_bytes());
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
                // A group of thousands does not begin with a zero: 0.500 and 0,500 are fractions.
                match text.trim_ascii_start() {
                    [b'0', b'.', ..] => self.point += 1,
                    [b'0', b',', ..] => self.comma += 1,
                    _ => self.either += 1,
                }
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

    /// The decimal mark that some cells prove and none contradicts.
    #[must_use]
    pub fn proven(self) -> Option<Decimal> {
        match (self.point, self.comma) {
            (0, 1..) => Some(Decimal::Comma),
            (1.., 0) => Some(Decimal::Point),
            _ => None,
        }
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
    #[case("₱(120.00)", Decimal::Point, Ok(-120_000_000))]
    #[case("$(120.00)", Decimal::Point, Ok(-120_000_000))]
    #[case("(₱120.00)", Decimal::Point, Ok(-120_000_000))]
    #[case("(120.00) PHP", Decimal::Point, Ok(-120_000_000))]
    #[case("(-120.00)", Decimal::Point, Ok(-120_000_000))]
    #[case("120.00-", Decimal::Point, Ok(-120_000_000))]
    #[case("120.00 CR", Decimal::Point, Ok(-120_000_000))]
    #[case("₱1,120.00cr", Decimal::Point, Ok(-1_120_000_000))]
    #[case("120.00 DR", Decimal::Point, Ok(120_000_000))]
    #[case("120,00 Dr.", Decimal::Comma, Ok(120_000_000))]
    #[case("'120.00", Decimal::Point, Ok(120_000_000))]
    #[case("'2", Decimal::Point, Ok(2_000_000))]
    #[case("'(₱1,200.00)", Decimal::Point, Ok(-1_200_000_000))]
    #[case("'", Decimal::Point, Err(NumberError::Empty))]
    #[case("２", Decimal::Point, Ok(2_000_000))]
    #[case("１２０.００", Decimal::Point, Ok(120_000_000))]
    #[case("－￥１，２４０．００", Decimal::Point, Ok(-1_240_000_000))]
    #[case("（１２０．００）", Decimal::Point, Ok(-120_000_000))]
    #[case("''120", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("((120))", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("₱₱120", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("--120", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("-120 CR", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("(120) DR", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("CR", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("(120.00", Decimal::Point, Err(NumberError::NotANumber))]
    #[case("--", Decimal::Point, Err(NumberError::Empty))]
    #[case("4.80002E+12", Decimal::Point, Err(NumberError::NotANumber))]
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
    fn a_bare_number_keeps_its_marks() {
        assert_eq!(bare("₱(1,200.00)"), "-1,200.00");
        assert_eq!(bare(" '007 "), "007");
        assert_eq!(bare("１.５ CR"), "-1.5");
        assert_eq!(bare("a dozen"), "a dozen");
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
            let digits = text.trim_start_matches('-');
            let wide = |c: char| char::from_u32(u32::from(c) + 0xfee0).expect("a full-width character");
            let dressed = match value < 0 {
                true => [format!("₱({digits})"), format!("{digits} CR"), format!("'-{digits}")],
                false => [format!("₱{digits}"), format!("{digits} DR"), format!("'{digits}")],
            };
            for text in dressed.into_iter().chain([text.chars().map(wide).collect()]) {
                prop_assert_eq!(millionths(text.as_bytes(), Decimal::Comma), Ok(value), "{}", text);
            }
        }

        #[test]
        fn nothing_panics(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = millionths(&bytes, Decimal::Point);
            let _ = millionths(&bytes, Decimal::Comma);
        }
    }
}
