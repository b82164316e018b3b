//! Merges the receipts of store days by number.

use std::collections::{BTreeMap, HashMap, HashSet};

use larder_domain::sales::day::{DayLine, Receipt, Tender};
use larder_domain::sales::existing::till_and_number;
use larder_domain::sales::facts::Facts;
use larder_domain::sales::{SoldItem, StoreDay};

#[derive(Default)]
struct Slip {
    receipt: Option<Receipt>,
    /// The parents of lines are indexes into these.
    lines: Vec<(DayLine, SoldItem)>,
    tenders: Vec<Tender>,
    facts: Option<Facts>,
}

/// Till and number; `None` for lines without a receipt.
type SlipKey = Option<(String, String)>;

fn slips(day: &StoreDay) -> BTreeMap<SlipKey, Slip> {
    let of = |at: i32| usize::try_from(at).ok().and_then(|at| day.receipts.get(at));
    let key = |receipt: Option<&Receipt>| receipt.map(|it| (it.terminal.clone(), it.number.clone()));
    let mut slips: BTreeMap<SlipKey, Slip> = BTreeMap::new();
    for receipt in &day.receipts {
        slips.entry(key(Some(receipt))).or_default().receipt = Some(receipt.clone());
    }
    // What belongs to a line is on its receipt.
    let mut places: Vec<i32> = Vec::with_capacity(day.lines.len());
    for line in &day.lines {
        let slip = slips.entry(key(of(line.receipt))).or_default();
        places.push(i32::try_from(slip.lines.len()).unwrap_or(-1));
        slip.lines.push((*line, day.items[line.item as usize].clone()));
    }
    for (line, _) in slips.values_mut().flat_map(|slip| &mut slip.lines) {
        line.parent = moved(line.parent, |at| places.get(at).copied());
    }
    for tender in &day.tenders {
        slips.entry(key(of(tender.receipt))).or_default().tenders.push(tender.clone());
    }
    for (receipt, facts) in &day.facts {
        slips.entry(key(of(*receipt))).or_default().facts = Some(*facts);
    }
    slips
}

/// The new index of a line that others belong to, or -1.
fn moved(parent: i32, to: impl Fn(usize) -> Option<i32>) -> i32 {
    usize::try_from(parent).ok().and_then(to).unwrap_or(-1)
}

/// The store day without sales.
pub(super) fn empty(day: &StoreDay) -> StoreDay {
    StoreDay {
        items: Vec::new(),
        receipts: Vec::new(),
        tenders: Vec::new(),
        facts: Vec::new(),
        lines: Vec::new(),
        ..day.clone()
    }
}

