//! Days closed or corrected.

use axum::extract::State;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::{BusinessDay, Money, Span};
use serde_json::{Value, json};

use super::model::{Cmsr, CmsrDayDraft, month_text};
use super::month;
use super::queries::{self, Said};
use larder_ledgers::certified_months::refuse_locked;
use larder_ledgers::completeness::Completeness;
use larder_ledgers::sales::duplicates;
use larder_platform::AppState;
use larder_platform::http::question::date;
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum amount of a figure: 100 million pesos a day.
const MOST: Money = Money(10_000_000_000);

/// Mark a day without sales and readings as closed, or replace figures of its readings. With neither, the day uses its readings again.
#[utoipa::path(put, path = "/api/sales/cmsr/days", tag = "cmsr", request_body = CmsrDayDraft,
    responses((status = 200, body = Cmsr)))]
pub(crate) async fn set_cmsr_day(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<CmsrDayDraft>,
) -> ApiResult<Json<Cmsr>> {
    who.check_store(&body.store_id)?;
    let day = check(&body)?;
    let store = month::store(&state.db, &body.store_id).await?;
    let (actor, store, body) = (who.actor(), &store, &body);
    let written = state.db.write(&actor, async |tx| {
        refuse_locked(tx, &store.id, day).await?;
        if body.closed {
            refuse_sold(tx, &store.id, day).await?;
        }
        let before = queries::said_in(tx, &store.id, day).await?;
        if !queries::say(tx, (&store.id, day), body, body.revision).await? {
            let now =
                queries::said_in(tx, &store.id, day).await?.ok_or_else(|| ApiError::not_found("day"))?;
            return Err(ApiError::stale(&now.updated_by.name.clone(), audit_snapshot(&now)));
        }
        let now = queries::said_in(tx, &store.id, day).await?.ok_or_else(|| ApiError::not_found("day"))?;
        let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
        tx.record(Change {
            kind: "cmsrDay",
            id: format!("{}_{day}", store.id),
            store_id: Some(store.id.clone()),
            action,
            before: before.as_ref().map(audit_snapshot),
            after: Some(audit_snapshot(&now)),
        })
        .await?;
        duplicates::settle_days(tx, &store.id, Span { from: day, to: day }).await?;
        Ok::<_, ApiError>(())
    });
    written.await?;
    Ok(Json(month::shown(&state.db, store, day.month(), BusinessDay::of(who.at)).await?))
}

/// Refuses to mark a day with sales or readings as closed.
async fn refuse_sold(tx: &mut Tx<'_>, store: &str, day: BusinessDay) -> ApiResult<()> {
    let span = Span { from: day, to: day };
    let known = Completeness::read_in(tx, &[store.to_owned()], span, BusinessDay::of(tx.actor().at)).await?;
    let of_day = known.day(store, day);
    let words = match (of_day.sold, of_day.own().next()) {
        (Some(sold), _) => {
            format!("{} was sold on {}. A day with sales cannot be closed.", sold.pesos(), day.display())
        }
        (None, Some(_)) => {
            format!("There is a Z-reading of {}. A day with readings cannot be closed.", day.display())
        }
        (None, None) => return Ok(()),
    };
    Err(ApiError::unprocessable("hasSales", words.clone()).at(vec![FieldError::new("closed", words)]))
}

fn check(body: &CmsrDayDraft) -> ApiResult<BusinessDay> {
    let mut wrong = Vec::new();
    let day = date("date", Some(&body.date)).unwrap_or_else(|error| {
        wrong.push(error);
        None
    });
    if day.is_none() && wrong.is_empty() {
        wrong.push(FieldError::new("date", "Choose a day."));
    }
    for (figure, amount) in &body.corrections {
        let field = format!("corrections.{}", figure.as_str());
        if !figure.may_be_corrected() {
            wrong.push(FieldError::new(field, "This follows from the other figures."));
        } else if amount.0.abs() > MOST.0 {
            wrong.push(FieldError::new(field, "Enter an amount up to 100,000,000."));
        }
    }
    if body.source().is_some_and(|source| has_unseen(source) || source.chars().count() > 60) {
        wrong.push(FieldError::new("source", "Choose where the sales came from."));
    }
    let reason = body.reason.trim();
    if reason.is_empty() && (body.closed || !body.corrections.is_empty()) {
        wrong.push(FieldError::new("reason", "Say why."));
    }
    if has_unseen(reason) || reason.chars().count() > 200 {
        wrong.push(FieldError::new("reason", "Enter at most 200 visible characters."));
    }
    match (day, wrong.is_empty()) {
        (Some(day), true) => Ok(day),
        _ => Err(ApiError::invalid(wrong)),
    }
}

fn audit_snapshot(said: &Said) -> Value {
    let corrections: Vec<String> =
        said.corrections.0.iter().map(|(figure, amount)| format!("{} {amount}", figure.title())).collect();
    json!({
        "month": month_text(said.business_date.month()), "date": said.business_date, "closed": said.closed,
        "corrections": corrections.join(", "), "reason": said.reason, "source": said.counted_source,
    })
}
