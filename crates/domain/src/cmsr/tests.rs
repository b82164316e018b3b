use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::till_day::{Reading, Receipts};

fn day(text: &str) -> BusinessDay {
    text.parse().expect("a date")
}

fn terms(fixed: i64, percent: i64, mode: RentMode) -> Terms {
    Terms {
        fixed: Money(fixed),
        percent: Qty(percent * 1_000_000),
        mode,
        breakpoints: Vec::new(),
        add_backs: Vec::new(),
    }
}

/// A till's day that satisfies its equations: net of discounts is taxed, exempt or zero-rated.
fn reading() -> impl Strategy<Value = Reading> {
    (0i64..5_000_000, 0i64..300_000, 0i64..50_000, 0i64..20_000, 0i64..20_000, 0i64..30_000, 0i64..9_000)
        .prop_map(|(vatable, exempt, zero, senior, pwd, other, not_sold)| {
            let vat = div_round(i128::from(vatable) * 12, 100).expect("small");
            let net = vatable + vat + exempt + zero;
            Reading {
                gross: Money(net + senior + pwd + other + not_sold),
                net: Money(net),
                vatable: Money(vatable),
                vat: Money(vat),
                exempt: Money(exempt),
                zero_rated: Money(zero),
                senior: Money(senior),
                pwd: Money(pwd),
                other_discount: Money(other),
                voids: Money(not_sold),
                ..Reading::default()
            }
        })
}

#[test]
fn the_foot_follows_the_form() {
    let reading = Reading {
        gross: Money(6_320_454),
        net: Money(6_072_489),
        vatable: Money(5_040_080),
        vat: Money(604_810),
        exempt: Money(391_737),
        zero_rated: Money(35_862),
        senior: Money(58_761),
        pwd: Money(20_760),
        other_discount: Money(50_627),
        voids: Money(15_081),
        returns: Money(38_315),
        vat_adjustment: Money(64_421),
        ..Reading::default()
    };
    let figures = Figures::of(&TillDay::of(&[reading], Receipts::default()));
    assert_eq!(figures.get(Figure::Net), Money(6_072_489), "gross less discounts is what the till calls net");
    let foot = Foot::of(&figures, Some(&terms(100_000, 5, RentMode::GreaterOf)));
    assert_eq!(foot.net_sales, Money(5_644_890));
    // 56,448.90 ÷ 1.12 = 50,400.803…
    assert_eq!(foot.ex_vat, Money(5_040_080));
    assert_eq!((foot.percentage_rent, foot.rent), (Money(252_004), Money(252_004)));
    assert_eq!(foot.greater, Some(Greater::Percentage));
}

#[test]
fn breakpoints_charge_only_the_part_above_them() {
    let mut terms = terms(0, 5, RentMode::Additive);
    terms.breakpoints = vec![
        Breakpoint { over: Money(100_000), percent: Qty(4_000_000) },
        Breakpoint { over: Money(300_000), percent: Qty(2_500_000) },
    ];
    for (sales, rent) in
        [(0, 0), (100_000, 5_000), (200_000, 9_000), (300_000, 13_000), (500_000, 18_000), (-5, 0)]
    {
        assert_eq!(terms.percentage_rent(Money(sales)), Money(rent), "{sales}");
    }
    assert!(terms.faults().is_empty());
    terms.breakpoints.swap(0, 1);
    assert_eq!(terms.faults()[0].0, "breakpoints.1.over");
}

#[test]
fn add_backs_are_amounts_or_parts_of_a_figure() {
    let reading = Reading {
        gross: Money(11_200),
        net: Money(10_200),
        other_discount: Money(1_000),
        ..Reading::default()
    };
    let figures = Figures::of(&TillDay::of(&[reading], Receipts::default()));
    let back = |amount: Option<i64>, percent: Option<i64>, of| AddBack {
        name: "x".into(),
        amount: amount.map(Money),
        percent: percent.map(|percent| Qty(percent * 1_000_000)),
        of,
    };
    let mut terms = terms(0, 10, RentMode::Additive);
    terms.add_backs = vec![
        back(Some(50), None, None),
        back(None, Some(100), Some(Figure::UnapprovedPromo)),
        back(None, Some(1), None),
    ];
    let foot = Foot::of(&figures, Some(&terms));
    let amounts: Vec<i64> = foot.add_backs.iter().map(|one| one.amount.0).collect();
    assert_eq!((foot.ex_vat.0, amounts), (9_107, vec![50, 1_000, 91]));
    assert_eq!(foot.subject.0, 9_107 + 1_141);
    terms.add_backs.push(back(Some(1), Some(1), None));
    assert_eq!(terms.faults()[0].0, "addBacks.3.amount");
}

