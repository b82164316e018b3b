//! Receipts of deliveries and supplier goods, and the settlement of differences.

use std::collections::HashMap;

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::document::receipt::{self, Effect, FLOW, Reason, Resolution};
use larder_domain::document::{Flow, Step};
use larder_domain::{Action, BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

mod draft;
mod post;
pub mod settings;

pub use draft::{ReceiptDraft, ReceiptLineDraft};

use super::define::{Ctx, Doc, Document, Line, Own, TakeStep};
use super::shipments::{Held, ShipmentLine};
use super::{orders, shipments, store};
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

impl Line for ReceiptLine {
    document_line_frame!();

    fn told(&self) -> String {
        let mut told = format!("{} of {} {}", self.received, self.expected, self.uom_code);
        if !self.rejected.is_zero() {
            told.push_str(&format!(", refused {}", self.rejected));
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
    /// Temperature of the goods on arrival, in °C.
    pub temp_c: Option<Qty>,
    /// Pictures: ids of uploaded files.
    pub photos: Vec<String>,
    pub signature_name: Option<String>,
    /// Number of lines with an unsettled difference.
    pub pending_lines: i64,
    /// Number of postings to the ledger.
    pub postings: i64,
}

/// The type.
pub struct Receipt;

/// The page of receipts.
pub const PAGE: &str = "stores/storeReceive";

impl Document for Receipt {
    const KIND: &'static str = "receipt";
    const SERIES: &'static str = "GR";
    const NUMBER: &'static str = "receiptNo";
    const DATE: &'static str = "businessDate";
    const BASE: &'static str = "/api/stores/receive";
    const SCHEMA: &'static str = "Receipt";
    const PAGE: &'static str = PAGE;
    const FLOW: &'static Flow = &FLOW;
    const OPEN: &'static [&'static str] = &["draft"];
    const OVERRIDES: &'static [&'static str] = &["post", "resolve", "reverse"];
    const COLUMNS: &'static [Own] = &[
        ("Expected", 11),
        ("Received", 11),
        ("Accepted", 11),
        ("Rejected", 11),
        ("Reason", 14),
        ("Resolution", 14),
        ("Lot", 14),
        ("Expiry", 12),
    ];
    type Details = ReceiptDetails;
    type Line = ReceiptLine;
    type Draft = ReceiptDraft;

    fn right(step: &str) -> (&'static str, Action) {
        match step {
            "post" | "resolve" => (PAGE, Action::Post),
            "reverse" | "reconcile" => (PAGE, Action::Approve),
            _ => (PAGE, Action::Edit),
        }
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
        step: &'static Step,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step.name {
                "post" => post::post(tx, ctx, body, doc).await?,
                "resolve" => post::resolve(tx, ctx, body, doc).await?,
                "reverse" => post::reverse(tx, ctx, body, doc).await?,
                "reconcile" => post::reconcile(tx, doc).await?,
                _ => {}
            }
            let posted = doc.head.state == "posted";
            let pending = doc.lines.iter().filter(|line| posted && !line.pending().is_zero()).count();
            doc.details.pending_lines = i64::try_from(pending).unwrap_or(i64::MAX);
            Ok(())
        })
    }

    fn also(doc: &Doc<Self>, out: &mut Map<String, Value>) {
        for (line, wire) in
            doc.lines.iter().zip(out.get_mut("lines").and_then(Value::as_array_mut).into_iter().flatten())
        {
            wire["pending"] = serde_json::to_value(line.pending()).unwrap_or_default();
        }
    }
}
