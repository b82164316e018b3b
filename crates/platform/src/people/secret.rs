//! The installation's secret, generated on demand and stored in the database, so that all nodes sign and
//! derive alike. Each purpose has its own derived key.

use hmac::{Hmac, KeyInit as _, Mac as _};
use larder_db::Json;
use sha2::Sha256;
use tokio::sync::OnceCell;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use larder_db::DbError;

use crate::AppState;
use crate::encryption::place;
use crate::http::session::system_actor;

/// The installation's secret, cached.
#[derive(Default)]
pub struct Secrets {
    root: OnceCell<[u8; 32]>,
}

impl Secrets {
    /// MAC of `purpose` and `parts`. Parts are length-prefixed.
    ///
    /// # Errors
    /// If the secret cannot be read or created.
    pub async fn mac(&self, state: &AppState, purpose: &str, parts: &[&[u8]]) -> Result<[u8; 32], DbError> {
        let root = self.root.get_or_try_init(|| load(state)).await?;
        Ok(mac(root, purpose, parts))
    }

    /// A signed text: the claims and their signature.
    ///
    /// # Errors
    /// As [`Secrets::mac`].
    pub async fn sign<T: serde::Serialize>(
        &self,
        state: &AppState,
        purpose: &str,
        claims: &T,
    ) -> Result<String, DbError> {
        let body = BASE64.encode(serde_json::to_vec(claims).unwrap_or_default());
        let mac = self.mac(state, purpose, &[body.as_bytes()]).await?;
        Ok(format!("{body}.{}", BASE64.encode(mac)))
    }

    /// Claims of a text signed for this purpose; `None` if the signature is invalid.
    ///
    /// # Errors
    /// As [`Secrets::mac`].
    pub async fn verify<T: serde::de::DeserializeOwned>(
        &self,
        state: &AppState,
        purpose: &str,
        text: &str,
    ) -> Result<Option<T>, DbError> {
        let Some((body, given)) = text.split_once('.') else { return Ok(None) };
        let mac = self.mac(state, purpose, &[body.as_bytes()]).await?;
        let genuine = BASE64.decode(given).is_ok_and(|given| same(&given, &mac));
        let claims = BASE64.decode(body).ok().filter(|_| genuine);
        Ok(claims.and_then(|claims| serde_json::from_slice(&claims).ok()))
    }
}

fn mac(key: &[u8], purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length of key will do");
    for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Constant-time comparison.
#[must_use]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

const NAME: &str = "secret";

async fn load(state: &AppState) -> Result<[u8; 32], DbError> {
    if let Some(root) = read(state).await? {
        return Ok(root);
    }
    let made =
        state.cipher.encrypt(&place("settings", "value", NAME), &BASE64.encode(state.random_bytes::<32>()));
    let actor = system_actor("keys", state.now());
    let made = &made;
    state
        .db
        .write(&actor, async |tx| {
            tx.sql("insert into settings (name, value, updated_at) values ($1, $2, $3) on conflict (name) do nothing")
                .bind(NAME)
                .bind(Json(made))
                .bind(actor.at)
                .execute()
                .await
        })
        .await?;
    read(state).await?.ok_or_else(|| DbError::Invalid("the installation's secret is not readable".into()))
}

async fn read(state: &AppState) -> Result<Option<[u8; 32]>, DbError> {
    let kept: Option<(Json<String>,)> =
        state.db.sql("select value from settings where name = $1").bind(NAME).optional().await?;
    let Some((Json(text),)) = kept else { return Ok(None) };
    let open = state.cipher.decrypt(&place("settings", "value", NAME), &text)?;
    Ok(BASE64.decode(open).ok().and_then(|bytes| bytes.try_into().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macs_differ_by_purpose_and_parts() {
        assert_ne!(mac(b"k", "a", &[b"bc"]), mac(b"k", "ab", &[b"c"]));
        assert_ne!(mac(b"k", "a", &[b"b", b"c"]), mac(b"k", "a", &[b"bc"]));
        assert_eq!(mac(b"k", "a", &[b"b"]), mac(b"k", "a", &[b"b"]));
    }

    #[test]
    fn comparison_is_exact() {
        assert!(same(b"abc", b"abc"));
        assert!(!same(b"abc", b"abd") && !same(b"abc", b"ab"));
    }
}
