//! Daily series of store × item from a file of sales.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::BusinessDay;

pub struct Item {
    pub name: String,
    /// One value per day over the whole file, NaN where the store sold nothing at all.
    pub raw: Vec<f64>,
}

/// All series, and their first day. Lines are a restaurant's orders (`invoice,03/08/19 20:25,item,quantity,price,lines,
/// store`) or a bakery's sales of one each (`2016-10-30,9:58:11,ticket,item`); others are left out.
pub fn read(path: &str) -> Result<(i32, Vec<Item>), String> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .has_headers(false)
        .from_path(path)
        .map_err(|why| format!("skipped: {path}: {why}"))?;
    let mut sold: BTreeMap<(String, String), BTreeMap<i32, f64>> = BTreeMap::new();
    let mut open: BTreeMap<String, BTreeSet<i32>> = BTreeMap::new();
    for record in reader.byte_records() {
        let record = record.map_err(|why| why.to_string())?;
        let cell = |at: usize| String::from_utf8_lossy(record.get(at).unwrap_or_default()).trim().to_owned();
        let (day, store, item, quantity) = match record.len() {
            4 => (bakery_day(&cell(0)), "bakery".to_owned(), cell(3), Ok(1.0)),
            _ => (order_day(&cell(1)), cell(6), cell(2), cell(3).parse::<f64>()),
        };
        let (Some(day), Ok(quantity)) = (day, quantity) else { continue };
        open.entry(store.clone()).or_default().insert(day);
        if item != "NONE" {
            *sold.entry((store, item)).or_default().entry(day).or_default() += quantity;
        }
    }
    let days = || open.values().flatten();
    let (Some(&first), Some(&last)) = (days().min(), days().max()) else {
        return Err(format!("skipped: {path} has no sales"));
    };
    let items = sold
        .into_iter()
        .map(|((store, item), by_day)| Item {
            name: format!("{store}/{item}"),
            raw: (first..=last)
                .map(|day| match by_day.get(&day) {
                    Some(quantity) => *quantity,
                    None if open[&store].contains(&day) => 0.0,
                    None => f64::NAN,
                })
                .collect(),
        })
        .collect();
    Ok((first, items))
}

/// The day of `03/08/19 20:25`.
fn order_day(text: &str) -> Option<i32> {
    let mut parts = text.split(['/', ' ']).map(str::parse::<i16>);
    let (day, month, year) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    day_of(2000 + year, month, day)
}

/// The day of `2017-4-9`.
fn bakery_day(text: &str) -> Option<i32> {
    let mut parts = text.split('-').map(str::parse::<i16>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    day_of(year, month, day)
}

fn day_of(year: i16, month: i16, day: i16) -> Option<i32> {
    BusinessDay::from_ymd(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).map(|it| it.0)
}
