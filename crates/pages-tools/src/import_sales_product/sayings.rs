//! The day and the store of a file that no column tells: proposed from the rows above its table, the name of its sheet,
//! and its own name.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use larder_domain::sales::Field;
use larder_domain::sales::mapping::FixedStore;
use larder_domain::sales::shape::{self, Peeked, Shape};
use larder_domain::{BusinessDay, StoreScope};

use super::layout::Layout;
use larder_ledgers::sales_names::Directory;

/// The texts of a file outside its table.
#[derive(Debug, Clone, Default)]
pub struct Sayings {
    /// The cells above the table, in order.
    titles: Vec<String>,
    sheet: Option<String>,
    /// The file's name.
    name: String,
}

impl Sayings {
    /// Those of a file by its first rows; of the sheet that is read, if it is a workbook.
    #[must_use]
    pub fn of(shape: &Shape, peeked: &[Peeked], sheet: Option<&str>, name: &str) -> Self {
        let table = shape.titles.iter().find(|title| !title.is_empty());
        let above = peeked.iter().take_while(|row| table.is_some_and(|title| !row.holds(title)));
        Self {
            titles: above.flat_map(Peeked::texts).map(str::to_owned).collect(),
            sheet: sheet.map(str::to_owned),
            name: name.to_owned(),
        }
    }

    /// The one day that they tell.
    #[must_use]
    pub fn day(&self) -> Option<BusinessDay> {
        let said = self.titles.iter().find_map(|title| shape::one_day(title));
        said.or_else(|| shape::one_day(&self.name)).map(BusinessDay)
    }

    /// The known store of the scope that they name, and where, in words. The rows above the table are believed before the
    /// sheet's name, and that before the file's. `None` if they name several.
    #[must_use]
    pub fn store(&self, directory: &Directory, scope: &StoreScope) -> Option<(Arc<str>, String)> {
        let known = |text: &str| shape::names_said(text).into_iter().find_map(|name| directory.store(&name));
        let stem = Path::new(&self.name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let titles: Vec<&str> = self.titles.iter().map(String::as_str).collect();
        let sheet: Vec<&str> = self.sheet.as_deref().into_iter().collect();
        for (place, texts) in [("title", titles), ("sheet", sheet), ("file’s name", vec![stem])] {
            let mut named: BTreeMap<Arc<str>, &str> = BTreeMap::new();
            for text in texts {
                if let Some(id) = known(text) {
                    named.entry(id).or_insert(text);
                }
            }
            if named.len() > 1 {
                return None;
            }
            if let Some((id, text)) = named.pop_first() {
                // What another store's title says is not overruled by the file's name.
                return scope.contains(&id).then(|| (id, format!("the {place} «{text}»")));
            }
        }
        None
    }
}

/// Suggests the store that the file's texts name, where no column holds one.
pub fn suggest_store(layout: &mut Layout, directory: &Directory, scope: &StoreScope) {
    let Some(suggestion) = layout.suggestion.as_mut() else { return };
    if suggestion.column(Field::Store).is_some() {
        return;
    }
    if let Some((id, said)) = layout.sayings.store(directory, scope) {
        suggestion.store = Some(FixedStore { fixed: id.to_string() });
        layout.store_from = Some(said);
    }
}
