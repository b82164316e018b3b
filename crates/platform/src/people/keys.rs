//! ID tokens: RS256, with keys generated on demand and stored in the database, so that all nodes share them.
//! A key signs for 30 days; its successor then takes over, and the old key validates until its last token has
//! expired.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use larder_db::{Db, DbError};
use larder_domain::Timestamp;
use rsa::pkcs1::{DecodeRsaPrivateKey, EncodeRsaPrivateKey, EncodeRsaPublicKey};
use rsa::traits::PublicKeyParts;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::accounts;
use crate::AppState;
use crate::encryption::place;
use crate::http::ApiError;
use crate::http::session::system_actor;

/// Lifetime of an ID token in seconds.
pub const TOKEN_LIFE_S: i64 = 3600;
/// How long a key signs.
pub const KEY_LIFE_MS: i64 = 30 * 86_400_000;
/// A retired key's last tokens have expired after this; allows for clock skew between nodes.
const CHECKS_AFTER_MS: i64 = (TOKEN_LIFE_S + 600) * 1000;
/// An unknown key, or a request for all keys, causes a database read at most this often.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// Claims of an ID token.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Claims {
    pub iss: String,
    /// Audience: the installation.
    pub aud: String,
    /// Subject: the account.
    pub sub: String,
    /// The account again, as clients expect it.
    pub user_id: String,
    /// Issued at, in seconds.
    pub iat: i64,
    /// Expiry, in seconds.
    pub exp: i64,
    /// Time of authentication, in seconds.
    pub auth_time: i64,
    pub email: String,
    /// Whether the address was verified.
    pub email_verified: bool,
    pub name: String,
    /// Sign-in method.
    pub firebase: Value,
    /// Its session; the token ends with it.
    pub sid: String,
}

/// The content of a token to sign: who signed in, where and how.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    pub uid: &'a str,
    pub session_id: &'a str,
    /// Sign-in method.
    pub provider: &'a str,
    pub authenticated_at: Timestamp,
}

struct Key {
    kid: String,
    created_at: Timestamp,
    retired_at: Option<Timestamp>,
    sign: EncodingKey,
    check: DecodingKey,
    public: Value,
}

impl Key {
    fn signs(&self, now: Timestamp) -> bool {
        self.retired_at.is_none() && now < self.created_at.plus_ms(KEY_LIFE_MS)
    }

    fn checks(&self, now: Timestamp) -> bool {
        self.retired_at.is_none_or(|at| now < at.plus_ms(CHECKS_AFTER_MS))
    }
}

/// The keys in use, newest first.
#[derive(Default)]
pub struct Keys {
    loaded: Mutex<(Arc<Vec<Key>>, Option<Instant>)>,
    making: tokio::sync::Mutex<()>,
}

impl Keys {
    /// Signs an ID token.
    ///
    /// # Errors
    /// If keys or the account cannot be read, or a key cannot be created.
    pub async fn sign(&self, state: &AppState, statement: &Statement<'_>) -> Result<String, ApiError> {
        let now = state.now();
        let account =
            accounts::account(&state.db, statement.uid).await?.ok_or_else(ApiError::unauthenticated)?;
        let mut identities = Map::new();
        for (provider, subject, _) in accounts::identities(&state.db, statement.uid).await? {
            identities.insert(provider, json!([subject]));
        }
        identities.insert("email".into(), json!([account.email]));
        let project = &state.config.project_id;
        let claims = Claims {
            iss: issuer(state),
            aud: project.clone(),
            sub: account.uid.clone(),
            user_id: account.uid,
            iat: now.seconds(),
            exp: now.seconds() + TOKEN_LIFE_S,
            auth_time: statement.authenticated_at.seconds(),
            email: account.email,
            email_verified: account.email_verified,
            name: account.display_name,
            firebase: json!({ "identities": identities, "sign_in_provider": statement.provider }),
            sid: statement.session_id.to_owned(),
        };
        let keys = self.signing(state, now).await?;
        let key = keys.iter().find(|k| k.signs(now));
        let key = key.ok_or_else(|| ApiError::internal(anyhow::anyhow!("no signing key")))?;
        let header = Header { kid: Some(key.kid.clone()), ..Header::new(Algorithm::RS256) };
        jsonwebtoken::encode(&header, &claims, &key.sign).map_err(ApiError::internal)
    }

