//! Dates and times as tills write them, and detecting their format.

/// The order of day, month and year in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum DateFormat {
    /// `31/12/2019`
    Dmy,
    /// `12/31/2019`
    Mdy,
    /// `2019-12-31`
    Ymd,
    /// `43830.5`, a spreadsheet's day number
    Excel,
}

impl DateFormat {
    /// The format with day and month in the other order; `None` where the format fixes their order.
    #[must_use]
    pub fn turned(self) -> Option<Self> {
        match self {
            Self::Dmy => Some(Self::Mdy),
            Self::Mdy => Some(Self::Dmy),
            Self::Ymd | Self::Excel => None,
        }
    }

    /// All formats, in order of preference for ambiguous files.
    pub const ALL: [Self; 4] = [Self::Dmy, Self::Mdy, Self::Ymd, Self::Excel];

    /// Its display name.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Dmy => "day/month/year",
            Self::Mdy => "month/day/year",
            Self::Ymd => "year-month-day",
            Self::Excel => "spreadsheet day number",
        }
    }
}

/// A day, and the second of the day if given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Days since 1970-01-01.
    pub day: i32,
    /// Seconds since the midnight at which the day began: from 86,400 on after the next midnight, as tills write 24:15.
    pub seconds: Option<u32>,
}

/// Why a cell is not a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateError {
    Empty,
    /// Not a date in this format.
    Shape,
    /// A date that does not exist.
    NoSuchDay,
    /// Before 1990 or after 2100.
    OutOfRange,
}

const FIRST_YEAR: i32 = 1990;
const LAST_YEAR: i32 = 2100;
const EXCEL_EPOCH: i64 = 25_569;
/// Seconds of a day.
const DAY: u32 = 86_400;
/// The last hour of a business day that goes on after midnight: 05:59 of the next calendar day.
const LAST_HOUR: u32 = 29;

/// Days since 1970-01-01 of a calendar day, if it exists.
#[must_use]
pub fn civil(year: i32, month: u32, day: u32) -> Option<i32> {
    if !(1..=12).contains(&month) || day == 0 || day > month_length(year, month) {
        return None;
    }
    // Years beginning in March put the leap day last, which gives a closed formula.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let month = i32::try_from((month + 9) % 12).ok()?;
    let of_year = (153 * month + 2) / 5 + i32::try_from(day).ok()? - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// The calendar day of a number of days since 1970-01-01.
#[must_use]
pub fn calendar(day: i32) -> (i32, u32, u32) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i32::from(month <= 2);
    (year, month.unsigned_abs(), day.unsigned_abs())
}

fn month_length(year: i32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Reads a date, with or without a time.
///
/// A cell that begins with a four-digit year reads the same in every format, and so does one that spells the month. A
/// time with a zone (`Z`, `UTC`, `GMT`, `+08:00`) is moved to UTC+8; a time from 24:00 to 29:59 keeps its date.
///
/// # Errors
/// What is wrong with the cell.
pub fn moment(text: &[u8], format: DateFormat) -> Result<Moment, DateError> {
    let text = super::names::code(text.trim_ascii());
    if text.is_empty() {
        return Err(DateError::Empty);
    }
    if let Some(plain) = with_dashes(text) {
        return moment(plain.as_bytes(), format);
    }
    let mut cursor = Cursor { text, at: 0 };
    if !text[0].is_ascii_digit() {
        return spelled(text);
    }
    let (first, first_digits) = cursor.number().ok_or(DateError::Shape)?;
    let separator = match cursor.peek() {
        Some(byte @ (b'/' | b'-' | b'.')) => byte,
        Some(b' ' | b',') => return spelled(text),
        None if first_digits == 8 && format != DateFormat::Excel => {
            let day = checked(first / 10_000, first / 100 % 100, first % 100)?;
            return Ok(Moment { day, seconds: None });
        }
        None if format == DateFormat::Excel => return serial(text),
        _ => return Err(DateError::Shape),
    };
    if format == DateFormat::Excel && separator == b'.' && !text[cursor.at + 1..].contains(&b'.') {
        return serial(text);
    }
    cursor.at += 1;
    let Some((second, second_digits)) = cursor.number() else {
        return spelled(text);
    };
    if second_digits > 2 || cursor.peek() != Some(separator) {
        return Err(DateError::Shape);
    }
    cursor.at += 1;
    let (third, third_digits) = cursor.number().ok_or(DateError::Shape)?;
    let (year, year_digits, month, day) = if first_digits == 4 {
        (first, 4, second, third)
    } else {
        match format {
            DateFormat::Dmy => (third, third_digits, second, first),
            DateFormat::Mdy => (third, third_digits, first, second),
            DateFormat::Ymd => (first, first_digits, second, third),
            DateFormat::Excel => return Err(DateError::Shape),
        }
    };
    let year = match year_digits {
        4 => year,
        2 if year < 70 => year + 2_000,
        2 => year + 1_900,
        _ => return Err(DateError::Shape),
    };
    let day = checked(year, month, day)?;
    let rest = &text[cursor.at..];
    if rest.is_empty() {
        return Ok(Moment { day, seconds: None });
    }
    after_date(day, rest)
}

/// `2026年11月12日` and `2026년 11월 12일` as `2026-11-12`.
fn with_dashes(text: &[u8]) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let (year, rest) = text.split_once(['年', '년'])?;
    let (month, rest) = rest.split_once(['月', '월'])?;
    let (day, rest) = rest.split_once(['日', '일'])?;
    let time = rest.trim();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let [year, month, day] = [year, month, day].map(str::trim);
    let whole = digits(year) && digits(month) && digits(day) && year.len() == 4;
    whole.then(|| {
        if time.is_empty() { format!("{year}-{month}-{day}") } else { format!("{year}-{month}-{day} {time}") }
    })
}

