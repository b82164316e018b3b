//! POS items with their variants in one file.

use rstest::rstest;
use serde_json::{Value, json};

use super::{check, commit, counts, make, problem, rows, suggested, try_out, undo, upload};
use crate::support::{App, Client, Engine, one_engine};

const ITEMS: &str = "/api/lists/pos-items";

async fn item(client: &Client, description: &str) -> Value {
    let all = client.get(&format!("{ITEMS}?pageSize=all")).await.expect(200);
    let items = all["items"].as_array().expect("items");
    let found = items.iter().find(|item| item["description"] == description);
    found.cloned().unwrap_or_else(|| panic!("no {description}: {all}"))
}

#[rstest]
#[case::the_item_first(["L1,Latte,,Egg = 0.25", "L2,Latte (22oz),L1,", "L3,Latte (16oz),Latte,"])]
#[case::the_item_last(["L2,Latte (22oz),L1,", "L3,Latte (16oz),latte,", "L1,Latte,,Egg = 0.25"])]
#[case::a_code_with_an_apostrophe(["L2,Latte (22oz),01,", "L3,Latte (16oz),'01,", "'01,Latte,,Egg = 0.25"])]
#[tokio::test]
async fn a_variant_of_an_item_of_the_same_file_is_one(
    #[from(one_engine)] on: Engine,
    #[case] lines: [&str; 3],
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make(&admin, "/api/lists/root-items", &json!({ "name": "Egg" })).await;
    let file = format!("POS item id,Description,Variant of,Bill of materials\n{}\n", lines.join("\n"));
    for by in ["code", "name"] {
        let batch = try_out(&app, &admin, "pos-items", by, "menu.csv", file.clone()).await;
        assert_eq!(counts(&batch), (3, 0, 0, 0), "{by}: {:?}", rows(&admin, &batch, "failed").await);
        let committed = commit(&app, &admin, &batch).await;
        assert_eq!(counts(&committed), (3, 0, 0, 0), "{by}: {:?}", rows(&admin, &batch, "failed").await);
        let latte = item(&admin, "Latte").await;
        for size in ["Latte (22oz)", "Latte (16oz)"] {
            let size = item(&admin, size).await;
            assert_eq!(size["variantOf"], latte["id"], "{by}: {size}");
            assert_eq!(size["bom"][0]["multiplier"], json!(0.25), "it inherits: {size}");
        }
        let again = try_out(&app, &admin, "pos-items", by, "again.csv", file.clone()).await;
        assert_eq!(counts(&again), (0, 0, 3, 0), "{by}: {again}");
        let undone = undo(&app, &admin, &batch).await;
        assert_eq!((&undone["summary"]["undone"], &undone["summary"]["kept"]), (&json!(3), &json!(0)));
    }
}

#[rstest]
#[tokio::test]
async fn variants_that_would_be_refused_are_found_by_the_check(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make(&admin, ITEMS, &json!({ "description": "Tea" })).await;
    let file = "Description,Variant of\nLatte,\nSmall latte,Latte\nTiny latte,Small latte\nMocha,Cocoa\n\
        Tea,Tea\nGreen tea,Tea\n";
    let batch = upload(&admin, "pos-items", "menu.csv", file).await;
    let mapping = suggested(&batch, "name");
    let checked = check(&app, &admin, &batch, &mapping).await;
    assert_eq!(counts(&checked), (3, 0, 0, 3), "{checked}");
    let found: Vec<String> = rows(&admin, &batch, "failed").await.iter().map(problem).collect();
    let itself = "variantOf: This item is a variant itself; choose the item that it is a variant of.";
    assert_eq!(found, [itself, "variantOf: There is no POS item «Cocoa».", itself]);
    commit(&app, &admin, &batch).await;
    let file = "Description,Variant of\nLatte,Tea\n";
    let later = try_out(&app, &admin, "pos-items", "name", "later.csv", file).await;
    let found: Vec<String> = rows(&admin, &later, "failed").await.iter().map(problem).collect();
    assert_eq!(found, ["variantOf: This item has variants, so it cannot be one."]);
}
