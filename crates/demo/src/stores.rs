//! The group's stores, areas and formats.

use std::sync::LazyLock;

use serde::Deserialize;

use super::table::table;

/// An island group; storms affect one at a time.
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
    pub name: &'static str,
    pub island: Island,
}

static REGIONS: LazyLock<Vec<Region>> = table!("regional-areas");

/// Regional areas.
pub fn regions() -> &'static [Region] {
    &REGIONS
}

/// How much of the menu a format offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kitchen {
    /// Drinks, snacks and sweets.
    Kiosk,
    /// Without dishes that need a table or a sizzling plate.
    Express,
    /// Everything.
    Full,
}

/// A store format.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Format {
    pub name: &'static str,
    pub kitchen: Kitchen,
}

static FORMATS: LazyLock<Vec<Format>> = table!("store-formats");

/// Store formats.
pub fn formats() -> &'static [Format] {
    &FORMATS
}

/// The location of a store, which determines its weekly pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Site {
    /// Shoppers.
    Mall,
    /// Office workers.
    Office,
    /// Neighbours.
    Street,
    /// Students.
    Campus,
    /// Travellers.
    Transit,
}

/// Whether a store is open during the whole time of the demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Trading {
    /// Open all the time.
    Steady,
    /// Opened after a third of it.
    Opened,
    /// Closed after two thirds of it.
    Closed,
}

/// A store without an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub code: &'static str,
    pub name: &'static str,
    /// Street address.
    pub street: &'static str,
    pub city: &'static str,
    pub province: &'static str,
    pub postal: &'static str,
    /// Name of its regional area.
    region: &'static str,
    /// Code of an operational area.
    pub area: &'static str,
    /// Name of its format.
    format: &'static str,
    pub site: Site,
    pub square_metres: i64,
    pub seats: i64,
    /// Receipts on an ordinary day.
    pub receipts: i64,
    /// The lessor, if it is a mall.
    pub lessor: Option<&'static str>,
    pub trading: Trading,
}

impl Place {
    /// Index of its regional area in [`regions`].
    pub fn region(&self) -> usize {
        REGIONS.iter().position(|region| region.name == self.region).unwrap_or(0)
    }

    /// Index of its format in [`formats`].
    pub fn format(&self) -> usize {
        FORMATS.iter().position(|format| format.name == self.format).unwrap_or(0)
    }

    /// Its island group, which determines its storms.
    pub fn island(&self) -> Island {
        REGIONS[self.region()].island
    }

    /// How much of the menu it offers.
    pub fn kitchen(&self) -> Kitchen {
        FORMATS[self.format()].kitchen
    }

    /// Index of its price level.
    pub fn price_level(&self) -> usize {
        match (self.region(), self.island()) {
            (0, _) => 0,
            (_, Island::Luzon) => 1,
            _ => 2,
        }
    }
}

static STORES: LazyLock<Vec<Place>> = table!("stores");

/// The first stores of the group and the closed one, so that a small demo has all regions, and stores that opened and
/// closed.
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
    fn a_few_stores_cover_every_island_and_openings_and_closings() {
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
