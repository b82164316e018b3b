//! The report builder: figures, access, deleted references, sending.

use base64::Engine as _;
use larder_domain::Action::{self, Create, Delete, Edit, Export, View};
use larder_pages_reports::custom::send_due;
use larder_platform::config::Secret;
use rstest::rstest;
use serde_json::{Value, json};

use crate::documents::{RECEIPTS, Site, path, step_as};
use crate::mail::Server;
use crate::support::{App, Client, Engine, one_engine};
use crate::tools::import_sales_product::import;

pub(super) const PATH: &str = "/api/reports/custom";
/// March 9 and 16, 2020 are Mondays.
const FILE: &str = "Date,Store,Terminal,Receipt,Item,Qty,Price\n\
    09/03/2020 10:00,Makati,T1,1,Rice,10,10\n09/03/2020 10:00,Makati,T1,1,Tea,5,20\n\
    16/03/2020 10:00,Makati,T1,2,Rice,15,10\n16/03/2020 11:00,Pasig,T2,1,Rice,5,10\n\
    16/03/2020 11:00,Pasig,T2,2,Tea,10,20\n17/03/2020 11:00,Pasig,T2,3,Bread,4,25\n";

async fn stage(on: Engine) -> (App, Client) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for (item, category) in [("Rice", json!("Meals")), ("Tea", json!("Drinks")), ("Bread", json!(null))] {
        let item = json!({ "description": item, "category": category });
        admin.post("/api/lists/pos-items", &item).await.expect(201);
    }
    import(&app, &admin, "mix.csv", FILE).await;
    (app, admin)
}

async fn id_of(app: &App, store: &str) -> String {
    app.db.sql("select id from locations where name = $1").bind(store).scalar().await.expect("a store")
}

pub(super) fn asked(dataset: &str, (from, to): (&str, &str), more: Value) -> Value {
    let mut body = json!({ "dataset": dataset, "range": { "from": from, "to": to } });
    for (name, value) in more.as_object().expect("parts") {
        body[name] = value.clone();
    }
    body
}

pub(super) async fn preview(client: &Client, body: &Value) -> Value {
    let outcome = client.post(&format!("{PATH}/preview"), body).await.expect(200);
    outcome["answer"].clone()
}

/// Rows as labels, unit, values and totals.
pub(super) fn rows(answer: &Value, of: &str) -> Vec<Value> {
    let row = |row: &Value| json!([row["labels"], row["values"], row["total"]]);
    answer[of].as_array().expect("rows").iter().map(row).collect()
}

const MARCH: (&str, &str) = ("2020-03-09", "2020-03-22");

