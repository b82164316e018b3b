//! A till's file: its exported text, and its lines as the importer reads them.

use std::sync::Arc;

use larder_domain::sales::LineReader;
use larder_domain::sales::line::{Cell, Line, Row};
use larder_domain::sales::mapping::{Field, PriceMeans};
use larder_domain::sales::numbers::Decimal;
use larder_domain::sales::{DateFormat, Mapping, StoreDay, day};
use larder_domain::{BusinessDay, Money};

/// A column: its header and its field.
pub type Column = (&'static str, Field);

/// Columns of tills that export totals.
pub const TOTALS: &[Column] = &[
    ("Date", Field::Date),
    ("Branch", Field::Store),
    ("Item code", Field::Item),
    ("Item name", Field::ItemName),
    ("Qty", Field::Quantity),
    ("Price", Field::UnitPrice),
    ("Discount", Field::Discount),
    ("Net", Field::Net),
    ("Type", Field::Kind),
];

/// Columns of tills that export receipts.
pub const RECEIPTS: &[Column] = &[
    ("Date", Field::Date),
    ("Time", Field::Time),
    ("Store code", Field::Store),
    ("Terminal", Field::Terminal),
    ("Receipt no.", Field::Receipt),
    ("Item code", Field::Item),
    ("Item name", Field::ItemName),
    ("Qty", Field::Quantity),
    ("Price", Field::UnitPrice),
    ("Discount", Field::Discount),
    ("Net", Field::Net),
    ("Type", Field::Kind),
    ("Service", Field::ServiceType),
    ("Channel", Field::Channel),
    ("Pax", Field::Pax),
    ("Senior discount", Field::Senior),
    ("PWD discount", Field::Pwd),
    ("VATable sales", Field::Vatable),
    ("VAT amount", Field::Vat),
    ("VAT exempt sales", Field::Exempt),
    ("Zero rated sales", Field::ZeroRated),
    ("Payment method", Field::Tender),
    ("Reference no.", Field::TenderReference),
];

/// A line to write.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    pub day: BusinessDay,
    /// The store's name at the till.
    pub store: &'a str,
    /// Code and name of the item.
    pub item: (&'a str, &'a str),
    /// Negative for a return.
    pub qty: i64,
    /// Unit price.
    pub price: Money,
    pub discount: Money,
    /// `SALE`, `VOID` or `RETURN`.
    pub kind: &'static str,
    /// For tills that export receipts.
    pub receipt: Option<Slip<'a>>,
}

/// The receipt of a line.
#[derive(Debug, Clone, Copy)]
pub struct Slip<'a> {
    /// Seconds since midnight.
    pub seconds: i64,
    pub terminal: &'a str,
    pub number: u32,
    /// Dine-in, take-out, delivery.
    pub service: &'static str,
    /// Whether the line is its first, which has the number of guests.
    pub first: bool,
}

impl Slip<'_> {
    /// Number of guests.
    fn guests(self) -> u32 {
        1 + self.number % 7 / 3
    }

    /// The order channel.
    fn channel(self) -> &'static str {
        match (self.service, self.number % 3) {
            ("Delivery", 0) => "GrabFood",
            ("Delivery", 1) => "foodpanda",
            ("Delivery", _) => "Own rider",
            _ => "Counter",
        }
    }

    /// The tender and its reference.
    fn tender(self) -> (&'static str, String) {
        let reference = || format!("{:06}", u64::from(self.number) * 7_919 % 1_000_000);
        match (self.service, self.number % 20) {
            ("Delivery", 0..=13) => ("GCash", reference()),
            (_, 0..=10) => ("Cash", String::new()),
            (_, 11..=15) => ("Card", reference()),
            (_, 16..=18) => ("GCash", reference()),
            _ => ("Maya", reference()),
        }
    }
}

/// The tax columns of a line: VATable sales and VAT add up to its net amount, or all of it is exempt for a senior
/// citizen or a person with disability.
fn taxed(net: Money, exempt: bool) -> [Money; 3] {
    if exempt {
        return [Money::ZERO, Money::ZERO, net];
    }
    let vatable = Money((net.0 * 100 + net.0.signum() * 56) / 112);
    [vatable, Money(net.0 - vatable.0), Money::ZERO]
}

/// A file under construction.
#[derive(Debug)]
pub struct TillFile {
    pub name: String,
    pub columns: &'static [Column],
    pub text: String,
    /// Its names.
    pub reader: LineReader,
    pub lines: Vec<Line>,
    rows: u32,
}

struct Cells<'a>(&'a [&'a str]);

impl Row for Cells<'_> {
    fn width(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        Cell::of(self.0.get(column).copied().unwrap_or_default().as_bytes())
    }
}

impl TillFile {
    /// An empty file with a header.
    pub fn new(name: String, columns: &'static [Column]) -> Self {
        let mapping = Mapping {
            has_header: true,
            sheet: None,
            columns: columns.iter().enumerate().map(|(at, (_, field))| (*field, at)).collect(),
            date_format: DateFormat::Ymd,
            decimal: Decimal::Point,
            store: None,
            price_means: PriceMeans::Unit,
            ..Mapping::default()
        };
        let reader = LineReader::new(mapping, columns.len());
        let mut file = Self { name, columns, text: String::new(), reader, lines: Vec::new(), rows: 0 };
        let header: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        file.write(&header);
        file
    }

