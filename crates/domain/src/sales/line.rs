//! A row of a till's file → a sales line, or the list of what is wrong with it.

use std::collections::BTreeMap;

use super::Kind;
use super::beside::BesideReader;
use super::dates::{DateError, clock_seconds, moment};
use super::mapping::{Field, Mapping, PriceMeans, Totals};
use super::names::{Interner, key, tidy};
use super::numbers::{Decimal, NumberError, centavos, extended, millionths, rounded};
use super::spread::Spread;
use super::totals::{Doubtful, LeftOut, Marks, says_total};
pub use crate::sheet::{Cell, Row};

/// A line of a sales file. Names are numbers of the reader's tables; `NONE` is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The row in the file, as a spreadsheet counts (from 1).
    pub row: u32,
    /// Business date, in days since 1970-01-01.
    pub day: i32,
    /// Seconds since midnight, or -1.
    pub seconds: i32,
    /// Number of the store's name.
    pub store: u32,
    /// Number of the terminal.
    pub terminal: u32,
    /// Number of the receipt number.
    pub receipt: u32,
    /// Number of the item.
    pub item: u32,
    /// Number of the service type.
    pub service: u32,
    /// Sale, return or void.
    pub kind: Kind,
    /// Millionths.
    pub qty: i64,
    /// Centavos, rounded.
    pub unit_price: i64,
    /// Centavos.
    pub discount: i64,
    /// Centavos.
    pub net: i64,
    /// Where [`Tables::beside`] says what stands beside it, or `NONE`.
    pub beside: u32,
}

/// No name.
pub const NONE: u32 = u32::MAX;

/// What is wrong with a row, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The row in the file (from 1).
    pub row: u32,
    /// The column's field, if one cell is at fault.
    pub field: Option<Field>,
    /// The cell as written, cut when long.
    pub value: String,
    /// A word for machines.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
}

/// What a file says about one of its items.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SeenItem {
    /// The form it is recognised by: the code when there is one, else the name.
    pub key: String,
    /// The code as written.
    pub code: Option<String>,
    /// The name as written.
    pub name: String,
    /// The category as written.
    pub category: String,
    /// The first price seen, in centavos.
    pub price: i64,
}

/// More different names than any group has; a column with more holds something else.
pub const MAX_ITEMS: usize = 100_000;
/// More stores than any group has.
pub const MAX_STORES: usize = 10_000;
/// More terminals than any group has.
pub const MAX_TERMINALS: usize = 50_000;
/// Names longer than this are not names.
pub const MAX_NAME: usize = 200;
/// The largest quantity of one line, in millionths: ten million.
pub const MAX_QTY: i64 = 10_000_000_000_000;
/// The largest amount of one line, in centavos: ten billion pesos.
pub const MAX_AMOUNT: i64 = 1_000_000_000_000;
/// A receipt number this long is something else.
const MAX_RECEIPT: usize = 60;

/// The names that lines refer to by number.
#[derive(Debug, Default)]
pub struct Tables {
    /// Store names, by key.
    pub stores: Vec<String>,
    /// Their codes as written, where the file has both; empty otherwise.
    pub store_codes: Vec<String>,
    /// Terminals as written.
    pub terminals: Interner,
    /// Receipt numbers as written.
    pub receipts: Interner,
    /// Service types as written.
    pub services: Interner,
    pub items: Vec<SeenItem>,
    /// Channels as written.
    pub channels: Interner,
    /// Ways of paying as written.
    pub tenders: Interner,
    /// What lines say of their receipts, end to end; see [`super::facts::Beside`].
    pub beside: Vec<u8>,
}

/// What a file's own columns add up to, over all rows whose figures can be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileTotals {
    /// Millionths.
    pub qty: i64,
    /// Centavos.
    pub net: i64,
}

impl FileTotals {
    fn add(&mut self, qty: i64, net: i64) {
        self.qty = self.qty.saturating_add(qty);
        self.net = self.net.saturating_add(net);
    }
}

