//! Reading the month, one of its versions, and the month as a file.

use axum::extract::State;
use axum::response::Response;
use larder_db::Reader;
use larder_domain::cmsr::{Figure, Foot};
use larder_domain::{BusinessDay, Money};
use serde::Deserialize;
use utoipa::IntoParams;

use super::model::{Cmsr, CmsrContent, CmsrQuery, CmsrVersionQuery, month_text};
use super::{month, queries};
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// A store's month: one row per day, totals, what blocks it, and earlier certified versions.
#[utoipa::path(get, path = "/api/sales/cmsr", tag = "cmsr", params(CmsrQuery),
    responses((status = 200, body = Cmsr)))]
pub(crate) async fn get_cmsr(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CmsrQuery>,
) -> ApiResult<Json<Cmsr>> {
    let (store, month) = month::asked(&state.db, &who, (&query.store_id, &query.month)).await?;
    Ok(Json(month::shown(&state.db, &store, month, BusinessDay::of(who.at)).await?))
}

/// A month as certified in one of its versions.
#[utoipa::path(get, path = "/api/sales/cmsr/version", tag = "cmsr", params(CmsrVersionQuery),
    responses((status = 200, body = CmsrContent)))]
pub(crate) async fn get_cmsr_version(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CmsrVersionQuery>,
) -> ApiResult<Json<CmsrContent>> {
    let (store, month) = month::asked(&state.db, &who, (&query.store_id, &query.month)).await?;
    let content = queries::content(&mut Reader::Db(&state.db), &store.id, month, query.version).await?;
    Ok(Json(content.ok_or_else(|| ApiError::not_found("version"))?))
}

/// Query parameters: month and file format.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CmsrFile {
    store_id: String,
    /// `YYYY-MM`.
    month: String,
    /// File format: `csv` or `xlsx`.
    format: Option<String>,
}

/// The month as a file, in its lessor's layout, with totals below.
#[utoipa::path(get, path = "/api/sales/cmsr/export", tag = "cmsr", params(CmsrFile),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_cmsr(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CmsrFile>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let (store, month) = month::asked(&state.db, &who, (&query.store_id, &query.month)).await?;
    let shown = month::shown(&state.db, &store, month, BusinessDay::of(who.at)).await?;
    let figures: Vec<Figure> = shown.layout.columns.iter().map(|column| column.figure).collect();
    let mut columns = vec![Column::new("Date", 14)];
    columns.extend(shown.layout.columns.iter().map(|column| Column::new(column.title.clone(), 14)));
    let row = |date: BusinessDay, amount: &dyn Fn(Figure) -> Money| {
        let mut cells = vec![Cell::Day(date)];
        cells.extend(figures.iter().map(|figure| Cell::Money(amount(*figure))));
        cells
    };
    let mut rows: Vec<Vec<Cell>> =
        shown.content.days.iter().map(|day| row(day.date, &|figure| day.figures.get(figure))).collect();
    let mut total = vec![Cell::Text("Total".to_owned())];
    total.extend(figures.iter().map(|figure| Cell::Money(shown.content.total.get(*figure))));
    rows.push(total);
    rows.push(Vec::new());
    rows.extend(
        foot_lines(&shown.content.foot)
            .into_iter()
            .map(|(name, amount)| vec![Cell::Text(name), Cell::Money(amount)]),
    );
    if !shown.content.absences.is_empty() {
        rows.push(Vec::new());
        rows.extend(shown.content.absences.iter().map(|one| vec![Cell::Text(one.words())]));
    }
    let name = format!("cmsr-{}-{}", store.code.as_deref().unwrap_or(&store.name), month_text(month));
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

/// The totals, line by line.
fn foot_lines(foot: &Foot) -> Vec<(String, Money)> {
    let line = |name: &str, amount: Money| (name.to_owned(), amount);
    let mut lines = vec![
        line("Gross sales", foot.gross),
        line("Less discounts", foot.discounts),
        line("Less VAT-exempt sales", foot.exempt),
        line("Less zero-rated sales", foot.zero_rated),
        line("Less local tax", foot.local_tax),
        line("Less service charge", foot.service_charge),
        line("Net sales less exempt", foot.net_sales),
        line("Net sales without VAT", foot.ex_vat),
    ];
    lines.extend(foot.add_backs.iter().map(|one| (format!("Add {}", one.name), one.amount)));
    lines.extend([
        line("Net sales subject to percentage rent", foot.subject),
        line("Percentage rent", foot.percentage_rent),
        line("Fixed rent", foot.fixed_rent),
        line("Rent due", foot.rent),
    ]);
    lines
}
