//! Which fields no two records of a list may share. The schema holds it; whoever must know it beforehand asks here,
//! and a test compares the two.

/// The sets of fields that tell records of a list apart.
#[must_use]
pub fn unique_fields(kind: &str) -> &'static [&'static [&'static str]] {
    match kind {
        "uom" | "location" => &[&["name"], &["code"]],
        "category" => &[&["parentId", "name"]],
        "operationalArea" => &[&["code"], &["parentId", "name"]],
        "account" => &[&["number"], &["parentId", "name"]],
        "rootItem" => &[&["rootProductId"]],
        "posItem" => &[&["posItemId"]],
        "product" => &[&["sku"]],
        "recipe" => &[&["name"], &["code"]],
        "storeInventoryItem" => &[&["code"], &["barcode"]],
        "storeRootItem" => &[&["storeId", "rootItemId"]],
        _ => &[&["name"]],
    }
}
