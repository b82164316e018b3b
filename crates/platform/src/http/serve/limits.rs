//! How many connections there may be, and how long each may take.

use std::time::Duration;

use super::pace::Pace;
use crate::Config;

/// How many connections there may be, and how long each may take.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections in all.
    pub connections: usize,
    /// Connections of one address; behind trusted proxies, requests under way for one address.
    pub per_address: usize,
    /// Further connections that are answered only when they ask how the server is.
    pub spare: usize,
    /// Trusted proxies in front, whose forwarded addresses count.
    pub proxy_hops: usize,
    /// From the connection to its first whole head of a request.
    pub head_within: Duration,
    /// From an answer to the next whole head of a request.
    pub idle_within: Duration,
    /// How fast bodies have to come.
    pub body_pace: Pace,
    /// How fast answers have to be taken.
    pub answer_pace: Pace,
}

/// Files that are no connections: the database, uploads, letters, what the runtime needs.
const OWN_FILES: usize = 100;
/// More connections than this need more than one node.
const MOST_CONNECTIONS: usize = 10_000;
/// Files a process may have open where the system does not tell.
const USUAL_FILES: usize = 1024;

impl Default for Limits {
    fn default() -> Self {
        Self::of(&Config::default(), USUAL_FILES)
    }
}

impl Limits {
    /// As set, in a process that may have so many files open.
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
            body_pace: Pace { least: 30 << 10, within: Duration::from_secs(30) },
            answer_pace: Pace { least: 30 << 10, within: Duration::from_secs(60) },
        }
    }
}

/// How many files this process may have open, as Linux tells; elsewhere what is usual.
#[must_use]
pub fn open_files() -> usize {
    let told = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    told.lines().find_map(|line| line.strip_prefix("Max open files")).and_then(soft).unwrap_or(USUAL_FILES)
}

/// The first of the two figures: the one that is in force.
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
    fn as_many_connections_as_files_leave_room_for() {
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
