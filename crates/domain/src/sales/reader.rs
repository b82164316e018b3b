//! Parses a row of a till's file into a sales line, or a list of problems.

use std::collections::BTreeMap;

use super::Kind;
use super::amounts::Amounts;
use super::dates::{DateError, clock_seconds, moment};
use super::line::{
    Cell, FileTotals, Line, MAX_ITEMS, MAX_NAME, MAX_QTY, MAX_RECEIPT, MAX_STORES, MAX_TERMINALS, NONE,
    Problem, Row, SeenItem, Tables, shown,
};
use super::mapping::{Field, Mapping, PriceMeans, Totals};
use super::names::{Interner, key, tidy};
use super::numbers::{Decimal, NumberError, centavos, millionths};
use super::receipt_level_figures::ReceiptLevelReader;
use super::spread::Spread;
use super::totals::{Doubtful, LeftOut, Marks, says_total};

/// Reads rows by one mapping and collects the tables of names.
#[derive(Debug)]
pub struct LineReader {
    mapping: Mapping,
    columns: [Option<usize>; Field::ALL.len()],
    least_width: usize,
    width: usize,
    /// The names seen so far.
    pub tables: Tables,
    /// The sums of all readable rows, posted or not.
    pub said: FileTotals,
    /// The total rows left out.
    pub left_out: LeftOut,
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
        let beside = ReceiptLevelReader::new(&mapping, &mut tables);
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

    fn column(&self, field: Field) -> Option<usize> {
        self.columns[field as usize]
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
    }

    /// Lines whose receipt-level value differs from the receipt's first line.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.beside.as_ref().map_or(0, |beside| beside.conflicts)
    }

    /// Starts another sheet: its sums are its own.
    pub fn next_sheet(&mut self) {
        self.marks.mark(self.said);
        self.parts.values_mut().for_each(|(marks, said)| marks.mark(*said));
    }

    /// Whether a row is a total and so no line; it is counted as such.
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

    /// Whether an item has the name of a total.
    fn names_sum(&mut self, item: u32) -> bool {
        let at = item as usize;
        while self.sums.len() <= at {
            let seen = &self.tables.items[self.sums.len()];
            let code = seen.code.as_deref().unwrap_or_default();
            self.sums.push(says_total(seen.name.as_bytes()) || says_total(code.as_bytes()));
        }
        self.sums[at]
    }

    /// Reads one row. A row with problems yields no line, and all its problems are reported.
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

        let mut numbers = [None; 4];
        let wanted = [Field::Quantity, Field::UnitPrice, Field::Discount, Field::Net];
        for (number, field) in numbers.iter_mut().zip(wanted) {
            let Some(column) = self.column(field) else { continue };
            let cell = cells.cell(column);
            let decimal = if cell.number { Decimal::Point } else { self.mapping.decimal };
            match millionths(cell.text, decimal) {
                Ok(read) => *number = Some(read),
                // An empty discount is zero; an empty price or amount is unknown, not a sale of zero.
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
            // Without another discount on the price, the discounts by type apply.
            if discount.is_none() && net.is_none() && price.is_some() && beside.has_discounts() {
                discount = Some(ReceiptLevelReader::discounts(said));
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

    /// The number of a store's name; an empty name is replaced by its code.
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
        // Spellings are limited too, or a hostile file could fill memory with spaces.
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

/// A row whose empty cells repeat the value above.
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

    fn hidden(&self) -> bool {
        self.cells.hidden()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let own = self.cells.cell(column);
        if !own.text.trim_ascii().is_empty() {
            return own;
        }
        match self.above.iter().find(|(filled, _)| *filled == column) {
            Some((_, text)) => Cell::of(text),
            None => own,
        }
    }
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

/// Whether cells past the file's width are filled.
fn has_extra(cells: &impl Row, width: usize) -> bool {
    (width..cells.width()).any(|column| !cells.cell(column).text.trim_ascii().is_empty())
}

#[cfg(test)]
mod tests;
