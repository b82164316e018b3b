//! A compact, fast encoding of the sums of all items of one store and period.
//!
//! Items are referred to by number. A period has slots: the days of a month, one slot otherwise. First come the items'
//! numbers, then the slots of each, then figure by figure the values of all items and slots, so a reader of two figures
//! of four skips the others. Quantities, which count millionths, are written in millions where all are whole; a figure
//! equal to the previous one everywhere, as gross and net often are, takes a byte. All-zero sums are omitted.

use super::bytes::{Bytes, put, put_bits, put_size};

/// Unreadable sums, or an overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumsError {
    /// The bytes are not an encoding of sums.
    Unreadable,
    /// A sum exceeds 64 bits.
    TooLarge,
}

impl std::fmt::Display for SumsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "kept sums cannot be read",
            Self::TooLarge => "the sums grow past what can be stored",
        })
    }
}

impl std::error::Error for SumsError {}

/// The figures of an item: quantity, gross, net and lines of a POS item, quantity of a root item.
pub type Figures<const N: usize> = [i64; N];

/// The figures of an item in one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum<const N: usize> {
    pub item: u32,
    /// The slot of the period, below [`SLOTS`].
    pub slot: u8,
    pub figures: Figures<N>,
}

impl<const N: usize> Sum<N> {
    fn key(&self) -> (u32, u8) {
        (self.item, self.slot)
    }
}

/// Maximum slots of a period: the days of a month.
pub const SLOTS: u8 = 31;
pub const EVERY_SLOT: u32 = u32::MAX;

const MILLION: i64 = 1_000_000;
/// Encodings of a figure's values.
const PLAIN: u8 = 0;
const MILLIONS: u8 = 1;

/// Sorts sums by item and slot, merges duplicates and removes zeros.
///
/// # Errors
/// When a sum exceeds 64 bits.
pub fn gather<const N: usize>(sums: &mut Vec<Sum<N>>) -> Result<(), SumsError> {
    // Mostly sorted runs, which a stable sort exploits.
    sums.sort_by_key(Sum::key);
    let mut kept = 0;
    for at in 0..sums.len() {
        let sum = sums[at];
        if kept > 0 && sums[kept - 1].key() == sum.key() {
            add(&mut sums[kept - 1].figures, &sum.figures)?;
        } else {
            sums[kept] = sum;
            kept += 1;
        }
    }
    sums.truncate(kept);
    sums.retain(|sum| sum.figures != [0; N]);
    Ok(())
}

/// Encodes sums, which must be [gathered](gather); empty when there are none.
#[must_use]
pub fn pack<const N: usize>(sums: &[Sum<N>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 + sums.len() * (2 + 2 * N));
    let mut items: Vec<(u32, u32)> = Vec::new();
    for sum in sums {
        match items.last_mut() {
            Some((item, slots)) if *item == sum.item => *slots |= 1 << (sum.slot % 32),
            _ => items.push((sum.item, 1 << (sum.slot % 32))),
        }
    }
    if items.is_empty() {
        return out;
    }
    put_size(&mut out, items.len());
    let mut last = 0;
    for (item, _) in &items {
        put_bits(&mut out, u64::from(item - last));
        last = *item;
    }
    items.iter().for_each(|(_, slots)| put_bits(&mut out, u64::from(*slots)));
    let mut values = Vec::with_capacity(sums.len() * 4);
    for figure in 0..N {
        if figure > 0 && sums.iter().all(|sum| sum.figures[figure] == sum.figures[figure - 1]) {
            put_size(&mut out, 0);
            continue;
        }
        values.clear();
        if sums.iter().all(|sum| sum.figures[figure] % MILLION == 0) {
            values.push(MILLIONS);
            sums.iter().for_each(|sum| put(&mut values, sum.figures[figure] / MILLION));
        } else {
            values.push(PLAIN);
            sums.iter().for_each(|sum| put(&mut values, sum.figures[figure]));
        }
        put_size(&mut out, values.len());
        out.extend_from_slice(&values);
    }
    out
}

