//! Guessing what the columns of a file hold, from their names and from their cells.

use std::collections::{BTreeMap, HashSet};

use super::dates::{DateEvidence, clock_seconds};
use super::mapping::Field;
use super::numbers::{Decimal, DecimalEvidence, millionths};

/// What the cells of one column look like.
#[derive(Debug, Clone, Default)]
pub struct ColumnProfile {
    /// Cells that are not empty.
    pub filled: u64,
    /// The first five different cells, for a person to look at.
    pub samples: Vec<String>,
    /// What the cells say as dates.
    pub dates: DateEvidence,
    /// What the cells say about the decimal mark.
    pub decimals: DecimalEvidence,
    numbers: u64,
    whole: u64,
    small: u64,
    negative: u64,
    clocks: u64,
    letters: u64,
    /// Neighbours with the same cell.
    repeats: u64,
    distinct: HashSet<Vec<u8>>,
    last: Vec<u8>,
}

/// Enough to tell a handful of stores from a menu from receipt numbers.
const DISTINCT: usize = 2_000;
/// Cells longer than this are shown cut.
const SAMPLE: usize = 80;

impl ColumnProfile {
    /// Takes a cell into account.
    pub fn see(&mut self, cell: &[u8]) {
        let cell = cell.trim_ascii();
        if cell.is_empty() {
            return;
        }
        self.filled += 1;
        if self.last == cell {
            self.repeats += 1;
        } else {
            self.last.clear();
            self.last.extend_from_slice(cell);
        }
        if self.distinct.len() < DISTINCT && !self.distinct.contains(cell) {
            if self.samples.len() < 5 {
                let text = String::from_utf8_lossy(cell);
                self.samples.push(text.chars().filter(|c| !c.is_control()).take(SAMPLE).collect());
            }
            self.distinct.insert(cell.to_vec());
        }
        let number = millionths(cell, Decimal::Point).or_else(|_| millionths(cell, Decimal::Comma));
        if let Ok(number) = number {
            self.numbers += 1;
            self.whole +=
                u64::from(number % 1_000_000 == 0 && cell.iter().all(|b| !matches!(b, b'.' | b',')));
            self.small += u64::from(number.abs() <= 100_000_000);
            self.negative += u64::from(number < 0);
            self.decimals.see(cell);
        }
        let clock = cell.contains(&b':') && clock_seconds(cell).is_some();
        self.clocks += u64::from(clock);
        if !clock {
            self.dates.see(cell);
        }
        if number.is_err() && cell.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80) {
            self.letters += 1;
        }
    }

    fn mostly(&self, count: u64) -> bool {
        self.filled > 0 && count * 100 >= self.filled * 95
    }

    /// Whether the column holds days (or moments).
    #[must_use]
    pub fn is_date(&self) -> bool {
        self.filled > 0
            && self.clocks * 2 < self.filled
            && self.dates.percent() >= 80
            && !self.dates.only_serial()
    }

    /// Whether the cells are numbers that a spreadsheet could mean as days.
    fn may_be_serial(&self) -> bool {
        self.filled > 0 && self.dates.percent() >= 95 && self.dates.only_serial()
    }

    fn is_number(&self) -> bool {
        self.mostly(self.numbers)
    }

    fn is_text(&self) -> bool {
        self.mostly(self.letters) && !self.is_date()
    }
}

