use proptest::prelude::*;

use super::*;
use crate::zreading::LAST_TOTAL;

/// A reading whose equations hold, from free figures.
fn built(amounts: [i64; 9], previous: i64, terms: Terms, first: i64, transactions: i64) -> Figures {
    let [vatable, exempt, zero, senior, pwd, other, voids, returns, adjustment] = amounts;
    let rate = if terms.vat == VatForm::Inclusive { 112 } else { 100 };
    let vat = (2 * vatable * 12 + rate) / (2 * rate);
    let net = if terms.vat == VatForm::Inclusive { vatable } else { vatable + vat } + exempt + zero;
    let gross = net + senior + pwd + other + voids + returns + adjustment;
    let sales = if terms.basis == Basis::Net { net } else { gross };
    let some = |amount: i64| Some(Money(amount));
    Figures {
        first_si: Some(format!("{first:08}")),
        last_si: Some(format!("{:08}", first + transactions - 1)),
        transactions: Some(transactions),
        z_counter: Some(21),
        reset_counter: 0,
        previous_total: some(previous),
        present_total: Some(grown(Money(previous), Money(sales))),
        gross: some(gross),
        net: some(net),
        vatable: some(vatable),
        vat: some(vat),
        exempt: some(exempt),
        zero_rated: some(zero),
        senior: some(senior),
        pwd: some(pwd),
        other_discount: some(other),
        voids: some(voids),
        returns: some(returns),
        vat_adjustment: some(adjustment),
        tenders: vec![Money(net / 2), Money(net - net / 2)],
        ..Figures::default()
    }
}

fn terms() -> impl Strategy<Value = Terms> {
    let basis = prop::sample::select(Basis::ALL);
    let vat = prop::sample::select(VatForm::ALL);
    (basis, vat).prop_map(|(basis, vat)| Terms { basis, vat })
}

type Amount = fn(&mut Figures) -> &mut Option<Money>;

/// The amounts that are part of some equation.
const AMOUNTS: [Amount; 14] = [
    |f| &mut f.previous_total,
    |f| &mut f.present_total,
    |f| &mut f.gross,
    |f| &mut f.net,
    |f| &mut f.vatable,
    |f| &mut f.vat,
    |f| &mut f.exempt,
    |f| &mut f.zero_rated,
    |f| &mut f.senior,
    |f| &mut f.pwd,
    |f| &mut f.other_discount,
    |f| &mut f.voids,
    |f| &mut f.returns,
    |f| &mut f.vat_adjustment,
];

fn failing(checks: &[Check]) -> Vec<&'static str> {
    checks.iter().filter(|check| !check.holds).map(|check| check.name).collect()
}

proptest! {
    #[test]
    fn a_tills_own_equations_hold(
        amounts in prop::array::uniform9(0_i64..50_000_000), previous in 0..=LAST_TOTAL.0, terms in terms(),
        first in 1_i64..90_000_000, transactions in 1_i64..9_000,
    ) {
        let figures = built(amounts, previous, terms, first, transactions);
        let checks = of_itself(&figures, terms);
        prop_assert_eq!(checks.len(), 6);
        prop_assert_eq!(failing(&checks), Vec::<&str>::new());
    }

    /// Any amount off by more than tills round is found.
    #[test]
    fn a_wrong_amount_is_found_and_both_figures_named(
        amounts in prop::array::uniform9(0_i64..50_000_000), previous in 0_i64..900_000_000_000, terms in terms(),
        which in 0_usize..14, by in prop_oneof![-9_000_000_i64..-5, 6_i64..9_000_000],
    ) {
        let mut figures = built(amounts, previous, terms, 7, 40);
        let amount = AMOUNTS[which](&mut figures);
        *amount = amount.map(|amount| Money(amount.0 + by));
        let checks = of_itself(&figures, terms);
        let wrong: Vec<&Check> = checks.iter().filter(|check| !check.holds).collect();
        prop_assert!(!wrong.is_empty());
        for check in wrong {
            prop_assert!(check.words.contains(&check.left.to_string()), "{}", check.words);
            prop_assert!(check.words.contains(&check.right.to_string()), "{}", check.words);
        }
    }

    /// Every misread digit of an amount.
    #[test]
    fn a_digit_read_as_another_is_found(
        amounts in prop::array::uniform9(100_i64..50_000_000), previous in 0_i64..900_000_000_000, terms in terms(),
        which in 0_usize..14, place in 0_u32..12, digit in 1_i64..10,
    ) {
        let mut figures = built(amounts, previous, terms, 7, 40);
        let amount = AMOUNTS[which](&mut figures);
        let Some(Money(right)) = *amount else { unreachable!("it was given") };
        let unit = 10_i64.pow(place);
        prop_assume!(unit <= right.max(1));
        let read = right / unit % 10;
        let flipped = right + ((read + digit) % 10 - read) * unit;
        prop_assume!((flipped - right).abs() > TOLERANCE.0);
        *amount = Some(Money(flipped));
        prop_assert!(!failing(&of_itself(&figures, terms)).is_empty());
    }
}

