//! Corrections of posted lines. What belongs to a line follows it.

use std::collections::HashSet;
use std::sync::Arc;

use super::family::moved;
use super::{DayLine, MILLION, SoldItem, StoreDay};
use crate::decimal::div_round;
use crate::sales::Kind;
use crate::sales::line::{MAX_AMOUNT, MAX_QTY};

/// A correction of one posted line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineChange {
    /// The line's number, by which errors name it. Lines of one row share it.
    pub line_no: u32,
    /// The line's index in the day before any change; `None`: the first line with the number that is still there.
    pub place: Option<usize>,
    /// The new quantity, in millionths.
    pub qty: Option<i64>,
    /// The new unit price, in centavos.
    pub unit_price: Option<i64>,
    /// The new discount, in centavos.
    pub discount: Option<i64>,
    /// The correct POS item.
    pub pos_item_id: Option<Arc<str>>,
    /// Whether to remove the line, with the lines that belong to it.
    pub remove: bool,
}

/// A change that is refused: the number of the line, and why.
type Refused = (u32, &'static str);

impl StoreDay {
    /// The indexes of the lines that changes are about. A line that is removed with the line it belongs to may be removed
    /// by a change of its own as well.
    ///
    /// # Errors
    /// The number of a line that is missing, and that it is.
    pub fn places(&self, changes: &[LineChange]) -> Result<Vec<usize>, (u32, &'static str)> {
        let mut gone = vec![false; self.lines.len()];
        let mut places = Vec::with_capacity(changes.len());
        for change in changes {
            let missing = (change.line_no, "This day has no such line.");
            let of_number = |at: &usize| self.lines[*at].line_no == change.line_no;
            let numbered = || (0..gone.len()).find(|at| of_number(at) && !gone[*at]);
            // It may have gone with the line it belongs to.
            let removed = || (0..gone.len()).find(|at| change.remove && of_number(at));
            let at = change.place.or_else(numbered).or_else(removed).ok_or(missing)?;
            if gone.get(at).is_none_or(|gone| *gone && !change.remove) {
                return Err(missing);
            }
            if change.remove {
                gone[at] = true;
                self.children(at).for_each(|child| gone[child] = true);
            }
            places.push(at);
        }
        Ok(places)
    }

    /// The indexes of the lines that belong to a line.
    pub fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let parent = i32::try_from(at).unwrap_or(i32::MAX);
        self.lines.iter().enumerate().filter(move |(_, line)| line.parent == parent).map(|(child, _)| child)
    }

    /// Applies corrections; the net of a changed line is recomputed as quantity × price − discount. What belongs to a line
    /// is removed with it, and its quantity changes in proportion, unless another correction states it.
    ///
    /// # Errors
    /// The number of the line, and what is wrong with its change.
    pub fn correct(&mut self, changes: &[LineChange]) -> Result<(), (u32, &'static str)> {
        let places = self.places(changes)?;
        let stated: HashSet<usize> = places
            .iter()
            .zip(changes)
            .filter(|(_, change)| change.remove || change.qty.is_some())
            .map(|(at, _)| *at)
            .collect();
        let mut gone = vec![false; self.lines.len()];
        for (&at, change) in places.iter().zip(changes) {
            if change.remove {
                gone[at] = true;
                self.children(at).for_each(|child| gone[child] = true);
                continue;
            }
            if let Some(id) = &change.pos_item_id {
                self.rename(at, id);
            }
            let before = self.lines[at].qty;
            if change.qty.is_some() || change.unit_price.is_some() || change.discount.is_some() {
                change_figures(&mut self.lines[at], change)?;
            }
            if self.lines[at].qty != before {
                let follow: Vec<usize> = self.children(at).filter(|child| !stated.contains(child)).collect();
                for child in follow {
                    self.lines[child] = follow_parent(self.lines[child], before, self.lines[at].qty)
                        .map_err(|message| (change.line_no, message))?;
                }
            }
        }
        self.leave_out(&gone);
        Ok(())
    }

    fn rename(&mut self, at: usize, id: &Arc<str>) {
        let line = self.lines[at].item as usize;
        let item = SoldItem { pos_item_id: id.clone(), source_item: self.items[line].source_item.clone() };
        let place = self.items.iter().position(|known| *known == item).unwrap_or_else(|| {
            self.items.push(item);
            self.items.len() - 1
        });
        self.lines[at].item = u32::try_from(place).unwrap_or(u32::MAX);
    }

    fn leave_out(&mut self, gone: &[bool]) {
        if !gone.contains(&true) {
            return;
        }
        let mut next = 0;
        let to: Vec<i32> = gone
            .iter()
            .map(|gone| {
                let at = if *gone { -1 } else { next };
                next += i32::from(!*gone);
                at
            })
            .collect();
        let mut stays = gone.iter().map(|gone| !gone);
        self.lines.retain(|_| stays.next().unwrap_or(true));
        self.lines.iter_mut().for_each(|line| line.parent = moved(line.parent, &to));
    }
}

