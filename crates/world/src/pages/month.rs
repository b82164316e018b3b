//! Which days are complete, and the month's end: calendar, NetSuite and the monthly report say the same of each day.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Figure, Measure, Reader, Row, find};
use crate::client::Done;
use crate::quantity::read_money;

/// Days before an evening whose completeness is asked: a file or a reading that comes late changes an earlier day.
const ASKED: usize = 20;

impl Reader<'_> {
    /// The tills of the last days, as four pages tell them, and what their readings come to.
    pub(super) async fn month(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
        let first = day.saturating_sub(ASKED);
        let (id, calendar) = (&self.staff.ids.stores[store], &self.staff.calendar);
        let range = format!("from={}&to={}&storeIds={id}", calendar.date(first), calendar.date(day));
        let readings = self.get(&format!("/api/sales/z-reading/calendar?{range}")).await?;
        let readings = &find(&readings["stores"], "storeId", id)["days"];
        let netsuite = self.get(&format!("/api/sales/netsuite?{range}&layout=cashSale")).await?;
        let months: BTreeSet<String> = (first..=day).map(|day| calendar.date(day)[..7].to_owned()).collect();
        let mut certified = Vec::new();
        for month in months {
            let page = self.get(&format!("/api/sales/cmsr?storeId={id}&month={month}")).await?;
            certified.extend(page["content"]["days"].as_array().cloned().unwrap_or_default());
        }
        let certified = Value::Array(certified);
        for of in first..=day {
            let date = calendar.date(of);
            let page = (find(readings, "date", &date), find(&netsuite["items"], "date", &date));
            self.day_of_month((store, of, day), (page.0, page.1, find(&certified, "date", &date)), figures);
        }
        Ok(())
    }

    fn day_of_month(
        self,
        (store, of, today): (usize, usize, usize),
        (reading, netsuite, certified): (&Value, &Value, &Value),
        figures: &mut Vec<Figure>,
    ) {
        let owed = self.truth.owed(store, of, today);
        let number = |number: usize| i64::try_from(number).ok();
        let (settled, expected) = owed.counts();
        let net: i64 = self.truth.read_on(store, of).map(crate::truth::Reading::net).sum();
        let mut days = |what: &str, said: Option<i64>, truth: Option<i64>| {
            let about = format!("{what} at {}", self.on(store, of));
            figures.push(Figure::of(Row::Days, Measure::Number, about, (said, truth)));
        };
        // The calendar misses nothing on a day that is not over.
        let missing = if of < today { owed.missing.len() } else { 0 };
        days("missing readings", reading["missing"].as_i64(), number(missing));
        days("verified readings", reading["verified"].as_i64(), number(settled));
        let tills = |page: &Value, field: &str| page[field].as_i64();
        days("tills with a reading in the calendar", tills(&reading["tills"], "settled"), number(settled));
        days("expected tills in the calendar", tills(&reading["tills"], "expected"), number(expected));
        days("tills with a reading in the monthly report", tills(certified, "settled"), number(settled));
        days("expected tills in the monthly report", tills(certified, "expected"), number(expected));
        // A day of which nothing is known is not there to be exported.
        if !netsuite.is_null() || expected > 0 {
            days("tills with a reading for NetSuite", tills(&netsuite["tills"], "settled"), number(settled));
            days("expected tills for NetSuite", tills(&netsuite["tills"], "expected"), number(expected));
        }
        let mut money = |what: &str, said: Option<i64>| {
            let about = format!("{what} of {}", self.on(store, of));
            figures.push(Figure::money(Row::Month, about, said, Some(net)));
        };
        money("the calendar’s net sales", read_money(&reading["net"]));
        money("the monthly report’s net sales", read_money(&certified["figures"]["net"]));
        if settled > 0 {
            money("NetSuite’s total", read_money(&netsuite["total"]));
        }
    }
}
