use super::*;
use crate::sales::dates::DateFormat;
use crate::sales::mapping::PriceMeans;
use crate::sales::mapping::{Flag, NegativeLines, Word};
use proptest::prelude::*;
use rstest::rstest;

struct Texts<'a>(Vec<&'a str>);

impl Row for Texts<'_> {
    fn width(&self) -> usize {
        self.0.len()
    }
    fn cell(&self, column: usize) -> Cell<'_> {
        Cell::of(self.0.get(column).map_or(b"", |t| t.as_bytes()))
    }
}

fn mapping() -> Mapping {
    Mapping {
        has_header: true,
        sheet: None,
        columns: [
            (Field::Date, 0),
            (Field::Store, 1),
            (Field::Receipt, 2),
            (Field::Item, 3),
            (Field::Quantity, 4),
            (Field::UnitPrice, 5),
            (Field::Discount, 6),
        ]
        .into(),
        date_format: DateFormat::Dmy,
        decimal: Decimal::Point,
        store: None,
        price_means: PriceMeans::Unit,
        each_row_is_one: false,
        products: None,
        ..Mapping::default()
    }
}

fn read(cells: &str) -> (Option<Line>, Vec<Problem>, LineReader) {
    let mut reader = LineReader::new(mapping(), 7);
    let mut problems = Vec::new();
    let row = Texts(cells.split('|').collect());
    let line = reader.read(2, &row, &mut |p| problems.push(p));
    (line, problems, reader)
}

#[test]
fn a_row_becomes_a_line() {
    let (line, problems, reader) = read("03/08/19 20:25|Kensington|16118|  Plain  Papadum|2|0.8|");
    let line = line.expect("a good row");
    assert!(problems.is_empty());
    assert_eq!((line.day, line.seconds), (18_111, 73_500));
    assert_eq!((line.qty, line.unit_price, line.discount, line.net), (2_000_000, 80, 0, 160));
    assert_eq!(reader.tables.items[line.item as usize].name, "Plain Papadum");
    assert_eq!(reader.tables.items[line.item as usize].key, "plain papadum");
    assert_eq!(reader.tables.stores[line.store as usize], "Kensington");
    assert_eq!(reader.tables.receipts.text(line.receipt), "16118");
}

#[rstest]
#[case("31/31/2019|A|1|Rice|1|1|0", &["date"])]
#[case("1/1/2019|A|1|Rice|1|-1|0", &["negativePrice"])]
#[case("1/1/2019||1|Rice|x|1|0", &["number", "empty"])]
#[case("|A|1||1||0", &["empty", "empty", "empty"])]
#[case("1/1/2019|A|1|Ri\u{0}ce|1|1|0", &["control"])]
#[case("1/1/2019;A;1;Rice;1;1;0", &["columns"])]
#[case("1/1/2019|A|1|Rice|1|1|0|extra", &["columns"])]
#[case("1/1/2019|A|1|Rice|900000000000|900000000000|0", &["tooLarge"])]
fn a_bad_row_reports_all_its_problems(#[case] cells: &str, #[case] codes: &[&str]) {
    let (line, problems, _) = read(cells);
    assert_eq!(line, None);
    assert_eq!(problems.iter().map(|p| p.code).collect::<Vec<_>>(), codes);
    assert!(problems.iter().all(|p| p.row == 2 && p.message.ends_with('.')));
}