fn checked(year: u32, month: u32, day: u32) -> Result<i32, DateError> {
    let year = i32::try_from(year).map_err(|_| DateError::Shape)?;
    let day = civil(year, month, day).ok_or(DateError::NoSuchDay)?;
    if (FIRST_YEAR..=LAST_YEAR).contains(&year) { Ok(day) } else { Err(DateError::OutOfRange) }
}

/// The time after a date: `T`, a comma or spaces, then the clock, then an optional zone.
fn after_date(day: i32, rest: &[u8]) -> Result<Moment, DateError> {
    let clock = match rest[0] {
        b'T' | b't' | b',' | b' ' => rest[1..].trim_ascii(),
        _ => return Err(DateError::Shape),
    };
    if clock.is_empty() {
        return Ok(Moment { day, seconds: None });
    }
    let (clock, zone) = split_zone(clock)?;
    let seconds = clock_seconds(clock).ok_or(DateError::Shape)?;
    let Some(offset) = zone else {
        return Ok(Moment { day, seconds: Some(seconds) });
    };
    // A moment of the clock, not of a business day.
    if seconds >= DAY {
        return Err(DateError::Shape);
    }
    // Business time is UTC+8.
    let local = i64::from(seconds) - offset + 8 * 3_600;
    let day = i64::from(day) + local.div_euclid(86_400);
    Ok(Moment {
        day: i32::try_from(day).map_err(|_| DateError::OutOfRange)?,
        seconds: u32::try_from(local.rem_euclid(86_400)).ok(),
    })
}

/// The text before `Z`, `UTC` or `GMT`.
fn without_zone(clock: &[u8]) -> Option<&[u8]> {
    let bare = [&b"UTC"[..], b"GMT", b"Z"].iter().find_map(|name| {
        let (bare, last) = clock.split_at_checked(clock.len().checked_sub(name.len())?)?;
        last.eq_ignore_ascii_case(name).then_some(bare)
    });
    bare.map(<[u8]>::trim_ascii)
}

