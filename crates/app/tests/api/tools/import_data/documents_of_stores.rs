//! Import of counts, counted items and their mixes.

use std::path::Path;

use larder_legacy as import_documents;
use larder_legacy::{Options, Report};
use rstest::rstest;
use serde_json::{Value, json};

use super::documents::{import, tally, write};
use crate::support::{App, Client, Engine, actor};

const COUNT: &str = "/api/stores/count";
const ITEMS: &str = "/api/lists/store-inventory-items";

/// Records that exist before any count.
fn site(folder: &Path) {
    let stores = ["s1", "s2", "s_3"].map(|id| json!({ "id": id, "name": format!("Store {id}"), "code": id }));
    write(folder, "locations", &stores);
    let root =
        |id: &str, code: &str| json!({ "id": id, "rootProductId": code, "name": format!("Root {id}") });
    write(
        folder,
        "rootProducts",
        &[root("r1", "RP1"), root("r2", "RP2"), root("r3", "RP3"), root("r4", "RP4")],
    );
    write(folder, "recipes", &["red", "green"].map(|id| json!({ "id": id, "name": id })));
    write(
        folder,
        "storeInventoryItems",
        &[
            json!({ "id": "rice", "name": "Rice", "rootItemId": "r1" }),
            json!({ "id": "tea", "name": "Tea", "rootItemId": "r2", "rootQtyPerUnit": 5 }),
            json!({ "id": "soup", "name": "Soup", "rootItemId": "r3" }),
            json!({ "id": "stew", "name": "Stew", "rootItemId": "r3" }),
        ],
    );
}

fn ana() -> Value {
    json!({ "uid": "old-1", "name": "Ana Reyes", "email": "ana@former.example" })
}

fn counts(folder: &Path) {
    let at = json!({ "_seconds": 1_704_110_400, "_nanoseconds": 0 });
    write(
        folder,
        "storeCounts",
        &[
            json!({ "id": "s1_2024-01-01_opening_rice", "storeId": "s1", "date": "2024-01-01", "session": "opening",
                "itemId": "rice", "qty": 12.5, "updatedAt": at, "updatedBy": ana() }),
            // An older record referring to the root item, here by its code.
            json!({ "id": "s1_2024-01-01_RP1", "storeId": "s1", "date": "2024-01-01", "rootProductId": "RP1",
                "qty": "7" }),
            // All of its fields are in its id.
            json!({ "id": "s_3_2024-01-02_closing_soup", "qty": 0.30000000000000004 }),
            json!({ "id": "s1_2024-01-03_tea", "rootProductId": "r2", "qty": 1 }),
            json!({ "id": "s1_2024-01-03_r3", "storeId": "s1", "date": "2024-01-03", "rootProductId": "r3", "qty": 1 }),
            json!({ "id": "s1_2024-01-03_r4", "storeId": "s1", "date": "2024-01-03", "rootProductId": "r4", "qty": 1 }),
            json!({ "id": "far_2024-01-03_rice", "storeId": "far", "date": "2024-01-03", "itemId": "rice", "qty": 1 }),
            json!({ "id": "s1_2024-01-04_rice", "storeId": "s1", "date": "soon", "itemId": "rice", "qty": 1 }),
            json!({ "id": "s1_2024-01-05_rice", "storeId": "s1", "date": "2024-01-05", "itemId": "rice" }),
            json!({ "id": "s1_2024-01-06_rice", "storeId": "s1", "date": "2024-01-06", "itemId": "rice", "qty": -1 }),
            json!({ "id": "s1_2024-01-07_noon_rice", "storeId": "s1", "date": "2024-01-07", "session": "noon",
                "itemId": "rice", "qty": 1 }),
            json!({ "id": "s1_2999-01-01_rice", "storeId": "s1", "date": "2999-01-01", "itemId": "rice", "qty": 1 }),
            json!({ "id": "s1_2024-01-01_RP1", "storeId": "s1", "date": "2024-01-01", "itemId": "rice", "qty": 9 }),
            json!({ "id": "nothing", "qty": 1 }),
        ],
    );
}

fn broken<'r>(report: &'r Report, file: &str) -> Vec<(u64, &'r str, &'r str)> {
    let found = report.broken.iter().filter(|found| found.file == file);
    found.map(|found| (found.line, found.id.as_str(), found.reason.as_str())).collect()
}

/// Each problem has its line, id and reason.
fn expect(found: &[(u64, &str, &str)], wanted: &[(u64, &str, &str)]) {
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for ((line, id, reason), (at, whose, part)) in found.iter().zip(wanted) {
        assert!(line == at && id == whose && reason.contains(part), "{line} {id} {reason}");
    }
}

