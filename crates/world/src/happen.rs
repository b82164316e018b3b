//! What physically happens in a story, whether Larder is told of it or not.

use crate::calendar::{Minute, day_of};
use crate::catalogue::kitchen;
use crate::days::{Act, Story, lot_of};
use crate::quantity::{ONE, shown};
use crate::truth::{Batch, Count, Event, Kind, Load, Receipt, Session, Truck, Truth, Waste};

/// What a count found of an item: the item, its units in millionths.
pub type Found = (usize, i64);

impl Truth {
    /// What becomes of a group in a story, without a server: which goods were there, what was sold and counted. Larder
    /// is told nothing.
    #[must_use]
    pub fn after(story: &Story) -> Self {
        Self::rehearsed(story, true)
    }

    /// As [`Self::after`], with or without the merge, which Larder refuses while a document is open.
    #[must_use]
    pub fn rehearsed(story: &Story, merges: bool) -> Self {
        let mut truth = Self::new(story.catalogue.clone());
        for step in story.steps.iter().filter(|step| day_of(step.at) < story.days) {
            truth.happen(step.at, &step.act);
            match &step.act {
                Act::Count { store, session, wrong, offline } => {
                    let found = truth.find(*store, *wrong);
                    truth.count((*store, *session), &found, (step.at, *offline));
                }
                Act::Recall { truck } => {
                    truth.recall(*truck);
                }
                Act::RecallBatch { batch } => {
                    truth.recall_mix(*batch);
                }
                Act::Merge if merges => truth.merge(truth.catalogue.twins()),
                _ => {}
            }
        }
        truth
    }

    /// Lets a step happen, and returns details for the journal. What cannot happen does not: a truck that was never
    /// loaded does not arrive. Counts, recalls and merges are of Larder, and are not made here.
    pub fn happen(&mut self, at: Minute, act: &Act) -> Vec<String> {
        match act {
            Act::Mix { batch, packs } => {
                self.flour -= packs * kitchen::FLOUR_IN_MIX;
                self.made((*batch, None), *packs, day_of(at));
            }
            Act::Make { batch, mix, planned, packs } => {
                return self.make((*batch, *mix), (*planned, *packs), day_of(at));
            }
            Act::Load { truck, store, product, packs, lot } => {
                let product = self.now(*product);
                let Some(packs) = self.may_leave(product, *packs, (lot.as_deref(), day_of(at))) else {
                    return vec!["There are none.".to_owned()];
                };
                let load = Load { product, packs, lot: lot.clone() };
                self.kitchen[load.product] -= load.packs;
                if let Some(order) = self.orders.get_mut(truck) {
                    order.sent = load.packs;
                }
                self.trucks.insert(*truck, Truck::leaving(None, *store, load, (at, None)));
            }
            Act::Buy { truck, store, product, packs, lot } => {
                let load = Load { product: self.now(*product), packs: *packs, lot: lot.clone() };
                self.trucks.insert(*truck, Truck::leaving(None, *store, load, (at, None)));
                self.unload(*truck, 0, at);
            }
            Act::Unload { truck, missing } => self.unload(*truck, *missing, at),
            Act::Carry { truck, from, to, product, packs } => {
                return self.carry(*truck, (*from, *to), (self.now(*product), *packs), at);
            }
            Act::Sell { .. } => return self.sell(at, act),
            Act::Throw { waste, store, product, packs } => {
                return self.throw((*waste, *store), (self.now(*product), *packs), at);
            }
            Act::Close { store, day } => self.close(*store, *day),
            Act::Vanish { store, root, qty, hand } => {
                let qty = self.shelf(*store, *root).min(*qty);
                self.take((at, *store, *root), qty, Kind::Vanished, *hand);
            }
            _ => {}
        }
        Vec::new()
    }

    fn made(&mut self, (batch, mix): (usize, Option<usize>), packs: i64, day: usize) {
        let made = Batch { mix, day, lot: lot_of(batch), packs, left: packs * ONE };
        self.batches.insert(batch, made);
    }

    /// As many kits as were made use up the mix that was planned: unless that is recalled, too old or too little.
    fn make(
        &mut self,
        (batch, mix): (usize, usize),
        (planned, packs): (i64, i64),
        day: usize,
    ) -> Vec<String> {
        let used = planned * kitchen::MIX_IN_KIT;
        let is_good = |of: &&mut Batch| of.left >= used && day <= of.day + kitchen::SHELF_LIFE;
        let is_recalled = self.recalled_mixes.contains(&mix);
        let Some(of) = self.batches.get_mut(&mix).filter(is_good).filter(|_| !is_recalled) else {
            return vec!["There is no mix for it.".to_owned()];
        };
        of.left -= used;
        self.made((batch, Some(mix)), packs, day);
        self.kitchen[self.catalogue.kit()] += packs;
        Vec::new()
    }

    /// The packs of a load that are there: of a lot that the kitchen made, what is left and may be sent, which is taken.
    fn may_leave(&mut self, product: usize, packs: i64, (lot, day): (Option<&str>, usize)) -> Option<i64> {
        if product != self.catalogue.kit() {
            return Some(packs);
        }
        let code = lot.unwrap_or_default().to_owned();
        let last_day = |batch: &Batch| batch.day + self.catalogue.products[product].shelf_life;
        let may_go = |batch: &&mut Batch| batch.lot == code && batch.left > 0 && day <= last_day(batch);
        let is_recalled = self.recalled.contains(&(product, code.clone()));
        let batch = self.batches.values_mut().find(may_go).filter(|_| !is_recalled)?;
        let packs = packs.min(batch.left / ONE);
        batch.left -= packs * ONE;
        Some(packs)
    }

