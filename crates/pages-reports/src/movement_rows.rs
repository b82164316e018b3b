//! What the reports on the movement of root items share: their rows, the sums of those, and the columns of their files.

use std::cmp::Reverse;

use larder_domain::on_hand::movement::Movement;
use larder_domain::{BusinessDay, Money, Qty, Span};
use serde::Serialize;
use utoipa::ToSchema;

use larder_engines::reports::figures::total;
use larder_engines::reports::units::{UnitSum, by_unit};
use larder_engines::reports::{Column, Sheet};
use larder_platform::http::ApiResult;

/// A root item in a store over some days, in its own units.
/// `opening + received + transfersIn − transfersOut − waste − actualUse = closing`.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementRow {
    pub store_id: String,
    pub store_name: String,
    pub root_item_id: String,
    /// The root item's name.
    pub name: String,
    /// The unit it is reckoned in, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    #[serde(flatten)]
    pub figures: MovementFigures,
    /// What the variance is worth at the root item's price; null without a price.
    pub variance_value: Option<Money>,
}

/// The figures of a row.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementFigures {
    /// What lay there before the first day; null where it was never counted until then.
    pub opening: Option<Qty>,
    /// What suppliers and kitchens brought, and corrections of the ledger.
    pub received: Qty,
    /// What came from other stores.
    pub transfers_in: Qty,
    /// What went to other stores.
    pub transfers_out: Qty,
    /// What was thrown away.
    pub waste: Qty,
    /// What sales used by the bills of materials.
    pub theoretical_use: Qty,
    /// What lies there after the last day, as the store's inventory of that day tells it.
    pub closing: Option<Qty>,
    /// What must have been used; null where something was counted for the first time in between, or never.
    pub actual_use: Option<Qty>,
    /// What was counted more than had to be there: theoretical less actual use.
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

/// What the rows of one unit add up to. What lies there at a moment does not.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnitMovement {
    /// The unit; null for root items whose unit is not known.
    pub unit: Option<String>,
    /// How many rows.
    pub items: usize,
    pub received: Qty,
    pub transfers_in: Qty,
    pub transfers_out: Qty,
    pub waste: Qty,
    pub theoretical_use: Qty,
    /// Of the rows in which it is known.
    pub actual_use: Qty,
    /// Of the rows in which it is known.
    pub variance: Qty,
}

impl From<UnitSum<Qty>> for UnitMovement {
    fn from(sum: UnitSum<Qty>) -> Self {
        let of = |at: usize| sum.sums.get(at).copied().unwrap_or_default();
        Self {
            items: sum.items,
            received: of(0),
            transfers_in: of(1),
            transfers_out: of(2),
            waste: of(3),
            theoretical_use: of(4),
            actual_use: of(5),
            variance: of(6),
            unit: sum.unit,
        }
    }
}

/// The sums of each unit, that of the most rows first.
///
/// # Errors
/// 422 where a sum is past what can be shown.
pub fn units(rows: &[MovementRow]) -> ApiResult<Vec<UnitMovement>> {
    let figures = |row: &MovementRow| {
        let it = &row.figures;
        let known = |qty: Option<Qty>| qty.unwrap_or_default();
        vec![
            it.received,
            it.transfers_in,
            it.transfers_out,
            it.waste,
            it.theoretical_use,
            known(it.actual_use),
            known(it.variance),
        ]
    };
    let sums = by_unit(rows.iter().map(|row| (row.unit.as_deref(), figures(row))))?;
    Ok(sums.into_iter().map(UnitMovement::from).collect())
}

/// What the variances of some rows are worth.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementValue {
    /// What was missing, as a negative amount.
    pub loss: Money,
    /// What was there more.
    pub gain: Money,
    /// Both together.
    pub net: Money,
}

impl MovementValue {
    /// Of these rows.
    ///
    /// # Errors
    /// 422 where a sum is past what can be shown.
    pub fn of(rows: &[MovementRow]) -> ApiResult<Self> {
        let sum = |of: fn(&Money) -> bool| total(rows.iter().filter_map(|row| row.variance_value).filter(of));
        let (loss, gain) = (sum(|value| value.0 < 0)?, sum(|value| value.0 > 0)?);
        Ok(Self { loss, gain, net: total([loss, gain])? })
    }
}

/// The dearest difference first; what has no price comes behind what has one.
pub fn dearest_first(rows: &mut [MovementRow]) {
    rows.sort_by_cached_key(|row| {
        let value = row.variance_value.map(|value| value.0.unsigned_abs());
        let variance = row.figures.variance.map(|variance| variance.0.unsigned_abs());
        (Reverse(value), Reverse(variance), row.name.clone(), row.store_name.clone(), row.from)
    });
}

/// The rows as a file, with the columns that say which days they are of.
///
/// # Errors
/// 422 where a sum is past what can be shown.
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
