//! Payments of store days, compared: for every page that shows or counts how money got from the till to the bank.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::Db;
use larder_domain::tender::{Figures, Kind, Pair, Terms, pairs};
use larder_domain::{BusinessDay, Money, Span};

use super::{Cell, Key, Types, gather};
use crate::cash::settlements::key_of;
use crate::completeness::{Completeness, Day};
use crate::sales_settings;
use larder_platform::http::ApiResult;

/// Payments of a kind on a store day, compared.
#[derive(Debug)]
pub struct Line {
    pub cell: Cell,
    pub pairs: Vec<Pair>,
    /// What is not in the bank yet.
    pub missing: Option<Money>,
    /// Whether it is missing for longer than usual.
    pub late: bool,
    /// Tills about whose reading nothing is left to do, and all that must have one.
    pub readings: (usize, usize),
}

/// What is known of all payments of a store day.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The tills that declared; an empty one is the whole store.
    pub drawers: BTreeSet<String>,
    /// Whether sources that count say how their sales were paid.
    pub has_payments: bool,
    /// Whether all verified readings say how their sales were paid; `None` without any.
    pub has_read_tenders: Option<bool>,
}

impl Facts {
    /// Notes whether a verified reading says how its sales were paid.
    pub fn read(&mut self, tells: bool) {
        self.has_read_tenders = Some(self.has_read_tenders.unwrap_or(true) && tells);
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
    let known = Completeness::read(db, ids, span, today).await?;
    let tolerance = sales_settings::read(db).await?.tolerance;
    let of_apps = |store: &str, day: BusinessDay, source: &str| known.day(store, day).apps.contains(source);
    let (mut cells, facts) = gather(db, types, (ids, span), &of_apps).await?;
    for store in ids {
        let due = known.days(store).filter(|(_, day)| day.over && !day.tills.is_empty());
        for (day, _) in due {
            cells.entry((store.clone(), day, Kind::Cash)).or_default();
        }
    }
    let nothing = Facts::default();
    let lines = cells.into_iter().map(|(key, cell)| {
        let (store, date, kind) = &key;
        let (day, of_day) = (known.day(store, *date), facts.get(&(store.clone(), *date)).unwrap_or(&nothing));
        let terms = Terms {
            tolerance,
            readings: day.lacks_readings().then(|| day.counts()),
            read_alone: day.is_read_alone(),
            apps: cell.apps,
            drawers: of_day.lacking_drawers(day),
            sold: day.sold.is_some(),
            over: day.over,
            due: types.is_late(*kind, *date, today),
        };
        let pairs = pairs(*kind, &compared(&cell.figures, of_day), &terms);
        let (missing, late) = missing(types, &cell, (*kind, *date), today);
        (key, Line { cell, pairs, missing, late, readings: day.counts() })
    });
    Ok(lines.collect())
}

/// The figures of a cell that are compared: 0 where a file or reading names other tenders only.
fn compared(figures: &Figures, facts: &Facts) -> Figures {
    Figures {
        pos: figures.pos.or_else(|| facts.has_payments.then_some(Money(0))),
        z: match facts.has_read_tenders {
            Some(true) => Some(figures.z.unwrap_or_default()),
            Some(false) => None,
            None => figures.z,
        },
        ..*figures
    }
}

/// Money of a store day and kind that should be in the bank and is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    pub store_id: String,
    pub day: BusinessDay,
    pub kind: Kind,
    pub missing: Money,
}

/// What is late of some stores and days, by store, day and kind: the late ones of [`days`], without comparisons.
///
/// # Errors
/// As [`days`].
pub async fn late(
    db: &Db,
    types: &Types,
    (ids, span): (&[String], Span),
    today: BusinessDay,
) -> ApiResult<Vec<Late>> {
    let (cells, _) = gather(db, types, (ids, span), &|_, _, _| false).await?;
    let late = cells.into_iter().filter_map(|((store_id, day, kind), cell)| {
        let (missing, late) = missing(types, &cell, (kind, day), today);
        let missing = missing.filter(|_| late)?;
        Some(Late { store_id, day, kind, missing })
    });
    Ok(late.collect())
}

/// What is not in the bank, and whether for longer than usual.
fn missing(
    types: &Types,
    cell: &Cell,
    (kind, day): (Kind, BusinessDay),
    today: BusinessDay,
) -> (Option<Money>, bool) {
    let missing = cell.figures.missing(kind);
    (missing, missing.is_some() && types.is_late(kind, day, today))
}
