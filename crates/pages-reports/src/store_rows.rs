//! Grouping of store reports: by store, area, region or format.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::store_queries::Place;

/// Row type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StoreRows {
    #[default]
    Store,
    /// By operational area.
    Area,
    /// By regional area.
    Region,
    Format,
}

/// Query parameters besides range and stores.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ByStore {
    /// Rows: `store`, `area`, `region` or `format`.
    #[param(inline)]
    pub by: StoreRows,
}

impl StoreRows {
    /// Heading of the name column.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Store => "Store",
            Self::Area => "Area",
            Self::Region => "Region",
            Self::Format => "Format",
        }
    }

    fn of(self, place: &Place) -> (String, String) {
        let named = |id: &Option<String>, name: &Option<String>, none: &str| {
            (id.clone().unwrap_or_default(), name.clone().unwrap_or_else(|| none.to_owned()))
        };
        match self {
            Self::Store => (place.id.clone(), place.name.clone()),
            Self::Area => named(&place.area_id, &place.area, "No area"),
            Self::Region => named(&place.region_id, &place.region, "No region"),
            Self::Format => named(&place.format_id, &place.format, "No format"),
        }
    }
}

/// A row of one or more stores.
#[derive(Debug, Clone)]
pub struct Row {
    /// Id of the store, area, region or format; empty for stores without one.
    pub id: String,
    pub name: String,
    /// Indexes of the stores.
    pub stores: Vec<usize>,
}

/// The stores grouped into rows, by name.
pub fn rows(places: &[Place], by: StoreRows) -> Vec<Row> {
    let mut found: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, place) in places.iter().enumerate() {
        let (id, name) = by.of(place);
        found.entry((name, id)).or_default().push(at);
    }
    found.into_iter().map(|((name, id), stores)| Row { id, name, stores }).collect()
}

/// All stores as one row.
pub fn all(places: &[Place]) -> Row {
    Row { id: String::new(), name: "Total".to_owned(), stores: (0..places.len()).collect() }
}

impl Row {
    /// The ids of its stores.
    pub fn ids(&self, places: &[Place]) -> Vec<String> {
        self.stores.iter().filter_map(|at| places.get(*at)).map(|place| place.id.clone()).collect()
    }
}

/// A store with missing data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedStore {
    pub id: String,
    pub name: String,
}

impl From<&Place> for NamedStore {
    fn from(place: &Place) -> Self {
        Self { id: place.id.clone(), name: place.name.clone() }
    }
}

/// The stores that satisfy a condition.
pub fn named(places: &[Place], mut holds: impl FnMut(usize, &Place) -> bool) -> Vec<NamedStore> {
    let found = places.iter().enumerate().filter(|(at, place)| holds(*at, place));
    found.map(|(_, place)| NamedStore::from(place)).collect()
}
