//! Tokens: refresh, lookup, public keys.

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::StatusCode;
use axum::http::request::Parts;

use super::envelope::{IdentityError, IdentityProblem, WireJson};
use super::model::{
    KeySet, LookupRequest, LookupResponse, LookupUser, ProjectConfig, ProviderUserInfo, TokenRequest,
    TokenResponse,
};
use larder_platform::AppState;
use larder_platform::http::{ApiError, Json, Origin};
use larder_platform::people::accounts;
use larder_platform::people::accounts::Account;
use larder_platform::people::keys::{Statement, TOKEN_LIFE_S};
use larder_platform::people::limits::TOKENS;
use larder_platform::people::person;
use larder_platform::people::refresh;
use larder_platform::people::refresh::Refreshed;

/// Exchange a refresh token for the next tokens; it is used up.
///
/// Several requests with the same token within ten seconds get the same successor; reuse after that ends the
/// session. Also served under `/securetoken.googleapis.com`. «Too many» and «busy» are returned as plain
/// text.
#[utoipa::path(post, path = "/v1/token", tag = "identity",
    request_body(content = TokenRequest, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = TokenResponse), (status = 400, body = IdentityProblem)))]
pub(crate) async fn refresh_tokens(
    State(state): State<AppState>,
    parts: Parts,
    form: Result<Form<TokenRequest>, FormRejection>,
) -> Result<Json<TokenResponse>, IdentityError> {
    let origin = in_limits(&state, &parts)?;
    let Form(body) = form.map_err(|e| IdentityError::Code("INVALID_ARGUMENT", e.body_text()))?;
    if body.grant_type != "refresh_token" {
        return Err(IdentityError::code("INVALID_GRANT_TYPE"));
    }
    if body.refresh_token.is_empty() {
        return Err(IdentityError::code("MISSING_REFRESH_TOKEN"));
    }
    let (refresh_token, session) = match refresh::rotate(&state, &origin, &body.refresh_token).await? {
        Refreshed::Next { token, session } => (token, session),
        Refreshed::Over => return Err(IdentityError::code("TOKEN_EXPIRED")),
        Refreshed::Disabled => return Err(IdentityError::code("USER_DISABLED")),
    };
    let statement = Statement {
        uid: &session.uid,
        session_id: &session.session_id,
        provider: &session.provider,
        authenticated_at: session.authenticated_at,
    };
    let id_token = state.keys.sign(&state, &statement).await?;
    Ok(Json(TokenResponse {
        access_token: id_token.clone(),
        expires_in: TOKEN_LIFE_S.to_string(),
        token_type: "Bearer",
        refresh_token,
        id_token,
        user_id: session.uid,
        project_id: state.config.project_id.clone(),
    }))
}

fn in_limits(state: &AppState, parts: &Parts) -> Result<Origin, IdentityError> {
    let origin = Origin::of(state, parts);
    if state.limits.take(&format!("tokens {}", origin.network()), TOKENS, state.now()) {
        return Ok(origin);
    }
    Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "tooMany", "Too many requests. Try again later.").into())
}

/// Look up the account of an ID token.
///
/// Also served under `/identitytoolkit.googleapis.com`. «Too many» and «busy» are returned as plain text.
#[utoipa::path(post, path = "/v1/accounts:lookup", tag = "identity", request_body = LookupRequest,
    responses((status = 200, body = LookupResponse), (status = 400, body = IdentityProblem)))]
pub(crate) async fn look_up_account(
    State(state): State<AppState>,
    parts: Parts,
    WireJson(body): WireJson<LookupRequest>,
) -> Result<Json<LookupResponse>, IdentityError> {
    in_limits(&state, &parts)?;
    let token = body.id_token.filter(|t| !t.is_empty());
    let token = token.ok_or_else(|| IdentityError::code("MISSING_ID_TOKEN"))?;
    let account = token_owner(&state, &token).await?;
    let providers = providers(&state, &account).await?;
    let kind = "identitytoolkit#GetAccountInfoResponse";
    Ok(Json(LookupResponse { kind, users: vec![user(account, providers)] }))
}

/// The account of a token, if its session is still open.
pub(crate) async fn token_owner(state: &AppState, token: &str) -> Result<Account, IdentityError> {
    let now = state.now();
    let over = || IdentityError::code("TOKEN_EXPIRED");
    let claims = state.keys.read(state, token, now).await.map_err(|error| match error.status {
        StatusCode::UNAUTHORIZED => IdentityError::code("INVALID_ID_TOKEN"),
        _ => error.into(),
    })?;
    let account = accounts::account(&state.db, &claims.sub).await?;
    let account = account.ok_or_else(|| IdentityError::code("USER_NOT_FOUND"))?;
    if account.is_out() {
        return Err(IdentityError::code("USER_DISABLED"));
    }
    let session = person::by_session(&state.db, &claims.sid).await?.ok_or_else(over)?;
    if claims.exp <= now.seconds() || session.uid != account.uid || session.is_over(now) {
        return Err(over());
    }
    Ok(account)
}

async fn providers(state: &AppState, account: &Account) -> Result<Vec<ProviderUserInfo>, IdentityError> {
    let entry = |provider_id: String, id: String, email: String| ProviderUserInfo {
        provider_id,
        display_name: account.display_name.clone(),
        email,
        federated_id: id.clone(),
        raw_id: id,
    };
    let mut all = Vec::new();
    if account.password_hash.is_some() {
        all.push(entry("password".into(), account.email.clone(), account.email.clone()));
    }
    let elsewhere = accounts::identities(&state.db, &account.uid).await?;
    all.extend(elsewhere.into_iter().map(|(provider, subject, email)| entry(provider, subject, email)));
    Ok(all)
}

fn user(account: Account, provider_user_info: Vec<ProviderUserInfo>) -> LookupUser {
    LookupUser {
        local_id: account.uid,
        email: account.email,
        email_verified: account.email_verified,
        display_name: account.display_name,
        photo_url: account.photo_url,
        provider_user_info,
        valid_since: account.valid_since.seconds().to_string(),
        disabled: account.disabled,
        last_login_at: account.last_login_at.unwrap_or(account.created_at).0.to_string(),
        created_at: account.created_at.0.to_string(),
        password_updated_at: account.password_changed_at.map(|at| at.0),
    }
}

/// The installation's configuration, as clients of the interface request it.
///
/// Also served under `/identitytoolkit.googleapis.com`.
#[utoipa::path(get, path = "/v1/projects", tag = "identity", responses((status = 200, body = ProjectConfig)))]
pub(crate) async fn get_project(State(state): State<AppState>) -> Json<ProjectConfig> {
    let public = state.config.public_url.as_deref().and_then(|url| url.parse::<axum::http::Uri>().ok());
    let mut domains = vec!["localhost".to_owned(), state.config.listen.ip().to_string()];
    domains.extend(public.as_ref().and_then(|url| url.host()).map(str::to_owned));
    domains.sort();
    domains.dedup();
    Json(ProjectConfig { project_id: state.config.project_id.clone(), authorized_domains: domains })
}

/// Public keys for verifying ID tokens. A new key is added every 30 days; the old one stays until its tokens
/// expire.
#[utoipa::path(get, path = "/v1/jwks", tag = "identity", responses((status = 200, body = KeySet)))]
pub(crate) async fn list_keys(State(state): State<AppState>) -> Result<Json<KeySet>, ApiError> {
    Ok(Json(KeySet { keys: state.keys.public(&state).await? }))
}