#[rstest]
#[tokio::test]
async fn sales_match_the_imported_file(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (app, admin) = stage(on).await;
    let net = json!([{ "field": "net" }]);

    // Two Mondays: a daily average is over the days of that weekday, a total's over all 14 days.
    let body = asked(
        "sales",
        MARCH,
        json!({
            "rows": ["store"], "columns": ["weekday"], "measures": [{ "field": "net", "rule": "avgPerDay" }],
        }),
    );
    let answer = preview(&admin, &body).await;
    assert_eq!(
        answer["columns"],
        json!([{ "keys": ["1"], "labels": ["Monday"] }, { "keys": ["2"], "labels": ["Tuesday"] }])
    );
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Makati"], [175, null], [25]]), json!([["Pasig"], [125, 50], [25]])]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [300, 50], [50]])]);

    // By item: stored sums, shares of the column, the change against the previous days that both weeks have.
    let week = ("2020-03-16", "2020-03-22");
    let body = asked(
        "sales",
        week,
        json!({
            "rows": ["item"],
            "measures": [{ "field": "net" }, { "field": "net", "rule": "share" }, { "field": "net", "rule": "change" },
                         { "field": "qty" }, { "field": "price" }],
        }),
    );
    let answer = preview(&admin, &body).await;
    assert_eq!(answer["before"], json!(["2020-03-09", "2020-03-15"]));
    assert_eq!(
        rows(&answer, "rows"),
        [
            json!([["Rice"], [], [200, 0.4, 0.5, 20, 10]]),
            json!([["Tea"], [], [200, 0.4, -1.0, 10, 20]]),
            json!([["Bread"], [], [100, 0.2, null, 4, 25]]),
        ]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [], [500, 1.0, -0.25, 34, 14.71]])]);
    // Only Makati's Monday has sales in both weeks.
    assert_eq!(answer["leftOut"], 13);
    let words = "Changes leave out 13 store-days: there or in the period before, sales are missing.";
    assert_eq!(answer["notices"], json!([{ "code": "left", "message": words }]));

    // The remainder is one row, and a filter by category applies.
    let body = asked(
        "sales",
        week,
        json!({ "rows": ["item"], "measures": net, "top": { "rows": 1, "other": true } }),
    );
    let answer = preview(&admin, &body).await;
    assert_eq!(rows(&answer, "rows"), [json!([["Rice"], [], [200]]), json!([["Other (2)"], [], [300]])]);
    let filters = json!([{ "field": "category", "op": "is", "values": ["Meals", ""] }]);
    let body = asked("sales", week, json!({ "rows": ["category"], "measures": net, "filters": filters }));
    let answer = preview(&admin, &body).await;
    assert_eq!(rows(&answer, "rows"), [json!([["Meals"], [], [200]]), json!([["No category"], [], [100]])]);
    let filters = json!([{ "field": "net", "op": "atLeast", "values": ["150"] }]);
    let body = asked("sales", week, json!({ "rows": ["category"], "measures": net, "filters": filters }));
    assert_eq!(rows(&preview(&admin, &body).await, "rows").len(), 2);

    // The total is the same at every grain, with or without items.
    for field in
        ["date", "week", "month", "quarter", "year", "weekday", "store", "item", "category", "format"]
    {
        let body = asked("sales", ("2020-03-10", "2020-04-30"), json!({ "rows": [field], "measures": net }));
        assert_eq!(preview(&admin, &body).await["totals"][0]["total"], json!([500]), "{field}");
        let body = asked(
            "sales",
            ("2020-03-10", "2020-04-30"),
            json!({ "rows": [field], "columns": ["item"], "measures": net }),
        );
        let answer = preview(&admin, &if field == "item" { continue } else { body }).await;
        assert_eq!(answer["totals"][0]["total"], json!([500]), "{field} by item");
    }

    // A user of one store gets that store's figures for any query; totals do not reveal the others.
    let pasig = id_of(&app, "Pasig").await;
    let limited = app.user(&[("reports/reports", &[View])], Some(std::slice::from_ref(&pasig))).await;
    for rows_by in [json!([]), json!(["store"]), json!(["item"]), json!(["month"])] {
        let body = asked("sales", MARCH, json!({ "rows": rows_by, "measures": net }));
        assert_eq!(preview(&limited, &body).await["totals"][0]["total"], json!([350]), "{rows_by}");
    }
    let makati = id_of(&app, "Makati").await;
    let filters = json!([{ "field": "store", "op": "is", "values": [makati] }]);
    let body = asked("sales", MARCH, json!({ "rows": ["store"], "measures": net, "filters": filters }));
    let answer = preview(&limited, &body).await;
    assert_eq!((&answer["rows"], &answer["notices"][0]["code"]), (&json!([]), &json!("scope")));
    let values = limited.get(&format!("{PATH}/values?dataset=sales&field=store")).await.expect(200);
    assert_eq!(values["items"], json!([{ "key": pasig, "label": "Pasig" }]));
    let export = format!("{PATH}/export?definition={}", urlencoded(&body));
    assert_eq!(limited.get(&export).await.status, 403);
}