/// Splits `10:00:00+08:00`, `10:00:00 UTC` and `10:00:00 GMT+8` into the clock and its offset in seconds.
fn split_zone(clock: &[u8]) -> Result<(&[u8], Option<i64>), DateError> {
    if !clock.last().is_some_and(|byte| byte.is_ascii_digit())
        && let Some(bare) = without_zone(clock)
    {
        return Ok((bare, Some(0)));
    }
    let Some(at) = clock.iter().rposition(|b| matches!(b, b'+' | b'-')) else {
        return Ok((clock, None));
    };
    let mut zone = Cursor { text: &clock[at + 1..], at: 0 };
    let (hours, digits) = zone.number().ok_or(DateError::Shape)?;
    let (hours, minutes) = match (digits, zone.peek()) {
        (4, None) => (hours / 100, hours % 100),
        (1 | 2, None) => (hours, 0),
        (1 | 2, Some(b':')) => {
            zone.at += 1;
            (hours, zone.number().ok_or(DateError::Shape)?.0)
        }
        _ => return Err(DateError::Shape),
    };
    if hours > 14 || minutes > 59 {
        return Err(DateError::Shape);
    }
    let seconds = i64::from(hours * 3_600 + minutes * 60);
    let offset = if clock[at] == b'-' { -seconds } else { seconds };
    let bare = clock[..at].trim_ascii();
    Ok((without_zone(bare).unwrap_or(bare), Some(offset)))
}

/// Reads a time of a business day, in seconds since its midnight: `9:58`, `20:25:07`, `8:25 PM`, or a spreadsheet's
/// fraction of a day.
///
/// Tills that keep the evening's date after midnight write 24:00 to 29:59, which gives 86,400 seconds and more.
#[must_use]
pub fn clock_seconds(text: &[u8]) -> Option<u32> {
    let text = super::names::code(text.trim_ascii());
    if text.starts_with(b"0.") || text == b"0" {
        return fraction_seconds(text.get(2..).unwrap_or_default());
    }
    let mut cursor = Cursor { text, at: 0 };
    let (mut hour, _) = cursor.number()?;
    if cursor.peek() != Some(b':') {
        return None;
    }
    cursor.at += 1;
    let (minute, _) = cursor.number()?;
    let mut second = 0;
    if cursor.peek() == Some(b':') {
        cursor.at += 1;
        second = cursor.number()?.0;
        if matches!(cursor.peek(), Some(b'.' | b',')) {
            cursor.at += 1;
            cursor.number()?;
        }
    }
    let suffix = text[cursor.at..].trim_ascii();
    if !suffix.is_empty() {
        let afternoon = match suffix.first()? {
            b'a' | b'A' => false,
            b'p' | b'P' => true,
            _ => return None,
        };
        let tail: Vec<u8> = suffix[1..].iter().filter(|b| **b != b'.').copied().collect();
        if !tail.eq_ignore_ascii_case(b"m") || !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + if afternoon { 12 } else { 0 };
    }
    if hour > LAST_HOUR || minute > 59 || second > 59 {
        return None;
    }
    Some(hour * 3_600 + minute * 60 + second)
}

/// Seconds of the day from the decimals of a spreadsheet's day number.
fn fraction_seconds(digits: &[u8]) -> Option<u32> {
    let mut parts: u64 = 0;
    let mut unit: u64 = 1_000_000_000;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        unit /= 10;
        parts += u64::from(digit - b'0') * unit;
    }
    let seconds = (parts * 86_400 + 500_000_000) / 1_000_000_000;
    u32::try_from(seconds.min(86_399)).ok()
}

/// A spreadsheet's day number (1900 system).
fn serial(text: &[u8]) -> Result<Moment, DateError> {
    let (whole, fraction) = match text.iter().position(|b| matches!(b, b'.' | b',')) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (number, digits) = Cursor { text: whole, at: 0 }.number().ok_or(DateError::Shape)?;
    if digits != whole.len() {
        return Err(DateError::Shape);
    }
    let day = i32::try_from(i64::from(number) - EXCEL_EPOCH).map_err(|_| DateError::OutOfRange)?;
    let (year, ..) = calendar(day.clamp(-700_000, 10_000_000));
    if !(FIRST_YEAR..=LAST_YEAR).contains(&year) {
        return Err(DateError::OutOfRange);
    }
    let seconds = match fraction {
        Some(digits) => Some(fraction_seconds(digits).ok_or(DateError::Shape)?),
        None => None,
    };
    Ok(Moment { day, seconds })
}

