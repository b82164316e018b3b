//! A connector's settings and their validation.

use std::collections::BTreeMap;

use larder_domain::BusinessDay;
use larder_domain::sales::mapping::{PriceMeans, Word};
use larder_domain::sales::numbers::Decimal;
use larder_domain::sales::{DateFormat, Field};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::path::Path;
use larder_platform::http::FieldError;

/// Kind of a connector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Api,
    /// A POS feed, pushed or dropped into a folder.
    W3p,
    Bigquery,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Api, Self::W3p, Self::Bigquery];

    /// Stored name; also the source of its store days.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::W3p => "w3p",
            Self::Bigquery => "bigquery",
        }
    }

    /// The kind with this stored name.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Settings per kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ConnectorSettings {
    Api(ApiSettings),
    W3p(FeedSettings),
    Bigquery(BigQuerySettings),
}

/// Field mapping: which column or path holds which field, and how its cells are written. JSON paths are
/// absolute: `data[].lines[].qty`, where `[]` is each element of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Reading {
    /// The column of each mapped field.
    pub fields: BTreeMap<Field, String>,
    /// The column with a record's key, if any: duplicates are then taken once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub date_format: DateFormat,
    pub decimal: Decimal,
    pub price_means: PriceMeans,
    /// The store of all records, if no column holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_id: Option<String>,
    /// What words of status columns mean, where they are not known by themselves.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, Word>,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            fields: BTreeMap::new(),
            key: None,
            date_format: DateFormat::Ymd,
            decimal: Decimal::Point,
            price_means: PriceMeans::Unit,
            store_id: None,
            words: BTreeMap::new(),
        }
    }
}

/// Settings of a JSON API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiSettings {
    /// May contain `{date}`, `{from}`, `{to}`, `{page}` and `{cursor}`.
    pub url: String,
    #[serde(default)]
    pub method: ApiMethod,
    /// The body of a POST, with the same placeholders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Headers that are not secret.
    #[serde(default)]
    pub headers: Vec<ApiHeader>,
    #[serde(default)]
    pub auth: ApiAuth,
    #[serde(default)]
    pub paging: Paging,
    #[serde(default)]
    pub reading: Reading,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_day: Option<BusinessDay>,
    /// Days before the last that are read again, for late arrivals.
    #[serde(default = "three")]
    pub again_days: i64,
    /// Days per request, if the address has `{from}` and `{to}`.
    #[serde(default = "one")]
    pub days_at_once: i64,
}

fn three() -> i64 {
    3
}

fn one() -> i64 {
    1
}

/// HTTP method of an API request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum ApiMethod {
    #[default]
    Get,
    Post,
}

/// A header that is not secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApiHeader {
    pub name: String,
    pub value: String,
}

/// Authentication method of an API. Secrets are stored separately.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ApiAuth {
    #[default]
    None,
    /// The secret `token` in a header of this name.
    Header { name: String },
    /// The secret `token` as `Authorization: Bearer`.
    Bearer,
    /// The secret `password` with this user name.
    Basic {
        #[serde(rename = "userName")]
        user_name: String,
    },
    /// The secret `clientSecret` is exchanged for a token (OAuth 2 client credentials, RFC 6749 4.4).
    OAuth {
        #[serde(rename = "tokenUrl")]
        token_url: String,
        #[serde(rename = "clientId")]
        client_id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scope: Option<String>,
    },
}

/// How further pages are requested.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Paging {
    /// Everything comes in one response.
    #[default]
    None,
    /// `{page}` counts from `first` until a page is empty.
    Page {
        first: i64,
        /// Path of the total number of records.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<String>,
    },
    /// `{cursor}` is the previous response's value at `path`; empty at first, and missing on the last page.
    Cursor {
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<String>,
    },
    /// The response's `Link` header has the next page (`rel="next"`, RFC 8288).
    Link,
    /// The response has the next page's address at `path`.
    Next { path: String },
}

/// Settings of a POS feed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedSettings {
    /// The watched folder below the incoming one; absent if sales are only pushed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    #[serde(default)]
    pub holds: Holds,
    #[serde(default)]
    pub reading: Reading,
}

/// Content of a delivery.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Holds {
    /// Whole store days: each replaces the previous one.
    #[default]
    Days,
    /// Receipts: each is added to its day, or replaces its previous version.
    Receipts,
}

/// Settings of a BigQuery import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BigQuerySettings {
    /// The project billed for the query.
    pub project: String,
    /// Location of the data, such as `asia-southeast1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// `project.dataset.table` or `dataset.table`, read day by day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The table's column with the business date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_column: Option<String>,
    /// A query containing `@date`, instead of a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    #[serde(default)]
    pub reading: Reading,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_day: Option<BusinessDay>,
    #[serde(default = "three")]
    pub again_days: i64,
}