pub(super) fn urlencoded(body: &Value) -> String {
    body.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Every field of every dataset as row and filter, every measure with every calculation: each is its own
/// query.
#[rstest]
#[tokio::test]
async fn every_field_of_every_dataset_answers(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (_app, admin) = stage(on).await;
    let datasets = admin.get(&format!("{PATH}/datasets")).await.expect(200);
    let all = datasets["items"].as_array().expect("datasets");
    assert_eq!(all.len(), 14);
    for dataset in all {
        let key = dataset["key"].as_str().expect("a key");
        let fields = dataset["fields"].as_array().expect("fields");
        let measures: Vec<Value> = fields
            .iter()
            .filter(|field| field["measure"] == true)
            .flat_map(|field| {
                let rules = field["rules"].as_array().expect("rules");
                rules.iter().map(|rule| json!({ "field": field["key"], "rule": rule })).collect::<Vec<_>>()
            })
            .collect();
        for part in measures.chunks(6) {
            let body =
                asked(key, MARCH, json!({ "rows": ["store"], "columns": ["month"], "measures": part }));
            admin.post(&format!("{PATH}/preview"), &body).await.expect(200);
        }
        for field in fields.iter().filter(|field| field["row"] == true) {
            let name = field["key"].as_str().expect("a key");
            let filters = json!([{ "field": name, "op": "contains", "values": ["x"] }]);
            let body =
                asked(key, MARCH, json!({ "rows": [name], "measures": [measures[0]], "filters": filters }));
            admin.post(&format!("{PATH}/preview"), &body).await.expect(200);
            let values = format!("{PATH}/values?dataset={key}&field={name}&from=2020-03-09&to=2020-03-22");
            admin.get(&values).await.expect(200);
        }
    }
}

/// Tills, receipts and payments from the imported receipts.
#[rstest]
#[tokio::test]
async fn store_days_and_readings_match_the_data(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (app, admin) = stage(on).await;
    let (makati, pasig) = (id_of(&app, "Makati").await, id_of(&app, "Pasig").await);
    let body = asked(
        "storeDays",
        MARCH,
        json!({
            "rows": ["store"],
            "measures": [{ "field": "net" }, { "field": "days" }, { "field": "netPerStoreDay" }, { "field": "receipts" }, { "field": "averageTicket" }],
        }),
    );
    let answer = preview(&admin, &body).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Makati"], [], [350, 2, 175, 2, 175]]), json!([["Pasig"], [], [350, 2, 175, 3, 116.67]])]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [], [700, 4, 175, 5, 140]])]);

    let day = |text: &str| i64::from(text.parse::<larder_domain::BusinessDay>().expect("a date").0);
    let actor = crate::support::actor(app.state.now());
    let (makati, pasig) = (&makati, &pasig);
    app.db
        .write(&actor, async |tx| -> Result<(), larder_db::DbError> {
            for (seq, store, kind, amount) in
                [(0i64, makati, "cash", 10_000i64), (1, makati, "card", 5_000), (2, makati, "cash", 2_500)]
            {
                tx.sql(
                    "insert into sales_tenders (store_id, business_date, source, tender_seq, receipt_seq, kind, amount, reference)
                     values ($1, $2, 'import', $3, -1, $4, $5, '')",
                )
                .bind(store)
                .bind(day("2020-03-16"))
                .bind(seq)
                .bind(kind)
                .bind(amount)
                .execute()
                .await?;
            }
            for (id, store, state, net) in
                [("z1", makati, "verified", 10_000i64), ("z2", pasig, "verified", 7_000), ("z3", pasig, "discarded", 9_999)]
            {
                tx.sql(
                    "insert into z_readings (id, store_id, terminal_id, state, source, business_date, reset_counter, z_counter, net,
                       transactions, tenders, steps, search_key, revision, created_at, created_by, updated_at, updated_by)
                     values ($1, $2, 'T1', $3, 'typed', $4, 0, 7, $5, 4, $6, $6, '', 1, 0, $7, 0, $7)",
                )
                .bind(id)
                .bind(store)
                .bind(state)
                .bind(day("2020-03-16"))
                .bind(net)
                .bind(larder_db::Json(json!([])))
                .bind(larder_db::Json(json!({})))
                .execute()
                .await?;
            }
            Ok(())
        })
        .await
        .expect("written");
    let body = asked(
        "tenders",
        MARCH,
        json!({ "rows": ["kind"], "measures": [{ "field": "amount" }, { "field": "payments" }, { "field": "average" }] }),
    );
    let answer = preview(&admin, &body).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["cash"], [], [125, 2, 62.5]]), json!([["card"], [], [50, 1, 50]])]
    );
    let body = asked(
        "readings",
        MARCH,
        json!({ "rows": ["reading"], "measures": [{ "field": "net" }, { "field": "averageTicket" }] }),
    );
    let answer = preview(&admin, &body).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["T1 Z7"], [], [100, 25]]), json!([["T1 Z7"], [], [70, 17.5]])]
    );
    assert_eq!(
        (&answer["rows"][0]["keys"], &answer["rowFields"][0]["leads"]),
        (&json!(["z1"]), &json!("reading"))
    );

    // A dataset needs its own permission: in the list, in a query and for its values.
    let clerk = app.user(&[("reports/reports", &[View, Create])], None).await;
    let seen = clerk.get(&format!("{PATH}/datasets")).await.expect(200);
    assert!(!seen.to_string().contains("Z-readings"), "{seen}");
    let refused = clerk.post(&format!("{PATH}/preview"), &body).await.expect(403);
    assert!(refused["detail"].as_str().is_some_and(|words| words.contains("Z-readings")), "{refused}");
    clerk.get(&format!("{PATH}/values?dataset=readings&field=state")).await.expect(403);
    let save = json!({ "name": "Readings", "definition": body });
    clerk.post(PATH, &save).await.expect(403);
}

