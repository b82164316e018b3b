//! How a group's staff tells Larder what happened: the calls of the console, by the records' ids.

mod counts;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use counts::Phone;

use crate::calendar::{Calendar, Minute, day_of};
use crate::catalogue::{Catalogue, kitchen};
use crate::client::{Client, Done, failed, id_of};
use crate::days::{CASH, TENDERS};
use crate::quantity::{money, qty};
use crate::truth::{Batch, KITCHEN_BEGINS_WITH, Load, Order, Reading, Receipt, Settlement, Truck};

const BATCHES: &str = "/api/commissary/production";
const DELIVERIES: &str = "/api/commissary/deliveries";
pub(crate) const ORDERS: &str = "/api/stores/orders";
const RECEIPTS: &str = "/api/stores/receive";
const TRANSFERS: &str = "/api/stores/transfers";
const WASTE: &str = "/api/stores/waste";
const READINGS: &str = "/api/sales/z-reading";
const MONEY: &str = "/api/sales/tender-report";
const PLANS: &str = "/api/tools/services/replenishment-plan/runs";
const SALES: &str = "/api/tools/import-sales-product";

/// How often, and how many times, a job's result is asked for.
const ASK_EVERY: Duration = Duration::from_millis(15);
const ASK_TIMES: usize = 4_000;

/// The ids of a group's records in Larder.
#[derive(Debug, Clone, Default)]
pub struct Ids {
    pub stores: Vec<String>,
    pub roots: Vec<String>,
    pub products: Vec<String>,
    pub items: Vec<String>,
    pub dishes: Vec<String>,
    pub kitchen: String,
    pub supplier: String,
    pub pack: String,
    pub flour: String,
    pub mix: String,
}

/// A group's staff.
#[derive(Debug)]
pub struct Staff {
    pub ids: Ids,
    pub calendar: Calendar,
    /// Distinguishes this group's names from those of others on the same server.
    tag: String,
    /// Ids of orders, by the truck that is to bring them.
    pub orders: BTreeMap<usize, String>,
    /// Documents of trucks.
    trucks: BTreeMap<usize, Value>,
    /// Receipts of trucks.
    receipts: BTreeMap<usize, Value>,
    /// Phones of each store: one with a signal, and one without.
    phones: Vec<[Phone; 2]>,
}

