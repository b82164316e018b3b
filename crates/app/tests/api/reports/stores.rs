//! Store reports: by terminal, comparison, food cost, occupancy, scorecard; and that a user of two stores
//! sees only those.

use larder_domain::on_hand::movement::Movement;
use larder_domain::{Action, BusinessDay, Money, Qty, Worth};
use larder_ledgers::snapshots;
use larder_ledgers::snapshots::SnapshotRow;
use rstest::rstest;
use serde_json::{Value, json};

use super::custom::{asked, preview};
use crate::stores::inventory::make;
use crate::support::{App, Client, Engine, actor, one_engine};
use crate::tools::import_sales_product::{post, suggested, upload, validate};

const NEW: [&str; 5] = ["sales-terminal", "sales-comparison", "food-cost", "occupancy", "store-scorecard"];
/// March 2, 2020 is a Monday.
const MARCH: &str = "from=2020-03-02&to=2020-03-08";

struct Stage {
    app: App,
    admin: Client,
    stores: Vec<String>,
    rice: String,
}

/// Four stores selling bowls of rice, with salt that has no price, at ₱100; the last one has no till, no area and no seats.
async fn stage(on: Engine) -> Stage {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make(&admin, "/api/lists/uoms", json!({ "code": "kg", "name": "Kilogram" })).await;
    let rice = make(&admin, "/api/lists/root-items", json!({ "name": "Rice (kg)", "price": 50 })).await;
    let salt = make(&admin, "/api/lists/root-items", json!({ "name": "Salt" })).await;
    let bom =
        json!([{ "rootProductId": rice, "multiplier": 0.5 }, { "rootProductId": salt, "multiplier": 0.01 }]);
    make(&admin, "/api/lists/pos-items", json!({ "description": "Bowl", "bom": bom })).await;
    let mut stores = Vec::new();
    for (at, name) in ["Makati", "Pasig", "Quezon", "Taguig"].into_iter().enumerate() {
        let mut store = json!({ "name": name, "code": format!("S{at}") });
        if at < 3 {
            store["storeAreaM2"] = json!(100);
            store["diningCapacityPax"] = json!(50);
            store["cusaCostPerSqm"] = json!(31);
        }
        stores.push(make(&admin, "/api/stores/locations", store).await);
    }
    let mut file = String::from("Date,Store,Register,Receipt,Item,Qty,Price\n");
    for (at, store) in ["Makati", "Pasig", "Quezon", "Taguig"].into_iter().enumerate() {
        for week in [-52, -1, 0] {
            for n in 0..7 {
                let day = BusinessDay(18_323 + week * 7 + n);
                let till = if at < 3 { ["T1", "T2"][n as usize % 2] } else { "" };
                let qty = if week == 0 { 10 * (at + 1) } else { 8 * (at + 1) };
                file.push_str(&format!("{day},{store},{till},{n},Bowl,{qty},100\n"));
            }
        }
    }
    let batch = upload(&admin, "bowls.csv", file).await;
    let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    Stage { app, admin, stores, rice }
}

impl Stage {
    async fn ask(&self, report: &str, more: &str) -> Value {
        self.admin.get(&format!("/api/reports/{report}?{MARCH}{more}")).await.expect(200)
    }

    /// A week with the given actual use of rice, in thousandths.
    async fn counted(&self, store: usize, used: i64) {
        let figures = Movement {
            theoretical_use: Qty(35_000_000 * (store as i64 + 1)),
            actual_use: Some(Qty(used * 1_000)),
            variance: Some(Qty(35_000_000 * (store as i64 + 1) - used * 1_000)),
            ..Movement::default()
        };
        let worth = |qty| Worth::of(qty, Money(5_000));
        let row = SnapshotRow {
            root_item_id: self.rice.clone(),
            variance_worth: figures.variance.map(worth),
            theoretical_worth: Some(worth(figures.theoretical_use)),
            figures,
        };
        let store = self.stores[store].clone();
        self.app
            .db
            .write(&actor(self.app.state.now()), async |tx| {
                snapshots::make(tx, BusinessDay(18_323), &store, std::slice::from_ref(&row)).await
            })
            .await
            .expect("a week");
    }
}

