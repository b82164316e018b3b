//! Withdraws exported days: each may be exported again, in any layout.

use std::collections::BTreeSet;

use axum::extract::State;
use larder_db::{Actor, Change, ChangeAction, Tx};
use larder_domain::netsuite::Layout;
use larder_domain::{BusinessDay, Span};
use serde_json::json;

use super::model::{NetsuiteWithdrawn, WithdrawNetsuite};
use super::queries::{self, Sent};
use super::sent::{self, ByDay};
use larder_platform::AppState;
use larder_platform::http::question::{date, known_id};
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum length of a reason, in characters.
const MOST_REASON: usize = 200;
/// The most store days withdrawn at once: they are written in one transaction.
const MOST_WITHDRAWN: usize = 1_000;

/// Withdraw exported days, so that each may be exported again, in any layout. Their records keep their External IDs;
/// NetSuite is not told.
#[utoipa::path(post, path = "/api/sales/netsuite/withdraw", tag = "netsuite", request_body = WithdrawNetsuite,
    responses((status = 200, body = NetsuiteWithdrawn)))]
pub(crate) async fn withdraw_netsuite_days(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<WithdrawNetsuite>,
) -> ApiResult<Json<NetsuiteWithdrawn>> {
    if body.days.len() > MOST_WITHDRAWN {
        return Err(ApiError::field("days", format!("Withdraw at most {MOST_WITHDRAWN} days at once.")));
    }
    for one in &body.days {
        who.check_store(known_id(&one.store_id, "store")?)?;
    }
    let (days, span) = check(&body)?;
    let chosen = Chosen { layout: body.layout, days, span, reason: body.reason.trim().to_owned() };
    Ok(Json(withdraw(&state, &who.actor(), &chosen).await?))
}

/// What to withdraw, and why.
struct Chosen {
    layout: Layout,
    /// Stores and days.
    days: BTreeSet<(String, BusinessDay)>,
    /// From the first to the last day.
    span: Span,
    reason: String,
}

/// The stores and days of a request, and the span of the days; 422 with all invalid fields.
fn check(body: &WithdrawNetsuite) -> ApiResult<(BTreeSet<(String, BusinessDay)>, Span)> {
    let (mut days, mut wrong) = (BTreeSet::new(), Vec::new());
    for (at, one) in body.days.iter().enumerate() {
        let field = format!("days.{at}.date");
        match date(&field, Some(&one.date)) {
            Ok(Some(day)) => {
                days.insert((one.store_id.clone(), day));
            }
            Ok(None) => wrong.push(FieldError::new(field, "Choose a day.")),
            Err(error) => wrong.push(error),
        }
    }
    if body.days.is_empty() {
        wrong.push(FieldError::new("days", "Choose at least one day."));
    }
    let reason = body.reason.trim();
    if reason.is_empty() {
        wrong.push(FieldError::new("reason", "Say why."));
    } else if has_unseen(reason) || reason.chars().count() > MOST_REASON {
        let words = format!("Enter at most {MOST_REASON} visible characters.");
        wrong.push(FieldError::new("reason", words));
    }
    let ends = days.iter().map(|(_, day)| *day).min().zip(days.iter().map(|(_, day)| *day).max());
    match ends {
        Some((from, to)) if wrong.is_empty() => Ok((days, Span { from, to })),
        _ => Err(ApiError::invalid(wrong)),
    }
}

/// Withdraws all chosen days or none.
///
/// # Errors
/// 409 if one of them has no record in this layout that counts.
async fn withdraw(state: &AppState, actor: &Actor, chosen: &Chosen) -> ApiResult<NetsuiteWithdrawn> {
    let stores: BTreeSet<&str> = chosen.days.iter().map(|(store, _)| store.as_str()).collect();
    let stores: Vec<String> = stores.into_iter().map(str::to_owned).collect();
    let stores = &stores;
    let written = state.db.write(actor, async |tx| {
        let known = sent::by_day(queries::sent_in(tx, stores, chosen.span).await?);
        let records = records(tx, &known, chosen).await?;
        let names: Vec<String> = records.iter().map(|one| one.external_id.clone()).collect();
        queries::withdraw(tx, &names, &chosen.reason).await?;
        queries::make_live(tx, &next(&known, chosen)).await?;
        for one in records {
            tx.record(change(one, chosen)).await?;
        }
        Ok::<_, ApiError>(NetsuiteWithdrawn { external_ids: names })
    });
    written.await
}

/// The records to withdraw, one for each chosen day.
async fn records<'a>(tx: &mut Tx<'_>, known: &'a ByDay, chosen: &Chosen) -> ApiResult<Vec<&'a Sent>> {
    let mut records = Vec::with_capacity(chosen.days.len());
    for key in &chosen.days {
        if let Some(one) = known.get(key).and_then(|day| day.current_of(chosen.layout)) {
            records.push(one);
            continue;
        }
        let (store, day) = key;
        let name = queries::store_name(tx, store).await?.ok_or_else(|| ApiError::not_found("store"))?;
        let words = format!(
            "{name}, {} did not go as {}, or was withdrawn already. Nothing was withdrawn.",
            day.display(),
            chosen.layout.title()
        );
        return Err(ApiError::conflict("state", words));
    }
    Ok(records)
}

/// Of days that went in several layouts, the External ID of the oldest remaining record.
fn next(known: &ByDay, chosen: &Chosen) -> Vec<String> {
    let others = chosen.days.iter().filter_map(|key| {
        let mut current = known.get(key)?.current();
        current.find(|one| one.layout != chosen.layout.as_str())
    });
    others.map(|one| one.external_id.clone()).collect()
}

fn change(one: &Sent, chosen: &Chosen) -> Change {
    let snapshot = |state: &str, reason: &str| json!({ "layout": one.layout, "date": one.business_date, "state": state, "reason": reason });
    Change {
        kind: "netsuiteExport",
        id: one.external_id.clone(),
        store_id: Some(one.store_id.clone()),
        action: ChangeAction::Updated,
        before: Some(snapshot(&one.state, "")),
        after: Some(snapshot("withdrawn", &chosen.reason)),
    }
}
