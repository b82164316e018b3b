//! The log, on standard error: JSON lines, or short lines for people in a terminal.

use std::fmt;
use std::io::IsTerminal as _;

use anyhow::bail;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

/// The log format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Text,
}

impl Format {
    /// The requested format; by default text for a terminal and JSON otherwise.
    fn choose(asked: Option<&str>, terminal: bool) -> anyhow::Result<Format> {
        match asked.map(str::trim) {
            Some("json") => Ok(Format::Json),
            Some("text") => Ok(Format::Text),
            Some(other) if !other.is_empty() => {
                bail!("LARDER_LOG_FORMAT is «{other}»; say json or text")
            }
            _ if terminal => Ok(Format::Text),
            _ => Ok(Format::Json),
        }
    }

    /// The default of `LARDER_LOG`. Request lines are useful to programs, not to people.
    const fn default_filter(self) -> &'static str {
        match self {
            Format::Json => "info,sqlx=warn",
            Format::Text => "info,sqlx=warn,larder::request=warn",
        }
    }
}

/// Local time of day.
struct TimeOfDay;

impl FormatTime for TimeOfDay {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{}", jiff::Zoned::now().strftime("%H:%M:%S"))
    }
}

/// Starts the log with the filter `LARDER_LOG` and the format `LARDER_LOG_FORMAT` (`json` or `text`).
///
/// # Errors
/// An unknown format.
pub fn start() -> anyhow::Result<()> {
    let asked = std::env::var("LARDER_LOG_FORMAT").ok();
    let terminal = std::io::stderr().is_terminal();
    let format = Format::choose(asked.as_deref(), terminal)?;
    let filter =
        EnvFilter::try_from_env("LARDER_LOG").unwrap_or_else(|_| EnvFilter::new(format.default_filter()));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let _ = match format {
        Format::Json => lines.json().try_init(),
        Format::Text => {
            lines.compact().with_target(false).with_timer(TimeOfDay).with_ansi(terminal).try_init()
        }
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_text_and_everything_else_json_unless_asked() {
        let choose = |asked, terminal| Format::choose(asked, terminal).expect("a known format");
        assert_eq!(choose(None, true), Format::Text);
        assert_eq!(choose(None, false), Format::Json);
        assert_eq!(choose(Some(""), false), Format::Json);
        assert_eq!(choose(Some("json"), true), Format::Json);
        assert_eq!(choose(Some(" text "), false), Format::Text);
        let refused = Format::choose(Some("xml"), true).expect_err("no such format");
        assert!(refused.to_string().contains("json or text"), "{refused}");
    }
}