/// Orders, deliveries, receipts, waste, ledger: a case of buns moving through all of them.
#[rstest]
#[tokio::test]
async fn document_datasets_match_the_documents(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 240).await;
    let order = site.approved(5).await;
    let delivery = site.dispatched(&order).await;
    let receipt = site.receipt(&delivery).await;
    let line = json!({ "id": receipt["lines"][0]["id"], "received": 4, "reason": "short" });
    let body = json!({ "revision": receipt["revision"], "lines": [line] });
    let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &body).await.expect(200);
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let today = larder_domain::BusinessDay::of(site.app.state.now());
    let waste = json!({
        "storeId": site.store, "businessDate": today,
        "lines": [{ "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "dropped" },
                  { "productId": site.buns, "uomId": site.piece, "qty": 2, "reason": "expired" }],
    });
    let waste = site.admin.post("/api/stores/waste", &waste).await.expect(201);
    step_as(&site.admin, "/api/stores/waste", &waste, "submit", json!({})).await.expect(200);

    let range = (today.plus(-1).to_string(), today.plus(10).to_string());
    let ask = async |dataset: &str, more: Value| {
        preview(&site.admin, &asked(dataset, (&range.0, &range.1), more)).await
    };
    let unit = |answer: &Value, at: usize| answer["rows"][at]["unit"].clone();

    let measures = json!([{ "field": "ordered" }, { "field": "received" }, { "field": "value" }, { "field": "fillRate" }]);
    let answer = ask("orders", json!({ "rows": ["item"], "measures": measures })).await;
    assert_eq!(rows(&answer, "rows"), [json!([["Buns"], [], [5, 4, 1200, 0.8]])]);
    assert_eq!(unit(&answer, 0), "case");
    let answer = ask("orders", json!({ "rows": ["document"], "measures": [{ "field": "lines" }] })).await;
    assert_eq!(answer["rows"][0]["keys"][0], order["id"]);

    let measures = json!([{ "field": "dispatched" }, { "field": "accepted" }, { "field": "onItsWay" }, { "field": "fillRate" }]);
    let answer = ask("deliveries", json!({ "rows": ["store"], "measures": measures })).await;
    assert_eq!(rows(&answer, "rows"), [json!([["Cubao"], [], [5, 4, 1, 1.0]])]);

    let measures = json!([{ "field": "expected" }, { "field": "accepted" }, { "field": "differingShare" }]);
    let answer = ask("received", json!({ "rows": ["reason"], "measures": measures })).await;
    assert_eq!(rows(&answer, "rows"), [json!([["Short"], [], [5, 4, 1.0]])]);

    // Pieces and cases are never added up; their values are.
    let measures = json!([{ "field": "value" }, { "field": "qty" }]);
    let answer = ask("waste", json!({ "rows": ["store"], "measures": measures })).await;
    assert_eq!(answer["units"], 2);
    let mut seen = rows(&answer, "rows");
    seen.sort_by_key(Value::to_string);
    assert_eq!(seen, [json!([["Cubao"], [], [20, 2]]), json!([["Cubao"], [], [240, 1]])]);
    let totals = answer["totals"].as_array().expect("totals");
    assert_eq!(
        (totals.len(), &totals[2]["total"], &totals[2]["unit"]),
        (3, &json!([260, null]), &json!(null))
    );
    let answer = ask("waste", json!({ "rows": ["reason"], "measures": [{ "field": "value" }] })).await;
    assert_eq!(rows(&answer, "rows"), [json!([["Dropped"], [], [240]]), json!([["Expired"], [], [20]])]);

    // Ledger: 240 pieces came into the commissary, 120 left, 96 arrived, 26 were wasted.
    let measures = json!([{ "field": "in" }, { "field": "out" }, { "field": "qty" }]);
    let by_place = json!([{ "field": "place", "op": "is", "values": ["commissary", "store"] }]);
    let answer =
        ask("movements", json!({ "rows": ["place"], "measures": measures, "filters": by_place })).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Commissary"], [], [240, 120, 120]]), json!([["Store"], [], [96, 26, 70]])]
    );
    assert_eq!(unit(&answer, 0), "pc");
    let limited = site
        .app
        .user(
            &[("reports/reports", &[View]), ("stores/storeInventory", &[View])],
            Some(std::slice::from_ref(&site.store)),
        )
        .await;
    let body = asked(
        "movements",
        (&range.0, &range.1),
        json!({ "rows": ["place"], "measures": [{ "field": "in" }] }),
    );
    let answer = preview(&limited, &body).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Store"], [], [96]])],
        "no commissary for store-limited users"
    );
}