    /// Adds a line, both as text and parsed.
    pub fn add(&mut self, entry: &Entry<'_>) {
        let amount = Money(entry.qty * entry.price.0 - entry.discount.0);
        let (day, qty) = (entry.day.to_string(), entry.qty.to_string());
        let (price, discount, net) =
            (entry.price.to_string(), entry.discount.to_string(), amount.to_string());
        let (code, name) = entry.item;
        let row = match entry.receipt {
            None => self.write(&[&day, entry.store, code, name, &qty, &price, &discount, &net, entry.kind]),
            Some(slip) => {
                let time = format!(
                    "{:02}:{:02}:{:02}",
                    slip.seconds / 3600,
                    slip.seconds / 60 % 60,
                    slip.seconds % 60
                );
                let number = format!("{:08}", slip.number);
                let reduced = entry.discount != Money::ZERO;
                let pwd = slip.number.is_multiple_of(5);
                let off = |wanted: bool| if reduced && wanted { discount.clone() } else { String::new() };
                let (senior, disabled) = (off(!pwd), off(pwd));
                let [vatable, vat, exempt] = taxed(amount, reduced).map(|money| money.to_string());
                let pax = if slip.first { slip.guests().to_string() } else { String::new() };
                let (tender, reference) = slip.tender();
                let cells = [
                    &*day,
                    &time,
                    entry.store,
                    slip.terminal,
                    &number,
                    code,
                    name,
                    &qty,
                    &price,
                    &discount,
                    &net,
                    entry.kind,
                    slip.service,
                    slip.channel(),
                    &pax,
                    &senior,
                    &disabled,
                    &vatable,
                    &vat,
                    &exempt,
                    "0",
                    tender,
                    &reference,
                ];
                self.write(&cells)
            }
        };
        // The demo writes no unreadable line; its test counts them.
        self.lines.extend(row);
    }

    fn write(&mut self, cells: &[&str]) -> Option<Line> {
        self.rows += 1;
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            if cell.contains([',', '"']) {
                self.text.push('"');
                self.text.push_str(&cell.replace('"', "\"\""));
                self.text.push('"');
            } else {
                self.text.push_str(cell);
            }
        }
        self.text.push_str("\r\n");
        if self.rows == 1 { None } else { self.reader.read(self.rows, &Cells(cells), &mut |_| ()) }
    }

    /// Rows without the header.
    pub fn rows(&self) -> u32 {
        self.rows.saturating_sub(1)
    }

    /// Its store-days, as the importer splits them.
    pub fn store_days(
        &self,
        store_of: impl Fn(&str) -> Option<Arc<str>>,
        item_of: impl Fn(&str) -> Option<Arc<str>>,
    ) -> Vec<StoreDay> {
        let resolved = day::Resolved {
            stores: self.reader.tables.stores.iter().map(|name| store_of(name)).collect(),
            fixed: None,
            items: self.reader.tables.items.iter().map(|item| item_of(&item.key)).collect(),
            ..day::Resolved::default()
        };
        let sorted = day::sort(self.lines.clone(), &self.reader.tables, &resolved);
        let source: Arc<str> = Arc::from("file");
        (0..sorted.len()).map(|at| sorted.store_day(at, &self.reader.tables, &source)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_written_line_is_read() {
        let mut file = TillFile::new("sales.csv".to_owned(), RECEIPTS);
        let slip = Slip { seconds: 45_296, terminal: "01", number: 17, service: "Dine-in", first: true };
        file.add(&Entry {
            day: BusinessDay(20_000),
            store: "MKT01",
            item: ("GR01", "Wings, \"hot\""),
            qty: 2,
            price: Money(15_900),
            discount: Money(3_180),
            kind: "SALE",
            receipt: Some(slip),
        });
        assert_eq!(
            file.text.lines().nth(1),
            Some(
                "2024-10-04,12:34:56,MKT01,01,00000017,GR01,\"Wings, \"\"hot\"\"\",2,159,31.8,286.2,SALE,Dine-in,Counter,2,31.8,,0,0,286.2,0,GCash,134623"
            )
        );
        let days = file.store_days(|_| Some("s".into()), |code| (code == "gr01").then(|| "i".into()));
        assert_eq!(file.rows(), 1);
        assert_eq!(days.len(), 1);
        assert_eq!(days[0].totals().net, 28_620);
        assert_eq!(days[0].receipts[0].number, "00000017");
        assert_eq!(&*days[0].items[0].pos_item_id, "i");
        let till = &days[0].till_facts()[0];
        assert_eq!(
            (till.gross, till.facts.discounts(), till.facts.taxed(), till.net),
            (31_800, 3_180, 28_620, 28_620)
        );
        assert_eq!((days[0].tenders[0].kind.as_str(), days[0].tenders[0].amount), ("GCash", 28_620));
    }
}
