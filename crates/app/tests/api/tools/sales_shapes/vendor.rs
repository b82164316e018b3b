//! A vendor's way of writing a file.

use super::mischief::Mischief;
use super::sold::{Line, PART, Receipt, Sales, State};

/// How a date is written, with or without its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// `2026-11-13`
    Iso,
    /// `2026-11-13`, the business day, also after midnight
    Business,
    /// `2026-11-13 20:05`
    IsoMinute,
    /// `2026-11-13 20:05:11`
    IsoSecond,
    /// `2026-11-13 20:05:11 +0800`
    Offset,
    /// `13/11/2026`
    Slash,
    /// `13/11/2026 20:05`
    SlashMinute,
    /// `13.11.2026`
    Dots,
    /// `13.11.2026 20:05`
    DotsMinute,
    /// `11/13/26 20:05`
    UsMinute,
    /// `11/13/26 8:05 PM`
    UsNoon,
    /// `13-Nov-2026 8:05 PM`
    DashedNoon,
    /// `Nov 13, 2026`
    Spelled,
    /// `13 Nov 2026 20:05`
    SpelledMinute,
}

impl Written {
    fn has_clock(self) -> bool {
        !matches!(self, Self::Iso | Self::Business | Self::Slash | Self::Dots | Self::Spelled)
    }

    fn cell(self, receipt: &Receipt) -> String {
        let day = match self {
            Self::Business => receipt.day,
            _ => receipt.day + receipt.minute / 1_440,
        };
        let (hour, minute) = (receipt.minute % 1_440 / 60, receipt.minute % 60);
        let noon = format!("{}:{minute:02} {}", (hour + 11) % 12 + 1, if hour < 12 { "AM" } else { "PM" });
        match self {
            Self::Iso | Self::Business => format!("2026-11-{day}"),
            Self::IsoMinute => format!("2026-11-{day} {hour:02}:{minute:02}"),
            Self::IsoSecond => format!("2026-11-{day} {hour:02}:{minute:02}:11"),
            Self::Offset => format!("2026-11-{day} {hour:02}:{minute:02}:11 +0800"),
            Self::Slash => format!("{day}/11/2026"),
            Self::SlashMinute => format!("{day}/11/2026 {hour:02}:{minute:02}"),
            Self::Dots => format!("{day}.11.2026"),
            Self::DotsMinute => format!("{day}.11.2026 {hour:02}:{minute:02}"),
            Self::UsMinute => format!("11/{day}/26 {hour:02}:{minute:02}"),
            Self::UsNoon => format!("11/{day}/26 {noon}"),
            Self::DashedNoon => format!("{day}-Nov-2026 {noon}"),
            Self::Spelled => format!("Nov {day}, 2026"),
            Self::SpelledMinute => format!("{day} Nov 2026 {hour:02}:{minute:02}"),
        }
    }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Is {
    Date(Written),
    /// `20:05`
    Clock,
    Store,
    Till,
    Receipt,
    /// `#1001`
    Hash,
    Code,
    Name,
    Qty,
    /// Of one.
    Price,
    /// Before the discount.
    Gross,
    /// The discount as a positive amount.
    Less,
    /// The discount as a negative amount.
    Minus,
    Net,
    /// The id of the line.
    LineId,
    /// The id of the line that it belongs to.
    ParentLine,
    Tender,
    /// What was paid with the tender, on each line of the receipt.
    Paid,
    /// Sale or refund, and void if no column says the status.
    Type,
    Status,
    /// The same on the first line of a receipt.
    FirstStatus,
    FirstDate(Written),
    FirstTotal,
    FirstText(&'static str),
    Text(&'static str),
}

/// The words of type and status columns; an empty one is not known to the vendor.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub sale: &'static str,
    pub refund: &'static str,
    /// The status of a receipt that counts.
    pub good: &'static str,
    pub voided: &'static str,
    pub cancelled: &'static str,
    /// A word that may mean either.
    pub unknown: &'static str,
}

impl Words {
    pub const NONE: Self = Self { sale: "", refund: "", good: "", voided: "", cancelled: "", unknown: "" };
}

/// What stands around the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// The names of the columns first.
    Plain,
    /// Some rows of title before them.
    Titled,
    /// A total of each store and a grand total.
    Totalled,
    /// A table for each store under its name, with a total.
    Sections,
}

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// `1234.50`, and quantities `2` and `1.25`
    Points,
    /// `1234,50`, and quantities `2` and `1,25`
    Commas,
    /// As points, and quantities `2.000` and `1.250`
    Thousandths,
    /// `1,234.50`
    Grouped,
}

