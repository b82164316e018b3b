//! The result of a custom report: a table with totals and notices.

use larder_domain::decimal::div_round;
use larder_domain::{BusinessDay, Money, Qty, Worth};
use serde::Serialize;
use utoipa::ToSchema;

use super::definition::{CustomChart, CustomCompare, CustomDefinition, CustomRule};
use super::fields::{Adds, CustomType, Measure};
use super::pivot::{Cell, Sum};
use super::plan::{CustomNotice, MeasureAt, Plan};
use larder_engines::reports::figures::{change, share};
use larder_platform::http::export;

/// The resulting table.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomAnswer {
    /// The definition used, without fields that no longer exist.
    pub definition: CustomDefinition,
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// First and last day of the period that changes are against, if one is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<[BusinessDay; 2]>,
    /// Number of store-days that changes leave out: they or their counterparts have no sales yet. 0 if changes are
    /// not of sales.
    pub left_out: i64,
    /// Row fields.
    pub row_fields: Vec<CustomHead>,
    /// Column fields.
    pub column_fields: Vec<CustomHead>,
    pub measures: Vec<CustomFigure>,
    pub columns: Vec<CustomColumn>,
    pub rows: Vec<CustomRow>,
    /// Totals of all rows: one per unit, and one for figures without a unit.
    pub totals: Vec<CustomRow>,
    /// Number of rows in total.
    pub row_count: usize,
    /// Number of units in the rows; different units are never added up.
    pub units: usize,
    pub notices: Vec<CustomNotice>,
}

/// A field heading rows or columns.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomHead {
    pub key: String,
    pub label: String,
    /// The page its values link to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leads: Option<String>,
}

/// A displayed measure.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomFigure {
    pub field: String,
    pub rule: CustomRule,
    pub label: String,
    /// Type of its cells.
    pub r#type: CustomType,
    /// Whether it is in the row's unit.
    pub unit: bool,
}

/// A column group: one value of each column field, with a cell per measure.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomColumn {
    pub keys: Vec<String>,
    pub labels: Vec<String>,
}

/// A row.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomRow {
    /// Keys of the row fields; for «Other» within a parent those of the parent, empty for other sums.
    pub keys: Vec<String>,
    pub labels: Vec<String>,
    /// Unit of its quantities.
    pub unit: Option<String>,
    /// One figure per column and measure, column by column.
    #[schema(value_type = Vec<Option<f64>>)]
    pub values: Vec<Option<Figure>>,
    /// One figure per measure over all columns.
    #[schema(value_type = Vec<Option<f64>>)]
    pub total: Vec<Option<Figure>>,
    /// Whether it combines all rows not shown.
    pub other: bool,
}

/// A figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figure {
    Money(Money),
    Qty(Qty),
    Count(i64),
    /// A share, a change, or an average of counts.
    Number(f64),
}

impl Figure {
    /// For sorting and charts.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Money(money) => money.0 as f64 / 100.0,
            Self::Qty(qty) => qty.0 as f64 / 1_000_000.0,
            Self::Count(count) => count as f64,
            Self::Number(number) => number,
        }
    }

    /// As a file cell.
    #[must_use]
    pub fn cell(self) -> export::Cell {
        match self {
            Self::Money(money) => export::Cell::Money(money),
            Self::Qty(qty) => export::Cell::Qty(qty),
            Self::Count(count) => export::Cell::Int(count),
            Self::Number(number) => export::Cell::Number(number),
        }
    }
}

impl MeasureAt {
    /// Display name in a table of this plan.
    #[must_use]
    pub fn label(&self, plan: &Plan) -> String {
        let label = self.field.label;
        match self.rule {
            CustomRule::Sum => label.to_owned(),
            CustomRule::AvgPerDay => format!("{label}, average a day"),
            CustomRule::Share => format!("{label}, share"),
            CustomRule::Running => format!("{label}, running total"),
            CustomRule::Parent => match plan.rows.iter().nth_back(1) {
                Some(parent) => format!("{label}, share of {}", parent.field.label),
                None => format!("{label}, share"),
            },
            CustomRule::Change => match plan.definition.compare {
                CustomCompare::Range => format!("{label}, change"),
                CustomCompare::Week => format!("{label}, change on the week before"),
                CustomCompare::Month => format!("{label}, change on the month before"),
                CustomCompare::Quarter => format!("{label}, change on the quarter before"),
                CustomCompare::Year => format!("{label}, change on the year before"),
            },
        }
    }

