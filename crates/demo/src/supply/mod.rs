//! Orders, production, deliveries and receipts: six weeks of them, with typical errors, and a document in every state
//! at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use larder_documents as documents;
use larder_documents::orders::{OrderDraft, StoreOrder};
use larder_documents::products;
use larder_documents::products::{Product, Unit};
use larder_documents::receipts::{Receipt, ReceiptDraft};
use larder_documents::shipments::{Delivery, DeliveryDraft};
use larder_documents::{Ctx, Doc, Document, TakeStep};
use larder_domain::delivery_calendar::Rule;
use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Money, Permissions, Qty, StoreScope, Timestamp};
use larder_ledgers::delivery_calendar;
use larder_ledgers::delivery_calendar::Source;
use larder_ledgers::stock;
use larder_ledgers::stock::{Document as Posted, Posting, lots};
use larder_platform::http::{ApiError, Who};
use serde_json::{Value, json};

use crate::demand::World;
use crate::demo_actor::{DemoActor, moment};
use crate::people::PEOPLE;
use crate::rng::{Rng, key, whole};

mod bought;
mod others;

/// The users who order, approve, cook and drive.
const MANAGER: usize = 2;
const HEAD_OFFICE: usize = 1;
const KITCHEN: usize = 3;
/// Weeks of orders before the first count.
const EARLIER_DAYS: i32 = 28;
/// Days covered by an order of those weeks, and its number of items.
const EVERY_DAYS: i32 = 3;
const ITEMS: usize = 18;

/// The drivers.
const DRIVERS: [&str; 3] = ["Rico Salonga", "Dante Uy", "Ferdie Cruz"];

/// The last step of a chain of documents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Until {
    Draft,
    Submitted,
    Approved,
    Made,
    Picking,
    Packed,
    Dispatched,
    /// Received, with an unresolved difference.
    Undecided,
    Received,
    Reconciled,
}

/// A product that supplies a root item, and root units per pack.
struct Brings {
    product: Product,
    unit: Unit,
    in_root: f64,
}

/// Why goods enter the kitchen's stock, and the prefix of their lots.
struct Incoming {
    kind: DocumentType,
    lot: char,
    reason: &'static str,
}

/// Products by root item, and their sources.
pub struct Supply {
    brings: BTreeMap<String, Brings>,
    kitchen: String,
    /// Root items that stores buy themselves, each by one store.
    bought: BTreeMap<String, bought::Bought>,
    /// Shelf life in days, of products that have one.
    lives: BTreeMap<String, i64>,
    /// Open stores: closed ones order nothing.
    open: BTreeSet<String>,
    seed: u64,
    last: BusinessDay,
    made: Arc<AtomicU64>,
    chains: u64,
}

impl Supply {
    /// Reads the products.
    pub async fn read(demo: &DemoActor<'_>, world: &World) -> Result<Self, ApiError> {
        let db = &demo.state.db;
        let mut brings = BTreeMap::new();
        for product in products::orderable(db).await? {
            let [part] = product.root_item_conversions.as_slice() else { continue };
            let (root, factor) = (part.root_item_id.clone(), part.factor);
            let Some(unit) = product.usual_unit() else { continue };
            let in_root = unit.factor.0 as f64 / 1e9 * (factor.0 as f64 / 1e9);
            if in_root > 0.0 {
                brings.entry(root).or_insert(Brings { product, unit, in_root });
            }
        }
        let kitchen = stock::usual_commissary(db).await?.map(|(place, _)| place.id).unwrap_or_default();
        let lives: Vec<(String, i64)> =
            db.sql("select id, shelf_life from products where shelf_life is not null").all().await?;
        let lives = lives.into_iter().collect();
        let made = Arc::new(AtomicU64::new(0));
        let open: Vec<(String,)> =
            db.sql("select id from locations where inactive = $1").bind(false).all().await?;
        let open = open.into_iter().map(|(id,)| id).collect();
        Ok(Self {
            brings,
            kitchen,
            bought: BTreeMap::new(),
            lives,
            open,
            seed: world.seed,
            last: world.last,
            made,
            chains: 0,
        })
    }

