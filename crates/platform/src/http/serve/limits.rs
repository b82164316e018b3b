//! Limits on the number and duration of connections.

use std::time::Duration;

use super::min_throughput::MinThroughput;
use crate::Config;

/// Limits on the number and duration of connections.
#[derive(Debug, Clone)]
pub struct Limits {
    pub connections: usize,
    /// Connections per address; behind trusted proxies, concurrent requests per address.
    pub per_address: usize,
    /// Extra connections that answer health checks only.
    pub spare: usize,
    /// Trusted proxies in front whose forwarded addresses count.
    pub proxy_hops: usize,
    /// Timeout from the connection to its first complete request head.
    pub head_within: Duration,
    /// Timeout from a response to the next complete request head.
    pub idle_within: Duration,
    /// Minimum throughput of request bodies.
    pub body_throughput: MinThroughput,
    /// Minimum throughput of responses.
    pub response_throughput: MinThroughput,
}

/// File descriptors not used for connections: the database, uploads, emails, the runtime.
const OWN_FILES: usize = 100;
/// More connections than this need more than one node.
const MOST_CONNECTIONS: usize = 10_000;
/// Open files per process where the system does not tell.
const USUAL_FILES: usize = 1024;

impl Default for Limits {
    fn default() -> Self {
        Self::of(&Config::default(), USUAL_FILES)
    }
}

impl Limits {
    /// From the settings, for a process that may open this many files.
    #[must_use]
    pub fn of(config: &Config, files: usize) -> Self {
        let room = files.saturating_sub(OWN_FILES).max(files / 2).min(MOST_CONNECTIONS);
        let connections = config.connections.unwrap_or(room).max(1);
        Self {
            connections,
            per_address: config.connections_per_address.unwrap_or(connections.div_ceil(2)).max(1),
            spare: 16,
            proxy_hops: config.proxy_hops,
            head_within: Duration::from_secs(10),
            idle_within: Duration::from_secs(75),
            body_throughput: MinThroughput { least: 30 << 10, within: Duration::from_secs(30) },
            response_throughput: MinThroughput { least: 30 << 10, within: Duration::from_secs(60) },
        }
    }
}

/// How many files this process may open, as Linux reports; elsewhere the usual number.
#[must_use]
pub fn open_files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    limits.lines().find_map(|line| line.strip_prefix("Max open files")).and_then(soft).unwrap_or(USUAL_FILES)
}

/// The first of the two numbers, the soft limit.
fn soft(figures: &str) -> Option<usize> {
    match figures.split_whitespace().next()? {
        "unlimited" => Some(usize::MAX),
        figure => figure.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_limited_by_open_files() {
        let of = |files| {
            let limits = Limits::of(&Config::default(), files);
            (limits.connections, limits.per_address)
        };
        assert_eq!(of(300), (200, 100));
        assert_eq!(of(1024), (924, 462));
        assert_eq!(of(usize::MAX), (MOST_CONNECTIONS, MOST_CONNECTIONS / 2));
        assert_eq!(of(0), (1, 1));
        let set = Config { connections: Some(50), connections_per_address: Some(5), ..Config::default() };
        let limits = Limits::of(&set, 300);
        assert_eq!((limits.connections, limits.per_address), (50, 5));
        assert_eq!(
            (soft("   1024    524288   files"), soft("unlimited unlimited")),
            (Some(1024), Some(usize::MAX))
        );
    }
}
