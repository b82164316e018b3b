//! `/reports/product-sales-by-store`: each store's sales of each POS item.

use std::collections::HashMap;

use larder_domain::sales::names::QuickMap;
use larder_domain::{BusinessDay, Money, Qty, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::queries::QTY_AND_NET;
use larder_engines::reports::figures::add;
use larder_engines::reports::gaps::StoreGap;
use larder_engines::reports::queries;
use larder_engines::reports::queries::ItemNames;
use larder_engines::reports::queries::without_sales;
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::sales::{numbers, sums};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Content of a file's cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    #[default]
    Qty,
    /// Net sales.
    Net,
}

/// Query parameters of a file.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Shape {
    /// Cells: `qty` or `net`.
    #[param(inline)]
    pub measure: Measure,
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
    /// Largest net sales first.
    pub items: Vec<ProductItem>,
    /// Total.
    pub total_qty: Qty,
    /// Total.
    pub total_net: Money,
    /// Stores with open days without sales, up to yesterday.
    pub stores_without_sales: Vec<StoreGap>,
}

/// A column with its total.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductStore {
    /// Store id.
    pub id: String,
    pub name: String,
    /// Total of the column.
    pub qty: Qty,
    /// Total of the column.
    pub net: Money,
}

/// A row.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductItem {
    /// POS item id.
    pub id: String,
    pub name: String,
    /// Its category.
    pub kind: Option<String>,
    /// By store, in the order of the columns.
    pub quantities: Vec<Qty>,
    /// By store, in the order of the columns.
    pub nets: Vec<Money>,
    /// Total of the row.
    pub qty: Qty,
    /// Total of the row.
    pub net: Money,
}

/// Report definition.
pub struct ProductSalesByStore;

impl Report for ProductSalesByStore {
    const NAME: &'static str = "product-sales-by-store";
    const SUMMARY: &'static str = "POS items by store over a range of days.";
    type Params = NoParams;
    type ExportParams = Shape;
    type Answer = ProductSales;

    async fn answer(state: &AppState, question: &Question, _: &NoParams) -> ApiResult<ProductSales> {
        answer(state, question).await
    }

    fn sheet(report: &ProductSales, _: &NoParams, shape: &Shape) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, ProductItem>;
        let mut columns = vec![
            Col::text("POS item", 32, |item| item.name.clone()),
            Col::text("Category", 16, |item| item.kind.clone()),
        ];
        for (at, store) in report.stores.iter().enumerate() {
            columns.push(match shape.measure {
                Measure::Qty => Col::qty(&store.name, 12, move |item| item.quantities[at]),
                Measure::Net => Col::money(&store.name, 12, move |item| item.nets[at]),
            });
        }
        columns.push(match shape.measure {
            Measure::Qty => Col::qty("Total", 12, |item| item.qty),
            Measure::Net => Col::money("Total", 12, |item| item.net),
        });
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
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
    let sums = sums::by_store(&state.db, sums::POS, &runs, &ids, QTY_AND_NET).await?;

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
        stores_without_sales: without_sales(&state.db, question).await?,
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
                add(qty, Qty(sold))?;
            }
            for net in [&mut item.nets[at], &mut item.net, &mut store.net, &mut report.total_net] {
                add(net, Money(for_how_much))?;
            }
        }
    }
    report
        .items
        .sort_by(|a, b| b.net.cmp(&a.net).then_with(|| b.qty.cmp(&a.qty)).then_with(|| a.name.cmp(&b.name)));
    Ok(report)
}

fn blank(id: &str, names: &ItemNames, stores: usize) -> ProductItem {
    ProductItem {
        id: id.to_owned(),
        name: names.name(id),
        kind: names.kind(id),
        quantities: vec![Qty::ZERO; stores],
        nets: vec![Money::ZERO; stores],
        qty: Qty::ZERO,
        net: Money::ZERO,
    }
}
