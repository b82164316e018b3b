//! Passwords: argon2id with 19 MiB, two passes, one lane; at most as many at once as cores.

use std::sync::{Arc, LazyLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use super::breached;
use crate::http::ApiError;

/// So many characters at least.
pub const SHORTEST: usize = 8;
/// So many at most.
pub const LONGEST: usize = 256;
/// So many are judged: what follows cannot make a password weaker, and judging takes longer and longer.
const JUDGED: usize = 100;

static TURNS: LazyLock<Arc<Semaphore>> =
    LazyLock::new(|| Arc::new(Semaphore::new(std::thread::available_parallelism().map_or(2, usize::from))));

/// Compared with when there is no such account, so that the answer takes as long.
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

/// Hashes a password for keeping.
///
/// # Errors
/// Only when the machine fails.
pub async fn hash(password: String, salt: [u8; 16]) -> Result<String, ApiError> {
    in_turn(move || hash_now(password.as_bytes(), &salt)).await?.map_err(ApiError::internal)
}

/// Whether a password is the one behind `kept`; as slow when there is nothing to compare with.
///
/// # Errors
/// Only when the machine fails.
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
    let turn = TURNS.clone().acquire_owned().await.map_err(ApiError::internal)?;
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    })
    .await
    .map_err(ApiError::internal)
}

/// Why a new password is refused and what to do, if it is. `inputs` are what others know of its owner: the name, the
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
    let known: Vec<&str> = inputs.iter().flat_map(|i| i.split(|c: char| !c.is_alphanumeric())).collect();
    let known: Vec<&str> = known.into_iter().chain(inputs.iter().copied()).chain(["larder"]).collect();
    let known: Vec<&str> = known.into_iter().filter(|k| k.chars().count() > 2).collect();
    let start: String = password.chars().take(JUDGED).collect();
    let judged = zxcvbn::zxcvbn(&start, &known);
    if judged.score() >= zxcvbn::Score::Three {
        return None;
    }
    let advice = judged.feedback().map(|f| {
        let said = f.warning().map(|w| w.to_string());
        let todo = f.suggestions().first().map(|s| s.to_string());
        [said, todo].into_iter().flatten().collect::<Vec<_>>().join(" ")
    });
    let advice = advice.filter(|a| !a.is_empty());
    let advice = advice.unwrap_or_else(|| "Add another word or two. Uncommon words are better.".into());
    Some(format!("This password is too easy to guess. {advice}"))
}
