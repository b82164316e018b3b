//! Layouts modelled on exports of tills and files written by people. All contain the same sales.

use std::collections::BTreeMap;
use std::fmt::Write;

use rust_xlsxwriter::Workbook;

/// The true totals of a file.
#[derive(Debug, Clone, Copy)]
pub struct Truth {
    pub lines: i64,
    pub qty: f64,
    pub net: f64,
    pub days: i64,
    pub stores: i64,
    /// Maximum number of questions.
    pub questions: usize,
}

pub struct File {
    pub name: &'static str,
    pub ending: &'static str,
    pub bytes: Vec<u8>,
    pub truth: Truth,
}

/// Day of November 2026, store, receipt, item, code, quantity, price and discount in centavos.
pub type Sale = (u32, &'static str, u32, &'static str, &'static str, i64, i64, i64);

pub const SALES: [Sale; 14] = [
    (12, "Makati", 1001, "Rice", "R1", 2, 5_000, 0),
    (12, "Makati", 1001, "Iced Tea", "T1", 1, 7_550, 550),
    (12, "Makati", 1002, "Chicken Inasal", "C1", 3, 18_900, 0),
    (12, "Makati", 1002, "Rice", "R1", 3, 5_000, 0),
    (12, "Pasig", 501, "Halo-Halo", "H1", 1, 12_500, 2_500),
    (12, "Pasig", 501, "Iced Tea", "T1", 2, 7_550, 0),
    (13, "Makati", 1003, "Rice", "R1", 5, 5_000, 1_000),
    (13, "Makati", 1003, "Halo-Halo", "H1", 2, 12_500, 0),
    (13, "Pasig", 502, "Chicken Inasal", "C1", 10, 18_900, 9_000),
    (13, "Pasig", 503, "Iced Tea", "T1", 4, 7_550, 0),
    (14, "Makati", 1004, "Iced Tea", "T1", 6, 7_550, 0),
    (14, "Makati", 1004, "Chicken Inasal", "C1", 1, 18_900, 3_780),
    (14, "Pasig", 504, "Rice", "R1", 7, 5_000, 0),
    (14, "Pasig", 504, "Halo-Halo", "H1", 1, 12_500, 0),
];

pub fn net((.., qty, price, discount): &Sale) -> i64 {
    qty * price - discount
}

pub fn amount(centavos: i64) -> String {
    format!("{}{}.{:02}", if centavos < 0 { "-" } else { "" }, centavos.abs() / 100, centavos.abs() % 100)
}

/// 1,234.50
pub fn grouped(centavos: i64) -> String {
    let plain = amount(centavos);
    let (whole, fraction) = plain.split_once('.').expect("a point");
    let mut out = String::new();
    for (n, digit) in whole.chars().enumerate() {
        if n > 0 && (whole.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    format!("{out}.{fraction}")
}

pub fn truth_of(sales: &[Sale], lines: i64) -> Truth {
    let mut days: Vec<u32> = sales.iter().map(|sale| sale.0).collect();
    days.dedup();
    let mut stores: Vec<&str> = sales.iter().map(|sale| sale.1).collect();
    stores.sort_unstable();
    stores.dedup();
    let net: i64 = sales.iter().map(net).sum();
    let qty: i64 = sales.iter().map(|sale| sale.5).sum();
    let many = |n: usize| i64::try_from(n).expect("few");
    #[allow(clippy::cast_precision_loss)]
    Truth {
        lines,
        qty: qty as f64,
        net: net as f64 / 100.0,
        days: many(days.len()),
        stores: many(stores.len()),
        questions: 0,
    }
}

pub fn truth() -> Truth {
    truth_of(&SALES, 14)
}

/// A header and a line for each sale.
pub fn table(head: &str, line: impl Fn(&Sale) -> String) -> String {
    let mut out = format!("{head}\n");
    SALES.iter().for_each(|sale| out.push_str(&(line(sale) + "\n")));
    out
}

pub fn text(name: &'static str, text: impl Into<String>, truth: Truth) -> File {
    File { name, ending: "csv", bytes: text.into().into_bytes(), truth }
}

/// The sales of a store and day by item.
pub fn by_item(store: &str) -> BTreeMap<&'static str, BTreeMap<u32, (i64, i64)>> {
    let mut items: BTreeMap<&'static str, BTreeMap<u32, (i64, i64)>> = BTreeMap::new();
    for sale in SALES.iter().filter(|sale| store.is_empty() || sale.1 == store) {
        let sums = items.entry(sale.3).or_default().entry(sale.0).or_default();
        *sums = (sums.0 + sale.5, sums.1 + net(sale));
    }
    items
}

fn receipts() -> Vec<Vec<&'static Sale>> {
    let mut all: Vec<Vec<&'static Sale>> = Vec::new();
    for sale in &SALES {
        match all.last_mut().filter(|receipt| receipt[0].2 == sale.2) {
            Some(receipt) => receipt.push(sale),
            None => all.push(vec![sale]),
        }
    }
    all
}

pub fn book(name: &'static str, truth: Truth, sheets: &[(&str, Vec<Vec<String>>)]) -> File {
    let mut book = Workbook::new();
    for (sheet, rows) in sheets {
        let page = book.add_worksheet().set_name(*sheet).expect("a name");
        for (row, cells) in rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let (row, column) = (u32::try_from(row).expect("few"), u16::try_from(column).expect("few"));
                match cell.parse::<f64>() {
                    Ok(number) => page.write_number(row, column, number),
                    Err(_) => page.write_string(row, column, cell),
                }
                .expect("a cell");
            }
        }
    }
    File { name, ending: "xlsx", bytes: book.save_to_buffer().expect("a workbook"), truth }
}

