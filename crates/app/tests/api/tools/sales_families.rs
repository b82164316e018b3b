//! Lines that belong to others: modifiers, and the parts of combos that a file tells by ids.

use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, agree, figures, post, upload, validate};
use crate::support::{App, Client, Engine, one_engine};

const MODIFIERS: &str = "Date,Store,Receipt No,Item Name,Modifiers Applied,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,Iced Latte,\"Oat milk (+₱20), 2x Extra shot\",2,120.00,240.00
2026-11-13,Larkspur Mall,1,Pandesal,,5,10.00,50.00
2026-11-13,Larkspur Mall,2,Iced Latte,Oat milk,1,140.00,140.00
";
/// The last one is on a receipt of its own.
const MARKED: &str = "Date,Store,Receipt No,Item Name,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,Family Combo,2,300.00,600.00
2026-11-13,Larkspur Mall,1,  - Fries,2,0.00,0.00
2026-11-13,Larkspur Mall,1,+ Extra cheese,1,0.00,0.00
2026-11-13,Larkspur Mall,1,Pandesal,5,10.00,50.00
2026-11-13,Larkspur Mall,2,> Coke,1,0.00,0.00
";
const HEAD: &str =
    "Date,Store,Terminal,Receipt No,Line ID,Parent Line ID,Item Name,Qty,Unit Price,Net Sales\n";
/// The tea is told before its combo.
const TILL1: &str = "2026-11-13,Larkspur Mall,T1,1,4,1,Iced Tea,4,0.00,0.00
2026-11-13,Larkspur Mall,T1,1,1,,Family Combo,2,300.00,600.00
2026-11-13,Larkspur Mall,T1,1,3,,Pandesal,5,10.00,50.00
2026-11-13,Larkspur Mall,T1,1,2,1,Fries,2,0.00,0.00
";
/// Each receipt numbers its lines from 1; one of the two combos has fries.
const TILL2: &str = "2026-11-13,Larkspur Mall,T2,1,1,,Family Combo,2,450.00,900.00
2026-11-13,Larkspur Mall,T2,1,2,1,Fries,1,0.00,0.00
2026-11-13,Larkspur Mall,T2,2,1,,Pandesal,3,10.00,30.00
";

struct Stage {
    app: App,
    admin: Client,
    store: String,
}

impl Stage {
    async fn new(on: Engine) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let store =
            admin.post("/api/stores/locations", &json!({ "name": "Larkspur Mall" })).await.expect(201);
        let store = store["id"].as_str().expect("an id").to_owned();
        Self { app, admin, store }
    }

    /// Imports a file as suggested, with these answers; its items stay unmapped.
    async fn import(&self, name: &str, text: &str, answers: Value) -> Value {
        let batch = upload(&self.admin, name, text).await;
        let mut mapping = batch["layout"]["suggestion"].clone();
        mapping["answers"] = answers;
        let batch = validate(&self.app, &self.admin, &batch, &mapping).await;
        let (state, problems) = (&batch["state"], &batch["summary"]["problemLines"]);
        assert_eq!((state, problems), (&json!("validated"), &json!(0)), "{batch}");
        let posted = post(&self.app, &self.admin, &batch, false).await;
        assert_eq!(posted["state"], "posted", "{posted}");
        agree(&self.app).await;
        posted
    }

    async fn day(&self) -> Value {
        self.admin.get(&format!("{HOME}/days/{}/2026-11-13", self.store)).await.expect(200)
    }

    /// Corrects lines of the day; the status and the answer.
    async fn correct(&self, lines: Value) -> (u16, Value) {
        let revision = self.day().await["sources"][0]["revision"].clone();
        let change = json!({ "source": "file", "revision": revision, "lines": lines });
        let path = format!("{HOME}/days/{}/2026-11-13/lines", self.store);
        let answer = self.admin.patch(&path, &change).await;
        agree(&self.app).await;
        (answer.status, answer.json())
    }
}

