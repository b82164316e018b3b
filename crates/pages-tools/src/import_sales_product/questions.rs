//! Questions to answer before a file is posted, each with the effect of its answers.

use std::fs::File;
use std::ops::ControlFlow;
use std::sync::Arc;

use larder_domain::sales::detect::{SplitEvidence, SplitFound};
use larder_domain::sales::mapping::{Field, Mapping};
use larder_domain::sales::totals::LeftOut;
use larder_domain::sales::{
    DateFormat, KnownItems, Line, LineReader, ModifiersFound, NegativesFound, PartsFound, UnknownWord,
};
use larder_domain::sheet::Row;
use larder_domain::{BusinessDay, Money, Qty, plural};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::answers::with;
use super::layout::Layout;
use super::reading;
use larder_platform::sheets::{Refusal, Source, Swallowed, Visitor};

/// The question for the net amount column, if none is recognized; obsolete once one is chosen.
pub const AMOUNT: &str = "amount";

/// A question about a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Ask {
    /// Its key in `answers` of the mapping.
    pub id: String,
    /// The question, one sentence.
    #[serde(alias = "question")]
    pub about: String,
    /// Number of rows it is about; 0 for all.
    #[serde(default)]
    #[schema(required = true)]
    pub rows: i64,
    /// Possible answers. The first is suggested, and the file is read with it until another one is chosen.
    #[serde(default)]
    #[schema(required = true)]
    pub choices: Vec<Choice>,
}

/// An answer and the totals it leads to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Choice {
    /// Its key, unique within the question.
    pub id: String,
    pub label: String,
    /// Mapping fields it sets; those of maps (`columns`, `words`) are merged.
    #[schema(value_type = Object)]
    pub set: Map<String, Value>,
    /// Number of lines to post.
    pub lines: i64,
    pub qty: Qty,
    pub net: Money,
    /// The first days whose totals depend on the choice, where it moves sales from one day to another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub days: Vec<ChoiceDay>,
}

/// A day and the totals that a choice leads to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChoiceDay {
    /// Name of the store, if the question is about several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    /// The business date.
    pub day: BusinessDay,
    pub qty: Qty,
    pub net: Money,
}

/// Id, label and mapping fields of a choice.
type Way = (String, String, Value);

fn choice(id: &str, label: impl Into<String>, set: Value) -> Way {
    (id.to_owned(), label.into(), set)
}

/// Totals of a file, or of its first rows.
#[derive(Debug, Default)]
pub(crate) struct Trial {
    pub lines: i64,
    pub qty: i64,
    pub net: i64,
    pub left_out: LeftOut,
    /// Rows without a date, and without a store.
    pub blank: [u64; 2],
    rows: u32,
    most: u32,
    skip: bool,
    first_is_blank: [bool; 2],
}

struct Trying {
    reader: LineReader,
    trial: Trial,
}

impl Visitor for Trying {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        let trial = &mut self.trial;
        if std::mem::take(&mut trial.skip) {
            return ControlFlow::Continue(());
        }
        trial.rows += 1;
        if trial.rows > trial.most {
            return ControlFlow::Break(());
        }
        let first = trial.rows == 1;
        let mut blank = [false; 2];
        let (mut lines, mut qty, mut net) = (0i64, 0i64, 0i64);
        let mut tell = |problem: larder_domain::sales::Problem| {
            let at = match problem.field {
                Some(Field::Date) => 0,
                Some(Field::Store) => 1,
                _ => return,
            };
            blank[at] |= problem.code == "empty";
        };
        self.reader.read_each(number, row, &mut tell, &mut |line| add(&line, &mut lines, &mut qty, &mut net));
        for (at, blank) in blank.into_iter().enumerate() {
            trial.blank[at] += u64::from(blank);
            trial.first_is_blank[at] |= first && blank;
        }
        trial.lines += lines;
        trial.qty = trial.qty.saturating_add(qty);
        trial.net = trial.net.saturating_add(net);
        ControlFlow::Continue(())
    }

    fn sheet(&mut self, _: &str) {
        self.reader.next_sheet();
    }
}

fn add(line: &Line, lines: &mut i64, qty: &mut i64, net: &mut i64) {
    if line.counts() {
        *lines += i64::from(!line.is_carrier());
        *qty = qty.saturating_add(line.qty);
        *net = net.saturating_add(line.net);
    }
}

