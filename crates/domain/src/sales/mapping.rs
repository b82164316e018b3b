//! The meaning of a sales file's columns, and the format of their cells.

use std::collections::BTreeMap;

use super::calendar::names_business_date;
use super::dates::DateFormat;
use super::numbers::Decimal;
use crate::BusinessDay;
use crate::day_starts::is_start;
use crate::sheet::Quotes;

/// The possible content of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// The day of the sale, with or without the time.
    Date,
    /// The time of the sale.
    Time,
    /// The store's name, or its code if the file has no name.
    Store,
    /// Its code, when `Store` is a name.
    StoreCode,
    Terminal,
    Receipt,
    /// The till's code or name of the item sold.
    Item,
    /// Its name, when `Item` is a code.
    ItemName,
    /// Its size or price point, which is part of what was sold.
    Variant,
    /// What was added to it.
    Modifiers,
    Quantity,
    UnitPrice,
    /// The discount of the line.
    Discount,
    /// The line's net amount.
    Net,
    /// Sale, return or void.
    Kind,
    /// The line's id, by which others name it.
    LineId,
    /// The id of the line that it belongs to, as the part of a combo or a modifier.
    ParentLine,
    /// Dine in, take out, delivery.
    ServiceType,
    Category,
    /// The order channel: the counter, an app, a website.
    Channel,
    /// Number of guests.
    Pax,
    /// Discount for senior citizens.
    Senior,
    /// Discount for persons with disability.
    Pwd,
    /// Discount for national athletes and coaches.
    Naac,
    /// Discount for solo parents.
    SoloParent,
    /// Discount for holders of the Medal of Valor.
    Valor,
    /// Discount for employees.
    Employee,
    /// Discount for VIP guests.
    Vip,
    /// Discount by promotions.
    Promo,
    /// Any other discount.
    OtherDiscount,
    /// Sales subject to VAT.
    Vatable,
    Vat,
    /// Sales exempt from VAT.
    Exempt,
    /// Zero-rated sales.
    ZeroRated,
    ServiceCharge,
    /// Municipal or provincial taxes.
    LocalTax,
    /// The tender.
    Tender,
    /// The tender's amount; without it the whole line or receipt.
    TenderAmount,
    /// Such as an approval code.
    TenderReference,
}

impl Field {
    /// All of them, in the order of the screen.
    pub const ALL: [Self; 39] = [
        Self::Date,
        Self::Time,
        Self::Store,
        Self::StoreCode,
        Self::Terminal,
        Self::Receipt,
        Self::Item,
        Self::ItemName,
        Self::Variant,
        Self::Modifiers,
        Self::Quantity,
        Self::UnitPrice,
        Self::Discount,
        Self::Net,
        Self::Kind,
        Self::LineId,
        Self::ParentLine,
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

    /// Its display name.
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
            Self::Variant => "Variant",
            Self::Modifiers => "Modifiers",
            Self::Quantity => "Quantity",
            Self::UnitPrice => "Price",
            Self::Discount => "Discount",
            Self::Net => "Net amount",
            Self::Kind => "Kind",
            Self::LineId => "Line id",
            Self::ParentLine => "Belongs to line",
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
    /// Whether it is a receipt-level amount that may be repeated on each line and then counts once.
    #[must_use]
    pub fn may_count_once(self) -> bool {
        matches!(self, Self::Net | Self::Discount | Self::TenderAmount) || super::facts::place(self).is_some()
    }
}

/// Whether the price column contains unit prices or line totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum PriceMeans {
    #[default]
    Unit,
    Line,
}

/// The store of a file without a store column.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FixedStore {
    pub fixed: String,
}

/// A product's column in a file with one column per product; its cells are quantities.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProductColumn {
    /// Its index, from 0.
    pub column: usize,
    /// The product's name.
    pub name: String,
}

/// A column of one tender's amounts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TenderColumn {
    /// Its index, from 0.
    pub column: usize,
    /// The tender: Cash, Card.
    pub name: String,
}

