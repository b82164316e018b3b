use std::io::Write;
use std::ops::ControlFlow;

use proptest::prelude::*;
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};

use super::super::xlsx::{read as read_both, read_any};
use super::super::zip::tests::archive;
use super::*;

/// Rows as they are seen: number, cells and which of them are numbers.
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

fn seen(read: impl FnOnce(&mut Watch) -> Result<(), Refusal>) -> Result<Seen, Refusal> {
    let mut watch = Watch::default();
    read(&mut watch).map(|()| watch.0)
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
    ["dd/mm/yyyy hh:mm", "yyyy-mm-dd", "h:mm AM/PM", "#,##0.00", "[h]:mm", "[$₱-3409]#,##0.00"];

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[ -~]{0,9}", "[a-c&<>\"' \n\t]{0,6}", "[é-ÿ€]{1,4}", Just("_x000D_".to_owned())];
    prop_oneof![
        Just(Value::None),
        text.clone().prop_map(Value::Text),
        (-1e12f64..1e12).prop_map(Value::Number),
        prop_oneof![Just(0.1 + 0.2), Just(1e-7), Just(1e21), Just(-0.0), Just(0.5)].prop_map(Value::Number),
        any::<i32>().prop_map(Value::Money),
        (0f64..60_000.0, 0..FORMATS.len()).prop_map(|(day, format)| Value::Moment(day, format)),
        any::<bool>().prop_map(Value::Truth),
        (-1e3f64..1e3).prop_map(Value::Formula),
        text.prop_map(Value::Words),
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
                    let day = ExcelDateTime::from_serial_datetime(*day).expect("a day");
                    sheet.write_datetime_with_format(row, column, &day, &formats[*format])
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

/// A sheet in a workbook with three texts and three styles: plain, a date, a duration.
fn book(sheet: &str) -> File {
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
        (
            "xl/sharedStrings.xml",
            r#"<sst uniqueCount="3"><si><t>a &amp; b</t></si><si><t xml:space="preserve"> é </t></si><si/></sst>"#,
        ),
        (
            "xl/styles.xml",
            r#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>"#,
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
fn ordinary_sheets_are_read_to_their_end() {
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
        vec![Value::Words("a<b".to_owned()), Value::Styled, Value::Fault, Value::Moment(7.0, 5)],
    ];
    for constant_memory in [false, true] {
        let mut file = stored(&workbook(&rows, constant_memory));
        let mut watch = Watch::default();
        assert_eq!(read(&mut file, "Sheet1", None, &mut watch), Ok(Scanned::Whole));
        assert_eq!(watch.0.len(), 3);
        assert_eq!(watch.0[1].1[0].0, "2019-08-03 20:24:00");
        assert_eq!(Ok(watch.0), seen(|watch| read_any(&mut file, "Sheet1", None, 0, watch)));
    }
}

#[test]
fn strange_rows_are_left_to_the_full_reader() {
    let plain = r#"<row r="1"><c r="A1"><v>7</v></c></row><row r="2"><c r="A2" t="s"><v>0</v></c></row>"#;
    let strange = [
        r#"<row r="3"><c r="A3" t="inlineStr"><is><r><t>rich</t></r></is></c></row>"#,
        r#"<row r="3"><!-- a comment --><c r="A3"><v>1</v></c></row>"#,
        r#"<row r="3"><c r="A3" t="str"><v>&#233;</v></c></row>"#,
        r#"<row r="3"><c r="A3" t="inlineStr"><is><t><![CDATA[x</row>]]></t></is></c></row>"#,
        r#"<row r="3"><c r="A3" s="2"><v>1.5</v></c></row>"#,
    ];
    for rows in strange {
        let mut file = book(&sheet(&format!("{plain}{rows}")));
        // The row before may go on there, so it is left, too.
        assert_eq!(read(&mut file, "S", None, &mut Watch::default()), Ok(Scanned::Until(1)), "{rows}");
        let all = seen(|watch| read_both(&mut file, "S", None, watch)).expect("a sheet");
        assert_eq!((all.len(), all[1].1[0].0.as_str()), (3, "a & b"), "{rows}");
    }
}

#[test]
fn a_cell_that_names_the_row_before_is_in_that_row() {
    for rows in [
        r#"<row><c t="str"><v>1</v></c></row><row><c r="B1"><v>2</v></c></row>"#,
        r#"<row r="1"><c r="A1" t="str"><v>1</v></c></row><row r="2"/><row r="3"><c r="B1"><v>2</v></c></row>"#,
    ] {
        let found = seen(|watch| read_both(&mut book(&sheet(rows)), "S", None, watch));
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
    let mut file = book(&sheet(&rows));
    assert_eq!(read(&mut file, "S", None, &mut Watch::default()), Ok(Scanned::Whole));
    let quick = seen(|watch| read_both(&mut file, "S", None, watch)).expect("a sheet");
    assert_eq!(quick.len(), 20_000);
    assert_eq!(Ok(quick), seen(|watch| read_any(&mut file, "S", None, 0, watch)));
}

#[test]
fn numbers_shown_as_written_are_what_a_spreadsheet_shows() {
    for raw in ["0", "12", "12.5", "-3", "-0.25", "0.1", "999999999999999", "123456789.123456"] {
        let mut out = Vec::new();
        write_float(&mut out, raw.parse().expect("a number"));
        assert!(is_shown_as_written(raw.as_bytes()), "{raw}");
        assert_eq!(String::from_utf8_lossy(&out), raw);
    }
    for raw in [
        "",
        "-",
        "-0",
        "00",
        "01.5",
        "1.50",
        "1.",
        ".5",
        "1e3",
        "+1",
        "1234567890123456",
        "0.1234567",
        "1.2.3",
    ] {
        assert!(!is_shown_as_written(raw.as_bytes()), "{raw}");
    }
}

/// Pieces of sheets, well formed and not.
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

/// Cells as they should be, with an odd piece now and then.
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
    fn both_readers_give_the_same_rows_of_a_workbook(
        rows in proptest::collection::vec(proptest::collection::vec(value(), 0..6), 1..6),
        constant_memory: bool,
        wanted in proptest::option::of(proptest::collection::vec(0usize..6, 0..4)),
    ) {
        let mut file = stored(&workbook(&rows, constant_memory));
        let quick = seen(|watch| read_both(&mut file, "Sheet1", wanted.as_deref(), watch));
        let full = seen(|watch| read_any(&mut file, "Sheet1", wanted.as_deref(), 0, watch));
        prop_assert!(full.is_ok());
        prop_assert_eq!(quick, full);
    }

    #[test]
    fn both_readers_give_the_same_rows_of_any_pieces(rows in rows()) {
        let mut file = book(&sheet(&rows));
        let quick = seen(|watch| read_both(&mut file, "S", None, watch));
        let full = seen(|watch| read_any(&mut file, "S", None, 0, watch));
        prop_assert_eq!(quick, full);
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
        let mut file = stored(&bytes);
        let _ = read(&mut file, "Sheet1", None, &mut Watch::default());
    }

    #[test]
    fn any_text_is_no_panic(text in "[<>/=\"' a-z0-9&;:.?!-]{0,80}") {
        let mut file = book(&text);
        let _ = read(&mut file, "S", None, &mut Watch::default());
        let mut file = book(&sheet(&text));
        let _ = read(&mut file, "S", None, &mut Watch::default());
    }
}
