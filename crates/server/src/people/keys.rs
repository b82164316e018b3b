//! ID tokens: RS256, keys made on first need and kept in the database, so that all nodes agree.

use std::sync::{Arc, Mutex};

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use larder_domain::Timestamp;
use rsa::pkcs1::{DecodeRsaPrivateKey, EncodeRsaPrivateKey, EncodeRsaPublicKey};
use rsa::traits::PublicKeyParts;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use larder_db::{Actor, Db, DbError};

use super::accounts::Account;
use crate::AppState;
use crate::http::ApiError;
use crate::http::session::system_actor;

/// How long an ID token is good for.
pub const TOKEN_LIFE_S: i64 = 3600;

/// What an ID token says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Claims {
    /// Issuer.
    pub iss: String,
    /// The installation it is meant for.
    pub aud: String,
    /// The account.
    pub sub: String,
    /// The account again, as the interface has it.
    pub user_id: String,
    /// Issued at, seconds.
    pub iat: i64,
    /// Expires at, seconds.
    pub exp: i64,
    /// When the person proved who they are, seconds.
    pub auth_time: i64,
    /// Address.
    pub email: String,
    /// Whether the address was proved.
    pub email_verified: bool,
    /// Name.
    pub name: String,
    /// How they signed in.
    pub firebase: Value,
    /// The session.
    pub sid: String,
}

struct Key {
    kid: String,
    sign: EncodingKey,
    check: DecodingKey,
    public: Value,
}

/// The keys in use, newest first.
#[derive(Clone, Default)]
pub struct Keys {
    loaded: Arc<Mutex<Arc<Vec<Key>>>>,
}

impl Keys {
    /// Signs a statement of who signed in.
    ///
    /// # Errors
    /// When keys cannot be read or made.
    pub async fn sign(
        &self,
        state: &AppState,
        account: &Account,
        sid: &str,
        now: Timestamp,
    ) -> Result<String, ApiError> {
        let keys = self.load(state).await?;
        let key = keys.first().ok_or_else(|| ApiError::internal(anyhow::anyhow!("no signing key")))?;
        let project = &state.config.project_id;
        let claims = Claims {
            iss: format!("https://securetoken.google.com/{project}"),
            aud: project.clone(),
            sub: account.uid.clone(),
            user_id: account.uid.clone(),
            iat: now.seconds(),
            exp: now.seconds() + TOKEN_LIFE_S,
            auth_time: now.seconds(),
            email: account.email.clone(),
            email_verified: account.email_verified,
            name: account.display_name.clone(),
            firebase: json!({ "identities": { "email": [account.email] }, "sign_in_provider": "password" }),
            sid: sid.to_owned(),
        };
        let header = Header { kid: Some(key.kid.clone()), ..Header::new(Algorithm::RS256) };
        jsonwebtoken::encode(&header, &claims, &key.sign).map_err(ApiError::internal)
    }

    /// What a token says, if one of our keys signed it for us and it has not expired.
    ///
    /// # Errors
    /// 401 otherwise.
    pub async fn verify(&self, state: &AppState, token: &str, now: Timestamp) -> Result<Claims, ApiError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| ApiError::unauthenticated())?;
        let keys = self.load(state).await?;
        let key = keys
            .iter()
            .find(|k| header.kid.as_deref() == Some(&k.kid))
            .ok_or_else(ApiError::unauthenticated)?;
        let project = &state.config.project_id;
        let mut rules = Validation::new(Algorithm::RS256);
        rules.set_audience(&[project]);
        rules.set_issuer(&[format!("https://securetoken.google.com/{project}")]);
        rules.validate_exp = false; // against our own clock, below
        let claims = jsonwebtoken::decode::<Claims>(token, &key.check, &rules)
            .map_err(|_| ApiError::unauthenticated())?
            .claims;
        if claims.exp <= now.seconds() { Err(ApiError::unauthenticated()) } else { Ok(claims) }
    }

    /// The public halves.
    ///
    /// # Errors
    /// When keys cannot be read or made.
    pub async fn public(&self, state: &AppState) -> Result<Vec<Value>, ApiError> {
        Ok(self.load(state).await?.iter().map(|k| k.public.clone()).collect())
    }

    async fn load(&self, state: &AppState) -> Result<Arc<Vec<Key>>, ApiError> {
        let known = self.loaded.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        if !known.is_empty() {
            return Ok(known);
        }
        let mut rows = list_keys(&state.db).await?;
        if rows.is_empty() {
            let row = make(state).await?;
            add_first_key(&state.db, &system_actor("keys", state.now()), &row).await?;
            rows = list_keys(&state.db).await?;
        }
        let keys = rows.iter().map(parse).collect::<anyhow::Result<Vec<_>>>().map_err(ApiError::internal)?;
        let keys = Arc::new(keys);
        *self.loaded.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = keys.clone();
        Ok(keys)
    }
}

async fn make(state: &AppState) -> Result<KeyRow, ApiError> {
    let created_at = state.now();
    let kid = state.new_id();
    tokio::task::spawn_blocking(move || {
        let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048)?;
        Ok(KeyRow { kid, private_pem: key.to_pkcs1_pem(rsa::pkcs1::LineEnding::LF)?.to_string(), created_at })
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
        sign: EncodingKey::from_rsa_pem(row.private_pem.as_bytes())?,
        check: DecodingKey::from_rsa_pem(public.to_pkcs1_pem(rsa::pkcs1::LineEnding::LF)?.as_bytes())?,
        public: json!({ "kty": "RSA", "alg": "RS256", "use": "sig", "kid": row.kid, "n": b64(public.n()), "e": b64(public.e()) }),
    })
}

/// A signing key as kept.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct KeyRow {
    /// Names it in tokens.
    pub kid: String,
    /// PKCS#1.
    pub private_pem: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The keys in use, newest first.
pub async fn list_keys(db: &Db) -> Result<Vec<KeyRow>, DbError> {
    db.sql("select kid, private_pem, created_at from signing_keys where retired_at is null order by created_at desc, kid")
        .all()
        .await
}

/// Keeps a key unless another node was faster.
pub async fn add_first_key(db: &Db, actor: &Actor, key: &KeyRow) -> Result<(), DbError> {
    db.write(actor, async |tx| {
        tx.sql(
            "insert into signing_keys (kid, private_pem, created_at)
             select $1, $2, $3 where not exists (select 1 from signing_keys where retired_at is null)",
        )
        .bind(&key.kid)
        .bind(&key.private_pem)
        .bind(key.created_at)
        .execute()
        .await?;
        Ok(())
    })
    .await
}
