//! From an advice to a store's request where a kitchen is short. The allocation itself is
//! [`larder_domain::document::share::equal_cover`], in exact quantities.

use larder_domain::Qty;
use larder_domain::document::share::Ask;

use super::{Advice, Question};

/// A store's request, to the millionth: the advised quantity as its need, and demand ÷ days as its daily usage.
///
/// `None` on overflow of an exact quantity.
#[must_use]
pub fn ask<'a>(store: &'a str, question: &Question<'_>, advice: &Advice) -> Option<Ask<'a>> {
    Some(Ask {
        store,
        need: exact(advice.quantity)?,
        pack: exact(question.pack)?,
        position: exact(advice.position)?,
        rate: exact(advice.demand / question.days() as f64)?,
    })
}

/// The nearest exact quantity; `None` on overflow.
pub(crate) fn exact(figure: f64) -> Option<Qty> {
    let millionths = (figure * 1e6).round();
    (millionths.abs() < 9e18).then_some(Qty(millionths as i64))
}
