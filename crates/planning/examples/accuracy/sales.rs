//! Daily series of store × item from a file of restaurant orders.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::BusinessDay;

pub struct Item {
    pub name: String,
    pub total: f64,
    /// One value per day over the whole file, NaN where the store sold nothing at all.
    pub raw: Vec<f64>,
}

/// The series with the highest sales first, and their first day.
pub fn read(path: &str, most: usize) -> Result<(i32, Vec<Item>), String> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_path(path)
        .map_err(|why| format!("skipped: {path}: {why}"))?;
    let mut sold: BTreeMap<(String, String), BTreeMap<i32, f64>> = BTreeMap::new();
    let mut open: BTreeMap<String, BTreeSet<i32>> = BTreeMap::new();
    for record in reader.byte_records() {
        let record = record.map_err(|why| why.to_string())?;
        let cell = |at: usize| String::from_utf8_lossy(record.get(at).unwrap_or_default()).trim().to_owned();
        let (Some(day), Ok(quantity)) = (day_of(&cell(1)), cell(3).parse::<f64>()) else { continue };
        let store = cell(6);
        open.entry(store.clone()).or_default().insert(day);
        *sold.entry((store, cell(2))).or_default().entry(day).or_default() += quantity;
    }
    let days = || open.values().flatten();
    let (Some(&first), Some(&last)) = (days().min(), days().max()) else {
        return Err(format!("skipped: {path} has no sales"));
    };
    let mut items: Vec<Item> = sold
        .into_iter()
        .map(|((store, item), by_day)| Item {
            name: format!("{store}/{item}"),
            total: by_day.values().sum(),
            raw: (first..=last)
                .map(|day| match by_day.get(&day) {
                    Some(quantity) => *quantity,
                    None if open[&store].contains(&day) => 0.0,
                    None => f64::NAN,
                })
                .collect(),
        })
        .collect();
    items.sort_by(|a, b| b.total.total_cmp(&a.total));
    items.truncate(most);
    Ok((first, items))
}

/// The day of `03/08/19 20:25`.
fn day_of(text: &str) -> Option<i32> {
    let mut parts = text.split(['/', ' ']).map(str::parse::<i16>);
    let (day, month, year) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    BusinessDay::from_ymd(2000 + year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).map(|it| it.0)
}
