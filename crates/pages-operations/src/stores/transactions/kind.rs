//! Entry types of the store ledger: required permissions, and final states.

use std::borrow::Cow;
use std::sync::LazyLock;

use larder_domain::Action;
use larder_domain::document::DocumentKind;
pub use larder_domain::document::Stage;
use larder_domain::zreading;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use larder_platform::http::Who;

/// A type of entry. Within a day, later types come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// Documents that are for a store, or that it sends.
    Documents(DocumentKind),
    /// A manual stock adjustment.
    Adjustment,
    /// A count of a day, or of its opening or closing.
    Count,
    /// A day's sales from one source.
    SalesDay,
    /// A till's end-of-day reading.
    ZReading,
}

impl EntryKind {
    /// All of them, in their order within a day: the documents of stores, then the others.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<EntryKind>> = LazyLock::new(|| {
            let documents = DocumentKind::ALL.iter().copied().filter(|kind| kind.declared().of_stores);
            let others = [EntryKind::Adjustment, EntryKind::Count, EntryKind::SalesDay, EntryKind::ZReading];
            documents.map(EntryKind::Documents).chain(others).collect()
        });
        &ALL
    }

    /// Name in the API: a store order is an `order` here.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Documents(DocumentKind::StoreOrder) => "order",
            Self::Documents(kind) => kind.as_str(),
            Self::Adjustment => "adjustment",
            Self::Count => "count",
            Self::SalesDay => "salesDay",
            Self::ZReading => "zReading",
        }
    }

    /// Label in a file.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Documents(kind) => kind.declared().label,
            Self::Adjustment => "Stock adjustment",
            Self::Count => "Count",
            Self::SalesDay => "Sales day",
            Self::ZReading => "Z-reading",
        }
    }

    /// Whether the user may view or export this type; a permission for any of its pages is enough.
    #[must_use]
    pub fn is_shown(self, who: &Who, action: Action) -> bool {
        let can = |page: &'static str| who.can(page, action);
        match self {
            Self::Documents(kind) => can(kind.declared().page),
            Self::Adjustment => can("stores/storeInventory"),
            Self::Count => can("stores/storeCount"),
            Self::SalesDay => can("tools/importSalesProduct") || can("reports/reports"),
            Self::ZReading => can("sales/zReading"),
        }
    }

    /// The completed states, and the cancelled ones.
    #[must_use]
    pub fn ends(self) -> (Vec<&'static str>, Vec<&'static str>) {
        match self {
            Self::Documents(kind) => (kind.states_at(Stage::Done), kind.states_at(Stage::Cancelled)),
            Self::Adjustment | Self::SalesDay => (vec!["posted"], Vec::new()),
            Self::Count => (vec!["finished"], Vec::new()),
            Self::ZReading => (zreading::FLOW.at(Stage::Done), zreading::FLOW.at(Stage::Cancelled)),
        }
    }
}

impl Serialize for EntryKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl PartialSchema for EntryKind {
    fn schema() -> RefOr<Schema> {
        let names: Vec<&str> = Self::all().iter().map(|kind| kind.name()).collect();
        let description = "A type of entry. Within a day, later types come first.";
        let object = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
        RefOr::T(object.description(Some(description)).build().into())
    }
}

impl ToSchema for EntryKind {
    fn name() -> Cow<'static, str> {
        "EntryKind".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_stores_come_before_the_others() {
        let names: Vec<&str> = EntryKind::all().iter().map(|kind| kind.name()).collect();
        let others = ["adjustment", "count", "salesDay", "zReading"];
        assert_eq!(names[..5], ["order", "delivery", "receipt", "transfer", "waste"]);
        assert_eq!(names[names.len() - 4..], others);
        assert!(!names.contains(&"production"), "a kitchen's batch is of no store");
    }
}
