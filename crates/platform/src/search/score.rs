//! Relevance of a record for the typed words: whole words before prefixes, prefixes before substrings, and
//! those before words with one or two typing errors.

use crate::http::text::fold;

/// Weight of the name against the other words.
const NAME: u32 = 10;
const CODE: u32 = 11;
const REST: u32 = 6;

/// The fewest digits of a telephone number.
const DIGITS: usize = 7;

/// A word this short may have a typing error only among other words, and not in its first letter.
const SHORT: usize = 3;

/// The fewest letters, without a digit, that are found inside a word.
const INSIDE: usize = 4;

/// In a name, the fewest letters that may begin a word, and that may have a typing error.
const BEGINS: usize = 4;
const MISTYPED: usize = 5;

/// The longest word in which typing errors are tolerated, and how many letters of a word it is compared with.
const LONGEST: usize = 30;
const COMPARED: usize = LONGEST + 2;

/// The searchable words of a record.
#[derive(Debug, Clone, Default)]
pub struct Words {
    words: Vec<Word>,
    whole: Box<str>,
    letters: u64,
}

#[derive(Debug, Clone)]
struct Word {
    text: Box<str>,
    weight: u32,
    letters: u64,
}

impl Words {
    /// From a record's name, its code and other searchable text, one entry per line.
    #[must_use]
    pub fn of(name: &str, code: Option<&str>, rest: &str) -> Self {
        let whole = plain(name);
        let mut words: Vec<Word> = Vec::new();
        let mut add = |text: &str, weight: u32| {
            if !text.is_empty() && !words.iter().any(|known| known.text.as_ref() == text) {
                words.push(Word { text: text.into(), weight, letters: letters(text) });
            }
        };
        if let Some(code) = code {
            add(&plain(code), CODE);
        }
        split(&whole).for_each(|word| add(word, NAME));
        for line in rest.lines() {
            let line = plain(line);
            split(&line).for_each(|word| add(word, REST));
            let digits: String = line.chars().filter(char::is_ascii_digit).collect();
            if digits.len() >= DIGITS {
                add(&digits, REST);
            }
        }
        let letters = words.iter().fold(0, |all, word| all | word.letters);
        Self { words, whole: whole.into(), letters }
    }

    /// How many of some words, as [`plain`] has them, the name begins with, at least two; 0 if it does not. `joins`: words
    /// that stand for «&», which are left out of the comparison, here and in the name.
    #[must_use]
    pub fn begins_with(&self, typed: &[String], joins: &[&str]) -> usize {
        let mut name = split(&self.whole).filter(|word| !joins.contains(word));
        let (mut used, mut equal) = (0, 0);
        for (at, word) in typed.iter().enumerate() {
            if equal > 0 && joins.contains(&word.as_str()) {
                continue;
            }
            if name.next() != Some(word.as_str()) {
                break;
            }
            (used, equal) = (at + 1, equal + 1);
        }
        if equal < 2 { 0 } else { used }
    }
}

/// A parsed search text.
#[derive(Debug)]
pub struct Needle {
    words: Vec<Wanted>,
    whole: String,
}

/// What part of a record's word a typed word may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Whole,
    Beginning,
    Inside,
}

#[derive(Debug)]
struct Wanted {
    text: String,
    chars: Vec<char>,
    letters: u64,
    errors: usize,
    reach: Reach,
}

impl Needle {
    /// Parses a search text; `None` if it is empty.
    #[must_use]
    pub fn read(typed: &str) -> Option<Self> {
        let whole = plain(typed);
        let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
        let only_digits = typed.chars().all(|c| c.is_ascii_digit() || "+-(). ".contains(c));
        let words: Vec<Wanted> = if only_digits && digits.len() >= DIGITS {
            vec![Wanted::of(&national(&digits))]
        } else {
            split(&whole).take(8).map(Wanted::of).collect()
        };
        let several = words.len() > 1;
        let words = words
            .into_iter()
            .map(|word| if several { word.among_others() } else { word })
            .collect::<Vec<_>>();
        (!words.is_empty()).then_some(Self { words, whole })
    }

    /// Parses a name inside a sentence, where a word is whole: one of up to three letters equals a word or code of the
    /// record, a longer one may begin it, and only one of five or more may have a typing error. `None` if it is empty.
    #[must_use]
    pub fn named(typed: &str) -> Option<Self> {
        let whole = plain(typed);
        let words: Vec<Wanted> = split(&whole).take(8).map(|word| Wanted::of(word).in_a_name()).collect();
        (!words.is_empty()).then_some(Self { words, whole })
    }

    /// Relevance of a record, if every word matches.
    #[must_use]
    pub fn score(&self, words: &Words) -> Option<u32> {
        let mut sum = 0;
        for wanted in &self.words {
            if wanted.missing(words.letters) > wanted.errors {
                return None;
            }
            sum += words.words.iter().filter_map(|word| Some(wanted.fit(word)? * word.weight)).max()?;
        }
        // The name equal to the text, or beginning with it, ranks first.
        let name = if *words.whole == self.whole {
            2_000
        } else if words.whole.starts_with(&self.whole) {
            500
        } else {
            0
        };
        Some(sum / u32::try_from(self.words.len()).unwrap_or(1) + name)
    }
}

