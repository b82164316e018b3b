//! Pictures of known tills: the reading before proves them, those that wait are judged again, and those without a store are
//! sorted by machine number.

use image::{DynamicImage, ImageFormat};
use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use super::z_reading::{PATH, at, make, take};
use super::z_reading_pictures::{blank, receipt, send_all};
use crate::products::pictures::encoded;
use crate::support::{App, Client, Engine, one_engine};
use crate::users::store;

const PICTURES: &str = "/api/tools/services/zreading-ocr/pictures";

/// A figure of a picture's truth as a number.
fn number(truth: &Value, field: &str) -> f64 {
    truth[field].as_str().expect("text").replace(',', "").parse().expect("a number")
}

/// The reading of the day before a picture's, typed: the picture continues its counter, invoices and total.
fn before(store: &str, truth: &Value) -> Value {
    let day: BusinessDay = truth["date"].as_str().expect("a date").parse().expect("a day");
    let (net, old) = (1_120.0, number(truth, "old"));
    let last = number(truth, "beg") as i64 - 1;
    json!({
        "storeId": store, "terminalId": "01", "businessDate": day.plus(-1).to_string(),
        "zCounter": number(truth, "z") as i64 - 1, "firstSi": format!("{:08}", last - 9), "lastSi": format!("{last:08}"),
        "transactions": 10, "previousTotal": ((old - net) * 100.0).round() / 100.0, "presentTotal": old,
        "gross": 1_200, "net": net, "vatable": 1_000, "vat": 120, "exempt": 0, "zeroRated": 0, "senior": 80,
        "min": truth["min"], "tin": truth["tin"],
        "tenders": [{ "kind": "cash", "label": "CASH", "amount": net }],
    })
}

async fn reading(client: &Client, id: &Value) -> Value {
    client.get(&format!("{PATH}/{}", id.as_str().expect("an id"))).await.expect(200)
}

fn doubtful(reading: &Value) -> Vec<&str> {
    let fields = reading["read"]["fields"].as_object().expect("fields");
    fields.iter().filter(|it| it.1["doubtful"] == true).map(|it| it.0.as_str()).collect()
}

#[rstest]
#[tokio::test]
async fn the_reading_of_the_day_before_proves_a_picture(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    let (picture, truth) = receipt("01_clean.png");
    let known = make(&admin, &before(&shop, &truth)).await;
    take(&admin, &known, "verify").await;
    let sent = send_all(&admin, &shop, &[("z.png", picture)]).await;
    app.drain().await;
    let read = reading(&admin, &sent["items"][0]["id"]).await;
    assert_eq!((&read["read"]["verdict"], &read["terminalId"]), (&json!("holds"), &json!("01")), "{read}");
    assert_eq!(doubtful(&read), Vec::<&str>::new());
    assert_eq!(read["state"], "needsReview", "only a user verifies");
    for (field, name) in
        [("z", "zCounter"), ("net", "net"), ("old", "previousTotal"), ("new", "presentTotal")]
    {
        assert_eq!(read[name].as_f64(), Some(number(&truth, field)), "{field}");
    }
}

#[rstest]
#[tokio::test]
async fn a_picture_without_a_readable_date_is_compared_by_its_counter(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    let (picture, truth) = receipt("01_clean.png");
    let mut paper = image::load_from_memory(&picture).expect("a picture").to_rgb8();
    // The date is torn off.
    for (x, y) in (440..paper.width()).flat_map(|x| (288..319).map(move |y| (x, y))) {
        paper.put_pixel(x, y, image::Rgb([255; 3]));
    }
    let known = make(&admin, &before(&shop, &truth)).await;
    take(&admin, &known, "verify").await;
    let torn = encoded(&DynamicImage::from(paper), ImageFormat::Png);
    let sent = send_all(&admin, &shop, &[("z.png", torn)]).await;
    app.drain().await;
    let read = reading(&admin, &sent["items"][0]["id"]).await;
    assert_eq!((&read["read"]["verdict"], &read["terminalId"]), (&json!("review"), &json!("01")), "{read}");
    assert_eq!(doubtful(&read), ["date"], "the counter, invoices and total continue the reading before");
}

