//! What the pages say, beside what is true.
//!
//! Each function asks one page and returns its figures.

mod cash;
mod figure;
mod home;
mod lots;
mod made;
mod month;
mod plan;
mod sales;
mod stock;
mod supply;

use serde_json::Value;

pub use figure::{Figure, Measure, Row};
pub use home::home;

use crate::catalogue::Product;
use crate::client::{Client, Done, failed};
use crate::staff::Staff;
use crate::truth::{Receipt, Truth};

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
            if wanted(&[Row::Days, Row::Month]) {
                self.month(store, day, &mut figures).await?;
            }
            if wanted(&[Row::Sales, Row::Tenders, Row::Readings, Row::Money]) {
                // A day whose file came late is read again then.
                for sold_on in day.saturating_sub(2)..=day {
                    self.sales(store, sold_on, &mut figures).await?;
                    self.tenders(store, sold_on, &mut figures).await?;
                }
            }
        }
        if wanted(&[Row::Sales]) {
            self.stores_of_home(day, &mut figures).await?;
        }
        if wanted(&[Row::Kitchen, Row::Orders]) {
            self.kitchen(day, &mut figures).await?;
            self.orders(day, &mut figures).await?;
            self.matrix(day, &mut figures).await?;
        }
        if wanted(&[Row::Made]) {
            self.made(day, &mut figures).await?;
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

    /// The products that are not merged into another.
    fn products(self) -> impl Iterator<Item = (usize, &'a Product)> {
        let all = self.truth.catalogue.products.iter().enumerate();
        all.filter(move |(product, _)| self.truth.now(*product) == *product)
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
