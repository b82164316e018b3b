use std::io::Write;
use std::ops::ControlFlow;

use encoding_rs::UTF_8;

use super::*;

#[derive(Default)]
struct Numbers(Vec<(u32, String)>);

impl Visitor for Numbers {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        self.0.push((number, String::from_utf8_lossy(row.cell(0).text).into_owned()));
        ControlFlow::Continue(())
    }
}

fn numbers(text: &str) -> Vec<(u32, String)> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("room on the disk");
    std::io::Seek::rewind(&mut file).expect("a file");
    let mut numbers = Numbers::default();
    read(&file, &style(Quotes::Cells), &mut numbers).expect("rows");
    numbers.0
}

fn style(quotes: Quotes) -> Style {
    Style { encoding: UTF_8, delimiter: b',', quotes }
}

#[test]
fn rows_are_numbered_as_a_spreadsheet_counts_lines() {
    let lines = ["a,1", "b,2", "", "\"c", "c\",3", "d,4", "e,5"];
    let wanted = [(1, "a"), (2, "b"), (4, "c\nc"), (6, "d"), (7, "e")];
    for end in ["\n", "\r\n"] {
        let seen = numbers(&format!("{}{end}", lines.join(end)));
        let seen: Vec<(u32, String)> =
            seen.into_iter().map(|(at, cell)| (at, cell.replace('\r', ""))).collect();
        assert_eq!(seen, wanted.map(|(at, cell)| (at, cell.to_owned())), "{end:?}");
    }
    // Without a final line end, and with classic Mac OS line ends.
    assert_eq!(numbers("a\nb").last(), Some(&(2, "b".to_owned())));
    assert_eq!(numbers("a\rb\rc\r").last(), Some(&(3, "c".to_owned())));
}

fn stored(text: &str) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("room on the disk");
    std::io::Seek::rewind(&mut file).expect("a file");
    file
}

fn found(text: &str) -> Option<Swallowed> {
    swallowed(&stored(text), &style(Quotes::Cells)).expect("text")
}

#[derive(Default)]
struct Texts(Vec<(u32, Vec<String>)>);

impl Visitor for Texts {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        let text = |at| String::from_utf8_lossy(row.cell(at).text).into_owned();
        self.0.push((number, (0..row.width()).map(text).collect()));
        ControlFlow::Continue(())
    }
}

fn texts(text: &str, quotes: Quotes) -> Vec<(u32, Vec<String>)> {
    let mut texts = Texts::default();
    read(&stored(text), &style(quotes), &mut texts).expect("rows");
    texts.0
}

const UNCLOSED: &str = "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00
2026-11-13,Larkspur Mall,2,A2,\"Half Chicken,1,200.00,200.00
2026-11-13,Larkspur Mall,3,A1,Tapsilog,1,120.00,120.00
2026-11-13,Larkspur Mall,4,A1,Tapsilog,1,120.00,120.00
2026-11-13,Larkspur Mall,5,A2,\"Half Chicken\",1,200.00,200.00
2026-11-13,Larkspur Mall,6,A1,Tapsilog,1,120.00,120.00
";

#[test]
fn a_quote_that_swallows_rows_is_found() {
    assert_eq!(found(UNCLOSED), Some(Swallowed { first_row: 3, last_row: 6, lines: 3 }));
    assert_eq!(
        found(&UNCLOSED.replace('\n', "\r\n")),
        Some(Swallowed { first_row: 3, last_row: 6, lines: 3 })
    );
    assert_eq!(found(&UNCLOSED.replace('\n', "\r")), Some(Swallowed { first_row: 3, last_row: 6, lines: 3 }));
    // Never closed at all.
    let rest = UNCLOSED.replace("\"Half Chicken\"", "Half Chicken");
    assert_eq!(found(&rest), Some(Swallowed { first_row: 3, last_row: 7, lines: 5 }));
    // Closed by the quote of the very next row.
    let next = UNCLOSED.replace("3,A1,Tapsilog", "3,A1,\"Tapsilog\"");
    assert_eq!(found(&next), Some(Swallowed { first_row: 3, last_row: 4, lines: 1 }));
}

#[test]
fn cells_of_several_lines_swallow_nothing() {
    let header = "Store,Address,City,Phone,Note\n";
    for rows in [
        "One,\"12 Rizal St, Brgy 5\nMakati, Metro Manila\",Makati,1,x\n",
        "One,\"12 Rizal St\n\nMakati\n\",Makati,1,\"a \"\"b\"\", c\"\nTwo,\"x\ny, z\nw\",,,\n",
        "One,a \"b,c,d,e\nTwo,x,y,z,w\n",
        "One,\"a\",c,d,e\nTwo,\"\",y,z,w",
    ] {
        assert_eq!(found(&format!("{header}{rows}")), None, "{rows}");
    }
    assert_eq!(found(""), None);
}

#[test]
fn each_line_can_be_a_row_as_it_stands() {
    let rows = texts(UNCLOSED, Quotes::Rows);
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
    let names: Vec<&str> = rows.iter().map(|row| row.1[4].as_str()).collect();
    let halves = ["\"Half Chicken", "Half Chicken"];
    assert_eq!(names, ["Item Name", "Tapsilog", halves[0], "Tapsilog", "Tapsilog", halves[1], "Tapsilog"]);
    assert!(rows.iter().all(|row| row.1.len() == 8));
    assert_eq!(texts(UNCLOSED, Quotes::Cells).len(), 4);
    let odd = texts("a,\"b \"\"c\"\", d\",\"\"\r\n\r\n\"x\"y,\"\"\"z", Quotes::Rows);
    let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    assert_eq!(odd, [(1, cells(&["a", "b \"c\", d", ""])), (3, cells(&["xy", "\"\"\"z"]))]);
}

proptest::proptest! {
    /// A file whose quotes are closed on their lines is the same either way, and swallows nothing.
    #[test]
    fn closed_quotes_read_alike(rows in proptest::collection::vec(proptest::collection::vec("[a-c,\" ]{0,5}", 1..5), 1..8)) {
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let lines: Vec<String> =
            rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect();
        let text = lines.join("\r\n");
        proptest::prop_assert_eq!(texts(&text, Quotes::Rows), texts(&text, Quotes::Cells));
        proptest::prop_assert_eq!(found(&text), None);
    }

    #[test]
    fn no_text_panics(text in "[a,\"\r\n]{0,60}") {
        texts(&text, Quotes::Rows);
        let rows = u32::try_from(text.len() + 1).expect("small");
        if let Some(it) = found(&text) {
            proptest::prop_assert!(it.first_row <= it.last_row && it.last_row <= rows && it.lines > 0);
        }
    }
}
