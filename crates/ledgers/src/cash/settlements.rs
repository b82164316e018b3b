//! Acquirers' files line by line, and the stores of their terminals.

use std::collections::HashMap;

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_platform::audit::Editor;

larder_db::table_row! {
    Line in "cash_settlement_lines" {
        /// Equal for the same line in another file.
        line_key: String,
        settlement_id: String,
        /// Line number in its file, from 1.
        line: i64,
        /// The till or store as the file names it.
        terminal: String,
        terminal_key: String,
        store_id: Option<String>,
        business_date: BusinessDay,
        kind: String,
        label: String,
        gross: Money,
        fee: Money,
        net: Money,
        reference: String,
    }
}

/// A skipped row and the reason.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = SettlementProblem)]
pub struct Problem {
    pub line: i64,
    pub reason: String,
}

/// An imported file.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = Settlement)]
pub struct Settlement {
    pub id: String,
    pub file_name: String,
    /// Rows that were parsed.
    pub lines: i64,
    /// Of these, new ones.
    pub added: i64,
    /// Of these, known from other files.
    pub known: i64,
    /// Rows that were skipped.
    pub left_out: i64,
    /// The first 200 of them.
    #[schema(value_type = Vec<Problem>)]
    pub problems: Json<Vec<Problem>>,
    pub created_at: Timestamp,
    #[schema(value_type = Editor)]
    pub created_by: Json<Editor>,
}

/// A file to insert.
pub struct New<'a> {
    pub id: &'a str,
    pub file_name: &'a str,
    pub sha256: &'a str,
    pub mapping: &'a serde_json::Value,
    pub lines: &'a [Line],
    /// Number of skipped rows; `problems` holds the first of them.
    pub left_out: i64,
    pub problems: &'a [Problem],
}

/// Inserts a file's lines; those known from another file stay as they are. Returns the number of new ones.
///
/// # Errors
/// If the statement fails.
pub async fn insert(tx: &mut Tx<'_>, new: New<'_>) -> Result<i64, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let lines = i64::try_from(new.lines.len()).unwrap_or(i64::MAX);
    tx.sql(
        "insert into cash_settlements (id, file_name, sha256, mapping, lines, added, known, left_out, problems,
           created_at, created_by)
         values ($1, $2, $3, $4, $5, 0, 0, $6, $7, $8, $9)",
    )
    .bind(new.id)
    .bind(new.file_name)
    .bind(new.sha256)
    .bind(Json(new.mapping))
    .bind(lines)
    .bind(new.left_out)
    .bind(Json(new.problems))
    .bind(at)
    .bind(Json(&by))
    .execute()
    .await?;
    let added =
        tx.insert_rows(Line::TABLE, Line::COLUMNS, new.lines, "on conflict (line_key) do nothing").await?;
    let added = i64::try_from(added).unwrap_or(i64::MAX);
    let query = tx.sql("update cash_settlements set added = $1, known = lines - $1 where id = $2");
    query.bind(added).bind(new.id).execute().await?;
    Ok(added)
}

/// A page of files, newest first, and their total.
///
/// # Errors
/// If the database fails.
pub async fn files(db: &Db, (limit, offset): (i64, i64)) -> Result<(Vec<Settlement>, i64), DbError> {
    let total = db.sql("select cast(count(*) as bigint) from cash_settlements").scalar().await?;
    let query = db.sql(
        "select id, file_name, lines, added, known, left_out, problems, created_at, created_by from cash_settlements
         order by created_at desc, id desc limit $1 offset $2",
    );
    Ok((query.bind(limit).bind(offset).all().await?, total))
}

/// A line with its file.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = SettledLine)]
pub struct Settled {
    pub settlement_id: String,
    pub file_name: String,
    pub line: i64,
    pub terminal: String,
    pub kind: String,
    pub label: String,
    pub gross: Money,
    pub fee: Money,
    pub net: Money,
    pub reference: String,
}

