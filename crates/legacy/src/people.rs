//! Imports roles and users. Passwords are not imported: nobody signs in with one that another system stored.

use std::collections::HashSet;

use larder_db::{DbError, Tx};
use larder_domain::access::meaningful;
use larder_domain::{Action, Permissions};
use serde_json::{Map, Value};

use super::file::{Documents, Line, id_of};
use super::{Run, staging};
use larder_lists::catalog::Location;
use larder_lists::imports::records::{Directory, Found};
use larder_platform::AppState;
use larder_platform::http::ApiError;
use larder_platform::http::question::is_id;
use larder_platform::mail;
use larder_platform::mail::{Email, Recipient};
use larder_platform::people::links;
use larder_platform::people::links::LinkKind;
use larder_platform::people::roles;
use larder_platform::people::users;
use larder_platform::people::users::looks_like_address;
use larder_platform::people::users::{ACTIVE, DISABLED};

/// Members that are never imported.
const SECRETS: [&str; 6] =
    ["password", "tempPassword", "temporaryPassword", "passwordResetLink", "passwordHash", "passwordSalt"];
/// Members of a user with a field of their own.
const KNOWN: [&str; 13] = [
    "id",
    "_id",
    "uid",
    "email",
    "name",
    "roleId",
    "status",
    "billable",
    "superAdmin",
    "storeIds",
    "createdAt",
    "updatedAt",
    "updatedBy",
];

/// Imports roles; unknown permissions are dropped with a note.
pub(crate) async fn take_roles(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    while let Some(lines) = run.lines(&mut documents)? {
        for line in lines {
            let Some((number, id, document)) = identified(run, line) else { continue };
            if roles::get(&run.state.db, &id).await?.is_some() {
                run.tally.unchanged += 1;
                continue;
            }
            let (permissions, unknown) = permissions(document.get("permissions").unwrap_or(&Value::Null));
            let text =
                |name: &str| document.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
            let name = text("name");
            let fields = &roles::Fields {
                name: if name.is_empty() { id.clone() } else { name },
                description: text("description"),
                permissions,
                require_totp: document.get("requireTotp") == Some(&Value::Bool(true)),
            };
            let (new, raw) = (id.as_str(), &document);
            let added = run
                .state
                .db
                .write(run.actor, async |tx| {
                    roles::insert(tx, new, fields).await?;
                    staging::keep_one(tx, "appRoles", new, raw).await
                })
                .await;
            match added {
                Ok(()) => run.tally.created += 1,
                Err(DbError::Violation(_)) => {
                    run.broken(number, &id, format!("There is a role «{}» already.", fields.name));
                    continue;
                }
                Err(error) => return Err(error.into()),
            }
            if !unknown.is_empty() {
                run.note(number, &id, format!("Unknown permissions were left out: {}.", unknown.join(", ")));
            }
        }
    }
    Ok(())
}

/// Imports users without accounts, which are created on first sign-in or when a password is set by link.
pub(crate) async fn take_users(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let mut stores = Directory::default();
    stores.load_table(&run.state.db, Location::DEF.table).await?;
    let known: HashSet<String> = roles::list(&run.state.db).await?.into_iter().map(|role| role.id).collect();
    while let Some(lines) = run.lines(&mut documents)? {
        for line in lines {
            let Some((number, id, document)) = identified(run, line) else { continue };
            if users::get(&run.state.db, &id).await?.is_some() {
                run.tally.unchanged += 1;
                continue;
            }
            let fields = match fields(&document, &stores, &known) {
                Ok(fields) => fields,
                Err(words) => {
                    run.broken(number, &id, words);
                    continue;
                }
            };
            match add(run, &id, &fields, &document).await {
                Ok(()) => run.tally.created += 1,
                Err(error) if error.status.is_server_error() => return Err(error.into()),
                Err(error) => run.broken(number, &id, error.detail),
            }
        }
    }
    Ok(())
}

async fn add(
    run: &Run<'_>,
    id: &str,
    fields: &users::Fields,
    document: &Map<String, Value>,
) -> Result<(), ApiError> {
    let (state, links) = (run.state, run.options.send_reset_links && fields.status == ACTIVE);
    let mut raw = document.clone();
    raw.retain(|name, _| !SECRETS.contains(&name.as_str()));
    let raw = &raw;
    state
        .db
        .write(run.actor, async |tx| -> Result<(), ApiError> {
            if users::of_address(tx, &fields.email).await?.is_some() {
                let words = format!("Another user has the address {}.", fields.email);
                return Err(ApiError::conflict("duplicate", words));
            }
            let user = users::insert(tx, id, None, fields).await?;
            staging::keep_one(tx, "appUsers", id, raw).await?;
            if links { send_link(tx, state, &user).await } else { Ok(()) }
        })
        .await
}

