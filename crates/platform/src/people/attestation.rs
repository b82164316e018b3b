//! Device attestation: a device proves that it holds the same key as last time, and under attack that it did
//! a proof of work. It gives rate limits a better key than an address. It does not prove that the app is
//! unmodified.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use larder_db::{DbError, Tx};
use larder_domain::Timestamp;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::AppState;
use crate::http::session::token_hash;

/// The header of a token.
pub const HEADER: &str = "x-device-attestation";
/// Lifetime of a token in seconds.
pub const TOKEN_LIFE_S: i64 = 3600;
const NONCE_LIFE_S: i64 = 300;

#[derive(Serialize, Deserialize)]
struct Nonce {
    /// Makes it unique.
    n: String,
    /// Expiry in seconds.
    e: i64,
    /// Difficulty of the proof of work, in bits.
    d: u8,
}

/// A nonce to sign: single use, within five minutes.
///
/// # Errors
/// If the secret cannot be read.
pub async fn make_nonce(state: &AppState, difficulty: u8) -> Result<String, DbError> {
    let nonce = Nonce {
        n: BASE64.encode(state.random_bytes::<12>()),
        e: state.now().seconds() + NONCE_LIFE_S,
        d: difficulty,
    };
    state.secrets.sign(state, "nonce", &nonce).await
}

/// A P-256 public key (RFC 7517).
#[derive(Debug, Clone, Deserialize, Serialize, utoipa::ToSchema)]
pub struct DeviceKey {
    /// `EC`.
    pub kty: String,
    /// `P-256`.
    pub crv: String,
    /// The x coordinate, base64url.
    pub x: String,
    pub y: String,
}

impl DeviceKey {
    fn point(&self) -> Option<[u8; 65]> {
        let mut point = [4; 65];
        for (text, at) in [(&self.x, 1), (&self.y, 33)] {
            let bytes = BASE64.decode(text).ok().filter(|bytes| bytes.len() == 32)?;
            point[at..at + 32].copy_from_slice(&bytes);
        }
        Some(point).filter(|_| self.kty == "EC" && self.crv == "P-256")
    }

    fn verifies(&self, message: &[u8], signature: &str) -> bool {
        let key = self.point().and_then(|point| VerifyingKey::from_sec1_bytes(&point).ok());
        let signature = BASE64.decode(signature).ok().and_then(|bytes| Signature::from_slice(&bytes).ok());
        key.zip(signature).is_some_and(|(key, signature)| key.verify(message, &signature).is_ok())
    }

    /// Thumbprint that identifies the device.
    fn id(&self) -> String {
        token_hash(&format!("{}.{}", self.x, self.y))
    }
}

/// What a device sends back.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceProof {
    /// The nonce it signed.
    pub nonce: String,
    /// Key of the signature.
    pub public_key: DeviceKey,
    /// ECDSA, SHA-256, raw r and s, base64url, over the nonce's text.
    pub signature: String,
    /// Proof of work: a text such that SHA-256 of `nonce:proof` begins with the required number of zero bits.
    pub proof: Option<String>,
}

/// An attested device.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Attested {
    #[serde(rename = "d")]
    pub device: String,
    /// Expiry in seconds.
    #[serde(rename = "e")]
    pub expires: i64,
    /// Difficulty of its proof of work, in bits.
    #[serde(rename = "p")]
    pub proven: u8,
}

/// Validates a proof; returns the device if it is valid.
///
/// # Errors
/// If the secret cannot be read.
pub async fn check(state: &AppState, given: &DeviceProof) -> Result<Option<Attested>, DbError> {
    let now = state.now();
    let Some(nonce) = state.secrets.verify::<Nonce>(state, "nonce", &given.nonce).await? else {
        return Ok(None);
    };
    let worked = zero_bits(&given.nonce, given.proof.as_deref().unwrap_or_default()) >= u32::from(nonce.d);
    let holds = nonce.e > now.seconds()
        && worked
        && given.public_key.verifies(given.nonce.as_bytes(), &given.signature)
        && state.limits.once(&nonce.n, Timestamp(nonce.e.saturating_mul(1000)), now);
    Ok(holds.then(|| Attested {
        device: given.public_key.id(),
        expires: now.seconds() + TOKEN_LIFE_S,
        proven: nonce.d,
    }))
}

fn zero_bits(nonce: &str, proof: &str) -> u32 {
    let digest = Sha256::digest(format!("{nonce}:{proof}").as_bytes());
    let zeros = digest.iter().take_while(|byte| **byte == 0).count();
    let rest = digest.get(zeros).map_or(0, |byte| byte.leading_zeros());
    u32::try_from(zeros).unwrap_or(0) * 8 + rest
}

/// Stores an attested device.
///
/// # Errors
/// If the statement fails.
pub async fn keep(tx: &mut Tx<'_>, id: &str, key: &DeviceKey, user_agent: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into attested_devices (id, public_key, user_agent, created_at, last_seen_at) values ($1, $2, $3, $4, $4)
         on conflict (id) do update set last_seen_at = excluded.last_seen_at, user_agent = excluded.user_agent",
    )
    .bind(id)
    .bind(serde_json::to_string(key).unwrap_or_default())
    .bind(user_agent)
    .bind(at)
    .execute()
    .await
    .map(drop)
}

/// A signed token of the attestation.
///
/// # Errors
/// If the secret cannot be read.
pub async fn token(state: &AppState, attested: &Attested) -> Result<String, DbError> {
    state.secrets.sign(state, "attestation", attested).await
}

/// The device of a token, if the token is ours and has not expired.
///
/// # Errors
/// If the secret cannot be read.
pub async fn read(state: &AppState, token: &str) -> Result<Option<Attested>, DbError> {
    let attested = state.secrets.verify::<Attested>(state, "attestation", token).await?;
    Ok(attested.filter(|a| a.expires > state.now().seconds()))
}
