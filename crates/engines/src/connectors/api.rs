//! Reads any JSON API, one unit of days at a time, all pages, until repeated reads agree.
//!
//! A server may repeat a page, shift records between pages during a read, drop the connection or truncate a
//! response. A unit counts as read only if a second read finds the same records, or if nothing came twice and
//! the number matches the server's total.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use larder_domain::{Span, plural};
use reqwest::{Method, Url};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::fetch::{Fault, Patient, apart, begin_of};
use super::lines::{MOST_KEPT, Table, memory_of};
use super::path::{Path, Step, canonical, rows, text};
use super::settings::{ApiAuth, ApiMethod, ApiSettings, Paging};
use larder_platform::outgoing::Ask;

/// The most pages of a unit; more means the server never ends.
const MOST_PAGES: usize = 5_000;
/// Reads of a unit that keeps changing.
const MOST_LOOKS: usize = 5;
/// The most records of a unit.
const MOST_RECORDS: usize = 1_000_000;

/// A reader for one run; caches its token.
pub struct Api<'a> {
    pub settings: &'a ApiSettings,
    pub secrets: &'a BTreeMap<String, String>,
    token: Mutex<Option<String>>,
}

/// Identity of a record: its key, or a hash of its content.
type Name = [u8; 32];
type Rows = Vec<Vec<String>>;

/// Where a page has its records, and which cells are taken.
struct Shape {
    outer: Path,
    records: Path,
    key: Option<Path>,
    columns: Vec<Path>,
}

/// The cells taken from a page.
struct Taken {
    digest: [u8; 32],
    records: Vec<(Name, Rows)>,
}

impl Shape {
    /// # Errors
    /// A message and the value concerned.
    fn take(&self, value: &Value) -> Result<Taken, (String, Vec<u8>)> {
        let Some(elements) = self.outer.elements(value) else {
            return Err((format!("The answer has no records at «{}».", self.outer), Vec::new()));
        };
        let mut all = Sha256::new();
        let mut records = Vec::with_capacity(elements.len());
        for element in elements {
            let whole: Name = Sha256::digest(canonical(element)).into();
            all.update(whole);
            let name = match &self.key {
                None => whole,
                Some(path) => {
                    // The key's path is absolute; its list is the page's.
                    let own = Path(path.0[path.first_list().0.len()..].to_vec());
                    let key = own.get(element).map(text).filter(|key| !key.is_empty());
                    let Some(key) = key else {
                        let words = format!("A record has nothing at «{path}», which tells records apart.");
                        return Err((words, begin_of(element.to_string().as_bytes())));
                    };
                    Sha256::digest(key).into()
                }
            };
            let found = rows(&wrapped(&self.outer, element), &self.records, &self.columns);
            let Some(found) = found else {
                let words = format!("A record has no list at «{}».", self.records);
                return Err((words, begin_of(element.to_string().as_bytes())));
            };
            records.push((name, found));
        }
        Ok(Taken { digest: all.finalize().into(), records })
    }
}

/// Approximate memory of rows, in bytes.
fn size_of(rows: &[Vec<String>]) -> usize {
    120 + rows.iter().map(|row| memory_of(row)).sum::<usize>()
}

/// The pages of one read.
#[derive(Default)]
struct Look {
    pages: Vec<[u8; 32]>,
    /// Rows taken from each record, and how often it came.
    records: HashMap<Name, (Rows, usize)>,
    order: Vec<Name>,
    /// Approximate memory in bytes.
    size: usize,
    /// Records that appeared on two pages.
    shifted: usize,
    total: Option<u64>,
    /// The beginning of the last response, for error reports.
    last: Vec<u8>,
}

impl Look {
    fn count(&self) -> usize {
        self.records.values().map(|(_, times)| times).sum()
    }

    /// Stores the records of a page; returns how many had come before, by key.
    fn keep(&mut self, records: Vec<(Name, Rows)>, keyed: bool) -> i64 {
        let mut on_page: HashMap<Name, usize> = HashMap::new();
        let mut twice = 0;
        for (name, rows) in records {
            let here = on_page.entry(name).or_default();
            *here += 1;
            match self.records.get_mut(&name) {
                None => {
                    self.size += size_of(&rows);
                    self.order.push(name);
                    self.records.insert(name, (rows, 1));
                }
                Some((kept, _)) if keyed => {
                    self.size = (self.size + size_of(&rows)).saturating_sub(size_of(kept));
                    *kept = rows;
                    self.shifted += 1;
                    twice += 1;
                }
                Some((_, times)) => {
                    if *here <= *times && *here == 1 {
                        self.shifted += 1;
                    }
                    *times += 1;
                    self.size += size_of(&rows);
                }
            }
        }
        twice
    }
}

