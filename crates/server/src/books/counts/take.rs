//! Takes what devices send: each save once, in one transaction, with a fixed number of statements.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use futures::future::BoxFuture;
use larder_db::{DbError, Json, Tx};
use larder_domain::count::{Held, HeldFor, Hold, Key, Op, Outcome, Plan, Session, Settings, hold, stands_at};
use larder_domain::{BusinessDay, Qty, StoreScope, Timestamp};

use super::rows::{EVENT, Event, Value, editor, hand};
use super::shelf::{Candidate, Shelf};
use super::{items, sessions, settings};
use crate::audit::Editor;

/// A save as its device sends it.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Its name.
    pub op: Op,
    /// The store.
    pub store_id: String,
    /// The day it belongs to.
    pub date: BusinessDay,
    /// Which count of the day, where it says so.
    pub session: Option<Session>,
    /// The item.
    pub item_id: String,
    /// How many; nothing empties the count.
    pub qty: Option<Qty>,
    /// What was said about it.
    pub note: Option<String>,
    /// Its photo.
    pub photo: Option<String>,
    /// What the device's clock said when it was made.
    pub at: Timestamp,
    /// The revision that its author saw.
    pub base: Option<i64>,
    /// The device's save before it.
    pub prev: Option<String>,
}

/// What a device sends at once.
#[derive(Debug, Clone, Copy)]
pub struct Parcel<'a> {
    /// What the device's clock said when it sent it.
    pub sent_at: Timestamp,
    /// The device that sends.
    pub device_id: &'a str,
    /// Who counted, where that is somebody else than who sends.
    pub counted_by: Option<&'a str>,
    /// The stores that whoever sends it reaches.
    pub scope: &'a StoreScope,
    /// The saves.
    pub saves: &'a [Sent],
}

/// What became of a save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It stands.
    Applied,
    /// Another one stands.
    Superseded,
    /// Somebody has to decide.
    Held(Hold),
    /// It came before, and this became of it then.
    Duplicate(Outcome, Option<Hold>),
    /// Something is wrong with it: a field, and what to do about it.
    Rejected(&'static str, &'static str),
}

/// What a device is told about what stands.
#[derive(Debug, Clone)]
pub struct Current {
    /// How many; nothing where it was emptied.
    pub qty: Option<Qty>,
    /// When that was counted.
    pub at: Timestamp,
    /// By whom.
    pub by: String,
    /// On which device.
    pub device_id: String,
    /// How often it was set.
    pub revision: i64,
}

impl Current {
    pub(super) fn of(value: &Value) -> Self {
        Self {
            qty: value.qty,
            at: value.stands_at,
            by: value.told_by(),
            device_id: value.device_id.clone(),
            revision: value.revision,
        }
    }
}

/// The answer to a save.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What became of it.
    pub verdict: Verdict,
    /// It was made inside its window and came after it.
    pub late: bool,
    /// What stands now, as far as whoever asks reaches the store.
    pub current: Option<Current>,
}

/// Takes a parcel; answers each save, in their order. A save that came before is not taken again.
///
/// # Errors
/// When the database does not answer.
pub fn take<'a>(tx: &'a mut Tx<'_>, parcel: &'a Parcel<'a>) -> BoxFuture<'a, Result<Vec<Answer>, DbError>> {
    Box::pin(take_in(tx, parcel))
}

