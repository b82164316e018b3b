//! Reads the days of some stores: some statements for all of them together.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use larder_db::{DbError, Json, Reader};
use larder_domain::tender::is_delivery_app;
use larder_domain::till_expectations::{ChainPoint, Expected, StoreHistory, TillHistory, WINDOW, expected};
use larder_domain::{BusinessDay, Money, Span, Timestamp, till_day};
use serde_json::Value;

use super::counted::Counted;
use super::{Absence, Day, Held, Till, TillState};
use crate::counted_sources;
use crate::imported_sales::{self, Imported};
use crate::open_days::OpenDays;
use larder_platform::audit::Editor;

/// Days up to which a till may be quiet between two readings that are neighbours.
const MOST_APART: i32 = 400;

#[derive(larder_db::FromRow)]
struct ReadingRow {
    id: String,
    store_id: String,
    terminal_id: String,
    state: String,
    business_date: BusinessDay,
    covers_from: Option<BusinessDay>,
    z_counter: Option<i64>,
    reset_counter: i64,
    previous_total: Option<Money>,
    present_total: Option<Money>,
    net: Option<Money>,
    explained: bool,
    revision: i64,
}

impl ReadingRow {
    fn covers(&self) -> Span {
        let from = self.covers_from.unwrap_or(self.business_date).min(self.business_date);
        Span { from, to: self.business_date }
    }

    fn state(&self) -> TillState {
        match self.state.as_str() {
            "verified" | "reconciled" => TillState::Verified,
            "disputed" => TillState::Disputed,
            _ => TillState::Waiting,
        }
    }

    fn point(&self) -> ChainPoint {
        ChainPoint {
            covers: self.covers(),
            counter: self.z_counter,
            reset: self.reset_counter,
            previous: self.previous_total,
            present: self.present_total,
            settled: self.state() == TillState::Verified && !self.explained,
        }
    }

    /// It on one of the days that it covers, in days since 1970-01-01.
    fn held(&self, day: i32) -> Held {
        Held {
            id: self.id.clone(),
            revision: self.revision,
            state: self.state(),
            net: self.net,
            on: self.business_date,
            covers: self.business_date.0 != day,
            alone: self.covers().days() == 1,
        }
    }
}

/// The readings of a till: its first day, and the days of those with a counter next to the days being read.
#[derive(larder_db::FromRow)]
struct ReadTill {
    store_id: String,
    terminal_id: String,
    first_day: BusinessDay,
    day_before: Option<BusinessDay>,
    day_after: Option<BusinessDay>,
    /// Number of its readings of these days.
    readings: i64,
}

/// The tills in the store list.
#[derive(larder_db::FromRow)]
struct Listed {
    id: String,
    terminal_id: Option<String>,
    pos_terminals: Json<Vec<Value>>,
    inactive: bool,
}

/// A till of a store, with what is known of it.
#[derive(Default)]
struct Known {
    listed: bool,
    first: Option<BusinessDay>,
    off_from: Option<BusinessDay>,
    prints: Option<bool>,
    readings: Vec<ReadingRow>,
    absences: BTreeMap<BusinessDay, Arc<Absence>>,
}

impl Known {
    fn began(&mut self, day: BusinessDay) {
        self.first = Some(self.first.map_or(day, |first| first.min(day)));
    }

    /// Whether it prints readings. An app's name stands for no till unless a user lists it or it has readings.
    fn prints(&self, terminal_id: &str) -> bool {
        self.prints.unwrap_or(self.listed || !is_delivery_app(terminal_id))
    }
}

/// Everything known of a store.
#[derive(Default)]
struct Facts {
    /// An inactive store is open on days with sales only.
    inactive: bool,
    tills: BTreeMap<String, Known>,
    imported: BTreeMap<BusinessDay, Imported>,
    chosen: HashMap<BusinessDay, String>,
    /// Sources left out, because others report the same sales.
    left_out: HashMap<BusinessDay, BTreeSet<String>>,
}

impl Facts {
    /// Whether a till prints readings; one without a name does.
    fn prints(&self, till: &str) -> bool {
        self.tills.get(till).is_none_or(|known| known.prints(till))
    }

    /// Sources of a day all of whose tills print no readings.
    fn apps(&self, day: BusinessDay) -> BTreeSet<String> {
        let Some(imported) = self.imported.get(&day) else { return BTreeSet::new() };
        let by_till = &imported.by_till;
        let (printing, others): (Vec<_>, Vec<_>) = by_till.iter().partition(|(_, till, _)| self.prints(till));
        let others = others.into_iter().map(|(source, ..)| source);
        others.filter(|source| !printing.iter().any(|(printing, ..)| printing == *source)).cloned().collect()
    }
}

