//! Decides which sources of a store-day count where several report the same till: each till's sales count once.

use std::collections::{BTreeMap, BTreeSet};

use crate::Money;
use crate::zreading::TOLERANCE;

/// A source's report of a till on a store-day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TillSales {
    /// `file`, `api`, `w3p` …
    pub source: String,
    /// Empty if the source names no till: it then covers all of them.
    pub terminal: String,
    pub net: Money,
    /// Figures that must be equal for two sources to agree, in an order chosen by the caller.
    pub figures: Vec<i64>,
}

/// Sources of the same sales.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubled {
    /// Sorted by name.
    pub sources: Vec<String>,
    /// The one that counts.
    pub counted: String,
    /// Why it counts.
    pub settled: Settled,
}

/// How certain the choice of source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// A user chose it.
    Chosen,
    /// Its net sales match the verified readings.
    AsRead,
    /// All of them agree.
    Alike,
    /// None of these: a user must choose.
    Open,
}

/// The sources of a store-day, split into those that count and those that duplicate them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// Sources of the same sales; empty if there are none.
    pub doubled: Vec<Doubled>,
    left: BTreeSet<String>,
}

impl Sources {
    /// Whether a source's sales count.
    #[must_use]
    pub fn counts(&self, source: &str) -> bool {
        !self.left.contains(source)
    }

    /// Whether a user must choose the source that counts.
    #[must_use]
    pub fn open(&self) -> bool {
        self.doubled.iter().any(|one| one.settled == Settled::Open)
    }

    /// Splits the sources of a store-day. Sources that share a till, or of which one names no till, report the same
    /// sales; of these one counts: the one a user `chose`, else the one whose net sales match the verified readings
    /// (`read`, by till), else the one with the highest sales.
    #[must_use]
    pub fn of(rows: &[TillSales], read: &BTreeMap<String, Money>, chosen: Option<&str>) -> Self {
        Self::settled(rows, read, chosen, &BTreeSet::new())
    }

    /// As [`Sources::of`], for a store-day of which is known which sources were `left_out`: of the same sales one of the
    /// others counts. Those left out count where none of the others reports these figures.
    #[must_use]
    pub fn settled(
        rows: &[TillSales],
        read: &BTreeMap<String, Money>,
        chosen: Option<&str>,
        left_out: &BTreeSet<String>,
    ) -> Self {
        let mut by_source: BTreeMap<&str, SourceSales<'_>> = BTreeMap::new();
        // A source without amounts duplicates nothing.
        for row in rows.iter().filter(|row| row.net != Money(0) || row.figures.iter().any(|one| *one != 0)) {
            by_source.entry(&row.source).or_default().add(row);
        }
        let mut groups: Vec<Vec<(&str, SourceSales<'_>)>> = Vec::new();
        for (source, sales) in by_source {
            let (same, apart): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| group.iter().any(|(_, other)| other.overlaps(&sales)));
            groups = apart;
            let mut joined: Vec<_> = same.into_iter().flatten().collect();
            joined.push((source, sales));
            groups.push(joined);
        }
        let whole = groups.len() == 1;
        let mut answer = Self::default();
        for mut group in groups.into_iter().filter(|group| group.len() > 1) {
            group.sort_by_key(|(source, _)| *source);
            let doubled = settle(&group, (read, chosen, left_out), whole);
            let left = group.iter().map(|(source, _)| (*source).to_owned());
            answer.left.extend(left.filter(|source| *source != doubled.counted));
            answer.doubled.push(doubled);
        }
        answer
    }
}

#[derive(Default)]
struct SourceSales<'a> {
    tills: BTreeSet<&'a str>,
    net: i64,
    figures: Vec<i64>,
}

