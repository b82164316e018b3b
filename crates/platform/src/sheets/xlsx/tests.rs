//! The property tests start at the upload: no file, however damaged, may cause a panic.

use std::io::Write;

use larder_domain::sheet::{CellState, Row};
use proptest::prelude::*;
use rust_xlsxwriter::{Format, Formula, Workbook};

use super::super::guard::tests::archive;
use super::super::inspect;
use super::values::{write_float, write_moment};
use super::*;

/// Rows as seen: number, cells and which of them are numbers.
type Seen = Vec<(u32, Vec<(String, bool)>)>;

#[derive(Default)]
struct Watch(Seen);

impl Visitor for Watch {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        let cell = |at| (String::from_utf8_lossy(row.cell(at).text).into_owned(), row.cell(at).number);
        self.0.push((number, (0..row.width()).map(cell).collect()));
        ControlFlow::Continue(())
    }
}

fn seen(file: &mut File, sheet: &str, wanted: Option<&[usize]>) -> Result<Seen, Refusal> {
    let mut watch = Watch::default();
    read(file, sheet, wanted, &mut watch).map(|()| watch.0)
}

/// The result for a user who uploads the file.
fn uploaded(file: &mut File) -> Result<Seen, Refusal> {
    let source = inspect(file)?;
    let mut watch = Watch::default();
    super::super::read(file, &source, None, None, &mut watch).map(|()| watch.0)
}

fn stored(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("room on the disk");
    file
}

#[derive(Debug, Clone)]
enum Value {
    None,
    Text(String),
    Number(f64),
    Money(i32),
    Moment(f64, usize),
    Truth(bool),
    Formula(f64),
    Words(String),
    Fault,
    Styled,
}

const FORMATS: [&str; 6] =
    ["dd/mm/yyyy hh:mm", "yyyy-mm-dd", "h:mm AM/PM", "[h]:mm", "#,##0.00", "[$₱-3409]#,##0.00"];

