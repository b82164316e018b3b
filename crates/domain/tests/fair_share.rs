//! Fair shares against the reference figures of `testdata/oracle/drp_fixture.json`.

use larder_domain::Qty;
use larder_domain::document::share::{Ask, days_of_cover, equal_cover};
use serde_json::Value;

#[test]
fn equal_cover_is_the_references_to_the_digit() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/oracle/drp_fixture.json");
    let text = std::fs::read_to_string(path).expect("the reference figures");
    let fixture: Value = serde_json::from_str(&text).expect("JSON");
    let qty = |whole: i64| Qty(whole * 1_000_000);
    let ask = |store, position, rate, need| Ask {
        store,
        need: qty(need),
        pack: qty(10),
        position: qty(position),
        rate: qty(rate),
    };
    let asks = [ask("S1", 20, 10, 120), ask("S2", 10, 20, 130), ask("S3", 50, 5, 20), ask("S4", 0, 8, 80)];
    let shares = equal_cover(&asks, qty(180));
    assert_eq!(shares.len(), asks.len());
    for (ask, share) in asks.iter().zip(shares) {
        assert_eq!(fixture["fair_share"]["packs"][ask.store], share.0 / 1_000_000, "{}", ask.store);
    }
    let days = days_of_cover(&asks, qty(180)).expect("short");
    let known = fixture["fair_share"]["T"].as_f64().expect("a number");
    assert!((days - known).abs() < 1e-9, "{days} and {known}");
}
