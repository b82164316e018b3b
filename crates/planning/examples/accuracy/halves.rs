//! Which series and cut-offs belong to which part.

use larder_planning::demand::Series;
use larder_planning::method::Input;
use larder_planning::rolling::cuts;
use larder_planning::select::Class;
use larder_planning::short::{FULL_DAYS, History};

use crate::sales::Item;
use crate::{HISTORY, HORIZON};

/// Cut-offs of each half.
const CUTS: usize = 32;

/// Series and cut-offs that are measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    OlderA,
    OlderB,
    NewerA,
    NewerB,
    Bakery,
}

impl Part {
    pub const OF_ORDERS: [Self; 4] = [Self::OlderA, Self::OlderB, Self::NewerA, Self::NewerB];

    pub fn name(self) -> &'static str {
        match self {
            Self::OlderA => "older a",
            Self::OlderB => "older b",
            Self::NewerA => "newer a",
            Self::NewerB => "newer b",
            Self::Bakery => "bakery",
        }
    }

    /// Whether a series is one of its own, by a hash of the name (FNV-1a).
    pub fn has(self, name: &str) -> bool {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let second = (hash >> 32) % 2 == 1;
        match self {
            Self::OlderA | Self::NewerA => !second,
            Self::OlderB | Self::NewerB => second,
            Self::Bakery => true,
        }
    }

    /// The cut-offs of a series of `n` days, newest first.
    pub fn cuts(self, n: usize) -> impl Iterator<Item = usize> {
        let until = match self {
            Self::OlderA | Self::OlderB => n.saturating_sub(CUTS * HORIZON),
            Self::NewerA | Self::NewerB | Self::Bakery => n,
        };
        cuts(until, HORIZON, HORIZON, CUTS, FULL_DAYS)
    }
}

/// Keeps the series that sold most in the year before the first cut-off of a part, so that no later day decides which are
/// measured.
pub fn keep_largest(items: &mut Vec<Item>, part: Part, most: usize) {
    let total = |item: &Item| {
        let first = part.cuts(item.raw.len()).last().unwrap_or(0);
        let year = &item.raw[first.saturating_sub(HISTORY)..first];
        year.iter().filter(|sold| sold.is_finite()).sum::<f64>()
    };
    items.sort_by(|a, b| total(b).total_cmp(&total(a)).then_with(|| a.name.cmp(&b.name)));
    items.truncate(most);
}

/// What a forecast at a cut-off may know.
pub fn history<'a>(series: &Series<'a>, cut: usize) -> Input<'a> {
    let whole = Input { masked: series.masked, ..Input::new(series.y, series.first_day) };
    whole.until(cut).last(HISTORY)
}

/// The class of a history; `None` where it is too short for a choice.
pub fn class_of(history: &Input<'_>) -> Option<Class> {
    (History::of(history.known()) == History::Full).then(|| Class::of(history))
}

/// The name of a class in the table: the defaults distinguish these two.
pub fn title(class: Class) -> &'static str {
    match class {
        Class::Smooth | Class::Erratic => "dense",
        Class::Intermittent | Class::Lumpy => "intermittent",
    }
}
