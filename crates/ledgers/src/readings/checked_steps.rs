//! What a reading is checked for before it is saved, verified or reconciled.

use larder_db::Tx;
use larder_domain::Money;
use larder_domain::zreading::{Check, FLOW};
use serde_json::json;

use super::{Reading, adjacent_readings, store};
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// Refuses a counter another reading of the till has, and names that reading.
pub(super) async fn check_counter(tx: &mut Tx<'_>, reading: &Reading) -> ApiResult<()> {
    let Some(other) = store::same_counter(tx, reading).await? else { return Ok(()) };
    let label = FLOW.state(&other.state).map_or("there", |state| FLOW.label(state));
    let words = format!(
        "Z counter {} of till {} is already on the reading of {}, which is {label}.",
        reading.z_counter.unwrap_or_default(),
        reading.terminal_id,
        other.business_date.display(),
    );
    let at = vec![FieldError::new("zCounter", words.clone())];
    let snapshot = json!({ "id": other.id, "businessDate": other.business_date, "state": other.state });
    Err(ApiError::conflict("counterTaken", words).at(at).with("other", snapshot))
}

/// Refuses to verify a reading that lacks figures, whose sums fail without a reason, or whose imported sales differ
/// without the user having been told. Returns that difference.
pub(super) async fn may_be_verified(
    tx: &mut Tx<'_>,
    reading: &Reading,
    reason: Option<&str>,
    sales_seen: bool,
) -> ApiResult<Option<Money>> {
    let mut wrong = Vec::new();
    if reading.terminal_id.is_empty() {
        wrong.push(FieldError::new("terminalId", "Choose the till."));
    }
    let needed = [
        ("zCounter", reading.z_counter.is_none(), "Enter the Z counter."),
        ("gross", reading.gross.is_none(), "Enter the gross sales."),
        ("net", reading.net.is_none(), "Enter the net sales."),
    ];
    wrong.extend(
        needed
            .iter()
            .filter(|(_, missing, _)| *missing)
            .map(|(field, _, words)| FieldError::new(*field, *words)),
    );
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    check_counter(tx, reading).await?;
    let adjacent = adjacent_readings::of_in(tx, reading).await?;
    if reason.is_none() {
        let failing: Vec<&Check> =
            adjacent.checks.iter().filter(|check| !check.holds && check.blocks).collect();
        refuse(&failing, "Correct the figures, or verify it with a reason.")?;
    }
    let Some(by) = adjacent.sales_differ() else { return Ok(None) };
    let was_told = reading.steps.iter().any(|taken| taken.sales == Some(by));
    if sales_seen || was_told { Ok(Some(by)) } else { Err(sales_differ(adjacent.net_differs(), by)?) }
}

/// 409 `salesDiffer`, with the failed `checks` and the difference `by`.
fn sales_differ(failing: Option<&Check>, by: Money) -> ApiResult<ApiError> {
    let failing: Vec<&Check> = failing.into_iter().collect();
    let words = format!("Imported sales differ by {}. Verify anyway?", Money(by.0.saturating_abs()).pesos());
    let failing = serde_json::to_value(failing).map_err(ApiError::internal)?;
    let by = serde_json::to_value(by).map_err(ApiError::internal)?;
    Ok(ApiError::conflict("salesDiffer", words).with("checks", failing).with("by", by))
}

/// Refuses to reconcile a reading whose imported sales differ or cannot be compared, without a reason.
pub(super) async fn may_be_reconciled(
    tx: &mut Tx<'_>,
    reading: &Reading,
    reason: Option<&str>,
) -> ApiResult<()> {
    let adjacent = adjacent_readings::of_in(tx, reading).await?;
    if adjacent.imported.is_empty() {
        let words = "No sales of this day were imported; import them first.";
        return Err(ApiError::unprocessable("noSales", words));
    }
    if reason.is_some() {
        return Ok(());
    }
    if let Some(words) = adjacent.uncompared {
        let words = format!("The imported sales cannot be compared yet: {words}.");
        return Err(ApiError::unprocessable("notComplete", words));
    }
    let with_sales: Vec<&Check> = adjacent.checks.iter().filter(|check| check.is_of_sales()).collect();
    let failing: Vec<&Check> = with_sales.into_iter().filter(|check| !check.holds).collect();
    refuse(&failing, "Say why they differ to reconcile it, or dispute it.")
}

fn refuse(failing: &[&Check], what_to_do: &str) -> ApiResult<()> {
    if failing.is_empty() {
        return Ok(());
    }
    let words: Vec<&str> = failing.iter().map(|check| check.words.as_str()).collect();
    let at = failing
        .iter()
        .filter_map(|check| Some(FieldError::new(*check.fields.first()?, check.words.clone())))
        .collect();
    let refusal = ApiError::unprocessable("checksFail", format!("{} {what_to_do}", words.join(" ")));
    Err(refusal.at(at).with("checks", serde_json::to_value(failing).map_err(ApiError::internal)?))
}