/// The day with receipts of another merged in by number, in order of numbers. A number with leading zeros is the one
/// without.
pub(super) fn merged(old: &StoreDay, new: &StoreDay) -> StoreDay {
    let mut all = slips(old);
    let again: HashSet<(String, String)> = new.receipts.iter().map(till_and_number).collect();
    all.retain(|_, slip| slip.receipt.as_ref().is_none_or(|it| !again.contains(&till_and_number(it))));
    all.extend(slips(new));
    let mut day = empty(new);
    let mut places: HashMap<SoldItem, u32> = HashMap::new();
    for (_, slip) in all {
        let place = match slip.receipt {
            Some(receipt) => {
                day.receipts.push(receipt);
                i32::try_from(day.receipts.len() - 1).unwrap_or(-1)
            }
            None => -1,
        };
        let before = day.lines.len();
        for (line, item) in slip.lines {
            let at = *places.entry(item.clone()).or_insert_with(|| {
                day.items.push(item);
                u32::try_from(day.items.len() - 1).unwrap_or(u32::MAX)
            });
            let line_no = u32::try_from(day.lines.len() + 1).unwrap_or(u32::MAX);
            let parent = moved(line.parent, |at| i32::try_from(before + at).ok());
            day.lines.push(DayLine { line_no, receipt: place, item: at, parent, ..line });
        }
        // In order of receipts; lines without one come first.
        day.facts.extend(slip.facts.map(|facts| (place, facts)));
        day.tenders.extend(slip.tenders.into_iter().map(|tender| Tender { receipt: place, ..tender }));
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;
    use larder_domain::sales::Kind;
    use larder_domain::sales::mapping::Field;

    fn day(receipts: &[(&str, &str, i64)]) -> StoreDay {
        let line = |at: usize, qty: i64| DayLine {
            line_no: 1,
            receipt: i32::try_from(at).expect("small"),
            seconds: -1,
            item: u32::try_from(at).expect("small"),
            kind: Kind::Sale,
            qty,
            unit_price: 100,
            discount: 0,
            net: qty / 10_000,
            parent: -1,
        };
        let item = |name: &str| SoldItem { pos_item_id: name.into(), source_item: name.into() };
        StoreDay {
            store_id: "s".into(),
            day: 20_000,
            source: "api".into(),
            items: receipts.iter().map(|(_, name, _)| item(name)).collect(),
            receipts: receipts
                .iter()
                .map(|(number, ..)| Receipt { number: (*number).to_owned(), ..Receipt::default() })
                .collect(),
            tenders: Vec::new(),
            facts: Vec::new(),
            lines: receipts.iter().enumerate().map(|(at, (_, _, qty))| line(at, *qty)).collect(),
        }
    }

    #[test]
    fn receipts_come_in_any_order_and_twice() {
        let (one, two) =
            (day(&[("1", "Rice", 1_000_000), ("2", "Soup", 2_000_000)]), day(&[("3", "Rice", 3_000_000)]));
        let empty = day(&[]);
        let forth = merged(&merged(&empty, &one), &two);
        let back = merged(&merged(&merged(&empty, &two), &one), &two);
        assert_eq!(forth, back);
        assert_eq!((forth.receipts.len(), forth.lines.len(), forth.items.len()), (3, 3, 2));
        let changed = merged(&forth, &day(&[("2", "Soup", 5_000_000)]));
        assert_eq!(changed.totals().qty, 9_000_000);
        // With zeros or in lower case it is the same receipt.
        let zeros = merged(&changed, &day(&[("0002", "Soup", 4_000_000)]));
        assert_eq!((zeros.totals().qty, zeros.receipts.len()), (8_000_000, 3));
        let letters =
            merged(&merged(&empty, &day(&[("A01", "Rice", 1_000_000)])), &day(&[("a1", "Rice", 2_000_000)]));
        assert_eq!((letters.totals().qty, letters.receipts.len()), (2_000_000, 1));
        // Facts of a receipt beside its lines are replaced with it.
        let mut second = day(&[("2", "Soup", 2_000_000)]);
        let mut facts = Facts::default();
        facts.set(Field::Senior, 2_000);
        second.facts.push((0, facts));
        let merged_day = merged(&forth, &second);
        assert_eq!(merged_day.facts, vec![(1, facts)]);
        assert_eq!(merged(&merged_day, &two).facts, merged_day.facts);
        assert_eq!(merged(&merged_day, &day(&[("2", "Soup", 1_000_000)])).facts, Vec::new());
    }

    #[test]
    fn what_belongs_to_a_line_comes_with_it() {
        let mut combos = day(&[("2", "Combo", 1_000_000), ("9", "Combo", 1_000_000)]);
        let part = |of: usize| DayLine { parent: i32::try_from(of).expect("small"), ..combos.lines[of] };
        let parts = [part(1), part(0)];
        combos.lines.extend(parts);
        let all = merged(&day(&[("1", "Rice", 1_000_000), ("9", "Soup", 1_000_000)]), &combos);
        let seen: Vec<_> = all.lines.iter().map(|line| (line.receipt, line.parent)).collect();
        assert_eq!(seen, [(0, -1), (1, -1), (1, 1), (2, -1), (2, 3)]);
    }
}
