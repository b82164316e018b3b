//! Wire shapes of sign-in.

use larder_domain::{Permissions, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a sign-in form sends. Every field is optional so that each missing one gets its own code.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SignInRequest {
    /// Address of the account.
    pub email: Option<String>,
    /// Its password.
    pub password: Option<String>,
    /// Whether an ID token is wanted besides the session cookie.
    pub return_secure_token: bool,
    /// Sent by clients of the interface; not used.
    pub client_type: Option<String>,
}

/// A successful sign-in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInResponse {
    /// `identitytoolkit#VerifyPasswordResponse`.
    pub kind: &'static str,
    /// The account's id.
    pub local_id: String,
    /// Its address.
    pub email: String,
    /// Its name.
    pub display_name: String,
    /// Always true: the account exists.
    pub registered: bool,
    /// A signed statement of who signed in, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// Seconds until the ID token expires, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<String>,
}

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
    /// The server's time.
    pub server_time: Timestamp,
}

/// The signed-in person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeUser {
    /// The account's id.
    pub uid: String,
    /// Address.
    pub email: String,
    /// Name.
    pub name: String,
    /// `Active`.
    pub status: &'static str,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// Role, if one was given.
    pub role_id: Option<String>,
    /// Its name.
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

/// Public keys that check ID tokens (RFC 7517).
#[derive(Debug, Serialize, ToSchema)]
pub struct KeySet {
    /// One key each.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, String>>)]
    pub keys: Vec<serde_json::Value>,
}