/// A date with its month in letters: `3 Aug 2019`, `Aug 3, 2019`, `3-Aug-19 20:25`.
fn spelled(text: &[u8]) -> Result<Moment, DateError> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    // Spanish, French, German, Indonesian and Portuguese months with other initial letters.
    const OTHERS: [(&str, usize); 13] = [
        ("ene", 0),
        ("fev", 1),
        ("abr", 3),
        ("avr", 3),
        ("mai", 4),
        ("mei", 4),
        ("ago", 7),
        ("agu", 7),
        ("set", 8),
        ("okt", 9),
        ("out", 9),
        ("dic", 11),
        ("dez", 11),
    ];
    let text = std::str::from_utf8(text).map_err(|_| DateError::Shape)?;
    let mut words = [""; 3];
    let mut rest = text;
    for word in &mut words {
        rest = rest.trim_start_matches([' ', ',', '-', '/', '.']);
        let end = rest.find([' ', ',', '-', '/', '.', 'T']).unwrap_or(rest.len());
        (*word, rest) = rest.split_at(end);
    }
    let number = |word: &str| -> Option<(u32, usize)> {
        let whole = !word.is_empty() && word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit());
        if whole { Some((word.parse().ok()?, word.len())) } else { None }
    };
    let named = |word: &str| -> Option<u32> {
        let start = word.get(..3)?.to_ascii_lowercase();
        let other = || OTHERS.iter().find(|(name, _)| *name == start).map(|(_, month)| *month);
        let month = MONTHS.iter().position(|m| *m == start).or_else(other)?;
        if word.bytes().all(|b| b.is_ascii_alphabetic()) { u32::try_from(month + 1).ok() } else { None }
    };
    let (day, month) = match (number(words[0]), named(words[1]), named(words[0]), number(words[1])) {
        (Some((day, _)), Some(month), ..) | (_, _, Some(month), Some((day, _))) => (day, month),
        _ => return Err(DateError::Shape),
    };
    let year = match number(words[2]).ok_or(DateError::Shape)? {
        (year, 4) => year,
        (year, 2) if year < 70 => year + 2_000,
        (year, 2) => year + 1_900,
        _ => return Err(DateError::Shape),
    };
    let day = checked(year, month, day)?;
    if rest.trim().is_empty() {
        return Ok(Moment { day, seconds: None });
    }
    after_date(day, rest.as_bytes())
}

struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// A run of up to nine digits, and its length.
    fn number(&mut self) -> Option<(u32, usize)> {
        let start = self.at;
        let mut value: u32 = 0;
        while let Some(byte) = self.peek().filter(u8::is_ascii_digit) {
            if self.at - start == 9 {
                return None;
            }
            value = value * 10 + u32::from(byte - b'0');
            self.at += 1;
        }
        (self.at > start).then_some((value, self.at - start))
    }
}

/// Changes of the date among the days of a week.
const A_WEEK: u64 = 6;

/// Evidence from a column's cells for its date format.
#[derive(Debug, Clone, Default)]
pub struct DateEvidence {
    values: u64,
    readings: [Reading; 4],
    example: Option<Vec<u8>>,
    /// Whether some cell is another date with day and month in the other order.
    turns: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    reads: u64,
    /// Valid in this format and not in the other day/month order.
    alone: u64,
    last: Option<i32>,
    up: u64,
    down: u64,
    travelled: u64,
    /// The last day.
    latest: Option<i32>,
}

impl Reading {
    fn monotonous(&self) -> bool {
        (self.up == 0) != (self.down == 0)
    }
}

/// The detected format of a date column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateVerdict {
    /// The most likely format.
    pub format: DateFormat,
    /// Whether the cells prove it; otherwise the user should check.
    pub certain: bool,
    /// A cell as written.
    pub example: String,
    /// The example's value, in days since 1970-01-01.
    pub reads: i32,
    /// Its value with day and month in the other order, where no cell tells the order and the values differ.
    pub turned: Option<i32>,
}

