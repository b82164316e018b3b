//! Tills' readings, and money by tender.

use super::{Figure, Measure, Reader, Reason, Row, find};
use crate::client::Done;
use crate::days::{CASH, TENDERS};
use crate::quantity::read_money;

impl Reader<'_> {
    /// Money of a day by tender: sold, read, declared, deposited.
    pub(super) async fn tenders(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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

    /// How many tills have a verified reading of a day, how many have none, and what the readings come to.
    pub(super) async fn readings(self, store: usize, day: usize, figures: &mut Vec<Figure>) -> Done<()> {
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
}
