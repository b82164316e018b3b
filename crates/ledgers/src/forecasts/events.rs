//! Special days. Paydays and holidays come from a built-in calendar (2024 to 2030); users enter promotions
//! and closures, and may set the factor of any day.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError, Json, Reader, Tx};
use larder_domain::{BusinessDay, Factor, Span, Timestamp, holidays};
use larder_planning::events::{EventDays, Kind as Learned, learn};
use larder_planning::method::Input;

use super::make::Days;
use crate::opening_days::OfStores;
use crate::sales_count;
use larder_platform::audit::Editor;

/// Years covered by the calendar.
pub const YEARS: std::ops::RangeInclusive<i16> = 2024..=2030;
/// Days of sales that displayed factors are learned from.
const LEARNED_DAYS: i32 = 730;

/// An event: from the calendar, or entered.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub id: String,
    pub name: String,
    pub kind: String,
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// Absent: all stores, or those of the area.
    pub store_ids: Option<Vec<String>>,
    pub area_id: Option<String>,
    /// Set by a user.
    pub factor: Option<Factor>,
    /// Whether it depends on the moon and is not yet proclaimed.
    pub estimated: bool,
    pub built_in: bool,
    /// 0 for an unchanged calendar day.
    pub revision: i64,
    pub updated_at: Option<Timestamp>,
    pub updated_by: Option<Editor>,
}

#[derive(larder_db::FromRow)]
struct Row {
    id: String,
    name: String,
    kind: String,
    from_day: BusinessDay,
    to_day: BusinessDay,
    all_stores: bool,
    area_id: Option<String>,
    factor: Option<Factor>,
    revision: i64,
    updated_at: Timestamp,
    updated_by: Json<Editor>,
}

const EVENT: &str = "select id, name, kind, from_day, to_day, all_stores, area_id, factor, revision, updated_at, \
     updated_by from forecast_events";
const STORES: &str = "select event_id, store_id from forecast_event_stores";

impl Row {
    fn read(self, stores: &mut HashMap<String, Vec<String>>) -> Event {
        let built_in = calendar_day(&self.id);
        Event {
            store_ids: (!self.all_stores && self.area_id.is_none())
                .then(|| stores.remove(&self.id).unwrap_or_default()),
            estimated: built_in.and_then(holidays::on).is_some_and(|it| it.estimated),
            built_in: built_in.is_some(),
            id: self.id,
            name: self.name,
            kind: self.kind,
            from: self.from_day,
            to: self.to_day,
            area_id: self.area_id,
            factor: self.factor,
            revision: self.revision,
            updated_at: Some(self.updated_at),
            updated_by: Some(self.updated_by.0),
        }
    }
}

/// The date encoded in a calendar event's id.
fn calendar_day(id: &str) -> Option<BusinessDay> {
    id.strip_prefix("payday-").or_else(|| id.strip_prefix("holiday-"))?.parse().ok()
}

/// A calendar event by id, in its original state.
#[must_use]
pub fn built_in(id: &str) -> Option<Event> {
    let day = calendar_day(id)?;
    calendar(Span { from: day, to: day }).into_iter().find(|event| event.id == id)
}

/// Paydays and holidays within a span.
#[must_use]
pub fn calendar(span: Span) -> Vec<Event> {
    let mut found = Vec::new();
    for day in span.each() {
        if !YEARS.contains(&day.date().year()) {
            continue;
        }
        let event = |kind: &str, name: &str, estimated| Event {
            id: format!("{kind}-{day}"),
            name: name.to_owned(),
            kind: kind.to_owned(),
            from: day,
            to: day,
            store_ids: None,
            area_id: None,
            factor: None,
            estimated,
            built_in: true,
            revision: 0,
            updated_at: None,
            updated_by: None,
        };
        if let Some(holiday) = holidays::on(day) {
            found.push(event("holiday", holiday.name, holiday.estimated));
        }
        if is_payday(day) {
            found.push(event("payday", "Payday", false));
        }
    }
    found
}

/// The 15th and the 30th; in February the last day.
fn is_payday(day: BusinessDay) -> bool {
    let date = day.date();
    date.day() == 15 || date.day() == date.days_in_month().min(30)
}

/// All events within a span: calendar days with users' changes, and entered ones.
///
/// # Errors
/// If the database fails.
pub async fn within(db: &Db, span: Span) -> Result<Vec<Event>, DbError> {
    within_from(&mut Reader::Db(db), span).await
}

