//! Guessing what the columns of a file hold, from their names and from their cells.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};

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
    /// One word with a digit in it: `32`, `A-17`.
    codes: u64,
    weekdays: u64,
    /// What the numbers add up to, in millionths.
    sum: i128,
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
            self.sum += i128::from(number);
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
            self.weekdays += u64::from(is_weekday(cell));
        }
        self.codes += u64::from(cell.iter().any(u8::is_ascii_digit) && !cell.contains(&b' '));
    }

    /// What the numbers of the column add up to, in millionths; `None` when it holds none or too many.
    #[must_use]
    pub fn sum(&self) -> Option<i64> {
        if self.is_number() && !self.is_date() { i64::try_from(self.sum).ok() } else { None }
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
        self.mostly(self.letters) && !self.is_date() && !self.mostly(self.weekdays)
    }

    /// Whether the cells are codes rather than words.
    fn is_code(&self) -> bool {
        self.mostly(self.codes)
    }
}

fn is_weekday(cell: &[u8]) -> bool {
    let Some(three) = cell.get(..3) else { return false };
    let three = three.to_ascii_lowercase();
    cell.len() <= 9
        && [&b"mon"[..], b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"].contains(&three.as_slice())
}

/// Rows kept to see which columns go together.
const KEPT_ROWS: usize = 4_000;

/// What the first rows say about columns that go together: a code and its name, a price and its item.
#[derive(Debug, Clone, Default)]
pub struct Together {
    rows: Vec<Vec<Kept>>,
}

/// A cell, as far as it takes to compare it.
#[derive(Debug, Clone, Copy)]
struct Kept {
    hash: u64,
    number: Option<i64>,
}

impl Together {
    /// Takes a row into account.
    pub fn see<'a>(&mut self, cells: impl Iterator<Item = &'a [u8]>) {
        if self.rows.len() < KEPT_ROWS {
            let kept = |cell: &[u8]| {
                let cell = cell.trim_ascii();
                let mut hasher = DefaultHasher::new();
                cell.hash(&mut hasher);
                let number = millionths(cell, Decimal::Point).or_else(|_| millionths(cell, Decimal::Comma));
                Kept { hash: hasher.finish(), number: number.ok() }
            };
            self.rows.push(cells.map(kept).collect());
        }
    }

    /// Whether the cell of `from` says what stands in `to`: of every hundred rows that name something
    /// again, at least 98 say the same of it.
    fn tells(&self, from: usize, to: usize) -> bool {
        let mut first: HashMap<u64, u64> = HashMap::new();
        let (mut again, mut same) = (0u32, 0u32);
        for row in &self.rows {
            let (Some(from), Some(to)) = (row.get(from), row.get(to)) else { continue };
            match first.get(&from.hash) {
                None => {
                    first.insert(from.hash, to.hash);
                }
                Some(known) => {
                    again += 1;
                    same += u32::from(*known == to.hash);
                }
            }
        }
        same * 100 >= again * 98
    }

    /// Whether `tells` had anything to go by: things that are named more than once.
    fn repeats(&self, column: usize) -> bool {
        let cells: HashSet<u64> = self.rows.iter().filter_map(|row| Some(row.get(column)?.hash)).collect();
        cells.len() * 10 <= self.rows.len() * 9
    }

    /// Whether the amounts of a column can be those of its line: at most the quantity at the price, and
    /// no small part of it. A receipt's total that stands on each of its lines cannot.
    fn is_line_amount(&self, net: usize, price: usize, quantity: Option<usize>) -> bool {
        let (mut seen, mut fit) = (0u32, 0u32);
        for row in &self.rows {
            let number = |column: usize| row.get(column).and_then(|cell| cell.number).map(i128::from);
            let quantity = quantity.map_or(Some(1_000_000), number);
            let (Some(net), Some(price), Some(quantity)) = (number(net), number(price), quantity) else {
                continue;
            };
            let gross = (price * quantity / 1_000_000).abs();
            let line = gross.max(price.abs());
            seen += 1;
            fit +=
                u32::from(net.abs() <= line + line / 20 + 20_000 && net.abs() * 2 >= gross.min(price.abs()));
        }
        fit * 10 >= seen * 8
    }
}