/// The slots of each item, and the values of each figure.
struct Packed<'a, const N: usize> {
    items: Vec<(u32, u32)>,
    values: [(i64, Bytes<'a>); N],
}

impl<'a, const N: usize> Packed<'a, N> {
    fn read(packed: &'a [u8]) -> Option<Self> {
        let mut bytes = Bytes(packed);
        let mut values = [(1, Bytes(&[])); N];
        if packed.is_empty() {
            return Some(Self { items: Vec::new(), values });
        }
        let mut items = vec![(0, 0); bytes.size()?];
        let mut last = 0u32;
        for (item, _) in &mut items {
            last = last.checked_add(bytes.small()?)?;
            *item = last;
        }
        for (_, slots) in &mut items {
            *slots = bytes.small()?;
        }
        for figure in 0..N {
            let length = bytes.size()?;
            let mut part = bytes.part(length)?;
            values[figure] = match part.0.split_first() {
                None if figure > 0 => values[figure - 1],
                Some((&way, rest)) if way <= MILLIONS => {
                    part.0 = rest;
                    (if way == MILLIONS { MILLION } else { 1 }, part)
                }
                _ => return None,
            };
        }
        bytes.0.is_empty().then_some(Self { items, values })
    }
}

/// Decodes sums, sorted by item and slot.
///
/// # Errors
/// When they cannot be read.
pub fn unpack<const N: usize>(packed: &[u8]) -> Result<Vec<Sum<N>>, SumsError> {
    let mut read = Packed::<N>::read(packed).ok_or(SumsError::Unreadable)?;
    let count = read.items.iter().map(|(_, slots)| slots.count_ones() as usize).sum();
    let mut sums = Vec::with_capacity(count);
    for (item, slots) in read.items {
        for slot in set(slots) {
            let mut figures = [0; N];
            for (figure, (unit, values)) in figures.iter_mut().zip(&mut read.values) {
                *figure = values.take().ok_or(SumsError::Unreadable)?.wrapping_mul(*unit);
            }
            sums.push(Sum { item, slot, figures });
        }
    }
    Ok(sums)
}

/// The group of each slot of a period: slots of one group are added up, others are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups([Option<u8>; SLOTS as usize]);

impl Groups {
    /// The group of each slot, below [`SLOTS`].
    #[must_use]
    pub fn new(of: impl Fn(u8) -> Option<u8>) -> Self {
        Self(std::array::from_fn(|slot| of(u8::try_from(slot).ok()?).filter(|group| *group < SLOTS)))
    }

    fn of(&self, slot: u8) -> Option<u8> {
        self.0.get(usize::from(slot)).copied().flatten()
    }
}

/// Passes the wanted figures of encoded sums, item by item, with the slots of a group added up; other figures are 0.
///
/// # Errors
/// When they cannot be read, or a sum exceeds 64 bits.
pub fn grouped<const N: usize>(
    packed: &[u8],
    wanted: [bool; N],
    groups: &Groups,
    mut seen: impl FnMut(u32, u8, Figures<N>),
) -> Result<(), SumsError> {
    let mut read = Packed::<N>::read(packed).ok_or(SumsError::Unreadable)?;
    let mut sums = [[0; N]; SLOTS as usize];
    for (item, slots) in read.items {
        let mut touched = 0u32;
        for slot in set(slots) {
            let group = groups.of(slot);
            for figure in (0..N).filter(|figure| wanted[*figure]) {
                let (unit, values) = &mut read.values[figure];
                let value = values.take().ok_or(SumsError::Unreadable)?;
                if let Some(group) = group {
                    let sum: &mut i64 = &mut sums[usize::from(group)][figure];
                    let more = value.checked_mul(*unit).and_then(|more| sum.checked_add(more));
                    *sum = more.ok_or(SumsError::TooLarge)?;
                }
            }
            touched |= group.map_or(0, |group| 1 << group);
        }
        for group in set(touched) {
            seen(item, group, std::mem::replace(&mut sums[usize::from(group)], [0; N]));
        }
    }
    Ok(())
}

/// The slots of a set, in order.
fn set(mut slots: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let slot = slots.trailing_zeros();
        slots &= slots.wrapping_sub(1);
        u8::try_from(slot).ok().filter(|slot| *slot < 32)
    })
}

/// Adds [gathered](gather) sums to encoded ones.
///
/// # Errors
/// When the bytes cannot be read, or a sum exceeds 64 bits.
pub fn merge<const N: usize>(packed: &[u8], more: &[Sum<N>]) -> Result<Vec<u8>, SumsError> {
    let old = unpack::<N>(packed)?;
    let mut sums = Vec::with_capacity(old.len() + more.len());
    let mut more = more.iter().copied().peekable();
    for mut sum in old {
        while let Some(new) = more.next_if(|new| new.key() < sum.key()) {
            sums.push(new);
        }
        if let Some(new) = more.next_if(|new| new.key() == sum.key()) {
            add(&mut sum.figures, &new.figures)?;
        }
        if sum.figures != [0; N] {
            sums.push(sum);
        }
    }
    sums.extend(more);
    Ok(pack(&sums))
}