/// Changes quantity, price and discount of a line.
fn change_figures(line: &mut DayLine, change: &LineChange) -> Result<(), Refused> {
    let came_back = line.qty < 0;
    line.qty = change.qty.unwrap_or(line.qty);
    line.unit_price = change.unit_price.unwrap_or(line.unit_price);
    // A discount is deducted from a sale and given back by a return: it flips when the sign changes.
    let same = came_back == (line.qty < 0);
    line.discount = change.discount.unwrap_or(if same { line.discount } else { -line.discount });
    if line.unit_price < 0 {
        return Err((change.line_no, "A price cannot be negative."));
    }
    if line.qty >= 0 && line.discount < 0 {
        return Err((change.line_no, "A discount cannot be negative."));
    }
    match (line.kind, line.qty < 0) {
        (Kind::Sale, true) => line.kind = Kind::Return,
        (Kind::Return, false) => line.kind = Kind::Sale,
        _ => {}
    }
    let gross = crate::Qty(line.qty).times(crate::Money(line.unit_price));
    line.net = gross
        .and_then(|gross| gross.0.checked_sub(line.discount))
        .filter(|net| net.abs() <= MAX_AMOUNT && line.qty.abs() <= MAX_QTY)
        .ok_or((change.line_no, "The quantity or the amount is too large for one line."))?;
    Ok(())
}

