use proptest::prelude::*;

use super::*;
use crate::tender::KINDS;

const TERMS: Terms = Terms {
    tolerance: Money(100),
    readings: None,
    read_alone: true,
    payments: None,
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
    let figures = Figures { pos: money(1_000), z: money(400), declared: money(1_000), ..Figures::default() };
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
fn what_is_missing_depends_on_the_kind() {
    let cash = Figures { z: Some(Money(900)), declared: Some(Money(880)), ..Figures::default() };
    assert_eq!(missing(Kind::Cash, &cash, &TERMS), Some(Money(880)));
    let paid = Figures { deposited: Some(Money(880)), ..cash };
    assert_eq!(missing(Kind::Cash, &paid, &TERMS), None);
    assert_eq!(missing(Kind::Card, &cash, &TERMS), Some(Money(900)));
    assert_eq!(missing(Kind::Voucher, &cash, &TERMS), None);
}

#[test]
fn what_is_missing_has_the_base_of_its_pair() {
    let terms = Terms { apps: Money(1_000_000), ..TERMS };
    let figures =
        Figures { pos: money(15_000), z: money(5_000), settled: money(4_000), ..Figures::default() };
    let whole = |figures: &Figures, terms: &Terms| {
        (missing(Kind::EWallet, figures, terms), pairs(Kind::EWallet, figures, terms)[2].left)
    };
    assert_eq!(whole(&figures, &terms), (money(11_000), money(15_000)));
    let unread = Figures { z: None, ..figures };
    assert_eq!(whole(&unread, &terms), (money(11_000), money(15_000)));
    // Of one of the tills there is no reading: the file stands in.
    let partly = Terms { read_alone: false, ..terms };
    let more = Figures { pos: money(18_000), ..figures };
    assert_eq!(whole(&more, &partly), (money(14_000), money(18_000)));
    assert_eq!(missing(Kind::EWallet, &Figures { pos: None, ..figures }, &partly), money(11_000));
    let settled = Figures { settled: money(15_000), ..figures };
    assert_eq!(whole(&settled, &terms).0, None);
}

#[test]
fn a_file_that_says_of_a_part_how_it_was_paid_is_not_compared() {
    use PairState::{Agrees, Incomplete, Missing, Pending};
    let half = Terms { payments: Some((Money(60_000), Money(100_000))), ..TERMS };
    let figures = Figures { pos: money(400), z: money(800), ..Figures::default() };
    let found = pairs(Kind::Card, &figures, &half);
    assert_eq!((found[0].state, found[0].by), (Incomplete, None));
    assert_eq!(found[0].words(), "Payments of ₱600.00 of ₱1,000.00");
    // The reading stands in for a declaration, and nothing came of it.
    assert_eq!(found[2].state, Missing);
    let alike = Figures { pos: money(800), ..figures };
    assert_eq!(states(Kind::Voucher, &alike, &half)[0], Agrees, "the other till took none");
    let unread = Figures { z: None, settled: money(800), ..figures };
    let found = pairs(Kind::Card, &unread, &Terms { read_alone: false, ..half });
    assert_eq!((found[2].state, found[2].base), (Incomplete, Some(Base::File)));
    assert_eq!(states(Kind::Voucher, &figures, &Terms { over: false, due: false, ..half })[0], Pending);
}

#[test]
fn days_of_one_reading_are_compared_on_the_last() {
    let on: BusinessDay = "2026-11-08".parse().expect("a date");
    let figures = Figures { pos: money(500), declared: money(500), ..Figures::default() };
    let found = read_later(Kind::Cash, &figures, on);
    assert_eq!(summary(&found), (PairState::ReadLater, "In the reading of 8 Nov 2026".to_owned()));
    assert_eq!((found.len(), last_difference(&found)), (3, None));
    assert_eq!(read_later(Kind::Voucher, &figures, on).len(), 2);
    // Of two days the file of one is not in.
    let both = Figures { z: money(900), ..figures };
    let found = pairs(Kind::Cash, &both, &Terms { sold: false, ..TERMS });
    assert_eq!((found[0].state, found[0].words()), (PairState::Missing, "No sales file".to_owned()));
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
        (read_alone, sold, over, due, paid) in any::<(bool, bool, bool, bool, bool)>(),
        kind in 0usize..5,
    ) {
        let (pos, z, declared, deposited, settled) = figures;
        let figures = Figures { pos, z, declared, deposited, settled, fee: None };
        let terms = Terms {
            readings,
            read_alone,
            drawers,
            sold,
            over,
            due,
            payments: (!paid).then_some((Money(1), Money(500))),
            ..TERMS
        };
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

    #[test]
    fn received_and_missing_add_up_to_expected(whole in 0i64..1_000_000, came in 0i64..1_000_000) {
        let figures = Figures { declared: Some(Money(whole)), deposited: Some(Money(came)), ..Figures::default() };
        let missing = missing(Kind::Cash, &figures, &TERMS).unwrap_or_default();
        prop_assert_eq!(missing.0, (whole - came).max(0));
    }
}
