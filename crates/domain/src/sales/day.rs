//! A store-day: one source's sales of one store on one business date.

mod correct;
pub(super) mod family;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::bytes::{Bytes, put, put_bits, put_size, put_text};
use super::facts::{Beside, Facts};
use super::line::{Line, NONE, Tables};
use super::mapping::Field;
use super::names::QuickMap;
use super::sums::Figures;
use super::{Kind, UNMAPPED, ticket};
use crate::BusinessDay;
use crate::day_starts::DayStarts;
pub use correct::LineChange;

/// An item as named in a file, and its POS item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SoldItem {
    /// A POS item's id, or [`UNMAPPED`] and the key of the name.
    pub pos_item_id: Arc<str>,
    pub source_item: Arc<str>,
}

/// A posted line of a store-day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayLine {
    /// The row in the file.
    pub line_no: u32,
    /// Index into the day's receipts, or -1.
    pub receipt: i32,
    /// Seconds since midnight (UTC+8) of the business date, past 86,400 after its midnight; -1 if unknown.
    pub seconds: i32,
    /// Index into the day's items.
    pub item: u32,
    pub kind: Kind,
    /// Millionths.
    pub qty: i64,
    /// Centavos.
    pub unit_price: i64,
    /// Centavos.
    pub discount: i64,
    /// Centavos.
    pub net: i64,
    /// Index of the line it belongs to, as the part of a combo or a modifier does, or -1. That line is of the same receipt
    /// and belongs to none itself; it may come before or after.
    pub parent: i32,
}

impl DayLine {
    /// Whether the line is included in the day's sums.
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
    /// The printed number.
    pub number: String,
    /// Seconds since midnight of its first line, as on a line.
    pub seconds: i32,
    /// Dine in, take out, delivery, or empty.
    pub service: String,
    /// The order channel, or empty.
    pub channel: String,
}

/// A payment of a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tender {
    /// Index into the day's receipts, or -1 for the day.
    pub receipt: i32,
    /// Cash, card, …
    pub kind: String,
    /// Centavos.
    pub amount: i64,
    /// Such as an approval code.
    pub reference: String,
}

/// The sums of a store-day or receipt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Lines, included in the sums or not.
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

/// The stored sums of one POS item on a store-day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayItem {
    /// The item's number.
    pub item: u32,
    /// The version of its bill of materials in force, by its position in the item's history.
    pub bom: Option<i64>,
    /// Quantity in millionths, gross and net in centavos, lines included.
    pub figures: Figures<4>,
}

/// The sums of a store-day per POS item, by its id.
pub type ItemSums = Vec<(Arc<str>, Figures<4>)>;

/// Encodes the items of a store-day, sorted by number.
#[must_use]
pub fn pack_items(items: &[DayItem]) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 + items.len() * 10);
    put_size(&mut out, items.len());
    let mut last = 0;
    for item in items {
        put_bits(&mut out, u64::from(item.item.wrapping_sub(last)));
        last = item.item;
    }
    for item in items {
        put(&mut out, item.bom.unwrap_or(0));
        let [qty, gross, net, lines] = item.figures;
        put_qty(&mut out, qty);
        put(&mut out, net);
        put(&mut out, gross.wrapping_sub(net));
        put(&mut out, lines);
    }
    out
}

/// Decodes the output of [`pack_items`]; `None` on anything else.
#[must_use]
pub fn unpack_items(packed: &[u8]) -> Option<Vec<DayItem>> {
    let mut bytes = Bytes(packed);
    let mut items = vec![DayItem { item: 0, bom: None, figures: [0; 4] }; bytes.size()?];
    let mut last = 0u32;
    for item in &mut items {
        last = last.wrapping_add(bytes.small()?);
        item.item = last;
    }
    for item in &mut items {
        item.bom = Some(bytes.take()?).filter(|seq| *seq != 0);
        let (qty, net, off, lines) = (take_qty(&mut bytes)?, bytes.take()?, bytes.take()?, bytes.take()?);
        item.figures = [qty, net.wrapping_add(off), net, lines];
    }
    bytes.0.is_empty().then_some(items)
}