/// Counts, weekly snapshots and forecasts: stock levels are not added up over days.
#[rstest]
#[tokio::test]
async fn stock_levels_are_those_of_the_last_day(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (app, admin) = stage(on).await;
    let (makati, pasig) = (id_of(&app, "Makati").await, id_of(&app, "Pasig").await);
    let root = admin.post("/api/lists/root-items", &json!({ "name": "Chicken" })).await.expect(201);
    let root = root["id"].as_str().expect("an id");
    let day = |text: &str| text.parse::<larder_domain::BusinessDay>().expect("a date");
    let actor = crate::support::actor(app.state.now());
    let (makati, pasig) = (&makati, &pasig);
    let packed: Vec<u8> = [4.5f32, 5.0, f32::NAN, f32::NAN, f32::NAN, f32::NAN]
        .iter()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    let packed = &packed;
    app.db
        .write(&actor, async |tx| -> Result<(), larder_db::DbError> {
            for (week, store, opening, closing) in [
                ("2020-03-09", makati, 5_000_000i64, 7_000_000i64),
                ("2020-03-16", makati, 7_000_000, 3_000_000),
                ("2020-03-16", pasig, 1_000_000, 2_000_000),
            ] {
                tx.sql(
                    "insert into root_item_snapshots (week, store_id, root_item_id, opening, received, transfers_in, transfers_out,
                       waste, theoretical_use, closing, actual_use, variance, variance_value)
                     values ($1, $2, $3, $4, 1000000, 0, 0, 0, 0, $5, 0, 0, 0)",
                )
                .bind(day(week))
                .bind(store)
                .bind(root)
                .bind(opening)
                .bind(closing)
                .execute()
                .await?;
            }
            for (date, qty, late) in [("2020-03-09", 4_000_000i64, false), ("2020-03-16", 6_000_000, true)] {
                tx.sql(
                    "insert into store_counts (store_id, date, session, item_id, qty, revision, op, stands_at, device_id, device_seq,
                       late, counted_by, updated_at, updated_by)
                     values ($1, $2, 'closing', 'item', $3, 1, 'op', 0, 'd', 0, $4, $5, 0, $5)",
                )
                .bind(makati)
                .bind(day(date))
                .bind(qty)
                .bind(late)
                .bind(larder_db::Json(json!({ "name": "Ana" })))
                .execute()
                .await?;
            }
            tx.sql(
                "insert into forecast_runs (run_id, service, method, version, made_on, history_from, first_day, horizon, level, whole, finished)
                 values ('run', 'advanced-forecast', 'm', '1', $1, $1, $1, 2, 0.8, $2, $2)",
            )
            .bind(day("2020-03-16"))
            .bind(true)
            .execute()
            .await?;
            tx.sql(
                "insert into forecast_series (run_id, store_id, root_item_id, method, history_days, need_days, short_history, per_day, total,
                   packed, details)
                 values ('run', $1, $2, 'm', 9, 9, $3, 4.75, 9.5, $4, $5)",
            )
            .bind(makati)
            .bind(root)
            .bind(false)
            .bind(packed)
            .bind(larder_db::Json(json!({})))
            .execute()
            .await?;
            Ok(())
        })
        .await
        .expect("written");

    let measures = json!([{ "field": "opening" }, { "field": "closing" }, { "field": "received" }]);
    let body = asked("snapshots", MARCH, json!({ "rows": ["store"], "measures": measures }));
    let answer = preview(&admin, &body).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Makati"], [], [5, 3, 2]]), json!([["Pasig"], [], [1, 2, 1]])]
    );
    assert_eq!(
        rows(&answer, "totals"),
        [json!([["Total"], [], [5, 5, 3]])],
        "stock in the first and the last week"
    );

    let measures = json!([{ "field": "counts" }, { "field": "lateShare" }, { "field": "qty" }]);
    let body = asked("counts", MARCH, json!({ "rows": ["by"], "measures": measures }));
    assert_eq!(rows(&preview(&admin, &body).await, "rows"), [json!([["Ana"], [], [2, 0.5, 6]])]);

    let measures = json!([{ "field": "forecast" }, { "field": "actual" }, { "field": "error" }]);
    let body = asked("forecasts", MARCH, json!({ "rows": ["date"], "measures": measures }));
    let answer = preview(&admin, &body).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["16 Mar 2020"], [], [4.5, 0, 4.5]]), json!([["17 Mar 2020"], [], [5, 0, 5]])]
    );
}

const ALL: &[Action] = &[View, Create, Edit, Delete, Export];

