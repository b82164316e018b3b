//! Files as tills, reports and people write them, each with its true totals: read as suggested, with a
//! knowledgeable user's answers to its questions, they give these totals.

mod files;
mod odd;

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, upload};
use crate::support::{App, Client, Engine, one_engine};
use files::{File, Truth};

/// The totals of a file read with a mapping; `None` if it is refused.
async fn summary(app: &App, client: &Client, batch: &Value, mapping: &Value) -> Result<Value, Value> {
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let answer = client.put(&format!("{path}/mapping"), mapping).await;
    if answer.status != 200 {
        return Err(serde_json::from_str(&answer.text()).expect("a problem"));
    }
    app.drain().await;
    let checked = client.get(&path).await.expect(200);
    assert_eq!(checked["state"], "validated", "{checked}");
    Ok(checked["summary"].clone())
}

/// A knowledgeable user's choice for a question, by its options. The net amount column is recognized by its
/// total.
fn said(file: &File, ask: &Value) -> Result<Value, String> {
    let answers = ask["choices"].as_array().expect("choices");
    let (name, net) = (file.name, |answer: &&Value| answer["net"].as_f64());
    let label = match ask["id"].as_str().expect("an id") {
        "net" | "amount" => {
            let is_true =
                |answer: &&Value| net(answer).is_some_and(|net| (net - file.truth.net).abs() < 0.001);
            let right = answers.iter().find(is_true);
            return right
                .cloned()
                .ok_or_else(|| format!("{name}: no answer comes to the true amount: {ask}"));
        }
        "sheets" => "All 2",
        "figure" => "Quantities",
        "once" => "Once for the receipt",
        "store" => "Yes",
        // The file without titles has line amounts.
        "price" if name == "no names at all" => "Of the line",
        "price" => "Of one",
        "decimal" => "Thousands",
        "fillDown" => "Use the row above",
        "totals" => "No, leave them out",
        "products" => "These",
        _ => return Err(format!("{name}: what is said to this? {ask}")),
    };
    let said = answers.iter().find(|answer| answer["label"] == label);
    said.cloned().ok_or_else(|| format!("{name}: «{label}» is not offered: {ask}"))
}

fn fits(truth: &Truth, summary: &Value) -> bool {
    let near = |a: &Value, b: f64| (a.as_f64().expect("a number") - b).abs() < 0.000_01;
    summary["goodLines"] == truth.lines
        && near(&summary["qty"], truth.qty)
        && near(&summary["net"], truth.net)
        && summary["days"] == truth.days
        && summary["stores"] == truth.stores
}

/// Whether what is posted and what is left out come to what is in the file.
pub fn adds_up(summary: &Value) -> bool {
    let left = summary["leftOut"].as_array().expect("sums");
    let number = |value: &Value| value.as_f64().expect("a number");
    [("qty", "fileQty"), ("net", "fileNet")].iter().all(|(posted, file)| {
        let left: f64 = left.iter().map(|sum| number(&sum[*posted])).sum();
        (number(&summary[*posted]) + left - number(&summary[*file])).abs() < 0.000_01
    })
}

