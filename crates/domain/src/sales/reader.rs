//! Parses a row of a till's file into a sales line, or a list of problems.

mod faults;
mod filled;
mod names;
mod negatives;
mod split;
mod statuses;
mod sums;

use std::collections::BTreeMap;

use super::Kind;
use super::amounts::Amounts;
use super::control::{Control, Reason};
use super::dates::{clock_seconds, moment};
use super::line::{
    Cell, FileTotals, Line, MAX_NAME, MAX_QTY, MAX_RECEIPT, MAX_TERMINALS, NONE, Problem, Row, SeenItem,
    Tables, shown,
};
use super::mapping::{Field, Mapping, Word};
use super::names::{Interner, key, tidy};
use super::numbers::{Decimal, NumberError, centavos, millionths};
use super::receipt_level_figures::{ReceiptLevelReader, Said};
use super::spread::Spread;
use super::totals::{LeftOut, Marks, says_total};
use faults::{date_words, number_words};
use filled::Filled;
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
    /// What it is of a receipt whose lines are repeated.
    part: Option<Part>,
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
            let item = reader.product(name);
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

    /// The number of a product column; two columns of one name are one product.
    fn product(&mut self, name: String) -> u32 {
        let key = key(&name);
        if let Some(known) = self.item_keys.find(key.as_bytes()) {
            return known;
        }
        self.tables.items.push(SeenItem {
            key: key.clone(),
            code: None,
            name,
            category: String::new(),
            price: 0,
        });
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
        if let Some(spread) = &mut self.spread {
            spread.release(take);
        }
        self.negatives.release(&self.tables, &mut self.control, take);
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
        let Some(line) = line else {
            let value = faults.first().map(|fault| fault.value.clone());
            self.control.leave(row, Reason::Problem, about.written, || value.unwrap_or_default());
            return faults.into_iter().for_each(tell);
        };
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
            return self.negatives.hold(line, about.written);
        }
        if !line.counts() {
            let reason = if about.unknown { Reason::UnknownWord } else { Reason::Void };
            control.leave(row, reason, about.written, || name(items));
            return take(line);
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
        let mut item = NONE;
        match self.item(cells) {
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
        })
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

    /// The day of a row and the second of the day, or -1.
    fn when(
        &self,
        cells: &impl Row,
        fault: &mut impl FnMut(Field, Cell<'_>, &'static str, String),
    ) -> (i32, i32) {
        let mut day = self.mapping.day.map_or(0, |day| day.0);
        let mut seconds = -1;
        if let Some(column) = self.column(Field::Date) {
            let cell = cells.cell(column);
            match moment(cell.text, self.mapping.date_format) {
                Ok(read) => {
                    day = read.day;
                    seconds = read.seconds.and_then(|s| i32::try_from(s).ok()).unwrap_or(-1);
                }
                Err(error) => {
                    let (code, message) = date_words(error, self.mapping.date_format);
                    fault(Field::Date, cell, code, message);
                }
            }
            if day > self.today {
                fault(Field::Date, cell, "future", "This date is after today. Correct it.".to_owned());
            }
        }
        if let Some(column) = self.column(Field::Time) {
            let cell = cells.cell(column);
            // A workbook stores a time of day as a moment on day 0 or on the day itself.
            let clock = match cell.text.iter().position(|b| *b == b' ') {
                Some(at) if cell.number => &cell.text[at + 1..],
                _ => cell.text,
            };
            if !cell.text.trim_ascii().is_empty() {
                match clock_seconds(clock) {
                    Some(read) => seconds = i32::try_from(read).unwrap_or(-1),
                    None => fault(
                        Field::Time,
                        cell,
                        "time",
                        "Not a time of day. Write it as 20:25 or 8:25 PM.".to_owned(),
                    ),
                }
            }
        }
        (day, seconds)
    }

    fn numbers(
        &self,
        cells: &impl Row,
        fault: &mut impl FnMut(Field, Cell<'_>, &'static str, String),
    ) -> Numbers {
        const WANTED: [Field; 4] = [Field::Quantity, Field::UnitPrice, Field::Discount, Field::Net];
        let mut numbers = [None; 4];
        let mut empty = [false; 4];
        for (at, field) in WANTED.into_iter().enumerate() {
            let Some(column) = self.column(field) else { continue };
            let cell = cells.cell(column);
            let decimal = self.decimal(field, cell);
            match millionths(cell.text, decimal) {
                Ok(read) => numbers[at] = Some(read),
                Err(NumberError::Empty) => empty[at] = true,
                Err(error) => {
                    let (code, message) = number_words(error, field, decimal);
                    fault(field, cell, code, message);
                }
            }
        }
        let [quantity, price, discount, net] = numbers;
        for (field, empty) in WANTED.into_iter().zip(empty) {
            // An empty discount is zero. An empty amount is unknown, not a sale of zero; a price follows from the amount.
            let known = match field {
                Field::Discount => true,
                Field::UnitPrice => net.is_some(),
                Field::Quantity => self.asking && net.is_some_and(|net| net < 0),
                _ => false,
            };
            if empty && !known {
                let cell = cells.cell(self.column(field).unwrap_or(0));
                let (code, message) = number_words(NumberError::Empty, field, self.mapping.decimal);
                fault(field, cell, code, message);
            }
        }
        let discount = discount.or(empty[2].then_some(0));
        let discount =
            if self.mapping.negative_discounts { discount.map(|discount| -discount) } else { discount };
        Numbers { quantity, price, discount, net }
    }

    /// The kind of a row by its status columns.
    fn kind(
        &mut self,
        cells: &impl Row,
        fault: &mut impl FnMut(Field, Cell<'_>, &'static str, String),
    ) -> Option<Kind> {
        let status = self.statuses.read(cells);
        let mut word = status.word;
        if let Some(column) = status.unknown {
            if !self.asking {
                let words = "Not a kind of line. Use sale, return or void.".to_owned();
                fault(Field::Kind, cells.cell(column), "kind", words);
            } else if word != Some(Word::LeaveOut) {
                word = Some(Word::LeaveOut);
                self.about.unknown = true;
            }
        }
        word.map(Kind::from)
    }

    /// Checks the signs of a row's figures.
    fn signs(
        &mut self,
        cells: &impl Row,
        kind: Option<Kind>,
        numbers: &mut Numbers,
        fault: &mut impl FnMut(Field, Cell<'_>, &'static str, String),
    ) {
        let Numbers { quantity, price, discount, net } = *numbers;
        let back = net.is_some_and(|net| net < 0);
        let own = self.asking && self.spread.is_none() && self.products.is_empty();
        let sold = kind.is_none_or(|kind| kind == Kind::Sale);
        let negative = back && own && sold && quantity.is_none_or(|quantity| quantity >= 0);
        self.about.negative = negative;
        let mut at = |field: Field, code: &'static str, words: &str| {
            fault(field, cells.cell(self.columns[field as usize].unwrap_or(0)), code, words.to_owned());
        };
        if price.is_some_and(|price| price < 0) {
            // A return may have all its figures negative.
            if back && (negative || !sold || quantity.is_some_and(|quantity| quantity < 0)) {
                numbers.price = price.map(i64::saturating_abs);
            } else {
                let words = "A price cannot be negative. Give a return a negative quantity instead.";
                at(Field::UnitPrice, "negativePrice", words);
            }
        }
        if discount.is_some_and(|d| d < 0) && quantity.is_none_or(|q| q >= 0) && !negative {
            let words = "A discount cannot be negative. Write what was taken off as a positive amount.";
            at(Field::Discount, "negativeDiscount", words);
        }
        let struck = kind == Some(Kind::Return) || (self.asking && kind == Some(Kind::Void));
        if back && quantity.is_some_and(|q| q > 0) && !struck && !negative {
            let words = "A sale cannot have a negative amount. Give a return a negative quantity instead.";
            at(Field::Net, "negativeNet", words);
        }
    }

    /// The store, till, receipt and service type of a row, or [`NONE`].
    fn places(
        &mut self,
        cells: &impl Row,
        fault: &mut impl FnMut(Field, Cell<'_>, &'static str, String),
    ) -> (u32, u32, u32, u32) {
        let store = match self.column(Field::Store) {
            None => NONE,
            Some(column) => {
                let cell = cells.cell(column);
                let code = self.column(Field::StoreCode).map_or(&b""[..], |at| cells.cell(at).text);
                match self.store(cell.text, code) {
                    Ok(store) => store,
                    Err((code, message)) => {
                        fault(Field::Store, cell, code, message);
                        NONE
                    }
                }
            }
        };
        let mut terminal = NONE;
        let mut receipt = NONE;
        let mut service = NONE;
        for (slot, field, most, names, table) in [
            (&mut terminal, Field::Terminal, MAX_RECEIPT, MAX_TERMINALS, &mut self.tables.terminals),
            (&mut receipt, Field::Receipt, MAX_RECEIPT, usize::MAX, &mut self.tables.receipts),
            (&mut service, Field::ServiceType, MAX_NAME, 1_000, &mut self.tables.services),
        ] {
            let Some(column) = self.columns[field as usize] else { continue };
            let cell = cells.cell(column);
            let text = cell.text.trim_ascii();
            if text.is_empty() {
                continue;
            }
            if text.len() > most {
                fault(field, cell, "tooLong", format!("Longer than {most} characters. Check the columns."));
            } else if text.contains(&0) {
                fault(field, cell, "control", "Holds a NUL character. Remove it.".to_owned());
            } else if table.len() >= names && table.find(text).is_none() {
                fault(
                    field,
                    cell,
                    "tooMany",
                    format!("The file has more than {names} of these. Check which column was chosen."),
                );
            } else {
                *slot = table.intern(text);
            }
        }
        (store, terminal, receipt, service)
    }

    /// Removes from a row what counts once for its receipt and was there before.
    fn once(&mut self, key: (u32, i32, u32, u32), said: &mut Said, numbers: &mut Numbers) {
        let Some(beside) = &mut self.beside else { return };
        if let Some(split) = self.split.as_mut().filter(|_| key.3 != NONE) {
            let part = split.part(key, said);
            self.about.part = Some(part);
            if part != Part::Line {
                return said.only_tenders();
            }
        }
        if beside.count_once(key, said) {
            numbers.discount = Some(0);
        }
        // Without another discount on the price, the discounts by type apply.
        if numbers.discount.is_none()
            && numbers.net.is_none()
            && numbers.price.is_some()
            && beside.has_discounts()
        {
            numbers.discount = Some(ReceiptLevelReader::discounts(said));
        }
    }
}

/// Whether cells past the file's width are filled.
fn has_extra(cells: &impl Row, width: usize) -> bool {
    (width..cells.width()).any(|column| !cells.cell(column).text.trim_ascii().is_empty())
}

#[cfg(test)]
mod tests;
