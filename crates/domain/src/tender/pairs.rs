//! How a day was paid, compared pair by pair: sales file–reading, reading–declared, declared–deposited or
//! declared–settled.

use super::{Figures, Kind};
use crate::{BusinessDay, Money};

/// Which figures a pair compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairKind {
    FileReading,
    ReadingDeclared,
    /// Cash only.
    DeclaredDeposited,
    /// Money from acquirers, before their fee.
    DeclaredSettled,
}

impl PairKind {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FileReading => "fileReading",
            Self::ReadingDeclared => "readingDeclared",
            Self::DeclaredDeposited => "declaredDeposited",
            Self::DeclaredSettled => "declaredSettled",
        }
    }

    /// Its display name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::FileReading => "File–reading",
            Self::ReadingDeclared => "Reading–declared",
            Self::DeclaredDeposited => "Declared–deposited",
            Self::DeclaredSettled => "Declared–settled",
        }
    }

    /// What is said if its right figure, or the file, is due and not there.
    const fn missing(self) -> &'static str {
        match self {
            Self::FileReading => "No sales file",
            Self::ReadingDeclared => "Not declared",
            Self::DeclaredDeposited => "Not deposited",
            Self::DeclaredSettled => "Not settled",
        }
    }
}

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairState {
    Agrees,
    /// By more than the tolerance.
    Differs,
    /// Not due yet.
    Pending,
    /// One of the figures is of some of the day's tills only, or the file does not say how all of its sales were paid.
    Incomplete,
    /// One of the figures is due and not there.
    Missing,
    /// A later day's reading covers the day: it is compared there.
    ReadLater,
    /// One of the figures cannot be known.
    Unknown,
}

/// From the one that is stated first for a whole row to the last.
const PRECEDENCE: [PairState; 7] = [
    PairState::Differs,
    PairState::Incomplete,
    PairState::Missing,
    PairState::Pending,
    PairState::ReadLater,
    PairState::Agrees,
    PairState::Unknown,
];

impl PairState {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Pending => "pending",
            Self::Incomplete => "incomplete",
            Self::Missing => "missing",
            Self::ReadLater => "readLater",
            Self::Unknown => "unknown",
        }
    }
}

/// What stands in for a declaration that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    Reading,
    File,
}

impl Base {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::File => "file",
        }
    }
}

/// Of what a figure is, and of what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Readings(usize, usize),
    Drawers(usize, usize),
    /// Sales of which the file says how they were paid, and all of them.
    Payments(Money, Money),
}

/// Two figures, compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    pub kind: PairKind,
    pub state: PairState,
    pub left: Option<Money>,
    pub right: Option<Money>,
    /// The right figure less the left one, if they were compared.
    pub by: Option<Money>,
    /// What `left` is instead of a declaration.
    pub base: Option<Base>,
    /// What is there of an incomplete one.
    pub part: Option<Part>,
    /// The later day where it is compared.
    pub on: Option<BusinessDay>,
}

impl Pair {
    const fn of(kind: PairKind, state: PairState, (left, right): (Option<Money>, Option<Money>)) -> Self {
        Self { kind, state, left, right, by: None, base: None, part: None, on: None }
    }

    /// «Reading–declared −₱20.00», «1 of 2 readings», «Payments of ₱500.00 of ₱900.00», «Not deposited».
    #[must_use]
    pub fn words(&self) -> String {
        match (self.state, self.part) {
            (PairState::Agrees, _) => "Agrees".to_owned(),
            (PairState::Differs, _) => {
                format!("{} {}", self.kind.title(), self.by.unwrap_or_default().pesos())
            }
            (PairState::Pending, _) => "Pending".to_owned(),
            (PairState::Incomplete, Some(Part::Readings(have, of))) => {
                format!("{have} of {}", crate::plural(of, "reading", "readings"))
            }
            (PairState::Incomplete, Some(Part::Drawers(have, of))) => {
                format!("{have} of {}", crate::plural(of, "drawer", "drawers"))
            }
            (PairState::Incomplete, Some(Part::Payments(have, of))) => {
                format!("Payments of {} of {}", have.pesos(), of.pesos())
            }
            (PairState::Incomplete, None) => "Incomplete".to_owned(),
            (PairState::Missing, _) => self.kind.missing().to_owned(),
            (PairState::ReadLater, _) => self.on.map_or_else(
                || "In a later reading".to_owned(),
                |on| format!("In the reading of {}", on.display()),
            ),
            (PairState::Unknown, _) => "Not known".to_owned(),
        }
    }
}

