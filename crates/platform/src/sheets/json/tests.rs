use std::io::Write;

use super::*;

fn file(text: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(text).expect("written");
    file
}

struct Rows(Vec<String>);

impl Visitor for Rows {
    fn row<R: Row>(&mut self, _: u32, row: &R) -> ControlFlow<()> {
        let cells = (0..row.width()).map(|at| String::from_utf8_lossy(row.cell(at).text).into_owned());
        self.0.push(cells.collect::<Vec<_>>().join("|"));
        ControlFlow::Continue(())
    }
}

fn rows(text: &str) -> Result<Vec<String>, Refusal> {
    let mut file = file(text.as_bytes());
    let columns = columns(&mut file)?;
    let mut rows = Rows(Vec::new());
    read(&mut file, &columns, &mut rows)?;
    Ok(rows.0)
}

#[test]
fn a_list_of_records_is_a_table() {
    let seen =
        rows(r#"[{"date":"2026-11-01","item":"Rice","qty":2},{"item":"Tea","qty":1.5,"date":"2026-11-01"}]"#);
    assert_eq!(seen.expect("rows"), ["date|item|qty", "2026-11-01|Rice|2", "2026-11-01|Tea|1.5"]);
}

#[test]
fn receipt_values_repeat_on_each_line() {
    let receipts = r#"{"store":"Makati","data":[
        {"no":"1","lines":[{"item":{"name":"Rice"},"qty":2},{"item":{"name":"Tea"},"qty":1}],"total":70,
         "payments":[{"type":"Cash","amount":50},{"type":"Card","amount":20}]},
        {"no":"2","lines":[{"item":{"name":"Egg"},"qty":1}],"total":12}]}"#;
    let seen = rows(receipts).expect("rows");
    assert_eq!(seen.len(), 4, "{seen:?}");
    assert!(seen[1].starts_with("Makati|1|70|Cash|50|Card|20|Rice|2"), "{seen:?}");
    let title = seen[0].split('|').position(|name| name == "data total").expect("a total");
    assert_eq!(seen[3].split('|').nth(title), Some("12"));
}

#[test]
fn json_lines_are_read_line_by_line() {
    let seen = rows("{\"a\":1,\"lines\":[{\"b\":2},{\"b\":3}],\"c\":4}\n\n{\"a\":5,\"lines\":[{\"b\":6}]}\n");
    assert_eq!(seen.expect("rows"), ["a|c|lines b", "1|4|2", "1|4|3", "5||6"]);
}

#[test]
fn a_large_file_reads_as_a_small_one() {
    let entries: Vec<String> =
        (0..40_000).map(|n| format!(r#"{{"no":{n},"item":"Rice","qty":1}}"#)).collect();
    let text = format!(
        r#"{{"store":"Makati","pages":[1,2],"meta":{{"stores":[{{"id":1}}]}},"data":[{}]}}"#,
        entries.join(",")
    );
    assert!(text.len() as u64 > MAX_RECORD);
    let seen = rows(&text).expect("rows");
    assert_eq!((seen.len(), seen[40_000].as_str()), (40_001, "39999|Rice|1|Makati"));
}

#[test]
fn other_json_is_refused_with_a_message() {
    for (text, words) in [
        ("[{\"a\":1},", "cut off"),
        ("[{\"a\":1]", "no valid JSON"),
        ("[]", "no list of records"),
        ("{\"a\":1}\n{\"a\":", "no valid JSON"),
    ] {
        let refusal = rows(text).expect_err("refused");
        assert!(refusal.0.contains(words), "{refusal}");
    }
    let deep = format!("[{}{}]", "[".repeat(5_000), "]".repeat(5_000));
    assert!(rows(&deep).is_err());
    let fat = format!(r#"[{{"a":"{}"}},{{"a":1}}]"#, "x".repeat(3 << 20));
    assert!(rows(&fat).expect_err("refused").0.contains("1 MiB"));
    let many: Vec<String> = (0..2_000).map(|n| format!("\"c{n}\":1")).collect();
    let wide = rows(&format!("[{{{}}}]", many.join(","))).expect("rows");
    assert_eq!(wide[0].split('|').count(), MAX_COLUMNS);
}

proptest::proptest! {
    #[test]
    fn nothing_panics(text in "[\\[\\]{}\":,a-c0-9 \n]{0,60}") {
        let _ = rows(&text);
    }
}
