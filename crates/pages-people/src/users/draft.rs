//! Request bodies for users, validated field by field: all errors are reported at once, and fields only the
//! server sets are refused.

use serde_json::{Map, Value};

use super::model::FirstPassword;
use larder_platform::http::custom_fields;
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, revision};
use larder_platform::people::users::{ACTIVE, DISABLED, Fields, looks_like_address};

/// Fields only the server sets, besides those of every record.
const PROTECTED: &[&str] = &[
    "uid",
    "password",
    "passwordHash",
    "tempPassword",
    "tempPasswordAt",
    "passwordResetLink",
    "mustChangePassword",
    "hasTempPassword",
    "permissions",
    "roleName",
    "totp",
    "totpSecret",
    "providers",
    "lastSignInAt",
    "disabled",
    "emailVerified",
    "validSince",
];

/// Maximum number of stores in a list.
const MAX_STORES: usize = 2_000;

/// Reads a new user and how they get a password.
pub fn read_new(mut body: Map<String, Value>) -> ApiResult<(Fields, FirstPassword)> {
    let password = body.remove("password");
    let mut findings = Vec::new();
    let password = match password.as_ref().and_then(Value::as_str) {
        Some("temporary") => FirstPassword::Temporary,
        Some("invite") => FirstPassword::Invite,
        _ => {
            findings.push(FieldError::new("password", "Choose a temporary password or an invitation."));
            FirstPassword::Invite
        }
    };
    for (field, message) in [("email", "Enter the email address."), ("name", "Enter the name.")] {
        let given = body.get(field).is_some_and(|value| !value.is_null());
        if !given {
            findings.push(FieldError::new(field, message));
        }
    }
    let fields = merge(Fields::new("", ""), body, findings)?;
    Ok((fields, password))
}

/// Splits off the revision a change is based on. Without one, single values are merged into the latest
/// revision.
pub fn read_patch(mut body: Map<String, Value>) -> ApiResult<(Option<i64>, Map<String, Value>)> {
    refuse_protected(&body, "revision")?;
    let revision = read_revision(&mut body, &["storeIds"])?;
    Ok((revision, body))
}

/// Takes the revision out of a change; required if it contains `lists` or other composite values.
pub fn read_revision(body: &mut Map<String, Value>, lists: &[&str]) -> ApiResult<Option<i64>> {
    match body.remove("revision").filter(|value| !value.is_null()) {
        Some(given) => given.as_i64().map(Some).ok_or_else(|| ApiError::field("revision", revision::MISSING)),
        None => {
            let of_parts = |name: &str, value: &Value| lists.contains(&name) || revision::has_parts(value);
            let named = body.iter().filter(|(name, value)| of_parts(name, value));
            let named: Vec<_> = named.map(|(name, _)| (name.as_str(), name.as_str())).collect();
            revision::refuse_parts(&named).map_err(ApiError::invalid)?;
            Ok(None)
        }
    }
}

/// The fields after a change.
pub fn change(before: Fields, body: Map<String, Value>) -> ApiResult<Fields> {
    merge(before, body, Vec::new())
}

fn merge(
    mut fields: Fields,
    mut body: Map<String, Value>,
    mut findings: Vec<FieldError>,
) -> ApiResult<Fields> {
    refuse_protected(&body, "")?;
    let mut read = |name: &str, set: &mut dyn FnMut(&Value) -> Result<(), String>| {
        if let Some(value) = body.remove(name)
            && let Err(message) = set(&value)
        {
            findings.push(FieldError::new(name, message));
        }
    };
    read("email", &mut |value| address(value).map(|email| fields.email = email));
    read("name", &mut |value| text(value, "Enter the name.", 200).map(|name| fields.name = name));
    read("roleId", &mut |value| role(value).map(|role| fields.role_id = role));
    read("storeIds", &mut |value| stores(value).map(|stores| fields.store_ids = stores));
    read("status", &mut |value| status(value).map(|status| fields.status = status));
    read("billable", &mut |value| yes_or_no(value).map(|yes| fields.billable = yes));
    read("superAdmin", &mut |value| yes_or_no(value).map(|yes| fields.super_admin = yes));
    for name in body.iter().filter(|(_, value)| value.is_null()).map(|(name, _)| name) {
        fields.extra.remove(name);
    }
    let mut extra: Map<String, Value> = std::mem::take(&mut fields.extra).into_iter().collect();
    extra.extend(body);
    fields.extra = custom_fields::read(extra, PROTECTED, false, &mut findings).into_iter().collect();
    if findings.is_empty() { Ok(fields) } else { Err(ApiError::invalid(findings)) }
}

/// Refuses fields only the server sets: sending them is an attempt to escalate privileges.
fn refuse_protected(body: &Map<String, Value>, but: &str) -> ApiResult<()> {
    let protected = |name: &&String| {
        name.as_str() != but && (PROTECTED.contains(&name.as_str()) || custom_fields::is_reserved(name))
    };
    let names: Vec<&String> = body.keys().filter(protected).collect();
    if names.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = names.iter().map(|name| format!("«{name}»")).collect();
    let words = format!("{} cannot be set; leave it out.", shown.join(", "));
    let mut refusal = ApiError::unprocessable("protectedField", words);
    refusal.fields =
        names.into_iter().map(|name| FieldError::new(name.as_str(), "The server sets this.")).collect();
    Err(refusal)
}

fn text(value: &Value, empty: &str, most: usize) -> Result<String, String> {
    let text = value.as_str().unwrap_or_default().trim();
    match text.chars().count() {
        0 => Err(empty.to_owned()),
        n if n > most => Err(format!("Use at most {most} characters; these are {n}.")),
        _ if has_unseen(text) => Err("Remove the characters that cannot be seen.".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

fn address(value: &Value) -> Result<String, String> {
    let email = text(value, "Enter the email address.", 254)?;
    if looks_like_address(&email) { Ok(email) } else { Err("Enter a valid email address.".to_owned()) }
}

fn role(value: &Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(id) if id.is_empty() => Ok(None),
        Value::String(id) if id.len() <= 100 && !has_unseen(id) => Ok(Some(id.clone())),
        _ => Err("Choose a role from the list.".to_owned()),
    }
}

/// Null for all stores; a list without duplicates otherwise.
pub fn stores(value: &Value) -> Result<Option<Vec<String>>, String> {
    let wrong = || "Choose stores from the list.".to_owned();
    match value {
        Value::Null => Ok(None),
        Value::Array(ids) if ids.len() <= MAX_STORES => {
            let ids = ids.iter().map(|id| id.as_str().filter(|id| id.len() <= 100 && !has_unseen(id)));
            let ids: Option<std::collections::BTreeSet<String>> =
                ids.map(|id| id.map(str::to_owned)).collect();
            ids.map(|ids| Some(ids.into_iter().collect())).ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

/// `Active` or `Disabled`.
fn status(value: &Value) -> Result<String, String> {
    match value.as_str() {
        Some(status) if [ACTIVE, DISABLED].contains(&status) => Ok(status.to_owned()),
        _ => Err("Choose Active or Disabled.".to_owned()),
    }
}

fn yes_or_no(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| "Say true or false.".to_owned())
}
