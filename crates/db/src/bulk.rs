//! Bulk rows in one statement: they are passed as one parameter, a JSON array of arrays.
//!
//! Thousands of rows a second, 75,000 rows of 3 texts and 5 integers into a table with a key of four columns, 2 cores,
//! release build; the first line is this implementation:
//!
//! | SQLite 3.51 | | PostgreSQL 15 | |
//! |---|---|---|---|
//! | `jsonb_each`, `value->>0` | 870 | `jsonb_array_elements`, `v->>0` | 275 |
//! | `json_each`, `json_extract` | 550 | `unnest` of typed arrays | 355 |
//! | `json_each`, `value->>0` | 480 | `json_array_elements` | 190 |
//! | `values` of 1,000 rows with `?` | 1,000 | `jsonb_to_recordset` | 135 |
//! | `values` of 37 rows | 420 | | |
//! | one row a statement | 18 | | |
//!
//! `values` and `unnest` are slightly faster and need a text, or a type, for each table.
//!
//! JSON has no bytes: those of all rows are concatenated in a second parameter, and a cell gives its range.

use larder_domain::{BusinessDay, Factor, Id, Money, Qty, Timestamp};
use serde::Serialize;

use crate::{DbError, Json, Query, Tx};

/// The type of a column of bulk rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Real,
    Boolean,
    Json,
    Bytes,
}

/// Encoded rows: a JSON array of arrays, and the bytes that its cells refer to.
#[derive(Debug, Default)]
pub struct Load {
    pub(crate) json: Vec<u8>,
    bytes: Vec<u8>,
}

/// A cell value, in its database encoding (a quantity as millionths).
pub trait Cell {
    const KIND: Kind;
    /// Appends it as JSON, or refuses a value that no column can hold.
    fn write(&self, out: &mut Load) -> Result<(), DbError>;
}

/// A bulk row: a tuple of up to 22 cells.
pub trait BulkRow {
    const KINDS: &'static [Kind];
    /// Appends it as a JSON array.
    fn write(&self, out: &mut Load) -> Result<(), DbError>;
}

fn json<T: Serialize + ?Sized>(value: &T, out: &mut Load) -> Result<(), DbError> {
    serde_json::to_writer(&mut out.json, value).map_err(|error| DbError::Invalid(error.to_string()))
}

macro_rules! cells {
    ($($type:ty, $kind:ident, |$value:ident| $plain:expr;)+) => {$(
        impl Cell for $type {
            const KIND: Kind = Kind::$kind;
            fn write(&self, out: &mut Load) -> Result<(), DbError> {
                let $value = self;
                json(&$plain, out)
            }
        }
    )+};
}

cells! {
    i64, Integer, |value| value;
    i32, Integer, |value| value;
    bool, Boolean, |value| value;
    Qty, Integer, |value| value.0;
    Money, Integer, |value| value.0;
    Factor, Integer, |value| value.0;
    Timestamp, Integer, |value| value.0;
    BusinessDay, Integer, |value| value.0;
}

impl Cell for f64 {
    const KIND: Kind = Kind::Real;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        match self.is_finite() {
            true => json(self, out),
            false => Err(DbError::Invalid(format!("{self} is not a number to keep"))),
        }
    }
}

impl Cell for str {
    const KIND: Kind = Kind::Text;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        if self.contains('\0') {
            return Err(DbError::Invalid(crate::value::NUL.into()));
        }
        json(self, out)
    }
}

impl Cell for String {
    const KIND: Kind = Kind::Text;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        self.as_str().write(out)
    }
}

impl Cell for Id {
    const KIND: Kind = Kind::Text;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        self.0.as_str().write(out)
    }
}

impl<T: Serialize> Cell for Json<T> {
    const KIND: Kind = Kind::Json;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        let begin = out.json.len();
        json(&self.0, out)?;
        match crate::value::escaped_nul(&out.json[begin..]) {
            true => Err(DbError::Invalid(crate::value::NUL.into())),
            false => Ok(()),
        }
    }
}

/// Written as `[first byte from 1, length]`.
impl Cell for [u8] {
    const KIND: Kind = Kind::Bytes;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        let begin = out.bytes.len() + 1;
        out.bytes.extend_from_slice(self);
        json(&(begin, self.len()), out)
    }
}

impl Cell for Vec<u8> {
    const KIND: Kind = Kind::Bytes;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        self.as_slice().write(out)
    }
}

impl<T: Cell> Cell for Option<T> {
    const KIND: Kind = T::KIND;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        match self {
            Some(value) => value.write(out),
            None => {
                out.json.extend_from_slice(b"null");
                Ok(())
            }
        }
    }
}

impl<T: Cell + ?Sized> Cell for &T {
    const KIND: Kind = T::KIND;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        (**self).write(out)
    }
}

macro_rules! tuples {
    ($first:ident $($rest:ident)*) => {
        impl<$first: Cell, $($rest: Cell),*> BulkRow for ($first, $($rest,)*) {
            const KINDS: &'static [Kind] = &[$first::KIND, $($rest::KIND),*];
            #[allow(non_snake_case)]
            fn write(&self, out: &mut Load) -> Result<(), DbError> {
                let ($first, $($rest,)*) = self;
                out.json.push(b'[');
                $first.write(out)?;
                $(
                    out.json.push(b',');
                    $rest.write(out)?;
                )*
                out.json.push(b']');
                Ok(())
            }
        }
        tuples! { $($rest)* }
    };
    () => {};
}

