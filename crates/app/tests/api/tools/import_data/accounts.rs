//! Charts of accounts exported by other systems.

use rstest::rstest;
use serde_json::{Value, json};

use super::{check, commit, counts, problem, rows, suggested, try_out, undo, upload};
use crate::support::{App, Client, Engine, one_engine};

const HOME: &str = "/api/your-company/chart-of-accounts";

async fn account(client: &Client, name: &str) -> Value {
    let all = client.get(&format!("{HOME}?pageSize=all&includeInactive=true")).await.expect(200);
    let items = all["items"].as_array().expect("accounts");
    items.iter().find(|item| item["name"] == name).cloned().unwrap_or_else(|| panic!("no {name}: {all}"))
}

/// As exported by QuickBooks Online: titles below the report name, children before their parents.
const QUICKBOOKS: &str = "Account List,,,,,\nHalo Kitchens Inc.,,,,,\n,,,,,\n\
    Account #,Full name,Type,Detail type,Description,Total balance\n\
    1010,Bank accounts:BPI,Bank,Checking,Payroll,\"₱12,345.60\"\n\
    1000,Bank accounts,Bank,Cash on Hand,,\n\
    1500,Ovens,Fixed Assets,Furniture & Fixtures,,\"(1,000.00)\"\n\
    5000,Cost of sales,Cost of Goods Sold,Supplies & Materials - COGS,,0\n";

#[rstest]
#[tokio::test]
async fn a_quickbooks_chart_is_imported_unchanged(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = try_out(&app, &admin, "chart-of-accounts", "code", "accounts.csv", QUICKBOOKS).await;
    assert_eq!((&batch["layout"]["headerRow"], counts(&batch)), (&json!(4), (4, 0, 0, 0)), "{batch}");
    commit(&app, &admin, &batch).await;
    let (bpi, bank, ovens) = (
        account(&admin, "BPI").await,
        account(&admin, "Bank accounts").await,
        account(&admin, "Ovens").await,
    );
    assert_eq!(
        (&bpi["parentId"], &bpi["balance"], &bpi["number"]),
        (&bank["id"], &json!(12345.6), &json!("1010"))
    );
    assert_eq!(
        (&ovens["openingBalance"], &ovens["detailType"]),
        (&json!(-1000), &json!("Furniture and fixtures"))
    );
    assert_eq!(account(&admin, "Cost of sales").await["classification"], "Expense");
    let again = try_out(&app, &admin, "chart-of-accounts", "code", "again.csv", QUICKBOOKS).await;
    assert_eq!(counts(&again), (0, 0, 4, 0));
    let undone = undo(&app, &admin, &batch).await;
    assert_eq!(undone["summary"]["undone"], 4);
}

#[rstest]
#[tokio::test]
async fn a_netsuite_chart_is_imported_unchanged(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "Internal ID,Number,Account,Type,Description,Is Inactive,Balance\n\
                112,4010,Sales : Dine in,Income,,No,0\n\
                111,4000,Sales,Income,,No,0\n\
                113,6000,Old rent,Expense,,Yes,0\n\
                114,1100,Trade,AcctRec,,No,250\n";
    let batch = try_out(&app, &admin, "chart-of-accounts", "code", "netsuite.csv", file).await;
    assert_eq!(counts(&batch), (4, 0, 0, 0), "{:?}", rows(&admin, &batch, "failed").await);
    commit(&app, &admin, &batch).await;
    let dine_in = account(&admin, "Dine in").await;
    assert_eq!((&dine_in["id"], &dine_in["parentId"]), (&json!("112"), &json!("111")));
    assert_eq!(account(&admin, "Old rent").await["active"], false);
    assert_eq!(account(&admin, "Trade").await["type"], "Accounts receivable (A/R)");
}

#[rstest]
#[tokio::test]
async fn errors_of_the_chart_are_found_by_the_check(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "Full name,Type\nCash,Bank\nCash:Till,Expenses\nTills:One:Two,Bank\nA:,Bank\nLoop,Shoes\n";
    let batch = upload(&admin, "chart-of-accounts", "a.csv", file).await;
    let mut mapping = suggested(&batch, "name");
    let checked = check(&app, &admin, &batch, &mapping).await;
    assert_eq!(counts(&checked), (1, 0, 0, 4), "{checked}");
    let failed = rows(&admin, &batch, "failed").await;
    let found: Vec<String> = failed.iter().map(problem).collect();
    assert!(found[0].contains("parent of the same type"), "{found:?}");
    assert_eq!(found[1], "fullName: There is no account «Tills:One».");
    assert!(found[2].contains("Parent:Child") && found[3].starts_with("type: Choose one of"), "{found:?}");
    mapping["missing"] = json!("create");
    let checked = check(&app, &admin, &batch, &mapping).await;
    assert_eq!(counts(&checked), (2, 0, 0, 3), "{checked}");
    assert_eq!(
        checked["summary"]["willCreate"],
        json!([{ "list": "chart-of-accounts", "names": ["Tills", "One"] }])
    );
    commit(&app, &admin, &batch).await;
    assert_eq!(account(&admin, "Two").await["parentId"], account(&admin, "One").await["id"]);

    let product =
        json!({ "name": "Pork", "type": "Service", "expenseAccountId": account(&admin, "Cash").await["id"] });
    super::make(&admin, "/api/products", &product).await;
    let batch = try_out(
        &app,
        &admin,
        "chart-of-accounts",
        "name",
        "b.csv",
        "Name,Type\nCash,Expenses\nTwo,Expenses\n",
    )
    .await;
    let found: Vec<String> = rows(&admin, &batch, "failed").await.iter().map(problem).collect();
    assert!(found[0].contains("type of a used account is fixed"), "{found:?}");
    assert!(found[1].contains("parent of the same type"), "{found:?}");
}
