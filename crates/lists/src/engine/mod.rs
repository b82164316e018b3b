//! One engine for all lists: typed records in, SQL and HTTP out.

mod actions;
pub mod authorize_store;
mod define;
mod draft;
mod export;
mod fields;
mod filter;
mod given;
pub mod lines;
mod merge;
mod names;
mod openapi;
mod position;
mod queries;
mod record;
mod revisions;
mod routes;
mod typed;
pub mod untyped;
mod used_by;
mod uses;
mod write;

use larder_platform::http::{retry, text};

pub use define::{
    Catalogue, Field, Form, Found, Hidden, Items, Kind, List, ListDef, ListOption, Origin, Part, Reads,
    Retires,
};
pub use draft::{Cell, Draft, wrong};
pub use fields::{Editor, FieldType, Stamp};
pub use filter::Filter;
pub use merge::MovedUses;
pub use names::{Name, names};
pub use queries::count;
pub use routes::{lasting_routes, routes};
pub use text::fold;
pub use typed::{create, get, get_in, insert, update};
pub use untyped::{Made, UntypedOps};
pub use uses::{Use, of as uses_of};

pub(crate) use define::list;
#[doc(hidden)]
pub use define::{camel, camel_len};