#[rstest]
#[tokio::test]
async fn pictures_that_wait_are_judged_again(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (shop, other) = (store(&app, "AYA").await, store(&app, "BGC").await);
    let (picture, truth) = receipt("01_clean.png");
    let sent = send_all(&admin, &shop, &[("z.png", picture.clone())]).await;
    let elsewhere = send_all(&admin, &other, &[("z.png", picture)]).await;
    app.drain().await;
    let waits = reading(&admin, &sent["items"][0]["id"]).await;
    assert_eq!((&waits["read"]["verdict"], &waits["terminalId"]), (&json!("review"), &json!("")));
    assert_eq!(doubtful(&waits), ["beg", "date", "end", "min", "new", "old", "tin", "z"]);

    // Read again, the date read before proves nothing.
    admin.post(&format!("{}/read", at(&waits)), &json!({ "revision": waits["revision"] })).await.expect(200);
    app.drain().await;
    let waits = reading(&admin, &waits["id"]).await;
    assert_eq!(doubtful(&waits), ["beg", "date", "end", "min", "new", "old", "tin", "z"]);

    // Its till becomes known, with the reading before it.
    let known = make(&admin, &before(&shop, &truth)).await;
    let verified = take(&admin, &known, "verify").await;
    let judged = reading(&admin, &waits["id"]).await;
    assert_eq!(
        (&judged["read"]["verdict"], &judged["terminalId"]),
        (&json!("holds"), &json!("01")),
        "{judged}"
    );
    assert_eq!(doubtful(&judged), Vec::<&str>::new());
    let same = reading(&admin, &elsewhere["items"][0]["id"]).await;
    assert_eq!(
        (&same["read"]["verdict"], &same["terminalId"]),
        (&json!("review"), &json!("")),
        "another store's"
    );

    // Without that reading it is doubtful again, at the same revision, as no figure changed.
    let reopened = take(&admin, &verified, "reopen").await;
    let alone = reading(&admin, &waits["id"]).await;
    assert_eq!((&alone["read"]["verdict"], &alone["revision"]), (&json!("review"), &judged["revision"]));
    assert_eq!(doubtful(&alone), ["beg", "date", "end", "new", "old", "z"]);

    // A figure that a user changed stays, and so does what was doubtful.
    let typed = json!({ "revision": alone["revision"], "presentTotal": 5 });
    let changed = admin.patch(&at(&alone), &typed).await.expect(200);
    take(&admin, &reopened, "verify").await;
    let kept = reading(&admin, &waits["id"]).await;
    assert_eq!((&kept["presentTotal"], &kept["revision"]), (&json!(5), &changed["revision"]));
    assert_eq!(kept["read"]["verdict"], "review");
}

