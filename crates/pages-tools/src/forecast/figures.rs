//! The figures of a run, as pages and as a file.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use super::kinds;
use super::model::{Figure, Figures};
use larder_ledgers::forecasts::series;
use larder_ledgers::forecasts::series::{FigureRow, Wanted};
use larder_ledgers::store_items::root_units;
use larder_platform::AppState;
use larder_platform::calculations;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::text::fold;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Number of rows an export reads at once.
const ROWS_AT_ONCE: i64 = 5_000;

/// Query parameters of figures.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct FiguresQuery {
    store_id: Option<String>,
    root_item_id: Option<String>,
    /// Words in the name of the store or item.
    q: Option<String>,
    /// `store`, `item`, `method`, `perDay`, `sum`, `historyDays`, `wape`, `bias`, `mase` or `coverage`;
    /// prefix `-` for descending.
    sort: Option<String>,
    /// Page size, 1 to 500; default 50.
    limit: Option<i64>,
    /// Number of rows to skip.
    offset: Option<i64>,
    /// File format: `csv` or `xlsx`.
    format: Option<String>,
}

impl FiguresQuery {
    fn wanted(&self, who: &Who) -> ApiResult<Wanted> {
        let store = self.store_id.clone().filter(|id| !id.is_empty()).map(|id| vec![id]);
        let words = self.q.as_deref().map(fold).filter(|words| !words.is_empty());
        let escaped = words.map(|words| words.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
        Ok(Wanted {
            stores: who.stores(store.as_deref())?,
            root_item_id: self.root_item_id.clone().filter(|id| !id.is_empty()),
            like: escaped.map(|words| format!("%{words}%")),
        })
    }

    fn order(&self) -> ApiResult<&'static str> {
        let order = series::order(self.sort.as_deref().unwrap_or_default());
        order.ok_or_else(|| ApiError::field("sort", "There is no column of this name."))
    }
}

/// A run's forecast by store and item.
#[utoipa::path(get, path = "/api/tools/services/{service}/runs/{id}/figures", tag = "forecasts",
    params(("service" = String, Path), ("id" = String, Path), FiguresQuery),
    responses((status = 200, body = Figures)))]
pub(crate) async fn list_forecast_figures(
    State(state): State<AppState>,
    who: Who,
    Path((service, id)): Path<(String, String)>,
    Query(query): Query<FiguresQuery>,
) -> ApiResult<Json<Figures>> {
    kinds::of(&service)?;
    calculations::find(&state, &who, &service, &id).await?;
    let (wanted, order) = (query.wanted(&who)?, query.order()?);
    let page = (query.limit.unwrap_or(50).clamp(1, 500), query.offset.unwrap_or(0).clamp(0, 10_000_000));
    let items = series::figures(&state.db, &id, &wanted, order, page).await?;
    let total = series::count(&state.db, &id, &wanted).await?;
    let units = root_units(&state.db).await?;
    Ok(Json(Figures { items: items.into_iter().map(|row| Figure::of(row, &units)).collect(), total }))
}

/// The figures as a file.
#[utoipa::path(get, path = "/api/tools/services/{service}/runs/{id}/figures/export", tag = "forecasts",
    params(("service" = String, Path), ("id" = String, Path), FiguresQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_forecast_figures(
    State(state): State<AppState>,
    who: Who,
    Path((service, id)): Path<(String, String)>,
    Query(query): Query<FiguresQuery>,
) -> ApiResult<Response> {
    kinds::of(&service)?;
    calculations::find(&state, &who, &service, &id).await?;
    let format = Format::read(query.format.as_deref())?;
    let (wanted, order) = (query.wanted(&who)?, query.order()?);
    export::check_rows(series::count(&state.db, &id, &wanted).await?)?;
    let units = root_units(&state.db).await?;
    let (sender, rows) = export::channel();
    let db = state.db.clone();
    tokio::spawn(async move {
        let mut at = 0;
        loop {
            let part = match series::figures(&db, &id, &wanted, order, (ROWS_AT_ONCE, at)).await {
                Ok(part) => part,
                Err(error) => {
                    sender.send(Err(error.into())).await.ok();
                    return;
                }
            };
            if part.is_empty() {
                return;
            }
            at += ROWS_AT_ONCE;
            for row in part {
                if sender.send(Ok(cells(row, &units))).await.is_err() {
                    return;
                }
            }
        }
    });
    export::respond(format, &service, columns(), rows).await
}

fn columns() -> Vec<Column> {
    let titles = [
        ("Store", 26),
        ("Item", 30),
        ("Unit", 8),
        ("Method", 16),
        ("Kind of demand", 14),
        ("Known days", 10),
        ("A day", 12),
        ("Sum", 12),
        ("WAPE", 8),
        ("Bias a day", 10),
        ("MASE", 8),
        ("Coverage", 9),
        ("Note", 40),
    ];
    titles.into_iter().map(|(title, width)| Column::new(title, width)).collect()
}

fn cells(row: FigureRow, units: &HashMap<String, String>) -> Vec<Cell> {
    let number = |figure: Option<f64>| figure.map_or(Cell::Empty, Cell::Number);
    let text = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
    let made = (!row.method.is_empty()).then_some(());
    vec![
        Cell::Text(row.store_name),
        Cell::Text(row.item_name),
        text(units.get(&row.root_item_id).cloned()),
        Cell::Text(row.method),
        text(row.klass),
        Cell::Int(row.history_days),
        number(made.map(|()| row.per_day)),
        number(made.map(|()| row.total)),
        number(row.wape),
        number(row.bias),
        number(row.mase),
        number(row.coverage),
        text(row.note),
    ]
}
