//! Files: accepted formats, templates, and files of failed rows.

use rstest::rstest;
use serde_json::{Value, json};

use super::{HOME, check, commit, counts, make, path, problem, rows, suggested, try_out, upload};
use crate::support::{App, Engine, one_engine};

#[rstest]
#[tokio::test]
async fn every_list_has_a_template_that_can_be_imported(#[values("csv", "xlsx")] format: &str) {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let level = make(&admin, "/api/lists/price-levels", &json!({ "name": "Mall" })).await;
    let lists = admin.get(&format!("{HOME}/lists")).await.expect(200);
    let lists = lists.as_array().expect("lists");
    assert_eq!(lists.len(), larder_lists::catalog::ALL.len());
    for list in lists {
        let slug = list["slug"].as_str().expect("a slug");
        let file = admin.get(&format!("{HOME}/lists/{slug}/template?format={format}")).await;
        assert_eq!(file.status, 200, "{slug}");
        if format == "csv" {
            let text = file.text();
            assert_eq!(text.trim_end().lines().count(), 1, "{slug}");
            let titles = text.trim_start_matches('\u{feff}').trim_end().to_owned();
            let row = "x,".repeat(titles.matches(',').count());
            let batch = upload(&admin, slug, "filled.csv", format!("{titles}\n{row}x\n")).await;
            let columns = batch["layout"]["columns"].as_array().expect("columns").clone();
            assert!(columns.iter().all(|column| !column["suggested"].is_null()), "{slug}: {columns:?}");
        }
    }
    let products = lists.iter().find(|list| list["slug"] == "products").expect("products");
    let fields = products["fields"].as_array().expect("fields");
    let price = fields.iter().find(|field| field["label"] == "Price: Mall").expect("a price");
    assert_eq!(price["name"], format!("price:{}", level["id"].as_str().expect("an id")));
    let unit = fields.iter().find(|field| field["name"] == "baseUom").expect("a unit");
    assert_eq!((&unit["kind"], &unit["reference"]), (&json!("reference"), &json!("uoms")));
    assert!(fields.iter().all(|field| field["name"] != "quantity"), "computed fields are not imported");
}

#[rstest]
#[tokio::test]
async fn failed_rows_can_be_exported_and_corrected(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "Code;Name;Note\nkg;Kilogram;a\n=1+1;Formula;b\n;Nameless;c\nlb;;\"d;e\"\n";
    let batch = try_out(&app, &admin, "uoms", "code", "uoms.csv", file).await;
    assert_eq!(counts(&batch), (2, 0, 0, 2), "{batch}");
    let errors = admin.get(&format!("{}/errors", path(&batch))).await;
    let text = errors.text();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "Code,Name,Note,What is wrong");
    assert_eq!(lines[1], ",Nameless,c,code: Enter the code.");
    assert_eq!(lines[2], "lb,,d;e,name: Enter the name.");
    commit(&app, &admin, &batch).await;
    // Corrected, it is imported; the error column is ignored.
    let corrected = text.replace(",Nameless", "nl,Nameless").replace("lb,,", "lb,Pound,");
    let batch = try_out(&app, &admin, "uoms", "code", "corrected.csv", corrected).await;
    assert_eq!(counts(&batch), (2, 0, 0, 0), "{batch}");
    let formula = admin.get("/api/lists/uoms?q=formula").await.expect(200);
    assert_eq!(formula["items"][0]["code"], "=1+1", "a formula is text");
    let xlsx = admin.get(&format!("{}/errors?format=xlsx", path(&batch))).await;
    assert!(xlsx.status == 200 && xlsx.bytes.starts_with(b"PK"));
}

#[rstest]
#[tokio::test]
async fn any_text_is_imported_as_text(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let names =
        ["=cmd|'/C calc'!A0", "<script>alert(1)</script>", "Halo-halo 🍧", "مخبز", "'tis", "@SUM(A1)"];
    let mut file = String::from("\u{feff}Name,Notes\n");
    for name in names {
        file.push_str(&format!("\"{name}\",\"two\nlines\"\n"));
    }
    file.push_str("\"hid\u{202e}den\",\n");
    let batch = try_out(&app, &admin, "suppliers", "name", "s.csv", file).await;
    assert_eq!(counts(&batch), (6, 0, 0, 1), "{:?}", rows(&admin, &batch, "failed").await);
    assert!(problem(&rows(&admin, &batch, "failed").await[0]).contains("cannot be seen"));
    commit(&app, &admin, &batch).await;
    let all = admin.get("/api/lists/suppliers?sort=createdAt").await.expect(200);
    let mut kept: Vec<&str> =
        all["items"].as_array().expect("items").iter().filter_map(|s| s["name"].as_str()).collect();
    let mut wanted = names.to_vec();
    kept.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(kept, wanted);
    assert_eq!(all["items"][0]["notes"], "two\nlines");
}

