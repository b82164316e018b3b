//! How much a change of store-days changes the sums that reports read.

use std::sync::Arc;

use super::ALL_STORES;
use super::bom::BomBook;
use super::day::DayItem;
use super::names::QuickMap;
use super::sums::Figures;
use crate::BusinessDay;

/// The length of the period a sum covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Grain {
    /// A business date.
    Day = 1,
    /// Monday to Sunday.
    Week = 7,
    /// A calendar month.
    Month = 30,
}

impl Grain {
    /// The number stored for it.
    #[must_use]
    pub fn code(self) -> i64 {
        self as i64
    }

    /// The first day of the period a day lies in.
    #[must_use]
    pub fn period(self, day: BusinessDay) -> BusinessDay {
        match self {
            Self::Day => day,
            Self::Week => day.week(),
            Self::Month => day.month(),
        }
    }
}

/// The sums of a POS item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PosSum {
    /// Millionths.
    pub qty: i64,
    /// Centavos.
    pub gross: i64,
    /// Centavos.
    pub net: i64,
    /// Lines that count.
    pub lines: i64,
}

impl PosSum {
    /// The four in one row.
    #[must_use]
    pub fn figures(&self) -> Figures<4> {
        [self.qty, self.gross, self.net, self.lines]
    }
}

/// Store, grain, first day, item.
type Key = (u32, Grain, i32, u32);

/// Differences to add to the rollups.
#[derive(Debug, Default)]
pub struct Deltas {
    names: Vec<Arc<str>>,
    ids: QuickMap<Arc<str>, u32>,
    pos: QuickMap<Key, PosSum>,
    root: QuickMap<Key, i64>,
    periods: QuickMap<i32, (i32, i32)>,
    /// The day being added: root quantities before they are spread over periods.
    usage: QuickMap<u32, i64>,
}

/// A sum is past what 64 bits hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