async fn take_in(tx: &mut Tx<'_>, parcel: &Parcel<'_>) -> Result<Vec<Answer>, DbError> {
    let (now, sender) = (tx.actor().at, editor(tx.actor()).0);
    let stores: BTreeSet<&str> = parcel.saves.iter().map(|sent| sent.store_id.as_str()).collect();
    let stores: Vec<&str> = stores.into_iter().collect();
    let settings = settings::of_stores(tx, &stores).await?;
    let placed: Vec<Placed<'_>> =
        parcel.saves.iter().map(|sent| place(sent, parcel, &settings, now)).collect();
    let mut desk = Desk {
        scope: parcel.scope,
        device_id: parcel.device_id,
        sender: &sender,
        now,
        known_stores: known_stores(tx, &stores).await?,
        counted_here: items::counted_here(tx, &placed).await?,
        unlocked: sessions::touched(tx, &placed, parcel.device_id).await?,
        arrived: arrived(tx, parcel).await?,
        shelf: Shelf::open(
            tx,
            &placed
                .iter()
                .map(|one| (&one.key, one.sent.op.device_id.as_str(), sender.uid.as_str()))
                .collect(),
        )
        .await?,
        settings,
        counted_by: counter(tx, parcel.counted_by).await?,
        new: Vec::new(),
    };
    let answers = placed.iter().map(|one| desk.answer(one)).collect();
    let Desk { new, shelf, counted_by, .. } = desk;
    write(tx, &new, &counted_by).await?;
    shelf.write(tx).await?;
    let waiting: BTreeMap<&str, &str> = new
        .iter()
        .filter(|arrival| arrival.outcome == Outcome::Held)
        .map(|arrival| (arrival.key.store_id.as_str(), arrival.op.as_str()))
        .collect();
    for (store_id, op) in waiting {
        tx.announce("storeCountHeld", op, Some(store_id));
    }
    Ok(answers)
}

/// A save, and what it counts.
pub(super) struct Placed<'a> {
    pub sent: &'a Sent,
    pub key: Key,
    pub stands_at: Timestamp,
}

fn place<'a>(
    sent: &'a Sent,
    parcel: &Parcel<'_>,
    settings: &HashMap<String, Settings>,
    now: Timestamp,
) -> Placed<'a> {
    let stands_at = stands_at(sent.at, parcel.sent_at, now);
    let of_store = settings.get(&sent.store_id).cloned().unwrap_or_default();
    let session = sent.session.unwrap_or_else(|| of_store.session_at(sent.date, stands_at));
    let key =
        Key { store_id: sent.store_id.clone(), date: sent.date, session, item_id: sent.item_id.clone() };
    Placed { sent, key, stands_at }
}

/// A save that came before.
struct Arrived {
    sender: String,
    key: Key,
    qty: Option<Qty>,
    note: Option<String>,
    photo: Option<String>,
    at: Timestamp,
    outcome: Outcome,
    hold: Option<Hold>,
    late: bool,
}

impl Arrived {
    /// Whether it is the same save, not only of the same name. Which session it counts may have been told by its time.
    fn is(&self, sent: &Sent) -> bool {
        let Key { store_id, date, session, item_id } = &self.key;
        (store_id, *date, item_id) == (&sent.store_id, sent.date, &sent.item_id)
            && sent.session.is_none_or(|it| it == *session)
            && (self.qty, self.at) == (sent.qty, sent.at)
            && (&self.note, &self.photo) == (&sent.note, &sent.photo)
    }
}

impl From<Event> for Arrived {
    fn from(event: Event) -> Self {
        let hold = event.held_for().zip(event.held_reason.clone());
        Self {
            sender: event.sent_by.uid.clone(),
            key: event.key(),
            outcome: event.outcome(),
            hold: hold.map(|(reason, words)| Hold { reason, words }),
            qty: event.qty,
            note: event.note,
            photo: event.photo,
            at: event.at,
            late: event.late,
        }
    }
}

/// A save to be written.
struct Arrival<'a> {
    op: String,
    key: Key,
    sent: &'a Sent,
    stands_at: Timestamp,
    late: bool,
    outcome: Outcome,
    knowing: bool,
    hold: Option<Hold>,
}

