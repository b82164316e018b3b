//! A store-day: user actions, network behaviour, and expected results.

use std::collections::HashMap;

use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::{BusinessDay, Timestamp};
use serde_json::{Value, json};

use super::device::{Device, Dice, Save};
use super::oracle::Oracle;
use super::{ITEMS, NOW, STORES, Stage, Without};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
/// Time limit of a device's request.
const PATIENCE: i64 = 30 * SECOND;

/// Fate of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    No,
    /// The session expired: the server returns 401.
    SignedOut,
    /// A proxy accepts smaller bodies only: 413.
    TooMuch,
    /// A proxy is overloaded: 503.
    Busy,
}

/// A request in flight.
struct Flight {
    device: usize,
    life: u32,
    saves: Vec<Save>,
    sent: i64,
    refused: Refused,
    reply_is_lost: bool,
}

/// A future event.
enum Coming {
    /// A copy of a request reaches the server, and its response goes back.
    Delivery {
        flight: usize,
        answered: bool,
    },
    Answer {
        flight: usize,
        status: u16,
        results: Vec<Value>,
    },
    /// A device stops waiting.
    GivenUp {
        flight: usize,
    },
}

pub struct World<'a> {
    stage: &'a Stage,
    without: Without,
    dice: Dice,
    store: &'a str,
    date: BusinessDay,
    now: i64,
    devices: Vec<Device>,
    flights: Vec<Flight>,
    coming: Vec<(i64, Coming)>,
    made: Vec<Save>,
    oracle: Oracle,
    deliveries: i64,
}

