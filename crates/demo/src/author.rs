//! Writes in somebody's name, at a moment of the past, under ids that the seed decides.

use larder_db::Actor;
use larder_domain::{BusinessDay, Id, Timestamp};
use larder_lists as lists;
use larder_lists::engine::List;
use larder_platform::AppState;
use larder_platform::http::ApiError;
use serde_json::Value;

use super::chance::{Chance, key};
use super::people::{PEOPLE, Person};

/// Makes the demo's records.
pub struct Author<'a> {
    /// What is written to.
    pub state: &'a AppState,
    seed: u64,
    made: u64,
    /// Account ids of [`PEOPLE`].
    pub uids: Vec<String>,
    /// Nothing is dated later than this.
    now: Timestamp,
}

/// Rows written in one transaction.
const TOGETHER: usize = 250;

impl<'a> Author<'a> {
    /// Of a seed, since a moment.
    pub fn new(state: &'a AppState, seed: u64, since: Timestamp) -> Self {
        let mut author = Self { state, seed, made: 0, uids: Vec::new(), now: state.now() };
        author.uids = PEOPLE.iter().map(|_| author.id(since)).collect();
        author
    }

    /// A new id made at a moment.
    pub fn id(&mut self, at: Timestamp) -> String {
        self.made += 1;
        Id::new(at, Chance::of(self.seed, &[key("id"), self.made]).bits()).0
    }

    /// A person of the demo at work.
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

    /// A moment, or now when it still lies ahead.
    pub fn not_later(&self, at: Timestamp) -> Timestamp {
        at.min(self.now)
    }

    /// Makes records of a list and answers their ids.
    pub async fn add<L: List>(&mut self, at: Timestamp, bodies: Vec<Value>) -> Result<Vec<String>, ApiError> {
        self.add_as::<L>(0, at, bodies).await
    }

    /// As [`add`](Self::add), by somebody.
    pub async fn add_as<L: List>(
        &mut self,
        person: usize,
        at: Timestamp,
        bodies: Vec<Value>,
    ) -> Result<Vec<String>, ApiError> {
        let rows: Vec<(String, Value)> = bodies.into_iter().map(|body| (self.id(at), body)).collect();
        self.write::<L>(person, at, &rows).await?;
        Ok(rows.into_iter().map(|row| row.0).collect())
    }

    /// Makes records under ids that were drawn before.
    pub async fn write<L: List>(
        &self,
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
                        lists::insert::<L>(tx, id, body.clone()).await?;
                    }
                    Ok::<_, ApiError>(())
                })
                .await?;
        }
        Ok(())
    }
}

/// A moment of a business day, by the house's clock.
pub fn moment(day: BusinessDay, hour: i64, minute: i64) -> Timestamp {
    let local = i64::from(day.0) * 86_400 + hour * 3600 + minute * 60;
    Timestamp((local - larder_domain::business_day::HOUSE_UTC_OFFSET_HOURS * 3600) * 1000)
}
