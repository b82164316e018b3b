//! SQL that is not the same on both engines: where it may stand, and that PostgreSQL accepts every statement.

use std::collections::BTreeSet;

use larder_db::Engine;
use larder_db::testing::Temp;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use crate::statements::{Found, of_file, sources};

/// The functions and constants of the data layer that differ by engine, each with the test that runs it on
/// PostgreSQL.
const VARIANTS: [(&str, &str, &str); 18] = [
    ("db/src/bulk.rs", "push_document", "rows_can_update_and_be_joined"),
    ("db/src/db.rs", "open", "increments_add_up"),
    ("db/src/db.rs", "engine", "every_type_round_trips"),
    ("db/src/dialect.rs", "of_url", "each_migration_is_applied_once"),
    ("db/src/dialect.rs", "each_text", "lists_of_any_length_can_be_asked_for"),
    ("db/src/dialect.rs", "each_row", "rows_arrive_whole_and_once"),
    ("db/src/dialect.rs", "cell", "bytes_round_trip"),
    ("db/src/migrate.rs", "translate", "each_migration_is_applied_once"),
    ("db/src/migrate.rs", "token", "each_migration_is_applied_once"),
    ("db/src/migrate.rs", "run", "each_migration_is_applied_once"),
    ("db/src/migrate.rs", "run_postgres", "processes_may_migrate_at_once"),
    ("db/src/postgres.rs", "begin", "a_job_that_lost_runs_again_on_postgres"),
    ("db/src/postgres.rs", "LEAVE_TRACES", "a_change_leaves_its_row_and_its_event"),
    ("db/src/query.rs", "new", "every_type_round_trips"),
    ("db/src/query.rs", "engine", "every_type_round_trips"),
    ("db/src/query.rs", "push_in", "lists_of_any_length_can_be_asked_for"),
    ("db/src/query.rs", "push_ids", "lists_of_any_length_can_be_asked_for"),
    ("db/src/tx.rs", "engine", "every_type_round_trips"),
];

/// What only PostgreSQL understands, or what asks for the engine.
const MARKS: [&str; 11] = [
    "Engine::Postgres",
    ".engine()",
    "jsonb_array_elements",
    "jsonb_build",
    "pg_advisory",
    "pg_notify",
    "pg_get_",
    "nextval",
    "isolation level",
    "lock table",
    "skip locked",
];

/// The functions and constants of a source whose code has a mark.
fn marked<'c>(code: &'c str, into: &mut BTreeSet<&'c str>) {
    let mut inside = "";
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let named = words.windows(2).find(|pair| pair[0] == "fn" || (pair[0] == "const" && pair[1] != "fn"));
        inside = named.map_or(inside, |pair| pair[1]);
        if MARKS.iter().any(|mark| line.contains(mark)) {
            into.insert(inside);
        }
    }
}

#[test]
fn only_listed_functions_differ_by_engine() {
    let sources = sources();
    let mut found = BTreeSet::new();
    for (name, code) in &sources {
        if name.starts_with("db/src/testing") {
            continue;
        }
        let mut functions = BTreeSet::new();
        marked(code, &mut functions);
        found.extend(functions.into_iter().map(|function| (name.as_str(), function)));
    }
    let listed: BTreeSet<(&str, &str)> =
        VARIANTS.iter().map(|(file, function, _)| (*file, *function)).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(
        new.is_empty(),
        "write common SQL, or list these with a test that runs them on PostgreSQL: {new:?}"
    );
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "these no longer differ by engine: {gone:?}");
    let tests = concat!(
        include_str!("bulk.rs"),
        include_str!("live.rs"),
        include_str!("migrate.rs"),
        include_str!("query.rs"),
        include_str!("violation.rs"),
        include_str!("write.rs")
    );
    for (file, function, test) in VARIANTS {
        let body = tests.split(&format!("async fn {test}(")).nth(1);
        let body = body.unwrap_or_else(|| panic!("{file} {function}: there is no test {test}"));
        let on = body.split_once('{').map_or("", |(arguments, _)| arguments);
        assert!(
            on.contains("Postgres")
                || body.split("async fn").next().is_some_and(|body| body.contains("Postgres")),
            "{test} does not run on PostgreSQL"
        );
    }
}

#[tokio::test]
async fn postgres_accepts_every_statement_of_the_sources() {
    let mut found = Found::default();
    for (name, code) in &sources() {
        // The data layer's own are for one engine each.
        if !name.starts_with("db/") {
            of_file(name, code, &mut found);
        }
    }
    let (whole, composed) = (found.statements.len(), found.composed.len());
    assert!(whole > 2 * composed, "{whole} statements were read, {composed} not: {:?}", found.composed);
    let temp = Temp::new(Engine::Postgres).await;
    let mut connection = PgConnection::connect(&temp.url).await.expect("the database opens");
    let mut refused = Vec::new();
    for (number, statement) in found.statements.iter().enumerate() {
        // Parsed, and its tables, columns, functions and types looked up, but not run.
        let text = format!("prepare statement_{number} as {}", statement.text);
        if let Err(error) = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut connection).await {
            refused.push(format!("{}: {error}", statement.place));
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
    connection.close().await.ok();
}