#[rstest]
#[tokio::test]
async fn fields_are_only_cleared_explicitly(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let level = make(&admin, "/api/lists/price-levels", &json!({ "name": "Mall" })).await["id"].clone();
    let other = make(&admin, "/api/lists/price-levels", &json!({ "name": "Street" })).await["id"].clone();
    let body = json!({
        "sku": "A", "name": "Cake", "type": "Service", "description": "Sweet", "shelfLife": 2, "colour": "red", "shape": "round",
        "priceLevelPrices": [{ "priceLevelId": level, "price": 10 }, { "priceLevelId": other, "price": 12.5 }],
    });
    let cake = make(&admin, "/api/products", &body).await;
    let file = "SKU,Description,Shelf life (days),Price: Mall,Price: Street,Custom fields\n\
                A,(empty),,\"₱11\",(Empty),\"{\"\"colour\"\":\"\"blue\"\",\"\"size\"\":[1,2]}\"\n";
    let batch = try_out(&app, &admin, "products", "code", "p.csv", file).await;
    assert_eq!(counts(&batch), (0, 1, 0, 0), "{batch}");
    commit(&app, &admin, &batch).await;
    let now = admin.get(&format!("/api/products/{}", cake["id"].as_str().expect("an id"))).await.expect(200);
    assert_eq!(
        (&now["description"], &now["shelfLife"], &now["name"]),
        (&Value::Null, &json!(2), &json!("Cake"))
    );
    assert_eq!(now["priceLevelPrices"], json!([{ "priceLevelId": level, "price": 11 }]));
    assert_eq!(
        (&now["colour"], &now["shape"], &now["size"]),
        (&json!("blue"), &json!("round"), &json!([1, 2]))
    );
    super::undo(&app, &admin, &batch).await;
    let back = admin.get(&format!("/api/products/{}", cake["id"].as_str().expect("an id"))).await.expect(200);
    for field in ["description", "priceLevelPrices", "colour", "shape", "size", "shelfLife"] {
        assert_eq!(back[field], cake[field], "{field}");
    }
}

#[tokio::test]
async fn dates_and_decimals_follow_the_formats_of_the_file() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let file = "Name;Opening balance;Opening balance date\nA;1.234,50;31/12/2019\nB;-7,5;01/02/2020\nC;x;32/01/2020\n";
    let batch = try_out(&app, &admin, "suppliers", "name", "s.csv", file).await;
    assert_eq!((&batch["layout"]["decimal"], &batch["layout"]["dateFormat"]), (&json!(","), &json!("dmy")));
    assert_eq!(counts(&batch), (2, 0, 0, 1), "{batch}");
    commit(&app, &admin, &batch).await;
    let all = admin.get("/api/lists/suppliers").await.expect(200);
    let (a, b) = (&all["items"][0], &all["items"][1]);
    assert_eq!((&a["openingBalance"], &a["openingBalanceDate"]), (&json!(1234.5), &json!("2019-12-31")));
    assert_eq!((&b["openingBalance"], &b["openingBalanceDate"]), (&json!(-7.5), &json!("2020-02-01")));
}

#[tokio::test]
async fn a_file_without_a_table_is_refused_with_a_reason() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    for (bytes, words) in [
        (&b""[..], "empty"),
        (b"Name\n", "no rows"),
        (b"%PDF-1.7 ....", "PDF"),
        (b"PK\x03\x04 and then nothing", "damaged"),
    ] {
        let refused = admin
            .upload(&format!("{HOME}/uploads?list=uoms&fileName=a.csv"), bytes.to_vec())
            .await
            .expect(422);
        assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains(words)), "{refused}");
    }
    let batch = upload(&admin, "food-types", "plain.csv", "Dry\nWet\n").await;
    let mut mapping = suggested(&batch, "name");
    assert_eq!(mapping["hasHeader"], false);
    mapping["columns"] = json!({ "name": 0 });
    assert_eq!(counts(&check(&app, &admin, &batch, &mapping).await), (2, 0, 0, 0));
}

