//! What the kitchens use: the root items.

use std::sync::LazyLock;

use serde::Deserialize;

use super::table::table;

/// A root item without an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RootItemRow {
    /// Its code in bills of materials; its rootProductId in upper case.
    pub code: &'static str,
    /// With the unit it is counted in.
    pub name: &'static str,
    /// The type of ingredient.
    pub r#type: &'static str,
    /// Kilograms per unit, as text.
    pub weight_kg: &'static str,
    /// Pesos per unit, as text; empty if unknown.
    pub price: &'static str,
    /// Whether it is used in production; otherwise lists hide it.
    pub production: bool,
}

static ROOT_ITEMS: LazyLock<Vec<RootItemRow>> = table!("root-items");

/// All root items.
pub fn root_items() -> &'static [RootItemRow] {
    &ROOT_ITEMS
}

#[cfg(test)]
mod tests {
    use super::*;
    use larder_domain::{Money, Qty};
    use std::collections::HashSet;

    #[test]
    fn every_row_is_a_root_item() {
        let all = root_items();
        assert_eq!(all.len(), 180);
        assert_eq!(all.iter().map(|r| r.code).collect::<HashSet<_>>().len(), all.len());
        for root in all {
            assert!(Qty::parse(root.weight_kg).is_ok(), "{}", root.code);
            assert!(root.price.is_empty() || Money::parse(root.price).is_ok(), "{}", root.code);
        }
        assert_eq!(all.iter().filter(|r| r.price.is_empty()).count(), 1);
        assert_eq!(all.iter().filter(|r| !r.production).count(), 4);
    }
}