#[derive(Debug, Clone, Copy)]
pub struct Vendor {
    pub name: &'static str,
    pub between: char,
    pub columns: &'static [(&'static str, Is)],
    pub numbers: Numbers,
    /// Before amounts.
    pub money: &'static str,
    /// Whether refunds are told by their word only.
    pub unsigned_returns: bool,
    pub words: Words,
    pub frame: Frame,
    /// What does not happen in its files.
    pub cannot: &'static [Mischief],
}

/// Commas, points, and no words.
pub const PLAIN: Vendor = Vendor {
    name: "",
    between: ',',
    columns: &[],
    numbers: Numbers::Points,
    money: "",
    unsigned_returns: false,
    words: Words::NONE,
    frame: Frame::Plain,
    cannot: &[],
};

/// A file, and the sums of its own cells.
pub struct FileText {
    pub text: String,
    /// In thousandths.
    pub qty: i64,
    /// In centavos; `None` if no column holds it.
    pub net: Option<i64>,
}

impl Vendor {
    pub fn has(&self, what: Is) -> bool {
        self.columns.iter().any(|(_, is)| *is == what)
    }

    /// Whether the file says which store sold.
    pub fn names_stores(&self) -> bool {
        self.has(Is::Store) || self.frame == Frame::Sections
    }

    /// Whether the file says what single lines were reduced by.
    pub fn shows_discounts(&self) -> bool {
        self.has(Is::Net) || self.has(Is::Less) || self.has(Is::Minus)
    }

    /// Whether the file says how receipts were paid.
    pub fn shows_tenders(&self) -> bool {
        self.has(Is::Tender)
    }

    /// Whether something can happen in its files, so that the files tell it.
    pub fn can(&self, what: Mischief) -> bool {
        let receipts = self.has(Is::Receipt) || self.has(Is::Hash);
        let dated = |is: &Is| matches!(is, Is::Clock) || matches!(is, Is::Date(date) if date.has_clock());
        let can = match what {
            Mischief::SplitTender => self.has(Is::Paid) && receipts,
            Mischief::Voided => !self.words.voided.is_empty(),
            Mischief::Cancelled => !self.words.cancelled.is_empty(),
            Mischief::UnknownWord => !self.words.unknown.is_empty(),
            Mischief::Midnight => self.columns.iter().any(|(_, is)| dated(is)),
            Mischief::SecondTill => self.has(Is::Till),
            Mischief::DiscountLine | Mischief::Rounding => receipts,
            Mischief::Refund | Mischief::ComboChildren => true,
        };
        can && !self.cannot.contains(&what)
    }

    /// Writes the sales down.
    pub fn write(&self, sales: &Sales) -> FileText {
        let mut file = FileText { text: String::new(), qty: 0, net: self.has(Is::Net).then_some(0) };
        if self.frame == Frame::Titled {
            let rest = self.between.to_string().repeat(self.columns.len() - 1);
            file.text = format!("Sales as counted{rest}\nPrepared by Ana{rest}\n{rest}\n");
        }
        if self.frame != Frame::Sections {
            self.head(&mut file);
        }
        let mut all = (0, 0);
        for (store, name) in sales.stores.iter().enumerate() {
            if self.frame == Frame::Sections {
                let rest = self.between.to_string().repeat(self.columns.len() - 1);
                file.text.push_str(&format!("Store: {name}{rest}\n"));
                self.head(&mut file);
            }
            let mut sums = (0, 0);
            for receipt in sales.receipts.iter().filter(|receipt| receipt.store == store) {
                let sum = self.receipt(sales, receipt, &mut file);
                sums = (sums.0 + sum.0, sums.1 + sum.1);
            }
            match self.frame {
                Frame::Totalled => self.total(&format!("{name} Total"), sums, &mut file),
                Frame::Sections => self.total("Total", sums, &mut file),
                Frame::Plain | Frame::Titled => {}
            }
            all = (all.0 + sums.0, all.1 + sums.1);
        }
        if self.frame == Frame::Totalled {
            self.total("Grand Total", all, &mut file);
        }
        file
    }

    fn head(&self, file: &mut FileText) {
        let titles: Vec<String> = self.columns.iter().map(|(title, _)| (*title).to_owned()).collect();
        self.row(&titles, file);
    }

