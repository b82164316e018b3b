//! Files of lists on the wire: what they look like, how they are read, what their rows do.

use std::collections::BTreeMap;

use larder_db::Json;
use larder_domain::Timestamp;
use larder_domain::sales::DateFormat;
use larder_domain::sales::numbers::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::fields::ImportKind;
use super::layout::ImportLayout;
use larder_lists::imports::limits;

/// A list that the caller may bring records into.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportList {
    /// Its name in addresses.
    pub slug: &'static str,
    /// The list, as a title.
    pub label: &'static str,
    /// One record, in a sentence.
    pub one: &'static str,
    /// What a column can be.
    pub fields: Vec<ImportField>,
    /// Whether the caller may add records.
    pub can_create: bool,
    /// Whether the caller may change records.
    pub can_edit: bool,
}

/// What a column can be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportField {
    /// Its name in a mapping.
    pub name: String,
    /// What people call it, and how a template heads its column.
    pub label: String,
    /// How its cells are read.
    pub kind: ImportKind,
    /// Whether a record cannot be without it.
    pub required: bool,
    /// The list that its cells name records of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<&'static str>,
    /// What to know before filling it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Where an imported file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum ImportState {
    /// The file is here; its columns are to be confirmed.
    Uploaded,
    /// Its rows are being checked.
    Checking,
    /// What every row would do is known.
    Checked,
    /// Its rows are being written.
    Committing,
    /// Its rows are written.
    Committed,
    /// What it wrote is being taken back.
    Undoing,
    /// What it wrote was taken back, as far as that could be.
    Undone,
    /// A step did not end well; `error` says why.
    Failed,
}

/// Which column of the file decides whether a record is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportMatch {
    Id,
    /// The code, number or SKU.
    Code,
    Name,
}

/// What becomes of names that no record has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportMissing {
    /// The row is not written, and says so.
    #[default]
    Ignore,
    /// The record is made, where a name is all it needs.
    Create,
}

/// How a file is read.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportMapping {
    /// Whether a row names the columns.
    pub has_header: bool,
    /// The sheet of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Which column each field is read from, from 0.
    pub columns: BTreeMap<String, usize>,
    /// By which field a record is found.
    #[serde(rename = "match")]
    pub by: ImportMatch,
    /// What parts whole numbers from decimals in text.
    pub decimal: Decimal,
    /// The order of day, month and year.
    pub date_format: DateFormat,
    /// What becomes of names that no record has.
    #[serde(default)]
    pub missing: ImportMissing,
}

/// What the rows of a file do, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSummary {
    /// Rows, without the header.
    pub rows: i64,
    /// Rows that make a record.
    pub created: i64,
    /// Rows that change one.
    pub updated: i64,
    /// Rows that say what stands already.
    pub unchanged: i64,
    /// Rows that cannot be followed.
    pub failed: i64,
    /// Records that rows need and that are made for them.
    pub will_create: Vec<ImportMade>,
    /// After an undo: how many records it took back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<i64>,
    /// After an undo: how many stay as the import left them; their rows say why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<i64>,
}

/// Records of another list that are made on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportMade {
    pub list: String,
    pub names: Vec<String>,
}

/// Who did something.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ImportedBy {
    /// The account's id.
    pub uid: String,
    pub name: String,
    pub email: String,
}

/// An uploaded file and what became of it.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ImportBatch {
    /// The batch's id.
    pub id: String,
    /// The list it is for.
    pub list: String,
    /// The file's name.
    pub file_name: String,
    /// Its size in bytes.
    pub size: i64,
    /// Where it stands.
    pub state: ImportState,
    /// What the file looks like.
    #[schema(value_type = ImportLayout)]
    pub layout: Json<ImportLayout>,
    /// How it is read.
    #[schema(value_type = Option<ImportMapping>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<Json<ImportMapping>>,
    /// What its rows do.
    #[schema(value_type = Option<ImportSummary>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Json<ImportSummary>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The job at work on it, or the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_id: Option<String>,
    /// When it was uploaded.
    pub created_at: Timestamp,
    #[schema(value_type = ImportedBy)]
    pub created_by: Json<ImportedBy>,
    /// When its rows were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed_at: Option<Timestamp>,
    /// When they were taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_at: Option<Timestamp>,
    /// Where its file is kept.
    #[serde(skip)]
    pub file_key: String,
    /// How often its state was changed.
    #[serde(skip)]
    pub revision: i64,
}

/// A page of batches.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportBatches {
    /// The batches, newest first.
    pub items: Vec<ImportBatch>,
    /// How many there are.
    pub total: i64,
}

/// What a row does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum ImportOutcome {
    /// Makes a record.
    Created,
    /// Changes one.
    Updated,
    /// Says what stands already.
    Unchanged,
    /// Cannot be followed.
    Failed,
}

/// A field that a row changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ImportChange {
    pub field: String,
    /// What stands; a reference by its name.
    #[schema(value_type = Object)]
    pub before: Value,
    /// What comes; a reference by its name.
    #[schema(value_type = Object)]
    pub after: Value,
}

/// Something wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportProblem {
    /// The field, as a mapping names it; empty when it is the whole row.
    pub field: String,
    /// The cell as written.
    pub value: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// What a row of a file does, and why not.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ImportRow {
    /// The row, as a spreadsheet counts.
    #[sqlx(rename = "row_no")]
    pub row: i64,
    /// What it does.
    pub outcome: ImportOutcome,
    /// The record it makes or changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
    /// What the record is called.
    pub name: String,
    /// The fields it changes.
    #[schema(value_type = Vec<ImportChange>)]
    pub changes: Json<Vec<ImportChange>>,
    /// What is wrong with it.
    #[schema(value_type = Vec<ImportProblem>)]
    pub problems: Json<Vec<ImportProblem>>,
    /// After an undo: why the record stays as the import left it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A page of rows.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportRows {
    /// The rows, in order of the file.
    pub items: Vec<ImportRow>,
    /// How many there are.
    pub total: i64,
}

/// Which page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The page, from 1.
    pub page: Option<i64>,
    /// Rows a page, up to 1,000.
    pub page_size: Option<i64>,
    /// Only rows that do this.
    pub outcome: Option<ImportOutcome>,
}

impl PageQuery {
    /// Limit and offset.
    #[must_use]
    pub fn limits(&self) -> (i64, i64) {
        limits(self.page, self.page_size)
    }
}

/// The list a file is for, and its name.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// The list's slug.
    pub list: Option<String>,
    /// The file's name, as on the sender's disk.
    pub file_name: Option<String>,
}

/// csv or xlsx.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// csv (default) or xlsx.
    pub format: Option<String>,
}