impl Wanted {
    fn of(word: &str) -> Self {
        let chars: Vec<char> = word.chars().collect();
        let errors = match chars.len() {
            0..=3 => 0,
            4..=7 => 1,
            8..=LONGEST => 2,
            _ => 0,
        };
        // Numbers are looked for by any of their digits.
        let inside =
            chars.len() >= INSIDE || chars.len() >= SHORT && word.contains(|c: char| c.is_ascii_digit());
        let reach = if inside { Reach::Inside } else { Reach::Beginning };
        Self { text: word.to_owned(), letters: letters(word), chars, errors, reach }
    }

    fn in_a_name(self) -> Self {
        let reach = if self.chars.len() < BEGINS { Reach::Whole } else { Reach::Beginning };
        let errors = usize::from((MISTYPED..=LONGEST).contains(&self.chars.len()));
        Self { reach, errors, ..self }
    }

    /// A short word may have an error if others give context: «weekly rot item».
    fn among_others(mut self) -> Self {
        if self.chars.len() == SHORT && self.chars.iter().all(|letter| letter.is_alphabetic()) {
            self.errors = 1;
        }
        self
    }

    /// Number of its letters missing from these.
    fn missing(&self, letters: u64) -> usize {
        (self.letters & !letters).count_ones() as usize
    }

    /// From 100, an equal word, down.
    fn fit(&self, word: &Word) -> Option<u32> {
        // Every missing letter is an error; this alone rules out most words.
        let missing = self.missing(word.letters);
        if missing == 0 {
            match word.text.strip_prefix(self.text.as_str()) {
                Some("") => return Some(100),
                Some(rest) if self.reach != Reach::Whole => {
                    return Some(85 - u32::try_from(rest.len()).unwrap_or(20).min(20));
                }
                _ => {}
            }
            if self.reach == Reach::Inside && word.text.contains(self.text.as_str()) {
                return Some(50);
            }
        }
        if self.errors == 0 || missing > self.errors {
            return None;
        }
        if self.chars.len() == SHORT && word.text.chars().next() != self.chars.first().copied() {
            return None;
        }
        let errors = distance_to_beginning(&self.chars, &word.text, self.errors)?;
        Some(44 - 12 * u32::try_from(errors).unwrap_or(2))
    }
}

