//! Figures of a plan compared with the pages they come from.

use rstest::rstest;
use serde_json::{Value, json};

use super::{PLAN, Stage, close, figure, number, numbers};
use crate::documents::{ORDERS, made, path};
use crate::support::{Engine, one_engine};

#[rstest]
#[tokio::test]
async fn every_figure_equals_its_source_page(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 6).await;
    stage.send(2).await;
    let ordered = stage.order(1, 3).await;
    let run = stage.run(json!({ "storeIds": [stage.store] })).await;
    assert_eq!(run["outcome"]["failedTotal"], 0, "{run}");
    let line = stage.line().await;

    // Stock, as in the inventory.
    let page = format!("/api/stores/inventory?storeId={}&by=rootItems", stage.store);
    let page = stage.admin.get(&page).await.expect(200);
    let row = &page["items"][0];
    assert_eq!((&row["id"], &row["onHand"], &row["inTransit"]), (&json!(stage.rice), &json!(6), &json!(10)));
    for (here, there) in [("onHand", "onHand"), ("inTransit", "inTransit")] {
        assert_eq!(line[here], row[there], "{here}");
    }
    // Orders, as on their page.
    let open = stage.admin.get(&path(ORDERS, &ordered)).await.expect(200);
    let kilos = number(&open["lines"][0]["qtyOrdered"]) * number(&open["lines"][0]["factor"]);
    assert_eq!(number(&line["onOrder"]), kilos);
    // The same in the order guide.
    let guide = format!("{ORDERS}/guide?storeId={}", stage.store);
    let guide = stage.admin.get(&guide).await.expect(200);
    let item = &guide["items"][0];
    for figure in ["onHand", "inTransit", "onOrder"] {
        assert_eq!(item[figure], line[figure], "{figure}");
    }
    assert_eq!((&item["suggested"], &item["why"]), (&line["suggested"], &line["why"]));

    // Identical weeks are forecast exactly, without safety stock.
    assert_eq!(
        (&line["leadDays"], &line["reviewDays"], &line["method"]),
        (&json!(1), &json!(2), &json!("dow_ma"))
    );
    assert_eq!(number(&line["forecast"]), stage.sells(3) as f64);
    assert_eq!((&line["safetyStock"], &line["target"]), (&json!(0), &line["forecast"]));
    assert_eq!((&line["committed"], &line["pack"], &line["unit"]), (&json!(0), &json!(5), &json!("kg")));
    let position = 6.0 + 10.0 + 5.0;
    assert_eq!(number(&line["position"]), position);
    let packs = ((stage.sells(3) as f64 - position) / 5.0).max(0.0).ceil();
    assert_eq!(number(&line["suggested"]), packs);
    assert_eq!(number(&line["amount"]), packs * 250.0);
    assert_eq!(line["neededDate"], json!(stage.today().plus(1)));
    assert!(close(
        number(&line["coverDays"]),
        ((position + packs * 5.0) / (stage.sells(3) as f64 / 3.0) * 10.0).round() / 10.0
    ));

    // Every figure is also in the explanation.
    for (name, field) in [
        ("Forecast", "forecast"),
        ("Safety stock", "safetyStock"),
        ("Target", "target"),
        ("On hand", "onHand"),
        ("In transit", "inTransit"),
        ("On order", "onOrder"),
        ("Position", "position"),
        ("Pack", "pack"),
        ("Suggested", "suggested"),
        ("Lead days", "leadDays"),
        ("Review days", "reviewDays"),
    ] {
        assert_eq!(figure(&line["why"], name)["value"], line[field], "{name}");
    }
    let of_plan = figure(&line["why"], "Suggested")["source"].as_str().expect("words").to_owned();
    assert_eq!(of_plan, format!("plan of {}", stage.today().display()));

    // Projected stock: on hand + arrivals − use.
    let heat = stage.admin.get(&format!("{PLAN}/heat?storeId={}", stage.store)).await.expect(200);
    let stock = numbers(&heat["rows"][0]["stock"]);
    assert_eq!((stock.len(), heat["dates"].as_array().map(Vec::len)), (14, Some(14)));
    let mut left = 6.0;
    for (day, stock) in (0..14).zip(&stock) {
        let arrives = f64::from(10 * i32::from(day == 1) + 5 * i32::from(day == 3));
        left += arrives - (stage.sells(day + 1) - stage.sells(day)) as f64;
        assert!(close(left, *stock), "day {day}: {left} and {stock}");
    }
    let out = stock.iter().position(|left| *left < -1e-9).map(|day| stage.today().plus(day as i32));
    assert_eq!(heat["rows"][0]["outOn"], json!(out));
    assert_eq!(line["stockOutDate"], json!(out));
    assert_eq!(line["atRisk"], json!(out.is_some_and(|day| day < stage.today().plus(1))));

    // The grid conserves quantities.
    let grid = format!("{PLAN}/grid?productId={}&storeId={}", stage.sacks, stage.store);
    let grid = stage.admin.get(&grid).await.expect(200);
    conserved(&grid);
    assert_eq!(number(&grid["gross"][0]), (stage.sells(1)) as f64);
    let grid = format!("{PLAN}/grid?productId={}&commissaryId={}", stage.sacks, stage.kitchen);
    let grid = stage.admin.get(&grid).await.expect(200);
    conserved(&grid);
    let child = numbers(&grid["children"][0]["releases"]);
    // The store's releases, late releases, and the sack already ordered.
    assert!(numbers(&grid["gross"]).iter().sum::<f64>() >= child.iter().sum::<f64>() + 5.0);
    assert_eq!(number(&grid["opening"]), 490.0);

    let stores = stage.admin.get(&format!("{PLAN}/stores")).await.expect(200);
    let item = &stores["items"][0];
    assert_eq!((&item["lines"], &item["planRunId"]), (&json!(1), &run["id"]));
    assert_eq!(item["amount"], line["amount"]);
    assert_eq!(number(&item["toOrder"]), if packs > 0.0 { 1.0 } else { 0.0 });
    let file = stage.admin.get(&format!("{PLAN}/export?format=csv&storeId={}", stage.store)).await.text();
    assert!(file.contains("Makati") && file.contains("Rice, sacks"), "{file}");
}

