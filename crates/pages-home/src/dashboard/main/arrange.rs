//! The tiles a user sees and their order.

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::Json as Kept;
use larder_domain::Action;

use super::model::HomeArrangement;
use super::queries;
use crate::tasks;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

pub(super) const SALES: &str = "sales";
/// The tile of the stores' day.
pub(super) const STORES: &str = "stores";

/// A tile and whether it is hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub name: &'static str,
    pub title: &'static str,
    pub hidden: bool,
}

/// Whether the user may see sales.
pub(super) fn may_see_sales(who: &Who) -> bool {
    who.can("reports/reports", Action::View) || who.can("apps/branchOps", Action::View)
}

/// The tiles first in the default order, by permissions: approving orders or packing, approving readings,
/// counting. Everyone else, such as head office, starts with sales.
fn usual(who: &Who) -> Vec<&'static str> {
    let can = |page, action| who.can(page, action);
    let everything =
        who.super_admin || (can("sales/cmsr", Action::Approve) && can("commissary/deliveries", Action::Post));
    let first: &[&str] = match () {
        () if everything => &[SALES, STORES],
        () if can("commissary/deliveries", Action::Post) => &[
            "recalls",
            "ordersToApprove",
            "ordersToShare",
            "batchesDue",
            "shortAtKitchen",
            "onTheWay",
            "stockTakesOpen",
            "stockAtRisk",
            "receiptDifferences",
            "forecastMisses",
        ],
        () if can("sales/zReading", Action::Approve) => &[
            SALES,
            "readingsToVerify",
            "readingsMissing",
            "readingsDisputed",
            "cashMissing",
            "failedWork",
            STORES,
        ],
        () if can("stores/storeCount", Action::Count) => {
            &["recalls", "countsMissing", "onTheWay", "receiptDifferences", SALES, STORES]
        }
        () if can(larder_platform::people::USERS_PAGE, Action::Edit)
            && !can("reports/reports", Action::View) =>
        {
            &["applications", "failedWork"]
        }
        () => &[SALES, STORES],
    };
    let rest = [SALES, STORES].into_iter().chain(tasks::ALL.iter().map(|kind| kind.name));
    let mut names = first.to_vec();
    for name in rest {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A tile's title, if the user may see it.
fn title(who: &Who, name: &str) -> Option<&'static str> {
    match name {
        SALES => may_see_sales(who).then_some("Sales"),
        STORES => (may_see_sales(who) || who.can("stores/storeCount", Action::View)).then_some("Stores"),
        name => tasks::kind(name).filter(|kind| kind.on_home && kind.open_to(who)).map(|kind| kind.title),
    }
}

/// The tiles a user may see: in the saved order, with new ones at their default position.
pub(super) fn order(who: &Who, kept: &queries::Kept) -> Vec<Place> {
    let usual = usual(who);
    let mut names: Vec<&'static str> =
        kept.tiles.0.iter().filter_map(|name| usual.iter().find(|known| *known == name).copied()).collect();
    for (at, name) in usual.iter().enumerate() {
        if names.contains(name) {
            continue;
        }
        let before = usual[..at].iter().rev().find_map(|one| names.iter().position(|known| known == one));
        names.insert(before.map_or(0, |place| place + 1), *name);
    }
    names
        .into_iter()
        .filter_map(|name| {
            let hidden = kept.hidden.0.iter().any(|put_away| put_away == name);
            Some(Place { name, title: title(who, name)?, hidden })
        })
        .collect()
}

/// Arrange Home: the order of tiles and which are hidden. Saved for the user across browsers.
#[utoipa::path(put, path = "/api/dashboard/main/arrangement", tag = "home", request_body = HomeArrangement,
    responses((status = 204)))]
pub(crate) async fn arrange_home(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<HomeArrangement>,
) -> ApiResult<StatusCode> {
    let known = usual(&who);
    for (field, names) in [("tiles", &body.tiles), ("hidden", &body.hidden)] {
        let mut seen: Vec<&str> = Vec::new();
        for name in names {
            if !known.contains(&name.as_str()) {
                return Err(ApiError::field(field, format!("There is no tile «{}».", name.escape_debug())));
            }
            if seen.contains(&name.as_str()) {
                return Err(ApiError::field(field, format!("The tile «{name}» is there twice.")));
            }
            seen.push(name);
        }
    }
    let body = &body;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            let mut kept = queries::kept_in(tx, &who.uid).await?.unwrap_or_default();
            (kept.tiles, kept.hidden) = (Kept(body.tiles.clone()), Kept(body.hidden.clone()));
            Ok(queries::keep(tx, &who.uid, &kept).await?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
