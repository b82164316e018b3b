//! What others changed, pushed to open screens as server-sent events. An event names a record, it
//! does not carry it: the screen fetches what it may see.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures::Stream;
use larder_db::LiveEvent;
use larder_domain::Action;
use tokio::sync::broadcast::error::RecvError;
use utoipa_axum::routes;

use crate::AppState;
use crate::http::{Routes, Who, session};

/// Whose right lets a kind of event through. A kind missing here is heard by super admins only.
const KINDS: &[(&str, &str)] = &[
    ("uom", "lists/allLists"),
    ("category", "lists/allLists"),
    ("foodType", "lists/allLists"),
    ("productType", "lists/allLists"),
    ("storageRequirement", "lists/allLists"),
    ("priceLevel", "lists/allLists"),
    ("storeFormat", "lists/allLists"),
    ("regionalArea", "lists/allLists"),
    ("operationalArea", "lists/allLists"),
    ("rootItem", "lists/allLists"),
    ("posItem", "lists/allLists"),
    ("location", "stores/storeList"),
    ("salesBatch", "tools/importSalesProduct"),
    ("sales", "reports/reports"),
    ("salesDay", "reports/reports"),
];

/// The routes of this room.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).signed_in("events are filtered by the rights of whoever listens", routes!(live))
}

/// Changes as they happen: `kind`, `id`, `storeId`, `action`. `kind: "*"` means fetch everything again.
#[utoipa::path(get, path = "/api/live", tag = "live", responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn live(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = futures::stream::unfold(Listener::new(state, who, parts), |mut listener| async move {
        listener.next().await.map(|event| (Ok(event), listener))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

struct Listener {
    changes: tokio::sync::broadcast::Receiver<std::sync::Arc<LiveEvent>>,
    state: AppState,
    who: Who,
    parts: Parts,
}

impl Listener {
    fn new(state: AppState, who: Who, mut parts: Parts) -> Self {
        parts.extensions.clear();
        Self { changes: state.db.changes(), state, who, parts }
    }

    /// The next event this person may hear of; `None` closes the stream.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let event = match self.changes.recv().await {
                Ok(event) => event,
                Err(RecvError::Lagged(_)) => return Some(everything()),
                Err(RecvError::Closed) => return None,
            };
            if changes_rights(&event.kind) {
                // Who is out hears nothing more; who is in may hear more or less from now on.
                self.who = session::authenticate(&self.state, &self.parts).await.ok()?;
                if event.kind != "session" {
                    return Event::default().event("rights").json_data(serde_json::json!({})).ok();
                }
            } else if event.kind == "*" {
                self.who = session::authenticate(&self.state, &self.parts).await.ok()?;
                return Some(everything());
            } else if may_hear(&self.who, &event) {
                return Event::default().json_data(&*event).ok();
            }
        }
    }
}

fn everything() -> Event {
    Event::default().data(r#"{"kind":"*"}"#)
}

/// Whether an event may change what somebody is allowed.
#[must_use]
pub fn changes_rights(kind: &str) -> bool {
    matches!(kind, "user" | "role" | "session")
}

fn may_hear(who: &Who, event: &LiveEvent) -> bool {
    let in_scope = event.store_id.as_deref().is_none_or(|id| who.scope.contains(id));
    let page = KINDS.iter().find(|(kind, _)| *kind == event.kind).map(|(_, page)| *page);
    match page {
        _ if event.kind == "job" => event.by == who.uid || who.super_admin,
        Some(page) => in_scope && who.can(page, Action::View),
        None => who.super_admin,
    }
}
