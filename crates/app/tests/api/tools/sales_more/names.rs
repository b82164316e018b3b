//! What was sold: variants (case 13), codes that a spreadsheet spoiled (14), hidden rows (15) and letters that look
//! alike (21).

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet};

use super::{Case, text};

pub fn variants() -> Vec<Case> {
    let storehub = text(&[
        "Receipt Number,Transaction Time,Store Name,Product Name,Variant,Quantity,Selling Price,Item Total",
        "1,2026-11-13 10:05:33,Larkspur Mall,Milk Tea,Regular,1,90.00,90.00",
        "2,2026-11-13 10:15:33,Larkspur Mall,Milk Tea,Large,2,120.00,240.00",
        "3,2026-11-13 10:25:33,Larkspur Mall,Milk Tea,Large,1,120.00,120.00",
    ]);
    let square = text(&[
        "Date,Time,Item,Qty,Price Point Name,SKU,Modifiers Applied,Net Sales,Transaction ID,Event Type,Location",
        "2026-11-13,10:05:11,Ube Latte,1.0,Hot,UL-H,,₱150.00,T1,Payment,Larkspur Mall",
        "2026-11-13,10:05:11,Ube Latte,2.0,Iced,UL-I,,₱340.00,T1,Payment,Larkspur Mall",
        "2026-11-13,11:00:00,Ube Latte,1.0,Iced,UL-I,Oat milk,₱170.00,T2,Payment,Larkspur Mall",
    ]);
    let loyverse = text(&[
        "Date;Receipt number;Receipt type;SKU;Item;Variant;Quantity;Gross sales;Discounts;Net sales;Store",
        "13.11.2026 10:05;1-101;Sale;;Iced Latte;16oz;2,000;240,00;0,00;240,00;Larkspur Mall",
        "13.11.2026 12:05;1-102;Sale;;Iced Latte;22oz;3,000;480,00;0,00;480,00;Larkspur Mall",
        "13.11.2026 12:35;1-103;Sale;;Pandesal;;10,000;50,00;0,00;50,00;Larkspur Mall",
    ]);
    let spellings = text(&[
        "Date|Store|Receipt No|Item Name|Variation|Qty|Unit Price|Net Sales",
        "2026-11-13|Larkspur Mall|1|Fried Rice|solo|1|60.00|60.00",
        "2026-11-13|Larkspur Mall|2|Fried Rice|SOLO|2|60.00|120.00",
        "2026-11-13|Larkspur Mall|3|Fried Rice|Family|1|180.00|180.00",
        "2026-11-13|Larkspur Mall|4|Fried rice|family|1|180.00|180.00",
    ]);
    vec![
        Case::new("storehub variants", &storehub, 4.0, 450.0)
            .items(&["Milk Tea (Regular)", "Milk Tea (Large)"]),
        Case::new("square price points with codes", &square, 4.0, 660.0)
            .asks(&[("modifiers", "no")])
            .items(&["Ube Latte (Hot)", "Ube Latte (Iced)"]),
        Case::new("loyverse, one item without variants", &loyverse, 15.0, 770.0).items(&[
            "Iced Latte (16oz)",
            "Iced Latte (22oz)",
            "Pandesal",
        ]),
        Case::new("variants in other letters", &spellings, 5.0, 540.0)
            .items(&["Fried Rice (solo)", "Fried Rice (Family)"]),
    ]
}

/// A workbook of one sheet: a header, then rows of text and number cells.
fn book(rows: &[&str], finish: impl Fn(&mut Worksheet)) -> Vec<u8> {
    let mut book = Workbook::new();
    let page = book.add_worksheet();
    for (row, cells) in (0u32..).zip(rows) {
        for (column, cell) in (0u16..).zip(cells.split('|')) {
            match cell.parse::<f64>() {
                Ok(number) => page.write_number(row, column, number),
                Err(_) => page.write_string(row, column, cell),
            }
            .expect("a cell");
        }
    }
    finish(page);
    book.save_to_buffer().expect("a workbook")
}

