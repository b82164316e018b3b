//! State shared by all handlers.

use std::sync::{Arc, OnceLock};

use larder_db::Db;
use larder_domain::{Id, Timestamp};

use crate::calculations::Calculations;
use crate::config::Config;
use crate::encryption::Cipher;
use crate::entity_types::EntityTypes;
use crate::example::Example;
use crate::files::Files;
use crate::http::serve::Slots;
use crate::http::session::Authenticator;
use crate::jobs::Jobs;
use crate::live::Hub;
use crate::openid::OpenId;
use crate::people::keys::Keys;
use crate::people::limits::Limits;
use crate::people::secret::Secrets;
use crate::people::session_cache::SessionCache;

/// The time; replaced in tests.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

/// The machine's clock with a fixed offset.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock {
    shift_ms: i64,
}

impl SystemClock {
    /// With the offset from the settings.
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

/// Random bytes; replaced in tests.
pub trait Random: Send + Sync {
    /// Fills `bytes` from a source fit for secrets.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's random source.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        rand::fill(bytes);
    }
}

/// Shared by all handlers and jobs; cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

/// The fields of [`AppState`].
pub struct Inner {
    pub db: Db,
    pub config: Config,
    pub files: Files,
    pub jobs: Jobs,
    /// Scheduled calculations.
    pub calculations: Calculations,
    pub started_at: Timestamp,
    pub entity_types: &'static EntityTypes,
    /// Recent events for open screens.
    pub live: Arc<Hub>,
    /// Open event streams, by account.
    pub streams: Slots<String>,
    /// Encrypts secrets in the database.
    pub cipher: Arc<Cipher>,
    /// Signs and validates ID tokens.
    pub keys: Keys,
    pub openid: OpenId,
    /// Signs and derives values with the installation's secret.
    pub secrets: Secrets,
    /// Rate limits.
    pub limits: Limits,
    /// Authenticates requests.
    pub authenticator: &'static dyn Authenticator,
    /// Renders the contract; a function, because the routes are above the module that serves it.
    pub contract: fn(&AppState) -> String,
    /// Sessions validated within the last second.
    pub sessions: SessionCache,
    /// Index of the global search.
    pub search: crate::search::Index,
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
    /// The example group, of a server that has one.
    pub example: OnceLock<Example>,
}

impl std::ops::Deref for AppState {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl AppState {
    #[must_use]
    pub fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    /// The current time of the server's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The example group of this server.
    #[must_use]
    pub fn example(&self) -> Example {
        self.example.get().cloned().unwrap_or_default()
    }

    /// Generates a record id.
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
