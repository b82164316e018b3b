//! What the pages say, beside what is true.
//!
//! Each function asks one page and returns its figures. A figure that today's Larder is known to get wrong names the
//! reason in [`KNOWN`]; it is counted, and the run fails when the reason no longer occurs.

use serde_json::Value;

use crate::calendar::day_of;
use crate::catalogue::Product;
use crate::client::{Client, Done, failed};
use crate::days::{CASH, TENDERS};
use crate::quantity::{ONE, money, qty, read_money, read_qty, round, worth};
use crate::staff::{ORDERS, Staff};
use crate::truth::{Kind, Lot, Receipt, Session, Truck, Truth, end_of};

/// A thousandth of a unit: all contents of packs are multiples of it.
const MILLI: i64 = ONE / 1_000;

/// A row of the table of what pages must agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// Stock per root item and store, as of complete sales.
    Stock,
    /// Expected at the count, and the variance in quantity and pesos.
    Variance,
    /// What a store received, sent on, threw away and used on a day.
    Movement,
    /// What is on the road.
    InTransit,
    /// What the kitchen has.
    Kitchen,
    /// What was ordered, granted, sent and received.
    Orders,
    /// Lots at stores.
    Lots,
    /// Which stores have a recalled lot.
    Recalls,
    /// Sales and tickets by till and day.
    Sales,
    /// Sales by tender and day.
    Tenders,
    /// What the sold items were, and what they used.
    Usage,
    /// Food cost by recipes.
    FoodCost,
    /// Readings: tills without one, and their money.
    Readings,
    /// Declared and deposited money.
    Money,
    /// Home, the bell, and the lists behind them, of the whole server.
    Home,
    /// The plan: what it starts from, what comes, and when it runs out.
    Plan,
    /// What the staff could not do.
    Staff,
}

impl Row {
    /// Its name in a report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Variance => "variance",
            Self::Movement => "movement",
            Self::InTransit => "in transit",
            Self::Kitchen => "kitchen",
            Self::Orders => "orders",
            Self::Lots => "lots",
            Self::Recalls => "recalls",
            Self::Sales => "sales",
            Self::Tenders => "tenders",
            Self::Usage => "usage",
            Self::FoodCost => "food cost",
            Self::Readings => "readings",
            Self::Money => "money",
            Self::Home => "home",
            Self::Plan => "plan",
            Self::Staff => "staff",
        }
    }
}

/// A reason for which pages are known to differ from the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Packs that did not arrive, as long as nobody says what became of them.
    Undecided,
    /// A sum of amounts of which each was rounded.
    Rounding,
    /// Which tills a reading is expected of.
    ExpectedTills,
}

/// The known differences: take a reason out when its pages are mended.
pub const KNOWN: &[(Reason, &str)] = &[
    (
        Reason::Undecided,
        "Shipments in transit leave out packs that did not arrive and are undecided; the inventory counts them.",
    ),
    (Reason::Rounding, "Food cost adds up amounts that were rounded for each root item."),
    (
        Reason::ExpectedTills,
        "The calendar misses readings of each day between a till's readings, not of each day with its sales.",
    ),
];

/// What a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Millionths of a unit.
    Quantity,
    /// Centavos.
    Money,
    /// A number of things.
    Number,
}

/// A figure of a page, and the truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    pub row: Row,
    pub measure: Measure,
    /// What it is of: «on hand of Rice at Cubao, day 3».
    pub about: String,
    /// As the page says; `None` if it says nothing.
    pub said: Option<i64>,
    pub truth: Option<i64>,
    /// Why it may differ.
    pub known: Option<Reason>,
}

impl Figure {
    fn of(row: Row, measure: Measure, about: String, (said, truth): (Option<i64>, Option<i64>)) -> Self {
        Self { row, measure, about, said, truth, known: None }
    }

    fn qty(row: Row, about: String, said: Option<i64>, truth: Option<i64>) -> Self {
        Self::of(row, Measure::Quantity, about, (said, truth))
    }