#[test]
fn a_row_with_one_column_a_product_becomes_a_line_for_each() {
    let product = |column, name: &str| super::super::mapping::ProductColumn { column, name: name.into() };
    let mapping = Mapping {
        columns: [(Field::Date, 0), (Field::Store, 1)].into(),
        products: Some(vec![product(2, "Bread"), product(3, "Jam"), product(4, "Bun")]),
        ..mapping()
    };
    assert!(mapping.faults(5).is_empty());
    let mut reader = LineReader::new(mapping, 5);
    let (mut lines, mut stated) = (Vec::new(), Vec::new());
    for (at, cells) in ["1/1/2019|A|2||1.5", "1/1/2019|A||0|", "1/1/2019|A|x|1|1"].iter().enumerate() {
        let row = Texts(cells.split('|').collect());
        let number = u32::try_from(at).expect("small") + 2;
        reader.read_each(number, &row, &mut |p| stated.push(p), &mut |line| lines.push(line));
    }
    let seen: Vec<_> = lines
        .iter()
        .map(|line| (line.row, reader.tables.items[line.item as usize].name.as_str(), line.qty))
        .collect();
    assert_eq!(seen, [(2, "Bread", 2_000_000), (2, "Bun", 1_500_000)]);
    assert_eq!(stated.iter().map(|p| (p.row, p.code)).collect::<Vec<_>>(), [(4, "number")]);
    assert_eq!(reader.control.file.qty, 5_500_000, "what the file says counts the row with a problem too");
}

#[test]
fn a_stores_code_is_kept_beside_its_name() {
    let mapping = Mapping {
        columns: [(Field::Date, 0), (Field::Store, 1), (Field::StoreCode, 2), (Field::Item, 3)].into(),
        ..mapping()
    };
    let mut reader = LineReader::new(mapping, 4);
    for cells in ["1/1/2019|Astoria|3|Rice", "2/1/2019||7|Rice"] {
        let row = Texts(cells.split('|').collect());
        assert!(reader.read(2, &row, &mut |_| {}).is_some());
    }
    assert_eq!(reader.tables.stores, ["Astoria", "7"]);
    assert_eq!(reader.tables.store_codes, ["3", "7"]);
}

#[test]
fn a_formula_is_only_a_name() {
    let (line, _, reader) = read("1/1/2019|A|1|=HYPERLINK(\"x\")|1|1|0");
    assert_eq!(reader.tables.items[line.expect("a good row").item as usize].name, "=HYPERLINK(\"x\")");
}

#[test]
fn a_return_has_negative_figures() {
    let (line, ..) = read("1/1/2019|A|1|Rice|-2|1.50|0.50");
    let line = line.expect("a good row");
    assert_eq!(line.kind, Kind::Return);
    assert_eq!((line.qty, line.discount, line.net), (-2_000_000, -50, -250));
}

#[test]
fn an_empty_row_end_is_no_extra_column() {
    let (line, problems, _) = read("1/1/2019|A|1|Rice|1|1|0||");
    assert!(line.is_some() && problems.is_empty());
}

#[rstest]
#[case(None, None, None, None, PriceMeans::Unit, (Kind::Sale, 1_000_000, 0, 0, 0))]
#[case(Some(3_000_000), Some(1_234_500), None, None, PriceMeans::Unit, (Kind::Sale, 3_000_000, 123, 0, 370))]
#[case(Some(4_000_000), Some(10_000_000), None, None, PriceMeans::Line, (Kind::Sale, 4_000_000, 250, 0, 1_000))]
#[case(Some(4_000_000), None, Some(1_000_000), Some(9_000_000), PriceMeans::Unit, (Kind::Sale, 4_000_000, 250, 100, 900))]
#[case(Some(0), None, None, Some(9_000_000), PriceMeans::Unit, (Kind::Sale, 0, 0, 0, 900))]
fn missing_figures_are_derived_from_given_ones(
    #[case] quantity: Option<i64>,
    #[case] price: Option<i64>,
    #[case] discount: Option<i64>,
    #[case] net: Option<i64>,
    #[case] means: PriceMeans,
    #[case] expected: (Kind, i64, i64, i64, i64),
) {
    let amounts = Amounts { quantity, price, discount, net, kind: None };
    assert_eq!(amounts.settle(means), Some(expected));
}

/// The lines and problems of a file's rows, each cell apart by `|`, read as for a user who can be asked.
fn read_all(mapping: Mapping, width: usize, rows: &[&str]) -> (Vec<Line>, Vec<Problem>, LineReader) {
    let mut reader = LineReader::new(mapping, width).asking(crate::BusinessDay(20_783));
    let (mut lines, mut problems) = (Vec::new(), Vec::new());
    for (number, row) in (2..).zip(rows) {
        let row = Texts(row.split('|').collect());
        reader.read_each(number, &row, &mut |p| problems.push(p), &mut |line| lines.push(line));
    }
    reader.finish(&mut |line| lines.push(line));
    (lines, problems, reader)
}

