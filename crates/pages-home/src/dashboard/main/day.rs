//! Each store's day.

use larder_domain::{Action, BusinessDay, Span};

use super::model::{StoreOfDay, StoresOfDay};
use super::sales::Lately;
use crate::tasks::day_end;
use larder_ledgers::count_days;
use larder_ledgers::count_days::ComplianceState;
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Who};

/// Sales are due by noon of the next day.
const SALES_DUE_MS: i64 = 12 * 3_600_000;

/// The pages of a day that a user may open.
struct Pages {
    day: BusinessDay,
    import: bool,
    reports: bool,
    count: bool,
}

impl Pages {
    fn of(who: &Who, day: BusinessDay) -> Self {
        Self {
            day,
            import: who.can("tools/importSalesProduct", Action::View),
            reports: who.can("reports/reports", Action::View),
            count: who.can("stores/storeCount", Action::View),
        }
    }

    /// A store's day: the page to add its sales or its count where these are missing.
    fn of_store(&self, store: &str, has_sales: bool, count_missing: bool) -> Option<String> {
        let day = self.day;
        let count = format!("/stores/count?store={store}&date={day}");
        if count_missing && self.count && (has_sales || !self.import) {
            return Some(count);
        }
        if self.import && has_sales {
            let path = day.to_string().replace('-', "/");
            return Some(format!("/tools/import-sales-product/import/{store}/{path}"));
        }
        if self.import {
            return Some(format!("/tools/import-sales-product?storeIds={store}&from={day}&to={day}"));
        }
        if self.reports {
            return Some(format!("/reports/product-sales-by-store?from={day}&to={day}&stores={store}"));
        }
        self.count.then_some(count)
    }

    /// The day of all stores.
    fn of_all(&self) -> Option<String> {
        let day = self.day;
        if self.reports {
            return Some(format!("/reports/sales-comparison?from={day}&to={day}"));
        }
        self.import.then(|| format!("/tools/import-sales-product?from={day}&to={day}"))
    }
}

/// The stores of the day, with sales and counts as far as the user may see them.
pub(super) async fn stores(
    state: &AppState,
    who: &Who,
    lately: &Lately,
    with_sales: bool,
    with_counts: bool,
) -> ApiResult<StoresOfDay> {
    let day = lately.day;
    let pages = Pages::of(who, day);
    let mut found = StoresOfDay {
        day,
        with_sales,
        with_counts,
        sales_due: 0,
        sales_missing: 0,
        sales_late: day_end(day).plus_ms(SALES_DUE_MS) <= who.at,
        href: pages.of_all(),
        counts_due: 0,
        counts_missing: 0,
        stores: Vec::new(),
    };
    let ids = lately.ids();
    let known = match with_counts {
        true => {
            let stores = count_days::open_stores(&state.db, Some(&ids)).await?;
            let known = count_days::read(&state.db, &stores, Span { from: day, to: day }, who.at).await?;
            Some((stores, known))
        }
        false => None,
    };
    for store in lately.shown() {
        let counted = known.as_ref().and_then(|(stores, known)| {
            let of = stores.iter().find(|of| of.id == store.id)?;
            known.due(of, day).into_iter().map(|one| one.state).max_by_key(|state| worse(*state))
        });
        let net = lately.net(&store.id, day);
        let has_sales = net.is_some();
        let net = net.filter(|_| with_sales);
        let is_open = lately.is_open(&store.id);
        found.sales_due += i64::from(with_sales && is_open);
        found.sales_missing += i64::from(with_sales && is_open && net.is_none());
        found.counts_due += i64::from(counted.is_some());
        let count_missing = matches!(counted, Some(ComplianceState::Missing | ComplianceState::Partial));
        found.counts_missing += i64::from(count_missing);
        found.stores.push(StoreOfDay {
            before: lately.before(&store.id).filter(|_| net.is_some()),
            id: store.id.clone(),
            name: store.name.clone(),
            code: store.code.clone(),
            closed: !is_open,
            net,
            counted,
            href: pages.of_store(&store.id, has_sales, count_missing),
        });
    }
    Ok(found)
}

/// Rank of a count's state; the worse of two counts per day is shown.
const fn worse(state: ComplianceState) -> u8 {
    match state {
        ComplianceState::Done => 0,
        ComplianceState::Open => 1,
        ComplianceState::Late => 2,
        ComplianceState::Partial => 3,
        ComplianceState::Missing => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_leads_to_its_day() {
        let day = BusinessDay::from_ymd(2026, 11, 5).expect("a day");
        let pages = |import, reports, count| Pages { day, import, reports, count };
        let sold = "/tools/import-sales-product/import/s1/2026/11/05";
        let import = "/tools/import-sales-product?storeIds=s1&from=2026-11-05&to=2026-11-05";
        let report = "/reports/product-sales-by-store?from=2026-11-05&to=2026-11-05&stores=s1";
        let count = "/stores/count?store=s1&date=2026-11-05";
        for (pages, has_sales, count_missing, expected) in [
            (pages(true, true, true), false, true, Some(import)),
            (pages(true, true, true), true, true, Some(count)),
            (pages(true, true, true), true, false, Some(sold)),
            (pages(false, true, true), false, true, Some(count)),
            (pages(false, true, true), true, false, Some(report)),
            (pages(false, false, true), false, false, Some(count)),
            (pages(false, false, false), true, true, None),
        ] {
            assert_eq!(pages.of_store("s1", has_sales, count_missing).as_deref(), expected);
        }
    }
}