#[rstest]
#[case::at_home(files::files(), 30)]
#[case::of_others(odd::files(), 10)]
#[tokio::test]
async fn every_layout_gives_its_true_totals_or_asks(
    #[from(one_engine)] on: Engine,
    #[case] files: Vec<File>,
    #[case] least: usize,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let store = admin.post("/api/stores/locations", &json!({ "name": "Ortigas" })).await.expect(201);
    let mut wrong = Vec::new();
    assert!(files.len() >= least, "{}", files.len());
    for file in &files {
        let name = format!("{}.{}", file.name.replace(' ', "-"), file.ending);
        let answer = admin.upload(&format!("{HOME}/uploads?fileName={name}"), file.bytes.clone()).await;
        if answer.status != 201 {
            wrong.push(format!("{}: refused: {}", file.name, answer.text()));
            continue;
        }
        let batch = answer.expect(201);
        let layout = &batch["layout"];
        let mut suggestion = layout["suggestion"].clone();
        if suggestion["columns"]["store"].is_null() {
            suggestion["store"] = json!({ "fixed": store["id"] });
        }
        let mut asks: Vec<Value> = layout["asks"].as_array().expect("asks").clone();
        let products: Vec<Value> = layout["productColumns"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|at| {
                let place = usize::try_from(at.as_u64().expect("a place")).expect("small");
                json!({ "column": at, "name": layout["columns"][place]["header"] })
            })
            .collect();
        if !products.is_empty() {
            asks.push(json!({ "id": "products", "about": "Products?", "choices": [
                { "id": "these", "label": "These", "set": { "products": products } },
            ] }));
        }
        let unsure =
            layout["dateFormats"].as_array().expect("formats").iter().any(|read| read["certain"] == false);
        if unsure {
            wrong.push(format!("{}: its dates can be read in two ways", file.name));
            continue;
        }
        let questions: Vec<&str> = asks.iter().filter_map(|ask| ask["about"].as_str()).collect();
        let answers: Result<Vec<Value>, String> = asks.iter().map(|ask| said(file, ask)).collect();
        let answers = match answers {
            Ok(answers) => answers,
            Err(why) => {
                wrong.push(why);
                continue;
            }
        };
        // The server applies the answers; only the product columns are the client's.
        let mut way = suggestion.clone();
        if !products.is_empty() {
            way["products"] = json!(products);
        }
        let chosen = asks.iter().zip(&answers);
        way["answers"] = chosen
            .map(|(ask, choice)| (ask["id"].as_str().expect("an id").to_owned(), choice["id"].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let (right, seen) = match summary(&app, &admin, &batch, &way).await {
            Ok(summary) => {
                let keys = ["goodLines", "qty", "net", "days", "stores", "problemLines", "leftOutRows"];
                (
                    fits(&file.truth, &summary) && adds_up(&summary),
                    keys.map(|key| format!("{key} {}", summary[key])).join(" "),
                )
            }
            Err(refusal) => (false, format!("refused {refusal}")),
        };
        if !right || asks.len() > file.truth.questions {
            let columns = &suggestion["columns"];
            wrong.push(format!(
                "{}: true {:?}\n  asked {questions:?}\n  {columns} shape {}\n  {}",
                file.name, file.truth, layout["shape"], seen
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

#[rstest]
#[tokio::test]
async fn a_question_must_be_answered_before_the_file_is_posted(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "Receipt No,Date,Store,Item,Qty,Total\n1,2026-11-01,Makati,Rice,1,70\n1,2026-11-01,Makati,Tea,2,70\n\
                2,2026-11-01,Makati,Rice,1,50\n3,2026-11-02,Makati,Egg,1,12\n3,2026-11-02,Makati,Tea,3,12\n";
    let batch = upload(&admin, "once.csv", file).await;
    let layout = &batch["layout"];
    let ask = &layout["asks"][0];
    assert_eq!(ask["id"], "once", "{layout}");
    assert!(ask["about"].as_str().is_some_and(|words| words.contains("Count them once?")), "{ask}");
    let choices = ask["choices"].as_array().expect("two");
    let nets: Vec<(&Value, &Value)> = choices.iter().map(|choice| (&choice["id"], &choice["net"])).collect();
    assert_eq!(nets, [(&json!("once"), &json!(132)), (&json!("line"), &json!(214))]);
    // Without an answer it is read as the first choice says, and not posted.
    let suggestion = layout["suggestion"].clone();
    let open = summary(&app, &admin, &batch, &suggestion).await.expect("read");
    assert_eq!((&open["net"], &open["asks"][0]["id"]), (&json!(132), &json!("once")), "{open}");
    super::import_sales_product::create_unknowns(&admin, &batch).await;
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let refused = admin.post(&format!("{path}/post"), &json!({})).await.expect(409);
    assert_eq!((&refused["code"], &refused["asks"][0]["id"]), (&json!("asks"), &json!("once")), "{refused}");
    let mut mapping = suggestion.clone();
    mapping["answers"] = json!({ "once": "line" });
    let each = summary(&app, &admin, &batch, &mapping).await.expect("read");
    assert_eq!((&each["net"], &each["fileNet"], &each["asks"]), (&json!(214), &json!(214), &json!([])));
    mapping["answers"] = json!({ "once": "once" });
    let once = summary(&app, &admin, &batch, &mapping).await.expect("read");
    assert_eq!((&once["net"], &once["fileNet"], &once["asks"]), (&json!(132), &json!(214), &json!([])));
    let repeated = json!([{ "reason": "repeatedOnLines", "label": "Receipt amounts repeated on lines", "rows": 2,
                            "qty": 0, "net": 82 }]);
    assert_eq!(once["leftOut"], repeated);
    let viewer = app.user(&[("tools/importSalesProduct", &[Action::View])], None).await;
    assert_eq!(viewer.put(&format!("{path}/mapping"), &mapping).await.status, 403);
    super::import_sales_product::post(&app, &admin, &batch, false).await;
    // The next file with these columns is read the same way, unasked.
    let next = upload(&admin, "next.csv", file.replace("2026-11-0", "2026-11-1")).await;
    assert_eq!(next["mapping"]["answers"], json!({ "once": "once" }), "{next}");
    let next = summary(&app, &admin, &next, &next["mapping"]).await.expect("read");
    assert_eq!((&next["net"], &next["asks"]), (&json!(132), &json!([])));
}

const RECEIPTS: &str = "Receipt No,Date,Time,Store,Terminal,Order Type,Channel,Item,Qty,Price,Discount,Pax,Senior Discount,\
Promo Discount,VATable Sales,VAT Amount,VAT Exempt Sales,Zero Rated Sales,Service Charge,Type,Payment Type,Reference No\n\
1,2026-11-01,10:05,Makati,01,Dine in,Counter,Rice,2,56.00,0,3,0,0,100.00,12.00,0,0,5.60,Sale,Cash,\n\
1,2026-11-01,10:05,Makati,01,Dine in,Counter,Tea,1,56.00,11.20,,11.20,0,0,0,44.80,0,,Sale,Cash,\n\
2,2026-11-01,11:00,Makati,02,Delivery,GrabFood,Rice,4,56.00,4.00,1,0,4.00,196.43,23.57,0,0,0,Sale,GCash,778899\n\
3,2026-11-01,11:30,Makati,02,Dine in,Counter,Tea,-1,56.00,0,,0,0,-50.00,-6.00,0,0,0,Return,Cash,\n\
4,2026-11-01,11:40,Makati,02,Dine in,Counter,Tea,1,56.00,0,,0,0,50.00,6.00,0,0,0,Void,Cash,\n";

#[rstest]
#[tokio::test]
async fn receipt_data_is_stored_summed_and_reverted(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    use larder_ledgers::sales::{facts, rebuild, verify};
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = upload(&admin, "receipts.csv", RECEIPTS).await;
    let layout = &batch["layout"];
    assert_eq!(layout["asks"], json!([]), "{layout}");
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let checked = summary(&app, &admin, &batch, &layout["suggestion"]).await.expect("read");
    assert_eq!(checked["notes"], json!([]), "{checked}");
    super::import_sales_product::create_unknowns(&admin, &batch).await;
    super::import_sales_product::post(&app, &admin, &batch, true).await;
    let stores: Vec<(String,)> =
        app.db.sql("select id from locations where name = 'Makati'").all().await.expect("a store");
    let store = &stores[0].0;
    let day = admin.get(&format!("{HOME}/days/{store}/2026-11-01")).await.expect(200);
    let [one, two] = &day["facts"].as_array().expect("tills")[..] else { panic!("{day}") };
    let keys = ["receipts", "pax", "gross", "discounts", "returns", "voids", "net"];
    let of = |till: &Value| keys.map(|key| till[key].as_f64().expect("a number"));
    assert_eq!(of(one), [1.0, 3.0, 168.0, 11.2, 0.0, 0.0, 156.8]);
    assert_eq!(of(two), [3.0, 1.0, 280.0, 4.0, 56.0, 56.0, 164.0]);
    for till in [one, two] {
        let [_, _, gross, discounts, returns, voids, net] = of(till);
        assert!((gross - discounts - returns - voids - net).abs() < 0.001);
    }
    let paid: Vec<(String, f64)> = day["tenders"]
        .as_array()
        .expect("tenders")
        .iter()
        .map(|tender| {
            (
                tender["name"].as_str().expect("a name").to_owned(),
                tender["amount"].as_f64().expect("a number"),
            )
        })
        .collect();
    assert_eq!(paid, [("GCash".to_owned(), 220.0), ("Cash".to_owned(), 100.8)]);
    assert_eq!(
        (&day["lines"][2]["channel"], &day["lines"][2]["serviceType"]),
        (&json!("GrabFood"), &json!("Delivery"))
    );
    let tills =
        admin.get(&format!("{HOME}/terminal-summary?from=2026-11-01&to=2026-11-01")).await.expect(200);
    assert_eq!(tills["items"][0]["serviceCharge"], 5.6, "{tills}");
    assert_eq!(verify(&app.db).await.expect("counted"), []);

    let at = app.state.now();
    app.db
        .write(&crate::support::actor(at), async |tx| -> Result<(), larder_db::DbError> {
            tx.sql("update sales_day_facts set vat = vat + 1, pax = 9").execute().await?;
            tx.sql("delete from sales_day_facts where terminal_id = '02'").execute().await?;
            Ok(())
        })
        .await
        .expect("damaged");
    let tables: std::collections::BTreeSet<&str> =
        verify(&app.db).await.expect("counted").iter().map(|difference| difference.table).collect();
    assert_eq!(tables, ["sales_day_facts"].into());
    rebuild(&app.db, &crate::support::actor(at)).await.expect("rebuilt");
    assert_eq!(verify(&app.db).await.expect("counted"), []);

    admin.post(&format!("{path}/revert"), &json!({})).await.expect(200);
    app.drain().await;
    let span = larder_domain::Span {
        from: "2026-01-01".parse().expect("a day"),
        to: "2026-12-31".parse().expect("a day"),
    };
    assert_eq!(facts::of_days(&app.db, &[store], span).await.expect("read"), []);
    let tenders: i64 =
        app.db.sql("select cast(count(*) as bigint) from sales_tenders").scalar().await.expect("a count");
    assert_eq!(tenders, 0);
}

#[rstest]
#[tokio::test]
async fn root_item_quantities_count_as_use(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    use larder_ledgers::sales::{rebuild, verify};
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    admin.post("/api/stores/locations", &json!({ "name": "Makati" })).await.expect(201);
    admin.post("/api/lists/root-items", &json!({ "name": "Flour" })).await.expect(201);
    let file = "Store,Date,Root item,Quantity\nMakati,2026-11-02,Flour,12.5\nMakati,2026-11-02,Sugar,3\nMakati,2026-11-03,Flour,2\n";
    let path = format!("{HOME}/root-item-qty/uploads?fileName=roots.csv");
    let batch = admin.upload(&path, file.to_owned()).await.expect(201);
    assert_eq!(batch["subject"], "rootItems");
    let checked = summary(&app, &admin, &batch, &batch["layout"]["suggestion"]).await.expect("read");
    assert_eq!(checked["warnings"], json!(["1 root item is not known."]), "{checked}");
    let of = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let refused = admin.post(&format!("{of}/post"), &json!({})).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    super::import_sales_product::create_unknowns(&admin, &batch).await;
    let posted = super::import_sales_product::post(&app, &admin, &batch, false).await;
    assert_eq!(posted["state"], "posted", "{posted}");
    let report =
        admin.get("/api/reports/weekly-root-item-sales?from=2026-11-02&to=2026-11-08").await.expect(200);
    let rows = report["items"].as_array().or_else(|| report["rows"].as_array()).expect("rows").clone();
    assert!(
        rows.iter().any(|row| row.to_string().contains("Flour") && row.to_string().contains("14.5")),
        "{report}"
    );
    assert_eq!(verify(&app.db).await.expect("counted"), []);
    rebuild(&app.db, &crate::support::actor(app.state.now())).await.expect("rebuilt");
    assert_eq!(verify(&app.db).await.expect("counted"), []);
    let lists = [format!("{HOME}/root-item-qty/batches"), format!("{HOME}/batches")];
    let mut totals = Vec::new();
    for list in &lists {
        totals.push(admin.get(list).await.expect(200)["total"].clone());
    }
    assert_eq!(totals, [json!(1), json!(0)]);
    admin.post(&format!("{of}/revert"), &json!({})).await.expect(200);
    app.drain().await;
    assert_eq!(verify(&app.db).await.expect("counted"), []);
    let viewer = app.user(&[("tools/importSalesProduct", &[Action::View])], None).await;
    assert_eq!(viewer.upload(&path, file.to_owned()).await.status, 403);
}

#[rstest]
#[tokio::test]
async fn confirmed_mappings_are_suggested_for_similar_columns(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let first =
        "When,Store,What,How much,Peso,Till\n2026-11-13,Makati,Rice,2,50,1\n2026-11-14,Makati,Tea,1,20,1\n";
    let batch = upload(&admin, "first.csv", first).await;
    let mut mapping = batch["layout"]["suggestion"].clone();
    mapping["columns"] = json!({ "date": 0, "store": 1, "item": 2, "quantity": 3, "net": 4 });
    summary(&app, &admin, &batch, &mapping).await.expect("read");
    super::import_sales_product::create_unknowns(&admin, &batch).await;
    super::import_sales_product::post(&app, &admin, &batch, true).await;
    let second = "Store,When,What,Note,How much,Peso,Till\nMakati,2026-11-15,Rice,x,2,50,1\nMakati,2026-11-15,Tea,y,1,20,1\n";
    let batch = upload(&admin, "second.csv", second).await;
    let layout = &batch["layout"];
    assert_eq!(layout["rememberedFrom"], "first.csv", "{layout}");
    assert!(layout["rememberedBy"].is_string());
    assert_eq!(layout["differences"], json!(["«Note» is new and not used."]));
    let columns = &batch["mapping"]["columns"];
    assert_eq!((&columns["net"], &columns["date"], &columns["quantity"]), (&json!(5), &json!(1), &json!(4)));
}
