//! Properties that hold for any records and any file.

use larder_lists::catalog;
use larder_lists::engine::{Kind, ListDef, Origin};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rstest::rstest;
use serde_json::{Map, Value, json};

use super::{HOME, check, commit, counts, make, path, rows, suggested, try_out, upload};
use crate::support::{App, Client, Engine};

/// Text that causes trouble elsewhere.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[A-Za-zñÑ0-9 .,;:'\"/()&#-]{1,20}",
        1 => Just("=SUM(A1:A9)".to_owned()),
        1 => Just("-5".to_owned()),
        1 => Just("'=x".to_owned()),
        1 => Just("(empty)".to_owned()),
        1 => Just("yes".to_owned()),
        1 => Just("00123".to_owned()),
        1 => Just("1e5".to_owned()),
        1 => Just("2019-08-03".to_owned()),
        1 => Just("<b>&amp;</b>".to_owned()),
        1 => Just("خبز 🍞".to_owned()),
        1 => "[ a-c]{1,3}",
    ]
}

/// Unambiguous text that does not clear a field.
fn tame() -> impl Strategy<Value = String> {
    "[=+@<]?[A-Za-zñÑ][A-Za-z0-9 .,;:\"/()&#-]{8,20}[a-z]"
}

/// Any valid value of a field, except references.
fn value(field: &'static larder_lists::engine::Field, is_tame: bool) -> BoxedStrategy<Value> {
    let text = move || if is_tame { tame().boxed() } else { text().boxed() };
    use larder_lists::engine::Form;
    let max = field.max;
    match (field.kind, field.form) {
        (_, Form::OneOf(words)) => prop::sample::select(words.to_vec()).prop_map(Value::from).boxed(),
        (_, Form::Email) => "[a-z]{1,8}@[a-z]{1,8}\\.com".prop_map(Value::from).boxed(),
        (_, Form::Web) => "https://[a-z]{1,8}\\.com/[a-z]{0,5}".prop_map(Value::from).boxed(),
        (Kind::Lines, _) => {
            prop::collection::vec(text(), 1..3).prop_map(|lines| json!(lines.join("\n").trim())).boxed()
        }
        (Kind::Text, _) => text()
            .prop_map(move |text| json!(text.trim().chars().take(max).collect::<String>().trim()))
            .boxed(),
        (Kind::Qty, _) => (0i64..5_000_000_000).prop_map(|n| json!(larder_domain::Qty(n))).boxed(),
        (Kind::Money, _) => (0i64..5_000_000_000).prop_map(|n| json!(larder_domain::Money(n))).boxed(),
        (Kind::Factor, _) => (1i64..900_000_000_000).prop_map(|n| json!(larder_domain::Factor(n))).boxed(),
        (Kind::Int, _) => (0i64..1_000_000).prop_map(Value::from).boxed(),
        (Kind::Bool, _) => any::<bool>().prop_map(Value::from).boxed(),
        (Kind::Day, _) => (-7_000i32..60_000).prop_map(|day| json!(larder_domain::BusinessDay(day))).boxed(),
        (Kind::Ref | Kind::Items(_), _) => Just(Value::Null).boxed(),
    }
}

/// Valid records of a list; `refs` gives each reference one of these ids.
fn record(
    def: &'static ListDef,
    refs: &Map<String, Value>,
    is_tame: bool,
) -> BoxedStrategy<Map<String, Value>> {
    let mut whole: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
    for field in def.fields.iter().filter(|field| field.origin == Origin::Given) {
        let value = match refs.get(field.name) {
            Some(Value::Array(ids)) => prop::sample::select(ids.clone()).boxed(),
            _ => value(field, is_tame),
        };
        // Rules across fields have tests of their own.
        let weight = if matches!(
            field.name,
            "detailType" | "currency" | "rentPercent" | "isDefault" | "defaultSellingUom"
        ) {
            0
        } else {
            2
        };
        let value = if field.required && field.usual.is_none() {
            value.prop_map(Some).boxed()
        } else if weight == 0 {
            Just(None).boxed()
        } else {
            prop::option::of(value).boxed()
        };
        whole = (whole, value)
            .prop_map(move |(mut body, value)| {
                if let Some(value) = value.filter(|value| !value.is_null() && *value != "") {
                    body.insert(field.name.to_owned(), value);
                }
                body
            })
            .boxed();
    }
    let custom =
        prop::option::of(prop::collection::btree_map("[a-z]{1,6}X", text().prop_map(Value::from), 0..3));
    (whole, custom)
        .prop_map(|(mut body, custom)| {
            body.extend(custom.unwrap_or_default());
            body
        })
        .boxed()
}

