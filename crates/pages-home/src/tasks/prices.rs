//! Prices that receipts propose for root items.

use futures::FutureExt as _;
use larder_domain::Action;

use super::model::{Arisen, Rings, Task, TaskContext, TaskSummary, TaskType};
use larder_ledgers::prices::proposals;
use larder_ledgers::prices::proposals::Proposal;
use larder_platform::http::ApiResult;

/// Open proposals of the receipts of accessible stores.
pub(super) static PROPOSED: TaskType = TaskType {
    name: "pricesProposed",
    title: "Proposed prices",
    needs: &[("lists/allLists", Action::Edit)],
    rings: Rings::Together,
    on_home: true,
    of_stores: false,
    changes: &["priceProposal"],
    read: |context| proposed(context).boxed(),
};

/// The page that lists them.
const PAGE: &str = "/lists/root-items/proposed";

async fn proposed(context: &TaskContext<'_>) -> ApiResult<TaskSummary> {
    let page = (context.limit(), 0);
    let (rows, count) = proposals::in_state(context.db(), "open", &context.who.scope, page).await?;
    let items = rows.into_iter().map(|row| Task {
        title: format!("{} · {}", row.root_item_name.as_deref().unwrap_or_default(), row.price.pesos()),
        text: said(&row),
        store_id: row.store_id,
        at: row.created_at,
        count: 1,
        late: false,
        urgent: false,
        href: PAGE.to_owned(),
        id: row.id,
    });
    let new = match context.since {
        Some(since) => {
            proposals::open_since(context.db(), &context.who.scope, (since, &context.who.uid)).await?
        }
        None => 0,
    };
    Ok(TaskSummary {
        count,
        items: items.collect(),
        href: PAGE.to_owned(),
        arisen: Some(Arisen { count: new, urgent: false }),
        ..TaskSummary::default()
    })
}

/// «RCV-12, instead of ₱54.00»
fn said(row: &Proposal) -> String {
    let receipt = row.receipt_no.as_deref().unwrap_or("A receipt");
    match row.price_then {
        Some(price) => format!("{receipt}, instead of {}", price.pesos()),
        None => format!("{receipt}, the first price"),
    }
}
