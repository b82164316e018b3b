//! Who is signed in, and what they can do about their own account.

use larder_domain::{Permissions, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who is signed in, and what they may do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The person.
    pub user: MeUser,
    /// Category → page → action → granted.
    #[schema(value_type = std::collections::BTreeMap<String, std::collections::BTreeMap<String, std::collections::BTreeMap<String, bool>>>)]
    pub permissions: Permissions,
    /// The apps the mode-select page offers: `backOffice`, `branchOps`, `storeCount`.
    pub apps: Vec<&'static str>,
    /// The house.
    pub company: MeCompany,
    /// Whether they have to set a password of their own first.
    pub must_change_password: bool,
    /// The second factor.
    pub totp: MeTotp,
    /// How they can sign in: `password`, `google.com`.
    pub providers: Vec<String>,
    /// The session they are here with: `office`, `tablet`, `client`.
    pub session_kind: String,
    /// What the console tells super admins: `mailOutbox`.
    pub notices: Vec<&'static str>,
    /// Those of them that this person put away.
    pub put_away: Vec<String>,
    /// The path of this address that is told of sessions, with a token of `/api/session/token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_sync: Option<String>,
    /// The server's time.
    pub server_time: Timestamp,
}

/// An ID token of the session that asked for it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionToken {
    /// The token; it ends with the session, or after an hour.
    pub id_token: String,
}

/// The second factor of whoever is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeTotp {
    /// Whether one is in force.
    pub on: bool,
    /// Whether their role asks for one.
    pub required: bool,
}

/// The signed-in person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeUser {
    /// The account's id.
    pub uid: String,
    pub email: String,
    pub name: String,
    /// `Active`.
    pub status: &'static str,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// Role, if one was given.
    pub role_id: Option<String>,
    pub role_name: Option<String>,
    /// The stores within reach; null is all of them.
    pub store_ids: Option<Vec<String>>,
}

/// What the console shows of the house.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeCompany {
    /// The company's name.
    pub name: String,
    /// The label in the top bar.
    pub app_label: String,
    /// The domain of company addresses.
    pub email_domain: String,
}

/// What the sign-in page shows before anybody is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInInfo {
    /// Whether «Continue with Google» works.
    pub google: bool,
    /// The domain of company addresses.
    pub company_domain: String,
    /// The company's name.
    pub company_name: String,
    /// The label in the top bar.
    pub app_label: String,
    /// Whether nobody was added yet: the first super admin is made with the link the server printed.
    pub first_start: bool,
    /// So many characters at least.
    pub password_minimum: usize,
}

/// Proves again who somebody is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReauthenticateRequest {
    pub password: Option<String>,
    /// For those who have none: a code of the second factor.
    pub code: Option<String>,
}

/// A new password of one's own.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangePasswordRequest {
    /// The one so far.
    pub current_password: String,
    /// The new one.
    pub new_password: String,
}

/// A link to set a new password is on its way.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasswordResetSent {
    /// To this address.
    pub email: String,
}

/// One of one's own sessions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MySession {
    pub id: String,
    /// `office`, `tablet`, `client`.
    pub kind: String,
    /// How it was opened: `password`, `google.com`.
    pub provider: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
    /// The browser, as it names itself.
    pub user_agent: String,
    /// Where it was opened from.
    pub origin: String,
    /// Whether it is the one asking.
    pub current: bool,
}

/// One's own sessions.
#[derive(Debug, Serialize, ToSchema)]
pub struct MySessions {
    /// The last used first.
    pub items: Vec<MySession>,
    /// How many there are.
    pub total: usize,
}

/// So many sessions were ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionsEnded {
    /// How many.
    pub ended: u64,
}

/// A secret for an authenticator app; not in force before it was confirmed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotpSecret {
    /// To be typed.
    pub secret: String,
    /// To be opened.
    pub uri: String,
    /// To be photographed: a picture of the address.
    pub qr_svg: String,
}

/// A code that shows that the app holds the secret.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct TotpConfirmation {
    /// Six digits.
    pub code: String,
}

/// For the day the phone is gone; shown once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodesIssued {
    /// Ten, each good once.
    pub recovery_codes: Vec<String>,
}