#[rstest]
#[tokio::test]
async fn a_report_is_saved_shared_and_restored(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (app, admin) = stage(on).await;
    let owner = app.user(&[("reports/reports", ALL)], None).await;
    let pasig = id_of(&app, "Pasig").await;
    let reader = app.user(&[("reports/reports", &[View])], Some(std::slice::from_ref(&pasig))).await;
    let definition = asked("sales", MARCH, json!({ "rows": ["store"], "measures": [{ "field": "net" }] }));
    let draft = json!({ "name": "Net by store", "about": "For Mondays", "definition": definition });
    let made = owner.post(PATH, &draft).await.expect(201);
    let at = format!("{PATH}/{}", made["id"].as_str().expect("an id"));
    assert_eq!((&made["mine"], &made["canRun"], &made["roles"]), (&json!(true), &json!(true), &json!([])));
    let twice = owner.post(PATH, &draft).await.expect(422);
    assert_eq!(twice["fields"][0]["field"], "name");

    // Nobody else sees it before it is shared; then they see it with their own figures and cannot change it.
    reader.get(&at).await.expect(404);
    reader.get(&format!("{at}/run")).await.expect(404);
    assert_eq!(reader.get(PATH).await.expect(200)["items"], json!([]));
    let role: String = app
        .db
        .sql("select role_id from app_users where uid = $1")
        .bind(&reader.uid)
        .scalar()
        .await
        .expect("a role");
    let shared = owner.patch(&at, &json!({ "revision": 1, "roles": [role] })).await.expect(200);
    assert_eq!((&shared["revision"], &shared["roles"][0]["id"]), (&json!(2), &json!(role)));
    let seen = reader.get(&at).await.expect(200);
    assert_eq!((&seen["mine"], &seen["ownerName"]), (&json!(false), &json!("Ana Cruz")));
    let ran = reader.get(&format!("{at}/run")).await.expect(200);
    assert_eq!(rows(&ran["answer"], "rows"), [json!([["Pasig"], [], [350]])]);
    let manager = app.user(&[("reports/reports", ALL)], None).await;
    manager.patch(&at, &json!({ "revision": 2, "name": "Mine now" })).await.expect(404);
    owner.patch(&at, &json!({ "revision": 2, "everybody": true })).await.expect(200);
    let refused = manager.patch(&at, &json!({ "revision": 3, "name": "Mine now" })).await.expect(403);
    assert_eq!(refused["code"], "notYours");
    manager.delete(&format!("{at}?revision=3")).await.expect(403);
    assert_eq!(owner.patch(&at, &json!({ "revision": 1, "name": "Old" })).await.expect(409)["code"], "stale");

    // As a file, complete with totals.
    let file = owner.get(&format!("{at}/export")).await.text().replace('\u{feff}', "");
    assert_eq!(file, "Store,Net sales\r\nMakati,350\r\nPasig,350\r\nTotal,700\r\n");
    let xlsx = owner.get(&format!("{at}/export?format=xlsx")).await;
    assert_eq!(xlsx.status, 200);

    // A field it used was deleted: a notice says so, and the rest is shown.
    let filters = json!([{ "field": "store", "op": "is", "values": ["gone", pasig], "names": ["Old branch", "Pasig"] },
                         { "field": "weather", "op": "is", "values": ["rain"] }]);
    let measures = json!([{ "field": "net" }, { "field": "steps" }]);
    let definition =
        asked("sales", MARCH, json!({ "rows": ["store", "moon"], "measures": measures, "filters": filters }));
    owner.patch(&at, &json!({ "revision": 3, "definition": definition })).await.expect(200);
    let ran = owner.get(&format!("{at}/run")).await.expect(200);
    assert_eq!(rows(&ran["answer"], "rows"), [json!([["Pasig"], [], [350]])]);
    let notices = ran["answer"]["notices"].to_string();
    for gone in ["moon", "steps", "Old branch", "weather"] {
        assert!(notices.contains(gone), "{gone}: {notices}");
    }

    // Deleted and restored.
    assert_eq!(owner.delete(&format!("{at}?revision=4")).await.status, 204);
    owner.get(&at).await.expect(404);
    let back = owner.post(&format!("{at}/restore?revision=5"), &json!({})).await.expect(200);
    assert_eq!(back["name"], "Net by store");
    assert!(admin.get(PATH).await.expect(200)["items"].as_array().is_some_and(|all| all.len() == 1));
}

#[rstest]
#[tokio::test]
async fn invalid_definitions_are_field_errors(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on).await;
    let refuse = async |more: Value, field: &str| {
        let body = asked("sales", MARCH, more);
        let refused = admin.post(&format!("{PATH}/preview"), &body).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], field, "{refused}");
    };
    let net = json!([{ "field": "net" }]);
    refuse(json!({ "measures": [] }), "measures").await;
    refuse(json!({ "measures": net, "rows": ["store", "item", "date", "month"] }), "rows").await;
    refuse(json!({ "measures": net, "rows": ["store"], "columns": ["store"] }), "columns").await;
    refuse(json!({ "measures": net, "rows": ["net"] }), "rows").await;
    refuse(json!({ "measures": [{ "field": "store" }] }), "measures.0.field").await;
    refuse(json!({ "measures": [{ "field": "price", "rule": "share" }] }), "measures.0.rule").await;
    refuse(json!({ "measures": net, "top": { "rows": 0 } }), "top").await;
    refuse(
        json!({ "measures": net, "filters": [{ "field": "net", "op": "atLeast", "values": ["much"] }] }),
        "filters.0.values",
    )
    .await;
    refuse(json!({ "measures": net, "range": { "from": "2020-02-01", "to": "2020-01-01" } }), "range").await;
    refuse(json!({ "measures": net, "range": {} }), "range").await;
    let unknown = admin
        .post(&format!("{PATH}/preview"), &asked("moon", MARCH, json!({ "measures": net })))
        .await
        .expect(422);
    assert_eq!(unknown["fields"][0]["field"], "dataset");
}

