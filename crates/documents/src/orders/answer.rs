//! Granting and short-closing orders.

use larder_domain::document::quantity;
use larder_domain::{Action, Permission};

use super::*;
use larder_platform::http::text;

const NO_REASON: &str = "Say why this differs from what was ordered.";

/// Grants the given quantities, and the ordered ones for other lines.
pub(super) async fn approve(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    doc: &mut Doc<StoreOrder>,
) -> ApiResult<()> {
    if !may_grant(ctx, doc) {
        return Err(ApiError::lacks(Permission { page: PAGE, action: Action::Override }));
    }
    let overridden = write::overridden::<StoreOrder>(ctx, body, "Say why.")?;
    let ids: Vec<&str> = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
    let known = products::by_id(tx, &ids).await?;
    let (mut wrong, mut much) = (Vec::new(), Vec::new());
    for line in &mut doc.lines {
        line.qty_approved.get_or_insert(line.qty_ordered);
    }
    for (at, said) in body.lines.iter().enumerate() {
        let field = |name: &str| format!("lines.{at}.{name}");
        let Some(line) = doc.lines.iter_mut().find(|line| line.id == said.id) else {
            wrong.push(FieldError::new(field("id"), "This order has no such line. Reload to continue."));
            continue;
        };
        let qty = match products::qty(said.qty_approved.as_ref()) {
            Ok(qty) => qty,
            Err(message) => {
                wrong.push(FieldError::new(field("qtyApproved"), message));
                continue;
            }
        };
        // An ordered quantity can be granted even if the unit was limited to whole numbers since.
        let whole = qty != line.qty_ordered && products::comes_whole(&known, &line.product_id, &line.uom_id);
        if let Err(error) = quantity::check_some(qty, line.factor, whole) {
            wrong.push(FieldError::new(field("qtyApproved"), error.message(&line.uom_code)));
            continue;
        }
        let reason = text::said(said.reason.as_deref());
        let reason = reason.or(line.reason.as_deref());
        let reason = reason.or(body.reason.as_deref().filter(|_| overridden)).map(str::to_owned);
        if !overridden && order::is_much_more(line.qty_ordered, qty) {
            let words = format!(
                "This is more than {} times the {} {} that were ordered. Check the quantity.",
                order::MUCH_MORE,
                line.qty_ordered,
                line.uom_code
            );
            much.push(FieldError::new(field("qtyApproved"), words));
        }
        if qty != line.qty_ordered && reason.is_none() {
            wrong.push(FieldError::new(field("reason"), NO_REASON));
            continue;
        }
        line.qty_approved = Some(qty);
        line.reason = None;
        if qty != line.qty_ordered {
            note(&mut wrong, &field("reason"), reason.as_deref(), &mut line.reason);
        }
    }
    if !wrong.is_empty() {
        if wrong.len() > 1 && much.is_empty() && wrong.iter().all(|one| one.message == NO_REASON) {
            let words = format!("Say why {} quantities were changed.", wrong.len());
            return Err(ApiError::unprocessable("invalid", words).at(wrong));
        }
        wrong.extend(much);
        return Err(ApiError::invalid(wrong));
    }
    if !much.is_empty() {
        return Err(write::much_more(much));
    }
    doc.details.approved_at = Some(ctx.who.at);
    derive(doc, false);
    Ok(())
}

/// Whether the user may grant the order: an urgent one breaks the cut-off, which needs the override right.
pub(super) fn may_grant(ctx: Ctx<'_>, doc: &Doc<StoreOrder>) -> bool {
    doc.details.urgent_reason.is_none() || ctx.who.can(PAGE, Action::Override)
}

/// Closes what was not sent yet.
pub(super) async fn close_short(tx: &mut Tx<'_>, doc: &mut Doc<StoreOrder>) -> ApiResult<()> {
    refuse_while_delivered(tx, doc).await?;
    for line in &mut doc.lines {
        let rest = line.figures().to_send();
        line.qty_short_closed = Qty(line.qty_short_closed.0 + rest.0);
    }
    let reconciled = is_reconciled(tx, &doc.head.id).await?;
    derive(doc, reconciled);
    Ok(())
}

/// Refuses while a delivery in preparation carries lines of the order.
pub(super) async fn refuse_while_delivered(tx: &mut Tx<'_>, doc: &Doc<StoreOrder>) -> ApiResult<()> {
    let open: Option<(String,)> = tx
        .sql(
            "select d.number from document_links l join documents d on d.id = l.document_id
             where l.origin_id = $1 and d.kind = 'delivery' and d.state in ('draft', 'picking', 'packed')
             order by d.number limit 1",
        )
        .bind(&doc.head.id)
        .optional()
        .await?;
    match open {
        None => Ok(()),
        Some((number,)) => {
            let words =
                format!("Delivery {number} is being made ready for this order; cancel that one first.");
            // The state is already the step's target; derive the one it was taken in.
            let lines: Vec<order::Line> = doc.lines.iter().map(OrderLine::figures).collect();
            Err(ApiError::conflict("beingDelivered", words)
                .with("state", order::progress(&lines, false).as_str().into()))
        }
    }
}
