//! Batches, transfers, waste and a recall: around the last day, and in every state.

use std::sync::Arc;

use larder_documents::productions::{Production, ProductionDraft, recipes};
use larder_documents::rules;
use larder_documents::shipments::{Transfer, TransferDraft};
use larder_documents::waste::settings::WasteSettings;
use larder_documents::waste::{Waste, WasteDraft};
use larder_ledgers::place_stock;

use super::*;

/// Weeks in which each recipe is made once.
const WEEKS: i32 = 6;
/// Yields of batches, in percent of planned.
const YIELDS: [i64; 5] = [100, 98, 100, 95, 102];
/// Reasons of waste, the usual ones more often.
const REASONS: [&str; 6] = ["expired", "spoiled", "damaged", "dropped", "expired", "overproduced"];

impl Supply {
    /// Six weeks of batches, one recipe after the other, and one in every state at the end.
    pub async fn batches(&mut self, demo: &mut DemoActor<'_>) -> Result<(), ApiError> {
        let found = recipes::read(&demo.state.db).await?;
        let all: Vec<_> = found.of_product.into_values().collect();
        for week in (0..WEEKS).rev() {
            for (nth, recipe) in all.iter().enumerate() {
                let day = self.last.plus(-7 * week - i32::try_from(nth % 6).unwrap_or(0));
                let mut rng = Rng::of(self.seed, &[key("batch"), u64::from(week.unsigned_abs()), nth as u64]);
                let work = self.work(demo);
                let at = moment(day, 7, 15 + whole(rng.between(0.0, 40.0)));
                let draft =
                    ProductionDraft::of_recipe(&self.kitchen, &recipe.id, 1 + rng.below(3) as i64, day);
                let batch: Doc<Production> = work.create(KITCHEN, at, draft).await?;
                let end = if week == 0 { nth % 5 } else { 4 };
                match end {
                    0 => continue,
                    1 => {
                        let reason = json!({ "reason": "The oven is being repaired" });
                        work.step(KITCHEN, at.plus_seconds(600), &batch, "cancel", reason).await?;
                        continue;
                    }
                    _ => {}
                }
                let batch = work.step(KITCHEN, at.plus_seconds(900), &batch, "start", Value::Null).await?;
                if end == 2 {
                    continue;
                }
                let percent = YIELDS[rng.below(YIELDS.len())];
                let planned = batch.lines.first().map_or(0, |line| line.planned.0);
                let made = ProductionDraft::made(Qty(planned / 100 * percent));
                let at = at.plus_seconds(4 * 3_600);
                let batch = work.change(KITCHEN, at, &batch, made).await?;
                let needed: Vec<(String, Qty)> = batch
                    .lines
                    .iter()
                    .filter(|line| line.side == "used")
                    .filter_map(|line| Some((line.product_id.clone(), line.planned.scaled(line.factor)?)))
                    .collect();
                let bought = Incoming { kind: DocumentType::Adjustment, lot: 'S', reason: "From the market" };
                self.put_in(&work, at, day, &bought, &needed).await?;
                let batch = work.step(KITCHEN, at.plus_seconds(300), &batch, "post", Value::Null).await?;
                if end == 3 {
                    let body = json!({ "override": true, "reason": "Posted for the wrong recipe" });
                    work.step(KITCHEN, at.plus_seconds(3_600), &batch, "reverse", body).await?;
                }
            }
        }
        Ok(())
    }

    /// Transfers and waste of the last evening, in every state, and a recalled lot.
    pub async fn transactions(
        &mut self,
        demo: &mut DemoActor<'_>,
        stores: &[Arc<str>],
    ) -> Result<(), ApiError> {
        let open: Vec<&Arc<str>> = stores.iter().filter(|store| self.open.contains(&***store)).collect();
        self.waste_rule(demo).await?;
        for (nth, store) in open.iter().enumerate() {
            for at in 0..3_usize {
                self.throw_away(demo, store, nth * 3 + at).await?;
            }
            let to = open[(nth + 1) % open.len()];
            if open.len() > 1 {
                self.send_across(demo, store, to, nth).await?;
            }
        }
        self.destroy_expired(demo).await?;
        self.recall(demo).await
    }

