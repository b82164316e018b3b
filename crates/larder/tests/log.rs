//! Log output of a server: JSON with every request, or short text without.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

/// Serves an empty folder, requests one page, ends the server, and returns its log.
async fn logged(settings: &[(&str, &str)]) -> String {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_larder"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder.path());
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LARDER_")) {
        command.env_remove(name);
    }
    let mut process = command.envs(settings.iter().copied()).spawn().expect("it starts");
    // Kept open until it ends: it prints more after its address.
    let mut out = BufReader::new(process.stdout.take().expect("its output")).lines().map_while(Result::ok);
    let url = out
        .by_ref()
        .find_map(|line| line.strip_prefix("Larder is at ").map(str::to_owned))
        .expect("it says where it is");
    let asked = reqwest::get(format!("{url}/healthz")).await.expect("it answers");
    assert!(asked.status().is_success());
    end(&mut process);
    let mut said = String::new();
    process.stderr.take().expect("its log").read_to_string(&mut said).expect("the log is text");
    assert!(process.wait().expect("it ends").success(), "{said}");
    said
}

/// Asks it to end, like systemd.
fn end(process: &mut Child) {
    let id = process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill is there").success());
}

#[tokio::test]
async fn without_a_terminal_every_line_is_json_and_requests_are_among_them() {
    let said = logged(&[]).await;
    let lines: Vec<serde_json::Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect();
    assert!(lines.iter().any(|line| line["fields"]["message"] == "answered"), "{said}");
}

#[tokio::test]
async fn a_text_log_has_short_lines_and_no_requests() {
    let said = logged(&[("LARDER_LOG_FORMAT", "text")]).await;
    assert!(said.contains("stopped") && !said.contains('{') && !said.contains("answered"), "{said}");
    let all = logged(&[("LARDER_LOG_FORMAT", "text"), ("LARDER_LOG", "info")]).await;
    assert!(all.contains("answered"), "{all}");
}
