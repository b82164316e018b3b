//! What each column of a sales file means, and how its cells are written.

use std::collections::BTreeMap;

use super::dates::DateFormat;
use super::numbers::Decimal;

/// What a column of a sales file can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// The day of the sale, with or without the time.
    Date,
    /// The time of the sale.
    Time,
    /// The store's name, or its code where the file has no name.
    Store,
    /// Its code, when `Store` holds a name.
    StoreCode,
    /// The till.
    Terminal,
    /// The receipt number.
    Receipt,
    /// The till's code or name of what was sold.
    Item,
    /// Its name, when `Item` holds a code.
    ItemName,
    /// How many.
    Quantity,
    UnitPrice,
    /// The discount of the line.
    Discount,
    /// The line's net amount.
    Net,
    /// Sale, return or void.
    Kind,
    /// Dine in, take out, delivery.
    ServiceType,
    /// The item's category.
    Category,
}

impl Field {
    /// All of them, in the order a screen lists them.
    pub const ALL: [Self; 15] = [
        Self::Date,
        Self::Time,
        Self::Store,
        Self::StoreCode,
        Self::Terminal,
        Self::Receipt,
        Self::Item,
        Self::ItemName,
        Self::Quantity,
        Self::UnitPrice,
        Self::Discount,
        Self::Net,
        Self::Kind,
        Self::ServiceType,
        Self::Category,
    ];

    /// How a person would name it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Date => "Date",
            Self::Time => "Time",
            Self::Store => "Store",
            Self::StoreCode => "Store code",
            Self::Terminal => "Terminal",
            Self::Receipt => "Receipt number",
            Self::Item => "Item",
            Self::ItemName => "Item name",
            Self::Quantity => "Quantity",
            Self::UnitPrice => "Price",
            Self::Discount => "Discount",
            Self::Net => "Net amount",
            Self::Kind => "Kind",
            Self::ServiceType => "Service type",
            Self::Category => "Category",
        }
    }
}

/// Whether the price column holds the price of one or of the whole line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum PriceMeans {
    /// The price of one.
    #[default]
    Unit,
    /// The price of the line.
    Line,
}

/// The one store a file without a store column belongs to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FixedStore {
    /// The store's id.
    pub fixed: String,
}

/// A column of a file that has one for each product; its cells say how many were sold.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProductColumn {
    /// Its place, from 0.
    pub column: usize,
    /// What the product is called.
    pub name: String,
}

/// How a file is read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Mapping {
    /// Whether the first row names the columns.
    pub has_header: bool,
    /// The sheet of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The column (from 0) of each field the file has.
    pub columns: BTreeMap<Field, usize>,
    /// The order of day, month and year.
    pub date_format: DateFormat,
    /// The decimal mark.
    #[serde(default = "point")]
    pub decimal: Decimal,
    /// The store, when no column names it.
    #[serde(default)]
    pub store: Option<FixedStore>,
    /// What the price column holds.
    #[serde(default)]
    pub price_means: PriceMeans,
    /// Somebody has said that each row is one piece, though a column may be the quantity.
    #[serde(default)]
    pub each_row_is_one: bool,
    /// The columns that are each a product, in a file with one column a product. An empty list says
    /// that the file, though it looks so, is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub products: Option<Vec<ProductColumn>>,
    /// Where the sales come from; store-days are replaced per source.
    #[serde(default = "file")]
    pub source: String,
}

fn point() -> Decimal {
    Decimal::Point
}

fn file() -> String {
    "file".to_owned()
}

impl Mapping {
    /// The column of a field.
    #[must_use]
    pub fn column(&self, field: Field) -> Option<usize> {
        self.columns.get(&field).copied()
    }

    /// What a file with one column a product has no further column for.
    const SAID_BY_PRODUCTS: [Field; 7] = [
        Field::Item,
        Field::ItemName,
        Field::Quantity,
        Field::UnitPrice,
        Field::Discount,
        Field::Net,
        Field::Category,
    ];

    /// The columns that are each a product; none in most files.
    #[must_use]
    pub fn products(&self) -> &[ProductColumn] {
        self.products.as_deref().unwrap_or_default()
    }

    /// What keeps a file of `width` columns from being read this way: field and sentence.
    #[must_use]
    pub fn faults(&self, width: usize) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.column(Field::Date).is_none() {
            faults.push(("columns.date", "Choose the column that holds the date.".to_owned()));
        }
        if self.products().is_empty() {
            if self.column(Field::Item).is_none() && self.column(Field::ItemName).is_none() {
                faults.push(("columns.item", "Choose the column that holds the item.".to_owned()));
            }
        } else {
            for field in Self::SAID_BY_PRODUCTS {
                if self.column(field).is_some() {
                    let words = format!(
                        "{}: each product has a column of its own, which says it. Choose none for it.",
                        field.label()
                    );
                    faults.push(("products", words));
                }
            }
            for product in self.products() {
                if product.column >= width || self.columns.values().any(|used| *used == product.column) {
                    let words = format!(
                        "Column {} cannot be the product {}: it is not in the file or holds something else.",
                        product.column + 1,
                        product.name
                    );
                    faults.push(("products", words));
                } else if product.name.trim().is_empty() {
                    faults.push(("products", format!("Column {} has no product name.", product.column + 1)));
                }
            }
        }
        match (self.column(Field::Store), &self.store) {
            (None, None) => faults.push((
                "columns.store",
                "Choose the column that holds the store, or the one store the file belongs to.".to_owned(),
            )),
            (Some(_), Some(_)) => faults
                .push(("store", "Choose either a store column or one store for the whole file.".to_owned())),
            _ => {}
        }
        if self.column(Field::StoreCode).is_some() && self.column(Field::Store).is_none() {
            faults.push((
                "columns.store",
                "Choose the column that holds the store's name, or take its code as the store.".to_owned(),
            ));
        }
        let mut used: BTreeMap<usize, Field> = BTreeMap::new();
        for (&field, &column) in &self.columns {
            if column >= width {
                faults
                    .push(("columns", format!("{}: the file has no column {}.", field.label(), column + 1)));
            } else if let Some(other) = used.insert(column, field) {
                faults.push((
                    "columns",
                    format!("Column {} is chosen for {} and {}.", column + 1, other.label(), field.label()),
                ));
            }
        }
        if self.source != "file" {
            faults.push(("source", "The source of an uploaded file is \"file\".".to_owned()));
        }
        faults
    }
}