/// What to do with total rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Totals {
    /// They are not sales.
    LeaveOut,
    /// They are sales, despite their name.
    Keep,
}

/// What a word in a status column means for its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Word {
    /// The row is a sale, or whatever its figures say.
    Counts,
    /// The row is a return.
    Returns,
    /// The row is not a sale: cancelled, voided, not paid.
    LeaveOut,
}

/// How a status column is read whose words mean something else than elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Flag {
    /// «Paid»: no leaves the row out, yes counts.
    Paid,
    /// «Cancelled at»: a filled cell leaves the row out.
    CancelledAt,
}

/// What lines with a positive quantity or none and a negative amount are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum NegativeLines {
    /// Discounts or rounding of their receipt.
    Discounts,
    /// Returns of the item.
    Returns,
}

/// How to read a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Mapping {
    /// Whether the first row is a header.
    pub has_header: bool,
    /// The sheet of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The column (from 0) of each field in the file.
    pub columns: BTreeMap<Field, usize>,
    /// The order of day, month and year.
    pub date_format: DateFormat,
    /// The decimal mark.
    #[serde(default = "point")]
    pub decimal: Decimal,
    /// The store, if no column names it.
    #[serde(default)]
    pub store: Option<FixedStore>,
    /// The meaning of the price column.
    #[serde(default)]
    pub price_means: PriceMeans,
    /// The user said that each row is one piece, though a column may be the quantity.
    #[serde(default)]
    pub each_row_is_one: bool,
    /// The product columns, in a file with one column per product. An empty list means that the file only looks like
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub products: Option<Vec<ProductColumn>>,
    /// The tender columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tenders: Vec<TenderColumn>,
    /// Amounts repeated on every line of a receipt that count once. `None`: not asked; an empty list: each line has its
    /// own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<Vec<Field>>,
    /// What to do with rows called «Total». `None` leaves out those that are the sum of rows above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<Totals>,
    /// Fields whose empty cells repeat the value above. `None`: not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill_down: Option<Vec<Field>>,
    /// The sheets of a workbook, read one after the other; `None`: only `sheet`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheets: Option<Vec<String>>,
    /// Discounts are negative amounts.
    #[serde(default)]
    pub negative_discounts: bool,
    /// The day of all rows, if no column holds the date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<BusinessDay>,
    /// What a user answered: the id of the choice, by the id of the question.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, String>,
    /// The decimal marks of single columns, where they differ from `decimal`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decimals: BTreeMap<Field, Decimal>,
    /// Further columns (from 0) that say whether a row counts, besides that of `Kind`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<usize>,
    /// Those of them (from 0) that are read in another way.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub flags: BTreeMap<usize, Flag>,
    /// What words in these columns mean, by [`super::names::key`], over what is known of words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, Word>,
    /// Whether the lines of a receipt are repeated for each tender, so that one set counts. `None`: not asked; all count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_tenders: Option<bool>,
    /// What negative lines of items not sold otherwise are. `None`: not asked; discounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negative_lines: Option<NegativeLines>,
    /// Whether modifiers are counted beside their item. `None`: not asked; they are part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modifiers: Option<bool>,
    /// Whether rows without an amount, whose items have a mark before their names, belong to the row above them. `None`:
    /// not asked; they are lines of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked_parts: Option<bool>,
    /// Whether rows hidden in a workbook are read. `None`: not asked; they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_rows: Option<bool>,
    /// How quotes around several lines are read. `None`: not asked; as one cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quotes: Option<Quotes>,
    /// Whether the date is that of the calendar, so that receipts after midnight belong to the evening before; otherwise
    /// it is the business date. `None`: as the column's title says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar_days: Option<bool>,
    /// When the days of stores begin whose file passes midnight, as answered: minutes after midnight, by
    /// [`super::names::key`] of the store's name, which is empty if no column names it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub day_starts: BTreeMap<String, i32>,
    /// The source of the sales; store-days are replaced per source.
    #[serde(default = "file")]
    pub source: String,
}

