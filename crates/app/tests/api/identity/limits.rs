//! Password guessing fails without locking out the owner.

use rstest::rstest;
use serde_json::json;

use super::{Browser, EMAIL, PASSWORD, account, code, noted};
use crate::support::{App, Engine, one_engine};

const TOO_MANY: &str = "TOO_MANY_ATTEMPTS_TRY_LATER";
const WRONG: &str = "INVALID_LOGIN_CREDENTIALS";

/// A server behind a proxy, so that every request can have its own address; its clock is stopped.
async fn start(on: Engine) -> App {
    let app = App::start_idle_with(on, |config| config.proxy_hops = 1).await;
    app.clock.stand_still();
    app
}

fn from(app: &App, n: usize) -> Browser {
    Browser::of(app).with("x-forwarded-for", format!("10.{}.{}.{}", n / 65536, n / 256 % 256, n % 256))
}

#[rstest]
#[tokio::test]
async fn the_fifth_failure_locks_for_30_seconds_then_twice_as_long(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = start(on).await;
    account(&app, EMAIL).await;
    for email in [EMAIL, "nobody@example.com"] {
        for n in 0..5 {
            assert_eq!(code(from(&app, n).try_in(email, "wrong").await), WRONG, "{email}");
        }
        let mut lasts = 30;
        while lasts <= 900 {
            app.clock.advance(lasts - 1);
            assert_eq!(code(from(&app, 9).try_in(email, PASSWORD).await), TOO_MANY, "{email}, {lasts} s");
            app.clock.advance(2);
            assert_eq!(code(from(&app, 9).try_in(email, "wrong").await), WRONG, "{email}, {lasts} s");
            lasts *= 2;
        }
        app.clock.advance(890);
        assert_eq!(code(from(&app, 9).try_in(email, PASSWORD).await), TOO_MANY, "15 minutes at most");
        app.clock.advance(20);
    }
    from(&app, 9).try_in(EMAIL, PASSWORD).await.expect(200);
    for n in 0..4 {
        assert_eq!(
            code(from(&app, n).try_in(EMAIL, "wrong").await),
            WRONG,
            "a correct password resets the count"
        );
    }
    from(&app, 9).try_in(EMAIL, PASSWORD).await.expect(200);
    assert!(noted(&app, "lockedOut").await > 10);
}

#[rstest]
#[case(Engine::Sqlite, 1000)]
#[case(Engine::Postgres, 300)]
#[tokio::test]
async fn failures_of_outsiders_do_not_lock_out_the_owner(#[case] on: Engine, #[case] tries: usize) {
    let app = start(on).await;
    account(&app, EMAIL).await;
    let mut known = from(&app, 1);
    known.sign_in(EMAIL).await;
    let mut wrong = 0;
    for n in 0..tries {
        // Some come from the office's own address.
        let mut outsider = from(&app, if n % 2 == 0 { 1 } else { 1000 + n });
        match code(outsider.try_in(EMAIL, "wrong").await).as_str() {
            WRONG => wrong += 1,
            TOO_MANY => {}
            other => panic!("{other}"),
        }
        if n % 50 == 0 {
            app.clock.advance(7);
        }
    }
    assert!(wrong < 20, "{wrong} guesses were checked");
    known.sign_in(EMAIL).await;
    for _ in 0..5 {
        assert_eq!(code(known.try_in(EMAIL, "wrong").await), WRONG);
    }
    assert_eq!(code(known.try_in(EMAIL, PASSWORD).await), TOO_MANY, "a known browser has its own count");
    app.clock.advance(31);
    known.sign_in(EMAIL).await;
}

#[rstest]
#[tokio::test]
async fn an_address_has_a_burst_of_ten_then_one_per_six_seconds(#[from(one_engine)] on: Engine) {
    let app = start(on).await;
    account(&app, EMAIL).await;
    for n in 0..10 {
        assert_eq!(code(from(&app, 1).try_in(&format!("a{n}@example.com"), "wrong").await), WRONG);
    }
    assert_eq!(code(from(&app, 1).try_in(EMAIL, PASSWORD).await), TOO_MANY);
    assert_eq!(
        code(from(&app, 2).try_in("b@example.com", "wrong").await),
        WRONG,
        "other addresses are not limited"
    );
    app.clock.advance(6);
    from(&app, 1).try_in(EMAIL, PASSWORD).await.expect(200);
    assert_eq!(
        code(from(&app, 1).try_in("c@example.com", "wrong").await),
        WRONG,
        "a correct password does not count"
    );
    assert_eq!(code(from(&app, 1).try_in("c@example.com", "wrong").await), TOO_MANY);
}

#[rstest]
#[tokio::test]
async fn a_whole_office_signs_in_from_one_address(#[from(one_engine)] on: Engine) {
    let app = start(on).await;
    for n in 0..15 {
        account(&app, &format!("person{n}@example.com")).await;
    }
    for n in 0..15 {
        from(&app, 1).sign_in(&format!("person{n}@example.com")).await;
    }
}

#[rstest]
#[tokio::test]
async fn forged_forwarding_headers_are_ignored(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    app.clock.stand_still();
    for n in 0..10 {
        let answer = from(&app, n).try_in(&format!("a{n}@example.com"), "wrong").await;
        assert_eq!(code(answer), WRONG);
    }
    assert_eq!(code(from(&app, 99).try_in("b@example.com", "wrong").await), TOO_MANY, "no proxy is trusted");

    let app = start(on).await;
    let spoof = |n: usize| Browser::of(&app).with("x-forwarded-for", format!("1.2.3.{n}, 10.0.0.1"));
    for n in 0..10 {
        assert_eq!(code(spoof(n).try_in(&format!("a{n}@example.com"), "wrong").await), WRONG);
    }
    assert_eq!(code(spoof(99).try_in("b@example.com", "wrong").await), TOO_MANY, "only one hop is trusted");
    let origin: String = app
        .db
        .sql("select origin from security_events order by seq desc limit 1")
        .scalar()
        .await
        .expect("an event");
    assert_eq!(origin, "10.0.0.1");
}

#[rstest]
#[tokio::test]
async fn concurrent_guesses_do_not_bypass_the_lock(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = start(on).await;
    account(&app, EMAIL).await;
    let guesses = (0..60).map(|n| {
        let mut browser = from(&app, n);
        tokio::spawn(async move { code(browser.try_in(EMAIL, "wrong").await) })
    });
    let mut checked = 0;
    for guess in guesses.collect::<Vec<_>>() {
        checked += usize::from(guess.await.expect("an answer") == WRONG);
    }
    assert!(checked < 20, "{checked} guesses were checked");
    let body = json!({ "email": EMAIL, "password": PASSWORD });
    assert_eq!(code(from(&app, 99).post(super::SIGN_IN, &body).await), TOO_MANY);
}
