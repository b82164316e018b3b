//! Payments of store days, compared: for every page that shows or counts how money got from the till to the bank.
//!
//! Where a reading covers several days, they are compared together on the last of them.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, Reader};
use larder_domain::tender::{Figures, KINDS, Kind, Pair, PairKind, Terms, missing, pairs, read_later};
use larder_domain::{BusinessDay, Money, Span};

use super::{Cell, Cells, Key, StoreDay, Types, gather, more};
use crate::cash::settlements::key_of;
use crate::completeness::{Completeness, Day};
use crate::sales_settings;
use crate::verified_readings::covered;
use larder_platform::http::ApiResult;

/// Payments of a kind on a store day, compared.
#[derive(Debug)]
pub struct Line {
    pub cell: Cell,
    /// The first of the days that are compared together here.
    pub from: BusinessDay,
    pub pairs: Vec<Pair>,
    /// What is not in the bank yet; of all days of a reading on the last of them.
    pub missing: Option<Money>,
    /// Whether it is missing for longer than usual.
    pub late: bool,
    /// Tills about whose reading nothing is left to do, and all that must have one.
    pub readings: (usize, usize),
}

impl Line {
    /// Whether nothing was declared of what is compared here; of a day that a later day's reading covers, nothing is.
    #[must_use]
    pub fn is_undeclared(&self) -> bool {
        let pair = self.pairs.iter().find(|pair| pair.kind == PairKind::ReadingDeclared);
        pair.is_some_and(|pair| pair.on.is_none() && pair.right.is_none())
    }
}

/// What is known of all payments of a store day.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// The tills that declared; an empty one is the whole store.
    pub drawers: BTreeSet<String>,
    /// Whether sources that count say how their sales were paid.
    pub has_payments: bool,
    /// Payments of sources that count, and those of them by delivery apps.
    pub paid: Money,
    pub paid_by_apps: Money,
    /// Whether all verified readings say how their sales were paid; `None` without any.
    pub has_read_tenders: Option<bool>,
}

impl Facts {
    /// Notes whether a verified reading says how its sales were paid.
    pub fn read(&mut self, tells: bool) {
        self.has_read_tenders = Some(self.has_read_tenders.unwrap_or(true) && tells);
    }

    /// Adds those of another day of the same reading.
    fn add(&mut self, more: &Self) {
        self.has_payments |= more.has_payments;
        self.paid = Money(self.paid.0.saturating_add(more.paid.0));
        self.paid_by_apps = Money(self.paid_by_apps.0.saturating_add(more.paid_by_apps.0));
        if let Some(tells) = more.has_read_tenders {
            self.read(tells);
        }
    }

    /// Drawers declared and drawers there are, if one of several lacks.
    fn lacking_drawers(&self, day: &Day) -> Option<(usize, usize)> {
        let declared: BTreeSet<String> = self.drawers.iter().map(|till| key_of(till)).collect();
        if declared.is_empty() || declared.contains("") {
            return None;
        }
        let tills: BTreeSet<String> =
            day.tills.iter().map(|till| key_of(&till.terminal_id)).filter(|till| !till.is_empty()).collect();
        let have = tills.intersection(&declared).count();
        (have < tills.len()).then_some((have, tills.len()))
    }
}

/// Payments of some stores and days: those known, and cash of each day that is over and must have a reading.
///
/// # Errors
/// If the database fails, or a sum overflows.
pub async fn days(
    db: &Db,
    types: &Types,
    ids: &[String],
    span: Span,
    today: BusinessDay,
) -> ApiResult<BTreeMap<Key, Line>> {
    let reach = covered::reach(&mut Reader::Db(db), ids, span).await?;
    let known = Completeness::read(db, ids, reach, today).await?;
    let tolerance = sales_settings::read(db).await?.tolerance;
    let of_apps = |store: &str, day: BusinessDay, source: &str| known.day(store, day).apps.contains(source);
    let (mut cells, facts) = gather(db, types, (ids, reach), &of_apps).await?;
    let mut groups: BTreeMap<StoreDay, Span> = BTreeMap::new();
    for store in ids {
        let due = known.days(store).filter(|(_, day)| day.over && !day.tills.is_empty());
        for (day, _) in due {
            cells.entry((store.clone(), day, Kind::Cash)).or_default();
        }
        for group in of_one_reading(&known, store) {
            groups.extend(group.each().map(|day| ((store.clone(), day), group)));
            if group.to <= reach.to {
                add_last(&mut cells, store, group);
            }
        }
    }
    let alone = |day: BusinessDay| Span { from: day, to: day };
    let mut compared = BTreeMap::new();
    for (key, cell) in cells.iter().filter(|((_, day, _), _)| *day >= span.from) {
        let (store, date, kind) = key;
        let group = groups.get(&(store.clone(), *date)).copied().unwrap_or_else(|| alone(*date));
        if *date < group.to {
            compared.insert(key.clone(), (*date, read_later(*kind, &cell.figures, group.to), None));
            continue;
        }
        let together = Together::of((&cells, &facts, &known), (store, *kind), group)?;
        let terms = together.terms(tolerance, types.is_late(*kind, *date, today));
        let missing = missing(*kind, &together.figures, &terms);
        compared.insert(key.clone(), (group.from, pairs(*kind, &together.compared(), &terms), missing));
    }
    let line = |(key, (from, pairs, missing)): (Key, (BusinessDay, Vec<Pair>, Option<Money>))| {
        let (store, date, kind) = &key;
        let late = missing.is_some() && types.is_late(*kind, *date, today);
        let readings = known.day(store, *date).counts();
        let cell = cells.remove(&key).unwrap_or_default();
        (key, Line { cell, from, pairs, missing, late, readings })
    };
    Ok(compared.into_iter().map(line).collect())
}