async fn day(admin: &Client, store: &str, date: &str) -> Vec<Value> {
    let seen = admin.get(&format!("{COUNT}/entries?storeId={store}&date={date}")).await.expect(200);
    seen["entries"].as_array().expect("entries").clone()
}

async fn events(app: &App) -> (i64, i64, i64) {
    let all = "select (select cast(count(*) as bigint) from store_count_events), \
               (select cast(count(*) as bigint) from store_counts), (select cast(count(*) as bigint) from audit)";
    app.db.sql(all).one().await.expect("an answer")
}

#[rstest]
#[tokio::test]
async fn counts_are_imported_with_their_ids_and_times(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    site(folder.path());
    counts(folder.path());
    let report = import(&app, folder.path(), Options::default()).await;
    expect(
        &broken(&report, "storeCounts.jsonl"),
        &[
            (4, "s1_2024-01-03_tea", "another unit"),
            (5, "s1_2024-01-03_r3", "Several items"),
            (6, "s1_2024-01-03_r4", "No item"),
            (7, "far_2024-01-03_rice", "no record «far»"),
            (8, "s1_2024-01-04_rice", "no date"),
            (9, "s1_2024-01-05_rice", "no quantity"),
            (10, "s1_2024-01-06_rice", "zero or more"),
            (11, "s1_2024-01-07_noon_rice", "neither opening nor closing"),
            (12, "s1_2999-01-01_rice", "has not begun"),
            (13, "s1_2024-01-01_RP1", "Line 2"),
            (14, "nothing", "names no store"),
        ],
    );
    let counted = tally(&report, "storeCounts");
    assert_eq!((counted.documents, counted.created, counted.broken, counted.kept_for_later), (14, 3, 11, 0));

    let first = day(&admin, "s1", "2024-01-01").await;
    let of = |id: &str| first.iter().find(|entry| entry["id"] == id).expect(id);
    let rice = of("s1_2024-01-01_opening_rice");
    assert_eq!((&rice["qty"], &rice["late"]), (&json!(12.5), &json!(false)));
    assert_eq!(
        (&rice["at"], &rice["updatedAt"]),
        (&json!("2024-01-01T12:00:00.000Z"), &json!("2024-01-01T12:00:00.000Z"))
    );
    assert_eq!(
        (&rice["countedBy"]["name"], &rice["updatedBy"]["name"]),
        (&json!("Ana Reyes"), &json!("Ana Reyes"))
    );
    let older = of("s1_2024-01-01_rice");
    assert_eq!(
        (&older["qty"], &older["at"]),
        (&json!(7), &json!("2024-01-01T15:00:00.000Z")),
        "at the day's end"
    );
    let soup = day(&admin, "s_3", "2024-01-02").await;
    assert_eq!((&soup[0]["id"], &soup[0]["qty"]), (&json!("s_3_2024-01-02_closing_soup"), &json!(0.3)));
    let path = format!("{COUNT}/history?storeId=s1&date=2024-01-01&session=opening&itemId=rice");
    let history = admin.get(&path).await.expect(200)["events"].clone();
    assert_eq!((&history[0]["stands"], &history[0]["sentBy"]["uid"]), (&json!(true), &json!("test")));

    // A repeat changes nothing; a later version of the same document is one more event.
    let before = events(&app).await;
    let again = import(&app, folder.path(), Options::default()).await;
    let counted = tally(&again, "storeCounts");
    assert_eq!((counted.created, counted.unchanged, counted.broken), (0, 3, 11));
    assert_eq!(events(&app).await, before);
    let mut word = json!({ "id": "s1_2024-01-01_opening_rice", "itemId": "rice", "qty": 13,
        "updatedAt": "2024-01-01T12:00:00Z" });
    write(folder.path(), "storeCounts", std::slice::from_ref(&word));
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!(tally(&report, "storeCounts").left_alone, 1, "the same moment, another quantity");
    assert!(report.notes[0].reason.contains("another quantity"), "{:?}", report.notes);
    word["updatedAt"] = json!("2024-01-02T00:00:00Z");
    write(folder.path(), "storeCounts", std::slice::from_ref(&word));
    assert_eq!(tally(&import(&app, folder.path(), Options::default()).await, "storeCounts").created, 1);
    let rice = day(&admin, "s1", "2024-01-01").await;
    assert!(rice.iter().any(|entry| entry["qty"] == 13 && entry["revision"] == 2), "{rice:?}");

    // A count made here since stays current; the older document is in the history.
    let save = json!({ "op": "tab:1", "seq": 1, "storeId": "s1", "date": "2024-01-01", "session": "opening",
        "itemId": "rice", "qty": 40, "at": app.state.now(), "base": 2, "prev": null });
    let free = json!({ "restrictDate": false, "timeLockEnabled": false, "enforceTimeWindow": false });
    admin.put(&format!("{COUNT}/settings/s1"), &free).await.expect(200);
    let batch = json!({ "sentAt": app.state.now(), "deviceId": "tab", "entries": [save] });
    let sent = admin.post(&format!("{COUNT}/batch"), &batch).await.expect(200);
    assert_eq!(sent["results"][0]["outcome"], "applied");
    word["updatedAt"] = json!("2024-01-03T00:00:00Z");
    write(folder.path(), "storeCounts", &[word]);
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!((tally(&report, "storeCounts").left_alone, report.notes.len()), (1, 1));
    let rice = day(&admin, "s1", "2024-01-01").await;
    assert!(rice.iter().any(|entry| entry["qty"] == 40), "{rice:?}");
}