/// Edits (insert, delete, replace, transpose) that turn `typed`, at most [`LONGEST`] letters, into a prefix
/// of `word`; `None` past `most`, which is at most two. Optimal string alignment: Boytsov, «Indexing methods
/// for approximate dictionary searching» (2011); the minimum of the last row finds words still being typed.
fn distance_to_beginning(typed: &[char], word: &str, most: usize) -> Option<usize> {
    let mut compared = ['\0'; COMPARED];
    let mut length = 0;
    for (place, letter) in compared.iter_mut().zip(word.chars()).take(typed.len() + most) {
        *place = letter;
        length += 1;
    }
    let word = &compared[..length];
    if word.len() + most < typed.len() {
        return None;
    }
    let width = word.len() + 1;
    let mut before = [0; COMPARED + 1];
    let mut last: [usize; COMPARED + 1] = std::array::from_fn(|j| j);
    for (i, a) in typed.iter().enumerate() {
        let mut row = [i + 1; COMPARED + 1];
        let mut least_of_row = i + 1;
        for (j, b) in word.iter().enumerate() {
            let exchanged = last[j] + usize::from(a != b);
            let mut least = exchanged.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == word[j - 1] && typed[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
            least_of_row = least_of_row.min(least);
        }
        if least_of_row > most {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    last[..width].iter().copied().min().filter(|errors| *errors <= most)
}

/// A number in its national form.
fn national(digits: &str) -> String {
    digits
        .strip_prefix("63")
        .filter(|rest| rest.len() >= DIGITS)
        .unwrap_or(digits)
        .trim_start_matches('0')
        .to_owned()
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Case-folded, without diacritics on Latin letters.
#[must_use]
pub fn plain(text: &str) -> String {
    fold(text)
        .chars()
        .map(|c| match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
            'ç' | 'ć' | 'č' => 'c',
            'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
            'ì'..='ï' | 'ī' => 'i',
            'ñ' | 'ń' | 'ň' => 'n',
            'ò'..='ö' | 'ø' | 'ō' => 'o',
            'ù'..='ü' | 'ū' => 'u',
            'ý' | 'ÿ' => 'y',
            'š' | 'ś' => 's',
            'ž' | 'ź' | 'ż' => 'z',
            other => other,
        })
        .collect()
}

/// Bit set of its letters; everything but ASCII letters and digits shares the remaining bits.
fn letters(word: &str) -> u64 {
    word.chars().fold(0, |all, c| {
        let bit = match c {
            'a'..='z' => c as u32 - 'a' as u32,
            '0'..='9' => 26 + (c as u32 - '0' as u32),
            other => 36 + (other as u32 % 28),
        };
        all | (1 << bit)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn score(typed: &str, name: &str) -> Option<u32> {
        Needle::read(typed)?.score(&Words::of(name, Some("SKU-104"), "anybody\n+63 (917) 555-0142"))
    }

    #[test]
    fn a_name_begins_with_words() {
        let begins = |typed: &str, name: &str| {
            let typed: Vec<String> = typed.split(' ').map(plain).collect();
            Words::of(name, None, "").begins_with(&typed, &["and"])
        };
        assert_eq!(begins("cash and carry yesterday", "Cash & Carry, Pasay"), 3);
        assert_eq!(begins("cash carry", "Cash and Carry"), 2);
        assert_eq!(begins("peñafrancia mall today", "Penafrancia Mall"), 2);
        assert_eq!(begins("cash yesterday", "Cash & Carry"), 0);
        assert_eq!(begins("carry cash", "Cash & Carry"), 0);
    }

    #[test]
    fn typing_errors_are_tolerated() {
        for typed in ["pandesal", "pandsal", "pandseal", "pamdesal", "pandesall", "PANDE", "desal"] {
            assert!(score(typed, "Pandesal, whole wheat").is_some(), "{typed}");
        }
        assert!(score("weekly rot item", "Weekly root item sales").is_some());
        assert!(score("weekly cot item", "Weekly root item sales").is_none());
        assert!(score("rot", "Root items").is_none() && score("skq 105", "Root items").is_none());
        for typed in ["pancit", "xyz", "pandesal rye", ""] {
            assert!(score(typed, "Pandesal, whole wheat").is_none(), "{typed}");
        }
    }

    #[test]
    fn the_better_match_comes_first() {
        let order = ["Salt", "Salted egg", "Sea salt", "Unsalted butter", "Slat board"];
        let scores: Vec<u32> = order.iter().map(|name| score("salt", name).expect("a find")).collect();
        assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
    }

    #[test]
    fn a_short_word_never_matches_inside_a_name() {
        let named = |typed: &str, name: &str| Needle::named(typed)?.score(&Words::of(name, Some("SM1"), ""));
        for (typed, name) in [
            ("sa", "Sabaw ng baka"),
            ("ng", "Ngohiong"),
            ("na", "Nata de coco"),
            ("sal", "Salt"),
            ("alt", "Salt"),
            ("salt", "Unsalted butter"),
            ("sl", "Salt"),
            ("slat", "Salt"),
            ("sm", "Smoked ham"),
        ] {
            assert_eq!(named(typed, name), None, "{typed} in {name}");
        }
        for (typed, name) in [
            ("ng", "Ng Store"),
            ("sm1", "Anything"),
            ("salt", "Salted egg"),
            ("chiken", "Chicken thigh"),
            ("makati", "Makati Ayala"),
            ("sm", "SM North"),
        ] {
            assert!(named(typed, name).is_some(), "{typed} in {name}");
        }
        assert!(score("des", "Pandesal").is_none() && score("104", "Anything").is_some());
    }

    #[test]
    fn codes_and_numbers_are_found_however_they_are_written() {
        for typed in ["sku-104", "SKU 104", "0917 555 0142", "+63 917 5550142", "9175550142", "anybody"] {
            assert!(score(typed, "Anything").is_some(), "{typed}");
        }
        assert!(score("Paranaque", "Parañaque South").is_some());
    }

    proptest! {
        /// One replaced, missing or added letter of a longer word never hides it.
        #[test]
        fn one_error_is_always_tolerated(word in "[a-z]{5,12}", at in 0usize..12, letter in "[a-z]", what in 0u8..3) {
            let mut typed: Vec<char> = word.chars().collect();
            let at = at % typed.len();
            let letter = letter.chars().next().expect("a letter");
            match what {
                0 => typed[at] = letter,
                1 => { typed.remove(at); }
                _ => typed.insert(at, letter),
            }
            let typed: String = typed.into_iter().collect();
            prop_assert!(Needle::read(&typed).expect("a needle").score(&Words::of(&word, None, "")).is_some());
        }

        /// A word of up to three letters matches only an equal word.
        #[test]
        fn a_short_word_in_a_name_is_whole(typed in "[a-z]{1,3}", name in "[a-z]{1,6}( [a-z]{1,6}){0,3}") {
            let found = Needle::named(&typed).expect("a needle").score(&Words::of(&name, None, "")).is_some();
            prop_assert_eq!(found, name.split(' ').any(|word| word == typed));
        }

        #[test]
        fn no_input_panics(typed in any::<String>(), name in any::<String>(), rest in any::<String>()) {
            if let Some(needle) = Needle::read(&typed) {
                let _ = needle.score(&Words::of(&name, Some(&rest), &rest));
            }
            if let Some(needle) = Needle::named(&typed) {
                let _ = needle.score(&Words::of(&name, Some(&rest), &rest));
            }
        }
    }
}
