//! Pages of documents with the number per state, and exports.

use std::collections::BTreeMap;

use axum::response::Response;
use larder_db::{Db, Query};
use larder_domain::{BusinessDay, Word};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::IntoParams;

use super::define::{Document, Line};
use super::store::{HEAD, HeadRow};
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Format};
use larder_platform::http::question::{date, like};
use larder_platform::http::{ApiError, ApiResult, FieldError, Who};

/// Default and maximum page size.
const PAGE_SIZE: i64 = 50;
const MAX_PAGE_SIZE: i64 = 200;
/// Documents whose lines are exported at once.
const AT_ONCE: i64 = 200;

/// Query parameters.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Asked {
    store_id: Option<String>,
    source_id: Option<String>,
    /// Origin document: for deliveries their order, for receipts their delivery, for supplier returns their receipt.
    origin_id: Option<String>,
    /// States, comma-separated.
    status: Option<String>,
    /// Only documents with differences to settle; receipts have them.
    undecided: Option<bool>,
    /// Earliest date.
    #[param(value_type = Option<String>, format = Date)]
    from: Option<String>,
    /// Latest date.
    #[param(value_type = Option<String>, format = Date)]
    to: Option<String>,
    /// Part of the number, or of the store's name.
    q: Option<String>,
    /// Page number, from 1.
    page: Option<i64>,
    /// Page size, at most 200; default 50.
    page_size: Option<i64>,
    /// `date`, `number`, `store` or `updatedAt`, with `-` for descending; default `-date`.
    sort: Option<String>,
    /// File format: `csv` or `xlsx`.
    format: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Page {
    items: Vec<Value>,
    total: i64,
    /// Number per state, ignoring the state filter.
    counts: BTreeMap<String, i64>,
}

/// Parsed query parameters.
struct Filter<'a> {
    asked: &'a Asked,
    stores: Option<Vec<String>>,
    states: Vec<&'static str>,
    from: Option<BusinessDay>,
    to: Option<BusinessDay>,
    like: Option<String>,
}

impl<'a> Filter<'a> {
    fn read<D: Document>(asked: &'a Asked, who: &Who) -> ApiResult<Self> {
        let mut wrong = Vec::new();
        let mut day = |field, text: &Option<String>| {
            date(field, text.as_deref()).unwrap_or_else(|error| {
                wrong.push(error);
                None
            })
        };
        let (from, to) = (day("from", &asked.from), day("to", &asked.to));
        let mut states = Vec::new();
        for name in asked.status.as_deref().unwrap_or_default().split(',').filter(|name| !name.is_empty()) {
            match D::FLOW.state(name) {
                Some(state) => states.push(state.as_str()),
                None if wrong.iter().any(|error| error.field == "status") => {}
                None => {
                    let known: Vec<&str> = D::FLOW.states.iter().map(|said| said.state.as_str()).collect();
                    let message = format!("There is no status «{name}»; there are {}.", known.join(", "));
                    wrong.push(FieldError::new("status", message));
                }
            }
        }
        if asked.undecided == Some(true) && D::UNDECIDED.is_none() {
            wrong.push(FieldError::new("undecided", "Only receipts have differences to settle."));
        }
        if !wrong.is_empty() {
            return Err(ApiError::invalid(wrong));
        }
        let wished = asked.store_id.as_ref().filter(|id| !id.is_empty()).map(|id| vec![id.clone()]);
        let stores = who.stores(wished.as_deref())?;
        Ok(Self { asked, stores, states, from, to, like: like(asked.q.as_deref())? })
    }

    /// Adds the conditions; the state filter only `with_states`.
    fn push<'q, D: Document>(&self, query: Query<'q>, with_states: bool) -> Query<'q> {
        let mut query = query.push(" where d.kind = ").push_bind(D::KIND);
        if let Some(stores) = self.stores.as_ref().filter(|_| D::DECLARED.of_stores) {
            query = query.push(" and (d.store_id in ").push_ids(stores);
            if D::BOTH_ENDS {
                query = query.push(" or d.source_id in ").push_ids(stores);
            }
            query = query.push(")");
        }
        if let Some(source) = self.asked.source_id.as_deref().filter(|id| !id.is_empty()) {
            query = query.push(" and d.source_id = ").push_bind(source.to_owned());
        }
        if let Some(origin) = self.asked.origin_id.as_deref().filter(|id| !id.is_empty()) {
            query = query
                .push(" and d.id in (select document_id from document_links where origin_id = ")
                .push_bind(origin.to_owned())
                .push(")");
        }
        if let Some(undecided) = D::UNDECIDED.filter(|_| self.asked.undecided == Some(true)) {
            query = query.push(undecided);
        }
        if let Some(from) = self.from {
            query = query.push(" and d.on_date >= ").push_bind(from);
        }
        if let Some(to) = self.to {
            query = query.push(" and d.on_date <= ").push_bind(to);
        }
        if let Some(like) = &self.like {
            query = query.push(" and d.search_key like ").push_bind(like.clone()).push(" escape '\\'");
        }
        if with_states && !self.states.is_empty() {
            query =
                query.push(" and d.state in ").push_in(self.states.iter().map(|state| (*state).to_owned()));
        }
        query
    }
}

