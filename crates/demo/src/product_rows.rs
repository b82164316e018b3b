//! The commissary's products and their packing.

use std::sync::LazyLock;

use larder_domain::{Money, Qty};
use serde::Deserialize;

use super::table::table;

/// A packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Packing {
    /// Its code in the rows.
    pub code: &'static str,
    /// Appended to the name.
    pub suffix: &'static str,
    pub base_uom: &'static str,
    /// The unit of orders.
    pub selling_uom: &'static str,
    /// Base units per selling unit.
    pub base_per_selling: i64,
    /// `case=10pack pack=1kg`: one case is ten packs, one pack a kilogram.
    pub conversions: &'static str,
    /// Kilograms, litres or pieces per base unit.
    pub amount: &'static str,
}

/// Values shared by the products of a section.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProductSection {
    pub category: &'static str,
    pub sku_prefix: &'static str,
    pub product_type: &'static str,
    pub food_type: &'static str,
    pub storage: &'static str,
    /// In days; 0 for unlimited.
    pub shelf_life: i64,
    /// Number of the inventory account.
    pub inventory_account: &'static str,
    /// Number of the expense account.
    pub expense_account: &'static str,
    /// Thousandths of a cubic metre per kilogram.
    pub litres_per_kg: i64,
}

/// Products that differ only in their packing.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    section: &'static str,
    root_item: &'static str,
    /// Codes of packings.
    packings: &'static str,
    name: &'static str,
    price: &'static str,
    flags: &'static str,
}

static PACKINGS: LazyLock<Vec<Packing>> = table!("packings");
static SECTIONS: LazyLock<Vec<ProductSection>> = table!("product-sections");
static ROWS: LazyLock<Vec<Row>> = table!("products");

/// A product without an id.
#[derive(Debug, Clone, Copy)]
pub struct ProductRow {
    pub section: ProductSection,
    /// Its row's index in the section, used for the SKU.
    number: usize,
    /// Which of its row's packings it has.
    nth_packing: usize,
    /// Name without the packing; that of the root item when empty.
    pub name: &'static str,
    /// Code of its root item; empty for none.
    pub root_item: &'static str,
    pub packing: Packing,
    /// Pesos per kilogram, litre or piece; that of the root item when empty.
    price: &'static str,
    /// Letters: i inactive, p with a picture, n not kept in stock, s service, e without an expense account, c without a
    /// category.
    flags: &'static str,
}