/// How to get the next page.
#[derive(Debug, Clone, PartialEq)]
enum Next {
    Number(i64),
    Cursor(Option<String>),
    Address(String),
}

impl<'a> Api<'a> {
    #[must_use]
    pub fn new(settings: &'a ApiSettings, secrets: &'a BTreeMap<String, String>) -> Self {
        Self { settings, secrets, token: Mutex::default() }
    }

    /// The first page unchanged, for previews.
    ///
    /// # Errors
    /// [`Fault`].
    pub async fn first(&self, patient: &Patient<'_>, span: Span) -> Result<Value, Fault> {
        let (value, ..) = self.page(patient, span, &self.start()).await?;
        Ok(value)
    }

    /// All records of some days.
    ///
    /// # Errors
    /// [`Fault`].
    pub async fn read(&self, patient: &Patient<'_>, span: Span) -> Result<Table, Fault> {
        let records = self.settings.reading.records().map_err(Fault::Stop)?;
        let key = self.settings.reading.key.as_deref().map(Path::parse);
        let columns = self.settings.reading.fields.values().map(|column| Path::parse(column)).collect();
        let shape = Arc::new(Shape { outer: records.first_list(), records, key, columns });
        let mut union = Look::default();
        let mut before: Option<Vec<[u8; 32]>> = None;
        for look in 1..=MOST_LOOKS {
            let seen = self.look(patient, span, &shape).await?;
            let known = union.count();
            let same_pages = before.as_ref() == Some(&seen.pages);
            let (shifted, total, pages) = (seen.shifted, seen.total, seen.pages.clone());
            merge(&mut union, seen);
            let new = union.count() - known;
            let whole = total.is_none_or(|total| total == union.count() as u64);
            let settled = if shape.key.is_some() {
                whole && (shifted == 0 || (look > 1 && new == 0))
            } else {
                whole && (shifted == 0 || same_pages)
            };
            if settled {
                if look > 1 {
                    patient.journal.info(format!(
                        "{}: the same {} twice; taken.",
                        shown(span),
                        plural(union.count(), "record", "records")
                    ));
                }
                return self.table(union, shape.key.is_some());
            }
            before = Some(pages);
            let why = match total {
                Some(total) if !whole => {
                    format!(
                        "the server names {} and gave {}",
                        plural(total, "record", "records"),
                        union.count()
                    )
                }
                _ => format!("{} came on two pages", plural(shifted, "record", "records")),
            };
            patient.journal.warn(format!("{}: {why}. Read once more.", shown(span)));
        }
        let words = if shape.key.is_some() {
            "The pages kept changing while they were read. Try again when the server is quiet.".to_owned()
        } else {
            "Records came twice, and nothing tells them apart. Choose what tells records apart, then try again."
                .to_owned()
        };
        Err(Fault::Aside { words, raw: union.last })
    }

    fn table(&self, mut union: Look, keyed: bool) -> Result<Table, Fault> {
        let all = union.count();
        if !keyed && all >= 4 && union.records.values().all(|(_, times)| times % 2 == 0) {
            let words =
                "Every record came twice. Choose what tells records apart, then try again.".to_owned();
            return Err(Fault::Aside { words, raw: union.last });
        }
        let columns = self.settings.reading.fields.values().cloned().collect();
        let mut table = Table { columns, ..Table::default() };
        for name in &union.order {
            let Some((rows, times)) = union.records.remove(name) else { continue };
            for _ in 1..times {
                table.rows.extend(rows.iter().cloned());
            }
            table.rows.extend(rows);
        }
        Ok(table)
    }

