//! Guessing what the columns of a file hold, from their names and from their cells.

mod header;
mod products;
mod profile;
#[cfg(test)]
mod tests;
mod together;

use std::collections::BTreeMap;

use super::mapping::Field;
use header::{Header, PLACES, THINGS, WORDS, bare, inside, is_quantity};
use products::product_columns;
pub use profile::ColumnProfile;
use profile::DISTINCT;
pub use together::Together;

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
