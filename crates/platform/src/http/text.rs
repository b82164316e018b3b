//! User-entered text: validation and normalisation.

use larder_domain::sales::names;
use unicode_normalization::UnicodeNormalization as _;

/// Lower case with single spaces and composed accents: the form in which names are compared, sorted and searched.
///
/// Computed here and stored, because lower() of SQLite handles ASCII only and PostgreSQL's depends on the
/// collation.
#[must_use]
pub fn fold(text: &str) -> String {
    names::key(text)
}

/// Normal form of hand-copied identifiers, such as slip, bank or till numbers: only letters and digits, in
/// lower case and of normal width.
#[must_use]
pub fn mark(text: &str) -> String {
    let folded = fold(&text.nfkc().collect::<String>());
    let plain: String = folded.chars().filter(|c| c.is_alphanumeric()).collect();
    if plain.is_empty() { folded } else { plain }
}

/// Trimmed text; `None` if nothing of it is visible.
#[must_use]
pub fn said(text: Option<&str>) -> Option<&str> {
    let is_seen = |c: char| !(c.is_whitespace() || is_unseen(c) || is_blank(c));
    text.map(str::trim).filter(|text| text.chars().any(is_seen))
}

/// Characters that are invisible on their own.
fn is_blank(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// Starts of text that a spreadsheet would execute, in full width too; our CSV files prefix an apostrophe.
pub const FORMULA_STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Whether a line contains invisible characters: control characters and direction marks.
#[must_use]
pub fn has_unseen(text: &str) -> bool {
    text.chars().any(is_unseen)
}

/// As [`has_unseen`], for text of several lines: line breaks and tabs are fine.
#[must_use]
pub fn has_unseen_in_lines(text: &str) -> bool {
    text.chars().any(|c| is_unseen(c) && !matches!(c, '\n' | '\r' | '\t'))
}

fn is_unseen(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A label inside a sentence: «name», but «POS code».
#[must_use]
pub fn in_sentence(label: &str) -> String {
    let mut chars = label.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(label.chars().skip(1)).collect()
        }
        _ => label.to_owned(),
    }
}

/// A `like` pattern that finds the text anywhere; `\` escapes.
#[must_use]
pub fn anywhere(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_fold_alike() {
        assert_eq!(fold("  PARAÑAQUE   Branch "), fold("Parañaque branch"));
        assert_eq!(fold("\u{a0}"), "");
        assert_eq!(fold("Pin\u{303}a Shake"), fold("PI\u{d1}A shake"));
    }

    #[test]
    fn spellings_of_one_mark_are_the_same() {
        for other in ["bdo-s1", "BDO S1", "BDO.S\u{200b}1", "ＢＤＯ ｓ１", "bdo\u{ad}s1\u{fe0f}"] {
            assert_eq!(mark(other), mark("BDOS1"), "{other}");
        }
        assert_eq!(mark("Ban\u{303}co"), mark("BAÑCO"));
        assert_ne!(mark("01"), mark("1"));
        assert_eq!((mark(" "), mark("#")), (String::new(), "#".to_owned()));
    }

    #[test]
    fn invisible_text_is_empty() {
        for nothing in ["", "  ", "\u{200b}", " \u{2060}\u{ad} ", "\u{3164}", "\u{fe0f}"] {
            assert_eq!(said(Some(nothing)), None, "{nothing:?}");
        }
        assert_eq!(said(Some(" late ")), Some("late"));
        assert_eq!(said(Some("❤\u{fe0f}")), Some("❤\u{fe0f}"));
    }

    #[test]
    fn invisible_characters_are_found() {
        assert!(has_unseen("a\0b") && has_unseen("a\nb") && has_unseen("a\u{202e}b"));
        assert!(!has_unseen("Halo-halo ₱50 🍧"));
        assert!(!has_unseen_in_lines("one\r\ntwo\t3") && has_unseen_in_lines("a\u{7}"));
    }

    #[test]
    fn wildcards_are_only_characters() {
        assert_eq!(anywhere("5%_\\"), "%5\\%\\_\\\\%");
    }
}