fn point() -> Decimal {
    Decimal::Point
}

fn file() -> String {
    "file".to_owned()
}

/// A table with a header, and unknown columns.
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
            day: None,
            answers: BTreeMap::new(),
            decimals: BTreeMap::new(),
            statuses: Vec::new(),
            flags: BTreeMap::new(),
            words: BTreeMap::new(),
            split_tenders: None,
            negative_lines: None,
            modifiers: None,
            marked_parts: None,
            hidden_rows: None,
            quotes: None,
            calendar_days: None,
            day_starts: BTreeMap::new(),
            source: file(),
        }
    }
}

impl Mapping {
    /// Whether dates are calendar dates; `title` is that of the date column, empty if there is none. The day of a file
    /// without a date column is a business date.
    #[must_use]
    pub fn has_calendar_days(&self, title: &str) -> bool {
        let by_title = || self.column(Field::Date).is_some() && !names_business_date(title);
        self.calendar_days.unwrap_or_else(by_title)
    }

    /// The column of a field.
    #[must_use]
    pub fn column(&self, field: Field) -> Option<usize> {
        self.columns.get(&field).copied()
    }

    /// Fields that have no column in a file with one column per product.
    const SAID_BY_PRODUCTS: [Field; 8] = [
        Field::Item,
        Field::ItemName,
        Field::Variant,
        Field::Quantity,
        Field::UnitPrice,
        Field::Discount,
        Field::Net,
        Field::Category,
    ];

    /// The decimal mark of a field's column.
    #[must_use]
    pub fn decimal_of(&self, field: Field) -> Decimal {
        self.decimals.get(&field).copied().unwrap_or(self.decimal)
    }

    /// Every column that is read.
    pub fn read_columns(&self) -> impl Iterator<Item = usize> + '_ {
        let products = self.products().iter().map(|product| product.column);
        let tenders = self.tenders.iter().map(|tender| tender.column);
        self.columns.values().copied().chain(products).chain(tenders).chain(self.status_columns())
    }

    /// The columns that say whether a row counts.
    pub fn status_columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.column(Field::Kind).into_iter().chain(self.statuses.iter().copied())
    }

    /// The product columns; empty for most files.
    #[must_use]
    pub fn products(&self) -> &[ProductColumn] {
        self.products.as_deref().unwrap_or_default()
    }

    /// Errors that prevent reading a file of `width` columns this way: field and message.
    #[must_use]
    pub fn faults(&self, width: usize) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        match (self.column(Field::Date), self.day) {
            (None, None) => faults.push((
                "columns.date",
                "Choose the column that holds the date, or one day for the whole file.".to_owned(),
            )),
            (Some(_), Some(_)) => {
                faults.push(("day", "Choose either a date column or one day for the whole file.".to_owned()));
            }
            _ => {}
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
        if self.column(Field::ParentLine).is_some() && self.column(Field::LineId).is_none() {
            let words =
                "Choose the column that holds the ids of lines too: by them a line says which it belongs to.";
            faults.push(("columns.lineId", words.to_owned()));
        }
        if let Some(once) = self.once.as_ref().filter(|once| !once.is_empty()) {
            if self.column(Field::Receipt).is_none() {
                let words = "Choose the column that holds the receipt number: without it nothing can count once a receipt.";
                faults.push(("columns.receipt", words.to_owned()));
            }
            if let Some(field) = once.iter().find(|field| !field.may_count_once()) {
                faults.push(("once", format!("{} is on every line by itself.", field.label())));
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
        for column in self.statuses.iter().chain(self.flags.keys()).filter(|column| **column >= width) {
            faults.push(("statuses", format!("The file has no column {}.", column + 1)));
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
        if self.day_starts.values().any(|minutes| !is_start(*minutes)) {
            faults.push(("dayStarts", "Choose a quarter of an hour from 00:00 to 12:00.".to_owned()));
        }
        if self.source != "file" {
            faults.push(("source", "The source of an uploaded file is \"file\".".to_owned()));
        }
        faults
    }
}
