//! The whole page in one response.

use std::collections::HashMap;

use axum::extract::State;
use larder_domain::{Action, BusinessDay};

use super::model::{Home, HomeTile};
use super::sales::Lately;
use super::{arrange, day, queries, since};
use crate::tasks;
use crate::tasks::{TaskContext, TaskSummary};
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Json, Who};

/// Number of items a tile lists.
const NAMED: usize = 5;

/// Home: sales against last week, the stores of the day, and open tasks, as far as the caller may see them. A
/// tile that fails to load is flagged and does not affect the others.
#[utoipa::path(get, path = "/api/dashboard/main", tag = "home", responses((status = 200, body = Home)))]
pub(crate) async fn get_home(State(state): State<AppState>, who: Who) -> ApiResult<Json<Home>> {
    let kept = queries::kept(&state.db, &who.uid).await?.unwrap_or_default();
    let order = arrange::order(&who, &kept);
    let shown = |name: &str| order.iter().any(|tile| tile.name == name && !tile.hidden);
    let kinds = tasks::ALL.iter().copied().filter(|kind| shown(kind.name)).collect();
    let context = &TaskContext::of(&state, &who, NAMED).since(since::from(&kept, who.at));
    let (sales_and_stores, tasks) = tokio::join!(
        of_stores(&state, &who, shown(arrange::SALES), shown(arrange::STORES)),
        tasks::read(context, kinds),
    );
    let since = since::read(&state, &who, &kept, &tasks).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "changes since the last visit could not be read");
        None
    });
    let mut tasks: HashMap<&str, ApiResult<TaskSummary>> =
        tasks.into_iter().map(|(kind, found)| (kind.name, found)).collect();
    let SalesAndStores { mut sales, mut stores } = sales_and_stores;
    let tiles = order.into_iter().map(|place| {
        let mut tile =
            HomeTile { name: place.name, title: place.title, hidden: place.hidden, ..HomeTile::default() };
        if place.hidden {
            return tile;
        }
        match place.name {
            arrange::SALES => tile.sales = sales.take(),
            arrange::STORES => tile.stores = stores.take(),
            name => tile.waiting = tasks.remove(name).and_then(|found| or_log(name, found)),
        }
        tile.failed = tile.sales.is_none() && tile.stores.is_none() && tile.waiting.is_none();
        tile
    });
    let tiles = tiles.collect();
    let arranged = !kept.tiles.0.is_empty() || !kept.hidden.0.is_empty();
    Ok(Json(Home { at: who.at, today: BusinessDay::of(who.at), tiles, arranged, since }))
}

fn or_log<T>(tile: &str, found: ApiResult<T>) -> Option<T> {
    found.inspect_err(|error| tracing::warn!(tile, %error, "a Home tile could not be loaded")).ok()
}

/// Data for sales and the stores' day.
#[derive(Default)]
struct SalesAndStores {
    sales: Option<super::model::HomeSales>,
    stores: Option<super::model::StoresOfDay>,
}

async fn of_stores(state: &AppState, who: &Who, with_sum: bool, with_stores: bool) -> SalesAndStores {
    if !with_sum && !with_stores {
        return SalesAndStores::default();
    }
    let context = TaskContext::of(state, who, 0);
    let Some(lately) = or_log("sales", Lately::read(state, context.stores.as_deref(), context.today).await)
    else {
        return SalesAndStores::default();
    };
    let stores = match with_stores {
        true => {
            let counts = who.can("stores/storeCount", Action::View);
            or_log("stores", day::stores(state, who, &lately, arrange::may_see_sales(who), counts).await)
        }
        false => None,
    };
    SalesAndStores { sales: with_sum.then(|| lately.together()), stores }
}
