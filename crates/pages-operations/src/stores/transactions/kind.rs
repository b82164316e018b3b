//! Entry types of the store ledger: required permissions, and final states.

use larder_domain::Action;
use larder_domain::document::DocumentKind;
pub use larder_domain::document::Stage;
use larder_domain::zreading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

/// The data that entries of a type are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Documents(DocumentKind),
    Adjustments,
    Counts,
    SalesDays,
    Readings,
}

impl EntryKind {
    /// All of them, in their order within a day.
    pub const ALL: [Self; 9] =
        [Order, Delivery, Receipt, Transfer, Waste, Adjustment, Count, SalesDay, ZReading];

    /// Source of its entries.
    #[must_use]
    pub const fn source(self) -> Source {
        match self {
            Order => Source::Documents(DocumentKind::StoreOrder),
            Delivery => Source::Documents(DocumentKind::Delivery),
            Receipt => Source::Documents(DocumentKind::Receipt),
            Transfer => Source::Documents(DocumentKind::Transfer),
            Waste => Source::Documents(DocumentKind::Waste),
            Adjustment => Source::Adjustments,
            Count => Source::Counts,
            SalesDay => Source::SalesDays,
            ZReading => Source::Readings,
        }
    }

    /// Name in the API.
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
        match self.source() {
            Source::Documents(kind) => kind.declared().label,
            Source::Adjustments => "Stock adjustment",
            Source::Counts => "Count",
            Source::SalesDays => "Sales day",
            Source::Readings => "Z-reading",
        }
    }

    /// Whether the user may view or export this type; a permission for any of its pages is enough.
    #[must_use]
    pub fn is_shown(self, who: &Who, action: Action) -> bool {
        let can = |page: &'static str| who.can(page, action);
        match self.source() {
            Source::Documents(kind) => can(kind.declared().page),
            Source::Adjustments => can("stores/storeInventory"),
            Source::Counts => can("stores/storeCount"),
            Source::SalesDays => can("tools/importSalesProduct") || can("reports/reports"),
            Source::Readings => can("sales/zReading"),
        }
    }

    /// The completed states, and the cancelled ones.
    #[must_use]
    pub fn ends(self) -> (Vec<&'static str>, Vec<&'static str>) {
        match self.source() {
            Source::Documents(kind) => (kind.states_at(Stage::Done), kind.states_at(Stage::Cancelled)),
            Source::Adjustments | Source::SalesDays => (vec!["posted"], Vec::new()),
            Source::Counts => (vec!["finished"], Vec::new()),
            Source::Readings => (zreading::FLOW.at(Stage::Done), zreading::FLOW.at(Stage::Cancelled)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_type_of_stores_is_in_the_store_ledger() {
        for kind in DocumentKind::ALL {
            let there = EntryKind::ALL.iter().any(|entry| entry.source() == Source::Documents(*kind));
            assert_eq!(there, kind.declared().of_stores, "{kind:?}");
        }
    }
}
