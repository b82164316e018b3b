//! What can be bound and what a row can become, on both drivers.

use crate::Json;
use sqlx::postgres::{PgArgumentBuffer, PgRow};
use sqlx::sqlite::SqliteRow;
use sqlx::{Encode, FromRow, Postgres, Sqlite, Type};

/// What can be bound: everything both drivers can encode.
pub trait Value<'t>: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres> {}

impl<'t, T> Value<'t> for T where T: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres> {}

/// What a row can become: `#[derive(FromRow)]` makes it, and tuples are it.
pub trait Row: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}

impl<T> Row for T where T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}

pub(crate) const NUL: &str = "text cannot hold the character NUL";

/// Whether a text or JSON value holds a NUL, which PostgreSQL cannot store. The driver's own
/// encoding is looked at, because only it knows what a newtype becomes.
pub(crate) fn nul_in<'t, T: Value<'t>>(value: &T) -> bool {
    let kind = Encode::<Postgres>::produces(value).unwrap_or_else(<T as Type<Postgres>>::type_info);
    let text = <str as Type<Postgres>>::compatible(&kind);
    let json = !text && <Json<()> as Type<Postgres>>::compatible(&kind);
    if !text && !json {
        return false;
    }
    let mut bytes = PgArgumentBuffer::default();
    if Encode::<Postgres>::encode_by_ref(value, &mut bytes).is_err() {
        return false; // The driver will say what is wrong.
    }
    match text {
        true => bytes.contains(&0),
        false => escaped_nul(&bytes),
    }
}

/// Whether JSON text holds `\u0000`, rather than an escaped backslash before `u0000`.
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