    /// Delivers what a store needs (in root units) on a day; returns what was received.
    pub async fn bring(
        &mut self,
        demo: &mut DemoActor<'_>,
        store: &str,
        day: BusinessDay,
        wanted: &BTreeMap<String, f64>,
    ) -> Result<BTreeMap<String, f64>, ApiError> {
        let lines: Vec<(String, i64)> = wanted
            .iter()
            .filter_map(|(root, qty)| {
                Some((root.clone(), whole((qty / self.brings.get(root)?.in_root).ceil()).max(1)))
            })
            .collect();
        if lines.is_empty() || !self.open.contains(store) {
            return Ok(BTreeMap::new());
        }
        let (bought, lines): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|(root, _)| self.is_bought(store, root));
        let mut came = self.buy(demo, store, day, &bought).await?;
        if lines.is_empty() {
            return Ok(came);
        }
        let until = if day >= self.last { Until::Received } else { Until::Reconciled };
        came.extend(self.chain(demo, store, day, &lines, until).await?);
        Ok(came)
    }

    /// The weeks before the first count: an order every few days.
    pub async fn earlier_weeks(
        &mut self,
        demo: &mut DemoActor<'_>,
        store: &str,
        first: BusinessDay,
        usual: &[(String, f64)],
    ) -> Result<(), ApiError> {
        for back in (1..=EARLIER_DAYS / EVERY_DAYS).rev() {
            let day = first.plus(-back * EVERY_DAYS);
            let wanted: BTreeMap<String, f64> = usual
                .iter()
                .take(ITEMS)
                .map(|(root, qty)| (root.clone(), qty * f64::from(EVERY_DAYS)))
                .collect();
            self.bring(demo, store, day, &wanted).await?;
        }
        Ok(())
    }

    /// A document in every state, for the days around today.
    pub async fn open_ends(&mut self, demo: &mut DemoActor<'_>, stores: &[Arc<str>]) -> Result<(), ApiError> {
        let ends = [
            Until::Draft,
            Until::Submitted,
            Until::Approved,
            Until::Made,
            Until::Picking,
            Until::Packed,
            Until::Dispatched,
            Until::Undecided,
        ];
        let roots: Vec<String> = self.brings.keys().cloned().collect();
        let open: Vec<&Arc<str>> = stores.iter().filter(|store| self.open.contains(&***store)).collect();
        for (nth, store) in open.into_iter().enumerate() {
            for (at, until) in ends.iter().enumerate() {
                if (at + nth) % 3 != 0 && stores.len() >= 4 {
                    continue;
                }
                let arrives = matches!(until, Until::Dispatched | Until::Undecided);
                let day = self.last.plus(if arrives { 1 } else { 2 + i32::try_from(at).unwrap_or(0) });
                let mut rng = Rng::of(self.seed, &[key("open"), nth as u64, at as u64]);
                let lines: Vec<(String, i64)> = roots
                    .iter()
                    .filter(|_| rng.happens(0.14))
                    .map(|root| (root.clone(), 1))
                    .take(12)
                    .collect();
                if !lines.is_empty() {
                    self.chain(demo, store, day, &lines, *until).await?;
                }
            }
        }
        Ok(())
    }

    /// The delivery calendar of each store.
    pub async fn calendars(&self, demo: &mut DemoActor<'_>, stores: &[Arc<str>]) -> Result<(), ApiError> {
        let actor = demo.actor(HEAD_OFFICE, moment(self.last, 9, 0));
        let patterns = [0b001_0101_u8, 0b010_1010, 0b011_0110];
        demo.state
            .db
            .write(&actor, async |tx| {
                for (nth, store_id) in stores.iter().enumerate() {
                    let source = Source { store_id, source_type: "commissary", source_id: &self.kitchen };
                    let rule = Rule {
                        weekdays: patterns[nth % patterns.len()],
                        cutoff_days: 1,
                        cutoff_minutes: if nth % 2 == 0 { 16 * 60 } else { 14 * 60 },
                        skip_holidays: true,
                    };
                    delivery_calendar::set(tx, source, rule, None).await?;
                }
                Ok::<_, ApiError>(())
            })
            .await
    }

    /// An order and its documents.
    async fn chain(
        &mut self,
        demo: &mut DemoActor<'_>,
        store: &str,
        day: BusinessDay,
        lines: &[(String, i64)],
        until: Until,
    ) -> Result<BTreeMap<String, f64>, ApiError> {
        self.chains += 1;
        let mut rng = Rng::of(self.seed, &[key("supply"), self.chains]);
        let work =
            Work { demo, made: Arc::clone(&self.made), seed: self.seed, last: moment(self.last, 22, 0) };
        let ordered = day.plus(-2);
        let body = json!({
            "storeId": store, "sourceType": "commissary", "sourceId": self.kitchen, "neededDate": day,
            "lines": lines.iter().map(|(root, packs)| {
                let brings = &self.brings[root];
                json!({ "productId": brings.product.id, "uomId": brings.unit.uom_id, "qty": packs })
            }).collect::<Vec<_>>(),
        });
        let at = moment(ordered, 13, 20 + whole(rng.between(0.0, 60.0)));
        let order: Doc<StoreOrder> = work.create(MANAGER, at, typed::<OrderDraft>(body)?).await?;
        if until == Until::Draft {
            return Ok(BTreeMap::new());
        }
        let order = work.step(MANAGER, at.plus_seconds(1_800), &order, "submit", Value::Null).await?;
        if until == Until::Submitted {
            let fate = rng.below(4);
            let at = moment(ordered, 17, 10);
            match fate {
                0 => drop(
                    work.step(HEAD_OFFICE, at, &order, "reject", json!({ "reason": "Ordered twice" }))
                        .await?,
                ),
                1 => drop(
                    work.step(MANAGER, at, &order, "cancel", json!({ "reason": "Closed for repairs" }))
                        .await?,
                ),
                _ => {}
            }
            return Ok(BTreeMap::new());
        }
        // Sometimes the kitchen is short of an item.
        let cut: Vec<Value> = order
            .lines
            .iter()
            .filter(|line| line.qty_ordered.0 > 2_000_000 && rng.happens(0.03))
            .map(|line| {
                let less = Qty(line.qty_ordered.0 - 1_000_000);
                json!({ "id": line.id, "qtyApproved": less, "reason": "Short of ingredients" })
            })
            .collect();
        let at = moment(ordered, 17, 30 + whole(rng.between(0.0, 25.0)));
        let order = work.step(HEAD_OFFICE, at, &order, "approve", json!({ "lines": cut })).await?;
        if until == Until::Approved {
            return Ok(BTreeMap::new());
        }
        self.make(&work, day.plus(-1), &order).await?;
        let at = moment(day.plus(-1), 20, whole(rng.between(0.0, 30.0)));
        let draft = typed::<DeliveryDraft>(json!({
            "orderIds": [order.head.id], "vehicle": format!("NBC {}", 1_200 + self.chains % 7),
            "driver": DRIVERS[rng.below(DRIVERS.len())],
        }))?;
        let mut delivery: Doc<Delivery> = work.create(KITCHEN, at, draft).await?;
        if until == Until::Made {
            return Ok(BTreeMap::new());
        }
        for (step, end, minutes) in
            [("pick", Until::Picking, 10), ("pack", Until::Packed, 70), ("dispatch", Until::Dispatched, 540)]
        {
            let at = at.plus_seconds(minutes * 60);
            delivery = work.step(KITCHEN, at, &delivery, step, Value::Null).await?;
            if until == end {
                return Ok(BTreeMap::new());
            }
        }
        self.take_in(&work, store, day, &delivery, until, &mut rng).await
    }

    /// Production for an order, with lots for products with a shelf life.
    async fn make(
        &self,
        work: &Work<'_, '_>,
        day: BusinessDay,
        order: &Doc<StoreOrder>,
    ) -> Result<(), ApiError> {
        let lines: Vec<(String, Qty)> = order
            .lines
            .iter()
            .filter_map(|line| {
                let approved = line.qty_approved.unwrap_or(line.qty_ordered);
                Some((line.product_id.clone(), approved.scaled(line.factor)?))
            })
            .collect();
        let made =
            Incoming { kind: DocumentType::Production, lot: 'P', reason: "Made for the stores' orders" };
        self.put_in(work, moment(day, 18, 40), day, &made, &lines).await
    }

    /// Adds quantities (in base units) to the kitchen's stock, in the day's lot where the product has a shelf life.
    async fn put_in(
        &self,
        work: &Work<'_, '_>,
        at: Timestamp,
        day: BusinessDay,
        what: &Incoming,
        lines: &[(String, Qty)],
    ) -> Result<(), ApiError> {
        let id = work.id(at);
        let place = Place { kind: PlaceKind::Commissary, id: self.kitchen.clone() };
        let date = day.to_string().replace('-', "");
        let code = format!("{}{}", what.lot, date.get(2..).unwrap_or_default());
        let mut movements = Vec::new();
        let mut named = Vec::new();
        for ((product, qty), number) in lines.iter().filter(|(_, qty)| qty.0 > 0).zip(1..) {
            let life = self.lives.get(product);
            if let Some(days) = life {
                let expiry = Some(day.plus(i32::try_from(*days).unwrap_or(30)));
                named.push((product.clone(), lots::Lot { code: code.clone(), expiry }));
            }
            movements.push(Movement {
                item: stock::product(product),
                place: place.clone(),
                qty: *qty,
                unit_cost: None,
                line: number,
                leg: Leg::Only,
                lot: life.map(|_| code.clone()),
            });
        }
        let (movements, named) = (&movements, &named);
        let posting = &Posting {
            document: Posted::first(what.kind, &id),
            business_date: day,
            happened_at: None,
            reason: Some(what.reason),
            movements,
        };
        let actor = work.demo.actor(KITCHEN, at.min(work.last));
        work.demo
            .state
            .db
            .write(&actor, async |tx| {
                for (product, lot) in named {
                    lots::register(tx, product, lot, what.kind, posting.document.id).await?;
                }
                stock::post(tx, posting).await.map(drop)
            })
            .await
    }

    /// The store's receipt; returns the received quantities, in root units.
    async fn take_in(
        &self,
        work: &Work<'_, '_>,
        store: &str,
        day: BusinessDay,
        delivery: &Doc<Delivery>,
        until: Until,
        rng: &mut Rng,
    ) -> Result<BTreeMap<String, f64>, ApiError> {
        let at = moment(day, 10, whole(rng.between(0.0, 40.0)));
        let mut lines = Vec::new();
        for line in &delivery.lines {
            let odd = until == Until::Undecided && lines.is_empty() || rng.happens(0.02);
            if !odd || line.dispatched.0 < 1_000_000 {
                continue;
            }
            let less = Qty(line.dispatched.0 - 1_000_000);
            let settled = ["credit", "writeOff", "return"][rng.below(3)];
            let resolution = if until == Until::Undecided { "pending" } else { settled };
            lines.push(if rng.happens(0.5) {
                json!({ "sourceLineId": line.id, "received": less, "reason": "short", "resolution": resolution })
            } else {
                json!({
                    "sourceLineId": line.id, "received": line.dispatched, "rejected": Qty(1_000_000),
                    "reason": "damaged", "resolution": resolution,
                })
            });
        }
        let draft = typed::<ReceiptDraft>(json!({
            "storeId": store, "sourceType": "delivery", "sourceId": delivery.head.id, "lines": lines,
            "tempC": -16.0 + f64::from(i32::try_from(rng.below(5)).unwrap_or(0)), "signatureName": "Ana Dela Cruz",
        }))?;
        let receipt: Doc<Receipt> = work.create(MANAGER, at, draft).await?;
        let came = json!({ "happenedAt": at.min(work.last) });
        let receipt = work.step(MANAGER, at.plus_seconds(900), &receipt, "post", came).await?;
        let root_of: BTreeMap<&str, (&String, f64)> = self
            .brings
            .iter()
            .map(|(root, brings)| (brings.product.id.as_str(), (root, brings.in_root)))
            .collect();
        let mut came = BTreeMap::new();
        for line in &receipt.lines {
            if let Some((root, in_root)) = root_of.get(line.product_id.as_str()) {
                *came.entry((*root).clone()).or_default() += line.accepted.0 as f64 / 1e6 * in_root;
            }
        }
        if until >= Until::Reconciled {
            let at = moment(day.plus(1), 9, 5);
            work.step(HEAD_OFFICE, at, &receipt, "reconcile", Value::Null).await?;
            let state = &work.demo.state.db;
            if let Some(delivery) = documents::read::<Delivery>(state, &delivery.head.id).await? {
                work.step(KITCHEN, at.plus_seconds(600), &delivery, "reconcile", Value::Null).await?;
            }
        }
        Ok(came)
    }
}

