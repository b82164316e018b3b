//! What there is to know of a type of document beside its life: one row for each, which routes, contract, ledgers and the
//! store's book ask.

use super::flow::Stage;
use super::{batch, order, receipt, shipment, waste};
use crate::ledger::DocumentType;
use crate::words::words;

words! {
    /// A type of document.
    #[serde(rename_all = "camelCase")]
    DocumentKind {
        /// What a store asks a commissary, a warehouse or a supplier for.
        StoreOrder = "storeOrder",
        /// What a commissary or a warehouse sends to a store.
        Delivery = "delivery",
        /// What a store takes in.
        Receipt = "receipt",
        /// What a kitchen makes.
        Production = "production",
        /// What a store sends to another one.
        Transfer = "transfer",
        /// What a store threw away, gave away or let its staff eat.
        Waste = "waste",
    }
}

/// The row of a type.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    pub kind: DocumentKind,
    /// As it is called in the column of a file: `Order`.
    pub label: &'static str,
    /// One record, in a sentence: `store order`.
    pub one: &'static str,
    /// All of them, as a title: `Store orders`.
    pub many: &'static str,
    /// Its picture: a name of the console's icon set.
    pub icon: &'static str,
    /// Its name in the contract: `StoreOrder`.
    pub schema: &'static str,
    /// What its numbers begin with: `SO`.
    pub series: &'static str,
    /// What its number is called on the wire: `orderNo`.
    pub number: &'static str,
    /// What the day it is for is called on the wire: `neededDate`.
    pub date: &'static str,
    /// Where it is served.
    pub base: &'static str,
    /// Where names of its records are asked for: `store-orders`.
    pub slug: &'static str,
    /// The console's page of one: `/stores/orders/:id`.
    pub path: &'static str,
    /// The page whose rights its routes and steps ask for.
    pub page: &'static str,
    /// Whether each belongs to a store.
    pub of_stores: bool,
    /// Whether a receipt takes it in.
    pub taken_in: bool,
    /// What else a change makes stale in the console, as the beginnings of its cache keys.
    pub refreshes: &'static [&'static str],
    /// What its movements are posted as in the stock ledger; none where it moves nothing itself. [`DocumentType::posts`]
    /// says how they count and what a lot's trace tells of them.
    pub posts: Option<DocumentType>,
}

/// The one book of a store, among the console's cache keys.
const BOOK: &str = "stores/transactions";
/// What a store sees of its day.
const BRANCH: &str = "branch-ops";

/// The page of store orders.
pub const ORDERS_PAGE: &str = "stores/storeOrders";
/// The page of deliveries.
pub const DELIVERIES_PAGE: &str = "commissary/deliveries";
/// The page of receipts.
pub const RECEIPTS_PAGE: &str = "stores/storeReceive";
/// The page of transfers and waste.
pub const TRANSACTIONS_PAGE: &str = "stores/storeTransactions";
/// The page of commissary orders; production belongs to it.
pub const KITCHEN_PAGE: &str = "commissary/orders";

impl DocumentKind {
    /// The row of the type.
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
                refreshes: &["stores/waste", "stores/inventory", "stock", BOOK, BRANCH],
                posts: Some(DocumentType::Waste),
            },
        }
    }

    /// The names of its states of a stage.
    #[must_use]
    pub fn states_at(self, stage: Stage) -> Vec<&'static str> {
        match self {
            Self::StoreOrder => order::FLOW.at(stage),
            Self::Delivery => shipment::DELIVERY.at(stage),
            Self::Receipt => receipt::FLOW.at(stage),
            Self::Production => batch::PRODUCTION.at(stage),
            Self::Transfer => shipment::TRANSFER.at(stage),
            Self::Waste => waste::WASTE.at(stage),
        }
    }
}

/// How movements count to what came to a store and went from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// They came from a supplier or a kitchen, or put the ledger right.
    Received,
    /// They came from what the document takes in: from another store where that is a transfer.
    TakenIn,
    /// They went to another store.
    Sent,
    /// They were thrown away.
    Wasted,
}

/// What the trace of a lot tells of movements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traced {
    /// Stock that was put right, whichever way.
    Adjusted,
    /// What was made, and what went into it.
    Made,
    /// What left for a store.
    Sent,
    /// What a store took in, sent back or wrote off.
    TakenIn,
    /// What was thrown away.
    Wasted,
}

/// What movements mean to those who read the stock ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posts {
    pub counts: Counts,
    pub traced: Traced,
}

impl DocumentType {
    /// What its movements mean.
    #[must_use]
    pub const fn posts(self) -> Posts {
        match self {
            Self::Adjustment | Self::Merge => Posts { counts: Counts::Received, traced: Traced::Adjusted },
            Self::Delivery => Posts { counts: Counts::Received, traced: Traced::Sent },
            Self::Receipt => Posts { counts: Counts::TakenIn, traced: Traced::TakenIn },
            Self::Transfer => Posts { counts: Counts::Sent, traced: Traced::Sent },
            Self::Waste => Posts { counts: Counts::Wasted, traced: Traced::Wasted },
            Self::Production => Posts { counts: Counts::Received, traced: Traced::Made },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::access;

    #[test]
    fn rows_are_told_apart() {
        let all = || DocumentKind::ALL.iter().map(|kind| kind.declared());
        assert!(DocumentKind::ALL.iter().all(|kind| kind.declared().kind == *kind));
        for one in [|it: &Declaration| it.series, |it: &Declaration| it.base, |it: &Declaration| it.schema] {
            let distinct: BTreeSet<&str> = all().map(one).collect();
            assert_eq!(distinct.len(), DocumentKind::ALL.len(), "{distinct:?}");
        }
        let posted: Vec<DocumentType> = all().filter_map(|it| it.posts).collect();
        let distinct: BTreeSet<&DocumentType> = posted.iter().collect();
        assert_eq!(distinct.len(), posted.len(), "two types post as one");
        assert!(all().all(|it| access::page_exists(it.page)));
    }
}
