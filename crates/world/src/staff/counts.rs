//! How counts reach Larder: from a store's phones, and what people answer about them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Staff;
use crate::calendar::{Minute, day_of};
use crate::client::{Client, Done, failed};
use crate::happen::Found;
use crate::quantity::qty;
use crate::truth::Session;

const COUNTS: &str = "/api/stores/count";

/// A phone that counts are typed into.
#[derive(Debug, Clone, Default)]
pub(super) struct Phone {
    /// The last number of a save.
    seq: usize,
    /// Saves that were not sent yet, with the day and session they are of.
    held: Vec<(usize, Session, Value)>,
}

impl Staff {
    /// Types a count into one of a store's phones: the one without a signal, or the other. Their clocks are wrong.
    pub fn type_count(
        &mut self,
        (store, session): (usize, Session),
        found: &[Found],
        (at, again): (Minute, bool),
        offline: bool,
    ) {
        let device = self.phone(store, offline);
        let phone = &mut self.phones[store][usize::from(offline)];
        for (item, units) in found {
            phone.seq += 1;
            let seq = phone.seq;
            let mut save = json!({
                "op": format!("{device}:{seq}"), "seq": seq, "storeId": self.ids.stores[store],
                "date": self.calendar.date(day_of(at)), "session": session.name(),
                "itemId": self.ids.items[*item], "qty": qty(*units),
                "at": ahead(store, offline, self.calendar.ms(at)), "base": null, "prev": null,
            });
            if again {
                // Counted again, even where the number is the same.
                save["recount"] = json!(true);
            }
            phone.held.push((day_of(at), session, save));
        }
    }

    /// Sends what one of a store's phones holds: all of it is valid but counts of these days and sessions, since
    /// another phone counted after it.
    ///
    /// # Errors
    /// If the server refuses it, or makes something else of a count.
    pub async fn sync(
        &mut self,
        client: &Client,
        (store, offline): (usize, bool),
        late: &BTreeSet<(usize, Session)>,
        now_ms: i64,
    ) -> Done<()> {
        let held = std::mem::take(&mut self.phones[store][usize::from(offline)].held);
        if held.is_empty() {
            return Ok(());
        }
        let entries: Vec<&Value> = held.iter().map(|(_, _, save)| save).collect();
        let batch = json!({
            "sentAt": ahead(store, offline, now_ms), "deviceId": self.phone(store, offline), "entries": entries,
        });
        let answer = client.post(&format!("{COUNTS}/batch"), &batch).await?.expect(200)?;
        let results = answer["results"].as_array().cloned().unwrap_or_default();
        for (day, session, save) in &held {
            let due = if late.contains(&(*day, *session)) { "superseded" } else { "applied" };
            let result = results.iter().find(|result| result["op"] == save["op"]);
            if result.is_none_or(|result| result["outcome"] != due) {
                return failed(format!("A count is not {due}: {save} was answered by {result:?}"));
            }
        }
        Ok(())
    }

    /// Answers whether an opening count included the goods that it is asked about: those of these trucks.
    ///
    /// # Errors
    /// If the server refuses it, or asks about other goods.
    pub async fn answer(
        &self,
        client: &Client,
        (store, day): (usize, usize),
        trucks: &[(usize, bool)],
    ) -> Done<()> {
        let (id, date) = (&self.ids.stores[store], self.calendar.date(day));
        let asked = format!("{COUNTS}/close-goods?storeId={id}&date={date}&session=opening");
        let asked = client.get(&asked).await?.expect(200)?;
        let lines = asked["items"].as_array().cloned().unwrap_or_default();
        let mut answers = Vec::new();
        for line in &lines {
            let is_it = |(number, _): &&(usize, bool)| {
                self.receipts.get(number).is_some_and(|receipt| receipt["id"] == line["documentId"])
            };
            // What left the store is told at its time: that decides.
            if line["documentKind"] != "receipt" {
                continue;
            }
            let Some((_, included)) = trucks.iter().find(is_it) else {
                return failed(format!("It asks about goods that are not close to the count: {line}"));
            };
            answers.push(json!({ "lineId": line["lineId"], "included": included }));
        }
        if answers.len() != trucks.len() {
            return failed(format!("It asks about {} deliveries of {}.", answers.len(), trucks.len()));
        }
        if answers.is_empty() {
            return Ok(());
        }
        let body = json!({ "storeId": id, "date": date, "session": "opening", "answers": answers });
        client.post(&format!("{COUNTS}/close-goods"), &body).await?.expect(200)?;
        Ok(())
    }

    /// Sends what another phone had counted before the first one did, and chooses its numbers.
    ///
    /// # Errors
    /// If the server refuses it, or takes an older number for the newer one.
    pub async fn choose(
        &self,
        client: &Client,
        (store, day): (usize, usize),
        found: &[Found],
        (at, now_ms): (Minute, i64),
    ) -> Done<()> {
        let device = format!("{}second{store}", self.tag);
        let mut entries = Vec::new();
        for (seq, (item, units)) in (1..).zip(found) {
            let seq = day * found.len() + seq;
            entries.push(json!({
                "op": format!("{device}:{seq}"), "seq": seq, "storeId": self.ids.stores[store],
                "date": self.calendar.date(day), "session": Session::Opening.name(), "itemId": self.ids.items[*item],
                "qty": qty(*units), "at": self.calendar.ms(at), "base": null, "prev": null,
            }));
        }
        let batch = json!({ "sentAt": now_ms, "deviceId": device, "entries": entries });
        let answer = client.post(&format!("{COUNTS}/batch"), &batch).await?.expect(200)?;
        for result in answer["results"].as_array().into_iter().flatten() {
            if result["outcome"] != "superseded" {
                return failed(format!("An older count is not set aside: {result}"));
            }
            let chosen = json!({ "op": result["op"], "revision": result["current"]["revision"] });
            client.post(&format!("{COUNTS}/entries/choose"), &chosen).await?.expect(200)?;
        }
        Ok(())
    }

    fn phone(&self, store: usize, offline: bool) -> String {
        format!("{}phone{store}-{}", self.tag, u8::from(offline))
    }
}

/// A time on a store's phone, which is minutes ahead or behind; without a signal nothing puts it right, and it is hours.
fn ahead(store: usize, offline: bool, ms: i64) -> i64 {
    let store = i64::try_from(store).unwrap_or(0);
    let minutes = if offline { 95 * store - 80 } else { 17 * store - 20 };
    ms + minutes * 60_000
}
