//! A store-day: what one source says one store sold on one business date.

use std::collections::HashMap;
use std::sync::Arc;

use super::bom::BomBook;
use super::line::{Line, NONE, Tables};
use super::{Kind, UNMAPPED};

/// An item as a file names it, and the POS item it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SoldItem {
    /// A POS item's id, or [`UNMAPPED`] and the key of the name.
    pub pos_item_id: Arc<str>,
    /// The name in the file.
    pub source_item: Arc<str>,
}

/// A line of a store-day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayLine {
    /// The row in the file.
    pub line_no: u32,
    /// Place in the day's receipts, or -1.
    pub receipt: i32,
    /// Seconds since midnight (UTC+8), or -1.
    pub seconds: i32,
    /// Place in the day's items.
    pub item: u32,
    /// Sale, return or void.
    pub kind: Kind,
    /// Millionths.
    pub qty: i64,
    /// Centavos.
    pub unit_price: i64,
    /// Centavos.
    pub discount: i64,
    /// Centavos.
    pub net: i64,
}

impl DayLine {
    /// Whether the line adds to the day's sums.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.kind != Kind::Void || self.qty < 0
    }
}

/// A receipt of a store-day; its number is unique only with its terminal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receipt {
    /// The till, or empty.
    pub terminal: String,
    /// The number on the paper.
    pub number: String,
    /// Seconds since midnight of its first line, or -1.
    pub seconds: i32,
    /// Dine in, take out, delivery, or empty.
    pub service: String,
}

/// How a receipt was paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tender {
    /// Place in the day's receipts, or -1 for the day.
    pub receipt: i32,
    /// Cash, card, …
    pub kind: String,
    /// Centavos.
    pub amount: i64,
    /// An approval code or the like.
    pub reference: String,
}

/// The sums of a store-day or receipt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Lines, counted or not.
    pub lines: i64,
    /// Millionths.
    pub qty: i64,
    /// Centavos.
    pub gross: i64,
    /// Centavos.
    pub discount: i64,
    /// Centavos.
    pub net: i64,
}

impl Totals {
    fn add(&mut self, line: &DayLine) {
        self.lines += 1;
        if line.counts() {
            self.qty = self.qty.saturating_add(line.qty);
            self.gross = self.gross.saturating_add(line.net + line.discount);
            self.discount = self.discount.saturating_add(line.discount);
            self.net = self.net.saturating_add(line.net);
        }
    }
}

/// The sums of one POS item on a store-day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayItem {
    /// As in [`SoldItem`].
    pub pos_item_id: Arc<str>,
    /// The version of its bill of materials in force.
    pub bom_id: Option<Arc<str>>,
    /// Millionths.
    pub qty: i64,
    /// Centavos.
    pub gross: i64,
    /// Centavos.
    pub net: i64,
    /// Lines that count.
    pub lines: i64,
}

/// What one source says one store sold on one business date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreDay {
    /// The store.
    pub store_id: Arc<str>,
    /// Days since 1970-01-01.
    pub day: i32,
    /// `file`, `api`, ….
    pub source: Arc<str>,
    /// The items the lines name.
    pub items: Vec<SoldItem>,
    /// The receipts, in order of appearance; none when the file has only totals.
    pub receipts: Vec<Receipt>,
    /// How the receipts were paid, where known.
    pub tenders: Vec<Tender>,
    /// The lines, in order of the file.
    pub lines: Vec<DayLine>,
}

