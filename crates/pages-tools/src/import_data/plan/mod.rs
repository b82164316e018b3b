//! Plans what every row of a file does, in memory: existing records and names are loaded once, each row is
//! compared with them in write order, and its changes are visible to later rows. Nothing here queries the
//! database, and the commit writes exactly this plan.

mod accounts;
mod cells;
mod identity;
mod order;
mod parents;
mod read;
mod row;
mod show;

use larder_domain::StoreScope;
use larder_domain::sheet::CellState;
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
    /// Row number as in a spreadsheet.
    pub number: u32,
    pub cells: Vec<String>,
    /// Which cells a workbook stores as numbers.
    pub numbers: Vec<bool>,
    /// What a workbook says about the cells.
    pub states: Vec<CellState>,
}

/// Parsing settings and the caller's permissions.
#[derive(Debug, Clone)]
pub struct PlanRequest {
    pub def: &'static ListDef,
    /// The targets and their columns.
    pub columns: Vec<(Target, usize)>,
    /// The field that identifies existing records.
    pub by: ImportMatch,
    /// Formats of cells.
    pub style: Style,
    /// Entity types that may be created for unknown names.
    pub makes: Vec<&'static str>,
    /// The accessible stores.
    pub scope: StoreScope,
}

/// The planned write of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Plan {
    /// Creates a record with this body.
    Create(Map<String, Value>),
    /// Changes fields of a record.
    Update {
        /// The revision it was compared with.
        revision: i64,
        /// Changed fields; null clears one.
        patch: Map<String, Value>,
        /// Previous values.
        back: Map<String, Value>,
    },
}

impl Plan {
    /// The record's revision after the write.
    #[must_use]
    pub fn revision(&self) -> i64 {
        match self {
            Self::Create(_) => 1,
            Self::Update { revision, .. } => revision + 1,
        }
    }
}

/// A planned row.
#[derive(Debug, Clone)]
pub struct Planned {
    /// Row number; 0 for a record created for a row.
    pub row: u32,
    /// The list it writes to.
    pub def: &'static ListDef,
    pub outcome: ImportOutcome,
    pub record_id: Option<String>,
    pub name: String,
    pub plan: Option<Plan>,
    /// For display.
    pub changes: Vec<ImportChange>,
    pub problems: Vec<ImportProblem>,
    /// The cells of a failed row.
    pub cells: Option<Vec<String>>,
}

/// Rows between checks for cancellation.
const LOOK_EVERY: usize = 1_024;

/// Plans every row. `go_on` receives the number of rows done and returns whether to continue.
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