const MILLION: i64 = 1_000_000;

/// Mostly integers: twice the number; odd values are millionths.
fn put_qty(out: &mut Vec<u8>, qty: i64) {
    if qty % MILLION == 0 {
        put(out, qty / MILLION * 2);
    } else {
        put(out, 1);
        put(out, qty);
    }
}

fn take_qty(bytes: &mut Bytes<'_>) -> Option<i64> {
    match bytes.take()? {
        1 => bytes.take(),
        whole => (whole / 2).checked_mul(MILLION),
    }
}

/// The sales of one till of a store-day, by its receipts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Till {
    /// The till, or empty.
    pub terminal: String,
    /// Number of receipts.
    pub receipts: i64,
    /// Number of receipts with an item sold and not voided.
    pub tickets: i64,
    /// Their net sales without returns, in centavos.
    pub ticket_net: i64,
    pub totals: Totals,
}

/// The sum of the receipt-level figures of one till of a store-day. Amounts in centavos: gross − all discounts −
/// returns − voids = net.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TillFacts {
    /// The till, or empty.
    pub terminal: String,
    /// Number of receipts.
    pub receipts: i64,
    /// Sales and voided lines, before discounts.
    pub gross: i64,
    pub net: i64,
    /// Positive, before discounts.
    pub returns: i64,
    /// Positive, before discounts.
    pub voids: i64,
    /// All other figures.
    pub facts: Facts,
}