/// The file in question.
pub struct FileUnderTest<'a> {
    pub file: &'a mut File,
    pub source: &'a Source,
    pub layout: &'a Layout,
    /// Maximum number of rows read.
    pub most: u32,
    /// The last day that a sale can have.
    pub today: BusinessDay,
    /// The items that its names are known to mean.
    pub known: Arc<KnownItems>,
}

/// What reading all rows with a mapping has raised.
#[derive(Debug, Clone, Default)]
pub struct Raised {
    /// Words of status columns that are not known by themselves.
    pub words: Vec<UnknownWord>,
    pub split: SplitFound,
    pub negatives: NegativesFound,
    pub modifiers: ModifiersFound,
    pub parts: PartsFound,
    /// Number of rows that the workbook hides.
    pub hidden: u64,
}

/// Maximum number of words asked about at a time.
const MOST_WORDS: usize = 12;

impl Raised {
    /// Whether it raises any question.
    #[must_use]
    pub fn asks(&self, mapping: &Mapping) -> bool {
        !self.words.is_empty()
            || self.asks_split(mapping)
            || self.negatives.loose + self.negatives.back > 0
            || self.hidden > 0
            || self.modifiers.rows > 0
            || self.parts.rows > 0
    }

    /// The words to ask about: the first that are open, then those answered, in the order found.
    fn words_asked(&self, mapping: &Mapping) -> Vec<&UnknownWord> {
        let told = |word: &UnknownWord| mapping.words.contains_key(&word.key);
        let mut open = MOST_WORDS;
        let mut answered = open.saturating_sub(self.words.iter().filter(|word| !told(word)).count());
        let mut asked = Vec::with_capacity(MOST_WORDS);
        for word in &self.words {
            let left = if told(word) { &mut answered } else { &mut open };
            if *left > 0 {
                *left -= 1;
                asked.push(word);
            }
        }
        asked
    }

    fn asks_split(&self, mapping: &Mapping) -> bool {
        let told = mapping.split_tenders == Some(true) && !mapping.answers.contains_key("splitTenders");
        self.split.is_open() || (self.split.is_proven() && !told)
    }
}

