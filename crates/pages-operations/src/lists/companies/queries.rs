//! SQL queries of company documents.

use larder_db::Json;
use larder_db::{Change, ChangeAction, Db, DbError, Tx};
use serde_json::Value;

use super::model::{CompanyDocument, Particulars};
use larder_platform::audit::Editor;

const COLUMNS: &str = "id, kind, title, number, issued, expires, file_name, content_type, size,
    created_at, created_by, revision";

/// Whether the company exists.
pub(crate) async fn company_exists(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let found: Option<(String,)> =
        tx.sql("select id from companies where id = $1").bind(id).optional().await?;
    Ok(found.is_some())
}

/// A company's documents, earliest expiry first.
pub async fn of_company(db: &Db, company_id: &str) -> Result<Vec<CompanyDocument>, DbError> {
    db.sql("select ")
        .push(COLUMNS)
        .push(" from company_documents where company_id = ")
        .push_bind(company_id)
        .push(" order by expires nulls last, title, id")
        .all()
        .await
}

/// A document and the storage key of its file.
pub(crate) async fn file_of(
    db: &Db,
    company_id: &str,
    id: &str,
) -> Result<Option<(CompanyDocument, String)>, DbError> {
    let document: Option<CompanyDocument> = db
        .sql("select ")
        .push(COLUMNS)
        .push(" from company_documents where company_id = ")
        .push_bind(company_id)
        .push(" and id = ")
        .push_bind(id)
        .optional()
        .await?;
    let key: Option<(String,)> =
        db.sql("select file_key from company_documents where id = $1").bind(id).optional().await?;
    Ok(document.zip(key.map(|(key,)| key)))
}

/// A document, inside a transaction.
pub async fn one(tx: &mut Tx<'_>, company_id: &str, id: &str) -> Result<Option<CompanyDocument>, DbError> {
    tx.sql("select ")
        .push(COLUMNS)
        .push(" from company_documents where company_id = ")
        .push_bind(company_id)
        .push(" and id = ")
        .push_bind(id)
        .optional()
        .await
}

/// A stored file.
pub struct NewFile<'a> {
    /// The document's id.
    pub id: &'a str,
    pub file_name: &'a str,
    /// Media type.
    pub content_type: &'a str,
    /// Bytes.
    pub size: i64,
    /// Storage key.
    pub key: &'a str,
}

/// Adds a document.
pub async fn insert(
    tx: &mut Tx<'_>,
    company_id: &str,
    file: &NewFile<'_>,
    said: &Particulars,
) -> Result<CompanyDocument, DbError> {
    let actor = tx.actor();
    let by = Editor::from(actor);
    let at = actor.at;
    let document: CompanyDocument = tx
        .sql(
            "insert into company_documents (id, company_id, kind, title, number, issued, expires, file_name,
                                            content_type, size, file_key, revision, created_at, created_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $13) returning ",
        )
        .push(COLUMNS)
        .bind(file.id)
        .bind(company_id)
        .bind(&said.kind)
        .bind(&said.title)
        .bind(&said.number)
        .bind(said.issued)
        .bind(said.expires)
        .bind(file.file_name)
        .bind(file.content_type)
        .bind(file.size)
        .bind(file.key)
        .bind(at)
        .bind(Json(by))
        .one()
        .await?;
    record(tx, company_id, None, Some(&document)).await?;
    Ok(document)
}

/// Updates a document's metadata; `None` if the revision differs.
pub async fn update(
    tx: &mut Tx<'_>,
    company_id: &str,
    before: &CompanyDocument,
    said: &Particulars,
    revision: i64,
) -> Result<Option<CompanyDocument>, DbError> {
    let document: Option<CompanyDocument> = tx
        .sql(
            "update company_documents set kind = $3, title = $4, number = $5, issued = $6, expires = $7,
                    revision = revision + 1
             where id = $1 and revision = $2 returning ",
        )
        .push(COLUMNS)
        .bind(&before.id)
        .bind(revision)
        .bind(&said.kind)
        .bind(&said.title)
        .bind(&said.number)
        .bind(said.issued)
        .bind(said.expires)
        .optional()
        .await?;
    if let Some(after) = &document {
        record(tx, company_id, Some(before), Some(after)).await?;
    }
    Ok(document)
}

/// Deletes a document and returns the storage key of its file.
pub async fn delete(
    tx: &mut Tx<'_>,
    company_id: &str,
    document: &CompanyDocument,
) -> Result<Option<String>, DbError> {
    let key: Option<(String,)> = tx
        .sql("delete from company_documents where id = $1 returning file_key")
        .bind(&document.id)
        .optional()
        .await?;
    record(tx, company_id, Some(document), None).await?;
    Ok(key.map(|(key,)| key))
}

async fn record(
    tx: &mut Tx<'_>,
    company_id: &str,
    before: Option<&CompanyDocument>,
    after: Option<&CompanyDocument>,
) -> Result<(), DbError> {
    let snapshot = |document: &CompanyDocument| -> Value { document.recorded(company_id) };
    let action = match (before, after) {
        (None, _) => ChangeAction::Created,
        (_, None) => ChangeAction::Deleted,
        _ => ChangeAction::Updated,
    };
    let id = before.or(after).map(|document| document.id.clone()).unwrap_or_default();
    let (before, after) = (before.map(snapshot), after.map(snapshot));
    tx.record(Change { kind: "companyDocument", id, store_id: None, action, before, after }).await
}