    /// Type of its cells.
    #[must_use]
    pub fn shown_type(&self) -> CustomType {
        match self.rule {
            CustomRule::Share | CustomRule::Parent | CustomRule::Change => CustomType::Share,
            _ => self.measure.of,
        }
    }

    /// The figure of a cell; for a running total, of the cells up to it. `whole`: what a share is of; `days`: the
    /// number of days to average over.
    #[must_use]
    pub fn of(&self, cell: Option<&Cell>, whole: Option<&Cell>, days: i64) -> Option<Figure> {
        let at = |cell: &Cell, figure: usize| cell.get(figure).copied().unwrap_or_default();
        let cell = cell?;
        let (top, bottom) = self.figures;
        let sum = at(cell, top);
        let below = bottom.map(|figure| at(cell, figure));
        match self.rule {
            CustomRule::Sum | CustomRule::Running => self.value(sum.now, below.map(|sum| sum.now)),
            CustomRule::AvgPerDay => self.average(sum.now, days),
            CustomRule::Share | CustomRule::Parent => share(sum.now, at(whole?, top).now).map(Figure::Number),
            CustomRule::Change => self.changed(sum, below).map(Figure::Number),
        }
    }

    fn changed(&self, sum: Sum, below: Option<Sum>) -> Option<f64> {
        match below {
            None => change(sum.compared(), sum.before),
            Some(below) => {
                let now = self.value(sum.compared(), Some(below.compared()))?.as_f64();
                let before = self.value(sum.before, Some(below.before))?.as_f64();
                (before != 0.0).then(|| ((now - before) / before.abs() * 10_000.0).round() / 10_000.0)
            }
        }
    }

    fn value(&self, sum: i64, below: Option<i64>) -> Option<Figure> {
        let Some(below) = below else { return self.typed(sum) };
        if below == 0 {
            return None;
        }
        if self.measure.of == CustomType::Share {
            return share(sum, below).map(Figure::Number);
        }
        // One unit of a quantity is 1,000,000 millionths.
        let one: i128 = if self.by_quantity { 1_000_000 } else { 1 };
        div_round(i128::from(sum) * one, i128::from(below)).and_then(|figure| self.typed(figure))
    }

    fn typed(&self, sum: i64) -> Option<Figure> {
        match self.measure {
            Measure { adds: Adds::Worth(_), .. } => Worth::from_stored(sum).money().map(Figure::Money),
            Measure { of: CustomType::Money, .. } => Some(Figure::Money(Money(sum))),
            Measure { of: CustomType::Qty, .. } => Some(Figure::Qty(Qty(sum))),
            _ => Some(Figure::Count(sum)),
        }
    }

    fn average(&self, sum: i64, days: i64) -> Option<Figure> {
        if days <= 0 {
            return None;
        }
        match self.measure {
            Measure { adds: Adds::Worth(_), .. } => {
                Worth::from_stored(sum).each(Qty(days.checked_mul(1_000_000)?)).map(Figure::Money)
            }
            Measure { of: CustomType::Money, .. } => {
                div_round(sum.into(), days.into()).map(|sum| Figure::Money(Money(sum)))
            }
            // To the thousandth, because an average is not a stock level.
            Measure { of: CustomType::Qty, .. } => div_round(sum.into(), i128::from(days) * 1_000)
                .map(|thousandths| Figure::Qty(Qty(thousandths.saturating_mul(1_000)))),
            _ => Some(Figure::Number(((sum as f64 / days as f64) * 100.0).round() / 100.0)),
        }
    }
}

/// Which charts suit a table.
#[must_use]
pub fn picture(answer: &CustomAnswer) -> CustomChart {
    if answer.rows.is_empty() || answer.measures.is_empty() {
        CustomChart::None
    } else {
        answer.definition.chart
    }
}
