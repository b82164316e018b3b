//! A root item's movement in a store by day: documents, sales and counts.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use larder_domain::count::Session;
use larder_domain::on_hand::Moment;
use larder_domain::on_hand::movement::MovementKind;
use larder_domain::{BusinessDay, Factor, Qty, Span, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::count_queries as queries;
use super::movement_rows::MovementFigures;
use larder_engines::reports::figures::too_large;
use larder_ledgers::{snapshots, store_items as book};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::{date, is_id};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum number of days.
const MOST_DAYS: i32 = 366;
/// Maximum number of movements returned.
const MOST_MOVEMENTS: usize = 2_000;

/// Query parameters: store, root item and range.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct PartsQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    #[param(value_type = String, required = true)]
    pub root_item_id: Option<String>,
    /// First business date.
    #[param(value_type = String, format = Date, required = true)]
    pub from: Option<String>,
    /// Last business date.
    #[param(value_type = String, format = Date, required = true)]
    pub to: Option<String>,
}

/// A document line that moved the root item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementDocument {
    /// Sequence number of the movement, ascending.
    pub seq: i64,
    /// Type of the posting document, such as `delivery`; `adjustment` for an entered quantity.
    pub kind: String,
    pub document_id: String,
    /// Document number, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The figure it contributes to.
    pub way: MovementKind,
    /// The product moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_name: Option<String>,
    /// Contribution to that figure; negative for reversals.
    pub qty: Qty,
    /// When it was posted.
    pub at: Timestamp,
    /// Who posted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Reason, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A count of an item mapped to the root item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementCount {
    pub date: BusinessDay,
    pub session: Session,
    /// Whether it counts before the day's movements and sales; otherwise after them.
    pub before: bool,
    pub item_id: String,
    pub item_name: String,
    /// Quantity of the item.
    pub qty: Qty,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Quantity of the root item.
    pub root_qty: Qty,
    /// When it was taken.
    pub at: Timestamp,
    /// Who counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementDay {
    pub date: BusinessDay,
    #[serde(flatten)]
    pub figures: MovementFigures,
    /// In posting order.
    pub documents: Vec<MovementDocument>,
    /// Quantity sold of POS items that use the root item.
    pub sold: Qty,
    /// Number of those POS items.
    pub pos_items: usize,
    /// In chronological order.
    pub counts: Vec<MovementCount>,
}

/// A root item's movement in a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementParts {
    pub store_id: String,
    pub store_name: String,
    pub root_item_id: String,
    /// The root item's name.
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// Totals of all days.
    pub figures: MovementFigures,
    /// The counts behind the opening: the last of each item before the first day.
    pub opening_counts: Vec<MovementCount>,
    /// Days with movements, earliest first.
    pub days: Vec<MovementDay>,
    /// Whether documents of earlier days were left out; the totals still include them.
    pub truncated: bool,
}

/// A root item's movement in a store: documents, sales days and counts by day.
#[utoipa::path(get, path = "/api/reports/root-item-movement-by-store/parts", tag = "reports", params(PartsQuery),
    responses((status = 200, body = MovementParts)))]
