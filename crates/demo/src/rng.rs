//! Reproducible randomness: every figure of the demo derives from a seed and the names of its subject, so the order of
//! generation does not matter.
//!
//! Figures use only `+ − × ÷ √`, which give the same bits on every machine; a library's logarithm need not.

/// A sequence of random numbers determined by a seed and a key.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

/// Means up to this are sampled exactly; above it a normal approximation is used.
const COUNTED: f64 = 12.0;

impl Rng {
    /// The sequence of a seed and a key.
    pub fn of(seed: u64, key: &[u64]) -> Self {
        let mut state = mix(seed ^ 0x6c61_7264_6572_0001);
        for part in key {
            state = mix(state ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        Self { state }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        // The upper 32 bits: exact in an `f64`.
        f64::from(u32::try_from(self.bits() >> 32).unwrap_or(u32::MAX)) / 4_294_967_296.0
    }

    /// Uniform between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A random integer below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.bits() % (count.max(1) as u64)).unwrap_or(0)
    }

    /// True with this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Approximately standard normal: the sum of twelve uniform numbers.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// A count with this mean (Poisson).
    pub fn times(&mut self, mean: f64) -> i64 {
        if mean <= 0.0 {
            return 0;
        }
        if mean > COUNTED {
            return whole(mean + mean.sqrt() * self.normal());
        }
        let (mut left, mut part, mut count) = (self.unit(), shrink(mean), 0i64);
        while left >= part && count < 60 {
            left -= part;
            count += 1;
            part *= mean / f64::from(i32::try_from(count).unwrap_or(i32::MAX));
        }
        count
    }

    /// A random index, by weight.
    pub fn pick(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        for (at, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return at;
            }
        }
        weights.len().saturating_sub(1)
    }
}

/// A number for a name, used in keys.
pub fn key(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The nearest integer, never negative.
pub fn whole(value: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "figures of a day's sales are far below 2^53")]
    let nearest = (value + 0.5).floor() as i64;
    nearest.max(0)
}

fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// e to the power of −x, using the four operations only.
fn shrink(x: f64) -> f64 {
    let small = x / 1024.0;
    let mut power = 1.0 - small * (1.0 - small / 2.0 * (1.0 - small / 3.0 * (1.0 - small / 4.0)));
    for _ in 0..10 {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_key_give_the_same_numbers() {
        let draw = |seed, key: &[u64]| Rng::of(seed, key).bits();
        assert_eq!(draw(1, &[2, 3]), draw(1, &[2, 3]));
        assert_ne!(draw(1, &[2, 3]), draw(1, &[3, 2]));
        assert_ne!(draw(1, &[2, 3]), draw(2, &[2, 3]));
        assert_ne!(key("Cebu"), key("Davao"));
    }

    #[test]
    fn counts_have_their_mean() {
        for mean in [0.3, 2.5, 11.9, 40.0] {
            let mut rng = Rng::of(7, &[key("counts")]);
            let sum: i64 = (0..20_000).map(|_| rng.times(mean)).sum();
            let found = sum as f64 / 20_000.0;
            assert!((found - mean).abs() < 0.05 * mean, "{found} instead of {mean}");
        }
        assert!((shrink(3.0) - (-3.0f64).exp()).abs() < 1e-12);
    }

    #[test]
    fn heavier_is_likelier() {
        let mut rng = Rng::of(7, &[]);
        let mut picked = [0; 3];
        (0..3000).for_each(|_| picked[rng.pick(&[1.0, 0.0, 2.0])] += 1);
        assert_eq!(picked[1], 0);
        assert!(picked[2] > picked[0] * 3 / 2);
    }
}