/// The days of stores within a span, in order.
pub(super) async fn days(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    span: Span,
    today: BusinessDay,
) -> Result<HashMap<String, Vec<Day>>, DbError> {
    let mut facts: HashMap<String, Facts> =
        stores.iter().map(|store| (store.clone(), Facts::default())).collect();
    let wide = tills(on, stores, span, &mut facts).await?;
    let open = OpenDays::read_from(on, stores, wide).await?;
    readings(on, stores, wide, &mut facts).await?;
    sales(on, stores, wide, &mut facts).await?;
    said(on, stores, wide, &mut facts).await?;
    let of_store = |(store, facts): (String, Facts)| {
        let days = store_days(&store, &facts, &open, (span, wide, today));
        (store, days)
    };
    Ok(facts.into_iter().map(of_store).collect())
}

/// Adds what is known of a till.
fn known(facts: &mut HashMap<String, Facts>, (store, till): (&str, &str), put: impl FnOnce(&mut Known)) {
    if let Some(facts) = facts.get_mut(store).filter(|_| !till.is_empty()) {
        put(facts.tills.entry(till.to_owned()).or_default());
    }
}

/// The known tills: those listed or with settings, with readings, or with sales. Returns the days to be read, so that the
/// answer for a day does not depend on the span asked for: with each till's readings before and after the span.
async fn tills(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    span: Span,
    facts: &mut HashMap<String, Facts>,
) -> Result<Span, DbError> {
    let wide = Span { from: span.from.plus(-WINDOW), to: span.to.plus(WINDOW) };
    let mut reach = wide;
    let limit = Span { from: span.from.plus(-MOST_APART), to: span.to.plus(MOST_APART) };
    let set: Vec<(String, String, Option<BusinessDay>, Option<bool>)> = on
        .sql("select store_id, terminal_id, off_from, prints from z_terminals where store_id in ")
        .push_ids(stores)
        .all()
        .await?;
    for (store, till, off_from, prints) in set {
        known(facts, (&store, &till), |known| {
            (known.listed, known.off_from, known.prints) = (true, off_from, prints);
        });
    }
    let read: Vec<ReadTill> = on
        .sql(
            "select store_id, terminal_id, min(business_date) as first_day,
               max(case when business_date < $1 and z_counter is not null then business_date end) as day_before,
               min(case when business_date > $2 and z_counter is not null then business_date end) as day_after,
               cast(count(case when business_date between $1 and $2 then 1 end) as bigint) as readings
             from z_readings where state <> 'discarded' and store_id in ",
        )
        .bind(wide.from)
        .bind(wide.to)
        .push_ids(stores)
        .push(" group by store_id, terminal_id")
        .all()
        .await?;
    for ReadTill { store_id, terminal_id, first_day, day_before, day_after, readings } in read {
        // Readings are neighbours across the edges of the span, however long the till was quiet.
        if let Some(before) = day_before.filter(|_| readings > 0 || day_after.is_some()) {
            reach.from = reach.from.min(before.max(limit.from));
        }
        if let Some(after) = day_after.filter(|_| readings > 0 || day_before.is_some()) {
            reach.to = reach.to.max(after.min(limit.to));
        }
        known(facts, (&store_id, &terminal_id), |known| {
            known.listed = true;
            known.began(first_day);
        });
    }
    let sold: Vec<(String, String, BusinessDay)> = on
        .sql("select store_id, terminal_id, min(business_date) from sales_tills where store_id in ")
        .push_ids(stores)
        .push(" group by store_id, terminal_id")
        .all()
        .await?;
    for (store, till, first) in sold {
        known(facts, (&store, &till), |known| known.began(first));
    }
    let listed: Vec<Listed> = on
        .sql("select id, terminal_id, pos_terminals, inactive from locations where id in ")
        .push_ids(stores)
        .all()
        .await?;
    for one in listed {
        if let Some(facts) = facts.get_mut(&one.id) {
            facts.inactive = one.inactive;
        }
        let tills = one.pos_terminals.0.iter().filter_map(|till| till["terminalId"].as_str());
        for till in one.terminal_id.as_deref().into_iter().chain(tills) {
            known(facts, (&one.id, till), |known| known.listed = true);
        }
    }
    Ok(reach)
}

async fn readings(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    wide: Span,
    facts: &mut HashMap<String, Facts>,
) -> Result<(), DbError> {
    let rows: Vec<ReadingRow> = on
        .sql(
            "select id, store_id, terminal_id, state, business_date, covers_from, z_counter, reset_counter,
               previous_total, present_total, net, reason is not null as explained, revision
             from z_readings where state <> 'discarded' and business_date between $1 and $2 and store_id in ",
        )
        .bind(wide.from)
        .bind(wide.to)
        .push_ids(stores)
        .push(" order by store_id, business_date, id")
        .all()
        .await?;
    for row in rows {
        if let Some(facts) = facts.get_mut(&row.store_id) {
            facts.tills.entry(row.terminal_id.clone()).or_default().readings.push(row);
        }
    }
    Ok(())
}

