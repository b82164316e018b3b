//! The plan: what it starts from, what comes, and when it runs out.

use serde_json::Value;

use super::{Figure, Measure, Reader, Row, find};
use crate::calendar::day_of;
use crate::client::Done;
use crate::quantity::{MILLI, ONE, read_qty};
use crate::truth::{Session, end_of};

impl Reader<'_> {
    /// The plan of a store: its stock, what comes, and the world run on without an order, with the forecast as demand.
    pub(super) async fn plan(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, id) = (&self.staff.ids, &self.staff.ids.stores[store]);
        let page = self.get(&format!("/api/dashboard/drp-new?storeId={id}&limit=500")).await?;
        for (root, record) in self.truth.catalogue.roots.iter().enumerate() {
            let line = find(&page["lines"], "rootItemId", &ids.roots[root]);
            // Without a week of sales there is none.
            let Some(product) = line["productId"].as_str() else { continue };
            let Some(at) = ids.products.iter().position(|id| id == product) else { continue };
            let per_pack = self.truth.catalogue.products[at].per_pack;
            let about =
                |what: &str| format!("{what} of {} in the plan of {}", record.name, self.on(store, day));
            let stock = self.truth.stock_in_larder(store, root, day);
            figures.push(Figure::qty(Row::Plan, about("stock"), read_qty(&line["onHand"]), stock));
            let carried = Some(self.on_the_road(store, root));
            figures.push(Figure::qty(Row::Plan, about("in transit"), read_qty(&line["inTransit"]), carried));
            let coming = ["inTransit", "onOrder", "later", "short"].map(|field| read_qty(&line[field]));
            let coming: Option<i64> = coming.into_iter().sum();
            let truth = self.on_the_road(store, root) + self.to_be_sent(store, root);
            figures.push(Figure::qty(Row::Plan, about("all that was ordered or sent"), coming, Some(truth)));
            let estimated = line["estimatedDays"].as_i64();
            let days = i64::try_from(self.days_without_sales(store, root, day)).ok();
            let about_days = about("days without sales since the count");
            figures.push(Figure::of(Row::Plan, Measure::Number, about_days, (estimated, days)));
            let grid = format!("/api/dashboard/drp-new/grid?storeId={id}&productId={product}");
            let grid = self.get(&grid).await?;
            let closed = &self.truth.catalogue.stores[store];
            let sold = grid["gross"].as_array().into_iter().flatten().enumerate();
            let sold = sold
                .filter(|(ahead, _)| closed.is_closed(day + ahead))
                .filter_map(|(_, sold)| read_qty(sold));
            let about_closed = about("sales on closed days");
            figures.push(Figure::qty(Row::Plan, about_closed, Some(sold.sum()), Some(0)));
            self.run_on((line, &grid), per_pack, &about, figures);
        }
        Ok(())
    }

    /// A shelf that begins with the stock of a plan, from which the forecast is sold and on which trucks put what they
    /// bring. Quantities are packs.
    pub(super) fn run_on(
        self,
        (line, grid): (&Value, &Value),
        per_pack: i64,
        about: &dyn Fn(&str) -> String,
        figures: &mut Vec<Figure>,
    ) {
        let numbers = |field: &str| -> Vec<i64> {
            grid[field].as_array().into_iter().flatten().filter_map(read_qty).collect()
        };
        let (sold, brought, without) = (numbers("gross"), numbers("scheduled"), numbers("withoutOrder"));
        let (Some(opening), Some(stock), Some(estimated)) =
            (read_qty(&grid["opening"]), read_qty(&line["onHand"]), read_qty(&line["estimatedUse"]))
        else {
            return figures.push(Figure::qty(Row::Plan, about("stock to begin with"), None, Some(0)));
        };
        // In packs, which are rounded to a millionth.
        let most = (stock - estimated) / (per_pack / MILLI) * (ONE / MILLI) + 2_000;
        let beyond = (opening - most).max(0);
        figures.push(Figure::qty(
            Row::Plan,
            about("packs to begin with beyond the stock"),
            Some(beyond),
            Some(0),
        ));
        let (mut left, mut apart, mut out) = (opening, 0, None);
        for (at, ((sold, brought), without)) in sold.iter().zip(&brought).zip(&without).enumerate() {
            left += brought - sold;
            apart = apart.max((left - without).abs());
            if left < -50 && out.is_none() {
                out = grid["dates"][at].as_str();
            }
        }
        let apart = if apart > 50 { apart } else { 0 };
        figures.push(Figure::qty(
            Row::Plan,
            about("packs without the order apart from the shelf"),
            Some(apart),
            Some(0),
        ));
        // It is said of the days before the truck after the one that the order is for.
        let next = line["nextDate"].as_str();
        let out = out.filter(|out| next.is_none_or(|next| *out < next));
        let same = line["outWithoutOrder"].as_str() == out;
        let about = about(&format!("running out on {out:?}, said as {}", line["outWithoutOrder"]));
        figures.push(Figure::of(Row::Plan, Measure::Number, about, (Some(i64::from(same)), Some(1))));
    }

    /// What Larder knows to be on the road to a store.
    pub(super) fn on_the_road(self, store: usize, root: usize) -> i64 {
        let trucks = self.truth.trucks.values().filter(|truck| truck.to == store);
        let packs = trucks.map(|truck| (truck.load.product, truck.on_the_road()));
        packs.map(|(product, packs)| self.root_units((product, root), packs)).sum()
    }

    /// What the kitchen granted a store and has still to send.
    pub(super) fn to_be_sent(self, store: usize, root: usize) -> i64 {
        let orders = self.truth.orders.values().filter(|order| order.store == store);
        let packs = orders.map(|order| (order.product, order.approved - order.sent - order.closed_short));
        packs.map(|(product, packs)| self.root_units((product, root), packs)).sum()
    }

    pub(super) fn root_units(self, (product, root): (usize, usize), packs: i64) -> i64 {
        let record = &self.truth.catalogue.products[product];
        if record.root == root { packs * record.per_pack } else { 0 }
    }

    /// Days before a day whose sales are not in Larder and that the last count does not include.
    pub(super) fn days_without_sales(self, store: usize, root: usize, day: usize) -> usize {
        let last = self.truth.last_counts(store, root, end_of(day)).1;
        let first = last.map_or(0, |last| day_of(last.at) + usize::from(last.session == Session::Closing));
        let is_known = |day: &usize| self.told(store, *day).next().is_some();
        // A day on which nothing was sold looks like one whose file is missing.
        let is_open = |day: &usize| !self.truth.catalogue.stores[store].is_closed(*day);
        (first..day).filter(|day| is_open(day) && !is_known(day)).count()
    }
}