fn draw<T>(runner: &mut TestRunner, strategy: &impl Strategy<Value = T>) -> T {
    strategy.new_tree(runner).expect("a value").current()
}

/// Fills a list with the given number of records and returns their ids. Records that violate a rule across
/// fields are refused and generated again.
async fn fill(
    client: &Client,
    runner: &mut TestRunner,
    def: &'static ListDef,
    refs: &Map<String, Value>,
    wanted: usize,
    is_tame: bool,
) -> Vec<Value> {
    let strategy = record(def, refs, is_tame);
    let mut ids = Vec::new();
    for _ in 0..wanted * 20 {
        let body = Value::Object(draw(runner, &strategy));
        let answer = client.post(def.path, &body).await;
        if answer.status == 201 {
            ids.push(answer.json()["id"].clone());
        } else {
            assert!(matches!(answer.status, 409 | 422), "{}: {}", def.kind, answer.text());
        }
        if ids.len() == wanted {
            return ids;
        }
    }
    panic!("{}: only {} of {wanted} records were taken", def.kind, ids.len());
}

/// The list as exported.
async fn export(client: &Client, def: &ListDef, format: &str) -> Vec<u8> {
    let all = def.hidden.map_or(String::new(), |hidden| format!("&{}=true", hidden.unless));
    let answer = client.get(&format!("{}/export?format={format}{all}", def.path)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.bytes
}

async fn stand(client: &Client, def: &ListDef) -> Value {
    let all = def.hidden.map_or(String::new(), |hidden| format!("&{}=true", hidden.unless));
    client.get(&format!("{}?pageSize=all{all}", def.path)).await.expect(200)
}

fn slug(def: &'static ListDef) -> &'static str {
    if def.stores { "stores" } else { def.slug() }
}

#[rstest]
#[tokio::test]
async fn importing_an_export_changes_nothing(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values("csv", "xlsx")] format: &str,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut runner = TestRunner::new(ProptestConfig::default());
    let mut refs = Map::new();
    // References first; some names are equal, so that only existing values can distinguish them.
    let lists: [(&'static ListDef, &[&str]); 13] = [
        (&catalog::Uom::DEF, &["baseUom", "defaultSellingUom", "yieldUomId", "uomId"]),
        (&catalog::Category::DEF, &["category"]),
        (&catalog::FoodType::DEF, &["foodType"]),
        (&catalog::OperationalArea::DEF, &["operationalAreaId"]),
        (&catalog::Company::DEF, &["companyId"]),
        (&catalog::Supplier::DEF, &[]),
        (&catalog::Commissary::DEF, &[]),
        (&catalog::RootItem::DEF, &["rootItemId"]),
        (&catalog::PosItem::DEF, &[]),
        (&catalog::Location::DEF, &["storeId"]),
        (&catalog::Product::DEF, &["productId"]),
        (&catalog::StoreInventoryItem::DEF, &[]),
        (&catalog::StoreRootItem::DEF, &[]),
    ];
    for (def, names) in lists {
        let ids = fill(&admin, &mut runner, def, &refs, 12, false).await;
        for name in names {
            refs.insert((*name).to_owned(), Value::Array(ids.clone()));
        }
    }
    let alike = json!({ "name": "Twin", "description": "the same name twice", "type": "Service" });
    for _ in 0..2 {
        make(&admin, "/api/products", &alike).await;
    }
    for (def, _) in lists {
        let before = stand(&admin, def).await;
        let file = export(&admin, def, format).await;
        let name = format!("a.{format}");
        let batch = upload(&admin, slug(def), &name, file).await;
        let mapping = suggested(&batch, "id");
        let checked = check(&app, &admin, &batch, &mapping).await;
        let total = before["total"].as_i64().expect("a total");
        let odd = [rows(&admin, &batch, "failed").await, rows(&admin, &batch, "updated").await].concat();
        assert_eq!(counts(&checked), (0, 0, total, 0), "{} as {format}: {odd:?}", def.kind);
        assert_eq!(stand(&admin, def).await, before, "{}", def.kind);
    }
}

#[rstest]
#[tokio::test]
async fn an_export_restores_an_emptied_list(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values("csv", "xlsx")] format: &str,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut runner = TestRunner::new(ProptestConfig::default());
    let mut refs = Map::new();
    let lists: [(&'static ListDef, &[&str]); 7] = [
        (&catalog::Uom::DEF, &["baseUom", "uomId", "yieldUomId"]),
        (&catalog::Category::DEF, &["category"]),
        (&catalog::RootItem::DEF, &["rootItemId"]),
        (&catalog::Supplier::DEF, &[]),
        (&catalog::StoreInventoryItem::DEF, &[]),
        (&catalog::Recipe::DEF, &[]),
        (&catalog::Product::DEF, &[]),
    ];
    for (def, names) in lists {
        let ids = fill(&admin, &mut runner, def, &refs, 10, true).await;
        for name in names {
            refs.insert((*name).to_owned(), Value::Array(ids.clone()));
        }
    }
    for (def, _) in &lists[3..] {
        let (before, file) = (stand(&admin, def).await, export(&admin, def, format).await);
        for item in before["items"].as_array().expect("items") {
            let id = item["id"].as_str().expect("an id");
            assert_eq!(admin.delete(&format!("{}/{id}", def.path)).await.status, 204);
        }
        let batch = try_out(&app, &admin, slug(def), "id", &format!("b.{format}"), file).await;
        let (total, failed) = (before["total"].as_i64(), rows(&admin, &batch, "failed").await);
        assert_eq!(Some(counts(&batch).0), total, "{} as {format}: {failed:?}", def.kind);
        commit(&app, &admin, &batch).await;
        assert_eq!(bare(stand(&admin, def).await), bare(before), "{} as {format}", def.kind);
        let again = export(&admin, def, format).await;
        let batch = try_out(&app, &admin, slug(def), "id", &format!("c.{format}"), again).await;
        assert_eq!(Some(counts(&batch).2), total, "{} as {format}", def.kind);
    }
}

/// Records without system fields, by id.
fn bare(list: Value) -> Vec<Value> {
    let mut items = list["items"].as_array().expect("items").clone();
    for item in &mut items {
        let item = item.as_object_mut().expect("a record");
        for name in ["createdAt", "createdBy", "updatedAt", "updatedBy", "revision"] {
            item.remove(name);
        }
    }
    items.sort_by_key(|item| item["id"].as_str().map(str::to_owned));
    items
}

/// A file with few distinct values, so that rows refer to each other.
fn muddle(list: &str) -> impl Strategy<Value = Vec<Vec<String>>> + use<> {
    let few =
        |words: &[&str]| prop::sample::select(words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>());
    let columns: Vec<BoxedStrategy<String>> = match list {
        "uoms" => vec![
            few(&["", "", "", "keep1", "keep2", "bad id!"]).boxed(),
            few(&["Kilo", "kilo ", "Piece", "Box", "Sack", ""]).boxed(),
            few(&["kg", "KG", "pc", "bx", "sk", "", "x".repeat(30).as_str()]).boxed(),
        ],
        "categories" => vec![
            few(&["Food", "food", "Meat", "Pork", "Belly", "Drinks", ""]).boxed(),
            few(&["", "", "Food", "Meat", "Pork", "Belly", "Nowhere", "(empty)"]).boxed(),
        ],
        "chart-of-accounts" => vec![
            few(&["", "1000", "2000", "3000"]).boxed(),
            few(&["Cash", "Cash:Till", "Cash:Till:One", "Sales", "Sales:Till", "Rent"]).boxed(),
            few(&["Bank", "Income", "Expenses", "Shoes", "Bank"]).boxed(),
            few(&["", "yes", "no"]).boxed(),
        ],
        "commissaries" => vec![
            few(&["North", "South", "East", "north"]).boxed(),
            few(&["yes", "no", "", "perhaps"]).boxed(),
            few(&["a@b.com", "", "no address", "(empty)"]).boxed(),
        ],
        "stores" => vec![
            few(&["Makati", "Pasig", "Taguig"]).boxed(),
            few(&["MK", "PS", ""]).boxed(),
            few(&["P1", "P2", ""]).boxed(),
            few(&["T1", "T2", ""]).boxed(),
        ],
        _ => vec![
            few(&["A", "B", "C", "", "d"]).boxed(),
            few(&["Pork", "Beef", "Fish", ""]).boxed(),
            few(&["Food", "Meat", "", "Nowhere", "(empty)"]).boxed(),
            few(&["1", "2.5", "1.234", "", "(empty)", "dear"]).boxed(),
        ],
    };
    prop::collection::vec(columns, 1..14)
}

const MUDDLES: [(&str, &str, &str); 6] = [
    ("uoms", "Id,Name,Code", "code"),
    ("categories", "Name,Parent category", "name"),
    ("chart-of-accounts", "Number,Full name,Type,Inactive", "name"),
    ("commissaries", "Name,Default,Email", "name"),
    ("stores", "Name,Code,POS code,Terminal id", "name"),
    ("products", "SKU,Name,Category,Price: Mall", "code"),
];

#[rstest]
#[tokio::test]
async fn a_commit_does_what_its_check_planned(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values(0, 1, 2, 3, 4, 5)] which: usize,
) {
    let (list, titles, by) = MUDDLES[which];
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make(&admin, "/api/lists/price-levels", &json!({ "name": "Mall" })).await;
    let mut runner = TestRunner::new(ProptestConfig::default());
    let strategy = muddle(list);
    let def = catalog::by_slug(list).expect("a list");
    let mut committed_rows = 0;
    for round in 0..14 {
        let mut file = format!("{titles}\n");
        let drawn = draw(&mut runner, &strategy);
        for row in &drawn {
            let cells: Vec<String> = row.iter().map(|cell| format!("\"{cell}\"")).collect();
            file.push_str(&format!("{}\n", cells.join(",")));
        }
        if drawn.iter().flatten().all(String::is_empty) {
            let path = format!("{HOME}/uploads?list={list}&fileName=m.csv");
            let refused = admin.upload(&path, file.into_bytes()).await.expect(422);
            assert_eq!(refused["code"], "notATable");
            continue;
        }
        let batch = upload(&admin, list, "m.csv", file.clone()).await;
        let mut mapping = suggested(&batch, by);
        mapping["missing"] = json!(if round % 2 == 0 { "create" } else { "ignore" });
        let checked = check(&app, &admin, &batch, &mapping).await;
        assert_eq!(checked["state"], "checked", "{checked}\n{file}");
        let said = everything(&admin, &batch).await;
        let written = counts(&checked).0 + counts(&checked).1;
        if written == 0 && checked["summary"]["willCreate"] == json!([]) {
            continue;
        }
        let committed = commit(&app, &admin, &batch).await;
        let (came, why) = (counts(&committed), rows(&admin, &batch, "failed").await);
        assert_eq!(came, counts(&checked), "{file}\n{why:?}");
        assert_eq!(everything(&admin, &batch).await, said, "{file}");
        committed_rows += written;
        for row in said.iter().filter(|row| row["outcome"] != "failed") {
            let id = row["recordId"].as_str().expect("an id");
            let record = admin.get(&format!("{}/{id}", def.path)).await.expect(200);
            for change in row["changes"].as_array().expect("changes") {
                let field = change["field"].as_str().expect("a field");
                let is_ref = def.field(field).is_some_and(|f| matches!(f.kind, Kind::Ref | Kind::Items(_)));
                // Setting a default clears the previous one.
                if !is_ref && field != "isDefault" {
                    assert_eq!(record[field], change["after"], "{field} of {row}\n{file}");
                }
            }
        }
    }
    assert!(committed_rows > 0, "no file had a row to commit");
}

/// The effect of every row of a file.
async fn everything(client: &Client, batch: &Value) -> Vec<Value> {
    let page = client.get(&format!("{}/rows?pageSize=1000", path(batch))).await.expect(200);
    page["items"].as_array().expect("rows").clone()
}
