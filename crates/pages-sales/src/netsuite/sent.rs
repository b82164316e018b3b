//! What of a store's day went to NetSuite, in any layout: one record of it may count.

use std::collections::HashMap;

use larder_domain::BusinessDay;
use larder_domain::netsuite::Layout;

use super::model::{NetsuiteSent, NetsuiteWithdrawal};
use super::queries::Sent;

/// The records of a store's day, oldest first. Days from before a day could go only once may have several that count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DayRecords(Vec<Sent>);

/// Records by store and day.
pub(super) type ByDay = HashMap<(String, BusinessDay), DayRecords>;

/// Groups records, which must be sorted oldest first.
pub(super) fn by_day(found: Vec<Sent>) -> ByDay {
    let mut days = ByDay::new();
    for one in found {
        days.entry((one.store_id.clone(), one.business_date)).or_default().0.push(one);
    }
    days
}

impl DayRecords {
    /// The record of a layout, withdrawn or not.
    pub fn of(&self, layout: Layout) -> Option<&Sent> {
        self.0.iter().find(|one| one.layout == layout.as_str())
    }

    /// The records that count: those not withdrawn.
    pub fn current(&self) -> impl Iterator<Item = &Sent> {
        self.0.iter().filter(|one| one.withdrawn_at.is_none())
    }

    /// Whether one counts.
    pub fn any(&self) -> bool {
        self.current().next().is_some()
    }

    /// The record of a layout, if it counts.
    pub fn current_of(&self, layout: Layout) -> Option<&Sent> {
        self.of(layout).filter(|one| one.withdrawn_at.is_none())
    }

    /// Why the day cannot be exported in a layout: it went in another one.
    pub fn reason(&self, layout: Layout) -> Option<String> {
        let went: Vec<String> = self.current().map(went).collect();
        match went.as_slice() {
            [] => None,
            [_] if self.current_of(layout).is_some() => None,
            [one] => Some(format!("Went out {one}. Withdraw it first.")),
            [one, other] => Some(format!("Went out {one} and {other}. Withdraw one.")),
            [most @ .., last] => {
                Some(format!("Went out {} and {last}. Withdraw all but one.", most.join(", ")))
            }
        }
    }

    /// As a response, those that count first.
    pub fn wire(&self) -> Vec<NetsuiteSent> {
        let withdrawn = self.0.iter().filter(|one| one.withdrawn_at.is_some());
        self.current().chain(withdrawn).map(wire).collect()
    }
}

/// «as Cash Sale (CS-MKT-20250201) on 3 Feb 2025».
fn went(one: &Sent) -> String {
    let day = BusinessDay::of(one.exported_at).display();
    format!("as {} ({}) on {day}", layout(one).title(), one.external_id)
}

fn layout(one: &Sent) -> Layout {
    Layout::parse(&one.layout).unwrap_or_default()
}

fn wire(one: &Sent) -> NetsuiteSent {
    NetsuiteSent {
        layout: layout(one),
        external_id: one.external_id.clone(),
        state: one.state.clone(),
        exported_at: one.exported_at,
        withdrawn: one.withdrawn_at.map(|at| NetsuiteWithdrawal {
            at,
            by: one.withdrawn_by.as_ref().map(|by| by.name.clone()).unwrap_or_default(),
            reason: one.withdraw_reason.clone().unwrap_or_default(),
        }),
    }
}
