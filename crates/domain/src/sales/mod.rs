//! Sales: reading a till's file, grouping its lines into receipts and store-days, and computing usage.

mod amounts;
pub mod bom;
mod bytes;
pub mod calendar;
pub mod control;
pub mod dates;
pub mod day;
pub mod detect;
pub mod existing;
pub mod facts;
pub mod line;
pub mod mapping;
pub mod names;
pub mod nights;
pub mod numbers;
pub mod packed;
mod reader;
mod receipt_level_figures;
pub mod rollup;
pub mod shape;
pub mod sources;
mod spread;
pub mod sums;
pub mod ticket;
pub mod times;
pub mod totals;
pub mod words;

pub use bom::{Bom, BomBook};
pub use dates::DateFormat;
pub use day::{DayItem, DayLine, SoldItem, StoreDay};
pub use facts::Facts;
pub use line::{Cell, Line, Problem, Tables};
pub use mapping::{Field, Mapping};
pub use reader::{KnownItems, LineReader, ModifiersFound, NegativesFound, PartsFound, UnknownWord};
pub use rollup::{Deltas, Grain};

/// The id of rollups over all stores. It sorts before every store's id.
pub const ALL_STORES: &str = "*";

/// Prefix of the id of an item without a POS item.
pub const UNMAPPED: &str = "unmapped:";

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Sale,
    /// A return; its quantity is negative.
    Return,
    /// A void. A positive quantity was never sold and counts nothing; a negative one cancels an earlier line and counts
    /// as written.
    Void,
}

impl Kind {
    /// The stored number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Sale => 0,
            Self::Return => 1,
            Self::Void => 2,
        }
    }

    /// The kind of a stored number.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        [Self::Sale, Self::Return, Self::Void].into_iter().find(|kind| kind.code() == code)
    }

    /// Parses the words tills write; yes and no are for a column «Voided».
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        mapping::Word::of(text).map(Self::from)
    }
}

impl From<mapping::Word> for Kind {
    fn from(word: mapping::Word) -> Self {
        match word {
            mapping::Word::Counts => Self::Sale,
            mapping::Word::Returns => Self::Return,
            mapping::Word::LeaveOut => Self::Void,
        }
    }
}
