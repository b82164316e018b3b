//! Shipments from a commissary, a warehouse or a store to a store. Deliveries are here, transfers between
//! stores in `transfer`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::future::BoxFuture;
use larder_db::Tx;
use larder_domain::document::shipment::{self, DELIVERY, Sent, ShipmentState, ShipmentStep};
use larder_domain::document::{DocumentKind, Flow, kind, quantity};
use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

mod dispatch;
mod draft;
mod expected;
mod load;
mod transfer;

pub(super) use draft::temperature;
pub use draft::{DeliveryDraft, ShipmentLineDraft};
pub use expected::{ExpectedDelivery, ExpectedLine, expected, expected_lines, in_transit};
pub use transfer::{PAGE as TRANSACTIONS_PAGE, Transfer, TransferDraft};

use super::define::{Ctx, Doc, Document, Line, Own, TakeStep};
use super::overrides::LineOverride;
use super::{beyond, happened, orders, store, write};
use crate::document_line_frame;
use crate::document_lines;
use larder_platform::http::export::Cell;
use larder_platform::http::{ApiError, ApiResult, FieldError};

document_lines! {
    /// A line of a delivery or a transfer; quantities are in its unit.
    ShipmentLine in "shipment_lines" {
        /// The order line it is sent for.
        order_line_id: Option<String>,
        /// Quantity to send.
        ordered: Qty,
        /// Picked quantity; null until entered.
        picked: Option<Qty>,
        dispatched: Qty,
        /// Accepted beyond the dispatched quantity.
        overage: Qty,
        /// Accepted by the store, overage included.
        accepted: Qty,
        /// Returned to the source.
        returned: Qty,
        /// Written off.
        written_off: Qty,
        #[serde(skip)]
        dispatched_base: Qty,
        #[serde(skip)]
        settled_base: Qty,
        lot: Option<String>,
        /// Expiry date of the lot.
        expiry: Option<BusinessDay>,
    }
}

impl ShipmentLine {
    /// Its figures, for the rules.
    #[must_use]
    pub fn sent(&self) -> Sent {
        Sent {
            dispatched: self.dispatched,
            over: self.overage,
            accepted: self.accepted,
            returned: self.returned,
            written_off: self.written_off,
        }
    }
}

/// Derived members of a shipment line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShipmentLineShown {
    /// Quantity in transit.
    in_transit: Qty,
}

impl Line for ShipmentLine {
    type Shown = ShipmentLineShown;

    document_line_frame!();

    fn named_lot(&mut self) -> Option<(&str, &mut String)> {
        Some((&self.product_id, self.lot.as_mut()?))
    }

    fn shown(&self) -> ShipmentLineShown {
        ShipmentLineShown { in_transit: self.sent().in_transit() }
    }

    fn told(&self) -> String {
        let mut told = format!("{} {}", self.ordered, self.uom_code);
        if let Some(picked) = self.picked {
            told.push_str(&format!(", picked {picked}"));
        }
        for (figure, word) in [
            (self.dispatched, "dispatched"),
            (self.accepted, "accepted"),
            (self.returned, "returned"),
            (self.written_off, "written off"),
        ] {
            if !figure.is_zero() {
                told.push_str(&format!(", {word} {figure}"));
            }
        }
        if let Some(lot) = &self.lot {
            told.push_str(&format!(", lot {lot}"));
        }
        told
    }

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::Qty(self.ordered),
            self.picked.map_or(Cell::Empty, Cell::Qty),
            Cell::Qty(self.dispatched),
            Cell::Qty(self.accepted),
            Cell::Qty(self.returned),
            Cell::Qty(self.written_off),
            Cell::Qty(self.sent().in_transit()),
            self.lot.clone().map_or(Cell::Empty, Cell::Text),
            self.expiry.map_or(Cell::Empty, Cell::Day),
        ]
    }
}

