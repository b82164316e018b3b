//! Each store's day: its record and what blocks it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::Db;
use larder_domain::netsuite::{Layout, MUCH, Record, external_id, record};
use larder_domain::{BusinessDay, Money, Span};
use sha2::{Digest, Sha256};

use super::model::NetsuiteDay;
use super::queries::{self, Sent, Store};
use super::sent::{self, DayRecords};
use larder_ledgers::completeness::{self, Completeness, DayTills};
use larder_ledgers::till_days;
use larder_ledgers::till_days::StoreDay;
use larder_platform::http::ApiResult;

/// A store's day.
pub(super) struct Day {
    pub store: Store,
    pub date: BusinessDay,
    /// `None` without a verified reading.
    pub made: Option<Made>,
    pub external_id: Option<String>,
    pub reasons: Vec<String>,
    /// Its record in this layout, if it counts.
    pub sent: Option<Sent>,
    /// Its records in all layouts.
    pub records: DayRecords,
    /// Its verified readings, each with its revision.
    pub readings: BTreeSet<(String, i64)>,
    /// The tills that must have a reading.
    pub tills: DayTills,
    /// «Till 02 has no Z-reading (Stolen).» for each record that none exists, as long as none is in.
    pub absences: Vec<String>,
}

/// The record of a day's readings.
pub(super) struct Made {
    pub record: Record,
    pub net: Money,
    /// Tills whose readings it includes.
    pub terminals: Vec<String>,
    /// Changes whenever its figures change.
    pub digest: String,
}

impl Day {
    /// `blocked`, `ready`, `exported`, `confirmed`, `failed` or `elsewhere`.
    pub fn state(&self) -> &str {
        match &self.sent {
            Some(sent) => &sent.state,
            None if self.records.any() => "elsewhere",
            None if self.reasons.is_empty() => "ready",
            None => "blocked",
        }
    }

    /// Whether its figures differ from the exported ones.
    pub fn changed(&self) -> bool {
        let digest = self.made.as_ref().map(|made| &made.digest);
        self.sent.as_ref().is_some_and(|sent| Some(&sent.digest) != digest)
    }

    /// As a response.
    pub fn wire(&self) -> NetsuiteDay {
        let rounding = self.made.as_ref().map(|made| made.record.rounding);
        NetsuiteDay {
            store_id: self.store.id.clone(),
            store_name: self.store.name.clone(),
            date: self.date,
            external_id: self.external_id.clone(),
            state: self.state().to_owned(),
            reasons: self.reasons.clone(),
            message: self.sent.as_ref().map(|sent| sent.message.clone()).unwrap_or_default(),
            total: self.made.as_ref().map(|made| made.net),
            rounding,
            odd: rounding.is_some_and(|rounding| rounding.0.abs() > MUCH.0),
            lines: self
                .made
                .as_ref()
                .map_or(0, |made| i64::try_from(made.record.lines.len()).unwrap_or(i64::MAX)),
            changed: self.changed(),
            exported_at: self.sent.as_ref().map(|sent| sent.exported_at),
            sent_as: self.records.wire(),
            tills: self.tills.clone(),
            absences: self.absences.clone(),
        }
    }
}