fn row<'a>(report: &'a Value, name: &str) -> &'a Value {
    let items = report["items"].as_array().expect("rows");
    items.iter().find(|row| row["name"] == name).unwrap_or(&Value::Null)
}

#[rstest]
#[tokio::test]
async fn sales_are_split_by_till_including_those_without_one(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let report = stage.ask("sales-terminal", "").await;
    let tills = report["items"].as_array().expect("tills");
    assert_eq!(tills.len(), 7, "two each, and one store without: {report}");
    assert_eq!((&tills[0]["storeName"], &tills[0]["terminal"]), (&json!("Taguig"), &json!("")));
    assert_eq!((&tills[0]["net"], &tills[0]["receiptCount"]), (&json!(28_000), &json!(7)));
    assert_eq!((&tills[0]["ticket"], &tills[0]["share"]), (&json!(4_000), &json!(0.4)));
    let file = stage.admin.get(&format!("/api/reports/sales-terminal/export?{MARCH}&measure=receipts")).await;
    assert!(file.text().contains("Taguig,No till named,1,1,1,1,1,1,1,7"), "{}", file.text());
    let long = stage.admin.get("/api/reports/sales-terminal?from=2019-01-01&to=2020-01-01").await.expect(422);
    assert_eq!(long["fields"][0]["field"], "to");
}

#[rstest]
#[tokio::test]
async fn stores_are_compared_on_the_same_weekdays(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    // The range extends beyond the last sales: both ranges end with them.
    let report =
        stage.admin.get("/api/reports/sales-comparison?from=2020-03-02&to=2020-03-20").await.expect(200);
    assert_eq!((&report["to"], &report["previous"]["from"]), (&json!("2020-03-08"), &json!("2020-02-24")));
    assert_eq!(report["year"]["from"], "2019-03-04");
    assert_eq!(report["total"]["previous"]["change"], 0.25);
    assert_eq!((&report["total"]["year"]["likeStores"], &report["total"]["days"]), (&json!(4), &json!(28)));
    // A store that opened in between has sales, but is not like for like.
    let late = &stage.stores[3];
    let revision =
        stage.admin.get(&format!("/api/stores/locations/{late}")).await.expect(200)["revision"].clone();
    let opened = json!({ "revision": revision, "openingDate": "2019-03-05" });
    stage.admin.patch(&format!("/api/stores/locations/{late}"), &opened).await.expect(200);
    let by_format = stage.ask("sales-comparison", "&by=format").await;
    let none = row(&by_format, "No format");
    assert_eq!(none["storeIds"].as_array().map(Vec::len), Some(4));
    let file =
        stage.admin.get(&format!("/api/reports/sales-comparison/export?{MARCH}&by=region")).await.text();
    assert!(file.contains("No region,70000,28,56000,70000,56000,28,0,0.25,4,"), "{file}");
}

/// Of the stores open in a week, Makati sold on three days, Pasig on none, Quezon on all but a closed one.
#[rstest]
#[tokio::test]
async fn stores_without_sales_are_named(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make(&admin, "/api/lists/pos-items", json!({ "description": "Bowl" })).await;
    let mut ids = Vec::new();
    for (name, opened) in [
        ("Makati", "2019-01-01"),
        ("Pasig", "2019-01-01"),
        ("Quezon", "2019-01-01"),
        ("Taguig", "2020-03-09"),
    ] {
        let store = json!({ "name": name, "code": name, "openingDate": opened });
        ids.push(make(&admin, "/api/stores/locations", store).await);
    }
    let mut file = String::from("Date,Store,Item,Qty,Price\n");
    for (store, days) in [("Makati", &[0, 1, 2][..]), ("Quezon", &[0, 1, 3, 4, 5, 6])] {
        for day in days {
            file.push_str(&format!("{},{store},Bowl,1,100\n", BusinessDay(18_323 + day)));
        }
    }
    let batch = upload(&admin, "week.csv", file).await;
    let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    let closure = json!({ "name": "Repairs", "kind": "closure", "from": "2020-03-04", "to": "2020-03-04",
        "storeIds": [ids[2]] });
    admin.post("/api/tools/forecast/events", &closure).await.expect(201);
    let expected = json!([
        { "id": ids[1], "name": "Pasig", "days": 7 },
        { "id": ids[0], "name": "Makati", "days": 4 },
    ]);
    for report in [
        "product-sales-by-store",
        "smbcd",
        "sales-terminal",
        "sales-comparison",
        "store-scorecard",
        "sales-by-root-items",
        "weekly-root-item-sales",
    ] {
        let answer = admin.get(&format!("/api/reports/{report}?{MARCH}")).await.expect(200);
        assert_eq!(answer["storesWithoutSales"], expected, "{report}");
    }
    // A user of one store reads of that only.
    let one = app.user(&[("reports/reports", &[Action::View])], Some(&ids[..1])).await;
    let answer = one.get(&format!("/api/reports/smbcd?{MARCH}")).await.expect(200);
    assert_eq!(answer["storesWithoutSales"], json!([expected[1]]));
}

