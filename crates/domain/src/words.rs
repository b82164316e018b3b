//! Enumerations that are strings on the wire and in the database.

/// An enumeration whose members are words on the wire and in the database.
pub trait Word: Copy + Eq + std::fmt::Debug + Send + Sync + Unpin + 'static {
    /// Every one there is.
    const ALL: &'static [Self];

    /// As it is written on the wire and kept.
    fn as_str(self) -> &'static str;

    /// Reads it as it is written.
    ///
    /// # Errors
    /// The word that is none of them.
    fn read(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.iter().copied().find(|one| one.as_str() == text).ok_or_else(|| UnknownWord {
            word: text.to_owned(),
            known: Self::ALL.iter().map(|one| one.as_str()).collect(),
        })
    }
}

/// A word that is none of its enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    /// As it is written.
    pub word: String,
    /// What could have been written instead.
    pub known: Vec<&'static str>,
}

impl std::fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "«{}» is none of {}", self.word, self.known.join(", "))
    }
}

impl std::error::Error for UnknownWord {}

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
            /// All variants.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The wire and stored name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Parses the wire name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }

        impl $crate::Word for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.as_str()
            }
        }

        #[cfg(feature = "sql")]
        $crate::sql::as_word!($name);
    };
}
pub(crate) use words;
