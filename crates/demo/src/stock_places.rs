//! The kitchens, warehouses and cold storages.

use std::collections::HashMap;

use larder_domain::ledger::{Place, PlaceKind};
use larder_lists::catalog::{ColdStorage, Commissary, Warehouse};
use larder_platform::http::ApiError;
use serde_json::{Value, json};

use super::companies::COMMISSARY;
use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::set_up;
use super::table::{records, text};

/// The places of products.
#[derive(Debug, Clone)]
pub struct StockPlaces {
    /// The main kitchen, the default commissary.
    pub kitchen: Place,
    /// The kitchen for the Visayas and Mindanao.
    pub second_kitchen: Place,
    /// Dry goods and packaging.
    pub warehouse: Place,
    /// Frozen goods.
    pub cold_store: Place,
}

/// Creates kitchens, warehouses and cold storages.
pub async fn load(
    demo: &mut DemoActor<'_>,
    world: &World,
    companies: &HashMap<String, String>,
) -> Result<StockPlaces, ApiError> {
    let day = set_up(world).plus(1);
    let kitchens = records(text!("commissaries")).into_iter().map(|record| of_company(record, companies));
    let kitchens = demo.add::<Commissary>(moment(day, 13, 10), kitchens.collect()).await?;
    let warehouses = demo.add::<Warehouse>(moment(day, 13, 30), records(text!("warehouses"))).await?;
    let cold = demo.add::<ColdStorage>(moment(day, 13, 45), records(text!("cold-storages"))).await?;
    let place = |kind, ids: &[String], at: usize| Place { kind, id: ids[at].clone() };
    Ok(StockPlaces {
        kitchen: place(PlaceKind::Commissary, &kitchens, 0),
        second_kitchen: place(PlaceKind::Commissary, &kitchens, 1),
        warehouse: place(PlaceKind::Warehouse, &warehouses, 0),
        cold_store: place(PlaceKind::ColdStorage, &cold, 0),
    })
}

/// A kitchen with its company's id instead of the name.
fn of_company(mut record: Value, companies: &HashMap<String, String>) -> Value {
    if let Some(company) = record.as_object_mut().and_then(|record| record.remove("company")) {
        record["companyId"] = json!(company.as_str().and_then(|name| companies.get(name)));
        record["isDefault"] = json!(company == COMMISSARY);
    }
    record
}
