//! NetSuite records: requests and responses.

use std::collections::BTreeMap;

use larder_domain::netsuite::{LINE_KINDS, Layout, LineKind, TaxKind};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::completeness::DayTills;
use larder_platform::audit::Editor;

/// Content of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum NetsuiteField {
    /// The same text in every row.
    Constant,
    ExternalId,
    Date,
    /// The date plus the payment term of an invoice.
    DueDate,
    CustomerName,
    CustomerId,
    CustomerInternalId,
    CompanyName,
    LocationName,
    LocationInternalId,
    ClassName,
    ClassInternalId,
    StoreName,
    StoreCode,
    PosCode,
    /// Tills whose readings it includes.
    Terminals,
    /// «Sales of 31 Oct 2026, Makati».
    Memo,
    /// From 1 within the record.
    LineNumber,
    /// The item, or for a journal the account, of a line.
    LineName,
    /// Type of a line.
    LineKind,
    Quantity,
    /// Equals the amount: the quantity is always one.
    Rate,
    /// Excluding VAT.
    Amount,
    TaxCode,
    TaxAmount,
    /// Amount plus tax.
    GrossAmount,
    /// Debit of a journal line.
    Debit,
    /// Credit of a journal line.
    Credit,
}

/// A column of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteColumn {
    pub title: String,
    pub field: NetsuiteField,
    /// The text of a constant.
    #[serde(default)]
    pub value: String,
}

/// Date format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum NetsuiteDates {
    /// `10/31/2026`
    Mdy,
    /// `31/10/2026`
    Dmy,
    /// `2026-10-31`
    Ymd,
}

/// The mapping of a layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteMapping {
    pub columns: Vec<NetsuiteColumn>,
    /// NetSuite's item, or for a journal the account, by line type; the line type's name if not set.
    #[serde(default)]
    pub names: BTreeMap<LineKind, String>,
    #[serde(default)]
    pub tax_codes: BTreeMap<TaxKind, String>,
    pub dates: NetsuiteDates,
    /// Days until an invoice is due.
    #[serde(default)]
    pub due_days: i32,
    /// Its revision; 0 for the default.
    #[serde(default)]
    pub revision: i64,
}

impl NetsuiteMapping {
    /// The default mapping.
    #[must_use]
    pub fn usual(layout: Layout) -> Self {
        use NetsuiteField as F;
        let column = |title: &str, field| NetsuiteColumn { title: title.into(), field, value: String::new() };
        let constant = |title: &str, value: &str| NetsuiteColumn {
            title: title.into(),
            field: F::Constant,
            value: value.into(),
        };
        let mut columns = vec![column("External ID", F::ExternalId), column("Date", F::Date)];
        match layout {
            Layout::CashSale | Layout::Invoice => {
                if layout == Layout::Invoice {
                    columns.push(column("Due Date", F::DueDate));
                }
                columns.extend([
                    column("Customer", F::CustomerName),
                    column("Customer Internal ID", F::CustomerInternalId),
                    column("Subsidiary", F::CompanyName),
                    column("Location", F::LocationName),
                    column("Class", F::ClassName),
                    column("Memo", F::Memo),
                    constant("Currency", "PHP"),
                    column("Item", F::LineName),
                    column("Description", F::LineKind),
                    column("Quantity", F::Quantity),
                    column("Rate", F::Rate),
                    column("Amount", F::Amount),
                    column("Tax Code", F::TaxCode),
                    column("Tax Amount", F::TaxAmount),
                    column("Gross Amount", F::GrossAmount),
                ]);
            }
            Layout::JournalEntry => columns.extend([
                column("Subsidiary", F::CompanyName),
                constant("Currency", "PHP"),
                column("Memo", F::Memo),
                column("Account", F::LineName),
                column("Debit", F::Debit),
                column("Credit", F::Credit),
                column("Line Memo", F::LineKind),
                column("Location", F::LocationName),
                column("Class", F::ClassName),
            ]),
        }
        let codes = [
            (TaxKind::Vat, "VAT_PH:S-PH"),
            (TaxKind::Exempt, "VAT_PH:EX-PH"),
            (TaxKind::ZeroRated, "VAT_PH:Z-PH"),
            (TaxKind::None, "VAT_PH:UNDEF-PH"),
        ];
        Self {
            columns,
            names: LINE_KINDS.into_iter().map(|kind| (kind, kind.title().to_owned())).collect(),
            tax_codes: codes.into_iter().map(|(kind, code)| (kind, code.to_owned())).collect(),
            dates: NetsuiteDates::Mdy,
            due_days: if layout == Layout::Invoice { 30 } else { 0 },
            revision: 0,
        }
    }
}

/// Query parameters: the layout.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LayoutQuery {
    /// `cashSale` (default), `invoice` or `journalEntry`.
    #[param(inline)]
    pub layout: Option<Layout>,
}

/// A layout's mapping.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NetsuiteLayoutMapping {
    pub layout: Layout,
    pub mapping: NetsuiteMapping,
}

