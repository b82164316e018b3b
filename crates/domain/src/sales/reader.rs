//! Parses a row of a till's file into a sales line, or a list of problems.

mod cells;
mod families;
mod faults;
mod filled;
mod known;
mod marked;
mod modifiers;
mod names;
mod negatives;
mod split;
mod statuses;
mod sums;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Kind;
use super::amounts::Amounts;
use super::control::{Control, Reason};
use super::line::{Cell, FileTotals, Line, MAX_QTY, NONE, Problem, Row, SeenItem, Tables, shown};
use super::mapping::{Field, Mapping};
use super::names::{Interner, key, tidy};
use super::numbers::{Decimal, NumberError, centavos, millionths};
use super::receipt_level_figures::ReceiptLevelReader;
use super::spread::Spread;
use super::totals::{LeftOut, Marks, says_total};
use families::Families;
use faults::number_words;
use filled::Filled;
pub use known::KnownItems;
use marked::Marked;
pub use marked::PartsFound;
pub use modifiers::ModifiersFound;
use modifiers::{Modifiers, Named, take_modifiers};
use negatives::Negatives;
pub use negatives::NegativesFound;
use split::{Part, Split};
use statuses::Statuses;
pub use statuses::UnknownWord;

/// Reads rows by one mapping and collects the tables of names.
#[derive(Debug)]
pub struct LineReader {
    mapping: Mapping,
    columns: [Option<usize>; Field::ALL.len()],
    decimals: [Decimal; Field::ALL.len()],
    least_width: usize,
    width: usize,
    /// The names seen so far.
    pub tables: Tables,
    /// The sums of the file's own cells, and what of them is left out.
    pub control: Control,
    /// The sums of all readable rows that are no totals, to recognise totals by.
    running: FileTotals,
    /// The total rows left out.
    pub left_out: LeftOut,
    /// Number of rows that the workbook hides, read or not.
    pub hidden: u64,
    /// Whether unclear rows are left out and asked about; else they are problems.
    asking: bool,
    /// The last day that a sale can have.
    today: i32,
    about: About,
    statuses: Statuses,
    negatives: Negatives,
    known: Arc<KnownItems>,
    modifiers: Modifiers,
    families: Option<Families>,
    marked: Marked,
    split: Option<Split>,
    /// The item number of each product column.
    products: Vec<(usize, u32)>,
    beside: Option<ReceiptLevelReader>,
    /// The total of the current receipt, where its lines have no amounts.
    receipt_total: i64,
    spread: Option<Spread>,
    /// Columns whose empty cells repeat the value above, with that value.
    above: Vec<(usize, Vec<u8>)>,
    marks: Marks,
    /// The same for each date column, where days have columns of their own: a sum below them is that of its column.
    parts: BTreeMap<usize, (Marks, FileTotals)>,
    /// By item, whether its name is that of a total.
    sums: Vec<bool>,
    raw_stores: Interner,
    raw_items: Interner,
    store_ids: Vec<u32>,
    item_ids: Vec<u32>,
    store_keys: Interner,
    item_keys: Interner,
}

/// What the row just read is, besides its line.
#[derive(Debug, Clone, Copy, Default)]
struct About {
    /// Its figures as written.
    written: FileTotals,
    /// A word that is not known keeps it out.
    unknown: bool,
    /// A negative amount without a negative quantity.
    negative: bool,
    /// A negative quantity and amount, and no word that calls it a return.
    back: bool,
    /// What it is of a receipt whose lines are repeated.
    part: Option<Part>,
    /// The place of its payment among those of such a receipt.
    payment: usize,
}

/// A row's figures as read, in millionths.
struct Numbers {
    quantity: Option<i64>,
    price: Option<i64>,
    discount: Option<i64>,
    net: Option<i64>,
}

