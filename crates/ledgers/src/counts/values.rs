//! Current values under change: read in one statement, judged in memory, written in one statement.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Change, ChangeAction, DbError, Json, Tx};
use larder_domain::count::{CountedAt, Entry, Key, Plan, Seen, plan};
use larder_domain::{BusinessDay, Timestamp};

use super::rows::{Content, KEY, VALUE, Value, device_of_sender, editor, key_row};
use larder_platform::audit::Editor;

/// A save that may become the current value.
#[derive(Debug)]
pub struct Candidate<'a> {
    pub key: &'a Key,
    pub op: &'a str,
    pub device_id: &'a str,
    /// Its sender: device numbers are compared per sender, since anyone can name any device.
    pub sender: &'a Editor,
    pub device_seq: i64,
    pub base: Option<i64>,
    pub stands_at: Timestamp,
    /// When the number was counted.
    pub counted_at: Timestamp,
    pub content: &'a Content,
    pub late: bool,
    pub counted_by: &'a Editor,
}

/// Some values, and the last numbers of their devices.
pub struct Values {
    values: HashMap<Key, Value>,
    /// Original state of changed values.
    before: HashMap<Key, Option<Value>>,
    /// The largest number per value, device and sender.
    seen: HashMap<(Key, String), i64>,
    by: Json<Editor>,
    at: Timestamp,
}

impl Values {
    /// Reads the values of these keys, and the last numbers of their devices and senders.
    pub async fn open(tx: &mut Tx<'_>, sent: &BTreeSet<(&Key, &str, &str)>) -> Result<Self, DbError> {
        let keys: BTreeSet<&Key> = sent.iter().map(|(key, ..)| *key).collect();
        // Cross join: SQLite scans its left side first, and each row is one key lookup.
        let values: Vec<Value> = tx
            .sql("select ")
            .push(VALUE)
            .push(" from ")
            .push_rows(KEY, keys.into_iter().map(key_row))
            .push(
                " r cross join store_counts v where v.store_id = r.store_id and v.date = r.date \
                 and v.session = r.session and v.item_id = r.item_id",
            )
            .all()
            .await?;
        let rows = sent.iter().map(|(key, device, sender)| {
            let (store, date, session, item) = key_row(key);
            (store, date, session, item, *device, *sender)
        });
        let seen: Vec<(String, BusinessDay, String, String, String, String, i64)> = tx
            .sql(
                "select e.store_id, e.date, e.session, e.item_id, e.device_id, r.sender, \
                 cast(max(e.device_seq) as bigint) from ",
            )
            .push_rows(&["store_id", "date", "session", "item_id", "device_id", "sender"], rows)
            .push(
                " r cross join store_count_events e where e.store_id = r.store_id and e.date = r.date \
                 and e.session = r.session and e.item_id = r.item_id and e.device_id = r.device_id \
                 and e.sent_by->>'uid' = r.sender and e.outcome in ('applied', 'superseded') \
                 group by e.store_id, e.date, e.session, e.item_id, e.device_id, r.sender",
            )
            .all()
            .await?;
        let known: HashMap<_, &Key> = sent.iter().map(|(key, ..)| (key_row(key), *key)).collect();
        let seen = seen.into_iter().filter_map(|(store, date, session, item, device, sender, seq)| {
            let session = larder_domain::count::Session::parse(&session)?.as_str();
            let key = known.get(&(store.as_str(), date, session, item.as_str()))?;
            Some((((*key).clone(), device_of_sender(&device, &sender)), seq))
        });
        Ok(Self {
            values: values.into_iter().map(|value| (value.key(), value)).collect(),
            before: HashMap::new(),
            seen: seen.collect(),
            by: editor(tx.actor()),
            at: tx.actor().at,
        })
    }

    /// The current value, including cleared ones.
    pub fn get(&self, key: &Key) -> Option<&Value> {
        self.values.get(key)
    }

    /// The value that the author of a save saw: the one of its revision, or one from the same device.
    pub fn seen(&self, key: &Key, device: &str, base: Option<i64>) -> Option<Seen> {
        let value = self.values.get(key)?;
        let seen = base == Some(value.revision) || value.standing().device_id == device;
        seen.then_some(Seen { qty: value.content.qty, counted_at: value.counted_at })
    }

    /// Judges a save against the current value, and sets it if it wins.
    pub fn judge(&mut self, candidate: &Candidate<'_>) -> Plan {
        let Candidate { key, device_seq, .. } = *candidate;
        let device = device_of_sender(candidate.device_id, &candidate.sender.uid);
        let entry = Entry {
            device_id: &device,
            seq: device_seq,
            stands_at: candidate.stands_at,
            base: candidate.base,
        };
        let standing = self.values.get(key).map(Value::standing);
        let plan = plan(entry, standing.as_ref(), self.seen.get(&(key.clone(), device.clone())).copied());
        let known = (key.clone(), device);
        let last = self.seen.entry(known).or_insert(device_seq);
        *last = device_seq.max(*last);
        if let Plan::Apply { .. } = plan {
            self.set(candidate);
        }
        plan
    }