pub fn spoiled_codes() -> Vec<Case> {
    let no_names = text(&[
        "Date\tStore\tReceipt No\tBarcode\tQty\tNet Sales",
        "2026-11-13\tLarkspur Mall\t1\t4.80002E+12\t1\t100.00",
        "2026-11-13\tLarkspur Mall\t2\t4.80002E+12\t2\t200.00",
        "2026-11-13\tLarkspur Mall\t3\t4800021234567\t3\t300.00",
    ]);
    let comma = text(&[
        "Date;Store;Receipt No;Item Code;Qty;Net Sales",
        "13.11.2026;Larkspur Mall;1;4,80002E+12;1;100,50",
        "13.11.2026;Larkspur Mall;2;A-17;2;200,00",
        "13.11.2026;Larkspur Mall;3;A-18;1;99,50",
    ]);
    let named = text(&[
        "Date,Store,Receipt No,Barcode,Item Name,Qty,Unit Price,Net Sales",
        "2026-11-13,Larkspur Mall,1,4.80002E+12,Soy Sauce,1,45.00,45.00",
        "2026-11-13,Larkspur Mall,2,4.80002E+12,Vinegar,2,30.00,60.00",
        "2026-11-13,Larkspur Mall,3,4.80002E+12,Soy Sauce,1,45.00,45.00",
    ]);
    let head = "Date|Store|Receipt No|Item Code|Qty|Net Sales";
    let zeros = book(
        &[
            head,
            "2026-11-13|Larkspur Mall|1|x|1|100",
            "2026-11-13|Larkspur Mall|2|x|2|200",
            "2026-11-13|Larkspur Mall|3|x|1|100",
        ],
        |page| {
            let zeros = Format::new().set_num_format("00000");
            for (row, code) in [(1, 1.0), (2, 23.0), (3, 1.0)] {
                page.write_number_with_format(row, 3, code, &zeros).expect("a code");
            }
        },
    );
    let dates = book(
        &[
            head,
            "2026-11-13|Larkspur Mall|1|B-17|1|100",
            "2026-11-13|Larkspur Mall|2|x|2|200",
            "2026-11-13|Larkspur Mall|3|B-18|1|150",
        ],
        |page| {
            let day = Format::new().set_num_format("d-mmm");
            let march = ExcelDateTime::from_ymd(2026, 3, 1).expect("a day");
            page.write_datetime_with_format(2, 3, &march, &day).expect("a date");
        },
    );
    vec![
        Case::new("barcodes without names, one of them whole", &no_names, 3.0, 300.0)
            .problems(2)
            .left_out(&[("problem", 3.0, 300.0)])
            .items(&["4800021234567"]),
        Case::new("a decimal comma in the code", &comma, 3.0, 299.5)
            .problems(1)
            .left_out(&[("problem", 1.0, 100.5)])
            .items(&["A-17", "A-18"]),
        Case::new("barcodes with names", &named, 4.0, 150.0).items(&["Soy Sauce", "Vinegar"]),
        Case::file("codes shown with zeros", "zeros.xlsx", zeros, 4.0, 400.0).items(&["00001", "00023"]),
        Case::file("a code that became a date", "dates.xlsx", dates, 2.0, 250.0)
            .problems(1)
            .left_out(&[("problem", 2.0, 200.0)])
            .items(&["B-17", "B-18"]),
    ]
}