    fn money(row: Row, about: String, said: Option<i64>, truth: Option<i64>) -> Self {
        Self::of(row, Measure::Money, about + " in pesos", (said, truth))
    }

    /// Whether the page differs from the truth.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.said != self.truth
    }

    /// The difference in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        let text = |figure: Option<i64>| match (figure, self.measure) {
            (None, _) => "nothing".to_owned(),
            (Some(figure), Measure::Quantity) => qty(figure).to_string(),
            (Some(figure), Measure::Money) => format!("₱{}", money(figure)),
            (Some(figure), Measure::Number) => figure.to_string(),
        };
        let (said, truth) = (text(self.said), text(self.truth));
        format!("{}: the page says {said} for {}; it must be {truth}.", self.row.name(), self.about)
    }
}

/// Tiles of Home that link to a list: the tile, and what differs in the list's query to the server.
const LISTS: [(&str, [(&str, &str); 2]); 5] = [
    ("onTheWay", [("/stores/receive", "/stores/receive/expected"), ("", "")]),
    ("ordersToApprove", [("", ""); 2]),
    ("receiptDifferences", [("", ""); 2]),
    ("recalls", [("only=recalled", "recalled=true"), ("", "")]),
    ("cashMissing", [("kind=", "kinds="), ("", "")]),
];

/// Home of the whole server, and what its tiles link to.
///
/// # Errors
/// If a page does not answer.
pub async fn home(client: &Client) -> Done<Vec<Figure>> {
    let mut figures = Vec::new();
    let home = client.get("/api/dashboard/main").await?.expect(200)?;
    let bell = client.get("/api/notifications").await?.expect(200)?;
    let bell = list(&bell["items"])?;
    for (tile, changes) in LISTS {
        let waiting = &find(&home["tiles"], "name", tile)["waiting"];
        let (Some(count), Some(href)) = (waiting["count"].as_i64(), waiting["href"].as_str()) else {
            continue;
        };
        let query =
            changes.iter().fold(
                href.to_owned(),
                |href, (from, to)| {
                    if from.is_empty() { href } else { href.replace(from, to) }
                },
            );
        let page = client.get(&format!("/api{query}")).await?.expect(200)?;
        let rows = page["items"].as_array().and_then(|items| i64::try_from(items.len()).ok());
        let listed = page["total"].as_i64().or(rows);
        let about = format!("{tile} on Home, and its list {href}");
        figures.push(Figure::of(Row::Home, Measure::Number, about, (Some(count), listed)));
        let rung = bell.iter().filter(|item| item["kind"] == tile).count();
        // Only what always rings, one by one, is in the bell as often as on Home; the bell ends at 200.
        if ["recalls", "receiptDifferences", "ordersToApprove"].contains(&tile) && bell.len() < 200 {
            let about = format!("{tile} in the bell, and on Home");
            let rung = i64::try_from(rung).ok();
            figures.push(Figure::of(Row::Home, Measure::Number, about, (rung, Some(count))));
        }
    }
    Ok(figures)
}

/// A group whose pages are read.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub client: &'a Client,
    pub truth: &'a Truth,
    pub staff: &'a Staff,
}

