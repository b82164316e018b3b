//! Prepares store days before the transaction that writes them.

use larder_domain::Timestamp;
use larder_domain::sales::StoreDay;
use larder_domain::sales::day::{ItemSums, Till, TillFacts, Totals};
use sha2::{Digest, Sha256};

/// A store day ready to be written, with everything done that needs no database.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub(super) day: StoreDay,
    pub(super) packed: Vec<u8>,
    pub(super) digest: String,
    pub(super) totals: Totals,
    pub(super) tills: Vec<Till>,
    pub(super) facts: Vec<TillFacts>,
    pub(super) items: ItemSums,
    pub(super) corrected_at: Option<Timestamp>,
}

impl Prepared {
    /// Packs and sums a store day.
    #[must_use]
    pub fn new(day: StoreDay) -> Self {
        let packed = day.pack();
        let mut hash = Sha256::new();
        hash.update(&packed);
        for tender in &day.tenders {
            hash.update(tender.receipt.to_le_bytes());
            hash.update(tender.kind.as_bytes());
            hash.update(tender.amount.to_le_bytes());
            hash.update(tender.reference.as_bytes());
            hash.update([0]);
        }
        let mut digest = String::with_capacity(32);
        for byte in &hash.finalize()[..16] {
            digest.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
            digest.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
        }
        let (totals, tills, items) = (day.totals(), day.tills(), day.item_sums());
        let facts = day.till_facts();
        Self { day, packed, digest, totals, tills, facts, items, corrected_at: None }
    }

    /// The store day it was prepared from.
    #[must_use]
    pub fn day(&self) -> &StoreDay {
        &self.day
    }
}
