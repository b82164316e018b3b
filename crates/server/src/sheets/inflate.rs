//! The beginning of a deflated stream, for a look at what it says before somebody trusts it.

/// Unpacks up to `most` bytes; `None` when the stream is damaged before that.
pub fn head(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes: packed, at: 0 };
    let mut out = Vec::with_capacity(most.min(64 * 1024));
    loop {
        let last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut out, most)?,
            1 => {
                let mut lengths = [8u8; 288];
                lengths[144..256].fill(9);
                lengths[256..280].fill(7);
                codes(&mut bits, &Huffman::new(&lengths)?, &Huffman::new(&[5; 30])?, &mut out, most)?;
            }
            2 => {
                let (literals, distances) = tables(&mut bits)?;
                codes(&mut bits, &literals, &distances, &mut out, most)?;
            }
            _ => return None,
        }
        if last || out.len() >= most {
            out.truncate(most);
            return Some(out);
        }
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    /// In bits.
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Option<usize> {
        let mut value = 0;
        for place in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value |= usize::from(byte >> (self.at % 8) & 1) << place;
            self.at += 1;
        }
        Some(value)
    }
}

fn stored(bits: &mut Bits<'_>, out: &mut Vec<u8>, most: usize) -> Option<()> {
    let start = bits.at.div_ceil(8);
    let head = bits.bytes.get(start..start + 4)?;
    let length = usize::from(u16::from_le_bytes([head[0], head[1]]));
    let body = bits.bytes.get(start + 4..)?;
    let wanted = length.min(most.saturating_sub(out.len()));
    out.extend_from_slice(body.get(..wanted)?);
    bits.at = (start + 4 + length) * 8;
    Some(())
}

/// A canonical code: how many codes each length has, and their symbols in order.
struct Huffman {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Huffman {
    fn new(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0; 16];
        for length in lengths {
            counts[usize::from(*length)] += 1;
        }
        counts[0] = 0;
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|symbol| lengths[*symbol] > 0).collect();
        symbols.sort_by_key(|symbol| (lengths[*symbol], *symbol));
        // More codes than a length has room for would make the walk below run astray.
        let mut room = 1usize;
        for count in &counts[1..] {
            room = (room * 2).checked_sub(*count)?;
        }
        Some(Self { counts, symbols })
    }

    fn read(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut index) = (0usize, 0usize, 0usize);
        for count in &self.counts[1..] {
            code |= bits.take(1)?;
            if code < first + count {
                return self.symbols.get(index + code.checked_sub(first)?).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

fn tables(bits: &mut Bits<'_>) -> Option<(Huffman, Huffman)> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let (literals, distances, count) = (bits.take(5)? + 257, bits.take(5)? + 1, bits.take(4)? + 4);
    let mut lengths = [0u8; 19];
    for place in &ORDER[..count] {
        lengths[*place] = u8::try_from(bits.take(3)?).ok()?;
    }
    let code = Huffman::new(&lengths)?;
    let mut lengths: Vec<u8> = Vec::with_capacity(literals + distances);
    while lengths.len() < literals + distances {
        let (value, times) = match code.read(bits)? {
            symbol @ 0..=15 => (u8::try_from(symbol).ok()?, 1),
            16 => (*lengths.last()?, bits.take(2)? + 3),
            17 => (0, bits.take(3)? + 3),
            _ => (0, bits.take(7)? + 11),
        };
        lengths.extend(std::iter::repeat_n(value, times));
    }
    Some((Huffman::new(&lengths[..literals])?, Huffman::new(lengths.get(literals..literals + distances)?)?))
}

fn codes(
    bits: &mut Bits<'_>,
    literals: &Huffman,
    distances: &Huffman,
    out: &mut Vec<u8>,
    most: usize,
) -> Option<()> {
    const BASE: [usize; 29] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195, 227, 258,
    ];
    const EXTRA: [usize; 29] =
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
    const FAR: [usize; 30] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
        3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ];
    while out.len() < most {
        match literals.read(bits)? {
            symbol @ 0..=255 => out.push(u8::try_from(symbol).ok()?),
            256 => return Some(()),
            symbol => {
                let length = BASE.get(symbol - 257)? + bits.take(EXTRA[symbol - 257])?;
                let far = distances.read(bits)?;
                let extra = if far < 4 { 0 } else { far / 2 - 1 };
                let distance = FAR.get(far)? + bits.take(extra)?;
                let start = out.len().checked_sub(distance)?;
                for at in start..start + length {
                    out.push(out[at]);
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::head;
    use proptest::prelude::*;

    #[test]
    fn a_small_stream_unpacks() {
        // «hello hello hello hello» deflated with a fixed code.
        let packed = [0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0x01];
        assert_eq!(head(&packed, 100).as_deref(), Some(&b"hello hello hello hello"[..]));
        assert_eq!(head(&packed, 5).as_deref(), Some(&b"hello"[..]));
        assert_eq!(head(&packed[..4], 100), None);
    }

    proptest! {
        #[test]
        fn damaged_streams_end(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            if let Some(out) = head(&bytes, 10_000) {
                prop_assert!(out.len() <= 10_000);
            }
        }
    }
}
