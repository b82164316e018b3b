use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::sales::Kind;

/// A receipt: till, number, amount in centavos.
type Slip = (&'static str, String, i64);

fn item() -> SoldItem {
    SoldItem { pos_item_id: "a".into(), source_item: "Tapsilog".into() }
}

fn line(line_no: u32, receipt: i32, net: i64) -> DayLine {
    DayLine {
        line_no,
        receipt,
        seconds: -1,
        item: 0,
        kind: Kind::Sale,
        qty: 1_000_000,
        unit_price: net,
        discount: 0,
        net,
        parent: -1,
    }
}

/// A store-day with a line and a payment for each receipt.
fn day(slips: &[Slip]) -> StoreDay {
    let at = |n: usize| i32::try_from(n).expect("few");
    StoreDay {
        store_id: "s".into(),
        day: 20_000,
        source: "file".into(),
        items: vec![item()],
        receipts: slips
            .iter()
            .map(|(till, number, _)| Receipt {
                terminal: (*till).to_owned(),
                number: number.clone(),
                ..Receipt::default()
            })
            .collect(),
        tenders: slips
            .iter()
            .enumerate()
            .map(|(n, (.., net))| Tender {
                receipt: at(n),
                kind: "Cash".to_owned(),
                amount: *net,
                reference: String::new(),
            })
            .collect(),
        facts: Vec::new(),
        lines: (2..)
            .zip(slips.iter().enumerate())
            .map(|(row, (n, (.., net)))| line(row, at(n), *net))
            .collect(),
    }
}

fn slips(list: &[(&'static str, &str, i64)]) -> Vec<Slip> {
    list.iter().map(|(till, number, net)| (*till, (*number).to_owned(), *net)).collect()
}

fn of(list: &[(&'static str, &str, i64)]) -> StoreDay {
    day(&slips(list))
}

/// A store-day of totals only.
fn totals_only(net: i64) -> StoreDay {
    StoreDay { lines: vec![line(2, -1, net)], ..day(&[]) }
}

fn said(there: &StoreDay, comes: &StoreDay) -> Decision {
    decide(&[(How::Add, there)], comes)
}

fn net(parts: &[(How, &StoreDay)]) -> i64 {
    compose(parts).expect("parts").day.totals().net
}

#[test]
fn another_till_is_added() {
    let (one, two) = (of(&[("T1", "1", 120), ("T1", "2", 240)]), of(&[("T2", "1", 600)]));
    assert_eq!(said(&one, &two), Decision::Add);
    assert_eq!(net(&[(How::Add, &one), (How::Add, &two)]), 960);
}

#[test]
fn other_receipts_of_a_till_are_added_within_one_numbering() {
    let morning = of(&[("T1", "OR-1", 120), ("T1", "OR-2", 240)]);
    assert_eq!(said(&morning, &of(&[("T1", "OR-3", 900)])), Decision::Add);
    assert_eq!(said(&morning, &of(&[("T1", "3", 900)])), Decision::Ask, "another numbering");
    assert_eq!(said(&morning, &of(&[("T1", "OR-2", 900)])), Decision::Ask, "the receipt is there");
    assert_eq!(said(&morning, &of(&[("1", "OR-3", 900)])), Decision::Add, "perhaps the same till");
    assert_eq!(said(&morning, &of(&[("POS 1", "OR-0002", 900)])), Decision::Ask);
}

#[test]
fn an_export_with_zeros_is_never_added() {
    let day = of(&[("T1", "1", 120), ("T1", "2", 240)]);
    let again = of(&[("T01", "0001", 120), ("T01", "0002", 240), ("T01", "0003", 999)]);
    assert_eq!(said(&day, &again), Decision::Ask);
    assert_eq!(net(&[(How::Add, &day), (How::ReplaceReceipts, &again)]), 1_359);
    let prefixed = of(&[("T1", "SI-0001", 120), ("T1", "SI-0003", 999)]);
    assert_eq!(net(&[(How::Add, &day), (How::ReplaceReceipts, &prefixed)]), 1_359);
    let (both, sums) = overlap(&day, &prefixed);
    assert_eq!((both, sums.net), (1, 120));
    // A and B are two series of one till.
    let series = of(&[("T1", "A1", 10), ("T1", "B1", 20)]);
    assert_eq!(net(&[(How::Add, &series), (How::ReplaceReceipts, &of(&[("T1", "B1", 50)]))]), 60);
}

#[test]
fn doubtful_files_are_asked_about() {
    let day = of(&[("T1", "1", 120), ("T1", "2", 240)]);
    assert_eq!(said(&day, &of(&[("", "3", 600)])), Decision::Ask, "no till");
    assert_eq!(said(&day, &totals_only(600)), Decision::Ask);
    assert_eq!(said(&totals_only(600), &day), Decision::Ask);
    assert_eq!(said(&day, &of(&[("T2", "1", 353)])), Decision::Ask, "within 2%");
    assert_eq!(said(&day, &of(&[("T2", "1", 352)])), Decision::Add);
    let mut grab = of(&[("T2", "1", 600)]);
    grab.receipts[0].channel = "GrabFood".to_owned();
    assert_eq!(said(&day, &grab), Decision::Add);
    let mut paid = day.clone();
    paid.tenders[1].kind = "GRAB".to_owned();
    assert_eq!(said(&paid, &grab), Decision::Ask, "already among the payments");
    assert_eq!(said(&grab, &paid), Decision::Ask, "in either order");
    let mut channels = day.clone();
    channels.receipts[1].channel = "Grab Food".to_owned();
    assert_eq!(said(&channels, &grab), Decision::Ask, "already among the channels");
}

#[test]
fn the_same_content_changes_nothing_while_it_counts() {
    let (one, two) = (of(&[("T1", "1", 120), ("T1", "2", 240)]), of(&[("T2", "1", 600)]));
    assert_eq!(said(&one, &one), Decision::Same(0));
    assert_eq!(decide(&[(How::Add, &one), (How::Add, &two)], &one), Decision::Same(0));
    assert_eq!(decide(&[(How::Add, &one), (How::Add, &two)], &two), Decision::Same(1));
    // Replaced, it does not count: its till differs from the one that does.
    assert_eq!(decide(&[(How::Add, &one), (How::ReplaceDays, &two)], &one), Decision::Add);
    assert_eq!(said(&day(&[]), &one), Decision::Add);
    assert_eq!(decide(&[], &one), Decision::Add);
}

#[test]
fn a_third_file_is_compared_with_each_part() {
    let (one, two) = (of(&[("T1", "1", 120), ("T1", "2", 240)]), of(&[("T2", "1", 600)]));
    let parts = [(How::Add, &one), (How::UNASKED, &two)];
    assert_eq!(decide(&parts, &of(&[("Main", "1", 120), ("Main", "2", 240)])), Decision::Ask, "the first");
    assert_eq!(decide(&parts, &of(&[("Main", "1", 605)])), Decision::Ask, "the second");
    assert_eq!(decide(&parts, &of(&[("Main", "1", 950)])), Decision::Ask, "both");
    assert_eq!(decide(&parts, &of(&[("Main", "1", 480)])), Decision::Add);
    // A part that gave way does not count.
    let replaced = [(How::Add, &one), (How::ReplaceDays, &two)];
    assert_eq!(decide(&replaced, &of(&[("Main", "1", 360)])), Decision::Add);
}

#[test]
fn rows_and_order_of_a_file_are_no_content() {
    let one = of(&[("T1", "1", 120), ("T1", "2", 240)]);
    // The same receipts further down in another file, and in another order.
    let mut later = one.clone();
    later.lines.iter_mut().for_each(|line| line.line_no += 40);
    assert_eq!(said(&one, &later), Decision::Same(0));
    let turned = of(&[("T1", "2", 240), ("T1", "1", 120)]);
    assert_eq!(said(&one, &turned), Decision::Same(0));
    assert_eq!(decide(&[(How::Add, &one), (How::Add, &of(&[("T2", "1", 600)]))], &turned), Decision::Same(0));
    // The amounts of the receipts swapped, a receipt more, another payment.
    assert_eq!(said(&one, &of(&[("T1", "1", 240), ("T1", "2", 120)])), Decision::Ask);
    assert_eq!(said(&one, &of(&[("T1", "1", 120), ("T1", "2", 240), ("T1", "3", 0)])), Decision::Ask);
    let mut card = one.clone();
    card.tenders[0].kind = "Card".to_owned();
    assert_eq!(said(&one, &card), Decision::Ask);
}

#[test]
fn what_was_replaced_does_not_come_back_beside_its_copy() {
    let (one, two) = (of(&[("T1", "1", 120), ("T1", "2", 240)]), of(&[("T2", "1", 600)]));
    let copy = of(&[("T1", "0001", 120), ("T1", "0002", 240)]);
    for (how, again) in [(How::UNASKED, &copy), (How::UNASKED, &one), (How::Add, &one)] {
        assert_eq!(net(&[(How::Add, &one), (How::ReplaceDays, &two), (how, again)]), 960);
        // The file between them is taken back.
        let left = compose(&[(How::Add, &one), (how, again)]).expect("parts");
        assert_eq!((left.day.totals().net, left.kept), (360, vec![0, 6]));
    }
}

#[test]
fn each_choice_replaces_what_it_names() {
    let day = of(&[("T1", "1", 10), ("T1", "2", 20), ("T2", "1", 40)]);
    let comes = of(&[("T1", "2", 100), ("T1", "3", 200)]);
    let sums = How::ALL.map(|how| net(&[(How::Add, &day), (how, &comes)]));
    assert_eq!(sums, [370, 350, 340, 300]);
    let composed = compose(&[(How::Add, &day), (How::ReplaceReceipts, &comes)]).expect("parts");
    assert_eq!(composed.origins, [(0, 0), (0, 2), (1, 0), (1, 1)]);
    assert_eq!(composed.day.lines.iter().map(|line| line.line_no).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(
        composed.day.tenders.iter().map(|tender| tender.amount).collect::<Vec<_>>(),
        [10, 40, 100, 200]
    );
    assert_eq!(tills(&composed.day), ["T1", "T2"]);
    assert_eq!(composed.day.tills().iter().map(|till| till.receipts).sum::<i64>(), 4);
    // Lines without a receipt are one receipt.
    let (old, new) = (totals_only(500), totals_only(700));
    assert_eq!(How::ALL.map(|how| net(&[(How::Add, &old), (how, &new)])), [1_200, 700, 700, 700]);
    // A day replaced as a whole keeps the numbers of its lines.
    let replaced = compose(&[(How::Add, &day), (How::ReplaceDays, &comes)]).expect("parts");
    assert_eq!((replaced.day, replaced.kept), (comes, vec![0, 6]));
}

#[test]
fn of_choices_that_leave_the_same_sales_the_plainest_is_offered() {
    use How::{Add, ReplaceDays, ReplaceReceipts, ReplaceTills};
    let there = of(&[("T1", "1", 10), ("T1", "2", 20), ("T2", "1", 40)]);
    let on = |there: &StoreDay, comes: &StoreDay| Outcomes::of(&[(Add, there)], comes);
    // Each replaces something else.
    let till = on(&there, &of(&[("T1", "2", 100), ("T1", "3", 200)]));
    assert_eq!(distinct(std::slice::from_ref(&till)), How::ALL);
    assert_eq!(till.sums().map(|(_, sums)| sums.net).collect::<Vec<_>>(), [370, 350, 340, 300]);
    // All receipts again, and one more.
    let whole = on(&there, &of(&[("T1", "1", 10), ("T1", "2", 20), ("T2", "1", 40), ("T2", "2", 5)]));
    assert_eq!(distinct(std::slice::from_ref(&whole)), [Add, ReplaceReceipts]);
    // Other receipts of one till; an app; totals.
    let later = on(&there, &of(&[("T1", "7", 100)]));
    assert_eq!(distinct(std::slice::from_ref(&later)), [Add, ReplaceTills, ReplaceDays]);
    let app = on(&there, &of(&[("", "GF-1", 450)]));
    assert_eq!(distinct(std::slice::from_ref(&app)), [Add, ReplaceDays]);
    assert_eq!(distinct(&[on(&there, &totals_only(60))]), [Add, ReplaceDays]);
    assert_eq!(distinct(&[on(&totals_only(50), &totals_only(60))]), [Add, ReplaceReceipts]);
    // The same sum is not the same sales.
    let free = on(&of(&[("T1", "1", 10), ("T1", "2", 0)]), &of(&[("T1", "1", 20)]));
    assert_eq!(free.sums().map(|(_, sums)| sums.net).collect::<Vec<_>>(), [30, 20, 20, 20]);
    assert_eq!(distinct(&[free]), [Add, ReplaceReceipts, ReplaceTills]);
    // Of several days, what differs on one of them.
    assert_eq!(distinct(&[whole.clone(), app.clone()]), [Add, ReplaceReceipts, ReplaceDays]);
    assert_eq!(distinct(&[app.clone(), app]), [Add, ReplaceDays]);
    assert_eq!(distinct(&[whole, till]), How::ALL);
}

fn some_day() -> impl Strategy<Value = StoreDay> {
    let name = prop::sample::select(vec!["T1", "T2", "T03", "3", ""]);
    let number = (prop::sample::select(vec!["", "0", "00", "A-", "B"]), 1u8..7);
    let slip =
        (name, number, 1i64..1_000).prop_map(|(name, (prefix, n), net)| (name, format!("{prefix}{n}"), net));
    prop::collection::vec(slip, 1..8).prop_map(|slips| {
        // A file has each receipt once.
        let once: BTreeMap<(String, String), Slip> =
            slips.into_iter().map(|slip| ((till(slip.0), plain(&slip.1)), slip)).collect();
        day(&once.into_values().collect::<Vec<_>>())
    })
}

fn some_how() -> impl Strategy<Value = How> {
    prop::sample::select(How::ALL.to_vec())
}

/// The day with a line that belongs to each of some lines, before or after all of them.
fn with_combos(day: StoreDay, every: usize, first: bool) -> StoreDay {
    let own = day.lines.clone();
    let ahead = if first { own.len().div_ceil(every) } else { 0 };
    let at = |n: usize| i32::try_from(n).expect("few");
    let combos = own.iter().enumerate().step_by(every);
    let parts: Vec<DayLine> =
        combos.map(|(n, line)| DayLine { parent: at(ahead + n), unit_price: 0, net: 0, ..*line }).collect();
    let lines = if first { [parts, own].concat() } else { [own, parts].concat() };
    StoreDay { lines, ..day }
}

proptest! {
    #[test]
    fn what_is_added_unasked_counts_each_receipt_once(parts in prop::collection::vec(some_day(), 1..6)) {
        let mut taken: Vec<(How, &StoreDay)> = Vec::new();
        for comes in &parts {
            if decide(&taken, comes) == Decision::Add {
                taken.push((How::UNASKED, comes));
            }
        }
        let whole = compose(&taken).expect("the first is taken").day;
        let mut seen = HashSet::new();
        for receipt in &whole.receipts {
            prop_assert!(seen.insert((till(&receipt.terminal), split(&receipt.number).1, split(&receipt.number).0)));
        }
        let sum: i64 = taken.iter().map(|(_, day)| day.totals().net).sum();
        prop_assert_eq!(whole.totals().net, sum);
        for (_, comes) in &taken {
            prop_assert!(matches!(decide(&taken, comes), Decision::Same(_)));
        }
    }

    #[test]
    fn a_composed_day_adds_up_to_its_lines(
        parts in prop::collection::vec((some_how(), some_day(), 1usize..4, any::<bool>()), 1..6)
    ) {
        let parts: Vec<(How, StoreDay)> =
            parts.into_iter().map(|(how, day, every, first)| (how, with_combos(day, every, first))).collect();
        let views: Vec<(How, &StoreDay)> = parts.iter().map(|(how, day)| (*how, day)).collect();
        let composed = compose(&views).expect("parts");
        prop_assert_eq!(composed.origins.len(), composed.day.lines.len());
        for (line, (part, at)) in composed.day.lines.iter().zip(&composed.origins) {
            let own = &parts[*part].1;
            prop_assert_eq!(line.net, own.lines[*at].net);
            let of = |day: &StoreDay, line: &DayLine| usize::try_from(line.receipt).ok().map(|at| day.receipts[at].clone());
            prop_assert_eq!(of(&composed.day, line), of(own, &own.lines[*at]));
            let belongs = usize::try_from(line.parent).ok().map(|to| composed.origins[to]);
            let belonged = usize::try_from(own.lines[*at].parent).ok().map(|to| (*part, to));
            prop_assert_eq!(belongs, belonged);
        }
        let paid: i64 = composed.day.tenders.iter().map(|tender| tender.amount).sum();
        prop_assert_eq!(paid, composed.day.totals().net);
        prop_assert!(StoreDay::unpack(&composed.day.pack()).is_some());
        // The last part always counts as a whole.
        let last = &parts[parts.len() - 1].1;
        prop_assert_eq!(composed.kept[parts.len() - 1], last.lines.len() + last.receipts.len() + last.tenders.len());
    }

    #[test]
    fn replacing_receipts_twice_is_once(first in some_day(), comes in some_day()) {
        let once = compose(&[(How::Add, &first), (How::ReplaceReceipts, &comes)]).expect("parts").day;
        let twice = compose(&[(How::Add, &first), (How::ReplaceReceipts, &comes), (How::ReplaceReceipts, &comes)]);
        prop_assert_eq!(twice.expect("parts").day.totals(), once.totals());
        let again = compose(&[(How::Add, &first), (How::ReplaceDays, &first)]).expect("parts").day;
        prop_assert_eq!(again, first);
    }
}