impl Staff {
    /// Sets a group up: its lists, products, stores, and the kitchen's stock.
    ///
    /// # Errors
    /// If the server refuses something.
    pub async fn set_up(client: &Client, names: &Catalogue, tag: &str, calendar: Calendar) -> Done<Self> {
        let mut ids = Ids::default();
        let pack = json!({ "name": format!("Pack {tag}"), "code": format!("pk{tag}") });
        ids.pack = client.create("/api/lists/uoms", &pack).await?;
        let kitchen = json!({ "name": format!("Kitchen {tag}") });
        ids.kitchen = client.create("/api/lists/commissaries", &kitchen).await?;
        ids.supplier =
            client.create("/api/lists/suppliers", &json!({ "name": format!("Market {tag}") })).await?;
        for root in &names.roots {
            let body = json!({ "name": format!("{} {tag}", root.name), "price": money(root.price) });
            ids.roots.push(client.create("/api/lists/root-items", &body).await?);
        }
        for item in &names.items {
            let body = json!({
                "name": format!("{} {tag}", item.name), "rootItemId": ids.roots[item.root],
                "rootQtyPerUnit": qty(item.per_unit),
            });
            ids.items.push(client.create("/api/lists/store-inventory-items", &body).await?);
        }
        for (at, product) in names.products.iter().enumerate() {
            let conversion =
                json!({ "rootItemId": ids.roots[product.root], "factor": qty(product.per_pack) });
            let body = json!({
                "name": format!("{} {tag}", product.name), "sku": format!("{tag}-{at}"), "baseUom": ids.pack,
                "rootItemConversions": [conversion], "shelfLife": product.shelf_life,
            });
            let id = client.create("/api/products", &body).await?;
            if at != names.kit() {
                stock(client, &id, &ids.kitchen).await?;
            }
            ids.products.push(id);
        }
        Self::set_up_kitchen(client, names, tag, &mut ids).await?;
        for dish in &names.dishes {
            let uses: Vec<Value> = dish
                .uses
                .iter()
                .map(|(root, each)| json!({ "rootProductId": ids.roots[*root], "multiplier": qty(*each) }))
                .collect();
            let body = json!({ "description": format!("{} {tag}", dish.name), "bom": uses });
            ids.dishes.push(client.create("/api/lists/pos-items", &body).await?);
        }
        for (at, store) in names.stores.iter().enumerate() {
            let body = json!({ "name": format!("{} {tag}", store.name), "code": format!("{tag}{at}") });
            let id = client.create("/api/stores/locations", &body).await?;
            let shown = json!({ "itemIds": ids.items });
            let path = format!("/api/lists/store-inventory-items/visibility/{id}");
            client.put(&path, &shown).await?.expect(200)?;
            // A truck every day; orders close at 20:00 of the day before.
            let path = format!("/api/stores/delivery-calendar/{id}/commissary/{}", ids.kitchen);
            let rule = json!({ "weekdays": [1, 2, 3, 4, 5, 6, 7], "cutoffTime": "20:00", "cutoffDays": 1 });
            client.put(&path, &rule).await?.expect(200)?;
            if let Some(closed) = store.closed {
                let closed = calendar.weekday(closed);
                let weekdays: Vec<i64> = (1..=7).filter(|weekday| *weekday != closed).collect();
                let path = format!("/api/stores/opening-days/{id}/{}", calendar.date(0));
                client.put(&path, &json!({ "weekdays": weekdays })).await?.expect(200)?;
            }
            ids.stores.push(id);
        }
        let stores = ids.stores.len();
        Ok(Self {
            ids,
            calendar,
            tag: tag.to_owned(),
            orders: BTreeMap::new(),
            trucks: BTreeMap::new(),
            receipts: BTreeMap::new(),
            phones: vec![Default::default(); stores],
        })
    }

    /// Flour, mix, and how mix and kits are made.
    async fn set_up_kitchen(client: &Client, names: &Catalogue, tag: &str, ids: &mut Ids) -> Done<()> {
        let mut roots = Vec::new();
        for (name, shelf_life) in [(kitchen::FLOUR, None), (kitchen::MIX, Some(kitchen::SHELF_LIFE))] {
            let name = format!("{name} {tag}");
            let root = json!({ "name": name, "production": true });
            let root = client.create("/api/lists/root-items", &root).await?;
            let body = json!({
                "name": name, "sku": name, "baseUom": ids.pack, "shelfLife": shelf_life,
                "rootItemConversions": [{ "rootItemId": root, "factor": 1 }],
            });
            let id = client.create("/api/products", &body).await?;
            roots.push(root);
            if shelf_life.is_some() { ids.mix = id } else { ids.flour = id }
        }
        stock(client, &ids.flour, &ids.kitchen).await?;
        let kit = &ids.products[names.kit()];
        let uses = [kitchen::FLOUR_IN_MIX, kitchen::MIX_IN_KIT];
        for (name, product, (root, used)) in
            [("Mix", &ids.mix, (&roots[0], uses[0])), ("Kit", kit, (&roots[1], uses[1]))]
        {
            let recipe = json!({
                "name": format!("{name} {tag}"), "productId": product, "yieldQty": 1, "yieldUomId": ids.pack,
                "rootItems": [{ "rootItemId": root, "qty": qty(used) }],
            });
            client.create("/api/lists/recipes", &recipe).await?;
        }
        Ok(())
    }

    /// A line of a document.
    fn line(&self, load: &Load) -> Value {
        let mut line = json!({
            "productId": self.ids.products[load.product], "uomId": self.ids.pack, "qty": load.packs,
        });
        if let Some(lot) = &load.lot {
            line["lot"] = json!(lot);
        }
        line
    }

