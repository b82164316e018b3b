//! Requests with retries: exponential back-off with jitter, respecting the server's `Retry-After`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use larder_domain::{Timestamp, plural};
use reqwest::header::{self, HeaderMap};

use larder_platform::jobs::JobError;
use larder_platform::outgoing::{Answer, Ask, Caller, Trouble};

/// Why a unit was not read.
#[derive(Debug)]
pub enum Fault {
    /// Nothing can be read until a setting or secret is changed.
    Stop(String),
    /// Retry later; at the earliest after this time, if the server says so.
    Later { after_ms: Option<i64>, words: String },
    /// This unit is rejected and goes to the dead letters with its content.
    Aside { words: String, raw: Vec<u8> },
    /// The run itself ends.
    Job(JobError),
}

impl From<JobError> for Fault {
    fn from(error: JobError) -> Self {
        Self::Job(error)
    }
}

/// Severity of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Info,
    Warning,
    Error,
}

impl Level {
    /// Name as stored and in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The log of a run, with secrets masked.
#[derive(Default)]
pub struct Journal {
    lines: Mutex<Vec<(Level, String)>>,
    hidden: Mutex<Vec<String>>,
    counted: Mutex<Counted>,
}

/// Counters of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counted {
    pub pages: i64,
    pub repeated: i64,
}

impl Journal {
    /// Masks this text from now on.
    pub fn hide(&self, secret: &str) {
        if secret.len() >= 4 {
            lock(&self.hidden).push(secret.to_owned());
        }
    }

    /// Masks secrets.
    #[must_use]
    pub fn clean(&self, text: &str) -> String {
        lock(&self.hidden).iter().fold(text.to_owned(), |text, secret| {
            if text.contains(secret.as_str()) { text.replace(secret.as_str(), "•••") } else { text }
        })
    }

    /// Adds a line to the log.
    pub fn say(&self, level: Level, words: impl AsRef<str>) {
        let words: String = self.clean(words.as_ref()).chars().take(600).collect();
        lock(&self.lines).push((level, words));
    }

    /// Adds an informational line.
    pub fn info(&self, words: impl AsRef<str>) {
        self.say(Level::Info, words);
    }

    /// Adds a warning.
    pub fn warn(&self, words: impl AsRef<str>) {
        self.say(Level::Warning, words);
    }

    /// Counts duplicate rows and logs them.
    pub fn twice(&self, rows: usize) {
        if rows > 0 {
            self.count(|counted| counted.repeated += i64::try_from(rows).unwrap_or(0));
            self.warn(format!(
                "{} once.",
                plural(rows, "row came twice and counts", "rows came twice and count")
            ));
        }
    }

    /// The lines since the last call.
    pub fn drain(&self) -> Vec<(Level, String)> {
        std::mem::take(&mut *lock(&self.lines))
    }

    /// Changes the counters.
    pub fn count(&self, change: impl FnOnce(&mut Counted)) {
        change(&mut lock(&self.counted));
    }

    /// The counters since the last call.
    pub fn counts(&self) -> Counted {
        std::mem::take(&mut *lock(&self.counted))
    }
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes kept of rejected content.
pub const RAW_KEPT: usize = 64 * 1024;

/// The beginning of a response: one byte more than is kept shows that it was cut.
#[must_use]
pub fn begin_of(body: &[u8]) -> Vec<u8> {
    body[..body.len().min(RAW_KEPT + 1)].to_vec()
}

/// Runs on a blocking thread, because decompressing or parsing megabytes would block requests.
///
/// # Errors
/// If the work panicked.
pub async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Fault::Job(JobError::Broken(error.into())))
}

/// The bytes a run may read, decompressed.
#[derive(Debug)]
pub struct Budget {
    most_mib: u64,
    read: AtomicU64,
}

impl Budget {
    /// A budget in MiB.
    #[must_use]
    pub fn of_mib(most_mib: u64) -> Self {
        Self { most_mib, read: AtomicU64::new(0) }
    }

    fn spend(&self, bytes: usize) -> Result<(), Fault> {
        let read = self.read.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
        if read <= self.most_mib << 20 {
            return Ok(());
        }
        Err(Fault::Stop(format!(
            "This run read more than {} MiB, which is as much as one run may. What was read before is posted. Start \
             another run for the days that are left, or ask for fewer fields.",
            self.most_mib
        )))
    }
}

