//! Receipts of deliveries and supplier goods, and the settlement of differences.

use std::collections::{BTreeMap, HashMap};

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::document::receipt::{self, Effect, FLOW, Reason, ReceiptState, ReceiptStep, Resolution};
use larder_domain::document::{DocumentKind, Flow, kind};
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

mod draft;
mod post;
mod prices;
pub mod settings;

pub use draft::{ReceiptDraft, ReceiptLineDraft};

use super::define::{Ctx, Doc, Document, Head, Line, Nothing, Own, TakeStep};
use super::shipments::{Held, ShipmentLine};
use super::{happened, orders, shipments, store};
use crate::document_line_frame;
use crate::document_lines;
use larder_platform::http::export::Cell;
use larder_platform::http::{ApiError, ApiResult, FieldError};

document_lines! {
    /// A line of a receipt; quantities are in its unit.
    ReceiptLine in "receipt_lines" {
        /// The delivery line it belongs to.
        source_line_id: Option<String>,
        order_line_id: Option<String>,
        expected: Qty,
        received: Qty,
        /// Accepted: received less rejected.
        accepted: Qty,
        rejected: Qty,
        /// Why it differs from the expected quantity.
        #[schema(value_type = Option<Reason>)]
        reason: Option<String>,
        /// Resolution of the difference.
        #[schema(value_type = Option<Resolution>)]
        resolution: Option<String>,
        /// The order line that requests it again.
        backorder_line_id: Option<String>,
        #[serde(skip)]
        settled_base: Qty,
        lot: Option<String>,
        expiry: Option<BusinessDay>,
        /// What the supplier charges for one of its unit.
        unit_price: Option<Money>,
    }
}

impl ReceiptLine {
    /// Its figures, for the rules.
    #[must_use]
    pub fn figures(&self) -> receipt::Line {
        receipt::Line {
            expected: self.expected,
            received: self.received,
            rejected: self.rejected,
            reason: self.reason.as_deref().and_then(Reason::parse),
            resolution: self.resolution.as_deref().and_then(Resolution::parse),
        }
    }

    /// Its undecided quantity.
    #[must_use]
    pub fn pending(&self) -> Qty {
        self.figures().effect(Qty::ZERO, true).map(|effect| effect.pending).unwrap_or_default()
    }
}

/// Derived members of a receipt line.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceiptLineShown {
    /// Undecided quantity.
    pending: Qty,
}

impl Line for ReceiptLine {
    type Shown = ReceiptLineShown;

    document_line_frame!();

    fn named_lot(&mut self) -> Option<(&str, &mut String)> {
        Some((&self.product_id, self.lot.as_mut()?))
    }

    fn shown(&self) -> ReceiptLineShown {
        ReceiptLineShown { pending: self.pending() }
    }

    fn told(&self) -> String {
        let mut told = format!("{} of {} {}", self.received, self.expected, self.uom_code);
        if !self.rejected.is_zero() {
            told.push_str(&format!(", refused {}", self.rejected));
        }
        if let Some(price) = self.unit_price {
            told.push_str(&format!(", at {} each", price.pesos()));
        }
        for (text, before) in [(&self.reason, ", "), (&self.resolution, " → ")] {
            if let Some(text) = text {
                told.push_str(before);
                told.push_str(text);
            }
        }
        told
    }

    fn cells(&self) -> Vec<Cell> {
        let text = |text: &Option<String>| text.clone().map_or(Cell::Empty, Cell::Text);
        vec![
            Cell::Qty(self.expected),
            Cell::Qty(self.received),
            Cell::Qty(self.accepted),
            Cell::Qty(self.rejected),
            text(&self.reason),
            text(&self.resolution),
            text(&self.lot),
            self.expiry.map_or(Cell::Empty, Cell::Day),
            self.unit_price.map_or(Cell::Empty, Cell::Money),
        ]
    }
}

