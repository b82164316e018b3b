//! What a sign-in has to pass before its password is looked at: the locks of the account, the limits of the address,
//! and under attack the proof that a device worked for it.

use axum::http::request::Parts;

use super::envelope::IdentityError;
use larder_platform::AppState;
use larder_platform::http::Origin;
use larder_platform::people::accounts::Account;
use larder_platform::people::limits::{Rate, SIGN_IN, SIGN_IN_BEHIND, UnderWay};
use larder_platform::people::{attestation, devices, lockout};

/// A sign-in under way. What it took of the limits is given back when it proves honest.
pub struct Gate<'a> {
    state: &'a AppState,
    taken: Vec<(String, Rate)>,
    /// What failures are counted for.
    pub counted_for: String,
    _under_way: UnderWay<'a>,
}

impl<'a> Gate<'a> {
    /// Lets a sign-in through, or not. An address without an account costs the same.
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

    /// The password was right.
    pub fn honest(&self) {
        for (key, rate) in &self.taken {
            self.state.limits.give_back(key, *rate);
        }
    }

    /// The password was wrong.
    pub fn failed(&self) {
        self.state.limits.failed(self.state.now());
    }
}

/// Which limits a sign-in from an unknown browser counts against: an attested device has one of its own, within a
/// wider one of its address, because keys cost nothing to make.
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
