use super::*;

struct Texts<'a>(Vec<&'a str>);

impl Row for Texts<'_> {
    fn width(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        Cell::of(self.0.get(column).copied().unwrap_or_default().as_bytes())
    }
}

/// The result of a sheet's rows: titles, then rows.
fn shaped(name: &str, rows: &[&str]) -> (Shape, Vec<String>) {
    let texts: Vec<Texts<'_>> = rows.iter().map(|row| Texts(row.split('|').collect())).collect();
    let peeked: Vec<Peeked> = texts.iter().map(|row| Peeked::of(row, 50)).collect();
    let (shape, titles) = find(&peeked, Some(name).filter(|name| !name.is_empty()), false);
    let mut out = vec![titles.join("|")];
    let mut shaper = Shaper::new(shape.clone());
    shaper.sheet(name);
    for row in &texts {
        shaper.row(row, &mut |row| {
            let cells = (0..row.width()).map(|at| String::from_utf8_lossy(row.cell(at).text).into_owned());
            out.push(cells.collect::<Vec<_>>().join("|"));
        });
    }
    (shape, out)
}

#[test]
fn a_plain_table_is_left_as_it_is() {
    let (shape, _) =
        shaped("", &["Date|Store|Item|Qty", "2026-11-01|Makati|Rice|2", "2026-11-02|Makati|Tea|1"]);
    assert!(shape.is_plain());
}

#[test]
fn a_report_head_becomes_columns() {
    let (_, rows) = shaped(
        "",
        &[
            "Sales report|||",
            "Branch:|Makati||",
            "Date: 2026-11-01|||",
            "|||",
            "Item|Qty|Net sales|",
            "Rice|2|50|",
            "Tea|1|20|",
        ],
    );
    assert_eq!(
        rows,
        [
            "Item|Qty|Net sales|Store (said above)|Date (said above)",
            "Rice|2|50|Makati|2026-11-01",
            "Tea|1|20|Makati|2026-11-01"
        ]
    );
}

#[test]
fn one_column_a_day_becomes_a_row_a_day() {
    let (_, rows) =
        shaped("November 2026", &["Store|Item|1|2|3|Total", "Makati|Rice|5|0|2|7", "Makati|Tea||1||1"]);
    assert_eq!(
        rows,
        [
            "Store|Item|Sheet name|Day|Figure",
            "Makati|Rice|November 2026|2026-11-01|5",
            "Makati|Rice|November 2026|2026-11-03|2",
            "Makati|Tea|November 2026|2026-11-02|1",
        ]
    );
}

#[test]
fn figures_under_merged_days_stay_together() {
    let (_, rows) = shaped(
        "",
        &["Item|1-Nov-2026||2-Nov-2026|", "|Qty|Net sales|Qty|Net sales", "Rice|2|50|1|25", "Tea|||3|60"],
    );
    assert_eq!(
        rows,
        ["Item|Day|Qty|Net sales", "Rice|2026-11-01|2|50", "Rice|2026-11-02|1|25", "Tea|2026-11-02|3|60"]
    );
}

#[test]
fn rows_above_receipts_are_said_of_their_lines() {
    let (_, rows) = shaped(
        "",
        &[
            "Item|Qty|Amount",
            "Receipt: 1001|Date: 2026-11-01 10:05|",
            "Rice|2|50",
            "Receipt: 1002|Date: 2026-11-01 10:09|",
            "Tea|1|20",
            "Item|Qty|Amount",
            "Egg|1|12",
        ],
    );
    assert_eq!(
        rows,
        [
            "Item|Qty|Amount|Date (said above)|Receipt number (said above)",
            "Rice|2|50|2026-11-01 10:05|1001",
            "Tea|1|20|2026-11-01 10:09|1002",
            "Egg|1|12|2026-11-01 10:09|1002"
        ]
    );
}

#[test]
fn a_row_with_one_text_heads_those_below() {
    let (_, rows) = shaped(
        "",
        &[
            "Item|Date|Qty|Net",
            "MAKATI|||",
            "Rice|2026-11-01|2|50",
            "Tea|2026-11-01|1|20",
            "PASIG|||",
            "Rice|2026-11-01|1|25",
            "Egg|2026-11-02|1|12",
        ],
    );
    assert_eq!(rows[1], "Rice|2026-11-01|2|50|MAKATI");
    assert_eq!(rows[3], "Rice|2026-11-01|1|25|PASIG");
}

#[test]
fn merged_headings_are_joined() {
    let (_, rows) = shaped(
        "",
        &["Date|Store|Sales||Less||Net sales", "||Item|Qty|Senior|PWD|", "2026-11-01|Makati|Rice|2|5|0|45"],
    );
    assert_eq!(rows[0], "Date|Store|Sales Item|Sales Qty|Less Senior|Less PWD|Net sales");
}

#[test]
fn months_are_read_from_names() {
    assert_eq!(month_of("Sales Nov-2026"), Some((2026, 11)));
    assert_eq!(month_of("2026-02"), Some((2026, 2)));
    assert_eq!(month_of("For November 1, 2026 to November 30, 2026"), Some((2026, 11)));
    assert_eq!(month_of("Sheet1"), None);
}

proptest::proptest! {
    #[test]
    fn no_sheet_panics(rows in proptest::collection::vec("[-A-Za-z0-9:/|. ]{0,40}", 0..30), name in "\\PC{0,20}") {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let _ = shaped(&name, &rows);
    }
}
