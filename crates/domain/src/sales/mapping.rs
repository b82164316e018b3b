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
    /// Where the order came from: the counter, an app, a website.
    Channel,
    /// How many people ate.
    Pax,
    /// Taken off for senior citizens.
    Senior,
    /// Taken off for persons with disability.
    Pwd,
    /// Taken off for national athletes and coaches.
    Naac,
    /// Taken off for solo parents.
    SoloParent,
    /// Taken off for holders of the Medal of Valor.
    Valor,
    /// Taken off for employees.
    Employee,
    /// Taken off for VIP guests.
    Vip,
    /// Taken off by promotions.
    Promo,
    /// Taken off for any other reason.
    OtherDiscount,
    /// Sales that VAT is charged on.
    Vatable,
    /// VAT.
    Vat,
    /// Sales exempt from VAT.
    Exempt,
    /// Sales at a VAT of zero.
    ZeroRated,
    ServiceCharge,
    /// Taxes of the town or province.
    LocalTax,
    /// How it was paid.
    Tender,
    /// How much was paid that way; without it the whole line or receipt.
    TenderAmount,
    /// An approval code or the like.
    TenderReference,
}

impl Field {
    /// All of them, in the order a screen lists them.
    pub const ALL: [Self; 35] = [
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
        Self::Channel,
        Self::Pax,
        Self::Senior,
        Self::Pwd,
        Self::Naac,
        Self::SoloParent,
        Self::Valor,
        Self::Employee,
        Self::Vip,
        Self::Promo,
        Self::OtherDiscount,
        Self::Vatable,
        Self::Vat,
        Self::Exempt,
        Self::ZeroRated,
        Self::ServiceCharge,
        Self::LocalTax,
        Self::Tender,
        Self::TenderAmount,
        Self::TenderReference,
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
            Self::Channel => "Channel",
            Self::Pax => "Guests",
            Self::Senior => "Senior discount",
            Self::Pwd => "PWD discount",
            Self::Naac => "Athlete discount (NAAC)",
            Self::SoloParent => "Solo parent discount",
            Self::Valor => "Medal of Valor discount",
            Self::Employee => "Employee discount",
            Self::Vip => "VIP discount",
            Self::Promo => "Promo discount",
            Self::OtherDiscount => "Other discount",
            Self::Vatable => "VATable sales",
            Self::Vat => "VAT",
            Self::Exempt => "VAT-exempt sales",
            Self::ZeroRated => "Zero-rated sales",
            Self::ServiceCharge => "Service charge",
            Self::LocalTax => "Local tax",
            Self::Tender => "Paid by",
            Self::TenderAmount => "Amount paid",
            Self::TenderReference => "Payment reference",
        }
    }
}

impl Field {
    /// Whether it is said of a receipt and may stand on each of its lines: an amount that counts once.
    #[must_use]
    pub fn may_count_once(self) -> bool {
        matches!(self, Self::Net | Self::Discount | Self::TenderAmount) || super::facts::place(self).is_some()
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

/// A column whose cells are the amounts paid in one way.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TenderColumn {
    /// Its place, from 0.
    pub column: usize,
    /// How it was paid: Cash, Card.
    pub name: String,
}

/// What is done with rows that add up the rows above them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Totals {
    /// They are no sales.
    LeaveOut,
    /// They are sales like the others, though called so.
    Keep,
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
    /// The columns that are each a way of paying.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tenders: Vec<TenderColumn>,
    /// The amounts that stand on every line of a receipt and count once for it. Nothing says that nobody
    /// was asked; an empty list, that each line has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<Vec<Field>>,
    /// What is done with rows that say «Total». Nothing leaves out those that are the sum of rows above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<Totals>,
    /// The fields whose empty cells mean what stood above. Nothing says that nobody was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill_down: Option<Vec<Field>>,
    /// The sheets of a workbook that are read one after the other; none: only `sheet`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheets: Option<Vec<String>>,
    /// What is taken off is written as a negative amount.
    #[serde(default)]
    pub negative_discounts: bool,
    /// The questions about the file that somebody has answered, by their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<String>,
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

/// A table with names in its first row, and nothing known of its columns.
impl Default for Mapping {
    fn default() -> Self {
        Self {
            has_header: true,
            sheet: None,
            columns: BTreeMap::new(),
            date_format: DateFormat::Ymd,
            decimal: point(),
            store: None,
            price_means: PriceMeans::Unit,
            each_row_is_one: false,
            products: None,
            tenders: Vec::new(),
            once: None,
            totals: None,
            fill_down: None,
            sheets: None,
            negative_discounts: false,
            answered: Vec::new(),
            source: file(),
        }
    }
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
        if let Some(once) = self.once.as_ref().filter(|once| !once.is_empty()) {
            if self.column(Field::Receipt).is_none() {
                let words = "Choose the column that holds the receipt number: without it nothing can count once a receipt.";
                faults.push(("columns.receipt", words.to_owned()));
            }
            if let Some(field) = once.iter().find(|field| !field.may_count_once()) {
                faults.push(("once", format!("{} stands on every line by itself.", field.label())));
            }
        }
        for tender in &self.tenders {
            if tender.column >= width || self.columns.values().any(|used| *used == tender.column) {
                let words = format!(
                    "Column {} cannot be paid by {}: it is not in the file or holds something else.",
                    tender.column + 1,
                    tender.name
                );
                faults.push(("tenders", words));
            } else if tender.name.trim().is_empty() {
                faults.push(("tenders", format!("Column {} has no name of a tender.", tender.column + 1)));
            }
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
