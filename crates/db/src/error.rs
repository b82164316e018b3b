//! Errors, worded so that a caller can act on them.

use std::fmt;

/// Why a statement or a transaction failed.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// A constraint of the schema was violated.
    #[error("{0}")]
    Violation(Violation),
    /// `one` and `scalar` found no row.
    #[error("no such record")]
    NotFound,
    /// No connection was available, or another process holds the database; retrying may help.
    #[error("the database is busy")]
    Busy,
    /// For callers: the record's revision has changed since it was read.
    #[error("the record was changed in the meantime")]
    Stale,
    /// A value that no column can hold, such as a NUL character in text.
    #[error("{0}")]
    Invalid(String),
    /// The job ignored the error of one of its statements; use [`Tx::part`](crate::Tx::part).
    #[error("a statement failed and the job went on as if it had not: {0}")]
    Swallowed(String),
    /// The job was stopped because it held the writer for too long.
    #[error("the transaction took too long")]
    TooLong,
    /// The transaction could not be started or committed; nothing was saved.
    #[error("nothing was saved: {0}")]
    NotCommitted(String),
    /// The schema and this program do not match.
    #[error("{0}")]
    Migration(String),
    /// The database was closed.
    #[error("the database is closed")]
    Closed,
    #[error(transparent)]
    Other(sqlx::Error),
}

/// The kind of violated constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViolationKind {
    /// Another row has these values.
    Unique,
    /// The row that these fields refer to does not exist.
    ForeignKey,
    /// Rows of `table` still refer to the deleted row (in their `fields`).
    InUse,
    /// A required field is missing.
    NotNull,
    /// A check constraint fails.
    Check,
}

/// A violated constraint, with the field a form needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub kind: ViolationKind,
    pub table: Option<String>,
    /// Its columns, in the constraint's order; empty if unknown.
    pub fields: Vec<String>,
    /// The constraint's or index's name, where the engine reports it.
    pub constraint: Option<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match self.kind {
            ViolationKind::Unique => "already taken",
            ViolationKind::ForeignKey => "refers to a record that does not exist",
            ViolationKind::InUse => "still refers to it",
            ViolationKind::NotNull => "is required",
            ViolationKind::Check => "breaks a rule",
        };
        let table = self.table.as_deref().unwrap_or("record");
        write!(f, "{table} ({}) {said}", self.fields.join(", "))
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::RowNotFound => DbError::NotFound,
            sqlx::Error::PoolTimedOut => DbError::Busy,
            sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => DbError::Closed,
            error => DbError::Other(error),
        }
    }
}
