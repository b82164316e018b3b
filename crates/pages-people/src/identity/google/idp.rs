//! Exchanges an ID token a client obtained from Google for a session.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{Refusal, admit, note_refusal, rules};
use crate::identity::envelope::{IdentityError, IdentityProblem, WireJson};
use crate::identity::model::MfaInfo;
use crate::identity::sign_in::SignIn;
use crate::identity::tokens::token_owner;
use larder_platform::AppState;
use larder_platform::http::Json;
use larder_platform::http::session::system_actor;
use larder_platform::openid::{Identity, OpenId};
use larder_platform::people::accounts::Account;
use larder_platform::people::providers;
use larder_platform::people::providers::{Admission, GOOGLE};
use larder_platform::people::sessions;
use larder_platform::people::sessions::{Device, Opening};
use larder_platform::people::{keys, totp};

/// A credential of another provider.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IdpSignInRequest {
    /// The client's redirect address; not used.
    pub request_uri: Option<String>,
    /// A form: `id_token`, `providerId=google.com`, and `nonce` where the token has one.
    pub post_body: Option<String>,
    /// Whether to return an ID token.
    pub return_secure_token: bool,
    /// An ID token of this server: link with that account instead of signing in.
    pub id_token: Option<String>,
    /// Sent by clients of the interface; not used.
    pub return_idp_credential: bool,
}

/// A successful sign-in with another provider's credential.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdpSignInResponse {
    /// `identitytoolkit#VerifyAssertionResponse`.
    pub kind: &'static str,
    /// The account's id.
    pub local_id: String,
    pub email: String,
    /// Whether the email address is verified.
    pub email_verified: bool,
    pub display_name: String,
    pub photo_url: String,
    /// `google.com`.
    pub provider_id: &'static str,
    /// The user's id at the provider, as a URL.
    pub federated_id: String,
    /// Whether the account was just created.
    pub is_new_user: bool,
    /// The provider's claims as a JSON string.
    pub raw_user_info: String,
    /// The given credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oauth_id_token: Option<String>,
    /// The email address belongs to an account with another credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub need_confirmation: Option<bool>,
    /// A signed ID token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// Refresh token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// Seconds until the ID token expires, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<String>,
    /// A second factor is required; send this with its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mfa_pending_credential: Option<String>,
    /// The enrolled second factors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mfa_info: Vec<MfaInfo>,
}

/// Sign in with Google's ID token, or link it with the signed-in account.
///
/// Also served under `/identitytoolkit.googleapis.com`.
#[utoipa::path(post, path = "/v1/accounts:signInWithIdp", tag = "identity", request_body = IdpSignInRequest,
    responses((status = 200, body = IdpSignInResponse), (status = 400, body = IdentityProblem)))]
pub(crate) async fn sign_in_with_idp(
    State(state): State<AppState>,
    parts: Parts,
    WireJson(body): WireJson<IdpSignInRequest>,
) -> Result<Response, IdentityError> {
    let (state, parts) = (&state, &parts);
    let identity = match vouched_for(state, &body).await {
        Ok(identity) => identity,
        Err(refusal) => {
            note_refusal(state, parts, &refusal).await;
            return Err(in_the_envelope(refusal));
        }
    };
    let mut answer = about(&identity, &body);
    let linking = body.id_token.as_deref();
    let (account, is_new) = match linking {
        Some(own) => (link(state, own, &identity).await?, false),
        None => match admit(state, parts, &identity).await {
            Ok(admitted) => admitted,
            Err(refusal) if refusal.code == "auth/account-exists-with-different-credential" => {
                answer.need_confirmation = Some(true);
                return Ok(Json(answer).into_response());
            }
            Err(refusal) => {
                note_refusal(state, parts, &refusal).await;
                return Err(in_the_envelope(refusal));
            }
        },
    };
    answer.local_id.clone_from(&account.uid);
    answer.is_new_user = is_new;
    if linking.is_none()
        && let Some(since) = totp::confirmed_at(&state.db, &account.uid).await?
    {
        answer.mfa_pending_credential =
            Some(SignIn::vouched_for(state, &account, GOOGLE).pending(state).await?);
        answer.mfa_info = vec![MfaInfo::totp(since)];
        return Ok(Json(answer).into_response());
    }
    let (device, authenticated_at) = (Device::Office, state.now());
    let opening = Opening { uid: &account.uid, provider: GOOGLE, device, authenticated_at };
    let tokens = sessions::open_client(state, parts, &opening).await?;
    answer.id_token = Some(tokens.id_token);
    answer.refresh_token = Some(tokens.refresh_token);
    answer.expires_in = Some(keys::TOKEN_LIFE_S.to_string());
    Ok(Json(answer).into_response())
}

/// The identity in the credential, if Google signed it for this server and it belongs to the company.
async fn vouched_for(state: &AppState, body: &IdpSignInRequest) -> Result<Identity, Refusal> {
    let form = form(body);
    let refused = |why: &str| Refusal::new("auth/invalid-credential", why);
    if !OpenId::is_set_up(state) || form.get("providerId").is_some_and(|id| id != GOOGLE) {
        return Err(refused("this provider is not set up"));
    }
    let token = form.get("id_token").ok_or_else(|| refused("no ID token"))?;
    let identity = state.openid.check_id_token(state, token, form.get("nonce").map(String::as_str)).await?;
    rules::of_the_company(&identity, &state.config)?;
    Ok(identity)
}

fn form(body: &IdpSignInRequest) -> HashMap<String, String> {
    let text = body.post_body.as_deref().unwrap_or_default();
    openidconnect::url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

async fn link(state: &AppState, own: &str, identity: &Identity) -> Result<Account, IdentityError> {
    let account = token_owner(state, own).await?;
    let actor = larder_db::Actor { uid: account.uid.clone(), ..system_actor("google", state.now()) };
    let uid = &account.uid;
    match state.db.write(&actor, async |tx| providers::link_with(tx, uid, identity).await).await? {
        Admission::Account { .. } => Ok(account),
        _ => Err(IdentityError::code("FEDERATED_USER_ID_ALREADY_LINKED")),
    }
}

fn about(identity: &Identity, body: &IdpSignInRequest) -> IdpSignInResponse {
    IdpSignInResponse {
        kind: "identitytoolkit#VerifyAssertionResponse",
        email: identity.email.clone(),
        email_verified: true,
        display_name: identity.name.clone(),
        photo_url: identity.picture.clone(),
        provider_id: GOOGLE,
        federated_id: format!("https://accounts.google.com/{}", identity.subject),
        raw_user_info: json!({
            "sub": identity.subject, "email": identity.email, "email_verified": true, "name": identity.name,
            "picture": identity.picture, "hd": identity.hosted_domain,
        })
        .to_string(),
        oauth_id_token: form(body).remove("id_token"),
        ..IdpSignInResponse::default()
    }
}

/// The refusal in this interface's envelope.
fn in_the_envelope(refusal: Refusal) -> IdentityError {
    match refusal.code {
        "auth/user-disabled" => IdentityError::code("USER_DISABLED"),
        "auth/credential-already-in-use" => IdentityError::code("FEDERATED_USER_ID_ALREADY_LINKED"),
        _ => IdentityError::Code("INVALID_IDP_RESPONSE", refusal.message.unwrap_or_default()),
    }
}
