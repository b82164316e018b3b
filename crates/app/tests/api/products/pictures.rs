//! Product pictures: accepted formats, processing, access.

use std::io::Cursor;

use futures::StreamExt as _;
use image::{DynamicImage, GrayImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, make_product, path_of};
use crate::support::{Answer, App, Client, Engine, one_engine};

pub fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, format).expect("a picture");
    out.into_inner()
}

/// A photograph-like picture: red on the left, blue on the right, with some noise.
pub fn photo(width: u32, height: u32) -> DynamicImage {
    let image = RgbImage::from_fn(width, height, |x, y| {
        let noise = (x * 7 + y * 13) as u8 % 32;
        if x < width / 2 { Rgb([220, noise, noise]) } else { Rgb([noise, noise, 220]) }
    });
    image.into()
}

fn seen(answer: &Answer) -> DynamicImage {
    image::load_from_memory(&answer.bytes).expect("a picture comes back")
}

fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.headers[name].to_str().expect("text")
}

fn files(app: &App) -> Vec<String> {
    fn walk(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                walk(&entry.path(), found);
            } else {
                found.push(entry.path().display().to_string());
            }
        }
    }
    let mut found = Vec::new();
    walk(&app.state.config.data_dir.join("files/products"), &mut found);
    found
}

#[rstest]
#[tokio::test]
async fn a_photograph_is_scaled_down(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let product = make_product(&admin, "Bread").await;
    let path = format!("{}/picture", path_of(&product));
    admin.get(&path).await.expect(404);

    let done = admin.upload(&path, encoded(&photo(3_000, 2_000), ImageFormat::Jpeg)).await.expect(200);
    let url = done["imageUrl"].as_str().expect("an address").to_owned();
    assert!(url.starts_with(&format!("{path}?v=")), "{url}");
    assert_eq!(done["revision"], 2);
    let full = admin.get(&url).await;
    assert_eq!((full.status, header(&full, "content-type")), (200, "image/jpeg"));
    assert_eq!(header(&full, "cache-control"), "private, no-cache");
    assert_eq!(header(&full, "x-content-type-options"), "nosniff");
    let picture = seen(&full);
    assert_eq!((picture.width(), picture.height()), (1_200, 800));
    let [left, right] = [100, 1_100].map(|x| picture.to_rgb8().get_pixel(x, 400).0);
    assert!(left[0] > 180 && left[2] < 80 && right[2] > 180, "{left:?} {right:?}");
    let thumb = admin.get(&format!("{url}&size=thumb")).await;
    assert_eq!((seen(&thumb).width(), seen(&thumb).height()), (160, 107));
    assert!(thumb.bytes.len() < 10_000);
    let latest = admin.get(&format!("{path}?v=older")).await;
    assert_eq!((latest.status, header(&latest, "cache-control")), (200, "private, no-cache"));

    // A small picture is not scaled up, and replaces the previous one.
    let small = admin.upload(&path, encoded(&photo(50, 40), ImageFormat::WebP)).await.expect(200);
    assert_ne!(small["imageUrl"], done["imageUrl"]);
    let picture = seen(&admin.get(small["imageUrl"].as_str().expect("an address")).await);
    assert_eq!((picture.width(), picture.height()), (50, 40));
    assert_eq!(files(&app).len(), 2, "the files of the one before are gone: {:?}", files(&app));
    // Uploading it again changes nothing.
    let same = admin.upload(&path, encoded(&photo(50, 40), ImageFormat::WebP)).await.expect(200);
    assert_eq!((&same["imageUrl"], &same["revision"]), (&small["imageUrl"], &json!(3)));
    assert_eq!(files(&app).len(), 2);

    // The record can be changed with its picture, and the picture removed.
    let patch = json!({ "revision": 3, "name": "Loaf" });
    let renamed = admin.patch(&path_of(&product), &patch).await.expect(200);
    assert_eq!(renamed["imageUrl"], small["imageUrl"]);
    let gone = admin.delete(&path).await.expect(200);
    assert_eq!(gone.get("imageUrl"), None);
    assert_eq!(files(&app), [""; 0]);
    admin.get(&path).await.expect(404);
    admin.delete(&path).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn transparency_is_kept(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = format!("{}/picture", path_of(&make_product(&admin, "Bread").await));
    let clear = RgbaImage::from_fn(300, 300, |x, _| Rgba([255, 0, 0, if x < 150 { 0 } else { 255 }]));
    for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
        let done = admin.upload(&path, encoded(&clear.clone().into(), format)).await.expect(200);
        let url = done["imageUrl"].as_str().expect("an address");
        for size in ["full", "thumb"] {
            let answer = admin.get(&format!("{url}&size={size}")).await;
            assert_eq!(header(&answer, "content-type"), "image/png", "{format:?}");
            let picture = seen(&answer).to_rgba8();
            let (y, last) = (picture.height() / 2, picture.width() - 1);
            assert_eq!((picture.get_pixel(0, y).0[3], picture.get_pixel(last, y).0), (0, [255, 0, 0, 255]));
        }
    }
    // A fully opaque alpha channel is dropped.
    let opaque = RgbaImage::from_pixel(300, 300, Rgba([1, 2, 3, 255]));
    let done = admin.upload(&path, encoded(&opaque.into(), ImageFormat::Png)).await.expect(200);
    let answer = admin.get(done["imageUrl"].as_str().expect("an address")).await;
    assert_eq!(header(&answer, "content-type"), "image/jpeg");
}

