//! Origin of a request: the address as far as it can be trusted, and the user agent.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use crate::AppState;

/// Address and user agent of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The peer's address, or the one trusted proxies report.
    pub address: String,
    pub user_agent: String,
}

impl Origin {
    /// The origin of a request.
    #[must_use]
    pub fn of(state: &AppState, parts: &Parts) -> Self {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|c| c.0.ip());
        let agent = parts.headers.get(header::USER_AGENT).and_then(|v| v.to_str().ok()).unwrap_or_default();
        Self {
            address: forwarded(&parts.headers, state.config.proxy_hops)
                .or(peer)
                .map(|ip| ip.to_canonical().to_string())
                .unwrap_or_default(),
            user_agent: agent.chars().take(300).collect(),
        }
    }

    /// Of work without a request: `job`, `cli`.
    #[must_use]
    pub fn of_work(what: &str) -> Self {
        Self { address: what.to_owned(), user_agent: String::new() }
    }

    /// The key of rate limits: an IPv6 customer has a whole /64.
    #[must_use]
    pub fn network(&self) -> String {
        match self.address.parse::<IpAddr>() {
            Ok(IpAddr::V6(ip)) => {
                let [a, b, c, d, ..] = ip.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
            _ => self.address.clone(),
        }
    }
}

/// The address the outermost trusted proxy saw. Entries further left come from the client.
pub(super) fn forwarded(headers: &HeaderMap, hops: usize) -> Option<IpAddr> {
    let chain: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(','))
        .map(str::trim)
        .collect();
    let said = chain.get(chain.len().checked_sub(hops.max(1))?).filter(|_| hops > 0)?;
    said.parse().ok().or_else(|| said.parse::<SocketAddr>().ok().map(|a| a.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(hops: usize, lines: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", line.parse().expect("a header"));
        }
        forwarded(&headers, hops).map(|ip| ip.to_string())
    }

    #[test]
    fn only_the_configured_number_of_proxies_is_trusted() {
        assert_eq!(seen(0, &["1.1.1.1"]), None);
        assert_eq!(seen(1, &["9.9.9.9, 1.1.1.1"]).as_deref(), Some("1.1.1.1"));
        assert_eq!(seen(2, &["9.9.9.9, 1.1.1.1", "2.2.2.2"]).as_deref(), Some("1.1.1.1"));
        assert_eq!(seen(2, &["1.1.1.1"]), None, "fewer than the proxies would have written");
        assert_eq!(seen(1, &["[2001:db8::1]:443"]).as_deref(), Some("2001:db8::1"));
        assert_eq!(seen(1, &["unknown"]), None);
    }

    #[test]
    fn addresses_in_one_64_share_a_key() {
        let of = |address: &str| Origin { address: address.into(), ..Origin::default() }.network();
        assert_eq!(of("2001:db8:0:1::1"), of("2001:db8:0:1:ffff::2"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
        assert_eq!(of("10.0.0.1"), "10.0.0.1");
    }
}
