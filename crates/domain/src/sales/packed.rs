//! A compact encoding of a file's parsed lines, kept until they are posted.
//!
//! Each figure is a variable-length difference to the previous line: tills repeat themselves, and a line takes some
//! twenty bytes.

use super::Kind;
use super::bytes::{Bytes, put};
use super::line::{Line, SeenItem, Tables};
use super::names::Interner;

const MAGIC: &[u8; 4] = b"LSL4";
const FIGURES: usize = 15;

#[derive(serde::Serialize, serde::Deserialize)]
struct Head {
    stores: Vec<String>,
    store_codes: Vec<String>,
    items: Vec<SeenItem>,
}

/// Encodes lines.
#[derive(Debug, Default)]
pub struct Packer {
    lines: Vec<u8>,
    count: u64,
    last: [i64; FIGURES],
}

impl Packer {
    /// Appends a line.
    pub fn push(&mut self, line: &Line) {
        let figures = figures(line);
        for (figure, last) in figures.iter().zip(&mut self.last) {
            put(&mut self.lines, figure.wrapping_sub(*last));
            *last = *figure;
        }
        self.count += 1;
    }

    /// The encoded lines and their names.
    #[must_use]
    pub fn finish(self, tables: &Tables) -> Vec<u8> {
        let head = Head {
            stores: tables.stores.clone(),
            store_codes: tables.store_codes.clone(),
            items: tables.items.clone(),
        };
        let head = serde_json::to_vec(&head).unwrap_or_default();
        let mut out = Vec::with_capacity(self.lines.len() + head.len() + 4_096);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&(head.len() as u64).to_le_bytes());
        out.extend_from_slice(&head);
        let named =
            [&tables.terminals, &tables.receipts, &tables.services, &tables.channels, &tables.tenders];
        named.into_iter().for_each(|names| names.write(&mut out));
        out.extend_from_slice(&(tables.beside.len() as u64).to_le_bytes());
        out.extend_from_slice(&tables.beside);
        out.extend_from_slice(&self.count.to_le_bytes());
        out.extend_from_slice(&self.lines);
        out
    }
}

/// Decodes the output of a [`Packer`]; `None` on anything else.
#[must_use]
pub fn unpack(bytes: &[u8]) -> Option<(Vec<Line>, Tables)> {
    let mut input = bytes.strip_prefix(MAGIC)?;
    let length = usize::try_from(number(&mut input)?).ok()?;
    let (head, rest) = input.split_at_checked(length)?;
    let head: Head = serde_json::from_slice(head).ok()?;
    input = rest;
    let terminals = Interner::read(&mut input)?;
    let receipts = Interner::read(&mut input)?;
    let services = Interner::read(&mut input)?;
    let channels = Interner::read(&mut input)?;
    let tenders = Interner::read(&mut input)?;
    let length = usize::try_from(number(&mut input)?).ok()?;
    let (beside, rest) = input.split_at_checked(length)?;
    input = rest;
    let count = usize::try_from(number(&mut input)?).ok()?;
    // A line has at least one byte per figure, so a wrong count cannot request more than the input's size.
    if count > input.len() / FIGURES {
        return None;
    }
    let tables = Tables {
        stores: head.stores,
        store_codes: head.store_codes,
        terminals,
        receipts,
        services,
        items: head.items,
        channels,
        tenders,
        beside: beside.to_vec(),
    };
    let mut lines = Vec::with_capacity(count);
    let mut last = [0i64; FIGURES];
    let mut input = Bytes(input);
    for _ in 0..count {
        for figure in &mut last {
            *figure = figure.wrapping_add(input.take()?);
        }
        let line = line(&last)?;
        let known = |id: u32, names: usize| id == super::line::NONE || (id as usize) < names;
        let fits = known(line.store, tables.stores.len())
            && (line.item as usize) < tables.items.len()
            && known(line.terminal, tables.terminals.len())
            && known(line.receipt, tables.receipts.len())
            && known(line.service, tables.services.len())
            && known(line.beside, tables.beside.len());
        if !fits {
            return None;
        }
        lines.push(line);
    }
    input.0.is_empty().then_some((lines, tables))
}

