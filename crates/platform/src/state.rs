//! What every handler can reach.

use std::sync::Arc;

use larder_db::Db;
use larder_domain::{Id, Timestamp};

use crate::config::Config;
use crate::files::Files;
use crate::http::serve::Places;
use crate::http::session::Authenticator;
use crate::jobs::Jobs;
use crate::kinds::Kinds;
use crate::live::Hub;
use crate::openid::OpenId;
use crate::people::keys::Keys;
use crate::people::limits::Limits;
use crate::people::secret::Secrets;
use crate::people::session_cache::SessionCache;
use crate::seal::Seal;
use crate::services::Services;

/// Tells the time. Tests own theirs.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The machine's clock, set forward or back by a fixed amount.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock {
    shift_ms: i64,
}

impl SystemClock {
    /// As these settings say.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        Self { shift_ms: config.clock_shift_ms }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp(jiff::Timestamp::now().as_millisecond()).plus_ms(self.shift_ms)
    }
}

/// Gives random bytes. Tests own theirs.
pub trait Random: Send + Sync {
    /// Fills `bytes` from a source fit for secrets.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's randomness.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        rand::fill(bytes);
    }
}

/// Shared by all handlers and jobs; cloning it is cheap.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

/// The parts of [`AppState`].
pub struct Inner {
    /// The database.
    pub db: Db,
    /// Settings from flags, environment and file.
    pub config: Config,
    /// Uploaded files.
    pub files: Files,
    /// Background work.
    pub jobs: Jobs,
    /// What this server can be asked to work out, by hand or every night.
    pub services: Services,
    /// When this server began.
    pub started_at: Timestamp,
    /// What kinds of records there are.
    pub kinds: &'static Kinds,
    /// What happened lately, for open screens.
    pub live: Arc<Hub>,
    /// Open streams of events, by account.
    pub streams: Places<String>,
    /// Seals what lies in the database and opens something.
    pub seal: Arc<Seal>,
    /// Signs and checks ID tokens.
    pub keys: Keys,
    /// The company's identity provider.
    pub openid: OpenId,
    /// Signs and derives what only this installation may.
    pub secrets: Secrets,
    /// How much one address may try.
    pub limits: Limits,
    /// Finds out who sends a request.
    pub authenticator: &'static dyn Authenticator,
    /// Makes the contract: the routes stand above whoever shows it.
    pub contract: fn(&AppState) -> String,
    /// Sessions seen within the last second.
    pub sessions: SessionCache,
    /// What the search of the top bar finds.
    pub search: crate::search::Index,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
}

impl std::ops::Deref for AppState {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl AppState {
    /// Of its parts.
    #[must_use]
    pub fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new record id.
    #[must_use]
    pub fn new_id(&self) -> String {
        let mut bytes = [0; 8];
        self.random.fill(&mut bytes);
        Id::new(self.now(), u64::from_le_bytes(bytes)).0
    }

    /// `N` random bytes, for secrets.
    #[must_use]
    pub fn random_bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.random.fill(&mut bytes);
        bytes
    }
}
