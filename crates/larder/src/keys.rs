//! The key that encrypts the database's secrets: create, change, and discard when lost.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use larder_app as app;
use larder_platform::encryption;
use larder_platform::encryption::{Cipher, Source};
use larder_platform::{Clock as _, SystemClock};

use crate::{Common, config};

/// Prints a new key.
pub fn new() {
    println!("{}", encryption::new_key());
}

/// Re-encrypts everything with another key.
pub async fn reencrypt(common: &Common, new_key_file: Option<&Path>) -> anyhow::Result<()> {
    let config = config::load(common)?;
    let old_file = match Source::of(&config) {
        Source::File(path) => Some(path),
        Source::Setting(_) => None,
    };
    let new_file: PathBuf = match (new_key_file, &old_file) {
        (Some(path), _) => path.to_owned(),
        // Beside the old one, so that both exist if the machine stops halfway.
        (None, Some(old)) => beside(old, "new"),
        (None, None) => anyhow::bail!(
            "the key is set as LARDER_KEY. Make another one with `larder keys new > FILE`, name that file with \
             --new-key-file, and set LARDER_KEY to its content afterwards"
        ),
    };
    if new_key_file.is_none() {
        encryption::write_key(&new_file, &encryption::new_key())?;
    }
    let new = encryption::read_key(&new_file).and_then(|key| Cipher::with(&key));
    let new = new.with_context(|| format!("the key file {} cannot be used", new_file.display()))?;
    let old = Cipher::of(&config)?;
    let state = app::open(config).await?;
    let done = encryption::reencrypt(&state.db, &old, &new, state.now()).await?;
    state.db.close().await;
    anyhow::ensure!(done, "a secret could not be opened with the key in use; nothing was changed");
    match (new_key_file, old_file) {
        (None, Some(old)) => {
            std::fs::rename(&old, beside(&old, "old"))?;
            std::fs::rename(&new_file, &old)?;
            println!(
                "Everything is encrypted with the new key in {}. The previous one is in {}: older backups need it.",
                old.display(),
                beside(&old, "old").display()
            );
        }
        _ => println!(
            "Everything is encrypted with the key in {}. Start every node with it: set LARDER_KEY to it, or name the file \
             with LARDER_KEY_FILE.",
            new_file.display()
        ),
    }
    Ok(())
}

/// Deletes everything encrypted with a lost key.
pub async fn forget(common: &Common, yes: bool) -> anyhow::Result<()> {
    anyhow::ensure!(
        yes,
        "this throws away what the lost key sealed: everybody's second factor and recovery codes have to be set up \
         again, temporary passwords and letters on their way are gone, programs have to sign in again. Passwords and \
         everything else stay. Say --yes to do it"
    );
    let config = config::load(common)?;
    let db = app::open_database(&config, 1).await?;
    db.migrate().await?;
    encryption::forget(&db, SystemClock::of(&config).now()).await?;
    db.close().await;
    println!("Done. The next start makes a key where there is none.");
    Ok(())
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use larder_db::testing::clock;
    use larder_platform::Config;

    use super::*;

    fn common(folder: &Path) -> Common {
        Common { data_dir: Some(folder.to_owned()), database: None, config: None }
    }

    async fn open(folder: &Path) -> anyhow::Result<larder_platform::AppState> {
        app::open(Config {
            data_dir: folder.to_owned(),
            clock_shift_ms: clock::shift_ms(),
            ..Config::default()
        })
        .await
    }

    async fn kept(state: &larder_platform::AppState) -> String {
        let query = state.db.sql("select private_pem from signing_keys");
        query.scalar().await.expect("a signing key")
    }

    #[tokio::test]
    async fn the_key_is_created_required_changed_and_forgotten() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("data");
        // As an earlier version left it: world-readable, with its key in plain text.
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::create_dir(folder.join("files")).expect("a folder");
        std::fs::write(folder.join("files/till.csv"), "a").expect("a file");
        std::fs::set_permissions(folder.join("files/till.csv"), std::fs::Permissions::from_mode(0o644))
            .expect("open to all");
        let state = open(&folder).await.expect("it opens");
        state
            .db
            .write(&crate::admin::actor(&state), async |tx| {
                tx.sql("insert into signing_keys (kid, private_pem, created_at) values ('k', 'in clear', 1)")
                    .execute()
                    .await
            })
            .await
            .expect("written");
        state.db.close().await;
        let state = open(&folder).await.expect("it opens again");
        let encrypted = kept(&state).await;
        assert!(
            !encrypted.contains("in clear")
                && state.cipher.decrypt("signing_keys.private_pem/k", &encrypted).as_deref()
                    == Ok("in clear")
        );
        for entry in
            ["", "larder.db", "larder.db-wal", "larder.db-shm", "larder.key", "files", "files/till.csv"]
        {
            let found = std::fs::metadata(folder.join(entry)).expect(entry);
            let wanted = if found.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(found.permissions().mode() & 0o777, wanted, "{entry}");
        }
        state.db.close().await;

        reencrypt(&common(&folder), None).await.expect("resealed");
        let state = open(&folder).await.expect("it opens with the new key");
        assert_ne!(kept(&state).await, encrypted);
        assert_eq!(
            state.cipher.decrypt("signing_keys.private_pem/k", &kept(&state).await).as_deref(),
            Ok("in clear")
        );
        state.db.close().await;

        let key = folder.join("larder.key");
        let refusal = async || format!("{:#}", open(&folder).await.err().expect("it is refused"));
        let good = std::fs::read_to_string(&key).expect("a key");
        std::fs::rename(folder.join("larder.key.old"), &key).expect("the former key");
        assert!(refusal().await.contains("is not the one"), "{}", refusal().await);
        std::fs::remove_file(&key).expect("gone");
        assert!(refusal().await.contains("is missing"), "{}", refusal().await);
        assert!(!key.exists(), "no other key is made in its place");
        std::fs::write(&key, "nonsense").expect("written");
        assert!(refusal().await.contains("this is no key"), "{}", refusal().await);
        std::fs::write(&key, good).expect("put back");
        open(&folder).await.expect("it opens").db.close().await;

        std::fs::remove_file(&key).expect("lost");
        assert!(forget(&common(&folder), false).await.is_err());
        forget(&common(&folder), true).await.expect("forgotten");
        open(&folder).await.expect("it opens with another key").db.close().await;
    }
}
