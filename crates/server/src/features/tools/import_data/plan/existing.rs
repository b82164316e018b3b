//! The records of a list, all of them.

use larder_db::Db;
use serde_json::Value;

use crate::http::{ApiError, ApiResult};
use crate::lists::catalog;
use crate::lists::engine::{Filter, List, ListDef, page};

macro_rules! lists {
    ($($list:ident),+ $(,)?) => {
        /// Every record of a list as it is on the wire, hidden ones too.
        pub async fn all(db: &Db, def: &'static ListDef) -> ApiResult<Vec<Value>> {
            $(if def.kind == catalog::$list::DEF.kind {
                return load::<catalog::$list>(db).await;
            })+
            Err(ApiError::internal(anyhow::anyhow!("the list «{}» is not known to imports", def.kind)))
        }

        #[cfg(test)]
        const KNOWN: &[&str] = &[$(catalog::$list::DEF.kind),+];
    };
}

lists! {
    Uom, Category, FoodType, ProductType, StorageRequirement, PriceLevel, StoreFormat, RegionalArea,
    OperationalArea, RootItem, PosItem, Location, Company, Supplier, Commissary, Warehouse, ColdStorage,
    StoreRootItem, StoreInventoryItem, Recipe, Product, Account,
}

async fn load<L: List>(db: &Db) -> ApiResult<Vec<Value>> {
    let mut filter = Filter::everything(L::def());
    (filter.hidden_too, filter.limit) = (true, i64::MAX);
    let (records, _) = page::<L>(db, &filter).await?;
    records.iter().map(|record| serde_json::to_value(record).map_err(ApiError::internal)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_the_catalogue_can_be_loaded() {
        assert!(
            catalog::ALL.iter().all(|def| KNOWN.contains(&def.kind)) && KNOWN.len() == catalog::ALL.len()
        );
    }
}