/// What is posted, what is left out and what is in the file, in pieces and centavos.
fn sums(lines: &[Line], reader: &LineReader) -> [(i64, i64); 3] {
    let posted = lines.iter().filter(|line| line.counts()).fold((0, 0), |(q, n), l| (q + l.qty, n + l.net));
    let left = reader.control.sums().fold((0, 0), |(q, n), (_, sum)| (q + sum.left.qty, n + sum.left.net));
    let file = (reader.control.file.qty, reader.control.file.net);
    assert_eq!((posted.0 + left.0, posted.1 + left.1), file, "posted and left out are what is in the file");
    [posted, left, file].map(|(qty, net)| (qty / 1_000_000, net))
}

fn columns(fields: &[Field]) -> BTreeMap<Field, usize> {
    fields.iter().copied().zip(0..).collect()
}

const LINES: [Field; 6] =
    [Field::Date, Field::Receipt, Field::Item, Field::Quantity, Field::UnitPrice, Field::Net];

#[test]
fn a_row_counts_unless_a_status_strikes_it_off() {
    let mapping = Mapping {
        columns: [&LINES[..], &[Field::Kind]].concat().into_iter().zip(0..).collect(),
        statuses: vec![7, 8, 9],
        flags: [(8, Flag::Paid), (9, Flag::CancelledAt)].into(),
        ..mapping()
    };
    let rows = [
        "13/11/2026|1|Rice|1|120|120|Sale|Closed|yes|",
        "13/11/2026|2|Rice|2|120|240|Sale|Cancelled by customer|yes|",
        "13/11/2026|3|Rice|1|120|120|Sale|Preparing|yes|",
        "13/11/2026|4|Rice|1|120|120|Sale|Closed|no|",
        "13/11/2026|5|Rice|1|120|120|Sale|Closed|yes|2026-11-13 10:00",
        "13/11/2026|6|Rice|1|120|120|Refund|Closed|yes|",
    ];
    let (lines, problems, reader) = read_all(mapping.clone(), 10, &rows);
    assert_eq!(problems, []);
    assert_eq!(sums(&lines, &reader), [(0, 0), (7, 84_000), (7, 84_000)]);
    assert_eq!(reader.control.of(Reason::UnknownWord).rows, 1);
    assert_eq!(reader.control.of(Reason::ReturnSign).left, FileTotals { qty: 2_000_000, net: 24_000 });
    let [word] = &reader.unknown_words()[..] else { panic!("{:?}", reader.unknown_words()) };
    assert_eq!((word.key.as_str(), word.text.as_str(), word.rows), ("preparing", "Preparing", 1));
    let told = Mapping { words: [("preparing".to_owned(), Word::Counts)].into(), ..mapping };
    let (lines, _, reader) = read_all(told, 10, &rows);
    assert_eq!(sums(&lines, &reader)[0], (1, 12_000));
    assert_eq!(reader.unknown_words().len(), 1, "it is still asked about");
    let told =
        Mapping { words: [("preparing".to_owned(), Word::LeaveOut)].into(), ..reader.mapping().clone() };
    let (lines, _, reader) = read_all(told, 10, &rows);
    assert_eq!((sums(&lines, &reader)[0], reader.control.of(Reason::UnknownWord).rows), ((0, 0), 1));
}