/// Steps taken by users at past moments.
struct Work<'w, 'a> {
    demo: &'w DemoActor<'a>,
    made: Arc<AtomicU64>,
    seed: u64,
    /// The latest moment of any step: a demo of a seed is the same whenever it is loaded.
    last: Timestamp,
}

impl Work<'_, '_> {
    fn id(&self, at: Timestamp) -> String {
        let nth = self.made.fetch_add(1, Ordering::Relaxed);
        larder_domain::Id::new(at, Rng::of(self.seed, &[key("document"), nth]).bits()).0
    }

    fn who(&self, person: usize, at: Timestamp) -> Who {
        let actor = self.demo.actor(person, at.min(self.last));
        Who {
            uid: actor.uid.clone(),
            user_id: actor.uid,
            name: PEOPLE[person].name.to_owned(),
            email: PEOPLE[person].email.to_owned(),
            role_id: None,
            role_name: None,
            super_admin: true,
            permissions: Permissions::default(),
            scope: StoreScope::All,
            session_id: String::new(),
            session_kind: "office".to_owned(),
            provider: "password".to_owned(),
            authenticated_at: actor.at,
            token_issued_at: None,
            must_change_password: false,
            totp_on: false,
            totp_required: false,
            at: actor.at,
            origin: actor.from,
        }
    }

