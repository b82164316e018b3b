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
    read(&file, &Style { encoding: UTF_8, delimiter: b',' }, &mut numbers).expect("rows");
    numbers.0
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