/// An export is human-readable and can be imported: prices, pack sizes, ingredients.
#[rstest]
#[tokio::test]
async fn child_records_are_exported_readably_and_imported_again(
    #[from(one_engine)] on: Engine,
    #[values("csv", "xlsx")] format: &str,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let named = async |list: &str, body: Value| {
        make(&admin, &format!("/api/lists/{list}"), &body).await["id"].clone()
    };
    let jar = named("uoms", json!({ "name": "jar", "code": "jr" })).await;
    let case = named("uoms", json!({ "name": "case", "code": "cs" })).await;
    let regular = named("price-levels", json!({ "name": "Regular" })).await;
    let mall = named("price-levels", json!({ "name": "Mall; airport = dear" })).await;
    let egg = named("root-items", json!({ "name": "Egg" })).await;
    let body = json!({
        "sku": "J", "name": "Jam", "baseUom": jar, "otherUoms": [{ "uomId": case, "whole": true }],
        "conversions": [{ "fromUomId": case, "toUomId": jar, "factor": 12 }],
        "barcodes": [{ "code": "036000291452", "uomId": jar }, { "code": "A = 1", "uomId": case }],
        "priceLevelPrices": [{ "priceLevelId": regular, "price": 713 }, { "priceLevelId": mall, "price": 720.5 }],
        "rootItemConversions": [{ "rootItemId": egg, "factor": 0.25 }],
    });
    let jam = make(&admin, "/api/products", &body).await;
    let export = admin.get(&format!("/api/products/export?format={format}")).await;
    let file = export.bytes.clone();
    if format == "csv" {
        let text = export.text();
        for words in [
            "case (whole only)",
            "1 case = 12 jar",
            "036000291452 = jar; \"\"A = 1\"\" = case",
            "Egg = 0.25",
            "Regular = 713; \"\"Mall; airport = dear\"\" = 720.5",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
        for id in [&jar, &case, &regular, &mall, &egg] {
            assert!(!text.contains(id.as_str().expect("an id")), "an inner id in {text}");
        }
        // A price changed in the file is the only change, and is shown in readable form.
        let dearer = text.replace("Regular = 713", "Regular = 750");
        let batch = try_out(&app, &admin, "products", "id", "dearer.csv", dearer).await;
        assert_eq!(counts(&batch), (0, 1, 0, 0), "{batch}");
        let changes = rows(&admin, &batch, "updated").await[0]["changes"].clone();
        let reported =
            json!([{ "field": "priceLevelPrices", "before": "Regular = 713", "after": "Regular = 750" }]);
        assert_eq!(changes, reported);
        commit(&app, &admin, &batch).await;
        let now =
            admin.get(&format!("/api/products/{}", jam["id"].as_str().expect("an id"))).await.expect(200);
        assert_eq!(
            (&now["priceLevelPrices"][0]["price"], &now["conversions"]),
            (&json!(750), &jam["conversions"])
        );
        let batch = try_out(&app, &admin, "products", "id", "back.csv", file).await;
        commit(&app, &admin, &batch).await;
        let wrong = text.replace("1 case = 12 jar", "a dozen");
        let batch = try_out(&app, &admin, "products", "id", "wrong.csv", wrong).await;
        let problem = problem(&rows(&admin, &batch, "failed").await[0]);
        assert_eq!(problem, "conversions: Write «1 A = 12 B», one after the other with ;.");
    } else {
        let batch = try_out(&app, &admin, "products", "id", "same.xlsx", file).await;
        assert_eq!(counts(&batch), (0, 0, 1, 0), "{batch}");
    }
    // Deleted and imported again, it is unchanged.
    let before =
        admin.get(&format!("/api/products/{}", jam["id"].as_str().expect("an id"))).await.expect(200);
    let export = admin.get(&format!("/api/products/export?format={format}")).await.bytes;
    assert_eq!(
        admin.delete(&format!("/api/products/{}", jam["id"].as_str().expect("an id"))).await.status,
        204
    );
    let batch = try_out(&app, &admin, "products", "id", &format!("again.{format}"), export).await;
    commit(&app, &admin, &batch).await;
    let after = admin.get("/api/products").await.expect(200)["items"][0].clone();
    for field in
        ["name", "baseUom", "otherUoms", "conversions", "barcodes", "priceLevelPrices", "rootItemConversions"]
    {
        assert_eq!(after[field], before[field], "{field}");
    }
}
