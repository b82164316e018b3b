//! What was sold, what it used, and what that cost.

use super::{Figure, Measure, Reader, Row, find};
use crate::client::Done;
use crate::quantity::{ONE, read_money, read_qty, round};
use crate::truth::{Kind, Receipt};

impl Reader<'_> {
    /// Sales and receipts of a day by till.
    pub(super) async fn sales(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, date) = (&self.staff.ids, self.staff.calendar.date(day));
        let range = format!("from={date}&to={date}&storeIds={}", ids.stores[store]);
        let page = self.get(&format!("/api/reports/sales-terminal?{range}")).await?;
        for (till, name) in self.truth.catalogue.stores[store].tills.iter().enumerate() {
            let row = find(&page["items"], "terminal", name);
            let told = || self.told(store, day).filter(move |receipt| receipt.till == till);
            let none = row.is_null().then_some(0);
            let (net, receipts) = (none.or(read_money(&row["net"])), none.or(row["receiptCount"].as_i64()));
            let about = |what: &str| format!("{what} of till {name} at {}", self.on(store, day));
            let truth = told().map(|receipt| receipt.net).sum();
            figures.push(Figure::money(Row::Sales, about("net sales"), net, Some(truth)));
            let truth = i64::try_from(told().count()).ok();
            figures.push(Figure::of(Row::Sales, Measure::Number, about("receipts"), (receipts, truth)));
            let ticket = if row.is_null() { None } else { read_money(&row["ticket"]) };
            figures.push(Figure::money(Row::Sales, about("the average ticket"), ticket, average(told())));
        }
        let page = self.get(&format!("/api/reports/store-scorecard?{range}")).await?;
        let row = find(&page["items"], "id", &ids.stores[store]);
        let told = || self.told(store, day);
        let none = row.is_null().then_some(0);
        let (net, receipts) = (none.or(read_money(&row["net"])), none.or(row["receipts"].as_i64()));
        let ticket = if row.is_null() { None } else { read_money(&row["ticket"]) };
        let about = |what: &str| format!("{what} of the scorecard of {}", self.on(store, day));
        let truth = told().map(|receipt| receipt.net).sum();
        figures.push(Figure::money(Row::Sales, about("net sales"), net, Some(truth)));
        let truth = i64::try_from(told().count()).ok();
        figures.push(Figure::of(Row::Sales, Measure::Number, about("receipts"), (receipts, truth)));
        figures.push(Figure::money(Row::Sales, about("the average ticket"), ticket, average(told())));
        Ok(())
    }

    /// What Home says of the stores' sales: of the last day with sales of any store.
    pub(super) async fn stores_of_home(self, today: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let home = self.get("/api/dashboard/main").await?;
        let tile = &find(&home["tiles"], "name", "stores")["stores"];
        let date = |day: &usize| tile["day"] == self.staff.calendar.date(*day);
        let Some(day) = (today.saturating_sub(2)..=today).find(date) else { return Ok(()) };
        for (store, id) in self.staff.ids.stores.iter().enumerate() {
            let said = read_money(&find(&tile["stores"], "id", id)["net"]);
            let told = || self.told(store, day);
            let truth = told().next().map(|_| told().map(|receipt| receipt.net).sum());
            let about = format!("net sales on Home of {}", self.on(store, day));
            figures.push(Figure::money(Row::Sales, about, said, truth));
        }
        Ok(())
    }

    /// What was sold on a day, item by item, and the root items in it.
    pub(super) async fn usage(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, date) = (&self.staff.ids, self.staff.calendar.date(day));
        let range = format!("from={date}&to={date}&storeIds={}", ids.stores[store]);
        let page = self.get(&format!("/api/reports/sales-by-root-items?{range}")).await?;
        for (root, record) in self.truth.catalogue.roots.iter().enumerate() {
            let row = find(&page["items"], "id", &ids.roots[root]);
            let said = if row.is_null() { Some(0) } else { read_qty(&row["qty"]) };
            let truth = -self.truth.told_on(store, root, day, Kind::Sold);
            let about = format!("use of {} at {}", record.name, self.on(store, day));
            figures.push(Figure::qty(Row::Usage, about, said, Some(truth)));
        }
        let page = self.get(&format!("/api/reports/product-sales-by-store?{range}")).await?;
        for (dish, record) in self.truth.catalogue.dishes.iter().enumerate() {
            let row = find(&page["items"], "id", &ids.dishes[dish]);
            let sold = self.told(store, day).flat_map(|receipt| &receipt.dishes);
            let pieces: i64 = sold.filter(|sold| sold.dish == dish).map(|sold| sold.pieces).sum();
            let none = row.is_null().then_some(0);
            let about = format!("{} sold at {}", record.name, self.on(store, day));
            let (qty, net) = (none.or(read_qty(&row["qty"])), none.or(read_money(&row["net"])));
            figures.push(Figure::qty(Row::Usage, about.clone(), qty, Some(pieces * ONE)));
            figures.push(Figure::money(Row::Usage, about, net, Some(pieces * record.price)));
        }
        Ok(())
    }

    /// Food cost of the last seven days by recipes, at the root items' prices of each day. It is rounded once.
    pub(super) async fn food_cost(self, store: usize, until: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let ids = &self.staff.ids;
        let days = until.saturating_sub(6)..=until;
        let (from, to) = (self.staff.calendar.date(*days.start()), self.staff.calendar.date(until));
        let page =
            format!("/api/reports/food-cost?from={from}&to={to}&storeIds={}&by=store", ids.stores[store]);
        let page = self.get(&page).await?;
        let row = find(&page["items"], "id", &ids.stores[store]);
        let (mut net, mut exact) = (0, 0i128);
        for root in 0..self.truth.catalogue.roots.len() {
            for day in days.clone() {
                let used = -self.truth.told_on(store, root, day, Kind::Sold);
                exact += i128::from(used) * i128::from(self.truth.price_on(root, day));
            }
        }
        for day in days {
            net += self.told(store, day).map(|receipt| receipt.net).sum::<i64>();
        }
        let cost = round(exact);
        let none = row.is_null().then_some(0);
        let about = |what: &str| format!("{what} of the week to {}", self.on(store, until));
        let said = none.or(read_money(&row["net"]));
        figures.push(Figure::money(Row::FoodCost, about("net sales"), said, Some(net)));
        let said = none.or(read_money(&row["theoretical"]));
        figures.push(Figure::money(Row::FoodCost, about("food cost"), said, Some(cost)));
        Ok(())
    }
}

/// The average of receipts, rounded half away from zero; `None` without receipts.
fn average<'a>(receipts: impl Iterator<Item = &'a Receipt>) -> Option<i64> {
    let (count, net) = receipts.fold((0, 0), |(count, net), receipt| (count + 1, net + receipt.net));
    (count > 0).then(|| (2 * net + count) / (2 * count))
}