    async fn create<D: Document>(
        &self,
        person: usize,
        at: Timestamp,
        draft: D::Draft,
    ) -> Result<Doc<D>, ApiError> {
        let who = self.who(person, at);
        let ids = || self.id(who.at);
        let ctx = Ctx { state: &self.demo.state.clone(), who: &who, ids: Some(&ids) };
        let (actor, draft) = (who.actor(), &draft);
        self.demo.state.db.write(&actor, async |tx| documents::create::<D>(tx, ctx, draft).await).await
    }

    async fn change<D: Document>(
        &self,
        person: usize,
        at: Timestamp,
        doc: &Doc<D>,
        draft: D::Draft,
    ) -> Result<Doc<D>, ApiError> {
        let who = self.who(person, at);
        let ids = || self.id(who.at);
        let ctx = Ctx { state: &self.demo.state.clone(), who: &who, ids: Some(&ids) };
        let (actor, draft, id, revision) = (who.actor(), &draft, doc.head.id.as_str(), doc.head.revision);
        self.demo
            .state
            .db
            .write(&actor, async |tx| documents::update::<D>(tx, ctx, id, revision, draft).await)
            .await
    }

    async fn step<D: Document>(
        &self,
        person: usize,
        at: Timestamp,
        doc: &Doc<D>,
        step: &str,
        mut body: Value,
    ) -> Result<Doc<D>, ApiError> {
        let who = self.who(person, at);
        let ids = || self.id(who.at);
        let ctx = Ctx { state: &self.demo.state.clone(), who: &who, ids: Some(&ids) };
        if !body.is_object() {
            body = json!({});
        }
        body["revision"] = json!(doc.head.revision);
        let body = &typed::<TakeStep>(body)?;
        let (actor, id) = (who.actor(), doc.head.id.as_str());
        self.demo.state.db.write(&actor, async |tx| documents::take::<D>(tx, ctx, id, step, body).await).await
    }
}

fn typed<T: serde::de::DeserializeOwned>(body: Value) -> Result<T, ApiError> {
    serde_json::from_value(body).map_err(ApiError::internal)
}