/// A store's day as a record.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteDay {
    pub store_id: String,
    pub store_name: String,
    pub date: BusinessDay,
    /// Null while the store has no POS code.
    pub external_id: Option<String>,
    /// `blocked`, `ready`, `exported`, `confirmed`, `failed` or `elsewhere`: exported in another layout.
    pub state: String,
    /// What blocks it.
    pub reasons: Vec<String>,
    /// NetSuite's message.
    pub message: String,
    /// Total of its lines including VAT: the Z-readings' net.
    pub total: Option<Money>,
    pub rounding: Option<Money>,
    /// Whether the difference exceeds rounding: the reading does not add up.
    pub odd: bool,
    pub lines: i64,
    /// Whether its readings were changed since the export.
    pub changed: bool,
    pub exported_at: Option<Timestamp>,
    /// Its records in all layouts, withdrawn ones last.
    pub sent_as: Vec<NetsuiteSent>,
    /// The tills that must have a reading.
    pub tills: DayTills,
    /// Tills of which it is recorded that no reading exists, as printed in the memo.
    pub absences: Vec<String>,
}

/// An exported record of a store's day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteSent {
    pub layout: Layout,
    pub external_id: String,
    /// `exported`, `confirmed` or `failed`.
    pub state: String,
    pub exported_at: Timestamp,
    /// Set once it was withdrawn.
    pub withdrawn: Option<NetsuiteWithdrawal>,
}

/// Who withdrew a record, and why.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NetsuiteWithdrawal {
    pub at: Timestamp,
    /// The user's name.
    pub by: String,
    pub reason: String,
}

/// The days of a range.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteDays {
    pub layout: Layout,
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// Sorted by day, then store.
    pub items: Vec<NetsuiteDay>,
    /// Number of days by state.
    pub counts: BTreeMap<String, i64>,
}

/// The record to preview, and its mapping.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewNetsuite {
    pub store_id: String,
    /// `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub date: String,
    pub layout: Layout,
    /// An unsaved mapping.
    #[serde(default)]
    pub mapping: Option<NetsuiteMapping>,
}

/// A record as in the file.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuitePreview {
    pub external_id: Option<String>,
    pub columns: Vec<String>,
    /// One per line.
    pub rows: Vec<Vec<String>>,
    pub total: Money,
    /// Net as in the readings.
    pub net: Money,
    pub rounding: Money,
    pub reasons: Vec<String>,
}

/// A store's day.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreDate {
    pub store_id: String,
    /// `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub date: String,
}

/// The days to export.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportNetsuite {
    pub layout: Layout,
    /// First day, `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub from: String,
    /// Last day.
    #[schema(format = Date)]
    pub to: String,
    /// The stores; all accessible ones if empty.
    #[serde(default)]
    pub store_ids: Vec<String>,
    /// Limit to these days.
    #[serde(default)]
    pub days: Option<Vec<StoreDate>>,
    /// Include days exported before.
    #[serde(default)]
    pub again: bool,
}

/// The exported days to withdraw.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WithdrawNetsuite {
    pub days: Vec<StoreDate>,
    /// The layout in which they were exported.
    pub layout: Layout,
    /// At most 200 characters.
    pub reason: String,
}

/// The withdrawn records.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteWithdrawn {
    /// Sorted by store and day.
    pub external_ids: Vec<String>,
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NetsuiteFile {
    pub name: String,
    pub records: usize,
    pub rows: usize,
    pub bytes: usize,
}

/// The result of an export.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteExport {
    pub id: String,
    pub layout: Layout,
    pub from: BusinessDay,
    pub to: BusinessDay,
    pub records: i64,
    /// Requested by number, from 1.
    pub files: Vec<NetsuiteFile>,
    pub created_at: Timestamp,
    pub created_by: Editor,
    /// Requested days that are blocked.
    pub left: Vec<NetsuiteDay>,
}

/// Query parameters: paging.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportsQuery {
    /// Page size, 1 to 10,000; default 20.
    pub limit: Option<i64>,
    /// Number of exports to skip.
    pub offset: Option<i64>,
}

/// A page of exports, newest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NetsuiteExports {
    pub items: Vec<NetsuiteExport>,
    pub total: i64,
}

/// Query parameters: number of the file, from 1.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FileQuery {
    pub number: Option<usize>,
}

/// Query parameters: the file name.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ResultsQuery {
    pub file_name: Option<String>,
}

/// A record NetSuite refused.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteFailure {
    pub external_id: String,
    pub message: String,
}

/// Contents of a result file.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteResults {
    pub confirmed: usize,
    pub failed: Vec<NetsuiteFailure>,
    /// The first 200 External IDs not exported from here.
    pub unknown: Vec<String>,
    pub unknown_total: usize,
    /// External IDs of records that NetSuite accepted, but that were withdrawn here. They stay withdrawn.
    pub withdrawn: Vec<String>,
}
