//! Goods that came close to a count.

use larder_domain::{Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SessionOfDay;

/// Received goods close to a count.
#[derive(Debug, Serialize, ToSchema)]
pub struct CloseGoods {
    pub items: Vec<CloseGoodsLine>,
}

/// A received line close to a count.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseGoodsLine {
    /// Line of the receipt.
    pub line_id: String,
    pub receipt_id: String,
    pub receipt_no: String,
    pub product_id: String,
    pub name: String,
    /// What was accepted, in its unit; absent where counts are blind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qty: Option<Qty>,
    pub uom_code: String,
    /// When it came, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received_at: Option<Timestamp>,
    /// When the closest of its items was counted.
    pub counted_at: Timestamp,
    /// Whether the count includes it by the times.
    pub included_by_time: bool,
    /// What was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub included: Option<bool>,
}

/// Answers about received goods close to a count.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseGoodsAnswers {
    /// Session.
    #[serde(flatten)]
    pub place: SessionOfDay,
    pub answers: Vec<CloseGoodsAnswer>,
}

/// Whether a count included a line.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CloseGoodsAnswer {
    /// Line of the receipt, or of the delivery or transfer if it was not received yet.
    pub line_id: String,
    pub included: bool,
}
