//! Dataset definitions: the available fields, each with its source and aggregation. Nothing else in the
//! database can be queried.

use serde::Serialize;
use utoipa::ToSchema;

use super::definition::CustomRule;

/// Type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomType {
    Text,
    Date,
    /// A quantity, with a unit if the field says so.
    Qty,
    Money,
    Count,
    /// A share or a change: 0.1 is 10%.
    Share,
}

/// Part of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Day,
    /// By its Monday.
    Week,
    Month,
    Quarter,
    Year,
    Weekday,
}

/// Attribute of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfStore {
    Itself,
    Regional,
    Operational,
    Format,
}

/// The items of a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Items {
    Pos,
    Root,
    Product,
    /// Products and root items.
    Stocked,
    /// Count sheet items.
    Counted,
}

/// Attribute of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfItem {
    Itself,
    /// Category or type.
    Kind,
}

/// Labels of a field's own values.
#[derive(Debug, Clone, Copy)]
pub enum Words {
    /// Unchanged.
    Plain,
    /// Mapped to these labels.
    Labelled(&'static [(&'static str, &'static str)]),
    /// The text after the first bar: `id|number`.
    Named,
}

/// Source of a dimension's values.
#[derive(Debug, Clone, Copy)]
pub enum Of {
    Date(Part),
    Store(OfStore),
    Item(OfItem),
    /// A text expression in the dataset's query.
    Own(&'static str, Words),
}

/// How a measure is aggregated.
#[derive(Debug, Clone, Copy)]
pub enum Adds {
    /// Summed over everything: an aggregate of the query, or the name of a stored measure.
    Sum(&'static str),
    /// Summed like that; what is summed is a [`Worth`](larder_domain::Worth) as stored.
    Worth(&'static str),
    /// Ratio of two summed measures.
    Ratio(&'static str, &'static str),
    /// Summed over places and items but not days: the first day with a value.
    First(&'static str),
    /// As [`Adds::First`], for the last day.
    Last(&'static str),
}

/// A measure.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    pub of: CustomType,
    pub adds: Adds,
    /// Whether it is a quantity in the fact's unit.
    pub unit: bool,
}

/// Role of a field.
#[derive(Debug, Clone, Copy)]
pub enum What {
    Dim(Of),
    Measure(Measure),
}

/// A field.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub key: &'static str,
    pub label: &'static str,
    /// The heading it is listed under.
    pub group: &'static str,
    pub what: What,
    /// The console page its values link to.
    pub leads: Option<&'static str>,
    /// For a measure: dimensions it cannot be broken down by.
    pub not_by: &'static [&'static str],
}

/// A query of sums over a date range.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    /// `from …` and joins.
    pub from: &'static str,
    /// The business date.
    pub day: &'static str,
    /// The store's id.
    pub store: &'static str,
    pub item: Option<&'static str>,
    /// Unit of the quantities, if it is not an attribute of the item.
    pub unit: Option<&'static str>,
    /// Additional conditions: ` and …`.
    pub only: &'static str,
    /// Condition for rows outside stores, visible to users with access to all stores.
    pub besides: Option<&'static str>,
}

/// Source of the facts.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// Stored sums of POS items.
    Pos,
    /// Stored sums of root items.
    Root,
    /// Forecasts with the actual use.
    Forecast,
    /// Tenders, from the till to the bank; the query is used when only payments are requested.
    Paid(Sql),
    Sql(Sql),
}

/// A dataset.
#[derive(Debug, Clone, Copy)]
pub struct Dataset {
    pub key: &'static str,
    pub label: &'static str,
    /// Display description of one fact.
    pub about: &'static str,
    /// The page whose permission is required besides that of reports.
    pub right: Option<&'static str>,
    pub source: Source,
    pub items: Option<Items>,
    /// Whether it covers future days.
    pub ahead: bool,
    /// Whether it is of store-days' sales: changes are over the days that both periods have.
    pub sales: bool,
    pub fields: &'static [&'static [Field]],
}

impl Dataset {
    /// Every field.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        self.fields.iter().flat_map(|group| group.iter())
    }

    /// Whether its facts carry their own unit.
    #[must_use]
    pub fn own_unit(&self) -> bool {
        matches!(self.source, Source::Sql(Sql { unit: Some(_), .. }))
    }

    /// The field with this key.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields().find(|field| field.key == key)
    }
}