fn choices(folder: &Path) {
    write(
        folder,
        "storeInventoryVisibilityGroups",
        &[
            json!({ "id": "kiosks", "name": "Kiosks", "itemIds": ["rice", "tea", "rice", "gone"], "storeIds": ["s1", "s2", "far"] }),
            json!({ "id": "odd", "itemIds": "rice" }),
        ],
    );
    write(
        folder,
        "storeInventoryVisibility",
        &[
            // Its own items are those of its group.
            json!({ "id": "s1", "storeId": "s1", "itemIds": ["tea", "rice", "tea"], "groupId": "kiosks" }),
            json!({ "id": "x7", "storeId": "s2", "itemIds": ["soup", "soup"], "groupId": "kiosks" }),
            json!({ "id": "s_3", "itemIds": [], "groupId": "gone" }),
            json!({ "id": "far", "itemIds": ["rice"] }),
            json!({ "id": "s2", "itemIds": ["rice"] }),
        ],
    );
    write(
        folder,
        "storeInventoryItemMixes",
        &[
            json!({ "id": "s1_soup", "storeId": "s1", "itemId": "soup",
                "splits": [{ "recipeId": "red", "percent": "62,5" }, { "recipeId": "green" }] }),
            json!({ "id": "s_3_soup", "splits": [{ "recipeId": "green", "percent": 100 }] }),
            json!({ "id": "s2_soup", "storeId": "s2", "itemId": "soup", "splits": [{ "recipeId": "blue", "percent": 1 }] }),
            json!({ "id": "s2_tea", "storeId": "s2", "itemId": "tea",
                "splits": [{ "recipeId": "red", "percent": 1 }, { "recipeId": "red", "percent": 2 }] }),
            json!({ "id": "s2_gone", "splits": [] }),
        ],
    );
    write(
        folder,
        "storeCountSettings",
        &[
            json!({ "id": "s1", "restrictDate": false, "userLockEnabled": "no" }),
            json!({ "id": "s2", "restrictDate": true }),
            json!({ "id": "s_3", "timeLockEnabled": "perhaps" }),
        ],
    );
}