/// Large queries run as a job, with the same result.
#[rstest]
#[tokio::test]
async fn large_queries_run_as_a_job(#[from(one_engine)] on: Engine) {
    let (app, admin) = stage(on).await;
    for at in 0..300 {
        admin.post("/api/lists/pos-items", &json!({ "description": format!("Dish {at}") })).await.expect(201);
    }
    let more = json!({ "rows": ["item"], "columns": ["store"], "measures": [{ "field": "net" }], "filters": [
        { "field": "weekday", "op": "is", "values": ["1", "2"] }] });
    let body = asked("sales", ("2010-01-01", "2020-12-31"), more);
    let outcome = admin.post(&format!("{PATH}/preview"), &body).await.expect(200);
    assert_eq!(outcome["answer"], Value::Null);
    let job = outcome["jobId"].as_str().expect("a job");
    let again = admin.post(&format!("{PATH}/preview"), &body).await.expect(200);
    assert_eq!(again["jobId"], json!(job), "the same query shares the job");
    app.drain().await;
    let job = admin.get(&format!("/api/jobs/{job}")).await.expect(200);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["result"]["totals"][0]["total"], json!([700]));
    assert_eq!(job["result"]["rowCount"], 3);
}

async fn user_of(app: &App, client: &Client) -> String {
    app.db.sql("select id from app_users where uid = $1").bind(&client.uid).scalar().await.expect("a user")
}

/// Cells of a workbook.
fn cells(bytes: Vec<u8>) -> Vec<String> {
    use calamine::Reader;
    let mut book: calamine::Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(bytes)).expect("a workbook");
    let sheets = book.worksheets();
    let rows = sheets.iter().flat_map(|(_, sheet)| sheet.rows());
    rows.flatten().map(ToString::to_string).collect()
}

/// Sales at 06:00 in UTC+8, an hour before reports are sent, and the mail server.
async fn before_emails(on: Engine) -> (Server, App) {
    let server = Server::start("plain");
    let url = format!("smtp://127.0.0.1:{}", server.port);
    let app = App::start_idle_with(on, |config| {
        config.smtp_url = Some(Secret(url));
        config.mail_from = Some("Larder <larder@example.com>".into());
    })
    .await;
    app.clock.stand_still();
    app.clock.advance_to_hour(6);
    let admin = app.admin().await;
    import(&app, &admin, "mix.csv", FILE).await;
    (server, app)
}

#[rstest]
#[tokio::test]
async fn each_recipient_gets_their_own_figures_by_email(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let (server, app) = before_emails(on).await;
    let pasig = id_of(&app, "Pasig").await;
    let owner = app.user(&[("reports/reports", ALL)], None).await;
    let limited = app.user(&[("reports/reports", &[View, Export])], Some(std::slice::from_ref(&pasig))).await;
    let lost = app.user(&[("products/products", &[View])], None).await;
    let definition = asked("sales", MARCH, json!({ "rows": ["store"], "measures": [{ "field": "net" }] }));
    let made =
        owner.post(PATH, &json!({ "name": "Net by store", "definition": definition })).await.expect(201);
    let at = format!("{PATH}/{}", made["id"].as_str().expect("an id"));

    let wrong = owner
        .put(&format!("{at}/schedule"), &json!({ "enabled": true, "minutes": 1_500, "weekdays": 0 }))
        .await;
    let wrong = wrong.expect(422)["fields"].to_string();
    assert!(wrong.contains("minutes") && wrong.contains("recipients"), "{wrong}");
    let people = [user_of(&app, &limited).await, user_of(&app, &lost).await];
    let schedule = json!({
        "enabled": true, "every": "week", "minutes": 420, "weekdays": 127, "monthDay": 1, "note": "Good morning",
        "recipients": people, "revision": 0,
    });
    let set = owner.put(&format!("{at}/schedule"), &schedule).await.expect(200);
    assert_eq!(set["schedule"]["recipients"].as_array().map(Vec::len), Some(2));
    assert_eq!(set["schedule"]["recipients"][0]["email"], "", "addresses need permission to see accounts");
    let offered = owner.get(&format!("{PATH}/people")).await.expect(200);
    assert!(!offered.to_string().contains('@'), "{offered}");
    let admin = app.user(&[("reports/reports", ALL), ("manageUsers/users", &[View])], None).await;
    let offered = admin.get(&format!("{PATH}/people")).await.expect(200);
    assert!(offered.to_string().contains('@'), "{offered}");
    owner.put(&format!("{at}/schedule"), &schedule).await.expect(409);

    assert_eq!(send_due(&app.state).await.expect("looked"), 0, "it is not seven yet");
    app.clock.advance(3_600);
    // Two nodes check repeatedly: it is sent once.
    let other = app.second_node().await.0;
    let both = tokio::join!(send_due(&app.state), send_due(&other));
    assert_eq!(both.0.expect("looked") + both.1.expect("looked"), 2);
    assert_eq!(send_due(&app.state).await.expect("looked"), 0);
    app.drain().await;
    app.drain().await;
    let mail = server.email_received().await;
    assert!(mail["subject"].as_str().is_some_and(|subject| subject.starts_with("Net by store")), "{mail}");
    let text = mail["text"].as_str().expect("words");
    assert!(
        text.contains("Good morning") && text.contains("Net sales: ₱350.00") && !text.contains("700"),
        "{text}"
    );
    let files = mail["files"].as_array().expect("files");
    let picture = files.iter().find(|file| file["type"] == "image/png").expect("a picture");
    assert!(
        picture["inline"] == true
            && mail["html"].as_str().is_some_and(|html| html.contains("cid:picture.png"))
    );
    let bytes = |file: &Value| {
        let text = file["bytes"].as_str().expect("bytes");
        base64::engine::general_purpose::STANDARD.decode(text).expect("base64")
    };
    assert!(bytes(picture).starts_with(b"\x89PNG"));
    let sheet = files.iter().find(|file| file["inline"] == false).expect("a sheet");
    assert!(
        sheet["name"].as_str().is_some_and(|name| name.ends_with(".xlsx")) && bytes(sheet).starts_with(b"PK")
    );
    let cells = cells(bytes(sheet));
    let names = |name: &str| cells.iter().any(|cell| cell.contains(name));
    assert!(names("Pasig") && names("350") && !names("Makati") && !names("700"), "{cells:?}");

    // The user who lost the permission got nothing, and the log says so.
    let sends = owner.get(&format!("{at}/sends")).await.expect(200);
    let mut states: Vec<&str> =
        sends["items"].as_array().expect("sends").iter().filter_map(|send| send["state"].as_str()).collect();
    states.sort_unstable();
    assert_eq!(states, ["sent", "skipped"], "{sends}");
    assert!(sends.to_string().contains("They may no longer see reports."));
    limited.get(&format!("{at}/sends")).await.expect(403);
    // A recipient may open it.
    assert_eq!(rows(&limited.get(&format!("{at}/run")).await.expect(200)["answer"], "rows").len(), 1);

    // A test is sent to the caller immediately; its attachments are not kept.
    owner.post(&format!("{at}/test"), &json!({})).await.expect(202);
    app.drain().await;
    app.drain().await;
    let mail = server.email_received().await;
    assert!(
        mail["subject"].as_str().is_some_and(|subject| subject.starts_with("Test: Net by store")),
        "{mail}"
    );
    assert!(mail["text"].as_str().is_some_and(|text| text.contains("700")), "{mail}");
    let left = std::fs::read_dir(app.state.config.data_dir.join("files/letters")).map_or(0, |folder| {
        folder.flatten().filter_map(|entry| std::fs::read_dir(entry.path()).ok()).flatten().count()
    });
    assert_eq!(left, 0, "attachments of sent emails");
}

