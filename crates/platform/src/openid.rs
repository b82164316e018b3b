//! The company's identity provider (Google, or another OpenID provider in its place): discovery,
//! authorization code flow with PKCE, state and nonce, and validation of ID tokens.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::future::BoxFuture;
use larder_domain::Timestamp;
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreResponseType,
    CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AdditionalClaims, AsyncHttpClient, AuthenticationFlow, AuthorizationCode, Client, ClientId, ClientSecret,
    CsrfToken, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest,
    HttpResponse, IdToken, IdTokenFields, IssuerUrl, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl,
    Scope, StandardErrorResponse, StandardTokenResponse, TokenResponse as _,
};
use serde::{Deserialize, Serialize};

use crate::AppState;

/// Google's extra claim: the Workspace domain of the account.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct HostedDomain {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hd: Option<String>,
}

impl AdditionalClaims for HostedDomain {}

type Fields = IdTokenFields<
    HostedDomain,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;
type Token =
    IdToken<HostedDomain, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;
type Provider = Client<
    HostedDomain,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    StandardTokenResponse<Fields, CoreTokenType>,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// What the provider says about a user.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The user's id there; stable when the address changes.
    pub subject: String,
    pub email: String,
    /// Whether the provider has verified the address.
    pub email_verified: bool,
    pub name: String,
    pub picture: String,
    /// The Workspace domain of the account.
    pub hosted_domain: Option<String>,
    /// When the user last authenticated with the provider, if known.
    pub auth_time: Option<Timestamp>,
}

/// A sign-in about to be redirected to the provider.
#[derive(Debug)]
pub struct Departure {
    /// Redirect target.
    pub url: String,
    /// Returned by the browser.
    pub state: String,
    /// Returned inside the ID token.
    pub nonce: String,
    /// PKCE verifier, sent with the code exchange.
    pub verifier: String,
}

/// Why the provider's response is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum OpenIdError {
    /// Not set up, unreachable, or an invalid response.
    #[error("the identity provider cannot be used: {0:#}")]
    Unavailable(anyhow::Error),
    /// A code, token or nonce that does not match.
    #[error("the identity provider's answer was refused: {0:#}")]
    Refused(anyhow::Error),
}

/// The provider as last discovered.
#[derive(Default)]
pub struct OpenId {
    known: Mutex<Option<(Timestamp, Arc<CoreProviderMetadata>)>>,
    http: OnceLock<reqwest::Client>,
}

/// Endpoints and keys are fetched again after this time.
const DISCOVERY_LIVES_MS: i64 = 3_600_000;
/// After a key mismatch, keys are fetched again at most this often.
const DISCOVERY_AGAIN_MS: i64 = 60_000;

impl OpenId {
    /// Whether sign-in with the provider is set up.
    #[must_use]
    pub fn is_set_up(state: &AppState) -> bool {
        state.config.google_client_id.is_some()
    }

