//! Reads BigQuery day by day through its REST API: a token for the service account (RFC 7523), a query, its
//! pages.

use std::sync::Mutex;

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use larder_domain::{Span, Timestamp, plural};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::api::{parse, shown};
use super::fetch::{Fault, Patient, apart, begin_of};
use super::lines::{MOST_KEPT, Table, memory_of};
use super::path;
use super::settings::BigQuerySettings;
use larder_platform::outgoing::Ask;

const SCOPE: &str = "https://www.googleapis.com/auth/bigquery.readonly";
const GRANT: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const PAGE_ROWS: i64 = 10_000;
/// The most pages of a day.
const MOST_PAGES: usize = 2_000;
/// Reads of a result whose pages are inconsistent.
const MOST_LOOKS: usize = 3;
/// Polls of a running query.
const MOST_WAITS: usize = 60;

/// The parts used of Google's service account file.
#[derive(Debug, Clone, Deserialize)]
pub struct ServiceAccount {
    pub client_email: String,
    private_key: String,
    #[serde(default = "token_uri")]
    token_uri: String,
    #[serde(default)]
    private_key_id: Option<String>,
}

fn token_uri() -> String {
    "https://oauth2.googleapis.com/token".to_owned()
}

impl ServiceAccount {
    /// Parses the file.
    ///
    /// # Errors
    /// A message for the user who pasted it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let account: Self = serde_json::from_str(text)
            .map_err(|_| "This is no service account file. Paste the whole JSON file that Google gave.")?;
        EncodingKey::from_rsa_pem(account.private_key.as_bytes()).map_err(
            |_| "The private key in this file cannot be read. Paste the whole JSON file that Google gave.",
        )?;
        Ok(account)
    }
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    scope: &'a str,
    aud: &'a str,
    iat: i64,
    exp: i64,
}

/// A reader for one run; caches its token.
pub struct BigQuery<'a> {
    pub settings: &'a BigQuerySettings,
    pub account: ServiceAccount,
    /// Address of Google's API.
    pub base: &'a str,
    token: Mutex<Option<(String, Timestamp)>>,
}

impl<'a> BigQuery<'a> {
    #[must_use]
    pub fn new(settings: &'a BigQuerySettings, account: ServiceAccount, base: &'a str) -> Self {
        Self { settings, account, base, token: Mutex::default() }
    }

    /// All rows of a day.
    ///
    /// # Errors
    /// [`Fault`].
    pub async fn read(&self, patient: &Patient<'_>, span: Span, most: Option<usize>) -> Result<Table, Fault> {
        let mut last = Vec::new();
        for _ in 0..MOST_LOOKS {
            let (mut table, total, raw) = self.look(patient, span, most).await?;
            if most.is_some() || total == table.rows.len() as u64 {
                patient.journal.info(format!(
                    "{}: {}.",
                    shown(span),
                    plural(table.rows.len(), "row", "rows")
                ));
                patient.journal.twice(table.once(self.settings.reading.key.as_deref()));
                return Ok(table);
            }
            let words = format!(
                "{}: BigQuery names {} and gave {}. Read once more.",
                shown(span),
                plural(total, "row", "rows"),
                table.rows.len()
            );
            patient.journal.warn(words);
            last = raw;
        }
        Err(Fault::Aside {
            words: "BigQuery gave another number of rows than it names.".to_owned(),
            raw: last,
        })
    }

