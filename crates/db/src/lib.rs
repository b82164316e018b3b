//! Larder's data layer: one SQL text for SQLite and PostgreSQL.
//!
//! Reading is `db.sql("select … where id = $1").bind(&id).optional::<Product>().await?` on read-only connections. All
//! changes go through `db.write(&actor, async |tx| { … })`: one job, all or nothing, returning after the commit.
//!
//! | file | contents |
//! |---|---|
//! | `db` | [`Db`]: open, read, write, listen |
//! | `query` | [`Query`]: text, parameters, results on either driver |
//! | `value` | bindable and readable types |
//! | `tx` | [`Tx`]: operations inside a transaction |
//! | `reader` | [`Reader`]: reading outside or inside a transaction |
//! | `sqlite` | the single writer connection, lent from job to job, one commit per batch |
//! | `postgres` | pools, the retried transaction, the listener |
//! | `change` | the audit row and the live event |
//! | `violation` | a constraint's error as (kind, table, fields); `reference` for foreign keys |
//! | `dialect` | the few SQL fragments that differ between the engines |
//! | `bulk` | many rows in one statement |
//! | `migrate` | the schema: written once, translated, checksummed |
//! | `testing` | a separate database for each test |

mod bulk;
mod change;
mod db;
mod dialect;
mod error;
mod json;
mod migrate;
mod postgres;
mod query;
mod reader;
mod reference;
mod sqlite;
#[cfg(feature = "testing")]
pub mod testing;
mod tx;
mod value;
mod violation;

pub use bulk::{BulkRow, Cell, Kind, Load};
pub use change::{Actor, Change, ChangeAction, LiveEvent};
pub use db::{Db, DbConfig, Engine};
pub use error::{DbError, Violation, ViolationKind};
pub use json::{Json, MOST_NESTED, nesting};
pub use query::{AnyRow, Query};
pub use reader::Reader;
pub use sqlx::FromRow;
pub use tx::Tx;
pub use value::{Row, Value};