pub(crate) async fn list_movement_parts(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PartsQuery>,
) -> ApiResult<Json<MovementParts>> {
    let (store_id, root_id, span) = asked(&query)?;
    who.check_store(store_id)?;
    let store = if is_id(store_id) {
        queries::open_stores(&state.db, Some(&[store_id.to_owned()])).await?.pop()
    } else {
        None
    };
    let store = store.ok_or_else(|| ApiError::not_found("store"))?;
    let periods: Vec<Span> =
        (0..span.days()).map(|n| span.from.plus(n)).map(|day| Span { from: day, to: day }).collect();
    let by_day = snapshots::of_store(&state.db, store_id, &periods).await?;
    let whole = snapshots::of_store(&state.db, store_id, &[span]).await?;
    let Some(at) = by_day.roots.iter().position(|root| root.id == root_id) else {
        return Err(ApiError::not_found("root item"));
    };
    let mut found = parts(&state, store_id, root_id, span).await?;
    let mut days = Vec::new();
    for (day, figures) in periods.iter().map(|period| period.from).zip(&by_day.figures[at]) {
        let (documents, counts, sold) = (
            found.documents.remove(&day).unwrap_or_default(),
            found.counts.remove(&day).unwrap_or_default(),
            found.sold.remove(&day).unwrap_or_default(),
        );
        let quiet = documents.is_empty()
            && counts.is_empty()
            && figures.theoretical_use.is_zero()
            && figures.variance.is_none_or(Qty::is_zero)
            && figures.received.is_zero();
        if !quiet {
            let (sold, pos_items) = (sold.qty, sold.pos_items);
            days.push(MovementDay {
                date: day,
                figures: (*figures).into(),
                documents,
                sold,
                pos_items,
                counts,
            });
        }
    }
    let mut units = book::root_units(&state.db).await?;
    let of_root = whole.roots.iter().position(|root| root.id == root_id);
    let figures = of_root.and_then(|at| whole.figures[at].first()).copied().unwrap_or_default();
    Ok(Json(MovementParts {
        store_id: store.id,
        store_name: store.name,
        root_item_id: root_id.to_owned(),
        name: by_day.roots[at].name.clone(),
        unit: units.remove(root_id),
        from: span.from,
        to: span.to,
        figures: figures.into(),
        opening_counts: found.opening,
        days,
        truncated: found.truncated,
    }))
}

fn asked(query: &PartsQuery) -> ApiResult<(&str, &str, Span)> {
    let mut wrong = Vec::new();
    let mut id = |field: &str, text: &'_ Option<String>, words: &str| {
        if text.as_deref().is_none_or(str::is_empty) {
            wrong.push(FieldError::new(field, words));
        }
    };
    id("storeId", &query.store_id, "Choose a store.");
    id("rootItemId", &query.root_item_id, "Choose a root item.");
    let mut day = |field: &str, text: &Option<String>| match date(field, text.as_deref()) {
        Ok(Some(day)) => Some(day),
        Ok(None) => {
            wrong.push(FieldError::new(field, "Choose a day."));
            None
        }
        Err(error) => {
            wrong.push(error);
            None
        }
    };
    let (from, to) = (day("from", &query.from), day("to", &query.to));
    if let (Some(from), Some(to)) = (from, to) {
        if from > to {
            wrong.push(FieldError::new("to", "The last day must not come before the first."));
        } else if (Span { from, to }).days() > MOST_DAYS {
            wrong.push(FieldError::new("to", format!("Choose a range of at most {MOST_DAYS} days.")));
        }
    }
    match (&query.store_id, &query.root_item_id, from, to) {
        (Some(store), Some(root), Some(from), Some(to)) if wrong.is_empty() => {
            Ok((store, root, Span { from, to }))
        }
        _ => Err(ApiError::invalid(wrong)),
    }
}

/// A root item's movement in a store, by day.
struct Found {
    documents: BTreeMap<BusinessDay, Vec<MovementDocument>>,
    sold: BTreeMap<BusinessDay, book::Sold>,
    counts: BTreeMap<BusinessDay, Vec<MovementCount>>,
    opening: Vec<MovementCount>,
    truncated: bool,
}