async fn send_link(tx: &mut Tx<'_>, state: &AppState, user: &users::UserRow) -> Result<(), ApiError> {
    let uid = users::ensure_account(tx, state, user).await?;
    let made = links::make(tx, state, &uid, LinkKind::Reset, None).await?;
    let email = Email::Reset { link: made.address, valid_until: Some(made.expires_at) };
    let to = Recipient { name: user.name.clone(), email: user.email.clone() };
    mail::queue(tx, state, &to, &email).await?;
    Ok(())
}

/// The document of a line with its number and id; errors are reported.
fn identified(run: &mut Run<'_>, line: Line) -> Option<(u64, String, Map<String, Value>)> {
    let (number, document) = run.document(line)?;
    let id = id_of(&document).or_else(|| document.get("uid").and_then(Value::as_str).map(str::to_owned));
    match id.filter(|id| is_id(id)) {
        Some(id) => Some((number, id, document)),
        None => {
            run.broken(number, "", "The document has no id of letters, digits, hyphens and underscores.");
            None
        }
    }
}

fn fields(
    document: &Map<String, Value>,
    stores: &Directory,
    known_roles: &HashSet<String>,
) -> Result<users::Fields, String> {
    let text = |name: &str| document.get(name).and_then(Value::as_str).unwrap_or_default().trim();
    let email = text("email");
    if !looks_like_address(email) {
        return Err(format!("«{email}» is no email address."));
    }
    let mut fields = users::Fields::new(email, &users::name_or_prefix(text("name"), email));
    fields.role_id = Some(text("roleId").to_owned()).filter(|id| !id.is_empty());
    if let Some(role) = fields.role_id.as_ref().filter(|id| !known_roles.contains(*id)) {
        return Err(format!("There is no role «{role}»."));
    }
    let active = matches!(text("status").to_lowercase().as_str(), "" | "active");
    fields.status = if active { ACTIVE } else { DISABLED }.to_owned();
    fields.billable = document.get("billable") == Some(&Value::Bool(true));
    fields.super_admin = document.get("superAdmin") == Some(&Value::Bool(true));
    fields.store_ids = store_ids(document.get("storeIds"), stores)?;
    let uid = document.get("uid").filter(|uid| uid.is_string()).cloned();
    fields.extra = document
        .iter()
        .filter(|(name, value)| {
            let name = name.as_str();
            !KNOWN.contains(&name)
                && !SECRETS.contains(&name)
                && !name.starts_with(['_', '$'])
                && !value.is_null()
        })
        .map(|(name, value)| (name.clone(), value.clone()))
        .chain(uid.map(|uid| ("formerUid".to_owned(), uid)))
        .collect();
    Ok(fields)
}

/// A user's stores; absent is all. An unknown store must not become «all».
fn store_ids(value: Option<&Value>, stores: &Directory) -> Result<Option<Vec<String>>, String> {
    let named = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(named)) => named,
        Some(_) => return Err("storeIds is no list.".to_owned()),
    };
    let mut ids = Vec::with_capacity(named.len());
    for value in named {
        let text = value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
        match stores.find(Location::DEF.table, &text) {
            Found::One(id) => ids.push(id.to_owned()),
            _ => return Err(format!("There is no store «{text}».")),
        }
    }
    Ok(Some(ids))
}

/// Known permissions, and the paths of unknown ones.
fn permissions(value: &Value) -> (Permissions, Vec<String>) {
    let (mut known, mut unknown) = (Permissions::default(), Vec::new());
    for (category, pages) in value.as_object().into_iter().flatten() {
        for (page, actions) in pages.as_object().into_iter().flatten() {
            let path = format!("{category}/{page}");
            for (name, granted) in actions.as_object().into_iter().flatten() {
                if granted != &Value::Bool(true) {
                    continue;
                }
                match Action::ALL.iter().find(|action| action.as_str() == name) {
                    Some(action) if meaningful(&path).contains(action) => {
                        known.grant(&path, &[Action::View, *action])
                    }
                    _ => unknown.push(format!("{path}/{name}")),
                }
            }
        }
    }
    (known, unknown)
}
