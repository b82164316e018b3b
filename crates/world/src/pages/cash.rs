//! Money by tender.

use super::{Figure, Reader, Row, find};
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
}