impl StoreDay {
    /// The day's sums.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        self.lines.iter().for_each(|line| totals.add(line));
        totals
    }

    /// The sums of each receipt, in the receipts' order.
    #[must_use]
    pub fn receipt_totals(&self) -> Vec<Totals> {
        let mut totals = vec![Totals::default(); self.receipts.len()];
        for line in &self.lines {
            if let Some(sum) = usize::try_from(line.receipt).ok().and_then(|at| totals.get_mut(at)) {
                sum.add(line);
            }
        }
        totals
    }

    /// The day's sums per POS item, sorted by it, with the bill of materials in force.
    #[must_use]
    pub fn day_items(&self, boms: &BomBook) -> Vec<DayItem> {
        let mut sums = vec![DaySum::default(); self.items.len()];
        for line in self.lines.iter().filter(|line| line.counts()) {
            let Some(sum) = sums.get_mut(line.item as usize) else { continue };
            sum.qty = sum.qty.saturating_add(line.qty);
            sum.gross = sum.gross.saturating_add(line.net + line.discount);
            sum.net = sum.net.saturating_add(line.net);
            sum.lines += 1;
        }
        let mut items: Vec<DayItem> = self
            .items
            .iter()
            .zip(sums)
            .filter(|(_, sum)| sum.lines > 0)
            .map(|(item, sum)| DayItem {
                pos_item_id: item.pos_item_id.clone(),
                bom_id: None,
                qty: sum.qty,
                gross: sum.gross,
                net: sum.net,
                lines: sum.lines,
            })
            .collect();
        items.sort_unstable_by(|a, b| a.pos_item_id.cmp(&b.pos_item_id));
        // Several names in a file may stand for one POS item.
        items.dedup_by(|next, kept| {
            let same = next.pos_item_id == kept.pos_item_id;
            if same {
                kept.qty = kept.qty.saturating_add(next.qty);
                kept.gross = kept.gross.saturating_add(next.gross);
                kept.net = kept.net.saturating_add(next.net);
                kept.lines += next.lines;
            }
            same
        });
        for item in &mut items {
            item.bom_id = boms.at(&item.pos_item_id, self.day).map(|bom| bom.id.clone());
        }
        items
    }

    /// The lines as one text: a fortieth of the rows, and still readable by SQL's JSON functions.
    #[must_use]
    pub fn pack(&self) -> String {
        let mut out = String::with_capacity(64 + self.items.len() * 48 + self.lines.len() * 40);
        out.push_str("{\"items\":");
        let items: Vec<(&str, &str)> =
            self.items.iter().map(|i| (i.pos_item_id.as_ref(), i.source_item.as_ref())).collect();
        out.push_str(&serde_json::to_string(&items).unwrap_or_default());
        out.push_str(",\"lines\":[");
        for (at, line) in self.lines.iter().enumerate() {
            out.push_str(if at == 0 { "[" } else { ",[" });
            push_number(&mut out, i64::from(line.line_no));
            let rest = [
                i64::from(line.receipt),
                i64::from(line.seconds),
                i64::from(line.item),
                i64::from(line.kind.code()),
                line.qty,
                line.unit_price,
                line.discount,
                line.net,
            ];
            for value in rest {
                out.push(',');
                push_number(&mut out, value);
            }
            out.push(']');
        }
        out.push_str("]}");
        out
    }

    /// Reads back what [`Self::pack`] wrote.
    ///
    /// # Errors
    /// When the text is something else.
    pub fn unpack(text: &str) -> Result<(Vec<SoldItem>, Vec<DayLine>), serde_json::Error> {
        let packed: Packed = serde_json::from_str(text)?;
        let items = packed
            .items
            .into_iter()
            .map(|(id, name)| SoldItem { pos_item_id: id.into(), source_item: name.into() })
            .collect();
        let lines = packed
            .lines
            .into_iter()
            .map(|(line_no, receipt, seconds, item, kind, qty, unit_price, discount, net)| DayLine {
                line_no,
                receipt,
                seconds,
                item,
                kind: Kind::from_code(kind).unwrap_or_default(),
                qty,
                unit_price,
                discount,
                net,
            })
            .collect();
        Ok((items, lines))
    }
}

#[derive(Clone, Copy, Default)]
struct DaySum {
    qty: i64,
    gross: i64,
    net: i64,
    lines: i64,
}

type PackedLine = (u32, i32, i32, u32, u8, i64, i64, i64, i64);

#[derive(serde::Deserialize)]
struct Packed {
    items: Vec<(String, String)>,
    lines: Vec<PackedLine>,
}

/// Writes a number without the formatting machinery: there are nine a line.
pub(super) fn push_number(out: &mut String, value: i64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push('-');
    }
    digits[at..].iter().for_each(|digit| out.push(char::from(*digit)));
}

/// What the names of a file stand for.
#[derive(Debug, Clone, Default)]
pub struct Resolved {
    /// The store of each store name; `None` is unknown.
    pub stores: Vec<Option<Arc<str>>>,
    /// The store of a file without a store column.
    pub fixed: Option<Arc<str>>,
    /// The POS item of each item; `None` is unmapped.
    pub items: Vec<Option<Arc<str>>>,
}

/// The lines of a file in the order of their store-days, ready to be cut into them.
#[derive(Debug)]
pub struct Sorted {
    lines: Vec<Line>,
    /// Store-days as ranges of `lines`.
    days: Vec<(Arc<str>, i32, std::ops::Range<usize>)>,
    items: Vec<SoldItem>,
}

