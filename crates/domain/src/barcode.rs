//! Codes that scanners read from packs.

/// A code as codes are compared. Letter case does not matter, and one number of GS1 is the same however many zeros a
/// scanner puts before it: a UPC of twelve digits, the EAN of thirteen and the GTIN of fourteen.
#[must_use]
pub fn key(code: &str) -> String {
    let code = code.trim().to_lowercase();
    let digits = code.bytes().all(|byte| byte.is_ascii_digit());
    match code.len() {
        12 if digits => format!("0{code}"),
        14 if digits && code.starts_with('0') => code[1..].to_owned(),
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn one_number_has_one_key() {
        for code in ["036000291452", "0036000291452", "00036000291452", " 0036000291452 "] {
            assert_eq!(key(code), "0036000291452", "{code}");
        }
    }

    #[test]
    fn other_codes_stay_apart() {
        // A case has a code of its own, and a short number keeps its zeros.
        assert_eq!(key("14800012345675"), "14800012345675");
        assert_eq!((key("007"), key("7")), ("007".to_owned(), "7".to_owned()));
        assert_eq!(key("Larder-Case 1"), "larder-case 1");
        assert_eq!(key("ÑANDU-000001"), "ñandu-000001");
    }
}