/// One source's sales of one store on one business date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreDay {
    pub store_id: Arc<str>,
    /// Days since 1970-01-01.
    pub day: i32,
    /// `file`, `api`, ….
    pub source: Arc<str>,
    /// The items of the lines.
    pub items: Vec<SoldItem>,
    /// The receipts, in order of appearance; empty when the file has only totals.
    pub receipts: Vec<Receipt>,
    /// The payments, where known.
    pub tenders: Vec<Tender>,
    /// Receipt-level figures, by index into `receipts`, -1 for the day; in that order, only where there are any.
    pub facts: Vec<(i32, Facts)>,
    /// The lines, in file order.
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

    /// The sums of each till that has receipts, by its name.
    #[must_use]
    pub fn tills(&self) -> Vec<Till> {
        let mut tills: Vec<Till> = Vec::new();
        let mut place_of: Vec<usize> = Vec::with_capacity(self.receipts.len());
        for receipt in &self.receipts {
            let known = tills.iter().position(|till| till.terminal == receipt.terminal);
            let place = known.unwrap_or_else(|| {
                let (terminal, totals) = (receipt.terminal.clone(), Totals::default());
                tills.push(Till { terminal, receipts: 0, tickets: 0, ticket_net: 0, totals });
                tills.len() - 1
            });
            tills[place].receipts += 1;
            place_of.push(place);
        }
        for line in &self.lines {
            if let Some(place) = usize::try_from(line.receipt).ok().and_then(|at| place_of.get(at)) {
                tills[*place].totals.add(line);
            }
        }
        let mut tickets = ticket::by_till(&self.receipts, &self.lines);
        for till in &mut tills {
            (till.tickets, till.ticket_net) = tickets.remove(till.terminal.as_str()).unwrap_or_default();
        }
        tills.sort_unstable_by(|a, b| a.terminal.cmp(&b.terminal));
        tills
    }

    /// The receipt-level figures of each till, by its name; empty where no receipt has any.
    #[must_use]
    pub fn till_facts(&self) -> Vec<TillFacts> {
        if self.facts.is_empty() && self.tenders.is_empty() {
            return Vec::new();
        }
        let till = |receipt: i32| {
            let of = usize::try_from(receipt).ok().and_then(|at| self.receipts.get(at));
            of.map_or("", |receipt| receipt.terminal.as_str())
        };
        let mut tills: BTreeMap<&str, TillFacts> = BTreeMap::new();
        for receipt in &self.receipts {
            tills.entry(&receipt.terminal).or_default().receipts += 1;
        }
        // Discounts by the lines; the receipt's discounts by type are included in it.
        let mut taken_off: BTreeMap<&str, i64> = BTreeMap::new();
        for line in &self.lines {
            let at = till(line.receipt);
            let sums = tills.entry(at).or_default();
            let (gross, back) = (line.net.saturating_add(line.discount), line.qty < 0);
            match line.kind {
                Kind::Void if back => sums.voids = sums.voids.saturating_sub(gross),
                Kind::Return => sums.returns = sums.returns.saturating_sub(gross),
                Kind::Void => {
                    sums.voids = sums.voids.saturating_add(gross);
                    sums.gross = sums.gross.saturating_add(gross);
                }
                Kind::Sale => sums.gross = sums.gross.saturating_add(gross),
            }
            if line.counts() {
                let off = taken_off.entry(at).or_default();
                *off = off.saturating_add(line.discount);
                sums.net = sums.net.saturating_add(line.net);
            }
        }
        for (receipt, facts) in &self.facts {
            tills.entry(till(*receipt)).or_default().facts.add(facts);
        }
        for (terminal, sums) in &mut tills {
            sums.terminal = (*terminal).to_owned();
            let off = taken_off.get(terminal).copied().unwrap_or(0);
            let typed = sums.facts.discounts();
            // The remainder without a type is another discount; discounts given only by type were deducted before the
            // amounts.
            match typed < off {
                true => {
                    sums.facts.set(Field::OtherDiscount, sums.facts.get(Field::OtherDiscount) + off - typed)
                }
                false => sums.gross = sums.gross.saturating_add(typed - off),
            }
        }
        tills.into_values().collect()
    }

    /// The day's sums per POS item, sorted by it.
    #[must_use]
    pub fn item_sums(&self) -> ItemSums {
        let mut sums = vec![[0i64; 4]; self.items.len()];
        for line in self.lines.iter().filter(|line| line.counts()) {
            let Some(sum) = sums.get_mut(line.item as usize) else { continue };
            let more = [line.qty, line.net + line.discount, line.net, 1];
            for (sum, more) in sum.iter_mut().zip(more) {
                *sum = sum.saturating_add(more);
            }
        }
        let mut items: ItemSums = self
            .items
            .iter()
            .zip(sums)
            .filter(|(_, [.., lines])| *lines > 0)
            .map(|(item, figures)| (item.pos_item_id.clone(), figures))
            .collect();
        items.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        // Several names in a file may map to one POS item.
        items.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1.iter_mut().zip(next.1).for_each(|(sum, more)| *sum = sum.saturating_add(more));
            }
            same
        });
        items
    }

    /// Encodes items, receipts and lines into one row: a fortieth of the rows, and some ten bytes per line.
    ///
    /// Lines are delta-encoded against the previous line; a price against the item's last one, the net against quantity
    /// × price − discount.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + self.items.len() * 48 + self.lines.len() * 12);
        put_size(&mut out, self.items.len());
        for item in &self.items {
            put_text(&mut out, &item.pos_item_id);
            put_text(&mut out, &item.source_item);
        }
        put_size(&mut out, self.receipts.len());
        let mut last = &Receipt::default();
        for receipt in &self.receipts {
            // Neighbours mostly share till and service.
            let same = (receipt.terminal == last.terminal, receipt.service == last.service);
            let moved = receipt.channel != last.channel;
            out.push(u8::from(same.0) | u8::from(same.1) << 1 | u8::from(moved) << 2);
            if !same.0 {
                put_text(&mut out, &receipt.terminal);
            }
            if !same.1 {
                put_text(&mut out, &receipt.service);
            }
            if moved {
                put_text(&mut out, &receipt.channel);
            }
            put_text(&mut out, &receipt.number);
            put(&mut out, i64::from(receipt.seconds) - i64::from(last.seconds));
            last = receipt;
        }
        put_size(&mut out, self.lines.len());
        let mut prices = vec![0i64; self.items.len()];
        let (mut row, mut receipt, mut seconds) = (0i64, 0i64, 0i64);
        for line in &self.lines {
            put(&mut out, i64::from(line.line_no) - row);
            put(&mut out, i64::from(line.receipt) - receipt);
            put(&mut out, i64::from(line.seconds) - seconds);
            (row, receipt, seconds) = (line.line_no.into(), line.receipt.into(), line.seconds.into());
            put_bits(&mut out, u64::from(line.item));
            out.push(line.kind.code());
            put_qty(&mut out, line.qty);
            let mut none = 0;
            let price = prices.get_mut(line.item as usize).unwrap_or(&mut none);
            put(&mut out, line.unit_price.wrapping_sub(*price));
            *price = line.unit_price;
            put(&mut out, line.discount);
            put(&mut out, line.net.wrapping_sub(expected(line.qty, line.unit_price, line.discount)));
        }
        // After the lines, and only if there are any: the encoding of a store-day without them is unchanged.
        let has_families = self.lines.iter().any(|line| line.parent >= 0);
        if !self.facts.is_empty() || has_families {
            put_size(&mut out, self.facts.len());
            let mut last = -1;
            for (receipt, facts) in &self.facts {
                put(&mut out, i64::from(*receipt) - last);
                last = i64::from(*receipt);
                facts.write(&mut out);
            }
        }
        if has_families {
            family::put_parents(&mut out, &self.lines);
        }
        out
    }

    /// Decodes the output of [`Self::pack`]; `None` on anything else.
    #[must_use]
    pub fn unpack(packed: &[u8]) -> Option<Unpacked> {
        let mut bytes = Bytes(packed);
        let count = bytes.size()?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(SoldItem { pos_item_id: bytes.text()?.into(), source_item: bytes.text()?.into() });
        }
        let count = bytes.size()?;
        let mut receipts: Vec<Receipt> = Vec::with_capacity(count);
        let first = Receipt::default();
        for _ in 0..count {
            let last = receipts.last().unwrap_or(&first);
            let same = bytes.small()?;
            let terminal = if same & 1 == 0 { bytes.text()?.to_owned() } else { last.terminal.clone() };
            let service = if same & 2 == 0 { bytes.text()?.to_owned() } else { last.service.clone() };
            let channel = if same & 4 == 0 { last.channel.clone() } else { bytes.text()?.to_owned() };
            let number = bytes.text()?.to_owned();
            let seconds = i32::try_from(bytes.take()?.checked_add(last.seconds.into())?).ok()?;
            receipts.push(Receipt { terminal, number, seconds, service, channel });
        }
        let count = bytes.size()?;
        let mut lines = Vec::with_capacity(count);
        let mut prices = vec![0i64; items.len()];
        let (mut row, mut receipt, mut seconds) = (0i64, 0i64, 0i64);
        for _ in 0..count {
            row = row.checked_add(bytes.take()?)?;
            receipt = receipt.checked_add(bytes.take()?)?;
            seconds = seconds.checked_add(bytes.take()?)?;
            let item = bytes.small()?;
            let price = prices.get_mut(item as usize)?;
            let kind = Kind::from_code(u8::try_from(bytes.small()?).ok()?)?;
            let qty = take_qty(&mut bytes)?;
            *price = price.wrapping_add(bytes.take()?);
            let discount = bytes.take()?;
            lines.push(DayLine {
                line_no: row.try_into().ok()?,
                receipt: receipt.try_into().ok()?,
                seconds: seconds.try_into().ok()?,
                item,
                kind,
                qty,
                unit_price: *price,
                discount,
                net: expected(qty, *price, discount).wrapping_add(bytes.take()?),
                parent: -1,
            });
        }
        let mut facts = Vec::new();
        if !bytes.0.is_empty() {
            let mut last = -1i64;
            for _ in 0..bytes.size()? {
                last = last.checked_add(bytes.take()?)?;
                facts.push((i32::try_from(last).ok()?, Facts::read(&mut bytes)?));
            }
        }
        if !bytes.0.is_empty() {
            family::take_parents(&mut bytes, &mut lines)?;
        }
        bytes.0.is_empty().then_some(Unpacked { items, receipts, lines, facts })
    }
}

