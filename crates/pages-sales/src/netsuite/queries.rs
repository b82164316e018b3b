//! SQL queries; the only writer of `netsuite_*`.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, Span, Timestamp};

use super::model::{NetsuiteFile, NetsuiteMapping};
use larder_platform::audit::Editor;

/// Store fields for a record.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Store {
    pub id: String,
    pub name: String,
    pub code: Option<String>,
    pub pos_code: Option<String>,
    pub netsuite_company_name: Option<String>,
    pub netsuite_location_name: Option<String>,
    pub netsuite_location_internal_id: Option<String>,
    pub netsuite_class_name: Option<String>,
    pub netsuite_class_internal_id: Option<String>,
    pub netsuite_customer_name: Option<String>,
    pub netsuite_customer_id: Option<String>,
    pub netsuite_customer_internal_id: Option<String>,
}

pub(super) async fn stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<Store>, DbError> {
    let query = db.sql(
        "select id, name, code, pos_code, netsuite_company_name, netsuite_location_name,
           netsuite_location_internal_id, netsuite_class_name, netsuite_class_internal_id, netsuite_customer_name,
           netsuite_customer_id, netsuite_customer_internal_id
         from locations",
    );
    let query = match wished {
        Some(ids) => query.push(" where id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// POS codes shared by several stores, each with name and id of one of them.
pub(super) async fn shared_codes(db: &Db) -> Result<Vec<(String, String, String)>, DbError> {
    db.sql(
        "select l.pos_code, l.id, l.name from locations l
         where l.pos_code is not null and l.pos_code <> '' and exists (select 1 from locations o
           where o.pos_code = l.pos_code and o.id <> l.id) order by l.pos_code, l.id",
    )
    .all()
    .await
}

/// A record of a store's day: exported in a layout, and perhaps withdrawn since.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub(super) struct Sent {
    pub layout: String,
    pub store_id: String,
    pub business_date: BusinessDay,
    pub external_id: String,
    pub state: String,
    pub message: String,
    pub digest: String,
    pub export_id: String,
    pub exported_at: Timestamp,
    /// `None` unless it was withdrawn.
    pub withdrawn_at: Option<Timestamp>,
    pub withdrawn_by: Option<Json<Editor>>,
    pub withdraw_reason: Option<String>,
}

const SENT: &str =
    "select layout, store_id, business_date, external_id, state, message, digest, export_id, exported_at,
   withdrawn_at, withdrawn_by, withdraw_reason from netsuite_records where business_date between $1 and $2
   and store_id in ";

/// Records of all layouts, oldest first.
pub(super) async fn sent(db: &Db, stores: &[String], span: Span) -> Result<Vec<Sent>, DbError> {
    let query = db.sql(SENT).bind(span.from).bind(span.to).push_ids(stores);
    query.push(" order by exported_at, layout").all().await
}

/// As [`sent`], inside a transaction.
pub(super) async fn sent_in(tx: &mut Tx<'_>, stores: &[String], span: Span) -> Result<Vec<Sent>, DbError> {
    let query = tx.sql(SENT).bind(span.from).bind(span.to).push_ids(stores);
    query.push(" order by exported_at, layout").all().await
}

/// External IDs of a range, without withdrawn records.
pub(super) async fn names(db: &Db, layout: &str, span: Span) -> Result<Vec<String>, DbError> {
    let query = db.sql(
        "select external_id from netsuite_records where layout = $1 and business_date between $2 and $3
           and withdrawn_at is null order by external_id",
    );
    let found: Vec<(String,)> = query.bind(layout).bind(span.from).bind(span.to).all().await?;
    Ok(found.into_iter().map(|(name,)| name).collect())
}

/// A layout's mapping and its revision.
pub(super) async fn mapping(db: &Db, layout: &str) -> Result<Option<(Json<NetsuiteMapping>, i64)>, DbError> {
    db.sql("select mapping, revision from netsuite_mappings where layout = $1").bind(layout).optional().await
}

/// As [`mapping`], inside a transaction, with its author.
pub(super) async fn mapping_in(
    tx: &mut Tx<'_>,
    layout: &str,
) -> Result<Option<(Json<NetsuiteMapping>, i64, Json<Editor>)>, DbError> {
    let query = tx.sql("select mapping, revision, updated_by from netsuite_mappings where layout = $1");
    query.bind(layout).optional().await
}

/// Saves a mapping; `revision` 0 for the first. `false` if the revision no longer matches.
pub(super) async fn set_mapping(
    tx: &mut Tx<'_>,
    layout: &str,
    mapping: &NetsuiteMapping,
) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let seen = mapping.revision;
    let query = match seen {
        0 => tx.sql(
            "insert into netsuite_mappings (mapping, updated_at, updated_by, layout, revision)
             values ($1, $2, $3, $4, 1) on conflict (layout) do nothing",
        ),
        _ => tx.sql(
            "update netsuite_mappings set mapping = $1, updated_at = $2, updated_by = $3, revision = revision + 1
             where layout = $4 and revision = $5",
        ),
    };
    let query = query.bind(Json(mapping)).bind(at).bind(Json(&by)).bind(layout);
    let query = if seen == 0 { query } else { query.bind(seen) };
    Ok(query.execute().await? == 1)
}

/// A stored export.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Export {
    pub id: String,
    pub layout: String,
    pub first_day: BusinessDay,
    pub last_day: BusinessDay,
    pub stores: Json<Vec<String>>,
    pub records: i64,
    pub files: Json<Vec<NetsuiteFile>>,
    pub created_at: Timestamp,
    pub created_by: Json<Editor>,
}

