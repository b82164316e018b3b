//! No input causes a panic: files, words from an engine, sets of values.

use std::collections::BTreeMap;

use image::GrayImage;
use larder_domain::Money;
use larder_pictures::Refusal as Picture;
use larder_tillread::{
    Context, DateOrder, Engine, EngineError, Field, Kind, Mode, RawWord, Refusal, Template, Value, Votes,
    judge, read, read_text,
};
use proptest::prelude::*;

/// An engine with a fixed answer.
struct Says(Vec<RawWord>);

impl Engine for Says {
    fn words(&self, _: &GrayImage, _: Mode) -> Result<Vec<RawWord>, EngineError> {
        Ok(self.0.clone())
    }
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let picture = GrayImage::from_fn(width, height, |x, y| image::Luma([((x * 7 + y * 13) % 251) as u8]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("it is written");
    bytes.into_inner()
}

fn a_word() -> impl Strategy<Value = RawWord> {
    let labels = prop_oneof![
        "\\PC{0,12}",
        "[0-9OSB.,/-]{1,14}",
        Just("NET".to_owned()),
        Just("SALES".to_owned()),
        Just("CASH".to_owned()),
        Just("TIN:".to_owned()),
        Just("MIN:1234".to_owned()),
    ];
    let place = prop_oneof![-50.0f32..3000.0, Just(f32::NAN), Just(f32::MAX), Just(0.0f32)];
    (labels, 0.0f32..1.0, place.clone(), place.clone(), place.clone(), place, 0u32..9).prop_map(
        |(text, confidence, left, top, width, height, line)| RawWord {
            text,
            confidence,
            left,
            top,
            width,
            height,
            line,
        },
    )
}

/// Found by [`any_words`]: digits of the greatest height a float has were compared row by row.
#[test]
fn words_higher_than_any_picture() {
    let word = |text: &str, left: f32, line| RawWord {
        text: text.to_owned(),
        confidence: 0.9,
        left,
        top: 10.0,
        width: 40.0,
        height: f32::MAX,
        line,
    };
    let words =
        vec![word("NET", 0.0, 1), word("SALES", 45.0, 1), word("123.45", 90.0, 1), word("99.10", 140.0, 2)];
    let bytes = png(200, 60);
    read(&bytes, &Template::default(), &Context::default(), &Says(words)).expect("a reading");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes, &Template::default(), &Context::default(), &Says(Vec::new()));
    }

    #[test]
    fn a_damaged_picture(at in 8usize..500, with in any::<u8>()) {
        let mut bytes = png(60, 90);
        let at = at % bytes.len();
        bytes[at] = with;
        let _ = read(&bytes, &Template::default(), &Context::default(), &Says(Vec::new()));
    }

    #[test]
    fn any_words(words in proptest::collection::vec(a_word(), 0..40), width in 1u32..90, height in 1u32..90) {
        let bytes = png(width, height);
        let reading = read(&bytes, &Template::default(), &Context::default(), &Says(words.clone())).expect("a reading");
        for field in reading.judgement.fields.values() {
            prop_assert!((0.0..=1.0).contains(&field.confidence));
        }
        let text = read_text(&bytes, &Says(words)).expect("a text");
        let cells: Vec<usize> = text.table.iter().map(Vec::len).collect();
        prop_assert!(cells.windows(2).all(|pair| pair[0] == pair[1]));
        prop_assert!(serde_json::to_string(&text).is_ok());
    }

    #[test]
    fn any_values(numbers in proptest::collection::vec(proptest::option::of(any::<i64>()), 24), passes in 0usize..4) {
        let values: BTreeMap<Field, Value> = Field::ALL
            .into_iter()
            .zip(numbers)
            .filter_map(|(field, number)| {
                let number = number?;
                Some((field, match field.kind() {
                    Kind::Money => Value::Money(Money(number)),
                    Kind::Date => Value::Date(larder_domain::BusinessDay(number as i32 % 40_000)),
                    Kind::Count | Kind::Digits => Value::Count(number.unsigned_abs().to_string()),
                }))
            })
            .collect();
        let _ = judge(&Votes::agreed(&values, passes), &Template::default(), &Context::default());
    }

    #[test]
    fn any_label_can_be_taught(label in "\\PC{0,80}", at in 0usize..24) {
        let taught = Template::default().teach(&label, Field::ALL[at]);
        let json = serde_json::to_string(&taught).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Template>(&json).expect("a template"), taught);
    }
}

#[test]
fn files_that_are_refused_say_why() {
    let read = |bytes: &[u8]| {
        read(bytes, &Template::default(), &Context::default(), &Says(Vec::new())).expect_err("refused")
    };
    assert_eq!(read(b"not a picture"), Refusal::Picture(Picture::NotAPicture));
    assert_eq!(read(&png(50, 50)[..120]), Refusal::Picture(Picture::Broken));
    assert_eq!(read(&vec![0; larder_tillread::MOST_BYTES + 1]), Refusal::TooLarge);
    // A header that declares 30,000 pixels each way, with hardly any data.
    let mut large = png(4, 4);
    large[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    assert!(matches!(read(&large), Refusal::Picture(Picture::TooManyPixels | Picture::Broken)));
}

#[test]
fn an_older_template_is_still_read() {
    let old = serde_json::from_str::<Template>(r#"{"labels":{"net":["Day total"]},"dateOrder":"dmy"}"#)
        .expect("a template");
    assert_eq!((old.date_order, old.usual), (DateOrder::Dmy, true));
    assert_eq!(old.labels[&Field::Net], ["Day total"]);
}
