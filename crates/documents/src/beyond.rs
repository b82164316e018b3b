//! Taking more from a store than its counts say is there: the person who takes it may have found it, so a reason is
//! enough. Only a place that keeps a balance refuses.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::Qty;
use larder_ledgers::place_stock::{Asked, AtPlace, Taken};
use larder_platform::http::text::said;
use larder_platform::http::{ApiError, ApiResult, FieldError};
use serde::Serialize;
use serde_json::json;

use super::define::TakeStep;

/// A line that takes goods from a place.
pub(super) struct Taking<'a> {
    /// The field of the quantity, such as `lines.2.picked`.
    pub field: String,
    pub product_id: &'a str,
    pub name: &'a str,
    /// In the line's unit.
    pub qty: Qty,
    pub uom_code: &'a str,
    /// In base units.
    pub base: Qty,
}

/// A line that takes more than is expected, as the member `lines` of the problem lists it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Beyond {
    /// The field of the quantity or the lot.
    pub field: String,
    pub name: String,
    pub asked: Qty,
    pub asked_unit: String,
    pub expected: Qty,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// If it is more than can be left of this lot: `expected` is at most that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lot: Option<String>,
}

/// Asks before more is taken than is expected: 409 `moreThanExpected` with `expected` and `unit`, the stock of the first
/// such line in the unit of its root item, and `lines`, every one of them. With `anyway` or an override, what is taken of
/// the root items of those lines, to be counted.
///
/// # Errors
/// 409 as above; 422 at the reason if none is given.
pub(super) fn ask(
    there: &BTreeMap<String, AtPlace>,
    lines: &[Taking<'_>],
    verb: &str,
    body: &TakeStep,
) -> ApiResult<Vec<Taken>> {
    let mut left: BTreeMap<&str, i64> = BTreeMap::new();
    // Products of one root item take from the same stock.
    let mut left_of_root: BTreeMap<&str, i128> = BTreeMap::new();
    let (mut found, mut roots) = (Vec::new(), BTreeSet::new());
    for line in lines {
        let Some(AtPlace::Expected { base, root_item_id, root, unit }) = there.get(line.product_id) else {
            continue;
        };
        let rest = left.entry(line.product_id).or_insert(base.0);
        let rest_of_root = left_of_root.entry(root_item_id).or_insert(i128::from(root.0));
        let of_root = i128::from(line.base.0) * i128::from(root.0) / i128::from(base.0.max(1));
        if line.base.0 > *rest || of_root > *rest_of_root {
            let of_unit = unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
            let words =
                format!("Larder expects {root}{of_unit} here. {verb} {} {} anyway?", line.qty, line.uom_code);
            let beyond = Beyond {
                field: line.field.clone(),
                name: line.name.to_owned(),
                asked: line.qty,
                asked_unit: line.uom_code.to_owned(),
                expected: *root,
                unit: unit.clone(),
                lot: None,
            };
            found.push((beyond, words));
            roots.insert(root_item_id.as_str());
        }
        *rest = rest.saturating_sub(line.base.0);
        *rest_of_root -= of_root;
    }
    answered(body, found)?;
    let is_of = |line: &&Taking<'_>| {
        let place = there.get(line.product_id);
        matches!(place, Some(AtPlace::Expected { root_item_id, .. }) if roots.contains(root_item_id.as_str()))
    };
    let taken = |line: &Taking<'_>| Taken {
        product_id: line.product_id.to_owned(),
        asked: Asked { qty: line.qty, unit: line.uom_code.to_owned() },
    };
    Ok(lines.iter().filter(is_of).map(taken).collect())
}

/// Whether a person takes more than is expected, with a reason: of the lines `found`, each with the question to ask.
///
/// # Errors
/// As [`ask`].
pub(super) fn answered(body: &TakeStep, found: Vec<(Beyond, String)>) -> ApiResult<()> {
    let Some((first, words)) = found.first() else { return Ok(()) };
    if !body.anyway && !body.overridden {
        let asked = ApiError::conflict("moreThanExpected", words.clone())
            .with("expected", json!(first.expected))
            .with("unit", json!(first.unit));
        let (lines, fields): (Vec<Beyond>, Vec<FieldError>) =
            found.into_iter().map(|(line, words)| (line.clone(), FieldError::new(line.field, words))).unzip();
        return Err(asked.with("lines", json!(lines)).at(fields));
    }
    match said(body.reason.as_deref()) {
        Some(_) => Ok(()),
        None => Err(ApiError::field("reason", "Say why there is more than expected.")),
    }
}