async fn parts(state: &AppState, store_id: &str, root_id: &str, span: Span) -> ApiResult<Found> {
    let db = &state.db;
    let (moved, truncated) = book::documents(db, store_id, span, &[root_id], MOST_MOVEMENTS).await?;
    let ids: Vec<&str> = moved.iter().map(|one| one.document_id.as_str()).collect();
    let receipts = book::receipts(db, &ids).await?;
    let receipts: HashMap<&str, &book::ReceiptOf> =
        receipts.iter().map(|one| (one.id.as_str(), one)).collect();
    let numbers: HashMap<String, String> = queries::document_numbers(db, &ids).await?.into_iter().collect();
    let mut documents: BTreeMap<BusinessDay, Vec<MovementDocument>> = BTreeMap::new();
    for one in &moved {
        let receipt = receipts.get(one.document_id.as_str());
        let of_transfer = receipt.is_some_and(|it| it.source_type.as_deref() == Some("transfer"));
        let at_receiver = receipt.is_some_and(|it| it.store_id.as_deref() == Some(store_id));
        let way = MovementKind::of(one.document_type, of_transfer, at_receiver);
        let (product_id, product_name) = one.product.clone().unzip();
        documents.entry(one.date).or_default().push(MovementDocument {
            seq: one.seq,
            kind: one.document_type.as_str().to_owned(),
            document_id: one.document_id.clone(),
            number: numbers.get(&one.document_id).cloned(),
            way,
            product_id,
            product_name,
            qty: way.amount(one.qty).ok_or_else(too_large)?,
            at: one.at,
            by: one.by.clone(),
            reason: one.reason.clone(),
        });
    }
    let sold = book::sold(db, store_id, span, &[root_id]).await?;
    let sold = sold.into_iter().map(|((day, _), sold)| (day, sold)).collect();
    let (opening, counts) = counts(state, store_id, root_id, span).await?;
    Ok(Found { documents, sold, counts, opening, truncated })
}

type ByDay = BTreeMap<BusinessDay, Vec<MovementCount>>;

/// Counts of items mapped to a root item: those behind the opening, and those in the range.
async fn counts(
    state: &AppState,
    store_id: &str,
    root_id: &str,
    span: Span,
) -> ApiResult<(Vec<MovementCount>, ByDay)> {
    let items = book::visible(&state.db, store_id).await?;
    let made_of = book::made_of(&state.db, store_id, &items).await?;
    let factor = |roots: &book::Parts| -> Option<Factor> {
        roots.iter().find(|(root, _)| root == root_id).map(|(_, factor)| *factor)
    };
    let factors = items.iter().zip(&made_of).map(|(item, roots)| (item, roots.map(factor)));
    let standing: Vec<_> = factors.filter(|(_, factors)| factors.all().any(Option::is_some)).collect();
    let ids: Vec<&str> = standing.iter().map(|(item, _)| item.id.as_str()).collect();
    let mut found = book::counts_of(&state.db, store_id, &ids, span).await?;
    let (mut opening, mut by_day) = (Vec::new(), ByDay::new());
    for (item, factors) in standing {
        let mut counts = found.remove(&item.id).unwrap_or_default();
        // Those of the time when it represented something else are not of this root item.
        let factor = |count: &book::Count| *factors.at(count.baseline().moment.time());
        counts.retain(|count| factor(count).is_some());
        let movement_count = |count: &book::Count| -> ApiResult<MovementCount> {
            Ok(MovementCount {
                date: count.date,
                session: count.session,
                before: count.baseline().moment.is_opening(),
                item_id: item.id.clone(),
                item_name: item.name.clone(),
                qty: count.qty,
                uom_code: item.uom_code.clone(),
                root_qty: count.qty.scaled(factor(count).unwrap_or_default()).ok_or_else(too_large)?,
                at: count.at,
                by: count.by.clone(),
            })
        };
        let start = Moment::after(span.from.plus(-1));
        let before = counts.partition_point(|count| count.baseline().moment <= start);
        if let Some(last) = before.checked_sub(1) {
            opening.push(movement_count(&counts[last])?);
        }
        for count in &counts[before..] {
            by_day.entry(count.date).or_default().push(movement_count(count)?);
        }
    }
    for counts in by_day.values_mut() {
        counts.sort_by_key(|count| (!count.before, count.at));
    }
    Ok((opening, by_day))
}
