//! Finds the foreign key a statement violated on SQLite, which does not report it: the schema has the references, and
//! the rows the statement would have written (or deleted) show which of them is broken.

use std::collections::BTreeMap;

use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Executor, Row, TypeInfo, ValueRef};

use crate::violation::nothing_known;
use crate::{Violation, ViolationKind};

/// The table a statement changes.
pub(crate) struct Target<'s> {
    verb: Verb,
    pub table: &'s str,
    /// Where the verb begins and the table's name ends.
    begin: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Verb {
    Insert,
    Update,
    Delete,
}

impl<'s> Target<'s> {
    /// The table and column a statement refers to, as far as its text shows.
    pub fn of(statement: &'s str) -> Option<Target<'s>> {
        let mut at = 0;
        let mut verb: Option<(Verb, usize)> = None;
        for word in statement.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let begin = at;
            at += word.len();
            let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            match (bare, verb) {
                ("", _) => {}
                ("insert", None) => verb = Some((Verb::Insert, begin)),
                ("update", None) => verb = Some((Verb::Update, begin)),
                ("delete", None) => verb = Some((Verb::Delete, begin)),
                ("or" | "replace" | "ignore" | "into" | "from", Some(_)) => {}
                (table, Some((verb, verb_at))) => {
                    return Some(Target { verb, table, begin: verb_at, end: begin + table.len() });
                }
                _ => {}
            }
        }
        None
    }
}

/// One foreign key of the schema.
struct Reference {
    child: String,
    child_columns: Vec<String>,
    parent: String,
    parent_columns: Vec<String>,
}

/// The foreign keys of a table, or those that refer to it.
async fn references(
    table: &str,
    side: &'static str,
    connection: &mut SqliteConnection,
) -> Result<Vec<Reference>, sqlx::Error> {
    let text = format!(
        "select t.name, f.id, f.\"table\", f.\"from\", coalesce(f.\"to\", p.name) \
         from sqlite_schema t join pragma_foreign_key_list(t.name) f \
         left join pragma_table_info(f.\"table\") p on f.\"to\" is null and p.pk = f.seq + 1 \
         where t.type = 'table' and {side} = $1 order by t.name, f.id, f.seq"
    );
    type Part = (String, i64, String, String, String);
    let parts: Vec<Part> = sqlx::query_as(AssertSqlSafe(text)).bind(table).fetch_all(connection).await?;
    let mut all: BTreeMap<(String, i64), Reference> = BTreeMap::new();
    for (child, id, parent, from, to) in parts {
        let reference = all.entry((child.clone(), id)).or_insert_with(|| Reference {
            child,
            child_columns: Vec::new(),
            parent,
            parent_columns: Vec::new(),
        });
        reference.child_columns.push(from);
        reference.parent_columns.push(to);
    }
    Ok(all.into_values().collect())
}

/// The reference violated by a statement that failed and was undone.
pub(crate) async fn broken(
    statement: &str,
    target: &Target<'_>,
    args: &SqliteArguments,
    connection: &mut SqliteConnection,
) -> Result<Violation, sqlx::Error> {
    let deleting = target.verb == Verb::Delete;
    let side = if deleting { "f.\"table\"" } else { "t.name" };
    let references = references(target.table, side, connection).await?;
    let ours = |reference: &Reference| match deleting {
        true => reference.parent_columns.clone(),
        false => reference.child_columns.clone(),
    };
    let mut wanted: Vec<String> = references.iter().flat_map(ours).collect();
    wanted.sort();
    wanted.dedup();
    let kind = if deleting { ViolationKind::InUse } else { ViolationKind::ForeignKey };
    let unknown = nothing_known(kind, (!deleting).then(|| target.table.to_owned()));
    if wanted.is_empty() {
        return Ok(unknown);
    }
    let rows = match deleting {
        true => rows_to_delete(statement, target, &wanted, args, connection).await?,
        false => rows_to_write(statement, &wanted, args, connection).await?,
    };
    for reference in references {
        let ours = ours(&reference);
        let (table, theirs) = match deleting {
            true => (&reference.child, &reference.child_columns),
            false => (&reference.parent, &reference.parent_columns),
        };
        for row in &rows {
            let Some(key) = key(row, &ours)? else { continue };
            let exists = exists(table, theirs, key, connection).await?;
            if exists == deleting {
                return Ok(Violation {
                    kind,
                    table: Some(reference.child),
                    fields: reference.child_columns,
                    constraint: None,
                });
            }
        }
    }
    Ok(unknown)
}

/// Runs the statement again with deferred foreign keys, and undoes it.
async fn rows_to_write(
    statement: &str,
    wanted: &[String],
    args: &SqliteArguments,
    connection: &mut SqliteConnection,
) -> Result<Vec<SqliteRow>, sqlx::Error> {
    let end = statement.rfind(" returning ").unwrap_or(statement.len());
    let text = format!("{} returning {}", &statement[..end], wanted.join(", "));
    connection.execute("savepoint explain; pragma defer_foreign_keys = on").await?;
    let rows = sqlx::query_with(AssertSqlSafe(text), args.clone()).fetch_all(&mut *connection).await;
    let text = "rollback to explain; release explain; pragma defer_foreign_keys = off";
    connection.execute(text).await?;
    rows
}

/// The rows selected by a `delete`.
async fn rows_to_delete(
    statement: &str,
    target: &Target<'_>,
    wanted: &[String],
    args: &SqliteArguments,
    connection: &mut SqliteConnection,
) -> Result<Vec<SqliteRow>, sqlx::Error> {
    let end = statement.rfind(" returning ").unwrap_or(statement.len());
    let (before, rest) = (&statement[..target.begin], &statement[target.end..end]);
    let text = format!("{before}select {} from {}{rest}", wanted.join(", "), target.table);
    sqlx::query_with(AssertSqlSafe(text), args.clone()).fetch_all(connection).await
}

enum Key {
    Text(String),
    Integer(i64),
}

/// A row's values of these columns, unless one is null: null refers to nothing.
fn key(row: &SqliteRow, columns: &[String]) -> Result<Option<Vec<Key>>, sqlx::Error> {
    let mut key = Vec::new();
    for column in columns {
        let value = row.try_get_raw(column.as_str())?;
        if value.is_null() {
            return Ok(None);
        }
        key.push(match value.type_info().name() {
            "INTEGER" => Key::Integer(row.try_get(column.as_str())?),
            _ => Key::Text(row.try_get(column.as_str())?),
        });
    }
    Ok(Some(key))
}

async fn exists(
    table: &str,
    columns: &[String],
    key: Vec<Key>,
    connection: &mut SqliteConnection,
) -> Result<bool, sqlx::Error> {
    let equal: Vec<String> =
        columns.iter().enumerate().map(|(n, column)| format!("{column} = ${}", n + 1)).collect();
    let text = format!("select 1 from {table} where {} limit 1", equal.join(" and "));
    let mut query = sqlx::query(AssertSqlSafe(text));
    for part in key {
        query = match part {
            Key::Text(text) => query.bind(text),
            Key::Integer(number) => query.bind(number),
        };
    }
    Ok(query.fetch_optional(connection).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_has_a_target() {
        let of = |text| Target::of(text).map(|target| target.table);
        assert_eq!(of("insert into stores (id) values ($1)"), Some("stores"));
        assert_eq!(of("with a as (select 1) update stores set x = 1"), Some("stores"));
        assert_eq!(of("delete from stores where id = $1"), Some("stores"));
        assert_eq!(of("select id from stores"), None);
    }
}
