//! What the page says on the wire.

use larder_db::Json;
use larder_domain::sales::{Kind, Mapping};
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parse::Layout;

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
    /// Name.
    pub name: String,
    /// Address.
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
    /// By whom.
    #[schema(value_type = By)]
    pub created_by: Json<By>,
    /// When it was posted.
    pub posted_at: Option<Timestamp>,
    /// When it was taken back.
    pub reverted_at: Option<Timestamp>,
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
    /// Sold.
    pub qty: Qty,
    /// Net amount.
    pub net: Money,
    /// Receipts.
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
    /// Store-days.
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
        let size = self.page_size.unwrap_or(50).clamp(1, 1_000);
        let page = self.page.unwrap_or(1).clamp(1, 1_000_000);
        (size, (page - 1) * size)
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

/// Names of a file that stand for nothing known yet.
#[derive(Debug, Serialize, ToSchema)]
pub struct Unknowns {
    /// Store names; they must be resolved before posting.
    pub stores: Vec<UnknownStore>,
    /// Item names; they may stay unmapped.
    pub items: Vec<UnknownItem>,
}

/// A store name of a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownStore {
    /// The name.
    pub name: String,
    /// Lines under it.
    pub lines: i64,
    /// Net amount under it.
    pub net: Money,
    /// The first business date.
    pub first: BusinessDay,
    /// The last business date.
    pub last: BusinessDay,
    /// The store it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<StoreSuggestion>,
}

/// A store a name may stand for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreSuggestion {
    /// The store's id.
    pub store_id: String,
    /// Its name.
    pub name: String,
}

/// An item of a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownItem {
    /// The form it is recognised by.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Lines of it.
    pub lines: i64,
    /// Sold.
    pub qty: Qty,
    /// The POS item it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<ItemSuggestion>,
}

/// A POS item a name may stand for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemSuggestion {
    /// The POS item's id.
    pub pos_item_id: String,
    /// Its description.
    pub name: String,
}

/// What names stand for, as decided.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ResolveRequest {
    /// Store names.
    #[serde(default)]
    pub stores: Vec<ResolveStore>,
    /// Items.
    #[serde(default)]
    pub items: Vec<ResolveItem>,
}

/// What a store name stands for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveStore {
    /// The name in the file.
    pub name: String,
    /// A store there is.
    #[serde(default)]
    pub store_id: Option<String>,
    /// A new store of this name.
    #[serde(default)]
    pub create: bool,
}

/// What an item stands for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveItem {
    /// The item's key.
    pub key: String,
    /// A POS item there is.
    #[serde(default)]
    pub pos_item_id: Option<String>,
    /// A new POS item of this name.
    #[serde(default)]
    pub create: bool,
}

/// Which posted names are mapped now, and by which job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapStarted {
    /// The job that maps what was posted.
    pub job_id: String,
}

/// Posted items that no POS item is known for.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnmappedItems {
    /// The items, most sold first.
    pub items: Vec<UnmappedItem>,
    /// How many there are.
    pub total: i64,
    /// «{n} items are not mapped.»
    pub message: String,
}

/// A posted item that no POS item is known for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnmappedItem {
    /// The form it is recognised by.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Lines of it.
    pub lines: i64,
    /// Sold.
    pub qty: Qty,
    /// Net amount.
    pub net: Money,
    /// The POS item it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<ItemSuggestion>,
}

/// Which days and stores.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct RangeQuery {
    /// The first day.
    #[param(value_type = Option<String>)]
    pub from: Option<BusinessDay>,
    /// The last day.
    #[param(value_type = Option<String>)]
    pub to: Option<BusinessDay>,
    /// Stores, separated by commas; all within reach if absent.
    pub store_ids: Option<String>,
}

/// Which days have sales, store by store.
#[derive(Debug, Serialize, ToSchema)]
pub struct Coverage {
    /// The days.
    pub days: Vec<BusinessDay>,
    /// The stores.
    pub stores: Vec<StoreCoverage>,
}

/// One store's days.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoreCoverage {
    /// The store's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A cell a day.
    pub cells: Vec<CoverageCell>,
}

