//! Declarations of document types: one each, used by routes, contract and ledgers. The life cycle is in the module of
//! the type.

use super::flow::Stage;
use super::{batch, order, receipt, shipment, stock_take, supplier_return, waste};
use crate::StoreScope;
use crate::words::words;

words! {
    /// A type of document.
    #[serde(rename_all = "camelCase")]
    DocumentKind {
        /// A store's order to a commissary, a warehouse or a supplier.
        StoreOrder = "storeOrder",
        /// A shipment from a commissary or a warehouse to a store.
        Delivery = "delivery",
        /// Goods received by a store.
        Receipt = "receipt",
        /// A batch made in a kitchen.
        Production = "production",
        /// A shipment between stores.
        Transfer = "transfer",
        /// Goods a store threw away, gave away or used as staff meals.
        Waste = "waste",
        /// Goods that a store or a kitchen sends back to a supplier.
        SupplierReturn = "supplierReturn",
        /// What is counted in a kitchen, warehouse or cold storage.
        StockTake = "stockTake",
    }
}

/// The declaration of a type.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    pub kind: DocumentKind,
    /// Label in a column of a file: `Order`.
    pub label: &'static str,
    /// One record, mid-sentence: `store order`.
    pub one: &'static str,
    /// Plural, as a title: `Store orders`.
    pub many: &'static str,
    /// Icon, by its name in the console's icon set.
    pub icon: &'static str,
    /// Its name in the contract: `StoreOrder`.
    pub schema: &'static str,
    /// Prefix of its numbers: `SO`.
    pub series: &'static str,
    /// Name of its number in the API: `orderNo`.
    pub number: &'static str,
    /// Name of its date in the API: `neededDate`.
    pub date: &'static str,
    /// Its path in the API.
    pub base: &'static str,
    /// Path segment for looking up names of its records: `store-orders`.
    pub slug: &'static str,
    /// The console's page of one: `/stores/orders/:id`.
    pub path: &'static str,
    /// The page whose permissions its routes and steps require.
    pub page: &'static str,
    /// Whether each document belongs to a store.
    pub of_stores: bool,
    /// Whether it is received with a receipt.
    pub taken_in: bool,
    /// Its lines, named where a record they use is shown; `None` if another type has the same lines.
    pub lines: Option<Lines>,
    /// Prefixes of further console cache keys that a change makes stale.
    pub refreshes: &'static [&'static str],
    /// Document type of its movements in the stock ledger; `None` if it moves no stock. See [`DocumentType::posts`].
    pub posts: Option<DocumentType>,
}

impl Declaration {
    /// Whether a user of these stores sees a document of this store. If documents of the type belong to stores, one
    /// without a store is for users of all stores.
    #[must_use]
    pub fn reaches(&self, scope: &StoreScope, store_id: Option<&str>) -> bool {
        match store_id {
            Some(store) => scope.contains(store),
            None => !self.of_stores || *scope == StoreScope::All,
        }
    }
}

/// The lines of a type.
#[derive(Debug, Clone, Copy)]
pub struct Lines {
    pub table: &'static str,
    /// Plural of the type in a sentence: `store orders`.
    pub many: &'static str,
}

/// Console cache key of the store ledger.
const BOOK: &str = "stores/transactions";
/// Console cache key of a store's day.
const BRANCH: &str = "branch-ops";

/// The page of store orders.
pub const ORDERS_PAGE: &str = "stores/storeOrders";
/// The page of deliveries.
pub const DELIVERIES_PAGE: &str = "commissary/deliveries";
/// The page of receipts and supplier returns.
pub const RECEIPTS_PAGE: &str = "stores/storeReceive";
/// The page of transfers and waste.
pub const TRANSACTIONS_PAGE: &str = "stores/storeTransactions";
/// The page of commissary orders, which includes production and stock-takes.
pub const KITCHEN_PAGE: &str = "commissary/orders";

