//! What a report cannot assign, so that it can say so.

use std::collections::HashMap;

use larder_domain::{BusinessDay, Qty, Span};
use serde::Serialize;
use utoipa::ToSchema;

use super::figures::total;
use larder_ledgers::open_days::OpenDays;
use larder_platform::http::ApiResult;

/// A store with days on which it was open and nothing was sold: their sales are not in yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreGap {
    pub id: String,
    pub name: String,
    /// Number of these days.
    pub days: i64,
}

/// The stores with open days without sales, most days first. `stores`: id, name and days of each.
pub fn stores_without_sales<'a>(
    open: &OpenDays,
    stores: impl IntoIterator<Item = (&'a str, &'a str, Span)>,
) -> Vec<StoreGap> {
    let missing = |store: &str, day| open.is_open(store, day) && !open.has_sales(store, day);
    let gap = |(id, name, span): (&str, &str, Span)| {
        let days = (span.from.0..=span.to.0).filter(|day| missing(id, BusinessDay(*day))).count();
        let days = i64::try_from(days).unwrap_or(i64::MAX);
        StoreGap { id: id.to_owned(), name: name.to_owned(), days }
    };
    let mut gaps: Vec<StoreGap> = stores.into_iter().map(gap).filter(|gap| gap.days > 0).collect();
    gaps.sort_by(|a, b| b.days.cmp(&a.days).then_with(|| a.name.cmp(&b.name)));
    gaps
}

/// Sales that a report cannot assign.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// Number of items.
    pub items: usize,
    /// Quantity sold.
    pub qty: Qty,
}

impl Gap {
    /// From the quantities sold per item.
    ///
    /// # Errors
    /// 422 if the sum overflows.
    pub fn of(sold: &HashMap<String, Qty>) -> ApiResult<Self> {
        Ok(Self { items: sold.len(), qty: total(sold.values().copied())? })
    }
}
