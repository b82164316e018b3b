//! Queries of saved reports, their sharing, schedules and sends.

use std::collections::HashMap;

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};

use super::definition::CustomDefinition;
use larder_platform::audit::Editor;

/// A saved report.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Kept {
    pub id: String,
    pub name: String,
    pub about: String,
    pub definition: Json<CustomDefinition>,
    pub owner_id: String,
    pub owner_name: String,
    pub everybody: bool,
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
    pub deleted_at: Option<Timestamp>,
}

/// A report's schedule.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct KeptSchedule {
    pub report_id: String,
    pub enabled: bool,
    /// `week` or `month`.
    pub every: String,
    pub minutes: i64,
    pub weekdays: i64,
    pub month_day: i64,
    pub note: String,
    pub last_due: Option<Timestamp>,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

/// An email sent, or the attempt.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct KeptSend {
    pub id: String,
    pub due_at: Option<Timestamp>,
    pub user_id: String,
    pub name: String,
    pub email: String,
    pub state: String,
    pub words: String,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
}

/// A user a report may be sent to.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = CustomPerson)]
pub struct Person {
    pub id: String,
    pub name: String,
    /// Empty for callers who may not see accounts.
    pub email: String,
    /// Name of their role.
    pub role: String,
}

const SELECT: &str = "select r.id, r.name, r.about, r.definition, r.owner_id, coalesce(u.name, '') as owner_name, \
     r.everybody, r.revision, r.created_at, r.updated_at, r.updated_by, r.deleted_at \
     from custom_reports r left join app_users u on u.id = r.owner_id";

/// Reports a user sees: their own, those shared with everyone or their role, and those sent to them.
const SEEN: &str = " (r.owner_id = $1 or r.everybody or exists (select 1 from custom_report_roles s \
     where s.report_id = r.id and s.role_id = $2) or exists (select 1 from custom_report_recipients t \
     where t.report_id = r.id and t.user_id = $1))";

/// The user viewing reports.
#[derive(Debug, Clone, Copy)]
pub struct Looks<'a> {
    pub user_id: &'a str,
    pub role_id: &'a str,
    /// Whether they see every report.
    pub all: bool,
}

/// The reports a user sees, by name.
pub(super) async fn list(db: &Db, looks: Looks<'_>, most: i64) -> Result<Vec<Kept>, DbError> {
    let query = db.sql(SELECT).push(" where r.deleted_at is null and ($3 or").push(SEEN).push(")");
    let query = query.bind(looks.user_id).bind(looks.role_id).bind(looks.all);
    query.push(" order by r.name_key, r.id limit ").push_bind(most).all().await
}

/// A report the user sees, including deleted ones.
pub(super) async fn find(db: &Db, looks: Looks<'_>, id: &str) -> Result<Option<Kept>, DbError> {
    let query = db.sql(SELECT).push(" where r.id = $4 and ($3 or").push(SEEN).push(")");
    query.bind(looks.user_id).bind(looks.role_id).bind(looks.all).bind(id).optional().await
}

/// A report, inside the transaction that changes it.
pub(super) async fn find_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<Kept>, DbError> {
    tx.sql(SELECT).push(" where r.id = $1").bind(id).optional().await
}

/// A report, without checking access.
pub(super) async fn find_any(db: &Db, id: &str) -> Result<Option<Kept>, DbError> {
    db.sql(SELECT).push(" where r.id = $1").bind(id).optional().await
}

/// The saved fields of a report.
#[derive(Debug, Clone)]
pub struct Written {
    pub name: String,
    pub name_key: String,
    pub about: String,
    pub definition: CustomDefinition,
    pub everybody: bool,
}

/// Whether the owner has another report of this name.
pub(super) async fn named(tx: &mut Tx<'_>, owner: &str, name_key: &str, id: &str) -> Result<bool, DbError> {
    let found: Option<(String,)> = tx
        .sql("select id from custom_reports where owner_id = $1 and name_key = $2 and id <> $3 and deleted_at is null")
        .bind(owner)
        .bind(name_key)
        .bind(id)
        .optional()
        .await?;
    Ok(found.is_some())
}

