//! Enumerations that are words on the wire and in the database.

/// Declares an enumeration whose variants are words. Its attributes say `#[serde(rename_all = …)]` as well: the contract's
/// schema cannot read the word of each variant, and by that rule comes to the same ones.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        $(#[$meta])*
        pub enum $name { $($(#[$doc])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// Every one there is.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// As it is written on the wire and kept.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Reads it as it is written.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }
    };
}
pub(crate) use words;
