//! JSON columns. The nesting of input is limited at the edge; values stored before there was a limit, or nested further
//! when wrapped, must still be readable: serde_json gives up at 128 levels.

use std::ops::{Deref, DerefMut};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo, PgValueFormat, PgValueRef};
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::types::Json as Driver;
use sqlx::{Decode, Encode, Postgres, Sqlite, Type, TypeInfo, ValueRef};

/// Maximum nesting of input: a body with a list of records with objects in them is 5.
pub const MOST_NESTED: usize = 32;
/// Nesting from which stored values are truncated on reading.
const READ_NESTED: usize = 120;
/// The replacement of truncated values.
const CUT: &str = "\"…\"";

/// A value in a JSON column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Json<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> From<T> for Json<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> Type<Sqlite> for Json<T> {
    fn type_info() -> SqliteTypeInfo {
        <Driver<T> as Type<Sqlite>>::type_info()
    }

    fn compatible(kind: &SqliteTypeInfo) -> bool {
        <Driver<T> as Type<Sqlite>>::compatible(kind)
    }
}

impl<T> Type<Postgres> for Json<T> {
    fn type_info() -> PgTypeInfo {
        <Driver<T> as Type<Postgres>>::type_info()
    }

    fn compatible(kind: &PgTypeInfo) -> bool {
        <Driver<T> as Type<Postgres>>::compatible(kind)
    }
}

impl<T: Serialize> Encode<'_, Sqlite> for Json<T> {
    fn encode_by_ref(&self, into: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Sqlite>::encode_by_ref(&Driver(&self.0), into)
    }
}

impl<T: Serialize> Encode<'_, Postgres> for Json<T> {
    fn encode_by_ref(&self, into: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Postgres>::encode_by_ref(&Driver(&self.0), into)
    }
}

impl<'r, T: DeserializeOwned> Decode<'r, Sqlite> for Json<T> {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        read(<&str as Decode<Sqlite>>::decode(value)?.as_bytes())
    }
}

impl<'r, T: DeserializeOwned> Decode<'r, Postgres> for Json<T> {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let binary = value.format() == PgValueFormat::Binary && value.type_info().name() == "JSONB";
        let bytes = value.as_bytes()?;
        // The binary format begins with its version number.
        read(bytes.get(usize::from(binary)..).unwrap_or_default())
    }
}

fn read<T: DeserializeOwned>(text: &[u8]) -> Result<Json<T>, BoxDynError> {
    match serde_json::from_slice(text) {
        Ok(value) => Ok(Json(value)),
        Err(_) if nesting(text) > READ_NESTED => Ok(Json(serde_json::from_slice(&cut(text, READ_NESTED))?)),
        Err(error) => Err(error.into()),
    }
}

/// The nesting depth of a JSON text: `{"a":[1]}` is 2. Of other text, some number.
#[must_use]
pub fn nesting(text: &[u8]) -> usize {
    let (mut depth, mut most) = (0usize, 0);
    brackets(text, |_, opens| {
        depth = if opens { depth + 1 } else { depth.saturating_sub(1) };
        most = most.max(depth);
    });
    most
}

/// The text without deeper levels.
fn cut(text: &[u8], most: usize) -> Vec<u8> {
    let (mut depth, mut from, mut kept) = (0usize, 0, Vec::with_capacity(text.len()));
    brackets(text, |at, opens| {
        if opens {
            depth += 1;
            if depth == most + 1 {
                kept.extend_from_slice(&text[from..at]);
                kept.extend_from_slice(CUT.as_bytes());
            }
        } else {
            if depth == most + 1 {
                from = at + 1;
            }
            depth = depth.saturating_sub(1);
        }
    });
    kept.extend_from_slice(&text[from..]);
    kept
}

/// Each bracket outside strings: its position, and whether it opens.
fn brackets(text: &[u8], mut found: impl FnMut(usize, bool)) {
    let (mut in_string, mut at) = (false, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => found(at, true),
            b'}' | b']' if !in_string => found(at, false),
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn nested(depth: usize) -> String {
        format!("{}1{}", "[".repeat(depth), "]".repeat(depth))
    }

    #[test]
    fn brackets_in_texts_are_texts() {
        for (text, depth) in
            [("1", 0), ("{}", 1), (r#"{"a":[1,{"b":2}]}"#, 3), (r#"{"[[[":"\"[{","b":"]\\"}"#, 1), ("]]]", 0)]
        {
            assert_eq!(nesting(text.as_bytes()), depth, "{text}");
        }
    }

    #[test]
    fn what_is_too_deep_to_be_read_is_cut_and_nothing_else() {
        let text = format!(r#"{{"before":1,"deep":[null,{}],"after":{{"x":"]"}}}}"#, nested(200));
        assert!(serde_json::from_str::<Value>(&text).is_err());
        let Json(value): Json<Value> = read(text.as_bytes()).expect("it is read");
        assert_eq!((&value["before"], &value["after"]), (&json!(1), &json!({ "x": "]" })));
        let mut inner = &value["deep"][1];
        while let Value::Array(items) = inner {
            inner = &items[0];
        }
        assert_eq!(inner, "…");
        let whole = nested(READ_NESTED);
        assert_eq!(read::<Value>(whole.as_bytes()).expect("it is read").0.to_string(), whole);
        assert!(read::<Value>(b"[[[").is_err());
    }
}