fn cells(row: &str) -> Vec<String> {
    row.split('|').map(str::to_owned).collect()
}

/// All layouts.
pub fn files() -> Vec<File> {
    let mut all = plain();
    all.extend(reports());
    all.extend(across());
    all.extend(workbooks());
    all.extend(records());
    all
}

fn plain() -> Vec<File> {
    let iso = |d: u32| format!("2026-11-{d:02}");
    let ask = |questions| Truth { questions, ..truth() };
    let loyverse = table(
        "Date,Receipt number,Receipt type,Category,SKU,Item,Quantity,Gross sales,Discounts,Net sales,POS,Store,Status",
        |s| {
            format!(
                "11/{}/26 10:05,1-{},Sale,Food,{},{},{},{},{},{},POS 1,{},Closed",
                s.0,
                s.2,
                s.4,
                s.3,
                s.5,
                amount(s.5 * s.6),
                amount(s.7),
                amount(net(s)),
                s.1
            )
        },
    );
    let square = table(
        "Date,Time,Category,Item,Qty,SKU,Gross Sales,Discounts,Net Sales,Tax,Transaction ID,Location,Event Type",
        |s| {
            format!(
                "2026-11-{},10:05:11,Food,{},{},{},₱{},{},₱{},₱0.00,x{},{},Payment",
                s.0,
                s.3,
                s.5,
                s.4,
                amount(s.5 * s.6),
                if s.7 == 0 { "₱0.00".to_owned() } else { format!("-₱{}", amount(s.7)) },
                amount(net(s)),
                s.2,
                s.1
            )
        },
    );
    let toast = table(
        "Location,Order Id,Order #,Sent Date,Order Date,Menu Item,Menu Group,Gross Price,Discount,Net Price,Qty,Void?",
        |s| {
            format!(
                "{},9{},{},11/{}/26 10:06 AM,11/{}/26 10:05 AM,{},Food,{},{},{},{}.0,false",
                s.1,
                s.2,
                s.2,
                s.0,
                s.0,
                s.3,
                amount(s.5 * s.6),
                amount(s.7),
                amount(net(s)),
                s.5
            )
        },
    );
    let storehub = table(
        "Receipt No.,Transaction Date,Store,Register,Product,SKU,Quantity,Unit Price,Discount,Sub Total,Total",
        |s| {
            format!(
                "{},{} 10:05,{},1,{},{},{},{},{},{},{}",
                s.2,
                iso(s.0),
                s.1,
                s.3,
                s.4,
                s.5,
                amount(s.6),
                amount(s.7),
                amount(s.5 * s.6),
                amount(net(s))
            )
        },
    );
    let utak = table("DATE;TIME;BRANCH;OR NO;PRODUCT;QTY;PRICE;DISCOUNT;AMOUNT", |s| {
        format!(
            "{}.11.2026;10:05;{};{};{};{};{};{};{}",
            s.0,
            s.1,
            s.2,
            s.3,
            s.5,
            amount(s.6).replace('.', ","),
            amount(s.7).replace('.', ","),
            amount(net(s)).replace('.', ",")
        )
    });
    let odoo = table(
        "Order Ref\tDate\tPoint of Sale/Shop\tProduct\tQuantity\tUnit Price\tDisc. Amount\tSubtotal",
        |s| {
            format!(
                "{}\t{} 02:05:00\t{}\t[{}] {}\t{}.00\t{}\t{}\t{}",
                s.2,
                iso(s.0),
                s.1,
                s.4,
                s.3,
                s.5,
                amount(s.6),
                amount(s.7),
                amount(net(s))
            )
        },
    );
    let aronium = table("Document|Date|Code|Name|Quantity|Price|Discount|Total|Warehouse store", |s| {
        format!(
            "200-{}|{}/11/2026|{}|{}|{}|{}|{}|{}|{}",
            s.2,
            s.0,
            s.4,
            s.3,
            s.5,
            amount(s.6),
            amount(s.7),
            amount(net(s)),
            s.1
        )
    });
    let sixteen = |text: &str| {
        let mut bytes = vec![0xff, 0xfe];
        text.encode_utf16().for_each(|unit| bytes.extend_from_slice(&unit.to_le_bytes()));
        bytes
    };
    let western: Vec<u8> = table("Date;Store;Receipt;Item;Qty;Net", |s| {
        format!("{};{};{};{} ñ;{};{}", iso(s.0), s.1, s.2, s.3, s.5, amount(net(s)))
    })
    .chars()
    .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
    .collect();
    let marked = format!(
        "\u{feff}{}",
        table("Business Date,Branch,Item Name,Qty Sold,Net Amount", |s| {
            format!("\"Nov {}, 2026\",{},{},{},\"₱ {}\"", s.0, s.1, s.3, s.5, grouped(net(s)))
        })
    );
    let returns = {
        let mut file = table("Date,Store,Receipt,Item,Qty,Price,Net Sales", |s| {
            format!("{},{},{},{},{},{},\"{}\"", iso(s.0), s.1, s.2, s.3, s.5, amount(s.6), grouped(net(s)))
        });
        file.push_str("2026-11-14,Pasig,505,Rice,(2),50.00,(100.00)\n");
        file
    };
    let with_returns = Truth { lines: 15, qty: truth().qty - 2.0, net: truth().net - 100.0, ..truth() };
    let headless =
        table("", |s| format!("{},10:05,{},{},{},{},{}", iso(s.0), s.1, s.2, s.3, s.5, amount(net(s))))
            .trim_start()
            .to_owned();
    let repeated = {
        let mut file = "Receipt No,Date,Store,Item,Qty,Price,Discount,Pax,Senior Discount,Service Charge,Payment Type,Amount Paid\n".to_owned();
        for receipt in receipts() {
            let total: i64 = receipt.iter().map(|sale| net(sale)).sum();
            for s in &receipt {
                let _ = writeln!(
                    file,
                    "{},{},{},{},{},{},{},3,20.00,15.00,Cash,{}",
                    s.2,
                    iso(s.0),
                    s.1,
                    s.3,
                    s.5,
                    amount(s.6),
                    amount(s.7),
                    amount(total)
                );
            }
        }
        file
    };
    let exempt = table(
        "Date,Store,OR No,Item,Qty,Price,SC Discount,PWD Discount,VATable Sales,VAT Amount,VAT Exempt Sales,Zero Rated Sales,Cash,GCash",
        |s| {
            format!(
                "{},{},{},{},{},{},{},0,{},{},0,0,{},0",
                iso(s.0),
                s.1,
                s.2,
                s.3,
                s.5,
                amount(s.6),
                amount(s.7),
                amount(net(s)),
                "0.00",
                amount(net(s))
            )
        },
    );
    vec![
        text("loyverse receipts by item", loyverse, truth()),
        text("square items", square, truth()),
        text("toast item selections", toast, ask(1)),
        text("storehub transactions", storehub, ask(1)),
        text("utak semicolons and decimal commas", utak, truth()),
        text("odoo order lines", odoo, truth()),
        text("aronium with bars", aronium, truth()),
        File {
            name: "utf16 tabs",
            ending: "txt",
            bytes: sixteen(&table("Date\tStore\tItem\tQty\tAmount", |s| {
                format!("{}\t{}\t{}\t{}\t{}", iso(s.0), s.1, s.3, s.5, amount(net(s)))
            })),
            truth: truth(),
        },
        File { name: "windows 1252", ending: "csv", bytes: western, truth: truth() },
        text("bom and spelled months", marked, truth()),
        text("returns in parentheses", returns, with_returns),
        text("no names at all", headless, ask(3)),
        text("receipt amounts on every line", repeated, ask(1)),
        text("discounts by type only", exempt, ask(1)),
    ]
}

