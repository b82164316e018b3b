//! Uploaded files: where they stand, what they add up to, what is wrong with them.

use larder_db::Json;
use larder_domain::sales::Mapping;
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::layout::Layout;
use larder_ledgers::sales_names::Subject;
use larder_lists::imports::limits;

/// Where a batch stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum BatchState {
    /// The file is here; its columns are to be confirmed.
    Uploaded,
    /// Its rows are being checked.
    Validating,
    /// Its rows were checked.
    Validated,
    /// Its store-days are being written.
    Posting,
    /// Its store-days are in the book.
    Posted,
    /// Later batches have replaced all of its store-days.
    Superseded,
    /// It was taken back.
    Reverted,
    /// A step did not end well; `error` says why.
    Failed,
}

/// Who did something.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct By {
    /// The account's id.
    pub uid: String,
    pub name: String,
    pub email: String,
}

/// An uploaded file and what became of it.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// The batch's id.
    pub id: String,
    /// The file's name.
    pub file_name: String,
    /// Its size in bytes.
    pub size: i64,
    /// Its SHA-256 in hexadecimal.
    pub sha256: String,
    /// What its items are.
    pub subject: Subject,
    /// Where the batch stands.
    pub state: BatchState,
    /// What the file looks like.
    #[schema(value_type = Option<Layout>)]
    pub layout: Option<Json<Layout>>,
    /// How it is read; before it was confirmed, how a file with these columns was read last time.
    #[schema(value_type = Option<Mapping>)]
    pub mapping: Option<Json<Mapping>>,
    /// What its rows add up to.
    #[schema(value_type = Option<Summary>)]
    pub summary: Option<Json<Summary>>,
    /// Why it failed.
    pub error: Option<String>,
    /// The job at work on it, or the last one.
    pub job_id: Option<String>,
    /// When it was uploaded.
    pub created_at: Timestamp,
    #[schema(value_type = By)]
    pub created_by: Json<By>,
    pub posted_at: Option<Timestamp>,
    /// When it was taken back.
    pub reverted_at: Option<Timestamp>,
    /// Where its file is kept.
    #[serde(skip)]
    pub file_key: String,
    /// How often its state was changed.
    #[serde(skip)]
    pub revision: i64,
}

/// What the rows of a file add up to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Rows, without the header.
    pub lines: i64,
    /// Rows that are sales lines.
    pub good_lines: i64,
    /// Rows with problems; they are left out.
    pub problem_lines: i64,
    pub qty: Qty,
    pub net: Money,
    /// What the file's quantity column adds up to, rows with problems and voided lines included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_qty: Option<Qty>,
    /// The same of its amounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_net: Option<Money>,
    /// Rows that are the same as an earlier row in every column that is read. They are posted too.
    #[serde(default)]
    pub repeated_rows: i64,
    /// Rows that add up others, so that they are no sales.
    #[serde(default)]
    pub left_out_rows: i64,
    /// The quantities those say together.
    #[serde(default)]
    pub left_out_qty: Qty,
    /// The amounts those say together.
    #[serde(default)]
    pub left_out_net: Money,
    /// What receipts say beside their lines, each with what it comes to; none where the file has lines only.
    #[serde(default)]
    pub facts: Vec<Figure>,
    /// How receipts were paid.
    #[serde(default)]
    pub tenders: Vec<Figure>,
    /// What does not add up in the file; it is posted as it says.
    #[serde(default)]
    pub notes: Vec<String>,
    pub receipts: i64,
    /// The first business date.
    pub first_day: Option<BusinessDay>,
    /// The last business date.
    pub last_day: Option<BusinessDay>,
    /// Business dates with sales.
    pub days: i64,
    /// Stores named.
    pub stores: i64,
    /// Items named.
    pub items: i64,
    pub store_days: i64,
    /// Store-days that were imported before, by another batch.
    pub replaces: i64,
    /// Items that no POS item is known for.
    pub unmapped_items: i64,
    /// Store names that no store is known for.
    pub unmapped_stores: i64,
    /// The tills named.
    pub terminals: Vec<SeenTerminal>,
    /// What is worth knowing before posting.
    pub warnings: Vec<String>,
}

/// What something of many receipts comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Figure {
    /// What it is called.
    pub name: String,
    /// What it comes to; guests are counted.
    pub amount: Money,
}

/// A till a file names.
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
    /// The batches, newest first.
    pub items: Vec<Batch>,
    /// How many there are.
    pub total: i64,
}

/// Which page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct PageQuery {
    /// The page, from 1.
    pub page: Option<i64>,
    /// Rows a page, up to 1,000.
    pub page_size: Option<i64>,
}

impl PageQuery {
    /// Limit and offset.
    #[must_use]
    pub fn limits(&self) -> (i64, i64) {
        limits(self.page, self.page_size)
    }
}

/// The name of an uploaded file.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct UploadQuery {
    /// As on the sender's disk.
    pub file_name: Option<String>,
}

/// Whether store-days imported before may be replaced.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PostRequest {
    /// Yes, replace them.
    #[serde(default)]
    pub replace: bool,
}

/// Something wrong with a row of a file.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct RowProblem {
    /// The row, as a spreadsheet counts.
    pub row: i64,
    /// The column, by what it holds.
    pub column: Option<String>,
    /// The cell as written.
    pub value: String,
    /// A word for programs.
    pub code: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// A page of problems.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problems {
    /// The problems, in order of the file; the first 10,000 are kept.
    pub items: Vec<RowProblem>,
    /// How many were found.
    pub total: i64,
}
