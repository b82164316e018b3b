//! What must be known of a workbook to read one of its sheets: where it is, its texts, which of its
//! styles are dates.

use std::collections::HashMap;
use std::fs::File;

use super::xml::{Attribute, Strange, Tag, Xml, plain, resembles};
use super::zip::{Entry, entries, open};

/// More than a list of sheets or styles ever takes.
const MAX_PART: u64 = 8 << 20;
/// Longer tables of texts are better not held twice.
const MAX_TEXTS: u64 = 64 << 20;

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

/// Texts end to end in one buffer.
#[derive(Debug, Default)]
pub struct Texts {
    /// All of them.
    pub bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Texts {
    /// Where a text begins and ends.
    #[inline]
    pub fn place(&self, at: usize) -> Option<(u32, u32)> {
        let end = *self.ends.get(at)?;
        Some((at.checked_sub(1).map_or(0, |before| self.ends[before]), end))
    }

    fn push(&mut self, text: &[u8]) -> Result<(), Strange> {
        self.bytes.extend_from_slice(text);
        self.ends.push(u32::try_from(self.bytes.len()).map_err(|_| Strange)?);
        Ok(())
    }
}

/// What must be known to read a sheet.
#[derive(Debug)]
pub struct Book {
    /// Where the sheet is.
    pub sheet: Entry,
    /// The texts its cells refer to.
    pub texts: Texts,
    /// How each style shows a number.
    pub styles: Vec<Shows>,
}

impl Book {
    /// Looks up what one sheet needs.
    pub fn look(file: &mut File, sheet: &str) -> Result<Self, Strange> {
        let parts = Parts { entries: entries(file).ok_or(Strange)? };
        if main_part(&parts.must(file, "_rels/.rels")?)? != b"xl/workbook.xml" {
            return Err(Strange);
        }
        let id = sheet_id(&parts.must(file, "xl/workbook.xml")?, sheet)?;
        let target = target(&parts.must(file, "xl/_rels/workbook.xml.rels")?, &id)?;
        let path = std::str::from_utf8(&target).map_err(|_| Strange)?;
        let path = path.strip_prefix('/').map_or_else(|| format!("xl/{path}"), str::to_owned);
        let texts = match parts.read(file, "xl/sharedStrings.xml", MAX_TEXTS)? {
            Some(part) => texts(&part)?,
            None => Texts::default(),
        };
        let styles = match parts.read(file, "xl/styles.xml", MAX_PART)? {
            Some(part) => styles(&part)?,
            None => Vec::new(),
        };
        let sheet = parts.find(&path)?.ok_or(Strange)?.clone();
        Ok(Self { sheet, texts, styles })
    }
}

struct Parts {
    entries: Vec<Entry>,
}

impl Parts {
    /// The only entry of this name, however its letters and slashes are written.
    fn find(&self, path: &str) -> Result<Option<&Entry>, Strange> {
        if path.contains("..") || path.contains("./") || path.contains(['\\', '%', '&']) {
            return Err(Strange);
        }
        let mut named = self.entries.iter().filter(|entry| {
            let name = entry.name.replace('\\', "/");
            name.trim_start_matches(['/', '.']).eq_ignore_ascii_case(path)
        });
        match (named.next(), named.next()) {
            (None, _) => Ok(None),
            (Some(entry), None) if entry.name == path => Ok(Some(entry)),
            _ => Err(Strange),
        }
    }

    fn read(&self, file: &mut File, path: &str, most: u64) -> Result<Option<Vec<u8>>, Strange> {
        let Some(entry) = self.find(path)? else { return Ok(None) };
        if entry.unpacked > most {
            return Err(Strange);
        }
        let mut part = Vec::new();
        std::io::Read::read_to_end(&mut open(file, entry).ok_or(Strange)?, &mut part).map_err(|_| Strange)?;
        let mut crc = flate2::Crc::new();
        crc.update(&part);
        let whole = part.len() as u64 == entry.unpacked && crc.sum() == entry.crc;
        if whole { Ok(Some(part)) } else { Err(Strange) }
    }

