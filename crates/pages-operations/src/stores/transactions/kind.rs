//! The kinds of entries of a store's book: whose right shows them, and when nothing is left to do.

use larder_domain::Action;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_documents::{orders, receipts, shipments};
use larder_platform::http::Who;

/// A kind of entry. Of one day those of the later kind stand first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// An order to a commissary, a warehouse or a supplier.
    Order,
    /// What a commissary or a warehouse sends.
    Delivery,
    /// What was taken in.
    Receipt,
    /// Between this store and another one.
    Transfer,
    /// Thrown away.
    Waste,
    /// Stock put right by hand.
    Adjustment,
    /// A count of a day, or of its opening or closing.
    Count,
    /// What a source says was sold on a day.
    SalesDay,
    /// What a till said at its day's end.
    ZReading,
}

use EntryKind::{Adjustment, Count, Delivery, Order, Receipt, SalesDay, Transfer, Waste, ZReading};

/// How far entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// Somebody has something to do yet.
    Open,
    /// Nothing is left to do.
    Done,
    /// Taken back or never done.
    Cancelled,
}

impl EntryKind {
    /// All of them, in their order within a day.
    pub const ALL: [Self; 9] =
        [Order, Delivery, Receipt, Transfer, Waste, Adjustment, Count, SalesDay, ZReading];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Order => "order",
            Delivery => "delivery",
            Receipt => "receipt",
            Transfer => "transfer",
            Waste => "waste",
            Adjustment => "adjustment",
            Count => "count",
            SalesDay => "salesDay",
            ZReading => "zReading",
        }
    }

    /// For people, in a file.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Order => "Order",
            Delivery => "Delivery",
            Receipt => "Receipt",
            Transfer => "Transfer",
            Waste => "Waste",
            Adjustment => "Stock adjustment",
            Count => "Count",
            SalesDay => "Sales day",
            ZReading => "Z-reading",
        }
    }

    /// The kind of document, where it is one.
    #[must_use]
    pub const fn document(self) -> Option<&'static str> {
        match self {
            Order => Some("storeOrder"),
            Delivery => Some("delivery"),
            Receipt => Some("receipt"),
            Transfer => Some("transfer"),
            Waste => Some("waste"),
            _ => None,
        }
    }

    /// The pages of which one right is enough to see it.
    const fn pages(self) -> &'static [&'static str] {
        match self {
            Order => &[orders::PAGE],
            Delivery => &[shipments::PAGE],
            Receipt => &[receipts::PAGE],
            Transfer | Waste => &[shipments::TRANSACTIONS_PAGE],
            Adjustment => &["stores/storeInventory"],
            Count => &["stores/storeCount"],
            SalesDay => &["tools/importSalesProduct", "reports/reports"],
            ZReading => &["sales/zReading"],
        }
    }

    /// Whether somebody holds the right it belongs to: to see it, or to have it in a file.
    #[must_use]
    pub fn is_shown(self, who: &Who, action: Action) -> bool {
        self.pages().iter().any(|page| who.can(page, action))
    }

    /// The states in which nothing is left to do, and those of what was taken back.
    #[must_use]
    pub const fn ends(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Order => (&["received", "closed"], &["cancelled"]),
            Delivery | Transfer => (&["reconciled"], &["cancelled"]),
            Receipt => (&["posted", "reconciled"], &["reversed", "cancelled"]),
            Waste => (&["posted"], &["rejected", "reversed", "cancelled"]),
            Adjustment | SalesDay => (&["posted"], &[]),
            Count => (&["finished"], &[]),
            ZReading => (&["verified", "reconciled"], &["discarded"]),
        }
    }
}