/// Number, name, quantity and parent of each line, each of which is at its place.
fn lines(day: &Value) -> Vec<(i64, &str, f64, Option<u64>)> {
    let mut lines = Vec::new();
    for (place, line) in day["lines"].as_array().expect("lines").iter().enumerate() {
        assert_eq!(line["place"], place, "{line}");
        let number = line["lineNo"].as_i64().expect("a number");
        let name = line["sourceItem"].as_str().expect("a name");
        lines.push((number, name, line["qty"].as_f64().expect("a quantity"), line["parent"].as_u64()));
    }
    lines
}

#[rstest]
#[tokio::test]
async fn modifiers_follow_the_line_that_they_belong_to(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::new(on).await;
    stage.import("sales.csv", MODIFIERS, json!({ "modifiers": "yes" })).await;
    let day = stage.day().await;
    assert_eq!(
        lines(&day),
        [
            (2, "Iced Latte", 2.0, None),
            (2, "Oat milk", 2.0, Some(0)),
            (2, "Extra shot", 4.0, Some(0)),
            (3, "Pandesal", 5.0, None),
            (4, "Iced Latte", 1.0, None),
            (4, "Oat milk", 1.0, Some(4)),
        ]
    );

    // The quantities of the modifiers follow; one of them is corrected alone, by its place.
    let (status, day) = stage
        .correct(json!([{ "lineNo": 2, "place": 0, "qty": 3 }, { "lineNo": 2, "place": 1, "qty": 1 }]))
        .await;
    assert_eq!(status, 200, "{day}");
    assert_eq!(
        lines(&day)[..3],
        [(2, "Iced Latte", 3.0, None), (2, "Oat milk", 1.0, Some(0)), (2, "Extra shot", 6.0, Some(0)),]
    );
    assert_eq!((&day["totals"]["net"], &day["totals"]["qty"]), (&json!(360 + 50 + 140), &json!(10 + 5 + 2)));

    // They go with their line.
    let (status, day) = stage.correct(json!([{ "lineNo": 2, "place": 0, "remove": true }])).await;
    assert_eq!(status, 200, "{day}");
    assert_eq!(
        lines(&day),
        [(3, "Pandesal", 5.0, None), (4, "Iced Latte", 1.0, None), (4, "Oat milk", 1.0, Some(1))]
    );
    let (status, day) = stage.correct(json!([{ "lineNo": 4, "place": 2, "remove": true }])).await;
    assert_eq!((status, lines(&day).len()), (200, 2), "a modifier goes alone: {day}");
}

#[rstest]
#[tokio::test]
async fn parts_of_combos_belong_to_the_line_whose_id_they_name(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::new(on).await;
    let first = stage.import("till1.csv", &format!("{HEAD}{TILL1}"), json!({})).await;
    let columns = &first["mapping"]["columns"];
    assert_eq!((&columns["lineId"], &columns["parentLine"]), (&json!(4), &json!(5)), "{columns}");
    let alone = [
        (2, "Iced Tea", 4.0, Some(1)),
        (3, "Family Combo", 2.0, None),
        (4, "Pandesal", 5.0, None),
        (5, "Fries", 2.0, Some(1)),
    ];
    assert_eq!(lines(&stage.day().await), alone);
    let before = figures(&stage.app).await;

    // With a second file the lines are numbered anew, and belong to the same ones.
    let second = stage.import("till2.csv", &format!("{HEAD}{TILL2}"), json!({})).await;
    let day = stage.day().await;
    assert_eq!(
        lines(&day),
        [
            (1, "Iced Tea", 4.0, Some(1)),
            (2, "Family Combo", 2.0, None),
            (3, "Pandesal", 5.0, None),
            (4, "Fries", 2.0, Some(1)),
            (5, "Family Combo", 2.0, None),
            (6, "Fries", 1.0, Some(4)),
            (7, "Pandesal", 3.0, None),
        ]
    );
    let path = format!("{HOME}/batches/{}/revert", second["id"].as_str().expect("an id"));
    stage.admin.post(&path, &json!({})).await.expect(200);
    stage.app.drain().await;
    assert_eq!(lines(&stage.day().await), alone);
    assert_eq!(figures(&stage.app).await, before);
}