    fn unload(&mut self, number: usize, missing: i64, at: Minute) {
        let truck = self.trucks.get(&number).filter(|truck| truck.unloaded.is_none());
        let Some(truck) = truck.cloned() else { return };
        let load = &truck.load;
        let kind = if truck.from.is_some() { Kind::CarriedIn } else { Kind::Received };
        let product = &self.catalogue.products[load.product];
        let missing = missing.min(load.packs);
        let happened = product.per_pack * (load.packs - missing);
        let lot = load.lot.as_ref().map(|code| (load.product, code.clone()));
        let event = self.change(Event::of((at, truck.to, product.root), kind, happened, lot));
        self.trucks.insert(number, Truck { missing, unloaded: Some((at, event)), ..truck });
    }

    fn carry(
        &mut self,
        number: usize,
        (from, to): (usize, usize),
        (product, packs): (usize, i64),
        at: Minute,
    ) -> Vec<String> {
        let record = &self.catalogue.products[product];
        let (root, qty) = (record.root, record.per_pack * packs);
        let Some(lot) = self.lot_with(from, product, qty) else {
            return vec!["There is not enough.".to_owned()];
        };
        let code = lot.as_ref().map(|(_, code)| code.clone());
        let left = self.change(Event::of((at, from, root), Kind::CarriedOut, -qty, lot));
        let load = Load { product, packs, lot: code };
        self.trucks.insert(number, Truck::leaving(Some(from), to, load, (at, Some(left))));
        Vec::new()
    }

    fn throw(
        &mut self,
        (number, store): (usize, usize),
        (product, packs): (usize, i64),
        at: Minute,
    ) -> Vec<String> {
        let record = &self.catalogue.products[product];
        let (root, qty) = (record.root, record.per_pack * packs);
        let Some(lot) = self.lot_with(store, product, qty) else {
            return vec!["There is not enough.".to_owned()];
        };
        let code = lot.as_ref().map(|(_, code)| code.clone());
        let event = self.change(Event::of((at, store, root), Kind::Wasted, -qty, lot));
        self.waste.insert(number, Waste { at, store, product, lot: code, event });
        Vec::new()
    }

    fn sell(&mut self, at: Minute, act: &Act) -> Vec<String> {
        let Act::Sell { store, till, number, dishes, tender, hand } = act else { return Vec::new() };
        let (mut sold, mut net, mut events, mut details) = (Vec::new(), 0, Vec::new(), Vec::new());
        for dish in dishes {
            let record = self.catalogue.dishes[dish.dish].clone();
            let uses: Vec<(usize, i64)> =
                record.uses.iter().map(|(root, each)| (*root, each * dish.pieces)).collect();
            if uses.iter().any(|(root, qty)| self.shelf(*store, *root) < *qty) {
                details.push(format!("There is not enough for {}.", record.name));
                continue;
            }
            for (root, qty) in uses {
                events.extend(self.take((at, *store, root), qty, Kind::Sold, *hand).unwrap_or_default());
            }
            net += record.price * dish.pieces;
            sold.push(*dish);
        }
        if !sold.is_empty() {
            let (store, till, number, tender) = (*store, *till, *number, *tender);
            self.receipts.push(Receipt {
                at,
                store,
                till,
                number,
                dishes: sold,
                net,
                tender,
                events,
                told: false,
            });
        }
        details
    }

    /// What a person finds when counting each item: whole packs, and the rest loose.
    #[must_use]
    pub fn find(&self, store: usize, wrong: Option<(usize, i64)>) -> Vec<Found> {
        let items = self.catalogue.items.iter().enumerate();
        let mut found: Vec<Found> = items
            .map(|(at, item)| {
                let shelf = self.shelf(store, item.root);
                let packs = self.catalogue.items[2 * item.root + 1].per_unit;
                let units = if at % 2 == 1 { shelf / packs * ONE } else { shelf % packs };
                (at, units)
            })
            .collect();
        if let Some((item, units)) = wrong {
            found[item].1 = (found[item].1 + units * ONE).max(0);
        }
        found
    }

    /// A store's staff counts what it found; returns details for the journal.
    pub fn count(
        &mut self,
        (store, session): (usize, Session),
        found: &[Found],
        (at, offline): (Minute, bool),
    ) -> Vec<String> {
        let mut details = Vec::new();
        for root in 0..self.catalogue.roots.len() {
            let units = |(item, units): &Found| {
                let item = &self.catalogue.items[*item];
                if item.root == root { units * (item.per_unit / ONE) } else { 0 }
            };
            let counted: i64 = found.iter().map(units).sum();
            let (shelf, name) = (self.shelf(store, root), self.catalogue.roots[root].name);
            details.push(format!("{} of {name} counted, {} there.", shown(counted), shown(shelf)));
            self.counts.push(Count { at, store, root, session, counted, shelf, offline, sent: false });
        }
        details
    }

    /// Recalls the lot that a truck brought, and returns it unless it was recalled before.
    pub fn recall(&mut self, number: usize) -> Option<(usize, String)> {
        let load = &self.trucks.get(&number)?.load;
        let lot = (load.product, load.lot.clone()?);
        self.recalled.insert(lot.clone()).then_some(lot)
    }

    /// Recalls a lot of mix, and returns its code unless it was recalled before.
    pub fn recall_mix(&mut self, number: usize) -> Option<String> {
        let lot = self.batches.get(&number)?.lot.clone();
        self.recalled_mixes.insert(number).then_some(lot)
    }
}