/// Adds a report.
pub(super) async fn insert(tx: &mut Tx<'_>, id: &str, owner: &str, written: &Written) -> Result<(), DbError> {
    let (by, at) = (Editor::from(tx.actor()), tx.actor().at);
    tx.sql(
        "insert into custom_reports (id, name, name_key, about, definition, owner_id, everybody, revision, created_at,
           created_by, updated_at, updated_by, deleted_at)
         values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $8, $9, null)",
    )
    .bind(id)
    .bind(&written.name)
    .bind(&written.name_key)
    .bind(&written.about)
    .bind(Json(&written.definition))
    .bind(owner)
    .bind(written.everybody)
    .bind(at)
    .bind(Json(&by))
    .execute()
    .await?;
    Ok(())
}

/// Updates a report if its revision still matches.
pub(super) async fn update(
    tx: &mut Tx<'_>,
    id: &str,
    revision: i64,
    written: &Written,
) -> Result<bool, DbError> {
    let (by, at) = (Editor::from(tx.actor()), tx.actor().at);
    let rows = tx
        .sql(
            "update custom_reports set name = $1, name_key = $2, about = $3, definition = $4, everybody = $5,
               revision = revision + 1, updated_at = $6, updated_by = $7
             where id = $8 and revision = $9 and deleted_at is null",
        )
        .bind(&written.name)
        .bind(&written.name_key)
        .bind(&written.about)
        .bind(Json(&written.definition))
        .bind(written.everybody)
        .bind(at)
        .bind(Json(&by))
        .bind(id)
        .bind(revision)
        .execute()
        .await?;
    Ok(rows == 1)
}

/// Deletes or restores a report.
pub(super) async fn set_deleted(
    tx: &mut Tx<'_>,
    id: &str,
    revision: i64,
    at: Option<Timestamp>,
) -> Result<bool, DbError> {
    let (by, now) = (Editor::from(tx.actor()), tx.actor().at);
    let rows = tx
        .sql(
            "update custom_reports set deleted_at = $1, revision = revision + 1, updated_at = $2, updated_by = $3
             where id = $4 and revision = $5",
        )
        .bind(at)
        .bind(now)
        .bind(Json(&by))
        .bind(id)
        .bind(revision)
        .execute()
        .await?;
    Ok(rows == 1)
}

/// The roles reports are shared with: report, role, role name.
pub(super) async fn roles_of(db: &Db, reports: &[String]) -> Result<Vec<(String, String, String)>, DbError> {
    db.sql(
        "select s.report_id, s.role_id, r.name from custom_report_roles s join app_roles r on r.id = s.role_id
         where s.report_id in ",
    )
    .push_ids(reports)
    .push(" order by r.name, s.role_id")
    .all()
    .await
}

/// Sets the roles that see a report.
pub(super) async fn set_roles(tx: &mut Tx<'_>, id: &str, roles: &[String]) -> Result<(), DbError> {
    tx.sql("delete from custom_report_roles where report_id = $1").bind(id).execute().await?;
    let rows: Vec<(&str, &str)> = roles.iter().map(|role| (id, role.as_str())).collect();
    tx.insert_rows("custom_report_roles", &["report_id", "role_id"], &rows, "on conflict do nothing").await?;
    Ok(())
}

