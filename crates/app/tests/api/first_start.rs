//! The first super admin of an empty installation.

use larder_pages_people::first_start;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Engine, one_engine};

fn body(token: &str) -> Value {
    json!({ "token": token, "name": "Ana Cruz", "email": "ana@example.com", "password": "plovers wade at the mudflat" })
}

async fn link(app: &App) -> Option<String> {
    first_start::make_link(&app.state, "http://larder.example/").await.expect("a database")
}

#[rstest]
#[tokio::test]
async fn the_link_creates_one_super_admin_and_signs_them_in(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let nobody = app.nobody();
    let old = link(&app).await.expect("a link");
    let link_now = link(&app).await.expect("a link");
    let token = link_now.strip_prefix("http://larder.example/first-start#").expect("its form").to_owned();
    let kept: String = app
        .db
        .sql("select cast(value as text) from settings where name = 'firstStart'")
        .scalar()
        .await
        .expect("a setting");
    assert!(!kept.contains(&token), "the token is stored in plain text");
    let replaced = old.split('#').nth(1).expect("a token");
    assert_eq!(nobody.post("/api/first-start", &body(replaced)).await.expect(403)["code"], "firstStartOver");
    let weak = json!({ "token": token, "name": " ", "email": "x", "password": "password" });
    assert_eq!(
        nobody.post("/api/first-start", &weak).await.expect(422)["fields"].as_array().expect("fields").len(),
        3
    );
    let both = (body(&token), body(&token));
    let (a, b) =
        tokio::join!(nobody.post("/api/first-start", &both.0), nobody.post("/api/first-start", &both.1));
    let (made, lost) = if a.status == 204 { (a, b) } else { (b, a) };
    assert_eq!((made.status, lost.status), (204, 403), "{} {}", made.text(), lost.text());
    let cookie =
        made.headers.get_all("set-cookie").iter().find_map(|c| c.to_str().ok()?.strip_prefix("__Host-sid="));
    let mut ana = nobody.clone();
    ana.token = cookie.and_then(|c| c.split(';').next()).map(str::to_owned);
    let me = ana.get("/api/me").await.expect(200);
    assert_eq!((&me["user"]["superAdmin"], &me["user"]["email"]), (&json!(true), &json!("ana@example.com")));
    assert_eq!(link(&app).await, None, "an account exists");
}

#[rstest]
#[tokio::test]
async fn the_link_expires_after_a_day_or_with_the_first_account(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let token = |link: String| link.split('#').nth(1).expect("a token").to_owned();
    let first = token(link(&app).await.expect("a link"));
    app.clock.advance(24 * 3600 + 1);
    assert_eq!(app.nobody().post("/api/first-start", &body(&first)).await.status, 403);
    let second = token(link(&app).await.expect("a link"));
    app.admin().await;
    assert_eq!(app.nobody().post("/api/first-start", &body(&second)).await.status, 403);
}
