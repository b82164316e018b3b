//! Reads the cells of a row: its day, figures, kind, places, and what counts once for its receipt.

use super::faults::{date_words, number_words};
use super::split::Part;
use super::{LineReader, Numbers};
use crate::sales::Kind;
use crate::sales::dates::{clock_seconds, moment};
use crate::sales::line::{MAX_NAME, MAX_RECEIPT, MAX_TERMINALS, NONE};
use crate::sales::mapping::{Field, PriceMeans, Word};
use crate::sales::numbers::{NumberError, millionths};
use crate::sales::receipt_level_figures::{ReceiptLevelReader, Said};
use crate::sheet::{Cell, Row};

impl LineReader {
    /// The day of a row and the second of the day, or -1.
    pub(super) fn when(
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

    pub(super) fn numbers(
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
    pub(super) fn kind(
        &mut self,
        cells: &impl Row,
        fault: &mut impl FnMut(Field, Cell<'_>, &'static str, String),
    ) -> Option<Kind> {
        let status = self.statuses.read(cells);
        let mut word = status.word;
        if let Some(column) = status.unknown.filter(|_| !self.asking) {
            let words = "What does this word mean: a sale, a return or a void? It is not known.".to_owned();
            fault(Field::Kind, cells.cell(column), "kind", words);
        }
        let unknown = status.told || (self.asking && status.unknown.is_some());
        if unknown && word != Some(Word::LeaveOut) {
            word = Some(Word::LeaveOut);
            self.about.unknown = true;
        }
        word.map(Kind::from)
    }

    /// Checks the signs of a row's figures.
    pub(super) fn signs(
        &mut self,
        cells: &impl Row,
        kind: Option<Kind>,
        numbers: &mut Numbers,
        fault: &mut impl FnMut(Field, Cell<'_>, &'static str, String),
    ) {
        let own = self.asking && self.spread.is_none() && self.products.is_empty();
        if own && numbers.net.is_none() && self.column(Field::Net).is_none() {
            numbers.net = self.negative_amount(numbers);
        }
        let Numbers { quantity, price, discount, net } = *numbers;
        let back = net.is_some_and(|net| net < 0);
        let sold = kind.is_none_or(|kind| kind == Kind::Sale);
        let negative = back && own && sold && quantity.is_none_or(|quantity| quantity >= 0);
        self.about.negative = negative;
        self.about.back = back && own && kind.is_none() && quantity.is_some_and(|quantity| quantity < 0);
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

    /// The amount of a row whose price is negative, in millionths, where no column has the amounts: as of a discount, or of
    /// a return with all its figures negative.
    fn negative_amount(&self, numbers: &Numbers) -> Option<i64> {
        let price = numbers.price.filter(|price| *price < 0)?;
        let quantity = i128::from(numbers.quantity.unwrap_or(1_000_000));
        let amount = match self.mapping.price_means {
            PriceMeans::Line => i128::from(price),
            PriceMeans::Unit => -(i128::from(price) * quantity / 1_000_000).abs(),
        };
        let taken = i128::from(numbers.discount.unwrap_or(0).saturating_abs());
        let amount = if quantity < 0 { amount + taken } else { amount - taken };
        i64::try_from(amount).ok()
    }

    /// The store, till, receipt and service type of a row, or [`NONE`].
    pub(super) fn places(
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
    pub(super) fn once(&mut self, key: (u32, i32, u32, u32), said: &mut Said, numbers: &mut Numbers) {
        let Some(beside) = &mut self.beside else { return };
        if let Some(split) = self.split.as_mut().filter(|_| key.3 != NONE) {
            let (part, payment) = split.part(key, said);
            (self.about.part, self.about.payment) = (Some(part), payment);
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
