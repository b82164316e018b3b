//! Items that were counted anew within one count. What people answered about goods close to the count is about the number
//! before; the new one may include other goods.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Span, Timestamp};

use super::count_item_mapping;
use super::versions::{Parts, of_products};

type Roots = BTreeSet<String>;

/// What of some stores was counted anew.
#[derive(Default)]
pub struct Recounts {
    /// By store, date and session: the root items of each item, and when it was counted anew.
    items: HashMap<(String, BusinessDay, String), Vec<(Roots, Timestamp)>>,
    products: HashMap<String, Roots>,
}

fn roots<'a>(versions: impl Iterator<Item = &'a Parts>) -> Roots {
    versions.flatten().map(|(root, _)| root.clone()).collect()
}

impl Recounts {
    /// Those of a range, for answers about lines of some products.
    ///
    /// # Errors
    /// If the database fails, or an amount overflows.
    pub async fn read(db: &Db, stores: &[String], span: Span, products: &[&str]) -> Result<Self, DbError> {
        let rows: Vec<(String, BusinessDay, String, String, Timestamp)> = db
            .sql(
                "select store_id, date, session, item_id, recounted_at from store_counts \
                 where recounted_at is not null and date between ",
            )
            .push_bind(span.from)
            .push(" and ")
            .push_bind(span.to)
            .push(" and store_id in ")
            .push_ids(stores)
            .all()
            .await?;
        let mut found = Self::default();
        if rows.is_empty() {
            return Ok(found);
        }
        let mut of_items: HashMap<(String, String), Roots> = HashMap::new();
        for (store, items) in count_item_mapping(db, stores).await? {
            for item in items {
                of_items.insert((store.clone(), item.item_id), roots(item.roots.all()));
            }
        }
        for (store, date, session, item, at) in rows {
            let Some(roots) = of_items.get(&(store.clone(), item)) else { continue };
            found.items.entry((store, date, session)).or_default().push((roots.clone(), at));
        }
        let products = of_products(db, products).await?;
        found.products = products.into_iter().map(|(id, parts)| (id, roots(parts.all()))).collect();
        Ok(found)
    }

    /// Whether an item with a root item of the product was counted anew after an answer about its count.
    #[must_use]
    pub fn since(
        &self,
        store: &str,
        (date, session): (BusinessDay, &str),
        product: &str,
        answered_at: Timestamp,
    ) -> bool {
        if self.items.is_empty() {
            return false;
        }
        let (items, product) =
            (self.items.get(&(store.to_owned(), date, session.to_owned())), self.products.get(product));
        let Some((items, product)) = items.zip(product) else { return false };
        items.iter().any(|(roots, at)| *at > answered_at && !roots.is_disjoint(product))
    }
}