/// On hand = previous on hand + arrivals + releases for the day − use.
#[track_caller]
fn conserved(grid: &Value) {
    let mut before = number(&grid["opening"]);
    let of = |name: &str| numbers(&grid[name]);
    let (gross, scheduled, receipts, on_hand) = (of("gross"), of("scheduled"), of("receipts"), of("onHand"));
    assert_eq!((gross.len(), on_hand.len()), (14, 14), "{grid}");
    for day in 0..14 {
        let after = before + scheduled[day] + receipts[day] - gross[day];
        assert!(close(after, on_hand[day]), "day {day}: {after} and {} in {grid}", on_hand[day]);
        assert!(on_hand[day] >= number(&grid["safetyStock"]) - 1e-6, "{grid}");
        let packs = receipts[day] / number(&grid["pack"]);
        assert!(close(packs, packs.round()), "{grid}");
        before = after;
    }
    let late: f64 = grid["pastDue"].as_array().expect("rows").iter().map(|late| number(&late["qty"])).sum();
    let released: f64 = of("releases").iter().sum();
    assert!(close(receipts.iter().sum(), released + late), "{grid}");
}

#[rstest]
#[tokio::test]
async fn products_of_a_root_item_follow_priority_or_percent(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let bags = json!({
        "name": "Bags of rice", "baseUom": stage.kilo,
        "rootItemConversions": [{ "rootItemId": stage.rice, "factor": 1 }],
    });
    let bags = made(&stage.admin, "/api/products", bags).await;
    let at = format!("{PLAN}/settings");
    let lines = async || {
        stage.run(json!({})).await;
        let plan = stage.plan("").await;
        let mut found: Vec<(Value, f64)> = plan["lines"]
            .as_array()
            .expect("lines")
            .iter()
            .map(|line| (line["productId"].clone(), number(&line["suggested"]) * number(&line["pack"])))
            .collect();
        found.sort_by_key(|(id, _)| (*id != json!(stage.sacks)) as u8);
        found
    };
    let need = stage.sells(3) as f64;
    // The first by name.
    assert_eq!(lines().await, [(json!(bags), need)]);
    stage.admin.put(&at, &json!({ "productId": stage.sacks, "priority": 1 })).await.expect(200);
    let first = lines().await;
    assert_eq!((first.len(), &first[0].0), (1, &json!(stage.sacks)));
    assert!(first[0].1 >= need && first[0].1 < need + 5.0);
    let percent = |id: &str, percent: i64, revision: Value| json!({ "productId": id, "priority": 1, "percent": percent, "revision": revision });
    stage.admin.put(&at, &percent(&stage.sacks, 50, json!(1))).await.expect(200);
    stage.admin.put(&at, &percent(&bags, 50, Value::Null)).await.expect(200);
    let both = lines().await;
    assert_eq!(both.len(), 2);
    let sum: f64 = both.iter().map(|(_, kilos)| kilos).sum();
    assert!(sum >= need && sum < need + 5.0, "{both:?} of {need}");
    assert!((both[0].1 - need / 2.0).abs() <= 5.0, "{both:?}");
}