/// What is known of the day, or of the days of one reading, besides its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The largest difference that is none.
    pub tolerance: Money,
    /// Tills about whose reading nothing is left to do, and all that must have one; `None` if no reading lacks.
    pub readings: Option<(usize, usize)>,
    /// Whether readings are of these days alone, and of all their tills.
    pub read_alone: bool,
    /// The sales of which the file says how they were paid, and all of them, if it does not say it of all.
    pub payments: Option<(Money, Money)>,
    /// The part of the file's sales that delivery apps took, which no till reads.
    pub apps: Money,
    /// Drawers declared, and drawers there are; `None` if no declaration lacks.
    pub drawers: Option<(usize, usize)>,
    /// Whether all sales are in.
    pub sold: bool,
    /// Whether the day is over.
    pub over: bool,
    /// Whether the money should be in the bank.
    pub due: bool,
}

/// What is still to reach the bank: cash declared (or expected) and not deposited, cards and e-wallets not settled. What is
/// expected is what [`pairs`] compare with the bank without a declaration. Vouchers and accounts are not paid in.
#[must_use]
pub fn missing(kind: Kind, figures: &Figures, terms: &Terms) -> Option<Money> {
    let read = || figures.z.map(|reading| with_apps(reading, terms));
    let expected = || expected(figures, terms).map(|(whole, _)| whole).or_else(read);
    let (whole, came) = match kind {
        Kind::Cash => (figures.declared.or_else(expected)?, figures.deposited),
        Kind::Card | Kind::EWallet => {
            (expected().or(figures.declared)?, figures.settled.or(figures.deposited))
        }
        Kind::Voucher | Kind::OnAccount => return None,
    };
    let left = whole.0.saturating_sub(came.unwrap_or_default().0);
    (left > 0).then_some(Money(left))
}

/// The comparisons of a day that a later day's reading covers: they are made there.
#[must_use]
pub fn read_later(kind: Kind, figures: &Figures, on: BusinessDay) -> Vec<Pair> {
    let pair = |kind, sides| Pair { on: Some(on), ..Pair::of(kind, PairState::ReadLater, sides) };
    let mut pairs = vec![
        pair(PairKind::FileReading, (figures.pos, figures.z)),
        pair(PairKind::ReadingDeclared, (figures.z, figures.declared)),
    ];
    let banked = match kind {
        Kind::Cash => Some((PairKind::DeclaredDeposited, figures.deposited)),
        Kind::Card | Kind::EWallet => Some((PairKind::DeclaredSettled, figures.settled)),
        Kind::Voucher | Kind::OnAccount => {
            figures.settled.is_some().then_some((PairKind::DeclaredSettled, figures.settled))
        }
    };
    pairs.extend(banked.map(|(kind, came)| pair(kind, (figures.declared, came))));
    pairs
}

/// The comparisons of a store's day and kind of tender, from the till to the bank; where a reading covers several days,
/// of all of them. Only cards and e-wallets must be settled; vouchers and accounts are compared if they were.
#[must_use]
pub fn pairs(kind: Kind, figures: &Figures, terms: &Terms) -> Vec<Pair> {
    let mut pairs = vec![file_reading(figures, terms), reading_declared(kind, figures, terms)];
    match kind {
        Kind::Cash => pairs.push(banked(PairKind::DeclaredDeposited, figures.deposited, figures, terms)),
        Kind::Card | Kind::EWallet => {
            pairs.push(banked(PairKind::DeclaredSettled, figures.settled, figures, terms));
        }
        Kind::Voucher | Kind::OnAccount if figures.settled.is_some() => {
            pairs.push(banked(PairKind::DeclaredSettled, figures.settled, figures, terms));
        }
        Kind::Voucher | Kind::OnAccount => {}
    }
    pairs
}

/// The state of a row, and what is said of it: of its pairs' states the one to act on first.
#[must_use]
pub fn summary(pairs: &[Pair]) -> (PairState, String) {
    let state = PRECEDENCE.into_iter().find(|state| pairs.iter().any(|pair| pair.state == *state));
    let state = state.unwrap_or(PairState::Unknown);
    let mut said: Vec<String> = Vec::new();
    for words in pairs.iter().filter(|pair| pair.state == state).map(Pair::words) {
        if !said.contains(&words) {
            said.push(words);
        }
    }
    (state, said.join(", "))
}

/// The difference of the last pair that was compared: how far the money that came is from what was stated before.
#[must_use]
pub fn last_difference(pairs: &[Pair]) -> Option<Money> {
    pairs.iter().rev().find_map(|pair| pair.by)
}

