//! Every page that can be guarded, its label, and the actions available on it.

use std::sync::LazyLock;

use serde_json::Value;

use super::Action::{
    self, Approve, Count, Create, Delete, Edit, Export, Import, Override, Post, Unlock, View,
};
use super::Permissions;

/// Every category with its pages. A page missing here cannot be guarded or granted.
pub const CATALOGUE: &[(&str, &[&str])] = &[
    ("dashboard", &["home", "drpNew"]),
    ("commissary", &["orders", "deliveries"]),
    ("products", &["products"]),
    (
        "stores",
        &["storeList", "storeInventory", "storeCount", "storeOrders", "storeReceive", "storeTransactions"],
    ),
    ("sales", &["cmsr", "netsuite", "zReading", "tenderReport"]),
    ("reports", &["reports"]),
    ("lists", &["allLists", "commissaries", "storeInventoryItems"]),
    ("yourCompany", &["chartOfAccounts"]),
    ("manageUsers", &["users", "applications"]),
    (
        "tools",
        &["services", "zReadingOcr", "importData", "importSalesProduct", "transactionInsights", "testApi"],
    ),
    ("apps", &["backOffice", "branchOps", "storeCount"]),
];

/// The label of a category or page, and the actions that apply to it.
struct Page(&'static str, &'static str, &'static [Action]);

const CATEGORIES: &[(&str, &str)] = &[
    ("dashboard", "Dashboard"),
    ("commissary", "Commissary"),
    ("products", "Products"),
    ("stores", "Stores"),
    ("sales", "Sales"),
    ("reports", "Reports"),
    ("lists", "Lists"),
    ("yourCompany", "Your company"),
    ("manageUsers", "Manage users"),
    ("tools", "Tools"),
    ("apps", "Apps"),
];

const LIST: &[Action] = &[View, Create, Edit, Delete, Export];

const PAGES: &[Page] = &[
    Page("dashboard/home", "Home", &[View]),
    Page("dashboard/drpNew", "Replenishment plan", &[View, Edit, Export, Approve]),
    Page("commissary/orders", "Commissary orders", &[View, Create, Edit, Export, Approve, Post, Override]),
    Page("commissary/deliveries", "Deliveries", &[View, Create, Edit, Export, Post, Override]),
    Page("products/products", "Products", LIST),
    Page("stores/storeList", "Store locations", &[View, Create, Edit, Export]),
    Page("stores/storeInventory", "Store inventory", &[View, Export]),
    Page("stores/storeCount", "Store count", &[View, Edit, Export, Approve, Count, Unlock]),
    Page("stores/storeOrders", "Store orders", &[View, Create, Edit, Delete, Export, Approve, Override]),
    Page("stores/storeReceive", "Receiving", &[View, Create, Edit, Export, Approve, Post, Override]),
    Page(
        "stores/storeTransactions",
        "Store transactions",
        &[View, Create, Edit, Export, Approve, Post, Override],
    ),
    Page("sales/cmsr", "Certified monthly sales report (CMSR)", &[View, Edit, Export, Approve, Post]),
    Page("sales/netsuite", "NetSuite", &[View, Edit, Import, Export]),
    Page("sales/zReading", "Z-readings", &[View, Create, Edit, Export, Approve, Override]),
    Page("sales/tenderReport", "Tender report", &[View, Edit, Import, Export, Override]),
    Page("reports/reports", "Reports", &[View, Create, Edit, Delete, Export]),
    Page("lists/allLists", "All lists", LIST),
    Page("lists/commissaries", "Commissaries", LIST),
    Page("lists/storeInventoryItems", "Store inventory items", LIST),
    Page("yourCompany/chartOfAccounts", "Chart of accounts", LIST),
    Page("manageUsers/users", "Users and roles", &[View, Create, Edit, Import, Export]),
    Page("manageUsers/applications", "Applications for access", &[View, Approve]),
    Page("tools/services", "Services", &[View, Edit]),
    Page("tools/zReadingOcr", "Z-reading OCR", &[View, Create]),
    Page("tools/importData", "Import data", &[View, Import]),
    Page("tools/importSalesProduct", "Import sales", &[View, Edit, Import, Export]),
    Page("tools/transactionInsights", "Transaction insights", &[View, Export]),
    Page("tools/testApi", "Test API", &[View]),
    Page("apps/backOffice", "Back office", &[View]),
    Page("apps/branchOps", "Branch operations", &[View]),
    Page("apps/storeCount", "Store count", &[View]),
];

/// Whether `category/page` is in [`CATALOGUE`].
#[must_use]
pub fn page_exists(page: &str) -> bool {
    page.split_once('/').is_some_and(|(category, page)| {
        CATALOGUE.iter().any(|(c, pages)| *c == category && pages.contains(&page))
    })
}

/// The display name of a category.
#[must_use]
pub fn category_label(category: &str) -> Option<&'static str> {
    CATEGORIES.iter().find(|(key, _)| *key == category).map(|(_, label)| *label)
}

/// The display name of a page (`category/page`).
#[must_use]
pub fn page_label(page: &str) -> Option<&'static str> {
    entry(page).map(|page| page.1)
}

/// The actions that can be granted on a page: exactly those that some route or handler checks.
#[must_use]
pub fn meaningful(page: &str) -> &'static [Action] {
    entry(page).map_or(&[], |page| page.2)
}

fn entry(page: &str) -> Option<&'static Page> {
    PAGES.iter().find(|entry| entry.0 == page)
}