impl FileUnderTest<'_> {
    /// The file's totals with a mapping.
    pub fn try_out(&mut self, mapping: &Mapping) -> Result<Trial, Refusal> {
        let shape = &self.layout.shape;
        let skip = shape.is_plain() && mapping.has_header;
        let width = self.layout.columns.len();
        let mut trying = Trying {
            reader: LineReader::new(mapping.clone(), width)
                .asking(self.today)
                .knowing(Arc::clone(&self.known)),
            trial: Trial { most: self.most, skip, ..Trial::default() },
        };
        let (source, sheets) = (reading::as_read(self.source, mapping), self.layout.read_sheets(mapping));
        reading::each(self.file, &source, shape, &sheets, None, &mut trying)?;
        let Trying { mut reader, mut trial } = trying;
        let (mut lines, mut qty, mut net) = (0, 0, 0);
        reader.finish(&mut |line| add(&line, &mut lines, &mut qty, &mut net));
        trial.lines += lines;
        trial.qty += qty;
        trial.net += net;
        trial.left_out = reader.left_out;
        Ok(trial)
    }

    /// A question, with the totals of each choice.
    pub fn ask(
        &mut self,
        on: &Mapping,
        id: &str,
        rows: i64,
        about: String,
        ways: Vec<Way>,
    ) -> Result<Ask, Refusal> {
        let mut choices = Vec::with_capacity(ways.len());
        for (id, label, set) in ways {
            let Value::Object(set) = set else { continue };
            let trial = self.try_out(&with(on, &set))?;
            let (qty, net) = (Qty(trial.qty), Money(trial.net));
            choices.push(Choice { id, label, set, lines: trial.lines, qty, net, days: Vec::new() });
        }
        Ok(Ask { id: id.to_owned(), about, rows, choices })
    }

    /// The questions about the file, for the suggested mapping.
    pub fn questions(&mut self, found: &Found) -> Result<Vec<Ask>, Refusal> {
        let Some(suggestion) = self.layout.suggestion.clone() else { return Ok(Vec::new()) };
        let mut asks = Vec::new();
        for (id, about, ways) in self.by_columns(found) {
            asks.push(self.ask(&suggestion, id, 0, about, ways)?);
        }
        let trial = self.try_out(&suggestion)?;
        let said_once =
            trial.blank.iter().zip(trial.first_is_blank).any(|(blank, first)| *blank > 0 && !first);
        if said_once {
            let mut fields = found.fill_down(&suggestion);
            let names: Vec<String> = fields.iter().map(|field| field.label().to_lowercase()).collect();
            let rows = trial.blank.into_iter().max().unwrap_or_default();
            let about = format!(
                "{} no {}. Use the row above?",
                plural(rows, "row has", "rows have"),
                names.join(" or ")
            );
            let kind: Vec<Field> = suggestion.fill_down.iter().flatten().copied().collect();
            fields.extend(kind.iter().filter(|field| **field == Field::Kind));
            let ways = vec![
                choice("above", "Use the row above", json!({ "fillDown": fields })),
                choice("leaveOut", "Leave these rows out", json!({ "fillDown": kind })),
            ];
            asks.push(self.ask(&suggestion, "fillDown", count(rows), about, ways)?);
        }
        if let Some(first) = trial.left_out.first {
            let about = format!(
                "Row {} is called a total and says {}; the rows above come to {}. Are such rows sales?",
                first.row,
                amounts(first.says.qty, first.says.net),
                amounts(first.above.qty, first.above.net)
            );
            let ways = vec![
                choice("leaveOut", "No, leave them out", json!({ "totals": "leaveOut" })),
                choice("keep", "Yes, keep them", json!({ "totals": "keep" })),
            ];
            asks.push(self.ask(&suggestion, "totals", count(trial.left_out.doubtful), about, ways)?);
        }
        Ok(asks)
    }

    /// Whether the suggested mapping's receipts repeat their lines for each tender.
    pub fn split(&mut self) -> Result<SplitFound, Refusal> {
        struct Splitting {
            evidence: SplitEvidence,
            rows: u32,
            skip: bool,
        }
        impl Visitor for Splitting {
            fn row<R: Row>(&mut self, _: u32, row: &R) -> ControlFlow<()> {
                if !std::mem::take(&mut self.skip) {
                    self.evidence.see(row);
                }
                self.rows = self.rows.saturating_sub(1);
                if self.rows == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        }
        let suggestion = self.layout.suggestion.clone().unwrap_or_default();
        let Some(evidence) = SplitEvidence::of(&suggestion) else { return Ok(SplitFound::default()) };
        let shape = &self.layout.shape;
        let skip = shape.is_plain() && suggestion.has_header;
        let mut splitting = Splitting { evidence, rows: self.most, skip };
        let (source, sheets) =
            (reading::as_read(self.source, &suggestion), self.layout.read_sheets(&suggestion));
        reading::each(self.file, &source, shape, &sheets, None, &mut splitting)?;
        Ok(splitting.evidence.found())
    }

    /// The questions that reading all rows with a mapping has raised.
    pub fn further(&mut self, mapping: &Mapping, raised: &Raised) -> Result<Vec<Ask>, Refusal> {
        let mut asks = Vec::new();
        for word in raised.words_asked(mapping) {
            let set = |means: &str| json!({ "words": { &word.key: means } });
            let ways = vec![
                choice("leaveOut", "Leave out", set("leaveOut")),
                choice("counts", "Counts", set("counts")),
            ];
            let rows = plural(word.rows, "row says", "rows say");
            let about = format!("{rows} «{}». Do such rows count as sales?", word.text);
            asks.push(self.ask(mapping, &format!("word:{}", word.key), count(word.rows), about, ways)?);
        }
        if raised.asks_split(mapping) {
            let split = raised.split;
            let about = format!(
                "The lines of {} are the same for each way of paying. Are they one set, repeated for each tender?",
                plural(split.receipts, "receipt", "receipts")
            );
            let mut ways = vec![
                choice("each", "No, each line was sold", json!({ "splitTenders": false })),
                choice("once", "Yes, count one set", json!({ "splitTenders": true })),
            ];
            if mapping.split_tenders == Some(true) {
                ways.reverse();
            }
            asks.push(self.ask(mapping, "splitTenders", count(split.rows), about, ways)?);
        }
        if raised.hidden > 0 {
            let about = format!(
                "{} included; leave them out?",
                plural(raised.hidden, "hidden row is", "hidden rows are")
            );
            let ways = vec![
                choice("read", "No, they are sales", json!({ "hiddenRows": true })),
                choice("leaveOut", "Yes, leave them out", json!({ "hiddenRows": false })),
            ];
            asks.push(self.ask(mapping, "hidden", count(raised.hidden), about, ways)?);
        }
        let named = &raised.modifiers;
        if named.rows > 0 {
            let title = mapping.column(Field::Modifiers).and_then(|at| self.layout.columns.get(at));
            let title = title.map(|column| column.label.as_str()).filter(|label| !label.is_empty());
            let about = format!(
                "{} names {}, such as «{}». Do they use goods of their own?",
                title.unwrap_or("The column of modifiers"),
                plural(named.names, "modifier", "modifiers"),
                named.first
            );
            let ways = vec![
                choice("no", "No: they are part of the item", json!({ "modifiers": false })),
                choice("yes", "Yes: count them too", json!({ "modifiers": true })),
            ];
            asks.push(self.ask(mapping, "modifiers", count(named.rows), about, ways)?);
        }
        let marked = &raised.parts;
        if marked.rows > 0 {
            let about = format!(
                "{} of the row above, such as «{}». {} to it?",
                plural(marked.rows, "row looks like a part", "rows look like parts"),
                marked.first,
                if marked.rows == 1 { "Does it belong" } else { "Do they belong" }
            );
            let ways = vec![
                choice("yes", "Yes: they belong to it", json!({ "markedParts": true })),
                choice("no", "No: they are lines of their own", json!({ "markedParts": false })),
            ];
            asks.push(self.ask(mapping, "markedParts", count(marked.rows), about, ways)?);
        }
        let found = raised.negatives;
        let rows = found.loose + found.back;
        if rows > 0 {
            let about = format!(
                "{} below zero, of items that are not sold in this file. Are these discounts, or returns?",
                plural(rows, "row is", "rows are")
            );
            let mut ways = vec![
                choice("discounts", "Discounts", json!({ "negativeLines": "discounts" })),
                choice("returns", "Returns", json!({ "negativeLines": "returns" })),
            ];
            if found.loose == 0 {
                ways.reverse();
            }
            asks.push(self.ask(mapping, "negativeLines", count(rows), about, ways)?);
        }
        Ok(asks)
    }

    /// The questions that arise from the columns alone: id, text and choices.
    fn by_columns(&self, found: &Found) -> Vec<(&'static str, String, Vec<Way>)> {
        let mut asks = Vec::new();
        if let Some(quote) = found.swallowed {
            let about = format!(
                "Row {} begins with a quote that is closed on row {}: {} read as one cell. Read each row by itself?",
                quote.first_row,
                quote.last_row,
                plural(quote.lines, "row is", "rows are")
            );
            let ways = vec![
                choice("rows", "Yes, each row by itself", json!({ "quotes": "rows" })),
                choice("cells", "No, as one cell", json!({ "quotes": "cells" })),
            ];
            asks.push(("quotes", about, ways));
        }
        if let Some((raw, read)) = &found.dates {
            let about =
                format!("Which date is «{raw}»? No cell tells whether the day or the month comes first.");
            let way = |(format, day): &(DateFormat, BusinessDay)| {
                let (id, first) = if *format == DateFormat::Dmy { ("dmy", "day") } else { ("mdy", "month") };
                choice(
                    id,
                    format!("{}: the {first} comes first", day.display()),
                    json!({ "dateFormat": format }),
                )
            };
            asks.push((DATE_ORDER, about, read.iter().map(way).collect()));
        }
        let read = &found.sheets;
        if read.len() > 1 {
            let first = self.layout.sheet.clone().unwrap_or_default();
            let about =
                format!("{} sheets have the same columns: {}. Which are read?", read.len(), listed(read));
            let ways = vec![
                choice("all", format!("All {}", read.len()), json!({ "sheets": read })),
                choice("first", format!("Only «{first}»"), json!({ "sheets": [first] })),
            ];
            asks.push(("sheets", about, ways));
        }
        if let Some(column) = found.figure {
            let amounts = json!({ "columns": { "net": column, "quantity": null }, "eachRowIsOne": true });
            let ways = vec![
                choice("quantities", "Quantities", json!({ "columns": { "quantity": column } })),
                choice("amounts", "Amounts; each counts as one piece", amounts),
            ];
            asks.push(("figure", "What are the figures under the days?".to_owned(), ways));
        }
        if !found.repeated.is_empty() {
            let names: Vec<String> = found.repeated.iter().map(|field| field.label().to_owned()).collect();
            let about = format!(
                "These amounts repeat on every line of a receipt: {}. Count them once?",
                listed(&names)
            );
            let ways = vec![
                choice("once", "Once for the receipt", json!({ "once": found.repeated })),
                choice("line", "On each line", json!({ "once": [] })),
            ];
            asks.push(("once", about, ways));
        }
        let net = |(at, name): &(usize, String)| {
            let label = if name.is_empty() { format!("Column {}", at + 1) } else { format!("«{name}»") };
            choice(&format!("column{at}"), label, json!({ "columns": { "net": at } }))
        };
        if found.nets.len() > 1 {
            let ways = found.nets.iter().map(net).collect();
            asks.push(("net", "Which column is the net amount?".to_owned(), ways));
        }
        if !found.amounts.is_empty() {
            let mut ways: Vec<Way> = found.amounts.iter().map(net).collect();
            ways.push(choice("none", "None: the file has no amounts", json!({})));
            asks.push((AMOUNT, "No column is known to be the net amount. Which is it?".to_owned(), ways));
        }
        if let Some((at, examples)) = &found.store {
            let about = format!("Column {} says {}. Are these stores?", at + 1, listed(examples));
            let ways = vec![
                choice("yes", "Yes", json!({ "columns": { "store": at }, "store": null })),
                choice("no", "No, the file is of one store", json!({})),
            ];
            asks.push(("store", about, ways));
        }
        if let Some(example) = &found.price {
            let ways = vec![
                choice("unit", "Of one", json!({ "priceMeans": "unit" })),
                choice("line", "Of the line", json!({ "priceMeans": "line" })),
            ];
            asks.push(("price", format!("Is «{example}» the price of one, or of the whole line?"), ways));
        }
        if let Some(example) = &found.decimal {
            let comma = example.contains(',');
            let set = |mark: &str| match found.only_quantities {
                true => json!({ "decimals": { "quantity": mark } }),
                false => json!({ "decimal": mark }),
            };
            let thousand = set(if comma { "." } else { "," });
            let fraction = set(if comma { "," } else { "." });
            let ways =
                vec![choice("thousands", "Thousands", thousand), choice("fraction", "A fraction", fraction)];
            let about = format!("Is «{example}» one thousand and more, or one and a fraction?");
            asks.push(("decimal", about, ways));
        }
        asks
    }
}

