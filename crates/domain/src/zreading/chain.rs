//! The readings of one till in the order of their counters, and the gaps between them.

use serde::Serialize;

use super::{Basis, Figures, LAST_TOTAL, TOLERANCE, next_number, number_of, wrapped};
use crate::words::words;
use crate::{BusinessDay, Money};

words! {
    /// A gap or event between two readings of a till.
    #[serde(rename_all = "camelCase")]
    GapKind {
        /// Counters without a reading.
        Missing = "missing",
        /// Two readings with one counter.
        Doubled = "doubled",
        /// The till was reset: its grand total and counters restarted.
        Reset = "reset",
        /// The grand total passed its maximum and restarted.
        Wrapped = "wrapped",
        /// Invoices covered by no reading, or by two.
        Invoices = "invoices",
        /// The grand total does not continue from the previous one.
        Total = "total",
        /// A higher counter on an earlier day.
        Order = "order",
    }
}

/// A reading's data for the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub id: String,
    pub business_date: BusinessDay,
    pub figures: Figures,
}

/// A gap between two readings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReadingGap))]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    pub kind: GapKind,
    /// The reading at which it was found.
    pub id: String,
    /// The previous one; `None` if only one is concerned.
    pub before: Option<String>,
    /// Missing or duplicate counters, from … to.
    pub from: Option<i64>,
    pub to: Option<i64>,
    /// A message with both figures.
    pub words: String,
}

/// The gaps of a chain. `links` all have a counter, and are sorted by reset counter, Z counter, day.
#[must_use]
pub fn gaps(links: &[Link], basis: Basis) -> Vec<Gap> {
    let mut found = Vec::new();
    for (at, link) in links.iter().enumerate() {
        if at > 0 {
            between(&links[at - 1], link, &mut found);
        }
        if let (Some(previous), Some(sales)) = (link.figures.previous_total, link.figures.sales(basis))
            && wrapped(previous, sales)
        {
            let words = format!(
                "The grand total passed {} on {} and began again at {}.",
                LAST_TOTAL.pesos(),
                link.business_date.display(),
                link.figures.present_total.map_or_else(|| "nothing".to_owned(), Money::pesos),
            );
            found.push(Gap {
                kind: GapKind::Wrapped,
                id: link.id.clone(),
                before: None,
                from: None,
                to: None,
                words,
            });
        }
    }
    found
}

fn between(before: &Link, link: &Link, found: &mut Vec<Gap>) {
    let gap = |kind, range: Option<(i64, i64)>, words| Gap {
        kind,
        id: link.id.clone(),
        before: Some(before.id.clone()),
        from: range.map(|(from, _)| from),
        to: range.map(|(_, to)| to),
        words,
    };
    let (then, now) = (&before.figures, &link.figures);
    let (Some(last), Some(counter)) = (then.z_counter, now.z_counter) else { return };
    if now.reset_counter != then.reset_counter {
        let words = format!(
            "The till was reset before {}: reset counter {} after {}, Z counter {counter} after {last}.",
            link.business_date.display(),
            now.reset_counter,
            then.reset_counter,
        );
        found.push(gap(GapKind::Reset, None, words));
        return;
    }
    if counter == last {
        let words = format!(
            "Z counter {counter} is on two readings: of {} and of {}.",
            before.business_date.display(),
            link.business_date.display(),
        );
        found.push(gap(GapKind::Doubled, Some((counter, counter)), words));
        return;
    }
    if link.business_date < before.business_date {
        let words = format!(
            "Z counter {counter} is of {}, but {last} is of {}.",
            link.business_date.display(),
            before.business_date.display(),
        );
        found.push(gap(GapKind::Order, None, words));
    }
    if counter > last + 1 {
        let (from, to) = (last + 1, counter - 1);
        let which = if from == to {
            format!("Z counter {from} is")
        } else {
            format!("Z counters {from} to {to} are")
        };
        let words = format!(
            "{which} missing between {} and {}.",
            before.business_date.display(),
            link.business_date.display(),
        );
        found.push(gap(GapKind::Missing, Some((from, to)), words));
        return;
    }
    if let (Some(ended), Some(began)) = (then.present_total, now.previous_total)
        && (i128::from(ended.0) - i128::from(began.0)).abs() > i128::from(TOLERANCE.0)
    {
        let words = format!(
            "Z counter {last} ended at {}, but {counter} begins at {}.",
            ended.pesos(),
            began.pesos(),
        );
        found.push(gap(GapKind::Total, None, words));
    }
    let next = then.last_si.as_deref().and_then(next_number);
    if let (Some(next), Some(first)) = (next, now.first_si.as_deref().and_then(number_of))
        && next != first
    {
        let words = format!("Invoices go on at {first} on Z counter {counter}; {next} was next.");
        found.push(gap(GapKind::Invoices, None, words));
    }
}