#[test]
fn an_orders_status_is_that_of_its_first_line() {
    let mapping = Mapping {
        columns: columns(&[
            Field::Date,
            Field::Receipt,
            Field::Item,
            Field::Quantity,
            Field::UnitPrice,
            Field::Kind,
        ]),
        fill_down: Some(vec![Field::Kind]),
        words: [("refunded".to_owned(), Word::LeaveOut)].into(),
        ..mapping()
    };
    let rows = [
        "13/11/2026|1|Rice|2|150|paid",
        "13/11/2026|1|Tea|1|80|",
        "13/11/2026|2|Rice|3|150|refunded",
        "13/11/2026|2|Tea|1|80|",
        "13/11/2026|3|Tea|1|80|voided",
    ];
    let (lines, problems, reader) = read_all(mapping, 6, &rows);
    assert_eq!(problems, []);
    assert_eq!(sums(&lines, &reader), [(3, 38_000), (5, 61_000), (8, 99_000)]);
}

#[test]
fn lines_repeated_for_each_tender_are_one_set() {
    let mapping = Mapping {
        columns: [&LINES[..], &[Field::Tender, Field::TenderAmount]].concat().into_iter().zip(0..).collect(),
        split_tenders: Some(true),
        ..mapping()
    };
    let rows = [
        "13/11/2026|1|Rice|1|120|120|Cash|100",
        "13/11/2026|1|Coke|1|60|60|Cash|100",
        "13/11/2026|1|Rice|1|120|120|GCash|80",
        "13/11/2026|1|Coke|1|60|60|GCash|80",
        "13/11/2026|2|Rice|1|120|120|Cash|120",
    ];
    let (lines, problems, reader) = read_all(mapping, 8, &rows);
    assert_eq!(problems, []);
    assert_eq!(sums(&lines, &reader), [(3, 30_000), (2, 18_000), (5, 48_000)]);
    let mut paid = BTreeMap::new();
    for beside in crate::sales::facts::Beside::all(&reader.tables.beside) {
        for (tender, amount, _) in beside.tenders {
            *paid.entry(reader.tables.tenders.text(tender).into_owned()).or_insert(0) += amount;
        }
    }
    assert_eq!(paid, [("Cash".to_owned(), 22_000), ("GCash".to_owned(), 8_000)].into());
    assert_eq!(lines.iter().filter(|line| line.is_carrier()).count(), 1);
}

#[test]
fn lines_repeated_for_equal_payments_are_one_set() {
    let mapping = Mapping {
        columns: [&LINES[..], &[Field::Tender, Field::TenderAmount]].concat().into_iter().zip(0..).collect(),
        split_tenders: Some(true),
        ..mapping()
    };
    let rows = [
        // Two equal payments of one set.
        "13/11/2026|1|Rice|1|120|120|GCash|90",
        "13/11/2026|1|Coke|1|60|60|GCash|90",
        "13/11/2026|1|Rice|1|120|120|GCash|90",
        "13/11/2026|1|Coke|1|60|60|GCash|90",
        // Two equal payments and another one, line by line; one line is sold twice.
        "13/11/2026|2|Tea|1|30|30|Cash|20",
        "13/11/2026|2|Tea|1|30|30|Cash|20",
        "13/11/2026|2|Tea|1|30|30|GCash|20",
        "13/11/2026|2|Tea|1|30|30|Cash|20",
        "13/11/2026|2|Tea|1|30|30|Cash|20",
        "13/11/2026|2|Tea|1|30|30|GCash|20",
        // One payment of two lines.
        "13/11/2026|3|Rice|1|120|120|Card|240",
        "13/11/2026|3|Rice|1|120|120|Card|240",
    ];
    let (lines, problems, reader) = read_all(mapping, 8, &rows);
    assert_eq!(problems, []);
    assert_eq!(sums(&lines, &reader), [(6, 48_000), (6, 30_000), (12, 78_000)]);
    assert_eq!(reader.control.of(Reason::RepeatedForTender).rows, 6);
    let mut paid = BTreeMap::new();
    for line in &lines {
        let tenders = crate::sales::facts::Beside::read(&reader.tables.beside, line.beside);
        for (tender, amount, _) in tenders.into_iter().flat_map(|beside| beside.tenders) {
            *paid.entry(reader.tables.tenders.text(tender).into_owned()).or_insert(0) += amount;
        }
    }
    assert_eq!(
        paid,
        [("Cash".to_owned(), 4_000), ("GCash".to_owned(), 20_000), ("Card".to_owned(), 24_000)].into()
    );
}

