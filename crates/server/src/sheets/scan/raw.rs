//! What stands in a sheet, as written: the way to its rows, numbers and names of places.

use crate::sheets::xml::{Attribute, Strange, Tag, Xml, resembles};

/// Steps over everything before the first row; whether there are no rows at all.
pub fn prelude(xml: &mut Xml<'_>) -> Result<bool, Strange> {
    xml.declaration()?;
    let mut root = true;
    loop {
        match xml.tag()?.1 {
            Tag::Close(_) => {}
            Tag::Open(b"sheetData") => return xml.attributes(),
            Tag::Open(b"dimension") => {
                let Attribute::Is(b"ref", value) = xml.attribute()? else { return Err(Strange) };
                let mut places = value.split(|byte| *byte == b':');
                let known = places.by_ref().take(2).all(is_place);
                if !known || places.next().is_some() {
                    return Err(Strange);
                }
                xml.attributes()?;
            }
            Tag::Open(name) => {
                let prefixed = resembles(name, &[b"sheetData", b"dimension"]);
                if prefixed || (root && name != b"worksheet") {
                    return Err(Strange);
                }
                xml.attributes()?;
            }
        }
        root = false;
    }
}

/// Steps over a formula behind `<f`.
pub fn formula(xml: &mut Xml<'_>) -> Result<(), Strange> {
    if !xml.attributes()? {
        xml.text()?;
        xml.expect(b"</f>")?;
    }
    Ok(())
}

/// A number without a sign.
pub fn digits(raw: &[u8]) -> Result<u32, Strange> {
    if raw.is_empty() || raw.len() > 9 || !raw.iter().all(u8::is_ascii_digit) {
        return Err(Strange);
    }
    Ok(raw.iter().fold(0, |number, byte| number * 10 + u32::from(byte - b'0')))
}

/// The number of a row.
pub fn whole(raw: &[u8]) -> Result<u32, Strange> {
    digits(raw).ok().filter(|row| (1..=1_048_576).contains(row)).ok_or(Strange)
}

/// The column of `AB12`, which must name the row it stands in.
pub fn place(name: &[u8], row: &[u8]) -> Result<usize, Strange> {
    let letters = name.strip_suffix(row).ok_or(Strange)?;
    if row.is_empty() || letters.is_empty() || letters.len() > 3 {
        return Err(Strange);
    }
    let mut column = 0;
    for letter in letters {
        if !letter.is_ascii_uppercase() {
            return Err(Strange);
        }
        column = column * 26 + usize::from(letter - b'A') + 1;
    }
    Ok(column - 1)
}

/// Whether this names a cell.
fn is_place(name: &[u8]) -> bool {
    let letters = name.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    (1..=3).contains(&letters) && whole(&name[letters..]).is_ok()
}

/// Whether a number of a sheet is shown just as it is written there: short, without an exponent and
/// without idle zeros.
pub fn is_shown_as_written(raw: &[u8]) -> bool {
    let unsigned = raw.strip_prefix(b"-").unwrap_or(raw);
    let point = unsigned.iter().position(|byte| *byte == b'.');
    let (whole, decimals) = match point {
        Some(at) => (&unsigned[..at], &unsigned[at + 1..]),
        None => (unsigned, &b""[..]),
    };
    let all_digits = whole.iter().chain(decimals).all(u8::is_ascii_digit);
    all_digits
        && !whole.is_empty()
        && whole.len() + decimals.len() <= 15
        && decimals.len() <= 6
        && (point.is_none() || decimals.last().is_some_and(|byte| *byte != b'0'))
        && (whole[0] != b'0' || (whole.len() == 1 && (point.is_some() || unsigned.len() == raw.len())))
}

/// A number as spreadsheets write it.
pub fn number(raw: &[u8]) -> Result<f64, Strange> {
    let known = |byte: &u8| byte.is_ascii_digit() || b".eE+-".contains(byte);
    let unsigned = raw.strip_prefix(b"-").unwrap_or(raw);
    if !raw.iter().all(known) || !unsigned.first().is_some_and(u8::is_ascii_digit) {
        return Err(Strange);
    }
    std::str::from_utf8(raw).ok().and_then(|raw| raw.parse().ok()).ok_or(Strange)
}
