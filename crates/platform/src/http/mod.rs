//! HTTP: errors, guards, sessions, the contract, the embedded console.

pub mod assets;
pub mod boxed_handler;
pub mod codes;
pub mod compression;
pub mod custom_fields;
pub mod error;
pub mod export;
pub mod guard;
pub mod gzip_body;
pub mod headers;
pub mod json;
mod named;
#[cfg(feature = "contract")]
pub mod openapi;
pub mod origin;
mod parameters;
pub mod question;
pub mod retry;
pub mod revision;
pub mod scope;
pub mod serve;
pub mod session;
pub mod text;
pub mod upload;

pub use boxed_handler::routes;
pub use error::{ApiError, ApiResult, FieldError};
pub use guard::Routes;
pub use json::Json;
pub use origin::Origin;
pub use session::Who;
