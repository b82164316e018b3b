//! One way of reading for functions that are asked both outside and inside a transaction.

use crate::{Db, Query, Tx};

/// Where to read: the read-only connections, or a transaction.
pub enum Reader<'r, 't> {
    Db(&'r Db),
    /// Sees what the transaction wrote.
    Tx(&'r mut Tx<'t>),
}

impl Reader<'_, '_> {
    /// A query there.
    pub fn sql(&mut self, text: &'static str) -> Query<'_> {
        match self {
            Self::Db(db) => db.sql(text),
            Self::Tx(tx) => tx.sql(text),
        }
    }
}
