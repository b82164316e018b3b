//! Receipt-level facts: guests, statutory discounts, taxed amounts.

use super::bytes::{Bytes, put, put_bits, put_size, put_text};
use super::mapping::Field;

/// Number of figures per receipt.
pub const COUNT: usize = 16;

/// The figures of a receipt, in storage order. The order never changes; new ones go to the end.
pub const FIELDS: [Field; COUNT] = [
    Field::Pax,
    Field::Senior,
    Field::Pwd,
    Field::Naac,
    Field::SoloParent,
    Field::Valor,
    Field::Employee,
    Field::Vip,
    Field::Promo,
    Field::OtherDiscount,
    Field::Vatable,
    Field::Vat,
    Field::Exempt,
    Field::ZeroRated,
    Field::ServiceCharge,
    Field::LocalTax,
];

/// The discounts, as indexes into [`FIELDS`].
pub const DISCOUNTS: std::ops::Range<usize> = 1..10;
/// VATable sales, VAT, exempt and zero-rated sales, as indexes into [`FIELDS`].
pub const TAXED: std::ops::Range<usize> = 10..14;

/// The index of a field among a receipt's figures.
#[must_use]
pub fn place(field: Field) -> Option<usize> {
    FIELDS.iter().position(|known| *known == field)
}

/// The figures of a receipt: number of guests, amounts in centavos. Discounts are positive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts(pub [i64; COUNT]);

impl Facts {
    /// The value of a figure.
    #[must_use]
    pub fn get(&self, field: Field) -> i64 {
        place(field).map_or(0, |at| self.0[at])
    }

    /// Sets a figure; other fields are ignored.
    pub fn set(&mut self, field: Field, value: i64) {
        if let Some(at) = place(field) {
            self.0[at] = value;
        }
    }

    /// Adds another receipt's figures.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(more);
        }
    }

    /// Whether all are zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; COUNT]
    }

    /// The sum of the discounts.
    #[must_use]
    pub fn discounts(&self) -> i64 {
        self.0[DISCOUNTS].iter().fold(0, |sum, more| sum.saturating_add(*more))
    }

    /// The sum of VATable sales, VAT, exempt and zero-rated sales.
    #[must_use]
    pub fn taxed(&self) -> i64 {
        self.0[TAXED].iter().fold(0, |sum, more| sum.saturating_add(*more))
    }

    /// Appends them: a bitmap of those present, then their values.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let there = self.0.iter().enumerate().filter(|(_, value)| **value != 0);
        put_bits(out, there.clone().fold(0, |bits, (at, _)| bits | 1 << at));
        there.for_each(|(_, value)| put(out, *value));
    }

    /// Reads the output of [`Self::write`].
    pub(super) fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let bits = bytes.bits()?;
        let mut facts = Self::default();
        for (at, value) in facts.0.iter_mut().enumerate() {
            if bits & 1 << at != 0 {
                *value = bytes.take()?;
            }
        }
        (bits >> COUNT == 0).then_some(facts)
    }
}

/// A line's receipt-level values, as stored until posting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    pub facts: Facts,
    /// Tender (a number of the reader's table), centavos, reference.
    pub tenders: Vec<(u32, i64, String)>,
    /// Number of the channel, or [`super::line::NONE`].
    pub channel: u32,
}

impl Beside {
    pub(super) fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.tenders.is_empty() && self.channel == super::line::NONE
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.facts.write(out);
        put_bits(out, u64::from(self.channel.wrapping_add(1)));
        put_size(out, self.tenders.len());
        for (kind, amount, reference) in &self.tenders {
            put_bits(out, u64::from(*kind));
            put(out, *amount);
            put_text(out, reference);
        }
    }

    /// The values of all lines, in sequence.
    pub fn all(packed: &[u8]) -> impl Iterator<Item = Self> + '_ {
        let mut bytes = Bytes(packed);
        std::iter::from_fn(move || if bytes.0.is_empty() { None } else { Self::take(&mut bytes) })
    }

    /// Reads a line's values at position `at`; `None` on anything else.
    #[must_use]
    pub fn read(all: &[u8], at: u32) -> Option<Self> {
        Self::take(&mut Bytes(all.get(at as usize..)?))
    }

    fn take(bytes: &mut Bytes<'_>) -> Option<Self> {
        let facts = Facts::read(bytes)?;
        let channel = bytes.small()?.wrapping_sub(1);
        let count = bytes.size()?;
        let mut tenders = Vec::with_capacity(count.min(64));
        for _ in 0..count {
            tenders.push((bytes.small()?, bytes.take()?, bytes.text()?.to_owned()));
        }
        Some(Self { facts, tenders, channel })
    }
}
