use super::*;

fn profiles(rows: &[&[&str]]) -> Vec<ColumnProfile> {
    let mut columns = vec![ColumnProfile::default(); rows[0].len()];
    for row in rows {
        for (column, cell) in columns.iter_mut().zip(*row) {
            column.see(cell.as_bytes());
        }
    }
    columns
}

fn together(rows: &[&[&str]]) -> Together {
    let mut together = Together::default();
    rows.iter().for_each(|row| together.see(row.iter().map(|cell| cell.as_bytes())));
    together
}

/// The guess for a file with these column names and rows.
fn guess(names: Option<&[&str]>, rows: &[&[&str]]) -> Guess {
    let names = names.map(headers);
    suggest(names.as_deref(), &profiles(rows), &together(rows))
}

fn headers(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

#[test]
fn a_restaurant_export_is_understood_by_its_names() {
    let columns = profiles(&[
        &["16118", "03/08/19 20:25", "Plain Papadum", "2", "0.8", "6", "Kensington"],
        &["16118", "03/08/19 20:25", "King Prawn Balti", "1", "12.95", "6", "Kensington"],
        &["16117", "23/08/19 20:17", "Plain Naan", "1", "2.6", "7", "London"],
    ]);
    let names = headers(&[
        "invoice",
        "Order Date",
        "description",
        "Quantity",
        "Product Price",
        "Total products",
        "City",
    ]);
    assert_eq!(
        suggest(Some(&names), &columns, &Together::default()).fields,
        [
            Some(Field::Receipt),
            Some(Field::Date),
            Some(Field::Item),
            Some(Field::Quantity),
            Some(Field::UnitPrice),
            None,
            Some(Field::Store),
        ]
    );
    let first: Vec<&[u8]> = names.iter().map(|n| n.as_bytes()).collect();
    assert!(is_header(&first, &columns));
}

#[test]
fn a_bakery_export_without_names_is_understood_by_its_cells() {
    let rows: Vec<[&str; 4]> = vec![
        ["2016-10-30", "9:58:11", "1", "Bread"],
        ["2016-10-30", "10:05:34", "2", "Scandinavian"],
        ["2016-10-30", "10:05:34", "2", "Scandinavian"],
        ["2016-10-30", "10:07:57", "3", "Hot chocolate"],
        ["2016-10-30", "10:07:57", "3", "Jam"],
        ["2016-10-31", "10:07:57", "3", "Cookies"],
    ];
    let rows: Vec<&[&str]> = rows.iter().map(|r| r.as_slice()).collect();
    let columns = profiles(&rows);
    assert_eq!(
        suggest(None, &columns, &together(&rows)).fields,
        [Some(Field::Date), Some(Field::Time), Some(Field::Receipt), Some(Field::Item)]
    );
    let first: Vec<&[u8]> = rows[0].iter().map(|c| c.as_bytes()).collect();
    assert!(!is_header(&first, &columns));
}

#[test]
fn code_and_name_are_distinguished() {
    let columns = profiles(&[&["2019-08-03", "A1", "Rice", "2"], &["2019-08-04", "A2", "Tea", "1"]]);
    let names = headers(&["Business Date", "Item Code", "Item Name", "Qty Sold"]);
    assert_eq!(
        suggest(Some(&names), &columns, &Together::default()).fields,
        [Some(Field::Date), Some(Field::Item), Some(Field::ItemName), Some(Field::Quantity)]
    );
}

#[test]
fn a_number_column_with_a_dates_name_is_not_a_date() {
    let columns = profiles(&[&["1", "2019-08-03", "Rice"], &["2", "2019-08-04", "Tea"]]);
    let names = headers(&["Day", "When", "What"]);
    assert_eq!(
        suggest(Some(&names), &columns, &Together::default()).fields,
        [None, Some(Field::Date), Some(Field::Item)]
    );
}

/// A coffee shop's export: three places and four products with their codes, two lines per receipt.
fn coffee() -> Vec<Vec<String>> {
    let places = [("5", "Lower Manhattan"), ("8", "Hell's Kitchen"), ("3", "Astoria")];
    let products = [
        ("32", "3", "Coffee", "Gourmet brewed coffee", "Ethiopia Rg"),
        ("57", "3.1", "Tea", "Brewed Chai tea", "Spicy Eye Opener Chai Lg"),
        ("59", "4.5", "Drinking Chocolate", "Hot chocolate", "Dark chocolate Lg"),
        ("22", "2", "Coffee", "Drip coffee", "Our Old Time Diner Blend Sm"),
        ("77", "3", "Bakery", "Scone", "Oatmeal Scone"),
    ];
    (0..60)
        .map(|at: usize| {
            let place = places[at / 2 % 3];
            let (code, price, category, kind, name) = products[(at * 7 + at / 5) % 5];
            let qty = [1, 1, 2, 1, 3, 1, 2][at % 7];
            [
                &(at / 2 + 1).to_string(),
                "2023-01-01",
                "07:06:11",
                &qty.to_string(),
                place.0,
                place.1,
                code,
                price,
                category,
                kind,
                name,
            ]
            .map(str::to_owned)
            .to_vec()
        })
        .collect()
}

const COFFEE: [&str; 11] = [
    "transaction_id",
    "transaction_date",
    "transaction_time",
    "transaction_qty",
    "store_id",
    "store_location",
    "product_id",
    "unit_price",
    "product_category",
    "product_type",
    "product_detail",
];

#[test]
fn words_inside_a_name_count_and_a_name_wins_over_its_code() {
    let rows = coffee();
    let rows: Vec<Vec<&str>> = rows.iter().map(|r| r.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let found = guess(Some(&COFFEE), &rows);
    assert_eq!(
        found.fields,
        [
            Some(Field::Receipt),
            Some(Field::Date),
            Some(Field::Time),
            Some(Field::Quantity),
            Some(Field::StoreCode),
            Some(Field::Store),
            Some(Field::Item),
            Some(Field::UnitPrice),
            Some(Field::Category),
            None,
            Some(Field::ItemName),
        ]
    );
    assert_eq!((found.may_be_quantity, found.products), (vec![3], vec![]));
}

#[test]
fn an_undetermined_number_may_be_the_quantity() {
    let rows = coffee();
    let mut names = COFFEE;
    names[3] = "how_many";
    let rows: Vec<Vec<&str>> = rows.iter().map(|r| r.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let found = guess(Some(&names), &rows);
    assert_eq!(found.fields[3], None);
    assert_eq!(found.may_be_quantity, [3]);
}

#[test]
fn a_column_that_does_not_determine_the_name_is_no_code() {
    let rows: &[&[&str]] = &[
        &["2024-01-01", "1", "Rice", "2"],
        &["2024-01-01", "1", "Tea", "1"],
        &["2024-01-01", "2", "Rice", "1"],
        &["2024-01-01", "2", "Egg", "4"],
    ];
    let found = guess(Some(&["Date", "Item No", "Item", "Qty"]), rows);
    assert_eq!(found.fields, [Some(Field::Date), None, Some(Field::Item), Some(Field::Quantity)]);
}

#[test]
fn a_receipts_total_on_each_line_is_not_the_lines_amount() {
    let rows: &[&[&str]] = &[
        &["1", "2024-01-01", "Rice", "2", "10", "75"],
        &["1", "2024-01-01", "Tea", "1", "20", "75"],
        &["1", "2024-01-01", "Egg", "5", "7", "75"],
        &["2", "2024-01-01", "Rice", "1", "10", "30"],
        &["2", "2024-01-01", "Tea", "1", "20", "30"],
    ];
    let names = ["Receipt", "Date", "Item", "Qty", "Price", "Total"];
    assert_eq!(guess(Some(&names), rows).fields[5], None);
    let lines: Vec<Vec<&str>> = rows
        .iter()
        .zip(["20", "20", "35", "10", "20"])
        .map(|(row, total)| [&row[..5], &[total]].concat())
        .collect();
    let lines: Vec<&[&str]> = lines.iter().map(Vec::as_slice).collect();
    assert_eq!(guess(Some(&names), &lines).fields[5], Some(Field::Net));
}

#[test]
fn one_column_a_product_is_recognised_and_a_weekday_is_no_item() {
    let rows: &[&[&str]] = &[
        &["2019-07-11 15:35", "Thur", "23800", "Station", "1", "", "", "", "2"],
        &["2019-07-11 16:10", "Thur", "15800", "Station", "", "1", "", "", "1"],
        &["2019-07-12 11:49", "Fri", "58000", "", "", "", "", "3", "14"],
    ];
    let names = [
        "datetime",
        "day of week",
        "total",
        "place",
        "angbutter",
        "plain bread",
        "pandoro",
        "jam",
        "croissant",
    ];
    let found = guess(Some(&names), rows);
    assert_eq!(found.products, [4, 5, 6, 7, 8]);
    assert_eq!(found.fields[..4], [Some(Field::Date), None, None, Some(Field::Store)]);
    assert!(found.fields[4..].iter().all(Option::is_none), "{found:?}");
    assert!(found.may_be_quantity.is_empty());
}

#[test]
fn two_products_are_enough_where_a_column_is_their_sum() {
    let rows: &[&[&str]] = &[
        &["2026-11-01", "Makati", "8", "3", "5"],
        &["2026-11-02", "Makati", "10", "4", "6"],
        &["2026-11-03", "Makati", "12", "5", "7"],
        &["2026-11-04", "Makati", "14", "6", "8"],
    ];
    let names = ["date", "place", "total", "Espresso", "Latte"];
    let found = guess(Some(&names), rows);
    assert_eq!((found.products, found.fields[2]), (vec![3, 4], None), "the total is no amount of money");
    // Without their sum, two numeric columns may be anything, and the user is asked for the quantity.
    let found = guess(
        Some(&["date", "place", "Espresso", "Latte"]),
        &[&["2026-11-01", "Makati", "3", "5"], &["2026-11-02", "Makati", "4", "7"]],
    );
    assert_eq!((found.products, found.may_be_quantity), (vec![], vec![2, 3]));
}

/// The guess for a delimited text with a header.
fn guess_of(text: &str) -> Guess {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    guess(Some(rows[0]), &rows[1..])
}

#[test]
fn every_status_column_is_found() {
    let loyverse = guess_of(
        "Date,Receipt number,Receipt type,SKU,Item,Variant,Modifiers applied,Quantity,Net sales,Dining option,Store,Status\n\
         11/13/26 10:05,1-101,Sale,10001,Cold Brew,,,2.000,240.00,Dine in,Larkspur Mall,Closed\n\
         11/13/26 11:05,1-102,Sale,10002,Beef Tapa,,,1.000,500.00,Dine in,Larkspur Mall,Cancelled\n",
    );
    assert_eq!((loyverse.fields[2], loyverse.fields[5]), (Some(Field::Kind), Some(Field::Variant)));
    assert_eq!((loyverse.fields[6], loyverse.fields[9]), (Some(Field::Modifiers), Some(Field::ServiceType)));
    assert_eq!((loyverse.statuses, loyverse.flags.len()), (vec![11], 0));
    let unknown = guess_of(
        "Date,Order Type,Status,Item,Qty,Net Sales,Paid,Void?,Cancelled at\n\
         2026-11-13,Dine in,Preparing,Rice,1,120,yes,false,\n\
         2026-11-13,Take out,Brewing,Rice,1,120,no,false,2026-11-13 10:00\n",
    );
    assert_eq!(unknown.fields[1], Some(Field::ServiceType));
    assert_eq!(unknown.fields[2], Some(Field::Kind));
    assert_eq!(unknown.statuses, [6, 7, 8]);
    assert_eq!(unknown.flags, [(6, Flag::Paid), (8, Flag::CancelledAt)].into());
    let none = guess_of(
        "Date,Customer Type,State,Item,Qty,Net Sales,Payment Type,Paid at\n\
         2026-11-13,Regular,Cash counter,Rice,1,120,Cash,2026-11-13\n\
         2026-11-13,Member,,Tea,1,120,Card,\n",
    );
    assert_eq!((none.fields[1], none.fields[2]), (None, Some(Field::Kind)), "a state is asked about");
    assert_eq!(none.fields[6], Some(Field::Tender));
    assert_eq!(none.statuses, [0; 0]);
}

#[test]
fn an_order_with_titled_lines_is_read_by_its_lines() {
    let guess = guess_of(
        "Name,Email,Financial Status,Paid at,Fulfillment Status,Subtotal,Total,Discount Amount,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem discount,Cancelled at,Refunded Amount,Location\n\
         #1001,a@x.example,paid,2026-11-13 10:00:00,fulfilled,380.00,380.00,0,2026-11-13 10:00:00,2,Ensaymada Box,150.00,ENS-1,0,,0,Larkspur Mall\n\
         #1001,a@x.example,,,,,,,2026-11-13 10:00:00,1,Barako Beans,80.00,BAR-1,0,,,Larkspur Mall\n\
         #1002,b@x.example,refunded,2026-11-13 11:00:00,fulfilled,450.00,450.00,0,2026-11-13 11:00:00,3,Ensaymada Box,150.00,ENS-1,0,,450.00,Larkspur Mall\n\
         #1003,c@x.example,voided,,,80.00,80.00,0,2026-11-13 12:00:00,1,Barako Beans,80.00,BAR-1,0,2026-11-13 12:10:00,0,Larkspur Mall\n",
    );
    let found: BTreeMap<Field, usize> =
        guess.fields.iter().enumerate().filter_map(|(at, field)| Some(((*field)?, at))).collect();
    let wanted = [
        (Field::Date, 8),
        (Field::Store, 16),
        (Field::Receipt, 0),
        (Field::Item, 12),
        (Field::ItemName, 10),
        (Field::Quantity, 9),
        (Field::UnitPrice, 11),
        (Field::Discount, 13),
        (Field::Kind, 2),
    ];
    assert_eq!(found, wanted.into());
    assert_eq!((guess.statuses, guess.flags), (vec![4, 14], [(14, Flag::CancelledAt)].into()));
    assert_eq!(guess.words, [("refunded".to_owned(), Word::LeaveOut)].into());
    assert!(guess.status_of_receipts);
}

#[test]
fn a_refund_of_a_sale_in_the_file_stays_a_return() {
    let guess = guess_of(
        "Date,Receipt No,Status,Item,Qty,Net Sales\n2026-11-13,1,Paid,Rice,1,120\n2026-11-13,1,Refunded,Rice,1,120\n",
    );
    assert_eq!((guess.fields[2], guess.words.len()), (Some(Field::Kind), 0));
}

#[test]
fn price_times_quantity_tells_each_columns_decimal_mark() {
    let rows: [&[&str]; 2] = [
        &["2026-11-13", "Larkspur Mall", "1", "Pork Belly", "1.250", "320,00", "400,00"],
        &["2026-11-13", "Larkspur Mall", "2", "Pork Belly", "0.500", "320,00", "160,00"],
    ];
    let names = ["Date", "Store", "Receipt No", "Item Name", "Qty", "Unit Price", "Net Sales"];
    assert_eq!(guess(Some(&names), &rows).decimals, [(Field::Quantity, Decimal::Point)].into());
}

#[test]
fn a_weight_below_one_tells_its_decimal_mark() {
    let names = ["Date", "Store", "Item Name", "Qty", "Net Sales"];
    let row = |qty: &'static str, net: &'static str| ["2026-11-13", "Larkspur Mall", "Pork Belly", qty, net];
    let below: [&[&str]; 2] = [&row("1.250", "400,00"), &row("0.500", "160,00")];
    assert_eq!(guess(Some(&names), &below).decimals, [(Field::Quantity, Decimal::Point)].into());
    let above: [&[&str]; 2] = [&row("1.250", "400,00"), &row("2.500", "800,00")];
    assert_eq!(guess(Some(&names), &above).decimals, BTreeMap::new(), "that is asked");
}

/// A named price is asked about only if it grows with the quantity.
#[test]
fn a_named_price_that_stays_the_same_is_not_asked_about() {
    let names = ["Date", "Item", "Quantity", "Unit price"];
    let price = |twice: &'static str| {
        let rows = [["2026-10-05", "Rice bowl", "1", "100.00"], ["2026-10-05", "Rice bowl", "2", twice]];
        guess(Some(&names), &rows.each_ref().map(|row| &row[..])).price_is_open
    };
    assert!(!price("100.00"));
    assert!(price("200.00"));
}

/// A column of ones counts; one of another number alike in every row may be an amount.
#[test]
fn a_column_of_one_number_may_be_an_amount_unless_it_is_one() {
    let names = ["Date", "Item", "Fee"];
    let may_be = |each: &'static str| {
        let rows = [["2026-10-05", "Rice bowl", each], ["2026-10-06", "Iced tea", each]];
        guess(Some(&names), &rows.each_ref().map(|row| &row[..])).may_be_amount
    };
    assert_eq!(may_be("1"), [0_usize; 0]);
    assert_eq!(may_be("120.00"), [2]);
}
