//! Numbers and times as a spreadsheet shows them.

use std::io::Write;

use calamine::ExcelDateTime;
use larder_domain::sales::dates::{calendar, civil};

/// The decimal a spreadsheet shows for a cell: the shortest that is the same number, and for computed values
/// only the 15 digits a spreadsheet keeps.
pub fn write_float(out: &mut Vec<u8>, number: f64) {
    let start = out.len();
    if number.fract() == 0.0 && number.abs() < 1e15 {
        // Exact, and much faster than the general way.
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 15 digits")]
        let whole = number as i64;
        let _ = write!(out, "{whole}");
        return;
    }
    let _ = write!(out, "{number}");
    let decimals = out[start..].iter().rposition(|b| *b == b'.').map_or(0, |at| out.len() - start - at - 1);
    if decimals > 6 && number.is_finite() && number.abs() < 1e15 {
        let whole = format!("{:.0}", number.abs().trunc()).len();
        out.truncate(start);
        let _ = write!(out, "{number:.*}", 15usize.saturating_sub(whole));
        while out.last() == Some(&b'0') {
            out.pop();
        }
        if out.last() == Some(&b'.') {
            out.pop();
        }
    }
}

/// A number in a format of so many zeros: `1` as `00001`. One with decimals is written as it is.
pub fn write_padded(out: &mut Vec<u8>, number: f64, digits: u8) {
    if number.fract() != 0.0 || number.abs() >= 1e15 {
        return write_float(out, number);
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 15 digits")]
    let whole = number as i64;
    let sign = if whole < 0 { "-" } else { "" };
    let _ = write!(out, "{sign}{:0digits$}", whole.unsigned_abs(), digits = usize::from(digits));
}

/// The digits of a number format that consists of zeros, such as `00000`; 0 for any other and for a single zero.
pub fn digits(format: &str) -> u8 {
    let first = format.split(';').next().unwrap_or(format);
    let zeros = (2..=30).contains(&first.len()) && first.bytes().all(|byte| byte == b'0');
    if zeros { u8::try_from(first.len()).unwrap_or(0) } else { 0 }
}

/// A time as `2019-08-03 20:25:00`; without a day only the time, without a time only the day.
pub fn write_moment(out: &mut Vec<u8>, moment: &ExcelDateTime) {
    // Days since 1899-12-30; only the library knows whether the file counts from 1904.
    let serial = if moment.is_datetime() && moment.as_f64() >= 1.0 {
        let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
        let clock =
            (u32::from(hour) * 3_600 + u32::from(minute) * 60 + u32::from(second)) * 1_000 + u32::from(milli);
        let seconds = (clock + 500) / 1_000;
        let days = civil(i32::from(year), u32::from(month), u32::from(day));
        days.map(|days| (days, seconds))
    } else {
        None
    };
    match serial {
        Some((day, seconds)) => {
            let (day, seconds) = if seconds >= 86_400 { (day + 1, seconds - 86_400) } else { (day, seconds) };
            let (year, month, date) = calendar(day);
            let _ = write!(out, "{year:04}-{month:02}-{date:02}");
            if seconds > 0 {
                let _ = write!(out, " {:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
            }
        }
        None => {
            // Tills that keep the evening's date write 24:15 after midnight, which a duration keeps.
            let whole = moment.as_f64();
            let late = !moment.is_datetime() && (1.0..1.25).contains(&whole);
            let days = if late { whole } else { whole.fract().abs() };
            let most = if late { 107_999.0 } else { 86_399.0 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a day")]
            let seconds = (days * 86_400.0).round().clamp(0.0, most) as u32;
            let _ = write!(out, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_a_spreadsheet_shows_them() {
        let text = |number: f64| {
            let mut out = Vec::new();
            write_float(&mut out, number);
            String::from_utf8(out).expect("digits")
        };
        assert_eq!(text(12.95), "12.95");
        assert_eq!(text(-3.0), "-3");
        assert_eq!(text(0.1 + 0.2), "0.3");
        assert_eq!(text(447.510_000_000_000_05), "447.51");
        assert_eq!(text(43_680.850_694_444_445), "43680.8506944444");
    }

    #[test]
    fn numbers_are_filled_up_with_the_zeros_of_their_format() {
        let text = |number: f64, format: &str| {
            let mut out = Vec::new();
            write_padded(&mut out, number, digits(format));
            String::from_utf8(out).expect("digits")
        };
        assert_eq!(text(1.0, "00000"), "00001");
        assert_eq!(text(123.0, "000000;@"), "000123");
        assert_eq!(text(-7.0, "000"), "-007");
        assert_eq!(text(1_234_567.0, "00000"), "1234567");
        assert_eq!(text(1.5, "00000"), "1.5");
        for other in ["0", "0.00", "#,##0", "General", "", "00-00", "@", "00%"] {
            assert_eq!(digits(other), 0, "{other}");
        }
    }

    #[test]
    fn times_after_midnight_are_written_as_durations() {
        use calamine::ExcelDateTimeType::{DateTime, TimeDelta};
        let text = |days: f64, kind| {
            let mut out = Vec::new();
            write_moment(&mut out, &ExcelDateTime::new(days, kind, false));
            String::from_utf8(out).expect("digits")
        };
        assert_eq!(text(24.25 / 24.0, TimeDelta), "24:15:00");
        assert_eq!(text(25.5 / 24.0, TimeDelta), "25:30:00");
        assert_eq!(text(1.5, TimeDelta), "12:00:00");
        assert_eq!(text(0.75, DateTime), "18:00:00");
    }
}