/// Sorts lines by store, business date and row. Lines of unknown stores are left out.
#[must_use]
pub fn sort(mut lines: Vec<Line>, tables: &Tables, resolved: &Resolved) -> Sorted {
    let store_of = |store: u32| -> Option<&Arc<str>> {
        if store == NONE { resolved.fixed.as_ref() } else { resolved.stores.get(store as usize)?.as_ref() }
    };
    let mut ids: Vec<Arc<str>> = resolved.stores.iter().flatten().chain(&resolved.fixed).cloned().collect();
    ids.sort();
    ids.dedup();
    let ranks: Vec<Option<u32>> = (0..resolved.stores.len())
        .map(|at| {
            let id = resolved.stores[at].as_ref()?;
            u32::try_from(ids.binary_search(id).ok()?).ok()
        })
        .collect();
    let fixed = resolved.fixed.as_ref().and_then(|id| ids.binary_search(id).ok()).unwrap_or(0);
    let rank = |store: u32| -> u32 {
        if store == NONE {
            u32::try_from(fixed).unwrap_or(NONE)
        } else {
            ranks.get(store as usize).copied().flatten().unwrap_or(NONE)
        }
    };
    lines.retain(|line| store_of(line.store).is_some());
    lines.sort_unstable_by_key(|line| (rank(line.store), line.day, line.row));
    let mut days: Vec<(Arc<str>, i32, std::ops::Range<usize>)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(store) = store_of(line.store) else { continue };
        match days.last_mut() {
            Some((id, day, range)) if *day == line.day && id == store => range.end = at + 1,
            _ => days.push((store.clone(), line.day, at..at + 1)),
        }
    }
    let items = tables
        .items
        .iter()
        .enumerate()
        .map(|(at, seen)| SoldItem {
            pos_item_id: resolved
                .items
                .get(at)
                .cloned()
                .flatten()
                .unwrap_or_else(|| format!("{UNMAPPED}{}", seen.key).into()),
            source_item: seen.name.as_str().into(),
        })
        .collect();
    Sorted { lines, days, items }
}

impl Sorted {
    /// How many store-days there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.days.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.days.is_empty()
    }

    /// How many lines a store-day has.
    #[must_use]
    pub fn lines_of(&self, at: usize) -> usize {
        self.days[at].2.len()
    }

    /// Store and day of every store-day.
    pub fn keys(&self) -> impl Iterator<Item = (&Arc<str>, i32)> {
        self.days.iter().map(|(store, day, _)| (store, *day))
    }

    /// One store-day, its lines gathered into receipts.
    #[must_use]
    pub fn store_day(&self, at: usize, tables: &Tables, source: &Arc<str>) -> StoreDay {
        let (store_id, day, range) = &self.days[at];
        let mut items = Vec::new();
        let mut item_places: HashMap<u32, u32> = HashMap::new();
        let mut receipts: Vec<Receipt> = Vec::new();
        let mut receipt_places: HashMap<(u32, u32), i32> = HashMap::new();
        let mut lines = Vec::with_capacity(range.len());
        let mut last = ((NONE, NONE), -1);
        for line in &self.lines[range.clone()] {
            let item = *item_places.entry(line.item).or_insert_with(|| {
                items.push(self.items[line.item as usize].clone());
                u32::try_from(items.len() - 1).unwrap_or(u32::MAX)
            });
            let key = (line.terminal, line.receipt);
            let receipt = if line.receipt == NONE {
                -1
            } else if last.0 == key {
                last.1
            } else {
                *receipt_places.entry(key).or_insert_with(|| {
                    receipts.push(Receipt {
                        terminal: text(&tables.terminals, line.terminal),
                        number: text(&tables.receipts, line.receipt),
                        seconds: line.seconds,
                        service: text(&tables.services, line.service),
                    });
                    i32::try_from(receipts.len() - 1).unwrap_or(-1)
                })
            };
            last = (key, receipt);
            lines.push(DayLine {
                line_no: line.row,
                receipt,
                seconds: line.seconds,
                item,
                kind: line.kind,
                qty: line.qty,
                unit_price: line.unit_price,
                discount: line.discount,
                net: line.net,
            });
        }
        StoreDay {
            store_id: store_id.clone(),
            day: *day,
            source: source.clone(),
            items,
            receipts,
            tenders: Vec::new(),
            lines,
        }
    }
}

fn text(names: &super::names::Interner, id: u32) -> String {
    if id == NONE { String::new() } else { names.text(id).into_owned() }
}

/// A change of one posted line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineChange {
    /// Which line.
    pub line_no: u32,
    /// The new quantity, in millionths.
    pub qty: Option<i64>,
    /// The new price of one, in centavos.
    pub unit_price: Option<i64>,
    /// The new discount, in centavos.
    pub discount: Option<i64>,
    /// The POS item it was in truth.
    pub pos_item_id: Option<Arc<str>>,
    /// Whether it goes.
    pub remove: bool,
}

