//! Transfers between stores.

use larder_domain::StoreScope;
use larder_domain::document::shipment::TRANSFER;

use super::*;
use crate::Head;

/// A draft of a transfer, or a partial change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TransferDraft {
    /// The sending store.
    #[serde(default)]
    from_store_id: Option<String>,
    /// The receiving store.
    #[serde(default, alias = "storeId")]
    to_store_id: Option<String>,
    #[serde(default)]
    #[schema(format = Date)]
    planned_date: Option<String>,
    #[serde(default)]
    vehicle: Option<String>,
    #[serde(default)]
    driver: Option<String>,
    #[serde(default)]
    seal_no: Option<String>,
    /// In °C.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    depart_temp_c: Option<Value>,
    #[serde(default)]
    signature_name: Option<String>,
    #[serde(default)]
    notes: Option<String>,
    #[serde(default)]
    lines: Option<Vec<draft::ShipmentLineDraft>>,
}

impl TransferDraft {
    /// The transport fields as in a delivery's draft.
    fn journey(&self) -> DeliveryDraft {
        DeliveryDraft {
            planned_date: self.planned_date.clone(),
            vehicle: self.vehicle.clone(),
            driver: self.driver.clone(),
            seal_no: self.seal_no.clone(),
            depart_temp_c: self.depart_temp_c.clone(),
            signature_name: self.signature_name.clone(),
            notes: self.notes.clone(),
            ..DeliveryDraft::default()
        }
    }
}

/// Derived members of a transfer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransferShown {
    /// The sending store.
    #[schema(required)]
    from_store_id: Option<String>,
    /// The receiving store.
    #[schema(required)]
    to_store_id: Option<String>,
    /// Number of lines in transit, wholly or in part.
    lines_in_transit: usize,
}

/// The type of transfers.
pub struct Transfer;

/// The page of transfers and waste.
pub const PAGE: &str = kind::TRANSACTIONS_PAGE;

impl Shipment for Transfer {
    const POSTS: DocumentType = DocumentType::Transfer;

    fn source(head: &Head<ShipmentState>) -> Option<Place> {
        head.source_id.clone().map(|id| Place { kind: PlaceKind::Store, id })
    }
}

impl Document for Transfer {
    const KIND: DocumentKind = DocumentKind::Transfer;
    type State = ShipmentState;
    type Step = ShipmentStep;
    const FLOW: &'static Flow<ShipmentState, ShipmentStep> = &TRANSFER;
    const OPEN: &'static [ShipmentState] = &[ShipmentState::Draft];
    const BOTH_ENDS: bool = true;
    const CLOSE: &'static [ShipmentStep] = &[ShipmentStep::Dispatch];
    const COLUMNS: &'static [Own] = Delivery::COLUMNS;
    const HEAD_COLUMNS: &'static [Own] = Delivery::HEAD_COLUMNS;
    type Details = DeliveryDetails;
    type Line = ShipmentLine;
    type Shown = TransferShown;
    type Draft = TransferDraft;

    fn head_cells(head: &Head<ShipmentState>, details: &DeliveryDetails) -> Vec<Cell> {
        Delivery::head_cells(head, details)
    }

    /// Both stores may see it; until it arrives, the sending one may change it.
    fn reaches(head: &Head<ShipmentState>, scope: &StoreScope, changes: bool) -> bool {
        let sends = scope.includes(head.source_id.as_deref());
        sends || (!changes && scope.includes(head.store_id.as_deref()))
    }

    fn write<'a>(
        tx: &'a mut Tx<'_>,
        ctx: Ctx<'a>,
        draft: &'a TransferDraft,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            write_transfer(tx, ctx, draft, doc).await?;
            load::weigh(tx, doc).await
        })
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
                ShipmentStep::Dispatch => {
                    dispatch::dispatch(tx, ctx, body, doc).await?;
                    load::weigh(tx, doc).await
                }
                ShipmentStep::Undispatch => dispatch::take_back(tx, body, doc).await,
                // `TRANSFER` has none of these steps.
                ShipmentStep::Pick | ShipmentStep::Pack | ShipmentStep::Unpack => Ok(()),
                ShipmentStep::Reconcile | ShipmentStep::Cancel => Ok(()),
            }
        })
    }

    fn shown(doc: &Doc<Self>) -> TransferShown {
        TransferShown {
            from_store_id: doc.head.source_id.clone(),
            to_store_id: doc.head.store_id.clone(),
            lines_in_transit: lines_in_transit(&doc.lines),
        }
    }
}

async fn write_transfer(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &TransferDraft,
    doc: &mut Doc<Transfer>,
) -> ApiResult<()> {
    draft::write_head(&draft.journey(), doc)?;
    let said = |id: &Option<String>| id.clone().filter(|id| !id.is_empty());
    doc.head.source_type = Some(PlaceKind::Store.as_str().to_owned());
    doc.head.source_id = said(&draft.from_store_id).or(doc.head.source_id.take());
    doc.head.store_id = said(&draft.to_store_id).or(doc.head.store_id.take());
    let mut wrong = Vec::new();
    if doc.head.source_id.is_none() {
        wrong.push(FieldError::new("fromStoreId", "Choose the store that sends."));
    }
    if doc.head.store_id.is_none() {
        wrong.push(FieldError::new("toStoreId", "Choose the store that gets it."));
    }
    if wrong.is_empty() && doc.head.source_id == doc.head.store_id {
        wrong.push(FieldError::new("toStoreId", "Choose another store than the one that sends."));
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    // Check the scope first: reveal nothing about a store the user may not see, not even its existence.
    let (from, to) = (doc.head.source_id.clone(), doc.head.store_id.clone());
    larder_platform::http::scope::check(from.as_deref(), &ctx.who.scope)?;
    for (field, id) in [("fromStoreId", from), ("toStoreId", to)] {
        let found = orders::find_store(tx, id.as_deref().unwrap_or_default()).await;
        found.map_err(|error| match error.fields.first() {
            Some(wrong) => ApiError::field(field, wrong.message.clone()),
            None => error,
        })?;
    }
    match &draft.lines {
        Some(lines) => draft::write_lines(tx, ctx, lines, doc).await,
        None if doc.is_new() => Err(ApiError::field("lines", "Add at least one item.")),
        None => Ok(()),
    }
}
