//! Rate limits per address or device, counted on this node, and detection of large-scale guessing.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use larder_domain::Timestamp;

/// A rate: `burst` at once, then one every `every_ms`.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    pub burst: i64,
    /// Refill interval in milliseconds.
    pub every_ms: i64,
}

/// Sign-ins per address or attested device.
pub const SIGN_IN: Rate = Rate { burst: 10, every_ms: 6_000 };
/// Sign-ins of all attested devices behind one address: keys cost nothing to make.
pub const SIGN_IN_BEHIND: Rate = Rate { burst: 100, every_ms: 600 };
/// Refreshes and look-ups per address: a whole office refreshes at once.
pub const TOKENS: Rate = Rate { burst: 600, every_ms: 20 };
/// Attestations per address.
pub const ATTESTATIONS: Rate = Rate { burst: 100, every_ms: 600 };
/// Links followed per address.
pub const LINKS: Rate = Rate { burst: 30, every_ms: 2_000 };

/// Requests for access per network: five at once, then one every twelve minutes.
pub const APPLICATIONS: Rate = Rate { burst: 5, every_ms: 12 * 60_000 };

/// The most buckets; the emptiest are dropped first.
const BUCKETS: usize = 50_000;
/// This many failures within a minute are an attack, which ends after five quiet minutes.
const ATTACK_FAILURES: usize = 60;
const ATTACK_WITHIN_MS: i64 = 60_000;
const ATTACK_LASTS_MS: i64 = 5 * 60_000;
/// Leading zero bits of the proof of work required under attack: about a second in a browser.
const ATTACK_DIFFICULTY: u8 = 16;
/// Concurrent guesses at one account.
const UNDER_WAY: u32 = 10;

/// A bucket holds less than requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short {
    /// Index of the request, from 0.
    pub at: usize,
    /// Milliseconds until there is enough.
    pub wait_ms: i64,
}

/// A request to a bucket.
struct Share<'a> {
    key: &'a str,
    /// Its cost as refill time.
    ms: i64,
    /// Capacity of the bucket as refill time.
    most_ms: i64,
}

impl<'a> Share<'a> {
    fn one(key: &'a str, rate: Rate) -> Self {
        Self { key, ms: rate.every_ms, most_ms: rate.burst * rate.every_ms }
    }

    fn of_hour(key: &'a str, some: i64, per_hour: i64) -> Self {
        const HOUR_MS: i64 = 3_600_000;
        let ms = if per_hour > 0 { some.saturating_mul(HOUR_MS) / per_hour } else { 0 };
        Self { key, ms, most_ms: HOUR_MS }
    }
}

/// Token buckets and failure counters of this node.
#[derive(Default)]
pub struct Limits {
    inner: Mutex<Counted>,
}

#[derive(Default)]
struct Counted {
    /// When each bucket is full again (the «theoretical arrival time» of the leaky bucket).
    full_at: HashMap<String, i64>,
    failures: std::collections::VecDeque<i64>,
    attack_until: i64,
    under_way: HashMap<String, u32>,
    used: HashMap<String, i64>,
}

impl Limits {
    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one; `false` if the bucket is empty.
    pub fn take(&self, key: &str, rate: Rate, now: Timestamp) -> bool {
        self.spend(&[Share::one(key, rate)], now).is_ok()
    }

    /// Takes one of each, or none at all: `false` if one of them is empty.
    pub fn take_each(&self, wanted: &[(String, Rate)], now: Timestamp) -> bool {
        let shares: Vec<Share<'_>> = wanted.iter().map(|(key, rate)| Share::one(key, *rate)).collect();
        self.spend(&shares, now).is_ok()
    }

    /// Takes an amount of each (key, amount, allowance per hour), or nothing at all. An allowance of `0` sets
    /// no limit.
    ///
    /// # Errors
    /// The first that has less left than requested.
    pub fn take_of_hour(&self, shares: &[(&str, i64, i64)], now: Timestamp) -> Result<(), Short> {
        let shares: Vec<Share<'_>> =
            shares.iter().map(|&(key, some, per_hour)| Share::of_hour(key, some, per_hour)).collect();
        self.spend(&shares, now)
    }

