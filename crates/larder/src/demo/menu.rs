//! What the tills sell, and what each dish is made of.

use larder_domain::{Factor, Money};

use super::dishes::{DISHES, PARTS};
use super::places::Menu;

/// What a dish is in a meal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// What a person comes for.
    Main,
    /// Several people share it.
    Share,
    /// Goes beside a main.
    Side,
    /// A drink.
    Drink,
    /// After the meal, or in the afternoon.
    Sweet,
}

/// A POS item before it has an id.
#[derive(Debug, Clone, PartialEq)]
pub struct Dish {
    /// The till's code.
    pub code: String,
    /// Name on the receipt.
    pub name: String,
    /// Category.
    pub category: &'static str,
    /// Which kitchens cook it.
    pub menu: Menu,
    /// Its place in a meal.
    pub course: Course,
    /// Today's price.
    pub price: Money,
    /// How well it sells beside others of the menu.
    pub weight: f64,
    /// Letters, explained at [`DISHES`].
    pub moods: &'static str,
    /// `Dine-in`, `Delivery` or `All`.
    pub service: &'static str,
    /// Code of a root item and how much of it.
    pub bom: Vec<(&'static str, Factor)>,
}

impl Dish {
    /// Whether a letter stands at it.
    pub fn is(&self, mood: char) -> bool {
        self.moods.contains(mood)
    }
}

/// The whole menu.
pub fn dishes() -> Vec<Dish> {
    let mut all: Vec<Dish> = Vec::new();
    let mut section = Section::default();
    for line in DISHES.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            section = Section::read(title);
        } else {
            section.add(line, &mut all);
        }
    }
    all
}

#[derive(Default)]
struct Section {
    name: &'static str,
    prefix: &'static str,
    menu: Option<Menu>,
    course: &'static str,
    sizes: &'static [Size],
    count: usize,
}

/// Name, what it adds to the bill of materials, and how many twentieths of the dish it holds.
type Size = (&'static str, &'static str, i64);

const SIZES: &[(&str, &[Size])] = &[
    ("meal", &[(" Solo", "", 20), (" Meal", "@rice iced-tea:0.022 @cup", 20)]),
    ("hot", &[(" Regular", "cup12:0.02", 20), (" Large", "cup16:0.02", 27)]),
    (
        "cold",
        &[
            (" Regular", "cup12:0.02 straw:0.01 ice:0.15", 20),
            (" Large", "cup16:0.02 straw:0.01 ice:0.22", 28),
        ],
    ),
];
const ONE_SIZE: &[Size] = &[("", "", 20)];

impl Section {
    fn read(title: &'static str) -> Self {
        let mut fields = title.split('|');
        let mut next = || fields.next().unwrap_or_default();
        let (name, prefix, menu, course, sizes) = (next(), next(), next(), next(), next());
        let menu = match menu {
            "kiosk" => Menu::Kiosk,
            "express" => Menu::Express,
            _ => Menu::All,
        };
        let sizes = SIZES.iter().find(|(name, _)| *name == sizes).map_or(ONE_SIZE, |(_, sizes)| sizes);
        Self { name, prefix, menu: Some(menu), course, sizes, count: 0 }
    }

    fn add(&mut self, line: &'static str, all: &mut Vec<Dish>) {
        let mut fields = line.split('|');
        let mut next = || fields.next().unwrap_or_default();
        let (name, prices, weight, moods, bom) = (next(), next(), next(), next(), next());
        let weight: f64 = weight.parse().unwrap_or(1.0);
        for (at, ((size, extra, parts), price)) in self.sizes.iter().zip(prices.split('/')).enumerate() {
            self.count += 1;
            let mut lines = Vec::new();
            gather(bom, *parts, &mut lines);
            gather(extra, 20, &mut lines);
            all.push(Dish {
                code: format!("{}{:02}", self.prefix, self.count),
                name: format!("{name}{size}"),
                category: self.name,
                menu: self.menu.unwrap_or(Menu::All),
                course: match self.course {
                    "share" => Course::Share,
                    "side" => Course::Side,
                    "drink" => Course::Drink,
                    "sweet" => Course::Sweet,
                    _ => Course::Main,
                },
                price: Money::parse(price).unwrap_or_default(),
                weight: if at == 0 { weight } else { weight * 0.7 },
                moods,
                service: match self.prefix {
                    "BN" => "Delivery",
                    "SH" | "SZ" => "Dine-in",
                    _ => "All",
                },
                bom: lines,
            });
        }
    }
}

/// Adds what a text names, `parts` twentieths of it, parts of the kitchen taken apart.
fn gather(text: &'static str, parts: i64, lines: &mut Vec<(&'static str, Factor)>) {
    for word in text.split_whitespace() {
        if let Some((_, inner)) = PARTS.iter().find(|(name, _)| *name == word) {
            gather(inner, parts, lines);
        } else if let Some((code, amount)) = word.split_once(':') {
            let amount = Factor(Factor::parse(amount).unwrap_or_default().0 / 20 * parts);
            match lines.iter_mut().find(|(known, _)| *known == code) {
                Some((_, sum)) => sum.0 += amount.0,
                None => lines.push((code, amount)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::pantry::roots;
    use std::collections::HashSet;

    #[test]
    fn every_dish_is_made_of_known_root_items() {
        let known: HashSet<_> = roots().iter().map(|root| root.code).collect();
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
    fn sizes_and_parts_are_taken_apart() {
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