/// One store-day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoverageCell {
    /// The day.
    pub day: BusinessDay,
    /// What there is.
    pub state: CoverageState,
    /// Net amount.
    pub net: Money,
    /// Lines.
    pub lines: i64,
    /// The batch it came with.
    pub batch_id: Option<String>,
}

/// Whether a store-day has sales.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CoverageState {
    /// None.
    None,
    /// Some of its items are not mapped.
    Partial,
    /// All of it.
    Posted,
}

/// What a store's tills sold.
#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalSummary {
    /// A row a store and till.
    pub items: Vec<TerminalRow>,
}

/// What one till sold.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TerminalRow {
    /// The store.
    pub store_id: String,
    /// Its name.
    pub store_name: String,
    /// The till; empty when the file named none.
    pub terminal_id: String,
    /// Whether the store has this till.
    pub known: bool,
    /// «Unknown terminal {id}.»
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Days with sales.
    pub days: i64,
    /// Receipts.
    pub receipts: i64,
    /// Lines.
    pub lines: i64,
    /// Sold.
    pub qty: Qty,
    /// Net amount.
    pub net: Money,
    /// The first day.
    pub first: BusinessDay,
    /// The last day.
    pub last: BusinessDay,
}

/// A store-day with its lines.
#[derive(Debug, Serialize, ToSchema)]
pub struct SalesDay {
    /// The store.
    pub store: DayStore,
    /// The business date.
    pub date: BusinessDay,
    /// Where its sales came from.
    pub sources: Vec<DaySource>,
    /// Its lines.
    pub lines: Vec<SalesLine>,
    /// What they add up to.
    pub totals: DayTotals,
}

/// A store by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayStore {
    /// The store's id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// Where the sales of a store-day came from.
#[derive(Debug, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DaySource {
    /// `file`, `api`, ….
    pub source: String,
    /// The batch.
    pub batch_id: Option<String>,
    /// Its file.
    pub file_name: Option<String>,
    /// When it was posted.
    pub posted_at: Timestamp,
    /// When somebody corrected it last.
    pub corrected_at: Option<Timestamp>,
    /// Send it back with a correction.
    pub revision: i64,
}

/// A line of a store-day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalesLine {
    /// Where it came from.
    pub source: String,
    /// The row in the file.
    pub line_no: u32,
    /// The receipt's number.
    pub receipt_no: Option<String>,
    /// When it was sold.
    pub sold_at: Option<Timestamp>,
    /// The POS item, if it is known.
    pub pos_item_id: Option<String>,
    /// Its description.
    pub pos_item_name: Option<String>,
    /// The name in the file.
    pub source_item: String,
    /// Sale, return or void.
    pub kind: Kind,
    /// Sold.
    pub qty: Qty,
    /// The price of one.
    pub unit_price: Money,
    /// Taken off.
    pub discount: Money,
    /// Net amount.
    pub net: Money,
    /// The revision of its store-day.
    pub revision: i64,
}

/// What lines add up to.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct DayTotals {
    /// Lines.
    pub lines: i64,
    /// Receipts.
    pub receipts: i64,
    /// Sold.
    pub qty: Qty,
    /// Before discounts.
    pub gross: Money,
    /// Taken off.
    pub discount: Money,
    /// Net amount.
    pub net: Money,
}

/// Corrections of a store-day.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CorrectRequest {
    /// Which source's lines.
    #[serde(default = "file")]
    pub source: String,
    /// The revision they were read at.
    pub revision: i64,
    /// The lines that change.
    pub lines: Vec<CorrectLine>,
}

fn file() -> String {
    "file".to_owned()
}

/// A correction of one line.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CorrectLine {
    /// Which line.
    pub line_no: u32,
    /// The right quantity.
    #[serde(default)]
    pub qty: Option<Qty>,
    /// The right price of one.
    #[serde(default)]
    pub unit_price: Option<Money>,
    /// The right discount.
    #[serde(default)]
    pub discount: Option<Money>,
    /// The POS item it was in truth.
    #[serde(default)]
    pub pos_item_id: Option<String>,
    /// Whether the line goes.
    #[serde(default)]
    pub remove: bool,
}
