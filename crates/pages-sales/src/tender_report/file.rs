//! Parses the rows of an acquirer's file.

use std::collections::HashMap;
use std::ops::ControlFlow;

use larder_domain::sales::dates::{DateEvidence, DateFormat, moment};
use larder_domain::sales::numbers::{DecimalEvidence, centavos, millionths};
use larder_domain::sheet::Row;
use larder_domain::tender::Kind;
use larder_domain::{BusinessDay, Money};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use larder_ledgers::backdating::Days;
use larder_ledgers::cash::settlements::{Line, Problem, key_of};
use larder_ledgers::paid::Types;
use larder_platform::http::text::fold;
use larder_platform::sheets::Visitor;

/// Maximum number of rows; a large group's month has a tenth of that.
const MOST_ROWS: usize = 200_000;
/// Maximum number of rows above the header row.
const MOST_ABOVE: usize = 20;
/// Maximum number of problems kept; their total number is returned too.
const MOST_PROBLEMS: usize = 200;
/// Maximum length of a stored cell, in characters.
const MOST_CELL: usize = 200;

/// Column indexes, from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SettlementMapping {
    /// Date of the sale.
    pub date: Option<usize>,
    /// Till or store.
    pub terminal: Option<usize>,
    pub gross: Option<usize>,
    pub fee: Option<usize>,
    pub net: Option<usize>,
    /// Card brand or wallet.
    pub label: Option<usize>,
    pub reference: Option<usize>,
    /// Date format; detected from the file if omitted.
    pub date_format: Option<DateFormat>,
    /// Tender type of rows without a brand: `card` or `eWallet`.
    pub kind: Option<String>,
}

/// A file's rows below the header row.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub headers: Vec<String>,
    pub rows: Vec<(u32, Vec<String>)>,
    pub too_many: bool,
    above: Vec<(u32, Vec<String>)>,
}

const WORDS: &[(&str, &[&str])] = &[
    (
        "date",
        &["transaction date", "txn date", "trans date", "sale date", "business date", "posting date", "date"],
    ),
    (
        "terminal",
        &[
            "terminal id",
            "terminal",
            "tid",
            "merchant id",
            "mid",
            "merchant",
            "store code",
            "store",
            "branch",
            "outlet",
        ],
    ),
    ("gross", &["gross amount", "gross", "transaction amount", "txn amount", "sales amount", "amount"]),
    (
        "fee",
        &[
            "mdr amount",
            "mdr",
            "fee amount",
            "fees",
            "fee",
            "commission",
            "merchant discount",
            "discount",
            "charges",
            "charge",
        ],
    ),
    (
        "net",
        &[
            "net amount",
            "net settlement",
            "net payable",
            "settled amount",
            "settlement amount",
            "net",
            "payout",
        ],
    ),
    (
        "label",
        &[
            "card type",
            "card brand",
            "brand",
            "scheme",
            "wallet",
            "payment type",
            "payment method",
            "tender",
            "channel",
        ],
    ),
    (
        "reference",
        &[
            "reference number",
            "reference no",
            "reference",
            "ref no",
            "ref",
            "rrn",
            "approval code",
            "auth code",
            "batch no",
            "batch",
        ],
    ),
];

/// The field of a column title.
fn meaning(header: &str) -> Option<(&'static str, usize)> {
    let plain: String = fold(header).chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    WORDS.iter().find_map(|(name, words)| words.iter().position(|word| *word == plain).map(|at| (*name, at)))
}

impl Visitor for Table {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        let text = |at| {
            let cell: String =
                String::from_utf8_lossy(row.cell(at).text).trim().chars().take(MOST_CELL).collect();
            cell
        };
        let cells: Vec<String> = (0..row.width()).map(text).collect();
        if self.headers.is_empty() {
            let known = cells.iter().filter(|cell| meaning(cell).is_some()).count();
            if known >= 2 {
                self.headers = cells;
                self.above.clear();
            } else {
                self.above.push((number, cells));
                if self.above.len() > MOST_ABOVE {
                    self.settle();
                }
            }
            return ControlFlow::Continue(());
        }
        if self.rows.len() >= MOST_ROWS {
            self.too_many = true;
            return ControlFlow::Break(());
        }
        self.rows.push((number, cells));
        ControlFlow::Continue(())
    }
}

