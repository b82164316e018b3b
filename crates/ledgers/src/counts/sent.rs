//! Saves from devices, and the count each belongs to.

use std::collections::HashMap;

use larder_domain::count::{Key, Op, Session, Settings, stands_at};
use larder_domain::{BusinessDay, StoreScope, Timestamp};

use super::rows::Content;

/// A save as sent by its device.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Device and number, its identity.
    pub op: Op,
    pub store_id: String,
    pub date: BusinessDay,
    /// The session, if given.
    pub session: Option<Session>,
    pub item_id: String,
    pub content: Content,
    /// Time on the device's clock.
    pub at: Timestamp,
    /// The revision its author saw.
    pub base: Option<i64>,
    /// The save that its author saw as the current one.
    pub prev: Option<String>,
    /// Whether its author said that the item was counted again (true) or only the number was wrong (false).
    pub recounted: Option<bool>,
}

/// A batch of saves from a device.
#[derive(Debug, Clone, Copy)]
pub struct SentBatch<'a> {
    /// Time of sending on the device's clock.
    pub sent_at: Timestamp,
    pub device_id: &'a str,
    /// The author, if not the sender.
    pub counted_by: Option<&'a str>,
    /// The stores the sender may see.
    pub scope: &'a StoreScope,
    pub saves: &'a [Sent],
}

/// A save with its key.
pub(super) struct Placed<'a> {
    pub sent: &'a Sent,
    pub key: Key,
    /// When it was made, in server time.
    pub stands_at: Timestamp,
}

impl<'a> Placed<'a> {
    /// A save without a session is assigned one by its time.
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
