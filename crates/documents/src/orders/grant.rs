//! Grants for several orders at once: all or none.

use std::collections::HashMap;

use super::answer::may_grant;
use super::*;
use crate::Taken;
use larder_platform::audit::Editor;

/// A grant for a line.
#[derive(Debug, Clone)]
pub struct Grant {
    /// Quantity that may be sent from now on, in its unit.
    pub qty: Qty,
    /// Its allocation, if there was too little.
    pub share: Option<Share>,
}

/// Grants quantities by line id. Submitted orders are approved; their other lines are granted as ordered. An urgent order
/// keeps waiting where the user may not grant it. `seen` holds the orders and revisions the decision was based on.
///
/// # Errors
/// 409 `stale` naming the orders that changed since, 403 for a store the user may not see.
pub async fn grant(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    seen: &[(String, i64)],
    grants: &HashMap<String, Grant>,
) -> ApiResult<Vec<super::super::Head<OrderState>>> {
    let ids: Vec<String> = seen.iter().map(|(id, _)| id.clone()).collect();
    let held = store::hold::<StoreOrder>(tx, &ids).await?;
    let revisions: HashMap<&str, i64> = seen.iter().map(|(id, revision)| (id.as_str(), *revision)).collect();
    for doc in &held {
        larder_platform::http::scope::check(doc.head.store_id.as_deref(), &ctx.who.scope)?;
    }
    let changed: Vec<&str> = held
        .iter()
        .filter(|doc| revisions.get(doc.head.id.as_str()) != Some(&doc.head.revision))
        .map(|doc| doc.head.number.as_str())
        .collect();
    if !changed.is_empty() || held.len() != seen.len() {
        return Err(changed_since(&changed));
    }
    let mut heads = Vec::with_capacity(held.len());
    for mut doc in held {
        let before = doc.told();
        let waits = doc.head.state == OrderState::Submitted;
        if waits && !may_grant(ctx, &doc) {
            continue;
        }
        if !apply(&mut doc, grants) && !waits {
            continue;
        }
        if waits {
            let actor = ctx.who.actor();
            doc.head.steps.push(Taken {
                step: OrderStep::Approve.as_str().to_owned(),
                at: actor.at,
                by: Editor::from(&actor),
                reason: None,
            });
            doc.head.state = OrderState::Approved;
            doc.details.approved_at = Some(ctx.who.at);
        }
        settle(tx, &mut doc, before).await?;
        heads.push(doc.head);
    }
    Ok(heads)
}

/// The error for orders changed since they were read.
#[must_use]
pub fn changed_since(numbers: &[&str]) -> ApiError {
    let words = match numbers {
        [] => "An order is not there any more. Reload to continue.".to_owned(),
        [one] => format!("Order {one} was changed meanwhile. Reload to continue."),
        [most @ .., last] => {
            format!("Orders {} and {last} were changed meanwhile. Reload to continue.", most.join(", "))
        }
    };
    ApiError::conflict("stale", words).with("orders", numbers.into())
}

/// Writes grants into the lines; returns whether anything changed. What a line does not get stays to be sent: it is
/// short until it is delivered or closed short.
fn apply(doc: &mut Doc<StoreOrder>, grants: &HashMap<String, Grant>) -> bool {
    let mut changed = false;
    for line in &mut doc.lines {
        changed |= line.qty_approved.is_none();
        line.qty_approved.get_or_insert(line.qty_ordered);
        let Some(grant) = grants.get(&line.id) else { continue };
        let up_to = Qty(line.qty_dispatched.0.saturating_add(grant.qty.0));
        let share = grant.share.clone().map(|share| Share { up_to: Some(up_to), ..share });
        if line.share.as_ref().map(|known| &known.0) == share.as_ref() {
            continue;
        }
        let rest = Qty(line.figures().to_send().0 - grant.qty.0);
        // A cut keeps its reason.
        let own = line.reason.take().filter(|reason| !reason.starts_with(TOO_LITTLE));
        line.reason = own.or_else(|| {
            let share = share.as_ref()?;
            Some(format!("{} {rest} {} stay short.", told(share), line.uom_code))
        });
        line.share = share.map(Json);
        changed = true;
    }
    changed
}

/// How the reason of a share begins.
const TOO_LITTLE: &str = "There was too little";

/// The reason for the store why a line gets less for now.
fn told(share: &Share) -> String {
    let how = match share.method {
        ShareMethod::ByHand => "the kitchen decided",
        ShareMethod::Proportional => "shared in proportion to the orders",
        ShareMethod::EqualCover => "shared so that every store's stock lasts equally long",
    };
    format!("{TOO_LITTLE}; {how}.")
}
