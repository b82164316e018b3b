//! Production: batches of a recipe, and their ingredients.

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::document::batch::{BatchState, BatchStep, PRODUCTION, yield_percent};
use larder_domain::document::{DocumentKind, Flow, kind, quantity};
use larder_domain::ledger::{DocumentType, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

mod draft;
mod post;
pub mod recipes;

pub use draft::{ProductionDraft, UsedDraft};

use super::define::{Ctx, Doc, Document, Line, Nothing, Own, TakeStep};
use super::overrides::LineOverride;
use crate::document_line_frame;
use crate::document_lines;
use larder_platform::http::export::Cell;
use larder_platform::http::{ApiError, ApiResult, FieldError};

document_lines! {
    /// What was made (`side` `made`, one line) or went into it (`side` `used`), in the line's unit.
    ProductionLine in "production_lines" {
        side: String,
        /// The recipe's root item it covers.
        root_item_id: Option<String>,
        /// Quantity by the recipe.
        planned: Qty,
        /// Actual quantity; null until entered.
        #[serde(rename = "used")]
        actual: Option<Qty>,
        lot: Option<String>,
        /// Expiry date of the lot.
        expiry: Option<BusinessDay>,
    }
}

/// What was made.
const MADE: &str = "made";
/// What went into it.
const USED: &str = "used";

impl ProductionLine {
    /// The actual quantity if entered, else the planned one.
    fn quantity(&self) -> Qty {
        self.actual.unwrap_or(self.planned)
    }

    fn base(&self) -> ApiResult<Qty> {
        quantity::base(self.quantity(), self.factor).ok_or_else(|| {
            let field = if self.side == MADE { "made" } else { "lines" };
            let words = quantity::Wrong::TooLarge.message(&self.uom_code);
            ApiError::field(field, format!("{}: {words}", self.name))
        })
    }
}

impl Line for ProductionLine {
    type Shown = Nothing;

    document_line_frame!();

    fn named_lot(&mut self) -> Option<(&str, &mut String)> {
        Some((&self.product_id, self.lot.as_mut()?))
    }

    fn shown(&self) -> Nothing {
        Nothing {}
    }

    fn told(&self) -> String {
        let mut told = format!("{} {} {}", self.side, self.quantity(), self.uom_code);
        if self.actual.is_some_and(|actual| actual != self.planned) {
            told.push_str(&format!(" of {} planned", self.planned));
        }
        if let Some(lot) = &self.lot {
            told.push_str(&format!(", lot {lot}"));
        }
        told
    }

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::Text(if self.side == MADE { "Made" } else { "Used" }.to_owned()),
            Cell::Qty(self.planned),
            self.actual.map_or(Cell::Empty, Cell::Qty),
            self.lot.clone().map_or(Cell::Empty, Cell::Text),
            self.expiry.map_or(Cell::Empty, Cell::Day),
        ]
    }
}

/// Fields of a batch's head.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ProductionDetails {
    pub recipe_id: String,
    pub recipe_name: String,
    pub product_id: String,
    pub batches: i64,
    /// Root items without a matching product in the kitchen, so that their use is not posted; by name.
    pub unposted: Vec<String>,
    /// Checks of ingredients that were overridden when it was posted.
    pub overrides: Vec<LineOverride>,
    /// Number of postings to the ledger.
    pub postings: i64,
}

/// A batch's output, in the API.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductionShown {
    /// The commissary where it is made.
    #[schema(required)]
    commissary_id: Option<String>,
    /// Planned quantity, in base units.
    #[schema(required)]
    planned: Option<Qty>,
    /// Quantity made, in base units; null until entered.
    #[schema(required)]
    made: Option<Qty>,
    /// Made as a percentage of planned, to the tenth.
    #[schema(required)]
    yield_percent: Option<Qty>,
    #[schema(required)]
    product_name: Option<String>,
    /// Unit of the product made.
    #[schema(required)]
    uom_code: Option<String>,
    /// Lot made.
    #[schema(required)]
    lot: Option<String>,
    /// Expiry date of the lot.
    #[schema(required)]
    expiry: Option<BusinessDay>,
}

/// The type of batches.
pub struct Production;

/// The page of commissary orders, which includes production.
pub const PAGE: &str = kind::KITCHEN_PAGE;

impl Document for Production {
    const KIND: DocumentKind = DocumentKind::Production;
    type State = BatchState;
    type Step = BatchStep;
    const FLOW: &'static Flow<BatchState, BatchStep> = &PRODUCTION;
    const OPEN: &'static [BatchState] = &[BatchState::Draft, BatchState::InProgress];
    const COLUMNS: &'static [Own] =
        &[("Side", 8), ("Planned", 11), ("Actual", 11), ("Lot", 14), ("Expiry", 12)];
    type Details = ProductionDetails;
    type Line = ProductionLine;
    type Shown = ProductionShown;
    type Draft = ProductionDraft;

    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a ProductionDraft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(draft::write(tx, ctx, draft, doc))
    }

    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: BatchStep,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step {
                BatchStep::Post => post::post(tx, ctx, body, doc).await,
                BatchStep::Reverse => post::reverse(tx, ctx, body, doc).await,
                BatchStep::Start | BatchStep::Cancel => Ok(()),
            }
        })
    }

    fn is_listed(line: &ProductionLine) -> bool {
        line.side == USED
    }

    fn shown(doc: &Doc<Self>) -> ProductionShown {
        let line = doc.lines.iter().find(|line| line.side == MADE);
        let in_base = |qty: Qty, line: &ProductionLine| quantity::base(qty, line.factor);
        let planned = line.and_then(|line| in_base(line.planned, line));
        let made = line.and_then(|line| in_base(line.actual?, line));
        ProductionShown {
            commissary_id: doc.head.source_id.clone(),
            planned,
            made,
            yield_percent: made.zip(planned).and_then(|(made, planned)| yield_percent(made, planned)),
            product_name: line.map(|line| line.name.clone()),
            uom_code: line.map(|line| line.uom_code.clone()),
            lot: line.and_then(|line| line.lot.clone()),
            expiry: line.and_then(|line| line.expiry),
        }
    }
}

fn kitchen(doc: &Doc<Production>) -> Place {
    Place { kind: PlaceKind::Commissary, id: doc.head.source_id.clone().unwrap_or_default() }
}
