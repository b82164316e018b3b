//! The stores. Served by the stores feature; declared here because lists refer to each other.

use std::collections::HashSet;

use larder_db::Json;
use larder_db::{DbError, Tx, ViolationKind};
use larder_domain::{BusinessDay, Qty};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::items::with_id;
use crate::engine::Part::{Member, Says};
use crate::engine::{Draft, FieldType, Found, Hidden, Items, Kind, list, wrong};
use larder_platform::http::error::{ApiError, FieldError};

/// A till: the code in its files and its own number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Terminal {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    pub pos_code: String,
    pub terminal_id: String,
}

/// The tills of a store, as stored.
pub type Terminals = Json<Vec<Terminal>>;

impl FieldType for Terminals {
    const KIND: Kind = Kind::Items(&Items {
        refs: &[],
        schema: Terminal::schema,
        line: &[Member("posCode"), Says(" / "), Member("terminalId")],
        read: read_terminals,
    });
    const REQUIRED: bool = false;
}

list! {
    /// A store location.
    Location = "location" in "locations", "stores/storeList", "/api/stores/locations" {
        name: String = "Name" [keyed, searched],
        code: Option<String> = "Code" [keyed, searched, max(50)],
        store_format_id: Option<String> = "Store format" [to("store_formats")],
        company_id: Option<String> = "Company" [to("companies")],
        lessor: Option<String> = "Lessor",
        netsuite_company_name: Option<String> = "NetSuite company name",
        netsuite_location_name: Option<String> = "NetSuite location name",
        netsuite_location_internal_id: Option<String> = "NetSuite location internal id",
        netsuite_class_name: Option<String> = "NetSuite class name",
        netsuite_class_internal_id: Option<String> = "NetSuite class internal id",
        netsuite_customer_name: Option<String> = "NetSuite customer name",
        netsuite_customer_id: Option<String> = "NetSuite customer id",
        netsuite_customer_internal_id: Option<String> = "NetSuite customer internal id",
        pos_branch_name: Option<String> = "POS branch name" [searched],
        opening_date: Option<BusinessDay> = "Opening date",
        pos_code: Option<String> = "POS code" [searched, max(50)],
        terminal_id: Option<String> = "Terminal id" [searched, max(50)],
        pos_terminals: Terminals = "POS terminals",
        store_area_m2: Option<Qty> = "Store area (m²)",
        dining_capacity_pax: Option<i64> = "Dining capacity (pax)",
        frozen_storage_kg: Option<Qty> = "Frozen storage (kg)",
        dry_storage_cbm: Option<Qty> = "Dry storage (cbm)",
        regional_area_id: Option<String> = "Regional area" [to("regional_areas")],
        operational_area_id: Option<String> = "Operational area" [to("operational_areas")],
        price_level_id: Option<String> = "Price level" [to("price_levels")],
        lead_time_days: i64 = "Lead time (days)",
        review_time_days: i64 = "Review time (days)",
        rent_cost_per_sqm: Option<Qty> = "Rent per m²",
        rent_percent: Option<Qty> = "Percentage rent (%)",
        cusa_cost_per_sqm: Option<Qty> = "CUSA per m²",
        aircon_cost_per_sqm: Option<Qty> = "Air conditioning per m²",
        other_charges_cost_per_sqm: Option<Qty> = "Other charges per m²",
        electricity_rate_kwh: Option<Qty> = "Electricity per kWh",
        water_rate_m3: Option<Qty> = "Water per m³",
        lease_start_date: Option<BusinessDay> = "Lease start date",
        street_address: Option<String> = "Street address",
        city: Option<String> = "City" [searched],
        province: Option<String> = "Province",
        postal_code: Option<String> = "Postal code" [max(20)],
        country: Option<String> = "Country",
        inactive: bool = "Inactive",
    }
    one: "store", many: "Stores", icon: "IconBuildingStore", merges: true, unique: &[&["name"], &["code"]],
    opened_at: Some("/stores/locations/:id"), code: Some("code"), stores: true, store: Some("id"),
    tells_editor: false,
    hidden: Some(Hidden { column: "inactive", when: true, unless: "includeInactive" }),
    ;

    fn check(draft: &Draft, wrong: &mut Vec<FieldError>) {
        check_rent(draft, wrong);
    }

    async fn after_write(
        tx: &mut Tx<'_>,
        before: Option<&Self>,
        after: &Self,
        _options: &Map<String, Value>,
    ) -> Result<(), ApiError> {
        if before.and_then(|before| before.company_id.as_ref()) != after.company_id.as_ref() {
            refuse_unknown_company(tx, after).await?;
        }
        write_terminals(tx, before, after).await
    }
}

