//! SMTP transport: `smtp://` with STARTTLS where offered, `smtps://` with TLS from the start.

use std::time::Duration;

use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};

/// Connection timeout.
const CONNECT_WITHIN: Duration = Duration::from_secs(20);
/// Timeout of a delivery; it is retried later. As long as RFC 5321 asks for: a server that checks an email for some
/// minutes has accepted it afterwards, and a retry would be a second one.
const TAKEN_WITHIN: Duration = Duration::from_mins(10);

/// Why an email was not sent; never contains the password.
#[derive(Debug, thiserror::Error)]
pub enum SmtpError {
    #[error("{0}")]
    Settings(String),
    /// The server rejected this email permanently.
    #[error("the mail server refuses it: {0}")]
    Refused(String),
    /// The server is unreachable, or rejected the email temporarily.
    #[error("the mail server does not take it now: {0}")]
    NotNow(String),
}

impl SmtpError {
    /// Whether a retry is pointless.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}

/// Sends an email over a new connection; there are few.
pub async fn send(url: &str, message: Message) -> Result<(), SmtpError> {
    send_within(url, message, TAKEN_WITHIN).await
}

async fn send_within(url: &str, message: Message, within: Duration) -> Result<(), SmtpError> {
    let transport = transport(url)?;
    // The transport's own timeout covers connecting only; a server may stall later.
    let Ok(sent) = tokio::time::timeout(within, transport.send(message)).await else {
        return Err(SmtpError::NotNow(format!("it was silent for {} s", within.as_secs())));
    };
    match sent {
        Ok(_) => Ok(()),
        // 5xx: no such mailbox, not accepted. A rejected sign-in is retried, since the operator can fix it
        // meanwhile.
        Err(error) if error.is_permanent() && !is_sign_in(&error) => {
            Err(SmtpError::Refused(error.to_string()))
        }
        Err(error) => Err(SmtpError::NotNow(error.to_string())),
    }
}

fn is_sign_in(error: &lettre::transport::smtp::Error) -> bool {
    let code = error.status().map(u16::from);
    matches!(code, Some(530 | 534 | 535 | 538))
}

/// The transport for an address.
pub fn transport(url: &str) -> Result<AsyncSmtpTransport<Tokio1Executor>, SmtpError> {
    let wrong = |what: &str| SmtpError::Settings(format!("smtp-url is {what}"));
    // The parser's message could quote the password.
    let url = reqwest::Url::parse(url).map_err(|_| wrong("no address like smtp://user:password@host:587"))?;
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| wrong("without a host"))?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let credentials = credentials(&url);
    let asked = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
    let parameters =
        || TlsParameters::new(host.to_owned()).map_err(|_| wrong("for a host without a usable name"));
    let (tls, port) = match (url.scheme(), asked.as_deref()) {
        ("smtps", _) => (Tls::Wrapper(parameters()?), 465),
        ("smtp", Some("none")) => (Tls::None, 25),
        ("smtp", Some("required")) => (Tls::Required(parameters()?), 587),
        // A password is never sent over a connection that could be downgraded to plain text.
        ("smtp", None) if credentials.is_some() && !is_loopback(host) => (Tls::Required(parameters()?), 587),
        ("smtp", None) => (Tls::Opportunistic(parameters()?), if credentials.is_some() { 587 } else { 25 }),
        ("smtp", Some(_)) => return Err(wrong("with a tls other than none or required")),
        _ => return Err(wrong("neither smtp:// nor smtps://")),
    };
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
        .port(url.port().unwrap_or(port))
        .tls(tls)
        .timeout(Some(CONNECT_WITHIN));
    if let Some(credentials) = credentials {
        builder = builder.credentials(credentials);
    }
    Ok(builder.build())
}

fn credentials(url: &reqwest::Url) -> Option<Credentials> {
    let user = decoded(url.username());
    let password = decoded(url.password().unwrap_or_default());
    (!user.is_empty()).then(|| Credentials::new(user, password))
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |byte: u8| (byte as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        match (first, tail) {
            (b'%', [high, low, after @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                bytes.push(hex(*high).unwrap_or(0) * 16 + hex(*low).unwrap_or(0));
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_addresses_are_refused_without_quoting_the_password() {
        for wrong in ["hunter2", "http://u:hunter2@host", "smtp://u:hunter2@", "smtp://u:hunter2@h?tls=maybe"]
        {
            let error = transport(wrong).expect_err("refused").to_string();
            assert!(error.starts_with("smtp-url is") && !error.contains("hunter2"), "{error}");
        }
        for good in
            ["smtp://localhost", "smtps://u:p@mail.example.com", "smtp://[::1]:2525", "smtp://h?tls=none"]
        {
            assert!(transport(good).is_ok(), "{good}");
        }
    }

    #[tokio::test]
    async fn a_stalled_server_times_out() {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let message = Message::builder()
            .from("a@example.com".parse().expect("an address"))
            .to("b@example.com".parse().expect("an address"))
            .body(String::new())
            .expect("a message");
        let url = format!("smtp://127.0.0.1:{port}");
        let sent = send_within(&url, message, Duration::from_millis(200)).await;
        assert!(matches!(sent, Err(SmtpError::NotNow(_))), "{sent:?}");
    }

    #[test]
    fn passwords_are_percent_decoded() {
        assert_eq!(decoded("a%40b%3Ac%zz%4"), "a@b:c%zz%4");
    }
}
