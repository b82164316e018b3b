//! What devices send, and which count each save belongs to.

use std::collections::HashMap;

use larder_domain::count::{Key, Op, Session, Settings, stands_at};
use larder_domain::{BusinessDay, StoreScope, Timestamp};

use super::rows::Content;

/// A save as its device sends it.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Device and number, which name it.
    pub op: Op,
    pub store_id: String,
    pub date: BusinessDay,
    /// Which count of the day, where it says so.
    pub session: Option<Session>,
    pub item_id: String,
    pub content: Content,
    /// What the device's clock said when it was made.
    pub at: Timestamp,
    /// The revision that its author saw.
    pub base: Option<i64>,
    /// The device's save before it.
    pub prev: Option<String>,
}

/// What a device sends at once.
#[derive(Debug, Clone, Copy)]
pub struct SentBatch<'a> {
    /// What the device's clock said when it sent it.
    pub sent_at: Timestamp,
    pub device_id: &'a str,
    /// Who counted, where that is somebody else than who sends.
    pub counted_by: Option<&'a str>,
    /// The stores that whoever sends it reaches.
    pub scope: &'a StoreScope,
    pub saves: &'a [Sent],
}

/// A save, and what it counts.
pub(super) struct Placed<'a> {
    pub sent: &'a Sent,
    pub key: Key,
    /// When it was made, by our clock.
    pub stands_at: Timestamp,
}

impl<'a> Placed<'a> {
    /// Without a session of its own a save belongs to the one its time falls into.
    pub fn of(
        sent: &'a Sent,
        sent_at: Timestamp,
        settings: &HashMap<String, Settings>,
        now: Timestamp,
    ) -> Self {
        let stands_at = stands_at(sent.at, sent_at, now);
        let of_store = settings.get(&sent.store_id).cloned().unwrap_or_default();
        let session = sent.session.unwrap_or_else(|| of_store.session_at(sent.date, stands_at));
        let key =
            Key { store_id: sent.store_id.clone(), date: sent.date, session, item_id: sent.item_id.clone() };
        Placed { sent, key, stands_at }
    }
}
