//! Measures what calamine's XML reader would hold in memory at once. It holds a whole tag or text, a whole
//! cell, and the names of all open elements, however long or many they are.

/// The longest tag, text, comment or cell. A spreadsheet's cell ends at 32,767 letters.
const LONGEST: usize = super::super::MAX_LINE;
/// Deeper nesting than any workbook has.
const DEEPEST: usize = 256;

/// A token, cell or nesting beyond these limits, or markup that no program writes in a workbook.
#[derive(Debug, PartialEq, Eq)]
pub struct Beyond;

/// State of the parser.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum At {
    #[default]
    Text,
    /// The first bytes after `<`.
    Opening,
    Tag,
    /// An attribute value in this quote.
    Value(u8),
    /// A comment, CDATA or instruction, up to this terminator.
    Until(&'static [u8]),
}

/// Streaming measurements of markup.
#[derive(Debug, Default)]
pub struct Markup {
    at: At,
    /// The current tag or token.
    piece: Vec<u8>,
    text: usize,
    depth: usize,
    /// Length so far of the open cell or shared string.
    cell: Option<usize>,
    /// Number of elements.
    pub elements: u64,
    /// Number of shared strings.
    pub texts: u64,
    /// The longest tag within the outermost element.
    pub longest: usize,
}

impl Markup {
    /// Consumes bytes; calls `seen` with every opening tag, without its brackets.
    pub fn feed(&mut self, bytes: &[u8], seen: &mut impl FnMut(&[u8])) -> Result<(), Beyond> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let ordinary = match self.at {
                At::Text => {
                    let run = run(rest, |byte| byte == b'<');
                    self.text += run;
                    run
                }
                At::Tag => self.keep(rest, |byte| matches!(byte, b'>' | b'"' | b'\'' | b'<')),
                At::Value(quote) => self.keep(rest, |byte| byte == quote || byte == b'<'),
                At::Opening | At::Until(_) => 0,
            };
            // The next byte decides; if there is none, more ordinary ones may come.
            let taken = match rest.get(ordinary) {
                Some(&byte) => {
                    self.step(byte, seen)?;
                    ordinary + 1
                }
                None => ordinary,
            };
            if let Some(cell) = &mut self.cell {
                *cell += taken;
            }
            if self.piece.len() > LONGEST || self.text > LONGEST || self.cell > Some(LONGEST) {
                return Err(Beyond);
            }
            rest = &rest[taken..];
        }
        Ok(())
    }

    /// Keeps the bytes before the first deciding one and returns their number.
    fn keep(&mut self, rest: &[u8], decides: impl Fn(u8) -> bool) -> usize {
        let run = run(rest, decides);
        self.piece.extend_from_slice(&rest[..run]);
        run
    }

    fn step(&mut self, byte: u8, seen: &mut impl FnMut(&[u8])) -> Result<(), Beyond> {
        match self.at {
            At::Text => {
                (self.at, self.text) = (At::Opening, 0);
                return Ok(());
            }
            At::Tag | At::Opening if byte == b'>' => return self.tag(seen),
            // Values spell it `&lt;`. Where it occurs as is, readers disagree on what is a tag.
            At::Opening | At::Tag | At::Value(_) if byte == b'<' => return Err(Beyond),
            At::Opening => {}
            At::Tag => self.at = At::Value(byte),
            At::Value(_) => self.at = At::Tag,
            At::Until(_) => {}
        }
        self.piece.push(byte);
        match (self.at, self.piece.as_slice()) {
            (At::Opening, b"!" | b"!-") => {}
            (At::Opening, b"!--") => self.at = At::Until(b"-->"),
            (At::Opening, b"![") => self.at = At::Until(b"]]>"),
            (At::Opening, b"?") => self.at = At::Until(b"?>"),
            (At::Opening, [b'!', ..] | b"\"" | b"'") => return Err(Beyond),
            (At::Opening, _) => self.at = At::Tag,
            (At::Until(end), piece) if piece.ends_with(end) => {
                // `<!-->`: readers disagree on whether this is a whole comment.
                if end == b"-->" && piece.len() < b"!---->".len() {
                    return Err(Beyond);
                }
                self.piece.clear();
                self.at = At::Text;
            }
            _ => {}
        }
        Ok(())
    }

    fn tag(&mut self, seen: &mut impl FnMut(&[u8])) -> Result<(), Beyond> {
        self.at = At::Text;
        let tag = std::mem::take(&mut self.piece);
        let (ends, closed) = (tag.first() == Some(&b'/'), tag.last() == Some(&b'/'));
        let counts = matches!(local_name(&tag), b"c" | b"si");
        if ends {
            self.depth = self.depth.saturating_sub(1);
            if counts {
                self.cell = None;
            }
        } else {
            self.elements += 1;
            self.texts += u64::from(local_name(&tag) == b"si");
            if self.depth > 0 {
                self.longest = self.longest.max(tag.len());
            }
            if !closed {
                self.depth += 1;
                if counts && self.cell.is_none() {
                    self.cell = Some(0);
                }
            }
            seen(&tag);
        }
        self.piece = tag;
        self.piece.clear();
        if self.depth > DEEPEST { Err(Beyond) } else { Ok(()) }
    }
}

fn run(bytes: &[u8], decides: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| decides(*byte)).unwrap_or(bytes.len())
}

/// The name of a tag's element without its namespace.
fn local_name(tag: &[u8]) -> &[u8] {
    let tag = tag.strip_prefix(b"/").unwrap_or(tag);
    let end = tag.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'/').unwrap_or(tag.len());
    let name = &tag[..end];
    name.iter().position(|byte| *byte == b':').map_or(name, |colon| &name[colon + 1..])
}

#[cfg(test)]
mod tests;