async fn sales(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    wide: Span,
    facts: &mut HashMap<String, Facts>,
) -> Result<(), DbError> {
    for ((store, day), imported) in imported_sales::imported(on, stores, wide).await? {
        if let Some(facts) = facts.get_mut(&store) {
            facts.imported.insert(day, imported);
        }
    }
    for ((store, day), sources) in counted_sources::left_out(on, stores, wide).await? {
        if let Some(facts) = facts.get_mut(&store) {
            facts.left_out.insert(day, sources);
        }
    }
    Ok(())
}

/// What users said of days: which source counts, and that there is no reading.
async fn said(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    wide: Span,
    facts: &mut HashMap<String, Facts>,
) -> Result<(), DbError> {
    for ((store, day), source) in counted_sources::chosen(on, stores, wide).await? {
        if let Some(facts) = facts.get_mut(&store) {
            facts.chosen.insert(day, source);
        }
    }
    let absences: Vec<(String, BusinessDay, String, String, Timestamp, Json<Editor>)> = on
        .sql(
            "select store_id, business_date, terminal_id, reason, created_at, created_by from z_absences
             where business_date between $1 and $2 and store_id in ",
        )
        .bind(wide.from)
        .bind(wide.to)
        .push_ids(stores)
        .all()
        .await?;
    for (store, day, till, reason, at, by) in absences {
        if let Some(facts) = facts.get_mut(&store) {
            let absence = Arc::new(Absence { reason, by: by.0, at });
            facts.tills.entry(till).or_default().absences.insert(day, absence);
        }
    }
    Ok(())
}

/// The sales of each day that count.
fn counted(facts: &Facts) -> BTreeMap<BusinessDay, Counted> {
    let mut read: HashMap<BusinessDay, BTreeMap<String, Money>> = HashMap::new();
    for (till, known) in &facts.tills {
        for one in known.readings.iter().filter(|one| one.state() == TillState::Verified) {
            let net = one.net.unwrap_or_default();
            for (day, net) in net_by_day(till, one.covers(), net, &facts.imported) {
                let sum = read.entry(day).or_default().entry(till.clone()).or_default();
                *sum = Money(sum.0.saturating_add(net.0));
            }
        }
    }
    let (none, none_left) = (BTreeMap::new(), BTreeSet::new());
    let of_day = |(day, imported): (&BusinessDay, &Imported)| {
        let chosen = facts.chosen.get(day).map(String::as_str);
        let read = read.get(day).unwrap_or(&none);
        let left_out = facts.left_out.get(day).unwrap_or(&none_left);
        (*day, imported.counted(read, (chosen, left_out), |till| facts.prints(till)))
    };
    facts.imported.iter().map(of_day).collect()
}

/// What a reading says of each day. One that covers several says of each what the source reports whose sales of all of them
/// add up to it, if one does.
fn net_by_day(
    till: &str,
    covers: Span,
    net: Money,
    imported: &BTreeMap<BusinessDay, Imported>,
) -> Vec<(BusinessDay, Money)> {
    let sold = imported.range(covers.from..=covers.to).flat_map(|(day, of_day)| {
        let of_till = of_day.by_till.iter().filter(move |(_, of_till, _)| of_till == till);
        of_till.map(move |(source, _, sold)| (source.as_str(), *day, *sold))
    });
    till_day::net_by_day(covers, net, sold)
}