impl ConnectorSettings {
    /// The kind these settings belong to.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Api(_) => Kind::Api,
            Self::W3p(_) => Kind::W3p,
            Self::Bigquery(_) => Kind::Bigquery,
        }
    }

    /// Its field mapping.
    #[must_use]
    pub fn reading(&self) -> &Reading {
        match self {
            Self::Api(it) => &it.reading,
            Self::W3p(it) => &it.reading,
            Self::Bigquery(it) => &it.reading,
        }
    }

    /// The first day to read, and how many days before the last are read again.
    #[must_use]
    pub fn span(&self) -> (Option<BusinessDay>, i64) {
        match self {
            Self::Api(it) => (it.first_day, it.again_days),
            Self::W3p(_) => (None, 0),
            Self::Bigquery(it) => (it.first_day, it.again_days),
        }
    }

    /// Days per unit of reading. `None`: one request returns everything.
    #[must_use]
    pub fn days_at_once(&self) -> Option<i64> {
        match self {
            Self::Api(it) if it.says("{from}") || it.says("{to}") => Some(it.days_at_once.max(1)),
            Self::Api(it) if it.says("{date}") => Some(1),
            Self::Api(_) => None,
            Self::W3p(_) | Self::Bigquery(_) => Some(1),
        }
    }

    /// Where its secrets are sent. Stored secrets are never sent elsewhere.
    #[must_use]
    pub fn sent_to(&self) -> String {
        match self {
            Self::Api(it) => {
                let origin = |url: &str| {
                    reqwest::Url::parse(url)
                        .map_or_else(|_| url.to_owned(), |it| it.origin().ascii_serialization())
                };
                let token = if let ApiAuth::OAuth { token_url, .. } = &it.auth {
                    origin(token_url)
                } else {
                    String::new()
                };
                format!("{} {token}", origin(&it.url))
            }
            Self::W3p(_) | Self::Bigquery(_) => String::new(),
        }
    }

    /// The secret it needs.
    #[must_use]
    pub fn asks(&self) -> Option<&'static str> {
        match self {
            Self::Api(it) => match it.auth {
                ApiAuth::None => None,
                ApiAuth::Header { .. } | ApiAuth::Bearer => Some("token"),
                ApiAuth::Basic { .. } => Some("password"),
                ApiAuth::OAuth { .. } => Some("clientSecret"),
            },
            Self::W3p(_) => Some("signingSecret"),
            Self::Bigquery(_) => Some("serviceAccount"),
        }
    }

    /// Validation errors by field. `whole`: also check what a run needs beyond a preview.
    #[must_use]
    pub fn faults(&self, whole: bool) -> Vec<FieldError> {
        let mut faults = Vec::new();
        match self {
            Self::Api(it) => it.faults(&mut faults),
            Self::W3p(it) => it.faults(&mut faults),
            Self::Bigquery(it) => it.faults(&mut faults),
        }
        if whole {
            let has_date = match self {
                Self::Api(_) => self.days_at_once() == Some(1),
                Self::W3p(_) => false,
                Self::Bigquery(_) => true,
            };
            self.reading().faults(has_date, matches!(self, Self::Api(_)), &mut faults);
        }
        faults
    }
}

fn fault(faults: &mut Vec<FieldError>, field: &str, words: &str) {
    faults.push(FieldError::new(format!("settings.{field}"), words));
}

impl ApiSettings {
    /// Whether a placeholder occurs in the address or the body.
    #[must_use]
    pub fn says(&self, place: &str) -> bool {
        self.url.contains(place) || self.body.as_deref().is_some_and(|body| body.contains(place))
    }

    fn faults(&self, faults: &mut Vec<FieldError>) {
        if self.url.trim().is_empty() || self.url.len() > 2_000 {
            fault(faults, "url", "Enter the address, such as https://pos.example.com/sales?date={date}.");
        }
        if self.body.as_deref().is_some_and(|body| body.len() > 20_000) {
            fault(faults, "body", "The body is longer than 20,000 characters. Shorten it.");
        }
        for (at, header) in self.headers.iter().enumerate() {
            let secret = ["authorization", "cookie", "x-api-key", "proxy-authorization"];
            if secret.contains(&header.name.to_ascii_lowercase().as_str()) {
                let words =
                    "This header is a secret. Choose «A header» at «Signs in with» and enter it there.";
                fault(faults, &format!("headers.{at}.name"), words);
            } else if header.name.is_empty() || header.name.len() > 100 || header.value.len() > 1_000 {
                fault(
                    faults,
                    &format!("headers.{at}.name"),
                    "Enter the header's name, and a value of at most 1,000 characters.",
                );
            }
        }
        match &self.auth {
            ApiAuth::Header { name } if name.trim().is_empty() => {
                fault(faults, "auth.name", "Enter the header's name, such as X-Api-Key.");
            }
            ApiAuth::Basic { user_name } if user_name.is_empty() => {
                fault(faults, "auth.userName", "Enter the user name.");
            }
            ApiAuth::OAuth { token_url, client_id, .. } => {
                if token_url.trim().is_empty() {
                    fault(faults, "auth.tokenUrl", "Enter the address that gives tokens.");
                }
                if client_id.is_empty() {
                    fault(faults, "auth.clientId", "Enter the client id.");
                }
            }
            _ => {}
        }
        match &self.paging {
            Paging::Page { .. } if !self.says("{page}") => {
                fault(faults, "url", "Write {page} into the address where the page's number goes.");
            }
            Paging::Cursor { path, .. } => {
                if !self.says("{cursor}") {
                    fault(faults, "url", "Write {cursor} into the address where the cursor goes.");
                }
                if path.trim().is_empty() {
                    fault(
                        faults,
                        "paging.path",
                        "Say where the answer has the next cursor: click it in the answer.",
                    );
                }
            }
            Paging::Next { path } if path.trim().is_empty() => {
                fault(
                    faults,
                    "paging.path",
                    "Say where the answer has the next page's address: click it in the answer.",
                );
            }
            _ => {}
        }
        span_faults(self.again_days, faults);
        if !(1..=31).contains(&self.days_at_once) {
            fault(faults, "daysAtOnce", "Enter 1 to 31 days.");
        }
    }
}

