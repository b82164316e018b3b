//! Detecting the content of a file's columns, from their names and cells.

mod foreign;
mod header;
mod products;
mod profile;
mod split;
mod status;
#[cfg(test)]
mod tests;
mod together;

use std::collections::BTreeMap;

use super::mapping::{Field, Flag, Word};
use super::numbers::{Decimal, DecimalEvidence};
use header::{Header, PLACES, THINGS, WORDS, beside, inside, is_quantity, is_tender};
pub use header::{bare, is_title};
use products::product_columns;
pub use profile::ColumnProfile;
use profile::DISTINCT;
pub(super) use split::{PaidLines, copies};
pub use split::{SplitEvidence, SplitFound};
use status::{Statuses, statuses};
pub use together::Together;

/// Whether a row is a header rather than the first sale.
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
    // Words above numbers or dates are column names; without those, the row may be another sale.
    below.iter().any(|column| column.is_number() || column.is_date())
}

/// The most likely content of a file's columns, and the questions for the user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guess {
    /// The field of each column.
    pub fields: Vec<Option<Field>>,
    /// Numeric columns that may be the quantity, whether or not one was chosen.
    pub may_be_quantity: Vec<usize>,
    /// Columns that each represent a product, their cells the quantities sold.
    pub products: Vec<usize>,
    /// Columns that each represent a tender.
    pub tenders: Vec<usize>,
    /// Discounts are negative amounts.
    pub negative_discounts: bool,
    /// The price column contains line totals.
    pub price_is_line: bool,
    /// It is undecided whether it does, or only the rows suggest it.
    pub price_is_open: bool,
    /// Columns that may be the net amount as well as the chosen one.
    pub may_be_net: Vec<usize>,
    /// Columns that may be the net amount, where none was chosen for it or for the price.
    pub may_be_amount: Vec<usize>,
    /// Fields with the same amount on every line of a receipt.
    pub repeated: Vec<Field>,
    /// Further columns that say whether a row counts.
    pub statuses: Vec<usize>,
    /// Those of them that are read in another way.
    pub flags: BTreeMap<usize, Flag>,
    /// Words that mean something else in this file than usual.
    pub words: BTreeMap<String, Word>,
    /// Whether the status on the first line of a receipt is that of its other lines.
    pub status_of_receipts: bool,
    /// The decimal marks of columns with another one than the rest.
    pub decimals: BTreeMap<Field, Decimal>,
}

/// The most likely content of the columns.
#[must_use]
pub fn suggest(headers: Option<&[String]>, columns: &[ColumnProfile], together: &Together) -> Guess {
    let mut taken: BTreeMap<Field, usize> = BTreeMap::new();
    let headers: Option<Vec<Header>> =
        headers.map(|headers| headers.iter().map(|name| Header::of(name)).collect());
    let products =
        headers.as_ref().map_or_else(Vec::new, |headers| product_columns(headers, columns, together));
    if let Some(headers) = &headers {
        by_name(headers, columns, together, &mut taken);
        taken.retain(|_, at| !products.contains(at));
    }
    by_cells(headers.is_some(), !products.is_empty(), columns, &mut taken);
    if !products.is_empty() {
        // The product columns give items and quantities; a total is that of the whole receipt.
        for field in [Field::Item, Field::ItemName, Field::Quantity, Field::UnitPrice, Field::Net] {
            taken.remove(&field);
        }
    }
    let mut tenders = Vec::new();
    let (mut price_is_line, mut may_be_net) = (false, Vec::new());
    let mut found = Statuses::default();
    if let Some(headers) = headers.as_deref().filter(|_| products.is_empty()) {
        tenders = beside_lines(headers, columns, &mut taken);
        price_is_line = gross_as_price(headers, columns, &mut taken);
        found = statuses(headers, columns, together, &mut taken);
        may_be_net = rivals(headers, columns, together, &taken);
    }
    let negative_discounts = taken.get(&Field::Discount).is_some_and(|at| {
        let column = &columns[*at];
        column.negative > 0
            && column.sum < 0
            && column.negative * 2 > column.numbers.saturating_sub(column.zeros)
    });
    let price_is_open = !price_is_line && price_is_open(headers.is_some(), &taken, together);
    let repeated = repeated(&taken, &tenders, together);
    let may_be_quantity = (0..columns.len())
        .filter(|at| {
            products.is_empty() && may_be_quantity(*at, headers.as_deref(), columns, together, &taken)
        })
        .collect();
    let priced = taken.contains_key(&Field::Net) || taken.contains_key(&Field::UnitPrice);
    let may_be_amount: Vec<usize> = (0..columns.len())
        .filter(|at| products.is_empty() && !priced && !tenders.contains(at))
        .filter(|at| may_be_amount(*at, headers.as_deref(), columns, &taken))
        .collect();
    let decimals = decimals(columns, together, &taken);
    let mut fields = vec![None; columns.len()];
    for (field, column) in taken {
        fields[column] = Some(field);
    }
    Guess {
        fields,
        may_be_quantity,
        products,
        tenders,
        negative_discounts,
        price_is_line,
        price_is_open,
        may_be_net,
        may_be_amount,
        repeated,
        statuses: found.columns,
        flags: found.flags,
        words: found.words,
        status_of_receipts: found.of_receipts,
        decimals,
    }
}