impl<'a> World<'a> {
    pub fn new(stage: &'a Stage, seed: u64, without: Without) -> Self {
        let mut dice = Dice::new(seed);
        let stores = STORES as u64;
        let days = i32::try_from(seed / stores).expect("some days");
        let date = "2026-06-01".parse::<BusinessDay>().expect("a date").plus(-days);
        let midnight = (i64::from(date.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * HOUR;
        let skews = [-HOUR, HOUR, dice.between(-HOUR, HOUR)];
        let many = 2 + dice.of(2);
        let shift = dice.of(3);
        let devices =
            (0..many).map(|n| Device::new(format!("s{seed}d{n}"), skews[(n + shift) % 3])).collect();
        World {
            stage,
            without,
            store: &stage.stores[usize::try_from(seed % stores).expect("a store")],
            date,
            now: midnight + 18 * HOUR + dice.between(5 * MINUTE, 7 * HOUR + 30 * MINUTE),
            devices,
            flights: Vec::new(),
            coming: Vec::new(),
            made: Vec::new(),
            oracle: Oracle { locked_at: midnight + 26 * HOUR, ..Oracle::default() },
            deliveries: 0,
            dice,
        }
    }

    /// Runs the day, and reports errors at the end.
    pub async fn live(mut self) -> Result<(), String> {
        for _ in 0..self.dice.between(12, 30) {
            let pause = match self.dice.of(12) {
                0 => self.dice.between(10 * MINUTE, 50 * MINUTE),
                1..=4 => self.dice.between(20 * SECOND, 4 * MINUTE),
                _ => self.dice.between(10, 15 * SECOND),
            };
            self.wait_until(self.now + pause).await?;
            self.step().await?;
        }
        self.settle().await?;
        self.check().await
    }

    async fn step(&mut self) -> Result<(), String> {
        let n = self.dice.of(self.devices.len());
        match self.dice.of(20) {
            0..=8 => {
                let (item, number) = (self.dice.of(ITEMS), self.made.len() as i64);
                // A device that crashes first never confirmed the save.
                if self.dice.chance(4) {
                    self.devices[n].crash();
                    return Ok(());
                }
                let qty = (!self.dice.chance(10)).then_some(number);
                let save = self.devices[n].save(self.now, item, qty);
                self.made.push(save);
            }
            9..=14 => self.send(n, true),
            15..=16 => self.look(n).await?,
            17 => self.devices[n].crash(),
            18 => self.send(n, false),
            _ if self.now >= self.oracle.locked_at && self.dice.chance(40) => self.unlock().await?,
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, now: i64) {
        self.now = now;
        NOW.with(|clock| clock.set(now));
    }

    /// Processes events up to a time, in order.
    async fn wait_until(&mut self, until: i64) -> Result<(), String> {
        loop {
            let next = self
                .coming
                .iter()
                .enumerate()
                .filter(|(_, (at, _))| *at <= until)
                .min_by_key(|(_, (at, _))| *at);
            let Some((place, _)) = next else { break };
            let (at, coming) = self.coming.remove(place);
            self.set(at.max(self.now));
            match coming {
                Coming::Delivery { flight, answered } => self.deliver(flight, answered).await?,
                Coming::Answer { flight, status, results } => self.answer(flight, status, &results)?,
                Coming::GivenUp { flight } => {
                    let Flight { device, life, .. } = self.flights[flight];
                    if self.devices[device].life == life {
                        self.devices[device].waiting = false;
                    }
                }
            }
        }
        self.set(until);
        Ok(())
    }

    /// A device sends its stored saves unless a request is pending; two tabs are independent (`alone`).
    fn send(&mut self, n: usize, alone: bool) {
        let device = &mut self.devices[n];
        if device.unsent.is_empty() || (alone && device.waiting) {
            return;
        }
        let many = device.most.min(device.unsent.len());
        let saves: Vec<Save> = device.unsent[..many].to_vec();
        device.waiting = true;
        if self.without == Without::Answers {
            device.forget(&saves);
        }
        let refused = match self.dice.of(12) {
            0 => Refused::SignedOut,
            1 if saves.len() > 1 => Refused::TooMuch,
            2 => Refused::Busy,
            _ => Refused::No,
        };
        let (flight, life) = (self.flights.len(), device.life);
        let reply_is_lost = self.dice.chance(25);
        self.flights.push(Flight { device: n, life, saves, sent: self.now, refused, reply_is_lost });
        self.coming.push((self.now + PATIENCE, Coming::GivenUp { flight }));
        let copies = match self.dice.of(10) {
            0 | 1 => 0,
            2 | 3 => 2,
            _ => 1,
        };
        for copy in 0..copies {
            let way = match self.dice.of(10) {
                0 => self.dice.between(5 * MINUTE, 40 * MINUTE),
                1..=3 => self.dice.between(5 * SECOND, 2 * MINUTE),
                _ => self.dice.between(5, 3 * SECOND),
            };
            self.coming.push((self.now + way, Coming::Delivery { flight, answered: copy == 0 }));
        }
    }

    /// A request reaches the server, or a proxy.
    async fn deliver(&mut self, flight: usize, answered: bool) -> Result<(), String> {
        let Flight { refused, sent, reply_is_lost, .. } = self.flights[flight];
        let saves = self.flights[flight].saves.clone();
        let batch = self.batch(flight);
        let (status, answer) = match refused {
            Refused::TooMuch => (413, Value::Null),
            Refused::Busy => (503, Value::Null),
            Refused::SignedOut => self.stage.ask(None, "POST", "/batch", Some(&batch)).await,
            Refused::No => self.stage.ask(Some(&self.stage.counter), "POST", "/batch", Some(&batch)).await,
        };
        let expected = match refused {
            Refused::TooMuch => 413,
            Refused::Busy => 503,
            Refused::SignedOut => 401,
            Refused::No => 200,
        };
        if status != expected {
            return Err(format!("{status} instead of {expected}: {answer}"));
        }
        let results = answer["results"].as_array().cloned().unwrap_or_default();
        if status == 200 {
            if results.len() != saves.len() {
                return Err(format!("{} answers to {} saves", results.len(), saves.len()));
            }
            for save in &saves {
                self.oracle.arrive(save, sent, self.now);
            }
        }
        if answered && !reply_is_lost {
            let back = self.now + self.dice.between(5, 4 * SECOND);
            self.coming.push((back, Coming::Answer { flight, status, results }));
        }
        Ok(())
    }

    /// A request as sent, without the parts of the protocol left out.
    fn batch(&mut self, flight: usize) -> Value {
        self.deliveries += 1;
        let Flight { device, sent, .. } = self.flights[flight];
        let device = &self.devices[device];
        let entries: Vec<Value> = self.flights[flight]
            .saves
            .iter()
            .map(|save| {
                let (op, seq) = match self.without {
                    Without::Seq => (format!("{}-{}:1", save.device, save.seq), 1),
                    Without::Names => {
                        let seq = save.seq * 1_000 + self.deliveries % 1_000;
                        (format!("{}:{seq}", save.device), seq)
                    }
                    _ => (save.op(), save.seq),
                };
                json!({ "op": op, "seq": seq, "storeId": self.store, "date": self.date, "session": "closing",
                    "itemId": self.stage.items[save.item], "qty": save.qty, "at": save.at, "base": save.base,
                    "prev": save.prev })
            })
            .collect();
        let sent_at = match self.without {
            Without::SentAt => self.now,
            _ => sent + device.skew,
        };
        json!({ "sentAt": Timestamp(sent_at), "deviceId": device.id, "entries": entries })
    }

    /// The save of a server event.
    fn name_of(&self, op: &str) -> String {
        let (device, seq) = op.rsplit_once(':').unwrap_or((op, "0"));
        match self.without {
            Without::Seq => device.replacen('-', ":", 1),
            Without::Names => format!("{device}:{}", seq.parse::<i64>().unwrap_or_default() / 1_000),
            _ => op.to_owned(),
        }
    }

    /// A response reaches its device, if the device still has the request.
    fn answer(&mut self, flight: usize, status: u16, results: &[Value]) -> Result<(), String> {
        let Flight { device, life, sent, .. } = self.flights[flight];
        let (saves, device) = (&self.flights[flight].saves, &mut self.devices[device]);
        if device.life != life || self.now - sent > PATIENCE {
            return Ok(());
        }
        device.waiting = false;
        match status {
            200 => {
                for (save, result) in saves.iter().zip(results) {
                    match result["outcome"].as_str().unwrap_or_default() {
                        "applied" | "superseded" | "duplicate" | "held" => device.forget([save]),
                        other => return Err(format!("{} is {other}: {result}", save.op())),
                    }
                    if let Some(revision) = result["revision"].as_i64() {
                        device.known.insert(save.item, revision);
                    }
                }
            }
            400..500 if self.without == Without::Patience => device.forget(saves),
            413 => device.most = (saves.len() / 2).max(1),
            _ => {}
        }
        Ok(())
    }

    /// A device reads the current counts.
    async fn look(&mut self, n: usize) -> Result<(), String> {
        let entries = self.entries().await?;
        let revisions = entries.iter().filter_map(|entry| {
            let item = self.stage.items.iter().position(|id| entry["itemId"] == id.as_str())?;
            Some((item, entry["revision"].as_i64()?))
        });
        self.devices[n].known = revisions.collect();
        Ok(())
    }

    async fn entries(&self) -> Result<Vec<Value>, String> {
        let path = format!("/entries?storeId={}&date={}", self.store, self.date);
        let (status, answer) = self.stage.ask(Some(&self.stage.counter), "GET", &path, None).await;
        match answer["entries"].as_array() {
            Some(entries) if status == 200 => Ok(entries.clone()),
            _ => Err(format!("no entries: {status} {answer}")),
        }
    }

    async fn unlock(&mut self) -> Result<(), String> {
        let wish = json!({ "storeId": self.store, "date": self.date, "session": "closing", "reason": "Counted late" });
        let (status, answer) =
            self.stage.ask(Some(&self.stage.manager), "POST", "/unlock", Some(&wish)).await;
        self.oracle.unlocked = true;
        if status == 200 { Ok(()) } else { Err(format!("not unlocked: {status} {answer}")) }
    }

    /// The signal returns: all devices send, and a manager decides held saves.
    async fn settle(&mut self) -> Result<(), String> {
        self.wait_until(self.now + HOUR).await?;
        for n in 0..self.devices.len() {
            for _ in 0..100 {
                if self.devices[n].unsent.is_empty() {
                    break;
                }
                self.devices[n].waiting = false;
                let flights = self.flights.len();
                self.send(n, true);
                if self.flights.len() == flights {
                    continue;
                }
                // This time nothing is lost in transit.
                self.coming.clear();
                let flight = self.flights.last_mut().expect("it is sent");
                (flight.refused, flight.reply_is_lost) = (Refused::No, false);
                self.coming.push((self.now + 50, Coming::Delivery { flight: flights, answered: true }));
                self.wait_until(self.now + MINUTE).await?;
            }
            if !self.devices[n].unsent.is_empty() {
                return Err("a device never gets rid of what it keeps".to_owned());
            }
        }
        if self.dice.chance(50) && !self.oracle.held.is_empty() && self.without == Without::Nothing {
            let ops: Vec<String> = self.oracle.held.iter().map(|(save, _)| save.op()).collect();
            let wish = json!({ "ops": ops });
            let (status, answer) =
                self.stage.ask(Some(&self.stage.manager), "POST", "/held/apply", Some(&wish)).await;
            if status != 200 {
                return Err(format!("not applied: {status} {answer}"));
            }
            self.oracle.apply_held();
        }
        Ok(())
    }

    /// Every save is stored once and unchanged, and the current counts are the oracle's.
    async fn check(&self) -> Result<(), String> {
        let entries = self.entries().await?;
        let held: Vec<String> = self.oracle.held.iter().map(|(save, _)| save.op()).collect();
        for item in 0..ITEMS {
            let id = &self.stage.items[item];
            let path =
                format!("/history?storeId={}&date={}&session=closing&itemId={id}", self.store, self.date);
            let (status, answer) = self.stage.ask(Some(&self.stage.counter), "GET", &path, None).await;
            let Some(events) = answer["events"].as_array().filter(|_| status == 200) else {
                return Err(format!("no history: {status} {answer}"));
            };
            let mut came: HashMap<String, Vec<&Value>> = HashMap::new();
            for event in events {
                came.entry(self.name_of(event["op"].as_str().unwrap_or_default())).or_default().push(event);
            }
            let made = self.made.iter().filter(|save| save.item == item);
            for save in made {
                let op = save.op();
                let [event] = came.remove(&op).unwrap_or_default()[..] else {
                    return Err(format!("{op} is there never, or more than once: {answer}"));
                };
                if event["qty"] != json!(save.qty) {
                    return Err(format!("{op} was {:?} and is {}", save.qty, event["qty"]));
                }
                if (event["outcome"] == "held") != held.contains(&op) {
                    return Err(format!("{op} is {}, held is {held:?}", event["outcome"]));
                }
            }
            if !came.is_empty() {
                return Err(format!("unknown save {:?}", came.keys()));
            }
            let stands: Vec<String> = events
                .iter()
                .filter(|event| event["stands"] == true)
                .map(|event| self.name_of(event["op"].as_str().unwrap_or_default()))
                .collect();
            let count = self.oracle.counts.get(&item);
            let must = count.and_then(|count| count.standing.as_ref());
            if stands != must.map(Save::op).into_iter().collect::<Vec<_>>() {
                return Err(format!("{stands:?} is current instead of {must:?}: {answer}"));
            }
            // In any order of arrival, only the last save of each device can be current.
            if let (Some(count), Some(must)) = (count, must)
                && count.heard.get(&must.device) != Some(&must.seq)
            {
                return Err(format!("{} is not the last word of its device", must.op()));
            }
            let applied = events.iter().filter(|event| event["outcome"] == "applied").count() as i64;
            let shown = entries.iter().find(|entry| entry["itemId"] == id.as_str());
            match (shown, must.and_then(|save| save.qty)) {
                (None, None) => {}
                (Some(entry), Some(qty)) if entry["qty"] == qty && entry["revision"] == applied => {}
                (shown, must) => {
                    return Err(format!("{shown:?} is shown, {must:?} is expected, set {applied} times"));
                }
            }
        }
        if entries.len() > ITEMS {
            return Err(format!("{} entries of {ITEMS} items", entries.len()));
        }
        Ok(())
    }
}
