//! Emails are sent through a real mail server, wait while it does not accept them, and leave no secrets
//! behind.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdin, Command, Stdio};

use larder_app as app;
use larder_platform::config::Secret;
use larder_platform::mail;
use larder_platform::mail::{Email, Recipient};
use larder_platform::{AppState, Config};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, actor, one_engine};
use larder_db::testing::{Temp, clock};

/// A mail server for the test.
pub struct Server {
    child: Child,
    _alive: ChildStdin,
    lines: std::sync::mpsc::Receiver<String>,
    pub port: String,
}

impl Server {
    pub fn start(mode: &str) -> Server {
        Server::start_with(mode, &[])
    }

    fn start_with(mode: &str, more: &[String]) -> Server {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/smtp_server.py");
        let started = Command::new("/usr/bin/python3")
            .args([script, mode])
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = started
            .expect("Python 3 is needed: apt-get install python3-aiosmtpd (scripts/prerequisites test)");
        let alive = child.stdin.take().expect("stdin");
        let mut out = BufReader::new(child.stdout.take().expect("stdout"));
        let mut port = String::new();
        out.read_line(&mut port).expect("a line");
        assert!(
            !port.is_empty(),
            "the mail server needs aiosmtpd: apt-get install python3-aiosmtpd (scripts/prerequisites test)"
        );
        let (sender, lines) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Server { child, _alive: alive, lines, port: port.trim().to_owned() }
    }

