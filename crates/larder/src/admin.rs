//! Creates a super admin without a browser.

use std::io::Read as _;

use larder_app as app;
use larder_db::Actor;
use larder_platform::AppState;
use larder_platform::people::{password, users};

use crate::{Common, config};

/// The actor for changes from the command line.
pub fn actor(state: &AppState) -> Actor {
    Actor {
        uid: "cli".into(),
        name: "Command line".into(),
        email: String::new(),
        from: "cli".into(),
        at: state.now(),
    }
}

/// Creates a super admin; the password is read from standard input.
pub async fn create(common: &Common, email: &str, name: &str) -> anyhow::Result<()> {
    let mut given = String::new();
    std::io::stdin().read_to_string(&mut given)?;
    let given = given.trim_end_matches(['\r', '\n']);
    if let Some(why) = password::weakness(given, &[email, name]) {
        anyhow::bail!("this password is too weak. {why}");
    }
    anyhow::ensure!(email.contains('@'), "«{email}» is no email address");
    let state = app::open(config::load(common)?).await?;
    add(&state, email, name, given).await?;
    println!("{} can sign in as a super admin.", email.trim());
    state.db.close().await;
    Ok(())
}

/// Adds a super admin with a password.
pub async fn add(state: &AppState, email: &str, name: &str, given: &str) -> anyhow::Result<()> {
    let hash = password::hash(given.to_owned(), state.random_bytes()).await?;
    let (uid, id) = (state.new_id(), state.new_id());
    let new = users::NewUser {
        uid: &uid,
        id: &id,
        email,
        name,
        password_hash: &hash,
        role_id: None,
        super_admin: true,
        store_ids: None,
    };
    let new = &new;
    let added = state.db.write(&actor(state), async |tx| users::add_user(tx, new).await).await;
    match added {
        Err(larder_db::DbError::Violation(_)) => anyhow::bail!("{} already has an account", email.trim()),
        other => Ok(other?),
    }
}