    /// Orders packs for a day, and grants them less a cut.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn order(
        &mut self,
        client: &Client,
        (number, store): (usize, usize),
        order: &Order,
        needed: usize,
    ) -> Done<()> {
        let draft = json!({
            "storeId": self.ids.stores[store], "sourceType": "commissary", "sourceId": self.ids.kitchen,
            "neededDate": self.calendar.date(needed),
            "lines": [{ "productId": self.ids.products[order.product], "uomId": self.ids.pack, "qty": order.ordered }],
        });
        let placed = client.post(ORDERS, &draft).await?.expect(201)?;
        let placed = client.step(ORDERS, &placed, "submit", json!({})).await?.expect(200)?;
        let mut granted = json!({});
        if order.approved != order.ordered {
            let line = &placed["lines"][0]["id"];
            granted["lines"] =
                json!([{ "id": line, "qtyApproved": order.approved, "reason": "Not enough for everybody." }]);
        }
        let placed = client.step(ORDERS, &placed, "approve", granted).await?.expect(200)?;
        self.orders.insert(number, id_of(&placed)?);
        Ok(())
    }

    /// Closes what was not sent of an order.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn close_short(&self, client: &Client, number: usize) -> Done<()> {
        let Some(id) = self.orders.get(&number) else { return failed("A truck without an order.") };
        let order = client.get(&format!("{ORDERS}/{id}")).await?.expect(200)?;
        let why = json!({ "reason": "It did not fit." });
        client.step(ORDERS, &order, "close-short", why).await?.expect(200)?;
        Ok(())
    }

    /// Makes a product in the kitchen, of a quantity of a lot of mix if one is given.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn make(
        &self,
        client: &Client,
        (product, batch): (&str, &Batch),
        planned: i64,
        of: Option<(&str, i64)>,
    ) -> Done<()> {
        let mut draft = json!({
            "commissaryId": self.ids.kitchen, "productId": product, "batches": planned,
            "plannedDate": self.calendar.date(batch.day), "made": batch.packs, "lot": batch.lot,
        });
        if let Some((lot, used)) = of {
            let line = json!({
                "productId": self.ids.mix, "uomId": self.ids.pack, "qty": qty(used), "lot": lot,
            });
            draft["lines"] = json!([line]);
        }
        let planned = client.post(BATCHES, &draft).await?.expect(201)?;
        client.step(BATCHES, &planned, "post", json!({})).await?.expect(200)?;
        Ok(())
    }

    /// Sends a delivery from the kitchen to a store; its lot expires on this day of the world, if it is new.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn load(
        &mut self,
        client: &Client,
        number: usize,
        truck: &Truck,
        expires: Option<usize>,
    ) -> Done<()> {
        let planned = self.calendar.date(day_of(truck.left.0));
        let expiry = truck.load.lot.as_ref().and(expires).map(|day| self.calendar.date(day));
        let mut delivery = match self.orders.get(&number) {
            Some(order) => {
                let draft = json!({ "orderIds": [order], "plannedDate": planned });
                let delivery = client.post(DELIVERIES, &draft).await?.expect(201)?;
                let mut line = json!({ "id": delivery["lines"][0]["id"], "picked": truck.load.packs });
                if let (Some(lot), Some(expiry)) = (&truck.load.lot, &expiry) {
                    (line["lot"], line["expiry"]) = (json!(lot), json!(expiry));
                }
                let change = json!({ "revision": delivery["revision"], "lines": [line] });
                client.patch(&format!("{DELIVERIES}/{}", id_of(&delivery)?), &change).await?.expect(200)?
            }
            None => {
                let mut line = self.line(&truck.load);
                if let Some(expiry) = &expiry {
                    line["expiry"] = json!(expiry);
                }
                let draft = json!({
                    "commissaryId": self.ids.kitchen, "storeId": self.ids.stores[truck.to],
                    "plannedDate": planned, "lines": [line],
                });
                client.post(DELIVERIES, &draft).await?.expect(201)?
            }
        };
        for step in ["pick", "pack", "dispatch"] {
            delivery = client.step(DELIVERIES, &delivery, step, json!({})).await?.expect(200)?;
        }
        self.trucks.insert(number, delivery);
        Ok(())
    }

    /// Sends a transfer.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn send(&mut self, client: &Client, number: usize, truck: &Truck) -> Done<()> {
        let Some(from) = truck.from else { return failed("A transfer without a sending store.") };
        let left = truck.left.0;
        let draft = json!({
            "fromStoreId": self.ids.stores[from], "toStoreId": self.ids.stores[truck.to],
            "plannedDate": self.calendar.date(day_of(left)), "lines": [self.line(&truck.load)],
        });
        let transfer = client.post(TRANSFERS, &draft).await?.expect(201)?;
        let sent = take_out(client, TRANSFERS, &transfer, ("dispatch", self.calendar.moment(left))).await?;
        self.trucks.insert(number, sent);
        Ok(())
    }

    /// Receives a delivery or a transfer that was unloaded at a time, and says what became of missing packs.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn receive(
        &mut self,
        client: &Client,
        (number, truck): (usize, &Truck),
        (at, told_at): (Minute, Option<Minute>),
        settlement: Settlement,
    ) -> Done<()> {
        let Some(document) = self.trucks.get(&number) else { return failed("A truck without a document.") };
        let mut draft = json!({
            "storeId": self.ids.stores[truck.to], "sourceId": id_of(document)?,
            "sourceType": if truck.from.is_some() { "transfer" } else { "delivery" },
            "businessDate": self.calendar.date(day_of(at)),
        });
        if told_at.is_none() {
            draft["receivedAt"] = json!(self.calendar.moment(at));
        }
        let mut receipt = client.post(RECEIPTS, &draft).await?.expect(201)?;
        if truck.missing > 0 {
            let line = json!({
                "id": receipt["lines"][0]["id"], "received": truck.load.packs - truck.missing,
                "reason": "short", "resolution": settlement.name(),
            });
            let change = json!({ "revision": receipt["revision"], "lines": [line] });
            receipt =
                client.patch(&format!("{RECEIPTS}/{}", id_of(&receipt)?), &change).await?.expect(200)?;
        }
        let mut said = json!({});
        let mut posted = client.step(RECEIPTS, &receipt, "post", said.clone()).await?;
        if posted.code() == "recalledArrives" {
            (said["anyway"], said["reason"]) = (json!(true), json!(PUT_ASIDE));
            posted = client.step(RECEIPTS, &receipt, "post", said.clone()).await?;
        }
        if posted.code() == "whenNeeded" {
            said["happenedAt"] = json!(self.calendar.moment(told_at.unwrap_or(at)));
            posted = client.step(RECEIPTS, &receipt, "post", said).await?;
        }
        self.receipts.insert(number, posted.expect(200)?);
        Ok(())
    }

    /// Receives what a supplier brings; its lot expires on this day of the world.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn buy(
        &mut self,
        client: &Client,
        (number, store): (usize, usize),
        load: &Load,
        (at, expires): (Minute, usize),
    ) -> Done<()> {
        let mut line = json!({
            "productId": self.ids.products[load.product], "uomId": self.ids.pack, "expected": load.packs,
            "received": load.packs,
        });
        if let Some(lot) = &load.lot {
            (line["lot"], line["expiry"]) = (json!(lot), json!(self.calendar.date(expires)));
        }
        let draft = json!({
            "storeId": self.ids.stores[store], "sourceType": "supplier", "sourceId": self.ids.supplier,
            "businessDate": self.calendar.date(day_of(at)), "receivedAt": self.calendar.moment(at), "lines": [line],
        });
        let receipt = client.post(RECEIPTS, &draft).await?.expect(201)?;
        let mut posted = client.step(RECEIPTS, &receipt, "post", json!({})).await?;
        if posted.code() == "recalledArrives" {
            let aside = json!({ "anyway": true, "reason": PUT_ASIDE });
            posted = client.step(RECEIPTS, &receipt, "post", aside).await?;
        }
        self.receipts.insert(number, posted.expect(200)?);
        Ok(())
    }

    /// Settles a difference of a receipt.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn settle(&mut self, client: &Client, number: usize, settlement: Settlement) -> Done<()> {
        let Some(receipt) = self.receipts.get(&number) else { return failed("A truck without a receipt.") };
        let line = json!({ "id": receipt["lines"][0]["id"], "resolution": settlement.name() });
        let settled = client.step(RECEIPTS, receipt, "resolve", json!({ "lines": [line] })).await?;
        let settled = settled.expect(200)?;
        self.receipts.insert(number, settled);
        Ok(())
    }

    /// Writes waste down.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn write_down(&self, client: &Client, store: usize, load: &Load, at: Minute) -> Done<()> {
        let mut line = self.line(load);
        line["reason"] = json!("spoiled");
        let draft = json!({
            "storeId": self.ids.stores[store], "businessDate": self.calendar.date(day_of(at)), "lines": [line],
        });
        let report = client.post(WASTE, &draft).await?.expect(201)?;
        let when = self.calendar.moment(at);
        let report = take_out(client, WASTE, &report, ("submit", when.clone())).await?;
        if report["status"] == "submitted" {
            client.step(WASTE, &report, "approve", json!({ "happenedAt": when })).await?.expect(200)?;
        }
        Ok(())
    }

    /// Types a till's reading and verifies it.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn type_reading(&self, client: &Client, names: &Catalogue, reading: &Reading) -> Done<()> {
        let Reading { store, till, day, after, receipts, paid, .. } = reading;
        let net = reading.net();
        let tenders: Vec<Value> = TENDERS
            .iter()
            .zip(paid)
            .filter(|(_, amount)| **amount > 0)
            .map(|((label, kind), amount)| json!({ "kind": kind, "label": label, "amount": money(*amount) }))
            .collect();
        let draft = json!({
            "storeId": self.ids.stores[*store], "terminalId": names.stores[*store].tills[*till],
            "businessDate": self.calendar.date(*day), "zCounter": after.counter, "transactions": receipts,
            "firstSi": format!("{:08}", after.invoices - receipts + 1), "lastSi": format!("{:08}", after.invoices),
            "previousTotal": money(after.total - net), "presentTotal": money(after.total),
            "gross": money(net), "net": money(net), "vatable": 0, "vat": 0, "exempt": money(net), "zeroRated": 0,
            "tenders": tenders,
        });
        let typed = client.post(READINGS, &draft).await?.expect(201)?;
        client.step(READINGS, &typed, "verify", json!({ "salesSeen": true })).await?.expect(200)?;
        Ok(())
    }

    /// Declares a day's money: cash in hundreds and ones, other tenders by their amount.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn declare(
        &self,
        client: &Client,
        (store, day): (usize, usize),
        declared: &[i64; 3],
        at: Minute,
    ) -> Done<()> {
        let pesos = declared[CASH] / 100;
        let pieces: Vec<Value> = [(100, pesos / 100), (1, pesos % 100)]
            .into_iter()
            .filter(|(_, pieces)| *pieces > 0)
            .map(|(worth, pieces)| json!({ "denomination": worth, "pieces": pieces }))
            .collect();
        let others = TENDERS.iter().zip(declared).skip(1).filter(|(_, amount)| **amount > 0);
        let others: Vec<Value> =
            others.map(|((_, kind), amount)| json!({ "kind": kind, "amount": money(*amount) })).collect();
        let draft = json!({
            "storeId": self.ids.stores[store], "businessDate": self.calendar.date(day), "pieces": pieces,
            "tenders": others, "countedAt": self.calendar.moment(at),
        });
        client.post(&format!("{MONEY}/declarations"), &draft).await?.expect(201)?;
        Ok(())
    }

    /// Enters that a day's cash was brought to the bank.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn deposit(
        &self,
        client: &Client,
        (store, day): (usize, usize),
        amount: i64,
        at: Minute,
    ) -> Done<()> {
        let draft = json!({
            "storeId": self.ids.stores[store], "depositedOn": self.calendar.date(day_of(at)), "bank": "BPI",
            "reference": format!("{}-{store}-{day}", self.tag),
            "days": [{ "businessDate": self.calendar.date(day), "amount": money(amount) }],
            "acceptDuplicate": true,
        });
        client.post(&format!("{MONEY}/deposits"), &draft).await?.expect(201)?;
        Ok(())
    }

    /// Merges a product into another; whether it could be: not while it is in a document that is open.
    ///
    /// # Errors
    /// If the server refuses it for another reason.
    pub async fn merge(&self, client: &Client, (stays, goes): (usize, usize)) -> Done<bool> {
        let mut revisions = Vec::new();
        for product in [stays, goes] {
            let record =
                client.get(&format!("/api/products/{}", self.ids.products[product])).await?.expect(200)?;
            revisions.push(record["revision"].clone());
        }
        let body = json!({
            "into": self.ids.products[stays], "revision": revisions[1], "intoRevision": revisions[0],
        });
        let path = format!("/api/products/{}/merge", self.ids.products[goes]);
        let answer = client.post(&path, &body).await?;
        if answer.body["detail"].as_str().is_some_and(|words| words.starts_with("It is still in ")) {
            return Ok(false);
        }
        answer.expect(200)?;
        Ok(true)
    }

    /// Recalls a lot.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn recall(&self, client: &Client, product: &str, code: &str) -> Done<()> {
        let body = json!({ "productId": product, "reason": "Metal found" });
        client.post(&format!("/api/stock/lots/{code}/recall"), &body).await?.expect(200)?;
        Ok(())
    }

    /// Imports receipts of a store as a till's file. Where it may be in Larder already, the file is of the whole day and
    /// replaces it.
    ///
    /// # Errors
    /// If the server refuses it, or finds problems in it.
    pub async fn import(
        &self,
        client: &Client,
        names: &Catalogue,
        (store, day): (usize, usize),
        receipts: &[&Receipt],
    ) -> Done<()> {
        let file = self.file(names, (store, day), receipts);
        let path = format!("{SALES}/uploads?fileName={}-{store}-{day}.csv", self.tag);
        let batch = client.upload(&path, file.into_bytes()).await?.expect(201)?;
        let path = format!("{SALES}/batches/{}", id_of(&batch)?);
        client.put(&format!("{path}/mapping"), &mapping(&batch)).await?.expect(200)?;
        let checked = Self::until(client, &path, "validated").await?;
        if checked["summary"]["problemLines"] != 0 {
            return failed(format!("A file has problems: {}", checked["summary"]));
        }
        let answer = client.post(&format!("{path}/post"), &json!({})).await?;
        if answer.code() == "alreadyImported" {
            let choice = json!({ "onExisting": "replaceDays" });
            client.post(&format!("{path}/post"), &choice).await?.expect(200)?;
        } else {
            answer.expect(200)?;
        }
        Self::until(client, &path, "posted").await?;
        Ok(())
    }

    /// Sets what a root item costs from a day on; past figures change with it.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn price(
        &self,
        client: &Client,
        (root, from): (usize, usize),
        price: i64,
        today: usize,
    ) -> Done<()> {
        let path =
            format!("/api/lists/root-items/{}/prices/{}", self.ids.roots[root], self.calendar.date(from));
        let mut body = json!({ "price": money(price) });
        if from < today {
            (body["recompute"], body["reason"]) = (json!(true), json!("As invoiced"));
        }
        client.put(&path, &body).await?.expect(200)?;
        Ok(())
    }

    /// Plans what the stores order.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn plan(&self, client: &Client) -> Done<()> {
        let run = client.post(PLANS, &json!({ "storeIds": self.ids.stores })).await?.expect(202)?;
        Self::until(client, &format!("{PLANS}/{}", id_of(&run)?), "done").await?;
        Ok(())
    }

    /// Waits until a job has brought a batch into a state.
    async fn until(client: &Client, path: &str, state: &str) -> Done<Value> {
        for _ in 0..ASK_TIMES {
            let batch = client.get(path).await?.expect(200)?;
            if batch["state"] == state {
                return Ok(batch);
            }
            if batch["state"] == "failed" {
                return failed(format!("An import failed: {}", batch["error"]));
            }
            tokio::time::sleep(ASK_EVERY).await;
        }
        failed(format!("{path} is still not {state}."))
    }

    /// The file of a till system: a row for each dish of a receipt.
    fn file(&self, names: &Catalogue, (store, day): (usize, usize), receipts: &[&Receipt]) -> String {
        let mut file = String::from("Date,Time,Store,Register,Receipt,Item,Quantity,Price,Payment Type\n");
        let date = self.calendar.date(day);
        for receipt in receipts {
            let minute = receipt.at.rem_euclid(crate::calendar::DAY);
            for sold in &receipt.dishes {
                let dish = &names.dishes[sold.dish];
                let _ = writeln!(
                    file,
                    "{date},{:02}:{:02}:00,{} {tag},{till},{till}-{:05},{} {tag},{},{},{}",
                    minute / 60,
                    minute % 60,
                    names.stores[store].name,
                    receipt.number,
                    dish.name,
                    sold.pieces,
                    money(dish.price),
                    TENDERS[receipt.tender].0,
                    tag = self.tag,
                    till = names.stores[store].tills[receipt.till],
                );
            }
        }
        file
    }
}

