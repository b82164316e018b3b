//! Nouns with a number or an indefinite article.

use std::fmt::Display;

/// `1 row`, `2 rows`.
#[must_use]
pub fn plural<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    let noun = if count == N::from(1_u8) { one } else { many };
    format!("{count} {noun}")
}

/// `a store`, `an order`. Nouns in u sound like `unit`.
#[must_use]
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']) { "an" } else { "a" };
    format!("{article} {noun}")
}

#[cfg(test)]
mod tests {
    use super::{plural, with_article};

    #[test]
    fn one_is_singular_and_every_other_number_is_not() {
        assert_eq!(plural(1_usize, "row", "rows"), "1 row");
        assert_eq!(plural(0_i64, "row is", "rows are"), "0 rows are");
        assert_eq!(plural(21_u64, "row", "rows"), "21 rows");
    }

    #[test]
    fn the_article_goes_by_the_first_sound() {
        let said = ["order template", "unit of measure", "API connector", "store"].map(with_article);
        assert_eq!(said, ["an order template", "a unit of measure", "an API connector", "a store"]);
    }
}
