//! Writes records as a demo user, at a past moment, with ids from the seed.

use larder_db::Actor;
use larder_domain::{BusinessDay, Id, Timestamp};
use larder_lists::engine::{List, ListDef};
use larder_platform::AppState;
use larder_platform::http::ApiError;
use serde_json::Value;

use super::people::{PEOPLE, Person};
use super::rng::{Rng, key};

/// Creates the demo's records.
pub struct DemoActor<'a> {
    pub state: &'a AppState,
    seed: u64,
    made: u64,
    /// Account ids of [`PEOPLE`].
    pub uids: Vec<String>,
    /// No record is dated later than this.
    now: Timestamp,
}

/// Rows per transaction.
const TOGETHER: usize = 250;

impl<'a> DemoActor<'a> {
    /// From a seed, starting at a moment.
    pub fn new(state: &'a AppState, seed: u64, since: Timestamp) -> Self {
        let mut demo = Self { state, seed, made: 0, uids: Vec::new(), now: state.now() };
        demo.uids = PEOPLE.iter().map(|_| demo.id(since)).collect();
        demo
    }

    /// A new id for a moment.
    pub fn id(&mut self, at: Timestamp) -> String {
        self.made += 1;
        Id::new(at, Rng::of(self.seed, &[key("id"), self.made]).bits()).0
    }

    /// A demo user as actor.
    pub fn actor(&self, person: usize, at: Timestamp) -> Actor {
        let Person { name, email, .. } = PEOPLE[person];
        Actor {
            uid: self.uids[person].clone(),
            name: name.to_owned(),
            email: email.to_owned(),
            from: "cli".to_owned(),
            at: self.not_later(at),
        }
    }

    /// A moment, or now if it is in the future.
    pub fn not_later(&self, at: Timestamp) -> Timestamp {
        at.min(self.now)
    }

    /// Creates records of a list and returns their ids.
    pub fn add<L: List>(
        &mut self,
        at: Timestamp,
        bodies: Vec<Value>,
    ) -> impl Future<Output = Result<Vec<String>, ApiError>> {
        self.add_as::<L>(0, at, bodies)
    }

    /// As [`add`](Self::add), by a given user.
    pub fn add_as<L: List>(
        &mut self,
        person: usize,
        at: Timestamp,
        bodies: Vec<Value>,
    ) -> impl Future<Output = Result<Vec<String>, ApiError>> {
        self.add_to(L::def(), person, at, bodies)
    }

    async fn add_to(
        &mut self,
        def: &'static ListDef,
        person: usize,
        at: Timestamp,
        bodies: Vec<Value>,
    ) -> Result<Vec<String>, ApiError> {
        let rows: Vec<(String, Value)> = bodies.into_iter().map(|body| (self.id(at), body)).collect();
        self.write_to(def, person, at, &rows).await?;
        Ok(rows.into_iter().map(|row| row.0).collect())
    }

    /// Creates records with given ids.
    pub fn write<L: List>(
        &self,
        person: usize,
        at: Timestamp,
        rows: &[(String, Value)],
    ) -> impl Future<Output = Result<(), ApiError>> {
        self.write_to(L::def(), person, at, rows)
    }

    async fn write_to(
        &self,
        def: &'static ListDef,
        person: usize,
        at: Timestamp,
        rows: &[(String, Value)],
    ) -> Result<(), ApiError> {
        for (nth, part) in rows.chunks(TOGETHER).enumerate() {
            let actor = self.actor(person, at.plus_seconds(60 * i64::try_from(nth).unwrap_or(0)));
            self.state
                .db
                .write(&actor, async |tx| {
                    for (id, body) in part {
                        let body = body.as_object().cloned().unwrap_or_default();
                        (def.ops().create)(tx, id, body, None).await?;
                    }
                    Ok::<_, ApiError>(())
                })
                .await?;
        }
        Ok(())
    }
}

/// A moment of a business day, in business time.
pub fn moment(day: BusinessDay, hour: i64, minute: i64) -> Timestamp {
    let local = i64::from(day.0) * 86_400 + hour * 3600 + minute * 60;
    Timestamp((local - larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS * 3600) * 1000)
}
