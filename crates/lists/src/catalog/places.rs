//! Commissaries, warehouses and cold storages.

use larder_db::Tx;
use serde_json::{Map, Value, json};

use crate::engine::list;
use larder_platform::http::error::ApiError;

list! {
    /// A kitchen that makes for the stores.
    Commissary = "commissary" in "commissaries", "lists/commissaries", "/api/lists/commissaries" {
        name: String = "Name" [keyed, searched],
        company_id: Option<String> = "Company" [to("companies")],
        email: Option<String> = "Email" [searched, email],
        phone: Option<String> = "Phone" [searched, max(100)],
        street_address: Option<String> = "Street address",
        city: Option<String> = "City" [searched],
        province: Option<String> = "Province",
        country: Option<String> = "Country",
        contact_person: Option<String> = "Contact person" [searched],
        is_default: bool = "Default",
    }
    one: "commissary", many: "Commissaries", icon: "IconToolsKitchen2", merges: true,
    ;

    async fn before_write(tx: &mut Tx<'_>, id: &str, body: &Map<String, Value>) -> Result<(), ApiError> {
        if body.get("isDefault") == Some(&Value::Bool(true)) {
            step_down(tx, id).await?;
        }
        Ok(())
    }
}

/// At most one commissary is the default: resets the previous one.
async fn step_down(tx: &mut Tx<'_>, id: &str) -> Result<(), ApiError> {
    let before: Vec<(String, i64)> =
        tx.sql("select id, revision from commissaries where is_default and id <> $1").bind(id).all().await?;
    for (other, revision) in before {
        let patch = Map::from_iter([
            ("revision".to_owned(), json!(revision)),
            ("isDefault".to_owned(), json!(false)),
        ]);
        (Commissary::DEF.ops().update)(tx, &other, patch).await?;
    }
    Ok(())
}

list! {
    /// A warehouse.
    Warehouse = "warehouse" in "warehouses", "lists/allLists", "/api/lists/warehouses" {
        name: String = "Name" [keyed, searched],
        email: Option<String> = "Email" [searched, email],
        phone: Option<String> = "Phone" [searched, max(100)],
        street_address: Option<String> = "Street address",
        city: Option<String> = "City" [searched],
        province: Option<String> = "Province",
        country: Option<String> = "Country",
        contact_person: Option<String> = "Contact person" [searched],
    }
    one: "warehouse", many: "Warehouses", icon: "IconBuildingWarehouse", merges: true,
    ;
}

list! {
    /// A cold storage.
    ColdStorage = "coldStorage" in "cold_storages", "lists/allLists", "/api/lists/cold-storages" {
        name: String = "Name" [keyed, searched],
        email: Option<String> = "Email" [searched, email],
        phone: Option<String> = "Phone" [searched, max(100)],
        street_address: Option<String> = "Street address",
        city: Option<String> = "City" [searched],
        province: Option<String> = "Province",
        country: Option<String> = "Country",
        contact_person: Option<String> = "Contact person" [searched],
    }
    one: "cold storage", many: "Cold storages", icon: "IconFridge", merges: true,
    ;
}
