//! Accounts as the interface represents them, and setting a password.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A lookup by ID token.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LookupRequest {
    pub id_token: Option<String>,
}

/// The account.
#[derive(Debug, Serialize, ToSchema)]
pub struct LookupResponse {
    /// `identitytoolkit#GetAccountInfoResponse`.
    pub kind: &'static str,
    /// One account.
    pub users: Vec<LookupUser>,
}

/// An account as the interface represents it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LookupUser {
    pub local_id: String,
    pub email: String,
    /// Whether the email address is verified.
    pub email_verified: bool,
    pub display_name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub photo_url: String,
    /// Sign-in methods.
    pub provider_user_info: Vec<ProviderUserInfo>,
    /// In seconds; sessions opened before this are invalid.
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

/// A sign-in method.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderUserInfo {
    /// `password`, `google.com`.
    pub provider_id: String,
    pub display_name: String,
    /// The email address there.
    pub email: String,
    /// The stable id there.
    pub federated_id: String,
    /// The same as `federatedId`.
    pub raw_id: String,
}

/// A request for a link by email.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OobCodeRequest {
    /// `PASSWORD_RESET`.
    pub request_type: String,
    /// The account's email address.
    pub email: Option<String>,
}

/// The response to a link request; the link is sent if the account exists.
#[derive(Debug, Serialize, ToSchema)]
pub struct OobCodeResponse {
    /// `identitytoolkit#GetOobConfirmationCodeResponse`.
    pub kind: &'static str,
    /// The email address as given.
    pub email: String,
}

/// Checks a link's code or, with a new password, uses it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ResetPasswordRequest {
    pub oob_code: Option<String>,
    pub new_password: Option<String>,
}

/// The account of the link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPasswordResponse {
    /// `identitytoolkit#ResetPasswordResponse`.
    pub kind: &'static str,
    /// The account's email address.
    pub email: String,
    /// `PASSWORD_RESET`.
    pub request_type: &'static str,
}

/// The installation's configuration, as clients of the interface request it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectConfig {
    /// Project id in tokens.
    pub project_id: String,
    /// Domains its pages are served from.
    pub authorized_domains: Vec<String>,
}

/// Public keys that check ID tokens (RFC 7517).
#[derive(Debug, Serialize, ToSchema)]
pub struct KeySet {
    /// One per key.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, String>>)]
    pub keys: Vec<serde_json::Value>,
}