impl Value {
    /// How its cell appears, and whether as a number.
    fn shown(&self) -> (String, bool) {
        let float = |number: f64| {
            let mut out = Vec::new();
            write_float(&mut out, number);
            (String::from_utf8(out).expect("digits"), true)
        };
        match self {
            Self::None | Self::Styled => (String::new(), false),
            Self::Text(text) | Self::Words(text) => (text.clone(), false),
            Self::Number(number) | Self::Formula(number) => float(*number),
            Self::Money(centavos) => float(f64::from(*centavos) / 100.0),
            Self::Moment(day, format) => {
                use calamine::{ExcelDateTime, ExcelDateTimeType};
                let kind = match format {
                    0..=2 => ExcelDateTimeType::DateTime,
                    3 => ExcelDateTimeType::TimeDelta,
                    _ => return float(*day),
                };
                let mut out = Vec::new();
                write_moment(&mut out, &ExcelDateTime::new(*day, kind, false));
                (String::from_utf8(out).expect("digits"), true)
            }
            Self::Truth(yes) => (yes.to_string().to_uppercase(), false),
            Self::Fault => ("#DIV/0!".to_owned(), false),
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[ -~]{0,9}", "[a-c&<>\"' \n\t]{0,6}", "[é-ÿ€]{1,4}", Just("_x000D_".to_owned())];
    prop_oneof![
        Just(Value::None),
        text.prop_map(Value::Text),
        (-1e12f64..1e12).prop_map(Value::Number),
        prop_oneof![Just(0.1 + 0.2), Just(1e-7), Just(1e21), Just(-0.0), Just(0.5)].prop_map(Value::Number),
        any::<i32>().prop_map(Value::Money),
        (0f64..60_000.0, 0..FORMATS.len()).prop_map(|(day, format)| Value::Moment(day, format)),
        any::<bool>().prop_map(Value::Truth),
        (-1e3f64..1e3).prop_map(Value::Formula),
        "x[a-z &<>\"']{0,6}".prop_map(Value::Words),
        Just(Value::Fault),
        Just(Value::Styled),
    ]
}

fn workbook(rows: &[Vec<Value>], constant_memory: bool) -> Vec<u8> {
    let mut book = Workbook::new();
    let formats = FORMATS.map(|format| Format::new().set_num_format(format));
    let sheet = match constant_memory {
        true => book.add_worksheet_with_constant_memory().expect("a sheet"),
        false => book.add_worksheet(),
    };
    for (row, values) in (0u32..).zip(rows) {
        for (column, value) in (0u16..).zip(values) {
            let row = row * 3;
            match value {
                Value::None => continue,
                Value::Text(text) => sheet.write_string(row, column, text),
                Value::Number(number) => sheet.write_number(row, column, *number),
                Value::Money(centavos) => sheet.write_number(row, column, f64::from(*centavos) / 100.0),
                Value::Moment(day, format) => {
                    sheet.write_number_with_format(row, column, *day, &formats[*format])
                }
                Value::Truth(yes) => sheet.write_boolean(row, column, *yes),
                Value::Formula(result) => {
                    sheet.write_formula(row, column, Formula::new("=1<2").set_result(result.to_string()))
                }
                Value::Words(text) => {
                    sheet.write_formula(row, column, Formula::new("=A1&\"x\"").set_result(text))
                }
                Value::Fault => sheet.write_formula(row, column, Formula::new("=1/0").set_result("#DIV/0!")),
                Value::Styled => sheet.write_blank(row, column, &formats[1]),
            }
            .expect("a cell");
        }
    }
    book.save_to_buffer().expect("a workbook")
}

/// The expected view of these rows, without the empty cells at the end of each.
fn shown(rows: &[Vec<Value>], wanted: Option<&[usize]>) -> Seen {
    let looked_at = |column: usize| wanted.is_none_or(|wanted| wanted.contains(&column));
    let rows = (0u32..).zip(rows).map(|(row, values)| {
        let cells = values.iter().enumerate().map(|(column, value)| match looked_at(column) {
            true => value.shown(),
            false => (String::new(), false),
        });
        (row * 3 + 1, cells.collect())
    });
    trimmed(rows.collect())
}

fn trimmed(mut rows: Seen) -> Seen {
    for (_, cells) in &mut rows {
        while cells.last().is_some_and(|(text, _)| text.is_empty()) {
            cells.pop();
        }
    }
    rows.retain(|(_, cells)| !cells.is_empty());
    rows
}

/// A sheet in a workbook with three texts and four styles: plain, a date, a duration, five zeros.
fn book(sheet: &str) -> File {
    book_of(
        r#"<sst uniqueCount="3"><si><t>a &amp; b</t></si><si><t xml:space="preserve"> é </t></si><si/></sst>"#,
        sheet,
    )
}

fn book_of(texts: &str, sheet: &str) -> File {
    let parts = [
        (
            "_rels/.rels",
            r#"<Relationships><Relationship Id="a" Type="x/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
        ),
        (
            "xl/workbook.xml",
            r#"<workbook xmlns:r="r"><sheets><sheet name="S" r:id="b"/></sheets></workbook>"#,
        ),
        (
            "xl/_rels/workbook.xml.rels",
            r#"<Relationships><Relationship Id="b" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
        ),
        ("xl/sharedStrings.xml", texts),
        (
            "xl/styles.xml",
            r#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/><numFmt numFmtId="165" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>"#,
        ),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    let size = |text: &str| u32::try_from(text.len()).expect("small");
    archive(&parts.map(|(name, text)| (name, text.as_bytes(), size(text))))
}

fn sheet(rows: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="m"><dimension ref="A1:B2"/><sheetData>{rows}</sheetData></worksheet>"#
    )
}

#[test]
fn rows_are_numbered_and_cells_shown_as_in_a_spreadsheet() {
    let rows = [
        vec![
            Value::Text("Peñafrancia & co".to_owned()),
            Value::Money(1_050),
            Value::None,
            Value::Truth(true),
        ],
        vec![],
        vec![
            Value::Moment(43_680.85, 0),
            Value::Moment(43_680.0, 1),
            Value::Formula(2.5),
            Value::Number(0.1 + 0.2),
        ],
        vec![Value::Words("xa<b".to_owned()), Value::Styled, Value::Fault, Value::Moment(7.0, 5)],
        vec![Value::Moment(1.5, 3), Value::Moment(0.75, 2)],
    ];
    let cells: [&[&str]; 4] = [
        &["Peñafrancia & co", "10.5", "", "TRUE"],
        &["2019-08-03 20:24:00", "2019-08-03", "2.5", "0.3"],
        &["xa<b", "", "#DIV/0!", "7"],
        &["12:00:00", "18:00:00"],
    ];
    for constant_memory in [false, true] {
        let found = seen(&mut stored(&workbook(&rows, constant_memory)), "Sheet1", None).expect("a sheet");
        assert_eq!(found.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 7, 10, 13]);
        for ((_, found), cells) in found.iter().zip(cells) {
            assert_eq!(found.iter().map(|cell| cell.0.as_str()).collect::<Vec<_>>(), cells);
        }
    }
}

#[test]
fn rare_markup_is_understood() {
    for (rows, text) in [
        (
            r#"<row r="3"><c r="A3" t="inlineStr"><is><r><t>rich </t></r><r><t>er</t></r></is></c></row>"#,
            "richer",
        ),
        (r#"<row r="3"><!-- a comment --><c r="A3"><v>1</v></c></row>"#, "1"),
        (r#"<row r="3"><c r="A3" t="str"><v>&#233;</v></c></row>"#, "é"),
        (r#"<row r="3"><c r="A3" t="inlineStr"><is><t><![CDATA[x</row>]]></t></is></c></row>"#, "x</row>"),
        (r#"<row r="3"><c r="A3" s="2"><v>1.5</v></c></row>"#, "12:00:00"),
        (r#"<row r="3"><c r="A3" s="1"><v>43680</v></c></row>"#, "2019-08-03"),
        (r#"<row r="3"><c r="A3" s="3"><v>1</v></c></row>"#, "00001"),
        (r#"<row r="3"><c r="A3" s="2"><v>1.0625</v></c></row>"#, "25:30:00"),
        (r#"<row r="3"><c r="A3" t="s"><v>1</v></c></row>"#, " é "),
        (r#"<x:row r="3"><x:c r="A3"><x:v>1.50</x:v></x:c></x:row>"#, "1.5"),
        (r#"<row r="3"><c r="A3"><f>1+2</f><v>3</v></c></row>"#, "3"),
    ] {
        let found = uploaded(&mut book(&sheet(rows))).expect("a sheet");
        assert_eq!((found.len(), found[0].0, found[0].1[0].0.as_str()), (1, 3, text), "{rows}");
    }
}

/// What a workbook says about rows and cells: number, hidden or not, and the states of the cells.
#[derive(Default)]
struct States(Vec<(u32, bool, Vec<CellState>)>);

impl Visitor for States {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        self.0.push((number, row.hidden(), (0..row.width()).map(|at| row.cell(at).state).collect()));
        ControlFlow::Continue(())
    }
}

fn states(file: &mut File, sheet: &str) -> Vec<(u32, bool, Vec<CellState>)> {
    let mut states = States::default();
    read(file, sheet, None, &mut states).expect("a sheet");
    states.0
}

#[test]
fn hidden_rows_dates_and_formulas_without_values_are_told() {
    use CellState::{Date, NoValue, Plain};
    let found = states(
        &mut book(&sheet(
            r#"<row r="1"><c r="A1" t="inlineStr"><is><t>x &lt; y</t></is></c><c r="B1" s="1"><v>46082</v></c></row>
               <row r="2" hidden="1"><c r="A2"><f>B2</f><v></v></c><c r="B2"><v>1</v></c><c r="D2"><f>1/3</f></c></row>
               <row r="3" hidden="true"><c r="A3"><f>B2</f><v>7</v></c><c r="B3" t="str"><f>""</f><v></v></c></row>
               <row r="4" hidden="1"/>
               <row r="6" hidden="0"><c r="A6" s="3"><v>7</v></c><c r="B6"><f>A6</f><v/></c></row>
               <row hidden="1"><c t="str"><v>a</v></c><c/><c s="2"><v>0.5</v></c></row>"#,
        )),
        "S",
    );
    let expected = [
        (1, false, vec![Plain, Date]),
        (2, true, vec![NoValue, Plain, Plain, NoValue]),
        (3, true, vec![Plain, Plain]),
        (6, false, vec![Plain, NoValue]),
        (7, true, vec![Plain, Plain, Date]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn rows_hidden_among_many_are_told() {
    let mut rows = String::new();
    for n in 1..=20_000 {
        let hidden = if n % 7 == 0 { r#" hidden="1""# } else { "" };
        let formula = if n % 11 == 0 { "<f>1</f>" } else { "<v>1</v>" };
        let line =
            format!(r#"<row r="{n}"{hidden}><c r="A{n}"><v>{n}</v></c><c r="B{n}">{formula}</c></row>"#);
        rows.push_str(&line);
    }
    let found = states(&mut book(&sheet(&rows)), "S");
    assert_eq!(found.len(), 20_000);
    for (number, hidden, states) in found {
        let state = if number % 11 == 0 { CellState::NoValue } else { CellState::Plain };
        assert_eq!((hidden, states[1]), (number % 7 == 0, state), "row {number}");
    }
}

#[test]
fn the_sheet_asked_for_tells_its_hidden_rows() {
    let mut book = Workbook::new();
    for (name, hidden) in [("Alpha & co", 3), ("Beta", 1)] {
        let sheet = book.add_worksheet().set_name(name).expect("a name");
        for row in 0..5 {
            sheet.write_number(row, 0, f64::from(row)).expect("a cell");
        }
        sheet.set_row_hidden(hidden).expect("a row");
    }
    let mut file = stored(&book.save_to_buffer().expect("a workbook"));
    let hidden = |file: &mut File, sheet: &str| {
        states(file, sheet).into_iter().filter(|row| row.1).map(|row| row.0).collect::<Vec<_>>()
    };
    assert_eq!(hidden(&mut file, "Alpha & co"), [4]);
    assert_eq!(hidden(&mut file, "Beta"), [2]);
}

#[test]
fn a_cell_that_names_the_row_before_is_in_that_row() {
    for rows in [
        r#"<row><c t="str"><v>1</v></c></row><row><c r="B1"><v>2</v></c></row>"#,
        r#"<row r="1"><c r="A1" t="str"><v>1</v></c></row><row r="2"/><row r="3"><c r="B1"><v>2</v></c></row>"#,
    ] {
        let found = seen(&mut book(&sheet(rows)), "S", None);
        let row = vec![("1".to_owned(), false), ("2".to_owned(), true)];
        assert_eq!(found, Ok(vec![(1, row)]), "{rows}");
    }
}

#[test]
fn rows_stay_whole_where_a_part_ends() {
    let mut rows = String::new();
    for n in 1..=20_000 {
        let line = format!(
            r#"<row r="{n}"><c r="A{n}"><v>{n}.25</v></c><c r="B{n}" t="str"><v>é {n}</v></c><c r="C{n}" t="s"><v>0</v></c></row>"#
        );
        rows.push_str(&line);
    }
    let found = uploaded(&mut book(&sheet(&rows))).expect("a sheet");
    assert_eq!(found.len(), 20_000);
    for (n, (number, cells)) in (1u32..).zip(found) {
        let row = [(format!("{n}.25"), true), (format!("é {n}"), false), ("a & b".to_owned(), false)];
        assert_eq!((number, cells.as_slice()), (n, &row[..]));
    }
}

#[test]
fn cells_that_share_a_long_text_are_limited() {
    let words =
        |texts: &str, rows: &str| uploaded(&mut book_of(texts, &sheet(rows))).expect_err("a refusal").0;
    let cell = r#"<c t="s"><v>0</v></c>"#;
    let long = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(900_000));
    assert_eq!(words(&long, &format!("<row r='7'>{cell}{cell}</row>")), "Row 7 is longer than 1 MiB.");
    let file = &mut book_of(&long, &sheet(&format!("<row>{cell}</row>").repeat(1_300)));
    struct Count(u32);
    impl Visitor for Count {
        fn row<R: Row>(&mut self, _number: u32, _row: &R) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Continue(())
        }
    }
    let refused = read(file, "S", None, &mut Count(0)).expect_err("a refusal");
    assert!(refused.0.contains("more cells or text"), "{refused}");
}

/// Fragments of sheets, well formed and not.
const PIECES: [&str; 40] = [
    "<row>",
    "<row r=\"1\">",
    "<row r=\"2\" spans=\"1:2\" x:y='z'>",
    "<row r=\"7\"/>",
    "</row>",
    "</row>",
    "</row>",
    "<c>",
    "<c r=\"A1\">",
    "<c r=\"B2\" s=\"1\">",
    "<c t=\"s\">",
    "<c t=\"str\">",
    "<c t=\"inlineStr\">",
    "<c t=\"b\">",
    "<c t=\"e\">",
    "<c t=\"d\">",
    "<c t=\"n\" s=\"2\">",
    "<c t=\"x\">",
    "<c s=\"1\"/>",
    "</c>",
    "</c>",
    "</c>",
    "<v>",
    "<v>1</v>",
    "<v>2.50</v>",
    "<v>0</v>",
    "<v>1e400</v>",
    "<v>#N/A</v>",
    "<v>a &lt; b</v>",
    "<v>9</v>",
    "<v/>",
    "<v></v>",
    "</v>",
    "<f>A1&gt;2</f>",
    "<f t=\"shared\" si=\"0\"/>",
    "<is><t> x </t></is>",
    "<is><t xml:space=\"preserve\"> y&amp;</t></is>",
    "<!-- </row> -->",
    "\n ",
    "<x:c/>",
];

/// Valid cells, with an odd fragment now and then.
fn rows() -> impl Strategy<Value = String> {
    let cell = prop_oneof![
        (7usize..18, 22usize..37)
            .prop_map(|(open, inside)| format!("{}{}</c>", PIECES[open], PIECES[inside])),
        (0..PIECES.len()).prop_map(|piece| PIECES[piece].to_owned()),
        Just(String::new()),
    ];
    let row =
        proptest::collection::vec(cell, 0..3).prop_map(|cells| format!("<row>{}</row>", cells.concat()));
    let odd = (0..PIECES.len()).prop_map(|piece| PIECES[piece].to_owned());
    proptest::collection::vec(prop_oneof![8 => row, 1 => odd], 0..5).prop_map(|rows| rows.concat())
}

proptest! {
    #[test]
    fn a_workbook_is_read_as_it_was_written(
        rows in proptest::collection::vec(proptest::collection::vec(value(), 0..6), 1..6),
        constant_memory: bool,
        wanted in proptest::option::of(proptest::collection::vec(0usize..6, 0..4)),
    ) {
        let mut file = stored(&workbook(&rows, constant_memory));
        let found = seen(&mut file, "Sheet1", wanted.as_deref()).map(trimmed);
        prop_assert_eq!(found, Ok(shown(&rows, wanted.as_deref())));
    }

    #[test]
    fn damaged_workbooks_are_no_panic(
        rows in proptest::collection::vec(proptest::collection::vec(value(), 0..4), 1..4),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..4),
        cut in proptest::option::of(any::<proptest::sample::Index>()),
    ) {
        let mut bytes = workbook(&rows, false);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let _ = uploaded(&mut stored(&bytes));
    }

    #[test]
    fn any_pieces_of_a_sheet_are_no_panic(rows in rows()) {
        let _ = uploaded(&mut book(&sheet(&rows)));
    }

    #[test]
    fn any_text_is_no_panic(text in "[<>/=\"' a-z0-9&;:.?!-]{0,80}") {
        let _ = uploaded(&mut book(&text));
        let _ = uploaded(&mut book(&sheet(&text)));
        let _ = uploaded(&mut book_of(&text, &sheet("<row><c t='s'><v>0</v></c></row>")));
    }
}
