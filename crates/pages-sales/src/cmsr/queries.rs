//! SQL queries; the only writer of `cmsr_*`.

use std::collections::BTreeMap;

use larder_db::{Db, DbError, Json, Query, Reader, Tx};
use larder_domain::cmsr::{Changed, Figure};
use larder_domain::{BusinessDay, Money, Qty, Span, Timestamp};

use super::model::{CmsrContent, CmsrLayout};
use larder_ledgers::till_days::ReadingRef;
use larder_platform::audit::Editor;

/// Store fields for the report.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Store {
    pub id: String,
    pub name: String,
    pub code: Option<String>,
    pub lessor: Option<String>,
    pub rent_percent: Option<Qty>,
    pub inactive: bool,
}

const STORE: &str = "select id, name, code, lessor, rent_percent, inactive from locations";

pub(super) async fn store(on: &mut Reader<'_, '_>, id: &str) -> Result<Option<Store>, DbError> {
    on.sql(STORE).push(" where id = $1").bind(id).optional().await
}

pub(super) async fn stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<Store>, DbError> {
    let query = match wished {
        Some(ids) => db.sql(STORE).push(" where id in ").push_ids(ids),
        None => db.sql(STORE).push(" where not inactive"),
    };
    query.push(" order by name_key, id").all().await
}

/// A day's closing or correction.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Said {
    pub business_date: BusinessDay,
    pub closed: bool,
    pub corrections: Json<BTreeMap<Figure, Money>>,
    pub reason: String,
    /// The source that counts if sales were reported twice.
    pub counted_source: Option<String>,
    pub revision: i64,
    pub updated_by: Json<Editor>,
}

const SAID: &str = "select business_date, closed, corrections, reason, counted_source, revision, updated_by \
     from cmsr_days";

pub(super) async fn said(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    span: Span,
) -> Result<Vec<Said>, DbError> {
    let query = on.sql(SAID).push(" where business_date between $1 and $2 and store_id in ");
    query.bind(span.from).bind(span.to).push_ids(stores).all().await
}

pub(super) async fn said_in(tx: &mut Tx<'_>, store: &str, day: BusinessDay) -> Result<Option<Said>, DbError> {
    let query = tx.sql(SAID).push(" where store_id = $1 and business_date = $2");
    query.bind(store).bind(day).optional().await
}

/// Saves a day's closing or correction; `false` if the revision no longer matches.
pub(super) async fn say(
    tx: &mut Tx<'_>,
    (store, day): (&str, BusinessDay),
    said: &super::model::CmsrDayDraft,
    seen: Option<i64>,
) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let query = match seen {
        None => tx.sql(
            "insert into cmsr_days (closed, corrections, reason, counted_source, updated_at, updated_by, store_id,
               business_date, revision)
             values ($1, $2, $3, $4, $5, $6, $7, $8, 1) on conflict (store_id, business_date) do nothing",
        ),
        Some(_) => tx.sql(
            "update cmsr_days set closed = $1, corrections = $2, reason = $3, counted_source = $4, updated_at = $5,
               updated_by = $6, revision = revision + 1
             where store_id = $7 and business_date = $8 and revision = $9",
        ),
    };
    let query = query.bind(said.closed).bind(Json(&said.corrections)).bind(said.reason.trim());
    let query = query.bind(said.source()).bind(at).bind(Json(&by)).bind(store).bind(day);
    let query = match seen {
        None => query,
        Some(revision) => query.bind(revision),
    };
    Ok(query.execute().await? == 1)
}

/// A stored version.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Version {
    pub store_id: String,
    pub month: BusinessDay,
    pub version: i64,
    pub state: String,
    pub certified_name: String,
    pub certified_position: String,
    pub certified_at: Timestamp,
    pub certified_by: Json<Editor>,
    pub submitted_at: Option<Timestamp>,
    pub submitted_by: Option<Json<Editor>>,
    pub amended_at: Option<Timestamp>,
    pub amended_by: Option<Json<Editor>>,
    pub amend_reason: Option<String>,
    pub net_sales: Money,
    pub rent: Money,
    pub made_of: Json<Vec<ReadingRef>>,
    pub changes: Json<Vec<Changed>>,
}

const VERSION: &str = "select store_id, month, version, state, certified_name, certified_position, certified_at, \
     certified_by, submitted_at, submitted_by, amended_at, amended_by, amend_reason, net_sales, rent, made_of, \
     changes from cmsr_versions v";

/// The versions of a month, newest first.
pub(super) async fn versions(db: &Db, store: &str, month: BusinessDay) -> Result<Vec<Version>, DbError> {
    let query = db.sql(VERSION).push(" where store_id = $1 and month = $2 order by version desc");
    query.bind(store).bind(month).all().await
}

/// The latest version of a month, inside the transaction that changes it.
pub(super) async fn latest_in(
    tx: &mut Tx<'_>,
    store: &str,
    month: BusinessDay,
) -> Result<Option<Version>, DbError> {
    let query = tx.sql(VERSION).push(" where store_id = $1 and month = $2 order by version desc limit 1");
    query.bind(store).bind(month).optional().await
}