/// Days of a store that readings cover together, each group with the days of readings that overlap. The last day of the
/// last one may come after the days known.
fn of_one_reading(known: &Completeness, store: &str) -> Vec<Span> {
    let mut groups: Vec<Span> = Vec::new();
    for (date, day) in known.days(store) {
        let until = day.read_until(date);
        match groups.last_mut() {
            Some(last) if date <= last.to => last.to = last.to.max(until),
            _ if until > date => groups.push(Span { from: date, to: until }),
            _ => {}
        }
    }
    groups
}

/// Adds what the days before the last of a group were paid with to the last, where they are compared.
fn add_last(cells: &mut Cells, store: &str, group: Span) {
    for kind in KINDS {
        let key = |day| (store.to_owned(), day, kind);
        if group.each().any(|day| cells.contains_key(&key(day))) {
            cells.entry(key(group.to)).or_default();
        }
    }
}

/// The payments of a kind on the days of one reading, usually one day.
struct Together<'a> {
    figures: Figures,
    apps: Money,
    facts: Facts,
    drawers: Option<(usize, usize)>,
    days: Vec<&'a Day>,
}

impl<'a> Together<'a> {
    fn of(
        (cells, facts, known): (&Cells, &BTreeMap<StoreDay, Facts>, &'a Completeness),
        (store, kind): (&str, Kind),
        group: Span,
    ) -> ApiResult<Self> {
        let mut together = Self {
            figures: Figures::default(),
            apps: Money(0),
            facts: Facts::default(),
            drawers: None,
            days: Vec::new(),
        };
        for date in group.each() {
            let day = known.day(store, date);
            together.days.push(day);
            if let Some(cell) = cells.get(&(store.to_owned(), date, kind)) {
                add(&mut together.figures, &cell.figures)?;
                together.apps = Money(together.apps.0.saturating_add(cell.apps.0));
            }
            if let Some(of_day) = facts.get(&(store.to_owned(), date)) {
                together.drawers = together.drawers.or_else(|| of_day.lacking_drawers(day));
                together.facts.add(of_day);
            }
        }
        Ok(together)
    }

    fn terms(&self, tolerance: Money, due: bool) -> Terms {
        let days = || self.days.iter();
        Terms {
            tolerance,
            readings: days().find(|day| day.lacks_readings()).map(|day| day.counts()),
            read_alone: days().all(|day| day.is_read()),
            payments: self.lacking_payments().filter(|(have, of)| of.0.saturating_sub(have.0) > tolerance.0),
            apps: self.apps,
            drawers: self.drawers,
            sold: days().any(|day| day.sold.is_some()) && !days().any(|day| day.lacks_sales()),
            over: days().all(|day| day.over),
            due,
        }
    }

    /// The figures that are compared: 0 where a file or reading names other tenders only.
    fn compared(&self) -> Figures {
        let Figures { pos, z, .. } = self.figures;
        Figures {
            pos: pos.or_else(|| self.facts.has_payments.then_some(Money(0))),
            z: match self.facts.has_read_tenders {
                Some(true) => Some(z.unwrap_or_default()),
                Some(false) => None,
                None => z,
            },
            ..self.figures
        }
    }

    /// The payments and the sales that they are of: with delivery apps or without, whichever are nearer. A source may have
    /// the sales of apps and not say how they were paid.
    fn lacking_payments(&self) -> Option<(Money, Money)> {
        let sum = |of: fn(&Day) -> Option<Money>| {
            Money(self.days.iter().filter_map(|day| of(day)).fold(0, |sum, net| sum.saturating_add(net.0)))
        };
        let Facts { paid, paid_by_apps, has_payments, .. } = self.facts;
        let read = Money(paid.0.saturating_sub(paid_by_apps.0));
        let found = [(paid, sum(|day| day.sold)), (read, sum(|day| day.printed))];
        found.into_iter().filter(|_| has_payments).min_by_key(|(have, of)| of.0.saturating_sub(have.0))
    }
}

fn add(to: &mut Figures, figures: &Figures) -> ApiResult<()> {
    let Figures { pos, z, declared, deposited, settled, fee } = *figures;
    let sums = [
        (&mut to.pos, pos),
        (&mut to.z, z),
        (&mut to.declared, declared),
        (&mut to.deposited, deposited),
        (&mut to.settled, settled),
        (&mut to.fee, fee),
    ];
    for (sum, amount) in sums {
        if let Some(amount) = amount {
            more(sum, amount)?;
        }
    }
    Ok(())
}

/// Money of a store day and kind that should be in the bank and is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    pub store_id: String,
    pub day: BusinessDay,
    pub kind: Kind,
    pub missing: Money,
}

/// What is late of some stores and days, by store, day and kind: the late ones of [`days`].
///
/// # Errors
/// As [`days`].
pub async fn late(
    db: &Db,
    types: &Types,
    (ids, span): (&[String], Span),
    today: BusinessDay,
) -> ApiResult<Vec<Late>> {
    let late = days(db, types, ids, span, today).await?.into_iter().filter(|(_, line)| line.late);
    let late = late.filter_map(|((store_id, day, kind), line)| {
        Some(Late { store_id, day, kind, missing: line.missing? })
    });
    Ok(late.collect())
}
