//! NetSuite's records on the wire.

use std::collections::BTreeMap;

use larder_domain::netsuite::{LINE_KINDS, Layout, LineKind, TaxKind};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_platform::audit::Editor;

/// What stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum NetsuiteField {
    /// The same words in every row.
    Constant,
    ExternalId,
    Date,
    /// The date and the days an invoice may take.
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
    /// The tills whose readings are in it.
    Terminals,
    /// «Sales of 31 Oct 2026, Makati».
    Memo,
    /// From 1 within the record.
    LineNumber,
    /// The item, or a journal's account, of a line.
    LineName,
    /// What a line stands for.
    LineKind,
    Quantity,
    /// As the amount: one of it is sold.
    Rate,
    /// Without VAT.
    Amount,
    TaxCode,
    TaxAmount,
    /// Amount and tax.
    GrossAmount,
    /// A journal's left side.
    Debit,
    /// A journal's right side.
    Credit,
}

/// A column of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteColumn {
    pub title: String,
    pub field: NetsuiteField,
    /// The words of a constant.
    #[serde(default)]
    pub value: String,
}

/// How days are written.
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

/// How a layout is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteMapping {
    pub columns: Vec<NetsuiteColumn>,
    /// NetSuite's item, or a journal's account, for what a line stands for; its own name where nothing is said.
    #[serde(default)]
    pub names: BTreeMap<LineKind, String>,
    #[serde(default)]
    pub tax_codes: BTreeMap<TaxKind, String>,
    pub dates: NetsuiteDates,
    /// Days until an invoice is due.
    #[serde(default)]
    pub due_days: i32,
    /// The revision that is written; 0 while nobody has changed it.
    #[serde(default)]
    pub revision: i64,
}

impl NetsuiteMapping {
    /// As it is before anybody changes it.
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

/// Which layout.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LayoutQuery {
    /// `cashSale`, `invoice` or `journalEntry`; the first where nothing is said.
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
    /// None while the store has no POS code.
    pub external_id: Option<String>,
    /// `blocked`, `ready`, `exported`, `confirmed` or `failed`.
    pub state: String,
    /// Why it cannot go.
    pub reasons: Vec<String>,
    /// What NetSuite said of it.
    pub message: String,
    /// What its lines come to with VAT: the Z-readings' net.
    pub total: Option<Money>,
    pub rounding: Option<Money>,
    /// More than rounding: the reading does not add up.
    pub odd: bool,
    pub lines: i64,
    /// Its readings were changed since it was exported.
    pub changed: bool,
    pub exported_at: Option<Timestamp>,
}

/// The days of a range.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteDays {
    pub layout: Layout,
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// By day, then store.
    pub items: Vec<NetsuiteDay>,
    /// How many of each state.
    pub counts: BTreeMap<String, i64>,
}

/// Which record, and how it is written.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewNetsuite {
    pub store_id: String,
    /// `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub date: String,
    pub layout: Layout,
    /// A mapping that is not kept yet.
    #[serde(default)]
    pub mapping: Option<NetsuiteMapping>,
}

/// A record as the file will have it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuitePreview {
    pub external_id: Option<String>,
    pub columns: Vec<String>,
    /// One a line.
    pub rows: Vec<Vec<String>>,
    pub total: Money,
    /// What the readings call net.
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

/// What to export.
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
    /// Which stores; all within reach where nothing is said.
    #[serde(default)]
    pub store_ids: Vec<String>,
    /// These days only.
    #[serde(default)]
    pub days: Option<Vec<StoreDate>>,
    /// Days that went already, too.
    #[serde(default)]
    pub again: bool,
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NetsuiteFile {
    pub name: String,
    pub records: usize,
    pub rows: usize,
    pub bytes: usize,
}

/// What was exported.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteExport {
    pub id: String,
    pub layout: Layout,
    pub from: BusinessDay,
    pub to: BusinessDay,
    pub records: i64,
    /// Numbered from 1 where they are asked for.
    pub files: Vec<NetsuiteFile>,
    pub created_at: Timestamp,
    pub created_by: Editor,
    /// What was asked for and could not go.
    pub left: Vec<NetsuiteDay>,
}

/// Which exports.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportsQuery {
    /// At most so many: 1 to 10,000 (20).
    pub limit: Option<i64>,
    /// So many are left out first.
    pub offset: Option<i64>,
}

/// A page of exports, the newest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NetsuiteExports {
    pub items: Vec<NetsuiteExport>,
    pub total: i64,
}

/// Which file of an export, from 1.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FileQuery {
    pub number: Option<usize>,
}

/// How a file is called.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ResultsQuery {
    pub file_name: Option<String>,
}

/// A record that NetSuite refused.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteFailure {
    pub external_id: String,
    pub message: String,
}

/// What a result file said.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetsuiteResults {
    pub confirmed: usize,
    pub failed: Vec<NetsuiteFailure>,
    /// The first 200 External IDs that were not exported from here.
    pub unknown: Vec<String>,
    pub unknown_total: usize,
}
