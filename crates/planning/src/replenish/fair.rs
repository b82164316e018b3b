//! From an advice to what a store asks for where a kitchen has too little. The shares themselves are
//! [`larder_domain::document::share::equal_cover`], in exact quantities.

use larder_domain::Qty;
use larder_domain::document::share::Ask;

use super::{Advice, Question};

/// What a store asks for, to the millionth: the advised quantity as its need, and demand ÷ days as what it uses in a day.
///
/// `None` where a figure is past what an exact quantity can hold.
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

/// The nearest exact quantity; `None` past what one can hold.
pub(crate) fn exact(figure: f64) -> Option<Qty> {
    let millionths = (figure * 1e6).round();
    (millionths.abs() < 9e18).then_some(Qty(millionths as i64))
}
