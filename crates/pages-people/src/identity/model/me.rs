//! The signed-in user, and managing their own account.

use larder_domain::{Permissions, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The signed-in user and their permissions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    pub user: MeUser,
    /// Category → page → action → granted.
    #[schema(value_type = std::collections::BTreeMap<String, std::collections::BTreeMap<String, std::collections::BTreeMap<String, bool>>>)]
    pub permissions: Permissions,
    /// The apps the mode-select page offers: `backOffice`, `branchOps`, `storeCount`.
    pub apps: Vec<&'static str>,
    pub company: MeCompany,
    /// Whether they have to set their own password first.
    pub must_change_password: bool,
    pub totp: MeTotp,
    /// Sign-in methods: `password`, `google.com`.
    pub providers: Vec<String>,
    /// Kind of this session: `office`, `tablet`, `client`.
    pub session_kind: String,
    /// Notices for super admins: `mailOutbox`.
    pub notices: Vec<&'static str>,
    /// Notices this user dismissed.
    pub put_away: Vec<String>,
    /// The path on this origin to notify of sessions, with a token of `/api/session/token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_sync: Option<String>,
    pub server_time: Timestamp,
}

/// An ID token of the current session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionToken {
    /// The token; expires with the session, or after an hour.
    pub id_token: String,
}

/// The user's second factor.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeTotp {
    /// Whether it is active.
    pub on: bool,
    /// Whether the role requires one.
    pub required: bool,
}

/// The signed-in user.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeUser {
    /// The account's id.
    pub uid: String,
    pub email: String,
    pub name: String,
    /// `Active`.
    pub status: &'static str,
    /// Whether the user has all permissions.
    pub super_admin: bool,
    /// Role, if assigned.
    pub role_id: Option<String>,
    pub role_name: Option<String>,
    /// The accessible stores; null for all.
    pub store_ids: Option<Vec<String>>,
}

/// Company settings for the console.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeCompany {
    /// The company's name.
    pub name: String,
    /// The label in the top bar.
    pub app_label: String,
    /// The domain of company email addresses.
    pub email_domain: String,
}

/// Settings for the sign-in page, before sign-in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInInfo {
    /// Whether «Continue with Google» works.
    pub google: bool,
    /// The domain of company email addresses.
    pub company_domain: String,
    /// The company's name.
    pub company_name: String,
    /// The label in the top bar.
    pub app_label: String,
    /// Whether no account exists yet: the first super admin is created with the link the server printed.
    pub first_start: bool,
    /// Minimum password length, in characters.
    pub password_minimum: usize,
}

/// Proof for reauthentication.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReauthenticateRequest {
    pub password: Option<String>,
    /// For accounts without a password: a code of the second factor.
    pub code: Option<String>,
}

/// A change of the user's own password.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangePasswordRequest {
    pub current_password: String,
    pub new_password: String,
}

/// A password link was sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasswordResetSent {
    /// To this email address.
    pub email: String,
}

/// A session of the user.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MySession {
    pub id: String,
    /// `office`, `tablet`, `client`.
    pub kind: String,
    /// How it was opened: `password`, `google.com`.
    pub provider: String,
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// Expires at the latest.
    pub expires_at: Timestamp,
    /// The browser's user agent.
    pub user_agent: String,
    /// Network address it was opened from.
    pub origin: String,
    /// Whether it is the current session.
    pub current: bool,
}

/// The user's sessions.
#[derive(Debug, Serialize, ToSchema)]
pub struct MySessions {
    /// Last used first.
    pub items: Vec<MySession>,
    pub total: usize,
}

/// Number of sessions ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionsEnded {
    pub ended: u64,
}

/// A secret for an authenticator app; not active until confirmed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotpSecret {
    /// For typing in.
    pub secret: String,
    /// For opening in the app.
    pub uri: String,
    /// QR code of the address.
    pub qr_svg: String,
}

/// A code proving that the app holds the secret.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct TotpConfirmation {
    /// Six digits.
    pub code: String,
}

/// Recovery codes; shown once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodesIssued {
    /// Ten codes, each valid once.
    pub recovery_codes: Vec<String>,
}
