//! Posting onto store-days that are there.

use larder_domain::sales::existing::How;
use larder_domain::{BusinessDay, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Options of posting.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PostRequest {
    /// What happens to store-days that have to be asked about; to all that other files posted with other content, if
    /// none has to.
    #[serde(default)]
    pub on_existing: Option<How>,
    /// Replace every store-day imported before with other content.
    #[serde(default)]
    pub replace: bool,
    /// The revision of the file as it was seen; refused if it changed since.
    #[serde(default)]
    pub revision: Option<i64>,
}

/// A store-day that has to be asked about before a file is posted.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedDay {
    pub store_id: String,
    pub store_name: String,
    pub day: BusinessDay,
    pub there: There,
    pub comes: Comes,
    /// What is there and comes again.
    pub overlap: Overlap,
    /// The choices that differ on some of the days asked about, the plainest first, with the store-day's sums after each.
    pub choices: Vec<DayChoice>,
}

/// What is there.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct There {
    /// Names of its files, in the order of posting.
    pub files: Vec<String>,
    pub tills: Vec<String>,
    /// Number of receipts.
    pub receipts: i64,
    pub qty: Qty,
    pub net: Money,
}

/// What the file brings.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comes {
    pub tills: Vec<String>,
    /// Number of receipts.
    pub receipts: i64,
    pub qty: Qty,
    pub net: Money,
}

/// Receipts of both, by what is there.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overlap {
    /// Number of receipts.
    pub receipts: i64,
    pub qty: Qty,
    pub net: Money,
}

/// A choice for a store-day, and its sums afterwards.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DayChoice {
    pub id: How,
    pub qty: Qty,
    pub net: Money,
}
