//! Print layouts by lessor.

use axum::extract::State;
use larder_db::{Change, ChangeAction, Db};
use serde_json::{Value, json};

use super::model::{CmsrLayout, LayoutQuery, LessorLayout};
use super::queries;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::text::{fold, has_unseen, has_unseen_in_lines};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum length of a column or report title, in characters.
const MOST_TITLE: usize = 100;

/// A lessor's layout, or the default.
pub(super) async fn of(db: &Db, lessor: Option<&str>) -> ApiResult<CmsrLayout> {
    let kept = queries::layout(db, &fold(lessor.unwrap_or_default())).await?;
    Ok(kept.map_or_else(CmsrLayout::default, |(layout, revision)| CmsrLayout { revision, ..layout.0 }))
}

/// A lessor's print layout.
#[utoipa::path(get, path = "/api/sales/cmsr/layout", tag = "cmsr", params(LayoutQuery),
    responses((status = 200, body = LessorLayout)))]
pub(crate) async fn get_cmsr_layout(
    State(state): State<AppState>,
    _who: Who,
    Query(query): Query<LayoutQuery>,
) -> ApiResult<Json<LessorLayout>> {
    let layout = of(&state.db, Some(&query.lessor)).await?;
    Ok(Json(LessorLayout { lessor: query.lessor, layout }))
}

/// Set a lessor's print layout: columns, their order and titles.
#[utoipa::path(put, path = "/api/sales/cmsr/layout", tag = "cmsr", request_body = LessorLayout,
    responses((status = 200, body = LessorLayout)))]
pub(crate) async fn set_cmsr_layout(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<LessorLayout>,
) -> ApiResult<Json<LessorLayout>> {
    check(&body)?;
    let key = fold(&body.lessor);
    let (actor, key, body) = (who.actor(), &key, &body);
    let written = state.db.write(&actor, async |tx| {
        let before = queries::layout_in(tx, key).await?;
        if !queries::set_layout(tx, (key, body.lessor.trim()), &body.layout).await? {
            let now = queries::layout_in(tx, key).await?.ok_or_else(|| ApiError::not_found("layout"))?;
            return Err(ApiError::stale(
                &now.2.name.clone(),
                json!(CmsrLayout { revision: now.1, ..now.0.0 }),
            ));
        }
        let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
        tx.record(Change {
            kind: "cmsrLayout",
            id: key.clone(),
            store_id: None,
            action,
            before: before.map(|(layout, ..)| audit_snapshot(&body.lessor, &layout.0)),
            after: Some(audit_snapshot(&body.lessor, &body.layout)),
        })
        .await?;
        Ok::<_, ApiError>(())
    });
    written.await?;
    let layout = of(&state.db, Some(&body.lessor)).await?;
    Ok(Json(LessorLayout { lessor: body.lessor.clone(), layout }))
}

fn check(body: &LessorLayout) -> ApiResult<()> {
    let mut wrong = Vec::new();
    let long = |text: &str, most: usize| has_unseen(text) || text.chars().count() > most;
    let mut say = |field: String, words: String| wrong.push(FieldError::new(field, words));
    let title = format!("Enter 1 to {MOST_TITLE} visible characters.");
    if long(&body.lessor, 200) {
        say("lessor".into(), "Enter at most 200 visible characters.".into());
    }
    if body.layout.title.trim().is_empty() || long(&body.layout.title, MOST_TITLE) {
        say("layout.title".into(), title.clone());
    }
    if body.layout.columns.is_empty() || body.layout.columns.len() > 30 {
        say("layout.columns".into(), "Choose 1 to 30 columns.".into());
    }
    for (at, column) in body.layout.columns.iter().enumerate() {
        if column.title.trim().is_empty() || long(&column.title, MOST_TITLE) {
            say(format!("layout.columns.{at}.title"), title.clone());
        }
    }
    if has_unseen_in_lines(&body.layout.statement) || body.layout.statement.chars().count() > 1_000 {
        say("layout.statement".into(), "Enter at most 1,000 visible characters.".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

fn audit_snapshot(lessor: &str, layout: &CmsrLayout) -> Value {
    let columns: Vec<&str> = layout.columns.iter().map(|column| column.title.as_str()).collect();
    json!({ "lessor": lessor, "title": layout.title, "columns": columns.join(", "), "statement": layout.statement })
}