impl DocumentKind {
    /// The declaration of the type.
    #[must_use]
    pub const fn declared(self) -> &'static Declaration {
        match self {
            Self::StoreOrder => &Declaration {
                kind: Self::StoreOrder,
                label: "Order",
                one: "store order",
                many: "Store orders",
                icon: "IconShoppingCart",
                schema: "StoreOrder",
                series: "SO",
                number: "orderNo",
                date: "neededDate",
                base: "/api/stores/orders",
                slug: "store-orders",
                path: "/stores/orders/:id",
                page: ORDERS_PAGE,
                of_stores: true,
                taken_in: false,
                lines: Some(Lines { table: "order_lines", many: "store orders" }),
                refreshes: &["stores/orders", "commissary/orders", BOOK, BRANCH],
                posts: None,
            },
            Self::Delivery => &Declaration {
                kind: Self::Delivery,
                label: "Delivery",
                one: "delivery",
                many: "Deliveries",
                icon: "IconTruckDelivery",
                schema: "Delivery",
                series: "DL",
                number: "deliveryNo",
                date: "plannedDate",
                base: "/api/commissary/deliveries",
                slug: "deliveries",
                path: "/commissary/delivery/:id",
                page: DELIVERIES_PAGE,
                of_stores: true,
                taken_in: true,
                lines: Some(Lines { table: "shipment_lines", many: "deliveries" }),
                refreshes: &[
                    "commissary/deliveries",
                    "stores/receive",
                    "stores/inventory",
                    "stock",
                    BOOK,
                    BRANCH,
                ],
                posts: Some(DocumentType::Delivery),
            },
            Self::Receipt => &Declaration {
                kind: Self::Receipt,
                label: "Receipt",
                one: "receipt",
                many: "Receipts",
                icon: "IconPackageImport",
                schema: "Receipt",
                series: "GR",
                number: "receiptNo",
                date: "businessDate",
                base: "/api/stores/receive",
                slug: "receipts",
                path: "/stores/receive/:id",
                page: RECEIPTS_PAGE,
                of_stores: true,
                taken_in: false,
                lines: Some(Lines { table: "receipt_lines", many: "receipts" }),
                refreshes: &[
                    "stores/receive",
                    "commissary/deliveries",
                    "stores/inventory",
                    "stock",
                    BOOK,
                    BRANCH,
                ],
                posts: Some(DocumentType::Receipt),
            },
            Self::Production => &Declaration {
                kind: Self::Production,
                label: "Production",
                one: "production",
                many: "Production",
                icon: "IconChefHat",
                schema: "Production",
                series: "PR",
                number: "productionNo",
                date: "plannedDate",
                base: "/api/commissary/production",
                slug: "production",
                path: "/commissary/production/:id",
                page: KITCHEN_PAGE,
                of_stores: false,
                taken_in: false,
                lines: Some(Lines { table: "production_lines", many: "production" }),
                refreshes: &["commissary/production", "commissary/orders", "stock"],
                posts: Some(DocumentType::Production),
            },
            Self::Transfer => &Declaration {
                kind: Self::Transfer,
                label: "Transfer",
                one: "transfer",
                many: "Transfers",
                icon: "IconArrowsExchange",
                schema: "Transfer",
                series: "TR",
                number: "transferNo",
                date: "plannedDate",
                base: "/api/stores/transfers",
                slug: "transfers",
                path: "/stores/transactions/transfers/:id",
                page: TRANSACTIONS_PAGE,
                of_stores: true,
                taken_in: true,
                lines: None,
                refreshes: &["stores/transfers", "stores/receive", "stores/inventory", "stock", BOOK, BRANCH],
                posts: Some(DocumentType::Transfer),
            },
            Self::Waste => &Declaration {
                kind: Self::Waste,
                label: "Waste",
                one: "waste report",
                many: "Waste",
                icon: "IconTrash",
                schema: "Waste",
                series: "WA",
                number: "wasteNo",
                date: "businessDate",
                base: "/api/stores/waste",
                slug: "waste",
                path: "/stores/transactions/waste/:id",
                page: TRANSACTIONS_PAGE,
                of_stores: true,
                taken_in: false,
                lines: Some(Lines { table: "waste_lines", many: "waste reports" }),
                refreshes: &["stores/waste", "stores/inventory", "stock", BOOK, BRANCH],
                posts: Some(DocumentType::Waste),
            },
            Self::SupplierReturn => &Declaration {
                kind: Self::SupplierReturn,
                label: "Supplier return",
                one: "supplier return",
                many: "Supplier returns",
                icon: "IconTruckReturn",
                schema: "SupplierReturn",
                series: "SR",
                number: "returnNo",
                date: "returnDate",
                base: "/api/commissary/supplier-returns",
                slug: "supplier-returns",
                path: "/commissary/supplier-returns/:id",
                page: RECEIPTS_PAGE,
                of_stores: true,
                taken_in: false,
                lines: Some(Lines { table: "supplier_return_lines", many: "supplier returns" }),
                refreshes: &[
                    "commissary/supplier-returns",
                    "stores/receive",
                    "stores/inventory",
                    "stock",
                    BOOK,
                    BRANCH,
                ],
                posts: Some(DocumentType::SupplierReturn),
            },
            Self::StockTake => &Declaration {
                kind: Self::StockTake,
                label: "Stock-take",
                one: "stock-take",
                many: "Stock-takes",
                icon: "IconClipboardCheck",
                schema: "StockTake",
                series: "ST",
                number: "takeNo",
                date: "businessDate",
                base: "/api/commissary/stock-takes",
                slug: "stock-takes",
                path: "/commissary/stock-takes/:id",
                page: KITCHEN_PAGE,
                of_stores: false,
                taken_in: false,
                lines: Some(Lines { table: "stock_take_lines", many: "stock-takes" }),
                refreshes: &["commissary/stock-takes", "commissary/orders", "stock"],
                posts: Some(DocumentType::StockTake),
            },
        }
    }

    /// Names of its states in a stage.
    #[must_use]
    pub fn states_at(self, stage: Stage) -> Vec<&'static str> {
        match self {
            Self::StoreOrder => order::FLOW.at(stage),
            Self::Delivery => shipment::DELIVERY.at(stage),
            Self::Receipt => receipt::FLOW.at(stage),
            Self::Production => batch::PRODUCTION.at(stage),
            Self::Transfer => shipment::TRANSFER.at(stage),
            Self::Waste => waste::WASTE.at(stage),
            Self::SupplierReturn => supplier_return::RETURN.at(stage),
            Self::StockTake => stock_take::STOCK_TAKE.at(stage),
        }
    }
}