/// The decoded output of [`StoreDay::pack`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// The items of the lines.
    pub items: Vec<SoldItem>,
    pub receipts: Vec<Receipt>,
    pub lines: Vec<DayLine>,
    /// As in [`StoreDay::facts`].
    pub facts: Vec<(i32, Facts)>,
}

/// The net of a line with an integer quantity; only a prediction, against which packing encodes the difference.
fn expected(qty: i64, price: i64, discount: i64) -> i64 {
    (qty / MILLION).wrapping_mul(price).wrapping_sub(discount)
}

/// The mapping of a file's names.
#[derive(Debug, Clone, Default)]
pub struct Resolved {
    /// The store of each store name; `None` is unknown.
    pub stores: Vec<Option<Arc<str>>>,
    /// The store of a file without a store column.
    pub fixed: Option<Arc<str>>,
    /// The POS item of each item; `None` is unmapped.
    pub items: Vec<Option<Arc<str>>>,
    /// When the days of stores begin, by store; a missing one begins its days at midnight.
    pub starts: HashMap<Arc<str>, DayStarts>,
    /// Whether dates are those of the calendar; otherwise they are business dates, and only times after midnight move.
    pub calendar_days: bool,
}

impl Resolved {
    /// The store of a line; `None` is unknown.
    #[must_use]
    pub fn store_of(&self, line: &Line) -> Option<&Arc<str>> {
        if line.store == NONE { self.fixed.as_ref() } else { self.stores.get(line.store as usize)?.as_ref() }
    }

