//! The series of runs.

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::BusinessDay;
use serde::{Deserialize, Serialize};

use super::make::Made;
use super::packed::Ahead;

larder_db::table_row! {
    /// A stored forecast of one store and root item.
    #[derive(Debug, Clone, larder_db::FromRow)]
    KeptSeries in "forecast_series" {
        run_id: String,
        store_id: String,
        root_item_id: String,
        /// Empty without a forecast.
        method: String,
        klass: Option<String>,
        history_days: i64,
        need_days: i64,
        short_history: bool,
        /// Mean of the days ahead.
        per_day: f64,
        total: f64,
        wape: Option<f64>,
        bias: Option<f64>,
        mase: Option<f64>,
        coverage: Option<f64>,
        scale: Option<f64>,
        note: Option<String>,
        /// `None` without a forecast.
        packed: Option<Vec<u8>>,
        replaced: Option<Json<Vec<Option<f64>>>>,
        details: Json<Details>,
    }
}

/// Further details of a series.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Details {
    /// The first day of the history used, in days since 1970-01-01.
    pub from: i32,
    pub rmsse: Option<f64>,
    pub origins: usize,
    /// Candidates of the advanced forecast: method and WAPE, its default first.
    pub candidates: Vec<(String, Option<f64>)>,
}

impl KeptSeries {
    /// From a forecast.
    #[must_use]
    pub fn of(run_id: &str, store_id: &str, root_item_id: &str, from: i32, made: Made) -> Self {
        let ahead = made.ahead.rounded();
        let total: f64 = ahead.forecast.iter().sum();
        let candidates = made.candidates.iter().map(|it| (it.method.to_string(), it.errors.wape)).collect();
        Self {
            run_id: run_id.to_owned(),
            store_id: store_id.to_owned(),
            root_item_id: root_item_id.to_owned(),
            method: made.method.map(|it| it.to_string()).unwrap_or_default(),
            klass: made.class.map(|it| format!("{it:?}").to_lowercase()),
            history_days: made.history_days as i64,
            need_days: made.need_days as i64,
            short_history: made.short_history,
            per_day: if ahead.forecast.is_empty() { 0.0 } else { total / ahead.forecast.len() as f64 },
            total,
            wape: made.errors.wape,
            bias: made.errors.bias,
            mase: made.errors.mase,
            coverage: made.coverage,
            scale: made.scale,
            note: made.note,
            packed: (!ahead.forecast.is_empty()).then(|| ahead.pack()),
            replaced: None,
            details: Json(Details {
                from,
                rmsse: made.errors.rmsse,
                origins: made.errors.origins,
                candidates,
            }),
        }
    }

    /// Forecast and bounds.
    ///
    /// # Errors
    /// If they cannot be decoded.
    pub fn ahead(&self) -> Result<Ahead, DbError> {
        self.packed.as_deref().map_or_else(|| Ok(Ahead::default()), Ahead::unpack)
    }
}

/// Inserts series of a run; existing ones stay.
pub async fn insert(tx: &mut Tx<'_>, series: &[KeptSeries]) -> Result<(), DbError> {
    let then = "on conflict (run_id, store_id, root_item_id) do nothing";
    tx.insert_rows(KeptSeries::TABLE, KeptSeries::COLUMNS, series, then).await?;
    Ok(())
}

const SERIES: &str = "select f.run_id, f.store_id, f.root_item_id, f.method, f.klass, f.history_days, f.need_days, \
     f.short_history, f.per_day, f.total, f.wape, f.bias, f.mase, f.coverage, f.scale, f.note, f.packed, f.replaced, \
     f.details from forecast_series f";

/// The series of an item at a store in a run; `None` if it has none.
pub async fn find(
    db: &Db,
    run_id: &str,
    store_id: &str,
    root_item_id: &str,
) -> Result<Option<KeptSeries>, DbError> {
    db.sql(SERIES)
        .push(" where f.run_id = $1 and f.store_id = $2 and f.root_item_id = $3")
        .bind(run_id)
        .bind(store_id)
        .bind(root_item_id)
        .optional()
        .await
}

/// The series of some stores of a run, by store and item, the input of plans.
///
/// # Errors
/// If the database fails.
pub async fn of_stores(db: &Db, run_id: &str, stores: &[String]) -> Result<Vec<KeptSeries>, DbError> {
    db.sql(SERIES)
        .push(" where f.run_id = ")
        .push_bind(run_id)
        .push(" and f.store_id in ")
        .push_ids(stores)
        .push(" order by f.store_id, f.root_item_id")
        .all()
        .await
}

/// Median error of a run's series; `None` if unknown.
///
/// # Errors
/// If the database fails.
pub async fn median_wape(db: &Db, run_id: &str) -> Result<Option<f64>, DbError> {
    let row: Option<(f64,)> = db
        .sql(
            "select wape from forecast_series where run_id = $1 and wape is not null order by wape limit 1
             offset (select count(*) / 2 from forecast_series where run_id = $1 and wape is not null)",
        )
        .bind(run_id)
        .optional()
        .await?;
    Ok(row.map(|row| row.0))
}

/// Filter of a run's series.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The stores to include; `None` is all.
    pub stores: Option<Vec<String>>,
    pub root_item_id: Option<String>,
    /// Words of the store or item, as [`larder_platform::http::text::fold`] and a `like` take them.
    pub like: Option<String>,
}

