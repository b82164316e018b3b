//! What a replay comes to, in words: every count beside what it is a count of.

use larder_domain::Money;

/// A policy beside what was really ordered, over the same items and days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared<'a> {
    /// The policy's name.
    pub policy: &'a str,
    /// Replayed days.
    pub days: u32,
    /// Days with known sales, summed over items: those that can be empty.
    pub item_days: i64,
    /// Of them, days on which an item was out of stock: under the policy, and really.
    pub empty_days: [i64; 2],
    /// Average stock, under the policy and really.
    pub stock: [Money; 2],
    /// Days on which a store orders, summed over stores: under the policy, and really.
    pub orders: [i64; 2],
}

impl Compared<'_> {
    /// ‹With 95% service: 31 fewer empty days of 5,461 item-days, ₱14,200 more stock, 2 more orders a week.›
    #[must_use]
    pub fn words(&self) -> String {
        let of = count(self.item_days, "item-day", "item-days");
        let empty_days = match self.empty_days {
            [here, really] if here == really => {
                format!("as many empty days ({} of {of})", grouped(here))
            }
            [here, really] => {
                format!("{} of {of}", more_or_fewer(here - really, "empty day", "empty days"))
            }
        };
        let pesos = rounded(self.stock[0].0 - self.stock[1].0, 100);
        let stock = match pesos {
            0 => "as much stock".to_owned(),
            pesos if pesos > 0 => format!("₱{} more stock", grouped(pesos)),
            pesos => format!("₱{} less stock", grouped(-pesos)),
        };
        let tenths = rounded((self.orders[0] - self.orders[1]) * 70, i64::from(self.days.max(1)));
        let orders = match tenths {
            0 => "as many orders a week".to_owned(),
            tenths if tenths % 10 == 0 => {
                format!("{} a week", more_or_fewer(tenths / 10, "order", "orders"))
            }
            tenths => {
                let comparison = if tenths > 0 { "more" } else { "fewer" };
                format!("{}.{} {comparison} orders a week", grouped(tenths.abs() / 10), tenths.abs() % 10)
            }
        };
        format!("With {}: {empty_days}, {stock}, {orders}.", self.policy)
    }
}

/// Items that could not be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut<'a> {
    /// Each reason as a clause, such as `they were not counted before the first day`, and its number of items.
    pub reasons: &'a [(&'a str, i64)],
    /// Items, replayed or not.
    pub items: i64,
}

impl LeftOut<'_> {
    /// ‹Left out: 772 of 1,267 items, because …›; `None` if nothing was left out. The most frequent reason comes first.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let mut reasons: Vec<(&str, i64)> =
            self.reasons.iter().copied().filter(|(_, items)| *items > 0).collect();
        reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let left_out: i64 = reasons.iter().map(|(_, items)| items).sum();
        let begin = format!("Left out: {} of {}", grouped(left_out), count(self.items, "item", "items"));
        match reasons.as_slice() {
            [] => None,
            [(why, _)] => Some(format!("{begin}, because {why}.")),
            several => {
                let each: Vec<String> =
                    several.iter().map(|(why, items)| format!("{} because {why}", grouped(*items))).collect();
                Some(format!("{begin}: {}.", each.join(", ")))
            }
        }
    }
}

fn more_or_fewer(change: i64, one: &str, many: &str) -> String {
    let comparison = if change > 0 { "more" } else { "fewer" };
    let noun = if change.abs() == 1 { one } else { many };
    format!("{} {comparison} {noun}", grouped(change.abs()))
}

fn count(count: i64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// `value ÷ by`, rounded half away from zero; `by` is positive.
fn rounded(value: i64, by: i64) -> i64 {
    (value.abs() + by / 2) / by * value.signum()
}

/// `12,345`.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut grouped = String::from(if number < 0 { "−" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const COMPARED: Compared<'static> = Compared {
        policy: "95% service",
        days: 91,
        item_days: 5_461,
        empty_days: [40, 71],
        stock: [Money(9_420_030), Money(8_000_000)],
        orders: [104, 78],
    };

    #[test]
    fn a_policy_is_compared_in_one_sentence() {
        assert_eq!(
            COMPARED.words(),
            "With 95% service: 31 fewer empty days of 5,461 item-days, ₱14,200 more stock, 2 more orders a week."
        );
        let worse =
            Compared { empty_days: [72, 71], stock: [Money(0), Money(123)], orders: [84, 78], ..COMPARED };
        assert_eq!(
            worse.words(),
            "With 95% service: 1 more empty day of 5,461 item-days, ₱1 less stock, 0.5 more orders a week."
        );
        let same =
            Compared { empty_days: [71, 71], stock: [Money(50), Money(1)], orders: [78, 78], ..COMPARED };
        assert_eq!(
            same.words(),
            "With 95% service: as many empty days (71 of 5,461 item-days), as much stock, as many orders a week."
        );
    }

    #[test]
    fn what_was_left_out_is_said_with_its_reasons() {
        let uncounted = "they were not counted before the first day";
        let left_out = LeftOut { reasons: &[(uncounted, 772)], items: 1_267 };
        assert_eq!(
            left_out.words().as_deref(),
            Some("Left out: 772 of 1,267 items, because they were not counted before the first day.")
        );
        let several = LeftOut { reasons: &[("no product brings them", 72), (uncounted, 700)], items: 1_267 };
        assert_eq!(
            several.words().as_deref(),
            Some(
                "Left out: 772 of 1,267 items: 700 because they were not counted before the first day, \
                 72 because no product brings them."
            )
        );
        assert_eq!(LeftOut { reasons: &[("no", 0)], items: 5 }.words(), None);
    }

    proptest! {
        #[test]
        fn fewer_and_more_are_never_mixed_up(
            here in 0i64..5_000, really in 0i64..5_000, stock in 0i64..1_000_000_000, other in 0i64..1_000_000_000,
        ) {
            let words = Compared {
                empty_days: [here, really], stock: [Money(stock), Money(other)], ..COMPARED
            }.words();
            prop_assert_eq!(words.contains("fewer empty day"), here < really);
            prop_assert_eq!(words.contains("more empty day"), here > really);
            prop_assert!(!words.contains("more stock") || stock > other);
            prop_assert!(!words.contains("less stock") || stock < other);
            prop_assert!(words.contains("of 5,461 item-days"));
        }
    }
}