#[test]
fn negative_lines_are_discounts_unless_their_item_is_sold() {
    let mapping = Mapping { columns: columns(&LINES), ..mapping() };
    let rows = [
        "13/11/2026|1|Rice|2|120|240",
        "13/11/2026|1|Promo|1|-50|-50",
        "13/11/2026|1|Rounding||-0.25|-0.25",
        "13/11/2026|2|Rice|1|-120|-120",
        "13/11/2026|3|Tea|-1|-30|-30",
    ];
    let (lines, problems, reader) = read_all(mapping.clone(), 6, &rows);
    assert_eq!(problems, []);
    assert_eq!(sums(&lines, &reader), [(0, 3_975), (3, 0), (3, 3_975)]);
    let seen: Vec<_> = lines.iter().map(|l| (l.row, l.kind, l.qty / 1_000_000, l.discount, l.net)).collect();
    assert_eq!(
        seen,
        [
            (2, Kind::Sale, 2, 0, 24_000),
            (6, Kind::Return, -1, 0, -3_000),
            (3, Kind::Sale, 0, 5_000, -5_000),
            (4, Kind::Sale, 0, 25, -25),
            (5, Kind::Return, -1, 0, -12_000),
        ]
    );
    assert_eq!(reader.negative_lines(), NegativesFound { lines: 2, net: -5_025, loose: 0, back: 1 });
    let off = Mapping { negative_lines: Some(NegativeLines::Discounts), ..reader.mapping().clone() };
    let (lines, _, reader) = read_all(off, 6, &rows);
    assert_eq!(sums(&lines, &reader), [(1, 3_975), (2, 0), (3, 3_975)], "the tea is a discount too");
    let (strict, problems, _) = read("13/11/2019|A|1|Promo|1|-50|");
    assert_eq!((strict, problems[0].code), (None, "negativePrice"), "where nobody can be asked");
}

#[test]
fn negative_lines_of_known_items_are_returns() {
    let rows = [
        "13/11/2026|R9|Tapsilog|1|120|-120",
        "13/11/2026|R9|Promo|1|50|-50",
        "13/11/2026||Garlic  Rice|-1|35|-35",
    ];
    let read = |negative_lines| {
        let mapping = Mapping { columns: columns(&LINES), negative_lines, ..mapping() };
        let known = ["tapsilog", "garlic rice"].map(str::to_owned).into();
        let known = KnownItems { names: known, ..KnownItems::default() };
        let mut reader = LineReader::new(mapping, 6)
            .asking(crate::BusinessDay(20_783))
            .knowing(std::sync::Arc::new(known));
        let mut lines = Vec::new();
        for (number, row) in (2..).zip(rows) {
            let row = Texts(row.split('|').collect());
            reader
                .read_each(number, &row, &mut |problem| panic!("{problem:?}"), &mut |line| lines.push(line));
        }
        reader.finish(&mut |line| lines.push(line));
        sums(&lines, &reader);
        let mut seen: Vec<_> =
            lines.iter().map(|l| (l.row, l.kind, l.qty / 1_000_000, l.discount, l.net)).collect();
        seen.sort_unstable_by_key(|line| line.0);
        (seen, reader.negative_lines())
    };
    let right = [
        (2, Kind::Return, -1, 0, -12_000),
        (3, Kind::Sale, 0, 5_000, -5_000),
        (4, Kind::Return, -1, 0, -3_500),
    ];
    let found = NegativesFound { lines: 1, net: -5_000, loose: 0, back: 0 };
    assert_eq!(read(None), (right.to_vec(), found), "nothing is asked");
    // A line without a receipt number, told to be a discount, was listed as an item and may be known since.
    let (seen, found) = read(Some(NegativeLines::Discounts));
    assert_eq!(seen, [right[0], right[1], (4, Kind::Sale, 0, 3_500, -3_500)]);
    assert_eq!(found.back, 1);
}

