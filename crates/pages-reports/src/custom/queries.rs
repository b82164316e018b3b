//! Queries for tables: sums over the requested fields, names, and filter values. All SQL text comes from the
//! definitions in `datasets`; user input is bound.

use futures::Stream;
use larder_db::{Db, DbError, Query};
use larder_domain::{BusinessDay, Span};

use super::fields::{Adds, Field, Items, Measure, Sql, What};
use super::keys::OWN;
use super::names::{Item, Store};

/// All stores with their attributes.
pub(super) async fn stores(db: &Db) -> Result<Vec<Store>, DbError> {
    db.sql(
        "select l.id, l.name, coalesce(l.regional_area_id, '') as regional, coalesce(r.name, '') as regional_name,
                coalesce(l.operational_area_id, '') as operational, coalesce(o.name, '') as operational_name,
                coalesce(l.store_format_id, '') as format, coalesce(f.name, '') as format_name
         from locations l left join regional_areas r on r.id = l.regional_area_id
         left join operational_areas o on o.id = l.operational_area_id
         left join store_formats f on f.id = l.store_format_id",
    )
    .all()
    .await
}

/// The items of a dataset.
pub(super) async fn items(db: &Db, of: Items) -> Result<Vec<Item>, DbError> {
    const ROOT: &str = "select id, name, coalesce(item_type, '') as kind, '' as unit from root_items";
    const PRODUCT: &str = "select p.id, p.name, coalesce(c.name, '') as kind, coalesce(u.code, '') as unit
         from products p left join categories c on c.id = p.category_id left join uoms u on u.id = p.base_uom_id";
    let query = match of {
        Items::Root => db.sql(ROOT),
        Items::Product => db.sql(PRODUCT),
        Items::Stocked => db.sql(ROOT).push(" union all ").push(PRODUCT),
        Items::Pos => db.sql(
            "select id, description as name, coalesce(category, '') as kind, '' as unit from pos_items
             union all select id, name, 'Root item' as kind, '' as unit from root_items",
        ),
        Items::Counted => db.sql(
            "select i.id, i.name, coalesce(i.storage_area, '') as kind, coalesce(u.code, '') as unit
             from store_inventory_items i left join uoms u on u.id = i.uom_id",
        ),
    };
    query.all().await
}

/// The requested parts of a fact.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    pub days: bool,
    pub stores: bool,
    pub items: bool,
    pub unit: bool,
    /// Expressions of the text dimensions.
    pub own: &'a [&'static str],
    /// Expressions of the figures.
    pub figures: &'a [&'static str],
}

/// A fact as read. Column names are positions.
#[derive(Debug, larder_db::FromRow)]
pub struct Row {
    pub day: i64,
    pub store: String,
    pub item: String,
    pub unit: String,
    pub own0: String,
    pub own1: String,
    pub own2: String,
    pub own3: String,
    pub f0: i64,
    pub f1: i64,
    pub f2: i64,
    pub f3: i64,
    pub f4: i64,
    pub f5: i64,
    pub f6: i64,
    pub f7: i64,
    pub f8: i64,
    pub f9: i64,
    pub f10: i64,
    pub f11: i64,
}

const OWN_AS: [&str; OWN] = [" as own0, ", " as own1, ", " as own2, ", " as own3, "];
const FIGURE_AS: [&str; 12] = [
    " as f0, ",
    " as f1, ",
    " as f2, ",
    " as f3, ",
    " as f4, ",
    " as f5, ",
    " as f6, ",
    " as f7, ",
    " as f8, ",
    " as f9, ",
    " as f10, ",
    " as f11",
];