fn sample() -> (Figures, Terms) {
    let terms = Terms::default();
    (
        built(
            [5_040_080, 391_737, 35_862, 58_761, 20_760, 50_627, 15_081, 38_315, 64_421],
            1_121_388_428,
            terms,
            703_235,
            592,
        ),
        terms,
    )
}

#[test]
fn the_words_name_both_figures() {
    let (mut figures, terms) = sample();
    figures.net = Some(Money(6_072_498));
    let net = of_itself(&figures, terms).into_iter().find(|check| check.name == "net").expect("the check");
    assert_eq!(
        net.words,
        "Net sales are ₱60,724.98, but gross less discounts, returns, voids and VAT adjustment is ₱60,724.89."
    );
    assert_eq!(serde_json::to_value(&net).expect("JSON")["right"], serde_json::json!(60724.89));
}

#[test]
fn a_tills_rounding_of_five_centavos_is_tolerated() {
    let (mut figures, terms) = sample();
    let vat = figures.vat.expect("read").0;
    for (off, wrong) in [(5, false), (6, true), (-5, false), (-6, true)] {
        figures.vat = Some(Money(vat + off));
        assert_eq!(failing(&of_itself(&figures, terms)).contains(&"vat"), wrong, "{off}");
    }
}

#[test]
fn the_grand_total_begins_again_after_its_last_figure() {
    let (mut figures, terms) = sample();
    figures.previous_total = Some(LAST_TOTAL);
    figures.present_total = Some(Money(figures.net.expect("read").0 - 1));
    assert!(failing(&of_itself(&figures, terms)).is_empty());
}

#[test]
fn a_reading_continues_from_the_previous_one() {
    let (figures, _) = sample();
    let before = Neighbour {
        z_counter: 20,
        reset_counter: 0,
        last_si: Some("00703234".into()),
        present_total: figures.previous_total,
    };
    assert_eq!(failing(&against(&figures, &before)), Vec::<&str>::new());
    let other =
        Neighbour { last_si: Some("00703230".into()), present_total: Some(Money(1)), ..before.clone() };
    assert_eq!(failing(&against(&figures, &other)), ["previousTotal", "firstInvoice"]);
    // With readings missing in between only the counter can be checked.
    let earlier = Neighbour { z_counter: 17, ..other };
    let reported = against(&figures, &earlier);
    assert_eq!(failing(&reported), ["zCounter"]);
    assert_eq!(reported[0].words, "The Z counter is 21, but after the reading before it should be 18.");
    // After a reset there is nothing to continue from.
    assert!(against(&figures, &Neighbour { reset_counter: 1, ..before }).is_empty());
}

#[test]
fn numbers_begin_again_after_all_nines() {
    assert_eq!(next_number("SI-00000041"), Some(42));
    assert_eq!(next_number("99999999"), Some(1));
    assert_eq!(next_number("99"), Some(100));
    let (mut figures, terms) = sample();
    (figures.first_si, figures.last_si) = (Some("99999990".into()), Some("00000005".into()));
    figures.transactions = Some(15);
    assert!(failing(&of_itself(&figures, terms)).is_empty());
}

#[test]
fn imported_sales_are_compared_and_do_not_block() {
    let (figures, _) = sample();
    let net = figures.net.expect("read");
    let sold = Sold { net: Money(net.0 + 100), gross: Money(1) };
    let checks = with_sales(&figures, sold, Readings::One, Money(100));
    assert_eq!(failing(&checks), ["receiptsGross"], "a peso is tolerated");
    assert!(checks.iter().all(|check| !check.blocks && check.is_of_sales()));
    let sold = Sold { net: Money(net.0 + 101), gross: figures.gross.expect("read") };
    let checks = with_sales(&figures, sold, Readings::OfStore, Money(100));
    assert_eq!(failing(&checks), ["receiptsNet"]);
    assert!(checks[0].words.starts_with("Net sales of all tills are ₱"), "{}", checks[0].words);
}

#[test]
fn unread_figures_are_not_checked() {
    assert!(of_itself(&Figures::default(), Terms::default()).is_empty());
}