/// Cubao sells 100 a day, from Monday to Wednesday and on Friday of the first week, and on all days of the second but
/// Tuesday; Pasay opens in the second week; Malate closes on Wednesdays from the second week on; Ermita closes for good
/// in it.
#[rstest]
#[tokio::test]
async fn only_days_that_both_ranges_have_are_compared(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make(&admin, "/api/lists/pos-items", json!({ "description": "Bowl" })).await;
    let store = async |name: &str, opened: &str| {
        make(&admin, "/api/stores/locations", json!({ "name": name, "code": name, "openingDate": opened }))
            .await
    };
    let cubao = store("Cubao", "2019-01-01").await;
    let ermita = store("Ermita", "2019-01-01").await;
    let malate = store("Malate", "2019-01-01").await;
    let pasay = store("Pasay", "2020-03-04").await;
    let mut file = String::from("Date,Store,Receipt,Item,Qty,Price\n");
    // Days after Monday, 24 February 2020.
    for (store, days, net) in [
        ("Cubao", &[0, 1, 2, 4, 7, 9, 10, 11, 12, 13][..], 100),
        ("Ermita", &[0, 1, 2, 3, 4, 5, 6, 7], 10),
        ("Malate", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13], 50),
        ("Pasay", &[9, 10, 11, 12, 13], 7),
    ] {
        for day in days {
            file.push_str(&format!("{},{store},{day},Bowl,1,{net}\n", BusinessDay(18_316 + day)));
        }
    }
    let batch = upload(&admin, "weeks.csv", file).await;
    let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    let closure = json!({ "name": "Repairs", "kind": "closure", "from": "2020-03-04", "to": "2020-03-04",
        "storeIds": [malate] });
    admin.post("/api/tools/forecast/events", &closure).await.expect(201);
    let path = format!("/api/stores/locations/{ermita}");
    let revision = admin.get(&path).await.expect(200)["revision"].clone();
    admin.patch(&path, &json!({ "revision": revision, "inactive": true })).await.expect(200);

    let report = admin.get(&format!("/api/reports/sales-comparison?{MARCH}")).await.expect(200);
    let against = |name: &str| row(&report, name)["previous"].clone();
    let figures = |against: &Value| {
        ["comparedNet", "comparedBefore", "comparedDays", "leftOut", "change"].map(|of| against[of].clone())
    };
    // Monday, Wednesday and Friday have both. Tuesday is missing after, Thursday, Saturday and Sunday before.
    assert_eq!(figures(&against("Cubao")), [json!(300), json!(300), json!(3), json!(4), json!(0.0)]);
    assert_eq!((&row(&report, "Cubao")["net"], &against("Cubao")["before"]), (&json!(600), &json!(400)));
    // The closed Wednesday sold nothing.
    assert_eq!(figures(&against("Malate")), [json!(300), json!(350), json!(7), json!(0), json!(-0.1429)]);
    // A store that closed for good, and one that was not there yet, are growth of all stores only.
    assert_eq!(figures(&against("Ermita")), [json!(10), json!(70), json!(7), json!(0), json!(-0.8571)]);
    assert_eq!(figures(&against("Pasay")), [json!(35), json!(0), json!(5), json!(0), Value::Null]);
    let (total, total_net) = (&report["total"]["previous"], &report["total"]["net"]);
    assert_eq!(figures(total), [json!(645), json!(720), json!(22), json!(4), json!(-0.1042)]);
    assert_eq!(
        (&total["likeStores"], &total["likeNet"], &total["likeBefore"], &total["likeChange"]),
        (&json!(2), &json!(600), &json!(650), &json!(-0.0769))
    );
    assert_eq!(
        report["previous"]["leftOut"],
        json!([{ "id": cubao, "name": "Cubao", "days": 4, "missing": 4,
            "first": ["2020-02-27", "2020-02-29", "2020-03-01"] }])
    );
    // The report builder's changes of the same ranges are the same, by store and day or by item.
    let change = json!([{ "field": "net" }, { "field": "net", "rule": "change" }]);
    for (dataset, rows) in
        [("sales", json!(["store"])), ("storeDays", json!(["store"])), ("sales", json!(["store", "item"]))]
    {
        let more = json!({ "rows": rows, "measures": change });
        let built = preview(&admin, &asked(dataset, ("2020-03-02", "2020-03-08"), more)).await;
        assert_eq!(
            (&built["before"], &built["leftOut"]),
            (&json!(["2020-02-24", "2020-03-01"]), &json!(4)),
            "{dataset}"
        );
        for line in built["rows"].as_array().expect("rows") {
            let compared = row(&report, line["labels"][0].as_str().expect("a store"));
            let expected = json!([compared["net"], compared["previous"]["change"]]);
            assert_eq!(line["total"], expected, "{dataset} by {rows}");
        }
        assert_eq!(built["totals"][0]["total"], json!([total_net, total["change"]]), "{dataset} by {rows}");
        assert!(
            built["notices"][0]["message"]
                .as_str()
                .is_some_and(|said| said.starts_with("Changes leave out 4 store-days"))
        );
    }
    assert_eq!(
        report["previous"]["unlike"],
        json!([
            { "id": ermita, "name": "Ermita", "why": "closed", "on": "2020-03-02" },
            { "id": pasay, "name": "Pasay", "why": "new", "on": "2020-03-04" },
        ])
    );
    // Nothing is known of a year before but that Pasay was not there.
    let year = &report["total"]["year"];
    assert_eq!((&year["change"], &year["likeStores"]), (&Value::Null, &json!(0)));
    assert_eq!(
        (&year["comparedNet"], &year["comparedDays"], &year["leftOut"]),
        (&json!(35), &json!(5), &json!(21))
    );
}

