//! How changes of store-days change the sums used by reports.

use std::sync::Arc;

use super::ALL_STORES;
use super::bom::BomBook;
use super::day::DayItem;
use super::names::QuickMap;
use super::sums::{self, Sum, SumsError};
use crate::BusinessDay;

/// The period of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Grain {
    Day = 1,
    /// Monday to Sunday.
    Week = 7,
    /// A calendar month.
    Month = 30,
}

impl Grain {
    /// The stored number.
    #[must_use]
    pub fn code(self) -> i64 {
        self as i64
    }

    /// The first day of the period containing a day.
    #[must_use]
    pub fn period(self, day: BusinessDay) -> BusinessDay {
        match self {
            Self::Day => day,
            Self::Week => day.week(),
            Self::Month => day.month(),
        }
    }

    /// The first day of the block of periods stored together: the days of a month share one.
    #[must_use]
    pub fn block(self, day: BusinessDay) -> BusinessDay {
        match self {
            Self::Day | Self::Month => day.month(),
            Self::Week => day.week(),
        }
    }

    /// The index of a day's period in its block.
    #[must_use]
    pub fn slot(self, day: BusinessDay) -> u8 {
        match self {
            Self::Day => u8::try_from(day.0 - day.month().0).unwrap_or(0),
            Self::Week | Self::Month => 0,
        }
    }

    /// All grains, the finest first.
    pub const ALL: [Self; 3] = [Self::Day, Self::Week, Self::Month];
}

/// Store, grain, first day of the block.
type Key = (u32, Grain, i32);

/// Differences to add to the rollups.
#[derive(Debug, Default)]
pub struct Deltas {
    names: Vec<Arc<str>>,
    ids: QuickMap<Arc<str>, u32>,
    pos: QuickMap<Key, Vec<Sum<4>>>,
    root: QuickMap<Key, Vec<Sum<1>>>,
    blocks: QuickMap<i32, [(Grain, i32, u8); 3]>,
}

/// Changes to the sums of one store, or of all stores, over one block of periods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockDelta<const N: usize> {
    pub store: Arc<str>,
    pub grain: Grain,
    /// The block's first day.
    pub block: i32,
    /// The differences, sorted by item and slot, without zeros.
    pub sums: Vec<Sum<N>>,
}