fn file_reading(figures: &Figures, terms: &Terms) -> Pair {
    let file = figures.pos.map(|file| Money(file.0.saturating_sub(terms.apps.0)));
    let sides = (file, figures.z);
    let of = |state| Pair::of(PairKind::FileReading, state, sides);
    match sides {
        _ if terms.readings.is_some() => lacking(of(PairState::Incomplete), terms),
        _ if !terms.read_alone => of(PairState::Unknown),
        (Some(file), Some(reading)) => {
            let pair = compared(of(PairState::Agrees), file, reading, terms);
            match pair.state {
                // Sales of one of the days are not in yet.
                PairState::Differs if !terms.sold => {
                    of(if terms.over { PairState::Missing } else { PairState::Pending })
                }
                PairState::Differs if terms.payments.is_some() => unpaid(of(PairState::Incomplete), terms),
                _ => pair,
            }
        }
        (None, Some(_)) if !terms.sold => {
            of(if terms.over { PairState::Missing } else { PairState::Pending })
        }
        _ => of(PairState::Unknown),
    }
}

fn reading_declared(kind: Kind, figures: &Figures, terms: &Terms) -> Pair {
    let sides = (figures.z, figures.declared);
    let of = |state| Pair::of(PairKind::ReadingDeclared, state, sides);
    match sides {
        _ if terms.readings.is_some() => lacking(of(PairState::Incomplete), terms),
        (_, None) if kind != Kind::Cash => of(PairState::Unknown),
        (_, None) => of(if terms.over { PairState::Missing } else { PairState::Pending }),
        (_, Some(_)) if terms.drawers.is_some() => undeclared(of(PairState::Incomplete), terms),
        _ if !terms.read_alone => of(PairState::Unknown),
        (Some(reading), Some(declared)) => compared(of(PairState::Agrees), reading, declared, terms),
        (None, Some(_)) => of(PairState::Unknown),
    }
}

/// What was declared, or stands in for it, and what came of it.
fn banked(kind: PairKind, came: Option<Money>, figures: &Figures, terms: &Terms) -> Pair {
    let (left, base) = match (figures.declared, expected(figures, terms)) {
        (Some(declared), _) => (Some(declared), None),
        (None, Some((expected, base))) => (Some(expected), Some(base)),
        (None, None) => (None, None),
    };
    let of = |state| Pair { base, ..Pair::of(kind, state, (left, came)) };
    let Some(whole) = left else { return of(PairState::Unknown) };
    if base.is_none() && terms.drawers.is_some() {
        return undeclared(of(PairState::Incomplete), terms);
    }
    if base == Some(Base::Reading) && terms.readings.is_some() {
        return lacking(of(PairState::Incomplete), terms);
    }
    let pair = compared(of(PairState::Agrees), whole, came.unwrap_or_default(), terms);
    match (pair.state, came) {
        (PairState::Differs, None) if terms.due => of(PairState::Missing),
        (PairState::Differs, came) if !terms.due && came.unwrap_or_default() < whole => {
            of(PairState::Pending)
        }
        (PairState::Differs, _) if base == Some(Base::File) && terms.payments.is_some() => {
            unpaid(of(PairState::Incomplete), terms)
        }
        _ => pair,
    }
}

/// What stands in for a declaration: the reading with what delivery apps took, else the file.
fn expected(figures: &Figures, terms: &Terms) -> Option<(Money, Base)> {
    let is_read = terms.readings.is_some() || terms.read_alone;
    let reading = figures.z.filter(|_| is_read).map(|reading| (with_apps(reading, terms), Base::Reading));
    reading.or_else(|| figures.pos.map(|file| (file, Base::File)))
}

/// A reading's amount with what delivery apps took, which it does not have.
fn with_apps(reading: Money, terms: &Terms) -> Money {
    Money(reading.0.saturating_add(terms.apps.0))
}

/// A pair whose file does not say how all of its sales were paid.
fn unpaid(pair: Pair, terms: &Terms) -> Pair {
    part(pair, terms.payments.map(|(have, of)| Part::Payments(have, of)), terms)
}

/// A pair whose readings are not all there.
fn lacking(pair: Pair, terms: &Terms) -> Pair {
    part(pair, terms.readings.map(|(have, of)| Part::Readings(have, of)), terms)
}

/// A pair whose drawers are not all declared.
fn undeclared(pair: Pair, terms: &Terms) -> Pair {
    part(pair, terms.drawers.map(|(have, of)| Part::Drawers(have, of)), terms)
}

/// As long as a day is not over, the rest may still come in.
fn part(pair: Pair, part: Option<Part>, terms: &Terms) -> Pair {
    if terms.over { Pair { part, ..pair } } else { Pair { state: PairState::Pending, ..pair } }
}

fn compared(pair: Pair, left: Money, right: Money, terms: &Terms) -> Pair {
    let by = Money(right.0.saturating_sub(left.0));
    let state =
        if by.0.saturating_abs() > terms.tolerance.0 { PairState::Differs } else { PairState::Agrees };
    Pair { state, by: Some(by), ..pair }
}

#[cfg(test)]
mod tests;
