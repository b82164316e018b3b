//! Each store's day.

use larder_domain::Span;

use super::model::{StoreOfDay, StoresOfDay};
use super::sales::Lately;
use larder_ledgers::count_days;
use larder_ledgers::count_days::ComplianceState;
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Who};

/// The stores of the day, with sales and counts as far as the user may see them.
pub(super) async fn stores(
    state: &AppState,
    who: &Who,
    lately: &Lately,
    with_sales: bool,
    with_counts: bool,
) -> ApiResult<StoresOfDay> {
    let day = lately.day;
    let mut found = StoresOfDay {
        day,
        with_sales,
        with_counts,
        sales_due: 0,
        sales_missing: 0,
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
        let net = lately.net(&store.id, day).filter(|_| with_sales);
        let is_open = lately.is_open(&store.id);
        found.sales_due += i64::from(with_sales && is_open);
        found.sales_missing += i64::from(with_sales && is_open && net.is_none());
        found.counts_due += i64::from(counted.is_some());
        found.counts_missing +=
            i64::from(matches!(counted, Some(ComplianceState::Missing | ComplianceState::Partial)));
        found.stores.push(StoreOfDay {
            before: lately.before(&store.id).filter(|_| net.is_some()),
            id: store.id.clone(),
            name: store.name.clone(),
            code: store.code.clone(),
            closed: !is_open,
            net,
            counted,
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
