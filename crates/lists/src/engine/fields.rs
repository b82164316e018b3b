//! The Rust types a declared field can have, and the frame every record has.

use larder_db::Json;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use serde::Serialize;

use super::define::Kind;
pub use larder_platform::audit::Editor;

/// A type that a declared field can have.
pub trait FieldType {
    /// How it is read, kept and shown.
    const KIND: Kind;
    /// Whether a record cannot be without it.
    const REQUIRED: bool = true;

    /// Whether there is nothing to show; an empty field is left out on the wire.
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

/// The frame of every record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Stamp {
    /// When the record was made.
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// By whom it was made, where the list tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[sqlx(default)]
    pub created_by: Option<Json<Editor>>,
    /// By whom it was written last, where the list tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[sqlx(default)]
    pub updated_by: Option<Json<Editor>>,
    pub revision: i64,
}
