//! Sign-in and token refresh.

use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_platform::people::sessions::Device;

/// A sign-in form. All fields are optional so that each missing one gets its own error code.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SignInRequest {
    pub email: Option<String>,
    pub password: Option<String>,
    /// Whether to return tokens.
    pub return_secure_token: bool,
    /// Kind of device; sets how long the session lasts.
    pub device: Device,
    /// Sent by clients of the interface; not used.
    pub client_type: Option<String>,
}

/// A successful sign-in, or its first step if a second factor is enrolled.
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
    /// A signed ID token, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// Refresh token; not for browsers with a session cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// Seconds until the ID token expires, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<String>,
    /// To be sent back with a code of the second factor; no session is open yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mfa_pending_credential: Option<String>,
    /// The enrolled second factors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mfa_info: Vec<MfaInfo>,
}

/// An active second factor.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MfaInfo {
    /// `totp`.
    pub mfa_enrollment_id: &'static str,
    pub display_name: &'static str,
    /// When it was activated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enrolled_at: Option<Timestamp>,
    /// Marks an authenticator app.
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

/// Second step of a sign-in.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MfaSignInRequest {
    /// The credential from the first step.
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

/// A token refresh.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct TokenRequest {
    /// `refresh_token`.
    pub grant_type: String,
    /// The latest refresh token.
    pub refresh_token: String,
}

/// The new tokens.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenResponse {
    /// The ID token, repeated.
    pub access_token: String,
    /// Seconds until it expires, as text.
    pub expires_in: String,
    /// `Bearer`.
    pub token_type: &'static str,
    /// The next refresh token; the one sent is used up.
    pub refresh_token: String,
    /// A signed ID token.
    pub id_token: String,
    /// The account's id.
    pub user_id: String,
    /// The installation's project id.
    pub project_id: String,
}
