//! Larder's data layer: one SQL text for SQLite and PostgreSQL.
//!
//! Reading is `db.sql("select … where id = $1").bind(&id).optional::<Product>().await?` on
//! connections that cannot write. Changing anything is `db.write(&actor, async |tx| { … })` and
//! nothing else: one job, all or nothing, answered after the commit.
//!
//! | file | what it holds |
//! |---|---|
//! | `db` | [`Db`]: open, read, write, listen |
//! | `query` | [`Query`]: text, parameters, answers on either driver |
//! | `value` | what can be bound and read |
//! | `tx` | [`Tx`]: what a job can do inside its transaction |
//! | `sqlite` | the one writer connection, lent from job to job, one commit for a batch |
//! | `postgres` | pools, the retried transaction, the listener |
//! | `change` | who changed what: the audit row and the live event |
//! | `violation` | a constraint's error as (kind, table, fields); `reference` for foreign keys |
//! | `dialect` | the few texts that differ between the engines |
//! | `bulk` | many rows in one statement |
//! | `migrate` | the schema: written once, translated, checksummed |
//! | `testing` | a database of its own for each test |

mod bulk;
mod change;
mod db;
mod dialect;
mod error;
mod json;
mod migrate;
mod postgres;
mod query;
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
pub use query::Query;
pub use sqlx::FromRow;
pub use tx::Tx;
pub use value::{Row, Value};
