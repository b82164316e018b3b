//! Lists notifications and marks them as read.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::Timestamp;

use super::model::{Notification, NotificationKey, Notifications, ReadNotifications};
use super::queries;
use crate::tasks;
use crate::tasks::{Rings, Task, TaskContext, TaskSummary, TaskType};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of notifications per task type.
pub(super) const OF_KIND: usize = 50;
/// Maximum number of notifications.
const MOST: usize = 200;
/// Maximum number of notifications marked per request.
const MARKED: usize = 500;

/// The task types shown as notifications, without the muted ones.
pub(super) fn kinds(muted: &[String]) -> Vec<&'static TaskType> {
    let notified =
        |kind: &&'static TaskType| kind.rings != Rings::Never && !muted.iter().any(|name| name == kind.name);
    tasks::ALL.iter().copied().filter(notified).collect()
}

/// Limits the result to what a notification shows.
pub(super) fn limited(kind: &TaskType, mut found: TaskSummary) -> TaskSummary {
    if kind.rings == Rings::WhenLate {
        found.items.retain(|item| item.late);
        found.count = found.late;
    }
    found
}

/// Tasks shown together are one notification.
fn rung(kind: &TaskType, found: TaskSummary) -> Vec<Task> {
    let found = limited(kind, found);
    let newest = found.items.iter().map(|item| item.at).max();
    match newest {
        Some(at) if kind.rings == Rings::Together => vec![Task {
            id: "all".to_owned(),
            title: format!("{}: {}", kind.title, found.count),
            text: found.words,
            store_id: None,
            at,
            count: found.count,
            late: found.late > 0,
            urgent: found.urgent > 0,
            href: found.href,
        }],
        _ => found.items,
    }
}

/// The caller's open tasks: to approve, settle or review. A task disappears when it is done, not when it is
/// read.
#[utoipa::path(get, path = "/api/notifications", tag = "notifications",
    responses((status = 200, body = Notifications)))]
pub(crate) async fn list_notifications(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<Notifications>> {
    Ok(Json(of(&state, &who).await?))
}

async fn of(state: &AppState, who: &Who) -> ApiResult<Notifications> {
    let muted = queries::settings(&state.db, &who.uid).await?.muted.0;
    let reads: HashMap<(String, String), Timestamp> = queries::reads(&state.db, &who.uid)
        .await?
        .into_iter()
        .map(|(kind, item, at)| ((kind, item), at))
        .collect();
    let (mut items, mut failed) = (Vec::new(), Vec::new());
    for (kind, found) in tasks::read(&TaskContext::of(state, who, OF_KIND), kinds(&muted)).await {
        match found {
            Ok(found) => {
                // The total belongs to the notification of all of them.
                let amount = found.amount.filter(|_| kind.rings == Rings::Together);
                items.extend(rung(kind, found).into_iter().map(|item| {
                    let read =
                        reads.get(&(kind.name.to_owned(), item.id.clone())).is_some_and(|at| *at >= item.at);
                    Notification { kind: kind.name, kind_title: kind.title, read, amount, item }
                }));
            }
            Err(error) => {
                tracing::warn!(kind = kind.name, %error, "tasks of a type could not be read");
                failed.push(kind.title);
            }
        }
    }
    items.sort_by(|a, b| (a.read, b.item.at).cmp(&(b.read, a.item.at)));
    items.truncate(MOST);
    let unread = i64::try_from(items.iter().filter(|item| !item.read).count()).unwrap_or(i64::MAX);
    Ok(Notifications { at: who.at, unread, items, failed })
}

/// Mark notifications as read: some, or all that were open at a point in time.
#[utoipa::path(post, path = "/api/notifications/read", tag = "notifications", request_body = ReadNotifications,
    responses((status = 204)))]
pub(crate) async fn read_notifications(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<ReadNotifications>,
) -> ApiResult<StatusCode> {
    let mut marked: Vec<(String, String)> = checked(&body.items)?;
    if let Some(until) = body.all_until {
        let all = of(&state, &who).await?.items.into_iter().filter(|one| !one.read && one.item.at <= until);
        marked.extend(all.map(|one| (one.kind.to_owned(), one.item.id)));
    }
    marked.sort();
    marked.dedup();
    if marked.is_empty() {
        return Ok(StatusCode::NO_CONTENT);
    }
    let marked = &marked;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> { Ok(queries::mark(tx, &who.uid, marked).await?) })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

fn checked(items: &[NotificationKey]) -> ApiResult<Vec<(String, String)>> {
    if items.len() > MARKED {
        return Err(ApiError::field("items", format!("Mark at most {MARKED} at once.")));
    }
    let key = |(at, item): (usize, &NotificationKey)| {
        if tasks::kind(&item.kind).is_none() {
            return Err(ApiError::field(format!("items.{at}.kind"), "There is no such kind."));
        }
        if item.id.is_empty() || item.id.len() > 300 {
            return Err(ApiError::field(
                format!("items.{at}.id"),
                "Say which one, in at most 300 characters.",
            ));
        }
        Ok((item.kind.clone(), item.id.clone()))
    };
    items.iter().enumerate().map(key).collect()
}
