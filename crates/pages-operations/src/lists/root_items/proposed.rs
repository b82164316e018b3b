//! Listing, accepting and dismissing proposed prices.

use axum::extract::State;
use larder_db::{Reader, Tx};
use larder_domain::{BusinessDay, Span};
use serde_json::json;

use super::proposed_model::{
    DecideProposals, DecidedProposals, PriceProposal, PriceProposals, PriceProposalsQuery, SeenProposal,
};
use super::recompute::{Weeks, follow};
use larder_ledgers::prices::proposals;
use larder_ledgers::prices::proposals::{Decision, Proposal, Since};
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
    let origins = proposals::origins(&mut Reader::Db(&state.db), &roots).await?;
    let frozen_until = snapshots::frozen_until(&mut Reader::Db(&state.db)).await?;
    let today = BusinessDay::of(who.at);
    let shown = |proposal: Proposal| {
        let of_root = origins.get(&proposal.root_item_id).map(Vec::as_slice).unwrap_or_default();
        let (from, since) = proposals::counts_from((proposal.on_date, today), frozen_until, of_root);
        PriceProposal { proposal, from, since }
    };
    Ok(Json(PriceProposals { items: rows.into_iter().map(shown).collect(), total }))
}

/// Accept proposed prices, those of older receipts first. Each counts from its receipt's date, unless that week is frozen
/// or a user set a later price; the weekly snapshots of days before today are made again. Open proposals whose price is
/// then in force are withdrawn, and so are accepted ones that a newer receipt's price has superseded.
#[utoipa::path(post, path = "/api/lists/price-proposals/accept", tag = "lists", request_body = DecideProposals,
    responses((status = 200, body = DecidedProposals)))]
pub(crate) async fn accept_price_proposals(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<DecideProposals>,
) -> ApiResult<Json<DecidedProposals>> {
    refuse_many(body.items.len())?;
    let (actor, who, body, state) = (who.actor(), &who, &body, &state);
    let written = state.db.write(&actor, async |tx| {
        let mut found = Vec::with_capacity(body.items.len());
        for item in &body.items {
            found.push(find(tx, who, item).await?);
        }
        // Of several prices from one day, that of the newest receipt stays.
        found.sort_by_key(|proposal| (proposal.on_date, proposal.created_at));
        let roots: Vec<&str> = found.iter().map(|proposal| proposal.root_item_id.as_str()).collect();
        let frozen_until = snapshots::frozen_until(&mut Reader::Tx(tx)).await?;
        let origins = proposals::origins(&mut Reader::Tx(tx), &roots).await?;
        let today = BusinessDay::of(tx.actor().at);
        let mut weeks = Weeks::default();
        for proposal in &found {
            let of_root = origins.get(&proposal.root_item_id).map(Vec::as_slice).unwrap_or_default();
            let counts = proposals::counts_from((proposal.on_date, today), frozen_until, of_root);
            weeks.add(accept(tx, proposal, counts, today).await?);
        }
        proposals::withdraw_settled(tx, &roots).await?;
        weeks.refuse_unmakeable(tx).await?;
        weeks.make_again(tx, state).await?;
        Ok::<_, ApiError>(weeks)
    });
    let weeks = written.await?;
    state.jobs.wake();
    Ok(Json(DecidedProposals { decided: body.items.len(), weeks: weeks.open }))
}

/// Dismiss proposed prices: the prices of their root items stay.
#[utoipa::path(post, path = "/api/lists/price-proposals/dismiss", tag = "lists", request_body = DecideProposals,
    responses((status = 200, body = DecidedProposals)))]
pub(crate) async fn dismiss_price_proposals(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<DecideProposals>,
) -> ApiResult<Json<DecidedProposals>> {
    refuse_many(body.items.len())?;
    let (actor, who, body) = (who.actor(), &who, &body);
    let written = state.db.write(&actor, async |tx| {
        for item in &body.items {
            let proposal = find(tx, who, item).await?;
            decide(tx, &proposal, Decision::Dismissed).await?;
        }
        Ok::<_, ApiError>(())
    });
    written.await?;
    Ok(Json(DecidedProposals { decided: body.items.len(), weeks: Vec::new() }))
}

/// Writes the price of a proposal unless it is in force already, and returns the snapshots it changes.
async fn accept(
    tx: &mut Tx<'_>,
    proposal: &Proposal,
    (from, since): (BusinessDay, Since),
    today: BusinessDay,
) -> ApiResult<Weeks> {
    let root = proposal.root_item_id.as_str();
    if since == Since::Superseded {
        decide(tx, proposal, Decision::Superseded).await?;
        return Ok(Weeks::default());
    }
    decide(tx, proposal, Decision::Accepted(from)).await?;
    prices::remove_older(tx, root, from, proposal.on_date).await?;
    let in_force = prices::on(tx, root, from).await?;
    if in_force.is_some_and(|kept| kept.price == Some(proposal.price)) {
        follow(tx, root).await?;
        return Ok(Weeks::default());
    }
    let to = prices::until(tx, root, from, today).await?;
    let weeks = if from < today { Weeks::of(tx, Span { from, to }).await? } else { Weeks::default() };
    let seen = prices::of_item_on(tx, root, from).await?.map(|kept| kept.revision);
    let new = NewPrice {
        root_item_id: root,
        from,
        price: Some(proposal.price),
        source: Source::Receipt,
        receipt_id: Some(&proposal.receipt_id),
        reason: None,
    };
    if !prices::set(tx, &new, seen).await? {
        return Err(stale(proposal));
    }
    follow(tx, root).await?;
    Ok(weeks)
}

async fn decide(tx: &mut Tx<'_>, proposal: &Proposal, decision: Decision) -> ApiResult<()> {
    if proposals::decide(tx, proposal, decision).await? { Ok(()) } else { Err(stale(proposal)) }
}

/// An open proposal of an accessible store, at the revision the user saw.
async fn find(tx: &mut Tx<'_>, who: &Who, seen: &SeenProposal) -> ApiResult<Proposal> {
    let id = known_id(&seen.id, "proposed price")?;
    let found = proposals::open(tx, id).await?.ok_or_else(|| ApiError::not_found("proposed price"))?;
    scope::check(found.store_id.as_deref(), &who.scope)?;
    if found.revision == seen.revision { Ok(found) } else { Err(stale(&found)) }
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
