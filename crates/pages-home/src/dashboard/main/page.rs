//! The whole page in one response.

use std::collections::HashMap;

use axum::extract::State;
use larder_domain::{Action, BusinessDay};

use super::model::{Home, HomeTile};
use super::sales::Lately;
use super::{arrange, day, queries, since};
use crate::waiting;
use crate::waiting::{Asked, Waiting};
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
    let kinds = waiting::ALL.iter().copied().filter(|kind| shown(kind.name)).collect();
    let (house, waiting) = tokio::join!(
        of_stores(&state, &who, shown(arrange::SALES), shown(arrange::STORES)),
        waiting::read(&state, &who, kinds, NAMED),
    );
    let mut waiting: HashMap<&str, ApiResult<Waiting>> =
        waiting.into_iter().map(|(kind, found)| (kind.name, found)).collect();
    let House { mut sales, mut stores } = house;
    let tiles = order.into_iter().map(|place| {
        let mut tile =
            HomeTile { name: place.name, title: place.title, hidden: place.hidden, ..HomeTile::default() };
        if place.hidden {
            return tile;
        }
        match place.name {
            arrange::SALES => tile.sales = sales.take(),
            arrange::STORES => tile.stores = stores.take(),
            name => tile.waiting = waiting.remove(name).and_then(|found| told(name, found)),
        }
        tile.failed = tile.sales.is_none() && tile.stores.is_none() && tile.waiting.is_none();
        tile
    });
    let tiles = tiles.collect();
    let since = since::read(&state, &who, &kept).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "changes since the last visit could not be read");
        None
    });
    let arranged = !kept.tiles.0.is_empty() || !kept.hidden.0.is_empty();
    Ok(Json(Home { at: who.at, today: BusinessDay::of(who.at), tiles, arranged, since }))
}

fn told<T>(tile: &str, found: ApiResult<T>) -> Option<T> {
    found.inspect_err(|error| tracing::warn!(tile, %error, "a Home tile could not be loaded")).ok()
}

/// Data for sales and the stores' day.
#[derive(Default)]
struct House {
    sales: Option<super::model::HomeSales>,
    stores: Option<super::model::StoresOfDay>,
}

async fn of_stores(state: &AppState, who: &Who, with_sum: bool, with_stores: bool) -> House {
    if !with_sum && !with_stores {
        return House::default();
    }
    let asked = Asked::of(state, who, 0);
    let Some(lately) = told("sales", Lately::read(state, asked.stores.as_deref(), asked.today).await) else {
        return House::default();
    };
    let stores = match with_stores {
        true => {
            let counts = who.can("stores/storeCount", Action::View);
            told("stores", day::stores(state, who, &lately, arrange::may_see_sales(who), counts).await)
        }
        false => None,
    };
    House { sales: with_sum.then(|| lately.together()), stores }
}
