//! Documents in the database: reading, numbering, the conditional update of a step, lines. The only writer of
//! `documents`, `document_numbers`, `document_links` and of the tables of lines.

use std::collections::HashSet;

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::document::{DocumentKind, Stage};
use larder_domain::{BusinessDay, Money, Timestamp, Word};

use super::define::{Doc, Document, Head, Line, Taken};
use larder_ledgers::stock::lots;
use larder_platform::audit::Editor;
use larder_platform::http::text::fold;
use larder_platform::http::{ApiError, ApiResult};

/// A stored head.
#[derive(larder_db::FromRow)]
pub(super) struct HeadRow<T> {
    id: String,
    number: String,
    state: String,
    store_id: Option<String>,
    source_type: Option<String>,
    source_id: Option<String>,
    on_date: BusinessDay,
    notes: Option<String>,
    details: Json<T>,
    steps: Json<Vec<Taken>>,
    line_count: i64,
    amount: Option<Money>,
    revision: i64,
    created_at: Timestamp,
    created_by: Json<Editor>,
    updated_at: Timestamp,
    updated_by: Json<Editor>,
}

impl<T> HeadRow<T> {
    /// The common head and the type's fields.
    ///
    /// # Errors
    /// If its type does not have its state; the error names the state.
    pub fn parts<S: Word>(self) -> Result<(Head<S>, T), DbError> {
        let unknown = |why| sqlx::Error::ColumnDecode { index: "state".to_owned(), source: Box::new(why) };
        let head = Head {
            id: self.id,
            number: self.number,
            state: S::read(&self.state).map_err(unknown)?,
            store_id: self.store_id,
            source_type: self.source_type,
            source_id: self.source_id,
            on_date: self.on_date,
            notes: self.notes,
            steps: self.steps.0,
            line_count: self.line_count,
            amount: self.amount,
            revision: self.revision,
            created_at: self.created_at,
            created_by: self.created_by.0,
            updated_at: self.updated_at,
            updated_by: self.updated_by.0,
        };
        Ok((head, self.details.0))
    }
}

/// The columns of [`HeadRow`].
pub(super) const HEAD: &str = "select d.id, d.number, d.state, d.store_id, d.source_type, d.source_id, d.on_date, \
     d.notes, d.details, d.steps, d.line_count, d.amount, d.revision, d.created_at, d.created_by, d.updated_at, \
     d.updated_by from documents d";

fn one<'q, D: Document>(query: Query<'q>, id: &str) -> Query<'q> {
    query.push(" where d.kind = ").push_bind(D::KIND).push(" and d.id = ").push_bind(id)
}

fn lines_of<'q, L: Line>(query: Query<'q>, id: &str) -> Query<'q> {
    let mut query = query.push("select ");
    for (at, column) in L::COLUMNS.iter().enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column);
    }
    query.push(" from ").push(L::TABLE).push(" where document_id = ").push_bind(id).push(" order by position")
}

/// A head, read in the transaction.
///
/// # Errors
/// If the database fails.
pub(super) async fn head_in<D: Document>(
    tx: &mut Tx<'_>,
    id: &str,
) -> Result<Option<(Head<D::State>, D::Details)>, DbError> {
    let row: Option<HeadRow<D::Details>> = one::<D>(tx.sql(HEAD), id).optional().await?;
    row.map(HeadRow::parts).transpose()
}

/// A head, read outside a transaction.
///
/// # Errors
/// If the database fails.
pub(super) async fn head<D: Document>(
    db: &Db,
    id: &str,
) -> Result<Option<(Head<D::State>, D::Details)>, DbError> {
    let row: Option<HeadRow<D::Details>> = one::<D>(db.sql(HEAD), id).optional().await?;
    row.map(HeadRow::parts).transpose()
}

/// The lines of a document, read in the transaction.
///
/// # Errors
/// If the database fails.
pub(super) async fn lines_in<L: Line>(tx: &mut Tx<'_>, id: &str) -> Result<Vec<L>, DbError> {
    lines_of::<L>(tx.sql(""), id).all().await
}