    /// Starts a sign-in that ends at `redirect`. `again` requires the user to authenticate anew.
    ///
    /// # Errors
    /// If the provider is not set up or unreachable.
    pub async fn depart(
        &self,
        state: &AppState,
        redirect: &str,
        again: bool,
    ) -> Result<Departure, OpenIdError> {
        let random = || URL_SAFE_NO_PAD.encode(state.random_bytes::<32>());
        let (csrf, nonce) = (CsrfToken::new(random()), Nonce::new(random()));
        let verifier = random();
        let metadata = self.metadata(state, DISCOVERY_LIVES_MS).await?;
        let client = provider(state, &metadata, redirect)?;
        let pkce = PkceCodeVerifier::new(verifier.clone());
        let mut request = client
            .authorize_url(
                AuthenticationFlow::<CoreResponseType>::AuthorizationCode,
                move || csrf,
                move || nonce,
            )
            .add_scope(Scope::new("email".into()))
            .add_scope(Scope::new("profile".into()))
            .add_prompt(CoreAuthPrompt::SelectAccount)
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&pkce));
        // Makes Google offer accounts of the company's Workspace only.
        if !state.config.google_without_workspace {
            request = request.add_extra_param("hd", &state.config.company_domain);
        }
        if again {
            request = request.set_max_age(Duration::ZERO);
        }
        let (url, csrf, nonce) = request.url();
        Ok(Departure {
            url: url.into(),
            state: csrf.secret().clone(),
            nonce: nonce.secret().clone(),
            verifier,
        })
    }

    /// Exchanges the returned code.
    ///
    /// # Errors
    /// [`OpenIdError::Refused`] if code, verifier, nonce or token do not match.
    pub async fn arrive(
        &self,
        state: &AppState,
        redirect: &str,
        code: &str,
        nonce: &str,
        verifier: &str,
    ) -> Result<Identity, OpenIdError> {
        let metadata = self.metadata(state, DISCOVERY_LIVES_MS).await?;
        let client = provider(state, &metadata, redirect)?;
        let http = self.http().map_err(|e| OpenIdError::Unavailable(e.into()))?;
        let answer = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|e| OpenIdError::Unavailable(e.into()))?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()))
            .request_async(&http)
            .await
            .map_err(|e| match e {
                openidconnect::RequestTokenError::ServerResponse(_) => OpenIdError::Refused(anyhow!("{e}")),
                other => OpenIdError::Unavailable(anyhow!("{other}")),
            })?;
        let token = answer.id_token().ok_or_else(|| OpenIdError::Refused(anyhow!("no ID token")))?;
        self.check(state, token, Some(nonce)).await
    }

    /// Validates an ID token that a client got from the provider itself.
    ///
    /// # Errors
    /// [`OpenIdError::Refused`] if the provider did not issue it for us, or it has expired.
    pub async fn check_id_token(
        &self,
        state: &AppState,
        token: &str,
        nonce: Option<&str>,
    ) -> Result<Identity, OpenIdError> {
        let token: Token = token
            .parse()
            .map_err(|e: serde_json::Error| OpenIdError::Refused(anyhow!("not a token: {e}")))?;
        self.check(state, &token, nonce).await
    }

    async fn check(
        &self,
        state: &AppState,
        token: &Token,
        nonce: Option<&str>,
    ) -> Result<Identity, OpenIdError> {
        let first = self.metadata(state, DISCOVERY_LIVES_MS).await?;
        match verified(state, &first, token, nonce) {
            Err(why) if is_about_keys(&why) => {
                // The provider may have rotated its keys.
                let fresh = self.metadata(state, DISCOVERY_AGAIN_MS).await?;
                verified(state, &fresh, token, nonce).map_err(|e| OpenIdError::Refused(e.into()))
            }
            other => other.map_err(|e| OpenIdError::Refused(e.into())),
        }
    }

    async fn metadata(
        &self,
        state: &AppState,
        at_most_ms: i64,
    ) -> Result<Arc<CoreProviderMetadata>, OpenIdError> {
        let now = state.now();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, metadata)) = known.filter(|(at, _)| now.0 - at.0 < at_most_ms) {
            return Ok(metadata);
        }
        let issuer = IssuerUrl::new(state.config.google_issuer.clone())
            .map_err(|e| OpenIdError::Unavailable(anyhow!("google-issuer is no address: {e}")))?;
        let http = self.http().map_err(|e| OpenIdError::Unavailable(e.into()))?;
        let metadata = CoreProviderMetadata::discover_async(issuer, &http)
            .await
            .map_err(|e| OpenIdError::Unavailable(anyhow!("{e}")))?;
        let metadata = Arc::new(metadata);
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, metadata.clone()));
        Ok(metadata)
    }

    fn http(&self) -> Result<Http, CallError> {
        if let Some(client) = self.http.get() {
            return Ok(Http(client.clone()));
        }
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            // A redirect could lead into the internal network.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(10))
            .build()
            .map_err(|e| CallError(e.into()))?;
        Ok(Http(self.http.get_or_init(|| client).clone()))
    }
}