    async fn look(&self, patient: &Patient<'_>, span: Span, shape: &Arc<Shape>) -> Result<Look, Fault> {
        let mut look = Look::default();
        let mut next = self.start();
        let mut asked: Vec<Next> = Vec::new();
        let mut again = 0;
        let mut same_run = 0;
        loop {
            if look.pages.len() >= MOST_PAGES || look.order.len() > MOST_RECORDS {
                let words = "The server does not come to an end. Check how pages are asked for.".to_owned();
                return Err(Fault::Aside { words, raw: look.last });
            }
            let (value, body, link) = self.page(patient, span, &next).await?;
            patient.journal.count(|counted| counted.pages += 1);
            if let Some(total) = self.total(&value) {
                look.total = Some(total);
            }
            let onward = [false, true].map(|end| self.next(&next, &value, link.as_deref(), end));
            let taking = Arc::clone(shape);
            let taken = match apart(move || taking.take(&value)).await? {
                Ok(taken) => taken,
                Err((words, raw)) => {
                    return Err(Fault::Aside { words, raw: if raw.is_empty() { body } else { raw } });
                }
            };
            let count = taken.records.len();
            let repeated = count > 0 && look.pages.contains(&taken.digest);
            let number = asked.len() + 1;
            if repeated && matches!(next, Next::Number(_)) && again < 2 {
                again += 1;
                patient
                    .journal
                    .warn(format!("{}: page {number} is one that came before. Asked again.", shown(span)));
                continue;
            }
            again = 0;
            if repeated {
                same_run += 1;
                patient.journal.count(|counted| counted.repeated += count as i64);
                patient.journal.warn(format!("{}: page {number} came before and counts once.", shown(span)));
            } else {
                if same_run > 0 && matches!(next, Next::Number(_)) {
                    // A record missing from the repeated page may be lost: read again.
                    look.shifted += 1;
                }
                same_run = 0;
                look.pages.push(taken.digest);
                let twice = look.keep(taken.records, shape.key.is_some());
                patient.journal.count(|counted| counted.repeated += twice);
                if look.size > MOST_KEPT {
                    let words = format!(
                        "The records of {} take more than {} MiB. Ask for fewer days at once, or for fewer fields.",
                        shown(span),
                        MOST_KEPT >> 20
                    );
                    return Err(Fault::Aside { words, raw: body });
                }
            }
            look.last = body;
            asked.push(next.clone());
            let [on, at_end] = onward;
            match if count == 0 || same_run >= 2 { at_end } else { on } {
                Some(found) if asked.contains(&found) => {
                    let words = "The server names a page as the next one that it gave before.".to_owned();
                    return Err(Fault::Aside { words, raw: look.last });
                }
                Some(found) => next = found,
                None => break,
            }
        }
        patient.journal.info(format!(
            "{}: {} on {}.",
            shown(span),
            plural(look.count(), "record", "records"),
            plural(look.pages.len(), "page", "pages")
        ));
        Ok(look)
    }

    fn total(&self, value: &Value) -> Option<u64> {
        let path = match &self.settings.paging {
            Paging::Page { total, .. } | Paging::Cursor { total, .. } => total.as_deref()?,
            _ => return None,
        };
        text(Path::parse(path).get(value)?).parse().ok()
    }

    fn start(&self) -> Next {
        match &self.settings.paging {
            Paging::Page { first, .. } => Next::Number(*first),
            _ => Next::Cursor(None),
        }
    }

    fn next(&self, now: &Next, value: &Value, link: Option<&str>, end: bool) -> Option<Next> {
        match &self.settings.paging {
            Paging::None => None,
            Paging::Page { .. } => match now {
                Next::Number(page) if !end => Some(Next::Number(page + 1)),
                _ => None,
            },
            Paging::Cursor { path, .. } => {
                let cursor = text(Path::parse(path).get(value)?);
                (!cursor.is_empty() && cursor != "false").then_some(Next::Cursor(Some(cursor)))
            }
            Paging::Link => link.map(|link| Next::Address(link.to_owned())),
            Paging::Next { path } => {
                let address = text(Path::parse(path).get(value)?);
                (!address.is_empty()).then_some(Next::Address(address))
            }
        }
    }

    /// One page: its JSON, its bytes, and the target of its `Link` header.
    async fn page(
        &self,
        patient: &Patient<'_>,
        span: Span,
        next: &Next,
    ) -> Result<(Value, Vec<u8>, Option<String>), Fault> {
        let mut tries = 0;
        loop {
            let ask = self.ask(patient, span, next).await?;
            let label = format!("{} {}", ask.method, ask.url);
            let answer = match patient.ask(&ask, &label).await {
                Err(Fault::Stop(words)) if words.contains("(401") && tries == 0 && self.forget() => {
                    tries += 1;
                    patient.journal.info("The token was not taken any more. Asked for a new one.");
                    continue;
                }
                other => other?,
            };
            let link =
                answer.headers.get_all("link").iter().filter_map(|it| it.to_str().ok()).find_map(next_link);
            let (size, parsed) = (answer.body.len(), answer.body.clone());
            match apart(move || parse(&parsed)).await?.map_err(Fault::Stop)? {
                Ok(value) => {
                    patient.journal.info(format!("{label}: {} ({}).", answer.status, bytes(size)));
                    return Ok((value, begin_of(&answer.body), link));
                }
                Err(error) => {
                    tries += 1;
                    let broken = if error.is_eof() { "half an answer came" } else { "the answer is no JSON" };
                    if tries >= patient.tries {
                        let words = format!("The answer cannot be read: {broken}.");
                        return Err(Fault::Aside { words, raw: begin_of(&answer.body) });
                    }
                    patient.journal.warn(format!("{label}: {broken} ({}). Asked again.", bytes(size)));
                    patient.sleep(100 << tries.min(6)).await?;
                }
            }
        }
    }

