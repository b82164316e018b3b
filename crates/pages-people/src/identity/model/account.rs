//! Accounts as the interface shows them, and setting a password.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Asks whose a token is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LookupRequest {
    pub id_token: Option<String>,
}

/// Whose it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct LookupResponse {
    /// `identitytoolkit#GetAccountInfoResponse`.
    pub kind: &'static str,
    /// One account.
    pub users: Vec<LookupUser>,
}

/// An account as the interface shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LookupUser {
    pub local_id: String,
    pub email: String,
    /// Whether the address was proved.
    pub email_verified: bool,
    pub display_name: String,
    /// Its picture.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub photo_url: String,
    /// How its owner can sign in.
    pub provider_user_info: Vec<ProviderUserInfo>,
    /// Seconds; sessions opened before are over.
    pub valid_since: String,
    /// Whether sign-in is refused.
    pub disabled: bool,
    /// Milliseconds.
    pub last_login_at: String,
    /// Milliseconds.
    pub created_at: String,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password_updated_at: Option<i64>,
}

/// One way to sign in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderUserInfo {
    /// `password`, `google.com`.
    pub provider_id: String,
    /// The account's name.
    pub display_name: String,
    /// Its address there.
    pub email: String,
    /// Its stable id there.
    pub federated_id: String,
    /// The same.
    pub raw_id: String,
}

/// Asks for a link by mail.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OobCodeRequest {
    /// `PASSWORD_RESET`.
    pub request_type: String,
    /// Whose password was forgotten.
    pub email: Option<String>,
}

/// The link is on its way, if there is such an account.
#[derive(Debug, Serialize, ToSchema)]
pub struct OobCodeResponse {
    /// `identitytoolkit#GetOobConfirmationCodeResponse`.
    pub kind: &'static str,
    /// The address as given.
    pub email: String,
}

/// Follows a link: looks at it, or with a new password uses it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ResetPasswordRequest {
    /// The link's code.
    pub oob_code: Option<String>,
    pub new_password: Option<String>,
}

/// Whose link it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPasswordResponse {
    /// `identitytoolkit#ResetPasswordResponse`.
    pub kind: &'static str,
    /// The account's address.
    pub email: String,
    /// `PASSWORD_RESET`.
    pub request_type: &'static str,
}

/// The installation as clients of the interface ask for it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectConfig {
    /// Its name in tokens.
    pub project_id: String,
    /// Where its pages are served.
    pub authorized_domains: Vec<String>,
}

/// Public keys that check ID tokens (RFC 7517).
#[derive(Debug, Serialize, ToSchema)]
pub struct KeySet {
    /// One key each.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, String>>)]
    pub keys: Vec<serde_json::Value>,
}