/// Everything that saves are judged by.
struct Desk<'a> {
    scope: &'a StoreScope,
    device_id: &'a str,
    sender: &'a Editor,
    now: Timestamp,
    known_stores: HashSet<String>,
    counted_here: HashSet<(String, String)>,
    unlocked: HashSet<(String, BusinessDay, &'static str)>,
    arrived: HashMap<String, Arrived>,
    shelf: Shelf,
    settings: HashMap<String, Settings>,
    counted_by: Editor,
    new: Vec<Arrival<'a>>,
}

impl<'a> Desk<'a> {
    fn answer(&mut self, one: &Placed<'a>) -> Answer {
        if one.sent.op.device_id != self.device_id {
            return reject("op", "A count is named after the device that sends it.");
        }
        let mut op = one.sent.op.to_string();
        if let Some(arrived) = self.arrived.get(&op).filter(|it| it.is(one.sent)) {
            return self.duplicate(arrived);
        }
        // Somebody else had used the name: that takes it from nobody.
        if self.arrived.get(&op).is_some_and(|it| it.sender != self.sender.uid) {
            op = hand(&op, &self.sender.uid);
        }
        match self.arrived.get(&op) {
            Some(arrived) if arrived.is(one.sent) => return self.duplicate(arrived),
            Some(_) => return reject("op", "Another save was sent under this name."),
            None => {}
        }
        let (store_id, in_scope) = (&one.key.store_id, self.scope.contains(&one.key.store_id));
        // Whoever does not reach a store is not told whether there is one.
        if in_scope && !self.known_stores.contains(store_id) {
            return reject("storeId", "This store does not exist.");
        }
        let (verdict, late) = self.judge(one, &op, in_scope);
        let (outcome, knowing, hold) = match &verdict {
            Err(hold) => (Outcome::Held, false, Some(hold.clone())),
            Ok(Plan::Apply { knowing }) => (Outcome::Applied, *knowing, None),
            Ok(Plan::Supersede) => (Outcome::Superseded, false, None),
        };
        let arrived = Arrived {
            sender: self.sender.uid.clone(),
            key: one.key.clone(),
            qty: one.sent.qty,
            note: one.sent.note.clone(),
            photo: one.sent.photo.clone(),
            at: one.sent.at,
            outcome,
            hold: hold.clone(),
            late,
        };
        self.arrived.insert(op.clone(), arrived);
        let (key, sent, stands_at) = (one.key.clone(), one.sent, one.stands_at);
        self.new.push(Arrival { op, key, sent, stands_at, late, outcome, knowing, hold });
        let verdict = match verdict {
            Ok(Plan::Apply { .. }) => Verdict::Applied,
            Ok(Plan::Supersede) => Verdict::Superseded,
            Err(hold) => Verdict::Held(hold),
        };
        Answer { verdict, late, current: self.current(&one.key) }
    }

    fn duplicate(&self, arrived: &Arrived) -> Answer {
        let verdict = Verdict::Duplicate(arrived.outcome, arrived.hold.clone());
        Answer { verdict, late: arrived.late, current: self.current(&arrived.key) }
    }

    fn judge(&mut self, one: &Placed<'a>, op: &str, in_scope: bool) -> (Result<Plan, Hold>, bool) {
        let Placed { sent, key, stands_at } = one;
        let standard = Settings::default();
        let settings = self.settings.get(&key.store_id).unwrap_or(&standard);
        let session = (key.store_id.clone(), key.date, key.session.as_str());
        let meets = Held {
            settings,
            unlocked: self.unlocked.contains(&session),
            in_scope,
            counted_here: self.counted_here.contains(&(key.store_id.clone(), key.item_id.clone())),
        };
        let late = settings.is_late(key.date, key.session, *stands_at, self.now);
        if let Some(hold) = hold(key, *stands_at, meets) {
            return (Err(hold), late);
        }
        let plan = self.shelf.judge(&Candidate {
            key,
            op,
            device_id: &sent.op.device_id,
            sender: self.sender,
            device_seq: sent.op.seq,
            base: sent.base,
            stands_at: *stands_at,
            qty: sent.qty,
            note: sent.note.as_deref(),
            photo: sent.photo.as_deref(),
            late,
            counted_by: &self.counted_by,
        });
        (Ok(plan), late)
    }