/// Reads rows by one mapping and keeps the tables of names they use.
#[derive(Debug)]
pub struct LineReader {
    mapping: Mapping,
    columns: [Option<usize>; Field::ALL.len()],
    least_width: usize,
    width: usize,
    /// The names seen so far.
    pub tables: Tables,
    /// What all rows say that can be read, whether or not they are posted.
    pub said: FileTotals,
    /// The rows that were left out because they add up others.
    pub left_out: LeftOut,
    /// The item of each product column.
    products: Vec<(usize, u32)>,
    beside: Option<BesideReader>,
    /// What the receipt of the line read last comes to, where its lines have no amount of their own.
    receipt_total: i64,
    spread: Option<Spread>,
    /// Columns whose empty cells mean what stood above, and that.
    above: Vec<(usize, Vec<u8>)>,
    marks: Marks,
    /// The same within each column of days, where days have columns of their own: a sum below them is of its column.
    parts: BTreeMap<usize, (Marks, FileTotals)>,
    /// By item, whether its name says that it is a sum.
    sums: Vec<bool>,
    raw_stores: Interner,
    raw_items: Interner,
    store_ids: Vec<u32>,
    item_ids: Vec<u32>,
    store_keys: Interner,
    item_keys: Interner,
}

impl LineReader {
    /// A reader for files of `width` columns.
    #[must_use]
    pub fn new(mapping: Mapping, width: usize) -> Self {
        let mut columns = [None; Field::ALL.len()];
        for (slot, field) in columns.iter_mut().zip(Field::ALL) {
            *slot = mapping.column(field);
        }
        let least_width = columns.iter().flatten().max().map_or(0, |most| most + 1);
        let mut tables = Tables::default();
        let beside = BesideReader::new(&mapping, &mut tables);
        let spread = mapping.once.iter().flatten().any(|field| *field == Field::Net).then(Spread::default);
        let filled = mapping.fill_down.iter().flatten().filter_map(|field| mapping.column(*field));
        let above = filled.map(|column| (column, Vec::new())).collect();
        let wide: Vec<(usize, String)> =
            mapping.products().iter().map(|p| (p.column, tidy(&p.name))).collect();
        let mut reader = Self {
            mapping,
            columns,
            least_width,
            width,
            tables,
            said: FileTotals::default(),
            left_out: LeftOut::default(),
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
        };
        for (column, name) in wide {
            let item = reader.product(name);
            reader.products.push((column, item));
        }
        reader
    }

    /// The number of a product that has a column of its own; two columns of one name are one product.
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

    /// How the file is read.
    #[must_use]
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    fn column(&self, field: Field) -> Option<usize> {
        self.columns[field as usize]
    }

    /// Reads one row into its lines: one, or one for each product sold where products have columns of
    /// their own. A row with problems has none, and all its problems are told.
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

    /// Hands on what is still held once the last row was read.
    pub fn finish(&mut self, take: &mut impl FnMut(Line)) {
        if let Some(spread) = &mut self.spread {
            spread.release(take);
        }
    }

