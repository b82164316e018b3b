//! Saved reports, schedules, sends and datasets: requests and responses.

use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::definition::{CustomDefinition, CustomRule};
use super::fields::CustomType;
use super::kept_queries::Person;

/// A dataset available to the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomDataset {
    pub key: String,
    pub label: String,
    /// Description of one fact.
    pub about: String,
    /// Whether it covers future days.
    pub ahead: bool,
    pub fields: Vec<CustomField>,
}

/// A field of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomField {
    pub key: String,
    pub label: String,
    /// Its heading.
    pub group: String,
    pub r#type: CustomType,
    /// Whether it can be a row.
    pub row: bool,
    /// Whether it can be a column.
    pub column: bool,
    pub filter: bool,
    pub measure: bool,
    /// Available calculations as a measure.
    pub rules: Vec<CustomRule>,
    /// Whether its quantities have a unit; only the same unit adds up.
    pub unit: bool,
    /// Dimensions it cannot be broken down by.
    pub not_by: Vec<String>,
}

/// The datasets available to the caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomDatasets {
    pub items: Vec<CustomDataset>,
    /// Named ranges with labels.
    pub ranges: Vec<CustomNamed>,
}

/// A key and its label.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CustomNamed {
    pub key: String,
    pub label: String,
}

/// Values of a field to choose from.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomValues {
    pub items: Vec<CustomNamed>,
    /// Whether there are more.
    pub more: bool,
}

/// A saved report.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomReport {
    pub id: String,
    pub name: String,
    /// Description; may be empty.
    pub about: String,
    pub definition: CustomDefinition,
    pub owner_id: String,
    pub owner_name: String,
    /// Whether the caller may change it.
    pub mine: bool,
    /// Label of its dataset; null if it no longer exists.
    pub dataset: Option<String>,
    /// Whether the caller may see its figures.
    pub can_run: bool,
    /// Whether it is shared with everyone who may see reports.
    pub everybody: bool,
    /// The roles it is shared with.
    pub roles: Vec<CustomRole>,
    pub schedule: Option<CustomSchedule>,
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by_name: String,
}

/// A role a report is shared with.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CustomReportRole)]
pub struct CustomRole {
    pub id: String,
    pub name: String,
}

/// Saved reports.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomReports {
    /// Sorted by name.
    pub items: Vec<CustomReport>,
    /// Whether the caller may create one.
    pub can_create: bool,
}

/// A report to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomReportDraft {
    pub name: String,
    #[serde(default)]
    pub about: String,
    pub definition: CustomDefinition,
    #[serde(default)]
    pub everybody: bool,
    /// Ids of roles.
    #[serde(default)]
    pub roles: Vec<String>,
}

/// A change to a report; omitted fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomReportPatch {
    /// The revision it is based on.
    #[schema(required = true)]
    pub revision: i64,
    pub name: Option<String>,
    pub about: Option<String>,
    pub definition: Option<CustomDefinition>,
    pub everybody: Option<bool>,
    /// Ids of roles.
    pub roles: Option<Vec<String>>,
}

/// How often a report is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomEvery {
    /// On the chosen weekdays; all seven for daily.
    #[default]
    Week,
    Month,
}

/// When and to whom a report is sent.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomSchedule {
    pub enabled: bool,
    pub every: CustomEvery,
    /// Minutes after midnight, UTC+8.
    pub minutes: i64,
    /// Weekdays as bits, from Monday.
    pub weekdays: i64,
    /// 1 to 31; the last day in shorter months.
    pub month_day: i64,
    /// Text in the email besides the figures.
    pub note: String,
    pub recipients: Vec<Person>,
    /// Next send; null while inactive.
    pub next_at: Option<Timestamp>,
    pub last_due: Option<Timestamp>,
    pub revision: i64,
}

/// A schedule to save.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomScheduleDraft {
    pub enabled: bool,
    pub every: CustomEvery,
    /// Minutes after midnight, UTC+8.
    pub minutes: i64,
    /// Weekdays as bits, from Monday.
    pub weekdays: i64,
    pub month_day: i64,
    pub note: String,
    /// Ids of users.
    pub recipients: Vec<String>,
    /// The revision it is based on; 0 if there was none.
    pub revision: i64,
}

/// Users and roles a report can be shared with or sent to.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomPeople {
    pub roles: Vec<CustomRole>,
    pub people: Vec<Person>,
    /// Whether emails are only written to a folder on the server.
    pub outbox: bool,
}

/// An email sent, or the attempt.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomSend {
    pub id: String,
    /// When it was due; null for a test.
    pub due_at: Option<Timestamp>,
    pub name: String,
    pub email: String,
    /// `waiting`, `mailed` (on its way), `sent`, `skipped` or `failed`.
    pub state: String,
    /// Why it was skipped or failed, or what it was sent without.
    pub words: String,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
}

/// The sends of a report.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomSends {
    /// Newest first.
    pub items: Vec<CustomSend>,
    pub total: i64,
}