/// What becomes of a recalled lot that a truck brings.
const PUT_ASIDE: &str = "It was put aside.";

/// What the kitchen begins with of a product.
async fn stock(client: &Client, product: &str, kitchen: &str) -> Done<()> {
    let stock = json!({ "quantity": KITCHEN_BEGINS_WITH, "placeKind": "commissary", "placeId": kitchen });
    client.post(&format!("/api/products/{product}/adjust"), &stock).await?.expect(200)?;
    Ok(())
}

/// Takes a step that takes goods out of a store: whatever Larder expects there, they are gone.
async fn take_out(
    client: &Client,
    path: &str,
    document: &Value,
    (step, when): (&str, String),
) -> Done<Value> {
    let answer = client.step(path, document, step, json!({ "happenedAt": when })).await?;
    let reason = "It was on the shelf.";
    match answer.code() {
        "notEnough" | "expired" => {
            let insist = json!({ "override": true, "reason": reason, "happenedAt": when });
            client.step(path, document, step, insist).await?.expect(200)
        }
        "moreThanExpected" => {
            let insist = json!({ "anyway": true, "reason": reason, "happenedAt": when });
            client.step(path, document, step, insist).await?.expect(200)
        }
        _ => answer.expect(200),
    }
}

/// How the file's columns are to be read; every question about it is answered by that.
fn mapping(batch: &Value) -> Value {
    let asks = batch["layout"]["asks"].as_array().cloned().unwrap_or_default();
    let answers = asks.iter().filter_map(|ask| {
        let id = ask["id"].as_str()?;
        let choice = if id == "once" { json!("line") } else { ask["choices"][0]["id"].clone() };
        Some((id.to_owned(), choice))
    });
    let answers: serde_json::Map<String, Value> = answers.collect();
    json!({
        "hasHeader": true,
        "columns": { "date": 0, "time": 1, "store": 2, "terminal": 3, "receipt": 4, "item": 5, "quantity": 6,
                     "unitPrice": 7, "tender": 8 },
        "once": [], "answers": answers, "splitTenders": false, "dateFormat": "ymd",
    })
}