/// A document by id.
///
/// # Errors
/// If the database fails.
pub async fn read<D: Document>(db: &Db, id: &str) -> Result<Option<Doc<D>>, DbError> {
    let Some((head, details)) = head::<D>(db, id).await? else { return Ok(None) };
    let lines = lines_of::<D::Line>(db.sql(""), id).all().await?;
    Ok(Some(Doc::of(head, details, lines)))
}

/// Locks documents until the transaction ends, in the order of their ids. Unknown ids are left out.
///
/// # Errors
/// If the database fails.
pub async fn hold<D: Document>(tx: &mut Tx<'_>, ids: &[String]) -> Result<Vec<Doc<D>>, DbError> {
    let mut ids: Vec<&String> = ids.iter().collect();
    ids.sort_unstable();
    ids.dedup();
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let held = tx
            .sql("update documents set revision = revision where kind = $1 and id = $2")
            .bind(D::KIND)
            .bind(id)
            .execute()
            .await?;
        if held == 0 {
            continue;
        }
        if let Some((head, details)) = head_in::<D>(tx, id).await? {
            let lines = lines_in::<D::Line>(tx, id).await?;
            found.push(Doc::of(head, details, lines));
        }
    }
    Ok(found)
}

/// The next number of a type's series in a year: `SO-2026-000123`.
async fn draw<D: Document>(tx: &mut Tx<'_>, year: i16) -> Result<String, DbError> {
    let last: i64 = tx
        .sql(
            "insert into document_numbers (kind, year, last) values ($1, $2, 1)
             on conflict (kind, year) do update set last = document_numbers.last + 1 returning last",
        )
        .bind(D::KIND)
        .bind(i64::from(year))
        .scalar()
        .await?;
    Ok(format!("{}-{year}-{last:06}", D::DECLARED.series))
}

/// Search text of a document: its number, the names of its store and source.
async fn search_key<D: Document>(tx: &mut Tx<'_>, doc: &Doc<D>) -> Result<String, DbError> {
    let mut key = fold(&doc.head.number);
    if let Some(store) = &doc.head.store_id {
        let name: Option<(String,)> =
            tx.sql("select name from locations where id = $1").bind(store).optional().await?;
        key.extend(name.into_iter().flat_map(|(name,)| [" ".to_owned(), fold(&name)]));
    }
    Ok(key)
}

/// Continues a type's number series above an imported number.
///
/// # Errors
/// If the statement fails.
pub(super) async fn go_on_above<D: Document>(tx: &mut Tx<'_>, year: i64, last: i64) -> Result<(), DbError> {
    tx.sql(
        "insert into document_numbers (kind, year, last) values ($1, $2, $3)
         on conflict (kind, year) do update set last = excluded.last where document_numbers.last < excluded.last",
    )
    .bind(D::KIND)
    .bind(year)
    .bind(last)
    .execute()
    .await
    .map(drop)
}

/// Inserts a new document with the next number.
///
/// # Errors
/// If the statement fails.
pub(super) async fn insert<D: Document>(tx: &mut Tx<'_>, doc: &mut Doc<D>) -> ApiResult<()> {
    doc.head.number = draw::<D>(tx, BusinessDay::of(doc.head.created_at).date().year()).await?;
    insert_numbered(tx, doc).await
}

/// Inserts a new document with a given number.
///
/// # Errors
/// If the statement fails.
pub(super) async fn insert_numbered<D: Document>(tx: &mut Tx<'_>, doc: &mut Doc<D>) -> ApiResult<()> {
    doc.head.line_count = doc.lines.len() as i64;
    doc.head.amount = D::amount(&doc.lines);
    let key = search_key(tx, doc).await?;
    let head = &doc.head;
    tx.sql(
        "insert into documents (id, kind, number, state, store_id, source_type, source_id, on_date, notes, details, \
           steps, line_count, amount, search_key, revision, created_at, created_by, updated_at, updated_by) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)",
    )
    .bind(&head.id)
    .bind(D::KIND)
    .bind(&head.number)
    .bind(head.state.as_str())
    .bind(head.store_id.as_deref())
    .bind(head.source_type.as_deref())
    .bind(head.source_id.as_deref())
    .bind(head.on_date)
    .bind(head.notes.as_deref())
    .bind(Json(&doc.details))
    .bind(Json(&head.steps))
    .bind(head.line_count)
    .bind(head.amount)
    .bind(key)
    .bind(head.revision)
    .bind(head.created_at)
    .bind(Json(&head.created_by))
    .bind(head.updated_at)
    .bind(Json(&head.updated_by))
    .execute()
    .await?;
    save_lines(tx, doc).await
}