impl DateEvidence {
    /// Adds a cell.
    pub fn see(&mut self, text: &[u8]) {
        let text = text.trim_ascii();
        if text.is_empty() {
            return;
        }
        self.values += 1;
        let days = DateFormat::ALL.map(|format| moment(text, format).ok().map(|m| m.day));
        for (at, day) in days.into_iter().enumerate() {
            let Some(day) = day else { continue };
            let other = match at {
                0 => days[1],
                1 => days[0],
                _ => None,
            };
            let reading = &mut self.readings[at];
            reading.reads += 1;
            if other.is_none() {
                reading.alone += 1;
            }
            if let Some(last) = reading.last {
                reading.up += u64::from(day > last);
                reading.down += u64::from(day < last);
                reading.travelled += u64::from(day.abs_diff(last));
            }
            reading.last = Some(day);
            reading.latest = reading.latest.max(Some(day));
        }
        // The best example is a date in one order only; the next best is another date in the other order.
        let proves_first =
            days[0].is_some() != days[1].is_some() && self.readings[0].alone + self.readings[1].alone == 1;
        let turns = days[0].is_some() && days[1].is_some() && days[0] != days[1];
        let is_better = self.example.is_none() || proves_first || (turns && !self.turns && !self.is_told());
        if days.iter().any(Option::is_some) && is_better {
            self.example = Some(text.to_vec());
        }
        self.turns |= turns;
    }

    /// Whether some cell is a date in one order of day and month only.
    fn is_told(&self) -> bool {
        self.readings[0].alone + self.readings[1].alone > 0
    }

    /// As [`Self::verdict`], for sales until `today`: where no cell tells the order of day and month, the one in which
    /// none of them is later proves it.
    #[must_use]
    pub fn verdict_until(&self, today: i32) -> Option<DateVerdict> {
        let verdict = self.verdict()?;
        let [dmy, mdy, ..] = self.readings;
        if verdict.format.turned().is_none() || self.is_told() || !self.turns {
            return Some(verdict);
        }
        let format = match [dmy.latest, mdy.latest].map(|latest| latest.is_some_and(|day| day > today)) {
            [false, true] => DateFormat::Dmy,
            [true, false] => DateFormat::Mdy,
            _ => return Some(verdict),
        };
        let reads = moment(verdict.example.as_bytes(), format).map_or(verdict.reads, |moment| moment.day);
        Some(DateVerdict { format, certain: true, reads, turned: None, ..verdict })
    }

    /// Percentage of cells that some format reads as a date.
    #[must_use]
    pub fn percent(&self) -> u64 {
        let best = self.readings.iter().map(|r| r.reads).max().unwrap_or(0);
        (best * 100).checked_div(self.values).unwrap_or(0)
    }

    /// Whether the cells only read as spreadsheet day numbers: plain numbers look like that too.
    #[must_use]
    pub fn only_serial(&self) -> bool {
        let [dmy, mdy, ymd, excel] = self.readings.map(|r| r.reads);
        excel > dmy.max(mdy).max(ymd)
    }

    /// The most likely format, and whether the cells prove it.
    #[must_use]
    pub fn verdict(&self) -> Option<DateVerdict> {
        let [dmy, mdy, ymd, excel] = self.readings;
        let best = [dmy, mdy, ymd, excel].iter().map(|r| r.reads).max().filter(|n| *n > 0)?;
        let (format, certain) = if excel.reads == best && best > dmy.reads.max(mdy.reads).max(ymd.reads) {
            (DateFormat::Excel, true)
        } else if ymd.reads == best && self.always_year_first() {
            (DateFormat::Ymd, true)
        } else if dmy.alone > 0 && mdy.alone > 0 {
            // Both orders occur: the file mixes them, or some cells are wrong.
            (if dmy.reads >= mdy.reads { DateFormat::Dmy } else { DateFormat::Mdy }, false)
        } else if dmy.alone > 0 {
            (DateFormat::Dmy, true)
        } else if mdy.alone > 0 {
            (DateFormat::Mdy, true)
        } else if dmy.monotonous() != mdy.monotonous() && dmy.up + dmy.down > 2 {
            (if dmy.monotonous() { DateFormat::Dmy } else { DateFormat::Mdy }, true)
        } else if ymd.reads > dmy.reads.max(mdy.reads) {
            (DateFormat::Ymd, false)
        } else {
            let nearer = mdy.travelled < dmy.travelled;
            let (near, far) = if nearer { (mdy, dmy) } else { (dmy, mdy) };
            // The days of a week in a row are months apart in the other order, on the same day of each month.
            let in_a_row = near.up + near.down >= A_WEEK && near.travelled * 10 <= far.travelled;
            (if nearer { DateFormat::Mdy } else { DateFormat::Dmy }, in_a_row)
        };
        let example = self.example.clone()?;
        let reads = moment(&example, format).or_else(|_| {
            DateFormat::ALL.iter().find_map(|f| moment(&example, *f).ok()).ok_or(DateError::Shape)
        });
        let reads = reads.ok()?.day;
        let turned = format.turned().filter(|_| !certain && !self.is_told());
        let turned = turned.and_then(|other| moment(&example, other).ok()).map(|moment| moment.day);
        Some(DateVerdict {
            format,
            certain,
            example: String::from_utf8_lossy(&example).into_owned(),
            reads,
            turned: turned.filter(|day| *day != reads),
        })
    }

