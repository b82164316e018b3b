//! Optimises the α of simple exponential smoothing.

/// Values of α evaluated at once: each recursion has latency, so several take no longer than one.
const TRIED: usize = 8;

/// The α within `bounds` with the least squared one-step error. The best of eight is refined by Newton's method on the
/// derivative, between its neighbours, to eleven digits.
pub(crate) fn best_alpha(y: &[f64], (low, high): (f64, f64)) -> f64 {
    if y.len() < 2 {
        return (low + high) / 2.0;
    }
    let step = (high - low) / (TRIED - 1) as f64;
    let tried: [f64; TRIED] = std::array::from_fn(|i| low + step * i as f64);
    let errors = squared_errors(y, &tried);
    let best = (0..TRIED).fold(0, |best, i| if errors[i] < errors[best] { i } else { best });
    let (mut left, mut right) = (tried[best.saturating_sub(1)], tried[(best + 1).min(TRIED - 1)]);
    let mut alpha = tried[best];
    for _ in 0..60 {
        let (slope, curve) = derivatives(y, alpha);
        if slope > 0.0 {
            right = alpha;
        } else if slope < 0.0 {
            left = alpha;
        } else {
            break;
        }
        let newton = alpha - slope / curve;
        let inside = curve > 0.0 && newton > left && newton < right;
        let next = if inside { newton } else { (left + right) / 2.0 };
        let moved = (next - alpha).abs();
        alpha = next;
        // After a Newton step the remaining error is of the order of the step's square.
        if moved < if inside { 1e-6 } else { 1e-11 } {
            break;
        }
    }
    alpha
}

/// Sums of squared one-step errors.
fn squared_errors<const N: usize>(y: &[f64], alphas: &[f64; N]) -> [f64; N] {
    let mut levels = [y[0]; N];
    let mut sums = [0.0; N];
    for &value in &y[1..] {
        for i in 0..N {
            let error = value - levels[i];
            sums[i] += error * error;
            levels[i] += alphas[i] * error;
        }
    }
    sums
}

/// First and second derivative by α of half the sum of squared one-step errors.
fn derivatives(y: &[f64], alpha: f64) -> (f64, f64) {
    let keep = 1.0 - alpha;
    let (mut level, mut first, mut second) = (y[0], 0.0, 0.0);
    let (mut slope, mut curve) = (0.0, 0.0);
    for &value in &y[1..] {
        let error = value - level;
        slope -= error * first;
        curve += first * first - error * second;
        second = keep * second - 2.0 * first;
        first = keep * first + error;
        level += alpha * error;
    }
    (slope, curve)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_needs_the_highest_alpha_and_noise_around_a_level_the_lowest() {
        let y: Vec<f64> = (0..50).map(f64::from).collect();
        assert!((best_alpha(&y, (0.01, 0.99)) - 0.99).abs() < 1e-6);
        let mut around = vec![2.0];
        around.extend((0..49).map(|i| if i % 2 == 0 { 1.0 } else { 3.0 }));
        assert!((best_alpha(&around, (0.01, 0.99)) - 0.01).abs() < 1e-6);
    }

    #[test]
    fn no_other_alpha_has_less_error() {
        for seed in 0..40_u32 {
            let wave = |i: u32| f64::from(i * (7 + seed) % 11) + f64::from(i % (5 + seed)) + 10.0;
            let y: Vec<f64> = (0..60).map(wave).collect();
            let [found] = squared_errors(&y, &[best_alpha(&y, (0.01, 0.99))]);
            let grid: [f64; 99] = std::array::from_fn(|i| f64::from(i as u32 + 1) / 100.0);
            assert!(squared_errors(&y, &grid).iter().all(|other| found <= other * (1.0 + 1e-9)), "{seed}");
        }
    }

    #[test]
    fn derivatives_are_those_of_the_error() {
        let y: Vec<f64> = (0..40).map(|i| f64::from(i * 7 % 11)).collect();
        let [below, at, above] = squared_errors(&y, &[0.2999, 0.3, 0.3001]);
        let (slope, curve) = derivatives(&y, 0.3);
        assert!((slope - (above - below) / 2.0 / 0.0002).abs() < 1e-3 * slope.abs().max(1.0));
        assert!((curve - (above - 2.0 * at + below) / 2.0 / 1e-8).abs() < 1e-2 * curve.abs().max(1.0));
    }
}