    /// The kitchen destroys lots the morning after they expired.
    async fn destroy_expired(&self, demo: &DemoActor<'_>) -> Result<(), ApiError> {
        let db = &demo.state.db;
        let place = Place { kind: PlaceKind::Commissary, id: self.kitchen.clone() };
        let (kitchen, products) = (&place, self.lives.keys().map(String::as_str).collect::<Vec<_>>());
        let (products, reader) = (&products, demo.actor(KITCHEN, moment(self.last, 7, 0)));
        let kept =
            db.write(&reader, async |tx| lots::first_to_expire(tx, kitchen, products, None).await).await?;
        let mut left = place_stock::balances(db, &place).await?;
        let mut of_days: BTreeMap<BusinessDay, Vec<Movement>> = BTreeMap::new();
        for lot in kept {
            let Some(expiry) = lot.expiry.filter(|expiry| *expiry < self.last) else { continue };
            let rest = left.entry(lot.product_id.clone()).or_default();
            let qty = lot.qty.min(*rest);
            if qty.0 <= 0 {
                continue;
            }
            *rest = Qty(rest.0 - qty.0);
            of_days.entry(expiry.plus(1)).or_default().push(Movement {
                item: stock::product(&lot.product_id),
                place: place.clone(),
                qty: Qty(-qty.0),
                unit_cost: None,
                line: 0,
                leg: Leg::Only,
                lot: Some(lot.lot),
            });
        }
        let work = self.work(demo);
        for (day, movements) in &mut of_days {
            for (movement, line) in movements.iter_mut().zip(1..) {
                movement.line = line;
            }
            let at = moment(*day, 7, 10);
            let id = work.id(at);
            let posting = &Posting {
                document: Posted::first(DocumentType::Adjustment, &id),
                business_date: *day,
                happened_at: None,
                reason: Some("Expired, destroyed"),
                movements,
            };
            let actor = demo.actor(KITCHEN, at);
            db.write(&actor, async |tx| stock::post(tx, posting).await.map(drop)).await?;
        }
        Ok(())
    }

    pub(super) fn work<'w, 'a>(&self, demo: &'w DemoActor<'a>) -> Work<'w, 'a> {
        Work { demo, made: Arc::clone(&self.made), seed: self.seed, last: moment(self.last, 23, 30) }
    }

    /// A product of which a store has at least this many whole packs, and its unit.
    async fn at_hand(
        &self,
        demo: &DemoActor<'_>,
        store: &str,
        packs: i64,
    ) -> Result<Vec<(String, String)>, ApiError> {
        let stores = [store.to_owned()];
        let stock = place_stock::of_stores(&demo.state.db, &stores, None, self.last).await?;
        let enough = self.brings.values().filter(|brings| {
            let [part] = brings.product.root_item_conversions.as_slice() else { return false };
            let stock = stock.get(store).and_then(|roots| roots.get(&part.root_item_id)?.on_hand);
            let packs = Qty(packs * 1_000_000).scaled(brings.unit.factor);
            let wanted = packs.and_then(|base| base.scaled(part.factor));
            stock.zip(wanted).is_some_and(|(stock, wanted)| stock >= wanted)
        });
        Ok(enough.map(|brings| (brings.product.id.clone(), brings.unit.uom_id.clone())).collect())
    }

    /// Waste above ₱1,500 needs approval.
    async fn waste_rule(&self, demo: &DemoActor<'_>) -> Result<(), ApiError> {
        let work = self.work(demo);
        let who = work.who(HEAD_OFFICE, moment(self.last.plus(-30), 9, 40));
        let rule = typed::<WasteSettings>(json!({ "approvalAbove": 1_500 }))?;
        let actor = who.actor();
        demo.state.db.write(&actor, async |tx| rules::put(tx, &who, &rule).await).await.map(drop)
    }

