//! The Rust types of declared fields, and the members every record has.

use larder_db::Json;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use serde::Serialize;

use super::define::Kind;
pub use larder_platform::audit::Editor;

/// A type for declared fields.
pub trait FieldType {
    const KIND: Kind;
    /// Whether it must have a value.
    const REQUIRED: bool = true;

    /// Whether it is empty; empty fields are omitted in the API.
    fn is_absent(&self) -> bool {
        false
    }
}

macro_rules! field_types {
    ($($ty:ty => $kind:ident),+ $(,)?) => {$(
        impl FieldType for $ty {
            const KIND: Kind = Kind::$kind;
        }
    )+};
}

field_types! {
    String => Text,
    Qty => Qty,
    Money => Money,
    Factor => Factor,
    i64 => Int,
    bool => Bool,
    BusinessDay => Day,
}

impl<T: FieldType> FieldType for Option<T> {
    const KIND: Kind = T::KIND;
    const REQUIRED: bool = false;

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

/// Members of every record set by the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Stamp {
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The author of the record, where shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[sqlx(default)]
    pub created_by: Option<Json<Editor>>,
    /// The author of the last change, where shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[sqlx(default)]
    pub updated_by: Option<Json<Editor>>,
    pub revision: i64,
}