    /// The next email it accepted.
    pub async fn email_received(&self) -> Value {
        for _ in 0..100 {
            if let Ok(line) = self.lines.try_recv() {
                return serde_json::from_str(&line).expect("JSON");
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("no letter came");
    }

    /// Whether there is no further email that it accepted.
    fn none_received(&self) -> bool {
        self.lines.try_recv().is_err()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

struct Stage {
    state: AppState,
    _temp: Temp,
    folder: tempfile::TempDir,
}

async fn stage(on: Engine, smtp: Option<String>) -> Stage {
    let temp = Temp::new(on).await;
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config {
        data_dir: folder.path().to_owned(),
        smtp_url: smtp.map(Secret),
        mail_from: Some("Larder <larder@example.com>".into()),
        company_name: "Kusina Group".into(),
        clock_shift_ms: clock::shift_ms(),
        ..Config::default()
    };
    let state = app::assemble(config, temp.db.clone()).expect("valid server");
    Stage { state, _temp: temp, folder }
}

const LINK: &str = "https://larder.example/reset-password?mode=resetPassword&oobCode=secret-code";

impl Stage {
    async fn post(&self, to: &str) {
        let to = Recipient { name: "Ana Peña".into(), email: to.into() };
        let email = Email::Reset { link: LINK.into(), valid_until: None };
        let (to, email, state) = (&to, &email, &self.state);
        let actor = actor(state.now());
        state.db.write(&actor, async |tx| mail::queue(tx, state, to, email).await).await.expect("queued");
        state.jobs.drain(state).await.expect("jobs run");
    }

    /// State, arguments, text and number of attempts of the only email.
    async fn job(&self) -> (String, String, String, i64) {
        self.state
            .db
            .sql("select state, cast(args as text), coalesce(error, message), attempts from jobs where kind = 'mail.send'")
            .one()
            .await
            .expect("a job")
    }

    /// Advances the clock to the next attempt.
    async fn hurry(&self) {
        let actor = actor(self.state.now());
        let done = self.state.db.write(&actor, async |tx| {
            tx.sql("update jobs set lease_until = 0 where state = 'queued'").execute().await
        });
        assert_eq!(done.await.expect("written"), 1, "the email is queued");
        self.state.jobs.drain(&self.state).await.expect("jobs run");
    }
}

#[rstest]
#[tokio::test]
async fn an_email_is_sent_and_its_link_deleted(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let server = Server::start("plain");
    let stage = stage(on, Some(format!("smtp://127.0.0.1:{}", server.port))).await;
    stage.post("ana@example.com").await;
    let mail = server.email_received().await;
    assert_eq!((&mail["from"], &mail["to"][0]), (&"larder@example.com".into(), &"ana@example.com".into()));
    assert_eq!(mail["subject"], "Set a new password for Larder");
    assert!(mail["text"].as_str().expect("text").contains(LINK), "{mail}");
    assert!(mail["html"].as_str().expect("HTML").contains("Kusina Group"), "{mail}");
    assert!(mail["headers"]["to"].as_str().expect("to").contains("Ana Peña"), "{mail}");
    assert_eq!(mail["headers"]["auto-submitted"], "auto-generated");
    let (state, args, ..) = stage.job().await;
    assert_eq!((state.as_str(), args.as_str()), ("done", "{}"), "the link is still in the database");
    assert!(!stage.folder.path().join("outbox").exists(), "the file of a sent email remains");
}

#[rstest]
#[tokio::test]
async fn the_mail_server_address_carries_credentials(#[from(one_engine)] on: Engine) {
    let server = Server::start("login");
    let address =
        |password: &str| format!("smtp://larder%40example.com:{password}@127.0.0.1:{}", server.port);
    let right = stage(on, Some(address("p%40ss%3Aword"))).await;
    right.post("ana@example.com").await;
    assert_eq!(server.email_received().await["login"], true);
    let wrong = stage(on, Some(address("hunter2"))).await;
    wrong.post("ana@example.com").await;
    let (state, _, words, _) = wrong.job().await;
    assert_eq!(state, "queued", "a wrong password can be fixed: {words}");
    assert!(!words.contains("hunter2"), "{words}");
}

#[rstest]
#[tokio::test]
async fn a_busy_mail_server_is_retried(#[from(one_engine)] on: Engine) {
    let server = Server::start("busy");
    let stage = stage(on, Some(format!("smtp://127.0.0.1:{}", server.port))).await;
    stage.post("ana@example.com").await;
    for tried in ["once", "2 times", "3 times", "4 times", "5 times", "6 times"] {
        let (state, args, words, attempts) = stage.job().await;
        assert_eq!((state.as_str(), attempts), ("queued", 0), "a busy server is no failure of the job");
        assert!(
            words.starts_with(&format!("Tried {tried}: ")) && words.contains("Try again later"),
            "{words}"
        );
        assert!(
            args.contains("sealed1:") && !args.contains("secret-code"),
            "its arguments are encrypted: {args}"
        );
        stage.hurry().await;
    }
}

/// The failed jobs on Home: title and reason.
async fn failed(admin: &Client) -> Vec<String> {
    let listed = admin.get("/api/dashboard/main/waiting?of=failedWork").await.expect(200);
    let items = listed["items"].as_array().expect("items");
    items.iter().map(|item| format!("{}: {}", item["title"], item["text"])).collect()
}

#[rstest]
#[tokio::test]
async fn a_day_without_mail_server_loses_and_repeats_nothing(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let back = folder.path().join("back");
    let server = Server::start_with("away", &[back.display().to_string()]);
    let url = format!("smtp://127.0.0.1:{}", server.port);
    let app = App::start_idle_with(on, |config| {
        config.smtp_url = Some(Secret(url));
        config.mail_from = Some("Larder <larder@example.com>".into());
    })
    .await;
    app.clock.stand_still();
    let admin = app.admin().await;
    let user = app.user(&[], None).await;
    let user: String =
        app.db.sql("select id from app_users where uid = $1").bind(&user.uid).scalar().await.expect("a user");
    let began = app.state.now();
    let link = format!("/api/users/{user}/reset-link");
    admin.post(&link, &json!({ "mail": true })).await.expect(200);
    let rejected = |nth: usize| {
        let to = Recipient { name: format!("Ana {nth}"), email: format!("ana{nth}@example.com") };
        (to, Email::Rejected { reason: String::new() })
    };
    let queued = "select cast(count(*) as bigint) from jobs where kind = 'mail.send' and state = 'queued'";
    let mut posted = 0;
    let mut tried: Vec<i64> = Vec::new();
    let first = "select cast(coalesce(json_text, '0') as bigint) from (select checkpoint->>'failed' as json_text from jobs
       where kind = 'mail.send' and state = 'queued' order by created_at, id limit 1) as j";
    for minute in 0..24 * 60 {
        if minute % 360 == 0 {
            let (to, email) = rejected(posted);
            posted += 1;
            let (to, email, state) = (&to, &email, &app.state);
            let actor = actor(state.now());
            app.db.write(&actor, async |tx| mail::queue(tx, state, to, email).await).await.expect("queued");
        }
        app.drain().await;
        app.clock.advance(60);
        if minute > 60 {
            tried.push(app.db.sql(first).scalar().await.expect("tries"));
        }
    }
    // The link was valid for an hour: its email was given up, which Home says.
    let waiting: i64 = app.db.sql(queued).scalar().await.expect("a number");
    assert_eq!(waiting, i64::try_from(posted).expect("few"), "one was given up");
    let listed = failed(&admin).await;
    assert!(
        listed.len() == 1
            && listed[0].contains("An email could not be sent")
            && listed[0].contains("link expires"),
        "{listed:?}"
    );
    assert_eq!(tried.last(), Some(&29), "6 tries in the first half hour, then one an hour: {tried:?}");
    assert!(server.none_received(), "it took nothing");

    std::fs::write(&back, "").expect("the server is back");
    let limit = app.state.now().plus_ms(3_600_000);
    while app.db.sql(queued).scalar::<i64>().await.expect("a number") > 0 {
        assert!(app.state.now() <= limit, "an email waits for longer than an hour");
        app.clock.advance(60);
        app.drain().await;
    }
    assert!(app.state.now().0 - began.0 > 86_400_000, "a day has passed");
    let mut arrived = Vec::new();
    for _ in 0..posted {
        let mail = server.email_received().await;
        assert!(mail["subject"].as_str().is_some_and(|subject| subject.contains("request")), "{mail}");
        arrived.push(mail["to"][0].as_str().expect("a recipient").to_owned());
    }
    arrived.sort();
    let all: Vec<String> = (0..posted).map(|nth| rejected(nth).0.email).collect();
    assert_eq!(arrived, all, "each once");
    app.clock.advance(7_200);
    app.drain().await;
    assert!(server.none_received(), "none twice");
    assert_eq!(failed(&admin).await.len(), 1);
}

#[rstest]
#[tokio::test]
async fn an_email_is_not_sent_after_its_link_expired(#[from(one_engine)] on: Engine) {
    let server = Server::start("plain");
    let stage = stage(on, Some(format!("smtp://127.0.0.1:{}", server.port))).await;
    let until = Some(stage.state.now());
    let to = &Recipient { name: "Ana".into(), email: "ana@example.com".into() };
    let email = &Email::Invitation { link: LINK.into(), valid_until: until, by: "Ben".into() };
    let (actor, state) = (actor(stage.state.now()), &stage.state);
    state.db.write(&actor, async |tx| mail::queue(tx, state, to, email).await).await.expect("queued");
    state.jobs.drain(state).await.expect("jobs run");
    let (state, args, words, _) = stage.job().await;
    assert_eq!((state.as_str(), args.as_str()), ("failed", "{}"));
    assert_eq!(words, "The email was not sent: its link has expired.");
    assert!(server.none_received());
}

#[rstest]
#[tokio::test]
async fn a_permanent_refusal_is_not_retried(#[from(one_engine)] on: Engine) {
    let server = Server::start("refuse");
    let stage = stage(on, Some(format!("smtp://127.0.0.1:{}", server.port))).await;
    stage.post("ana@example.com").await;
    let (state, args, words, attempts) = stage.job().await;
    assert_eq!((state.as_str(), args.as_str(), attempts), ("failed", "{}", 1), "{words}");
}

#[rstest]
#[tokio::test]
async fn an_unreachable_mail_server_is_retried(#[from(one_engine)] on: Engine) {
    let server = Server::start("plain");
    let port = server.port.clone();
    drop(server);
    let stage = stage(on, Some(format!("smtp://127.0.0.1:{port}"))).await;
    stage.post("ana@example.com").await;
    assert_eq!(stage.job().await.0, "queued");
}

#[rstest]
#[tokio::test]
async fn an_untrusted_certificate_is_not_accepted(#[from(one_engine)] on: Engine) {
    // An untrusted certificate: the email waits rather than going to the holder of the certificate.
    let certificate = tempfile::tempdir().expect("a folder");
    let at = |name: &str| certificate.path().join(name).display().to_string();
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"])
        .args(["-keyout", &at("key.pem"), "-out", &at("cert.pem")])
        .stderr(Stdio::null())
        .status();
    assert!(made.expect("openssl is needed: apt-get install openssl").success());
    let server = Server::start_with("starttls", &[at("cert.pem"), at("key.pem")]);
    let stage = stage(on, Some(format!("smtp://127.0.0.1:{}", server.port))).await;
    stage.post("ana@example.com").await;
    let (state, _, words, _) = stage.job().await;
    assert_eq!(state, "queued", "{words}");
    assert!(
        words.contains("certificate") || words.contains("UnknownIssuer") || words.contains("tls"),
        "{words}"
    );
}

#[rstest]
#[tokio::test]
async fn without_a_mail_server_emails_are_written_to_the_outbox(#[from(one_engine)] on: Engine) {
    let stage = stage(on, None).await;
    stage.post("ana@example.com").await;
    let mut kept: Vec<_> = std::fs::read_dir(stage.folder.path().join("outbox"))
        .expect("an outbox")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    kept.sort();
    let [eml, txt] = kept.as_slice() else { panic!("{kept:?}") };
    let text = std::fs::read_to_string(txt).expect("text");
    assert!(text.starts_with("To: Ana Peña <ana@example.com>\nSubject: Set a new password"), "{text}");
    assert!(text.contains(LINK), "{text}");
    assert!(std::fs::read_to_string(eml).expect("a message").contains("MIME-Version: 1.0"));
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(txt).expect("a file").permissions().mode() & 0o077, 0, "others can read it");
    assert_eq!(stage.job().await.1, "{}");
}
