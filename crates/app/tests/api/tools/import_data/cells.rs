//! Cells as spreadsheets change them: codes with an apostrophe or a format of zeros, spoilt codes, accents.

use std::io::{Cursor, Read, Write};

use rstest::rstest;
use rust_xlsxwriter::{Format, Formula, Workbook};
use serde_json::{Value, json};

use super::{check, commit, counts, make, problem, rows, suggested, try_out};
use crate::support::{App, Client, Engine, one_engine};

async fn product(client: &Client, sku: &str, name: &str) -> Value {
    make(client, "/api/products", &json!({ "sku": sku, "name": name, "type": "Non-inventory" })).await
}

/// SKUs and names of all products, by SKU.
async fn products(client: &Client) -> Vec<(String, String)> {
    let page = client.get("/api/products?pageSize=100").await.expect(200);
    let text = |item: &Value, field: &str| item[field].as_str().unwrap_or_default().to_owned();
    let mut all: Vec<(String, String)> = page["items"]
        .as_array()
        .expect("products")
        .iter()
        .map(|item| (text(item, "sku"), text(item, "name")))
        .collect();
    all.sort();
    all
}

fn pair(sku: &str, name: &str) -> (String, String) {
    (sku.to_owned(), name.to_owned())
}

/// A workbook in which the formula with the result 777 lost its value.
fn without_value(book: &[u8]) -> Vec<u8> {
    let mut old = zip::ZipArchive::new(Cursor::new(book)).expect("a workbook");
    let mut new = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..old.len() {
        let mut part = old.by_index(at).expect("a part");
        let name = part.name().expect("a name").into_owned();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).expect("a part");
        if name == "xl/worksheets/sheet1.xml" {
            bytes = String::from_utf8(bytes).expect("text").replace("<v>777</v>", "<v></v>").into_bytes();
        }
        new.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part");
        new.write_all(&bytes).expect("room");
    }
    new.finish().expect("a workbook").into_inner()
}

#[rstest]
#[tokio::test]
async fn an_apostrophe_before_a_code_is_no_part_of_it(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    product(&admin, "000777", "Test D").await;
    let file = "SKU,Name,Type\n'000777,Test D2,Non-inventory\n'000778,'70s Burger,Non-inventory\n";
    let batch = try_out(&app, &admin, "products", "code", "sku_list.csv", file).await;
    assert_eq!(counts(&batch), (1, 1, 0, 0), "{batch}");
    commit(&app, &admin, &batch).await;
    assert_eq!(products(&admin).await, [pair("000777", "Test D2"), pair("000778", "'70s Burger")]);
}

#[rstest]
#[tokio::test]
async fn codes_of_a_workbook_are_read_as_it_shows_them(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    product(&admin, "000123", "Rice").await;
    let mut book = Workbook::new();
    let (zeros, date) = (Format::new().set_num_format("000000"), Format::new().set_num_format("d-mmm"));
    let sheet = book.add_worksheet();
    for (column, title) in (0..).zip(["SKU", "Name", "Type"]) {
        sheet.write_string(0, column, title).expect("a cell");
    }
    for (row, name) in (1..).zip(["Brown rice", "Mar-1 special", "Formula"]) {
        sheet.write_string(row, 1, name).expect("a cell");
        sheet.write_string(row, 2, "Non-inventory").expect("a cell");
    }
    sheet.write_number_with_format(1, 0, 123, &zeros).expect("a cell");
    sheet.write_number_with_format(2, 0, 46_082, &date).expect("a cell");
    sheet.write_formula(3, 0, Formula::new("=770+7").set_result("777")).expect("a cell");
    let file = without_value(&book.save_to_buffer().expect("a workbook"));
    let batch = try_out(&app, &admin, "products", "code", "codes.xlsx", file).await;
    assert_eq!(counts(&batch), (0, 1, 0, 2), "{batch}");
    let failed: Vec<String> = rows(&admin, &batch, "failed").await.iter().map(problem).collect();
    let expected = [
        "sku: A spreadsheet changed this code. Enter it again, in a column formatted as text.",
        "sku: The file does not hold the value of this formula. Open it in Excel, save it and upload it again.",
    ];
    assert_eq!(failed, expected);
    commit(&app, &admin, &batch).await;
    assert_eq!(products(&admin).await, [pair("000123", "Brown rice")]);
}

#[rstest]
#[tokio::test]
async fn spoilt_codes_are_refused(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "SKU,Name,Type\n4.80002E+12,Soda,Non-inventory\n4800021234567,Tea,Non-inventory\n";
    let batch = try_out(&app, &admin, "products", "code", "barcodes.csv", file).await;
    assert_eq!(counts(&batch), (1, 0, 0, 1), "{batch}");
    let failed = rows(&admin, &batch, "failed").await;
    assert_eq!(
        problem(&failed[0]),
        "sku: A spreadsheet changed this code. Enter it again, in a column formatted as text."
    );
}

