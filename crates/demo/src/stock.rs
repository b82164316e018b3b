//! Opening stock by place, and corrections in the weeks since.

use larder_db::{Change, ChangeAction, Tx};
use larder_domain::ledger::{DocumentType, Leg, Movement, Place};
use larder_domain::{BusinessDay, Qty};
use larder_ledgers::stock;
use larder_ledgers::stock::{Document, Posting};
use larder_platform::http::ApiError;
use serde_json::json;

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::set_up;
use super::products::{LoadedProduct, PLANNER, cost, kept};
use super::rng::{Rng, key};
use super::stock_places::StockPlaces;

/// A product at a place, in base units.
struct Lot<'a> {
    product: &'a LoadedProduct,
    place: Place,
    qty: i64,
}

/// A stock correction.
struct Correction {
    /// Days before the last one, and the time of day.
    at: (i32, i64, i64),
    person: usize,
    /// Position among the products, in hundredths.
    far: usize,
    /// Selling units, signed.
    packs: i64,
    reason: Option<&'static str>,
}

const fn correction(
    at: (i32, i64, i64),
    person: usize,
    far: usize,
    packs: i64,
    reason: &'static str,
) -> Correction {
    Correction { at, person, far, packs, reason: if reason.is_empty() { None } else { Some(reason) } }
}

const CORRECTIONS: &[Correction] = &[
    correction((52, 7, 40), 3, 3, -2, "Two packs thawed on the way in"),
    correction((47, 16, 5), 3, 21, 1, "Found behind the shrimp"),
    correction((44, 9, 20), 4, 62, -3, "Spoiled, destroyed with QA present"),
    correction((40, 8, 10), 1, 35, -1, "Recount"),
    correction((37, 15, 45), 3, 88, 4, "Delivery receipt 10482 was not entered"),
    correction((33, 7, 55), 3, 12, -1, "Seal broken"),
    correction((30, 10, 30), 0, 50, 6, "Cycle count"),
    correction((30, 10, 42), 0, 71, -2, "Cycle count"),
    correction((30, 10, 55), 0, 7, -1, "Cycle count"),
    correction((23, 17, 15), 3, 28, -2, "Given to the tasting panel"),
    correction((17, 6, 50), 3, 86, -1, "Pests; the exterminator is called"),
    correction((13, 14, 20), 4, 44, 2, "Counted again by QA and accounting"),
    correction((9, 9, 5), 1, 16, 30, MISTYPED),
    correction((9, 9, 21), 1, 16, 3, "Recount"),
    correction((5, 16, 40), 3, 79, -1, ""),
    correction((2, 7, 30), 3, 30, -3, "Past its date"),
];

/// A typing error, reversed a minute later.
const MISTYPED: &str = "Recount of the upper shelves";

/// Posts the opening stock and its corrections.
pub async fn load(
    demo: &mut DemoActor<'_>,
    world: &World,
    places: &StockPlaces,
    products: &[LoadedProduct],
) -> Result<(), ApiError> {
    let opening = world.last.plus(-56).max(set_up(world).plus(6));
    let mut lots = lots(world, places, products);
    let mut minute = 0;
    for place in [&places.kitchen, &places.second_kitchen, &places.warehouse, &places.cold_store] {
        let here: Vec<&Lot<'_>> = lots.iter().filter(|lot| lot.place == *place).collect();
        open(demo, opening, minute, &here).await?;
        minute += 35;
    }
    let stocked: Vec<&LoadedProduct> = products.iter().filter(|product| product.row.is_stocked()).collect();
    for correction in CORRECTIONS {
        let day = world.last.plus(-correction.at.0);
        let product = stocked[correction.far * stocked.len() / 100];
        if day <= opening {
            continue;
        }
        correct(demo, &mut lots, product, correction, day).await?;
    }
    Ok(())
}

/// Places of products: frozen in the cold storage, dry in the warehouse, the rest in the main kitchen, and some of the
/// kitchens' products in the second one.
fn lots<'a>(world: &World, places: &StockPlaces, products: &'a [LoadedProduct]) -> Vec<Lot<'a>> {
    let mut lots = Vec::new();
    for product in products.iter().filter(|product| product.row.is_stocked()) {
        let row = &product.row;
        let (_, there) = kept(world.seed, row);
        let place = match row.section.storage {
            "Frozen −18 °C" => &places.cold_store,
            "Dry" | "Ambient" if row.section.inventory_account != "1320" => &places.warehouse,
            _ => &places.kitchen,
        };
        let mut rng = Rng::of(world.seed, &[key("second kitchen"), key(&row.sku())]);
        let made = row.section.inventory_account == "1320";
        let second = if made && rng.happens(0.6) { there / 3 } else { 0 };
        let each = row.packing.base_per_selling;
        for (place, packs) in [(place, there - second), (&places.second_kitchen, second)] {
            if packs > 0 {
                lots.push(Lot { product, place: place.clone(), qty: packs * each });
            }
        }
    }
    lots
}