    async fn look(
        &self,
        patient: &Patient<'_>,
        span: Span,
        most: Option<usize>,
    ) -> Result<(Table, u64, Vec<u8>), Fault> {
        let its = self.settings;
        let home =
            format!("{}/bigquery/v2/projects/{}/queries", self.base.trim_end_matches('/'), its.project);
        let query = match (&its.query, &its.table, &its.date_column) {
            (Some(query), ..) => query.clone(),
            (None, Some(table), Some(column)) => format!("select * from `{table}` where `{column}` = @date"),
            _ => return Err(Fault::Stop("Choose either a table or a query.".to_owned())),
        };
        let rows_at_once = most.map_or(PAGE_ROWS, |most| most as i64);
        let mut body = json!({
            "query": query, "useLegacySql": false, "timeoutMs": 20_000, "maxResults": rows_at_once,
            "parameterMode": "NAMED",
            "queryParameters": [{ "name": "date", "parameterType": { "type": "DATE" },
                                  "parameterValue": { "value": span.from.to_string() } }],
        });
        if let Some(location) = &its.location {
            body["location"] = json!(location);
        }
        let (mut answer, mut raw) = self.ask(patient, Method::POST, &home, Some(&body), "Query").await?;
        let job = answer["jobReference"]["jobId"].as_str().unwrap_or_default().to_owned();
        let location =
            answer["jobReference"]["location"].as_str().or(its.location.as_deref()).map(str::to_owned);
        let results = |token: Option<&str>| {
            let mut url = format!("{home}/{job}?maxResults={rows_at_once}&timeoutMs=20000");
            location.iter().for_each(|it| url.push_str(&format!("&location={it}")));
            token.iter().for_each(|it| url.push_str(&format!("&pageToken={it}")));
            url
        };
        let mut waits = 0;
        while answer["jobComplete"] == false {
            waits += 1;
            if waits > MOST_WAITS || job.is_empty() {
                return Err(Fault::Later {
                    after_ms: None,
                    words: "The query was not done after a long wait.".to_owned(),
                });
            }
            patient.sleep(500).await?;
            (answer, raw) =
                self.ask(patient, Method::GET, &results(None), None, "Waiting for the query").await?;
        }
        let mut table = Table::default();
        let mut types: Vec<String> = Vec::new();
        let mut tokens: Vec<String> = Vec::new();
        let (mut total, mut size) = (0, 0);
        loop {
            patient.journal.count(|counted| counted.pages += 1);
            if let Some(fields) = answer["schema"]["fields"].as_array() {
                table.columns = fields.iter().map(|it| path::text(&it["name"])).collect();
                types = fields.iter().map(|it| path::text(&it["type"])).collect();
            }
            total = answer["totalRows"].as_str().and_then(|it| it.parse().ok()).unwrap_or(total);
            for row in answer["rows"].as_array().into_iter().flatten() {
                let cells = row["f"].as_array().into_iter().flatten();
                let cell = |(at, cell): (usize, &Value)| {
                    written(types.get(at).map_or("", String::as_str), &cell["v"])
                };
                let row: Vec<String> = cells.enumerate().map(cell).collect();
                size += memory_of(&row);
                table.rows.push(row);
            }
            if size > MOST_KEPT {
                let words = format!(
                    "The rows of {} take more than {} MiB. Name fewer columns in the query.",
                    shown(span),
                    MOST_KEPT >> 20
                );
                return Err(Fault::Aside { words, raw });
            }
            let Some(token) = answer["pageToken"].as_str().filter(|_| most.is_none()) else { break };
            if tokens.iter().any(|known| known == token) || tokens.len() > MOST_PAGES {
                let words = "BigQuery names a page as the next one that it gave before.".to_owned();
                return Err(Fault::Aside { words, raw });
            }
            tokens.push(token.to_owned());
            let url = results(Some(token));
            (answer, raw) =
                self.ask(patient, Method::GET, &url, None, &format!("Page {}", tokens.len() + 1)).await?;
        }
        Ok((table, total, raw))
    }

