use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::till_day::{Reading, Receipts};

fn amount() -> std::ops::Range<i64> {
    0..900_000
}

/// Readings that need not add up, since users type them.
fn reading() -> impl Strategy<Value = Reading> {
    let first = (amount(), amount(), amount(), amount(), amount(), amount(), amount());
    let rest = (0i64..20_000, 0i64..20_000, 0i64..5_000, 0i64..5_000, 0i64..5_000, 0i64..40_000, 0i64..9_000);
    (first, rest).prop_map(|((gross, net, vatable, vat, exempt, zero, charge), rest)| Reading {
        gross: Money(gross),
        net: Money(net),
        vatable: Money(vatable),
        vat: Money(vat),
        exempt: Money(exempt),
        zero_rated: Money(zero),
        service_charge: Money(charge),
        senior: Money(rest.0),
        pwd: Money(rest.1),
        naac: Money(rest.2),
        solo_parent: Money(rest.3),
        valor: Money(rest.4),
        other_discount: Money(rest.5),
        returns: Money(rest.6),
        ..Reading::default()
    })
}

fn a_day() -> TillDay {
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
        ..Reading::default()
    };
    TillDay::of(&[reading], Receipts { promo: Money(30_000), ..Receipts::default() })
}

#[test]
fn a_record_has_a_name_by_its_layout() {
    let day: BusinessDay = "2026-10-31".parse().expect("a date");
    assert_eq!(external_id(Layout::CashSale, " MKT01 ", day), "CS-MKT01-20261031");
    assert_eq!(external_id(Layout::Invoice, "MKT01", day), "INV-MKT01-20261031");
    assert_eq!(external_id(Layout::JournalEntry, "MKT01", day), "JE-MKT01-20261031");
    assert_eq!(LineKind::SoloParentDiscount.as_str(), "soloParentDiscount");
}

#[test]
fn a_day_that_adds_up_needs_no_rounding() {
    let record = record(Layout::CashSale, &a_day(), &[]);
    assert_eq!((record.total, record.rounding), (Money(6_072_489), Money(0)));
    let of = |kind| record.lines.iter().find(|one| one.kind == kind).map(|one| (one.amount.0, one.tax.0));
    // 300.00 ÷ 1.12 = 267.857…, 206.27 ÷ 1.12 = 184.169…
    assert_eq!(of(LineKind::PromoDiscount), Some((-26_786, -3_214)));
    assert_eq!(of(LineKind::OtherDiscount), Some((-18_417, -2_210)));
    assert_eq!(of(LineKind::VatableSales), Some((5_040_080 + 26_786 + 18_417, 604_810 + 3_214 + 2_210)));
    assert_eq!(of(LineKind::ExemptSales), Some((391_737 + 58_761 + 20_760, 0)));
    assert_eq!(of(LineKind::EmployeeDiscount), None, "what is nothing has no line");
}

#[test]
fn service_charge_beside_or_within_vatable_sales_leaves_nothing_to_round() {
    for net in [6_072_489 + 10_000, 6_072_489] {
        let day = TillDay { net: Money(net), service_charge: Money(10_000), ..a_day() };
        let record = record(Layout::Invoice, &day, &[]);
        assert_eq!((record.total, record.rounding), (Money(net), Money(0)));
    }
}

#[test]
fn a_journal_has_both_sides() {
    let tenders = [(TenderKind::Cash, Money(3_584_132)), (TenderKind::Card, Money(2_488_000))];
    let record = record(Layout::JournalEntry, &a_day(), &tenders);
    assert_eq!(record.total, Money(0));
    let of = |kind| record.lines.iter().find(|one| one.kind == kind).map(|one| one.amount.0);
    assert_eq!(of(LineKind::Cash), Some(3_584_132));
    assert_eq!(of(LineKind::Vat), Some(-604_810));
    assert_eq!(of(LineKind::OverShort), Some(6_072_489 - 3_584_132 - 2_488_000));
    let debits = record.lines.iter().take_while(|one| one.amount.0 > 0).count();
    assert!(record.lines[debits..].iter().all(|one| one.amount.0 < 0), "debits come first");
}

proptest! {
    #[test]
    fn records_sum_to_the_reading_exactly(readings in vec(reading(), 1..4), promo in 0i64..50_000, employee in 0i64..50_000) {
        let receipts = Receipts { promo: Money(promo), employee: Money(employee), ..Receipts::default() };
        let day = TillDay::of(&readings, receipts);
        let net: i64 = readings.iter().map(|one| one.net.0).sum();
        for layout in [Layout::CashSale, Layout::Invoice] {
            let record = record(layout, &day, &[]);
            let sum: i64 = record.lines.iter().map(|one| one.amount.0 + one.tax.0).sum();
            prop_assert_eq!(sum, net);
            prop_assert_eq!(record.total, Money(net));
            let discount = |one: &&Line| one.kind >= LineKind::SeniorDiscount && one.kind <= LineKind::OtherDiscount;
            prop_assert!(record.lines.iter().filter(discount).all(|one| one.amount.0 < 0));
            prop_assert!(record.lines.is_sorted_by_key(|one| one.kind), "at most one line of a kind, in order");
            let off: i64 = record.lines.iter().filter(discount).map(|one| one.amount.0 + one.tax.0).sum();
            prop_assert_eq!(-off, day.discounts().0);
        }
    }

    #[test]
    fn journals_balance(readings in vec(reading(), 1..4), tenders in vec((0usize..5, -90_000i64..900_000), 0..8)) {
        let day = TillDay::of(&readings, Receipts::default());
        let tenders: Vec<(TenderKind, Money)> = tenders.into_iter().map(|(at, amount)| (KINDS[at], Money(amount))).collect();
        let record = record(Layout::JournalEntry, &day, &tenders);
        let side = |debit: bool| -> i64 {
            record.lines.iter().map(|one| one.amount.0).filter(|amount| (*amount > 0) == debit).sum()
        };
        prop_assert_eq!(side(true), -side(false));
        prop_assert_eq!(record.total, Money(0));
    }

    #[test]
    fn splitting_keeps_records_whole(sizes in vec(1usize..400, 0..60), records in 1usize..10, bytes in 20usize..900) {
        let files = split(&sizes, 10, records, bytes);
        let mut next = 0;
        for file in &files {
            prop_assert_eq!(file.start, next);
            prop_assert!(file.end > file.start && file.len() <= records);
            let size: usize = 10 + sizes[file.clone()].iter().sum::<usize>();
            prop_assert!(size <= bytes || file.len() == 1);
            next = file.end;
        }
        prop_assert_eq!(next, sizes.len());
    }

    /// A name contains its layout, till and day, so that no two days of a store and layout share one.
    #[test]
    fn names_differ(a in 10_000i32..30_000, b in 10_000i32..30_000) {
        let name = |layout, day| external_id(layout, "X", BusinessDay(day));
        prop_assert_eq!(name(Layout::CashSale, a) == name(Layout::CashSale, b), a == b);
        prop_assert_ne!(name(Layout::CashSale, a), name(Layout::Invoice, a));
    }
}