/// The question whether the day or the month of a date comes first.
pub const DATE_ORDER: &str = "dateOrder";

/// Findings that need an answer.
#[derive(Debug, Default)]
pub struct Found {
    /// A quote that makes one cell of several rows.
    pub swallowed: Option<Swallowed>,
    /// Sheets with the same table.
    pub sheets: Vec<String>,
    /// The value column under date headings.
    pub figure: Option<usize>,
    /// Amounts repeated on every line of a receipt.
    pub repeated: Vec<Field>,
    /// Candidates for the net amount, the suggested one first.
    pub nets: Vec<(usize, String)>,
    /// Candidates for the net amount if none is recognized.
    pub amounts: Vec<(usize, String)>,
    /// A column without a title that may contain stores, with samples.
    pub store: Option<(usize, Vec<String>)>,
    /// A price that may be a line total.
    pub price: Option<String>,
    /// A number readable with either decimal mark.
    pub decimal: Option<String>,
    /// Whether only the quantities can be read so.
    pub only_quantities: bool,
    /// Columns with empty cells.
    pub gaps: Vec<usize>,
    /// A date as written, and what it is with either order of day and month, the suggested one first; no cell tells.
    pub dates: Option<(String, [(DateFormat, BusinessDay); 2])>,
}

impl Found {
    /// Fields a row inherits from the row above if it has no cell for them.
    fn fill_down(&self, mapping: &Mapping) -> Vec<Field> {
        [Field::Date, Field::Store, Field::StoreCode, Field::Terminal, Field::Receipt]
            .into_iter()
            .filter(|field| mapping.column(*field).is_some_and(|at| self.gaps.contains(&at)))
            .collect()
    }
}

fn count(rows: u64) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

pub(super) fn listed(names: &[String]) -> String {
    match names.len() {
        0..=6 => names.join(", "),
        more => format!("{} and {} more", names[..5].join(", "), more - 5),
    }
}

fn amounts(qty: i64, net: i64) -> String {
    match (qty, net) {
        (qty, 0) => pieces(qty),
        (0, net) => Money(net).pesos(),
        (qty, net) => format!("{} and {}", pieces(qty), Money(net).pesos()),
    }
}

fn pieces(qty: i64) -> String {
    format!("{} {}", Qty(qty), if qty == 1_000_000 { "piece" } else { "pieces" })
}