    async fn throw_away(&self, demo: &DemoActor<'_>, store: &str, nth: usize) -> Result<(), ApiError> {
        let mut rng = Rng::of(self.seed, &[key("waste"), nth as u64]);
        let work = self.work(demo);
        let dear = nth % 5 == 1;
        let packs = if dear { 4 } else { 1 };
        let mut there = self.at_hand(demo, store, packs).await?;
        let mut lines = Vec::new();
        for _ in 0..1 + rng.below(3) {
            if there.is_empty() {
                break;
            }
            let (product, uom) = there.swap_remove(rng.below(there.len()));
            let reason = REASONS[rng.below(REASONS.len())];
            lines.push(json!({ "productId": product, "uomId": uom, "qty": packs, "reason": reason }));
        }
        if lines.is_empty() {
            return Ok(());
        }
        let at = moment(self.last, 21, 5 + i64::try_from(nth % 40).unwrap_or(0));
        let body = json!({ "storeId": store, "businessDate": self.last, "lines": lines });
        let waste: Doc<Waste> = work.create(MANAGER, at, typed::<WasteDraft>(body)?).await?;
        if nth % 7 == 3 {
            return Ok(());
        }
        // The closing count may come before it is entered.
        let thrown = json!({ "happenedAt": at.min(work.last) });
        let waste = work.step(MANAGER, at.plus_seconds(120), &waste, "submit", thrown.clone()).await?;
        let at = at.plus_seconds(1_200);
        match (waste.head.state.as_str(), nth % 4) {
            ("submitted", 0) => {
                let reason = json!({ "reason": "Send a picture with it" });
                work.step(HEAD_OFFICE, at, &waste, "reject", reason).await?;
            }
            ("submitted", 1) => drop(work.step(HEAD_OFFICE, at, &waste, "approve", thrown).await?),
            ("posted", 2) if nth.is_multiple_of(3) => {
                let reason = json!({ "reason": "Found again behind the boxes" });
                work.step(HEAD_OFFICE, at, &waste, "reverse", reason).await?;
            }
            _ => {}
        }
        Ok(())
    }

    async fn send_across(
        &self,
        demo: &DemoActor<'_>,
        from: &str,
        to: &str,
        nth: usize,
    ) -> Result<(), ApiError> {
        let mut rng = Rng::of(self.seed, &[key("transfer"), nth as u64]);
        let work = self.work(demo);
        let mut there = self.at_hand(demo, from, 1).await?;
        let mut lines = Vec::new();
        while lines.len() < 2 && !there.is_empty() {
            let (product, uom) = there.swap_remove(rng.below(there.len()));
            lines.push(json!({ "productId": product, "uomId": uom, "qty": 1 }));
        }
        if lines.is_empty() {
            return Ok(());
        }
        let at = moment(self.last, 15, 10 + i64::try_from(nth % 30).unwrap_or(0));
        let body = json!({
            "fromStoreId": from, "toStoreId": to, "plannedDate": self.last, "notes": "They ran out", "lines": lines,
        });
        let transfer: Doc<Transfer> = work.create(MANAGER, at, typed::<TransferDraft>(body)?).await?;
        let at = at.plus_seconds(600);
        match nth % 4 {
            0 => return Ok(()),
            1 => {
                let reason = json!({ "reason": "They found some" });
                work.step(MANAGER, at, &transfer, "cancel", reason).await?;
                return Ok(());
            }
            _ => {}
        }
        let left = json!({ "happenedAt": at.min(work.last) });
        let sent = work.step(MANAGER, at, &transfer, "dispatch", left).await?;
        if nth % 4 == 2 {
            return Ok(());
        }
        let draft = typed::<ReceiptDraft>(
            json!({ "storeId": to, "sourceType": "transfer", "sourceId": sent.head.id }),
        )?;
        let receipt: Doc<Receipt> = work.create(MANAGER, at.plus_seconds(3_600), draft).await?;
        let came = json!({ "happenedAt": at.plus_seconds(3_600).min(work.last) });
        work.step(MANAGER, at.plus_seconds(3_900), &receipt, "post", came).await?;
        Ok(())
    }

    /// Recalls the lot that most stores have.
    async fn recall(&self, demo: &DemoActor<'_>) -> Result<(), ApiError> {
        let Some((product, lot)) = lots::most_spread(&demo.state.db).await? else { return Ok(()) };
        let actor = demo.actor(HEAD_OFFICE, moment(self.last, 20, 0));
        let (product, lot) = (&product, &lot);
        demo.state
            .db
            .write(&actor, async |tx| {
                lots::set_recalled(tx, product, lot, Some("Seal of the packs may leak")).await.map(drop)
            })
            .await?;
        Ok(())
    }
}
