//! The first steps of a new group.

use larder_domain::Action;
use larder_platform::example::Example;
use rstest::rstest;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::lists::make_all;
use crate::sales::store;
use crate::sales::z_reading::sell;
use crate::support::{App, Client, Engine, one_engine};

const PATH: &str = "/api/dashboard/main/first-steps";

async fn steps(client: &Client) -> Vec<(String, bool)> {
    let found = client.get(PATH).await.expect(200);
    let step = |item: &Value| {
        (item["key"].as_str().expect("a key").to_owned(), item["done"].as_bool().expect("yes or no"))
    };
    found["items"].as_array().expect("items").iter().map(step).collect()
}

#[rstest]
#[tokio::test]
async fn the_first_steps_are_done_one_by_one(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let steps_of = |done: [bool; 4]| {
        let keys = ["company", "store", "people", "sales"].map(str::to_owned);
        keys.into_iter().zip(done).collect::<Vec<_>>()
    };
    assert_eq!(steps(&admin).await, steps_of([false; 4]));
    make_all(&app, "companies", &[json!({ "name": "Larder Foods" })]).await;
    let makati = store(&admin, "Makati", "MKT").await;
    sell(&app, &makati, 1, 10_000).await;
    let own: &[(&str, &[Action])] =
        &[("dashboard/home", &[Action::View]), ("stores/storeList", &[Action::View, Action::Create])];
    let office = app.user(own, None).await;
    assert_eq!(steps(&admin).await, steps_of([true; 4]));
    let found = admin.get(PATH).await.expect(200);
    assert_eq!(
        found["salesThrough"],
        json!(larder_domain::BusinessDay::of(app.state.now()).plus(-1)),
        "the first report is of days with sales"
    );
    assert_eq!(steps(&office).await, [("store".to_owned(), true)], "only what they may do");
    let crew = app.user(own, Some(&[makati])).await;
    assert_eq!(steps(&crew).await, [], "nothing for users of some stores");
}

/// The example is for a group that has nothing yet, on a server that can start again, and for users who may replace
/// everything.
#[rstest]
#[tokio::test]
async fn an_example_is_loaded_into_an_empty_group_only(#[from(one_engine)] on: Engine) {
    const EXAMPLE: &str = "/api/dashboard/main/example";
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let example = async |client: &Client| client.get(PATH).await.expect(200)["example"].clone();
    assert_eq!(example(&admin).await, Value::Null, "a server that has none");
    assert_eq!(admin.post(EXAMPLE, &json!({})).await.expect(409)["code"], "state");

    let restart = CancellationToken::new();
    app.state.example.get_or_init(|| Example::with_restart(restart.clone()));
    assert_eq!(example(&admin).await, "offered");
    let helper =
        app.user(&[("dashboard/home", &[Action::View]), ("manageUsers/users", &[Action::View])], None).await;
    assert_eq!(example(&helper).await, Value::Null);
    helper.post(EXAMPLE, &json!({})).await.expect(403);
    assert_eq!(admin.delete(EXAMPLE).await.expect(409)["detail"], "This group is not an example.");

    store(&admin, "Makati", "MKT").await;
    assert_eq!(example(&admin).await, Value::Null, "the group has a store");
    admin.post(EXAMPLE, &json!({})).await.expect(409);
    assert!(!restart.is_cancelled(), "nothing was loaded");
}