    /// Lines that say something else than the first line of their receipt of what counts once for it.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.beside.as_ref().map_or(0, |beside| beside.conflicts)
    }

    /// What was read belongs to another sheet from now on: its sums are its own.
    pub fn next_sheet(&mut self) {
        self.marks.mark(self.said);
        self.parts.values_mut().for_each(|(marks, said)| marks.mark(*said));
    }

    /// Whether a row adds up others, so that it is no line; it is counted as such.
    fn is_sum(&mut self, row: u32, cells: &impl Row, line: Option<&Line>, before: FileTotals) -> bool {
        if self.mapping.totals == Some(Totals::Keep) {
            return false;
        }
        let labels =
            [Field::Item, Field::ItemName, Field::Date, Field::Store, Field::Receipt, Field::Category];
        let labels = labels.into_iter().filter_map(|field| self.column(field)).chain(0..3);
        let named = labels.clone().any(|column| says_total(cells.cell(column).text));
        let blank = |field| self.column(field).is_none_or(|at| cells.cell(at).text.trim_ascii().is_empty());
        let unnamed = self.products.is_empty() && blank(Field::Item) && blank(Field::ItemName);
        if !named && (!unnamed || line.is_some() || self.marks.rows() < 2) {
            return false;
        }
        let number = |field: Field| {
            let cell = cells.cell(self.column(field)?);
            let decimal = if cell.number { Decimal::Point } else { self.mapping.decimal };
            millionths(cell.text, decimal).ok()
        };
        let amount = match self.mapping.price_means {
            PriceMeans::Line if self.column(Field::Net).is_none() => Field::UnitPrice,
            _ => Field::Net,
        };
        let wide = |column: &usize| millionths(cells.cell(*column).text, self.mapping.decimal).unwrap_or(0);
        let qty = match self.products.is_empty() {
            true => number(Field::Quantity),
            false => Some(self.products.iter().map(|(column, _)| wide(column)).fold(0, i64::saturating_add)),
        };
        let net = number(amount).map(centavos);
        let part = cells.part().and_then(|column| self.parts.get_mut(&column));
        let (marks, come_to) = match part {
            Some((marks, said)) => (marks, *said),
            None => (&mut self.marks, before),
        };
        let fits = marks.is_sum(come_to, qty, net);
        if !named && (!fits || (qty.is_none() && net.is_none())) {
            return false;
        }
        let says = FileTotals { qty: qty.unwrap_or(0), net: net.unwrap_or(0) };
        self.left_out.rows += 1;
        self.left_out.qty = self.left_out.qty.saturating_add(says.qty);
        self.left_out.net = self.left_out.net.saturating_add(says.net);
        if !fits && (qty.is_some() || net.is_some()) {
            self.left_out.doubtful += 1;
            let above = marks.above(come_to);
            self.left_out.first.get_or_insert(Doubtful { row, says, above });
        }
        marks.mark(come_to);
        self.said = before;
        self.marks.mark(before);
        true
    }

    fn read_row(
        &mut self,
        row: u32,
        cells: &impl Row,
        tell: &mut impl FnMut(Problem),
        take: &mut impl FnMut(Line),
    ) {
        let before = self.said;
        let mut faults = Vec::new();
        let line = self.read(row, cells, &mut |problem| faults.push(problem));
        let odd = match &line {
            None => true,
            Some(_) if !self.products.is_empty() => (0..3).any(|column| says_total(cells.cell(column).text)),
            Some(line) => self.names_sum(line.item),
        };
        if odd && self.is_sum(row, cells, line.as_ref(), before) {
            return;
        }
        self.marks.row();
        if let Some(column) = cells.part() {
            let (marks, said) = self.parts.entry(column).or_default();
            marks.row();
            said.add(self.said.qty.saturating_sub(before.qty), self.said.net.saturating_sub(before.net));
        }
        faults.into_iter().for_each(&mut *tell);
        let Some(line) = line else { return };
        if self.products.is_empty() {
            match &mut self.spread {
                None => take(line),
                Some(spread) => {
                    let key = (line.store, line.day, line.terminal, line.receipt);
                    let more = spread.hold(key, self.receipt_total, line, take);
                    self.said.add(0, more);
                }
            }
            return;
        }
        let mut lines = Vec::new();
        let mut good = true;
        for &(column, item) in &self.products {
            let cell = cells.cell(column);
            let decimal = if cell.number { Decimal::Point } else { self.mapping.decimal };
            let qty = match millionths(cell.text, decimal) {
                Ok(0) | Err(NumberError::Empty) => continue,
                Ok(qty) if qty.abs() <= MAX_QTY => qty,
                read => {
                    let error = read.err().unwrap_or(NumberError::TooLarge);
                    let (code, message) = number_words(error, Field::Quantity, decimal);
                    let name = &self.tables.items[item as usize].name;
                    let message = format!("{name}: {message}");
                    tell(Problem {
                        row,
                        field: Some(Field::Quantity),
                        value: shown(cell.text),
                        code,
                        message,
                    });
                    good = false;
                    continue;
                }
            };
            let kind = line.kind;
            let kind = if kind == Kind::Sale && qty < 0 { Kind::Return } else { kind };
            let qty = if kind == Kind::Return { -qty.abs() } else { qty };
            self.said.add(qty, 0);
            lines.push(Line { item, kind, qty, unit_price: 0, discount: 0, net: 0, ..line });
        }
        if good {
            lines.into_iter().for_each(take);
        }
    }

    /// Whether an item is called as sums are.
    fn names_sum(&mut self, item: u32) -> bool {
        let at = item as usize;
        while self.sums.len() <= at {
            let seen = &self.tables.items[self.sums.len()];
            let code = seen.code.as_deref().unwrap_or_default();
            self.sums.push(says_total(seen.name.as_bytes()) || says_total(code.as_bytes()));
        }
        self.sums[at]
    }

    /// Reads one row. A row with problems is no line, and all its problems are told.
    pub fn read(&mut self, row: u32, cells: &impl Row, tell: &mut impl FnMut(Problem)) -> Option<Line> {
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

        let mut day = 0;
        let mut seconds = -1;
        if let Some(column) = self.column(Field::Date) {
            let cell = cells.cell(column);
            match moment(cell.text, self.mapping.date_format) {
                Ok(read) => {
                    day = read.day;
                    seconds = read.seconds.and_then(|s| i32::try_from(s).ok()).unwrap_or(-1);
                }
                Err(error) => {
                    let (code, message) = self.date_words(error);
                    fault(Field::Date, cell, code, message);
                }
            }
        }
        if let Some(column) = self.column(Field::Time) {
            let cell = cells.cell(column);
            // A workbook keeps a time of day as a moment on day 0 or on the day itself.
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

        let mut numbers = [None; 4];
        let wanted = [Field::Quantity, Field::UnitPrice, Field::Discount, Field::Net];
        for (number, field) in numbers.iter_mut().zip(wanted) {
            let Some(column) = self.column(field) else { continue };
            let cell = cells.cell(column);
            let decimal = if cell.number { Decimal::Point } else { self.mapping.decimal };
            match millionths(cell.text, decimal) {
                Ok(read) => *number = Some(read),
                // An empty discount is none; an empty price or amount is unknown, which is no sale of zero.
                Err(NumberError::Empty) if field == Field::Discount => *number = Some(0),
                Err(error) => {
                    let (code, message) = number_words(error, field, decimal);
                    fault(field, cell, code, message);
                }
            }
        }
        let [quantity, price, mut discount, mut net] = numbers;
        if self.mapping.negative_discounts {
            discount = discount.map(|discount| -discount);
        }
        let mut said = self.beside.as_ref().map(|beside| {
            let decimal = self.mapping.decimal;
            beside.read(cells, decimal, &mut self.tables, &mut |field, cell, error| {
                let (code, message) = number_words(error, field, decimal);
                fault(field, cell, code, message);
            })
        });

        let mut kind = None;
        if let Some(column) = self.column(Field::Kind) {
            let cell = cells.cell(column);
            let text = String::from_utf8_lossy(cell.text);
            if !text.trim().is_empty() {
                kind = Kind::parse(&text);
                if kind.is_none() {
                    fault(
                        Field::Kind,
                        cell,
                        "kind",
                        "Not a kind of line. Use sale, return or void.".to_owned(),
                    );
                }
            }
        }
        if price.is_some_and(|p| p < 0) {
            let cell = cells.cell(self.column(Field::UnitPrice).unwrap_or(0));
            fault(
                Field::UnitPrice,
                cell,
                "negativePrice",
                "A price cannot be negative. Give a return a negative quantity instead.".to_owned(),
            );
        }
        if discount.is_some_and(|d| d < 0) && quantity.is_none_or(|q| q >= 0) {
            let cell = cells.cell(self.column(Field::Discount).unwrap_or(0));
            fault(
                Field::Discount,
                cell,
                "negativeDiscount",
                "A discount cannot be negative. Write what was taken off as a positive amount.".to_owned(),
            );
        }
        if net.is_some_and(|n| n < 0) && quantity.is_some_and(|q| q > 0) && kind != Some(Kind::Return) {
            let cell = cells.cell(self.column(Field::Net).unwrap_or(0));
            fault(
                Field::Net,
                cell,
                "negativeNet",
                "A sale cannot have a negative amount. Give a return a negative quantity instead.".to_owned(),
            );
        }

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
        let mut item = NONE;
        match self.item(cells) {
            Ok(read) => item = read,
            Err((field, code, message)) => {
                let cell = cells.cell(self.column(field).unwrap_or(0));
                fault(field, cell, code, message);
            }
        }
        if let (Some(beside), Some(said)) = (&mut self.beside, &mut said) {
            if beside.count_once((store, day, terminal, receipt), said) {
                discount = Some(0);
            }
            // Where nothing else says what was taken off the price, the discounts by type do.
            if discount.is_none() && net.is_none() && price.is_some() && beside.has_discounts() {
                discount = Some(BesideReader::discounts(said));
            }
        }
        if self.spread.is_some() {
            self.receipt_total = centavos(net.take().unwrap_or(0));
        }
        let amounts = Amounts { quantity, price, discount, net, kind };
        let settled = amounts.settle(self.mapping.price_means);
        if let Some((_, qty, _, _, net)) = settled
            && self.products.is_empty()
            && (quantity.is_some() || self.column(Field::Quantity).is_none())
        {
            self.said.add(qty, if self.spread.is_some() { 0 } else { net });
        }
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
        if seen.price == 0 {
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

    /// The number of a store's name; where the name is empty, its code is one.
    fn store(&mut self, text: &[u8], code: &[u8]) -> Result<u32, (&'static str, String)> {
        let text = if text.trim_ascii().is_empty() { code } else { text };
        if let Some(raw) = self.raw_stores.find(text) {
            return Ok(self.store_ids[raw as usize]);
        }
        let name = name(text)?;
        let key = key(&name);
        let id = match self.store_keys.find(key.as_bytes()) {
            Some(id) => id,
            None if self.tables.stores.len() >= MAX_STORES => {
                return Err((
                    "tooMany",
                    format!("The file names more than {MAX_STORES} stores. Check which column was chosen."),
                ));
            }
            None => {
                self.tables.stores.push(name);
                self.tables.store_codes.push(tidy(&shown(code)));
                self.store_keys.intern(key.as_bytes())
            }
        };
        // Spellings are bounded too, or a hostile file could fill memory with spaces.
        if self.raw_stores.len() < 4 * MAX_STORES {
            self.raw_stores.intern(text);
            self.store_ids.push(id);
        }
        Ok(id)
    }

    /// The number of the row's item.
    fn item(&mut self, cells: &impl Row) -> Result<u32, (Field, &'static str, String)> {
        if let Some((_, first)) = self.products.first() {
            return Ok(*first);
        }
        let code_column = self.column(Field::Item);
        let name_column = self.column(Field::ItemName);
        let code = code_column.map_or(&b""[..], |c| cells.cell(c).text);
        let spelled = name_column.map_or(&b""[..], |c| cells.cell(c).text);
        let has_code = !code.trim_ascii().is_empty();
        let (text, field) =
            if has_code || name_column.is_none() { (code, Field::Item) } else { (spelled, Field::ItemName) };
        if let Some(raw) = self.raw_items.find(text) {
            return Ok(self.item_ids[raw as usize]);
        }
        let word = name(text).map_err(|(code, message)| (field, code, message))?;
        let key = key(&word);
        let id = match self.item_keys.find(key.as_bytes()) {
            Some(id) => id,
            None if self.tables.items.len() >= MAX_ITEMS => {
                return Err((
                    field,
                    "tooMany",
                    format!("The file names more than {MAX_ITEMS} items. Check which column was chosen."),
                ));
            }
            None => {
                let named = if has_code && name_column.is_some() { name(spelled).ok() } else { None };
                let category = self
                    .column(Field::Category)
                    .and_then(|c| name(cells.cell(c).text).ok())
                    .unwrap_or_default();
                self.tables.items.push(SeenItem {
                    key: key.clone(),
                    code: (has_code && name_column.is_some()).then(|| word.clone()),
                    name: named.unwrap_or(word),
                    category,
                    price: 0,
                });
                self.item_keys.intern(key.as_bytes())
            }
        };
        if self.raw_items.len() < 4 * MAX_ITEMS {
            self.raw_items.intern(text);
            self.item_ids.push(id);
        }
        Ok(id)
    }

    fn date_words(&self, error: DateError) -> (&'static str, String) {
        let format = self.mapping.date_format.label();
        match error {
            DateError::Empty => ("empty", "The date is empty. Fill it in or remove the row.".to_owned()),
            DateError::Shape => (
                "date",
                format!("Not a date written as {format}. Correct it, or choose another date format."),
            ),
            DateError::NoSuchDay => {
                ("date", format!("There is no such day when read as {format}. Correct the date."))
            }
            DateError::OutOfRange => {
                ("date", "The date is before 1990 or after 2100. Correct it.".to_owned())
            }
        }
    }
}

/// A row whose empty cells mean what stood above.
struct Filled<'a, R> {
    cells: &'a R,
    above: &'a [(usize, Vec<u8>)],
}

impl<R: Row> Row for Filled<'_, R> {
    fn width(&self) -> usize {
        self.cells.width()
    }

    fn part(&self) -> Option<usize> {
        self.cells.part()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let own = self.cells.cell(column);
        if !own.text.trim_ascii().is_empty() {
            return own;
        }
        match self.above.iter().find(|(filled, _)| *filled == column) {
            Some((_, text)) => Cell { text, number: false },
            None => own,
        }
    }
}

