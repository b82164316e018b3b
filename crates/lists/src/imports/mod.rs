//! The engine of imports: a file becomes a batch, and a batch goes through steps that can be reviewed and
//! undone.
//!
//! upload ([`files`]: stored unchanged, format detected) → mapping (suggested by the layout or by the mapping
//! of a similar file, [`remember`]) → check → write → undo. A step is declared ([`Step`]); taking it is one
//! conditional update ([`steps`]), its work is a job ([`jobs`]), and the result is stored in the batch.
//! [`batches`] loads batches with permission checks. An import implements [`Import`] with its own parsing,
//! row checks and writing.
//!
//! [`records`] holds the existing records and names that list imports compare with.

pub mod batches;
pub mod export;
pub mod files;
pub mod jobs;
pub mod layout;
mod queries;
pub mod records;
pub mod steps;

use larder_db::{Query, Row, Tx};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use larder_platform::http::{ApiError, ApiResult, Who};

pub use queries::{record, remember, set_mapping, set_summary};
pub use steps::Step;

/// The declaration of an import.
pub trait Import: Send + Sync + 'static {
    /// States of its batches.
    type State: State;
    /// A batch in the API.
    type Batch: Batch<State = Self::State>;
    /// What a new batch has beside its file and layout.
    type New: Send + Sync;
    /// How a file is read.
    type Mapping: Serialize + DeserializeOwned + Send + Sync + Unpin;
    /// Totals of a file's rows.
    type Summary: Serialize + Send + Sync;

    /// The page whose permissions it requires.
    const PAGE: &'static str;
    /// Entity type of its batches in the audit trail and in events.
    const KIND: &'static str;
    /// Noun in «not found» messages.
    const ONE: &'static str;
    /// The table of its batches: `id`, `file_name`, `file_key`, `size`, `state`, `layout`, `mapping`,
    /// `summary`, `error`, `job_id`, `created_at`, `created_by`, `created_by_uid`, `revision`, and its own
    /// columns.
    const TABLE: &'static str;
    /// Tables whose rows refer to a batch by `batch_id` and are deleted with it.
    const ROWS: &'static [&'static str];
    const FOLDER: &'static str;
    /// Suffixes of keys stored next to a file.
    const BESIDE: &'static [&'static str] = &[];
    /// Its own columns when reading a batch: `", b.list"`.
    const COLUMNS: &'static str;
    /// Its own columns when inserting a batch: `", list"`. [`Import::bind_new`] binds their values.
    const NEW_COLUMNS: &'static str;
    /// States in which a batch can be deleted.
    const REMOVABLE: &'static [Self::State];

    /// Appends a value for each of [`Import::NEW_COLUMNS`], a comma before each.
    fn bind_new<'q>(query: Query<'q>, new: &Self::New) -> Query<'q>;

    /// Audit fields of a new batch beside its file's name and size.
    fn new_in_trail(new: &Self::New) -> Map<String, Value>;

    /// Appends the condition on `b` for the batches a user may see: `" and …"`.
    fn visible<'q>(query: Query<'q>, who: &Who) -> Query<'q>;

    /// Refuses to delete a batch of which something was written.
    fn may_remove(tx: &mut Tx<'_>, batch: &Self::Batch) -> impl Future<Output = ApiResult<()>> + Send;
}

/// An import that remembers mappings by columns, so that similar files need no manual mapping.
pub trait Remembers: Import {
    /// The table: `fingerprint`, `mapping`, `batch_id`, `file_name`, `updated_at`, `updated_by`.
    const MEMORY: &'static str;
}

/// State of a batch.
pub trait State: Copy + PartialEq + Serialize + Send + Sync + for<'q> larder_db::Value<'q> + 'static {
    /// States while a job works on it.
    const RUNNING: &'static [Self];
    /// A step failed.
    const FAILED: Self;

    /// What to do instead, as the message for a step that cannot be taken from here.
    fn refusal(self) -> &'static str;
}

/// A batch as the engine sees it.
pub trait Batch: Row + Serialize + Sync {
    type State: State;

    fn id(&self) -> &str;

    fn state(&self) -> Self::State;

    /// The current job, or the last one.
    fn job_id(&self) -> Option<&str>;

    fn revision(&self) -> i64;

    fn file_name(&self) -> &str;

    /// Key in the file store.
    fn file_key(&self) -> &str;
}

/// Implements [`Batch`] for a struct whose members are named like the columns of its table.
#[macro_export]
macro_rules! batch {
    ($batch:ty, $state:ty) => {
        impl $crate::imports::Batch for $batch {
            type State = $state;

            fn id(&self) -> &str {
                &self.id
            }

            fn state(&self) -> $state {
                self.state
            }

            fn job_id(&self) -> Option<&str> {
                self.job_id.as_deref()
            }

            fn revision(&self) -> i64 {
                self.revision
            }

            fn file_name(&self) -> &str {
                &self.file_name
            }

            fn file_key(&self) -> &str {
                &self.file_key
            }
        }
    };
}
pub use batch;

/// The operation is not possible in the batch's state.
pub fn refuse_state(state: impl State) -> ApiError {
    ApiError::conflict("state", state.refusal())
}

/// Limit and offset of a page of at most 1,000 rows, 50 by default.
pub fn limits(page: Option<i64>, page_size: Option<i64>) -> (i64, i64) {
    let size = page_size.unwrap_or(50).clamp(1, 1_000);
    let page = page.unwrap_or(1).clamp(1, 1_000_000);
    (size, (page - 1) * size)
}