words! {
    /// What posts movements.
    #[serde(rename_all = "camelCase")]
    DocumentType {
        /// A user entered the quantity.
        Adjustment = "adjustment",
        /// A commissary's delivery to a store.
        Delivery = "delivery",
        /// A store's receipt.
        Receipt = "receipt",
        Transfer = "transfer",
        Waste = "waste",
        /// Produced goods and their ingredients.
        Production = "production",
        /// Two records were merged.
        Merge = "merge",
        SupplierReturn = "supplierReturn",
        /// What a count found more or less than the ledger had.
        StockTake = "stockTake",
    }
}

/// How movements count towards a store's receipts and issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// From a supplier or a kitchen, back to a supplier, or a correction of the ledger.
    Received,
    /// By the source of the receipt: from another store if it is a transfer.
    TakenIn,
    /// To another store.
    Sent,
    /// Thrown away.
    Wasted,
}

/// How movements appear in the trace of a lot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traced {
    /// A correction in either direction.
    Adjusted,
    /// Production: output and ingredients.
    Made,
    /// Dispatched to a store, or returned to a supplier.
    Sent,
    /// Received, returned or written off by a store.
    TakenIn,
    /// Thrown away.
    Wasted,
}

/// How readers of the stock ledger interpret movements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posts {
    pub counts: Counts,
    pub traced: Traced,
}

impl DocumentType {
    /// How its movements are interpreted.
    #[must_use]
    pub const fn posts(self) -> Posts {
        match self {
            Self::Adjustment | Self::Merge | Self::StockTake => {
                Posts { counts: Counts::Received, traced: Traced::Adjusted }
            }
            Self::Delivery => Posts { counts: Counts::Received, traced: Traced::Sent },
            Self::Receipt => Posts { counts: Counts::TakenIn, traced: Traced::TakenIn },
            Self::Transfer => Posts { counts: Counts::Sent, traced: Traced::Sent },
            Self::Waste => Posts { counts: Counts::Wasted, traced: Traced::Wasted },
            Self::Production => Posts { counts: Counts::Received, traced: Traced::Made },
            // It lowers what was received.
            Self::SupplierReturn => Posts { counts: Counts::Received, traced: Traced::Sent },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::access;

    #[test]
    fn declarations_are_distinct() {
        let all = || DocumentKind::ALL.iter().map(|kind| kind.declared());
        assert!(DocumentKind::ALL.iter().all(|kind| kind.declared().kind == *kind));
        for one in [|it: &Declaration| it.series, |it: &Declaration| it.base, |it: &Declaration| it.schema] {
            let distinct: BTreeSet<&str> = all().map(one).collect();
            assert_eq!(distinct.len(), DocumentKind::ALL.len(), "{distinct:?}");
        }
        let posted: Vec<DocumentType> = all().filter_map(|it| it.posts).collect();
        let distinct: BTreeSet<&DocumentType> = posted.iter().collect();
        assert_eq!(distinct.len(), posted.len(), "two types post as the same");
        assert!(all().all(|it| access::page_exists(it.page)));
    }
}
