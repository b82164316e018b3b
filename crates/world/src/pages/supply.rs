//! What is on the road, at the kitchen, and ordered.

use serde_json::Value;

use super::{Figure, Reader, Row, find, list};
use crate::calendar::day_of;
use crate::client::Done;
use crate::quantity::{ONE, read_qty};
use crate::staff::ORDERS;
use crate::truth::Truck;

impl Reader<'_> {
    /// What is on its way to a store: shipments, and the inventory's column.
    pub(super) async fn in_transit(self, store: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, id) = (&self.staff.ids, &self.staff.ids.stores[store]);
        let page = self.get(&format!("/api/stock/in-transit?storeId={id}")).await?;
        let stock = self.get(&format!("/api/stores/inventory?storeId={id}&by=rootItems")).await?;
        let shipments = list(&page["items"])?.iter();
        let lines: Vec<&Value> = shipments.filter_map(|item| item["lines"].as_array()).flatten().collect();
        let mut by_root = vec![0; ids.roots.len()];
        for (product, record) in self.products() {
            let of_product = lines.iter().filter(|line| line["productId"] == ids.products[product].as_str());
            let said = of_product.map(|line| read_qty(&line["qty"])).sum::<Option<i64>>();
            let trucks = self.truth.trucks.values();
            let trucks = trucks.filter(|truck| truck.to == store && truck.load.product == product);
            let packs: i64 = trucks.map(Truck::on_the_road).sum();
            by_root[record.root] += packs * record.per_pack;
            let about = format!("{} on its way to {}", record.name, self.store(store));
            figures.push(Figure::qty(Row::InTransit, about, said, Some(packs * ONE)));
        }
        for (root, record) in self.truth.catalogue.roots.iter().enumerate() {
            let row = find(&stock["items"], "id", &ids.roots[root]);
            let said = if row.is_null() { Some(0) } else { read_qty(&row["inTransit"]) };
            let about = format!("{} in transit in the inventory of {}", record.name, self.store(store));
            figures.push(Figure::qty(Row::InTransit, about, said, Some(by_root[root])));
        }
        Ok(())
    }

    /// What the kitchen has.
    pub(super) async fn kitchen(self, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let ids = &self.staff.ids;
        // Half of the products on an evening, the others on the next.
        for (product, record) in self.products().filter(|(product, _)| (product + day).is_multiple_of(2)) {
            let page = self.get(&format!("/api/products/{}/stock", ids.products[product])).await?;
            let row = find(&page["places"], "placeId", &ids.kitchen);
            let truth = self.truth.kitchen[product] * ONE;
            let about = format!("{} at the kitchen", record.name);
            // It never had what it has not made yet.
            let said = if row.is_null() { Some(0) } else { read_qty(&row["qty"]) };
            figures.push(Figure::qty(Row::Kitchen, about, said, Some(truth)));
        }
        Ok(())
    }

    /// What the kitchen still has to send by the next day, product by product.
    pub(super) async fn matrix(self, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, date) = (&self.staff.ids, self.staff.calendar.date(day + 1));
        let asked = format!("commissaryId={}&neededDate={date}", ids.kitchen);
        let page = self.get(&format!("/api/commissary/orders?{asked}")).await?;
        self.cells(&page, figures);
        for (product, record) in self.products() {
            let row = find(&page["products"], "productId", &ids.products[product]);
            let orders = self.truth.orders.values().filter(|order| order.product == product);
            let packs: i64 = orders.map(|order| order.approved - order.sent - order.closed_short).sum();
            let said = if row.is_null() { Some(0) } else { read_qty(&row["toSend"]) };
            let about = format!("{} to be sent by the next day", record.name);
            figures.push(Figure::qty(Row::Orders, about, said, Some(packs * ONE)));
            if !row.is_null() {
                let covered = |field: &str| read_qty(&row[field]).unwrap_or(0);
                let short = (covered("toSend") - covered("onHand") - covered("incoming")).max(0);
                let about = format!("{} that is short for the next day", record.name);
                figures.push(Figure::qty(Row::Orders, about, read_qty(&row["short"]), Some(short)));
                let truth = Some(self.truth.kitchen[product] * ONE);
                let about = format!("{} at the kitchen, in the matrix", record.name);
                figures.push(Figure::qty(Row::Kitchen, about, read_qty(&row["onHand"]), truth));
            }
        }
        Ok(())
    }

    /// The matrix's figures of each order that has something to send.
    pub(super) fn cells(self, page: &Value, figures: &mut Vec<Figure>) {
        for (number, order) in &self.truth.orders {
            let to_send = order.approved - order.sent - order.closed_short;
            let Some(id) = self.staff.orders.get(number).filter(|_| to_send > 0) else { continue };
            let cell = find(&page["cells"], "orderId", id);
            for (field, packs) in
                [("ordered", order.ordered), ("approved", order.approved), ("toSend", to_send)]
            {
                let about = format!("{field} in the matrix of the order for truck {number}");
                figures.push(Figure::qty(Row::Orders, about, read_qty(&cell[field]), Some(packs * ONE)));
            }
        }
    }

    /// What was ordered, granted, sent and received of each order.
    pub(super) async fn orders(self, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        for (number, order) in &self.truth.orders {
            let truck = self.truth.trucks.get(number);
            // What was missing is settled the next day; a late receipt comes two days later.
            let is_old = truck.is_some_and(|truck| day_of(truck.left.0) + 2 < day);
            let Some(id) = self.staff.orders.get(number).filter(|_| !is_old) else { continue };
            let page = self.get(&format!("{ORDERS}/{id}")).await?;
            let line = &page["lines"][0];
            let arrived = truck.map_or(0, |truck| truck.load.packs - truck.on_the_road());
            let received =
                truck.filter(|truck| truck.received).map_or(0, |truck| truck.load.packs - truck.missing);
            for (field, packs) in [
                ("qtyOrdered", order.ordered),
                ("qtyApproved", order.approved),
                ("qtyDispatched", order.sent),
                ("qtyArrived", arrived),
                ("qtyReceived", received),
                ("qtyShortClosed", order.closed_short),
            ] {
                let about = format!("{field} of the order for truck {number}");
                figures.push(Figure::qty(Row::Orders, about, read_qty(&line[field]), Some(packs * ONE)));
            }
        }
        Ok(())
    }
}