#[test]
fn the_lease_of_a_months_last_day_is_in_force() {
    let leases =
        [(day("2025-01-01"), Some(day("2026-10-14"))), (day("2026-10-15"), None), (day("2027-01-01"), None)];
    assert_eq!(in_force(&leases, day("2026-09-01")), Some(0));
    assert_eq!(in_force(&leases, day("2026-10-01")), Some(1));
    assert_eq!(in_force(&leases, day("2024-10-01")), None);
    assert_eq!(in_force(&leases[..1], day("2026-10-01")), Some(0), "it ended within the month");
    assert_eq!(in_force(&leases[..1], day("2026-11-01")), None);
}

proptest! {
    /// For readings that add up, net sales without VAT are the VATable sales, within the rounding of each day's tax.
    #[test]
    fn readings_that_add_up_leave_their_vatable_sales(readings in vec(reading(), 1..31)) {
        let days: Vec<Figures> =
            readings.iter().map(|one| Figures::of(&TillDay::of(&[*one], Receipts::default()))).collect();
        let total = Figures::sum(&days);
        let foot = Foot::of(&total, None);
        let vatable: i64 = readings.iter().map(|one| one.vatable.0).sum();
        prop_assert!((foot.ex_vat.0 - vatable).abs() <= readings.len() as i64);
        prop_assert_eq!(foot.gross.0 - foot.discounts.0, readings.iter().map(|one| one.net.0).sum::<i64>());
    }

    /// Rent is monotonic in sales, and the greater of two is never less than either.
    #[test]
    fn rent_grows_with_sales(a in 0i64..10_000_000, more in 0i64..10_000_000, fixed in 0i64..500_000, first in 1i64..3_000_000) {
        let mut terms = terms(fixed, 6, RentMode::GreaterOf);
        terms.breakpoints = vec![Breakpoint { over: Money(first), percent: Qty(3_000_000) }];
        prop_assert!(terms.percentage_rent(Money(a)) <= terms.percentage_rent(Money(a + more)));
        let reading = Reading { gross: Money(a), net: Money(a), ..Reading::default() };
        let foot = Foot::of(&Figures::of(&TillDay::of(&[reading], Receipts::default())), Some(&terms));
        prop_assert!(foot.rent >= foot.fixed_rent && foot.rent >= foot.percentage_rent);
        prop_assert!(foot.rent == foot.fixed_rent || foot.rent == foot.percentage_rent);
    }

    /// Every change is reported exactly once, and nothing else.
    #[test]
    fn every_change_is_told(readings in vec(reading(), 1..20), at in 0usize..20, amount in -1_000_000i64..1_000_000) {
        let before: Vec<(BusinessDay, Figures)> = readings
            .iter()
            .enumerate()
            .map(|(at, one)| (BusinessDay(20_000 + at as i32), Figures::of(&TillDay::of(&[*one], Receipts::default()))))
            .collect();
        prop_assert!(changes(&before, &before).is_empty());
        let at = at % readings.len();
        let mut after = before.clone();
        after[at].1 = after[at].1.corrected(&BTreeMap::from([(Figure::Senior, Money(amount))]));
        let reported = changes(&before, &after);
        let same = before[at].1.get(Figure::Senior) == Money(amount);
        prop_assert_eq!(reported.len(), if same { 0 } else { 2 }, "the discount and the net sales");
        prop_assert!(reported.iter().all(|one| one.date == before[at].0));
    }

    /// Figures round-trip through storage.
    #[test]
    fn figures_are_read_as_they_were_written(reading in reading()) {
        let figures = Figures::of(&TillDay::of(&[reading], Receipts::default()));
        let text = serde_json::to_string(&figures).expect("serialises");
        prop_assert_eq!(serde_json::from_str::<Figures>(&text).expect("reads"), figures);
    }
}