    /// Takes from every bucket or from none, so that a refusal by one does not use up the others.
    fn spend(&self, shares: &[Share<'_>], now: Timestamp) -> Result<(), Short> {
        let mut inner = self.lock();
        inner.make_room(now.0);
        let mut taken = Vec::with_capacity(shares.len());
        for (at, one) in shares.iter().enumerate().filter(|(_, one)| one.ms > 0) {
            let full_at =
                inner.full_at.get(one.key).copied().unwrap_or(now.0).max(now.0).saturating_add(one.ms);
            let wait_ms = full_at - now.0 - one.most_ms;
            if wait_ms > 0 {
                return Err(Short { at, wait_ms });
            }
            taken.push((one.key, full_at));
        }
        for (key, full_at) in taken {
            inner.full_at.insert(key.to_owned(), full_at);
        }
        Ok(())
    }

    /// Returns one that turned out to be legitimate.
    pub fn give_back(&self, key: &str, rate: Rate) {
        if let Some(full_at) = self.lock().full_at.get_mut(key) {
            *full_at -= rate.every_ms;
        }
    }

    /// Counts a failed sign-in of any account.
    pub fn failed(&self, now: Timestamp) {
        let mut inner = self.lock();
        inner.failures.push_back(now.0);
        while inner.failures.front().is_some_and(|at| *at < now.0 - ATTACK_WITHIN_MS)
            || inner.failures.len() > ATTACK_FAILURES
        {
            inner.failures.pop_front();
        }
        if inner.failures.len() >= ATTACK_FAILURES {
            inner.attack_until = now.0 + ATTACK_LASTS_MS;
        }
    }

    /// The proof of work currently required, in leading zero bits; 0 in quiet times.
    pub fn difficulty(&self, now: Timestamp) -> u8 {
        if now.0 < self.lock().attack_until { ATTACK_DIFFICULTY } else { 0 }
    }

    /// Starts checking a guess; `None` if too many at the same account are being checked. Failures are
    /// counted after the check, so without this a burst would get more guesses than the lockout allows.
    pub fn begin(&self, key: &str) -> Option<UnderWay<'_>> {
        let mut inner = self.lock();
        let count = inner.under_way.entry(key.to_owned()).or_default();
        if *count >= UNDER_WAY {
            return None;
        }
        *count += 1;
        Some(UnderWay { limits: self, key: key.to_owned() })
    }

    /// Consumes a single-use token valid until `expires`; `false` if it was used before.
    pub fn once(&self, what: &str, expires: Timestamp, now: Timestamp) -> bool {
        let mut inner = self.lock();
        if inner.used.len() >= BUCKETS {
            inner.used.retain(|_, until| *until > now.0);
        }
        if inner.used.len() >= BUCKETS || inner.used.contains_key(what) {
            return false;
        }
        inner.used.insert(what.to_owned(), expires.0);
        true
    }
}

impl Counted {
    fn make_room(&mut self, now: i64) {
        if self.full_at.len() < BUCKETS {
            return;
        }
        self.full_at.retain(|_, full_at| *full_at > now);
        if self.full_at.len() < BUCKETS {
            return;
        }
        // All of them hold something: drop those that hold least.
        let mut times: Vec<i64> = self.full_at.values().copied().collect();
        let (_, median, _) = times.select_nth_unstable(BUCKETS / 2);
        let median = *median;
        self.full_at.retain(|_, full_at| *full_at > median);
    }
}

