//! Settings from flags, then `LARDER_*`, then `larder.toml`, then defaults.

use std::path::Path;

use anyhow::Context as _;
use figment::Figment;
use figment::providers::{Env, Format as _, Serialized, Toml};
use larder_platform::Config;

use crate::Common;

/// Reads the settings; flags take precedence.
pub fn load(common: &Common) -> anyhow::Result<Config> {
    let file = common.config.as_deref();
    if let Some(file) = file {
        anyhow::ensure!(file.exists(), "there is no settings file {}", file.display());
    }
    let mut config: Config = Figment::from(Serialized::defaults(Config::default()))
        .merge(Toml::file(file.unwrap_or(Path::new("larder.toml"))))
        .merge(
            Env::prefixed("LARDER_")
                .ignore(&["log", "log_format"])
                .map(|key| key.as_str().replace('_', "-").into()),
        )
        .extract()
        .context("the settings cannot be read")?;
    if let Some(folder) = &common.data_dir {
        config.data_dir.clone_from(folder);
    }
    if common.database.is_some() {
        config.database.clone_from(&common.database);
    }
    config.session_sync()?;
    Ok(config)
}
