//! Accepts saves from devices: each once, in one transaction, with a fixed number of statements.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use futures::future::BoxFuture;
use larder_db::{DbError, Tx};
use larder_domain::count::{
    CountedAt, Held, Hold, Key, Outcome, Plan, Saved, Seen, Settings, counted_at, hold,
};
use larder_domain::{BusinessDay, StoreScope, Timestamp};

use super::current::Current;
use super::events::{self, NewEvent};
use super::rows::{Content, EVENT, Event, device_of_sender, editor};
use super::sent::{Placed, Sent, SentBatch};
use super::values::{Candidate, Values};
use super::{items, sessions, settings};
use larder_platform::audit::Editor;

/// Outcome of a save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is the current value.
    Applied,
    /// Another value is current.
    Superseded,
    /// It awaits a decision.
    Held(Hold),
    /// It arrived before, with this outcome.
    Duplicate(Outcome, Option<Hold>),
    /// It is invalid: the field and what to do about it.
    Rejected(&'static str, &'static str),
}

/// The response to a save.
#[derive(Debug, Clone)]
pub struct Answer {
    pub verdict: Verdict,
    /// Made inside its window and arrived after it.
    pub late: bool,
    /// The current value, if the sender may see the store.
    pub current: Option<Current>,
}

/// Processes a batch; returns one response per save, in order. A duplicate is not processed again.
///
/// # Errors
/// If the database fails.
pub fn take<'a>(tx: &'a mut Tx<'_>, batch: &'a SentBatch<'a>) -> BoxFuture<'a, Result<Vec<Answer>, DbError>> {
    Box::pin(take_in(tx, batch))
}

