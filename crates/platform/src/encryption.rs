//! Encryption at rest of secrets in the database: signing keys, the installation's secret, second factors,
//! temporary passwords, links in emails. A copy of the database alone reveals none of them: the key is kept
//! outside, in `LARDER_KEY` or in a file.

mod rows;

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::Config;
use crate::files::private;

pub use rows::{EMAIL, forget, place, reencrypt};
pub use rows::{begin, is_in_use};

/// Prefix of encrypted values.
const MARK: &str = "sealed1:";

/// Encrypts and decrypts.
pub struct Cipher {
    key: LessSafeKey,
}

/// A value that this key does not decrypt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a secret in the database cannot be opened with this installation's key")]
pub struct WrongKey;

impl From<WrongKey> for larder_db::DbError {
    fn from(error: WrongKey) -> Self {
        Self::Invalid(error.to_string())
    }
}

impl Cipher {
    /// With a key as [`new_key`] generates it.
    ///
    /// # Errors
    /// If it is not such a key.
    pub fn with(key: &str) -> anyhow::Result<Self> {
        let bytes = BASE64.decode(key.trim()).ok().filter(|bytes| bytes.len() == AES_256_GCM.key_len());
        let bytes = bytes.ok_or_else(|| {
            anyhow::anyhow!("this is no key: it has to be 32 bytes in base64, as `larder keys new` prints")
        })?;
        let key = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| anyhow::anyhow!("this is no key"))?;
        Ok(Self { key: LessSafeKey::new(key) })
    }

    /// With the key of this installation; a key file is created if there is none.
    ///
    /// # Errors
    /// If the key cannot be read or created.
    pub fn of(config: &Config) -> anyhow::Result<Self> {
        match Source::of(config) {
            Source::Setting(key) => {
                Self::with(key).map_err(|error| error.context("LARDER_KEY cannot be used"))
            }
            Source::File(path) => read_or_make(&path),
        }
    }

    /// Encrypts a text bound to a context: it does not decrypt in another.
    #[must_use]
    pub fn encrypt(&self, place: &str, text: &str) -> String {
        let nonce: [u8; NONCE_LEN] = rand::random();
        let mut encrypted = text.as_bytes().to_vec();
        self.key
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(place.as_bytes()),
                &mut encrypted,
            )
            .expect("a secret is shorter than the cipher's limit of 64 GiB");
        format!("{MARK}{}", BASE64.encode([&nonce[..], &encrypted].concat()))
    }

    /// Decrypts a text bound to this context. Values stored before encryption was introduced are in clear.
    ///
    /// # Errors
    /// If it was encrypted with another key or for another context.
    pub fn decrypt(&self, place: &str, text: &str) -> Result<String, WrongKey> {
        let Some(encrypted) = text.strip_prefix(MARK) else { return Ok(text.to_owned()) };
        let mut bytes = BASE64.decode(encrypted).map_err(|_| WrongKey)?;
        let (nonce, encrypted) = bytes.split_at_mut_checked(NONCE_LEN).ok_or(WrongKey)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| WrongKey)?;
        let open =
            self.key.open_in_place(nonce, Aad::from(place.as_bytes()), encrypted).map_err(|_| WrongKey)?;
        String::from_utf8(open.to_vec()).map_err(|_| WrongKey)
    }
}

/// Where an installation's key is kept.
#[derive(Debug)]
pub enum Source<'a> {
    Setting(&'a str),
    File(PathBuf),
}

impl<'a> Source<'a> {
    /// As the settings say.
    #[must_use]
    pub fn of(config: &'a Config) -> Self {
        match &config.key {
            Some(key) => Self::Setting(&key.0),
            None => Self::File(config.key_file.clone().unwrap_or_else(|| config.data_dir.join("larder.key"))),
        }
    }

    /// Whether the key is set or the file exists.
    #[must_use]
    pub fn is_there(&self) -> bool {
        match self {
            Self::Setting(_) => true,
            Self::File(path) => path.exists(),
        }
    }
}

impl std::fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Setting(_) => f.write_str("LARDER_KEY"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A new key in base64.
#[must_use]
pub fn new_key() -> String {
    BASE64.encode(rand::random::<[u8; 32]>())
}

/// Writes a key into a new file; `false` if the file exists.
///
/// # Errors
/// If it cannot be written.
pub fn write_key(path: &Path, key: &str) -> anyhow::Result<bool> {
    let Some(mut file) = private::new_file(path)? else { return Ok(false) };
    writeln!(file, "{key}")?;
    file.sync_all()?;
    Ok(true)
}

/// Reads a key file.
///
/// # Errors
/// If there is none.
pub fn read_key(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(1_000).read_to_string(&mut text)?;
    Ok(text.trim().to_owned())
}

fn read_or_make(path: &Path) -> anyhow::Result<Cipher> {
    use anyhow::Context as _;
    let cannot = || format!("the key file {} cannot be used", path.display());
    if !path.exists() {
        write_key(path, &new_key()).with_context(cannot)?;
    }
    private::close(path);
    read_key(path).and_then(|key| Cipher::with(&key)).with_context(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_decrypts_only_in_its_context_with_its_key() {
        let (cipher, other) =
            (Cipher::with(&new_key()).expect("a key"), Cipher::with(&new_key()).expect("a key"));
        let encrypted = cipher.encrypt("totp/ana", "GEZDGNBV ñ");
        assert!(!encrypted.contains("GEZDGNBV"), "{encrypted}");
        assert_eq!(cipher.decrypt("totp/ana", &encrypted).as_deref(), Ok("GEZDGNBV ñ"));
        assert_eq!(cipher.decrypt("totp/ben", &encrypted), Err(WrongKey));
        assert_eq!(other.decrypt("totp/ana", &encrypted), Err(WrongKey));
        assert_eq!(cipher.decrypt("totp/ana", &format!("{MARK}AAAA")), Err(WrongKey));
        assert_eq!(
            cipher.decrypt("totp/ana", "in clear, from before").as_deref(),
            Ok("in clear, from before")
        );
        assert_ne!(encrypted, cipher.encrypt("totp/ana", "GEZDGNBV ñ"), "the same text shows nothing twice");
    }

    #[test]
    fn invalid_keys_are_refused() {
        for text in ["", "password", "c2hvcnQ=", &BASE64.encode([0; 33])] {
            assert!(Cipher::with(text).is_err(), "{text}");
        }
        assert!(Cipher::with(&format!(" {}\n", new_key())).is_ok());
    }
}