#[test]
fn figures_of_rows_with_too_many_or_too_few_columns_are_in_the_file() {
    let mapping = Mapping { columns: columns(&LINES), ..mapping() };
    let rows = [
        "13/11/2026|1|Rice|1|120|120",
        "13/11/2026|2|Rice|2|120|240|more",
        "13/11/2026|3|Tea|-1|30|-30|more",
        "13/11/2026|4|Tea|1|30",
    ];
    let (lines, problems, reader) = read_all(mapping, 6, &rows);
    let seen: Vec<_> = problems.iter().map(|problem| (problem.row, problem.code)).collect();
    assert_eq!(seen, [(3, "columns"), (4, "columns"), (5, "columns")]);
    assert_eq!(sums(&lines, &reader), [(1, 12_000), (2, 21_000), (3, 33_000)]);
}

#[test]
fn a_day_for_the_file_and_no_day_after_today() {
    let file = Mapping {
        columns: columns(&[Field::Item, Field::Quantity]),
        day: Some(crate::BusinessDay(20_770)),
        store: Some(super::super::mapping::FixedStore { fixed: "s".to_owned() }),
        ..mapping()
    };
    assert_eq!(file.faults(2), []);
    let (lines, ..) = read_all(file, 2, &["Rice|2"]);
    assert_eq!((lines[0].day, lines[0].qty), (20_770, 2_000_000));
    let mapping = Mapping { columns: columns(&LINES), ..mapping() };
    let rows = ["26/11/2026|1|Rice|1|10|10", "27/11/2026|1|Rice|1|10|10", "13/11/2062|1|Rice|1|10|10"];
    let (lines, problems, reader) = read_all(mapping, 6, &rows);
    assert_eq!(problems.iter().map(|p| (p.row, p.code)).collect::<Vec<_>>(), [(3, "future"), (4, "future")]);
    assert_eq!(sums(&lines, &reader), [(1, 1_000), (2, 2_000), (3, 3_000)]);
}

#[test]
fn each_column_has_its_decimal_mark_and_a_price_may_be_empty() {
    let mapping = Mapping {
        columns: columns(&LINES),
        decimal: Decimal::Comma,
        decimals: [(Field::Quantity, Decimal::Point)].into(),
        ..mapping()
    };
    let rows = ["13/11/2026|1|Pork|1.250|320,00|400,00", "13/11/2026|2|Pork|0.500||160,00"];
    let (lines, problems, _) = read_all(mapping, 6, &rows);
    assert_eq!(problems, []);
    let seen: Vec<_> = lines.iter().map(|line| (line.qty, line.unit_price, line.net)).collect();
    assert_eq!(seen, [(1_250_000, 32_000, 40_000), (500_000, 32_000, 16_000)]);
}

#[test]
fn a_variant_is_part_of_an_item_without_a_code() {
    let mapping = Mapping {
        columns: columns(&[Field::Date, Field::Item, Field::ItemName, Field::Variant]),
        ..mapping()
    };
    let rows = [
        "13/11/2026||Iced Latte|16oz",
        "13/11/2026||Iced  Latte|22oz",
        "13/11/2026||Tea|",
        "13/11/2026|L22|Iced Latte|22oz",
        "13/11/2026|4.80002E+12|Iced Latte|16oz",
    ];
    let (lines, problems, reader) = read_all(mapping, 4, &rows);
    assert_eq!(problems, []);
    let items: Vec<_> = lines.iter().map(|line| &reader.tables.items[line.item as usize]).collect();
    let seen: Vec<_> = items.iter().map(|item| (item.key.as_str(), item.name.as_str())).collect();
    assert_eq!(
        seen,
        [
            ("iced latte (16oz)", "Iced Latte (16oz)"),
            ("iced latte (22oz)", "Iced Latte (22oz)"),
            ("tea", "Tea"),
            ("l22", "Iced Latte (22oz)"),
            ("iced latte (16oz)", "Iced Latte (16oz)"),
        ]
    );
    let parents: Vec<_> = items.iter().map(|item| item.parent.as_deref()).collect();
    let latte = Some("iced latte");
    assert_eq!(parents, [latte, latte, None, latte, latte]);
}