#[rstest]
#[tokio::test]
async fn accents_are_composed_before_names_are_compared_and_stored(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = product(&admin, "P1", "Pin\u{303}a Shake").await;
    assert_eq!(made["name"], "Pi\u{f1}a Shake");
    let file = "SKU,Name,Type\n,Pin\u{303}a Shake,Non-inventory\n,Jalapen\u{303}o,Non-inventory\n,Jalape\u{f1}o,Non-inventory\n";
    let batch = try_out(&app, &admin, "products", "name", "nfd.csv", file).await;
    // A new name, and in the next row the same one again.
    assert_eq!(counts(&batch), (1, 0, 1, 1), "{batch}");
    commit(&app, &admin, &batch).await;
    assert_eq!(products(&admin).await, [pair("", "Jalape\u{f1}o"), pair("P1", "Pi\u{f1}a Shake")]);
}

#[rstest]
#[tokio::test]
async fn rows_that_a_workbook_hides_are_named_and_left_out_on_request(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let lines = [
        "SKU|Name|Type",
        "A1|Rice|Non-inventory",
        "A2|Old rice|Non-inventory",
        "A3|Tea|Non-inventory",
        "A4|Old tea|Non-inventory",
    ];
    for (row, line) in (0u32..).zip(lines) {
        for (column, text) in (0u16..).zip(line.split('|')) {
            sheet.write_string(row, column, text).expect("a cell");
        }
    }
    // The last hidden row is empty.
    for row in [2, 4, 5] {
        sheet.set_row_hidden(row).expect("a row");
    }
    let file = book.save_to_buffer().expect("a workbook");
    let batch = try_out(&app, &admin, "products", "code", "filtered.xlsx", file).await;
    assert_eq!((counts(&batch), &batch["summary"]["hiddenRows"]), ((4, 0, 0, 0), &json!(2)), "{batch}");

    let mut mapping = suggested(&batch, "code");
    mapping["hiddenRows"] = json!(false);
    let batch = check(&app, &admin, &batch, &mapping).await;
    assert_eq!((counts(&batch), &batch["summary"]["hiddenRows"]), ((2, 0, 0, 0), &json!(2)), "{batch}");
    assert_eq!(batch["mapping"]["hiddenRows"], json!(false));
    let committed = commit(&app, &admin, &batch).await;
    assert_eq!(committed["summary"]["hiddenRows"], json!(2));
    assert_eq!(products(&admin).await, [pair("A1", "Rice"), pair("A3", "Tea")]);

    let plain = "SKU,Name,Type\nA5,Soda,Non-inventory\n";
    let batch = try_out(&app, &admin, "products", "code", "plain.csv", plain).await;
    assert_eq!(batch["summary"].get("hiddenRows"), None);
}

/// Files of other systems have a column of codes, without units: they are on the base unit.
#[rstest]
#[tokio::test]
async fn codes_alone_are_barcodes_of_the_base_unit(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let can = make(&admin, "/api/lists/uoms", &json!({ "name": "can", "code": "can" })).await["id"].clone();
    let file = "SKU,Name,Barcode,Base unit\nS,Soda,4800012345678; '0360002914529,can\nT,Tea,4.80002E+12,can\n\
        C,Coffee,04800012345678,can\n";
    let batch = try_out(&app, &admin, "products", "code", "p.csv", file).await;
    assert_eq!(counts(&batch), (1, 0, 0, 2), "{batch}");
    let failed: Vec<String> = rows(&admin, &batch, "failed").await.iter().map(problem).collect();
    assert_eq!(
        failed,
        [
            "barcodes: A spreadsheet changed this code. Enter it again, in a column formatted as text.",
            "barcodes: One of these barcodes belongs to «Soda».",
        ]
    );
    commit(&app, &admin, &batch).await;
    let soda = admin.get("/api/products?q=soda").await.expect(200)["items"][0].clone();
    assert_eq!(
        soda["barcodes"],
        json!([{ "code": "4800012345678", "uomId": can }, { "code": "0360002914529", "uomId": can }])
    );
    // One more code in the file replaces those that are there.
    let file = "SKU,Name,Barcode\nS,Soda,4800012345679\n";
    let batch = try_out(&app, &admin, "products", "code", "p.csv", file).await;
    commit(&app, &admin, &batch).await;
    let soda = admin.get("/api/products?q=soda").await.expect(200)["items"][0].clone();
    assert_eq!(soda["barcodes"], json!([{ "code": "4800012345679", "uomId": can }]));
}