fn qty(units: i64) -> Qty {
    Qty(units * 1_000_000)
}

/// The opening stock of a place, one document.
async fn open(
    demo: &mut DemoActor<'_>,
    day: BusinessDay,
    minute: i64,
    lots: &[&Lot<'_>],
) -> Result<(), ApiError> {
    let at = moment(day, 19, minute);
    let id = demo.id(at);
    let reason = format!("Opening stock, stocktake of {}", day.display());
    let movements: Vec<Movement> = lots
        .iter()
        .zip(1..)
        .map(|(lot, line)| Movement {
            item: stock::product(&lot.product.id),
            place: lot.place.clone(),
            qty: qty(lot.qty),
            unit_cost: Some(cost(&lot.product.row)).filter(|cost| cost.0 > 0),
            line,
            leg: Leg::Only,
            lot: None,
        })
        .collect();
    if movements.is_empty() {
        return Ok(());
    }
    let document = Document::first(DocumentType::Adjustment, &id);
    let posting = &Posting {
        document,
        business_date: day,
        happened_at: None,
        reason: Some(&reason),
        movements: &movements,
    };
    let actor = demo.actor(PLANNER, at);
    let posted = demo.state.db.write(&actor, async |tx| stock::post(tx, posting).await);
    posted.await.map(drop)
}

/// One correction, as posted by «Adjust quantity»; the mistyped one is reversed.
async fn correct(
    demo: &mut DemoActor<'_>,
    lots: &mut [Lot<'_>],
    product: &LoadedProduct,
    correction: &Correction,
    day: BusinessDay,
) -> Result<(), ApiError> {
    let before: i64 = lots.iter().filter(|lot| lot.product.id == product.id).map(|lot| lot.qty).sum();
    let Some(lot) = lots.iter_mut().find(|lot| lot.product.id == product.id) else { return Ok(()) };
    let change = (correction.packs * product.row.packing.base_per_selling).max(-lot.qty);
    if change == 0 {
        return Ok(());
    }
    let (_, hour, minute) = correction.at;
    let at = moment(day, hour, minute);
    let (id, back) = (demo.id(at), demo.id(at));
    let place = &lot.place;
    let movements = [Movement {
        item: stock::product(&product.id),
        place: place.clone(),
        qty: qty(change),
        unit_cost: None,
        line: 1,
        leg: Leg::Only,
        lot: None,
    }];
    let document = Document::first(DocumentType::Adjustment, &id);
    let posting = &Posting {
        document,
        business_date: day,
        happened_at: None,
        reason: correction.reason,
        movements: &movements,
    };
    let actor = demo.actor(correction.person, at);
    let posted = demo.state.db.write(&actor, async |tx| {
        stock::post(tx, posting).await?;
        record_adjustment(tx, product, place, (before, before + change), correction.reason).await
    });
    posted.await?;
    if correction.reason != Some(MISTYPED) {
        lot.qty += change;
        return Ok(());
    }
    let by = Document::first(DocumentType::Adjustment, &back);
    let reason = Some("A zero too many");
    let actor = demo.actor(correction.person, at.plus_seconds(95));
    let reversed = demo.state.db.write(&actor, async |tx| {
        stock::reverse(tx, document, by, day, reason).await?;
        record_adjustment(tx, product, place, (before + change, before), reason).await
    });
    reversed.await
}

/// Records the change of a product's quantity in the audit trail.
async fn record_adjustment(
    tx: &mut Tx<'_>,
    product: &LoadedProduct,
    place: &Place,
    (before, after): (i64, i64),
    reason: Option<&str>,
) -> Result<(), ApiError> {
    let change = Change {
        kind: "stock",
        id: product.id.clone(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(json!({ "quantity": before })),
        after: Some(json!({
            "quantity": after, "placeKind": place.kind, "placeId": place.id, "reason": reason,
        })),
    };
    Ok(tx.record(change).await?)
}
