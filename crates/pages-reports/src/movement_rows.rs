//! Rows, totals and file columns shared by the reports on root item movement.

use std::cmp::Reverse;
use std::collections::HashMap;

use larder_domain::on_hand::movement::Movement;
use larder_domain::{BusinessDay, Money, Qty, Span, Worth};
use serde::Serialize;
use utoipa::ToSchema;

use larder_engines::reports::figures::add;
use larder_engines::reports::units::{UnitSum, by_unit};
use larder_engines::reports::worths::pesos;
use larder_engines::reports::{Column, Sheet};
use larder_platform::http::ApiResult;

/// A root item's movement in a store over a range, in its own units.
/// `opening + received + transfersIn − transfersOut − waste − actualUse = closing`.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementRow {
    pub store_id: String,
    pub store_name: String,
    pub root_item_id: String,
    /// The root item's name.
    pub name: String,
    /// Its unit, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    #[serde(flatten)]
    pub figures: MovementFigures,
    /// The variance at the root item's price on the last day; null without a price.
    pub variance_value: Option<Money>,
    /// The same before it was rounded.
    #[serde(skip)]
    pub worth: Option<Worth>,
}

/// The figures of a row.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementFigures {
    /// Stock before the first day; null if never counted until then.
    pub opening: Option<Qty>,
    /// Received from suppliers and commissaries, including ledger adjustments.
    pub received: Qty,
    /// Received from other stores.
    pub transfers_in: Qty,
    /// Sent to other stores.
    pub transfers_out: Qty,
    /// Waste.
    pub waste: Qty,
    /// Use by sales, from bills of materials.
    pub theoretical_use: Qty,
    /// Stock after the last day, as in the store inventory of that day.
    pub closing: Option<Qty>,
    /// Actual use; null if something was first counted within the range, or never.
    pub actual_use: Option<Qty>,
    /// Surplus: theoretical less actual use.
    pub variance: Option<Qty>,
}

impl From<Movement> for MovementFigures {
    fn from(it: Movement) -> Self {
        let Movement { opening, received, transfers_in, transfers_out, waste, .. } = it;
        let Movement { theoretical_use, closing, actual_use, variance, .. } = it;
        Self {
            opening,
            received,
            transfers_in,
            transfers_out,
            waste,
            theoretical_use,
            closing,
            actual_use,
            variance,
        }
    }
}

/// Totals of the rows of one unit. Opening and closing stock do not add up over rows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnitMovement {
    /// The unit; null for root items of unknown unit.
    pub unit: Option<String>,
    /// Number of rows.
    pub items: usize,
    pub received: Qty,
    pub transfers_in: Qty,
    pub transfers_out: Qty,
    pub waste: Qty,
    pub theoretical_use: Qty,
    /// Of rows where it is known; null if there are none.
    pub actual_use: Option<Qty>,
    /// Of rows where it is known; null if there are none.
    pub variance: Option<Qty>,
    /// The value of these rows' variances; null if none has a price.
    pub variance_value: Option<Money>,
}

/// What is known of a unit's rows.
#[derive(Debug, Default)]
struct Known {
    actual_use: Option<Qty>,
    variance: Option<Qty>,
    worth: Option<Worth>,
}

impl Known {
    fn add(&mut self, row: &MovementRow) -> ApiResult<()> {
        let figures =
            [(&mut self.actual_use, row.figures.actual_use), (&mut self.variance, row.figures.variance)];
        for (sum, more) in figures {
            if let Some(more) = more {
                add(sum.get_or_insert_default(), more)?;
            }
        }
        self.worth = [self.worth, row.worth].into_iter().flatten().reduce(Worth::plus);
        Ok(())
    }
}

impl UnitMovement {
    fn of(sum: UnitSum<Qty>, known: &Known) -> ApiResult<Self> {
        let of = |at: usize| sum.sums.get(at).copied().unwrap_or_default();
        Ok(Self {
            items: sum.items,
            received: of(0),
            transfers_in: of(1),
            transfers_out: of(2),
            waste: of(3),
            theoretical_use: of(4),
            actual_use: known.actual_use,
            variance: known.variance,
            variance_value: pesos(known.worth)?,
            unit: sum.unit,
        })
    }
}

/// Totals by unit, the unit with the most rows first.
///
/// # Errors
/// 422 on overflow.
pub fn units(rows: &[MovementRow]) -> ApiResult<Vec<UnitMovement>> {
    let figures = |row: &MovementRow| {
        let it = &row.figures;
        vec![it.received, it.transfers_in, it.transfers_out, it.waste, it.theoretical_use]
    };
    let sums = by_unit(rows.iter().map(|row| (row.unit.as_deref(), figures(row))))?;
    let mut known: HashMap<Option<String>, Known> = HashMap::new();
    for row in rows {
        known.entry(row.unit.clone()).or_default().add(row)?;
    }
    let unit = |sum: UnitSum<Qty>| {
        let known = known.remove(&sum.unit).unwrap_or_default();
        UnitMovement::of(sum, &known)
    };
    sums.into_iter().map(unit).collect()
}

/// Sorts by value of the difference, largest first; rows without a price come last.
pub fn dearest_first(rows: &mut [MovementRow]) {
    rows.sort_by_cached_key(|row| {
        let value = row.variance_value.map(|value| value.0.unsigned_abs());
        let variance = row.figures.variance.map(|variance| variance.0.unsigned_abs());
        (Reverse(value), Reverse(variance), row.name.clone(), row.store_name.clone(), row.from)
    });
}

/// The rows as a file, with the given date columns.
///
/// # Errors
/// 422 on overflow.
pub fn sheet<'a>(
    span: Span,
    rows: &'a [MovementRow],
    days: Vec<Column<'a, MovementRow>>,
) -> ApiResult<Sheet> {
    type Col<'a> = Column<'a, MovementRow>;
    let mut columns = vec![Col::text("Store", 24, |row| row.store_name.clone())];
    columns.extend(days);
    columns.extend([
        Col::text("Root item", 32, |row| row.name.clone()),
        Col::unit("Unit", 8, |row| row.unit.clone()),
        Col::level("Opening", 12, |row| row.figures.opening),
        Col::qty("Received", 12, |row| row.figures.received),
        Col::qty("Transfers in", 12, |row| row.figures.transfers_in),
        Col::qty("Transfers out", 12, |row| row.figures.transfers_out),
        Col::qty("Waste", 12, |row| row.figures.waste),
        Col::qty("Theoretical use", 14, |row| row.figures.theoretical_use),
        Col::level("Closing", 12, |row| row.figures.closing),
        Col::qty("Actual use", 12, |row| row.figures.actual_use),
        Col::qty("Variance", 12, |row| row.figures.variance),
        Col::money("Variance (PHP)", 14, |row| row.variance_value),
    ]);
    Sheet::of(span, rows, columns).with_totals()
}
