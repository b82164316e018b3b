//! Taking more from a store than its counts say is there: whoever takes it may have found it, so a reason is enough. Only
//! a place that keeps a balance refuses.

use std::collections::BTreeMap;

use larder_domain::Qty;
use larder_ledgers::place_stock::AtPlace;
use larder_platform::http::text::said;
use larder_platform::http::{ApiError, ApiResult, FieldError};
use serde_json::json;

use super::define::TakeStep;

/// A line that takes goods from a place.
pub(super) struct Taking<'a> {
    /// The field of the quantity, such as `lines.2.picked`.
    pub field: String,
    pub product_id: &'a str,
    /// In the line's unit.
    pub qty: Qty,
    pub uom_code: &'a str,
    /// In base units.
    pub base: Qty,
}

/// Asks before more is taken than is expected: 409 `moreThanExpected` with `expected` and `unit`, the stock of the first
/// such line in the unit of its root item. With `anyway` or an override, the products of those lines, to be counted.
///
/// # Errors
/// 409 as above; 422 at the reason if none is given.
pub(super) fn ask<'a>(
    there: &BTreeMap<String, AtPlace>,
    lines: &[Taking<'a>],
    verb: &str,
    body: &TakeStep,
) -> ApiResult<Vec<&'a str>> {
    let mut left: BTreeMap<&str, i64> = BTreeMap::new();
    let (mut fields, mut products, mut first) = (Vec::new(), Vec::new(), None);
    for line in lines {
        let Some(AtPlace::Expected { base, root, unit, .. }) = there.get(line.product_id) else { continue };
        let rest = left.entry(line.product_id).or_insert(base.0);
        if line.base.0 > *rest {
            let of_unit = unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
            let words =
                format!("Larder expects {root}{of_unit} here. {verb} {} {} anyway?", line.qty, line.uom_code);
            fields.push(FieldError::new(line.field.clone(), words));
            products.push(line.product_id);
            first.get_or_insert((*root, unit.clone()));
        }
        *rest = rest.saturating_sub(line.base.0);
    }
    let Some((expected, unit)) = first else { return Ok(products) };
    answered(body, fields, (expected, unit))?;
    products.dedup();
    Ok(products)
}

/// Whether a person takes more than is expected, with a reason.
///
/// # Errors
/// As [`ask`].
pub(super) fn answered(
    body: &TakeStep,
    fields: Vec<FieldError>,
    (expected, unit): (Qty, Option<String>),
) -> ApiResult<()> {
    if !body.anyway && !body.overridden {
        let words = fields.first().map(|field| field.message.clone()).unwrap_or_default();
        let asked = ApiError::conflict("moreThanExpected", words).at(fields);
        return Err(asked.with("expected", json!(expected)).with("unit", json!(unit)));
    }
    match said(body.reason.as_deref()) {
        Some(_) => Ok(()),
        None => Err(ApiError::field("reason", "Say why there is more than expected.")),
    }
}
