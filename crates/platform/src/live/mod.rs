//! What others changed, pushed to open screens as server-sent events. An event names a record, it
//! does not carry it: the screen fetches what it may see.

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
use larder_domain::{Action, StoreScope};
use tokio::sync::broadcast::error::RecvError;

pub use hub::{Hub, Start};

use crate::AppState;
use crate::http::{ApiError, ApiResult, Routes, Who, routes};
use crate::kinds::Kinds;

/// The routes of this room.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).signed_in("events are filtered by the rights of whoever listens", routes!(live))
}

/// Changes as they happen: `kind`, `id`, `storeId`, `action`. `kind: "*"` means fetch everything again; the event
/// `rights` means that what the listener may do has changed. A listener that was cut off sends the last id it heard
/// as `Last-Event-ID` and gets what it missed, or `*`.
#[utoipa::path(get, path = "/api/live", tag = "live",
    params(("Last-Event-ID" = Option<String>, Header, description = "The last id heard before the connection broke.")),
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

/// Ending the oldest instead would have screens push each other out for ever.
fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "tooManyStreams",
        "You have Larder open on too many devices at once. Close some of them to see changes here as they happen.",
    )
}

/// How often a silent stream looks whether its session is still alive.
const LOOK_EVERY: Duration = Duration::from_secs(30);

struct Listener {
    changes: tokio::sync::broadcast::Receiver<Arc<LiveEvent>>,
    /// To be sent before anything new.
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
        // A number nobody gave is as good as one that is forgotten.
        let start = state.live.listen(named.map(|id| id.trim().parse().unwrap_or(-1)));
        let mut waiting = VecDeque::from([greeting(&state)]);
        match start.missed {
            // What changed rights meanwhile is in force already; the screen asks again what it may.
            Some(missed) => {
                if missed.iter().any(|event| changes_rights(&event.kind)) {
                    waiting.push_back(rights());
                }
                let heard = missed.iter().filter(|event| may_hear(state.kinds, &who, event));
                waiting.extend(heard.filter_map(|event| told(&who, event)));
            }
            None => waiting.push_back(everything()),
        }
        let mut looked = tokio::time::interval(LOOK_EVERY);
        looked.reset();
        Self { changes: start.changes, waiting, looked, state, who, parts }
    }

    /// The next event this person may hear of; `None` closes the stream.
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

    /// Takes an event in; `None` when this person is out.
    async fn hear(&mut self, event: &Arc<LiveEvent>) -> Option<()> {
        let others = event.kind == "session" && event.id != self.who.uid;
        if event.kind == "*" || (changes_rights(&event.kind) && !others) {
            // Who is out hears nothing more; who is in may hear more or less from now on.
            let who = self.state.authenticator.authenticate(&self.state, &self.parts, true).await.ok()?;
            if !same_rights(&self.who, &who) {
                self.waiting.push_back(rights());
            }
            self.who = who;
        }
        if event.kind == "*" {
            self.waiting.push_back(everything());
        } else if may_hear(self.state.kinds, &self.who, event) {
            self.waiting.extend(told(&self.who, event));
        }
        Some(())
    }

    /// Listening alone does not keep a session alive: one that ran out ends its stream too.
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

/// When a connection breaks, everybody's breaks: they come back spread over some seconds.
fn greeting(state: &AppState) -> Event {
    let jitter = u64::from(u16::from_le_bytes(state.random_bytes())) % 4_000;
    Event::default().retry(Duration::from_millis(1_000 + jitter)).comment("listening")
}

/// An event as it is sent; those of records can be gone on from.
fn told(who: &Who, event: &Arc<LiveEvent>) -> Option<Event> {
    // A listener limited to stores hears that some person changed, not which: it may be one they do not see.
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

/// Whether an event may change what somebody is allowed.
#[must_use]
pub fn changes_rights(kind: &str) -> bool {
    matches!(kind, "user" | "role" | "session")
}

fn is_person(kind: &str) -> bool {
    matches!(kind, "user" | "session" | "application")
}

/// A kind that nobody declared is heard by super admins only.
fn may_hear(kinds: &Kinds, who: &Who, event: &LiveEvent) -> bool {
    let in_scope = who.scope.reaches(event.store_id.as_deref());
    match kinds.heard_with(&event.kind) {
        // Of a job hears whoever started it.
        _ if matches!(&*event.kind, "job" | "jobFailed") => event.by == who.uid || who.super_admin,
        Some(page) => in_scope && who.can(page, Action::View),
        None => who.super_admin,
    }
}
