//! Store counts of the last two weeks, with typical errors: a missed day, a count that arrives the next morning, a zero
//! too many, being off by a unit or two.
//!
//! Stock follows sales; a store's shortages are delivered the next morning, with the documents of [`super::supply`].
//! Items without a product are corrected in the ledger.

use std::collections::BTreeMap;

use larder_domain::count::{Op, Session};
use larder_domain::ledger::{DocumentType, Item, ItemKind, Leg, Movement, Place, PlaceKind};
use larder_domain::on_hand::{Flow, Moment};
use larder_domain::{BusinessDay, Qty, Span, StoreScope, Timestamp};
use larder_ledgers::counts;
use larder_ledgers::counts::{Content, Sent, SentBatch};
use larder_ledgers::stock;
use larder_ledgers::stock::{Document, Posting};
use larder_ledgers::store_items;
use larder_ledgers::store_items::CountedItem;
use larder_platform::http::ApiError;

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::Ids;
use super::rng::{Rng, key, whole};
use super::supply::Supply;

/// Days with counts, including the last one.
const DAYS: i32 = 14;
/// Items in the opening count: those with the highest usage.
const OPENING_ITEMS: usize = 24;
/// A store is delivered its usage of this many days when it has less than for the next one and a half.
const DELIVERED_DAYS: f64 = 4.0;
const LEAST_DAYS: f64 = 1.5;
/// Head office enters deliveries.
const CLERK: usize = 1;
/// The store without a count on its last morning: a count is missing at any hour at which the demo is loaded.
const FORGOT: &str = "PSG01";
/// The counters: the store manager, or a substitute from head office.
const COUNTERS: [usize; 2] = [2, 1];

/// A unit, in millionths.
const UNIT: f64 = 1_000_000.0;

/// A store's item and its stock, in its own units.
struct StockedItem {
    item: CountedItem,
    /// Root units per unit.
    factor: f64,
    flow: Flow,
    /// Usage of an ordinary day.
    usual: f64,
    there: f64,
}

/// Creates the counts of every store's last weeks.
pub async fn load(demo: &mut DemoActor<'_>, world: &World, ids: &Ids) -> Result<(), ApiError> {
    let mut supply = Supply::read(demo, world).await?;
    for (nth, store) in ids.stores.iter().enumerate() {
        let first = world.last.plus(1 - DAYS).max(world.opened(&world.places[nth]));
        let last = world.last.min(world.closed(&world.places[nth]));
        let mut stocked_items = stocked_items(demo, store, first, last).await?;
        let mut seq = 0;
        let usual: Vec<(String, f64)> = stocked_items
            .iter()
            .filter_map(|one| Some((one.item.root_item_id.clone()?, one.usual * one.factor)))
            .collect();
        supply.buys(demo, store, &usual).await?;
        supply.earlier_weeks(demo, store, first, &usual).await?;
        for day in (first.0..=last.0).map(BusinessDay) {
            if world.receipts(nth, day).is_none() {
                continue;
            }
            let mut rng = Rng::of(world.seed, &[key("counts"), key(world.places[nth].code), day_key(day)]);
            let mut opening: Vec<usize> = (0..stocked_items.len()).collect();
            opening.truncate(OPENING_ITEMS);
            let forgot = day == world.last && world.places[nth].code == FORGOT;
            if !rng.happens(0.06) && !forgot {
                let who = COUNTERS[usize::from(rng.happens(0.2))];
                let at = moment(day, 6, 20 + whole(rng.between(0.0, 90.0)));
                count(
                    demo,
                    (store, day, Session::Opening),
                    at,
                    who,
                    &stocked_items,
                    &opening,
                    &mut rng,
                    &mut seq,
                )
                .await?;
            }
            deliver(demo, &mut supply, store, day, &mut stocked_items).await?;
            for stocked in &mut stocked_items {
                let used =
                    stocked.flow.between(Moment::before(day), Moment::after(day)).unwrap_or_default().used;
                let wasted = 1.0 + rng.between(-0.01, 0.05);
                stocked.there = (stocked.there - to_f64(used) / stocked.factor * wasted).max(0.0);
            }
            let all: Vec<usize> = (0..stocked_items.len()).filter(|_| !rng.happens(0.02)).collect();
            if !rng.happens(0.05) {
                let who = COUNTERS[usize::from(rng.happens(0.2))];
                let at = moment(day, 20, 40 + whole(rng.between(0.0, 120.0)));
                count(
                    demo,
                    (store, day, Session::Closing),
                    at,
                    who,
                    &stocked_items,
                    &all,
                    &mut rng,
                    &mut seq,
                )
                .await?;
            }
        }
    }
    supply.open_ends(demo, &ids.stores).await?;
    supply.batches(demo).await?;
    supply.transactions(demo, &ids.stores).await?;
    supply.calendars(demo, &ids.stores).await
}

fn day_key(day: BusinessDay) -> u64 {
    u64::from(day.0.unsigned_abs())
}

