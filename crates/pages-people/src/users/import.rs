//! User import from a file: dry run first, then applied row by row. New users are invited.

use axum::body::Bytes;
use axum::extract::State;
use larder_db::Tx;
use larder_domain::Action;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::model::FirstPassword;
use super::refusals::Caller;
use super::sheet::{self, Names, Row};
use super::{draft, queries, write};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};
use larder_platform::people::users;
use larder_platform::people::users::UserRow;

/// Rows per transaction.
const TOGETHER: usize = 100;

/// Query parameters of an import.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// Only report what would happen.
    pub dry_run: bool,
}

/// The result of an import or dry run.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct UserImport {
    /// New users.
    pub created: u64,
    /// Changed users.
    pub updated: u64,
    /// Unchanged users.
    pub unchanged: u64,
    /// Failed rows.
    pub failed: u64,
    /// By row.
    pub rows: Vec<ImportedRow>,
}

/// The result of a row.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImportedRow {
    /// Row number as in a spreadsheet; the header is row 1.
    pub row: u64,
    /// Email address, as written.
    pub email: String,
    /// Result.
    pub outcome: Outcome,
    /// Message.
    pub message: String,
    /// Columns with errors.
    pub fields: Vec<FieldError>,
}

/// Result of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// User created.
    Created,
    /// User changed.
    Updated,
    /// Nothing to change.
    Unchanged,
    /// Row has errors.
    Failed,
}

/// Import users from a CSV file with the columns email, name, role, stores, status, billable. Empty cells
/// leave a user unchanged; new users are invited by email. With `dryRun` nothing is saved.
#[utoipa::path(post, path = "/api/users/import", tag = "users", params(ImportQuery),
    request_body(content_type = "text/csv", content = String), responses((status = 200, body = UserImport)))]
pub(crate) async fn import_users(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query<ImportQuery>,
    body: Bytes,
) -> ApiResult<Json<UserImport>> {
    let stores = queries::stores(&state.db).await?;
    let roles = larder_platform::people::roles::list(&state.db).await?;
    let names = Names::of(roles.into_iter().map(|role| (role.id, role.name)).collect(), stores);
    let rows = sheet::read(&body, &names)?;
    let mut report = UserImport::default();
    for part in rows.chunks(TOGETHER) {
        for (row, outcome) in take_in(&state, &caller, part, query.dry_run).await? {
            let outcome = caller.noted(&state, "user", "", outcome).await;
            report.add(row, outcome);
        }
    }
    state.sessions.clear();
    state.jobs.wake();
    Ok(Json(report))
}

type Taken<'r> = Vec<(&'r Row, ApiResult<Outcome>)>;

/// A dry run is rolled back by returning an error that carries its result.
enum Ended<'r> {
    Tried(Taken<'r>),
    Failed(ApiError),
}

impl From<larder_db::DbError> for Ended<'_> {
    fn from(error: larder_db::DbError) -> Self {
        Self::Failed(error.into())
    }
}

async fn take_in<'r>(
    state: &AppState,
    caller: &Caller,
    rows: &'r [Row],
    dry_run: bool,
) -> ApiResult<Taken<'r>> {
    let who = &caller.who;
    let written = state
        .db
        .write(&who.actor(), async |tx| {
            let mut taken = Taken::new();
            for row in rows {
                taken.push((row, take_row(tx, state, who, row).await));
            }
            if dry_run { Err(Ended::Tried(taken)) } else { Ok(taken) }
        })
        .await;
    match written {
        Ok(taken) | Err(Ended::Tried(taken)) => Ok(taken),
        Err(Ended::Failed(error)) => Err(error),
    }
}

async fn take_row(tx: &mut Tx<'_>, state: &AppState, who: &Who, row: &Row) -> ApiResult<Outcome> {
    let wish = row.wish.as_ref().map_err(|findings| ApiError::invalid(findings.clone()))?;
    // A failed row is rolled back on its own, in a savepoint.
    tx.savepoint(async |tx| match users::of_address(tx, &row.email).await? {
        None => add(tx, state, who, wish).await,
        Some(known) => change(tx, state, who, &known, wish).await,
    })
    .await
}

async fn add(tx: &mut Tx<'_>, state: &AppState, who: &Who, wish: &Map<String, Value>) -> ApiResult<Outcome> {
    if !who.can(super::PAGE, Action::Create) {
        return Err(ApiError::new(axum::http::StatusCode::FORBIDDEN, "forbidden", "You may not add users."));
    }
    let mut body = wish.clone();
    if body.contains_key("roleId") && !body.contains_key("storeIds") {
        let words = "Name the stores by their codes, or write «all».";
        return Err(ApiError::field("stores", words));
    }
    body.insert("password".to_owned(), "invite".into());
    let (fields, first) = draft::read_new(body)?;
    write::create(tx, state, who, &fields, first).await?;
    debug_assert_eq!(first, FirstPassword::Invite);
    Ok(Outcome::Created)
}

async fn change(
    tx: &mut Tx<'_>,
    state: &AppState,
    who: &Who,
    known: &UserRow,
    wish: &Map<String, Value>,
) -> ApiResult<Outcome> {
    if !who.can(super::PAGE, Action::Edit) {
        return Err(ApiError::new(
            axum::http::StatusCode::FORBIDDEN,
            "forbidden",
            "You may not change users.",
        ));
    }
    let mut wish = wish.clone();
    wish.remove("email");
    let apply = |fields| draft::change(fields, wish);
    let written = write::update(tx, state, who, &known.id, known.revision, apply).await?;
    Ok(if written.revision == known.revision { Outcome::Unchanged } else { Outcome::Updated })
}

impl UserImport {
    fn add(&mut self, row: &Row, outcome: ApiResult<Outcome>) {
        let (outcome, message, fields) = match outcome {
            Ok(Outcome::Created) => (Outcome::Created, "Invited.".to_owned(), Vec::new()),
            Ok(Outcome::Updated) => (Outcome::Updated, "Changed.".to_owned(), Vec::new()),
            Ok(outcome) => (outcome, "Nothing to change.".to_owned(), Vec::new()),
            Err(refusal) => {
                (Outcome::Failed, refusal.detail, refusal.fields.into_iter().map(column).collect())
            }
        };
        match outcome {
            Outcome::Created => self.created += 1,
            Outcome::Updated => self.updated += 1,
            Outcome::Unchanged => self.unchanged += 1,
            Outcome::Failed => self.failed += 1,
        }
        self.rows.push(ImportedRow { row: row.row, email: row.email.clone(), outcome, message, fields });
    }
}

/// Renames a field to its column.
fn column(found: FieldError) -> FieldError {
    let field = match found.field.as_str() {
        "roleId" => "role".to_owned(),
        "storeIds" => "stores".to_owned(),
        _ => found.field,
    };
    FieldError { field, ..found }
}