/// A page of documents of a type.
///
/// # Errors
/// 422 for invalid parameters, 403 for a store the user may not see.
pub(super) async fn page<D: Document>(db: &Db, who: &Who, asked: &Asked) -> ApiResult<Page> {
    let filter = Filter::read::<D>(asked, who)?;
    let (number, size) = (asked.page.unwrap_or(1), asked.page_size.unwrap_or(PAGE_SIZE));
    if !(1..=1_000_000).contains(&number) {
        return Err(ApiError::field("page", "Pages are counted from 1."));
    }
    if !(1..=MAX_PAGE_SIZE).contains(&size) {
        return Err(ApiError::field("pageSize", format!("Ask for 1 to {MAX_PAGE_SIZE} a page.")));
    }
    let query = db.sql("select d.state, cast(count(*) as bigint) from documents d");
    let counts: Vec<(String, i64)> = filter.push::<D>(query, false).push(" group by d.state").all().await?;
    let counts: BTreeMap<String, i64> = counts.into_iter().collect();
    let asked_for = |state: &str| filter.states.is_empty() || filter.states.contains(&state);
    let total = counts.iter().filter(|(state, _)| asked_for(state)).map(|(_, count)| count).sum();
    let items = heads::<D>(db, &filter, order(asked)?, size, (number - 1) * size).await?;
    let mut told = Vec::with_capacity(items.len());
    for row in items {
        let (head, details) = row.parts()?;
        told.push(Value::Object(super::define::wire_head::<D>(&head, &details, who)));
    }
    Ok(Page { items: told, total, counts })
}

async fn heads<D: Document>(
    db: &Db,
    filter: &Filter<'_>,
    order: &'static str,
    limit: i64,
    offset: i64,
) -> ApiResult<Vec<HeadRow<D::Details>>> {
    let query = filter.push::<D>(db.sql(HEAD), true).push(order).push(" limit ").push_bind(limit);
    Ok(query.push(" offset ").push_bind(offset).all().await?)
}

fn order(asked: &Asked) -> ApiResult<&'static str> {
    Ok(match asked.sort.as_deref().unwrap_or("-date") {
        "-date" | "" => " order by d.on_date desc, d.id desc",
        "date" => " order by d.on_date, d.id",
        "-number" => " order by d.number desc",
        "number" => " order by d.number",
        "store" => {
            " order by (select l.name_key from locations l where l.id = d.store_id), d.on_date desc, d.id desc"
        }
        "-store" => {
            " order by (select l.name_key from locations l where l.id = d.store_id) desc, d.on_date desc, d.id desc"
        }
        "-updatedAt" => " order by d.updated_at desc, d.id desc",
        "updatedAt" => " order by d.updated_at, d.id",
        _ => return Err(ApiError::field("sort", "Sort by date, number, store or updatedAt.")),
    })
}

/// Exports documents as a file, one row per line.
///
/// # Errors
/// As [`page`], and 422 for more rows than a file can have.
pub(super) async fn file<D: Document>(db: &Db, who: &Who, asked: &Asked) -> ApiResult<Response> {
    let format = Format::read(asked.format.as_deref())?;
    let filter = Filter::read::<D>(asked, who)?;
    let order = order(asked)?;
    let query = db.sql("select cast(coalesce(sum(d.line_count), 0) as bigint) from documents d");
    export::check_rows(filter.push::<D>(query, true).scalar().await?)?;
    let stores: Vec<(String, String)> = db.sql("select id, name from locations").all().await?;
    let stores: BTreeMap<String, String> = stores.into_iter().collect();
    let mut rows = Vec::new();
    let mut offset = 0;
    loop {
        let found = heads::<D>(db, &filter, order, AT_ONCE, offset).await?;
        let count = found.len() as i64;
        rows.extend(lines_of::<D>(db, found, &stores).await?);
        offset += count;
        if count < AT_ONCE {
            break;
        }
    }
    let day = BusinessDay::of(who.at);
    let name = format!("{}-{day}", D::DECLARED.base.trim_start_matches("/api/").replace('/', "-"));
    export::respond(format, &name, D::file_columns(), futures::stream::iter(rows.into_iter().map(Ok))).await
}

/// Rows of a file: the lines of these documents, in order.
async fn lines_of<D: Document>(
    db: &Db,
    heads: Vec<HeadRow<D::Details>>,
    stores: &BTreeMap<String, String>,
) -> ApiResult<Vec<Vec<Cell>>> {
    let heads: Vec<(super::define::Head<D::State>, D::Details)> =
        heads.into_iter().map(HeadRow::parts).collect::<Result<_, _>>()?;
    let ids: Vec<&str> = heads.iter().map(|(head, _)| head.id.as_str()).collect();
    let mut query = db.sql("select ");
    for (at, column) in D::Line::COLUMNS.iter().enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column);
    }
    query = query.push(" from ").push(D::Line::TABLE).push(" where document_id in ").push_ids(&ids);
    let mut lines: Vec<D::Line> = query.push(" order by document_id, position").all().await?;
    let mut of_document: BTreeMap<String, Vec<D::Line>> = BTreeMap::new();
    for line in lines.drain(..) {
        of_document.entry(line.document_id().to_owned()).or_default().push(line);
    }
    let text = |text: Option<&str>| text.map_or(Cell::Empty, |text| Cell::Text(text.to_owned()));
    let mut rows = Vec::new();
    for (head, details) in &heads {
        let label = Some(D::FLOW.label(head.state));
        let store = head.store_id.as_ref().and_then(|id| stores.get(id)).map(String::as_str);
        for line in of_document.remove(&head.id).unwrap_or_default() {
            let mut row = vec![
                Cell::Text(head.number.clone()),
                Cell::Day(head.on_date),
                text(label),
                text(store),
                text(line.sku()),
                Cell::Text(line.name().to_owned()),
                Cell::Text(line.uom_code().to_owned()),
            ];
            row.extend(line.cells());
            row.extend(D::head_cells(head, details));
            row.extend(D::signed_cells(head));
            rows.push(row);
        }
    }
    Ok(rows)
}