fn reports() -> Vec<File> {
    let truth = truth();
    let totals = |between: bool| {
        let mut file = "Store,Date,Item,Qty,Net Sales\n".to_owned();
        let mut sums: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
        for store in ["Makati", "Pasig"] {
            for s in SALES.iter().filter(|s| s.1 == store) {
                let _ = writeln!(file, "{store},2026-11-{},{},{},{}", s.0, s.3, s.5, amount(net(s)));
                for key in [store, "all"] {
                    let sum = sums.entry(key).or_default();
                    *sum = (sum.0 + s.5, sum.1 + net(s));
                }
            }
            if between {
                let _ = writeln!(file, "{store} Total,,,{},{}", sums[store].0, amount(sums[store].1));
            }
        }
        let _ = writeln!(file, "Grand Total,,,{},{}", sums["all"].0, amount(sums["all"].1));
        file
    };
    let unnamed =
        totals(true).replace("Makati Total", "").replace("Pasig Total", "").replace("Grand Total", "");
    let wrong = totals(false).replace("Grand Total,,,48", "Grand Total,,,49");
    let makati: Vec<Sale> = SALES.iter().filter(|s| s.1 == "Makati").copied().collect();
    let one_store = truth_of(&makati, 8);
    let mut headed = "Item Sales Report\nBranch:,Makati\nPeriod:,November 12 2026 to November 14 2026\n\nDate,Item,Qty,Amount\n".to_owned();
    makati.iter().for_each(|s| {
        let _ = writeln!(headed, "2026-11-{},{},{},{}", s.0, s.3, s.5, amount(net(s)));
    });
    let one_day: Vec<Sale> = SALES.iter().filter(|s| s.1 == "Makati" && s.0 == 12).copied().collect();
    let mut daily = "Store: Makati,,\nDate: 2026-11-12,,\n,,\nItem,Qty Sold,Net Sales\n".to_owned();
    one_day.iter().for_each(|s| {
        let _ = writeln!(daily, "{},{},{}", s.3, s.5, amount(net(s)));
    });
    daily.push_str("TOTAL,9,887.00\n");
    let mut merged = "Date,Store,Item,Sold,,Less\n,,,Qty,Net sales,Senior\n".to_owned();
    SALES.iter().for_each(|s| {
        let _ = writeln!(merged, "2026-11-{},{},{},{},{},0", s.0, s.1, s.3, s.5, amount(net(s)));
    });
    let mut grouped_rows = "Item,Qty,Amount\n".to_owned();
    for receipt in receipts() {
        let total: i64 = receipt.iter().map(|sale| net(sale)).sum();
        let count: i64 = receipt.iter().map(|sale| sale.5).sum();
        let s = receipt[0];
        let _ = writeln!(grouped_rows, "Receipt: {},Date: 2026-11-{} 10:05,Branch: {}", s.2, s.0, s.1);
        receipt.iter().for_each(|s| {
            let _ = writeln!(grouped_rows, "{},{},{}", s.3, s.5, amount(net(s)));
        });
        let _ = writeln!(grouped_rows, "Total,{count},{}", amount(total));
    }
    let mut merged_cells = "Date,Store,Receipt,Item,Qty,Net\n".to_owned();
    let mut last = (0, "", 0);
    SALES.iter().for_each(|s| {
        let new = last != (s.0, s.1, s.2);
        let said = if new { format!("2026-11-{},{},{}", s.0, s.1, s.2) } else { ",,".to_owned() };
        last = (s.0, s.1, s.2);
        let _ = writeln!(merged_cells, "{said},{},{},{}", s.3, s.5, amount(net(s)));
    });
    let mut stores = "Item,Date,Qty,Net\n".to_owned();
    for store in ["Makati", "Pasig"] {
        let _ = writeln!(stores, "{},,,", store.to_uppercase());
        SALES.iter().filter(|s| s.1 == store).for_each(|s| {
            let _ = writeln!(stores, "{},2026-11-{},{},{}", s.3, s.0, s.5, amount(net(s)));
        });
    }
    let mut journal = "              MICROS DAILY ITEM JOURNAL\n\n".to_owned();
    let _ = writeln!(
        journal,
        "{:<12}{:<10}{:<8}{:<18}{:>5}{:>14}",
        "DATE", "STORE", "CHECK", "ITEM", "QTY", "NET SALES"
    );
    let _ = writeln!(journal, "{}", "-".repeat(67));
    SALES.iter().for_each(|s| {
        let _ = writeln!(
            journal,
            "{:<12}{:<10}{:<8}{:<18}{:>5}{:>14}",
            format!("2026-11-{}", s.0),
            s.1,
            s.2,
            s.3,
            s.5,
            grouped(net(s))
        );
    });
    let fixed = |name, bytes: String, truth| File { name, ending: "txt", bytes: bytes.into_bytes(), truth };
    let pages = {
        let mut file = "Sales by item,,,,\nPage 1,,,,\nDate,Store,Item,Qty,Net sales\n".to_owned();
        SALES.iter().enumerate().for_each(|(n, s)| {
            if n == 7 {
                file.push_str("Date,Store,Item,Qty,Net sales\n");
            }
            let _ = writeln!(file, "2026-11-{},{},{},{},{}", s.0, s.1, s.3, s.5, amount(net(s)));
        });
        file
    };
    vec![
        text("grand total at the end", totals(false), truth),
        text("subtotals of stores", totals(true), truth),
        text("sums without a word", unnamed, truth),
        text("a total that is none", wrong, Truth { questions: 1, ..truth }),
        text("branch and period above", headed, one_store),
        text("store and day above", daily, truth_of(&one_day, 4)),
        text("merged headings", merged, truth),
        text("receipts with rows above and totals below", grouped_rows, truth),
        text("merged cells", merged_cells, Truth { questions: 1, ..truth }),
        text("store in a row above its lines", stores, truth),
        fixed("micros journal", journal, truth),
        text("headings on each page", pages, truth),
    ]
}

