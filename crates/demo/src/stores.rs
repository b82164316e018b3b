//! Where the group trades: its stores, the areas they lie in and their formats.

use std::sync::LazyLock;

use serde::Deserialize;

use super::table::table;

/// A group of islands; storms reach one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Island {
    /// The north, with Metro Manila.
    Luzon,
    /// The middle.
    Visayas,
    /// The south.
    Mindanao,
}

/// A regional area.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Region {
    /// Name.
    pub name: &'static str,
    /// Where it lies.
    pub island: Island,
}

static REGIONS: LazyLock<Vec<Region>> = table!("regional-areas");

/// Regional areas.
pub fn regions() -> &'static [Region] {
    &REGIONS
}

/// How much of the menu a format cooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kitchen {
    /// Drinks, snacks and sweets.
    Kiosk,
    /// Without what takes a table or a sizzling plate.
    Express,
    /// Everything.
    Full,
}

/// A store format.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Format {
    /// Name.
    pub name: &'static str,
    /// How much of the menu it cooks.
    pub kitchen: Kitchen,
}

static FORMATS: LazyLock<Vec<Format>> = table!("store-formats");

/// Store formats.
pub fn formats() -> &'static [Format] {
    &FORMATS
}

/// What a store lies in: by it the days of a week differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Site {
    /// Shoppers come.
    Mall,
    /// Office people come.
    Office,
    /// Neighbours come.
    Street,
    /// Students come.
    Campus,
    /// Travellers come.
    Transit,
}

/// Whether a store trades all the time that the demo covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Trading {
    /// Open all the time.
    Steady,
    /// Opened after a third of it.
    Opened,
    /// Gave up after two thirds of it.
    Closed,
}

/// A store before it has an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Short code.
    pub code: &'static str,
    /// Name.
    pub name: &'static str,
    /// Street address.
    pub street: &'static str,
    /// City.
    pub city: &'static str,
    /// Province.
    pub province: &'static str,
    /// Postal code.
    pub postal: &'static str,
    /// Name of its regional area.
    region: &'static str,
    /// Code of an operational area.
    pub area: &'static str,
    /// Name of its format.
    format: &'static str,
    /// Who passes.
    pub site: Site,
    /// Floor area.
    pub square_metres: i64,
    /// Seats.
    pub seats: i64,
    /// Receipts on an ordinary day.
    pub receipts: i64,
    /// Who lets it, if it is let by a mall.
    pub lessor: Option<&'static str>,
    /// Opened or closed within the time the demo covers.
    pub trading: Trading,
}

impl Place {
    /// Place of its regional area among [`regions`].
    pub fn region(&self) -> usize {
        REGIONS.iter().position(|region| region.name == self.region).unwrap_or(0)
    }

    /// Place of its format among [`formats`].
    pub fn format(&self) -> usize {
        FORMATS.iter().position(|format| format.name == self.format).unwrap_or(0)
    }

    /// Which storms reach it.
    pub fn island(&self) -> Island {
        REGIONS[self.region()].island
    }

    /// How much of the menu it cooks.
    pub fn kitchen(&self) -> Kitchen {
        FORMATS[self.format()].kitchen
    }

    /// Place of its price level.
    pub fn price_level(&self) -> usize {
        match (self.region(), self.island()) {
            (0, _) => 0,
            (_, Island::Luzon) => 1,
            _ => 2,
        }
    }
}

static STORES: LazyLock<Vec<Place>> = table!("stores");

/// The first stores of the group and the one it gave up, so that a small demo has all regions, and stores that opened
/// and closed.
pub fn places(count: usize) -> Vec<Place> {
    let (closed, open): (Vec<_>, Vec<_>) = STORES.iter().partition(|place| place.trading == Trading::Closed);
    open.into_iter().take(count).chain(closed.into_iter().take(count.div_ceil(20))).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small_lists::operational_areas;
    use crate::table::texts;
    use std::collections::HashSet;

    #[test]
    fn every_row_is_a_store() {
        let full = places(40);
        assert_eq!(full.len(), STORES.len());
        assert_eq!(full.iter().filter(|p| p.trading != Trading::Closed).count(), 40);
        for part in [|p: &Place| p.code, |p: &Place| p.name] {
            assert_eq!(full.iter().map(part).collect::<HashSet<_>>().len(), full.len());
        }
        assert!(full.iter().all(|p| REGIONS.iter().any(|region| region.name == p.region)));
        assert!(full.iter().all(|p| FORMATS.iter().any(|format| format.name == p.format)));
        let areas = texts(&operational_areas(), "code");
        assert!(full.iter().all(|p| areas.iter().any(|code| code == p.area)));
    }

    #[test]
    fn a_few_stores_show_every_island_and_stores_that_opened_and_closed() {
        let small = places(8);
        assert_eq!(small.len(), 9);
        for island in [Island::Luzon, Island::Visayas, Island::Mindanao] {
            assert!(small.iter().any(|p| p.island() == island));
        }
        for trading in [Trading::Steady, Trading::Opened, Trading::Closed] {
            assert!(small.iter().any(|p| p.trading == trading));
        }
    }
}