    /// A line on its business date, with seconds since midnight of that date. Placing it again changes nothing.
    #[must_use]
    pub fn placed(&self, line: Line) -> Line {
        let Some(starts) = self.store_of(&line).and_then(|store| self.starts.get(store)) else { return line };
        let day = BusinessDay(line.day);
        let (day, seconds) = match self.calendar_days {
            true => starts.business_day(day, line.seconds),
            false => (day, starts.seconds_within(day, line.seconds)),
        };
        Line { day: day.0, seconds, ..line }
    }
}

/// A file's lines ordered by store-day, ready to be split.
#[derive(Debug)]
pub struct Sorted {
    lines: Vec<Line>,
    /// Indexes of lines, store-day by store-day.
    order: Vec<u32>,
    /// Store-days as ranges of `order`.
    days: Vec<(Arc<str>, i32, std::ops::Range<usize>)>,
    items: Vec<SoldItem>,
}

/// Sorts lines by store, business date and row. Calendar days become business dates by the starts of the stores' days.
/// Lines of unknown stores are left out.
#[must_use]
pub fn sort(mut lines: Vec<Line>, tables: &Tables, resolved: &Resolved) -> Sorted {
    if !resolved.starts.is_empty() {
        lines.iter_mut().for_each(|line| *line = resolved.placed(*line));
    }
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
    // Lines are not moved; only their indexes are sorted, store-day by store-day.
    let mut groups: QuickMap<(u32, i32), usize> = QuickMap::default();
    let mut found: Vec<((u32, i32), u32, Vec<u32>)> = Vec::new();
    let mut last = None;
    for (at, line) in lines.iter().enumerate() {
        if store_of(line.store).is_none() {
            continue;
        }
        let key = (line.store, line.day);
        let group = match last {
            Some((known, group)) if known == key => group,
            _ => *groups.entry((rank(line.store), line.day)).or_insert_with_key(|key| {
                found.push((*key, line.store, Vec::new()));
                found.len() - 1
            }),
        };
        last = Some((key, group));
        found[group].2.push(u32::try_from(at).unwrap_or(u32::MAX));
    }
    found.sort_unstable_by_key(|(key, ..)| *key);
    let mut order: Vec<u32> = Vec::with_capacity(lines.len());
    let mut days: Vec<(Arc<str>, i32, std::ops::Range<usize>)> = Vec::with_capacity(found.len());
    for ((_, day), store, mut places) in found {
        let Some(store) = store_of(store) else { continue };
        // The modifiers of a row follow its line.
        let row = |at: &u32| (lines[*at as usize].row, lines[*at as usize].parent != NONE);
        if !places.is_sorted_by_key(row) {
            places.sort_by_key(row);
        }
        let start = order.len();
        order.append(&mut places);
        days.push((store.clone(), day, start..order.len()));
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
    Sorted { lines, order, days, items }
}

impl Sorted {
    /// The number of store-days.
    #[must_use]
    pub fn len(&self) -> usize {
        self.days.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.days.is_empty()
    }

    /// The number of lines of a store-day.
    #[must_use]
    pub fn lines_of(&self, at: usize) -> usize {
        self.days[at].2.len()
    }

    /// Store and day of every store-day.
    pub fn keys(&self) -> impl Iterator<Item = (&Arc<str>, i32)> {
        self.days.iter().map(|(store, day, _)| (store, *day))
    }

    /// One store-day, its lines grouped into receipts.
    #[must_use]
    pub fn store_day(&self, at: usize, tables: &Tables, source: &Arc<str>) -> StoreDay {
        let (store_id, day, range) = &self.days[at];
        let mut items = Vec::new();
        let mut item_places: QuickMap<u32, u32> = QuickMap::default();
        let mut receipts: Vec<Receipt> = Vec::new();
        let mut receipt_places: QuickMap<(u32, u32), i32> = QuickMap::default();
        let mut lines = Vec::with_capacity(range.len());
        let mut children: Vec<(usize, u32)> = Vec::new();
        let mut last = ((NONE, NONE), -1);
        let mut facts: BTreeMap<i32, Facts> = BTreeMap::new();
        let mut tenders: BTreeMap<(i32, u32, String), i64> = BTreeMap::new();
        let places = &self.order[range.clone()];
        let of_day = |at: usize| &self.lines[places[at] as usize];
        let reduced = (0..places.len()).any(|at| of_day(at).is_discount()).then(|| {
            let mut lines: Vec<Line> = (0..places.len()).map(|at| *of_day(at)).collect();
            super::spread::discounts(&mut lines);
            lines
        });
        for line in
            (0..places.len()).map(|at| reduced.as_ref().map_or_else(|| of_day(at), |lines| &lines[at]))
        {
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
                        channel: String::new(),
                    });
                    i32::try_from(receipts.len() - 1).unwrap_or(-1)
                })
            };
            last = (key, receipt);
            if line.beside != NONE
                && let Some(beside) = Beside::read(&tables.beside, line.beside)
            {
                let of = usize::try_from(receipt).ok().and_then(|at| receipts.get_mut(at));
                if let Some(of) = of.filter(|of| of.channel.is_empty()) {
                    of.channel = text(&tables.channels, beside.channel);
                }
                if !beside.facts.is_empty() {
                    facts.entry(receipt).or_default().add(&beside.facts);
                }
                for (kind, amount, reference) in beside.tenders {
                    let paid = tenders.entry((receipt, kind, reference)).or_default();
                    *paid = paid.saturating_add(amount);
                }
            }
            if line.is_carrier() {
                continue;
            }
            let item = *item_places.entry(line.item).or_insert_with(|| {
                items.push(self.items[line.item as usize].clone());
                u32::try_from(items.len() - 1).unwrap_or(u32::MAX)
            });
            if line.parent != NONE {
                children.push((lines.len(), line.parent));
            }
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
                parent: -1,
            });
        }
        family::join(&mut lines, &children);
        StoreDay {
            store_id: store_id.clone(),
            day: *day,
            source: source.clone(),
            items,
            receipts,
            tenders: tenders
                .into_iter()
                .filter(|(_, amount)| *amount != 0)
                .map(|((receipt, kind, reference), amount)| Tender {
                    receipt,
                    kind: text(&tables.tenders, kind),
                    amount,
                    reference,
                })
                .collect(),
            facts: facts.into_iter().filter(|(_, facts)| !facts.is_empty()).collect(),
            lines,
        }
    }
}

