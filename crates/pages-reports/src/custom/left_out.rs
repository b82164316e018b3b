//! Store-days that changes of sales leave out: they, or their counterparts in the period before, have no sales yet.

use std::collections::{BTreeMap, HashMap, HashSet};

use larder_domain::{BusinessDay, Span, plural};

use super::keys::{Fact, Shift, Texts};
use super::load;
use super::names::Names;
use super::pivot::Pivot;
use super::plan::{CustomNotice, Plan};
use larder_engines::reports::queries;
use larder_ledgers::paired_days::PairedDays;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Days with sales by store.
type Sold = HashMap<String, HashSet<i32>>;

/// What changes leave out.
#[derive(Debug, Default)]
pub struct LeftOut {
    /// Number of store-days of the range.
    pub days: i64,
    /// Those of them with sales.
    now: Sold,
    /// Their counterparts with sales.
    before: Sold,
}

impl LeftOut {
    /// Reads what the changes of a table leave out: nothing unless they are of sales.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(
        state: &AppState,
        (plan, names): (&Plan, &Names),
        (texts, pivot): (&mut Texts, &mut Pivot<'_>),
    ) -> ApiResult<Self> {
        let mut left = Self::default();
        let Some((before, shift)) = plan.before.filter(|_| plan.dataset.sales) else { return Ok(left) };
        let stores = queries::stores(&state.db, Some(&load::stores(plan, names))).await?;
        let stores: Vec<String> = stores.into_iter().map(|(id, _)| id).collect();
        let both = Span { from: before.from.min(plan.span.from), to: before.to.max(plan.span.to) };
        let known = PairedDays::read(&state.db, &stores, both).await?;
        let counterparts = counterparts(plan.span, (before, shift));
        for store in &stores {
            let is_missing = |day: BusinessDay| known.net(store, day).is_none();
            for (day, earlier) in &counterparts {
                let whole = !is_missing(*day) && !earlier.iter().any(|day| is_missing(*day));
                if whole || !pivot.has_store_day(store, *day, texts) {
                    continue;
                }
                left.days += 1;
                if known.has_sales(store, *day) {
                    left.now.entry(store.clone()).or_default().insert(day.0);
                }
                for day in earlier.iter().filter(|day| known.has_sales(store, **day)) {
                    left.before.entry(store.clone()).or_default().insert(day.0);
                }
            }
        }
        Ok(left)
    }

    fn side(&self, shift: Option<Shift>) -> &Sold {
        if shift.is_some() { &self.before } else { &self.now }
    }

    /// The stores with sales that are left out within a part of the range, and the first and last of their days;
    /// with a shift, of the period before.
    #[must_use]
    pub fn within(&self, part: Span, shift: Option<Shift>) -> Option<(Vec<String>, Span)> {
        let days = |days: &HashSet<i32>| {
            let within = |day: &i32| (part.from.0..=part.to.0).contains(day);
            let first = days.iter().copied().filter(within).min()?;
            Some((first, days.iter().copied().filter(within).max()?))
        };
        let found: BTreeMap<&String, (i32, i32)> =
            self.side(shift).iter().filter_map(|(store, of)| Some((store, days(of)?))).collect();
        let from = found.values().map(|(first, _)| *first).min()?;
        let to = found.values().map(|(_, last)| *last).max()?;
        let span = Span { from: BusinessDay(from), to: BusinessDay(to) };
        Some((found.into_keys().cloned().collect(), span))
    }

    /// Whether changes leave out a fact of a single day; with a shift, of the period before.
    #[must_use]
    pub fn has(&self, fact: &Fact, texts: &Texts, shift: Option<Shift>) -> bool {
        self.side(shift).get(texts.stores.text(fact.store)).is_some_and(|days| days.contains(&fact.day))
    }

    /// What a table says about it.
    #[must_use]
    pub fn notice(&self) -> Option<CustomNotice> {
        let days = plural(self.days, "store-day", "store-days");
        let words = format!("Changes leave out {days}: there or in the period before, sales are missing.");
        (self.days > 0).then(|| CustomNotice::new("left", words))
    }
}

/// Each day of a range with those before that are compared with it. In a shorter month, its last day has those that
/// it lacks; in a longer one, the days that the other lacks have none.
fn counterparts(span: Span, (before, shift): (Span, Shift)) -> BTreeMap<BusinessDay, Vec<BusinessDay>> {
    let days = |span: Span| (span.from.0..=span.to.0).map(BusinessDay);
    let mut counterparts: BTreeMap<_, Vec<_>> = days(span).map(|day| (day, Vec::new())).collect();
    for earlier in days(before) {
        if let Some(of_day) = counterparts.get_mut(&shift.of(earlier)) {
            of_day.push(earlier);
        }
    }
    counterparts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_months_of_unequal_length_have_all_their_days() {
        let day = |text: &str| text.parse::<BusinessDay>().expect("a date");
        let span = |from: &str, to: &str| Span { from: day(from), to: day(to) };
        let january = span("2026-01-01", "2026-01-31");
        let found = counterparts(span("2026-02-01", "2026-02-28"), (january, Shift::Months(1)));
        assert_eq!(found[&day("2026-02-27")], [day("2026-01-27")]);
        assert_eq!(
            found[&day("2026-02-28")],
            ["2026-01-28", "2026-01-29", "2026-01-30", "2026-01-31"].map(day)
        );
        let february = span("2026-02-01", "2026-02-28");
        let found = counterparts(span("2026-03-01", "2026-03-31"), (february, Shift::Months(1)));
        assert_eq!((found.len(), &found[&day("2026-03-28")][..]), (31, &[day("2026-02-28")][..]));
        assert!(found[&day("2026-03-29")].is_empty());
    }

    #[test]
    fn days_left_out_are_read_where_they_are() {
        let left = LeftOut {
            days: 3,
            now: HashMap::from([
                ("a".to_owned(), HashSet::from([3, 9])),
                ("b".to_owned(), HashSet::from([5])),
            ]),
            before: HashMap::new(),
        };
        let span = |from: i32, to: i32| Span { from: BusinessDay(from), to: BusinessDay(to) };
        let all = (vec!["a".to_owned(), "b".to_owned()], span(3, 5));
        assert_eq!(left.within(span(1, 8), None), Some(all));
        assert_eq!(left.within(span(6, 30), None), Some((vec!["a".to_owned()], span(9, 9))));
        assert_eq!(left.within(span(10, 30), None), None);
        assert_eq!(left.within(span(1, 30), Some(Shift::Days(7))), None);
        let said = left.notice().map(|notice| notice.message);
        assert_eq!(
            said.as_deref(),
            Some("Changes leave out 3 store-days: there or in the period before, sales are missing.")
        );
    }
}
