//! Merging accounts: only compatible accounts are merged, and the chart's total stays the same.

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use super::fields;
use crate::support::{App, Client, Engine, one_engine};

const PATH: &str = "/api/your-company/chart-of-accounts";

async fn made(client: &Client, body: Value) -> Value {
    client.post(PATH, &body).await.expect(201)
}

async fn merge(client: &Client, going: &Value, staying: &Value) -> crate::support::Answer {
    let id = |record: &Value| record["id"].as_str().expect("an id").to_owned();
    let body = json!({
        "into": id(staying), "revision": going["revision"], "intoRevision": staying["revision"],
    });
    client.post(&format!("{PATH}/{}/merge", id(going)), &body).await
}

async fn chart(client: &Client) -> Vec<Value> {
    let page = client.get(&format!("{PATH}?pageSize=all&includeInactive=true")).await.expect(200);
    page["items"].as_array().expect("items").clone()
}

/// Total of all accounts in centavos: opening and current balances.
fn sums(accounts: &[Value]) -> (i64, i64) {
    let sum = |field: &str| {
        let held = accounts.iter().filter_map(|account| account[field].as_f64());
        held.map(|pesos| (pesos * 100.0).round() as i64).sum()
    };
    (sum("openingBalance"), sum("balance"))
}

#[rstest]
#[tokio::test]
async fn different_types_of_accounts_cannot_be_merged(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let account = async |name: &str, kind: &str, detail: Option<&str>, opening: f64| {
        let body = json!({ "name": name, "type": kind, "detailType": detail, "openingBalance": opening });
        made(&admin, body).await
    };
    let bank = account("BDO", "Bank", Some("Checking"), 3_100_000.0).await;
    let debt = account("Suppliers", "Accounts payable (A/P)", Some("Accounts payable (A/P)"), 5.0).await;
    let savings = account("Savings", "Bank", Some("Savings"), 1.0).await;
    let dollars = json!({ "name": "Dollars", "type": "Bank", "detailType": "Checking", "currency": "USD" });
    let dollars = made(&admin, dollars).await;
    let before = chart(&admin).await;
    for (other, reported) in [
        (
            &debt,
            "This account is Bank, Checking; the other is Accounts payable (A/P), Accounts payable (A/P).",
        ),
        (&savings, "This account is Bank, Checking; the other is Bank, Savings."),
        (&dollars, "This account is in PHP; the other is in USD."),
    ] {
        let refusal = merge(&admin, &bank, other).await.expect(422);
        assert_eq!(fields(&refusal), ["into"]);
        let words = "Only accounts of the same type, detail type and currency can be merged.";
        assert_eq!(refusal["fields"][0]["message"], format!("{reported} {words}"));
    }
    assert_eq!(chart(&admin).await, before, "a refused merge changes nothing");

    let bpi = account("BPI", "Bank", Some("Checking"), -100.25).await;
    let answer = merge(&admin, &bpi, &bank).await.expect(200);
    assert_eq!(answer["record"]["openingBalance"], 3_099_899.75);
    assert_eq!(answer["record"]["balance"], 3_099_899.75);
    let gone = admin.get(&format!("{PATH}/{}", bpi["id"].as_str().expect("an id"))).await.expect(200);
    assert_eq!((&gone["active"], gone["balance"].as_f64().unwrap_or(0.0)), (&json!(false), 0.0));
    assert_eq!(gone.get("openingBalance"), None);
}

/// Suppliers have an opening balance, too.
#[rstest]
#[tokio::test]
async fn supplier_balances_add_up(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = "/api/lists/suppliers";
    let supplier = async |name: &str, opening: Value| {
        admin.post(path, &json!({ "name": name, "openingBalance": opening })).await.expect(201)
    };
    let (twin, other) = (supplier("Twin", json!(10.5)).await, supplier("Twin Inc.", json!(4.5)).await);
    let body = json!({ "into": other["id"], "revision": 1, "intoRevision": 1 });
    let merged = format!("{path}/{}/merge", twin["id"].as_str().expect("an id"));
    assert_eq!(admin.post(&merged, &body).await.expect(200)["record"]["openingBalance"], 15);
}

/// Whichever accounts are merged, and whether or not the merge is refused, the totals of the chart and of
/// each type stay the same.
#[rstest]
#[tokio::test]
async fn merging_keeps_the_total_of_any_chart(#[from(one_engine)] on: Engine, #[values(1, 2, 3)] seed: u64) {
    const KINDS: [(&str, Option<&str>); 4] = [
        ("Bank", Some("Checking")),
        ("Bank", None),
        ("Accounts payable (A/P)", None),
        ("Equity", Some("Retained earnings")),
    ];
    let mut random = rand::rngs::StdRng::seed_from_u64(seed);
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut all: Vec<Value> = Vec::new();
    for n in 0..14 {
        let (kind, detail) = *KINDS.choose(&mut random).expect("a kind");
        let above: Vec<&Value> = all.iter().filter(|one| one["type"] == kind).collect();
        let parent =
            above.choose(&mut random).filter(|_| random.random_bool(0.4)).map(|one| one["id"].clone());
        let opening =
            random.random_bool(0.8).then(|| f64::from(random.random_range(-90_000..90_000)) / 100.0);
        let body = json!({
            "name": format!("Account {n}"), "type": kind, "detailType": detail, "parentId": parent,
            "openingBalance": opening,
        });
        all.push(made(&admin, body).await);
    }
    let of_type = |accounts: &[Value], kind: &str| {
        sums(&accounts.iter().filter(|one| one["type"] == kind).cloned().collect::<Vec<_>>())
    };
    let start = chart(&admin).await;
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..30 {
        let now = chart(&admin).await;
        let two: Vec<&Value> = now.sample(&mut random, 2).collect();
        match merge(&admin, two[0], two[1]).await {
            answer if answer.status == 200 => taken += 1,
            answer => {
                assert_eq!(fields(&answer.expect(422)), ["into"], "{two:?}");
                refused += 1;
            }
        }
        let after = chart(&admin).await;
        assert_eq!(sums(&after), sums(&start), "after {two:?}");
        for (kind, _) in KINDS {
            assert_eq!(of_type(&after, kind), of_type(&start, kind), "{kind} after {two:?}");
        }
    }
    assert!(taken > 2 && refused > 2, "{taken} taken, {refused} refused");
}
