//! The monthly sales report: requests and responses.

use std::collections::BTreeMap;

use larder_domain::cmsr::{Changed, FIGURES, Figure, Figures, Foot, Terms};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::till_days::ReadingRef;
use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, ApiResult};

/// Query parameters: store and month.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CmsrQuery {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
}

/// Query parameters: a version of a month.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CmsrVersionQuery {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
    pub version: i64,
}

/// The first day of `2026-10`.
///
/// # Errors
/// 422 at `month`.
pub(super) fn month_of(text: &str) -> ApiResult<BusinessDay> {
    let day = (text.len() == 7).then(|| format!("{text}-01").parse::<BusinessDay>().ok()).flatten();
    let day = day.filter(|day| (2000..=2200).contains(&day.date().year()));
    day.ok_or_else(|| ApiError::field("month", "Enter a month as YYYY-MM."))
}

/// `2026-10`.
pub(super) fn month_text(month: BusinessDay) -> String {
    month.to_string()[..7].to_owned()
}

/// A day of a month.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrDay {
    pub date: BusinessDay,
    pub figures: Figures,
    /// Number of verified readings it includes.
    pub readings: i64,
    /// Readings not verified yet.
    pub waiting: i64,
    /// Whether the store was marked as closed, and nothing was sold or read.
    pub closed: bool,
    /// Whether it is incomplete: a required verified reading is missing, or the day is marked as closed although
    /// something was sold or read.
    pub missing: bool,
    /// Figures that replace those of the readings.
    pub corrections: BTreeMap<Figure, Money>,
    /// Reason for the closing or correction.
    pub reason: String,
    /// Revision of the closing or correction; null if there is none.
    pub revision: Option<i64>,
    /// Sources that report the same sales; only one counts.
    #[serde(default)]
    pub doubled: Vec<CmsrDoubled>,
    /// The source chosen to count.
    #[serde(default)]
    pub source: Option<String>,
    /// Whether it is marked as closed although something was sold or read.
    #[serde(default)]
    pub contradicted: bool,
    /// Tills with verified readings, or of which it is recorded that none exists.
    #[serde(default)]
    pub settled: i64,
    /// Tills that must have a reading.
    #[serde(default)]
    pub expected: i64,
    /// What it lacks: «Till 02 has no Z-reading.»
    #[serde(default)]
    pub reasons: Vec<String>,
    /// The later day whose reading has its figures, if it has no reading of its own.
    #[serde(default)]
    pub read_on: Option<BusinessDay>,
}

/// The record that a till has no reading of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrAbsence {
    pub date: BusinessDay,
    /// Empty if no till of the store was known.
    pub terminal_id: String,
    /// Whether it is of a reading before the day's own, whose counter was skipped.
    #[serde(default)]
    pub before: bool,
    pub reason: String,
    /// Who recorded it.
    pub by: Editor,
}

impl CmsrAbsence {
    /// As printed: «4 Feb 2025, till 02: no Z-reading exists (Stolen). Recorded by Ana.»
    /// With [`before`](Self::before): «…: a Z-reading before this one does not exist (Stolen). …».
    #[must_use]
    pub fn words(&self) -> String {
        let till =
            if self.terminal_id.is_empty() { String::new() } else { format!(", till {}", self.terminal_id) };
        let day = self.date.display();
        let what =
            if self.before { "a Z-reading before this one does not exist" } else { "no Z-reading exists" };
        format!("{day}{till}: {what} ({}). Recorded by {}.", self.reason, self.by.name)
    }
}

/// A day that keeps a month from being certified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrLacking {
    pub date: BusinessDay,
    /// What it lacks: «Till 02 has no Z-reading.» Empty for an open day that is not over.
    pub reasons: Vec<String>,
}

/// Sources that report the same sales of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrDoubled {
    /// `api`, `file`, `w3p` …
    pub sources: Vec<String>,
    /// The source whose discounts count.
    pub counted: String,
    /// Whether their discounts differ and none matches the Z-readings: a source has to be chosen.
    pub open: bool,
}

/// Origin of the terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TermsFrom {
    /// The lease in force in that month.
    Lease,
    /// The store's percentage, without a lease in force.
    Store,
}

/// The certified content.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrContent {
    pub store_name: String,
    pub lessor: Option<String>,
    pub days: Vec<CmsrDay>,
    /// Total of all days.
    pub total: Figures,
    pub foot: Foot,
    pub terms: Option<Terms>,
    pub terms_from: Option<TermsFrom>,
    /// Tills of which it is recorded that no reading exists, printed on the report.
    #[serde(default)]
    pub absences: Vec<CmsrAbsence>,
}

/// A version of a month, without its figures.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrVersion {
    pub version: i64,
    /// `certified`, `submitted` or `amended`.
    pub state: String,
    pub certified_name: String,
    pub certified_position: String,
    pub certified_at: Timestamp,
    pub certified_by: Editor,
    pub submitted_at: Option<Timestamp>,
    pub submitted_by: Option<Editor>,
    pub amended_at: Option<Timestamp>,
    pub amended_by: Option<Editor>,
    pub amend_reason: Option<String>,
    pub net_sales: Money,
    pub rent: Money,
    /// Differences from the previous version.
    pub changes: Vec<Changed>,
    /// Number of readings it includes.
    pub readings: i64,
}