impl ProductRow {
    /// Whether it has this flag.
    pub fn is(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// Its SKU.
    pub fn sku(&self) -> String {
        format!("{}-{:04}", self.section.sku_prefix, self.number * 10 + self.nth_packing + 1)
    }

    /// Kilograms, litres or pieces per base unit.
    pub fn amount(&self) -> Qty {
        Qty::parse(self.packing.amount).unwrap_or_default()
    }

    /// Pesos per kilogram, litre or piece, if its row has a price.
    pub fn own_price(&self) -> Option<Money> {
        Money::parse(self.price).ok()
    }

    /// Whether it is kept in stock; services and items used up at once are not.
    pub fn is_stocked(&self) -> bool {
        !self.is('s') && !self.is('n')
    }
}

/// The first `count` products: all of them, or some of every section, each in its first packing, with special cases
/// first.
pub fn products(count: usize) -> Vec<ProductRow> {
    let all = every();
    if count >= all.len() {
        return all;
    }
    let firsts: Vec<ProductRow> = all.iter().filter(|row| row.nth_packing == 0).copied().collect();
    let wanted = count.min(firsts.len());
    let ordinary = |row: &&ProductRow| match row.flags {
        "" => 2,
        "p" => 1,
        _ => 0,
    };
    let slots = (0..wanted).map(|nth| nth * firsts.len() / wanted..(nth + 1) * firsts.len() / wanted);
    slots.filter_map(|slot| firsts[slot].iter().min_by_key(ordinary).copied()).collect()
}

fn every() -> Vec<ProductRow> {
    SECTIONS.iter().flat_map(|section| of_section(*section)).collect()
}

fn of_section(section: ProductSection) -> impl Iterator<Item = ProductRow> {
    let rows = ROWS.iter().filter(move |row| row.section == section.category).zip(1..);
    rows.flat_map(move |(row, number)| {
        let packings = row.packings.split_whitespace().enumerate();
        packings.filter_map(move |(nth_packing, code)| {
            let packing = PACKINGS.iter().find(|packing| packing.code == code).copied()?;
            let Row { name, root_item, price, flags, .. } = *row;
            Some(ProductRow { section, number, nth_packing, name, root_item, packing, price, flags })
        })
    })
}

/// `case=10pack` → case, 10, pack.
pub fn conversions(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    text.split_whitespace().filter_map(|line| {
        let (from, rest) = line.split_once('=')?;
        let (factor, to) = rest.split_at(rest.find(char::is_alphabetic)?);
        Some((from, factor, to))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use larder_domain::Factor;
    use larder_domain::units::{self, Conversion, Units, Used};
    use serde_json::Value;

    use super::*;
    use crate::root_items::root_items;
    use crate::small_lists::{categories, food_types, product_types, storage_requirements, uoms};
    use crate::table::texts;

    #[test]
    fn every_row_is_a_product_of_known_parts() {
        let all = every();
        assert_eq!(all.len(), 250);
        assert_eq!(all.iter().map(ProductRow::sku).collect::<HashSet<_>>().len(), all.len());
        let known: HashSet<&str> = root_items().iter().map(|root| root.code).collect();
        let known_in =
            |records: Vec<Value>, name: &str| texts(&records, "name").iter().any(|known| known == name);
        for row in &all {
            let ProductSection { category, product_type, food_type, storage, .. } = row.section;
            assert!(known_in(categories(), category), "{category}");
            assert!(known_in(product_types(), product_type), "{product_type}");
            assert!(known_in(food_types(), food_type), "{food_type}");
            assert!(known_in(storage_requirements(), storage), "{storage}");
            assert!(known.contains(row.root_item) || row.root_item.is_empty(), "{}", row.root_item);
            let own = row.own_price().is_some() && !row.name.is_empty();
            assert!(own || !row.root_item.is_empty(), "{}", row.name);
        }
        let packings: usize = ROWS.iter().map(|row| row.packings.split_whitespace().count()).sum();
        assert_eq!(packings, all.len(), "every packing and every section is known");
    }

    #[test]
    fn every_packing_converts() {
        let units = texts(&uoms(), "code");
        for packing in PACKINGS.iter().filter(|packing| !packing.base_uom.is_empty()) {
            let lines: Vec<Conversion<'_>> = conversions(packing.conversions)
                .map(|(from, n, to)| Conversion { from, to, factor: Factor::parse(n).expect("a factor") })
                .collect();
            let used = Used {
                base: Some(packing.base_uom),
                selling: Some(packing.selling_uom),
                others: &[],
                conversions: &lines,
            };
            assert_eq!(units::check(&used), [], "{}", packing.code);
            let ratio = Units::new(packing.base_uom, &lines).factor(packing.selling_uom, packing.base_uom);
            assert_eq!(ratio, Some(Factor(packing.base_per_selling * 1_000_000_000)), "{}", packing.code);
            for unit in lines
                .iter()
                .flat_map(|line| [line.from, line.to])
                .chain([packing.base_uom, packing.selling_uom])
            {
                assert!(units.iter().any(|code| code == unit), "{unit}");
            }
        }
    }

    #[test]
    fn a_few_products_cover_every_kind() {
        let some = products(80);
        assert_eq!(some.len(), 80);
        let sections =
            |rows: &[ProductRow]| rows.iter().map(|row| row.section.sku_prefix).collect::<HashSet<_>>().len();
        assert!(sections(&some) + 2 >= sections(&every()), "{}", sections(&some));
        assert!("ips".chars().all(|flag| some.iter().any(|row| row.is(flag))));
    }
}
