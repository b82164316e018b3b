//! How the records of this room stand in the trail.

use larder_db::{Change, ChangeAction, DbError, Tx};
use serde_json::Value;

/// A record with a history.
pub(super) trait Recorded {
    /// What it is called in events and history.
    const KIND: &'static str;

    /// Its id.
    fn id(&self) -> &str;

    /// What of it the history tells.
    fn recorded(&self) -> Value;
}

/// Notes what happened to a record.
pub(super) async fn record<R: Recorded>(
    tx: &mut Tx<'_>,
    action: ChangeAction,
    before: Option<&R>,
    after: &R,
) -> Result<(), DbError> {
    tx.record(Change {
        kind: R::KIND,
        id: after.id().to_owned(),
        store_id: None,
        action,
        before: before.map(R::recorded),
        after: Some(after.recorded()),
    })
    .await
}