#[test]
fn modifiers_are_lines_of_their_own_beside_their_item() {
    let mapping = Mapping {
        columns: [&LINES[..], &[Field::Modifiers]].concat().into_iter().zip(0..).collect(),
        ..mapping()
    };
    let rows = [
        "13/11/2026|1|Latte|2|120|240|Oat milk (+₱20), 2x Extra shot",
        "13/11/2026|1|Rice|1|50|50|",
        "13/11/2026|2|Latte|-1|120|-120|oat  milk",
        "13/11/2026|3|Latte|1|-120|-120|Oat milk",
    ];
    let (lines, problems, reader) = read_all(mapping.clone(), 7, &rows);
    assert_eq!((problems, lines.len()), (vec![], 4), "unless it is said, they are part of their item");
    let first = "Oat milk".to_owned();
    assert_eq!(reader.modifiers_found(), &ModifiersFound { rows: 3, names: 2, first });
    let (lines, problems, reader) = read_all(Mapping { modifiers: Some(true), ..mapping }, 7, &rows);
    assert_eq!(problems, []);
    assert_eq!(sums(&lines, &reader), [(5, 5_000), (-2, 0), (3, 5_000)]);
    let left = reader.control.of(Reason::Modifier);
    assert_eq!((left.rows, left.left), (3, FileTotals { qty: -4_000_000, net: 0 }));
    let name = |line: &Line| reader.tables.items[line.item as usize].name.clone();
    let seen: Vec<_> =
        lines.iter().map(|l| (l.row, name(l), l.kind, l.qty / 1_000_000, l.unit_price, l.net)).collect();
    let line = |row, name: &str, kind, qty, price, net| (row, name.to_owned(), kind, qty, price, net);
    assert_eq!(
        seen,
        [
            line(2, "Latte", Kind::Sale, 2, 12_000, 24_000),
            line(2, "Oat milk", Kind::Sale, 2, 0, 0),
            line(2, "Extra shot", Kind::Sale, 4, 0, 0),
            line(3, "Rice", Kind::Sale, 1, 5_000, 5_000),
            line(4, "Latte", Kind::Return, -1, 12_000, -12_000),
            line(4, "Oat milk", Kind::Return, -1, 0, 0),
            line(5, "Latte", Kind::Return, -1, 12_000, -12_000),
            line(5, "Oat milk", Kind::Return, -1, 0, 0),
        ]
    );
    assert!(lines.iter().all(|line| line.receipt != NONE), "with the receipt of their item");
    let parents: Vec<u32> = lines.iter().map(|line| line.parent).collect();
    assert_eq!(parents, [NONE, 2, 2, NONE, NONE, 4, NONE, 5], "they belong to its line");
}

#[test]
fn marked_rows_without_an_amount_are_parts_of_the_row_above_if_it_is_said() {
    let rows = [
        "13/11/2026|1|Combo|2|300|600",
        "13/11/2026|1|  - Fries|2|0|0",
        "13/11/2026|1|+ Extra rice|1|20|20",
        "13/11/2026|1|> Coke|2|0|0",
        "13/11/2026|1|Water|1|0|0",
        "13/11/2026|1|- Ice|1|0|0",
        "13/11/2026|2|- Fries|1|0|0",
    ];
    let mapping = Mapping { columns: columns(&LINES), ..mapping() };
    let (lines, problems, reader) = read_all(mapping.clone(), 6, &rows);
    assert_eq!((problems, sums(&lines, &reader)[0]), (vec![], (10, 62_000)));
    assert_eq!(reader.parts_found(), &PartsFound { rows: 2, first: "- Fries".to_owned() });
    assert!(lines.iter().all(|line| line.parent == NONE));
    let (lines, _, reader) = read_all(Mapping { marked_parts: Some(true), ..mapping }, 6, &rows);
    assert_eq!(sums(&lines, &reader)[0], (10, 62_000));
    let name = |line: &Line| reader.tables.items[line.item as usize].name.clone();
    let seen: Vec<_> = lines.iter().map(|line| (name(line), line.parent)).collect();
    let line = |name: &str, parent| (name.to_owned(), parent);
    assert_eq!(
        seen,
        [
            line("Combo", NONE),
            line("Fries", 2),
            line("+ Extra rice", NONE),
            line("Coke", 2),
            line("Water", NONE),
            line("- Ice", NONE),
            line("- Fries", NONE),
        ]
    );
}

