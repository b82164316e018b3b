//! The engine of imports: a file becomes a batch, and a batch goes through steps that can be looked at and taken back.
//!
//! upload ([`files`]: kept as it came, recognised) → mapping (suggested by the layout or by what was said of a file
//! like it, [`remember`]) → check → write → undo. A step is declared ([`Step`]); taking it is one conditional update
//! ([`steps`]), its work is a job ([`jobs`]), and however that ends stands in the batch. Whoever asks for a batch gets
//! it through [`batches`], which knows who may see it. An import declares itself by [`Import`]; what it reads, how a
//! row is checked and what is written is its own.
//!
//! [`records`] is what imports into lists compare with: the records there are, and what they are called.

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

/// One import, as the engine knows it.
pub trait Import: Send + Sync + 'static {
    /// Where its batches can stand.
    type State: State;
    /// A batch on the wire.
    type Batch: Batch<State = Self::State>;
    /// What a new batch has beside its file and layout.
    type New: Send + Sync;
    /// How a file is read.
    type Mapping: Serialize + DeserializeOwned + Send + Sync + Unpin;
    /// What the rows of a file do or add up to.
    type Summary: Serialize + Send + Sync;

    /// The page whose rights it asks for.
    const PAGE: &'static str;
    /// Its batches in the trail, in the history and on open screens.
    const KIND: &'static str;
    /// What a batch is called where there is none.
    const ONE: &'static str;
    /// The table of its batches: `id`, `file_name`, `file_key`, `size`, `state`, `layout`, `mapping`, `summary`,
    /// `error`, `job_id`, `created_at`, `created_by`, `created_by_uid`, `revision`, and its own columns.
    const TABLE: &'static str;
    /// Tables whose rows belong to a batch by `batch_id`, and go with it.
    const ROWS: &'static [&'static str];
    /// The folder of its files.
    const FOLDER: &'static str;
    /// What may be kept beside a file, by the end of its key.
    const BESIDE: &'static [&'static str] = &[];
    /// Its own columns, as a batch is read: `", b.list"`.
    const COLUMNS: &'static str;
    /// Its own columns, as a new batch fills them: `", list"`. [`Import::bind_new`] binds their values.
    const NEW_COLUMNS: &'static str;
    /// From where a batch can be removed.
    const REMOVABLE: &'static [Self::State];

    /// Appends a value for each of [`Import::NEW_COLUMNS`], a comma before each.
    fn bind_new<'q>(query: Query<'q>, new: &Self::New) -> Query<'q>;

    /// What the trail says of a new batch beside its file's name and size.
    fn new_in_trail(new: &Self::New) -> Map<String, Value>;

    /// Appends the condition on `b` under which somebody may see a batch: `" and …"`.
    fn visible<'q>(query: Query<'q>, who: &Who) -> Query<'q>;

    /// Refuses to remove a batch of which something was written.
    fn may_remove(tx: &mut Tx<'_>, batch: &Self::Batch) -> impl Future<Output = ApiResult<()>> + Send;
}

/// An import that remembers how files of some columns were read, so that the next one needs no mapping by hand.
pub trait Remembers: Import {
    /// The table: `fingerprint`, `mapping`, `batch_id`, `file_name`, `updated_at`, `updated_by`.
    const MEMORY: &'static str;
}

/// Where a batch can stand.
pub trait State: Copy + PartialEq + Serialize + Send + Sync + for<'q> larder_db::Value<'q> + 'static {
    /// While a job is at it.
    const RUNNING: &'static [Self];
    /// A step did not end well.
    const FAILED: Self;

    /// What somebody should do instead, who wished for a step that cannot be taken from here.
    fn refusal(self) -> &'static str;
}

/// What the engine asks of a batch.
pub trait Batch: Row + Serialize + Sync {
    /// Where it can stand.
    type State: State;

    fn id(&self) -> &str;

    fn state(&self) -> Self::State;

    /// The job at work on it, or the last one.
    fn job_id(&self) -> Option<&str>;

    /// How often its state was changed.
    fn revision(&self) -> i64;

    fn file_name(&self) -> &str;

    /// Where its file is kept.
    fn file_key(&self) -> &str;
}

/// A [`Batch`] whose members are called as the columns of its table.
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

/// What is wished does not fit where the batch stands.
pub fn refuse_state(state: impl State) -> ApiError {
    ApiError::conflict("state", state.refusal())
}

/// Limit and offset of a page of at most 1,000 rows, 50 where nothing is said.
pub fn limits(page: Option<i64>, page_size: Option<i64>) -> (i64, i64) {
    let size = page_size.unwrap_or(50).clamp(1, 1_000);
    let page = page.unwrap_or(1).clamp(1, 1_000_000);
    (size, (page - 1) * size)
}
