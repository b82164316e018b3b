//! Prepares store days before the transaction that writes them.

use larder_domain::Timestamp;
use larder_domain::sales::StoreDay;
use larder_domain::sales::day::{ItemSums, Till, TillFacts, Totals};
use larder_domain::sales::times::first_and_last;
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
    /// The times of the first and last sale, if any is known.
    pub(super) hours: Option<(i32, i32)>,
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
        let hours = first_and_last(&day.lines, &day.receipts);
        Self { day, packed, digest, totals, tills, facts, items, hours, corrected_at: None }
    }

    /// The store day it was prepared from.
    #[must_use]
    pub fn day(&self) -> &StoreDay {
        &self.day
    }
}