impl<'a> Reader<'a> {
    /// All figures at the end of a day, or those of one row.
    ///
    /// # Errors
    /// If a page does not answer.
    pub async fn read(self, day: usize, only: Option<Row>) -> Done<Vec<Figure>> {
        let mut figures = Vec::new();
        let wanted = |rows: &[Row]| only.is_none_or(|only| only == Row::Staff || rows.contains(&only));
        let plans = wanted(&[Row::Plan]) && day % 5 == 4;
        if plans {
            self.staff.plan(self.client).await?;
        }
        for store in 0..self.staff.ids.stores.len() {
            let days = self.truth.days_to_ask(store, day);
            for day in &days {
                if wanted(&[Row::Stock, Row::Variance]) {
                    self.inventory(store, *day, &mut figures).await?;
                }
                if wanted(&[Row::Movement]) {
                    self.movement(store, *day, &mut figures).await?;
                }
                if wanted(&[Row::Usage]) {
                    self.usage(store, *day, &mut figures).await?;
                }
            }
            if let Some(complete) = days.last().filter(|_| wanted(&[Row::FoodCost])) {
                self.food_cost(store, *complete, &mut figures).await?;
            }
            if plans {
                self.plan(store, day, &mut figures).await?;
            }
            if wanted(&[Row::InTransit]) {
                self.in_transit(store, &mut figures).await?;
            }
            if wanted(&[Row::Lots]) {
                self.lots(store, day, &mut figures).await?;
            }
            if wanted(&[Row::Recalls]) {
                self.recalls(store, &mut figures).await?;
            }
            if wanted(&[Row::Sales, Row::Tenders, Row::Readings, Row::Money]) {
                // A day whose file came late is read again then.
                for sold_on in day.saturating_sub(2)..=day {
                    self.sales(store, sold_on, &mut figures).await?;
                    self.tenders(store, sold_on, &mut figures).await?;
                    self.readings(store, sold_on, &mut figures).await?;
                }
            }
        }
        if wanted(&[Row::Kitchen, Row::Orders]) {
            self.kitchen(&mut figures).await?;
            self.orders(day, &mut figures).await?;
            self.matrix(day, &mut figures).await?;
        }
        figures.retain(|figure| wanted(&[figure.row]));
        Ok(figures)
    }