#[rstest]
#[tokio::test]
async fn food_cost_follows_recipes_and_counts(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let report = stage.ask("food-cost", "").await;
    // 70 bowls of half a kilo at ₱50, for ₱7,000.
    let makati = row(&report, "Makati");
    assert_eq!((&makati["theoretical"], &makati["theoreticalShare"]), (&json!(1_750), &json!(0.25)));
    assert_eq!((&makati["counted"], &report["weeks"]), (&Value::Null, &json!([])));
    assert_eq!(report["uncounted"].as_array().map(Vec::len), Some(4));
    stage.counted(0, 42_000).await;
    let report = stage.ask("food-cost", "").await;
    let counted = &row(&report, "Makati")["counted"];
    assert_eq!((&counted["actual"], &counted["actualShare"]), (&json!(2_100), &json!(0.3)));
    assert_eq!(
        (&counted["over"], &counted["covered"], &counted["net"]),
        (&json!(350), &json!(1.0), &json!(7_000))
    );
    assert_eq!(
        (&report["weeks"][0]["week"], &report["weeks"][0]["net"]),
        (&json!("2020-03-02"), &json!(7_000))
    );
    assert_eq!(report["uncounted"].as_array().map(Vec::len), Some(3));
    // Half a week is not a counted week.
    let half = stage.admin.get("/api/reports/food-cost?from=2020-03-03&to=2020-03-08").await.expect(200);
    assert_eq!(half["weeks"], json!([]));
    let items = stage.ask("food-cost", "&by=item").await;
    let rice = row(&items, "Rice (kg)");
    assert_eq!((&rice["use"], &rice["unit"], &rice["price"]), (&json!(350), &json!("kg"), &json!(50)));
    assert_eq!((&rice["theoretical"], &rice["theoreticalShare"]), (&json!(17_500), &json!(0.25)));
    // Items without a price are listed and excluded from totals.
    let salt = row(&items, "Salt");
    assert_eq!((&salt["use"], &salt["price"], &salt["theoretical"]), (&json!(7), &Value::Null, &json!(0)));
    assert_eq!(items["unpriced"], json!([{ "id": salt["id"], "name": "Salt" }]));
    assert_eq!(items["total"]["theoretical"], json!(17_500));
}

