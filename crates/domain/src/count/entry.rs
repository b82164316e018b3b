//! Count keys, entry names, and typed quantities.

use crate::decimal::DecimalError;
use crate::quantity::MOST;
use crate::{BusinessDay, Qty};

/// Maximum length of a device name, in characters.
const MAX_DEVICE: usize = 64;

/// Which count of a day.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = CountSession))]
#[serde(rename_all = "lowercase")]
pub enum Session {
    /// The day's only one, without sessions.
    #[default]
    #[serde(rename = "")]
    Whole,
    /// Before the store opens.
    Opening,
    /// After the store closes; past midnight it still belongs to the previous day.
    Closing,
}

impl Session {
    pub const ALL: [Self; 3] = [Self::Whole, Self::Opening, Self::Closing];

    /// The wire and stored name; empty for the whole day.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "",
            Self::Opening => "opening",
            Self::Closing => "closing",
        }
    }

    /// Parses the wire name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }

    /// Capitalised label.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Whole => "count",
            Self::Opening => "opening count",
            Self::Closing => "closing count",
        }
    }
}

/// The key of a count. It has one value, no matter which user counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub store_id: String,
    pub date: BusinessDay,
    pub session: Session,
    pub item_id: String,
}

impl Key {
    /// The entry's id: `storeId_date_itemId`, or `storeId_date_session_itemId`.
    #[must_use]
    pub fn id(&self) -> String {
        let Self { store_id, date, session, item_id } = self;
        match session {
            Session::Whole => format!("{store_id}_{date}_{item_id}"),
            session => format!("{store_id}_{date}_{}_{item_id}", session.as_str()),
        }
    }
}

/// The name of a save: device and number. It stays the same however often the save is sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op {
    pub device_id: String,
    /// Its number on that device, increasing.
    pub seq: i64,
}

impl Op {
    /// Reads `device:seq`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (device_id, number) = text.split_once(':')?;
        let seq: i64 = number.parse().ok()?;
        // One spelling per number, or one save could have two names.
        let known = Self::is_device(device_id) && seq > 0 && seq < MOST && number == seq.to_string();
        known.then(|| Self { device_id: device_id.to_owned(), seq })
    }

    /// Whether a text is a valid device name: up to 64 letters, digits, `-` and `_`.
    #[must_use]
    pub fn is_device(text: &str) -> bool {
        (1..=MAX_DEVICE).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    }
}

impl std::fmt::Display for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.device_id, self.seq)
    }
}

/// A quantity on the wire: a number, `None` for null and empty text (which clear the count), and zero for text that is
/// not a number. Rounded to the millionth.
///
/// # Errors
/// What to do about an out-of-range number, or an ambiguous comma.
pub fn quantity(value: &serde_json::Value) -> Result<Option<Qty>, &'static str> {
    let text = match value {
        serde_json::Value::Null => return Ok(None),
        serde_json::Value::String(text) if text.trim().is_empty() => return Ok(None),
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Number(number) => number.to_string(),
        _ => return Ok(Some(Qty::ZERO)),
    };
    let qty = match Qty::typed(&text) {
        Ok(qty) => qty,
        Err(DecimalError::TooLarge) => return Err(TOO_LARGE),
        Err(DecimalError::Undecided) => return Err(UNDECIDED),
        Err(DecimalError::TooPrecise(_)) => rounded(&without_groups(&text))?,
        Err(DecimalError::NotANumber) => rounded(&text)?,
    };
    match qty.0 {
        ..0 => Err("Enter zero or more."),
        MOST.. => Err(TOO_LARGE),
        _ => Ok(Some(qty)),
    }
}

/// What to say of a quantity that [`quantity`] takes for zero without being one.
#[must_use]
pub fn zero_warning(value: &serde_json::Value) -> Option<&'static str> {
    if quantity(value) != Ok(Some(Qty::ZERO)) {
        return None;
    }
    let number: Option<f64> = match value {
        serde_json::Value::Number(number) => number.as_f64(),
        serde_json::Value::String(text) if Qty::typed(text).is_ok() => Some(0.0),
        serde_json::Value::String(text) => without_groups(text).parse().ok(),
        _ => None,
    };
    match number {
        Some(number) if number.is_finite() && number.abs() > 0.0 => {
            Some("This is too little to be counted: it counts as 0.")
        }
        Some(number) if number.is_finite() => None,
        _ => Some("This is not a number: it counts as 0."),
    }
}

const TOO_LARGE: &str = "This number is too large.";
/// The message of [`DecimalError::Undecided`].
const UNDECIDED: &str = "Write this number without a comma: 1250 or 1.25.";

/// A number with too many digits to store, without thousands separators and with a decimal point.
fn without_groups(text: &str) -> String {
    let plain = text.trim().replace('\u{2212}', "-");
    let Some(at) = plain.rfind([',', '.']) else { return plain };
    let whole: String =
        plain[..at].chars().filter(|c| c.is_ascii_digit() || matches!(c, '-' | '+')).collect();
    format!("{whole}.{}", &plain[at + 1..])
}