/// A store's count sheet, highest usage first, with the stock of the evening before.
async fn stocked_items(
    demo: &DemoActor<'_>,
    store: &str,
    first: BusinessDay,
    last: BusinessDay,
) -> Result<Vec<StockedItem>, ApiError> {
    let db = &demo.state.db;
    let span = Span { from: first, to: last };
    let mut flows =
        store_items::flows(db, &[store.to_owned()], span, None, &store_items::Moments::new()).await?;
    let mut flows = flows.remove(store).unwrap_or_default();
    let days = f64::from(last.0 - first.0 + 1).max(1.0);
    let mut stocked_items: Vec<StockedItem> = store_items::visible(db, store)
        .await?
        .into_iter()
        .filter_map(|item| {
            let flow = flows.remove(item.root_item_id.as_deref()?)?;
            let factor = item.root_qty_per_unit.map_or(1.0, |factor| factor.0 as f64 / 1e9);
            let used = flow.between(Moment::before(first), Moment::after(last)).unwrap_or_default().used;
            let usual = to_f64(used) / factor / days;
            (usual > 0.0).then(|| StockedItem {
                there: (usual * DELIVERED_DAYS).ceil(),
                item,
                factor,
                flow,
                usual,
            })
        })
        .collect();
    stocked_items.sort_by(|a, b| b.usual.total_cmp(&a.usual).then_with(|| a.item.id.cmp(&b.item.id)));
    Ok(stocked_items)
}

/// Replenishes shortages, as one document.
async fn deliver(
    demo: &mut DemoActor<'_>,
    supply: &mut Supply,
    store: &str,
    day: BusinessDay,
    stocked_items: &mut [StockedItem],
) -> Result<(), ApiError> {
    let at = moment(day, 10, 15);
    let id = demo.id(at);
    let place = Place { kind: PlaceKind::Store, id: store.to_owned() };
    let mut delivered = BTreeMap::new();
    let mut wanted = BTreeMap::new();
    for stocked in stocked_items.iter().filter(|stocked| stocked.there < stocked.usual * LEAST_DAYS) {
        let Some(root) = stocked.item.root_item_id.clone() else { continue };
        wanted.insert(root, (stocked.usual * DELIVERED_DAYS).ceil() * stocked.factor);
    }
    let came = supply.bring(demo, store, day, &wanted).await?;
    for stocked in stocked_items.iter_mut() {
        let Some(root) = stocked.item.root_item_id.clone() else { continue };
        let Some(wanted) = wanted.get(&root) else { continue };
        if !came.contains_key(&root) {
            delivered.insert(root.clone(), *wanted);
        }
        stocked.there += came.get(&root).copied().unwrap_or(*wanted) / stocked.factor;
    }
    let movements: Vec<Movement> = delivered
        .into_iter()
        .zip(1..)
        .map(|((root, qty), line)| Movement {
            item: Item { kind: ItemKind::RootItem, id: root },
            place: place.clone(),
            qty: from_f64(qty),
            unit_cost: None,
            line,
            leg: Leg::Only,
            lot: None,
        })
        .collect();
    if movements.is_empty() {
        return Ok(());
    }
    let document = Document::first(DocumentType::Adjustment, &id);
    let reason = Some("Delivered, entered from the delivery receipt");
    let posting = &Posting { document, business_date: day, happened_at: None, reason, movements: &movements };
    let actor = demo.actor(CLERK, at);
    demo.state.db.write(&actor, async |tx| stock::post(tx, posting).await).await.map(drop)
}

/// One session of a store, as its phone sends it.
#[expect(clippy::too_many_arguments, reason = "what a session is, and who counts it how")]
async fn count(
    demo: &DemoActor<'_>,
    (store, date, session): (&str, BusinessDay, Session),
    began: Timestamp,
    who: usize,
    stocked_items: &[StockedItem],
    items: &[usize],
    rng: &mut Rng,
    seq: &mut i64,
) -> Result<(), ApiError> {
    let device = format!("phone-{store}");
    let mut saves = Vec::with_capacity(items.len());
    for (nth, at) in items.iter().zip(0i64..).map(|(stocked, nth)| (*stocked, began.plus_seconds(9 * nth))) {
        *seq += 1;
        saves.push(Sent {
            op: Op { device_id: device.clone(), seq: *seq },
            store_id: store.to_owned(),
            date,
            session: Some(session),
            item_id: stocked_items[nth].item.id.clone(),
            content: Content { qty: Some(from_f64(seen(&stocked_items[nth], rng))), ..Content::default() },
            at,
            base: None,
            prev: None,
            recounted: None,
        });
    }
    let Some(end) = saves.last().map(|save| save.at.plus_seconds(40)) else { return Ok(()) };
    // Some freezers have no signal: those counts arrive the next morning.
    let sent =
        if session == Session::Closing && rng.happens(0.04) { moment(date.plus(1), 5, 50) } else { end };
    let actor = demo.actor(who, sent);
    let batch = &SentBatch {
        sent_at: actor.at,
        device_id: &device,
        counted_by: None,
        scope: &StoreScope::All,
        saves: &saves,
    };
    demo.state
        .db
        .write(&actor, async |tx| {
            counts::take(tx, batch).await?;
            counts::finish(tx, (store, date, session)).await
        })
        .await?;
    Ok(())
}

/// The counted quantity: whole or half units, sometimes a slip, rarely a zero too many.
fn seen(stocked: &StockedItem, rng: &mut Rng) -> f64 {
    let there = (stocked.there * 2.0).round() / 2.0;
    let slip = if rng.happens(0.08) { rng.between(-1.5, 1.5).round() } else { 0.0 };
    let zeros = if rng.happens(0.0015) { 10.0 } else { 1.0 };
    ((there + slip) * zeros).max(0.0)
}

fn to_f64(qty: Qty) -> f64 {
    qty.0 as f64 / UNIT
}

fn from_f64(qty: f64) -> Qty {
    Qty(whole(qty * UNIT))
}
