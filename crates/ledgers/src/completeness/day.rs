//! A store's day, its tills, and what it lacks.

use std::collections::BTreeSet;
use std::sync::Arc;

use larder_domain::till_expectations::Why;
use larder_domain::{BusinessDay, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Absence;

/// How far a till's reading of a day is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TillState {
    /// Verified or reconciled.
    Verified,
    /// Captured, or in review.
    Waiting,
    Disputed,
    Missing,
    /// A user recorded that no reading exists.
    Absent,
}

/// The worst state of a day's tills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DayState {
    Disputed,
    /// A reading is missing, or the day is marked as closed although it has sales or readings.
    Missing,
    Waiting,
    Verified,
    /// Nothing is expected of an open day.
    None,
    /// The store is closed and nothing is expected.
    Closed,
    /// The day is not over, and a reading may still come in.
    NotDue,
}

impl DayState {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Disputed => "disputed",
            Self::Missing => "missing",
            Self::Waiting => "waiting",
            Self::Verified => "verified",
            Self::None => "none",
            Self::Closed => "closed",
            Self::NotDue => "notDue",
        }
    }
}

/// A reading of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub id: String,
    pub revision: i64,
    pub state: TillState,
    /// Net sales; none until they are read.
    pub net: Option<Money>,
    /// The day it is of, which is a later one if it covers several.
    pub on: BusinessDay,
    /// Whether it is of a later day and covers this one.
    pub covers: bool,
    /// Whether it covers no other day.
    pub alone: bool,
}

/// A till that must have a reading on a day.
#[derive(Debug, Clone)]
pub struct Till {
    /// Empty if a reading is due and no till is known.
    pub terminal_id: Arc<str>,
    pub why: Why,
    pub state: TillState,
    /// Whether its readings skip a counter at this day, without a day between that could have it.
    pub skipped: bool,
    /// Whether its absence is of a reading before the one that it has.
    pub excused: bool,
    pub readings: Vec<Held>,
    /// The record that no reading exists. It may be outdated: see [`Till::absent`].
    pub absence: Option<Arc<Absence>>,
}

impl Till {
    /// Whether nothing is left to do about it.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        matches!(self.state, TillState::Verified | TillState::Absent)
    }

    /// The record that no reading exists, as long as none is in: of the day, or of one before the day's own.
    #[must_use]
    pub fn absent(&self) -> Option<&Absence> {
        self.absence.as_deref().filter(|_| self.excused || self.state == TillState::Absent)
    }

    /// The later day whose reading covers this one.
    #[must_use]
    pub fn covered_on(&self, day: BusinessDay) -> Option<BusinessDay> {
        self.readings.iter().map(|one| one.on).filter(|on| *on != day).max()
    }

    /// What it lacks: «Till 02 has no Z-reading.»
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        let till = if self.terminal_id.is_empty() {
            "A till without a name".to_owned()
        } else {
            format!("Till {}", self.terminal_id)
        };
        match self.state {
            TillState::Verified | TillState::Absent => None,
            TillState::Waiting => Some(format!("{till} has a Z-reading that is not verified.")),
            TillState::Disputed => Some(format!("{till} has a Z-reading that is disputed.")),
            TillState::Missing if self.skipped => Some(format!("{till} skips a Z-reading before this one.")),
            TillState::Missing if self.terminal_id.is_empty() => {
                Some("No Z-reading is in, and no till is known.".to_owned())
            }
            TillState::Missing => Some(format!("{till} has no Z-reading.")),
        }
    }
}

/// A store's day.
#[derive(Debug, Clone, Default)]
pub struct Day {
    /// The tills that must have a reading, by name.
    pub tills: Vec<Till>,
    /// Whether the store is open.
    pub open: bool,
    /// Whether the store has started by then.
    pub started: bool,
    /// Whether the day is over.
    pub over: bool,
    /// Whether the monthly report marks it as closed.
    pub marked_closed: bool,
    /// Net sales of the sources that count, if there are any.
    pub sold: Option<Money>,
    /// Of these, sales of tills that print readings, if there are any.
    pub printed: Option<Money>,
    /// Sources all of whose tills print no readings: delivery apps.
    pub apps: BTreeSet<String>,
}

impl Day {
    /// Whether it is marked as closed although something was sold or read. A later day's reading may cover a closed one.
    #[must_use]
    pub fn is_contradicted(&self) -> bool {
        self.marked_closed && (self.sold.is_some() || self.own().next().is_some())
    }

    /// Its own readings.
    pub fn own(&self) -> impl Iterator<Item = &Held> {
        self.held().filter(|one| !one.covers)
    }

    /// Its own verified readings, each with its revision.
    #[must_use]
    pub fn verified(&self) -> BTreeSet<(String, i64)> {
        let verified = self.own().filter(|one| one.state == TillState::Verified);
        verified.map(|one| (one.id.clone(), one.revision)).collect()
    }

    /// Whether something was sold, and it is recorded that a till has no reading.
    #[must_use]
    pub fn sold_without_reading(&self) -> bool {
        self.sold.is_some() && self.tills.iter().any(|till| till.state == TillState::Absent)
    }

    /// Whether an expected till has no verified reading, unless it is recorded that none exists. An open day that is
    /// not over lacks one until one is in.
    #[must_use]
    pub fn lacks_readings(&self) -> bool {
        let not_yet = !self.over && self.open && self.tills.is_empty();
        not_yet || !self.tills.iter().all(Till::is_settled)
    }

