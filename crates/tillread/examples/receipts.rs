//! Reads every picture of a folder with a `truth.json` and reports accuracy, a line per picture and a table.
//!
//! `receipts FOLDER [--verbose] [NAME…]`

use std::collections::BTreeMap;
use std::path::Path;

use larder_tillread::{
    Advice, Context, Doubt, Field, Judgement, Previous, Template, Tesseract, Value, Verdict, judge, read,
};

#[derive(Default)]
struct Sums {
    pictures: usize,
    fields: usize,
    right: usize,
    read_right: usize,
    sums_hold: usize,
    holds: usize,
    wrong: usize,
    unreadable: usize,
    seconds: f64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let verbose = args.iter().any(|arg| arg == "--verbose");
    let mut args = args.iter().filter(|arg| !arg.starts_with("--"));
    let folder = Path::new(args.next().expect("a folder"));
    let names: Vec<&String> = args.collect();
    let text = std::fs::read_to_string(folder.join("truth.json")).expect("truth.json");
    let truth: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).expect("an object");
    let mut kinds: BTreeMap<String, Sums> = BTreeMap::new();
    for (name, it) in
        truth.iter().filter(|it| names.is_empty() || names.iter().any(|name| it.0.contains(*name)))
    {
        let wanted: BTreeMap<Field, Value> = Field::ALL
            .into_iter()
            .filter_map(|field| Some((field, Value::plain(field, it["fields"][field.as_str()].as_str()?)?)))
            .collect();
        let bytes = std::fs::read(folder.join(name)).expect("the picture");
        let engine = Tesseract::default();
        let before = processor();
        let reading = read(&bytes, &Template::default(), &Context::default(), &engine).expect("a reading");
        let seconds = processor() - before;
        let kind = it["kind"].as_str().unwrap_or_default();
        let sums = kinds.entry(kind.to_owned()).or_default();
        sums.pictures += 1;
        sums.seconds += seconds;
        let mut wrong = Vec::new();
        let mut right = 0;
        for (field, value) in &wanted {
            let got = reading.judgement.fields.get(field);
            if got.and_then(|got| got.value.as_ref()) == Some(value) {
                right += 1;
                sums.read_right += usize::from(got.is_some_and(|got| !got.text.is_empty()));
            } else {
                let got = got.map(|got| {
                    format!("{:?} {:?} {:?}", got.value.as_ref().map(ToString::to_string), got.text, got.why)
                });
                wrong.push(format!("{}: {} got {}", field.as_str(), value, got.unwrap_or_default()));
            }
        }
        sums.fields += wanted.len();
        sums.right += right;
        let known = known(&wanted);
        let again = judge(&reading.votes, &Template::default(), &known);
        sums.sums_hold += usize::from(reading.judgement.sums_hold());
        sums.holds += usize::from(again.verdict == Verdict::Holds);
        // Accepted wrongly: a wrong field in a reading that holds, or one not marked for review.
        let is_wrong = |judgement: &Judgement, field: &Field| {
            judgement.fields[field].value != wanted.get(field).cloned()
        };
        let accepted =
            again.verdict == Verdict::Holds && Field::ALL.iter().any(|field| is_wrong(&again, field));
        let alone = &reading.judgement;
        let unseen = |field: &Field| is_wrong(alone, field) && !alone.fields[field].doubtful;
        sums.wrong += usize::from(accepted || (alone.sums_hold() && Field::ALL.iter().any(unseen)));
        sums.unreadable += usize::from(reading.judgement.verdict == Verdict::Unreadable);
        println!(
            "{name:24} {right}/{} {:?} sums {} holds {} passes {} {seconds:.2} s {}",
            wanted.len(),
            reading.judgement.verdict,
            reading.judgement.sums_hold(),
            again.verdict == Verdict::Holds,
            reading.passes,
            reading.advice.map_or("", Advice::text),
        );
        if verbose {
            wrong.iter().for_each(|line| println!("    {line}"));
            for (field, got) in reading
                .judgement
                .fields
                .iter()
                .filter(|it| it.1.why.is_some_and(|why| why != Doubt::Unproven))
            {
                println!("    ? {} {:?}", field.as_str(), got.why);
            }
            for (field, got) in again.fields.iter().filter(|it| it.1.doubtful) {
                let text = got.value.as_ref().map(ToString::to_string).unwrap_or_default();
                println!("    terminal known: ? {} {:?} {text}", field.as_str(), got.why);
            }
        }
    }
    println!("kind\tpictures\tfields\tread\tsums\tholds\twrong\tunreadable\tseconds");
    for (kind, it) in kinds {
        println!(
            "{kind}\t{}\t{:.4}\t{:.4}\t{}\t{}\t{}\t{}\t{:.2}",
            it.pictures,
            it.right as f64 / it.fields as f64,
            it.read_right as f64 / it.fields as f64,
            it.sums_hold,
            it.holds,
            it.wrong,
            it.unreadable,
            it.seconds / it.pictures as f64
        );
    }
}

/// What a terminal in use knows about the next reading.
fn known(wanted: &BTreeMap<Field, Value>) -> Context {
    let number = |field: Field| wanted.get(&field).and_then(Value::number);
    let text = |field: Field| wanted.get(&field).map(ToString::to_string);
    Context {
        tin: text(Field::Tin),
        min: text(Field::Min),
        date: text(Field::Date).and_then(|day| day.parse().ok()),
        previous: Some(Previous {
            z: number(Field::Z).map(|it| it - 1),
            end: number(Field::Beg).map(|it| it - 1),
            new: number(Field::Old).map(larder_domain::Money),
        }),
    }
}

/// Processor seconds of this process and its finished children.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = stat.rsplit(") ").next().unwrap_or_default();
    let ticks: f64 = rest.split(' ').skip(11).take(4).filter_map(|it| it.parse::<f64>().ok()).sum();
    ticks / 100.0
}