/// Every `category/page`.
pub fn pages() -> impl Iterator<Item = &'static str> {
    static ALL: LazyLock<Vec<&'static str>> = LazyLock::new(|| PAGES.iter().map(|page| page.0).collect());
    ALL.iter().copied()
}

/// Reads a permission map from the wire.
pub fn read(value: &Value) -> Result<Permissions, Vec<(String, String)>> {
    let mut read = Permissions::default();
    let mut wrong = Vec::new();
    for (category, pages) in members(value, "", &mut wrong) {
        if category_label(category).is_none() {
            wrong.push((shown(category), "There is no such category.".to_owned()));
            continue;
        }
        for (page, actions) in members(pages, category, &mut wrong) {
            let path = format!("{category}/{page}");
            if !page_exists(&path) {
                wrong.push((shown(&format!("{category}.{page}")), "There is no such page.".to_owned()));
                continue;
            }
            let granted = read_actions(&format!("{category}.{page}"), actions, &mut wrong);
            if granted.iter().any(|action| meaningful(&path).contains(action)) {
                read.grant(&path, &[View]);
                read.grant(&path, &granted);
            }
        }
    }
    if wrong.is_empty() { Ok(read) } else { Err(wrong) }
}

fn read_actions(path: &str, actions: &Value, wrong: &mut Vec<(String, String)>) -> Vec<Action> {
    let mut granted = Vec::new();
    for (name, yes) in members(actions, path, wrong) {
        let at = || shown(&format!("{path}.{name}"));
        match (Action::ALL.iter().find(|action| action.as_str() == name), yes) {
            (None, _) => wrong.push((at(), "There is no such action.".to_owned())),
            (Some(action), Value::Bool(true)) => granted.push(*action),
            (Some(_), Value::Bool(false) | Value::Null) => {}
            (Some(_), _) => wrong.push((at(), "Say true or false.".to_owned())),
        }
    }
    granted
}

fn members<'v>(
    value: &'v Value,
    path: &str,
    wrong: &mut Vec<(String, String)>,
) -> Vec<(&'v String, &'v Value)> {
    match value {
        Value::Object(map) => map.iter().collect(),
        Value::Null => Vec::new(),
        _ => {
            wrong.push((shown(path), "Send an object: category, page, action, true.".to_owned()));
            Vec::new()
        }
    }
}

/// A path, sanitised for an error message.
fn shown(path: &str) -> String {
    path.chars().filter(|c| !c.is_control()).take(100).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::access::Permission;

    #[test]
    fn every_page_and_category_has_a_name_and_can_be_seen() {
        for (category, pages) in CATALOGUE {
            assert!(category_label(category).is_some(), "{category}");
            for page in *pages {
                let path = format!("{category}/{page}");
                assert!(page_label(&path).is_some(), "{path}");
                assert!(meaningful(&path).contains(&View), "{path}");
            }
        }
        assert_eq!(CATEGORIES.len(), CATALOGUE.len());
        assert_eq!(PAGES.len(), CATALOGUE.iter().map(|(_, pages)| pages.len()).sum::<usize>());
    }

    #[test]
    fn unknown_names_are_refused_with_their_path() {
        let refused = Permissions::read(&json!({
            "lists": { "allLists": { "edit": true, "fly": true, "view": 1 }, "moon": { "view": true } },
            "space": {},
            "reports": true,
        }));
        let paths: Vec<String> = refused.expect_err("wrong").into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["lists.allLists.fly", "lists.allLists.view", "lists.moon", "space", "reports"]);
    }

    #[test]
    fn doing_implies_seeing_and_what_is_not_granted_is_left_out() {
        let read = Permissions::read(&json!({
            "lists": { "allLists": { "edit": true, "view": false }, "commissaries": { "view": false } },
            "reports": { "reports": {} },
        }));
        let written = serde_json::to_value(read.expect("good")).expect("JSON");
        assert_eq!(written, json!({ "lists": { "allLists": { "edit": true, "view": true } } }));
    }

    /// Roles saved when more permissions existed keep working and can be saved again.
    #[test]
    fn what_can_no_longer_be_granted_is_left_out() {
        let kept = json!({
            "sales": { "cmsr": { "create": true, "view": true }, "gone": { "view": true } },
            "stores": { "storeInventory": { "edit": true, "view": false } },
            "moon": { "landing": { "view": true } },
        });
        let loaded: Permissions = serde_json::from_value(kept).expect("a map");
        let cmsr = json!({ "sales": { "cmsr": { "view": true } } });
        assert_eq!(serde_json::to_value(&loaded).expect("JSON"), cmsr);
        let sent = json!({
            "sales": { "cmsr": { "create": true, "view": true } },
            "stores": { "storeInventory": { "edit": true } },
        });
        let read = Permissions::read(&sent).expect("good");
        assert_eq!(serde_json::to_value(read).expect("JSON"), cmsr);
    }

    fn value() -> impl Strategy<Value = Value> {
        let name = prop_oneof![
            prop::sample::select(vec!["lists", "allLists", "view", "edit", "apps", "storeCount"])
                .prop_map(str::to_owned),
            "[a-z]{0,5}",
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop::collection::btree_map(name.clone(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect()))
        })
    }

    proptest! {
        #[test]
        fn any_map_is_refused_or_reads_back_the_same(value in value()) {
            if let Ok(read) = Permissions::read(&value) {
                for right in read.rights() {
                    let see = Permission { page: right.page, action: View };
                    prop_assert!(read.allows(see));
                }
                let again = serde_json::to_value(&read).expect("JSON");
                prop_assert_eq!(Permissions::read(&again), Ok(read));
            }
        }
    }
}
