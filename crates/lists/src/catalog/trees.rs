//! Lists that form trees.

use crate::engine::{Reads, list};

list! {
    /// A category of products.
    Category = "category" in "categories", "lists/allLists", "/api/lists/categories" {
        name: String = "Name" [keyed, searched],
        parent_id: Option<String> = "Parent category" [to("categories")],
        position: i64 = "Position" [kept],
    }
    one: "category", many: "Categories", icon: "IconCategory", merges: true, unique: &[&["parentId", "name"]],
    tree: Some("parentId"),
    ;
}

list! {
    /// An operational area, the management structure of stores.
    OperationalArea = "operationalArea" in "operational_areas", "lists/allLists", "/api/lists/operational-areas" {
        name: String = "Name" [keyed, searched],
        code: Option<String> = "Code" [keyed, searched, max(50)],
        parent_id: Option<String> = "Parent area" [to("operational_areas")],
        position: i64 = "Position" [kept],
    }
    one: "operational area", many: "Operational areas", icon: "IconSitemap", merges: true,
    unique: &[&["code"], &["parentId", "name"]], code: Some("code"), tree: Some("parentId"),
    reads: Reads::SignedIn,
    ;
}
