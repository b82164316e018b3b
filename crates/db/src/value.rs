//! Bindable values and readable rows, on both drivers.

use crate::Json;
use sqlx::postgres::{PgArgumentBuffer, PgRow};
use sqlx::sqlite::SqliteRow;
use sqlx::{Encode, FromRow, Postgres, Sqlite, Type};

/// A bindable value: everything both drivers can encode.
pub trait Value<'t>: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres> {}

impl<'t, T> Value<'t> for T where T: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres> {}

/// A readable row: `#[derive(FromRow)]` or a tuple.
pub trait Row: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}

impl<T> Row for T where T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}

pub(crate) const NUL: &str = "text cannot hold the character NUL";

/// Whether a text or JSON value contains a NUL, which PostgreSQL cannot store. It checks the driver's own encoding,
/// since only that knows how a newtype is written.
pub(crate) fn nul_in<'t, T: Value<'t>>(value: &T) -> bool {
    let kind = Encode::<Postgres>::produces(value).unwrap_or_else(<T as Type<Postgres>>::type_info);
    let text = <str as Type<Postgres>>::compatible(&kind);
    let json = !text && <Json<()> as Type<Postgres>>::compatible(&kind);
    if !text && !json {
        return false;
    }
    let mut bytes = PgArgumentBuffer::default();
    if Encode::<Postgres>::encode_by_ref(value, &mut bytes).is_err() {
        return false; // The driver will report the error.
    }
    match text {
        true => bytes.contains(&0),
        false => escaped_nul(&bytes),
    }
}

/// Whether JSON text contains `\u0000`, rather than an escaped backslash before `u0000`.
pub(crate) fn escaped_nul(json: &[u8]) -> bool {
    let mut at = 0;
    while at + 6 <= json.len() {
        match json[at] {
            b'\\' if &json[at + 1..at + 6] == b"u0000" => return true,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::escaped_nul;

    #[test]
    fn only_an_escape_is_a_nul() {
        assert!(escaped_nul(br#""a\u0000b""#));
        assert!(escaped_nul(br#""\\\u0000""#));
        assert!(!escaped_nul(br#""\\u0000""#));
        assert!(!escaped_nul(br#""u0000""#));
    }
}
