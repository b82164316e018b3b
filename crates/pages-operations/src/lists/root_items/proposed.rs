//! Listing, accepting and dismissing proposed prices.

use axum::extract::State;
use larder_db::{Reader, Tx};
use larder_domain::{BusinessDay, Money, Span};
use serde_json::json;

use super::proposed_model::{
    AcceptProposals, AcceptedProposal, DecidedProposals, DismissProposals, PriceProposal, PriceProposals,
    PriceProposalsQuery,
};
use super::recompute::{Weeks, follow};
use larder_ledgers::prices::proposals;
use larder_ledgers::prices::proposals::Proposal;
use larder_ledgers::prices::{NewPrice, Source};
use larder_ledgers::{prices, snapshots};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who, scope};

/// The most proposals of one request.
const MOST: usize = 200;
const STATES: [&str; 4] = ["open", "accepted", "dismissed", "withdrawn"];

/// Prices that receipts of supplier goods propose for root items, of the receipts of accessible stores.
#[utoipa::path(get, path = "/api/lists/price-proposals", tag = "lists", params(PriceProposalsQuery),
    responses((status = 200, body = PriceProposals)))]
pub(crate) async fn list_price_proposals(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PriceProposalsQuery>,
) -> ApiResult<Json<PriceProposals>> {
    let wanted = query.state.as_deref().filter(|text| !text.is_empty()).unwrap_or("open");
    if !STATES.contains(&wanted) {
        return Err(ApiError::field("state", format!("Choose one of {}.", STATES.join(", "))));
    }
    let page = (query.limit.unwrap_or(200).clamp(1, 1_000), query.offset.unwrap_or(0).clamp(0, 10_000_000));
    let (rows, total) = proposals::in_state(&state.db, wanted, &who.scope, page).await?;
    let roots: Vec<&str> = rows.iter().map(|row| row.root_item_id.as_str()).collect();
    let kept = proposals::kept_of(&mut Reader::Db(&state.db), &roots).await?;
    let frozen_until = snapshots::frozen_until(&mut Reader::Db(&state.db)).await?;
    let today = BusinessDay::of(who.at);
    let shown = |row: Proposal| {
        let of_root = kept.get(&row.root_item_id).map(Vec::as_slice).unwrap_or_default();
        let from = proposals::counts_from((row.on_date, today), frozen_until, of_root);
        PriceProposal::of(row, from)
    };
    Ok(Json(PriceProposals { items: rows.into_iter().map(shown).collect(), total }))
}

/// Accept proposed prices. Each counts from its receipt's date, unless that week is frozen or a user set a later price;
/// the weekly snapshots of days before today are made again. 409 `frozen` for a chosen day in a frozen week.
#[utoipa::path(post, path = "/api/lists/price-proposals/accept", tag = "lists", request_body = AcceptProposals,
    responses((status = 200, body = DecidedProposals)))]
pub(crate) async fn accept_price_proposals(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<AcceptProposals>,
) -> ApiResult<Json<DecidedProposals>> {
    refuse_many(body.items.len())?;
    let (actor, who, body) = (who.actor(), &who, &body);
    let written = state.db.write(&actor, async |tx| {
        let mut weeks = Weeks::default();
        for (at, item) in body.items.iter().enumerate() {
            let proposal = find(tx, who, &item.id, item.revision).await?;
            weeks.add(accept(tx, at, item, &proposal).await?);
        }
        weeks.refuse_unmakeable(tx).await?;
        Ok::<_, ApiError>(weeks)
    });
    let weeks = written.await?;
    weeks.make_again(&state).await?;
    Ok(Json(DecidedProposals { decided: body.items.len(), weeks: weeks.open }))
}

/// Dismiss proposed prices: the prices of their root items stay.
#[utoipa::path(post, path = "/api/lists/price-proposals/dismiss", tag = "lists", request_body = DismissProposals,
    responses((status = 200, body = DecidedProposals)))]
pub(crate) async fn dismiss_price_proposals(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<DismissProposals>,
) -> ApiResult<Json<DecidedProposals>> {
    refuse_many(body.items.len())?;
    let (actor, who, body) = (who.actor(), &who, &body);
    let written = state.db.write(&actor, async |tx| {
        for item in &body.items {
            let proposal = find(tx, who, &item.id, item.revision).await?;
            decide(tx, &proposal, None).await?;
        }
        Ok::<_, ApiError>(())
    });
    written.await?;
    Ok(Json(DecidedProposals { decided: body.items.len(), weeks: Vec::new() }))
}

/// Writes the price of a proposal, and returns the snapshots it changes.
async fn accept(
    tx: &mut Tx<'_>,
    at: usize,
    item: &AcceptedProposal,
    proposal: &Proposal,
) -> ApiResult<Weeks> {
    let root = proposal.root_item_id.as_str();
    let today = BusinessDay::of(tx.actor().at);
    let price = item.price.unwrap_or(proposal.price);
    if price.0 < 0 {
        return Err(ApiError::field(format!("items.{at}.price"), "Enter zero or more."));
    }
    let from = match item.from {
        Some(from) if from > today => {
            return Err(ApiError::field(format!("items.{at}.from"), "Choose a day up to today."));
        }
        Some(from) => from,
        None => {
            let frozen_until = snapshots::frozen_until(&mut Reader::Tx(tx)).await?;
            let kept = proposals::kept_of(&mut Reader::Tx(tx), &[root]).await?;
            let of_root = kept.get(root).map(Vec::as_slice).unwrap_or_default();
            proposals::counts_from((proposal.on_date, today), frozen_until, of_root).0
        }
    };
    let to = prices::until(tx, root, from, today).await?;
    let weeks = if from < today { Weeks::of(tx, Span { from, to }).await? } else { Weeks::default() };
    if !weeks.frozen.is_empty() {
        return Err(weeks.refusal());
    }
    let seen = prices::of_item_on(tx, root, from).await?.map(|kept| kept.revision);
    let new = NewPrice {
        root_item_id: root,
        from,
        price: Some(price),
        source: Source::Receipt,
        receipt_id: Some(&proposal.receipt_id),
        reason: None,
    };
    if !prices::set(tx, &new, seen).await? {
        return Err(stale(proposal));
    }
    follow(tx, root).await?;
    decide(tx, proposal, Some((from, price))).await?;
    Ok(weeks)
}

async fn decide(tx: &mut Tx<'_>, proposal: &Proposal, taken: Option<(BusinessDay, Money)>) -> ApiResult<()> {
    if proposals::decide(tx, proposal, taken).await? { Ok(()) } else { Err(stale(proposal)) }
}

/// An open proposal of an accessible store, at the revision the user saw.
async fn find(tx: &mut Tx<'_>, who: &Who, id: &str, revision: i64) -> ApiResult<Proposal> {
    let id = known_id(id, "proposed price")?;
    let found = proposals::open(tx, id).await?.ok_or_else(|| ApiError::not_found("proposed price"))?;
    scope::check(found.store_id.as_deref(), &who.scope)?;
    if found.revision == revision { Ok(found) } else { Err(stale(&found)) }
}

fn stale(proposal: &Proposal) -> ApiError {
    ApiError::stale(&proposal.updated_by.name, json!({ "id": proposal.id, "revision": proposal.revision }))
}

fn refuse_many(items: usize) -> ApiResult<()> {
    match items {
        0 => Err(ApiError::field("items", "Choose at least one.")),
        1..=MOST => Ok(()),
        _ => Err(ApiError::field("items", format!("Choose at most {MOST}."))),
    }
}