/// Claims a document for a change if state and revision are unchanged, and locks it until the transaction
/// ends. Returns whether it was claimed.
pub(super) async fn claim<S: Word>(tx: &mut Tx<'_>, head: &Head<S>, to: S) -> Result<bool, DbError> {
    let claimed = tx
        .sql(
            "update documents set state = $1, revision = revision + 1
             where id = $2 and state = $3 and revision = $4",
        )
        .bind(to.as_str())
        .bind(&head.id)
        .bind(head.state.as_str())
        .bind(head.revision)
        .execute()
        .await?;
    Ok(claimed == 1)
}

/// Saves a locked document: head and lines, with the head's revision.
///
/// # Errors
/// If the statement fails.
pub async fn save<D: Document>(tx: &mut Tx<'_>, doc: &mut Doc<D>) -> ApiResult<()> {
    let actor = tx.actor();
    doc.head.updated_at = actor.at;
    doc.head.updated_by = Editor::from(actor);
    rewrite(tx, doc).await
}

/// Saves a document as it is, times included.
///
/// # Errors
/// If the statement fails.
pub(super) async fn rewrite<D: Document>(tx: &mut Tx<'_>, doc: &mut Doc<D>) -> ApiResult<()> {
    doc.head.line_count = doc.lines.len() as i64;
    doc.head.amount = D::amount(&doc.lines);
    let key = search_key(tx, doc).await?;
    let head = &doc.head;
    tx.sql(
        "update documents set state = $1, store_id = $2, source_type = $3, source_id = $4, on_date = $5, notes = $6, \
           details = $7, steps = $8, line_count = $9, amount = $10, search_key = $11, revision = $12, \
           updated_at = $13, updated_by = $14, number = $15 where id = $16",
    )
    .bind(head.state.as_str())
    .bind(head.store_id.as_deref())
    .bind(head.source_type.as_deref())
    .bind(head.source_id.as_deref())
    .bind(head.on_date)
    .bind(head.notes.as_deref())
    .bind(Json(&doc.details))
    .bind(Json(&head.steps))
    .bind(head.line_count)
    .bind(head.amount)
    .bind(key)
    .bind(head.revision)
    .bind(head.updated_at)
    .bind(Json(&head.updated_by))
    .bind(&head.number)
    .bind(&head.id)
    .execute()
    .await?;
    save_lines(tx, doc).await
}

/// A line sent twice would be saved once, with the figures of the last.
fn refuse_twice<L: Line>(lines: &[L]) -> ApiResult<()> {
    let mut seen = HashSet::with_capacity(lines.len());
    match lines.iter().position(|line| !seen.insert(line.id())) {
        None => Ok(()),
        Some(at) => {
            let words = "This line was sent twice. Reload to continue.";
            Err(ApiError::field(format!("lines.{at}.id"), words))
        }
    }
}

/// Writes the lots that lines name as they are registered: capitals tell no lots apart.
///
/// # Errors
/// If the database fails.
pub(super) async fn respell<L: Line>(tx: &mut Tx<'_>, lines: &mut [L]) -> Result<(), DbError> {
    let mut named: Vec<(&str, &mut String)> = lines.iter_mut().filter_map(Line::named_lot).collect();
    let typed: Vec<(&str, &str)> = named.iter().map(|(product, lot)| (*product, lot.as_str())).collect();
    let known = lots::spellings(tx, &typed).await?;
    for (product, lot) in &mut named {
        let of_lot = known.get(&((*product).to_owned(), lot.to_lowercase()));
        // A lot registered just so is meant, even beside another spelling.
        if let Some(spelled) = of_lot.filter(|spelled| !spelled.contains(&**lot)).and_then(|one| one.first())
        {
            (**lot).clone_from(spelled);
        }
    }
    Ok(())
}