/// Names of columns, as tills export them, for each field; the first that fits wins.
const WORDS: [(Field, &[&str]); 14] = [
    (
        Field::Date,
        &[
            "businessdate",
            "businessday",
            "date",
            "orderdate",
            "orderdatetime",
            "transactiondate",
            "transactiondatetime",
            "transdate",
            "trandate",
            "txndate",
            "salesdate",
            "saledate",
            "invoicedate",
            "receiptdate",
            "billdate",
            "datetime",
            "dateandtime",
            "timestamp",
            "soldat",
            "createdat",
            "posdate",
            "postingdate",
            "day",
        ],
    ),
    (
        Field::Time,
        &[
            "time",
            "ordertime",
            "transactiontime",
            "transtime",
            "txntime",
            "saletime",
            "salestime",
            "receipttime",
            "timesold",
        ],
    ),
    (
        Field::Store,
        &[
            "store",
            "storename",
            "storecode",
            "storeid",
            "branch",
            "branchname",
            "branchcode",
            "branchid",
            "location",
            "locationname",
            "outlet",
            "outletname",
            "site",
            "sitename",
            "restaurant",
            "restaurantname",
            "shop",
            "shopname",
            "poscode",
            "posbranchname",
            "city",
            "place",
        ],
    ),
    (
        Field::Terminal,
        &[
            "terminal",
            "terminalid",
            "terminalno",
            "terminalnumber",
            "terminalname",
            "posterminal",
            "posterminalid",
            "register",
            "registerno",
            "registerid",
            "till",
            "tillno",
            "posno",
            "posid",
            "machine",
            "machineno",
            "machineid",
            "min",
            "station",
        ],
    ),
    (
        Field::Receipt,
        &[
            "receiptno",
            "receiptnumber",
            "receipt",
            "receiptid",
            "invoiceno",
            "invoicenumber",
            "invoice",
            "invoiceid",
            "orderno",
            "ordernumber",
            "orderid",
            "order",
            "transactionno",
            "transactionnumber",
            "transactionid",
            "transaction",
            "transno",
            "transid",
            "txnid",
            "txnno",
            "ticketno",
            "ticketnumber",
            "ticket",
            "billno",
            "billnumber",
            "bill",
            "checkno",
            "checknumber",
            "check",
            "sino",
            "sinumber",
            "orno",
            "ornumber",
            "docno",
        ],
    ),
    (
        Field::Item,
        &[
            "itemcode",
            "itemid",
            "itemno",
            "itemnumber",
            "sku",
            "plu",
            "positemid",
            "productcode",
            "productid",
            "menucode",
            "menuitemid",
            "menuitemcode",
            "barcode",
            "articlecode",
            "item",
            "itemname",
            "itemdescription",
            "product",
            "productname",
            "productdescription",
            "menuitem",
            "menuitemname",
            "article",
            "description",
            "desc",
            "name",
            "particulars",
        ],
    ),
    (
        Field::ItemName,
        &[
            "itemname",
            "itemdescription",
            "productname",
            "productdescription",
            "menuitemname",
            "menuitem",
            "description",
            "desc",
            "item",
            "product",
            "name",
            "particulars",
        ],
    ),
    (
        Field::Quantity,
        &[
            "quantity",
            "qty",
            "qtysold",
            "quantitysold",
            "soldqty",
            "itemqty",
            "units",
            "unitssold",
            "pcs",
            "pieces",
            "count",
        ],
    ),
    (
        Field::UnitPrice,
        &[
            "unitprice",
            "price",
            "productprice",
            "itemprice",
            "sellingprice",
            "retailprice",
            "srp",
            "rate",
            "priceeach",
        ],
    ),
    (
        Field::Discount,
        &[
            "discount",
            "discountamount",
            "discountamt",
            "disc",
            "totaldiscount",
            "linediscount",
            "lessdiscount",
        ],
    ),
    (
        Field::Net,
        &[
            "netsales",
            "netamount",
            "net",
            "nettotal",
            "linetotal",
            "lineamount",
            "amount",
            "total",
            "totalamount",
            "subtotal",
            "totalprice",
            "extendedprice",
            "sales",
            "salesamount",
        ],
    ),
    (Field::Kind, &["kind", "transactiontype", "transtype", "txntype", "saletype", "linetype", "recordtype"]),
    (
        Field::ServiceType,
        &["servicetype", "ordertype", "diningoption", "service", "channel", "orderchannel", "salestype"],
    ),
    (
        Field::Category,
        &[
            "category",
            "categoryname",
            "itemcategory",
            "productcategory",
            "menucategory",
            "department",
            "itemgroup",
            "productgroup",
            "menugroup",
        ],
    ),
];

