//! Exact numbers: quantities in millionths, money in centavos, and both as JSON.

use serde_json::Value;

/// One unit, in millionths.
pub const ONE: i64 = 1_000_000;

/// A thousandth of a unit: all contents of packs are multiples of it.
pub const MILLI: i64 = ONE / 1_000;

/// A number of millionths or centavos as JSON.
fn decimal(number: i64, places: u32) -> Value {
    let one = 10i64.pow(places);
    let (whole, part) =
        (number.unsigned_abs() / one.unsigned_abs(), number.unsigned_abs() % one.unsigned_abs());
    let sign = if number < 0 { "-" } else { "" };
    let text = format!("{sign}{whole}.{part:0width$}", width = places as usize);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// A quantity as JSON.
#[must_use]
pub fn qty(millionths: i64) -> Value {
    decimal(millionths, 6)
}

/// An amount of money as JSON.
#[must_use]
pub fn money(centavos: i64) -> Value {
    decimal(centavos, 2)
}

/// Reads a JSON number; `None` if it is none or has more places. Small ones are written as `1e-6`.
fn read(value: &Value, places: i32) -> Option<i64> {
    let text = value.as_number()?.to_string();
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let part = part.trim_end_matches('0');
    let digits: i64 = format!("{whole}{part}").parse().ok()?;
    let shift = places + exponent.parse::<i32>().ok()? - i32::try_from(part.len()).ok()?;
    let power = 10i64.checked_pow(shift.unsigned_abs())?;
    if shift >= 0 { digits.checked_mul(power) } else { (digits % power == 0).then(|| digits / power) }
}

/// A quantity of an answer, in millionths.
#[must_use]
pub fn read_qty(value: &Value) -> Option<i64> {
    read(value, 6)
}

/// An amount of an answer, in centavos.
#[must_use]
pub fn read_money(value: &Value) -> Option<i64> {
    read(value, 2)
}

/// A quantity at a price, in centavos.
#[must_use]
pub fn worth(millionths: i64, centavos: i64) -> i64 {
    round(i128::from(millionths) * i128::from(centavos))
}

/// Millionths of a centavo as centavos, rounded half away from zero.
#[must_use]
pub fn round(exact: i128) -> i64 {
    let rounded = (exact.abs() * 2 + i128::from(ONE)) / (2 * i128::from(ONE)) * exact.signum();
    i64::try_from(rounded).unwrap_or(i64::MAX)
}

/// A quantity as text, without trailing zeros.
#[must_use]
pub fn shown(millionths: i64) -> String {
    qty(millionths).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_survive_the_wire() {
        for number in [0, 1, -1, 250_000, 12_500_000, -3_000_000, 123_456_789_012] {
            assert_eq!(read_qty(&qty(number)), Some(number));
            assert_eq!(read_money(&money(number)), Some(number));
        }
        assert_eq!((qty(12_500_000), money(-1_050)), (json!(12.5), json!(-10.5)));
        assert_eq!((read_qty(&json!(null)), read_money(&json!(0.125))), (None, None));
        assert_eq!((worth(500_000, 3), worth(-500_000, 3), worth(2 * ONE, 150)), (2, -2, 300));
    }
}
