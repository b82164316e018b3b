//! Audit records of users and roles.

use larder_db::{Change, ChangeAction, DbError, Tx};
use serde_json::Value;

/// A record with a history.
pub(super) trait Recorded {
    /// Name in events and history.
    const KIND: &'static str;

    fn id(&self) -> &str;

    /// The fields shown in history.
    fn recorded(&self) -> Value;
}

/// Records a change in the audit trail.
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