fn span_faults(again: i64, faults: &mut Vec<FieldError>) {
    if !(0..=31).contains(&again) {
        fault(faults, "againDays", "Enter 0 to 31 days.");
    }
}

impl FeedSettings {
    fn faults(&self, faults: &mut Vec<FieldError>) {
        let plain = |name: &str| {
            (1..=60).contains(&name.len())
                && name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
        };
        if self.folder.as_deref().is_some_and(|name| !plain(name)) {
            fault(faults, "folder", "Use small letters, digits and hyphens, such as till-feed.");
        }
        if self.holds == Holds::Receipts
            && !self.reading.fields.contains_key(&Field::Receipt)
            && !self.reading.fields.is_empty()
        {
            fault(
                faults,
                "reading.fields.receipt",
                "Receipts are told apart by their number: choose its column.",
            );
        }
    }
}

impl BigQuerySettings {
    fn faults(&self, faults: &mut Vec<FieldError>) {
        let plain = |text: &str, more: &[u8]| {
            !text.is_empty()
                && text.len() <= 300
                && text
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b) || more.contains(&b))
        };
        if !plain(&self.project, b"") {
            fault(faults, "project", "Enter the project's id, such as my-project-123.");
        }
        if self.location.as_deref().is_some_and(|it| !plain(it, b"")) {
            fault(faults, "location", "Enter a location such as asia-southeast1, or leave it empty.");
        }
        match (&self.table, &self.query) {
            (Some(table), None) => {
                if !plain(table, b"$*") || table.split('.').count() > 3 || !table.contains('.') {
                    fault(faults, "table", "Write it as dataset.table or project.dataset.table.");
                }
                if !self.date_column.as_deref().is_some_and(|it| plain(it, b"")) {
                    fault(faults, "dateColumn", "Enter the column with the business date.");
                }
            }
            (None, Some(query)) => {
                if !query.contains("@date") || query.len() > 20_000 {
                    fault(
                        faults,
                        "query",
                        "Write a query of at most 20,000 characters with @date where the day goes.",
                    );
                }
            }
            _ => fault(faults, "table", "Choose either a table or a query."),
        }
        span_faults(self.again_days, faults);
    }
}

impl Reading {
    /// Validation errors. `dated`: the day is known without a column.
    fn faults(&self, dated: bool, json: bool, faults: &mut Vec<FieldError>) {
        let has = |field: Field| self.fields.contains_key(&field);
        let mut at = |field: &str, words: &str| fault(faults, &format!("reading.{field}"), words);
        if !dated && !has(Field::Date) {
            at("fields.date", "Choose what holds the date.");
        }
        if !has(Field::Item) && !has(Field::ItemName) {
            at("fields.item", "Choose what holds the item.");
        }
        if !has(Field::Quantity) {
            at("fields.quantity", "Choose what holds the quantity.");
        }
        match (has(Field::Store), &self.store_id) {
            (false, None) => {
                at("fields.store", "Choose what holds the store, or the one store all of it belongs to.")
            }
            (true, Some(_)) => {
                at("storeId", "Choose either what holds the store or one store for all of it.")
            }
            _ => {}
        }
        if has(Field::StoreCode) && !has(Field::Store) {
            at("fields.store", "Choose what holds the store's name, or take its code as the store.");
        }
        if self.fields.values().chain(&self.key).any(|column| column.is_empty() || column.len() > 300) {
            at("fields", "A path is at most 300 characters.");
        } else if json && let Err(words) = self.records() {
            at("fields", &words);
        }
    }

    /// The path of the records: the innermost list that any field is in.
    ///
    /// # Errors
    /// If two fields are in sibling lists.
    pub fn records(&self) -> Result<Path, String> {
        let mut deepest = Path::default();
        for column in self.fields.values().chain(&self.key) {
            let list = Path::parse(column).list();
            if list.0.len() > deepest.0.len() {
                deepest = list;
            }
        }
        for (field, column) in &self.fields {
            if !deepest.begins_with(&Path::parse(column).list()) {
                return Err(format!(
                    "{} is in another list than the other fields. Choose fields of one list and its parents.",
                    field.label()
                ));
            }
        }
        Ok(deepest)
    }
}
