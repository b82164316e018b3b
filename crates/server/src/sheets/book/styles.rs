//! Which of a workbook's styles show a number as a moment.

use std::collections::HashMap;

use super::{elements, must, value};
use crate::sheets::xml::{Strange, Tag, plain};

/// How a style shows a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// As a number.
    Number,
    /// As a date, a time of day or both.
    Moment,
    /// Only a full reader knows.
    Unknown,
}

/// How each style shows a number.
pub fn styles(part: &[u8]) -> Result<Vec<Shows>, Strange> {
    let mut formats: HashMap<Vec<u8>, Shows> = HashMap::new();
    let mut styles = Vec::new();
    let (mut in_formats, mut in_cells) = (false, false);
    let ours: [&[u8]; 5] = [b"styleSheet", b"numFmts", b"numFmt", b"cellXfs", b"xf"];
    elements(part, &ours, |tag, attributes| {
        match tag {
            Tag::Open(b"numFmts") => in_formats = true,
            Tag::Close(b"numFmts") => in_formats = false,
            Tag::Open(b"cellXfs") => in_cells = true,
            Tag::Close(b"cellXfs") => in_cells = false,
            Tag::Open(b"numFmt") if in_formats => {
                let shows =
                    plain(must(attributes, b"formatCode")?).map_or(Shows::Unknown, |code| shows(&code));
                formats.insert(must(attributes, b"numFmtId")?.to_vec(), shows);
            }
            Tag::Open(b"xf") if in_cells => {
                let id = value(attributes, b"numFmtId")?.unwrap_or(b"0");
                styles.push(formats.get(id).copied().unwrap_or_else(|| built_in(id)));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(styles)
}

/// Formats that every spreadsheet knows by number.
fn built_in(id: &[u8]) -> Shows {
    match std::str::from_utf8(id).ok().and_then(|id| id.parse::<u8>().ok()) {
        Some(0..=4 | 9..=13 | 37..=44 | 48 | 49) => Shows::Number,
        Some(14..=22 | 45 | 47) => Shows::Moment,
        _ => Shows::Unknown,
    }
}

/// What a format's first section shows, if that is plain to see.
fn shows(code: &[u8]) -> Shows {
    let mut plain = Vec::with_capacity(code.len());
    let mut bytes = code.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b';' => break,
            b'\\' | b'_' | b'*' => match bytes.next() {
                Some(next) if next.is_ascii() => {}
                _ => return Shows::Unknown,
            },
            b'"' => loop {
                match bytes.next() {
                    Some(b'"') => break,
                    None | Some(b'\\' | b'_' | b'*') => return Shows::Unknown,
                    Some(_) => {}
                }
            },
            b'[' => {
                let rest = bytes.as_slice();
                let Some(end) = rest.iter().position(|byte| *byte == b']') else { return Shows::Unknown };
                let inside = &rest[..end];
                bytes = rest[end + 1..].iter();
                // A currency, a colour or a condition; hours past a day are not.
                let clock = inside.iter().all(|byte| matches!(byte.to_ascii_lowercase(), b'h' | b'm' | b's'));
                if clock || inside.iter().any(|byte| matches!(byte, b'[' | b'"' | b'\\' | b'_' | b'*' | b';'))
                {
                    return Shows::Unknown;
                }
            }
            byte => plain.push(byte.to_ascii_lowercase()),
        }
    }
    let is_number = |byte: &u8| {
        matches!(
            byte,
            b'0' | b'#' | b'?' | b'.' | b',' | b'%' | b'+' | b'-' | b'(' | b')' | b' ' | b'/' | b'$'
        ) || !byte.is_ascii()
    };
    let is_moment = |byte: &u8| {
        matches!(byte, b'd' | b'm' | b'y' | b'h' | b's' | b'/' | b'-' | b'.' | b',' | b':' | b' ' | b'0')
    };
    let letters = plain.iter().any(u8::is_ascii_alphabetic);
    let without_clock = plain.strip_suffix(b"am/pm").unwrap_or(&plain);
    if plain == b"general" || plain == b"@" || (!letters && plain.iter().all(is_number)) {
        Shows::Number
    } else if letters
        && without_clock.iter().any(u8::is_ascii_alphabetic)
        && without_clock.iter().all(is_moment)
    {
        Shows::Moment
    } else {
        Shows::Unknown
    }
}

#[cfg(test)]
mod tests;
