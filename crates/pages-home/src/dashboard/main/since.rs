//! Changes since the user's last visit: new tasks of every tile, and what others did that is no task.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::document::DocumentKind;
use larder_domain::document::order::OrderState;
use larder_domain::document::receipt::ReceiptState;
use larder_domain::document::shipment::ShipmentState;
use larder_domain::document::waste::WasteState;
use larder_domain::{Action, BusinessDay, StoreScope, Timestamp};

use super::arrange::may_see_sales;
use super::model::{SinceItem, SinceLast};
use super::queries::{self, Kept};
use crate::tasks::{TaskSummary, TaskType};
use larder_platform::AppState;
use larder_platform::audit;
use larder_platform::audit::{Filter, Row, Within};
use larder_platform::http::{ApiResult, Who};

/// A visit within this time continues the previous one.
const HERE_MS: i64 = 30 * 60_000;
/// Older changes are not shown.
const MOST_MS: i64 = 14 * 86_400_000;
/// Maximum number of changes read.
const MOST_ROWS: i64 = 2_000;
/// Number of past business days in which imported days are counted.
const DAYS: i32 = 62;

/// The end of the previous visit.
fn last_visit(kept: &Kept, now: Timestamp) -> Option<Timestamp> {
    match kept.seen_at {
        Some(seen) if now.0 - seen.0 > HERE_MS => Some(seen),
        _ => kept.since_at,
    }
}

/// From when on changes are shown; `None` on the first visit.
pub(super) fn from(kept: &Kept, now: Timestamp) -> Option<Timestamp> {
    last_visit(kept, now).map(|at| Timestamp(at.0.max(now.0 - MOST_MS)))
}