    async fn ask(
        &self,
        patient: &Patient<'_>,
        method: Method,
        url: &str,
        body: Option<&Value>,
        label: &str,
    ) -> Result<(Value, Vec<u8>), Fault> {
        for attempt in 1.. {
            let token = self.token(patient).await?;
            let headers = vec![
                ("authorization".to_owned(), format!("Bearer {token}")),
                ("content-type".to_owned(), "application/json".to_owned()),
            ];
            let body = body.map(|body| body.to_string().into_bytes());
            let ask = Ask { method: method.clone(), url: url.to_owned(), headers, body };
            let answer = match patient.ask(&ask, label).await {
                Err(Fault::Stop(words)) if words.contains("(401") && attempt == 1 => {
                    *self.lock() = None;
                    continue;
                }
                Err(Fault::Aside { words, raw }) => {
                    let said: Value = serde_json::from_slice(&raw).unwrap_or_default();
                    let said = said["error"]["message"].as_str().unwrap_or_default();
                    return Err(Fault::Aside { words: format!("{words} {said}").trim().to_owned(), raw });
                }
                other => other?,
            };
            let parsed = answer.body.clone();
            match apart(move || parse(&parsed)).await?.map_err(Fault::Stop)? {
                Ok(value) => return Ok((value, begin_of(&answer.body))),
                Err(_) if attempt < patient.tries => {
                    patient.journal.warn(format!("{label}: half an answer came. Asked again."));
                    patient.sleep(100 << attempt.min(6)).await?;
                }
                Err(_) => {
                    let words = "BigQuery's answer cannot be read.".to_owned();
                    return Err(Fault::Aside { words, raw: begin_of(&answer.body) });
                }
            }
        }
        unreachable!("tries are counted")
    }

    /// A token valid for at least another minute.
    async fn token(&self, patient: &Patient<'_>) -> Result<String, Fault> {
        let kept = self.lock().clone();
        if let Some((token, until)) = kept
            && patient.now.plus_seconds(60) < until
        {
            return Ok(token);
        }
        let (iat, account) = (patient.now.seconds(), &self.account);
        let claims = Claims {
            iss: &account.client_email,
            scope: SCOPE,
            aud: &account.token_uri,
            iat,
            exp: iat + 3_600,
        };
        let header = Header { kid: account.private_key_id.clone(), ..Header::new(Algorithm::RS256) };
        let unusable =
            || Fault::Stop("The service account's key cannot be used. Enter the file again.".to_owned());
        let key = EncodingKey::from_rsa_pem(account.private_key.as_bytes()).map_err(|_| unusable())?;
        let assertion = jsonwebtoken::encode(&header, &claims, &key).map_err(|_| unusable())?;
        patient.journal.hide(&assertion);
        let body = format!("grant_type={}&assertion={assertion}", GRANT.replace(':', "%3A"));
        let headers = vec![("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
        let ask = Ask {
            method: Method::POST,
            url: account.token_uri.clone(),
            headers,
            body: Some(body.into_bytes()),
        };
        let answer = match patient.ask(&ask, "Token").await {
            Err(Fault::Aside { words, .. }) => {
                return Err(Fault::Stop(format!("Google gave no token: {words} Check the service account.")));
            }
            other => other?,
        };
        let value: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let token =
            value["access_token"].as_str().ok_or_else(|| Fault::Stop("Google gave no token.".to_owned()))?;
        patient.journal.hide(token);
        let seconds = value["expires_in"].as_i64().unwrap_or(3_600);
        *self.lock() = Some((token.to_owned(), patient.now.plus_seconds(seconds)));
        patient.journal.info(format!("Signed in as {}.", account.client_email));
        Ok(token.to_owned())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(String, Timestamp)>> {
        self.token.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A cell as text. Timestamps arrive as seconds since 1970 and are written in UTC.
fn written(kind: &str, value: &Value) -> String {
    let text = path::text(value);
    if kind != "TIMESTAMP" {
        return text;
    }
    let number = path::text(&serde_json::from_str(&text).unwrap_or(Value::Null));
    let whole = number.split('.').next().unwrap_or_default();
    match whole.parse::<i64>() {
        Ok(seconds) => Timestamp(seconds.saturating_mul(1_000)).to_string(),
        Err(_) => text,
    }
}
