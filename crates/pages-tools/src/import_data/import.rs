//! Definition of the list import.

use larder_db::{Query, Tx};
use larder_domain::StoreScope;
use serde_json::{Map, Value, json};

use super::model::{ImportBatch, ImportMapping, ImportState, ImportSummary};
use super::{fields, lists, queries};
use larder_lists::catalog;
use larder_lists::imports;
use larder_lists::imports::{Import, State, Step, refuse_state};
use larder_platform::http::{ApiResult, Who};

/// Import of any list from a file.
pub(crate) struct DataImport;

/// Checks what every row would do.
pub const CHECK: Step<ImportState> = Step {
    job: "importData.check",
    from: &[ImportState::Uploaded, ImportState::Checked, ImportState::Failed],
    running: ImportState::Checking,
    done: ImportState::Checked,
    done_at: None,
    stopped: (ImportState::Failed, "Stopped on request."),
};

/// Writes the checked rows.
pub(crate) const COMMIT: Step<ImportState> = Step {
    job: "importData.commit",
    from: &[ImportState::Checked, ImportState::Failed],
    running: ImportState::Committing,
    done: ImportState::Committed,
    done_at: Some("committed_at"),
    stopped: (
        ImportState::Failed,
        "Stopped on request. Commit again to write the rest, or undo what was written.",
    ),
};

/// Undoes what was written.
pub(crate) const UNDO: Step<ImportState> = Step {
    job: "importData.undo",
    from: &[ImportState::Committed, ImportState::Failed],
    running: ImportState::Undoing,
    done: ImportState::Undone,
    done_at: Some("undone_at"),
    stopped: (ImportState::Failed, "Stopped on request. Undo again to take back the rest."),
};

impl Import for DataImport {
    type State = ImportState;
    type Batch = ImportBatch;
    /// The list's slug.
    type New = &'static str;
    type Mapping = ImportMapping;
    type Summary = ImportSummary;

    const PAGE: &'static str = "tools/importData";
    const KIND: &'static str = "importBatch";
    const ONE: &'static str = "import";
    const TABLE: &'static str = "import_batches";
    const ROWS: &'static [&'static str] = &["import_rows"];
    const FOLDER: &'static str = "imports";
    const COLUMNS: &'static str = ", b.list, b.committed_at, b.undone_at";
    const NEW_COLUMNS: &'static str = ", list";
    const REMOVABLE: &'static [ImportState] = CHECK.from;

    fn bind_new<'q>(query: Query<'q>, list: &&'static str) -> Query<'q> {
        query.push(", ").push_bind(*list)
    }

    fn new_in_trail(list: &&'static str) -> Map<String, Value> {
        Map::from_iter([("list".to_owned(), json!(list))])
    }

    /// Restricts to lists the user may import into; for store-limited users, to their own uploads.
    fn visible<'q>(query: Query<'q>, who: &Who) -> Query<'q> {
        let lists = catalog::ALL.iter().copied().filter(|def| lists::may(who, def)).map(fields::slug);
        let query = query.push(" and b.list in ").push_ids(&lists.collect::<Vec<_>>());
        match who.scope {
            StoreScope::All => query,
            StoreScope::Only(_) => query.push(" and b.created_by_uid = ").push_bind(&who.uid),
        }
    }

    async fn may_remove(tx: &mut Tx<'_>, batch: &ImportBatch) -> ApiResult<()> {
        match queries::rows::any_done(tx, &batch.id).await? {
            false => Ok(()),
            true => Err(refuse_state(batch.state)),
        }
    }
}

impl State for ImportState {
    const RUNNING: &'static [Self] = &[Self::Checking, Self::Committing, Self::Undoing];
    const FAILED: Self = Self::Failed;

    fn refusal(self) -> &'static str {
        match self {
            Self::Uploaded => "Say which columns are what first.",
            Self::Checking | Self::Committing | Self::Undoing => {
                "This file is being worked on. Wait until that is done, or stop it."
            }
            Self::Checked => "The rows of this file are checked and not written yet.",
            Self::Committed => "The rows of this file are written already. Undo that first.",
            Self::Undone => "This import was taken back. Upload the file again to import it once more.",
            Self::Failed => "The last step of this import did not end well. See what it says.",
        }
    }
}

imports::batch!(ImportBatch, ImportState);