fn text(names: &super::names::Interner, id: u32) -> String {
    if (id as usize) < names.len() { names.text(id).into_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(super) fn line(line_no: u32, item: u32, kind: Kind, qty: i64, net: i64) -> DayLine {
        DayLine {
            line_no,
            receipt: -1,
            seconds: -1,
            item,
            kind,
            qty,
            unit_price: 100,
            discount: 0,
            net,
            parent: -1,
        }
    }

    pub(super) fn store_day(lines: Vec<DayLine>) -> StoreDay {
        let item = |id: &str, name: &str| SoldItem { pos_item_id: id.into(), source_item: name.into() };
        StoreDay {
            store_id: "store".into(),
            day: 18_000,
            source: "file".into(),
            items: vec![item("b", "Bread"), item("a", "Jam \"red\""), item("b", "bread roll")],
            receipts: Vec::new(),
            tenders: Vec::new(),
            facts: Vec::new(),
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
        let items = day.item_sums();
        let seen: Vec<_> =
            items.iter().map(|(id, [qty, _, net, lines])| (&**id, *qty, *net, *lines)).collect();
        assert_eq!(seen, [("a", 2_000_000, 200, 1), ("b", -3_000_000, -300, 3)]);
        assert_eq!(day.totals().net, -100);
        assert_eq!(day.totals().lines, 5);
    }

    proptest! {
        #[test]
        fn packing_loses_nothing(
            values in proptest::collection::vec((any::<u32>(), -1i32..500, -1i32..129_600, 0u32..3, any::<i64>(), any::<i64>()), 0..40)
        ) {
            let lines: Vec<DayLine> = values
                .into_iter()
                .map(|(line_no, receipt, seconds, item, qty, net)| DayLine {
                    receipt, seconds, ..line(line_no, item, Kind::Return, qty, net)
                })
                .collect();
            let receipt = |n: usize| Receipt {
                terminal: format!("T{}", n / 3),
                number: n.to_string(),
                seconds: i32::try_from(n * 7 % 86_400).expect("small") - 1,
                service: if n.is_multiple_of(4) { "dine in" } else { "" }.to_owned(),
                channel: if n.is_multiple_of(5) { "counter" } else { "" }.to_owned(),
            };
            let receipts = (0..lines.len()).map(receipt).collect();
            let facts = (-1..i32::try_from(lines.len()).expect("few")).step_by(2);
            let facts = facts.map(|at| (at, Facts(std::array::from_fn(|n| i64::from(at) * n as i64 * 977)))).collect();
            let day = StoreDay { receipts, facts, ..store_day(lines) };
            let read = StoreDay::unpack(&day.pack()).expect("what was packed");
            prop_assert_eq!(read.items, day.items);
            prop_assert_eq!(read.receipts, day.receipts);
            prop_assert_eq!(read.lines, day.lines);
            prop_assert_eq!(read.facts, day.facts);
        }

        #[test]
        fn packing_items_loses_nothing(
            values in proptest::collection::vec((0u32..5_000, 0i64..4, any::<i64>(), any::<i64>(), 0i64..99), 0..40)
        ) {
            let mut items: Vec<DayItem> = values
                .into_iter()
                .map(|(item, bom, qty, net, lines)| DayItem {
                    item, bom: Some(bom).filter(|bom| *bom > 0), figures: [qty, net / 3, net, lines],
                })
                .collect();
            items.sort_by_key(|item| item.item);
            prop_assert_eq!(unpack_items(&pack_items(&items)).expect("what was packed"), items);
        }

        #[test]
        fn anything_else_is_no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..90)) {
            let _ = StoreDay::unpack(&bytes);
            let _ = unpack_items(&bytes);
        }
    }

    #[test]
    fn receipts_after_midnight_are_sorted_into_the_evening_before() {
        let at = |row: u32, store: u32, day: i32, seconds: i32| Line {
            row,
            day,
            seconds,
            store,
            terminal: NONE,
            receipt: row - 2,
            item: 0,
            service: NONE,
            kind: Kind::Sale,
            qty: 1_000_000,
            unit_price: 100,
            discount: 0,
            net: 100,
            beside: NONE,
            parent: NONE,
        };
        let mut tables = Tables {
            stores: vec!["Bar".to_owned(), "Bakery".to_owned()],
            items: vec![super::super::line::SeenItem::default()],
            ..Tables::default()
        };
        for number in ["1", "2", "3", "4"] {
            tables.receipts.intern(number.as_bytes());
        }
        let lines = [
            at(2, 0, 20_770, 85_200),
            at(3, 0, 20_771, 2_400),
            at(4, 1, 20_771, 2_400),
            at(5, 0, 20_771, -1),
        ];
        let starts = DayStarts::new([crate::day_starts::Change { from: BusinessDay(20_770), minutes: 300 }]);
        let mut resolved = Resolved {
            stores: vec![Some("bar".into()), Some("bakery".into())],
            items: vec![None],
            starts: HashMap::from([("bar".into(), starts)]),
            calendar_days: true,
            ..Resolved::default()
        };
        let seen = |resolved: &Resolved| -> Vec<(String, i32, Vec<i32>)> {
            let sorted = sort(lines.to_vec(), &tables, resolved);
            let days = (0..sorted.len()).map(|at| sorted.store_day(at, &tables, &"file".into()));
            days.map(|day| {
                let seconds = day.receipts.iter().map(|receipt| receipt.seconds).collect();
                (day.store_id.to_string(), day.day, seconds)
            })
            .collect()
        };
        let bakery = ("bakery".to_owned(), 20_771, vec![2_400]);
        assert_eq!(
            seen(&resolved),
            [bakery.clone(), ("bar".into(), 20_770, vec![85_200, 88_800]), ("bar".into(), 20_771, vec![-1])]
        );
        // Under a business date, only the time moves.
        resolved.calendar_days = false;
        assert_eq!(
            seen(&resolved),
            [bakery, ("bar".into(), 20_770, vec![85_200]), ("bar".into(), 20_771, vec![88_800, -1])]
        );
    }

    #[test]
    fn tills_are_summed_by_their_receipts() {
        let receipt = |terminal: &str| Receipt { terminal: terminal.to_owned(), ..Receipt::default() };
        let on = |receipt, net| DayLine { receipt, ..line(2, 0, Kind::Sale, 1_000_000, net) };
        let mut day = store_day(vec![on(0, 100), on(1, 50), on(2, 7), on(-1, 1_000)]);
        day.receipts = vec![receipt("T2"), receipt("T1"), receipt("T2")];
        let tills: Vec<_> =
            day.tills().into_iter().map(|till| (till.terminal, till.receipts, till.totals.net)).collect();
        assert_eq!(tills, [("T1".to_owned(), 1, 50), ("T2".to_owned(), 2, 107)]);
    }
}