fn across() -> Vec<File> {
    let truth = truth();
    let days = [12u32, 13, 14];
    let of = |items: &BTreeMap<&str, BTreeMap<u32, (i64, i64)>>| -> i64 {
        items.values().map(|days| i64::try_from(days.len()).expect("few")).sum()
    };
    let lines: i64 = ["Makati", "Pasig"].iter().map(|store| of(&by_item(store))).sum();
    let mut quantities = "Store,Item,2026-11-12,2026-11-13,2026-11-14,Total\n".to_owned();
    let mut both =
        ",,12-Nov-2026,,13-Nov-2026,,14-Nov-2026,\nStore,Item,Qty,Net sales,Qty,Net sales,Qty,Net sales\n"
            .to_owned();
    for store in ["Makati", "Pasig"] {
        for (item, sold) in by_item(store) {
            let at = |day: &u32| sold.get(day).copied().unwrap_or_default();
            let all: i64 = days.iter().map(|day| at(day).0).sum();
            let cells: Vec<String> = days.iter().map(|day| at(day).0.to_string()).collect();
            let _ = writeln!(quantities, "{store},{item},{},{all}", cells.join(","));
            let pairs: Vec<String> = days
                .iter()
                .map(|day| match sold.get(day) {
                    None => ",".to_owned(),
                    Some((qty, net)) => format!("{qty},{}", amount(*net)),
                })
                .collect();
            let _ = writeln!(both, "{store},{item},{}", pairs.join(","));
        }
    }
    // A subtotal row below each day.
    let summed = {
        let mut file = quantities.clone();
        let of = |day: &u32| -> i64 {
            let stores = ["Makati", "Pasig"].into_iter().map(by_item);
            stores
                .flat_map(|store| {
                    store.into_values().filter_map(|sold| Some(sold.get(day)?.0)).collect::<Vec<_>>()
                })
                .sum()
        };
        let sums: Vec<i64> = days.iter().map(of).collect();
        let texts: Vec<String> = sums.iter().map(i64::to_string).collect();
        let _ = writeln!(file, ",Total,{},{}", texts.join(","), sums.iter().sum::<i64>());
        file
    };
    let counted = Truth { lines, net: 0.0, questions: 1, ..truth };
    let products = {
        let mut file = "Date,Store,Chicken Inasal,Halo-Halo,Iced Tea,Rice,Total\n".to_owned();
        for day in days {
            for store in ["Makati", "Pasig"] {
                let items = by_item(store);
                let cells: Vec<i64> =
                    items.values().map(|sold| sold.get(&day).map_or(0, |sums| sums.0)).collect();
                let texts: Vec<String> = cells.iter().map(i64::to_string).collect();
                let _ =
                    writeln!(file, "2026-11-{day},{store},{},{}", texts.join(","), cells.iter().sum::<i64>());
            }
        }
        file
    };
    vec![
        text("one column a day", quantities, counted),
        text(
            "one column a day, with a row of sums",
            summed,
            Truth { lines, net: 0.0, questions: 1, ..truth },
        ),
        text("quantity and amount under each day", both, Truth { lines, ..truth }),
        text("one column a product", products, Truth { lines, net: 0.0, questions: 1, ..truth }),
    ]
}

