//! Entry types of the store ledger: required permissions, and final states.

use larder_domain::Action;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_documents::{orders, receipts, shipments};
use larder_platform::http::Who;

/// A type of entry. Within a day, later types come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// An order to a commissary, warehouse or supplier.
    Order,
    /// A delivery from a commissary or warehouse.
    Delivery,
    /// A receipt.
    Receipt,
    /// A transfer between this store and another.
    Transfer,
    /// Waste.
    Waste,
    /// A manual stock adjustment.
    Adjustment,
    /// A count of a day, or of its opening or closing.
    Count,
    /// A day's sales from one source.
    SalesDay,
    /// A till's end-of-day reading.
    ZReading,
}

use EntryKind::{Adjustment, Count, Delivery, Order, Receipt, SalesDay, Transfer, Waste, ZReading};

/// Progress of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// Needs action.
    Open,
    /// Completed.
    Done,
    /// Cancelled or reversed.
    Cancelled,
}

impl EntryKind {
    /// All of them, in their order within a day.
    pub const ALL: [Self; 9] =
        [Order, Delivery, Receipt, Transfer, Waste, Adjustment, Count, SalesDay, ZReading];

    /// Key in the API.
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

    /// Label in a file.
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

    /// The document type, if it is one.
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

    /// The pages whose permission shows it; any of them is enough.
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

    /// Whether the user may view or export this type.
    #[must_use]
    pub fn is_shown(self, who: &Who, action: Action) -> bool {
        self.pages().iter().any(|page| who.can(page, action))
    }

    /// The completed states, and the cancelled ones.
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