/// Fields of a delivery's head.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DeliveryDetails {
    /// The orders it is sent for.
    pub order_ids: Vec<String>,
    pub vehicle: Option<String>,
    pub driver: Option<String>,
    pub seal_no: Option<String>,
    /// Temperature of the load at departure, in °C.
    pub depart_temp_c: Option<Qty>,
    /// Who signed for it at departure.
    pub signature_name: Option<String>,
    pub dispatched_at: Option<Timestamp>,
    /// Weight, as far as known from products.
    pub load_kg: Option<Qty>,
    /// Volume, as far as known from products.
    pub load_cbm: Option<Qty>,
    /// Storage warnings: products the store has no room for.
    pub warnings: Vec<String>,
    /// Checks of lines that were overridden when it was packed or dispatched.
    pub overrides: Vec<LineOverride>,
    /// Number of postings to the ledger.
    #[serde(default)]
    pub postings: i64,
}

/// Common parts of deliveries and transfers, which differ in the sender and in the steps before departure.
pub trait Shipment:
    Document<State = ShipmentState, Step = ShipmentStep, Details = DeliveryDetails, Line = ShipmentLine>
{
    /// The document type of its movements.
    const POSTS: DocumentType;

    /// The place it leaves from.
    fn source(head: &super::Head<ShipmentState>) -> Option<Place>;
}

impl Shipment for Delivery {
    const POSTS: DocumentType = DocumentType::Delivery;

    fn source(head: &super::Head<ShipmentState>) -> Option<Place> {
        orders::source_place(head.source_type.as_deref(), head.source_id.as_deref())
    }
}

/// A delivery or transfer in transit, locked for a receipt.
pub(super) struct Held {
    /// Typed as a delivery in either case: head, details and lines are the same types.
    pub doc: Doc<Delivery>,
    pub transfer: bool,
    /// Audit snapshot before the change.
    before: Value,
}

impl Held {
    /// Whether receipts with this source type receive a shipment.
    pub fn is_source(source_type: Option<&str>) -> bool {
        source_type.and_then(DocumentKind::parse).is_some_and(|kind| kind.declared().taken_in)
    }

    /// Locks it, if it exists.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn take(tx: &mut Tx<'_>, source_type: Option<&str>, id: &str) -> ApiResult<Option<Self>> {
        let ids = [id.to_owned()];
        let transfer = is_transfer(source_type);
        let doc = if transfer {
            store::hold::<Transfer>(tx, &ids).await?.pop().map(recast)
        } else {
            store::hold::<Delivery>(tx, &ids).await?.pop()
        };
        Ok(doc.map(|doc| Self { before: doc.told(), doc, transfer }))
    }

    /// The place it left from.
    pub fn source(&self) -> ApiResult<Place> {
        let head = &self.doc.head;
        let place = if self.transfer { Transfer::source(head) } else { Delivery::source(head) };
        place.ok_or_else(|| ApiError::internal(anyhow::anyhow!("a shipment without a source")))
    }

    /// Its noun.
    pub fn one(&self) -> &'static str {
        if self.transfer { Transfer::FLOW.one } else { Delivery::FLOW.one }
    }

    /// Derives the state from its lines, and saves it.
    ///
    /// # Errors
    /// If the statement fails.
    pub async fn save(&mut self, tx: &mut Tx<'_>, taken_in: bool) -> ApiResult<()> {
        let lines: Vec<Sent> = self.doc.lines.iter().map(ShipmentLine::sent).collect();
        self.doc.head.state = shipment::progress(&lines, taken_in);
        self.doc.head.revision += 1;
        let before = Some(self.before.clone());
        if self.transfer {
            let mut doc: Doc<Transfer> = recast(self.doc.clone());
            store::save(tx, &mut doc).await?;
            return write::record(tx, before, &doc).await;
        }
        store::save(tx, &mut self.doc).await?;
        write::record(tx, before, &self.doc).await
    }
}

/// The head of a shipment to be received.
///
/// # Errors
/// If the database fails.
pub(super) async fn head(
    tx: &mut Tx<'_>,
    source_type: Option<&str>,
    id: &str,
) -> ApiResult<Option<super::Head<ShipmentState>>> {
    if is_transfer(source_type) {
        return Ok(store::head_in::<Transfer>(tx, id).await?.map(|(head, _)| head));
    }
    Ok(store::head_in::<Delivery>(tx, id).await?.map(|(head, _)| head))
}