impl<'a> SourceSales<'a> {
    fn add(&mut self, row: &'a TillSales) {
        self.tills.insert(&row.terminal);
        self.net = self.net.saturating_add(row.net.0);
        self.figures.resize(self.figures.len().max(row.figures.len()), 0);
        for (sum, one) in self.figures.iter_mut().zip(&row.figures) {
            *sum = sum.saturating_add(*one);
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let nameless = self.tills.contains("") || other.tills.contains("");
        nameless || !self.tills.is_disjoint(&other.tills)
    }

    /// Whether its net sales match the readings of its tills; of all tills if it is the day's only source.
    fn as_read(&self, read: &BTreeMap<String, Money>, whole: bool) -> bool {
        let own: Option<i64> = self.tills.iter().map(|till| read.get(*till).map(|net| net.0)).sum();
        let all = (whole && !read.is_empty()).then(|| read.values().map(|net| net.0).sum());
        let near =
            |sum: Option<i64>| sum.is_some_and(|sum| sum.abs_diff(self.net) <= TOLERANCE.0.unsigned_abs());
        near(all) || near(own)
    }
}

fn settle(
    group: &[(&str, SourceSales<'_>)],
    (read, chosen, left_out): (&BTreeMap<String, Money>, Option<&str>, &BTreeSet<String>),
    whole: bool,
) -> Doubled {
    let none_stands = group.iter().all(|(source, _)| left_out.contains(*source));
    let standing = || group.iter().filter(|(source, _)| none_stands || !left_out.contains(*source));
    let most = |of: &dyn Fn(&SourceSales<'_>) -> bool| {
        let fitting = standing().filter(|(_, sales)| of(sales));
        fitting
            .max_by_key(|(source, sales)| (sales.net, std::cmp::Reverse(*source)))
            .map(|(source, _)| *source)
    };
    let by_hand = standing().map(|(source, _)| *source).find(|source| Some(*source) == chosen);
    let alike = group.iter().all(|(_, sales)| sales.figures == group[0].1.figures);
    let (counted, settled) = match (by_hand, most(&|sales| sales.as_read(read, whole))) {
        (Some(source), _) => (source, Settled::Chosen),
        (None, Some(source)) => (source, Settled::AsRead),
        (None, None) => {
            (most(&|_| true).unwrap_or_default(), if alike { Settled::Alike } else { Settled::Open })
        }
    };
    Doubled {
        sources: group.iter().map(|(source, _)| (*source).to_owned()).collect(),
        counted: counted.to_owned(),
        settled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(source: &str, terminal: &str, net: i64, promo: i64) -> TillSales {
        TillSales { source: source.into(), terminal: terminal.into(), net: Money(net), figures: vec![promo] }
    }

    fn read(tills: &[(&str, i64)]) -> BTreeMap<String, Money> {
        tills.iter().map(|(till, net)| ((*till).to_owned(), Money(*net))).collect()
    }

    #[test]
    fn sources_of_different_tills_all_count() {
        let rows = [row("api", "T1", 100, 1), row("file", "T2", 200, 2)];
        let sources = Sources::of(&rows, &read(&[]), None);
        assert!(sources.doubled.is_empty() && sources.counts("api") && sources.counts("file"));
    }

    #[test]
    fn of_two_sources_of_a_till_the_one_matching_the_reading_counts() {
        let rows = [row("api", "T1", 900, 3), row("file", "T1", 1_000, 5)];
        let sources = Sources::of(&rows, &read(&[("T1", 903)]), None);
        assert_eq!(sources.doubled[0].settled, Settled::AsRead);
        assert!(sources.counts("api") && !sources.counts("file") && !sources.open());
        let chosen = Sources::of(&rows, &read(&[("T1", 903)]), Some("file"));
        assert!(chosen.counts("file") && !chosen.counts("api"));
    }

    #[test]
    fn without_a_matching_reading_a_user_must_choose() {
        let rows = [row("api", "T1", 900, 3), row("file", "", 1_000, 5)];
        let sources = Sources::of(&rows, &read(&[("T1", 700)]), None);
        assert!(sources.open() && sources.counts("file") && !sources.counts("api"));
        let alike = [row("api", "T1", 900, 3), row("file", "T1", 1_000, 3)];
        assert_eq!(Sources::of(&alike, &read(&[]), None).doubled[0].settled, Settled::Alike);
    }

    #[test]
    fn a_source_left_out_counts_only_where_no_other_has_these_figures() {
        let rows = [row("api", "T1", 900, 3), row("file", "T1", 1_000, 5), row("w3p", "T1", 950, 4)];
        let left_out = BTreeSet::from(["file".to_owned(), "w3p".to_owned()]);
        let sources = Sources::settled(&rows, &read(&[]), None, &left_out);
        assert!(sources.counts("api") && !sources.counts("file") && sources.open());
        let without = Sources::settled(&rows[1..], &read(&[]), None, &left_out);
        assert!(without.counts("file") && !without.counts("w3p"));
        assert!(Sources::settled(&rows[2..], &read(&[]), None, &left_out).counts("w3p"));
    }

    #[test]
    fn a_source_without_tills_is_compared_with_the_whole_day() {
        let rows = [row("api", "T1", 900, 3), row("file", "", 1_000, 5)];
        let sources = Sources::of(&rows, &read(&[("T1", 600), ("T2", 400)]), None);
        assert!(sources.counts("file") && !sources.counts("api") && !sources.open());
    }

    #[test]
    fn a_source_of_all_tills_competes_with_two_of_one_till_each() {
        let rows = [
            row("api", "T1", 100, 1),
            row("file", "T2", 200, 2),
            row("w3p", "T1", 100, 1),
            row("w3p", "T2", 200, 2),
        ];
        let sources = Sources::of(&rows, &read(&[("T1", 100), ("T2", 200)]), None);
        assert_eq!(sources.doubled[0].counted, "w3p");
        assert!(!sources.counts("api") && !sources.counts("file"));
    }

    proptest! {
        /// No till counts from two sources, and every till reported by one source alone counts.
        #[test]
        fn no_till_counts_twice(sales in proptest::collection::vec((0usize..4, 0usize..4, 1i64..5), 0..12), chosen in 0usize..6) {
            let sources = ["api", "file", "ocr", "w3p"];
            let rows: Vec<TillSales> =
                sales.iter().map(|(source, till, net)| row(sources[*source], ["", "T1", "T2", "T3"][*till], *net, *net)).collect();
            let answer = Sources::of(&rows, &read(&[("T1", 3), ("T2", 2)]), sources.get(chosen).copied());
            let counted: Vec<&TillSales> = rows.iter().filter(|row| answer.counts(&row.source)).collect();
            for one in &counted {
                for other in &counted {
                    let same_till = one.terminal == other.terminal || one.terminal.is_empty() || other.terminal.is_empty();
                    prop_assert!(one.source == other.source || !same_till);
                }
            }
            let only: BTreeSet<&str> = rows.iter().map(|row| row.source.as_str()).collect();
            prop_assert!(only.len() != 1 || counted.len() == rows.len());
        }
    }
}