async fn take_in(tx: &mut Tx<'_>, batch: &SentBatch<'_>) -> Result<Vec<Answer>, DbError> {
    let (now, sender) = (tx.actor().at, editor(tx.actor()).0);
    let stores: BTreeSet<&str> = batch.saves.iter().map(|sent| sent.store_id.as_str()).collect();
    let stores: Vec<&str> = stores.into_iter().collect();
    let settings = settings::of_stores(tx, &stores).await?;
    let placed: Vec<Placed<'_>> =
        batch.saves.iter().map(|sent| Placed::of(sent, batch.sent_at, &settings, now)).collect();
    let mut arrivals = Arrivals {
        scope: batch.scope,
        device_id: batch.device_id,
        sender: &sender,
        now,
        known_stores: known_stores(tx, &stores).await?,
        counted_here: items::counted_here(tx, &placed).await?,
        unlocked: sessions::touched(tx, &placed, batch.device_id).await?,
        arrived: arrived(tx, batch).await?,
        values: Values::open(
            tx,
            &placed
                .iter()
                .map(|one| (&one.key, one.sent.op.device_id.as_str(), sender.uid.as_str()))
                .collect(),
        )
        .await?,
        settings,
        counted_by: counter(tx, batch.counted_by).await?,
        new: Vec::new(),
    };
    let answers = placed.iter().map(|one| arrivals.answer(one)).collect();
    let Arrivals { new, values, counted_by, .. } = arrivals;
    events::insert(tx, new.iter().map(|one| one.event(&counted_by))).await?;
    values.write(tx).await?;
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

/// A save that arrived before.
struct Arrived {
    sender: String,
    key: Key,
    content: Content,
    at: Timestamp,
    counted_at: Timestamp,
    outcome: Outcome,
    hold: Option<Hold>,
    late: bool,
}

impl Arrived {
    /// Whether it is the same save, not just the same id. Its session may have been derived from its time.
    fn is(&self, sent: &Sent) -> bool {
        let Key { store_id, date, session, item_id } = &self.key;
        (store_id, *date, item_id) == (&sent.store_id, sent.date, &sent.item_id)
            && sent.session.is_none_or(|it| it == *session)
            && (&self.content, self.at) == (&sent.content, sent.at)
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
            content: event.content,
            at: event.at,
            counted_at: event.counted_at,
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
    counted_at: Timestamp,
    late: bool,
    outcome: Outcome,
    knowing: bool,
    hold: Option<Hold>,
}

impl Arrival<'_> {
    fn event<'e>(&'e self, counted_by: &'e Editor) -> NewEvent<'e> {
        NewEvent {
            op: &self.op,
            key: &self.key,
            content: &self.sent.content,
            at: self.sent.at,
            stands_at: self.stands_at,
            counted_at: self.counted_at,
            recounted: self.sent.recounted,
            device_id: &self.sent.op.device_id,
            device_seq: self.sent.op.seq,
            base: self.sent.base,
            prev: self.sent.prev.as_deref(),
            late: self.late,
            counted_by,
            outcome: self.outcome,
            knowing: self.knowing,
            hold: self.hold.as_ref(),
        }
    }
}

/// Context for judging saves.
struct Arrivals<'a> {
    scope: &'a StoreScope,
    device_id: &'a str,
    sender: &'a Editor,
    now: Timestamp,
    known_stores: HashSet<String>,
    counted_here: HashSet<(String, String)>,
    unlocked: HashSet<(String, BusinessDay, &'static str)>,
    arrived: HashMap<String, Arrived>,
    values: Values,
    settings: HashMap<String, Settings>,
    counted_by: Editor,
    new: Vec<Arrival<'a>>,
}

impl<'a> Arrivals<'a> {
    fn answer(&mut self, one: &Placed<'a>) -> Answer {
        if one.sent.op.device_id != self.device_id {
            return reject("op", "A count is named after the device that sends it.");
        }
        let mut op = one.sent.op.to_string();
        if let Some(arrived) = self.arrived.get(&op).filter(|it| it.is(one.sent)) {
            return self.duplicate(arrived);
        }
        // An id used by another sender does not block this one.
        if self.arrived.get(&op).is_some_and(|it| it.sender != self.sender.uid) {
            op = device_of_sender(&op, &self.sender.uid);
        }
        match self.arrived.get(&op) {
            Some(arrived) if arrived.is(one.sent) => return self.duplicate(arrived),
            Some(_) => return reject("op", "Another save was sent under this name."),
            None => {}
        }
        let (store_id, in_scope) = (&one.key.store_id, self.scope.contains(&one.key.store_id));
        // Do not reveal whether a store the sender cannot see exists.
        if in_scope && !self.known_stores.contains(store_id) {
            return reject("storeId", "This store does not exist.");
        }
        let counted_at = self.counted_at(one);
        let (verdict, late) = self.judge(one, &op, counted_at, in_scope);
        let (outcome, knowing, hold) = match &verdict {
            Err(hold) => (Outcome::Held, false, Some(hold.clone())),
            Ok(Plan::Apply { knowing }) => (Outcome::Applied, *knowing, None),
            Ok(Plan::Supersede) => (Outcome::Superseded, false, None),
        };
        let arrived = Arrived {
            sender: self.sender.uid.clone(),
            key: one.key.clone(),
            content: one.sent.content.clone(),
            at: one.sent.at,
            counted_at,
            outcome,
            hold: hold.clone(),
            late,
        };
        self.arrived.insert(op.clone(), arrived);
        let (key, sent, stands_at) = (one.key.clone(), one.sent, one.stands_at);
        self.new.push(Arrival { op, key, sent, stands_at, counted_at, late, outcome, knowing, hold });
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

    /// When its number was counted: when it was typed, unless it confirms or corrects what its author saw.
    fn counted_at(&self, one: &Placed<'a>) -> Timestamp {
        let Placed { sent, key, stands_at } = one;
        let named = sent.prev.as_ref().and_then(|prev| self.arrived.get(prev));
        let seen = match named.filter(|prev| prev.key == *key) {
            Some(prev) => Some(Seen { qty: prev.content.qty, counted_at: prev.counted_at }),
            None => {
                let device = device_of_sender(&sent.op.device_id, &self.sender.uid);
                self.values.seen(key, &device, sent.base)
            }
        };
        let at = counted_at(Saved { qty: sent.content.qty, at: *stands_at, recounted: sent.recounted }, seen);
        // What it corrects was typed before its day had begun: that time is no time of this count.
        if CountedAt::of(key.session, key.date, at).at > self.now { *stands_at } else { at }
    }

    fn judge(
        &mut self,
        one: &Placed<'a>,
        op: &str,
        counted_at: Timestamp,
        in_scope: bool,
    ) -> (Result<Plan, Hold>, bool) {
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
        let plan = self.values.judge(&Candidate {
            key,
            op,
            device_id: &sent.op.device_id,
            sender: self.sender,
            device_seq: sent.op.seq,
            base: sent.base,
            stands_at: *stands_at,
            counted_at,
            content: &sent.content,
            late,
            counted_by: &self.counted_by,
        });
        (Ok(plan), late)
    }

    /// The current value, if the sender may see the store.
    fn current(&self, key: &Key) -> Option<Current> {
        let allowed = self.scope.contains(&key.store_id);
        self.values.get(key).filter(|_| allowed).map(Current::of)
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

/// The saves of a batch that arrived before, and those that its saves name as seen.
async fn arrived(tx: &mut Tx<'_>, batch: &SentBatch<'_>) -> Result<HashMap<String, Arrived>, DbError> {
    let sender = tx.actor().uid.clone();
    let names = batch.saves.iter().map(|sent| sent.op.to_string());
    let seen = batch.saves.iter().filter_map(|sent| sent.prev.clone());
    let ops: Vec<String> = names.flat_map(|op| [device_of_sender(&op, &sender), op]).chain(seen).collect();
    let query = tx.sql("select ").push(EVENT).push(" from store_count_events e where e.op in ");
    let found: Vec<Event> = query.push_ids(&ops).all().await?;
    Ok(found.into_iter().map(|event| (event.op.clone(), event.into())).collect())
}

/// The author: the sender, unless they name another existing user.
async fn counter(tx: &mut Tx<'_>, uid: Option<&str>) -> Result<Editor, DbError> {
    let sender = editor(tx.actor()).0;
    let Some(uid) = uid.filter(|uid| *uid != sender.uid) else { return Ok(sender) };
    let query = tx.sql("select uid, name, email from app_users where uid = $1").bind(uid);
    let found: Option<(String, String, String)> = query.optional().await?;
    Ok(found.map_or(sender, |(uid, name, email)| Editor { uid, name, email }))
}
