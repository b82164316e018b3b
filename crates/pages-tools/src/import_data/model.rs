//! List imports: layout, mapping and results of rows.

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

/// A list the caller may import into.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportList {
    /// Slug.
    pub slug: &'static str,
    /// Title of the list.
    pub label: &'static str,
    /// A single record, for use in sentences.
    pub one: &'static str,
    /// Fields its columns can map to.
    pub fields: Vec<ImportField>,
    /// Whether the caller may create records.
    pub can_create: bool,
    /// Whether the caller may change records.
    pub can_edit: bool,
}

/// A field a column can map to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportField {
    /// Key in a mapping.
    pub name: String,
    /// Label, used as column title in templates.
    pub label: String,
    /// How its cells are parsed.
    pub kind: ImportKind,
    /// Whether it is required.
    pub required: bool,
    /// The list its cells refer to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<&'static str>,
    /// Hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// State of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum ImportState {
    /// Uploaded; the mapping has to be confirmed.
    Uploaded,
    /// Rows are being checked.
    Checking,
    /// Rows were checked.
    Checked,
    /// Rows are being written.
    Committing,
    /// Rows were written.
    Committed,
    /// Being undone.
    Undoing,
    /// Undone as far as possible.
    Undone,
    /// A step failed; `error` has the reason.
    Failed,
}

/// The field that identifies existing records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportMatch {
    Id,
    /// Code, number or SKU.
    Code,
    Name,
}

/// Handling of unknown names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportMissing {
    /// The row fails.
    #[default]
    Ignore,
    /// The record is created if a name is all it needs.
    Create,
}

/// Mapping of a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportMapping {
    /// Whether there is a header row.
    pub has_header: bool,
    /// The sheet of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Column index by field, from 0.
    pub columns: BTreeMap<String, usize>,
    /// The field that identifies existing records.
    #[serde(rename = "match")]
    pub by: ImportMatch,
    /// Decimal mark in text.
    pub decimal: Decimal,
    /// Order of day, month and year.
    pub date_format: DateFormat,
    /// Handling of unknown names.
    #[serde(default)]
    pub missing: ImportMissing,
    /// Whether rows hidden in the workbook are read; they are unless it is `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_rows: Option<bool>,
}

/// Row counts of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSummary {
    /// Rows without the header.
    pub rows: i64,
    /// Rows that create a record.
    pub created: i64,
    /// Rows that change one.
    pub updated: i64,
    /// Rows without changes.
    pub unchanged: i64,
    /// Failed rows.
    pub failed: i64,
    /// Records created because rows refer to them.
    pub will_create: Vec<ImportMade>,
    /// Number of rows hidden in the workbook, if any: read like the others, or left out as the mapping says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_rows: Option<i64>,
    /// After an undo: number of records undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<i64>,
    /// After an undo: number of records left as imported; their rows have the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<i64>,
}

/// Records created in another list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportMade {
    pub list: String,
    pub names: Vec<String>,
}

/// A user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ImportedBy {
    /// Account id.
    pub uid: String,
    pub name: String,
    pub email: String,
}

/// An import.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ImportBatch {
    pub id: String,
    /// Slug of the list.
    pub list: String,
    pub file_name: String,
    /// In bytes.
    pub size: i64,
    /// State.
    pub state: ImportState,
    /// Layout of the file.
    #[schema(value_type = ImportLayout)]
    pub layout: Json<ImportLayout>,
    /// Confirmed mapping.
    #[schema(value_type = Option<ImportMapping>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<Json<ImportMapping>>,
    /// Row counts.
    #[schema(value_type = Option<ImportSummary>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Json<ImportSummary>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The current or last job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_id: Option<String>,
    pub created_at: Timestamp,
    #[schema(value_type = ImportedBy)]
    pub created_by: Json<ImportedBy>,
    /// When its rows were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed_at: Option<Timestamp>,
    /// When it was undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_at: Option<Timestamp>,
    /// Storage key of its file.
    #[serde(skip)]
    pub file_key: String,
    /// Number of state changes.
    #[serde(skip)]
    pub revision: i64,
}

/// A page of imports.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportBatches {
    /// Newest first.
    pub items: Vec<ImportBatch>,
    /// Number on all pages.
    pub total: i64,
}

/// Effect of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum ImportOutcome {
    /// Creates a record.
    Created,
    /// Changes one.
    Updated,
    /// No change.
    Unchanged,
    /// Has errors.
    Failed,
}

/// A field changed by a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ImportChange {
    pub field: String,
    /// Current value; a reference by name.
    #[schema(value_type = Value)]
    pub before: Value,
    /// New value; a reference by name.
    #[schema(value_type = Value)]
    pub after: Value,
}

/// An error in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportProblem {
    /// Field key; empty for the whole row.
    pub field: String,
    /// The cell as written.
    pub value: String,
    /// Error and how to fix it.
    pub message: String,
}

/// A row's effect and errors.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ImportRow {
    /// Row number as in a spreadsheet.
    #[sqlx(rename = "row_no")]
    pub row: i64,
    /// Effect.
    pub outcome: ImportOutcome,
    /// The record it creates or changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
    /// Name of the record.
    pub name: String,
    /// Changed fields.
    #[schema(value_type = Vec<ImportChange>)]
    pub changes: Json<Vec<ImportChange>>,
    /// Errors.
    #[schema(value_type = Vec<ImportProblem>)]
    pub problems: Json<Vec<ImportProblem>>,
    /// After an undo: why the record was left as imported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A page of rows.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportRows {
    /// In file order.
    pub items: Vec<ImportRow>,
    /// Number on all pages.
    pub total: i64,
}

/// Query parameters of a page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Page number, from 1.
    pub page: Option<i64>,
    /// Page size, up to 1,000.
    pub page_size: Option<i64>,
    /// Rows with this effect only.
    pub outcome: Option<ImportOutcome>,
}

impl PageQuery {
    /// Limit and offset.
    #[must_use]
    pub fn limits(&self) -> (i64, i64) {
        limits(self.page, self.page_size)
    }
}

/// Query parameters of an upload.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// Slug of the list.
    pub list: Option<String>,
    /// Original file name.
    pub file_name: Option<String>,
}

/// Query parameters: file format.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// `csv` (default) or `xlsx`.
    pub format: Option<String>,
}