/// Those of the given roles that exist.
pub(super) async fn known_roles(tx: &mut Tx<'_>, roles: &[String]) -> Result<Vec<String>, DbError> {
    let found: Vec<(String,)> = tx.sql("select id from app_roles where id in ").push_ids(roles).all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// All roles, by name.
pub(super) async fn roles(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from app_roles order by lower(name), id limit 500").all().await
}

const PERSON: &str = "select u.id, u.name, u.email, coalesce(r.name, case when u.super_admin then 'Super admin' else '' end) \
     as role from app_users u left join app_roles r on r.id = u.role_id ";

/// All users a report may be sent to, by name.
pub(super) async fn people(db: &Db) -> Result<Vec<Person>, DbError> {
    db.sql(PERSON)
        .push("where u.status = 'Active' and u.uid is not null order by u.name_key, u.id limit 2000")
        .all()
        .await
}

/// The recipients of a report.
pub(super) async fn recipients(db: &Db, id: &str) -> Result<Vec<Person>, DbError> {
    db.sql(PERSON)
        .push("join custom_report_recipients t on t.user_id = u.id where t.report_id = ")
        .push_bind(id.to_owned())
        .push(" order by u.name_key, u.id")
        .all()
        .await
}

/// The recipients of several reports, by name.
pub(super) async fn recipients_of(
    db: &Db,
    reports: &[String],
) -> Result<HashMap<String, Vec<Person>>, DbError> {
    let found: Vec<(String, String, String, String, String)> = db
        .sql(
            "select t.report_id, u.id, u.name, u.email, coalesce(r.name, '') from custom_report_recipients t
             join app_users u on u.id = t.user_id left join app_roles r on r.id = u.role_id where t.report_id in ",
        )
        .push_ids(reports)
        .push(" order by u.name_key, u.id")
        .all()
        .await?;
    let mut all: HashMap<String, Vec<Person>> = HashMap::new();
    for (report, id, name, email, role) in found {
        all.entry(report).or_default().push(Person { id, name, email, role });
    }
    Ok(all)
}

/// Those of the given users that exist.
pub(super) async fn known_people(tx: &mut Tx<'_>, people: &[String]) -> Result<Vec<String>, DbError> {
    let found: Vec<(String,)> =
        tx.sql("select id from app_users where id in ").push_ids(people).all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

const SCHEDULE: &str = "select report_id, enabled, every, minutes, weekdays, month_day, note, last_due, revision, \
     updated_at, updated_by from custom_report_schedules";

/// The schedules of some reports.
pub(super) async fn schedules_of(db: &Db, reports: &[String]) -> Result<Vec<KeptSchedule>, DbError> {
    db.sql(SCHEDULE).push(" where report_id in ").push_ids(reports).all().await
}

/// The active schedules of reports that are not deleted.
pub(super) async fn schedules_on(db: &Db) -> Result<Vec<KeptSchedule>, DbError> {
    db.sql(SCHEDULE)
        .push(
            " where enabled = $1 and exists (select 1 from custom_reports r where r.id = report_id
               and r.deleted_at is null)",
        )
        .bind(true)
        .all()
        .await
}

/// The schedule of a report, inside the transaction that changes it.
pub(super) async fn schedule_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<KeptSchedule>, DbError> {
    tx.sql(SCHEDULE).push(" where report_id = $1").bind(id).optional().await
}

/// Saves a schedule; `false` if its revision no longer matches.
pub(super) async fn put_schedule(
    tx: &mut Tx<'_>,
    wished: &KeptSchedule,
    people: &[String],
) -> Result<bool, DbError> {
    let (by, at) = (Editor::from(tx.actor()), tx.actor().at);
    let rows = tx
        .sql(
            "insert into custom_report_schedules (report_id, enabled, every, minutes, weekdays, month_day, note, last_due,
               revision, updated_at, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, null, 1, $8, $9)
             on conflict (report_id) do update set enabled = excluded.enabled, every = excluded.every,
               minutes = excluded.minutes, weekdays = excluded.weekdays, month_day = excluded.month_day,
               note = excluded.note, revision = custom_report_schedules.revision + 1, updated_at = excluded.updated_at,
               updated_by = excluded.updated_by where custom_report_schedules.revision = $10",
        )
        .bind(&wished.report_id)
        .bind(wished.enabled)
        .bind(&wished.every)
        .bind(wished.minutes)
        .bind(wished.weekdays)
        .bind(wished.month_day)
        .bind(&wished.note)
        .bind(at)
        .bind(Json(&by))
        .bind(wished.revision)
        .execute()
        .await?;
    if rows != 1 {
        return Ok(false);
    }
    let id = wished.report_id.as_str();
    tx.sql("delete from custom_report_recipients where report_id = $1").bind(id).execute().await?;
    let rows: Vec<(&str, &str)> = people.iter().map(|user| (id, user.as_str())).collect();
    tx.insert_rows("custom_report_recipients", &["report_id", "user_id"], &rows, "on conflict do nothing")
        .await?;
    Ok(true)
}

