//! A store's stock by root items: the inventory, and the movements of a day.

use super::{Figure, Reader, Row, find};
use crate::calendar::day_of;
use crate::client::Done;
use crate::quantity::{read_money, read_qty, worth};
use crate::truth::{Kind, end_of};

impl Reader<'_> {
    /// The store inventory by root items, at the end of a day.
    pub(super) async fn inventory(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, date) = (&self.staff.ids, self.staff.calendar.date(day));
        let path = format!("/api/stores/inventory?storeId={}&by=rootItems&date={date}", ids.stores[store]);
        let page = self.get(&path).await?;
        for (root, record) in self.truth.catalogue.roots.iter().enumerate() {
            let about = |what: &str| format!("{what} of {} at {}", record.name, self.on(store, day));
            let row = find(&page["items"], "id", &ids.roots[root]);
            let (_, last) = self.truth.last_counts(store, root, end_of(day));
            let stock = self.truth.stock_in_larder(store, root, day);
            figures.push(Figure::qty(Row::Stock, about("stock"), read_qty(&row["onHand"]), stock));
            let variance = self.truth.variance_in_larder(store, root, day);
            let expected = last.zip(variance).map(|(last, variance)| last.counted - variance);
            let pesos = last
                .zip(variance)
                .map(|(last, variance)| worth(variance, self.truth.price_on(root, day_of(last.at))));
            figures.extend([
                Figure::qty(Row::Variance, about("expected"), read_qty(&row["expected"]), expected),
                Figure::qty(Row::Variance, about("variance"), read_qty(&row["variance"]), variance),
                Figure::money(Row::Variance, about("variance"), read_money(&row["varianceValue"]), pesos),
            ]);
        }
        Ok(())
    }

    /// Root item movement of a day.
    pub(super) async fn movement(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, date) = (&self.staff.ids, self.staff.calendar.date(day));
        let range = format!("from={date}&to={date}&storeIds={}", ids.stores[store]);
        let page = self.get(&format!("/api/reports/root-item-movement-by-store?{range}")).await?;
        for (root, record) in self.truth.catalogue.roots.iter().enumerate() {
            let row = find(&page["items"], "rootItemId", &ids.roots[root]);
            for (field, kind, sign) in [
                ("received", Kind::Received, 1),
                ("transfersIn", Kind::CarriedIn, 1),
                ("transfersOut", Kind::CarriedOut, -1),
                ("waste", Kind::Wasted, -1),
                ("theoreticalUse", Kind::Sold, -1),
            ] {
                // A root item without any movement has no row.
                let said = if row.is_null() { Some(0) } else { read_qty(&row[field]) };
                let truth = sign * self.truth.told_on(store, root, day, kind);
                let about = format!("{field} of {} at {}", record.name, self.on(store, day));
                figures.push(Figure::qty(Row::Movement, about, said, Some(truth)));
            }
            // Its stock is that of the inventory.
            for (field, of) in [("opening", day.checked_sub(1)), ("closing", Some(day))] {
                let Some(of) = of.filter(|_| !row.is_null()) else { continue };
                let truth = self.truth.stock_in_larder(store, root, of);
                let about = format!("{field} stock of {} at {}", record.name, self.on(store, day));
                figures.push(Figure::qty(Row::Movement, about, read_qty(&row[field]), truth));
            }
        }
        Ok(())
    }
}