    fn must(&self, file: &mut File, path: &str) -> Result<Vec<u8>, Strange> {
        self.read(file, path, MAX_PART)?.ok_or(Strange)
    }
}

/// Goes through a part's elements. `seen` is told each one's name and attributes, and every end.
fn elements<'a>(
    part: &'a [u8],
    ours: &[&[u8]],
    mut seen: impl FnMut(Tag<'a>, &[(&'a [u8], &'a [u8])]) -> Result<(), Strange>,
) -> Result<(), Strange> {
    let mut xml = Xml(part);
    xml.declaration()?;
    let mut attributes = Vec::new();
    let mut depth = 0usize;
    loop {
        let (_, tag) = xml.tag()?;
        let (Tag::Open(name) | Tag::Close(name)) = tag;
        if resembles(name, ours) || (depth == 0 && name.contains(&b':')) {
            return Err(Strange);
        }
        match tag {
            Tag::Close(_) => {
                depth = depth.checked_sub(1).ok_or(Strange)?;
                seen(tag, &[])?;
            }
            Tag::Open(name) => {
                attributes.clear();
                let closed = loop {
                    match xml.attribute()? {
                        Attribute::Is(name, value) => attributes.push((name, value)),
                        Attribute::End => break false,
                        Attribute::Closed => break true,
                    }
                };
                seen(tag, &attributes)?;
                if closed {
                    seen(Tag::Close(name), &[])?;
                } else {
                    depth += 1;
                }
            }
        }
        if depth == 0 {
            return Ok(());
        }
    }
}

/// The value of an attribute by its name without a namespace; named twice is strange.
fn value<'a>(attributes: &[(&'a [u8], &'a [u8])], name: &[u8]) -> Result<Option<&'a [u8]>, Strange> {
    let local = |full: &'a [u8]| full.rsplit(|byte| *byte == b':').next().unwrap_or(full);
    let mut named = attributes.iter().filter(|(full, _)| local(full) == name);
    match (named.next(), named.next()) {
        (found, None) => Ok(found.map(|(_, value)| *value)),
        _ => Err(Strange),
    }
}

fn must<'a>(attributes: &[(&'a [u8], &'a [u8])], name: &[u8]) -> Result<&'a [u8], Strange> {
    value(attributes, name)?.ok_or(Strange)
}

/// Where the workbook itself is.
fn main_part(rels: &[u8]) -> Result<Vec<u8>, Strange> {
    let mut found = None;
    elements(rels, &[b"Relationship", b"Relationships"], |tag, attributes| {
        if tag == Tag::Open(b"Relationship")
            && must(attributes, b"Type")?.ends_with(b"/relationships/officeDocument")
        {
            let target = must(attributes, b"Target")?;
            if found.replace(target.strip_prefix(b"/").unwrap_or(target).to_vec()).is_some() {
                return Err(Strange);
            }
        }
        Ok(())
    })?;
    found.ok_or(Strange)
}

/// The number by which the list of relations knows a sheet.
fn sheet_id(workbook: &[u8], sheet: &str) -> Result<Vec<u8>, Strange> {
    let mut found = None;
    elements(workbook, &[b"workbook", b"sheet"], |tag, attributes| {
        if tag == Tag::Open(b"sheet") && found.is_none() {
            let name = plain(must(attributes, b"name")?)?;
            let id = must(attributes, b"id")?;
            if *name == *sheet.as_bytes() {
                found = Some(id.to_vec());
            }
        }
        // Days counted from 1904.
        if matches!(tag, Tag::Open(name) if name.ends_with(b"workbookPr"))
            && value(attributes, b"date1904")?.is_some_and(|value| value != b"0" && value != b"false")
        {
            return Err(Strange);
        }
        Ok(())
    })?;
    found.ok_or(Strange)
}

/// Where a relation leads.
fn target(rels: &[u8], id: &[u8]) -> Result<Vec<u8>, Strange> {
    let mut found = None;
    elements(rels, &[b"Relationship", b"Relationships"], |tag, attributes| {
        if tag == Tag::Open(b"Relationship")
            && must(attributes, b"Id")? == id
            && found.replace(must(attributes, b"Target")?.to_vec()).is_some()
        {
            return Err(Strange);
        }
        Ok(())
    })?;
    found.ok_or(Strange)
}

/// The table of texts, if all of them are plain.
fn texts(part: &[u8]) -> Result<Texts, Strange> {
    let mut texts = Texts::default();
    let mut xml = Xml(part);
    xml.declaration()?;
    if xml.tag()?.1 != Tag::Open(b"sst") {
        return Err(Strange);
    }
    if xml.attributes()? {
        return Ok(texts);
    }
    loop {
        match xml.tag()?.1 {
            Tag::Close(b"sst") => return Ok(texts),
            Tag::Open(b"si") => {
                if xml.attributes()? {
                    texts.push(b"")?;
                    continue;
                }
                xml.spaces();
                if xml.eat(b"</si>") {
                    texts.push(b"")?;
                    continue;
                }
                let text = text_element(&mut xml)?;
                texts.push(&text)?;
                xml.spaces();
                xml.expect(b"</si>")?;
            }
            _ => return Err(Strange),
        }
    }
}

/// Takes a `<t>`.
pub fn text_element<'a>(xml: &mut Xml<'a>) -> Result<std::borrow::Cow<'a, [u8]>, Strange> {
    xml.expect(b"<t")?;
    let mut kept = false;
    loop {
        match xml.attribute()? {
            Attribute::Is(b"xml:space", value) => kept = value == b"preserve",
            Attribute::Is(..) => return Err(Strange),
            Attribute::End => break,
            Attribute::Closed => return Ok(std::borrow::Cow::Borrowed(b"")),
        }
    }
    let mut text = plain(xml.text()?)?;
    xml.expect(b"</t>")?;
    if !kept {
        let edge = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n');
        let first = text.iter().position(edge).unwrap_or(text.len());
        let last = text.iter().rposition(edge).map_or(first, |at| at + 1);
        if last - first < text.len() {
            text = match text {
                std::borrow::Cow::Borrowed(text) => std::borrow::Cow::Borrowed(&text[first..last]),
                std::borrow::Cow::Owned(text) => std::borrow::Cow::Owned(text[first..last].to_vec()),
            };
        }
    }
    Ok(text)
}

/// How each style shows a number.
fn styles(part: &[u8]) -> Result<Vec<Shows>, Strange> {
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
mod tests {
    use super::*;

    #[test]
    fn formats_show_what_is_plain_to_see() {
        for code in [
            "0.00",
            "General",
            "@",
            "#,##0.00",
            "\"₱\"#,##0.00",
            "[$₱-3409]#,##0.00;[Red]-0",
            "_(* #,##0_);_(@_)",
        ] {
            assert_eq!(shows(code.as_bytes()), Shows::Number, "{code}");
        }
        for code in
            ["yyyy-mm-dd", "dd/mm/yy hh:mm", "h:mm AM/PM", "[$-409]d\\-mmm\\-yy;@", "m/d/yy", "ss.000"]
        {
            assert_eq!(shows(code.as_bytes()), Shows::Moment, "{code}");
        }
        for code in [
            "[h]:mm", "[ss]", "[hhh]", "\"a\\\"0", "0.00E+00", "\"open", "[$open", "e\"x\"m", "0*", "[",
            "0\\₱d",
        ] {
            assert_eq!(shows(code.as_bytes()), Shows::Unknown, "{code}");
        }
    }
}