impl Table {
    /// Without a recognizable header row, the first row is used.
    pub(super) fn settle(&mut self) {
        if self.headers.is_empty() && !self.above.is_empty() {
            self.headers = self.above.remove(0).1;
            self.rows = std::mem::take(&mut self.above);
        }
    }

    fn column(&self, at: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |(_, cells)| cells.get(at)).map(String::as_str)
    }

    /// Suggested mapping of the columns.
    pub(super) fn suggest(&self) -> SettlementMapping {
        let mut best: HashMap<&str, (usize, usize)> = HashMap::new();
        for (at, header) in self.headers.iter().enumerate() {
            let Some((name, rank)) = meaning(header) else { continue };
            let one = best.entry(name).or_insert((rank, at));
            if rank < one.0 {
                *one = (rank, at);
            }
        }
        let of = |name: &str| best.get(name).map(|(_, at)| *at);
        let mut mapping = SettlementMapping {
            date: of("date"),
            terminal: of("terminal"),
            gross: of("gross"),
            fee: of("fee"),
            net: of("net"),
            label: of("label"),
            reference: of("reference"),
            date_format: None,
            kind: None,
        };
        mapping.date_format = mapping.date.and_then(|at| self.date_format(at));
        mapping
    }

    /// Date format of a column.
    pub(super) fn date_format(&self, at: usize) -> Option<DateFormat> {
        let mut evidence = DateEvidence::default();
        self.column(at).for_each(|cell| evidence.see(cell.as_bytes()));
        evidence.verdict().map(|verdict| verdict.format)
    }
}

/// Missing fields of a mapping.
pub(super) fn faults(mapping: &SettlementMapping, columns: usize) -> Vec<(&'static str, &'static str)> {
    let mut wrong = Vec::new();
    let lacks = |at: Option<usize>| at.is_none_or(|at| at >= columns);
    for (field, at, words) in [
        ("date", mapping.date, "Choose the column with the day."),
        ("terminal", mapping.terminal, "Choose the column with the terminal or the store."),
        ("gross", mapping.gross, "Choose the column with the amount before the fee."),
    ] {
        if lacks(at) {
            wrong.push((field, words));
        }
    }
    if lacks(mapping.fee) && lacks(mapping.net) {
        wrong.push(("fee", "Choose the column with the fee or the one with the net amount."));
    }
    if mapping.kind.as_deref().is_some_and(|kind| Kind::parse(kind).is_none()) {
        wrong.push(("kind", "Choose card or e-wallet."));
    }
    wrong
}

/// The lines of a file, the number of rows that could not be read, and the first problems.
pub(super) fn lines(
    table: &Table,
    mapping: &SettlementMapping,
    types: &Types,
    settlement_id: &str,
    known: &HashMap<String, String>,
    days: &Days,
) -> (Vec<Line>, usize, Vec<Problem>) {
    let format = mapping.date_format.or_else(|| mapping.date.and_then(|at| table.date_format(at)));
    let mut marks = DecimalEvidence::default();
    for at in [mapping.gross, mapping.fee, mapping.net].into_iter().flatten() {
        table.column(at).for_each(|cell| marks.see(cell.as_bytes()));
    }
    let reader = Reader { mapping, types, format: format.unwrap_or(DateFormat::Ymd), marks };
    let (mut lines, mut left_out, mut problems) = (Vec::new(), 0, Vec::new());
    let mut seen: HashMap<String, u32> = HashMap::new();
    for (number, cells) in &table.rows {
        let read = reader.read(cells).and_then(|read| match read {
            Some(read) => days.fault(read.day).map_or(Ok(Some(read)), Err),
            None => Ok(None),
        });
        match read {
            Ok(None) => {}
            Ok(Some(read)) => {
                let terminal_key = key_of(&read.terminal);
                let said = format!(
                    "{}|{}|{terminal_key}|{}|{}|{}|{}|{}",
                    read.kind.as_str(),
                    fold(&read.label),
                    read.day,
                    read.gross.0,
                    read.fee.0,
                    read.net.0,
                    read.reference
                );
                // The same line twice in one file is two payments; in two files it is one.
                let nth = seen.entry(said.clone()).and_modify(|nth| *nth += 1).or_insert(0);
                lines.push(Line {
                    line_key: hex(&format!("{said}|{nth}")),
                    settlement_id: settlement_id.to_owned(),
                    line: i64::from(*number),
                    store_id: known.get(&terminal_key).cloned(),
                    terminal: read.terminal,
                    terminal_key,
                    business_date: read.day,
                    kind: read.kind.as_str().to_owned(),
                    label: read.label,
                    gross: read.gross,
                    fee: read.fee,
                    net: read.net,
                    reference: read.reference,
                });
            }
            Err(reason) => {
                left_out += 1;
                if problems.len() < MOST_PROBLEMS {
                    problems.push(Problem { line: i64::from(*number), reason });
                }
            }
        }
    }
    (lines, left_out, problems)
}

