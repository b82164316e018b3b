//! Counts: requests and responses.

mod batch;
mod close;
mod entries;
mod held;
mod sessions;
mod settings;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub use batch::*;
pub use close::*;
pub use entries::*;
pub use held::*;
pub use sessions::*;
pub use settings::*;

/// Query parameters: the store.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct StoreQuery {
    #[param(required)]
    pub store_id: Option<String>,
}

/// An uploaded photo.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountPhoto {
    /// Its id, for use in a save.
    pub photo: String,
}
