//! Questions to answer before a file is read, each with the effect of its answers.

use std::fs::File;
use std::ops::ControlFlow;

use larder_domain::sales::LineReader;
use larder_domain::sales::mapping::{Field, Mapping};
use larder_domain::sales::totals::LeftOut;
use larder_domain::sheet::Row;
use larder_domain::{Money, Qty, plural};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::layout::Layout;
use super::reading;
use larder_platform::sheets::{Refusal, Source, Visitor};

/// The question for the net amount column, if none is recognized; obsolete once one is chosen.
pub const AMOUNT: &str = "amount";

/// A question about a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Ask {
    /// Its key, used in `answered` of the mapping.
    pub id: String,
    /// Text of the question.
    pub question: String,
    /// Possible answers, most likely first.
    pub answers: Vec<Answer>,
}

/// An answer and the totals it leads to.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Answer {
    pub label: String,
    /// Mapping fields it sets; those of `columns` are merged.
    #[schema(value_type = Object)]
    pub set: Map<String, Value>,
    /// Number of lines to post.
    pub lines: i64,
    pub qty: Qty,
    pub net: Money,
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
        self.reader.read_each(number, row, &mut tell, &mut |line| add(line, &mut lines, &mut qty, &mut net));
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

fn add(line: larder_domain::sales::Line, lines: &mut i64, qty: &mut i64, net: &mut i64) {
    *lines += 1;
    if line.kind != larder_domain::sales::Kind::Void || line.qty < 0 {
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
}

impl FileUnderTest<'_> {
    /// The file's totals with a mapping.
    pub fn try_out(&mut self, mapping: &Mapping) -> Result<Trial, Refusal> {
        let shape = &self.layout.shape;
        let skip = shape.is_plain() && mapping.has_header;
        let width = self.layout.columns.len();
        let mut trying = Trying {
            reader: LineReader::new(mapping.clone(), width),
            trial: Trial { most: self.most, skip, ..Trial::default() },
        };
        reading::each(self.file, self.source, shape, &self.layout.read_sheets(mapping), None, &mut trying)?;
        let Trying { mut reader, mut trial } = trying;
        let (mut lines, mut qty, mut net) = (0, 0, 0);
        reader.finish(&mut |line| add(line, &mut lines, &mut qty, &mut net));
        trial.lines += lines;
        trial.qty += qty;
        trial.net += net;
        trial.left_out = reader.left_out;
        Ok(trial)
    }

    fn ask(&mut self, id: &str, question: String, answers: Vec<(String, Value)>) -> Result<Ask, Refusal> {
        let suggestion = self.layout.suggestion.clone().unwrap_or_default();
        let mut all = Vec::with_capacity(answers.len());
        for (label, set) in answers {
            let Value::Object(set) = set else { continue };
            let trial = self.try_out(&with(&suggestion, &set))?;
            all.push(Answer { label, set, lines: trial.lines, qty: Qty(trial.qty), net: Money(trial.net) });
        }
        Ok(Ask { id: id.to_owned(), question, answers: all })
    }

    /// The questions about the file, for the suggested mapping.
    pub fn questions(&mut self, found: &Found) -> Result<Vec<Ask>, Refusal> {
        let Some(suggestion) = self.layout.suggestion.clone() else { return Ok(Vec::new()) };
        let mut asks = Vec::new();
        let read = &found.sheets;
        if read.len() > 1 {
            let names = listed(read);
            let first = self.layout.sheet.clone().unwrap_or_default();
            let question = format!("{} sheets have the same columns: {names}. Which are read?", read.len());
            let answers = vec![
                (format!("All {}", read.len()), json!({ "sheets": read })),
                (format!("Only «{first}»"), json!({ "sheets": [first] })),
            ];
            asks.push(self.ask("sheets", question, answers)?);
        }
        if let Some(column) = found.figure {
            let question = "What are the figures under the days?".to_owned();
            let quantities = json!({ "columns": { "quantity": column } });
            let amounts = json!({ "columns": { "net": column, "quantity": null }, "eachRowIsOne": true });
            let answers = vec![
                ("Quantities".to_owned(), quantities),
                ("Amounts; each counts as one piece".to_owned(), amounts),
            ];
            asks.push(self.ask("figure", question, answers)?);
        }
        if !found.repeated.is_empty() {
            let names: Vec<String> = found.repeated.iter().map(|field| field.label().to_owned()).collect();
            let question = format!(
                "These amounts repeat on every line of a receipt: {}. Count them once?",
                listed(&names)
            );
            let answers = vec![
                ("Once for the receipt".to_owned(), json!({ "once": found.repeated })),
                ("On each line".to_owned(), json!({ "once": [] })),
            ];
            asks.push(self.ask("once", question, answers)?);
        }
        if found.nets.len() > 1 {
            let question = "Which column is the net amount?".to_owned();
            let answers = found
                .nets
                .iter()
                .map(|(at, name)| (format!("«{name}»"), json!({ "columns": { "net": at } })));
            let answers = answers.collect();
            asks.push(self.ask("net", question, answers)?);
        }
        if !found.amounts.is_empty() {
            let question = "No column is known to be the net amount. Which is it?".to_owned();
            let net = |(at, name): &(usize, String)| {
                let label =
                    if name.is_empty() { format!("Column {}", at + 1) } else { format!("«{name}»") };
                (label, json!({ "columns": { "net": at } }))
            };
            let mut answers: Vec<(String, Value)> = found.amounts.iter().map(net).collect();
            answers.push(("None: the file has no amounts".to_owned(), json!({})));
            asks.push(self.ask(AMOUNT, question, answers)?);
        }
        if let Some((at, examples)) = &found.store {
            let question = format!("Column {} says {}. Are these stores?", at + 1, listed(examples));
            let answers = vec![
                ("Yes".to_owned(), json!({ "columns": { "store": at }, "store": null })),
                ("No, the file is of one store".to_owned(), json!({})),
            ];
            asks.push(self.ask("store", question, answers)?);
        }
        if let Some(example) = &found.price {
            let question = format!("Is «{example}» the price of one, or of the whole line?");
            let answers = vec![
                ("Of one".to_owned(), json!({ "priceMeans": "unit" })),
                ("Of the line".to_owned(), json!({ "priceMeans": "line" })),
            ];
            asks.push(self.ask("price", question, answers)?);
        }
        if let Some(example) = &found.decimal {
            let question = format!("Is «{example}» one thousand and more, or one and a fraction?");
            let comma = example.contains(',');
            let thousand = json!({ "decimal": if comma { "." } else { "," } });
            let fraction = json!({ "decimal": if comma { "," } else { "." } });
            let answers = vec![("Thousands".to_owned(), thousand), ("A fraction".to_owned(), fraction)];
            asks.push(self.ask("decimal", question, answers)?);
        }
        let trial = self.try_out(&suggestion)?;
        let said_once =
            trial.blank.iter().zip(trial.first_is_blank).any(|(blank, first)| *blank > 0 && !first);
        if said_once {
            let fields = found.fill_down(&suggestion);
            let names: Vec<String> = fields.iter().map(|field| field.label().to_lowercase()).collect();
            let rows = plural(trial.blank.into_iter().max().unwrap_or_default(), "row has", "rows have");
            let question = format!("{rows} no {}. Use the row above?", names.join(" or "));
            let answers = vec![
                ("Use the row above".to_owned(), json!({ "fillDown": fields })),
                ("Leave these rows out".to_owned(), json!({ "fillDown": [] })),
            ];
            asks.push(self.ask("fillDown", question, answers)?);
        }
        if let Some(first) = trial.left_out.first {
            let question = format!(
                "Row {} is called a total and says {}; the rows above come to {}. Are such rows sales?",
                first.row,
                amounts(first.says.qty, first.says.net),
                amounts(first.above.qty, first.above.net)
            );
            let answers = vec![
                ("No, leave them out".to_owned(), json!({ "totals": "leaveOut" })),
                ("Yes, keep them".to_owned(), json!({ "totals": "keep" })),
            ];
            asks.push(self.ask("totals", question, answers)?);
        }
        Ok(asks)
    }
}

/// Findings that need an answer.
#[derive(Debug, Default)]
pub struct Found {
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
    /// Columns with empty cells.
    pub gaps: Vec<usize>,
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

/// A mapping with an answer applied.
pub fn with(mapping: &Mapping, set: &Map<String, Value>) -> Mapping {
    let Ok(Value::Object(mut all)) = serde_json::to_value(mapping) else { return mapping.clone() };
    for (name, value) in set {
        match (all.get_mut(name), value) {
            (Some(Value::Object(columns)), Value::Object(more)) => {
                for (field, column) in more {
                    if column.is_null() {
                        columns.remove(field);
                    } else {
                        columns.retain(|_, taken| taken != column);
                        columns.insert(field.clone(), column.clone());
                    }
                }
            }
            _ => {
                all.insert(name.clone(), value.clone());
            }
        }
    }
    serde_json::from_value(Value::Object(all)).unwrap_or_else(|_| mapping.clone())
}

fn listed(names: &[String]) -> String {
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
