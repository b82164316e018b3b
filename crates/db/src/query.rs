//! One query for both drivers: a literal text, its parameters, and reading its result.

use std::borrow::Cow;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::Json;
use futures::future::Either;
use futures::stream::{self, BoxStream, Stream, StreamExt, TryStreamExt};
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqlitePool, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Postgres, SqlSafeStr, SqlStr, Sqlite, Type};

use crate::tx::{Conn, Session};
use crate::value::{NUL, nul_in};
use crate::{DbError, Engine, Row, Value, postgres, sqlite, violation};

/// A statement under construction: bind, push, and run.
///
/// Its text consists of literals only, so no value can become SQL.
#[must_use = "a query does nothing until it is asked for its answer"]
pub struct Query<'q> {
    text: Text,
    args: Args,
    refused: Option<DbError>,
    on: Target<'q>,
}

/// One expression for each driver, with a prepared query and its executor.
macro_rules! dispatch {
    ($text:expr, $args:expr, $on:expr, |$query:ident, $executor:ident| $sqlite:expr, $postgres:expr) => {
        match ($on, $args) {
            (Target::SqliteReaders($executor), Args::Sqlite(args)) => {
                let $query = sqlx::query_with::<Sqlite, _>($text, args);
                $sqlite
            }
            (Target::PostgresReaders($executor), Args::Postgres(args)) => {
                let $query = sqlx::query_with::<Postgres, _>($text, args);
                $postgres
            }
            (Target::Job(session), args) => match (&mut session.conn, args) {
                (Conn::Sqlite(lent), Args::Sqlite(args)) => {
                    let $query = sqlx::query_with::<Sqlite, _>($text, args);
                    let $executor = lent.connection();
                    $sqlite
                }
                (Conn::Postgres(transaction, _), Args::Postgres(args)) => {
                    let $query = sqlx::query_with::<Postgres, _>($text, args);
                    let $executor = &mut **transaction;
                    $postgres
                }
                _ => unreachable!("a query's parameters are of its connection's engine"),
            },
            _ => unreachable!("a query's parameters are of its connection's engine"),
        }
    };
}

/// Where a query runs.
pub(crate) enum Target<'q> {
    SqliteReaders(&'q SqlitePool),
    PostgresReaders(&'q PgPool),
    Job(&'q mut Session),
}

impl Target<'_> {
    fn again(&mut self) -> Target<'_> {
        match self {
            Target::SqliteReaders(pool) => Target::SqliteReaders(pool),
            Target::PostgresReaders(pool) => Target::PostgresReaders(pool),
            Target::Job(session) => Target::Job(session),
        }
    }
}

fn rows<'q>(text: SqlStr, args: Args, on: Target<'q>) -> Rows<'q> {
    dispatch!(
        text,
        args,
        on,
        |query, executor| Rows::Sqlite(query.fetch(executor)),
        Rows::Postgres(query.fetch(executor))
    )
}

pub(crate) enum Args {
    Sqlite(SqliteArguments),
    Postgres(PgArguments),
}

/// A row of either driver, still to be read.
pub struct AnyRow(Driver);

enum Driver {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl AnyRow {
    fn sqlite(row: SqliteRow) -> Self {
        Self(Driver::Sqlite(row))
    }

    fn postgres(row: PgRow) -> Self {
        Self(Driver::Postgres(row))
    }

    /// Reads the row as a type.
    ///
    /// # Errors
    /// If it lacks a column, or a value is of another type.
    pub fn read<T: Row>(&self) -> Result<T, DbError> {
        Ok(match &self.0 {
            Driver::Sqlite(row) => T::from_row(row)?,
            Driver::Postgres(row) => T::from_row(row)?,
        })
    }
}

/// The rows of either driver, without another box.
enum Rows<'q> {
    Sqlite(BoxStream<'q, Result<SqliteRow, sqlx::Error>>),
    Postgres(BoxStream<'q, Result<PgRow, sqlx::Error>>),
}

impl Stream for Rows<'_> {
    type Item = Result<AnyRow, sqlx::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match &mut *self {
            Rows::Sqlite(rows) => rows.poll_next_unpin(cx).map(|row| row.map(|row| row.map(AnyRow::sqlite))),
            Rows::Postgres(rows) => {
                rows.poll_next_unpin(cx).map(|row| row.map(|row| row.map(AnyRow::postgres)))
            }
        }
    }
}