async fn within_from(on: &mut Reader<'_, '_>, span: Span) -> Result<Vec<Event>, DbError> {
    let rows: Vec<Row> = on
        .sql(EVENT)
        .push(" where from_day <= $1 and to_day >= $2")
        .bind(span.to)
        .bind(span.from)
        .all()
        .await?;
    let stores: Vec<(String, String)> = on
        .sql(STORES)
        .push(" where event_id in (select id from forecast_events where from_day <= $1 and to_day >= $2)")
        .push(" order by store_id")
        .bind(span.to)
        .bind(span.from)
        .all()
        .await?;
    let mut of_event: HashMap<String, Vec<String>> = HashMap::new();
    for (event, store) in stores {
        of_event.entry(event).or_default().push(store);
    }
    let mut all: BTreeMap<(BusinessDay, String), Event> =
        calendar(span).into_iter().map(|event| ((event.from, event.id.clone()), event)).collect();
    for row in rows {
        let event = row.read(&mut of_event);
        all.insert((event.from, event.id.clone()), event);
    }
    Ok(all.into_values().collect())
}

/// An entered or changed event, read in the transaction.
///
/// # Errors
/// If the database fails.
pub async fn find(tx: &mut Tx<'_>, id: &str) -> Result<Option<Event>, DbError> {
    let Some(row) = tx.sql(EVENT).push(" where id = ").push_bind(id).optional::<Row>().await? else {
        return Ok(built_in(id));
    };
    let stores: Vec<(String, String)> =
        tx.sql(STORES).push(" where event_id = ").push_bind(id).push(" order by store_id").all().await?;
    let mut of_event = HashMap::from([(id.to_owned(), stores.into_iter().map(|it| it.1).collect())]);
    Ok(Some(row.read(&mut of_event)))
}

/// Writes an event, new (`seen` 0) or at the revision seen; `false` if that has changed.
///
/// # Errors
/// If the statement fails.
pub async fn put(tx: &mut Tx<'_>, event: &Event, seen: i64) -> Result<bool, DbError> {
    let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
    let rows = tx
        .sql(
            "insert into forecast_events (id, name, kind, from_day, to_day, all_stores, area_id, factor, revision,
               created_at, updated_at, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9, $10)
             on conflict (id) do update set name = excluded.name, from_day = excluded.from_day, to_day = excluded.to_day,
               kind = excluded.kind, all_stores = excluded.all_stores, area_id = excluded.area_id,
               factor = excluded.factor, revision = forecast_events.revision + 1, updated_at = excluded.updated_at,
               updated_by = excluded.updated_by
             where forecast_events.revision = $11",
        )
        .bind(&event.id)
        .bind(&event.name)
        .bind(&event.kind)
        .bind(event.from)
        .bind(event.to)
        .bind(event.store_ids.is_none() && event.area_id.is_none())
        .bind(&event.area_id)
        .bind(event.factor)
        .bind(at)
        .bind(by)
        .bind(seen)
        .execute()
        .await?;
    if rows == 0 {
        return Ok(false);
    }
    tx.sql("delete from forecast_event_stores where event_id = $1").bind(&event.id).execute().await?;
    let stores: Vec<(String, String)> =
        event.store_ids.iter().flatten().map(|store| (event.id.clone(), store.clone())).collect();
    tx.insert_rows("forecast_event_stores", &["event_id", "store_id"], stores, "").await?;
    Ok(true)
}

/// Deletes an entered event; a calendar day returns to its original state.
///
/// # Errors
/// If the statement fails.
pub async fn remove(tx: &mut Tx<'_>, id: &str) -> Result<(), DbError> {
    for text in
        ["delete from forecast_event_stores where event_id = $1", "delete from forecast_events where id = $1"]
    {
        tx.sql(text).bind(id).execute().await?;
    }
    Ok(())
}

/// The events of a run, by store.
#[derive(Debug, Default)]
pub struct Calendar {
    events: Vec<(Event, Option<BTreeSet<String>>)>,
    opening: OfStores,
}