#[rstest]
#[tokio::test]
async fn occupancy_cost_follows_leases_and_charges(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let lease = |store: &str, mode: &str| {
        json!({ "storeId": store, "validFrom": "2020-01-01", "terms": { "fixed": 3_100, "percent": 10, "mode": mode,
            "breakpoints": [], "addBacks": [] } })
    };
    make(&stage.admin, "/api/stores/leases", lease(&stage.stores[0], "additive")).await;
    make(&stage.admin, "/api/stores/leases", lease(&stage.stores[1], "greaterOf")).await;
    let report = stage.ask("occupancy", "").await;
    // Seven of March's 31 days: 700 fixed rent, 10% of 7,000 without VAT, 31 per m² for 100 m².
    let makati = row(&report, "Makati");
    assert_eq!(
        (&makati["fixed"], &makati["percentage"], &makati["cusa"]),
        (&json!(700), &json!(625), &json!(700))
    );
    assert_eq!(
        (&makati["cost"], &makati["share"], &makati["rentFrom"]),
        (&json!(2_025), &json!(0.2893), &json!("lease"))
    );
    let pasig = row(&report, "Pasig");
    assert_eq!((&pasig["fixed"], &pasig["percentage"]), (&json!(700), &json!(550)), "1,250 is the greater");
    let quezon = row(&report, "Quezon");
    assert_eq!(
        (&quezon["cost"], &quezon["share"], &quezon["net"]),
        (&Value::Null, &Value::Null, &json!(21_000))
    );
    let named = |field: &str| {
        let stores = report[field].as_array().expect("stores").clone();
        stores.iter().map(|one| one["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(named("withoutRent"), ["Quezon", "Taguig"]);
    assert_eq!((named("withoutArea"), named("withoutCharges")), (vec![], vec!["Taguig".to_owned()]));
    assert_eq!(report["total"]["netWithRent"], json!(21_000));
    let file = stage.admin.get(&format!("/api/reports/occupancy/export?{MARCH}")).await.text();
    assert!(file.contains("Makati,7000,7000,700,625,700,,,2025,0.2893,Lease"), "{file}");

    // A store without imported sales costs as in its lease and is compared with no sales.
    let cebu = make(&stage.admin, "/api/stores/locations", json!({ "name": "Cebu", "code": "CEB" })).await;
    make(&stage.admin, "/api/stores/leases", lease(&cebu, "additive")).await;
    let with = stage.ask("occupancy", "").await;
    let row = row(&with, "Cebu");
    assert_eq!((&row["cost"], &row["share"], &row["net"]), (&json!(700), &Value::Null, &json!(0)));
    let total = |report: &Value| report["total"]["cost"].as_f64().expect("a cost");
    assert_eq!(total(&with), total(&report) + 700.0);
    assert_eq!(with["total"]["share"], report["total"]["share"]);
}

#[rstest]
#[tokio::test]
async fn the_scorecard_lists_missing_data(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    stage.counted(0, 42_000).await;
    let (store, id, amount) = (stage.stores[0].clone(), "waste".to_owned(), 70_000_i64);
    let by = larder_db::Json(json!({ "uid": "a", "name": "A", "email": "" }));
    let (by, store, id) = (&by, &store, &id);
    stage
        .app
        .db
        .write(&actor(stage.app.state.now()), async |tx| {
            tx.sql(
                "insert into documents (id, kind, number, state, store_id, on_date, details, steps, line_count, amount,
                   search_key, revision, created_at, created_by, updated_at, updated_by)
                 values ($1, 'waste', $1, 'posted', $2, $3, $4, $4, 0, $5, '', 1, 1, $6, 1, $6)",
            )
            .bind(id)
            .bind(store)
            .bind(BusinessDay(18_324))
            .bind(larder_db::Json(json!([])))
            .bind(amount)
            .bind(by)
            .execute()
            .await
        })
        .await
        .expect("a waste report");
    let report = stage.ask("store-scorecard", "").await;
    let makati = row(&report, "Makati");
    assert_eq!(
        (&makati["perM2"], &makati["perSeat"], &makati["ticket"]),
        (&json!(70), &json!(140), &json!(1_000))
    );
    assert_eq!(
        (&makati["waste"], &makati["wasteShare"], &makati["variance"]),
        (&json!(700), &json!(0.1), &json!(-350))
    );
    assert_eq!((&makati["fillRate"], &makati["forecastError"]), (&Value::Null, &Value::Null));
    let taguig = row(&report, "Taguig");
    assert_eq!((&taguig["perM2"], &taguig["perSeat"]), (&Value::Null, &Value::Null));
    // Stores with a floor area: 28 of 600 without Taguig's sales.
    assert_eq!(report["total"]["perM2"], json!(140));
    let all =
        report["medians"].as_array().expect("medians").iter().find(|one| one["of"] == "all").expect("all");
    assert_eq!((&all["perM2"], &all["ticket"]), (&json!(140), &json!(2_500)));
    assert_eq!(all["variance"], Value::Null, "one store has no median");
    let export = format!("/api/reports/store-scorecard/export?{MARCH}");
    let file = stage.admin.get(&export).await.text();
    let foot: Vec<&str> = file.trim_end().lines().last().expect("a foot").split(',').collect();
    let total = &report["total"];
    assert_eq!(&foot[..3], ["Total", "", ""], "{file}");
    for (at, field) in [
        (3, "net"),
        (4, "receipts"),
        (5, "tickets"),
        (6, "perM2"),
        (8, "ticket"),
        (13, "wasteShare"),
        (14, "variance"),
    ] {
        let reported = foot[at].parse::<f64>().expect("a figure");
        assert_eq!(Some(reported), total[field].as_f64(), "{field} of {total} in {file}");
    }
    let gap = |lacks: &str| {
        let gaps = report["gaps"].as_array().expect("gaps").iter();
        gaps.filter(|gap| gap["lacks"] == lacks)
            .flat_map(|gap| gap["stores"].as_array().expect("stores").clone())
            .count()
    };
    assert_eq!(
        (gap("floor"), gap("seats"), gap("orders"), gap("snapshots"), gap("receipts")),
        (1, 1, 4, 3, 0)
    );
}

#[rstest]
#[tokio::test]
async fn a_two_store_user_sees_two_stores(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let two = &stage.stores[..2];
    let limited = stage.app.user(&[("reports/reports", &[Action::View])], Some(two)).await;
    for report in NEW {
        let path = format!("/api/reports/{report}");
        let seen = limited.get(&format!("{path}?{MARCH}")).await.expect(200);
        let own = stage.ask(report, &format!("&storeIds={}", two.join(","))).await;
        assert_eq!(seen, own, "{report}");
        let text = seen.to_string();
        for store in ["Quezon", "Taguig", stage.stores[2].as_str(), stage.stores[3].as_str()] {
            assert!(!text.contains(store), "{report} reveals {store}: {text}");
        }
        // Three stores would have a median; with two there is none, because it would reveal the other.
        let refused = limited.get(&format!("{path}?{MARCH}&storeIds={}", stage.stores[3])).await;
        assert_eq!(refused.status, 403, "{report}");
        assert_eq!(limited.get(&format!("{path}/export?{MARCH}")).await.status, 403, "view is not export");
        let stranger = stage.app.user(&[("stores/storeList", &[Action::View])], None).await;
        assert_eq!(stranger.get(&format!("{path}?{MARCH}")).await.status, 403, "{report}");
        let wrong = limited.get(&format!("{path}?from=2020-03-08&to=2020-03-02")).await.expect(422);
        assert_eq!(wrong["fields"][0]["field"], "to");
    }
    let card = limited.get(&format!("/api/reports/store-scorecard?{MARCH}")).await.expect(200);
    assert_eq!(card["medians"][0]["ticket"], Value::Null);
}
