//! The real tesseract, on generated pictures: another layout and font than in `testdata/receipts`, once flat and once
//! rotated on a dark desk, and a font (Share Tech Mono) whose zeros look like eights to it. Prior knowledge comes from the `truth.json` there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use image::{DynamicImage, GrayImage};
use larder_domain::Money;
use larder_tillread::{
    Advice, Context, Field, Previous, Reading, Template, Tesseract, Value, Verdict, read, read_text,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect("the picture")
}

fn truth(name: &str) -> BTreeMap<Field, Value> {
    let text = std::fs::read_to_string(folder().join("truth.json")).expect("truth.json");
    let truth: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let text = |field: Field| truth[name]["fields"][field.as_str()].as_str().expect("a text").to_owned();
    Field::ALL.into_iter().map(|field| (field, Value::plain(field, &text(field)).expect("a value"))).collect()
}

fn known(values: &BTreeMap<Field, Value>) -> Context {
    let number = |field: Field| values[&field].number();
    Context {
        tin: Some(values[&Field::Tin].to_string()),
        min: Some(values[&Field::Min].to_string()),
        date: values[&Field::Date].to_string().parse().ok(),
        previous: Some(Previous {
            z: number(Field::Z).map(|it| it - 1),
            end: number(Field::Beg).map(|it| it - 1),
            new: number(Field::Old).map(Money),
        }),
    }
}

fn assert_read(reading: &Reading, wanted: &BTreeMap<Field, Value>) {
    for (field, value) in wanted {
        assert_eq!(reading.judgement.fields[field].value.as_ref(), Some(value), "{}", field.as_str());
    }
}

#[test]
fn a_flat_picture_holds_and_its_fields_have_their_positions() {
    let wanted = truth("flat.png");
    let reading = read(&bytes("flat.png"), &Template::default(), &known(&wanted), &Tesseract::default())
        .expect("a reading");
    assert_read(&reading, &wanted);
    assert_eq!(reading.judgement.verdict, Verdict::Holds, "{:?}", reading.judgement);
    assert_eq!(reading.advice, None);
    // Line 14 of 34, printed at the right margin.
    let gross = reading.judgement.fields[&Field::Gross].area.expect("a place");
    assert!(gross.x > 0.6 && gross.x + gross.w < 0.98, "{gross:?}");
    assert!((gross.y - 0.393).abs() < 0.02 && gross.h < 0.04, "{gross:?}");
}

#[test]
fn slashed_zeros_that_the_engine_takes_for_eights_are_zeros() {
    let wanted = truth("slashed.png");
    let reading = read(&bytes("slashed.png"), &Template::default(), &known(&wanted), &Tesseract::default())
        .expect("a reading");
    assert_read(&reading, &wanted);
    assert_eq!(reading.judgement.verdict, Verdict::Holds, "{:?}", reading.judgement);
}

#[test]
fn a_picture_rotated_on_a_desk_is_cropped_and_levelled() {
    let wanted = truth("turned.jpg");
    let reading =
        read(&bytes("turned.jpg"), &Template::default(), &Context::default(), &Tesseract::default())
            .expect("a reading");
    assert_read(&reading, &wanted);
    assert!(reading.judgement.sums_hold(), "{:?}", reading.judgement);
    assert_eq!(reading.judgement.verdict, Verdict::Review);
}

#[test]
fn a_picture_upside_down_or_sideways_is_rotated_upright() {
    let picture = image::load_from_memory(&bytes("flat.png")).expect("a picture");
    let wanted = truth("flat.png");
    for turned in [picture.rotate180(), picture.rotate90()] {
        let reading = read(&png(&turned), &Template::default(), &Context::default(), &Tesseract::default())
            .expect("a reading");
        assert_read(&reading, &wanted);
    }
}

#[test]
fn text_of_any_picture_has_lines_and_a_table() {
    let text = read_text(&bytes("flat.png"), &Tesseract::default()).expect("a text");
    assert!(text.lines.iter().any(|line| line.text.contains("MERIENDA HOUSE INC")), "{:?}", text.lines);
    let row =
        text.table.iter().find(|row| row.iter().any(|cell| cell.contains("GROSS SALES"))).expect("the row");
    assert!(row.len() >= 2 && row.iter().any(|cell| cell == "148,036.25"), "{row:?}");
}

#[test]
fn a_label_that_was_taught_is_read() {
    let wanted = truth("flat.png");
    // Without the usual labels nothing is found; with a taught one, its field is.
    let bare = Template { usual: false, ..Template::default() };
    let engine = Tesseract::default();
    let nothing = read(&bytes("flat.png"), &bare, &Context::default(), &engine).expect("a reading");
    assert_eq!(nothing.judgement.verdict, Verdict::Unreadable);
    assert_eq!(nothing.advice, Some(Advice::NoReading));
    let taught = bare.teach("NET SALES", Field::Net).teach("Total Cash", Field::Cash);
    let some = read(&bytes("flat.png"), &taught, &Context::default(), &engine).expect("a reading");
    for field in [Field::Net, Field::Cash] {
        assert_eq!(some.judgement.fields[&field].value, Some(wanted[&field].clone()));
    }
}

#[test]
fn an_unreadable_picture_gets_advice() {
    let advice = |picture: &DynamicImage| {
        let reading = read(&png(picture), &Template::default(), &Context::default(), &Tesseract::default())
            .expect("a reading");
        assert_eq!(reading.judgement.verdict, Verdict::Unreadable);
        reading.advice
    };
    let picture = image::load_from_memory(&bytes("flat.png")).expect("a picture");
    assert_eq!(
        advice(&DynamicImage::from(GrayImage::from_pixel(300, 500, image::Luma([230])))),
        Some(Advice::NoReading)
    );
    assert_eq!(advice(&picture.thumbnail(110, 180)), Some(Advice::TooSmall));
    assert_eq!(advice(&picture.blur(7.0)), Some(Advice::TooBlurred));
}

fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("it is written");
    bytes.into_inner()
}
