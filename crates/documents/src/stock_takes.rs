//! Stock-takes: what is counted in a kitchen, warehouse or cold storage. Posting corrects the ledger by what was found
//! more or less than it had when each line was counted.

use std::collections::{BTreeSet, HashMap, HashSet};

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::document::kind;
use larder_domain::document::stock_take::{STOCK_TAKE, StockTakeState, StockTakeStep, book_at};
use larder_domain::document::{DocumentKind, Flow, quantity};
use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{Action, BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::define::{Ctx, Doc, Document, Head, Line, Nothing, Own, TakeStep};
use super::products;
use super::products::Product;
use super::write::{may_post, overridden};
use crate::document_line_frame;
use crate::document_lines;
use larder_ledgers::place_stock::{self, Book, OfLot};
use larder_ledgers::stock;
use larder_ledgers::stock::{Posting, lots};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::export::Cell;
use larder_platform::http::guard::Routes;
use larder_platform::http::text::said;
use larder_platform::http::{ApiError, ApiResult, FieldError};

mod compare;
mod count;
mod draft;
mod post;
mod sheet;

pub use draft::StockTakeDraft;

/// The page of commissary orders, which includes stock-takes.
const PAGE: &str = kind::KITCHEN_PAGE;

document_lines! {
    /// A product or a lot of it to count.
    StockTakeLine in "stock_take_lines" {
        /// Storage area, as it was named.
        area: Option<String>,
        /// `None`: what has no lot.
        lot: Option<String>,
        expiry: Option<BusinessDay>,
        /// In the line's unit; null until counted.
        counted: Option<Qty>,
        counted_at: Option<Timestamp>,
        /// Name of the person who counted.
        counted_by: Option<String>,
        #[serde(skip)]
        op: Option<String>,
        #[serde(skip)]
        typed_at: Option<Timestamp>,
        note: Option<String>,
        /// What the ledger had when it was counted, in base units; null until posted. What was not counted has it only if
        /// it was below zero when the stock-take was posted, where it stays.
        book: Option<Qty>,
        /// Counted less `book`, in base units; null until posted.
        difference: Option<Qty>,
        /// The difference in pesos, if its root items have prices.
        worth: Option<Money>,
    }
}

impl StockTakeLine {
    fn of_lot(&self) -> OfLot {
        (self.product_id.clone(), self.lot.clone())
    }

    /// What was counted, in base units.
    fn base(&self) -> Option<Qty> {
        quantity::base(self.counted?, self.factor)
    }
}

impl Line for StockTakeLine {
    type Shown = Nothing;

    document_line_frame!();

    fn named_lot(&mut self) -> Option<(&str, &mut String)> {
        Some((&self.product_id, self.lot.as_mut()?))
    }

    fn shown(&self) -> Nothing {
        Nothing {}
    }

    fn told(&self) -> String {
        let mut told = match self.counted {
            Some(counted) => format!("{counted} {}", self.uom_code),
            None => "not counted".to_owned(),
        };
        if let Some(lot) = &self.lot {
            told.push_str(&format!(", lot {lot}"));
        }
        if let Some(book) = self.book.filter(|_| self.counted.is_none()) {
            told.push_str(&format!(", {book} in the ledger"));
        }
        if let Some(difference) = self.difference.filter(|difference| !difference.is_zero()) {
            told.push_str(&format!(", difference {difference}"));
        }
        told
    }

    fn cells(&self) -> Vec<Cell> {
        let text = |text: &Option<String>| text.clone().map_or(Cell::Empty, Cell::Text);
        vec![
            text(&self.area),
            text(&self.lot),
            self.expiry.map_or(Cell::Empty, Cell::Day),
            self.counted.map_or(Cell::Empty, Cell::Qty),
            self.counted_at.map_or(Cell::Empty, Cell::Time),
            text(&self.counted_by),
            self.book.map_or(Cell::Empty, Cell::Qty),
            self.difference.map_or(Cell::Empty, Cell::Qty),
            self.worth.map_or(Cell::Empty, Cell::Money),
            text(&self.note),
        ]
    }
}

/// Fields of a stock-take's head. Its source is the place.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct StockTakeDetails {
    /// The storage requirement whose products are counted; all if null.
    pub area_id: Option<String>,
    /// Its name.
    pub area: Option<String>,
    /// Whether the ledger's quantities are hidden until it is posted.
    pub blind: bool,
    /// The reason of the posting.
    pub reason: Option<String>,
    /// Number of postings to the ledger.
    pub postings: i64,
}

/// The type.
pub struct StockTake;

impl Document for StockTake {
    const KIND: DocumentKind = DocumentKind::StockTake;
    type State = StockTakeState;
    type Step = StockTakeStep;
    const FLOW: &'static Flow<StockTakeState, StockTakeStep> = &STOCK_TAKE;
    const OPEN: &'static [StockTakeState] = &[StockTakeState::Draft, StockTakeState::Counting];
    const COLUMNS: &'static [Own] = &[
        ("Area", 16),
        ("Lot", 14),
        ("Expiry", 12),
        ("Counted", 11),
        ("Counted at", 18),
        ("Counted by", 20),
        ("Ledger (base unit)", 11),
        ("Difference (base unit)", 11),
        ("Worth", 12),
        ("Note", 24),
    ];
    const HEAD_COLUMNS: &'static [Own] = &[("Reason of the posting", 24)];
    type Details = StockTakeDetails;
    type Line = StockTakeLine;
    type Shown = Nothing;
    type Draft = StockTakeDraft;

    fn head_cells(_head: &Head<StockTakeState>, details: &StockTakeDetails) -> Vec<Cell> {
        vec![details.reason.clone().map_or(Cell::Empty, Cell::Text)]
    }

    fn shown(_doc: &Doc<Self>) -> Nothing {
        Nothing {}
    }

    fn amount(lines: &[StockTakeLine]) -> Option<Money> {
        compare::sum(lines.iter().filter_map(|line| line.worth))
    }

    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a StockTakeDraft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(draft::write(tx, ctx, draft, doc))
    }

    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: StockTakeStep,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step {
                StockTakeStep::Post => post::post(tx, ctx, body, doc).await,
                StockTakeStep::Reverse => post::reverse(tx, ctx, body, doc).await,
                StockTakeStep::Start | StockTakeStep::Cancel => Ok(()),
            }
        })
    }
}

/// Where it is counted.
fn place(doc: &Doc<StockTake>) -> ApiResult<Place> {
    let kind = doc.head.source_type.as_deref().and_then(PlaceKind::parse);
    match (kind, doc.head.source_id.clone()) {
        (Some(kind), Some(id)) => Ok(Place { kind, id }),
        _ => Err(ApiError::internal(anyhow::anyhow!("a stock-take without a place"))),
    }
}

/// Routes of stock-takes besides those of every type: numbers from devices, and the differences.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).can(PAGE, Action::Edit, routes!(count::send_stock_take_counts)).can(
        PAGE,
        Action::View,
        routes!(compare::get_stock_take_differences)
            .also("the differences of a blind stock-take, before it is posted", &[(PAGE, Action::Post)]),
    )
}