/// What to add to the sums of one store, or of all together, over one period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodDelta<const N: usize> {
    /// The store, or [`ALL_STORES`].
    pub store: Arc<str>,
    /// The period's length.
    pub grain: Grain,
    /// Its first day.
    pub period: i32,
    /// Items and what to add to each, sorted by id; nothing that cancels out.
    pub items: Vec<(Arc<str>, Figures<N>)>,
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

    /// Adds (`sign` 1) or takes away (-1) the items of one store-day.
    ///
    /// # Errors
    /// When a sum is past what 64 bits hold.
    pub fn add_day(
        &mut self,
        store: &Arc<str>,
        day: i32,
        items: &[DayItem],
        boms: &BomBook,
        sign: i64,
    ) -> Result<(), TooLarge> {
        let store = self.id(store);
        let everywhere = self.id(&Arc::from(ALL_STORES));
        let (week, month) = *self.periods.entry(day).or_insert_with(|| {
            let day = BusinessDay(day);
            (day.week().0, day.month().0)
        });
        for item in items {
            let id = self.id(&item.pos_item_id);
            let keys = [
                (store, Grain::Day, day, id),
                (store, Grain::Week, week, id),
                (store, Grain::Month, month, id),
                (everywhere, Grain::Day, day, id),
                (everywhere, Grain::Week, week, id),
                (everywhere, Grain::Month, month, id),
            ];
            for key in keys {
                let sum = self.pos.entry(key).or_default();
                add(&mut sum.qty, sign * item.qty)?;
                add(&mut sum.gross, sign * item.gross)?;
                add(&mut sum.net, sign * item.net)?;
                add(&mut sum.lines, sign * item.lines)?;
            }
            let Some(bom) = item.bom_id.as_ref().and_then(|id| boms.version(id)) else { continue };
            for (root, qty) in bom.uses(item.qty).ok_or(TooLarge)? {
                let root = self.id(root);
                add(self.usage.entry(root).or_default(), sign * qty)?;
            }
        }
        for (root, qty) in std::mem::take(&mut self.usage) {
            self.spread(store, everywhere, (day, week, month), root, qty)?;
        }
        Ok(())
    }

    /// Adds a change of one root item's use on one store-day.
    ///
    /// # Errors
    /// When a sum is past what 64 bits hold.
    pub fn add_root(
        &mut self,
        store: &Arc<str>,
        day: i32,
        root: &Arc<str>,
        qty: i64,
    ) -> Result<(), TooLarge> {
        let store = self.id(store);
        let everywhere = self.id(&Arc::from(ALL_STORES));
        let root = self.id(root);
        let date = BusinessDay(day);
        self.spread(store, everywhere, (day, date.week().0, date.month().0), root, qty)
    }

    fn spread(
        &mut self,
        store: u32,
        everywhere: u32,
        (day, week, month): (i32, i32, i32),
        root: u32,
        qty: i64,
    ) -> Result<(), TooLarge> {
        for store in [store, everywhere] {
            add(self.root.entry((store, Grain::Day, day, root)).or_default(), qty)?;
            add(self.root.entry((store, Grain::Week, week, root)).or_default(), qty)?;
            add(self.root.entry((store, Grain::Month, month, root)).or_default(), qty)?;
        }
        Ok(())
    }

    /// What to add to the sums per POS item, by store, grain and period; all stores together first.
    #[must_use]
    pub fn pos(&self) -> Vec<PeriodDelta<4>> {
        self.periods(self.pos.iter().map(|(key, sum)| (key, sum.figures())))
    }

    /// What to add to the sums per root item.
    #[must_use]
    pub fn root(&self) -> Vec<PeriodDelta<1>> {
        self.periods(self.root.iter().map(|(key, qty)| (key, [*qty])))
    }

    fn periods<'a, const N: usize>(
        &self,
        sums: impl Iterator<Item = (&'a Key, Figures<N>)>,
    ) -> Vec<PeriodDelta<N>> {
        // Sorting numbers by the rank of their name is much faster than sorting names.
        let mut order: Vec<u32> = (0..u32::try_from(self.names.len()).unwrap_or(u32::MAX)).collect();
        order.sort_unstable_by(|a, b| self.names[*a as usize].cmp(&self.names[*b as usize]));
        let mut rank = vec![0u32; order.len()];
        for (at, id) in order.iter().enumerate() {
            rank[*id as usize] = u32::try_from(at).unwrap_or(u32::MAX);
        }
        let mut rows: Vec<(Key, Figures<N>)> = sums
            .filter(|(_, figures)| *figures != [0; N])
            .map(|(&(store, grain, period, item), figures)| {
                ((rank[store as usize], grain, period, rank[item as usize]), figures)
            })
            .collect();
        rows.sort_unstable_by_key(|(key, _)| *key);
        let name = |rank: u32| self.names[order[rank as usize] as usize].clone();
        rows.chunk_by(|((store, grain, period, _), _), (next, _)| {
            (*store, *grain, *period) == (next.0, next.1, next.2)
        })
        .map(|rows| {
            let (store, grain, period, _) = rows[0].0;
            let items = rows.iter().map(|((.., item), figures)| (name(*item), *figures)).collect();
            PeriodDelta { store: name(store), grain, period, items }
        })
        .collect()
    }
}

fn add(sum: &mut i64, value: i64) -> Result<(), TooLarge> {
    *sum = sum.checked_add(value).ok_or(TooLarge)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Factor;
    use crate::sales::bom::{BEGINNING, Bom};

    fn item(id: &str, qty: i64) -> DayItem {
        DayItem {
            pos_item_id: id.into(),
            bom_id: Some("bom".into()),
            qty,
            gross: qty / 1_000,
            net: qty / 1_000,
            lines: 1,
        }
    }

    fn book() -> BomBook {
        let mut book = BomBook::default();
        let lines = vec![("flour".into(), Factor(500_000_000)), ("salt".into(), Factor(1_000_000))];
        book.add("bread", Bom { id: "bom".into(), seq: 1, valid_from: BEGINNING, lines });
        book
    }

    #[test]
    fn what_is_added_and_taken_away_leaves_nothing() {
        let mut deltas = Deltas::default();
        let store = Arc::from("store");
        let items = [item("bread", 3_000_000), item("jam", 1_000_000)];
        deltas.add_day(&store, 18_000, &items, &book(), 1).expect("small");
        let (pos, root) = (deltas.pos(), deltas.root());
        // The store and all together, by day, week and month.
        assert_eq!((pos.len(), root.len()), (6, 6));
        assert!(pos.iter().all(|delta| delta.items.len() == 2));
        assert!(root.iter().all(|delta| delta.items.len() == 2));
        assert_eq!(root[0].store.as_ref(), ALL_STORES);
        deltas.add_day(&store, 18_000, &items, &book(), -1).expect("small");
        assert!(deltas.pos().is_empty() && deltas.root().is_empty());
    }
}
