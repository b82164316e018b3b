//! Sign-in and its security.

mod attestation;
mod keys;
mod limits;
mod reset;
mod sessions;
mod sign_in;
mod tokens;
mod totp;

use std::collections::BTreeMap;

use larder_platform::people::{password, users};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, App, actor, http};

pub const SIGN_IN: &str = "/v1/accounts:signInWithPassword";
pub const EMAIL: &str = "ana@example.com";
pub const PASSWORD: &str = "correct horse battery";

/// Adds a super admin with [`PASSWORD`] and returns the account id.
pub async fn account(app: &App, email: &str) -> String {
    let hash = password::hash(PASSWORD.into(), [1; 16]).await.expect("hashed");
    let (uid, id) = (app.state.new_id(), app.state.new_id());
    let new = &users::NewUser {
        uid: &uid,
        id: &id,
        email,
        name: "Ana Cruz",
        password_hash: &hash,
        role_id: None,
        super_admin: true,
        store_ids: None,
    };
    app.db.write(&actor(app.state.now()), async |tx| users::add_user(tx, new).await).await.expect("added");
    uid
}

/// A browser that keeps its cookies, or a script without cookies.
#[derive(Clone)]
pub struct Browser {
    http: reqwest::Client,
    url: String,
    pub cookies: BTreeMap<String, String>,
    pub headers: BTreeMap<&'static str, String>,
}

impl Browser {
    /// A browser on one of our own pages.
    pub fn of(app: &App) -> Self {
        let mut browser = Self::script(app);
        browser.headers.insert("x-larder", "1".into());
        browser.headers.insert("sec-fetch-site", "same-origin".into());
        browser
    }

    /// A program without cookies.
    pub fn script(app: &App) -> Self {
        Self::at(&app.url)
    }

    /// A program that talks to this node.
    pub fn at(url: &str) -> Self {
        let (cookies, headers) = (BTreeMap::new(), BTreeMap::new());
        Self { http: http(), url: url.to_owned(), cookies, headers }
    }

    /// The same with another header.
    pub fn with(&self, name: &'static str, value: impl Into<String>) -> Self {
        let mut other = self.clone();
        other.headers.insert(name, value.into());
        other
    }

    /// The same with an ID token.
    pub fn bearing(&self, token: &str) -> Self {
        self.with("authorization", format!("Bearer {token}"))
    }

    pub async fn send(&mut self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if !self.cookies.is_empty() {
            let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", pairs.join("; "));
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.expect("a response");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        if self.headers.contains_key("sec-fetch-site") {
            self.keep(&headers);
        }
        Answer { status, headers, bytes: response.bytes().await.expect("read body").to_vec() }
    }

    fn keep(&mut self, headers: &reqwest::header::HeaderMap) {
        for cookie in headers.get_all("set-cookie") {
            let text = cookie.to_str().expect("text");
            let (name, rest) = text.split_once('=').expect("a name");
            let value = rest.split(';').next().unwrap_or_default();
            if rest.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn put(&mut self, path: &str, body: &Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    pub async fn delete(&mut self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Whether the API recognizes the session.
    pub async fn is_in(&mut self) -> bool {
        let status = self.get("/api/me").await.status;
        assert!(matches!(status, 200 | 401), "{status}");
        status == 200
    }

    /// Tries to sign in.
    pub async fn try_in(&mut self, email: &str, password: &str) -> Answer {
        self.post(SIGN_IN, &json!({ "email": email, "password": password })).await
    }

    /// Signs in and expects success.
    pub async fn sign_in(&mut self, email: &str) -> Value {
        self.try_in(email, PASSWORD).await.expect(200)
    }

    /// Signs in as clients of the hosted interface do.
    pub async fn tokens(&mut self, email: &str) -> Tokens {
        let body = json!({ "email": email, "password": PASSWORD, "returnSecureToken": true });
        let answer = self.post(SIGN_IN, &body).await.expect(200);
        Tokens { id: text(&answer, "idToken"), refresh: text(&answer, "refreshToken") }
    }

    /// Uses a refresh token.
    pub async fn refresh(&self, token: &str) -> Answer {
        let mut request = self.http.post(format!("{}/v1/token", self.url));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let body = format!("grant_type=refresh_token&refresh_token={token}");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
        let response = request.send().await.expect("a response");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, bytes: response.bytes().await.expect("read body").to_vec() }
    }
}

/// A client's tokens.
#[derive(Debug, Clone)]
pub struct Tokens {
    pub id: String,
    pub refresh: String,
}

impl Tokens {
    /// From a refresh response.
    pub fn of(answer: &Value) -> Self {
        Self { id: text(answer, "id_token"), refresh: text(answer, "refresh_token") }
    }
}

/// A string of a response.
#[track_caller]
pub fn text(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap_or_else(|| panic!("no {name} in {answer}")).to_owned()
}

/// The error code in the envelope.
#[track_caller]
pub fn code(answer: Answer) -> String {
    let body = answer.expect(400);
    assert_eq!(body["error"]["code"], 400);
    let message = text(&body["error"], "message");
    message.split(" : ").next().unwrap_or_default().to_owned()
}

/// How often an event was recorded for an account.
pub async fn noted(app: &App, event: &str) -> i64 {
    app.db
        .sql("select cast(count(*) as bigint) from security_events where event = $1")
        .bind(event)
        .scalar()
        .await
        .expect("counted")
}