    fn store(self, store: usize) -> &'static str {
        self.truth.catalogue.stores[store].name
    }

    /// «Cubao, day 3».
    fn on(self, store: usize, day: usize) -> String {
        format!("{}, day {}", self.store(store), day + 1)
    }

    async fn get(self, path: &str) -> Done<Value> {
        self.client.get(path).await?.expect(200)
    }

    /// The store inventory by root items, at the end of a day.
    async fn inventory(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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
            let pesos = variance.map(|variance| worth(variance, record.price));
            figures.extend([
                Figure::qty(Row::Variance, about("expected"), read_qty(&row["expected"]), expected),
                Figure::qty(Row::Variance, about("variance"), read_qty(&row["variance"]), variance),
                Figure::money(Row::Variance, about("variance"), read_money(&row["varianceValue"]), pesos),
            ]);
        }
        Ok(())
    }

    /// Root item movement of a day.
    async fn movement(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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

    /// What is on its way to a store: shipments, and the inventory's column.
    async fn in_transit(self, store: usize, figures: &mut Vec<Figure>) -> Done<()> {
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
            let undecided = trucks.clone().any(|truck| truck.received && !truck.settled);
            let packs: i64 = trucks.map(Truck::on_the_road).sum();
            by_root[record.root] += packs * record.per_pack;
            let about = format!("{} on its way to {}", record.name, self.store(store));
            let figure = Figure::qty(Row::InTransit, about, said, Some(packs * ONE));
            figures.push(Figure { known: undecided.then_some(Reason::Undecided), ..figure });
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
    async fn kitchen(self, figures: &mut Vec<Figure>) -> Done<()> {
        let ids = &self.staff.ids;
        for (product, record) in self.products() {
            let page = self.get(&format!("/api/products/{}/stock", ids.products[product])).await?;
            let row = find(&page["places"], "placeId", &ids.kitchen);
            let truth = self.truth.kitchen[product] * ONE;
            let about = format!("{} at the kitchen", record.name);
            figures.push(Figure::qty(Row::Kitchen, about, read_qty(&row["qty"]), Some(truth)));
        }
        Ok(())
    }

    /// What the kitchen still has to send by the next day, product by product.
    async fn matrix(self, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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

    /// The plan of a store: its stock, what comes, and the world run on without an order, with the forecast as demand.
    async fn plan(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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
    fn run_on(
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

    /// The products that are not merged into another.
    fn products(self) -> impl Iterator<Item = (usize, &'a Product)> {
        let all = self.truth.catalogue.products.iter().enumerate();
        all.filter(move |(product, _)| self.truth.now(*product) == *product)
    }

    /// What Larder knows to be on the road to a store.
    fn on_the_road(self, store: usize, root: usize) -> i64 {
        let trucks = self.truth.trucks.values().filter(|truck| truck.to == store);
        let packs = trucks.map(|truck| (truck.load.product, truck.on_the_road()));
        packs.map(|(product, packs)| self.root_units((product, root), packs)).sum()
    }

    /// What the kitchen granted a store and has still to send.
    fn to_be_sent(self, store: usize, root: usize) -> i64 {
        let orders = self.truth.orders.values().filter(|order| order.store == store);
        let packs = orders.map(|order| (order.product, order.approved - order.sent - order.closed_short));
        packs.map(|(product, packs)| self.root_units((product, root), packs)).sum()
    }

    fn root_units(self, (product, root): (usize, usize), packs: i64) -> i64 {
        let record = &self.truth.catalogue.products[product];
        if record.root == root { packs * record.per_pack } else { 0 }
    }

    /// Days before a day whose sales are not in Larder and that the last count does not include.
    fn days_without_sales(self, store: usize, root: usize, day: usize) -> usize {
        let last = self.truth.last_counts(store, root, end_of(day)).1;
        let first = last.map_or(0, |last| day_of(last.at) + usize::from(last.session == Session::Closing));
        let is_known = |day: &usize| self.told(store, *day).next().is_some();
        // A day on which nothing was sold looks like one whose file is missing.
        let is_open = |day: &usize| !self.truth.catalogue.stores[store].is_closed(*day);
        (first..day).filter(|day| is_open(day) && !is_known(day)).count()
    }

    /// The matrix's figures of each order that has something to send.
    fn cells(self, page: &Value, figures: &mut Vec<Figure>) {
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
    async fn orders(self, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        for (number, order) in &self.truth.orders {
            let truck = self.truth.trucks.get(number);
            let is_old = truck.is_some_and(|truck| day_of(truck.left.0) + 4 < day);
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

    /// Lots at a store: how much more of them is there than Larder says at most, and how much less than it says at
    /// least. What documents and counts got wrong is allowed for.
    async fn lots(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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
    async fn recalls(self, store: usize, figures: &mut Vec<Figure>) -> Done<()> {
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
            let there: i64 =
                self.truth.lots(store, root).filter(|(lot, _)| is_it(lot)).map(|(_, qty)| qty).sum();
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

    /// Sales and receipts of a day by till.
    async fn sales(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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
        }
        Ok(())
    }

    /// How many tills have a verified reading of a day, how many have none, and what the readings come to.
    async fn readings(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, date) = (&self.staff.ids, self.staff.calendar.date(day));
        let range = format!("from={date}&to={date}&storeIds={}", ids.stores[store]);
        let page = self.get(&format!("/api/sales/z-reading/calendar?{range}")).await?;
        let row = &find(&page["stores"], "storeId", &ids.stores[store])["days"][0];
        let told = || {
            let readings = self.truth.readings.iter();
            readings.filter(move |reading| (reading.store, reading.day) == (store, day) && reading.told)
        };
        let tills = 0..self.truth.catalogue.stores[store].tills.len();
        let has_none = |till: &usize| {
            let sold = self.told(store, day).any(|receipt| receipt.till == *till);
            sold && !told().any(|reading| reading.till == *till)
        };
        let missing = i64::try_from(tills.filter(has_none).count()).ok();
        let verified = i64::try_from(told().count()).ok();
        // A store without readings has no row.
        let number = |field: &str| if row.is_null() { Some(0) } else { row[field].as_i64() };
        for (field, truth) in [("missing", missing), ("verified", verified)] {
            let about = format!("{field} readings at {}", self.on(store, day));
            let figure = Figure::of(Row::Readings, Measure::Number, about, (number(field), truth));
            let known = (field == "missing").then_some(Reason::ExpectedTills);
            figures.push(Figure { known, ..figure });
        }
        let net = if row.is_null() { Some(0) } else { read_money(&row["net"]) };
        let about = format!("readings at {}", self.on(store, day));
        let truth = told().map(|reading| reading.net()).sum();
        figures.push(Figure::money(Row::Readings, about, net, Some(truth)));
        Ok(())
    }

    /// What was sold on a day, item by item, and the root items in it.
    async fn usage(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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

    /// Food cost of the last seven days by recipes, at the root items' prices. It is rounded once.
    async fn food_cost(self, store: usize, until: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let ids = &self.staff.ids;
        let days = until.saturating_sub(6)..=until;
        let (from, to) = (self.staff.calendar.date(*days.start()), self.staff.calendar.date(until));
        let page =
            format!("/api/reports/food-cost?from={from}&to={to}&storeIds={}&by=store", ids.stores[store]);
        let page = self.get(&page).await?;
        let row = find(&page["items"], "id", &ids.stores[store]);
        let (mut net, mut exact, mut rounded) = (0, 0i128, 0);
        for (root, record) in self.truth.catalogue.roots.iter().enumerate() {
            let used = |day: usize| -self.truth.told_on(store, root, day, Kind::Sold);
            let used: i64 = days.clone().map(used).sum();
            exact += i128::from(used) * i128::from(record.price);
            rounded += worth(used, record.price);
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
        let figure = Figure::money(Row::FoodCost, about("food cost"), said, Some(cost));
        figures.push(Figure { known: (cost != rounded).then_some(Reason::Rounding), ..figure });
        Ok(())
    }

    /// Money of a day by tender: sold, read, declared, deposited.
    async fn tenders(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let (ids, date) = (&self.staff.ids, self.staff.calendar.date(day));
        let range = format!("from={date}&to={date}&storeIds={}", ids.stores[store]);
        let page = self.get(&format!("/api/sales/tender-report?{range}")).await?;
        for (tender, (name, kind)) in TENDERS.iter().enumerate() {
            let row = find(&page["items"], "kind", kind);
            let told = self.told(store, day).filter(|receipt| receipt.tender == tender);
            let sold = told.map(|receipt| receipt.net).sum();
            let readings = self.truth.readings.iter();
            let readings =
                readings.filter(|reading| (reading.store, reading.day) == (store, day) && reading.told);
            let read = readings.map(|reading| reading.paid[tender]).sum();
            let money = self.truth.money.get(&(store, day)).copied().unwrap_or_default();
            let deposited = if tender == CASH { money.deposited } else { 0 };
            for (of, field, truth) in [
                (Row::Tenders, "pos", sold),
                (Row::Readings, "z", read),
                (Row::Money, "declared", money.declared[tender]),
                (Row::Money, "deposited", deposited),
            ] {
                let said = if row[field].is_null() { Some(0) } else { read_money(&row[field]) };
                let about = format!("{field} of {name} at {}", self.on(store, day));
                figures.push(Figure::money(of, about, said, Some(truth)));
            }
        }
        Ok(())
    }
}

impl<'a> Reader<'a> {
    /// The receipts of a day that are in Larder.
    fn told(self, store: usize, day: usize) -> impl Iterator<Item = &'a Receipt> {
        self.truth.receipts_of(store, day).filter(|receipt| receipt.told)
    }
}

fn list(value: &Value) -> Done<&Vec<Value>> {
    match value.as_array() {
        Some(list) => Ok(list),
        None => failed(format!("A page has no list: {value}")),
    }
}

/// The row whose field has this text; null if there is none.
fn find<'a>(rows: &'a Value, field: &str, text: &str) -> &'a Value {
    let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().find(|row| row[field] == text).unwrap_or(&Value::Null)
}