    /// Drops the token; `false` if there is no way to get a new one.
    fn forget(&self) -> bool {
        matches!(self.settings.auth, ApiAuth::OAuth { .. }) && self.lock().take().is_some()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.token.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    async fn ask(&self, patient: &Patient<'_>, span: Span, next: &Next) -> Result<Ask, Fault> {
        let its = self.settings;
        let url = match next {
            Next::Address(address) => self.along(address)?,
            _ => fill(&without_empty(&its.url, next), span, next, &percent),
        };
        let mut headers: Vec<(String, String)> =
            its.headers.iter().map(|header| (header.name.clone(), header.value.clone())).collect();
        headers.push(("accept".to_owned(), "application/json".to_owned()));
        headers.extend(self.proof(patient).await?);
        let body = its.body.as_deref().filter(|_| its.method == ApiMethod::Post);
        let body = body.map(|body| fill(body, span, next, &json_text).into_bytes());
        if body.is_some() && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        let method = if its.method == ApiMethod::Post { Method::POST } else { Method::GET };
        Ok(Ask { method, url, headers, body })
    }

    /// The next page's address; must be on the same server, as no other gets the secret.
    fn along(&self, address: &str) -> Result<String, Fault> {
        let base = Url::parse(&self.settings.url.replace(['{', '}'], ""))
            .map_err(|_| Fault::Stop("The address is no address.".to_owned()))?;
        let next = base
            .join(address)
            .map_err(|_| Fault::Stop(format!("The next page's address «{address}» is none.")))?;
        if next.origin() != base.origin() {
            return Err(Fault::Stop("The next page is on another server, which is not called.".to_owned()));
        }
        Ok(next.into())
    }

    async fn proof(&self, patient: &Patient<'_>) -> Result<Option<(String, String)>, Fault> {
        let secret = |name: &str| {
            self.secrets
                .get(name)
                .cloned()
                .ok_or_else(|| Fault::Stop("A secret is missing. Enter it and try again.".to_owned()))
        };
        let authorization = |value: String| Some(("authorization".to_owned(), value));
        Ok(match &self.settings.auth {
            ApiAuth::None => None,
            ApiAuth::Header { name } => Some((name.clone(), secret("token")?)),
            ApiAuth::Bearer => authorization(format!("Bearer {}", secret("token")?)),
            ApiAuth::Basic { user_name } => {
                let pair = BASE64.encode(format!("{user_name}:{}", secret("password")?));
                patient.journal.hide(&pair);
                authorization(format!("Basic {pair}"))
            }
            ApiAuth::OAuth { token_url, client_id, scope } => {
                let kept = self.lock().clone();
                let token = match kept {
                    Some(token) => token,
                    None => {
                        token(patient, token_url, client_id, &secret("clientSecret")?, scope.as_deref())
                            .await?
                    }
                };
                *self.lock() = Some(token.clone());
                authorization(format!("Bearer {token}"))
            }
        })
    }
}

/// A token for client credentials, sent in a header (RFC 6749 2.3.1) or in the body, as servers differ.
async fn token(
    patient: &Patient<'_>,
    url: &str,
    id: &str,
    secret: &str,
    scope: Option<&str>,
) -> Result<String, Fault> {
    let mut form = vec![("grant_type", "client_credentials".to_owned())];
    form.extend(scope.map(|scope| ("scope", scope.to_owned())));
    let pair = BASE64.encode(format!("{}:{}", percent(id), percent(secret)));
    patient.journal.hide(&pair);
    let ask = |form: &[(&str, String)], proof: Option<String>| {
        let body = form
            .iter()
            .map(|(name, value)| format!("{name}={}", percent(value)))
            .collect::<Vec<_>>()
            .join("&");
        let mut headers = vec![
            ("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned()),
            ("accept".to_owned(), "application/json".to_owned()),
        ];
        headers.extend(proof.map(|proof| ("authorization".to_owned(), proof)));
        Ask { method: Method::POST, url: url.to_owned(), headers, body: Some(body.into_bytes()) }
    };
    let first = patient.ask(&ask(&form, Some(format!("Basic {pair}"))), "Token").await;
    let answer = match first {
        Err(Fault::Stop(_) | Fault::Aside { .. }) => {
            form.push(("client_id", id.to_owned()));
            form.push(("client_secret", secret.to_owned()));
            patient.ask(&ask(&form, None), "Token").await
        }
        other => other,
    };
    let answer = match answer {
        Err(Fault::Aside { words, .. }) => {
            return Err(Fault::Stop(format!("No token: {words} Check client id and secret.")));
        }
        other => other?,
    };
    let value: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let token = value["access_token"].as_str().map(str::to_owned);
    let token = token.ok_or_else(|| Fault::Stop("The server gave no access token.".to_owned()))?;
    patient.journal.hide(&token);
    patient.journal.info("Signed in: a token was given.");
    Ok(token)
}

fn merge(union: &mut Look, mut seen: Look) {
    for name in seen.order {
        let Some((rows, times)) = seen.records.remove(&name) else { continue };
        match union.records.get_mut(&name) {
            None => {
                union.order.push(name);
                union.records.insert(name, (rows, times));
            }
            Some(kept) => *kept = (rows, kept.1.max(times)),
        }
    }
    union.last = seen.last;
}

/// The most values in a JSON response.
const MOST_VALUES: usize = 2_000_000;

/// Parses JSON. A value takes seventy bytes of memory but two on the wire, so their number is checked first.
/// An object member counts twice, for its name and its value.
///
/// # Errors
/// A message if there are too many.
pub fn parse(body: &[u8]) -> Result<serde_json::Result<Value>, String> {
    let values = body.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{' | b':')).count();
    if values > MOST_VALUES {
        return Err(format!(
            "An answer has more than {MOST_VALUES} values. Ask for less at once, a day or a page."
        ));
    }
    Ok(serde_json::from_slice(body))
}

/// A record inside its list, so that absolute paths resolve.
fn wrapped(outer: &Path, record: &Value) -> Value {
    outer.0.iter().rev().fold(record.clone(), |inner, step| match step {
        Step::Each => Value::Array(vec![inner]),
        Step::Name(name) => serde_json::json!({ name: inner }),
    })
}

/// The address without the empty cursor parameter of the first request.
fn without_empty(url: &str, next: &Next) -> String {
    if !matches!(next, Next::Cursor(None)) || !url.contains("{cursor}") {
        return url.to_owned();
    }
    let Some((path, query)) = url.split_once('?') else { return url.replace("{cursor}", "") };
    let kept: Vec<&str> = query.split('&').filter(|pair| !pair.contains("{cursor}")).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

fn fill(text: &str, span: Span, next: &Next, write: &dyn Fn(&str) -> String) -> String {
    let page = if let Next::Number(page) = next { page.to_string() } else { String::new() };
    let cursor = if let Next::Cursor(Some(cursor)) = next { cursor.clone() } else { String::new() };
    text.replace("{date}", &span.from.to_string())
        .replace("{from}", &span.from.to_string())
        .replace("{to}", &span.to.to_string())
        .replace("{page}", &page)
        .replace("{cursor}", &write(&cursor))
}

/// Percent-encodes for an address (RFC 3986 unreserved characters stay).
fn percent(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Escapes for the inside of a JSON string.
fn json_text(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The target of `<address>; rel="next"`.
fn next_link(header: &str) -> Option<String> {
    header.split(",<").chain(header.split(", <")).find_map(|part| {
        let (address, rest) = part.trim_start_matches(['<', ' ']).split_once('>')?;
        let rest = rest.to_ascii_lowercase().replace(' ', "");
        (rest.contains("rel=\"next\"") || rest.contains("rel=next")).then(|| address.to_owned())
    })
}

fn bytes(n: usize) -> String {
    if n < 10_000 { format!("{n} bytes") } else { format!("{} KB", n / 1_000) }
}

/// Days as text.
#[must_use]
pub fn shown(span: Span) -> String {
    if span.from == span.to {
        span.from.display()
    } else {
        format!("{} to {}", span.from.display(), span.to.display())
    }
}

/// The first distinct texts of a list.
#[must_use]
pub fn distinct(texts: impl Iterator<Item = String>, most: usize) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.filter(|text| !text.is_empty() && seen.insert(text.clone())).take(most).collect()
}