#[test]
fn a_code_that_a_spreadsheet_spoiled_is_no_item() {
    let mapping = Mapping { columns: columns(&[Field::Date, Field::Item]), ..mapping() };
    let (lines, problems, _) = read_all(mapping, 2, &["13/11/2026|4.80002E+12", "13/11/2026|1E+2 Bowl"]);
    assert_eq!(problems.iter().map(|p| (p.row, p.code)).collect::<Vec<_>>(), [(2, "spoiled")]);
    assert_eq!(lines.len(), 1);
}

proptest! {
    #[test]
    fn posted_and_left_out_are_what_is_in_the_file(
        rows in proptest::collection::vec(
            ("(1[0-9]|2[0-9]|x)/11/2026|", 0u8..3, "Rice|Tea|Promo|Total|", "-?[0-9]|x|", "-?[0-9]{1,2}|", "-?[0-9]{1,3}\\.[0-9]|y|",
             "Sale|Return|Void|Odd|", "Cash|GCash|"),
            0..30
        ),
        priced: bool, once: bool, split: bool, returns: bool,
    ) {
        let fields = [Field::Date, Field::Receipt, Field::Item, Field::Quantity, Field::UnitPrice, Field::Net,
            Field::Kind, Field::Tender];
        let mut columns: BTreeMap<Field, usize> = fields.into_iter().zip(0..).collect();
        if priced {
            columns.remove(&Field::Net);
        }
        let mapping = Mapping {
            columns,
            once: (once && !priced).then(|| vec![Field::Net]),
            split_tenders: Some(split),
            negative_lines: returns.then_some(NegativeLines::Returns),
            ..mapping()
        };
        let rows: Vec<String> = rows
            .iter()
            .map(|(date, receipt, item, qty, price, net, kind, tender)| {
                [date, &receipt.to_string(), item, qty, price, net, kind, tender].map(String::as_str).join("\t")
            })
            .collect();
        let mut reader = LineReader::new(mapping, 8).asking(crate::BusinessDay(20_783));
        let mut lines = Vec::new();
        for (number, row) in (2..).zip(&rows) {
            let row = Texts(row.split('\t').collect());
            reader.read_each(number, &row, &mut |_| {}, &mut |line| lines.push(line));
        }
        reader.finish(&mut |line| lines.push(line));
        sums(&lines, &reader);
        prop_assert_eq!(lines.iter().filter(|line| line.is_carrier()).filter(|line| line.counts()).count(), 0);
    }

    #[test]
    fn no_row_panics(cells in proptest::collection::vec("\\PC{0,12}", 0..9)) {
        let mut reader = LineReader::new(mapping(), 7);
        let mut stated = 0;
        let row = Texts(cells.iter().map(String::as_str).collect());
        let line = reader.read(1, &row, &mut |_| stated += 1);
        prop_assert_eq!(line.is_none(), stated > 0);
    }

    #[test]
    fn net_is_quantity_times_price_less_discount(
        qty in -10_000i64..10_000, price in 0i64..1_000_000, discount in 0i64..1_000
    ) {
        let amounts = Amounts {
            quantity: Some(qty * 1_000_000),
            price: Some(price * 10_000),
            discount: Some(discount * 10_000),
            net: None,
            kind: None,
        };
        let (_, _, unit, off, net) = amounts.settle(PriceMeans::Unit).expect("in range");
        prop_assert_eq!(unit, price);
        prop_assert_eq!(net, qty * price - off);
    }
}