/// The file is attached for recipients who may export when it is sent; others get the email with its link,
/// and the owner sees who did not get the file.
#[rstest]
#[tokio::test]
async fn the_file_is_attached_for_recipients_who_may_export(#[from(one_engine)] on: Engine) {
    let (server, app) = before_emails(on).await;
    let owner = app.user(&[("reports/reports", ALL)], None).await;
    let reader = app.user(&[("reports/reports", &[View])], None).await;
    let definition = asked("sales", MARCH, json!({ "rows": ["store"], "measures": [{ "field": "net" }] }));
    let made =
        owner.post(PATH, &json!({ "name": "Net by store", "definition": definition })).await.expect(201);
    let at = format!("{PATH}/{}", made["id"].as_str().expect("an id"));
    let schedule = json!({
        "enabled": true, "every": "week", "minutes": 420, "weekdays": 127, "monthDay": 1, "note": "",
        "recipients": [user_of(&app, &reader).await], "revision": 0,
    });
    owner.put(&format!("{at}/schedule"), &schedule).await.expect(200);
    app.clock.advance(3_600);
    assert_eq!(send_due(&app.state).await.expect("looked"), 1);
    app.drain().await;
    app.drain().await;
    let without_sheet = async || {
        let mail = server.email_received().await;
        let files = mail["files"].as_array().expect("files");
        assert!(!files.is_empty() && files.iter().all(|file| file["inline"] == true), "{files:?}");
        let text = mail["text"].as_str().expect("words");
        assert!(text.contains("/reports/custom/") && text.contains("all rows are in the report"), "{text}");
        assert!(!text.contains("attached"), "{text}");
    };
    without_sheet().await;
    let sends = owner.get(&format!("{at}/sends")).await.expect(200);
    assert_eq!(sends["items"][0]["state"], "sent", "{sends}");
    assert_eq!(sends["items"][0]["words"], "Sent without the sheet: they may not export reports.");

    // A test email does not bypass this, and test emails are rate-limited.
    reader.post(&format!("{at}/test"), &json!({})).await.expect(202);
    app.drain().await;
    app.drain().await;
    without_sheet().await;
    for _ in 1..5 {
        reader.post(&format!("{at}/test"), &json!({})).await.expect(202);
    }
    assert_eq!(reader.post(&format!("{at}/test"), &json!({})).await.expect(429)["code"], "tooMany");
    owner.post(&format!("{at}/test"), &json!({})).await.expect(202);
    app.clock.advance(60);
    reader.post(&format!("{at}/test"), &json!({})).await.expect(202);
}