fn store_days(
    store: &str,
    facts: &Facts,
    open: &OpenDays,
    (span, wide, today): (Span, Span, BusinessDay),
) -> Vec<Day> {
    let counted = counted(facts);
    let nameless: BTreeSet<BusinessDay> =
        counted.iter().filter(|(_, day)| day.nameless).map(|(day, _)| *day).collect();
    let mut sold: HashMap<&str, BTreeSet<BusinessDay>> = HashMap::new();
    for (day, of_day) in &counted {
        for till in &of_day.tills {
            sold.entry(till).or_default().insert(*day);
        }
    }
    let absent = |known: &Known| known.absences.keys().copied().collect::<BTreeSet<BusinessDay>>();
    // A reading whose till is not known yet is one of a till without a name.
    let named: Vec<(&String, &Known)> =
        facts.tills.iter().filter(|(till, known)| !till.is_empty() || !known.readings.is_empty()).collect();
    let owned: Vec<(Vec<ChainPoint>, BTreeSet<BusinessDay>, BTreeSet<BusinessDay>)> = named
        .iter()
        .map(|(till, known)| {
            let chain = known.readings.iter().map(ReadingRow::point);
            let chain = chain
                .map(|point| ChainPoint { counter: point.counter.filter(|_| !till.is_empty()), ..point });
            (chain.collect(), sold.remove(till.as_str()).unwrap_or_default(), absent(known))
        })
        .collect();
    let tills: Vec<TillHistory<'_>> = named
        .iter()
        .zip(&owned)
        .map(|((till, known), (chain, sold, absent))| TillHistory {
            prints: known.prints(till),
            listed: known.listed,
            from: known.first,
            off_from: known.off_from,
            sold,
            chain,
            absent,
        })
        .collect();
    let trades = |day| if facts.inactive { open.has_sales(store, day) } else { open.is_open(store, day) };
    let open_on: Vec<bool> = (wide.from.0..=wide.to.0).map(|day| trades(BusinessDay(day))).collect();
    let is_open = |day: BusinessDay| {
        let at = usize::try_from(day.0 - wide.from.0).ok();
        at.and_then(|at| open_on.get(at)).copied().unwrap_or(false)
    };
    let whole = facts.tills.get("").map(absent).unwrap_or_default();
    let history = StoreHistory { tills: &tills, nameless: &nameless, absent: &whole, open: &is_open, today };
    let names: Vec<Arc<str>> = named.iter().map(|(till, _)| Arc::from(till.as_str())).collect();
    let unnamed: Arc<str> = Arc::from("");
    let held = held(&named, span);
    let of_day = |(day, found): (BusinessDay, Vec<Expected>)| Day {
        tills: found
            .iter()
            .map(|one| {
                let name = one.till.map_or(&unnamed, |at| &names[at]);
                let readings = one.till.and_then(|at| held.get(&(at, day))).map_or(&[][..], Vec::as_slice);
                till(facts, name, (day, one), readings)
            })
            .collect(),
        open: is_open(day),
        started: open.has_started(store, day),
        over: day < today,
        marked_closed: open.is_marked(store, day),
        sold: counted.get(&day).and_then(|of_day| of_day.sold),
        printed: counted.get(&day).and_then(|of_day| of_day.printed),
        apps: facts.apps(day),
    };
    (span.from.0..).map(BusinessDay).zip(expected(&history, span)).map(of_day).collect()
}

/// Readings by the place of their till and each day that they cover.
fn held(tills: &[(&String, &Known)], span: Span) -> HashMap<(usize, BusinessDay), Vec<Held>> {
    let mut held: HashMap<(usize, BusinessDay), Vec<Held>> = HashMap::new();
    for (at, (_, known)) in tills.iter().enumerate() {
        for one in &known.readings {
            let covers = one.covers();
            for day in covers.from.0.max(span.from.0)..=covers.to.0.min(span.to.0) {
                held.entry((at, BusinessDay(day))).or_default().push(one.held(day));
            }
        }
    }
    held
}

fn till(facts: &Facts, name: &Arc<str>, (day, one): (BusinessDay, &Expected), readings: &[Held]) -> Till {
    let absence = facts.tills.get(&**name).and_then(|known| known.absences.get(&day)).cloned();
    let any = |state| readings.iter().any(|held| held.state == state);
    let state = match () {
        () if any(TillState::Disputed) => TillState::Disputed,
        () if any(TillState::Waiting) => TillState::Waiting,
        () if !readings.is_empty() && !one.skipped => TillState::Verified,
        () if absence.is_some() && !one.skipped => TillState::Absent,
        () => TillState::Missing,
    };
    Till {
        terminal_id: name.clone(),
        why: one.why,
        state,
        skipped: one.skipped,
        excused: one.excused,
        readings: readings.to_vec(),
        absence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_of_several_days_says_of_each_what_adds_up_to_it() {
        let day = BusinessDay;
        let sold = |api: i64, file: i64| Imported {
            by_till: vec![
                ("api".to_owned(), "01".to_owned(), Money(api)),
                ("file".to_owned(), "01".to_owned(), Money(file)),
                ("file".to_owned(), "02".to_owned(), Money(7)),
            ],
            ..Imported::default()
        };
        let imported =
            BTreeMap::from([(day(5), sold(100, 900)), (day(6), sold(200, 900)), (day(7), sold(1, 1))]);
        let covers = |from, to| Span { from: day(from), to: day(to) };
        let of = |covers, net| net_by_day("01", covers, Money(net), &imported);
        assert_eq!(of(covers(5, 6), 300), [(day(5), Money(100)), (day(6), Money(200))]);
        assert_eq!(of(covers(5, 6), 700), [], "none adds up");
        assert_eq!(of(covers(6, 6), 300), [(day(6), Money(300))], "its own day");
    }
}
