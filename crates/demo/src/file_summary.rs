//! The summary of a file in its import record: columns, sums, names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use larder_domain::sales::control::Reason;
use larder_domain::sales::detect::{ColumnProfile, Together, suggest};
use larder_domain::sales::line::NONE;
use larder_domain::sales::names::key;
use larder_domain::sales::{Kind, StoreDay, UNMAPPED};
use larder_domain::{BusinessDay, Money, Qty};
use larder_ledgers::sales::Prepared;
use serde_json::{Value, json};

use super::masters;
use super::till::TillFile;

/// Rows analysed for the layout.
const LOOKED_AT: usize = 400;

/// The preview of the file before its columns are confirmed.
pub fn layout(file: &TillFile) -> Value {
    let mut profiles: Vec<ColumnProfile> = file.columns.iter().map(|_| ColumnProfile::default()).collect();
    let mut together = Together::default();
    for row in file.text.lines().skip(1).take(LOOKED_AT) {
        let cells = cells(row);
        for (profile, cell) in profiles.iter_mut().zip(&cells) {
            profile.see(cell.as_bytes());
        }
        together.see(cells.iter().map(String::as_bytes));
    }
    let headers: Vec<String> = file.columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let suggested = suggest(Some(&headers), &profiles, &together);
    let columns = profiles.iter().zip(&suggested.fields).enumerate().map(|(index, (profile, field))| {
        json!({
            "index": index,
            "header": headers[index],
            "samples": profile.samples,
            "suggested": field,
            "mayBeQuantity": suggested.may_be_quantity.contains(&index),
        })
    });
    let dates = profiles.iter().enumerate().filter(|(_, profile)| profile.is_date());
    let dates = dates.filter_map(|(index, profile)| {
        let verdict = profile.dates.verdict()?;
        Some(json!({
            "columns": [index],
            "format": verdict.format,
            "example": { "raw": verdict.example, "reads": BusinessDay(verdict.reads).display() },
            "certain": verdict.certain,
        }))
    });
    json!({
        "format": "csv",
        "delimiter": ",",
        "encoding": "UTF-8",
        "hasHeader": true,
        "columns": columns.collect::<Vec<_>>(),
        "dateFormats": dates.collect::<Vec<_>>(),
        "decimal": ".",
        "rows": file.rows(),
    })
}

/// The cells of a generated row.
fn cells(row: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    for letter in row.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(String::new()),
            _ => all.last_mut().into_iter().for_each(|cell| cell.push(letter)),
        }
    }
    all
}

/// The voided lines, which are in the file and not posted.
fn voided(file: &TillFile) -> Value {
    let lines: Vec<_> = file.lines.iter().filter(|line| !line.counts()).collect();
    if lines.is_empty() {
        return json!([]);
    }
    json!([{
        "reason": Reason::Void.key(),
        "label": Reason::Void.label(),
        "rows": lines.len(),
        "qty": Qty(lines.iter().map(|line| line.qty).sum()),
        "net": Money(lines.iter().map(|line| line.net).sum()),
    }])
}

/// The sums of the file's rows.
pub fn summary(file: &TillFile, days: &[Prepared], replaces: usize) -> Value {
    let days: Vec<&StoreDay> = days.iter().map(Prepared::day).collect();
    let totals: Vec<_> = days.iter().map(|day| day.totals()).collect();
    let dates: BTreeSet<BusinessDay> = days.iter().map(|day| BusinessDay(day.day)).collect();
    let stores: HashSet<&str> = days.iter().map(|day| day.store_id.as_ref()).collect();
    let items: HashSet<&str> =
        days.iter().flat_map(|day| &day.items).map(|item| item.pos_item_id.as_ref()).collect();
    let tills: HashSet<u32> =
        file.lines.iter().map(|line| line.terminal).filter(|terminal| *terminal != NONE).collect();
    let tills: BTreeSet<String> =
        tills.into_iter().map(|till| file.reader.tables.terminals.text(till).into_owned()).collect();
    let known = |id: &str| id.parse().is_ok_and(|n: usize| n <= masters::MOST_TERMINALS);
    let terminals = tills.iter().map(|id| json!({ "id": id, "known": known(id) }));
    json!({
        "lines": file.rows(),
        "goodLines": file.lines.len(),
        "problemLines": file.rows() as usize - file.lines.len(),
        "qty": Qty(totals.iter().map(|t| t.qty).sum()),
        "net": Money(totals.iter().map(|t| t.net).sum()),
        "fileQty": Qty(file.lines.iter().map(|line| line.qty).sum()),
        "fileNet": Money(file.lines.iter().map(|line| line.net).sum()),
        "leftOut": voided(file),
        "receipts": days.iter().map(|day| day.receipts.len()).sum::<usize>(),
        "firstDay": dates.first(),
        "lastDay": dates.last(),
        "days": dates.len(),
        "stores": stores.len(),
        "items": items.len(),
        "storeDays": days.len(),
        "replaces": replaces,
        "unmappedItems": items.iter().filter(|item| item.starts_with(UNMAPPED)).count(),
        "unmappedStores": 0,
        "terminals": terminals.collect::<Vec<_>>(),
        "warnings": [],
    })
}

/// A name in the file, with its sales.
#[derive(Debug, Clone, Default)]
pub struct Named {
    /// `store`, `item` or `terminal`.
    pub kind: &'static str,
    /// The key it is recognised by.
    pub key: String,
    /// As written.
    pub name: String,
    /// Its code.
    pub code: Option<String>,
    /// Centavos.
    pub price: Option<i64>,
    /// The store it maps to.
    pub store_id: Option<String>,
    /// Number of lines.
    pub lines: i64,
    /// Millionths.
    pub qty: i64,
    /// Centavos.
    pub net: i64,
    /// Business dates.
    pub days: BTreeSet<i32>,
}

/// The names in a file.
pub fn names(file: &TillFile, stores: &HashMap<String, Arc<str>>) -> Vec<Named> {
    let mut found: BTreeMap<(u8, u32), Named> = BTreeMap::new();
    for line in &file.lines {
        let counts = line.kind != Kind::Void || line.qty < 0;
        for key in
            [(0, line.store), (1, line.item), (2, line.terminal)].into_iter().filter(|key| key.1 != NONE)
        {
            let named = found.entry(key).or_default();
            named.lines += 1;
            named.qty += if counts { line.qty } else { 0 };
            named.net += if counts { line.net } else { 0 };
            named.days.insert(line.day);
        }
    }
    for ((kind, id), named) in &mut found {
        match kind {
            0 => {
                named.kind = "store";
                named.name = file.reader.tables.stores[*id as usize].clone();
                named.key = key(&named.name);
                named.store_id = stores.get(&named.name).map(ToString::to_string);
            }
            1 => {
                let seen = &file.reader.tables.items[*id as usize];
                named.kind = "item";
                named.name.clone_from(&seen.name);
                named.key.clone_from(&seen.key);
                named.code.clone_from(&seen.code);
                named.price = Some(seen.price);
            }
            _ => {
                named.kind = "terminal";
                named.name = file.reader.tables.terminals.text(*id).into_owned();
                named.key = key(&named.name);
            }
        }
    }
    found.into_values().collect()
}
