//! Database encoding of the newtypes: plain integers and text on both engines.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::{Decode, Encode, Type};

/// An enumeration as text. An unknown value is an error that names it, never another variant.
macro_rules! as_word {
    ($name:ty) => {
        impl<DB: sqlx::Database> sqlx::Type<DB> for $name
        where
            String: sqlx::Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <String as sqlx::Type<DB>>::type_info()
            }
            fn compatible(ty: &DB::TypeInfo) -> bool {
                <String as sqlx::Type<DB>>::compatible(ty)
            }
        }

        impl<'q, DB: sqlx::Database> sqlx::Encode<'q, DB> for $name
        where
            String: sqlx::Encode<'q, DB>,
        {
            fn encode_by_ref(
                &self,
                buf: &mut <DB as sqlx::Database>::ArgumentBuffer,
            ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                self.as_str().to_owned().encode_by_ref(buf)
            }
        }

        impl<'r, DB: sqlx::Database> sqlx::Decode<'r, DB> for $name
        where
            String: sqlx::Decode<'r, DB>,
        {
            fn decode(value: <DB as sqlx::Database>::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                let text = <String as sqlx::Decode<DB>>::decode(value)?;
                Ok(<Self as $crate::Word>::read(&text)?)
            }
        }
    };
}
pub(crate) use as_word;

macro_rules! as_integer {
    ($($name:ty, $inner:ty);+ $(;)?) => {$(
        impl<DB: sqlx::Database> Type<DB> for $name where i64: Type<DB> {
            fn type_info() -> DB::TypeInfo { <i64 as Type<DB>>::type_info() }
            fn compatible(ty: &DB::TypeInfo) -> bool { <i64 as Type<DB>>::compatible(ty) }
        }
        impl<'q, DB: sqlx::Database> Encode<'q, DB> for $name where i64: Encode<'q, DB> {
            fn encode_by_ref(&self, buf: &mut <DB as sqlx::Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                Encode::<DB>::encode(i64::from(self.0), buf)
            }
        }
        impl<'r, DB: sqlx::Database> Decode<'r, DB> for $name where i64: Decode<'r, DB> {
            fn decode(value: <DB as sqlx::Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
                Ok(Self(<$inner>::try_from(<i64 as Decode<DB>>::decode(value)?)?))
            }
        }
    )+};
}

as_integer! {
    crate::Qty, i64;
    crate::Money, i64;
    crate::Factor, i64;
    crate::Timestamp, i64;
    crate::BusinessDay, i32;
}

impl<DB: sqlx::Database> Type<DB> for crate::Id
where
    String: Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        <String as Type<DB>>::type_info()
    }
    fn compatible(ty: &DB::TypeInfo) -> bool {
        <String as Type<DB>>::compatible(ty)
    }
}

impl<'q, DB: sqlx::Database> Encode<'q, DB> for crate::Id
where
    String: Encode<'q, DB>,
{
    fn encode_by_ref(&self, buf: &mut <DB as sqlx::Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        self.0.encode_by_ref(buf)
    }
}

impl<'r, DB: sqlx::Database> Decode<'r, DB> for crate::Id
where
    String: Decode<'r, DB>,
{
    fn decode(value: <DB as sqlx::Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(<String as Decode<DB>>::decode(value)?))
    }
}
