//! The menu: POS items and their ingredients.

use std::sync::LazyLock;

use larder_domain::{Factor, Money};
use serde::Deserialize;

use super::stores::Kitchen;
use super::table::table;

/// The course of a dish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DishKind {
    Main,
    /// Shared by several guests.
    Sharing,
    /// Goes with a main.
    Side,
    Drink,
    /// Dessert or afternoon snack.
    Sweet,
}

/// A POS item without an id.
#[derive(Debug, Clone, PartialEq)]
pub struct Dish {
    /// The till's code.
    pub code: String,
    /// The name on the receipt.
    pub name: String,
    pub category: &'static str,
    /// The smallest kitchen that cooks it.
    pub kitchen: Kitchen,
    pub kind: DishKind,
    /// Today's price.
    pub price: Money,
    /// Its popularity relative to the rest of the menu.
    pub weight: f64,
    /// Letters; see [`Row::traits`].
    pub traits: &'static str,
    /// `Dine-in`, `Delivery` or `All`.
    pub service: &'static str,
    /// Root items by code, with quantities.
    pub bom: Vec<(&'static str, Factor)>,
}

impl Dish {
    /// Whether it has this trait.
    pub fn is(&self, letter: char) -> bool {
        self.traits.contains(letter)
    }
}

/// A section of the menu.
#[derive(Debug, Deserialize)]
struct Section {
    name: &'static str,
    /// Prefix of the till's codes.
    code: &'static str,
    kitchen: Kitchen,
    kind: DishKind,
    /// The [`Size`]s of its dishes; a single one if empty.
    sizes: &'static str,
}

/// A dish of the menu in all its sizes.
#[derive(Debug, Deserialize)]
struct Row {
    section: &'static str,
    name: &'static str,
    /// One for each size, separated by slashes.
    prices: &'static str,
    weight: f64,
    /// b breakfast, m afternoon, c hot season, h rainy season, x Christmas (xx: only then), k weekends and families, n
    /// new, d dropped from the menu.
    traits: &'static str,
    /// Of the first size: `rice:0.1`, root item and amount, or the name of a [`Component`].
    ingredients: &'static str,
}

/// A size of a dish.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Size {
    sizes: &'static str,
    size: &'static str,
    /// Additional ingredients.
    ingredients: &'static str,
    /// Its quantity in twentieths of the dish.
    twentieths: i64,
}

/// Ingredients shared by many dishes.
#[derive(Debug, Deserialize)]
struct Component {
    name: &'static str,
    ingredients: &'static str,
}

static SECTIONS: LazyLock<Vec<Section>> = table!("menu-sections");
static ROWS: LazyLock<Vec<Row>> = table!("menu");
static SIZES: LazyLock<Vec<Size>> = table!("dish-sizes");
static COMPONENTS: LazyLock<Vec<Component>> = table!("menu-components");

const ONE_SIZE: Size = Size { sizes: "", size: "", ingredients: "", twentieths: 20 };

/// The whole menu.
pub fn dishes() -> Vec<Dish> {
    SECTIONS.iter().flat_map(Section::dishes).collect()
}

impl Section {
    fn dishes(&self) -> Vec<Dish> {
        let mut sizes: Vec<Size> = SIZES.iter().filter(|size| size.sizes == self.sizes).copied().collect();
        if sizes.is_empty() {
            sizes.push(ONE_SIZE);
        }
        let rows = ROWS.iter().filter(|row| row.section == self.name);
        let sized = rows.flat_map(|row| (0..sizes.len()).map(move |nth| (row, nth)));
        sized.zip(1..).map(|((row, nth), number)| self.dish(row, (nth, &sizes[nth]), number)).collect()
    }

    /// A dish in its nth size.
    fn dish(&self, row: &Row, (nth, size): (usize, &Size), number: u32) -> Dish {
        let mut bom = Vec::new();
        gather(row.ingredients, size.twentieths, &mut bom);
        gather(size.ingredients, 20, &mut bom);
        let price = row.prices.split('/').nth(nth).unwrap_or_default();
        Dish {
            code: format!("{}{number:02}", self.code),
            name: format!("{} {}", row.name, size.size).trim_end().to_owned(),
            category: self.name,
            kitchen: self.kitchen,
            kind: self.kind,
            price: Money::parse(price).unwrap_or_default(),
            weight: if nth == 0 { row.weight } else { row.weight * 0.7 },
            traits: row.traits,
            service: match self.code {
                "BN" => "Delivery",
                "SH" | "SZ" => "Dine-in",
                _ => "All",
            },
            bom,
        }
    }
}

/// Adds ingredients, scaled by twentieths; components are expanded.
fn gather(ingredients: &'static str, twentieths: i64, bom: &mut Vec<(&'static str, Factor)>) {
    for word in ingredients.split_whitespace() {
        if let Some(component) = COMPONENTS.iter().find(|component| component.name == word) {
            gather(component.ingredients, twentieths, bom);
        } else if let Some((code, amount)) = word.split_once(':') {
            let amount = Factor(Factor::parse(amount).unwrap_or_default().0 / 20 * twentieths);
            match bom.iter_mut().find(|(known, _)| *known == code) {
                Some((_, sum)) => sum.0 += amount.0,
                None => bom.push((code, amount)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root_items::root_items;
    use std::collections::HashSet;

    #[test]
    fn every_dish_is_made_of_known_root_items() {
        let known: HashSet<_> = root_items().iter().map(|root| root.code).collect();
        let all = dishes();
        assert!((190..=220).contains(&all.len()), "{}", all.len());
        assert_eq!(all.iter().map(|d| &d.code).collect::<HashSet<_>>().len(), all.len());
        assert_eq!(all.iter().map(|d| &d.name).collect::<HashSet<_>>().len(), all.len());
        for dish in &all {
            assert!(dish.price > Money::ZERO && dish.weight > 0.0 && !dish.bom.is_empty(), "{}", dish.name);
            for (code, amount) in &dish.bom {
                assert!(known.contains(code) && amount.0 > 0, "{}: {code}", dish.name);
            }
        }
    }

    #[test]
    fn every_row_is_in_a_section() {
        assert!(ROWS.iter().all(|row| SECTIONS.iter().any(|section| section.name == row.section)));
        let sizes = |name| SIZES.iter().filter(|size| size.sizes == name).count().max(1);
        for section in SECTIONS.iter() {
            for row in ROWS.iter().filter(|row| row.section == section.name) {
                assert_eq!(row.prices.split('/').count(), sizes(section.sizes), "{}", row.name);
            }
        }
    }

    #[test]
    fn sizes_and_components_are_expanded() {
        let all = dishes();
        let meal = all.iter().find(|d| d.name == "Pork Barbecue, 2 Sticks Meal").expect("a meal");
        let amount = |code| meal.bom.iter().find(|(c, _)| *c == code).map(|(_, amount)| amount.to_string());
        assert_eq!(amount("bbq").as_deref(), Some("2"));
        assert_eq!(amount("rice").as_deref(), Some("0.1"));
        let large = all.iter().find(|d| d.name == "Mango Shake Large").expect("a large one");
        assert_eq!(large.bom[0].1.to_string(), "0.112");
        assert_eq!(large.price, Money(11_800));
    }
}