/// The decimal marks of columns that have another one than the amounts together: by their own cells, or because quantity
/// × price = net tells.
fn decimals(
    columns: &[ColumnProfile],
    together: &Together,
    taken: &BTreeMap<Field, usize>,
) -> BTreeMap<Field, Decimal> {
    const FIELDS: [Field; 3] = [Field::Quantity, Field::UnitPrice, Field::Net];
    let mut evidence = DecimalEvidence::default();
    let read = FIELDS.into_iter().filter_map(|field| Some((field, *taken.get(&field)?)));
    read.clone().for_each(|(_, at)| evidence.merge(columns[at].decimals));
    let mark = evidence.verdict();
    let own = |(field, at): (Field, usize)| {
        let proven = columns[at].decimals.proven().filter(|own| *own != mark);
        proven.map(|own| (field, own))
    };
    let places = FIELDS.map(|field| taken.get(&field).copied());
    if let [Some(quantity), Some(price), Some(net)] = places
        && let Some(marks) = together.marks([quantity, price, net], mark)
    {
        return FIELDS.into_iter().zip(marks).filter(|(_, own)| *own != mark).collect();
    }
    read.filter_map(own).collect()
}

/// The name column and code column of a thing: a name in `exact` comes first, then one containing a word of `inside`,
/// then the column that correlates with the code.
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
        .filter(|at| !columns[*at].mostly(columns[*at].addresses))
        .filter(|at| !headers[*at].has(&["status", "state", "email", "requires", "taxable", "fulfillment"]))
        // Where a customer lives is not where something was sold.
        .filter(|at| !headers[*at].has(&["billing", "shipping", "customer"]))
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
        // No column name fits, but each code goes with one value of this column.
        name = (0..columns.len()).filter(free).find(|&at| {
            at != code
                && columns[at].is_text()
                && !columns[at].mostly(columns[at].addresses)
                && !headers.get(at).is_some_and(Header::is_about)
                && columns[at].distinct.len() > 1
                && together.tells(code, at)
                && together.tells(at, code)
        });
    }
    (name, code)
}

/// Whether a numeric column may be the quantity sold.
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
    if named && !taken.values().any(|t| *t == at) && column.counts_in_words() {
        return true;
    }
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
    // A value determined by a code, an item, a store or a receipt is not the quantity of a line.
    [Field::Item, Field::ItemName, Field::Store, Field::StoreCode, Field::Receipt]
        .into_iter()
        .filter_map(|field| taken.get(&field).copied())
        .all(|key| !(together.repeats(key) && together.tells(key, at)))
}