/// The days of the given stores in a range up to today, by day and store. Days on which nothing is due and nothing was
/// read have no record.
pub(super) async fn of(
    db: &Db,
    layout: Layout,
    wished: Option<&[String]>,
    span: Span,
    today: BusinessDay,
) -> ApiResult<Vec<Day>> {
    let stores = queries::stores(db, wished).await?;
    let ids: Vec<String> = stores.iter().map(|store| store.id.clone()).collect();
    let found = till_days::read(db, &ids, span).await?;
    let span = Span { to: span.to.min(today), ..span };
    let known = Completeness::read(db, &ids, span, today).await?;
    let mut sent = sent::by_day(queries::sent(db, &ids, span).await?);
    let shared = shared(db).await?;
    let mut days = Vec::new();
    for at in span.from.0..=span.to.0 {
        let date = BusinessDay(at);
        for store in &stores {
            let key = (store.id.clone(), date);
            let of_day = found.get(&key);
            let records = sent.remove(&key).unwrap_or_default();
            // A withdrawn record keeps its External ID, too.
            let went = records.of(layout);
            let day = known.day(&store.id, date);
            let is_nothing = day.is_complete() && !day.sold_without_reading();
            if of_day.is_none() && !records.any() && is_nothing {
                continue;
            }
            let name = match went {
                Some(one) => Some(one.external_id.clone()),
                None => code(store).map(|code| external_id(layout, code, date)),
            };
            days.push(Day {
                reasons: reasons(layout, store, (day, of_day), went.is_some(), &shared),
                made: of_day.map(|day| make(layout, day)),
                external_id: name,
                sent: records.current_of(layout).cloned(),
                records,
                readings: day.verified(),
                absences: absences(day),
                tills: day.wire(date),
                store: store.clone(),
                date,
            });
        }
    }
    for day in &mut days {
        if let Some(reason) = day.records.reason(layout) {
            day.reasons.insert(0, reason);
        }
    }
    Ok(days)
}

fn code(store: &Store) -> Option<&str> {
    store.pos_code.as_deref().map(str::trim).filter(|code| !code.is_empty())
}

/// For stores that share a POS code, the name of another store with it.
async fn shared(db: &Db) -> ApiResult<HashMap<String, String>> {
    let rows = queries::shared_codes(db).await?;
    let mut by_code: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (code, id, name) in &rows {
        by_code.entry(code).or_default().push((id, name));
    }
    let mut others = HashMap::new();
    for group in by_code.values() {
        for (id, _) in group {
            if let Some((_, name)) = group.iter().find(|(other, _)| other != id) {
                others.insert((*id).to_owned(), (*name).to_owned());
            }
        }
    }
    Ok(others)
}

fn reasons(
    layout: Layout,
    store: &Store,
    (day, of_day): (&completeness::Day, Option<&StoreDay>),
    named: bool,
    shared: &HashMap<String, String>,
) -> Vec<String> {
    let mut reasons = Vec::new();
    if !day.is_complete() {
        reasons.push("Z not verified.".to_owned());
        reasons.extend(day.reasons());
    }
    if of_day.is_none() && day.is_complete() {
        reasons.push("No Z-reading exists, so there is nothing to export.".to_owned());
    }
    if of_day.is_some_and(|day| day.sources.open()) {
        reasons.push(
            "The same sales came from several sources with different discounts. Choose on the monthly sales report \
             which counts."
                .to_owned(),
        );
    }
    let known = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    let customer = known(&store.netsuite_customer_name)
        || known(&store.netsuite_customer_id)
        || known(&store.netsuite_customer_internal_id);
    if layout != Layout::JournalEntry && !customer {
        reasons.push(format!("{} has no NetSuite customer.", store.name));
    }
    if code(store).is_none() && !named {
        reasons.push(format!("{} has no POS code.", store.name));
    }
    if let Some(other) = shared.get(&store.id).filter(|_| !named) {
        reasons.push(format!("{} has the POS code of {other}.", store.name));
    }
    reasons
}

/// The records that a till has no reading, in words.
fn absences(day: &completeness::Day) -> Vec<String> {
    let words = |till: &completeness::Till| {
        let absence = till.absent()?;
        Some(match &*till.terminal_id {
            name if till.excused => {
                format!("A Z-reading of till {name} before this one does not exist ({}).", absence.reason)
            }
            "" => format!("No Z-reading exists ({}).", absence.reason),
            name => format!("Till {name} has no Z-reading ({}).", absence.reason),
        })
    };
    day.tills.iter().filter_map(words).collect()
}

fn make(layout: Layout, day: &StoreDay) -> Made {
    let record = record(layout, &day.figures, &day.tenders);
    let mut terminals: Vec<String> = day.readings.iter().map(|one| one.terminal_id.clone()).collect();
    terminals.dedup();
    let mut hash = Sha256::new();
    for line in &record.lines {
        hash.update(format!("{}|{}|{};", line.kind.as_str(), line.amount, line.tax));
    }
    let digest = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Made { record, net: day.figures.net, terminals, digest }
}
