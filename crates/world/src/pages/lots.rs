//! Lots at stores, and recalls of them.

use serde_json::Value;

use super::{Figure, Measure, Reader, Row, find, list};
use crate::client::Done;
use crate::quantity::{MILLI, ONE, read_qty};
use crate::truth::Lot;

impl Reader<'_> {
    /// Lots at a store: how much more of them is there than Larder says at most, and how much less than it says at
    /// least. What documents and counts got wrong is allowed for.
    pub(super) async fn lots(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, id) = (&self.staff.ids, &self.staff.ids.stores[store]);
        let page = self.get(&format!("/api/stock/lots?placeKind=store&placeId={id}&pageSize=200")).await?;
        let (mut over, mut under, mut disordered) = (0, 0, 0);
        for root in 0..ids.roots.len() {
            let wrong = self.truth.book_error(store, root, day).unwrap_or(0);
            let unsaid = |lot: &Lot, there: i64| {
                lot.as_ref().map_or(0, |_| (there - self.truth.told_of_lot(store, root, lot).max(0)).max(0))
            };
            let all_unsaid: i64 = self.truth.lots(store, root).map(|(lot, there)| unsaid(lot, there)).sum();
            // Lots come after what has none: they are used up only when that is. Packs are rounded to a millionth.
            let (mut likely, mut room, mut rounded) = (0, 0, 0);
            for (lot, there) in self.truth.lots(store, root) {
                let Some((product, code)) = lot else { continue };
                let per_pack = self.truth.catalogue.products[*product].per_pack;
                let units = |packs: &Value| Some(read_qty(packs)? * (per_pack / MILLI) / (ONE / MILLI));
                // Codes of lots are those of one truck each.
                let mut place = find(&find(&page["items"], "lot", code)["places"], "placeId", id).clone();
                if place.is_null() && there > 0 {
                    // The list names places that probably have some; the lot's own page names all.
                    let product = &ids.products[*product];
                    let at = format!("/api/stock/lots/{code}/trace?productId={product}");
                    place = find(&self.get(&at).await?["there"], "placeId", id).clone();
                }
                let figure = |field: &str| units(&place[field]).unwrap_or(0);
                let (most, least) = (figure("atMost"), figure("atLeast"));
                let rounding = per_pack / ONE + 1;
                over += (there - most - unsaid(lot, there) - (-wrong).max(0) - rounding).max(0);
                under += (least - there - all_unsaid - wrong.max(0) - rounding).max(0);
                disordered += i64::from(!(0..=figure("qty")).contains(&least) || figure("qty") > most);
                likely += figure("qty");
                room += self.truth.told_of_lot(store, root, lot).max(0);
                rounded += rounding;
            }
            let stock = self.truth.stock_in_larder(store, root, day);
            let truth = stock.map_or(room, |stock| room.min(stock.max(0)));
            let likely = if (likely - truth).abs() <= rounded { truth } else { likely };
            let about = format!(
                "all that is likely of lots of {} at {}",
                self.truth.catalogue.roots[root].name,
                self.store(store)
            );
            figures.push(Figure::qty(Row::Lots, about, Some(likely), Some(truth)));
        }
        let about = format!(
            "lots at {} of which less than the least or more than the most is likely",
            self.store(store)
        );
        figures.push(Figure::of(Row::Lots, Measure::Number, about, (Some(disordered), Some(0))));
        for (what, said) in
            [("beyond what Larder says at most", over), ("short of what it says at least", under)]
        {
            let about = format!("stock of lots at {} {what}", self.store(store));
            figures.push(Figure::qty(Row::Lots, about, Some(said), Some(0)));
        }
        Ok(())
    }

    /// Recalled lots that a store has and that its page does not name.
    pub(super) async fn recalls(self, store: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, id) = (&self.staff.ids, &self.staff.ids.stores[store]);
        if self.truth.recalled.is_empty() {
            return Ok(());
        }
        let page = self.get(&format!("/api/stock/recalls?storeId={id}")).await?;
        let named = list(&page["items"])?;
        let all = self.get("/api/stock/recalls?pageSize=500").await?;
        let silent = self.truth.recalled.iter().filter(|recalled| {
            let (product, code) = *recalled;
            let root = self.truth.catalogue.products[*product].root;
            let is_it = |lot: &Lot| lot.as_ref() == Some(*recalled);
            // Documents that took out more than came say that none is left.
            let is_known = self.truth.told_of_lot(store, root, &Some((*recalled).clone())) > 0;
            let there: i64 =
                self.truth.lots(store, root).filter(|(lot, _)| is_it(lot)).map(|(_, qty)| qty).sum();
            let there = if is_known { there } else { 0 };
            // What left a store without a document is not known to have left, nor where it is.
            let on_the_road = self.truth.trucks.values().any(|truck| {
                let is_its = truck.load.product == *product && truck.load.lot.as_ref() == Some(code);
                is_its && truck.to == store && truck.on_the_road() > 0
            });
            let product = ids.products[*product].as_str();
            let says_so = |row: &Value| row["lot"] == code.as_str() && row["productId"] == product;
            let rows = all["items"].as_array().map(Vec::as_slice).unwrap_or_default();
            let at_least_to_all = rows.iter().any(|row| says_so(row) && row["storeId"] == id.as_str());
            there > 0 && !named.iter().any(says_so) || (there > 0 || on_the_road) && !at_least_to_all
        });
        let about = format!("recalled lots at {} that are not named", self.store(store));
        let silent = i64::try_from(silent.count()).ok();
        figures.push(Figure::of(Row::Recalls, Measure::Number, about, (silent, Some(0))));
        Ok(())
    }
}
