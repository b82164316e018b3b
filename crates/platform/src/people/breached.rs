//! Common passwords, checked offline: five bytes of the hash of each, sorted. Their source is in
//! docs/decisions/passwords.md.

use sha2::{Digest, Sha256};

static HEADS: &[u8] = include_bytes!("breached.bin");
const WIDTH: usize = 5;

/// Whether a password is on the list, ignoring case.
#[must_use]
pub fn contains(password: &str) -> bool {
    let digest = Sha256::digest(password.trim().to_lowercase().as_bytes());
    let (heads, _) = HEADS.as_chunks::<WIDTH>();
    heads.binary_search_by(|head| head.as_slice().cmp(&digest[..WIDTH])).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_complete() {
        let (heads, rest) = HEADS.as_chunks::<WIDTH>();
        assert!(rest.is_empty() && heads.len() > 5_000 && heads.is_sorted());
    }

    #[test]
    fn common_passwords_are_listed_and_others_are_not() {
        for common in ["password1", "PassWord1", " trustno1 ", "football"] {
            assert!(contains(common), "{common}");
        }
        assert!(!contains("a field of barley in june"));
    }
}
