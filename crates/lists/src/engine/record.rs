//! A record whose type is known only at run time: what the engine needs of any list's records.

use std::any::Any;

use larder_db::{AnyRow, DbError};
use serde_json::Value;

use super::define::List;
use super::fields::Stamp;

const ALWAYS_JSON: &str = "records have text keys and finite numbers";

/// A record of any list.
pub trait Record: Any + Send + Sync + 'static {
    fn key(&self) -> &str;

    /// Times, author and revision.
    fn frame(&self) -> &Stamp;

    /// As JSON of the API.
    fn json(&self) -> Value;

    /// Appends it as JSON text of the API.
    fn append(&self, to: &mut Vec<u8>);
}

impl<L: List> Record for L {
    fn key(&self) -> &str {
        self.id()
    }

    fn frame(&self) -> &Stamp {
        self.stamp()
    }

    fn json(&self) -> Value {
        serde_json::to_value(self).expect(ALWAYS_JSON)
    }

    fn append(&self, to: &mut Vec<u8>) {
        serde_json::to_writer(to, self).expect(ALWAYS_JSON);
    }
}

/// A record of any list, in memory.
pub type AnyRecord = Box<dyn Record>;

/// Reads a row as a record of a list.
pub fn read<L: List>(row: &AnyRow) -> Result<AnyRecord, DbError> {
    let record: L = row.read()?;
    Ok(Box::new(record))
}

/// A record in its own type.
///
/// # Panics
/// If it is of another list.
pub fn owned<L: List>(record: AnyRecord) -> L {
    let record: Box<dyn Any> = record;
    *record.downcast::<L>().expect(OF_ITS_LIST)
}

/// As [`owned`], by reference.
pub fn borrowed<L: List>(record: &dyn Record) -> &L {
    let record: &dyn Any = record;
    record.downcast_ref::<L>().expect(OF_ITS_LIST)
}

const OF_ITS_LIST: &str = "a list's operations only meet its own records";

/// Records as a JSON array.
pub fn append_all(records: &[AnyRecord], to: &mut Vec<u8>) {
    to.push(b'[');
    for (i, record) in records.iter().enumerate() {
        if i > 0 {
            to.push(b',');
        }
        record.append(to);
    }
    to.push(b']');
}