/// The latest version of each month of the given stores.
pub(super) async fn latest(db: &Db, stores: &[String], span: Span) -> Result<Vec<Version>, DbError> {
    db.sql(VERSION)
        .push(
            " where month between $1 and $2 and version = (select max(o.version) from cmsr_versions o
                where o.store_id = v.store_id and o.month = v.month) and store_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .all()
        .await
}

/// The certified content of a version.
pub(super) async fn content(
    on: &mut Reader<'_, '_>,
    store: &str,
    month: BusinessDay,
    version: i64,
) -> Result<Option<CmsrContent>, DbError> {
    let query =
        on.sql("select content from cmsr_versions where store_id = $1 and month = $2 and version = $3");
    let found: Option<(Json<CmsrContent>,)> = query.bind(store).bind(month).bind(version).optional().await?;
    Ok(found.map(|(content,)| content.0))
}

/// A version to insert.
pub(super) struct New<'a> {
    pub store: &'a str,
    pub month: BusinessDay,
    pub version: i64,
    pub name: &'a str,
    pub position: &'a str,
    pub digest: &'a str,
    pub made_of: &'a [ReadingRef],
    pub content: &'a CmsrContent,
    pub changes: &'a [Changed],
}

/// Inserts a version; `false` if its number exists.
pub(super) async fn certify(tx: &mut Tx<'_>, new: New<'_>) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let written = tx
        .sql(
            "insert into cmsr_versions (store_id, month, version, state, certified_name, certified_position,
               certified_at, certified_by, digest, net_sales, rent, made_of, content, changes, revision)
             values ($1, $2, $3, 'certified', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1)
             on conflict (store_id, month, version) do nothing",
        )
        .bind(new.store)
        .bind(new.month)
        .bind(new.version)
        .bind(new.name)
        .bind(new.position)
        .bind(at)
        .bind(Json(&by))
        .bind(new.digest)
        .bind(new.content.foot.net_sales)
        .bind(new.content.foot.rent)
        .bind(Json(new.made_of))
        .bind(Json(new.content))
        .bind(Json(new.changes))
        .execute()
        .await?;
    Ok(written == 1)
}

fn of_version<'q>(query: Query<'q>, one: &'q Version) -> Query<'q> {
    query.bind(&one.store_id).bind(one.month).bind(one.version)
}

/// Marks a version as submitted; `false` if it was not in state certified.
pub(super) async fn submit(tx: &mut Tx<'_>, one: &Version) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let query = tx.sql(
        "update cmsr_versions set state = 'submitted', submitted_at = $4, submitted_by = $5, revision = revision + 1
         where store_id = $1 and month = $2 and version = $3 and state = 'certified'",
    );
    Ok(of_version(query, one).bind(at).bind(Json(&by)).execute().await? == 1)
}

/// Marks a version as amended; `false` if it already was.
pub(super) async fn amend(tx: &mut Tx<'_>, one: &Version, reason: &str) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let query = tx.sql(
        "update cmsr_versions set state = 'amended', amended_at = $4, amended_by = $5, amend_reason = $6,
           revision = revision + 1
         where store_id = $1 and month = $2 and version = $3 and state in ('certified', 'submitted')",
    );
    Ok(of_version(query, one).bind(at).bind(Json(&by)).bind(reason).execute().await? == 1)
}

/// A lessor's layout and its revision.
pub(super) async fn layout(db: &Db, key: &str) -> Result<Option<(Json<CmsrLayout>, i64)>, DbError> {
    db.sql("select layout, revision from cmsr_layouts where lessor_key = $1").bind(key).optional().await
}

/// As [`layout`], inside a transaction, with its author.
pub(super) async fn layout_in(
    tx: &mut Tx<'_>,
    key: &str,
) -> Result<Option<(Json<CmsrLayout>, i64, Json<Editor>)>, DbError> {
    let query = tx.sql("select layout, revision, updated_by from cmsr_layouts where lessor_key = $1");
    query.bind(key).optional().await
}

/// Saves a lessor's layout; `revision` 0 for the first. `false` if the revision no longer matches.
pub(super) async fn set_layout(
    tx: &mut Tx<'_>,
    (key, lessor): (&str, &str),
    layout: &CmsrLayout,
) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let seen = layout.revision;
    let query = match seen {
        0 => tx.sql(
            "insert into cmsr_layouts (layout, updated_at, updated_by, lessor_key, lessor, revision)
             values ($1, $2, $3, $4, $5, 1) on conflict (lessor_key) do nothing",
        ),
        _ => tx.sql(
            "update cmsr_layouts set layout = $1, updated_at = $2, updated_by = $3, lessor = $5,
               revision = revision + 1
             where lessor_key = $4 and revision = $6",
        ),
    };
    let query = query.bind(Json(layout)).bind(at).bind(Json(&by)).bind(key).bind(lessor);
    let query = if seen == 0 { query } else { query.bind(seen) };
    Ok(query.execute().await? == 1)
}