fn is_transfer(source_type: Option<&str>) -> bool {
    source_type == Some(DocumentKind::Transfer.as_str())
}

fn recast<A: Shipment, B: Shipment>(doc: Doc<A>) -> Doc<B> {
    Doc { head: doc.head, details: doc.details, lines: doc.lines, answer: doc.answer }
}

/// The type of deliveries.
pub struct Delivery;

/// The page of deliveries.
pub const PAGE: &str = kind::DELIVERIES_PAGE;

impl Document for Delivery {
    const KIND: DocumentKind = DocumentKind::Delivery;
    type State = ShipmentState;
    type Step = ShipmentStep;
    const FLOW: &'static Flow<ShipmentState, ShipmentStep> = &DELIVERY;
    const OPEN: &'static [ShipmentState] =
        &[ShipmentState::Draft, ShipmentState::Picking, ShipmentState::Packed];
    const COLUMNS: &'static [Own] = &[
        ("To send", 11),
        ("Picked", 11),
        ("Dispatched", 11),
        ("Accepted", 11),
        ("Returned", 11),
        ("Written off", 11),
        ("In transit", 11),
        ("Lot", 14),
        ("Expiry", 12),
    ];
    const HEAD_COLUMNS: &'static [Own] = &[("Dispatched at", 18)];
    type Details = DeliveryDetails;
    type Line = ShipmentLine;
    type Shown = DeliveryShown;
    type Draft = DeliveryDraft;

    fn head_cells(_head: &super::Head<ShipmentState>, details: &DeliveryDetails) -> Vec<Cell> {
        vec![details.dispatched_at.map_or(Cell::Empty, Cell::Time)]
    }

    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a DeliveryDraft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            draft::write(tx, ctx, draft, doc).await?;
            load::weigh(tx, doc).await
        })
    }

    fn written<'a>(tx: &'a mut Tx<'_>, doc: &'a Doc<Self>) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move { Ok(store::link(tx, &doc.head.id, &doc.details.order_ids).await?) })
    }

    fn step<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        step: ShipmentStep,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step {
                ShipmentStep::Pick => dispatch::propose_lots(tx, ctx, doc).await,
                ShipmentStep::Pack => dispatch::pack(tx, ctx, body, doc).await,
                ShipmentStep::Dispatch => {
                    dispatch::dispatch(tx, ctx, body, doc).await?;
                    load::weigh(tx, doc).await
                }
                ShipmentStep::Undispatch => dispatch::take_back(tx, body, doc).await,
                ShipmentStep::Reconcile => orders::change(tx, &doc.details.order_ids, |_| Ok(())).await,
                ShipmentStep::Unpack => {
                    doc.details.overrides.clear();
                    Ok(())
                }
                ShipmentStep::Cancel => Ok(()),
            }
        })
    }

    fn shown(doc: &Doc<Self>) -> DeliveryShown {
        DeliveryShown {
            commissary_id: doc.head.source_id.clone(),
            lines_in_transit: lines_in_transit(&doc.lines),
        }
    }
}

/// Derived members of a delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryShown {
    /// The commissary or warehouse it leaves from.
    #[schema(required)]
    commissary_id: Option<String>,
    /// Number of lines in transit, wholly or in part.
    lines_in_transit: usize,
}

fn lines_in_transit(lines: &[ShipmentLine]) -> usize {
    lines.iter().filter(|line| !line.sent().in_transit().is_zero()).count()
}

/// The place of a delivery's goods in transit, named after its store and itself.
#[must_use]
pub fn transit_place(store_id: &str, id: &str) -> Place {
    Place { kind: PlaceKind::InTransit, id: format!("{store_id}_{id}") }
}

/// Whether a shipment can be received.
#[must_use]
pub fn is_on_its_way(state: ShipmentState) -> bool {
    match state {
        ShipmentState::Dispatched | ShipmentState::PartiallyReceived => true,
        ShipmentState::Draft
        | ShipmentState::Picking
        | ShipmentState::Packed
        | ShipmentState::Received
        | ShipmentState::Reconciled
        | ShipmentState::Cancelled => false,
    }
}
