//! Sets the quantity of a product: the difference is posted.

use axum::extract::State;
use larder_db::Tx;
use larder_domain::Qty;
use larder_domain::ledger::{DocumentType, Item, Place, PlaceKind};
use larder_domain::quantity::MOST;
use serde_json::Value;

use super::model::{AdjustProduct, AdjustedProduct};
use super::queries;
use larder_ledgers::stock as book;
use larder_lists::catalog::Product;
use larder_lists::engine;
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::text::{has_unseen_in_lines, said};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 500;

/// Set the quantity of a product: at a place, or its total. The difference to the ledger is posted at the
/// place, or at the default commissary, whose stock must not become negative. Repeating the request posts
/// nothing.
#[utoipa::path(post, path = "/api/products/{id}/adjust", tag = "products", params(("id" = String, Path)),
    request_body = AdjustProduct, responses((status = 200, body = AdjustedProduct)))]
pub(crate) async fn adjust_product(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<AdjustProduct>,
) -> ApiResult<Json<AdjustedProduct>> {
    let wanted = &Wanted::read(&body)?;
    let (id, document) = (id.as_str(), state.new_id());
    let document = book::Document::first(DocumentType::Adjustment, &document);
    let seq = state.db.write(&who.actor(), async |tx| adjust(tx, id, document, wanted).await).await?;
    let product = engine::get::<Product>(&state.db, id).await?;
    let movement = match seq {
        Some(seq) => book::entry(&state.db, seq).await?,
        None => None,
    };
    let product = product.ok_or_else(|| ApiError::not_found("product"))?;
    Ok(Json(AdjustedProduct { product, movement }))
}

/// A validated adjustment.
struct Wanted {
    quantity: Qty,
    revision: Option<i64>,
    place: Option<Place>,
    reason: Option<String>,
}

impl Wanted {
    fn read(body: &AdjustProduct) -> ApiResult<Self> {
        let mut wrong = Vec::new();
        let quantity = quantity(body.quantity.as_ref()).unwrap_or_else(|message| {
            wrong.push(FieldError::new("quantity", message));
            Qty::ZERO
        });
        let place_id = body.place_id.as_deref().filter(|id| !id.is_empty());
        let place = match (body.place_kind, place_id) {
            (Some(kind), Some(_)) if !kind.counts_to_product() => {
                wrong.push(FieldError::new("placeKind", uncounted(kind)));
                None
            }
            (Some(kind), Some(id)) => Some(Place { kind, id: id.to_owned() }),
            (None, None) => None,
            (None, Some(_)) => {
                wrong.push(FieldError::new("placeKind", "Say what kind of place this is."));
                None
            }
            (Some(_), None) => {
                wrong.push(FieldError::new("placeId", "Choose the place."));
                None
            }
        };
        let reason = said(body.reason.as_deref());
        if reason.is_some_and(|text| text.chars().count() > MAX_REASON || has_unseen_in_lines(text)) {
            let message = format!("Use at most {MAX_REASON} characters, all of them visible.");
            wrong.push(FieldError::new("reason", message));
        }
        let reason = reason.map(str::to_owned);
        if wrong.is_empty() {
            Ok(Self { quantity, revision: body.revision, place, reason })
        } else {
            Err(ApiError::invalid(wrong))
        }
    }
}

fn quantity(value: Option<&Value>) -> Result<Qty, String> {
    let value = value.filter(|value| value.is_number() || value.is_string());
    let value = value.ok_or_else(|| "Enter a number, for example 12.5.".to_owned())?;
    match serde_json::from_value::<Qty>(value.clone()) {
        Err(error) => Err(error.to_string()),
        Ok(Qty(..0)) => Err("Enter zero or more.".to_owned()),
        Ok(Qty(MOST..)) => Err("This number is too large.".to_owned()),
        Ok(quantity) => Ok(quantity),
    }
}

fn uncounted(kind: PlaceKind) -> &'static str {
    match kind {
        PlaceKind::Store => {
            "A store's stock changes by counting it; choose a commissary, warehouse or cold storage."
        }
        _ => "Choose a commissary, warehouse or cold storage.",
    }
}

/// Posts the difference, if any, and returns its number.
async fn adjust(
    tx: &mut Tx<'_>,
    id: &str,
    document: book::Document<'_>,
    wanted: &Wanted,
) -> ApiResult<Option<i64>> {
    let head = queries::head_in(tx, id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    if wanted.revision.is_some_and(|revision| revision != head.revision) {
        return Err(stale(tx, id).await?);
    }
    if head.product_kind == "Service" {
        return Err(ApiError::conflict("service", "A service is not kept in stock."));
    }
    let item = book::product(id);
    let (place, usual) = match &wanted.place {
        Some(place) if book::find_place(tx, place).await? => (place.clone(), None),
        Some(_) => {
            return Err(ApiError::field("placeId", "This place does not exist; choose one from the list."));
        }
        None => {
            let (place, name) = book::default_commissary(tx).await?.ok_or_else(|| {
                ApiError::conflict("noCommissary", "Add a commissary first: stock needs a place.")
            })?;
            (place, Some(name))
        }
    };
    let there = book::hold_balance(tx, &item, &place).await?;
    let head = queries::head_in(tx, id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    let before = if usual.is_some() { head.quantity } else { there };
    let difference = Qty(wanted.quantity.0 - before.0);
    if difference.is_zero() {
        return Ok(None);
    }
    if let Some(name) = usual
        && there.0 + difference.0 < 0
    {
        return Err(not_enough(tx, &item, &name).await?);
    }
    let adjustment = book::Adjustment {
        product_id: id,
        document,
        place,
        before: head.quantity,
        difference,
        reason: wanted.reason.as_deref(),
    };
    book::adjust(tx, adjustment).await
}

/// Error if the default commissary's stock would become negative: lists the stock by place, so that one can
/// be chosen.
async fn not_enough(tx: &mut Tx<'_>, item: &Item, usual: &str) -> ApiResult<ApiError> {
    let places = book::counted_places(tx, item).await?;
    let lies: Vec<String> = places.iter().map(|(name, qty)| format!("{qty} at {name}")).collect();
    let lies = if lies.is_empty() { "nothing anywhere".to_owned() } else { lies.join(", ") };
    let message = format!("{usual} would go below zero; there is {lies}. Choose the place you counted.");
    Ok(ApiError::field("quantity", message))
}

/// The current product and who changed it.
async fn stale(tx: &mut Tx<'_>, id: &str) -> ApiResult<ApiError> {
    let current = (Product::DEF.ops().get)(tx, id).await?.unwrap_or_default();
    let name = current["updatedBy"]["name"].as_str().unwrap_or("someone").to_owned();
    Ok(ApiError::stale(&name, current))
}