/// A statement's text: literals and parameter numbers only.
struct Text(Cow<'static, str>);

impl Text {
    fn push(&mut self, text: &str) {
        self.0.to_mut().push_str(text);
    }

    fn sql(&self) -> SqlStr {
        match &self.0 {
            Cow::Borrowed(text) => SqlStr::from_static(text),
            Cow::Owned(text) => AssertSqlSafe(text.as_str()).into_sql_str(),
        }
    }
}

impl<'q> Query<'q> {
    pub(crate) fn new(text: &'static str, on: Target<'q>) -> Query<'q> {
        let args = match &on {
            Target::SqliteReaders(_) => Args::Sqlite(SqliteArguments::default()),
            Target::PostgresReaders(_) => Args::Postgres(PgArguments::default()),
            Target::Job(session) => match session.conn.engine() {
                Engine::Sqlite => Args::Sqlite(SqliteArguments::default()),
                Engine::Postgres => Args::Postgres(PgArguments::default()),
            },
        };
        let text = Text(Cow::Borrowed(text));
        Query { text, args, refused: None, on }
    }

    /// The engine of this query; only for SQL without a common form.
    pub fn engine(&self) -> Engine {
        match self.args {
            Args::Sqlite(_) => Engine::Sqlite,
            Args::Postgres(_) => Engine::Postgres,
        }
    }

    /// Binds the next parameter: the first call is `$1`.
    pub fn bind<'t, T: Value<'t>>(mut self, value: T) -> Self {
        let added = match &mut self.args {
            _ if nul_in(&value) => Err(NUL.into()),
            Args::Sqlite(args) => args.add(value),
            Args::Postgres(args) => args.add(value),
        };
        match added {
            Ok(()) => self,
            Err(error) => {
                let number = self.count() + 1;
                self.refuse(DbError::Invalid(format!("parameter {number}: {error}")))
            }
        }
    }

    /// Appends a literal text.
    pub fn push(mut self, text: &'static str) -> Self {
        self.text.push(text);
        self
    }

    /// Appends a text that the caller built from literals and numbers.
    pub(crate) fn push_text(mut self, text: &str) -> Self {
        self.text.push(text);
        self
    }

    /// [`push_bind`](Self::push_bind) for JSON text that is already checked.
    pub(crate) fn push_bind_document(mut self, document: String) -> Self {
        let number = self.count() + 1;
        self.text.push(&format!("${number}"));
        let added = match &mut self.args {
            Args::Sqlite(args) => args.add(document),
            Args::Postgres(args) => args.add(document),
        };
        match added {
            Ok(()) => self,
            Err(error) => self.refuse(DbError::Invalid(error.to_string())),
        }
    }

    /// Makes the query fail when run.
    pub(crate) fn refuse(mut self, error: DbError) -> Self {
        self.refused.get_or_insert(error);
        self
    }

    /// Appends the next parameter's `$n` and binds it.
    pub fn push_bind<'t, T: Value<'t>>(mut self, value: T) -> Self {
        let number = self.count() + 1;
        self.text.push(&format!("${number}"));
        self.bind(value)
    }

    /// Appends `($n, $n+1, …)` and binds the values; an empty list matches nothing.
    ///
    /// For lists of up to some hundred values; [`push_ids`](Self::push_ids) has no limit.
    pub fn push_in<'t, T: Value<'t>>(mut self, values: impl IntoIterator<Item = T>) -> Self {
        self.text.push("(");
        let mut empty = true;
        for value in values {
            if !empty {
                self.text.push(", ");
            }
            self = self.push_bind(value);
            empty = false;
        }
        if empty && self.engine() == Engine::Postgres {
            // SQLite accepts an empty list; PostgreSQL needs a typed empty select.
            let name = <T as Type<Postgres>>::type_info().to_string();
            self.text.push("select cast(null as ");
            self.text.push(&name);
            self.text.push(") where false");
        }
        self.text.push(")");
        self
    }

    /// Appends `(select …)` of any number of texts, bound as one parameter, for use after `where id in`.
    pub fn push_ids<S: AsRef<str>>(mut self, ids: &[S]) -> Self {
        let number = self.count() + 1;
        let (open, close) = self.engine().each_text();
        self.text.push(&format!("{open}${number}{close}"));
        self.bind(Json(ids.iter().map(AsRef::as_ref).collect::<Vec<&str>>()))
    }

    pub(crate) fn count(&self) -> usize {
        match &self.args {
            Args::Sqlite(args) => args.len(),
            Args::Postgres(args) => args.len(),
        }
    }

    /// All rows, in memory.
    pub fn all<T: Row>(self) -> impl Future<Output = Result<Vec<T>, DbError>> {
        self.all_by(AnyRow::read::<T>)
    }

    /// As [`all`](Self::all), each row read by a function: one statement serves several types.
    pub async fn all_by<T>(
        mut self,
        read: impl Fn(&AnyRow) -> Result<T, DbError>,
    ) -> Result<Vec<T>, DbError> {
        self.enter()?;
        let mut answers = Vec::new();
        let mut failure = None;
        let args = self.take_args();
        let mut rows = rows(self.text.sql(), args, self.on.again());
        while let Some(row) = rows.next().await {
            match row.map_err(DbError::from).and_then(|row| read(&row)) {
                Ok(answer) => answers.push(answer),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        drop(rows);
        self.leave(failure.map_or(Ok(answers), Err)).await
    }

    /// The row, or [`DbError::NotFound`].
    pub async fn one<T: Row>(self) -> Result<T, DbError> {
        self.optional().await?.ok_or(DbError::NotFound)
    }

    /// The row, if there is one.
    pub fn optional<T: Row>(self) -> impl Future<Output = Result<Option<T>, DbError>> {
        self.optional_by(AnyRow::read::<T>)
    }

    /// As [`optional`](Self::optional), the row read by a function.
    pub async fn optional_by<T>(
        mut self,
        read: impl Fn(&AnyRow) -> Result<T, DbError>,
    ) -> Result<Option<T>, DbError> {
        self.enter()?;
        let row = self.row().await;
        let answer = row.map_err(DbError::from).and_then(|row| row.map(|row| read(&row)).transpose());
        self.leave(answer).await
    }

    /// The first column of the row, or [`DbError::NotFound`].
    pub async fn scalar<T>(self) -> Result<T, DbError>
    where
        (T,): Row,
    {
        Ok(self.one::<(T,)>().await?.0)
    }

    /// Runs a statement and returns the number of changed rows.
    pub async fn execute(mut self) -> Result<u64, DbError> {
        self.enter()?;
        let (text, args) = (self.text.sql(), self.take_args());
        let done = dispatch!(
            text,
            args,
            self.on.again(),
            |query, executor| query.execute(executor).await.map(|done| done.rows_affected()),
            query.execute(executor).await.map(|done| done.rows_affected())
        );
        self.leave(done.map_err(DbError::from)).await
    }

    /// The rows one by one, for results too large for memory; inside a job, where a failure must be noticed in time,
    /// they are collected.
    pub fn stream<T: Row + 'q>(self) -> impl Stream<Item = Result<T, DbError>> + Send + 'q {
        self.stream_by(AnyRow::read::<T>)
    }

    /// As [`stream`](Self::stream), each row read by a function.
    pub fn stream_by<T: Send + 'q>(
        self,
        read: impl Fn(&AnyRow) -> Result<T, DbError> + Send + 'q,
    ) -> impl Stream<Item = Result<T, DbError>> + Send + 'q {
        if self.refused.is_some() || matches!(self.on, Target::Job(_)) {
            let all = stream::once(self.all_by(read));
            return Either::Left(all.map_ok(|rows| stream::iter(rows).map(Ok)).try_flatten());
        }
        let rows = rows(self.text.sql(), self.args, self.on);
        Either::Right(rows.map(move |row| row.map_err(DbError::from).and_then(|row| read(&row))))
    }

    async fn row(&mut self) -> Result<Option<AnyRow>, sqlx::Error> {
        let (text, args) = (self.text.sql(), self.take_args());
        dispatch!(
            text,
            args,
            self.on.again(),
            |query, executor| Ok(query.fetch_optional(executor).await?.map(AnyRow::sqlite)),
            Ok(query.fetch_optional(executor).await?.map(AnyRow::postgres))
        )
    }

    /// The parameters for the driver; a copy is kept where it may be needed to explain a failure.
    fn take_args(&mut self) -> Args {
        match (&mut self.args, &self.on) {
            (Args::Sqlite(args), Target::Job(_)) => Args::Sqlite(args.clone()),
            (Args::Sqlite(args), _) => Args::Sqlite(std::mem::take(args)),
            (Args::Postgres(args), _) => Args::Postgres(std::mem::take(args)),
        }
    }

    /// Fails if binding failed, or marks a statement as running.
    fn enter(&mut self) -> Result<(), DbError> {
        let refused = self.refused.take();
        match (&mut self.on, &refused) {
            (Target::Job(session), Some(error)) => session.spoil(error),
            (Target::Job(session), None) => session.enter()?,
            _ => {}
        }
        refused.map_or(Ok(()), Err)
    }

    /// Explains a failure, and marks the job as failed.
    async fn leave<T>(self, answer: Result<T, DbError>) -> Result<T, DbError> {
        let Target::Job(session) = self.on else { return answer };
        let answer = match (answer, &mut session.conn, &self.args) {
            (Err(DbError::Other(error)), Conn::Sqlite(lent), Args::Sqlite(args)) => {
                session.broken |= sqlite::ends_transaction(&error);
                let connection = lent.connection();
                Err(violation::on_sqlite(error, &self.text.0, args, connection).await)
            }
            (Err(DbError::Other(error)), Conn::Postgres(_, readers), _) => {
                session.lost |= postgres::is_lost(&error);
                Err(violation::on_postgres(error, readers).await)
            }
            (answer, ..) => answer,
        };
        session.leave();
        answer.inspect_err(|error| session.spoil(error))
    }
}
