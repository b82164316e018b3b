//! How a day was paid, compared pair by pair: sales file–reading, reading–declared, declared–deposited or
//! declared–settled.

use super::{Figures, Kind};
use crate::Money;

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
    /// One of the figures is of some of the day's tills only.
    Incomplete,
    /// One of the figures is due and not there.
    Missing,
    /// One of the figures cannot be known.
    Unknown,
}

/// From the one that is stated first for a whole row to the last.
const PRECEDENCE: [PairState; 6] = [
    PairState::Differs,
    PairState::Incomplete,
    PairState::Missing,
    PairState::Pending,
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

/// Of how many tills a figure is, and of how many it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Readings(usize, usize),
    Drawers(usize, usize),
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
}

impl Pair {
    const fn of(kind: PairKind, state: PairState, (left, right): (Option<Money>, Option<Money>)) -> Self {
        Self { kind, state, left, right, by: None, base: None, part: None }
    }

    /// «Reading–declared −₱20.00», «1 of 2 readings», «Not deposited».
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
            (PairState::Incomplete, None) => "Incomplete".to_owned(),
            (PairState::Missing, _) => self.kind.missing().to_owned(),
            (PairState::Unknown, _) => "Not known".to_owned(),
        }
    }
}

/// What is known of the day besides its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The largest difference that is none.
    pub tolerance: Money,
    /// Tills about whose reading nothing is left to do, and all that must have one; `None` if no reading lacks.
    pub readings: Option<(usize, usize)>,
    /// Whether readings are of this day alone, and of all its tills.
    pub read_alone: bool,
    /// The part of the file's sales that delivery apps took, which no till reads.
    pub apps: Money,
    /// Drawers declared, and drawers there are; `None` if no declaration lacks.
    pub drawers: Option<(usize, usize)>,
    /// Whether sales of the day are in.
    pub sold: bool,
    /// Whether the day is over.
    pub over: bool,
    /// Whether the money should be in the bank.
    pub due: bool,
}

/// The comparisons of a store's day and kind of tender, from the till to the bank. Only cards and e-wallets must be
/// settled; vouchers and accounts are compared if they were.
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
        (Some(file), Some(reading)) => compared(of(PairState::Agrees), file, reading, terms),
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
    let (left, base) = match (figures.declared, figures.z, figures.pos) {
        (Some(declared), ..) => (Some(declared), None),
        (None, Some(reading), _) if terms.readings.is_some() || terms.read_alone => {
            (Some(Money(reading.0.saturating_add(terms.apps.0))), Some(Base::Reading))
        }
        (None, _, Some(file)) => (Some(file), Some(Base::File)),
        _ => (None, None),
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
        _ => pair,
    }
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
mod tests {
    use proptest::prelude::*;

    use super::super::KINDS;
    use super::*;

    const TERMS: Terms = Terms {
        tolerance: Money(100),
        readings: None,
        read_alone: true,
        apps: Money(0),
        drawers: None,
        sold: true,
        over: true,
        due: true,
    };

    fn money(pesos: i64) -> Option<Money> {
        Some(Money(pesos * 100))
    }

    fn states(kind: Kind, figures: &Figures, terms: &Terms) -> Vec<PairState> {
        pairs(kind, figures, terms).into_iter().map(|pair| pair.state).collect()
    }

    #[test]
    fn each_pair_is_compared_by_itself() {
        use PairState::{Agrees, Differs};
        let figures = Figures {
            pos: money(1_000),
            z: money(1_000),
            declared: money(980),
            deposited: money(980),
            ..Figures::default()
        };
        let found = pairs(Kind::Cash, &figures, &TERMS);
        assert_eq!(found.iter().map(|pair| pair.state).collect::<Vec<_>>(), [Agrees, Differs, Agrees]);
        assert_eq!(summary(&found), (Differs, "Reading–declared −₱20.00".to_owned()));
        assert_eq!(last_difference(&found), Some(Money(0)));
        let settled = Figures { settled: money(990), deposited: None, ..figures };
        assert_eq!(
            summary(&pairs(Kind::Card, &settled, &TERMS)).1,
            "Reading–declared −₱20.00, Declared–settled ₱10.00"
        );
        assert_eq!(states(Kind::Voucher, &figures, &TERMS), [Agrees, Differs]);
    }

    #[test]
    fn what_is_within_the_tolerance_agrees() {
        let figures =
            |cents: i64| Figures { pos: money(10), z: Some(Money(1_000 + cents)), ..Figures::default() };
        let state = |cents: i64| pairs(Kind::Voucher, &figures(cents), &TERMS)[0].state;
        assert_eq!(
            [-101, -100, 0, 100, 101].map(state),
            [PairState::Differs, PairState::Agrees, PairState::Agrees, PairState::Agrees, PairState::Differs,]
        );
    }