/// Claims a due send: one of several workers gets it.
pub(super) async fn claim(tx: &mut Tx<'_>, id: &str, due: Timestamp) -> Result<bool, DbError> {
    let rows = tx
        .sql(
            "update custom_report_schedules set last_due = $1 where report_id = $2 and enabled = $3
               and (last_due is null or last_due < $1)",
        )
        .bind(due)
        .bind(id)
        .bind(true)
        .execute()
        .await?;
    Ok(rows == 1)
}

/// Records that an email is to be created for a recipient.
pub(super) async fn insert_send(
    tx: &mut Tx<'_>,
    (id, report): (&str, &str),
    due: Option<Timestamp>,
    to: &Person,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into custom_report_sends (id, report_id, due_at, user_id, name, email, state, mail_job, words, created_at,
           settled_at)
         values ($1, $2, $3, $4, $5, $6, 'waiting', null, '', $7, null) on conflict (report_id, due_at, user_id) do nothing",
    )
    .bind(id)
    .bind(report)
    .bind(due)
    .bind(&to.id)
    .bind(&to.name)
    .bind(&to.email)
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

/// Records the result of a send; `false` if it already has one.
pub(super) async fn settle(
    tx: &mut Tx<'_>,
    id: &str,
    state: &str,
    words: &str,
    mail_job: Option<&str>,
) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let rows = tx
        .sql(
            "update custom_report_sends set state = $1, words = $2, mail_job = $3, settled_at = $4
             where id = $5 and state = 'waiting'",
        )
        .bind(state)
        .bind(words)
        .bind(mail_job)
        .bind(at)
        .bind(id)
        .execute()
        .await?;
    Ok(rows == 1)
}

const SENDS: &str = "select s.id, s.due_at, s.user_id, s.name, s.email, s.created_at,
       case when s.state <> 'mailed' then s.state when j.state in ('queued', 'running') then 'mailed'
         when j.state in ('failed', 'cancelled') then 'failed' else 'sent' end as state,
       case when s.state = 'mailed' and coalesce(j.error, '') <> '' then j.error
         when j.state in ('queued', 'running') and j.message <> '' then j.message else s.words end as words,
       coalesce(j.finished_at, s.settled_at) as settled_at
     from custom_report_sends s left join jobs j on j.id = s.mail_job";

/// The sends of a report, newest first.
pub(super) async fn sends(
    db: &Db,
    id: &str,
    (limit, offset): (i64, i64),
) -> Result<(Vec<KeptSend>, i64), DbError> {
    let items = db
        .sql(SENDS)
        .push(" where s.report_id = ")
        .push_bind(id.to_owned())
        .push(" order by s.created_at desc, s.id desc limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await?;
    let total: i64 = db
        .sql("select cast(count(*) as bigint) from custom_report_sends where report_id = $1")
        .bind(id)
        .scalar()
        .await?;
    Ok((items, total))
}

/// A send by id.
pub(super) async fn send(db: &Db, id: &str) -> Result<Option<KeptSend>, DbError> {
    db.sql(SENDS).push(" where s.id = ").push_bind(id.to_owned()).optional().await
}

/// The current job with this key.
pub(super) async fn open_job(tx: &mut Tx<'_>, key: &str) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> =
        tx.sql("select id from jobs where unique_key = $1").bind(key).optional().await?;
    Ok(found.map(|(id,)| id))
}