/// Fields of a receipt's head.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReceiptDetails {
    /// The supplier order it answers, if any.
    pub order_id: Option<String>,
    /// The supplier's delivery note number.
    pub supplier_dr_no: Option<String>,
    pub received_at: Option<Timestamp>,
    /// Whether a person gave that time; else it is when the receipt was begun.
    pub received_at_given: bool,
    /// Temperature of the goods on arrival, in °C.
    pub temp_c: Option<Qty>,
    /// Pictures: ids of uploaded files.
    pub photos: Vec<String>,
    /// The products that pictures show, by picture; the others show the whole receipt.
    pub photo_products: BTreeMap<String, String>,
    pub signature_name: Option<String>,
    /// Number of lines with an unsettled difference.
    pub pending_lines: i64,
    /// Number of postings to the ledger.
    pub postings: i64,
}

/// The type of receipts.
pub struct Receipt;

/// The condition on `documents d` of posted receipts with a line that differs from what was expected and has no
/// resolution.
pub const UNDECIDED: &str = " and d.state = 'posted' and exists (select 1 from receipt_lines l
     where l.document_id = d.id and (l.received <> l.expected or l.rejected <> 0)
       and coalesce(l.resolution, 'pending') = 'pending')";

/// The page of receipts.
pub const PAGE: &str = kind::RECEIPTS_PAGE;

impl Document for Receipt {
    const KIND: DocumentKind = DocumentKind::Receipt;
    type State = ReceiptState;
    type Step = ReceiptStep;
    const FLOW: &'static Flow<ReceiptState, ReceiptStep> = &FLOW;
    const OPEN: &'static [ReceiptState] = &[ReceiptState::Draft];
    const CLOSE: &'static [ReceiptStep] = &[ReceiptStep::Post];
    const UNDECIDED: Option<&'static str> = Some(UNDECIDED);
    const COLUMNS: &'static [Own] = &[
        ("Expected", 11),
        ("Received", 11),
        ("Accepted", 11),
        ("Rejected", 11),
        ("Reason", 14),
        ("Resolution", 14),
        ("Lot", 14),
        ("Expiry", 12),
        ("Price", 11),
    ];
    const HEAD_COLUMNS: &'static [Own] = &[("Received at", 18)];
    type Details = ReceiptDetails;
    type Line = ReceiptLine;
    type Shown = Nothing;
    type Draft = ReceiptDraft;

    fn shown(_doc: &Doc<Self>) -> Nothing {
        Nothing {}
    }

    fn head_cells(_head: &Head<ReceiptState>, details: &ReceiptDetails) -> Vec<Cell> {
        vec![details.received_at.map_or(Cell::Empty, Cell::Time)]
    }

    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a ReceiptDraft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(draft::write(tx, ctx, draft, doc))
    }

    fn written<'a>(tx: &'a mut Tx<'_>, doc: &'a Doc<Self>) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            let mut origins: Vec<String> = doc.details.order_id.iter().cloned().collect();
            if Held::is_source(doc.head.source_type.as_deref()) {
                origins.extend(doc.head.source_id.clone());
            }
            Ok(store::link(tx, &doc.head.id, &origins).await?)
        })
    }

    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: ReceiptStep,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step {
                ReceiptStep::Post => post::post(tx, ctx, body, doc).await?,
                ReceiptStep::Resolve => post::resolve(tx, ctx, body, doc).await?,
                ReceiptStep::Reverse => post::reverse(tx, ctx, body, doc).await?,
                ReceiptStep::Reconcile => post::reconcile(tx, doc).await?,
                ReceiptStep::Cancel => {}
            }
            let posted = doc.head.state == ReceiptState::Posted;
            let pending = doc.lines.iter().filter(|line| posted && !line.pending().is_zero()).count();
            doc.details.pending_lines = i64::try_from(pending).unwrap_or(i64::MAX);
            Ok(())
        })
    }
}
