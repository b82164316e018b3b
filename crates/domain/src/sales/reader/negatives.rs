//! Lines with a negative amount and no negative quantity.

use std::collections::BTreeMap;

use super::known::KnownItems;
use super::modifiers::{Named, take_modifiers};
use crate::sales::Kind;
use crate::sales::control::{Control, Reason};
use crate::sales::line::{FileTotals, Line, NONE, Tables};
use crate::sales::mapping::NegativeLines;

/// Negative lines, held until it is known which items are sold.
#[derive(Debug, Default)]
pub(super) struct Negatives {
    means: Option<NegativeLines>,
    held: Vec<(Line, FileTotals, Option<Named>)>,
    /// By item, whether it is sold on some line.
    sold: Vec<bool>,
    /// The items of lines with a negative quantity that no word calls returns, whether the lines have no receipt number,
    /// and the number of these lines.
    back: BTreeMap<(u32, bool), u64>,
    pub found: NegativesFound,
}

/// The negative lines of items that are neither known nor sold on other lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NegativesFound {
    pub lines: u64,
    /// Their sum, in centavos.
    pub net: i64,
    /// Those without a receipt number, so that it is unknown what they reduce.
    pub loose: u64,
    /// Lines with a negative quantity, besides.
    pub back: u64,
}

impl Negatives {
    pub fn new(means: Option<NegativeLines>) -> Self {
        Self { means, ..Self::default() }
    }

    /// Remembers the item of a sale.
    pub fn sold(&mut self, line: &Line) {
        let at = line.item as usize;
        if self.sold.len() <= at {
            self.sold.resize(at + 1, false);
        }
        self.sold[at] |= line.kind == Kind::Sale && line.qty > 0;
    }

    /// Keeps a negative line with its figures as written, and its modifiers.
    pub fn hold(&mut self, line: Line, written: FileTotals, added: Option<Named>) {
        self.held.push((line, written, added));
    }

    /// Remembers a line with a negative quantity; whether it is held until it is known which items are sold.
    pub fn came_back(&mut self, line: Line, written: FileTotals, added: Option<&Named>) -> bool {
        *self.back.entry((line.item, line.receipt == NONE)).or_default() += 1;
        let held = self.means == Some(NegativeLines::Discounts);
        if held {
            self.hold(line, written, added.cloned());
        }
        held
    }

    /// Emits the lines held: as returns of items that are known or sold, else as discounts. Lines without a receipt number
    /// that were said to be discounts stay so: their names are listed as items, and are known by the next file.
    pub fn release(
        &mut self,
        tables: &Tables,
        known: &KnownItems,
        control: &mut Control,
        take: &mut impl FnMut(Line),
    ) {
        let (sold, told) = (&self.sold, self.means == Some(NegativeLines::Discounts));
        let is_item = |item: u32, loose: bool| {
            let at = item as usize;
            sold.get(at).copied().unwrap_or(false) || (!(told && loose) && known.has(&tables.items[at]))
        };
        for (line, written, added) in self.held.drain(..) {
            let name = || tables.items[line.item as usize].name.clone();
            let returned = is_item(line.item, line.receipt == NONE);
            if !returned && line.qty >= 0 {
                self.found.lines += 1;
                self.found.net = self.found.net.saturating_add(line.net);
                self.found.loose += u64::from(line.receipt == NONE);
            }
            if returned || self.means == Some(NegativeLines::Returns) {
                let qty = if line.qty == 0 { -1_000_000 } else { -line.qty.abs() };
                let each = i128::from(line.net) * 1_000_000 / i128::from(qty);
                let unit_price = i64::try_from(each).unwrap_or(0);
                let posted = FileTotals { qty, net: line.net };
                control.leave_rest(line.row, Reason::ReturnSign, written, posted, name);
                let line = Line { kind: Kind::Return, qty, unit_price, ..line };
                take(line);
                if let Some(added) = added {
                    take_modifiers(&added, &line, &tables.items, control, take);
                }
            } else {
                let posted = FileTotals { qty: 0, net: line.net };
                control.leave_rest(line.row, Reason::Discount, written, posted, name);
                take(Line { kind: Kind::Sale, qty: 0, unit_price: 0, discount: -line.net, ..line });
            }
        }
        let unsold = self.back.iter().filter(|((item, loose), _)| !is_item(*item, *loose));
        self.found.back = unsold.map(|(_, lines)| *lines).sum();
    }
}
