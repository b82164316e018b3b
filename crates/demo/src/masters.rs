//! Loads the lists, the stores, the roles and the users.

use std::collections::HashMap;
use std::sync::Arc;

use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use larder_lists::catalog::{
    Category, FoodType, Location, OperationalArea, PosItem, PriceLevel, ProductType, RegionalArea, RootItem,
    StorageRequirement, StoreFormat, TenderType, Uom,
};
use larder_lists::engine::{List, update};
use larder_platform::http::ApiError;
use larder_platform::people::{password, roles, users};
use serde_json::{Map, Value, json};

use super::SignIn;
use super::companies::company_of;
use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::people::{PEOPLE, purpose, roles};
use super::rng::{Rng, key};
use super::root_items::root_items;
use super::small_lists;
use super::stores::{Island, Kitchen, Place, Site, formats, regions};
use super::table::texts;
use super::{accounts, companies, products, recipes, stock, stock_places, store_items, suppliers};

/// The ids of the world's stores and dishes, in its order.
#[derive(Debug, Clone)]
pub struct Ids {
    pub stores: Vec<Arc<str>>,
    /// The POS items.
    pub dishes: Vec<Arc<str>>,
}

/// The day the lists were created: some weeks before the first sale.
pub fn set_up(world: &World) -> BusinessDay {
    world.first.plus(-24)
}

/// The ids of referenced records, by their keys in the tables.
#[derive(Debug, Clone)]
pub struct Lists {
    /// By code.
    pub uoms: HashMap<String, String>,
    pub categories: HashMap<String, String>,
    pub food_types: HashMap<String, String>,
    pub product_types: HashMap<String, String>,
    pub storage: HashMap<String, String>,
    /// In their order.
    pub levels: Vec<String>,
    /// By number.
    pub accounts: HashMap<&'static str, String>,
    /// By code.
    pub roots: HashMap<&'static str, String>,
}

/// Loads the lists, the stores, the users, and the stock.
pub async fn load(demo: &mut DemoActor<'_>, world: &World, sign_in: SignIn) -> Result<Ids, ApiError> {
    let accounts = accounts::load(demo, world).await?;
    let companies = companies::load(demo, world).await?;
    let mut clock = Clock(moment(set_up(world), 9, 0));
    let uoms = plain::<Uom>(demo, &mut clock, small_lists::uoms(), "code").await?;
    let food_types = plain::<FoodType>(demo, &mut clock, small_lists::food_types(), "name").await?;
    let product_types = plain::<ProductType>(demo, &mut clock, small_lists::product_types(), "name").await?;
    let storage = small_lists::storage_requirements();
    let storage = plain::<StorageRequirement>(demo, &mut clock, storage, "name").await?;
    let categories = tree::<Category>(demo, &mut clock, small_lists::categories(), "name").await?;
    let levels = demo.add::<PriceLevel>(clock.next(), small_lists::price_levels()).await?;
    let formats = named(formats().iter().map(|format| format.name));
    let formats = demo.add::<StoreFormat>(clock.next(), formats).await?;
    let regions = named(regions().iter().map(|region| region.name));
    let regions = demo.add::<RegionalArea>(clock.next(), regions).await?;
    let areas = small_lists::operational_areas();
    let areas = tree::<OperationalArea>(demo, &mut clock, areas, "code").await?;
    let refs = Refs { levels: levels.clone(), formats, regions, areas, companies };
    let stores =
        world.places.iter().enumerate().map(|(at, place)| location(world, &refs, at, place)).collect();
    let stores = demo.add::<Location>(clock.next(), stores).await?;
    let (roots, dishes) = menu(demo, &mut clock, world).await?;
    let arcs = |ids: Vec<String>| ids.into_iter().map(Arc::from).collect();
    let ids = Ids { stores: arcs(stores), dishes: arcs(dishes) };
    people(demo, clock.next(), world, &ids, sign_in).await?;
    let lists = Lists { uoms, categories, food_types, product_types, storage, levels, accounts, roots };
    stock_up(demo, world, &lists, &ids, &refs.companies).await?;
    demo.add::<TenderType>(clock.next(), small_lists::tender_types()).await?;
    Ok(ids)
}