/// A PNG with a different size in its header.
fn as_large_as(width: u32, height: u32, mut png: Vec<u8>) -> Vec<u8> {
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let mut crc = flate2::Crc::new();
    crc.update(&png[12..29]);
    png[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    png
}

/// A JPEG with additional scans at its end.
fn many_scans(jpeg: &[u8], times: usize) -> Vec<u8> {
    let scan = b"\xff\xda\0\x0c\x03\x01\0\x02\x11\x03\x11\0\x3f\0\x7f";
    let (whole, end) = jpeg.split_at(jpeg.len() - 2);
    [whole, &scan.repeat(times), end].concat()
}

/// As written by a camera held upright: rotated pixels, the orientation tag, and the location.
fn as_by_a_camera(jpeg: &[u8]) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".to_vec();
    exif.extend_from_slice(b"N 14.5995 E 120.9842");
    let length = u16::try_from(exif.len() + 2).expect("short").to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

#[rstest]
#[tokio::test]
async fn a_picture_is_rotated_and_stripped_of_metadata(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = format!("{}/picture", path_of(&make_product(&admin, "Bread").await));
    let taken = as_by_a_camera(&encoded(&photo(400, 200), ImageFormat::Jpeg));
    let done = admin.upload(&path, taken).await.expect(200);
    let answer = admin.get(done["imageUrl"].as_str().expect("an address")).await;
    let picture = seen(&answer);
    assert_eq!((picture.width(), picture.height()), (200, 400));
    assert!(picture.to_rgb8().get_pixel(100, 50).0[0] > 180, "the left side is now on top");
    let text = String::from_utf8_lossy(&answer.bytes);
    assert!(!text.contains("14.5995") && !text.contains("Exif"));
}

#[rstest]
#[tokio::test]
async fn invalid_pictures_are_refused(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let product = make_product(&admin, "Bread").await;
    let path = format!("{}/picture", path_of(&product));
    let jpeg = encoded(&photo(600, 400), ImageFormat::Jpeg);
    let png = encoded(&photo(600, 400), ImageFormat::Png);
    let webp = encoded(&photo(600, 400), ImageFormat::WebP);
    // 61 million black pixels in a few kilobytes, and a few bytes that claim four billion.
    let bomb = encoded(&GrayImage::new(10_000, 6_100).into(), ImageFormat::Png);
    assert!(bomb.len() < 500_000);
    // Fewer pixels of eight bytes each: 392 MB in total. Only its header is read.
    let deep = DynamicImage::ImageRgba16(image::ImageBuffer::new(1, 1));
    let deep = as_large_as(7_000, 7_000, encoded(&deep, ImageFormat::Png));
    let scans = many_scans(&jpeg, 1_000);
    let promise =
        b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;";
    let half = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    let too_large = [png.clone(), vec![0; 10 << 20]].concat();
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
    let cases: Vec<(&str, Vec<u8>, u16, &str)> = vec![
        ("a text", b"Not a picture at all".to_vec(), 415, "unsupported"),
        ("a drawing with a script", svg.to_vec(), 415, "unsupported"),
        ("a bitmap", b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0".to_vec(), 415, "unsupported"),
        ("nothing", Vec::new(), 415, "unsupported"),
        ("half a JPEG", half(&jpeg), 422, "broken"),
        ("half a JPEG of a camera", half(&as_by_a_camera(&jpeg)), 422, "broken"),
        ("a JPEG's first bytes", jpeg[..4].to_vec(), 422, "broken"),
        ("half a PNG", half(&png), 422, "broken"),
        ("half a WebP", half(&webp), 422, "broken"),
        ("a bomb", bomb, 422, "tooManyPixels"),
        ("many bytes a pixel", deep, 422, "tooMuchMemory"),
        ("a thousand scans", scans, 422, "broken"),
        ("a promise", promise.to_vec(), 422, "tooManyPixels"),
        ("too many bytes", too_large, 413, "tooLarge"),
    ];
    for (what, bytes, status, code) in cases {
        let answer = admin.upload(&path, bytes).await;
        let said = answer.status;
        assert_eq!((said, answer.json()["code"].as_str()), (status, Some(code)), "{what}: {}", answer.text());
        if status != 413 {
            assert_eq!(answer.json()["fields"][0]["field"], "picture", "{what}: {}", answer.text());
        }
    }
    admin.upload(&format!("{PATH}/none/picture"), jpeg.clone()).await.expect(404);
    let now = admin.get(&path_of(&product)).await.expect(200);
    assert_eq!((now.get("imageUrl"), &now["revision"]), (None::<&Value>, &json!(1)));
    assert_eq!(files(&app), [""; 0], "refused uploads leave nothing behind");
}

#[rstest]
#[tokio::test]
async fn pictures_are_private(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let product = make_product(&admin, "Bread").await;
    let path = format!("{}/picture", path_of(&product));
    let jpeg = encoded(&photo(20, 20), ImageFormat::Jpeg);
    let done = admin.upload(&path, jpeg.clone()).await.expect(200);
    let url = done["imageUrl"].as_str().expect("an address");
    app.nobody().get(url).await.expect(401);
    let elsewhere = app.user(&[("lists/allLists", Action::ALL)], None).await;
    elsewhere.get(url).await.expect(403);
    let viewer = app.user(&[("products/products", &[Action::View])], None).await;
    assert_eq!(viewer.get(url).await.status, 200);
    viewer.upload(&path, jpeg).await.expect(403);
    viewer.delete(&path).await.expect(403);
}

/// Small files with many or deep pixels: accepted up to the size phones produce.
#[rstest]
#[tokio::test]
async fn large_pictures_are_scaled_down(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = format!("{}/picture", path_of(&make_product(&admin, "Bread").await));
    let grey = GrayImage::from_pixel(7_000, 7_000, image::Luma([119]));
    let deep = image::ImageBuffer::from_fn(4_000, 3_000, |x, _| {
        Rgba([if x < 2_000 { 0xdc00_u16 } else { 0x1000 }, 0x2000, 0x3000, 0xc000])
    });
    let cases: [(DynamicImage, u32, Rgba<u8>); 2] = [
        (grey.into(), 1_200, Rgba([119, 119, 119, 255])),
        (DynamicImage::ImageRgba16(deep), 900, Rgba([0xdc, 0x20, 0x30, 0xc0])),
    ];
    for (picture, height, colour) in cases {
        let done = admin.upload(&path, encoded(&picture, ImageFormat::Png)).await.expect(200);
        let url = done["imageUrl"].as_str().expect("an address");
        let full = seen(&admin.get(url).await).to_rgba8();
        assert_eq!((full.width(), full.height()), (1_200, height));
        assert_eq!(*full.get_pixel(100, 100), colour);
        let thumb = seen(&admin.get(&format!("{url}&size=thumb")).await).to_rgba8();
        assert_eq!((thumb.width(), *thumb.get_pixel(10, 10)), (160, colour));
    }
}

/// The browser revalidates each time and gets a 304 if nothing changed; signed out, it gets nothing.
#[rstest]
#[tokio::test]
async fn a_cached_picture_is_revalidated(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = format!("{}/picture", path_of(&make_product(&admin, "Bread").await));
    let done = admin.upload(&path, encoded(&photo(50, 40), ImageFormat::Jpeg)).await.expect(200);
    let url = done["imageUrl"].as_str().expect("an address");
    let first = admin.get(url).await;
    let tag = header(&first, "etag").to_owned();
    let ask = |client: &Client, tag: &str| {
        client.request(reqwest::Method::GET, url).header("if-none-match", tag.to_owned())
    };
    let again = admin.send(ask(&admin, &tag)).await;
    assert_eq!((again.status, again.bytes.len(), header(&again, "etag")), (304, 0, tag.as_str()));
    assert_eq!(header(&again, "cache-control"), "private, no-cache");
    let other = admin.send(ask(&admin, "\"other\"")).await;
    assert_eq!((other.status, &other.bytes), (200, &first.bytes));
    let thumb = admin.get(&format!("{url}&size=thumb")).await;
    assert_ne!(header(&thumb, "etag"), tag);
    let nobody = app.nobody();
    nobody.send(ask(&nobody, &tag)).await.expect(401);
}

/// Endless uploads occupy the slots of one user only; nobody else waits.
#[rstest]
#[tokio::test]
async fn uploads_of_one_user_do_not_block_others(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = format!("{}/picture", path_of(&make_product(&admin, "Bread").await));
    let busy = app.user(&[("products/products", &[Action::View, Action::Edit])], None).await;
    let jpeg = encoded(&photo(50, 40), ImageFormat::Jpeg);
    let mut waiting = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let begun = futures::stream::iter([Ok::<_, std::io::Error>(bytes::Bytes::from_static(b"\xff\xd8"))]);
        let body = reqwest::Body::wrap_stream(begun.chain(futures::stream::pending()));
        waiting.spawn(busy.request(reqwest::Method::POST, &path).body(body).send());
    }
    admin.upload(&path, jpeg.clone()).await.expect(200);
    // A slot is free again when an upload is aborted.
    waiting.shutdown().await;
    busy.upload(&path, jpeg).await.expect(200);
}