/// Saves the lines; missing ones are deleted.
async fn save_lines<D: Document>(tx: &mut Tx<'_>, doc: &mut Doc<D>) -> ApiResult<()> {
    for (position, line) in (1..).zip(&mut doc.lines) {
        line.place(&doc.head.id, position);
    }
    refuse_twice(&doc.lines)?;
    respell(tx, &mut doc.lines).await?;
    let ids: Vec<&str> = doc.lines.iter().map(Line::id).collect();
    tx.sql("delete from ")
        .push(D::Line::TABLE)
        .push(" where document_id = ")
        .push_bind(&doc.head.id)
        .push(" and id not in ")
        .push_ids(&ids)
        .execute()
        .await?;
    if doc.lines.is_empty() {
        return Ok(());
    }
    let mut query = tx.sql("insert into ").push(D::Line::TABLE).push(" (");
    for (at, column) in D::Line::COLUMNS.iter().enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column);
    }
    query = query.push(") select * from ").push_rows(D::Line::COLUMNS, &doc.lines);
    query = query.push(" loaded where true on conflict (id) do update set ");
    for (at, column) in D::Line::COLUMNS.iter().filter(|column| **column != "id").enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column).push(" = excluded.").push(column);
    }
    // A line id is scoped to its document, so that no request can write another document's line.
    let written = query
        .push(" where ")
        .push(D::Line::TABLE)
        .push(".document_id = excluded.document_id")
        .execute()
        .await?;
    if written != doc.lines.len() as u64 {
        return Err(ApiError::field("lines", "A line belongs to another document."));
    }
    Ok(())
}

/// Links a document to its origins.
///
/// # Errors
/// If the statement fails.
pub async fn link(tx: &mut Tx<'_>, id: &str, origins: &[String]) -> Result<(), DbError> {
    let rows: Vec<(&str, &str)> = origins.iter().map(|origin| (id, origin.as_str())).collect();
    tx.insert_rows("document_links", &["document_id", "origin_id"], rows, "on conflict do nothing").await?;
    Ok(())
}

/// Documents of a type that originate from this one, as `(id, state)`.
///
/// # Errors
/// If the database fails, or a document has an unknown state.
pub async fn linked<D: Document>(tx: &mut Tx<'_>, origin: &str) -> Result<Vec<(String, D::State)>, DbError> {
    let found: Vec<(String, String)> = tx
        .sql(
            "select d.id, d.state from document_links l join documents d on d.id = l.document_id
             where l.origin_id = $1 and d.kind = $2 order by d.id",
        )
        .bind(origin)
        .bind(D::KIND)
        .all()
        .await?;
    let unknown = |why| sqlx::Error::ColumnDecode { index: "state".to_owned(), source: Box::new(why) };
    let known = |(id, state): (String, String)| Ok((id, D::State::read(&state).map_err(unknown)?));
    found.into_iter().map(known).collect()
}

/// The number of a document of any type that refers to this one, is no longer a draft and was not cancelled or
/// reversed.
///
/// # Errors
/// If the database fails.
pub(super) async fn built_on(tx: &mut Tx<'_>, origin: &str) -> Result<Option<String>, DbError> {
    let found: Vec<(String, DocumentKind, String)> = tx
        .sql(
            "select d.number, d.kind, d.state from document_links l join documents d on d.id = l.document_id
             where l.origin_id = $1 and d.state <> 'draft' order by d.number",
        )
        .bind(origin)
        .all()
        .await?;
    let stands = |kind: DocumentKind, state: &str| !kind.states_at(Stage::Cancelled).contains(&state);
    Ok(found.into_iter().find(|(_, kind, state)| stands(*kind, state)).map(|(number, ..)| number))
}
