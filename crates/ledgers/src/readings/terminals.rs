//! Till settings: calculation rules and layout, set by users or learned from readings.

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::zreading::{Basis, Terms, VatForm};
use larder_domain::{BusinessDay, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::Reading;
use larder_platform::audit::Editor;

larder_db::table_row! {
    #[derive(Debug, Clone, larder_db::FromRow, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    #[schema(as = ZTerminal)]
    Kept in "z_terminals" {
        store_id: String,
        terminal_id: String,
        /// What accumulates in the grand total: `net` or `gross`.
        basis: String,
        /// Whether VATable sales include the tax: `inclusive` or `exclusive`.
        vat: String,
        min: Option<String>,
        serial: Option<String>,
        ptu: Option<String>,
        tin: Option<String>,
        /// Its trained layout; none if the default labels suffice.
        #[schema(value_type = Option<Object>)]
        template: Option<Json<Value>>,
        /// The day from which it is no longer used.
        off_from: Option<BusinessDay>,
        /// Whether it prints readings; null is yes. A delivery app's till prints none.
        prints: Option<bool>,
        /// 0 for defaults.
        revision: i64,
        updated_at: Timestamp,
        #[schema(value_type = Editor)]
        updated_by: Json<Editor>,
    }
}

impl Kept {
    /// Default settings of a till.
    #[must_use]
    pub fn unset(store_id: &str, terminal_id: &str, by: Editor) -> Self {
        Self {
            store_id: store_id.to_owned(),
            terminal_id: terminal_id.to_owned(),
            basis: Basis::Net.as_str().to_owned(),
            vat: VatForm::Exclusive.as_str().to_owned(),
            min: None,
            serial: None,
            ptu: None,
            tin: None,
            template: None,
            off_from: None,
            prints: None,
            revision: 0,
            updated_at: Timestamp(0),
            updated_by: Json(by),
        }
    }

    /// Its calculation rules.
    #[must_use]
    pub fn terms(&self) -> Terms {
        Terms {
            basis: Basis::parse(&self.basis).unwrap_or(Basis::Net),
            vat: VatForm::parse(&self.vat).unwrap_or(VatForm::Exclusive),
        }
    }

    /// Audit snapshot.
    #[must_use]
    pub fn audit_snapshot(&self) -> Value {
        let mut snapshot = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = snapshot.as_object_mut() {
            fields.remove("storeId");
        }
        snapshot
    }
}

const SELECT: &str =
    "select store_id, terminal_id, basis, vat, min, serial, ptu, tin, template, off_from, prints, revision,
     updated_at, updated_by from z_terminals";

/// The settings of a reading's till.
pub(super) fn one<'q>(query: Query<'q>, reading: &Reading) -> Query<'q> {
    of_till(query, &reading.store_id, &reading.terminal_id)
}

fn of_till<'q>(query: Query<'q>, store_id: &str, terminal_id: &str) -> Query<'q> {
    query
        .push(SELECT)
        .push(" where store_id = ")
        .push_bind(store_id.to_owned())
        .push(" and terminal_id = ")
        .push_bind(terminal_id.to_owned())
}

/// A till's stored settings, if any.
///
/// # Errors
/// If the database fails.
pub async fn find(db: &Db, store_id: &str, terminal_id: &str) -> Result<Option<Kept>, DbError> {
    of_till(db.sql(""), store_id, terminal_id).optional().await
}

/// As [`find`], inside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn find_in(tx: &mut Tx<'_>, store_id: &str, terminal_id: &str) -> Result<Option<Kept>, DbError> {
    of_till(tx.sql(""), store_id, terminal_id).optional().await
}

/// Stored settings of some stores’ tills, or of all, by the stores’ names.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db, stores: Option<&[String]>) -> Result<Vec<Kept>, DbError> {
    let mut query = db.sql(SELECT);
    if let Some(stores) = stores {
        query = query.push(" where store_id in ").push_ids(stores);
    }
    let names =
        " order by (select l.name from locations l where l.id = store_id), store_id, terminal_id limit 5000";
    query.push(names).all().await
}

/// The tills with this machine number, in some stores or in all. Several are a mistake of the settings, or a machine that
/// moved.
///
/// # Errors
/// If the database fails.
pub async fn of_min(db: &Db, min: &str, stores: Option<&[String]>) -> Result<Vec<Kept>, DbError> {
    let mut query = db.sql(SELECT).push(" where min = ").push_bind(min.to_owned());
    if let Some(stores) = stores {
        query = query.push(" and store_id in ").push_ids(stores);
    }
    query.push(" order by store_id, terminal_id limit 20").all().await
}

/// The till of a store with this machine number, if just one has it.
///
/// # Errors
/// If the database fails.
pub(super) async fn of_min_in(tx: &mut Tx<'_>, min: &str, store_id: &str) -> Result<Option<Kept>, DbError> {
    let query =
        tx.sql(SELECT).push(" where min = ").push_bind(min).push(" and store_id = ").push_bind(store_id);
    let mut found: Vec<Kept> = query.push(" order by terminal_id limit 2").all().await?;
    Ok(found.pop().filter(|_| found.is_empty()))
}

/// The tills of some stores, as `(store, till)`: from settings, the store list and readings.
///
/// # Errors
/// If the database fails.
pub async fn known(db: &Db, stores: Option<&[String]>) -> Result<Vec<(String, String)>, DbError> {
    let mut query = db.sql(
        "select store_id, terminal_id from (
           select store_id, terminal_id from z_terminals
           union select store_id, terminal_id from z_readings where terminal_id <> '' and state <> 'discarded'
           union select id as store_id, terminal_id from locations where terminal_id is not null and terminal_id <> ''
         ) t",
    );
    if let Some(stores) = stores {
        query = query.push(" where store_id in ").push_ids(stores);
    }
    let mut found: Vec<(String, String)> =
        query.push(" order by store_id, terminal_id limit 5000").all().await?;
    let mut query = db.sql("select id, pos_terminals from locations");
    if let Some(stores) = stores {
        query = query.push(" where id in ").push_ids(stores);
    }
    let listed: Vec<(String, Json<Vec<Value>>)> = query.all().await?;
    for (store, tills) in listed {
        for till in tills.0 {
            let Some(till) = till["terminalId"].as_str().filter(|till| !till.is_empty()) else { continue };
            found.push((store.clone(), till.to_owned()));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Writes a till's settings. `seen` is the revision being changed; `false` if it has changed meanwhile.
///
/// # Errors
/// If the statement fails.
pub async fn save(tx: &mut Tx<'_>, kept: &Kept, seen: i64) -> Result<bool, DbError> {
    let mut query = tx.sql("insert into z_terminals (");
    for (at, column) in Kept::COLUMNS.iter().enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column);
    }
    query = query.push(") select * from ").push_rows(Kept::COLUMNS, [kept]);
    let written = query
        .push(
            " loaded where true on conflict (store_id, terminal_id) do update set basis = excluded.basis,
               vat = excluded.vat, min = excluded.min, serial = excluded.serial, ptu = excluded.ptu,
               tin = excluded.tin, template = excluded.template,
               off_from = excluded.off_from, prints = excluded.prints, revision = excluded.revision,
               updated_at = excluded.updated_at, updated_by = excluded.updated_by
             where z_terminals.revision = ",
        )
        .push_bind(seen)
        .execute()
        .await?;
    Ok(written == 1)
}
