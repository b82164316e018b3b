//! What can go wrong, in words a caller can act on.

use std::fmt;

/// Why a statement or a transaction did not happen.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// A constraint of the schema refused the rows.
    #[error("{0}")]
    Violation(Violation),
    /// `one` and `scalar` found no row.
    #[error("no such record")]
    NotFound,
    /// Nobody lent us a connection, or another process holds the database; trying again may help.
    #[error("the database is busy")]
    Busy,
    /// For callers: the record's revision is not the one the change was made from.
    #[error("the record was changed in the meantime")]
    Stale,
    /// A value that no column can hold, like a NUL character in text.
    #[error("{0}")]
    Invalid(String),
    /// The job ignored the error of one of its statements; use [`Tx::part`](crate::Tx::part).
    #[error("a statement failed and the job went on as if it had not: {0}")]
    Swallowed(String),
    /// The job was stopped because it held the writer for too long.
    #[error("the transaction took too long")]
    TooLong,
    /// The transaction could not be started or committed; nothing of it was saved.
    #[error("nothing was saved: {0}")]
    NotCommitted(String),
    /// The schema and this program do not fit together.
    #[error("{0}")]
    Migration(String),
    /// The database was closed.
    #[error("the database is closed")]
    Closed,
    /// Anything else the driver reports.
    #[error(transparent)]
    Other(sqlx::Error),
}

/// Which kind of constraint refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViolationKind {
    /// Another row has these values already.
    Unique,
    /// The row that these fields refer to does not exist.
    ForeignKey,
    /// Rows of `table` still refer to what was to be deleted (their `fields` do).
    InUse,
    /// A required field is missing.
    NotNull,
    /// A rule over the row's values does not hold.
    Check,
}

/// A refused constraint: what a form needs to point at the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Which kind of constraint refused.
    pub kind: ViolationKind,
    /// The table whose constraint it is.
    pub table: Option<String>,
    /// Its columns, in the constraint's order; empty if they could not be found out.
    pub fields: Vec<String>,
    /// The constraint's or index's name, where the engine tells it.
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
