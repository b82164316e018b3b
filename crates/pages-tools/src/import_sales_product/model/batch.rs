//! Uploaded files: state, totals and errors.

use larder_db::Json;
use larder_domain::sales::Mapping;
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::layout::Layout;
use super::super::questions::Ask;
use larder_ledgers::sales_names::Subject;
use larder_lists::imports::limits;

/// State of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum BatchState {
    /// Uploaded; the mapping has to be confirmed.
    Uploaded,
    /// Rows are being checked.
    Validating,
    /// Rows were checked.
    Validated,
    /// Store-days are being written.
    Posting,
    /// Store-days are in the ledger.
    Posted,
    /// All of its store-days were replaced by later batches.
    Superseded,
    /// Reverted.
    Reverted,
    /// A step failed; `error` has the reason.
    Failed,
}

/// A user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct By {
    /// Account id.
    pub uid: String,
    pub name: String,
    pub email: String,
}

/// An uploaded file.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    pub id: String,
    pub file_name: String,
    /// In bytes.
    pub size: i64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// Type of its items.
    pub subject: Subject,
    /// State.
    pub state: BatchState,
    /// Layout of the file.
    #[schema(value_type = Option<Layout>)]
    pub layout: Option<Json<Layout>>,
    /// The mapping; until confirmed, that of the last file with these columns.
    #[schema(value_type = Option<Mapping>)]
    pub mapping: Option<Json<Mapping>>,
    /// Totals of its rows.
    #[schema(value_type = Option<Summary>)]
    pub summary: Option<Json<Summary>>,
    /// Why it failed.
    pub error: Option<String>,
    /// The current or last job.
    pub job_id: Option<String>,
    pub created_at: Timestamp,
    #[schema(value_type = By)]
    pub created_by: Json<By>,
    pub posted_at: Option<Timestamp>,
    /// When it was reverted.
    pub reverted_at: Option<Timestamp>,
    /// Files that posted some of its store-days before, with the same content; only of a single posted file.
    #[sqlx(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub posted_by: Vec<PostedBy>,
    /// Storage key of its file.
    #[serde(skip)]
    pub file_key: String,
    /// Number of state changes.
    #[serde(skip)]
    pub revision: i64,
}

/// A file that posted store-days first: they stay its own when another one has the same content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct PostedBy {
    pub batch_id: String,
    pub file_name: String,
    /// Number of store-days.
    pub store_days: i64,
    pub first_day: BusinessDay,
    pub last_day: BusinessDay,
}

/// Totals of a file's rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Rows without the header.
    pub lines: i64,
    /// Valid sales lines.
    pub good_lines: i64,
    /// Rows with errors; not posted.
    pub problem_lines: i64,
    pub qty: Qty,
    pub net: Money,
    /// Sum of the quantity cells of the file as written; a row counts as one where no column holds the quantity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_qty: Option<Qty>,
    /// The same for amounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_net: Option<Money>,
    /// Rows equal to an earlier row in every column read. They are posted too.
    #[serde(default)]
    pub repeated_rows: i64,
    /// Subtotal rows, which are not sales.
    #[serde(default)]
    pub left_out_rows: i64,
    /// Total quantity of the subtotal rows.
    #[serde(default)]
    pub left_out_qty: Qty,
    /// Total amount of the subtotal rows.
    #[serde(default)]
    pub left_out_net: Money,
    /// Totals of receipt data besides lines; empty if the file only has lines.
    #[serde(default)]
    pub facts: Vec<Figure>,
    /// Tenders of the receipts.
    #[serde(default)]
    pub tenders: Vec<Figure>,
    /// Inconsistencies in the file; it is posted as it is.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Questions about the file. Those that the mapping leaves open have to be answered before it is posted.
    #[serde(default)]
    pub asks: Vec<Ask>,
    /// Sums of what is in the file and not posted, by reason. With `qty` and `net` they come to `file_qty` and `file_net`.
    #[serde(default)]
    pub left_out: Vec<LeftOutSum>,
    pub receipts: i64,
    /// First business date.
    pub first_day: Option<BusinessDay>,
    /// Last business date.
    pub last_day: Option<BusinessDay>,
    /// Number of business dates with sales; once posted, of those with sales that count.
    pub days: i64,
    /// Number of stores: names of one store count once, and an unknown name as a store of its own.
    pub stores: i64,
    /// Number of items.
    pub items: i64,
    /// Number of stores' business dates, likewise.
    pub store_days: i64,
    /// Number of store-days already imported with another batch.
    pub replaces: i64,
    /// Number of items without a POS item.
    pub unmapped_items: i64,
    /// Number of unknown store names.
    pub unmapped_stores: i64,
    /// Tills in the file.
    pub terminals: Vec<SeenTerminal>,
    /// Warnings to check before posting.
    pub warnings: Vec<String>,
}

/// Rows of a file that are not posted, or not as they are written, for one reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeftOutSum {
    /// Key of the reason: `problem`, `total`, `void`, `unknownWord`, `repeatedForTender`, `repeatedOnLines`, `returnSign`,
    /// `hidden`, `discount`.
    pub reason: String,
    /// The reason in words.
    pub label: String,
    pub rows: i64,
    pub qty: Qty,
    pub net: Money,
}

/// A row that is not posted, or not as it is written.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
pub struct LeftOutRow {
    /// Row number as in a spreadsheet.
    pub row: i64,
    /// Key of the reason, as in [`LeftOutSum`].
    pub reason: String,
    /// The item, the word or the cell that it is about.
    pub text: String,
    /// The quantity that is left out; what is written less what is posted.
    pub qty: Qty,
    /// The same for the amount.
    pub net: Money,
}

/// A page of rows left out.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeftOutRows {
    /// In file order; the first 10,000 are stored.
    pub items: Vec<LeftOutRow>,
    /// Number of stored rows with this reason.
    pub total: i64,
}

/// Query parameters: the reason, and the page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct LeftOutQuery {
    /// Key of a reason; all without it.
    pub reason: Option<String>,
    /// Page number, from 1.
    pub page: Option<i64>,
    /// Page size, up to 1,000.
    pub page_size: Option<i64>,
}

/// A total over receipts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Figure {
    pub name: String,
    /// Amount; a count for guests.
    pub amount: Money,
}

/// A till in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeenTerminal {
    /// Its number in the file.
    pub id: String,
    /// Whether a store has this till.
    pub known: bool,
}

/// A page of batches.
#[derive(Debug, Serialize, ToSchema)]
pub struct Batches {
    /// Newest first.
    pub items: Vec<Batch>,
    /// Number on all pages.
    pub total: i64,
}

/// Query parameters of a page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct PageQuery {
    /// Page number, from 1.
    pub page: Option<i64>,
    /// Page size, up to 1,000.
    pub page_size: Option<i64>,
}

impl PageQuery {
    /// Limit and offset.
    #[must_use]
    pub fn limits(&self) -> (i64, i64) {
        limits(self.page, self.page_size)
    }
}

/// Query parameters: the file name.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct UploadQuery {
    /// Original file name.
    pub file_name: Option<String>,
}

/// An error in a row of a file.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct RowProblem {
    /// Row number as in a spreadsheet.
    pub row: i64,
    /// The field of the column.
    pub column: Option<String>,
    /// The cell as written.
    pub value: String,
    /// Error code.
    pub code: String,
    /// Error and how to fix it.
    pub message: String,
}

/// A page of errors.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problems {
    /// In file order; the first 10,000 are stored.
    pub items: Vec<RowProblem>,
    /// Number of errors found.
    pub total: i64,
}