tuples! { A B C D E F G H I J K L M N O P Q R S T U V }

impl<R: BulkRow> BulkRow for &R {
    const KINDS: &'static [Kind] = R::KINDS;
    fn write(&self, out: &mut Load) -> Result<(), DbError> {
        (**self).write(out)
    }
}

impl Load {
    /// Begins a row; [`Load::cell`] and [`Load::end`] follow.
    pub fn begin(&mut self) {
        self.json.push(b'[');
    }

    /// Appends the next cell of the current row.
    ///
    /// # Errors
    /// A value that no column can hold.
    pub fn cell<C: Cell + ?Sized>(&mut self, cell: &C) -> Result<(), DbError> {
        // A trailing bracket means this is the first cell.
        if self.json.last() != Some(&b'[') {
            self.json.push(b',');
        }
        cell.write(self)
    }

    /// Ends the row.
    pub fn end(&mut self) {
        self.json.push(b']');
    }
}

/// Declares a struct that is a row of a table: it is read by field names and can be inserted in bulk, with `TABLE` and
/// `COLUMNS` for the statements. Attributes go to the struct and its fields.
#[macro_export]
macro_rules! table_row {
    ($(#[$meta:meta])* $name:ident in $table:literal { $($(#[$of_field:meta])* $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$of_field])* pub $field: $type,)+
        }

        impl $name {
            pub const TABLE: &'static str = $table;
            /// The table's columns, in the order of the fields.
            pub const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),+];
        }

        impl $crate::BulkRow for $name {
            const KINDS: &'static [$crate::Kind] = &[$(<$type as $crate::Cell>::KIND),+];

            fn write(&self, out: &mut $crate::Load) -> Result<(), $crate::DbError> {
                out.begin();
                $(out.cell(&self.$field)?;)+
                out.end();
                Ok(())
            }
        }
    };
}

/// The rows as one JSON text with its bytes, and their number: at most `most`, within [`HEAVY`].
fn load<R: BulkRow>(
    rows: &mut impl Iterator<Item = R>,
    most: usize,
) -> Result<(String, Vec<u8>, usize), DbError> {
    let mut out = Load { json: vec![b'['], bytes: Vec::new() };
    let mut count = 0;
    while count < most && (most > LOAD || out.json.len() + out.bytes.len() < HEAVY) {
        let Some(row) = rows.next() else { break };
        if count > 0 {
            out.json.push(b',');
        }
        row.write(&mut out)?;
        count += 1;
    }
    out.json.push(b']');
    let text = String::from_utf8(out.json).map_err(|error| DbError::Invalid(error.to_string()))?;
    Ok((text, out.bytes, count))
}

/// Rows per statement: enough to amortise the round trip, few enough to hold twice in memory.
const LOAD: usize = 20_000;
/// Approximate maximum of bytes per statement.
const HEAVY: usize = 4 << 20;

impl Query<'_> {
    /// Appends a derived table of these rows, bound as one parameter, for `insert … select`, `update … from` and joins:
    /// write `from ` before it and its alias after it.
    pub fn push_rows<R: BulkRow>(self, columns: &[&'static str], rows: impl IntoIterator<Item = R>) -> Self {
        match load(&mut rows.into_iter(), usize::MAX) {
            Ok((document, bytes, _)) => self.push_document(columns, R::KINDS, document, bytes),
            Err(error) => self.refuse(error),
        }
    }

    fn push_document(
        mut self,
        columns: &[&'static str],
        kinds: &'static [Kind],
        document: String,
        bytes: Vec<u8>,
    ) -> Self {
        assert_eq!(columns.len(), kinds.len(), "as many columns as a row has cells");
        let engine = self.engine();
        let mut store = 0;
        if kinds.contains(&Kind::Bytes) {
            self = self.bind(bytes);
            store = self.count();
        }
        for (number, (column, kind)) in columns.iter().zip(kinds).enumerate() {
            let before = if number == 0 { "(select " } else { ", " };
            let cell = engine.cell(number, *kind, store);
            self = self.push(before).push_text(&cell).push(" as ").push(column);
        }
        let (open, close) = engine.each_row();
        self.push(" from ").push(open).push_bind_document(document).push(close)
    }
}

impl Tx<'_> {
    /// Inserts any number of rows: `insert into {table} (columns) … {then}`, where `then` is empty
    /// or an `on conflict` clause. Returns how many rows were inserted or updated.
    pub async fn insert_rows<R: BulkRow>(
        &mut self,
        table: &'static str,
        columns: &[&'static str],
        rows: impl IntoIterator<Item = R>,
        then: &'static str,
    ) -> Result<u64, DbError> {
        let mut rows = rows.into_iter();
        let mut changed = 0;
        loop {
            let (document, bytes, count) = load(&mut rows, LOAD)?;
            if count == 0 {
                return Ok(changed);
            }
            let mut query = self.sql("insert into ").push(table).push(" (");
            for (number, column) in columns.iter().enumerate() {
                query = query.push(if number == 0 { "" } else { ", " }).push(column);
            }
            query = query.push(") select * from ").push_document(columns, R::KINDS, document, bytes);
            // Without `where` SQLite parses `on conflict` as a join condition.
            changed += query.push(" loaded where true ").push(then).execute().await?;
        }
    }
}
