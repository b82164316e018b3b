//! What must be known of a workbook to read one of its sheets: where it is, its texts, which of its
//! styles are dates.

mod styles;

use std::fs::File;

pub use styles::Shows;

use super::xml::{Attribute, Strange, Tag, Xml, plain, resembles};
use super::zip::{Entry, entries, open};

/// More than a list of sheets or styles ever takes.
const MAX_PART: u64 = 8 << 20;
/// Longer tables of texts are better not held twice.
const MAX_TEXTS: u64 = 64 << 20;

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
            Some(part) => styles::styles(&part)?,
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