/// The commissary's products, and the stores' items and levels.
async fn stock_up(
    demo: &mut DemoActor<'_>,
    world: &World,
    lists: &Lists,
    ids: &Ids,
    companies: &HashMap<String, String>,
) -> Result<(), ApiError> {
    let places = stock_places::load(demo, world, companies).await?;
    suppliers::load(demo, world).await?;
    let products = products::load(demo, world, lists).await?;
    recipes::load(demo, world, lists, &products).await?;
    store_items::load(demo, world, lists, ids).await?;
    stock::load(demo, world, &places, &products).await
}

/// A list without references; returns its ids by one of its fields.
async fn plain<L: List>(
    demo: &mut DemoActor<'_>,
    clock: &mut Clock,
    records: Vec<Value>,
    key: &str,
) -> Result<HashMap<String, String>, ApiError> {
    let keys = texts(&records, key);
    let made = demo.add::<L>(clock.next(), records).await?;
    Ok(keys.into_iter().zip(made).collect())
}

/// Simulates the time it takes to enter a list.
struct Clock(Timestamp);

impl Clock {
    fn next(&mut self) -> Timestamp {
        self.0 = self.0.plus_seconds(23 * 60);
        self.0
    }
}

fn named<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Value> {
    names.map(|name| json!({ "name": name })).collect()
}

/// A tree whose records name their parent by one of its fields; adds parents first and returns the ids by that field.
async fn tree<L: List>(
    demo: &mut DemoActor<'_>,
    clock: &mut Clock,
    records: Vec<Value>,
    key: &str,
) -> Result<HashMap<String, String>, ApiError> {
    let mut ids: HashMap<String, String> = HashMap::new();
    let mut left = records;
    while !left.is_empty() {
        let (mut ready, later): (Vec<Value>, Vec<Value>) = left
            .into_iter()
            .partition(|record| record["parent"].as_str().is_none_or(|parent| ids.contains_key(parent)));
        if ready.is_empty() {
            return Err(ApiError::internal(anyhow::anyhow!("a row refers to a missing parent")));
        }
        for record in ready.iter_mut().filter_map(Value::as_object_mut) {
            if let Some(parent) = record.remove("parent") {
                record
                    .insert("parentId".to_owned(), json!(parent.as_str().and_then(|parent| ids.get(parent))));
            }
        }
        ids.extend(plain::<L>(demo, clock, ready, key).await?);
        left = later;
    }
    Ok(ids)
}

struct Refs {
    levels: Vec<String>,
    formats: Vec<String>,
    regions: Vec<String>,
    areas: HashMap<String, String>,
    companies: HashMap<String, String>,
}

const COMPANY: &str = "Hapag Kanto Foods, Inc.";