impl Calendar {
    /// Reads the events of a span.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, span: Span) -> Result<Self, DbError> {
        Self::read_from(&mut Reader::Db(db), span).await
    }

    /// As [`read`](Self::read), outside or inside a transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read_from(on: &mut Reader<'_, '_>, span: Span) -> Result<Self, DbError> {
        let events = within_from(on, span).await?;
        let areas = if events.iter().any(|event| event.area_id.is_some()) {
            Some(Areas::read(on).await?)
        } else {
            None
        };
        let stores = |event: &Event| match (&event.store_ids, &event.area_id, &areas) {
            (Some(stores), ..) => Some(stores.iter().cloned().collect()),
            (None, Some(area), Some(areas)) => Some(areas.stores(area)),
            _ => None,
        };
        Ok(Self {
            events: events.into_iter().map(|event| (stores(&event), event)).map(|(s, e)| (e, s)).collect(),
            opening: OfStores::read_from(on, None).await?,
        })
    }

    /// The events of a store.
    pub fn of<'a>(&'a self, store: &'a str) -> impl Iterator<Item = &'a Event> + 'a {
        self.events
            .iter()
            .filter(move |(_, stores)| stores.as_ref().is_none_or(|stores| stores.contains(store)))
            .map(|(event, _)| event)
    }

    /// Whether a store is expected to be closed on a day: by its opening days, or by a closure.
    #[must_use]
    pub fn is_closed(&self, store: &str, day: BusinessDay) -> bool {
        self.opening.is_closed(store, day)
            || self.of(store).any(|it| it.kind == "closure" && (it.from..=it.to).contains(&day))
    }

    /// Event days of a store: a history from `first` on, and `horizon` days from `ahead` on. `learned`:
    /// whether the method uses events; closed days and set factors apply either way.
    #[must_use]
    pub fn days(
        &self,
        store: &str,
        first: BusinessDay,
        ahead: BusinessDay,
        horizon: usize,
        learned: bool,
    ) -> Days {
        let last = ahead.plus(i32::try_from(horizon).unwrap_or(0) - 1);
        let mut set = vec![None; horizon];
        let (mut holidays, mut promos) = (Vec::new(), Vec::new());
        let mut paydays = BTreeSet::new();
        for event in self.of(store) {
            let factor = match event.kind.as_str() {
                "closure" => Some(0.0),
                _ => event.factor.map(|factor| factor.0 as f64 / 1e9),
            };
            for day in event.from.0.max(first.0)..=event.to.0.min(last.0) {
                if let (Some(factor), Ok(at)) = (factor, usize::try_from(day - ahead.0)) {
                    let before = set[at];
                    // A closed day stays closed whatever else it is.
                    set[at] = Some(if before == Some(0.0) { 0.0 } else { factor });
                    continue;
                }
                match event.kind.as_str() {
                    "holiday" => holidays.push(day),
                    "promotion" => promos.push(day),
                    "payday" => {
                        paydays.insert(day);
                    }
                    _ => {}
                }
            }
        }
        let opening = self.opening.of(store);
        for (set, day) in set.iter_mut().zip(ahead.0..) {
            if opening.is_closed(BusinessDay(day)) {
                *set = Some(0.0);
            }
        }
        let is_set = |day: &i32| usize::try_from(day - ahead.0).is_ok_and(|at| set[at].is_some());
        holidays.retain(|day| !is_set(day));
        promos.retain(|day| !is_set(day));
        let days = usize::try_from(last.0 - first.0 + 1).unwrap_or(0);
        let events = learned.then(|| EventDays::new(first.0, days, &holidays, &promos, true));
        Days { events, set }
    }
}

/// Stores by area.
struct Areas {
    stores: Vec<(String, Option<String>, Option<String>)>,
    parents: HashMap<String, Option<String>>,
}

impl Areas {
    async fn read(on: &mut Reader<'_, '_>) -> Result<Self, DbError> {
        let stores = on.sql("select id, regional_area_id, operational_area_id from locations").all().await?;
        let parents: Vec<(String, Option<String>)> =
            on.sql("select id, parent_id from operational_areas").all().await?;
        Ok(Self { stores, parents: parents.into_iter().collect() })
    }

    fn is_below<'a>(&'a self, mut at: Option<&'a str>, area: &str) -> bool {
        // A depth limit that also ends cycles.
        for _ in 0..64 {
            match at {
                Some(id) if id == area => return true,
                Some(id) => at = self.parents.get(id).and_then(Option::as_deref),
                None => return false,
            }
        }
        false
    }

    /// The stores of an area; an operational area includes its descendants.
    fn stores(&self, area: &str) -> BTreeSet<String> {
        self.stores
            .iter()
            .filter(|(_, regional, operational)| {
                regional.as_deref() == Some(area) || self.is_below(operational.as_deref(), area)
            })
            .map(|(id, ..)| id.clone())
            .collect()
    }
}

/// The effect of a kind of day on sales, with its evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// Shrunk towards 1 if few days were seen.
    pub factor: f64,
    /// Number of days.
    pub days: usize,
    /// Net sales of a store on those days, summed, in pesos.
    pub actual: f64,
    /// Previous sales of the same weekdays, summed.
    pub base: f64,
}

