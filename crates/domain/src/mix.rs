//! Mixes: splitting a counted quantity over recipes, and the resulting root items.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::decimal::div_round;
use crate::{Factor, Qty};

/// All of it, in percent.
pub const WHOLE: Qty = Qty(100_000_000);
/// A percentage above this is a typing error.
const MOST: i64 = 1_000_000_000_000;

/// A part of a mix.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = MixSplit))]
#[serde(rename_all = "camelCase")]
pub struct Split {
    pub recipe_id: String,
    /// The recipe's share of the counted quantity, in percent.
    pub percent: Qty,
}

/// Reads a percentage: a number, or one in a text, with a decimal comma too; text that is not a number is zero. Rounded
/// to the millionth.
///
/// # Errors
/// What to do about an out-of-range number.
pub fn percent(value: Option<&Value>) -> Result<Qty, &'static str> {
    let text = match value {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.trim().to_owned(),
        _ => return Ok(Qty::ZERO),
    };
    let read = Qty::parse(&text).or_else(|error| {
        let number: f64 = text.replace(',', ".").parse().map_err(|_| error)?;
        if number.is_finite() { Qty::parse(&format!("{number:.6}")) } else { Err(error) }
    });
    match read {
        Ok(Qty(..0)) => Err("Enter zero or more percent."),
        Ok(Qty(MOST..)) | Err(crate::decimal::DecimalError::TooLarge) => Err("This percentage is too large."),
        Ok(percent) => Ok(percent),
        Err(_) => Ok(Qty::ZERO),
    }
}

/// The sum of the parts; a complete mix is [`WHOLE`].
#[must_use]
pub fn total(splits: &[Split]) -> Qty {
    Qty(splits.iter().fold(0i64, |sum, split| sum.saturating_add(split.percent.0)))
}

/// A batch: its yield and its root items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Units it yields; one if not set.
    pub yields: Option<Qty>,
    pub lines: Vec<(String, Qty)>,
}

/// Units of root items in one counted unit. Unknown recipes, and the rest up to a hundred percent, count for nothing.
/// `None` on overflow.
#[must_use]
pub fn roots(splits: &[Split], batch: impl Fn(&str) -> Option<Batch>) -> Option<BTreeMap<String, Factor>> {
    let mut roots: BTreeMap<String, Factor> = BTreeMap::new();
    for split in splits {
        let Some(Batch { yields, lines }) = batch(&split.recipe_id) else { continue };
        let yields = yields.filter(|qty| qty.0 > 0).unwrap_or(Qty(1_000_000));
        for (root, qty) in lines {
            // Millionths of a percent, times and over millionths, to thousand-millionths.
            let parts = i128::from(split.percent.0).checked_mul(i128::from(qty.0))?.checked_mul(10)?;
            let more = Factor(div_round(parts, i128::from(yields.0))?);
            let factor = roots.entry(root).or_default();
            *factor = factor.checked_add(more)?;
        }
    }
    roots.retain(|_, factor| factor.0 > 0);
    Some(roots)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn split(recipe: &str, percent: i64) -> Split {
        Split { recipe_id: recipe.to_owned(), percent: Qty(percent * 1_000_000) }
    }

    #[test]
    fn a_percentage_is_a_number_or_zero() {
        for (said, meant) in [
            (json!(40), 40_000_000),
            (json!("12,5"), 12_500_000),
            (json!(" 7.25 "), 7_250_000),
            (json!("a third"), 0),
            (json!(""), 0),
            (json!(null), 0),
            (json!(true), 0),
            (json!({}), 0),
            (json!(33.333_333_333_3), 33_333_333),
            (json!("1e1"), 10_000_000),
            (json!("NaN"), 0),
        ] {
            assert_eq!(percent(Some(&said)), Ok(Qty(meant)), "{said}");
        }
        assert_eq!(percent(None), Ok(Qty::ZERO));
        assert!(percent(Some(&json!(-1))).is_err() && percent(Some(&json!(1e12))).is_err());
    }

    #[test]
    fn a_mix_is_the_sum_of_its_recipes() {
        let batch = |id: &str| match id {
            "soup" => Some(Batch {
                yields: Some(Qty(4_000_000)),
                lines: vec![("salt".into(), Qty(1_000_000)), ("rice".into(), Qty(8_000_000))],
            }),
            "stew" => Some(Batch { yields: None, lines: vec![("salt".into(), Qty(500_000))] }),
            _ => None,
        };
        let mix = [split("soup", 60), split("stew", 30), split("gone", 10)];
        assert_eq!(total(&mix), WHOLE);
        // 60% of a quarter and 30% of a half; 60% of two.
        let roots = roots(&mix, batch).expect("small numbers");
        assert_eq!(roots.get("salt"), Some(&Factor(300_000_000)));
        assert_eq!(roots.get("rice"), Some(&Factor(1_200_000_000)));
        assert_eq!(roots.len(), 2);
    }

    proptest! {
        #[test]
        fn one_recipe_in_two_parts_is_the_same_recipe(a in 0i64..100, b in 0i64..100, qty in 1i64..1_000_000_000) {
            let batch = |_: &str| Some(Batch { yields: None, lines: vec![("r".into(), Qty(qty))] });
            let parted = roots(&[split("x", a), split("x", b)], batch).expect("small numbers");
            let whole = roots(&[split("x", a + b)], batch).expect("small numbers");
            prop_assert_eq!(parted, whole);
        }
    }
}