/// A guess being checked; see [`Limits::begin`].
pub struct UnderWay<'a> {
    limits: &'a Limits,
    key: String,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut inner = self.limits.lock();
        if let Some(count) = inner.under_way.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                inner.under_way.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_at_once_then_one_in_six_seconds() {
        let limits = Limits::default();
        let at = |ms: i64| Timestamp(1_000_000 + ms);
        let taken = |ms| limits.take("a", SIGN_IN, at(ms));
        assert!((0..10).all(|_| taken(0)) && !taken(0) && !taken(5_999));
        assert!(taken(6_000) && !taken(6_001));
        assert!(limits.take("b", SIGN_IN, at(0)), "others have their own");
        assert!((0..10).all(|_| taken(100_000)) && !taken(100_000), "rests fill up to ten and no further");
        limits.give_back("a", SIGN_IN);
        assert!(taken(100_000) && !taken(100_000));
    }

    #[test]
    fn amounts_are_taken_together_or_not_at_all() {
        let limits = Limits::default();
        let now = Timestamp(0);
        let take = |names: i64, lines: i64| {
            limits.take_of_hour(&[("names", names, 3), ("free", 9, 0), ("lines", lines, 10)], now)
        };
        assert_eq!(take(0, 8), Ok(()));
        assert_eq!(take(3, 3), Err(Short { at: 2, wait_ms: 360_000 }));
        assert_eq!(take(3, 2), Ok(()), "the names are still there");
        assert_eq!(take(1, 0), Err(Short { at: 0, wait_ms: 1_200_000 }));
        let both = |one: &str| [("all".to_owned(), SIGN_IN_BEHIND), (one.to_owned(), SIGN_IN)];
        assert_eq!((0..200).filter(|_| limits.take_each(&both("a"), now)).count(), 10);
        assert_eq!((0..9).filter(|n| limits.take_each(&both(&n.to_string()), now)).count(), 9);
        assert!(
            (0..81).all(|_| limits.take("all", SIGN_IN_BEHIND, now)) && !limits.take_each(&both("b"), now)
        );
    }

    proptest::proptest! {
        /// Whatever the timing, no interval lets through more than the burst and its refill.
        #[test]
        fn no_interval_lets_through_more(
            gaps in proptest::collection::vec(0i64..20_000, 1..200), burst in 1i64..12, every_ms in 1i64..7_000,
        ) {
            let (limits, rate) = (Limits::default(), Rate { burst, every_ms });
            let mut now = 0;
            let mut through = Vec::new();
            for gap in gaps {
                now += gap;
                if limits.take("a", rate, Timestamp(now)) {
                    through.push(now);
                } else {
                    let since = |ms: i64| through.iter().filter(|at| **at > now - ms).count() as i64;
                    proptest::prop_assert!(since(burst * every_ms) > 0, "refused without a reason");
                }
            }
            for (n, from) in through.iter().enumerate() {
                for (m, to) in through.iter().enumerate().skip(n) {
                    let count = (m - n + 1) as i64;
                    proptest::prop_assert!(count <= burst + (to - from) / every_ms);
                }
            }
        }
    }

    #[test]
    fn a_flood_of_addresses_is_bounded() {
        let limits = Limits::default();
        let now = Timestamp(0);
        for _ in 0..10 {
            limits.take("guesser", SIGN_IN, now);
        }
        for n in 0..BUCKETS * 2 {
            limits.take(&n.to_string(), SIGN_IN, now);
        }
        assert!(limits.lock().full_at.len() <= BUCKETS);
        assert!(!limits.take("guesser", SIGN_IN, now), "who tried most is remembered");
    }

    #[test]
    fn an_attack_requires_proof_of_work_until_it_ends() {
        let limits = Limits::default();
        for n in 0..ATTACK_FAILURES as i64 - 1 {
            limits.failed(Timestamp(n));
        }
        assert_eq!(limits.difficulty(Timestamp(60)), 0);
        limits.failed(Timestamp(60));
        assert!(limits.difficulty(Timestamp(61)) > 0);
        assert_eq!(limits.difficulty(Timestamp(60 + ATTACK_LASTS_MS)), 0);
        for n in 0..200 {
            limits.failed(Timestamp(10_000_000 + n * 2_000));
        }
        assert_eq!(limits.difficulty(Timestamp(10_400_000)), 0, "mistyping is no attack");
    }

    #[test]
    fn guesses_under_way_and_single_uses() {
        let limits = Limits::default();
        let held: Vec<_> = (0..UNDER_WAY).map(|_| limits.begin("a").expect("room")).collect();
        assert!(limits.begin("a").is_none() && limits.begin("b").is_some());
        drop(held);
        assert!(limits.begin("a").is_some());
        let now = Timestamp(0);
        assert!(limits.once("n", now.plus_seconds(1), now) && !limits.once("n", now.plus_seconds(1), now));
    }
}
