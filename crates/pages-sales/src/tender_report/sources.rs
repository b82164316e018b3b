//! The sources of a figure in the report.

use axum::extract::State;
use larder_domain::tender::Kind;
use larder_domain::{BusinessDay, Span};

use super::model::{PosSource, ReadingSource, SourcesQuery, TenderSources};
use larder_ledgers::cash::{declarations, deposits, settlements};
use larder_ledgers::completeness::Completeness;
use larder_ledgers::paid;
use larder_ledgers::paid::Types;
use larder_ledgers::verified_readings;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::{date, known_id};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// All documents of a store's day and tender type.
#[utoipa::path(get, path = "/api/sales/tender-report/sources", tag = "tender report", params(SourcesQuery),
    responses((status = 200, body = TenderSources)))]
pub(crate) async fn get_tender_sources(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<SourcesQuery>,
) -> ApiResult<Json<TenderSources>> {
    who.check_store(known_id(&query.store_id, "store")?)?;
    let day = date("date", Some(&query.date)).map_err(|error| ApiError::invalid(vec![error]))?;
    let day = day.ok_or_else(|| ApiError::field("date", "Choose a day."))?;
    let kind = Kind::parse(&query.kind).ok_or_else(|| ApiError::field("kind", "Choose how it was paid."))?;
    let (db, span, store) = (&state.db, Span { from: day, to: day }, query.store_id);
    let stores = [store.clone()];
    let types = Types::read(db).await?;
    let verified = verified_readings::verified(db, &stores, span).await?;
    let pos = paid::pos(db, &stores, span).await?;
    let once = paid::once(db, (&stores, span), &pos, &verified, &types).await?;
    let once = once.into_values().next().unwrap_or_default();
    let pos = pos.into_iter().filter(|one| types.kind(&one.label) == kind).map(|one| PosSource {
        counted: once.counts(&one.source),
        source: one.source,
        label: one.label,
        amount: one.amount,
        payments: one.receipts,
    });
    let mut found = Vec::new();
    for reading in verified {
        let of_kind = reading
            .tenders
            .0
            .into_iter()
            .filter(|one| Kind::parse(&one.kind).unwrap_or_else(|| types.kind(&one.label)) == kind);
        found.extend(of_kind.map(|one| ReadingSource {
            id: reading.id.clone(),
            terminal_id: reading.terminal_id.clone(),
            z_counter: reading.z_counter,
            label: one.label,
            amount: one.amount,
        }));
    }
    let known = Completeness::read(db, &stores, span, BusinessDay::of(who.at)).await?;
    let deposits = match kind {
        Kind::Cash => deposits::of_day(db, &store, day).await?,
        _ => Vec::new(),
    };
    let limit = query.limit.unwrap_or(500).clamp(1, 10_000);
    let (settlements, settlement_total) = settlements::of_day(db, &store, day, kind.as_str(), limit).await?;
    Ok(Json(TenderSources {
        pos: pos.collect(),
        readings: found,
        tills: known.day(&store, day).wire(day),
        declarations: declarations::of_day(db, &store, day).await?,
        deposits,
        settlements,
        settlement_total,
    }))
}
