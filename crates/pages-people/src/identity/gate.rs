//! Checks before the password is verified: account locks, rate limits of the address and, while under attack,
//! a proof of work.

use axum::http::request::Parts;

use super::envelope::IdentityError;
use larder_platform::AppState;
use larder_platform::http::Origin;
use larder_platform::people::accounts::Account;
use larder_platform::people::limits::{Rate, SIGN_IN, SIGN_IN_BEHIND, UnderWay};
use larder_platform::people::{attestation, devices, lockout};

/// A sign-in attempt. A successful one returns its share of the rate limits.
pub struct Gate<'a> {
    state: &'a AppState,
    taken: Vec<(String, Rate)>,
    /// The key failures are counted by.
    pub counted_for: String,
    _under_way: UnderWay<'a>,
}

impl<'a> Gate<'a> {
    /// Admits or refuses a sign-in attempt. Takes the same time for an address without an account.
    pub async fn pass(
        state: &'a AppState,
        parts: &Parts,
        email_key: &str,
        account: Option<&Account>,
    ) -> Result<Self, IdentityError> {
        let now = state.now();
        let browser = devices::hash(&parts.headers).unwrap_or_default();
        let uid = account.map_or("", |a| a.uid.as_str());
        let known = lockout::is_known_device(&state.db, uid, &browser).await?;
        let counted_for = lockout::sign_in_key(email_key, known.then_some(browser.as_str()));
        if lockout::is_locked(&state.db, &counted_for, now).await? {
            return Err(IdentityError::too_many());
        }
        let wanted = if known {
            vec![(format!("sign-in {counted_for}"), SIGN_IN)]
        } else {
            wanted(state, parts).await?
        };
        let taken = take(state, wanted)?;
        let under_way = state.limits.begin(&counted_for).ok_or_else(IdentityError::too_many)?;
        Ok(Self { state, taken, counted_for, _under_way: under_way })
    }

    /// Call after a correct password.
    pub fn honest(&self) {
        for (key, rate) in &self.taken {
            self.state.limits.give_back(key, *rate);
        }
    }

    /// Call after a wrong password.
    pub fn failed(&self) {
        self.state.limits.failed(self.state.now());
    }
}

/// The rate limits for a sign-in from an unknown browser: an attested device has its own limit within a wider
/// one for its address, because keys cost nothing to create.
async fn wanted(state: &AppState, parts: &Parts) -> Result<Vec<(String, Rate)>, IdentityError> {
    let token = parts.headers.get(attestation::HEADER).and_then(|v| v.to_str().ok());
    let attested = match token {
        Some(token) => attestation::read(state, token).await?,
        None => None,
    };
    let difficulty = state.limits.difficulty(state.now());
    if difficulty > 0 && attested.as_ref().is_none_or(|a| a.proven < difficulty) {
        return Err(IdentityError::too_many());
    }
    let network = Origin::of(state, parts).network();
    Ok(match attested {
        Some(attested) => vec![
            (format!("sign-in behind {network}"), SIGN_IN_BEHIND),
            (format!("sign-in device {}", attested.device), SIGN_IN),
        ],
        None => vec![(format!("sign-in from {network}"), SIGN_IN)],
    })
}

fn take(state: &AppState, wanted: Vec<(String, Rate)>) -> Result<Vec<(String, Rate)>, IdentityError> {
    if state.limits.take_each(&wanted, state.now()) { Ok(wanted) } else { Err(IdentityError::too_many()) }
}
