//! How long a store's stock lasts with the trucks that are planned, in figures and in words.
//!
//! Figures are in one unit, one per day from the first day whose sales are not known yet. A truck arrives before the
//! store opens, so what it brings serves its own day.

use larder_domain::{BusinessDay, Qty, plural};

use crate::Refusal;
use crate::replenish::at_least_nothing;
use crate::replenish::fair::exact;

/// The days between which an order has to last, counted from the first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// T₁: the order arrives.
    first: usize,
    /// T₂: the next truck arrives.
    next: usize,
}

impl Window {
    /// From the days of both trucks. `None` if the second does not follow the first, or the first comes before
    /// `from`, the first day.
    #[must_use]
    pub fn new(from: BusinessDay, first: BusinessDay, next: BusinessDay) -> Option<Self> {
        let first = usize::try_from(first.0.checked_sub(from.0)?).ok()?;
        let next = usize::try_from(next.0.checked_sub(from.0)?).ok()?;
        (first < next).then_some(Self { first, next })
    }

    /// L of [`crate::replenish::Question`]: the days before the truck arrives.
    #[must_use]
    pub fn lead(self) -> usize {
        self.first
    }

    /// R: the days from this truck to the next. L + R are the days before T₂, whose sum of forecasts is D.
    #[must_use]
    pub fn review(self) -> usize {
        self.next - self.first
    }

    /// L + R.
    #[must_use]
    pub fn days(self) -> usize {
        self.next
    }
}

/// The stock of an item and what is planned for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Supply<'a> {
    /// Usable stock before the first day; negative where more was used than recorded.
    pub stock: f64,
    /// Expected use per day, at least until T₂.
    pub used: &'a [f64],
    /// Arrivals per day without the order, as long as `used`.
    pub arrives: &'a [f64],
    pub window: Window,
    /// The order; it arrives on T₁.
    pub order: f64,
}

/// The first days before T₂ that end below zero, counted from the first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lasts {
    pub without_order: Option<usize>,
    pub with_order: Option<usize>,
}

/// Half a millionth, the most by which a rounded quantity is off.
const ROUNDING: f64 = 5e-7;

/// Stock at the end of each day.
pub fn ends<'a>(stock: f64, used: &'a [f64], arrives: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    used.iter().zip(arrives).scan(stock, |left, (used, arrives)| {
        *left += arrives - used;
        Some(*left)
    })
}

/// The first of the days that ends below zero. The stock and the use of each day are rounded, so a shortage of half a
/// millionth for each of them is none: 5 used in three equal parts of 1.666667 leave nothing, and lack nothing.
#[expect(clippy::cast_precision_loss, reason = "days are few")]
pub fn first_below_zero(ends: impl IntoIterator<Item = f64>) -> Option<usize> {
    let off = |day: usize| ROUNDING * (day + 2) as f64;
    ends.into_iter().enumerate().position(|(day, left)| left < -off(day))
}

impl Supply<'_> {
    /// Whether it lasts until T₂.
    ///
    /// # Errors
    /// Figures that are not finite, or negative where they cannot be; fewer days than until T₂, or not as many
    /// arrivals.
    pub fn lasts(&self) -> Result<Lasts, Refusal> {
        let days = self.window.days();
        if self.used.len() < days || self.used.len() != self.arrives.len() {
            return Err(Refusal::Invalid("There are not enough days until the next truck."));
        }
        let figures = self.used.iter().chain(self.arrives).chain([&self.order]);
        if !self.stock.is_finite() || figures.copied().any(|figure| !at_least_nothing(figure)) {
            return Err(Refusal::Invalid("Stock, use or an arrival is not a number, or below nothing."));
        }
        let without = || ends(self.stock, &self.used[..days], &self.arrives[..days]);
        let first = self.window.first;
        let with =
            without().enumerate().map(|(day, left)| if day >= first { left + self.order } else { left });
        Ok(Lasts { without_order: first_below_zero(without()), with_order: first_below_zero(with) })
    }
}

impl Lasts {
    /// These days as a sentence. `from`: the first day; `order`: whether anything is ordered.
    #[must_use]
    pub fn words(self, from: BusinessDay, window: Window, order: bool) -> String {
        let on = |day: usize| from.plus(i32::try_from(day).unwrap_or(i32::MAX)).display();
        let (first, next) = (on(window.first), on(window.next));
        match (self.without_order, self.with_order) {
            (Some(out), _) if !order => {
                format!("It runs out on {}, before the delivery of {next}.", on(out))
            }
            (None, _) if !order => format!("It lasts until the delivery of {next}."),
            (None, _) => format!("It lasts until the delivery of {next} even without this order."),
            (Some(without), None) => format!(
                "Without this order it runs out on {}. With it, it lasts until the delivery of {next}.",
                on(without)
            ),
            (Some(_), Some(with)) if with < window.first => {
                format!("It runs out on {}, before this order can arrive on {first}.", on(with))
            }
            (Some(without), Some(with)) => {
                format!("Without this order it runs out on {}, with it on {}.", on(without), on(with))
            }
        }
    }
}