/// A row of a run's table.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct FigureRow {
    pub store_id: String,
    pub store_name: String,
    pub root_item_id: String,
    pub item_name: String,
    pub method: String,
    pub klass: Option<String>,
    pub history_days: i64,
    pub need_days: i64,
    pub short_history: bool,
    pub per_day: f64,
    pub total: f64,
    pub wape: Option<f64>,
    pub bias: Option<f64>,
    pub mase: Option<f64>,
    pub coverage: Option<f64>,
    pub note: Option<String>,
}

const FIGURES: &str = "select f.store_id, coalesce(l.name, '') as store_name, f.root_item_id, \
     coalesce(r.name, '') as item_name, f.method, f.klass, f.history_days, f.need_days, \
     f.short_history, f.per_day, f.total, f.wape, f.bias, f.mase, f.coverage, f.note";
const OF_FIGURES: &str = " from forecast_series f left join locations l on l.id = f.store_id \
     left join root_items r on r.id = f.root_item_id where f.run_id = ";

/// A page of a run's table. `order` comes from [`order`].
pub async fn figures(
    db: &Db,
    run_id: &str,
    wanted: &Wanted,
    order: &'static str,
    (limit, offset): (i64, i64),
) -> Result<Vec<FigureRow>, DbError> {
    let query = narrowed(db.sql(FIGURES), run_id, wanted).push(order);
    query.push(" limit ").push_bind(limit).push(" offset ").push_bind(offset).all().await
}

/// Number of rows of the table.
pub async fn count(db: &Db, run_id: &str, wanted: &Wanted) -> Result<i64, DbError> {
    narrowed(db.sql("select count(*)"), run_id, wanted).scalar().await
}

fn narrowed<'q>(query: Query<'q>, run_id: &str, wanted: &Wanted) -> Query<'q> {
    let mut query = query.push(OF_FIGURES).push_bind(run_id.to_owned());
    if let Some(stores) = &wanted.stores {
        query = query.push(" and f.store_id in ").push_ids(stores);
    }
    if let Some(item) = &wanted.root_item_id {
        query = query.push(" and f.root_item_id = ").push_bind(item.clone());
    }
    if let Some(like) = &wanted.like {
        query = query
            .push(" and (l.search_key like ")
            .push_bind(like.clone())
            .push(" escape '\\' or r.search_key like ")
            .push_bind(like.clone())
            .push(" escape '\\')");
    }
    query
}

/// The `order by` clause of a sort parameter, `-` before a name for descending; `None` for an unknown column.
#[must_use]
pub fn order(sort: &str) -> Option<&'static str> {
    Some(match sort {
        "" | "store" => " order by l.name_key, r.name_key, f.store_id, f.root_item_id",
        "-store" => " order by l.name_key desc, r.name_key, f.store_id, f.root_item_id",
        "item" => " order by r.name_key, l.name_key, f.root_item_id, f.store_id",
        "-item" => " order by r.name_key desc, l.name_key, f.root_item_id, f.store_id",
        "method" => " order by f.method, f.store_id, f.root_item_id",
        "-method" => " order by f.method desc, f.store_id, f.root_item_id",
        "perDay" => " order by f.per_day, f.store_id, f.root_item_id",
        "-perDay" => " order by f.per_day desc, f.store_id, f.root_item_id",
        "sum" => " order by f.total, f.store_id, f.root_item_id",
        "-sum" => " order by f.total desc, f.store_id, f.root_item_id",
        "historyDays" => " order by f.history_days, f.store_id, f.root_item_id",
        "-historyDays" => " order by f.history_days desc, f.store_id, f.root_item_id",
        // Unknown values come last either way.
        "wape" => " order by coalesce(f.wape, 1e30), f.store_id, f.root_item_id",
        "-wape" => " order by coalesce(f.wape, -1e30) desc, f.store_id, f.root_item_id",
        "mase" => " order by coalesce(f.mase, 1e30), f.store_id, f.root_item_id",
        "-mase" => " order by coalesce(f.mase, -1e30) desc, f.store_id, f.root_item_id",
        "bias" => " order by coalesce(f.bias, 1e30), f.store_id, f.root_item_id",
        "-bias" => " order by coalesce(f.bias, -1e30) desc, f.store_id, f.root_item_id",
        "coverage" => " order by coalesce(f.coverage, 1e30), f.store_id, f.root_item_id",
        "-coverage" => " order by coalesce(f.coverage, -1e30) desc, f.store_id, f.root_item_id",
        _ => return None,
    })
}

/// A series of an earlier run, for comparison with actual sales.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Said {
    pub run_id: String,
    pub first_day: BusinessDay,
    pub store_id: String,
    pub root_item_id: String,
    pub method: String,
    pub scale: Option<f64>,
    pub packed: Vec<u8>,
    pub replaced: Option<Json<Vec<Option<f64>>>>,
}

/// Series of some runs and stores, as a query to be streamed.
pub(super) fn said<'q>(db: &'q Db, runs: &[String], wanted: &Wanted) -> Query<'q> {
    let mut query = db
        .sql(
            "select f.run_id, t.first_day, f.store_id, f.root_item_id, f.method, f.scale, f.packed, f.replaced
             from forecast_series f join forecast_runs t on t.run_id = f.run_id where f.packed is not null and f.run_id in ",
        )
        .push_ids(runs);
    if let Some(stores) = &wanted.stores {
        query = query.push(" and f.store_id in ").push_ids(stores);
    }
    if let Some(item) = &wanted.root_item_id {
        query = query.push(" and f.root_item_id = ").push_bind(item.clone());
    }
    query.push(" order by f.store_id, f.root_item_id, f.run_id")
}
