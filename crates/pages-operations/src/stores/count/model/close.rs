//! Goods that came close to a count.

use larder_domain::count::Session;
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SessionOfDay;
use larder_ledgers::place_stock::Arrival;

/// Goods that came or left close to a count.
#[derive(Debug, Serialize, ToSchema)]
pub struct CloseGoods {
    pub items: Vec<CloseGoodsLine>,
}

/// A line that came or left close to a count.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseGoodsLine {
    /// Line of the document.
    pub line_id: String,
    /// Date and session of the count.
    pub date: BusinessDay,
    pub session: Session,
    pub document_id: String,
    /// `receipt`, `transfer`, `waste` or `supplierReturn`.
    pub document_kind: String,
    pub document_no: String,
    pub product_id: String,
    pub name: String,
    /// In its unit; absent where counts are blind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qty: Option<Qty>,
    pub uom_code: String,
    /// When it came or left, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub happened_at: Option<Timestamp>,
    /// When the closest of its items was counted.
    pub counted_at: Timestamp,
    /// Whether the count includes it by the times: goods that came were there, goods that left were gone.
    pub included_by_time: bool,
    /// The same as it was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub included: Option<bool>,
}

/// A delivery that a count of now may include: due and not received, or received in the last 12 hours.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountDelivery {
    /// The receipt, or the delivery or transfer that is due.
    pub document_id: String,
    pub number: String,
    /// Whether it was received; else it is due.
    pub received: bool,
    /// When it came, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub happened_at: Option<Timestamp>,
    pub lines: Vec<CountDeliveryLine>,
}

/// A line of it, with the items that its goods are counted as.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountDeliveryLine {
    pub line_id: String,
    pub name: String,
    /// In its unit; absent where counts are blind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qty: Option<Qty>,
    pub uom_code: String,
    pub item_ids: Vec<String>,
    /// What was answered for the count of now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub included: Option<bool>,
}

impl CountDelivery {
    /// Lines in the order of their documents.
    pub fn of(found: Vec<Arrival>, blind: bool) -> Vec<Self> {
        let mut deliveries: Vec<Self> = Vec::new();
        for arrival in found {
            let line = CountDeliveryLine {
                line_id: arrival.line_id,
                name: arrival.name,
                qty: (!blind).then_some(arrival.qty),
                uom_code: arrival.uom_code,
                item_ids: arrival.items.into_iter().collect(),
                included: arrival.included,
            };
            match deliveries.last_mut() {
                Some(last) if last.document_id == arrival.document_id => last.lines.push(line),
                _ => deliveries.push(Self {
                    document_id: arrival.document_id,
                    number: arrival.document_no,
                    received: arrival.received,
                    happened_at: arrival.happened_at,
                    lines: vec![line],
                }),
            }
        }
        deliveries
    }
}

/// Answers about goods close to a count.
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
    /// Line of the document, or of the delivery or transfer if it was not received yet.
    pub line_id: String,
    /// Whether the count includes it. Of goods that came: they were counted. Of goods that left: they were no longer there,
    /// so «Were these still there when the store was counted?» was answered with no.
    pub included: bool,
}
