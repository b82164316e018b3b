//! Pictures of Z-readings: read with the real reader, in bulk, uploaded from a branch; invalid pictures.

use image::{DynamicImage, ImageFormat, RgbImage};
use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::z_reading::{PATH, at};
use crate::products::pictures::{encoded, photo};
use crate::support::{App, Client, Engine, one_engine, testdata};
use crate::users::store;

const READ: &str = "/api/tools/services/zreading-ocr/read";
const UPLOADS: &str = "/api/tools/services/zreading-ocr/uploads";

/// A picture of a reading with its figures.
pub fn receipt(name: &str) -> (Vec<u8>, Value) {
    let truth: Value = serde_json::from_slice(&testdata("receipts/truth.json")).expect("JSON");
    (testdata(&format!("receipts/{name}")), truth[name]["fields"].clone())
}

/// Uploads pictures; without a store they are sorted by machine number.
pub async fn send_all(client: &Client, store: &str, pictures: &[(&str, Vec<u8>)]) -> Value {
    let mut body = Vec::new();
    for (name, bytes) in pictures {
        body.extend_from_slice(
            format!(
                "--cut\r\ncontent-disposition: form-data; name=\"pictures\"; filename=\"{name}\"\r\n\r\n"
            )
            .as_bytes(),
        );
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--cut--\r\n");
    let request = client
        .request(reqwest::Method::POST, &format!("{UPLOADS}?storeId={store}"))
        .header("content-type", "multipart/form-data; boundary=cut");
    client.send(request.body(body)).await.expect(202)
}

pub fn blank() -> Vec<u8> {
    encoded(&DynamicImage::from(RgbImage::from_pixel(300, 500, image::Rgb([240; 3]))), ImageFormat::Png)
}

#[rstest]
#[tokio::test]
async fn a_picture_is_read_without_saving(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let read = admin.upload(READ, blank()).await.expect(200);
    assert_eq!(read["verdict"], "unreadable");
    assert!(read["advice"].as_str().is_some_and(|advice| advice.len() > 20), "{read}");
    assert_eq!(admin.upload(READ, "no picture at all").await.expect(415)["code"], "unsupported");
    let (picture, truth) = receipt("00_clean.png");
    let read = admin.upload(READ, picture).await.expect(200);
    assert_ne!(read["verdict"], "unreadable");
    for field in ["gross", "net", "old", "new", "z"] {
        let plain = truth[field].as_str().expect("text").replace(',', "");
        assert_eq!(read["fields"][field]["value"], plain, "{field}");
        assert!(read["fields"][field]["box"]["w"].as_f64().is_some_and(|width| width > 0.0 && width < 1.0));
    }
    let checks = read["checks"].as_array().expect("checks");
    assert!(checks.len() > 5 && checks.iter().all(|check| check["holds"] == true), "{checks:?}");
    assert_eq!(admin.get(PATH).await.expect(200)["total"], 0);
}

#[rstest]
#[tokio::test]
async fn many_pictures_become_one_reading_each(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    let (known, truth) = receipt("02_clean.png");
    let pictures = vec![
        ("blank.png", blank()),
        ("notes.txt", b"not a picture".to_vec()),
        ("scene.jpg", encoded(&photo(200, 300), ImageFormat::Jpeg)),
        ("z.png", known),
    ];
    let sent = send_all(&admin, &shop, &pictures).await;
    let items = sent["items"].as_array().expect("items");
    assert!(items[1]["problem"].as_str().is_some_and(|words| words.contains("not a picture")), "{sent}");
    let waiting = admin.get(&format!("{PATH}?state=captured")).await.expect(200);
    assert_eq!(waiting["total"], pictures.len() as i64 - 1);

    // Uploading them again while pending creates nothing.
    let again = send_all(&admin, &shop, &pictures[..1]).await;
    assert_eq!((&again["job"], &again["items"][0]["known"]), (&Value::Null, &json!(true)));
    assert_eq!(again["items"][0]["id"], items[0]["id"]);

    app.drain().await;
    let job = admin.get(&format!("/api/jobs/{}", sent["job"].as_str().expect("a job"))).await.expect(200);
    assert_eq!((&job["state"], &job["done"]), (&json!("done"), &json!(pictures.len() as i64 - 1)), "{job}");
    let page = admin.get(&format!("{PATH}?state=needsReview")).await.expect(200);
    assert_eq!(page["total"], pictures.len() as i64 - 1, "nothing is verified automatically: {page}");
    let first = admin.get(&format!("{PATH}/{}", items[0]["id"].as_str().expect("an id"))).await.expect(200);
    assert_eq!(first["read"]["verdict"], "unreadable");
    let seen = admin.get(&format!("{}/picture?size=thumb", at(&first))).await;
    assert_eq!((seen.status, seen.headers["content-type"].to_str().expect("text")), (200, "image/jpeg"));
    let read = admin.get(&format!("{PATH}/{}", items[3]["id"].as_str().expect("an id"))).await.expect(200);
    let net: f64 = truth["net"].as_str().expect("text").replace(',', "").parse().expect("an amount");
    assert_eq!((&read["net"], &read["businessDate"]), (&json!(net), &truth["date"]));
    assert_eq!(read["tenders"].as_array().expect("tenders").len(), 3);
}

#[rstest]
#[tokio::test]
async fn photos_of_some_megabytes_are_uploaded_together(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    // Noise cannot be compressed.
    let noise = |seed: u32| {
        let mut now = seed;
        let picture = RgbImage::from_fn(800, 800, |_, _| {
            now = now.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [a, b, c, _] = now.rotate_left(8).to_le_bytes();
            image::Rgb([a, b, c])
        });
        encoded(&DynamicImage::from(picture), ImageFormat::Png)
    };
    let (one, two) = (noise(1), noise(2));
    assert!(one.len() > 1 << 20 && two.len() > 1 << 20, "{} and {} bytes", one.len(), two.len());
    let sent = send_all(&admin, &shop, &[("one.png", one), ("two.png", two)]).await;
    let items = sent["items"].as_array().expect("items");
    assert!(items.iter().all(|item| item["id"].is_string() && item["problem"].is_null()), "{sent}");
    assert_eq!(admin.get(&format!("{PATH}?state=captured")).await.expect(200)["total"], 2);
}

#[rstest]
#[tokio::test]
async fn a_branch_uploads_a_photo_and_creates_a_reading(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let (own, other) = (store(&app, "OWN").await, store(&app, "OTHER").await);
    let rights: &[(&str, &[Action])] = &[("sales/zReading", &[Action::View, Action::Create, Action::Edit])];
    let staff = app.user(rights, Some(std::slice::from_ref(&own))).await;
    staff.upload(&format!("{PATH}/photos?storeId={other}"), blank()).await.expect(403);
    staff.upload(&format!("{PATH}/photos"), blank()).await.expect(422);
    let picture = staff.upload(&format!("{PATH}/photos?storeId={own}"), blank()).await.expect(201);
    let day = super::z_reading::day(&app, 1);
    let draft =
        json!({ "storeId": own, "businessDate": day, "terminalId": "", "picture": picture["picture"] });
    let made = staff.post(PATH, &draft).await.expect(201);
    assert_eq!(
        (&made["state"], &made["source"], &made["terminalId"]),
        (&json!("captured"), &json!("picture"), &json!(""))
    );
    // Sent again without the first idempotency key, it is still the same one.
    assert_eq!(staff.post(PATH, &draft).await.expect(201)["id"], made["id"]);
    app.drain().await;
    let read = staff.get(&at(&made)).await.expect(200);
    assert_eq!((&read["state"], &read["businessDate"]), (&json!("needsReview"), &json!(day)));

    // Edited while the till's layout is taught: the picture is only read again while pending review.
    let again = staff
        .post(&format!("{}/read", at(&read)), &json!({ "revision": read["revision"] }))
        .await
        .expect(200);
    assert_eq!(again["state"], "captured");
    staff.post(&format!("{}/read", at(&read)), &json!({})).await.expect(409);
    let typed =
        staff.patch(&at(&read), &json!({ "revision": again["revision"], "gross": 5 })).await.expect(200);
    app.drain().await;
    let kept = staff.get(&at(&read)).await.expect(200);
    assert_eq!((&kept["gross"], &kept["revision"]), (&json!(5), &typed["revision"]));
    assert_eq!(staff.upload(READ, blank()).await.expect(403)["code"], "forbidden");
}

/// A PDF page with text lines.
fn pdf(lines: &[&str]) -> Vec<u8> {
    let lines: String = lines.iter().map(|line| format!("({line}) Tj 0 -40 Td ")).collect();
    let stream = format!("BT /F 24 Tf 60 700 Td {lines}ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let start = file.len();
    file.push_str("xref\n0 6\n0000000000 65535 f \n");
    places.iter().for_each(|place| file.push_str(&format!("{place:010} 00000 n \n")));
    file.push_str(&format!("trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"));
    file.into_bytes()
}

#[rstest]
#[tokio::test]
async fn pictures_are_read_and_a_broken_pdf_is_reported(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let ocr = "/api/tools/services/ocr";
    let (picture, truth) = receipt("01_clean.png");
    let read = admin.upload(ocr, picture).await.expect(200);
    let text = read["text"].as_str().expect("text");
    assert!(text.contains(truth["gross"].as_str().expect("text")), "{text}");
    let table = read["table"].as_array().expect("rows");
    assert!(table.iter().any(|row| row.as_array().is_some_and(|cells| cells.len() > 1)), "{table:?}");
    let alone = admin.upload(ocr, pdf(&["Gross Sales 1,234.50"])).await.expect(200);
    assert_eq!(alone["text"], "Gross Sales 1,234.50", "one line gives the orientation of its page");
    let read = admin
        .upload(
            ocr,
            pdf(&[
                "Daily sales of the store",
                "Gross Sales 1,234.50",
                "Net Sales 1,200.00",
                "Cash in drawer 800.00",
            ]),
        )
        .await
        .expect(200);
    assert!(read["text"].as_str().is_some_and(|text| text.contains("1,234.50")), "{read}");
    let refused = admin.upload(ocr, "%PDF-1.7 and nothing more").await.expect(422);
    assert!(refused["detail"].as_str().is_some_and(|words| words.contains("PDF")), "{refused}");
    admin.upload(ocr, "text").await.expect(415);
}