/// A line after the quantity of the line it belongs to changed. Whole pieces stay whole.
fn follow_parent(line: DayLine, before: i64, after: i64) -> Result<DayLine, &'static str> {
    // Nothing tells how many belong to one.
    if before == 0 {
        return Ok(line);
    }
    let scaled = i128::from(line.qty) * i128::from(after);
    let qty = i64::try_from(scaled / i128::from(before))
        .ok()
        .filter(|qty| scaled % i128::from(before) == 0 && (line.qty % MILLION != 0 || qty % MILLION == 0));
    let qty = qty.ok_or(
        "The quantity of a line that belongs to this one does not follow: it would not be whole. Correct that line first.",
    )?;
    let mut line = line;
    let discount = div_round(i128::from(line.discount) * i128::from(after), i128::from(before));
    let change = LineChange { qty: Some(qty), discount, ..LineChange::default() };
    change_figures(&mut line, &change).map_err(|(_, message)| message)?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{line, store_day};
    use super::*;
    use proptest::prelude::*;

    fn at(place: usize) -> LineChange {
        LineChange { place: Some(place), ..LineChange::default() }
    }

    fn child(row: u32, parent: i32, qty: i64) -> DayLine {
        DayLine { parent, unit_price: 0, ..line(row, 1, Kind::Sale, qty, 0) }
    }

    /// Two combos of row 2 with two fries and four nuggets, then bread, then jam that belongs to the bread.
    fn combos() -> StoreDay {
        store_day(vec![
            line(2, 0, Kind::Sale, 2 * MILLION, 200),
            child(2, 0, 2 * MILLION),
            child(2, 0, 4 * MILLION),
            line(3, 0, Kind::Sale, MILLION, 100),
            child(4, 3, MILLION),
        ])
    }

    fn seen(day: &StoreDay) -> Vec<(u32, i64, i32)> {
        day.lines.iter().map(|line| (line.line_no, line.qty / MILLION, line.parent)).collect()
    }

    #[test]
    fn a_correction_changes_only_what_it_names() {
        let mut day =
            store_day(vec![line(2, 0, Kind::Sale, 1_000_000, 100), line(3, 1, Kind::Sale, 1_000_000, 100)]);
        let changes = [
            LineChange { line_no: 2, qty: Some(-2_000_000), ..LineChange::default() },
            LineChange { line_no: 3, pos_item_id: Some("c".into()), ..LineChange::default() },
        ];
        day.correct(&changes).expect("both lines are there");
        assert_eq!((day.lines[0].net, day.lines[0].kind), (-200, Kind::Return));
        assert_eq!(day.lines[1].net, 100);
        assert_eq!(day.items[day.lines[1].item as usize].pos_item_id.as_ref(), "c");
        // A return gives its discount back; corrected to a sale, the line deducts it.
        day.lines[0].discount = -10;
        let sold = [LineChange { line_no: 2, qty: Some(2_000_000), ..LineChange::default() }];
        day.correct(&sold).expect("a sale");
        assert_eq!((day.lines[0].kind, day.lines[0].discount), (Kind::Sale, 10));
        let gone = [LineChange { line_no: 2, remove: true, ..LineChange::default() }];
        day.correct(&gone).expect("the line is there");
        assert!(day.correct(&gone).is_err());
    }

    #[test]
    fn children_are_removed_with_their_parent() {
        let mut day = combos();
        day.correct(&[LineChange { remove: true, ..at(0) }]).expect("the line is there");
        assert_eq!(seen(&day), [(3, 1, -1), (4, 1, 0)], "the jam still belongs to the bread");
        // A child may go alone, or be named beside its parent.
        let mut day = combos();
        day.correct(&[LineChange { remove: true, ..at(1) }]).expect("the line is there");
        assert_eq!(seen(&day), [(2, 2, -1), (2, 4, 0), (3, 1, -1), (4, 1, 2)]);
        let both = [LineChange { remove: true, ..at(0) }, LineChange { remove: true, ..at(1) }];
        day.correct(&both).expect("they are there");
        assert_eq!(seen(&day), [(3, 1, -1), (4, 1, 0)]);
        let mut day = combos();
        let late = [LineChange { remove: true, ..at(0) }, LineChange { line_no: 2, qty: Some(0), ..at(2) }];
        assert_eq!(day.correct(&late).map_err(|(line_no, _)| line_no), Err(2));
        let none = [LineChange { line_no: 9, ..at(5) }];
        assert_eq!(combos().correct(&none).map_err(|(line_no, _)| line_no), Err(9));
    }

    #[test]
    fn quantities_of_children_follow() {
        let mut day = combos();
        day.correct(&[LineChange { qty: Some(3 * MILLION), ..at(0) }]).expect("three");
        assert_eq!(seen(&day), [(2, 3, -1), (2, 3, 0), (2, 6, 0), (3, 1, -1), (4, 1, 3)]);
        day.correct(&[LineChange { qty: Some(-MILLION), ..at(0) }]).expect("one comes back");
        assert_eq!(seen(&day)[..3], [(2, -1, -1), (2, -1, 0), (2, -2, 0)]);
        assert!(day.lines[..3].iter().all(|line| line.kind == Kind::Return));
        // One of two combos with fries: three combos have no whole number of them.
        let mut day = combos();
        day.correct(&[LineChange { qty: Some(MILLION), ..at(1) }]).expect("a child is corrected alone");
        assert_eq!(seen(&day)[..3], [(2, 2, -1), (2, 1, 0), (2, 4, 0)]);
        let three = LineChange { line_no: 2, qty: Some(3 * MILLION), ..at(0) };
        assert_eq!(day.clone().correct(std::slice::from_ref(&three)).map_err(|(no, _)| no), Err(2));
        let stated = LineChange { line_no: 2, qty: Some(MILLION), ..at(1) };
        day.correct(&[three, stated]).expect("the fries are stated");
        assert_eq!(seen(&day)[..3], [(2, 3, -1), (2, 1, 0), (2, 6, 0)]);
        // Price and item of the parent are its own.
        let item = LineChange { unit_price: Some(70), pos_item_id: Some("c".into()), ..at(0) };
        day.correct(&[item]).expect("the line is there");
        assert_eq!((day.lines[0].net, day.lines[1].net, day.lines[1].item), (210, 0, 1));
    }

    proptest! {
        #[test]
        fn what_stays_belongs_to_what_it_did(
            of in proptest::collection::vec((any::<bool>(), 0usize..20), 1..20),
            removed in proptest::collection::vec(0usize..20, 0..6),
        ) {
            let own = |at: usize| of[at].0;
            let parent = |at: usize, to: usize| {
                let to = (at + to) % of.len();
                if own(at) || !own(to) { -1 } else { i32::try_from(to).expect("few") }
            };
            let numbers = 2..;
            let lines = numbers.zip(of.iter().enumerate());
            let lines: Vec<DayLine> =
                lines.map(|(row, (at, (_, to)))| child(row, parent(at, *to), MILLION)).collect();
            let number_of = |lines: &[DayLine], parent: i32| usize::try_from(parent).ok().map(|at| lines[at].line_no);
            let before: Vec<_> = lines.iter().map(|line| (line.line_no, number_of(&lines, line.parent))).collect();
            let changes: Vec<LineChange> =
                removed.iter().map(|to| LineChange { remove: true, ..at(to % of.len()) }).collect();
            let gone: Vec<u32> = changes.iter().filter_map(|it| it.place).map(|at| lines[at].line_no).collect();
            let mut day = store_day(lines);
            day.correct(&changes).expect("lines that are there");
            let after: Vec<_> = day.lines.iter().map(|line| (line.line_no, number_of(&day.lines, line.parent))).collect();
            let stays = |(line_no, parent): &(u32, Option<u32>)| {
                !gone.contains(line_no) && parent.is_none_or(|parent| !gone.contains(&parent))
            };
            prop_assert_eq!(after, before.into_iter().filter(stays).collect::<Vec<_>>());
        }
    }
}
