//! Where an ordered quantity stands. Always, in any unit and in any sum:
//!
//! - asked = cut + approved
//! - approved = sent + to send + closed short
//! - to send = covered + short

use super::quantity::base;
use crate::{Factor, Qty};

/// The figures of an order line, in its unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    pub ordered: Qty,
    /// `None` until answered: then everything ordered is still to be sent.
    pub approved: Option<Qty>,
    pub dispatched: Qty,
    pub short_closed: Qty,
    /// The most to be dispatched until stock is shared again; `None` if it was not shared.
    pub shared_up_to: Option<Qty>,
}

/// Where an ordered quantity stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    pub asked: Qty,
    /// Asked and not approved; negative if more was approved than asked.
    pub cut: Qty,
    pub approved: Qty,
    pub sent: Qty,
    pub to_send: Qty,
    /// Of `to_send`: what sharing leaves for this line; all of it if nothing was shared.
    pub sendable: Qty,
    pub closed_short: Qty,
}

impl Standing {
    /// Where a line stands, in its unit. What was sent beyond the approved quantity counts as approved.
    #[must_use]
    pub fn of(line: &Figures) -> Self {
        let done = line.dispatched.0.saturating_add(line.short_closed.0);
        let approved = line.approved.unwrap_or(line.ordered).0.max(done);
        let to_send = approved - done;
        let sendable = line
            .shared_up_to
            .map_or(to_send, |most| most.0.saturating_sub(line.dispatched.0).clamp(0, to_send));
        Self {
            asked: line.ordered,
            cut: Qty(line.ordered.0.saturating_sub(approved)),
            approved: Qty(approved),
            sent: line.dispatched,
            to_send: Qty(to_send),
            sendable: Qty(sendable),
            closed_short: line.short_closed,
        }
    }

    /// The same in base units. Sums are rounded and not their parts, so the parts still add up.
    ///
    /// # Errors
    /// `None` past the ledger's range.
    #[must_use]
    pub fn in_base(self, factor: Factor) -> Option<Self> {
        let sent = base(self.sent, factor)?;
        let up_to = |part: Qty| base(self.sent.checked_add(part)?, factor);
        let (sendable, to_send) = (up_to(self.sendable)?, up_to(self.to_send)?);
        let (approved, asked) = (base(self.approved, factor)?, base(self.asked, factor)?);
        Some(Self {
            asked,
            cut: asked.checked_sub(approved)?,
            approved,
            sent,
            to_send: to_send.checked_sub(sent)?,
            sendable: sendable.checked_sub(sent)?,
            closed_short: approved.checked_sub(to_send)?,
        })
    }

    /// The sum with another one of the same unit.
    ///
    /// # Errors
    /// `None` on overflow.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self {
            asked: self.asked.checked_add(other.asked)?,
            cut: self.cut.checked_add(other.cut)?,
            approved: self.approved.checked_add(other.approved)?,
            sent: self.sent.checked_add(other.sent)?,
            to_send: self.to_send.checked_add(other.to_send)?,
            sendable: self.sendable.checked_add(other.sendable)?,
            closed_short: self.closed_short.checked_add(other.closed_short)?,
        })
    }

    /// How much of what is to be sent is covered by what is there, and how much is short.
    #[must_use]
    pub fn supply(self, there: Qty) -> Supply {
        let covered = Qty(self.to_send.0.min(there.0.max(0)));
        Supply { covered, short: Qty(self.to_send.0 - covered.0) }
    }
}

/// `covered` + `short` is what is to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Supply {
    pub covered: Qty,
    pub short: Qty,
}

/// What an order line wants of a kitchen, in base units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Want {
    pub to_send: Qty,
    /// Of it: what sharing leaves for the line.
    pub sendable: Qty,
    /// Of it: what deliveries that have not left carry.
    pub loaded: Qty,
}