#[rstest]
#[tokio::test]
async fn pictures_without_a_store_are_sorted_by_machine_number(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (shop, other) = (store(&app, "AYA").await, store(&app, "BGC").await);
    let (first, truth) = receipt("01_clean.png");
    let (second, two_stores) = receipt("02_clean.png");
    let known = make(&admin, &before(&shop, &truth)).await;
    take(&admin, &known, "verify").await;
    for (store, till) in [(&shop, "02"), (&other, "01")] {
        let mut draft = before(store, &two_stores);
        draft["terminalId"] = json!(till);
        let known = make(&admin, &draft).await;
        take(&admin, &known, "verify").await;
    }
    let pictures = [("one.png", first), ("two.png", second), ("blank.png", blank())];
    let sent = send_all(&admin, "", &pictures).await;
    let items = sent["items"].as_array().expect("items");
    assert!(items.iter().all(|item| item["id"].is_null() && item["pictureId"].is_string()), "{sent}");
    let again = send_all(&admin, "", &pictures[..1]).await;
    assert_eq!((&again["job"], &again["items"][0]["known"]), (&Value::Null, &json!(true)));
    app.drain().await;

    // The one whose machine number one till has is its reading, and holds.
    let sorted = admin.get(&format!("{PATH}?state=needsReview")).await.expect(200);
    assert_eq!(sorted["total"], 1, "{sorted}");
    let read = reading(&admin, &sorted["items"][0]["id"]).await;
    assert_eq!((&read["storeId"], &read["terminalId"]), (&json!(shop), &json!("01")));
    assert_eq!(read["read"]["verdict"], "holds");

    // The others ask: two stores have the number, or nothing was read.
    let open = admin.get(PICTURES).await.expect(200);
    let asks = open["items"].as_array().expect("items");
    assert_eq!(asks.len(), 2, "{open}");
    let of = |name: &str| asks.iter().find(|it| it["fileName"] == name).expect("the picture").clone();
    let (two, nothing) = (of("two.png"), of("blank.png"));
    assert_eq!((&two["state"], &two["min"]), (&json!("asks"), &two_stores["min"]));
    let near: Vec<&Value> =
        two["near"].as_array().expect("tills").iter().map(|till| &till["storeId"]).collect();
    assert!(near.len() == 2 && near.contains(&&json!(shop)) && near.contains(&&json!(other)), "{two}");
    assert_eq!((&nothing["verdict"], &nothing["near"]), (&json!("unreadable"), &json!([])));
    let file = |it: &Value| format!("{PICTURES}/{}/file?size=thumb", it["id"].as_str().expect("an id"));
    assert_eq!(admin.get(&file(&two)).await.status, 200);

    let path = |it: &Value, step: &str| format!("{PICTURES}/{}/{step}", it["id"].as_str().expect("an id"));
    let here = json!({ "storeId": other, "revision": two["revision"] });
    admin.post(&path(&two, "place"), &json!({ "storeId": "" })).await.expect(422);
    let placed = admin.post(&path(&two, "place"), &here).await.expect(200);
    assert_eq!(placed["storeId"], json!(other));
    assert_eq!(admin.post(&path(&two, "place"), &here).await.expect(409)["code"], "wrongStep");
    let read = reading(&admin, &placed["readingId"]).await;
    assert_eq!((&read["terminalId"], &read["read"]["verdict"]), (&json!("01"), &json!("holds")), "{read}");
    admin.post(&path(&nothing, "discard"), &json!({})).await.expect(204);
    assert_eq!(admin.get(PICTURES).await.expect(200)["items"], json!([]));
}

#[rstest]
#[tokio::test]
async fn machine_numbers_of_other_stores_reveal_nothing(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (own, other) = (store(&app, "OWN").await, store(&app, "OTHER").await);
    let (picture, truth) = receipt("01_clean.png");
    let known = make(&admin, &before(&other, &truth)).await;
    take(&admin, &known, "verify").await;
    let rights: &[(&str, &[Action])] = &[
        ("tools/zReadingOcr", &[Action::View, Action::Create]),
        ("sales/zReading", &[Action::View, Action::Create, Action::Edit]),
    ];
    let staff = app.user(rights, Some(std::slice::from_ref(&own))).await;
    let colleague = app.user(rights, Some(std::slice::from_ref(&own))).await;
    let sent = send_all(&staff, "", &[("z.png", picture)]).await;
    app.drain().await;
    let open = staff.get(PICTURES).await.expect(200);
    let asks = &open["items"][0];
    assert_eq!((&asks["state"], &asks["near"], &asks["min"]), (&json!("asks"), &json!([]), &truth["min"]));
    assert_eq!(admin.get(&format!("{PATH}?state=captured,needsReview")).await.expect(200)["total"], 0);
    assert_eq!(admin.get(PICTURES).await.expect(200)["items"][0]["near"][0]["storeId"], json!(other));

    // Another user of the same store neither sees nor places it.
    let path =
        |step: &str| format!("{PICTURES}/{}/{step}", sent["items"][0]["pictureId"].as_str().expect("an id"));
    assert_eq!(colleague.get(PICTURES).await.expect(200)["items"], json!([]));
    assert_eq!(colleague.get(&path("file")).await.status, 404);
    colleague.post(&path("place"), &json!({ "storeId": own })).await.expect(404);
    colleague.post(&path("discard"), &json!({})).await.expect(404);
    // Nor does its sender place it in a store of others.
    staff.post(&path("place"), &json!({ "storeId": other })).await.expect(403);
    let placed = staff.post(&path("place"), &json!({ "storeId": own, "terminalId": "7" })).await.expect(200);
    let read = reading(&staff, &placed["readingId"]).await;
    assert_eq!((&read["storeId"], &read["terminalId"]), (&json!(own), &json!("7")));
    assert_eq!(read["read"]["verdict"], "review");
    let fields = doubtful(&read);
    assert!(fields.contains(&"min") && fields.contains(&"old"), "{fields:?}");
}
