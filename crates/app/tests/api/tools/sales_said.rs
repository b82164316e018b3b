//! The store of a file without a store column: proposed where its title, sheet or name is that of a known store.

use larder_domain::Action;
use rstest::rstest;
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, create_unknowns, post, upload, validate};
use crate::sales::store;
use crate::support::{App, Client, Engine, one_engine};

const ROWS: &str = "Item name,SKU,Category,Items sold,Gross sales,Discounts,Net sales\n\
    Ube Latte,10001,Drinks,12,1920.00,120.00,1800.00\nTapsilog,10002,Meals,20,2400.00,120.00,2280.00\n";

struct Stage {
    app: App,
    admin: Client,
    mall: String,
    pasig: String,
}

async fn stage(on: Engine) -> Stage {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mall = store(&admin, "Larkspur Mall", "LKM").await;
    let pasig = store(&admin, "Pasig-East", "PSG").await;
    Stage { app, admin, mall, pasig }
}

/// The proposed store, and where it is named.
fn proposed(batch: &Value) -> (&Value, &Value) {
    (&batch["layout"]["suggestion"]["store"]["fixed"], &batch["layout"]["storeFrom"])
}

#[rstest]
#[case::a_title(
    "items.csv",
    "Larkspur Mall\nSales by item\nFrom 13 Nov 2026 to 13 Nov 2026\n\n",
    "the title «Larkspur Mall»"
)]
#[case::a_title_with_the_day(
    "items.csv",
    "LARKSPUR  MALL 13 Nov 2026\n\n",
    "the title «LARKSPUR  MALL 13 Nov 2026»"
)]
#[case::a_code_in_the_name("lkm_2026-11-13.csv", "", "the file’s name «lkm_2026-11-13»")]
#[case::a_name_with_hyphens("larkspur-mall-20261113.csv", "", "the file’s name «larkspur-mall-20261113»")]
#[case::the_title_before_the_name("PSG.csv", "Larkspur Mall\n\n", "the title «Larkspur Mall»")]
#[tokio::test]
async fn a_known_store_is_proposed(
    #[from(one_engine)] on: Engine,
    #[case] name: &str,
    #[case] above: &str,
    #[case] from: &str,
) {
    let stage = stage(on).await;
    let batch = upload(&stage.admin, name, format!("{above}{ROWS}")).await;
    assert_eq!(proposed(&batch), (&json!(stage.mall), &json!(from)), "{batch}");
    let mut mapping = batch["layout"]["suggestion"].clone();
    mapping["day"] = json!("2026-11-13");
    let checked = validate(&stage.app, &stage.admin, &batch, &mapping).await;
    create_unknowns(&stage.admin, &checked).await;
    post(&stage.app, &stage.admin, &checked, false).await;
    let day = stage.admin.get(&format!("{HOME}/days/{}/2026-11-13", stage.mall)).await.expect(200);
    assert_eq!(day["totals"]["net"], 4_080, "{day}");
}

#[rstest]
#[case::an_unknown_title("items.csv", "Larkspur\n\n")]
#[case::two_stores("items.csv", "Larkspur Mall\nPasig-East\n\n")]
#[case::a_part_of_the_name("Larkspur-Mall-and-others.csv", "")]
#[tokio::test]
async fn nothing_is_proposed_where_no_store_or_several_are_named(
    #[from(one_engine)] on: Engine,
    #[case] name: &str,
    #[case] above: &str,
) {
    let stage = stage(on).await;
    let batch = upload(&stage.admin, name, format!("{above}{ROWS}")).await;
    assert_eq!(proposed(&batch), (&Value::Null, &Value::Null), "{batch}");
}

#[rstest]
#[tokio::test]
async fn a_store_column_is_never_overridden(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let rows = "Date,Store,Receipt No,Item Name,Qty,Net Sales\n2026-11-13,Pasig-East,1,Tapsilog,1,120.00\n";
    let batch = upload(&stage.admin, "LKM.csv", format!("Larkspur Mall\n\n{rows}")).await;
    assert_eq!(batch["layout"]["suggestion"]["columns"]["store"], 1, "{batch}");
    assert_eq!(proposed(&batch), (&Value::Null, &Value::Null), "{batch}");
}

#[rstest]
#[tokio::test]
async fn the_sheet_names_the_store(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("Pasig-East").expect("a name");
    let rows = [
        "Date|Receipt No|Item Name|Qty|Net Sales",
        "2026-11-13|1|Tapsilog|1|120",
        "2026-11-13|2|Tapsilog|2|240",
    ];
    for (row, line) in (0u32..).zip(rows) {
        for (column, text) in (0u16..).zip(line.split('|')) {
            sheet.write_string(row, column, text).expect("a cell");
        }
    }
    let batch = upload(&stage.admin, "LKM.xlsx", book.save_to_buffer().expect("a workbook")).await;
    assert_eq!(proposed(&batch), (&json!(stage.pasig), &json!("the sheet «Pasig-East»")), "{batch}");
}

#[rstest]
#[tokio::test]
async fn a_spelling_that_was_decided_is_known(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let rows = "Date,Store,Receipt No,Item Name,Qty,Net Sales\n2026-11-13,Lrkspr,1,Tapsilog,1,120.00\n";
    let batch = upload(&stage.admin, "first.csv", rows).await;
    let checked = validate(&stage.app, &stage.admin, &batch, &batch["layout"]["suggestion"]).await;
    let wish = json!({ "stores": [{ "name": "Lrkspr", "storeId": stage.mall }] });
    let path = format!("{HOME}/batches/{}", checked["id"].as_str().expect("an id"));
    stage.admin.post(&format!("{path}/resolve"), &wish).await.expect(200);
    let batch = upload(&stage.admin, "lrkspr.csv", ROWS).await;
    assert_eq!(proposed(&batch), (&json!(stage.mall), &json!("the file’s name «lrkspr»")), "{batch}");
}

#[rstest]
#[tokio::test]
async fn the_file_itself_wins_over_the_store_of_an_earlier_one(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let batch = upload(&stage.admin, "LKM_2026-11-13.csv", ROWS).await;
    let checked = validate(&stage.app, &stage.admin, &batch, &batch["layout"]["suggestion"]).await;
    create_unknowns(&stage.admin, &checked).await;
    post(&stage.app, &stage.admin, &checked, false).await;
    let again = upload(&stage.admin, "items_2026-11-14.csv", ROWS.replace("12,", "13,")).await;
    assert_eq!(again["mapping"]["store"]["fixed"], json!(stage.mall), "{again}");
    let other = upload(&stage.admin, "PSG_2026-11-14.csv", ROWS.replace("12,", "14,")).await;
    assert_eq!(other["mapping"]["store"]["fixed"], json!(stage.pasig), "{other}");
}

#[rstest]
#[tokio::test]
async fn a_store_out_of_scope_is_not_proposed(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let rights = &[("tools/importSalesProduct", Action::ALL)];
    let scoped = stage.app.user(rights, Some(std::slice::from_ref(&stage.pasig))).await;
    let batch = upload(&scoped, "LKM.csv", ROWS).await;
    assert_eq!(proposed(&batch), (&Value::Null, &Value::Null), "{batch}");
    let batch = upload(&scoped, "PSG.csv", ROWS.replace("12,", "13,")).await;
    assert_eq!(proposed(&batch).0, &json!(stage.pasig), "{batch}");
}