/// The first lines of a store's day and payment kind, and their total.
///
/// # Errors
/// If the database fails.
pub async fn of_day(
    db: &Db,
    store_id: &str,
    day: BusinessDay,
    kind: &str,
    limit: i64,
) -> Result<(Vec<Settled>, i64), DbError> {
    let total = db
        .sql(
            "select cast(count(*) as bigint) from cash_settlement_lines
             where store_id = $1 and business_date = $2 and kind = $3",
        )
        .bind(store_id)
        .bind(day)
        .bind(kind)
        .scalar()
        .await?;
    let query = db.sql(
        "select l.settlement_id, s.file_name, l.line, l.terminal, l.kind, l.label, l.gross, l.fee, l.net, l.reference
         from cash_settlement_lines l join cash_settlements s on s.id = l.settlement_id
         where l.store_id = $1 and l.business_date = $2 and l.kind = $3 order by s.created_at, s.id, l.line
         limit $4",
    );
    Ok((query.bind(store_id).bind(day).bind(kind).bind(limit).all().await?, total))
}

/// An unassigned terminal, and the lines waiting for it.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = UnknownTerminal)]
pub struct Unknown {
    pub terminal: String,
    pub lines: i64,
    pub gross: Money,
    pub from: BusinessDay,
    pub to: BusinessDay,
}

/// The first 200 unassigned terminals, largest amounts first, and their total.
///
/// # Errors
/// If the database fails.
pub async fn unknown(db: &Db) -> Result<(Vec<Unknown>, i64), DbError> {
    let total = db
        .sql("select cast(count(distinct terminal_key) as bigint) from cash_settlement_lines where store_id is null")
        .scalar()
        .await?;
    let query = db.sql(
        "select min(terminal) as terminal, cast(count(*) as bigint) as lines, cast(sum(gross) as bigint) as gross,
           min(business_date) as \"from\", max(business_date) as \"to\"
         from cash_settlement_lines where store_id is null group by terminal_key
         order by 3 desc, 1 limit 200",
    );
    Ok((query.all().await?, total))
}

/// Assigns a terminal to a store, for existing and later lines. Returns the number of lines that waited for
/// it.
///
/// # Errors
/// If the statement fails.
pub async fn assign(tx: &mut Tx<'_>, terminal: (&str, &str), store_id: &str) -> Result<u64, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let (key, text) = terminal;
    tx.sql(
        "insert into cash_terminals (terminal_key, terminal, store_id, updated_at, updated_by)
         values ($1, $2, $3, $4, $5)
         on conflict (terminal_key) do update set store_id = excluded.store_id, updated_at = excluded.updated_at,
           updated_by = excluded.updated_by",
    )
    .bind(key)
    .bind(text)
    .bind(store_id)
    .bind(at)
    .bind(Json(&by))
    .execute()
    .await?;
    let waiting =
        "update cash_settlement_lines set store_id = $1 where terminal_key = $2 and store_id is null";
    tx.sql(waiting).bind(store_id).bind(key).execute().await
}

/// Stores by terminal, POS code, code or name, case-folded, as files may name them. Ambiguous names are left
/// out.
///
/// # Errors
/// If the database fails.
pub async fn known(tx: &mut Tx<'_>) -> Result<HashMap<String, String>, DbError> {
    let said: Vec<(String, String)> =
        tx.sql("select terminal_key, store_id from cash_terminals").all().await?;
    let others: Vec<(String, String)> = tx
        .sql(
            "select terminal_id, location_id from location_terminals
             union all select pos_code || ' ' || terminal_id, location_id from location_terminals
             union all select pos_code, id from locations where pos_code is not null
             union all select code, id from locations where code is not null
             union all select name, id from locations",
        )
        .all()
        .await?;
    let mut known: HashMap<String, Option<String>> = HashMap::new();
    for (name, store) in others {
        let key = key_of(&name);
        let one = known.entry(key).or_insert_with(|| Some(store.clone()));
        if one.as_ref().is_some_and(|other| *other != store) {
            *one = None;
        }
    }
    known.extend(said.into_iter().map(|(key, store)| (key, Some(store))));
    Ok(known.into_iter().filter_map(|(key, store)| store.map(|store| (key, store))).collect())
}

/// A terminal in comparison form: letters and digits, without leading zeros.
#[must_use]
pub fn key_of(terminal: &str) -> String {
    let plain = larder_platform::http::text::mark(terminal);
    let short = plain.trim_start_matches('0');
    if short.is_empty() { plain } else { short.to_owned() }
}
