//! The items that a file's names and codes are already known to mean.

use std::collections::HashSet;

use crate::sales::line::SeenItem;
use crate::sales::names::key;

/// Which items of a file are known ones.
#[derive(Debug, Clone, Default)]
pub struct KnownItems {
    /// The keys of items in files ([`SeenItem::key`]) that are known.
    pub keys: HashSet<String>,
    /// The keys of names that are known, also beside a code that is not.
    pub names: HashSet<String>,
}

impl KnownItems {
    /// Whether an item is one of them.
    #[must_use]
    pub fn has(&self, item: &SeenItem) -> bool {
        self.keys.contains(&item.key) || self.names.contains(&key(&item.name))
    }
}