    fn row(&self, cells: &[String], file: &mut FileText) {
        let quoted = |cell: &String| match cell.contains(self.between) || cell.contains('"') {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let cells: Vec<String> = cells.iter().map(quoted).collect();
        file.text.push_str(&cells.join(&self.between.to_string()));
        file.text.push('\n');
    }

    /// The lines of a receipt, repeated for each tender if the file has a column for the amounts paid. Returns the
    /// sums of the cells.
    fn receipt(&self, sales: &Sales, receipt: &Receipt, file: &mut FileText) -> (i64, i64) {
        let sets = if self.has(Is::Paid) { receipt.paid.len() } else { 1 };
        let mut sums = (0, 0);
        for paid in receipt.paid.iter().take(sets) {
            for (n, line) in receipt.lines.iter().enumerate() {
                let (written, paid) = self.as_written(receipt, line, *paid);
                let cell = |(_, is): &(&str, Is)| self.cell(*is, sales, receipt, &written, paid, n);
                let cells: Vec<String> = self.columns.iter().map(cell).collect();
                self.row(&cells, file);
                sums = (sums.0 + written.qty, sums.1 + written.net());
            }
        }
        file.qty += sums.0;
        file.net = file.net.map(|net| net + sums.1);
        sums
    }

    /// A line and what was paid, with the signs that are written.
    fn as_written<'a>(&self, receipt: &Receipt, line: &Line, paid: (&'a str, i64)) -> (Line, (&'a str, i64)) {
        match receipt.state {
            State::Refund if self.unsigned_returns => {
                (Line { qty: line.qty.abs(), ..line.clone() }, (paid.0, paid.1.abs()))
            }
            _ => (line.clone(), paid),
        }
    }

    fn total(&self, label: &str, (qty, net): (i64, i64), file: &mut FileText) {
        let cell = |(at, (_, is)): (usize, &(&str, Is))| match is {
            _ if at == 0 => label.to_owned(),
            Is::Qty => self.quantity(qty),
            Is::Net => self.amount(net),
            _ => String::new(),
        };
        let cells: Vec<String> = self.columns.iter().enumerate().map(cell).collect();
        self.row(&cells, file);
        file.qty += qty;
        file.net = file.net.map(|sum| sum + net);
    }

    fn cell(
        &self,
        is: Is,
        sales: &Sales,
        receipt: &Receipt,
        line: &Line,
        (tender, paid): (&str, i64),
        n: usize,
    ) -> String {
        let minute = receipt.minute % 1_440;
        match is {
            Is::FirstStatus | Is::FirstDate(_) | Is::FirstTotal | Is::FirstText(_) if n > 0 => String::new(),
            Is::Date(written) | Is::FirstDate(written) => written.cell(receipt),
            Is::Clock => format!("{:02}:{:02}", minute / 60, minute % 60),
            Is::Store => sales.stores[receipt.store].clone(),
            Is::Till => format!("POS {}", receipt.till + 1),
            Is::Receipt => receipt.number.to_string(),
            Is::Hash => format!("#{}", receipt.number),
            Is::Code => line.code.to_owned(),
            Is::Name => line.name.to_owned(),
            Is::Qty => self.quantity(line.qty),
            Is::Price => self.amount(line.price),
            Is::Gross => self.amount(line.gross()),
            Is::Less => self.amount(line.discount),
            Is::Minus => self.amount(-line.discount),
            Is::Net => self.amount(line.net()),
            Is::LineId => format!("SEL-{}-{n}", receipt.number),
            Is::ParentLine if line.code == PART => format!("SEL-{}-0", receipt.number),
            Is::ParentLine => String::new(),
            Is::Tender => tender.to_owned(),
            Is::Paid => self.amount(paid),
            Is::Type => self.kind(receipt.state).to_owned(),
            Is::Status | Is::FirstStatus => self.status(receipt.state).to_owned(),
            Is::FirstTotal => self.amount(receipt.total()),
            Is::FirstText(text) | Is::Text(text) => text.to_owned(),
        }
    }

    fn kind(&self, state: State) -> &'static str {
        match state {
            State::Refund => self.words.refund,
            State::Voided if !self.has(Is::Status) => self.words.voided,
            _ => self.words.sale,
        }
    }

    fn status(&self, state: State) -> &'static str {
        match state {
            State::Sold | State::Refund => self.words.good,
            State::Voided => self.words.voided,
            State::Cancelled => self.words.cancelled,
            State::Unsure => self.words.unknown,
        }
    }

    /// A quantity in thousandths: `2`, `1.25`, `1.250` or `1,25`.
    fn quantity(&self, qty: i64) -> String {
        let sign = if qty < 0 { "-" } else { "" };
        let mut text = format!("{sign}{}.{:03}", qty.abs() / 1_000, qty.abs() % 1_000);
        if self.numbers != Numbers::Thousandths {
            text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        if self.numbers == Numbers::Commas { text.replace('.', ",") } else { text }
    }

    /// An amount in centavos: `1234.50`, `1,234.50`, `1234,50`, `-₱20.00`.
    fn amount(&self, centavos: i64) -> String {
        let sign = if centavos < 0 { "-" } else { "" };
        let whole = (centavos.abs() / 100).to_string();
        let mut text = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if self.numbers == Numbers::Grouped && at > 0 && (whole.len() - at).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        let text = format!("{sign}{}{text}.{:02}", self.money, centavos.abs() % 100);
        if self.numbers == Numbers::Commas { text.replace('.', ",") } else { text }
    }
}