/// Sends requests with retries.
pub struct Patient<'a> {
    pub caller: &'a Caller,
    pub journal: &'a Journal,
    pub tries: u32,
    /// Longer waits make the run retry later.
    pub wait_ms: i64,
    /// Checks whether to continue.
    pub go_on: &'a (dyn Fn() -> Result<(), JobError> + Sync),
    pub now: Timestamp,
    pub budget: &'a Budget,
}

/// The first wait; each further one is up to twice as long.
const FIRST_WAIT_MS: i64 = 200;

impl Patient<'_> {
    /// Sends a request until it gets a 2xx response.
    ///
    /// # Errors
    /// [`Fault`].
    pub async fn ask(&self, ask: &Ask, shown: &str) -> Result<Answer, Fault> {
        let mut last = (None, String::new());
        for attempt in 1..=self.tries {
            (self.go_on)()?;
            let answer = self.caller.send(ask).await;
            if let Ok(answer) = &answer {
                self.budget.spend(answer.body.len())?;
            }
            let (after, words) = match answer {
                Err(Trouble::Refused(words)) => return Err(Fault::Stop(words)),
                Err(Trouble::Failed(words)) => (None, words),
                Ok(answer) if (200..300).contains(&answer.status) => return Ok(answer),
                Ok(answer) => self.refused(&answer)?,
            };
            let wait = after.unwrap_or_else(|| backoff(attempt));
            last = (after, words.clone());
            if attempt == self.tries || wait > self.wait_ms {
                break;
            }
            self.journal.warn(format!("{shown}: {words} Asked again in {}.", spoken(wait)));
            self.sleep(wait).await?;
        }
        Err(Fault::Later { after_ms: last.0, words: last.1 })
    }

    /// Classifies an error response: how long to wait, and a message.
    fn refused(&self, answer: &Answer) -> Result<(Option<i64>, String), Fault> {
        let status = answer.status;
        let name = reqwest::StatusCode::from_u16(status)
            .ok()
            .and_then(|it| it.canonical_reason())
            .unwrap_or_default();
        match status {
            401 | 403 => Err(Fault::Stop(format!(
                "The server refused the sign-in ({status} {name}). Check the secret and what it may read."
            ))),
            408 | 425 | 429 | 500..=599 => {
                let after = retry_after(&answer.headers, self.now);
                let words = match status {
                    429 => "The server asks us to slow down (429).".to_owned(),
                    _ => format!("The server failed ({status} {name})."),
                };
                Ok((after, words))
            }
            _ => Err(Fault::Aside {
                words: format!("The server answered {status} {name}."),
                raw: begin_of(&answer.body),
            }),
        }
    }

    /// Waits, unless cancelled.
    ///
    /// # Errors
    /// If the run is to stop.
    pub async fn sleep(&self, ms: i64) -> Result<(), Fault> {
        let mut left = u64::try_from(ms).unwrap_or(0);
        while left > 0 {
            (self.go_on)()?;
            let part = left.min(250);
            tokio::time::sleep(Duration::from_millis(part)).await;
            left -= part;
        }
        Ok(())
    }
}

/// Back-off with jitter: in the upper half of 0.2 s, 0.4 s, 0.8 s …, so that clients that failed together do
/// not return together.
fn backoff(attempt: u32) -> i64 {
    let most = FIRST_WAIT_MS << (attempt - 1).min(10);
    most / 2 + i64::from(rand::random::<u16>()) * (most / 2) / i64::from(u16::MAX)
}

/// The wait from `Retry-After`: seconds or a date (RFC 9110 10.2.3), at most a day.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<i64> {
    let said = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    let ms = match said.parse::<i64>() {
        Ok(seconds) => seconds.saturating_mul(1_000),
        Err(_) => jiff::fmt::rfc2822::parse(said).ok()?.timestamp().as_millisecond() - now.0,
    };
    Some(ms.clamp(0, 86_400_000))
}

/// A wait as text.
#[must_use]
pub fn spoken(ms: i64) -> String {
    match ms {
        ..=999 => format!("{ms} ms"),
        1_000..=119_999 => format!("{} s", ms / 1_000),
        120_000..=7_199_999 => format!("{} min", ms / 60_000),
        _ => format!("{} h", ms / 3_600_000),
    }
}