impl StoreDay {
    /// Applies corrections; the net of a changed line is quantity × price − discount again.
    ///
    /// # Errors
    /// The line and what is wrong with its change.
    pub fn correct(&mut self, changes: &[LineChange]) -> Result<(), (u32, &'static str)> {
        for change in changes {
            let Some(at) = self.lines.iter().position(|line| line.line_no == change.line_no) else {
                return Err((change.line_no, "This day has no such line."));
            };
            if change.remove {
                self.lines.remove(at);
                continue;
            }
            if let Some(id) = &change.pos_item_id {
                let item = SoldItem {
                    pos_item_id: id.clone(),
                    source_item: self.items[self.lines[at].item as usize].source_item.clone(),
                };
                let place = self.items.iter().position(|known| *known == item).unwrap_or_else(|| {
                    self.items.push(item);
                    self.items.len() - 1
                });
                self.lines[at].item = u32::try_from(place).unwrap_or(u32::MAX);
            }
            let line = &mut self.lines[at];
            if change.qty.is_none() && change.unit_price.is_none() && change.discount.is_none() {
                continue;
            }
            line.qty = change.qty.unwrap_or(line.qty);
            line.unit_price = change.unit_price.unwrap_or(line.unit_price);
            line.discount = change.discount.unwrap_or(line.discount);
            if line.unit_price < 0 {
                return Err((change.line_no, "A price cannot be negative."));
            }
            if line.qty >= 0 && line.discount < 0 {
                return Err((change.line_no, "A discount cannot be negative."));
            }
            match (line.kind, line.qty < 0) {
                (Kind::Sale, true) => line.kind = Kind::Return,
                (Kind::Return, false) => line.kind = Kind::Sale,
                _ => {}
            }
            let gross = crate::Qty(line.qty).times(crate::Money(line.unit_price));
            line.net = gross
                .and_then(|gross| gross.0.checked_sub(line.discount))
                .filter(|net| net.abs() <= super::line::MAX_AMOUNT && line.qty.abs() <= super::line::MAX_QTY)
                .ok_or((change.line_no, "The quantity or the amount is too large for one line."))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(line_no: u32, item: u32, kind: Kind, qty: i64, net: i64) -> DayLine {
        DayLine { line_no, receipt: -1, seconds: -1, item, kind, qty, unit_price: 100, discount: 0, net }
    }

    fn store_day(lines: Vec<DayLine>) -> StoreDay {
        let item = |id: &str, name: &str| SoldItem { pos_item_id: id.into(), source_item: name.into() };
        StoreDay {
            store_id: "store".into(),
            day: 18_000,
            source: "file".into(),
            items: vec![item("b", "Bread"), item("a", "Jam \"red\""), item("b", "bread roll")],
            receipts: Vec::new(),
            tenders: Vec::new(),
            lines,
        }
    }

    #[test]
    fn names_of_one_pos_item_are_summed_together() {
        let day = store_day(vec![
            line(2, 0, Kind::Sale, 1_000_000, 100),
            line(3, 1, Kind::Sale, 2_000_000, 200),
            line(4, 2, Kind::Return, -3_000_000, -300),
            line(5, 0, Kind::Void, 9_000_000, 900),
            line(6, 0, Kind::Void, -1_000_000, -100),
        ]);
        let items = day.day_items(&BomBook::default());
        let seen: Vec<_> = items.iter().map(|i| (i.pos_item_id.as_ref(), i.qty, i.net, i.lines)).collect();
        assert_eq!(seen, [("a", 2_000_000, 200, 1), ("b", -3_000_000, -300, 3)]);
        assert_eq!(day.totals().net, -100);
        assert_eq!(day.totals().lines, 5);
    }

    #[test]
    fn a_correction_changes_only_what_it_names() {
        let mut day =
            store_day(vec![line(2, 0, Kind::Sale, 1_000_000, 100), line(3, 1, Kind::Sale, 1_000_000, 100)]);
        let changes = [
            LineChange { line_no: 2, qty: Some(-2_000_000), ..LineChange::default() },
            LineChange { line_no: 3, pos_item_id: Some("c".into()), ..LineChange::default() },
        ];
        day.correct(&changes).expect("both lines are there");
        assert_eq!((day.lines[0].net, day.lines[0].kind), (-200, Kind::Return));
        assert_eq!(day.lines[1].net, 100);
        assert_eq!(day.items[day.lines[1].item as usize].pos_item_id.as_ref(), "c");
        let gone = [LineChange { line_no: 2, remove: true, ..LineChange::default() }];
        day.correct(&gone).expect("the line is there");
        assert!(day.correct(&gone).is_err());
    }

    proptest! {
        #[test]
        fn packing_loses_nothing(
            values in proptest::collection::vec((any::<u32>(), -1i32..500, -1i32..86_400, 0u32..3, any::<i64>(), any::<i64>()), 0..40)
        ) {
            let lines: Vec<DayLine> = values
                .into_iter()
                .map(|(line_no, receipt, seconds, item, qty, net)| DayLine {
                    receipt, seconds, ..line(line_no, item, Kind::Return, qty, net)
                })
                .collect();
            let day = store_day(lines);
            let (items, lines) = StoreDay::unpack(&day.pack()).expect("what was packed");
            prop_assert_eq!(items, day.items);
            prop_assert_eq!(lines, day.lines);
        }
    }
}