/// Whether a numeric column may be the lines' amount.
fn may_be_amount(
    at: usize,
    headers: Option<&[Header]>,
    columns: &[ColumnProfile],
    taken: &BTreeMap<Field, usize>,
) -> bool {
    let column = &columns[at];
    let ones = column.distinct.len() == 1 && column.sum == i128::from(column.filled) * 1_000_000;
    // An amount with an unknown sign: if chosen, every row is reported.
    let named = headers.and_then(|headers| headers.get(at)).is_some_and(|header| {
        header.has(&["amount", "amt", "total", "net", "sales", "price", "gross", "revenue", "subtotal"])
            && !header.is_code()
    });
    if taken.values().any(|t| *t == at) || column.is_date() || column.mostly(column.clocks) {
        return false;
    }
    if named && column.counts_in_words() {
        return true;
    }
    if !column.is_number() || column.sum == 0 || ones {
        return false;
    }
    headers.and_then(|headers| headers.get(at)).is_none_or(|header| {
        let stated =
            header.is_code() || header.bare == "index" || is_quantity(header) || beside(header).is_some();
        !stated
            && !header.has(&[
                "lat",
                "lon",
                "latitude",
                "longitude",
                "zip",
                "phone",
                "age",
                "percent",
                "pct",
                "hour",
                "day",
                "week",
                "weekday",
                "month",
                "year",
                "quarter",
                "row",
                "line",
                "stock",
                "balance",
                "cost",
            ])
    })
}

/// Assigns the receipt-level columns; returns those that are tenders.
fn beside_lines(
    headers: &[Header],
    columns: &[ColumnProfile],
    taken: &mut BTreeMap<Field, usize>,
) -> Vec<usize> {
    let width = headers.len().min(columns.len());
    let free = |taken: &BTreeMap<Field, usize>, at: usize| !taken.values().any(|t| *t == at);
    let mut tenders: Vec<usize> = (0..width)
        .filter(|at| {
            free(taken, *at) && is_tender(&headers[*at]) && columns[*at].numbers * 2 >= columns[*at].filled
        })
        .collect();
    if taken.contains_key(&Field::Tender) {
        tenders.clear();
    }
    let paid =
        !tenders.is_empty() || taken.contains_key(&Field::Tender) || taken.contains_key(&Field::TenderAmount);
    if !paid {
        taken.remove(&Field::TenderReference);
    }
    tenders
}

/// Without a net column, the amount before discounts is used as the price.
fn gross_as_price(headers: &[Header], columns: &[ColumnProfile], taken: &mut BTreeMap<Field, usize>) -> bool {
    if taken.contains_key(&Field::Net) || taken.contains_key(&Field::UnitPrice) {
        return false;
    }
    let gross = (0..headers.len().min(columns.len())).find(|at| {
        let header = &headers[*at];
        header.has(&["gross"]) && columns[*at].is_number() && !taken.values().any(|t| t == at)
    });
    if let Some(at) = gross {
        taken.insert(Field::UnitPrice, at);
    }
    gross.is_some()
}

/// Whether the price may be the line total: without names unless it is constant for every quantity, with names only if
/// it grows with it.
fn price_is_open(named: bool, taken: &BTreeMap<Field, usize>, together: &Together) -> bool {
    let (Some(&price), Some(&quantity)) = (taken.get(&Field::UnitPrice), taken.get(&Field::Quantity)) else {
        return false;
    };
    if taken.contains_key(&Field::Net) {
        return false;
    }
    let item = taken.get(&Field::Item).or_else(|| taken.get(&Field::ItemName));
    let (same, scaled) = item.map_or((0, 0), |item| together.price_and_quantity(*item, price, quantity));
    if named { scaled > same } else { same == 0 || scaled > 0 }
}

/// Columns that may be the net amount as well as the chosen one, with another total.
fn rivals(
    headers: &[Header],
    columns: &[ColumnProfile],
    together: &Together,
    taken: &BTreeMap<Field, usize>,
) -> Vec<usize> {
    let Some(&net) = taken.get(&Field::Net) else { return Vec::new() };
    if ["netsales", "netamount", "net", "nettotal", "netamt", "netsale"].contains(&headers[net].bare.as_str())
    {
        return Vec::new();
    }
    let words = WORDS.iter().find(|(field, _)| *field == Field::Net).map_or(&[][..], |(_, words)| words);
    (0..headers.len().min(columns.len()))
        .filter(|at| !taken.values().any(|t| t == at))
        .filter(|at| words.contains(&headers[*at].bare.as_str()) || inside(Field::Net, &headers[*at]))
        .filter(|at| columns[*at].is_number() && columns[*at].sum != columns[net].sum)
        // The amount before the discount is not the net amount.
        .filter(|at| {
            taken.get(&Field::Discount).is_none_or(|off| !together.is_before_discount(*at, net, *off))
        })
        .collect()
}