    /// Claims of a token signed by one of our keys for us. It may have expired; see [`Keys::verify`].
    ///
    /// # Errors
    /// 401 otherwise.
    pub async fn read(&self, state: &AppState, token: &str, now: Timestamp) -> Result<Claims, ApiError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| ApiError::unauthenticated())?;
        let kid = header.kid.ok_or_else(ApiError::unauthenticated)?;
        let keys = self.holding(state, &kid).await?;
        let key =
            keys.iter().find(|k| k.kid == kid && k.checks(now)).ok_or_else(ApiError::unauthenticated)?;
        let mut rules = Validation::new(Algorithm::RS256);
        rules.set_audience(&[&state.config.project_id]);
        rules.set_issuer(&[issuer(state)]);
        rules.validate_exp = false; // against our own clock
        jsonwebtoken::decode::<Claims>(token, &key.check, &rules)
            .map(|data| data.claims)
            .map_err(|_| ApiError::unauthenticated())
    }

    /// Claims of an unexpired token signed by one of our keys for us.
    ///
    /// # Errors
    /// 401 otherwise.
    pub async fn verify(&self, state: &AppState, token: &str, now: Timestamp) -> Result<Claims, ApiError> {
        let claims = self.read(state, token, now).await?;
        if claims.exp <= now.seconds() { Err(ApiError::unauthenticated()) } else { Ok(claims) }
    }

    /// Public keys of all keys whose tokens may still be valid.
    ///
    /// # Errors
    /// If keys cannot be read or created.
    pub async fn public(&self, state: &AppState) -> Result<Vec<Value>, ApiError> {
        let now = state.now();
        let mut keys = self.signing(state, now).await?;
        if self.known().1.is_none_or(|at| at.elapsed() >= LOOK_AGAIN) {
            keys = self.reload(state).await?; // Another node may have made one since.
        }
        Ok(keys.iter().filter(|k| k.checks(now)).map(|k| k.public.clone()).collect())
    }

    fn known(&self) -> (Arc<Vec<Key>>, Option<Instant>) {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn reload(&self, state: &AppState) -> Result<Arc<Vec<Key>>, ApiError> {
        let mut rows = list_keys(&state.db).await?;
        for row in &mut rows {
            let opened =
                state.cipher.decrypt(&place("signing_keys", "private_pem", &row.kid), &row.private_pem);
            row.private_pem = opened.map_err(ApiError::internal)?;
        }
        let keys = rows.iter().map(parse).collect::<anyhow::Result<Vec<_>>>().map_err(ApiError::internal)?;
        let keys = Arc::new(keys);
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = (keys.clone(), Some(Instant::now()));
        Ok(keys)
    }

    /// The keys with a current signing key, created if due.
    async fn signing(&self, state: &AppState, now: Timestamp) -> Result<Arc<Vec<Key>>, ApiError> {
        let signs = |keys: &[Key]| keys.iter().any(|k| k.signs(now));
        let (keys, _) = self.known();
        if signs(&keys) {
            return Ok(keys);
        }
        let _turn = self.making.lock().await;
        let keys = self.reload(state).await?;
        if signs(&keys) {
            return Ok(keys);
        }
        let mut row = make(state).await?;
        row.private_pem =
            state.cipher.encrypt(&place("signing_keys", "private_pem", &row.kid), &row.private_pem);
        add_key(state, &row, now).await?;
        self.reload(state).await
    }

    /// The keys, reloaded if the named one is not among them.
    async fn holding(&self, state: &AppState, kid: &str) -> Result<Arc<Vec<Key>>, ApiError> {
        let (keys, looked) = self.known();
        let lately = looked.is_some_and(|at| at.elapsed() < LOOK_AGAIN);
        if lately || keys.iter().any(|k| k.kid == kid) { Ok(keys) } else { self.reload(state).await }
    }
}

fn issuer(state: &AppState) -> String {
    format!("https://securetoken.google.com/{}", state.config.project_id)
}

async fn make(state: &AppState) -> Result<KeyRow, ApiError> {
    let created_at = state.now();
    let kid = state.new_id();
    tokio::task::spawn_blocking(move || {
        let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048)?;
        let private_pem = key.to_pkcs1_pem(rsa::pkcs1::LineEnding::LF)?.to_string();
        Ok(KeyRow { kid, private_pem, created_at, retired_at: None })
    })
    .await
    .map_err(ApiError::internal)?
    .map_err(|e: anyhow::Error| ApiError::internal(e))
}

fn parse(row: &KeyRow) -> anyhow::Result<Key> {
    use base64::Engine as _;
    let private = rsa::RsaPrivateKey::from_pkcs1_pem(&row.private_pem)?;
    let public = private.to_public_key();
    let b64 = |n: &rsa::BigUint| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(n.to_bytes_be());
    Ok(Key {
        kid: row.kid.clone(),
        created_at: row.created_at,
        retired_at: row.retired_at,
        sign: EncodingKey::from_rsa_pem(row.private_pem.as_bytes())?,
        check: DecodingKey::from_rsa_pem(public.to_pkcs1_pem(rsa::pkcs1::LineEnding::LF)?.as_bytes())?,
        public: json!({ "kty": "RSA", "alg": "RS256", "use": "sig", "kid": row.kid, "n": b64(public.n()), "e": b64(public.e()) }),
    })
}

/// A stored signing key.
#[derive(Clone, sqlx::FromRow)]
struct KeyRow {
    kid: String,
    private_pem: String,
    created_at: Timestamp,
    retired_at: Option<Timestamp>,
}

async fn list_keys(db: &Db) -> Result<Vec<KeyRow>, DbError> {
    db.sql("select kid, private_pem, created_at, retired_at from signing_keys order by created_at desc, kid")
        .all()
        .await
}

/// Stores a key and retires the others, unless another node was faster.
async fn add_key(state: &AppState, key: &KeyRow, now: Timestamp) -> Result<(), DbError> {
    state
        .db
        .write(&system_actor("keys", now), async |tx| {
            let added = tx
                .sql(
                    "insert into signing_keys (kid, private_pem, created_at)
                     select $1, $2, cast($3 as bigint) where not exists
                       (select 1 from signing_keys where retired_at is null and created_at > $4)",
                )
                .bind(&key.kid)
                .bind(&key.private_pem)
                .bind(key.created_at)
                .bind(now.plus_ms(-KEY_LIFE_MS))
                .execute()
                .await?;
            if added == 0 {
                return Ok(());
            }
            tx.sql("update signing_keys set retired_at = $1 where retired_at is null and kid <> $2")
                .bind(now)
                .bind(&key.kid)
                .execute()
                .await?;
            tx.sql("delete from signing_keys where retired_at < $1")
                .bind(now.plus_ms(-2 * CHECKS_AFTER_MS))
                .execute()
                .await
                .map(drop)
        })
        .await
}