/// The figures of a row as read, in millionths.
struct Amounts {
    quantity: Option<i64>,
    price: Option<i64>,
    discount: Option<i64>,
    net: Option<i64>,
    kind: Option<Kind>,
}

impl Amounts {
    /// Kind, quantity, unit price, discount and net that agree with each other.
    fn settle(self, means: PriceMeans) -> Option<(Kind, i64, i64, i64, i64)> {
        let mut qty = self.quantity.unwrap_or(1_000_000);
        let kind = self.kind.unwrap_or(if qty < 0 { Kind::Return } else { Kind::Sale });
        if kind == Kind::Return && qty > 0 {
            qty = -qty;
        }
        let sign = if qty < 0 { -1 } else { 1 };
        let discount = sign * centavos(self.discount.unwrap_or(0).abs());
        let (unit_price, net) = match (self.price, self.net) {
            (None, None) => (0, -discount),
            (Some(price), net) => {
                let (each, gross) = match means {
                    PriceMeans::Unit => (centavos(price), extended(qty, price)?),
                    PriceMeans::Line => (per_unit(price, qty), sign * centavos(price)),
                };
                (each, net.map_or_else(|| gross.checked_sub(discount), |n| Some(sign * centavos(n.abs())))?)
            }
            (None, Some(net)) => {
                let net = sign * centavos(net.abs());
                let gross = net.checked_add(discount)?;
                (rounded(i128::from(gross.abs()) * 1_000_000, i128::from(qty).abs()).unwrap_or(0), net)
            }
        };
        // Without price and amount a discount has nothing to be taken from.
        let (discount, net) =
            if self.price.is_none() && self.net.is_none() { (0, 0) } else { (discount, net) };
        if qty.abs() > MAX_QTY || net.abs().max(discount.abs()).max(unit_price) > MAX_AMOUNT {
            return None;
        }
        Some((kind, qty, unit_price, discount, net))
    }
}

