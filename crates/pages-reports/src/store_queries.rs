//! Queries of store reports: master data, sales, waste, orders and rent.

use larder_db::{Db, DbError, Query};
use larder_domain::{BusinessDay, Money, Qty, Span};
use larder_engines::reports::queries::{LINES_ORDERED, SHARES_RECEIVED};
use larder_ledgers::sales_count;

/// A store's areas and size.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Place {
    pub id: String,
    pub name: String,
    pub area_id: Option<String>,
    /// Its operational area.
    pub area: Option<String>,
    pub region_id: Option<String>,
    pub region: Option<String>,
    pub format_id: Option<String>,
    pub format: Option<String>,
    pub opening_date: Option<BusinessDay>,
    /// The first day with sales.
    pub first_sold: Option<BusinessDay>,
    /// Square metres.
    pub store_area_m2: Option<Qty>,
    /// Seats.
    pub dining_capacity_pax: Option<i64>,
    /// Percent of net sales, excluding VAT.
    pub rent_percent: Option<Qty>,
    /// Pesos per m² and month, like the following ones.
    pub rent_cost_per_sqm: Option<Qty>,
    pub cusa_cost_per_sqm: Option<Qty>,
    pub aircon_cost_per_sqm: Option<Qty>,
    pub other_charges_cost_per_sqm: Option<Qty>,
}

/// Stores by name: the given ones, or all.
pub async fn places(db: &Db, wished: Option<&[String]>) -> Result<Vec<Place>, DbError> {
    some_places(db, "true", wished).await
}

/// Those that have ever had sales.
pub(crate) async fn trading_places(db: &Db, wished: Option<&[String]>) -> Result<Vec<Place>, DbError> {
    some_places(db, "exists (select 1 from sales_days d where d.store_id = l.id)", wished).await
}

async fn some_places(db: &Db, only: &'static str, wished: Option<&[String]>) -> Result<Vec<Place>, DbError> {
    let query = db
        .sql(
            "select l.id, l.name, a.id as area_id, a.name as area, r.id as region_id, r.name as region,
           f.id as format_id, f.name as format, l.opening_date,
           (select min(d.business_date) from sales_days d where d.store_id = l.id) as first_sold,
           l.store_area_m2, l.dining_capacity_pax, l.rent_percent, l.rent_cost_per_sqm, l.cusa_cost_per_sqm,
           l.aircon_cost_per_sqm, l.other_charges_cost_per_sqm
         from locations l left join operational_areas a on a.id = l.operational_area_id
         left join regional_areas r on r.id = l.regional_area_id
         left join store_formats f on f.id = l.store_format_id
         where ",
        )
        .push(only);
    let query = match wished {
        Some(ids) => query.push(" and l.id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by l.name_key, l.id").all().await
}

/// A store's sales on a day, or in a week dated by its Monday, over all sources that count.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Sold {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub net: Money,
}

const NETS: &str = "select store_id, business_date, cast(sum(net) as bigint) as net from sales_days";
/// Days since 1970-01-01, a Thursday, shifted to their Monday.
const WEEKLY: &str = "select store_id, business_date - (business_date + 3) % 7 as business_date,
     cast(sum(net) as bigint) as net from sales_days";

fn within<'a>(query: Query<'a>, stores: &[String], span: Span) -> Query<'a> {
    let query = query.push(" where business_date between ").push_bind(span.from).push(" and ");
    query.push_bind(span.to).push(" and store_id in ").push_ids(stores).push(sales_count!("sales_days"))
}

/// Net sales by store and day.
pub async fn nets(db: &Db, stores: &[String], span: Span) -> Result<Vec<Sold>, DbError> {
    let query = within(db.sql(NETS), stores, span);
    query.push(" group by store_id, business_date order by store_id, business_date").all().await
}

/// Net sales by store and week, dated by its Monday.
pub(crate) async fn weekly_nets(db: &Db, stores: &[String], span: Span) -> Result<Vec<Sold>, DbError> {
    let query = within(db.sql(WEEKLY), stores, span);
    query.push(" group by store_id, business_date - (business_date + 3) % 7").all().await
}

/// Total net sales of the stores by day.
pub(crate) async fn daily_nets(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<Vec<(BusinessDay, Money)>, DbError> {
    let query = db.sql("select business_date, cast(sum(net) as bigint) as net from sales_days");
    within(query, stores, span).push(" group by business_date order by business_date").all().await
}

/// A store's sales in a range, over all sources that count.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Traded {
    pub store_id: String,
    pub net: Money,
    /// Number of days with sales.
    pub days: i64,
}

/// Sales in a range, by store.
pub async fn traded(db: &Db, stores: &[String], span: Span) -> Result<Vec<Traded>, DbError> {
    let query = db.sql(
        "select store_id, cast(sum(net) as bigint) as net, cast(count(distinct business_date) as bigint) as days
         from sales_days",
    );
    within(query, stores, span).push(" group by store_id order by store_id").all().await
}

/// Value of waste in a range, by store.
pub async fn waste(db: &Db, stores: &[String], span: Span) -> Result<Vec<(String, Money)>, DbError> {
    db.sql(
        "select store_id, cast(sum(coalesce(amount, 0)) as bigint) as worth from documents
         where kind = 'waste' and state = 'posted' and on_date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" group by store_id")
    .all()
    .await
}

/// Number of waste lines without a price, by store.
pub(crate) async fn waste_without_price(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<Vec<(String, i64)>, DbError> {
    db.sql(
        "select d.store_id, cast(count(*) as bigint) as lines from documents d
         join waste_lines w on w.document_id = d.id and w.unit_price is null
         where d.kind = 'waste' and d.state = 'posted' and d.on_date between $1 and $2 and d.store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" group by d.store_id")
    .all()
    .await
}

/// What was received of the lines of completed orders, by delivery date and store: [`LINES_ORDERED`] and
/// [`SHARES_RECEIVED`].
pub async fn filled(db: &Db, stores: &[String], span: Span) -> Result<Vec<(String, i64, i64)>, DbError> {
    db.sql("select d.store_id, cast(")
        .push(LINES_ORDERED)
        .push(" as bigint) as lines, cast(")
        .push(SHARES_RECEIVED)
        .push(
            " as bigint) as parts from documents d join order_lines l on l.document_id = d.id
              where d.kind = 'storeOrder' and d.state in ('received', 'closed') and d.on_date between $1 and $2
                and d.store_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(" group by d.store_id")
        .all()
        .await
}

/// Certified monthly rent, by store and month.
pub async fn certified(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<Vec<(String, BusinessDay, Money)>, DbError> {
    db.sql(
        "select v.store_id, v.month, v.rent from cmsr_versions v
         where v.state in ('certified', 'submitted') and v.version = (select max(n.version) from cmsr_versions n
             where n.store_id = v.store_id and n.month = v.month)
           and v.month between $1 and $2 and v.store_id in ",
    )
    .bind(span.from.month())
    .bind(span.to)
    .push_ids(stores)
    .all()
    .await
}