    /// A cell that reads the same in every format began with its year (or spelled its month).
    fn always_year_first(&self) -> bool {
        let [dmy, mdy, ymd, _] = self.readings;
        ymd.reads == dmy.reads
            && ymd.reads == mdy.reads
            && ymd.last == dmy.last
            && ymd.travelled == dmy.travelled
            && ymd.travelled == mdy.travelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    fn day(year: i32, month: u32, day: u32) -> i32 {
        civil(year, month, day).expect("a day of the calendar")
    }

    #[rstest]
    #[case("03/08/19 20:25", DateFormat::Dmy, (2019, 8, 3), Some(73_500))]
    #[case("03/08/19 20:25", DateFormat::Mdy, (2019, 3, 8), Some(73_500))]
    #[case("31-12-1999", DateFormat::Dmy, (1999, 12, 31), None)]
    #[case("2019-08-03", DateFormat::Dmy, (2019, 8, 3), None)]
    #[case("2017-4-9", DateFormat::Ymd, (2017, 4, 9), None)]
    #[case("2019-08-03T20:25:07.5", DateFormat::Ymd, (2019, 8, 3), Some(73_507))]
    #[case("2019-08-03T20:25:00Z", DateFormat::Ymd, (2019, 8, 4), Some(15_900))]
    #[case("2019-08-03 20:25:00+08:00", DateFormat::Ymd, (2019, 8, 3), Some(73_500))]
    #[case("2026-11-13 17:30:00 UTC", DateFormat::Dmy, (2026, 11, 14), Some(5_400))]
    #[case("2026-11-13 07:30:00.123 utc", DateFormat::Ymd, (2026, 11, 13), Some(55_800))]
    #[case("13/11/2026 5:30 PM GMT", DateFormat::Dmy, (2026, 11, 14), Some(5_400))]
    #[case("2026-11-13 17:30:00 GMT+8", DateFormat::Ymd, (2026, 11, 13), Some(63_000))]
    #[case("2026-11-13 17:30 UTC-05:00", DateFormat::Ymd, (2026, 11, 14), Some(23_400))]
    #[case("2026-12-31T16:00Z", DateFormat::Ymd, (2027, 1, 1), Some(0))]
    #[case("2026-11-13 24:15", DateFormat::Ymd, (2026, 11, 13), Some(87_300))]
    #[case("13/11/2026 25:30:00", DateFormat::Dmy, (2026, 11, 13), Some(91_800))]
    #[case("'2026-11-13", DateFormat::Ymd, (2026, 11, 13), None)]
    #[case("20190803", DateFormat::Ymd, (2019, 8, 3), None)]
    #[case("3 Aug 2019", DateFormat::Mdy, (2019, 8, 3), None)]
    #[case("Aug 3, 2019 8:25 PM", DateFormat::Dmy, (2019, 8, 3), Some(73_500))]
    #[case("3-Aug-19", DateFormat::Dmy, (2019, 8, 3), None)]
    #[case("8/3/2019 12:05 AM", DateFormat::Mdy, (2019, 8, 3), Some(300))]
    #[case("43680", DateFormat::Excel, (2019, 8, 3), None)]
    #[case("43680.850694444", DateFormat::Excel, (2019, 8, 3), Some(73_500))]
    #[case("2019-08-03 20:25:00", DateFormat::Excel, (2019, 8, 3), Some(73_500))]
    #[case("29/02/2020", DateFormat::Dmy, (2020, 2, 29), None)]
    #[case("19.8.3", DateFormat::Ymd, (2019, 8, 3), None)]
    fn dates_read(
        #[case] text: &str,
        #[case] format: DateFormat,
        #[case] (y, m, d): (i32, u32, u32),
        #[case] seconds: Option<u32>,
    ) {
        assert_eq!(moment(text.as_bytes(), format), Ok(Moment { day: day(y, m, d), seconds }));
    }

    #[rstest]
    #[case("31/31/2019", DateFormat::Dmy, DateError::NoSuchDay)]
    #[case("29/02/2019", DateFormat::Dmy, DateError::NoSuchDay)]
    #[case("08/13/2019", DateFormat::Dmy, DateError::NoSuchDay)]
    #[case("1/1/0019", DateFormat::Dmy, DateError::OutOfRange)]
    #[case("1/1/2219", DateFormat::Dmy, DateError::OutOfRange)]
    #[case("", DateFormat::Dmy, DateError::Empty)]
    #[case("yesterday", DateFormat::Dmy, DateError::Shape)]
    #[case("1/1", DateFormat::Dmy, DateError::Shape)]
    #[case("1/1/2019 at noon", DateFormat::Dmy, DateError::Shape)]
    #[case("1/1/2019 30:00", DateFormat::Dmy, DateError::Shape)]
    #[case("2019-01-01 24:15 UTC", DateFormat::Dmy, DateError::Shape)]
    #[case("2019-01-01 UTC", DateFormat::Dmy, DateError::Shape)]
    #[case("12", DateFormat::Dmy, DateError::Shape)]
    #[case("12", DateFormat::Excel, DateError::OutOfRange)]
    fn invalid_dates_are_refused(#[case] text: &str, #[case] format: DateFormat, #[case] error: DateError) {
        assert_eq!(moment(text.as_bytes(), format), Err(error));
    }

    #[rstest]
    #[case("9:58:11", Some(35_891))]
    #[case("20:25", Some(73_500))]
    #[case("8:25pm", Some(73_500))]
    #[case("12:00 p.m.", Some(43_200))]
    #[case("0.5", Some(43_200))]
    #[case("24:00", Some(86_400))]
    #[case("24:15", Some(87_300))]
    #[case("25:30", Some(91_800))]
    #[case("29:59:59", Some(107_999))]
    #[case("'20:25", Some(73_500))]
    #[case("30:00", None)]
    #[case("24:60", None)]
    #[case("24:15 PM", None)]
    #[case("13:00 PM", None)]
    #[case("noon", None)]
    fn clocks_read(#[case] text: &str, #[case] seconds: Option<u32>) {
        assert_eq!(clock_seconds(text.as_bytes()), seconds);
    }

    fn verdict(cells: &[&str]) -> Option<(DateFormat, bool)> {
        let mut evidence = DateEvidence::default();
        cells.iter().for_each(|cell| evidence.see(cell.as_bytes()));
        evidence.verdict().map(|v| (v.format, v.certain))
    }

    #[test]
    fn a_component_past_twelve_decides() {
        assert_eq!(verdict(&["03/08/19", "31/07/19"]), Some((DateFormat::Dmy, true)));
        assert_eq!(verdict(&["03/08/19", "07/31/19"]), Some((DateFormat::Mdy, true)));
        assert_eq!(verdict(&["31/08/19", "07/31/19"]).map(|v| v.1), Some(false));
        // One impossible cell must not hide the evidence of the others.
        assert_eq!(verdict(&["03/08/2019", "31/31/2019", "20/08/2019"]), Some((DateFormat::Dmy, true)));
    }

    #[test]
    fn an_orderly_sequence_decides() {
        let cells = ["01/08/19", "02/08/19", "03/08/19", "04/08/19", "01/09/19", "02/09/19"];
        assert_eq!(verdict(&cells), Some((DateFormat::Dmy, true)));
        let cells = ["08/01/19", "08/02/19", "08/03/19", "08/04/19", "09/01/19", "09/02/19"];
        assert_eq!(verdict(&cells), Some((DateFormat::Mdy, true)));
    }

    #[test]
    fn an_ambiguous_order_is_reported_as_uncertain() {
        assert_eq!(verdict(&["03/08/19", "03/08/19"]).map(|v| v.1), Some(false));
        assert_eq!(verdict(&["01/02/19", "01/03/19", "01/04/19"]).map(|v| v.1), Some(false));
    }

    #[test]
    fn an_order_with_dates_after_today_is_not_the_one() {
        let told = |cells: &[&str], today: &str| {
            let mut evidence = DateEvidence::default();
            cells.iter().for_each(|cell| evidence.see(cell.as_bytes()));
            let today: crate::BusinessDay = today.parse().expect("a day");
            let verdict = evidence.verdict_until(today.0).expect("dates");
            (verdict.format, verdict.certain, verdict.turned.is_some())
        };
        assert_eq!(told(&["10/6/26", "10/7/26"], "2026-08-01"), (DateFormat::Dmy, true, false));
        assert_eq!(told(&["11/12/26"], "2026-11-27"), (DateFormat::Mdy, true, false));
        assert_eq!(told(&["10/10/26", "10/6/26"], "2026-11-27"), (DateFormat::Mdy, false, true));
        // A week in a row; a few days of it; and the fifth of some months.
        let week: Vec<String> = (2..=8).map(|day| format!("10/{day}/26")).collect();
        let week: Vec<&str> = week.iter().map(String::as_str).collect();
        assert_eq!(told(&week, "2026-11-27"), (DateFormat::Mdy, true, false));
        assert_eq!(told(&week[..4], "2026-11-27"), (DateFormat::Mdy, false, true));
        assert_eq!(
            told(&["5/1/26", "5/2/26", "5/3/26", "5/4/26"], "2026-08-27"),
            (DateFormat::Mdy, false, true)
        );
        assert_eq!(
            told(&["12/1/26", "12/2/26", "12/3/26", "12/4/26"], "2026-05-01"),
            (DateFormat::Dmy, true, false)
        );
        // The same day either way.
        assert!(!told(&["10/10/26"], "2026-11-27").2);
        assert_eq!(told(&["10/6/26", "13/6/26"], "2026-11-27"), (DateFormat::Dmy, true, false));
    }

    #[test]
    fn iso_and_serial_are_certain() {
        assert_eq!(verdict(&["2019-08-03", "2019-08-04"]), Some((DateFormat::Ymd, true)));
        assert_eq!(verdict(&["43680", "43681.5"]), Some((DateFormat::Excel, true)));
        assert_eq!(verdict(&["Bread", "Jam"]), None);
    }

    proptest! {
        #[test]
        fn the_calendar_round_trips(day in 0i32..60_000) {
            let (y, m, d) = calendar(day);
            prop_assert_eq!(civil(y, m, d), Some(day));
        }

        #[test]
        fn every_format_reads_what_it_writes(at in 7_305i32..47_000, clock in 0u32..108_000) {
            let (y, m, d) = calendar(at);
            let time = format!("{}:{:02}:{:02}", clock / 3600, clock / 60 % 60, clock % 60);
            let expected = Ok(Moment { day: at, seconds: Some(clock) });
            prop_assert_eq!(moment(format!("{d}/{m}/{y} {time}").as_bytes(), DateFormat::Dmy), expected);
            prop_assert_eq!(moment(format!("{m:02}-{d:02}-{y} {time}").as_bytes(), DateFormat::Mdy), expected);
            prop_assert_eq!(moment(format!("{y}-{m:02}-{d:02}T{time}").as_bytes(), DateFormat::Ymd), expected);
            // The same moment of the clock, as written in Greenwich.
            let (at, clock) = (at + i32::from(clock >= DAY), clock % DAY);
            let utc = i64::from(at) * 86_400 + i64::from(clock) - 8 * 3_600;
            let (y, m, d) = calendar(i32::try_from(utc.div_euclid(86_400)).expect("a day"));
            let clock_utc = utc.rem_euclid(86_400);
            let time = format!("{:02}:{:02}:{:02}", clock_utc / 3600, clock_utc / 60 % 60, clock_utc % 60);
            let expected = Ok(Moment { day: at, seconds: Some(clock) });
            for zone in ["Z", " UTC", " GMT", "+00:00"] {
                let text = format!("{y}-{m:02}-{d:02} {time}{zone}");
                prop_assert_eq!(moment(text.as_bytes(), DateFormat::Ymd), expected, "{}", text);
            }
        }

        #[test]
        fn nothing_panics(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            for format in DateFormat::ALL {
                let _ = moment(&bytes, format);
            }
            let _ = clock_seconds(&bytes);
            let mut evidence = DateEvidence::default();
            evidence.see(&bytes);
            let _ = evidence.verdict();
        }
    }
}