fn workbooks() -> Vec<File> {
    let truth = truth();
    let head = || cells("Date|Item|Qty|Net sales");
    let sheet = |store: &str| {
        let mut rows = vec![head()];
        rows.extend(
            SALES
                .iter()
                .filter(|s| s.1 == store)
                .map(|s| cells(&format!("2026-11-{}|{}|{}|{}", s.0, s.3, s.5, amount(net(s))))),
        );
        rows
    };
    let summary = vec![cells("Store|Net"), cells("Makati|1"), cells("Pasig|2")];
    let month = {
        let mut rows = vec![cells("Makati branch sales"), cells(""), cells("Item|12|13|14|Total")];
        for (item, sold) in by_item("Makati") {
            let at = |day: u32| sold.get(&day).map_or(String::new(), |sums| sums.0.to_string());
            rows.push(vec![item.to_owned(), at(12), at(13), at(14), "0".to_owned()]);
        }
        rows
    };
    let makati: Vec<Sale> = SALES.iter().filter(|s| s.1 == "Makati").copied().collect();
    let sold: i64 = by_item("Makati").values().map(|days| i64::try_from(days.len()).expect("few")).sum();
    let counted = Truth { net: 0.0, questions: 1, ..truth_of(&makati, sold) };
    let two = {
        let mut rows = vec![
            cells("Company: Bayan Foods"),
            cells("Sales register"),
            cells("Date|Store|Item|Qty|Net sales"),
        ];
        rows.extend(
            SALES
                .iter()
                .map(|s| cells(&format!("2026-11-{}|{}|{}|{}|{}", s.0, s.1, s.3, s.5, amount(net(s))))),
        );
        rows
    };
    vec![
        book(
            "one sheet a store",
            Truth { questions: 1, ..truth },
            &[("Makati", sheet("Makati")), ("Pasig", sheet("Pasig"))],
        ),
        book(
            "one sheet a store and a summary",
            Truth { questions: 1, ..truth },
            &[("Makati", sheet("Makati")), ("Pasig", sheet("Pasig")), ("Summary", summary)],
        ),
        book("month by the name of its sheet", counted, &[("November 2026", month)]),
        book("a register under a head", truth, &[("Sheet1", two)]),
    ]
}

