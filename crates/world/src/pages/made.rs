//! What the kitchen made: its lots, what went into them, and where they went.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Figure, Measure, Reader, Row, find};
use crate::catalogue::kitchen;
use crate::client::Done;
use crate::quantity::{ONE, read_qty};
use crate::truth::{Batch, Truck};

/// Batches of mix that are traced though nobody recalled them: the last ones.
const TRACED: usize = 1;

impl Reader<'_> {
    /// Stock of what the kitchen makes things of, its lots, and traces of lots of mix.
    pub(super) async fn made(self, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let ids = &self.staff.ids;
        let mixes = || self.truth.batches.iter().filter(|(_, batch)| batch.mix.is_none());
        let mix = mixes().map(|(_, batch)| batch.left).sum();
        for (name, id, truth) in
            [(kitchen::FLOUR, &ids.flour, self.truth.flour), (kitchen::MIX, &ids.mix, mix)]
        {
            let page = self.get(&format!("/api/products/{id}/stock")).await?;
            let row = find(&page["places"], "placeId", &ids.kitchen);
            let said = if row.is_null() { Some(0) } else { read_qty(&row["qty"]) };
            figures.push(Figure::qty(Row::Made, format!("{name} at the kitchen"), said, Some(truth)));
        }
        self.lots_made(day, figures).await?;
        let last: BTreeSet<usize> = mixes().rev().take(TRACED).map(|(number, _)| *number).collect();
        for number in last.union(&self.truth.recalled_mixes) {
            self.trace(*number, figures).await?;
        }
        Ok(())
    }

    /// What is left at the kitchen of each lot that it made, and when that expires.
    async fn lots_made(self, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let ids = &self.staff.ids;
        let page = format!("/api/stock/lots?placeKind=commissary&placeId={}&pageSize=200", ids.kitchen);
        let page = self.get(&page).await?;
        let kit = self.truth.catalogue.products[self.truth.catalogue.kit()].shelf_life;
        for batch in self.truth.batches.values() {
            let lot = find(&page["items"], "lot", &batch.lot);
            let place = find(&lot["places"], "placeId", &ids.kitchen);
            for field in ["qty", "atLeast", "atMost"] {
                let said = if place.is_null() { Some(0) } else { read_qty(&place[field]) };
                let about = format!("{field} of lot {} at the kitchen", batch.lot);
                figures.push(Figure::qty(Row::Made, about, said, Some(batch.left)));
            }
            let shelf_life = if batch.mix.is_none() { kitchen::SHELF_LIFE } else { kit };
            let expires = batch.day + shelf_life;
            if lot.is_null() {
                continue;
            }
            let date = self.staff.calendar.date(expires);
            let same = lot["expiry"].as_str() == Some(date.as_str());
            let about = format!("expiry of lot {}, {date}, said as {}", batch.lot, lot["expiry"]);
            figures.push(Figure::of(Row::Made, Measure::Number, about, (Some(i64::from(same)), Some(1))));
            let left = i64::try_from(expires).unwrap_or(0) - i64::try_from(day).unwrap_or(0);
            let about = format!("days that lot {} can be used", batch.lot);
            figures.push(Figure::of(
                Row::Made,
                Measure::Number,
                about,
                (lot["daysLeft"].as_i64(), Some(left)),
            ));
        }
        Ok(())
    }

    /// A lot of mix from the kitchen to the stores that have kits of it.
    async fn trace(self, number: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let ids = &self.staff.ids;
        let Some(mix) = self.truth.batches.get(&number) else { return Ok(()) };
        let page = format!("/api/stock/lots/{}/trace?productId={}", mix.lot, ids.mix);
        let page = self.get(&page).await?;
        let kits: Vec<&Batch> =
            self.truth.batches.values().filter(|batch| batch.mix == Some(number)).collect();
        let (kit, codes): (usize, BTreeSet<&str>) =
            (self.truth.catalogue.kit(), kits.iter().map(|batch| batch.lot.as_str()).collect());
        let into = page["lots"].as_array().into_iter().flatten();
        let into: BTreeSet<&str> =
            into.filter(|lot| lot["side"] == "wentInto").filter_map(|lot| lot["lot"].as_str()).collect();
        let about = |what: &str| format!("{what} of mix {}", mix.lot);
        let same = i64::from(into == codes);
        let about_lots = about(&format!("{codes:?}, said as {into:?}, as the lots"));
        figures.push(Figure::of(Row::Made, Measure::Number, about_lots, (Some(same), Some(1))));

        let said = |event: &str, product: &str| {
            let events = page["events"].as_array().into_iter().flatten();
            let of = events.filter(|row| row["event"] == event && row["productId"] == product);
            of.map(|row| read_qty(&row["qty"])).sum::<Option<i64>>()
        };
        let is_of = |truck: &&Truck| {
            truck.load.product == kit && truck.load.lot.as_deref().is_some_and(|lot| codes.contains(lot))
        };
        let trucks = || self.truth.trucks.values().filter(is_of);
        let made: i64 = kits.iter().map(|batch| batch.packs).sum();
        let sent: i64 = trucks().filter(|truck| truck.sent).map(|truck| truck.load.packs).sum();
        let received = trucks().filter(|truck| truck.received);
        let received: i64 = received.map(|truck| truck.load.packs - truck.missing).sum();
        let of_kit = &ids.products[kit];
        for (event, product, truth) in [
            ("made", &ids.mix, mix.packs * ONE),
            ("used", &ids.mix, mix.packs * ONE - mix.left),
            ("made", of_kit, made * ONE),
            ("sent", of_kit, sent * ONE),
            ("received", of_kit, received * ONE),
        ] {
            let what = if product == of_kit { "kits" } else { "packs" };
            let about = about(&format!("{what} {event}"));
            figures.push(Figure::qty(Row::Made, about, said(event, product), Some(truth)));
        }
        let about = about("stores with kits that the trace does not name,");
        let silent = i64::try_from(self.stores_not_named(&codes, &page)).ok();
        figures.push(Figure::of(Row::Made, Measure::Number, about, (silent, Some(0))));
        Ok(())
    }

    /// How many stores have kits of these lots, or have them on the way, and are not named as places of them.
    fn stores_not_named(self, codes: &BTreeSet<&str>, page: &Value) -> usize {
        let kit = self.truth.catalogue.kit();
        let is_of = |product: usize, code: &str| product == kit && codes.contains(code);
        let root = self.truth.catalogue.products[kit].root;
        let places =
            || page["there"].as_array().into_iter().flatten().filter_map(|it| it["placeId"].as_str());
        let stores = self.staff.ids.stores.iter().enumerate();
        let silent = stores.filter(|(store, id)| {
            let mut lots = self.truth.lots(*store, root);
            let there = lots.any(|(lot, there)| {
                let is_known = self.truth.told_of_lot(*store, root, lot) > 0;
                there > 0 && is_known && lot.as_ref().is_some_and(|(product, code)| is_of(*product, code))
            });
            let mut trucks = self.truth.trucks.values();
            let coming = trucks.any(|truck| {
                let load = &truck.load;
                let is_its = is_of(load.product, load.lot.as_deref().unwrap_or_default());
                is_its && truck.to == *store && truck.on_the_road() > 0
            });
            // A place on the way is named by the store that it goes to.
            (there && !places().any(|place| place == id.as_str()))
                || (coming && !places().any(|place| place.starts_with(id.as_str())))
        });
        silent.count()
    }
}
