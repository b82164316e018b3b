//! What something was made of over time.

use crate::Timestamp;

/// What is in force now, and what was before that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Versions<T> {
    /// In order: until when it was in force, and what.
    former: Vec<(Timestamp, T)>,
    now: T,
}

impl<T> Versions<T> {
    /// What never changed.
    #[must_use]
    pub const fn new(now: T) -> Self {
        Self { former: Vec::new(), now }
    }

    /// With what was in force before, each until a time.
    #[must_use]
    pub fn with_former(mut self, mut former: Vec<(Timestamp, T)>) -> Self {
        former.sort_by_key(|(until, _)| *until);
        self.former = former;
        self
    }

    /// What is in force now.
    #[must_use]
    pub const fn now(&self) -> &T {
        &self.now
    }

    /// What was in force at a time. A change holds from its own time on.
    #[must_use]
    pub fn at(&self, time: Timestamp) -> &T {
        let at = self.former.partition_point(|(until, _)| *until <= time);
        self.former.get(at).map_or(&self.now, |(_, then)| then)
    }

    /// All of them, the oldest first.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.former.iter().map(|(_, then)| then).chain([&self.now])
    }

    /// When any of them ended, in order.
    pub fn ends(&self) -> impl Iterator<Item = Timestamp> {
        self.former.iter().map(|(until, _)| *until)
    }

    /// Without those that ended before a time or at it.
    #[must_use]
    pub fn since(mut self, time: Timestamp) -> Self {
        self.former.retain(|(until, _)| *until > time);
        self
    }

    /// Each of them converted.
    #[must_use]
    pub fn map<U>(&self, convert: impl Fn(&T) -> U) -> Versions<U> {
        let former = self.former.iter().map(|(until, then)| (*until, convert(then))).collect();
        Versions { former, now: convert(&self.now) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_change_holds_from_its_time_on() {
        let never: Versions<char> = Versions::new('c');
        assert_eq!(never.at(Timestamp(i64::MIN)), &'c');
        let versions = Versions::new('c').with_former(vec![(Timestamp(20), 'b'), (Timestamp(10), 'a')]);
        let at = [9, 10, 19, 20, 21].map(|time| *versions.at(Timestamp(time)));
        assert_eq!(at, ['a', 'b', 'b', 'c', 'c']);
        assert_eq!(versions.all().copied().collect::<String>(), "abc");
        assert_eq!(versions.since(Timestamp(10)).all().copied().collect::<String>(), "bc");
    }

    proptest! {
        /// A further change never changes what was in force before it.
        #[test]
        fn the_past_stays(
            ends in prop::collection::btree_set(0i64..100, 0..6),
            asked in 0i64..100,
        ) {
            let former: Vec<(Timestamp, usize)> =
                ends.iter().enumerate().map(|(at, end)| (Timestamp(*end), at)).collect();
            let before = Versions::new(former.len()).with_former(former.clone());
            let mut more = former.clone();
            more.push((Timestamp(100), former.len()));
            let after = Versions::new(former.len() + 1).with_former(more);
            prop_assert_eq!(before.at(Timestamp(asked)), after.at(Timestamp(asked)));
            let kept = before.clone().since(Timestamp(asked));
            prop_assert_eq!(kept.at(Timestamp(asked)), before.at(Timestamp(asked)));
        }
    }
}