    /// What stands, for whoever reaches the store.
    fn current(&self, key: &Key) -> Option<Current> {
        let reached = self.scope.contains(&key.store_id);
        self.shelf.get(key).filter(|_| reached).map(Current::of)
    }
}

fn reject(field: &'static str, message: &'static str) -> Answer {
    Answer { verdict: Verdict::Rejected(field, message), late: false, current: None }
}

async fn known_stores(tx: &mut Tx<'_>, stores: &[&str]) -> Result<HashSet<String>, DbError> {
    let found: Vec<(String,)> =
        tx.sql("select id from locations where id in ").push_ids(stores).all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

async fn arrived(tx: &mut Tx<'_>, parcel: &Parcel<'_>) -> Result<HashMap<String, Arrived>, DbError> {
    let sender = tx.actor().uid.clone();
    let names = parcel.saves.iter().map(|sent| sent.op.to_string());
    let ops: Vec<String> = names.flat_map(|op| [hand(&op, &sender), op]).collect();
    let query = tx.sql("select ").push(EVENT).push(" from store_count_events e where e.op in ");
    let found: Vec<Event> = query.push_ids(&ops).all().await?;
    Ok(found.into_iter().map(|event| (event.op.clone(), event.into())).collect())
}

/// Who counted: whoever sends it, unless they name somebody else who exists.
async fn counter(tx: &mut Tx<'_>, uid: Option<&str>) -> Result<Editor, DbError> {
    let sender = editor(tx.actor()).0;
    let Some(uid) = uid.filter(|uid| *uid != sender.uid) else { return Ok(sender) };
    let query = tx.sql("select uid, name, email from app_users where uid = $1").bind(uid);
    let found: Option<(String, String, String)> = query.optional().await?;
    Ok(found.map_or(sender, |(uid, name, email)| Editor { uid, name, email }))
}

async fn write(tx: &mut Tx<'_>, new: &[Arrival<'_>], counted_by: &Editor) -> Result<(), DbError> {
    if new.is_empty() {
        return Ok(());
    }
    let (received_at, sent_by) = (tx.actor().at, editor(tx.actor()));
    let rows = new.iter().map(|one| {
        (
            &one.op,
            &one.key.store_id,
            one.key.date,
            one.key.session.as_str(),
            &one.key.item_id,
            one.sent.qty,
            one.sent.note.as_ref(),
            one.sent.photo.as_ref(),
            one.sent.at,
            one.stands_at,
            &one.sent.op.device_id,
            one.sent.op.seq,
            one.sent.base,
            one.sent.prev.as_ref(),
            one.late,
            one.outcome.as_str(),
            one.knowing,
            one.hold.as_ref().map(|hold| HeldFor::as_str(hold.reason)),
            one.hold.as_ref().map(|hold| hold.words.as_str()),
        )
    });
    tx.sql(
        "insert into store_count_events (op, store_id, date, session, item_id, qty, note, photo, at, stands_at, \
         device_id, device_seq, base, prev, late, outcome, knowing, held_for, held_reason, received_at, counted_by, \
         sent_by) select r.*, ",
    )
    .push_bind(received_at)
    .push(", ")
    .push_bind(Json(counted_by))
    .push(", ")
    .push_bind(sent_by)
    .push(" from ")
    .push_rows(
        &[
            "op",
            "store_id",
            "date",
            "session",
            "item_id",
            "qty",
            "note",
            "photo",
            "at",
            "stands_at",
            "device_id",
            "device_seq",
            "base",
            "prev",
            "late",
            "outcome",
            "knowing",
            "held_for",
            "held_reason",
        ],
        rows,
    )
    .push(" r")
    .execute()
    .await?;
    Ok(())
}
