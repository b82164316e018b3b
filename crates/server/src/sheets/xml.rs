//! The XML that spreadsheet programs write, read strictly: whoever meets anything else gives up.

use std::borrow::Cow;

/// Something this reader does not know for sure; a full reader has to look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strange;

/// What is still to be read.
#[derive(Debug, Clone, Copy)]
pub struct Xml<'a>(pub &'a [u8]);

/// What stands next between texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag<'a> {
    /// The beginning of an element. Its attributes come next.
    Open(&'a [u8]),
    /// The end of an element that was begun.
    Close(&'a [u8]),
}

/// An attribute of an element, or how its beginning ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute<'a> {
    /// A name and a raw value.
    Is(&'a [u8], &'a [u8]),
    /// The element goes on.
    End,
    /// The element is over.
    Closed,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-' | b'.')
}

impl<'a> Xml<'a> {
    /// Steps over spaces.
    #[inline]
    pub fn spaces(&mut self) {
        while let Some((b' ' | b'\n' | b'\r' | b'\t', rest)) = self.0.split_first() {
            self.0 = rest;
        }
    }

    /// Takes exactly this, if it stands here.
    #[inline]
    pub fn eat(&mut self, what: &[u8]) -> bool {
        match self.0.strip_prefix(what) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Takes exactly this.
    #[inline]
    pub fn expect(&mut self, what: &[u8]) -> Result<(), Strange> {
        if self.eat(what) { Ok(()) } else { Err(Strange) }
    }

    /// Takes the raw text up to the next tag.
    #[inline]
    pub fn text(&mut self) -> Result<&'a [u8], Strange> {
        let end = self.0.iter().position(|byte| *byte == b'<').ok_or(Strange)?;
        let (text, rest) = self.0.split_at(end);
        self.0 = rest;
        Ok(text)
    }

    fn name(&mut self) -> Result<&'a [u8], Strange> {
        let end = self.0.iter().position(|byte| !is_name(*byte)).ok_or(Strange)?;
        let (name, rest) = self.0.split_at(end);
        self.0 = rest;
        if name.is_empty() { Err(Strange) } else { Ok(name) }
    }

    /// Takes the next attribute of the element just begun.
    #[inline]
    pub fn attribute(&mut self) -> Result<Attribute<'a>, Strange> {
        if self.eat(b">") {
            return Ok(Attribute::End);
        }
        let before = self.0.len();
        self.spaces();
        if self.eat(b">") {
            return Ok(Attribute::End);
        }
        if self.eat(b"/>") {
            return Ok(Attribute::Closed);
        }
        if self.0.len() == before {
            return Err(Strange);
        }
        let name = self.name()?;
        self.expect(b"=")?;
        let (&quote, rest) = self.0.split_first().ok_or(Strange)?;
        if quote != b'"' && quote != b'\'' {
            return Err(Strange);
        }
        let end = rest.iter().position(|byte| *byte == quote || *byte == b'<').ok_or(Strange)?;
        if rest[end] == b'<' {
            return Err(Strange);
        }
        self.0 = &rest[end + 1..];
        Ok(Attribute::Is(name, &rest[..end]))
    }

    /// Steps over the other attributes; whether the element is over.
    #[inline]
    pub fn attributes(&mut self) -> Result<bool, Strange> {
        loop {
            match self.attribute()? {
                Attribute::Is(..) => {}
                Attribute::End => return Ok(false),
                Attribute::Closed => return Ok(true),
            }
        }
    }

    /// Steps over the declaration, which must not name an encoding but UTF-8.
    pub fn declaration(&mut self) -> Result<(), Strange> {
        if !self.eat(b"<?xml") {
            return Ok(());
        }
        loop {
            self.spaces();
            if self.eat(b"?>") {
                return Ok(());
            }
            let name = self.name()?;
            self.expect(b"=")?;
            let (&quote, rest) = self.0.split_first().ok_or(Strange)?;
            let end = rest.iter().position(|byte| *byte == quote).ok_or(Strange)?;
            let value = &rest[..end];
            let known = match name {
                b"encoding" => value.eq_ignore_ascii_case(b"utf-8"),
                b"version" => value == b"1.0",
                b"standalone" => true,
                _ => false,
            };
            if !known || !matches!(quote, b'"' | b'\'') {
                return Err(Strange);
            }
            self.0 = &rest[end + 1..];
        }
    }

    /// Takes the text before the next tag, and the tag's name. A comment and the like is strange, the
    /// end of everything too.
    pub fn tag(&mut self) -> Result<(&'a [u8], Tag<'a>), Strange> {
        let text = self.text()?;
        self.expect(b"<")?;
        if self.eat(b"/") {
            let name = self.name()?;
            self.expect(b">")?;
            return Ok((text, Tag::Close(name)));
        }
        Ok((text, Tag::Open(self.name()?)))
    }
}

/// Whether an element has this name in some namespace of its own: a reader that goes by local names
/// takes it for ours.
pub fn resembles(name: &[u8], ours: &[&[u8]]) -> bool {
    name.iter().position(|byte| *byte == b':').is_some_and(|at| ours.contains(&&name[at + 1..]))
}

/// A raw text or attribute as it is meant. Anything but the five plain entities is strange, and so are
/// line ends and characters that are escaped the spreadsheet's own way.
pub fn plain(raw: &[u8]) -> Result<Cow<'_, [u8]>, Strange> {
    let mut entities = false;
    for (at, byte) in raw.iter().enumerate() {
        match byte {
            b'\r' => return Err(Strange),
            b'_' if raw.get(at + 1) == Some(&b'x') => return Err(Strange),
            b'&' => entities = true,
            _ => {}
        }
    }
    if !raw.is_ascii() && std::str::from_utf8(raw).is_err() {
        return Err(Strange);
    }
    if !entities {
        return Ok(Cow::Borrowed(raw));
    }
    const ENTITIES: [(&[u8], u8); 5] =
        [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];
    let mut text = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(&byte) = rest.first() {
        if byte == b'&' {
            let (entity, meant) =
                ENTITIES.into_iter().find(|(entity, _)| rest.starts_with(entity)).ok_or(Strange)?;
            text.push(meant);
            rest = &rest[entity.len()..];
        } else {
            text.push(byte);
            rest = &rest[1..];
        }
    }
    Ok(Cow::Owned(text))
}