/// A number the exact reader does not accept: too many digits, or an exponent.
fn rounded(text: &str) -> Result<Qty, &'static str> {
    let number: f64 = match text.trim().replace(',', ".").parse() {
        Ok(number) => number,
        Err(_) => return Ok(Qty::ZERO),
    };
    if number.is_nan() {
        return Ok(Qty::ZERO);
    }
    if number.abs() >= 1e12 {
        return Err(TOO_LARGE);
    }
    Ok(Qty::parse(&format!("{number:.6}")).unwrap_or(Qty::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn key(session: Session) -> Key {
        Key { store_id: "s1".into(), date: BusinessDay(20_411), session, item_id: "i1".into() }
    }

    #[test]
    fn an_entry_is_named_by_what_it_counts() {
        assert_eq!(key(Session::Whole).id(), "s1_2025-11-19_i1");
        assert_eq!(key(Session::Opening).id(), "s1_2025-11-19_opening_i1");
        assert_eq!(key(Session::Closing).id(), "s1_2025-11-19_closing_i1");
    }

    #[test]
    fn session_names_round_trip() {
        for session in Session::ALL {
            assert_eq!(Session::parse(session.as_str()), Some(session));
            assert_eq!(serde_json::to_value(session).ok(), Some(json!(session.as_str())));
        }
        assert_eq!(Session::parse("Opening"), None);
    }

    #[test]
    fn a_save_has_one_name() {
        assert_eq!(Op::parse("tab-1_x:12"), Some(Op { device_id: "tab-1_x".into(), seq: 12 }));
        let long = format!("{}:1", "d".repeat(65));
        for wrong in
            ["", "tab", "tab:", ":1", "tab:0", "tab:-1", "tab:01", "tab:+1", "t b:1", "server:x:1", &long]
        {
            assert_eq!(Op::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn empty_empties_and_words_are_zero() {
        for (said, meant) in [
            (json!(null), None),
            (json!(""), None),
            (json!("  "), None),
            (json!(0), Some(0)),
            (json!("0"), Some(0)),
            (json!(12.5), Some(12_500_000)),
            (json!("1,5"), Some(1_500_000)),
            (json!(0.1 + 0.2), Some(300_000)),
            (json!("0.12345678"), Some(123_457)),
            (json!("0,12345678"), Some(123_457)),
            (json!("1,250.12345678"), Some(1_250_123_457)),
            (json!("1.250,12345678"), Some(1_250_123_457)),
            (json!("1,250.5"), Some(1_250_500_000)),
            (json!("1,250,000"), Some(1_250_000_000_000)),
            (json!("0,500"), Some(500_000)),
            (json!("0.1234567,5"), Some(0)),
            (json!(1e-7), Some(0)),
            (json!("1e3"), Some(1_000_000_000)),
            (json!("twelve"), Some(0)),
            (json!("NaN"), Some(0)),
            (json!(true), Some(0)),
            (json!([1]), Some(0)),
            (json!({}), Some(0)),
        ] {
            assert_eq!(quantity(&said), Ok(meant.map(Qty)), "{said}");
        }
        for wrong in [json!(-1), json!("-0.5"), json!(1e300), json!("Infinity"), json!(9_007_199_255i64)] {
            assert!(quantity(&wrong).is_err(), "{wrong}");
        }
        for either in ["1,250", " 100,000 ", "-1,250"] {
            assert_eq!(quantity(&json!(either)), Err(UNDECIDED), "{either}");
        }
        assert_eq!(DecimalError::Undecided.to_string(), UNDECIDED);
    }

    #[test]
    fn what_becomes_zero_is_said() {
        for zero in
            [json!(null), json!(""), json!(0), json!(-0.0), json!("0"), json!("0.000000000"), json!(12)]
        {
            assert_eq!(zero_warning(&zero), None, "{zero}");
        }
        for word in [json!("12*3"), json!("٣"), json!("twelve"), json!("NaN"), json!(true), json!([1])] {
            assert_eq!(zero_warning(&word), Some("This is not a number: it counts as 0."), "{word}");
        }
        for little in [json!(1e-7), json!("1e-7"), json!("0.0000001")] {
            let words = "This is too little to be counted: it counts as 0.";
            assert_eq!(zero_warning(&little), Some(words), "{little}");
        }
    }

    proptest! {
        #[test]
        fn a_typed_quantity_is_stored_exactly(millionths in 0i64..MOST) {
            let qty = Qty(millionths);
            prop_assert_eq!(quantity(&json!(qty.to_string())), Ok(Some(qty)));
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = quantity(&json!(text));
            if let Some(op) = Op::parse(&text) {
                prop_assert_eq!(op.to_string(), text);
            }
        }
    }
}