fn number(input: &mut &[u8]) -> Option<u64> {
    let (bytes, rest) = input.split_first_chunk::<8>()?;
    *input = rest;
    Some(u64::from_le_bytes(*bytes))
}

fn figures(line: &Line) -> [i64; FIGURES] {
    [
        line.row.into(),
        line.day.into(),
        line.seconds.into(),
        line.store.into(),
        line.terminal.into(),
        line.receipt.into(),
        line.item.into(),
        line.service.into(),
        line.kind.code().into(),
        line.qty,
        line.unit_price,
        line.discount,
        line.net,
        line.beside.into(),
        line.parent.into(),
    ]
}

fn line(figures: &[i64; FIGURES]) -> Option<Line> {
    let [
        row,
        day,
        seconds,
        store,
        terminal,
        receipt,
        item,
        service,
        kind,
        qty,
        unit_price,
        discount,
        net,
        beside,
        parent,
    ] = *figures;
    Some(Line {
        row: row.try_into().ok()?,
        day: day.try_into().ok()?,
        seconds: seconds.try_into().ok()?,
        store: store.try_into().ok()?,
        terminal: terminal.try_into().ok()?,
        receipt: receipt.try_into().ok()?,
        item: item.try_into().ok()?,
        service: service.try_into().ok()?,
        kind: Kind::from_code(kind.try_into().ok()?)?,
        qty,
        unit_price,
        discount,
        net,
        beside: beside.try_into().ok()?,
        parent: parent.try_into().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::line::NONE;
    use super::*;
    use proptest::prelude::*;

    fn tables() -> Tables {
        let mut tables = Tables {
            stores: vec!["Makati".to_owned(), "Pasig".to_owned()],
            items: vec![SeenItem { key: "rice".into(), name: "Rice".into(), ..SeenItem::default() }],
            ..Tables::default()
        };
        tables.terminals.intern(b"T1");
        tables.receipts.intern(b"1");
        tables.receipts.intern(b"2");
        tables
    }

    prop_compose! {
        fn any_line()(
            row: u32, day: i32, seconds in -1i32..108_000, store in 0u32..2,
            terminal in prop_oneof![Just(0u32), Just(NONE)], receipt in prop_oneof![0u32..2, Just(NONE)],
            kind in 0u8..3, qty: i64, net: i64, parent: u32,
        ) -> Line {
            let kind = Kind::from_code(kind).expect("a kind");
            Line {
                row, day, seconds, store, terminal, receipt, item: 0, service: NONE, kind, qty,
                unit_price: qty / 3, discount: -net, net, beside: NONE, parent,
            }
        }
    }

    proptest! {
        #[test]
        fn packing_loses_nothing(lines in proptest::collection::vec(any_line(), 0..50)) {
            let mut packer = Packer::default();
            lines.iter().for_each(|line| packer.push(line));
            let bytes = packer.finish(&tables());
            let (read, names) = unpack(&bytes).expect("what was packed");
            prop_assert_eq!(read, lines);
            prop_assert_eq!(names.stores, tables().stores);
            prop_assert_eq!(names.items, tables().items);
            prop_assert_eq!(names.receipts.get(1), b"2");
        }

        #[test]
        fn damage_is_noticed_or_harmless(lines in proptest::collection::vec(any_line(), 1..10), at: usize, to: u8) {
            let mut packer = Packer::default();
            lines.iter().for_each(|line| packer.push(line));
            let mut bytes = packer.finish(&tables());
            let at = at % bytes.len();
            bytes[at] = to;
            let _ = unpack(&bytes);
            bytes.truncate(at);
            prop_assert!(unpack(&bytes).is_none());
        }
    }
}
