//! Confirmed mappings, suggested again for the same or similar columns.

use std::collections::{BTreeMap, HashMap};

use larder_domain::sales::mapping::{Field, Mapping};
use larder_domain::sales::names::key;

use super::answers::with;
use super::layout::{self, DateReading, Layout};
use super::midnight::DAY_START;
use super::queries::layouts::{self, Known};
use super::questions::DATE_ORDER;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Minimum share of common columns for similar files, in percent.
const SIMILAR: usize = 60;

/// The mapping of the last file with these columns, or of the most similar one; the layout names that file
/// and the differences.
pub async fn recall(state: &AppState, layout: &mut Layout) -> ApiResult<Option<Mapping>> {
    let fingerprint = layout::fingerprint(layout);
    let known = layouts::known(&state.db).await?;
    if let Some(same) = known.iter().find(|known| known.fingerprint == fingerprint) {
        let said = same.updated_by.0.name.clone();
        (layout.remembered_from, layout.remembered_by) = (Some(same.file_name.clone()), Some(said));
        let mut mapping = same.mapping.0.clone();
        // Sheet names vary between files.
        mapping.sheet = layout.sheet.clone();
        mapping.sheets = layout.suggestion.as_ref().and_then(|suggestion| suggestion.sheets.clone());
        forget(&mut mapping);
        if let Some(suggestion) = &layout.suggestion {
            (mapping.day, mapping.quotes) = (suggestion.day, suggestion.quotes);
            prefer_proven(&mut mapping, layout, suggestion);
            prefer_said(&mut mapping, suggestion);
        }
        return Ok(Some(mapping));
    }
    if !layout.has_header || !layout.product_columns.is_empty() {
        return Ok(None);
    }
    let titles = titles(layout);
    let like = |known: &Known| {
        let theirs = &known.headers.as_ref()?.0;
        let common = theirs.iter().filter(|title| !title.is_empty() && titles.contains(title)).count();
        let all = theirs.iter().chain(&titles).filter(|title| !title.is_empty()).count() - common;
        let share = common * 100 / all.max(1);
        (share >= SIMILAR && known.mapping.0.products().is_empty() && known.mapping.0.has_header)
            .then_some(share)
    };
    let best = known.iter().filter_map(|known| Some((like(known)?, known))).max_by_key(|(share, _)| *share);
    let Some((_, like)) = best else { return Ok(None) };
    Ok(translated(layout, &titles, like))
}

/// Answers about one file only, which say nothing about the next one.
const OF_ONE_FILE: [&str; 5] = ["sheets", "totals", "day", "hidden", "quotes"];

/// Forgets what was answered about one file only.
fn forget(mapping: &mut Mapping) {
    // When a store's day begins is set on the store.
    mapping.answers.retain(|id, _| !OF_ONE_FILE.contains(&id.as_str()) && id != DAY_START);
    mapping.day_starts.clear();
    (mapping.totals, mapping.hidden_rows, mapping.quotes) = (None, None, None);
}

/// Sets what the file itself proves, whatever was said about earlier ones: its dates, its decimal marks, and whether
/// its lines are repeated for each tender.
fn prefer_proven(mapping: &mut Mapping, layout: &Layout, suggestion: &Mapping) {
    let date = mapping.column(Field::Date);
    let proves = |read: &&DateReading| read.certain && date.is_some_and(|at| read.columns.contains(&at));
    if let Some(read) = layout.date_formats.iter().find(proves) {
        mapping.date_format = read.format;
        mapping.answers.remove(DATE_ORDER);
    } else if let Some(ask) = layout.asks.iter().find(|ask| ask.id == DATE_ORDER) {
        // The last such file was read so, and this one does not tell.
        let said =
            ask.choices.iter().find(|choice| with(mapping, &choice.set).date_format == mapping.date_format);
        mapping.answers.extend(said.map(|choice| (DATE_ORDER.to_owned(), choice.id.clone())));
    }
    if let Some(mark) = layout.proven_decimal.filter(|mark| *mark != mapping.decimal) {
        mapping.decimal = mark;
        mapping.decimals.clone_from(&suggestion.decimals);
        mapping.answers.remove("decimal");
    } else if layout.asks.iter().all(|ask| ask.id != "decimal") {
        mapping.decimals.extend(&suggestion.decimals);
    }
    if suggestion.split_tenders == Some(true) {
        if mapping.split_tenders != Some(true) {
            // What each tender paid counts for its set of lines.
            mapping.once.iter_mut().for_each(|once| once.retain(|field| *field != Field::TenderAmount));
            mapping.answers.remove("splitTenders");
        }
        mapping.split_tenders = Some(true);
    } else if !mapping.answers.contains_key("splitTenders") {
        // What was proven of one file is not of the next.
        mapping.split_tenders = suggestion.split_tenders;
    }
}

/// Sets the store that the file itself names, whatever store an earlier one was of. A column of stores stays.
fn prefer_said(mapping: &mut Mapping, suggestion: &Mapping) {
    if mapping.column(Field::Store).is_some() {
        mapping.store = None;
    } else if suggestion.store.is_some() {
        mapping.store.clone_from(&suggestion.store);
    }
}

/// The normalized column titles of a file.
pub fn titles(layout: &Layout) -> Vec<String> {
    layout.columns.iter().map(|column| key(&column.header)).collect()
}

fn translated(layout: &mut Layout, titles: &[String], like: &Known) -> Option<Mapping> {
    let (theirs, known) = (&like.headers.as_ref()?.0, &like.mapping.0);
    let here: HashMap<&str, usize> = titles
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, title)| !title.is_empty())
        .map(|(at, title)| (title.as_str(), at))
        .collect();
    let mut columns: BTreeMap<Field, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for (field, at) in &known.columns {
        let title = theirs.get(*at)?;
        match here.get(title.as_str()) {
            Some(at) => {
                columns.insert(*field, *at);
            }
            None => differences.push(format!("{}: the column «{title}» is not here.", field.label())),
        }
    }
    let suggestion = layout.suggestion.clone()?;
    for (field, at) in &suggestion.columns {
        if !columns.contains_key(field) && !columns.values().any(|used| used == at) {
            columns.insert(*field, *at);
        }
    }
    for (at, _) in titles.iter().enumerate().filter(|(_, title)| !title.is_empty() && !theirs.contains(title))
    {
        let name = &layout.columns[at].header;
        differences.push(match columns.iter().find(|(_, used)| **used == at) {
            Some((field, _)) => format!("«{name}» is new and taken for {}.", field.label().to_lowercase()),
            None => format!("«{name}» is new and not used."),
        });
    }
    layout.remembered_from = Some(like.file_name.clone());
    layout.remembered_by = Some(like.updated_by.0.name.clone());
    layout.differences = differences;
    let tenders =
        suggestion.tenders.iter().filter(|tender| !columns.values().any(|used| *used == tender.column));
    let mut mapping = Mapping {
        tenders: tenders.cloned().collect(),
        columns,
        price_means: known.price_means,
        store: known.store.clone(),
        words: known.words.clone().into_iter().chain(suggestion.words.clone()).collect(),
        ..suggestion.clone()
    };
    prefer_said(&mut mapping, &suggestion);
    Some(mapping)
}
