//! String interning, and the forms in which names and codes are compared.

use std::borrow::Cow;
use std::hash::Hasher;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Stores texts in one block of memory, numbered by first appearance.
///
/// A file repeats a few hundred names a million times; a number is a thousandth of the work.
#[derive(Debug, Default)]
pub struct Interner {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// Open addressing over `hash`; `EMPTY` marks a free slot.
    slots: Vec<u32>,
    last: u32,
}

const EMPTY: u32 = u32::MAX;

impl Interner {
    /// The number of different texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of a number, as bytes.
    #[must_use]
    pub fn get(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] as usize };
        &self.bytes[start..self.ends[id] as usize]
    }

    /// Appends all texts to `out`, to be read back by [`Self::read`].
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.ends.len() as u64).to_le_bytes());
        self.ends.iter().for_each(|end| out.extend_from_slice(&end.to_le_bytes()));
        out.extend_from_slice(&self.bytes);
    }

    /// Reads the texts written by [`Self::write`] from the front of `input`. They can be looked up by number only;
    /// `None` on anything else.
    #[must_use]
    pub fn read(input: &mut &[u8]) -> Option<Self> {
        let (count, rest) = input.split_first_chunk::<8>()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        let (ends, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
        let ends: Vec<u32> = ends.as_chunks::<4>().0.iter().map(|end| u32::from_le_bytes(*end)).collect();
        if !ends.is_sorted() {
            return None;
        }
        let (bytes, rest) = rest.split_at_checked(ends.last().copied().unwrap_or(0) as usize)?;
        *input = rest;
        Some(Self { bytes: bytes.to_vec(), ends, slots: Vec::new(), last: 0 })
    }

    /// The text of a number.
    #[must_use]
    pub fn text(&self, id: u32) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.get(id))
    }

    /// The number of a known text.
    #[must_use]
    pub fn find(&self, text: &[u8]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut slot = hash(text) as usize & (self.slots.len() - 1);
        loop {
            let id = self.slots[slot];
            if id == EMPTY {
                return None;
            }
            if self.get(id) == text {
                return Some(id);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The number of a text, adding it if new.
    pub fn intern(&mut self, text: &[u8]) -> u32 {
        // Neighbouring rows mostly repeat their store, date and receipt.
        if !self.ends.is_empty() && self.get(self.last) == text {
            return self.last;
        }
        if self.slots.len() < (self.ends.len() + 1) * 2 {
            self.grow();
        }
        let mut slot = hash(text) as usize & (self.slots.len() - 1);
        loop {
            let id = self.slots[slot];
            if id == EMPTY {
                break;
            }
            if self.get(id) == text {
                self.last = id;
                return id;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let id = u32::try_from(self.ends.len()).unwrap_or(EMPTY - 1);
        self.bytes.extend_from_slice(text);
        self.ends.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
        self.slots[slot] = id;
        self.last = id;
        id
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let mut slots = vec![EMPTY; size];
        for id in 0..self.ends.len() {
            let id = u32::try_from(id).unwrap_or(EMPTY);
            let mut slot = hash(self.get(id)) as usize & (size - 1);
            while slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = id;
        }
        self.slots = slots;
    }
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = Mixer::default();
    hasher.write(text);
    hasher.finish()
}

/// A hasher of a few instructions per word, for tables whose keys outsiders cannot choose.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mixer(u64);

/// A map using [`Mixer`].
pub type QuickMap<K, V> = std::collections::HashMap<K, V, std::hash::BuildHasherDefault<Mixer>>;

impl Mixer {
    fn mix(&mut self, word: u64) {
        // The constant keeps a run of zeros from staying zero.
        let product =
            u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
        self.0 = u64::try_from(product & u128::from(u64::MAX)).unwrap_or(0)
            ^ u64::try_from(product >> 64).unwrap_or(0);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.mix(u64::from_le_bytes(chunk.try_into().unwrap_or_default()));
        }
        let mut tail = [0; 8];
        tail[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
        self.mix(u64::from_le_bytes(tail));
        self.mix(bytes.len() as u64);
    }

    fn write_u8(&mut self, word: u8) {
        self.mix(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_i32(&mut self, word: i32) {
        self.mix(u64::from(word.cast_unsigned()));
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A text with its accents composed (NFC): Macs write «ñ» as two characters.
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// The normal form of a name: trimmed, single spaces, lower case, accents composed.
#[must_use]
pub fn key(text: &str) -> String {
    let text = composed(text);
    let mut key = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.extend(word.chars().flat_map(char::to_lowercase));
    }
    key
}

/// A name trimmed, with single spaces and its accents composed, in its original spelling.
#[must_use]
pub fn tidy(text: &str) -> String {
    composed(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A code without the apostrophe that keeps a spreadsheet from reading it as a number: `'001` is `001`.
#[must_use]
pub fn code(text: &[u8]) -> &[u8] {
    match text {
        [b'\'', rest @ ..] if rest.first().is_some_and(u8::is_ascii_alphanumeric) => rest,
        _ => text,
    }
}

/// Whether a spreadsheet rounded a code away: `4.80002E+12` stands for a million barcodes.
#[must_use]
pub fn spoiled(text: &[u8]) -> bool {
    let text = code(text.trim_ascii());
    let Some(at) = text.iter().position(|byte| matches!(byte, b'E' | b'e')) else { return false };
    let (number, exponent) = (&text[..at], &text[at + 1..]);
    let Some(exponent) = exponent.strip_prefix(b"+") else { return false };
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let number = match number.iter().position(|byte| matches!(byte, b'.' | b',')) {
        Some(mark) => digits(&number[..mark]) && digits(&number[mark + 1..]),
        None => digits(number),
    };
    number && digits(exponent) && exponent.len() <= 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings_of_one_name_share_a_key() {
        assert_eq!(key("  Plain   NAAN "), "plain naan");
        assert_eq!(key("plain naan"), key("Plain\tNaan"));
        assert_eq!(tidy("  Plain   NAAN "), "Plain NAAN");
    }

    #[test]
    fn accents_are_composed_before_names_are_compared() {
        for other in ["Pi\u{f1}a Shake", "Pin\u{303}a Shake", "PI\u{d1}A  SHAKE", "PIN\u{303}A SHAKE"] {
            assert_eq!(key(other), "pi\u{f1}a shake", "{other}");
        }
        assert_eq!(tidy(" Pin\u{303}a  Shake"), "Pi\u{f1}a Shake");
        assert!(matches!(composed("Pi\u{f1}a"), Cow::Borrowed(_)));
    }

    #[test]
    fn codes_lose_one_apostrophe() {
        for (text, expected) in [
            ("'001", "001"),
            ("'000777", "000777"),
            ("'A-1", "A-1"),
            ("001", "001"),
            ("''1", "''1"),
            ("'", "'"),
        ] {
            assert_eq!(code(text.as_bytes()), expected.as_bytes());
        }
    }

    #[test]
    fn codes_that_a_spreadsheet_rounded_are_found() {
        for text in ["4.80002E+12", "4,80002e+12", "5E+05", " '4.8E+012 "] {
            assert!(spoiled(text.as_bytes()), "{text}");
        }
        for text in ["4800021234567", "E+12", "1E5", "4.E+12", "4.8E+", "2E-07", "A4.8E+12", "4.8E+1234", ""]
        {
            assert!(!spoiled(text.as_bytes()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_key_is_the_same_however_accents_are_written(text in "[ a-zA-Zñé\u{301}\u{303}ÅḾ]{0,12}") {
            let apart: String = text.nfd().collect();
            prop_assert_eq!(key(&apart), key(&text));
            prop_assert_eq!(tidy(&apart), tidy(&text));
        }

        #[test]
        fn numbers_map_back_to_their_text(texts in proptest::collection::vec("[a-e]{0,12}", 1..300)) {
            let mut names = Interner::default();
            let ids: Vec<u32> = texts.iter().map(|t| names.intern(t.as_bytes())).collect();
            for (text, id) in texts.iter().zip(&ids) {
                prop_assert_eq!(names.get(*id), text.as_bytes());
                prop_assert_eq!(names.find(text.as_bytes()), Some(*id));
            }
            let different: std::collections::HashSet<_> = texts.iter().collect();
            prop_assert_eq!(names.len(), different.len());
            prop_assert_eq!(names.find(b"zzz"), None);
        }
    }
}
