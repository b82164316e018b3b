//! Passwords: argon2id with 19 MiB, two passes, one lane; at most as many at once as cores.

use std::sync::{Arc, LazyLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use larder_db::DbError;

use super::breached;
use crate::http::ApiError;

/// The fewest characters.
pub const SHORTEST: usize = 8;
/// The most characters.
pub const LONGEST: usize = 256;
/// Characters that are rated: more cannot make a password weaker, and rating takes ever longer.
const JUDGED: usize = 100;

/// The most waiting requests; further ones are told that the server is busy.
const WAITING: usize = 500;
static QUEUE: Semaphore = Semaphore::const_new(WAITING);

static TURNS: LazyLock<Arc<Semaphore>> =
    LazyLock::new(|| Arc::new(Semaphore::new(std::thread::available_parallelism().map_or(2, usize::from))));

/// Compared with if there is no such account, so that the response takes as long.
static NOBODY: LazyLock<String> =
    LazyLock::new(|| hash_now(b"nobody has this password", &[7; 16]).unwrap_or_default());

fn hasher() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(19 * 1024, 2, 1, None).unwrap_or_default())
}

fn hash_now(password: &[u8], salt: &[u8]) -> anyhow::Result<String> {
    hasher()
        .hash_password_with_salt(password, salt)
        .map(|h| h.to_string())
        .map_err(|e| anyhow::anyhow!("hashing: {e}"))
}

/// Hashes a password.
///
/// # Errors
/// Only if the machine fails.
pub async fn hash(password: String, salt: [u8; 16]) -> Result<String, ApiError> {
    in_turn(move || hash_now(password.as_bytes(), &salt)).await?.map_err(ApiError::internal)
}

/// Whether a password matches the stored hash; equally slow without one.
///
/// # Errors
/// Only if the machine fails.
pub async fn verify(password: String, kept: Option<String>) -> Result<bool, ApiError> {
    in_turn(move || {
        let known = kept.is_some();
        let text = kept.unwrap_or_else(|| NOBODY.clone());
        let matches = PasswordHash::new(&text)
            .is_ok_and(|parsed| hasher().verify_password(password.as_bytes(), &parsed).is_ok());
        matches && known
    })
    .await
}

async fn in_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    let _waiting = QUEUE.try_acquire().map_err(|_| ApiError::from(DbError::Busy))?;
    let turn = TURNS.clone().acquire_owned().await.map_err(ApiError::internal)?;
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    })
    .await
    .map_err(ApiError::internal)
}

/// Why a new password is refused and what to do. `inputs` are public facts about its owner: the name, the
/// address.
#[must_use]
pub fn weakness(password: &str, inputs: &[&str]) -> Option<String> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Some(format!("Use at least {SHORTEST} characters."));
    }
    if length > LONGEST {
        return Some(format!("Use at most {LONGEST} characters."));
    }
    if breached::contains(password) {
        return Some("This password is on lists that attackers try first. Choose another one.".into());
    }
    let start: String = password.chars().take(JUDGED).collect();
    let judged = zxcvbn::zxcvbn(&start, inputs);
    if judged.score() < zxcvbn::Score::Three {
        return Some(advice(judged.feedback()));
    }
    let start = start.to_lowercase();
    let rest = without_known(&start, inputs);
    if rest != start && zxcvbn::zxcvbn(&rest, &[]).score() < zxcvbn::Score::Three {
        return Some("Names and addresses are guessed first. Use other words, or add some.".into());
    }
    None
}

/// A password without its owner's public facts.
fn without_known(password: &str, inputs: &[&str]) -> String {
    let words = inputs.iter().flat_map(|i| i.split(|c: char| !c.is_alphanumeric())).chain(["larder"]);
    let mut words: Vec<String> = words.map(str::to_lowercase).filter(|w| w.chars().count() > 2).collect();
    words.sort_by_key(|w| std::cmp::Reverse(w.len()));
    words.iter().fold(password.to_owned(), |rest, word| rest.replace(word.as_str(), ""))
}

fn advice(feedback: Option<&zxcvbn::feedback::Feedback>) -> String {
    let said = feedback.and_then(|f| f.warning()).map(|w| w.to_string());
    let todo = feedback.and_then(|f| f.suggestions().first()).map(|s| s.to_string());
    let said: Vec<String> = said.into_iter().chain(todo).collect();
    if said.is_empty() {
        return "This is easy to guess. Add another word or two; uncommon ones are better.".into();
    }
    said.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_facts_and_common_passwords_are_weak() {
        let inputs = ["ana.cruz@example.com", "Ana Cruz"];
        for weak in [
            "short",
            "password1",
            "Trustno1",
            "anacruz2024",
            "AnaCruz!!",
            "larder2026",
            "abcdefgh1",
            "11111111",
        ] {
            assert!(weakness(weak, &inputs).is_some(), "{weak}");
        }
        for strong in ["correct horse battery", "seven purple elephants", "Tr0ub4dor&3x!kq"] {
            assert_eq!(weakness(strong, &inputs), None, "{strong}");
        }
        assert!(weakness(&"long ".repeat(60), &inputs).is_some());
    }

    #[test]
    fn every_refusal_says_what_to_do() {
        for weak in ["short", "password1", "anacruz2024", "abcdefgh123"] {
            let why = weakness(weak, &["Ana Cruz"]).unwrap_or_default();
            assert!(why.ends_with('.') && why.len() > 20, "{weak}: {why}");
            println!("{weak}: {why}");
        }
    }
}
