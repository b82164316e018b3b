//! The monthly sales report on the wire.

use std::collections::BTreeMap;

use larder_domain::cmsr::{Changed, FIGURES, Figure, Figures, Foot, Terms};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::till_days::ReadingRef;
use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, ApiResult};

/// Which store and month.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CmsrQuery {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
}

/// Which of its versions.
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
    /// How many verified readings it is made of.
    pub readings: i64,
    /// Readings that nobody has verified yet.
    pub waiting: i64,
    /// Somebody said that the store was closed.
    pub closed: bool,
    /// The day has to have a verified reading and has none, or not all of them.
    pub missing: bool,
    /// What somebody put instead of the readings' figures.
    pub corrections: BTreeMap<Figure, Money>,
    /// Why it was closed or corrected.
    pub reason: String,
    /// Of what somebody said of it; none where nobody did.
    pub revision: Option<i64>,
    /// Sources that tell of the same sales, of which one counts.
    #[serde(default)]
    pub doubled: Vec<CmsrDoubled>,
    /// The source that somebody said counts.
    #[serde(default)]
    pub source: Option<String>,
}

/// Sources that tell of the same sales of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrDoubled {
    /// `api`, `file`, `w3p` …
    pub sources: Vec<String>,
    /// The one of them whose discounts count.
    pub counted: String,
    /// They say different discounts, and none of them comes to the Z-readings: somebody has to say which counts.
    pub open: bool,
}

/// Where the terms come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TermsFrom {
    /// The lease in force in that month.
    Lease,
    /// The store's percentage: no lease is in force.
    Store,
}

/// What was certified: kept whole.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrContent {
    pub store_name: String,
    pub lessor: Option<String>,
    pub days: Vec<CmsrDay>,
    /// All days added up.
    pub total: Figures,
    pub foot: Foot,
    pub terms: Option<Terms>,
    pub terms_from: Option<TermsFrom>,
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
    /// What the version before said otherwise.
    pub changes: Vec<Changed>,
    /// How many readings it was made of.
    pub readings: i64,
}

/// What is no longer as it was certified.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrDiffers {
    /// «Differs by 12.50 …»
    pub says: String,
    /// By how much net sales would be more.
    pub net_sales: Money,
    /// By how much the rent would be more.
    pub rent: Money,
    pub changes: Vec<Changed>,
    /// Readings that were changed, added or taken away since.
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
    /// The version that is shown: the one that was certified, or the one that will be.
    pub version: i64,
    pub content: CmsrContent,
    /// Days that have no verified reading and were not closed.
    pub missing: Vec<BusinessDay>,
    /// Days of which several sources tell the same sales with different discounts, and nobody said which counts.
    pub undecided: Vec<BusinessDay>,
    /// Why it cannot be certified yet.
    pub blocker: Option<String>,
    /// What a person should look at before certifying.
    pub warnings: Vec<String>,
    /// The newest first.
    pub versions: Vec<CmsrVersion>,
    pub differs: Option<CmsrDiffers>,
    pub layout: CmsrLayout,
}

/// Certify a month.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CertifyCmsr {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
    /// Who swears to it.
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub position: String,
}

/// Say that the lessor has it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubmitCmsr {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
}

/// Open a month once more.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AmendCmsr {
    pub store_id: String,
    /// `YYYY-MM`.
    pub month: String,
    #[serde(default)]
    pub reason: String,
}

/// What somebody says of a day.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CmsrDayDraft {
    pub store_id: String,
    /// `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub date: String,
    /// The store was closed: the day needs no reading.
    #[serde(default)]
    pub closed: bool,
    /// Figures that hold instead of the readings'; all others are the readings'.
    #[serde(default)]
    pub corrections: BTreeMap<Figure, Money>,
    #[serde(default)]
    pub reason: String,
    /// Where sales came twice, the source that counts; none lets the Z-readings decide.
    #[serde(default)]
    pub source: Option<String>,
    /// The revision it changes; none where nobody said anything yet.
    #[serde(default)]
    pub revision: Option<i64>,
}

impl CmsrDayDraft {
    /// The source that counts, if one was chosen.
    pub(super) fn source(&self) -> Option<&str> {
        self.source.as_deref().map(str::trim).filter(|source| !source.is_empty())
    }
}

/// A column of a printed report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrColumn {
    pub figure: Figure,
    /// What the lessor calls it.
    pub title: String,
}

/// How a lessor wants the report printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrLayout {
    /// What stands at the top.
    pub title: String,
    pub columns: Vec<CmsrColumn>,
    /// What stands above the signature.
    pub statement: String,
    /// The revision that is written; 0 while nobody has changed it.
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

/// Of which lessor.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LayoutQuery {
    pub lessor: String,
}

/// Which year and stores.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct YearQuery {
    pub year: i16,
    /// Store ids, parted by commas; all within reach when absent.
    pub store_ids: Option<String>,
}

/// A store's month at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CmsrGlance {
    /// `YYYY-MM`.
    pub month: String,
    /// `none` (before the store opened, or still to come), `running`, `draft`, `certified` or `submitted`.
    pub state: String,
    pub version: i64,
    /// Days up to yesterday that have no verified reading and were not closed.
    pub missing_days: i64,
    /// Days of which several sources tell the same sales with different discounts.
    pub undecided_days: i64,
    /// What holds it up, in words.
    pub says: Option<String>,
    /// Of what was certified.
    pub net_sales: Option<Money>,
    /// Of what was certified.
    pub rent: Option<Money>,
    /// Readings were changed since it was certified.
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

/// A year of all stores within reach.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CmsrYear {
    pub year: i16,
    pub items: Vec<CmsrStoreYear>,
}
