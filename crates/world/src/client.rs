//! Calls as the console makes them: JSON over HTTP with a session.

use std::fmt;

use reqwest::Method;
use serde_json::Value;

/// Why a run cannot continue: the server refused or did not answer what a user may expect it to take.
#[derive(Debug, Clone)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// A result, or why the run cannot continue.
pub type Done<T> = Result<T, Failure>;

/// A failure in words.
pub fn failed<T>(why: impl fmt::Display) -> Done<T> {
    Err(Failure(why.to_string()))
}

/// A signed-in user of a server.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    session: String,
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    /// Method and path of its request.
    of: String,
    pub status: u16,
    pub body: Value,
}

impl Answer {
    /// The body, if the response has this status.
    ///
    /// # Errors
    /// If it has another one.
    pub fn expect(self, status: u16) -> Done<Value> {
        if self.status == status {
            return Ok(self.body);
        }
        failed(format!("{} answered {} instead of {status}: {}", self.of, self.status, self.body))
    }

    /// The code of a refusal; empty if it is none.
    #[must_use]
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }
}

/// Sets up TLS, which the HTTP client needs even for plain HTTP.
fn prepare() {
    // Another part of the process may have installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A client without the machine's certificates: worlds live on plain HTTP.
pub(crate) fn http() -> Done<reqwest::Client> {
    prepare();
    let built = reqwest::Client::builder().tls_certs_only([]).build();
    built.map_err(|why| Failure(format!("No HTTP client: {why}")))
}

impl Client {
    /// A user with this session token, on a server at this URL.
    ///
    /// # Errors
    /// If no HTTP client can be made.
    pub fn new(url: &str, session: &str) -> Done<Self> {
        Ok(Self { http: http()?, url: url.trim_end_matches('/').to_owned(), session: session.to_owned() })
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.url))
            .header("x-larder", "1")
            .header("sec-fetch-site", "same-origin")
            .header("cookie", format!("__Host-sid={}", self.session))
    }

    async fn send(&self, of: String, request: reqwest::RequestBuilder) -> Done<Answer> {
        let response = match request.send().await {
            Ok(response) => response,
            Err(why) => return failed(format!("{of} was not answered: {why}")),
        };
        let status = response.status().as_u16();
        let bytes = match response.bytes().await {
            Ok(bytes) => bytes,
            Err(why) => return failed(format!("The answer to {of} broke off: {why}")),
        };
        Ok(Answer { of, status, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) })
    }

    /// # Errors
    /// If there is no response.
    pub async fn get(&self, path: &str) -> Done<Answer> {
        self.send(format!("GET {path}"), self.request(Method::GET, path)).await
    }

    /// # Errors
    /// If there is no response.
    pub async fn post(&self, path: &str, body: &Value) -> Done<Answer> {
        self.send(format!("POST {path}"), self.request(Method::POST, path).json(body)).await
    }

    /// # Errors
    /// If there is no response.
    pub async fn put(&self, path: &str, body: &Value) -> Done<Answer> {
        self.send(format!("PUT {path}"), self.request(Method::PUT, path).json(body)).await
    }

    /// # Errors
    /// If there is no response.
    pub async fn patch(&self, path: &str, body: &Value) -> Done<Answer> {
        self.send(format!("PATCH {path}"), self.request(Method::PATCH, path).json(body)).await
    }

    /// Uploads a file.
    ///
    /// # Errors
    /// If there is no response.
    pub async fn upload(&self, path: &str, bytes: Vec<u8>) -> Done<Answer> {
        let request = self.request(Method::POST, path).header("content-type", "application/octet-stream");
        self.send(format!("POST {path}"), request.body(bytes)).await
    }

    /// Creates a record and returns its id.
    ///
    /// # Errors
    /// If it is refused.
    pub async fn create(&self, path: &str, body: &Value) -> Done<String> {
        let record = self.post(path, body).await?.expect(201)?;
        id_of(&record)
    }

    /// Takes a step of a document, with the revision it has.
    ///
    /// # Errors
    /// If there is no response.
    pub async fn step(&self, path: &str, document: &Value, step: &str, mut body: Value) -> Done<Answer> {
        body["revision"] = document["revision"].clone();
        self.post(&format!("{path}/{}/{step}", id_of(document)?), &body).await
    }
}

/// The id of a record.
///
/// # Errors
/// If it has none.
pub fn id_of(record: &Value) -> Done<String> {
    match record["id"].as_str() {
        Some(id) => Ok(id.to_owned()),
        None => failed(format!("A record has no id: {record}")),
    }
}
