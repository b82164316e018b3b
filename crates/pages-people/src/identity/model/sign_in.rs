//! Signing in and refreshing.

use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_platform::people::sessions::Device;

/// What a sign-in form sends. Every field is optional so that each missing one gets its own code.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SignInRequest {
    /// Address of the account.
    pub email: Option<String>,
    pub password: Option<String>,
    /// Whether tokens are wanted.
    pub return_secure_token: bool,
    /// Where: it decides how long the session lasts.
    pub device: Device,
    /// Sent by clients of the interface; not used.
    pub client_type: Option<String>,
}

/// A successful sign-in, or the first half of one with a second factor.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInResponse {
    /// `identitytoolkit#VerifyPasswordResponse`.
    pub kind: &'static str,
    /// The account's id.
    pub local_id: String,
    pub email: String,
    pub display_name: String,
    /// Always true: the account exists.
    pub registered: bool,
    /// A signed statement of who signed in, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// Good for the next one; not for browsers that got a cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// Seconds until the ID token expires, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<String>,
    /// To be sent back with a code of the second factor; nobody is signed in yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mfa_pending_credential: Option<String>,
    /// The second factors there are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mfa_info: Vec<MfaInfo>,
}

/// A second factor in force.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MfaInfo {
    /// `totp`.
    pub mfa_enrollment_id: &'static str,
    pub display_name: &'static str,
    /// When it was put in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enrolled_at: Option<Timestamp>,
    /// Says that it is an authenticator app.
    #[schema(value_type = Object)]
    pub totp_info: serde_json::Value,
}

impl MfaInfo {
    /// An authenticator app.
    #[must_use]
    pub fn totp(since: Timestamp) -> Self {
        Self {
            mfa_enrollment_id: "totp",
            display_name: "Authenticator app",
            enrolled_at: Some(since),
            totp_info: serde_json::json!({}),
        }
    }
}

/// The second half of a sign-in.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MfaSignInRequest {
    /// What the first half gave.
    pub mfa_pending_credential: Option<String>,
    /// `totp`.
    pub mfa_enrollment_id: Option<String>,
    /// The code.
    pub totp_verification_info: Option<TotpVerificationInfo>,
}

/// A code of the second factor.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TotpVerificationInfo {
    /// Six digits, or a recovery code.
    pub verification_code: String,
}

/// What a client sends to get its next tokens.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct TokenRequest {
    /// `refresh_token`.
    pub grant_type: String,
    /// The last refresh token it was given.
    pub refresh_token: String,
}

/// The next tokens.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenResponse {
    /// The ID token once more.
    pub access_token: String,
    /// Seconds until it expires, as text.
    pub expires_in: String,
    /// `Bearer`.
    pub token_type: &'static str,
    /// Good for the next ones; the one sent is used up.
    pub refresh_token: String,
    /// A signed statement of who is signed in.
    pub id_token: String,
    /// The account's id.
    pub user_id: String,
    /// The installation.
    pub project_id: String,
}
