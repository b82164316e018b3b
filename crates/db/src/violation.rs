//! A constraint's error as (kind, table, fields), so that a form can point at the field.
//!
//! PostgreSQL reports the constraint, and its catalog the columns. SQLite reports the columns, except for foreign keys,
//! where it reports nothing: `reference` finds those.

use sqlx::postgres::{PgDatabaseError, PgPool};
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteError};

use crate::reference::{self, Target};
use crate::{DbError, Violation, ViolationKind};

/// Analyses a database error; `statement` failed, with its transaction still open.
pub(crate) async fn on_sqlite(
    error: sqlx::Error,
    statement: &str,
    args: &SqliteArguments,
    connection: &mut SqliteConnection,
) -> DbError {
    let Some(told) = error.as_database_error().filter(|e| e.try_downcast_ref::<SqliteError>().is_some())
    else {
        return error.into();
    };
    let target = Target::of(statement);
    let table = target.as_ref().map(|target| target.table.to_owned());
    let named = told.message().split_once(": ").map_or("", |(_, named)| named);
    let found = match told.code().as_deref() {
        // SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY, _ROWID
        Some("2067" | "1555" | "2579") => unique(named, connection).await,
        // SQLITE_CONSTRAINT_NOTNULL
        Some("1299") => columns(ViolationKind::NotNull, named),
        // SQLITE_CONSTRAINT_CHECK
        Some("275") => check(table, named, connection).await,
        // SQLITE_CONSTRAINT_DATATYPE: cannot store TEXT value in INTEGER column t.c
        Some("3091") => columns(ViolationKind::Check, told.message().rsplit(' ').next().unwrap_or("")),
        // SQLITE_CONSTRAINT_FOREIGNKEY, and _TRIGGER for `on delete restrict`
        Some("787" | "1811") if told.message().contains("FOREIGN KEY") => match target {
            Some(target) => reference::broken(statement, &target, args, connection).await,
            None => Ok(nothing_known(ViolationKind::ForeignKey, None)),
        },
        _ => return error.into(),
    };
    // A failure to explain must not hide the original error.
    found.map_or_else(|_| error.into(), DbError::Violation)
}

/// Analyses a database error. The transaction is aborted, so the catalog is read on another connection.
pub(crate) async fn on_postgres(error: sqlx::Error, readers: &PgPool) -> DbError {
    let Some(told) = error.as_database_error().and_then(|e| e.try_downcast_ref::<PgDatabaseError>()) else {
        return error.into();
    };
    let in_use = told.detail().is_some_and(|detail| detail.contains("still referenced"));
    let kind = match told.code() {
        "23505" => ViolationKind::Unique,
        "23503" if in_use => ViolationKind::InUse,
        "23503" | "23001" => ViolationKind::ForeignKey,
        "23502" => ViolationKind::NotNull,
        "23514" => ViolationKind::Check,
        "57014" => return DbError::TooLong,
        "22021" | "22P05" => return DbError::Invalid(crate::value::NUL.into()),
        _ => return error.into(),
    };
    let fields = match kind {
        ViolationKind::NotNull => told.column().map(str::to_owned).into_iter().collect(),
        // Key (lower(name))=(box) already exists.
        ViolationKind::Unique | ViolationKind::ForeignKey => {
            let key = told.detail().and_then(|detail| detail.strip_prefix("Key ("));
            let key = key.and_then(|key| key.split_once(")=(")).map(|(key, _)| key);
            key.map(names_in).unwrap_or_default()
        }
        ViolationKind::Check | ViolationKind::InUse => sqlx::query_scalar(
            "select cast(a.attname as text) from pg_constraint c \
             cross join lateral unnest(c.conkey) with ordinality as k (number, place) \
             join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number \
             where c.conname = $1 and c.conrelid = to_regclass($2) order by k.place",
        )
        .bind(told.constraint())
        .bind(told.table())
        .fetch_all(readers)
        .await
        .unwrap_or_default(),
    };
    DbError::Violation(Violation {
        kind,
        table: told.table().map(str::to_owned),
        fields,
        constraint: told.constraint().map(str::to_owned),
    })
}