/// Stores older than the company list may name an unknown company; a change must choose a known one.
async fn refuse_unknown_company(tx: &mut Tx<'_>, after: &Location) -> Result<(), ApiError> {
    let Some(company) = &after.company_id else { return Ok(()) };
    let known: Option<(String,)> =
        tx.sql("select id from companies where id = $1").bind(company).optional().await?;
    match known {
        Some(_) => Ok(()),
        None => Err(ApiError::field("companyId", "This company does not exist; choose one from the list.")),
    }
}

/// The most tills of one store.
const MAX_TERMINALS: usize = 100;

fn check_rent(draft: &Draft, findings: &mut Vec<FieldError>) {
    const ALL_OF_IT: i64 = 100_000_000;
    if draft.int("rentPercent").is_some_and(|percent| percent > ALL_OF_IT) {
        findings.push(wrong("rentPercent", "Enter a percentage from 0 to 100."));
    }
}

fn read_terminals(value: &Value) -> Result<Value, Found> {
    let rows = match value {
        Value::Null => return Ok(json!([])),
        Value::Array(rows) if rows.len() <= MAX_TERMINALS => rows,
        _ => {
            let message =
                format!("List at most {MAX_TERMINALS} terminals, each with posCode and terminalId.");
            return Err(vec![(String::new(), message)]);
        }
    };
    let mut findings = Vec::new();
    let mut seen = HashSet::new();
    let mut read = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut text = |name: &str| match read_code(row.get(name)) {
            Ok(text) => text,
            Err(message) => {
                findings.push((format!("{i}.{name}"), message));
                String::new()
            }
        };
        let terminal = Terminal { id: None, pos_code: text("posCode"), terminal_id: text("terminalId") };
        if terminal.pos_code.is_empty() && terminal.terminal_id.is_empty() && row.is_object() {
            continue;
        }
        if !seen.insert(terminal.clone()) {
            findings.push((format!("{i}.terminalId"), "This terminal is listed already.".to_owned()));
        }
        match with_id(row.as_object().unwrap_or(&Map::new()), json!(terminal)) {
            Ok(terminal) => read.push(terminal),
            Err((path, message)) => findings.push((format!("{i}.{path}"), message)),
        }
    }
    if findings.is_empty() { Ok(Value::Array(read)) } else { Err(findings) }
}

fn read_code(value: Option<&Value>) -> Result<String, String> {
    match value {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) if text.chars().count() <= 50 && !text.chars().any(char::is_control) => {
            Ok(text.trim().to_owned())
        }
        _ => Err("Enter at most 50 visible characters.".to_owned()),
    }
}

/// All tills of a store.
fn terminals(location: &Location) -> Vec<Terminal> {
    let mut all = location.pos_terminals.0.clone();
    all.iter_mut().for_each(|terminal| terminal.id = None);
    let own = Terminal {
        id: None,
        pos_code: location.pos_code.clone().unwrap_or_default(),
        terminal_id: location.terminal_id.clone().unwrap_or_default(),
    };
    let named = !own.pos_code.is_empty() || !own.terminal_id.is_empty();
    // A bare code adds nothing if one of the tills has it.
    let covered = all.iter().any(|t| *t == own || (own.terminal_id.is_empty() && t.pos_code == own.pos_code));
    if named && !covered {
        all.push(own);
    }
    all
}

async fn write_terminals(
    tx: &mut Tx<'_>,
    before: Option<&Location>,
    after: &Location,
) -> Result<(), ApiError> {
    let wanted = terminals(after);
    if before.is_some_and(|before| terminals(before) == wanted) {
        return Ok(());
    }
    tx.sql("delete from location_terminals where location_id = $1").bind(&after.id).execute().await?;
    for terminal in wanted {
        tx.sql("insert into location_terminals (location_id, pos_code, terminal_id) values ($1, $2, $3)")
            .bind(&after.id)
            .bind(&terminal.pos_code)
            .bind(&terminal.terminal_id)
            .execute()
            .await
            .map_err(|error| taken(&terminal, error))?;
    }
    Ok(())
}

fn taken(terminal: &Terminal, error: DbError) -> ApiError {
    match &error {
        DbError::Violation(violation) if violation.kind == ViolationKind::Unique => {
            let till = format!("{} {}", terminal.pos_code, terminal.terminal_id);
            let message =
                format!("Terminal «{}» belongs to another store; remove it there first.", till.trim());
            let mut refusal = ApiError::conflict("duplicate", message.clone());
            refusal.fields.push(wrong("posTerminals", message));
            refusal
        }
        _ => error.into(),
    }
}