/// What the next reading begins with, in a chain without gaps.
#[must_use]
pub fn expected_after(link: &Figures) -> (Option<i64>, Option<Money>, Option<i64>) {
    (
        link.z_counter.map(|counter| counter + 1),
        link.present_total,
        link.last_si.as_deref().and_then(next_number),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::zreading::grown;

    /// A till's readings day by day, each continuing from the previous one.
    fn chain(sales: &[i64], start: i64) -> Vec<Link> {
        let (mut total, mut invoice) = (Money(start), 1_i64);
        let mut links = Vec::new();
        for (at, sold) in sales.iter().enumerate() {
            let after = grown(total, Money(*sold));
            links.push(Link {
                id: format!("r{at}"),
                business_date: BusinessDay(20_000 + at as i32),
                figures: Figures {
                    z_counter: Some(at as i64 + 1),
                    previous_total: Some(total),
                    present_total: Some(after),
                    net: Some(Money(*sold)),
                    first_si: Some(format!("{invoice:08}")),
                    last_si: Some(format!("{:08}", invoice + 9)),
                    ..Figures::default()
                },
            });
            (total, invoice) = (after, invoice + 10);
        }
        links
    }

    fn kinds(links: &[Link]) -> Vec<GapKind> {
        gaps(links, Basis::Net).into_iter().map(|gap| gap.kind).collect()
    }

    proptest! {
        #[test]
        fn a_whole_chain_has_no_gap(sales in prop::collection::vec(0_i64..90_000_000, 1..40), start in 0_i64..900_000_000_000) {
            prop_assert_eq!(kinds(&chain(&sales, start)), vec![]);
        }

        #[test]
        fn every_removed_reading_is_missing(
            sales in prop::collection::vec(1_i64..90_000_000, 5..40), at in 1_usize..4, count in 1_usize..3,
        ) {
            let mut links = chain(&sales, 5);
            links.drain(at..(at + count).min(sales.len() - 1));
            let found = gaps(&links, Basis::Net);
            let missing: Vec<_> = found.iter().map(|gap| (gap.kind, gap.from)).collect();
            prop_assert_eq!(missing, vec![(GapKind::Missing, Some(at as i64 + 1))]);
        }
    }

    #[test]
    fn doubled_reset_and_wrapped_counters_are_named() {
        let mut links = chain(&[500, 600, 700], LAST_TOTAL.0 - 900);
        links.insert(1, Link { id: "again".into(), ..links[0].clone() });
        let mut anew = links[3].clone();
        anew.id = "anew".into();
        anew.business_date = anew.business_date.plus(1);
        anew.figures.reset_counter = 1;
        anew.figures.z_counter = Some(1);
        links.push(anew);
        let words: Vec<String> = gaps(&links, Basis::Net).into_iter().map(|gap| gap.words).collect();
        insta::assert_snapshot!(words.join("\n"));
    }

    #[test]
    fn totals_invoices_and_days_that_do_not_continue_are_named() {
        let mut links = chain(&[500, 600, 700], 0);
        links[1].figures.previous_total = Some(Money(700));
        links[1].figures.first_si = Some("00000013".into());
        links[2].business_date = links[0].business_date;
        assert_eq!(kinds(&links), [GapKind::Total, GapKind::Invoices, GapKind::Order]);
        let words = gaps(&links, Basis::Net).remove(0).words;
        assert_eq!(words, "Z counter 1 ended at ₱5.00, but 2 begins at ₱7.00.");
    }
}
