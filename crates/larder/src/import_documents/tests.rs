//! The command, on a realistic folder.

use std::path::PathBuf;

use larder_db::testing::clock;
use larder_lists::catalog::{Product, Uom};
use larder_lists::engine;
use larder_platform::Config;

use super::*;
use crate::Common;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("larder-documents-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("export")).expect("a folder");
        Self(path)
    }

    fn write(&self, name: &str, lines: &[&str]) {
        std::fs::write(self.0.join("export").join(name), lines.join("\n")).expect("room on the disk");
    }

    fn args(&self) -> ImportDocuments {
        let data = Some(self.0.join("data"));
        ImportDocuments {
            common: Common { data_dir: data, database: None, config: None },
            folder: Some(self.0.join("export")),
            kept: false,
            report: None,
            send_reset_links: false,
        }
    }

    fn report(&self) -> serde_json::Value {
        let text = std::fs::read_to_string(self.0.join("data/import-report.json")).expect("a report");
        serde_json::from_str(&text).expect("JSON")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn a_folder_is_imported_and_a_second_run_changes_nothing() {
    let folder = Folder::new("twice");
    folder
        .write("uoms.jsonl", &[r#"{"id":"u1","name":"Kilogram","code":"kg","symbol":"㎏"}"#, "", "{broken"]);
    folder.write(
        "products.jsonl",
        &[
            r#"{"id":"p1","sku":"A-1","name":"Pork","baseUom":"KG","quantity":0,"createdAt":"2023-11-14T22:13:20.123Z"}"#,
            r#"{"id":"p2","name":"Nothing known","baseUom":"stone"}"#,
        ],
    );
    folder.write("deviceSettings.jsonl", &[r#"{"id":"d1","theme":"dark"}"#]);
    folder.write("notes.txt", &["not ours"]);
    for run in ["first", "second"] {
        command(&folder.args()).await.expect("it runs");
        let report = folder.report();
        let of = |name: &str, what: &str| {
            let all = report["collections"].as_array().expect("collections");
            let tally = all.iter().find(|tally| tally["collection"] == name).expect("a collection");
            tally[what].as_u64().expect("a count")
        };
        let (new, known) = if run == "first" { (1, 0) } else { (0, 1) };
        assert_eq!(
            (of("uoms", "created"), of("uoms", "unchanged"), of("uoms", "broken")),
            (new, known, 1),
            "{run}"
        );
        assert_eq!((of("products", "created"), of("products", "broken")), (new, 1), "{run}");
        assert_eq!(of("deviceSettings", "keptForLater"), new, "{run}");
        let broken = report["broken"].as_array().expect("findings");
        assert_eq!((&broken[0]["file"], &broken[0]["line"]), (&"uoms.jsonl".into(), &3.into()));
        assert_eq!((&broken[1]["id"], &broken[1]["line"]), (&"p2".into(), &2.into()));
        assert_eq!(report["collections"].as_array().map(Vec::len), Some(3), "other files are passed over");
    }
    let config =
        Config { data_dir: folder.0.join("data"), clock_shift_ms: clock::shift_ms(), ..Config::default() };
    let state = app::open(config).await.expect("it opens");
    let unit = engine::get::<Uom>(&state.db, "u1").await.expect("a database").expect("a unit");
    assert_eq!((unit.extra.0["symbol"].as_str(), unit.stamp.revision), (Some("㎏"), 1));
    let product = engine::get::<Product>(&state.db, "p1").await.expect("a database").expect("a product");
    assert_eq!((product.base_uom_id.as_deref(), product.stamp.created_at.0), (Some("u1"), 1_700_000_000_123));
    state.db.close().await;
}

#[tokio::test]
async fn a_folder_without_documents_is_refused() {
    let folder = Folder::new("empty");
    let refused = command(&folder.args()).await.expect_err("there is nothing");
    assert!(refused.to_string().contains("no file of documents"), "{refused}");
}

#[test]
fn the_table_is_even() {
    let tally = |name: &str| Tally { collection: name.into(), documents: 12_345, ..Tally::default() };
    let report =
        Report { collections: vec![tally("uoms"), tally("storeInventoryItems")], ..Report::default() };
    let words = words(&report, Path::new("r.json"), false);
    let lines: Vec<&str> = words.lines().take(3).collect();
    assert!(lines.iter().all(|line| line.chars().count() == lines[0].chars().count()), "{words}");
}