/// HTTP client for the OpenID library.
struct Http(reqwest::Client);

impl AsyncHttpClient<'_> for Http {
    type Error = CallError;
    type Future = BoxFuture<'static, Result<HttpResponse, CallError>>;

    fn call(&self, request: HttpRequest) -> Self::Future {
        Box::pin(call(self.0.clone(), request))
    }
}

async fn call(client: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, CallError> {
    let (parts, body) = request.into_parts();
    let answer = client
        .request(parts.method, parts.uri.to_string())
        .headers(parts.headers)
        .body(body)
        .send()
        .await
        .map_err(|e| CallError(e.into()))?;
    let mut response = HttpResponse::new(Vec::new());
    *response.status_mut() = answer.status();
    *response.headers_mut() = answer.headers().clone();
    *response.body_mut() = limited(answer).await?;
    Ok(response)
}

/// The largest response accepted, in bytes.
const ANSWER_LIMIT: usize = 1 << 20;

async fn limited(mut answer: reqwest::Response) -> Result<Vec<u8>, CallError> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|e| CallError(e.into()))? {
        if body.len() + chunk.len() > ANSWER_LIMIT {
            return Err(CallError(anyhow!("the answer is too long")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// A failed call to the provider.
#[derive(Debug, thiserror::Error)]
#[error("{0:#}")]
struct CallError(anyhow::Error);

fn provider(
    state: &AppState,
    metadata: &CoreProviderMetadata,
    redirect: &str,
) -> Result<Provider, OpenIdError> {
    let redirect = RedirectUrl::new(redirect.to_owned())
        .with_context(|| format!("{redirect} is no address"))
        .map_err(OpenIdError::Unavailable)?;
    Ok(base(state, metadata).map_err(OpenIdError::Unavailable)?.set_redirect_uri(redirect))
}

fn base(state: &AppState, metadata: &CoreProviderMetadata) -> anyhow::Result<Provider> {
    let id = state.config.google_client_id.clone().context("google-client-id is not set")?;
    let secret = state.config.google_client_secret.as_ref().map(|s| ClientSecret::new(s.0.clone()));
    Ok(Provider::from_provider_metadata(metadata.clone(), ClientId::new(id), secret))
}

/// `now` as the library's time type, which it does not export.
fn moment<T: Default + std::ops::Add<Duration, Output = T>>(now: Timestamp) -> T {
    T::default() + Duration::from_millis(now.0.unsigned_abs())
}

fn verified(
    state: &AppState,
    metadata: &CoreProviderMetadata,
    token: &Token,
    nonce: Option<&str>,
) -> Result<Identity, openidconnect::ClaimsVerificationError> {
    use openidconnect::ClaimsVerificationError::Other;
    let client = base(state, metadata).map_err(|e| Other(e.to_string()))?;
    let now = state.now();
    let verifier = client.id_token_verifier().set_time_fn(move || moment(now));
    let claims = match nonce {
        Some(nonce) => token.claims(&verifier, &Nonce::new(nonce.to_owned()))?,
        None => token.claims(&verifier, |_: Option<&Nonce>| Ok(()))?,
    };
    let first = |name: Option<String>| name.unwrap_or_default();
    Ok(Identity {
        subject: claims.subject().to_string(),
        email: first(claims.email().map(|e| e.to_string())),
        email_verified: claims.email_verified().unwrap_or(false),
        name: first(claims.name().and_then(|n| n.get(None)).map(|n| n.to_string())),
        picture: first(claims.picture().and_then(|p| p.get(None)).map(|p| p.to_string())),
        hosted_domain: claims.additional_claims().hd.clone(),
        auth_time: claims.auth_time().map(|t| Timestamp(t.timestamp_millis())),
    })
}

fn is_about_keys(why: &openidconnect::ClaimsVerificationError) -> bool {
    matches!(why, openidconnect::ClaimsVerificationError::SignatureVerification(_))
}