/// Differences since certification.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrDiffers {
    /// «Differs by 12.50 …»
    pub says: String,
    /// Difference of net sales; positive if higher now.
    pub net_sales: Money,
    /// Difference of the rent; positive if higher now.
    pub rent: Money,
    pub changes: Vec<Changed>,
    /// Readings changed, added or removed since.
    pub readings: Vec<ReadingRef>,
}

/// A store's month.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cmsr {
    pub store_id: String,
    pub store_code: Option<String>,
    /// `YYYY-MM`.
    pub month: String,
    /// `draft`, `certified` or `submitted`.
    pub state: String,
    /// The version shown: the certified one, or the next one.
    pub version: i64,
    pub content: CmsrContent,
    /// Days that are not complete.
    pub missing: Vec<BusinessDay>,
    /// The same days, and what each lacks.
    pub lacking: Vec<CmsrLacking>,
    /// Days on which several sources report the same sales with different discounts and none was chosen.
    pub undecided: Vec<BusinessDay>,
    /// Why it cannot be certified yet.
    pub blocker: Option<String>,
    /// Warnings to check before certifying.
    pub warnings: Vec<String>,
    /// Newest first.
    pub versions: Vec<CmsrVersion>,
    pub differs: Option<CmsrDiffers>,
    pub layout: CmsrLayout,
}

/// Certification of a month.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CertifyCmsr {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
    /// Name of the certifier.
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub position: String,
}

/// Submission of a month to the lessor.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubmitCmsr {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
}

/// Reopening of a month.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AmendCmsr {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
    #[serde(default)]
    pub reason: String,
}

/// Closing or correction of a day.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CmsrDayDraft {
    pub store_id: String,
    /// `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub date: String,
    /// The store was closed; the day needs no reading.
    #[serde(default)]
    pub closed: bool,
    /// Figures that replace those of the readings; all others come from the readings.
    #[serde(default)]
    pub corrections: BTreeMap<Figure, Money>,
    #[serde(default)]
    pub reason: String,
    /// If sales were reported twice, the source that counts; empty lets the Z-readings decide.
    #[serde(default)]
    pub source: Option<String>,
    /// The revision it changes; null for the first.
    #[serde(default)]
    pub revision: Option<i64>,
}

impl CmsrDayDraft {
    /// The chosen source, if any.
    pub(super) fn source(&self) -> Option<&str> {
        self.source.as_deref().map(str::trim).filter(|source| !source.is_empty())
    }
}

/// A column of the printed report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrColumn {
    pub figure: Figure,
    /// The lessor's title.
    pub title: String,
}

/// A lessor's print layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrLayout {
    /// Heading.
    pub title: String,
    pub columns: Vec<CmsrColumn>,
    /// Statement above the signature.
    pub statement: String,
    /// Its revision; 0 for the default.
    #[serde(default)]
    pub revision: i64,
}

impl Default for CmsrLayout {
    fn default() -> Self {
        let shown = FIGURES.into_iter().filter(|figure| !matches!(figure, Figure::ZGross | Figure::NotSold));
        Self {
            title: "Certified Monthly Sales Report".to_owned(),
            columns: shown.map(|figure| CmsrColumn { figure, title: figure.title().to_owned() }).collect(),
            statement:
                "I certify that the figures above are true and correct and agree with the Z-readings of all \
                        point-of-sale terminals of this store."
                    .to_owned(),
            revision: 0,
        }
    }
}

/// A lessor's layout.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LessorLayout {
    pub lessor: String,
    pub layout: CmsrLayout,
}

/// Query parameters: the lessor.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LayoutQuery {
    pub lessor: String,
}

/// Query parameters: year and stores.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct YearQuery {
    pub year: i16,
    /// Comma-separated store ids; all accessible stores if omitted.
    pub store_ids: Option<String>,
}

/// Overview of a store's month.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrGlance {
    /// `YYYY-MM`.
    pub month: String,
    /// `none` (before the store opened, or in the future), `running`, `draft`, `certified` or `submitted`.
    pub state: String,
    pub version: i64,
    /// Days up to yesterday that are not complete.
    pub missing_days: i64,
    /// Days on which several sources report the same sales with different discounts.
    pub undecided_days: i64,
    /// Why it cannot be certified yet.
    pub says: Option<String>,
    /// As certified.
    pub net_sales: Option<Money>,
    /// As certified.
    pub rent: Option<Money>,
    /// Whether readings were changed since certification.
    pub differs: bool,
}

/// A store's year.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrStoreYear {
    pub store_id: String,
    pub store_name: String,
    pub lessor: Option<String>,
    /// January to December.
    pub months: Vec<CmsrGlance>,
}

/// A year of all accessible stores.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CmsrYear {
    pub year: i16,
    pub items: Vec<CmsrStoreYear>,
}