impl LineReader {
    /// A reader for files of `width` columns. Whatever is unclear about a row is a problem.
    #[must_use]
    pub fn new(mapping: Mapping, width: usize) -> Self {
        let mut columns = [None; Field::ALL.len()];
        let mut decimals = [mapping.decimal; Field::ALL.len()];
        for (at, field) in Field::ALL.into_iter().enumerate() {
            columns[at] = mapping.column(field);
            decimals[at] = mapping.decimal_of(field);
        }
        let least_width = columns.iter().flatten().max().map_or(0, |most| most + 1);
        let mut tables = Tables::default();
        let beside = ReceiptLevelReader::new(&mapping, &mut tables);
        let spread = mapping.once.iter().flatten().any(|field| *field == Field::Net).then(Spread::default);
        let split = mapping.split_tenders == Some(true) && mapping.column(Field::Receipt).is_some();
        let filled = mapping.fill_down.iter().flatten().filter(|field| **field != Field::Kind);
        let above = filled.filter_map(|field| mapping.column(*field)).map(|column| (column, Vec::new()));
        let above = above.collect();
        let wide: Vec<(usize, String)> =
            mapping.products().iter().map(|p| (p.column, tidy(&p.name))).collect();
        let mut reader = Self {
            columns,
            decimals,
            least_width,
            width,
            tables,
            control: Control::default(),
            running: FileTotals::default(),
            left_out: LeftOut::default(),
            hidden: 0,
            asking: false,
            today: i32::MAX,
            about: About::default(),
            statuses: Statuses::new(&mapping),
            negatives: Negatives::new(mapping.negative_lines),
            known: Arc::default(),
            modifiers: Modifiers::default(),
            families: Families::of(&mapping),
            marked: Marked::default(),
            split: split.then(Split::default),
            products: Vec::new(),
            beside,
            receipt_total: 0,
            spread,
            above,
            marks: Marks::default(),
            parts: BTreeMap::new(),
            sums: Vec::new(),
            raw_stores: Interner::default(),
            raw_items: Interner::default(),
            store_ids: Vec::new(),
            item_ids: Vec::new(),
            store_keys: Interner::default(),
            item_keys: Interner::default(),
            mapping,
        };
        for (column, name) in wide {
            let item = reader.item_called(name);
            reader.products.push((column, item));
        }
        reader
    }

    /// A reader for a file whose user can be asked: rows with a status that is not known are left out, negative lines are
    /// discounts or returns, and sales after `today` are problems.
    #[must_use]
    pub fn asking(mut self, today: crate::BusinessDay) -> Self {
        (self.asking, self.today) = (true, today.0);
        self
    }

    /// Tells which items are known: their negative lines are returns, whether the file sells them or not.
    #[must_use]
    pub fn knowing(mut self, known: Arc<KnownItems>) -> Self {
        self.known = known;
        self
    }

    /// The number of the item with this name and no code, such as a product column or a modifier.
    fn item_called(&mut self, name: String) -> u32 {
        let key = key(&name);
        if let Some(known) = self.item_keys.find(key.as_bytes()) {
            return known;
        }
        self.tables.items.push(SeenItem { key: key.clone(), name, ..SeenItem::default() });
        self.item_keys.intern(key.as_bytes())
    }

    /// The mapping.
    #[must_use]
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// The words of status columns that are not known by themselves, most frequent first.
    #[must_use]
    pub fn unknown_words(&self) -> Vec<UnknownWord> {
        self.statuses.unknown()
    }

    /// The negative lines, once all rows are read.
    #[must_use]
    pub fn negative_lines(&self) -> NegativesFound {
        self.negatives.found
    }

    /// The modifiers in the rows so far.
    #[must_use]
    pub fn modifiers_found(&self) -> &ModifiersFound {
        &self.modifiers.found
    }

    /// The marked rows so far that look like parts of a row above.
    #[must_use]
    pub fn parts_found(&self) -> &PartsFound {
        &self.marked.found
    }

    fn column(&self, field: Field) -> Option<usize> {
        self.columns[field as usize]
    }

    /// The decimal mark of a cell.
    fn decimal(&self, field: Field, cell: Cell<'_>) -> Decimal {
        if cell.number { Decimal::Point } else { self.decimals[field as usize] }
    }

    /// Reads one row into its lines: one, or one per product sold where products have columns. A row with problems
    /// yields no lines, and all its problems are reported.
    pub fn read_each(
        &mut self,
        row: u32,
        cells: &impl Row,
        tell: &mut impl FnMut(Problem),
        take: &mut impl FnMut(Line),
    ) {
        let Some(mut families) = self.families.take() else {
            return self.read_filled(row, cells, tell, take);
        };
        families.see(row, cells);
        self.read_filled(row, cells, tell, &mut |line| families.take(line, take));
        self.families = Some(families);
    }

    /// Reads a row whose empty cells may repeat those above.
    fn read_filled(
        &mut self,
        row: u32,
        cells: &impl Row,
        tell: &mut impl FnMut(Problem),
        take: &mut impl FnMut(Line),
    ) {
        if self.above.is_empty() {
            return self.read_row(row, cells, tell, take);
        }
        let above = std::mem::take(&mut self.above);
        self.read_row(row, &Filled { cells, above: &above }, tell, take);
        self.above = above;
        for (column, text) in &mut self.above {
            let own = cells.cell(*column).text;
            if !own.trim_ascii().is_empty() && !says_total(own) {
                text.clear();
                text.extend_from_slice(own);
            }
        }
    }