/// Record a visit to Home, the reference for the next visit's changes.
#[utoipa::path(post, path = "/api/dashboard/main/visit", tag = "home", responses((status = 204)))]
pub(crate) async fn note_visit(State(state): State<AppState>, who: Who) -> ApiResult<StatusCode> {
    let now = who.at;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            let mut kept = queries::kept_in(tx, &who.uid).await?.unwrap_or_default();
            kept.since_at = last_visit(&kept, now);
            kept.seen_at = Some(now);
            Ok(queries::keep(tx, &who.uid, &kept).await?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A type of change: entity type, new state, singular and plural, link, tone.
struct ChangeType {
    kind: &'static str,
    /// The new state, or `created`.
    became: &'static str,
    page: &'static str,
    /// The tile whose new tasks these are: for users with that tile, it tells them.
    tile: &'static str,
    one: &'static str,
    many: &'static str,
    href: &'static str,
    tone: &'static str,
}

const fn change_type(
    (kind, became): (&'static str, &'static str),
    page: &'static str,
    (one, many): (&'static str, &'static str),
    href: &'static str,
    tone: &'static str,
) -> ChangeType {
    ChangeType { kind, became, page, tile: "", one, many, href, tone }
}

impl ChangeType {
    /// Of a type whose records become tasks of a tile.
    const fn of_tile(self, tile: &'static str) -> Self {
        Self { tile, ..self }
    }
}

const ORDER: &str = DocumentKind::StoreOrder.as_str();
const DELIVERY: &str = DocumentKind::Delivery.as_str();
const RECEIPT: &str = DocumentKind::Receipt.as_str();
const WASTE: &str = DocumentKind::Waste.as_str();

/// The changes to show.
const CHANGE_TYPES: &[ChangeType] = &[
    change_type(
        ("zReading", "disputed"),
        "sales/zReading",
        ("Z-reading disputed", "Z-readings disputed"),
        "/sales/z-reading?state=disputed",
        "plain",
    )
    .of_tile("readingsDisputed"),
    change_type(
        (ORDER, OrderState::Rejected.as_str()),
        "stores/storeOrders",
        ("order rejected", "orders rejected"),
        "/stores/orders?status=rejected",
        "bad",
    ),
    change_type(
        (WASTE, WasteState::Rejected.as_str()),
        "stores/storeTransactions",
        ("waste report rejected", "waste reports rejected"),
        "/stores/transactions?tab=waste&status=rejected",
        "bad",
    ),
    change_type(
        (ORDER, OrderState::Submitted.as_str()),
        "stores/storeOrders",
        ("new order", "new orders"),
        "/stores/orders?status=submitted",
        "plain",
    )
    .of_tile("ordersToApprove"),
    change_type(
        (ORDER, OrderState::Approved.as_str()),
        "stores/storeOrders",
        ("order approved", "orders approved"),
        "/stores/orders?status=approved",
        "good",
    ),
    change_type(
        (DELIVERY, ShipmentState::Dispatched.as_str()),
        "commissary/deliveries",
        ("delivery sent", "deliveries sent"),
        "/commissary/deliveries?status=dispatched",
        "plain",
    ),
    change_type(
        (RECEIPT, ReceiptState::Posted.as_str()),
        "stores/storeReceive",
        ("delivery taken in", "deliveries taken in"),
        "/stores/receive",
        "good",
    ),
    change_type(
        (WASTE, WasteState::Posted.as_str()),
        "stores/storeTransactions",
        ("waste report posted", "waste reports posted"),
        "/stores/transactions?tab=waste&status=posted",
        "plain",
    ),
    change_type(
        ("zReading", "verified"),
        "sales/zReading",
        ("Z-reading verified", "Z-readings verified"),
        "/sales/z-reading?state=verified",
        "good",
    ),
    change_type(
        ("cmsr", "certified"),
        "sales/cmsr",
        ("month certified", "months certified"),
        "/sales/cmsr",
        "good",
    ),
    change_type(
        ("application", "created"),
        "manageUsers/applications",
        ("request for access", "requests for access"),
        "/users/applications",
        "plain",
    )
    .of_tile("applications"),
    change_type(
        ("cashDeposit", "created"),
        "sales/tenderReport",
        ("deposit", "deposits"),
        "/sales/tender-report",
        "good",
    ),
];

/// Changes since the previous visit; `None` on the first one. `tasks`: those of the tiles that the user has on Home.
pub(super) async fn read(
    state: &AppState,
    who: &Who,
    kept: &Kept,
    tasks: &[(&'static TaskType, ApiResult<TaskSummary>)],
) -> ApiResult<Option<SinceLast>> {
    let Some((at, from)) = last_visit(kept, who.at).zip(self::from(kept, who.at)) else { return Ok(None) };
    let mut items: Vec<SinceItem> =
        tasks.iter().filter_map(|(kind, found)| new_tasks(kind.title, found.as_ref().ok()?)).collect();
    let is_told = |tile: &str| tasks.iter().any(|(kind, found)| found.is_ok() && kind.name == tile);
    let asked: Vec<&'static ChangeType> = CHANGE_TYPES
        .iter()
        .filter(|change_type| who.can(change_type.page, Action::View) && !is_told(change_type.tile))
        .collect();
    if !asked.is_empty() {
        let mut kinds: Vec<&'static str> = asked.iter().map(|change_type| change_type.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let filter =
            Filter { kinds, from: Some(from), within: within(who), limit: MOST_ROWS, ..Filter::default() };
        let rows = audit::newest(&state.db, &filter).await?;
        items.extend(counted(&rows, &asked, who));
    }
    if let Some(href) = sales_page(who).filter(|_| may_see_sales(who)) {
        let stores = queries::stores(&state.db, stores_of(who).as_deref()).await?;
        let ids: Vec<String> = stores.into_iter().map(|store| store.id).collect();
        let first = BusinessDay::of(who.at).plus(-DAYS);
        let count = queries::imported_since(&state.db, &ids, first, from).await?;
        if count > 0 {
            let text = if count == 1 { "store-day of sales came in" } else { "store-days of sales came in" };
            items.push(SinceItem {
                text: format!("{count} {text}"),
                count,
                href: href.to_owned(),
                tone: "good",
            });
        }
    }
    Ok(Some(SinceLast { at, items }))
}

/// The page of imported sales that a user may open.
fn sales_page(who: &Who) -> Option<&'static str> {
    let pages =
        [("tools/importSalesProduct", "/tools/import-sales-product"), ("reports/reports", "/reports/smbcd")];
    pages.into_iter().find(|(page, _)| who.can(page, Action::View)).map(|(_, path)| path)
}

fn stores_of(who: &Who) -> Option<Vec<String>> {
    match &who.scope {
        StoreScope::All => None,
        StoreScope::Only(ids) => Some(ids.iter().cloned().collect()),
    }
}

/// Restricts the audit trail to the stores of a store-limited user.
fn within(who: &Who) -> Option<Within> {
    stores_of(who).map(|stores| Within {
        stores,
        everybodys: vec!["application"],
        own: Vec::new(),
        uid: who.uid.clone(),
        people: Vec::new(),
    })
}

/// What a tile has that arose after the last visit.
fn new_tasks(title: &str, found: &TaskSummary) -> Option<SinceItem> {
    let new = found.arisen();
    (new.count > 0).then(|| SinceItem {
        text: format!("{title}: {}", new.count),
        count: new.count,
        href: found.href.clone(),
        tone: if new.urgent { "bad" } else { "plain" },
    })
}

/// Number of records by new state, each counted once. The user's own changes are left out.
fn counted(rows: &[Row], asked: &[&'static ChangeType], who: &Who) -> Vec<SinceItem> {
    let mut found: BTreeMap<usize, std::collections::BTreeSet<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.uid != who.uid) {
        let became = state_after(row);
        for (at, change_type) in asked.iter().enumerate() {
            let is = change_type.kind == row.kind
                && (became == Some(change_type.became)
                    || (change_type.became == "created" && row.action == "created"));
            if is {
                found.entry(at).or_default().insert(&row.record_id);
            }
        }
    }
    let is_cut = i64::try_from(rows.len()).is_ok_and(|read| read >= MOST_ROWS);
    let items = found.into_iter().map(|(at, records)| {
        let (change_type, count) = (asked[at], i64::try_from(records.len()).unwrap_or(i64::MAX));
        let noun = if count == 1 { change_type.one } else { change_type.many };
        SinceItem {
            text: format!("{count}{} {noun}", if is_cut { "+" } else { "" }),
            count,
            href: change_type.href.to_owned(),
            tone: change_type.tone,
        }
    });
    items.collect()
}

/// A record's state after the change.
fn state_after(row: &Row) -> Option<&str> {
    let pair = row.changes.0.get("status").or_else(|| row.changes.0.get("state"))?;
    pair.get(1)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_ends_after_thirty_minutes() {
        let kept = |seen, since| Kept { seen_at: seen, since_at: since, ..Kept::default() };
        let (now, morning) = (Timestamp(100 * 60_000), Timestamp(0));
        assert_eq!(last_visit(&kept(None, None), now), None);
        assert_eq!(last_visit(&kept(Some(morning), None), now), Some(morning));
        assert_eq!(last_visit(&kept(Some(Timestamp(now.0 - HERE_MS)), Some(morning)), now), Some(morning));
    }
}
