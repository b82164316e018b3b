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

/// The type of transfers.
pub struct Transfer;

/// The page of transfers and waste.
pub const PAGE: &str = "stores/storeTransactions";

impl Shipment for Transfer {
    const POSTS: DocumentType = DocumentType::Transfer;

    fn source(head: &Head) -> Option<Place> {
        head.source_id.clone().map(|id| Place { kind: PlaceKind::Store, id })
    }
}

impl Document for Transfer {
    const KIND: &'static str = "transfer";
    const SERIES: &'static str = "TR";
    const NUMBER: &'static str = "transferNo";
    const DATE: &'static str = "plannedDate";
    const BASE: &'static str = "/api/stores/transfers";
    const SCHEMA: &'static str = "Transfer";
    const PAGE: &'static str = PAGE;
    const FLOW: &'static Flow = &TRANSFER;
    const OPEN: &'static [&'static str] = &["draft"];
    const OVERRIDES: &'static [&'static str] = &["dispatch"];
    const BOTH_ENDS: bool = true;
    const COLUMNS: &'static [Own] = Delivery::COLUMNS;
    type Details = DeliveryDetails;
    type Line = ShipmentLine;
    type Draft = TransferDraft;

    fn right(step: &str) -> (&'static str, Action) {
        match step {
            "dispatch" | "undispatch" | "reconcile" => (PAGE, Action::Post),
            _ => (PAGE, Action::Edit),
        }
    }

    /// Both stores may see it; until it arrives, the sending one may change it.
    fn reaches(head: &Head, scope: &StoreScope, changes: bool) -> bool {
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
        step: &'static Step,
        body: &'a TakeStep,
        doc: &'a mut Doc<Self>,
    ) -> BoxFuture<'a, ApiResult<()>> {
        Box::pin(async move {
            match step.name {
                "dispatch" => {
                    dispatch::dispatch(tx, ctx, body, doc).await?;
                    load::weigh(tx, doc).await
                }
                "undispatch" => dispatch::take_back(tx, body, doc).await,
                _ => Ok(()),
            }
        })
    }

    fn also(doc: &Doc<Self>, out: &mut Map<String, Value>) {
        out.insert("fromStoreId".into(), doc.head.source_id.clone().into());
        out.insert("toStoreId".into(), doc.head.store_id.clone().into());
        in_transit(doc, out);
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
