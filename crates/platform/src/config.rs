//! Settings: flags, then `LARDER_*`, then `larder.toml`, then these defaults.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// All settings of the server.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// Folder for the database and uploaded files.
    pub data_dir: PathBuf,
    /// Where the console and API listen.
    pub listen: SocketAddr,
    /// Where Prometheus metrics are served; off when absent.
    pub metrics_listen: Option<SocketAddr>,
    /// `postgres://…` instead of the SQLite file in the data folder.
    pub database: Option<String>,
    /// Key that encrypts secrets in the database: 32 bytes in base64, shared by all nodes of a database.
    pub key: Option<Secret>,
    /// File of that key if it is not set directly: `larder.key` in the data folder when absent; created if
    /// missing.
    pub key_file: Option<PathBuf>,
    /// Concurrent reading connections to the database.
    pub readers: u32,
    /// The company's name.
    pub company_name: String,
    /// Google sign-in and addresses are restricted to this domain.
    pub company_domain: String,
    /// The label in the top bar.
    pub app_label: String,
    /// Audience of this installation's ID tokens.
    pub project_id: String,
    /// Public address of the console, for links and origin checks.
    pub public_url: Option<String>,
    /// A path of this address (`/…`) that the console notifies of sessions: POST on sign-in, DELETE on
    /// sign-out, with an ID token; off when absent.
    pub session_sync: Option<String>,
    /// The most connections in all; as many as the process may open files when absent.
    pub connections: Option<usize>,
    /// The most connections per address, or behind proxies concurrent requests; half of all when absent.
    pub connections_per_address: Option<usize>,
    /// Live event streams per user; a browser has one for all its tabs.
    pub streams_per_person: usize,
    /// Trusted proxies in front whose forwarded addresses count.
    pub proxy_hops: usize,
    /// Distinguishes a wrong address from a wrong password at sign-in (off: one message for both).
    pub specific_sign_in_errors: bool,
    /// Jobs this node runs at once.
    pub job_workers: usize,
    /// Google's OAuth client; «Continue with Google» is off without one.
    pub google_client_id: Option<String>,
    pub google_client_secret: Option<Secret>,
    /// Admits Google accounts outside any Workspace if Google has verified their address and it ends in the
    /// company's domain (off: only accounts of the company's own Workspace).
    pub google_without_workspace: bool,
    /// Hosts and networks that connectors may call besides public addresses: `till.local, 10.1.0.0/16`.
    pub outgoing_allow: Option<String>,
    /// MiB that one run of a connector may read, decompressed; it then ends with a message.
    pub connector_run_mib: u64,
    /// Days before today from which a till's key, a feed or a schedule may write; older sales are imported by
    /// hand.
    pub feed_days_back: u32,
    /// Lines per hour that one till's key or feed may write; 0 sets no limit.
    pub feed_lines_per_hour: u32,
    /// New names per hour that one till's key or feed may add; 0 sets no limit.
    pub feed_names_per_hour: u32,
    /// Parent folder of the watched folders of POS feeds; `incoming` in the data folder when absent.
    pub incoming: Option<PathBuf>,
    /// Address of BigQuery's API.
    pub bigquery_url: String,
    /// Issuer of Google's ID tokens; another OpenID provider may replace it.
    pub google_issuer: String,
    /// `smtp://user:password@host:587` or `smtps://…:465`; without it emails go to the folder `outbox`.
    pub smtp_url: Option<Secret>,
    /// The sender of emails, `Larder <larder@example.com>`.
    pub mail_from: Option<String>,
    /// Offset of this server's clock in milliseconds. For tests and rehearsals only.
    pub clock_shift_ms: i64,
}

/// A setting that must not appear in logs.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            data_dir: PathBuf::from("larder-data"),
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            metrics_listen: None,
            database: None,
            key: None,
            key_file: None,
            readers: 4,
            company_name: "Larder".into(),
            company_domain: "example.com".into(),
            app_label: "Larder".into(),
            project_id: "larder".into(),
            public_url: None,
            session_sync: None,
            connections: None,
            connections_per_address: None,
            streams_per_person: 20,
            proxy_hops: 0,
            specific_sign_in_errors: false,
            job_workers: 1,
            google_client_id: None,
            google_client_secret: None,
            google_without_workspace: false,
            outgoing_allow: None,
            connector_run_mib: 2_048,
            feed_days_back: 35,
            feed_lines_per_hour: 200_000,
            feed_names_per_hour: 2_000,
            incoming: None,
            bigquery_url: "https://bigquery.googleapis.com".into(),
            google_issuer: "https://accounts.google.com".into(),
            smtp_url: None,
            mail_from: None,
            clock_shift_ms: 0,
        }
    }
}

impl Config {
    /// The path the console notifies of sessions; on the same address, so that tokens go nowhere else.
    ///
    /// # Errors
    /// If the setting points elsewhere.
    pub fn session_sync(&self) -> anyhow::Result<Option<&str>> {
        let Some(path) = self.session_sync.as_deref().filter(|path| !path.is_empty()) else {
            return Ok(None);
        };
        let own = path.starts_with('/') && !path[1..].starts_with(['/', '\\']);
        let plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        anyhow::ensure!(own && plain, "session-sync must be a path of this address, such as /portal/session");
        Ok(Some(path))
    }

    /// Parent folder of the watched folders of POS feeds.
    #[must_use]
    pub fn incoming_dir(&self) -> PathBuf {
        self.incoming.clone().unwrap_or_else(|| self.data_dir.join("incoming"))
    }

    /// A path of the console as an absolute address: on the public address, else where this server listens.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        let listen = format!("http://{}", self.listen);
        format!("{}{path}", self.public_url.as_deref().unwrap_or(&listen).trim_end_matches('/'))
    }

    /// The database's address: as set, or the SQLite file in the data folder.
    #[must_use]
    pub fn database_url(&self) -> String {
        self.database
            .clone()
            .unwrap_or_else(|| format!("sqlite:{}", self.data_dir.join("larder.db").display()))
    }
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[test]
    fn tokens_are_sent_to_the_same_address_only() {
        let set = |path: &str| Config { session_sync: Some(path.to_owned()), ..Config::default() };
        assert_eq!(set("/portal/session").session_sync().expect("a path"), Some("/portal/session"));
        assert_eq!(set("").session_sync().expect("off"), None);
        for elsewhere in
            ["https://example.org/x", "//example.org", "/\\example.org", "session", "/a b", "/\t/x"]
        {
            assert!(set(elsewhere).session_sync().is_err(), "{elsewhere}");
        }
    }
}
