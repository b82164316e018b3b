//! Definition of the sales import.

use larder_db::{Query, Tx};
use larder_domain::StoreScope;
use larder_domain::sales::Mapping;
use serde_json::{Map, Value, json};

use super::model::{Batch, BatchState, Subject, Summary};
use super::queries;
use larder_lists::imports;
use larder_lists::imports::{Import, Remembers, State, Step, refuse_state};
use larder_platform::http::{ApiError, ApiResult, Who};

/// Import of a till's file into store-days.
pub(crate) struct SalesImport;

/// Reads and counts every row.
pub(crate) const VALIDATE: Step<BatchState> = Step {
    job: "sales.validate",
    from: &[BatchState::Uploaded, BatchState::Validated, BatchState::Failed],
    running: BatchState::Validating,
    done: BatchState::Validated,
    done_at: None,
    stopped: (BatchState::Uploaded, STOPPED),
};

/// Writes the store-days.
pub const POST: Step<BatchState> = Step {
    job: "sales.post",
    from: &[BatchState::Validated, BatchState::Superseded, BatchState::Reverted, BatchState::Failed],
    running: BatchState::Posting,
    done: BatchState::Posted,
    done_at: Some("posted_at"),
    stopped: (BatchState::Failed, STOPPED),
};

/// Reverts the store-days.
pub(crate) const REVERT: Step<BatchState> = Step {
    job: "sales.revert",
    from: &[BatchState::Posted, BatchState::Failed],
    running: BatchState::Posting,
    done: BatchState::Reverted,
    done_at: Some("reverted_at"),
    stopped: (BatchState::Failed, STOPPED),
};

const STOPPED: &str = "Stopped on request.";

/// Suffix of the storage key of a checked file's parsed lines.
pub(crate) const LINES: &str = ".lines";

/// Columns of a new batch besides those of every import.
pub struct New {
    pub sha256: String,
    pub subject: Subject,
}

impl Import for SalesImport {
    type State = BatchState;
    type Batch = Batch;
    type New = New;
    type Mapping = Mapping;
    type Summary = Summary;

    const PAGE: &'static str = "tools/importSalesProduct";
    const KIND: &'static str = "salesBatch";
    const ONE: &'static str = "batch";
    const TABLE: &'static str = "sales_batches";
    const ROWS: &'static [&'static str] =
        &["sales_batch_problems", "sales_batch_names", "sales_batch_left_out"];
    const FOLDER: &'static str = "sales";
    const BESIDE: &'static [&'static str] = &[LINES];
    const COLUMNS: &'static str = ", b.sha256, b.subject, b.posted_at, b.reverted_at";
    const NEW_COLUMNS: &'static str = ", problem_count, sha256, subject";
    const REMOVABLE: &'static [BatchState] = VALIDATE.from;

    fn bind_new<'q>(query: Query<'q>, new: &New) -> Query<'q> {
        query.push(", 0, ").push_bind(&new.sha256).push(", ").push_bind(new.subject)
    }

    fn new_in_trail(new: &New) -> Map<String, Value> {
        Map::from_iter([("sha256".to_owned(), json!(new.sha256))])
    }

    fn visible<'q>(query: Query<'q>, who: &Who) -> Query<'q> {
        match &who.scope {
            StoreScope::All => query,
            StoreScope::Only(stores) => queries::batches::within(query, &who.uid, stores),
        }
    }

    async fn may_remove(tx: &mut Tx<'_>, batch: &Batch) -> ApiResult<()> {
        if batch.posted_at.is_some() {
            return Err(refuse_state(batch.state));
        }
        if queries::batches::has_store_days(tx, &batch.id).await? {
            return Err(ApiError::conflict("state", "Some of this file was posted. Revert it first."));
        }
        Ok(())
    }
}

/// The batches listed by type of item.
pub(crate) struct Listed<const ROOT: bool>;

impl<const ROOT: bool> Import for Listed<ROOT> {
    type State = BatchState;
    type Batch = Batch;
    type New = New;
    type Mapping = Mapping;
    type Summary = Summary;

    const PAGE: &'static str = SalesImport::PAGE;
    const KIND: &'static str = SalesImport::KIND;
    const ONE: &'static str = SalesImport::ONE;
    const TABLE: &'static str = SalesImport::TABLE;
    const ROWS: &'static [&'static str] = SalesImport::ROWS;
    const FOLDER: &'static str = SalesImport::FOLDER;
    const BESIDE: &'static [&'static str] = SalesImport::BESIDE;
    const COLUMNS: &'static str = SalesImport::COLUMNS;
    const NEW_COLUMNS: &'static str = SalesImport::NEW_COLUMNS;
    const REMOVABLE: &'static [BatchState] = SalesImport::REMOVABLE;

    fn bind_new<'q>(query: Query<'q>, new: &New) -> Query<'q> {
        SalesImport::bind_new(query, new)
    }

    fn new_in_trail(new: &New) -> Map<String, Value> {
        SalesImport::new_in_trail(new)
    }

    fn visible<'q>(query: Query<'q>, who: &Who) -> Query<'q> {
        let of = if ROOT { " and b.subject = 'rootItems'" } else { " and b.subject = 'posItems'" };
        SalesImport::visible(query.push(of), who)
    }

    async fn may_remove(tx: &mut Tx<'_>, batch: &Batch) -> ApiResult<()> {
        SalesImport::may_remove(tx, batch).await
    }
}

impl Remembers for SalesImport {
    const MEMORY: &'static str = "sales_layouts";
}

impl State for BatchState {
    const RUNNING: &'static [Self] = &[Self::Validating, Self::Posting];
    const FAILED: Self = Self::Failed;

    fn refusal(self) -> &'static str {
        match self {
            Self::Uploaded => "Say how the file is read first.",
            Self::Validating => "The file is being checked. Wait until that is done, or stop it.",
            Self::Validated => "The file was checked but not posted.",
            Self::Posting => "The file is being posted. Wait until that is done, or stop it.",
            Self::Posted => "The file is posted. Revert it first.",
            Self::Superseded => "Later files have replaced all of this one.",
            Self::Reverted => "The file was reverted.",
            Self::Failed => "The last step failed. Confirm the mapping to check the file again.",
        }
    }
}

imports::batch!(Batch, BatchState);