pub(crate) fn nothing_known(kind: ViolationKind, table: Option<String>) -> Violation {
    Violation { kind, table, fields: Vec::new(), constraint: None }
}

/// `t.a, t.b` as SQLite names columns.
fn columns(kind: ViolationKind, named: &str) -> Result<Violation, sqlx::Error> {
    let mut violation = nothing_known(kind, None);
    for column in named.split(", ") {
        if let Some((table, field)) = column.split_once('.') {
            violation.table = Some(table.to_owned());
            violation.fields.push(field.to_owned());
        }
    }
    Ok(violation)
}

/// Columns, or `index 'name'` for an index over expressions.
async fn unique(named: &str, connection: &mut SqliteConnection) -> Result<Violation, sqlx::Error> {
    let Some(index) = named.strip_prefix("index '").and_then(|name| name.strip_suffix('\'')) else {
        return columns(ViolationKind::Unique, named);
    };
    let (table, source): (String, String) =
        sqlx::query_as("select tbl_name, sql from sqlite_schema where type = 'index' and name = $1")
            .bind(index)
            .fetch_one(connection)
            .await?;
    let fields = source.find('(').map(|at| names_in(inside(&source[at..]))).unwrap_or_default();
    let constraint = Some(index.to_owned());
    Ok(Violation { kind: ViolationKind::Unique, table: Some(table), fields, constraint })
}

/// A constraint's name, or its expression if it has none.
async fn check(
    table: Option<String>,
    named: &str,
    connection: &mut SqliteConnection,
) -> Result<Violation, sqlx::Error> {
    let mut violation = nothing_known(ViolationKind::Check, table);
    let Some(table) = &violation.table else { return Ok(violation) };
    let source: String =
        sqlx::query_scalar("select sql from sqlite_schema where type = 'table' and name = $1")
            .bind(table)
            .fetch_one(&mut *connection)
            .await?;
    let rule = source.find(&format!("constraint {named} check")).and_then(|at| {
        violation.constraint = Some(named.to_owned());
        let rest = &source[at..];
        rest.find('(').map(|at| inside(&rest[at..]))
    });
    let known: Vec<String> = sqlx::query_scalar("select name from pragma_table_info($1)")
        .bind(table)
        .fetch_all(connection)
        .await?;
    violation.fields = names_in(rule.unwrap_or(named));
    violation.fields.retain(|field| known.contains(field));
    Ok(violation)
}

/// The text between the first parenthesis and its counterpart.
fn inside(text: &str) -> &str {
    let mut depth = 0;
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[1..at.max(1)];
        }
    }
    text
}

/// The columns in an expression: its words that are not function names, cast types or quoted.
fn names_in(expression: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = expression;
    let mut before = "";
    while let Some(first) = rest.chars().next() {
        let end = match first {
            'a'..='z' | 'A'..='Z' | '_' => rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_'),
            '\'' => rest[1..].find('\'').map(|at| at + 2),
            _ => Some(first.len_utf8()),
        };
        let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
        let word = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let called = after.trim_start().starts_with('(');
        if word && !called && before != ":" && before != "collate" {
            let known = names.iter().any(|name| name == token);
            if !known && !matches!(token, "and" | "or" | "not" | "null" | "is" | "in" | "collate") {
                names.push(token.to_owned());
            }
        }
        if !token.trim().is_empty() {
            before = token;
        }
        rest = after;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_names_its_columns() {
        assert_eq!(names_in("store_id, lower(name)"), ["store_id", "name"]);
        assert_eq!(names_in("coalesce(area, 'none'::text) collate nocase"), ["area"]);
        assert_eq!(names_in("low <= high and low is not null"), ["low", "high"]);
    }

    #[test]
    fn a_parenthesis_has_a_partner() {
        assert_eq!(inside("(a (b) c) d"), "a (b) c");
        assert_eq!(inside("()"), "");
    }
}