/// The effect of paydays, holidays and promotions on net sales of an average store, over the last two years.
///
/// # Errors
/// If the database fails.
pub async fn evidence(db: &Db, today: BusinessDay) -> Result<HashMap<&'static str, Evidence>, DbError> {
    let span = Span { from: today.plus(-LEARNED_DAYS), to: today.plus(-1) };
    let rows: Vec<(BusinessDay, i64, i64)> = db
        .sql(concat!(
            "select business_date, cast(sum(net) as bigint), cast(count(distinct store_id) as bigint) from sales_days",
            " where business_date between $1 and $2 and lines > 0",
            sales_count!("sales_days"),
            " group by business_date order by business_date",
        ))
        .bind(span.from)
        .bind(span.to)
        .all()
        .await?;
    let Some((first, ..)) = rows.first() else { return Ok(HashMap::new()) };
    let days = usize::try_from(span.to.0 - first.0 + 1).unwrap_or(0);
    let (mut y, mut masked) = (vec![0.0; days], vec![true; days]);
    for (day, net, stores) in &rows {
        if let Some(at) = usize::try_from(day.0 - first.0).ok().filter(|at| *at < days) {
            (y[at], masked[at]) = (net.max(&0).to_owned() as f64 / 100.0 / *stores as f64, false);
        }
    }
    let known = Span { from: *first, to: span.to };
    let known: Vec<Event> = within(db, known).await?;
    let of = |kind: &str| -> Vec<i32> {
        known.iter().filter(|it| it.kind == kind).flat_map(|it| it.from.0..=it.to.0).collect()
    };
    let events = EventDays::new(first.0, days, &of("holiday"), &of("promotion"), true);
    let input = Input { masked: &masked, ..Input::new(&y, first.0) };
    let mut base = Vec::new();
    let factors = learn(&input, &events, &mut base);
    let mut found = HashMap::new();
    for (name, kind) in
        [("payday", Learned::Payday), ("holiday", Learned::Holiday), ("promotion", Learned::Promo)]
    {
        let taught = (7..days).filter(|t| !masked[*t] && events.on(first.0 + *t as i32) == Some(kind));
        let (count, actual, usual) =
            taught.fold((0, 0.0, 0.0), |(n, actual, usual), t| (n + 1, actual + y[t], usual + base[t]));
        if count > 0 {
            found.insert(name, Evidence { factor: factors.of(kind), days: count, actual, base: usual });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> BusinessDay {
        text.parse().expect("a day")
    }

    #[test]
    fn the_calendar_has_paydays_and_holidays_of_its_years() {
        let ids = |from: &str, to: &str| -> Vec<String> {
            calendar(Span { from: day(from), to: day(to) }).into_iter().map(|it| it.id).collect()
        };
        assert_eq!(ids("2026-12-24", "2026-12-25"), ["holiday-2026-12-24", "holiday-2026-12-25"]);
        assert_eq!(ids("2027-02-15", "2027-02-16"), ["payday-2027-02-15"]);
        assert_eq!(ids("2028-02-29", "2028-02-29"), ["payday-2028-02-29"]);
        assert_eq!(ids("2031-01-01", "2031-02-15"), [""; 0]);
        for year in YEARS {
            let (first, last) = (format!("{year}-01-01"), format!("{year}-12-31"));
            let all = ids(&first, &last);
            assert_eq!(all.iter().filter(|id| id.starts_with("payday")).count(), 24, "{year}");
            assert!(all.iter().filter(|id| id.starts_with("holiday")).count() >= 17, "{year}");
        }
        assert_eq!(built_in("payday-2026-01-15").map(|it| it.name).as_deref(), Some("Payday"));
        assert!(built_in("payday-2026-01-16").is_none() && built_in("x").is_none());
    }

    #[test]
    fn a_set_factor_replaces_the_learned_one_on_days_ahead() {
        let event = |id: &str, kind: &str, on: &str, factor: Option<i64>| {
            let base = calendar(Span { from: day("2026-01-15"), to: day("2026-01-15") }).remove(0);
            let event = Event {
                id: id.to_owned(),
                kind: kind.to_owned(),
                from: day(on),
                to: day(on),
                factor: factor.map(|it| Factor(it * 1_000_000)),
                ..base
            };
            (event, None)
        };
        let calendar = Calendar {
            events: vec![
                event("a", "holiday", "2026-03-03", Some(1_200)),
                event("b", "holiday", "2026-02-03", Some(1_500)),
                event("c", "closure", "2026-03-05", None),
                event("d", "promotion", "2026-03-05", Some(2_000)),
                event("e", "promotion", "2026-03-06", None),
            ],
            opening: OfStores::default(),
        };
        let days = calendar.days("s", day("2026-01-01"), day("2026-03-03"), 5, true);
        assert_eq!(days.set, [Some(1.2), None, Some(0.0), None, None]);
        let events = days.events.expect("learned");
        let on = |text| events.on(day(text).0);
        assert_eq!((on("2026-03-03"), on("2026-02-03")), (None, Some(Learned::Holiday)));
        assert_eq!((on("2026-03-05"), on("2026-03-06")), (None, Some(Learned::Promo)));
    }
}