/// Facts of a range. `stores`: the stores to read; `besides`: whether to include rows outside stores.
pub(super) fn facts<'q>(
    db: &'q Db,
    sql: &Sql,
    wanted: Wanted<'_>,
    span: Span,
    stores: &[String],
    besides: bool,
) -> impl Stream<Item = Result<Row, DbError>> + Send + 'q {
    let mut query = db.sql("select ");
    query = if wanted.days { query.push(sql.day) } else { query.push("cast(0 as bigint)") };
    query = query.push(" as day, ");
    query = text(query, wanted.stores.then_some(sql.store)).push(" as store, ");
    query = text(query, sql.item.filter(|_| wanted.items)).push(" as item, ");
    query = text(query, sql.unit.filter(|_| wanted.unit)).push(" as unit, ");
    for (at, name) in OWN_AS.into_iter().enumerate() {
        query = text(query, wanted.own.get(at).copied()).push(name);
    }
    for (at, name) in FIGURE_AS.into_iter().enumerate() {
        query = match wanted.figures.get(at) {
            Some(figure) => query.push("cast(coalesce(").push(figure).push(", 0) as bigint)"),
            None => query.push("cast(0 as bigint)"),
        };
        query = query.push(name);
    }
    query = within(query, sql, span, stores, besides);
    let mut grouped: Vec<(&'static str, bool)> = Vec::new();
    if wanted.days {
        grouped.push((sql.day, false));
    }
    let texts = [
        wanted.stores.then_some(sql.store),
        sql.item.filter(|_| wanted.items),
        sql.unit.filter(|_| wanted.unit),
    ];
    grouped.extend(texts.into_iter().flatten().chain(wanted.own.iter().copied()).map(|text| (text, true)));
    for (at, (part, is_text)) in grouped.iter().enumerate() {
        query = query.push(if at == 0 { " group by " } else { ", " });
        query = if *is_text { text(query, Some(part)) } else { query.push(part) };
    }
    if grouped.is_empty() {
        query = query.push(" having count(*) > 0");
    }
    query.stream()
}

fn text<'q>(query: Query<'q>, part: Option<&'static str>) -> Query<'q> {
    match part {
        Some(part) => query.push("coalesce(").push(part).push(", '')"),
        None => query.push("''"),
    }
}

fn within<'q>(query: Query<'q>, sql: &Sql, span: Span, stores: &[String], besides: bool) -> Query<'q> {
    let query = query.push(sql.from).push(" where ").push(sql.day).push(" between ").push_bind(span.from);
    let query = query.push(" and ").push_bind(span.to).push(sql.only);
    let query = query.push(" and (").push(sql.store).push(" in ").push_ids(stores);
    match sql.besides.filter(|_| besides) {
        Some(more) => query.push(" or ").push(more).push(")"),
        None => query.push(")"),
    }
}

/// Number of rows a query reads, at most `most`.
pub(super) async fn weight(
    db: &Db,
    sql: &Sql,
    span: Span,
    stores: &[String],
    besides: bool,
    most: i64,
) -> Result<i64, DbError> {
    let query = db.sql("select cast(count(*) as bigint) from (select 1 as one");
    let query = within(query, sql, span, stores, besides).push(" limit ");
    query.push_bind(most).push(") w").scalar().await
}

/// Values of a text dimension in a range that contain a text, sorted.
pub(super) async fn own_values(
    db: &Db,
    sql: &Sql,
    part: &'static str,
    span: Span,
    (stores, besides): (&[String], bool),
    most: i64,
) -> Result<Vec<String>, DbError> {
    let query = text(db.sql("select distinct "), Some(part)).push(" as own");
    let query = within(query, sql, span, stores, besides).push(" order by 1 limit ").push_bind(most);
    let found: Vec<(String,)> = query.all().await?;
    Ok(found.into_iter().map(|(own,)| own).collect())
}

/// A run of the forecast used for planning.
#[derive(Debug, larder_db::FromRow)]
pub struct RunOf {
    pub run_id: String,
    pub first_day: BusinessDay,
}

/// The runs that cover a range, earliest first.
pub(super) async fn forecast_runs(db: &Db, span: Span) -> Result<Vec<RunOf>, DbError> {
    db.sql(
        "select run_id, first_day from forecast_runs
         where service = 'advanced-forecast' and finished = $1 and whole = $1 and first_day <= $2
           and first_day + horizon > $3 order by first_day, run_id",
    )
    .bind(true)
    .bind(span.to)
    .bind(span.from)
    .all()
    .await
}

/// A run's forecasts for the given stores: store, root item, encoded forecast.
pub(super) fn forecast_series<'q>(
    db: &'q Db,
    run_id: &str,
    stores: &[String],
) -> impl Stream<Item = Result<(String, String, Vec<u8>), DbError>> + Send + use<'q> {
    db.sql(
        "select store_id, root_item_id, packed from forecast_series where packed is not null and run_id = ",
    )
    .push_bind(run_id.to_owned())
    .push(" and store_id in ")
    .push_ids(stores)
    .stream()
}

/// A figure's expression in a query.
pub(super) fn expression(field: &Field) -> &'static str {
    match field.what {
        What::Measure(Measure {
            adds: Adds::Sum(sql) | Adds::Worth(sql) | Adds::First(sql) | Adds::Last(sql),
            ..
        }) => sql,
        _ => "0",
    }
}
