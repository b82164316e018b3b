//! The demo's own database queries.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde_json::{Value, json};

const NAME: &str = "demo";

/// The description of the loaded demo.
pub async fn loaded(db: &Db) -> Result<Option<Value>, DbError> {
    let found: Option<(Json<Value>,)> =
        db.sql("select value from settings where name = $1").bind(NAME).optional().await?;
    Ok(found.map(|(value,)| value.0))
}

/// Stores the description of the loaded demo.
pub async fn note(tx: &mut Tx<'_>, value: &Value, at: Timestamp) -> Result<(), DbError> {
    tx.sql(
        "insert into settings (name, value, updated_at) values ($1, $2, $3)
         on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at",
    )
    .bind(NAME)
    .bind(Json(value.clone()))
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

/// The current password hash of a demo user.
pub async fn password_hash(db: &Db, email: &str) -> Result<Option<String>, DbError> {
    let found: Option<(Option<String>,)> =
        db.sql("select password_hash from accounts where email_key = $1").bind(email).optional().await?;
    Ok(found.and_then(|(hash,)| hash))
}

/// A company's document.
#[derive(Debug, Clone)]
pub struct CompanyDocument {
    pub id: String,
    pub company_id: String,
    /// `dtiSec`, `mayorPermit`, `bir` or `other`.
    pub kind: &'static str,
    pub title: &'static str,
    /// Its official number.
    pub number: &'static str,
    pub issued: BusinessDay,
    pub expires: Option<BusinessDay>,
}

impl CompanyDocument {
    /// The key of its file, as for an uploaded one.
    pub fn file_key(&self) -> String {
        format!("companies/{}/{}", self.company_id, self.id)
    }

    fn file_name(&self) -> String {
        format!("{}.pdf", self.number)
    }

    /// Its form in the history.
    pub fn recorded(&self) -> Value {
        json!({
            "companyId": self.company_id, "kind": self.kind, "title": self.title, "number": self.number,
            "issued": self.issued, "expires": self.expires, "fileName": self.file_name(),
        })
    }
}

/// Adds a company's document with the size of its file.
pub async fn add_document(tx: &mut Tx<'_>, document: &CompanyDocument, size: i64) -> Result<(), DbError> {
    let actor = tx.actor();
    let by = json!({ "uid": actor.uid, "name": actor.name, "email": actor.email });
    let at = actor.at;
    tx.sql(
        "insert into company_documents (id, company_id, kind, title, number, issued, expires, file_name,
                                        content_type, size, file_key, revision, created_at, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 'application/pdf', $9, $10, 1, $11, $12)",
    )
    .bind(&document.id)
    .bind(&document.company_id)
    .bind(document.kind)
    .bind(document.title)
    .bind(document.number)
    .bind(document.issued)
    .bind(document.expires)
    .bind(document.file_name())
    .bind(size)
    .bind(document.file_key())
    .bind(at)
    .bind(Json(by))
    .execute()
    .await?;
    Ok(())
}

/// Categories: name, id.
pub async fn category_ids(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select name, id from categories").all().await
}

/// Net sales and receipts of store-days: store, day, net, receipts.
pub async fn sold(
    db: &Db,
    from: BusinessDay,
    to: BusinessDay,
) -> Result<Vec<(String, BusinessDay, Money, i64)>, DbError> {
    db.sql(
        "select store_id, business_date, cast(sum(net) as bigint), cast(sum(receipts) as bigint) from sales_days
         where business_date between $1 and $2 group by store_id, business_date",
    )
    .bind(from)
    .bind(to)
    .all()
    .await
}

/// Net sales and receipts of tills, where files name tills: store, day, till, net, receipts.
pub async fn sold_at_tills(
    db: &Db,
    from: BusinessDay,
    to: BusinessDay,
) -> Result<Vec<(String, BusinessDay, String, i64, i64)>, DbError> {
    db.sql(
        "select store_id, business_date, terminal_id, cast(sum(net) as bigint), cast(sum(receipts) as bigint)
         from sales_tills where terminal_id <> '' and business_date between $1 and $2
         group by store_id, business_date, terminal_id",
    )
    .bind(from)
    .bind(to)
    .all()
    .await
}

/// How receipts were paid: store, day, the till's label, amount.
pub async fn payments(
    db: &Db,
    from: BusinessDay,
    to: BusinessDay,
) -> Result<Vec<(String, BusinessDay, String, i64)>, DbError> {
    db.sql(
        "select store_id, business_date, kind, cast(sum(amount) as bigint) from sales_tenders
         where business_date between $1 and $2 group by store_id, business_date, kind",
    )
    .bind(from)
    .bind(to)
    .all()
    .await
}

/// Net sales of every store on the days of a range, in centavos, over all sources.
pub async fn net_of_days(
    db: &Db,
    span: larder_domain::Span,
) -> Result<Vec<(String, BusinessDay, i64)>, DbError> {
    db.sql(
        "select store_id, business_date, cast(sum(net) as bigint) from sales_days
         where business_date between $1 and $2 group by store_id, business_date order by store_id, business_date",
    )
    .bind(span.from)
    .bind(span.to)
    .all()
    .await
}