/// What a plan could not know or does not count, as sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reserves<'a> {
    /// Days whose sales are not known yet and were estimated by the forecast.
    pub estimated_days: usize,
    /// Ordered, and on no truck.
    pub short: Qty,
    /// Arrives with the next truck or later.
    pub later: Qty,
    pub unit: Option<&'a str>,
}

impl Reserves<'_> {
    /// One sentence each; empty if there is nothing to say. `next`: the day of the next truck.
    #[must_use]
    pub fn words(&self, next: BusinessDay) -> String {
        let of = |qty: Qty| match self.unit {
            Some(unit) => format!("{} {unit}", shown(qty)),
            None => shown(qty),
        };
        let mut words = Vec::new();
        if self.estimated_days > 0 {
            words.push(format!(
                "Includes {}.",
                plural(self.estimated_days as u64, "estimated day", "estimated days")
            ));
        }
        if self.short.0 > 0 {
            words.push(format!("Short: {} ordered that no truck brings.", of(self.short)));
        }
        if self.later.0 > 0 {
            words.push(format!("Not counted: {} arriving on {} or later.", of(self.later), next.display()));
        }
        words.join(" ")
    }
}

/// A quantity to the hundredth.
fn shown(qty: Qty) -> String {
    let hundredths = exact((qty.0 as f64 / 1e4).round() / 100.0);
    hundredths.unwrap_or(qty).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(y: i16, m: i8, d: i8) -> BusinessDay {
        BusinessDay::from_ymd(y, m, d).expect("a day")
    }

    /// Friday 27 November 2026.
    fn friday() -> BusinessDay {
        day(2026, 11, 27)
    }

    /// Trucks on Monday, Wednesday and Friday; the order is for Monday's.
    fn window() -> Window {
        Window::new(friday(), day(2026, 11, 30), day(2026, 12, 2)).expect("two trucks")
    }

    #[test]
    fn rounded_parts_of_a_whole_use_it_up_and_lack_nothing() {
        let thirds = [1.666_667; 4];
        assert_eq!(first_below_zero(ends(5.0, &thirds, &NONE[..4])), Some(3));
        assert_eq!(first_below_zero(ends(5.0, &thirds[..3], &NONE[..3])), None);
        assert_eq!(first_below_zero(ends(4.999_99, &thirds[..3], &NONE[..3])), Some(2));
    }

    const USED: [f64; 6] = [10.0, 14.0, 12.0, 8.0, 8.0, 9.0];
    const NONE: [f64; 6] = [0.0; 6];

    fn supply(stock: f64, order: f64) -> Supply<'static> {
        Supply { stock, used: &USED, arrives: &NONE, window: window(), order }
    }

    fn words(supply: Supply<'_>) -> String {
        let lasts = supply.lasts().expect("sound");
        lasts.words(friday(), supply.window, supply.order > 0.0)
    }

    #[test]
    fn the_window_is_lead_and_review_by_the_trucks() {
        assert_eq!((window().lead(), window().review(), window().days()), (3, 2, 5));
        assert_eq!(Window::new(friday(), friday(), friday()), None);
        assert_eq!(Window::new(friday(), friday().plus(-1), friday()), None);
        assert_eq!(Window::new(friday(), friday(), friday().plus(1)).map(Window::days), Some(1));
    }

    #[test]
    fn a_store_without_a_truck_on_sunday_runs_out_on_monday() {
        // 36 until Sunday night, 44 until Monday night, 52 until Tuesday night.
        assert_eq!(
            words(supply(40.0, 20.0)),
            "Without this order it runs out on 30 Nov 2026. With it, it lasts until the delivery of 2 Dec 2026."
        );
        assert_eq!(
            words(supply(40.0, 10.0)),
            "Without this order it runs out on 30 Nov 2026, with it on 1 Dec 2026."
        );
        assert_eq!(
            words(supply(30.0, 100.0)),
            "It runs out on 29 Nov 2026, before this order can arrive on 30 Nov 2026."
        );
        assert_eq!(
            words(supply(52.0, 10.0)),
            "It lasts until the delivery of 2 Dec 2026 even without this order."
        );
        assert_eq!(words(supply(52.0, 0.0)), "It lasts until the delivery of 2 Dec 2026.");
        assert_eq!(words(supply(51.0, 0.0)), "It runs out on 1 Dec 2026, before the delivery of 2 Dec 2026.");
    }

    #[test]
    fn what_is_uncertain_or_not_counted_is_said() {
        let reserves =
            Reserves { estimated_days: 1, short: Qty(4_000_000), later: Qty(1_255_000), unit: Some("kg") };
        assert_eq!(
            reserves.words(day(2026, 12, 2)),
            "Includes 1 estimated day. Short: 4 kg ordered that no truck brings. \
             Not counted: 1.26 kg arriving on 2 Dec 2026 or later."
        );
        assert_eq!(Reserves::default().words(friday()), "");
        assert_eq!(
            Reserves { estimated_days: 3, ..Reserves::default() }.words(friday()),
            "Includes 3 estimated days."
        );
    }

    #[test]
    fn unusable_figures_are_refused() {
        assert!(Supply { used: &USED[..4], arrives: &NONE[..4], ..supply(1.0, 0.0) }.lasts().is_err());
        assert!(Supply { arrives: &NONE[..5], ..supply(1.0, 0.0) }.lasts().is_err());
        assert!(supply(f64::NAN, 0.0).lasts().is_err());
        assert!(supply(1.0, -1.0).lasts().is_err());
    }

    proptest! {
        /// The sentence against a projection made day by day, written without the functions above.
        #[test]
        fn the_sentence_never_contradicts_the_projection(
            stock in -20i32..200,
            days in prop::collection::vec((0i32..30, prop_oneof![3 => Just(0i32), 1 => 1i32..60]), 2..30),
            at in any::<(prop::sample::Index, prop::sample::Index)>(),
            order in prop_oneof![1 => Just(0i32), 3 => 1i32..120],
            from in 20_000i32..22_000,
        ) {
            let from = BusinessDay(from);
            let next = 1 + at.0.index(days.len());
            let first = at.1.index(next);
            let on = |day: usize| from.plus(day as i32);
            let window = Window::new(from, on(first), on(next)).expect("in order");
            let (used, arrives): (Vec<f64>, Vec<f64>) =
                days.iter().map(|(used, arrives)| (f64::from(*used), f64::from(*arrives))).unzip();
            let supply =
                Supply { stock: f64::from(stock), used: &used, arrives: &arrives, window, order: f64::from(order) };
            let lasts = supply.lasts().expect("sound");
            let words = lasts.words(from, window, order > 0);

            let (mut left, mut without, mut with) = (stock, None, None);
            let mut ordered = 0;
            for (day, (used, arrives)) in days.iter().enumerate().take(next) {
                if day == first {
                    ordered = order;
                }
                left += arrives - used;
                if left < 0 && without.is_none() {
                    without = Some(on(day));
                }
                if left + ordered < 0 && with.is_none() {
                    with = Some(on(day));
                }
            }
            let runs_out = |day: Option<BusinessDay>| day.is_some_and(|day| {
                words.contains(&format!("runs out on {}", day.display()))
                    || words.contains(&format!("with it on {}", day.display()))
            });
            let lasts_until_next = format!("lasts until the delivery of {}", on(next).display());
            // Both days, if there are any, are said; and nothing lasts that does not.
            prop_assert_eq!(words.contains("runs out"), without.is_some(), "{}", words);
            prop_assert_eq!(without.is_some(), runs_out(without), "{}", words);
            prop_assert_eq!(with.is_some(), runs_out(with), "{}", words);
            prop_assert_eq!(words.contains(&lasts_until_next), with.is_none(), "{}", words);
            // An order never makes it worse.
            prop_assert!(with.is_none() || without <= with);
        }

        #[test]
        fn demand_is_the_forecast_until_the_next_truck(
            used in prop::collection::vec(0u32..100, 2..40), at in any::<(prop::sample::Index, prop::sample::Index)>(),
        ) {
            use crate::replenish::{Question, Safety};
            let next = 1 + at.0.index(used.len());
            let window = Window { first: at.1.index(next), next };
            let forecast: Vec<f64> = used.iter().copied().map(f64::from).collect();
            let question = Question {
                forecast: &forecast,
                lead: window.lead() as u32,
                review: window.review() as u32,
                safety: Safety::Quantile(0.0),
                min: 0.0,
                max: None,
                on_hand: 0.0,
                in_transit: 0.0,
                on_order: 0.0,
                committed: 0.0,
                pack: 1.0,
                shelf_life_days: None,
            };
            prop_assert_eq!(question.days(), window.days());
            let advice = question.advise().expect("sound");
            prop_assert_eq!(advice.demand, f64::from(used[..next].iter().sum::<u32>()));
            // What is ordered lasts until the next truck, unless it runs out before the order arrives.
            let arrives = vec![0.0; forecast.len()];
            let supply =
                Supply { stock: 0.0, used: &forecast, arrives: &arrives, window, order: advice.quantity };
            let with = supply.lasts().expect("sound").with_order;
            prop_assert!(with.is_none_or(|day| day < window.lead()));
        }
    }
}
