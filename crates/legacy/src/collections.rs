//! Maps files to targets, and orders them: referenced records before those that refer to them.

use std::path::{Path, PathBuf};

use larder_lists::catalog;
use larder_lists::engine::ListDef;

/// Target of a collection's documents.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    List(&'static ListDef),
    Roles,
    Users,
    /// Groups of stores that count the same items.
    Groups,
    /// Items each store counts.
    Visibility,
    /// How items are split over recipes.
    Mixes,
    /// Count settings of stores.
    CountSettings,
    Counts,
    /// Store orders in their final state.
    Orders,
    /// Deliveries in their final state.
    Deliveries,
    /// Receipts in their final state.
    Receipts,
    /// No table yet: stored unchanged.
    Kept,
}

/// Legacy collections that become lists, in import order.
const LISTS: &[(&str, &ListDef)] = &[
    ("uoms", &catalog::Uom::DEF),
    ("categories", &catalog::Category::DEF),
    ("foodTypes", &catalog::FoodType::DEF),
    ("productTypes", &catalog::ProductType::DEF),
    ("storageRequirements", &catalog::StorageRequirement::DEF),
    ("priceLevels", &catalog::PriceLevel::DEF),
    ("storeFormats", &catalog::StoreFormat::DEF),
    ("regionalAreas", &catalog::RegionalArea::DEF),
    ("operationalAreas", &catalog::OperationalArea::DEF),
    ("companies", &catalog::Company::DEF),
    ("suppliers", &catalog::Supplier::DEF),
    ("commissaries", &catalog::Commissary::DEF),
    ("warehouses", &catalog::Warehouse::DEF),
    ("coldStorages", &catalog::ColdStorage::DEF),
    ("chartOfAccounts", &catalog::Account::DEF),
    ("accounts", &catalog::Account::DEF),
    ("rootProducts", &catalog::RootItem::DEF),
    ("posItems", &catalog::PosItem::DEF),
    ("locations", &catalog::Location::DEF),
    ("products", &catalog::Product::DEF),
    ("recipes", &catalog::Recipe::DEF),
    ("storeInventoryItems", &catalog::StoreInventoryItem::DEF),
    ("storeRootItems", &catalog::StoreRootItem::DEF),
];

/// Legacy collections that go to ledgers: groups before their stores, orders before their deliveries,
/// deliveries before their receipts.
const BOOKS: &[(&str, Target)] = &[
    ("appRoles", Target::Roles),
    ("appUsers", Target::Users),
    ("storeInventoryVisibilityGroups", Target::Groups),
    ("storeInventoryVisibility", Target::Visibility),
    ("storeInventoryItemMixes", Target::Mixes),
    ("storeCountSettings", Target::CountSettings),
    ("storeCounts", Target::Counts),
    ("storeOrders", Target::Orders),
    ("commissaryOrders", Target::Orders),
    ("commissaryDeliveries", Target::Deliveries),
    ("deliveries", Target::Deliveries),
    ("storeReceipts", Target::Receipts),
    ("storeReceive", Target::Receipts),
    ("receipts", Target::Receipts),
];

/// Extensions of document files.
const ENDINGS: [&str; 3] = ["jsonl", "ndjson", "json"];

/// Collections that earlier versions stored unchanged, and that have a table now.
pub fn taken_since() -> impl Iterator<Item = &'static str> {
    let of_people = |target: &Target| matches!(target, Target::Roles | Target::Users);
    BOOKS.iter().filter(move |(_, target)| !of_people(target)).map(|(name, _)| *name)
}

/// A file and its target.
#[derive(Debug)]
pub struct Found {
    /// The collection, by the file's name.
    pub collection: String,
    pub file: String,
    pub path: PathBuf,
    pub target: Target,
}

/// The files of a folder, in import order.
pub fn found(folder: &Path) -> std::io::Result<Vec<Found>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if !path.is_file() || name.is_empty() || !ENDINGS.contains(&ending) {
            continue;
        }
        let file = format!("{name}.{ending}");
        files.push(Found { collection: name.to_owned(), file, target: target(name), path: path.clone() });
    }
    files.sort_by(|a, b| (rank(&a.collection), &a.file).cmp(&(rank(&b.collection), &b.file)));
    Ok(files)
}

fn target(collection: &str) -> Target {
    let list = LISTS.iter().find(|(name, _)| *name == collection).map(|(_, def)| Target::List(def));
    let book = || BOOKS.iter().find(|(name, _)| *name == collection).map(|(_, target)| *target);
    list.or_else(book).unwrap_or(Target::Kept)
}

fn rank(collection: &str) -> usize {
    let names = LISTS.iter().map(|(name, _)| *name).chain(BOOKS.iter().map(|(name, _)| *name));
    names.into_iter().position(|name| name == collection).unwrap_or(LISTS.len() + BOOKS.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use larder_lists::imports::records::tables;

    #[test]
    fn referenced_records_come_first() {
        for (at, (collection, def)) in LISTS.iter().enumerate() {
            for table in tables(def).into_iter().filter(|table| *table != def.table) {
                let named = LISTS.iter().position(|(_, other)| other.table == table);
                assert!(named.is_some_and(|named| named < at), "{collection} names {table}");
            }
        }
    }
}