#[rstest]
#[tokio::test]
async fn visibility_is_imported_with_groups_and_mixes(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    site(folder.path());
    choices(folder.path());
    let report = import(&app, folder.path(), Options::default()).await;
    expect(&broken(&report, "storeInventoryVisibilityGroups.jsonl"), &[(2, "odd", "itemIds is no list")]);
    expect(
        &broken(&report, "storeInventoryVisibility.jsonl"),
        &[(4, "far", "no record «far»"), (5, "s2", "Line 2")],
    );
    expect(
        &broken(&report, "storeInventoryItemMixes.jsonl"),
        &[
            (3, "s2_soup", "Part 1: There is no record «blue»"),
            (4, "s2_tea", "Part 2: «red» is a part already"),
            (5, "s2_gone", "names no store and item"),
        ],
    );
    expect(&broken(&report, "storeCountSettings.jsonl"), &[(3, "s_3", "timeLockEnabled")]);
    let notes: Vec<&str> = report.notes.iter().map(|note| note.reason.as_str()).collect();
    assert!(notes.len() == 3 && notes.iter().all(|note| note.ends_with("It was left out.")), "{notes:?}");
    for (collection, created) in [
        ("storeInventoryVisibilityGroups", 1),
        ("storeInventoryVisibility", 2),
        ("storeInventoryItemMixes", 2),
        ("storeCountSettings", 1),
    ] {
        assert_eq!(tally(&report, collection).created, created, "{collection} {report:#?}");
    }

    let shown = async |store: &str| admin.get(&format!("{ITEMS}/visibility/{store}")).await.expect(200);
    let counted = async |store: &str| {
        let seen = admin.get(&format!("{COUNT}/warm-up?storeId={store}")).await.expect(200);
        let items = seen["items"].as_array().expect("items").clone();
        let mut ids: Vec<String> =
            items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)).collect();
        ids.sort();
        (ids, seen["mixes"].clone(), seen["settings"]["restrictDate"].clone())
    };
    let makati = shown("s1").await;
    assert_eq!((&makati["itemIds"], &makati["groupId"]), (&Value::Null, &json!("kiosks")), "{makati}");
    let splits = json!([{ "recipeId": "red", "percent": 62.5 }, { "recipeId": "green", "percent": 0 }]);
    let mixes = json!([{ "itemId": "soup", "splits": splits }]);
    assert_eq!(counted("s1").await, (vec!["rice".to_owned(), "tea".to_owned()], mixes, json!(false)));
    assert_eq!(counted("s2").await, (vec!["soup".to_owned()], json!([]), json!(true)));
    assert_eq!(counted("s_3").await.0, [""; 0], "an empty choice");
    assert_eq!(counted("s_3").await.1[0]["splits"][0]["recipeId"], "green");

    // A repeat changes nothing.
    let before = events(&app).await;
    let again = import(&app, folder.path(), Options::default()).await;
    assert_eq!(events(&app).await, before);
    for collection in
        ["storeInventoryVisibilityGroups", "storeInventoryVisibility", "storeInventoryItemMixes"]
    {
        let tally = tally(&again, collection);
        assert_eq!((tally.created, tally.updated, tally.left_alone), (0, 0, 0), "{collection}");
    }
    // Changes made here since are kept, unless the document is newer.
    let put = json!({ "splits": [{ "recipeId": "red", "percent": 10 }] });
    admin.put(&format!("{ITEMS}/mixes/s1_soup"), &put).await.expect(200);
    admin.put(&format!("{ITEMS}/visibility/s2"), &json!({ "itemIds": ["tea"] })).await.expect(200);
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!(tally(&report, "storeInventoryItemMixes").left_alone, 1);
    assert_eq!(tally(&report, "storeInventoryVisibility").left_alone, 1);
    assert_eq!(counted("s2").await.0, ["tea"]);
    let newer = json!({ "id": "s2", "itemIds": ["stew"], "updatedAt": "2999-01-01T00:00:00Z" });
    write(folder.path(), "storeInventoryVisibility", &[newer]);
    assert_eq!(
        tally(&import(&app, folder.path(), Options::default()).await, "storeInventoryVisibility").updated,
        1
    );
    assert_eq!(counted("s2").await.0, ["stew"]);
}

/// Installations from before these tables existed import them from staging.
#[rstest]
#[tokio::test]
async fn counts_staged_by_earlier_versions_are_imported(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    site(folder.path());
    import(&app, folder.path(), Options::default()).await;
    let by = actor(app.state.now());
    let over = async || {
        import_documents::take_over(&app.state, &by, Options::default(), |_| ()).await.expect("it runs")
    };
    assert_eq!(over().await, Report::default(), "nothing was staged");

    let kept: Vec<(&str, String, larder_db::Json<Value>, larder_domain::Timestamp)> = (0..1_136)
        .map(|n| {
            let id = format!("s1_20{:02}-{:02}-{:02}_rice", n / 336 + 10, n / 28 % 12 + 1, n % 28 + 1);
            ("storeCounts", id.clone(), json!({ "id": id, "qty": n }))
        })
        .chain([
            ("storeInventoryVisibility", "s1".to_owned(), json!({ "storeId": "s1", "itemIds": ["rice"] })),
            (
                "storeInventoryItemMixes",
                "s1_soup".to_owned(),
                json!({ "id": "s1_soup", "splits": [{ "recipeId": "red", "percent": 50 }] }),
            ),
            ("deviceSettings", "d1".to_owned(), json!({ "id": "d1" })),
        ])
        .map(|(collection, id, document)| (collection, id, larder_db::Json(document), by.at))
        .collect();
    let columns = ["collection", "id", "document", "imported_at"];
    let rows = &kept;
    let written =
        app.db.write(&by, async |tx| tx.insert_rows("imported_documents", &columns, rows, "").await);
    written.await.expect("kept");
    let report = over().await;
    assert_eq!(report.broken, []);
    let names: Vec<&str> = report.collections.iter().map(|tally| tally.collection.as_str()).collect();
    assert_eq!(names, ["storeInventoryVisibility", "storeInventoryItemMixes", "storeCounts"]);
    assert_eq!(tally(&report, "storeCounts").created, 1_136);
    assert_eq!(day(&admin, "s1", "2010-12-28").await[0]["qty"], 335);
    let before = events(&app).await;
    let again = over().await;
    assert_eq!((tally(&again, "storeCounts").unchanged, events(&app).await), (1_136, before));
}
