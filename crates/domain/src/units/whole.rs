//! Which units are indivisible.

/// Codes and names of units that measure weight, volume, length, area or time, in lower case: these can be divided. All
/// others are things counted whole: a tub, a bottle, a tray.
const MEASURES: &[&str] = &[
    "kg",
    "kgs",
    "kilo",
    "kilos",
    "kilogram",
    "kilograms",
    "g",
    "gm",
    "gms",
    "gr",
    "gram",
    "grams",
    "mg",
    "milligram",
    "milligrams",
    "t",
    "ton",
    "tons",
    "tonne",
    "tonnes",
    "mt",
    "lb",
    "lbs",
    "pound",
    "pounds",
    "oz",
    "ounce",
    "ounces",
    "fl oz",
    "l",
    "lt",
    "ltr",
    "ltrs",
    "liter",
    "liters",
    "litre",
    "litres",
    "ml",
    "milliliter",
    "milliliters",
    "millilitre",
    "millilitres",
    "cl",
    "dl",
    "cc",
    "gal",
    "gals",
    "gallon",
    "gallons",
    "qt",
    "quart",
    "quarts",
    "pt",
    "pint",
    "pints",
    "cup",
    "cups",
    "tbsp",
    "tablespoon",
    "tsp",
    "teaspoon",
    "m",
    "meter",
    "meters",
    "metre",
    "metres",
    "cm",
    "mm",
    "ft",
    "foot",
    "feet",
    "inch",
    "inches",
    "yd",
    "yard",
    "yards",
    "sqm",
    "m2",
    "m²",
    "cbm",
    "m3",
    "m³",
    "hr",
    "hrs",
    "hour",
    "hours",
    "min",
    "minute",
    "minutes",
    "day",
    "days",
];

/// Whether a unit is divisible, by its code or name. It decides where a unit's record does not; migrations 0061 and
/// 0062 use the same words.
#[must_use]
pub fn is_measure(code: &str, name: &str) -> bool {
    let known = |text: &str| {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        MEASURES.contains(&text.as_str())
    };
    known(code) || known(name)
}

/// Whether a product is only ordered, sent and wasted in whole numbers of a unit: if the unit is indivisible, base unit
/// or not, or if the product requires it of a divisible unit.
#[must_use]
pub const fn comes_whole(unit_is_whole: bool, product_says_whole: bool) -> bool {
    unit_is_whole || product_says_whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_and_volume_can_be_divided_and_things_cannot() {
        for (code, name) in
            [("kg", "Kilogram"), ("L", "Litre"), ("K", "kilogram"), ("mL", "Millilitre"), ("Lbs.", "x")]
        {
            assert!(is_measure(code, name), "{code} {name}");
        }
        for (code, name) in
            [("tub", "Tub"), ("btl", "Bottle"), ("tray", "Tray"), ("pc", "Piece"), ("cs", "Case")]
        {
            assert!(!is_measure(code, name), "{code} {name}");
        }
        assert!(comes_whole(true, false) && comes_whole(false, true) && !comes_whole(false, false));
    }

    #[test]
    fn the_migrations_have_the_same_words() {
        let words = |sql: &'static str| sql.split('\'').skip(1).step_by(2).collect::<Vec<&str>>();
        let first = words(include_str!("../../../db/migrations/0061_whole_units.sql"));
        let (codes, names) = first.split_at(first.len() / 2);
        assert_eq!((codes, names), (MEASURES, MEASURES));
        let (list, _) = include_str!("../../../db/migrations/0062_measures_with_a_stop.sql")
            .split_once("\nupdate")
            .expect("the update");
        assert_eq!(words(list), MEASURES);
    }
}