/// How much of each line of a product is covered by what is there: first what deliveries carry that have not left, then
/// what sharing leaves for each line, then the rest, each time in the order of the lines. Together they are covered and
/// short as their sum is.
#[must_use]
pub fn cover(lines: &[Want], there: Qty) -> Vec<Supply> {
    let mut left = there.0.max(0);
    let mut covered = vec![0_i64; lines.len()];
    let limits: [fn(&Want) -> i64; 3] = [|line| line.loaded.0, |line| line.sendable.0, |line| line.to_send.0];
    for limit in limits {
        for (line, covered) in lines.iter().zip(&mut covered) {
            let most = limit(line).min(line.to_send.0);
            let more = (most - *covered).clamp(0, left);
            *covered += more;
            left -= more;
        }
    }
    let supply = |(line, covered): (&Want, i64)| Supply {
        covered: Qty(covered),
        short: Qty(line.to_send.0.max(0) - covered),
    };
    lines.iter().zip(covered).map(supply).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(ordered: i64, approved: Option<i64>, dispatched: i64, short_closed: i64) -> Figures {
        let (approved, shared_up_to) = (approved.map(Qty), None);
        Figures {
            ordered: Qty(ordered),
            approved,
            dispatched: Qty(dispatched),
            short_closed: Qty(short_closed),
            shared_up_to,
        }
    }

    #[test]
    fn an_order_stands_where_its_figures_say() {
        for (figures, [cut, approved, to_send, closed]) in [
            (line(12, None, 0, 0), [0, 12, 12, 0]),
            (line(12, Some(10), 0, 0), [2, 10, 10, 0]),
            (line(12, Some(10), 4, 0), [2, 10, 6, 0]),
            (line(12, Some(10), 4, 6), [2, 10, 0, 6]),
            // More than asked, and sent beyond what was approved.
            (line(12, Some(15), 0, 0), [-3, 15, 15, 0]),
            (line(12, Some(10), 11, 0), [1, 11, 0, 0]),
        ] {
            let it = Standing::of(&figures);
            assert_eq!(
                [it.cut, it.approved, it.to_send, it.closed_short],
                [cut, approved, to_send, closed].map(Qty),
                "{figures:?}"
            );
        }
    }

    #[test]
    fn what_was_shared_is_sent_and_the_rest_stays_to_be_sent() {
        let shared = |up_to, dispatched| {
            let figures = Figures { shared_up_to: Some(Qty(up_to)), ..line(50, Some(50), dispatched, 0) };
            let it = Standing::of(&figures);
            (it.to_send.0, it.sendable.0)
        };
        assert_eq!(shared(38, 0), (50, 38));
        assert_eq!(shared(38, 30), (20, 8));
        assert_eq!(shared(38, 38), (12, 0));
        assert_eq!(shared(38, 45), (5, 0));
        assert_eq!(shared(60, 10), (40, 40));
    }

    #[test]
    fn what_is_there_goes_to_trucks_first_then_by_shares_then_in_order() {
        let want = |to_send, sendable, loaded| Want {
            to_send: Qty(to_send),
            sendable: Qty(sendable),
            loaded: Qty(loaded),
        };
        let short = |lines: &[Want], there| -> Vec<i64> {
            cover(lines, Qty(there)).iter().map(|supply| supply.short.0).collect()
        };
        assert_eq!(short(&[want(10, 10, 0), want(10, 10, 0)], 15), [0, 5]);
        assert_eq!(short(&[want(10, 10, 0), want(10, 10, 8)], 15), [3, 2]);
        assert_eq!(short(&[want(10, 6, 0), want(10, 9, 0)], 15), [4, 1]);
        assert_eq!(short(&[want(10, 6, 0), want(10, 9, 0)], 18), [1, 1]);
        assert_eq!(short(&[want(10, 10, 40)], -5), [10]);
    }

    fn figures() -> impl Strategy<Value = Figures> {
        let qty = || (0i64..2_000_000_000).prop_map(Qty);
        (qty(), prop::option::of(qty()), qty(), qty(), prop::option::of(qty())).prop_map(
            |(ordered, approved, dispatched, short_closed, shared_up_to)| Figures {
                ordered,
                approved,
                dispatched,
                short_closed,
                shared_up_to,
            },
        )
    }

    fn adds_up(it: &Standing) -> bool {
        it.asked.0 == it.cut.0 + it.approved.0
            && it.approved.0 == it.sent.0 + it.to_send.0 + it.closed_short.0
            && [it.sent, it.sendable, it.to_send, it.closed_short].iter().all(|part| part.0 >= 0)
            && it.sendable <= it.to_send
    }

    proptest! {
        #[test]
        fn figures_add_up_per_line_in_base_units_and_in_sums(
            lines in prop::collection::vec((figures(), 1i64..100_000_000_000), 1..8),
            there in -1_000_000_000i64..100_000_000_000,
        ) {
            let mut sum = Standing::default();
            let mut wants = Vec::new();
            for (figures, factor) in &lines {
                let standing = Standing::of(figures);
                prop_assert!(adds_up(&standing), "{standing:?}");
                let factor = Factor(*factor);
                let in_base = standing.in_base(factor).expect("in range");
                prop_assert!(adds_up(&in_base), "{in_base:?}");
                prop_assert_eq!(Some(in_base.asked), base(figures.ordered, factor));
                sum = sum.checked_add(in_base).expect("in range");
                let (to_send, sendable) = (in_base.to_send, in_base.sendable);
                wants.push(Want { to_send, sendable, loaded: Qty(figures.dispatched.0 / 2) });
            }
            prop_assert!(adds_up(&sum), "{sum:?}");
            let supply = sum.supply(Qty(there));
            prop_assert_eq!(supply.covered.0 + supply.short.0, sum.to_send.0);
            prop_assert!(supply.covered.0 >= 0 && supply.short.0 >= 0);
            prop_assert!(supply.short.is_zero() || supply.covered.0 == there.max(0));
            let of_lines = cover(&wants, Qty(there));
            for (want, line) in wants.iter().zip(&of_lines) {
                prop_assert_eq!(line.covered.0 + line.short.0, want.to_send.0);
                prop_assert!(line.covered.0 >= 0 && line.short.0 >= 0);
            }
            let covered: i64 = of_lines.iter().map(|line| line.covered.0).sum();
            prop_assert_eq!(covered, supply.covered.0);
        }
    }
}