impl Deltas {
    fn id(&mut self, name: &Arc<str>) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.clone());
        self.ids.insert(name.clone(), id);
        id
    }

    /// The blocks of a day, for a store and for all stores.
    fn keys(&mut self, store: &Arc<str>, day: i32) -> impl Iterator<Item = (Key, u8)> + use<> {
        let stores = [self.id(store), self.id(&Arc::from(ALL_STORES))];
        let blocks = *self.blocks.entry(day).or_insert_with(|| {
            let day = BusinessDay(day);
            Grain::ALL.map(|grain| (grain, grain.block(day).0, grain.slot(day)))
        });
        stores
            .into_iter()
            .flat_map(move |store| blocks.map(|(grain, block, slot)| ((store, grain, block), slot)))
    }

    /// Adds (`sign` 1) or subtracts (-1) the items of one store-day.
    ///
    /// # Errors
    /// When a sum exceeds 64 bits.
    pub fn add_day(
        &mut self,
        store: &Arc<str>,
        day: i32,
        items: &[DayItem],
        boms: &BomBook,
        sign: i64,
    ) -> Result<(), SumsError> {
        let mut used: Vec<Sum<1>> = Vec::new();
        for item in items {
            let Some(bom) = item.bom.and_then(|seq| boms.version(item.item, seq)) else { continue };
            for (root, qty) in bom.uses(item.figures[0]).ok_or(SumsError::TooLarge)? {
                used.push(Sum { item: root, slot: 0, figures: [signed(qty, sign)?] });
            }
        }
        sums::gather(&mut used)?;
        let mut sold: Vec<Sum<4>> = Vec::with_capacity(items.len());
        for item in items {
            let mut figures = item.figures;
            for figure in &mut figures {
                *figure = signed(*figure, sign)?;
            }
            sold.push(Sum { item: item.item, slot: 0, figures });
        }
        for (key, slot) in self.keys(store, day) {
            self.pos.entry(key).or_default().extend(sold.iter().map(|sum| Sum { slot, ..*sum }));
            if !used.is_empty() {
                self.root.entry(key).or_default().extend(used.iter().map(|sum| Sum { slot, ..*sum }));
            }
        }
        Ok(())
    }

    /// Adds a change of one root item's usage on one store-day.
    pub fn add_root(&mut self, store: &Arc<str>, day: i32, root: u32, qty: i64) {
        for (key, slot) in self.keys(store, day) {
            self.root.entry(key).or_default().push(Sum { item: root, slot, figures: [qty] });
        }
    }

    /// Changes to the sums per POS item, by store, grain and block; all stores first.
    ///
    /// # Errors
    /// When a sum exceeds 64 bits.
    pub fn pos(&mut self) -> Result<Vec<BlockDelta<4>>, SumsError> {
        let pos = std::mem::take(&mut self.pos);
        self.deltas(pos)
    }

    /// Changes to the sums per root item.
    ///
    /// # Errors
    /// When a sum exceeds 64 bits.
    pub fn root(&mut self) -> Result<Vec<BlockDelta<1>>, SumsError> {
        let root = std::mem::take(&mut self.root);
        self.deltas(root)
    }

    fn deltas<const N: usize>(
        &self,
        blocks: QuickMap<Key, Vec<Sum<N>>>,
    ) -> Result<Vec<BlockDelta<N>>, SumsError> {
        let mut deltas = Vec::with_capacity(blocks.len());
        for ((store, grain, block), mut sums) in blocks {
            sums::gather(&mut sums)?;
            if !sums.is_empty() {
                deltas.push(BlockDelta { store: self.names[store as usize].clone(), grain, block, sums });
            }
        }
        deltas.sort_unstable_by(|a, b| (&a.store, a.grain, a.block).cmp(&(&b.store, b.grain, b.block)));
        Ok(deltas)
    }
}

fn signed(figure: i64, sign: i64) -> Result<i64, SumsError> {
    figure.checked_mul(sign).ok_or(SumsError::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Factor;
    use crate::sales::bom::{BEGINNING, Bom};

    const BREAD: u32 = 3;
    const JAM: u32 = 9;

    fn item(item: u32, qty: i64) -> DayItem {
        DayItem { item, bom: Some(1), figures: [qty, qty / 1_000, qty / 1_000, 1] }
    }

    fn book() -> BomBook {
        let mut book = BomBook::default();
        let lines = vec![(4, Factor(500_000_000)), (5, Factor(1_000_000))];
        book.add(BREAD, Bom { seq: 1, valid_from: BEGINNING, lines });
        book
    }

    #[test]
    fn adding_and_subtracting_leaves_nothing() {
        let store = Arc::from("store");
        let items = [item(BREAD, 3_000_000), item(JAM, 1_000_000)];
        let mut deltas = Deltas::default();
        deltas.add_day(&store, 18_000, &items, &book(), 1).expect("small");
        let (pos, root) = (deltas.pos().expect("small"), deltas.root().expect("small"));
        // The store and all stores, by day, week and month.
        assert_eq!((pos.len(), root.len()), (6, 6));
        assert!(pos.iter().all(|delta| delta.sums.len() == 2));
        assert!(root.iter().all(|delta| delta.sums.len() == 2));
        assert_eq!(root[0].store.as_ref(), ALL_STORES);
        // 14 April 2019: the fourteenth day of its month.
        assert_eq!((pos[0].block, pos[0].sums[0].slot), (17_987, 13));
        deltas.add_day(&store, 18_000, &items, &book(), 1).expect("small");
        deltas.add_day(&store, 18_000, &items, &book(), -1).expect("small");
        assert!(deltas.pos().expect("small").is_empty() && deltas.root().expect("small").is_empty());
    }
}