fn records() -> Vec<File> {
    let truth = truth();
    let line = |s: &Sale| {
        format!(
            r#"{{"date":"2026-11-{}","store":"{}","receipt_no":{},"item":"{}","qty":{},"net_sales":{}}}"#,
            s.0,
            s.1,
            s.2,
            s.3,
            s.5,
            amount(net(s))
        )
    };
    let lines: Vec<String> = SALES.iter().map(line).collect();
    let nested: Vec<String> = receipts()
        .iter()
        .map(|receipt| {
            let total: i64 = receipt.iter().map(|sale| net(sale)).sum();
            let lines: Vec<String> = receipt
                .iter()
                .map(|s| format!(r#"{{"sku":"{}","name":"{}","quantity":{},"price":{},"discount":{}}}"#, s.4, s.3, s.5, amount(s.6), amount(s.7)))
                .collect();
            let s = receipt[0];
            format!(
                r#"{{"receipt_number":"{}","created_at":"2026-11-{}T10:05:00+08:00","store":{{"name":"{}"}},"lines":[{}],"guests":2,"payments":[{{"type":"Cash","amount":{}}}]}}"#,
                s.2, s.0, s.1, lines.join(","), amount(total)
            )
        })
        .collect();
    let file = |name, bytes: String, truth| File { name, ending: "json", bytes: bytes.into_bytes(), truth };
    vec![
        file("json list", format!("[{}]", lines.join(",\n")), truth),
        file("json under data", format!(r#"{{"status":"ok","data":[{}]}}"#, lines.join(",")), truth),
        file(
            "json receipts with lines",
            format!(r#"{{"data":[{}]}}"#, nested.join(",")),
            Truth { questions: 1, ..truth },
        ),
        file("json a record a line", lines.join("\n"), truth),
        file("json a receipt a line", nested.join("\n"), Truth { questions: 1, ..truth }),
    ]
}