impl Field {
    /// A dimension.
    pub const fn dim(key: &'static str, label: &'static str, group: &'static str, of: Of) -> Self {
        Self { key, label, group, what: What::Dim(of), leads: None, not_by: &[] }
    }

    /// Adds the page its values link to.
    pub const fn leading(mut self, page: &'static str) -> Self {
        self.leads = Some(page);
        self
    }

    /// Adds dimensions it cannot be broken down by.
    pub const fn not_by(mut self, dims: &'static [&'static str]) -> Self {
        self.not_by = dims;
        self
    }

    /// A measure.
    pub const fn measure(key: &'static str, label: &'static str, of: CustomType, adds: Adds) -> Self {
        Self {
            key,
            label,
            group: "Figures",
            what: What::Measure(Measure { of, adds, unit: false }),
            leads: None,
            not_by: &[],
        }
    }

    /// A quantity in the fact's unit.
    pub const fn qty(key: &'static str, label: &'static str, adds: Adds) -> Self {
        let what = What::Measure(Measure { of: CustomType::Qty, adds, unit: true });
        Self { key, label, group: "Figures", what, leads: None, not_by: &[] }
    }

    /// Its type.
    #[must_use]
    pub fn of(&self) -> CustomType {
        match self.what {
            What::Dim(Of::Date(_)) => CustomType::Date,
            What::Dim(_) => CustomType::Text,
            What::Measure(measure) => measure.of,
        }
    }

    /// The calculations available for it as a measure.
    #[must_use]
    pub fn rules(&self) -> &'static [CustomRule] {
        use CustomRule::{AvgPerDay, Change, Parent, Running, Share, Sum};
        match self.what {
            What::Measure(Measure { adds: Adds::Sum(_) | Adds::Worth(_), .. }) => {
                &[Sum, AvgPerDay, Share, Parent, Change, Running]
            }
            What::Measure(Measure { adds: Adds::Ratio(..), .. }) => &[Sum, Change],
            What::Measure(_) => &[Sum, Share, Parent, Change],
            What::Dim(_) => &[],
        }
    }
}

const WHEN_GROUP: &str = "When";
const STORE_GROUP: &str = "Store";

/// Dates and their periods.
pub const WHEN: &[Field] = &[
    Field::dim("date", "Date", WHEN_GROUP, Of::Date(Part::Day)),
    Field::dim("week", "Week", WHEN_GROUP, Of::Date(Part::Week)),
    Field::dim("month", "Month", WHEN_GROUP, Of::Date(Part::Month)),
    Field::dim("quarter", "Quarter", WHEN_GROUP, Of::Date(Part::Quarter)),
    Field::dim("year", "Year", WHEN_GROUP, Of::Date(Part::Year)),
    Field::dim("weekday", "Weekday", WHEN_GROUP, Of::Date(Part::Weekday)),
];

/// Stores and their attributes.
pub const STORE: &[Field] = &[
    Field::dim("store", "Store", STORE_GROUP, Of::Store(OfStore::Itself)).leading("store"),
    Field::dim("operationalArea", "Operational area", STORE_GROUP, Of::Store(OfStore::Operational)),
    Field::dim("regionalArea", "Regional area", STORE_GROUP, Of::Store(OfStore::Regional)),
    Field::dim("format", "Store format", STORE_GROUP, Of::Store(OfStore::Format)),
];

/// POS items.
pub const POS_ITEM: &[Field] = &[
    Field::dim("item", "POS item", "Item", Of::Item(OfItem::Itself)).leading("posItem"),
    Field::dim("category", "Category", "Item", Of::Item(OfItem::Kind)),
];

/// Root items.
pub const ROOT_ITEM: &[Field] = &[
    Field::dim("item", "Root item", "Item", Of::Item(OfItem::Itself)).leading("rootItem"),
    Field::dim("itemType", "Root item type", "Item", Of::Item(OfItem::Kind)),
];

/// Products.
pub const PRODUCT: &[Field] = &[
    Field::dim("item", "Product", "Item", Of::Item(OfItem::Itself)).leading("product"),
    Field::dim("category", "Product category", "Item", Of::Item(OfItem::Kind)),
];
