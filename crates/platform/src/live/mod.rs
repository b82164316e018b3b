//! Changes pushed to open screens as server-sent events. An event names a record without its content: the
//! screen fetches what it may see.

mod hub;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures::Stream;
use larder_db::LiveEvent;
use larder_domain::document::DocumentKind;
use larder_domain::{Action, StoreScope};
use tokio::sync::broadcast::error::RecvError;

pub use hub::{Hub, Start};

use crate::AppState;
use crate::entity_types::EntityTypes;
use crate::http::{ApiError, ApiResult, Routes, Who, routes};

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).signed_in("events are filtered by the listener's permissions", routes!(live))
}

/// Stream changes: `kind`, `id`, `storeId`, `action`. `kind: "*"` means refetch everything; the event
/// `rights` means that the listener's permissions have changed. After a lost connection, send the last id
/// received as `Last-Event-ID` to get the missed events, or `*`.
#[utoipa::path(get, path = "/api/live", tag = "live",
    params(("Last-Event-ID" = Option<String>, Header, description = "The last id received before the connection broke.")),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub(crate) async fn live(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let place = state.streams.take(who.uid.clone()).ok_or_else(too_many)?;
    let events =
        futures::stream::unfold((Listener::new(state, who, parts), place), |(mut listener, place)| async {
            listener.next().await.map(|event| (Ok(event), (listener, place)))
        });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// Closing the oldest stream instead would make screens evict each other forever.
fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "tooManyStreams",
        "You have Larder open on too many devices at once. Close some of them to see changes here as they happen.",
    )
}

/// How often an idle stream checks that its session is still valid.
const LOOK_EVERY: Duration = Duration::from_secs(30);

struct Listener {
    changes: tokio::sync::broadcast::Receiver<Arc<LiveEvent>>,
    waiting: VecDeque<Event>,
    looked: tokio::time::Interval,
    state: AppState,
    who: Who,
    parts: Parts,
}

impl Listener {
    fn new(state: AppState, who: Who, mut parts: Parts) -> Self {
        parts.extensions.clear();
        let named = parts.headers.get("last-event-id").and_then(|id| id.to_str().ok());
        // An unknown number is treated like one no longer kept.
        let start = state.live.listen(named.map(|id| id.trim().parse().unwrap_or(-1)));
        let mut waiting = VecDeque::from([greeting(&state)]);
        match start.missed {
            // Permissions that changed meanwhile are in force already; the screen asks again for its own.
            Some(missed) => {
                if missed.iter().any(|event| changes_rights(&event.kind)) {
                    waiting.push_back(rights());
                }
                let heard = missed.iter().filter(|event| may_hear(state.entity_types, &who, event));
                waiting.extend(heard.filter_map(|event| sse_event(&who, event)));
            }
            None => waiting.push_back(everything()),
        }
        let mut looked = tokio::time::interval(LOOK_EVERY);
        looked.reset();
        Self { changes: start.changes, waiting, looked, state, who, parts }
    }

    /// The next event this user may receive; `None` closes the stream.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            let event = tokio::select! {
                event = self.changes.recv() => event,
                _ = self.looked.tick() => {
                    if !self.is_alive().await {
                        return None;
                    }
                    continue;
                }
            };
            match event {
                Ok(event) => self.hear(&event).await?,
                Err(RecvError::Lagged(_)) => self.hear(&LiveEvent::refetch().into()).await?,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Handles an event; `None` if the user is signed out.
    async fn hear(&mut self, event: &Arc<LiveEvent>) -> Option<()> {
        let others = event.kind == "session" && event.id != self.who.uid;
        if event.kind == "*" || (changes_rights(&event.kind) && !others) {
            // Permissions are read again: a signed-out user gets nothing more, others may see more or less
            // from now on.
            let who = self.state.authenticator.authenticate(&self.state, &self.parts, true).await.ok()?;
            if !same_rights(&self.who, &who) {
                self.waiting.push_back(rights());
            }
            self.who = who;
        }
        if event.kind == "*" {
            self.waiting.push_back(everything());
        } else if may_hear(self.state.entity_types, &self.who, event) {
            self.waiting.extend(sse_event(&self.who, event));
        }
        Some(())
    }

    /// A stream does not keep a session alive: when it expires, the stream ends.
    async fn is_alive(&self) -> bool {
        self.state.authenticator.is_open(&self.state, &self.who).await
    }
}

fn everything() -> Event {
    Event::default().data(r#"{"kind":"*"}"#)
}

fn rights() -> Event {
    Event::default().event("rights").data("{}")
}

/// When a server goes away all connections break at once, so clients reconnect spread over some seconds.
fn greeting(state: &AppState) -> Event {
    let jitter = u64::from(u16::from_le_bytes(state.random_bytes())) % 4_000;
    Event::default().retry(Duration::from_millis(1_000 + jitter)).comment("listening")
}

/// An event as sent; record events carry an id to resume from.
fn sse_event(who: &Who, event: &Arc<LiveEvent>) -> Option<Event> {
    // A listener limited to stores learns that a user changed but not which: it may be one they cannot see.
    let nameless = is_person(&event.kind)
        && who.scope != StoreScope::All
        && event.id != who.uid
        && event.id != who.user_id;
    let sent = if nameless {
        let bare = LiveEvent { id: String::new(), by: String::new(), ..(**event).clone() };
        Event::default().json_data(bare).ok()?
    } else {
        Event::default().json_data(&**event).ok()?
    };
    Some(if event.seq > 0 { sent.id(event.seq.to_string()) } else { sent })
}

fn same_rights(before: &Who, after: &Who) -> bool {
    let rights = |who: &Who| {
        (
            who.super_admin,
            who.role_id.clone(),
            who.role_name.clone(),
            who.permissions.clone(),
            who.scope.clone(),
        )
    };
    rights(before) == rights(after) && before.name == after.name && before.email == after.email
}

/// Whether an event may change a user's permissions.
#[must_use]
pub fn changes_rights(kind: &str) -> bool {
    matches!(kind, "user" | "role" | "session")
}

fn is_person(kind: &str) -> bool {
    matches!(kind, "user" | "session" | "application")
}

/// Only super admins receive events of undeclared kinds.
fn may_hear(kinds: &EntityTypes, who: &Who, event: &LiveEvent) -> bool {
    let in_scope = match DocumentKind::parse(&event.kind) {
        Some(kind) => kind.declared().reaches(&who.scope, event.store_id.as_deref()),
        None => who.scope.includes(event.store_id.as_deref()),
    };
    match kinds.heard_with(&event.kind) {
        // Job events go to the user who started the job.
        _ if matches!(&*event.kind, "job" | "jobFailed") => event.by == who.uid || who.super_admin,
        Some(page) => in_scope && who.can(page, Action::View),
        None => who.super_admin,
    }
}