fn add<const N: usize>(sum: &mut Figures<N>, more: &Figures<N>) -> Result<(), SumsError> {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.checked_add(*more).ok_or(SumsError::TooLarge)?;
    }
    Ok(())
}

/// Items per page of an [`Adder`].
const PAGE: usize = 256;

/// Accumulates chosen figures of many encoded sums, item by item. An item stays even if its sums are zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adder<const M: usize> {
    figures: [usize; M],
    /// By item number; pages without items take no memory.
    pages: Vec<Option<Box<Page<M>>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Page<const M: usize> {
    seen: [bool; PAGE],
    sums: [Figures<M>; PAGE],
}

impl<const M: usize> Adder<M> {
    /// An adder for these figures of each item.
    #[must_use]
    pub fn new(figures: [usize; M]) -> Self {
        Self { figures, pages: Vec::new() }
    }

    fn sum(&mut self, item: u32) -> (&mut bool, &mut Figures<M>) {
        let (page, at) = (item as usize / PAGE, item as usize % PAGE);
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page]
            .get_or_insert_with(|| Box::new(Page { seen: [false; PAGE], sums: [[0; M]; PAGE] }));
        (&mut page.seen[at], &mut page.sums[at])
    }

    /// Adds encoded sums of `N` figures, from some slots.
    ///
    /// # Errors
    /// When they cannot be read, or a sum exceeds 64 bits.
    pub fn add<const N: usize>(&mut self, packed: &[u8], slots: u32) -> Result<(), SumsError> {
        let read = Packed::<N>::read(packed).ok_or(SumsError::Unreadable)?;
        for place in 0..M {
            let (unit, mut values) = read.values[self.figures[place]];
            for (item, has) in &read.items {
                let mut sum = 0i64;
                let mut over = false;
                if has & !slots == 0 {
                    for _ in 0..has.count_ones() {
                        let (more, past) = sum.overflowing_add(values.take().ok_or(SumsError::Unreadable)?);
                        (sum, over) = (more, over | past);
                    }
                } else {
                    for slot in set(*has) {
                        let value = values.take().ok_or(SumsError::Unreadable)?;
                        if slots & (1 << slot) != 0 {
                            let (more, past) = sum.overflowing_add(value);
                            (sum, over) = (more, over | past);
                        }
                    }
                    if has & slots == 0 {
                        continue;
                    }
                }
                let sum = sum.checked_mul(unit).filter(|_| !over).ok_or(SumsError::TooLarge)?;
                let (seen, sums) = self.sum(*item);
                *seen = true;
                sums[place] = sums[place].checked_add(sum).ok_or(SumsError::TooLarge)?;
            }
        }
        Ok(())
    }

    /// Adds one sum of `N` figures.
    ///
    /// # Errors
    /// When the sum exceeds 64 bits.
    pub fn put<const N: usize>(&mut self, sum: &Sum<N>) -> Result<(), SumsError> {
        let more = self.figures.map(|figure| sum.figures[figure]);
        let (seen, sums) = self.sum(sum.item);
        *seen = true;
        add(sums, &more)
    }

    /// Adds another adder of the same figures.
    ///
    /// # Errors
    /// When a sum exceeds 64 bits.
    pub fn join(&mut self, other: &Self) -> Result<(), SumsError> {
        for (item, more) in other.items() {
            let (seen, sums) = self.sum(item);
            *seen = true;
            add(sums, &more)?;
        }
        Ok(())
    }

    /// The sums of each item, sorted by number.
    pub fn items(&self) -> impl Iterator<Item = (u32, Figures<M>)> {
        self.pages.iter().enumerate().filter_map(|(at, page)| Some((at, page.as_ref()?))).flat_map(
            |(at, page)| {
                (0..PAGE)
                    .filter(|n| page.seen[*n])
                    .map(move |n| (u32::try_from(at * PAGE + n).unwrap_or(u32::MAX), page.sums[n]))
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Sums = BTreeMap<(u32, u8), Figures<4>>;

    fn figure() -> impl Strategy<Value = i64> {
        prop_oneof![any::<i64>(), -5i64..5, (-9i64..9).prop_map(|n| n * MILLION), Just(i64::MIN)]
    }

    fn small() -> impl Strategy<Value = i64> {
        prop_oneof![-5i64..5, (-9i64..9).prop_map(|n| n * MILLION)]
    }

    fn sums(figure: impl Strategy<Value = i64>) -> impl Strategy<Value = Sums> {
        let figures = prop::array::uniform4(figure);
        prop::collection::btree_map((0u32..900, 0u8..SLOTS), figures, 0..40)
    }

    fn list(sums: &Sums) -> Vec<Sum<4>> {
        let mut list: Vec<Sum<4>> = sums
            .iter()
            .map(|((item, slot), figures)| Sum { item: *item, slot: *slot, figures: *figures })
            .collect();
        gather(&mut list).expect("each place once");
        list
    }

    #[test]
    fn same_figures_and_whole_quantities_take_little() {
        let sum = |item, qty| Sum { item, slot: 0, figures: [qty, 150, 150, 1] };
        let packed = pack(&[sum(7, 12 * MILLION), sum(9, MILLION)]);
        assert_eq!(packed.len(), 1 + 2 + 2 + 4 + 6 + 1 + 4);
        assert_eq!(unpack::<4>(&packed).expect("what was packed").len(), 2);
        assert_eq!(pack::<4>(&[]), Vec::<u8>::new());
    }

    #[test]
    fn what_grows_past_64_bits_is_refused() {
        let sum = [Sum { item: 1, slot: 0, figures: [i64::MAX] }];
        let packed = pack(&sum);
        assert_eq!(merge(&packed, &sum), Err(SumsError::TooLarge));
        let mut adder = Adder::new([0]);
        adder.add::<1>(&packed, EVERY_SLOT).expect("one fits");
        assert_eq!(adder.add::<1>(&packed, EVERY_SLOT), Err(SumsError::TooLarge));
    }

    proptest! {
        #[test]
        fn packing_loses_nothing(sums in sums(figure())) {
            let list = list(&sums);
            prop_assert_eq!(unpack::<4>(&pack(&list)).expect("what was packed"), list);
        }

        #[test]
        fn merging_adds_and_forgets_zeros(a in sums(small()), b in sums(small())) {
            let mut both = a.clone();
            for (key, figures) in &b {
                add(both.entry(*key).or_default(), figures).expect("small");
            }
            prop_assert_eq!(merge(&pack(&list(&a)), &list(&b)).expect("small"), pack(&list(&both)));
        }

        #[test]
        fn adding_up_is_counting(all in prop::collection::vec(sums(small()), 0..4), slots: u32) {
            let mut adder = Adder::new([0, 2]);
            let mut halves = [adder.clone(), adder.clone()];
            let mut counted: BTreeMap<u32, Figures<2>> = BTreeMap::new();
            for (n, sums) in all.iter().enumerate() {
                let packed = pack(&list(sums));
                adder.add::<4>(&packed, slots).expect("small");
                halves[n % 2].add::<4>(&packed, slots).expect("small");
                for sum in list(sums).iter().filter(|sum| slots & (1 << sum.slot) != 0) {
                    let [qty, _, net, _] = sum.figures;
                    add(counted.entry(sum.item).or_default(), &[qty, net]).expect("small");
                }
            }
            let [mut half, other] = halves;
            half.join(&other).expect("small");
            prop_assert_eq!(adder.items().collect::<BTreeMap<_, _>>(), counted.clone());
            prop_assert_eq!(half.items().collect::<BTreeMap<_, _>>(), counted);
        }

        #[test]
        fn groups_are_slots_added_up(sums in sums(small()), of in prop::array::uniform31(prop::option::of(0u8..7))) {
            let groups = Groups::new(|slot| of[usize::from(slot)]);
            let list = list(&sums);
            let mut counted: BTreeMap<(u32, u8), Figures<4>> = BTreeMap::new();
            for sum in &list {
                if let Some(group) = of[usize::from(sum.slot)] {
                    let [qty, _, net, _] = sum.figures;
                    add(counted.entry((sum.item, group)).or_default(), &[qty, 0, net, 0]).expect("small");
                }
            }
            let mut seen = BTreeMap::new();
            grouped::<4>(&pack(&list), [true, false, true, false], &groups, |item, group, figures| {
                assert!(seen.insert((item, group), figures).is_none(), "each once");
            })
            .expect("small");
            prop_assert_eq!(seen, counted);
        }

        #[test]
        fn anything_else_is_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = unpack::<4>(&bytes);
            let _ = Adder::new([0, 3]).add::<4>(&bytes, 5);
            let _ = grouped::<4>(&bytes, [true; 4], &Groups::new(Some), |_, _, _| ());
        }
    }
}