    /// Time and author of values set from now on.
    pub fn written(&mut self, at: Timestamp, by: &Editor) {
        (self.at, self.by) = (at, Json(by.clone()));
    }

    /// Makes it the current value.
    pub fn set(&mut self, candidate: &Candidate<'_>) {
        let key = candidate.key;
        let before = self.values.get(key).cloned();
        let counted = CountedAt::of(key.session, key.date, candidate.counted_at);
        // A time that was assumed once stays so while it is kept.
        let kept = before.as_ref().is_some_and(|it| it.counted_assumed && it.counted_at == counted.at);
        let value = Value {
            store_id: key.store_id.clone(),
            date: key.date,
            session: key.session.as_str().to_owned(),
            item_id: key.item_id.clone(),
            content: candidate.content.clone(),
            revision: before.as_ref().map_or(0, |before| before.revision) + 1,
            op: candidate.op.to_owned(),
            stands_at: candidate.stands_at,
            counted_at: counted.at,
            counted_assumed: counted.assumed || kept,
            recounted_at: match &before {
                Some(before) if before.counted_at != counted.at => Some(self.at),
                before => before.as_ref().and_then(|before| before.recounted_at),
            },
            device_id: candidate.device_id.to_owned(),
            device_seq: candidate.device_seq,
            late: candidate.late,
            counted_by: Json(candidate.counted_by.clone()),
            updated_at: self.at,
            updated_by: self.by.clone(),
            sent_by: Some(Json(candidate.sender.clone())),
        };
        self.values.insert(key.clone(), value);
        self.before.entry(key.clone()).or_insert(before);
    }

    /// Writes changed values and their history.
    pub async fn write(self, tx: &mut Tx<'_>) -> Result<(), DbError> {
        let mut keys: Vec<&Key> = self.before.keys().collect();
        keys.sort_unstable();
        let changed: Vec<&Value> = keys.iter().filter_map(|key| self.values.get(key)).collect();
        let rows: Vec<_> = changed
            .iter()
            .map(|value| {
                (
                    &value.store_id,
                    value.date,
                    &value.session,
                    &value.item_id,
                    value.content.qty,
                    value.content.note.as_ref(),
                    value.content.photo.as_ref(),
                    value.revision,
                    &value.op,
                    value.stands_at,
                    value.counted_at,
                    value.counted_assumed,
                    value.recounted_at,
                    &value.device_id,
                    value.device_seq,
                    value.late,
                    value.counted_by.clone(),
                    value.updated_at,
                    value.updated_by.clone(),
                )
            })
            .collect();
        tx.insert_rows(
            "store_counts",
            &[
                "store_id",
                "date",
                "session",
                "item_id",
                "qty",
                "note",
                "photo",
                "revision",
                "op",
                "stands_at",
                "counted_at",
                "counted_assumed",
                "recounted_at",
                "device_id",
                "device_seq",
                "late",
                "counted_by",
                "updated_at",
                "updated_by",
            ],
            &rows,
            "on conflict (store_id, date, session, item_id) do update set qty = excluded.qty, note = excluded.note, \
             photo = excluded.photo, revision = excluded.revision, op = excluded.op, \
             stands_at = excluded.stands_at, counted_at = excluded.counted_at, \
             counted_assumed = excluded.counted_assumed, \
             recounted_at = excluded.recounted_at, device_id = excluded.device_id, \
             device_seq = excluded.device_seq, late = excluded.late, counted_by = excluded.counted_by, updated_at = excluded.updated_at, \
             updated_by = excluded.updated_by",
        )
        .await?;
        for (key, value) in keys.into_iter().zip(changed) {
            let before =
                self.before.get(key).and_then(Option::as_ref).filter(|before| before.content.qty.is_some());
            let after = value.content.qty.is_some().then_some(value);
            let action = match (before, after) {
                (None, None) => continue,
                (None, Some(_)) => ChangeAction::Created,
                (Some(_), Some(_)) => ChangeAction::Updated,
                (Some(_), None) => ChangeAction::Deleted,
            };
            tx.record(Change {
                kind: "storeCount",
                id: key.id(),
                store_id: Some(key.store_id.clone()),
                action,
                before: before.map(Value::audited),
                after: after.map(Value::audited),
            })
            .await?;
        }
        Ok(())
    }
}