fn hex(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

struct Reader<'a> {
    mapping: &'a SettlementMapping,
    types: &'a Types,
    format: DateFormat,
    marks: DecimalEvidence,
}

struct Read {
    day: BusinessDay,
    terminal: String,
    kind: Kind,
    label: String,
    gross: Money,
    fee: Money,
    net: Money,
    reference: String,
}

impl Reader<'_> {
    /// Parses a row; `None` for a total or an empty row.
    fn read(&self, cells: &[String]) -> Result<Option<Read>, String> {
        let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).map_or("", String::as_str);
        let (date, terminal) = (cell(self.mapping.date), cell(self.mapping.terminal));
        let total = cells.iter().any(|cell| fold(cell).contains("total"));
        if (date.is_empty() && terminal.is_empty()) || (total && (date.is_empty() || terminal.is_empty())) {
            return Ok(None);
        }
        let day = moment(date.as_bytes(), self.format)
            .map_err(|_| format!("«{date}» is no day written as {}.", self.format.label()))?;
        if terminal.is_empty() {
            return Err("It names no terminal.".to_owned());
        }
        let amount = |at: Option<usize>, what: &str| -> Result<Option<Money>, String> {
            let text = cell(at);
            if text.is_empty() {
                return Ok(None);
            }
            let read = millionths(text.as_bytes(), self.marks.verdict());
            let read = read.map_err(|_| format!("The {what} «{text}» is no amount."))?;
            if read % 10_000 != 0 {
                return Err(format!("The {what} {text} has parts of a centavo."));
            }
            Ok(Some(Money(centavos(read))))
        };
        let gross = amount(self.mapping.gross, "gross amount")?.ok_or("It has no gross amount.")?;
        // Some files give the fee as a negative amount.
        let same = |fee: Money| if (fee.0 < 0) == (gross.0 < 0) { fee } else { Money(-fee.0) };
        let fee = amount(self.mapping.fee, "fee")?.map(same);
        let net = amount(self.mapping.net, "net amount")?;
        let (fee, net) = match (fee, net) {
            (Some(fee), None) => (fee, Money(gross.0 - fee.0)),
            (None, Some(net)) => (Money(gross.0 - net.0), net),
            (Some(fee), Some(net)) if gross.0 - fee.0 == net.0 => (fee, net),
            (Some(fee), Some(net)) => return Err(format!("Gross {gross} less fee {fee} is not net {net}.")),
            (None, None) => return Err("It has neither a fee nor a net amount.".to_owned()),
        };
        let label = cell(self.mapping.label).to_owned();
        let said = || self.mapping.kind.as_deref().and_then(Kind::parse).unwrap_or(Kind::Card);
        // Acquirers never pay out on account: an unknown brand has the file's tender type.
        let kind = match self.types.kind(&label) {
            Kind::OnAccount => said(),
            _ if label.is_empty() => said(),
            kind => kind,
        };
        Ok(Some(Read {
            day: BusinessDay(day.day),
            terminal: terminal.to_owned(),
            kind,
            label,
            gross,
            fee,
            net,
            reference: cell(self.mapping.reference).to_owned(),
        }))
    }
}