/// The centavos one costs when `qty` cost `line` millionths.
fn per_unit(line: i64, qty: i64) -> i64 {
    if qty == 0 {
        return 0;
    }
    rounded(i128::from(line) * 100, i128::from(qty).abs()).unwrap_or(0)
}

fn name(text: &[u8]) -> Result<String, (&'static str, String)> {
    let text = String::from_utf8_lossy(text);
    if text.contains('\0') {
        return Err(("control", "Holds a NUL character. Remove it.".to_owned()));
    }
    let name = tidy(&text);
    if name.is_empty() {
        return Err(("empty", "The name is empty. Fill it in or remove the row.".to_owned()));
    }
    if name.chars().count() > MAX_NAME {
        return Err((
            "tooLong",
            format!("Longer than {MAX_NAME} characters. Check the quotes around this row."),
        ));
    }
    Ok(name)
}

fn number_words(error: NumberError, field: Field, decimal: Decimal) -> (&'static str, String) {
    let mark = match decimal {
        Decimal::Point => "point",
        Decimal::Comma => "comma",
    };
    let what = field.label();
    match error {
        NumberError::Empty => ("empty", format!("{what} is empty. Fill it in or remove the row.")),
        NumberError::NotANumber => {
            ("number", format!("{what} is not a number with a decimal {mark}. Correct it."))
        }
        NumberError::TooManyDecimals => ("number", format!("{what} has more than 6 decimals. Round it.")),
        NumberError::TooLarge => ("number", format!("{what} is too large. Check the columns.")),
    }
}

