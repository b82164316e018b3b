//! Production: batches of a recipe, and their ingredients.

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::document::batch::{PRODUCTION, yield_percent};
use larder_domain::document::{Flow, Step, quantity};
use larder_domain::ledger::{DocumentType, Place, PlaceKind};
use larder_domain::{Action, BusinessDay, Qty};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

mod draft;
mod post;
pub mod recipes;

pub use draft::{ProductionDraft, UsedDraft};

use super::define::{Ctx, Doc, Document, Line, Own, TakeStep};
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
    document_line_frame!();

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
    /// Number of postings to the ledger.
    pub postings: i64,
}

/// The type.
pub struct Production;

/// The page of commissary orders, which includes production.
pub const PAGE: &str = "commissary/orders";

impl Document for Production {
    const KIND: &'static str = "production";
    const SERIES: &'static str = "PR";
    const NUMBER: &'static str = "productionNo";
    const DATE: &'static str = "plannedDate";
    const BASE: &'static str = "/api/commissary/production";
    const SCHEMA: &'static str = "Production";
    const PAGE: &'static str = PAGE;
    const FLOW: &'static Flow = &PRODUCTION;
    const OPEN: &'static [&'static str] = &["draft", "inProgress"];
    const OVERRIDES: &'static [&'static str] = &["post", "reverse"];
    const OF_STORES: bool = false;
    const COLUMNS: &'static [Own] =
        &[("Side", 8), ("Planned", 11), ("Actual", 11), ("Lot", 14), ("Expiry", 12)];
    type Details = ProductionDetails;
    type Line = ProductionLine;
    type Draft = ProductionDraft;

    fn right(step: &str) -> (&'static str, Action) {
        match step {
            "post" => (PAGE, Action::Post),
            "reverse" => (PAGE, Action::Approve),
            _ => (PAGE, Action::Edit),
        }
    }

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
        step: &'static Step,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step.name {
                "post" => post::post(tx, ctx, body, doc).await,
                "reverse" => post::reverse(tx, ctx, body, doc).await,
                _ => Ok(()),
            }
        })
    }

    fn also(doc: &Doc<Self>, out: &mut Map<String, Value>) {
        out.insert("commissaryId".into(), doc.head.source_id.clone().into());
        let json = |value: Option<Qty>| serde_json::to_value(value).unwrap_or_default();
        let made = doc.lines.iter().find(|line| line.side == MADE);
        let in_base = |qty: Qty, line: &ProductionLine| quantity::base(qty, line.factor);
        let planned = made.and_then(|line| in_base(line.planned, line));
        let actual = made.and_then(|line| in_base(line.actual?, line));
        out.insert("planned".into(), json(planned));
        out.insert("made".into(), json(actual));
        let percent = actual.zip(planned).and_then(|(made, planned)| yield_percent(made, planned));
        out.insert("yieldPercent".into(), json(percent));
        out.insert("productName".into(), made.map(|line| line.name.clone()).into());
        out.insert("uomCode".into(), made.map(|line| line.uom_code.clone()).into());
        out.insert("lot".into(), made.and_then(|line| line.lot.clone()).into());
        let expiry = made.and_then(|line| line.expiry);
        out.insert("expiry".into(), serde_json::to_value(expiry).unwrap_or_default());
        if let Some(lines) = out.get_mut("lines").and_then(Value::as_array_mut) {
            lines.retain(|line| line["side"] == USED);
        }
    }
}

fn kitchen(doc: &Doc<Production>) -> Place {
    Place { kind: PlaceKind::Commissary, id: doc.head.source_id.clone().unwrap_or_default() }
}