/// Fields with the same amount on every line of a receipt, as far as the rows show.
fn repeated(taken: &BTreeMap<Field, usize>, tenders: &[usize], together: &Together) -> Vec<Field> {
    let Some(&receipt) = taken.get(&Field::Receipt) else { return Vec::new() };
    let with: Vec<usize> =
        [Field::Store, Field::Terminal].iter().filter_map(|field| taken.get(field).copied()).collect();
    let is = |column: usize| {
        let (same, varied) = together.on_receipts(receipt, &with, column);
        same > 0 && varied * 4 <= same
    };
    let priced = taken.contains_key(&Field::UnitPrice);
    let mut found: Vec<Field> = taken
        .iter()
        .filter(|(field, _)| field.may_count_once() && !(**field == Field::Net && priced))
        .filter(|(_, column)| is(**column))
        .map(|(field, _)| *field)
        .collect();
    if !found.contains(&Field::TenderAmount) && tenders.iter().any(|column| is(*column)) {
        found.push(Field::TenderAmount);
    }
    found
}

fn by_name(
    headers: &[Header],
    columns: &[ColumnProfile],
    together: &Together,
    taken: &mut BTreeMap<Field, usize>,
) {
    for (at, header) in headers.iter().enumerate().take(columns.len()) {
        let Some(field) = beside(header).filter(|field| !taken.contains_key(field)) else { continue };
        let fits = match field {
            Field::Channel | Field::Tender => {
                columns[at].filled == 0 || columns[at].letters * 2 >= columns[at].filled
            }
            Field::TenderReference => true,
            _ => columns[at].numbers * 2 >= columns[at].filled,
        };
        if fits && !is_tender(header) {
            taken.insert(field, at);
        }
    }
    if let [Some(own), Some(parent)] = [&header::LINE_IDS[..], &header::PARENT_LINES[..]].map(|words| {
        let called = |header: &Header| words.contains(&header.bare.as_str());
        headers.iter().take(columns.len()).position(called)
    }) {
        taken.insert(Field::LineId, own);
        taken.insert(Field::ParentLine, parent);
    }
    // Orders whose lines are titled «Lineitem …»: what has no such title is about the order.
    let of_lines = headers.iter().any(|header| header.bare == "lineitemname");
    if of_lines && let Some(at) = headers.iter().take(columns.len()).position(|header| header.bare == "name")
    {
        taken.entry(Field::Receipt).or_insert(at);
    }
    for (field, words) in WORDS {
        if taken.contains_key(&field) || (of_lines && field == Field::Net) {
            continue;
        }
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
            let fits = |header: &Header| inside(field, header) && !is_tender(header);
            headers.iter().enumerate().position(|(at, header)| fits(header) && open(taken, at))
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

/// Whether a column with the right name can contain the field at all.
fn plausible(field: Field, column: &ColumnProfile) -> bool {
    if column.filled == 0 {
        return true;
    }
    match field {
        Field::Time => !column.is_date(),
        Field::Date => column.is_date() || column.may_be_serial() || column.dates.percent() >= 20,
        Field::Quantity | Field::UnitPrice | Field::Discount | Field::Net => {
            column.numbers * 2 >= column.filled
        }
        Field::Modifiers => !column.is_number(),
        Field::Variant => column.letters > 0 || column.filled == 0,
        _ => true,
    }
}

/// Fields not settled by names. With a header only the required fields are guessed: a column called «Total products»
/// must not become a price because it contains numbers.
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
            .filter(|&at| !columns[at].mostly(columns[at].addresses))
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
        // Several lines per receipt, and nearly every run of lines is a new number.
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