/// Whether cells past the file's width hold anything.
fn has_extra(cells: &impl Row, width: usize) -> bool {
    (width..cells.width()).any(|column| !cells.cell(column).text.trim_ascii().is_empty())
}

/// A cell for showing: cut, and without control characters.
#[must_use]
pub fn shown(text: &[u8]) -> String {
    let text = &text[..text.len().min(400)];
    String::from_utf8_lossy(text).chars().map(|c| if c.is_control() { ' ' } else { c }).take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sales::dates::DateFormat;
    use proptest::prelude::*;
    use rstest::rstest;

    struct Texts<'a>(Vec<&'a str>);

    impl Row for Texts<'_> {
        fn width(&self) -> usize {
            self.0.len()
        }
        fn cell(&self, column: usize) -> Cell<'_> {
            Cell { text: self.0.get(column).map_or(b"", |t| t.as_bytes()), number: false }
        }
    }

    fn mapping() -> Mapping {
        Mapping {
            has_header: true,
            sheet: None,
            columns: [
                (Field::Date, 0),
                (Field::Store, 1),
                (Field::Receipt, 2),
                (Field::Item, 3),
                (Field::Quantity, 4),
                (Field::UnitPrice, 5),
                (Field::Discount, 6),
            ]
            .into(),
            date_format: DateFormat::Dmy,
            decimal: Decimal::Point,
            store: None,
            price_means: PriceMeans::Unit,
            each_row_is_one: false,
            products: None,
            ..Mapping::default()
        }
    }

    fn read(cells: &str) -> (Option<Line>, Vec<Problem>, LineReader) {
        let mut reader = LineReader::new(mapping(), 7);
        let mut problems = Vec::new();
        let row = Texts(cells.split('|').collect());
        let line = reader.read(2, &row, &mut |p| problems.push(p));
        (line, problems, reader)
    }

    #[test]
    fn a_row_becomes_a_line() {
        let (line, problems, reader) = read("03/08/19 20:25|Kensington|16118|  Plain  Papadum|2|0.8|");
        let line = line.expect("a good row");
        assert!(problems.is_empty());
        assert_eq!((line.day, line.seconds), (18_111, 73_500));
        assert_eq!((line.qty, line.unit_price, line.discount, line.net), (2_000_000, 80, 0, 160));
        assert_eq!(reader.tables.items[line.item as usize].name, "Plain Papadum");
        assert_eq!(reader.tables.items[line.item as usize].key, "plain papadum");
        assert_eq!(reader.tables.stores[line.store as usize], "Kensington");
        assert_eq!(reader.tables.receipts.text(line.receipt), "16118");
    }

    #[rstest]
    #[case("31/31/2019|A|1|Rice|1|1|0", &["date"])]
    #[case("1/1/2019|A|1|Rice|1|-1|0", &["negativePrice"])]
    #[case("1/1/2019||1|Rice|x|1|0", &["number", "empty"])]
    #[case("|A|1||1||0", &["empty", "empty", "empty"])]
    #[case("1/1/2019|A|1|Ri\u{0}ce|1|1|0", &["control"])]
    #[case("1/1/2019;A;1;Rice;1;1;0", &["columns"])]
    #[case("1/1/2019|A|1|Rice|1|1|0|extra", &["columns"])]
    #[case("1/1/2019|A|1|Rice|900000000000|900000000000|0", &["tooLarge"])]
    fn a_bad_row_tells_everything_that_is_wrong(#[case] cells: &str, #[case] codes: &[&str]) {
        let (line, problems, _) = read(cells);
        assert_eq!(line, None);
        assert_eq!(problems.iter().map(|p| p.code).collect::<Vec<_>>(), codes);
        assert!(problems.iter().all(|p| p.row == 2 && p.message.ends_with('.')));
    }

    #[test]
    fn a_row_with_one_column_a_product_becomes_a_line_for_each() {
        let product = |column, name: &str| super::super::mapping::ProductColumn { column, name: name.into() };
        let mapping = Mapping {
            columns: [(Field::Date, 0), (Field::Store, 1)].into(),
            products: Some(vec![product(2, "Bread"), product(3, "Jam"), product(4, "Bun")]),
            ..mapping()
        };
        assert!(mapping.faults(5).is_empty());
        let mut reader = LineReader::new(mapping, 5);
        let (mut lines, mut told) = (Vec::new(), Vec::new());
        for (at, cells) in ["1/1/2019|A|2||1.5", "1/1/2019|A||0|", "1/1/2019|A|x|1|1"].iter().enumerate() {
            let row = Texts(cells.split('|').collect());
            let number = u32::try_from(at).expect("small") + 2;
            reader.read_each(number, &row, &mut |p| told.push(p), &mut |line| lines.push(line));
        }
        let seen: Vec<_> = lines
            .iter()
            .map(|line| (line.row, reader.tables.items[line.item as usize].name.as_str(), line.qty))
            .collect();
        assert_eq!(seen, [(2, "Bread", 2_000_000), (2, "Bun", 1_500_000)]);
        assert_eq!(told.iter().map(|p| (p.row, p.code)).collect::<Vec<_>>(), [(4, "number")]);
        assert_eq!(reader.said.qty, 5_500_000, "what the file says counts the row with a problem too");
    }

    #[test]
    fn a_stores_code_is_kept_beside_its_name() {
        let mapping = Mapping {
            columns: [(Field::Date, 0), (Field::Store, 1), (Field::StoreCode, 2), (Field::Item, 3)].into(),
            ..mapping()
        };
        let mut reader = LineReader::new(mapping, 4);
        for cells in ["1/1/2019|Astoria|3|Rice", "2/1/2019||7|Rice"] {
            let row = Texts(cells.split('|').collect());
            assert!(reader.read(2, &row, &mut |_| {}).is_some());
        }
        assert_eq!(reader.tables.stores, ["Astoria", "7"]);
        assert_eq!(reader.tables.store_codes, ["3", "7"]);
    }

    #[test]
    fn a_formula_is_only_a_name() {
        let (line, _, reader) = read("1/1/2019|A|1|=HYPERLINK(\"x\")|1|1|0");
        assert_eq!(reader.tables.items[line.expect("a good row").item as usize].name, "=HYPERLINK(\"x\")");
    }

    #[test]
    fn a_return_has_negative_figures() {
        let (line, ..) = read("1/1/2019|A|1|Rice|-2|1.50|0.50");
        let line = line.expect("a good row");
        assert_eq!(line.kind, Kind::Return);
        assert_eq!((line.qty, line.discount, line.net), (-2_000_000, -50, -250));
    }

    #[test]
    fn an_empty_row_end_is_no_extra_column() {
        let (line, problems, _) = read("1/1/2019|A|1|Rice|1|1|0||");
        assert!(line.is_some() && problems.is_empty());
    }

    #[rstest]
    #[case(None, None, None, None, PriceMeans::Unit, (Kind::Sale, 1_000_000, 0, 0, 0))]
    #[case(Some(3_000_000), Some(1_234_500), None, None, PriceMeans::Unit, (Kind::Sale, 3_000_000, 123, 0, 370))]
    #[case(Some(4_000_000), Some(10_000_000), None, None, PriceMeans::Line, (Kind::Sale, 4_000_000, 250, 0, 1_000))]
    #[case(Some(4_000_000), None, Some(1_000_000), Some(9_000_000), PriceMeans::Unit, (Kind::Sale, 4_000_000, 250, 100, 900))]
    #[case(Some(0), None, None, Some(9_000_000), PriceMeans::Unit, (Kind::Sale, 0, 0, 0, 900))]
    fn figures_that_are_given_settle_those_that_are_not(
        #[case] quantity: Option<i64>,
        #[case] price: Option<i64>,
        #[case] discount: Option<i64>,
        #[case] net: Option<i64>,
        #[case] means: PriceMeans,
        #[case] expected: (Kind, i64, i64, i64, i64),
    ) {
        let amounts = Amounts { quantity, price, discount, net, kind: None };
        assert_eq!(amounts.settle(means), Some(expected));
    }

    proptest! {
        #[test]
        fn no_row_panics(cells in proptest::collection::vec("\\PC{0,12}", 0..9)) {
            let mut reader = LineReader::new(mapping(), 7);
            let mut told = 0;
            let row = Texts(cells.iter().map(String::as_str).collect());
            let line = reader.read(1, &row, &mut |_| told += 1);
            prop_assert_eq!(line.is_none(), told > 0);
        }

        #[test]
        fn net_is_quantity_times_price_less_discount(
            qty in -10_000i64..10_000, price in 0i64..1_000_000, discount in 0i64..1_000
        ) {
            let amounts = Amounts {
                quantity: Some(qty * 1_000_000),
                price: Some(price * 10_000),
                discount: Some(discount * 10_000),
                net: None,
                kind: None,
            };
            let (_, _, unit, off, net) = amounts.settle(PriceMeans::Unit).expect("in range");
            prop_assert_eq!(unit, price);
            prop_assert_eq!(net, qty * price - off);
        }
    }
}