const EXPORT: &str = "select id, layout, first_day, last_day, stores, records, files, created_at, created_by from netsuite_exports";

pub(super) async fn export(db: &Db, id: &str) -> Result<Option<Export>, DbError> {
    db.sql(EXPORT).push(" where id = $1").bind(id).optional().await
}

/// A page of exports, newest first, and their total number.
pub(super) async fn exports(db: &Db, (limit, offset): (i64, i64)) -> Result<(Vec<Export>, i64), DbError> {
    let total = db.sql("select cast(count(*) as bigint) from netsuite_exports").scalar().await?;
    let query = db.sql(EXPORT).push(" order by created_at desc, id desc limit $1 offset $2");
    Ok((query.bind(limit).bind(offset).all().await?, total))
}

/// The stores of each export, newest first.
pub(super) async fn export_stores(db: &Db) -> Result<Vec<(String, Json<Vec<String>>)>, DbError> {
    db.sql("select id, stores from netsuite_exports order by created_at desc, id desc").all().await
}

/// The given exports, newest first.
pub(super) async fn exports_of(db: &Db, ids: &[String]) -> Result<Vec<Export>, DbError> {
    db.sql(EXPORT).push(" where id in ").push_ids(ids).push(" order by created_at desc, id desc").all().await
}

pub(super) async fn insert_export(tx: &mut Tx<'_>, one: &Export) -> Result<(), DbError> {
    tx.sql(
        "insert into netsuite_exports (id, layout, first_day, last_day, stores, records, files, created_at, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&one.id)
    .bind(&one.layout)
    .bind(one.first_day)
    .bind(one.last_day)
    .bind(&one.stores)
    .bind(one.records)
    .bind(&one.files)
    .bind(one.created_at)
    .bind(&one.created_by)
    .execute()
    .await?;
    Ok(())
}

larder_db::table_row! {
    /// A record to insert.
    Record in "netsuite_records" {
        layout: String,
        store_id: String,
        business_date: BusinessDay,
        external_id: String,
        state: String,
        message: String,
        export_id: String,
        total: Money,
        digest: String,
        exported_at: Timestamp,
        /// Its [`live_key`].
        live_key: String,
    }
}

/// The key of a store's day, which only one record may have.
#[must_use]
pub(super) fn live_key(store: &str, day: BusinessDay) -> String {
    format!("{store}|{}", day.0)
}

/// Inserts exported records; one exported before, even if it was withdrawn, keeps its External ID.
///
/// # Errors
/// A violation at `live_key` if the day has a record in another layout.
pub(super) async fn send(tx: &mut Tx<'_>, records: &[Record]) -> Result<(), DbError> {
    tx.insert_rows(
        Record::TABLE,
        Record::COLUMNS,
        records,
        "on conflict (layout, store_id, business_date) do update set state = excluded.state,
           message = excluded.message, export_id = excluded.export_id, total = excluded.total,
           digest = excluded.digest, exported_at = excluded.exported_at, answered_at = null,
           live_key = excluded.live_key, withdrawn_at = null, withdrawn_by = null, withdraw_reason = null",
    )
    .await?;
    Ok(())
}

/// Withdraws records, so that their days have none that counts.
pub(super) async fn withdraw(tx: &mut Tx<'_>, names: &[String], reason: &str) -> Result<u64, DbError> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
    tx.sql(
        "update netsuite_records set live_key = null, withdrawn_at = $1, withdrawn_by = $2, withdraw_reason = $3
         where external_id in ",
    )
    .bind(at)
    .bind(Json(&by))
    .bind(reason)
    .push_ids(names)
    .execute()
    .await
}

/// Makes records count, whose days have no other one that does.
pub(super) async fn make_live(tx: &mut Tx<'_>, names: &[String]) -> Result<u64, DbError> {
    // As `live_key` writes it.
    tx.sql("update netsuite_records set live_key = store_id || '|' || cast(business_date as text) where external_id in ")
        .push_ids(names)
        .execute()
        .await
}

/// A store's name.
pub(super) async fn store_name(tx: &mut Tx<'_>, id: &str) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> =
        tx.sql("select name from locations where id = $1").bind(id).optional().await?;
    Ok(found.map(|(name,)| name))
}

/// External ID and store of the given records, and when they were withdrawn.
pub(super) async fn named(
    tx: &mut Tx<'_>,
    names: &[String],
) -> Result<Vec<(String, String, Option<Timestamp>)>, DbError> {
    let query =
        tx.sql("select external_id, store_id, withdrawn_at from netsuite_records where external_id in ");
    query.push_ids(names).all().await
}

/// Saves NetSuite's results: External ID, state and message.
pub(super) async fn answer(tx: &mut Tx<'_>, said: Vec<(String, String, String)>) -> Result<u64, DbError> {
    let at = tx.actor().at;
    tx.sql("update netsuite_records set state = said.state, message = said.message, answered_at = $1 from ")
        .bind(at)
        .push_rows(&["external_id", "state", "message"], said)
        .push(" said where said.external_id = netsuite_records.external_id")
        .execute()
        .await
}
