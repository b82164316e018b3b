//! `/reports/product-sales-by-store`: what each store sold of each POS item.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use larder_domain::sales::UNMAPPED;
use larder_domain::sales::names::QuickMap;
use larder_domain::{BusinessDay, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::queries;
use super::question::{Asked, Question};
use super::weekly_root_item_sales::too_large;
use crate::AppState;
use crate::books::sales::{numbers, sums};
use crate::http::Who;
use crate::http::error::ApiResult;
use crate::http::export::{self, Cell, Column, Format};
use crate::http::json::{Json, Query};

/// What the cells of a file hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// How many.
    #[default]
    Qty,
    /// For how much.
    Net,
}

/// Beside range and stores, for files.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Shape {
    /// Cells: `qty` or `net`.
    #[param(inline)]
    pub measure: Measure,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// POS items by store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductSales {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// The columns.
    pub stores: Vec<ProductStore>,
    /// The rows, the largest net sales first.
    pub items: Vec<ProductItem>,
    /// Sum of everything.
    pub total_qty: Qty,
    /// Sum of everything.
    pub total_net: Money,
}

/// A column with its foot.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductStore {
    /// The store.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Sum of its column.
    pub qty: Qty,
    /// Sum of its column.
    pub net: Money,
}

/// A row.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductItem {
    /// The POS item.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its category.
    pub kind: Option<String>,
    /// By store, in the order of the columns.
    pub quantities: Vec<Qty>,
    /// By store, in the order of the columns.
    pub nets: Vec<Money>,
    /// Sum of the row.
    pub qty: Qty,
    /// Sum of the row.
    pub net: Money,
}

/// POS items by store over a range of days.
#[utoipa::path(get, path = "/api/reports/product-sales-by-store", tag = "reports", params(Asked),
    responses((status = 200, body = ProductSales)))]
pub(crate) async fn product_sales_by_store(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
) -> ApiResult<Json<ProductSales>> {
    let question = asked.check(&state, &who).await?;
    Ok(Json(answer(&state, &question).await?))
}

/// The same as a file.
#[utoipa::path(get, path = "/api/reports/product-sales-by-store/export", tag = "reports", params(Asked, Shape),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_product_sales_by_store(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
    Query(shape): Query<Shape>,
) -> ApiResult<Response> {
    let format = Format::read(shape.format.as_deref())?;
    let question = asked.check(&state, &who).await?;
    let report = answer(&state, &question).await?;
    let cell =
        |qty: Qty, net: Money| if shape.measure == Measure::Qty { Cell::Qty(qty) } else { Cell::Money(net) };
    let mut columns = vec![Column::new("POS item", 32), Column::new("Category", 16)];
    columns.extend(report.stores.iter().map(|store| Column::new(&store.name, 12)));
    columns.push(Column::new("Total", 12));
    let mut rows: Vec<Vec<Cell>> = Vec::with_capacity(report.items.len() + 1);
    for item in &report.items {
        let mut cells =
            vec![Cell::Text(item.name.clone()), item.kind.clone().map_or(Cell::Empty, Cell::Text)];
        cells.extend(item.quantities.iter().zip(&item.nets).map(|(qty, net)| cell(*qty, *net)));
        cells.push(cell(item.qty, item.net));
        rows.push(cells);
    }
    let mut foot = vec![Cell::Text("Total".into()), Cell::Empty];
    foot.extend(report.stores.iter().map(|store| cell(store.qty, store.net)));
    foot.push(cell(report.total_qty, report.total_net));
    rows.push(foot);
    let name = format!("product-sales-by-store-{}-{}", report.from, report.to);
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

async fn answer(state: &AppState, question: &Question) -> ApiResult<ProductSales> {
    let (stores, names, numbers) = tokio::try_join!(
        queries::stores(&state.db, question.stores.as_deref()),
        queries::pos_names(&state.db),
        numbers::all(&state.db)
    )?;
    let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
    let place: HashMap<&str, usize> = ids.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
    let runs = question.span.runs();
    let sums = sums::by_store(&state.db, sums::POS, &runs, &ids, queries::QTY_AND_NET).await?;

    let mut report = ProductSales {
        from: question.span.from,
        to: question.span.to,
        stores: stores
            .iter()
            .map(|(id, name)| ProductStore {
                id: id.clone(),
                name: name.clone(),
                qty: Qty::ZERO,
                net: Money::ZERO,
            })
            .collect(),
        items: Vec::new(),
        total_qty: Qty::ZERO,
        total_net: Money::ZERO,
    };
    let mut rows: QuickMap<u32, usize> = QuickMap::default();
    for (store_id, items) in sums {
        let Some(&at) = place.get(store_id.as_str()) else { continue };
        let store = &mut report.stores[at];
        for (number, [sold, for_how_much]) in items.items() {
            let row = match rows.get(&number) {
                Some(&row) => row,
                None => {
                    let Some(id) = numbers.get(&number) else { continue };
                    report.items.push(blank(id, &names, ids.len()));
                    rows.insert(number, report.items.len() - 1);
                    report.items.len() - 1
                }
            };
            let item = &mut report.items[row];
            for qty in [&mut item.quantities[at], &mut item.qty, &mut store.qty, &mut report.total_qty] {
                *qty = qty.checked_add(Qty(sold)).ok_or_else(too_large)?;
            }
            for net in [&mut item.nets[at], &mut item.net, &mut store.net, &mut report.total_net] {
                *net = net.checked_add(Money(for_how_much)).ok_or_else(too_large)?;
            }
        }
    }
    report
        .items
        .sort_by(|a, b| b.net.cmp(&a.net).then_with(|| b.qty.cmp(&a.qty)).then_with(|| a.name.cmp(&b.name)));
    Ok(report)
}

fn blank(id: &str, names: &HashMap<String, queries::ItemName>, stores: usize) -> ProductItem {
    let known = names.get(id);
    ProductItem {
        id: id.to_owned(),
        name: known.map_or_else(
            || format!("{} (not mapped)", id.strip_prefix(UNMAPPED).unwrap_or(id)),
            |item| item.name.clone(),
        ),
        kind: known.and_then(|item| item.kind.clone()),
        quantities: vec![Qty::ZERO; stores],
        nets: vec![Money::ZERO; stores],
        qty: Qty::ZERO,
        net: Money::ZERO,
    }
}
