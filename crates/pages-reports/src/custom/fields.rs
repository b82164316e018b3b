//! What a dataset is: fields that may be asked for, each with how it is read and how it adds up. Nothing else of the
//! database can be asked for.

use serde::Serialize;
use utoipa::ToSchema;

use super::definition::CustomRule;

/// What stands in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomType {
    Text,
    Date,
    /// A quantity, with a unit where the field says so.
    Qty,
    Money,
    Count,
    /// A part of a whole, or a change: 0.1 is a tenth.
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

/// What of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfStore {
    Itself,
    Regional,
    Operational,
    Format,
}

/// What items of a dataset are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Items {
    Pos,
    Root,
    Product,
    /// Products and root items.
    Stocked,
    /// Of count sheets.
    Counted,
}

/// What of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfItem {
    Itself,
    /// Category or type.
    Kind,
}

/// How the values of a field of its own are shown.
#[derive(Debug, Clone, Copy)]
pub enum Words {
    /// As they are.
    Plain,
    /// By these words.
    Told(&'static [(&'static str, &'static str)]),
    /// As what stands behind the first bar: `id|number`.
    Named,
}

/// Where the values of a dimension come from.
#[derive(Debug, Clone, Copy)]
pub enum Of {
    Date(Part),
    Store(OfStore),
    Item(OfItem),
    /// An expression of the dataset's query, a text.
    Own(&'static str, Words),
}

/// How a measure adds up.
#[derive(Debug, Clone, Copy)]
pub enum Adds {
    /// Over everything: an aggregate of the query, or the name of a kept figure.
    Sum(&'static str),
    /// The sum of one measure by that of another.
    Ratio(&'static str, &'static str),
    /// Over places and items, not over days: of the first day that there is.
    First(&'static str),
    /// As [`Adds::First`], of the last day.
    Last(&'static str),
}

/// A measure.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    pub of: CustomType,
    pub adds: Adds,
    /// Whether it is a quantity in the unit of the fact.
    pub unit: bool,
}

/// What a field can be.
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
    /// Under which heading it is offered.
    pub group: &'static str,
    pub what: What,
    /// The page of the console a value leads to: a name it knows.
    pub leads: Option<&'static str>,
    /// Of a measure: the dimensions that it is not known by.
    pub not_by: &'static [&'static str],
}

/// A query of sums over a range of days.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    /// `from …` and joins.
    pub from: &'static str,
    /// The business date.
    pub day: &'static str,
    /// The store's id.
    pub store: &'static str,
    pub item: Option<&'static str>,
    /// The unit of the quantities, where it is no property of the item.
    pub unit: Option<&'static str>,
    /// More conditions: ` and …`.
    pub only: &'static str,
    /// What whoever reaches every store sees besides what is in a store.
    pub besides: Option<&'static str>,
}

/// Where the facts come from.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// Kept sums of POS items.
    Pos,
    /// Kept sums of root items.
    Root,
    /// Forecasts, with what was then used.
    Forecast,
    /// How days were paid, from the till to the bank; the query answers what is asked of payments alone.
    Paid(Sql),
    Sql(Sql),
}

/// Something that can be asked of.
#[derive(Debug, Clone, Copy)]
pub struct Dataset {
    pub key: &'static str,
    pub label: &'static str,
    /// What one fact of it is, for people.
    pub about: &'static str,
    /// The page whose right it asks for beside that to reports.
    pub right: Option<&'static str>,
    pub source: Source,
    pub items: Option<Items>,
    /// Whether it speaks of days to come.
    pub ahead: bool,
    pub fields: &'static [&'static [Field]],
}

impl Dataset {
    /// Every field.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        self.fields.iter().flat_map(|group| group.iter())
    }

    /// Whether its facts say their unit themselves.
    #[must_use]
    pub fn own_unit(&self) -> bool {
        matches!(self.source, Source::Sql(Sql { unit: Some(_), .. }))
    }

    /// The field of this name.
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

    /// The same, with a page its values lead to.
    pub const fn leading(mut self, page: &'static str) -> Self {
        self.leads = Some(page);
        self
    }

    /// The same measure, which is not known by some dimensions.
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

    /// A quantity in the unit of the fact.
    pub const fn qty(key: &'static str, label: &'static str, adds: Adds) -> Self {
        let what = What::Measure(Measure { of: CustomType::Qty, adds, unit: true });
        Self { key, label, group: "Figures", what, leads: None, not_by: &[] }
    }

    /// What stands in it.
    #[must_use]
    pub fn of(&self) -> CustomType {
        match self.what {
            What::Dim(Of::Date(_)) => CustomType::Date,
            What::Dim(_) => CustomType::Text,
            What::Measure(measure) => measure.of,
        }
    }

    /// What may be done with it as a measure.
    #[must_use]
    pub fn rules(&self) -> &'static [CustomRule] {
        use CustomRule::{AvgPerDay, Change, Share, Sum};
        match self.what {
            What::Measure(Measure { adds: Adds::Sum(_), .. }) => &[Sum, AvgPerDay, Share, Change],
            What::Measure(Measure { adds: Adds::Ratio(..), .. }) => &[Sum, Change],
            What::Measure(_) => &[Sum, Share, Change],
            What::Dim(_) => &[],
        }
    }
}

const WHEN_GROUP: &str = "When";
const STORE_GROUP: &str = "Store";

/// Days and what they belong to.
pub const WHEN: &[Field] = &[
    Field::dim("date", "Date", WHEN_GROUP, Of::Date(Part::Day)),
    Field::dim("week", "Week", WHEN_GROUP, Of::Date(Part::Week)),
    Field::dim("month", "Month", WHEN_GROUP, Of::Date(Part::Month)),
    Field::dim("quarter", "Quarter", WHEN_GROUP, Of::Date(Part::Quarter)),
    Field::dim("year", "Year", WHEN_GROUP, Of::Date(Part::Year)),
    Field::dim("weekday", "Weekday", WHEN_GROUP, Of::Date(Part::Weekday)),
];

/// Stores and what they belong to.
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
