//! Wording of the emails, as text and HTML. The HTML loads nothing from elsewhere and keeps its contrast in
//! dark mode.

use larder_domain::Timestamp;
use lettre::Message;
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};

use super::smtp::SmtpError;
use super::{DigestPart, Email, Recipient};
use crate::config::Config;

/// A rendered email.
#[derive(Debug)]
pub struct Rendered {
    pub template: &'static str,
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// The parts an email is assembled from.
struct Words {
    template: &'static str,
    subject: String,
    paragraphs: Vec<String>,
    /// Text alternative of the picture after the paragraphs.
    picture: Option<String>,
    /// What numbers in the picture stand for.
    names: Vec<(String, String)>,
    /// Label and link of the button.
    button: Option<(&'static str, String)>,
    /// Small print after the button.
    small: Vec<String>,
}

/// Renders an email.
#[must_use]
pub fn render(config: &Config, email: &Email) -> Rendered {
    let words = words(config, email);
    Rendered {
        template: words.template,
        subject: words.subject.clone(),
        text: text(config, &words),
        html: html(config, &words),
    }
}

fn words(config: &Config, email: &Email) -> Words {
    let (company, app) = (one_line(&config.company_name), one_line(&config.app_label));
    let app = if app == company { app } else { format!("{app}, the operations console of {company}") };
    let short = one_line(&config.app_label);
    match email {
        Email::Reset { link, .. } => Words {
            template: "reset",
            subject: format!("Set a new password for {short}"),
            paragraphs: vec![format!(
                "Someone asked for a new password for your account at {app}. Choose it here:"
            )],
            picture: None,
            names: Vec::new(),
            button: Some(("Set a new password", link.clone())),
            small: vec![
                "The link works once, for one hour.".to_owned(),
                "If you did not ask for this, ignore this email. Your password stays the same.".to_owned(),
            ],
        },
        Email::Invitation { link, by, .. } => Words {
            template: "invitation",
            subject: format!("{} invites you to {short}", one_line(by)),
            paragraphs: vec![format!(
                "{} made an account for you at {app}. Choose your password to begin:",
                one_line(by)
            )],
            picture: None,
            names: Vec::new(),
            button: Some(("Choose your password", link.clone())),
            small: vec![
                "The link works once, for three days. After that, ask your administrator for a new one."
                    .to_owned(),
            ],
        },
        Email::Approved { link, .. } => Words {
            template: "approved",
            subject: format!("Your request for access to {short} was approved"),
            paragraphs: vec![format!(
                "Your request for access to {app} was approved. Choose your password to begin:"
            )],
            picture: None,
            names: Vec::new(),
            button: Some(("Choose your password", link.clone())),
            small: vec![
                "The link works once, for three days. After that, use “Forgot password” on the sign-in page."
                    .to_owned(),
            ],
        },
        Email::Digest { link, parts } => digest(&short, &app, link, parts),
        Email::Rejected { reason } => {
            let mut paragraphs = vec![format!("Your request for access to {app} was not approved.")];
            let reason = reason.trim();
            if !reason.is_empty() {
                paragraphs.push(format!("The reason given: {reason}"));
            }
            Words {
                template: "rejected",
                subject: format!("Your request for access to {short}"),
                paragraphs,
                picture: None,
                names: Vec::new(),
                button: None,
                small: vec![
                    "If you think this is a mistake, speak to your manager and apply again.".to_owned(),
                ],
            }
        }
        Email::Report { name, range, by, note, lines, link, picture, names, sheet, test } => {
            let mut paragraphs = vec![format!("{}, {range}.", one_line(name))];
            if !note.trim().is_empty() {
                paragraphs.push(note.trim().to_owned());
            }
            if !lines.is_empty() {
                paragraphs.push(lines.join("\n"));
            }
            let test = if *test { "Test: " } else { "" };
            Words {
                template: "report",
                subject: format!("{test}{}, {range}", one_line(name)),
                paragraphs,
                picture: picture.clone(),
                names: names.iter().map(|(short, name)| (one_line(short), one_line(name))).collect(),
                button: Some(("Open the report", link.clone())),
                small: vec![
                    if *sheet {
                        "The figures are of the stores you may see; the sheet with all rows is attached."
                    } else {
                        "The figures are of the stores you may see; all rows are in the report."
                    }
                    .to_owned(),
                    format!(
                        "{} has this sent to you. To stop it, ask them, or an administrator.",
                        one_line(by)
                    ),
                ],
            }
        }
    }
}

/// The tasks, type by type.
fn digest(short: &str, app: &str, link: &str, parts: &[DigestPart]) -> Words {
    let all: i64 = parts.iter().map(|part| part.count).sum();
    let things = if all == 1 { "1 thing waits".to_owned() } else { format!("{all} things wait") };
    let mut paragraphs = vec![format!("{things} for you at {app}.")];
    for part in parts {
        let mut words = format!("{}: {}", part.title, part.count);
        for line in &part.lines {
            words.push_str("\n• ");
            words.push_str(&one_line(line));
        }
        if part.more {
            words.push_str("\n• and more");
        }
        if let Some(link) = &part.link {
            words.push('\n');
            words.push_str(&one_line(link));
        }
        paragraphs.push(words);
    }
    Words {
        template: "digest",
        subject: format!("{short}: {things} for you"),
        paragraphs,
        button: Some(("See what waits", link.to_owned())),
        small: vec!["You get this once a day while something waits. The bell's settings end it.".to_owned()],
        picture: None,
        names: Vec::new(),
    }
}

fn text(config: &Config, words: &Words) -> String {
    let mut text = words.paragraphs.join("\n\n");
    if !words.names.is_empty() {
        text.push_str("\n\nIn the picture:");
        for (short, name) in &words.names {
            text.push_str(&format!("\n{short}: {name}"));
        }
    }
    if let Some((_, link)) = &words.button {
        text.push_str("\n\n    ");
        text.push_str(link);
    }
    text.push_str("\n\n");
    text.push_str(&words.small.join("\n"));
    text.push_str("\n\n-- \n");
    text.push_str(&one_line(&config.company_name));
    text.push('\n');
    text
}

/// Colours are set twice: as attributes for programs that drop styles, and for dark mode.
fn html(config: &Config, words: &Words) -> String {
    let paragraph = |words: &String| {
        format!("<p class=\"ink\" style=\"margin:0 0 16px;color:#1f2933\">{}</p>", lines(words))
    };
    let mut body: String = words.paragraphs.iter().map(paragraph).collect();
    if let Some(shows) = &words.picture {
        body.push_str(&format!(
            "<p style=\"margin:0 0 16px\"><img src=\"cid:{PICTURE}\" alt=\"{}\" width=\"496\" \
             style=\"width:100%;max-width:496px;height:auto;border:1px solid #dde3e9;border-radius:8px;background:#ffffff\"></p>",
            escape(shows)
        ));
    }
    body.push_str(&names(&words.names));
    if let Some((label, link)) = &words.button {
        let link = escape(link);
        body.push_str(&format!(
            "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" style=\"margin:8px 0 24px\"><tr>\
             <td bgcolor=\"#0b5d4a\" style=\"border-radius:8px\"><a href=\"{link}\" style=\"display:inline-block;\
             padding:12px 22px;font-weight:600;color:#ffffff;text-decoration:none\">{}</a></td></tr></table>\
             <p class=\"soft\" style=\"margin:0 0 16px;font-size:13px;color:#52606d\">Or open this address:<br>\
             <a class=\"link\" href=\"{link}\" style=\"color:#0b5d4a;word-break:break-all\">{link}</a></p>",
            escape(label)
        ));
    }
    let small = |words: &String| {
        format!(
            "<p class=\"soft\" style=\"margin:0 0 8px;font-size:13px;color:#52606d\">{}</p>",
            lines(words)
        )
    };
    body.extend(words.small.iter().map(small));
    include_str!("templates/email.html")
        .replace("{subject}", &escape(&words.subject))
        .replace("{company}", &escape(&one_line(&config.company_name)))
        .replace("{app}", &escape(&one_line(&config.app_label)))
        .replace("{body}", &body)
}

/// A table of what numbers in the picture stand for; nothing if there are none.
fn names(names: &[(String, String)]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let row = |(short, name): &(String, String)| {
        format!(
            "<tr><td class=\"soft\" align=\"right\" style=\"padding:0 12px 4px 0;color:#52606d\">{}</td>\
             <td class=\"ink\" style=\"padding:0 0 4px;color:#1f2933\">{}</td></tr>",
            escape(short),
            escape(name)
        )
    };
    let rows: String = names.iter().map(row).collect();
    format!("<table cellpadding=\"0\" cellspacing=\"0\" style=\"margin:0 0 16px\">{rows}</table>")
}

fn lines(words: &str) -> String {
    escape(words).replace('\n', "<br>")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Collapsed to one line, for subjects.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

/// The sender address.
///
/// # Errors
/// If `mail-from` is not an address.
pub fn sender(config: &Config) -> Result<Mailbox, SmtpError> {
    let wrong = || SmtpError::Settings("mail-from is no address like Larder <larder@example.com>".to_owned());
    match &config.mail_from {
        Some(from) => from.parse().map_err(|_| wrong()),
        None => {
            let address = format!("no-reply@{}", config.company_domain).parse().map_err(|_| wrong())?;
            Ok(Mailbox::new(Some(one_line(&config.app_label)), address))
        }
    }
}

/// Keeps auto-responders from answering (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// File name of the inline picture.
pub const PICTURE: &str = "picture.png";

/// A file sent with an email.
#[derive(Debug)]
pub struct Along {
    pub name: String,
    pub media: String,
    /// Inline rather than attached.
    pub shown: bool,
    pub bytes: Vec<u8>,
}

/// Text, HTML with inline pictures, and attachments.
fn body(rendered: &Rendered, along: Vec<Along>) -> Result<MultiPart, SmtpError> {
    let words = MultiPart::alternative_plain_html(rendered.text.clone(), rendered.html.clone());
    if along.is_empty() {
        return Ok(words);
    }
    let (shown, attached): (Vec<Along>, Vec<Along>) = along.into_iter().partition(|one| one.shown);
    let part = |one: Along| -> Result<SinglePart, SmtpError> {
        let media = one.media.parse().map_err(|_| SmtpError::Refused("a media type is none".to_owned()))?;
        Ok(if one.shown {
            Attachment::new_inline(one.name).body(one.bytes, media)
        } else {
            Attachment::new(one.name).body(one.bytes, media)
        })
    };
    let mut inner = MultiPart::related().multipart(words);
    for one in shown {
        inner = inner.singlepart(part(one)?);
    }
    let mut whole = MultiPart::mixed().multipart(inner);
    for one in attached {
        whole = whole.singlepart(part(one)?);
    }
    Ok(whole)
}

/// The MIME message. Its Message-ID derives from the job's id, so that a second copy is recognised as the
/// same.
///
/// # Errors
/// If an address is invalid.
pub fn message(
    config: &Config,
    to: &Recipient,
    rendered: &Rendered,
    along: Vec<Along>,
    id: &str,
    at: Timestamp,
) -> Result<Message, SmtpError> {
    let from = sender(config)?;
    let address = to.email.trim().parse();
    let address =
        address.map_err(|_| SmtpError::Refused("the recipient's address cannot be written".to_owned()))?;
    let name = Some(one_line(&to.name)).filter(|name| !name.is_empty());
    let domain = from.email.domain().to_owned();
    let date = std::time::UNIX_EPOCH + std::time::Duration::from_millis(u64::try_from(at.0).unwrap_or(0));
    Message::builder()
        .from(from)
        .to(Mailbox::new(name, address))
        .subject(&rendered.subject)
        .date(date)
        .message_id(Some(format!("<{id}@{domain}>")))
        .header(AutoSubmitted)
        .multipart(body(rendered, along)?)
        .map_err(|error| SmtpError::Refused(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        Config { company_name: "Kusina & Co".into(), app_label: "Larder".into(), ..Config::default() }
    }

    #[test]
    fn every_email_names_its_sender_and_its_link_in_both_forms() {
        let link = "https://larder.example/reset-password?mode=resetPassword&oobCode=a-b_c".to_owned();
        let emails = [
            Email::Reset { link: link.clone(), valid_until: None },
            Email::Invitation { link: link.clone(), valid_until: None, by: "Ana\r\nBcc: x@y.z".into() },
            Email::Approved { link: link.clone(), valid_until: None },
        ];
        for email in &emails {
            let rendered = render(&config(), email);
            assert!(rendered.text.contains(&link), "{}", rendered.text);
            assert!(rendered.html.contains("mode=resetPassword&amp;oobCode=a-b_c"), "{}", rendered.html);
            assert!(rendered.text.contains("Kusina & Co") && rendered.html.contains("Kusina &amp; Co"));
            assert!(!rendered.subject.contains(['\r', '\n']) && !rendered.html.contains("{body}"));
        }
    }

    #[test]
    fn a_reason_is_escaped() {
        let rendered =
            render(&config(), &Email::Rejected { reason: "<img src=x onerror=alert(1)>\nSee me.".into() });
        assert!(rendered.html.contains("&lt;img src=x onerror=alert(1)&gt;<br>See me."), "{}", rendered.html);
        assert!(!rendered.html.contains("<img"));
        assert!(rendered.text.contains("<img src=x onerror=alert(1)>\nSee me."));
    }

    #[test]
    fn names_cannot_add_headers() {
        let rendered = render(&config(), &Email::Rejected { reason: String::new() });
        let to = Recipient { name: "Ana\r\nBcc: evil@example.com".into(), email: "ana@example.com".into() };
        let message = message(&config(), &to, &rendered, Vec::new(), "id1", Timestamp(0)).expect("a message");
        let text = String::from_utf8(message.formatted()).expect("text");
        assert!(!text.contains("\r\nBcc:") && text.contains("Auto-Submitted: auto-generated"), "{text}");
        let nobody = Recipient { name: String::new(), email: "not an address".into() };
        assert!(super::message(&config(), &nobody, &rendered, Vec::new(), "id2", Timestamp(0)).is_err());
    }
}