fn location(world: &World, refs: &Refs, at: usize, place: &Place) -> Value {
    let mut rng = Rng::of(world.seed, &[key("terms"), key(place.code)]);
    let mut amount = |low: f64, high: f64| Money(super::rng::whole(rng.between(low, high) * 4.0) * 25);
    let metro = place.region() == 0;
    let rent = if metro { amount(1100.0, 2100.0) } else { amount(650.0, 1250.0) };
    let (service, cooling, other) = (amount(120.0, 240.0), amount(160.0, 320.0), amount(35.0, 90.0));
    let (power, water) = (amount(10.5, 14.5), amount(38.0, 95.0));
    let percent = if place.lessor.is_some() { amount(4.0, 9.0) } else { Money::ZERO };
    let size = if place.kitchen() == Kitchen::Kiosk { 3 } else { 10 };
    let (lead, review) = rhythm(place);
    let opened = world.opened(place);
    let terminals =
        (1..=terminals(place)).map(|n| json!({ "posCode": place.code, "terminalId": format!("{n:02}") }));
    json!({
        "name": place.name,
        "code": place.code,
        "companyId": refs.companies.get(company_of(place.island())),
        "storeFormatId": refs.formats[place.format()],
        "lessor": place.lessor.unwrap_or(if place.site == Site::Campus { "Private owner, by lease" } else { "Private owner" }),
        "netsuiteCompanyName": COMPANY,
        "netsuiteLocationName": format!("{} {}", place.code, place.name),
        "netsuiteLocationInternalId": (101 + at).to_string(),
        "netsuiteClassName": formats()[place.format()].name,
        "netsuiteClassInternalId": (21 + place.format()).to_string(),
        "netsuiteCustomerName": format!("Walk-in {}", place.name),
        "netsuiteCustomerId": format!("CUST-{}", place.code),
        "netsuiteCustomerInternalId": (4001 + at).to_string(),
        "posBranchName": format!("HK {}", place.name).to_uppercase(),
        "openingDate": opened,
        "posCode": place.code,
        "terminalId": "01",
        "posTerminals": terminals.collect::<Vec<_>>(),
        "storeAreaM2": place.square_metres,
        "diningCapacityPax": place.seats,
        "frozenStorageKg": 120 + place.square_metres * size / 5,
        "dryStorageCbm": Qty(1_500_000 + place.square_metres * size * 6_000),
        "regionalAreaId": refs.regions[place.region()],
        "operationalAreaId": refs.areas.get(place.area),
        "priceLevelId": refs.levels[place.price_level()],
        "leadTimeDays": lead,
        "reviewTimeDays": review,
        "rentCostPerSqm": rent,
        "rentPercent": percent,
        "cusaCostPerSqm": service,
        "airconCostPerSqm": cooling,
        "otherChargesCostPerSqm": other,
        "electricityRateKwh": power,
        "waterRateM3": water,
        "leaseStartDate": opened.plus(-60).month(),
        "streetAddress": place.street,
        "city": place.city,
        "province": place.province,
        "postalCode": place.postal,
        "country": "Philippines",
        "inactive": world.closed(place) < world.last,
    })
}

/// Lead and review days of a place.
pub fn rhythm(place: &Place) -> (i64, i64) {
    match (place.region(), place.island()) {
        (0, _) => (1, 2),
        (_, Island::Luzon) => (2, 3),
        _ => (4, 7),
    }
}

/// Maximum number of tills per store.
pub const MOST_TERMINALS: usize = 3;

/// The number of tills of a store.
pub fn terminals(place: &Place) -> usize {
    match place.receipts {
        ..=180 => 1,
        181..=320 => 2,
        _ => MOST_TERMINALS,
    }
}

/// Root items and POS items, with their later changes.
async fn menu(
    demo: &mut DemoActor<'_>,
    clock: &mut Clock,
    world: &World,
) -> Result<(HashMap<&'static str, String>, Vec<String>), ApiError> {
    let bodies = root_items().iter().map(|root| {
        json!({
            "rootProductId": root.code.to_uppercase(),
            "name": root.name,
            "type": root.r#type,
            "weightKg": root.weight_kg,
            "price": root.price,
            "production": root.production,
        })
    });
    let root_ids = demo.add::<RootItem>(clock.next(), bodies.collect()).await?;
    let of: HashMap<&str, String> = root_items().iter().map(|root| root.code).zip(root_ids).collect();
    let bom = |lines: &[(&str, Factor)]| -> Vec<Value> {
        lines.iter().map(|(code, n)| json!({ "rootProductId": of.get(code), "multiplier": n })).collect()
    };
    let bodies = world.dishes.iter().enumerate().map(|(at, dish)| {
        json!({
            "posItemId": dish.code,
            "description": dish.name,
            "price": world.price(at, world.first),
            "serviceType": dish.service,
            "category": dish.category,
            "bom": bom(&dish.bom),
        })
    });
    let ids = demo.add::<PosItem>(clock.next(), bodies.collect()).await?;
    let mut edits = price_rises(world);
    edits.extend(recipe_change(world).map(|(day, at, lines)| (day, at, json!({ "bom": bom(&lines) }))));
    edits.sort_by_key(|(day, at, _)| (*day, *at));
    let mut revisions = vec![1; ids.len()];
    for (day, at, patch) in edits {
        revisions[at] = edit(demo, moment(day, 8, 30), (&ids[at], revisions[at]), patch).await?;
    }
    Ok((of, ids))
}

