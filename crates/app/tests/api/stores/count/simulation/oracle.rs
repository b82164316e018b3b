//! The expected current counts: the protocol reimplemented, based on when saves were really made.

use std::collections::{BTreeMap, HashMap};

use super::device::Save;

/// The current count of an item.
#[derive(Default)]
pub struct ItemCount {
    pub revision: i64,
    pub standing: Option<Save>,
    made: i64,
    /// The highest sequence number received from each device.
    pub heard: HashMap<String, i64>,
}

/// Knows when everything was made.
#[derive(Default)]
pub struct Oracle {
    pub counts: BTreeMap<usize, ItemCount>,
    /// Received saves in order, with their time as known through the network.
    pub arrived: HashMap<String, i64>,
    pub held: Vec<(Save, i64)>,
    pub locked_at: i64,
    pub unlocked: bool,
}

impl Oracle {
    /// A save arrives, sent at `sent`; only its first arrival counts.
    pub fn arrive(&mut self, save: &Save, sent: i64, now: i64) {
        if self.arrived.contains_key(&save.op()) {
            return;
        }
        let made = (save.truly_at + (now - sent)).min(now);
        self.arrived.insert(save.op(), made);
        if made >= self.locked_at && !self.unlocked {
            self.held.push((save.clone(), made));
        } else {
            self.place(save, made);
        }
    }

    /// A held save is applied.
    pub fn apply_held(&mut self) {
        for (save, made) in std::mem::take(&mut self.held) {
            self.place(&save, made);
        }
    }

    fn place(&mut self, save: &Save, made: i64) {
        let count = self.counts.entry(save.item).or_default();
        let heard = count.heard.entry(save.device.clone()).or_insert(0);
        if *heard > save.seq {
            return;
        }
        *heard = save.seq;
        let stands = match &count.standing {
            None => true,
            Some(standing) if standing.device == save.device => true,
            Some(_) if save.base == Some(count.revision) => true,
            Some(standing) => (made, &save.device) > (count.made, &standing.device),
        };
        if stands {
            count.revision += 1;
            count.made = made;
            count.standing = Some(save.clone());
        }
    }
}
