//! Record ids: short, opaque, unique across the product.

use crate::Timestamp;

/// Sixteen characters of lower-case base 32, ordered by time of creation.
///
/// 45 bits of milliseconds lead, so new rows go to the end of an index; 35 random bits follow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Id(pub String);

/// Without i, l, o and u, which are easily confused when an id is read aloud.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl Id {
    /// From a moment and 35 random bits (the lowest of `random`).
    #[must_use]
    pub fn new(at: Timestamp, random: u64) -> Self {
        let mut text = String::with_capacity(16);
        let time = at.0.unsigned_abs();
        for shift in (0..9).rev() {
            text.push(char::from(ALPHABET[usize::try_from((time >> (shift * 5)) & 31).unwrap_or(0)]));
        }
        for shift in (0..7).rev() {
            text.push(char::from(ALPHABET[usize::try_from((random >> (shift * 5)) & 31).unwrap_or(0)]));
        }
        Self(text)
    }

    /// The id's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time() {
        let early = Id::new(Timestamp(1_700_000_000_000), u64::MAX);
        let late = Id::new(Timestamp(1_700_000_000_001), 0);
        assert!(early < late);
        assert_eq!(early.as_str().len(), 16);
    }
}
