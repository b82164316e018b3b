//! Documents of the legacy system, written with their ids, numbers, times and final state. They take no steps
//! and post no movements.

use larder_db::Tx;
use larder_domain::Qty;
use larder_domain::document::receipt::{self, Effect, Reason, ReceiptState};

use super::define::{Doc, Document, Head, Line};
use super::receipts::{Receipt, ReceiptLine};
use super::shipments::{Delivery, ShipmentLine};
use super::{store, write};
use larder_platform::http::{ApiError, ApiResult};

/// Result of writing a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brought {
    Created,
    /// Written before; the imported one is newer.
    Updated,
    /// Written before; the existing one is as recent or was changed since.
    LeftAlone,
}

/// Writes a legacy document in its final state. Its type's number series continues above its number.
///
/// # Errors
/// If its id or number belongs to another document.
pub async fn import_legacy<D: Document>(tx: &mut Tx<'_>, doc: &mut Doc<D>) -> ApiResult<Brought> {
    let owner: Option<(String, String)> = tx
        .sql("select id, kind from documents where id = $1 or number = $2 order by case id when $1 then 0 else 1 end")
        .bind(&doc.head.id)
        .bind(&doc.head.number)
        .optional()
        .await?;
    let before = match owner {
        None => None,
        Some((id, kind)) if id == doc.head.id && kind == D::KIND.as_str() => {
            store::head_in::<D>(tx, &id).await?
        }
        Some((id, _)) if id == doc.head.id => {
            return Err(ApiError::field("id", "Another document has this id."));
        }
        Some(_) => {
            let words = format!("The number {} belongs to another document.", doc.head.number);
            return Err(ApiError::field(D::DECLARED.number, words));
        }
    };
    if let Some((year, last)) = in_series(D::DECLARED.series, &doc.head.number) {
        store::go_on_above::<D>(tx, year, last).await?;
    }
    let Some((head, details)) = before else {
        store::insert_numbered(tx, doc).await?;
        D::written(tx, doc).await?;
        write::record(tx, None, doc).await?;
        return Ok(Brought::Created);
    };
    let lines = store::lines_in::<D::Line>(tx, &head.id).await?;
    // Lines may be referenced by other documents, so they are kept.
    let keeps = |line: &D::Line| doc.lines.iter().any(|kept| kept.id() == line.id());
    if head.revision > 1 || doc.head.updated_at <= head.updated_at || !lines.iter().all(keeps) {
        return Ok(Brought::LeftAlone);
    }
    let before = Doc::<D>::of(head, details, lines).told();
    store::rewrite(tx, doc).await?;
    D::written(tx, doc).await?;
    write::record(tx, Some(before), doc).await?;
    Ok(Brought::Updated)
}

/// Year and position of a number in a series: `SO-2026-000123`.
fn in_series(series: &str, number: &str) -> Option<(i64, i64)> {
    let (year, last) = number.strip_prefix(series)?.strip_prefix('-')?.split_once('-')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (year.len() == 4 && (6..=12).contains(&last.len()) && digits(year) && digits(last))
        .then(|| Some((year.parse().ok()?, last.parse().ok()?)))?
}

/// The imported document another legacy document refers to.
///
/// # Errors
/// If the database fails.
pub async fn known<D: Document>(
    tx: &mut Tx<'_>,
    id: &str,
) -> ApiResult<Option<(Head<D::State>, Vec<D::Line>)>> {
    let Some((head, _)) = store::head_in::<D>(tx, id).await? else { return Ok(None) };
    let lines = store::lines_in::<D::Line>(tx, id).await?;
    Ok(Some((head, lines)))
}

/// Sets the lines of a finished delivery from its receipts. Unaccounted quantities are written off, since
/// nothing of a finished delivery is in transit.
///
/// # Errors
/// If the statement fails.
pub async fn settle_delivery(tx: &mut Tx<'_>, id: &str) -> ApiResult<()> {
    let Some((head, details)) = store::head_in::<Delivery>(tx, id).await? else { return Ok(()) };
    let lines = store::lines_in::<ShipmentLine>(tx, id).await?;
    let mut doc = Doc::<Delivery>::of(head, details, lines);
    let mut receipts = Vec::new();
    for (receipt, state) in store::linked::<Receipt>(tx, id).await? {
        if state == ReceiptState::Reconciled {
            receipts.extend(store::lines_in::<ReceiptLine>(tx, &receipt).await?);
        }
    }
    let (told, mut changed) = (doc.told(), false);
    for line in &mut doc.lines {
        let of_line: Vec<&ReceiptLine> =
            receipts.iter().filter(|taken| taken.source_line_id.as_ref() == Some(&line.id)).collect();
        if of_line.is_empty() {
            continue;
        }
        let (mut accepted, mut returned, mut written_off) = (0, 0, 0);
        for taken in of_line {
            // A legacy difference may have no reason.
            let figures = receipt::Line { reason: Some(Reason::Short), ..taken.figures() };
            let kept = Effect { accepted: taken.accepted, ..Effect::default() };
            let effect = figures.effect(Qty::ZERO, true).unwrap_or(kept);
            accepted += effect.accepted.0;
            returned += effect.returned.0;
            written_off += effect.written_off.0;
        }
        let before = line.sent();
        settle(line, Qty(accepted), Qty(returned), Qty(written_off));
        changed |= before != line.sent();
    }
    if !changed {
        return Ok(());
    }
    store::rewrite(tx, &mut doc).await?;
    write::record(tx, Some(told), &doc).await
}

/// Settles a dispatched line: excess is overage, the unaccounted rest is written off. Returns the latter.
pub fn settle(line: &mut ShipmentLine, accepted: Qty, returned: Qty, written_off: Qty) -> Qty {
    let settled = accepted.0 + returned.0 + written_off.0;
    let rest = (line.dispatched.0 - settled).max(0);
    line.overage = Qty((settled - line.dispatched.0).max(0));
    line.accepted = accepted;
    line.returned = returned;
    line.written_off = Qty(written_off.0 + rest);
    line.settled_base = line.dispatched_base;
    Qty(rest)
}

#[cfg(test)]
mod tests {
    use super::in_series;

    #[test]
    fn numbers_of_a_series_are_recognised() {
        assert_eq!(in_series("SO", "SO-2026-000123"), Some((2026, 123)));
        for other in ["SO-2026-123", "SO-26-000123", "DL-2026-000123", "SO-2026-00012x", "SO-2026", "17"] {
            assert_eq!(in_series("SO", other), None, "{other}");
        }
    }
}