/// A column's name without what writers vary: case, spaces, punctuation.
fn bare(header: &str) -> String {
    header.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a row names columns rather than being the first sale.
#[must_use]
pub fn is_header(first: &[&[u8]], below: &[ColumnProfile]) -> bool {
    let texts: Vec<String> = first.iter().map(|c| String::from_utf8_lossy(c).trim().to_owned()).collect();
    let filled = texts.iter().filter(|t| !t.is_empty()).count();
    if filled == 0 {
        return false;
    }
    let mut alone = ColumnProfile::default();
    texts.iter().for_each(|t| alone.see(t.as_bytes()));
    if alone.numbers > 0 || alone.clocks > 0 || alone.dates.percent() > 0 {
        return false;
    }
    let known = texts
        .iter()
        .filter(|text| {
            let text = bare(text);
            WORDS.iter().any(|(_, words)| words.contains(&text.as_str()))
        })
        .count();
    if known >= 2 {
        return true;
    }
    // Words above numbers or dates name them; below them would be another sale.
    below.iter().any(|column| column.is_number() || column.is_date())
}

/// The field each column most likely holds.
#[must_use]
pub fn suggest(headers: Option<&[String]>, columns: &[ColumnProfile]) -> Vec<Option<Field>> {
    let mut taken: BTreeMap<Field, usize> = BTreeMap::new();
    if let Some(headers) = headers {
        by_name(headers, columns, &mut taken);
    }
    by_cells(headers.is_some(), columns, &mut taken);
    let mut fields = vec![None; columns.len()];
    for (field, column) in taken {
        fields[column] = Some(field);
    }
    fields
}

fn by_name(headers: &[String], columns: &[ColumnProfile], taken: &mut BTreeMap<Field, usize>) {
    let headers: Vec<String> = headers.iter().map(|h| bare(h)).collect();
    for (field, words) in WORDS {
        let found = words.iter().find_map(|word| {
            headers.iter().enumerate().position(|(at, header)| {
                header == word
                    && at < columns.len()
                    && !taken.values().any(|t| *t == at)
                    && plausible(field, &columns[at])
            })
        });
        if let Some(at) = found {
            taken.insert(field, at);
        }
    }
}

/// Whether a column with the right name can hold the field at all.
fn plausible(field: Field, column: &ColumnProfile) -> bool {
    if column.filled == 0 {
        return true;
    }
    match field {
        Field::Date => column.is_date() || column.may_be_serial() || column.dates.percent() >= 20,
        Field::Quantity | Field::UnitPrice | Field::Discount | Field::Net => {
            column.numbers * 2 >= column.filled
        }
        _ => true,
    }
}

/// What names did not settle. With a header only the fields a file cannot do without are guessed:
/// a column called «Total products» must not become a price because it holds numbers.
fn by_cells(named: bool, columns: &[ColumnProfile], taken: &mut BTreeMap<Field, usize>) {
    let free = |taken: &BTreeMap<Field, usize>, at: usize| !taken.values().any(|t| *t == at);
    let all = 0..columns.len();
    if !taken.contains_key(&Field::Date)
        && let Some(at) = all.clone().find(|&at| free(taken, at) && columns[at].is_date())
    {
        taken.insert(Field::Date, at);
    }
    if !taken.contains_key(&Field::Item) && !taken.contains_key(&Field::ItemName) {
        let item = all
            .clone()
            .filter(|&at| free(taken, at) && columns[at].is_text())
            .max_by_key(|&at| (columns[at].distinct.len(), std::cmp::Reverse(at)));
        if let Some(at) = item {
            taken.insert(Field::Item, at);
        }
    }
    if named {
        return;
    }
    if let Some(at) = all.clone().find(|&at| free(taken, at) && columns[at].mostly(columns[at].clocks)) {
        taken.insert(Field::Time, at);
    }
    let store = all.clone().find(|&at| {
        let column = &columns[at];
        free(taken, at) && column.is_text() && column.distinct.len() as u64 * 20 <= column.filled
    });
    if let Some(at) = store {
        taken.insert(Field::Store, at);
    }
    let receipt = all.clone().find(|&at| {
        let column = &columns[at];
        // Several lines a receipt, and nearly every run of lines is a new number.
        free(taken, at)
            && column.mostly(column.whole)
            && column.negative == 0
            && column.repeats * 10 >= column.filled
            && column.distinct.len() as u64 * 2 >= (column.filled - column.repeats).min(DISTINCT as u64)
    });
    if let Some(at) = receipt {
        taken.insert(Field::Receipt, at);
    }
    let quantity = all.clone().find(|&at| {
        let column = &columns[at];
        free(taken, at)
            && column.mostly(column.whole)
            && column.mostly(column.small)
            && column.distinct.len() <= 200
    });
    if let Some(at) = quantity {
        taken.insert(Field::Quantity, at);
    }
    if let Some(at) = all
        .clone()
        .find(|&at| free(taken, at) && columns[at].is_number() && columns[at].whole < columns[at].filled)
    {
        taken.insert(Field::UnitPrice, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profiles(rows: &[&[&str]]) -> Vec<ColumnProfile> {
        let mut columns = vec![ColumnProfile::default(); rows[0].len()];
        for row in rows {
            for (column, cell) in columns.iter_mut().zip(*row) {
                column.see(cell.as_bytes());
            }
        }
        columns
    }

    fn headers(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn a_restaurant_export_is_understood_by_its_names() {
        let columns = profiles(&[
            &["16118", "03/08/19 20:25", "Plain Papadum", "2", "0.8", "6", "Kensington"],
            &["16118", "03/08/19 20:25", "King Prawn Balti", "1", "12.95", "6", "Kensington"],
            &["16117", "23/08/19 20:17", "Plain Naan", "1", "2.6", "7", "London"],
        ]);
        let names = headers(&[
            "invoice",
            "Order Date",
            "description",
            "Quantity",
            "Product Price",
            "Total products",
            "City",
        ]);
        assert_eq!(
            suggest(Some(&names), &columns),
            [
                Some(Field::Receipt),
                Some(Field::Date),
                Some(Field::Item),
                Some(Field::Quantity),
                Some(Field::UnitPrice),
                None,
                Some(Field::Store),
            ]
        );
        let first: Vec<&[u8]> = names.iter().map(|n| n.as_bytes()).collect();
        assert!(is_header(&first, &columns));
    }

    #[test]
    fn a_bakery_export_without_names_is_understood_by_its_cells() {
        let rows: Vec<[&str; 4]> = vec![
            ["2016-10-30", "9:58:11", "1", "Bread"],
            ["2016-10-30", "10:05:34", "2", "Scandinavian"],
            ["2016-10-30", "10:05:34", "2", "Scandinavian"],
            ["2016-10-30", "10:07:57", "3", "Hot chocolate"],
            ["2016-10-30", "10:07:57", "3", "Jam"],
            ["2016-10-31", "10:07:57", "3", "Cookies"],
        ];
        let rows: Vec<&[&str]> = rows.iter().map(|r| r.as_slice()).collect();
        let columns = profiles(&rows);
        assert_eq!(
            suggest(None, &columns),
            [Some(Field::Date), Some(Field::Time), Some(Field::Receipt), Some(Field::Item)]
        );
        let first: Vec<&[u8]> = rows[0].iter().map(|c| c.as_bytes()).collect();
        assert!(!is_header(&first, &columns));
    }

    #[test]
    fn code_and_name_are_told_apart() {
        let columns = profiles(&[&["2019-08-03", "A1", "Rice", "2"], &["2019-08-04", "A2", "Tea", "1"]]);
        let names = headers(&["Business Date", "Item Code", "Item Name", "Qty Sold"]);
        assert_eq!(
            suggest(Some(&names), &columns),
            [Some(Field::Date), Some(Field::Item), Some(Field::ItemName), Some(Field::Quantity)]
        );
    }

    #[test]
    fn a_number_column_with_a_dates_name_is_not_a_date() {
        let columns = profiles(&[&["1", "2019-08-03", "Rice"], &["2", "2019-08-04", "Tea"]]);
        let names = headers(&["Day", "When", "What"]);
        assert_eq!(suggest(Some(&names), &columns), [None, Some(Field::Date), Some(Field::Item)]);
    }
}
