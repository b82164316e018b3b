//! Which sources of a day count, if several report the same sales.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::Money;
use larder_domain::sales::sources::{Sources, TillSales};

use crate::imported_sales::Imported;

/// The sales that count.
#[derive(Debug, Default)]
pub(super) struct Counted {
    /// Their net; `None` without sales.
    pub sold: Option<Money>,
    /// The tills they name.
    pub tills: BTreeSet<String>,
    /// Whether some name no till.
    pub nameless: bool,
    /// The net of tills that print readings; `None` without such sales.
    pub printed: Option<Money>,
}

impl Imported {
    /// Those that count: of sources that report the same till, the one that is not left out; of a day not settled yet the
    /// one that a user chose, else the one that matches the verified readings (`read`, by till), else the one with the
    /// highest sales. A source without tills is of all of them. `prints` says whether a till prints readings.
    pub(super) fn counted(
        &self,
        read: &BTreeMap<String, Money>,
        (chosen, left_out): (Option<&str>, &BTreeSet<String>),
        prints: impl Fn(&str) -> bool,
    ) -> Counted {
        let mut rows = self.rows();
        let sources = Sources::settled(&rows, read, chosen, left_out);
        rows.retain(|row| sources.counts(&row.source));
        let net = |rows: &[&TillSales]| {
            let net = rows.iter().map(|row| row.net.0).fold(0, i64::saturating_add);
            (!rows.is_empty()).then_some(Money(net))
        };
        let printed: Vec<&TillSales> = rows.iter().filter(|row| prints(&row.terminal)).collect();
        Counted {
            printed: net(&printed),
            sold: net(&rows.iter().collect::<Vec<_>>()),
            nameless: rows.iter().any(|row| row.terminal.is_empty()),
            tills: rows.into_iter().map(|row| row.terminal).filter(|till| !till.is_empty()).collect(),
        }
    }
}