/// Names of columns that say what was sold.
const ITEM_WORDS: [&str; 27] = [
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
];

/// Names of columns, as tills export them, for each field; the first that fits wins.
const WORDS: [(Field, &[&str]); 13] = [
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
    (Field::Item, &ITEM_WORDS),
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

/// The words of a column's name: `transaction_qty`, `TransactionQty` and `Transaction Qty` have the same.
fn words(header: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    for c in header.chars() {
        let new = !c.is_alphanumeric() || (c.is_uppercase() && last.is_lowercase());
        if new && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        last = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a file's columns most likely hold, and what a person is to be asked about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guess {
    /// The field of each column.
    pub fields: Vec<Option<Field>>,
    /// Columns of numbers that may be the quantity, whether or not one of them was taken for it.
    pub may_be_quantity: Vec<usize>,
    /// The columns that each look like a product, their cells the quantities sold of it.
    pub products: Vec<usize>,
}

/// What the columns most likely hold.
#[must_use]
pub fn suggest(headers: Option<&[String]>, columns: &[ColumnProfile], together: &Together) -> Guess {
    let mut taken: BTreeMap<Field, usize> = BTreeMap::new();
    let headers: Option<Vec<Header>> = headers.map(|headers| {
        headers.iter().map(|header| Header { bare: bare(header), words: words(header) }).collect()
    });
    let products = headers.as_ref().map_or_else(Vec::new, |headers| product_columns(headers, columns));
    if let Some(headers) = &headers {
        by_name(headers, columns, together, &mut taken);
        taken.retain(|_, at| !products.contains(at));
    }
    by_cells(headers.is_some(), !products.is_empty(), columns, &mut taken);
    if !products.is_empty() {
        // What is sold and how many is said by the product columns; a total is of the whole receipt.
        for field in [Field::Item, Field::ItemName, Field::Quantity, Field::UnitPrice, Field::Net] {
            taken.remove(&field);
        }
    }
    let may_be_quantity = (0..columns.len())
        .filter(|at| {
            products.is_empty() && may_be_quantity(*at, headers.as_deref(), columns, together, &taken)
        })
        .collect();
    let mut fields = vec![None; columns.len()];
    for (field, column) in taken {
        fields[column] = Some(field);
    }
    Guess { fields, may_be_quantity, products }
}

/// A column's name, as it is compared.
struct Header {
    bare: String,
    words: Vec<String>,
}

impl Header {
    fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether it names a code: `store_id`, `Item No.`, `SKU`.
    fn is_code(&self) -> bool {
        self.has(&["id", "code", "no", "num", "number", "nr", "sku", "plu", "barcode", "upc", "ean", "key"])
            || [&CODES[..], &["storeid", "storecode", "branchid", "branchcode", "poscode"]]
                .concat()
                .contains(&self.bare.as_str())
    }

    /// Whether it names some figure, a time or a group, so that it neither names a thing nor counts it.
    fn is_about(&self) -> bool {
        self.has(&[
            "price",
            "cost",
            "amount",
            "amt",
            "value",
            "rate",
            "discount",
            "disc",
            "tax",
            "vat",
            "total",
            "net",
            "gross",
            "revenue",
            "sales",
            "margin",
            "profit",
            "percent",
            "date",
            "time",
            "hour",
            "day",
            "week",
            "weekday",
            "month",
            "quarter",
            "year",
            "qty",
            "quantity",
            "count",
            "units",
            "category",
            "type",
            "group",
            "department",
            "class",
            "family",
            "subcategory",
            "size",
            "unit",
            "uom",
            "balance",
            "cash",
            "change",
            "tip",
            "charge",
            "fee",
            "lat",
            "lon",
            "latitude",
            "longitude",
            "zip",
            "phone",
            "age",
        ])
    }
}

/// Names of item codes that are written in one word.
const CODES: [&str; 7] =
    ["itemcode", "itemid", "itemno", "productcode", "productid", "menucode", "articlecode"];

/// Fewer columns of quantities are not yet a sheet of one column a product.
const LEAST_PRODUCTS: usize = 4;

/// The columns of a sheet that has one for each product. They are called by no name that tills use, and
/// hold nothing or a small number; the columns before and between say when, where and how much.
fn product_columns(headers: &[Header], columns: &[ColumnProfile]) -> Vec<usize> {
    let counts = |at: usize| {
        let (header, column) = (&headers[at], &columns[at]);
        let named = header.bare.is_empty()
            || header.bare.chars().all(|c| c.is_ascii_digit())
            || header.is_code()
            || header.is_about()
            || WORDS.iter().any(|(_, words)| words.contains(&header.bare.as_str()));
        !named && !column.is_date() && column.mostly(column.numbers) && column.mostly(column.small)
    };
    let width = headers.len().min(columns.len());
    let found: Vec<usize> = (0..width).filter(|at| counts(*at)).collect();
    let dated = columns.iter().any(ColumnProfile::is_date);
    // A column that says what was sold makes the numbers beside it something else.
    let said = (0..width).any(|at| {
        let header = &headers[at];
        columns[at].is_text()
            && !header.is_about()
            && (header.has(&THINGS) || ITEM_WORDS.contains(&header.bare.as_str()))
    });
    if found.len() < LEAST_PRODUCTS || !dated || said {
        return Vec::new();
    }
    // A product nobody bought has an empty column among the others, or behind them.
    let Some(&first) = found.first() else { return Vec::new() };
    let empty = |at: usize| {
        let header = &headers[at];
        columns[at].filled == 0 && !header.bare.is_empty() && !header.is_about() && !header.is_code()
    };
    (first..width).filter(|at| found.contains(at) || empty(*at)).collect()
}

/// Words in the names of columns that say what was sold.
const THINGS: [&str; 12] = [
    "item",
    "items",
    "product",
    "products",
    "sku",
    "plu",
    "menu",
    "article",
    "dish",
    "description",
    "desc",
    "particulars",
];

/// Words in the names of columns that say where it was sold.
const PLACES: [&str; 11] =
    ["store", "branch", "outlet", "shop", "site", "restaurant", "location", "city", "place", "cafe", "venue"];

/// The columns that say a thing's name and its code: what is called by one of `exact` comes first, then
/// what has one of `inside` in its name, then what goes together with the code.
fn name_and_code(
    headers: &[Header],
    columns: &[ColumnProfile],
    together: &Together,
    taken: &BTreeMap<Field, usize>,
    exact: &[&str],
    inside: &[&str],
) -> (Option<usize>, Option<usize>) {
    let place = |at: usize| exact.iter().position(|word| *word == headers[at].bare);
    let free = |at: &usize| !taken.values().any(|t| t == at);
    let candidates: Vec<usize> = (0..headers.len().min(columns.len()))
        .filter(free)
        .filter(|at| place(*at).is_some() || (headers[*at].has(inside) && !headers[*at].is_about()))
        .filter(|at| !columns[*at].is_date() && !columns[*at].mostly(columns[*at].clocks))
        .collect();
    let is_code = |at: &usize| headers[*at].is_code() || (columns[*at].is_code() && !columns[*at].is_text());
    let order = |at: &usize| place(*at).unwrap_or(usize::MAX);
    let code = candidates.iter().copied().filter(is_code).min_by_key(order);
    let mut name = candidates
        .iter()
        .copied()
        .filter(|at| !is_code(at))
        .filter(|at| columns[*at].filled == 0 || columns[*at].letters * 2 >= columns[*at].filled)
        .max_by_key(|at| (columns[*at].distinct.len(), std::cmp::Reverse(order(at))));
    if name.is_none()
        && let Some(code) = code
        && columns[code].distinct.len() > 1
        && together.repeats(code)
    {
        // No name says so, but each code stands beside one word of its own.
        name = (0..columns.len()).filter(free).find(|&at| {
            at != code
                && columns[at].is_text()
                && !headers.get(at).is_some_and(Header::is_about)
                && columns[at].distinct.len() > 1
                && together.tells(code, at)
                && together.tells(at, code)
        });
    }
    (name, code)
}

/// Whether a column of numbers may say how many were sold.
fn may_be_quantity(
    at: usize,
    headers: Option<&[Header]>,
    columns: &[ColumnProfile],
    together: &Together,
    taken: &BTreeMap<Field, usize>,
) -> bool {
    let column = &columns[at];
    let is = |field: Field| taken.get(&field) == Some(&at);
    if is(Field::Quantity) {
        return true;
    }
    let header = headers.and_then(|headers| headers.get(at));
    let named = header.is_some_and(is_quantity);
    if taken.values().any(|t| *t == at)
        || !column.is_number()
        || column.is_date()
        || column.mostly(column.clocks)
        || (column.distinct.len() == 1 && column.sum == i128::from(column.filled) * 1_000_000)
    {
        return false;
    }
    if named {
        return true;
    }
    let most = columns.iter().map(|c| c.filled).max().unwrap_or(0);
    if column.filled * 2 < most
        || !column.mostly(column.small)
        || column.distinct.len() > 200
        || header.is_some_and(|header| header.is_code() || header.is_about() || header.bare == "index")
    {
        return false;
    }
    // What a code, an item, a store or a receipt tells beforehand is not how many were sold on a line.
    [Field::Item, Field::ItemName, Field::Store, Field::StoreCode, Field::Receipt]
        .into_iter()
        .filter_map(|field| taken.get(&field).copied())
        .all(|key| !(together.repeats(key) && together.tells(key, at)))
}

/// Whether a name says that the column counts what was sold.
fn is_quantity(header: &Header) -> bool {
    header.has(&["qty", "quantity", "quantities", "qnty", "qtty", "quant", "units", "pcs", "pieces", "sold"])
        && !header
            .has(&["price", "cost", "amount", "amt", "value", "total", "date", "time", "at", "id", "by"])
}

fn by_name(
    headers: &[Header],
    columns: &[ColumnProfile],
    together: &Together,
    taken: &mut BTreeMap<Field, usize>,
) {
    for (field, words) in WORDS {
        match field {
            Field::Store => {
                let (name, code) = name_and_code(headers, columns, together, taken, words, &PLACES);
                match (name, code) {
                    (Some(name), Some(code)) => {
                        taken.insert(Field::Store, name);
                        if together.tells(code, name) {
                            taken.insert(Field::StoreCode, code);
                        }
                    }
                    (Some(only), None) | (None, Some(only)) => {
                        taken.insert(Field::Store, only);
                    }
                    (None, None) => {}
                }
                continue;
            }
            Field::Item => {
                let (name, code) = name_and_code(headers, columns, together, taken, words, &THINGS);
                match (name, code) {
                    (Some(name), Some(code)) if together.tells(code, name) => {
                        taken.insert(Field::Item, code);
                        taken.insert(Field::ItemName, name);
                    }
                    (Some(only), _) | (None, Some(only)) => {
                        taken.insert(Field::Item, only);
                    }
                    (None, None) => {}
                }
                continue;
            }
            _ => {}
        }
        let open = |taken: &BTreeMap<Field, usize>, at: usize| {
            at < columns.len() && !taken.values().any(|t| *t == at) && plausible(field, &columns[at])
        };
        let exact = words.iter().find_map(|word| {
            headers.iter().enumerate().position(|(at, header)| header.bare == *word && open(taken, at))
        });
        let found = exact.or_else(|| {
            headers.iter().enumerate().position(|(at, header)| inside(field, header) && open(taken, at))
        });
        let found = found.filter(|at| {
            let price = taken.get(&Field::UnitPrice).copied().filter(|_| field == Field::Net);
            price
                .is_none_or(|price| together.is_line_amount(*at, price, taken.get(&Field::Quantity).copied()))
        });
        if let Some(at) = found {
            taken.insert(field, at);
        }
    }
}

/// Whether the words inside a column's name say what it holds, where no whole name did.
fn inside(field: Field, header: &Header) -> bool {
    match field {
        Field::Date => {
            header.has(&["date", "datetime", "timestamp"]) && !header.has(&["due", "birth", "expiry"])
        }
        Field::Time => header.has(&["time"]) && !header.has(&["date", "prep", "wait"]),
        Field::Receipt => {
            header.has(&["receipt", "invoice", "transaction", "order", "ticket", "bill", "txn", "check"])
                && header.has(&["id", "no", "num", "number", "nr"])
        }
        Field::Terminal => {
            header.has(&["terminal", "till", "register"])
                && header.has(&["id", "no", "num", "number", "name"])
        }
        Field::Quantity => is_quantity(header),
        Field::UnitPrice => {
            header.has(&["price", "srp"])
                && !header.has(&["total", "line", "extended", "cost", "net", "gross"])
        }
        Field::Discount => {
            header.has(&["discount"]) && !header.has(&["percent", "pct", "rate", "type", "id"])
        }
        Field::Net => {
            header.has(&["net", "amount", "amt", "total", "revenue", "subtotal", "sales"])
                && !header.has(&[
                    "tax", "vat", "discount", "cost", "tip", "service", "charge", "products", "items",
                    "item", "count", "qty", "quantity", "cash", "change", "tendered", "paid", "balance",
                    "id", "no", "type", "by", "person", "rep", "date", "fee",
                ])
        }
        Field::ServiceType => header.has(&["dining", "channel"]),
        Field::Category => header.has(&["category"]),
        _ => false,
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
fn by_cells(named: bool, wide: bool, columns: &[ColumnProfile], taken: &mut BTreeMap<Field, usize>) {
    let free = |taken: &BTreeMap<Field, usize>, at: usize| !taken.values().any(|t| *t == at);
    let all = 0..columns.len();
    if !taken.contains_key(&Field::Date)
        && let Some(at) = all.clone().find(|&at| free(taken, at) && columns[at].is_date())
    {
        taken.insert(Field::Date, at);
    }
    if !wide && !taken.contains_key(&Field::Item) && !taken.contains_key(&Field::ItemName) {
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

    fn together(rows: &[&[&str]]) -> Together {
        let mut together = Together::default();
        rows.iter().for_each(|row| together.see(row.iter().map(|cell| cell.as_bytes())));
        together
    }

    /// What a file with these columns' names and rows is taken for.
    fn guess(names: Option<&[&str]>, rows: &[&[&str]]) -> Guess {
        let names = names.map(headers);
        suggest(names.as_deref(), &profiles(rows), &together(rows))
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
            suggest(Some(&names), &columns, &Together::default()).fields,
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
            suggest(None, &columns, &together(&rows)).fields,
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
            suggest(Some(&names), &columns, &Together::default()).fields,
            [Some(Field::Date), Some(Field::Item), Some(Field::ItemName), Some(Field::Quantity)]
        );
    }

    #[test]
    fn a_number_column_with_a_dates_name_is_not_a_date() {
        let columns = profiles(&[&["1", "2019-08-03", "Rice"], &["2", "2019-08-04", "Tea"]]);
        let names = headers(&["Day", "When", "What"]);
        assert_eq!(
            suggest(Some(&names), &columns, &Together::default()).fields,
            [None, Some(Field::Date), Some(Field::Item)]
        );
    }

    /// A coffee shop's export: three places and four products with their codes, two to a receipt.
    fn coffee() -> Vec<Vec<String>> {
        let places = [("5", "Lower Manhattan"), ("8", "Hell's Kitchen"), ("3", "Astoria")];
        let products = [
            ("32", "3", "Coffee", "Gourmet brewed coffee", "Ethiopia Rg"),
            ("57", "3.1", "Tea", "Brewed Chai tea", "Spicy Eye Opener Chai Lg"),
            ("59", "4.5", "Drinking Chocolate", "Hot chocolate", "Dark chocolate Lg"),
            ("22", "2", "Coffee", "Drip coffee", "Our Old Time Diner Blend Sm"),
            ("77", "3", "Bakery", "Scone", "Oatmeal Scone"),
        ];
        (0..60)
            .map(|at: usize| {
                let place = places[at / 2 % 3];
                let (code, price, category, kind, name) = products[(at * 7 + at / 5) % 5];
                let qty = [1, 1, 2, 1, 3, 1, 2][at % 7];
                [
                    &(at / 2 + 1).to_string(),
                    "2023-01-01",
                    "07:06:11",
                    &qty.to_string(),
                    place.0,
                    place.1,
                    code,
                    price,
                    category,
                    kind,
                    name,
                ]
                .map(str::to_owned)
                .to_vec()
            })
            .collect()
    }

    const COFFEE: [&str; 11] = [
        "transaction_id",
        "transaction_date",
        "transaction_time",
        "transaction_qty",
        "store_id",
        "store_location",
        "product_id",
        "unit_price",
        "product_category",
        "product_type",
        "product_detail",
    ];

    #[test]
    fn words_inside_a_name_count_and_a_name_wins_over_its_code() {
        let rows = coffee();
        let rows: Vec<Vec<&str>> = rows.iter().map(|r| r.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let found = guess(Some(&COFFEE), &rows);
        assert_eq!(
            found.fields,
            [
                Some(Field::Receipt),
                Some(Field::Date),
                Some(Field::Time),
                Some(Field::Quantity),
                Some(Field::StoreCode),
                Some(Field::Store),
                Some(Field::Item),
                Some(Field::UnitPrice),
                Some(Field::Category),
                None,
                Some(Field::ItemName),
            ]
        );
        assert_eq!((found.may_be_quantity, found.products), (vec![3], vec![]));
    }

    #[test]
    fn a_number_that_nothing_else_tells_may_be_the_quantity() {
        let rows = coffee();
        let mut names = COFFEE;
        names[3] = "how_many";
        let rows: Vec<Vec<&str>> = rows.iter().map(|r| r.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let found = guess(Some(&names), &rows);
        assert_eq!(found.fields[3], None);
        assert_eq!(found.may_be_quantity, [3]);
    }

    #[test]
    fn a_code_is_no_code_where_it_does_not_tell_the_name() {
        let rows: &[&[&str]] = &[
            &["2024-01-01", "1", "Rice", "2"],
            &["2024-01-01", "1", "Tea", "1"],
            &["2024-01-01", "2", "Rice", "1"],
            &["2024-01-01", "2", "Egg", "4"],
        ];
        let found = guess(Some(&["Date", "Item No", "Item", "Qty"]), rows);
        assert_eq!(found.fields, [Some(Field::Date), None, Some(Field::Item), Some(Field::Quantity)]);
    }

    #[test]
    fn a_receipts_total_on_each_line_is_not_the_lines_amount() {
        let rows: &[&[&str]] = &[
            &["1", "2024-01-01", "Rice", "2", "10", "75"],
            &["1", "2024-01-01", "Tea", "1", "20", "75"],
            &["1", "2024-01-01", "Egg", "5", "7", "75"],
            &["2", "2024-01-01", "Rice", "1", "10", "30"],
            &["2", "2024-01-01", "Tea", "1", "20", "30"],
        ];
        let names = ["Receipt", "Date", "Item", "Qty", "Price", "Total"];
        assert_eq!(guess(Some(&names), rows).fields[5], None);
        let lines: Vec<Vec<&str>> = rows
            .iter()
            .zip(["20", "20", "35", "10", "20"])
            .map(|(row, total)| [&row[..5], &[total]].concat())
            .collect();
        let lines: Vec<&[&str]> = lines.iter().map(Vec::as_slice).collect();
        assert_eq!(guess(Some(&names), &lines).fields[5], Some(Field::Net));
    }

    #[test]
    fn one_column_a_product_is_recognised_and_a_weekday_is_no_item() {
        let rows: &[&[&str]] = &[
            &["2019-07-11 15:35", "Thur", "23800", "Station", "1", "", "", "", "2"],
            &["2019-07-11 16:10", "Thur", "15800", "Station", "", "1", "", "", "1"],
            &["2019-07-12 11:49", "Fri", "58000", "", "", "", "", "3", "14"],
        ];
        let names = [
            "datetime",
            "day of week",
            "total",
            "place",
            "angbutter",
            "plain bread",
            "pandoro",
            "jam",
            "croissant",
        ];
        let found = guess(Some(&names), rows);
        assert_eq!(found.products, [4, 5, 6, 7, 8]);
        assert_eq!(found.fields[..4], [Some(Field::Date), None, None, Some(Field::Store)]);
        assert!(found.fields[4..].iter().all(Option::is_none), "{found:?}");
        assert!(found.may_be_quantity.is_empty());
    }
}
