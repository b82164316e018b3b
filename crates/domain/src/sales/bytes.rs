//! Variable-length integers: seven bits per byte, zigzag for signed numbers.

/// Appends a signed number.
pub(super) fn put(out: &mut Vec<u8>, value: i64) {
    put_bits(out, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

/// Appends an unsigned number.
pub(super) fn put_bits(out: &mut Vec<u8>, mut rest: u64) {
    while rest >= 0x80 {
        out.push(u8::try_from(rest & 0x7f).unwrap_or(0) | 0x80);
        rest >>= 7;
    }
    out.push(u8::try_from(rest).unwrap_or(0));
}

/// Appends a length.
pub(super) fn put_size(out: &mut Vec<u8>, size: usize) {
    put_bits(out, size as u64);
}

/// Appends a text with its length.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_size(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Reads the encoding; `None` on anything else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// Takes a signed number.
    #[inline]
    pub fn take(&mut self) -> Option<i64> {
        let bits = self.bits()?;
        Some((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed())
    }

    /// Takes an unsigned number.
    #[inline]
    pub fn bits(&mut self) -> Option<u64> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        if first < 0x80 {
            return Some(u64::from(first));
        }
        let mut value = u64::from(first & 0x7f);
        for place in 1..10 {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Takes a 32-bit number.
    #[inline]
    pub fn small(&mut self) -> Option<u32> {
        u32::try_from(self.bits()?).ok()
    }

    /// Takes the length of a sequence whose elements take at least a byte each.
    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.bits()?).ok().filter(|size| *size <= self.0.len())
    }

    /// Takes this many bytes.
    pub fn part(&mut self, length: usize) -> Option<Self> {
        let (part, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(Self(part))
    }

    /// Takes a text.
    pub fn text(&mut self) -> Option<&'a str> {
        let length = self.size()?;
        std::str::from_utf8(self.part(length)?.0).ok()
    }
}