    /// Whether it lacks no reading, and nothing contradicts a mark as closed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.lacks_readings() && !self.is_contradicted()
    }

    /// Whether its readings cover no other day, and there is one of each till.
    #[must_use]
    pub fn is_read_alone(&self) -> bool {
        self.is_read() && self.held().all(|one| one.alone)
    }

    /// Whether each of its tills has a verified reading, of it or of a later day that covers it.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.tills.iter().all(|till| till.state == TillState::Verified)
    }

    /// The last day that a reading of it is of; its own without readings.
    #[must_use]
    pub fn read_until(&self, day: BusinessDay) -> BusinessDay {
        self.held().map(|one| one.on).max().unwrap_or(day).max(day)
    }

    /// The later day whose reading covers it, if it has none of its own.
    #[must_use]
    pub fn read_later(&self, day: BusinessDay) -> Option<BusinessDay> {
        Some(self.read_until(day)).filter(|on| *on > day && self.own().next().is_none())
    }

    /// The number of expected tills about which nothing is left to do, and of all of them.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.tills.iter().filter(|till| till.is_settled()).count(), self.tills.len())
    }

    /// Its readings less the sales of their tills, if it lacks neither.
    #[must_use]
    pub fn apart(&self) -> Option<Money> {
        let printed = self.printed.filter(|_| !self.tills.is_empty() && self.is_read_alone())?;
        let mut read = Money(0);
        for one in self.own() {
            read = read.checked_add(one.net?)?;
        }
        read.checked_sub(printed)
    }

    /// The number of tills without a reading, once the day is over.
    #[must_use]
    pub fn missing(&self) -> i64 {
        let missing = self.tills.iter().filter(|till| self.over && till.state == TillState::Missing);
        i64::try_from(missing.count()).unwrap_or(i64::MAX)
    }

    /// Whether the store was open on a day that is over, and no sales are in.
    #[must_use]
    pub fn lacks_sales(&self) -> bool {
        self.over && self.open && self.sold.is_none()
    }

    /// Its readings, including those of later days that cover it.
    pub fn held(&self) -> impl Iterator<Item = &Held> {
        self.tills.iter().flat_map(|till| &till.readings)
    }

    /// The number of its own readings that are not verified.
    #[must_use]
    pub fn waiting(&self, day: BusinessDay) -> i64 {
        let waits = self.held().filter(|one| one.on == day && one.state != TillState::Verified);
        i64::try_from(waits.count()).unwrap_or(i64::MAX)
    }

    /// The worst state of its tills.
    #[must_use]
    pub fn state(&self) -> DayState {
        let any = |state| self.tills.iter().any(|till| till.state == state);
        match () {
            () if any(TillState::Disputed) => DayState::Disputed,
            () if self.is_contradicted() || (self.over && any(TillState::Missing)) => DayState::Missing,
            () if any(TillState::Waiting) => DayState::Waiting,
            () if any(TillState::Missing) => DayState::NotDue,
            () if !self.tills.is_empty() => DayState::Verified,
            () if !self.open && self.started => DayState::Closed,
            () if !self.over && self.open => DayState::NotDue,
            () => DayState::None,
        }
    }

    /// What it lacks, till by till: «Till 02 has no Z-reading.»
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        if self.is_contradicted() {
            reasons.push(match self.sold {
                Some(sold) => format!("The day is marked as closed, but {} was sold.", sold.pesos()),
                None => "The day is marked as closed, but it has a Z-reading.".to_owned(),
            });
        }
        reasons.extend(self.tills.iter().filter_map(Till::reason));
        reasons
    }

    /// As a response.
    #[must_use]
    pub fn wire(&self, day: BusinessDay) -> DayTills {
        let (settled, expected) = self.counts();
        let till = |one: &Till| TillOfDay {
            terminal_id: one.terminal_id.to_string(),
            why: one.why,
            state: one.state,
            readings: one.readings.iter().map(|held| held.id.clone()).collect(),
            covered_on: one.covered_on(day),
            absence: one.absence.as_deref().cloned(),
        };
        DayTills {
            settled: i64::try_from(settled).unwrap_or(i64::MAX),
            expected: i64::try_from(expected).unwrap_or(i64::MAX),
            complete: self.is_complete(),
            state: self.state(),
            tills: self.tills.iter().map(till).collect(),
            reasons: self.reasons(),
        }
    }
}

/// The tills that must have a reading on a day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayTills {
    /// Tills with verified readings, or of which it is recorded that none exists.
    pub settled: i64,
    /// Tills that must have a reading.
    pub expected: i64,
    /// Whether nothing is left to do.
    pub complete: bool,
    pub state: DayState,
    pub tills: Vec<TillOfDay>,
    /// What it lacks: «Till 02 has no Z-reading.»
    pub reasons: Vec<String>,
}

/// A till that must have a reading on a day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TillOfDay {
    /// Empty if a reading is due and no till is known.
    pub terminal_id: String,
    pub why: Why,
    pub state: TillState,
    /// Ids of its readings.
    pub readings: Vec<String>,
    /// The later day whose reading covers this one.
    pub covered_on: Option<BusinessDay>,
    /// The record that no reading exists.
    pub absence: Option<Absence>,
}