pub fn hidden_rows() -> Vec<Case> {
    let rows = [
        "Date|Store|Receipt No|Item Name|Qty|Unit Price|Net Sales",
        "2026-11-13|Larkspur Mall|1|Tapsilog|1|120|120",
        "2026-11-13|Larkspur Mall|2|Tapsilog|2|120|240",
        "2026-11-13|Larkspur Mall|3|Coke|1|60|60",
        "2026-11-13|Larkspur Mall|4|Tapsilog|1|120|120",
        "2026-11-13|Larkspur Mall|5|Coke|3|60|180",
    ];
    let hide = |hidden: &'static [u32]| {
        move |page: &mut Worksheet| {
            for row in hidden {
                page.set_row_hidden(*row).expect("a hidden row");
            }
        }
    };
    let filtered = book(&rows, hide(&[3, 5]));
    let last = book(&rows, hide(&[4, 5]));
    let header = book(&rows, hide(&[0]));
    let column = book(&rows, |page| {
        page.set_column_hidden(2).expect("a hidden column");
    });
    let titled = book(
        &[&["Sales of the day||||||", "Prepared by Ana||||||", "||||||"][..], &rows[..]].concat(),
        hide(&[1, 5]),
    );
    let file = |name, bytes, qty, net| Case::file(name, "hidden.xlsx", bytes, qty, net);
    vec![
        file("rows of one item are filtered out", filtered, 4.0, 480.0)
            .asks(&[("hidden", "")])
            .left_out(&[("hidden", 4.0, 240.0)]),
        file("the last rows are hidden and belong to the sales", last, 8.0, 720.0).asks(&[("hidden", "")]),
        file("only the names of the columns are hidden", header, 8.0, 720.0),
        file("a hidden column", column, 8.0, 720.0),
        file("a hidden title and a hidden row below it", titled, 6.0, 480.0)
            .asks(&[("hidden", "")])
            .left_out(&[("hidden", 2.0, 240.0)]),
    ]
}

pub fn letters() -> Vec<Case> {
    // The letter ñ as one character and as n with a tilde.
    let (one, two) = ("\u{f1}", "n\u{303}");
    let lines = |between: char, names: [String; 4]| {
        let mut rows = vec![
            ["Date", "Store", "Receipt No", "Item Name", "Qty", "Unit Price", "Net Sales"]
                .join(&between.to_string()),
        ];
        for (at, name) in names.iter().enumerate() {
            let receipt = (at + 1).to_string();
            let cells = ["2026-11-13", "Larkspur Mall", &receipt, name, "1", "120.00", "120.00"];
            rows.push(cells.join(&between.to_string()));
        }
        rows.join("\n") + "\n"
    };
    let tabs = lines(
        '\t',
        [
            format!("Pi{one}a Shake"),
            format!("Pi{two}a Shake"),
            "PI\u{d1}A SHAKE".to_owned(),
            "PIN\u{303}A SHAKE".to_owned(),
        ],
    );
    let spaced = lines(
        ';',
        [
            format!("Lechon  Para{two}aque"),
            format!("Lechon Para{one}aque"),
            format!(" lechon para{two}aque "),
            "Lechon Cebu".to_owned(),
        ],
    );
    let accents = lines(
        ',',
        [
            "Caf\u{e9} Latte".to_owned(),
            "Cafe\u{301} Latte".to_owned(),
            "Cafe Latte".to_owned(),
            "Caf\u{e9} Latte".to_owned(),
        ],
    );
    let codes = text(&[
        "Date|Store|Receipt No|Item Code|Item Name|Qty|Unit Price|Net Sales",
        &format!("2026-11-13|Larkspur Mall|1|PI{one}1|Pi{one}a Shake|1|120.00|120.00"),
        &format!("2026-11-13|Larkspur Mall|2|PI{two}1|Pi{two}a Shake|2|120.00|240.00"),
        &format!("2026-11-13|Larkspur Mall|3|PI{one}1|Pi{one}a Shake|3|120.00|360.00"),
    ]);
    let workbook = book(
        &[
            "Date|Store|Receipt No|Item Name|Qty|Unit Price|Net Sales",
            &format!("2026-11-13|Larkspur Mall|1|Halo-halo ni Ni{one}a|1|95|95"),
            &format!("2026-11-13|Larkspur Mall|2|Halo-halo ni Ni{two}a|2|95|190"),
        ],
        |_| (),
    );
    vec![
        Case::new("small and capital letters", &tabs, 4.0, 480.0).items(&["Pi\u{f1}a Shake"]),
        Case::new("with spaces around", &spaced, 4.0, 480.0).items(&["Lechon Para\u{f1}aque", "Lechon Cebu"]),
        Case::new("another letter stays another item", &accents, 4.0, 480.0)
            .items(&["Caf\u{e9} Latte", "Cafe Latte"]),
        Case::new("codes and names", &codes, 6.0, 720.0).items(&["Pi\u{f1}a Shake"]),
        Case::file("a workbook", "halo.xlsx", workbook, 3.0, 285.0).items(&["Halo-halo ni Ni\u{f1}a"]),
    ]
}