#[rstest]
#[tokio::test]
async fn corrections_of_a_day_of_two_files_reach_the_parts_of_a_combo(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    stage.import("till1.csv", &format!("{HEAD}{TILL1}"), json!({})).await;
    stage.import("till2.csv", &format!("{HEAD}{TILL2}"), json!({})).await;
    // Three combos have no whole number of fries.
    let (status, refused) = stage.correct(json!([{ "lineNo": 5, "place": 4, "qty": 3 }])).await;
    assert_eq!((status, &refused["fields"][0]["field"]), (422, &json!("lines.0")), "{refused}");
    let (status, day) = stage
        .correct(json!([
            { "lineNo": 2, "place": 1, "remove": true },
            { "lineNo": 5, "place": 4, "qty": 4 },
        ]))
        .await;
    assert_eq!(status, 200, "{day}");
    assert_eq!(
        lines(&day),
        [
            (1, "Pandesal", 5.0, None),
            (2, "Family Combo", 4.0, None),
            (3, "Fries", 2.0, Some(1)),
            (4, "Pandesal", 3.0, None),
        ]
    );
    assert_eq!((&day["totals"]["net"], &day["totals"]["qty"]), (&json!(50 + 1_800 + 30), &json!(14)));
    // Without places, the first line of the number is meant.
    let (status, day) = stage.correct(json!([{ "lineNo": 2, "remove": true }])).await;
    assert_eq!(status, 200, "{day}");
    assert_eq!(lines(&day), [(1, "Pandesal", 5.0, None), (2, "Pandesal", 3.0, None)]);
}

#[rstest]
#[tokio::test]
async fn marked_rows_belong_to_the_row_above_if_the_user_says_so(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    let batch = upload(&stage.admin, "marked.csv", MARKED).await;
    let batch = validate(&stage.app, &stage.admin, &batch, &batch["layout"]["suggestion"]).await;
    let asks = &batch["summary"]["asks"];
    assert_eq!((asks.as_array().map(Vec::len), &asks[0]["id"]), (Some(1), &json!("markedParts")), "{asks}");
    let about = "2 rows look like parts of the row above, such as «- Fries». Do they belong to it?";
    assert_eq!((&asks[0]["about"], &asks[0]["rows"]), (&json!(about), &json!(2)));
    for choice in asks[0]["choices"].as_array().expect("choices") {
        assert_eq!((&choice["lines"], &choice["qty"], &choice["net"]), (&json!(5), &json!(11), &json!(650)));
    }
    stage.import("marked.csv", MARKED, json!({ "markedParts": "yes" })).await;
    assert_eq!(
        lines(&stage.day().await),
        [
            (2, "Family Combo", 2.0, None),
            (3, "Fries", 2.0, Some(0)),
            (4, "Extra cheese", 1.0, Some(0)),
            (5, "Pandesal", 5.0, None),
            (6, "> Coke", 1.0, None),
        ]
    );
    // The answer is that of all files with these columns.
    let next = upload(&stage.admin, "next.csv", MARKED.replace("-13,", "-14,")).await;
    assert_eq!(next["mapping"]["markedParts"], true);
}

#[rstest]
#[tokio::test]
async fn a_parent_is_told_by_an_id(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    let batch = upload(&stage.admin, "till1.csv", format!("{HEAD}{TILL1}")).await;
    let mut mapping = batch["layout"]["suggestion"].clone();
    mapping["columns"].as_object_mut().expect("columns").remove("lineId");
    let path = format!("{HOME}/batches/{}/mapping", batch["id"].as_str().expect("an id"));
    let refused = stage.admin.put(&path, &mapping).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "columns.lineId", "{refused}");
}
