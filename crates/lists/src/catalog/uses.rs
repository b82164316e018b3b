//! References to list records from tables that are not lists.

use std::sync::LazyLock;

use larder_domain::document::DocumentKind;

use crate::engine::Use;

/// References that no list declares. A new table that refers to a list needs a row here; lines of documents have theirs
/// in the type's declaration. A test compares them with the schema's foreign keys.
pub(super) fn uses() -> &'static [Use] {
    static ALL: LazyLock<Vec<Use>> = LazyLock::new(|| {
        let of_lines = DocumentKind::ALL.iter().filter_map(|kind| Some((kind, kind.declared().lines?)));
        let of_lines = of_lines.flat_map(|(kind, lines)| {
            [("products", "product_id"), ("uoms", "uom_id")].map(|(of, column)| Use {
                of,
                kind: kind.as_str(),
                label: lines.many,
                table: lines.table,
                column,
                only: None,
                counted: "distinct document_id",
            })
        });
        BEFORE.iter().copied().chain(of_lines).chain(BEHIND.iter().copied()).collect()
    });
    &ALL
}

const BEFORE: &[Use] = &[
    Use {
        of: "root_items",
        kind: "posItem",
        label: "POS items",
        table: "bom_lines l join bom_versions v on v.id = l.bom_id",
        column: "l.root_item_id",
        only: None,
        counted: "distinct v.pos_item_id",
    },
    Use {
        of: "companies",
        kind: "companyDocument",
        label: "documents",
        table: "company_documents",
        column: "company_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "store_inventory_items",
        kind: "storeItemMix",
        label: "mixes",
        table: "store_item_mixes",
        column: "item_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "recipes",
        kind: "storeItemMix",
        label: "mixes",
        table: "store_item_mix_splits",
        column: "recipe_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "pos_items",
        kind: "sales",
        label: "months of sales",
        table: "sales_rollup_pos",
        column: "pos_item_id",
        only: Some("grain = 30"),
        counted: "*",
    },
    Use {
        of: "products",
        kind: "stockMovement",
        label: "stock movements",
        table: "stock_movements",
        column: "item_id",
        only: Some("item_kind = 'product'"),
        counted: "*",
    },
    Use {
        of: "root_items",
        kind: "stockMovement",
        label: "stock movements",
        table: "stock_movements",
        column: "item_id",
        only: Some("item_kind = 'rootItem'"),
        counted: "*",
    },
    Use {
        of: "commissaries",
        kind: "stockMovement",
        label: "stock movements",
        table: "stock_movements",
        column: "place_id",
        only: Some("place_kind = 'commissary'"),
        counted: "*",
    },
    Use {
        of: "warehouses",
        kind: "stockMovement",
        label: "stock movements",
        table: "stock_movements",
        column: "place_id",
        only: Some("place_kind = 'warehouse'"),
        counted: "*",
    },
    Use {
        of: "cold_storages",
        kind: "stockMovement",
        label: "stock movements",
        table: "stock_movements",
        column: "place_id",
        only: Some("place_kind = 'coldStorage'"),
        counted: "*",
    },
];

/// As [`BEFORE`]; shown after lines of documents.
const BEHIND: &[Use] = &[
    Use {
        of: "products",
        kind: "lot",
        label: "lots",
        table: "lots",
        column: "product_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "commissaries",
        kind: DocumentKind::StoreOrder.as_str(),
        label: "orders, deliveries and receipts",
        table: "documents",
        column: "source_id",
        only: Some("source_type = 'commissary'"),
        counted: "*",
    },
    Use {
        of: "warehouses",
        kind: DocumentKind::StoreOrder.as_str(),
        label: "orders, deliveries and receipts",
        table: "documents",
        column: "source_id",
        only: Some("source_type = 'warehouse'"),
        counted: "*",
    },
    Use {
        of: "suppliers",
        kind: DocumentKind::StoreOrder.as_str(),
        label: "orders, deliveries and receipts",
        table: "documents",
        column: "source_id",
        only: Some("source_type = 'supplier'"),
        counted: "*",
    },
    Use {
        of: "cold_storages",
        kind: DocumentKind::StockTake.as_str(),
        label: "stock-takes",
        table: "documents",
        column: "source_id",
        only: Some("source_type = 'coldStorage'"),
        counted: "*",
    },
    Use {
        of: "commissaries",
        kind: DocumentKind::SupplierReturn.as_str(),
        label: "supplier returns",
        table: "supplier_return_places",
        column: "place_id",
        only: Some("place_kind = 'commissary'"),
        counted: "*",
    },
    Use {
        of: "warehouses",
        kind: DocumentKind::SupplierReturn.as_str(),
        label: "supplier returns",
        table: "supplier_return_places",
        column: "place_id",
        only: Some("place_kind = 'warehouse'"),
        counted: "*",
    },
    Use {
        of: "cold_storages",
        kind: DocumentKind::SupplierReturn.as_str(),
        label: "supplier returns",
        table: "supplier_return_places",
        column: "place_id",
        only: Some("place_kind = 'coldStorage'"),
        counted: "*",
    },
    Use {
        of: "locations",
        kind: "forecastOverride",
        label: "forecast overrides",
        table: "forecast_overrides",
        column: "store_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "root_items",
        kind: "forecastOverride",
        label: "forecast overrides",
        table: "forecast_overrides",
        column: "root_item_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "locations",
        kind: "forecastEvent",
        label: "forecast events",
        table: "forecast_event_stores",
        column: "store_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "locations",
        kind: "zReading",
        label: "Z-readings",
        table: "z_readings",
        column: "store_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "locations",
        kind: "zAbsence",
        label: "days without a Z-reading",
        table: "z_absences",
        column: "store_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "locations",
        kind: "zTerminal",
        label: "tills",
        table: "z_terminals",
        column: "store_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "locations",
        kind: "planRule",
        label: "plan settings",
        table: "plan_rules",
        column: "store_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "categories",
        kind: "planRule",
        label: "plan settings",
        table: "plan_rules",
        column: "category_id",
        only: None,
        counted: "*",
    },
    Use {
        of: "products",
        kind: "planRule",
        label: "plan settings",
        table: "plan_rules",
        column: "product_id",
        only: None,
        counted: "*",
    },
];