#[rstest]
#[tokio::test]
async fn orders_are_reduced_to_the_storage(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let revision = async |path: &str| stage.admin.get(path).await.expect(200)["revision"].clone();
    let product = format!("/api/products/{}", stage.sacks);
    let volume = json!({ "revision": revision(&product).await, "baseUomVolume": 0.01 });
    stage.admin.patch(&product, &volume).await.expect(200);
    let store = format!("/api/stores/locations/{}", stage.store);
    let room = json!({ "revision": revision(&store).await, "dryStorageCbm": 0.12 });
    stage.admin.patch(&store, &room).await.expect(200);
    stage.run(json!({})).await;
    let line = stage.line().await;
    // Twelve kilos fit: two sacks.
    assert_eq!((&line["suggested"], &line["caps"]), (&json!(2), &json!(["storage"])));
    assert_eq!(figure(&line["why"], "Room")["value"], json!(0.12));
    assert!(number(&figure(&line["why"], "Without room")["value"]) > 0.0);
}

#[rstest]
#[tokio::test]
async fn the_commissary_plan_covers_store_releases(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let grain = made(&stage.admin, "/api/lists/root-items", json!({ "name": "Grain (kg)" })).await;
    let recipe = json!({
        "name": "Rice", "productId": stage.sacks, "yieldQty": 40, "yieldUomId": stage.kilo,
        "rootItems": [{ "rootItemId": grain, "qty": 50 }],
    });
    let recipe = made(&stage.admin, "/api/lists/recipes", recipe).await;
    stage.run(json!({})).await;
    let kitchen = format!("{PLAN}/kitchen?commissaryId={}", stage.kitchen);
    let kitchen = stage.admin.get(&kitchen).await.expect(200);
    let product = &kitchen["products"][0];
    assert_eq!((&product["productId"], &product["recipeId"]), (&json!(stage.sacks), &json!(recipe)));
    assert_eq!(product["yield"], 40);
    let batches: f64 = numbers(&product["batches"]).iter().sum();
    let grid = format!("{PLAN}/grid?productId={}&commissaryId={}", stage.sacks, stage.kitchen);
    let gross: f64 = numbers(&stage.admin.get(&grid).await.expect(200)["gross"]).iter().sum();
    assert!(batches * 40.0 >= gross && (batches - 1.0) * 40.0 < gross, "{batches} batches for {gross} kg");
    let ingredient = &kitchen["ingredients"][0];
    assert_eq!(
        (number(&ingredient["needed"]), number(&ingredient["toBuy"])),
        (batches * 50.0, batches * 50.0)
    );
    stage.admin.get(&format!("{PLAN}/kitchen?commissaryId=none")).await.expect(422);
}
