//! Write order: file order, but a record before those of the file that refer to it, as parents in a tree do before their
//! children.

use std::collections::HashMap;

use super::super::fields::PATH;
use super::read::code;
use super::{PlanRequest, RawRow};
use larder_lists::imports::records::{Found, Snapshot, fold_path};

/// Indexes of all rows in write order.
pub fn order(request: &PlanRequest, snapshot: &Snapshot, rows: &[RawRow]) -> Vec<usize> {
    let def = request.def;
    let column = |name: &str| request.columns.iter().find(|(t, _)| t.name == name).map(|(_, at)| *at);
    let (path, owner) = (column(PATH), def.own_field().and_then(|field| column(field.name)));
    if path.is_none() && owner.is_none() {
        return (0..rows.len()).collect();
    }
    let text = |row: &RawRow, at: Option<usize>| {
        let cell = at.and_then(|at| row.cells.get(at))?;
        Some(fold_path(code(cell.trim()))).filter(|text| !text.is_empty())
    };
    let mut called: HashMap<String, usize> = HashMap::new();
    let names = [path, column(def.name), def.code.and_then(column), column("id")];
    for (at, row) in rows.iter().enumerate() {
        for name in names.iter().filter_map(|column| text(row, *column)) {
            called.entry(name).or_insert(at);
        }
    }
    // The other row of the file that a row depends on.
    let needs: Vec<Option<usize>> = rows
        .iter()
        .map(|row| {
            let above = text(row, owner).or_else(|| {
                let path = text(row, path)?;
                path.rsplit_once(':').map(|(above, _)| above.to_owned())
            })?;
            let there = snapshot.directory.find(def.table, &above) != Found::None;
            called.get(&above).copied().filter(|_| !there)
        })
        .collect();
    let mut order = Vec::with_capacity(rows.len());
    let mut placed = vec![false; rows.len()];
    let mut chain = Vec::new();
    for start in 0..rows.len() {
        // Up to the first row without dependencies, then back down; a cycle ends where it began.
        let mut at = Some(start);
        while let Some(row) = at.filter(|row| !placed[*row]) {
            placed[row] = true;
            chain.push(row);
            at = needs[row];
        }
        order.extend(chain.drain(..).rev());
    }
    order
}