    /// Emits the remaining lines after the last row.
    pub fn finish(&mut self, take: &mut impl FnMut(Line)) {
        let Some(mut families) = self.families.take() else { return self.release(take) };
        self.release(&mut |line| families.take(line, take));
        families.finish(take);
    }

    fn release(&mut self, take: &mut impl FnMut(Line)) {
        self.release_split(take);
        if let Some(spread) = &mut self.spread {
            spread.release(take);
        }
        self.negatives.release(&self.tables, &self.known, &mut self.control, take);
    }

    /// Lines whose receipt-level value differs from the receipt's first line.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.beside.as_ref().map_or(0, |beside| beside.conflicts)
    }

    /// Starts another sheet: its sums are its own.
    pub fn next_sheet(&mut self) {
        self.marks.mark(self.running);
        self.parts.values_mut().for_each(|(marks, said)| marks.mark(*said));
    }

    fn read_row(
        &mut self,
        row: u32,
        cells: &impl Row,
        tell: &mut impl FnMut(Problem),
        take: &mut impl FnMut(Line),
    ) {
        let before = self.running;
        let mut faults = Vec::new();
        let line = self.read(row, cells, &mut |problem| faults.push(problem));
        if cells.hidden() {
            self.hidden += 1;
            if self.mapping.hidden_rows == Some(false) {
                self.running = before;
                return self.hide(row, cells);
            }
        }
        let odd = match &line {
            None => true,
            Some(_) if !self.products.is_empty() => (0..3).any(|column| says_total(cells.cell(column).text)),
            Some(line) => self.names_sum(line.item),
        };
        if odd && self.is_sum(row, cells, line.as_ref(), before) {
            return;
        }
        self.marks.row();
        if !self.products.is_empty() {
            let part_before = self.running;
            self.read_products(row, cells, line, faults, tell, take);
            return self.add_to_part(cells, part_before);
        }
        self.add_to_part(cells, before);
        let about = self.about;
        self.control.file.add(about.written.qty, about.written.net);
        let added = if line.is_some() { self.modifiers(row, cells) } else { Ok(None) };
        let (line, added) = match added {
            Ok(added) => (line, added),
            Err(fault) => {
                faults.push(fault);
                (None, None)
            }
        };
        let Some(line) = line else {
            let value = faults.first().map(|fault| fault.value.clone());
            self.control.leave(row, Reason::Problem, about.written, || value.unwrap_or_default());
            return faults.into_iter().for_each(tell);
        };
        let total = self.receipt_total;
        if self.split.as_mut().is_some_and(|split| split.hold(line, about, added.as_ref(), total)) {
            return;
        }
        self.take_row(line, about, added, take);
    }

    /// Emits a row's line and its modifiers, or leaves it out.
    fn take_row(&mut self, line: Line, about: About, added: Option<Named>, take: &mut impl FnMut(Line)) {
        let row = line.row;
        let name = |items: &[SeenItem]| items[line.item as usize].name.clone();
        let (items, control) = (&self.tables.items, &mut self.control);
        if let Some(part @ (Part::Payment | Part::Repeat)) = about.part {
            control.leave(row, Reason::RepeatedForTender, about.written, || name(items));
            if part == Part::Payment {
                take(line.carrier());
            }
            return;
        }
        if about.negative {
            return self.negatives.hold(line, about.written, added);
        }
        if !line.counts() {
            let reason = if about.unknown { Reason::UnknownWord } else { Reason::Void };
            control.leave(row, reason, about.written, || name(items));
            take(line);
            if let Some(added) = &added {
                take_modifiers(added, &line, items, control, take);
            }
            return;
        }
        if about.back && self.negatives.came_back(line, about.written, added.as_ref()) {
            return;
        }
        let mut posted = FileTotals { qty: line.qty, net: line.net };
        let mut reason = Reason::ReturnSign;
        if self.asking {
            self.negatives.sold(&line);
        }
        match &mut self.spread {
            None => take(line),
            Some(spread) => {
                let key = (line.store, line.day, line.terminal, line.receipt);
                posted.net = spread.hold(key, self.receipt_total, line, take);
                self.running.add(0, posted.net);
                reason = Reason::RepeatedOnLines;
            }
        }
        // Beside the amounts that are spread: a modifier has none.
        if let Some(added) = &added {
            take_modifiers(added, &line, items, control, take);
        }
        control.leave_rest(row, reason, about.written, posted, || name(items));
    }

    /// Leaves out a row that the workbook hides.
    fn hide(&mut self, row: u32, cells: &impl Row) {
        let mut written = self.about.written;
        if !self.products.is_empty() {
            let cell = |column: &usize| cells.cell(*column);
            let read =
                |cell: Cell<'_>| millionths(cell.text, self.decimal(Field::Quantity, cell)).unwrap_or(0);
            let qty = self.products.iter().map(|(column, _)| read(cell(column)));
            written = FileTotals { qty: qty.fold(0, i64::saturating_add), net: 0 };
        }
        self.control.file.add(written.qty, written.net);
        let item = self.column(Field::ItemName).or(self.column(Field::Item)).unwrap_or(0);
        self.control.leave(row, Reason::Hidden, written, || shown(cells.cell(item).text));
    }

    /// Adds what the sums have grown by to those of the row's date column, if it has one.
    fn add_to_part(&mut self, cells: &impl Row, before: FileTotals) {
        if let Some(column) = cells.part() {
            let (marks, said) = self.parts.entry(column).or_default();
            marks.row();
            let more = self.running.less(before);
            said.add(more.qty, more.net);
        }
    }

    /// Reads a row with one column per product.
    fn read_products(
        &mut self,
        row: u32,
        cells: &impl Row,
        line: Option<Line>,
        faults: Vec<Problem>,
        tell: &mut impl FnMut(Problem),
        take: &mut impl FnMut(Line),
    ) {
        let mut lines = Vec::new();
        let mut good = line.is_some();
        let mut value = faults.first().map(|fault| fault.value.clone());
        faults.into_iter().for_each(&mut *tell);
        let (mut written, mut posted) = (FileTotals::default(), FileTotals::default());
        for &(column, item) in &self.products {
            let cell = cells.cell(column);
            let decimal = self.decimal(Field::Quantity, cell);
            let qty = match millionths(cell.text, decimal) {
                Ok(0) | Err(NumberError::Empty) => continue,
                Ok(qty) if qty.abs() <= MAX_QTY => qty,
                read => {
                    let error = read.err().unwrap_or(NumberError::TooLarge);
                    let (code, message) = number_words(error, Field::Quantity, decimal);
                    let name = &self.tables.items[item as usize].name;
                    let message = format!("{name}: {message}");
                    let field = Some(Field::Quantity);
                    value.get_or_insert_with(|| shown(cell.text));
                    tell(Problem { row, field, value: shown(cell.text), code, message });
                    good = false;
                    continue;
                }
            };
            written.add(qty, 0);
            let Some(line) = &line else { continue };
            let kind = line.kind;
            let kind = if kind == Kind::Sale && qty < 0 { Kind::Return } else { kind };
            let qty = if kind == Kind::Return { -qty.abs() } else { qty };
            let line = Line { item, kind, qty, unit_price: 0, discount: 0, net: 0, ..*line };
            if line.counts() {
                posted.add(qty, 0);
            }
            lines.push(line);
        }
        self.control.file.add(written.qty, 0);
        let back = line.is_some_and(|line| line.kind == Kind::Return);
        self.running.add(if back { posted.qty } else { written.qty }, 0);
        if !good {
            return self.control.leave(row, Reason::Problem, written, || value.unwrap_or_default());
        }
        let reason = match line.map(|line| line.kind) {
            Some(Kind::Void) if self.about.unknown => Reason::UnknownWord,
            Some(Kind::Void) => Reason::Void,
            _ => Reason::ReturnSign,
        };
        let items = &self.tables.items;
        let name = || lines.first().map(|line| items[line.item as usize].name.clone()).unwrap_or_default();
        self.control.leave_rest(row, reason, written, posted, name);
        lines.into_iter().for_each(take);
    }

    /// Reads one row. A row with problems yields no line, and all its problems are reported.
    pub fn read(&mut self, row: u32, cells: &impl Row, tell: &mut impl FnMut(Problem)) -> Option<Line> {
        self.about = About::default();
        let width = cells.width();
        if width < self.least_width || (width > self.width && has_extra(cells, self.width)) {
            tell(Problem {
                row,
                field: None,
                value: shown(cells.cell(0).text),
                code: "columns",
                message: format!(
                    "This row has {width} columns, the file has {}. Check its separators and quotes.",
                    self.width
                ),
            });
            self.figures(cells);
            return None;
        }
        let mut good = true;
        let mut fault = |field: Field, cell: Cell<'_>, code: &'static str, message: String| {
            good = false;
            tell(Problem { row, field: Some(field), value: shown(cell.text), code, message });
        };
        let (day, seconds) = self.when(cells, &mut fault);
        let mut numbers = self.numbers(cells, &mut fault);
        let mut said = self.beside.as_ref().map(|beside| {
            let decimal = self.mapping.decimal;
            beside.read(cells, decimal, &mut self.tables, &mut |field, cell, error| {
                let (code, message) = number_words(error, field, decimal);
                fault(field, cell, code, message);
            })
        });
        let kind = self.kind(cells, &mut fault);
        self.signs(cells, kind, &mut numbers, &mut fault);
        let (store, terminal, receipt, service) = self.places(cells, &mut fault);
        let (key, mut item) = ((store, day, terminal, receipt), NONE);
        let parent = self.looks_part_of(row, key, &numbers, cells);
        let parent = parent.filter(|_| self.mapping.marked_parts == Some(true));
        match self.item(cells, parent.is_some()) {
            Ok(read) => item = read,
            Err((field, code, message)) => {
                let cell = cells.cell(self.column(field).unwrap_or(0));
                fault(field, cell, code, message);
            }
        }
        if let Some(said) = said.as_mut().filter(|_| good) {
            self.once((store, day, terminal, receipt), said, &mut numbers);
        }
        let written = numbers.net;
        if self.spread.is_some() {
            self.receipt_total = centavos(numbers.net.take().unwrap_or(0));
        }
        let settled = self.settle(&numbers, written, kind);
        if !good {
            return None;
        }
        let Some((kind, qty, unit_price, discount, net)) = settled else {
            tell(Problem {
                row,
                field: Some(Field::Quantity),
                value: self.column(Field::Quantity).map_or_else(String::new, |c| shown(cells.cell(c).text)),
                code: "tooLarge",
                message: "The quantity or the amount is too large for one line. Check the columns."
                    .to_owned(),
            });
            return None;
        };
        let seen = &mut self.tables.items[item as usize];
        if seen.price == 0 && !self.about.negative {
            seen.price = unit_price;
        }
        Some(Line {
            row,
            day,
            seconds,
            store,
            terminal,
            receipt,
            item,
            service,
            kind,
            qty,
            unit_price,
            discount,
            net,
            beside: match (&self.beside, said) {
                (Some(beside), Some(said)) => beside.keep(said, kind, qty, net, &mut self.tables),
                _ => NONE,
            },
            parent: parent.unwrap_or(NONE),
        })
    }

    /// Remembers the figures of a row that is not read, for the sums of the file's own cells.
    fn figures(&mut self, cells: &impl Row) {
        let mut numbers = self.numbers(cells, &mut |_, _, _, _| {});
        let Numbers { quantity, price, net: written, .. } = numbers;
        if [quantity, price, written].iter().all(Option::is_none) {
            return;
        }
        if self.spread.is_some() {
            numbers.net = None;
        }
        self.settle(&numbers, written, None);
    }

    /// The consistent figures of a row; its figures as written are remembered.
    fn settle(
        &mut self,
        numbers: &Numbers,
        written: Option<i64>,
        kind: Option<Kind>,
    ) -> Option<(Kind, i64, i64, i64, i64)> {
        let Numbers { quantity, price, discount, net } = *numbers;
        let counted = self.column(Field::Quantity).is_some();
        let qty = quantity.unwrap_or(if counted { 0 } else { 1_000_000 });
        let amounts = match self.about.negative {
            true => Amounts { quantity: Some(qty), price: None, discount: None, net, kind: None },
            false => Amounts { quantity, price, discount, net, kind },
        };
        let mut settled = amounts.settle(self.mapping.price_means);
        if self.about.negative {
            settled = settled.map(|(kind, qty, _, _, net)| (kind, qty, 0, 0, -net));
        }
        let readable = quantity.is_some() || !counted || self.about.negative;
        let net = match (self.column(Field::Net), settled) {
            (Some(_), _) => written.map_or(0, centavos),
            (None, Some((Kind::Return, _, _, _, net))) if readable && qty > 0 => -net,
            (None, Some((.., net))) if readable => net,
            _ => 0,
        };
        self.about.written = FileTotals { qty, net };
        if let Some((_, qty, _, _, net)) = settled.filter(|_| self.products.is_empty() && readable) {
            self.running.add(qty, if self.spread.is_some() { 0 } else { net });
        }
        settled
    }
}

/// Whether cells past the file's width are filled.
fn has_extra(cells: &impl Row, width: usize) -> bool {
    (width..cells.width()).any(|column| !cells.cell(column).text.trim_ascii().is_empty())
}

#[cfg(test)]
mod tests;
