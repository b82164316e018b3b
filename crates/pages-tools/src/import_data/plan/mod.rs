//! What every row of a file does, decided in memory: the records there are and the names they have are loaded
//! once, every row is compared with them in the order it will be written, and what it changes is remembered
//! for the rows after it. Nothing here asks the database, and the commit writes exactly what is said here.

mod accounts;
mod cells;
mod identity;
mod order;
mod parents;
mod read;
mod row;
mod show;

use larder_domain::StoreScope;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fields::Target;
use super::model::{ImportChange, ImportMatch, ImportOutcome, ImportProblem};
use larder_lists::engine::ListDef;
use larder_lists::imports::records::Snapshot;

pub use read::Style;

/// A row of a file.
#[derive(Debug, Clone)]
pub struct RawRow {
    /// Its number, as a spreadsheet counts.
    pub number: u32,
    pub cells: Vec<String>,
    /// Which of them a workbook keeps as numbers.
    pub numbers: Vec<bool>,
}

/// How rows are understood, and what whoever asks may do.
#[derive(Debug, Clone)]
pub struct PlanRequest {
    pub def: &'static ListDef,
    /// What is read, and from which column.
    pub columns: Vec<(Target, usize)>,
    /// How a record is found.
    pub by: ImportMatch,
    /// How cells are written.
    pub style: Style,
    /// Kinds of records that may be made when a name is not there.
    pub makes: Vec<&'static str>,
    /// The stores within reach.
    pub scope: StoreScope,
}

/// What is written for a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Plan {
    /// A new record of this body.
    Create(Map<String, Value>),
    /// Another value in some fields.
    Update {
        /// The revision it was compared with.
        revision: i64,
        /// The fields; null empties one.
        patch: Map<String, Value>,
        /// What they held.
        back: Map<String, Value>,
    },
}

impl Plan {
    /// The record's revision once this is written.
    #[must_use]
    pub fn revision(&self) -> i64 {
        match self {
            Self::Create(_) => 1,
            Self::Update { revision, .. } => revision + 1,
        }
    }
}

/// What a row does.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The row; 0 for a record that a row needs.
    pub row: u32,
    /// The list it writes to.
    pub def: &'static ListDef,
    pub outcome: ImportOutcome,
    pub record_id: Option<String>,
    pub name: String,
    pub plan: Option<Plan>,
    /// For people.
    pub changes: Vec<ImportChange>,
    pub problems: Vec<ImportProblem>,
    /// The cells of a row that cannot be followed.
    pub cells: Option<Vec<String>>,
}

/// Rows between two looks at the clock.
const LOOK_EVERY: usize = 1_024;

/// Decides what every row does. `go_on` hears how many are done and says whether to.
pub fn plan(
    request: &PlanRequest,
    snapshot: Snapshot,
    rows: &[RawRow],
    new_id: &mut dyn FnMut() -> String,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Option<Vec<Planned>> {
    let order = order::order(request, &snapshot, rows);
    let mut planner = row::Planner::new(request, snapshot, new_id);
    let mut planned = Vec::with_capacity(rows.len());
    for (done, at) in order.into_iter().enumerate() {
        if done % LOOK_EVERY == 0 && !go_on(done as u64) {
            return None;
        }
        planner.row(&rows[at], &mut planned);
    }
    Some(planned)
}
