//! Which lines of a store-day belong to others.

use super::DayLine;
use crate::sales::bytes::{Bytes, put, put_bits, put_size};
use crate::sales::names::QuickMap;

/// Sets the parents of lines that have just been read, by the rows that `children` name: the index of each child, and the
/// row of its parent. A child whose parent is missing, or on another receipt, is a line of its own.
pub(super) fn join(lines: &mut [DayLine], children: &[(usize, u32)]) {
    if children.is_empty() {
        return;
    }
    let mut is_child = vec![false; lines.len()];
    for (at, _) in children {
        is_child[*at] = true;
    }
    let own = lines.iter().enumerate().filter(|(at, _)| !is_child[*at]);
    let of_row: QuickMap<u32, usize> = own.map(|(at, line)| (line.line_no, at)).collect();
    for (at, row) in children {
        let found = of_row.get(row).filter(|parent| lines[**parent].receipt == lines[*at].receipt);
        lines[*at].parent = found.and_then(|parent| i32::try_from(*parent).ok()).unwrap_or(-1);
    }
}

/// The index of a line or receipt after some were moved or left out: `to` has the new index of each, or -1.
pub(in crate::sales) fn moved(at: i32, to: &[i32]) -> i32 {
    usize::try_from(at).ok().and_then(|at| to.get(at).copied()).unwrap_or(-1)
}

/// Appends the parents: the number of lines with one, then of each how many lines lie between it and the one before, and
/// how many lines before it its parent is.
pub(super) fn put_parents(out: &mut Vec<u8>, lines: &[DayLine]) {
    let children = (0i64..).zip(lines).filter(|(_, line)| line.parent >= 0);
    put_size(out, children.clone().count());
    let mut next = 0;
    for (at, line) in children {
        put_bits(out, (at - next).unsigned_abs());
        put(out, at - i64::from(line.parent));
        next = at + 1;
    }
}

/// Reads what [`put_parents`] wrote; `None` on anything else.
pub(super) fn take_parents(bytes: &mut Bytes<'_>, lines: &mut [DayLine]) -> Option<()> {
    let count = bytes.size().filter(|count| *count > 0)?;
    let mut next = 0usize;
    for _ in 0..count {
        let at = next.checked_add(usize::try_from(bytes.bits()?).ok()?)?;
        let parent = i64::try_from(at).ok()?.checked_sub(bytes.take()?)?;
        lines.get_mut(at)?.parent = i32::try_from(parent).ok().filter(|parent| *parent >= 0)?;
        next = at + 1;
    }
    let is_own = |parent: i32| {
        usize::try_from(parent).ok().is_none_or(|at| lines.get(at).is_some_and(|line| line.parent < 0))
    };
    lines.iter().all(|line| is_own(line.parent)).then_some(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{line, store_day};
    use super::super::{Kind, StoreDay};
    use super::*;
    use crate::sales::facts::Facts;
    use proptest::prelude::*;

    /// Lines of which each may belong to one that belongs to none.
    fn lines(of: &[(u32, usize)]) -> Vec<DayLine> {
        let own = |at: usize| of[at].0.is_multiple_of(3);
        let parent = |at: usize, to: usize| {
            let to = (at + to) % of.len();
            if own(at) || !own(to) { -1 } else { i32::try_from(to).expect("few") }
        };
        let all = (2..).zip(of.iter().enumerate());
        all.map(|(row, (at, (_, to)))| DayLine {
            parent: parent(at, *to),
            ..line(row, 0, Kind::Sale, 1_000_000, 100)
        })
        .collect()
    }

    proptest! {
        #[test]
        fn packing_keeps_parents_and_adds_nothing_before_them(
            of in proptest::collection::vec((any::<u32>(), 0usize..40), 0..40), with_facts: bool,
        ) {
            let facts = if with_facts { vec![(-1, Facts(std::array::from_fn(|n| n as i64)))] } else { Vec::new() };
            let with = StoreDay { facts, ..store_day(lines(&of)) };
            let mut without = with.clone();
            without.lines.iter_mut().for_each(|line| line.parent = -1);
            let (packed, plain) = (with.pack(), without.pack());
            prop_assert!(packed.starts_with(&plain));
            let any = with.lines.iter().any(|line| line.parent >= 0);
            prop_assert_eq!(packed.len() > plain.len(), any);
            prop_assert_eq!(StoreDay::unpack(&packed).expect("what was packed").lines, with.lines);
            prop_assert_eq!(StoreDay::unpack(&plain).expect("what was packed").lines, without.lines);
        }

        #[test]
        fn other_bytes_are_no_parents(
            of in proptest::collection::vec((any::<u32>(), 0usize..40), 1..20),
            more in proptest::collection::vec(any::<u8>(), 1..12),
        ) {
            let mut day = store_day(lines(&of));
            day.lines.iter_mut().for_each(|line| line.parent = -1);
            let mut packed = day.pack();
            packed.push(0);
            packed.extend(more);
            if let Some(read) = StoreDay::unpack(&packed) {
                for line in &read.lines {
                    let parent = usize::try_from(line.parent).ok().map(|at| read.lines[at].parent);
                    prop_assert!(parent.is_none_or(|above| above == -1));
                }
            }
        }
    }

    #[test]
    fn a_day_without_parents_is_packed_as_ever() {
        let mut day = store_day(vec![line(2, 0, Kind::Sale, 1_000_000, 100)]);
        day.items.truncate(1);
        let plain = b"\x01\x01b\x05Bread\x00\x01\x04\x01\x01\x00\x00\x04\xc8\x01\x00\x00";
        assert_eq!(day.pack(), plain);
        day.lines.push(DayLine { parent: 0, ..line(2, 0, Kind::Sale, 1_000_000, 100) });
        let both = b"\x01\x01b\x05Bread\x00\x02\x04\x01\x01\x00\x00\x04\xc8\x01\x00\x00\
            \x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x01\x01\x02";
        assert_eq!(day.pack(), both);
    }

    #[test]
    fn children_find_the_line_of_their_row_on_their_receipt() {
        let on = |row, receipt| DayLine { receipt, ..line(row, 0, Kind::Sale, 1_000_000, 100) };
        let mut lines = [on(2, 0), on(2, 0), on(3, 0), on(4, 1), on(5, 1)];
        join(&mut lines, &[(1, 2), (2, 5), (3, 5)]);
        // The line of row 5 is on another receipt than that of row 3.
        assert_eq!(lines.map(|line| line.parent), [-1, 0, -1, 4, -1]);
    }
}
