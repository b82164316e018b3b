//! Saved reports, schedules and sends on the wire; what can be asked of.

use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::definition::{CustomDefinition, CustomRule};
use super::fields::CustomType;
use super::kept_queries::Person;

/// A dataset that somebody may ask of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomDataset {
    pub key: String,
    pub label: String,
    /// What one fact of it is, for people.
    pub about: String,
    /// Whether it speaks of days to come.
    pub ahead: bool,
    pub fields: Vec<CustomField>,
}

/// A field of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomField {
    pub key: String,
    pub label: String,
    /// The heading it stands under.
    pub group: String,
    pub r#type: CustomType,
    /// Whether it can be a row.
    pub row: bool,
    /// Whether it can stand across.
    pub column: bool,
    pub filter: bool,
    pub measure: bool,
    /// What can be done with it as a measure.
    pub rules: Vec<CustomRule>,
    /// Whether its quantities have a unit, within which alone they add up.
    pub unit: bool,
    /// The fields that it cannot stand beside, since it is not known by them.
    pub not_by: Vec<String>,
}

/// What can be asked of, by this person.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomDatasets {
    pub items: Vec<CustomDataset>,
    /// The names ranges go by, with their words.
    pub ranges: Vec<CustomNamed>,
}

/// A key and what it is called.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CustomNamed {
    pub key: String,
    pub label: String,
}

/// Values of a field to choose from.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomValues {
    pub items: Vec<CustomNamed>,
    /// Whether there are more than these.
    pub more: bool,
}

/// A saved report.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomReport {
    pub id: String,
    pub name: String,
    /// What it is for; may be empty.
    pub about: String,
    pub definition: CustomDefinition,
    pub owner_id: String,
    pub owner_name: String,
    /// Whether whoever asks may change it.
    pub mine: bool,
    /// What its dataset is called; none for one that is gone.
    pub dataset: Option<String>,
    /// Whether whoever asks may see its figures.
    pub can_run: bool,
    /// Whether everybody who may see reports sees it.
    pub everybody: bool,
    /// The roles that see it.
    pub roles: Vec<CustomRole>,
    pub schedule: Option<CustomSchedule>,
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by_name: String,
}

/// A role that sees a report.
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
    /// By name.
    pub items: Vec<CustomReport>,
    /// Whether whoever asks may make one.
    pub can_create: bool,
}

/// A report as somebody saves it.
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

/// What changes of a report; what is left out stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomReportPatch {
    /// The revision that was seen.
    #[schema(required = true)]
    pub revision: i64,
    pub name: Option<String>,
    pub about: Option<String>,
    pub definition: Option<CustomDefinition>,
    pub everybody: Option<bool>,
    /// Ids of roles.
    pub roles: Option<Vec<String>>,
}

/// How often a report goes out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomEvery {
    /// On chosen weekdays; all of them is daily.
    #[default]
    Week,
    Month,
}

/// When and to whom a report goes out.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomSchedule {
    pub enabled: bool,
    pub every: CustomEvery,
    /// Minutes after midnight, UTC+8.
    pub minutes: i64,
    /// Weekdays as bits from Monday on.
    pub weekdays: i64,
    /// 1 to 31; the last day of a month that is shorter.
    pub month_day: i64,
    /// What stands in the letter beside the figures.
    pub note: String,
    pub recipients: Vec<Person>,
    /// When it goes out next; none while it is off.
    pub next_at: Option<Timestamp>,
    pub last_due: Option<Timestamp>,
    pub revision: i64,
}

/// A schedule as somebody sets it.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomScheduleDraft {
    pub enabled: bool,
    pub every: CustomEvery,
    /// Minutes after midnight, UTC+8.
    pub minutes: i64,
    /// Weekdays as bits from Monday on.
    pub weekdays: i64,
    pub month_day: i64,
    pub note: String,
    /// Ids of users.
    pub recipients: Vec<String>,
    /// The revision that was seen; 0 where there was none.
    pub revision: i64,
}

/// Whom a report can be shared with and sent to.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomPeople {
    pub roles: Vec<CustomRole>,
    pub people: Vec<Person>,
    /// Whether letters only go to a folder of the server.
    pub outbox: bool,
}

/// A letter that went out, or did not.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomSend {
    pub id: String,
    /// When it was due; none for a test.
    pub due_at: Option<Timestamp>,
    pub name: String,
    pub email: String,
    /// `waiting`, `mailed` (on its way), `sent`, `skipped` or `failed`.
    pub state: String,
    /// Why it was skipped or failed, or what it went without.
    pub words: String,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
}

/// What was sent of a report.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomSends {
    /// The newest first.
    pub items: Vec<CustomSend>,
    pub total: i64,
}