/// Each February's new prices.
fn price_rises(world: &World) -> Vec<(BusinessDay, usize, Value)> {
    let firsts = world.days().skip(1).filter(|day| *day == day.month() && day.date().month() == 2);
    firsts
        .flat_map(|day| {
            (0..world.dishes.len()).map(move |at| (day, at, json!({ "price": world.price(at, day) })))
        })
        .collect()
}

type Recipe = Vec<(&'static str, Factor)>;

/// Less potato in the fries since a failed harvest, six weeks before the end.
fn recipe_change(world: &World) -> Option<(BusinessDay, usize, Recipe)> {
    let day = world.last.plus(-44);
    let at =
        world.dishes.iter().position(|dish| dish.name == "French Fries").filter(|_| day > world.first)?;
    let mut lines = world.dishes[at].bom.clone();
    for (_, amount) in lines.iter_mut().filter(|(code, _)| *code == "potato") {
        amount.0 = amount.0 / 16 * 15;
    }
    Some((day, at, lines))
}

/// Updates a POS item of a given revision; returns its new revision.
async fn edit(
    demo: &DemoActor<'_>,
    at: Timestamp,
    (id, revision): (&str, i64),
    mut patch: Value,
) -> Result<i64, ApiError> {
    patch["revision"] = json!(revision);
    let patch: &Map<String, Value> = &patch.as_object().cloned().unwrap_or_default();
    let actor = demo.actor(1, at);
    let written = demo.state.db.write(&actor, async |tx| update::<PosItem>(tx, id, patch.clone()).await);
    Ok(written.await?.stamp().revision)
}

/// Roles and their users.
async fn people(
    demo: &mut DemoActor<'_>,
    at: Timestamp,
    world: &World,
    ids: &Ids,
    sign_in: SignIn,
) -> Result<(), ApiError> {
    let roles: Vec<_> = roles().into_iter().map(|(name, rights)| (demo.id(at), name, rights)).collect();
    let mut users = Vec::new();
    for (nth, person) in PEOPLE.iter().enumerate() {
        let chosen = match sign_in {
            SignIn::All => person.password.to_owned(),
            SignIn::Nobody => demo.state.random_bytes::<32>().map(|byte| format!("{byte:02x}")).concat(),
        };
        let hash = password::hash(chosen, demo.state.random_bytes()).await?;
        let within = person.stores.map(|codes| {
            let of = |code| world.places.iter().position(|place| place.code == code);
            codes.iter().filter_map(|code| of(*code)).map(|at| ids.stores[at].to_string()).collect::<Vec<_>>()
        });
        let role = person.role.and_then(|role| roles.iter().find(|(_, name, _)| *name == role));
        users.push((demo.id(at), demo.uids[nth].clone(), person, hash, role, within));
    }
    let actor = demo.actor(0, at);
    let (roles, users) = (&roles, &users);
    demo.state
        .db
        .write(&actor, async |tx| {
            for (id, name, rights) in roles {
                let role = roles::Fields {
                    name: (*name).to_owned(),
                    description: purpose(name).to_owned(),
                    permissions: rights.clone(),
                    require_totp: false,
                };
                roles::insert(tx, id, &role).await?;
            }
            for (id, uid, person, hash, role, within) in users {
                let new = users::NewUser {
                    uid,
                    id,
                    email: person.email,
                    name: person.name,
                    password_hash: hash,
                    role_id: role.map(|role| role.0.as_str()),
                    super_admin: role.is_none(),
                    store_ids: within.as_deref(),
                };
                users::add_user(tx, &new).await?;
            }
            Ok::<_, ApiError>(())
        })
        .await
}
