//! Which addresses may be called.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is on the public internet (IANA's special-purpose registries, RFC 6890 and later). For
/// IPv6, global unicast without the forms that carry an IPv4 address (6to4, Teredo, NAT64, mapped).
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(v4: Ipv4Addr) -> bool {
    let [a, b, c, _] = v4.octets();
    let special = match a {
        0 | 10 | 127 => true,
        100 => (64..128).contains(&b),
        169 => b == 254,
        172 => (16..32).contains(&b),
        192 => matches!((b, c), (0, 0 | 2) | (88, 99) | (168, _)),
        198 => matches!((b, c), (18 | 19, _) | (51, 100)),
        203 => (b, c) == (0, 113),
        224.. => true,
        _ => false,
    };
    !special
}

fn is_public_v6(v6: Ipv6Addr) -> bool {
    let [a, b, ..] = v6.segments();
    let global = (0x2000..0x4000).contains(&a);
    // 2001::/23 are protocols (Teredo among them), 2001:db8::/32 and 3fff::/20 documentation, 2002::/16 6to4.
    let special = match a {
        0x2001 => b < 0x0200 || b == 0x0db8,
        0x2002 => true,
        0x3fff => b < 0x1000,
        _ => false,
    };
    global && !special
}

/// Hosts and networks allowed by a setting: `till.local`, `10.1.0.0/16`, `127.0.0.1`, `[::1]`, separated by
/// commas or spaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed {
    hosts: Vec<String>,
    networks: Vec<(IpAddr, u8)>,
}

impl Allowed {
    /// Parses the setting.
    ///
    /// # Errors
    /// The entry that is neither a host nor a network.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut allowed = Self::default();
        for word in text.split([',', ' ', ';']).map(str::trim).filter(|word| !word.is_empty()) {
            let (address, bits) = word.split_once('/').unzip();
            let address = address.unwrap_or(word).trim_start_matches('[').trim_end_matches(']');
            match (address.parse::<IpAddr>(), bits) {
                (Ok(address), bits) => {
                    let most = if address.is_ipv4() { 32 } else { 128 };
                    let bits = bits.map_or(Ok(most), str::parse::<u8>).ok().filter(|bits| *bits <= most);
                    allowed.networks.push((address, bits.ok_or_else(|| word.to_owned())?));
                }
                (Err(_), None) if word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b)) => {
                    allowed.hosts.push(plain(word));
                }
                _ => return Err(word.to_owned()),
            }
        }
        Ok(allowed)
    }

    /// Whether the setting lists this host.
    #[must_use]
    pub fn names(&self, host: &str) -> bool {
        let host = plain(host);
        self.hosts.contains(&host)
    }

    /// Whether the setting lists a network containing this address.
    #[must_use]
    pub fn holds(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|(network, bits)| within(address, *network, *bits))
    }
}

fn plain(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}

fn within(address: IpAddr, network: IpAddr, bits: u8) -> bool {
    let (one, two, width) = match (address, network) {
        (IpAddr::V4(one), IpAddr::V4(two)) => (u128::from(one.to_bits()), u128::from(two.to_bits()), 32),
        (IpAddr::V6(one), IpAddr::V6(two)) => (one.to_bits(), two.to_bits(), 128),
        _ => return false,
    };
    bits == 0 || (one ^ two) >> (width - u32::from(bits)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        for inside in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(inside.parse().expect("an address")), "{inside}");
        }
        for outside in
            ["8.8.8.8", "1.1.1.1", "100.63.0.1", "172.32.0.1", "192.0.1.1", "2606:4700::1111", "2a00:1450::1"]
        {
            assert!(is_public(outside.parse().expect("an address")), "{outside}");
        }
    }

    #[test]
    fn the_setting_lists_hosts_and_networks() {
        let allowed = Allowed::parse("till.local, 10.1.0.0/16 127.0.0.1 [::1] fd00::/8").expect("readable");
        let holds = |text: &str| allowed.holds(text.parse().expect("an address"));
        assert!(holds("10.1.255.3") && !holds("10.2.0.1") && holds("127.0.0.1") && !holds("127.0.0.2"));
        assert!(holds("::1") && holds("fd12::1") && !holds("fe80::1"));
        assert!(allowed.names("TILL.local.") && !allowed.names("local"));
        for wrong in ["10.0.0.0/33", "what is/this", "http://x"] {
            assert!(Allowed::parse(wrong).is_err(), "{wrong}");
        }
    }
}