    #[test]
    fn incomplete_days_are_not_compared() {
        use PairState::{Differs, Incomplete, Missing, Pending};
        let half = Terms { readings: Some((1, 2)), ..TERMS };
        let figures =
            Figures { pos: money(1_000), z: money(400), declared: money(1_000), ..Figures::default() };
        let found = pairs(Kind::Cash, &figures, &half);
        assert_eq!(states(Kind::Cash, &figures, &half), [Incomplete, Incomplete, Missing]);
        assert_eq!(summary(&found), (Incomplete, "1 of 2 readings".to_owned()));
        assert!(found.iter().all(|pair| pair.by.is_none()), "{found:?}");
        assert_eq!(states(Kind::Cash, &figures, &Terms { over: false, due: false, ..half }), [Pending; 3]);
        // Without a declaration the readings would stand in for it.
        let silent = Figures { declared: None, deposited: money(400), ..figures };
        assert_eq!(states(Kind::Cash, &silent, &half), [Incomplete; 3]);
        let one_drawer = Terms { drawers: Some((1, 2)), ..TERMS };
        let found = pairs(Kind::Cash, &figures, &one_drawer);
        assert_eq!(states(Kind::Cash, &figures, &one_drawer), [Differs, Incomplete, Incomplete]);
        assert_eq!(found[1].words(), "1 of 2 drawers");
    }

    #[test]
    fn what_is_not_due_is_pending() {
        use PairState::{Agrees, Differs, Missing, Pending, Unknown};
        let soon = Terms { due: false, ..TERMS };
        let figures = Figures { z: money(500), declared: money(500), ..Figures::default() };
        assert_eq!(states(Kind::Cash, &figures, &soon), [Unknown, Agrees, Pending]);
        assert_eq!(states(Kind::Cash, &figures, &TERMS), [Unknown, Agrees, Missing]);
        let part = Figures { deposited: money(300), ..figures };
        assert_eq!(states(Kind::Cash, &part, &soon)[2], Pending);
        assert_eq!(states(Kind::Cash, &part, &TERMS)[2], Differs);
        let more = Figures { deposited: money(800), ..figures };
        assert_eq!(states(Kind::Cash, &more, &soon)[2], Differs);
        let today = Terms { over: false, sold: false, ..soon };
        let open = Figures { z: money(500), ..Figures::default() };
        assert_eq!(states(Kind::Cash, &open, &today), [Pending; 3]);
        assert_eq!(states(Kind::Cash, &open, &Terms { sold: false, ..TERMS }), [Missing; 3]);
    }

    #[test]
    fn sales_of_delivery_apps_are_settled_though_no_till_reads_them() {
        let terms = Terms { apps: Money(1_000_000), ..TERMS };
        let figures =
            Figures { pos: money(15_000), z: money(5_000), settled: money(15_000), ..Figures::default() };
        let found = pairs(Kind::EWallet, &figures, &terms);
        assert_eq!([found[0].state, found[2].state], [PairState::Agrees; 2]);
        assert_eq!((found[2].left, found[2].base), (money(15_000), Some(Base::Reading)));
        let unread = Figures { z: None, ..figures };
        assert_eq!(pairs(Kind::EWallet, &unread, &terms)[2].state, PairState::Agrees);
        let unsettled = Figures { settled: money(5_000), ..figures };
        assert_eq!(pairs(Kind::EWallet, &unsettled, &terms)[2].by, money(-10_000));
    }

    #[test]
    fn what_stands_in_for_a_declaration_is_named() {
        let base = |figures, terms| pairs(Kind::Card, &figures, &terms)[2].base;
        let figures = Figures { pos: money(9), z: money(8), ..Figures::default() };
        assert_eq!(base(figures, TERMS), Some(Base::Reading));
        assert_eq!(base(Figures { declared: money(7), ..figures }, TERMS), None);
        assert_eq!(base(Figures { z: None, ..figures }, TERMS), Some(Base::File));
        assert_eq!(base(figures, Terms { read_alone: false, ..TERMS }), Some(Base::File));
    }

    fn amount() -> impl Strategy<Value = Option<Money>> {
        proptest::option::of((0i64..1_000).prop_map(Money))
    }

    fn tills() -> impl Strategy<Value = Option<(usize, usize)>> {
        proptest::option::of(Just((1, 2)))
    }

    proptest! {
        #[test]
        fn a_difference_is_known_where_and_only_where_two_figures_are_compared(
            figures in (amount(), amount(), amount(), amount(), amount()),
            (readings, drawers) in (tills(), tills()),
            (read_alone, sold, over, due) in any::<(bool, bool, bool, bool)>(),
            kind in 0usize..5,
        ) {
            let (pos, z, declared, deposited, settled) = figures;
            let figures = Figures { pos, z, declared, deposited, settled, fee: None };
            let terms = Terms { readings, read_alone, drawers, sold, over, due, ..TERMS };
            for pair in pairs(KINDS[kind], &figures, &terms) {
                let compared = matches!(pair.state, PairState::Agrees | PairState::Differs);
                prop_assert_eq!(pair.by.is_some(), compared);
                if let Some(by) = pair.by {
                    let sides = (pair.left.expect("a left side"), pair.right.unwrap_or_default());
                    prop_assert_eq!(by.0, sides.1.0 - sides.0.0);
                    prop_assert_eq!(by.0.abs() > 100, pair.state == PairState::Differs);
                }
                prop_assert_eq!(pair.part.is_some(), pair.state == PairState::Incomplete);
                prop_assert!(!pair.words().is_empty());
                // Money that is not due is never missed.
                prop_assert!(due || over || pair.state != PairState::Missing);
            }
        }
    }
}
