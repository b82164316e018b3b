use super::*;
use crate::sales::dates::DateFormat;
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
    assert_eq!(reader.said.qty, 5_500_000, "what the file says counts the row with a problem too");
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

proptest! {
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
